"""Charts on a page: with a caption, buttons that hide and show series, and the numbers behind."""

from __future__ import annotations

from collections.abc import Mapping

from spanwise.reporting.html.charts import Chart, look
from spanwise.reporting.html.curves import Curve
from spanwise.reporting.html.escape import escaped
from spanwise.reporting.html.findings import rounded
from spanwise.reporting.html.scales import number
from spanwise.reporting.html.tables import numbers_table


def figure(chart: Chart, kind: str = "") -> str:
    """A chart below its title."""
    name = f' class="{kind}"' if kind else ""
    caption = f"<figcaption>{escaped(chart.title)}</figcaption>"
    return f"<figure{name}>{caption}{chart.svg(chart.name)}</figure>"


def legend(series: Mapping[str, int]) -> str:
    """A button for each series, which acts on the figures of its section."""
    buttons = "".join(
        f'<li><button type="button" aria-pressed="true" data-series="{chosen}">'
        '<svg viewBox="0 0 36 8" aria-hidden="true">'
        f'<path class="line {look(chosen)}" d="M0 4H36"/></svg>{escaped(name)}</button></li>'
        for name, chosen in series.items()
    )
    return f'<ul class="legend">{buttons}</ul>'


def curve_numbers(curve: Curve, corner: str, digits: int) -> str:
    """The numbers of a curve, for whoever asks for them."""
    columns = [number(place) for place in curve.plan.places]
    rows = [(name, [rounded(value, digits) for value in points]) for name, points in curve.series]
    caption = f"{curve.plan.y_title} by {curve.plan.x_title}"
    return numbers_table(f"{curve.plan.title}: {caption}", corner, columns, rows)
