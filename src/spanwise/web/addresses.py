"""Addresses of pages: all that a page depends on is in its address."""

from __future__ import annotations

from urllib.parse import urlencode

from spanwise.records import Struct, asdict
from spanwise.web.answers import Question

PAGE = 20
"""Documents of a page of results."""


class Address(Struct, frozen=True):
    """What a page is about."""

    words: str = ""
    run: str = ""
    topic: str = ""
    document: str = ""

    @classmethod
    def of(cls, given: dict[str, str]) -> Address:
        """From what a browser asks for; what is not known is left out."""
        return cls(*(given.get(name, "") for name in cls.__struct_fields__))

    @property
    def question(self) -> Question:
        """What was asked."""
        return Question(self.words, self.topic, self.run)

    @property
    def home(self) -> str:
        """The first page."""
        return "/"

    @property
    def results(self) -> str:
        """The ranked documents."""
        return self._written("/search", document="")

    def results_from(self, first: int) -> str:
        """The page of ranked documents that begins after so many."""
        to = self.results
        return f"{to}{'&' if '?' in to else '?'}from={first}" if first else to

    def row(self, place: int) -> str:
        """A document among the ranked ones, by its place from 1."""
        return f"{self.results_from((place - 1) // PAGE * PAGE)}#d{place}"

    @property
    def reading(self) -> str:
        """The document."""
        return self._written("/read")

    @property
    def watching(self) -> str:
        """The document as a measure sees it."""
        return self._written("/watch")

    def moment(self, position: int) -> str:
        """The document as a measure sees it, after so many characters."""
        return f"{self.watching}&at={position}#here"

    @property
    def picture(self) -> str:
        """The same as a picture."""
        return self._written("/watch.svg")

    def _written(self, path: str, **changes: object) -> str:
        values = {**asdict(self), **changes}
        given = {name: value for name, value in values.items() if value}
        return f"{path}?{urlencode(given, errors='replace')}" if given else path
