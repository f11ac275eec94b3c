"""Adds operations to a log until it is killed; says which ones are on the disk."""

from __future__ import annotations

import random
import sys

from spanwise.assessing.log import Conflict, Log

NOW = "2024-05-01T12:00:00Z"


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def main(path: str, name: str, count: int) -> None:
    chance = random.Random(name)
    say("ready")
    with Log.open(path) as log:
        for document in ("d1", "d2"):
            log.add_document(document, "x" * 1000)
        for number in range(count):
            add_one(log, chance, f"{name}-{number}")


def add_one(log: Log, chance: random.Random, name: str) -> None:
    key = ("ann", "t1", chance.choice(("d1", "d2")))
    start = chance.randrange(900)
    operations = [
        {"kind": "highlight", "start": start, "end": start + 1 + chance.randrange(99)},
        {"kind": chance.choice(("undo", "redo", "not relevant", "reopen"))},
    ]
    sent = [
        {"id": f"{name}-{part}", **operation}
        for part, operation in enumerate(operations[: chance.choice((1, 2))])
    ]
    while True:
        try:
            held = log.append(*key, log.state(*key).version, sent, NOW)
            break
        except Conflict:
            say("conflict")
    for operation in sent:
        say("saved", operation["id"], str(held.version))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
