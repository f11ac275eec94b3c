"""Embeddings that need no model: how often each word comes. The same for every library."""

from __future__ import annotations

import zlib
from collections import Counter
from typing import Any

import chonkie
import haystack
import numpy as np
from langchain_core.embeddings import Embeddings
from llama_index.core.embeddings import BaseEmbedding

SIZE = 1024


def embedded(text: str) -> list[float]:
    """The words of a text, as a vector of length one."""
    vector = np.zeros(SIZE)
    for word, count in Counter(text.lower().split()).items():
        vector[zlib.crc32(word.encode()) % SIZE] += count
    return (vector / (np.linalg.norm(vector) or 1.0)).tolist()


class LangChainEmbeddings(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [embedded(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return embedded(text)


class LlamaIndexEmbeddings(BaseEmbedding):
    def _get_text_embedding(self, text: str) -> list[float]:
        return embedded(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return embedded(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return embedded(query)


@haystack.component
class HaystackEmbedder:
    @haystack.component.output_types(documents=list[haystack.Document])
    def run(self, documents: list[haystack.Document]) -> dict[str, Any]:
        for document in documents:
            document.embedding = embedded(document.content or "")
        return {"documents": documents}


class ChonkieEmbeddings(chonkie.BaseEmbeddings):
    def embed(self, text: str) -> np.ndarray:
        return np.array(embedded(text))

    @property
    def dimension(self) -> int:
        return SIZE

    def get_tokenizer(self) -> str:
        return "character"

    @classmethod
    def is_available(cls) -> bool:
        return True

    def __repr__(self) -> str:
        return "ChonkieEmbeddings()"


class ChonkieGenie(chonkie.BaseGenie):
    """Stands for a language model that is asked where to split: after the first part, always."""

    def generate(self, prompt: str) -> str:
        return "1"

    def generate_json(self, prompt: str, schema: Any) -> dict[str, int]:
        return {"split_index": 1}
