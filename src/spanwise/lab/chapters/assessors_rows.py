"""The experiment on assessors as rows for programs."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.lab.assessment.agreement import Agreement, Overlap
from spanwise.lab.assessment.stability import Mixtures, Stability
from spanwise.lab.assessors import AssessorStability
from spanwise.lab.chapter import Value


def rows_of(found: AssessorStability) -> Iterator[dict[str, Value]]:
    """Rows of the kinds alone, swap, run, spread, tau, errors, mixtures and agreement."""
    for one in found.measures:
        yield from _alone(found, one)
    for one in found.measures:
        for run in one.order:
            keys = ("official", "mean", "minimum", "maximum", "range")
            values = dict(zip(keys, values_of(one, run), strict=True))
            yield {"kind": "run", **_labelled(one), "run": one.runs[run], **values}
    for one in found.measures:
        yield {
            "kind": "spread",
            **_labelled(one),
            "average_range": one.average_range,
            "relative_range": one.relative_range,
        }
        yield {"kind": "tau", **_labelled(one), **_tau(one)}
        yield {
            "kind": "errors",
            **_labelled(one),
            "error": one.errors.error,
            "ties": one.errors.ties,
            "comparisons": one.errors.comparisons,
        }
        if one.mixtures is not None:
            yield {"kind": "mixtures", **_labelled(one), **_mixtures(one.mixtures)}
    for agreement in found.agreements:
        yield from (_agreement_row(agreement, overlap) for overlap in agreement.overlaps)


def _alone(found: AssessorStability, one: Stability) -> Iterator[dict[str, Value]]:
    """Each other assessor against the official one, and the pairs of runs that swap."""
    for other in one.alone:
        named = {**_labelled(one), "assessor": found.assessors[other.assessor]}
        counts = {"swapped": len(other.swapped), "tied": other.tied, "pairs": other.pairs}
        yield {"kind": "alone", **named, "tau": other.tau, **counts}
        for better, worse in other.swapped:
            yield {
                "kind": "swap",
                **named,
                "first": one.runs[better],
                "second": one.runs[worse],
                "first_official": float(one.official[better]),
                "second_official": float(one.official[worse]),
                "first_value": other.means[better],
                "second_value": other.means[worse],
            }


def _labelled(one: Stability) -> dict[str, Value]:
    return {
        "measure": one.measure,
        "canonical": one.canonical,
        "scope": one.scope,
        "topics": one.topics,
        "sets": one.sets,
    }


def _tau(one: Stability) -> dict[str, Value]:
    return {
        "mean": one.tau.mean,
        "maximum": one.tau.maximum,
        "minimum": one.tau.minimum,
        "mean_of_others": one.tau.mean_of_others,
        "maximum_of_others": one.tau.maximum_of_others,
        "undefined": one.tau.undefined,
        "best": None if one.best_stays is None else one.runs[one.order[0]],
        "best_stays": one.best_stays,
    }


def _mixtures(mixtures: Mixtures) -> dict[str, Value]:
    return {
        "sets": mixtures.sets,
        "mean": mixtures.tau.mean,
        "maximum": mixtures.tau.maximum,
        "minimum": mixtures.tau.minimum,
        "undefined": mixtures.tau.undefined,
        "best_stays": mixtures.best_stays,
        "error": mixtures.errors.error,
        "ties": mixtures.errors.ties,
        "comparisons": mixtures.errors.comparisons,
    }


def _agreement_row(agreement: Agreement, overlap: Overlap) -> dict[str, Value]:
    return {
        "kind": "agreement",
        "first": agreement.first,
        "second": agreement.second,
        "level": overlap.level,
        "tag": overlap.tag,
        "topics": len(overlap.topics),
        "mean": overlap.mean,
        "pooled": overlap.pooled,
        "common": int(overlap.common.sum()),
        "either": int(overlap.either.sum()),
    }


def values_of(one: Stability, run: int) -> tuple[float, ...]:
    """Official, mean, minimum, maximum and their distance, of one run."""
    of_run = (one.official, one.mean, one.minimum, one.maximum, one.range)
    return tuple(float(values[run]) for values in of_run)
