"""The vocabulary of the semantic store: namespaces, classes and properties, as full IRIs.

SIOC for communities, schema.org for what search engines know, Dublin Core for titles and dates, PROV-O for where each
statement comes from, and a few terms of our own (`wa:`) for places in WARC files. Only one direction of inverse pairs
is written, from the child to its parent, as that stays true when the parent grows.
"""

from __future__ import annotations

PREFIXES = {
    "sioc": "http://rdfs.org/sioc/ns#",
    "sioct": "http://rdfs.org/sioc/types#",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "prov": "http://www.w3.org/ns/prov#",
    "oa": "http://www.w3.org/ns/oa#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "marl": "http://purl.org/marl/ns#",
    "wa": "urn:x-siteseer:ns#",
}
"""Declared for every query, so that nobody has to type them."""


def term(name: str) -> str:
    """Return the full IRI of a prefixed name.

    >>> term("sioc:Post")
    'http://rdfs.org/sioc/ns#Post'
    """
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


def _terms(*names: str) -> tuple[str, ...]:
    return tuple(term(name) for name in names)


CLASSES = {
    "post": _terms("sioc:Post", "sioct:BoardPost", "schema:DiscussionForumPosting"),
    "comment": _terms("sioc:Post", "sioct:Comment", "schema:Comment"),
    "article": _terms("sioc:Post", "sioct:BlogPost", "schema:BlogPosting"),
    "page": _terms("foaf:Document", "schema:WebPage"),
    "thread": _terms("sioc:Thread"),
    "board": _terms("sioc:Forum", "sioct:MessageBoard"),
    "user": _terms("sioc:UserAccount"),
    "record": _terms("wa:Record"),
}
"""The core class and the particular ones: a store that does not reason still answers."""

CLASSES_BY_CATEGORY = {
    ("article", "news"): _terms("sioc:Post", "schema:NewsArticle"),
    ("article", "wiki"): _terms("sioct:WikiArticle"),
    ("page", "wiki"): _terms("sioct:WikiArticle"),
    ("board", "blog"): _terms("sioc:Forum", "sioct:Weblog", "schema:Blog"),
}
"""Classes where the category of the site's software says more than the kind of the object."""

TYPE = term("rdf:type")
LABEL = term("rdfs:label")
TITLE = term("dcterms:title")
CREATED = term("dcterms:created")
MODIFIED = term("dcterms:modified")
DATE = term("dcterms:date")
SUBJECT = term("dcterms:subject")
CONTENT = term("sioc:content")
NAME = term("sioc:name")
ACCOUNT_ID = term("sioc:id")
HAS_CREATOR = term("sioc:has_creator")
HAS_CONTAINER = term("sioc:has_container")
HAS_PARENT = term("sioc:has_parent")
HAS_HOST = term("sioc:has_host")
REPLY_OF = term("sioc:reply_of")
LINKS_TO = term("sioc:links_to")
ATTACHMENT = term("sioc:attachment")
SITE = term("sioc:Site")
USER_ACCOUNT = term("sioc:UserAccount")
IMAGE = term("schema:image")
URL = term("schema:url")
ENTITY = term("prov:Entity")
ACTIVITY = term("prov:Activity")
SOFTWARE_AGENT = term("prov:SoftwareAgent")
SPECIALIZATION_OF = term("prov:specializationOf")
WAS_DERIVED_FROM = term("prov:wasDerivedFrom")
WAS_GENERATED_BY = term("prov:wasGeneratedBy")
WAS_ASSOCIATED_WITH = term("prov:wasAssociatedWith")
USED = term("prov:used")
WARC_FILE = term("wa:warcFile")
OFFSET = term("wa:offset")
LENGTH = term("wa:length")
PAYLOAD_DIGEST = term("wa:payloadDigest")
ACTION_ID = term("wa:actionId")
CONFIDENCE = term("wa:confidence")
DATE_TEXT = term("wa:dateText")

COUNTS = {
    "position": term("schema:position"),
    "num_replies": term("sioc:num_replies"),
    "num_views": term("sioc:num_views"),
    "num_threads": term("sioc:num_threads"),
}
"""Fields of an object that are numbers with a word of their own."""
