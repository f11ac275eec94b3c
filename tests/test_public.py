"""The public face: small, and all of it there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import spanwise


def complaint_of(code: str) -> tuple[int, str]:
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode, result.stderr.strip()


def test_everything_public_can_be_imported() -> None:
    assert all(getattr(spanwise, name) is not None for name in spanwise.__all__)


def test_the_public_face_is_as_small_as_this() -> None:
    assert sorted(spanwise.__all__) == [
        "Assessments",
        "Comparison",
        "Evaluator",
        "Note",
        "Procedure",
        "Run",
        "RunScores",
        "Scores",
        "Settings",
        "SpanwiseError",
        "__version__",
        "agree",
        "assess",
        "browse",
        "check",
        "chunks",
        "collect",
        "compare",
        "convert",
        "evaluate",
        "evaluate_frame",
        "explain",
        "export_judgements",
        "gate",
        "gold",
        "import_judgements",
        "index",
        "judging_progress",
        "list_measures",
        "locate",
        "near_miss",
        "open_collection",
        "parse_measure",
        "pool",
        "read_assessments",
        "read_run",
        "read_topics",
        "reanchor_judgements",
        "recover_judgements",
        "register_quantisation",
        "report",
        "search",
    ]


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from spanwise.cli.main import command_line\n"
        "command_line.main(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'polars', 'jinja2', 'msgspec', 'scipy', 'pandas', 'lxml', 'sqlite3'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)\n"
    )
    assert complaint_of(code) == (0, "")


def test_scoring_a_text_file_imports_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 tag\n")
    code = (
        "import sys, spanwise\n"
        f"spanwise.evaluate({str(tmp_path / 'qrels')!r}, {str(tmp_path / 'run')!r}, ['AP'])\n"
        "heavy = {'polars', 'jinja2', 'scipy', 'lxml', 'sqlite3', 'zstandard'} & set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)\n"
    )
    assert complaint_of(code) == (0, "")
