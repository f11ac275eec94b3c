"""JSON documents, object by object: places of faults, hostile content, files of any size."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats import json_items
from spanwise.formats.budget import Budget, spending
from spanwise.formats.json_items import JsonDocument
from spanwise.formats.json_outline import outline
from spanwise.formats.source import Source

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)


def items_of(data, lists=("list",), faults=None):
    content = data if isinstance(data, bytes) else data.encode()
    faults = Faults("file") if faults is None else faults
    return [
        (item.place.path, item.place.line, item.value)
        for item in JsonDocument(Source("file", content), lists, faults)
    ]


@pytest.mark.parametrize("block", [1, 2, 7, 64])
@given(objects=st.lists(OBJECTS, max_size=5), indent=st.sampled_from([None, 1]))
def test_every_object_is_decoded_whatever_is_read_at_a_time(block, objects, indent):
    text = json.dumps({"a": [1], "list": objects, "z": "end"}, indent=indent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_items, "BLOCK", block)
        found = items_of(text)
    assert [value for _, _, value in found] == objects
    assert [path for path, _, _ in found] == [f"list[{n}]" for n in range(len(objects))]
    lines = text.split("\n")
    if indent:
        assert all(lines[line - 1].startswith("  {") for _, line, _ in found)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", r"file:1: found '\[\]', expected a JSON object"),
        ("", "file:1: found the end of the file, expected a JSON object"),
        ("{}", "file:1: found an object with nothing, expected one with 'list'"),
        ('{"a": 1}', "file:1: found an object with 'a', expected one with 'list'"),
        ('{"list": {}}', "expected a list as 'list'"),
        ('{"list": [], "list": []}', "found 'list' a second time"),
        ('{"list": [{"a": 1}', r"found the end of the file, expected a comma or \]"),
        ('{"list": [\n{"a": 1', r"file:2: found broken JSON .* in list\[0\]"),
        ('{"list": [\n\n{"a": "x', r"file:3: found broken JSON .* in list\[0\]"),
        ('{"list": [{}]} {}', "expected the end of the file"),
        ('{"list": [{}],}', "found '}' as a name|broken JSON"),
        ("{1: []}", "found 1 as a name"),
        ('{"list" []}', "expected a colon after 'list'"),
        ('{"list": [' + "[" * 100_000, "nested too deeply"),
        ('{"list": [{"a": ' + "9" * 5000 + "}]}", "more than 4,300 digits"),
        (b'{"list": [\n{"a": "\xfc"}]}', "file:2: found byte 0xfc, expected UTF-8"),
        ('{"list": [{"a": "\0"}]}', "broken JSON"),
        ('{"list": [{"a": tru}]}', "broken JSON"),
    ],
)
def test_a_document_that_cannot_be_decoded_is_refused_in_words(content, message):
    for lenient in (False, True):
        with pytest.raises(InputError, match=message) as refused:
            items_of(content, faults=Faults("file", lenient=lenient))
        assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("items", "found", "left"),
    [
        ('{"a": 1}, 7', "7 in list[1]", 1),
        ('{"a": 1, "a": 2}, {}', "'a' twice in list[0]", 1),
        ('{"b": {"a": 1, "a": 2}}, {}', "'a' twice in list[0]", 1),
        ("null", "None in list[0]", 0),
    ],
)
def test_an_object_that_cannot_be_used_is_left_out(items, found, left):
    faults = Faults("file", lenient=True)
    assert len(items_of(f'{{"list": [{items}]}}', faults=faults)) == left
    assert [fault.found for fault in faults.kept] == [found]


def test_an_object_beyond_the_budget_is_refused():
    small = Budget(line=1000)
    many = json.dumps({"list": [{"text": "x" * 900}] * 50})
    long = json.dumps({"list": [{}, {"text": "x" * 5000}]})
    with spending(small):
        assert len(items_of(many)) == 50
        with pytest.raises(InputError, match=r"found list\[1\] of more than .*--no-limits|limits"):
            items_of(long)
    assert len(items_of(long)) == 2


def test_a_byte_order_mark_and_windows_line_ends():
    text = b'\xef\xbb\xbf{\r\n"list": [\r\n{"a": 1},\r\n{"a": 2}]}\r\n'
    assert items_of(text) == [("list[0]", 3, {"a": 1}), ("list[1]", 4, {"a": 2})]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"a": [{"b": 1, "c": {"d": 2}}, {"e": 3}]}', {"a": ("b", "c")}),
        ('{"a": "{\\"b\\": 1}", "c": [', {"a": (), "c": ()}),
        ('{"a": {"b": [{"c": 1}]}}', {"a": ()}),
        ('{"a": [{"b": "unfinished {', {"a": ("b",)}),
        ('{"a": 1}\n{"b": [{"c": 2}]}', {"a": ()}),
        ("", {}),
        ("}]:", {}),
        ('{"\\u0061": 1', {"a": ()}),
    ],
)
def test_the_names_of_a_document_are_told_from_its_beginning(text, names):
    assert outline(text) == names


def test_text_that_is_cut_off_takes_no_time_to_look_at():
    assert outline('{"a": "' + '\\"' * 65_000) == {"a": ()}
