"""The model of the kernel in docs/scale.md held against runs: what it takes of a workload, and what two threads and two
ranks gain, in turns. At real-time priority, so that other programs on the machine don't take processors away."""
import argparse
import itertools
import json
import pathlib
import re
import statistics
import sys
import tempfile

import ranks

REAL_TIME = ["chrt", "-f", "10"]
# Name, model, defines, simulated seconds.
WORKLOADS = [("web 8x8", "web_chain.anml", ["N=8", "H=8"], 3),
             ("web 8x64", "web_chain.anml", ["N=8", "H=64", "document=65536 B"], 2),
             ("datagrams 32x8", "udp_chain.anml", [], 5),
             *ranks.WORKLOADS]
PHOLD = "PHOLD 65536"
WAYS = {"one": (1, 1), "threads": (2, 1), "ranks": (1, 2)}


def least_cut(profile):
    """Messages between two halves of the tasks: the fewest, of all halves that differ by at most a fifth of the events or,
    if none does, of those that differ least."""
    events = [t["events"] for t in profile["tasks"]]
    halves = []
    for n in range(1, len(events) // 2 + 1):
        for half in itertools.combinations(range(len(events)), n):
            apart = abs(2 * sum(events[t] for t in half) - sum(events)) / sum(events)
            crossing = sum(c["messages"] for c in profile["channels"] if (c["from"] in half) != (c["to"] in half))
            halves.append((max(apart, 0.2), crossing))
    return min(halves)[1] if halves else 0


def from_emulator(subject):
    results = subject.simulate(1, 1, "--profile")
    profile, alone = results["profile"], [subject.simulate(1, 1) for _ in range(3)]
    return {"tasks": results["tasks"], "events": results["events"], "rounds": sum(t["rounds"] for t in profile["tasks"]),
            "cut": least_cut(profile), "estimate": next(s["factor"] for s in profile["speed_ups"] if s["processors"] == 2),
            "event_seconds": statistics.median(r["cpu_seconds"] for r in alone) / results["events"]}


def from_phold(subject):
    """Two tasks: all messages cross."""
    out = subject.simulate(2, 1, 1, "profile")
    events = int(re.search(r"(\d+) events", out)[1])
    rounds, cut, estimate = re.search(r"(\d+) rounds, (\d+) messages, ([\d.]+) times", out).groups()
    return {"tasks": 2, "events": events, "rounds": int(rounds), "cut": int(cut), "estimate": float(estimate),
            "event_seconds": 1e-6 / statistics.median(subject.run(1, 1)[0] for _ in range(3))}


def latency(*start):
    """Seconds, one way: of a cache line, or of a short message between the ranks that mpirun starts."""
    words = ["mpi"] if start else []
    return float(ranks.finish([*start, *REAL_TIME, ranks.BUILD / "bin/core_latency", *words]).split()[0]) * 1e-9


def measured(name, subject, options):
    """A virtual machine is moved between processors, so that what they take to reach each other is asked in each turn."""
    point = {"name": name, **(from_phold if isinstance(subject, ranks.Phold) else from_emulator)(subject)}
    turns, digests = {way: [] for way in (*WAYS, "cache_line", "message")}, set()
    for _ in range(options.runs):
        turns["cache_line"].append(latency())
        turns["message"].append(latency("mpirun", "-np", 2))
        for way, (threads, processes) in WAYS.items():
            rate, digest, *_ = subject.run(threads, processes)
            turns[way].append(rate)
            digests.add(digest)
    if len(digests) != 1:
        sys.exit(f"{name}: {len(digests)} digests")
    for way in ("threads", "ranks"):
        point[way] = statistics.median(b / a for a, b in zip(turns["one"], turns[way]))
    for way in ("cache_line", "message"):
        point[way] = statistics.median(turns[way])
    print(json.dumps(point), file=sys.stderr, flush=True)
    return point


def measure(anmlc, runs):
    options = argparse.Namespace(anmlc=anmlc, runs=max(3, runs), scale=1, prefix=REAL_TIME)
    points = []
    for workload in WORKLOADS:
        with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
            subject = ranks.Emulator(*workload[1:], options, pathlib.Path(folder))
            points.append(measured(workload[0], subject, options))
    return [*points, measured(PHOLD, ranks.Phold(options), options)]
