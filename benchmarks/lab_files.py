"""A second assessor for the runs of elements: the first five topics, some elements judged lower."""

from __future__ import annotations

import json
import random
from pathlib import Path

from workloads import Case

TOPICS, LOWERED = 5, 0.3


def second_assessor(case: Case) -> Path:
    """The file of the second assessor, made from that of the first."""
    file = case.folder / "second.jsonl"
    draw = random.Random(3)
    rows = [json.loads(line) for line in case.qrels.read_text().splitlines()]
    shared = set(sorted({row["topic"] for row in rows})[:TOPICS])
    with file.open("w") as stream:
        for row in rows:
            if row["topic"] in shared:
                if row["specificity"] > 1 and draw.random() < LOWERED:
                    row["specificity"] -= 1
                stream.write(json.dumps(row) + "\n")
    return file
