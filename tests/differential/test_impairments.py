"""What links do to packets against the probabilities that the model states, and the same for any partition and tier."""
import json
import math
import re
import unittest

from emulators import ALL, EmulatorTest, run

# Datagrams over one link that is impaired.
LINE = """
import std.jitter
import std.loss
import std.traffic

MORE
model Line(tunable share: ratio in 0 .. 1 = 1 %) {
  host a
  host b
  link wire: a -- b { rate = 1 Gbps, delay = 1 ms, IMPAIRMENTS }
  workload flow : traffic.Cbr on a { start_spread = 0 s, to = b, payload = 100 B, interval = 100 us }
  run { duration = 20 s }
}
"""
SENT = 200000

LOSSY_TCP = """
import std.traffic

profile patient : Tcp { receive_buffer = 1 MB, window_scaling = true, sack = true, minimum_rto = 200 ms }

model Lossy(tunable share: ratio in 0 .. 1 = 1 %) {
  host a { tcp = patient }
  host b { tcp = patient }
  router r
  link left: a -- r { rate = 1 Gbps }
  link right: r -- b { rate = 1 Gbps, delay = 25 ms, loss = share }
  workload flow : traffic.Bulk on a { start_spread = 0 s, to = b }
  run { duration = 300 s, warmup = 10 s }
}
"""

CHAIN = """
import std.ether
import std.jitter
import std.loss
import std.web

component Net(hosts: int, server: node) {
  router gateway
  host client[hosts]
  link edge: client[*] -- gateway : ether.fast {
    delay = 100 us, loss = loss.gilbert_elliott(1 %, 30 %), jitter = jitter.correlated(1 ms, 300 us, 80 %)
  }
  workload surf : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(20 KB), think = lognormal(20 ms, 1)
  }
}

model Chain {
  endpoint server { simulated = web.server(service = weibull(2 ms, 0.7)) }
  Net net[4](hosts = 5, server = server)
  link entry: net[0].gateway -- server : ether.gigabit { delay = 1 us, duplicate = 1 % }
  for i in 0 ..< 3 {
    link hop[i]: net[i + 1].gateway -- net[i].gateway : ether.gigabit {
      delay = 1 ms, jitter = exponential(500 us), in_order = false, reorder = 2 %, corrupt = 0.5 %
    }
  }
  run { duration = 5 s, warmup = 500 ms }
}
"""


class Impairments(EmulatorTest):
    def line(self, impairments, more=""):
        return self.compile(LINE.replace("IMPAIRMENTS", impairments).replace("MORE", more), "-O0")

    def results(self, impairments, *options, more=""):
        return self.simulate(self.line(impairments, more), *options)

    def wire(self, results):
        """Of the link's direction that carries the datagrams."""
        (link,) = [link for link in results["impaired_links"] if link["name"] == "wire>"]
        return link

    def assert_binomial(self, count, n, share):
        """Within 4 standard deviations."""
        self.assertLess(abs(count - n * share), 4 * math.sqrt(n * share * (1 - share)) + 1, (count, n, share))

    def test_each_fate_has_its_probability(self):
        for share in (0.001, 0.01, 0.3):
            results = self.results("loss = share, duplicate = 2 %, corrupt = 0.5 %", "--set", f"share={share}")
            link = self.wire(results)
            self.assertAlmostEqual(link["packets"], SENT, delta=2)
            n = link["packets"]
            self.assert_binomial(link["lost"], n, share)
            left = n - link["lost"]
            self.assert_binomial(link["duplicated"], left, 0.02)
            self.assert_binomial(link["corrupted"], left, 0.005)
            dropped = results["packets"]["dropped"]
            self.assertEqual(dropped["lost"], link["lost"])
            self.assert_binomial(dropped["corrupted"], left * 1.02, 0.005)
            datagrams = results["workloads"][0]["datagrams"]
            # Of a datagram that is doubled the second counts by itself, and not among what is lost (RFC 5560).
            copies = dropped["corrupted"] - link["corrupted"]
            self.assertAlmostEqual(datagrams["lost"], dropped["lost"] + link["corrupted"], delta=2)
            self.assertEqual(results["packets"]["lost"], dropped["lost"] + dropped["corrupted"])
            self.assertAlmostEqual(datagrams["received"] + datagrams["lost"], n, delta=25)
            self.assertAlmostEqual(datagrams["duplicates"] + copies, link["duplicated"], delta=2)
            self.assert_binomial(datagrams["lost"], n, share + (1 - share) * 0.005)

    def test_the_summary_has_arrays_together(self):
        """What the worst of many links did says little of what the model asks of all."""
        model = LINE.replace("host a\n", "host a[20]\n").replace("wire: a ", "wire: a[*] ").replace("on a ", "on a[*] ").replace("100 us", "10 ms").replace("IMPAIRMENTS", "loss = share").replace("MORE", "")
        emulator, path = self.compile(model, "-O0"), self.fresh("results.json")
        summary = run(emulator, "simulate", "--results", path).stdout
        lost = sum(link["lost"] for link in json.loads(path.read_text())["impaired_links"] if link["name"].endswith(">"))
        found = re.search(r"impairments +wire\[\*\]>, 20 links, (\d+) packets: (\d+) lost \(([\d.]+) %\)", summary)
        self.assertTrue(found, summary)
        packets, counted, share = (float(text) for text in found.groups())
        self.assertAlmostEqual(packets, 20 * 2000, delta=40)
        self.assertEqual(counted, lost)
        self.assertAlmostEqual(share, 100 * lost / packets, delta=0.01)
        self.assert_binomial(lost, packets, 0.01)

    def test_none_and_all(self):
        self.assertEqual(self.results("loss = share", "--set", "share=0")["impaired_links"], [])
        self.assertEqual(self.results("loss = 1")["packets"]["delivered"], 0)

    def test_gilbert_elliott_has_its_share_and_its_bursts(self):
        p, r = 0.005, 0.2
        link = self.wire(self.results(f"loss = loss.gilbert_elliott({p}, {r})"))
        share = p / (p + r)
        # Bursts make the count's deviation larger, by about sqrt((2 - p - r) / (p + r)).
        spread = math.sqrt(SENT * share * (1 - share) * (2 - p - r) / (p + r))
        self.assertLess(abs(link["lost"] - SENT * share), 4 * spread)

        # Bursts are counted by a process with the same states that marks the first packet behind each.
        more = """
process behind_bursts(p: ratio, r: ratio) : ratio {
  state lossy: bool = false then if lossy then !chance(r) else chance(p)
  state was: bool = false then lossy
  yield if lossy then 0 else if was then 1 else 0
}
"""
        bursts = self.wire(self.results(f"corrupt = behind_bursts({p}, {r})", more=more))["corrupted"]
        mean_length = SENT * share / bursts
        self.assertAlmostEqual(mean_length, 1 / r, delta=0.1 / r)
        link = self.wire(self.results("loss = loss.bursts(3 %, length = 8)"))
        self.assertAlmostEqual(link["lost"] / SENT, 0.03, delta=0.004)

    def test_periodic_loses_every_hundredth(self):
        link = self.wire(self.results("loss = loss.periodic(100)"))
        self.assertEqual(link["lost"], link["packets"] // 100)
        link = self.wire(self.results("loss = loss.periodic(10, length = 3)"))
        self.assertAlmostEqual(link["lost"], 0.3 * link["packets"], delta=3)

    def test_jitter_keeps_the_order_unless_it_may_not(self):
        # 0 to 1 ms of jitter, a datagram each 100 us: only without order do they pass each other.
        kept = self.results("jitter = uniform(0 s, 1 ms)")
        self.assertEqual(kept["impaired_links"], [])
        self.assertEqual(kept["packets"]["lost"], 0)
        passed = self.results("jitter = uniform(0 s, 1 ms), in_order = false")
        # A datagram passes an earlier one unless the nine before it all arrive first.
        self.assertGreater(self.wire(passed)["reordered"], SENT * 0.5)
        delay = passed["workloads"][0]["delay_seconds"]
        wire = 1e-3 + 128 * 8 / 1e9
        self.assertAlmostEqual(delay["mean"], wire + 0.5e-3, delta=1e-5)
        self.assertGreaterEqual(delay["min"], wire)
        self.assertLessEqual(delay["max"], wire + 1e-3 + 1e-8)
        # In order each waits for those before it: never below, on average above.
        self.assertGreater(kept["workloads"][0]["delay_seconds"]["mean"], delay["mean"] + 1e-4)

    def test_reordered_packets_are_passed(self):
        # Held back for one and a half intervals, each is passed by one.
        link = self.wire(self.results("reorder = 5 %, reorder_delay = 150 us"))
        n = link["packets"]
        held = link["reordered"]
        # One that is held as well does not pass; one behind two that are held passes both at once.
        self.assert_binomial(held, n, 0.05 * 0.95)

    def test_correlated_jitter_has_its_mean(self):
        delay = self.results("jitter = jitter.correlated(5 ms, step = 100 us, correlation = 90 %), in_order = false")
        mean = delay["workloads"][0]["delay_seconds"]["mean"]
        self.assertAlmostEqual(mean, 6e-3 + 128 * 8 / 1e9, delta=3e-5)

    def test_directions_and_seeds_draw_for_themselves(self):
        emulator = self.line("loss = share")
        one, again = self.simulate(emulator), self.simulate(emulator)
        other = self.simulate(emulator, "--seed", "2")
        self.assertEqual(one["digest"], again["digest"])
        self.assertNotEqual(self.wire(one)["lost"], self.wire(other)["lost"])

    def test_tcp_gets_what_the_formula_of_mathis_says(self):
        emulator = self.compile(LOSSY_TCP, "-O0")
        for share in (0.0005, 0.002, 0.01):
            results = self.simulate(emulator, "--set", f"share={share}")
            goodput = results["workloads"][0]["goodput_bps"]
            # Mathis, Semke, Mahdavi and Ott (CCR 1997): MSS / RTT * sqrt(3 / 2) / sqrt(p), each segment acknowledged.
            # ACKs are lost as well, which costs little.
            formula = 8 * 1460 / 50e-3 * math.sqrt(1.5) / math.sqrt(share)
            self.assertGreater(goodput / formula, 0.6, share)
            self.assertLess(goodput / formula, 1.3, share)

    def test_the_same_for_any_partition_and_tier(self):
        plain = self.compile(CHAIN, "-O0")
        specialised = self.compile(CHAIN, "-O2") if ALL else plain
        parted = self.compile(CHAIN, "-O0", "--tasks", "8")
        expected = self.simulate(plain)
        self.assertGreater(expected["packets"]["dropped"]["lost"], 0)
        self.assertGreater(expected["packets"]["dropped"]["corrupted"], 0)
        self.assertTrue(any(link["duplicated"] for link in expected["impaired_links"]))
        self.assertTrue(any(link["reordered"] for link in expected["impaired_links"]))
        for emulator, options in ((specialised, ()), (plain, ("--threads", "2")), (specialised, ("--threads", "4")),
                                  (parted, ("--threads", "1")), (parted, ("--threads", "8"))):
            results = self.simulate(emulator, *options)
            for key in ("digest", "packets", "impaired_links", "transactions"):
                self.assertEqual(results[key], expected[key], (options, key))


if __name__ == "__main__":
    unittest.main()
