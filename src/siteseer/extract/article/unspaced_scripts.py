"""Cuts text of scripts without spaces between words, or with signs that `\\w` does not know, into tokens.

Chinese, Japanese, Thai, Lao, Khmer and Burmese are written without spaces: a clause would count as one word. Two
ideographs, or four letters of the other scripts, make about a word of European length, which is all that the features
of blocks need; Python's `\\w` would also cut Thai and Hindi words at every vowel sign.
"""

from __future__ import annotations

import re

from siteseer.page.text import WORD

_PAIRS = (
    "\u3005-\u3007\u3040-\u309f\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)
"""Ideographs and kana."""
_FOURS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Thai and Lao, Burmese, Khmer."""
_SIGNED = "\u0900-\u0dff"
"""Scripts of India: words stand apart, but have signs in them."""
_ANY = re.compile(f"[{_PAIRS}{_FOURS}{_SIGNED}]")
_TOKEN = rf"[{_PAIRS}]{{1,2}}|[{_FOURS}]{{1,4}}|[{_SIGNED}]+|[^\W{_PAIRS}{_FOURS}{_SIGNED}]+"
UNSPACED_WORD = re.compile(_TOKEN)
_PARTICLES = frozenset(
    "的了是在和不有我他她这這那也就都而及与與或被把从從为為到对對于於之其将將"  # Chinese
    "はがをにでともへのたてるれ"  # Japanese
)


def is_unspaced(word: str) -> bool:
    """Say whether `\\w+` cuts text of this script badly.

    >>> is_unspaced("天气"), is_unspaced("été")
    (True, False)
    """
    return bool(_ANY.search(word))


def has_particle(token: str) -> bool:
    """Say whether a token of such a script holds a particle: what function words are elsewhere.

    >>> has_particle("的人"), has_particle("天气")
    (True, False)
    """
    return not _PARTICLES.isdisjoint(token)


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text.

    >>> tokens_of("天气很好。Fine weather")
    ['天气', '很好', 'Fine', 'weather']
    """
    return (WORD if text.isascii() else UNSPACED_WORD).findall(text)
