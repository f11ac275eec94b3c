"""Names that two files spell differently: an example of each, and the fix if it is obvious."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

MOST = 100_000
"""How many names are searched for one with a similar spelling."""

_EXTENSION = re.compile(r"(?<=[^./\\])\.[A-Za-z][A-Za-z0-9]{0,5}$")


@dataclass(frozen=True, slots=True)
class Spellings:
    """One name in the spelling of a run, one in that of the assessments, and what to do."""

    run: str
    assessments: str
    remedy: str

    def __str__(self) -> str:
        return f"run: {self.run}, assessments: {self.assessments}"


def spellings(run: Sequence[str], assessments: Iterable[str], what: str) -> Spellings:
    """The two names that are most alike, or the first of each.

    >>> found = spellings(["/data/docs/a.md"], ["b.md", "a.md"], "documents")
    >>> str(found), found.remedy
    ('run: /data/docs/a.md, assessments: a.md', 'drop the folders from the names in the run')
    """
    known = list(islice(assessments, MOST))
    pairs = ((own, other) for other in known for own in run if _may_match(own, other))
    found = [(*fix, own, other) for own, other in pairs if (fix := _fix(own, other)) is not None]
    if not found:
        remedy = f"check that run and assessments are about the same {what}"
        return Spellings(run[0], known[0] if known else "none", remedy)
    _, remedy, own, other = min(found, key=lambda candidate: candidate[0])
    return Spellings(own, other, remedy)


def misspelled(names: Iterable[str], known: Mapping[str, str]) -> Spellings | None:
    """The first of these names that is one of the known ones in another spelling.

    >>> str(misspelled(["b", "docs/A.txt"], cores(["a"])))
    'run: docs/A.txt, assessments: a'
    """
    for own in names:
        other = known.get(_core(own))
        if other is not None and other != own:
            fix = _fix(own, other)
            return Spellings(own, other, fix[1] if fix else "use the same names in both")
    return None


def cores(names: Iterable[str]) -> dict[str, str]:
    """The names by what is left of them without everything that is often spelled differently."""
    return {_core(name): name for name in islice(names, MOST)}


def _may_match(own: str, other: str) -> bool:
    """A test that is cheap enough for all pairs."""
    if own.startswith(other) or own.endswith(other):
        return True
    if other.startswith(own) or other.endswith(own):
        return True
    return _core(own) == _core(other)


def _fix(own: str, other: str) -> tuple[int, str] | None:
    """The first change that makes two names equal, and its place in the list of changes."""
    return next(((place, fix) for place, fix in enumerate(_fixes(own, other)) if fix), None)


def _fixes(own: str, other: str) -> Iterator[str | None]:
    for what, simpler in _SIMPLER.items():
        for longer, shorter, where in ((own, other, "run"), (other, own, "assessments")):
            same = longer != shorter and simpler(longer) == shorter
            yield f"drop {what} from the names in the {where}" if same else None
    for what, simpler in _SIMPLER.items():
        yield f"use the same {what[4:]} in both" if simpler(own) == simpler(other) else None
    yield "use the same upper and lower case in both" if _same_letters(own, other) else None
    separators = _same_separators(own) == _same_separators(other)
    yield "use the same separators in both" if separators else None
    zeros = own.lstrip("0") == other.lstrip("0")
    yield "use the same leading zeros in both" if zeros else None
    for longer, shorter, where in ((own, other, "run"), (other, own, "assessments")):
        rest = _rest(longer, shorter)
        yield f"drop {rest!r} from the names in the {where}" if rest else None


def _rest(longer: str, shorter: str) -> str | None:
    """What a name has before or after the other, if that is a part of its own."""
    before, after = longer.removesuffix(shorter), longer.removeprefix(shorter)
    if before not in ("", longer) and _ends_part(before[-1], shorter[0]):
        return before
    if after not in ("", longer) and _ends_part(shorter[-1], after[0]):
        return after
    return None


def _ends_part(left: str, right: str) -> bool:
    """Does one part of a name end between these characters?"""
    both_letters = left.isalpha() and right.isalpha()
    both_digits = left.isdigit() and right.isdigit()
    return not both_letters and not both_digits


def _same_letters(own: str, other: str) -> bool:
    return own.casefold() == other.casefold()


def _last_part(name: str) -> str:
    return re.split(r"[/\\]", name)[-1]


def _without_extension(name: str) -> str:
    return _EXTENSION.sub("", name)


def _core(name: str) -> str:
    """What is left of a name without everything that is often spelled differently."""
    return _same_separators(_without_extension(_last_part(name)).casefold().lstrip("0"))


def _same_separators(name: str) -> str:
    return name.replace("%20", " ").replace("_", " ").replace("-", " ")


_SIMPLER: dict[str, Callable[[str], str]] = {
    "the folders": _last_part,
    "the extension": _without_extension,
    "the folders and the extension": lambda name: _without_extension(_last_part(name)),
}
"""Parts that one file may write and another leave out."""
