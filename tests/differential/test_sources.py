"""On/off sources, pings and transfers of random size against arithmetic and statistics, and the same on any number of threads."""
import math
import unittest

from emulators import EmulatorTest

LINE = """
import std.traffic

model Line(tunable share: ratio in 0 .. 100 % = 0, tunable copies: ratio in 0 .. 100 % = 0) {
  host a[HOSTS]
  host b
  router r[2]
  link left: a[*] -- r[0] { rate = 1 Gbps, delay = 1 ms }
  link middle: r[0] -- r[1] { rate = 100 Mbps, delay = 10 ms, loss = share, duplicate = copies }
  link right: r[1] -- b { rate = 1 Gbps, mtu = MTU, delay = 1 ms }
  workload w : traffic.WORKLOAD
  TIMELINE
  run { duration = DURATION }
}
"""


def line(workload, hosts=1, mtu="1500 B", duration="19.9999 s", timeline=""):
    if "start_spread" not in workload:
        workload = workload.replace("{ to", "{ start_spread = 0 s, to")
    text = LINE.replace("WORKLOAD", workload).replace("HOSTS", str(hosts)).replace("MTU", mtu)
    return text.replace("DURATION", duration).replace("TIMELINE", timeline)


class OnOff(EmulatorTest):

    def sent(self, attributes, *options, **keys):
        text = line(f"OnOff on a[*] {{ to = b, {attributes} }}", **keys)
        return self.simulate(self.compile(text), *options)["workloads"][0]["datagrams"]["sent"]

    def test_fixed_periods(self):
        """10 ms in 40: 500 periods in 20 s, 5 s of sending, a datagram in each 3 ms of them, the first at once."""
        self.assertEqual(self.sent("interval = 3 ms, burst = 10 ms, pause = 30 ms"), math.ceil(5000 / 3))

    def test_periods_shorter_than_the_interval(self):
        self.assertEqual(self.sent("interval = 25 ms, burst = 10 ms, pause = 10 ms"), 10_000 // 25)

    def test_the_rate_of_random_periods(self):
        """By the central limit theorem of renewal reward: 50 sources, 1000 s, cycles of 300 ms with a third of sending."""
        hosts, seconds, interval, on, off = 50, 1000, 0.005, 0.1, 0.2
        expected = hosts * seconds / interval * on / (on + off)
        # The variance of the sending time in t: t (var on E[off]^2 + var off E[on]^2) / E[cycle]^3.
        spread = math.sqrt(hosts * seconds * 2 * (on * off) ** 2 / (on + off) ** 3) / interval
        sent = self.sent(f"interval = {interval} s, burst = exponential({on} s), pause = exponential({off} s)", hosts=hosts,
                         duration=f"{seconds} s")
        self.assertLess(abs(sent - expected), 4 * spread)

    def hurst(self, distribution):
        """Hurst's parameter from the variances of blocks of 1 s and of 32 s."""
        text = line(f"OnOff on a[*] {{ to = b, interval = 20 ms, burst = {distribution}, pause = {distribution} }}", hosts=40,
                    duration="2000 s")
        series = self.simulate(self.compile(text))["series"]["throughput_bps"][200:]

        def variance(size):
            blocks = [sum(series[i:i + size]) / size for i in range(0, len(series) - size + 1, size)]
            mean = sum(blocks) / len(blocks)
            return sum((block - mean) ** 2 for block in blocks) / (len(blocks) - 1)

        return 1 + math.log(variance(32) / variance(1)) / (2 * math.log(32))

    def test_pareto_periods_make_self_similar_traffic(self):
        """(3 - shape) / 2 is 0.85 in the limit; sources without memory have 0.5."""
        self.assertLess(self.hurst("exponential(200 ms)"), 0.6)
        self.assertGreater(self.hurst("pareto(60 ms, 1.3)"), 0.7)

    def test_switched_off_and_on(self):
        """Off from 5 s to 10 s: what is left is 15 s of constant sending, a datagram each 10 ms."""
        sent = self.sent("interval = 10 ms, burst = 1 h, pause = 0 s", timeline="from 5 s to 10 s { w off }")
        self.assertEqual(sent, 1500)


class Ping(EmulatorTest):
    def ping(self, attributes, *options, to="b", **keys):
        emulator = self.compile(line(f"Ping on a[*] {{ to = {to}, {attributes} }}", **keys))
        workload = self.simulate(emulator, *options)["workloads"][0]
        counted = workload["requests"]
        ended = sum(counted[key] for key in ("received", "lost", "unreachable", "time_exceeded", "in_progress"))
        self.assertEqual(counted["sent"], ended)
        return counted, workload["round_trip_seconds"]

    def test_the_round_trip_of_an_idle_path(self):
        counted, trip = self.ping("interval = 100 ms")
        self.assertEqual((counted["sent"], counted["received"], counted["lost_share"]), (200, 200, 0))
        expected = 2 * (12e-3 + 84 * 8 * (2 / 1e9 + 1 / 100e6))
        for figure in ("min", "mean", "max"):
            self.assertAlmostEqual(trip[figure], expected, delta=2e-9)
        self.assertLess(trip["deviation"], 1e-9)

    def test_a_router_answers(self):
        _, trip = self.ping("interval = 1 s", to="r[1]")
        self.assertAlmostEqual(trip["min"], 2 * (11e-3 + 84 * 8 * (1 / 1e9 + 1 / 100e6)), delta=2e-9)

    def test_so_many_requests_and_no_more(self):
        counted, _ = self.ping("interval = 100 ms, count = 7", hosts=3)
        self.assertEqual((counted["sent"], counted["received"]), (21, 21))

    def test_loss_there_and_back(self):
        """10 % each way: 19 % of 20 000 without a reply, within four standard deviations."""
        counted, _ = self.ping("interval = 10 ms", "--set", "share=10%", hosts=10)
        self.assertEqual(counted["sent"], 20_000)
        self.assertAlmostEqual(counted["lost_share"], 0.19, delta=4 * math.sqrt(0.19 * 0.81 / 20_000))
        self.assertEqual(counted["duplicates"], 0)

    def test_duplicates(self):
        """Every request and every reply twice: four replies, three too many."""
        counted, _ = self.ping("interval = 100 ms, count = 50", "--set", "copies=100%")
        self.assertEqual((counted["received"], counted["duplicates"], counted["lost"]), (50, 150, 0))

    def test_late_replies(self):
        counted, trip = self.ping("interval = 100 ms, count = 50, timeout = 20 ms")
        self.assertEqual((counted["received"], counted["lost"], counted["late"]), (0, 50, 50))
        self.assertIsNone(trip["mean"])

    def test_time_to_live(self):
        for ttl, name in ((1, "time_exceeded"), (2, "time_exceeded"), (3, "received")):
            counted, _ = self.ping(f"interval = 100 ms, count = 5, ttl = {ttl}")
            self.assertEqual(counted[name], 5, ttl)

    def test_fragmentation_needed(self):
        counted, _ = self.ping("interval = 100 ms, count = 5, payload = 600 B", mtu="576 B")
        self.assertEqual((counted["unreachable"], counted["lost_share"]), (5, 1))

    def test_sequence_numbers_wrap(self):
        counted, _ = self.ping("interval = 200 us, timeout = 1 s")
        self.assertEqual(counted["sent"], 100_000)
        self.assertEqual(counted["received"] + counted["in_progress"], 100_000)

    def test_switched_off_and_on(self):
        counted, _ = self.ping("interval = 100 ms", timeline="from 5 s to 10 s { w off }")
        self.assertEqual((counted["sent"], counted["received"]), (150, 150))

    def test_a_link_that_is_down(self):
        """From 5 s to 6 s: ten requests, and the one whose reply was under way."""
        counted, _ = self.ping("interval = 100 ms, start_spread = 0 s", timeline="from 5.01 s to 6.01 s { right down }")
        self.assertEqual(counted["received"] + counted["lost"] + counted["unreachable"], 200)
        self.assertIn(counted["lost"] + counted["unreachable"], (10, 11))


class RandomSizes(EmulatorTest):
    def test_the_mean_of_the_sizes(self):
        text = line("Bulk on a[*] { to = b, size = uniform(1 KB, 9 KB), think = 1 ms }", hosts=20)
        workload = self.simulate(self.compile(text))["workloads"][0]
        count = workload["transfers"]["completed"]
        self.assertGreater(count, 2000)
        # What is under way at the end counts as delivered, too.
        self.assertAlmostEqual(workload["delivered_bytes"] / count / (5 * 1024), 1,
                               delta=4 * 8 / math.sqrt(12) / 5 / math.sqrt(count) + 20 / count)

    def test_any_number_of_threads(self):
        text = """
import std.traffic
component Site(hosts: int) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
}
model Sites {
  Site site[4](hosts = 5)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms, loss = 1 % }
  workload burst : traffic.OnOff on site[*].pc[0 .. 1] {
    to = site[*].pc[0 .. 1], pairing = permutation, rate = 4 Mbps, burst = pareto(50 ms, 1.4), pause = exponential(100 ms)
  }
  workload files : traffic.Bulk on site[*].pc[2 .. 3] {
    to = site[*].pc[2 .. 3], pairing = at_random, size = pareto(4 KB, 1.2), think = exponential(100 ms)
  }
  workload probe : traffic.Ping on site[*].pc[4] { to = site[*].pc[0], interval = 10 ms, start_spread = 10 ms }
  at 5 s { site[2].gateway down }
  at 6 s { site[2].gateway up, probe off }
  at 7 s { probe on }
  run { duration = 10 s }
}
"""
        expected, emulator = self.however_it_is_run(text, "workloads", "series")
        self.either_tier_has(text, *expected[:2])
        self.assertNotEqual(self.simulate(emulator, "--seed", 2)["digest"], expected[0])


if __name__ == "__main__":
    unittest.main()
