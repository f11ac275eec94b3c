"""Offsets that libraries get wrong, or do not have: spanwise says where the chunks are instead."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import haystack
import langchain_text_splitters
import llama_index.core
import pytest
import tiktoken
from haystack.components.preprocessors import HierarchicalDocumentSplitter
from langchain_core.documents import Document
from llama_index.core.node_parser import HierarchicalNodeParser
from llama_index.core.schema import NodeRelationship

import spanwise
from adapters.made_documents import made_documents
from spanwise.data.notes import Faults, Note
from spanwise.formats.chunk_objects import chunks_from
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings

pytestmark = pytest.mark.heavy

DOCUMENTS = made_documents(200_000)
GOLD = {"all": {name: [(0, len(text))] for name, text in DOCUMENTS.items()}}
Place = tuple[str, int, int]


def places(chunks: list[Any], **settings: Any) -> tuple[list[Place], tuple[Note, ...]]:
    session = Session(Settings(collection=DOCUMENTS, **settings))
    faults = Faults("chunks")
    table = session.placing.chunks(
        chunks_from(chunks, faults=faults, known=session.naming.known), faults
    )
    columns = (table.documents.strings(), table.start.tolist(), table.end.tolist())
    return list(zip(*columns, strict=True)), tuple(faults.notes)


def count(notes: tuple[Note, ...], kind: str) -> int:
    return sum(note.count for note in notes if note.kind == kind)


# -- LangChain: -1


def test_chunks_that_langchain_lost_are_where_their_tokens_are() -> None:
    """It looks for a chunk where overlaps in characters would put it, and writes -1."""
    size, overlap = 100, 20
    splitter = langchain_text_splitters.TokenTextSplitter(
        encoding_name="cl100k_base", chunk_size=size, chunk_overlap=overlap, add_start_index=True
    )
    given = [
        Document(page_content=text, metadata={"source": name}) for name, text in DOCUMENTS.items()
    ]
    chunks = splitter.split_documents(given)
    lost = sum(chunk.metadata["start_index"] == -1 for chunk in chunks)
    assert lost > 100
    found, notes = places(chunks)
    [said] = [note for note in notes if note.kind == "located chunks"]
    assert said.count == lost
    assert "-1, which LangChain writes" in str(said)
    assert len(found) == len(chunks)

    tokens = {name: _starts(text) for name, text in DOCUMENTS.items()}
    seen: dict[str, int] = defaultdict(int)
    wrong = []
    for (name, start, end), chunk in zip(found, chunks, strict=True):
        begin = tokens[name][seen[name] * (size - overlap)]
        seen[name] += 1
        # Half an emoji is not text of the document; such a chunk is similar to its place.
        torn = "\ufffd" in chunk.page_content
        if start != begin and not torn:
            wrong.append((name, start, end, begin))
    assert not wrong


def _starts(text: str) -> list[int]:
    """The first character of each token."""
    encoding = tiktoken.get_encoding("cl100k_base")
    return encoding.decode_with_offsets(encoding.encode(text))[1]


# -- levels: offsets that count from the parent


def test_llamaindex_counts_the_offsets_of_small_chunks_from_their_parents() -> None:
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=[512, 128])
    given = [llama_index.core.Document(text=text, id_=name) for name, text in DOCUMENTS.items()]
    nodes = parser.get_nodes_from_documents(given)
    by_id = {node.node_id: node for node in nodes}

    def true_start(node: Any) -> int:
        parent = node.relationships.get(NodeRelationship.PARENT)
        return node.start_char_idx + (true_start(by_id[parent.node_id]) if parent else 0)

    true = [(node.ref_doc_id, true_start(node), len(node.text)) for node in nodes]
    _refused_then_repaired(nodes, true)


def test_haystack_counts_the_offsets_of_small_chunks_from_their_parents() -> None:
    splitter = HierarchicalDocumentSplitter(block_sizes={200, 50}, split_overlap=0)
    given = [
        haystack.Document(content=text, meta={"file_path": name})
        for name, text in DOCUMENTS.items()
    ]
    chunks = splitter.run(documents=given)["documents"]
    by_id = {chunk.id: chunk for chunk in chunks}

    def true_start(chunk: Any) -> int:
        parent = by_id.get(chunk.meta["__parent_id"])
        return chunk.meta.get("split_idx_start", 0) + (true_start(parent) if parent else 0)

    true = [(chunk.meta["file_path"], true_start(chunk), len(chunk.content)) for chunk in chunks]
    _refused_then_repaired(chunks, true)


def _refused_then_repaired(chunks: list[Any], true: list[tuple[str, int, int]]) -> None:
    with pytest.raises(spanwise.SpanwiseError, match=r"disagree.*repair=True"):
        spanwise.chunks(GOLD, {"made": chunks}, collection=DOCUMENTS)
    found, notes = places(chunks, repair=True)
    expected = [(name, start, start + size) for name, start, size in true]
    different = [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]]
    assert len(different) <= count(notes, "repeated chunks") // 2, different[:5]


# -- none at all


def test_nodes_without_offsets_are_located_by_their_text() -> None:
    text = "A line with  two   blanks, and some more text after them.\r\n" * 3 + "The end."
    document = llama_index.core.Document(text=text, id_="a.txt")
    splitter = llama_index.core.node_parser.SentenceSplitter(chunk_size=24, chunk_overlap=0)
    nodes = splitter.get_nodes_from_documents([document])
    for node in nodes:
        node.start_char_idx = node.end_char_idx = None
        node.text = " ".join(node.text.split())
    gold = {"end": {"a.txt": [(text.index("The end."), len(text))]}}
    result = spanwise.chunks(gold, {"made": nodes}, collection={"a.txt": text})
    assert result.limits[0].mean_bounds.recall == 1.0
    kinds = {note.kind for note in result.notes}
    assert {"located chunks", "folded"} <= kinds
