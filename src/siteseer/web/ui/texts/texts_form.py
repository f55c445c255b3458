"""Every text that the view of an understood form shows, in one place."""

from __future__ import annotations

TITLE = "Form"
SAID = "What a search form asks for, what its answers hold, what of it the ontology has. Confirm it, or correct it."
NONE = "No form was understood here. On the command line: siteseer form understand URL --ontology FILE -o DIR"
STOPPED = "It was stopped before everything was asked ({reason}); the same command goes on."
NOT_READ = "Not read: {what}."
COUNTED = {
    "submissions": "searches sent", "records": "records", "fields": "fields understood",
    "relations": "columns aligned", "instances": "records aligned", "proposals": "proposals",
}  # fmt: skip
TABS = {"fields": "Fields", "columns": "Columns", "records": "Records", "proposals": "Enrichment"}
VERDICTS = {True: "confirmed", False: "rejected"}
CONFIRM, REJECT = "Confirm", "Reject"
KEPT = "Kept. The next run goes by it."
NO_RELATION = "no relation"
NOTHING = {"field": "nothing", "relation": NO_RELATION}
UNKNOWN = "–"

# fields
FIELDS_SAID = "What belongs in each field: the column in which its values come back, found by sending values."
FIELD_HEADS = ("field", "asks for", "comes back as", "in the ontology", "sure", "your word")
ROLES = {
    "text": "words", "option": "a choice", "lowest": "the least", "highest": "the most",
    "order": "an order of the answers", "none": "nothing that was seen", "": "not found out",
}  # fmt: skip
COMES_BACK = "Column of {name}"
SAMPLES = "to try: {samples}"
DEPENDS = "{field} depends on {on}: {because}"
DEPENDENCIES = "Fields that depend on each other"
HABITS = "How it searches"
HABIT_NAMES = {
    "as_it_stands": "the form as it stands", "stop_words": "finds words such as “the”",
    "joined": "several words are joined by", "parts_of_words": "finds parts of words",
    "spelling": "finds misspelt words", "error_place": "an answer without records",
}  # fmt: skip

# columns
COLUMNS_SAID = "What answers say of a record, and the relation of the ontology, or path of relations, that says it."
COLUMN_HEADS = ("column", "examples", "filled", "relation", "sure", "facts", "your word")
RELATION_OF = "Relation of {name}"
ROUNDS = "How sure it became"
ROUND_HEADS = ("searches", "records", "relations", "sure")
CLASSES = "The records are of the class {classes}."

# records
RECORD_IS = "in the ontology"
YOUR_WORD = "your word"
NO_RECORDS = "No record was found."
OPEN = "page"
NOT_ALIGNED = "not found there"

# enrichment
PROPOSALS_SAID = "What the source can add to the ontology. The ontology itself is never changed: download the file."
PROPOSAL_HEADS = ("kind", "about", "relation", "value", "sure", "because", "your word")
PROPOSAL_KINDS = {"instance": "new instances", "fact": "new facts", "relation": "new relations"}
ALL_KINDS = "everything"
KIND = "Kind"
NO_PROPOSALS = "The source adds nothing to the ontology, or no ontology was given."
DOWNLOAD = "Download the enrichment"
