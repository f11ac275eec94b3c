"""Tables of a comparison of assessors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spanwise.assessing.agreement import LEVELS, Agreement, Level, PairAgreement, Statistic
from spanwise.assessing.disagreements import Disagreement
from spanwise.reporting.output import Cell, Column, Row, Table, Value
from spanwise.reporting.topic_names import topic_name
from spanwise.text.sentences import counted

MOST_TOPICS, MOST_DOCUMENTS = 20, 10
"""Rows that people read in a terminal; programs get all of them."""
HEADS: Mapping[Statistic, str] = {
    "kappa": "kappa",
    "alpha": "alpha",
    "alpha_u": "alpha_u",
    "f1": "F1",
    "overlap": "overlap",
}
LEGEND = (
    "kappa: Cohen. alpha: Krippendorff, nominal. alpha_u: Krippendorff's for unitizing (1995),"
    " squared differences of passages. overlap: shared by both, of what either found. An element"
    " counts as relevant when any of its text is; elements inside lines, such as bold words and"
    " links, are left out"
)
IN_COMMON = "Beside each level: relevant to both, of those relevant to either"
POOLED = "Pooled over {topics}; a value of 1 is perfect, kappa and alpha of 0 no better than chance"


def levels_table(pair: PairAgreement) -> Table:
    """A row for each level, a column for each statistic."""
    columns = (Column("level", "text"), *map(Column, HEADS.values()))
    title = POOLED.format(topics=counted(len(pair.topics), "topic"))
    rows = tuple(tuple(_level(pair, level)) for level in LEVELS if level in pair.counts)
    return Table(title, columns, rows, f"{IN_COMMON}. {LEGEND}", transposed="statistic")


def _level(pair: PairAgreement, level: Level) -> Iterator[Value | Cell]:
    whole = pair.counts[level].together()
    shared, either = int(whole.both[0]), int(whole.either[0])
    yield Cell(f"{level}s", remark=f"{shared:,} of {either:,}")
    yield from (pair.pooled(level, statistic) for statistic in HEADS)


# -- topic by topic


def shown_level(pair: PairAgreement) -> Level:
    """The finest level that can be compared."""
    return "character" if "character" in pair.counts else "document"


def by_overlap(pair: PairAgreement) -> list[tuple[str, float]]:
    """Topics with the overlap of their finest level, the lowest first."""
    found = pair.of(shown_level(pair), "overlap")
    if found is None:
        return []
    values = zip(pair.topics, found.by_topic, strict=True)
    return sorted(((t, v) for t, v in values if v == v), key=lambda one: (one[1], one[0]))


def topics_table(
    pair: PairAgreement, queries: Mapping[str, str], most: int | None = MOST_TOPICS
) -> Table | None:
    """Topics, the lowest overlap first; None without any."""
    level = shown_level(pair)
    topics = by_overlap(pair)
    if not topics:
        return None
    statistics: tuple[Statistic, ...] = ("kappa", "alpha", "alpha_u", "f1")
    found = (pair.of(level, one) for one in statistics)
    own = [one for one in found if one is not None and any(v == v for v in one.by_topic)]
    place = {topic: number for number, topic in enumerate(pair.topics)}
    columns = (
        Column("topic", "text", clips=True),
        Column("overlap"),
        *(Column(HEADS[found.statistic]) for found in own),
    )
    rows: list[Row] = [
        (topic_name(topic, queries), overlap, *(_known(one.by_topic[place[topic]]) for one in own))
        for topic, overlap in topics[:most]
    ]
    if more := len(topics) - len(rows):
        rows.append(f"{counted(more, 'more topic')}; the rows of other formats have all")
    return Table(f"By topic, over {level}s, lowest overlap first", columns, tuple(rows))


def _known(value: float) -> float | None:
    return value if value == value else None


# -- document by document


def documents_table(
    pair: PairAgreement,
    differ: Sequence[Disagreement],
    queries: Mapping[str, str],
    most: int | None = MOST_DOCUMENTS,
) -> Table | None:
    """Where they disagree, in characters; None where they do not."""
    if not differ:
        return None
    columns = (
        Column("document", "text", clips=True),
        Column("topic", "text", clips=True),
        Column("both", "count"),
        *(Column(f"{name} only", "count") for name in (pair.first, pair.second)),
    )
    rows: list[Row] = [
        (
            *(one.document, topic_name(one.topic, queries)),
            *(one.both, one.first_only, one.second_only),
        )
        for one in differ[:most]
    ]
    if more := len(differ) - len(rows):
        rows.append(f"{counted(more, 'more document')} with different highlights")
    title = f"{counted(len(differ), 'document')} with different highlights, in characters"
    return Table(title, columns, tuple(rows))


# -- more than two assessors


def joint_table(agreement: Agreement) -> Table:
    """Krippendorff's alpha of all assessors, level by level."""
    joint = agreement.joint
    assert joint is not None
    documents = counted(joint.documents, "document")
    title = f"All {len(agreement.assessors)} assessors, {documents} judged by at least two of them"
    rows = tuple((f"{one.level}s", _known(one.pooled)) for one in joint.coefficients)
    legend = "alpha: Krippendorff, nominal, over what at least two of them judged"
    return Table(title, (Column("level", "text"), Column("alpha")), rows, legend)


def pairs_table(agreement: Agreement) -> Table:
    """A row for every two assessors."""
    shown: tuple[tuple[Level, Statistic], ...] = (
        *(("document", name) for name in ("kappa", "overlap")),
        *(("element", name) for name in ("kappa", "overlap")),
        *(("character", name) for name in ("kappa", "alpha", "alpha_u", "overlap")),
    )
    known = [one for one in shown if any(one[0] in pair.counts for pair in agreement.pairs)]
    columns = (
        Column("assessors", "text"),
        Column("documents", "count"),
        *(Column(f"{HEADS[name]}, {level}s") for level, name in known),
    )
    rows = tuple(
        (
            f"{pair.first} and {pair.second}",
            pair.documents,
            *(pair.pooled(level, name) for level, name in known),
        )
        for pair in agreement.pairs
    )
    return Table("Every two assessors", columns, rows, LEGEND, transposed="statistic")
