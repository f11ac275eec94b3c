"""What a comparison of assessors found, in sentences that hold for every table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spanwise.assessing.agreement import Agreement, PairAgreement, TextPair
from spanwise.assessing.disagreements import Extended, extended
from spanwise.reporting.output import Interval
from spanwise.reporting.render.cells import interval_text, share_in_words, told_apart, two_digits
from spanwise.text.sentences import counted, enumerated, spelled

ALIKE = 0.1
"""Amounts of text that differ by less than this share are about as much."""
INSIDE, HALF = 0.9, 0.5
"""From these shares of shared text on, places are nearly the same, or partly."""
STRENGTH: Mapping[float, str] = {
    0.8: "very well",
    0.6: "well",
    0.4: "moderately",
    0.2: "poorly",
    0.0: "hardly better than by chance",
}
"""Words for kappa, from a value on: the limits of Landis and Koch (1977)."""


def strength(kappa: float) -> str:
    """How well two assessors agree.

    >>> strength(0.76), strength(0.05), strength(-0.1)
    ('well', 'hardly better than by chance', 'worse than by chance')
    """
    return next(
        (said for least, said in STRENGTH.items() if kappa >= least), "worse than by chance"
    )


# -- the headline


def finding(agreement: Agreement) -> str:
    """The result in one sentence."""
    if agreement.joint is not None:
        return _of_several(agreement)
    pair = agreement.pairs[0]
    return (None if pair.text is None else _of_text(pair, pair.text)) or _of_documents(pair)


def _of_text(pair: PairAgreement, text: TextPair) -> str | None:
    """Who highlights more, and whether it is in the same places; None without any highlight."""
    sizes = {
        pair.first: int(text.first.sizes().sum()),
        pair.second: int(text.second.sizes().sum()),
    }
    shared = int(text.first.overlap_sizes(text.second).sum())
    (less, fewer), (more, most) = sorted(sizes.items(), key=lambda item: item[1])
    both = f"{pair.first} and {pair.second}"
    if not most:
        return None
    if not fewer:
        return f"{more} highlights text where {less} highlights none"
    if shared == fewer == most:
        return f"{both} highlight exactly the same text"
    if 1 - fewer / most < ALIKE:
        share = share_in_words(shared / (fewer + most - shared))
        return f"{both} highlight about as much and share {share} of it"
    amount = share_in_words(1 - fewer / most)
    return f"{less} highlights {amount} less than {more}, {_places(shared, fewer, most)}"


def _places(shared: int, fewer: int, most: int) -> str:
    """Where the one who highlights less does so."""
    if shared < HALF * fewer:
        return "mostly in other places"
    if shared < INSIDE * fewer:
        return f"{share_in_words(shared / fewer)} of it in the same places"
    if fewer >= HALF * most:
        return "in nearly the same places"
    return "nearly all of it in the same places"


def _of_documents(pair: PairAgreement) -> str:
    counts = pair.counts["document"].together()
    same = int(counts.both[0] + counts.neither[0])
    both = f"{pair.first} and {pair.second}"
    return f"{both} agree on {same:,} of {counted(pair.documents, 'document')}"


def _of_several(agreement: Agreement) -> str:
    """The assessors together, and the two who agree least."""
    assert agreement.joint is not None
    who = f"{spelled(len(agreement.assessors))} assessors".capitalize()
    known = {
        one.level: one.pooled for one in agreement.joint.coefficients if one.pooled == one.pooled
    }
    level = next((level for level in ("character", "document") if level in known), None)
    if level is None:
        return f"{who} have judgements that are all equal"
    said = f"{who} agree {strength(known[level])} on {level}s (alpha {two_digits(known[level])})"
    pairs = [pair for pair in agreement.pairs if pair.pooled(level, "kappa") is not None]
    if len(pairs) < 2:
        return said
    least = min(pairs, key=lambda pair: (_kappa(pair, level), pair.first, pair.second))
    value = two_digits(_kappa(least, level))
    return f"{said}; {least.first} and {least.second} agree least (kappa {value})"


def _kappa(pair: PairAgreement, level: str) -> float:
    found = pair.pooled(level, "kappa")  # type: ignore[arg-type]
    assert found is not None
    return found


# -- how much and how sure


def about(pair: PairAgreement) -> str:
    """How much is shared on each level, and what the text is that one of them has alone."""
    said = [*_contained(pair), *_levels(pair), *_extends(pair)]
    return " ".join(f"{sentence[:1].upper()}{sentence[1:]}." for sentence in said)


def _contained(pair: PairAgreement) -> Iterator[str]:
    counts = pair.counts.get("character")
    if counts is None:
        return
    whole = counts.together()
    both, first, second = int(whole.both[0]), int(whole.first[0]), int(whole.second[0])
    if not both + min(first, second):
        return
    less, more = (pair.first, pair.second) if first < second else (pair.second, pair.first)
    share = share_in_words(both / (both + min(first, second)))
    yield f"{share} of the text that {less} highlighted, {more} highlighted as well"


def _levels(pair: PairAgreement) -> Iterator[str]:
    kappa, shared = pair.pooled("document", "kappa"), pair.pooled("character", "overlap")
    said = []
    if kappa is not None:
        level = two_digits(kappa)
        said.append(f"agree {strength(kappa)} on which documents are relevant (kappa {level})")
    if shared is not None:
        said.append(f"share {share_in_words(shared)} of the relevant characters")
    if said:
        yield f"they {enumerated(said)}"


def _extends(pair: PairAgreement) -> Iterator[str]:
    """Of the one who highlights more: are its further characters around passages of both?"""
    if pair.text is None:
        return
    ranges = {pair.first: pair.text.first, pair.second: pair.text.second}
    alone = {
        pair.first: extended(ranges[pair.first], ranges[pair.second]),
        pair.second: extended(ranges[pair.second], ranges[pair.first]),
    }
    more = max(alone, key=lambda name: (alone[name].only, name == pair.first))
    less = pair.second if more == pair.first else pair.first
    found: Extended = alone[more]
    if found.only:
        share = share_in_words(found.beside / found.only)
        yield f"of the text only {more} marked, {share} extends a passage that {less} marked too"


# -- facts for chips


def judged_by_both(pair: PairAgreement) -> str:
    """On how much the comparison rests."""
    return f"{counted(pair.documents, 'document')} judged by both"


def surest(pair: PairAgreement, interval: Interval | None) -> str:
    """Kappa over characters with its interval, nothing where it is undefined."""
    kappa = pair.pooled("character", "kappa")
    if kappa is None:
        return ""
    said = f"kappa over characters {two_digits(kappa)}"
    if interval is None:
        return said
    ends = dict(zip(interval, told_apart(*interval), strict=True))
    return f"{said}, 95% CI {interval_text(*interval, ends.__getitem__)}"


def one_sided(pair: PairAgreement) -> str:
    """Documents that are relevant to one of them only, nothing if there are none."""
    counts = pair.counts["document"].together()
    first, second = int(counts.first[0]), int(counts.second[0])
    if not first + second:
        return ""
    names = [(first, pair.first), (second, pair.second)]
    (most, who), (fewer, other) = sorted(names, key=lambda one: -one[0])
    rest = f"{fewer:,}" if fewer else "none"
    return f"{counted(most, 'document')} relevant to {who} only, {rest} to {other} only"
