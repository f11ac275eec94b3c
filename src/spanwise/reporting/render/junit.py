"""Outputs whose rows are checks, as JUnit XML: what continuous integration reads."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree import ElementTree

from spanwise.errors import clean
from spanwise.reporting.output import Output, Value
from spanwise.reporting.render import note_lines
from spanwise.reporting.render.cells import Look


def junit(output: Output, look: Look) -> bytes:
    """A test case for each row: its ``rule``, whether it ``failed``, the ``reason`` and ``kind``.

    Paragraphs are properties of the suite; notes are what it printed.
    """
    rows = output.rows.items
    counts = {"tests": str(len(rows)), "failures": str(sum(bool(row["failed"]) for row in rows))}
    suites = ElementTree.Element("testsuites", counts)
    name = clean(f"spanwise {output.producer}: {output.title}")
    attributes = {"name": name, **counts, "errors": "0", "skipped": "0", "time": "0"}
    suite = ElementTree.SubElement(suites, "testsuite", attributes)
    _add_properties(suite, output, look)
    for row in rows:
        _add_case(suite, row, f"spanwise.{output.producer}", look)
    notes = note_lines(output.notes, look)
    if notes:
        printed = "".join(f"\n- {note}" for note in notes)
        ElementTree.SubElement(suite, "system-out").text = f"Notes:{printed}\n"
    ElementTree.indent(suites)
    text: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add_properties(suite: ElementTree.Element, output: Output, look: Look) -> None:
    named = [("lenient", "true")] if output.lenient else []
    named += [("test", look.sentence(part)) for part in output.parts if isinstance(part, str)]
    if named:
        properties = ElementTree.SubElement(suite, "properties")
        for name, value in named:
            ElementTree.SubElement(properties, "property", {"name": name, "value": value})


def _add_case(
    suite: ElementTree.Element, row: Mapping[str, Value], classname: str, look: Look
) -> None:
    rule, reason = (look.sentence(str(row[name])) for name in ("rule", "reason"))
    named = {"classname": classname, "name": rule, "time": "0"}
    case = ElementTree.SubElement(suite, "testcase", named)
    if row["failed"]:
        about = {"message": reason, "type": str(row["kind"])}
        ElementTree.SubElement(case, "failure", about).text = reason
    else:
        ElementTree.SubElement(case, "system-out").text = reason
