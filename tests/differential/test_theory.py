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

from emulators import ANMLC, SANITIZED, EmulatorTest, run
from random_networks import RandomNetwork

SHARE = int(os.environ.get("ANML_NETWORKS", 4 if SANITIZED else 20))  # of the test, the first ones
SHORT = 3.5  # seconds of the runs that are compared with each other
OPTIMISED = 10  # every so many is compiled at -O2 too
# What the same run may say otherwise another time, or on more threads.
OF_THE_RUN = ("command", "started", "machine", "wall_seconds", "cpu_seconds", "threads", "tasks", "profile", "events")


def captured(path):
    """Packets and bytes of IP in a capture of a link, as their headers say."""
    data = path.read_bytes()
    magic, _, _, _, _, _, kind = struct.unpack_from("<IHHiIII", data)
    assert magic == 0xA1B23C4D, hex(magic)
    skip = {1: 14, 101: 0}[kind]
    packets = total = 0
    at = 24
    while at < len(data):
        _, _, length, _ = struct.unpack_from("<IIII", data, at)
        at += 16
        version = data[at + skip] >> 4
        size = struct.unpack_from(">H", data, at + skip + 2)[0] if version == 4 else 40 + struct.unpack_from(">H", data, at + skip + 4)[0]
        packets += 1
        total += size
        at += length
    return packets, total


def times(path):
    """When each packet of a capture began to be transmitted, ns."""
    data, at, found = path.read_bytes(), 24, []
    while at < len(data):
        seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
        found.append(seconds * 10**9 + nanoseconds)
        at += 16 + length
    return found


class Laws:
    """Checks of a run's results; `wrong` says what does not hold."""

    def __init__(self, network, results, captures):
        self.network, self.results, self.captures = network, results, captures
        self.wrong = []
        self.packets()
        self.links()
        for workload in results["workloads"]:
            self.workload(workload)
        self.web()
        self.middleboxes()

    def equal(self, one, other, what):
        if one != other:
            self.wrong.append(f"{what}: {one}, and not {other}")

    def most(self, one, other, what):
        if one > other:
            self.wrong.append(f"{what}: {one}, more than {other}")

    def under_way(self):
        """How many connections may still send something again, ever more rarely: those whose peer is gone, or behind a NAT that has forgotten them."""
        return self.results["transactions"]["in_progress"] + sum(w["transfers"]["in_progress"] for w in self.results["workloads"] if "transfers" in w)

    def packets(self):
        """All that was sent has been delivered or dropped, copies of links and pieces of what was cut included."""
        p = self.results["packets"]
        copies = sum(link["duplicated"] for link in self.results["impaired_links"])
        entered = p["sent"] + copies + p["fragments"] - p["fragmented"]
        left = p["delivered"] + sum(p["dropped"].values())
        self.copies, self.left_over = copies, entered - left
        self.most(left, entered, "packets that ended")
        self.most(entered - left, self.under_way(), "packets that are under way in the end")
        self.equal(p["lost"], sum(p["dropped"].values()), "lost packets")

    def links(self):
        r = self.results
        links = {link["name"]: link for link in r["busiest_links"]}
        self.equal(sum(link["packets"] for link in links.values()), r["packet_hops"], "packets of all links")
        self.equal(sum(link["dropped"] for link in links.values()), r["packets"]["dropped"]["queue"], "packets that queues of links dropped")
        self.equal(sum(link["lost"] for link in r["impaired_links"]), r["packets"]["dropped"]["lost"], "packets that links lost")
        failed = {link["name"]: link["lost"] for link in r["timeline"]["downtime"]}
        self.equal(sum(failed.values()), r["packets"]["dropped"]["link"], "packets that were on links that went down")
        for name, (packets, size) in self.captures.items():
            counted = links.get(name, {"packets": 0, "bytes": 0})
            # A capture has what was transmitted, or waited, when its link went down.
            if failed.get(name[:-1], 0):
                self.most(counted["packets"], packets, f"packets of {name}")
            elif counted["packets"] - self.left_over <= packets < counted["packets"]:
                pass  # it has none that waited in the end
            else:
                self.equal((counted["packets"], counted["bytes"]), (packets, size), f"packets and bytes of {name} by its capture")
        for link in r["impaired_links"]:
            self.most(link["lost"] + link["corrupted"], 2 * link["packets"], f"what {link['name']} did to packets")
            self.most(link["packets"], links[link["name"]]["packets"], f"packets that {link['name']} was impaired for")
        for link in links.values():
            self.most(link["utilisation"], 1 + 1e-9, f"utilisation of {link['name']}")
            self.most(link["marked"], link["packets"] + link["dropped"], f"marks of {link['name']}")

    def workload(self, w):
        name = w["name"]
        if "datagrams" in w:
            d = w["datagrams"]
            # A datagram in fragments is lost with any of them, and each of those counts.
            if not self.network.features & {"fragments"}:
                self.most(d["sent"], d["received"] + d["lost"], f"datagrams of {name} that were sent")
                self.most(d["received"] + d["lost"], d["sent"] + self.copies, f"datagrams of {name} that ended")
            self.most(d["received"], d["sent"] + self.copies, f"datagrams of {name} that were received")
            self.equal(w["delay_seconds"]["samples"], d["received"], f"delays of {name}")
        if "requests" in w and isinstance(w["requests"], dict):
            q = w["requests"]
            self.equal(q["sent"], q["received"] + q["lost"] + q["unreachable"] + q["time_exceeded"] + q["in_progress"], f"requests of {name}")
            self.equal(q["in_progress"], 0, f"requests of {name} that are under way")
            self.most(q["late"], q["lost"], f"late replies of {name}")
            self.equal(w["round_trip_seconds"]["samples"], q["received"], f"round trips of {name}")
        for kind in ("transactions", "transfers"):
            if kind in w:
                t = w[kind]
                self.equal(t["failed"], sum(t["failed_by_cause"].values()), f"failures of {name} by cause")
                times = w["response_time_seconds" if kind == "transactions" else "transfer_time_seconds"]
                self.equal(times["samples"], t["completed"], f"times of {name}")
        if "arrivals" in w:
            a, t = w["arrivals"], w["transfers"]
            # One whose receiver has all, and whose sender never learns that, is complete there and fails here.
            counted, twice = t["completed"] + t["failed"] + t["in_progress"] + a["waiting"], t["failed_by_cause"]["timeout"] + t["failed_by_cause"]["reset"]
            self.most(a["due"], counted, f"flows of {name} that were due")
            self.most(counted, a["due"] + min(twice, t["completed"]), f"flows of {name} that ended, or wait")
            self.equal(sum(s["completed"] for s in w["sizes"]), t["completed"], f"flows of {name} by size")
            if not t["failed"] and not t["in_progress"]:
                self.equal(sum(s["bytes"] for s in w["sizes"]), w["delivered_bytes"], f"bytes of {name}")
        if "offered" in w:
            o, t = w["offered"], w["transactions"]
            self.equal(o["due"], t["completed"] + t["failed"] + t["in_progress"] + o["waiting"], f"transactions of {name} that were due")
        if "goodput_bps" in w:
            seconds = self.results["window"]["measured_seconds"]
            self.most(abs(w["goodput_bps"] * seconds / 8 - w["delivered_bytes"]), 1e-6 * w["delivered_bytes"] + 1e-6, f"bytes of {name} by its goodput")

    def web(self):
        """What workloads, groups and seconds come to is what the run says."""
        r, all_of = self.results, self.results["transactions"]
        own = [w["transactions"] for w in r["workloads"] if "transactions" in w]
        for key in ("completed", "failed", "in_progress", "requests", "connections", "request_bytes", "response_bytes"):
            self.equal(sum(t[key] for t in own), all_of[key], f"{key} of all workloads")
        for kind, groups in r["groups"].items():
            if kind != "reports":
                for key in ("completed", "failed"):
                    self.equal(sum(g[key] for g in groups), all_of[key], f"{key} by {kind}")
        transfers = [w["transfers"] for w in r["workloads"] if "transfers" in w]
        for key in ("completed", "failed"):
            self.equal(sum(r["series"][key]), all_of[key] + sum(t[key] for t in transfers), f"{key} of all seconds")
        self.most(abs(sum(w.get("throughput_bps", w.get("goodput_bps", 0)) for w in r["workloads"]) - r["throughput_bps"]), 1e-6 * r["throughput_bps"] + 1e-6, "throughput of all workloads")
        # Those that sent their client on are responses, too.
        self.most(all_of["completed"], sum(all_of["by_status"].values()), "completed transactions")

    def middleboxes(self):
        stopped = 0
        for box in self.results["middleboxes"]:
            stopped += sum(box.get(key, 0) for key in ("refused", "filtered", "dropped", "rejected"))
        self.equal(stopped, self.results["packets"]["dropped"]["middlebox"], "packets that middleboxes stopped")


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
        chosen = network.random.sample(network.directions, 4)
        results = simulate(whole, "--threads", 1, *(word for i, name in enumerate(chosen) for word in ("--capture", f"{name}={folder / f'{i}.pcap'}")))
        captures = {name: captured(folder / f"{i}.pcap") for i, name in enumerate(chosen)}
        wrong += Laws(network, results, captures).wrong
        # A part of it, with packets on their way at the end: in the silence behind it tasks would be busy with telling each other the time.
        short = ("--for", f"{SHORT} s")
        results = simulate(whole, "--threads", 1, *short)
        others = [(f"{threads} threads, {name}", lambda e=e, threads=threads: simulate(e, "--threads", threads, *short)) for name, e, threads in
                  (("1 task", whole, 4), ("4 tasks", parts, 1), ("4 tasks", parts, 2), ("4 tasks", parts, 4))]
        if seed % OPTIMISED == 0 and not SANITIZED:
            others.append(("-O2", lambda: simulate(build("fast", "-O2", "--tasks", "4"), "--threads", 2, *short)))
        for name, again in others:
            wrong += [f"otherwise with {name}: {what}" for what in same(results, again())]
    return wrong


QUEUES = ("droptail(1 MB)", "droptail_packets(10000)", "queue.red(1 MB, minimum_threshold = 500 KB)", "queue.codel(1 MB, target = 1 s, interval = 10 s)", "queue.pie(1 MB, target = 9 s)",
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
