#!/usr/bin/env python3
"""What sharing beginnings saves: a sweep over a change at two thirds of the run of the paper's WAN, with and without it.

    tests/bench/whatifs.py [--points N] [--duration SECONDS] [--jobs N]

Both sweeps are `anmlc experiment`, the second with --no-sharing; processor time is that of the command and all of its
children, compiling, results and reports included. All digests have to be the same. The paper's runs take 120 s of simulated
time; by default these take a tenth of it, so that 1000 runs of their own take minutes, and the change comes as late as
there: at two thirds. The longer the runs, the less their start and their end count, which nothing can share.
Exit status 1: a digest differs, or sharing takes more than 45 % of the processor time.
"""
import argparse
import csv
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST = 0.45  # of the processor time


def model(points, duration):
    # 1 Mbps to 1 Gbps in equal factors: from a queue that overflows to one that stays empty.
    rates = ", ".join(f"{round(10 ** (3 + 3 * i / max(1, points - 1)), 3)} Kbps" for i in range(points))
    return (ROOT / "examples/paper-wan/wan.anml").read_text() + f"""
model Changed(tunable later: rate in 100 Kbps .. 10 Gbps = 1 Gbps) : Wan {{
  override run {{ duration = {duration} s, warmup = {duration / 24} s }}
  at {duration * 2 / 3} s {{ entry {{ rate = later }} }}
}}

experiment whatif : Changed {{
  run {{ repetitions = 1 }}
  vary later in [{rates}]
  measure p95(browse)
}}
"""


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sweep(anmlc, file, folder, *options):
    """Processor time, wall time, and digests by level."""
    before, began = processor_time(), time.monotonic()
    subprocess.run([anmlc, "experiment", file, "-o", folder, "--quiet", *options], check=True, stdout=subprocess.DEVNULL)
    took = processor_time() - before, time.monotonic() - began
    with open(folder / "runs.csv") as rows:
        return *took, {row["later"]: row["digest"] for row in csv.DictReader(rows)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--duration", type=float, default=12, help="of each run, simulated seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    anmlc = os.environ.get("ANMLC", str(ROOT / "build/release/bin/anmlc"))
    with tempfile.TemporaryDirectory(prefix="anml-whatifs-") as scratch:
        file = pathlib.Path(scratch) / "wan.anml"
        file.write_text(model(given.points, given.duration))
        jobs = ("--jobs", str(given.jobs))
        shared = sweep(anmlc, file, pathlib.Path(scratch) / "shared", *jobs)
        own = sweep(anmlc, file, pathlib.Path(scratch) / "own", "--no-sharing", *jobs)
    same = sum(own[2][level] == digest for level, digest in shared[2].items())
    different = len(set(own[2].values()))
    share = shared[0] / own[0]
    print(f"{given.points} points of {given.duration:g} s, {given.jobs} jobs: {own[0]:.1f} s of processor time in {own[1]:.1f} s by themselves,")
    print(f"{shared[0]:.1f} s in {shared[1]:.1f} s where they share: {100 * share:.1f} %; {same} of {len(own[2])} digests the same, {different} different ones")
    return 0 if same == len(own[2]) == given.points and share <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
