"""Relays over UDP against arithmetic: delays and losses from the first sender; the same for any partition and number of threads."""
import json
import unittest

from emulators import ANMLC, EmulatorTest, run

# Datagrams of 200 B with their headers: 0.16 ms on a person's link, 0.016 ms on the unit's.
CONFERENCE = """
import std.traffic
model M(up: ratio = 0, down: ratio = 0) {
  host person[4]
  host unit
  host mirror
  host listener[2]
  router r
  link own: person[*] -- r { rate = 10 Mbps, delay = 5 ms, up { loss = up }, down { loss = down } }
  link unit -- r { rate = 100 Mbps, delay = 1 ms }
  link [mirror, listener[*]] -- r { rate = 100 Mbps, delay = 2 ms }
  workload voice : traffic.Cbr on person[0] { to = unit, port = 5004, payload = 172 B, interval = 20 ms }
  workload forward : traffic.Relay on unit { listen = 5004, to = person[*], port = 5006 }
  MORE
  run { duration = 20 s }
  require p99(forward) < 14 ms && failed(forward) < 60 %
}
"""
UP, DOWN = 5 + 0.16 + 1 + 0.016, 1 + 0.016 + 5 + 0.16


class Relay(EmulatorTest):
    def figures(self, *options, more="", **replaced):
        text = CONFERENCE.replace("MORE", more)
        for old, new in replaced.items():
            text = text.replace(old, new)
        self.results = self.simulate(self.compile(text, *options))
        return {workload["name"]: workload for workload in self.results["workloads"]}

    def test_delays_are_from_the_first_sender(self):
        """Three copies leave one behind the other, and none goes back to the sender."""
        forward = self.figures()["forward"]
        self.assertAlmostEqual(1000 * forward["delay_seconds"]["min"], UP + DOWN, places=6)
        self.assertAlmostEqual(1000 * forward["delay_seconds"]["max"], UP + DOWN + 2 * 0.016, places=6)
        datagrams = forward["datagrams"]
        self.assertEqual(datagrams["sent"], 3 * 1000)
        self.assertEqual(datagrams["lost"], 0)
        self.assertLessEqual(datagrams["sent"] - datagrams["received"], 3)

    def test_a_sender_may_hear_itself(self):
        forward = self.figures(**{"port = 5006": "port = 5006, echo = true"})["forward"]
        self.assertEqual(forward["datagrams"]["sent"], 4 * 1000)

    def test_losses_are_from_end_to_end(self):
        """One in five on the way up is lost to all, one in ten on each way down to one: 1 - 0.8 * 0.9."""
        workloads = self.figures("-D", "up=20%", "-D", "down=10%")
        voice, forward = workloads["voice"]["datagrams"], workloads["forward"]["datagrams"]
        self.assertAlmostEqual(forward["lost_share"], 1 - 0.8 * 0.9, delta=0.04)
        self.assertEqual(forward["sent"], 3 * voice["sent"])
        # What was lost before the unit was lost three times.
        behind = sum(link["lost"] for link in self.results["impaired_links"] if link["name"].endswith("<"))
        self.assertEqual(forward["lost"], 3 * voice["lost"] + behind)

    def test_each_subscriber_has_figures_where_it_has_a_workload(self):
        legs = "for i in 1 .. 3 { workload leg[i] : traffic.Relay on unit { listen = 5004, to = person[i], port = 5007 } }"
        workloads = self.figures("-D", "down=10%", more=legs)
        for i in (1, 2, 3):
            leg = workloads[f"leg[{i}]"]["datagrams"]
            self.assertEqual(leg["sent"], 1000)
            self.assertAlmostEqual(leg["lost_share"], 0.1, delta=0.04)

    def test_relays_behind_relays(self):
        """A mirror gets a copy and sends it to two listeners: delays add up, and what is lost before is lost for all behind."""
        more = """workload to_mirror : traffic.Relay on unit { listen = 5004, to = mirror, port = 6000 }
  workload hear : traffic.Relay on mirror { listen = 6000, to = listener[*], port = 6001 }"""
        hear = self.figures("-D", "up=25%", more=more)["hear"]
        self.assertAlmostEqual(1000 * hear["delay_seconds"]["min"], UP + 1 + 0.016 + 2 + 0.016 + 2 * (2 + 0.016), delta=0.05)
        self.assertEqual(hear["datagrams"]["sent"], 2 * 1000)
        self.assertAlmostEqual(hear["datagrams"]["lost_share"], 0.25, delta=0.04)

    def test_switched_off_it_sends_nothing(self):
        forward = self.figures(more="at 5 s { forward off }\n  at 15 s { forward on }")["forward"]
        self.assertAlmostEqual(forward["datagrams"]["sent"], 3 * 500, delta=3)

    def test_expected_load(self):
        """The compiler expects what a run counts: one datagram to the unit, three from there."""
        path = self.fresh("expected.anml")
        path.write_text(CONFERENCE.replace("MORE", "endpoint tap\n  link tap -- r { rate = 1 Gbps }"))  # it is said of models that can be live
        expected = json.loads(run(ANMLC, path, "--emit=plan").stdout)["expected_hops"]
        counted = self.simulate(self.compile(path))["packet_hops"] / 20
        self.assertAlmostEqual(expected / counted, 1, delta=0.01)

    def test_alike_however_it_is_run(self):
        text = CONFERENCE.replace("up: ratio = 0, down: ratio = 0", "up: ratio = 10 %, down: ratio = 5 %").replace("on person[0]", "on person[*]").replace("20 s", "3 s")
        text = text.replace("MORE", "at 1 s { own[2] down }\n  at 2 s { own[2] up }\n  workload talk : traffic.OnOff on person[*] { to = unit, port = 5004, rate = 200 Kbps }")
        (digest, workloads), _ = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)


if __name__ == "__main__":
    unittest.main()
