"""Strings among answers: documents by name, or texts."""

from __future__ import annotations

from typing import Any

import pytest

import spanwise
from spanwise.errors import NeedError

COLLECTION = {"a": "Chile. Peru joined", "Peru": "Ten days.", "ja": "春が来た。夏も来た。秋"}
GOLD = {"q1": {"a": [(0, 6)], "ja": [(0, 5)]}}


def answers(given: Any, **settings: Any) -> spanwise.Scores:
    settings = {"collection": COLLECTION, **settings}
    return spanwise.evaluate(GOLD, {"q1": given}, "hit", **settings)


def kinds(scores: spanwise.Scores) -> set[str]:
    return {note.kind for note in scores.all_notes()}


@pytest.mark.parametrize("text", ["Chile.", "Chile", "春が来た。", "春が来た"])
def test_a_string_without_blanks_is_text_where_it_is_no_document(text: str) -> None:
    scores = answers([text])
    assert scores.mean("hit") == 1.0
    assert "located answers" in kinds(scores)
    assert "named and quoted" not in kinds(scores)


@pytest.mark.parametrize("text", ["Chile.", "春が来た。"])
def test_collected_sentences_are_texts(text: str) -> None:
    run = spanwise.collect(lambda query: [text], {"q1": "Who?"})
    assert run.quotes == (text,)
    assert spanwise.evaluate(GOLD, run, "hit", collection=COLLECTION).mean("hit") == 1.0


def test_collected_names_stay_documents() -> None:
    run = spanwise.collect(lambda query: ["docs/a.md", "d7"], {"q1": "Who?"})
    assert (run.quotes, run.documents.strings()) == (None, ["docs/a.md", "d7"])


def test_a_string_that_is_a_document_and_text_is_the_document() -> None:
    scores = answers(["Peru", "Chile."])
    (note,) = [note for note in scores.all_notes() if note.kind == "named and quoted"]
    assert str(note) == (
        "run: 1 of 2 strings among the answers is the name of a document and was taken as such,"
        " the others as text ('Peru'; 'Chile.' is text)"
    )
    assert scores.mean("hit") == 1.0


def test_documents_alone_need_no_note() -> None:
    scores = answers(["a", "Peru"])
    assert not kinds(scores) & {"named and quoted", "located answers"}


def test_names_that_nobody_knows_stay_documents() -> None:
    with pytest.raises(NeedError, match="length of document d7"):
        answers(["a", "d7"])
    with pytest.raises(NeedError, match="length of document d7"):
        answers(["d7"])


def test_without_a_collection_strings_are_documents() -> None:
    with pytest.raises(NeedError, match=r"length of document Chile\."):
        answers(["Chile."], collection=None)
