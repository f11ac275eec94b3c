"""Passages of documents that have changed: at their new places, or open again."""

from __future__ import annotations

import pytest

from spanwise.assessing.log import Log
from spanwise.assessing.reanchoring import reanchored
from spanwise.collection.collection import open_collection

SAID = "yes, it is so"
FILLING = "Much else was written here at some length, about {} and about nothing besides it. "


def text_of(*names):
    return "".join(f"{name}: {SAID}. {FILLING.format(name) * 2}\n\n" for name in names)


def moved(tmp_path, old, new, start):
    """Where the passage ``SAID`` at this place of the old text is in the new one."""
    with Log.open(tmp_path / "log") as log:
        log.add_document("d1", old)
        judged = {"id": "1", "kind": "highlight", "start": start, "end": start + len(SAID)}
        log.append("ann", "q1", "d1", 0, [judged, {"id": "2", "kind": "done"}], "2024-05-01T12:00Z")
        [changed] = reanchored(log, open_collection({"d1": new}))
    [one] = changed.judgements
    return [each.start for each in one.judgement.passages], one.judgement.status


@pytest.mark.parametrize(
    "names", [("Delta", "Beta", "Gamma"), ("Beta", "Gamma", "Delta"), ("Gamma", "Beta", "Alpha")]
)
@pytest.mark.parametrize("judged", ["Alpha", "Beta", "Gamma"])
def test_repeated_text_stays_with_what_is_around_it(tmp_path, names, judged):
    old, new = text_of("Alpha", "Beta", "Gamma"), text_of(*names)
    found = moved(tmp_path, old, new, old.index(SAID, old.index(judged)))
    if judged in names:
        assert found == ([new.index(SAID, new.index(judged))], "relevant")
    else:
        assert found == ([], "open")


def test_the_only_place_that_is_left_need_not_be_the_judged_one(tmp_path):
    old, new = text_of("Alpha", "Beta"), text_of("Beta")
    assert moved(tmp_path, old, new, old.index(SAID)) == ([], "open")


def test_copies_with_the_same_text_around_them_keep_their_order(tmp_path):
    old, new = text_of("Alpha", "Alpha", "Alpha"), "First. " + text_of("Alpha", "Alpha", "Alpha")
    second = old.index(SAID, old.index(SAID) + 1)
    assert moved(tmp_path, old, new, second) == ([second + 7], "relevant")
