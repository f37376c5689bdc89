"""The section of docs/validation.md about Linux's TCP: the table of tests/live/against_linux.py, and a plot of its ratios."""
import os
import pathlib
import subprocess
import sys

import svg

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "live/against_linux.py"


def missing(context):
    return "network namespaces with two kernels' TCP take root" if os.geteuid() != 0 else None


def table(context, name, quick, whole):
    """The lines of the script's table, with options for a few rows or for all, whose figures are kept under that name; and whether it is good."""
    command = [sys.executable, SCRIPT, *quick]
    if not context.quick:
        context.cache.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, SCRIPT, *whole, "--keep", context.cache / f"{name}.json"]
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("|")]
    print("\n".join(lines))
    # Rows that are apart are explained below the table; of the quick ones none is.
    return lines, done.returncode == 0 or (done.returncode == 1 and not context.quick)


def make(context):
    lines, good = table(context, "linux", ["--runs", "1", "--quick"], ["--runs", "3"])
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    if not context.quick and rows:
        plot(rows, context.plots / "linux.svg")
    return "\n".join([context.circumstances(), "", *lines, "", "![Ratios of transfer times to Linux's](validation/linux.svg)"]), good


def plot(rows, path):
    """Each transfer's time as a share of Linux's, in the order of the table."""
    ratios = [float(row[3]) for row in rows]
    picture = svg.Plot("Transfer times: ours over Linux's", (-1, len(rows)), (0.7, 1.3), "rows of the table, in their order", "ratio")
    picture.band(0.9, 1.1)
    picture.y_ticks([(y / 10, f"{y / 10:.1f}") for y in range(7, 14)])
    picture.x_ticks([(i, str(i + 1)) for i in range(4, len(rows), 5)])
    kinds = ["CUBIC", "ECN", "BBR"]
    for series, kind in enumerate(["", *kinds]):
        here = [(i, r) for i, (r, row) in enumerate(zip(ratios, rows)) if (row[0].startswith(kind) if kind else not row[0].startswith(tuple(kinds)))]
        picture.points(here, series, kind or "Reno")
    picture.write(path)
