"""Tables of schedules: what is wrong is told with its entry; only our own commands are run."""

import json

import pytest

from siteseer.cli.main import run
from siteseer.errors import ConfigurationError, UsageError
from siteseer.schedule.schedule_table import Table, checked_command, last_runs, load_table

GOOD = """
timezone = "Europe/Paris"
[forum]
run = "siteseer revisit 'my forum' --budget 500"
every = "6h"
[festival]
run = ["campaign", "run", "festival.toml", "-o", "festival/{date}"]
cron = "0 6 * * mon-fri"
"""


def test_a_table_is_read(tmp_path):
    (tmp_path / "s.toml").write_text(GOOD)
    table = load_table(tmp_path / "s.toml")
    assert table.timezone == "Europe/Paris"
    assert [entry.run[:2] for entry in table.entries] == [("revisit", "my forum"), ("campaign", "run")]
    assert (table.entries[0].every, table.entries[1].cron.weekdays) == (21_600, "mon,tue,wed,thu,fri")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[a]\nrun = 'revisit x'", "say when"),
        ("[a]\nrun = 'revisit x'\nevery = '1h'\ncron = '* * * * *'", "say when"),
        ("[a]\nrun = 'revisit x'\nevery = 'often'", "is no interval"),
        ("[a]\nrun = 'revisit x'\ncron = '99 * * * *'", "is no minute"),
        ("[a]\nrun = 'rm -rf x'\nevery = '1h'", "cannot be scheduled"),
        ("[a]\nrun = 'campaign run a.toml -o a/{datum}'\nevery = '1h'", "{datum}; {date} and {time} are known"),
        ("[a]\nrun = \"revisit 'x\"\nevery = '1h'", "No closing quotation"),
        ("[a]\nrun = 7\nevery = '1h'", "run wants a command"),
        ("[a]\nrun = ['revisit', 7]\nevery = '1h'", "run wants a command"),
        ("[a]\nwhat = 'revisit x'\nevery = '1h'", "there is no key 'what'"),
        ("['../a']\nrun = 'revisit x'\nevery = '1h'", "plain name"),
        ("a = 1", "is a table"),
        ("timezone = 'Nowhere/X'\n[a]\nrun = 'revisit x'\nevery = '1h'", "time zone"),
        ("timezone = ['x']\n[a]\nrun = 'revisit x'\nevery = '1h'", "time zone"),
        ("", "0 schedules"),
        ("[", "is no TOML"),
    ],
)
def test_what_is_wrong_is_one_sentence(tmp_path, text, why):
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(ConfigurationError) as told:
        load_table(tmp_path / "s.toml")
    assert why in str(told.value) and "\n" not in str(told.value)


def test_commands_are_looked_at_before_they_are_due(tmp_path, capsys):
    (tmp_path / "s.toml").write_text("[a]\nrun = 'revisit x --budget many'\nevery = '1h'")
    assert run(["schedule", "run", str(tmp_path / "s.toml")]) == 4
    said = capsys.readouterr().err
    assert "[a]" in said and "--budget" in said and said.count("\n") == 1


def test_a_file_that_is_not_there_is_told(tmp_path, capsys):
    assert run(["schedule", "run", str(tmp_path / "s.toml")]) == 2
    assert run(["schedule", "worker", "--in", str(tmp_path / "nowhere")]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["ui"], ["python", "-c", "1"], [1], ["revisit", "a\0b"], ["crawl"] * 999])
def test_only_commands_that_may_be_scheduled(words):
    with pytest.raises(UsageError):
        checked_command(words)


def test_a_history_that_was_cut_off_is_read(tmp_path):
    table = Table(tmp_path / "s.toml", ())
    good = {"name": "a", "began": "2024-05-01T06:00:00+00:00", "ended": "2024-05-01T06:01:00+00:00", "exit": 0}
    table.history.write_text(json.dumps(good) + '\n[]\n{"name": "b", "began": 7}\n{"name": "a", "beg')
    assert last_runs(table) == {"a": good}
