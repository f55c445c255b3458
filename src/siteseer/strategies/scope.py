"""Decides which URLs belong to a crawl: the scope around the seeds, inclusions and exclusions of the user, and depth.

The verdict names the rule that decided: first an exclusion, then an inclusion, then the circle.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import re2

from siteseer.errors import ConfigurationError
from siteseer.interfaces import Verdict
from siteseer.page.urls import host_of, identity, wire

CIRCLES = ("page", "prefix", "host", "domain", "any")


class SeedScope:
    """The scope that the options `--scope`, `--include`, `--exclude` and `--depth` describe.

    >>> scope = SeedScope(["http://e.org/blog/"], "prefix", exclude=["*print*"])
    >>> scope.verdict("http://e.org/blog/x").allowed, scope.verdict("http://e.org/shop").because
    (True, 'outside the scope: not below http://e.org/blog/')
    """

    def __init__(
        self,
        seeds: Sequence[str],
        circle: str = "host",
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        depth: int | None = None,
    ) -> None:
        if circle not in CIRCLES:
            raise ConfigurationError(f"--scope {circle} is unknown; use one of {', '.join(CIRCLES)}")
        self.circle, self.depth = circle, depth
        self.seeds = [wire(seed) or seed for seed in seeds]
        self.include = [(text, pattern(text, "--include")) for text in include]
        self.exclude = [(text, pattern(text, "--exclude")) for text in exclude]
        self._hosts = {host_of(seed) for seed in self.seeds}
        self._domains = {domain_of(host) for host in self._hosts}
        self._pages = {identity(seed) for seed in self.seeds}
        self._prefixes = tuple(seed.partition("?")[0].rpartition("/")[0] + "/" for seed in self.seeds)

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        """Say whether a URL belongs to the crawl, and which rule decided."""
        for text, expression in self.exclude:
            if expression.search(url):
                return Verdict(False, f"excluded by --exclude {text}", f"--exclude {text}")
        if self.depth is not None and depth > self.depth:
            return Verdict(False, f"deeper than --depth {self.depth}", "depth")
        for text, expression in self.include:
            if expression.search(url):
                return Verdict(True, f"included by --include {text}", f"--include {text}")
        return self._in_circle(url)

    def _in_circle(self, url: str) -> Verdict:
        if self.circle == "any":
            return Verdict(True, "any URL is in scope", "scope")
        if self.circle == "host":
            inside, where = host_of(url) in self._hosts, "another host"
        elif self.circle == "domain":
            inside, where = domain_of(host_of(url)) in self._domains, "another domain"
        elif self.circle == "prefix":
            inside, where = url.startswith(self._prefixes), f"not below {', '.join(self._prefixes)}"
        else:
            inside, where = identity(url) in self._pages, "not a seed"
        return Verdict(True, "in scope", "scope") if inside else Verdict(False, f"outside the scope: {where}", "scope")


def pattern(text: str, option: str) -> Any:
    """Compile a glob (`*/print/*`) or `re:` expression; expressions run in linear time and cannot explode.

    >>> bool(pattern("*/print/*", "--exclude").search("http://e.org/print/1"))
    True
    """
    source = text[3:] if text.startswith("re:") else _glob(text)
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(source, options=options)
    except re2.error as error:
        raise ConfigurationError(
            f"`{option} {text}` is not a valid regular expression: {_why(error)}. {ADVICE}"
        ) from error


ADVICE = "Leave out `re:` to match a plain pattern such as `*/print/*`."
_REASONS = {
    "missing )": "a closing parenthesis is missing",
    "unexpected )": "there is a closing parenthesis too many",
    "missing ]": "a closing bracket is missing",
    "no argument for repetition operator": "nothing stands before `*`, `+` or `?`",
    "invalid perl operator": "look-arounds are not supported",
    "invalid escape sequence": "a backslash stands before a letter without a meaning",
    "trailing \\": "a single backslash stands at its end",
    "bad repetition operator": "repetitions such as `**` are not allowed",
    "invalid character class range": "a range of characters runs backwards",
}
"""What the library says of an expression, and what people understand."""


def _why(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return next((words for begin, words in _REASONS.items() if text.startswith(begin)), text)


def _glob(text: str) -> str:
    """Return a glob as an expression: `*` any text, `?` any character, `[abc]` and `[!abc]` one of some."""
    found = ""
    for part in re.findall(r"\[!?[^\]]+\]|.", text, re.DOTALL):
        if part == "*":
            found += ".*"
        elif part == "?":
            found += "."
        elif len(part) > 1:
            inside = part[1:-1].replace("\\", "\\\\")
            found += f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]"
        else:
            found += re.escape(part)
    return f"(?s)^{found}$"


@lru_cache(maxsize=10_000)
def domain_of(host: str) -> str:
    """Return the registered domain of a host, or the host itself where it has none.

    >>> domain_of("forum.example.co.uk:8080")
    'example.co.uk'
    """
    name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
    return _suffixes()(name).top_domain_under_public_suffix or name


@lru_cache(maxsize=10_000)
def is_public_suffix(domain: str) -> bool:
    """Say whether people register names directly below a domain: then it belongs to many.

    >>> is_public_suffix("co.uk"), is_public_suffix("example.co.uk"), is_public_suffix("localhost")
    (True, False, False)
    """
    return bool(_suffixes()(domain, include_psl_private_domains=True).suffix == domain)


@lru_cache(maxsize=1)
def _suffixes() -> Any:
    import tldextract

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
