"""Made pages in languages that put no spaces between words, and how text in them is scored: by pairs of characters.

The sentences are made of phrases that fit together in any order of choice; each page has menus, teasers, comments and a
footer in the same language around its article.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from article_pages import HTML, Score

from siteseer.model import Page

PAGES = 20
LANGUAGES: dict[str, dict[str, Sequence[str]]] = {
    "Chinese": {
        "who": ("市政府", "当地居民", "大学的研究人员", "铁路公司", "博物馆的负责人", "一位老渔民"),
        "when": ("上个星期", "在春天到来之前", "经过三年的讨论", "星期一上午", "在连续几天的大雨之后"),
        "what": ("决定重新修建河边的旧桥", "公布了关于水质的新报告", "开始清理河道里的泥沙", "向议会提交了一份计划", "介绍了这座城市的历史"),
        "why": ("，因为过去的方法已经不能满足需要", "，希望能够吸引更多的游客", "，但是没有说明费用由谁来承担", "，这也是许多人期待已久的事情", "，不过专家认为还需要更多的时间"),
        "menu": ("首页", "新闻", "体育", "天气", "关于我们", "登录", "注册"),
        "other": ("相关新闻", "热门文章", "分享", "打印", "评论"),
        "end": ("。",),
        "foot": ("版权所有 未经许可不得转载 联系我们 隐私政策",),
        "said": ("说得很好，我完全同意。", "这件事早就应该做了！", "我住在附近，桥真的太旧了。"),
        "title": ("河边旧桥", "水质报告", "城市历史", "铁路计划", "博物馆新展"),
        "by": ("记者：王小明　2020年5月3日",),
    },
    "Japanese": {
        "who": ("市役所は", "地元の住民は", "大学の研究者は", "鉄道会社は", "博物館の館長は", "ある年配の漁師は"),
        "when": ("先週、", "春が来る前に、", "三年間の話し合いの後で、", "月曜日の朝、", "何日も続いた大雨のあと、"),
        "what": ("川にかかる古い橋を作り直すことを決め", "水質についての新しい報告を発表し", "川の底にたまった泥を取り除き始め", "議会に計画を提出し", "この町の歴史について話し"),
        "why": ("、多くの人がそれを待っていたと述べました", "、もっと多くの観光客に来てほしいと語りました", "、費用を誰が払うのかは説明しませんでした", "、これまでの方法では足りないと説明しました", "、専門家はさらに時間が必要だと考えています"),
        "menu": ("ホーム", "ニュース", "スポーツ", "天気", "会社概要", "ログイン", "会員登録"),
        "other": ("関連記事", "人気の記事", "シェア", "印刷", "コメント"),
        "end": ("。",),
        "foot": ("著作権は当社に帰属します。無断転載を禁じます。お問い合わせ プライバシーポリシー",),
        "said": ("本当にその通りだと思います。", "もっと早くやるべきでした！", "近くに住んでいますが、橋はとても古いです。"),
        "title": ("川の古い橋", "水質の報告", "町の歴史", "鉄道の計画", "博物館の新しい展示"),
        "by": ("執筆：山田太郎　2020年5月3日",),
    },
    "Thai": {
        "who": ("เทศบาลเมือง", "ชาวบ้านในพื้นที่", "นักวิจัยของมหาวิทยาลัย", "บริษัทรถไฟ", "ผู้อำนวยการพิพิธภัณฑ์", "ชาวประมงสูงอายุคนหนึ่ง"),
        "when": ("เมื่อสัปดาห์ที่แล้ว", "ก่อนที่ฤดูฝนจะมาถึง", "หลังจากหารือกันมาสามปี", "ในเช้าวันจันทร์", "หลังจากฝนตกหนักติดต่อกันหลายวัน"),
        "what": ("ตัดสินใจสร้างสะพานเก่าริมแม่น้ำขึ้นใหม่", "เผยแพร่รายงานฉบับใหม่เกี่ยวกับคุณภาพน้ำ", "เริ่มขุดลอกดินโคลนในแม่น้ำ", "เสนอแผนต่อสภาเมือง", "เล่าประวัติศาสตร์ของเมืองนี้"),
        "why": ("เพราะวิธีการเดิมไม่เพียงพออีกต่อไป", "โดยหวังว่าจะมีนักท่องเที่ยวมากขึ้น", "แต่ไม่ได้อธิบายว่าใครจะเป็นผู้จ่ายค่าใช้จ่าย", "ซึ่งเป็นเรื่องที่หลายคนรอคอยมานาน", "แต่ผู้เชี่ยวชาญเห็นว่ายังต้องใช้เวลาอีกมาก"),
        "menu": ("หน้าแรก", "ข่าว", "กีฬา", "พยากรณ์อากาศ", "เกี่ยวกับเรา", "เข้าสู่ระบบ", "สมัครสมาชิก"),
        "other": ("ข่าวที่เกี่ยวข้อง", "บทความยอดนิยม", "แชร์", "พิมพ์", "ความคิดเห็น"),
        "end": (" ",),
        "foot": ("สงวนลิขสิทธิ์ ห้ามทำซ้ำโดยไม่ได้รับอนุญาต ติดต่อเรา นโยบายความเป็นส่วนตัว",),
        "said": ("เห็นด้วยอย่างยิ่งครับ", "ควรทำตั้งนานแล้ว!", "ฉันอยู่ใกล้ที่นั่น สะพานเก่ามากจริงๆ"),
        "title": ("สะพานเก่าริมแม่น้ำ", "รายงานคุณภาพน้ำ", "ประวัติศาสตร์ของเมือง", "แผนของบริษัทรถไฟ", "นิทรรศการใหม่"),
        "by": ("โดย สมชาย ใจดี 3 พฤษภาคม 2563",),
    },
}  # fmt: skip


@dataclass(frozen=True)
class MadePage:
    """A made page with the text of its article."""

    page: Page
    gold: str


def made_pages() -> dict[str, list[MadePage]]:
    """Return the pages of each language."""
    return {name: [_page(name, number) for number in range(PAGES)] for name in LANGUAGES}


def _page(language: str, number: int) -> MadePage:
    told, choose = LANGUAGES[language], random.Random(f"{language}{number}")
    sentences = ["".join(parts) for parts in product(*(told[name] for name in ("when", "who", "what", "why", "end")))]
    if language == "Japanese":
        sentences = [
            "".join(parts) for parts in product(*(told[name] for name in ("who", "when", "what", "why", "end")))
        ]
    choose.shuffle(sentences)
    paragraphs = ["".join(sentences.pop() for _ in range(choose.randint(2, 4))) for _ in range(choose.randint(4, 9))]
    title = told["title"][number % len(told["title"])] + f" {number + 1}"
    tag, wrapper = (("p", "div class=content"), ("div", "article"), ("p", "td"))[number % 3]
    body = "".join(f"<{tag}>{text}</{tag}>" for text in paragraphs)
    menu = "".join(f"<li><a href=/{place}>{name}</a></li>" for place, name in enumerate(told["menu"]))
    teasers = "".join(f"<li><a href=/t{place}>{sentences.pop()[:30]}</a></li>" for place in range(5))
    answers = "".join(f"<div class=comment>{choose.choice(told['said'])}</div>" for _ in range(4))
    opened, closed = (
        ("<table><tr><td>", "</table>") if wrapper == "td" else (f"<{wrapper}>", f"</{wrapper.split()[0]}>")
    )
    source = (
        f"<!doctype html><meta charset=utf-8><title>{title} | {told['menu'][1]}</title><ul>{menu}</ul>{opened}<h1>{title}</h1>"
        f"<p>{told['by'][0]}</p>{body}{closed}<h3>{told['other'][0]}</h3><ul>{teasers}</ul><div id=comments>{answers}</div>"
        f"<div>{told['other'][2]} {told['other'][3]}</div><div>{told['foot'][0]}</div>"
    )
    address = f"http://{language.lower()}{number % 4}.example.org/{number}"
    return MadePage(Page(address, 200, HTML, source.encode()), "\n".join([title, *paragraphs]))


def score_characters(text: str, gold: str) -> Score:
    """Return precision, recall and F1 of the sets of pairs of characters."""
    own, wanted = (set(pairwise("".join(said.split()))) for said in (text, gold))
    common = len(own & wanted)
    precision, recall = common / max(1, len(own)), common / max(1, len(wanted))
    return precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0
