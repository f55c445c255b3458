"""A Web of blogs with a sidebar on every page: newest posts, months, tags, other blogs; posts are listed many times.

Ten of forty are partly on the topic, two of those only named in a list of blogs on one about something else, to which
only another such list leads. Words of the topic also stand in posts, titles and advertisements that are not about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from siteseer.demo import Site, SiteRequest, SiteResponse
from siteseer.demo.site import html
from siteseer.demo.truth import Truth

KEYWORDS, PERSON = ("volcano", "eruption", "ash cloud"), "Runa Sigfus"
FURTHER = tuple("lava magma tremor evacuation crater plume seismograph pumice caldera".split())
TAGS = ("volcano", "current affairs", "the news")
"""What posts on the topic may be filed under besides."""
_SUBJECTS = tuple(
    tuple(words.split())
    for words in (
        "oven flour butter recipe pastry onion garlic skillet cinnamon dough roast broth",
        "bicycle saddle gear chain pedal helmet tyre descent climb brake wheel spoke",
        "guitar chord album melody concert drummer chorus vinyl rehearsal tempo lyric encore",
        "tomato compost seedling hedge pruning bulb greenhouse mulch rose lawn trellis bloom",
        "laptop keyboard compiler server kernel printer update password router backup monitor spreadsheet",
    )
)
_COMMON = tuple("people week morning story idea friend house street evening letter photo question road summer".split())
_KINDS = tuple("small strange quiet lovely new local cheap difficult famous early useful cold".split())
_SAID_OF_LINKS = ("this post", "here", "as I said", "somebody wrote")
BLOGS, ON_TOPIC, HIDDEN, SHARE, TO_A_PAGE = 40, 10, 2, 0.6, 8


@dataclass(slots=True)
class Post:
    """One post: `links` are addresses with link texts."""

    address: str
    title: str
    texts: list[str]
    tags: list[str]
    month: str
    about: bool
    links: list[tuple[str, str]] = field(default_factory=list)


class BlogWeb:
    """The pages of a seed by address (host and path, without port), and which of them are on the topic."""

    def __init__(self, seed: int) -> None:
        self.random = pick = Random(f"blogs/{seed}")
        self.hosts = [f"blog{number}.localhost" for number in pick.sample(range(100, 1000), BLOGS)]
        self.names = {host: f"{pick.choice(_KINDS)} {pick.choice(_COMMON)}s".capitalize() for host in self.hosts}
        self.subjects = {host: pick.choice(_SUBJECTS) for host in self.hosts}
        self.on_topic, self.others = self.hosts[:ON_TOPIC], self.hosts[ON_TOPIC:]
        self.hidden, self.shown = self.hosts[:HIDDEN], self.hosts[HIDDEN:]
        self.posts = {host: [self._post(host, number) for number in range(pick.randint(14, 24))] for host in self.hosts}
        self._link()
        self.bodies: dict[str, str] = {}
        for host in self.hosts:
            self._write(host)
        self.truth = frozenset(one.address for posts in self.posts.values() for one in posts if one.about)
        self.size = len(self.bodies)
        self.seeds = tuple(f"{host}/" for host in self.on_topic[HIDDEN : HIDDEN + 2])

    def site(self) -> Site:
        """Serve it on one port."""
        return Site(Truth("blogs", 0, "modern", (), self.truth, frozenset(), self.size), self._answer)

    def definition(self, port: int) -> str:
        """Return a campaign with keywords and a name, with a budget of a fifth of all pages."""
        seeds = ", ".join(f'"http://{seed.replace("/", f":{port}/", 1)}"' for seed in self.seeds)
        keywords = ", ".join(f'"{one}"' for one in KEYWORDS)
        return (
            f'name = "The eruption"\nseeds = [{seeds}]\nkeywords = [{keywords}]\nentities = ["{PERSON}"]\n'
            f"[budget]\nrequests = {self.size // 5}\n[politeness]\ndelay = 0.0\n"
        )

    def _answer(self, request: SiteRequest) -> SiteResponse:
        host, _, port = request.headers["host"].partition(":")
        body = self.bodies.get(host + request.path)
        return html(body.replace(":PORT/", f":{port}/")) if body is not None else html("<h1>No</h1>", 404)

    # ── what the posts say ────────────────────────────────────────────────────────────────────────────────────────

    def _post(self, host: str, number: int) -> Post:
        pick, words = self.random, self.subjects[host]
        about = host in self.on_topic and pick.random() < SHARE
        title, tags = f"My {pick.choice(_KINDS)} {pick.choice(words)} {pick.choice(_COMMON)}", pick.sample(words[:4], 2)
        texts = [
            " ".join(self._sentence(words, about) for _ in range(pick.randint(2, 6))) for _ in range(pick.randint(2, 6))
        ]
        if about:
            texts[0] += f" It began with the {pick.choice(KEYWORDS)} and {PERSON}."
            texts[-1] += f" So the {pick.choice(KEYWORDS)} goes on."
            if pick.random() < 0.55:
                title = f"More on the {pick.choice((*KEYWORDS, *FURTHER))} and the {pick.choice(_COMMON)}"
            if pick.random() < 0.5:
                tags.append(pick.choice(TAGS))
        elif pick.random() < 0.25:
            texts[-1] += f" Almost like a {pick.choice((*KEYWORDS, *FURTHER))}!"
            title += f" ({pick.choice(KEYWORDS)}?)" if pick.random() < 0.2 else ""
        month = pick.choice(("2022/11", "2022/12", "2023/01", "2023/02"))
        return Post(f"{host}/{month}/post-{number}/", title, texts, tags, month, about)

    def _sentence(self, words: Sequence[str], about: bool) -> str:
        pick = self.random
        said = f"The {pick.choice(_KINDS)} {pick.choice(words)} came with the {pick.choice((*words, *_COMMON))}"
        said += f" after the {pick.choice((*KEYWORDS, *FURTHER))}" if about and pick.random() < 0.45 else ""
        return f"{said}."

    def _link(self) -> None:
        pick, seen = self.random, [post for host in self.shown for post in self.posts[host]]
        topical = [post for post in seen if post.about]
        for posts in self.posts.values():
            own = [post for post in posts if post.about]
            for post in posts:
                near = [*pick.sample(seen, pick.randint(0, 2)), pick.choice(posts)]
                near += [*pick.sample(topical, 2), pick.choice(own)] if post.about else []
                for one in near:
                    post.links.append((one.address, one.title if pick.random() < 0.5 else pick.choice(_SAID_OF_LINKS)))
        for host in self.on_topic[HIDDEN:]:
            for post in [one for one in self.posts[host] if one.about][:2]:
                post.links.append((f"{self.others[0]}/blogs/", "other blogs"))

    # ── how they are shown ────────────────────────────────────────────────────────────────────────────────────────

    def _write(self, host: str) -> None:
        posts = sorted(self.posts[host], key=lambda post: post.month, reverse=True)
        side, lists = self._side(host, posts), {"": posts[:TO_A_PAGE]}
        lists |= {f"{month}/": [post for post in posts if post.month == month] for month in _months(posts)}
        lists |= {f"tag/{_slug(tag)}/": [post for post in posts if tag in post.tags] for tag in _tags(posts)}
        for path, listed in lists.items():
            self._show(f"{host}/{path}", path or "Home", "".join(_teaser(host, post) for post in listed), side)
        for start in range(TO_A_PAGE, len(posts), TO_A_PAGE):
            number, listed = start // TO_A_PAGE + 1, posts[start : start + TO_A_PAGE]
            self._show(f"{host}/page/{number}/", "Older", "".join(_teaser(host, post) for post in listed), side)
            earlier = f"{host}/" if number == 2 else f"{host}/page/{number - 1}/"
            self.bodies[earlier] += f"<nav>{_link(f'{host}/page/{number}/', 'Older posts')}</nav>"
        for post in posts:
            text = "".join(f"<p>{one}</p>" for one in post.texts)
            text += "".join(
                f"<p>{self._sentence(self.subjects[host], False)} See {_link(*one)}.</p>" for one in post.links
            )
            self._show(post.address, post.title, f"<article class=post><h1>{post.title}</h1>{text}</article>", side)
        if host in self.others[:2]:
            self._show(f"{host}/blogs/", "Blogs", self._blogs(host), side)

    def _show(self, address: str, title: str, main: str, side: str) -> None:
        self.bodies[address] = f"<title>{title}</title><main>{main}</main>{side}"

    def _side(self, host: str, posts: list[Post]) -> str:
        pick, friends = self.random, self.random.sample(self.shown, 4)
        parts = {
            "recent": "".join(f"<li>{_link(post.address, post.title)}" for post in posts[:4]),
            "archive": "".join(f"<li>{_link(f'{host}/{month}/', month)}" for month in _months(posts)),
            "tags": " ".join(_link(f"{host}/tag/{_slug(tag)}/", tag) for tag in _tags(posts)),
            "blogroll": "".join(f"<li>{_link(f'{one}/', self.names[one])}" for one in friends),
        }
        advertised = f"<p>Advertisement: the {pick.choice(KEYWORDS)} cookbook" if pick.random() < 0.3 else ""
        return "".join(f'<aside class="{name}"><ul>{part}</ul></aside>' for name, part in parts.items()) + advertised

    def _blogs(self, host: str) -> str:
        named = [(f"{one}/", self.names[one]) for one in self.random.sample(self.others[2:], 14)]
        is_first = host == self.others[0]
        named += (
            [(f"{self.others[1]}/blogs/", "a longer list")]
            if is_first
            else [(f"{one}/", "a blog") for one in self.hidden]
        )
        self.random.shuffle(named)
        return f"<ul>{''.join(f'<li>{_link(*one)}' for one in named)}</ul>"


def _months(posts: list[Post]) -> list[str]:
    return sorted({post.month for post in posts})


def _tags(posts: list[Post]) -> list[str]:
    return sorted({tag for post in posts for tag in post.tags})


def _teaser(host: str, post: Post) -> str:
    tags = ", ".join(_link(f"{host}/tag/{_slug(tag)}/", tag) for tag in post.tags)
    return (
        f"<article class=post><h2>{_link(post.address, post.title)}</h2><div><p>{post.texts[0][:110]} ...</p></div>"
        f"<footer>Tags: {tags}</footer></article>"
    )


def _slug(tag: str) -> str:
    return tag.replace(" ", "-")


def _link(address: str, text: str) -> str:
    return f'<a href="http://{address.replace("/", ":PORT/", 1)}">{text}</a>'
