"""Words around dates in many languages: today, yesterday, units of time, `ago`, halves of the day, zones, fillers."""

# ruff: noqa: E501 - tables of words read best one language or one meaning to a line
from __future__ import annotations

_DAYS = {
    0: "today heute aujourd'hui aujourd’hui hoy hoje oggi vandaag сегодня dzisiaj dziś dnes idag bugün сьогодні сёння днес "
    "danas danes astăzi tänään täna šodien šiandien σήμερα avui 今天 今日 오늘 اليوم היום",
    1: "yesterday gestern hier ayer ontem ieri gisteren вчера wczoraj včera včeraj igår dün вчора учора jučer juče "
    "tegnap eilen eile vakar χθες χτες ahir kemarin 昨天 昨日 어제 أمس אתמול",
    2: "vorgestern avant-hier anteayer anteontem eergisteren позавчера przedwczoraj předevčírem förrgår 前天 一昨日 그제",
}
DAYS: dict[str, int] = {word: shift for shift, words in _DAYS.items() for word in words.split()}
"""How many days ago, by a word that stands alone."""

PHRASES: dict[str, int] = {"i dag": 0, "i går": 1, "hari ini": 0, "hôm nay": 0, "hôm qua": 1, "avant hier": 2}
"""The same for words that come in pairs."""

MINUTE, HOUR, DAY, WEEK, MONTH, YEAR = 60, 3600, 86400, 604800, 2629800, 31557600

_UNITS = {
    1: "second seconds sec secs sekunde sekunden seconde secondes segundo segundos secondo secondi secondes секунду секунды "
    "секунд сек sekundę sekundy sekund sekundou sekundami sekunder saniye секунди secunde másodperce sekuntia",
    MINUTE: "minute minutes min mins minuten minuto minutos minuti minuut минуту минуты минут мин minutę minuty minut "
    "minutami minutou minuter dakika dk хвилину хвилини хвилин хв minuta minute perce minuuttia minutter minuto menit phút λεπτά λεπτό",
    HOUR: "hour hours hr hrs stunde stunden std heure heures hora horas ora ore uur uren час часа часов godzinę godziny "
    "godzin godz godzinami godziną hodinou hodinami hodiny hodin timme timmar saat годину години годин година órája tuntia tunti sata sati timer time jam giờ ώρες ώρα",
    DAY: "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen день дня дней дн dzień dni dnem dny "
    "dagar gün день дні днів ден дни дана dana zile zi napja päivää päivä dage hari ngày ημέρες μέρες",
    WEEK: "week weeks woche wochen semaine semaines semana semanas settimana settimane weken неделю недели недель tydzień "
    "tygodnie tygodni týdnem týdny vecka veckor hafta тиждень тижні тижнів седмици tjedna nedelje săptămâni hete viikkoa uger uker minggu tuần",
    MONTH: "month months monat monate monaten mois mes meses mês mese mesi maand maanden месяц месяца месяцев miesiąc "
    "miesiące miesięcy měsícem měsíci měsíců månad månader ay місяць місяці місяців месеца mjeseca meseca luni lună hónapja kuukautta måneder bulan tháng μήνες",
    YEAR: "year years yr yrs jahr jahre jahren an ans année années año años ano anos anno anni jaar jaren год года лет rok "
    "lata lat rokem roky lety år yıl рік роки років година години godine ani éve vuotta tahun năm χρόνια",
}
UNITS: dict[str, int] = {}
for _seconds, _words in _UNITS.items():
    for _word in _words.split():
        UNITS.setdefault(_word, _seconds)
SHORT_UNITS = {"s": 1, "m": MINUTE, "h": HOUR, "d": DAY, "w": WEEK, "y": YEAR}
"""`3h ago`: only where a word says that it is past."""

ONE = frozenset(
    "a an one ein eine einer einem einen une un uno una um uma een één jeden jedną jednym en ett et bir один одну".split()
)
BEFORE = frozenset("vor a hace há faz před pred przed acum πριν prije pre преди cách για".split())
"""Words before the number that say `ago`: vor, hace, (il y) a, před ..."""
AFTER = frozenset(
    "ago geleden назад temu fa sedan önce тому siden sitten sidan tagasi atpakaļ lalu trước zpět nazaj nazad atrás".split()
)
"""Words after the unit that say `ago`."""
NOW = (
    "just now",
    "gerade eben",
    "à l'instant",
    "à l’instant",
    "только что",
    "przed chwilą",
    "щойно",
    "zojuist",
    "az önce",
    "刚刚",
    "たった今",
    "방금",
)

CJK_UNITS = {
    "秒": 1, "秒钟": 1, "초": 1, "分": MINUTE, "分钟": MINUTE, "分鐘": MINUTE, "분": MINUTE, "小时": HOUR, "小時": HOUR,
    "時間": HOUR, "시간": HOUR, "天": DAY, "日": DAY, "일": DAY, "周": WEEK, "週": WEEK, "週間": WEEK, "주": WEEK,
    "个月": MONTH, "個月": MONTH, "か月": MONTH, "ヶ月": MONTH, "カ月": MONTH, "개월": MONTH, "年": YEAR, "년": YEAR,
}  # fmt: skip

AFTERNOON = frozenset(("下午", "晚上", "中午", "午後", "오후", "pm", "μμ", "odp", "م"))
MORNING = frozenset(("上午", "凌晨", "早上", "午前", "오전", "am", "πμ", "dop", "ص"))

FILLERS = (
    "at", "on", "um", "am", "den", "der", "à", "a las", "a la", "las", "às", "a", "as", "alle ore", "alle", "ore", "ora", "le", "el", "om", "o", "kl", "klo", "kell",
    "saat", "в", "о", "у", "ob", "u", "ve", "v", "la", "στις", "lúc", "pukul", "jam", "godz", "hod", "uhr", "the", "il", "time", "и",
)  # fmt: skip
"""Short words that may stand between a day and its time."""

ZONES = {
    "z": 0, "utc": 0, "gmt": 0, "wet": 0, "bst": 60, "west": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120, "eet": 120, "eest": 180,
    "msk": 180, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "jst": 540, "kst": 540,
    "aest": 600, "aedt": 660,
}  # fmt: skip
"""Minutes east of Greenwich by the zone's usual abbreviation."""

BEFORE_DATES = frozenset(
    "on at since until till by from of to date dated day posted published updated created modified edited written released "
    "last joined added changed the and until am vom den der bis seit ab zum stand datum erstellt aktualisiert zuletzt und "
    "le du au depuis el del al desde hasta fecha dia publicado actualizado il dal data pubblicato em de do ao op van tot sinds "
    "od dnia z ze dne i a fra til pr tarih tarihi klo kl uhr".split()
)
"""Words right before a date in numbers, in plain letters; a number with dots behind any other word is a version."""

VERSION = ("vers", "verz", "wersj", "верс")
"""How the word for a version begins."""

VERSION_WORDS = frozenset(
    "v ver release rel rev revision revisión build firmware kernel patch section paragraph chapter clause figure fig table "
    "ip linux php python java mysql mariadb postgresql apache nginx firefox chrome chromium windows macos osx ios android "
    "ubuntu debian fedora wordpress drupal joomla typo openssl openssh node ruby perl".split()
)
"""Words after which numbers with dots are no date."""

YEAR_SUFFIX = r"\.?\s?(?:(?:г|р|r|d)\.|(?:года|году|год|року|рік|roku|godine|година|године)\b)"
"""What stands behind a date in Slavic and Baltic languages: `5 мая 2015 г. в 15:12`, `2015 m. gegužės 5 d. 15:12`."""
