"""Runs and assessments in files of every kind, for the tests of engines."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import polars

Row = dict[str, object]
Made = Callable[[Path], list[str]]
"""Writes the runs of a case; gives their names on the command line."""

TOPICS = 24


def judged(folder: Path) -> str:
    """Assessments of more topics than runs answer, as FOL."""
    source, lines = random.Random(2), []
    for topic in range(TOPICS + 2):
        for document in range(6):
            start = source.randrange(60)
            size = source.randrange(1, 40)
            lines.append(f"t{topic} Q0 d{document} {size} 200 {start} {start}:{size}")
    (folder / "qrels.fol").write_text("\n".join(lines) + "\n")
    return "qrels.fol"


def rows(runs: Sequence[str] = ("a",), seed: int = 1, skew: int = 0) -> list[Row]:
    """Answers, topic by topic; the fourth topic has so many more."""
    source, found = random.Random(seed), list[Row]()
    for run in runs:
        for topic in range(TOPICS):
            count = source.randrange(1, 12) + (skew if topic == 3 else 0)
            for rank in range(count):
                start = source.randrange(100)
                found.append(
                    {
                        "topic": f"t{topic}",
                        "document": f"d{source.randrange(9)}",
                        "start": start,
                        "end": start + source.randrange(1, 60),
                        "score": float(count - rank) if rank % 5 else 1.5,
                        "run": run,
                    }
                )
    return found


def fol(several: Sequence[Row]) -> str:
    """Answers as FOL."""
    return "".join(
        f"{row['topic']} Q0 {row['document']} {place + 1} {row['score']} {row['run']}"
        f" {row['start']} {int(str(row['end'])) - int(str(row['start']))}\n"
        for place, row in enumerate(several)
    )


def jsonl(several: Sequence[Row]) -> str:
    """Answers as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in several)


def parquet(several: Sequence[Row], file: Path, group: int = 20) -> None:
    """Answers as Parquet with small row groups."""
    file.parent.mkdir(parents=True, exist_ok=True)
    polars.DataFrame(list(several)).write_parquet(file, row_group_size=group)


def scattered(several: Sequence[Row], seed: int = 5) -> list[Row]:
    """The same answers in any order."""
    found = list(several)
    random.Random(seed).shuffle(found)
    return found


def text(name: str, content: str) -> Made:
    """A run in one file."""

    def make(folder: Path) -> list[str]:
        data = content.encode()
        (folder / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return [name]

    return make


def table(several: Sequence[Row]) -> Made:
    """A run in one Parquet file."""

    def make(folder: Path) -> list[str]:
        parquet(several, folder / "run.parquet")
        return ["run.parquet"]

    return make


def both(*makers: Made) -> Made:
    """Several runs."""
    return lambda folder: [name for maker in makers for name in maker(folder)]


FAULTY = fol(rows())
FAULTY = FAULTY.replace("t7 Q0", "t7 Q0 what is this", 2).replace(" a 5", " a -5", 3)

CASES: dict[str, Made] = {
    "text": text("a.fol", fol(rows())),
    "a topic like an archive": text("a.fol", fol(rows()).replace("t5 ", "BZh9 ")),
    "many runs": text("many.fol", fol(rows("cab"))),
    "runs by topic": text("many.fol", fol(sorted(rows("cab"), key=lambda row: str(row["topic"])))),
    "scattered": text("scattered.fol", fol(scattered(rows("ab")))),
    "skew": text("skew.fol", fol(rows("ab", skew=900))),
    "compressed": text("a.fol.gz", fol(rows())),
    "compressed, scattered": text("a.fol.gz", fol(scattered(rows()))),
    "JSON": text("a.jsonl", jsonl(rows("ab"))),
    "JSON, scattered": text("a.jsonl", jsonl(scattered(rows("ab")))),
    "JSON, texts in some rows": text(
        "a.jsonl",
        jsonl([{**row, "text": "x" * 9} if row["topic"] == "t5" else row for row in rows()]),
    ),
    "JSON, other names": text(
        "a.jsonl", jsonl([{**row, "other": 1} if row["topic"] == "t5" else row for row in rows()])
    ),
    "Parquet": table(rows("ab")),
    "Parquet, scattered": table(scattered(rows("ab"))),
    "CSV": text(
        "a.csv",
        "topic,document,start,end,score\n"
        + "".join(
            ",".join(str(row[name]) for name in ("topic", "document", "start", "end", "score"))
            + "\n"
            for row in rows()
        ),
    ),
    "blank lines": text("a.fol", "\n" * 900 + fol(rows()) + "\n# nothing\n" * 90),
    "no answers": text("a.fol", ""),
    "documents": text(
        "a.trec",
        "".join(f"t{t} Q0 d{d} {d + 1} {9 - d} a\n" for t in range(TOPICS) for d in range(6)),
    ),
    "several files": both(
        text("a.fol", fol(rows("a"))),
        text("b.jsonl", jsonl(scattered(rows("b", seed=4)))),
        table(rows("c", seed=9)),
    ),
}
"""What engines score as the process itself does."""

REFUSED: dict[str, Made] = {
    "faults": text("a.fol", FAULTY),
    "faults in JSON": text("a.jsonl", jsonl(rows()).replace('"t9"', "9.5").replace("t12", "")),
    "a document twice": text(
        "a.trec",
        "".join(f"t{t} Q0 d{d % 8} {d + 1} {9 - d} a\n" for t in range(9) for d in range(9)),
    ),
    "a NUL byte": text("a.fol", fol(rows()).replace("t9 Q0", "t9\0Q0", 1)),
    "another run of the name": both(text("a.fol", fol(rows())), text("b.fol", fol(rows()))),
    "no such topic": text("a.fol", fol(rows()).replace("t", "x")),
    "a broken archive": lambda folder: [
        *text("a.fol", fol(rows("a")))(folder),
        *broken(folder / "b.fol.gz", gzip.compress(fol(rows("b")).encode())[:-20]),
    ],
    "empty Parquet": lambda folder: [
        *text("a.fol", fol(rows("a")))(folder),
        *broken(folder / "b.parquet", b""),
    ],
    "broken Parquet": lambda folder: [
        *text("a.fol", fol(rows("a")))(folder),
        *broken(folder / "b.parquet", b"PAR1" + b"\7" * 90 + b"PAR1"),
    ],
}
"""What engines refuse in the same words."""


def broken(file: Path, content: bytes) -> list[str]:
    """A file that cannot be read."""
    file.write_bytes(content)
    return [file.name]
