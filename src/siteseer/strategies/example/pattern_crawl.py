"""Follows known navigation patterns: returns the URLs that their steps select among the links of each page.

A page is reached at one or several steps of one or several patterns. Pages keep their links, so that one that is
reached again at another step need not be fetched again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.strategies.example.navigation_patterns import NavigationPattern, Step, matches

Place = tuple[int, int]
"""Number of a pattern, and how many of its steps were taken."""
Links = Sequence[tuple[str, str]]


class PatternCrawl:
    """Records which pages were reached at which step.

    >>> pattern = NavigationPattern("/", (Step("/list/.*", repeats=True), Step("/item/.*", is_target=True)))
    >>> follower = PatternCrawl([pattern])
    >>> follower.begin(["/"])
    ['/']
    >>> list(follower.page("/", [("/list/1", ""), ("/about", ""), ("/item/9", "")]))
    ['/list/1']
    >>> list(follower.page("/list/1", [("/list/2", ""), ("/item/1", "")]))
    ['/list/2', '/item/1']
    """

    def __init__(self, patterns: Sequence[NavigationPattern]) -> None:
        self.patterns = patterns
        self._met: dict[str, set[Place]] = {}
        self._links: dict[str, Links] = {}

    def begin(self, entries: Iterable[str]) -> list[str]:
        """Reach the entry points; return them."""
        found = list(entries)
        for url in found:
            self._met[url] = {(number, 0) for number in range(len(self.patterns))}
        return found

    def page(self, url: str, links: Links) -> Iterator[str]:
        """Add the links of a fetched page; yield the URLs that are reached for the first time."""
        self._links[url] = links
        waiting = [(url, place) for place in sorted(self._met.get(url, ()))]
        while waiting:
            source, place = waiting.pop()
            for target, onward in self._onward(source, place):
                known = self._met.setdefault(target, set())
                if not known:
                    yield target
                if onward not in known:
                    known.add(onward)
                    if target in self._links:
                        waiting.append((target, onward))

    def moved(self, url: str, target: str) -> None:
        """Add a redirect: the target is reached where the URL was."""
        self._met.setdefault(target, set()).update(self._met.get(url, ()))

    def forms(self) -> dict[str, set[str]]:
        """Return the forms of the patterns: where each is sent, and which of its fields are varied."""
        found: dict[str, set[str]] = {}
        for form in (step.form for one in self.patterns for step in one.steps):
            if form is not None:
                found.setdefault(form.action, set()).update(form.varied)
        return found

    def answered(self, url: str, action: str) -> None:
        """Add a page that answers a form: it is reached wherever a step sends that form."""
        self._met.setdefault(url, set()).update(
            (number, taken)
            for number, one in enumerate(self.patterns)
            for taken, step in enumerate(one.steps, 1)
            if step.form is not None and step.form.action == action
        )

    def leads_on(self, url: str) -> bool:
        """Say whether any step of any pattern matches a URL: other links need not be kept."""
        return any(step.form is None and matches(step.url, url) for one in self.patterns for step in one.steps)

    def is_wanted(self, url: str) -> bool:
        """Say whether a page was reached where the patterns expect targets."""
        return any(taken and self.patterns[one].steps[taken - 1].is_target for one, taken in self._met.get(url, ()))

    def _onward(self, source: str, place: Place) -> Iterator[tuple[str, Place]]:
        number, taken = place
        steps = self.patterns[number].steps
        if taken and steps[taken - 1].repeats:
            yield from ((url, place) for url in self._matching(source, steps[taken - 1]))
        if taken < len(steps):
            yield from ((url, (number, taken + 1)) for url in self._matching(source, steps[taken]))

    def _matching(self, source: str, step: Step) -> Iterator[str]:
        for url, where in self._links[source] if step.form is None else ():
            if (not step.places or where in step.places) and matches(step.url, url):
                yield url
