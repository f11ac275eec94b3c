"""Text beside offsets is compared with the documents; hashes and lengths too."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise import evaluate
from spanwise.collection import offset_advice
from spanwise.collection.build import build
from spanwise.collection.collection import open_collection
from spanwise.collection.collection_file import CollectionFile
from spanwise.collection.resolve_text import Claim
from spanwise.collection.text_folding import fold, letters_of
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.records import replace

TEXTS = {
    "emoji": "😀 Japan and Peru",
    "windows": "one\r\ntwo\r\nthree",
    "unix": "one\ntwo\nthree",
    "mark": "\ufeffJapan",
    "accent": "Cafe\u0301 and Peru",
}
JUDGED = {"q": {"emoji": [(2, 7)]}}


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_bytes(text.encode())
    return folder


def quoting(*rows: tuple[str, int, int, str | None]) -> Run:
    """A run whose rows say which text they return."""
    documents, start, end, quotes = zip(*rows, strict=True)
    lines = list(range(1, len(rows) + 1))
    run = Run.of("r", ["q"] * len(rows), documents, start=start, end=end, file="r", line=lines)
    return replace(run, quotes=quotes)


def refusal(texts: Path, *rows: tuple[str, int, int, str | None], **settings: object) -> str:
    with pytest.raises(InputError) as refused:
        evaluate(JUDGED, quoting(*rows), ["textR"], collection=str(texts), **settings)
    return str(refused.value)


def test_quotes_that_agree_and_rows_without_one_are_fine(texts: Path) -> None:
    rows = [("emoji", 2, 7, "Japan"), ("emoji", 8, 11, None), ("unknown", 0, 3, "any")]
    scores = evaluate(JUDGED, quoting(*rows), ["textR"], collection=str(texts))
    assert scores.mean("textR") == 1.0
    assert not scores.runs[0].lenient


def test_without_texts_nothing_is_compared() -> None:
    scores = evaluate(JUDGED, quoting(("emoji", 2, 7, "wrong")), ["textR"])
    assert scores.mean("textR") == 1.0


def test_a_disagreement_shows_both_texts_and_counts(texts: Path) -> None:
    rows = [("emoji", 2, 7, "Japan"), ("emoji", 8, 11, "or\n")]
    assert refusal(texts, *rows) == (
        r"r:2: found the text 'or\n' for [8, 11) of document emoji, expected 'and', as in the"
        " collection (1 of 2 quotes disagrees); check that the offsets were computed on"
        " these documents, or use repair=True to locate the texts, or lenient=True to drop the rows"
    )


def test_long_texts_are_shown_where_they_differ(tmp_path: Path) -> None:
    (tmp_path / "emoji.txt").write_text("x" * 500 + "right" + "y" * 500)
    message = refusal(tmp_path, ("emoji", 0, 1005, "x" * 500 + "wrong" + "y" * 500))
    assert f"...'{'x' * 15}wrong{'y' * 20}'..." in message
    assert f"...'{'x' * 15}right{'y' * 20}'..." in message


@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        (
            [("emoji", 3, 8, "Japan"), ("emoji", 13, 17, "Peru"), ("unix", 0, 3, "one")],
            "3 of 3 quotes match with utf16: use unit='utf16'",
        ),
        (
            [("emoji", 5, 10, "Japan"), ("emoji", 15, 19, "Peru"), ("emoji", 2, 3, "?")],
            "2 of 3 quotes match with byte: use unit='byte'",
        ),
        (
            [("windows", 4, 7, "two"), ("windows", 4, 9, "two\nt")],
            "2 of 2 quotes match if CRLF is read as LF: their offsets are shifted by the number of"
            " line ends before them, as when a file is read with newline translation",
        ),
        (
            [("unix", 5, 8, "two"), ("unix", 0, 8, "one\r\ntwo")],
            "2 of 2 quotes match if LF is read as CRLF: their offsets are shifted",
        ),
        (
            [("windows", 4, 9, "two\n  t"), ("windows", 8, 11, "thr")],
            "2 of 2 quotes match if CRLF is read as LF: their offsets are shifted",
        ),
        (
            [("mark", 0, 5, "Japan")],
            "1 of 1 quote matches without the byte order mark: add 1 to the offsets of documents"
            " that begin with one, or use repair=True",
        ),
        (
            [("accent", 9, 13, "Peru"), ("accent", 0, 4, "Caf\u00e9"), ("emoji", 2, 4, "?")],
            "2 of 3 quotes match if the documents are normalised to NFC: compute the offsets on the"
            " documents as they are, or use repair=True",
        ),
    ],
)
def test_what_would_make_quotes_agree_is_said(
    texts: Path, rows: list[tuple[str, int, int, str]], advice: str
) -> None:
    assert advice in refusal(texts, *rows)


def test_line_ends_are_no_disagreement(texts: Path) -> None:
    rows = [("emoji", 2, 7, "Japan"), ("windows", 0, 8, "one\ntwo"), ("windows", 0, 8, "one two")]
    scores = evaluate(JUDGED, quoting(*rows), ["textR"], collection=str(texts))
    note = "2 texts agree with their ranges when white space and punctuation forms are ignored"
    assert note in str(scores)


@given(st.text("ab `'\"\n\x1c\x7f\u00a0“’ﬁé\u0301", max_size=12))
def test_letters_are_those_of_the_folding(text: str) -> None:
    assert letters_of(text) == fold(text).text


def test_advice_takes_bounded_time() -> None:
    """Of many wrong texts only some are looked for nearby."""
    text = "".join(map(chr, range(0x4E00, 0x9000)))
    claims = [Claim("d", at + 5, at + 25, text[at : at + 20]) for at in range(10_000)]
    wrong = {number: text[claim.start : claim.end] for number, claim in enumerate(claims)}
    documents = open_collection({"d": text})
    found: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        shifts = offset_advice._shifts
        patch.setattr(offset_advice, "_shifts", lambda *each: found.append(1) or shifts(*each))
        said = offset_advice.advice(claims, wrong, documents, "codepoint", len(claims))
    assert said.startswith("10,000 of 10,000 quotes match if moved by -5: ")
    assert 100 <= len(found) <= 200


def test_leniently_rows_that_disagree_are_dropped_and_counted(texts: Path) -> None:
    rows = [("emoji", 2, 7, "Peru!"), ("emoji", 2, 4, "Ja")]
    run = quoting(*rows)
    scores = evaluate(JUDGED, run, ["textR"], collection=str(texts), lenient=True)
    assert scores.mean("textR") == 2 / 5
    assert scores.runs[0].lenient
    assert "1 faulty line of r (quote 1) was dropped" in map(str, scores.runs[0].notes)


# -- assessments


def judging(*rows: tuple[str, int, int, str | None]) -> Judgements:
    judgements = Judgements(Faults("judged"))
    for line, (document, start, end, quote) in enumerate(rows, start=1):
        judgements.add_range("q", document, start, end, line=line, quote=quote)
    return judgements


ANSWER = {"q": {"emoji": [(2, 7)]}}


def test_quotes_of_assessments_are_compared_with_their_lines(texts: Path) -> None:
    judged = judging(("emoji", 2, 7, "Japan"), ("emoji", 3, 8, "Japan")).build()
    with pytest.raises(InputError, match=r"judged:2: found the text 'Japan' for \[3, 8\)"):
        evaluate(judged, ANSWER, ["textR"], collection=str(texts))


def test_leniently_judgements_that_disagree_are_dropped(texts: Path) -> None:
    judgements = judging(("emoji", 2, 7, "Japan"), ("emoji", 8, 11, "or"), ("unix", 0, 3, "two"))
    judgements.judge("q", "windows", 0)
    judged = judgements.build()
    scores = evaluate(judged, ANSWER, ["textR", "R@5"], collection=str(texts), lenient=True)
    assert (scores.mean("textR"), scores.mean("R@5")) == (1.0, 1.0)
    assert scores.runs[0].lenient
    assert any("quote 2" in str(note) for note in scores.notes)


@pytest.mark.parametrize("spelled", [str.upper, str.lower])
def test_hashes_of_documents_are_compared(texts: Path, spelled: object) -> None:
    judgements = judging(("emoji", 2, 7, None))
    for name in ("emoji", "unix"):
        digest = hashlib.sha256(TEXTS[name].encode()).hexdigest()
        judgements.add_document(name, len(TEXTS[name]), spelled(digest))  # type: ignore[operator]
    judgements.add_document("elsewhere", 5, "0" * 64)
    judged = judgements.build()
    assert evaluate(judged, ANSWER, ["textR"], collection=str(texts)).mean("textR") == 1.0
    (texts / "unix.txt").write_text("one\ntwo\nthrew")
    with pytest.raises(InputError, match=r"judged: found sha256 .* of document unix, expected"):
        evaluate(judged, ANSWER, ["textR"], collection=str(texts))


# -- built collections


@pytest.mark.parametrize("change", ["length + 1", "length - 1", "-1", "'many'"])
def test_a_recorded_length_that_is_not_that_of_the_text_is_refused(
    texts: Path, tmp_path: Path, change: str
) -> None:
    target = tmp_path / "texts.span"
    build([texts], target)
    with sqlite3.connect(target) as connection:
        connection.execute(f"UPDATE documents SET length = {change} WHERE name = 'unix'")
    connection.close()
    with pytest.raises(InputError, match=r"damaged collection file \(.*document .?unix"):
        evaluate(JUDGED, ANSWER, ["AP"], collection=str(target))
    build([texts], target)
    assert CollectionFile(target).length("unix") == len(TEXTS["unix"])
