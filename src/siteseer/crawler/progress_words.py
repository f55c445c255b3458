"""Words the progress of a crawl, the same on the command line and in the web interface."""

from __future__ import annotations

from siteseer.model import JSON


def left_words(low: int, high: int | None) -> str:
    """Return how many requests are left.

    >>> left_words(280, 400), left_words(97, None), left_words(0, 0), left_words(0, 3)
    ('280 to 400', 'at least 97', '0', 'up to 3')
    """
    if high is None:
        return f"at least {low:,}" if low else "unknown"
    if low == high:
        return f"{low:,}"
    return f"{low:,} to {high:,}" if low else f"up to {high:,}"


def objects_words(kept: int, provisional: int) -> str:
    """Return how many objects there are; those that are found at the end are counted about.

    >>> objects_words(1234, 0), objects_words(0, 1437), objects_words(3, 4)
    ('1,234', 'about 1,400', 'about 7')
    """
    if not provisional:
        return f"{kept:,}"
    return f"about {_rounded(kept + provisional):,}"


def _rounded(count: int) -> int:
    """Return a count with two digits that say something."""
    places = max(0, len(str(count)) - 2)
    return round(count, -places)


def forecast_sentence(forecast: JSON) -> str:
    """Return what is left to come, in a sentence or two; nothing where nothing is.

    >>> share, left = {"low": 0.084, "high": 0.2}, {"low": 280, "high": 400}
    >>> forecast_sentence({"complete": share, "requests": left, "estimated": True})
    'Between 8 % and 20 % of what is known to come is there; 280 to 400 requests are left.'
    >>> told = {"requests": {"low": 97, "high": None}, "because": "new addresses keep coming", "estimated": True}
    >>> forecast_sentence(told)
    'At least 97 requests are left. How many more is not known: new addresses keep coming.'
    """
    if not forecast["estimated"]:
        return ""
    low, high = forecast["requests"]["low"], forecast["requests"]["high"]
    if high is None:
        known = f"{left_words(low, None).capitalize()} requests are left. How many more is not known" if low else ""
        because = f": {forecast['because']}" if forecast.get("because") else ""
        return f"{known or 'How many requests are left is not known'}{because}."
    share = _share_words(forecast["complete"])
    return f"{share} of what is known to come is there; {left_words(low, high)} requests are left."


def _share_words(share: JSON) -> str:
    low, high = _percent(share["low"]), _percent(share["high"])
    return f"About {low}" if low == high else f"Between {low} and {high}"


def _percent(share: float) -> str:
    """Return a share as people read it; only what is over is 100 %.

    >>> _percent(0.997), _percent(0.123)
    ('99 %', '12 %')
    """
    return f"{min(99, round(100 * share)) if share < 1 else 100} %"
