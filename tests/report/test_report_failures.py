"""Where runs fail: the order of topics, groups, the table, texts with their marks."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise import explain, report
from spanwise.errors import SpanwiseError
from spanwise.evaluation.diagnosis import Thresholds
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.reporting.failure_groups import BEATEN, DIFFERENCES, NO_RUN
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html import report_charts, report_page
from spanwise.reporting.report_failures import failure_parts, failure_record, report_failures
from spanwise.reporting.scored_runs import ScoredRuns
from spanwise.reporting.topic_failures import Piece, TopicFailures

TEXT = "The bell was cast in 1752. It cracked twice. It weighs 900 kg. Nobody rings it today."
#       0                          27                45                63              85
JUDGED = {
    "lost": {"d1": [(0, 26)]},
    "beaten": {"d1": [(0, 26)], "d2": [(0, 10)]},
    "beaten most": {"d1": [(27, 44)]},
    "equal": {"d1": [(27, 44)]},
    "fine": {"d1": [(45, 62)]},
}
BEST = {
    "lost": [("d1", 45, 62, 2.0), ("d9", 0, 5, 1.0)],
    "beaten": [("d1", 0, 26, 1.0)],
    "beaten most": [("d1", 40, 62, 1.0)],
    "equal": [("d1", 27, 44, 1.0)],
    "fine": [("d1", 45, 62, 1.0)],
}
OTHER = {
    "beaten": [("d1", 0, 26, 2.0), ("d2", 0, 10, 1.0)],
    "beaten most": [("d1", 27, 40, 1.0)],
    "equal": [("d1", 27, 44, 1.0)],
    "fine": [("d9", 0, 5, 1.0)],
}
LAST = {"equal": [("d1", 27, 44, 1.0)], "fine": [("d9", 0, 5, 1.0)]}


def failures(
    judged=JUDGED, runs=None, measure="textR", *, strips=500, most_text=None, **settings
) -> TopicFailures:
    """The failures of some runs."""
    given = {"best": BEST, "other": OTHER, "last": LAST} if runs is None else runs
    limits = settings.pop("thresholds", None)
    session = Session(Settings(**settings))
    scored = ScoredRuns.of(session, judged, given, measure, limits)
    return report_failures(scored, strips=strips, most_text=most_text)


def pieces_of(made: TopicFailures, topic: str, run: str) -> list[tuple[Piece, ...]]:
    (found,) = [one for one in made.topics if one.topic == topic]
    (own,) = [one for one in found.lists if one.run == run]
    return [answer.pieces for answer in own.answers]


def test_failures_come_first():
    made = failures()
    assert [one.run for one in made.topics[0].lists] == ["best", "other", "last"]
    assert [one.topic for one in made.topics] == [
        "lost",
        "beaten most",
        "beaten",
        "equal",
        "fine",
    ]
    by_name = {group.name: group for group in made.groups}
    assert by_name[NO_RUN].topics == ("lost",)
    assert by_name[NO_RUN].words == "No run finds anything relevant for 1 topic."
    assert by_name[BEATEN].topics == ("beaten most", "beaten")
    assert by_name[BEATEN].words == "Another run is better than best on 2 topics, by up to 0.53."
    assert by_name[DIFFERENCES].topics == ("beaten", "fine", "beaten most")
    assert made.topics[1].groups == (BEATEN, DIFFERENCES)
    assert made.topics[3].groups == ()


def test_what_the_best_run_gets_right_comes_last():
    judged = {topic: {"d1": [(0, 100)]} for topic in ("a", "b", "c", "d", "ok", "late", "x", "y")}
    shares = {"a": 51, "b": 52, "c": 53, "d": 54, "ok": 90}
    run = {topic: [("d1", 0, end, 1.0)] for topic, end in shares.items()}
    wrong = [("d2", n, n + 1, 9.0 - n) for n in range(5)]
    run |= {"late": [*wrong, ("d1", 0, 99, 1.0)], "x": wrong, "y": wrong}
    other = {**run, "d": [("d1", 0, 40, 1.0)]}
    order = [one.topic for one in failures(judged, {"best": run, "other": other}).topics]
    assert order[:3] == ["x", "y", "a"], "the topics of the first screen"
    assert order[3:] == ["late", "b", "c", "d", "ok"], "a failure, then the rest"
    judged |= {topic: {"d1": [(0, 100)]} for topic in ("u1", "u2")}
    order = [one.topic for one in failures(judged, {"best": run}).topics]
    assert order[:5] == ["u1", "u2", "x", "y", "late"], "found by no run"


def test_topics_without_a_loss_are_ordered_by_the_best_run():
    run = {"q1": [("d1", 0, 20)], "q2": [("d1", 0, 10)], "q3": [("d1", 0, 15)]}
    made = failures({topic: {"d1": [(0, 20)]} for topic in run}, {"run": run})
    assert [one.topic for one in made.topics] == ["q2", "q3", "q1"]
    assert made.groups == ()


def test_ties_are_never_listed_as_differences():
    judged = {f"q{number}": {"d1": [(0, 30)]} for number in range(3)}
    third = {topic: [("d1", 0, 10), ("d1", 10, 20), ("d1", 20, 30)] for topic in judged}
    same = {topic: [("d1", 0, 30)] for topic in judged}
    made = failures(judged, {"a": third, "b": same})
    assert [tuple(group) for group in made.groups] == [
        (DIFFERENCES, (), "All runs have the same value on every topic.")
    ]


def test_differences_that_tie_say_so():
    judged = {f"q{number:02}": {"d1": [(0, 30)]} for number in range(14)}
    all_of_it = {topic: [("d1", 0, 30)] for topic in judged}
    half = {topic: [("d1", 0, 15)] for topic in judged}
    (group,) = failures(judged, {"a": all_of_it, "b": half}).groups
    assert len(group.topics) == 10
    assert group.words == "14 topics tie for the largest difference, 0.50; 10 of them are listed."
    few = {**half, "q00": [("d1", 0, 3)], "q13": [("d1", 0, 30)]}
    (group,) = failures(judged, {"a": all_of_it, "b": few}).groups
    assert group.topics[0] == "q00"
    assert group.words == (
        "All runs have the same value on 1 topic. The runs differ most on 10 topics, by 0.50 to"
        " 0.90; 3 more topics tie with the last of them."
    )


def test_lower_values_may_be_better():
    made = failures(measure="ANCE@5")
    (group,) = [group for group in made.groups if group.name == BEATEN]
    assert group.topics == ("beaten",)
    described = failures(measure="overlap")
    assert BEATEN not in [group.name for group in described.groups]


def test_every_list_counts_once_in_the_table():
    made = failures()
    counts = {row[0]: row[1:] for row in made.why.rows}
    assert [column.name for column in made.why.columns] == ["diagnosis", "best", "other", "last"]
    assert counts == {
        "no answer": (0, 1, 3),
        "wrong document": (0, 1, 1),
        "wrong place": (1, 0, 0),
        "late": (0, 0, 0),
        "incomplete": (1, 0, 0),
        "cut": (0, 0, 0),
        "noisy": (0, 0, 0),
        "no failure": (3, 3, 1),
        "topics": (5, 5, 5),
    }
    table, *sentences = failure_parts(made)
    assert table is made.why
    assert sentences[0] == "No run finds anything relevant for 1 topic: lost."
    record = failure_record(made)
    assert record["why"][0] == {
        "diagnosis": "no answer",
        "topics": {"best": 0, "other": 1, "last": 3},
    }


def test_topics_that_are_skipped_have_no_answer():
    made = failures(missing="skip")
    (lost,) = [one for one in made.topics if one.topic == "lost"]
    found = {one.run: (one.value, one.diagnosis, one.more) for one in lost.lists}
    absent = (None, "no answer", 0)
    assert found == {"best": (0.0, "wrong place", 0), "other": absent, "last": absent}


def test_thresholds_are_named_in_the_legend():
    assert "first hit after rank 5; incomplete = under 50% of" in failures().why.legend
    made = failures(thresholds=Thresholds(cutoff=1, late=2, incomplete=0.25, noisy=0.05))
    assert made.cutoff == 1
    assert "rank 2; incomplete = under 25% of the relevant text in the first answer;" in (
        made.why.legend
    )
    assert "under 5% of what the first answer returns is relevant" in made.why.legend


# -- texts


def test_relevant_text_is_marked_in_whole_sentences():
    made = failures(collection={"d1": TEXT, "d2": "Another document."})
    lost = made.topics[0]
    (relevant,) = lost.relevant
    assert relevant.pieces == (("The bell was cast in 1752.", "missed", 0), (" ", "", 0))
    assert lost.relevant_left_out == 0
    beaten = next(one for one in made.topics if one.topic == "beaten")
    assert [text.document for text in beaten.relevant] == ["d1", "d2"]
    assert beaten.relevant[1].pieces == (("Another do", "found", 0), ("cument.", "", 0))


def test_answers_stand_in_rank_order_with_their_marks():
    made = failures(collection={"d1": TEXT, "d2": "Another document."})
    assert pieces_of(made, "lost", "best") == [(("It weighs 900 kg.", "vain", 0), (" ", "", 0)), ()]
    assert pieces_of(made, "beaten most", "best") == [
        (
            ("It cracked tw", "missed", 0),
            ("ice.", "found", 0),
            (" It weighs 900 kg.", "vain", 0),
            (" ", "", 0),
        )
    ]
    (own, *_) = next(one for one in made.topics if one.topic == "beaten most").lists
    (answer,) = own.answers
    assert (answer.rank, answer.document, answer.start, answer.end) == (1, "d1", 40, 62)
    assert (answer.found, own.more) == (4, 0)


def test_relevant_text_that_was_read_before_is_not_found_again():
    run = {"q1": [("d1", 0, 40), ("d1", 20, 50), ("d1", 0, 85)]}
    made = failures({"q1": {"d1": [(10, 60)]}}, {"run": run}, collection={"d1": TEXT})
    answers = made.topics[0].lists[0].answers
    assert [answer.found for answer in answers] == [30, 10, 10]


def test_long_answers_leave_gaps_around_what_is_relevant():
    text = "".join(f"Sentence number {number:03} stands here. " for number in range(60))
    judged = {"q1": {"d1": [(33 * 30, 33 * 30 + 32)]}}
    made = failures(judged, {"run": {"q1": [("d1", None, None)]}}, collection={"d1": text})
    (pieces,) = pieces_of(made, "q1", "run")
    shown = "".join(piece.text for piece in pieces)
    found = [piece.text for piece in pieces if piece.mark == "found"]
    assert found == [text[33 * 30 : 33 * 30 + 32]]
    assert found[0].startswith("Sentence number")
    assert shown.startswith("Sentence number 000")
    assert len(shown) <= 320
    assert sum(piece.gap for piece in pieces) + len(shown) == len(text)
    assert made.topics[0].lists[0].answers[0].start is None


def test_documents_without_text_have_answers_without_pieces():
    made = failures(collection={"d1": TEXT}, strips=0)
    assert made.with_texts == 5
    assert pieces_of(made, "beaten", "other")[1] == ()
    plain = failures()
    assert plain.with_texts == 0
    assert pieces_of(plain, "beaten", "other") == [(), ()]
    assert plain.topics[0].relevant == ()


def test_texts_are_left_out_by_a_rule_that_is_said():
    made = failures(collection={"d1": TEXT, "d2": "Another document."}, most_text=60, strips=3)
    assert made.with_texts == 1
    assert "Texts are shown for the first 1 of 5 topics, up to 60 characters;" in made.left_out
    assert "Documents are drawn for the first 1 of 5 topics;" in made.left_out
    assert made.topics[1].relevant == ()
    everything = failures(collection={"d1": TEXT})
    assert (everything.with_texts, everything.left_out) == (5, "")


def test_more_answers_than_are_shown_are_counted():
    run = {"q1": [("d1", n, n + 2, 9.0 - n) for n in range(9)]}
    made = failures({"q1": {"d1": [(0, 20)]}}, {"run": run}, thresholds=Thresholds(cutoff=3))
    (own,) = made.topics[0].lists
    assert len(own.answers) == 3
    assert own.more == 6


WORDS = ["Wort", "naïve", "e\u0301te", "a", "1,000", "end.", "Why?", "七字。", "\n", "- item"]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6))
def test_no_text_begins_or_ends_inside_a_word(seed):
    source = random.Random(seed)
    text = " ".join(source.choice(WORDS) for _ in range(source.randint(1, 400)))
    places = sorted(source.sample(range(len(text) + 1), min(len(text) + 1, 4)))
    judged = {"q1": {"d1": [(places[0], max(places[-1], places[0] + 1))]}}
    run = {"q1": [("d1", a, max(b, a + 1), 1.0) for a in places for b in places if a <= b][:4]}
    run = {"q1": [(d, a, min(b, len(text)), s) for d, a, b, s in run["q1"] if a < len(text)]}
    if places[0] >= len(text):
        return
    judged["q1"]["d1"] = [(places[0], min(judged["q1"]["d1"][0][1], len(text)))]
    made = failures(judged, {"run": run}, collection={"d1": text}, overlap="union")
    (topic,) = made.topics
    shown = [relevant.pieces for relevant in topic.relevant]
    shown += [answer.pieces for answer in topic.lists[0].answers]
    for pieces in shown:
        for stretch in stretches(pieces):
            place = text.index(stretch)
            assert not inside_word(text, place)
            assert not inside_word(text, place + len(stretch))


def stretches(pieces: tuple[Piece, ...]) -> list[str]:
    """The texts between gaps."""
    found = [""]
    for piece in pieces:
        if piece.gap:
            found.append("")
        found[-1] += piece.text
    return [text for text in found if text]


def inside_word(text: str, place: int) -> bool:
    around = text[max(place - 1, 0) : place + 1]
    ideographs = any(sign in "七字。" for sign in around)
    return 0 < place < len(text) and not ideographs and not any(s.isspace() for s in around)


# -- the report


def test_a_report_takes_thresholds_and_says_them():
    made = report(JUDGED, {"best": BEST, "other": OTHER}, "textR", late=3, noisy=0.2, resamples=50)
    output = made.output()
    assert output.settings["thresholds"] == {
        "cutoff": 5,
        "late": 3,
        "incomplete": 0.5,
        "noisy": 0.2,
    }
    assert any(table.title == "Why runs fail" for table in output.tables)
    assert output.record["failures"]["groups"][0]["name"] == NO_RUN


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"late": 0}, "late must be a whole number between 1 and 1,000, got 0"),
        ({"noise": 0.1}, "unknown setting 'noise'; did you mean 'noisy'?"),
        ({"all_texts": 1}, "all_texts must be True or False, got 1"),
    ],
)
def test_a_report_refuses_what_is_not_possible(given, message):
    with pytest.raises(SpanwiseError) as refused:
        report(JUDGED, {"best": BEST}, "textR", **given)
    assert str(refused.value) == message


def test_texts_and_strips_are_about_the_same_answers():
    """What a later answer returns is not returned by the first ones."""
    run = {"fine": [("d2", n, n + 1, 9.0 - n) for n in range(5)] + [("d1", 45, 62, 1.0)]}
    made = failures({"fine": {"d1": [(45, 62)]}}, {"run": run}, collection={"d1": TEXT, "d2": TEXT})
    ((own,), (relevant,)) = made.topics[0].lists, made.topics[0].relevant
    assert [piece.mark for piece in relevant.pieces] == ["missed", ""]
    assert [strip.document for strip in own.strips] == ["d2"]
    limits = Thresholds(cutoff=6)
    deeper = failures({"fine": {"d1": [(45, 62)]}}, {"run": run}, thresholds=limits)
    strips = deeper.topics[0].lists[0].strips
    assert [strip.retrieved for strip in strips][1:] == [((45, 62),)]


# -- the reading order

COLLECTION = dict.fromkeys(("d1", "d2", "d9"), TEXT)


@pytest.mark.parametrize("measure", ["AgP(aveChP)", "AgP(T2If(tolerance=5))", "ANCE(LE)"])
def test_the_first_relevant_document_of_the_best_run_is_read(measure):
    made = failures(measure=measure, collection=COLLECTION)
    best = made.topics[0].lists[0].run
    runs = {"best": BEST, "other": OTHER, "last": LAST}
    for topic in made.topics:
        returned = [row[0] for row in runs[best].get(topic.topic, ())]
        relevant = next((name for name in returned if name in JUDGED[topic.topic]), None)
        assert (topic.reading is None) == (relevant is None)
        if topic.reading is None:
            continue
        (found,) = explain(
            JUDGED, runs[best], topic.topic, measure, document=relevant, collection=COLLECTION
        ).explanations
        assert topic.reading.title == f"{best}: {relevant} as the measures see it being read"
        assert topic.reading.average == found.reading.average
        assert topic.reading.stops == found.reading.stops
        assert topic.reading.length == len(TEXT)


def test_reading_orders_are_drawn_for_measures_that_follow_them():
    made = failures(measure="AgP", collection=COLLECTION)
    assert all(topic.reading is None for topic in made.topics)
    made = failures(measure="AgP(aveChP(start=bep))", collection=COLLECTION)
    assert all(topic.reading is None for topic in made.topics), "it does not read parts"


def test_of_many_topics_the_first_ones_have_a_reading_order():
    judged = {f"q{n:03}": {"d1": [(0, 26)]} for n in range(40)}
    runs = {"one": {topic: [("d1", n % 9, 40, 1.0)] for n, topic in enumerate(judged)}}
    for most_text, expected in ((100_000, 12), (None, 40)):
        made = failures(judged, runs, "AgP(aveChP)", collection=COLLECTION, most_text=most_text)
        drawn = [topic.reading is not None for topic in made.topics]
        assert drawn == [True] * expected + [False] * (40 - expected)
    page = report(judged, runs, "AgP(aveChP)", collection=COLLECTION, resamples=100).whole()
    drawn = report_page(page, Look())
    assert drawn.count('<figure class="reading-order">') == 12
    assert len(drawn.encode()) < 400_000
    assert len(set(re.findall('id="(reading[^"]*)"', drawn))) == 24, "a title and words for each"
    charts = report_charts(page, Look())
    assert [name for name in charts if name.startswith("reading")] == [
        f"reading-{number}.svg" for number in range(1, 13)
    ]
