"""Every text that the designer and the view of jobs show, in one place."""

from __future__ import annotations

# the designer
TITLE = "Get data"
SAID = "Show on a page what you want to have of it; Siteseer makes a table of it, from all pages, as often as you like."
FRAME = "The page, as the browser on this machine shows it"
URL = "Address of the page"
URL_HINT = "https://shop.example.org/search?q=lamps"
OPEN = "Open"
OPENING = "Opening the page …"
BUSY = "One moment …"
UNDO = "Undo"
LOOK_AGAIN = "Look again"
TRUNCATED = "The page is very long: only its beginning is shown."
STEPS = {
    "page": "Page", "records": "Records", "attributes": "Attributes", "next": "Next page", "replay": "Replay",
    "save": "Save",
}  # fmt: skip
STEPS_LABEL = "Steps"
HINT_PAGE = "Enter the address of a page that shows a list, such as the results of a search."
HINT_RECORD_FIRST = "Click on one record in the page, for example on its title."
HINT_RECORD_SECOND = "Good. Now click on the same thing in another record."
HINT_RECORDS = (
    "Is every record outlined in green, and nothing else? Then go on. Otherwise choose another line, or click on a "
    "record that is missing."
)
HINT_ACT = "Use the page as you always do: click, type, choose. What you do is recorded. When the list is there, go on."
HINT_ATTRIBUTE_FIRST = "Click on something in a record that you want to have: its title, its price, a picture."
HINT_ATTRIBUTES = "Click on the next thing that you want to have, or go on."
HINT_NEXT_PROPOSED = "Does “{said}” lead to the next page? It is outlined in blue. Or click on the right link."
HINT_NEXT = "Click on the link or button that leads to the next page, or say that there is none."
HINT_NEXT_CHOSEN = "“{said}” will be followed from page to page. Go on, or click on another link."
HINT_REPLAY = "See how it works: the wrapper is run from its beginning, page by page."
HINT_REPLAYED = "Look at the table. Is everything there? Then go on and save."
HINT_SAVE = "Give it a name. It can be run now, and again as often as you like."
HINT_SAVED = "Saved. It is run by Siteseer from now on."
FIND_RECORDS = "Find the records for me"
ACT_FIRST = "First do something on the page"
ACT_DONE = "The list is there"
ONE_THING = "The page is about one thing"
CHOICES = "What are the records?"
CHOICE_COUNT = "{count:,} on this page"
GO_ON = "Go on"
RECORDED = "What you did"
RECORDED_CLICK = "clicked on “{said}”"
RECORDED_TYPE = "entered “{value}” in “{said}”"
RECORDED_OTHER = "{value}: “{said}”"
NO_RECORDS_YET = "Mark the records first."

# questions
NAME_TITLE = "What is this?"
NAME = "Name"
NAME_EXPLAINED = "The heading of its column in the table. A name that is there already gets another example."
TAKE = "What to take"
TAKES = {
    "text": "what is written there", "href": "the address of the link", "src": "the address of the picture",
    "datetime": "the exact time", "content": "the hidden value", "alt": "the words for the picture",
}  # fmt: skip
TAKE_IT = "Take it"
CANCEL = "Cancel"
TYPE_TITLE = "What do you want to type?"
TYPED = "Text"
AND_ENTER = "Press Enter afterwards"
TYPE_IT = "Type it"
CHOOSE_TITLE = "What do you want to choose?"
CHOSEN = "Choice"
CHOOSE_IT = "Choose it"

# attributes
ATTRIBUTE_COUNT = "in {count:,} of {records:,}"
OTHER_WAYS = "Another way to find it"
WAY = "{count:,} found: {xpath}"
REQUIRED = "Leave out records without it"
REMOVE = "Remove"
THAT_IS_ALL = "That is all"

# next page
YES_FOLLOW = "Yes, follow it"
NO_NEXT = "There is no next page"

# replay
REPLAY_FIRST = "Replay the first page"
REPLAY_NEXT = "Next page"
REPLAY_ALL = "All pages"
REPLAY_STOP = "Stop"
REPLAYING = "The browser works …"
REPLAYED = "{records:,} records so far, pages: {pages:,}"
REPLAY_OVER = "{records:,} records, that is all; pages: {pages:,}"
REPLAY_NOTHING = "Nothing was found. Go back to the records."
TABLE = "The table"
ROWS_SHOWN = "The last {count:,} rows"

# saving
JOB_NAME = "Name of the job"
RUN_NOW = "Run it now"
WHEN = "Run it again"
WHENS = {"never": "no", "day": "every day", "week": "every week", "hours": "every few hours"}
AT = "At (hour:minute)"
DAY = "On"
DAYS = {
    "mon": "Monday", "tue": "Tuesday", "wed": "Wednesday", "thu": "Thursday", "fri": "Friday", "sat": "Saturday",
    "sun": "Sunday",
}  # fmt: skip
HOURS = "Every so many hours"
DELAY = "Seconds between pages"
SAVE = "Save"
SAVED = "{name} is saved."
TO_JOB = "See the job"
AS_KNOWLEDGE = "Save as knowledge for crawls"
KNOWLEDGE_SAID = "Crawls of this site will then find these records by themselves."
KNOWLEDGE_NAME = "Name of the entry"
KNOWLEDGE_SAVED = "Saved to {path}; crawls use it from now on."
NEEDS_NAME = "Give it a name first."
BAD_HOURS = "Write the hours as a number, such as 6."

# the text
TEXT = "The wrapper"
TEXT_SAID = "This text is what is run. It grows as you click; whoever knows OXPath may change it."
BY_HAND = "You have changed the text; clicks no longer change it."
FORGET_TEXT = "Back to what I clicked"
FOUND_HERE = "{count:,} records on this page"
NOT_HERE = "What it finds is seen when it is replayed."

# jobs
JOBS_TITLE = "Jobs"
JOBS_SAID = "What is run for you, and how it went."
NO_JOBS = "There is no job yet. Make one with “Get data”."
NEW_JOB = "Get data from a page"
JOB_COLUMNS = ("job", "state", "records", "pages", "last run", "again", "")
PHASES = {
    "waiting": "waiting", "running": "running", "finished": "finished", "failed": "failed", "stopped": "stopped",
    "idle": "not run yet",
}  # fmt: skip
NEVER = "no"
ALERTS = {0: "", 1: "1 alert"}
ALERTS_MANY = "{count} alerts"
RUN_AGAIN = "Run now"
RUN_STARTED = "It is run now."
STOP = "Stop"
STOPPING = "It is being stopped; the records so far are kept."
DELETE = "Delete"
DELETE_ASKED = "Delete {name} with all its records?"
DELETED = "{name} is deleted."
RUNS = "Runs"
RUN_COLUMNS = ("run", "state", "pages", "records", "attributes", "time", "memory", "failed", "began")
NO_RUNS = "It has not been run yet."
SECONDS = "{:.0f} s"
ERRORS = "What went wrong"
STEP_FAILED = "at the step"
SCREENSHOT = "The page on which it failed"
RECORDS = "Records of the newest run"
NO_RECORDS = "No records yet."
SCHEDULE = "When it is run"
SCHEDULE_SAID = {None: "Only when you ask for it."}
SCHEDULE_EVERY = "Every {hours:g} hours; next {due}."
SCHEDULE_AT = "At {times} {days}; next {due}."
EVERY_DAY = "every day"
CHANGE_SCHEDULE = "Change"
SCHEDULE_CHANGED = "Changed."
ALERT = "This run was unlike those before it"
REPAIR = "Proposed repair"
NO_REPAIR = "No repair was found: {why}"
ACCEPT = "Use the repaired wrapper"
ACCEPTED = "The repaired wrapper is used from the next run on."
DISMISS = "It is right as it is"
DISMISSED = "Later runs are compared with this one."
WRAPPER_NOW = "Its wrapper"
ALL_JOBS = "All jobs"
