#!/usr/bin/env python3
"""The table of docs/benchmarks.md of what one more of something takes in a running emulator, in bytes.

  memory.py [--anmlc ANMLC]

Compiles models/memory.anml (-O0) in two sizes and divides the difference of the peaks of resident memory by the
difference of the numbers. Peaks repeat to a few bytes per unit; the clock is not looked at.
"""
import argparse
import pathlib
import subprocess
import tempfile

from scale_units import HERE, run

# What one more is, the model's parameters as a function of the number, and the numbers.
HOSTS = 200_000
ROWS = [
    ("host with its link, idle", lambda n: {"hosts": n}, (10_000, 910_000)),
    ("host with its link that sends a datagram a second",
     lambda n: {"hosts": HOSTS, "senders": n, "interval": "1 s"}, (20_000, 200_000)),
    ("TCP connection that is open and idle, both ends, with its client and their link",
     lambda n: {"hosts": HOSTS, "clients": n}, (20_000, 200_000)),
    ("packet on its way", lambda n: {"hosts": HOSTS, "senders": 1000, "delay": "1 s", "interval": f"{10**9 // n} us"},
     (100_000, 900_000)),
]


def peak(anmlc, parameters, folder):
    emulator = folder / "emulator"
    words = [word for name, value in parameters.items() for word in ("-D", f"{name}={value}")]
    subprocess.run([anmlc, HERE / "models/memory.anml", *words, "-O0", "--tasks", "1", "-o", emulator], check=True,
                   capture_output=True)  # it warns of a server without clients
    _, _, memory = run(emulator, "simulate", "--for", "1.9s", "--threads", 1, "--results", folder / "results.json")
    return memory


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--anmlc", default=HERE.parents[1] / "build/release/bin/anmlc")
    options = options.parse_args()
    print("| one more | bytes |\n| --- | --- |")
    for name, parameters, sizes in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            less, more = (peak(options.anmlc, parameters(n), pathlib.Path(folder)) for n in sizes)
        print(f"| {name} | {(more - less) / (sizes[1] - sizes[0]):.0f} |", flush=True)


if __name__ == "__main__":
    main()
