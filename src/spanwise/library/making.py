"""Functions that make what others score with: assessments from quoted text."""

from __future__ import annotations

from typing import Unpack

from spanwise.data.assessments import Assessments
from spanwise.errors import SpanwiseError
from spanwise.formats.budget import chosen, spending
from spanwise.inputs.runs import AssessmentsInput
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings, SettingsKeywords, setting_names
from spanwise.records import refuse_unknown, replace


def gold(given: AssessmentsInput, **settings: Unpack[SettingsKeywords]) -> Assessments:
    """Assessments from questions with quoted answers, every quote located in its document.

    ``given`` is ``{question: [quoted text, ...]}``, or a path, a list of records or a frame with a
    ``query`` (or ``question``), the quoted texts as ``evidence`` (``answers``, ``contexts``), and
    perhaps a ``document`` and an ``id``; anything else that holds assessments will do, too.
    ``collection`` has the documents.
    The queries stay with the assessments, and ``spanwise.convert(gold, "gold.jsonl")`` saves both.

    >>> documents = {"rome.txt": "Rome was not built in a day. It took some years."}
    >>> questions = {"How long did it take?": ["It took some years."]}
    >>> gold(questions, collection=documents).relevant.to_lists()
    [[(29, 48)]]
    """
    refuse_unknown(settings, setting_names())
    found = Settings(**settings)
    with spending(chosen(limits=found.limits)):
        session = Session(found)
        judged = session.assessments(given)
    if not judged.topics:
        raise SpanwiseError(
            "found no question, expected questions with quoted text; give {question: [text, ...]}"
        )
    return replace(judged, notes=tuple(session.notes))
