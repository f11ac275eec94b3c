"""Groups of topics: which kind of question each one is (JSONL, or two columns)."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.data.faults import Faults
from spanwise.errors import Fault, InputError
from spanwise.formats.beginning import first_line
from spanwise.formats.json_lines import json_rows
from spanwise.formats.records import RowError, name_in
from spanwise.formats.source import Source

_EXAMPLE = '{"topic": "t1", "group": "dates"}, or a topic and its group in two columns'
_FIX = "fix the line"


def read_groups(source: Source) -> dict[str, str]:
    r"""The group of each topic, in the order of the file.

    >>> read_groups(Source("groups.tsv", b"t1 dates\nt2 long answers\n"))
    {'t1': 'dates', 't2': 'long answers'}
    """
    faults = Faults(source.name)
    groups: dict[str, str] = {}
    lines: dict[str, int] = {}
    for line, topic, group in _rows(source, faults):
        before = lines.setdefault(topic, line)
        if groups.setdefault(topic, group) != group:
            expected = f"one group for each topic (it is in {groups[topic]} at line {before})"
            faults.add("repetition", line, f"topic {topic} in {group}", expected, _FIX)
    faults.settle()
    if not groups:
        raise InputError(Fault(source.name, None, "no topics", _EXAMPLE, "check the file"))
    return groups


def _rows(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    first = first_line(source)
    if first is not None and first[1].startswith("{"):
        return _in_json_lines(source, faults)
    return _in_columns(source, faults)


def _in_json_lines(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    for line, record in json_rows(source, "groups", faults):
        try:
            yield line, name_in(record, "topic"), name_in(record, "group")
        except RowError as refused:
            faults.add(refused.rule, line, refused.found, _EXAMPLE, _FIX)


def _in_columns(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    """A name of a group may have blanks in it: all after the first column is one."""
    for line, text in source.lines():
        topic, *group = text.split("\t" if "\t" in text else None, maxsplit=1)
        if group:
            yield line, topic.strip(), group[0].strip()
        else:
            faults.add("columns", line, f"1 column ({topic})", _EXAMPLE, _FIX)
