"""Every registered measure against the slow twin: exact on counts, within 1e-12 on scores."""

from __future__ import annotations

import math
import random
import zlib
from dataclasses import fields
from functools import cache

import pytest

from cases import (
    CUTOFFS,
    LONG_LENGTHS,
    Batch,
    Judged,
    Row,
    Topic,
    assessments_of,
    case_of,
    documents_of,
    every_pair,
    fitting_items,
    has_relevant,
    pair_name,
    random_batch,
    random_measure,
    random_score,
    run_of,
    scored,
    seeded_batch,
    values_of,
)
from oracles.slow import (
    Case,
    NothingToGainError,
    Page,
    RefusedError,
    UndefinedError,
    curve,
    gained,
    pages_of,
    relevant_documents,
    relevant_text,
    score,
)
from oracles.slow import overlap as slow_overlap
from oracles.slow_gains import Gained
from oracles.slow_lists import value_of
from oracles.slow_pages import distance, is_relevant, relevant_characters, returned_and_found
from oracles.twins import item_twin, list_twin, missing, parse_item, parse_list
from spanwise.data.run import Extent
from spanwise.errors import InputError, MeasureError, NeedError
from spanwise.evaluation.align import align
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes, Overlap, Policy
from spanwise.evaluation.views import rankings_of
from spanwise.measures.base import GainScore, ListScore, Need, Score
from spanwise.measures.grammar import Asked, parse_measure
from spanwise.measures.parameters import domain_of
from spanwise.measures.reading_score import ReadingScore
from spanwise.measures.registry import items, lists
from spanwise.measures.views.pages import Rankings

Pair = tuple[type[Score], type[Score] | None]


def is_literal(pair: Pair) -> bool:
    """May it be asked for with overlapping answers as they are?"""
    kind, item = pair
    return kind.literal and (item is None or item.literal)


def parameters(pairs: list[Pair]) -> list[object]:
    return [pytest.param(pair, id=pair_name(pair)) for pair in pairs]


def is_gain(pair: Pair) -> bool:
    return pair[1] is not None and issubclass(pair[1], GainScore)


PLAIN = [pair for pair in every_pair() if not is_gain(pair)]
GAINS = parameters([pair for pair in every_pair() if is_gain(pair)])
ONE_GAIN_LIST = [pair for pair in every_pair() if is_gain(pair) and pair[0] is lists()["nxCG"]]
EVERY = parameters([*PLAIN, *ONE_GAIN_LIST])
"""All that see the data in their own way: of the gain lists, which see only gains, one."""
LITERAL = parameters([pair for pair in every_pair() if is_literal(pair)])
UNION_ONLY = parameters([pair for pair in every_pair() if not is_literal(pair)])
READERS = parameters(
    [pair for pair in every_pair() if pair[1] and issubclass(pair[1], ReadingScore)]
)
LEAST = 1000
TOPICS = 1300
"""Enough for LEAST of them to have relevant text."""
DRAWN = 26
"""Measures with different parameters that share the topics of a batch."""


def near(found: float, expected: float) -> bool:
    return abs(found - expected) <= 1e-12 * max(1.0, abs(expected))


def seed_of(pair: Pair) -> int:
    return zlib.crc32(pair_name(pair).encode())


def drawn(pair: Pair, count: int = DRAWN) -> list[ListScore]:
    source = random.Random(seed_of(pair))
    return [random_measure(source, *pair) for _ in range(count)]


def compare(batch: Batch, measures: list[ListScore], overlap: Overlap = "union") -> int:
    """Score everything at once, ask the twin topic by topic; how many topics had a value?"""
    found = scored(batch, measures, Policy(overlap=overlap))
    values = dict(zip(found.topics, found.values.T.tolist(), strict=True))
    compared = 0
    for number, topic in enumerate(batch.topics):
        chosen = number % len(measures)
        name = str(measures[chosen])
        try:
            expected = score(name, case_of(batch, topic, overlap))
        except NothingToGainError:
            assert topic not in values or math.isnan(values[topic][chosen])
            continue
        except UndefinedError:
            assert topic not in values
            continue
        assert near(values[topic][chosen], expected), (name, batch.topics[topic], expected)
        compared += 1
    return compared


# Every measure has a twin


MEASURES = [*lists().values(), *items().values()]


@pytest.mark.parametrize("kind", MEASURES, ids=lambda kind: f"{kind.kind}: {kind.name}")
def test_every_measure_has_a_slow_twin(kind: type[Score]) -> None:
    found = list_twin(kind.name) if issubclass(kind, ListScore) else item_twin(kind.name)
    parameters = {d.name: d.default for d in fields(kind) if domain_of(d) is not None}
    assert found is not None, missing(kind.kind, kind.name, parameters)


def test_a_missing_twin_is_described() -> None:
    assert missing("document score", "damped", {"c": 100.0}) == (
        "damped has no slow twin to be compared with: write a function"
        ' @twin("document score") def damped(page: Page, c: float = 100.0) -> float'
        " in a new file of tests/oracles/ (see tests/oracles/twins.py)"
    )


# Scores


@pytest.mark.parametrize("pair", parameters(PLAIN))
def test_scores(pair: Pair) -> None:
    assert compare(topics_for(pair), drawn(pair)) >= LEAST


def topics_for(pair: Pair) -> Batch:
    """Topics that a measure shares with some others.

    More of them are undefined where only some elements are worth anything.
    """
    return shared(7 if Need.ELEMENTS in pair[0]().needs() else seed_of(pair) % 7)


@cache
def shared(number: int) -> Batch:
    return seeded_batch(number, TOPICS + 600 * (number == 7))


@pytest.mark.parametrize("pair", LITERAL)
def test_scores_of_overlapping_text_as_it_is(pair: Pair) -> None:
    assert compare(topics_for(pair), drawn(pair), "as-is") >= LEAST


@pytest.mark.parametrize("pair", UNION_ONLY)
def test_overlapping_text_as_it_is_is_refused(pair: Pair) -> None:
    measure, batch = drawn(pair, 1)[0], seeded_batch(1, 9)
    with pytest.raises(MeasureError, match="use union"):
        scored(batch, [measure], Policy(overlap="as-is"))
    with pytest.raises(RefusedError):
        score(str(measure), case_of(batch, next(iter(batch.topics)), "as-is"))


@pytest.mark.parametrize("pair", READERS)
def test_scores_of_long_documents(pair: Pair) -> None:
    batch = seeded_batch(seed_of(pair) + 2, 40, lengths=LONG_LENGTHS)
    assert compare(batch, drawn(pair, 10)) >= 20


def test_every_list_has_an_item_that_fits() -> None:
    assert all(fitting_items(kind) for kind in lists().values())


# Gains: the vectors of a gain are made once, for all lists over them


class ManyGains:
    """Many topics, a gain with different parameters, and what the twin says about them."""

    def __init__(self, kind: type[Score]) -> None:
        batch = seeded_batch(zlib.crc32(kind.name.encode()), 2 * TOPICS)
        source = random.Random(5)
        self.items = [random_score(source, kind) for _ in range(3 * DRAWN)]
        self.rankings = aligned(batch, "union")
        names = [parse_item(str(item)) for item in self.items]
        self.slow = [
            gained(case_of(batch, topic), names[number % len(names)])
            for number, topic in enumerate(self.rankings.topics)
        ]

    def fast(self, number: int) -> Gained:
        """The gains of a topic as the kernel gives them."""
        gains = self.rankings.gains(self.items[number % len(self.items)])
        rows = slice(*gains.offsets[number : number + 2])
        ideal = slice(*gains.ideal_offsets[number : number + 2])
        undrawn = int(gains.undrawn[number])
        return Gained(gains.gain[rows].tolist(), gains.ideal[ideal].tolist(), undrawn)


many_gains = cache(ManyGains)


@pytest.mark.parametrize("name", [name for name, kind in items().items() if kind.kind == "gain"])
def test_gains(name: str) -> None:
    found = many_gains(items()[name])
    for number, slow in enumerate(found.slow):
        item = str(found.items[number % len(found.items)])
        fast = found.fast(number)
        assert fast.gains == pytest.approx(slow.gains, rel=0, abs=1e-12), (item, number)
        assert fast.ideal == pytest.approx(slow.ideal, rel=0, abs=1e-12), (item, number)
        assert fast.undrawn == slow.undrawn, (item, number)
    assert sum(any(slow.gains) for slow in found.slow) >= LEAST
    assert sum(0 < (slow.undrawn or 0) < len(slow.ideal) for slow in found.slow) >= LEAST // 4


@pytest.mark.parametrize("pair", GAINS)
def test_scores_of_gains(pair: Pair) -> None:
    kind, item = pair
    assert item is not None
    found, source = many_gains(item), random.Random(seed_of(pair))
    measures = [random_list(source, kind, item) for item in found.items]
    values = [measure.score(found.rankings) for measure in measures]
    compared = 0
    for number, slow in enumerate(found.slow):
        chosen = number % len(measures)
        value = float(values[chosen][number])
        if not slow.ideal:
            assert math.isnan(value)
            continue
        name = parse_list(str(measures[chosen]))
        expected = value_of(name, slow)
        assert near(value, expected), (str(measures[chosen]), slow)
        compared += 1
    assert compared >= LEAST


def random_list(source: random.Random, kind: type[Score], item: Score) -> ListScore:
    measure = random_score(source, kind, item)
    assert isinstance(measure, ListScore)
    cutoff = source.choice(CUTOFFS[measure.takes])
    return measure if cutoff is None else measure @ cutoff


# Counts


def aligned(batch: Batch, overlap: Overlap) -> Rankings:
    assessments = assessments_of(batch).with_lengths(batch.lengths)
    return rankings_of(
        align(run_of(batch), assessments, Policy(overlap=overlap), Notes(), documents_of(batch))
    )


def pages_in(case: Case) -> list[tuple[int, Page]]:
    """The relevant pages, with their ranks."""
    ranked = enumerate(pages_of(case).values(), start=1)
    return [(rank, page) for rank, page in ranked if is_relevant(page)]


@pytest.mark.parametrize("overlap", ["union", "as-is"])
def test_counts(overlap: Overlap) -> None:
    batch = seeded_batch(7, TOPICS)
    rankings = aligned(batch, overlap)
    pages, reading = rankings.pages, rankings.curve
    answers, meeting = rankings.overlapping
    assert len(rankings) >= LEAST
    for number, topic in enumerate(rankings.topics):
        case = case_of(batch, topic, overlap)
        rows = slice(*rankings.offsets[number : number + 2])
        expected = pages_in(case)
        found = zip(
            pages.rank[rows].tolist(),
            pages.returned_size[rows].tolist(),
            pages.common_size[rows].tolist(),
            pages.relevant_size[rows].tolist(),
            pages.entry_distance[rows].tolist(),
            strict=True,
        )
        assert list(found) == [
            (rank, *returned_and_found(page), len(relevant_characters(page)), distance(page))
            for rank, page in expected
        ]
        steps = slice(*reading.offsets[number : number + 2])
        points = zip(reading.read[steps].tolist(), reading.found[steps].tolist(), strict=True)
        assert list(points) == curve(case)
        assert rankings.length[number] == len(pages_of(case))
        assert rankings.relevant_documents[number] == len(relevant_documents(case))
        assert rankings.relevant_text[number] == relevant_text(case)
        assert answers[number] == len(case.answers)
        assert meeting[number] == round(slow_overlap(case) * len(case.answers))


def test_total_counts() -> None:
    batch = seeded_batch(8, 200)
    cases = [case_of(batch, topic) for topic in batch.topics]
    cases = [case for case in cases if relevant_documents(case)]
    pages = [page for case in cases for _, page in pages_in(case)]
    counts = scored(batch, [parse_measure("AgP")]).counts
    assert counts.topics == len(cases)
    assert counts.answers == sum(len(topic.rows) for topic in batch.topics.values())
    assert counts.documents == sum(len(pages_of(case)) for case in cases)
    assert counts.relevant_documents == sum(len(relevant_documents(case)) for case in cases)
    assert counts.relevant_found == len(pages)
    assert counts.relevant_characters == sum(relevant_text(case) for case in cases)
    assert counts.characters_found == sum(returned_and_found(page)[1] for page in pages)


# What is rare


@pytest.mark.parametrize("pair", EVERY)
def test_unknown_lengths(pair: Pair) -> None:
    """A score without lengths is the score of the twin with the true ones: never a guess."""
    compared = 0
    for seed, measure in enumerate(drawn(pair, 60)):
        batch = random_batch(random.Random(seed), 1)
        batch.lengths_judged = False
        topic = next(iter(batch.topics))
        impossible = {Need.MEAN_LENGTH, Need.TEXT, Need.ELEMENTS, Need.CHUNKS}
        if not has_relevant(batch) or measure.needs() & impossible:
            continue
        try:
            evaluation = Evaluation(assessments_of(batch), (Asked("it", measure),))
            found = evaluation.score([run_of(batch)], "x")
            expected = score(str(measure), case_of(batch, topic))
        except (NeedError, NothingToGainError):
            continue
        assert near(found.values[0, 0], expected), (str(measure), batch.topics[topic])
        compared += 1
    impossible = {Need.MEAN_LENGTH, Need.ELEMENTS, Need.CHUNKS}
    assert compared >= 5 or drawn(pair, 1)[0].needs() & impossible


@pytest.mark.parametrize("name", ["AgP(F)", "AgP(IoU)", "AgP(T2If)", "AgP(ChP)", "textP", "AiP"])
def test_a_length_that_is_needed_is_never_guessed(name: str) -> None:
    topic = Topic([Row("d", extent=Extent.WHOLE)], {"d": Judged([(0, 1, 1)])})
    batch = Batch({"d": "text"}, {"q": topic}, lengths_judged=False)
    evaluation = Evaluation(assessments_of(batch), (Asked(name, parse_measure(name)),))
    with pytest.raises(NeedError, match="document d"):
        evaluation.score([run_of(batch)], "x")


@pytest.mark.parametrize("point", [0.1 + 0.2, 1 / 3, 0.999999999999999, 1e-12])
def test_recall_points_of_many_digits(point: float) -> None:
    """Such thresholds are decided in whole numbers too, however large these become."""
    names = [f"d{number}" for number in range(2200)]
    topic = Topic(
        [Row(document, 0, 20) for document in names],
        {document: Judged([(0, 20, 1)]) for document in names[1000:]},
    )
    batch = Batch(dict.fromkeys(names, "x" * 20), {"q": topic})
    measures = [parse_measure(f"iP@{point}"), parse_measure(f"igP@{point}")]
    assert list(values_of(batch, measures).values()) == [1200 / 2200] * 2


def test_entry_points_without_text() -> None:
    batch = random_batch(random.Random(3), 60, 20)
    for topic in batch.topics.values():
        topic.rows = [row for row in topic.rows if row.extent == Extent.RANGE]
    names = ["AgP(BEP(n=20))", "gP(BEPD(A=1))@3", "AgP(aveChP(start=bep))", "AP"]
    measures = [parse_measure(name) for name in names]
    expected = values_of(batch, measures)
    for topic in batch.topics.values():
        topic.rows = [
            Row(r.document, r.start, r.start, Extent.POINT, r.score, r.rank) for r in topic.rows
        ]
    assert values_of(batch, measures) == expected
    for name in ("AgP(F)", "AgP(aveChP)", "textR", "AiP", "ANCE"):
        with pytest.raises(NeedError):
            scored(batch, [parse_measure(name)])


def test_empty_documents_that_are_relevant_are_refused() -> None:
    """Judged relevant as a whole, but without a character: nothing there can be read or found."""
    topic = Topic([Row("d", extent=Extent.WHOLE)], {"d": Judged(whole=1)})
    batch = Batch({"d": "", "e": "text"}, {"q": topic})
    with pytest.raises(InputError, match=r"relevant document d \(topic q\) of length 0"):
        scored(batch, [parse_measure("textR")])


def test_empty_documents_that_are_not_relevant_do_no_harm() -> None:
    rows = [Row("d", extent=Extent.WHOLE), Row("e", 0, 4)]
    topic = Topic(rows, {"d": Judged(whole=0), "e": Judged([(0, 4, 1)], aspects=[("A",)])})
    measures = [drawn(pair, 1)[0] for pair in PLAIN if pair[0] is not lists()["inex_eval"]]
    batch = Batch({"d": "", "e": "text"}, {f"q{n}": topic for n, _ in enumerate(measures)})
    assert compare(batch, measures) == len(measures)
