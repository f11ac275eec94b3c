"""The policies a user may choose, and what is said when one of them was applied."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

Overlap = Literal["union", "error", "as-is"]
Missing = Literal["zero", "skip"]
OrderChoice = Literal["score", "rank", "file", "ascending"]


Strangers = Literal["error", "note"]
"""What a run is that shares no topic or no document with the assessments."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How doubtful cases are decided; the defaults are those of the documentation."""

    order: OrderChoice | None = None
    """None: the rule of the run's own format."""
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False
    results: int | None = None
    """Only so many answers of each topic are scored; None: all of them."""


SENTENCES = {
    "rising": "warning: scores rise down the file in {n:,} of {of:,} topics; these look like"
    " distances: use --order file, or --order ascending",
    "strange topics": "no topic of the run is in the assessments: {detail}",
    "strange documents": "no document of the run is in the assessments or the collection: {detail}",
    "unknown documents": "warning: {n:,} of {of:,} answers name[s|] a document that is not in the"
    " collection (such as {detail})",
    "misspelled": "warning: documents of the run are spelled differently in the assessments"
    " ({detail})",
    "unverified": "{n:,} text[|s] beside ranges [was|were] not compared with the documents; give"
    " --collection",
    "quote length": "warning: {n:,} of {of:,} texts [is|are] not as long as [its range|their"
    " ranges] ({detail}); do offsets count bytes or UTF-16 units, or include the end? Give"
    " --collection to compare them",
    "no order": "answers have neither rank nor score; ranked in file order",
    "no rank": "answers have no ranks to order by; ranked in file order",
    "no score": "answers have no scores to order by; ranked in file order",
    "distances": "scores are distances: smallest first",
    "whole": "{n:,} of {of:,} answer[s has|s have] no range; scored as whole documents",
    "tied ranks": "{n:,} answer[ has a tied rank|s have tied ranks]; ordered by {detail}",
    "ties": "{n:,} answer[ has a tied score|s have tied scores]; ordered by {detail}",
    "contradiction": "{n:,} answer[ has|s have] a rank or score that contradicts the order;"
    " {detail} decides",
    "results": "{n:,} answer[ is|s are] beyond the first {detail} of [its|their] topic; not scored",
    "missing": "{n:,} topic[ is|s are] missing from the run; {detail}",
    "no relevant text": "{n:,} topic[ has|s have] no relevant text; left out of the mean"
    " ({detail})",
    "not assessed": "{n:,} topic[|s] of the run [is|are] not in the assessments; ignored"
    " ({detail})",
    "unjudged": "{n:,} of {of:,} retrieved documents [is|are] unjudged; counted as not relevant",
    "merged": "{n:,} answer[ overlaps|s overlap] another in a relevant document; every character"
    " counts once",
    "as-is": "{n:,} answer[ overlaps|s overlap] another in a relevant document; counted every time"
    " (as-is)",
    "joined": "{n:,} answer[ was|s were] merged into [its|their] document's first rank",
    "no element": "{n:,} answer[|s] in relevant documents [does|do] not match an element and"
    " gain[s|] nothing (passages scores ranges without a tree)",
    "dropped": "{n:,} faulty line[|s] of {detail} [was|were] dropped",
    "cut": "{n:,} range[|s] of {detail} end[s|] beyond [its|their] document; cut or dropped",
    "empty": "the run has no answers",
    "other length": "{n:,} judged document[ has|s have] another length in the collection than in"
    " the assessments (such as {detail}); the collection's is used",
    "judged cut": "{n:,} judged document[ has|s have] relevant ranges beyond [its|their] end; cut",
    "united": "{n:,} relevant range[ overlaps|s overlap] another of the same topic and document;"
    " every character counts once",
    "entry points beyond": "{n:,} best entry point[ is|s are] beyond the end of [its document|their"
    " documents] (such as {detail})",
    "no entry point": "{n:,} relevant document[ has|s have] no best entry point; the first relevant"
    " character is used",
    "equal entry points": "all {n:,} best entry points are equal ({detail}); measures of entry"
    " points say little here",
}
"""What is said of each policy that was applied; ``[one|many]`` are the words for one and for
several."""

SHARES = {"rising": 0.9}
"""Notes that are said only if they hold for such a share of what was looked at."""

_NUMBER = re.compile(r"\[([^|\]]*)\|([^|\]]*)\]")


def sentence(kind: str, n: int, of: int = 0, detail: str = "") -> str:
    """A note in words, singular or plural.

    >>> sentence("ties", 1, detail="file"), sentence("unjudged", 1190, of=2000)[:41]
    ('1 answer has a tied score; ordered by file', '1,190 of 2,000 retrieved documents are un')
    """
    words = _NUMBER.sub(lambda choice: choice[1 if n == 1 else 2], SENTENCES[kind])
    return words.format(n=n, of=of, detail=detail)


NAMED = 5
"""How many names a note holds."""


def some_names(names: list[str]) -> str:
    """The first few names of many."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def left_out_lines(reasons: dict[str, str]) -> list[str]:
    """One sentence for all measures that are left out for the same reason.

    >>> left_out_lines({"Q": "no gain", "AP": "no run", "MAep": "no gain"})
    ['Q, MAep are left out: no gain', 'AP is left out: no run']
    """
    together: dict[str, list[str]] = {}
    for label, reason in reasons.items():
        together.setdefault(reason, []).append(label)
    return [
        f"{', '.join(labels)} {'is' if len(labels) == 1 else 'are'} left out: {reason}"
        for reason, labels in together.items()
    ]


@dataclass
class Notes:
    """Which policies were applied, and how often. Notes of the parts of a run are added up."""

    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    """Why measures that a nickname asked for have no values."""
    undefined: dict[str, dict[str, None]] = field(default_factory=dict)
    """By measure or gain, the topics for which it is not defined."""

    def add(self, kind: str, count: int, *, of: int = 0, detail: str = "") -> None:
        """A policy was applied so many times."""
        self.totals[kind] += of
        if count:
            self.counts[kind] += count
            self.details.setdefault(kind, detail)

    def add_names(self, kind: str, names: list[str]) -> None:
        """A policy was applied to each of these; the first few will be named."""
        if names:
            known = self.names.setdefault(kind, [])
            known += names[: NAMED + 1 - len(known)]
            self.add(kind, len(names))
            self.details[kind] = some_names(known)

    def leave_out(self, label: str, problem: Exception) -> None:
        """A measure that a nickname asked for cannot be computed."""
        self.left_out.setdefault(label, str(problem))

    def add_undefined(self, what: str, topics: list[str]) -> None:
        """There is nothing to gain for these topics."""
        self.undefined.setdefault(what, {}).update(dict.fromkeys(topics))

    @property
    def is_lenient(self) -> bool:
        """Was anything dropped or cut?"""
        return bool(self.counts["dropped"] or self.counts["cut"])

    def lines(self) -> list[str]:
        """One sentence for each policy that was applied."""
        return [
            sentence(kind, self.counts[kind], self.totals[kind], self.details[kind])
            for kind in SENTENCES
            if self._holds(kind)
        ] + [*self._undefined_lines(), *left_out_lines(self.left_out)]

    def _holds(self, kind: str) -> bool:
        """Is there anything to say, and does it hold for enough of what was looked at?"""
        count = self.counts[kind]
        return count > 0 and count >= SHARES.get(kind, 0) * self.totals[kind]

    def _undefined_lines(self) -> list[str]:
        return [
            f"{len(topics):,} topic{' has' if len(topics) == 1 else 's have'} nothing to gain by"
            f" {what}; left out of its mean ({some_names(sorted(topics))})"
            for what, topics in self.undefined.items()
        ]
