"""The first screen as values: chips, what is found at which cost, the weakest topics."""

from __future__ import annotations

from typing import Any

import pytest

import spanwise
from spanwise.reporting.first_screen import Chips, FoundAgainstCost, TwoCharts, WeakTopics
from spanwise.reporting.output import Headline
from spanwise.reporting.report import ReportResult
from spanwise.reporting.report_chips import _rounded

Ranges = list[tuple[int, int]]


def judged(topics: int, relevant: Ranges) -> dict[str, Any]:
    return {f"q{n:02}": {f"d{n}": relevant} for n in range(topics)}


def answers(topics: int, start: int, end: int) -> dict[str, Any]:
    return {f"q{n:02}": [(f"d{n}", start, end, 1.0)] for n in range(topics)}


def made(assessments: Any, runs: Any, measures: Any = "AgP", **keywords: Any) -> ReportResult:
    return spanwise.report(assessments, runs, measures, resamples=200, **keywords)


def shown(found: ReportResult, kind: type) -> Any:
    return next((item for item in found.report.lead if isinstance(item, kind)), None)


def chips(found: ReportResult) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for chip in getattr(shown(found, Chips), "chips", ()):
        said.setdefault(chip.sign, []).append(chip.text)
    return said


def test_the_order_of_the_first_screen():
    found = made(judged(8, [(0, 100)]), {"a": answers(8, 0, 100), "b": answers(8, 0, 400)})
    kinds = [type(item).__name__ for item in found.report.lead]
    assert kinds == ["Headline", "str", "Chips", "TwoCharts", "WeakTopics", "Downloads"]
    assert [section.name for section in found.report.sections][:4] == [
        *("failures", "scores", "pairs", "curves")
    ]
    assert shown(found, Headline).text == "a is best, significantly ahead of b"
    paragraph = shown(found, str)
    assert paragraph.startswith("a has the best mean AgP (1.00")
    assert "a and b find the most, 100% of the relevant text" in paragraph
    charts = shown(found, TwoCharts).charts
    assert [chart.name for chart in charts] == ["forest", "found-against-cost"]


def test_the_output_begins_with_the_finding():
    found = made(judged(8, [(0, 100)]), {"a": answers(8, 0, 100), "b": answers(8, 0, 400)})
    assert found.output().sentences[0] == "a is best, significantly ahead of b"
    assert str(found).startswith("a is best, significantly ahead of b\n")


def test_failures_come_before_the_scores():
    found = made(judged(2, [(0, 9)]), {"a": answers(2, 0, 9)})
    first = found.report.sections[0]
    assert (first.name, type(first.items[0]).__name__) == ("failures", "TopicFailures")


# -- chips


def test_chips_name_the_test_and_its_correction():
    runs = {"a": answers(8, 0, 100), "b": answers(8, 0, 400), "c": answers(8, 50, 400)}
    found = made(judged(8, [(0, 100)]), runs)
    assert chips(found)["tested"] == [
        "tested: two-tailed paired randomisation test, Holm correction over 3 tests"
    ]
    one = made(judged(8, [(0, 100)]), {"a": answers(8, 0, 100)})
    assert "tested" not in chips(one)


def test_too_few_topics_and_unjudged_documents_are_cautions():
    run = {"q00": [("d0", 0, 100, 2.0), ("d9", 0, 5, 1.0)], "q01": [("d1", 0, 50, 1.0)]}
    found = made(judged(2, [(0, 100)]), {"a": run, "b": answers(2, 0, 100)})
    assert chips(found)["caution"] == [
        "too few topics for a significant difference: 2",
        "20% of retrieved documents are unjudged, counted as not relevant",
    ]


def test_bootstrap_and_observed_direction_are_cautions():
    runs = {"a": answers(8, 0, 100), "b": answers(8, 0, 400)}
    found = made(judged(8, [(0, 100)]), runs, test="bootstrap", tail="one")
    assert chips(found)["caution"] == [
        "the bootstrap test is anti-conservative with 8 topics",
        "one-tailed in the observed direction: the real level is about .10",
    ]


def test_runs_on_other_topics_are_cautions():
    runs = {"a": answers(3, 0, 100), "b": answers(2, 0, 50)}
    found = made(judged(3, [(0, 100)]), runs, missing="skip")
    assert "runs have different topics" in chips(found)["caution"]


def test_how_many_topics_would_settle_it():
    """a and b each win half of the topics: nobody can tell them apart, but more topics could."""
    assessments = judged(20, [(0, 100)])
    a = {t: [(f"d{n}", 0, 60 if n % 2 else 85, 1.0)] for n, t in enumerate(assessments)}
    b = {t: [(f"d{n}", 0, 80 if n % 2 else 60, 1.0)] for n, t in enumerate(assessments)}
    found = made(assessments, {"a": a, "b": b}, "textR@5")
    from spanwise.statistics.comparison import topics_needed

    [comparison] = spanwise.compare(
        spanwise.evaluate(assessments, {"a": a, "b": b}, "textR@5"), resamples=200
    ).comparisons
    needed = topics_needed(comparison.pair("b", "a"), comparison.procedure)
    assert needed is not None
    assert chips(found)["next"] == [f"about {_rounded(needed):,} topics would separate b from a"]
    assert "next" not in chips(made(assessments, {"a": a, "b": b}, "textR@5", baseline="a"))
    best = made(assessments, {"a": a, "b": answers(20, 0, 10)}, "textR@5")
    assert "next" not in chips(best)


# -- found against cost


def test_what_is_found_is_scored_though_it_was_not_asked_for():
    assessments, run = judged(4, [(0, 100)]), answers(4, 0, 400)
    found = made(assessments, {"a": answers(4, 0, 100), "b": run})
    cost = shown(found, TwoCharts).charts[1]
    assert isinstance(cost, FoundAgainstCost)
    assert [(p.run, p.found, p.relevant) for p in cost.points] == [
        ("a", 1.0, 1.0),
        ("b", 1.0, 0.25),
    ]
    assert (
        cost.title == "a and b find the most, 100%, but 25% to 100% of what they return is relevant"
    )
    assert found.output().settings["measures"] == ["AgP"]
    table = found.output().tables[0]
    assert [column.name for column in table.columns] == ["run", "AgP"]
    assert {row["measure"] for row in found.output().rows.items} == {"AgP"}
    assert not any("textR" in str(note) for note in found.output().notes)


def test_where_no_text_is_judged_there_is_no_cost(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 2.0 a\n")
    found = made(tmp_path / "qrels.txt", tmp_path / "run.txt", "AP")
    assert [chart.name for chart in shown(found, TwoCharts).charts] == ["forest"]
    assert "relevant text" not in shown(found, str)
    assert not any("text" in str(note) for note in found.output().notes)


# -- the weakest topics


def test_the_weakest_topics_and_what_others_get_there():
    assessments = judged(5, [(0, 100)])
    ends = {"a": [100, 90, 80, 20, 10], "b": [10, 10, 10, 50, 10], "c": [1, 1, 1, 50, 1]}
    runs = {
        run: {t: [(f"d{n}", 0, own[n], 1.0)] for n, t in enumerate(assessments)}
        for run, own in ends.items()
    }
    weak = shown(made(assessments, runs, "textR@5"), WeakTopics)
    assert weak.title == "Where does a fail?"
    assert [(topic.topic, topic.words) for topic in weak.topics] == [
        ("q04", "0.10; no run does better"),
        ("q03", "0.20; b and c get 0.50"),
        ("q02", "0.80; no run does better"),
    ]
    assert weak.subtitle.startswith("Its three weakest topics, by textR@5, with the largest")
    [strip] = weak.topics[0].strips
    assert (strip.document, strip.relevant, strip.retrieved) == ("d4", ((0, 100),), ((0, 10),))


def test_values_that_look_alike_have_more_digits():
    assessments = {"q1": {"d1": [(0, 1000)]}, "q2": {"d2": [(0, 1000)]}}
    a = {"q1": [("d1", 0, 301, 1.0)], "q2": [("d2", 0, 900, 1.0)]}
    b = {"q1": [("d1", 0, 302, 1.0)], "q2": [("d2", 0, 10, 1.0)]}
    weak = shown(made(assessments, {"a": a, "b": b}, "textR@5"), WeakTopics)
    assert weak.topics[0].words == "0.301; b gets 0.302"


@pytest.mark.parametrize(
    ("ends", "which"),
    [
        ([50], "Its only topic, by textR@5"),
        ([50, 60], "Its two topics, the weakest first, by textR@5"),
        ([50, 100], "The only topic of 2 on which it is not perfect, by textR@5"),
        ([50, 60, 100, 100], "The only two topics of 4 on which it is not perfect, by textR@5"),
        ([50, 60, 70, 80], "Its three weakest topics, by textR@5"),
    ],
)
def test_few_topics_are_worded_rightly(ends, which):
    assessments = judged(len(ends), [(0, 100)])
    run = {t: [(f"d{n}", 0, ends[n], 1.0)] for n, t in enumerate(assessments)}
    weak = shown(made(assessments, {"a": run}, "textR@5"), WeakTopics)
    assert weak.subtitle.startswith(which + ", with the largest relevant documents")
    assert weak.topics[0].words == "0.50", "a run alone is compared with none"


@pytest.mark.parametrize(("topics", "every"), [(1, "the only topic"), (6, "all 6 topics")])
def test_a_perfect_run_fails_nowhere(topics, every):
    weak = shown(made(judged(topics, [(0, 9)]), {"a": answers(topics, 0, 9)}, "textR"), WeakTopics)
    assert (weak.subtitle, weak.topics) == (f"Nowhere: its textR is perfect on {every}.", ())


def test_true_ties_are_told():
    assessments = judged(6, [(0, 100)])
    run = {t: [(f"d{n}", 0, 100 if n < 2 else 0 if n == 2 else 50, 1.0)] for n, t in
           enumerate(assessments) if n != 2}  # fmt: skip
    weak = shown(made(assessments, {"a": run}, "textR@5"), WeakTopics)
    assert weak.subtitle.endswith("of them. 3 topics are tied at 0.50; 2 are shown.")
    assert [topic.topic for topic in weak.topics] == ["q02", "q03", "q04"]
    assert weak.topics[0].strips[0].retrieved == (), "a topic without answers has its documents"


def test_relevant_documents_that_are_not_returned_are_shown_too():
    assessments = {"q1": {"big": [(50, 950)], "small": [(0, 10)], "middle": [(0, 500)]}}
    run = {"q1": [("middle", 0, 100, 2.0), ("other", 0, 100, 1.0)]}
    weak = shown(made(assessments, {"a": run}, "textR@5"), WeakTopics)
    strips = weak.topics[0].strips
    assert [(s.document, s.relevant, s.retrieved) for s in strips] == [
        ("big", ((50, 950),), ()),
        ("middle", ((0, 500),), ((0, 100),)),
    ]
    assert not strips[0].length_known
    assert strips[0].length == 950


def test_topics_are_named_by_their_queries(tmp_path):
    (tmp_path / "topics.jsonl").write_text('{"topic": "q00", "query": "what is  it?"}\n')
    topics = {"q00": "what is  it?"}
    found = made(judged(1, [(0, 100)]), {"a": answers(1, 0, 50)}, "textR@5", topics=topics)
    assert shown(found, WeakTopics).topics[0].title == "what is it?"


def test_lower_is_better_for_the_weakest_topics_too():
    assessments = judged(4, [(0, 100)])
    late = {t: [("d9", 0, 400, 2.0), (f"d{n}", 0, 400, 1.0)] for n, t in enumerate(assessments)}
    early = {**answers(4, 0, 400), "q00": late["q00"]}
    weak = shown(made(assessments, {"b": late, "a": early}, "ANCE@5"), WeakTopics)
    assert weak.title == "Where does a fail?"
    assert [topic.topic for topic in weak.topics] == ["q00"]
    assert weak.subtitle.startswith("The only topic of 4 on which it is not perfect")


def test_a_measure_that_only_describes_has_no_weakest_topic():
    found = made(judged(2, [(0, 100)]), {"a": answers(2, 0, 50)}, "overlap")
    assert shown(found, WeakTopics) is None


# -- many runs


def test_of_many_runs_the_best_are_shown_in_detail():
    assessments = judged(6, [(0, 1000)])
    runs = {f"r{n:02}": answers(6, 0, 1000 - 10 * n) for n in range(25)}
    found = made(assessments, runs, "textR@5", test="t")
    sections = {section.name: section for section in found.report.sections}
    said = "20 of 25 runs are shown here: the best. spanwise compare shows all."
    for name in ("pairs", "curves", "topics"):
        assert said in sections[name].items
    [matrix] = [item for item in sections["pairs"].items if type(item).__name__ == "Table"]
    assert [row[0] for row in matrix.rows] == [f"r{n:02}" for n in range(20)]
    assert len(found.output().tables[0].rows) == 25
    [plots] = [item for item in sections["curves"].items if type(item).__name__ == "Charts"]
    assert len(plots.series) == len(plots.plots[0][1].series) == 20
    other = made(assessments, runs, "textR@5", test="t", baseline="r23")
    [matrix] = [
        item
        for section in other.report.sections
        for item in section.items
        if section.name == "pairs" and type(item).__name__ == "Table"
    ]
    assert matrix.rows[-1][0] == "r23"
    assert len(matrix.rows) == 20


def test_strips_are_about_the_first_answers():
    run = {"q1": [("x", n, n + 1, 9.0 - n) for n in range(5)] + [("d", 0, 50, 1.0)]}
    weak = shown(made({"q1": {"d": [(0, 100)]}}, {"a": run}, "AP"), WeakTopics)
    assert weak.topics[0].strips[0].retrieved == ()
    assert "what its first 5 answers return of them" in weak.subtitle
    weak = shown(made({"q1": {"d": [(0, 100)]}}, {"a": run}, "AP", cutoff=6), WeakTopics)
    assert weak.topics[0].strips[0].retrieved == ((0, 50),)


def test_runs_that_answer_few_topics_are_named():
    all_of_them, one = answers(14, 0, 100), {"q00": [("d0", 0, 100, 1.0)]}
    chosen = {"a": all_of_them, "one": one}
    found = made(judged(14, [(0, 100)]), chosen, "textR")
    assert "one answers 1 of 14 topics; the others are scored 0" in chips(found)["caution"]
    empty = {"none": {"q00": []}}
    found = made(judged(14, [(0, 100)]), {**chosen, **empty}, "textR")
    said = "one answers 1 of 14 topics and none 0 of 14; the others are scored 0"
    assert said in chips(found)["caution"]
    more = dict.fromkeys(("b", "c", "d"), one)
    found = made(judged(14, [(0, 100)]), {**chosen, **empty, **more}, "textR")
    said = "5 runs do not answer all topics, none only 0 of 14; the others are scored 0"
    assert said in chips(found)["caution"]
    skipped = made(judged(14, [(0, 100)]), chosen, "textR", missing="skip")
    assert not any("scored" in text for text in chips(skipped)["caution"])


def test_a_run_about_other_documents_is_named():
    strange = {topic: [("x", 0, 100, 1.0)] for topic in judged(14, [])}
    found = made(judged(14, [(0, 100)]), {"a": answers(14, 0, 100), "x": strange}, "textR")
    assert "no document of x is in the assessments or the collection" in chips(found)["caution"]


def test_topics_that_no_run_answers_are_called_so():
    few = {topic: found for topic, found in answers(6, 0, 50).items() if topic > "q02"}
    found = made(judged(6, [(0, 100)]), {"a": few, "b": few}, "textR")
    words = [topic.words for topic in shown(found, WeakTopics).topics]
    assert words == ["0.00; no run answered it"] * 3
    alone = made(judged(6, [(0, 100)]), {"a": few}, "textR")
    assert shown(alone, WeakTopics).topics[0].words == "0.00; it is not answered"
    b = answers(6, 500, 510)
    wrong = made(judged(6, [(0, 100)]), {"a": few, "b": b}, "textR")
    assert shown(wrong, WeakTopics).topics[0].words == "0.00; no run does better"


def test_what_the_first_measure_alone_would_say_is_told():
    """Holm over the tests of several measures hides what one of them shows."""
    a, b = answers(6, 0, 100), answers(6, 0, 50)
    said = "by textR alone, without the other measure, b would be significantly behind a"
    both = made(judged(6, [(0, 100)]), {"a": a, "b": b}, ["textR", "AgP"])
    assert f"{said} (p = 0.031)" in chips(both)["caution"]
    assert "are too close to call" in shown(both, Headline).text or "too few" in str(both)
    for measures, correction in ((["textR"], "holm"), (["textR", "AgP"], "none")):
        one = made(judged(6, [(0, 100)]), {"a": a, "b": b}, measures, correction=correction)
        assert not any("alone" in text for text in chips(one).get("caution", []))
    several = {name: answers(7, 0, end) for name, end in (("a", 100), ("b", 50), ("c", 40))}
    found = made(judged(7, [(0, 100)]), several, ["textR", "AgP"])
    said = "2 more runs would differ significantly from a (corrected p = 0.047)"
    assert f"by textR alone, without the other measure, {said}" in chips(found)["caution"]


def test_the_number_of_topics_needed_is_that_before_correction():
    a, b = answers(6, 0, 100), answers(6, 0, 100)
    b |= {"q01": [("d1", 0, 30, 1.0)], "q02": [("d2", 0, 90, 1.0)]}
    (one,) = chips(made(judged(6, [(0, 100)]), {"a": a, "b": b}, "textR"))["next"]
    assert one.endswith("separate b from a")
    (several,) = chips(made(judged(6, [(0, 100)]), {"a": a, "b": b}, ["textR", "AgP"]))["next"]
    assert several == f"{one}, before correction for 2 tests"
