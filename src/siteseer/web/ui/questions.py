"""Prepared questions about an archive, in words and in SPARQL.

Each names the object of a row, so that every row leads to the page where it was found.
"""

from __future__ import annotations

import json
import re

from siteseer.model import JSON

_PLACE = re.compile(r"\$(?:WORD|AUTHOR)")
"""Where a word and a name of the collection go, so that the question as it stands has an answer."""


def prepared(some: JSON) -> dict[str, str]:
    """Return the questions, asked of the author and the longest word of one object of the collection.

    >>> print(prepared({"author": 'O"Neill', "text": "a lens"})["All by one author"].splitlines()[3])
      FILTER(LCASE(STR(?author)) = "o\\"neill")   # put the name here
    """
    words = [word for word in str(some.get("text") or "")[:400].lower().split() if word.isalnum()]
    values = {"$AUTHOR": str(some.get("author") or "").lower(), "$WORD": max(words, key=len, default="the")}
    return {name: _PLACE.sub(lambda place: _quoted(values[place[0]]), query) for name, query in QUESTIONS.items()}


def _quoted(value: str) -> str:
    """Return a literal of SPARQL: it is written as in JSON."""
    return json.dumps(value, ensure_ascii=False)


QUESTIONS: dict[str, str] = {
    "Newest posts": """SELECT DISTINCT ?post ?title ?author ?date WHERE {
  ?post a sioc:Post ; dcterms:created ?date .
  OPTIONAL { ?post dcterms:title ?title }
  OPTIONAL { ?post sioc:has_creator/sioc:name ?author }
}
ORDER BY DESC(?date) LIMIT 200""",
    "Who wrote most": """SELECT ?author (COUNT(DISTINCT ?p) AS ?posts) (SAMPLE(?p) AS ?example) WHERE {
  ?p a sioc:Post ; sioc:has_creator/sioc:name ?author .
}
GROUP BY ?author ORDER BY DESC(?posts) LIMIT 50""",
    "Posts per month": """SELECT ?month (COUNT(DISTINCT ?p) AS ?posts) (SAMPLE(?p) AS ?example) WHERE {
  ?p a sioc:Post ; dcterms:created ?date .
  BIND(SUBSTR(STR(?date), 1, 7) AS ?month)
}
GROUP BY ?month ORDER BY ?month""",
    "Posts with a word": """SELECT DISTINCT ?post ?author ?date ?text WHERE {
  ?post a sioc:Post ; sioc:content ?text .
  FILTER(CONTAINS(LCASE(STR(?text)), $WORD))   # put your word here
  OPTIONAL { ?post sioc:has_creator/sioc:name ?author }
  OPTIONAL { ?post dcterms:created ?date }
}
LIMIT 200""",
    "All by one author": """SELECT DISTINCT ?post ?date ?text WHERE {
  ?post a sioc:Post ; sioc:has_creator/sioc:name ?author ; sioc:content ?text .
  OPTIONAL { ?post dcterms:created ?date }
  FILTER(LCASE(STR(?author)) = $AUTHOR)   # put the name here
}
ORDER BY ?date LIMIT 500""",
    "Most answered": """SELECT ?post ?title (COUNT(DISTINCT ?answer) AS ?answers) WHERE {
  ?answer sioc:reply_of ?post .
  OPTIONAL { ?post dcterms:title ?title }
}
GROUP BY ?post ?title ORDER BY DESC(?answers) LIMIT 50""",
    "Longest threads": """SELECT ?thread ?title (COUNT(DISTINCT ?p) AS ?posts) (SAMPLE(?p) AS ?example) WHERE {
  ?p a sioc:Post ; sioc:has_container ?thread .
  OPTIONAL { ?thread dcterms:title ?title }
}
GROUP BY ?thread ?title ORDER BY DESC(?posts) LIMIT 50""",
    "Where links lead": """SELECT ?site (COUNT(DISTINCT ?p) AS ?posts) (SAMPLE(?p) AS ?example) WHERE {
  ?p sioc:links_to ?target .
  BIND(REPLACE(STR(?target), "^(https?://[^/]*).*$", "$1") AS ?site)
}
GROUP BY ?site ORDER BY DESC(?posts) LIMIT 50""",
    "What there is": """SELECT ?class (COUNT(DISTINCT ?thing) AS ?count) (SAMPLE(?thing) AS ?example) WHERE {
  ?thing a ?class .
}
GROUP BY ?class ORDER BY DESC(?count)""",
}
