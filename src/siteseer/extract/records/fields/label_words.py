"""Labels of author, date and other values of a record, in about forty languages: data for `labels`.

A line holds the labels of one or a few related languages, divided by `|`. A label counts whole, never as a part of a
text, and without its colon.
"""

# ruff: noqa: E501 - lists of words read best unbroken
from __future__ import annotations

from typing import Literal

from siteseer.page.dates.month_names import fold

Role = Literal["author", "date", "edited", "other"]

_AUTHORS = """
from|author|author(s)|authors|author name|by|posted by|post by|written by|sent by|submitted by|reported by|created by|published by|uploaded by|added by|opened by|started by|asked by|answered by|entered by|sender|submitter|reporter|poster|creator|commenter|contributor|originator|user|username|user name|posted by user|writer|message from|comment by|recipe by|article by|story by|text by|photo by|name|review by|reviewer|committer name|name of author
von|autor|autorin|autor(in)|autor/in|autoren|verfasser|verfasserin|verfasser/in|verfasst von|geschrieben von|gepostet von|erstellt von|eingereicht von|gemeldet von|eingestellt von|veröffentlicht von|beitrag von|nachricht von|kommentar von|absender|ersteller|erstellerin|einsender|melder|benutzer|benutzername|urheber|urheberin
par|de|auteur|auteure|auteur(e)|auteur·e|auteurs|écrit par|posté par|publié par|envoyé par|rédigé par|créé par|proposé par|signalé par|soumis par|message de|commentaire de|expéditeur|rédacteur|rédactrice|créateur|rapporteur|utilisateur|pseudo
autor|autora|autores|por|escrito por|publicado por|enviado por|creado por|remitente|mensaje de|comentario de|reportado por|usuario
autore|autrice|autori|da|di|scritto da|pubblicato da|inviato da|creato da|postato da|mittente|messaggio di|commento di|utente|segnalato da
por|escrito por|postado por|publicado por|enviado por|criado por|remetente|mensagem de|comentário de|usuário|utilizador
van|door|auteur|schrijver|schrijfster|geschreven door|geplaatst door|gepost door|verstuurd door|aangemaakt door|gemeld door|afzender|bericht van|reactie van|gebruiker|indiener
od|autor|autorka|przez|napisał|napisała|napisane przez|wysłane przez|dodał|dodane przez|opublikowane przez|nadawca|zgłaszający|użytkownik
od|autor|autorka|napsal|napsala|napsal(a)|vložil|vložila|přidal|přidala|odesílatel|odosielateľ|odesilatel|přispěvatel|uživatel|používateľ|napísal
от|от кого|автор|написал|написала|написано|отправил|отправитель|опубликовал|добавил|создал|пользователь|составитель|від|автор допису|відправник|написав|опублікував|додав|користувач|аўтар
от|автор|подател|публикувано от|написано от|аутор|послао|шаље
fra|av|af|forfatter|skrevet av|skrevet af|postet av|sendt av|publisert av|avsender|afsender|indsendt af|bruker|bruger|från|författare|skriven av|skrivet av|postat av|inskickat av|publicerad av|avsändare|användare|höfundur|frá|sendandi
kirjoittaja|lähettäjä|kirjoittanut|tekijä|käyttäjä|autor|autori|saatja|postitas
szerző|feladó|írta|küldte|beküldte|beküldő|felhasználó
de la|autor|autoare|scris de|trimis de|publicat de|postat de|expeditor|utilizator
από|συγγραφέας|αποστολέας|συντάκτης|γράφτηκε από
kimden|gönderen|yazar|yazan|ekleyen|yazarı
autors|nosūtīja|autorius|nuo|parašė|siuntėjas
autor|od|napisao|napisala|poslao|pošiljatelj|pošiljalac|avtor|pošiljatelj|napisal
egilea|autoría|remitent|enviat per|escrit per|publicat per|autoria
投稿者|差出人|著者|作者|作成者|執筆者|送信者|発信者|報告者|名前|お名前|ユーザー|ユーザ名
作者|发件人|發件人|寄件者|寄件人|来自|來自|发布者|發佈者|发表者|发布人|發表人|发帖人|发言人|楼主|樓主|用户|用戶|撰稿人|编者
보낸사람|보낸 사람|작성자|글쓴이|저자|등록자|보낸이|이름
من|الكاتب|بواسطة|المؤلف|المرسل|كتبه|כותב|מאת|מחבר|שולח|נכתב על ידי|نویسنده|از|فرستنده|نوشته
tác giả|người gửi|từ|đăng bởi|viết bởi|dari|penulis|pengirim|oleh|ditulis oleh|diposting oleh|daripada
लेखक|प्रेषक|द्वारा|ผู้เขียน|จาก|โดย|ผู้ส่ง|ผู้โพสต์
aŭtoro|sendinto|dërguesi|autori|mula kay|may-akda
berichterstatter|berichterstatterin|gemeldet durch|informador|informante|informado por|reportado por|relator|relatado por|segnalatore|aperto da|rapporteur|gerapporteerd door|melder|gemeld door|zgłosił|zgłosiła|zgłoszone przez|сообщил|сообщила|заявитель|инициатор|rapportör|rapporterad av|rapportert av|rapporteret af|ilmoittaja|raportoija|nahlásil|nahlásila|zadavatel|ohlásil|bildiren|rapor eden|açan|報告者|登録者|起票者|报告人|報告人|提交人|提交者|创建人|創建人|创建者|創建者|回报者|回報者|由谁创建|보고자|제보자|bejelentő|jelentette|raportat de|докладчик|повідомив
nick|nickname|screen name|alias|display name|spitzname|nom|pseudonyme|surnom|nombre|apodo|nome|soprannome|apelido|naam|bijnaam|imię|nazwa użytkownika|ksywka|имя|ник|никнейм|псевдоним|ім'я|jméno|přezdívka|meno|prezývka|namn|smeknamn|navn|nimi|nimimerkki|név|becenév|nume|porecla|ime|nadimak|vzdevek|ad|isim|rumuz|takma ad|όνομα|ψευδώνυμο|ハンドルネーム|ニックネーム|ペンネーム|姓名|昵称|暱稱|称呼|署名|닉네임|별명|الاسم|שם|نام|tên|nama|ชื่อ|नाम|vārds|vardas|nom d'usuari|izena
"""
_DATES = """
date|date posted|date sent|date submitted|date published|date created|date added|sent|sent on|sent at|posted|posted on|posted at|posted date|published|published on|published at|publication date|pub date|submitted|submitted on|submitted at|written|written on|created|created on|created at|creation date|opened|opened on|added|added on|added at|reported|reported on|issued|released|release date|released on|date/time|date and time|date & time|datetime|timestamp|time|when|received|entered|on
datum|gesendet|gesendet am|geschrieben am|gepostet am|verfasst|verfasst am|veröffentlicht|veröffentlicht am|erschienen|erschienen am|erstellt|erstellt am|eingestellt am|eingereicht am|gemeldet am|angelegt am|vom|datum/uhrzeit|datum und uhrzeit|zeit|zeitpunkt|uhrzeit|erscheinungsdatum|hinzugefügt am|am
date|le|envoyé|envoyé le|publié|publié le|posté|posté le|écrit le|rédigé le|créé|créé le|mis en ligne|mis en ligne le|paru le|date de publication|date de création|date d'envoi|ajouté le|soumis le|date et heure
fecha|fecha de publicación|fecha de envío|fecha y hora|enviado|enviado el|publicado|publicado el|escrito el|creado|creado el|añadido el|el
data|data di pubblicazione|data e ora|inviato|inviato il|pubblicato|pubblicato il|scritto il|creato|creato il|aggiunto il|il
data|data de publicação|data e hora|enviado|enviado em|publicado|publicado em|postado em|escrito em|criado|criado em|em
datum|verzonden|verzonden op|geplaatst|geplaatst op|gepubliceerd|gepubliceerd op|geschreven op|aangemaakt|aangemaakt op|toegevoegd op|publicatiedatum|datum en tijd
data|data publikacji|data wysłania|data dodania|data utworzenia|wysłano|wysłane|opublikowano|napisano|dodano|utworzono
datum|datum vydání|odesláno|publikováno|vloženo|napsáno|vytvořeno|přidáno|dátum|odoslané|publikované|pridané|vytvorené
дата|дата публикации|дата создания|дата и время|отправлено|опубликовано|добавлено|написано|создано|опубліковано|дата публікації|надіслано|додано|створено|дата допису
дата|публикувано|публикувано на|изпратено|датум|објављено
dato|sendt|publisert|publiceret|postet|skrevet|oprettet|opprettet|udgivet|datum|skickat|publicerad|publicerat|postat|skapad|skrivet|dagsetning|sent|birt
päivämäärä|päiväys|lähetetty|julkaistu|kirjoitettu|luotu|aika|kuupäev|saadetud|avaldatud|postitatud
dátum|elküldve|küldve|közzétéve|beküldve|létrehozva|időpont
data|data publicării|trimis|publicat|publicat la|postat|scris la|creat
ημερομηνία|στάλθηκε|δημοσιεύτηκε|δημοσιεύθηκε
tarih|tarihi|gönderilme|gönderilme tarihi|yayın tarihi|yayınlanma tarihi|eklenme tarihi
datums|publicēts|nosūtīts|data|paskelbta|išsiųsta|sukurta
datum|objavljeno|poslano|poslato|napisano|kreirano|datum objave
data|data de publicació|enviat|publicat|publicat el
日付|日時|投稿日|投稿日時|送信日時|公開日|作成日|作成日時|掲載日|発行日|登録日
日期|时间|時間|发布日期|發佈日期|发布时间|發佈時間|发表于|發表於|发表时间|發表時間|发送时间|寄件日期|傳送日期|创建时间|建立時間|发布于|發佈於
날짜|보낸날짜|보낸 날짜|작성일|작성일시|등록일|게시일|일시
التاريخ|تاريخ|تاريخ النشر|نشر في|أرسل|תאריך|פורסם|נשלח|תאריך פרסום|تاریخ|تاریخ انتشار
ngày|ngày đăng|ngày gửi|đăng ngày|tanggal|dikirim|diterbitkan|tarikh|petsa
दिनांक|तिथि|วันที่|เมื่อ|โพสต์เมื่อ
asked|asked on|answered|answered on|replied|replied on|commented|commented on|gefragt|gefragt am|beantwortet|beantwortet am|geantwortet|demandé|demandé le|répondu|répondu le|preguntado|preguntada|preguntado el|preguntada el|respondido|respondida|respondido el|perguntado|perguntado em|perguntada|respondido em|chiesto|chiesto il|risposto|risposto il|gevraagd|gevraagd op|beantwoord|beantwoord op|zapytano|odpowiedziano|задан|спрошено|отвечено|ответ дан|вопрос задан|提问于|回答于|質問日|回答日|질문일|답변일|sorulma tarihi|soruldu|yanıtlandı|cevaplandı|frågad|besvarad
"""
_EDITED = """
edited|last edited|edited on|modified|last modified|modified on|updated|last updated|updated on|last update|changed|last changed|last change|revised|revision date|last activity|activity|last post|closed|due date|due
bearbeitet|zuletzt bearbeitet|geändert|geändert am|zuletzt geändert|letzte änderung|aktualisiert|aktualisiert am|zuletzt aktualisiert|stand|letzter beitrag|letzte aktivität
modifié|modifié le|dernière modification|mis à jour|mis à jour le|mise à jour|dernière mise à jour|dernier message
modificado|última modificación|actualizado|última actualización|editado|atualizado|última atualização|última modificação|alterado
modificato|ultima modifica|aggiornato|ultimo aggiornamento
gewijzigd|laatst gewijzigd|bewerkt|bijgewerkt|laatst bijgewerkt
zmieniono|edytowano|zaktualizowano|ostatnia zmiana|ostatnia modyfikacja|upraveno|změněno|aktualizováno|poslední změna|upravené
изменено|отредактировано|обновлено|последнее изменение|дата изменения|змінено|оновлено|редагувалося
endret|ændret|redigert|redigeret|oppdatert|opdateret|ändrad|redigerad|uppdaterad|senast ändrad|muokattu|päivitetty|módosítva|frissítve|modificat|actualizat|düzenlendi|güncellendi|değiştirildi
更新日|更新日時|最終更新|最終更新日|修改日期|更新时间|更新時間|最后更新|最後更新|修改时间|编辑时间|수정일|변경일|최종수정
joined|registered|member since|join date|birthday|born|died|registriert|registriert seit|mitglied seit|dabei seit|beigetreten|geboren|inscrit|inscrit le|inscription|membre depuis|registrado|miembro desde|iscritto|iscritto dal|membro desde|lid sinds|dołączył|registrován|зарегистрирован|регистрация|с нами с|реєстрація|medlem siden|medlem sedan|katılım|注册时间|註冊時間|登録|가입일
"""
_OTHERS = """
to|cc|bcc|reply-to|reply to|in-reply-to|in reply to|references|message-id|message id|subject|title|topic|recipients|recipient|assigned to|assignee|assigned|owner|nosy list|follow-ups|follow ups|followups|replies|keywords|status|priority|category|categories|tags|list-id|organization|content-type|mime-version|next message|previous message|next by date|next by thread|previous by thread|prev by date|maybe in reply to|maybe reply|moderator|editor|translator|publisher|committer|last post by|last reply by|edited by|last edited by|modified by|updated by|closed by|reviewed by|approved by
an|kopie|betreff|titel|thema|antwort auf|empfänger|zugewiesen an|bearbeiter|verlag|herausgeber|übersetzer|bearbeitet von|geändert von|letzter beitrag von|nächste nachricht|vorige nachricht|schlagwörter|kategorie|sprache|seiten|umfang|signatur
à|copie|objet|sujet|titre|destinataire|destinataires|assigné à|en réponse à|éditeur|traducteur|modifié par|dernier message par|catégorie|mots-clés
para|asunto|título|tema|destinatario|asignado a|en respuesta a|editorial|traductor|editado por|último mensaje de|categoría
a|oggetto|titolo|argomento|destinatario|assegnato a|in risposta a|editore|traduttore|modificato da|assunto|em resposta a|atribuído a
aan|onderwerp|titel|toegewezen aan|ontvanger|antwoord op|do|temat|tytuł|odbiorca|przypisany do|odpowiedź na|komu|předmět|název|příjemce|přiřazeno
кому|копия|тема|заголовок|в ответ на|получатель|назначено|исполнитель|копія|одержувач
till|til|ämne|emne|tittel|titel|mottagare|modtager|mottaker|vastaanottaja|aihe|otsikko|címzett|tárgy|către|subiect|kime|konu|προς|θέμα
宛先|件名|タイトル|题目|收件人|主题|主題|標題|标题|받는사람|제목|إلى|الموضوع|אל|נושא
"""


def _labels() -> dict[str, Role]:
    found: dict[str, Role] = {}
    tables: tuple[tuple[Role, str], ...] = (
        ("other", _OTHERS),
        ("edited", _EDITED),
        ("date", _DATES),
        ("author", _AUTHORS),
    )
    for role, table in tables:
        for line in table.strip().splitlines():
            found.update((fold(label), role) for label in line.split("|"))
    return found


LABELS = _labels()
"""What a label says of the value after it."""
PREPOSITIONS = frozenset(
    "from by von par de da di van door od przez от від fra av af från de la από kimden nuo من از từ dari oleh จาก โดย per 来自 來自".split()
)
"""Labels that say where somebody lives as often as who wrote."""
NAMES = frozenset(
    fold(one)
    for one in "name|display name|nom|nombre|nome|naam|imię|имя|ім'я|jméno|meno|namn|navn|nimi|név|nume|ime|ad|isim|όνομα|名前|お名前|姓名|이름|الاسم|שם|نام|tên|nama|ชื่อ|नाम|vārds|vardas|izena".split(
        "|"
    )
)
"""Labels of things as often as of people: their values must come back."""
PANEL = frozenset(
    "registered|joined|member since|join date|posts|post count|messages|location|website|homepage|gender|age|rank|karma|reputation|likes|occupation|interests|"
    "registriert|registriert seit|mitglied seit|dabei seit|beiträge|wohnort|geschlecht|alter|webseite|beruf|"
    "inscrit|inscrit le|inscription|membre depuis|localisation|lieu|site web|registrado|miembro desde|mensajes|ubicación|iscritto|iscritto dal|messaggi|località|"
    "membro desde|mensagens|localização|lid sinds|berichten|woonplaats|locatie|dołączył|posty|skąd|lokalizacja|registrován|příspěvky|bydliště|"
    "зарегистрирован|регистрация|сообщения|сообщений|откуда|реєстрація|повідомлення|звідки|medlem siden|medlem sedan|inlägg|innlegg|indlæg|bosted|ort|"
    "katılım|mesajlar|konum|liittynyt|viestit|paikkakunta|csatlakozott|hozzászólások|tartózkodási hely|注册时间|帖子|註冊時間|文章|登録日|投稿数|가입일|글".split(
        "|"
    )
)
"""Labels of the panel that tells of a member."""
NEEDS_COLON = NAMES | frozenset(
    "alias|nick|user|username|user name|writer|poster|creator|contributor|reviewer|reporter|commenter|benutzer|benutzername|ersteller|utilisateur|pseudo|usuario|utente|usuário|utilizador|gebruiker|użytkownik|uživatel|používateľ|пользователь|користувач|bruker|bruger|användare|käyttäjä|felhasználó|utilizator|ユーザー|名前|用户|用戶|이름".split(
        "|"
    )
)
"""Words that are ranks of members as often as labels."""
LONGEST_LABEL = max(map(len, LABELS))
