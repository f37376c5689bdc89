"""What the timeline makes links do to packets, epoch by epoch against the probabilities that hold then."""
import math
import struct
import unittest

from emulators import OTHER_TIER, EmulatorTest, run

# A datagram each 100 us over `wire`; what is left of it goes on at once over `far`.
LINE = """
import std.jitter
import std.loss
import std.traffic

model Line(tunable share: ratio in 0 .. 1 = 20 %) {{
  host a
  router r
  host b
  link wire: a -- r {{ rate = 1 Gbps, delay = 1 ms {declared} }}
  link far: r -- b {{ rate = 1000 Tbps }}
  workload flow : traffic.Cbr on a {{ to = b, payload = 100 B, interval = 100 us, start_spread = 0 s }}
  {timeline}
  run {{ duration = 20 s }}
}}
"""
RATE = 10000  # datagrams in a second
WAY = 10**6 + 1024  # ns from the start of a transmission to its arrival

# All that can change about links, between tasks, while queues are full.
STORM = """
import std.jitter
import std.loss
import std.traffic

model Storm(tunable worst: ratio in 0 .. 1 = 10 %) {
  router core[4]
  host   pc[12]
  link ring: core[*] -- [core[1], core[2], core[3], core[0]] { rate = 8 Mbps, delay = 2 ms, queue = droptail(packets = 40) }
  link edge: pc[*] -- [core[0], core[1], core[2], core[3], core[0], core[1], core[2], core[3], core[0], core[1], core[2], core[3]] {
    rate = 20 Mbps, delay = 1 ms, loss = loss.gilbert_elliott(1 %, 30 %), reorder_delay = 700 us
  }
  workload fill : traffic.Bulk on pc[*] { to = pc[*], pairing = permutation }
  workload tick : traffic.Cbr on pc[*] { to = pc[*], pairing = permutation, port = 20, interval = 3 ms, payload = 300 B }
  every 70 ms from 100 ms to 3 s { ring[0] { loss = 5 % } }
  every 70 ms from 135 ms to 3 s { ring[0] { loss = 0 } }
  ramp from 0.5 s to 3.5 s every 13 ms { ring[1] { jitter = 0 s .. 3 ms, loss = 0 .. worst } }
  from 1 s to 2 s { ring[*] { up { corrupt = 3 %, duplicate = 3 % } down { reorder = 10 %, in_order = false } } }
  from 1.2 s to 1.6 s { ring[*] down }
  at 1 s { edge[*] { jitter = jitter.correlated(1 ms, 300 us, 80 %) } }
  at 2 s { edge[0 .. 5] { loss = loss.bursts(2 %, length = 5), rate = 9 Mbps } }
  at 2.5 s { edge[6 .. 11] { reorder = 5 %, jitter = 0 s } }
  at 3 s { core[3] down }
  at 3.2 s { core[3] up }
  run { duration = 4 s }
}
"""


def times_in(path):
    data = path.read_bytes()
    found, at = [], 24
    while at < len(data):
        seconds, nanoseconds, included, _ = struct.unpack_from("<IIII", data, at)
        found.append(seconds * 10**9 + nanoseconds)
        at += 16 + included
    return found


class ChangingImpairments(EmulatorTest):
    def line(self, timeline, declared=""):
        return self.compile(LINE.format(timeline=timeline, declared=declared and ", " + declared), "-O0")

    def watched(self, timeline, declared="", *options):
        """Results, when datagrams were sent, and when they arrived at the other end of `wire`."""
        wire, far = self.fresh("wire.pcap"), self.fresh("far.pcap")
        found = self.simulate(self.line(timeline, declared), "--capture", f"wire>={wire}", "--capture", f"far>={far}", *options)
        return found, times_in(wire), times_in(far)

    def lost_by_second(self, sent, arrived):
        """Of those sent in each second the number that did not arrive; where nothing delays them."""
        came = set(arrived)
        lost = [0] * 20
        for time in sent:
            lost[min(19, time // 10**9)] += time + WAY not in came and time < 19.9 * 10**9
        return lost

    def assert_binomial(self, count, n, share):
        """Within 4 standard deviations."""
        self.assertLessEqual(abs(count - n * share), 4 * math.sqrt(n * share * (1 - share)), (count, n, share))

    def test_loss_by_epochs(self):
        found, sent, arrived = self.watched(
            "at 3 s { wire { loss = 5 % } }\nfrom 5 s to 7 s { wire { up { loss = share } } }\n"
            "at 9 s { wire { loss = 0 } }\nat 11 s { wire { down { loss = 1 } } }\nevery 4 s from 12 s { wire { loss = 50 % } }\n"
            "every 4 s from 14 s { wire { loss = 0 } }")
        lost = self.lost_by_second(sent, arrived)
        shares = [0] * 3 + [0.05] * 2 + [0.2] * 2 + [0.05] * 2 + [0] * 3 + [0.5] * 2 + [0] * 2 + [0.5] * 2 + [0] * 2
        for second, share in enumerate(shares):
            self.assert_binomial(lost[second], RATE, share)
        self.assertEqual(found["packets"]["dropped"]["lost"], sum(lost))
        came = set(arrived)
        first = min(t for t in sent if t + WAY not in came)
        self.assertGreaterEqual(first, 3 * 10**9)
        self.assertLess(first, 3.03 * 10**9)
        self.assertIn({"seconds": 5.0, "what": "wire> loss = 0.2"}, found["timeline"]["events"])
        self.assertIn({"seconds": 7.0, "what": "wire> no longer loss = 0.2"}, found["timeline"]["events"])

    def test_a_ramp_of_loss_against_its_integral(self):
        found, sent, arrived = self.watched("ramp from 4 s to 14 s { wire { loss = 0 .. 50 % } }")
        lost = self.lost_by_second(sent, arrived)
        # A hundred steps of 100 ms, each as long as the value before it holds.
        step = lambda t: 0 if t < 4 else 0.5 if t >= 14 else math.floor((t - 4) * 10 + 1e-9) * 0.005
        for second in range(20):
            expected = sum(step(second + tenth / 10) for tenth in range(10)) / 10
            self.assert_binomial(lost[second], RATE * (0.9 if second == 19 else 1), expected)
        self.assertAlmostEqual(sum(lost[4:14]) / (10 * RATE), 0.2475, delta=0.006)
        coarse = self.watched("ramp from 4 s to 14 s every 5 s { wire { loss = 20 % .. 40 % } }")
        lost = self.lost_by_second(*coarse[1:])
        self.assert_binomial(sum(lost[4:9]), 5 * RATE, 0.2)
        self.assert_binomial(sum(lost[9:14]), 5 * RATE, 0.3)
        self.assert_binomial(sum(lost[14:19]), 5 * RATE, 0.4)

    def test_a_saw(self):
        """A ramp again and again."""
        _, sent, arrived = self.watched(
            "for i in 0 ..< 5 { ramp from i * 4 s to i * 4 s + 4 s every 1 s { wire { loss = 0 .. 40 % } } }")
        lost = self.lost_by_second(sent, arrived)
        for second in range(19):
            self.assert_binomial(lost[second], RATE, second % 4 * 0.1 if second % 4 or second == 0 else 0.0)

    def test_models_with_a_memory(self):
        _, sent, arrived = self.watched("at 5 s { wire { loss = loss.bursts(10 %, length = 10) } }\nat 15 s { wire { loss = 0 } }")
        came = set(arrived)
        lost = [t + WAY not in came for t in sent if 5 * 10**9 <= t < 15 * 10**9]
        bursts = sum(now and not before for before, now in zip([False] + lost, lost))
        self.assertAlmostEqual(sum(lost) / len(lost), 0.1, delta=0.015)
        self.assertAlmostEqual(sum(lost) / bursts, 10, delta=1)
        self.assertEqual(sum(self.lost_by_second(sent, arrived)), sum(lost))

    def test_what_stays_goes_on_and_what_is_new_begins_anew(self):
        def missing(sent, arrived):
            came = set(arrived)
            return [i for i, t in enumerate(sent) if t + WAY not in came]

        periodic = "loss = loss.periodic(1000)"
        _, sent, arrived = self.watched("", periodic, "--for", "3s")
        steady = missing(sent, arrived)[:-10]
        # Another attribute changes: the count goes on.
        _, sent, arrived = self.watched("at 1.0333 s { wire { corrupt = 0 % } }", periodic, "--for", "3s")
        self.assertEqual(missing(sent, arrived)[: len(steady)], steady)
        # An interval without loss: the process begins anew at its end.
        _, sent, arrived = self.watched("from 1.0333 s to 1.5 s { wire { loss = 0 } }", periodic, "--for", "3s")
        count = [i for i in missing(sent, arrived) if i < 28000]
        behind = [i for i in count if sent[i] >= 1.5 * 10**9]
        start = min(i for i, t in enumerate(sent) if t >= 1.5 * 10**9)
        self.assertEqual([i - start for i in behind], steady[: len(behind)])
        self.assertEqual([i for i in count if sent[i] < 1.5 * 10**9], [i for i in steady if sent[i] < 1.0333 * 10**9])

    def test_the_others(self):
        found, sent, arrived = self.watched(
            "from 2 s to 4 s { wire { duplicate = 10 % } }\nfrom 6 s to 8 s { wire { corrupt = 20 % } }\n"
            "from 10 s to 12 s { wire { jitter = uniform(0 s, 50 us) } }\n"
            "from 14 s to 16 s { wire { reorder = 5 %, reorder_delay = 150 us } }\nramp from 17 s to 18 s { wire { jitter = 0 s .. 80 us } }")
        (wire,) = [link for link in found["impaired_links"] if link["name"] == "wire>"]
        self.assert_binomial(wire["duplicated"], 2 * RATE, 0.1)
        self.assert_binomial(wire["corrupted"], 2 * RATE, 0.2)
        self.assert_binomial(wire["reordered"], 2 * RATE, 0.05 * 0.95)
        delayed = {}
        came = set(arrived)
        for t in sent:
            if t < 19.9 * 10**9 and t + WAY not in came:
                delayed[t // 10**9] = delayed.get(t // 10**9, 0) + 1
        self.assertEqual(sorted(delayed), [10, 11, 14, 15, 17, 18, 19])
        self.assertEqual(delayed[18], RATE)
        self.assertEqual(found["packets"]["dropped"]["lost"], 0)
        # Behind the ramp all are 80 us late.
        self.assertTrue(all(t + WAY + 80000 in came for t in sent if 18.1 * 10**9 < t < 19.9 * 10**9))

    def test_order(self):
        jitter = "jitter = uniform(0 s, 1 ms)"
        found, _, _ = self.watched("from 5 s to 10 s { wire { in_order = false } }", jitter)
        (wire,) = [link for link in found["impaired_links"] if link["name"] == "wire>"]
        self.assertGreater(wire["reordered"], 5 * RATE * 0.5)
        self.assertLess(wire["reordered"], 5 * RATE)

    def test_what_says_the_same_changes_nothing(self):
        plain = self.simulate(self.line("", "loss = 3 %, jitter = exponential(50 us)"))
        for timeline in ("at 5 s { wire { loss = 3 % } }", "from 3 s to 9 s { wire { jitter = exponential(50 us) } }"):
            self.assertEqual(self.simulate(self.line(timeline, "loss = 3 %, jitter = exponential(50 us)"))["digest"], plain["digest"])
        plain = self.simulate(self.line(""), "--for", "4s")
        later = self.simulate(self.line("at 5 s { wire { loss = 3 %, jitter = 1 ms } }"), "--for", "4s")
        self.assertEqual(plain["digest"], later["digest"])

    def test_a_transfer_slows_down_while_it_loses(self):
        text = LINE.replace("traffic.Cbr on a {{ to = b, payload = 100 B, interval = 100 us, start_spread = 0 s }}",
                            "traffic.Bulk on a {{ to = b }}")
        emulator = self.compile(text.format(timeline="from 8 s to 12 s { wire { loss = 20 % } }", declared=", rate = 10 Mbps").replace(
            "rate = 1 Gbps, ", ""))
        throughput = self.simulate(emulator)["series"]["throughput_bps"]
        self.assertLess(max(throughput[9:12]), 0.9 * min(throughput[2:8]))
        self.assertGreater(min(throughput[15:19]), 0.9 * min(throughput[2:8]))

    def test_threads_and_tasks_and_tiers_agree(self):
        expected = None
        for tasks, level in dict.fromkeys(((1, "-O0"), (1, OTHER_TIER), (4, "-O0"), (9, OTHER_TIER))):
            emulator = self.compile(STORM, "--tasks", tasks, level)
            for threads in (1, 2, 4):
                found = self.simulate(emulator, "--threads", threads)
                figures = [found[k] for k in ("digest", "packets", "workloads", "impaired_links", "timeline", "packet_hops")]
                if expected is None:
                    expected = figures
                    for cause in ("queue", "link", "lost", "corrupted"):
                        self.assertGreater(found["packets"]["dropped"][cause], 10, cause)
                    for fate in ("duplicated", "reordered"):
                        self.assertGreater(sum(link[fate] for link in found["impaired_links"]), 10, fate)
                self.assertEqual(figures, expected, f"{tasks} tasks, {level}, {threads} threads")

    def test_runs_may_end_anywhere(self):
        emulators = self.compile(STORM, "--tasks", 1), self.compile(STORM, "--tasks", 6)
        for end in ("1s", "1500ms", "2035ms"):
            digests = {self.simulate(e, "--for", end, "--threads", t)["digest"] for e, t in zip(emulators, (1, 2))}
            self.assertEqual(len(digests), 1, end)

    def test_info_lists_it(self):
        emulator = self.line("at 1 s { wire { loss = loss.periodic(3), jitter = uniform(1 ms, 2 ms), in_order = false } }")
        text = run(emulator, "info").stdout
        self.assertIn("1 s  wire loss = drawn from an expression", text)
        self.assertIn("1 s  wire jitter = uniform in 1 ms .. 2 ms", text)
        self.assertIn("1 s  wire in_order = false", text)


if __name__ == "__main__":
    unittest.main()
