"""Links that follow a trace, against a simulation of Mahimahi's link of its own; the same for any partition and tier."""
import collections
import os
import pathlib
import random
import struct
import unittest

from emulators import OTHER_TIER, ROOT, EmulatorTest, run

OPPORTUNITY = 1504
# The traces of Mahimahi, where the machine has them: they are too large for the tree.
COLLECTION = pathlib.Path(os.environ.get("ANML_TRACES", ROOT.parent / "shared/data/mahimahi-traces"))

# Whatever comes over `near` goes on at once over `wire`, and what leaves that over `far`.
LINE = """
import std.traffic

profile wide : Tcp {{ receive_buffer = 16 MB, window_scaling = true, sack = true, minimum_rto = 200 ms }}

model Line {{
  host source[2] {{ tcp = wide }}
  router a
  router b
  host sink {{ tcp = wide }}
  link near: source[*] -- a {{ rate = 8 Gbps, queue = droptail(1 GB) }}
  link wire: a -- b {{ delay = {delay}, queue = {queue}, overhead = {overhead} B, up {{ rate = trace("up") }} down {{ rate = {back} }} }}
  link far: b -- sink {{ rate = 8 Gbps, queue = droptail(1 GB) }}
  {workloads}
  {more}
  run {{ duration = {duration} s }}
}}
"""
SATURATING = """workload w : traffic.Cbr on source[0] { start_spread = 0 s, to = sink, payload = 1472 B, interval = 150 us }"""
MIXED = """workload v : traffic.Cbr on source[0] { start_spread = 0 s, to = sink, payload = 1 KB, interval = 1.7 ms }
  workload w : traffic.Cbr on source[1] { start_spread = 0 s, to = sink, payload = 40 B, interval = 330 us }"""
TCP = """workload w : traffic.Bulk on source[0] { start_spread = 0 s, to = sink }"""

# Traced links between the tasks, with all that links can have besides.
NET = """
import std.traffic

model Net {
  router core[4]
  host   pc[12]
  profile mobile : Link { delay = 2 ms, queue = droptail(packets = 60), up { rate = trace("up") } down { rate = trace("down") } }
  for i in 0 ..< 4 {
    link ring[i]: core[i] -- core[(i + 1) % 4] : mobile { delay = (i + 1) * 0.5 ms, loss = 0.2 %, jitter = uniform(0 s, 1 ms) }
    link edge[i]: pc[3 * i .. 3 * i + 2] -- core[i] : mobile { queue = droptail(90 KB) }
  }
  workload fill : traffic.Bulk on pc[*] { to = pc[*], pairing = permutation }
  workload tick : traffic.Cbr on pc[*] { to = pc[*], pairing = permutation, port = 20, interval = 3 ms, payload = 300 B }
  from 1 s to 1.3 s { ring[1] down }
  at 1.5 s { edge[*][*] { queue = droptail(packets = 5), delay = 1 ms } }
  at 2 s { ring[0] { loss = 3 % } }
  at 2.2 s { core[2] down }
  at 2.6 s { core[2] up, edge[*][*] { queue = droptail(20 KB) } }
  run { duration = 4 s }
}
"""


def packets_in(path):
    """(ns, bytes) of the packets of a capture."""
    data = path.read_bytes()
    found, at = [], 24
    while at < len(data):
        seconds, nanoseconds, included, length = struct.unpack_from("<IIII", data, at)
        found.append((seconds * 10**9 + nanoseconds, length))
        at += 16 + included
    return found


def mahimahi(trace, arrivals, packets=None, size=None):
    """Departures and drops of a link, as mahimahi's LinkQueue has them: it walks over all opportunities, one by one."""
    queue, departures, drops = collections.deque(), [], 0
    left, base, at = 0, 0, 0

    def opportunities_until(now):
        nonlocal left, base, at
        while base + trace[at] * 10**6 <= now:
            when, room = base + trace[at] * 10**6, OPPORTUNITY
            at += 1
            if at == len(trace):
                at, base = 0, base + trace[-1] * 10**6
            while room > 0 and (left or queue):
                left = left or queue.popleft()
                used = min(room, left)
                room, left = room - used, left - used
                if left == 0:
                    departures.append(when)

    for now, length in arrivals:
        opportunities_until(now)
        if (packets is not None and len(queue) >= packets) or (
            size is not None and (queue or left) and sum(queue) + left + length > size
        ):
            drops += 1
        else:
            queue.append(length)
    while queue or left:
        opportunities_until(base + trace[at] * 10**6)
    return departures, drops


def synthetic(seed, last=900):
    """Bursts, pauses, opportunities at 0, and several at one time."""
    draw = random.Random(seed)
    times, now = [0] * draw.randint(0, 2), 0
    while now < last:
        now += draw.choice((0, 0, 1, 1, 2, 3, 40))
        times.append(now)
    return times


def mean(trace):
    return len(trace) * OPPORTUNITY * 8 / (trace[-1] / 1000)


class Traces(EmulatorTest):

    def write(self, up, down=(1,)):
        for name, trace in (("up", up), ("down", down)):
            (self.folder / name).write_text("".join(f"{t}\n" for t in trace))

    def line(self, trace, workloads, queue="droptail(1 GB)", overhead=0, duration=3, delay="20 ms", back="1 Gbps", more="",
             *options):
        self.write(trace)
        return self.compile(LINE.format(queue=queue, overhead=overhead, workloads=workloads, duration=duration, delay=delay,
                                        back=back, more=more), *options)

    def traces(self):
        yield "constant", [1]
        yield "one in 7 ms", [7]
        for seed in range(3):
            yield f"synthetic {seed}", synthetic(seed)
        for path in sorted(COLLECTION.glob("*.up")) + sorted(COLLECTION.glob("*.down")):
            yield path.name, [int(line) for line in path.read_text().split()]

    def compare(self, trace, workloads, overhead=0, packets=None, size=None, duration=3, **options):
        """The emulator's departures are those of mahimahi, to the nanosecond."""
        emulator = self.line(trace, workloads, overhead=overhead, duration=duration, **options)
        near, far = self.fresh("near.pcap"), self.fresh("far.pcap")
        results = self.simulate(emulator, "--capture", f"near>={near}",
                                "--capture", f"far>={far}")
        # The links around take a nanosecond for a byte. Captured is when they begin.
        arrivals = sorted(((time + length, length + overhead) for time, length in packets_in(near)), key=lambda packet: packet[0])
        departures, lengths = zip(*((time - 20 * 10**6, length) for time, length in packets_in(far)))
        expected, drops = mahimahi(trace, arrivals, packets, size)
        free = 0
        for i, length in enumerate(lengths[: len(expected)]):
            expected[i] = max(expected[i], free)
            free = expected[i] + length
        end = duration * 10**9 - 21 * 10**6
        departures, expected = [time for time in departures if time <= end], [time for time in expected if time <= end]
        self.assertGreater(len(departures), 5)
        self.assertEqual(departures, expected)
        self.assertLessEqual(abs(results["packets"]["dropped"]["queue"] - drops), 1)
        return results, drops

    def test_departures_of_a_saturating_sender(self):
        for name, trace in self.traces():
            with self.subTest(name):
                self.compare(trace, SATURATING, overhead=4)
                self.compare(trace, SATURATING)

    def test_departures_of_small_and_large_packets(self):
        for name, trace in self.traces():
            with self.subTest(name):
                self.compare(trace, MIXED, overhead=4)

    def test_departures_of_tcp(self):
        for name, trace in self.traces():
            with self.subTest(name):
                self.compare(trace, TCP)

    def test_queues(self):
        for name, trace in self.traces():
            for queue, limit in (("droptail(packets = 7)", {"packets": 7}), ("droptail(20 KB)", {"size": 20 * 1024}),
                                 ("droptail(packets = 1)", {"packets": 1}),
                                 ("droptail(packets = 9, capacity = 6 KB)", {"packets": 9, "size": 6 * 1024})):
                with self.subTest(f"{name}, {queue}"):
                    _, drops = self.compare(trace, MIXED, queue=queue, overhead=4, **limit)
                    if name == "one in 7 ms":
                        self.assertGreater(drops, 100)

    def test_a_long_pause(self):
        """A packet after many periods without any meets the opportunity that counting them one by one meets."""
        trace = synthetic(7, last=50)
        self.compare(trace, "workload w : traffic.Cbr on source[0] { start_spread = 0 s, to = sink, payload = 100 B, interval = 1.777777 s }",
                     duration=60)

    def test_goodput_is_near_the_mean(self):
        for name, trace in self.traces():
            period = trace[-1] / 1000
            duration = max(20, round(2 * period)) if period < 200 else 40
            with self.subTest(name):
                emulator = self.line(trace, TCP, queue="droptail(64 MB)", duration=duration, delay="5 ms")
                goodput = self.simulate(emulator)["workloads"][0]["goodput_bps"]
                times = [t + k * trace[-1] for k in range(int(duration / period) + 2) for t in trace]
                capacity = sum(t < duration * 1000 for t in times) * OPPORTUNITY * 8 / duration
                self.assertLess(goodput, capacity)
                self.assertGreater(goodput, 0.8 * capacity * 1460 / 1504)

    def test_rate_is_the_mean(self):
        trace = synthetic(1)
        bps = mean(trace)
        more = (f"require bottleneck(source[0], sink) < {bps * 1.0001} bps && bottleneck(source[0], sink) > {bps * 0.9999} bps\n"
                "  require bottleneck(sink, source[0]) == 1 Gbps")
        emulator = self.line(trace, SATURATING, more=more)
        self.assertIn("on average (up)", run(emulator, "info").stdout)
        found = self.simulate(emulator)
        (wire,) = [link for link in found["busiest_links"] if link["name"] == "wire>"]
        self.assertGreater(wire["utilisation"], 0.9)
        self.assertLess(wire["utilisation"], 1.1)

    def test_a_failure_clears_the_queue(self):
        # One opportunity each 100 ms: ten datagrams at 0 s, of which the failure at 250 ms loses those that wait.
        more = "from 250 ms to 450 ms { wire down }"
        burst = "workload w : traffic.Cbr on source[0] { to = sink, payload = 1472 B, interval = 20 ms, start_spread = 0 s }"
        emulator = self.line([100], burst, more=more, duration=1)
        far = self.fresh("far.pcap")
        found = self.simulate(emulator, "--capture", f"far>={far}")
        times = [round(t / 10**6) for t, _ in packets_in(far)]
        self.assertEqual(times, [120, 220, 520, 620, 720, 820, 920])
        self.assertGreater(found["packets"]["dropped"]["link"], 8)

    def test_threads_and_tasks_and_tiers_agree(self):
        self.write(synthetic(11), synthetic(12))
        expected = None
        for tasks, level in dict.fromkeys(((1, "-O0"), (1, OTHER_TIER), (4, "-O0"), (7, OTHER_TIER))):
            emulator = self.compile(NET, "--tasks", tasks, level)
            for threads in (1, 2, 4):
                found = self.simulate(emulator, "--threads", threads)
                figures = [found[k] for k in ("digest", "packets", "workloads", "impaired_links", "busiest_links", "packet_hops")]
                if expected is None:
                    expected = figures
                    for cause in ("queue", "link", "lost"):
                        self.assertGreater(found["packets"]["dropped"][cause], 10, cause)
                self.assertEqual(figures, expected, f"{tasks} tasks, {level}, {threads} threads")


if __name__ == "__main__":
    unittest.main()
