"""Maps words to concepts: what forms and fields are about, in many languages.

To support a language, extend these expressions and fit the weights again (`bench/forms.py --train`): the weights know
concepts, not words. Every expression is a plain alternation, so that none can explode on hostile text.
"""

# ruff: noqa: E501 - lists of words read better unbroken

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, normalize

CONCEPTS = {
    "search": r"search|srch|such(?!\s|$)|suche|recherch|chercher|busc[ao]|buscar|búsqueda|busqueda|pesquis|procurar|cerca\b|"
    r"ricerca|zoek|sök|\bsok\b|søk|søg|\bsoeg|\bhaku|\bhae\b|etsi|szuka|wyszuk|hled|vyhľad|vyhled|\bkeres|căuta|cauta|"
    r"\bara\b|aranacak|поиск|найти|искать|иска|пошук|знайти|търс|тражи|traži|\btrazi|pretra|αναζ|חיפוש|חפש|بحث|جستجو|検索|"
    r"搜索|搜尋|查找|查询|검색|찾기|ค้นหา|tìm|\bcari\b|otsi|paieška|meklē|\bfind\b|finder|lookup|look up|query|\bquick ?find|"
    r"keyword|\bkw\b|suchbegriff|stichwort|palabra|mots?[- ]cl|шукати",
    "query": r"^(?:q|s|k|st|wd|qs|qt|kw|str|term|terms|words?|text|req|request|for|fts|find|what|ftext|phrase|p|as_q|"
    r"story|freetext|w|key|keys|ss|sq|vyraz)$|query|quest|keyword|searchterm|searchword|search_?(?:text|string|phrase|q|box|"
    r"input|key|block_form)|^search|search$|suchbegriff|buscador|zoekterm|palabra|mot_?cle|recherche|busca|искать|поиск",
    "login": r"log[-_ ]?[io]n|signin|sign[-_ ]in|\blog in|anmeld|einlogg|connexion|connecter|se connecter|identifi|entrar|"
    r"acceder|acceso|accesso|accedi|inlog|logga in|logg inn|log ind|kirjaudu|zaloguj|logowan|přihlás|prihlás|bejelentkez|"
    r"conectare|autentific|giriş|oturum|войти|вход|авториз|увійти|вхід|најав|prijav|σύνδεσ|התחבר|דخول|تسجيل الدخول|ورود|"
    r"ログイン|登录|登錄|登入|로그인|เข้าสู่ระบบ|đăng nhập|masuk|\bauth|session|wp-login|remember me|keep me",
    "register": r"regist|sign[-_ ]?up|signup|create (?:an |my |your )?account|new account|createaccount|create[-_]account|"
    r"join (?:now|us|free)|\bjoin\b|become a|enrol|anlegen|inscri|s'inscrire|créer|crear|cadastr|registra|registrier|aanmeld|"
    r"rekister|zarejestr|rejestrac|registrac|regisztr|înregistr|kayıt|üye ol|регистрац|зарегистр|реєстрац|εγγραφ|"
    r"הרשמ|التسجيل|ثبت نام|会員登録|新規登録|注册|註冊|가입|สมัคร|đăng ký|daftar|nieuw account|open (?:an )?account|"
    r"confirm password|password confirm|retype|repeat password|verify password|passwort wiederholen|password2|passconf|"
    r"password_confirmation|confirm_?pass|agree|terms of|\bterms\b|\btos\b|birth",
    "recover": r"forg[oe]t|lost ?pass|lostpass|recover|reset ?(?:my |your )?(?:pass|pw)|reset_?pass|password[-_ ]?reset|"
    r"retriev|remind|send (?:me )?(?:a )?(?:new |my )?password|new password|vergessen|oubli|olvid|esquec|dimenticat|"
    r"vergeten|glömt|glemt|unohtu|zapomn|zabud|elfelejt|uitat|unuttum|забыл|восстанов|забули|відновл|ξεχάσ|שכחת|نسيت|"
    r"忘れ|忘记|忘記|잊|ลืม|quên|lupa|resend|lostpw|pwreset|request (?:a )?(?:new )?password",
    "list": r"newsletter|subscri|abonn|suscri|assin|iscri|mailing|mail[-_ ]?list|maillist|e-?zine|news ?letter|updates|"
    r"alerts?\b|stay (?:in|up|connected)|keep up|bulletin|boletín|boletim|rundbrief|nyhetsbrev|nieuwsbrief|nyhedsbrev|"
    r"uutiskirje|biuletyn|hírlevél|bülten|рассыл|подпис|розсилк|підпис|メルマガ|订阅|訂閱|구독|mc-embedded|mailchimp|"
    r"list-manage|feedburner|optin|opt-in|aweber|sign up (?:for|to)|get (?:our|the|news|updates)|email updates",
    "cart": r"\bcart|add[-_ ]?to[-_ ]?(?:cart|bag|basket)|addtocart|basket|warenkorb|panier|carrito|carrinho|carrello|"
    r"winkel(?:wagen|mand)|varukorg|kurv|ostoskori|koszyk|košík|kosár|sepet|корзин|кошик|купить|καλάθι|カート|购物车|購物車|"
    r"장바구니|giỏ hàng|keranjang|buy now|\bbuy\b|checkout|kaufen|acheter|comprar|acquista|bestell|\border|purchase|"
    r"quantit|\bqty\b|product[-_ ]?id|variant|\bsku\b|paypal|donat|in den|\bprice\b",
    "contact": r"contact|kontakt|contato|contacto|contatt|feedback|comment|kommentar|comentario|comentário|commento|"
    r"reactie|reply|respond|message|nachricht|mensaje|mensagem|messaggio|bericht|meddelande|wiadomo|zpráv|správ|üzenet|"
    r"mesaj|сообщен|коммент|отзыв|повідомл|μήνυμα|הודע|رسالة|お問い合わせ|コメント|留言|评论|문의|댓글|enquir|inquir|subject|"
    r"betreff|asunto|assunto|oggetto|\bsujet|тема|write (?:to )?us|send (?:a )?message|post a|guestbook|review|your question|"
    r"request (?:info|a quote|quote)|\btell us|ask (?:a|us)|support ticket|textarea",
    "mail": r"e-?mail|\bmail|correo|courriel|почт|пошт|邮箱|電子郵件|メール|이메일|อีเมล|البريد|דוא|epost|sähköposti|posta\b|adresa",
    "user": r"user|login|nick|member|\buid\b|benutzer|utilisateur|usuario|usuário|utente|gebruiker|användar|brukernavn|"
    r"käyttäj|użytkownik|uživatel|felhaszn|kullanıcı|логин|пользоват|користувач|χρήστη|用户|用戶|帳號|ユーザ|아이디|screen_?name",
    "pass": r"pass(?!a|e)|pwd|\bpw\b|kennwort|contraseñ|contrasen|senha|mot de passe|wachtwoord|lösenord|salasana|hasło|heslo|"
    r"jelszó|parol|şifre|парол|κωδικ|סיסמ|密码|密碼|パスワード|비밀번호|รหัส|mật khẩu|sandi",
    "name": r"first[-_ ]?name|last[-_ ]?name|full[-_ ]?name|\bname\b|fname|lname|firstname|lastname|surname|vorname|nachname|"
    r"prénom|\bnom\b|nombre|apellid|\bnome\b|cognome|voornaam|achternaam|namn|nimi|imię|nazwisko|jméno|příjmení|\bимя|"
    r"фамил|ім'я|姓名|名前|이름|your_?name|author",
    "phone": r"phone|\btel\b|telef|mobile|mobil|handy|\bcell|телефон|电话|電話|전화|\bzip|postal|post_?code|postcode|\bcity\b|"
    r"address|country|\bstate\b|street|\bplz\b|company|fax",
    "sort": r"\bsort|order ?by|orderby|sortier|trier|ordenar|per ?page|display|show\b|view|filter|language|lang\b|currency|"
    r"locale|theme|style|goto|go to|jump|select|archive|categor|страниц|сортир|year|month",
    "captcha": r"captcha|security code|verif|anti-?spam|image code|kaptcha|код с картинки|проверочн|验证码|驗證碼",
    "vote": r"\bvot(?:e|ing)|\bpoll|umfrage|abstimm|sondage|encuesta|enquete|sondaggio|голос|опрос|ankieta|anketa|oylama|rating|"
    r"\brate\b|投票",
}
"""Concept to expression, matched in lower-case text."""

MOST_READ = 400


def folded(text: str) -> str:
    """Return text in lower case without accents.

    >>> folded("Búsqueda RÁPIDA")
    'busqueda rapida'
    """
    low = text.lower()
    if low.isascii():
        return low
    return "".join(one for one in normalize("NFKD", low) if not combining(one))


_COMPILED = {name: re.compile(folded(expression)) for name, expression in CONCEPTS.items()}


@lru_cache(maxsize=4096)
def concepts(text: str) -> frozenset[str]:
    """Return the concepts that a text names.

    >>> sorted(concepts("Newsletter abonnieren")), sorted(concepts("Suchbegriff eingeben"))
    (['list'], ['query', 'search'])
    """
    read = folded(text[:MOST_READ])
    return frozenset(name for name, expression in _COMPILED.items() if expression.search(read)) if read else frozenset()


_ONLY_SEARCH = re.compile(
    r"\W*"
    + folded(
        r"(?:(?:go|start|jetzt|site|new|neue|advanced|lancer la|start a) )?(?:search|suche|suchen|rechercher?|chercher|buscar?|búsqueda|pesquisar?|procurar|"
        r"cerca|ricerca|trova|zoek|zoeken|sök|søk|søg|haku|hae|etsi|szukaj|wyszukaj|hledat|hledej|vyhledat|hľadať|vyhľadať|keresés|keres|căutare|caută|ara|"
        r"поиск|найти|искать|пошук|знайти|шукати|търсене|търси|traži|pretraži|pretraga|išči|αναζήτηση|חיפוש|חפש|بحث|جستجو|検索|搜索|搜尋|查询|查詢|검색|ค้นหา|tìm kiếm|tìm|"
        r"cari|otsi|ieškoti|meklēt|find)(?: now| site| jetzt| go)?"
    )
    + r"\W*"
)


def says_only_search(text: str) -> bool:
    """Say whether a text is a word for searching and nothing else.

    >>> says_only_search("Suchen »"), says_only_search("Search and delete")
    (True, False)
    """
    return len(text) < 60 and bool(_ONLY_SEARCH.fullmatch(folded(text)))
