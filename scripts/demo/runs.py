"""Makes the six demo runs: one BM25 ranking over six ways to cut the articles."""

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from articles import DEMO, Article, Range, read_articles, tag_of

ANSWERS = 30
CHUNK, OVERLAP = 600, 150
K1, B = 1.2, 0.75

WORD = re.compile(r"[^\W_]+")
PLURAL = re.compile(r"(?<=sh|ch|ss)es$|(?<=\w\w[^su])s$")
STOP_WORDS = set(WORD.findall("a and at by do does for from how in is it its of on or the to what"))


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of an article that can be an answer, with the counts of its words."""

    document: str
    start: int
    end: int
    counts: Counter[str]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """One ranked answer to a topic."""

    topic: str
    rank: int
    score: float
    piece: Piece


def words(text: str) -> list[str]:
    """Split a text into lower-case words, without stop words and without plural endings."""
    found = (word.lower() for word in WORD.findall(text))
    return [PLURAL.sub("", word) for word in found if word not in STOP_WORDS]


class BM25:
    """Okapi BM25 over pieces of text."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        """Count in how many pieces each word occurs."""
        self.pieces = pieces
        self.average = sum(piece.counts.total() for piece in pieces) / len(pieces)
        self.pieces_with = Counter(word for piece in pieces for word in piece.counts)

    def weight(self, word: str) -> float:
        """Say how much a word tells: the fewer pieces have it, the more."""
        having = self.pieces_with[word]
        return math.log(1 + (len(self.pieces) - having + 0.5) / (having + 0.5))

    def score(self, query: Sequence[str], piece: Piece) -> float:
        """Score one piece for one query, rounded to six decimals."""
        length = K1 * (1 - B + B * piece.counts.total() / self.average)
        total = math.fsum(
            self.weight(word) * piece.counts[word] * (K1 + 1) / (piece.counts[word] + length)
            for word in query
        )
        return round(total, 6)

    def rank(self, topic: str, query: Sequence[str]) -> list[Answer]:
        """Rank the best pieces for a query; ties by document, descending, then by start."""
        scored = [(self.score(query, piece), piece) for piece in self.pieces]
        found = [(score, piece) for score, piece in scored if score > 0]
        found.sort(key=lambda pair: (pair[0], pair[1].document, -pair[1].start), reverse=True)
        best = enumerate(found[:ANSWERS], start=1)
        return [Answer(topic, rank, score, piece) for rank, (score, piece) in best]


def whole(article: Article) -> list[Range]:
    """Take the whole article."""
    return [(0, len(article.text))]


def sections(article: Article) -> list[Range]:
    """Take the sections with their titles."""
    return article.ranges_of("sec")


def paragraphs(article: Article) -> list[Range]:
    """Take the paragraphs."""
    return article.ranges_of("p")


def sentences(article: Article) -> list[Range]:
    """Take the sentences."""
    return article.sentences()


def chunks(article: Article) -> list[Range]:
    """Take windows of a fixed size that overlap; they cut through words and sentences."""
    length = len(article.text)
    starts = range(0, max(length - OVERLAP, 1), CHUNK - OVERLAP)
    return [(start, min(start + CHUNK, length)) for start in starts]


def elements(article: Article) -> list[Range]:
    """Take articles, sections and paragraphs together, one inside the other."""
    return [found for path, found in article.elements if tag_of(path) in ("article", "sec", "p")]


def cut(articles: Sequence[Article], into: Callable[[Article], list[Range]]) -> list[Piece]:
    """Cut all articles into pieces."""
    return [
        Piece(article.name, start, end, Counter(words(article.text[start:end])), paths[start, end])
        for article in articles
        for paths in [defaultdict(str, {found: path for path, found in article.elements})]
        for start, end in into(article)
    ]


def trec_line(answer: Answer, run: str) -> str:
    """Write a line of a TREC run: whole documents."""
    place = f"{answer.topic} Q0 {answer.piece.document}"
    return f"{place} {answer.rank} {answer.score:.6f} {run}"


def fol_line(answer: Answer, run: str) -> str:
    """Write a line of an INEX FOL run: offset and length."""
    piece = answer.piece
    return f"{trec_line(answer, run)} {piece.start} {piece.end - piece.start}"


def native_line(answer: Answer, run: str) -> str:
    """Write a line of a native run: JSON with start and end."""
    piece = answer.piece
    row = {"topic": answer.topic, "document": piece.document, "start": piece.start}
    return json.dumps(row | {"end": piece.end, "score": answer.score, "run": run})


def element_line(answer: Answer, run: str) -> str:
    """Write a line of an INEX element run: the path of an element."""
    return f"{trec_line(answer, run)} {answer.piece.path}"


RUNS = {
    "elements.run": (elements, element_line),
    "documents.trec": (whole, trec_line),
    "chunks.fol": (chunks, fol_line),
    "paragraphs.jsonl": (paragraphs, native_line),
    "sections.fol": (sections, fol_line),
    "sentences.jsonl": (sentences, native_line),
}


def read_queries() -> dict[str, list[str]]:
    """Read the words of the queries, by topic."""
    lines = (DEMO / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    topics = [json.loads(line) for line in lines]
    return {topic["topic"]: words(topic["query"]) for topic in topics}


def main() -> None:
    """Write all runs."""
    articles = list(read_articles().values())
    queries = read_queries()
    for name, (into, line_of) in RUNS.items():
        ranking = BM25(cut(articles, into))
        answers = [a for topic, query in queries.items() for a in ranking.rank(topic, query)]
        path = DEMO / "runs" / name
        lines = "".join(line_of(answer, path.stem) + "\n" for answer in answers)
        path.write_text(lines, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
