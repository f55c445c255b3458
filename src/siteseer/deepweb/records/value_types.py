"""Recognises the type of a value from its text (number, price, date, name), and parses it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date
from typing import Literal

from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import NOTHING_KNOWN, read_date

Type = Literal["text", "number", "price", "date"]
MOST = 0.9
"""This share of a column's values must be of a kind for the column to be of it."""
MOST_UNITS, OTHER_UNITS = 4, 0.1
"""Numbers stand beside so few different words, or this share of their own number: "page", "pages", "from"."""
LONGEST = 80
"""A longer text may have a number in it but is none."""
_NUMBER = re.compile(
    r"[-−]?\d{1,3}(?:[., '\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|[-−]?\d{1,15}(?:[.,]\d{1,6})?(?!\d)"
)
_CURRENCY = re.compile(
    r"[$€£¥₹₽₩₺¢]|\b(?:eur|usd|gbp|chf|jpy|cad|aud|sek|nok|dkk|pln|czk|inr|rub|euros?|dollars?|pounds?|fr\.?)\b",
    re.IGNORECASE,
)
_ISO = re.compile(r"^\d{4}-\d{2}(?:-\d{2})?(?:[T ].{0,30})?$")
_YEAR = re.compile(r"^\(?(1[0-9]\d{2}|20\d{2})\)?$")
_SPACES = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """Return a text in its normal form: lower case without accents, words separated by single spaces.

    >>> fold("  Café—NOIR ")
    'cafe noir'
    """
    low = unicodedata.normalize("NFKD", text.casefold())
    return _SPACES.sub(" ", "".join(letter for letter in low if not unicodedata.combining(letter))).strip()


def amount(text: str) -> float | None:
    """Return the number in a text that holds little else: prices, counts, years.

    >>> amount("£1,234.50"), amount("15,59 EUR"), amount("1.200"), amount("(1999)")
    (1234.5, 15.59, 1200.0, 1999.0)
    >>> amount("from 3 to 5"), amount("B33")
    (None, None)
    """
    if len(text) > LONGEST:
        return None
    found = list(_NUMBER.finditer(text))
    if len(found) != 1:
        return None
    before, after = (_words(part) for part in (text[: found[0].start()], text[found[0].end() :]))
    if _is_code(text, found[0].start()):
        return None
    if before + after > (1 if before else 2) or any(map(str.isdigit, text.replace(found[0][0], "", 1))):
        return None
    return _float(found[0][0])


def _is_code(text: str, at: int) -> bool:
    """Say whether a number follows letters that are no currency: a shelfmark, a model."""
    joined = re.search(r"[^\W\d_]+[./-]?$", text[max(0, at - 20) : at])
    return joined is not None and not _CURRENCY.fullmatch(joined[0])


def _words(text: str) -> int:
    return len(_SPACES.sub(" ", _CURRENCY.sub(" ", text)).split())


def _float(text: str) -> float | None:
    digits = re.sub(r"[ '\u00a0\u202f]", "", text).replace("−", "-")
    marks = [mark for mark in digits if mark in ".,"]
    last = digits.rfind(marks[-1]) if marks else -1
    is_decimal = bool(marks) and (len(set(marks)) == 2 or (len(marks) == 1 and len(digits) - last - 1 != 3))
    if is_decimal:
        digits = digits[:last].replace(".", "").replace(",", "") + "." + digits[last + 1 :]
    else:
        digits = digits.replace(".", "").replace(",", "")
    try:
        return float(digits)
    except ValueError:
        return None


def is_price(text: str) -> bool:
    """Say whether a text is an amount of money, and nothing else.

    >>> is_price("£ 3.50"), is_price("12"), is_price("EUR"), is_price("Tea £ 3.50")
    (True, False, False, False)
    """
    return bool(_CURRENCY.search(text)) and amount(text) is not None and not unit_of(text)


def unit_of(text: str) -> str:
    """Return the unit beside a number, without currencies.

    >>> unit_of("12 Pages"), unit_of("£ 3"), unit_of("VLDB 2012")
    ('pages', '', 'vldb')
    """
    return fold(re.sub(r"\d+", " ", _CURRENCY.sub(" ", text)))


def day(text: str, context: DateContext = NOTHING_KNOWN) -> str | None:
    """Return the date in a text as ISO 8601; a year alone stays a year.

    >>> day("3 May 2014"), day("1999"), day("tea")
    ('2014-05-03', '1999', None)
    """
    short = text.strip()
    if len(short) > LONGEST:
        return None
    if year := _YEAR.match(short):
        return year[1]
    if _ISO.match(short):
        return short[:10]
    found = read_date(short, context)
    return found.iso[:10] if found is not None else None


def order(text: str) -> float | None:
    """Return the number by which values are sorted: the amount, or the day of a date.

    >>> order("2014-05-03") < order("2014-06-01"), order("£ 3.50")
    (True, 3.5)
    """
    said = amount(text)
    if said is not None:
        return said
    when = day(text)
    if when is None:
        return None
    try:
        return float(date.fromisoformat(when).toordinal()) if len(when) == 10 else float(when)
    except ValueError:
        return None


def type_of(values: Iterable[str]) -> Type:
    """Return the type of most values.

    >>> type_of(["£ 3.50", "£ 12.00"]), type_of(["1999", "2004"]), type_of(["3", "12"]), type_of(["Tea", "Rye"])
    ('price', 'date', 'number', 'text')
    >>> type_of(["1 page", "12 pages"]), type_of(["Room 3", "Hall 4", "Loft 1", "Shed 2", "Barn 9"])
    ('number', 'text')
    """
    known = list(dict.fromkeys(values))[:300]
    if not known:
        return "text"
    enough = MOST * len(known)
    numbers = [text for text in known if amount(text) is not None]
    if len({unit_of(text) for text in numbers}) > max(MOST_UNITS, OTHER_UNITS * len(numbers)):
        numbers = []  # names with a number
    if sum(bool(_CURRENCY.search(text)) for text in numbers) >= enough:
        return "price"
    if sum(day(text) is not None for text in known) >= enough:
        return "date"
    return "number" if len(numbers) >= enough else "text"
