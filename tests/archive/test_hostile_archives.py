"""Archives that were made to harm: `verify` and `describe` end soon, with a sentence, and write where they should."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import gzip
import io
import json
import os
import time
import zipfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from siteseer.archive.warc_sources import warc_files
from siteseer.cli.main import run
from siteseer.collection.verify_collection import verify_collection

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
PAGE = HEAD + b"\r\n<title>A page</title><p>Words of a page</p>"
_NUMBERS = count()


def record(body: bytes = PAGE, more: str = "", **changed: str) -> bytes:
    """A WARC record, with other fields where they are given."""
    usual = {
        "WARC-Type": "response", "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{next(_NUMBERS):012d}>",
        "WARC-Date": "2020-01-01T00:00:00Z", "WARC-Target-URI": f"http://e.org/{next(_NUMBERS)}",
        "Content-Type": "application/http; msgtype=response", "Content-Length": str(len(body)),
    }  # fmt: skip
    fields = usual | {name.replace("_", "-"): value for name, value in changed.items()}
    head = "WARC/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + more + "\r\n"
    return head.encode("utf-8", "surrogatepass") + body + b"\r\n\r\n"


def warc(*records: bytes) -> bytes:
    return b"".join(map(gzip.compress, (record(), *records, record())))


def package(*files: tuple[str, bytes | str], link: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, content in (("archive/data.warc.gz", warc()), *files):
            made.writestr(name, content)
        if link:
            entry = zipfile.ZipInfo("archive/link.warc.gz")
            entry.external_attr = 0o120777 << 16
            made.writestr(entry, link)
    return out.getvalue()


DEEP = "[" * 100_000
ODD = json.dumps({"resources": [None, 5, {"path": [], "hash": 5, "bytes": "²"}, {"path": "../../etc/passwd"}]})
LINES = 'org,e)/ 2020 {"filename":"../../../etc/passwd","offset":"0"}\norg,e)/ ² {"offset":-5}\nx\n'
WARCS: dict[str, Callable[[], bytes]] = {
    "lengths": lambda: warc(*(record(Content_Length=one) for one in ("9" * 30, "-5", "²", "", "9" * 5_000, "1e3"))),
    "heads": lambda: warc(b"WARC/1.0\r\n" + b"X: v\r\n" * 200_000, b"WARC/1.0\r\nX: " + b"v" * 2_000_000 + b"\r\n\r\n"),
    "http-heads": lambda: warc(record(HEAD + b"X: v\r\n" * 200_000 + b"\r\n<p>x"), record(b""), record(b"\r\n\r\n\x00")),
    "empty-members": lambda: warc() + gzip.compress(b"") * 20_000 + warc(),
    "empty-records": lambda: warc() + gzip.compress(b"WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n") * 2_000 + warc(),
    "large-record": lambda: warc(record(HEAD + b"\r\n" + bytes(36 * 2**20))),
    "bomb": lambda: warc(record(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(36 * 2**20)))),
    "addresses": lambda: warc(*(record(WARC_Target_URI=one) for one in ("", "²", "http://[::1", "\ud800", "../x", "x" * 10**6))),
    "dates": lambda: warc(*(record(WARC_Date=one) for one in ("", "²", "99999-01-01T00:00:00Z", "0000", "9" * 5_000))),
    "revisits": lambda: warc(*(record(b"", "WARC-Refers-To: <urn:uuid:a>\r\n", WARC_Type="revisit", WARC_Record_ID=one) for one in ("<urn:uuid:a>", "a", ""))),
    "kinds": lambda: warc(*(record(WARC_Type=one) for one in ("", "../x", "²", "continuation", "warcinfo", "metadata"))),
    "digests": lambda: warc(record(more="WARC-Block-Digest: md5:²\r\nWARC-Payload-Digest: " + "A" * 9_000 + "\r\n")),
    "noise": lambda: os.urandom(100_000),
}  # fmt: skip
PACKAGES: dict[str, Callable[[], bytes]] = {
    "ways-out": lambda: package(("../../out.txt", b"x"), ("/out.txt", b"x"), ("archive/../../out.warc.gz", warc()), link="/etc/passwd"),
    "deep": lambda: package(("datapackage.json", DEEP), ("pages/pages.jsonl", DEEP), ("indexes/index.cdxj", f"org,e)/ 20200101000000 {DEEP}\n")),
    "odd": lambda: package(("datapackage.json", ODD), ("pages/pages.jsonl", 'null\n5\n{"url":[]}\n'), ("indexes/index.cdxj", LINES)),
    "ours": lambda: package(("siteseer/state.db", os.urandom(50_000)), ("siteseer/objects.nq.gz", b"x")),
    "many": lambda: package(*((f"archive/{number}.warc", b"") for number in range(1_000))),
    "cut": lambda: package()[:-30],
    "nothing": lambda: b"PK\x05\x06" + bytes(18),
}  # fmt: skip


@pytest.mark.parametrize(("ending", "make"), [*((".warc.gz", one) for one in WARCS), *((".wacz", one) for one in PACKAGES)])  # fmt: skip
def test_hostile_archives_end_with_a_sentence(
    tmp_path: Path, ending: str, make: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").mkdir()
    archive = tmp_path / "in" / f"hostile{ending}"
    archive.write_bytes({**WARCS, **PACKAGES}[make]())
    began = time.process_time()
    assert run(["verify", str(archive)]) in (0, 1, 17)
    assert run(["describe", str(archive), "-o", str(tmp_path / "out" / "c")]) in (0, 1, 2, 17)
    assert time.process_time() - began < 10
    said = capsys.readouterr()
    assert "Traceback" not in said.err and (said.err or said.out)
    assert {path.name for path in tmp_path.iterdir()} <= {"in", "out"} and not Path("/out.txt").exists()
    if (tmp_path / "out" / "c").exists():
        assert run(["verify", str(tmp_path / "out" / "c")]) in (0, 1)


def test_a_package_of_many_archives_is_listed_once(tmp_path: Path) -> None:
    """Each archive of a package had the list of all of them read again: 20,000 took longer than two minutes."""
    path = tmp_path / "many.wacz"
    path.write_bytes(PACKAGES["many"]())
    files = warc_files(path)
    began = time.process_time()
    assert len(files) == 1_001 and sum(len(file.open().read(1)) for file in files) == 1
    assert time.process_time() - began < 3


def test_json_that_is_too_deep_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "deep.wacz"
    path.write_bytes(PACKAGES["deep"]())
    found = {problem.file for problem in verify_collection(path).problems}
    assert {"datapackage.json", "pages/pages.jsonl", "indexes/index.cdxj"} <= found
