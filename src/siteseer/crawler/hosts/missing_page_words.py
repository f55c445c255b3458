"""Phrases of pages that say that there is no such page, by language: a hint, and no evidence."""

from __future__ import annotations

import re

from siteseer.model import Page
from siteseer.page.text import text, text_below
from siteseer.page.tree import is_html, title, tree
from siteseer.page.word_hashes import word_count

MOST_WORDS = 400
"""Of a page with more words, only title and headings are looked at."""
MOST_HEADINGS = 50

_NUMBER = re.compile(r"(?<![\w.,-])404(?![\w.,-])")
_PHRASES = re.compile(
    "|".join(
        (
            # English
            r"not (?:be )?(?:found|located)|no such|no longer (?:exists?|available|here)|non-?existent",
            r"(?:page|file|link) (?:is )?missing|(?:does|do|did)(?:n['’]?t| not) (?:\w+ to )?exist",
            r"(?:could|can)(?:['’]?t|not|n['’]t| not) find|nothing (?:was |has been )?(?:found|here)",
            r"(?:un|in)known (?:page|address|article|topic)",
            # German, Dutch, Scandinavian
            r"nicht (?:mehr )?(?:gefunden|vorhanden|verfügbar|auffindbar)|existiert (?:hier )?(?:noch )?nicht",
            r"gibt es nicht|niet gevonden|bestaat (?:nog )?niet|niet (?:meer )?beschikbaar",
            r"hittades (?:inte|ej)|finns (?:inte|ej)|inte hittas|ikke (?:fundet|funnet|findes)|fin(?:d|n)es ikke",
            r"eksisterer ikke|fannst ekki",
            # Romance languages
            r"introuvable|n['’]existe (?:pas|plus)|(?:pas|plus) (?:été |pu être )?(?:trouvée?|disponible)|aucune page",
            r"no (?:\w+ ){0,2}encontr|no existe|no s['’]ha trobat|no existeix|não (?:\w+ ){0,2}encontr|não existe",
            r"non (?:\w+ ){0,2}trovat|non esiste|nu (?:\w+ ){0,2}găsit|nu există",
            # Slavic and Baltic languages
            r"nie (?:\w+ ){0,2}(?:znalezion|odnalezion)|nie istnieje|nenalezen|nenájden|neexistuje|nebyla? nalezen",
            r"ni (?:\w+ ){0,2}najden|ne obstaja|nije prona[đd]en|ne postoji|nerast|neegzistuoja|neeksistē|nav atrast",
            r"не (?:\w+ )?(?:найден|знайден|намерен|пронађен)|не (?:существует|існує|съществува|постоји)",
            # other languages of Europe
            r"ei (?:\w+ )?(?:löyd|löyty|leitud)|ei ole olemassa|nem (?:található|létezik)|bulunama|mevcut değil",
            r"δεν (?:βρέθηκε|υπάρχει)|ez da (?:aurkitu|existitzen)",
            # languages of Asia and Africa
            r"לא נמצא|לא קיי|غير موجود|لم (?:يتم|نتمكن من) العثور|لا توجد|یافت نشد|پیدا نشد|وجود ندارد|نہیں مل",
            r"未找到|找不到|[沒没]有找到|不存在|見つかりません|存在しません|찾을 수 없|존재하지 않",
            r"नहीं मिल|পাওয়া যায়নি|không (?:tìm thấy|tồn tại)|tidak (?:ditemukan|dijumpai|ada)|ไม่พบ|haipatikani",
        )
    ),
    re.IGNORECASE,
)


def hints_at_missing_page(page: Page) -> bool:
    """Say whether title, headings or few words of a page are those of pages that say that there is no such page.

    >>> html = (("Content-Type", "text/html"),)
    >>> said = ("<title>Erreur 404</title>", "<h2>Página no encontrada</h2>", "<p>There is no such page.", "<p>Tea")
    >>> [hints_at_missing_page(Page("http://e.org/a", headers=html, body=body.encode())) for body in said]
    [True, True, True, False]
    """
    if not is_html(page):
        return False
    headings = tree(page).xpath("(//h1|//h2|//h3)")[:MOST_HEADINGS]
    named = " | ".join([title(page), *map(text_below, headings)])
    return bool(
        _NUMBER.search(named)
        or _PHRASES.search(named)
        or (word_count(page) <= MOST_WORDS and _PHRASES.search(text(page)))
    )
