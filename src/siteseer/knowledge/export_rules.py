"""Exports the rules of an application for other crawlers: Browsertrix, Heritrix, wget; or as WADL.

What a tool cannot say is left out, with a remark: Browsertrix can choose links by CSS selectors, Heritrix and wget know
URLs only. WADL can say which links the representation of a resource holds (`param` of style `plain` with a path).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from lxml import etree

from siteseer.errors import UsageError
from siteseer.knowledge.types import Application, Avoid, Navigation
from siteseer.xpath.evaluation import to_xpath
from siteseer.xpath.syntax import Compare, Condition, Exists, Not, Path, Predicate, Step

WADL = "http://wadl.dev.java.net/2009/02"


def export(application: Application, format: str) -> str:
    """Return the rules of an application in the language of another tool."""
    if format not in FORMATS:
        raise UsageError(f"--format {format} is unknown; use one of {', '.join(FORMATS)}")
    return FORMATS[format](application)


def url_expression(rule: Avoid) -> str:
    """Return a regular expression over whole URLs that says what an avoid rule says.

    >>> url_expression(Avoid("print view", parameter="view", value="^print$"))
    '[?&;]view=print(?:[&;#]|$)'
    >>> url_expression(Avoid("feed", path="/feed/?$"))
    '^https?://[^/?#]+[^?#]*/feed/?(?=[?#]|$)'
    """
    parts = []
    if rule.path:
        starts, text = rule.path.startswith("^"), rule.path.removeprefix("^")
        text = text[:-1] + "(?=[?#]|$)" if text.endswith("$") and not text.endswith("\\$") else text
        parts.append("^https?://[^/?#]+" + ("" if starts else "[^?#]*") + text)
    if rule.contains:
        parts.append(_escaped(rule.contains))
    if rule.parameter:
        value = rule.value
        if value.endswith("$") and not value.endswith("\\$"):
            value = value[:-1] + "(?:[&;#]|$)"
        value = value[1:] if value.startswith("^") else f"[^&;#]*{value}" if value else ""
        parts.append(f"[?&;]{_escaped(rule.parameter)}=" + value)
    return ".*".join(parts)


def _escaped(text: str) -> str:
    return "".join("\\" + letter if letter in r"\.^$*+?{}[]|()" else letter for letter in text)


def _rules(application: Application) -> Iterator[Avoid]:
    return (rule for rule in application.avoids if application.applies(rule.when))


def _followed(application: Application) -> Iterator[Navigation]:
    for actions in (application.navigations, *(level.navigations for level in application.levels)):
        for action in actions:
            usable = action.role not in ("permalink", "media", "same") and application.applies(action.when)
            if usable and action.text and action.read == "url" and not action.url:
                yield action


def browsertrix(application: Application) -> str:
    """Return a Browsertrix Crawler configuration: `exclude` and `selectLinks`."""
    lines = [f"# {application.name or application.id}: rules for Browsertrix Crawler", "exclude:"]
    lines += [f"  - {json.dumps(url_expression(rule))}  # {rule.because}" for rule in _rules(application)]
    lines.append("selectLinks:")
    selectors: dict[str, None] = {}
    left_out = 0
    for action in _followed(application):
        for path in action.expression.alternatives:
            selector = css(path)
            left_out += selector is None
            if selector is not None:
                selectors[selector] = None
    lines += [f"  - {json.dumps(selector + '->href')}" for selector in selectors]
    if left_out:
        lines.append(f"# {left_out} alternatives cannot be said as a CSS selector")
    return "\n".join(lines) + "\n"


def heritrix(application: Application) -> str:
    """Return a Heritrix 3 decide rule (Spring bean) that rejects what the avoid rules name."""
    bean = etree.Element("bean", {"class": "org.archive.modules.deciderules.MatchesListRegexDecideRule"})
    etree.SubElement(bean, "property", name="decision", value="REJECT")
    etree.SubElement(bean, "property", name="listLogicalOr", value="true")
    entries = etree.SubElement(etree.SubElement(bean, "property", name="regexList"), "list")
    for rule in _rules(application):
        entries.append(etree.Comment(f" {rule.because.replace('--', '- -')} "))
        expression = url_expression(rule)
        whole = expression if expression.startswith("^") else ".*" + expression
        etree.SubElement(entries, "value").text = whole + ".*"
    bean.append(etree.Comment(" Heritrix chooses by URL only: which links lead to content cannot be said here "))
    etree.indent(bean)
    return etree.tostring(bean, encoding="unicode", pretty_print=True)


def wget(application: Application) -> str:
    """Return the options of wget that reject what the avoid rules name."""
    expression = "|".join(f"({url_expression(rule)})" for rule in _rules(application))
    return f"--regex-type=pcre --reject-regex='{expression.replace(chr(39), '%27')}'\n"


def wadl(application: Application) -> str:
    """Return a WADL description: a resource type per level, with the links that its representation holds."""
    spaces: Any = {None: WADL}
    root = etree.Element(f"{{{WADL}}}application", nsmap=spaces)
    etree.SubElement(root, f"{{{WADL}}}doc", title=application.name or application.id)
    resources = etree.SubElement(root, f"{{{WADL}}}resources", base="http://site.example/")
    for entry in application.entries:
        resource = etree.SubElement(resources, f"{{{WADL}}}resource", path=entry.url.lstrip("/"))
        method = etree.SubElement(resource, f"{{{WADL}}}method", name="GET")
        etree.SubElement(method, f"{{{WADL}}}doc").text = entry.because
    for number, level in enumerate(application.levels):
        name = level.id if application.level(level.id) is level else f"{level.id}-{number}"
        kind = etree.SubElement(root, f"{{{WADL}}}resource_type", id=name)
        for paging in application.identity.pagings:
            if paging.parameter:
                etree.SubElement(kind, f"{{{WADL}}}param", name=paging.parameter, style="query")
        method = etree.SubElement(kind, f"{{{WADL}}}method", name="GET")
        media = "application/json" if level.format == "json" else "text/html"
        response = etree.SubElement(method, f"{{{WADL}}}response", status="200")
        representation = etree.SubElement(response, f"{{{WADL}}}representation", mediaType=media)
        for action in level.navigations:
            if action.text and action.read == "url" and not action.url:
                _wadl_link(representation, action)
    etree.indent(root)
    return etree.tostring(root, encoding="unicode", pretty_print=True)


def _wadl_link(representation: etree._Element, action: Navigation) -> None:
    path = to_xpath(action.expression)
    param = etree.SubElement(representation, f"{{{WADL}}}param", name=action.role, style="plain", path=path)
    link = etree.SubElement(param, f"{{{WADL}}}link", rel=action.role)
    if action.to:
        link.set("resource_type", f"#{action.to}")


FORMATS: dict[str, Callable[[Application], str]] = {
    "browsertrix": browsertrix,
    "heritrix": heritrix,
    "wget": wget,
    "wadl": wadl,
}


# ── XPath to CSS, as far as it goes ────────────────────────────────────────────────────────────────────────────────


def css(path: Path) -> str | None:
    """Return the CSS selector of a path that ends at an element or its href, or None where CSS cannot say it.

    >>> from siteseer.xpath.parser import parse
    >>> css(parse("div.pages//a[contains(@href,'start=')][not(@rel='nofollow')]/@href").alternatives[0])
    'div.pages a[href*="start="]:not([rel="nofollow"])'
    """
    steps = path.steps[:-1] if path.steps and path.steps[-1].test == "@href" else path.steps
    if not steps or (path.steps[-1].test == "@href" and path.steps[-1].predicates):
        return None
    text = ""
    for number, step in enumerate(steps):
        written = _css_step(step)
        if written is None:
            return None
        text += ("" if number == 0 else " " if step.axis == "descendant" else " > ") + written
    return text


def _css_step(step: Step) -> str | None:
    if not step.is_element or step.axis not in ("child", "descendant"):
        return None
    conditions = [_css_condition(predicate) for predicate in step.predicates]
    if None in conditions:
        return None
    names = "".join(f"#{name}" for name in step.ids) + "".join(f".{name}" for name in step.classes)
    tag = "" if step.test == "*" and (names or conditions) else step.test
    return tag + names + "".join(filter(None, conditions))


def _css_condition(predicate: Predicate | Condition) -> str | None:
    if isinstance(predicate, Compare) and str(predicate.value).startswith("@"):
        sign = {"=": "=", "contains": "*=", "starts-with": "^="}.get(predicate.comparison)
        quoted = json.dumps(predicate.literal, ensure_ascii=False)
        return f"[{str(predicate.value)[1:]}{sign}{quoted}]" if sign else None
    if isinstance(predicate, Exists) and str(predicate.value).startswith("@"):
        return f"[{str(predicate.value)[1:]}]"
    if isinstance(predicate, Not):
        inside = _css_condition(predicate.part)
        return None if inside is None else f":not({inside})"
    return None
