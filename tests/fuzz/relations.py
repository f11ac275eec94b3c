"""Metamorphic relations over files: two ways to say the same thing have the same scores.

Each relation draws an invocation of ``evaluate`` and gives a check that runs it as it is and
changed. Where the words of the output may stay the same, they must: bit for bit.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from cases import Batch, Judged, Row, Topic
from fuzz import mutations
from fuzz.contract import Problem, problems_of, rows_of
from fuzz.invocations import Ended, Invocation, run
from fuzz.layout import Made, made, measures_for, needs_documents
from fuzz.worlds import RUN_FORMATS, World, random_world, with_fault
from fuzz.written import ROW_FORMATS, as_rows, assessments_files, compressed, run_file, run_records
from fuzz.written_annotations import ANNOTATION_FORMATS
from spanwise.data.run import Extent
from spanwise.records import replace

Check = Callable[[Invocation], list[Problem]]
Relation = Callable[[random.Random], tuple[Invocation, Check]]
Change = Callable[[Invocation], Invocation]

_OUTPUT = ("-q", "-o", "jsonl")
_SET_SCORES = ("AgP(P)", "AgP(R)", "AgP(F)", "AgP(IoU)", "gP(F)@2", "gR@2", "AP", "nDCG@3", "RR")
"""They see which characters of a document are returned, not by which answers."""
_TOTALS = ("textP", "textR", "textF", "textIoU")


def _evaluate(found: Made, measures: tuple[str, ...]) -> Invocation:
    asked = [word for name in measures for word in ("-m", name)]
    words = ("evaluate", found.assessments, found.run, *found.documents, *_OUTPUT, *asked)
    return Invocation(found.files, words)


def _drawn(source: random.Random, world: World, count: int = 4) -> Invocation:
    found = made(source, world)
    return _evaluate(found, tuple(map(str, measures_for(source, found, count))))


def _same(change: Change, what: str, *, near: float = 0.0) -> Check:
    """A check that a change of the files changes no score."""

    def check(invocation: Invocation) -> list[Problem]:
        before = run(invocation)
        other = change(invocation)
        after = run(other)
        broken = problems_of(invocation, before) or problems_of(other, after)
        return broken or list(_differences(before, after, what, near))

    return check


def _differences(before: Ended, after: Ended, what: str, near: float) -> Iterator[Problem]:
    if before.code != after.code:
        detail = f"{before.code} {before.message[:600]}\n{after.code} {after.message[:600]}"
        yield Problem(f"{what}: one is refused", detail)
    first, second = _values(before), _values(after)
    if first.keys() != second.keys():
        yield Problem(f"{what}: other rows", str(first.keys() ^ second.keys())[:600])
    for key in first.keys() & second.keys():
        if abs(first[key] - second[key]) > near:
            yield Problem(
                f"{what}: {re.split('[(@]', key[0])[0]}",
                f"{key}: {first[key]} became {second[key]}",
            )


def _values(ended: Ended) -> dict[tuple[str, str], float]:
    """Measures and topics; the names of runs may depend on the file."""
    return {(row["measure"], row["topic"]): row["value"] for row in rows_of(ended.out)}


def _run_of(invocation: Invocation) -> str:
    return invocation.arguments[2]


# -- the same lines in another order


def permuted_run(source: random.Random) -> tuple[Invocation, Check]:
    """The order of lines has no meaning where ranks or scores say the order."""
    world = random_world(source, source.choice(("trec", "jsonl", "csv")))
    batch = replace(world.batch, order="rank" if world.run_format != "trec" else world.batch.order)
    batch = batch.with_rows(_with_ranks_of_their_own)
    invocation = _drawn(source, replace(world, batch=batch))
    header = 1 if world.run_format == "csv" else 0
    seed = source.random()

    def change(one: Invocation) -> Invocation:
        return one.with_file(_run_of(one), _shuffled(seed, one.files[_run_of(one)], header))

    return invocation, _same(change, "permuted run")


def _with_ranks_of_their_own(topic: Topic) -> list[Row]:
    return [replace(row, rank=number) for number, row in enumerate(topic.rows, start=1)]


def _shuffled(seed: float, data: bytes, header: int) -> bytes:
    lines = data.splitlines(keepends=True)
    rest = lines[header:]
    random.Random(seed).shuffle(rest)
    return b"".join([*lines[:header], *rest])


def permuted_assessments(source: random.Random) -> tuple[Invocation, Check]:
    """Judgements have no order."""
    judged = source.choice(("trec", "fol", "jsonl", "csv", "tsv"))
    run_format = source.choice([name for name in RUN_FORMATS if name != "entry-points"])
    world = random_world(source, run_format, judged)
    seed, header = source.random(), int(judged in ("csv", "tsv"))

    def change(one: Invocation) -> Invocation:
        name = one.arguments[1]
        return one.with_file(name, _shuffled(seed, one.files[name], header))

    return _drawn(source, world), _same(change, "permuted assessments")


def scattered_topics(source: random.Random) -> tuple[Invocation, Check]:
    """The lines of a topic need not stand together, if their own order stays."""
    world = random_world(source, source.choice(("fol", "jsonl")))
    world = replace(world, batch=replace(world.batch, order="file"))
    seed = source.random()

    def change(one: Invocation) -> Invocation:
        return one.with_file(_run_of(one), _scattered(seed, one.files[_run_of(one)]))

    return _drawn(source, world), _same(change, "scattered topics")


def _scattered(seed: float, data: bytes) -> bytes:
    """Lines of several topics mixed; the topic is the first word in columns and in JSON."""
    lines = data.splitlines(keepends=True)
    topics: dict[Any, list[bytes]] = {}
    for line in lines:
        key = json.loads(line)["topic"] if line.startswith(b"{") else line.split()[0]
        topics.setdefault(key, []).append(line)
    drawn = [key for key, found in topics.items() for _ in found]
    random.Random(seed).shuffle(drawn)
    queues = {key: iter(found) for key, found in topics.items()}
    return b"".join(next(queues[key]) for key in drawn)


# -- the same text in other pieces


def split_judgements(source: random.Random) -> tuple[Invocation, Check]:
    """A relevant range in two that touch is the same text."""
    world = random_world(source, "jsonl", source.choice(("fol", "jsonl", "csv")))
    names = _SET_SCORES + _TOTALS
    return _rewritten(source, world, _split_judgements, names, "split judgements")


def _split_judgements(source: random.Random, batch: Batch) -> Batch:
    def change(judged: Judged) -> Judged:
        pieces = [p for each in judged.ranges for p in _halves(source, each)]
        return replace(judged, ranges=pieces)

    topics = {
        name: Topic(topic.rows, {d: change(j) for d, j in topic.judged.items()})
        for name, topic in batch.topics.items()
    }
    return replace(batch, topics=topics)


def _halves(source: random.Random, found: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    start, end, grade = found
    if end - start < 2:
        return [found]
    middle = source.randrange(start + 1, end)
    return [(start, middle, grade), (middle, end, grade)]


def split_answers(source: random.Random) -> tuple[Invocation, Check]:
    """An answer in two that touch, one after the other, returns the same text of the document."""
    world = random_world(source, source.choice(("fol", "inex")))
    world = replace(world, batch=replace(world.batch, order="file"))
    return _rewritten(source, world, _split_answers, _SET_SCORES + _TOTALS, "split answers")


def _split_answers(source: random.Random, batch: Batch) -> Batch:
    def change(topic: Topic) -> list[Row]:
        return [piece for row in topic.rows for piece in _pieces(source, row)]

    return batch.with_rows(change)


def _pieces(source: random.Random, row: Row) -> list[Row]:
    if row.extent != Extent.RANGE or row.end - row.start < 2:
        return [row]
    middle = source.randrange(row.start + 1, row.end)
    return [replace(row, end=middle), replace(row, start=middle)]


def repeated_answers(source: random.Random) -> tuple[Invocation, Check]:
    """An answer that comes again returns nothing new."""
    world = random_world(source, source.choice(("fol", "element", "inex")))
    world = replace(world, batch=replace(world.batch, order="file"))

    def change(source: random.Random, batch: Batch) -> Batch:
        return batch.with_rows(lambda topic: [*topic.rows, *topic.rows[:2]])

    return _rewritten(source, world, change, _SET_SCORES + _TOTALS, "repeated answers")


def _rewritten(
    source: random.Random,
    world: World,
    change: Callable[[random.Random, Batch], Batch],
    names: tuple[str, ...],
    what: str,
) -> tuple[Invocation, Check]:
    """A relation between two worlds over the same documents."""
    if needs_documents(world) and world.assessments_format == "inex":
        world = random_world(source, world.run_format, "jsonl")
        world = replace(world, batch=replace(world.batch, order="file"))
    found = made(source, world, documents=True)
    other = replace(world, batch=change(source, world.batch))
    files = {**assessments_files(other)[1], **dict([run_file(other)])}
    chosen = tuple(source.sample(names, 4))

    def changed(one: Invocation) -> Invocation:
        return replace(one, files={**one.files, **files})

    return _evaluate(found, chosen), _same(changed, what, near=1e-12)


def larger_offsets(source: random.Random) -> tuple[Invocation, Check]:
    """Every offset and length times a large number: shares of text stay what they are."""
    world = random_world(source, "fol", "fol")
    # A topic may have 2^56 characters; larger texts are refused.
    factor = source.choice((2, 1000, 2**31, 2**40 - 1))
    found = made(source, world, documents=False)
    names = ("AgP(P)", "AgP(R)", "AgP(IoU)", "textP", "textR", "AP", "gP(P)@2")

    def changed(one: Invocation) -> Invocation:
        scaled = {_run_of(one): _scaled_answers, one.arguments[1]: _scaled_judgements}
        files = {name: scale(one.files[name], factor) for name, scale in scaled.items()}
        return replace(one, files=files)

    return _evaluate(found, names), _same(changed, "larger offsets", near=1e-12)


def _scaled_answers(data: bytes, factor: int) -> bytes:
    lines = [line.split() for line in data.decode().splitlines()]
    scaled = (fields[:6] + [_times(field, factor) for field in fields[6:]] for fields in lines)
    return "".join(" ".join(fields) + "\n" for fields in scaled).encode()


def _scaled_judgements(data: bytes, factor: int) -> bytes:
    lines = [line.split() for line in data.decode().splitlines()]
    scaled = (
        fields[:3] + [f if f == "-1" else _times(f, factor) for f in fields[3:]] for fields in lines
    )
    return "".join(" ".join(fields) + "\n" for fields in scaled).encode()


def _times(field: str, factor: int) -> str:
    return ":".join(str(int(part) * factor) for part in field.split(":"))


# -- the same names in other letters


def renamed(source: random.Random) -> tuple[Invocation, Check]:
    """Names mean nothing; new ones that sort as the old ones do change no score."""
    world = random_world(source)
    prefix = source.choice(("x", "ß-", "名", "A" * 40, "-", "0", "ﬁ"))
    batch = world.batch
    topics = {
        prefix + name: Topic(
            [replace(row, document=prefix + row.document) for row in topic.rows],
            {prefix + document: judged for document, judged in topic.judged.items()},
        )
        for name, topic in batch.topics.items()
    }
    texts = {prefix + name: text for name, text in batch.texts.items()}
    roots = {prefix + name: root for name, root in batch.trees.roots.items()}
    other_batch = replace(batch, topics=topics, texts=texts, trees=type(batch.trees)(roots))
    wanted = needs_documents(world) or source.random() < 0.4
    kind = source.random()
    found = made(random.Random(kind), world, documents=wanted)
    other = made(random.Random(kind), replace(world, batch=other_batch), documents=wanted)
    measures = tuple(map(str, measures_for(source, found, 4)))

    def check(invocation: Invocation) -> list[Problem]:
        changed = _evaluate(other, measures)
        before, after = run(invocation), run(changed)
        broken = problems_of(invocation, before) or problems_of(changed, after)
        names = {("all" if t == "all" else prefix + t): t for _, t in _values(before)}
        back = [{**row, "topic": names.get(row["topic"], "?")} for row in rows_of(after.out)]
        out = "".join(json.dumps(row) + "\n" for row in back).encode()
        return broken or list(_differences(before, replace(after, out=out), "renamed", 0.0))

    return _evaluate(found, measures), check


# -- the same file in another form


_HOLD = {
    "trec": ("trec", "jsonl", "csv", "tsv", "parquet"),
    "msmarco": ("trec", "jsonl", "csv", "tsv", "parquet"),
    "fol": ("fol", "jsonl", "csv", "tsv", "parquet", "xml"),
    "element": ("element", "jsonl", "csv", "tsv", "parquet", "xml"),
    "inex": ("xml", "jsonl", "csv", "tsv", "parquet"),
    "jsonl": ("jsonl", "csv", "tsv", "parquet"),
    "csv": ("jsonl", "csv", "tsv", "parquet"),
    "tsv": ("jsonl", "csv", "tsv", "parquet"),
    "parquet": ("jsonl", "csv", "tsv", "parquet"),
}
"""The endings of formats that can hold all that another one can."""
_HOLD_JUDGEMENTS = {
    "trec": ("trec", "jsonl", "csv", "tsv", "parquet"),
    "fol": ("fol", "jsonl", "csv", "tsv", "parquet"),
    "inex": ("jsonl", "csv", "tsv", "parquet"),
    **dict.fromkeys((*ROW_FORMATS, *ANNOTATION_FORMATS), ROW_FORMATS),
}


def converted(source: random.Random) -> tuple[Invocation, Check]:
    """There and back, through every format that can hold the data."""
    world = random_world(source, source.choice(list(_HOLD)))
    of_run = source.random() < 0.5
    held = _HOLD[world.run_format] if of_run else _HOLD_JUDGEMENTS[world.assessments_format]
    own = [name for name in held if name not in ROW_FORMATS] or held
    steps = [source.choice(source.choice((held, own))) for _ in range(source.choice((1, 2)))]
    packed = source.choice(("", "", ".gz", ".zst"))
    role = "run" if of_run else "assessments"

    def change(one: Invocation) -> Invocation:
        name = _run_of(one) if of_run else one.arguments[1]
        for number, ending in enumerate(steps):
            new = f"step{number}.{ending}{packed}"
            done = run(one.calling("convert", name, new, "--as", role))
            if new not in done.files:
                return one.with_file(name, b"\0" + done.err)
            one, name = one.with_file(new, done.files[new]), new
        words = list(one.arguments)
        words[2 if of_run else 1] = name
        return replace(one, arguments=tuple(words))

    return _drawn(source, world), _same(change, f"converted {role}")


def named_chunks(source: random.Random) -> tuple[Invocation, Check]:
    """A run that names chunks of a table says the same as one with their ranges."""
    world = random_world(source, "fol")
    world = replace(world, run_format=source.choice(ROW_FORMATS))
    table = f"chunks.{source.choice(ROW_FORMATS)}"
    rows = run_records(world.batch)
    places = dict.fromkeys((row["document"], row["start"], row["end"]) for row in rows)
    names = {place: f"chunk {number}" for number, place in enumerate(places)}
    chunks = [
        {"document": document, "start": start, "end": end, "chunk": name}
        for (document, start, end), name in names.items()
    ]
    named = [_as_chunk(row, names) for row in rows]
    files = {table: as_rows(table.rpartition(".")[2], chunks)}

    def change(one: Invocation) -> Invocation:
        run = {_run_of(one): as_rows(world.run_format, named)}
        words = (*one.arguments, "--chunks", table)
        return replace(one, files={**one.files, **files, **run}, arguments=words)

    return _drawn(source, world), _same(change, "named chunks")


def _as_chunk(row: dict[str, Any], names: dict[Any, str]) -> dict[str, Any]:
    place = row["document"], row["start"], row["end"]
    rest = {key: value for key, value in row.items() if key not in ("document", "start", "end")}
    return {**rest, "chunk": names[place]}


def quoted_text(source: random.Random) -> tuple[Invocation, Check]:
    """Text that stands at one place says the same as its range, in runs and in assessments."""
    world = replace(random_world(source, "fol", "jsonl"), run_format="jsonl")
    texts = world.batch.texts
    documents = [{"document": name, "text": text} for name, text in texts.items()]
    found = made(source, world, documents=False)
    found = replace(
        found,
        documents=("--collection", "documents.jsonl"),
        files={**found.files, "documents.jsonl": as_rows("jsonl", documents)},
    )
    seed = source.random()

    def change(one: Invocation) -> Invocation:
        files = {
            name: _quoting(random.Random(seed), one.files[name], texts)
            for name in one.arguments[1:3]
        }
        return replace(one, files={**one.files, **files})

    measures = tuple(map(str, measures_for(source, found, 4)))
    return _evaluate(found, measures), _same(change, "quoted text")


def _quoting(source: random.Random, data: bytes, texts: dict[str, str]) -> bytes:
    """Some rows of JSON with the text instead of the range, or with an offset that says nothing."""
    rows = []
    for row in map(json.loads, data.splitlines()):
        text = texts.get(row.get("document", ""), "")
        quote = text[row.get("start", 0) : row.get("end", 0)]
        place = text.find(quote) if quote.strip() else -1
        if place == row.get("start", -1) and text.find(quote, place + 1) < 0:
            kept = {name: row[name] for name in row if name not in ("start", "end")}
            said: dict[str, Any] = source.choice(({}, {"start": -1}, {"start": row["start"]}))
            row = {**kept, **said, "text": quote}
        rows.append(row)
    return as_rows("jsonl", rows)


def compressed_or_piped(source: random.Random) -> tuple[Invocation, Check]:
    """gzip, zstd and standard input change nothing."""
    how = source.choice(("gz", "zst", "plain"))
    piped = source.random() < 0.5 or how == "plain"

    def change(one: Invocation) -> Invocation:
        name = _run_of(one)
        data = compressed(one.files[name], how)
        if not piped:
            return one.with_file(name, data)
        words = list(one.arguments)
        words[2] = "-"
        return one.calling(*words, stdin=data)

    return _drawn(source, random_world(source)), _same(change, "compressed or piped")


def smaller_blocks(source: random.Random) -> tuple[Invocation, Check]:
    """How many bytes are looked at together changes nothing."""
    size = source.choice((16, 40, 64, 100, 333))
    world = random_world(source, source.choice(("trec", "fol", "element", "entry-points")))

    def check(invocation: Invocation) -> list[Problem]:
        before = run(invocation)
        with blocks_of(size):
            after = run(invocation)
        broken = problems_of(invocation, before) or problems_of(invocation, after)
        return broken or list(_differences(before, after, "smaller blocks", 0.0))

    return _drawn(source, world), check


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Read files in blocks of so many bytes."""
    from spanwise.formats.source import Source

    defaults = Source.blocks.__defaults__
    Source.blocks.__defaults__ = (size,)
    try:
        yield
    finally:
        Source.blocks.__defaults__ = defaults


def harmless_lines(source: random.Random) -> tuple[Invocation, Check]:
    """A byte order mark, CRLF, comments, blank lines and runs of blanks are accepted."""
    world = random_world(source, source.choice(("trec", "fol", "element", "jsonl")))
    kind = source.choice(("mark", "crlf", "comments", "blanks"))
    if world.run_format == "jsonl" and kind == "blanks":
        kind = "crlf"

    def change(one: Invocation) -> Invocation:
        data = one.files[_run_of(one)]
        changed = {
            "mark": b"\xef\xbb\xbf" + data,
            "crlf": data.replace(b"\n", b"\r\n"),
            "comments": b"# first\n\n" + data.replace(b"\n", b"\n#\n\n"),
            "blanks": data.replace(b" ", b" \t "),
        }
        return one.with_file(_run_of(one), changed[kind])

    return _drawn(source, world), _same(change, f"harmless {kind}")


# -- check and evaluate


def check_agrees(source: random.Random) -> tuple[Invocation, Check]:
    """What ``evaluate`` refuses, ``check`` finds; what ``check`` accepts, ``evaluate`` scores."""
    world, kind = random_world(source), source.random()
    found = made(source, with_fault(source, world) if kind < 0.45 else world)
    name = source.choice([found.run, *(n for n in found.files if n.startswith("qrels"))])
    data = found.files[name]
    if 0.45 <= kind < 0.9:
        data = mutations.mutated(source, data)
    measure = "nxCG(elements)@3" if found.world.assessments_format == "inex" else "AP"
    files = {**found.files, name: data}
    words = ("evaluate", found.assessments, found.run, *found.documents, "-m", measure)
    # Of a folder, check looks at each file by itself, and one topic may have nothing relevant.
    sound = kind >= 0.9 and found.assessments in files
    return Invocation(files, words), partial(agreement, sound=sound)


def agreement(invocation: Invocation, *, sound: bool) -> list[Problem]:
    """The two commands on the same files; ``check`` may find more, but nothing in sound ones."""
    evaluated = run(invocation)
    _, assessments, file, *rest = invocation.arguments
    given = rest[: rest.index("-m")]
    checks = [
        invocation.calling("check", assessments, "--as", "assessments", *given),
        invocation.calling("check", file, "--as", "run", "--assessments", assessments, *given),
    ]
    ended = [run(one) for one in checks]
    broken = problems_of(invocation, evaluated)
    for one, end in zip(checks, ended, strict=True):
        broken += problems_of(one, end)
    accepted = all(end.code == 0 for end in ended)
    if broken or accepted == (evaluated.code == 0) or not (accepted or sound):
        return broken
    which = "check accepts what evaluate refuses" if accepted else "only check refuses"
    said = "\n".join(end.out.decode("utf-8", "replace")[:800] for end in ended)
    return [Problem(f"{which}: {_rule(evaluated, ended)}", f"{evaluated.message[:800]}\n{said}")]


def _rule(evaluated: Ended, checked: list[Ended]) -> str:
    """What was expected, without names and numbers: the same for every case of one rule."""
    texts = [evaluated.message, *(end.out.decode("utf-8", "replace") for end in checked)]
    for line in (line for text in texts for line in text.splitlines()):
        if ", expected " in line and not line.startswith("note"):
            return "".join(c for c in line.partition(", expected ")[2][:40] if not c.isdigit())
    return evaluated.message.strip()[-60:]


RELATIONS: tuple[Relation, ...] = (
    *(permuted_run, permuted_assessments, scattered_topics, split_judgements, split_answers),
    *(repeated_answers, larger_offsets, renamed, compressed_or_piped, smaller_blocks),
    *(
        harmless_lines,
        named_chunks,
        quoted_text,
        quoted_text,
        converted,
        converted,
        converted,
        converted,
    ),
    *(check_agrees, check_agrees, check_agrees, check_agrees),
)
"""Those with many ways to be applied stand there more than once."""
