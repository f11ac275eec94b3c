"""What a page without a server exports: the operations of one assessor, in a JSON file.

``{"spanwise": 1, "kind": "judging", "assessor": ..., "pool": HASH, "documents": {name: HASH},
"operations": [{"topic": ..., "document": ..., "id": ..., "time": ..., "kind": ...}, ...]}``; the
hashes are those of the pool file and of the documents' texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spanwise.assessing.judgement import Refused
from spanwise.assessing.log_records import identified, utc
from spanwise.assessing.operations import Operation
from spanwise.errors import Fault, FaultyInput, shown
from spanwise.formats.json_lines import VERSION, json_value
from spanwise.formats.source import Source
from spanwise.records import Struct

KIND = "judging"
_REMEDY = "export it from the page again"
_MOST_FAULTS = 1000


class Step(Struct, frozen=True):
    """One operation as the page kept it."""

    id: str
    operation: Operation
    given: Mapping[str, Any]
    """As the log takes it."""
    at: str


class Judging(Struct, frozen=True):
    """The contents of such a file."""

    assessor: str
    pool: str
    """The hash of the pool file."""
    documents: Mapping[str, str]
    """The hash of each document that the page had."""
    steps: Mapping[tuple[str, str], tuple[Step, ...]]
    """By topic and document, in the order in which they were done."""


def read_judging(source: Source) -> Judging:
    """The operations in a file; everything that is wrong with it is refused together."""
    record = _record(source)
    faults: list[Fault] = []
    steps: dict[tuple[str, str], list[Step]] = {}
    for key, step in _steps(source, record["operations"], faults):
        steps.setdefault(key, []).append(step)
    if faults:
        raise FaultyInput(faults)
    return Judging(
        record["assessor"],
        record["pool"],
        record["documents"],
        {key: tuple(several) for key, several in steps.items()},
    )


def _record(source: Source) -> dict[str, Any]:
    try:
        record = json_value(source.read())
    except ValueError as problem:
        raise source.refused(f"broken JSON ({problem})", "a file that a page exported") from None
    if not isinstance(record, dict) or record.get("kind") != KIND:
        found = f"kind {shown(record.get('kind'))}" if isinstance(record, dict) else "no object"
        raise source.refused(found, f'"kind": "{KIND}", as pages of spanwise assess export')
    if record.get("spanwise") != VERSION:
        raise source.refused(f"version {shown(record.get('spanwise'))}", f"version {VERSION}")
    types = {"assessor": str, "pool": str, "documents": dict, "operations": list}
    for name, kind in types.items():
        if not isinstance(record.get(name), kind) or not (record[name] or kind is not str):
            raise source.refused(f"{name} {shown(record.get(name))}", _EXPECTED[kind])
    return record


_EXPECTED = {str: "text", dict: "an object of hashes by document", list: "a list of operations"}


def _steps(
    source: Source, operations: list[object], faults: list[Fault]
) -> Iterator[tuple[tuple[str, str], Step]]:
    """The operations that can be read; faults for the others."""
    moment: object = None
    taken = set[str]()
    for number, given in enumerate(operations, start=1):
        try:
            fields = dict(given) if isinstance(given, Mapping) else {}
            key = tuple(fields.pop(name, None) for name in ("topic", "document"))
            moment = _moment(fields) or moment
            if not all(isinstance(name, str) for name in key):
                raise Refused("it names no topic or no document")
            name, operation = identified(fields)
            if name in taken:
                raise Refused(f"the id {name} again, which another operation has")
            taken.add(name)
            yield (key[0], key[1]), Step(name, operation, fields, utc(moment))
        except Refused as problem:
            if len(faults) < _MOST_FAULTS:
                found = f"operation {number}: {problem.message}"
                faults.append(Fault(source.name, None, found, "", _REMEDY))


def _moment(fields: dict[str, Any]) -> object:
    """When it was done; an entry point has a place under ``at``, and its moment under ``time``."""
    if "time" in fields:
        return fields.pop("time")
    return fields.pop("at") if isinstance(fields.get("at"), str) else None
