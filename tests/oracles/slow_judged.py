"""How much of a list was judged: the documents of the answers, counted one by one."""

from __future__ import annotations

from oracles.slow import Case
from oracles.twins import twin


@twin("list over answers")
def judged(case: Case, cutoff: int | None = None) -> float:
    first = case.answers[:cutoff]
    known = {*case.relevant, *case.grades, *case.element_grades}
    found = [answer for answer in first if answer.document in known]
    return len(found) / len(first) if first else 0.0
