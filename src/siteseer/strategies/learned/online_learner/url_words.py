"""Suspects a URL by its words and its link text: words for functions that software offers beside its content.

The opinion is a prior, never a veto: a class that it suspects is still given a second look (see `learner`). Words are
only looked for in short path words, parameter names and short values, and in short link texts: titles hold them too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

SEARCHES = frozenset(
    "search suche suchen recherche rechercher buscar busca cerca zoeken sok szukaj поиск find finder query".split()
)
"""Asking. A search that the site itself links, with its words, is a list."""
FUNCTIONS = SEARCHES | frozenset(
    # signing in and accounts
    "login logout signin signout signup logon logoff register registration password lostpassword forgot account auth "
    "oauth ucp usercp controlpanel anmelden abmelden registrieren registrierung passwort konto connexion deconnexion "
    "inscription inscrire identification acceder ingresar registrarse registro contrasena entrar cadastro accedi "
    "registrati inloggen aanmelden registreren logga zaloguj rejestracja вход войти регистрация "
    # writing
    "reply quote edit posting newreply newthread newtopic compose respond replytocom antwort "
    "antworten zitieren "
    "bearbeiten schreiben repondre reponse respuesta risposta resposta citer "
    "modifier editer responder citar editar rispondi modifica antwoord bewerken "
    "svara redigera odpowiedz cytuj edytuj ответить цитировать редактировать delete remove move lock vote rate like "
    "unlike poll löschen supprimer eliminar verwijderen "
    # other renderings
    "print printable printpage printview imprimer drucken imprimir stampa afdrukken pdf amp wap wap2 lofi epub "
    "download export exportxhtml "
    "raw source viewsource quelltext rss rss2 rdf atom feed feeds xml xmlrpc json oembed embed api "
    "wpjson trackback pingback backlink backlinks whatlinkshere cite permalinkpopup "
    # asking, sorting, mailing
    "advanced sort sortby sortdir orderby order dir asc desc ascending descending reverse sk sd mail email mailto "
    "sendpage sendtopic emailuser tellafriend share teilen partager compartir subscribe unsubscribe subscription "
    "notify watch follow bookmark favorite favourite abonnieren abonner suscribirse report melden signaler denunciar "
    # administration, help, machinery
    "admin administration administrator moderate moderation mcp modcp captcha cron ajax help hilfe aide ayuda "
    "css theme style skin lang language "
    "markread mark clear recent recentchanges changes mediamanager upload".split()
)
"""Things to do with a page rather than pages to read."""
SECTIONS = frozenset(
    "admin administration ajax api changes cron css download export help hilfe aide ayuda json lang language pdf print "
    "raw report skin source style theme xml".split()
)
"""Functions that sites also name a part of their pages after: one page of these may lead to many."""
OLDER_STATES = frozenset(
    "history historique historial geschichte revision revisions rev diff difftype compare oldid oldrevision version "
    "versions versionen versioni undo revert rollback".split()
)
"""Earlier states of pages: new text, but not what the site says now. They are never looked at twice."""
TALK = frozenset(
    "talk diskussion discussion discusión discussione discussão overleg dyskusja обсуждение обговорення "
    "ノート 讨论 討論 토론 diskuse diskusjon vita keskustelu tartışma pembicaraan συζήτηση "
    "שיחה نقاش بحث discuție diskusia razgovor беседа".split()
)
"""Namespaces of wikis in which the writers talk about the pages."""
PEOPLE_AND_DATES = frozenset(
    "profile profil profilo perfil profiles member members memberlist mitglied mitglieder membre membres miembros user "
    "users userlist benutzer utilisateur usuario usuarios gebruiker author authors autor autoren auteur autore people "
    "viewprofile whosonline online who stats statistics statistik team staff groups group showuser "
    "calendar kalender calendrier calendario day month week year date datum fecha monat woche jahr mois jour annee "
    "mes mese maand jaar "
    "tag tags tagged keyword keywords label schlagwort etiqueta "
    "unread unanswered newposts latest active activity recentposts top popular egosearch newest".split()
)
"""Other ways to arrange what is shown elsewhere: people, dates, tags, activity."""
TAXONOMIES = PEOPLE_AND_DATES | frozenset(
    "category categories cat kategorie kategorien categorie catégorie categoria categorias kategori kategoria section "
    "sections rubrik rubrique topics taxonomy series serie label labels".split()
)
"""What follows one of these words is a name."""
OVERVIEWS = frozenset(
    "allpages alleseiten toutespages touteslespages todaslaspáginas todasaspáginas tuttelepagine allepaginas allasidor "
    "wszystkiestrony всестраницы sitemap sitemaps seitenübersicht plandusite titleindex pageindex pagelist listpages "
    "webindex arcdir allarticles alltopics allposts fullindex".split()
)
"""Lists of everything: one request that may lead to what nothing else leads to."""
SOFTWARE_WORDS = (
    FUNCTIONS | OLDER_STATES | TAXONOMIES | frozenset("page seite pagina p comments comment topic thread post".split())
)
"""Path words that are never one name among many."""
NEIGHBOURS = frozenset(
    "next prev previous nextnewest nextoldest prevnext nexttopic prevtopic lastpost newpost unread last first gotolast "
    "getlastpost getnewpost newer older forward back".split()
)
"""Values that name a page by its place beside another one."""
ACTIONS = frozenset("post new create add index media info".split())
"""Values that name a function where they say what a script is to do, as in `action=post`."""
FEEDS = frozenset("rss rss2 rdf atom feed feeds xml json oembed".split())
PAGER_WORDS = frozenset(
    "next older newer previous prev last first more weiter nächste ältere zurück vorherige suivant suivante précédent "
    "siguiente anterior próxima próximo successivo precedente volgende vorige nästa föregående następna poprzednia "
    "следующая предыдущая далее назад page pages entries posts seite einträge pagina página strona страница entrées "
    "comments kommentare commentaires comentarios comentários commenti reacties komentarze комментарии replies "
    "» « › ‹ > < >> << → ← ...".split()
)
LONGEST_WORD = 20
LONGEST_TEXT = 25
_WORDS = re.compile(r"[^\W_]+(?:-[^\W_]+)?")
_PAGER_NUMBER = re.compile(r"[^\w#]*(?:page|seite|pagina|página|strona|страница|p\.?)?[^\w#]*\d{1,5}\W*", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_DATE_PART = re.compile(r"\d{1,2}|[A-Za-z]\d{1,4}|summary|index|page")
_DATE_VALUE = re.compile(r"(?:19|20)\d\d-[01]?\d(?:-[0-3]?\d)?|(?:19|20)\d\d[01]\d(?:[0-3]\d)?")
_NO_WORD = re.compile(r"[\W_]+")
_SEPARATOR = re.compile("[&;]")
_CAMEL = re.compile(r"(?<=[a-zäöü])(?=[A-Z])")
_NAMESPACE = re.compile(r"[/=]([^/=:?&;]{2,60})(?::|%3A)(?=[^/_])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Words:
    """The words that are held against URLs of one site: the usual ones and others, but those that were cleared."""

    others: frozenset[str] = frozenset()
    cleared: frozenset[str] = frozenset()

    def suspects(self, word: str, beside_number: bool) -> bool:
        """Say whether a word names a function; some do so only beside a number."""
        if word in self.cleared:
            return False
        return word in FUNCTIONS or word in self.others or "=" in word or (beside_number and word in NEIGHBOURS)


USUAL = Words()


def suspicious_word(url: str, text: str, held: Words = USUAL) -> tuple[str, str]:
    """Return (`older`, `function`, `talk`, `overview`, `arrangement` or an empty string) and the word that led to it.

    >>> suspicious_word("http://e.org/posting.php?mode=quote&p=12", "Reply with quote")
    ('function', 'posting')
    >>> suspicious_word("http://e.org/viewtopic.php?t=12", "How to print a poster")
    ('', '')
    >>> suspicious_word("http://e.org/author/ada/", "Ada")
    ('arrangement', 'author')
    >>> suspicious_word("http://e.org/wiki/Special:AllPages", "All pages")
    ('overview', 'allpages')
    """
    words, has_number, is_date = _url_words(url)
    if word := next((one for one in words if one in OLDER_STATES), ""):
        return "older", word
    if word := next((one for one in words if held.suspects(one, has_number)), ""):
        return "function", word
    if text and len(text) < LONGEST_TEXT:
        label = _WORDS.findall(text.lower())
        if len(label) <= 3 and (word := next((one for one in label if held.suspects(one, False)), "")):
            return "function", word
    if is_talk(url):
        return "talk", "talk"
    if word := next((one for one in (*words, "".join(_WORDS.findall(text.lower()))) if one in OVERVIEWS), ""):
        return "overview", word
    if word := next((one for one in words if one in TAXONOMIES), ""):
        return "arrangement", word
    return ("arrangement", "date") if is_date else ("", "")


def suspicious_words(url: str, text: str = "") -> set[str]:
    """Return every word of a URL and its link text that could be held against it."""
    return {*_url_words(url)[0], *_WORDS.findall(text.lower())}


@lru_cache(maxsize=10_000)
def _url_words(url: str) -> tuple[tuple[str, ...], bool, bool]:
    """Return the short words of a URL, whether a parameter is a number, and whether its path is a date."""
    _, _, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    words: list[str] = _words_of_path(path)
    values: list[str] = []
    has_number, is_date = False, _is_date_path(path)
    for part in _SEPARATOR.split(query)[:24] if query else ():
        name, _, value = part.partition("=")
        words += _short_words(name)
        values += _short_words(value if len(value) < LONGEST_WORD else _namespaced(value))
        if value in ACTIONS and name in ("action", "act", "mode", "do", "op", "task"):
            values.append(f"{name}={value}")
        has_number = has_number or value[:1].isdigit()
        is_date = is_date or bool(_DATE_VALUE.fullmatch(value))
    return (*words, *values), has_number, is_date


def _words_of_path(path: str) -> list[str]:
    """Return the short words of a path; what follows a taxonomy is a name, and a first segment is no older state."""
    found: list[str] = []
    before = ""
    for place, segment in enumerate(path.split("/")[:24]):
        name, _, aspect = segment.partition(";")
        words = _short_words(name.rpartition(".")[0] or name) if before not in TAXONOMIES else ()
        words += _short_words(aspect.partition("=")[0])
        found += [word for word in words if place or word not in OLDER_STATES]
        before = segment.lower()
    return found


def _namespaced(value: str) -> str:
    """Return the beginning of a long value, where that is the name of a namespace and one of its pages.

    >>> _namespaced("Special%3AWhatLinksHere/A_long_title"), _namespaced("A_long_title_of_a_page")
    ('Special:WhatLinksHere', '')
    """
    name = unquote(value[:200]).partition("/")[0]
    return name if ":" in name else ""


def directory(url: str) -> str:
    """Return the path of a URL without its last segment.

    >>> directory("http://e.org/guide/search.html?q=1"), directory("http://e.org/login")
    ('/guide/', '/')
    """
    path = url.partition("://")[2].partition("/")[2].partition("?")[0]
    return f"/{path.rpartition('/')[0]}/" if "/" in path else "/"


def is_talk(url: str) -> bool:
    """Say whether a URL names a page on which the writers of a wiki talk about another page.

    >>> is_talk("http://e.org/wiki/User_talk:Ada"), is_talk("http://e.org/w?title=Diskussion:Tee&action=raw")
    (True, True)
    >>> is_talk("http://e.org/discussion/7"), is_talk("http://e.org/wiki/Talk:")
    (False, False)
    """
    found = _NAMESPACE.search(url, url.find("/", 8))
    if found is None:
        return False
    name = unquote(found[1]).lower().replace("+", "_").replace(" ", "_").split("_")
    return name[0] in TALK or name[-1] in TALK


@lru_cache(maxsize=20_000)
def _short_words(text: str) -> tuple[str, ...]:
    """Return the words of a short name; a long one, or one with several hyphens, is a title."""
    if not text or len(text) > 60:
        return ()
    name = unquote(text)
    if len(name.rpartition(":")[2]) >= LONGEST_WORD or name.count("-") >= 2:
        return ()
    parts = tuple(piece.lower() for piece in _NO_WORD.split(_CAMEL.sub(" ", name)) if piece)
    wholes = {"".join(parts), _NO_WORD.sub("", name.rpartition(":")[2]).lower()}  # with and without a namespace
    return (*parts, *sorted(wholes - {*parts, ""}))


def _is_date_path(path: str) -> bool:
    """Say whether a path ends in a year, month or day and names no document.

    >>> _is_date_path("archives/2019/05.html"), _is_date_path("2019/05/a-title/"), _is_date_path("topic/2019")
    (True, False, False)
    """
    segments = [segment.rpartition(".")[0] or segment for segment in path.split("/") if segment]
    year = next((place for place, one in enumerate(segments) if _YEAR.fullmatch(one)), None)
    after = segments[year + 1 :] if year is not None else []
    return bool(after) and after[0].isdigit() and all(map(_DATE_PART.fullmatch, after))


def is_feed(url: str) -> bool:
    """Say whether a URL's short words name a feed.

    >>> is_feed("http://e.org/blog/feed/"), is_feed("http://e.org/feed-the-birds-today")
    (True, False)
    """
    path, _, query = url.partition("://")[2].partition("/")[2].partition("?")
    names = [part for pair in _SEPARATOR.split(query)[:24] for part in pair.split("=")[:2]] if query else []
    return any(word in FEEDS for word in (*_words_of_path(path), *(w for name in names for w in _short_words(name))))


def is_first(text: str) -> bool:
    """Say whether a link among those that go on in a list leads back to where the list begins.

    >>> is_first("1"), is_first("[1]"), is_first("2"), is_first("11")
    (True, True, False, False)
    """
    return _NO_WORD.sub("", text[:10]) == "1"


def is_pager(text: str, rel: tuple[str, ...]) -> bool:
    """Say whether a link goes on to a further part of the same list.

    >>> is_pager("2", ()), is_pager("Next »", ()), is_pager("Next steps for tea drinkers", ())
    (True, True, False)
    """
    if "next" in rel or "prev" in rel:
        return True
    short = text.strip()
    if not short or len(short) > 24:
        return False
    words = short.lower().split()
    return bool(_PAGER_NUMBER.fullmatch(short)) or (len(words) <= 4 and all(w in PAGER_WORDS for w in words))
