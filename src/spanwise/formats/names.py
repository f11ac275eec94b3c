"""The names of the formats, apart from the code that reads them: a help text needs no more."""

from __future__ import annotations

RUN_MODULES = {
    "fol": "spanwise.formats.fol",
    "entry-points": "spanwise.formats.entry_points",
    "element": "spanwise.formats.element_run",
    "inex": "spanwise.formats.submission",
    "trec": "spanwise.formats.trec",
    "jsonl": "spanwise.formats.native",
    "parquet": "spanwise.formats.parquet",
    "csv": "spanwise.formats.csv",
}
ASSESSMENTS_MODULES = {
    "fol": "spanwise.formats.fol",
    "inex": "spanwise.formats.inex_assessments",
    **{name: RUN_MODULES[name] for name in ("trec", "jsonl", "parquet", "csv")},
}
RUN_FORMATS = tuple(RUN_MODULES)
ASSESSMENTS_FORMATS = tuple(ASSESSMENTS_MODULES)
