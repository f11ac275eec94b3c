"""What is true of every measure, whatever the data: the laws."""

from __future__ import annotations

import doctest
import math
import random
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cases import (
    OUTSIDE,
    Batch,
    Judged,
    Row,
    Topic,
    Trees,
    Values,
    assessments_of,
    batches,
    chunking_of,
    documents_of,
    has_relevant,
    plain_measures,
    random_measure,
    run_of,
    scored,
    seeded_batch,
    values_of,
    varied_measures,
)
from cases import every_pair as pairs
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Run
from spanwise.errors import MeasureError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.measures.base import CutOff, Family, GainScore, ListScore, Need, Score
from spanwise.measures.documents.entry_point import BEP, BEPD
from spanwise.measures.grammar import Asked, parse_measure
from spanwise.measures.parameters import domain_of, examples_of
from spanwise.measures.reading_score import ReadingScore
from spanwise.measures.registry import items, lists
from spanwise.records import replace

PATIENT = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
LITTLE = 1e-12
PLAIN = list(plain_measures())
VARIED = varied_measures(seed=1)
some_batches = batches().filter(has_relevant)
file_batches = batches(order="file").filter(has_relevant)


@pytest.fixture(params=range(3))
def batch(request: pytest.FixtureRequest) -> Batch:
    """Many topics at once, for what is said of every measure."""
    return seeded_batch(request.param, 300)


@pytest.fixture
def source() -> random.Random:
    return random.Random(7)


def named(*names: str) -> list[ListScore]:
    return [parse_measure(name) for name in names]


def item_of(measure: ListScore) -> Score:
    return getattr(measure, "item", None) or measure


def better(measure: ListScore) -> int:
    """1 if higher is better, -1 if lower is, 0 if neither."""
    return {"higher": 1, "lower": -1, "neither": 0}[measure.properties.better]


def gains(measures: list[ListScore], one: Values, two: Values) -> list[tuple[Any, ...]]:
    """Where the second scores are better than the first."""
    signs = {str(measure): better(measure) for measure in measures}
    return [
        (key, one[key], two[key]) for key in one if signs[key[0]] * (two[key] - one[key]) > LITTLE
    ]


# Scores


def test_scores_stay_within_their_bounds(batch: Batch) -> None:
    for measure, values in zip(VARIED, scored(batch, VARIED).values, strict=True):
        least, most = measure.properties.bounds
        if may_be_undefined(measure):
            values = values[~np.isnan(values)]
        assert np.isfinite(values).all()
        assert least is None or values.min() >= least - LITTLE, str(measure)
        # More answers may gain than there are ideal ones, and only these are counted then.
        unbounded = most is None or getattr(measure, "divisor", "") == "ideal"
        assert unbounded or values.max() <= most + LITTLE, str(measure)


def may_be_undefined(measure: ListScore) -> bool:
    """Has it no value for topics without an element that is worth anything, or an aspect?"""
    needs = {Need.ELEMENTS, Need.ASPECTS}
    return bool(needs & measure.needs()) or isinstance(item_of(measure), GainScore)


def test_what_is_undefined_is_so_for_every_list(batch: Batch) -> None:
    """It is the topic that has nothing to gain, whatever is done with the gains."""
    by_item: dict[Score, set[bytes]] = {}
    for measure, values in zip(VARIED, scored(batch, VARIED).values, strict=True):
        if isinstance(item_of(measure), GainScore):
            by_item.setdefault(item_of(measure), set()).add(np.isnan(values).tobytes())
    assert len(by_item) > 10
    assert all(len(found) == 1 for found in by_item.values())


def perfect(topic: Topic) -> Topic:
    """The relevant text and nothing else, best documents first, entered where it begins."""
    relevant = {d: judged for d, judged in topic.judged.items() if judged.grade > 0}
    rows = []
    for document in sorted(relevant, key=lambda d: -relevant[d].grade):
        judged = relevant[document]
        if judged.whole:
            rows.append(Row(document, extent=Extent.WHOLE))
        spans = sorted((start, end) for start, end, grade in judged.ranges if grade > 0)
        rows += [Row(document, start, end) for start, end in spans if not judged.whole]
    judged = {d: replace(found, points=[]) for d, found in topic.judged.items()}
    return Topic(rows, judged)


def perfected(batch: Batch) -> Batch:
    topics = {name: perfect(topic) for name, topic in batch.topics.items()}
    return replace(batch, topics=topics, order="file")


def has_perfect(measure: ListScore) -> bool:
    return (
        measure.properties.perfect is not None and item_of(measure).properties.perfect is not None
    )


@PATIENT
@given(some_batches)
def test_a_perfect_run_is_perfect(batch: Batch) -> None:
    measures = [measure for measure in PLAIN if has_perfect(measure)]
    for (name, topic), value in values_of(perfected(batch), measures).items():
        assert math.isclose(value, parse_measure(name).properties.perfect, abs_tol=LITTLE), (
            name,
            topic,
        )


def test_enough_measures_have_a_perfect_score() -> None:
    assert sum(has_perfect(measure) for measure in PLAIN) > 20
    assert all(has_perfect(measure) for measure in named("AgP", "AgP(aveChP)", "AP", "AiP", "ANCE"))


def test_an_empty_run_is_worst(batch: Batch) -> None:
    empty = batch.with_rows(lambda topic: [])
    assert not gains(VARIED, values_of(batch, VARIED), values_of(empty, VARIED))
    measures = [measure for measure in VARIED if not measure.describes_chunking]
    for measure, values in zip(measures, scored(empty, measures).values, strict=True):
        assert better(measure) < 0 or not np.nan_to_num(values).any()


def test_what_describes_the_chunking_is_the_same_for_every_run(batch: Batch) -> None:
    measures = [measure for measure in VARIED if measure.describes_chunking]
    empty = batch.with_rows(lambda topic: [])
    one = scored(batch, measures).values
    assert one.tobytes() == scored(empty, measures).values.tobytes()
    assert one.any()


def once_more(topic: Topic) -> list[Row]:
    """The answers to a topic, and after them some of them again."""
    return [*topic.rows, *topic.rows[::2]]


def test_an_answer_that_comes_again_at_the_end_never_helps(batch: Batch) -> None:
    """Unless a measure says that it rewards repetition, or alpha says how much of it gains."""
    batch = batch.in_file_order()
    again = batch.with_rows(once_more)
    plain = [measure for measure in VARIED if not isinstance(item_of(measure), GainScore)]
    measures = [measure for measure in plain if not measure.rewards_repetition]
    assert not gains(measures, values_of(batch, measures), values_of(again, measures))
    rewarding = [measure for measure in plain if measure.rewards_repetition]
    risen = gains(rewarding, values_of(batch, rewarding), values_of(again, rewarding))
    assert {key[0] for key, *_ in risen} == {str(measure) for measure in rewarding}


@pytest.mark.parametrize("extent", [Extent.RANGE, Extent.WHOLE, Extent.NOTHING])
def test_a_document_that_is_not_relevant_at_the_top_never_helps(
    batch: Batch, extent: Extent
) -> None:
    measures = [measure for measure in VARIED if not reads_less(measure)]
    row = Row(OUTSIDE, 3, 9, extent) if extent == Extent.RANGE else Row(OUTSIDE, extent=extent)
    batch = batch.in_file_order()
    later = batch.with_rows(lambda topic: [row, *topic.rows])
    better_now = gains(measures, values_of(batch, measures), values_of(later, measures))
    assert better_now == []


def reads_less(measure: ListScore) -> bool:
    """May a further answer make the text that is read shorter, and so less that is not relevant?

    Tokens differ in length, and so do answers: one of them may have to go at a cut-off.
    """
    if measure.family is Family.PEER_LISTS:
        return hasattr(measure, "cutoff")
    if not hasattr(measure, "budget"):
        return False
    return (
        getattr(measure, "unit", None) == "tokens" or getattr(measure, "cutoff", None) is not None
    )


def test_a_document_that_is_not_relevant_at_the_top_hurts(batch: Batch) -> None:
    """Unless there is nothing to lose."""
    measures = named("AgP(rel)", "AP", "RR", "nDCG", "textP", "AiP", "ANCE@30")
    batch = batch.in_file_order()
    later = batch.with_rows(lambda topic: [Row(OUTSIDE, 0, 21), *topic.rows])
    empty = values_of(batch.with_rows(lambda topic: []), measures)
    one, two = values_of(batch, measures), values_of(later, measures)
    assert [key for key in one if one[key] == two[key]] == [
        key for key in one if one[key] == empty[key]
    ]


# What changes nothing


def keeps_parts_together(measure: ListScore) -> bool:
    """Does it see only which text of a document was returned, not in which pieces?"""
    item = item_of(measure)
    if isinstance(item, ReadingScore):
        return item.within == "document" and item.start is None and not item.min_passage
    return item is not measure and not isinstance(item, (BEP, BEPD, GainScore))


def recut(rows: list[Row], source: random.Random) -> list[Row]:
    """Each document's ranges split, repeated and shuffled; documents stay in their order."""
    result = []
    for document in dict.fromkeys(row.document for row in rows):
        mine = []
        for row in [row for row in rows if row.document == document]:
            if row.extent != Extent.RANGE:
                mine.append(row)
                continue
            middle = source.randint(row.start, row.end)
            pieces = [
                (row.start, middle),
                (middle, row.end),
                *source.choice(([], [(row.start, row.end)])),
            ]
            mine += [Row(document, *piece) for piece in pieces if piece[0] < piece[1]]
        source.shuffle(mine)
        result += mine
    return result


def test_how_answers_are_cut_changes_no_set_score_and_no_reading_score(
    batch: Batch, source: random.Random
) -> None:
    measures = [measure for measure in VARIED if keeps_parts_together(measure)]
    assert len(measures) > 40
    batch = batch.in_file_order()
    other = batch.with_rows(lambda topic: recut(topic.rows, source))
    assert values_of(batch, measures) == values_of(other, measures)


@PATIENT
@given(file_batches, st.randoms(use_true_random=False))
def test_an_answer_that_comes_again_changes_no_text_list(
    batch: Batch, source: random.Random
) -> None:
    measures = named(
        *("textP", "textR", "textF", "textIoU", "AiP", "iP@0", "iP@0.4", "iP@1"),
        *("textP(budget=9)", "textR(budget=4,unit=tokens)", "textF(budget=30)"),
    )

    def repeated(topic: Topic) -> list[Row]:
        rows = list(topic.rows)
        for row in topic.rows:
            rows.insert(source.randint(rows.index(row) + 1, len(rows)), row)
        return rows

    assert values_of(batch, measures) == values_of(batch.with_rows(repeated), measures)


def renamed(batch: Batch, document: Callable[[str], str], topic: Callable[[str], str]) -> Batch:
    def one(found: Topic) -> Topic:
        rows = [replace(row, document=document(row.document)) for row in found.rows]
        return Topic(rows, {document(name): judged for name, judged in found.judged.items()})

    return replace(
        batch,
        texts={document(name): text for name, text in batch.texts.items()},
        trees=Trees({document(name): root for name, root in batch.trees.roots.items()}),
        topics={topic(name): one(found) for name, found in batch.topics.items()},
    )


def test_names_mean_nothing(batch: Batch) -> None:
    last = chr(0x10FFFF)
    other = renamed(batch, lambda name: f"another/{name}", lambda name: f"{name[::-1]}{last}")
    one, two = values_of(batch, VARIED), values_of(other, VARIED)
    assert {(name, topic[::-1] + last): value for (name, topic), value in one.items()} == two
    assert scored(batch, VARIED).means == scored(other, VARIED).means


def test_the_order_of_topics_means_nothing(batch: Batch, source: random.Random) -> None:
    names = list(batch.topics)
    source.shuffle(names)
    other = replace(batch, topics={name: batch.topics[name] for name in names})
    one, two = scored(batch, VARIED), scored(other, VARIED)
    assert one.topics == two.topics
    assert one.values.tobytes() == two.values.tobytes()
    assert (one.means, one.counts) == (two.means, two.counts)


def divided(run: Run, source: random.Random) -> list[Run]:
    """The topics of a run in several blocks."""
    blocks: list[list[str]] = [[] for _ in range(source.randint(1, 5))]
    for topic in run.topics:
        source.choice(blocks).append(topic)
    source.shuffle(blocks)
    return [run.only(set(block)) for block in blocks if block]


def test_any_partition_of_the_topics_gives_the_same_bits(
    batch: Batch, source: random.Random
) -> None:
    one = scored(batch, VARIED)
    two = scored(batch, VARIED, blocks=lambda run: divided(run, source))
    assert one.topics == two.topics
    assert one.values.tobytes() == two.values.tobytes()
    assert (one.means, one.counts) == (two.means, two.counts)
    assert without_names(one.notes) == without_names(two.notes)


def without_names(notes: tuple[str, ...]) -> list[str]:
    """Notes without the topics that they name as examples."""
    return [str(note).split(" (")[0] for note in notes]


def test_topic_by_topic_gives_the_same_bits(batch: Batch) -> None:
    one = scored(batch, PLAIN)
    each = scored(batch, PLAIN, blocks=lambda run: [run.only({topic}) for topic in run.topics])
    assert one.values.tobytes() == each.values.tobytes()
    assert one.means == each.means


def test_another_run_changes_nothing(batch: Batch, source: random.Random) -> None:
    other = batch.with_rows(lambda topic: source.sample(topic.rows, len(topic.rows) // 2))
    asked = tuple(Asked(str(measure), measure) for measure in VARIED)
    more = Policy(), documents_of(batch), chunking_of(batch)
    evaluation = Evaluation(assessments_of(batch), asked, *more)
    alone = evaluation.score([run_of(batch)], "x")
    evaluation.score([run_of(other)], "y")
    after = evaluation.score([run_of(batch)], "x")
    assert alone.values.tobytes() == after.values.tobytes()
    assert (alone.means, alone.counts, alone.notes) == (after.means, after.counts, after.notes)


@PATIENT
@given(some_batches)
def test_keys_that_collide_change_nothing(batch: Batch) -> None:
    one = scored(batch, PLAIN)
    keys = Identifiers.keys
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Identifiers, "keys", lambda self: keys(self) & 1)
        two = scored(batch, PLAIN)
    assert one.values.tobytes() == two.values.tobytes()
    assert one.notes == two.notes


# Policies


@PATIENT
@given(some_batches)
def test_missing_topics_are_empty_lists_or_skipped(batch: Batch) -> None:
    silent = {topic for topic, found in batch.topics.items() if not found.rows}
    one = values_of(batch, PLAIN)
    skipped = values_of(batch, PLAIN, policy=Policy(missing="skip"))
    assert skipped == {key: value for key, value in one.items() if key[1] not in silent}
    empty = values_of(batch.with_rows(lambda topic: []), PLAIN)
    assert all(value == empty[key] for key, value in one.items() if key[1] in silent)


def test_the_mean_is_over_topics_with_relevant_text() -> None:
    batch = seeded_batch(4, 80)
    found = scored(batch, PLAIN)
    assert 0 < len(found.topics) < len(batch.topics)
    assert list(found.topics) == sorted(found.topics)
    for row, mean in zip(found.values.tolist(), found.means, strict=True):
        defined = [value for value in row if not math.isnan(value)]
        assert mean == math.fsum(defined) / len(defined)


def test_a_topic_whose_answers_were_all_dropped_counts_as_empty() -> None:
    """Leniency drops an answer beyond the end of its document; the topic still counts."""
    topics = {
        "q1": Topic([Row("d", 0, 4)], {"d": Judged([(0, 4, 1)])}),
        "q2": Topic([Row("d", 7, 9)], {"d": Judged([(0, 4, 1)])}),
    }
    batch = Batch({"d": "text"}, topics)
    found = scored(batch, named("AgP", "ANCE"), Policy(lenient=True))
    assert found.topics == ("q1", "q2")
    assert found.values.tolist() == [[1, 0], [0, 4]]
    assert found.means == (0.5, 2)


# The laws of single measures


@PATIENT
@given(file_batches)
def test_a_swap_weighs_half_behind_a_miss(batch: Batch) -> None:
    """AgP(RI) - AgP(RSI) = (AgP(R) - AgP(RS)) / 2, for any parts of relevant documents."""
    measures = [measure for measure in PLAIN if measure.name == "AgP"]

    def relevant(topic: Topic) -> list[Row]:
        rows = [row for row in topic.rows if row.document in topic.judged]
        rows = [row for row in rows if topic.judged[row.document].grade > 0]
        return together(rows)

    def swapped(topic: Topic) -> list[Row]:
        rows = relevant(topic)
        names = list(dict.fromkeys(row.document for row in rows))
        names[:2] = names[:2][::-1]
        return sorted(rows, key=lambda row: names.index(row.document))

    miss = Row(OUTSIDE, 0, 5)
    right, swap, late, late_swap = (
        values_of(batch.with_rows(rows), measures)
        for rows in (
            relevant,
            swapped,
            lambda topic: [miss, *relevant(topic)],
            lambda topic: [miss, *swapped(topic)],
        )
    )
    for key in right:
        assert math.isclose(
            late[key] - late_swap[key], (right[key] - swap[key]) / 2, abs_tol=LITTLE
        )


def together(rows: list[Row]) -> list[Row]:
    names = list(dict.fromkeys(row.document for row in rows))
    return sorted(rows, key=lambda row: names.index(row.document))


@PATIENT
@given(file_batches)
def test_found_text_is_the_plain_average_once_everything_is_found(batch: Batch) -> None:
    full = batch.with_rows(
        lambda topic: [*topic.rows, *(Row(document, 0, 1) for document in topic.judged)]
    )
    scores = [item() for item in items().values() if item.kind == "document score"]
    plain = scored(full, named(*(f"AgP({item})" for item in scores))).values
    found = scored(full, named(*(f"AgP({item},by=found-text)" for item in scores))).values
    assert found == pytest.approx(plain, abs=LITTLE)


SAME = [
    ("AgP(rel)", "AP"),
    *((f"gP(rel)@{rank}", f"P@{rank}") for rank in (1, 3, 20)),
    *((f"gR@{rank}", f"R@{rank}") for rank in (1, 3, 20)),
]


@PATIENT
@given(some_batches)
def test_lists_over_relevance_are_the_plain_lists(batch: Batch) -> None:
    one, two = (scored(batch, named(*names)).values for names in zip(*SAME, strict=True))
    assert one.tobytes() == two.tobytes()


def returned(topic: Topic, batch: Batch) -> dict[str, list[tuple[int, int]]]:
    """The text returned of each document."""
    result: dict[str, list[tuple[int, int]]] = {}
    for row in topic.rows:
        length = len(batch.texts[row.document])
        span = (0, length) if row.extent == Extent.WHOLE else (row.start, row.end)
        result.setdefault(row.document, []).append(span)
    return {d: [s for s in spans if s[0] < s[1]] for d, spans in result.items()}


def relevant_of(judged: Judged, length: int) -> list[tuple[int, int]]:
    if judged.whole is not None:
        return [(0, length)] if judged.whole > 0 else []
    return [(start, end) for start, end, grade in judged.ranges if grade > 0]


@PATIENT
@given(batches(topics=1).filter(has_relevant))
def test_f_is_symmetric(batch: Batch) -> None:
    """Returned and relevant text exchanged, document by document."""
    (topic,) = batch.topics.values()
    mine = returned(topic, batch)
    for document, judged in topic.judged.items():
        theirs = relevant_of(judged, len(batch.texts[document]))
        if not theirs or not mine.get(document):
            continue
        both = []
        for one, two in ((mine[document], theirs), (theirs, mine[document])):
            topics = {
                "q": Topic(
                    [Row(document, *s) for s in one], {document: Judged([(*s, 1) for s in two])}
                )
            }
            found = values_of(
                Batch(batch.texts, topics), named("gP(F)@1", "gP(IoU)@1", "gP(P)@1", "gP(R)@1")
            )
            both.append(
                [
                    found[name, "q"]
                    for name in ("gP(F(beta=1))@1", "gP(IoU)@1", "gP(P)@1", "gP(R)@1")
                ]
            )
        assert both[0][:2] == pytest.approx(both[1][:2], abs=LITTLE)
        assert both[0][2:] == both[1][:1:-1]


@PATIENT
@given(some_batches)
def test_equal_sets_score_one(batch: Batch) -> None:
    measures = named(
        "AgP(P)", "AgP(R)", "AgP(F)", "AgP(F(beta=0.25))", "AgP(IoU)", "textF", "textIoU"
    )
    assert set(values_of(perfected(batch), measures).values()) == {1.0}


def longer(batch: Batch, by: int = 50) -> Batch:
    return replace(batch, texts={name: f"{text} {'x' * by}" for name, text in batch.texts.items()})


def without_wholes(batch: Batch) -> Batch:
    """Without anything that grows with its document."""

    def cut(topic: Topic) -> Topic:
        rows = [row for row in topic.rows if row.extent != Extent.WHOLE]
        ranges = {d: found for d, found in topic.judged.items() if (found.whole or 0) <= 0}
        return Topic(rows, ranges)

    return replace(batch, topics={name: cut(topic) for name, topic in batch.topics.items()})


@PATIENT
@given(some_batches)
def test_text_after_everything_that_matters_changes_nothing(batch: Batch) -> None:
    batch = without_wholes(batch)
    assume(has_relevant(batch))
    readers = [
        f"AgP({item}(after={after},within={within}))"
        for item in ("aveChP", "LE")
        for after in ("natural", "best")
        for within in ("document", "rank")
    ]
    readers = [name.replace("AgP(LE", "ANCE(LE") for name in readers]
    sets = [f"AgP({item})" for item in ("P", "R", "F(beta=2)", "IoU", "rel", "BEP(n=20)")]
    texts = ["textP@3", "textR", "textF(budget=9)", "textIoU", "textR(budget=3,unit=tokens)", "AiP"]
    measures = named(*readers, *sets, *texts, *("iP@0.2", "overlap", "nDCG", "gR(by=text)@3"))
    assert values_of(batch, measures) == values_of(longer(batch), measures)


@PATIENT
@given(some_batches, st.sampled_from(("document", "rank")), st.sampled_from((0, 3)))
def test_the_worst_rest_is_worst_and_the_best_is_best(
    batch: Batch, within: str, penalty: int
) -> None:
    worst, natural, best = (
        scored(
            batch,
            named(f"AgP(aveChP(after={after},within={within},passage_penalty={penalty}))"),
        ).values
        for after in ("worst", "natural", "best")
    )
    assert (worst <= natural + LITTLE).all()
    assert (natural <= best + LITTLE).all()


@PATIENT
@given(batches(topics=1).filter(has_relevant))
def test_a_patient_reader_reads_everything(batch: Batch) -> None:
    (topic,) = batch.topics.values()
    for document, judged in topic.judged.items():
        text = batch.texts[document]
        spans = relevant_of(judged, len(text))
        size = len({place for span in spans for place in range(*span)})
        rows = [row for row in topic.rows if row.document == document]
        if not size or not rows:
            continue
        one = replace(batch, topics={"q": Topic(rows, {document: judged})})
        tolerance = len(text)
        found = values_of(
            one,
            named(*(f"gP({item}(tolerance={tolerance}))@1" for item in ("T2Iprec", "T2Irecall"))),
        )
        assert list(found.values()) == [size / len(text), 1.0]


@PATIENT
@given(some_batches)
def test_recall_never_falls_with_tolerance(batch: Batch) -> None:
    measures = named(*(f"AgP(T2Irecall(tolerance={n}))" for n in (1, 2, 5, 20, 300)))
    found = scored(batch, measures).values
    assert (found[1:] >= found[:-1] - LITTLE).all()


@PATIENT
@given(some_batches)
def test_an_ideal_run_costs_nothing_at_any_rank(batch: Batch) -> None:
    ranks = range(1, 9)
    measures = named(*(f"{name}@{rank}" for name in ("NCE", "ANCE") for rank in ranks))
    assert set(values_of(perfected(batch), measures).values()) == {0.0}


@PATIENT
@given(some_batches)
def test_cumulated_effort_never_falls(batch: Batch) -> None:
    found = scored(batch, named(*(f"CE(LE(screen=2))@{rank}" for rank in range(1, 12)))).values
    assert (found[1:] >= found[:-1]).all()


@PATIENT
@given(some_batches)
def test_interpolated_precision_never_rises(batch: Batch) -> None:
    points = [number / 20 for number in range(21)]
    found = scored(batch, named(*(f"iP@{point}" for point in points), "AiP")).values
    assert (found[1:21] <= found[:20]).all()
    assert (found[21] <= found[0] + LITTLE).all()


@PATIENT
@given(some_batches)
def test_intersection_over_union_follows_from_f(batch: Batch) -> None:
    for after in ("", "@1", "@4", "(budget=7)", "(budget=3,unit=tokens)@2"):
        f, iou = scored(batch, named(f"textF{after}", f"textIoU{after}")).values
        assert iou == pytest.approx(f / (2 - f), abs=LITTLE)


def returned_whole(batch: Batch) -> Batch:
    """Each topic is about one relevant document, which is returned once, in full."""

    def one(topic: Topic) -> Topic:
        relevant = [d for d, judged in topic.judged.items() if judged.grade > 0][:1]
        rows = [Row(d, 0, len(batch.texts[d])) for d in relevant]
        return Topic(rows, {d: topic.judged[d] for d in relevant})

    topics = {name: one(topic) for name, topic in batch.topics.items()}
    return replace(batch, topics=topics, order="file")


@PATIENT
@given(some_batches)
def test_a_document_returned_in_full_is_read_sequentially_by_both(batch: Batch) -> None:
    one, two = scored(returned_whole(batch), named("genomics.passage2", "AgP(aveChP)")).values
    assert one.tobytes() == two.tobytes()
    assert one.any()


@PATIENT
@given(some_batches)
def test_merged_snippets_are_counted_as_text(batch: Batch) -> None:
    names = zip(("bioasq.P", "textP"), ("bioasq.R", "textR"), ("bioasq.F1", "textF"), strict=True)
    one, two = (scored(batch, named(*several)).values for several in names)
    assert one.tobytes() == two.tobytes()


# What is declared


MEASURES = [
    pytest.param(kind, id=f"{kind.kind}: {name}")
    for shelf in (lists(), items())
    for name, kind in shelf.items()
]


@pytest.mark.parametrize("kind", MEASURES)
def test_properties_are_declared(kind: type[Score]) -> None:
    properties = kind.properties
    assert properties.source
    assert properties.equation
    assert properties.better in ("higher", "lower", "neither")
    least, most = properties.bounds
    assert least is None or most is None or least < most
    if properties.perfect is not None:
        assert least is None or properties.perfect >= least
        assert most is None or properties.perfect <= most


@pytest.mark.parametrize("kind", MEASURES)
def test_the_documentation_has_a_formula_and_an_example_that_runs(kind: type[Score]) -> None:
    text = kind.__doc__ or ""
    assert text.count("$$") == 2
    assert "\n    where " in text
    assert "\n    Source: " in text
    assert len(text.strip().splitlines()[0]) < 100
    module = sys.modules[kind.__module__]
    example = doctest.DocTestParser().get_doctest(text, vars(module).copy(), kind.name, None, None)
    assert example.examples
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


@pytest.mark.parametrize("kind", MEASURES)
def test_every_parameter_is_tried(kind: type[Score]) -> None:
    for definition in fields(kind):
        domain, examples = domain_of(definition), examples_of(definition)
        if domain is None:
            continue
        assert len(set(examples)) > 1, f"{kind.name}: give {definition.name} examples to test"
        assert definition.default in examples, definition.name
        for value in examples:
            assert domain.check(definition.name, value) == value


@given(st.randoms(use_true_random=False), st.sampled_from(pairs()))
def test_a_name_reads_back(source: random.Random, pair: tuple[type[Score], type[Score]]) -> None:
    measure = random_measure(source, *pair)
    again = parse_measure(str(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert str(again) == str(measure)


def test_different_parameters_have_different_names() -> None:
    drawn = varied_measures(seed=3, each=20)
    assert len({str(measure) for measure in drawn}) == len(drawn)


@pytest.mark.parametrize("kind", lists().values(), ids=lists())
def test_a_cutoff_is_refused_where_there_is_none_and_required_where_it_must_be(
    kind: type[ListScore],
) -> None:
    measure = kind()
    if measure.takes is CutOff.NONE:
        with pytest.raises(MeasureError, match="takes no cut-off"):
            measure @ 5
    elif measure.takes is not CutOff.OPTIONAL_RANK:
        with pytest.raises(MeasureError, match="needs a cut-off"):
            measure.require_cutoff()
    else:
        assert measure.require_cutoff() == measure
    for cutoff in (-1, 0.5, 1.5, True):
        if "recall" in measure.takes.value and cutoff == 0.5:
            continue
        with pytest.raises(MeasureError, match="cut-off"):
            measure @ cutoff


def test_nothing_is_reached_with_no_effort() -> None:
    with pytest.raises(MeasureError, match="a recall point above 0"):
        parse_measure("ep@0")
    assert str(parse_measure("iP@0")) == "iP@0"


@pytest.mark.parametrize("cutoff", [math.inf, -math.inf, math.nan])
def test_a_cutoff_that_is_no_number_is_refused(cutoff: float) -> None:
    for name in ("gP", "iP", "textP"):
        with pytest.raises(MeasureError, match="the cut-off must be"):
            lists()[name]() @ cutoff
    with pytest.raises(MeasureError):
        parse_measure("gP@1e999")
