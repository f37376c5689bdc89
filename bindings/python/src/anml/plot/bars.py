"""Bars: where the time goes, how busy links are, and groups of transactions beside each other."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ..results import Results
from .runs import Run, Runs, few_workloads, labelled, runs_of, shown_name, value_at, without_indices
from .style import Chart, Show, count, seconds, share, shown_as

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PHASES = {"connect": "connect", "tls": "TLS", "first_byte": "first byte", "transfer": "transfer"}
KINDS = {"subnetwork": "By subnetwork of the clients", "document_size": "By size of the document", "status": "By status of the response"}


def _frame(ax: Optional["Axes"], dark: bool, names: Sequence[str], most: float, show: Show, title: str) -> Chart:
    """Axes for bars below each other, the first on top."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    chart = Chart(ax, dark, 0.9 + 0.26 * max(2, len(names)))
    chart.title(title)
    chart.ax.grid(False, axis="y")
    chart.ax.set_yticks(range(len(names)), names)
    chart.ax.set_ylim(len(names) - 0.4, -0.6)
    chart.ax.set_xlim(0, most)
    chart.ax.xaxis.set_major_locator(MaxNLocator(5))
    chart.ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))
    return chart


def _beside(chart: Chart, y: float, value: float, text: str) -> None:
    chart.ax.annotate(text, (value, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8, color=chart.colours["ink"], annotation_clip=False)


class _Bars(NamedTuple):
    name: str
    values: List[Optional[float]]  # a run each


def _grouped(bars: Sequence[_Bars], runs: Sequence[Run], most: float, show: Show, title: str, ax: Optional["Axes"], dark: bool) -> Chart:
    """A bar for each run at each name."""
    names = [bar.name for bar in bars]
    chart = _frame(ax, dark, names, most, show, title)
    height = 0.62 / len(runs)
    if ax is None and len(runs) > 1:
        chart.ax.figure.set_figheight(0.9 + 0.2 * len(runs) * max(2, len(names)))
    for i, run in enumerate(runs):
        places = [k + (i - (len(runs) - 1) / 2) * height for k in range(len(bars))]
        values = [bar.values[i] for bar in bars]
        chart.ax.barh(places, [value or 0 for value in values], height=0.85 * height, color=chart.colour(i), label=run.name or None)
        for place, value in zip(places, values):
            _beside(chart, place, value or 0, "–" if value is None else show(value))
    if len(runs) > 1:
        chart.legend()
    return chart


def _parts(workload: Dict[str, Any]) -> Tuple[List[Tuple[str, float]], float]:
    """What each phase adds to the mean response time, and this."""
    completed = value_at(workload, "transactions.completed") or 0
    whole = value_at(workload, "response_time_seconds.mean") or 0
    if completed == 0 or whole == 0:
        return [], 0
    parts = []
    for key, name in PHASES.items():
        times = value_at(workload, f"phase_times_seconds.{key}") or {}
        parts.append((name, (times.get("mean") or 0) * (times.get("samples") or 0) / completed))
    told = sum(value for _, value in parts)
    if told == 0:
        return [], 0
    return [*parts, ("other", whole - told if whole - told > 0.005 * whole else 0)], whole


def phases(results: Runs, *, ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """Where the time goes: a bar for each web workload, as long as its mean response time.

    A phase that few transactions had, as those that connected, weighs by their share; what is none of the phases is "other".
    """
    runs = runs_of(results)
    rows = []
    for name in dict.fromkeys(w["name"] for run in runs for w in few_workloads(run.results)):
        for run in runs:
            workload = next((w for w in few_workloads(run.results) if w["name"] == name), None)
            parts, whole = _parts(workload) if workload else ([], 0)
            if workload and parts:
                rows.append((labelled(run, shown_name(workload)), parts, whole))
    if not rows:
        raise ValueError("the results have no phases: these are of completed web transactions")
    chart = _frame(ax, dark, [name for name, _, _ in rows], 1.12 * max(whole for _, _, whole in rows), seconds, "Phases of transactions")
    begins = [0.0] * len(rows)
    for at, phase in enumerate([*PHASES.values(), "other"]):
        widths = [dict(parts)[phase] for _, parts, _ in rows]
        if any(widths):
            chart.ax.barh(range(len(rows)), widths, left=begins, height=0.5, color=chart.colour(at), label=phase)
        begins = [begin + width for begin, width in zip(begins, widths)]
    for y, (_, _, whole) in enumerate(rows):
        _beside(chart, y, whole, seconds(whole))
    chart.legend()
    return chart.axes


def _arrays(results: Results) -> Dict[str, Tuple[float, float]]:
    """Links that differ by their indices alone: their mean utilisation, and that of the busiest."""
    found: Dict[str, List[float]] = {}
    for link in results.data["busiest_links"]:
        found.setdefault(without_indices(link["name"]), []).append(link["utilisation"])
    return {name: (sum(values) / len(values), max(values)) for name, values in found.items() if len(values) > 1}


def links(results: Runs, most: int = 15, arrays: bool = False, *, ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """Utilisation of the busiest directed links, at most so many; or of arrays of them, their mean and, as a mark, the busiest."""
    runs = runs_of(results)
    of: List[Dict[str, Tuple[float, float]]] = [
        _arrays(run.results) if arrays else {shown_name(link): (link["utilisation"], link["utilisation"]) for link in run.data["busiest_links"]}
        for run in runs]
    names = list(dict.fromkeys(name for one in of for name in one))
    if not names:
        raise ValueError("the results have no arrays of links" if arrays else "the results have no links")
    names = sorted(names, key=lambda name: -max(one.get(name, (0, 0))[1] for one in of))[:most]
    title = "Arrays of links, mean utilisation" if arrays else "Links, utilisation"
    chart = _grouped([_Bars(name, [one[name][0] if name in one else None for one in of]) for name in names], runs, 1.12, share, title, ax, dark)
    chart.ax.set_xticks([0, 0.2, 0.4, 0.6, 0.8, 1])
    if arrays:
        height = 0.62 / len(runs)
        for i, one in enumerate(of):
            there = [(k, one[name][1]) for k, name in enumerate(names) if name in one]
            chart.ax.plot([x for _, x in there], [k + (i - (len(runs) - 1) / 2) * height for k, _ in there], linestyle="none", marker="|",
                          markersize=60 * height / 3, markeredgewidth=1.6, color=chart.colours["ink"], label="the busiest" if i == 0 else None)
        chart.legend(always=True)
    return chart.axes


def _groups(run: Run, by: str) -> List[Dict[str, Any]]:
    groups = run.data.get("groups") or {}
    if by in KINDS:
        found: List[Dict[str, Any]] = groups.get(by, [])
        return found
    return next((report["groups"] for report in groups.get("reports", []) if ", ".join(report["by"]) == by), [])


def groups(results: Runs, by: str = "subnetwork", figure: str = "response_time_seconds.mean", *, ax: Optional["Axes"] = None,
           dark: bool = False) -> "Axes":
    """A figure of groups of transactions: by "subnetwork", "document_size", "status", or the keys of a `report by`, "region, class"."""
    runs = runs_of(results)
    of = [{shown_name(group): value_at(group, figure) for group in _groups(run, by)} for run in runs]
    names = list(dict.fromkeys(name for one in of for name in one))
    values = [value for one in of for value in one.values() if value is not None]
    if not values:
        raise ValueError(f"the results have no {figure} by {by}")
    show = shown_as(figure)
    words = figure.replace("response_time_seconds.", "response time, ").replace("throughput_bps", "throughput").replace("_", " ")
    return _grouped([_Bars(name, [one.get(name) for one in of]) for name in names], runs, 1.16 * max(values) or 1, show,
                    f"{KINDS.get(by, f'By {by}')}: {words}", ax, dark).axes


def servers(results: Runs, figure: str = "mean_busy", *, ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """A figure of the simulated servers: "mean_busy", "mean_waiting", "requests", "dropped_connections" or "failed"."""
    runs = runs_of(results)
    of = [{f"{server['name']}:{server['port']}": value_at(server, figure) for server in run.data["servers"]} for run in runs]
    names = list(dict.fromkeys(name for one in of for name in one))
    values = [value for one in of for value in one.values() if value is not None]
    if not values:
        raise ValueError(f"the results have no {figure} of servers")
    return _grouped([_Bars(name, [one.get(name) for one in of]) for name in names], runs, 1.16 * max(values) or 1, count,
                    f"Servers: {figure.replace('_', ' ')}", ax, dark).axes
