"""The tests with Spark run where it is installed: `make test-heavy` sees to it."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

INSTALLED = find_spec("pyspark") is not None

collect_ignore_glob = [] if INSTALLED else ["test_*.py"]


def pytest_configure(config: pytest.Config) -> None:
    """Warnings of the package are its own business."""
    if INSTALLED:
        config.addinivalue_line("filterwarnings", "ignore")
        config.addinivalue_line("filterwarnings", "error:::spanwise")
