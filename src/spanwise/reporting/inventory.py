"""What is in a collection and in one of its documents: the facts, and how they are shown."""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from spanwise.collection.collection import Collection
from spanwise.data.elements import ROOT, Paths, Tree
from spanwise.errors import SpanwiseError, clean, legible_json
from spanwise.records import asdict
from spanwise.text.ranges import Integers

MOST_TAGS = 20
BEGINNING = 300
"""Characters of a text that are shown."""
_NAMES_COMPARED = 20_000


@dataclass(frozen=True, slots=True)
class Deepest:
    """An element at the greatest depth."""

    levels: int
    document: str
    path: str

    def __str__(self) -> str:
        return f"{self.levels} levels, {self.path} of {self.document}"


@dataclass(frozen=True, slots=True)
class Largest:
    """A document with the most characters."""

    document: str
    length: int

    def __str__(self) -> str:
        return f"{self.document}, {self.length:,} characters"


@dataclass
class Inventory:
    """The facts about a collection as a whole."""

    collection: str
    documents: int = 0
    characters: int = 0
    views: Counter[str] = field(default_factory=Counter)
    elements: int = 0
    tags: Counter[str] = field(default_factory=Counter)
    deepest: Deepest | None = None
    largest: Largest | None = None
    sha256: str | None = None
    """Of the hashes, views and names of all texts, by name; None if a text is missing."""

    @classmethod
    def of(cls, collection: Collection) -> Inventory:
        """Every document is read, each once."""
        found, trees, hashes = cls(collection.name), _Trees(), dict[str, str]()
        for name in collection.lengths:
            found._add(collection, name, hashes)
            trees.add(name, collection.tree(name))
        if hashes and len(hashes) == found.documents:
            lines = "".join(hashes[name] for name in sorted(hashes))
            found.sha256 = hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()
        if collection.elements is not None:
            paths = collection.elements.paths
            found.elements, found.tags = trees.count, trees.tags(paths)
            found.deepest = trees.deepest(paths)
        return found

    def _add(self, collection: Collection, name: str, hashes: dict[str, str]) -> None:
        length, view = collection.lengths[name], collection.view(name)
        self.documents += 1
        self.characters += length
        if self.largest is None or length > self.largest.length:
            self.largest = Largest(name, length)
        if view is not None:
            self.views[view] += 1
            hashes[name] = f"{collection.sha256(name)} {view} {name}\n"

    def facts(self) -> dict[str, object]:
        """Everything as values, all tags included."""
        counts = {"views": _most_first(self.views), "tags": _most_first(self.tags)}
        return {**vars(self), **counts}

    def summary(self) -> dict[str, str]:
        """The facts as texts, with the most frequent tags only."""
        views = ", ".join(f"{view} {count:,}" for view, count in _most_first(self.views).items())
        return {
            "collection": self.collection,
            "documents": f"{self.documents:,}",
            "characters": f"{self.characters:,}",
            "views": views or "none, only lengths are known",
            "elements": f"{self.elements:,}",
            "tags": self._frequent_tags(),
            "deepest": str(self.deepest or ""),
            "largest": str(self.largest or ""),
            "sha256": self.sha256 or "",
        }

    def _frequent_tags(self) -> str:
        frequent = list(_most_first(self.tags).items())
        more = len(frequent) - MOST_TAGS
        shown = ", ".join(f"{tag} {count:,}" for tag, count in frequent[:MOST_TAGS])
        return shown + (f" and {more:,} more" if more > 0 else "")


class _Trees:
    """Collects the paths of all elements; the trees themselves are not kept."""

    def __init__(self) -> None:
        self.count = 0
        self._documents: list[str] = []
        self._paths: list[Integers] = []

    def add(self, document: str, tree: Tree | None) -> None:
        if tree is not None and len(tree):
            self.count += len(tree)
            self._documents.append(document)
            self._paths.append(tree.path)

    def tags(self, paths: Paths) -> Counter[str]:
        """The number of elements with each tag."""
        tags: Counter[str] = Counter()
        counts = np.bincount(np.concatenate([np.zeros(0, np.int64), *self._paths]))
        for number in np.flatnonzero(counts).tolist():
            tags[paths.tag[number]] += int(counts[number])
        return tags

    def deepest(self, paths: Paths) -> Deepest | None:
        """The first element with the most levels."""
        level = _levels(paths)
        most = [int(level[path].max()) for path in self._paths]
        if not most:
            return None
        place = most.index(max(most))
        path = self._paths[place]
        return Deepest(
            max(most), self._documents[place], paths.text(int(path[level[path].argmax()]))
        )


def _levels(paths: Paths) -> Integers:
    """The number of steps of each path."""
    steps = [0] * len(paths)
    for number, parent in enumerate(paths.parent):
        steps[number] = 1 if parent == ROOT else steps[parent] + 1
    return np.array(steps, np.int64)


# -- one document


def require_document(collection: Collection, document: str) -> str:
    """The name of a document, which must be in the collection; any of its names is accepted."""
    name = collection.find(document)
    if name is not None:
        return name
    from difflib import get_close_matches

    names = list(islice(collection.lengths, _NAMES_COMPARED))
    close = get_close_matches(document, names, n=1)
    hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(names[:5])}, ..."
    raise SpanwiseError(f"document {document} is not in the collection {collection.name}; {hint}")


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """The facts about one document."""

    document: str
    view: str | None
    length: int
    sha256: str | None
    elements: int
    text: str | None
    """The beginning of the text."""

    @classmethod
    def of(cls, collection: Collection, document: str) -> DocumentSummary:
        """The facts about the document with this name."""
        name = require_document(collection, document)
        view, tree = collection.view(name), collection.tree(name)
        sha256 = None if view is None else collection.sha256(name)
        text = None if view is None else collection.text(name)[:BEGINNING]
        count = 0 if tree is None else len(tree)
        return cls(name, view, collection.lengths[name], sha256, count, text)

    def facts(self) -> dict[str, object]:
        """Everything as values, with the beginning of the text as it is."""
        return asdict(self)

    def summary(self) -> dict[str, str]:
        """The facts as texts; white space of the text is collapsed."""
        more = "..." if self.text is not None and self.length > len(self.text) else ""
        return {
            "document": self.document,
            "view": self.view or "none, only the length is known",
            "length": f"{self.length:,}",
            "sha256": self.sha256 or "",
            "elements": f"{self.elements:,}",
            "text": " ".join((self.text or "").split()) + more,
        }


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


# -- showing facts


def facts_as_json(facts: Mapping[str, object]) -> str:
    """One JSON object."""
    return legible_json(json.dumps(facts, default=asdict, ensure_ascii=False, indent=2)) + "\n"


def facts_as_text(facts: Mapping[str, str], width: int) -> str:
    """One fact below the other; unknown ones are left out."""
    column = 2 + max(map(len, facts))
    wrapper = textwrap.TextWrapper(
        max(width, 40),
        subsequent_indent=" " * column,
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = (f"{name:{column}}{clean(fact)}" for name, fact in facts.items() if fact)
    return "".join(f"{wrapper.fill(line)}\n" for line in lines)
