"""Fluid background traffic against arithmetic, and the same for any partition and number of threads."""
import re
import unittest

from emulators import EmulatorTest, run

# Two links of the line: 10 Mbps and 20 ms of queue, then more than enough.
MODEL = """
import std.traffic
model M(%(parameters)s) {
  host a[4]
  host b[4]
  host c
  host d
  router r
  router s
  link a[*] -- r { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB) }
  link c -- r { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB) }
  link line: r -- s { rate = 10 Mbps, delay = 1 ms, queue = droptail(25000 B), overhead = 0 B }
  link b[*] -- s { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB) }
  link d -- s { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB) }
  workload crowd : traffic.Background on a[*] { to = b[*], %(crowd)s }
  workload probe : traffic.Cbr on c { to = d, payload = 97 B, interval = 10 ms, start_spread = 0 s }
  %(more)s
  run { duration = %(duration)s, warmup = %(warmup)s }
}
"""


def model(crowd, parameters="x: ratio = 0", more="", duration="10 s", warmup="1 s"):
    return MODEL % {"crowd": crowd, "parameters": parameters, "more": more, "duration": duration, "warmup": warmup}


# 125 bytes over three links of 1 ms, one of them at 10 Mbps, the others at 1 Gbps.
def way():
    return 3e-3 + 2 * 125 * 8 / 1e9 + 125 * 8 / 10e6


class Fluid(EmulatorTest):

    def figures(self, text, *options, simulate=()):
        results = self.simulate(self.compile(text, *options), *simulate)
        workloads = {w["name"]: w for w in results["workloads"]}
        links = {l["name"]: l for l in results["fluid_links"]}
        return results, workloads["crowd"]["fluid"], workloads["probe"], links

    def test_below_the_rate_nothing_waits_and_nothing_is_lost(self):
        _, crowd, probe, links = self.figures(model("flows = 100, flow_rate = 20 Kbps"))
        self.assertAlmostEqual(crowd["flows"], 400)
        self.assertAlmostEqual(crowd["offered_bps"], 8e6, delta=1)
        self.assertAlmostEqual(crowd["carried_bps"], 8e6, delta=1)
        self.assertEqual(crowd["lost_share"], 0)
        self.assertAlmostEqual(links["line>"]["utilisation"], 0.8, places=6)
        self.assertAlmostEqual(links["line>"]["packet_utilisation"], 0.01, places=4)
        self.assertEqual(sorted(round(l["offered_bps"]) for l in links.values()), 8 * [2000000] + [8000000])
        self.assertEqual(probe["datagrams"]["lost"], 0)
        self.assertAlmostEqual(probe["delay_seconds"]["mean"], way(), delta=2e-8)

    def test_the_step_is_a_tenth_of_what_is_shortest(self):
        for times, step in (("burst = 100 ms, pause = 100 ms", "10 ms"), ("burst = 2 s, pause = 50 ms", "5 ms"), ("burst = 30 ms", "3 ms"),
                            ("burst = 10 s, pause = 20 s", "100 ms")):
            crowd = f"flows = 20, flow_rate = 200 Kbps, {times}"
            plain, said, other = (self.figures(model(crowd + more, duration="3 s"))
                                  for more in ("", f", step = {step}", ", step = 50 ms"))
            self.assertEqual(plain[0]["digest"], said[0]["digest"], times)
            self.assertEqual(plain[1:], said[1:], times)
            self.assertNotEqual(plain[1]["offered_bps"], other[1]["offered_bps"], times)

    def test_the_summary_says_what_its_figures_are(self):
        text = run(self.compile(model("flows = 1, flow_rate = 5 Mbps")), "simulate").stdout
        self.assertRegex(text, r"crowd .*4\.0 flows on average, 20 Mbps offered; by rates alone, without queues, 10 Mbps carried and 50 % lost\n")
        self.assertRegex(text, r"fluid on links .*line> [0-9.]+ % fluid and [0-9.]+ % packets \([0-9.]+ % of the fluid lost\)")

    def test_above_the_rate_the_queue_is_full_and_both_lose_alike(self):
        results, crowd, probe, links = self.figures(model("flows = 1, flow_rate = 5 Mbps", duration="60 s"))
        line = links["line>"]
        expected = 1 - 10 / 20.1
        self.assertAlmostEqual(line["lost_share"], expected, delta=0.001)
        self.assertAlmostEqual(crowd["lost_share"], 0.5)  # by rates alone
        self.assertAlmostEqual(probe["datagrams"]["lost_share"], expected, delta=0.03)
        self.assertAlmostEqual(line["utilisation"] + line["packet_utilisation"], 1, delta=1e-3)
        # A full queue of 20 ms before each.
        self.assertAlmostEqual(probe["delay_seconds"]["mean"], way() + 0.02, delta=2e-4)
        [busiest] = [l for l in results["busiest_links"] if l["name"] == "line>"]
        self.assertAlmostEqual(busiest["utilisation"], 1, delta=1e-3)

    def test_bursts_share_their_time(self):
        _, crowd, _, links = self.figures(model("flows = 100, flow_rate = 20 Kbps, burst = 100 ms, pause = 300 ms", duration="60 s"))
        self.assertAlmostEqual(crowd["flows"], 100, delta=1)
        self.assertAlmostEqual(crowd["offered_bps"] / (20e3 * crowd["flows"]), 1, places=6)
        self.assertAlmostEqual(links["line>"]["offered_bps"] / crowd["offered_bps"], 1, places=6)
        _, crowd, _, _ = self.figures(model("flows = 25, flow_rate = 20 Kbps, burst = 100 ms", duration="60 s"))
        self.assertAlmostEqual(crowd["flows"], 100, delta=2)

    def test_elastic_flows_fill_what_they_may(self):
        _, crowd, probe, links = self.figures(model("flows = 10, flow_rate = 1 Gbps, elastic = true, fill = 0.75"))
        self.assertAlmostEqual(crowd["carried_bps"], 7.5e6, delta=1)
        self.assertEqual(crowd["lost_share"], 0)
        self.assertAlmostEqual(probe["delay_seconds"]["mean"], way(), delta=2e-8)

    def test_the_timeline_changes_flows_and_links(self):
        halves = "  at 5 s { crowd { load = 0.5 } }\n"
        _, crowd, _, _ = self.figures(model("flows = 1, flow_rate = 1 Mbps", more=halves, duration="9 s"))
        self.assertAlmostEqual(crowd["offered_bps"], 4e6 * (4 + 2) / 8, delta=1)
        off = "  from 3 s to 5 s { crowd { active = 25 % } }\n"
        _, crowd, _, _ = self.figures(model("flows = 1, flow_rate = 1 Mbps", more=off, duration="9 s"))
        self.assertAlmostEqual(crowd["offered_bps"], 4e6 * (6 + 0.5) / 8, delta=1)
        slower = "  at 5 s { line { rate = 2 Mbps } }\n"
        _, crowd, _, links = self.figures(model("flows = 1, flow_rate = 1 Mbps", more=slower, duration="9 s"))
        self.assertAlmostEqual(crowd["lost_share"], 0.25, delta=1e-6)
        self.assertAlmostEqual(links["line>"]["lost_share"], 0.25, delta=0.01)
        down = "  from 3 s to 5 s { line down }\n"  # there is no other way
        _, crowd, _, _ = self.figures(model("flows = 1, flow_rate = 1 Mbps", more=down, duration="9 s"))
        self.assertAlmostEqual(crowd["offered_bps"], 4e6, delta=1)
        self.assertAlmostEqual(crowd["lost_share"], 0.25, delta=1e-6)

    def test_what_waits_is_lost_with_its_link(self):
        text = model("flows = 1, flow_rate = 5 Mbps", more="  from 3 s to 4 s { line down }\n  at 5 s { crowd off, probe off }\n", warmup="0 s")
        _, _, _, links = self.figures(text)
        line = links["line>"]
        self.assertAlmostEqual(line["offered_bps"] * (1 - line["lost_share"]), line["carried_bps"], delta=10)
        # Half of what came in four seconds; the full queue that was lost at 3 s is the one that was filled at 0 s.
        self.assertAlmostEqual(line["offered_bps"] * line["lost_share"] * 10 / 8, 5e6, delta=5000)
        self.assertAlmostEqual(line["utilisation"] + line["packet_utilisation"], 0.402, delta=1e-3)

    def test_elastic_flows_without_a_route_send_nothing(self):
        down = "  from 3 s to 5 s { line down }\n"
        _, crowd, _, _ = self.figures(model("flows = 1, flow_rate = 1 Mbps, elastic = true", more=down, duration="9 s"))
        self.assertAlmostEqual(crowd["flows"], 4)
        self.assertAlmostEqual(crowd["offered_bps"], 4e6 * 6 / 8, delta=1)
        self.assertEqual(crowd["lost_share"], 0)

    def test_no_link_transmits_more_than_it_can(self):
        deep = "queue = droptail(10 MB)"
        for more in "", "  from 5 s to 6 s { line down }\n", "  at 4 s { line { rate = 100 Mbps } }\n", "  at 4 s { line { rate = 1 Mbps } }\n":
            text = model("flows = 1, flow_rate = 5 Mbps", more=more).replace("queue = droptail(25000 B)", deep)
            with self.subTest(more=more):
                results, _, _, links = self.figures(text)
                line = links["line>"]
                self.assertLessEqual(line["utilisation"] + line["packet_utilisation"], 1 + 1e-6)
                [busiest] = [l for l in results["busiest_links"] if l["name"] == "line>"]
                self.assertLessEqual(busiest["utilisation"], 1 + 1e-6)
                if not more:
                    self.assertAlmostEqual(line["utilisation"] + line["packet_utilisation"], 1, delta=1e-3)
                    self.assertLessEqual(line["carried_bps"], 10e6)

    def test_queues_without_bounds_at_the_second_tier(self):
        text = re.sub(r"droptail\([^)]*\)", "droptail(5 GB)", model("flows = 100, flow_rate = 20 Kbps"))
        _, _, probe, _ = self.figures(text, "-O2")
        self.assertGreater(probe["datagrams"]["received"], 0)
        self.assertEqual(probe["datagrams"]["lost"], 0)

    def test_thresholds_judge_it(self):
        bounds = "  require failed(crowd) < 1 %\n  require throughput(crowd) > 7 Mbps\n"
        results, _, _, _ = self.figures(model("flows = 100, flow_rate = 20 Kbps", more=bounds))
        self.assertEqual([t["met"] for t in results["thresholds"]], [True, True])

    def test_alike_however_it_is_run(self):
        changes = """  at 2 s { line { rate = 8 Mbps } }
  from 3 s to 3500 ms { crowd { load = 1.5 } }"""
        text = model("flows = 50, flow_rate = 60 Kbps, burst = 200 ms, pause = 100 ms, step = 20 ms", more=changes, duration="4 s")
        found, emulator = self.however_it_is_run(text, "workloads", "fluid_links", "busiest_links")
        self.either_tier_has(text, found[0], found[1])
        self.assertNotEqual(self.simulate(emulator, "--seed", 2)["digest"], found[0])


if __name__ == "__main__":
    unittest.main()
