"""Reports as values, with everything that a page can draw: of any number of runs and topics."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from spanwise.reporting.first_screen import (
    Chip,
    Chips,
    CostPoint,
    Forest,
    ForestRow,
    FoundAgainstCost,
    Status,
    TwoCharts,
    WeakTopic,
    WeakTopics,
)
from spanwise.reporting.output import Cell, Column, Headline, Interval, Output, Plot, Row, Table
from spanwise.reporting.sections import Charts, Report, Section, Strip
from spanwise.reporting.topic_failures import (
    FailedList,
    FailedTopic,
    Group,
    Piece,
    RelevantText,
    ShownAnswer,
    TopicFailures,
)
from spanwise.text.ranges import Ranges

ARTICLES = Path(__file__).parents[2] / "src" / "spanwise" / "demo" / "articles"
MEANS = {
    **{"paragraphs": (0.44, 0.36, 0.51), "sections": (0.43, 0.37, 0.49)},
    **{"chunks": (0.38, 0.34, 0.44), "elements": (0.34, 0.28, 0.44)},
    **{"documents": (0.31, 0.26, 0.37), "sentences": (0.30, 0.23, 0.38)},
}
COSTS = {
    **{"paragraphs": (0.39, 0.56), "sections": (0.61, 0.48), "chunks": (0.43, 0.475)},
    **{"elements": (0.62, 0.60), "documents": (0.80, 0.14), "sentences": (0.13, 0.59)},
}
STRANGE = [
    *("نص عربي طويل للتجربة", "שלום-עולם", "検索実験の長い名前です", "🔎🦀 emoji run 👩‍👩‍👧"),
    *("x" * 300, "<script>window.broken=1</script>", "rtl \u202e override", "a/b\\c \"d' &amp;"),
]
QUERIES = [
    *("causes of coastal erosion and loss of land to the sea", "finding the way in fog"),
    *("what do wading birds eat on the mudflats", "natural protection against waves"),
]
DIAGNOSES = {
    "missed": "missed: no relevant document in the list",
    "wrong place": "wrong place: the right document, no relevant character",
    "late": "late: first hit at rank 9",
    "incomplete": "incomplete: 1 of 3 ranges in the first 5 answers",
    "": "",
}


@cache
def articles() -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in sorted(ARTICLES.iterdir())}


def status_of(place: int, runs: int) -> Status:
    return "best" if place == 0 else "close" if place < runs * 2 / 3 else "worse"


def forest(runs: Sequence[str], left_out: int = 0) -> Forest:
    known = list(MEANS.values())
    rows = []
    for place, run in enumerate(runs):
        mean, low, high = MEANS.get(run) or known[min(place, 5)]
        mean, low, high = (value - place / 1000 for value in (mean, low, high))
        difference = mean - 0.44 if place else None
        status = status_of(place, len(runs))
        rows.append(ForestRow(run, mean, Interval(low, high), difference, status))
    subtitle = "AgP, mean and 95% CI. Below the dotted line: significantly worse."
    return Forest("means", "Which is best, and by how much?", subtitle, tuple(rows), left_out)


def cost(runs: Sequence[str]) -> FoundAgainstCost:
    draw = random.Random(3)
    points = []
    for place, run in enumerate(runs):
        found, relevant = COSTS.get(run) or (draw.random(), draw.random())
        points.append(CostPoint(run, found, relevant, status_of(place, len(runs))))
    title = "documents finds most, but 14% of what it returns is relevant"
    return FoundAgainstCost(
        "cost", title, "Relevant text found in the first 5 answers.", tuple(points)
    )


# -- topics


def strip(document: str, length: int, relevant: object, returned: object) -> Strip:
    spans = tuple(tuple(each) for each in relevant), tuple(tuple(each) for each in returned)
    entry = spans[0][0][0] if spans[0] else None
    return Strip(document, length, True, True, *spans, entry)


def pieces(text: str, start: int, end: int, marks: dict[str, Ranges]) -> tuple[Piece, ...]:
    """A part of a text, cut where marks begin and end."""
    lists = {kind: ranges.to_lists()[0] for kind, ranges in marks.items()}
    cuts = {start, end}
    for spans in lists.values():
        cuts |= {place for span in spans for place in span if start < place < end}
    found = []
    for first, last in pairwise(sorted(cuts)):
        kind = next((k for k, spans in lists.items() if any(a <= first < b for a, b in spans)), "")
        found.append(Piece(text[first:last], kind))
    return tuple(found)


def ranges_in(draw: random.Random, text: str, count: int, longest: int) -> list[tuple[int, int]]:
    found = []
    for _ in range(count):
        start = text.rfind(" ", 0, draw.randrange(len(text) - longest)) + 1
        found.append((start, text.find(" ", start + draw.randrange(longest // 4, longest))))
    return found


def failed_topic(
    number: int, runs: Sequence[str], texts: bool, draw: random.Random, query: str
) -> FailedTopic:
    names = draw.sample(list(articles()), 4)
    wanted = {name: ranges_in(draw, articles()[name], 2, 400) for name in names[:2]}
    lists = tuple(failed_list(run, names, wanted, texts, draw) for run in runs)
    relevant = tuple(relevant_text(name, span) for name, (span, *_) in wanted.items())
    groups = ("found by no run",) if number % 3 == 0 else ()
    return FailedTopic(f"t{number:02}", query, groups, relevant if texts else (), 120, lists)


def relevant_text(name: str, span: tuple[int, int]) -> RelevantText:
    text, marks = articles()[name], {"missed": Ranges.of([[span]])}
    return RelevantText(name, (*pieces(text, *span, marks), Piece("", "", len(text) - span[1])))


def failed_list(
    run: str, names: Sequence[str], wanted: dict[str, list[tuple[int, int]]], texts: bool,
    draw: random.Random,
) -> FailedList:  # fmt: skip
    answers, strips = [], []
    for rank, name in enumerate(names[:3], 1):
        text = articles()[name]
        [span] = ranges_in(draw, text, 1, 600)
        relevant, returned = Ranges.of([wanted.get(name, [])]), Ranges.of([[span]])
        both = relevant.intersection(returned)
        marks = {"found": both, "vain": returned.difference(relevant)}
        shown = pieces(text, *span, marks) if texts else ()
        answers.append(ShownAnswer(rank, name, *span, int(both.sizes()[0]), shown))
        strips.append(strip(name, len(text), relevant.to_lists()[0], [span]))
    diagnosis = draw.choice(list(DIAGNOSES))
    value = round(draw.random() * 0.6, 3)
    return FailedList(run, value, diagnosis, DIAGNOSES[diagnosis], tuple(answers), tuple(strips), 7)


def failures(runs: Sequence[str], topics: int, with_texts: int) -> TopicFailures:
    draw = random.Random(5)
    found = [
        failed_topic(
            number,
            runs,
            number < with_texts,
            draw,
            QUERIES[number % 4] if number % 7 != 6 else f"t{number:02}",
        )
        for number in range(topics)
    ]
    places = range(len(runs))
    rows: list[Row] = [
        (kind, *(sum(topic.lists[place].diagnosis == kind for topic in found) for place in places))
        for kind in filter(None, DIAGNOSES)
    ]
    columns = (Column("why", "text"), *(Column(run, "count") for run in runs))
    none = tuple(topic.topic for topic in found if topic.groups)
    beaten = tuple(topic.topic for topic in found[1::2])
    groups = (
        Group("found by no run", none, f"No run returned relevant text for {len(none)} topics."),
        Group("the best run is beaten", beaten, "Another run does better than paragraphs here."),
    )
    why = Table("Why runs fail, in topics", columns, tuple(rows))
    return TopicFailures("AgP", 5, why, groups, found, with_texts)


def weak(found: TopicFailures) -> WeakTopics:
    topics = tuple(
        WeakTopic(topic.topic, topic.title, "0.15; chunks gets 0.25", topic.lists[0].strips[:2])
        for topic in found.topics[:3]
    )
    subtitle = "Its three weakest topics and their two largest relevant documents."
    return WeakTopics("Where does paragraphs fail?", subtitle, topics)


# -- the whole


def curves(runs: Sequence[str]) -> Charts:
    places = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
    series = tuple(
        (run, tuple((0.6 - n / 40) / (1 + 0.2 * place) + n / 200 for place in range(6)))
        for n, run in enumerate(runs)
    )
    plots = [
        Plot(f"gP@r, {n}", "rank r", "generalised precision gP", places, series, True)
        for n in (1, 2)
    ]
    return Charts(
        tuple((f"curve-{n}", plot) for n, plot in enumerate(plots, 1)), tuple(runs), "run"
    )


def matrix(runs: Sequence[str]) -> Table:
    def cell(row: int, column: int) -> Cell:
        value = (column - row) / 50
        tone = "" if abs(row - column) < 2 else "better" if value > 0 else "worse"
        return Cell(value, "*" if tone else "", interval=Interval(value - 0.05, value + 0.05),
                    remark="p 0.010", tone=tone)  # fmt: skip

    rows: list[Row] = [
        (run, *(cell(n, m) if n != m else Cell(None) for m in range(len(runs))))
        for n, run in enumerate(runs)
    ]
    return Table(
        "AgP: row minus column",
        (Column("run", "text"), *(Column(run, "signed") for run in runs)),
        tuple(rows),
    )


def report_value(
    runs: Sequence[str] = tuple(MEANS), topics: int = 14, with_texts: int = 14, left_out: int = 0
) -> Report:
    drawn = list(runs[:40])
    found = failures(drawn if len(runs) <= 40 else drawn[:6], topics, with_texts)
    chips = Chips((
        Chip("tested", "tested: paired randomisation, Holm"),
        Chip("caution", "52% of retrieved documents are unjudged"),
        Chip("next", "about 340 topics would separate sections from paragraphs"),
    ))  # fmt: skip
    lead = (
        Headline("paragraphs leads, but four of the six runs are too close to call"),
        "paragraphs scores 0.44 by AgP. sections, chunks and elements are behind by 0.01 to 0.10,"
        " not significant on 14 topics. documents and sentences are significantly behind, by 0.13"
        " and 0.14.",
        chips,
        TwoCharts((forest(drawn, left_out), cost(runs))),
        weak(found),
    )
    sections = (
        Section("topics", "Why runs fail", (found,)),
        Section("pairs", "Significance", (matrix(drawn[:12]),)),
        Section("curves", "Curves", (curves(drawn[:12]),)),
    )
    title = f"{len(runs)} runs on {topics} topics"
    return Report(Output("report", title=title, settings={"seed": 1}), lead, sections)
