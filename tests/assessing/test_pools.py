"""Files of pools: what is written is read again, and every fault has its line."""

from __future__ import annotations

import gzip
import io
import json

import pytest
import zstandard

from spanwise.assessing.pools import Pool, PooledDocument, PooledTopic, read_pool, write_pool
from spanwise.errors import InputError
from spanwise.formats.source import Source

FIRST = '{"spanwise": 1, "kind": "pool", "depth": 10}'
POOL = Pool(
    (
        PooledTopic(
            "t1",
            "Wie alt?",
            "Nur das Jahr\nzählt.",
            (PooledDocument("d7", 3, 1, ((0, 5), (9, 12))), PooledDocument("a/ä b", 1, 4)),
        ),
        PooledTopic("t 2", documents=(PooledDocument("d7"),)),
        PooledTopic("t3"),
    ),
    depth=10,
    order="shuffled",
    runs=("bm25", "x y"),
)


def content_of(pool: Pool) -> bytes:
    stream = io.BytesIO()
    write_pool(pool, stream)
    return stream.getvalue()


def read(*lines: str) -> Pool:
    return read_pool(Source("pool.jsonl", "\n".join(lines).encode()))


def faults(*lines: str) -> list[str]:
    with pytest.raises(InputError) as refused:
        read(*lines)
    return [str(fault) for fault in refused.value.faults]


@pytest.mark.parametrize(
    "stored", [bytes, gzip.compress, zstandard.ZstdCompressor().compress], ids=["", "gz", "zst"]
)
def test_what_is_written_is_read_again(stored):
    assert read_pool(Source("pool", stored(content_of(POOL)))) == POOL
    assert len(POOL) == 3
    assert POOL.topic("t 2") is POOL.topics[1]


def test_the_lines_of_a_pool():
    rows = [json.loads(line) for line in content_of(POOL).splitlines()]
    assert rows[0] == {
        **{"spanwise": 1, "kind": "pool", "unit": "codepoint"},
        **{"depth": 10, "order": "shuffled", "runs": ["bm25", "x y"]},
    }
    assert rows[1] == {"topic": "t1", "query": "Wie alt?", "narrative": "Nur das Jahr\nzählt."}
    seen = {"runs": 3, "best_rank": 1, "ranges": [[0, 5], [9, 12]]}
    assert rows[2] == {"topic": "t1", "document": "d7", **seen}
    assert rows[4:6] == [{"topic": "t 2"}, {"topic": "t 2", "document": "d7", "ranges": []}]


def test_a_pool_written_by_hand_needs_no_more_than_names():
    pool = read("# to assess", FIRST, '{"topic": 1, "document": "d1"}', "", '{"topic": "1"}')
    assert pool == Pool((PooledTopic("1", documents=(PooledDocument("d1"),)),), depth=10)
    assert read('{"spanwise": 1}') == Pool(())


def test_all_faults_are_named_with_their_lines():
    found = faults(
        FIRST,
        '{"topic": "t1", "query": "a"}',
        '{"topic": "t1", "document": "d1"}',
        '{"topic": "t1", "query": "b"}',
        '{"topic": "t1", "document": "d1", "runs": 2}',
        '{"topic": "t1", "document": ""}',
        '{"document": "d2"}',
        '{"topic": "t1", "document": "d2", "runs": 0}',
        '{"topic": "t1", "document": "d2", "best_rank": "1"}',
        '{"topic": "t1", "document": "d2", "ranges": [[5, 5]]}',
        '{"topic": "t1", "document": "d2", "ranges": [[5, 9], [8, 10]]}',
        '{"topic": "t1", "document": "d2", "ranges": [5, 9]}',
        '{"topic": "t1", "document": "d2", "ranges": {}}',
        '{"topic": "t2", "narrative": 5}',
        "[]",
    )
    assert {each.split("; ")[1] for each in found[:-1]} == {"fix the line", "remove one of them"}
    assert [each.split(";")[0] for each in found] == [
        "pool.jsonl:4: found topic t1 again, expected each topic once (it is at line 2 already)",
        "pool.jsonl:5: found document d1 of topic t1 again, expected each document of a topic once"
        " (it is at line 3 already)",
        "pool.jsonl:6: found document '', expected a document that is text without NUL",
        "pool.jsonl:7: found no topic, expected a topic",
        "pool.jsonl:8: found runs 0, expected runs of 1 or more",
        "pool.jsonl:9: found best_rank '1', expected best_rank as a whole number",
        "pool.jsonl:10: found the range [5, 5], expected a start from 0 on, and an end after it",
        "pool.jsonl:11: found the range [8, 10], expected a start from 9 on, and an end after it",
        "pool.jsonl:12: found the range 5, expected [start, end]",
        "pool.jsonl:13: found ranges {}, expected ranges as a list of [start, end]",
        "pool.jsonl:14: found narrative 5, expected narrative that is text",
        "pool.jsonl:15: found [], expected one JSON object",
    ]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ((), "pool.jsonl: found nothing"),
        (('{"topic": "t1", "document": "d1"}',), "pool.jsonl:1: found a row before the line that"),
        (('{"spanwise": 1, "kind": "run"}',), "pool.jsonl:1: found a file of kind 'run'"),
        (('{"spanwise": 2, "kind": "pool"}',), "pool.jsonl:1: found version 2"),
        (('{"spanwise": 1, "unit": "byte"}',), "pool.jsonl:1: found unit 'byte'"),
        (('{"spanwise": 1, "order": "odd"}',), "pool.jsonl:1: found order 'odd'"),
        (('{"spanwise": 1, "runs": [1]}',), "pool.jsonl:1: found runs [1]"),
        (('{"spanwise": 1, "depth": -1}',), "pool.jsonl:1: found depth -1"),
        (('{"spanwise": 1, "kind": "pool"',), "pool.jsonl:1: found broken JSON"),
    ],
)
def test_files_that_are_no_pool(lines, problem):
    assert faults(*lines)[0].startswith(problem)
