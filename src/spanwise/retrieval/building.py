"""Build an index, or bring it up to date: completely or not at all.

Documents whose text has the same hash as before are not analysed again. The inverted index itself
is always made anew from the columns, so that an index that was brought up to date finds and scores
exactly what a new one does.
"""

from __future__ import annotations

import filecmp
import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from spanwise.collection.build import Progress, Summary
from spanwise.collection.build import build as build_collection
from spanwise.collection.collection import PathLike, refuse_empty_path
from spanwise.collection.collection_file import CollectionFile, DocumentRecord, is_collection
from spanwise.data.elements import UNKNOWN, Tree
from spanwise.errors import InputError, OutputError, SpanwiseError
from spanwise.extras import require_tantivy
from spanwise.formats.source import without_garbage
from spanwise.records import must_be, replace, require_one_of
from spanwise.retrieval.analysis import Analyzer
from spanwise.retrieval.blocks import Tags, blocks_of
from spanwise.retrieval.checksums import checksums_of
from spanwise.retrieval.columns import ColumnStore, DocumentColumns, write_columns
from spanwise.retrieval.documents import DOCUMENTS, IndexedDocuments, keep_elements
from spanwise.retrieval.folder import IndexFolder, Manifest
from spanwise.retrieval.headings import headed_blocks, headed_sentences
from spanwise.retrieval.inverted import write_inverted
from spanwise.retrieval.languages import STEMMINGS, Language, Stemming
from spanwise.text.classes import classes_of
from spanwise.text.sentence_ranges import sentence_ranges

COLUMNS = "columns"
INVERTED = "inverted"
_TEXTS = "documents.jsonl"

SourceInput = PathLike | Mapping[str, str] | Sequence[PathLike]
"""Folders, archives, tables or documents; a collection file; or texts by document."""


def build_index(
    source: SourceInput,
    to: PathLike,
    *,
    language: Stemming | None = None,
    elements: PathLike | None = None,
    force: bool = False,
    lenient: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Build the index of some documents in a folder, or bring it up to date.

    Without a ``language`` an index keeps the one that it has; ``"none"`` is no stemming.
    A table of ``elements`` replaces the documents' own. ``force`` reads and analyses every document
    again; ``lenient`` leaves faulty documents out.
    """
    require_tantivy("an index")
    require_one_of("language", language, (*STEMMINGS, None))
    folder = IndexFolder(to)
    if not isinstance(source, Mapping):
        for path in _paths(source):
            refuse_empty_path(path)
            _refuse_inside(path, folder)
    with folder.written():
        stemmed, remark = _stemming(language, folder)
        analyzer = Analyzer(stemmed)
        previous = _Previous() if force else _Previous.at(folder, analyzer)
        with folder.new_build() as place, without_garbage():
            if previous.documents is not None:
                _link(previous.documents.file, place / DOCUMENTS)
            summary = _documents(source, place, force, lenient, progress)
            if elements is not None:
                keep_elements(elements, place)
            new = _Build(previous, analyzer, place)
            summary = replace(previous.compared(summary, new.records), remark=remark)
            if previous.is_same(new, of_texts=isinstance(source, Mapping)):
                return summary
            folder.publish(new.written(progress))
    return summary


def _stemming(asked: Stemming | None, folder: IndexFolder) -> tuple[Language | None, str]:
    """The language to stem in, and what there is to say about it."""
    before: Any = folder.language()
    if asked is None:
        return before, f"words are stemmed in {before.capitalize()}, as before" if before else ""
    language: Language | None = None if asked == "none" else asked
    if language == before or not folder.is_built:
        return language, ""
    was = f"stemmed in {before.capitalize()}" if before else "not stemmed"
    now = f"are stemmed in {language.capitalize()}" if language else "are not stemmed"
    return language, f"words {now} now (they were {was}): every document was analysed again"


def _paths(source: SourceInput) -> list[PathLike]:
    if isinstance(source, (str, os.PathLike)):
        return [source]
    if not isinstance(source, Sequence) or not source:
        raise must_be("source", "a path, a list of paths or {document: text}", source)
    return list(source)


def _refuse_inside(source: PathLike, folder: IndexFolder) -> None:
    """The files of an index must not become documents of the next one."""
    outer, inner = Path(source).resolve(), folder.path.resolve()
    if not (outer.is_dir() and inner.is_relative_to(outer)):
        return
    if not any(part.startswith(".") for part in inner.relative_to(outer).parts):
        raise OutputError(
            f"{folder.name} is inside {os.fspath(source)}, which is indexed; name a folder"
            " elsewhere, or one that begins with a dot"
        )


# -- documents


def _documents(
    source: SourceInput, place: Path, force: bool, lenient: bool, progress: Progress | None
) -> Summary:
    """The collection of the documents, made from that of the build before where that is there."""
    target = place / DOCUMENTS
    if isinstance(source, Mapping):
        return _from_texts(source, place, target)
    paths = _paths(source)
    built = [path for path in paths if Path(path).is_file() and is_collection(Path(path))]
    if built:
        if len(paths) > 1:
            raise SpanwiseError(
                f"{os.fspath(built[0])} is a collection, which is indexed by itself; give it alone"
            )
        count = len(CollectionFile(built[0]).names())
        _keep_copy(Path(built[0]), target)
        return Summary(count, count, 0, 0, 0)
    return build_collection(paths, target, force=force, lenient=lenient, progress=progress)


def _from_texts(texts: Mapping[str, str], place: Path, target: Path) -> Summary:
    """Texts in memory, by way of a table."""
    for document, text in texts.items():
        if not isinstance(document, str) or not isinstance(text, str):
            raise must_be("source", "a path, a list of paths or {document: text}", texts)
    rows = ({"document": document, "text": text} for document, text in texts.items())
    table = place / _TEXTS
    with table.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in rows)
    try:
        return build_collection([table], target)
    finally:
        table.unlink()


def _keep_copy(file: Path, target: Path) -> None:
    """A copy of a file of the user, who may write to it; that of the build before if it is equal.

    The build before may be there under the same name: it is not written to.
    """
    if target.exists():
        if filecmp.cmp(file, target, shallow=False):
            return
        target.unlink()
    shutil.copyfile(file, target)


def _link(file: Path, target: Path) -> None:
    """The same file under another name; a copy where that cannot be."""
    try:
        os.link(file, target)
    except OSError:
        shutil.copyfile(file, target)


# -- terms


class _Previous:
    """The build before: empty if there was none that can be used."""

    def __init__(self) -> None:
        self.documents: IndexedDocuments | None = None
        self.columns: ColumnStore | None = None
        self.hashes: dict[str, str] = {}
        self.keys: list[_Key] = []
        self.numbers: dict[_Key, int] = {}

    @classmethod
    def at(cls, folder: IndexFolder, analyzer: Analyzer) -> _Previous:
        """The build that counts now; of another language, only its documents are used."""
        previous = cls()
        with suppress(InputError, OSError, ValueError):
            manifest = folder.manifest()
            place = folder.build(manifest)
            documents = IndexedDocuments(place)
            previous.keys = keys = [_key(documents, record) for record in documents.records]
            previous.hashes = {record.name: record.sha256 for record in documents.records}
            previous.documents = documents
            if manifest.language == analyzer.language:
                previous.columns = ColumnStore(place / COLUMNS)
                previous.numbers = {key: number for number, key in enumerate(keys)}
        return previous

    def compared(self, summary: Summary, records: Sequence[DocumentRecord]) -> Summary:
        """The counts of a build by the texts of its documents."""
        known = [self.hashes.get(record.name) for record in records]
        same = sum(a == b.sha256 for a, b in zip(known, records, strict=True))
        new = sum(each is None for each in known)
        return replace(
            summary,
            new=new,
            changed=len(records) - new - same,
            unchanged=same,
            removed=len(self.hashes) - (len(records) - new),
        )

    def is_same(self, new: _Build, *, of_texts: bool) -> bool:
        """Whether an index of these documents would be what there is already.

        Files of the same texts may have other tags; texts in memory have none.
        """
        if self.columns is None or self.documents is None or new.keys != self.keys:
            return False
        names = [record.name for record in new.records]
        same = self.documents.same_files(new.documents, texts_alone=of_texts)
        return same and names == list(self.hashes)


class _Build:
    """One build: documents are analysed, or copied from the build before."""

    def __init__(self, previous: _Previous, analyzer: Analyzer, place: Path) -> None:
        self.previous, self.place = previous, place
        known = () if previous.columns is None else previous.columns.terms
        self.analyzer = Analyzer(analyzer.language, known)
        self.documents = IndexedDocuments(place)
        self.records = self.documents.records
        self.keys = [_key(self.documents, record) for record in self.records]

    def written(self, progress: Progress | None) -> Manifest:
        """Write columns and inverted index; what is counted on the way is for the manifest."""
        documents, records = list[DocumentColumns](), self.records
        for number, (record, key) in enumerate(zip(records, self.keys, strict=True), start=1):
            documents.append(self._columns(record.name, key))
            if progress is not None:
                progress(number, len(records))
        terms, documents = _without_unused(self.analyzer.terms, documents)
        (self.place / COLUMNS).mkdir()
        write_columns(self.place / COLUMNS, documents, terms)
        write_inverted(self.place / INVERTED, documents, terms)
        tokens, sentences, blocks = (
            sum(len(document.tables[table][0]) for document in documents)
            for table in ("tokens", "sentences", "blocks")
        )
        characters = sum(record.length for record in records)
        text_tokens = sum(document.text_tokens for document in documents)
        counts = len(records), characters, tokens, text_tokens, sentences, blocks, len(terms)
        return Manifest(self.place.name, self.analyzer.language, *counts, checksums_of(self.place))

    def _columns(self, name: str, key: _Key) -> DocumentColumns:
        columns, known = self.previous.columns, self.previous.numbers.get(key)
        if columns is not None and known is not None:
            return columns.document(known)
        return self._analysed(name)

    def _analysed(self, name: str) -> DocumentColumns:
        collection = self.documents.collection
        text = collection.text(name)
        classes = classes_of(text)
        tree = collection.tree(name)
        tags = None if tree is None else Tags.of(_tags(self.documents, tree))
        blocks = blocks_of(text, tree, tags, classes)
        borders = np.union1d(blocks.start, blocks.end)
        if tree is not None and tags is not None:
            # Words do not go over where elements begin and end that are not inside a line.
            rows = np.flatnonzero(~tags.inline & (tree.start != UNKNOWN) & (tree.size >= 0))
            borders = np.union1d(borders, np.union1d(tree.start[rows], tree.end[rows]))
        tokens = self.analyzer.tokens(text, classes, borders)
        texts, element = headed_blocks(blocks, tree, tags)
        sentences = headed_sentences(sentence_ranges(text, borders, classes), texts)
        return DocumentColumns(
            tokens.term,
            tokens.start,
            tokens.end - tokens.start,
            *(sentences.start, sentences.end, sentences.above),
            *(texts.start, texts.end, texts.above, element),
        )


_Key = tuple[str, bytes]
"""What the columns of a document depend on: its text, and where which elements lie."""


def _key(documents: IndexedDocuments, record: DocumentRecord) -> _Key:
    tree = documents.collection.tree(record.name)
    if tree is None:
        return record.sha256, b""
    places = b"".join(column.tobytes() for column in (tree.parent, tree.start, tree.size))
    tags = " ".join(_tags(documents, tree)).encode()
    return record.sha256, hashlib.sha256(places + tags).digest()


def _tags(documents: IndexedDocuments, tree: Tree) -> list[str]:
    """The tag of each element of a tree."""
    elements = documents.collection.elements
    assert elements is not None, "documents with trees have elements"
    return [elements.paths.tag[path] for path in tree.path.tolist()]


def _without_unused(
    terms: Sequence[str], documents: Sequence[DocumentColumns]
) -> tuple[list[str], list[DocumentColumns]]:
    """Terms that some document has, numbered in their order: a new index would have the same."""
    used = np.zeros(len(terms), np.bool_)
    for document in documents:
        used[document.term] = True
    kept = sorted(np.flatnonzero(used).tolist(), key=terms.__getitem__)
    number = np.zeros(len(terms), np.int64)
    number[kept] = np.arange(len(kept))
    return (
        [terms[old] for old in kept],
        [replace(document, term=number[document.term]) for document in documents],
    )
