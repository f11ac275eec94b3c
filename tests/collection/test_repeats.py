"""Which place of a repeated text is meant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.collection.chunk_order import chunk_places
from spanwise.collection.collection import open_collection
from spanwise.collection.locate import Located, Locator
from spanwise.collection.location_faults import Complaint, nowhere, several
from spanwise.collection.places import Place, Sought
from spanwise.collection.repeats import answer_place, gold_places
from spanwise.errors import spoken

TWICE = [Place("d7", 0, 5), Place("d7", 14, 19)]


def at(places: Sequence[Place]) -> Located:
    return Located(places, "exact", 1.0)


def places_of(texts: dict[str, str], chunks: Sequence[str]) -> list[Sequence[Place]]:
    found = Locator(open_collection(texts)).locate([Sought(chunk) for chunk in chunks])
    return [each.places for each in found]


# -- gold


def test_gold_at_one_place() -> None:
    assert gold_places("to be", at(TWICE[:1]), "error") == TWICE[:1]
    assert gold_places("to be", at(TWICE[:1]), "error", occurrence=1) == TWICE[:1]
    assert gold_places("to be", at([]), "error") == []


def test_gold_at_several_places() -> None:
    assert gold_places("to be", at(TWICE), "first") == TWICE[:1]
    assert gold_places("to be", at(TWICE), "all") == (*TWICE,)
    assert gold_places("to be", at(TWICE), "all", occurrence=2) == TWICE[1:]
    assert gold_places("to be", at(TWICE), "error") == several("to be", at(TWICE))


@pytest.mark.parametrize("occurrence", [0, -1, 3])
def test_an_occurrence_that_is_not_there(occurrence: int) -> None:
    complaint = gold_places("to be", at(TWICE), "error", occurrence)
    assert isinstance(complaint, Complaint)
    assert complaint.found == f"occurrence {occurrence} of the text 'to be', which occurs 2 times"
    assert complaint.expected == "1 to 2"


def test_a_complaint_lists_the_first_places() -> None:
    places = [Place("d", number, number + 1) for number in range(0, 20, 2)]
    complaint = several("x", at(places))
    assert complaint.found == (
        "the text 'x' at 10 places: d [0, 1), d [2, 3), d [4, 5), d [6, 7), d [8, 9), ..."
    )
    assert spoken(complaint.remedy, "command line") == (
        "add its start or its occurrence (1 is the first) to the row, or use --repeats first or"
        " --repeats all"
    )


# -- tables of chunks


def test_chunks_in_the_order_of_their_document() -> None:
    text = "head. same. one. same. two. same. end."
    chunks = ["head.", "same.", "one.", "same.", "two.", "same.", "end."]
    chosen = chunk_places(places_of({"d": text}, chunks))
    assert [place.start for place in chosen if place] == [0, 6, 12, 17, 23, 28, 34]


def test_chunks_may_overlap() -> None:
    text = "aa bb aa bb aa cc"
    chosen = chunk_places(places_of({"d": text}, ["aa bb aa", "bb aa", "bb aa", "aa cc"]))
    assert [place.start for place in chosen if place] == [0, 3, 9, 12]


def test_chunks_of_several_documents_in_turns() -> None:
    documents = {"a": "x. same. same.", "b": "y. same. same."}
    rows = [("a", "x."), ("b", "y."), ("a", "same."), ("b", "same."), ("a", "same.")]
    found = Locator(open_collection(documents)).locate([Sought(t, d) for d, t in rows])
    chosen = chunk_places([each.places for each in found])
    assert [(place.document, place.start) for place in chosen if place] == [
        *(("a", 0), ("b", 0), ("a", 3), ("b", 3), ("a", 9))
    ]


def test_chunks_without_a_document_follow_their_neighbours() -> None:
    documents = {"a": "Menu. first. Legal.", "b": "Menu. second. Legal.", "c": "Menu. third."}
    chunks = ["Menu.", "third.", "Menu.", "second.", "Legal.", "Menu.", "first.", "Legal."]
    chosen = chunk_places(places_of(documents, chunks))
    assert "".join(place.document for place in chosen if place) == "ccbbbaaa"


def test_chunks_in_no_order_take_places_that_are_free() -> None:
    assert chunk_places([TWICE, TWICE, TWICE]) == [*TWICE, TWICE[0]]
    late, early = Place("d7", 30, 31), Place("d7", 20, 21)
    assert chunk_places([[late], TWICE, TWICE]) == [late, *TWICE]
    assert chunk_places([[late], [early], []]) == [late, early, None]


@given(st.text("ab", min_size=1, max_size=30), st.integers(1, 5), st.integers(1, 5))
def test_chunks_of_a_splitter_ascend(text: str, size: int, step: int) -> None:
    starts = range(0, max(len(text) - size, 0) + 1, step)
    chunks = [text[start : start + size] for start in starts]
    every = [
        [Place("d", at, at + size) for at in range(len(text)) if text[at:].startswith(chunk)]
        for chunk in chunks
    ]
    chosen = [place.start for place in chunk_places(every) if place]
    assert len(chosen) == len(chunks)
    assert all(before < after for before, after in pairwise(chosen))
    # Equal chunks that overlap move on, so that they may pass the place they were cut from.
    if not any(one == other for one, other in _overlapping(chunks, -(-size // step))):
        assert all(mine <= start for mine, start in zip(chosen, starts, strict=True))


def _overlapping(chunks: list[str], near: int) -> list[tuple[str, str]]:
    return [
        (one, other) for row, one in enumerate(chunks) for other in chunks[row + 1 : row + near]
    ]


@given(st.text("ab-", min_size=1, max_size=30), st.integers(1, 6), st.integers(1, 6))
def test_chunks_of_a_splitter_cover_what_they_covered(text: str, size: int, step: int) -> None:
    cut = range(0, max(len(text) - size, 0) + 1, step)
    every = places_of({"d": text}, [text[start : start + size] for start in cut])
    chosen = [place.start for place in chunk_places(every) if place]
    assert len(chosen) == len(cut)
    assert all(before < after for before, after in pairwise(chosen))


@pytest.mark.parametrize(
    ("text", "size", "step"),
    [
        ("ababa", 3, 2),
        ("-" * 12, 4, 4),
        ("= = = = = =", 3, 4),
        ("|---|---|---|---|---|---|---|---|", 9, 4),
        ("|---|---|---|---|---|---|---|---|", 9, 8),
        ("a|---|---|---|---|\nb |---|---|---|---|\nc", 9, 4),
        ("ha ha ha ha", 5, 3),
    ],
)
def test_equal_chunks_that_overlap(text: str, size: int, step: int) -> None:
    cut = [*range(0, len(text) - size + 1, step)]
    chosen = chunk_places(places_of({"d": text}, [text[at : at + size] for at in cut]))
    assert [place.start for place in chosen if place] == cut


def test_equal_chunks_leave_room_for_the_next() -> None:
    text = "x " + "-" * 9 + " y " + "-" * 9
    chosen = chunk_places(places_of({"d": text}, ["-----", "-----", "y"]))
    assert [place.start for place in chosen if place] == [2, 6, 12]


# -- retrieved answers


def test_answers_are_where_the_table_has_them() -> None:
    assert answer_place(TWICE) == TWICE[0]
    assert answer_place(TWICE, TWICE[1:]) == TWICE[1]
    assert answer_place(TWICE, [Place("d8", 3, 8)]) == TWICE[0]


def test_a_repeated_answer_is_the_next_place() -> None:
    assert [answer_place(TWICE, before=before) for before in range(3)] == [*TWICE, TWICE[1]]


def test_a_repeated_answer_overlaps_no_earlier_one_if_it_can() -> None:
    [places] = places_of({"d": "ababab"}, ["ab" * 2])
    assert [answer_place(places, before=before).start for before in range(2)] == [0, 2]
    [places] = places_of({"d": "-" * 7}, ["---"])
    assert [answer_place(places, before=before).start for before in range(3)] == [0, 3, 1]


# -- what is nowhere


def test_what_is_said_of_texts_that_are_nowhere() -> None:
    nothing = Located((), "nowhere", 0.0)
    near = Located((), "nowhere", 0.8125, Place("d8", 3, 8))
    assert (
        nowhere(Sought("x"), nothing, "docs").found == "the text 'x', which is not in any document"
    )
    short, long = Sought("x" * 39, "d7"), Sought("x" * 40, "d7")
    assert nowhere(short, near, "docs").found.endswith("(nearest: d8 [3, 8), similarity 0.81)")
    assert nowhere(short, near, "docs").remedy == (
        "quote the text exactly: texts under 40 characters must match but for white space and"
        " punctuation forms"
    )
    assert nowhere(long, near, "docs").found.endswith("similarity 0.81, below 0.9)")
    assert nowhere(long, near, "docs").remedy == "quote the text exactly"
    almost = Located((), "nowhere", 0.8999, Place("d8", 3, 8))
    assert "similarity 0.89, below 0.9)" in nowhere(long, almost, "docs").found
    unknown = Located((), "nowhere", 0.0, None, "unknown document")
    assert nowhere(Sought("x", "d9"), unknown, "docs")[:2] == (
        "text of document d9",
        "it in the collection docs",
    )
    lacking = Located((), "nowhere", 0.0, None, "needs rapidfuzz")
    assert "pip install 'spanwise[fuzzy]'" in nowhere(Sought("x"), lacking, "docs").remedy


def test_what_is_said_of_texts_without_letters() -> None:
    nothing = Located((), "nowhere", 0.0, None, "empty")
    found = [nowhere(Sought(text), nothing, "docs").found for text in ("", " \n", "\u200b")]
    assert found == [
        *("an empty text", "text of white space only", "text of invisible characters only")
    ]


def test_the_same_letters_are_never_said_to_be_not_similar_enough() -> None:
    near = Place("d8", 4, 13)
    cut = nowhere(Sought("irst"), Located((), "nowhere", 1.0, near, "cut character"), "docs")
    assert cut.found.endswith("d8 [4, 13), where the text begins or ends inside a character)")
    assert cut.remedy.startswith("quote whole characters, with their accents")
    spaced = nowhere(Sought("a b"), Located((), "nowhere", 1.0, near, "white space"), "docs")
    assert spaced.found.endswith("d8 [4, 13), the same letters with other white space)")
    almost = nowhere(Sought("x"), Located((), "nowhere", 0.9999, near), "docs")
    assert almost.found.endswith("similarity 0.99)")


def test_places_that_are_about_as_similar_are_said_to_be() -> None:
    complaint = several("x", Located(TWICE, "similar", 0.95))
    assert complaint.found.startswith("the text 'x' about equally similar to 2 places: d7 [0, 5)")
    assert complaint.remedy.startswith("quote one of them exactly, or add its occurrence")
