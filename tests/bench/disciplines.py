#!/usr/bin/env python3
"""What a packet costs at a link whose discipline keeps a queue for each of many flows.

Hosts send datagrams of 1000 B, half as much again as a link of 1 Gbps carries, so that all of them wait for it. Printed
is processor time per packet that is transmitted there, everything included; drop-tail is what the rest of it takes. One
task on one thread, the median of runs. With several --anmlc they run in turns, and their digests must agree.

    python3 tests/bench/disciplines.py [--anmlc BEFORE --anmlc AFTER] [--runs 3] [--flows 10,1000,10000] [--only TEXT]
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE, LENGTH = 1e9, 1000  # bit/s, bytes
MODEL = """
import std.queue
import std.traffic
model Many {{
  host a[{flows}]
  router r
  host b
  link a[*] -- r {{ rate = 1 Gbps, delay = 1 ms }}
  link line: r -- b {{ rate = 1 Gbps, queue = {queue} }}
  workload w : traffic.Cbr on a[*] {{ to = b, payload = 972 B, interval = {interval} us }}
  run {{ duration = {seconds} s }}
}}
"""
# Of so many flows. Shares of a hundredth and half of an even one: most borrow, or most wait for tokens.
DISCIPLINES = {
    "droptail": lambda flows: f"droptail({2 * flows} KB)",
    "htb, by = flow, all borrow": lambda flows: f"queue.htb(4 KB, rate = {10e6 / flows:.0f} bps, ceil = 1 Gbps, by = flow)",
    "htb, by = flow, all wait": lambda flows: f"queue.htb(4 KB, rate = {500e6 / flows:.0f} bps, by = flow)",
    "drr": lambda flows: f"queue.drr({3 * flows // 2} KB, flows = 65536)",
    "sfq, perturbation = 100 ms": lambda flows: f"queue.sfq({min(65535, 3 * flows // 2)}, flows = 65536, perturbation = 100 ms)",
    "fq_codel": lambda flows: f"queue.fq_codel(packets = {min(65535, 3 * flows // 2)})",
}


def measure(emulator, folder):
    results = folder / "results.json"
    subprocess.run([emulator, "simulate", "--threads", "1", "--results", results], check=True, capture_output=True)
    got = json.loads(results.read_text())
    [packets] = [link["packets"] for link in got["busiest_links"] if link["name"] == "line>"]
    return got["cpu_seconds"] / packets * 1e9, got["digest"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--anmlc", action="append")
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--flows", default="10,1000,10000")
    options.add_argument("--seconds", type=float, default=1)
    options.add_argument("--only", default="")
    options = options.parse_args()
    compilers = options.anmlc or [ROOT / "build/release/bin/anmlc"]
    counts = [int(word) for word in options.flows.split(",")]
    same = True
    print("| ns per packet | " + " | ".join(f"{count} flows" for count in counts) + " |\n|" + " --- |" * (1 + len(counts)), flush=True)
    for name, queue in DISCIPLINES.items():
        if options.only not in name:
            continue
        found = []
        for flows in counts:
            interval = flows * LENGTH * 8 / (1.5 * RATE) * 1e6
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                model = folder / "model.anml"
                model.write_text(MODEL.format(flows=flows, queue=queue(flows), interval=f"{interval:.3f}", seconds=options.seconds))
                emulators = [folder / f"emulator{i}" for i in range(len(compilers))]
                for anmlc, emulator in zip(compilers, emulators):
                    subprocess.run([anmlc, model, "-O2", "--tasks", "1", "-o", emulator], check=True, capture_output=True)
                runs = [[measure(emulator, folder) for emulator in emulators] for _ in range(options.runs)]
                same &= len({digest for run in runs for _, digest in run}) == 1
                found.append([statistics.median(run[i][0] for run in runs) for i in range(len(compilers))])
        print(f"| {name} | " + " | ".join(" : ".join(f"{ns:.0f}" for ns in times) for times in found) + " |", flush=True)
    if not same:
        print("The digests differ.", file=sys.stderr)
    sys.exit(not same)


if __name__ == "__main__":
    main()
