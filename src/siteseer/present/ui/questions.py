"""Prepared questions: what people ask of an archive, in words, and the SPARQL that answers it.

Each names the object of a row, so that every row leads to the page where it was found.
"""

from __future__ import annotations

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
  FILTER(CONTAINS(LCASE(STR(?text)), "the"))   # put your word here
  OPTIONAL { ?post sioc:has_creator/sioc:name ?author }
  OPTIONAL { ?post dcterms:created ?date }
}
LIMIT 200""",
    "Comments of one author": """SELECT DISTINCT ?comment ?date ?text WHERE {
  ?comment a sioct:Comment ; sioc:has_creator/sioc:name ?author ; sioc:content ?text .
  OPTIONAL { ?comment dcterms:created ?date }
  FILTER(LCASE(STR(?author)) = "ann")   # put the name here
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
