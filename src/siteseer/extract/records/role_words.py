"""Words in classes, URLs and texts that hint at the role of an element. They are weighed; none decides alone."""

# ruff: noqa: E501 - lists of words read best unbroken
from __future__ import annotations

import re

AUTHOR = re.compile(
    r"author|user|member|poster|nick|profile|vcard|byline|creator|(?<![a-z])fn(?![a-z])|name|autor|auteur|verfasser|benutzer|usuario|usuário|utente|utilisateur|gebruiker|"
    r"użytkownik|uzytkownik|uzivatel|jmeno|nutzer|pseudo(?![a-z])",
    re.I,
)
NOT_AUTHOR = re.compile(
    r"title|subject|topic|categor|tag(?!name)|forum|board|date|time|rank|group|quote|reply|repl|sig|locat|permalink|nav|menu|crumb|"
    r"pagi|count|stat|email|website|avatar|icon|button|badge|role|star|label|legend|foot|sidebar|widget|archive|calendar|edit",
    re.I,
)
FILED = re.compile(
    r"[ck]ategor|rubri[ckq]|(?<![a-z])tags?(?![a-z])|keyword|schlagw|etiquet|trefwoord|słow|тег|рубрик|категор", re.I
)
"""Classes of what a record is filed under."""
PROFILE_URL = re.compile(r"user|member|profile|author|autor|people|[?&;/](?:u|uid|usr)[=/]|/@", re.I)
NOT_AUTHOR_AREA = re.compile(
    r"(?:^|[<.#_-])(?:nav|menu|crumb|breadcrumb|pagi|calendar|widget|sidebar|archive|tagcloud|trace|search)", re.I
)
NOT_PROFILE_URL = re.compile(
    r"tag|categor|search|forum|board|topic|thread|archive|reply|quote|report|login|register|#|/\d{4}/\d\d", re.I
)
OTHER_DATE = re.compile(
    r"join|regist|(?<![a-z])edit|modif|updat|since|birth|last.?visit|last.?seen|last.?activ|beigetret|dabei|mitglied|seit(?!e)|bearbeit|änder|"
    r"geburt|besuch|aktualis|inscri|iscri|miembro|membro|membre|depuis|desde|dal(?![a-z])|sinds|gewijzigd|bewerkt|lid(?![a-z])|"
    r"зарегистр|регистр|редакт|измен|обновл|с нами|dołącz|rejestr|edytow|upraven|změn|založen|kayıt|katıl|düzen|muokat|liitty|redig|ändrad|"
    r"oppdat|medlem|tilslut|ostatnio|naposledy|реєстр|з нами|modificat|ultima|dernière|letzte",
    re.I,
)
EDITED = re.compile(
    r"(?<![a-z])edit|modif|updat|bearbeit|änder|aktualis|gewijzigd|bewerkt|редакт|измен|обновл|edytow|zmien|upraven|změn|düzen|muokat|redig|"
    r"ändrad|editado|editat|modifié|mis à jour|aggiorna|actualiza|atualiza|編集|编辑|수정",
    re.I,
)
BY = re.compile(
    r"(?:^|\W)(?:by|von|par|por|da|di|door|от|автор|przez|od|av|af|tarafından|autor|author|auteur|from|de|written by|posted by|postby)\W*$",
    re.I,
)
EDITED_BY = re.compile(rf"(?:{EDITED.pattern})[^\W\d]*(?:\W+[^\W\d]+)?{BY.pattern}", re.I)
"""Words before the name of somebody who changed a page: `last edited by`, `Modifié par`."""
SIGNATURE = re.compile(r"(?:^|[^a-z])sig(?:nature|nat|s)?(?![a-z])|signature|moderatorbar", re.I)
QUOTE = re.compile(r"quot|zitat|citation", re.I)
NO_EXTENSION = re.compile(r"sig|comment|edit|attach|reply|footer|share|related|meta|tags", re.I)
