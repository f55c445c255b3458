"""A page that tries to run something in whatever shows it, and to make that ask its site."""

from __future__ import annotations

from base64 import b64decode

from siteseer.demo import Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html

RUN = "console.info(/pwned/.source)"
"""Tells on the console, which is heard from every frame, that a script ran."""
ATTACKS = (
    f"<script>{RUN}</script>",
    f"<img src=x onerror='{RUN}'>",
    f"<svg onload='{RUN}'><animate onbegin='{RUN}' attributeName=x dur=1s></svg>",
    f"<iframe srcdoc='<script>{RUN}</script>'></iframe><object data='javascript:{RUN}'></object>",
    f"<a href='javascript:{RUN}' id=trap>click</a><input autofocus onfocus='{RUN}'><details open ontoggle='{RUN}'>",
    f"<meta http-equiv=refresh content='0;url=javascript:{RUN}'><base href='javascript:/'>",
    f"{{{{ constructor.constructor('{RUN}')() }}}} ${{{RUN}}} `-{RUN}-`",
    f"</script><script>{RUN}</script><style>@import 'javascript:x';body{{background:url(http://b.example/x)}}</style>",
    f'"\'><script>{RUN}</script> :onclick="{RUN}" ]]> </textarea></title><script>{RUN}</script>',
)
PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEUlEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=="
)
ROWS = "".join(
    f"<li class=row data-siteseer=999 data-siteseer-as=record style='background:url(//b.example/x)'><b>Row {at}</b> "
    f"<a href='/away' target=_top ping=/ping onclick='{RUN}'>link {at}</a></li>"
    for at in range(4)
)
MORE = (
    f"<form action=/sent onsubmit='{RUN}'><input name=q value=x formaction=/sent autofocus onfocus='{RUN}'></form>"
    "<link rel=stylesheet href=/style.css><link rel=preload as=image href=/preloaded><base target=_top>"
    f"<svg><script>{RUN}</script><a href='javascript:{RUN}'><text>draw</text></a><use href='/sprite.svg#x'/></svg>"
    f"<math><mtext><style><img src=x onerror='{RUN}'></style></mtext></math><plaintext-is-no-tag onclick='{RUN}'>"
    "<video src=/film poster=/p></video><object data=/thing></object><embed src=/thing><iframe src=/inner></iframe>"
)
STYLE = "body{color:rgb(1,2,3)} .row{background:url(/tracked.png)} @import url(/imported.css); x{content:'</style>'}"


def evil_site() -> Site:
    body = f"<ul>{ROWS}</ul><img id=pic src=/pic.png srcset='/pic2.png 2x'>{MORE}{' '.join(ATTACKS[:-1])}"
    page = f"<!DOCTYPE html><html><head><title>{ATTACKS[0]}</title></head><body onload='{RUN}'>{body}</body></html>"
    files = {"/pic.png": ("image/png", PICTURE), "/pic2.png": ("image/png", PICTURE), "/style.css": ("text/css", STYLE)}

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path in files:
            kind, content = files[request.path]
            made = content if isinstance(content, bytes) else content.encode()
            return SiteResponse(200, (("Content-Type", kind),), made)
        return html(page if request.path == "/" else "<p>elsewhere", 200 if request.path == "/" else 404)

    return Site(Truth("evil", 0, "classic", (), frozenset(("/",)), frozenset(), 1, frozenset(("/",))), answer)
