"""Every splitter of the four libraries, as people call it.

A case names the class, its settings, and how documents are cut with it. Classes that cannot be run
here, or that return something else than text of the document, are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import chonkie
import haystack
import langchain_core.documents
import langchain_text_splitters as langchain
import llama_index.core
import llama_index.core.node_parser as llamaindex
import tree_sitter
import tree_sitter_python
from haystack.components import preprocessors

from adapters import toy_models

MODELS: tuple[Any, ...] = (
    toy_models.HaystackEmbedder,
    toy_models.ChonkieEmbeddings,
    toy_models.ChonkieGenie,
)
"""Settings that are made anew for each splitter."""
ALL = ("txt", "md", "py", "html", "csv", "json")
"""The endings of all documents."""
Texts = Mapping[str, str]
Chunks = Sequence[object] | Mapping[str, Sequence[object]]


@dataclass(frozen=True, eq=False)
class Case:
    """A splitter with its settings."""

    library: str
    splitter: str
    settings: Mapping[str, Any]
    cut: Callable[[Texts], Chunks]
    endings: tuple[str, ...] = ALL
    """The documents it is for."""
    visible: bool = False
    """It returns what a browser shows of HTML."""

    @property
    def name(self) -> str:
        values = {key: getattr(value, "__name__", value) for key, value in self.settings.items()}
        said = ",".join(f"{key}={value}" for key, value in values.items())
        return f"{self.library}.{self.splitter}({said})"

    def of(self, documents: Texts) -> dict[str, str]:
        """The documents that it is for."""
        return {name: text for name, text in documents.items() if name.endswith(self.endings)}


# -- LangChain


def langchain_documents(texts: Texts) -> list[Any]:
    make = langchain_core.documents.Document
    return [make(page_content=text, metadata={"source": name}) for name, text in texts.items()]


def langchain_case(splitter: str, endings: tuple[str, ...] = ALL, **settings: Any) -> Case:
    def cut(texts: Texts) -> Chunks:
        made = getattr(langchain, splitter)(**settings)
        return made.split_documents(langchain_documents(texts))

    return Case("langchain", splitter, settings, cut, endings)


def by_text(
    splitter: str, endings: tuple[str, ...], visible: bool = False, **settings: Any
) -> Case:
    """Those that cut one text at a time and forget its metadata."""

    def cut(texts: Texts) -> Chunks:
        return {
            name: getattr(langchain, splitter)(**settings).split_text(text)
            for name, text in texts.items()
        }

    return Case("langchain", splitter, settings, cut, endings, visible)


TEXT_SETTINGS: tuple[dict[str, Any], ...] = (
    {"chunk_size": 500, "chunk_overlap": 0},
    {"chunk_size": 300, "chunk_overlap": 100, "add_start_index": True},
    {"chunk_size": 400, "chunk_overlap": 80, "strip_whitespace": False, "add_start_index": True},
    {"chunk_size": 200, "chunk_overlap": 50, "keep_separator": "end", "add_start_index": True},
)
HEADERS = [("#", "one"), ("##", "two"), ("###", "three")]
TAGS = [("h1", "one"), ("h2", "two")]

LANGCHAIN = [
    *(langchain_case("RecursiveCharacterTextSplitter", **each) for each in TEXT_SETTINGS),
    *(langchain_case("CharacterTextSplitter", **each) for each in TEXT_SETTINGS),
    langchain_case("CharacterTextSplitter", separator=r"\. ", is_separator_regex=True),
    *(langchain_case("MarkdownTextSplitter", ("md",), **each) for each in TEXT_SETTINGS[:3]),
    *(langchain_case("LatexTextSplitter", ("txt",), **each) for each in TEXT_SETTINGS[:3]),
    *(langchain_case("PythonCodeTextSplitter", ("py",), **each) for each in TEXT_SETTINGS[:3]),
    langchain_case("JSFrameworkTextSplitter", ("html",), chunk_size=400, chunk_overlap=0),
    langchain_case(
        "TokenTextSplitter",
        encoding_name="cl100k_base",
        chunk_size=100,
        chunk_overlap=20,
        add_start_index=True,
    ),
    langchain_case("NLTKTextSplitter", chunk_size=400, chunk_overlap=0, add_start_index=True),
    langchain_case("NLTKTextSplitter", chunk_size=400, use_span_tokenize=True, separator=""),
    langchain_case("SpacyTextSplitter", ("txt",), pipeline="sentencizer", chunk_size=400),
    by_text("MarkdownHeaderTextSplitter", ("md",), headers_to_split_on=HEADERS),
    by_text(
        "MarkdownHeaderTextSplitter", ("md",), headers_to_split_on=HEADERS, strip_headers=False
    ),
    by_text("ExperimentalMarkdownSyntaxTextSplitter", ("md",), headers_to_split_on=HEADERS),
    by_text("HTMLHeaderTextSplitter", ("html",), visible=True, headers_to_split_on=TAGS),
    by_text("HTMLSectionSplitter", ("html",), visible=True, headers_to_split_on=TAGS),
    by_text("HTMLSemanticPreservingSplitter", ("html",), visible=True, headers_to_split_on=TAGS),
]

# -- LlamaIndex


def llamaindex_case(
    splitter: str,
    endings: tuple[str, ...] = ALL,
    visible: bool = False,
    made: Any = None,
    **settings: Any,
) -> Case:
    def cut(texts: Texts) -> Chunks:
        parser = made() if made else getattr(llamaindex, splitter)(**settings)
        make = llama_index.core.Document
        documents = [make(text=text, id_=name) for name, text in texts.items()]
        return parser.get_nodes_from_documents(documents)

    return Case("llamaindex", splitter, settings, cut, endings, visible)


def python_parser() -> Any:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))


LLAMAINDEX = [
    llamaindex_case("SentenceSplitter", chunk_size=128, chunk_overlap=0),
    llamaindex_case("SentenceSplitter", chunk_size=128, chunk_overlap=40),
    llamaindex_case("SimpleNodeParser", chunk_size=256, chunk_overlap=20),
    llamaindex_case("TokenTextSplitter", chunk_size=128, chunk_overlap=20),
    llamaindex_case("TokenTextSplitter", chunk_size=64, chunk_overlap=0, keep_whitespaces=True),
    llamaindex_case("SentenceWindowNodeParser", window_size=2),
    llamaindex_case("SimpleFileNodeParser"),
    llamaindex_case(
        "SemanticSplitterNodeParser",
        made=lambda: llamaindex.SemanticSplitterNodeParser(
            embed_model=toy_models.LlamaIndexEmbeddings()
        ),
    ),
    llamaindex_case("MarkdownNodeParser", ("md",)),
    llamaindex_case("HTMLNodeParser", ("html",), visible=True),
    llamaindex_case(
        "CodeSplitter",
        ("py",),
        made=lambda: llamaindex.CodeSplitter(language="python", parser=python_parser()),
        language="python",
    ),
    llamaindex_case(
        "HierarchicalNodeParser",
        made=lambda: llamaindex.HierarchicalNodeParser.from_defaults(chunk_sizes=[512, 128]),
        chunk_sizes=(512, 128),
    ),
    llamaindex_case(
        "LangchainNodeParser",
        made=lambda: llamaindex.LangchainNodeParser(
            langchain.RecursiveCharacterTextSplitter(chunk_size=400, chunk_overlap=50)
        ),
        chunk_size=400,
    ),
]

# -- Haystack


def haystack_case(
    splitter: str,
    endings: tuple[str, ...] = ALL,
    **settings: Any,
) -> Case:
    def cut(texts: Texts) -> Chunks:
        given = {name: each() if each in MODELS else each for name, each in settings.items()}
        made = getattr(preprocessors, splitter)(**given)
        if hasattr(made, "warm_up"):
            made.warm_up()
        make = haystack.Document
        documents = [make(content=text, meta={"file_path": name}) for name, text in texts.items()]
        return made.run(documents=documents)["documents"]

    return Case("haystack", splitter, settings, cut, endings)


def halves(text: str) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]]


HAYSTACK = [
    *(
        haystack_case("DocumentSplitter", split_by=unit, split_length=length, split_overlap=overlap)
        for unit, length, overlap in (
            ("word", 60, 0),
            ("word", 60, 15),
            ("period", 5, 1),
            ("passage", 2, 0),
            ("line", 8, 2),
            ("page", 1, 0),
            ("sentence", 4, 1),
        )
    ),
    haystack_case("DocumentSplitter", split_by="function", splitting_function=halves),
    haystack_case(
        "DocumentSplitter", split_by="word", split_length=80, respect_sentence_boundary=True
    ),
    haystack_case(
        "DocumentSplitter", split_by="token", split_length=100, tokenizer_encoding="cl100k_base"
    ),
    haystack_case("RecursiveDocumentSplitter", split_length=60),
    haystack_case(
        "RecursiveDocumentSplitter", split_length=400, split_overlap=50, split_unit="char"
    ),
    haystack_case("HierarchicalDocumentSplitter", block_sizes={200, 50}),
    haystack_case("HierarchicalDocumentSplitter", block_sizes={200, 50}, split_overlap=10),
    haystack_case("MarkdownHeaderSplitter", ("md",)),
    haystack_case("MarkdownHeaderSplitter", ("md",), keep_headers=False),
    haystack_case("MarkdownHeaderSplitter", ("md",), secondary_split="word", split_length=50),
    haystack_case("PythonCodeSplitter", ("py",), max_effective_lines=40),
    haystack_case("PythonCodeSplitter", ("py",), preserve_class_definition=False),
    haystack_case("CSVDocumentSplitter", ("csv",)),
    haystack_case(
        "EmbeddingBasedDocumentSplitter", ("txt",), document_embedder=toy_models.HaystackEmbedder
    ),
    haystack_case("DocumentPreprocessor", ("txt", "md", "py"), split_length=60),
]

# -- chonkie


def chonkie_case(
    splitter: str,
    endings: tuple[str, ...] = ALL,
    **settings: Any,
) -> Case:
    def cut(texts: Texts) -> Chunks:
        given = {name: each() if each in MODELS else each for name, each in settings.items()}
        made = getattr(chonkie, splitter)(**given)
        return {name: made.chunk(text) for name, text in texts.items()}

    return Case("chonkie", splitter, settings, cut, endings)


CHONKIE = [
    chonkie_case("TokenChunker", chunk_size=400),
    chonkie_case("TokenChunker", chunk_size=400, chunk_overlap=80),
    chonkie_case("TokenChunker", tokenizer="word", chunk_size=80, chunk_overlap=10),
    chonkie_case("SentenceChunker", chunk_size=400),
    chonkie_case("SentenceChunker", chunk_size=400, chunk_overlap=100),
    chonkie_case("RecursiveChunker", chunk_size=400),
    chonkie_case("RecursiveChunker", tokenizer="word", chunk_size=60),
    chonkie_case("FastChunker", chunk_size=400),
    chonkie_case(
        "SemanticChunker",
        ("txt",),
        embedding_model=toy_models.ChonkieEmbeddings,
        chunk_size=400,
    ),
    chonkie_case("SlumberChunker", ("txt",), genie=toy_models.ChonkieGenie, chunk_size=400),
    chonkie_case("TableChunker", ("csv",), chunk_size=20),
]

CASES = [*LANGCHAIN, *LLAMAINDEX, *HAYSTACK, *CHONKIE]

MODEL = "needs a model, which would be downloaded"
ABSTRACT = "what its subclasses have in common"
REWRITTEN = "returns JSON that it writes anew, not text of the document"
CLEANING = "returns whole documents in other words; DocumentPreprocessor runs it before a splitter"
EXCLUDED: dict[str, dict[str, str]] = {
    "langchain": {
        "KonlpyTextSplitter": "needs KoNLPy, and a Java that pip cannot install",
        "RecursiveJsonSplitter": REWRITTEN,
        "SentenceTransformersTokenTextSplitter": MODEL,
        "TextSplitter": ABSTRACT,
    },
    "llamaindex": {
        "JSONNodeParser": REWRITTEN,
        "LlamaParseJsonNodeParser": "reads what a paid service returns",
        "MarkdownElementNodeParser": "asks a language model about every table",
        "MetadataAwareTextSplitter": ABSTRACT,
        "NodeParser": ABSTRACT,
        "SemanticDoubleMergingSplitterNodeParser": MODEL,
        "TextSplitter": ABSTRACT,
        "UnstructuredElementNodeParser": "needs unstructured, which downloads models",
    },
    "haystack": {
        "CSVDocumentCleaner": CLEANING,
        "DocumentCleaner": CLEANING,
        "TextCleaner": "takes strings, and returns them in other words",
    },
    "chonkie": {
        "BaseChunker": ABSTRACT,
        "CodeChunker": "downloads the grammars of its languages",
        "LateChunker": MODEL,
        "NeuralChunker": MODEL,
        "TeraflopAIChunker": "asks a paid service",
    },
}
"""Why the other splitters are not here, by library."""


def public_splitters() -> dict[str, set[str]]:
    """What each library offers that cuts documents."""
    return {
        "langchain": {name for name in langchain.__all__ if name.endswith("Splitter")},
        "llamaindex": {
            name for name in llamaindex.__all__ if name.endswith(("Splitter", "Parser"))
        },
        "haystack": {name for name in preprocessors.__all__ if name[0].isupper()},
        "chonkie": {name for name in chonkie.__all__ if name.endswith("Chunker")},
    }
