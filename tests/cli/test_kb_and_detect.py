"""`siteseer kb` and `siteseer detect`: results on stdout, messages on stderr, the right exit codes."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from siteseer.cli import detect
from siteseer.cli.knowledge import kb
from siteseer.errors import NotFoundError, UsageError
from siteseer.knowledge.load import load
from siteseer.model import Page

PAGES = Path(__file__).parents[1] / "knowledge" / "pages"


def run(*arguments: str, fetch_page: detect.FetchPage | None = None) -> tuple[int, str]:
    app = typer.Typer()
    kb.register(app)
    detect.register(app, lambda given: fetch_page)
    result = CliRunner().invoke(app, list(arguments), standalone_mode=False)
    if result.exception:
        raise result.exception
    return result.return_value or 0, result.stdout


def test_list_and_show() -> None:
    code, out = run("kb", "list", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert {"application": "phpbb", "category": "forum"}.items() <= next(
        r for r in rows if r["application"] == "phpbb"
    ).items()
    assert run("kb", "show", "phpbb")[1].startswith("<?xml")
    with pytest.raises(NotFoundError, match="kb list"):
        run("kb", "show", "nothing")


def test_check_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text('<application id="x" category="blog">\n<detekt/></application>')
    code, out = run("kb", "check", str(tmp_path / "bad.xml"))
    assert code == 4
    assert f"{tmp_path / 'bad.xml'}:2:" in out
    assert run("kb", "check", str(Path(kb.__file__).parents[2] / "knowledge" / "cms"))[0] == 0


def test_test_runs_the_pages(tmp_path: Path) -> None:
    code, out = run("kb", "test", "phpbb", "--json")
    assert code == 0
    assert all(json.loads(line)["passed"] for line in out.splitlines())
    (tmp_path / "expected.json").write_text('{"gone.html": {"url": "http://e.org/", "level": "index"}}')
    assert run("kb", "test", "phpbb", "--against", str(tmp_path)) == (
        1,
        "wrong  gone.html\n       the file is missing\n",
    )


def test_merge_puts_later_files_first(tmp_path: Path) -> None:
    start = '<application id="{}" category="blog"><detect><pattern decisive="yes">{}</pattern></detect></application>'
    for name, text in (
        ("a", start.format("x", "div.a")),
        ("b", start.format("x", "div.b")),
        ("c", start.format("y", "p")),
    ):
        (tmp_path / f"{name}.xml").write_text(text)
    run("kb", "merge", str(tmp_path / "a.xml"), str(tmp_path / "b.xml"), "-o", str(tmp_path / "both.xml"))
    merged = load(tmp_path / "both.xml")
    assert [pattern.text for _, pattern in merged.patterns()] == ["div.b", "div.a"]
    with pytest.raises(UsageError, match="several applications"):
        run("kb", "merge", str(tmp_path / "a.xml"), str(tmp_path / "c.xml"), "-o", str(tmp_path / "both.xml"))


def test_merge_adds_to_the_own_knowledge(tmp_path: Path, own_knowledge: Path) -> None:
    text = '<application id="x" category="blog"><detect><pattern decisive="yes">div.a</pattern></detect></application>'
    (tmp_path / "a.xml").write_text(text)
    run("kb", "merge", str(tmp_path / "a.xml"))
    assert load(own_knowledge / "x.xml").id == "x"


def test_export_in_several_languages() -> None:
    out = run("kb", "export", "phpbb", "--format", "wget,browsertrix")[1]
    assert "--reject-regex" in out
    assert "selectLinks:" in out


def test_detect_files() -> None:
    file = str(PAGES / "phpbb" / "thread.html")
    code, out = run("detect", file, str(PAGES / "generic-forum" / "thread.html"), "--json")
    first, second = map(json.loads, out.splitlines())
    assert code == 0
    assert (first["file"], first["application"], first["category"], first["level"]) == (
        file,
        "phpbb",
        "forum",
        "thread",
    )
    assert second["application"] == "generic-forum"
    assert first["evidence"]
    assert first["seconds"] >= 0


def test_detect_says_the_version_where_the_page_does() -> None:
    files = str(PAGES / "ghost" / "post-casper.html"), str(PAGES / "phpbb" / "thread.html")
    code, out = run("detect", *files, "--json")
    assert (code, [json.loads(line)["version"] for line in out.splitlines()]) == (0, ["5.24", None])
    assert "ghost 5.24  " in run("detect", files[0])[1]


def test_detect_with_url_and_headers(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>nothing to see")
    header = 'Link: <http://e.org/wp-json/>; rel="https://api.w.org/"'
    bare = json.loads(run("detect", str(tmp_path / "a.html"), "--json")[1])
    assert bare["application"] is None
    told = run(
        "detect",
        str(tmp_path / "a.html"),
        "--url",
        "http://e.org/",
        "--header",
        header,
        "--header",
        "Set-Cookie: wp-settings-1=a",
        "--json",
    )
    assert json.loads(told[1])["application"] == "wordpress"
    with pytest.raises(UsageError, match="Name: value"):
        run("detect", str(tmp_path / "a.html"), "--header", "nonsense")


def test_detect_urls_through_the_given_fetcher() -> None:
    def fetch(url: str) -> Page:
        return Page(url, 200, (("Content-Type", "text/html"),), b"<body id=phpbb>")

    code, out = run("detect", "http://e.org/", "--json", fetch_page=fetch)
    assert (code, json.loads(out)["url"], json.loads(out)["application"]) == (0, "http://e.org/", "phpbb")
    assert run("detect", "http://e.org/")[0] == 2, "no URL can be fetched here"


def test_a_missing_file_does_not_stop_the_others(tmp_path: Path) -> None:
    code, out = run("detect", str(tmp_path / "gone.html"), str(PAGES / "phpbb" / "thread.html"))
    assert code == 2
    assert "phpbb  thread  forum" in out
