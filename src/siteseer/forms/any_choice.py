"""Recognises choices that mean "any", "all", "none" or "please choose", by their labels, in many languages.

A value of `0` or `-1` alone says nothing: some forms number their choices from 0, others write "any" as 0.
"""

# ruff: noqa: E501 - lists of words read better unbroken

from __future__ import annotations

import re

from siteseer.forms.field_concepts import folded
from siteseer.forms.form import Choice, Field

_NOTHING_VALUES = frozenset(("0", "-1", "00", "none", "null", "nil", "false", "undefined"))
"""Values that mean nothing where the label agrees."""
_ANY_VALUES = frozenset(
    ("", "*", "%", "all", "any", "every", "alle", "tous", "todos", "todas", "tutti", "_all", "_any")
)
_EDGES = (0, 1)
"""Places of a list at which "all" and "please choose" stand; in the midst "All Saints" is a name."""
_WORDS = (
    "all any every everything everywhere anything anywhere whatever choose select please either irrelevant "
    "alle alles beliebig beliebige beliebiger egal jede jeder bitte wahlen auswahlen wahle "
    "tous toutes tout toute choisir choisissez choisis indifferent selectionner selectionnez "
    "todos todas todo toda cualquier cualquiera elegir elija elige seleccione selecciona seleccionar "
    "qualquer escolha escolher selecione selecionar tutti tutte tutto qualsiasi qualunque scegli "
    "seleziona tots totes qualsevol kies selecteer maakt alla valfri valfritt valj vilken velg vaelg vælg uansett "
    "kaikki valitse mikatahansa wszystkie wszystko wszyscy dowolny dowolna dowolne wybierz vse vsechny vsechno "
    "vsetky vsetko lubovolne libovolne libovolny vyberte zvolte osszes mindegyik minden barmely valassz valasszon "
    "toate toti oricare orice alege alegeti selectati tum tumu tumunu hepsi herhangi farketmez seciniz secin sve svi "
    "odaberi odaberite izberi izberite vsi visi visas visos pasirinkite izvelieties koik vali "
    "semua pilih "
    "все всё всех любой любая любое любые выберите выбрать неважно всі усі будь оберіть виберіть всички "
    "изберете сви све изаберите ολα ολες ολοι ολο επιλεξτε επιλογη καθε הכל הכול בחר בחרו כל الكل كل جميع اختر أي همه انتخاب"
).split()
_NONE = (
    "none nothing keine keiner kein aucun aucune ninguno ninguna nenhum nenhuma nessuno nessuna geen ingen inga zaden zadny brak никакой 없음 无 なし"
).split()
"""These only alone: "No balcony" is a choice."""
_PARTS = (
    "すべて 全て 全部 全件 全体 指定なし 指定しない こだわらない 問わない 選択して 選択なし お選び 所有 不限 任意 请选择 請選擇 选择 選擇 无限制 전체 모두 모든 선택 "
    "상관없음 ทั้งหมด เลือก सभी कोई चुनें সব"
).split()
"""In languages that write no spaces between words, or join them: found at the beginning or at the end."""
_PHRASES = (
    "no preference|no selection|not specified|not important|does ?n.?t matter|don.?t care|n.importe|peu importe|pas de preference|"
    "ohne angabe|keine (?:angabe|auswahl|praferenz|einschrankung)|aucune preference|sin preferencia|nessuna preferenza|me da igual|sin especificar|sem preferencia|non specificato|geen voorkeur|не важно|не указан|не выбран|tất cả|bất kỳ|chọn (?:một|danh)|vui lòng chọn"
)
_LAST = (
    "any all alle tous toutes todos todas tutti tutte wahlen auswahlen valj velg kies seciniz secin valitse vyberte wybierz все"
).split()
_LAST_PARTS = "選択 してください すべて 指定なし 全部 不限 선택 전체".split()
"""What may end such a label: "Rubrik wählen", "Category: any"."""


_EDGE = re.compile(r"^[\W_]+|[\W_]+$")


def _bare(text: str) -> str:
    """Return a text as it is compared: folded, without what is around its words."""
    return _EDGE.sub("", folded(text))


def _alternatives(words: list[str]) -> str:
    return "|".join(sorted({re.escape(_bare(word)) for word in words}, key=len, reverse=True))


_BEGINS = re.compile(rf"(?:{_alternatives(_WORDS)})\b|{_alternatives(_PARTS)}|{folded(_PHRASES)}")
_ALONE = re.compile(rf"(?:{_alternatives(_NONE)})")
_ENDS = re.compile(rf"(?:(?<!\w)(?:{_alternatives(_LAST)})|{_alternatives(_LAST_PARTS)})$")
_DRESSED = re.compile(r"^\s*(?:[-–—=*<(\[.·…]|\.\.)+\s*\S.*[-–—=*>)\]…]\s*$|(?:…|\.{2,})\s*$")
"""Labels in dashes, brackets or with dots at the end: "--- Kitchen ---", "Kitchen…"."""


def says_any(label: str) -> bool:
    """Say whether a label says that a field does not matter, or that one should choose.

    >>> [says_any(label) for label in ("Alle", "すべて", "Any kitchen", "- bitte wählen -", "Rubrik wählen", "Kitchen: any", "")]
    [True, True, True, True, True, True, True]
    >>> [says_any(label) for label in ("Allspice", "Georgian", "Basement", "Selected poems", "全国", "0")]
    [False, False, False, False, False, False]
    """
    bare = _bare(label)
    return not bare or bool(_BEGINS.match(bare) or _ENDS.search(bare) or _ALONE.fullmatch(bare))


def is_any(value: str, label: str) -> bool:
    """Say whether a choice means that the field does not matter, as far as value and label tell.

    >>> is_any("", "Any category"), is_any("0", "alle Rubriken"), is_any("nature", "Nature"), is_any("0", "0")
    (True, True, False, False)
    >>> is_any("0", "Georgian"), is_any("-1", "Keller"), is_any("-1", "Alle"), is_any("0", "すべて"), is_any("0", "")
    (False, False, True, True, True)
    """
    written = value.strip().lower()
    if written in _ANY_VALUES:
        return True
    if _is_written_out(value, label):
        return False
    return says_any(label) if label or written in _NOTHING_VALUES else False


def _is_written_out(value: str, label: str) -> bool:
    """Say whether people read the number that is sent."""
    written = value.strip()
    return label.strip() == written and written.lstrip("-").isdigit()


def real_choices(field: Field) -> tuple[Choice, ...]:
    """Return the choices of a field that select something.

    >>> listed = (("0", "Kitchen"), ("1", "Georgian"), ("2", "All Saints"), ("3", "Basque"))
    >>> field = Field("k", "select", "Kitchen", choices=tuple(Choice(*one) for one in listed))
    >>> [choice.value for choice in real_choices(field)]
    ['1', '2', '3']
    """
    last = len(field.choices) - 1
    return tuple(
        choice
        for at, choice in enumerate(field.choices)
        if not _is_any_of(choice, field, is_at_edge=at in _EDGES or at == last)
    )


def _is_any_of(choice: Choice, field: Field, is_at_edge: bool) -> bool:
    """Say whether a choice of a field is none: its label may also repeat what the field is called."""
    written = choice.value.strip().lower()
    if written in _NOTHING_VALUES:
        own = _bare(choice.label)
        about = {_bare(name) for name in (field.label, field.name)} - {""}
        is_meant = own in about or bool(_DRESSED.search(choice.label)) or says_any(choice.label)
        return is_meant and not _is_written_out(choice.value, choice.label)
    return is_any(choice.value, choice.label) and (written in _ANY_VALUES or is_at_edge)
