"""Tokenizers: loaded from files and names, and what they return is checked."""

from __future__ import annotations

import gzip
import sys
from functools import partial
from pathlib import Path

import pytest
import requests
import tiktoken
import tiktoken.registry
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from spanwise import SpanwiseError
from spanwise.collection.collection import open_collection
from spanwise.collection.tokenizing import Cutter, byte_offsets, tokenizer_name, words

FAMILY = "👩‍👧"
"""Three code points: two emoji, and what joins them."""
TINY = {
    "name": "tiny",
    "pat_str": r"\s?\S+|\s+",
    "mergeable_ranks": {
        **{bytes([number]): number for number in range(256)},
        **{b" \xf0": 256, b" \xf0\x9f": 257, b"th": 258, b"the": 259},
    },
    "special_tokens": {"<|end|>": 300},
}


def pairs(tokens):
    return list(zip(*(column.tolist() for column in tokens), strict=True))


def cut(tokenizer, text, document="d7"):
    return pairs(open_collection({document: text}, tokenizer=tokenizer).tokens(document))


# -- tokenizer.json


def word_level(path: Path) -> Path:
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "[CLS]": 1, "the": 2}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [CLS]", special_tokens=[("[CLS]", 1)]
    )
    tokenizer.save(str(path))
    return path


def byte_level(path: Path) -> Path:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {sign: number for number, sign in enumerate([*alphabet, "th", "the"])}
    tokenizer = Tokenizer(models.BPE(vocabulary, [("t", "h"), ("th", "e")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.save(str(path))
    return path


def test_a_tokenizer_of_a_file(tmp_path):
    path = word_level(tmp_path / "tokenizer.json")
    expected = [(0, 3), (4, 8), (8, 9)]
    assert cut(path, "The tide.") == expected
    assert cut(str(path), "The tide.") == expected
    assert cut(path, "") == []
    (tmp_path / "again.json.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert cut(tmp_path / "again.json.gz", "The tide.") == expected


def test_a_file_that_truncates_and_pads_does_neither_here(tmp_path):
    path = word_level(tmp_path / "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=8)
    tokenizer.save(str(path))
    assert len(Tokenizer.from_file(str(path)).encode("the " * 50).offsets) == 8
    assert cut(path, "the " * 50) == [(4 * number, 4 * number + 3) for number in range(50)]


def test_an_emoji_of_several_tokens_costs_all_of_them_in_files_too(tmp_path):
    path = byte_level(tmp_path / "tokenizer.json")
    assert cut(path, "the😀b") == [(0, 3), *[(3, 4)] * 4, (4, 5)]


@pytest.mark.parametrize("text", ["a\ud800b", "\udc80\ud83d\ude00"])
def test_halves_of_surrogate_pairs_are_characters(text, tmp_path, tiny):
    path = word_level(tmp_path / "tokenizer.json")
    assert cut(path, text)[-1][1] == len(text)
    tokens = cut("tiktoken:tiny", text)
    assert (tokens[0][0], tokens[-1][1]) == (0, len(text))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", r"broken\.json: found a fault \(.*\), expected a tokenizer\.json of the package"),
        (b"\xff\x00", r"broken\.json: found a fault"),
        (None, r"broken\.json: file not found; check the path"),
    ],
)
def test_files_that_are_no_tokenizer_are_refused(content, message, tmp_path):
    path = tmp_path / "broken.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SpanwiseError, match=message):
        Cutter.of(path)


def test_a_tokenizer_that_fails_is_named_with_the_document(tmp_path):
    tokenizer = Tokenizer(models.WordLevel({"the": 0}, unk_token="[UNK]"))
    tokenizer.save(str(tmp_path / "unknown.json"))
    message = r"the tokenizer .*unknown\.json failed on document d7: Exception: WordLevel"
    with pytest.raises(SpanwiseError, match=message):
        cut(tmp_path / "unknown.json", "tide")


# -- tiktoken


@pytest.fixture
def tiny(monkeypatch):
    """An encoding under the name tiny: bytes and a few merges."""
    tiktoken.list_encoding_names()
    assert tiktoken.registry.ENCODING_CONSTRUCTORS is not None
    monkeypatch.setitem(tiktoken.registry.ENCODING_CONSTRUCTORS, "tiny", lambda: TINY)
    yield "tiktoken:tiny"
    tiktoken.registry.ENCODINGS.pop("tiny", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("the tin", [(0, 3), (3, 4), (4, 5), (5, 6), (6, 7)]),
        # Four bytes, none of which are merged: four tokens that all hold the emoji.
        ("a😀b", [(0, 1), (1, 2), (1, 2), (1, 2), (1, 2), (2, 3)]),
        # A blank and half of an emoji are one token: it shares the emoji with two others.
        (" 😀b", [(0, 2), (1, 2), (1, 2), (2, 3)]),
        ("é", [(0, 1), (0, 1)]),
        ("<|end|>", [(number, number + 1) for number in range(7)]),
    ],
)
def test_tokens_of_tiktoken_hold_whole_characters(text, expected, tiny):
    assert cut(tiny, text) == expected


@given(st.lists(st.sampled_from(["a", " ", "the", "é", "中", "😀", FAMILY, "\r\n"])).map("".join))
def test_tokens_of_tiktoken_cover_every_text(text):
    encoding = tiktoken.Encoding(**TINY)
    found = byte_offsets(encoding, text)
    assert len(found) == len(encoding.encode_ordinary(text))
    assert {place for start, end in found for place in range(start, end)} == {*range(len(text))}
    # What touches the bytes [a, b) of a text holds the characters of these bytes, and no others.
    at = 0
    for (start, end), part in zip(found, map(len, _parts(encoding, text)), strict=True):
        assert len(text[:start].encode()) <= at < len(text[: start + 1].encode())
        at += part
        assert len(text[: end - 1].encode()) < at <= len(text[:end].encode())
    assert Cutter("tiny", partial(byte_offsets, encoding)).tokens(text, "d7")[0].tolist() == [
        start for start, _ in found
    ]


def _parts(encoding, text):
    return encoding.decode_tokens_bytes(encoding.encode_ordinary(text))


def test_an_unknown_encoding_is_refused():
    message = r"tiktoken has no encoding 'cl100k'; did you mean 'cl100k_base'\?"
    with pytest.raises(SpanwiseError, match=message):
        Cutter.of("tiktoken:cl100k")
    with pytest.raises(SpanwiseError, match="has no encoding ''; the encodings are gpt2, "):
        Cutter.of("tiktoken:")


def test_an_encoding_that_cannot_be_downloaded_is_refused(tmp_path, monkeypatch):
    def offline(*_, **__):
        raise requests.ConnectionError("no route to host")

    monkeypatch.setattr(requests, "get", offline)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.delitem(tiktoken.registry.ENCODINGS, "r50k_base", raising=False)
    message = (
        r"tokenizer='tiktoken:r50k_base': tiktoken could not load the encoding"
        r" \(ConnectionError\), .* set TIKTOKEN_CACHE_DIR to a copy of that folder here"
    )
    with pytest.raises(SpanwiseError, match=message):
        Cutter.of("tiktoken:r50k_base")
    assert not any(tmp_path.iterdir())


# -- packages that are not there


@pytest.mark.parametrize(
    ("asked", "package"), [("words.json", "tokenizers"), ("tiktoken:gpt2", "tiktoken")]
)
def test_a_missing_package_is_named_with_how_to_install_it(asked, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SpanwiseError) as problem:
        Cutter.of(asked)
    expected = f"tokenizer={asked!r} needs {package}; install it with: pip install {package}"
    assert str(problem.value) == expected


# -- functions


class Halves:
    def __call__(self, text):
        return [(0, len(text) // 2), (len(text) // 2, len(text))]


def test_functions_are_named_by_where_they_are():
    assert tokenizer_name(words) == "spanwise.collection.tokenizing.words"
    assert tokenizer_name(Halves()).endswith("test_tokenizing.Halves")
    assert tokenizer_name(partial(words)) == "functools.partial"
    assert tokenizer_name(Path("a/tokenizer.json")) == str(Path("a", "tokenizer.json"))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([], []),
        (iter([[0, 2], [2, 4]]), [(0, 2), (2, 4)]),
        # What marks the beginning and end of a text has no character, and costs nothing.
        ([(0, 0), (0, 4), (5, 8), (0, 0)], [(0, 4), (5, 8)]),
        ([(0, 4), (2, 6), (2, 6)], [(0, 4), (2, 6), (2, 6)]),
    ],
)
def test_what_a_function_may_return(found, expected):
    assert cut(lambda text: found, "one two.") == expected


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (None, r"returned None for document d7: expected a list of \(start, end\), both whole"),
        ("ab", "returned 'ab' for document d7: expected a list"),
        (["one", "two"], r"returned \['one', 'two'\] for document d7"),
        ([(0, 1.5)], "returned .* for document d7: expected a list"),
        ([(0, 1, 2)], "returned .* for document d7: expected a list"),
        ([(0, 1), (2,)], "returned .* for document d7: expected a list"),
        ([(0, 1), (1, 10**30)], "returned .* for document d7: expected a list"),
        ([3, 4], "returned .* for document d7: expected a list"),
        (
            [(0, 3), (4, 9)],
            r"returned token \(4, 9\) outside the text of document d7: expected 0 <= start <= end"
            r" <= 8, counting characters \(code points\)",
        ),
        ([(-1, 3)], r"returned token \(-1, 3\) outside the text"),
        ([(4, 3)], r"returned token \(4, 3\) outside the text"),
        (
            [(4, 7), (0, 3)],
            r"returned token \(0, 3\) after a later one of document d7: expected starts and ends"
            " in ascending order",
        ),
        ([(0, 7), (1, 3)], r"returned token \(1, 3\) after a later one"),
    ],
)
def test_what_a_function_may_not_return(found, message):
    def own(text):
        return found

    with pytest.raises(SpanwiseError, match=rf"the tokenizer \S+own {message}"):
        cut(own, "one two.")


def test_a_function_that_fails_keeps_its_reason():
    with pytest.raises(SpanwiseError, match="failed on document d7: ZeroDivisionError") as problem:
        cut(lambda text: 1 / 0, "one")
    assert isinstance(problem.value.__cause__, ZeroDivisionError)


# -- collections


def test_each_document_is_cut_once():
    asked = []

    def own(text):
        asked.append(text)
        return words(text)

    collection = open_collection({"a": "one two", "b": "three"}, tokenizer=own)
    for document in "abab":
        collection.tokens(document)
    assert asked == ["one two", "three"]


def test_no_more_tokens_are_kept_than_memory_holds(monkeypatch):
    monkeypatch.setattr("spanwise.collection.collection.MOST_TOKENS", 3)
    asked = []

    def own(text):
        asked.append(text)
        return words(text)

    collection = open_collection({"a": "1 2", "b": "3 4", "c": "5"}, tokenizer=own)
    for document in "abbcca":
        assert len(collection.tokens(document)[0]) == (1 if document == "c" else 2)
    assert asked == ["1 2", "3 4", "5", "1 2"]


def test_a_tokenizer_needs_texts(tmp_path):
    (tmp_path / "lengths").write_text("d1 10\n")
    message = r"tokenizer=\.\.\. cuts texts, and the collection .*lengths has none; give coll"
    with pytest.raises(SpanwiseError, match=message):
        open_collection(tmp_path / "lengths", tokenizer=words)
