#!/usr/bin/env python3
"""What the size of a model costs: compiling, the executable, start-up and memory, from 8 clients to 10 million.

All are models/wide_wan.anml, with up to 100 000 active clients. Start-up is the wall time from exec to the end of the
first simulated millisecond, memory the peak resident set of a run. Medians.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE / "models/wide_wan.anml"
SIZES = [  # routers, clients of each, active clients of each
    (1, 8, 8),
    (8, 125, 125),
    (32, 4096, 3125),
    (32, 312500, 3125),
]


def run(*command):
    """Wall time (s) and peak resident set (bytes) of a command that must succeed."""
    begin = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss * 1024


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def compile(self, routers, hosts, active):
        emulator = self.folder / "emulator"
        wall, _ = run(self.arguments.anmlc, MODEL, f"-DN={routers}", f"-DH={hosts}", f"-Dactive={active}", "-o", emulator)
        return emulator, wall

    def median(self, measure):
        return statistics.median(measure() for _ in range(self.arguments.runs))

    def memory(self, routers, hosts, active):
        emulator, _ = self.compile(routers, hosts, active)
        return self.median(lambda: run(emulator, "simulate", "--for", f"{self.arguments.seconds}s")[1])

    def row(self, routers, hosts, active):
        compiling = self.median(lambda: self.compile(routers, hosts, active)[1])
        emulator, _ = self.compile(routers, hosts, active)
        start = self.median(lambda: run(emulator, "simulate", "--for", "1ms")[0])
        memory = self.median(lambda: run(emulator, "simulate", "--for", f"{self.arguments.seconds}s")[1])
        size = emulator.stat().st_size
        print(f"| {routers * hosts:10} | {routers * active:6} | {compiling:.2f} s | {size / 1e6:.2f} MB "
              f"| {start:.2f} s | {memory / 1e6:.0f} MB |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--anmlc", default=HERE.parents[1] / "build/release/bin/anmlc")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="simulated, for the memory")
    arguments = parser.parse_args()
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
