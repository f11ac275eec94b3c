"""JSON of unknown origin: whatever is wrong with it is said in one kind of error."""

from __future__ import annotations

import json


def json_value(text: str | bytes) -> object:
    """The value of a JSON text; ``ValueError`` says why there is none.

    >>> json_value('{"topic": "q1"}')
    {'topic': 'q1'}
    >>> json_value("[" * 10_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except json.JSONDecodeError:
        raise
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8") from None
    except ValueError:
        # The only other one: Python refuses to convert very long numbers.
        raise ValueError("it holds a number of more than 4,300 digits") from None


def json_object(text: str | bytes) -> dict[str, object] | None:
    """The object that a line holds; None if it holds anything else."""
    try:
        value = json_value(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
