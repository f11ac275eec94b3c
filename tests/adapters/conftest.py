"""The tests with the real packages run where these are installed: `make test-heavy` sees to it.

What the packages would download is either inside of LlamaIndex (the encoding cl100k_base, the
sentences of NLTK) or not there: nothing is fetched at run time, and who tries to fails at once.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = ("langchain_core", "langchain_text_splitters", "llama_index", "haystack", "chonkie")
INSTALLED = all(find_spec(name) for name in PACKAGES)
OFFLINE = {
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "LANGSMITH_TRACING": "false",
    "TRANSFORMERS_OFFLINE": "1",
}

collect_ignore_glob = [] if INSTALLED else ["[!c]*.py"]

if INSTALLED:
    found = find_spec("llama_index.core")
    assert found is not None
    assert found.origin is not None
    shipped = Path(found.origin).parent / "_static"
    os.environ |= OFFLINE
    os.environ["NLTK_DATA"] = str(shipped / "nltk_cache")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(shipped / "tiktoken_cache")


def pytest_configure(config: pytest.Config) -> None:
    """Warnings of the packages are their own business."""
    if INSTALLED:
        config.addinivalue_line("filterwarnings", "ignore")
        config.addinivalue_line("filterwarnings", "error:::spanwise")
