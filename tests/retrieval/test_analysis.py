"""Words, sentences and blocks: offsets are those of the text, whatever is in it."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.collection.document_text import parse
from spanwise.data.elements import Paths, Tree
from spanwise.errors import SpanwiseError
from spanwise.retrieval.analysis import LONGEST, Analyzer
from spanwise.retrieval.blocks import Tags, blocks_of
from spanwise.text.classes import BLANK, classes_of
from spanwise.text.sentence_ranges import sentence_ranges

TEXT = st.text(st.characters(codec="utf-8"), max_size=60) | st.text(
    "ab .!?\n\u0301😀海岸กไ́שא्क。「」\u200c½ﷺİ", max_size=60
)


def tokens_of(text: str) -> list[str]:
    tokens = Analyzer().tokens(text)
    return [text[a:b] for a, b in zip(tokens.start.tolist(), tokens.end.tolist(), strict=True)]


def sentences_of(text: str) -> list[str]:
    start, end = sentence_ranges(text)
    return [text[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True)]


@given(TEXT)
def test_every_letter_is_in_a_token_and_tokens_lie_in_the_text(text: str) -> None:
    tokens = Analyzer().tokens(text)
    covered = np.zeros(len(text), bool)
    for start, end in zip(tokens.start.tolist(), tokens.end.tolist(), strict=True):
        assert 0 <= start < end <= len(text)
        covered[start:end] = True
    for place, letter in enumerate(text):
        if unicodedata.category(letter)[0] in "LN":
            assert covered[place], letter


@given(TEXT)
def test_sentences_hold_all_that_is_not_blank_once(text: str) -> None:
    start, end = sentence_ranges(text)
    inside = np.zeros(len(text), int)
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        assert not text[first].isspace()
        assert not text[last - 1].isspace()
        inside[first:last] += 1
    blank = classes_of(text) == BLANK
    assert (inside <= 1).all()
    assert (inside[~blank] == 1).all()


@given(TEXT)
def test_blocks_hold_all_that_is_not_blank_once(text: str) -> None:
    paths = Paths()
    parsed = parse("d.md", ".md", text.encode(), paths)
    classes = classes_of(parsed.text)
    for tree in (parsed.tree, None):
        blocks = blocks_of(parsed.text, tree, tags_of(tree, paths), classes)
        inside = np.zeros(len(parsed.text), int)
        for first, last in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True):
            inside[first:last] += 1
        assert (inside[classes != BLANK] == 1).all()
        assert (inside <= 1).all()


def test_words_in_many_scripts() -> None:
    assert tokens_of("snake_case, Cafe\u0301s!") == ["snake", "case", "Cafe\u0301s"]
    assert tokens_of("😀 שלום עולם 👍🏽 نص") == ["שלום", "עולם", "نص"]
    assert tokens_of("नमस्ते दुनिया") == ["नमस्ते", "दुनिया"]
    assert tokens_of("𝔘nit 𠮷野") == ["𝔘nit", "𠮷", "𠮷野", "野"]
    assert tokens_of("می\u200cخواهم") == ["می\u200cخواهم"]


def test_one_term_for_all_ways_to_write_a_word() -> None:
    asked = Analyzer().query_terms
    assert asked("CAFÉ") == asked("cafe\u0301") == ["café"]
    assert asked("ＴＩＤＥ") == asked("tide") == ["tide"]
    assert asked("hy\u00adphen") == ["hyphen"]
    assert asked("ﷺ") == ["صلىاللهعليهوسلم"]


def test_dense_scripts_are_pairs_of_neighbours() -> None:
    assert Analyzer().query_terms("海") == ["海"]
    assert Analyzer().query_terms("海岸線 と") == ["海岸", "岸線", "と"]
    assert tokens_of("海岸") == ["海", "海岸", "岸"]


def test_words_stop_at_borders() -> None:
    tokens = Analyzer().tokens("TitleText", borders=np.array([0, 5, 9]))
    assert (tokens.start.tolist(), tokens.end.tolist()) == ([0, 5], [5, 9])


def test_endless_words_are_cut() -> None:
    assert [len(word) for word in tokens_of("x" * (2 * LONGEST + 3))] == [LONGEST, LONGEST, 3]
    assert max(map(len, tokens_of("海" + "\u0301" * 999))) <= LONGEST


def test_stemming_is_for_its_language() -> None:
    assert Analyzer("english").query_terms("tides rising") == ["tide", "rise"]
    assert Analyzer("german").query_terms("Häuser") == Analyzer("german").query_terms("Häusern")
    with pytest.raises(SpanwiseError, match="did you mean 'english'"):
        Analyzer("englsh")  # type: ignore[arg-type]


def test_sentences() -> None:
    assert sentences_of('He left. "Why?" she said. No.') == [
        "He left.",
        '"Why?" she said.',
        "No.",
    ]
    assert sentences_of("J. Smith et al. saw 3.5 m, e.g. at St. Ives. Then fog.") == [
        "J. Smith et al. saw 3.5 m, e.g. at St. Ives.",
        "Then fog.",
    ]
    assert sentences_of("雨。「雪。」晴れ") == ["雨。", "「雪。」", "晴れ"]
    assert sentences_of("یہ ہے۔ وہ ہے؟ ہاں") == ["یہ ہے۔", "وہ ہے؟", "ہاں"]
    assert sentences_of("a title\n\nno stop") == ["a title", "no stop"]


def tags_of(tree: Tree | None, paths: Paths) -> Tags | None:
    return None if tree is None else Tags.of([paths.tag[path] for path in tree.path.tolist()])


def blocks_in(file: str, content: str) -> list[tuple[str, str]]:
    """The text of each block and the last step of its path, "" outside of all elements."""
    paths = Paths()
    parsed = parse(file, Path(file).suffix, content.encode(), paths)
    tags = tags_of(parsed.tree, paths)
    blocks = blocks_of(parsed.text, parsed.tree, tags, classes_of(parsed.text))
    return [
        (
            parsed.text[a:b],
            paths.text(int(parsed.tree.path[n])).rpartition("/")[2] if n >= 0 else "",
        )
        for a, b, n in zip(blocks.start, blocks.end, blocks.element, strict=True)
    ]


def test_blocks_are_the_highest_elements_with_text_of_their_own() -> None:
    xml = "<a><t>Sea</t><s><p>One <i>b</i> two.</p><l><e>x</e><e>y</e></l></s></a>"
    assert blocks_in("d.xml", xml) == [
        *(("Sea", "t[1]"), ("One b two.", "p[1]"), ("x", "e[1]"), ("y", "e[2]")),
    ]


def test_text_between_the_paragraphs_of_a_page_does_not_join_them() -> None:
    html = (
        "<html><body>Loose <b>bold <i>and slanted</i></b> text.<p>One.</p>"
        "<div>In <a>a</a> box.</div><p>Two, <q>three</q>.</p>tail</body></html>"
    )
    assert blocks_in("d.html", html) == [
        *(("Loose bold and slanted text.", ""), ("One.", "p[1]"), ("In a box.", "div[1]")),
        *(("Two, three.", "p[2]"), ("tail", "")),
    ]


def test_an_item_with_a_list_and_a_page_of_text_alone_are_one_block() -> None:
    assert blocks_in("d.html", "<html><body>Only <b>text</b>.</body></html>") == [
        ("Only text.", "body[1]")
    ]
    xml = "<article><p>See <list><item>one</item><item>two</item></list></p></article>"
    assert blocks_in("d.xml", xml) == [("See onetwo", "p[1]")]


@pytest.mark.parametrize(
    ("pointed", "plain"),
    [
        ("שָׁלוֹם", "שלום"),
        ("\ufb2a\u05b8לו\u05b9ם", "שלום"),
        ("بِسْمِ", "بسم"),
        ("الرَّحْمٰنِ", "الرحمن"),
        ("كـــتاب", "كتاب"),
        ("ܫܠܳܡܳܐ", "ܫܠܡܐ"),
    ],
)
def test_points_may_be_left_out(pointed: str, plain: str) -> None:
    asked = Analyzer().query_terms
    assert asked(pointed) == asked(plain) == [plain]
    assert tokens_of(f"a {pointed}, b") == ["a", pointed, "b"]


def test_marks_that_make_another_letter_stay() -> None:
    asked = Analyzer().query_terms
    for one, other in (("café", "cafe"), ("أمر", "امر"), ("कि", "क"), ("น้ำ", "นำ")):
        assert asked(one) != asked(other)
