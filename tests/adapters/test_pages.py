"""The pages about the libraries are executed with the libraries, on the files of the first page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from page_examples import ADAPTER_PAGES, PROJECT, blocks, try_examples, write_files

pytestmark = pytest.mark.heavy

SEEN = ("HAYSTACK_TELEMETRY_ENABLED", "HF_HUB_OFFLINE", "NLTK_DATA", "TIKTOKEN_CACHE_DIR")


@pytest.mark.parametrize("page", ADAPTER_PAGES, ids=lambda page: page.name)
def test_examples_do_what_they_show(page: Path, tmp_path: Path) -> None:
    assert {"python", "output"} <= {language for language, _, _ in blocks(page)}
    write_files(PROJECT / "README.md", tmp_path)
    try_examples(page, tmp_path, {name: os.environ[name] for name in SEEN})
