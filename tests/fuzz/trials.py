"""Trials: a number and a seed make an invocation and what must hold of it."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass

from fuzz import mutations
from fuzz.commands import commands_over
from fuzz.contract import Problem, problems_of
from fuzz.invocations import Invocation, run
from fuzz.layout import Made, made, measures_for
from fuzz.memory_worlds import memory_invocation
from fuzz.relations import RELATIONS
from fuzz.twin import Twin
from fuzz.worlds import random_world, with_fault
from fuzz.written import as_json_lines, as_parquet, compressed
from spanwise.records import replace

Check = Callable[[Invocation], list[Problem]]


@dataclass(frozen=True)
class Trial:
    """Something to run, and what must hold."""

    kind: str
    invocation: Invocation
    check: Check


def trial(seed: int, number: int) -> Trial:
    """The trial of this number: always the same."""
    source = random.Random(f"{seed}/{number}")
    kinds = [kind for kind, weight in WEIGHTS.items() for _ in range(weight)]
    kind = kinds[number % len(kinds)]
    return KINDS[kind](source)


# -- kinds of trials


def scored(source: random.Random) -> Trial:
    """A valid world, against the twins."""
    found = made(source, random_world(source))
    return against_the_twin("scored", source, found, certain=source.random() < 0.5)


def faulty(source: random.Random) -> Trial:
    """A world with one thing in it that is only just wrong."""
    found = made(source, with_fault(source, random_world(source)))
    if source.random() < 0.4:
        found = _with_faulty_byte(source, made(source, random_world(source)))
    return against_the_twin("faulty", source, found)


def _with_faulty_byte(source: random.Random, found: Made) -> Made:
    """A number of FOL assessments that is off by a little, or a byte that no text has."""
    judged = [name for name in found.files if name.startswith("qrels")]
    name = source.choice([found.run, *judged])
    data = found.files[name]
    if name == "qrels.fol":
        data = mutations.nudge_number(source, data)
    elif not data.startswith(b"PAR1"):
        place = source.randrange(len(data))
        data = data[:place] + source.choice((b"\0", b"\xff", b"\xc3")) + data[place:]
    return replace(found, files={**found.files, name: data})


def misread(source: random.Random) -> Trial:
    """A world of which a file was spoilt, against the twins where they are sure."""
    found = made(source, random_world(source))
    name = source.choice([found.run, *(n for n in found.files if n.startswith("qrels"))])
    group = source.choice((mutations.GENTLE, mutations.FIELDS, mutations.LINES))
    data = _spoilt_rows(source.choice(group), source, found.files[name])
    if source.random() < 0.1:
        data = compressed(data, source.choice(("gz", "zst")))
    found = replace(found, files={**found.files, name: data})
    return against_the_twin("misread", source, found, certain=source.random() < 0.8)


def _spoilt_rows(mutation: mutations.Mutation, source: random.Random, data: bytes) -> bytes:
    """A spoilt file; of Parquet the rows are spoilt, as few of its bytes can be."""
    if not data.startswith(b"PAR1"):
        return mutation(source, data)
    import polars as pl

    rows = pl.read_parquet(io.BytesIO(data)).to_dicts()
    lines = as_json_lines([{k: v for k, v in row.items() if v is not None} for row in rows])
    try:
        return as_parquet([json.loads(line) for line in mutation(source, lines).splitlines()])
    except (ValueError, AttributeError, TypeError, pl.exceptions.PolarsError):
        return data


def against_the_twin(
    kind: str, source: random.Random, found: Made, *, certain: bool = True
) -> Trial:
    """An evaluation with measures and settings that the twins know."""
    measures = measures_for(source, found, 3)
    literal = all(m.literal and getattr(getattr(m, "item", m), "literal", True) for m in measures)
    order = source.choice((None, None, None, "file"))
    twin = Twin(
        found.assessments,
        found.run,
        found.world.assessments_format,
        found.world.run_format,
        tuple(map(str, measures)),
        found.world.batch if found.documents else None,
        overlap="as-is" if literal and source.random() < 0.2 else "union",
        results=source.choice((None, None, None, 1, 3)),
        missing=source.choice(("zero", "zero", "skip")),
        order=order,
        certain=certain,
    )
    words = (*twin.arguments(), *found.documents)
    return Trial(kind, Invocation(found.files, words), twin)


def spoilt(source: random.Random) -> Trial:
    """Any command over spoilt files: it may refuse them, but it must not break."""
    found = made(source, random_world(source))
    command = source.choice(commands_over(source, found))
    names = list(command.files)
    for name in source.sample(names, min(len(names), source.choice((1, 1, 2)))):
        command = command.with_file(name, mutations.mutated(source, command.files[name]))
    return Trial("spoilt", command, contract)


def whole(source: random.Random) -> Trial:
    """Any command over valid files; some need what these have not."""
    found = made(source, random_world(source))
    return Trial("whole", source.choice(commands_over(source, found)), contract)


def contract(invocation: Invocation) -> list[Problem]:
    """Nothing but the contract."""
    return problems_of(invocation, run(invocation))


def apart(source: random.Random) -> Trial:
    """The same in a process of its own, where a broken pipe or an abort would show."""
    drawn = source.choice((spoilt, whole))(source)
    return Trial("apart", drawn.invocation, contract_apart)


def contract_apart(invocation: Invocation) -> list[Problem]:
    """The contract, kept by a process of its own."""
    return problems_of(invocation, run(invocation, apart=True))


def remembered(source: random.Random) -> Trial:
    """Objects in memory, valid or spoilt."""
    return Trial("remembered", *memory_invocation(source))


def related(source: random.Random) -> Trial:
    """Two ways to say the same thing."""
    relation = source.choice(RELATIONS)
    invocation, check = relation(source)
    return Trial(f"related: {relation.__name__}", invocation, check)


KINDS: dict[str, Callable[[random.Random], Trial]] = {
    kind.__name__: kind
    for kind in (scored, faulty, misread, spoilt, whole, apart, remembered, related)
}
WEIGHTS = {
    "scored": 7,
    "faulty": 11,
    "misread": 12,
    "spoilt": 12,
    "whole": 2,
    "apart": 1,
    "remembered": 5,
    "related": 13,
}
"""How many of a round of trials are of each kind; those apart take a hundred times as long."""
