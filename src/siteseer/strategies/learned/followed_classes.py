"""Returns the URL classes that were worth following in a learned crawl, for an entry of the knowledge base."""

from __future__ import annotations

from siteseer.strategies.learned.knowledge_entry.navigation_actions import Route
from siteseer.strategies.learned.knowledge_entry.site_entry import NavigationWays
from siteseer.strategies.learned.online_learner.learned_patterns import LinkPattern, Patterns
from siteseer.strategies.learned.online_learner.learner import OnlineLearner
from siteseer.strategies.learned.online_learner.link_facts import LISTED


def followed_classes(learner: OnlineLearner, patterns: Patterns) -> NavigationWays:
    """Return the kinds of URL that were followed and those that were left, the most fruitful first."""
    urls: dict[str, list[str]] = {}
    listed: set[str] = set()
    for number, known in enumerate(learner.known):
        name = learner.templates.of(number).name
        urls.setdefault(name, []).append(known.url)
        if known.flags & LISTED:
            listed.add(name)
    found = sorted(patterns.links, key=lambda one: -one.worth * one.pages)
    routes = {one: _route(one, urls[one.template], one.template in listed) for one in found}
    followed = [route for one, route in routes.items() if one.is_followed]
    left = [route for one, route in routes.items() if not one.is_followed]
    seed = learner.known[0].url if learner.known else ""
    return NavigationWays(seed, "learned crawl", followed, patterns.idle, patterns.sitemaps, left)


def _route(one: LinkPattern, urls: list[str], is_listed: bool) -> Route:
    evidence, is_list = f"{one.leads_to}; {one.pages} pages", one.leads_to == "lists"
    return Route(one.template, tuple(urls), worth=one.worth, is_list=is_list, is_listed=is_listed, because=evidence)
