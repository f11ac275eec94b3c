"""What measures make of missing documents, told beside the orderings of fidelity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.lab.chapter import Column, Table, Value
from spanwise.lab.chapters.wording import counted, listed
from spanwise.lab.missing_documents import MissingDocuments
from spanwise.lab.orderings import Ordering
from spanwise.lab.simulated.partial_runs import DELAY

SEVERAL = "two or more relevant documents"


def sentences(found: Sequence[MissingDocuments]) -> Iterator[str]:
    """How many measures pass, and what is wrong with the others."""
    if not found:
        return
    tested, passed = [one for one in found if one.several], [one for one in found if one.passes]
    if not tested:
        yield f"Missing documents are not tested: no topic has {SEVERAL}."
    elif len(found) == 1 and passed:
        yield (
            f"{found[0].measure} sees missing documents, never rewards them, and does not punish"
            f" finding one late, on {_topics(found[0])}."
        )
    elif len(found) > 1:
        verb = "sees" if len(passed) == 1 else "see"
        yield (
            f"{len(passed)} of {len(found)} measures {verb} missing documents without rewarding"
            " them, and without punishing a document that is found late."
        )
    yield from (f"{one.measure} {fault(one)}." for one in found if not one.passes)


def _topics(one: MissingDocuments) -> str:
    return f"{counted(one.several, 'topic')} with {SEVERAL}"


def fault(one: MissingDocuments) -> str:
    """What is wrong with a measure that does not pass."""
    faults = []
    if one.sees is False:
        faults.append(f"does not see missing documents (its score never changes on {_topics(one)})")
    rewarded = [ordering.worse for ordering in one.orderings if not ordering.holds]
    if rewarded:
        faults.append(f"scores higher where relevant documents are missing ({listed(rewarded)})")
    if not one.late.holds:
        late, never = one.means[-2:]
        faults.append(
            "scores lower when one more relevant document is found late"
            f" ({late:.4f} rather than {never:.4f})"
        )
    return listed(faults)


def tables(found: Sequence[MissingDocuments]) -> Iterator[Table]:
    """Documents left out of a run with perfect parts; one document found late."""
    if not found:
        return
    names = ("SR", "without last", "without first", "without half")
    yield Table(
        "Missing documents (S, perfect parts)",
        (
            *(Column("measure", "text"), *(Column(name) for name in names)),
            *(Column("holds", "text"), Column("topics changed", "text")),
        ),
        tuple(_missing_row(one) for one in found),
    )
    yield Table(
        f"The last relevant document after {DELAY} irrelevant ones (S, perfect parts)",
        (
            *(Column("measure", "text"), Column("found late"), Column("missing")),
            *(Column(name, "count") for name in ("more", "equal", "fewer")),
            *(Column("p", "p"), Column("holds", "text")),
        ),
        tuple(_late_row(one) for one in found),
    )


def _missing_row(one: MissingDocuments) -> tuple[Value, ...]:
    kept = sum(ordering.holds for ordering in one.orderings)
    changed = f"{one.changed} of {one.several}"
    return (one.measure, *one.means[:4], f"{kept} of {len(one.orderings)}", changed)


def _late_row(one: MissingDocuments) -> tuple[Value, ...]:
    late = one.late
    counts = (late.more, late.equal, late.fewer)
    return (one.measure, *one.means[4:], *counts, late.p, late.holds)


def rows(found: Sequence[MissingDocuments]) -> Iterator[dict[str, Value]]:
    """Rows of the kinds missing and late, with the means of both runs."""
    for one in found:
        whole, *some, late, never = one.means
        for ordering, mean in zip(one.orderings, some, strict=True):
            seen: dict[str, Value] = {"changed": one.changed, "several": one.several}
            yield {"kind": "missing", **_row(ordering, whole, mean), **seen}
        yield {"kind": "late", **_row(one.late, late, never)}


def _row(ordering: Ordering, better: float, worse: float) -> dict[str, Value]:
    return {
        "measure": ordering.measure,
        "better": ordering.better,
        "worse": ordering.worse,
        "better_value": better,
        "worse_value": worse,
        **ordering.counts(),
    }
