"""Documents in memory: dictionaries, records, frames and objects of loaders are one collection."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

import spanwise

TEXTS = {"d7": "Peru joined in 1945.", "d9": "Chile joined later."}
RECORDS = [{"document": name, "text": text} for name, text in TEXTS.items()]


def langchain(name, text):
    return SimpleNamespace(page_content=text, metadata={"source": name})


def llamaindex(name, text):
    return SimpleNamespace(ref_doc_id=None, text=text, metadata={"file_name": name}, id="x" * 36)


def haystack(name, text):
    return SimpleNamespace(content=text, meta={"file_path": name}, id="0" * 64, score=None)


def nested(name, text):
    return {"page_content": text, "metadata": {"source": name}}


def by_id(name, text):
    return {"id": name, "content": text}


def of(shape):
    return [shape(*each) for each in TEXTS.items()]


GIVEN = {
    "records": RECORDS,
    "tuple": tuple(RECORDS),
    "pandas": pd.DataFrame(RECORDS),
    "polars": pl.DataFrame(RECORDS),
    "arrow": pa.Table.from_pylist(RECORDS),
    "frame with ids": pl.DataFrame({"id": [*TEXTS], "content": [*TEXTS.values()]}),
    **{shape.__name__: of(shape) for shape in (langchain, llamaindex, haystack, nested, by_id)},
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_documents_in_memory(given):
    documents = spanwise.open_collection(given)
    assert {name: documents.text(name) for name in documents.lengths} == TEXTS
    gold = {"q1": [TEXTS["d9"]]}
    scores = spanwise.evaluate(gold, {"q1": [("d9", 0, 19)]}, "textR", collection=given)
    assert scores.mean("textR") == 1.0


def test_whole_numbers_are_names():
    assert spanwise.open_collection([{"id": 7, "text": "Peru"}]).text("7") == "Peru"
    frame = pl.DataFrame({"document": [7], "text": ["Peru"]})
    assert spanwise.open_collection(frame).text("7") == "Peru"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([{"text": "Peru"}], "collection:1: found a document without a name"),
        ([*RECORDS, {"document": "d8"}], "collection:3: found a document without a text"),
        ([langchain("d7", "Peru"), langchain("d7", "Chile")], "found document 'd7' again"),
        ([object()], "found a document without a name"),
        (pl.DataFrame({"document": ["d7"]}), "found columns document, expected columns document"),
        (pl.DataFrame({"document": ["d7"], "text": [None]}), "found a document without a text"),
    ],
)
def test_what_is_no_document_is_refused(given, found):
    with pytest.raises(spanwise.SpanwiseError) as refused:
        spanwise.evaluate({"q1": ["Peru"]}, {"q1": ["Peru"]}, "textR", collection=given)
    assert found in str(refused.value)


def test_a_tokenizer_of_the_package_is_taken_and_stays_as_it_is():
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.enable_truncation(2)
    gold, run = {"q1": {"d7": [(0, 11)]}}, {"q1": [("d7", 0, 20)]}
    measure = "textP(budget=4,unit=tokens)"
    scores = [
        spanwise.evaluate(gold, run, measure, collection=TEXTS, tokenizer=each)
        for each in (tokenizer, lambda text: [(0, 4), (5, 11), (12, 14), (15, 19), (19, 20)])
    ]
    assert scores[0].mean(measure) == scores[1].mean(measure)
    assert tokenizer.truncation["max_length"] == 2
    assert len(spanwise.open_collection(TEXTS, tokenizer=tokenizer).tokens("d7")[0]) == 5
