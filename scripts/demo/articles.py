"""Reads the demo articles: text view, elements and sentences, all as ranges of code points."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

DEMO = Path(__file__).resolve().parents[2] / "src" / "spanwise" / "demo"

SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s|$)|$)", re.DOTALL)

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Article:
    """One article: its text view and the range of every element, in document order."""

    name: str
    text: str
    elements: tuple[tuple[str, Range], ...]
    """Paths such as /article[1]/sec[2], with their ranges."""

    @property
    def sha256(self) -> str:
        """The hash of the UTF-8 text view."""
        return sha256(self.text.encode("utf-8")).hexdigest()

    def ranges_of(self, tag: str) -> list[Range]:
        """Give the ranges of all elements with this tag."""
        return [found for path, found in self.elements if tag_of(path) == tag]

    def sentences(self) -> list[Range]:
        """Give the ranges of the sentences inside paragraphs."""
        return [
            (start + match.start(), start + match.end())
            for start, end in self.ranges_of("p")
            for match in SENTENCE.finditer(self.text[start:end])
        ]


def tag_of(path: str) -> str:
    """Give the tag of the element that a path names."""
    return path.rpartition("/")[2].partition("[")[0]


def elements(node: ElementTree.Element, path: str, start: int = 0) -> Iterator[tuple[str, Range]]:
    """Yield the path and range of a node and of all nodes below it."""
    yield path, (start, start + len("".join(node.itertext())))
    position = start + len(node.text or "")
    before = Counter[str]()
    for child in node:
        before[child.tag] += 1
        yield from elements(child, f"{path}/{child.tag}[{before[child.tag]}]", position)
        position += len("".join(child.itertext())) + len(child.tail or "")


def read_article(path: Path) -> Article:
    """Read one article; its name is the name of its file."""
    root = ElementTree.parse(path).getroot()
    return Article(path.stem, "".join(root.itertext()), tuple(elements(root, f"/{root.tag}[1]")))


def read_articles() -> dict[str, Article]:
    """Read all articles, by name, in alphabetical order."""
    paths = sorted((DEMO / "articles").glob("*.xml"))
    return {path.stem: read_article(path) for path in paths}
