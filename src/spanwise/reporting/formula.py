"""The formulas of the docstrings, which are LaTeX, as plain text that can be read in a terminal."""

from __future__ import annotations

import re

_WORDS = {
    **{r"\le": "≤", r"\ge": "≥", r"\ne": "≠", r"\cap": "∩", r"\cup": "∪", r"\in": "∈"},
    **{r"\exists": "∃", r"\emptyset": "∅", r"\dots": "...", r"\ldots": "...", r"\cdot": "·"},
    **{r"\rho": "ρ", r"\nu": "ν", r"\beta": "β", r"\alpha": "α", r"\times": "×"},
    **{r"\lceil": "⌈", r"\rceil": "⌉", r"\lfloor": "⌊", r"\rfloor": "⌋", r"\sum": "Σ"},
    **{r"\left": "", r"\right": "", r"\,": " ", r"\ ": " ", r"\;": " ", r"\{": "{", r"\}": "}"},
    **{r"\mathrm": "", r"\mathit": "", r"\text": "", r"\quad": "  "},
}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}_^]|[^\\{}_^]+")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIMPLE = re.compile(r"[\w.]+(\([\w, ]*\))?|\|[^|]*\|")


def readable(latex: str) -> str:
    r"""A formula as plain text.

    >>> readable(r"AgP = \frac{1}{Nrel} \sum_{j:\, rel(d_j)} gP[j]")
    'AgP = 1 / Nrel · Σ[j: rel(d_j)] gP[j]'
    >>> readable(r"F_\beta = \frac{(1+\beta^2)\,P\,R}{\beta^2 P + R}")
    'F_β = ((1+β²) P R) / (β² P + R)'
    """
    tokens = _TOKEN.findall(" ".join(latex.split()))
    tokens.reverse()
    text = re.sub(r" +", " ", _read(tokens)).strip()
    text = re.sub(r"\]\.\.(\w+)", r"..\1]", text)
    return re.sub(r"([\w)]) Σ", r"\1 · Σ", text)


def _read(tokens: list[str]) -> str:
    """Up to the end, or to the brace that closes the group."""
    parts: list[str] = []
    while tokens and tokens[-1] != "}":
        parts.append(_next(tokens, after_sum="".join(parts).endswith("Σ")))
    return "".join(parts)


def _next(tokens: list[str], *, after_sum: bool = False) -> str:
    token = tokens.pop()
    if token == "{":
        inside = _read(tokens)
        tokens[-1:] = []
        return inside
    if token == r"\frac":
        return f"{_operand(_argument(tokens))} / {_operand(_argument(tokens))}"
    if token in "_^":
        return _script(token, _argument(tokens), after_sum=after_sum)
    return _WORDS.get(token, token.removeprefix("\\"))


def _argument(tokens: list[str]) -> str:
    """A group, a command, or a single character."""
    if tokens and len(tokens[-1]) > 1 and not tokens[-1].startswith("\\"):
        first, tokens[-1] = tokens[-1][0], tokens[-1][1:]
        return first
    return _next(tokens) if tokens else ""


def _script(token: str, text: str, *, after_sum: bool) -> str:
    """What stands below or above; the range of a sum goes into brackets."""
    if after_sum:
        return f"[{text}]"
    if token == "^":
        return text.translate(_RAISED) if text.isdigit() else text if text == "*" else f"..{text}"
    return f"_{text}" if len(text) < 3 else f"_({text})"


def _operand(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"
