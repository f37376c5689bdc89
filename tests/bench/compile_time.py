#!/usr/bin/env python3
"""How long compiling takes at -O0 and how it grows: the paper's WAN from 8 to 10 million clients, flat files of a thousand to a million
links, a random graph of 10 000 routers, stars in which each router has something more of its own: workloads, statements of the timeline, requirements,
tunables, prefixes; and ten to 100 000 elements as arrays, loops, tables, classes, grids, constellations, with a workload each, and of comprehensions; and 10 to 100 000 epochs of a constellation. Wall and processor time, the compiler's peak memory (of itself, without the linker), the executable,
and by what the three grow when the model is ten times as large.

Usage: compile_time.py [--anmlc PATH] [--runs N] [--only wan|flat|graph|each|forms|epochs] [--check]; --check fails where a target is missed.
"""
import argparse
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import flat_network

HERE = pathlib.Path(__file__).resolve().parent
WAN = [(1, 8, 8), (8, 125, 125), (32, 4096, 3125), (32, 312500, 3125)]  # routers, clients of each, active ones
FLAT = [1000, 10000, 100000, 500000, 1000000]  # links, two lines for each
MILLION_LINES = 500000  # links
ROUTERS = 10000
EACH = [2500, 5000, 10000]  # routers
FORMS = ["array", "loop", "instances", "table", "classes", "grid", "constellation", "workloads", "comprehension"]
ELEMENTS = [10, 1000, 100_000]


def flat_chain(path, links):
    """A chain of routers with a host at each: two links for each router, four lines."""
    routers = (links + 1) // 2
    with open(path, "w") as out:
        out.write("import std.ether\nimport std.web\n\nmodel Flat {\n  endpoint server { simulated = web.server() }\n")
        for i in range(routers):
            out.write(f"  router r{i}\n  host h{i}\n  link h{i} -- r{i} : ether.fast\n")
            if i:
                out.write(f"  link r{i - 1} -- r{i} {{ rate = 1 Gbps, delay = {1000 + i * 7919 % 19000} us }}\n")
        out.write("  link server -- r0 : ether.gigabit\n  workload browse : web.ClosedLoop on h0 {\n")
        out.write("    server = server, documents = web.fixed(1 KB)\n  }\n  run { duration = 1 s }\n}\n")
    return path


def random_graph(path, routers):
    with open(path, "w") as out:
        command = [sys.executable, HERE / "flat_network.py", "random", str(routers), "--degree", "4"]
        subprocess.run(command, stdout=out, check=True)
    return path


def star(path, routers, what):
    with open(path, "w") as out:
        subprocess.run([sys.executable, HERE / "flat_network.py", "star", str(routers), "--each", what], stdout=out, check=True)
    return path


def compile_once(anmlc, model, defines, output):
    command = [str(anmlc), "-O0", str(model), "-o", str(output), *defines]
    begin = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} exited with {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output.stat().st_size


class Table:
    """A line for each model; growth is told against the line before of the same kind."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.before, self.missed = arguments, folder, None, []
        print("| model | lines | wall | processor | memory | executable | ten times the size: processor, memory, executable |")
        print("| --- | --- | --- | --- | --- | --- | --- |")

    def begin_kind(self):
        self.before = None

    def add(self, name, elements, model, defines, lines, limits=()):
        runs = [compile_once(self.arguments.anmlc, model, defines, self.folder / "emulator") for _ in range(self.arguments.runs)]
        wall, cpu, memory, size = (statistics.median(column) for column in zip(*runs))
        growth = ""
        if self.before:
            tens = math.log10(elements / self.before[0])
            growth = ", ".join(f"{(now / then) ** (1 / tens):.1f}" for now, then in zip((cpu, memory, size), self.before[1]))
        self.before = elements, (cpu, memory, size)
        print(f"| {name} | {lines} | {wall:.2f} s | {cpu:.2f} s | {memory / 1e6:.0f} MB | {size / 1e6:.2f} MB | {growth} |", flush=True)
        for value, limit in zip((wall, memory / 1e6, size / 1e6), limits):
            if limit and value > limit:
                self.missed.append(f"{name}: {value:.2f} is above {limit}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anmlc", default=HERE.parents[1] / "build/release/bin/anmlc")
    parser.add_argument("--runs", type=int, default=3)
    kinds = ["wan", "flat", "graph", "each", "forms", "epochs"]
    parser.add_argument("--only", nargs="+", choices=kinds, default=kinds)
    parser.add_argument("--largest", type=int, default=FLAT[-1], help="links of the largest flat file")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="anml-bench-") as name:
        folder = pathlib.Path(name)
        table = Table(arguments, folder)
        if "wan" in arguments.only:
            model = HERE / "models/wide_wan.anml"
            lines = model.read_text().count("\n")
            for routers, hosts, active in WAN:
                defines = [f"-DN={routers}", f"-DH={hosts}", f"-Dactive={active}"]
                clients = routers * hosts
                table.add(f"WAN, {clients} clients", clients, model, defines, lines, (2, None, 20) if clients == 10_000_000 else ())
        table.begin_kind()
        if "flat" in arguments.only:
            for links in [n for n in FLAT if n <= arguments.largest]:
                model = flat_chain(folder / "flat.anml", links)
                table.add(f"flat, {links} links", links, model, [], 2 * links + 9, (15, 1000) if links == MILLION_LINES else ())
        table.begin_kind()
        if "graph" in arguments.only:
            model = random_graph(folder / "graph.anml", ROUTERS)
            lines = model.read_text().count("\n")
            table.add(f"random graph, {ROUTERS} routers, degree 4", ROUTERS, model, [], lines, (5, 1000, 150))
        for what in flat_network.EACH if "each" in arguments.only else ():
            table.begin_kind()
            for routers in EACH:
                model = star(folder / "star.anml", routers, what)
                table.add(f"star, {routers} routers with {what}", routers, model, [], model.read_text().count("\n"))
        for form in FORMS if "forms" in arguments.only else ():
            table.begin_kind()
            for n in ELEMENTS:
                (folder / "homes.csv").write_text("delay [ms],rate [Mbps]\n" + "".join(f"{1 + i % 9},{10 + i % 50}\n" for i in range(n)))
                model = pathlib.Path(shutil.copy(HERE / "models/forms.anml", folder))
                table.add(f"{form}, {n}", n, model, [f"-Dform={form}", f"-Dn={n}"], model.read_text().count("\n"))
        converging = {"": [], ", detected": ["-Ddetection=50 ms"], ", flooded": ["-Ddetection=50 ms", "-Dflooding=10 ms"]}
        for form in ("cycle", "wander") if "epochs" in arguments.only else ():
            for name, times in converging.items():
                table.begin_kind()
                model = HERE / "models/epochs.anml"
                for n in ELEMENTS:
                    limits = (20, 500 if not times else 1500, 60 if not times else 200) if n == ELEMENTS[-1] else ()
                    table.add(f"{n} epochs, {form}{name}", n, model, [f"-Dform={form}", f"-Dn={n}", *times], model.read_text().count("\n"), limits)
    print("\n".join(table.missed) or "every target is met", file=sys.stderr)
    return bool(table.missed) and arguments.check


if __name__ == "__main__":
    sys.exit(main())
