"""Every text that the views of campaigns show, in one place."""

from __future__ import annotations

TITLE = "Campaigns"
SAID = "You document an event, not a site: say what you look for, and the pages that promise most come first."
NEW = "New campaign"
NEW_SAID = "Fill in what you know; a reference crawl finds further words of the topic."
NONE = "There is no campaign yet."
CARD = "{requests:,} requests · {pages:,} pages, {relevant:,} relevant · {sites:,} sites"
PHASES = {
    "new": "not begun", "learning": "reference crawl", "learned": "terms proposed", "running": "running",
    "analysing": "being analysed", "selecting": "being packed", "stopping": "stopping", "stopped": "stopped",
    "finished": "finished", "failed": "failed", "elsewhere": "run by another program",
}  # fmt: skip
TABS = {
    "definition": "Definition", "terms": "Terms", "progress": "Progress", "report": "Report", "selection": "Selection",
    "text": "As text",
}  # fmt: skip
ALL = "All campaigns"

# the definition
FOLDER = "Name of its folder"
FOLDER_HINT = "letters, digits, dots, dashes"
SAVE, CHECK, CREATE = "Save", "Check", "Make the campaign"
SAVED = "The definition is saved. What runs goes on with the old one until it is started again."
UNCHANGED = "Nothing was changed."
RIGHT = "This definition can be run."
WRONG = "{count} things are wrong; each is told beside its field."
WRONG_ONE = "One thing is wrong; it is told beside its field."
UNREADABLE = "{error}. There is no form for it until that is mended, under “As text”."
TEXT_SAID = (
    "The same definition as `siteseer campaign` reads it. What you write here, comments too, is kept by the form."
)
SECTIONS = {
    "topic": "What is looked for", "when": "When, and in which languages", "cost": "What it may cost",
    "how": "How sites are asked", "where": "Which sites, and how", "kept": "Where it is kept besides",
}  # fmt: skip
LABELS = {
    "name": "What the campaign is about", "seeds": "Where it starts: addresses, one per line",
    "keywords": "Words and phrases of the topic, one per line",
    "entities": "People, places, organisations, one per line: Name = alias, alias",
    "examples": "Pages about it, as examples: addresses, one per line",
    "since": "First day that matters", "until": "Last day that matters", "languages": "Languages, parted by commas",
    "social": "Social weight: what a link by a further author counts, 0 to 1",
    "requests": "Requests", "bytes": "Size, as 500M or 2G", "days": "Days",
    "follow": "Other sites", "most": "Most sites",
    "at_once": "Sites at the same time", "strategy": "How pages of a site are found", "assets": "Pictures and styles",
    "policies": "Policies, one per line: name=yes", "browser": "Pages in a browser",
    "archive": "Files: S3-compatible storage", "objects": "Objects: a SPARQL endpoint",
    "objects_update": "Where the endpoint takes updates, if elsewhere",
}  # fmt: skip
HINTS = {
    "since": "2019-01-01",
    "until": "2019-12-31",
    "languages": "en, de",
    "bytes": "2G",
    "seeds": "https://example.org/",
    "archive": "s3://bucket/prefix",
    "objects": "http://host:7878/query",
}
CHOICES = {
    "follow": {"linked": "join when links lead to them", "seeds": "only those of the addresses above"},
    "assets": {"none": "leave them", "all": "keep them, on the budget"},
    "browser": {"never": "never", "auto": "those that need scripts", "always": "all"},
    "strategy": {
        "blind": "blind: leaves nothing out", "auto": "auto: chooses by itself",
        "aware": "aware: by the knowledge base",
        "learned": "learned: by what the site teaches", "acebot": "acebot: by navigation patterns",
    },
}  # fmt: skip

# running
RUN, GO_ON, STOP, LEARN = "Run", "Go on", "Stop", "Reference crawl"
LEARN_LIMIT = "Its requests"
STARTED = "It has started."
STOPPING = "It ends when what was sent has been answered, and what was read is saved."
DELETE, CANCEL = "Delete", "Cancel"
DELETE_ASKED = (
    "Delete the campaign {name} with everything that it has archived: {sites:,} sites, {pages:,} pages, {size}? "
    "This cannot be undone."
)
DELETED = "{name} is deleted."

# terms
TERMS_SAID = (
    "What pages about the topic say, and others do not. Accept, reject, or change a weight: 1 counts as a keyword."
)
NO_TERMS = "Nothing is proposed yet. Start a reference crawl: it reads a few pages and proposes words, names and sites."
TERM_HEADS = ("kind", "term", "stands in", "weight", "your word")
IN_PAGES = "{relevant:,} relevant pages, {rest:,} others"
MARKS = {"accept": "accept", "?": "open", "reject": "reject"}
WEIGHT_OF, WORD_ON = "Weight of {term}", "Your word on {term}"
TAKE, ACCEPT_ALL = "Complete the definition", "Accept all that are open"
TAKEN = "{accepted} terms and sites now belong to the definition, {rejected} were rejected."

# progress
FIGURES = {
    "requests": "requests", "pages": "pages", "relevant": "relevant pages", "sites": "sites",
    "waiting": "sites waiting", "running": "sites being crawled",
}  # fmt: skip
CURVE = "Relevant pages against requests"
RELEVANT_PAGES = "relevant pages"
SITES, WORKERS = "Sites", "Workers"
SITE_HEADS = ("site", "promise", "requests", "pages", "relevant", "status", "reason")
SITE_WORDS = "Part of the name"
NO_SITES = "No site is known yet."
WORKER_HEADS = ("worker", "machine", "crawls", "since", "last heard of", "slices", "pages", "requests")
NO_WORKERS = "No workers: the campaign runs on this machine alone."
STOPPED_BY = {
    "limit": "the budget of requests is used up", "size": "the budget of bytes is used up",
    "time": "the days are over", "interrupt": "it was stopped", "error": "something went wrong",
}  # fmt: skip

# report
ANALYSE, ANALYSE_AGAIN = "Analyse", "Analyse again"
ANALYSE_SAID = (
    "Finds names, topics and opinions in everything that was gathered, writes a report, and proposes what to keep. "
    "Only what is new is read."
)
COMPARED_WITH = "Compare with an earlier campaign"
NO_REPORT = "Nothing is analysed yet."
NOT_RUN = "Nothing is gathered yet. Run the campaign first."
WHOLE_REPORT = "Open the whole report"
REPORT_MADE = "Report of {when}"
TOTALS = {
    "sites": "sites", "pages": "pages", "relevant_pages": "relevant pages", "objects": "texts and posts",
    "authors": "authors", "links": "links",
}  # fmt: skip
TERMS_OVER_TIME = "Terms over time"
CLOCKS = {"published": "by the date of the texts", "captured": "by the time of capture"}
OBJECTS_WITH = "texts that hold the term, by {step}"
NO_CURVE = "Everything falls into one {step}: there is no curve."
UNDATED = "{count:,} texts do not say when."
CHANGES = "New, gone, changed"
NO_CHANGES = (
    "Every site was crawled once. When a site is crawled again (siteseer revisit), or the campaign is compared with an "
    "earlier one, this tells what changed."
)
ROUND_HEADS = (
    "site", "crawl of", "pages new", "gone", "changed", "as before", "not asked for", "objects new", "gone", "edited",
)  # fmt: skip
CHANGE = "What happened"
CHANGE_KINDS = {"": "everything", "new": "new", "gone": "gone", "changed": "changed", "edited": "edited"}
CHANGE_WORDS = "Words of the title or address"
NO_CHANGE_FOUND = "Nothing of that kind."
TABLES = "Tables and pictures"
TABLES_SAID = "All rows of what the report shows the first of, as CSV; pictures as SVG."
FOUND = "{count:,} found"

# selection
NO_PROPOSAL = "Nothing is proposed yet. Analyse the campaign: Report, then Analyse."
SELECTION_SAID = (
    "Accept or reject sites and pages. A word on a site counts for its pages that have none of their own; what is left "
    "open enters by its degree. The marks stand in proposal.tsv, which siteseer campaign select reads too."
)
ENTERS = "What enters the archive"
THRESHOLD = "Open pages enter from this degree on"
THRESHOLD_HINT = "empty: only what you accepted"
TALLY = "{pages:,} of {proposed:,} pages enter, and {on_the_way:,} that lead to them: about {size} in the archive."
TALLY_MARKS = "Accepted: {accepted:,}. Rejected: {rejected:,}. Pictures and styles that pages need come along."
COUNTING = "Counting …"
MAKE = "Make the WACZ"
DOWNLOAD = "Download {name}.wacz, {size}"
MADE = "Made {when}: {said}."
NOT_CURRENT = "The proposal was changed since."
KINDS = {"site": "Sites", "page": "Pages"}
KIND_ASKED = "What is listed"
PROPOSAL_WORDS = "Words of the address, title or reasons"
HAVING = "Your word"
HAVINGS = {"": "any", "?": "open", "accept": "accepted", "reject": "rejected"}
MARK_ALL = {"accept": "Accept all found", "reject": "Reject all found", "?": "Leave all found open"}
MARK_ALL_ASKED = {
    "accept": "Accept {count:,} {kind} at once?",
    "reject": "Reject {count:,} {kind} at once?",
    "?": "Leave {count:,} {kind} open again?",
}
YES_ALL = "Yes, all"
MARKED = "{count:,} marks were changed."
OF_SITE = "as its site: {mark}"
MARKED_AS = {"accept": "accepted", "reject": "rejected", "?": "open"}
PAGES_OF = "Pages of {site}"
ALL_SITES = "All sites"
NOTHING_FOUND = "Nothing is found."
AS_FILE = "proposal.tsv"
