"""How plots look: colours, dashes, units and titles of the page of `anmlc report`."""
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# As reporting/page/style.css has them.
LIGHT = {"paper": "#ffffff", "ink": "#111827", "faint": "#5b6676", "rule": "#e3e7ed", "warn": "#a16207", "shade": "#64748b1a", "alarm": "#d9770629",
         "s0": "#2563eb", "s1": "#d9480f", "s2": "#0f766e", "s3": "#9333ea", "s4": "#a16207", "s5": "#be185d"}
DARK = {"paper": "#0e1420", "ink": "#e8edf4", "faint": "#95a1b3", "rule": "#263042", "warn": "#facc15", "shade": "#94a3b81f", "alarm": "#facc1529",
        "s0": "#6ea8fe", "s1": "#ff9f5a", "s2": "#4fd1b5", "s3": "#c99cff", "s4": "#e3c04f", "s5": "#f78fc0"}
DASHES: Sequence[Any] = ("solid", (0, (3, 2.5)), (0, (1.2, 1.9)), (0, (5.6, 1.9, 1.2, 1.9)))

Show = Callable[[float], str]


def rounded(value: float, digits: int) -> str:
    """So many digits, without an exponent."""
    return format(float(f"{value:.{digits}g}"), ".15g")


def _scaled(value: float, units: Sequence[Tuple[float, str]]) -> str:
    scale, name = next((unit for unit in units if abs(value) >= unit[0]), units[-1])
    return f"{rounded(value / scale, 3)} {name}"


def seconds(value: float) -> str:
    return "0" if value == 0 else _scaled(value, [(1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")])


def rate(value: float) -> str:
    return "0" if value == 0 else _scaled(value, [(1e9, "Gbps"), (1e6, "Mbps"), (1e3, "Kbps"), (1, "bps")])


def size(value: float) -> str:
    return "0" if value == 0 else _scaled(value, [(2**30, "GB"), (2**20, "MB"), (2**10, "KB"), (1, "B")])


def count(value: float) -> str:
    return rounded(value, 5)


def share(value: float) -> str:
    return f"{rounded(100 * value, 3)} %"


def shown_as(figure: str) -> Show:
    """Of a figure by its path, "response_time_seconds.p95", how its values are written."""
    parts = figure.split(".")
    if any(part.endswith("_seconds") for part in parts) and parts[-1] != "samples":
        return seconds
    last = parts[-1]
    if last.endswith("_bps"):
        return rate
    if last.endswith("_bytes"):
        return size
    return share if last.endswith(("_share", "utilisation", "packet_loss")) else count


class Line(NamedTuple):
    """What is drawn: None where there is nothing."""

    label: str
    xs: Sequence[float]
    ys: Sequence[Optional[float]]
    colour: int = 0
    dash: int = 0


class Chart:
    """Axes in the report's style. Without `ax` they are of a new figure of pyplot's."""

    def __init__(self, ax: Optional["Axes"], dark: bool, height: float = 2.6) -> None:
        if ax is None:
            from matplotlib import pyplot

            figure, ax = pyplot.subplots(figsize=(6.4, height), layout="constrained")
            figure.set_facecolor((DARK if dark else LIGHT)["paper"])
        self.axes: "Axes" = ax
        self.ax: Any = ax  # the same, of which releases of matplotlib have other types
        self.colours: Dict[str, str] = DARK if dark else LIGHT
        faint = self.colours["faint"]
        ax.set_facecolor(self.colours["paper"])
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.grid(True, color=self.colours["rule"], linewidth=0.8)
        ax.set_axisbelow(True)
        ax.tick_params(which="both", length=0, colors=faint, labelsize=8)
        for axis in (ax.xaxis, ax.yaxis):
            axis.label.set_color(faint)
            axis.label.set_fontsize(8)

    def colour(self, index: int) -> str:
        """Of the line or bar of this number."""
        return self.colours[f"s{index % 6}"]

    def title(self, text: str) -> None:
        self.ax.set_title(text, loc="left", color=self.colours["faint"], fontsize=9.5, fontweight="bold")

    def draw(self, lines: Sequence[Line], dots: bool = False) -> None:
        """The lines, and dots where no line leads to or from what is there, or everywhere."""
        for line in lines:
            ys = [math.nan if y is None else y for y in line.ys]
            there = [y is not None for y in line.ys]
            alone = [i for i, y in enumerate(there) if y and not (i and there[i - 1]) and not (i + 1 < len(there) and there[i + 1])]
            marked = range(len(ys)) if dots else alone
            colour = self.colour(line.colour)
            self.ax.plot(line.xs, ys, label=line.label, color=colour, linestyle=DASHES[line.dash % 4], linewidth=1.4)
            if marked:
                self.ax.plot([line.xs[i] for i in marked], [ys[i] for i in marked], color=colour, linestyle="none", marker="o", markersize=4)

    def legend(self, always: bool = False) -> None:
        """Below the axes, where there are several lines."""
        handles, labels = self.ax.get_legend_handles_labels()
        if len(handles) < 2 and not always:
            return
        columns = max(1, min(len(labels), 84 // (max(map(len, labels)) + 8)))
        from matplotlib.transforms import ScaledTranslation

        below = 19 + (11 * (1 + self.ax.get_xlabel().count("\n")) if self.ax.get_xlabel() else 0)  # points
        place = self.ax.transAxes + ScaledTranslation(0, -below / 72, self.ax.figure.dpi_scale_trans)
        legend = self.ax.legend(handles, labels, loc="upper left", bbox_to_anchor=(0, 0), bbox_transform=place, ncol=columns, frameon=False,
                                fontsize=8, handlelength=2.2, borderaxespad=0, borderpad=0)
        for text in legend.get_texts():
            text.set_color(self.colours["faint"])

    def heights(self, values: Sequence[float], show: Show, spread: float = 0) -> None:
        """The axis of heights: from 0, or logarithmic where they are more than `spread` times apart (0: never)."""
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        most, least = max(values, default=0), min(values, default=0)
        if spread and least > 0 and most > spread * least:
            self.ax.set_yscale("log")
            self.ax.set_ylim(least / 1.2, most * 1.2)
            self.ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            self.ax.yaxis.set_minor_formatter(NullFormatter())
            self.ax.set_ylabel("log scale")
        else:
            self.ax.set_ylim(0, 1.06 * most if most > 0 else 1)
        self.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: show(value)))


def apart(texts: Sequence[str], places: Sequence[float], room: float) -> List[str]:
    """Of texts at places from 0 to 1 those that don't run into each other, a letter being so wide; the others empty."""
    last, out = -math.inf, []
    for text, place in zip(texts, places):
        half = room * (len(text) + 2) / 2
        fits = place - half >= last
        last = place + half if fits else last
        out.append(text if fits else "")
    return out
