"""What looks like a mistake in a run as a whole is refused or noted, whatever its blocks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from spanwise import check, evaluate
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError, PolicyError, spoken
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.guards import spellings
from spanwise.measures.grammar import asked_for
from spanwise.records import replace

JUDGED = {"q1": {"a.md": [(0, 10)]}, "q2": {"b.md": [(0, 10)]}}


def run_of(answers: list[tuple[str, str]], **columns: object) -> Run:
    """A run of ranges of ten characters."""
    topics, documents = zip(*answers, strict=True)
    places = {"start": [0] * len(answers), "end": [10] * len(answers), **columns}
    return Run.of("r", topics, documents, file="r.jsonl", **places)  # type: ignore[arg-type]


def notes_of(run: Run, judged: object = JUDGED, **settings: object) -> tuple[str, ...]:
    return texts(evaluate(judged, run, ["textR"], **settings).runs[0].notes)


def texts(notes: Iterable[Note]) -> tuple[str, ...]:
    return tuple(note.said("command line") for note in notes)


def said(notes: Iterable[Note | str], words: str) -> list[Note | str]:
    return [note for note in notes if words in str(note)]


# -- order


def test_distances_rank_the_smallest_first_and_that_is_said() -> None:
    answers = [("q1", "x.md"), ("q1", "a.md"), ("q1", "b.md")]
    run = run_of(answers, score=[0.9, 0.1, 0.9], order="ascending")
    scores = evaluate(JUDGED, run, ["RR"])
    assert scores.runs[0].values[0, 0] == 1.0
    notes = texts(scores.runs[0].notes)
    assert "scores are distances: smallest first" in notes
    assert "2 answers have tied scores; ordered by place in the file" in notes
    assert not said(notes, "contradicts")


def test_distances_stay_distances_where_an_order_by_score_is_asked_for() -> None:
    run = run_of([("q1", "x.md"), ("q1", "a.md")], score=[0.9, 0.1], order="ascending")
    scores = evaluate(JUDGED, run, ["RR"], order="score")
    assert scores.runs[0].values[0, 0] == 1.0
    assert "scores are distances: smallest first" in texts(scores.runs[0].notes)


def test_any_scores_can_be_ranked_ascending() -> None:
    run = run_of([("q1", "x.md"), ("q1", "a.md")], score=[0.9, 0.1], order="score")
    assert evaluate(JUDGED, run, ["RR"]).runs[0].values[0, 0] == 0.5
    scores = evaluate(JUDGED, run, ["RR"], order="ascending")
    assert scores.runs[0].values[0, 0] == 1.0
    assert not said(scores.runs[0].notes, "distances")


@pytest.mark.parametrize(("order", "what"), [("score", "scores"), ("rank", "ranks")])
def test_an_order_that_the_run_cannot_have_is_said(order: str, what: str) -> None:
    notes = notes_of(run_of([("q1", "a.md")]), order=order)
    assert f"answers have no {what} to order by; ranked in file order" in notes


def test_neither_rank_nor_score_is_said() -> None:
    note = "answers have neither rank nor score; ranked in file order"
    answers = [("q1", "a.md"), ("q2", "b.md")]
    assert note in notes_of(run_of(answers))
    assert note not in notes_of(run_of(answers), order="file")
    assert note not in notes_of(run_of(answers, rank=[1, 1], order="rank"))
    assert note not in notes_of(run_of(answers, rank=[1, 1], score=[1, 1]))


# -- scores that rise


def rising(topics: int, of: int, size: int = 3) -> tuple[list[tuple[str, str]], list[float]]:
    """So many topics whose scores rise, of so many."""
    answers = [(f"t{n:02}", f"{m}.md") for n in range(of) for m in range(size)]
    steps = [1 if n < topics else -1 for n in range(of)]
    return answers, [float(step * m) for step in steps for m in range(size)]


def rising_notes(topics: int, of: int, **columns: object) -> list[str]:
    answers, score = rising(topics, of)
    judged = {f"t{n:02}": {"0.md": [(0, 10)]} for n in range(of)}
    run = run_of(answers, score=score, **{"order": "score", **columns})
    return said(notes_of(run, judged), "look like distances")


def test_scores_that_rise_in_nine_topics_of_ten_look_like_distances() -> None:
    (note,) = rising_notes(9, 10)
    assert note == (
        "warning: scores rise down the file in 9 of 10 topics; these look like distances: use"
        " --order file, or --order ascending"
    )
    assert not rising_notes(8, 9)
    assert rising_notes(18, 20)
    assert not rising_notes(17, 19)


def test_ranks_say_that_rising_scores_are_meant() -> None:
    assert not rising_notes(10, 10, rank=[1, 2, 3] * 10, order="rank")
    assert not rising_notes(10, 10, rank=[1, 2, 3] * 10, order="score, then document")


def test_scores_of_two_answers_and_equal_scores_say_nothing() -> None:
    answers, score = rising(10, 10, size=2)
    judged = {f"t{n:02}": {"0.md": [(0, 10)]} for n in range(10)}
    assert not said(notes_of(run_of(answers, score=score, order="score"), judged), "distances")
    level = run_of(rising(1, 1)[0], score=[1.0, 1.0, 1.0], order="score")
    assert not said(notes_of(level, judged), "distances")


def test_rising_topics_are_counted_over_all_blocks() -> None:
    judged = Judgements(Faults("judged"))
    for n in range(10):
        judged.add_range(f"t{n:02}", "0.md", 0, 10)
    answers, score = rising(9, 10)
    run = run_of(answers, score=score, order="score")
    collector = Evaluation(judged.build(), (asked_for("textR"),)).collector("r")
    for topic in reversed(run.topics):
        collector.add(run.only({topic}))
        assert not said(collector.notes.values(), "distances") or topic == "t00"
    assert said(collector.finish().notes, "in 9 of 10 topics")


# -- answers without ranges


def test_answers_without_a_range_are_counted() -> None:
    extent = [Extent.RANGE, Extent.WHOLE, Extent.NOTHING]
    run = run_of([("q1", "a.md"), ("q1", "b.md"), ("q1", "c.md")], extent=extent)
    judged = {"q1": {"a.md": [(0, 10)]}}
    notes = texts(evaluate(judged, run, ["AP"]).runs[0].notes)
    assert "1 of 3 answers has no range; scored as whole documents" in notes
    whole = replace(run, several_per_document=False)
    assert not said(evaluate(judged, whole, ["AP"]).runs[0].notes, "no range")


# -- names


def strangers(count: int, prefix: str = "/data/docs/", topic: str = "q1") -> Run:
    """A run of so many answers, none of them in a judged document."""
    names = ["a", *(f"z{n}" for n in range(1, count))]
    return run_of(
        [(topic, f"{prefix}{name}.md") for name in names], score=list(range(count, 0, -1))
    )


def test_a_run_of_twenty_unknown_documents_is_refused_with_both_spellings() -> None:
    with pytest.raises(InputError) as refused:
        evaluate(JUDGED, strangers(20), ["textR"])
    assert refused.value.said("command line") == (
        "r.jsonl: found no document of the assessments or the collection in 20 answers, expected"
        " the names of the assessments or the collection (run: /data/docs/a.md, assessments:"
        " a.md); drop the folders from the names in the run"
    )


def test_a_shorter_run_of_unknown_documents_is_scored_and_noted() -> None:
    (note,) = said(notes_of(strangers(19)), "no document")
    assert note == (
        "no document of the run is in the assessments or the collection: run: /data/docs/a.md,"
        " assessments: a.md; drop the folders from the names in the run"
    )


def test_one_known_document_is_enough_wherever_it_is_known() -> None:
    known = {**JUDGED, "q3": {"/data/docs/z19.md": []}}
    assert not said(notes_of(strangers(20), known), "no document")
    judgements = Judgements(Faults("judged"))
    judgements.add_range("q1", "a.md", 0, 10)
    judgements.add_document("/data/docs/z19.md", 100)
    assert not said(notes_of(strangers(20), judgements.build()), "no document")


def test_topics_that_nobody_assessed_are_refused_with_both_spellings() -> None:
    with pytest.raises(InputError, match=r"run: Q1, assessments: q1\); use the same upper"):
        evaluate(JUDGED, strangers(20, prefix="", topic="Q1"), ["textR"])
    (note,) = said(notes_of(strangers(19, prefix="", topic="Q1")), "no topic of the run")
    assert "run: Q1, assessments: q1" in note


def test_a_part_of_a_run_may_share_no_name() -> None:
    judged = Judgements(Faults("judged"))
    judged.add_range("q1", "a.md", 0, 10)
    evaluation = Evaluation(judged.build(), (asked_for("textR"),), strangers="note")
    collector = evaluation.collector("part")
    collector.add(strangers(30))
    assert said(collector.finish().notes, "no document of the run")


def test_names_are_compared_over_all_blocks() -> None:
    judged = Judgements(Faults("judged"))
    judged.add_range("q1", "a.md", 0, 10)
    judged.add_range("q2", "b.md", 0, 10)
    collector = Evaluation(judged.build(), (asked_for("textR"),)).collector("r")
    collector.add(strangers(30))
    collector.add(run_of([("q2", "b.md")], score=[1.0]))
    assert not said(collector.finish().notes, "no document")


def test_some_topics_only_are_no_reason_to_refuse_a_run() -> None:
    answers = [("q1", f"z{n}.md") for n in range(20)] + [("q2", "b.md")]
    notes = notes_of(run_of(answers), topics=["q1"])
    assert said(notes, "no document of the run")


@pytest.mark.parametrize(
    ("run", "assessments", "remedy"),
    [
        ("docs/a.md", "a.md", "drop the folders from the names in the run"),
        (r"C:\docs\a.md", "a.md", "drop the folders from the names in the run"),
        ("a.md", "docs/a.md", "drop the folders from the names in the assessments"),
        ("a.md", "a", "drop the extension from the names in the run"),
        ("a", "a.md", "drop the extension from the names in the assessments"),
        ("docs/a.md", "a", "drop the folders and the extension from the names in the run"),
        ("x/a.md", "y/a.md", "use the same folders in both"),
        ("a.txt", "a.md", "use the same extension in both"),
        ("A.md", "a.md", "use the same upper and lower case in both"),
        ("051", "51", "use the same leading zeros in both"),
        (
            "d7#3",
            "d7",
            "drop '#3' from the names in the run, or give chunks=... if these are chunks",
        ),
        ("7", "q7", "drop 'q' from the names in the assessments"),
        ("d12", "2", "check that run and assessments are about the same documents"),
        ("one", "two", "check that run and assessments are about the same documents"),
    ],
)
def test_the_obvious_fix_is_named(run: str, assessments: str, remedy: str) -> None:
    found = spellings(["other", run], ["unlike", assessments], "documents")
    assert spoken(found.remedy, "python") == remedy
    if not remedy.startswith("check"):
        assert (found.run, found.other) == (run, assessments)


# -- assessments


def test_overlapping_relevant_ranges_are_united_and_counted() -> None:
    judged = {"q1": {"a.md": [(0, 10), (5, 20), (20, 30), (0, 10)], "b.md": [(0, 10)]}}
    scores = evaluate(judged, run_of([("q1", "a.md")]), ["textR"])
    assert scores.runs[0].values[0, 0] == 10 / 40
    assert (
        "3 relevant ranges overlap another of the same topic and document; every character counts"
        " once"
    ) in texts(scores.notes)


def test_ranges_that_only_touch_or_are_not_relevant_do_not_overlap() -> None:
    judgements = Judgements(Faults("judged"))
    judgements.add_range("q1", "a.md", 0, 10)
    judgements.add_range("q1", "a.md", 10, 20)
    judgements.add_range("q1", "a.md", 5, 15, grade=0)
    judgements.add_range("q2", "a.md", 0, 10)
    scores = evaluate(judgements.build(), run_of([("q1", "a.md")]), ["textR"])
    assert not said(scores.notes, "overlap")


@pytest.mark.parametrize("lenient", [False, True])
def test_a_relevant_document_of_length_0_is_refused(lenient: bool) -> None:
    judgements = Judgements(Faults("judged.jsonl"))
    judgements.judge("q1", "a.md", 1)
    judgements.judge("q1", "b.md", 1)
    judgements.add_document("a.md", 0)
    judgements.add_document("b.md", 5)
    message = r"judged.jsonl: found relevant document a.md \(topic q1\) of length 0, expected a"
    with pytest.raises(InputError, match=message):
        evaluate(judgements.build(), run_of([("q1", "b.md")]), ["AP"], lenient=lenient)


# -- overlap that is refused


def test_the_lower_ranked_of_two_overlapping_answers_is_refused_with_both() -> None:
    answers = [("q1", "a.md"), ("q1", "c.md"), ("q1", "a.md")]
    places = {"start": [5, 0, 0], "end": [15, 10, 10], "line": [1, 2, 3]}
    run = run_of(answers, score=[1, 2, 3], order="score", **places)
    with pytest.raises(PolicyError) as refused:
        evaluate(JUDGED, run, ["textR"], overlap="error")
    assert refused.value.said("command line") == (
        "r.jsonl:1: found [5, 15) of document a.md for topic q1, expected text that no"
        " better-ranked answer returns ([0, 10) is at r.jsonl:3) (--overlap error); keep one of the"
        " two, or use --overlap union"
    )


# -- documents that come back


@pytest.mark.parametrize(
    ("documents", "count"),
    [("aabb", 0), ("abab", 2), ("abaa", 2), ("aba", 1), ("abcab", 2), ("aab", 0)],
)
def test_answers_of_a_document_that_comes_back_are_counted(documents: str, count: int) -> None:
    judged = {"q1": {f"{name}.md": [(0, 10)] for name in "abc"}}
    run = run_of([("q1", f"{name}.md") for name in documents])
    notes = {note.kind: note.count for note in evaluate(judged, run, ["AgP"]).runs[0].notes}
    assert notes.get("joined", 0) == count


HUGE = 4_700_000_000_000_000_000


def test_so_much_text_that_sums_would_wrap_is_refused() -> None:
    gold = {"q": {"d1": [(0, 100)]}}
    run = {"q": [("d1", 0, HUGE, 2.0), ("d2", 0, HUGE, 1.0)]}
    with pytest.raises(InputError, match=r"answers of topic q with more than 2\^56 characters"):
        evaluate(gold, run, "textP")
    wide = {"q": {"d1": [(0, HUGE)], "d2": [(0, HUGE)]}}
    with pytest.raises(InputError, match=r"more than 2\^56 relevant characters for topic q"):
        evaluate(wide, {"q": [("d1", 0, 5, 1.0)]}, "AiP")


def test_check_finds_too_much_text(tmp_path: Path) -> None:
    lines = (f"q Q0 d{number} {number} {9 - number} s 0 {HUGE}\n" for number in (1, 2))
    (tmp_path / "run.fol").write_text("".join(lines))
    [fault] = check(tmp_path / "run.fol").faults
    assert "more than 2^56 characters" in fault.found


def test_ranges_far_out_are_fine_as_long_as_they_are_short() -> None:
    far = 2**63 - 100
    scores = evaluate(
        {"q": {"d1": [(far, far + 10)]}}, {"q": [("d1", far + 5, far + 15, 1.0)]}, "textR"
    )
    assert scores.mean("textR") == 0.5
