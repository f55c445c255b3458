"""Names of months and weekdays in about sixty languages: data for `read_dates`.

Each line holds the twelve months (or seven weekdays, Monday first) of a language, its forms divided by spaces:
nominative, genitive, abbreviations. Where two languages disagree about a word, the earlier line wins.
"""

# ruff: noqa: E501 - tables of words read best one language or one meaning to a line
from __future__ import annotations

import unicodedata

_MONTHS = """
january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec
januar jänner jän|februar feber|märz mär mrz|april|mai|juni|juli|august|september|oktober okt|november|dezember dez
janvier janv|février févr fév|mars|avril avr|mai|juin|juillet juil|août aoû|septembre|octobre|novembre|décembre déc
enero ene|febrero|marzo|abril abr|mayo|junio|julio|agosto ago|septiembre setiembre|octubre|noviembre|diciembre dic
janeiro|fevereiro fev|março|abril|maio|junho|julho|agosto|setembro set|outubro out|novembro|dezembro
gennaio gen genn|febbraio febbr|marzo|aprile|maggio mag magg|giugno giu|luglio lug|agosto|settembre sett|ottobre ott|novembre|dicembre
januari|februari|maart mrt|april|mei|juni|juli|augustus|september|oktober|november|december
январь января янв|февраль февраля фев февр|март марта мар|апрель апреля апр|май мая|июнь июня июн|июль июля июл|август августа авг|сентябрь сентября сен сент|октябрь октября окт|ноябрь ноября ноя нояб|декабрь декабря дек
styczeń stycznia sty stycz|luty lutego lut|marzec marca|kwiecień kwietnia kwi kwie|maj maja|czerwiec czerwca cze czerw|lipiec lipca lip|sierpień sierpnia sie sierp|wrzesień września wrz wrzes|październik października paź paźdz|listopad listopada lis list|grudzień grudnia gru grudz
leden ledna led|únor února úno|březen března bře|duben dubna dub|květen května kvě|červen června čvn|červenec července čvc|srpen srpna srp|září zář|říjen října říj|listopad listopadu|prosinec prosince pro
január januára|február februára|marec marca|apríl apríla|máj mája|jún júna|júl júla|august augusta|september septembra|október októbra|november novembra|december decembra
januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december
januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december
januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember des
ocak oca|şubat şub|mart|nisan nis|mayıs|haziran haz|temmuz tem|ağustos ağu|eylül eyl|ekim eki|kasım kas|aralık ara
січень січня січ|лютий лютого лют|березень березня бер|квітень квітня кві квіт|травень травня тра трав|червень червня чер черв|липень липня лип|серпень серпня сер серп|вересень вересня вер|жовтень жовтня жов жовт|листопад листопада лис|грудень грудня гру груд
студзень студзеня сту|люты лютага|сакавік сакавіка сак|красавік красавіка кра|май мая|чэрвень чэрвеня чэр|ліпень ліпеня ліп|жнівень жніўня жні|верасень верасня|кастрычнік кастрычніка кас|лістапад лістапада ліс|снежань снежня сне
януари яну|февруари|март|април|май|юни|юли|август|септември|октомври|ноември ное|декември
јануар јан|фебруар феб|март|април|мај|јун|јул|август|септембар септ|октобар|новембар|децембар дец
januar|februar|mart|april|maj|jun|jul|avgust avg|septembar|oktobar|novembar|decembar
siječanj siječnja sij|veljača veljače velj|ožujak ožujka ožu|travanj travnja tra|svibanj svibnja svi|lipanj lipnja|srpanj srpnja|kolovoz kolovoza kol|rujan rujna ruj|listopad|studeni studenoga studenog stu|prosinac prosinca
januar|februar|marec|april|maj|junij|julij|avgust|september|oktober|november|december
ianuarie ian|februarie|martie|aprilie|mai|iunie iun|iulie iul|august|septembrie|octombrie|noiembrie noi|decembrie
január|február|március márc|április ápr|május máj|június jún|július júl|augusztus|szeptember szept|október|november|december
tammikuu tammikuuta tammi|helmikuu helmikuuta helmi|maaliskuu maaliskuuta maalis|huhtikuu huhtikuuta huhti|toukokuu toukokuuta touko|kesäkuu kesäkuuta kesä|heinäkuu heinäkuuta heinä|elokuu elokuuta elo|syyskuu syyskuuta syys|lokakuu lokakuuta loka|marraskuu marraskuuta marras|joulukuu joulukuuta joulu
jaanuar jaan|veebruar veebr|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember dets
janvāris janvārī|februāris februārī|marts martā|aprīlis aprīlī|maijs maijā|jūnijs jūnijā jūn|jūlijs jūlijā jūl|augusts augustā|septembris septembrī|oktobris oktobrī|novembris novembrī|decembris decembrī
sausis sausio saus|vasaris vasario vas|kovas kovo|balandis balandžio bal|gegužė gegužės geg|birželis birželio birž|liepa liepos|rugpjūtis rugpjūčio rugp|rugsėjis rugsėjo rugs|spalis spalio spal|lapkritis lapkričio lapkr|gruodis gruodžio gruod
janúar|febrúar|mars|apríl|maí|júní|júlí|ágúst ágú|september|október|nóvember nóv|desember
ιανουάριος ιανουαρίου ιαν|φεβρουάριος φεβρουαρίου φεβ|μάρτιος μαρτίου μαρ μάρ|απρίλιος απριλίου απρ|μάιος μαΐου μαϊ μάι|ιούνιος ιουνίου ιουν ιούν|ιούλιος ιουλίου ιουλ ιούλ|αύγουστος αυγούστου αυγ αύγ|σεπτέμβριος σεπτεμβρίου σεπ σεπτ|οκτώβριος οκτωβρίου οκτ|νοέμβριος νοεμβρίου νοε νοέ|δεκέμβριος δεκεμβρίου δεκ
gener|febrer|març|abril|maig|juny|juliol|agost|setembre|octubre|novembre|desembre
xaneiro xan|febreiro|marzo|abril|maio|xuño|xullo|agosto|setembro|outubro|novembro|decembro
urtarrila urt|otsaila ots|martxoa|apirila api|maiatza mai|ekaina eka|uztaila uzt|abuztua abu|iraila ira|urria urr|azaroa aza|abendua abe
januari|februari peb|maret|april|mei|juni|juli|agustus agu agt|september|oktober|november|desember
januari|februari|mac|april|mei|jun|julai|ogos|september|oktober|november|disember dis
enero|pebrero|marso|abril|mayo|hunyo|hulyo|agosto|setyembre|oktubre|nobyembre|disyembre
janar|shkurt shk|mars|prill pri|maj|qershor qer|korrik kor|gusht gush|shtator sht|tetor tet|nëntor nën|dhjetor dhj
ianuarius|februarius|martius|aprilis|maius|iunius|iulius|augustus|septembris|octobris|novembris|decembris
januaro|februaro|marto|aprilo|majo|junio|julio|aŭgusto|septembro|oktobro|novembro|decembro
يناير|فبراير شباط|مارس آذار|أبريل إبريل نيسان|مايو أيار|يونيو يونيه حزيران|يوليو يوليه تموز|أغسطس آب|سبتمبر أيلول|أكتوبر|نوفمبر|ديسمبر
ינואר בינואר|פברואר בפברואר|מרץ במרץ|אפריל באפריל|מאי במאי|יוני ביוני|יולי ביולי|אוגוסט באוגוסט|ספטמבר בספטמבר|אוקטובר באוקטובר|נובמבר בנובמבר|דצמבר בדצמבר
जनवरी|फ़रवरी फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर सितम्बर|अक्टूबर अक्तूबर|नवंबर नवम्बर|दिसंबर दिसम्बर
มกราคม ม.ค|กุมภาพันธ์ ก.พ|มีนาคม มี.ค|เมษายน เม.ย|พฤษภาคม พ.ค|มิถุนายน มิ.ย|กรกฎาคม ก.ค|สิงหาคม ส.ค|กันยายน ก.ย|ตุลาคม ต.ค|พฤศจิกายน พ.ย|ธันวาคม ธ.ค
ژانویه ژانویهٔ|فوریه|مارس|آوریل|مه می|ژوئن|ژوئیه جولای|اوت|سپتامبر|اکتبر|نوامبر|دسامبر
جنوری|فروری|مارچ|اپریل|مئی|جون|جولائی جولائ|اگست|ستمبر|اکتوبر|نومبر|دسمبر
جانفي|فيفري|مارس|أفريل افريل|ماي|جوان|جويلية|أوت|سبتمبر|أكتوبر|نوفمبر|ديسمبر
জানুয়ারি জানুয়ারি জানুয়ারী জানুয়ারী|ফেব্রুয়ারি ফেব্রুয়ারি ফেব্রুয়ারী ফেব্রুয়ারী|মার্চ|এপ্রিল|মে|জুন|জুলাই|আগস্ট|সেপ্টেম্বর|অক্টোবর|নভেম্বর|ডিসেম্বর
ஜனவரி|பிப்ரவரி|மார்ச்|ஏப்ரல்|மே|ஜூன்|ஜூலை|ஆகஸ்ட்|செப்டம்பர்|அக்டோபர்|நவம்பர்|டிசம்பர்
జనవరి|ఫిబ్రవరి|మార్చి|ఏప్రిల్|మే|జూన్|జులై జూలై|ఆగస్టు ఆగస్ట్|సెప్టెంబర్|అక్టోబర్|నవంబర్|డిసెంబర్
जानेवारी|फेब्रुवारी|मार्च|एप्रिल|मे|जून|जुलै|ऑगस्ट|सप्टेंबर|ऑक्टोबर|नोव्हेंबर|डिसेंबर
जनवरी|फेब्रुअरी|मार्च|अप्रिल|मे|जुन|जुलाई|अगस्ट|सेप्टेम्बर|अक्टोबर|नोभेम्बर|डिसेम्बर
જાન્યુઆરી|ફેબ્રુઆરી|માર્ચ|એપ્રિલ|મે|જૂન|જુલાઈ|ઑગસ્ટ ઓગસ્ટ|સપ્ટેમ્બર|ઑક્ટોબર ઓક્ટોબર|નવેમ્બર|ડિસેમ્બર
ਜਨਵਰੀ|ਫ਼ਰਵਰੀ ਫਰਵਰੀ|ਮਾਰਚ|ਅਪ੍ਰੈਲ|ਮਈ|ਜੂਨ|ਜੁਲਾਈ|ਅਗਸਤ|ਸਤੰਬਰ|ਅਕਤੂਬਰ|ਨਵੰਬਰ|ਦਸੰਬਰ
ಜನವರಿ|ಫೆಬ್ರವರಿ|ಮಾರ್ಚ್|ಏಪ್ರಿಲ್|ಮೇ|ಜೂನ್|ಜುಲೈ|ಆಗಸ್ಟ್|ಸೆಪ್ಟೆಂಬರ್|ಅಕ್ಟೋಬರ್|ನವೆಂಬರ್|ಡಿಸೆಂಬರ್
ജനുവരി|ഫെബ്രുവരി|മാർച്ച്|ഏപ്രിൽ|മേയ് മെയ്|ജൂൺ|ജൂലൈ|ഓഗസ്റ്റ് ആഗസ്റ്റ്|സെപ്റ്റംബർ|ഒക്ടോബർ|നവംബർ|ഡിസംബർ
იანვარი იანვარს იანვრის|თებერვალი თებერვალს თებერვლის|მარტი მარტს მარტის|აპრილი აპრილს აპრილის|მაისი მაისს მაისის|ივნისი ივნისს ივნისის|ივლისი ივლისს ივლისის|აგვისტო აგვისტოს|სექტემბერი სექტემბერს სექტემბრის|ოქტომბერი ოქტომბერს ოქტომბრის|ნოემბერი ნოემბერს ნოემბრის|დეკემბერი დეკემბერს დეკემბრის
հունվար հունվարի|փետրվար փետրվարի|մարտ մարտի|ապրիլ ապրիլի|մայիս մայիսի|հունիս հունիսի|հուլիս հուլիսի|օգոստոս օգոստոսի|սեպտեմբեր սեպտեմբերի|հոկտեմբեր հոկտեմբերի|նոյեմբեր նոյեմբերի|դեկտեմբեր դեկտեմբերի
қаңтар|ақпан|наурыз|сәуір|мамыр|маусым|шілде|тамыз|қыркүйек|қазан|қараша|желтоқсан
yanvar|fevral|mart|aprel|may|iyun|iyul|avqust avgust|sentyabr|oktyabr|noyabr|dekabr
ionawr|chwefror|mawrth|ebrill|mai|mehefin|gorffennaf|awst|medi|hydref|tachwedd|rhagfyr
januarie|februarie|maart|april|mei|junie|julie|augustus|september|oktober|november|desember
"""

_PERSIAN = "فروردین|اردیبهشت|خرداد|تیر|مرداد امرداد|شهریور|مهر|آبان|آذر|دی|بهمن|اسفند"
"""The months of the Persian calendar."""
TWO_WORDS = {
    "كانون": {"الثاني": 1, "الأول": 12, "الاول": 12},
    "تشرين": {"الأول": 10, "الاول": 10, "الثاني": 11},
}
"""Months of the Levant whose name is two words, by the first one."""

_WEEKDAYS = """
monday mon|tuesday tue tues|wednesday wed|thursday thu thur thurs|friday fri|saturday sat|sunday sun
montag mo|dienstag di|mittwoch mi|donnerstag do|freitag fr|samstag sonnabend sa|sonntag so
lundi lun|mardi|mercredi mer|jeudi jeu|vendredi ven|samedi sam|dimanche dim
lunes lun|martes mar|miércoles mié|jueves jue|viernes vie|sábado sáb|domingo dom
segunda-feira segunda seg|terça-feira terça ter|quarta-feira quarta qua|quinta-feira quinta qui|sexta-feira sexta sex|sábado|domingo
lunedì lun|martedì mar|mercoledì mer|giovedì gio|venerdì ven|sabato sab|domenica dom
maandag ma|dinsdag di|woensdag wo|donderdag do|vrijdag vr|zaterdag za|zondag zo
понедельник пн|вторник вт|среда среду ср|четверг чт|пятница пятницу пт|суббота субботу сб|воскресенье вс
poniedziałek pon pn|wtorek wt|środa środę śr|czwartek czw|piątek pt|sobota sobotę sob|niedziela niedzielę niedz nie
pondělí po|úterý út|středa středu st|čtvrtek čt|pátek pá|sobota so|neděle neděli ne
pondelok|utorok|streda stredu|štvrtok|piatok|sobota|nedeľa nedeľu
måndag mån|tisdag tis|onsdag ons|torsdag tor|fredag fre|lördag lör|söndag sön
mandag man|tirsdag tir|onsdag|torsdag|fredag|lørdag lør|søndag søn
pazartesi pzt|salı sal|çarşamba çar|perşembe per|cuma cum|cumartesi cmt|pazar paz
понеділок|вівторок вів|середа середу сер|четвер чет|п'ятниця пятниця|субота суботу суб|неділя неділю
понеделник|вторник|сряда|четвъртък|петък|събота|неделя
ponedjeljak ponedeljak pon|utorak uto|srijeda sreda sri|četvrtak čet|petak pet|subota sub|nedjelja nedelja ned
ponedeljek|torek|sreda|četrtek|petek|sobota|nedelja
luni|marți|miercuri|joi|vineri|sâmbătă|duminică
hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap
maanantai ma|tiistai ti|keskiviikko ke|torstai to|perjantai pe|lauantai la|sunnuntai su
δευτέρα δευ|τρίτη τρί τρι|τετάρτη τετ|πέμπτη πέμ πεμ|παρασκευή παρ|σάββατο σάβ σαβ|κυριακή κυρ
dilluns|dimarts|dimecres|dijous|divendres|dissabte|diumenge
senin sen|selasa sel|rabu rab|kamis kam|jumat jum|sabtu|minggu min
esmaspäev|teisipäev|kolmapäev|neljapäev|reede|laupäev|pühapäev
pirmdiena|otrdiena|trešdiena|ceturtdiena|piektdiena|sestdiena|svētdiena
pirmadienis|antradienis|trečiadienis|ketvirtadienis|penktadienis|šeštadienis|sekmadienis
الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد
"""


def fold(word: str) -> str:
    """Return the word in lower case without the combining dot that a Turkish capital leaves behind.

    >>> fold("Mayıs"), fold("MÄRZ")
    ('mayıs', 'märz')
    """
    return word.lower().replace("̇", "")


def without_accents(word: str) -> str:
    """Return the word as people type it on a plain keyboard.

    >>> without_accents("février")
    'fevrier'
    """
    plain = "".join(c for c in unicodedata.normalize("NFD", word) if not "̀" <= c <= "ͯ")
    return plain.replace("ı", "i").replace("ł", "l").replace("ø", "o")


def _table(lines: str, first: int) -> dict[str, int]:
    table: dict[str, int] = {}
    plain: dict[str, int] = {}
    for line in lines.split("\n"):
        for number, forms in enumerate(line.split("|"), first):
            for form in forms.split():
                table.setdefault(fold(form), number)
                plain.setdefault(without_accents(fold(form)), number)
    return plain | table


MONTHS: dict[str, int] = _table(_MONTHS, 1)
"""Month number by folded name."""
PERSIAN_MONTHS: dict[str, int] = _table(_PERSIAN, 1)
"""Month of the Persian calendar by its name."""
_CROATIAN = ("hr", "bs")


def month_of(word: str, language: str = "") -> int:
    """Return the number of a month by its name as written, or 0; `language` decides where two languages disagree.

    >>> month_of("März"), month_of("listopad"), month_of("listopad", "hr"), month_of("Tuesday")
    (3, 11, 10, 0)
    """
    month = MONTHS.get(word.lower()) or (0 if word.isascii() else MONTHS.get(fold(word), 0))
    return 10 if month == 11 and language.startswith(_CROATIAN) and word.lower().startswith("listopad") else month


WEEKDAYS: dict[str, int] = _table(_WEEKDAYS, 0)
"""Weekday number, Monday 0, by folded name."""
