"""Which choices mean "any", in many languages, and which only look like it."""

# ruff: noqa: E501 - lists of labels read better unbroken

from __future__ import annotations

import pytest

from siteseer.forms.any_choice import is_any, real_choices, says_any
from siteseer.forms.form import Choice, Field

ANY = """Any|All|All categories|Please select|-- Choose --|No preference|None|Category: any|Alle|Alle Rubriken|Beliebig|Bitte wählen|
Kategorie auswählen|Keine Angabe|Toutes les catégories|Tous|Choisissez|N'importe|Todas|Todos los precios|Cualquiera|Seleccione|
Todas as regiões|Qualquer|Tutte|Qualsiasi|Seleziona|Alle categorieën|Kies een plaats|Alla|Välj|Velg|Kaikki|Valitse|Wszystkie|
Dowolny|Vše|Všechny|Vyberte|Összes|Bármely|Toate|Oricare|Tümü|Hepsi|Seçiniz|Sve|Vsi|Все|Любой|Выберите|Усі|Όλα|Επιλέξτε|הכל|الكل|همه|
すべて|全て|指定なし|選択してください|全部|不限|请选择|전체|모두|선택|ทั้งหมด|सभी|Tất cả|Semua|---|…""".replace(
    "\n", ""
).split("|")
NAMES = """Georgian|Allspice|Allgäu|Alligators|Anyang|Selected works|Kein Balkon|Keller|Basement|Tamil|Nonesuch|Yes|No|Ja|Nein|
Toulouse|Valle d'Aosta|Kiesgrube|Всеволожск|全国|東京|서울|北京|0|Ground floor|Veloce|Visigoths|Pilihan""".replace(
    "\n", ""
).split("|")


@pytest.mark.parametrize("label", ANY)
def test_labels_that_say_any(label):
    assert says_any(label) and is_any("0", label) and is_any("-1", label)


@pytest.mark.parametrize("label", NAMES)
def test_labels_that_name_something(label):
    assert not says_any(label)
    assert not is_any("0", label) and not is_any("-1", label) and not is_any("17", label)


def test_an_empty_value_chooses_nothing_whatever_its_label():
    assert is_any("", "Georgian") and is_any("all", "Everything we have")


def test_all_in_the_midst_of_a_list_is_a_name():
    labels = ("Any church", "St Mary", "All Saints", "St Giles")
    field = Field("c", "select", choices=tuple(Choice(str(at), label) for at, label in enumerate(labels)))
    assert [choice.value for choice in real_choices(field)] == ["1", "2", "3"]
