#!/usr/bin/env python3
"""What the size of a model costs: compiling, the executable, start-up and memory, from 8 clients to 10 million.

All are models/wide_wan.anml, with up to 100 000 active clients. Start-up is the wall time from exec to the end of the
first simulated millisecond, memory the peak resident set of a run. Medians.

    scale.py --units           measures what a system, a link, a route, a flow and an event cost, writes scale.json beside
                               this script, and the tables of docs/scale.md
    scale.py --million         the same of a million flows in a second in a graph of the Internet's size
    scale.py --ranks           the same of the model of the kernel: measures what two threads and two ranks gain (root)
    scale.py --page [--check]  writes the tables from scale.json, or only looks whether they are those
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import scale_kernel
import scale_page
from scale_units import Units, run

HERE = pathlib.Path(__file__).resolve().parent
MEASURED = HERE / "scale.json"
MODEL = HERE / "models/wide_wan.anml"
SIZES = [  # routers, clients of each, active clients of each
    (1, 8, 8),
    (8, 125, 125),
    (32, 4096, 3125),
    (32, 312500, 3125),
]


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def compile(self, routers, hosts, active):
        emulator = self.folder / "emulator"
        wall, _, _ = run(self.arguments.anmlc, MODEL, f"-DN={routers}", f"-DH={hosts}", f"-Dactive={active}", "-o", emulator)
        return emulator, wall

    def median(self, measure):
        return statistics.median(measure() for _ in range(self.arguments.runs))

    def memory(self, routers, hosts, active):
        emulator, _ = self.compile(routers, hosts, active)
        return self.median(lambda: run(emulator, "simulate", "--for", f"{self.arguments.seconds}s")[2])

    def row(self, routers, hosts, active):
        compiling = self.median(lambda: self.compile(routers, hosts, active)[1])
        emulator, _ = self.compile(routers, hosts, active)
        start = self.median(lambda: run(emulator, "simulate", "--for", "1ms")[0])
        memory = self.median(lambda: run(emulator, "simulate", "--for", f"{self.arguments.seconds}s")[2])
        size = emulator.stat().st_size
        print(f"| {routers * hosts:10} | {routers * active:6} | {compiling:.2f} s | {size / 1e6:.2f} MB "
              f"| {start:.2f} s | {memory / 1e6:.0f} MB |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anmlc", default=HERE.parents[1] / "build/release/bin/anmlc")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="simulated, for the memory")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--units", action="store_true")
    what.add_argument("--million", action="store_true")
    what.add_argument("--ranks", action="store_true")
    what.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true", help="with --page: write nothing")
    arguments = parser.parse_args()
    if arguments.check and not arguments.page:
        parser.error("--check goes with --page")
    measured = json.loads(MEASURED.read_text())
    if arguments.ranks:
        measured["kernel"] = scale_kernel.measure(arguments.anmlc, arguments.runs)
    if arguments.units or arguments.million:
        with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
            units = Units(arguments.anmlc, arguments.runs, folder)
            measured |= units.measure() if arguments.units else {"million": units.million()}
    if arguments.units or arguments.million or arguments.ranks:
        MEASURED.write_text(json.dumps(measured, indent=1) + "\n")
    if arguments.units or arguments.million or arguments.ranks or arguments.page:
        sys.exit(scale_page.write(measured, HERE.parents[1] / "docs/scale.md", arguments.check))
    with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        print("| clients | active | compile | executable | start-up | memory |\n|---|---|---|---|---|---|")
        for size in SIZES:
            bench.row(*size)
        million, ten = bench.memory(32, 31250, 3125), bench.memory(32, 312500, 3125)
        few, many = bench.memory(32, 31250, 313), bench.memory(32, 31250, 3125)
        print(f"idle host: {(ten - million) / 9e6:.2f} bytes; active host: {(many - few) / (32 * (3125 - 313)):.0f} bytes")


if __name__ == "__main__":
    main()
