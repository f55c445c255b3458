"""What a job may be made of: one wrapper over start URLs and sets of variables, and what is refused at once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from siteseer.errors import ConfigurationError, UsageError
from siteseer.wrapper.jobs.job import Job, hosts, make_job
from siteseer.wrapper.jobs.task_files import read_sets, read_starts
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.syntax_error import WrapperSyntaxError

TITLES = "doc($u)//h2:<title=string(.)>"


def test_every_start_is_run_with_every_set() -> None:
    job = make_job("a", "//p[.=$q]:<p=string(.)>", ["e.org/1", "e.org/2"], [{"q": "x"}, {"q": "y"}])
    assert [(one.start, one.variables["q"]) for one in job.tasks] == [
        ("http://e.org/1", "x"), ("http://e.org/1", "y"), ("http://e.org/2", "x"), ("http://e.org/2", "y"),
    ]  # fmt: skip
    assert Job.stored(job.as_json()) == job


def test_start_urls_are_the_values_of_the_variable_that_is_loaded() -> None:
    job = make_job("a", TITLES, ["http://a.org/", "http://b.org/x"])
    assert [hosts(parse(TITLES), one) for one in job.tasks] == ["a.org", "b.org"]
    with pytest.raises(UsageError, match=r"doc\(\$url\)"):
        make_job("a", "doc('http://e.org/')//h2:<t=string(.)>", ["http://a.org/"])


def test_a_wrong_wrapper_is_shown_with_a_caret() -> None:
    with pytest.raises(WrapperSyntaxError) as error:
        make_job("a", "doc('http://e.org/')//a/{clik /}", [])
    assert str(error.value).splitlines()[-1].strip() == "^" and error.value.exit_code == 4


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"name": "../x"}, "cannot be a name"),
        ({"starts": []}, "has no value for"),
        ({"starts": ["ftp://e.org/"]}, "no address"),
        ({"sets": [{"u": "http://["}], "starts": []}, "no address"),
        ({"starts": ["e.org"] * 101, "sets": [{"q": "1"}] * 100}, "10,100 tasks"),
        ({"sets": [{"q": "x" * 9000}]}, r"\$q"),
        ({"sets": [{"a b": "x"}]}, "name of a variable"),
        ({"concurrency": 1000}, "concurrency 1000 makes no sense"),
        ({"delay": float("nan")}, "delay wants a number of seconds, not nan"),
        ({"browser": "lynx"}, "browser lynx is unknown"),
        ({"collection": "../../etc"}, "name of a collection"),
        ({"colour": "red"}, "no option .colour."),
    ],
)
def test_what_makes_no_sense_is_said_at_once(how: dict, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        make_job(**{"name": "a", "wrapper": TITLES, "starts": ["e.org"], **how})


def test_huge_sets_are_refused_quickly(tmp_path: Path) -> None:
    file = tmp_path / "sets.csv"
    file.write_text("q\n" + "x\n" * 2_000_000)
    began = time.process_time()
    with pytest.raises(ConfigurationError, match="more than the 10,000"):
        read_sets(file)
    assert time.process_time() - began < 5
    file.write_bytes(b"\0" * (40 * 2**20))
    with pytest.raises(ConfigurationError, match="larger than"):
        read_sets(file)


def test_files_of_tasks_are_read(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("# shops\nhttp://a.org/\n\nhttp://b.org/\n")
    assert read_starts(tmp_path / "s") == ["http://a.org/", "http://b.org/"]
    (tmp_path / "c").write_text('$q,n\n"x, y",1\n')
    assert read_sets(tmp_path / "c") == [{"q": "x, y", "n": "1"}]
    (tmp_path / "j").write_text('{"q": "x", "n": 1}\n')
    assert read_sets(tmp_path / "j") == [{"q": "x", "n": "1"}]
    for wrong in ("q,n\n1\n", '{"q": []}\n', '{"q"\n', "", "[" * 9):
        (tmp_path / "w").write_text(wrong)
        with pytest.raises(ConfigurationError):
            read_sets(tmp_path / "w")
