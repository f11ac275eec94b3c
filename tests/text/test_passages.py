"""Passages of texts: whole sentences, and no cut inside a word or a sign."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.text.passages import Passages, chosen, is_between_signs

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\U0001f3fd"
FLAGS = "\U0001f1eb\U0001f1ee\U0001f1f8\U0001f1ea"
SIGNS = [
    "a",
    "B",
    "7",
    ".",
    "。",
    " ",
    "\n",
    "字",
    "ไ",
    "e\u0301",
    "각",
    FAMILY,
    FLAGS,
    "\r\n",
    "é",
]


def cut(text: str, longest: int = 400) -> list[str]:
    return [text[start:end] for start, end in Passages(text, longest).of(0, len(text))]


@pytest.mark.parametrize(
    "sentences",
    [
        ["The bell was cast in 1752. ", "It cracked twice! ", "Why? ", "Nobody knows."],
        ["It weighs 3.5 tons, i.e. as much as Dr. J. Smith's car, cf. Fig. 3. ", "So it is."],
        ['He said "Stop." ', "Then he left (at last.) ", "Why?"],
        ["鐘は1752年に鋳造された。", "二度ひび割れた！", "「なぜ？」", "誰も知らない。"],
        ["هل هذا صحيح؟ ", "نعم."],
        ["यह घंटी है। ", "यह टूट गई।"],
        ["A heading\n\n", "A paragraph without a mark\n\n", "The next one."],
        ["Steps:\n", "- first do this\n", "- then do that\n", "1. and this"],
        ["A line that was\nbroken by hand. ", "Another\none."],
    ],
)
def test_texts_are_cut_into_their_sentences(sentences):
    assert cut("".join(sentences)) == sentences


def test_only_passages_that_share_a_character_are_taken():
    text = "One. Two. Three."
    assert Passages(text).of(5, 9) == [(5, 10)]
    assert Passages(text).of(4, 6) == [(0, 5), (5, 10)]
    assert Passages(text).of(5, 5) == []
    assert Passages("").of(0, 0) == []


def test_long_lists_and_code_are_cut_at_their_lines():
    code = "".join(f"value_{number} = compute(value_{number}, 17)\n" for number in range(40))
    found = cut(code)
    assert "".join(found) == code
    assert all(passage.endswith("\n") and len(passage) <= 400 for passage in found)


def test_long_sentences_are_cut_after_their_words():
    text = "word " * 300
    assert all(passage.endswith(" ") and len(passage) <= 400 for passage in cut(text))
    late = "a " + "x" * 399 + " b" * 3
    assert cut(late) == ["a ", "x" * 399 + " ", "b b b"]


def test_words_between_ideographs_stay_whole():
    text = ("字" * 39 + "Microsoft") * 20
    assert cut(text, 45) != [text]
    assert all("Microsoft" in passage or "M" not in passage for passage in cut(text, 45))


def test_numbers_and_addresses_are_no_clauses():
    text = "see " + "https://example.org/a,b,c:d;1,000,000/" * 8 + " and " + "more " * 30
    assert any("https" in passage and "1,000,000/ " in passage for passage in cut(text))


@pytest.mark.parametrize("sign", ["e\u0301\u0327", FAMILY, FLAGS[:2], "각\u11a8", "\r\n", "☝🏽️"])
def test_signs_stay_whole(sign):
    text = sign * 900
    found = cut(text, 50)
    assert "".join(found) == text
    assert len(found) > 10
    assert all(passage == sign * (len(passage) // len(sign)) for passage in found)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(SIGNS), max_size=300).map("".join), st.integers(8, 60))
def test_passages_are_the_text_and_cut_nothing(text, longest):
    found = Passages(text, longest).of(0, len(text))
    assert "".join(text[start:end] for start, end in found) == text
    for _, end in found[:-1]:
        assert is_between_signs(text, end)
        assert not unicodedata.combining(text[end])
        inside = text[end - 1].isascii() and text[end].isascii()
        if inside and text[end - 1 : end + 1].isalnum():
            start = max(place for place in range(end) if place == 0 or text[place - 1].isspace())
            assert end - start >= longest - len(FAMILY)


def test_a_choice_holds_what_is_wanted_first():
    passages = [(0, 40), (40, 80), (80, 120), (120, 160)]
    assert chosen(passages, [(90, 95)], 90) == [(0, 40), (80, 120)]
    assert chosen(passages, [(90, 95)], 10) == [(80, 120)]
    assert chosen(passages, [], 1000) == passages
    assert chosen([], [], 1000) == []


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=6),
    st.integers(0, 60),
)
def test_chosen_passages_are_those_with_something_wanted(
    sizes: list[int], wanted: list[tuple[int, int]], most: int
) -> None:
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    passages = list(zip([0, *ends], ends, strict=False))
    marked = [span for span in passages if any(a < span[1] and b > span[0] for a, b in wanted)]
    taken, room = [], most
    for start, end in [*marked, *(span for span in passages if span not in marked)]:
        if end - start > room and taken:
            break
        taken.append((start, end))
        room -= end - start
    assert chosen(passages, wanted, most) == sorted(taken)
