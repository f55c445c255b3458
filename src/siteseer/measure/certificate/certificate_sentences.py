"""Writes a certificate in plain sentences, for the terminal, the web interface and the JSON."""

from __future__ import annotations

from siteseer.model import JSON

NOT_COVERED = {
    "unreached": "{count:,} were never reached",
    "failed": "{count:,} failed",
    "refused": "{count:,} were refused by the server",
    "robots": "{count:,} are left alone because robots.txt asks for it",
    "excluded": "{count:,} are excluded by you",
    "outside_scope": "{count:,} are outside the scope",
    "deeper_than_allowed": "{count:,} lie deeper than you allowed",
    "needs_browser": "{count:,} can only be shown by a browser",
    "redirect_loops": "{count:,} redirect in circles",
    "dead_links": "{count:,} do not exist",
    "not_sampled": "{count:,} were skipped and are of kinds of which none was looked at",
}


def sentences(result: JSON) -> list[str]:
    """Return the sentences of a certificate, the most important first."""
    return [one for one in (_headline(result), _unfinished(result), _beside(result), _unreachable(result)) if one]


def _headline(result: JSON) -> str:
    if not result["skipped_urls"]:
        ours = " that may be looked at" if result["not_covered"].get("robots") else ""
        return f"No rule of the crawl skipped a URL{ours}. There is nothing to sample, so there is no certificate."
    if not result["sampled"]:
        return (
            f"None of the {result['unreachable']:,} skipped URLs that were drawn could be looked at. There is no "
            "certificate."
        )
    interval = f"{percent(result['low'])} and {percent(result['high'])}, {result['confidence']:.0%} confidence"
    about = percent(result["missed_share"])
    if not result["missed_share"]:
        return (
            f"No content is missing as far as a sample of {result['sampled']:,} of {result['skipped_urls']:,} skipped "
            f"URLs shows (at most {percent(result['high'])} of the site's text, {result['confidence']:.0%} confidence)."
        )
    return f"About {about} of the site's text is missing (between {interval}){_most(result)}."


def _most(result: JSON) -> str:
    """Name the rule behind which most of the missing text lies."""
    worst = result["rules"][0]
    share = (worst["missed_passages"] or 0) / max(1, result["missed_passages"])
    if share < 0.5:
        return ""
    return f", {'most' if share < 0.95 else 'nearly all'} of it because of the rule “{worst['rule']}”"


def percent(share: float) -> str:
    """Write a share with as many digits as it bears.

    >>> percent(0.034), percent(0.004), percent(0.0001), percent(0.0)
    ('3 %', '0.4 %', 'less than 0.1 %', '0 %')
    """
    if 0 < share < 0.001:
        return "less than 0.1 %"
    return f"{100 * share:.{1 if 0 < share < 0.0095 else 0}f} %"


def _unfinished(result: JSON) -> str:
    if result["crawl_finished"]:
        return ""
    why = f" ({result['stopped_by']})" if result["stopped_by"] else ""
    return f"The crawl is not finished{why}. The certificate says nothing of what it has not reached yet."


def _beside(result: JSON) -> str:
    parts = [
        text.format(count=count) for name, text in NOT_COVERED.items() if (count := result["not_covered"].get(name))
    ]
    return f"Not covered by the certificate: of the URLs that the crawl met, {', '.join(parts)}." if parts else ""


def _unreachable(result: JSON) -> str:
    if not result["unreachable"] or not result["sampled"]:
        return ""
    count = f"{result['unreachable']:,} of the URLs that were drawn could not be looked at"
    return f"{count}; the certificate takes them to be like the others."
