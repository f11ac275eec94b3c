"""Why a run fails on a topic: one diagnosis for each list, by one precedence."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Real
from typing import Literal, NamedTuple, TypedDict, get_args

from spanwise.data.assessments import UNKNOWN
from spanwise.records import must_be, whole_number
from spanwise.text.sentences import counted

Kind = Literal[
    "no answer",
    "wrong document",
    "wrong place",
    "late",
    "incomplete",
    "cut",
    "noisy",
    "not known",
    "",
]
"""What is wrong with a list, in the order in which it is looked for; nothing if nothing is."""

KINDS: tuple[Kind, ...] = get_args(Kind)[:-1]
LONGEST_LIST = 1_000
"""Answers that are looked at, at most."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From where on a list fails.

    >>> Thresholds(late=0)
    Traceback (most recent call last):
    spanwise.errors.SpanwiseError: late must be a whole number between 1 and 1,000, got 0
    """

    cutoff: int = 5
    """The first answers of each list: these are shown and judged."""
    late: int = 5
    """The last rank at which a first hit is in time."""
    incomplete: float = 0.5
    """The share of the relevant text that the first answers have to return."""
    noisy: float = 0.1
    """The share of what the first answers return that has to be relevant."""

    def __post_init__(self) -> None:
        for name in ("cutoff", "late"):
            number = whole_number(name, getattr(self, name), 1, LONGEST_LIST)
            object.__setattr__(self, name, number)
        for name in ("incomplete", "noisy"):
            object.__setattr__(self, name, _share(name, getattr(self, name)))


def _share(name: str, value: object) -> float:
    number = -1.0 if isinstance(value, bool) or not isinstance(value, Real) else float(value)
    if not 0 <= number <= 1:
        raise must_be(name, "between 0 and 1", value)
    return number


class ThresholdKeywords(TypedDict, total=False):
    """Thresholds as keywords of functions; :class:`Thresholds` tells what they mean."""

    cutoff: int
    late: int
    incomplete: float
    noisy: float


def threshold_names() -> list[str]:
    """The names of all thresholds."""
    return [definition.name for definition in fields(Thresholds)]


class Evidence(NamedTuple):
    """What is counted of one list to diagnose it.

    A character counts once, however often it is returned, whatever the policy for overlap. What is
    listed without its text, and an entry point, returns nothing.
    """

    answers: int
    relevant_documents: int
    """Of the topic."""
    listed: int
    """Relevant documents anywhere in the list."""
    hit: int
    """The rank of the first answer that returns relevant text; 0 if none does."""
    doubtful: int
    """The rank of the first answer that may do so, as its place is not known; 0 if there is none.
    """
    ranges: int
    """Relevant ranges of the topic; a document that is relevant as a whole is one."""
    complete: int
    """Those that the first answers return in full."""
    cut: int
    """Those among them that no answer returns by itself."""
    pieces: int
    """The fewest answers that together return a range that is cut, the largest such number."""
    relevant: int
    """Relevant characters of the topic, or ``UNKNOWN``."""
    found: int
    """Those that the first answers return, or ``UNKNOWN``."""
    returned: int
    """Characters that the first answers return, or ``UNKNOWN``."""


class Diagnosis(NamedTuple):
    """What is wrong with a list: its kind, and a sentence with the numbers."""

    kind: Kind = ""
    words: str = ""


def diagnosis_of(evidence: Evidence, thresholds: Thresholds) -> Diagnosis:
    """The first thing that is wrong with a list.

    Where something would have to be known to go on, and is not, nothing else is looked for.

    >>> missed = Evidence(9, 2, 0, 0, 0, 3, 0, 0, 0, 150, 0, 900)
    >>> diagnosis_of(missed, Thresholds()).words
    'wrong document: none of the 2 relevant documents is in the list'
    """
    kind = _kind(evidence, thresholds)
    words = _WORDS[kind](evidence, thresholds) if kind in _WORDS else ""
    return Diagnosis(kind, f"{kind}: {words}" if words else "")


def _kind(found: Evidence, limits: Thresholds) -> Kind:
    if not found.answers:
        return "no answer"
    if not found.listed:
        return "wrong document"
    if not found.hit:
        return "not known" if found.doubtful else "wrong place"
    if found.hit > limits.late:
        return "not known" if 0 < found.doubtful < found.hit else "late"
    return _kind_of_text(found, limits)


def _kind_of_text(found: Evidence, limits: Thresholds) -> Kind:
    """What is wrong with the first answers of a list that finds something in time."""
    everything = 0 < found.complete == found.ranges
    known = UNKNOWN not in (found.relevant, found.found)
    if not everything:
        if not known:
            return "not known"
        if _is_below(found.found, found.relevant, limits.incomplete):
            return "incomplete"
    if found.cut:
        return "cut"
    if UNKNOWN in (found.found, found.returned):
        return "not known"
    return "noisy" if _is_below(found.found, found.returned, limits.noisy) else ""


def _is_below(part: int, whole: int, limit: float) -> bool:
    # A quotient is rounded once: a tenth is never below 0.1.
    return whole > 0 and part / whole < limit


# -- words


def _no_answer(found: Evidence, limits: Thresholds) -> str:
    return "the run returned nothing for this topic"


def _wrong_document(found: Evidence, limits: Thresholds) -> str:
    number = found.relevant_documents
    if number == 1:
        return "the relevant document is not in the list"
    return f"none of the {number:,} relevant documents is in the list"


def _wrong_place(found: Evidence, limits: Thresholds) -> str:
    if found.listed == 1:
        return "a relevant document is in the list, none of its relevant text is returned"
    return (
        f"{found.listed:,} relevant documents are in the list, none of their relevant text is"
        " returned"
    )


def _late(found: Evidence, limits: Thresholds) -> str:
    return f"first hit at rank {found.hit:,}"


def _incomplete(found: Evidence, limits: Thresholds) -> str:
    share = share_in_words(found.found, found.relevant, limits.incomplete)
    first = "first answer" if limits.cutoff == 1 else f"first {limits.cutoff:,} answers"
    ranges = f"{found.complete:,} of {counted(found.ranges, 'range')}"
    return f"{ranges}, {share} of the relevant text in the {first}"


def _cut(found: Evidence, limits: Thresholds) -> str:
    verb = "is" if found.cut == 1 else "are"
    between = {2: "two", 3: "three", 4: "four"}.get(found.pieces, str(found.pieces))
    if found.cut > 1 and found.pieces > 2:
        between = "several"
    ranges = counted(found.ranges, "range")
    return f"{found.cut:,} of {ranges} {verb} split between {between} answers"


def _noisy(found: Evidence, limits: Thresholds) -> str:
    share = share_in_words(found.found, found.returned, limits.noisy)
    return f"{share} of what was returned is relevant"


def _not_known(found: Evidence, limits: Thresholds) -> str:
    return "lengths of documents or places of elements are missing"


_WORDS = {
    "no answer": _no_answer,
    "wrong document": _wrong_document,
    "wrong place": _wrong_place,
    "late": _late,
    "incomplete": _incomplete,
    "cut": _cut,
    "noisy": _noisy,
    "not known": _not_known,
}


def share_in_words(part: int, whole: int, limit: float) -> str:
    """A share below a limit as a percentage, which is not rounded up to the limit.

    >>> share_in_words(34, 100, 0.5), share_in_words(4996, 10_000, 0.5), share_in_words(3, 999, 0.1)
    ('34%', '49.9%', '0.3%')
    >>> share_in_words(0, 5, 0.5), share_in_words(1, 10_000, 0.5)
    ('0%', 'under 0.1%')
    """
    share = 100 * part / whole if whole else 0.0
    if share >= 1 and round(share) < 100 * limit:
        return f"{share:.0f}%"
    tenths = int(10 * share)
    if not tenths:
        return "under 0.1%" if part else "0%"
    return f"{tenths / 10:.1f}%"
