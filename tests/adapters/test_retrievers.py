"""From retrievers to numbers: `collect` and `evaluate` with what the libraries return."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import haystack
import langchain_core.vectorstores
import langchain_text_splitters
import llama_index.core
import pytest
from chonkie import SentenceChunker
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.document_stores.in_memory import InMemoryDocumentStore
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from llama_index.core.node_parser import SentenceSplitter, SentenceWindowNodeParser
from llama_index.core.postprocessor import MetadataReplacementPostProcessor

import spanwise
from adapters.made_documents import made_documents
from adapters.toy_models import LangChainEmbeddings, LlamaIndexEmbeddings, embedded

pytestmark = pytest.mark.heavy

DOCUMENTS = {
    name: text for name, text in made_documents(60_000).items() if name.endswith((".txt", ".md"))
}


def evidence(text: str) -> str:
    """A paragraph behind the middle that comes once, on one line."""
    later = re.split(r"\r?\n\r?\n", text[len(text) // 2 :])[1:]
    return next(
        each for each in later if text.count(each) == 1 and "\n" not in each and len(each) > 99
    )


EVIDENCE = {name: evidence(text) for name, text in DOCUMENTS.items()}
GOLD = {quote[:60]: [quote] for quote in EVIDENCE.values()}
"""Who asks for the beginning of a paragraph wants all of it."""


PATHS = {f"/data/docs/{name}": text for name, text in DOCUMENTS.items()}
"""Documents as loaders name them."""


def langchain_chunks(**settings: Any) -> list[Document]:
    splitter = langchain_text_splitters.RecursiveCharacterTextSplitter(
        chunk_size=400, chunk_overlap=50, **settings
    )
    given = [Document(page_content=text, metadata={"source": path}) for path, text in PATHS.items()]
    return splitter.split_documents(given)


def langchain_store() -> Any:
    chunks = langchain_chunks(add_start_index=True)
    return langchain_core.vectorstores.InMemoryVectorStore.from_documents(
        chunks, LangChainEmbeddings()
    )


class WithoutOffsets(BaseRetriever):
    """A retriever of one's own, over chunks without offsets."""

    chunks: list[Document]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [chunk for chunk in self.chunks if query[:20] in chunk.page_content][:20]


def llamaindex_index() -> Any:
    documents = [
        llama_index.core.Document(text=text, metadata={"file_path": path})
        for path, text in PATHS.items()
    ]
    nodes = SentenceSplitter(chunk_size=200, chunk_overlap=20).get_nodes_from_documents(documents)
    return llama_index.core.VectorStoreIndex(nodes, embed_model=LlamaIndexEmbeddings())


def haystack_store() -> InMemoryDocumentStore:
    documents = [
        haystack.Document(content=text, meta={"file_path": path}) for path, text in PATHS.items()
    ]
    splitter = DocumentSplitter(split_by="word", split_length=60, split_overlap=10)
    chunks = splitter.run(documents=documents)["documents"]
    for chunk in chunks:
        chunk.embedding = embedded(chunk.content)
    store = InMemoryDocumentStore()
    store.write_documents(chunks)
    return store


def haystack_function() -> Any:
    retriever = InMemoryEmbeddingRetriever(haystack_store(), top_k=20)
    return lambda query: retriever.run(query_embedding=embedded(query))


def haystack_pipeline() -> Any:
    pipeline = haystack.Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(haystack_store(), top_k=20))
    return lambda query: pipeline.run({"retriever": {"query": query}})


def chonkie_function() -> Any:
    chunker = SentenceChunker(chunk_size=400)
    chunks = [chunk for text in DOCUMENTS.values() for chunk in chunker.chunk(text)]
    vectors = [embedded(chunk.text) for chunk in chunks]

    def retriever(query: str) -> list[Any]:
        wanted = embedded(query)
        near = [sum(a * b for a, b in zip(wanted, each, strict=True)) for each in vectors]
        return [chunks[row] for row in sorted(range(len(chunks)), key=lambda row: -near[row])[:20]]

    return retriever


RETRIEVERS = {
    "LangChain, a store's retriever": lambda: langchain_store().as_retriever(
        search_kwargs={"k": 20}
    ),
    "LangChain, a store": langchain_store,
    "LangChain, without offsets": lambda: WithoutOffsets(chunks=langchain_chunks()),
    "LlamaIndex": lambda: llamaindex_index().as_retriever(similarity_top_k=20),
    "Haystack": lambda: InMemoryBM25Retriever(haystack_store(), top_k=20),
    "Haystack, by embedding": haystack_function,
    "Haystack, a pipeline": haystack_pipeline,
    "chonkie": chonkie_function,
}


@pytest.fixture(params=RETRIEVERS)
def retriever(request: pytest.FixtureRequest) -> Any:
    return RETRIEVERS[request.param]()


def test_two_lines_from_a_retriever_to_the_table(retriever: Any) -> None:
    gold = spanwise.gold(GOLD, collection=DOCUMENTS)
    run = spanwise.collect(retriever, gold)
    scores = spanwise.evaluate(gold, run, "rag", collection=DOCUMENTS)

    for measure in ("hit@5", "hitRR", "rangeR@5", "textR@5", "textP@5", "read@5", "overlap"):
        assert measure in str(scores)
    assert run.topics == tuple(GOLD)
    assert len(run) >= len(GOLD)
    assert scores.mean("hit@5") > 0.3
    assert not [note for note in scores.all_notes() if note.kind in ("strange names", "dropped")]


def test_what_is_returned_is_where_its_text_is(retriever: Any) -> None:
    """Three answers read what they share with the quote, character by character."""
    gold = spanwise.gold(GOLD, collection=DOCUMENTS)
    run = spanwise.collect(retriever, gold, k=3)
    found = spanwise.evaluate(gold, run, "textR@3", collection=DOCUMENTS).per_topic("textR@3")
    expected = {}
    for number, query in enumerate(run.topics):
        answers = [
            text for topic, text in zip(run.topic, run.quotes, strict=True) if topic == number
        ]
        [quote] = GOLD[query]
        text = next(text for text in DOCUMENTS.values() if quote in text)
        if max(map(text.count, answers)) > 1:
            continue  # Which of its places is meant, nobody knows.
        read = set[int]()
        for answer in filter(text.count, answers):
            read |= set(range(text.index(answer), text.index(answer) + len(answer)))
        wanted = set(range(text.index(quote), text.index(quote) + len(quote)))
        expected[query] = len(read & wanted) / len(wanted)
    assert len(expected) > 1
    assert sum(expected.values()) > 0
    assert {query: found[query] for query in expected} == pytest.approx(expected)


def test_a_pipeline_that_finds_nothing_has_no_answers() -> None:
    run = spanwise.collect(haystack_pipeline(), {"q1": "???", "q2": "ka lo mi"})
    assert "q1" not in {run.topics[topic] for topic in run.topic}


# -- traps


def test_a_file_read_with_other_line_ends(tmp_path: Path) -> None:
    """Reading a file as text turns CRLF into LF, and every offset after it is wrong."""
    text = "First line.\r\nSecond line.\r\nThe evidence is here.\r\n"
    (tmp_path / "a.txt").write_bytes(text.encode())
    read = (tmp_path / "a.txt").read_text(encoding="utf-8")
    splitter = langchain_text_splitters.CharacterTextSplitter(
        separator="\n", chunk_size=25, chunk_overlap=0, add_start_index=True
    )
    chunks = splitter.split_documents([Document(page_content=read, metadata={"source": "a.txt"})])
    gold = {"q": ["The evidence is here."]}
    with pytest.raises(spanwise.SpanwiseError, match=r"CRLF is read as LF.*repair=True"):
        spanwise.evaluate(gold, {"q": chunks}, "textR", collection=tmp_path)
    scores = spanwise.evaluate(gold, {"q": chunks}, "textR", collection=tmp_path, repair=True)
    assert scores.mean("textR") == 1.0
    assert "repaired" in {note.kind for note in scores.all_notes()}


def test_a_window_in_the_place_of_its_sentence() -> None:
    text = "The first sentence. The second sentence is the evidence. The third sentence."
    parser = SentenceWindowNodeParser(window_size=1)
    nodes = parser.get_nodes_from_documents([llama_index.core.Document(text=text, id_="a")])
    index = llama_index.core.VectorStoreIndex(nodes, embed_model=LlamaIndexEmbeddings())
    found = index.as_retriever(similarity_top_k=1).retrieve("The third sentence.")
    gold = {"q": ["The second sentence is the evidence."]}
    given = {"collection": {"a": text}}
    assert spanwise.evaluate(gold, {"q": found}, "textR", **given).mean("textR") == 0.0
    shown = MetadataReplacementPostProcessor("window").postprocess_nodes(found)
    with pytest.raises(spanwise.SpanwiseError, match="disagrees"):
        spanwise.evaluate(gold, {"q": shown}, "textR", **given)
    assert spanwise.evaluate(gold, {"q": shown}, "textR", repair=True, **given).mean("textR") == 1.0
