"""Findings as files: one JSON file each, with the command, its files and how it must end.

``{"about", "files", "arguments", "stdin", "code", "message"}``; content that is not UTF-8 text is
written as ``{"base64": "..."}``, and what repeats as ``{"repeat": "x", "times": 1000}``.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.contract import Problem, problems_of
from fuzz.invocations import Invocation, run

FOLDER = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Kept:
    """A case of the corpus, and what is expected of it."""

    name: str
    invocation: Invocation
    code: int
    message: str
    """How standard error begins, or for ``check`` how standard output does; may be empty."""
    output: str = ""
    """What standard output must hold."""

    def problems(self) -> list[Problem]:
        """What does not hold."""
        ended = run(self.invocation)
        found = problems_of(self.invocation, ended)
        if ended.code != self.code:
            found.append(Problem(f"exit code {ended.code}, expected {self.code}", ended.message))
        said = ended.out.decode("utf-8", "replace") if ended.out else ended.message
        text = said if self.invocation.arguments[0] == "check" else ended.message
        if not text.startswith(self.message):
            found.append(Problem(f"a message that does not begin with {self.message!r}", text))
        if self.output not in ended.out.decode("utf-8", "replace"):
            found.append(Problem(f"an output without {self.output!r}", said))
        return found


def kept_cases() -> list[Kept]:
    """Every case of the corpus."""
    return [_read(path) for path in sorted(FOLDER.glob("*.json"))]


def _read(path: Path) -> Kept:
    case = json.loads(path.read_text())
    files = {name: _content(value) for name, value in case["files"].items()}
    words = tuple(case["arguments"])
    invocation = Invocation(files, words, _content(case.get("stdin", "")))
    return Kept(
        path.stem, invocation, case["code"], case.get("message", ""), case.get("output", "")
    )


def _content(value: Any) -> bytes:
    if isinstance(value, list):
        return b"".join(map(_content, value))
    if isinstance(value, str):
        return value.encode()
    if "base64" in value:
        return base64.b64decode(value["base64"])
    return bytes(str(value["repeat"]).encode() * value["times"])


def write(folder: Path, name: str, invocation: Invocation, problem: Problem) -> Path:
    """A finding in the form of the corpus; what is expected remains to be filled in."""
    folder.mkdir(parents=True, exist_ok=True)
    case = {
        "about": problem.rule,
        "files": {file: _value(data) for file, data in invocation.files.items()},
        "arguments": list(invocation.arguments),
        **({"stdin": _value(invocation.stdin)} if invocation.stdin else {}),
        "code": 2,
        "message": "",
        "found": problem.detail,
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(case, indent=1, ensure_ascii=False, default=str) + "\n")
    return path


def _value(data: bytes) -> Any:
    try:
        text = data.decode()
        json.dumps(text)
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}
    return text
