"""Whatever is written is read back as it was, in every format that can hold it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from formats.made import (
    SEVERAL_WITH_ELEMENTS,
    assessment_facts,
    assessments,
    read_assessments,
    read_runs,
    run_facts,
    written,
)
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.builtin.tables import csv


@pytest.mark.parametrize("format", [jsonl, parquet, csv])
@settings(deadline=None)
@given(made=SEVERAL_WITH_ELEMENTS)
def test_runs_read_back_as_they_were_written(format, made):
    data, notes = written(format, made)
    assert [run_facts(run) for run in read_runs(format, data)] == [run_facts(run) for run in made]
    assert notes == []


@pytest.mark.parametrize("format", [jsonl, parquet])
@settings(deadline=None)
@given(made=assessments())
def test_assessments_read_back_as_they_were_written(format, made):
    data, _ = written(format, made)
    assert assessment_facts(read_assessments(format, data)) == assessment_facts(made)
