"""What a gate found: for people, as Markdown, and as JUnit XML."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from spanwise.errors import clean
from spanwise.reporting.comparison_texts import decimal, how_tested, probability
from spanwise.reporting.markup import markdown_text
from spanwise.statistics.comparison import Better
from spanwise.statistics.gate import Finding, Verdict

_RESULTS = {True: "FAIL", False: "pass"}


def verdict_lines(verdict: Verdict) -> list[str]:
    """The result first, then each rule with its reason, broken ones first."""
    findings = sorted(verdict.findings, key=lambda finding: not finding.broken)
    return [
        f"{_RESULTS[not verdict.passed]}: {headline(verdict)}",
        *(f"  {_RESULTS[one.broken]}  {clean(str(one.rule))}: {reason(one)}" for one in findings),
        *tests(verdict),
    ]


def tests(verdict: Verdict) -> list[str]:
    """How every p was found, in a sentence for each way."""
    return [how_tested(one, "is the run worse than the baseline?") for one in verdict.tested]


def notes(verdict: Verdict) -> list[str]:
    """What was noted about run, baseline and test, safe to show."""
    return [clean(note) for note in verdict.notes]


def headline(verdict: Verdict) -> str:
    """Who was tried, against whom, and how many rules were kept."""
    against = "" if verdict.baseline is None else f" against {clean(verdict.baseline)}"
    topics = f"{verdict.topics} topic{'' if verdict.topics == 1 else 's'}"
    lenient = ", lenient: faulty input was dropped or cut" if verdict.lenient else ""
    return f"{clean(verdict.run)}{against}, {topics}, {_count(verdict)}{lenient}"


def _count(verdict: Verdict) -> str:
    rules, broken = len(verdict.findings), len(verdict.broken)
    if rules == 1:
        return "the rule is broken" if broken else "the rule is kept"
    if not broken:
        return f"all {rules} rules are kept"
    return f"{broken} of {rules} rules {'is' if broken == 1 else 'are'} broken"


def reason(finding: Finding) -> str:
    """What the numbers say about a rule.

    >>> from spanwise.statistics.gate_rules import parse_rule
    >>> reason(Finding(parse_rule("fail-if", "AgP < -0.01"), True, 0.4, "higher", 0.5, -0.1, 0.03))
    'AgP is 0.1000 worse than the baseline (0.4000, baseline 0.5000, uncorrected p = 0.0300)'
    """
    measure = clean(finding.rule.measure)
    if finding.baseline is None or finding.ahead is None:
        return f"{measure} is {decimal(finding.mean)}{_direction(finding)}"
    means = f"{decimal(finding.mean)}, baseline {decimal(finding.baseline)}"
    about = f"{means}{_tested(finding)}{_direction(finding)}"
    doubt = f"; {finding.doubt}" if finding.doubt else ""
    return f"{measure} is {_ahead(finding.ahead, finding.better)} ({about}){doubt}"


def _ahead(ahead: float, better: Better) -> str:
    if not ahead:
        return "the same as the baseline"
    more, less = ("higher", "lower") if better == "neither" else ("better", "worse")
    return f"{decimal(abs(ahead))} {more if ahead > 0 else less} than the baseline"


def _tested(finding: Finding) -> str:
    """What the test says; a limit is kept or broken whatever p is."""
    if finding.p is None:
        return ""
    if finding.p_corrected is None:
        return f", uncorrected {probability(finding.p)}"
    corrected = probability(finding.p_corrected).removeprefix("p ").removeprefix("= ")
    said = "" if finding.doubt else f", {'' if finding.significant else 'not '}significant"
    return f", {probability(finding.p)}, corrected {corrected}{said}"


def _direction(finding: Finding) -> str:
    return ", lower is better" if finding.better == "lower" else ""


def markdown_summary(verdict: Verdict) -> str:
    """A heading, a table with a row for each rule, and what was noted."""
    head = "failed" if verdict.broken else "passed"
    lines = [f"## spanwise gate {head}", "", f"{markdown_text(headline(verdict))}.", ""]
    lines += ["| result | rule | reason |", "|---|---|---|"]
    lines += [f"| {' | '.join(map(markdown_text, _cells(one)))} |" for one in verdict.findings]
    lines += [line for test in tests(verdict) for line in ("", markdown_text(test))]
    if verdict.notes:
        lines += ["", "### Notes", "", *(f"- {markdown_text(note)}" for note in notes(verdict))]
    return "".join(f"{line}\n" for line in lines)


def _cells(finding: Finding) -> Iterator[str]:
    yield _RESULTS[finding.broken]
    yield clean(str(finding.rule))
    yield reason(finding)


def junit(verdict: Verdict) -> bytes:
    """A test case for each rule, as continuous integration reads them."""
    counts = {"tests": str(len(verdict.findings)), "failures": str(len(verdict.broken))}
    suites = ElementTree.Element("testsuites", counts)
    attributes = {"name": f"spanwise gate: {_subject(verdict)}", **counts, "errors": "0"}
    suite = ElementTree.SubElement(suites, "testsuite", {**attributes, "skipped": "0", "time": "0"})
    named = [("lenient", "true")] if verdict.lenient else []
    named += [("test", test) for test in tests(verdict)]
    if named:
        properties = ElementTree.SubElement(suite, "properties")
        for name, value in named:
            ElementTree.SubElement(properties, "property", {"name": name, "value": value})
    for finding in verdict.findings:
        _add_case(suite, finding)
    if verdict.notes:
        said = "".join(f"\n- {note}" for note in notes(verdict))
        ElementTree.SubElement(suite, "system-out").text = f"Notes:{said}\n"
    ElementTree.indent(suites)
    text: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _subject(verdict: Verdict) -> str:
    return clean(" against ".join(filter(None, (verdict.run, verdict.baseline))))


def _add_case(suite: ElementTree.Element, finding: Finding) -> None:
    named = {"classname": "spanwise.gate", "name": clean(str(finding.rule)), "time": "0"}
    case = ElementTree.SubElement(suite, "testcase", named)
    inside = {"message": reason(finding), "type": finding.rule.kind}
    if finding.broken:
        ElementTree.SubElement(case, "failure", inside).text = inside["message"]
    else:
        ElementTree.SubElement(case, "system-out").text = inside["message"]
