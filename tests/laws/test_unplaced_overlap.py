"""The measure overlap where the characters of elements are not known: paths decide, or nobody."""

from __future__ import annotations

import pytest

from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.errors import NeedError, PolicyError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.measures.grammar import Asked, parse_measure

Answer = str | tuple[int, int] | None
"""A path, a range, or the whole document."""
WHOLE = None


def run_of(answers: tuple[Answer, ...], documents: list[str]) -> Run:
    ranges = [answer if isinstance(answer, tuple) else (0, 0) for answer in answers]
    extents = {str: Extent.ELEMENT, tuple: Extent.RANGE, type(None): Extent.WHOLE}
    return Run.of(
        "run",
        ["1"] * len(answers),
        documents,
        start=[start for start, _ in ranges],
        end=[end for _, end in ranges],
        extent=[extents[type(answer)] for answer in answers],
        paths=[answer if isinstance(answer, str) else NO_PATH for answer in answers],
    )


def overlap_of(*answers: Answer, documents: str = "", policy: Policy | None = None) -> float | None:
    judgements = Judgements(Faults("assessments"))
    judgements.add_element("1", "a", "/x[1]/s[1]", 3, 3)
    asked = (Asked("overlap", parse_measure("overlap")),)
    evaluation = Evaluation(judgements.build(), asked, policy or Policy())
    run = run_of(answers, list(documents) or ["a"] * len(answers))
    return evaluation.score([run], "run").means[0]


@pytest.mark.parametrize(
    ("answers", "share"),
    [
        (("/x[1]/s[1]", "/x[1]/s[2]"), 0),
        (("/x[1]/s[1]", "/x[1]/s[1]/p[1]", "/x[1]/t[1]"), 2 / 3),
        (("/x[1]/s[1]", WHOLE), 1),
        ((WHOLE, "/x[1]/s[1]", "/x[1]/s[2]", (3, 5)), 1),
        (("/x[1]", (3, 5)), 1),
        (("/x[1]", "/x[1]/s[1]", (3, 5)), 1),
        (("/x[1]/s[1]", "/x[1]/s[1]", (3, 5), (4, 6)), 1),
        (("/x[1]/s[1] /x[1]/s[3]", "/x[1]/s[2]/p[1]"), 1),
        (("/x[1]/s[1] /x[1]/t[1]", "/x[1]/s[1]/p[1]"), 1),
        (("/x[1]/s[1] /x[1]/t[1]", "/x[1]/t[1]/p[1]"), 1),
        (("/x[1]/t[1] /x[1]/s[1]",), 0),
    ],
)
def test_paths_tell_what_overlaps(answers: tuple[Answer, ...], share: float) -> None:
    assert overlap_of(*answers) == share
    assert overlap_of(*answers[::-1]) == share


def test_other_documents_are_nobody_s_company() -> None:
    assert overlap_of("/x[1]/s[1]", WHOLE, documents="ab") == 0
    assert overlap_of("/x[1]/s[1]", (3, 5), documents="ab") == 0


@pytest.mark.parametrize(
    "answers",
    [
        ("/x[1]/s[1]", (3, 5)),
        ("/x[1]/s[1]", "/x[1]/s[1]/p[1]", (3, 5)),
        ("/x[1]/s[1] /x[1]/u[1]", "/x[1]/t[1]"),
    ],
)
def test_what_only_the_documents_tell_is_not_guessed(answers: tuple[Answer, ...]) -> None:
    with pytest.raises(NeedError, match=r"document a \(topic 1\) overlap .*collection="):
        overlap_of(*answers)


def test_an_element_in_a_whole_document_is_refused_where_overlap_is() -> None:
    with pytest.raises(
        PolicyError, match=r"found the whole of document .*, expected text that no better-ranked"
    ):
        overlap_of("/x[1]/s[1]", WHOLE, policy=Policy(overlap="error"))
