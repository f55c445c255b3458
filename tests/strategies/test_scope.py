import pytest

from siteseer.errors import ConfigurationError
from siteseer.strategies.scope import SeedScope, domain_of, pattern


@pytest.mark.parametrize(
    ("circle", "inside", "outside"),
    [
        ("page", ["http://a.e.org/x/y"], ["http://a.e.org/x/z"]),
        ("prefix", ["http://a.e.org/x/z", "http://a.e.org/x/y/1"], ["http://a.e.org/w", "http://b.e.org/x/"]),
        ("host", ["http://a.e.org/w"], ["http://b.e.org/", "http://a.e.org:8080/"]),
        ("domain", ["http://b.e.org/", "http://e.org/", "https://a.e.org:8/"], ["http://f.org/"]),
        ("any", ["http://f.org/"], []),
    ],
)
def test_circles(circle: str, inside: list[str], outside: list[str]) -> None:
    scope = SeedScope(["http://a.e.org/x/y"], circle)
    assert all(scope.verdict(url).allowed for url in inside)
    assert not any(scope.verdict(url).allowed for url in outside)


def test_the_decisive_rule_is_the_reason() -> None:
    scope = SeedScope(["http://e.org/"], include=["http://f.org/*"], exclude=["re:/print(/|$)"], depth=3)
    assert scope.verdict("http://e.org/a/print/").rule == "--exclude re:/print(/|$)"
    assert scope.verdict("http://f.org/x").because == "included by --include http://f.org/*"
    assert scope.verdict("http://e.org/a", 4).rule == "depth"
    assert scope.verdict("http://g.org/").because == "outside the scope: another host"


def test_bad_expressions_are_answered_in_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="--exclude re:"):
        SeedScope(["http://e.org/"], exclude=["re:(unclosed"])
    with pytest.raises(ConfigurationError, match="--scope"):
        SeedScope(["http://e.org/"], "planet")


def test_expressions_cannot_explode() -> None:
    slow_elsewhere = pattern("re:^(a+)+$", "--exclude")
    assert not slow_elsewhere.search("a" * 5000 + "!")


def test_globs() -> None:
    assert pattern("http://e.org/*.pdf", "--include").search("http://e.org/a/b.pdf")
    assert not pattern("http://e.org/*.pdf", "--include").search("http://e.org/a/b.pdf?x")
    assert pattern("*[0-9]", "--include").search("http://e.org/7")


def test_domains_of_odd_hosts() -> None:
    assert domain_of("127.0.0.1:80") == "127.0.0.1" and domain_of("localhost") == "localhost"
