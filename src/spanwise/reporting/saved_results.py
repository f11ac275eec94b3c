"""Results that were saved as JSON, read again: what a new version is compared with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import msgspec
import numpy as np

from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError
from spanwise.evaluation.scores import ALL, Counts, RunScores, Scores, exact_mean
from spanwise.formats.source import Source, complaints
from spanwise.inputs.runs import hashed
from spanwise.inputs.settings import Given, Settings
from spanwise.measures.grammar import Asked
from spanwise.records import Struct

_EXPECTED = "a result of spanwise evaluate"
_AGAIN = "write it again with spanwise evaluate ... --per-topic --to FILE.json"
_DECIDING = (
    "order",
    "overlap",
    "missing",
    "unjudged",
    "results",
    "unit",
    "tokenizer",
    "compat",
    "lenient",
)
"""Settings that change scores, whatever the files."""
_ROUNDING = 1e-6
"""Tools that are reproduced sum in ways of their own."""
_BEGINS = ('{\n  "versions":', '{"versions":')


class _Row(msgspec.Struct, frozen=True):
    run: str
    measure: str
    canonical: str
    topic: str
    value: float
    lenient: bool = False


class _RunRecord(msgspec.Struct, frozen=True):
    run: str
    lenient: bool
    counts: Counts


class _File(msgspec.Struct, frozen=True):
    """What such a file holds, as far as it is used."""

    rows: tuple[_Row, ...]
    runs: tuple[_RunRecord, ...]
    settings: dict[str, Any]
    inputs: tuple[dict[str, str], ...] = ()
    queries: dict[str, str] = {}


class SavedResult(Struct, frozen=True):
    """Scores under the measures that are wanted, and what they come from."""

    file: str
    scores: Scores
    settings: Mapping[str, object]
    assessments: frozenset[str]
    """The hashes of the assessments; none where they were in memory."""

    @classmethod
    def of(cls, scores: Scores, wanted: Sequence[Asked]) -> SavedResult:
        """A result that is at hand."""
        known = getattr(scores, "settings", Settings()).to_dict()
        inputs = hashed(getattr(scores, "given", ()))
        hashes = frozenset(one.sha256 for one in inputs if one.role == "assessments")
        rows = [_Row(**row) for row in scores.rows()]
        runs = [_RunRecord(run.run, run.lenient, run.counts) for run in scores.runs]
        file = _File(tuple(rows), tuple(runs), known, (), dict(scores.queries))
        return cls("baseline", _scores("baseline", file, wanted), known, hashes)

    def notes(self, settings: Settings, given: Sequence[Given]) -> Iterator[Note]:
        """What makes it doubtful to compare new scores with these."""
        now = settings.to_dict()
        other = [name for name in _DECIDING if self.settings.get(name, now[name]) != now[name]]
        if other:
            yield Note("other settings", len(other), names=tuple(other), about=self.file)
        new = hashed((role, what) for role, what in given if role == "assessments")
        hashes = frozenset(one.sha256 for one in new)
        if hashes and self.assessments and hashes != self.assessments:
            yield Note("other assessments", about=self.file)


def is_saved_result(source: Source) -> bool:
    """Does a file begin as results that are saved as JSON do?"""
    with source.open() as stream, complaints(source):
        return stream.read(len(_BEGINS[0])).decode("utf-8", "replace").startswith(_BEGINS)


def read_result(source: Source, wanted: Sequence[Asked]) -> SavedResult:
    """The scores of a file under these measures; a file that lacks them is refused."""
    try:
        found = msgspec.json.decode(source.text(), type=_File)
    except (msgspec.MsgspecError, RecursionError) as problem:
        _refuse(source.name, f"a fault ({problem})", _EXPECTED)
    hashes = (one["sha256"] for one in found.inputs if one.get("role") == "assessments")
    scores = _scores(source.name, found, wanted)
    return SavedResult(source.name, scores, found.settings, frozenset(hashes))


def _refuse(file: str, found: str, expected: str, remedy: str = _AGAIN) -> NoReturn:
    raise InputError(Fault(file, None, found, expected, remedy)) from None


def _scores(file: str, saved: _File, wanted: Sequence[Asked]) -> Scores:
    by_run: dict[str, list[_Row]] = {run.run: [] for run in saved.runs}
    for row in saved.rows:
        if row.run not in by_run:
            _refuse(file, f"values of the run {row.run!r}", "only runs that it lists")
        by_run[row.run].append(row)
    known = {row.canonical for row in saved.rows}
    measures = [one for one in wanted if str(one.measure) in known or not one.optional]
    runs = [_run(file, record, by_run[record.run], measures) for record in saved.runs]
    return Scores(tuple(measures), tuple(runs), (), saved.queries)


def _run(
    file: str, record: _RunRecord, rows: Sequence[_Row], measures: Sequence[Asked]
) -> RunScores:
    """The values of one run, by the full names of measures: a short one may mean another today."""
    values: dict[str, dict[str, float]] = {}
    for row in rows:
        own = values.setdefault(row.canonical, {})
        if own.setdefault(row.topic, row.value) != row.value:
            found = f"{row.measure} of topic {row.topic} as {own[row.topic]} and as {row.value}"
            _refuse(file, found, "one value")
    for one in measures:
        if str(one.measure) not in values:
            some = ", ".join(dict.fromkeys(row.measure for row in rows)) or "no measure"
            _refuse(
                file,
                f"values of {some}",
                f"values of {one.measure}",
                _AGAIN.replace(" --per", f" -m {one.label} --per"),
            )
        if values[str(one.measure)].keys() == {ALL}:
            _refuse(file, f"only the mean of {one.label}", "the values of all topics")
        _refuse_impossible(file, one, values[str(one.measure)])
    topics = tuple(sorted({row.topic for row in rows} - {ALL}))
    chosen = [values[str(one.measure)] for one in measures]
    table = np.array([[own.get(topic, np.nan) for topic in topics] for own in chosen], np.float64)
    means = tuple(own.get(ALL) for own in chosen)
    shape = table.reshape(len(measures), len(topics))
    return RunScores(record.run, topics, shape, means, record.counts, (), record.lenient)


def _refuse_impossible(file: str, asked: Asked, values: Mapping[str, float]) -> None:
    """Values that no run can have, and a mean that is not theirs: somebody edited the file."""
    low, high = asked.measure.properties.bounds
    for topic, value in values.items():
        if low is not None and value < low - _ROUNDING:
            _refuse(file, f"{asked.label} of {value:g} (topic {topic})", f"{low:g} or more")
        if high is not None and value > high + _ROUNDING:
            _refuse(file, f"{asked.label} of {value:g} (topic {topic})", f"{high:g} or less")
    mean = exact_mean(np.array([value for topic, value in values.items() if topic != ALL]))
    if (
        ALL in values
        and mean is not None
        and not math.isclose(values[ALL], mean, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
    ):
        found = f"{values[ALL]:g} as the mean of {asked.label}, while its topics have {mean:g}"
        _refuse(file, found, "the mean of the values")
