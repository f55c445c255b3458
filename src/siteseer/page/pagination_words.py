"""The words and signs of links between the pages of a list, in many languages; and of links that only look like them."""

# ruff: noqa: E501 - lists of words read better unbroken

from __future__ import annotations

import re

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
_PAGE = r"page|pages|pg|seite|página|pagina|pág|strona|str|stránka|strana|oldal|sayfa|страница|стр|стор|σελίδα|sida|side|sivu|ページ|页|頁|페이지|halaman|trang"
MARKS = {
    word: mark
    for mark, listed in (("last", _LAST), ("first", _FIRST), ("prev", _PREVIOUS), ("next", _NEXT))
    for word in listed.split()
}
"""Word to what it says of a link."""
TOKEN = re.compile(r"\w+")
ARROW_NEXT = frozenset("›»>→▶►⇒⟩❯▸≫⏵❭➡")
ARROW_PREVIOUS = frozenset("‹«<←◀◄⇐⟨❮◂≪⏴❬⬅")
NUMBER = re.compile(
    rf"^[\[(\-–|·.•\s]*(?:(?:{_PAGE})\.?\s?)?(\d{{1,3}}(?:[,. ]\d{{3}})+|\d{{1,6}})\s?(?:页|頁|ページ|페이지)?[\])\-–|·,.•\s]*$"
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
