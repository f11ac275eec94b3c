"""Documents that are not relevant and do not exist, for lists that need such."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping
from copy import copy
from dataclasses import dataclass, replace
from typing import cast

from spanwise.data.documents import Documents
from spanwise.data.elements import Elements
from spanwise.evaluation.evaluate import Evaluation
from spanwise.lab.insertion_case import words_of
from spanwise.text.ranges import Integers


def with_further_documents(evaluation: Evaluation, lengths: dict[str, int]) -> Evaluation:
    """The same evaluation, which knows the lengths of some more documents."""
    knowing = copy(evaluation)
    known = cast(MutableMapping[str, int], evaluation.assessments.lengths)
    knowing.assessments = replace(evaluation.assessments, lengths=ChainMap(lengths, known))
    if evaluation.documents is not None:
        knowing.documents = WithFurther(evaluation.documents, lengths)
    return knowing


@dataclass(frozen=True, slots=True)
class WithFurther(Documents):
    """Documents, and others that do not exist."""

    documents: Documents
    further: dict[str, int]

    @property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document."""
        return ChainMap(self.further, cast(MutableMapping[str, int], self.documents.lengths))

    @property
    def elements(self) -> Elements | None:
        """What does not exist has no elements."""
        return self.documents.elements

    @property
    def has_text(self) -> bool:
        """Whether any document that exists has its text."""
        return self.documents.has_text

    def text(self, document: str) -> str:
        """The text of a document that exists."""
        return self.documents.text(document)

    @property
    def has_tokens(self) -> bool:
        """Can tokens be had?"""
        return self.documents.has_tokens

    @property
    def mean_length(self) -> float:
        """That of the documents that exist."""
        return self.documents.mean_length

    def tokens(self, document: str) -> tuple[Integers, Integers]:
        """Words of equal length for what does not exist."""
        if document in self.further:
            return words_of(self.further[document])
        return self.documents.tokens(document)
