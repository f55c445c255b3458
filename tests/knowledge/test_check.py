"""`kb check` points out what a careful colleague would."""

from pathlib import Path

import pytest

from siteseer.knowledge.check import check

START = '<application id="x" category="blog">'
LEVEL = '<level id="list" kind="intermediate"><detect><pattern>div.a</pattern></detect>{}</level>'


@pytest.mark.parametrize(
    ("inside", "said"),
    [
        ("<detect><pattern>div.a</pattern><pattern>p.b</pattern></detect>", "one kind"),
        ("<detect><pattern>div.a</pattern><pattern>DIV.a</pattern></detect>", "stands here twice"),
        (
            '<detect><pattern decisive="yes">div.a</pattern></detect>'
            '<avoid><url contains="topic.php" because="no"/></avoid>'
            + LEVEL.format("<follow role=\"child\">a[contains(@href,'topic.php')]/@href</follow>"),
            "forbids what this action follows",
        ),
        ('<detect><pattern decisive="yes">div.a</pattern></detect>', "no test pages"),
        (
            LEVEL.format('<extract type="record" of="post" scope="div"><field type="author">b</field></extract>'),
            "have no body",
        ),
        ("<detect/>", "no pattern"),
    ],
)
def test_problems_are_found(tmp_path: Path, inside: str, said: str) -> None:
    (tmp_path / "x.xml").write_text(f"{START}{inside}</application>")
    assert any(said in str(problem) for problem in check(tmp_path / "x.xml"))


def test_shipped_files_have_no_problems() -> None:
    assert [str(problem) for problem in check(Path(__file__).parents[2] / "src/siteseer/knowledge/cms")] == []


def test_a_policy_may_switch_a_rule_that_an_action_needs(tmp_path: Path) -> None:
    rules = '<avoid><url contains="user.php" because="profiles" policy="profiles" is="no"/></avoid>'
    policy = '<policy name="profiles" default="no">Keep profiles</policy>'
    follow = '<follow role="child" policy="profiles">a[contains(@href,\'user.php\')]/@href</follow>'
    (tmp_path / "x.xml").write_text(f"{START}{rules}{policy}{LEVEL.format(follow)}</application>")
    assert check(tmp_path / "x.xml") == []
