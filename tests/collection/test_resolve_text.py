"""Text as ranges: the same as if the ranges had been given, and as a search by hand finds them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import evaluate
from spanwise.collection.collection import open_collection
from spanwise.collection.locate import Locator
from spanwise.collection.resolve_text import (
    TextSearch,
    assessments_with_places,
    chunks_with_places,
    run_with_places,
)
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements, merged
from spanwise.data.notes import Faults, Note, grouped
from spanwise.data.quoted import Quoted
from spanwise.data.run import Extent, Run
from spanwise.errors import FaultyInput, NeedError
from spanwise.evaluation.align import align
from spanwise.evaluation.policy import Notes, Policy
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.memory import assessments_from, run_from
from spanwise.formats.reading import read_assessments
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.records import replace


def search(texts: dict[str, str], *, lenient: bool = False) -> TextSearch:
    documents = open_collection(texts, None)
    return TextSearch(Locator(documents), documents, Faults("file", lenient=lenient))


def ranges(run: Run) -> list[tuple[str, int, int]]:
    assert (run.extent == Extent.RANGE).all()
    return [*zip(run.documents.strings(), run.start.tolist(), run.end.tolist(), strict=True)]


# -- the same as ranges

WORDS = [f"w{number}é" for number in range(200)]


@st.composite
def passages(draw):
    """Documents of words that are all different, and ranges of whole words in them."""
    cuts = sorted(draw(st.sets(st.integers(1, 199), min_size=1, max_size=4)))
    texts = {
        f"d{number}": " ".join(WORDS[begin:end])
        for number, (begin, end) in enumerate(zip([0, *cuts], [*cuts, 200], strict=True))
    }
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        document = draw(st.sampled_from(sorted(texts)))
        places = [place for place, _ in enumerate(texts[document].split(" "))]
        first, last = sorted(draw(st.tuples(*2 * [st.sampled_from(places)])))
        words = texts[document].split(" ")
        start = len(" ".join([*words[:first], ""])) if first else 0
        end = start + len(" ".join(words[first : last + 1]))
        rows.append((document, start, end))
    return texts, rows


@settings(deadline=None)
@given(passages(), st.booleans(), st.booleans())
def test_text_scores_as_its_range_does(made, named, of_gold):
    texts, rows = made
    placed = [
        {"topic": "q", "document": document, "start": start, "end": end}
        for document, start, end in rows
    ]
    quoted = [
        {
            "topic": "q",
            "text": texts[document][start:end],
            **({"document": document} if named else {}),
        }
        for document, start, end in rows
    ]
    half = max(len(rows) // 2, 1)
    gold, run = (quoted, placed) if of_gold else (placed, quoted)
    measures = ["textR", "textP", "AgP"]
    ranked = [{**row, "rank": number} for number, row in enumerate(run[half:] or run, start=1)]
    other = [{**row, "rank": number} for number, row in enumerate(placed[half:] or placed, start=1)]
    found = evaluate(gold[:half], ranked, measures, collection=texts)
    expected = evaluate(placed[:half], other, measures, collection=texts)
    for measure in measures:
        assert found.mean(measure) == expected.mean(measure)


# -- runs


def test_answers_become_ranges_and_others_stay():
    rows = [
        {"topic": "q", "text": "two", "score": 3},
        {"topic": "q", "document": "b", "score": 2},
        {"topic": "p", "document": "a", "start": 0, "end": 2, "score": 1},
        {"topic": "q", "document": "a", "start": -1, "text": "three", "score": 1},
    ]
    (run,) = run_from(rows)
    found = run_with_places(run, search({"a": "one two three", "b": "four"}))
    assert found.topics == ("q", "p")
    assert found.documents.strings() == ["a", "b", "a", "a"]
    assert found.extent.tolist() == [Extent.RANGE, Extent.WHOLE, Extent.RANGE, Extent.RANGE]
    assert (found.start.tolist(), found.end.tolist()) == ([4, 0, 8, 0], [7, 0, 13, 2])
    assert run.extent.tolist()[0] == Extent.TEXT, "the run that was given is not changed"


def test_what_is_nowhere_is_dropped_leniently():
    rows = [{"topic": "q", "text": text} for text in ("two", "zero", "one")]
    (run,) = run_from(rows)
    with pytest.raises(FaultyInput, match="file:2: found the text 'zero'"):
        run_with_places(run, search({"a": "one two"}))
    found = run_with_places(run, search({"a": "one two"}, lenient=True))
    assert ranges(found) == [("a", 4, 7), ("a", 0, 3)]


def test_runs_of_one_file_are_counted_together():
    rows = [{"topic": "q", "text": "two", "run": name} for name in ("x", "y", "y")]
    looking = search({"a": "one two"})
    for run in run_from(rows):
        run_with_places(run, looking)
    assert looking.faults.notes == [Note("located answers", 3)]


def test_text_that_is_not_located_cannot_be_aligned():
    (run,) = run_from([{"topic": "q", "text": "two"}])
    judged = assessments_from({"q": {"a": [(0, 3)]}})
    with pytest.raises(NeedError, match="text without a range has to be located first"):
        align(run, judged, Policy(), Notes())


# -- tables of chunks


def test_a_table_keeps_its_ids_and_its_order():
    looking = search({"a": "x one x two x", "b": "x three"})
    table = replace(
        ChunkTable.of([("", 0, 0, "1"), ("a", 0, 0, "2"), ("b", 0, 1, "3"), ("", 0, 0, "4")]),
        quotes=("one", "x", None, "x"),
    )
    assert table.unplaced.tolist() == [True, True, False, True]
    found = chunks_with_places(table, looking, "codepoint")
    assert found.find("1") == ("a", 2, 5)
    assert found.find("2") == ("a", 6, 7)
    assert found.find("3") == ("b", 0, 1)
    assert not found.unplaced.any()


def test_repeated_text_after_a_chunk_that_its_splitter_lost_is_found_by_order():
    # LangChain wrote -1 for the third chunk, and then looked for the last from the beginning.
    looking = search({"a": "same. two. three.  same.", "b": "same. same."})
    rows = [("a", 0, 5), ("a", 6, 10), ("a", -1, 0), ("a", 0, 5), ("b", 6, 11)]
    table = replace(ChunkTable.of(rows), quotes=("same.", "two.", "two. three.", "same.", "same."))
    found = chunks_with_places(table, looking, "codepoint")
    assert found.start.tolist() == [0, 6, 6, 19, 6]
    assert found.end.tolist() == [5, 10, 17, 24, 11]
    assert Note("wrong occurrences", 1) in looking.faults.notes


def test_chunks_that_are_nowhere_are_dropped_leniently():
    table = replace(ChunkTable.of([("", 0, 0, "1"), ("", 0, 0, "2")]), quotes=("one", "zero"))
    found = chunks_with_places(table, search({"a": "one"}, lenient=True), "codepoint")
    assert (len(found), found.find("1"), found.find("2")) == (1, ("a", 0, 3), None)


# -- assessments


def judging(*quoted: Quoted) -> Assessments:
    judgements = Judgements(Faults("judged"))
    judgements.judge("q", "c", 0)
    judgements.add_range("q", "a", 0, 3, 2, ("A",))
    for each in quoted:
        judgements.add_quoted(each)
    return judgements.build()


def test_quoted_text_becomes_ranges_beside_what_is_there():
    judged = judging(Quoted("q", "a", "two", 3, ("B",)), Quoted("p", None, "four", 0))
    found = assessments_with_places(judged, search({"a": "one two", "b": "four"}), "error")
    assert found.quoted == ()
    assert found.topics == ("p", "q")
    assert found.passages.grade.tolist() == [2, 3, 0]
    assert found.passages.aspects == (("A",), ("B",), ())
    assert found.relevant.to_lists() == [[], [(0, 3), (4, 7)], []]
    assert found.grade.tolist() == [0, 3, 0]


def test_ranges_and_quotes_keep_the_order_of_their_file(tmp_path: Path):
    rows = [
        {"topic": "q", "document": "d", "text": "four"},
        {"topic": "q", "document": "d", "start": 4, "end": 7},
        {"topic": "q", "document": "d", "text": "one"},
        {"topic": "q", "document": "d", "start": 9, "end": 12, "text": "three"},
    ]
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    session = Session(Settings(collection={"d": "one two three four"}, repair=True))
    passages = session.assessments(gold).passages
    assert passages.start.tolist() == [14, 4, 0, 8]
    assert passages.line is not None
    assert passages.line.tolist() == [1, 2, 3, 4]


def test_a_judgement_that_contradicts_quoted_text_is_found():
    judged = judging(Quoted("q", "c", "three", line=7))
    with pytest.raises(FaultyInput, match="file:7: found a relevant range in document c"):
        assessments_with_places(judged, search({"c": "three"}), "error")


def test_quoted_text_survives_whatever_happens_to_assessments(tmp_path: Path):
    first, second = Quoted("q", "a", "two", 2, ("A",), 3, 17), Quoted("p", None, "one")
    judged = judging(first, second)
    assert pickle.loads(pickle.dumps(judged)).quoted == (first, second)
    assert judged.only({"p"}).quoted == (second,)
    assert judged.with_lengths({"a": 9}).quoted == (first, second)
    again = Judgements(Faults("again"))
    again.add_all(judged)
    assert again.build().quoted == (first, second)
    both = merged([judged, judging(second)], Faults("both")).quoted
    assert both == (replace(first, line=None), second, second)
    for name in ("1", "2"):
        (tmp_path / f"{name}.jsonl").write_text('{"topic": "q", "text": "two", "grade": 1}\n')
    assert len(read_assessments(tmp_path).quoted) == 2


# -- notes


def test_similar_text_has_a_note_for_each_row_and_is_shown_as_one():
    notes = [Note("similar", names=(f"line {n}",), about="run.jsonl") for n in range(1, 9)]
    [note] = grouped(notes)
    assert (note.count, len(note.names)) == (8, 6)
    assert "8 texts are not in the documents" in str(note)
    assert "(line 1, line 2, line 3, line 4, line 5, ...)" in str(note)
    assert len(grouped([*notes, replace(notes[0], about="other.jsonl")])) == 2


def test_what_is_counted_twice_is_added():
    faults = Faults("run")
    for note in (Note("folded", 2), Note("repaired", 1), Note("folded", 3)):
        faults.tally(note)
    assert faults.notes == [Note("folded", 5), Note("repaired", 1)]
