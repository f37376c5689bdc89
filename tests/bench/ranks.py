#!/usr/bin/env python3
"""What a second process brings, against a second thread: 1 thread, 2 threads and 2 ranks of MPI on one machine, in turns.

Medians over the rounds of millions of packet-hops (PHOLD: events) per second of wall time, their ratios, and the share
of the gain of two threads that two ranks have; digests must be alike. Besides, of the ranks: how long each set its
part up, and the most memory that one had, against one process.
With --real-time (root) other programs on the machine don't take processors away (see threads.py).
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build/release"
TARGET = 0.85  # of two threads
# Name, model, defines, simulated seconds.
WORKLOADS = [
    ("fat tree k=8", "fat_tree.anml", ["k=8"], 0.2),
    ("fat tree k=16", "fat_tree.anml", ["k=16"], 0.05),
    ("fat tree k=32", "fat_tree.anml", ["k=32"], 0.01),
    ("WAN 32x4096", "wide_wan.anml", ["N=32", "H=4096", "active=4096"], 3),
]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "LD_LIBRARY_PATH": str(BUILD / "lib/anml")}


def finish(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Emulator:
    def __init__(self, model, defines, seconds, options, folder):
        self.program, self.results, self.options = folder / "emulator", folder / "results.json", options
        self.words = ["simulate", "--for", f"{seconds * options.scale}s", "--results", self.results]
        finish([options.anmlc, HERE / "models" / model, *(f"-D{d}" for d in defines), "--mpi", "-o", self.program])

    def simulate(self, threads, ranks, *more):
        """The results."""
        start = ["mpirun", "-np", ranks] if ranks > 1 else []
        how = ["--mpi"] if ranks > 1 else ["--threads", threads]
        finish([*start, *self.options.prefix, self.program, *self.words, *how, *more])
        return json.loads(self.results.read_text())

    def run(self, threads, ranks):
        results = self.simulate(threads, ranks)
        memory = max((rank["memory_bytes"] for rank in results.get("ranks", [])), default=0)
        start = max((rank["start_seconds"] for rank in results.get("ranks", [])), default=0)
        return results["packet_hops"] / results["wall_seconds"] / 1e6, results["digest"], memory, start

    def whole(self):
        """Memory and start-up of one process that holds all: one rank of two whose other one holds nothing is not to be
        had, so it is asked of the system."""
        before = time.monotonic()
        done = subprocess.run(["/usr/bin/env", "python3", "-c",
                               "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                               "stdout=subprocess.DEVNULL); "
                               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)",
                               *map(str, [self.program, *self.words, "--threads", 1])], capture_output=True, text=True,
                              check=True)
        took = time.monotonic() - before
        return int(done.stdout), took - json.loads(self.results.read_text())["wall_seconds"]


class Phold:
    def __init__(self, options):
        self.options = options

    def simulate(self, tasks, threads, ranks, *more):
        """What it prints."""
        milliseconds = int(200 * self.options.scale)
        start = ["mpirun", "-np", ranks] if ranks > 1 else []
        return finish([*start, *self.options.prefix, BUILD / "bin/phold", 65536, tasks, threads, milliseconds, 4096, *more])

    def run(self, threads, ranks):
        out = self.simulate(max(threads, ranks), threads, ranks, *(["mpi"] if ranks > 1 else []))
        found = re.search(r"([\d.]+) M events/s.*digest (\w+)", out)
        return float(found[1]), found[2], 0, 0


def measure(name, subject, options):
    rates, digests, memory, start = {}, set(), 0, 0
    for _ in range(options.runs):
        for threads, ranks in ((1, 1), (2, 1), (1, 2)):
            if options.prefix:
                time.sleep(0.25)
            rate, digest, most, began = subject.run(threads, ranks)
            rates.setdefault((threads, ranks), []).append(rate)
            digests.add(digest)
            memory, start = max(memory, most), max(start, began)
    one, two, both = (statistics.median(rates[key]) for key in ((1, 1), (2, 1), (1, 2)))
    share = statistics.median(b / t for b, t in zip(rates[1, 2], rates[2, 1]))
    cells = [name, f"{one:.2f}", f"{two:.2f}", f"{both:.2f}", f"{two / one:.2f}", f"{both / one:.2f}", f"{share:.2f}",
             "same" if len(digests) == 1 else "DIFFER"]
    if isinstance(subject, Emulator):
        whole, _ = subject.whole()
        cells += [f"{whole / 1e6:.0f}", f"{memory / 1e6:.0f}", f"{start:.2f}"]
    print("| " + " | ".join(cells) + " |", flush=True)
    return len(digests) == 1 and (share >= TARGET or not options.judge)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1, help="times as much simulated time")
    parser.add_argument("--real-time", action="store_true")
    parser.add_argument("--judge", action="store_true", help=f"status 1 where the share is below {TARGET}")
    parser.add_argument("--only", default="")
    parser.add_argument("--anmlc", default=BUILD / "bin/anmlc")
    options = parser.parse_args()
    options.prefix = ["chrt", "-f", "10"] if options.real_time else []
    titles = ["workload", "1 thread", "2 threads", "2 ranks", "threads gain", "ranks gain", "ranks / threads", "digests",
              "MB of one process", "MB of a rank", "s until a rank is set up"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    good = True
    for name, model, defines, seconds in WORKLOADS:
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
            good &= measure(name, Emulator(model, defines, seconds, options, pathlib.Path(folder)), options)
    if options.only in "PHOLD 65536":
        good &= measure("PHOLD 65536", Phold(options), options)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
