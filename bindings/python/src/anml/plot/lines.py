"""Lines: over time, curves of percentiles, and times of flows over their size."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

from ..results import Results
from .runs import Run, Runs, few_workloads, labelled, runs_of, value_at, workload_of
from .style import Chart, Line, Show, count, rate, rounded, seconds, share, size

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CURVES = 12


class _Curve(NamedTuple):
    label: str
    path: str           # of an array by second
    only: bool = False  # where something of it is above 0
    whole: bool = False  # counts, which a last second that is a part of one would let fall
    dashed: bool = False


class _Kind(NamedTuple):
    title: str
    show: Show
    curves: Tuple[_Curve, ...]


OVER_TIME: Dict[str, _Kind] = {
    "throughput": _Kind("Throughput", rate, (_Curve("", "series.throughput_bps", only=True),)),
    "completed": _Kind("Completed per second", count, (_Curve("", "series.completed", whole=True),)),
    "failed": _Kind("Failed per second", count, (_Curve("", "series.failed", only=True, whole=True),)),
    "mean": _Kind("Response time, mean", seconds, (_Curve("", "series.response_mean_seconds"),)),
    "percentiles": _Kind("Response time, percentiles", seconds, (
        _Curve("median", "series.response_median_seconds"), _Curve("p95", "series.response_p95_seconds"), _Curve("p99", "series.response_p99_seconds"))),
    "p95": _Kind("Response time, p95", seconds, (_Curve("", "series.response_p95_seconds"),)),
    "longest": _Kind("Response time, longest", seconds, (_Curve("", "series.response_max_seconds"),)),
    "slip": _Kind("Slip", seconds, (_Curve("p99", "live.seconds.slip_p99_seconds"), _Curve("max", "live.seconds.slip_max_seconds", dashed=True))),
    "kernel": _Kind("Packets that the kernel dropped or did not take", count, (
        _Curve("dropped", "live.seconds.kernel_drops", only=True), _Curve("not taken", "live.seconds.send_failures", only=True, dashed=True))),
    "server_lost": _Kind("What others took from the server", seconds, (_Curve("", "live.seconds.server_lost_seconds", only=True),)),
    "may_be_high": _Kind("By how much means may be too high", share, (_Curve("", "live.seconds.may_be_high", only=True),)),
}

CURVES = {"response_time_seconds": "response times of requests", "page_time_seconds": "times of whole pages",
          "transfer_time_seconds": "times of transfers", "round_trip_seconds": "round trips", "delay_seconds": "one-way delays"}


def _by_second(run: Run, curve: _Curve) -> Optional[List[Optional[float]]]:
    ys = value_at(run.data, curve.path)
    if not ys or all(y is None for y in ys) or (curve.only and not any(y and y > 0 for y in ys)):
        return None
    out: List[Optional[float]] = list(ys)
    if curve.whole:
        if not any(run.data["series"]["completed"]) and not any(run.data["series"]["failed"]):
            return None
        step = run.data["series"]["interval_seconds"]
        end = run.data["window"]["end"] / step
        if step > 1:
            out = [y and y / step for y in out]
        if 0 < end - math.floor(end) < 1 and len(out) == math.ceil(end):
            out[-1] = None
    return out


def _seconds_chart(lines: Sequence[Line], runs: Sequence[Run], title: str, show: Show, ax: Optional["Axes"], dark: bool) -> "Axes":
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    chart = Chart(ax, dark)
    if len(runs) == 1:
        data = runs[0].data
        for spans, name in (([[0, data["window"]["begin"]]], "shade"), (data["degraded_seconds"], "alarm")):
            for begin, end in spans:
                if end > begin:
                    chart.ax.axvspan(begin, end, color=chart.colours[name], linewidth=0)
        for event in [*data["timeline"]["events"], *data["changes"]]:
            chart.ax.axvline(event["seconds"], color=chart.colours["faint"], linewidth=0.8)
    chart.draw(lines)
    chart.title(title)
    chart.heights([y for line in lines for y in line.ys if y is not None], show)
    chart.ax.set_xlim(0, max(max(line.xs) for line in lines))
    chart.ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    chart.ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{rounded(x, 6)} s"))
    chart.legend()
    return chart.axes


def over_time(results: Runs, what: str = "throughput", *, ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """Second by second: "throughput", "completed", "failed", "mean", "percentiles", "p95" or "longest" response time; of live runs
    "slip", "kernel" (packets that it dropped), "server_lost" (what others took from the server) and "may_be_high".

    Of one run the warm-up is shaded, seconds that lateness touched are marked, and lines stand where something changed.
    """
    if what not in OVER_TIME:
        raise ValueError(f"{what!r} is none of {', '.join(OVER_TIME)}")
    kind, runs = OVER_TIME[what], runs_of(results)
    lines: List[Line] = []
    for i, run in enumerate(runs):
        for at, curve in enumerate(kind.curves):
            ys = _by_second(run, curve)
            if ys is None:
                continue
            step = float(run.data["series"]["interval_seconds"])
            several = len(runs) > 1
            label = ", ".join(word for word in (run.name, curve.label) if word) or kind.title
            lines.append(Line(label, [k * step for k in range(len(ys))], ys, i if several or curve.dashed else len(lines),
                              at if several and len(kind.curves) > 1 else int(curve.dashed)))
    if not lines or max(len(line.ys) for line in lines) < 2:
        raise ValueError(f"the results have no {what} by second")
    alone = len(lines) == 1 and len(runs) == 1 and len(kind.curves) > 1
    return _seconds_chart(lines, runs, f"{kind.title.split(',')[0]}, {lines[0].label}" if alone else kind.title, kind.show, ax, dark)


def endpoints(results: Runs, *, ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """Of live runs the longest slip of each second, by endpoint."""
    runs = runs_of(results)
    several = len(runs) > 1
    lines = []
    for i, run in enumerate(runs):
        for at, endpoint in enumerate((run.data["live"] or {}).get("endpoints", [])):
            ys = endpoint["seconds"]["slip_max_seconds"]
            label = f"{run.name}, {endpoint['name']}" if several else endpoint["name"]
            if ys:
                lines.append(Line(label, list(range(len(ys))), ys, i if several else at, at if several else 0))
    if not lines:
        raise ValueError("the results have no endpoints: these are of live runs")
    return _seconds_chart(lines, runs, "Slip by endpoint, the longest of each second", seconds, ax, dark)


def _points(workload: Dict[str, Any], kinds: Sequence[str]) -> List[Tuple[float, float]]:
    for kind in kinds:
        points: List[Tuple[float, float]] = [(p, y) for p, y in (workload.get(kind) or {}).get("percentiles", [])]
        if points:
            return points
    return []


def percentiles(results: Runs, workload: Optional[str] = None, of: Optional[str] = None, *, ax: Optional["Axes"] = None,
                dark: bool = False) -> "Axes":
    """Curves of percentiles, on an axis of nines: of one workload, or of all beside each other.

    `of` is "response_time_seconds", "page_time_seconds", "transfer_time_seconds", "round_trip_seconds" or "delay_seconds"; without
    it the first that a workload has, but for pages.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    if of is not None and of not in CURVES:
        raise ValueError(f"{of!r} is none of {', '.join(CURVES)}")
    kinds = [of] if of else [kind for kind in CURVES if kind != "page_time_seconds"]
    runs = runs_of(results)
    several = len(runs) > 1
    names = [workload] if workload is not None else list(dict.fromkeys(w["name"] for run in runs for w in few_workloads(run.results)))
    names = [name for name in names if any(len(_points(workload_of(run.results, name), kinds)) > 1 for run in runs)]
    lines: List[Line] = []
    used: Set[str] = set()
    for at, name in enumerate(names):
        for i, run in enumerate(runs):
            found = workload_of(run.results, name)
            points = _points(found, kinds)
            if len(points) < 2:
                continue
            used.update(kind for kind in kinds if (found.get(kind) or {}).get("percentiles"))
            alone = len(names) == 1
            label = (run.name or name) if alone else labelled(run, name)
            lines.append(Line(label, [1 / (1 - percent / 100) for percent, _ in points], [y for _, y in points],
                              i if several or alone else at, 0 if alone else at if several else at // 6))
    if not lines:
        raise ValueError(f"the results have no percentiles of {workload or 'workloads'}: too few samples, or no such workload")
    lines = lines[:MOST_CURVES]
    chart = Chart(ax, dark, 3.2)
    chart.draw(lines)
    words = CURVES[used.pop()] if len(used) == 1 else "times of all workloads"
    chart.title(f"Percentiles of {words}" + (f", {workload}" if workload is not None else ""))
    last = max(line.xs[-1] for line in lines)
    ys = [y for line in lines for y in line.ys if y is not None]
    chart.heights(ys, seconds, 30)
    chart.ax.set_xscale("log")
    chart.ax.set_xlim(2, last)
    texts = {2: "50 %", 4: "75 %", 10: "90 %", 20: "95 %", 100: "99 %", 1000: "99.9 %", 10000: "99.99 %"}
    chart.ax.xaxis.set_major_locator(FixedLocator([x for x in texts if x <= 1.001 * last]))
    chart.ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: texts.get(round(x), "")))
    chart.ax.xaxis.set_minor_locator(NullLocator())
    chart.ax.set_xlabel("percentile, log scale")
    chart.legend()
    return chart.axes


def sizes(results: Runs, workload: Optional[str] = None, of: str = "slowdown", keys: Sequence[str] = ("median", "p95", "p99"), *,
          ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """Slow-downs of flows ("slowdown") or their completion times ("transfer_time_seconds") over their size.

    A point for each power of ten, at the mean size of its flows. Without a name it is the first workload that has flows.
    """
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    titles = {"slowdown": "Slow-down of flows", "transfer_time_seconds": "Completion times of flows"}
    if of not in titles:
        raise ValueError(f"{of!r} is neither 'slowdown' nor 'transfer_time_seconds'")
    runs = runs_of(results)
    name = workload or next((w["name"] for run in runs for w in few_workloads(run.results) if w.get("sizes")), None)
    lines = []
    for i, run in enumerate(runs):
        found = workload_of(run.results, name).get("sizes", []) if name else []
        groups = [group for group in found if group["completed"]]
        for at, key in enumerate(keys):
            ys = [group[of].get(key) for group in groups]
            if any(y is not None for y in ys):
                label = ", ".join(word for word in (run.name, key if len(keys) > 1 or not run.name else "") if word)
                lines.append(Line(label, [group["bytes"] / group["completed"] for group in groups], ys, i if len(runs) > 1 else at, at if len(runs) > 1 else 0))
    if not lines:
        raise ValueError("the results have no flows by size: these are of traffic.Flows")
    chart = Chart(ax, dark, 3.2)
    chart.draw(lines, dots=True)
    chart.title(f"{titles[of]} by size, {name}")
    show = seconds if of == "transfer_time_seconds" else count
    chart.heights([y for line in lines for y in line.ys if y is not None], show, 30)
    chart.ax.set_xscale("log")
    chart.ax.xaxis.set_major_locator(FixedLocator([unit * 10**k for unit in (1, 2**10, 2**20, 2**30) for k in range(3)]))
    chart.ax.xaxis.set_minor_locator(NullLocator())
    chart.ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: size(x)))
    chart.ax.set_xlabel("size of the flow, log scale")
    chart.legend()
    return chart.axes


def workloads_with(results: Results, kind: str) -> List[str]:
    """Those that have percentiles of this kind of times."""
    return [w["name"] for w in few_workloads(results) if len(_points(w, [kind])) > 1]
