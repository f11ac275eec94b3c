"""What holds for every format: what was written once can be written again without a loss.

The formats are those of the registry, and what they can hold is what their records say.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from formats.made import SEVERAL_WITH_ELEMENTS, assessments
from spanwise.data.assessments import Assessments
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import OutputError
from spanwise.formats.conversion import parts_of
from spanwise.formats.reading import read_assessments, read_run, recognise
from spanwise.formats.registry import Format
from spanwise.formats.source import Source
from spanwise.records import replace

RUNS = SEVERAL_WITH_ELEMENTS
_ELEMENT = Extent.ELEMENT
JUDGEMENTS = assessments(aspects=st.sampled_from(["A", "B", "ä b"]))


def run_law(form: Format, runs: Sequence[Run]) -> None:
    """Runs that were written are recognised, and written again as they were."""
    runs = [writable(form, run) for run in (runs[:1] if form.one_run else runs)]
    data, _ = written(form, runs)
    again = read_run(Source("file", data), form.name)
    if not again:
        return  # Nothing of these runs can be held.
    assert written(form, again) == (data, []), form.name
    assert recognise(Source("file", data), "run") == form.name
    if form.tagged:
        assert {run.name for run in again} <= {run.name for run in runs}


def assessments_law(form: Format, judged: Assessments) -> None:
    """The same for assessments."""
    judged = _of_one_file(form, _writable_judgements(form, judged))
    if form.file_for == "topic" and not judged.topics:
        return
    judged = replace(judged, texts=texts_for(judged)) if form.writes_texts else judged
    data, _ = _written_judgements(form, judged)
    again = read_assessments(Source("file", data), form.name, faults=Faults("file"))
    if form.file_for == "topic" and not again.topics:
        return  # Nothing of the topic can be held.
    if form.writes_texts:
        again = replace(again, texts={**judged.texts, **again.texts})
    assert _written_judgements(form, again) == (data, []), form.name
    if len(again.documents):
        assert recognise(Source("file", data), "assessments") == form.name


def _writable_judgements(form: Format, judged: Assessments) -> Assessments:
    """Assessments with other names, if a format cannot hold theirs."""
    named = judged_in_words(judged)
    if form.single_words:
        return named
    whole = replace(judged, texts=texts_for(judged)) if form.writes_texts else judged
    try:
        _written_judgements(form, _of_one_file(form, whole))
    except OutputError:
        return named
    return judged


def _written_judgements(form: Format, judged: Assessments) -> tuple[bytes, list[object]]:
    stream = io.BytesIO()
    notes = form.write_assessments(judged, stream)
    return stream.getvalue(), notes


def _of_one_file(form: Format, judged: Assessments) -> Assessments:
    """The judgements of one topic or document, if a file holds no more."""
    parts = parts_of(judged, form.file_for) if form.file_for else {}
    return next(iter(parts.values()), judged)


def texts_for(judged: Assessments) -> dict[str, str]:
    """A text for each document, with line ends and characters of several units in it."""
    reach = int(judged.passages.end.max(initial=0))
    length = max([reach, *judged.lengths.values()], default=0)
    text = ("a\U0001f600b\n\t " * length)[:length]
    return {
        name: text[: judged.lengths.get(name, length)]
        for name in {*judged.documents.strings(), *judged.lengths}
    }


def written(form: Format, runs: Sequence[Run]) -> tuple[bytes, list[object]]:
    stream = io.BytesIO()
    notes = form.write_run(runs, stream)
    return stream.getvalue(), notes


def writable(form: Format, run: Run) -> Run:
    """A run as far as a format can hold it: other names, or without elements, if it must be."""
    named = run_in_words(run)
    placed = named.take(np.flatnonzero(run.extent != _ELEMENT))
    several = [*([] if form.single_words else [run]), named, placed]
    return next((each for each in several if _is_written(form, each)), numbered(placed))


def _is_written(form: Format, run: Run) -> bool:
    try:
        written(form, [run])
    except OutputError:
        return False
    return True


def word(number: int, name: str) -> str:
    """A name that can stand in a column, different for each number and in the same order."""
    return f"{number:03}" + "".join(c for c in name if c > " " and not c.isspace())


def words(names: Sequence[str]) -> dict[str, str]:
    return {name: word(number, name) for number, name in enumerate(sorted(set(names)))}


def run_in_words(run: Run) -> Run:
    """The same run with other names."""
    topics = tuple(word(number, name) for number, name in enumerate(run.topics))
    names = run.documents.strings()
    documents = Identifiers.of(map(words(names).__getitem__, names))
    return replace(run, name=word(0, run.name), topics=topics, documents=documents)


def numbered(run: Run) -> Run:
    """The same run with numbers for names."""
    topics = tuple(f"t{number}" for number in range(len(run.topics)))
    documents = Identifiers.of(f"d{code}" for code in run.documents.codes().tolist())
    return replace(run, name="r", topics=topics, documents=documents)


def judged_in_words(made: Assessments) -> Assessments:
    """The same assessments with other names."""
    topics = tuple(word(number, name) for number, name in enumerate(made.topics))
    known = words([*made.documents.strings(), *made.lengths])
    return replace(
        made,
        topics=topics,
        documents=Identifiers.of(known[name] for name in made.documents.strings()),
        lengths={known[name]: length for name, length in made.lengths.items()},
        hashes={known[name]: digest for name, digest in made.hashes.items()},
    )
