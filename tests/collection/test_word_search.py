"""All places of texts: those that overlap, those that are found in a lesser way, and very many."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.collection import word_search
from spanwise.collection.chunk_order import chunk_places
from spanwise.collection.collection import open_collection
from spanwise.collection.locate import Located, Locator
from spanwise.collection.places import Place, Places, Sought
from spanwise.collection.repeated_words import Repeatable, occurrences

TEXTS = st.text("ab", max_size=40)
WORDS = st.text("ab", min_size=1, max_size=9)


def located(text: str, *sought: str) -> list[Located]:
    return Locator(open_collection({"d": text})).locate([Sought(each) for each in sought])


def starts(found: Located) -> list[int]:
    return [place.start for place in found.places]


def every_start(text: str, word: str) -> list[int]:
    return [place for place in range(len(text)) if text.startswith(word, place)]


@given(TEXTS, WORDS, st.sets(st.integers(0, 40)))
def test_a_word_is_compared_with_any_places(text: str, word: str, asked: set[int]) -> None:
    compared = Repeatable(text, word)
    found = [place for place in sorted(asked) if compared.at(place)]
    assert found == [place for place in every_start(text, word) if place in asked]


@given(TEXTS, WORDS)
def test_occurrences_may_overlap(text: str, word: str) -> None:
    assert [*occurrences(text, word)] == every_start(text, word)


def test_places_that_overlap_are_found_folded_too() -> None:
    [found] = located("ha\nha\nha", "ha ha")
    assert (found.how, starts(found)) == ("folded", [0, 3])
    [found] = located("x. e\u0323\u0301 y. " + "éa " * 3, "éa\u00a0éa")
    assert (found.how, starts(found)) == ("folded", [10, 13])


def test_places_that_overlap_are_found_where_accents_were_reordered() -> None:
    text = "e\u0301\u0323" + "a\u0301" * 3
    assert starts(located(text, "a\u0301a\u0301")[0]) == [3, 5]


def test_places_with_other_white_space_are_known_beside_exact_ones() -> None:
    [found] = located("Peru\njoined. then Peru joined. Peru  joined", "Peru joined")
    assert (found.how, starts(found)) == ("exact", [18])
    assert [place.start for place in found.others] == [0, 31]


def test_of_texts_with_very_many_places_the_first_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_search, "KEPT", 100)
    text = "ab " * 300 + "rare"
    found = located(text, "a", "b", "rare")
    assert [each.all_kept for each in found] == [False, False, True]
    assert starts(found[0]) == every_start(text, "a")[: len(found[0].places)]
    assert starts(found[2]) == [900]
    assert 20 < sum(len(each.places) for each in found) <= 101


# -- questions about places


@given(st.sets(st.tuples(st.sampled_from("abc"), st.integers(0, 12))), st.integers(0, 12))
def test_places_answer_as_a_list_does(made: set[tuple[str, int]], start: int) -> None:
    listed = [Place(document, begin, begin + 3) for document, begin in sorted(made)]
    places = Places.of(listed)
    assert [*places] == [places[number] for number in range(len(places))] == listed
    here = [place for place in listed if place.document == "b"]
    after, before = places.after("b", start), places.before("b", start)
    expected = next((place for place in here if place.start > start), None)
    assert (None if after is None else places[after]) == expected
    expected = next((place for place in reversed(here) if place.start < start), None)
    assert (None if before is None else places[before]) == expected
    least = min((abs(place.start - start) for place in here), default=0)
    near = [place for place in here if abs(place.start - start) == least]
    assert places.nearest("b", start) == near
    assert [*places.beginning(start)] == [place for place in listed if place.start == start]
    assert places.has(Place("b", start, start + 3)) == (("b", start) in made)
    assert not places.has(Place("b", start, start + 4))
    within = Place("b", start, start + 6)
    assert [places[number] for number in places.inside(within)] == [
        place for place in here if start <= place.start and place.end <= start + 6
    ]


@given(st.sets(st.tuples(st.sampled_from("ab"), st.integers(0, 15)), min_size=1))
def test_places_apart_come_first(made: set[tuple[str, int]]) -> None:
    places = Places.of(Place(name, begin, begin + 3) for name, begin in sorted(made))
    apart: list[Place] = []
    for place in places:
        if not apart or apart[-1].document != place.document or apart[-1].end <= place.start:
            apart.append(place)
    turns = [places[int(number)] for number in places.in_turn]
    assert turns == [*apart, *(place for place in places if place not in apart)]


# -- time


def test_time_does_not_grow_with_chunks_times_places() -> None:
    line = "All rights reserved. 0123456789\n"
    locator = Locator(open_collection({"d": line * 20_000}))
    began = time.process_time()
    found = locator.locate([Sought("All rights reserved.", "d")] * 20_000)
    chosen = chunk_places([each.places for each in found])
    assert time.process_time() - began < 5
    assert [place.start for place in chosen if place] == [*range(0, len(line) * 20_000, len(line))]


def test_time_does_not_grow_with_chunks_times_documents() -> None:
    locator = Locator(open_collection({f"d{number}": "All rights." for number in range(5_000)}))
    found = locator.locate([Sought("All rights.")] * 5_000)
    began = time.process_time()
    assert len({*chunk_places([each.places for each in found])}) == 5_000
    assert time.process_time() - began < 2
