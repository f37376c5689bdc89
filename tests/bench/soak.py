#!/usr/bin/env python3
"""A day of simulated time, and half an hour live, on demand: memory stays flat, the run's clock goes with the wall's, the run keeps up.

    tests/bench/soak.py [--anmlc build/release/bin/anmlc] [--day 24h] [--live 30min] [--clients H]

Prints the resident memory over the run, and for the live part the verdict, the slip, and by how much the run's clock and the wall's
differ at the end. `--live 0` leaves that part out. The live part has an nginx in a sandbox; `--clients` per network makes its load.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from netlab import ROOT, Lab  # noqa: E402


def resident(pid):
    """MB; nothing once it has ended."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = re.search(r"VmRSS:\s+(\d+)", text)
    return int(found.group(1)) / 1024 if found else None


def watch(command, folder, last=()):
    """The results of a run, its most memory in each tenth of it, and its wall time."""
    results = folder / "results.json"
    process = subprocess.Popen([*map(str, command), "--results", str(results), *last], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    begin, memory = time.monotonic(), []
    while process.poll() is None:
        if (now := resident(process.pid)) is not None:
            memory.append(now)
        time.sleep(0.2)
    took = time.monotonic() - begin
    output = process.stdout.read()
    if process.returncode not in (0, 98):
        sys.exit(output)
    tenths = [max(memory[i * len(memory) // 10:max((i + 1) * len(memory) // 10, i * len(memory) // 10 + 1)]) for i in range(10)]
    return json.loads(results.read_text()), tenths, took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--anmlc", default=str(ROOT / "build/release/bin/anmlc"))
    parser.add_argument("--day", default="24h")
    parser.add_argument("--live", default="30min")
    parser.add_argument("--clients", default="8")
    arguments = parser.parse_args()
    wan = ROOT / "examples/paper-wan/wan.anml"
    with Lab() as lab:
        emulator = lab.folder / "emu"
        subprocess.run([arguments.anmlc, wan, "-D", "N=4", "-D", "H=1", "-o", emulator], check=True)
        results, tenths, took = watch([emulator, "simulate", "--for", arguments.day], lab.folder)
        done = results["transactions"]
        print(f"simulated {results['simulated_seconds']:.0f} s in {took:.0f} s: {done['completed']} transactions, {done['failed']} failed, "
              f"{results['packet_hops']} packet-hops, digest {results['digest']}")
        print("resident MB, by tenths of the run:", " ".join(f"{each:.1f}" for each in tenths))
        if arguments.live == "0":
            return
        subprocess.run([arguments.anmlc, wan, "-D", f"H={arguments.clients}", "-o", emulator], check=True)
        before = time.time() - time.monotonic()
        results, tenths, took = watch([emulator, "live", "--for", arguments.live], lab.folder,
                                      ["--sandbox", "--", *lab.nginx({"/1024": 1024}), "-g", "daemon off;"])
        drift = time.time() - time.monotonic() - before
        edge = results["live"]
        print(f"live {results['simulated_seconds']:.1f} s of the run's clock in {took:.1f} s of the wall's (start and end included; the system's "
              f"clock was corrected by {drift * 1e3:.3f} ms): {results['transactions']['completed']} transactions, "
              f"{results['transactions']['failed']} failed, {results['verdict']}")
        print(f"slip median {edge['slip_seconds']['median'] * 1e6:.1f} us, p99 {edge['slip_seconds']['p99'] * 1e6:.1f} us, p99.9 "
              f"{edge['slip_seconds']['p999'] * 1e6:.1f} us; {edge['late']} of {edge['released']} late; busy {edge['busy']:.2f}")
        print("resident MB, by tenths of the run:", " ".join(f"{each:.1f}" for each in tenths))


if __name__ == "__main__":
    main()
