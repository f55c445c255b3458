"""Marks and phrases of challenge, captcha, consent and login pages, by service and language."""

from __future__ import annotations

import re

CHALLENGE_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"_cf_chl_opt", "Cloudflare"),
    (b"/cdn-cgi/challenge-platform/h/", "Cloudflare"),
    (b"cf-browser-verification", "Cloudflare"),
    (b"jschl_vc", "Cloudflare"),
    (b"cf-error-details", "Cloudflare"),
    (b"cf_captcha_kind", "Cloudflare"),
    (b"/.well-known/ddos-guard/", "DDoS-Guard"),
    (b"check.ddos-guard.net", "DDoS-Guard"),
    (b"Incapsula incident ID", "Imperva"),
    (b"_Incapsula_Resource?CWUDNSAI", "Imperva"),
    (b"_Incapsula_Resource?SWUDNSAI", "Imperva"),
    (b"errors.edgesuite.net", "Akamai"),
    (b"/_sec/cp_challenge/", "Akamai"),
    (b"bm-verify", "Akamai"),
    (b"sucuri_cloudproxy_js", "Sucuri"),
    (b"sucuri-firewall", "Sucuri"),
    (b"px-captcha", "PerimeterX"),
    (b"captcha-delivery.com", "DataDome"),
    (b"gokuProps", "AWS WAF"),
    (b"AwsWafIntegration", "AWS WAF"),
    (b"/.within.website/x/", "Anubis"),
    (b"anubis_challenge", "Anubis"),
    (b"/.well-known/sgcaptcha/", "SiteGround"),
    (b"acw_sc__v2", "Alibaba Cloud"),
    (b"captcha.perfdrive.com", "Radware"),
    (b"KPSDK", "Kasada"),
    (b"/.well-known/vercel/security/", "Vercel"),
    (b"slowAES.decrypt", "testcookie"),
    (b"/showcaptcha", "Yandex"),
    (b"wordfence-lockout", "Wordfence"),
)
"""What only a challenge or a refusal of such a service holds; their scripts on ordinary pages have other names."""

CAPTCHA_MARKS: tuple[bytes, ...] = (
    b"g-recaptcha",
    b"recaptcha/api.js",
    b"recaptcha/enterprise.js",
    b"h-captcha",
    b"hcaptcha.com",
    b"cf-turnstile",
    b"challenges.cloudflare.com",
    b"frc-captcha",
    b"friendly-challenge",
    b"geetest",
    b"smart-captcha",
    b"smartcaptcha",
    b"mtcaptcha",
    b"arkoselabs",
    b"funcaptcha",
    b"altcha-widget",
    b"mcaptcha",
)
"""Widgets that ask whether a person reads the page. They stand beside contact forms, too."""

CHALLENGE_HEADERS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("cf-mitigated", re.compile(r"challenge|block"), "Cloudflare"),
    ("x-amzn-waf-action", re.compile(r"challenge|captcha"), "AWS WAF"),
    ("x-vercel-mitigated", re.compile(r"challenge|deny"), "Vercel"),
)


def _phrases(*lines: str) -> re.Pattern[str]:
    return re.compile("|".join(lines), re.IGNORECASE)


CHALLENGE_TITLE = _phrases(
    # one moment
    r"just a (?:moment|second|minute)",
    r"(?:please )?(?:one moment|wait)[, ]+(?:please|while|verifying|checking)",
    r"(?:nur )?einen (?:kleinen )?(?:moment|augenblick)(?: bitte)?",
    r"un (?:instant|moment)\W",
    r"(?:un|s[oó]lo un|espere un) momento\W",
    r"(?:um|s[oó] um) momento\W",
    r"(?:een|even) (?:ogenblik|moment|geduld)",
    r"(?:attendi )?un attimo",
    r"(?:один|одну) (?:момент|минут|секунд)",
    r"(?:chwileczk[ęe]|jeszcze chwila|prosz[ęe] czeka[ćc])",
    r"(?:ett|et) (?:ögonblick|øyeblikk|øjeblik)",
    r"hetkinen",
    r"okamžik",
    r"bir (?:dakika|saniye) lütfen",
    r"请稍候|請稍候|请稍等|しばらくお待ち|少々お待ち|잠시만 기다",
    # a check of the browser, of the connection, of the person
    r"(?:checking|verifying) (?:your|the|if the) (?:browser|connection|site)",
    r"(?:security|browser|bot|robot|human) (?:check|verification|checkpoint|challenge)",
    r"verif(?:y|ying) (?:that )?(?:you are|you're|whether you are) (?:a )?(?:human|not a)",
    r"(?:are you|you are|you're) (?:not )?(?:a )?(?:robot|bot|human)\b",
    r"making sure (?:that )?(?:you(?:'|’|&#39;)re|you are) not a bot",
    r"attention required",
    r"ddos.?(?:guard|protection)",
    r"client challenge|captcha|pardon our interruption",
    r"(?:überprüf(?:ung|en)|prüf(?:ung|en)) (?:ihres |des |ihren )?browsers?",
    r"sicherheits(?:über)?prüfung|sind sie ein (?:mensch|roboter)|bestätigen sie, dass sie",
    r"vérification (?:de sécurité|de votre navigateur|du navigateur|que vous)",
    r"êtes-vous (?:un )?(?:humain|robot)",
    r"(?:comprobando|verificando) (?:su|tu|el) navegador|comprobación de seguridad|verificación de seguridad",
    r"(?:verificando|checando) (?:o )?seu navegador|verificação de segurança",
    r"(?:verifica|controllo) (?:di sicurezza|del browser|che (?:tu )?sia)",
    r"проверк[аи] (?:вашего )?(?:браузера|безопасности)|вы не робот|подтвердите, что",
    r"sprawdzanie (?:twojej )?przeglądarki|weryfikacja bezpieczeństwa",
    r"controle van (?:je|uw) browser|beveiligingscontrole",
    r"安全(?:检查|检测|验证|確認)|人机验证|正在检查|ロボットではありません|보안 확인",
)
"""What the title of a challenge says."""

CHALLENGE_TEXT = _phrases(
    r"(?:enable|activate|turn on|requires?) (?:js|java\s?script)(?: and cookies)?",
    r"java\s?script and cookies",
    r"cookies and (?:then )?(?:reload|refresh)",
    r"(?:disable|turn off) (?:any |your )?ad.?blocker",
    r"check(?:ing|s)? (?:your|if the|the security of your) (?:browser|site connection|connection)",
    r"(?:verify|verifying|confirm|prove|make sure|check)(?: that)? you(?:'re|’re| are) "
    r"(?:a |not a )?(?:human|robot|bot|real)",
    r"needs to review the security of your connection|performing security verification|security service to protect",
    r"\bray id\b|incident id|support id is|reference (?:id|#)\s*[0-9:.#]|request id",
    r"ddos (?:protection|attack)|protected by an? |proof.of.work|automated (?:process|access|requests|traffic)",
    r"unusual traffic|suspicious activity|not a robot|press (?:&|and) hold|complete the (?:captcha|challenge|security)",
    r"you will be redirected|you are being redirected|redirected (?:once|automatically|shortly|in a few)",
    r"(?:has|have) been (?:temporarily )?(?:blocked|denied|limited)",
    r"java\s?script (?:und cookies|aktivieren|ist deaktiviert)|kein roboter|ungewöhnlichen datenverkehr|"
    r"automatisch weitergeleitet|ihr(?:en)? browser (?:wird )?(?:über)?prüf|sicherheit ihrer verbindung",
    r"activer java\s?script|pas un robot|trafic (?:exceptionnel|inhabituel)|automatiquement redirigé|"
    r"sécurité de votre connexion|vérif\w+ (?:que )?vous êtes (?:un )?humain|votre navigateur est en cours",
    r"(?:habilit[ae]r?|activ[ae]r?) java\s?script|no (?:eres|es|soy) un robot|tráfico inusual|será redirigid|"
    r"que (?:usted )?(?:es|eres) (?:un )?(?:ser )?humano|seguridad de (?:su|tu) conexión",
    r"(?:ativ|habilit)\w+ (?:o )?java\s?script|não (?:é|sou) um robô|tráfego incomum|segurança da sua conexão",
    r"abilita\w* (?:il )?java\s?script|non sei un robot|traffico insolito|sicurezza della (?:tua )?connessione",
    r"включите java\s?script|не робот|вы человек|необычн\w+ трафик|безопасност\w+ вашего (?:подключения|соединения)",
    r"(?:schakel|zet) java\s?script|geen robot|włącz\w* (?:obsługę )?java\s?script|nie jesteś robotem",
    r"启用\s?java\s?script|不是机器人|真人|异常流量|ロボットでは(?:な|あ)",
    r"javascript を有効|자바스크립트|로봇이 아",
)
"""What a challenge says below its title."""

REFUSAL = _phrases(
    r"access (?:to this (?:page|site|website|resource) )?(?:has been |is |was )?"
    r"(?:denied|blocked|forbidden|restricted)",
    r"(?:you|your (?:ip|access|request|connection)[\w. ]{0,30}) (?:have been|has been|was|were|is) "
    r"(?:temporarily )?(?:blocked|denied|banned|limited|rejected)",
    r"request (?:blocked|unsuccessful|rejected)|requested url was rejected|too many requests|rate limit(?:ed)?",
    r"zugriff (?:wurde )?(?:verweigert|gesperrt|blockiert)|zu viele anfragen",
    r"accès (?:refusé|interdit|bloqué)|trop de requêtes",
    r"acceso (?:denegado|bloqueado|prohibido)|demasiadas (?:solicitudes|peticiones)",
    r"acesso (?:negado|bloqueado|proibido)|accesso (?:negato|bloccato)|toegang geweigerd|odmowa dostępu",
    r"доступ (?:запрещ|закрыт|ограничен|заблокирован)|访问(?:被拒绝|受限)|アクセス(?:が|は)?拒否|접근이 거부",
)
"""What a page says that refuses; so does many a page about such pages, and a thread's title."""

CONSENT_TITLE = _phrases(
    r"before (?:you|we) (?:continue|proceed|go on)",
    r"bevor (?:sie|du|es|wir|ihr) (?:fortfahren|fortfährst|weiter|zu )",
    r"avant (?:de continuer|d['’]accéder|de poursuivre)",
    r"antes de (?:continuar|seguir|prosseguir)",
    r"prima di (?:continuare|procedere)",
    r"voordat (?:je|u|we) (?:verder|doorgaat|naar)",
    r"zanim (?:przejdziesz|kontynuujesz|przejdziemy)",
    r"прежде чем (?:продолжить|перейти|вы)|перед тем как (?:продолжить|перейти)",
    r"innan du (?:fortsätter|går vidare)|før du (?:fortsætter|fortsetter|går videre)|ennen kuin jatkat",
    r"než budete pokračovat|mielőtt továbblép|devam etmeden önce|înainte de a continua",
    r"继续之前|在继续之前|続行する前に|계속하기 전에",
    r"cookies? (?:wall|consent|required|are required|must be enabled)|(?:privacy|cookie) (?:gate|wall|notice)$",
    r"(?:zustimmung|einwilligung) (?:erforderlich|zu cookies)|mit (?:werbung|cookies) weiterlesen",
    r"consentement (?:requis|aux cookies)|consentimiento (?:requerido|de cookies)",
    r"age (?:verification|check|gate)|altersprüfung|altersverifikation|vérification de l['’]âge|verificación de edad",
)
CONSENT_TEXT = _phrases(
    r"cookie|consent|zustimm|einwillig|akzeptier|accepte[rz]|consentement|aceptar|aceitar|accetta|akkoord|accepteren",
    r"согла|принять|zgod[aęy]|godkänn|accepter|souhlas|elfogad|kabul|同意|동의|years? (?:of age|old)|volljährig|18",
)

LOGIN = _phrases(
    r"\blog.?(?:in|on)\b|\bsign.?in\b|anmeld|einlogg|connexion|se connecter|identifi(?:ez|er)|iniciar sesi[oó]n|"
    r"acceder|entrar|iniciar sess[aã]o|accedi|inloggen|aanmelden|zaloguj|logowanie|вход|войти|logga in|log ind|"
    r"logg inn|kirjaudu|přihlá|bejelentkez|giriş|登录|登入|ログイン|로그인|authenti|members? only|nur für mitglieder",
)
