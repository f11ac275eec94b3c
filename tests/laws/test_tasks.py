"""The rules of tasks against a reading that looks at every pair of answers."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.cli.check import TASKS as NAMES
from spanwise.data.elements import steps_of
from spanwise.data.notes import KEPT, Faults
from spanwise.data.run import NO_PATH, Extent, Order, Run
from spanwise.evaluation.policy import Notes, ranked
from spanwise.evaluation.returned import Returned
from spanwise.evaluation.tasks import RULES, TASKS, Limits, TaskCheck
from spanwise.records import replace
from spanwise.text import ranges as ranges_module
from spanwise.text.overlaps import first_sharing

PATIENT = settings(deadline=None)
DOCUMENTS = ("a", "b", "c")
LENGTHS = {"a": 30, "b": 12}
TREE = {
    "/x[1]": (0, 30),
    "/x[1]/s[1]": (0, 10),
    "/x[1]/s[1]/p[1]": (0, 10),
    "/x[1]/s[1]/p[2]": (10, 10),
    "/x[1]/s[2]": (10, 30),
    "/x[1]/s[2]/p[1]": (12, 20),
    "/x[1]/s[2]/p[2]": (20, 29),
    "/x[1]/s[2]/p[2]/i[1]": (21, 22),
    "/x[1]/s[12]": (30, 30),
}
"""Elements of every document, one with the text of its parent and two without any."""


@dataclass(frozen=True)
class Answer:
    """One row of a run."""

    topic: str
    document: str
    extent: Extent
    start: int = 0
    end: int = 0
    path: str = NO_PATH
    rank: int = 0
    score: float = 0.0

    @property
    def characters(self) -> set[int]:
        """What it returns, as far as that is known."""
        if self.extent == Extent.WHOLE or self.names_root_only:
            return set(range(100))
        return set(range(self.start, self.end)) if self.extent == Extent.RANGE else set()

    @property
    def names_root_only(self) -> bool:
        return self.extent == Extent.ELEMENT and self.path == "/x[1]"

    @property
    def identity(self) -> tuple[object, ...]:
        if self.path != NO_PATH:
            return self.path, self.document
        return self.document, self.extent, self.start, self.end

    def shares_text(self, other: Answer) -> bool:
        """Slow and plain: sets of characters, and prefixes of paths."""
        if self.document != other.document:
            return False
        if self.characters & other.characters or self.identity == other.identity:
            return True
        if NO_PATH not in (self.path, other.path):
            return is_inside(self.path, other.path) or is_inside(other.path, self.path)
        kinds = {self.extent, other.extent}
        return Extent.WHOLE in kinds and {self.path, other.path} != {NO_PATH}


def is_inside(inner: str, outer: str) -> bool:
    return inner == outer or inner.startswith(f"{outer}/")


def draw(source: random.Random, kinds: tuple[str, ...]) -> Answer:
    kind = source.choice(kinds)
    document = source.choice(DOCUMENTS)
    about = (source.choice("tuv"), document)
    order = {"rank": source.randint(1, 6), "score": source.choice((0.5, 1.0, 2.0))}
    path = source.choice(list(TREE))
    start = source.randrange(30)
    if kind == "range":
        return Answer(*about, Extent.RANGE, start, source.randint(start + 1, 31), **order)
    if kind == "resolved":
        return Answer(*about, Extent.RANGE, *TREE[path], path, **order)
    if kind == "element":
        return Answer(*about, Extent.ELEMENT, path=path, **order)
    if kind == "point":
        return Answer(*about, Extent.POINT, start % 4, start % 4, **order)
    return Answer(*about, Extent.WHOLE if kind == "whole" else Extent.NOTHING, **order)


KINDS = (
    ("range", "range", "whole", "point", "nothing"),
    ("element", "element", "element", "whole", "nothing"),
    ("resolved", "range", "range"),
    ("point",),
)


@st.composite
def answers(strategy: st.DrawFn) -> list[Answer]:
    source = strategy(st.randoms(use_true_random=False))
    kinds = strategy(st.sampled_from(KINDS))
    return [draw(source, kinds) for _ in range(source.randint(1, 25))]


def run_of(rows: list[Answer], order: Order = "file") -> Run:
    return Run.of(
        "x",
        [row.topic for row in rows],
        [row.document for row in rows],
        start=[row.start for row in rows],
        end=[row.end for row in rows],
        extent=[row.extent for row in rows],
        score=[row.score for row in rows],
        rank=[row.rank for row in rows],
        order=order,
        file="x.fol",
        line=list(range(1, len(rows) + 1)),
        paths=[row.path for row in rows],
    )


def broken(rows: list[Answer], rule: str, order: Order = "file", **limits: int) -> dict[int, str]:
    """The lines that break a rule, and what is said of them."""
    returned = Returned(ranked(run_of(rows, order), None, Notes()), LENGTHS)
    found = {}
    for one in RULES[rule](returned, Limits(**limits)):
        for row in one.rows.tolist():
            found[int(returned.run.line[row])] = " | ".join((one.rule, *one.tell(row)))
    return found


def in_order(rows: list[Answer], order: Order) -> dict[str, list[tuple[int, Answer]]]:
    """The lines and answers of each topic in the order of its ranking."""
    keys = {"rank": lambda pair: pair[1].rank, "score": lambda pair: -pair[1].score}
    numbered = sorted(enumerate(rows, 1), key=keys.get(order, lambda pair: pair[0]))
    return {
        topic: [pair for pair in numbered if pair[1].topic == topic]
        for topic in {row.topic for row in rows}
    }


ORDERS: tuple[Order, ...] = ("file", "rank", "score")


@PATIENT
@given(answers(), st.sampled_from(ORDERS))
def test_overlap_is_found_as_by_looking_at_every_pair(rows: list[Answer], order: Order) -> None:
    expected = {}
    for ranking in in_order(rows, order).values():
        for place, (line, row) in enumerate(ranking):
            better = [n for n, other in ranking[:place] if row.shares_text(other)]
            if better:
                expected[line] = better[0]
    found = broken(rows, "overlap", order)
    assert set(found) == set(expected)
    assert all(f" is at x.fol:{expected[line]})" in words for line, words in found.items())


@PATIENT
@given(answers(), st.sampled_from(ORDERS))
def test_repetitions_are_found_as_by_looking_at_every_pair(
    rows: list[Answer], order: Order
) -> None:
    expected = {}
    for ranking in in_order(rows, order).values():
        seen: dict[tuple[object, ...], int] = {}
        for line, row in ranking:
            first = seen.setdefault(row.identity, line)
            if first != line:
                expected[line] = first
    found = broken(rows, "repetition", order)
    assert set(found) == set(expected)
    assert all(f" is at x.fol:{expected[line]})" in words for line, words in found.items())


@PATIENT
@given(answers(), st.sampled_from(ORDERS))
def test_interleaving_is_found_as_by_walking_down_the_ranking(
    rows: list[Answer], order: Order
) -> None:
    expected = {}
    for ranking in in_order(rows, order).values():
        last: dict[str, int] = {}
        before = None
        for line, row in ranking:
            if row.document != before and row.document in last:
                expected[line] = last[row.document]
            last[row.document] = line
            before = row.document
    found = broken(rows, "interleaving", order)
    assert set(found) == set(expected)
    assert all(f" is at x.fol:{expected[line]})" in words for line, words in found.items())


@PATIENT
@given(answers(), st.sampled_from(ORDERS))
def test_only_the_best_result_of_a_document_is_left(rows: list[Answer], order: Order) -> None:
    expected = set()
    for ranking in in_order(rows, order).values():
        documents = [row.document for _, row in ranking]
        expected |= {
            line for place, (line, row) in enumerate(ranking) if row.document in documents[:place]
        }
    assert set(broken(rows, "one per document", order)) == expected


@PATIENT
@given(answers(), st.sampled_from(ORDERS), st.integers(1, 80))
def test_characters_are_counted_down_the_ranking(
    rows: list[Answer], order: Order, most: int
) -> None:
    expected, uncounted = set(), set()
    for ranking in in_order(rows, order).values():
        total, over, unknown = 0, False, None
        for line, row in ranking:
            size = size_of(row)
            if size is None:
                unknown = unknown or line
            total += size or 0
            if total > most and not over:
                expected.add(line)
                over = True
        if unknown and not over:
            uncounted.add(unknown)
    found = broken(rows, "characters", order, characters=most)
    assert {line for line, words in found.items() if words.startswith("characters |")} == expected
    assert set(found) == expected | uncounted


def size_of(row: Answer) -> int | None:
    if row.extent == Extent.WHOLE or row.names_root_only:
        return LENGTHS.get(row.document)
    return None if row.extent == Extent.ELEMENT else row.end - row.start


@PATIENT
@given(answers(), st.sampled_from(ORDERS), st.integers(1, 6))
def test_the_first_result_too_many_is_named(rows: list[Answer], order: Order, most: int) -> None:
    rankings = in_order(rows, order).values()
    expected = {ranking[most][0] for ranking in rankings if len(ranking) > most}
    assert set(broken(rows, "results", order, results=most)) == expected


# -- the kernel

Span = tuple[int, int, int]
spans = st.tuples(st.integers(0, 2), st.integers(0, 40), st.integers(0, 15))


@pytest.mark.parametrize("longest", [ranges_module.LONGEST_LINE, 40], ids=["plain", "compressed"])
@pytest.mark.parametrize("shift", [0, 2**62 - 100])
@PATIENT
@given(spans=st.lists(spans, max_size=40), shared=st.booleans())
def test_the_first_that_shares_a_character(
    longest: int, shift: int, spans: list[Span], shared: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranges_module, "LONGEST_LINE", longest)
        holder = np.arange(len(spans)) // (2 if shared else 1)
        owner, start, size = (np.array(column, np.int64) for column in columns_of(spans))
        found = first_sharing(holder, owner, start + shift, start + size + shift)
    for row, own in enumerate(holder.tolist()):
        sharing = [h for h, other in zip(holder.tolist(), spans, strict=True)
                   if meet(spans[row], other)]  # fmt: skip
        assert found[row] == min([own, *sharing])


def columns_of(spans: list[Span]) -> list[list[int]]:
    return [[span[column] for span in spans] for column in range(3)]


def meet(one: Span, other: Span) -> bool:
    mine, theirs = (set(range(start, start + size)) for _, start, size in (one, other))
    return one[0] == other[0] and bool(mine & theirs)


def test_nested_answers_all_meet_the_first() -> None:
    """Chains of ranges and of elements, each inside the one before: every pair overlaps."""
    ranges = [Answer("t", "a", Extent.RANGE, number, 6000 - number) for number in range(1500)]
    elements = [element("/x[1]" * (number + 1)) for number in range(200)]
    for rows in (ranges, ranges[::-1], elements, elements[::-1]):
        returned = Returned(run_of(rows))
        assert returned.first_overlapping().tolist() == [0] * len(rows)
        assert returned.first_equal().tolist() == list(range(len(rows)))


# -- paths


def element(path: str, document: str = "a") -> Answer:
    return Answer("t", document, Extent.ELEMENT, path=path)


@pytest.mark.parametrize(
    ("first", "second", "overlaps"),
    [
        ("/x[1]/s[1]", "/x[1]/s[1]/p[2]", True),
        ("/x[1]/s[1]/p[2]", "/x[1]/s[1]", True),
        ("/x[1]/s[1]", "/x[1]/s[12]", False),
        ("/x[1]/s[1]", "/x[1]/ss[1]", False),
        ("/x[1]/s[1]/p[1]", "/x[1]/s[2]/p[1]", False),
        ("/x/s", "/x[1]/s[1]", True),
        ("/x[1]", "/x[1]/s[7]/p[3]/i[1]", True),
        ("/x[1]/p[2] /x[1]/p[4]", "/x[1]/p[3]/i[1]", True),
        ("/x[1]/p[2] /x[1]/p[4]", "/x[1]/p[4]", True),
        ("/x[1]/p[2] /x[1]/p[4]", "/x[1]/p[10]", False),
        ("/x[1]/p[2] /x[1]/p[4]", "/x[1]", True),
        ("/x[1]/p[2] /x[1]/p[4]", "/x[1]/p[4] /x[1]/p[9]", True),
        ("/x[1]/s[1]/p[2] /x[1]/s[2]/p[4]", "/x[1]/s[2]", True),
        ("/x[1]/s[1]/p[2] /x[1]/s[2]/p[4]", "/x[1]/s[1]/p[2]/i[1]", True),
        ("/x[1]/s[1]/p[2] /x[1]/s[2]/p[4]", "/x[1]/s[2]/p[4]/i[1]", True),
    ],
)
def test_paths_overlap_by_their_steps(first: str, second: str, overlaps: bool) -> None:
    found = broken([element(first), element(second)], "overlap")
    assert {line for line, words in found.items() if "undecided" not in words} == (
        {2} if overlaps else set()
    )
    elsewhere = broken([element(first), element(second, "b")], "overlap")
    assert not elsewhere


def test_what_lies_between_two_parents_is_left_undecided() -> None:
    found = broken([element("/x[1]/s[1] /x[1]/t[1]"), element("/x[1]/f[1]")], "overlap")
    assert list(found) == [1]
    assert found[1].startswith("overlap undecided | /x[1]/s[1] to /x[1]/t[1] of document a")


def test_elements_beside_ranges_are_left_undecided_unless_all_is_returned() -> None:
    plain = Answer("t", "a", Extent.RANGE, 5, 9)
    found = broken([plain, element("/x[1]/s[1]"), element("/x[1]/s[2]", "b")], "overlap")
    assert list(found) == [2]
    assert "undecided" in found[2]
    root = broken([plain, element("/x[1]")], "overlap")
    assert root[2].startswith("overlap |")


def test_a_resolved_element_is_no_repetition_of_its_only_child() -> None:
    parent = Answer("t", "a", Extent.RANGE, 0, 10, "/x[1]/s[1]")
    child = replace(parent, path="/x[1]/s[1]/p[1]")
    assert not broken([parent, child], "repetition")
    assert broken([parent, child], "overlap")


def test_elements_without_text_lie_inside_their_ancestors() -> None:
    empty = Answer("t", "a", Extent.RANGE, 10, 10, "/x[1]/s[1]/p[2]")
    section = Answer("t", "a", Extent.RANGE, 0, 10, "/x[1]/s[1]")
    assert list(broken([section, empty], "overlap")) == [2]
    assert not broken([replace(section, path="/x[1]/s[2]"), empty], "overlap")


def test_every_path_of_the_tests_is_one() -> None:
    assert all(steps_of(path) for path in TREE)


# -- gathering


def test_the_tasks_of_the_command_line_are_those_that_exist() -> None:
    assert tuple(TASKS) == NAMES
    assert {rule for rules in TASKS.values() for rule in rules} == set(RULES)


def test_sums_do_not_overflow() -> None:
    huge = [replace(Answer("t", "a", Extent.RANGE, 0, 2**62), document=d) for d in "abcd"]
    found = broken(huge, "characters")
    assert list(found) == [1]
    assert f"{2**64} characters" in found[1]


def test_breaches_beyond_those_kept_are_counted() -> None:
    count = KEPT + 500
    run = Run.of("x", ["t"] * count, ["a"] * count, start=[0] * count, end=[5] * count)
    check = TaskCheck("focused", Faults("x"), Limits(results=count))
    check.look(run)
    assert len(check.breaches.kept) == KEPT
    assert check.breaches.counts == {"overlap": count - 1}
    assert (
        check.summary()
        == f"task focused, {count - 1} breaches (overlap {count - 1}); kept: results"
    )


def test_a_block_without_answers_breaks_nothing() -> None:
    for task in TASKS:
        check = TaskCheck(task, Faults("x"))
        check.look(Run.of("x", [], []))
        assert check.summary() == f"task {task}, no breaches; kept: {', '.join(TASKS[task])}"


def test_any_task_may_have_a_limit_of_characters() -> None:
    check = TaskCheck("thorough", Faults("x"), Limits(characters=9))
    check.look(run_of([Answer("t", "a", Extent.RANGE, 0, 10)]))
    assert check.summary() == "task thorough, 1 breach (characters 1); kept: results, repetition"


def test_what_is_undecided_is_not_said_to_be_kept() -> None:
    check = TaskCheck("restricted", Faults("x"))
    check.look(run_of([element("/x[1]/s[1]"), element("/x[1]/s[2]")]))
    assert check.summary() == (
        "task restricted, 1 breach (characters undecided 1); kept: results, overlap"
    )
    assert "(2 are unknown)" in str(check.breaches.kept[0])


@pytest.mark.parametrize("rule", RULES)
def test_topics_are_held_apart(rule: str) -> None:
    rows = [replace(Answer("t", "a", Extent.RANGE, 0, 10), topic=topic) for topic in "tuvw"]
    assert not broken(rows, rule, results=1, characters=10)
    assert broken(
        [replace(row, topic="t") for row in [*rows, replace(rows[0], document="b"), *rows]],
        rule,
        results=1,
        characters=10,
    )
