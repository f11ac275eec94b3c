"""Offsets in UTF-16 units and bytes, brought to code points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.collection.collection import open_collection
from spanwise.collection.resolve_units import assessments_in_codepoints, run_in_codepoints
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import FaultyInput
from spanwise.text.units import codepoints_from

ENCODINGS = {"utf16": ("utf-16-le", 2), "byte": ("utf-8", 1), "codepoint": ("utf-32-le", 4)}
UNITS = st.sampled_from(sorted(ENCODINGS))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def units_before(text, place, unit):
    """The slow twin: encode what stands before."""
    encoding, size = ENCODINGS[unit]
    return len(text[:place].encode(encoding)) // size


def test_the_example_of_the_documentation():
    text = "a😀b"
    for unit, offsets in {"codepoint": [0, 1, 2], "utf16": [0, 1, 3], "byte": [0, 1, 5]}.items():
        assert codepoints_from(text, offsets, unit).tolist() == [0, 1, 2]
        assert codepoints_from(text, [units_before(text, 3, unit)], unit).tolist() == [3]


@settings(deadline=None)
@given(TEXTS, UNITS)
def test_every_place_of_a_text(text, unit):
    places = list(range(len(text) + 1))
    offsets = [units_before(text, place, unit) for place in places]
    assert codepoints_from(text, np.array(offsets), unit).tolist() == places


@settings(deadline=None)
@given(TEXTS, UNITS, st.integers(-3, 200))
def test_an_offset_at_no_character_is_refused(text, unit, offset):
    known = {units_before(text, place, unit): place for place in range(len(text) + 1)}
    if offset in known:
        assert codepoints_from(text, [offset], unit).tolist() == [known[offset]]
    else:
        with pytest.raises(ValueError, match=f"offset {offset} "):
            codepoints_from(text, [0, offset], unit)


@pytest.mark.parametrize(
    ("unit", "offset", "message"),
    [
        ("utf16", 2, "offset 2 inside the character at code point 1 .position 1"),
        ("byte", 4, "offset 4 inside the character at code point 1"),
        ("utf16", 5, "offset 5 outside the text, which has 4 units"),
        ("byte", -1, "offset -1 outside"),
    ],
)
def test_the_message_says_where(unit, offset, message):
    with pytest.raises(ValueError, match=message):
        codepoints_from("a😀b", [0, offset], unit)


def test_an_unknown_unit_is_refused():
    with pytest.raises(ValueError, match="unknown unit 'words'"):
        codepoints_from("ä", [0], "words")


# -- whole runs and assessments


@pytest.fixture
def collection(tmp_path):
    (tmp_path / "d1.txt").write_text("a😀b", encoding="utf-8")
    (tmp_path / "d2.txt").write_text("äöü plain", encoding="utf-8")
    return open_collection(tmp_path)


def test_a_run_in_code_points(collection):
    extent = [Extent.RANGE, Extent.WHOLE, Extent.RANGE, Extent.POINT]
    made = Run.of(
        "r",
        ["q", "q", "p", "q"],
        ["d1", "zzz", "d2", "d2"],
        start=[1, 0, 2, 4],
        end=[5, 0, 12, 4],
        extent=extent,
        line=[1, 2, 3, 4],
    )
    run = run_in_codepoints(made, "byte", collection, Faults("run"))
    assert run.start.tolist() == [1, 0, 2, 1]
    assert run.end.tolist() == [2, 0, 2, 9]
    assert run.documents.strings() == ["d1", "zzz", "d2", "d2"]
    assert run_in_codepoints(made, "codepoint", collection, Faults("run")) is made


def test_answers_that_cannot_be_converted_are_refused_with_their_lines(collection):
    made = Run.of(
        "r",
        ["q"] * 4,
        ["d1", "zzz", "d1", "d1"],
        start=[0, 0, 2, 0],
        end=[4, 5, 3, 9],
        line=[5, 6, 7, 8],
    )
    with pytest.raises(FaultyInput) as problem:
        run_in_codepoints(made, "utf16", collection, Faults("run"))
    assert [(fault.line, fault.rule) for fault in problem.value.faults] == [
        (6, "unit"),
        (7, "unit"),
        (8, "unit"),
    ]
    assert "inside the character" in problem.value.faults[1].found
    run = run_in_codepoints(made, "utf16", collection, Faults("run", lenient=True))
    assert (run.line.tolist(), run.end.tolist()) == ([5], [3])


def judged(**extra):
    judgements = Judgements(Faults("made"))
    judgements.add_range("q", "d1", 1, 5, 2, ["A"])
    judgements.add_range("q", "d2", 2, 8)
    judgements.add_entry_point("q", "d1", 5)
    judgements.judge("p", "d1", 0)
    judgements.judge("p", "d2", 1)
    judgements.add_document("d2", 12, "0" * 64)
    if extra:
        judgements.add_range("q", **extra)
    return judgements.build()


def test_assessments_in_code_points(collection):
    made = assessments_in_codepoints(judged(), "byte", collection, Faults("made"))
    assert made.documents.strings() == ["d1", "d2", "d1", "d2"]
    assert made.relevant.to_lists() == [[], [(0, 9)], [(1, 2)], [(1, 5)]]
    assert made.whole.tolist() == [False, True, False, False]
    assert made.grade.tolist() == [0, 1, 2, 1]
    assert made.entry_point.tolist() == [2]
    assert made.passages.aspects == (("A",), ())
    assert (made.lengths, made.hashes) == ({"d2": 9}, {"d2": "0" * 64})


@pytest.mark.parametrize("where", [("d1", 0, 4), ("zzz", 0, 4)])
def test_judgements_that_cannot_be_converted_are_refused(collection, where):
    made = judged(**dict(zip(("document", "start", "end"), where, strict=True)))
    with pytest.raises(FaultyInput) as problem:
        assessments_in_codepoints(made, "byte", collection, Faults("made"))
    (fault,) = problem.value.faults
    assert where[0] in fault.found
    lenient = assessments_in_codepoints(made, "byte", collection, Faults("made", lenient=True))
    assert len(lenient.passages.pair) == 2
