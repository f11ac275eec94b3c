"""What files are called on a page that is sent to others: by their names, without their folders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from spanwise.data.notes import Note
from spanwise.records import replace
from spanwise.reporting.output import Output


def file_names(paths: Iterable[str]) -> dict[str, str]:
    """The name of each file, with as many of its folders as tell it from the others.

    >>> file_names(["/home/me/old/run.txt", "/home/me/new/run.txt", "../qrels.txt"])
    {'/home/me/old/run.txt': 'old/run.txt', '/home/me/new/run.txt': 'new/run.txt', \
'../qrels.txt': 'qrels.txt'}
    """
    parts = {path: _parts(path) for path in paths}
    longest = max(map(len, parts.values()), default=0)
    found: dict[str, str] = {}
    for kept in range(1, longest + 1):
        ends: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
        for own in parts.values():
            ends.setdefault(own[-kept:], set()).add(own)
        for path, own in parts.items():
            if path not in found and (len(ends[own[-kept:]]) == 1 or len(own) <= kept):
                found[path] = "/".join(own[-kept:])
    return {path: found.get(path, path) for path in parts}


def _parts(path: str) -> tuple[str, ...]:
    """Folders and name, without the root and without ways up."""
    pure = PurePath(path)
    parts = pure.parts[1:] if pure.anchor else pure.parts
    return tuple(part for part in parts if part != "..")


def without_folders(output: Output, paths: Iterable[str] = ()) -> Output:
    """An output that calls these files, its own inputs and what its settings name by their names.

    Its appendices do so, too.
    """
    own = [*paths, *(given.file for given in output.inputs), *_absolute(output.settings)]
    names = file_names(own)
    return replace(
        output,
        settings=_renamed(output.settings, names),
        notes=tuple(_note(note, names) for note in output.notes),
        inputs=tuple(replace(one, file=names[one.file]) for one in output.inputs),
        appendices=tuple(without_folders(one, paths) for one in output.appendices),
    )


def _absolute(value: object) -> list[str]:
    """The absolute paths among the values of settings."""
    if isinstance(value, Mapping):
        return [path for each in value.values() for path in _absolute(each)]
    if isinstance(value, (list, tuple)):
        return [path for each in value for path in _absolute(each)]
    return [value] if isinstance(value, str) and PurePath(value).is_absolute() else []


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """The same settings, with other names of files."""
    if isinstance(value, Mapping):
        return {key: _renamed(each, names) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_renamed(each, names) for each in value)
    return names.get(value, value) if isinstance(value, str) else value


def _note(note: Note, names: Mapping[str, str]) -> Note:
    """A note names files in its sentence, too."""
    changed = replace(note, about=_text(note.about, names), detail=_text(note.detail, names))
    return replace(changed, names=tuple(_text(name, names) for name in note.names))


def _text(text: str, names: Mapping[str, str]) -> str:
    for path in sorted(names, key=len, reverse=True):
        # The bare name of a file may be a word of the sentence: it stays as it is.
        if path != names[path] and path in text:
            text = text.replace(path, names[path])
    return text
