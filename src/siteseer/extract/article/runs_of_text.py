"""Tells what a run of text says: its text, set phrases in it, its sentences; runs that were met before cost nothing.

Menus and buttons stand on every page of a site.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import re2
from numpy.typing import NDArray

from siteseer.extract.article.marked_text import LINK, LINKED
from siteseer.extract.article.token_features import packed_codes
from siteseer.extract.article.unspaced_scripts import tokens_of

PHRASES = ("kw", "copy", "date", "by")
"""Kinds of set phrases: of the page's furniture, of rights and offers, of dates, of authors."""
_PATTERNS = (
    r"^\W*(share|print|e-?mail|tweet|comments?|related|read more|more on|more from|advertisement|click here"
    r"|sign up|follow"
    r"|photos?|see also|also (see|on|read)|watch|video|back to|return to|recommend|subscribe|most popular|top stories"
    r"|previous|next|page \d|posted|published|updated|last updated|filed under|tags?|topics?|source|copyright|©"
    r"|all rights|credit|image|editor'?s? (note|picks?)|contact|story highlights|get the|join|full story|listen|discuss"
    r"|add (a )?comment|reply|send|save|permalink|loading|skip|leave a|log ?in|register|you may also|trending|featured"
    r"|mehr zum thema|lesen sie auch|kommentare?|drucken|teilen|anzeige|werbung|à lire aussi|lire aussi"
    r"|partager|publicité"
    r"|compartir|lea también|leer más|comentarios|publicidad|leggi anche|condividi|commenti|pubblicità)(\W|$)"
    r"|^\W*(分享|打印|評論|评论|相关|相關|推荐|推薦|更多|上一篇|下一篇|返回|来源|來源"
    r"|责任编辑|責任編輯|标签|標籤|收藏|登录|注册|广告"
    r"|シェア|印刷|コメント|関連|おすすめ|もっと|前へ|次へ|戻る|タグ|ログイン|広告"
    r"|แชร์|พิมพ์|ความคิดเห็น|ข่าวที่เกี่ยวข้อง|อ่านเพิ่มเติม|ก่อนหน้า|ถัดไป|แท็ก|เข้าสู่ระบบ|โฆษณา)",
    r"copyright|©|all rights reserved|may not be (published|reproduced)|terms of (use|service)|privacy policy"
    r"|contributed to this report|newsletter|subscribe|e-?mail (us|address)|sign up|click here"
    r"|follow .{0,40}(twitter|facebook)|(^|\s)@\w+|getty images|\(ap photo|reuters|cookies"
    r"|alle rechte vorbehalten|tous droits réservés|todos los derechos|tutti i diritti"
    r"|版权所有|版權所有|转载|轉載|著作権|無断転載|สงวนลิขสิทธิ์|ลิขสิทธิ์",
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}\b"
    r"|\d{1,2}[:.]\d\d ?(am|pm|a\.m|p\.m|et\b|gmt|est|edt|uhr)"
    r"|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\b\d{4}-\d\d-\d\d|\d+ (hours?|minutes?|days?) ago"
    r"|\b\d{1,2}\.? (jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez"
    r"|janv|févr|avril|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)"
    r"|\d{4} ?年 ?\d{1,2} ?月|\d+ ?(小时|小時|分钟|分鐘|天|時間|分|日)前|\d{1,2} (มกราคม"
    r"|กุมภาพันธ์|มีนาคม|เมษายน|พฤษภาคม|มิถุนายน"
    r"|กรกฎาคม|สิงหาคม|กันยายน|ตุลาคม|พฤศจิกายน|ธันวาคม|ม\.ค\.|ก\.พ\.|มี\.ค\.|เม\.ย\.|พ\.ค\.|มิ\.ย\.|ก\.ค\.|ส\.ค\.|ก\.ย\.|ต\.ค\.|พ\.ย\.|ธ\.ค\.)",
    r"^\W*((by|von|par|por|posted by|written by|reported by)\s|(作者|记者|記者|文|撰文|執筆|โดย|ผู้เขียน)\W*[:：/／ ])",
)
_PHRASED = 600
"""Characters: a longer text is no line of the page's furniture."""
_ENDS = frozenset(".!?\"”’')…。」»！？』）")
_LINKS = re.compile(f"[{LINK}{LINKED}]")
_MOST = 255
_LONGEST, _LIMIT = 80, 50_000


class RunFacts(NamedTuple):
    """What a run of text says."""

    text: str
    """Without marks, spaces folded."""
    numbers: bytes
    """Set phrases as bits, ends of sentences, commas, whether it ends as a sentence does."""
    words: bytes = b""
    """Its words as numbers of 64 bits."""
    linked: int = 0
    """Words inside links."""
    links: int = 0
    """Pieces of text inside links."""


def _compile() -> re2.Set:
    patterns = re2.Set.SearchSet()
    for pattern in _PATTERNS:
        patterns.Add(f"(?i){pattern}")
    patterns.Compile()
    return patterns


_SET = _compile()
_known: dict[str, RunFacts] = {}


def phrases(text: str) -> list[int]:
    """Return the numbers of the kinds of set phrases that a text holds.

    >>> [PHRASES[number] for number in phrases("By Ann Example, 3 May 2020")]
    ['date', 'by']
    """
    return sorted(_SET.Match(text) or ())


def facts_of_runs(runs: Sequence[str]) -> tuple[list[int], list[RunFacts]]:
    """Return the places of runs that hold words, and what they say."""
    known = _known.get
    told = [(place, known(run) or facts_of_run(run)) for place, run in enumerate(runs) if run and not run.isspace()]
    return [place for place, facts in told if facts.words], [facts for _, facts in told if facts.words]


def facts_of_run(run: str) -> RunFacts:
    """Return what a run of text with its marks says.

    >>> facts = facts_of_run(f" One, {LINK} two{LINKED}. Three! ")
    >>> facts.text, list(facts.numbers), len(facts.words) // 8, facts.linked, facts.links
    ('One, two. Three!', [0, 2, 1, 1], 3, 1, 1)
    """
    linked: list[str] = []
    plain = run
    if LINK in run:
        pieces = _LINKS.split(run)
        plain, linked = "".join(pieces), [piece for piece in pieces[1::2] if not piece.isspace()]
    text = " ".join(plain.split())
    kinds = _SET.Match(text) if len(text) <= _PHRASED else None
    bits = sum([1 << kind for kind in kinds]) if kinds else 0
    stops, commas = text.count(".") + text.count("!") + text.count("?"), text.count(",")
    if not text.isascii():
        stops += text.count("。") + text.count("！") + text.count("？")
        commas += text.count("，") + text.count("、")
    numbers = bytes((bits, min(stops, _MOST), min(commas, _MOST), text[-1:] in _ENDS))
    words = packed_codes(text)
    count = 0
    if linked:
        is_link = len(linked) == 1 and linked[0].strip() == text
        count = len(words) // 8 if is_link else len(tokens_of(" ".join(linked)))
    found = RunFacts(text, numbers, words, count, len(linked))
    if len(run) <= _LONGEST:
        if len(_known) >= _LIMIT:
            _known.clear()
        _known[run] = found
    return found


def numbers_of(facts: Sequence[RunFacts]) -> NDArray[Any]:
    """Return the numbers of runs, a column for each."""
    return np.frombuffer(b"".join([one.numbers for one in facts]), np.uint8).reshape(-1, 4)
