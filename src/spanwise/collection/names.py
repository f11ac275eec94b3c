"""What documents are called: the name of each, and the other names by which it is found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from spanwise.collection.member import Member
from spanwise.text.names import legible


def own_names(members: Sequence[Member]) -> list[str]:
    """The path of each file, without ending where that tells it from all others.

    A row of a table has the name that the table gives it.
    """
    full = [member.document or legible(str(member.name)) for member in members]
    short = [member.document or legible(str(member.name.with_suffix(""))) for member in members]
    taken, count = set(full), Counter(short)
    return [
        name if count[name] == 1 and (name == path or name not in taken) else path
        for path, name in zip(full, short, strict=True)
    ]


def calls_of(names: Sequence[str], members: Sequence[Member]) -> dict[str, int]:
    """Which document each name means: its own, its file's path, or the end of that path.

    Names that two documents would have at the end of their paths are not taken; the longer way of
    naming wins over the shorter.
    """
    files = [
        (number, PurePosixPath(legible(str(m.name))))
        for number, m in enumerate(members)
        if m.document is None
    ]
    calls: dict[str, int] = {}
    for way in (
        [(name, number) for number, name in enumerate(names)],
        [(str(file), number) for number, file in files],
        [(str(file.with_suffix("")), number) for number, file in files],
        [(file.name, number) for number, file in files],
        [(file.stem, number) for number, file in files],
    ):
        count = Counter(name for name, _ in way)
        for name, number in way:
            if count[name] == 1:
                calls.setdefault(name, number)
    return calls
