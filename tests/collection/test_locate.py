"""Text to ranges: exact, with the same letters, similar."""

from __future__ import annotations

import random
import re
import sys
import unicodedata
from collections.abc import Mapping
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.slow_locate import is_explained, slow_fold, slow_locate
from spanwise.collection import locate as engine
from spanwise.collection.collection import open_collection
from spanwise.collection.locate import Located, Locator
from spanwise.collection.places import Place, Sought
from spanwise.collection.similar_text import SHORTEST
from spanwise.collection.text_folding import fold
from spanwise.collection.word_search import ENOUGH
from spanwise.data.documents import Documents

SIGNS = (
    "ab  \n\r\t\u00a0\u2003'’\"“”--–—‑"
    "`´¨ﬁ½éệe\u0301\u0323\u0302\u00ad\u200b\ufeffא\u05b8\u05bc가😀…²"
)
TEXTS = st.text(st.sampled_from(SIGNS), max_size=14)
SOUGHT = st.text(st.sampled_from(SIGNS), min_size=1, max_size=6).filter(slow_fold)
LINCOLN = (
    "Four score and seven years ago our fathers brought forth on this continent, a new nation,"
    " conceived in Liberty, and dedicated to the proposition that all men are created equal."
)


def located(documents: Mapping[str, str], text: str, document: str | None = None) -> Located:
    return Locator(open_collection(documents)).locate([Sought(text, document)])[0]


def ranges(found: Located) -> list[tuple[str, int, int]]:
    return [(place.document, place.start, place.end) for place in found.places]


def text_at(documents: Mapping[str, str], place: Place) -> str:
    return documents[place.document][place.start : place.end]


# -- against the twin


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(SOUGHT, min_size=1, max_size=4))
def test_all_places_are_those_of_the_twin(texts: list[str], sought: list[str]) -> None:
    documents = {f"d{number}": text for number, text in enumerate(texts)}
    found = Locator(open_collection(documents)).locate([Sought(text) for text in sought])
    for text, each in zip(sought, found, strict=True):
        assert (each.how, ranges(each)) == slow_locate(documents, text), ascii((documents, text))


@given(TEXTS, st.data())
def test_a_part_of_a_document_is_found_however_it_is_written(
    text: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(text)))
    part = text[start : data.draw(st.integers(start, len(text)))]
    if not slow_fold(part):
        return
    form = data.draw(st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
    # Compatible forms of lone accents begin with a blank, which is another text.
    written = unicodedata.normalize(form, part.replace("¨", ""))
    written = data.draw(st.sampled_from(["", " ", "\r\n"])) + written + " "
    if not slow_fold(written):
        return
    found = located({"d": text}, written)
    assert found.how in ("exact", "folded") or slow_locate({"d": text}, written)[0] == "nowhere"
    for place in found.places:
        assert slow_fold(text_at({"d": text}, place)) == slow_fold(written)


@given(st.text(max_size=40))
def test_letters_lead_back_to_their_characters(text: str) -> None:
    folded = fold(text)
    assert folded.text == slow_fold(text).replace(" ", "") or folded.reordered or _ignorable(text)
    assert len(folded.text) == len(folded.letters) == len(folded.origin) == len(folded.gaps)
    assert sorted(folded.origin.tolist()) == folded.origin.tolist()
    assert not any(text[place].isspace() for place in folded.origin.tolist())


def _ignorable(text: str) -> bool:
    return any(unicodedata.category(sign) in ("Cf", "Mn", "Lo", "Cn") for sign in text)


@given(st.text("ab ", min_size=1, max_size=60), st.text("ab", min_size=1, max_size=5))
def test_places_may_overlap(text: str, sought: str) -> None:
    starts = [found.start() for found in re.finditer(f"(?={re.escape(sought)})", text)]
    assert [place.start for place in located({"d": text}, sought).places] == starts


# -- what is folded


@pytest.mark.parametrize(
    ("text", "sought", "there"),
    [
        ("He said:\r\n  “stop”.", 'He said: "stop".', "He said:\r\n  “stop”."),
        ("one\r\ntwo", "one\ntwo", "one\r\ntwo"),
        ("Curaçao cafe\u0301 x", "café", "cafe\u0301"),
        ("the ﬁre", "fire", "ﬁre"),
        ("co\u00adoperate", "cooperate", "co\u00adoperate"),
        ("\ufeffTitle page", "Title  page", "Title page"),
        ("1990\u20132000", "1990-2000", "1990\u20132000"),
        ("a\u00a0b c", "a b", "a\u00a0b"),
        ("zero\u200bwidth", "zerowidth", "zero\u200bwidth"),
        ("שלום עולם", "שלום\u200f עולם", "שלום עולם"),
        ("x² + y", "x2 +  y", "x² + y"),
        ("don`t, can´t", "don't, can't", "don`t, can´t"),
        ("a.*(b) [c]", "a.*(b)  [c]", "a.*(b) [c]"),
    ],
)
def test_forms_that_copying_changes(text: str, sought: str, there: str) -> None:
    found = located({"d": f"before {text} after"}, sought)
    assert found.how == "folded"
    assert [text_at({"d": f"before {text} after"}, place) for place in found.places] == [there]


@pytest.mark.parametrize(
    ("text", "sought"),
    [
        ("nowhere", "now here"),
        ("now here", "nowhere"),
        ("the ﬁre", "ire"),
        ("café", "cafe"),
        ("Case", "case"),
        ("½", "1"),
        ("short", "short and longer than the document"),
    ],
)
def test_what_is_another_text(text: str, sought: str) -> None:
    assert located({"d": text}, sought).how == "nowhere"


def test_long_texts_may_have_their_white_space_anywhere() -> None:
    joined = LINCOLN.replace(" on this", "on this").replace("ago", "a go")
    found = located({"d": f"1863. {LINCOLN}"}, joined)
    assert (found.how, ranges(found)) == ("folded", [("d", 6, 6 + len(LINCOLN))])


def test_exact_places_come_before_folded_ones() -> None:
    found = located({"a": "“be”  “be”", "b": '"be"'}, '"be"')
    assert (found.how, ranges(found)) == ("exact", [("b", 0, 4)])


def test_an_exact_place_has_the_white_space_of_the_text() -> None:
    assert ranges(located({"d": "a  b  c"}, " b ")) == [("d", 2, 5)]
    assert ranges(located({"d": "a\tb\tc"}, " b ")) == [("d", 2, 3)]


def test_half_of_a_surrogate_pair_is_a_character() -> None:
    assert ranges(located({"d": "a\ud800b  c"}, "\ud800b c")) == [("d", 1, 6)]


# -- which documents


def test_a_named_document_is_the_only_one() -> None:
    documents = {"a": "to be", "b": "or not"}
    assert located(documents, "to be", "b").how == "nowhere"
    found = located(documents, "to be", "c")
    assert (found.how, found.reason) == ("nowhere", "unknown document")


def test_documents_without_text() -> None:
    class Sizes(Documents):
        lengths: ClassVar = {"a": 5}

    found = Locator(Sizes()).locate([Sought("x", "a"), Sought("x")])
    assert [each.reason for each in found] == ["no text", ""]


@pytest.mark.parametrize("text", ["", " ", "\n\u00a0", "\u200b\ufeff"])
def test_texts_without_letters(text: str) -> None:
    assert located({"a": "a b"}, text).reason == "empty"


def test_a_document_is_read_once_for_all_texts() -> None:
    read: list[str] = []

    class Watched(Documents):
        lengths: ClassVar = {"a": 5, "b": 6}

        def text(self, document: str) -> str:
            read.append(document)
            return {"a": "to be", "b": "or not"}[document]

    locator = Locator(Watched())
    sought = [Sought("to"), Sought("be"), Sought("not", "b")]
    assert locator.locate(sought) == locator.locate(sought)
    assert read == ["a", "b"]


def test_one_letter_repeated_millions_of_times() -> None:
    documents = {"d": "a" * 2_000_000 + "b"}
    sizes = (1_000_000, 3, 999, 600_000)
    sought = [Sought("a" * size) for size in sizes]
    sought += [Sought("a" * 700_000 + "b"), Sought("a" * 500_000 + "c" + "a" * 500_000)]
    found = Locator(open_collection(documents)).locate(sought)
    assert [len(each.places) for each in found[:4]] == [2_000_001 - size for size in sizes]
    assert ranges(found[4]) == [("d", 1_300_000, 2_000_001)]
    assert found[5].how == "nowhere"


# -- similar text


def test_similar_text_begins_and_ends_where_the_quote_does() -> None:
    quote = LINCOLN.replace("score and", "score [1] and").replace("nation", "natjon")
    before = "It was said on that day in November. "
    found = located({"d": f"{before}{LINCOLN} Now we are engaged in a great civil war."}, quote)
    assert (found.how, ranges(found)) == (
        "similar",
        [("d", len(before), len(before) + len(LINCOLN))],
    )
    assert 0.9 <= found.similarity < 1


def test_the_similarity_counts_letters_in_common() -> None:
    quote = LINCOLN.replace("years", "yeixs")
    letters = len(LINCOLN.replace(" ", ""))
    found = located({"d": LINCOLN}, quote)
    assert found.similarity == pytest.approx((letters - 2) / letters)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Address > 1863\n\n", ""),
        ("...", "..."),
        ("**", "**"),
        ("# ", ""),
        ("", " (1863)"),
        ("Gettysburg: ", " [p. 1]"),
    ],
)
def test_what_was_added_around_a_text_does_not_widen_its_place(before: str, after: str) -> None:
    start, end = 11, 11 + len(LINCOLN)
    text = f"It is said {LINCOLN} Now we are engaged in a great civil war."
    found = located({"d": text}, f"{before}{LINCOLN}{after}")
    assert (found.how, ranges(found)) == ("similar", [("d", start, end)])


@pytest.mark.parametrize(
    "quote",
    [
        LINCOLN.replace("Four", "Foru"),
        LINCOLN.replace("Four", "For"),
        LINCOLN.replace("Four", "Vour"),
        LINCOLN.replace("equal.", "eqaul."),
        LINCOLN.replace("equal.", "equaI!"),
    ],
)
def test_a_typo_in_the_first_or_last_word_belongs_to_the_place(quote: str) -> None:
    text = f"It is said {LINCOLN} Now we are engaged in a great civil war."
    assert ranges(located({"d": text}, quote)) == [("d", 11, 11 + len(LINCOLN))]


@pytest.mark.parametrize(("size", "heading"), [(300, 25), (700, 60), (6000, 530), (20000, 1700)])
def test_long_headings_of_long_texts(size: int, heading: int) -> None:
    words = random.Random(size)
    letters = "".join(words.choices("abcdefghijklm", k=size + 1500))
    title = "".join(words.choices("NOPQRSTUVWXYZ", k=heading))
    for quote in (title + letters[700:-800], letters[700:-800] + title):
        assert ranges(located({"d": letters}, quote)) == [("d", 700, 700 + size)]


@given(st.integers(0, 2**32), st.floats(0.01, 0.09), st.booleans(), st.booleans())
def test_an_added_end_widens_a_place_only_where_the_document_has_the_like(
    seed: int, share: float, leads: bool, of_the_same_letters: bool
) -> None:
    drawn = random.Random(seed)
    document = "".join(drawn.choices("abcdefgh", k=600))
    letters = "abcdefgh" if of_the_same_letters else "XYZ#*"
    added = "".join(drawn.choices(letters, k=int(share * 300)))
    quote = document[150:450]
    [place] = located({"d": document}, added + quote if leads else quote + added).places
    assert place.start <= 150
    assert place.end >= 450
    before, after = document[place.start : 150], document[450 : place.end]
    assert not (after if leads else before)
    outside, end = (before, added) if leads else (after[::-1], added[::-1])
    assert is_explained(outside, end)
    assert of_the_same_letters or len(outside) <= 2


def test_long_similar_texts() -> None:
    numbers = [
        f"Sentence number {number} is about {number * 7919 % 1000}." for number in range(300)
    ]
    text = " ".join(numbers)
    start, end = text.index("Sentence number 40 "), text.index("Sentence number 260 ")
    quote = text[start:end].replace("about", "abuot")
    found = located({"a": "Nothing of this.", "d": text}, quote)
    assert (found.how, ranges(found)) == ("similar", [("d", start, end - 1)])


def test_text_that_is_not_similar_enough_has_a_nearest_place() -> None:
    quote = LINCOLN[:60] + " something else that nobody has ever said on that field"
    found = located({"a": "x" * 50, "d": LINCOLN}, quote)
    assert (found.how, found.places) == ("nowhere", ())
    assert found.nearest is not None
    assert (found.nearest.document, found.nearest.start) == ("d", 0)
    assert 0.5 < found.similarity < 0.9


def test_the_nearest_place_of_a_paraphrase_is_shown_whole() -> None:
    text = "Nothing else. The carrier then collects the item at no cost. The end."
    found = located({"d": text}, "The carrier will collect the article for free.")
    assert found.nearest is not None
    assert "The carrier then collects the item at no cost." in text_at({"d": text}, found.nearest)


def test_places_that_are_equally_similar_are_all_found() -> None:
    quote, gap = LINCOLN.replace("years", "yaers"), " And then again: "
    found = located({"a": gap.join([LINCOLN] * 20), "b": f"x {LINCOLN}"}, quote)
    step = len(LINCOLN + gap)
    expected = [("a", step * number, step * number + len(LINCOLN)) for number in range(20)]
    assert (found.how, ranges(found)) == ("similar", [*expected, ("b", 2, 2 + len(LINCOLN))])


def test_a_place_that_is_less_similar_is_another_text() -> None:
    quote = LINCOLN.replace("years", "yaers")
    other = LINCOLN.replace("fathers", "mothers").replace("nation", "union")
    found = located({"d": f"{other} And: {LINCOLN}"}, quote)
    assert [place.start for place in found.places] == [len(other) + 6]


def test_a_text_that_begins_inside_a_character_is_told_so() -> None:
    found = located({"d": "see the ﬁrst ﬂoor"}, "irst ﬂoor")
    assert (found.how, found.reason, found.nearest) == (
        "nowhere",
        "cut character",
        Place("d", 8, 17),
    )
    found = located({"d": "it is nowhereland, he said"}, "now hereland")
    assert (found.how, found.reason) == ("nowhere", "white space")


def test_short_texts_are_never_similar() -> None:
    found = located({"d": LINCOLN}, "Four scores and seven years ago")
    assert found.how == "nowhere"
    assert found.nearest == Place("d", 0, 30)
    assert found.similarity > 0.9


def test_similar_text_in_a_named_document_only() -> None:
    documents = {"a": LINCOLN, "b": "Nothing of this."}
    quote = LINCOLN.replace("Four", "Five")
    assert located(documents, quote, "a").how == "similar"
    assert located(documents, quote, "b").how == "nowhere"


def test_without_rapidfuzz_exact_and_folded_text_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    assert located({"d": LINCOLN}, LINCOLN.replace(" ", "\n")).how == "folded"
    found = located({"d": LINCOLN}, LINCOLN.replace("Four", "Five"))
    assert (found.how, found.reason) == ("nowhere", "needs rapidfuzz")
    assert located({"d": LINCOLN}, "Five").reason == ""


def test_the_limits_are_those_of_the_description() -> None:
    assert (engine.LEAST, SHORTEST, ENOUGH) == (0.9, 40, 32)
