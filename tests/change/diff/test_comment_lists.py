"""Comments are found by what they look like, in any language and without telling names."""

# ruff: noqa: E501 - a language reads best on one line
from datetime import UTC, datetime

import pytest

from siteseer.change.diff import compare
from siteseer.model import Page
from siteseer.page.similarity.text_measures import count_words

TYPE = (("Content-Type", "text/html; charset=utf-8"),)
LANGUAGES = {
    "de": ("Der Fluss stieg über Nacht, und niemand am Hafen sah das Boot im Nebel. ", "Jürgen Weiß", "5. Mai 2024", "vor 3 Stunden", "Kommentare"),
    "fr": ("La rivière est montée pendant la nuit et personne au port ne vit le bateau. ", "Hélène", "5 mai 2024", "il y a 3 heures", "commentaires"),
    "es": ("El río creció durante la noche y nadie en el puerto vio el barco en la niebla. ", "Begoña", "5 de mayo de 2024", "hace 3 horas", "comentarios"),
    "ru": ("Река поднялась за ночь, и никто в гавани не увидел лодку в тумане утром. ", "Ольга", "5 мая 2024", "3 часа назад", "комментария"),
    "pl": ("Rzeka wezbrała w nocy i nikt w porcie nie zobaczył łodzi we mgle o świcie. ", "Łukasz", "5 maja 2024", "3 godziny temu", "opinie"),
    "tr": ("Nehir gece boyunca yükseldi ve limanda kimse sisin içindeki tekneyi görmedi. ", "Ayşe", "5 Mayıs 2024", "3 saat önce", "yorum"),
    "ar": ("ارتفع النهر خلال الليل ولم ير أحد في الميناء القارب وسط الضباب في الصباح. ", "ليلى", "5 مايو 2024", "منذ 3 ساعات", "تعليقات"),
    "he": ("הנהר עלה במשך הלילה ואיש בנמל לא ראה את הסירה בתוך הערפל בבוקר. ", "דנה", "5 במאי 2024", "לפני 3 שעות", "תגובות"),
    "zh": ("河水一夜之间上涨，港口没有人看见雾中的小船慢慢离开岸边。", "小明", "2024年5月5日", "3小时前", "评论"),
    "ja": ("川は一晩で増水し、港の誰も霧の中の小さな船を見なかったという。", "さくら", "2024年5月5日", "3時間前", "コメント"),
}  # fmt: skip


def page(body: str) -> Page:
    text = f"<html><body><div><a href=/>x</a> <a href=/y>y</a></div>{body}<div>2010-2024</div></body></html>"
    return Page("http://e.org/n/12", 200, TYPE, text.encode(), datetime(2024, 6, 1, tzinfo=UTC))


def in_blocks(name: str, when: str, text: str) -> str:
    return f"<div><div><b>{name}</b> <span>{when}</span></div><p>{text}</p></div>"


def in_turns(name: str, when: str, text: str) -> str:
    return f"<dt>{name}, {when}</dt><dd>{text}</dd>"


def text_first(name: str, when: str, text: str) -> str:
    return f"<li>{text}<br><small>— {name}, {when}</small></li>"


STYLES = {"blocks": (in_blocks, "div"), "turns": (in_turns, "dl"), "text first": (text_first, "ul")}


def article(code: str, style: str, comments: int, last: str = "", relative: bool = False) -> Page:
    prose, name, day, ago, heading = LANGUAGES[code]
    draw, tag = STYLES[style]
    drawn = "".join(draw(f"{name}{n}", ago if relative else day, f"{n} {prose}") for n in range(comments))
    body = "".join(f"<p>{n}. {prose * 3}</p>" for n in range(5))
    return page(f"<div><h1>{prose[:20]}</h1>{body}</div><h3>{comments} {heading}</h3><{tag}>{drawn}{last}</{tag}>")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("style", STYLES)
def test_comments_without_telling_names(code: str, style: str) -> None:
    assert compare(article(code, style, 3), article(code, style, 4)).verdict == "comments"
    assert compare(article(code, style, 3), article(code, style, 2)).verdict == "comments"
    assert compare(article(code, style, 2, relative=True), article(code, style, 3, relative=True)).verdict == "comments"


@pytest.mark.parametrize("code", LANGUAGES)
def test_an_edited_comment_is_no_edit_of_the_article(code: str) -> None:
    old, prose = article(code, "blocks", 3), LANGUAGES[code][0]
    new = old.body.decode().replace(f"2 {prose}</p>", f"2 {prose[:12]} 7 {prose[14:]}</p>")
    assert compare(old, Page(old.url, 200, TYPE, new.encode(), old.fetched_at)).verdict == "comments"
    edited = old.body.decode().replace(f"2. {prose}", f"2. {prose[6:]}", 1)
    assert compare(old, Page(old.url, 200, TYPE, edited.encode(), old.fetched_at)).verdict == "edited"


def test_the_first_comment_beside_a_form_also_without_a_date() -> None:
    prose = LANGUAGES["tr"][0]
    body = f"<div><h1>Nehir</h1><p>{prose * 4}</p><p>{prose[::-1] * 3}</p></div>"
    form = "<form method=post action=/say><textarea name=t></textarea></form>"
    none = page(f"{body}<h3>Henüz yorum yok</h3>{form}")
    dated = page(f"{body}<h3>Bir yorum</h3><div><b>Ayşe</b><i>5 Mayıs 2024</i><p>{prose}</p></div>{form}")
    undated = page(f"{body}<h3>Bir yorum</h3><div><b>Ayşe</b><p>{prose}</p></div>{form}")
    assert compare(none, dated).verdict == "comments"
    assert compare(undated, none).verdict == "comments"


def test_teasers_of_other_pages_are_no_comments() -> None:
    prose = LANGUAGES["de"][0]

    def with_teasers(first: int) -> Page:
        rows = "".join(
            f"<div><a href=/n/{n}>Was am Fluss Nummer {n} geschah</a> <i>{n}. Mai 2024</i><p>{prose}</p></div>"
            for n in range(first, first + 4)
        )
        return page(f"<div><h1>Fluss</h1><p>{prose * 5}</p></div><h3>Mehr</h3><div>{rows}</div>")

    assert compare(with_teasers(3), with_teasers(4)).verdict == "noise"


def test_the_first_post_of_a_thread_is_its_main_text() -> None:
    prose = LANGUAGES["fr"][0]

    def thread(first: str, posts: int) -> Page:
        rows = "".join(in_blocks(f"Loïc {n}", f"{n + 1} mai 2024", (prose if n else first) * 3) for n in range(posts))
        return page(f"<h1>Le port</h1><div>{rows}</div>")

    assert compare(thread(prose, 3), thread(prose, 4)).verdict == "comments"
    assert compare(thread(prose, 3), thread("Tout fut changé dans la ville basse. ", 3)).verdict == "edited"


def test_a_hashed_name_is_no_advertisement() -> None:
    prose = LANGUAGES["es"][0]
    old = page(f"<div class=c5ad31f><h1>Río</h1><p>{prose * 4}</p><p>{prose * 2}</p></div>")
    new = Page(old.url, 200, TYPE, old.body.replace(b"barco", b"tren", 1))
    assert compare(old, new).verdict == "edited"


def test_words_of_scripts_without_spaces_are_counted() -> None:
    assert count_words("港口没有人看见") == 4
    assert count_words("टिप्पणियाँ और") == 2
    assert count_words("One two") == 2
