"""Figures of a sweep over one of its parameters, with their intervals."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ..results import Results
from ..sweep import Point
from .intervals import mean_of
from .style import DASHES, Chart, Show, apart, shown_as

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Figure = Union[str, Callable[[Results], Optional[float]]]
TITLES = {"throughput_bps": "Throughput", "transactions.per_second": "Transactions per second", "response_time_seconds.mean": "Response time, mean",
          "response_time_seconds.median": "Response time, median", "response_time_seconds.p95": "Response time, p95",
          "response_time_seconds.p99": "Response time, p99", "response_time_seconds.max": "Response time, max", "packet_loss": "Packet loss"}


class _Spot(NamedTuple):
    """What runs with one value of the parameter measured."""

    at: int
    values: List[float]
    met: bool  # all requirements, by all of them


def _text(point: Point, name: str) -> str:
    """A parameter as the results have it, "4 ms", or as it was given."""
    known = point.results.data["parameters"].get(name)
    return str(known["text"] if known else point.parameters[name])


def _number(point: Point, name: str) -> Optional[float]:
    known = point.results.data["parameters"].get(name)
    value = known["value"] if known else point.parameters[name]
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _value(point: Point, figure: Figure) -> Optional[float]:
    if callable(figure):
        return figure(point.results)
    value = point.results[figure]
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise ValueError(f"{figure!r} is no number")
    return None if value is None else float(value)


def _met(point: Point) -> bool:
    return all(threshold["met"] for threshold in point.results.data.get("thresholds", []))


def _geometric(values: Sequence[float]) -> bool:
    """Whether they are a factor apart, and not so much a step."""
    places = sorted(set(values))
    if len(places) < 3 or places[0] <= 0:
        return False
    ratios = [b / a for a, b in zip(places, places[1:])]
    steps = [b - a for a, b in zip(places, places[1:])]
    return places[-1] / places[0] >= 6 and max(ratios) / min(ratios) < max(steps) / min(steps)


def _varying(points: Sequence[Point]) -> List[str]:
    names = [name for name in points[0].parameters if name != "seed"]
    return [name for name in names if len({_text(point, name) for point in points}) > 1]


def _levels(points: Sequence[Point], along: str) -> Tuple[List[str], Optional[List[float]]]:
    """The parameter's values as texts and, where all are, as numbers, then in their order."""
    texts: Dict[str, Optional[float]] = {}
    for point in points:
        texts.setdefault(_text(point, along), _number(point, along))
    if any(value is None for value in texts.values()):
        return list(texts), None
    ordered = sorted((value, text) for text, value in texts.items() if value is not None)
    return [text for _, text in ordered], [value for value, _ in ordered]


def over(points: Sequence[Point], figure: Union[Figure, Sequence[str]], along: Optional[str] = None, *, title: Optional[str] = None,
         show: Optional[Show] = None, bound: Optional[float] = None, ax: Optional["Axes"] = None, dark: bool = False) -> "Axes":
    """Figures of a sweep over one of its parameters: `over(points, "response_time_seconds.p99", "N")`.

    A line for each combination of the other parameters, and for each figure. With several seeds points are means, and bars their
    95 % intervals (Student); where one is wider than its mean, and says nothing, all bars are ranges of what was measured. A hollow
    point does not meet what the model requires. Where values are a factor apart an axis is logarithmic, and says so.

    A figure is a path in the results, or a function of them, to which `title` gives a name and `show` writes its values. `along` is
    the first parameter with several values, if it is left out. `bound` is drawn as a dashed line.
    """
    if not points:
        raise ValueError("there are no points to plot")
    varying = _varying(points)
    along = along or (varying[0] if varying else None)
    if along is None or along not in points[0].parameters or along == "seed":
        raise ValueError(f"the points have no parameter {along!r}" if along else "no parameter has several values")
    figures: List[Figure] = [figure] if isinstance(figure, str) or callable(figure) else list(figure)
    texts, numbers = _levels(points, along)
    others = [name for name in varying if name != along]
    spots: Dict[Tuple[str, int], Dict[int, _Spot]] = {}
    for at, one in enumerate(figures):
        for point in points:
            value = _value(point, one)
            if value is None:
                continue
            words = ", ".join(f"{name} = {_text(point, name)}" for name in others)
            place = texts.index(_text(point, along))
            line = spots.setdefault((words, at), {})
            spot = line.get(place, _Spot(place, [], True))
            line[place] = _Spot(place, [*spot.values, value], spot.met and _met(point))
    if not spots:
        raise ValueError("the points have nothing of this to plot")
    names = [title if callable(one) else TITLES.get(one, one) for one in figures]
    labels = {key: ", ".join(word for word in (str(names[key[1]]).split(", ")[-1] if len(figures) > 1 else "", key[0]) if word) for key in spots}
    # Of several figures each has a colour, and combinations are dashed; of one each combination has a colour.
    combinations = list(dict.fromkeys(words for words, _ in spots))
    chart = Chart(ax, dark, 3.2)
    if title is None:
        title = str(names[0]) if len(names) == 1 else str(names[0]).split(",")[0]
    chart.title(title)
    write = show or (shown_as(figures[0]) if isinstance(figures[0], str) else shown_as(""))
    _draw(chart, spots, labels, combinations, numbers, len(texts), write, bound, len(figures))
    _places(chart, along, texts, numbers)
    chart.legend()
    return chart.axes


def _draw(chart: Chart, spots: Dict[Tuple[str, int], Dict[int, _Spot]], labels: Dict[Tuple[str, int], str], combinations: Sequence[str],
          numbers: Optional[Sequence[float]], levels: int, show: Show, bound: Optional[float], figures: int) -> None:
    means = {key: {at: mean_of(spot.values) for at, spot in line.items()} for key, line in spots.items()}
    everything = [mean for line in means.values() for mean in line.values()]
    ranges = any(mean.half_width is not None and mean.half_width > abs(mean.mean) for mean in everything)
    share = getattr(show, "__name__", "") == "share"
    seen: List[float] = [] if bound is None else [bound]
    bars = False
    for number, (key, line) in enumerate(spots.items()):
        ordered = sorted(line.values())
        colour = chart.colour(key[1] if figures > 1 else number)
        dash = DASHES[(combinations.index(key[0]) if figures > 1 else number // 6) % 4]
        # Beside each other, where the axis has no numbers.
        shift = 0.0 if numbers else (number - (len(spots) - 1) / 2) * min(0.12, 0.7 / len(spots))
        xs = [numbers[spot.at] if numbers else spot.at + shift for spot in ordered]
        ys = [means[key][spot.at].mean for spot in ordered]
        ends: List[Tuple[float, float]] = []
        for spot in ordered:
            mean, half = means[key][spot.at]
            if half is None:
                ends.append((mean, mean))
            elif ranges:
                ends.append((min(spot.values), max(spot.values)))
            else:
                ends.append((max(0.0, mean - half) if mean >= 0 else mean - half, min(1.0, mean + half) if share else mean + half))
        seen += [value for pair in ends for value in pair]
        chart.ax.plot(xs, ys, color=colour, linestyle=dash if numbers else "none", linewidth=1.4, marker="o", markersize=5,
                      label=labels[key] or None)
        if any(begin < end for begin, end in ends):
            bars = True
            below, above = [y - begin for y, (begin, _) in zip(ys, ends)], [end - y for y, (_, end) in zip(ys, ends)]
            chart.ax.errorbar(xs, ys, yerr=[below, above], fmt="none", ecolor=colour, elinewidth=1.2, capsize=3)
        hollow = [(x, y) for x, y, spot in zip(xs, ys, ordered) if not spot.met]
        if hollow:
            chart.ax.plot([x for x, _ in hollow], [y for _, y in hollow], linestyle="none", marker="o", markersize=5, markeredgecolor=colour,
                          markerfacecolor=chart.colours["paper"])
    if bound is not None:
        chart.ax.axhline(bound, color=chart.colours["warn"], linewidth=1, linestyle=(0, (4, 4)))
    middle = [mean.mean for mean in everything] + ([] if bound is None else [bound])
    wide = min(mean.mean for mean in everything) > 0 and max(middle) > 20 * min(middle)
    least = min(mean.mean for mean in everything)
    chart.heights([value for value in seen if not wide or value > least / 4] + [least], show, 20 if wide else 0)
    if min(seen) < 0:
        chart.ax.set_ylim(bottom=1.06 * min(seen))
    notes = [] if not bars else ["bars: ranges of what was measured" if ranges else "bars: 95 % intervals"]
    if any(not spot.met for line in spots.values() for spot in line.values()):
        notes.append("hollow: does not meet what is required")
    chart.ax.set_xlabel("; ".join(notes))


def _places(chart: Chart, along: str, texts: Sequence[str], numbers: Optional[Sequence[float]]) -> None:
    """The axis of the parameter, with its values."""
    from matplotlib.ticker import NullLocator

    log = numbers is not None and _geometric(numbers)
    if log:
        chart.ax.set_xscale("log")
    places = list(numbers) if numbers is not None else [float(i) for i in range(len(texts))]
    marks = [math.log(place) if log else place for place in places]
    low, high = min(marks), max(marks)
    room = 0.04 * (high - low) if numbers is not None and high > low else 0.6
    begin, end = low - room, high + room
    chart.ax.set_xlim(*((math.exp(begin), math.exp(end)) if log else (begin, end)))
    shown = apart(texts, [(mark - begin) / (end - begin) for mark in marks], 0.014)
    chart.ax.set_xticks(places, shown)
    chart.ax.xaxis.set_minor_locator(NullLocator())
    if numbers is None:
        chart.ax.grid(False, axis="x")
    notes = chart.ax.get_xlabel()
    chart.ax.set_xlabel(along + (", log scale" if log else "") + (f"\n{notes}" if notes else ""))
