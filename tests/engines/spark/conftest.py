"""The tests with Spark run where it is installed: `make test-heavy` sees to it."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("pyspark") else ["test_*.py"]
