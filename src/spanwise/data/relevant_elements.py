"""Which elements of judged documents are relevant, and how they were assessed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.elements import ROOT, UNKNOWN, Elements, Paths, Tree, each_once
from spanwise.data.joint_keys import NOWHERE, joint_keys, places_of
from spanwise.data.quantisation import Quantisation
from spanwise.errors import Fault, InputError, NeedError, option
from spanwise.records import Struct
from spanwise.text.ranges import Floats, Integers

GIVE = f"give {option('collection')} or {option('elements')}"


class RelevantElements(Struct, frozen=True, eq=False):
    """The relevant elements of judged pairs with their grades, sorted by pair and element."""

    pair: Integers
    element: Integers
    """Numbers in the ``Elements`` of the documents: inside a document, its order."""
    exhaustivity: Integers
    specificity: Integers
    share: Floats
    """How much of the element's text is relevant."""


def relevant_elements(
    assessments: Assessments, elements: Elements | None, quant: Quantisation
) -> tuple[Elements, RelevantElements]:
    """The relevant elements on the basis that a quantisation needs, or why there are none."""
    judged = assessments.elements
    graded = bool((judged.graded & judged.relevant).any())
    highlighted = bool((assessments.relevant.sizes() > 0).any())
    measured = bool((~judged.graded & judged.relevant).any())
    if quant.basis == "grades":
        if not graded:
            raise NeedError(
                f"quant={quant.name} needs graded elements, and the assessments have"
                f" {'ranges' if highlighted else 'none'}; use quant=spec"
            )
        if elements is None:
            raise NeedError(f"quant={quant.name} needs the elements' sizes: {GIVE}")
        return elements, graded_elements(assessments, elements)
    if highlighted and elements is not None:
        return elements, highlighted_elements(assessments, elements)
    if measured:
        trees = elements if elements is not None else measured_trees(assessments)
        return trees, measured_elements(assessments, trees)
    if highlighted:
        raise NeedError(f"quant={quant.name} needs the documents' elements: {GIVE}")
    raise NeedError(
        f"quant={quant.name} needs relevant text, and the assessments have grades; use quant=sog"
    )


def found_elements(assessments: Assessments, elements: Elements) -> RelevantElements:
    """By grades if there are any, else by text, else by the sizes that were written down."""
    judged = assessments.elements
    if (judged.graded & judged.relevant).any():
        return graded_elements(assessments, elements)
    if (assessments.relevant.sizes() > 0).any():
        return highlighted_elements(assessments, elements)
    return measured_elements(assessments, elements)


def graded_elements(assessments: Assessments, elements: Elements) -> RelevantElements:
    """The elements that were graded above 0."""
    judged = assessments.elements
    rows = np.flatnonzero(judged.graded & judged.relevant)
    element = _present(assessments, elements, rows)
    share = np.zeros(len(rows))
    return _sorted(
        judged.pair[rows], element, judged.exhaustivity[rows], judged.specificity[rows], share
    )


def judged_numbers(assessments: Assessments, elements: Elements, rows: Integers) -> Integers:
    """The numbers of judged elements, ``UNKNOWN`` for those that their documents do not have."""
    if not len(rows):
        return np.zeros(0, np.int64)
    key = ("judged numbers", elements)
    every: Integers | None = assessments.kept.get(key)
    if every is None:
        judged = assessments.elements
        pairs, place = np.unique(judged.pair, return_inverse=True)
        slot = elements.slots(assessments.documents.take(pairs).strings())
        code, paths = each_once(judged.paths)
        every = elements.find(slot[place], elements.paths.numbers(paths)[code])
        assessments.kept[key] = every
    return every[rows]


def lacking(assessments: Assessments, elements: Elements, row: int) -> tuple[str, str]:
    """What was found and what was expected where a judged element is missing."""
    judged = assessments.elements
    document = assessments.documents[int(judged.pair[row])]
    known = elements.tree(document) is not None
    return (
        f"element {judged.paths[row]} of document {document}",
        "an element of that document" if known else "a document of the collection",
    )


def _present(assessments: Assessments, elements: Elements, rows: Integers) -> Integers:
    """The numbers of judged elements, all of which must be there."""
    number = judged_numbers(assessments, elements, rows)
    missing = rows[number == UNKNOWN]
    if len(missing):
        found, expected = lacking(assessments, elements, int(missing[0]))
        line = int(assessments.elements.line[missing[0]]) or None
        remedy = "give the collection that was assessed"
        more = f"{found} ({len(missing)} such judgements)"
        raise InputError(Fault(assessments.file, line, more, expected, remedy, "element"))
    return number


def highlighted_elements(assessments: Assessments, elements: Elements) -> RelevantElements:
    """The elements that hold relevant text."""
    pairs = np.flatnonzero(assessments.is_relevant & (assessments.relevant.sizes() > 0))
    slot = elements.slots(assessments.documents.take(pairs).strings())
    unknown = np.flatnonzero(slot == UNKNOWN)
    if len(unknown):
        name = assessments.documents[int(pairs[unknown[0]])]
        raise NeedError(
            f"document {name} has relevant text but no elements in the collection"
            f" ({len(unknown)} such judged documents); give the collection that was assessed"
        )
    columns, offsets = elements.columns, elements.offsets
    counts = offsets[slot + 1] - offsets[slot]
    pair = np.repeat(pairs, counts)
    element = np.arange(len(pair)) + np.repeat(offsets[slot] - np.cumsum(counts) + counts, counts)
    start, size = columns.start[element], columns.size[element]
    placed = np.flatnonzero((start != UNKNOWN) & (size > 0))
    pair, element, start, size = pair[placed], element[placed], start[placed], size[placed]
    found = assessments.relevant.covered(pair, start, start + size)
    held = np.flatnonzero(found > 0)
    pair, element, share = pair[held], element[held], found[held] / size[held]
    nothing = np.full(len(pair), UNKNOWN, np.int64)
    return _sorted(
        pair, element, _exhaustivity(assessments, elements, pair, element), nothing, share
    )


def measured_elements(assessments: Assessments, elements: Elements) -> RelevantElements:
    """The elements whose size and relevant size are in the assessments themselves."""
    judged = assessments.elements
    rows = np.flatnonzero(~judged.graded & judged.relevant)
    element = _present(assessments, elements, rows)
    share = judged.relevant_size[rows] / judged.size[rows]
    return _sorted(
        judged.pair[rows], element, judged.exhaustivity[rows], judged.specificity[rows], share
    )


def _exhaustivity(
    assessments: Assessments, elements: Elements, pair: Integers, element: Integers
) -> Integers:
    """The recorded exhaustivity of elements with relevant text, ``UNKNOWN`` if there is none."""
    judged = assessments.elements
    rows = np.flatnonzero(~judged.graded & judged.relevant)
    found = np.full(len(pair), UNKNOWN, np.int64)
    if not len(rows):
        return found
    known = joint_keys(judged.pair[rows], _present(assessments, elements, rows))
    order = np.argsort(known)
    place = places_of(joint_keys(pair, element), known[order])
    hit = place != NOWHERE
    found[hit] = judged.exhaustivity[rows[order[place[hit]]]]
    return found


def _sorted(
    pair: Integers, element: Integers, exhaustivity: Integers, specificity: Integers, share: Floats
) -> RelevantElements:
    order = np.lexsort((element, pair))
    return RelevantElements(
        pair[order], element[order], exhaustivity[order], specificity[order], share[order]
    )


def measured_trees(assessments: Assessments) -> Elements:
    """Trees from judged elements with sizes, for when there are no documents."""
    judged, paths = assessments.elements, Paths()
    rows = np.flatnonzero(~judged.graded)
    sizes: dict[str, dict[int, int]] = {}
    documents = assessments.documents.take(judged.pair[rows]).strings()
    texts = judged.paths.take(rows).strings()
    for name, text, size in zip(documents, texts, judged.size[rows].tolist(), strict=True):
        sizes.setdefault(name, {})[paths.add_path(text)] = size

    def load(document: str) -> Tree | None:
        return _tree_of(paths, sizes[document]) if document in sizes else None

    return Elements(paths, load)


def _tree_of(paths: Paths, sizes: dict[int, int]) -> Tree:
    """The tree of some paths and all their ancestors; siblings in the order of the judgements."""
    children: dict[int, dict[int, None]] = {}
    for leaf in sizes:
        for number in _upward(paths, leaf):
            children.setdefault(paths.parent[number], {})[number] = None
    numbers = list(_downward(children, ROOT))
    row = {number: place for place, number in enumerate(numbers)}
    parent = [row.get(paths.parent[number], ROOT) for number in numbers]
    return Tree(
        np.array(numbers, np.int64),
        np.array(parent, np.int64),
        np.full(len(numbers), UNKNOWN, np.int64),
        np.array([sizes.get(number, UNKNOWN) for number in numbers], np.int64),
    )


def _upward(paths: Paths, number: int) -> list[int]:
    chain = []
    while number != ROOT:
        chain.append(number)
        number = paths.parent[number]
    return chain


def _downward(children: dict[int, dict[int, None]], number: int) -> Iterator[int]:
    """All paths below one, a parent before its children."""
    for child in children.get(number, ()):
        yield child
        yield from _downward(children, child)
