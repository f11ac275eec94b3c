"""The measures for documents and programs: one Markdown page, or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from spanwise.measures.base import Family, ListScore, with_article
from spanwise.records import asdict
from spanwise.reporting.catalogue import Entry, entries, nicknames
from spanwise.reporting.output import Column, Field, Output, Rows, Table, Value
from spanwise.reporting.results import Result


def measures_markdown() -> str:
    """All measures, group by group, as tables, and the nicknames: a page of the documentation."""
    parts = [
        f"## {family.title.capitalize()}\n\n{_sentence(family)}{_markdown_group(list(group))}"
        for family, group in groupby(entries(), key=lambda entry: entry.family)
    ]
    return "\n".join([*parts, f"## Nicknames\n\n{_nickname_table()}"])


def _sentence(family: Family) -> str:
    return f"{family.description[:1].upper()}{family.description[1:]}.\n\n"


def _markdown_group(group: list[Entry]) -> str:
    """The table of a group and, after it, how its values may mislead."""
    traps = [f"- `{entry.score.name}`: {trap}\n" for entry in group for trap in entry.traps]
    return _markdown_table(group) + ("\nTraps:\n\n" + "".join(traps) if traps else "")


def _markdown_table(group: list[Entry]) -> str:
    header = "| measure | what it is | formula | better | needs | source |\n"
    return header + "|---|---|---|---|---|---|\n" + "".join(map(_markdown_row, group))


def _markdown_row(entry: Entry) -> str:
    cells = (
        f"`{entry.pattern}`",
        entry.title.replace("|", r"\|"),
        f"`{entry.formula}`".replace("|", r"\|"),
        entry.score.properties.better,
        "; ".join(entry.needs) or "nothing more",
        entry.source.replace("|", r"\|"),
    )
    return f"| {' | '.join(cells)} |\n"


def _nickname_table() -> str:
    rows = [
        f"| `{name}` | {' '.join(f'`{member}`' for member in members)} |\n"
        for name, members in nicknames().items()
    ]
    return "| nickname | measures |\n|---|---|\n" + "".join(rows)


def measure_markdown(found: Iterable[Entry]) -> str:
    """One measure (or the two that share a name) in full."""
    return "\n".join(_markdown_entry(entry) for entry in found)


def _markdown_entry(entry: Entry) -> str:
    facts = "".join(f"- {name}: {text}\n" for name, text in described(entry))
    formula = f"$${entry.latex}$$\n\n{entry.where}\n" if entry.latex else f"{entry.where}\n"
    example = f"- example: `{command(entry)}`\n"
    return f"## `{entry.pattern}`\n\n{entry.title}\n\n{formula}\n{facts}{example}"


def described(entry: Entry) -> list[tuple[str, str]]:
    """Everything but the formula, as names and sentences."""
    properties = entry.score.properties
    perfect = properties.perfect
    scale = (
        f"{properties.better} is better"
        if properties.better != "neither"
        else "neither direction is better"
    )
    ideal = f"a perfect run scores {perfect:g}" if perfect is not None else "no fixed perfect score"
    over = f", over {with_article(entry.item_kind)}" if entry.item_kind else ""
    if isinstance(entry.score, ListScore) and entry.score.lacks_item:
        over += " (if none is named: elements where these are graded, else passages)"
    elif entry.item_kind == "gain" and getattr(entry.score, "item", None) is None:
        over = f", or {over[2:]}, as {entry.score.name}(passages)"
    facts = [
        ("canonical", entry.canonical),
        ("kind", re.sub(r"(list|score|gain)s\b", r"\1", entry.family.title) + over),
        ("cut-off", entry.cutoff),
        *((f"parameter {p.name}", f"{p.values} [default: {p.default}]") for p in entry.parameters),
        ("scale", f"{entry.bounds}; {scale}; {ideal}"),
        ("needs", "; ".join(entry.needs) or "nothing beyond runs and assessments"),
        *(("trap", trap) for trap in entry.traps),
        ("source", entry.source),
    ]
    return [(name, text) for name, text in facts if text]


def command(entry: Entry) -> str:
    """An example that can be typed."""
    return f"spanwise evaluate qrels.jsonl run.jsonl -m '{entry.example}'"


def measures_json(found: Iterable[Entry]) -> str:
    """Measures as a list of objects, and the nicknames."""
    records = {"measures": [_record(entry) for entry in found], "nicknames": nicknames()}
    return json.dumps(records, ensure_ascii=False, indent=2) + "\n"


def _record(entry: Entry) -> dict[str, Any]:
    properties = entry.score.properties
    return {
        "name": entry.score.name,
        "canonical": entry.canonical,
        "pattern": entry.pattern,
        "group": entry.family.title,
        "title": entry.title,
        "formula": entry.formula,
        "latex": entry.latex,
        "where": entry.where,
        "traps": entry.traps,
        "source": entry.source,
        "parameters": [asdict(parameter) for parameter in entry.parameters],
        "cutoff": entry.cutoff or None,
        "better": properties.better,
        "bounds": list(properties.bounds),
        "perfect": properties.perfect,
        "needs": entry.needs,
        "example": entry.example,
    }


# -- the result of the library


@dataclass(frozen=True, eq=False, repr=False)
class MeasureList(Result):
    """Measures with what is known about each; it is a sequence of their entries."""

    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """A table for each family, and the records that ``spanwise measures -o json`` has."""
        columns = (Column("measure", "text"), Column("description", "text", clips=True))
        tables = [
            Table(
                family.title.capitalize(),
                columns,
                tuple((entry.pattern, entry.title) for entry in group),
            )
            for family, group in groupby(self.entries, key=lambda entry: entry.family)
        ]
        rows: list[dict[str, Value]] = [
            {
                **{"measure": entry.pattern, "canonical": entry.canonical},
                **{"family": entry.family.title, "description": entry.title},
                **{"needs": ", ".join(entry.needs), "source": entry.source},
            }
            for entry in self.entries
        ]
        fields = tuple(Field(name) for name in rows[0]) if rows else ()
        return Output("measures", parts=tuple(tables), rows=Rows(fields, rows))
