"""What holds in any network, of a thousand that are made at random (random_networks.py): no packet and no byte comes from nowhere or gets lost unseen, of the whole, of
each link and of each workload; all figures are the same for any number of tasks and threads, with captures, and in either tier; and what waits is what comes times how
long it waits.

    python3 tests/differential/test_theory.py --count 1000 [--first 0] [--jobs 2]     as many as one likes
    python3 tests/differential/test_theory.py --seed 17 [--show]                      one of them again; its text

What fails is printed with its model, and how to run it again."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import struct
import sys
import tempfile
import traceback
import unittest

from emulators import ALL, ANMLC, SANITIZED, EmulatorTest, run
from network_laws import Laws, packets_of
from random_networks import RandomNetwork

SHARE = int(os.environ.get("ANML_NETWORKS", 4 if SANITIZED else 20))  # of the test, the first ones
SHORT = 3.5  # seconds of the runs that are compared with each other
OPTIMISED = 10  # every so many is compiled at -O2 too, where all is tried
# What the same run may say otherwise another time, or on more threads.
OF_THE_RUN = ("command", "started", "machine", "wall_seconds", "cpu_seconds", "threads", "tasks", "profile", "events")


def times(path):
    """When each packet of a capture began to be transmitted, ns."""
    data, at, found = path.read_bytes(), 24, []
    while at < len(data):
        seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
        found.append(seconds * 10**9 + nanoseconds)
        at += 16 + length
    return found


def same(one, other):
    """Where two results differ, as paths."""
    found = []

    def walk(a, b, path):
        if len(found) > 5:
            return
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            for key in a:
                walk(a[key], b[key], f"{path}.{key}")
        elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for i, pair in enumerate(zip(a, b)):
                walk(*pair, f"{path}[{i}]")
        elif a != b:
            found.append(f"{path[1:]}: {str(a)[:60]}, {str(b)[:60]}")

    walk(*({k: v for k, v in r.items() if k not in OF_THE_RUN} for r in (one, other)), "")
    return found


def check(seed):
    """What is wrong with the network of that seed, a list of sentences."""
    network = RandomNetwork(seed)
    wrong = []
    with tempfile.TemporaryDirectory(prefix="anml-theory-") as scratch:
        folder = pathlib.Path(scratch)
        model = folder / "model.anml"
        model.write_text(network.text)

        def build(name, *options):
            run(ANMLC, model, *options, "-o", folder / name)
            return folder / name

        def simulate(emulator, *options):
            run(emulator, "simulate", "--results", folder / "results.json", *options)
            return json.loads((folder / "results.json").read_text())

        whole, parts = build("whole", "-O0", "--tasks", "1"), build("parts", "-O0", "--tasks", "4")
        chosen = network.random.sample(network.directions, 4) + [link for link in network.balancer_links]
        results = simulate(whole, "--threads", 1, *(word for i, name in enumerate(chosen) for word in ("--capture", f"{name}={folder / f'{i}.pcap'}")))
        captures = {name: packets_of(folder / f"{i}.pcap") for i, name in enumerate(chosen)}
        wrong += Laws(network, results, captures).wrong
        # A part of it, with packets on their way at the end: in the silence behind it tasks would be busy with telling each other the time.
        short = ("--for", f"{SHORT} s")
        results = simulate(whole, "--threads", 1, *short)
        others = [(f"{threads} threads, {name}", lambda e=e, threads=threads: simulate(e, "--threads", threads, *short)) for name, e, threads in
                  (("1 task", whole, 4), ("4 tasks", parts, 1), ("4 tasks", parts, 2), ("4 tasks", parts, 4))]
        if ALL and seed % OPTIMISED == 0 and not SANITIZED:
            others.append(("-O2", lambda: simulate(build("fast", "-O2", "--tasks", "4"), "--threads", 2, *short)))
        for name, again in others:
            wrong += [f"otherwise with {name}: {what}" for what in same(results, again())]
    return wrong


QUEUES = ("droptail(1 MB)", "droptail(packets = 10000)", "queue.red(1 MB, minimum_threshold = 500 KB)", "queue.codel(1 MB, target = 1 s, interval = 10 s)", "queue.pie(1 MB, target = 9 s)",
          "queue.fq_codel(target = 1 s, interval = 10 s)", "queue.drr(1 MB)", "queue.sfq(packets = 10000)", "queue.priority(1 MB)", "queue.htb(1 MB, rate = 1 Mbps, ceil = 1 Mbps)")

LITTLE = """
import std.queue
import std.traffic
model Little {{
  host a[4]
  router r
  host b
  link near: a[*] -- r {{ rate = 1 Tbps }}
  link line: r -- b {{ rate = 1 Mbps, queue = {queue} }}
  workload w : traffic.OnOff on a[*] {{ to = b, payload = 97 B, interval = 1 ns, burst = 1 ns, pause = exponential(5 ms) }}
  at 20 s {{ w off }}
  run {{ duration = 30 s }}
}}
"""

TWICE = """
import std.traffic
model Twice {
  host a
  host b
  link a -- b { rate = 100 Mbps, delay = 5 ms, duplicate = 1 }
  workload ask : traffic.Requests on a { to = b, think = 50 ms, timeout = TIMEOUT }
  workload ping : traffic.Ping on a { to = b, interval = 50 ms, timeout = TIMEOUT }
  at 1 s { ask off, ping off }
  run { duration = 2 s }
}
"""


def report(seed, wrong):
    return "\n".join([f"seed {seed}:", *(f"  {sentence}" for sentence in wrong), f"  again: python3 tests/differential/test_theory.py --seed {seed}; its text with --show"])


def checked(seed):
    try:
        return seed, check(seed)
    except Exception:  # a model that is not compiled, an emulator that fails
        return seed, [traceback.format_exc(limit=2)]


class Theory(EmulatorTest):
    def test_little(self):
        """What waits on average, by the captures of the links before and behind the queue, is what comes in a second times the mean delay of results, less what is no wait."""
        for queue in QUEUES[:2] if SANITIZED else QUEUES:
            folder = self.fresh("captures")
            folder.mkdir()
            files = [word for i in range(4) for word in ("--capture", f"near[{i}]>={folder / f'{i}.pcap'}")]
            results = self.simulate(self.compile(LITTLE.format(queue=queue)), *files, "--capture", f"line>={folder / 'line.pcap'}")
            figures = results["workloads"][0]
            came = sorted(at + 1 for i in range(4) for at in times(folder / f"{i}.pcap"))  # 1 ns later: 125 B at 1 Tbps
            began = times(folder / "line.pcap")
            self.assertEqual((len(came), results["packets"]["dropped"]["queue"]), (len(began), 0), queue)
            self.assertEqual(figures["datagrams"]["received"], len(came), queue)
            waited = sum(began) - sum(came)  # packets times ns: the integral of how many wait
            self.assertAlmostEqual(waited / len(came), figures["delay_seconds"]["mean"] * 1e9 - 1 - 10**6, delta=1, msg=queue)  # 1 ms is their transmission
            self.assertGreater(waited / began[-1], 1, queue)  # 1.6 with M/D/1 at 0.8

    def test_what_comes_twice_is_no_late_reply(self):
        for timeout, which in (("1 s", "duplicates"), ("1 ms", "late")):
            for workload in self.simulate(self.compile(TWICE.replace("TIMEOUT", timeout)))["workloads"]:
                asked = workload["requests"]
                self.assertGreater(asked["sent"], 10)
                late = asked["sent"] if which == "late" else 0
                # Both requests of two are answered, each answer comes twice.
                self.assertEqual((asked["lost"], asked["received"], asked["late"], asked["duplicates"]), (late, asked["sent"] - late, late, 3 * asked["sent"]), (timeout, workload["name"]))

    def test_networks(self):
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            for seed, wrong in pool.map(checked, range(SHARE)):
                with self.subTest(seed):
                    self.assertFalse(wrong, report(seed, wrong) + "\n" + RandomNetwork(seed).text)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, help="so many networks")
    options.add_argument("--first", type=int, default=0, help="the seed of the first (0)")
    options.add_argument("--seed", type=int, help="this one alone")
    options.add_argument("--show", action="store_true", help="print its text, and run nothing")
    options.add_argument("--jobs", type=int, default=2, help="at a time (2)")
    given = options.parse_args()
    if given.show:
        return print(RandomNetwork(given.seed or 0).text)
    seeds = [given.seed] if given.seed is not None else range(given.first, given.first + given.count)
    bad = 0
    with concurrent.futures.ProcessPoolExecutor(given.jobs) as pool:
        for seed, wrong in pool.map(checked, seeds):
            if wrong:
                bad += 1
                print(report(seed, wrong), flush=True)
    print(f"{len(seeds)} networks, {bad} with something wrong")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main() if any(word.startswith(("--count", "--seed", "--first", "--help")) for word in sys.argv) else unittest.main()
