#!/usr/bin/env python3
"""The same work done by an emulator and by ns-3: agreement of what was carried, and the ratio of packet-hops per second.

Each scenario is a model in models/ and a mode of ns3/peers.cc with the same topology, queues and TCP settings. First the
transactions, datagrams or bytes delivered in the same simulated time are compared over several seeds; more than 5 %
apart is no comparison, and an error. Then both are timed in turns, on one thread each, in processor time, without
start-up; medians and their ratio are printed.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build/release"
TOLERANCE = 0.05


@dataclasses.dataclass
class Scenario:
    name: str
    model: str
    defines: list
    peer: list
    seconds: float  # simulated, of the comparison
    timed: float    # simulated, of the emulator's timed runs
    ours: callable  # what was carried, from the results
    theirs: str     # the same in the peer's line
    unit: str
    variance: int = 1  # times as many seeds as usual, where what is carried depends on which flows meet


def transactions(results):
    return results["transactions"]["completed"]


def datagrams(results):
    return results["workloads"][0]["datagrams"]["received"]


def delivered(results):
    return results["workloads"][0]["delivered_bytes"]


SCENARIOS = [
    Scenario("web 8x8, 1 KB", "web_chain.anml", ["N=8", "H=8"],
             ["--mode=chain-tcp", "--N=8", "--H=8", "--resp=1024", "--msl=1"],
             1, 30, transactions, "transactions", "transactions"),
    Scenario("web 8x64, 64 KB", "web_chain.anml", ["N=8", "H=64", "document=65536 B"],
             ["--mode=chain-tcp", "--N=8", "--H=64", "--resp=65536", "--msl=1"],
             2, 20, transactions, "transactions", "transactions"),
    Scenario("datagrams 32x8, half load", "udp_chain.anml", ["N=32", "H=8"],
             ["--mode=chain-udp", "--N=32", "--H=8", "--load=0.5"],
             1, 5, datagrams, "received", "datagrams"),
    Scenario("fat tree k=8, permutation", "fat_tree.anml", ["k=8"],
             ["--mode=fattree", "--k=8"],
             0.03, 0.3, delivered, "bytes", "bytes", 8),
]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def emulate(emulator, folder, seconds, seed):
    results = folder / "results.json"
    run(emulator, "simulate", "--threads", 1, "--for", f"{seconds}s", "--seed", seed, "--results", results)
    return json.loads(results.read_text())


def peer(program, scenario, seed, *options):
    return json.loads(run(program, *scenario.peer, f"--T={scenario.seconds}", f"--seed={seed}", *options))


def compare(scenario, arguments, folder):
    """A row of the table; exits if the two did not do the same work."""
    emulator = folder / "emulator"
    run(arguments.anmlc, HERE / "models" / scenario.model, arguments.tier, *(f"-D{d}" for d in scenario.defines),
        "-o", emulator)
    seeds = range(1, arguments.seeds * scenario.variance + 1)
    ours = statistics.mean(scenario.ours(emulate(emulator, folder, scenario.seconds, s)) for s in seeds)
    counted = [peer(arguments.peers, scenario, s, "--count=1") for s in seeds]
    theirs = statistics.mean(line[scenario.theirs] for line in counted)
    difference = ours / theirs - 1
    row = [scenario.name, f"{ours:.0f}", f"{theirs:.0f} {scenario.unit}", f"{difference:+.1%}"]
    if abs(difference) > TOLERANCE:
        sys.exit(f"not the same work: {' | '.join(row)}")
    if arguments.runs == 0:
        return row
    our_rates, their_rates, ratios = [], [], []
    for _ in range(arguments.runs):
        results = emulate(emulator, folder, scenario.timed, 1)
        our_rates.append(results["packet_hops"] / results["cpu_seconds"] / 1e6)
        their_rates.append(counted[0]["hops"] / peer(arguments.peers, scenario, 1)["cpu_s"] / 1e6)
        ratios.append(our_rates[-1] / their_rates[-1])
    return row + [f"{statistics.median(our_rates):.2f}", f"{statistics.median(their_rates):.3f}",
                  f"{statistics.median(ratios):.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each; 0: only compare what was carried")
    parser.add_argument("--seeds", type=int, default=3, help="runs whose mean is compared")
    parser.add_argument("--only", default="", help="scenarios whose name contains this")
    parser.add_argument("--tier", default="-O2", choices=["-O0", "-O2"])
    parser.add_argument("--anmlc", default=os.environ.get("ANMLC", BUILD / "bin/anmlc"))
    parser.add_argument("--peers", default=os.environ.get("NS3_PEERS", BUILD / "bin/ns3_peers"),
                        help="the program of ns3/peers.cc")
    arguments = parser.parse_args()
    titles = ["scenario", "ours", "ns-3", "apart"]
    if arguments.runs:
        titles += ["M hops/s", "ns-3 M hops/s", "ratio"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    for scenario in SCENARIOS:
        if arguments.only in scenario.name:
            with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
                print("| " + " | ".join(compare(scenario, arguments, pathlib.Path(folder))) + " |", flush=True)


if __name__ == "__main__":
    main()
