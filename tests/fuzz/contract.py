"""What every command promises, whatever it is given.

Exit code 0 with finite values within the bounds of their measures, or exit code 2 with one message
and nothing on standard output; a gate may fail with 1. Inputs stay as they are.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fuzz.invocations import Ended, Invocation
from spanwise.errors import MeasureError
from spanwise.measures.grammar import parse_measure

FAULTY = 2
_LISTS_FAULTS = ("check", "locate")
"""Commands whose result are the faults, or what was not found: standard output may have them."""
_NAMES_SEVERAL = ("collection", "index", "locate")
"""Commands that name every faulty document or text, one on a line."""
_FOREIGN = re.compile(
    r"Traceback|NoneType|object at 0x|<class '|invalid literal for|out of range$|codec can't"
    r"|has no attribute|not subscriptable|unhashable|'\w+' object|Errno|panicked|KeyError"
)
"""Words of Python and its libraries that tell a user nothing."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_NOT_FINITE = re.compile(rb"(?i)(?<![\w./])(nan|-?inf(inity)?)(?![\w./-])")
"""Words that no number may be; a name may be one of them."""
_LONGEST_MESSAGE = 4000
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Problem:
    """A promise that was broken."""

    rule: str
    """Short, and the same for every case of one defect as far as can be told."""
    detail: str = ""


def problems_of(invocation: Invocation, ended: Ended) -> list[Problem]:
    """Every promise that a command broke."""
    return list(_problems(invocation, ended))


def _problems(invocation: Invocation, ended: Ended) -> Iterator[Problem]:
    if ended.broke is not None:
        yield Problem(f"{ended.broke}: {_last_line(ended.message)}", ended.message[-2000:])
        return
    yield from _changed_files(invocation, ended)
    yield from (Problem(f"warning: {warned[:80]}", warned) for warned in ended.warned)
    allowed = (0, 1, FAULTY) if "gate" in invocation.arguments[:1] else (0, FAULTY)
    if ended.code not in allowed:
        yield Problem(f"exit code {ended.code}: {_first_words(ended.message)}", ended.message)
    elif ended.code == FAULTY:
        yield from _refusal(invocation, ended)
    else:
        yield from _result(invocation, ended)


def _last_line(text: str) -> str:
    """Place and type of an exception; its message differs from case to case."""
    lines = text.strip().splitlines() or [""]
    kind = next(
        (line.partition(":")[0] for line in lines if re.match(r"\w+(Error|Exc\w*)\b", line)), ""
    )
    return f"{lines[-1][:100]} {kind}".strip()


def _first_words(text: str) -> str:
    return re.sub(r"\S*\d\S*", "#", text)[:60].strip()


def _changed_files(invocation: Invocation, ended: Ended) -> Iterator[Problem]:
    added_to = _logs(invocation.arguments) if ended.code == 0 else ()
    for name, content in invocation.files.items():
        if ended.files.get(name) != content and name not in added_to:
            yield Problem("an input was changed", name)
    new = set(ended.files) - set(invocation.files)
    if ended.code != 0 and invocation.arguments[0] != "gate" and new:
        yield Problem("a refused command left files", ", ".join(sorted(new)))


def _logs(words: tuple[str, ...]) -> tuple[str, ...]:
    """The log that an import adds to."""
    return words[words.index("--log") + 1 :][:1] if {"--log", "--import"} <= {*words} else ()


def _refusal(invocation: Invocation, ended: Ended) -> Iterator[Problem]:
    command = invocation.arguments[0]
    if command in _LISTS_FAULTS and ended.out:
        yield from _text(ended.out)
        return
    if ended.out:
        yield Problem("a refusal with something on standard output", _shown(ended.out))
    lines = [line for line in ended.message.splitlines() if not line.startswith("note: ")]
    usage = bool(lines) and lines[0].startswith("Usage:")
    if not lines:
        yield Problem("a refusal without a message")
    elif len(lines) > 1 and not usage and command not in _NAMES_SEVERAL:
        yield Problem("a refusal of several lines", ended.message[:2000])
    if found := _FOREIGN.search(ended.message):
        yield Problem(f"a message in the words of Python: {found.group()}", ended.message[:2000])
    if any(len(line) > _LONGEST_MESSAGE for line in lines):
        yield Problem("a message without end", ended.message[:500])
    yield from _text(ended.err)


def _text(content: bytes) -> Iterator[Problem]:
    """Text for a terminal: nothing in it may move the cursor or turn the writing round."""
    found = _UNPRINTABLE.search(content.decode("utf-8", "surrogateescape"))
    if found:
        yield Problem(f"unprintable {found.group()!r} on the terminal", _shown(content))


def _shown(content: bytes) -> str:
    return content[:2000].decode("utf-8", "backslashreplace")


# -- results


def _result(invocation: Invocation, ended: Ended) -> Iterator[Problem]:
    for line in ended.message.splitlines():
        if "Traceback" in line or "Warning" in line:
            yield Problem("a complaint of Python on standard error", ended.message[:2000])
    yield from _text(ended.err)
    words = invocation.arguments
    output = words[words.index("-o") + 1] if "-o" in words else ""
    if "--to" in words:
        return
    if output == "jsonl" and words[0] != "collection":
        yield from _rows(ended.out, literal="as-is" in words)
    elif output == "json":
        yield from _json(ended.out)
    elif words[0] not in ("convert", "collection", "report") and output not in ("csv", "tsv"):
        yield from _text(ended.out)
        named = any(_NOT_FINITE.search(content) for content in invocation.files.values())
        if _NOT_FINITE.search(ended.out) and not named:
            yield Problem("NaN or infinity in a table", _shown(ended.out))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} in JSON")


def _json(content: bytes) -> Iterator[Problem]:
    try:
        json.loads(content, parse_constant=_refuse_constant)
    except ValueError as problem:
        yield Problem(f"output that is not JSON: {problem}"[:80], _shown(content))


def _rows(content: bytes, *, literal: bool) -> Iterator[Problem]:
    for line in content.splitlines():
        yield from _json(line)
    for row in rows_of(content):
        if isinstance(row.get("value"), float | int) and "canonical" in row:
            yield from _bounded(row, literal=literal)


def rows_of(content: bytes) -> list[dict[str, Any]]:
    """The rows of JSONL output; those that are not JSON are another problem."""
    rows = []
    for line in content.splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def _bounded(row: dict[str, Any], *, literal: bool) -> Iterator[Problem]:
    """Within the bounds, but for what is summed literally and the divisor of the paper's words."""
    value = row["value"]
    try:
        low, high = parse_measure(row["canonical"]).properties.bounds
    except MeasureError as problem:
        yield Problem(f"a canonical name that does not parse: {row['canonical']}", str(problem))
        return
    unbounded = literal or "divisor=ideal" in row["canonical"]
    below = low is not None and value < low - _ROUNDING
    above = high is not None and value > high + _ROUNDING and not unbounded
    if not math.isfinite(value) or below or above:
        yield Problem(f"{re.split('[(@]', row['measure'])[0]} out of its bounds", json.dumps(row))
