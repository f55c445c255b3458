"""Reads facts from a file: N-Triples, N-Quads, Turtle, RDF/XML and tables of three columns.

Files come from anywhere, so they are read piece by piece: a text longer than the reader's buffer, XML that is nested
too deep or whose entities grow when they are resolved, and broken encodings are answered in one sentence.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pyoxigraph as ox
from lxml import etree

from siteseer.alignment.alignment_model import Fact
from siteseer.errors import NotFoundError, SiteseerError, UsageError

LARGEST_XML = 2 * 2**30
LONGEST_LINE = 16 * 2**20
"""Bytes of a line of a table; the RDF reader has the same limit for a statement."""
_DECLARED = re.compile(
    rb"""^(?:\xef\xbb\xbf)?\s{0,100}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.-]{1,40})["']"""
)
_DECLARATION = re.compile(r"^\s{0,100}<\?xml[^>]{0,300}>")
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_IRI = re.compile(r"<?(?:https?://|urn:)[^\s<>\"]{1,2000}>?")
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def read_facts(path: Path) -> Iterator[Fact]:
    """Yield the facts of a file; its ending says what it is.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "books.tsv"
    >>> _ = path.write_text('b1\\ttitle\\tEmma\\nb1\\tby\\tw1\\nw1\\tname\\t"Jane Austen"\\n')
    >>> [(fact.object, fact.literal) for fact in read_facts(path)]
    [('Emma', True), ('w1', False), ('Jane Austen', True)]
    """
    read = READERS.get(path.suffix.lower())
    if read is None:
        known = ", ".join(READERS)
        raise UsageError(f"{path} is not known by its ending; name a file that ends in {known}, or a SPARQL endpoint")
    if not path.is_file():
        raise NotFoundError(f"there is no file {path}; name a file with facts, or a SPARQL endpoint")
    try:
        yield from read(path)
    except (SyntaxError, UnicodeError, MemoryError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise SiteseerError(f"{path} cannot be read as {path.suffix[1:]}: {reason}") from error


def _statements(form: ox.RdfFormat) -> Callable[[Path], Iterator[Fact]]:
    def read(path: Path) -> Iterator[Fact]:
        with path.open("rb") as file:
            yield from _parsed(file, form, path)

    return read


def _parsed(file: IO[bytes], form: ox.RdfFormat, path: Path) -> Iterator[Fact]:
    for quad in ox.parse(file, form, base_iri=path.resolve().as_uri(), lenient=True):
        subject, value = quad.subject, quad.object
        if isinstance(subject, ox.Triple) or isinstance(value, ox.Triple):
            continue  # statements about statements
        yield Fact(_name(subject), quad.predicate.value, _name(value), isinstance(value, ox.Literal))


def _name(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> str:
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else term.value


def _rdf_xml(path: Path) -> Iterator[Fact]:
    if path.stat().st_size > LARGEST_XML:
        raise SiteseerError(f"{path} has more than {LARGEST_XML // 2**30} GB of XML; convert it to N-Triples")
    _check_xml(path)
    with path.open("rb") as file:
        begin = file.read(400)
        file.seek(0)
        declared = _DECLARED.match(begin)
        encoding = "utf-16" if begin[:2] in _MARKS else declared[1].decode() if declared else "utf-8"
        if encoding.lower() in ("utf-8", "utf8", "us-ascii", "ascii"):
            yield from _parsed(file, ox.RdfFormat.RDF_XML, path)
        else:
            text = _DECLARATION.sub("", file.read().decode(encoding), count=1)
            yield from _parsed(io.BytesIO(text.encode()), ox.RdfFormat.RDF_XML, path)


def _check_xml(path: Path) -> None:
    """Read the XML once with a parser that knows bombs: neither deep nor growing, nothing from elsewhere."""
    try:
        for _, element in etree.iterparse(str(path), no_network=True, load_dtd=False, huge_tree=False):
            element.clear()
            while element.getprevious() is not None and element.getparent() is not None:
                del element.getparent()[0]
    except (etree.XMLSyntaxError, LookupError) as error:
        raise ValueError(str(error)) from error


def _table(path: Path) -> Iterator[Fact]:
    """Read subject, relation and object from the columns of a table.

    A quoted object is a text, one in angle brackets or that is an address or the subject of a line is an instance.
    """
    subjects = {row[0] for row in _rows(path)}
    for subject, relation, value in _rows(path):
        if (text := _quoted(value)) is not None:
            yield Fact(_bare(subject), _bare(relation), text, True)
        else:
            is_instance = value in subjects or _IRI.fullmatch(value) or (value[:1] == "<" and value[-1:] == ">")
            yield Fact(_bare(subject), _bare(relation), _bare(value) if is_instance else value, not is_instance)


def _quoted(value: str) -> str | None:
    """Return the text in quotes, with or without a language or datatype after it; None where it is not quoted."""
    end = value.rfind('"')
    if value[:1] != '"' or end < 1 or value[end + 1 : end + 2] not in ("", "@", "^"):
        return None
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), value[1:end])


def _rows(path: Path) -> Iterator[tuple[str, str, str]]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise ValueError(f"line {number} has more than {LONGEST_LINE // 2**20} MB")
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise ValueError(f"line {number} is not UTF-8") from None
            if not text.strip() or text.startswith("#"):
                continue
            columns = [column.strip() for column in text.split("\t")]
            while len(columns) > 3 and columns[-1] in ("", "."):
                columns.pop()
            if len(columns) != 3 or not columns[0] or not columns[1]:
                raise ValueError(f"line {number} is not subject, relation and object with tabs between them")
            yield columns[0], columns[1], columns[2]


def _bare(name: str) -> str:
    return name[1:-1] if name[:1] == "<" and name[-1:] == ">" else name


READERS: dict[str, Callable[[Path], Iterator[Fact]]] = {
    ".nt": _statements(ox.RdfFormat.N_TRIPLES),
    ".nq": _statements(ox.RdfFormat.N_QUADS),
    ".ttl": _statements(ox.RdfFormat.TURTLE),
    ".rdf": _rdf_xml,
    ".owl": _rdf_xml,
    ".xml": _rdf_xml,
    ".tsv": _table,
}
"""By the ending of the file's name."""
