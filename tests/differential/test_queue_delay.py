"""How long packets wait in the queues of links: against arithmetic and the M/D/1 queue; alike however it is run."""
import unittest

from emulators import ANMLC, TIERS, EmulatorTest, run

T = 1028 * 8 / 1e6  # seconds that a packet of traffic.Cbr, with its default payload, takes at 1 Mbps

# So many packets at once come to the core.
AT_ONCE = """
import std.queue
import std.traffic
model M {{
  host a[{hosts}]
  router r
  host b
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link core: r -- b {{ rate = 1 Mbps, delay = 1 ms{core} }}
  workload w : traffic.Cbr on a[*] {{ to = b, interval = {interval}, start_spread = 0 s }}
  {more}
  run {{ duration = 4 s, warmup = {warmup} }}
}}
"""
DISCIPLINES = ("", ", queue = droptail(1 GB)", ", queue = queue.priority(256 KB)", ", queue = queue.drr(256 KB)", ", queue = queue.red(1 MB)", ", queue = droptail(packets = 10)")

# Requests of so many that arrivals are nearly Poisson's; each takes 1 ms.
POISSON = """
import std.traffic
model M {
  host a[2000]
  router r
  host b
  link a[*] -- r { rate = 10 Gbps, delay = 1 ms }
  link core: r -- b { rate = 8.224 Mbps, delay = 1 ms, queue = droptail(1 GB) }
  workload w : traffic.Requests on a[*] { to = b, request = 1000 B, response = 100 B, think = exponential(2.5 s) }
  run { duration = 205 s, warmup = 5 s }
}
"""

# Disciplines of both services, a fluid, a trace of changes, and a buffer that is shared.
MIXED = """
import std.queue
import std.traffic
model M {
  host a[4]
  router r[2]
  host b[4]
  link a[*] -- r[0] { rate = 100 Mbps, delay = 1 ms }
  link core: r[0] -- r[1] { rate = 10 Mbps, delay = 5 ms, queue = droptail(64 KB) }
  link p0: r[1] -- b[0] { rate = 4 Mbps, delay = 2 ms, queue = queue.fq_codel(packets = 100) }
  link p1: r[1] -- b[1] { rate = 4 Mbps, delay = 2 ms, queue = queue.red(64 KB), loss = 1 % }
  link p2: r[1] -- b[2] { rate = 4 Mbps, delay = 2 ms, queue = queue.htb(64 KB, rate = 1 Mbps, ceil = 3 Mbps) }
  link p3: r[1] -- b[3] { rate = 4 Mbps, delay = 2 ms }
  workload bulk : traffic.Bulk on a[*] { to = b[*] }
  workload storm : traffic.OnOff on a[*] { to = b[*], rate = 3 Mbps }
  at 1 s { p1 { rate = 2 Mbps }, core { rate = 8 Mbps } }
  at 2 s { p3 down }
  at 2500 ms { p3 up }
  require queue_delay(core) > 0 s && max_queue_delay(p1, up) > 0 s && losses(core, up) >= 0
  run { duration = 4 s, warmup = 500 ms }
}
"""


def links(results):
    return {link["name"]: link for link in results["busiest_links"]}


class QueueDelay(EmulatorTest):

    def core(self, hosts=2, interval="20 ms", core="", more="", warmup="1 s", level="-O0"):
        text = AT_ONCE.format(hosts=hosts, interval=interval, core=core, more=more, warmup=warmup)
        results = self.simulate(self.compile(text, level))
        return links(results)["core>"], results

    def holds(self, link, mean, longest, name=None):
        found = link["queue_delay_seconds"]
        self.assertAlmostEqual(found["mean"], mean, delta=2e-9, msg=name)
        self.assertAlmostEqual(found["max"], longest, delta=2e-9, msg=name)

    def test_time_on_the_wire(self):
        """What a link transmits in the window is its utilisation: without waits for tokens, with what came before it."""
        model = """
import std.queue
import std.traffic
model M {
  host a
  router r
  host b
  link a -- r { rate = 1 Gbps }
  link core: r -- b { CORE }
  workload w : traffic.Cbr on a { to = b, payload = 972 B, rate = 4 Mbps, start_spread = 0 s }
  at 5 s { w off }
  MORE
  run { duration = 10 s, warmup = WARMUP }
}
"""
        bucket = "rate = 100 Mbps, queue = queue.token_bucket(100 MB, rate = 1 Mbps, burst = 10000 B)"
        for core, more, warmup, expected in ((bucket, "", "0 s", 0.01008), (bucket, "", "6 s", 0.01), (bucket, "at 8 s { core down }", "6 s", 0.005), ("rate = 1 Mbps, queue = droptail(100 MB)", "", "7 s", 1)):
            text = model.replace("CORE", core).replace("MORE", more).replace("WARMUP", warmup)
            with self.subTest(core, more=more, warmup=warmup):
                found = {link["name"]: link["utilisation"] for link in self.simulate(self.compile(text))["busiest_links"]}
                self.assertAlmostEqual(found["core>"], expected, delta=1e-4)

    def test_the_second_of_two_waits_for_the_first(self):
        for core in DISCIPLINES:
            link, results = self.core(core=core)
            self.assertEqual(link["packets"], 300, core)
            self.holds(link, T / 2, T, core)
            # What waits on the way is what the way takes longer than alone.
            delay = results["workloads"][0]["delay_seconds"]
            self.assertAlmostEqual(delay["mean"] - delay["min"], link["queue_delay_seconds"]["mean"], delta=3e-9, msg=core)
            self.assertEqual(links(results)["core<"]["queue_delay_seconds"] if "core<" in links(results) else None, None)
        for level in TIERS[1:]:
            link, _ = self.core(level=level)
            self.holds(link, T / 2, T)

    def test_who_waits_for_nobody_waits_no_time(self):
        link, results = self.core(hosts=1)
        self.holds(link, 0, 0)
        self.assertEqual(links(results)["link a -- r"]["queue_delay_seconds"] if "link a -- r" in links(results) else {"max": 0}, {"max": 0})

    def test_a_rate_that_changes_moves_those_that_wait(self):
        # Four at once, each second; 2.01 s is so long after they came to the core:
        since = 0.01 - 0.001 - 1028 * 8 / 100e6
        half = [since + (n * T - since) / 2 for n in (2, 3)]
        waits = 2 * 6 * T + T + sum(half) + 3 * T
        for core in (*DISCIPLINES, ", jitter = exponential(10 us)"):
            link, _ = self.core(4, "1 s", core, "at 2010 ms { core { rate = 2 Mbps } }", "0 s")
            self.assertEqual(link["packets"], 16, core)
            self.holds(link, waits / 16, 3 * T, core)

    def test_what_a_failure_takes_from_the_queue_is_left_out(self):
        for core in (*DISCIPLINES, ", jitter = exponential(10 us)"):
            link, _ = self.core(4, "1 s", core, "at 2010 ms { core down }\n  at 2500 ms { core up }", "0 s")
            self.assertEqual(link["packets"], 13, core)
            self.holds(link, 18 * T / 13, 3 * T, core)

    def test_the_queue_is_that_of_theory(self):
        results = self.simulate(self.compile(POISSON))
        link, service = links(results)["core>"], 1e-3
        load = link["utilisation"]
        self.assertAlmostEqual(load, 0.8, delta=0.02)
        wait = load * service / (2 * (1 - load))  # Pollaczek and Khinchine's, of M/D/1
        self.assertAlmostEqual(link["queue_delay_seconds"]["mean"] / wait, 1, delta=0.08)
        self.assertGreater(link["queue_delay_seconds"]["max"], 8e-3)

    def test_alike_however_it_is_run(self):
        (digest, busiest, measures), emulator = self.however_it_is_run(MIXED, "busiest_links", "measures")
        self.assertGreater(sum(link["queue_delay_seconds"]["max"] > 1e-3 for link in busiest), 4)
        core = next(link for link in busiest if link["name"] == "core>")
        back = next(link for link in busiest if link["name"] == "core<")
        delay = [link["queue_delay_seconds"]["mean"] for link in (core, back)]
        share = core["dropped"] / (core["dropped"] + core["packets"])
        self.assertEqual(measures["queue_delay(core)"], max(delay))
        self.assertEqual(measures["losses(core, up)"], share)
        p1 = next(link for link in busiest if link["name"] == "p1>")
        self.assertEqual(measures["max_queue_delay(p1, up)"], p1["queue_delay_seconds"]["max"])
        for level in TIERS[1:]:
            fast = self.simulate(self.compile(MIXED, level))
            self.assertEqual((fast["digest"], fast["busiest_links"], fast["measures"]), (digest, busiest, measures))

    def test_an_expansion_asks_the_same(self):
        model, expanded = self.fresh("model.anml"), self.fresh("expanded.anml")
        model.write_text(MIXED)
        run(ANMLC, model, "--emit=anml", "-o", expanded)
        found, wanted = (self.simulate(self.compile(path)) for path in (expanded, model))
        self.assertEqual(found["measures"], wanted["measures"])
        self.assertEqual(len(found["measures"]), 3)

    def test_thresholds_and_batches(self):
        more = "require queue_delay(core) < 1 ms else \"it waits\"\n  require losses(core, up) == 0 && queue_delay(core, down) < 1 ms"
        text = AT_ONCE.format(hosts=2, interval="20 ms", core="", more=more, warmup="1 s")
        emulator, file = self.compile(text), self.fresh("results.json")
        done = run(emulator, "simulate", "--results", file, check=False)
        self.assertEqual(done.returncode, 99)
        self.assertIn("it waits: queue_delay(core) is 4.112 ms", done.stderr)
        self.assertIn("queue_delay(core, down) was not measured (no packet came)", done.stderr)
        self.assertIn("  queue delays   core> 4.112 ms on average, at most 8.224 ms\n", done.stdout)
        batches = self.simulate(emulator, "--batches", 10, thresholds=False)["batches"]
        self.assertEqual(batches["count"], 10)
        for value in batches["measures"]["queue_delay(core)"]:
            self.assertAlmostEqual(value, T / 2, delta=2e-9)
        self.assertEqual(batches["measures"]["queue_delay(core, down)"], [None] * 10)


if __name__ == "__main__":
    unittest.main()
