"""The demo estate agent: a form with a dependent list, properties over several pages, attributes that may be missing.

Made to the description of wwagency.com in Faheem's thesis, section 6.2. The template `modern` fills its second list and
draws its results by script; `classic` needs no script.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape

from siteseer.demo.prose import Prose
from siteseer.demo.result_pages import as_data, cut, drawing, page
from siteseer.demo.site import Site, SiteRequest, SiteResponse, html
from siteseer.demo.truth import TrueText, Truth
from siteseer.demo.words import PLACES

DEFAULT_SIZE = 71
TYPES = {"1": "Sales", "2": "Lettings"}
PRICES = {"1": ("100,000", "250,000", "500,000"), "2": ("500", "1,000", "2,000")}
STYLE = ".prop_price {font-weight: bold} .orange {color: orange} .badge {color: red}"


@dataclass(frozen=True, slots=True)
class Property:
    """One property; an empty attribute is not shown."""

    number: int
    kind: str
    street: str
    price: str
    postcode: str
    description: str

    def html(self) -> str:
        """Return it as one result."""
        parts = [
            f'<h2><a href="/property/{self.number}">{escape(self.street)}</a></h2>',
            f'<span class="prop_price">{self.price}</span>' if self.price else "",
            f'<span class="orange">{self.postcode}</span>' if self.postcode else "",
            f"<div><p>{escape(self.description)}</p></div>" if self.description else "<div></div>",
            '<span class="badge">Let agreed</span>' if self.number % 4 == 0 else "",
        ]
        return f'<div class="proplist_wrap clearfix">{"".join(parts)}</div>'

    def fields(self) -> tuple[tuple[str, str], ...]:
        """Return the attributes that it has."""
        found = (("Price", self.price), ("Postcode", self.postcode), ("Descr", self.description))
        return tuple((name, value) for name, value in found if value)


def write_properties(seed: int, size: int) -> list[Property]:
    """Write `size` properties to let, and half as many for sale; a part of them lacks an attribute."""
    found = []
    for number in range(1, size + size // 2 + 1):
        prose = Prose("estate", seed, number)
        chance = prose.random
        kind = "2" if number <= size else "1"
        amount = chance.randint(500, 5200) if kind == "2" else chance.randint(90, 900) * 1000
        price = f"£{amount:,} per month" if kind == "2" else f"£{amount:,}"
        street = f"{prose.fill('{n}').capitalize()} Street, {chance.choice(PLACES)}"
        code = f"OX{chance.randint(1, 49)} {chance.randint(1, 9)}{''.join(chance.choices('ABDEFGHJLN', k=2))}"
        found.append(
            Property(
                number,
                kind,
                street,
                price if chance.random() > 0.1 else "",
                code if chance.random() > 0.15 else "",
                prose.sentence() if chance.random() > 0.2 else "",
            )
        )
    return found


def make_estate(seed: int, template: str, size: int = DEFAULT_SIZE) -> Site:
    """Make an estate agent with `size` properties to let."""
    properties = write_properties(seed, size)
    texts = tuple(
        TrueText("record", f"/property/{one.number}", f"/results?sale_type_id={one.kind}", one.street, "", "",
                 one.description, (TYPES[one.kind],), one.fields())
        for one in properties
    )  # fmt: skip
    paths = frozenset(text.page for text in texts)
    truth = Truth("estate", seed, template, texts, paths, frozenset(), len(texts) + 1, paths)
    return Site(truth, _Estate(properties, template == "modern").answer)


class _Estate:
    def __init__(self, properties: list[Property], scripts: bool) -> None:
        self.properties, self.scripts = properties, scripts

    def answer(self, request: SiteRequest) -> SiteResponse:
        kind, start = request.query.get("sale_type_id", "1"), request.query.get("start", "0")
        kind = kind if kind in TYPES else "1"
        if request.path == "/":
            return html(page("Agency", self._form(), STYLE))
        if request.path == "/results":
            return html(self._results(kind, start))
        if request.path == "/data":
            return as_data(self._rows(kind), start)
        number = request.path.rpartition("/")[2]
        if request.path.startswith("/property/") and number.isdigit() and 0 < int(number[:9]) <= len(self.properties):
            one = self.properties[int(number) - 1]
            return html(page(one.street, f"<h1>{escape(one.street)}</h1><p id='price'>{one.price or 'on request'}</p>"))
        return html(page("Nothing", "<p>There is nothing here.</p>"), 404)

    def _form(self) -> str:
        kinds = "".join(f'<option value="{value}">{text}</option>' for value, text in TYPES.items())
        prices = "".join(f"<option>{price}</option>" for price in PRICES["1"])
        script = (
            f"<script>const PRICES = {json.dumps(PRICES)}; const kind = document.getElementById('sale_type_id');"
            "kind.addEventListener('change', () => setTimeout(() => { document.getElementById('price').innerHTML ="
            " PRICES[kind.value].map(one => '<option>' + one + '</option>').join(''); }, 20));</script>"
        )
        return (
            f'<form action="/results"><select id="sale_type_id" name="sale_type_id">{kinds}</select>'
            f'<select id="price" name="price">{prices}</select>'
            f'<button class="formbtn" type="submit">Search</button></form>{script if self.scripts else ""}'
        )

    def _rows(self, kind: str) -> list[str]:
        return [one.html() for one in self.properties if one.kind == kind]

    def _results(self, kind: str, start: str) -> str:
        rows = self._rows(kind)
        if self.scripts:
            asked = f"/data?sale_type_id={kind}"
            body = f'<div id="results"></div><p id="next"></p>{drawing(asked, "<a href=#>NEXT</a>")}'
            return page(f"{len(rows)} properties", body, STYLE)
        shown, following = cut(rows, start)
        more = f'<a href="/results?sale_type_id={kind}&amp;start={following}">NEXT</a>' if following else ""
        head = f"<p>{len(shown)} of {len(rows)} properties {more}</p>"
        foot = f'<p id="next">{more}</p>'
        return page(f"{len(rows)} properties", f'{head}<div id="results">{"".join(shown)}</div>{foot}', STYLE)
