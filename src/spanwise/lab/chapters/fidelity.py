"""The chapter of the fidelity experiment: the paper's two tables and its graph."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.lab.chapters import missing_documents
from spanwise.lab.chapters.wording import counted, some_of
from spanwise.lab.fidelity import POINTS, Fidelity
from spanwise.lab.orderings import Ordering
from spanwise.lab.simulated.runs import orderings

TOLERANCE = (
    "an ordering holds if the mean difference is not negative; differences below 2^-40 (about"
    " 1e-12) of the larger score count as none"
)


def chapter_of(found: Fidelity) -> Chapter:
    """Verdicts, Table 1's form, Table 2's form, Figure 4."""
    return Chapter(
        experiment="fidelity",
        title="Fidelity: do measures order runs of known quality as they should?",
        verdict=tuple(verdicts(found)),
        tables=(_scores_table(found), *missing_documents.tables(found.missing), *_orderings(found)),
        plots=(_graph(found),) if found.curves else (),
        notes=(*found.notes, TOLERANCE),
        rows=(*_rows(found), *missing_documents.rows(found.missing)),
        settings={
            "measures": [asked.label for asked in found.scores.measures],
            "part_sets": list(found.simulated.part_sets),
            "topics": len(found.scores.runs[0].topics),
        },
    )


# -- sentences


def verdicts(found: Fidelity) -> Iterator[str]:
    """A sentence for each measure, and before several of them one for all."""
    labels = [asked.label for asked in found.scores.measures]
    tested = [label for label in labels if found.of(label)]
    if len(tested) > 1:
        yield _summary(found, tested)
    yield from (verdict(found, label) for label in labels)
    yield from missing_documents.sentences(found.missing)
    if found.expected < len(orderings()):
        built = " and ".join(found.simulated.part_sets)
        yield (
            f"Without elements only {built} are built: {found.expected} of the"
            f" {len(orderings())} orderings."
        )


def _summary(found: Fidelity, tested: list[str]) -> str:
    broken = {label: len(found.broken(label)) for label in tested}
    faithful = sum(not count for count in broken.values())
    topics = counted(len(found.scores.runs[0].topics), "topic")
    runs = f"{len(found.scores.runs)} simulated runs ({topics})"
    failed = ", ".join(f"{label} breaks {count}" for label, count in broken.items() if count)
    verb = "keeps" if faithful == 1 else "keep"
    kept = f"{faithful} of {len(tested)} measures {verb} all {found.expected} orderings of {runs}"
    return f"{kept}; {failed}." if failed else f"{kept}."


def verdict(found: Fidelity, measure: str) -> str:
    """What a measure does with the orderings."""
    tested, broken = found.of(measure), found.broken(measure)
    if not tested:
        return _untested(found, measure)
    flat = sum(ordering.is_flat for ordering in tested)
    seen = f"; in {flat} of them no topic shows a difference" if flat else ""
    if flat == len(tested):
        return f"{measure} shows no difference in any of the {found.expected} orderings."
    if not broken:
        return f"{measure} keeps all {found.expected} orderings{seen}."
    names = some_of([str(ordering) for ordering in broken])
    return f"{measure} breaks {len(broken)} of {found.expected} orderings: {names}."


def _untested(found: Fidelity, measure: str) -> str:
    asked = next(one for one in found.scores.measures if one.label == measure)
    if asked.measure.properties.better == "neither":
        return f"{measure} is not checked: neither high nor low values are better."
    return f"{measure} is not checked: it is undefined for every topic."


# -- tables


def _scores_table(found: Fidelity) -> Table:
    labels = [asked.label for asked in found.scores.measures]
    return Table(
        title="Scores of the simulated runs",
        columns=(Column("run", "text"), *(Column(label) for label in labels)),
        rows=tuple((run.run, *run.means) for run in found.scores.runs),
    )


def _orderings(found: Fidelity) -> Iterator[Table]:
    columns = (
        Column("ordering", "text"),
        Column("100 x difference", "signed"),
        *(Column(name, "count") for name in ("more", "equal", "fewer")),
        Column("p", "p"),
        Column("holds", "text"),
    )
    for asked in found.scores.measures:
        rows = tuple(_ordering_row(ordering) for ordering in found.of(asked.label))
        if rows:
            yield Table(f"Orderings under {asked.label}", columns, rows)


def _ordering_row(ordering: Ordering) -> tuple[Value, ...]:
    counted = (ordering.more, ordering.equal, ordering.fewer)
    return (str(ordering), 100 * ordering.difference, *counted, ordering.p, ordering.holds)


def _graph(found: Fidelity) -> Plot:
    return Plot(
        title="Precision at points of recall, runs with the ranking R",
        x_title="recall of documents (gR)",
        y_title="igP",
        places=POINTS,
        series=found.curves,
    )


# -- rows


def _rows(found: Fidelity) -> Iterator[dict[str, Value]]:
    for run in found.scores.runs:
        for asked, mean in zip(found.scores.measures, run.means, strict=True):
            yield {"kind": "score", "run": run.run, "measure": asked.label, "value": mean}
    for ordering in found.orderings:
        yield {
            "kind": "edge",
            "measure": ordering.measure,
            "better": ordering.better,
            "worse": ordering.worse,
            **ordering.counts(),
        }
