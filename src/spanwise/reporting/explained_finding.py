"""What an explanation found, in sentences that hold for every measure and every list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.evaluation.explain import Explanation, Totals
from spanwise.reporting.render.cells import two_digits
from spanwise.reporting.topic_names import LONGEST_QUERY, topic_name
from spanwise.text.sentences import counted, enumerated

MOST_VALUES = 2
"""Measures whose values are in the headline."""


def title_of(explanations: Sequence[Explanation]) -> str:
    """Which list is explained."""
    first = explanations[0]
    runs = list(dict.fromkeys(one.run for one in explanations))
    queries = {first.topic: first.query} if first.query else {}
    about = f"run {runs[0]}" if len(runs) == 1 else counted(len(runs), "run")
    document = "" if first.document is None else f", document {first.document}"
    return f"{about}, topic {topic_name(first.topic, queries, LONGEST_QUERY)}{document}"


def finding(explanations: Sequence[Explanation]) -> str:
    """What the values are, and what made them."""
    first = explanations[0]
    if first.document is None:
        return f"{_values(explanations)}: {_retrieved(first.totals)}"
    if _is_missed(first):
        return f"{first.document} is relevant, but not in the list: {_values(explanations)}"
    scored = next((one for one in explanations if one.score is not None), None)
    if scored is None or scored.score is None:
        return f"{_values(explanations)}; below is what {first.document} has to do with it"
    said = (
        f"{first.document} scores {two_digits(scored.score)} inside {_name(scored, explanations)}"
    )
    return said if scored.reading is None else f"{said}: {_returned(scored)}"


def sentences(explanations: Sequence[Explanation]) -> Iterator[str]:
    """How the first value follows, and what it follows from."""
    first = explanations[0]
    if first.document is not None:
        yield f"{_values(explanations)}: {_retrieved(first.totals)}."
    result = first.table.result
    detail = "" if first.detail is None else first.detail.result
    if first.document is not None and detail:
        yield f"{first.document}: {detail}."
    elif result:
        yield f"{result}."


def _values(explanations: Sequence[Explanation]) -> str:
    """The values of the first measures."""
    said = [_value(one, explanations) for one in explanations[:MOST_VALUES]]
    rest = len(explanations) - MOST_VALUES
    return enumerated([*said, f"{rest} more below"] if rest > 0 else said)


def _value(one: Explanation, explanations: Sequence[Explanation]) -> str:
    value = "not defined" if one.value is None else two_digits(one.value)
    return f"{_name(one, explanations)} is {value}"


def _name(one: Explanation, explanations: Sequence[Explanation]) -> str:
    several = len({each.run for each in explanations}) > 1
    return f"{one.measure} of {one.run}" if several else one.measure


def _retrieved(totals: Totals) -> str:
    every = totals.relevant_documents
    found = every - len(totals.missed)
    if every == 1:
        return f"the only relevant document is {'' if found else 'not '}in the list"
    if not found:
        return f"none of the {every:,} relevant documents is in the list"
    if found == every:
        return f"all {every:,} relevant documents are in the list"
    are = "is" if found == 1 else "are"
    return f"{found:,} of the {every:,} relevant documents {are} in the list"


def _is_missed(one: Explanation) -> bool:
    return any(missed.document == one.document for missed in one.totals.missed)


def _returned(one: Explanation) -> str:
    """How much of the relevant text of a document that is read was returned."""
    found = one.reading
    assert found is not None
    share = found.at(found.returned).found / found.relevant
    if not share:
        return "nothing of its relevant text was returned"
    if share == 1:
        return "all of its relevant text was returned"
    return f"{share_words(share)} of its relevant text was returned"


def share_words(share: float) -> str:
    """A share that is neither nothing nor everything; it never looks as if it were.

    >>> share_words(0.634), share_words(0.001), share_words(0.999)
    ('63%', 'less than 1%', 'more than 99%')
    """
    if share < 0.01:
        return "less than 1%"
    return "more than 99%" if share > 0.99 else f"{share:.0%}"
