"""The formulas of the docstrings, which are LaTeX, as one line of text for a terminal.

pylatexenc reads the LaTeX and knows its symbols; what needs two dimensions (fractions, sums,
scripts) is written on one line here.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexCharsNode, LatexGroupNode, LatexMacroNode, LatexWalker

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SIMPLE = re.compile(r"[\w.∞@]+(\([^()]*\)|\[[^\]]*\])?|\|[^|]*\|")
"""What needs no brackets in a fraction."""
_NUMBER_OR_WORD = re.compile(r"[\w.]+")
_SUM = "Σ"

Atom = Any
"""A character, or a node of the parsed formula (pylatexenc has no types)."""


@cache
def readable(latex: str) -> str:
    r"""A formula as plain text.

    >>> readable(r"AgP = \frac{1}{Nrel} \sum_{j:\, rel(d_j)} gP[j]")
    'AgP = 1/Nrel · Σ[j: rel(d_j)] gP[j]'
    >>> readable(r"F_\beta = \frac{(1+\beta^2)\,P\,R}{\beta^2 P + R}")
    'F_β = ((1+β²) P R) / (β² P + R)'
    >>> readable(r"RBP = (1-p) \sum_{j=1}^{n} g_j\, p^{j-1}")
    'RBP = (1-p) · Σ[j=1..n] g_j p^(j-1)'
    """
    nodes, *_ = LatexWalker(" ".join(latex.split())).get_latex_nodes()
    text = re.sub(r" +", " ", _text(nodes)).strip()
    return re.sub(rf"([\w)\]]) ?{_SUM}", rf"\1 · {_SUM}", text)


def _text(nodes: list[Any]) -> str:
    """A list of nodes from left to right."""
    atoms = _atoms(nodes)
    parts: list[str] = []
    while atoms:
        atom = atoms.pop(0)
        if _is_macro(atom, "sum"):
            parts.append(f"{_SUM}{_range(atoms)} ")
        elif _is_script(atom):
            parts.append(_script(atom, _written(atoms.pop(0))))
        else:
            parts.append(_written(atom))
    return "".join(parts)


def _atoms(nodes: list[Any]) -> list[Atom]:
    """The nodes, with text as single characters: scripts are marked by characters."""
    found: list[Atom] = []
    for node in nodes:
        if isinstance(node, LatexCharsNode):
            found += node.chars
        else:
            found.append(node)
            # Blanks after a command belong to it.
            found += getattr(node, "macro_post_space", "") or ""
    return found


def _is_macro(atom: Atom, name: str) -> bool:
    return isinstance(atom, LatexMacroNode) and atom.macroname == name


def _is_script(atom: Atom) -> bool:
    return isinstance(atom, str) and atom in "_^"


def _written(atom: Atom) -> str:
    """A single character or node."""
    if isinstance(atom, str):
        return atom
    if isinstance(atom, LatexGroupNode):
        return _text(atom.nodelist)
    if _is_macro(atom, "frac"):
        return _fraction(*(_written(part).strip() for part in atom.nodeargd.argnlist))
    text: str = LatexNodes2Text(math_mode="text").node_to_text(atom)
    return text


def _range(atoms: list[Atom]) -> str:
    """What a sum runs over, in brackets: taken from the scripts that follow."""
    scripts: dict[str, str] = {}
    while atoms and _is_script(atoms[0]):
        mark = atoms.pop(0)
        scripts[mark] = _written(atoms.pop(0)).strip()
    last = f"..{scripts['^']}" if "^" in scripts else ""
    return f"[{scripts.get('_', '')}{last}]" if scripts else ""


def _script(mark: str, text: str) -> str:
    """What is below or above something; digits have characters of their own."""
    if text.isdigit():
        return text.translate(_SUPERSCRIPTS if mark == "^" else _SUBSCRIPTS)
    if mark == "^" and text == "*":
        return text
    return mark + (text if _NUMBER_OR_WORD.fullmatch(text) else f"({text})")


def _fraction(above: str, below: str) -> str:
    """A fraction on one line; short ones without blanks."""
    if _NUMBER_OR_WORD.fullmatch(above) and _NUMBER_OR_WORD.fullmatch(below):
        return f"{above}/{below}"
    above, below = (part if _SIMPLE.fullmatch(part) else f"({part})" for part in (above, below))
    return f"{above} / {below}"
