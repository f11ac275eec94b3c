"""The part of an XML document before its root, changed so that nothing outside is needed.

The external subset is removed from the document type, and so are references to external parameter
entities. Entities that HTML defines are declared after those that the document declares itself. No
line is added or lost, so that line numbers in messages are those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html.entities import html5

from spanwise.errors import Fault, InputError

_BEFORE = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s++|<!--.*?-->|<\?.*?\?>)*+", re.DOTALL)
_DOCTYPE = re.compile(
    rb"<!DOCTYPE\s++[^\s\[>]++"
    rb"(?P<outside>\s++(?:SYSTEM|PUBLIC)(?:\s*+(?:\"[^\"]*+\"|'[^']*+'))*+)?\s*+"
    rb"(?:\[(?P<subset>(?:[^\]\"'<]++|\"[^\"]*+\"|'[^']*+'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*+)\]"
    rb"\s*+)?>",
    re.DOTALL,
)
_ROOT = re.compile(rb"(?:\s++|<!--.*?-->|<\?.*?\?>)*+<([^\s/>!?]++)", re.DOTALL)
_SUBSET_TOKEN = re.compile(rb"<!--.*?-->|<\?.*?\?>|\"[^\"]*+\"|'[^']*+'|%([^\s;%&]++);", re.DOTALL)
_PARAMETER = re.compile(rb"<!ENTITY\s++%\s++(\S++)\s++[\"']")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_REFERENCE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*+);")


@dataclass(frozen=True, slots=True)
class Prolog:
    """Where the document type is, or would be, and what it declares."""

    data: bytes
    begin: int
    doctype: re.Match[bytes] | None

    @classmethod
    def of(cls, data: bytes) -> Prolog:
        """The prolog of a document in UTF-8."""
        match = _BEFORE.match(data)
        begin = match.end() if match else 0
        return cls(data, begin, _DOCTYPE.match(data, begin))

    @property
    def subset(self) -> bytes:
        """The declarations inside the document, without comments."""
        return _COMMENT.sub(b"", (self.doctype and self.doctype["subset"]) or b"")

    def is_external(self, entity: str) -> bool:
        """Whether the document declares that this entity is in another file."""
        pattern = rb"<!ENTITY\s+%s\s+(?:SYSTEM|PUBLIC)\b" % re.escape(entity.encode())
        return re.search(pattern, self.subset) is not None

    def refuse_parameters(self, file: str) -> None:
        """Refuse parameter entities that the document both declares and uses: they are not read."""
        declared = set(_PARAMETER.findall(self.subset))
        for match in _SUBSET_TOKEN.finditer(self.subset):
            if match[1] in declared:
                found = f"parameter entity %{match[1].decode(errors='replace')};"
                expected, remedy = "declarations without parameter entities", "write them out"
                raise InputError(Fault(file, None, found, expected, remedy, "entity"))

    def repaired(self, prefixes: Iterable[str] = ()) -> bytes:
        """The document made self-contained; ``prefixes`` are declared at its root."""
        root = _ROOT.match(self.data, self.doctype.end() if self.doctype else self.begin)
        added = _entities(self.data) + (_attributes(root[1], prefixes) if root else b"")
        if self.doctype is not None:
            return self._with_doctype(self.doctype, added)
        if root is None or not added:
            return self.data
        doctype = b"<!DOCTYPE %s [%s]>" % (root[1], added)
        return b"".join((self.data[: self.begin], doctype, self.data[self.begin :]))

    def _with_doctype(self, doctype: re.Match[bytes], added: bytes) -> bytes:
        outside, subset = doctype.span("outside"), doctype.span("subset")
        if subset[0] < 0:
            subset = (doctype.end() - 1, doctype.end() - 1)
            added = b"[%s]" % added
        if outside[0] < 0:
            outside = (subset[0], subset[0])
        blank = b"\n" * self.data.count(b"\n", *outside)
        inner = _SUBSET_TOKEN.sub(_without_parameter, self.data[slice(*subset)])
        head = self.data[: outside[0]], blank, self.data[outside[1] : subset[0]]
        return b"".join((*head, inner, added, self.data[subset[1] :]))


def _without_parameter(match: re.Match[bytes]) -> bytes:
    return b"" if match[1] else match[0]


def _entities(data: bytes) -> bytes:
    """Declarations of the entities that are used and that HTML defines."""
    names = {name.decode() for name in set(_REFERENCE.findall(data))}
    known = sorted(name for name in names if f"{name};" in html5)
    return "".join(f'<!ENTITY {name} "{_literal(html5[f"{name};"])}">' for name in known).encode()


def _literal(characters: str) -> str:
    """Characters as the value of an entity; markup is escaped twice, as it is parsed twice."""
    return "".join(f"&#{'38;#' * (sign in '<&')}{ord(sign)};" for sign in characters)


def _attributes(root: bytes, prefixes: Iterable[str]) -> bytes:
    """A default declaration of each prefix; one in the document overrides it."""
    return b"".join(
        b'<!ATTLIST %s xmlns:%s CDATA "urn:undeclared:%d">' % (root, prefix.encode(), number)
        for number, prefix in enumerate(prefixes)
    )
