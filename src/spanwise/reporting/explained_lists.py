"""What an explanation says about a list as a whole: what is wrong with it, and its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from spanwise.evaluation.diagnosis import Diagnosis, Thresholds
from spanwise.records import replace
from spanwise.reporting.output import Lines, Part
from spanwise.reporting.topic_failures import (
    Bracketed,
    ListTexts,
    Piece,
    RelevantText,
    ShownAnswer,
)
from spanwise.reporting.topic_names import LONGEST_QUERY, topic_name
from spanwise.text.sentences import counted

MARKS = {"found": "+", "missed": "-", "vain": "~"}
"""They stand inside brackets, on both sides: legible without colours."""


@dataclass(frozen=True, slots=True)
class ExplainedList:
    """The list of one topic of one run."""

    run: str
    topic: str
    query: str
    diagnosis: Diagnosis
    relevant: tuple[RelevantText, ...] | None = None
    """None where the texts of documents are not known."""
    relevant_left_out: int = 0
    answers: tuple[ShownAnswer, ...] = ()
    every: int = 0
    """How many answers there are."""
    cutoff: int = Thresholds().cutoff
    """How many answers are looked at."""

    @property
    def has_texts(self) -> bool:
        """Whether the texts of documents are known."""
        return self.relevant is not None

    def about(self, document: str | None) -> ExplainedList:
        """Without the texts of other documents."""
        if document is None or self.relevant is None:
            return self
        relevant = tuple(text for text in self.relevant if text.document == document)
        answers = tuple(answer for answer in self.answers if answer.document == document)
        # What is left out is not counted by document.
        left_out = self.relevant_left_out if relevant else 0
        return replace(self, relevant=relevant, relevant_left_out=left_out, answers=answers)

    def to_dict(self) -> dict[str, object]:
        """Names, numbers and the words of the diagnosis."""
        return {
            "run": self.run,
            "topic": self.topic,
            "diagnosis": self.diagnosis.kind or None,
            "words": self.diagnosis.words,
        }

    def texts(self) -> dict[str, object]:
        """The texts with their marks, for JSON."""
        return {
            "run": self.run,
            "topic": self.topic,
            "query": self.query,
            "relevant": [
                {"document": text.document, "pieces": _records(text.pieces)}
                for text in self.relevant or ()
            ],
            "relevant_left_out": self.relevant_left_out,
            "answers": [
                {"rank": answer.rank, "document": answer.document}
                | {"start": answer.start, "end": answer.end, "found": answer.found}
                | {"pieces": _records(answer.pieces)}
                for answer in self.answers
            ],
            "every": self.every,
        }


def _records(pieces: Iterable[Piece]) -> list[dict[str, object]]:
    return [
        {"gap": piece.gap} if piece.gap else {"text": piece.text, "mark": piece.mark or None}
        for piece in pieces
    ]


# -- for people


def list_parts(one: ExplainedList, *, named: bool) -> Iterator[Part]:
    """The diagnosis, and the texts where they are known; ``named``: there are several lists."""
    words = one.diagnosis.words
    fails = one.diagnosis.kind not in ("", "not known")
    if fails or one.has_texts:
        about = f"run {one.run}: " if named else ""
        yield Lines((f"{about}diagnosis: {words or 'no failure'}",), wraps=True)
    if one.has_texts:
        query = {one.topic: one.query} if one.query else {}
        name = topic_name(one.topic, query, LONGEST_QUERY)
        yield Bracketed((name, marks_legend(one)), hanging=2)
        about = f"{one.run}: " if named else ""
        relevant, answers = tuple(_relevant_lines(one)), tuple(_answer_lines(one))
        yield ListTexts(
            relevant,
            hanging=4,
            title=f"{about}relevant text",
            relevant=one.relevant,
            left_out=one.relevant_left_out,
            cutoff=one.cutoff if one.every > one.cutoff else 0,
        )
        title = f"{about}{answers[0]}"
        yield ListTexts(answers, hanging=5, title=title, answers=one.answers)


def marks_legend(one: ExplainedList) -> str:
    """What the brackets mean; a later answer may return what the first ones do not."""
    first = "returned" if one.every <= one.cutoff else f"in the first {_answers(one.cutoff)}"
    return f"[+relevant, {first}+] [-relevant, not {first}-] [~returned, not relevant~]"


def _answers(number: int) -> str:
    return "answer" if number == 1 else f"{number:,} answers"


def _relevant_lines(one: ExplainedList) -> Iterator[str]:
    yield "relevant text" if one.relevant else "no relevant text is shown"
    for text in one.relevant or ():
        yield f"  {text.document}: {marked(text.pieces)}"
    if one.relevant_left_out:
        yield f"  {counted(one.relevant_left_out, 'more relevant character')}"


def _answer_lines(one: ExplainedList) -> Iterator[str]:
    if not one.answers:
        yield "no answers"
        return
    shown, every = len(one.answers), counted(one.every, "answer")
    yield f"first {shown:,} of {every}" if shown < one.every else every
    for answer in one.answers:
        text = marked(answer.pieces)
        yield f"{answer.rank:>3}. {_place(answer)}{f': {text}' if text else ''}"


def _place(answer: ShownAnswer) -> str:
    place = "" if answer.start is None else f" {answer.start}-{answer.end}"
    new = f", {counted(answer.found, 'new relevant character')}" if answer.found else ""
    return f"{answer.document}{place}{new}"


def marked(pieces: Iterable[Piece]) -> str:
    r"""Text on one line, with its marks in brackets.

    >>> marked([Piece("Cast in\n1752. ", "found"), Piece("", gap=1200), Piece("Rung.", "vain")])
    '[+Cast in 1752.+] (1,200 characters left out) [~Rung.~]'
    """
    return " ".join("".join(map(_written, pieces)).split())


def _written(piece: Piece) -> str:
    if piece.gap:
        return f" ({counted(piece.gap, 'character')} left out) "
    text = piece.text.strip()
    if not text or not piece.mark:
        return piece.text
    before, _, after = piece.text.partition(text)
    sign = MARKS[piece.mark]
    return f"{before}[{sign}{text}{sign}]{after}"
