"""Turns the quoted highlights of the two assessors into assessments in native JSONL."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from articles import DEMO, Article, Range, read_articles

HERE = Path(__file__).resolve().parent
ASSESSORS = ("first", "second")
BETWEEN_QUOTES = " ... "

Row = dict[str, object]


class BadHighlightError(Exception):
    """A line of a highlights file that cannot be resolved."""


@dataclass(slots=True)
class Judged:
    """What one assessor says about one document: graded ranges and the best entry point."""

    ranges: list[tuple[Range, int]] = field(default_factory=list)
    entry_points: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Topic:
    """What one assessor says about one topic."""

    relevant: dict[str, Judged] = field(default_factory=dict)
    not_relevant: list[str] = field(default_factory=list)


def locate(quote: str, article: Article) -> Range:
    """Find a quote that must occur exactly once in an article."""
    count = article.text.count(quote)
    if count != 1:
        raise BadHighlightError(f"found {count} times in {article.name}, expected once: {quote!r}")
    start = article.text.index(quote)
    return start, start + len(quote)


def check_sentences(found: Range, article: Article) -> None:
    """Insist that a range begins where a sentence begins and ends where one ends."""
    sentences = article.sentences()
    if found[0] not in {start for start, _ in sentences}:
        raise BadHighlightError("the range does not begin at the beginning of a sentence")
    if found[1] not in {end for _, end in sentences} or found[1] <= found[0]:
        raise BadHighlightError("the range does not end at the end of a later sentence")


def resolve(quotes: str, article: Article) -> Range:
    """Turn `beginning ... end`, or one whole quote, into a range of whole sentences."""
    beginning, _, end = quotes.partition(BETWEEN_QUOTES)
    found = locate(beginning, article)[0], locate(end or beginning, article)[1]
    check_sentences(found, article)
    return found


class Reader:
    """Reads a highlights file line by line; each line begins with a word or sign."""

    def __init__(self, articles: dict[str, Article]) -> None:
        """Start with no topic at hand."""
        self.articles = articles
        self.topics: defaultdict[str, Topic] = defaultdict(Topic)
        self.topic = Topic()
        self.document = ""

    def read(self, line: str) -> None:
        """Read one line."""
        sign, _, rest = line.partition(" ")
        match sign:
            case "topic":
                self.topic = self.topics[rest]
            case "document":
                self.document = self.known(rest)
                self.topic.relevant[rest] = Judged()
            case "+" | "++":
                self.add_range(rest, grade=len(sign))
            case "@":
                entry_point = locate(rest, self.articles[self.document])[0]
                self.topic.relevant[self.document].entry_points.append(entry_point)
            case "-":
                self.topic.not_relevant += [self.known(name) for name in rest.split()]
            case _:
                raise BadHighlightError(f"found {sign!r}, expected topic, document, +, ++, @ or -")

    def known(self, name: str) -> str:
        """Insist that a document exists."""
        if name not in self.articles:
            raise BadHighlightError(f"there is no article {name!r}")
        return name

    def add_range(self, quotes: str, grade: int) -> None:
        """Add a highlighted range to the document at hand."""
        found = resolve(quotes, self.articles[self.document])
        judged = self.topic.relevant[self.document]
        if any(found[0] < end and start < found[1] for (start, end), _ in judged.ranges):
            raise BadHighlightError(f"the range overlaps an earlier one: {quotes!r}")
        judged.ranges.append((found, grade))


def check_topic(name: str, topic: Topic) -> None:
    """Insist on one entry point inside the highlights, and on one verdict for each document."""
    for document, judged in topic.relevant.items():
        if len(judged.entry_points) != 1:
            raise BadHighlightError(f"{name} {document}: expected one best entry point")
        point = judged.entry_points[0]
        if not any(start <= point < end for (start, end), _ in judged.ranges):
            raise BadHighlightError(f"{name} {document}: the best entry point is not highlighted")
        if document in topic.not_relevant:
            raise BadHighlightError(f"{name} {document}: both relevant and not relevant")


def read_highlights(path: Path, articles: dict[str, Article]) -> dict[str, Topic]:
    """Read all highlights of one assessor; the first fault stops the script."""
    reader = Reader(articles)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            if line and not line.startswith("#"):
                reader.read(line)
        except BadHighlightError as fault:
            raise SystemExit(f"{path.name}:{number}: {fault}") from fault
    for name, topic in reader.topics.items():
        try:
            check_topic(name, topic)
        except BadHighlightError as fault:
            raise SystemExit(f"{path.name}: {fault}") from fault
    return dict(reader.topics)


def document_rows(articles: dict[str, Article]) -> Iterator[Row]:
    """Yield the first line of the file and a row with length and hash for each article."""
    yield {"spanwise": 1, "kind": "assessments", "unit": "codepoint"}
    for article in articles.values():
        yield {"document": article.name, "length": len(article.text), "sha256": article.sha256}


def topic_rows(name: str, topic: Topic) -> Iterator[Row]:
    """Yield the rows of one topic: ranges and entry points, then what is not relevant."""
    for document, judged in sorted(topic.relevant.items()):
        for (start, end), grade in sorted(judged.ranges):
            row: Row = {"topic": name, "document": document, "start": start, "end": end}
            yield row | ({"grade": grade} if grade > 1 else {})
        for entry_point in judged.entry_points:
            yield {"topic": name, "document": document, "bep": entry_point}
    for document in sorted(topic.not_relevant):
        yield {"topic": name, "document": document, "grade": 0}


def write_assessments(assessor: str, articles: dict[str, Article]) -> None:
    """Write the assessments of one assessor."""
    topics = read_highlights(HERE / f"highlights.{assessor}.txt", articles)
    rows = [*document_rows(articles)]
    for name, topic in sorted(topics.items()):
        rows += topic_rows(name, topic)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path = DEMO / f"assessments.{assessor}.jsonl"
    path.write_text(lines, encoding="utf-8", newline="\n")


def main() -> None:
    """Write the assessments of both assessors."""
    articles = read_articles()
    for assessor in ASSESSORS:
        write_assessments(assessor, articles)


if __name__ == "__main__":
    main()
