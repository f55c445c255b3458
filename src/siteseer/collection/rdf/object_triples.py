"""Writes Web objects and their captures as N-Quads, with provenance: which WARC record proves each statement.

Every capture has a named graph of its own, called as its WARC record. The object's IRI is timeless; each content that
was seen is a state of it (`;v=` and 12 digits) derived from a record. A capture that shows nothing new adds one
statement: the known state is also derived from this record.
Vocabularies: SIOC, schema.org, DCMI terms, PROV-O. N-Quads are the neutral form that every RDF store reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from json.encoder import encode_basestring
from urllib.parse import quote

from siteseer.collection.objects.object_json import clean, state
from siteseer.collection.rdf import vocabulary as v
from siteseer.model import Capture, WebObject
from siteseer.page.dates import normal_form
from siteseer.page.object_iris import legal, object_iri, site_iri
from siteseer.version import __version__

SITES_GRAPH = "urn:x-siteseer:sites"
AGENT = f"urn:x-siteseer:software:siteseer-{__version__}"
MAX_VALUES = 500
"""A page with more links, tags or fields on one object is a trap or a mistake; the first ones are described."""

_IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|bmp|tiff?)(?:[?#]|$)", re.IGNORECASE)
_NOT_SLUG = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Site:
    """What is known of a site as a whole: its address, title, and the category of its software (blog, forum, wiki)."""

    url: str
    title: str | None = None
    category: str | None = None


def iri(value: str) -> str:
    """Return the IRI in angle brackets, made legal.

    >>> iri("http://e.org/a b")
    '<http://e.org/a%20b>'
    """
    return f"<{legal(value)}>"


def literal(value: str, datatype: str | None = None) -> str:
    """Return the text in quotation marks, escaped, with its XML Schema type.

    >>> literal('say "hi"'), literal("2014-03-01", "date")
    ('"say \\\\"hi\\\\""', '"2014-03-01"^^<http://www.w3.org/2001/XMLSchema#date>')
    """
    text = encode_basestring(clean(value))
    return text if datatype is None else f"{text}^^<{v.PREFIXES['xsd']}{datatype}>"


Statement = tuple[str, str, str]


def quads(statements: Iterable[Statement], graph: str) -> str:
    """Return the statements as N-Quads of one graph; subject and object are written terms, the predicate is an IRI."""
    end = f"{iri(graph)} .\n"
    return "".join([f"{subject} <{predicate}> {value} {end}" for subject, predicate, value in statements])


def observation_statements(thing: WebObject, capture: Capture, known_state: str | None = None) -> Iterator[Statement]:
    """Say that a state of the object was seen in this capture."""
    version = f"<{legal(thing.id)};v={known_state or state(thing)}>"
    yield version, v.WAS_DERIVED_FROM, iri(capture.record)


def object_statements(
    thing: WebObject, capture: Capture, site: Site | None = None, known_state: str | None = None
) -> Iterator[Statement]:
    """Say what the object says, and where that was seen."""
    subject = iri(thing.id)
    return chain(
        _classes(thing, subject, site),
        _texts(thing, subject),
        _author(thing, subject),
        _relations(thing, subject),
        _references(thing, subject),
        _fields(thing, subject),
        _version(thing, subject, capture, known_state or state(thing)),
    )


def capture_statements(capture: Capture, url: str) -> Iterator[Statement]:
    """Say where the capture lies, and that this software read it."""
    record, activity = iri(capture.record), iri(_activity(capture))
    yield record, v.TYPE, f"<{v.ENTITY}>"
    yield record, v.URL, iri(url)
    yield record, v.DATE, literal(normal_form.utc(capture.time), "dateTime")
    yield record, v.WARC_FILE, literal(capture.file)
    yield record, v.OFFSET, literal(str(capture.offset), "integer")
    if capture.length:
        yield record, v.LENGTH, literal(str(capture.length), "integer")
    if capture.digest:
        yield record, v.PAYLOAD_DIGEST, literal(capture.digest)
    yield activity, v.TYPE, f"<{v.ACTIVITY}>"
    yield activity, v.USED, record
    yield activity, v.WAS_ASSOCIATED_WITH, f"<{AGENT}>"


def site_statements(site: Site) -> Iterator[Statement]:
    """Say what is known of the site, and of the software that describes it."""
    subject = iri(site_iri(site.url))
    yield subject, v.TYPE, f"<{v.SITE}>"
    yield subject, v.URL, iri(site.url)
    if site.title:
        yield subject, v.TITLE, literal(site.title)
    yield f"<{AGENT}>", v.TYPE, f"<{v.SOFTWARE_AGENT}>"


def _classes(thing: WebObject, subject: str, site: Site | None) -> Iterator[Statement]:
    category = site.category if site else None
    for each in v.CLASSES_BY_CATEGORY.get((thing.kind, category or ""), v.CLASSES[thing.kind]):
        yield subject, v.TYPE, f"<{each}>"


def _texts(thing: WebObject, subject: str) -> Iterator[Statement]:
    if thing.title:
        yield subject, v.NAME if thing.kind == "user" else v.TITLE, literal(thing.title)
    if thing.text:
        yield subject, v.CONTENT, literal(thing.text)
    for predicate, text in ((v.CREATED, thing.published), (v.MODIFIED, thing.modified)):
        when = normal_form.read(text) if text else None
        if when:
            yield subject, predicate, literal(when.text, when.precision)
        elif text:
            yield subject, v.DATE_TEXT, literal(text)
    for tag in dict.fromkeys(thing.tags[:MAX_VALUES]):
        yield subject, v.SUBJECT, literal(tag)


def account(thing: WebObject) -> str | None:
    """Return the IRI of the account that wrote the object: its profile page, else its name on that site."""
    if thing.kind == "user" or not (thing.author or thing.author_url):
        return None
    return object_iri("user", permalink=thing.author_url, page_url=thing.url, native_id=thing.author)


def _author(thing: WebObject, subject: str) -> Iterator[Statement]:
    if thing.kind == "user" and thing.author and not thing.title:
        yield subject, v.NAME, literal(thing.author)
    who = account(thing)
    if who:
        yield subject, v.HAS_CREATOR, iri(who)
        yield iri(who), v.TYPE, f"<{v.USER_ACCOUNT}>"
        if thing.author:
            yield iri(who), v.NAME, literal(thing.author)


def _relations(thing: WebObject, subject: str) -> Iterator[Statement]:
    parent, thread = thing.parent, thing.thread
    if thing.kind in ("thread", "board"):
        if parent:
            yield subject, v.HAS_PARENT, iri(parent)
        elif thing.kind == "board":
            yield subject, v.HAS_HOST, iri(site_iri(thing.url))
    elif thing.kind == "comment":
        if parent or thread:
            yield subject, v.REPLY_OF, iri(parent or thread or "")
    else:
        if thread:
            yield subject, v.HAS_CONTAINER, iri(thread)
        if parent and parent != thread:
            yield subject, v.REPLY_OF if thing.kind == "post" else v.HAS_CONTAINER, iri(parent)
    if thing.permalink:
        yield subject, v.URL, iri(thing.permalink)


def _references(thing: WebObject, subject: str) -> Iterator[Statement]:
    for link in dict.fromkeys(thing.links[:MAX_VALUES]):
        yield subject, v.LINKS_TO, iri(link)
    for medium in dict.fromkeys(thing.media[:MAX_VALUES]):
        yield subject, v.IMAGE if _IMAGE.search(medium) else v.ATTACHMENT, iri(medium)


def _fields(thing: WebObject, subject: str) -> Iterator[Statement]:
    for name, value in list(thing.fields.items())[:MAX_VALUES]:
        if name in v.COUNTS and value.isascii() and value.isdigit():
            yield subject, v.COUNTS[name], literal(value, "integer")
        elif thing.kind == "user" and name == "id":
            yield subject, v.ACCOUNT_ID, literal(value)
        else:
            attribute = attribute_iri(thing.url, name)
            yield subject, attribute, literal(value)
            yield f"<{attribute}>", v.LABEL, literal(name)


def attribute_iri(url: str, name: str) -> str:
    """Return the IRI of an attribute that records of a site have.

    >>> attribute_iri("http://shop.example/p/7", "Screen size")
    'http://shop.example/attr/screen-size'
    """
    slug = _NOT_SLUG.sub("-", clean(name).lower()).strip("-")[:80]
    return legal(site_iri(url).removesuffix("#this").rstrip("/") + "/attr/" + quote(slug or "_", safe="-"))


def _version(thing: WebObject, subject: str, capture: Capture, known_state: str) -> Iterator[Statement]:
    version = f"<{legal(thing.id)};v={known_state}>"
    yield version, v.TYPE, f"<{v.ENTITY}>"
    yield version, v.SPECIALIZATION_OF, subject
    yield version, v.WAS_DERIVED_FROM, iri(capture.record)
    yield version, v.WAS_GENERATED_BY, iri(_activity(capture))
    if thing.because:
        yield version, v.ACTION_ID, literal(thing.because)
    if thing.confidence < 1:
        yield version, v.CONFIDENCE, literal(f"{thing.confidence:.3f}", "decimal")


def _activity(capture: Capture) -> str:
    return "urn:x-siteseer:extraction:" + quote(capture.record.rpartition(":")[2], safe="-")
