"""Words of fourteen languages for made pages: prose, names, months, and what stands around comments."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

OPEN = ("de", "fr", "es", "ru", "pl", "tr", "ar", "he", "zh", "ja")
"""Languages that may be looked at while developing."""
HELD_OUT = ("ko", "el", "fi", "hi")
"""Languages that are only measured."""


@dataclass(frozen=True)
class Language:
    """One language: how it writes, and its words."""

    code: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    months: tuple[str, ...]
    comments: str
    """Heading of the comments; `{}` is their number."""
    none_yet: str
    reply: str
    send: str
    read: str
    """A counter of readers; `{}` is the number."""
    ago: tuple[str, str]
    """`{}` hours ago, `{}` days ago."""
    related: str
    day: str = "{d} {m} {y}"
    space: str = " "
    stop: str = "."

    @property
    def direction(self) -> str:
        """`rtl` where the script runs from right to left."""
        return "rtl" if self.code in ("ar", "he") else "ltr"

    def sentence(self, chance: random.Random, fewest: int = 7, most: int = 16) -> str:
        """Return a sentence of words of the language."""
        words = [chance.choice(self.words) for _ in range(chance.randint(fewest, most))]
        said = self.space.join(words)
        return said[:1].upper() + said[1:] + self.stop

    def paragraph(self, chance: random.Random, sentences: int) -> str:
        """Return several sentences."""
        return (self.space if self.space else "").join(self.sentence(chance) for _ in range(sentences))

    def title(self, chance: random.Random) -> str:
        """Return a heading of a few words."""
        said = self.space.join(chance.choice(self.words) for _ in range(chance.randint(4, 6)))
        return said[:1].upper() + said[1:]

    def name(self, chance: random.Random) -> str:
        """Return the name of a person, or what one calls oneself."""
        return chance.choice(self.names) + chance.choice(("", "", str(chance.randint(2, 99))))

    def date(self, when: date) -> str:
        """Return a day as people of the language write it."""
        return self.day.format(d=when.day, m=self.months[when.month - 1] if self.months else when.month, y=when.year)


def _language(code: str, words: str, names: str, months: str, around: tuple[str, ...], **more: str) -> Language:
    comments, none_yet, reply, send, read, hours, days, related = around
    return Language(
        code, tuple(words.split()), tuple(names.split("|")), tuple(months.split()), comments, none_yet, reply, send,
        read, (hours, days), related, **more,
    )  # fmt: skip


LANGUAGES = {
    one.code: one
    for one in (
        _language("de", "der die das und nicht ein Fluss Boot Wasser über dem alten Markt ging langsam weil niemand am Morgen den Hafen sah Lampe Brücke war kalt Wind Nebel Straße Tee Bäcker lange später trotzdem wieder Haus Garten ruhig Abend",
                  "Jürgen Weiß|Anke|Lothar K.|Frauke Möller|Bäcker|Sabine", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
                  ("{} Kommentare", "Noch keine Kommentare", "Antworten", "Absenden", "{} Mal gelesen", "vor {} Stunden", "vor {} Tagen", "Das könnte Sie auch interessieren"), day="{d}. {m} {y}"),
        _language("fr", "le la les et ne pas une rivière bateau eau sur vieux marché allait lentement parce que personne au matin port lampe pont était froid vent brume rue thé boulanger longtemps plus tard encore maison jardin calme soir",
                  "Hélène Girard|Loïc|Benoît D.|Margaux|Étienne Roy", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
                  ("{} commentaires", "Soyez le premier à réagir", "Répondre", "Envoyer", "Lu {} fois", "il y a {} heures", "il y a {} jours", "À lire aussi")),
        _language("es", "el la los y no una río barco agua sobre viejo mercado iba despacio porque nadie por mañana puerto lámpara puente era frío viento niebla calle té panadero mucho después todavía casa jardín tranquilo tarde",
                  "Íñigo|Begoña Ruiz|Paco|Lucía M.|José Antonio", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
                  ("{} comentarios", "Todavía nadie ha opinado", "Responder", "Enviar", "Leído {} veces", "hace {} horas", "hace {} días", "También te puede interesar"), day="{d} de {m} de {y}"),
        _language("ru", "река лодка вода над старым рынком шла медленно потому что никто утром гавань лампа мост был холодный ветер туман улица чай пекарь долго потом опять дом сад тихий вечер и не в на",
                  "Ольга|Дмитрий К.|Светлана Белова|Кот Учёный|Павел", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
                  ("Комментариев: {}", "Здесь пока пусто", "Ответить", "Отправить", "Просмотров: {}", "{} часов назад", "{} дней назад", "Читайте также")),
        _language("pl", "rzeka łódź woda nad starym rynkiem szła powoli ponieważ nikt rano port lampa most był zimny wiatr mgła ulica herbata piekarz długo potem znowu dom ogród cichy wieczór i nie w na",
                  "Łukasz|Małgorzata|Zbyszek Nowak|Ola W.|Piotr", "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
                  ("Opinie ({})", "Nikt jeszcze nic nie napisał", "Odpowiedz", "Wyślij", "Wyświetleń: {}", "{} godzin temu", "{} dni temu", "Zobacz także")),
        _language("tr", "nehir tekne su eski pazarın üstünde yavaşça gitti çünkü sabah kimse liman lamba köprü soğuktu rüzgâr sis sokak çay fırıncı uzun sonra yine ev bahçe sessiz akşam ve değil bir bu",
                  "Ayşe|Mehmet Öz|Gülay|Çağrı K.|Emre", "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
                  ("{} yorum", "Henüz yorum yok", "Yanıtla", "Gönder", "{} kez okundu", "{} saat önce", "{} gün önce", "Bunlar da ilginizi çekebilir")),
        _language("ar", "النهر القارب الماء فوق السوق القديم سار ببطء لأن أحدا لم ير الميناء في الصباح المصباح الجسر كان باردا الريح الضباب الشارع الشاي الخباز طويلا بعد ذلك مرة أخرى البيت الحديقة هادئ المساء و لا من",
                  "أحمد|ليلى حسن|يوسف|مريم|سمير علي", "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
                  ("التعليقات ({})", "لا توجد تعليقات", "رد", "إرسال", "عدد القراءات: {}", "منذ {} ساعات", "منذ {} أيام", "اقرأ أيضا")),
        _language("he", "הנהר הסירה המים מעל השוק הישן הלך לאט כי איש לא ראה את הנמל בבוקר המנורה הגשר היה קר הרוח הערפל הרחוב התה האופה זמן רב אחר כך שוב הבית הגן שקט הערב של על גם",
                  "דנה|יוסי כהן|רחל|משה ל.|נועה", "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
                  ("{} תגובות", "אין תגובות עדיין", "השב", "שלח", "נקרא {} פעמים", "לפני {} שעות", "לפני {} ימים", "אולי יעניין אותך")),
        _language("zh", "河边 小船 慢慢 经过 旧 市场 因为 早上 没有 人 看见 港口 灯 和 桥 天气 很冷 风 雾 街道 茶 面包师 很久 以后 又 回到 房子 花园 安静 的 晚上 我们 他们 了",
                  "小明|李华|王芳|爱喝茶的猫|张伟", "", ("评论（{}）", "暂无评论", "回复", "提交", "阅读 {} 次", "{}小时前", "{}天前", "相关文章"), day="{y}年{m}月{d}日", space="", stop="。"),
        _language("ja", "川 の 船 は ゆっくり と 古い 市場 を 通り 朝 に 誰も 港 見なかった ので 灯り 橋 が 寒い 風 霧 道 お茶 パン屋 長い 後 で また 家 庭 静かな 夕方 私たち です",
                  "さくら|田中太郎|ゆき|猫好き|山本", "", ("コメント {}件", "まだコメントはありません", "返信", "送信", "閲覧数 {}", "{}時間前", "{}日前", "おすすめ記事"), day="{y}年{m}月{d}日", space="", stop="。"),
        _language("ko", "강 배 물이 오래된 시장 위로 천천히 갔다 왜냐하면 아침에 아무도 항구를 보지 못했다 등불 다리가 추웠다 바람 안개 거리 차 빵집 오래 나중에 다시 집 정원 조용한 저녁 그리고 우리는",
                  "민수|김영희|지우|바람돌이|박서준", "", ("댓글 {}개", "아직 댓글이 없습니다", "답글", "등록", "조회 {}회", "{}시간 전", "{}일 전", "관련 글"), day="{y}년 {m}월 {d}일"),
        _language("el", "ποτάμι βάρκα νερό πάνω από την παλιά αγορά πήγαινε αργά επειδή κανείς το πρωί λιμάνι λάμπα γέφυρα ήταν κρύο άνεμος ομίχλη δρόμος τσάι φούρναρης πολύ μετά πάλι σπίτι κήπος ήσυχο βράδυ και δεν",
                  "Γιώργος|Ελένη Π.|Νίκος|Κατερίνα|Σπύρος", "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
                  ("{} σχόλια", "Κανένα σχόλιο ακόμα", "Απάντηση", "Αποστολή", "Διαβάστηκε {} φορές", "πριν από {} ώρες", "πριν από {} ημέρες", "Διαβάστε επίσης")),
        _language("fi", "joki vene vesi vanhan torin yllä kulki hitaasti koska kukaan aamulla satama lamppu silta oli kylmä tuuli sumu katu tee leipuri kauan sitten taas talo puutarha hiljainen ilta ja ei se oli",
                  "Päivi|Jukka-Pekka|Aino Laine|Mökkeilijä|Sami", "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
                  ("{} kommenttia", "Ei vielä kommentteja", "Vastaa", "Lähetä", "Luettu {} kertaa", "{} tuntia sitten", "{} päivää sitten", "Lue myös"), day="{d}. {m} {y}"),
        _language("hi", "नदी नाव पानी पुराने बाज़ार के ऊपर धीरे चली क्योंकि सुबह कोई नहीं बंदरगाह दीपक पुल ठंडा था हवा कोहरा सड़क चाय बेकर बहुत बाद में फिर घर बगीचा शांत शाम और यह",
                  "राहुल|प्रिया शर्मा|अमित|सुनीता|विकास", "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
                  ("{} टिप्पणियाँ", "अभी कोई टिप्पणी नहीं", "जवाब दें", "भेजें", "{} बार पढ़ा गया", "{} घंटे पहले", "{} दिन पहले", "यह भी पढ़ें"), stop="।"),
    )
}  # fmt: skip
