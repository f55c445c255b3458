"""Forms that cannot be understood: one clear sentence, and nothing more is asked."""

from __future__ import annotations

import pytest

from siteseer.deepweb.sampling.query_budget import LoginNeededError, NoAnswerError
from siteseer.model import Page
from tests.deepweb.small_sites import DRAWN, FORM, ORIGIN, SmallSite

HTML = (("Content-Type", "text/html"),)
LOGIN = b'<form action="/in" method=post><input name=user><input type=password name=p><button>Login</button></form>'


class Answering(SmallSite):
    """A site whose form always answers the same way."""

    def __init__(self, status: int, body: bytes, url: str = "") -> None:
        super().__init__(DRAWN["cards"])
        self.answer_with = status, body, url

    def get(self, url: str, body: bytes = b"") -> Page:
        page = super().get(url, body)
        if "/find" not in url:
            return page
        status, said, moved = self.answer_with
        return Page(moved or url, status, HTML, said)


def test_every_answer_is_an_error() -> None:
    site = Answering(500, b"<p>Internal error</p>")
    with pytest.raises(NoAnswerError, match=r"every answer of the form of http://small\.example/ is an error \(500\)"):
        site.understand()
    assert len(site.requests) == 4, "the page, the form as it stands, a nonsense word, and one real question"


def test_what_finds_nothing_may_be_an_error_by_its_status() -> None:
    class Strict(SmallSite):
        def get(self, url: str, body: bytes = b"") -> Page:
            page = super().get(url, body)
            is_bad = b"Nothing was found" in page.body or b"Please say" in page.body
            return Page(page.url, 404 if is_bad else 200, page.headers, page.body)

    site = Strict(DRAWN["cards"])
    assert len(site.understand().records) == len(site.rows)


def test_an_error_that_its_status_does_not_tell_is_heard_by_its_words() -> None:
    site = Answering(200, b"<h1>Books</h1><p>Es ist ein Fehler aufgetreten.</p>")
    with pytest.raises(NoAnswerError, match=r'says the same \("Es ist ein Fehler aufgetreten\."'):
        site.understand()
    assert len(site.requests) == 5


def test_every_answer_says_the_same_though_it_is_no_error_by_its_status() -> None:
    site = Answering(200, b"<h1>Books</h1><p>The catalogue is closed today.</p>")
    with pytest.raises(NoAnswerError, match=r'says the same \("The catalogue is closed today\."'):
        site.understand()
    assert len(site.requests) == 7


def test_an_advert_that_changes_beside_the_same_sentence_is_no_record() -> None:
    site = Answering(200, b"")
    rows = ("<td>Books", "<td class=side>Advert {}<td>The catalogue is closed today.", "<td>Foot")
    frame = f"<table class=page>{''.join(f'<tr>{row}' for row in rows)}</table>"

    def get(url: str, body: bytes = b"") -> Page:
        page = SmallSite.get(site, url, body)
        return Page(url, 200, HTML, frame.format(len(site.requests)).encode()) if "/find" in url else page

    site.get = get  # type: ignore[method-assign]
    with pytest.raises(NoAnswerError, match=r'says the same \("The catalogue is closed today\."'):
        site.understand()


@pytest.mark.parametrize(
    ("status", "body", "url"),
    [(401, b"Who are you?", ""), (403, LOGIN, ""), (200, LOGIN, f"{ORIGIN}/account?next=/find")],
)
def test_a_login_is_needed(status: int, body: bytes, url: str) -> None:
    site = Answering(status, body, url)
    with pytest.raises(LoginNeededError, match="needs a login"):
        site.understand()
    assert len(site.requests) <= 3


@pytest.mark.parametrize(
    ("body", "error", "words"),
    [
        (LOGIN, LoginNeededError, "only has a form to log in"),
        (b"<p>Hello</p>", NoAnswerError, "there is no form"),
        (
            b"<form action=/order method=post><input name=card><button>Buy now</button></form>",
            NoAnswerError,
            "without a person",
        ),
    ],
)
def test_pages_without_a_search_form(body: bytes, error: type[Exception], words: str) -> None:
    class Other(SmallSite):
        def get(self, url: str, body_: bytes = b"") -> Page:
            self.requests.append(url)
            return Page(url, 200, HTML, body)

    site = Other(DRAWN["cards"])
    with pytest.raises(error, match=words):
        site.understand()
    assert len(site.requests) == 1


def test_a_site_with_its_login_form_on_every_page_needs_none() -> None:
    class Headed(SmallSite):
        def get(self, url: str, body: bytes = b"") -> Page:
            page = super().get(url, body)
            form = FORM.format(method="get").encode()
            return Page(page.url, page.status, page.headers, LOGIN + form + page.body)

    from siteseer.deepweb.understanding import Options

    assert len(Headed(DRAWN["table"]).understand(options=Options(budget=25)).records) > 10
