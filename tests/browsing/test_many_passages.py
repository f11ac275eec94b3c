"""Documents with many passages: what is worked out once is not worked out again."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from starlette.requests import Request

from spanwise.library.browsing import site_of_runs
from spanwise.measures import read_document as reading_module
from spanwise.measures.read_document import ReadDocument, Segment
from spanwise.measures.views.reading import Reading
from spanwise.measures.views.running_precision import average_precision
from spanwise.text.passages import Passages
from spanwise.web import reading_chain, run_answers, shelf
from spanwise.web.answers import Passage
from spanwise.web.application import Site
from spanwise.web.document_page import _highlights
from spanwise.web.reading_chain import Sentences, chain_of

ROW = '{{"topic": "q", "document": "d", "start": {}, "end": {}, "score": {}}}\n'
EVERY = 40


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.txt").write_text("High water is here. " * EVERY * 5)
    rows = [(100 * n + 20, 100 * n + 60, EVERY - n / 2) for n in range(EVERY)]
    judged = [(100 * n + 40, 100 * n + 80, 1) for n in range(EVERY)]
    for name, those in (("run", rows), ("judged", judged)):
        (tmp_path / f"{name}.jsonl").write_text("".join(ROW.format(*row) for row in those))
    (tmp_path / "judged.jsonl").write_text(
        "".join(ROW.format(*row).replace(', "score": 1', "") for row in judged)
    )
    docs, assessments = str(tmp_path / "docs"), tmp_path / "judged.jsonl"
    return site_of_runs([tmp_path / "run.jsonl"], assessments=assessments, collection=docs)


def asked(site: Site, page: str, more: str = "") -> None:
    query = f"run=run&topic=q&document=d{more}".encode()
    scope = {"type": "http", "method": "GET", "path": page, "query_string": query, "headers": []}
    answer = getattr(site, page)(Request(scope))
    assert answer.status_code == 200


def test_the_answers_and_the_chain_of_a_question_are_made_once(site: Site) -> None:
    with (
        mock.patch.object(shelf, "chain_of", wraps=shelf.chain_of) as chains,
        mock.patch.object(run_answers, "ranked", wraps=run_answers.ranked) as rankings,
    ):
        for page in ("search", "read", "read", "search"):
            asked(site, page)
    assert (chains.call_count, rankings.call_count) == (1, 1)


def test_sentences_are_looked_for_once_in_each_part_of_a_text(site: Site) -> None:
    text = site.source.documents.text("d")
    with mock.patch.object(reading_chain, "Passages", wraps=Passages) as cut:
        found = chain_of(
            *(text, [(0, len(text))]),
            [Passage(place, place + 9, place + 1) for place in range(0, len(text), 20)],
            dict.fromkeys(range(1, len(text)), 1),
        )
    assert len(found.stops) == len(text) // 20
    assert cut.call_count == 1


def test_sentences_of_long_flows_are_those_of_the_whole_text() -> None:
    text = "".join(f"The tide number {n} rose by {n % 7}.5 feet. " for n in range(1200))
    sentences, whole = Sentences(text, [(5, len(text))]), Passages(text[5:], 4000)
    for place in range(7, len(text), 401):
        [(start, end)] = whole.of(place - 5, place - 4)
        begin, last = sentences.around(place, place + 1)
        assert (begin, last) in {(start + 5, end + 4), (place, place), (place + 1, place + 1)}


def slow_moment(found: ReadDocument, position: int) -> tuple[int, float]:
    cut = [
        (min(one.after, position) - one.before, one.relevant)
        for one in found.segments
        if one.before < position
    ]
    average = average_precision(Reading.of_segments([cut]), np.array([found.relevant]))
    return sum(size for size, relevant in cut if relevant), float(average[0])


def test_moments_are_those_of_the_measure_to_the_last_bit() -> None:
    rng = np.random.default_rng(7)
    segments, before, relevant = list[Segment](), 0, 0
    for n, size in enumerate(rng.integers(1, 150, 60).tolist()):
        is_relevant = bool(n % 2 or n == 4)
        segments.append(Segment(before, before + size, is_relevant, before, relevant, n < 30))
        before, relevant = before + size, relevant + size * is_relevant
    found = ReadDocument("d", before, relevant, tuple(segments), (), (), None, 0.5)
    for position in range(before + 1):
        moment = found.at(position)
        assert (moment.found, moment.average) == slow_moment(found, position)
    assert found.at(before + 9) == found.at(before)


def test_every_segment_of_a_watched_document_is_added_up_once(site: Site) -> None:
    rows = list[int]()
    counted = reading_module.precision_sums

    def counting(reading: Reading, segments: np.ndarray) -> np.ndarray:
        rows.append(len(segments))
        return counted(reading, segments)

    with mock.patch.object(reading_module, "precision_sums", counting):
        asked(site, "watch", "&at=700")
    # All at once, for the values and for the page; else the part of one segment.
    assert [each for each in rows if each != 1] == [2 * EVERY] * 2


def test_highlights_are_cut_where_relevant_text_begins_and_ends() -> None:
    text = "High water. Low water. Slack. No tide."
    chain = chain_of(text, [(0, 38)], [Passage(0, 4, 1), Passage(12, 15, 2)], {1: 4, 2: 1})
    for relevant in ([], [(0, 38)], [(2, 5), (5, 9), (14, 34)], [(11, 12)], [(0, 1), (30, 38)]):
        marked = {place for a, b in relevant for place in range(a, b)}
        found = list(_highlights(text, chain, relevant))
        hot = chain.stops
        for place in range(len(text)):
            own = [one for one in found if one.start <= place < one.end]
            inside = any(stop.start <= place < stop.end for stop in hot)
            relevant_here = place in marked
            blank = not inside and not text[place].strip()
            assert len(own) == 1 if inside else len(own) == relevant_here or blank
            for one in own:
                assert one.classes.endswith((" f", "m")) == relevant_here
