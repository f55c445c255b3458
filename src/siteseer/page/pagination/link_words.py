"""Words and signs of pagination links in many languages, and of links that only resemble them."""

# ruff: noqa: E501 - lists of words read better unbroken

from __future__ import annotations

import re
from functools import lru_cache

_NEXT = """next nxt forward older more continue continued weiter nächste nächsten nächster nächstes vorwärts ältere mehr suivant suivante suivantes
    suivants siguiente siguientes próximo próxima próximos proximo proxima proximos más mas seguinte seguintes mais successivo successiva successivi avanti
    prossimo prossima volgende verder ouder oudere nästa äldre neste næste seuraava vanhemmat następna następny następne dalej starsze další dalsi ďalšie
    ďalšia következő tovább următoarea următorul următoare înainte sonraki ileri следующая следующие следующий далее вперед вперёд дальше наступна наступні
    далі следваща напред επόμενη επόμενο επομενη הבא הבאים التالي التالية بعدی 次へ 次の 次ページ 次 下一页 下一頁 下页 下頁 后页 다음 ถัดไป tiếp sau berikutnya
    selanjutnya lanjut järgmine kitas nākamā sljedeća sledeća sledeće naslednja अगला"""
_PREVIOUS = """prev previous back newer earlier zurück vorherige vorherigen vorheriger vorige vorigen neuere précédent précédente précédentes precedent
    precedente precedenti retour anterior anteriores terug nieuwere nieuwer föregående tillbaka nyare forrige edellinen uudemmat poprzednia poprzedni
    poprzednie wstecz nowsze předchozí predchozi předešlé predchádzajúce előző vissza anterioara înapoi inapoi önceki geri предыдущая предыдущие
    предыдущий назад попередня попередні предишна προηγούμενη προηγούμενο הקודם הקודמים السابق السابقة قبلی 前へ 前の 前ページ 前 上一页 上一頁 上页 上頁 前页
    이전 ก่อนหน้า trước sebelumnya eelmine ankstesnis iepriekšējā prethodna prethodni prejšnja पिछला"""
_FIRST = """first begin start erste anfang début debut premier première premiere primero primera primer primeiro primeira inicio início primo prima inizio
    eerste första første ensimmäinen pierwsza první prvni első ilk первая первый начало перша πρώτη 最初 首页 首頁 第一页 처음 প্রথম"""
_LAST = """last end letzte ende dernier dernière derniere fin último última ultimo ultima fine laatste sista siste sidste viimeinen ostatnia poslední
    posledni utolsó son последняя последний конец остання τελευταία 最后 最後 末页 末頁 尾页 마지막 শেষ"""
PAGE = r"page|pages|pg|seite|página|pagina|pág|strona|str|stránka|strana|oldal|sayfa|страница|стр|стор|σελίδα|sida|side|sivu|ページ|页|頁|페이지|halaman|trang"
MARKS = {
    word: mark
    for mark, listed in (("last", _LAST), ("first", _FIRST), ("prev", _PREVIOUS), ("next", _NEXT))
    for word in listed.split()
}
"""Word to what it says of a link."""
TOKEN = re.compile(r"\w+")
BESIDE = frozenset(
    """the a of to in on view show go and page pages seite seiten página páginas pagina pagine pág strona strony stránka strana oldal sayfa страница
    страницы стр стор σελίδα sida sidan side sivu ページ 页 頁 페이지 halaman trang posts entries results items articles records messages comments
    topics threads issues matches hits books products stories listings einträge beiträge ergebnisse treffer artikel kommentare datensätze
    entrées résultats articles messages billets commentaires notices fiches la le les de des du el los las resultados artículos entradas mensajes
    comentarios registros o os as artigos postagens itens risultati articoli messaggi voci commenti il lo gli i berichten resultaten
    reacties items poster inlägg resultat kommentarer innlegg wpisy wyniki komentarze příspěvky výsledky записи записей сообщения сообщений
    результаты результатов комментарии статьи новости sonuçlar yazılar ergebnis die der den nach weitere icon icons arrow chevron
    angle caret btn button nav main link pager pagination right left fa glyphicon img image""".split()
)
"""Words that may stand beside one that says next or previous without changing what it says: pages and what lists list."""
ARROW_NEXT = frozenset("›»>→▶►⇒⟩❯▸≫⏵❭➡")
ARROW_PREVIOUS = frozenset("‹«<←◀◄⇐⟨❮◂≪⏴❬⬅")
NUMBER = re.compile(
    rf"^[\[(\-–|·.•\s]*(?:(?:{PAGE})\.?\s?)?(\d{{1,3}}(?:[,. ]\d{{3}})+|\d{{1,6}})\s?(?:页|頁|ページ|페이지)?[\])\-–|·,.•\s]*$"
)
RANGE = re.compile(r"^\[?\d{1,6}\s?(?:-|–|—|\.\.|to|bis|à)\s?\d{1,6}\]?$")
PAGE_WORD_IN_URL = re.compile(
    r"(?:^|[/?&;_.\-=])(?:page|paged|pages|p|pg|pn|pageno|page_?no|page_?num(?:ber)?|pageindex|page_?id|seite|s|pagina|pag|str|strana|strona|stranica|sayfa|"
    r"sida|side|sivu|oldal|blatt|start|offset|from|skip|begin|limitstart|startat|first|index|list|st|cpage|currentpage|pagenr|comment-page|updated-max|before|after|cursor)"
    r"[=/_.\-,]?(\d{1,7})?(?![a-z])",
    re.IGNORECASE,
)
PAGER_CLASS = re.compile(
    r"pag(?:e|er|ing|in|ination|inator|enav|es|elinks|enumber)?(?:$|[^a-z]|nav|num|link)|pagin|pager|seiten|blaetter|page-?numbers|nav(?:links|-links)|wp-pag|older|newer|nextpost|prevpost"
)
NEXT_CLASS = re.compile(r"next|older|forward|weiter|suivant|siguiente|arrow-?r|right")
PREVIOUS_CLASS = re.compile(r"prev|newer|back|zurueck|preced|anterior|arrow-?l|left")
OTHER_CLASS = re.compile(
    r"calend|menu|comment-?(?:count|link|num)|comments-link|tag-?cloud|archive|rating|slide|carousel|gallery|social|share|widget|sidebar|footer|header|breadcrumb|category|login|month|day|date|"
    r"score|vote|tab|dropdown|related|thumb|lang|size|limit|per-?page"
)
SIZES = re.compile(
    r"(?:per.?page|pro seite|par page|limit|ipp|pagesize|page_size|show|anzahl|count|results)[=/]\d", re.IGNORECASE
)


@lru_cache(maxsize=10_000)
def says_only_direction(text: str) -> bool:
    """Say whether a text consists of next, previous, first or last, and words for pages or list entries.

    >>> [says_only_direction(one) for one in ("next >>", "older posts", "next 20 results", "next topic", "last post")]
    [True, True, True, False, False]
    """
    tokens = TOKEN.findall(text)
    if not tokens:
        arrows = set(text.replace(" ", ""))
        return bool(arrows) and (arrows <= ARROW_NEXT or arrows <= ARROW_PREVIOUS)
    said = [MARKS.get(token) for token in tokens]
    rest = [token for token, mark in zip(tokens, said, strict=True) if mark is None and not token.isdigit()]
    if not text.isascii() and len(tokens) == 1 and rest:  # written without spaces
        return any(token.startswith(word) for token in rest for word in _UNSPACED)
    return any(said) and all(token in BESIDE for token in rest)


def says_only_number(text: str) -> bool:
    """Say whether a text is the number of a page, or a range of entries.

    >>> says_only_number("page 3"), says_only_number("21-40"), says_only_number("3 comments")
    (True, True, False)
    """
    return bool(NUMBER.match(text) or RANGE.match(text))


_UNSPACED = tuple(
    word for word, mark in MARKS.items() if mark in ("next", "prev") and re.match(r"[\u3040-\u9fff\uac00-\ud7af]", word)
)
