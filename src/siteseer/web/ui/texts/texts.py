"""Every text that the interface shows, in one place."""

from __future__ import annotations

NAME = "Siteseer"
YES, NO = "yes", "no"
CLOSE = "Close"
MENU = "Menu"
SKIP_TO_CONTENT = "Skip to the content"
LIVE_WEB = "on the live Web"
PREVIOUS, NEXT = "Previous", "Next"
PAGE_OF = "{first:,}–{last:,} of {count:,}"
COLLECTION = "Collection"
WENT_WRONG = "This cannot be shown"
DEFECT = "A defect of Siteseer ({what}); the terminal in which it runs tells more."
TO_START = "To the start"
LIGHT_OR_DARK = "Light or dark"

# the door
REFUSED_PAGE = (
    "<!DOCTYPE html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>Siteseer</title>"
    "<body style='font:16px/1.6 system-ui;max-width:34em;margin:15vh auto;padding:0 1em'><h1>Siteseer</h1><p>{}</p>"
)
WRONG_HOST = "Siteseer answers under 127.0.0.1 and localhost only."
WRONG_ORIGIN = "Siteseer does not answer requests from other sites."
NO_TOKEN = "Open the link that <code>siteseer ui</code> printed when it started: it carries the key to this page."
NOT_ARCHIVED = "This page is not in the collection."

# the frame
VIEWS = {
    "new": ("New crawl", "add_circle_outline", "/"),
    "live": ("Live", "show_chart", "/live"),
    "campaigns": ("Campaigns", "travel_explore", "/campaigns"),
    "result": ("Result", "task_alt", "/c/{}/result"),
    "read": ("Read", "forum", "/c/{}/read"),
    "ask": ("Ask", "manage_search", "/c/{}/ask"),
    "form": ("Form", "dynamic_form", "/c/{}/form"),
    "skipped": ("Skipped", "block", "/c/{}/skipped"),
    "designer": ("Get data", "ads_click", "/designer"),
    "jobs": ("Jobs", "schedule", "/jobs"),
    "knowledge": ("Knowledge", "account_tree", "/knowledge"),
    "compare": ("Compare", "compare_arrows", "/compare"),
}
GROUPS = (
    ("Crawl", ("new", "live", "campaigns")),
    ("Collection", ("result", "read", "ask", "form", "skipped")),
    ("Data", ("designer", "jobs")),
    ("More", ("compare", "knowledge")),
)
NO_COLLECTION = "There is no collection yet. Start a crawl, and it appears here."
NO_SUCH_COLLECTION = "There is no collection of that name here."

# new crawl
NEW_TITLE = "New crawl"
NEW_SAID = "Enter the address of a site; Siteseer finds out what it is and keeps what people wrote there."
URL = "Address of the site"
URL_HINT = "https://forum.example.org/"
LIMIT = "Limit of requests"
LIMIT_HINT = "no limit"
MODES = {"intelligent": "Intelligent", "baseline": "Baseline", "both": "Both"}
MODE_SAID = {
    "intelligent": "Recognises or learns the site and follows only what leads to content.",
    "baseline": "Follows every link, as crawlers do: slow, but nothing is left out.",
    "both": "Runs both and draws their curves side by side.",
}
COLLECTION_NAME = "Name of the collection"
LOOK = "What is it?"
LOOKED = "This is {name}, a {category}. What do you want to keep of it?"
LOOKED_UNKNOWN = "No known software: Siteseer will learn where the content is while it crawls."
LOOKED_NO_POLICIES = "This is {name}, a {category}. There is nothing to choose."
MORE_OPTIONS = "More options"
EXPRESSION_HINT = "*/print/* or re:/page/[0-9]+$"
START = "Start"
STARTED = "The crawl has started."
NEEDS_URL = "Enter the address of a site first."
YOUR_COLLECTIONS = "Your collections"
CARD = "{objects}, {pages}, {requests}"
CARD_VISITED = "{objects}, {pages}; last visit {day}: {requests}, {news}"
NOTHING_NEW = "nothing new"
NOUNS = {
    "requests": ("request", "requests"), "pages": ("page", "pages"), "objects": ("object", "objects"),
    "new_pages": ("new page", "new pages"), "changed_pages": ("changed page", "changed pages"),
    "new_objects": ("new object", "new objects"),
}  # fmt: skip
STATES = {True: "finished", False: "unfinished"}

# live
LIVE_TITLE = "Live"
LIVE_SAID = "The curve rises steeply while requests bring new text, and flattens when they no longer do."
NO_CRAWL = "No crawl is running."
CURVE = "Distinct 2-grams against requests"
REQUESTS, TWO_GRAMS = "requests", "distinct 2-grams"
RUN_STATES = {
    "waiting": "waiting for its turn", "running": "running", "paused": "paused", "stopped": "stopped",
    "finished": "finished", "failed": "failed", "stopping": "stopping",
}  # fmt: skip
PAUSE, RESUME, STOP = "Pause", "Resume", "Stop"
DISMISS, DELETE_CRAWL = "Dismiss", "Delete…"
DISMISSED = "{name} is no longer listed here. Its collection stays."
DELETE_QUESTION = "Delete the collection {name} with everything that is archived in it? This cannot be undone."
DELETE_YES = "Delete {name}"
DELETED = "{name} is deleted."
FETCHING = "Being fetched"
SKIPPING = "Skipped, and why"
NOTHING_SKIPPED = "Nothing was skipped so far."
CHANGE_LIMIT = "Limit of requests"
CHANGE = "Change"
CHANGED = "Changed."
EXCLUSION = "Leave out addresses, change the limit"
EXCLUSION_SAID = "A glob such as */calendar/*, or re: and an expression. Look first at what it would hit."
EXPRESSION = "Expression"
PREVIEW = "What would it hit?"
HITS = "{count:,} of the waiting addresses would be left out."
NO_HITS = "No waiting address would be left out."
ADD = "Leave them out"
ADDED = "{count:,} waiting addresses were left out."
TO_RESULT = "See the result"
FIGURES = {
    "requests": "requests", "pages": "pages kept", "objects": "objects", "two_grams": "distinct 2-grams",
    "skipped": "skipped", "left": "requests left", "seconds": "seconds", "errors": "errors", "duplicates": "duplicates",
    "bytes": "bytes", "broken": "broken links", "failed_actions": "failed actions",
    "adapted_actions": "adapted actions", "gain": "new 2-grams per request",
}  # fmt: skip

# result
RESULT_TITLE = "Result"
CRAWLS = "Crawls of this collection"
CRAWL_COLUMNS = ("crawl", "kind", "began", "ended", "requests", "new pages", "changed", "problems")
KIND_AND_STRATEGY = "{kind}, {strategy}"
STOPPED_BY = "stopped ({reason})"
STILL_RUNS = "not yet"
TOTAL_SAID = "All crawls together"
NEWEST_SAID = "The newest crawl: {number}, {kind} of {day}"
BROUGHT = "{requests}, {news}."
NO_PROBLEMS = "none"
RESPONSES = "Answers of the server"
STATUS, COUNT = "status", "count"
OBJECTS_KEPT = "Objects"
KIND = "kind"
BROKEN_LINKS = "Broken links"
NO_BROKEN = "No broken links."
BROKEN_COLUMNS = ("address", "why", "linked from")
ACTIONS = "Failed and adapted actions"
NO_ACTIONS = "Every action of the knowledge base worked as it was written."
ACTION_COLUMNS = ("what happened", "page", "why")
EVENTS = {"failed_action": "failed", "adapted_action": "repaired", "gone": "content gone"}
REPORT = "Read the report: old and new expressions, with examples"
CERTIFICATE = "Coverage certificate"
NO_CERTIFICATE = "No sample of what was skipped has been looked at yet."
CERTIFY = "Look at a sample"
CERTIFYING = "Fetching a sample of the skipped addresses …"
CERTIFIED = "The certificate is there."
CERTIFICATE_COLUMNS = ("rule", "skipped", "looked at", "with content", "text missing")
NOT_LOOKED_AT = "not looked at"
NOT_FINISHED = "This crawl was stopped ({reason}) and can go on."
OTHER_NOT_FINISHED = "Crawl {number} was stopped ({reason}) and can go on."
NOT_COMPLETE = "This crawl is not complete. It can go on with what failed."
GO_ON = "Go on"
WENT_ON = "The crawl goes on."
SOFTWARE = "software"
UNKNOWN = "unknown"

# read
READ_TITLE = "Read"
OBJECTS_TAB, PAGES_TAB = "Posts and comments", "Pages"
WORDS = "Words"
AUTHOR = "Author"
SINCE, UNTIL = "From (date)", "To (date)"
ALL_KINDS = "everything"
KINDS = {
    "post": "posts", "comment": "comments", "article": "articles", "page": "pages", "thread": "threads",
    "board": "boards", "user": "people", "record": "records",
}  # fmt: skip
ORDER = "Order"
KIND_LABEL = "Kind"
ORDERS = {"": "as found, best first", "newest": "newest first", "oldest": "oldest first"}
FOUND = "{count:,} found"
NONE_FOUND = "Nothing fits these filters."
NO_OBJECTS = "No posts or comments were found here; the pages are there to be read."
NOBODY = "unknown"
SHOW_PAGE = "Archived page"
SHOW_THREAD = "Whole thread"
CITE = "Cite"
REPLAY = "Replay"
MORE, LESS = "more", "less"
THREAD_TITLE = "Thread"
BACK_TO_LIST = "Back to all"
IN_THREAD = "{count:,} in this thread"
PAGE_BESIDE = "Choose “Archived page” to see the page as it was archived, opened at that post."
ARCHIVED_AT = "as archived {when}"
DOWNLOAD = "Download"
DOWNLOAD_AS = "Download these as"
PAGE_WORDS = "Words in title or address"
NO_PAGES = "No page fits."
FRAME_TITLE = "The archived page, without scripts"
REPLAY_STARTING = "Starting the replay …"

# ask
ASK_TITLE = "Ask"
ASK_SAID = "Choose a question, or write your own in SPARQL. Every row leads to the page where it was found."
QUESTIONS = "Questions"
RUN_QUERY = "Ask"
RUN_HINT = "Ctrl+Enter"
ASKING = "Looking …"
ROWS_FOUND = "{count:,} rows in {seconds:.2f} s"
TRUNCATED = "The answer was cut at {count:,} rows; narrow the question."
TABLE_TAB, CHART_TAB = "Table", "Chart"
NO_CHART = "A chart needs a column of numbers."
OPEN_ROW = "open"
ANSWER_YES, ANSWER_NO = "Yes.", "No."
NO_ROWS = "No row fits."
SPARQL = "SPARQL"
NO_OBJECTS_TO_ASK = "No objects were described in this collection, so there is nothing to ask."

# skipped
SKIPPED_TITLE = "Skipped"
SKIPPED_SAID = "What was not fetched, by which rule and why. A rule that you lift lets its addresses wait again."
SKIPPED_COUNT = "{count:,} addresses"
LIFT = "Fetch these after all"
LIFTED = "{count:,} addresses wait again. Press “Go on” to fetch them."
SHOW_ALL = "Show all"
NOTHING_SKIPPED_AT_ALL = "Nothing was skipped in this collection."
WAITING_NOW = "{count:,} addresses wait to be fetched."
RULE_ADDRESSES = "Addresses under “{rule}”"
ADDRESS_COLUMNS = ("address", "why", "found on")
NO_RULE = "without a rule"

# knowledge
KNOWLEDGE_TITLE = "Knowledge"
KNOWLEDGE_SAID = "What Siteseer knows of each software: how it is recognised, its kinds of pages, and what to do there."
FILTER_TYPES = "Find software"
TYPE_SAID = "{category} · {levels:,} levels · {patterns:,} detection patterns"
DETECTION = "How it is recognised"
LEVEL_KINDS = {"intermediate": "leads on", "terminal": "holds content"}
NAVIGATIONS = "Navigation actions"
EXTRACTIONS = "Extraction actions"
AVOIDED = "Left out"
OVERVIEW_TAB, TRY_TAB, EDIT_TAB = "What is known", "Try a pattern", "Edit"
TRY_SAID = "Enter a page and an expression: what it selects is highlighted."
TRY_URL = "Address of a page"
TRY_WHERE = "Take the page from"
TRY_LIVE = "the live Web"
TRY_EXPRESSION = "Expression"
TRY = "Try"
TRY_HITS = "{count:,} hits"
TRY_NONE = "It selects nothing on this page."
TRY_RECOGNISED = "The page is recognised as {application}, level {level}."
TRY_UNKNOWN = "The page is not recognised."
EDIT_SAID = (
    "Checked as you ask for it; saved to your own knowledge, which later crawls use. Shipped files stay as they are."
)
CHECK, SAVE = "Check", "Save to my knowledge"
CHECKED_FINE = "No problems."
SAVED = "Saved to {path}."
PROBLEM_COLUMNS = ("line", "problem", "what to do")
BAD_ID = "The id of an entry becomes a file's name: use letters, digits, dots, dashes and underscores."
CHOOSE_TYPE = "Choose software on the left."

# compare
COMPARE_TITLE = "Compare"
COMPARE_SAID = "Choose two or more collections; the first one chosen is the reference."
COMPARE_CHOOSE = "Collections"
REFERENCE = "Reference"
COMPARE = "Compare"
COMPARING = "Reading the collections …"
COMPARE_TWO = "Choose at least two collections."
COMPARE_COLUMNS = (
    "collection",
    "requests",
    "distinct 2-grams",
    "2-grams of the reference",
    "its own that the reference has",
    "external links",
    "links of the reference",
    "2-grams per request",
)
