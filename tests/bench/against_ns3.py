#!/usr/bin/env python3
"""The same work done by an emulator and by ns-3: agreement of what was carried, and the ratio of packet-hops per second.

Each scenario is a model in models/ and a mode of ns3/peers.cc with the same topology, queues and TCP settings. First the
transactions, datagrams or bytes delivered in the same simulated time are compared over several seeds; more than 5 %
apart is no comparison, and an error. In the fat tree 8 % are allowed: behind its 30 ms a sixth of what has arrived lies
behind gaps, and how much depends on how losses are recovered. Where a queue overflows, so are the share of packets that it refuses and the mean
time that a probe waits in it; there 10 % are allowed. Then both are timed in turns, on one thread each, in processor
time, without start-up; medians and their ratio are printed.

ns-3 takes minutes for these seeds and is the same each time: --recorded takes what it carried from ns3/recorded.json,
which --record writes, and runs ns-3 for the first seed of each scenario only, to see that the record still tells it.
"""
import argparse
import dataclasses
import hashlib
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
QUEUE_TOLERANCE = 0.1


@dataclasses.dataclass
class Figure:
    """What both have to agree on besides what was carried."""
    name: str
    ours: callable    # from the results
    theirs: callable  # from the peer's line
    unit: str
    scale: float = 1


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
    figures: tuple = ()
    tolerance: float = TOLERANCE
    long: bool = False  # half a minute of ns-3 for a seed: a record of it is believed


def transactions(results):
    return results["transactions"]["completed"]


def datagrams(results):
    return results["workloads"][0]["datagrams"]["received"]


def delivered(results):
    return results["workloads"][0]["delivered_bytes"]


def line_loss(results):
    line = next(link for link in results["busiest_links"] if link["name"] == "line>")
    return line["dropped"] / (line["dropped"] + line["packets"])


# A probe's way through the dumbbell when the queue is empty, seconds: propagation, and 62 bytes on three links.
EMPTY = 0.0001 + 0.01 + 0.0001 + 62 * 8 * (1 / 100e6 + 1 / 10e6 + 1 / 100e6)
QUEUE = (
    Figure("loss", line_loss, lambda line: line["loss"], "%", 100),
    Figure("mean wait", lambda results: results["workloads"][1]["delay_seconds"]["mean"] - EMPTY,
           lambda line: line["delay_s"] - EMPTY, "ms", 1000),
)

SCENARIOS = [
    Scenario("web 8x8, 1 KB", "web_chain.anml", ["N=8", "H=8"],
             ["--mode=chain-tcp", "--N=8", "--H=8", "--resp=1024", "--msl=1"],
             0.2, 30, transactions, "transactions", "transactions"),
    Scenario("web 8x64, 64 KB", "web_chain.anml", ["N=8", "H=64", "document=65536 B"],
             ["--mode=chain-tcp", "--N=8", "--H=64", "--resp=65536", "--msl=1"],
             1, 20, transactions, "transactions", "transactions"),
    Scenario("datagrams 32x8, half load", "udp_chain.anml", ["N=32", "H=8"],
             ["--mode=chain-udp", "--N=32", "--H=8", "--load=0.5"],
             0.2, 5, datagrams, "received", "datagrams"),
    Scenario("fat tree k=8, permutation", "fat_tree.anml", ["k=8"],
             ["--mode=fattree", "--k=8"],
             0.03, 0.3, delivered, "bytes", "bytes", 8, tolerance=0.08, long=True),
    Scenario("dumbbell, two flows, queue of 20", "dumbbell.anml", ["N=2", "Q=20"],
             ["--mode=dumbbell", "--N=2", "--q=20", "--cc=FlightReno"],
             60, 600, delivered, "bytes", "bytes", 2, QUEUE),
    Scenario("dumbbell, eight flows, queue of 60", "dumbbell.anml", ["N=8", "Q=60"],
             ["--mode=dumbbell", "--N=8", "--q=60", "--cc=FlightReno"],
             60, 600, delivered, "bytes", "bytes", 2, QUEUE),
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


class Peer:
    """What ns-3 counts in a scenario, by seed: run, or recorded."""

    def __init__(self, arguments):
        self.program = arguments.peers
        self.file = HERE / "ns3/recorded.json"
        self.believed = arguments.recorded
        self.source = hashlib.sha256((HERE / "ns3/peers.cc").read_bytes()).hexdigest()
        self.record = {"peers.cc": self.source, "scenarios": {}}
        if self.believed:
            self.record = json.loads(self.file.read_text())
            if self.record["peers.cc"] != self.source:
                sys.exit(f"{self.file} was recorded with another peers.cc: record it anew, with --record")

    def counts(self, scenario, seeds):
        used = [scenario.theirs] + ["loss", "delay_s"] * bool(scenario.figures)
        count = lambda seed: {name: line[name] for line in [peer(self.program, scenario, seed, "--count=1")] for name in used}
        what = " ".join([*scenario.peer, f"--T={scenario.seconds}"])
        if not self.believed:
            self.record["scenarios"][what] = [count(seed) for seed in seeds]
            return self.record["scenarios"][what]
        recorded = self.record["scenarios"].get(what, [])
        if len(recorded) < len(seeds):
            sys.exit(f"{self.file} has {len(recorded)} of {len(seeds)} seeds of {what}: record it anew, with --record")
        if not scenario.long and count(seeds[0]) != recorded[0]:
            sys.exit(f"ns-3 counts {count(seeds[0])}, and {recorded[0]} is recorded, of {what}: record it anew, with --record")
        return recorded[:len(seeds)]

    def write(self):
        self.file.write_text(json.dumps(self.record, indent=1) + "\n")


def compare(scenario, arguments, their, folder):
    """A row of the table; exits if the two did not do the same work."""
    emulator = folder / "emulator"
    run(arguments.anmlc, HERE / "models" / scenario.model, arguments.tier, *(f"-D{d}" for d in scenario.defines),
        "-o", emulator)
    seeds = range(1, arguments.seeds * scenario.variance + 1)
    emulated = [emulate(emulator, folder, scenario.seconds, s) for s in seeds]
    ours = statistics.mean(map(scenario.ours, emulated))
    counted = their.counts(scenario, seeds)
    theirs = statistics.mean(line[scenario.theirs] for line in counted)
    difference = ours / theirs - 1
    row = [scenario.name, f"{ours:.0f}", f"{theirs:.0f} {scenario.unit}", f"{difference:+.1%}"]
    if abs(difference) > scenario.tolerance:
        sys.exit(f"not the same work: {' | '.join(row)}")
    for figure in scenario.figures:
        ours = statistics.mean(map(figure.ours, emulated)) * figure.scale
        theirs = statistics.mean(map(figure.theirs, counted)) * figure.scale
        difference = ours / theirs - 1
        print(f"| {scenario.name}: {figure.name} | {ours:.3f} | {theirs:.3f} {figure.unit} | {difference:+.1%} |", flush=True)
        if abs(difference) > QUEUE_TOLERANCE:
            sys.exit(f"{scenario.name}: {figure.name} differs by {difference:+.1%}")
    if arguments.runs == 0:
        return row
    hops = peer(arguments.peers, scenario, 1, "--count=1")["hops"]
    our_rates, their_rates, ratios = [], [], []
    for _ in range(arguments.runs):
        results = emulate(emulator, folder, scenario.timed, 1)
        our_rates.append(results["packet_hops"] / results["cpu_seconds"] / 1e6)
        their_rates.append(hops / peer(arguments.peers, scenario, 1)["cpu_s"] / 1e6)
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
    record = parser.add_mutually_exclusive_group()
    record.add_argument("--recorded", action="store_true", help="take from ns3/recorded.json what ns-3 carried")
    record.add_argument("--record", action="store_true", help="write it anew")
    arguments = parser.parse_args()
    if arguments.record and arguments.only:
        parser.error("--record: of all scenarios, without --only")
    their = Peer(arguments)
    titles = ["scenario", "ours", "ns-3", "apart"]
    if arguments.runs:
        titles += ["M hops/s", "ns-3 M hops/s", "ratio"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    for scenario in SCENARIOS:
        if arguments.only in scenario.name:
            with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
                print("| " + " | ".join(compare(scenario, arguments, their, pathlib.Path(folder))) + " |", flush=True)
    if arguments.record:
        their.write()


if __name__ == "__main__":
    main()
