from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from spanwise.retrieval.index import Index

DEMO = Path(spanwise.__file__).parent / "demo"


@pytest.fixture(scope="session")
def demo_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    place = tmp_path_factory.mktemp("demo") / "index"
    spanwise.index(DEMO / "articles", place, language="english")
    return Index.open(place)
