"""Every sentence that the views of campaigns show, in one place."""

from __future__ import annotations

TITLE = "Campaigns"
SAID = "You document an event, not a site: say what you look for, and the pages that promise most come first."
NEW = "New campaign"
NEW_SAID = "Fill in what you know; a reference crawl finds further words of the topic."
NONE = "There is no campaign yet."
CARD = "{requests:,} requests · {pages:,} pages, {relevant:,} relevant · {sites:,} sites"
PHASES = {
    "new": "not begun", "learning": "reference crawl", "learned": "terms proposed", "running": "running",
    "stopping": "stopping", "stopped": "stopped", "finished": "finished", "failed": "failed",
    "elsewhere": "run by another program",
}  # fmt: skip
TABS = {"definition": "Definition", "terms": "Terms", "progress": "Progress", "text": "As text"}
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
TEXT_SAID = (
    "The same definition as `siteseer campaign` reads it. What you write here, comments too, is kept by the form."
)
SECTIONS = {
    "topic": "What is looked for", "when": "When, and in which languages", "cost": "What it may cost",
    "how": "How sites are asked", "where": "Which sites, and how",
}  # fmt: skip
LABELS = {
    "name": "What the campaign is about", "seeds": "Where it starts: addresses, one per line",
    "keywords": "Words and phrases of the topic, one per line",
    "entities": "People, places, organisations, one per line: Name = alias, alias",
    "examples": "Pages about it, as examples: addresses, one per line",
    "since": "First day that matters", "until": "Last day that matters", "languages": "Languages, parted by commas",
    "social": "Social weight: what a link by a further author counts, 0 to 1",
    "requests": "Requests", "bytes": "Size, as 500M or 2G", "days": "Days",
    "delay": "Seconds between requests to a host", "concurrency": "Requests at once to a host",
    "robots": "robots.txt", "contact": "Whom a webmaster can write to", "user_agent": "User agent",
    "allow_private": "Private networks may be reached", "follow": "Other sites", "most": "Most sites",
    "at_once": "Sites at the same time", "strategy": "How pages of a site are found", "assets": "Pictures and styles",
    "policies": "Policies, one per line: name=yes", "browser": "Pages in a browser",
}  # fmt: skip
HINTS = {
    "since": "2019-01-01",
    "until": "2019-12-31",
    "languages": "en, de",
    "bytes": "2G",
    "seeds": "https://example.org/",
}
CHOICES = {
    "robots": {"obey": "obey it", "log": "ignore it, but note it", "ignore": "ignore it"},
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
STOPPING = "It ends when what was sent has been answered."

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
