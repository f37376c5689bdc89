#!/usr/bin/env python3
"""What a second thread brings: one thread, two threads, and two independent processes of one thread, in turns.

Two threads cannot do better than two processes do on the same machine in the same minute, so both ratios are printed,
against one thread alone: medians over the rounds of millions of packet-hops (PHOLD: events) per second of wall time.
What a cache line takes from one processor to the other is measured beside them, by core_latency: the fewer events in a
lookahead, the more depends on it.

With --real-time (root) other programs on the machine don't take processors away. Linux then stalls what runs more than
0.95 s in a second: runs are shorter and apart, so take a --scale at which none takes longer than some 0.3 s.
"""
import argparse
import dataclasses
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


@dataclasses.dataclass
class Workload:
    name: str
    model: str
    defines: list
    seconds: float  # simulated
    target: float   # two threads against one


WORKLOADS = [
    Workload("web 8x8, 1 KB", "web_chain.anml", ["N=8", "H=8"], 10, 1.5),
    Workload("web 8x64, 64 KB", "web_chain.anml", ["N=8", "H=64", "document=65536 B"], 5, 1.6),
    Workload("CBR chain N=32", "udp_chain.anml", [], 5, 1.8),
    Workload("fat tree k=8", "fat_tree.anml", ["k=8"], 0.1, 1.8),
    Workload("fat tree k=32", "fat_tree.anml", ["k=32"], 0.01, 1.8),
]
PREFIX = []  # of each program that is measured


def start(command):
    return subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def measured(command, together):
    if PREFIX and not together:
        time.sleep(0.25)
    return start([*PREFIX, *command])


def finish(process):
    out, error = process.communicate()
    if process.returncode != 0:
        sys.exit(f"{' '.join(process.args)} exited with {process.returncode}\n{out}{error}")
    return out


class Emulator:
    def __init__(self, workload, arguments, folder):
        self.program, self.folder, self.seconds = folder / "emulator", folder, workload.seconds * arguments.scale
        finish(start([arguments.anmlc, HERE / "models" / workload.model, *(f"-D{d}" for d in workload.defines), "-o",
                      self.program]))

    def start(self, threads, number=0, together=False):
        results = self.folder / f"{number}.json"
        return results, measured([self.program, "simulate", "--threads", threads, "--for", f"{self.seconds}s",
                                  "--results", results], together)

    def rate(self, started):
        finish(started[1])
        results = json.loads(started[0].read_text())
        return results["packet_hops"] / results["wall_seconds"] / 1e6


class Phold:
    def __init__(self, arguments):
        self.program, self.milliseconds = arguments.phold, int(100 * arguments.scale)

    def start(self, threads, number=0, together=False):
        return measured([self.program, 65536, threads, threads, self.milliseconds], together)

    def rate(self, started):
        return float(re.search(r"([\d.]+) M events/s", finish(started))[1])


def measure(name, target, subject, runs):
    one, two, pair, latencies = [], [], [], []
    for _ in range(runs):
        latencies.append(float(finish(measured([BUILD / "bin/core_latency"], False)).split()[0]))
        one.append(subject.rate(subject.start(1)))
        two.append(subject.rate(subject.start(2)))
        both = [subject.start(1, number, together=number > 0) for number in range(2)]
        pair.append(sum(subject.rate(started) for started in both))
    threads = statistics.median(b / a for a, b in zip(one, two))
    processes = statistics.median(b / a for a, b in zip(one, pair))
    return [name, *(f"{statistics.median(rates):.2f}" for rates in (one, two, pair)), f"{threads:.2f}",
            f"{processes:.2f}", f"{threads / processes:.2f}", f"{target}", f"{statistics.median(latencies):.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1, help="times as much simulated time")
    parser.add_argument("--real-time", action="store_true", help="at real-time priority: for a machine with other load")
    parser.add_argument("--only", default="", help="workloads whose name contains this")
    parser.add_argument("--anmlc", default=os.environ.get("ANMLC", BUILD / "bin/anmlc"))
    parser.add_argument("--phold", default=os.environ.get("PHOLD", BUILD / "bin/phold"))
    arguments = parser.parse_args()
    if arguments.real_time:
        PREFIX.extend(["chrt", "-f", "10"])
    titles = ["workload", "1 thread", "2 threads", "2 processes", "threads gain", "processes gain", "share", "target",
              "ns between processors"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    for workload in WORKLOADS:
        if arguments.only not in workload.name:
            continue
        with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
            emulator = Emulator(workload, arguments, pathlib.Path(folder))
            print("| " + " | ".join(measure(workload.name, workload.target, emulator, arguments.runs)) + " |", flush=True)
    if arguments.only in "PHOLD 65536":
        print("| " + " | ".join(measure("PHOLD 65536", 1.7, Phold(arguments), arguments.runs)) + " |", flush=True)


if __name__ == "__main__":
    main()
