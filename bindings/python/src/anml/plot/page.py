"""All plots that results have something for, on one figure."""
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, List

from . import bars, lines
from .runs import Runs, few_workloads, runs_of
from .style import DARK, LIGHT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Draw = Callable[..., Any]


def _plots(results: Runs, dark: bool) -> List[Draw]:
    """In the page's order."""
    runs = runs_of(results)
    names = list(dict.fromkeys(w["name"] for run in runs for w in few_workloads(run.results)))
    plots: List[Draw] = []
    if len(names) > 1:
        plots.append(partial(lines.percentiles, results, dark=dark))
    for name in names[:lines.MOST_CURVES]:
        for of in lines.CURVES:
            plots.append(partial(lines.percentiles, results, name, of, dark=dark))
        for of in ("slowdown", "transfer_time_seconds"):
            plots.append(partial(lines.sizes, results, name, of, dark=dark))
    plots.append(partial(bars.phases, results, dark=dark))
    reports = [", ".join(report["by"]) for run in runs for report in (run.data.get("groups") or {}).get("reports", [])]
    for by in dict.fromkeys([*reports, *bars.KINDS]):
        if by not in bars.KINDS or any(len((run.data.get("groups") or {}).get(by, [])) > 1 for run in runs):
            plots.append(partial(bars.groups, results, by, dark=dark))
    for what in lines.OVER_TIME:
        if what != ("percentiles" if len(runs) > 1 else "p95"):
            plots.append(partial(lines.over_time, results, what, dark=dark))
    most = max(4, 15 // len(runs))
    plots.append(partial(bars.links, results, most, arrays=True, dark=dark))
    plots.append(partial(bars.links, results, most, dark=dark))
    plots.append(partial(lines.endpoints, results, dark=dark))
    if any(server["mean_busy"] for run in runs for server in run.data["servers"]):
        plots.append(partial(bars.servers, results, dark=dark))
    return plots


def overview(results: Runs, *, dark: bool = False) -> "Figure":
    """All of them, two beside each other, in the order of the page."""
    from matplotlib import pyplot

    def draws(plot: Draw) -> bool:
        figure = pyplot.figure()
        try:
            plot(ax=figure.add_subplot())
        except ValueError:
            return False
        finally:
            pyplot.close(figure)
        return True

    plots = [plot for plot in _plots(results, dark) if draws(plot)]
    rows = (len(plots) + 1) // 2
    figure, grid = pyplot.subplots(rows, 2, figsize=(13, 3.1 * rows), squeeze=False, layout="constrained")
    engine: Any = figure.get_layout_engine()
    engine.set(hspace=0.04, h_pad=0.1)
    figure.set_facecolor((DARK if dark else LIGHT)["paper"])
    places = list(grid.flat)
    for plot, ax in zip(plots, places):
        plot(ax=ax)
    for ax in places[len(plots):]:
        ax.remove()
    return figure
