"""Where annotations have their topic: annotation tools have labels, and no topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from spanwise.errors import SpanwiseError, option, shown
from spanwise.formats.field_values import RowError, name_of
from spanwise.records import Struct

_EXPECTED = "label, field:NAME or constant:ID"


class TopicFrom(Struct, frozen=True):
    """The label of an annotation, a field of what was annotated, or one topic for all.

    >>> TopicFrom.named("field:query").topics(["person"], {"query": "Who was first?"})
    ['Who was first?']
    """

    kind: Literal["label", "field", "constant"]
    name: str = ""

    @classmethod
    def named(cls, text: object) -> TopicFrom:
        """What ``label``, ``field:NAME`` or ``constant:ID`` means."""
        kind, colon, name = text.partition(":") if isinstance(text, str) else ("", "", "")
        if kind == "label" and not colon:
            return LABEL
        if kind == "field" and name:
            return cls("field", name)
        if kind == "constant" and name:
            return cls("constant", name)
        raise SpanwiseError(f"topic_from must be {_EXPECTED}, got {shown(text)}")

    @property
    def is_of_document(self) -> bool:
        """Is the topic known where nothing is marked?"""
        return self.kind != "label"

    def topics(self, labels: Sequence[Any], fields: Mapping[str, Any]) -> list[str]:
        """The topics of an annotation with these labels."""
        if self.kind == "constant":
            return [self.name]
        if self.kind == "field":
            if fields.get(self.name) is None:
                raise RowError("missing", f"no {self.name}", f"{self.name}, which has the topic")
            return [name_of(self.name, fields[self.name])]
        if not labels:
            remedy = f"label it, or name the topic with {option('topic_from')}"
            raise RowError("missing", "an annotation without a label", "a label", remedy)
        return [name_of("label", label) for label in labels]


LABEL = TopicFrom("label")
