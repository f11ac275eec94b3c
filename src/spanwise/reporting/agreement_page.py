"""The page of a comparison of assessors: the finding, coefficients, topics, strips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from spanwise.assessing.agreement import PairAgreement
from spanwise.assessing.disagreements import Disagreement
from spanwise.errors import option
from spanwise.reporting.agreement_findings import (
    about,
    finding,
    judged_by_both,
    one_sided,
)
from spanwise.reporting.agreement_tables import (
    by_overlap,
    joint_table,
    levels_table,
    pairs_table,
    shown_level,
    topics_table,
)
from spanwise.reporting.disagreement_items import (
    DifferingDocument,
    Disagreements,
    ShareBars,
    ShareRow,
)
from spanwise.reporting.first_screen import Chip, Chips
from spanwise.reporting.output import Headline, Output
from spanwise.reporting.render.cells import clipped, told_apart
from spanwise.reporting.sections import (
    Beside,
    Download,
    Downloads,
    FinePrint,
    Item,
    Report,
    Section,
    SharedStrip,
    Spans,
)
from spanwise.reporting.topic_names import LONGEST_QUERY, shortened
from spanwise.text.ranges import Ranges
from spanwise.text.sentences import counted

if TYPE_CHECKING:
    from spanwise.reporting.agreement import AgreementResult

MOST_BARS, MOST_NUMBERS = 20, 200
"""Topics that are drawn, and topics whose numbers are in the page."""
AT_ONCE, MOST_STRIPS = 8, 500
"""Documents shown at once, and in the whole page."""
MOST_PAIRS = 10
"""Of more pairs of assessors only the table tells."""
MOST_VALUES = 500
"""Of coefficients that the page carries along."""
LONGEST_TITLE = 60
NOTHING = "They highlighted the same text in every document that both judged."


def agreement_report(result: AgreementResult, output: Output) -> Report:
    """The page as a value; ``output`` is what it shows in other forms."""
    agreement = result.agreement
    several = agreement.joint is not None
    sections = _each_pair(result) if several else _two(result, agreement.pairs[0])
    return Report(
        output=output,
        lead=tuple(_of_several(result) if several else _of_two(result, agreement.pairs[0])),
        sections=tuple(sections),
        skip="the disagreements",
        stops="document",
        names=agreement.assessors,
    )


# -- two assessors


def _of_two(result: AgreementResult, pair: PairAgreement) -> Iterator[Item]:
    yield Headline(finding(result.agreement))
    yield from filter(None, [about(pair)])
    yield from _facts(result, pair, "chart")
    yield from _downloads(result)


def _facts(result: AgreementResult, pair: PairAgreement, name: str) -> Iterator[Item]:
    """Chips, the coefficients, and the topics that divide the two."""
    chips = (
        Chip("tested", judged_by_both(pair)),
        *(Chip("fact", said) for said in filter(None, [result.surest(pair)])),
        *(Chip("caution", said) for said in filter(None, [one_sided(pair)])),
    )
    yield Chips(chips)
    bars = topic_bars(pair, result.agreement.queries, name)
    yield Beside((levels_table(pair), *([] if bars is None else [bars])))


def _two(result: AgreementResult, pair: PairAgreement) -> Iterator[Section]:
    yield Section("documents", "Where do they disagree?", tuple(_documents(result, pair)))


def _documents(result: AgreementResult, pair: PairAgreement) -> Iterator[Item]:
    differ = result.disagreements(pair)
    if not differ:
        yield NOTHING
        return
    what = counted(len(differ), "document")
    settle, command = "", result.adjudication(pair)
    if command:
        settle = f" To decide them one by one: {command}"
    yield f"{what} with different highlights, the largest differences first.{settle}"
    yield disagreement_strips(pair, differ, result.agreement.queries)


def _downloads(result: AgreementResult) -> Iterator[Item]:
    """All values, where the page has room for them."""
    values = len(result.output().rows.items)
    if values <= MOST_VALUES:
        yield Downloads("values", (Download("agreement", ("csv",)),))
    else:
        yield FinePrint(f"All {values:,} values: {option('output', 'csv')}.")


# -- more than two


def _of_several(result: AgreementResult) -> Iterator[Item]:
    yield Headline(finding(result.agreement))
    yield joint_table(result.agreement)
    yield pairs_table(result.agreement)
    yield from _downloads(result)


def _each_pair(result: AgreementResult) -> Iterator[Section]:
    pairs = result.agreement.pairs
    for number, pair in enumerate(pairs[:MOST_PAIRS], 1):
        items = [*filter(None, [about(pair)]), *_facts(result, pair, f"chart-{number}")]
        if number == 1 and len(pairs) > MOST_PAIRS:
            items.append(FinePrint(f"The first {MOST_PAIRS} of {len(pairs):,} pairs are shown."))
        items += _documents(result, pair)
        yield Section(f"pair-{number}", f"{pair.first} and {pair.second}", tuple(items))


# -- topics as bars


def topic_bars(pair: PairAgreement, queries: Mapping[str, str], name: str) -> ShareBars | None:
    """The overlap of each topic, the lowest first; None without any."""
    topics, level = by_overlap(pair), shown_level(pair)
    if not topics:
        return None
    which = "lowest first"
    if len(topics) > MOST_BARS:
        which = f"the {MOST_BARS} lowest of {len(topics):,}"
    return ShareBars(
        name,
        _divides(topics, queries),
        f"Overlap of relevant {level}s for each topic, {which}.",
        tuple(ShareRow(_title(t, queries), v) for t, v in topics[:MOST_BARS]),
        pair.pooled(level, "overlap"),
        topics_table(pair, queries, MOST_NUMBERS),
    )


def _divides(topics: Sequence[tuple[str, float]], queries: Mapping[str, str]) -> str:
    """The finding of the chart."""
    lowest, highest = topics[0][1], topics[-1][1]
    if lowest == highest:
        return f"Every topic has overlap {told_apart(lowest)[0]}"
    same = [topic for topic, value in topics if value == lowest]
    if len(same) > 1:
        return f"{counted(len(same), 'topic')} divide them most"
    lowest_one = clipped(_title(same[0], queries), LONGEST_TITLE).replace("...", "…")
    return f"“{lowest_one}” divides them most"


def _title(topic: str, queries: Mapping[str, str]) -> str:
    """The query of a topic, or its id."""
    return shortened(queries.get(topic, ""), LONGEST_QUERY) or topic


# -- documents as strips


def disagreement_strips(
    pair: PairAgreement, differ: Sequence[Disagreement], queries: Mapping[str, str]
) -> Disagreements:
    """What each of them highlighted, document by document."""
    documents = tuple(
        DifferingDocument(
            one.topic,
            _title(one.topic, queries),
            _strip(one),
            tuple(_alone(pair, one)),
        )
        for one in differ[:MOST_STRIPS]
    )
    left_out = len(differ) - len(documents)
    return Disagreements(pair.first, pair.second, documents, AT_ONCE, left_out)


def _alone(pair: PairAgreement, one: Disagreement) -> Iterator[str]:
    for name, count in ((pair.first, one.first_only), (pair.second, one.second_only)):
        if count:
            yield f"{count:,} {name} only"


def _strip(one: Disagreement) -> SharedStrip:
    either: Spans = tuple(Ranges.of([[*one.first, *one.second]]).to_lists()[0])
    known = one.length_known
    return SharedStrip(one.document, one.length, known, either, one.first, one.second)
