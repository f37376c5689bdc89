"""Forward RTO-recovery (RFC 5682): what a path that suddenly becomes slower costs, with and without."""
import unittest

from emulators import EmulatorTest

SPIKE = """
import std.tcp
import std.traffic

profile law : Tcp {{ send_buffer = 64 KB, {settings} }}

model Spike {{
  host a {{ tcp = law }}
  host b {{ tcp = law }}
  link x: a -- b {{ rate = 10 Mbps, delay = 20 ms, queue = droptail(1 MB){link} }}
  {happens}
  workload w : traffic.Bulk on a {{ to = b, start_spread = 0 s }}
  run {{ duration = 6 s }}
}}
"""
LATE = "at 2 s { x { delay = 400 ms } }"


class ForwardRecovery(EmulatorTest):
    def spike(self, settings, happens=LATE, link=""):
        return self.simulate(self.compile(SPIKE.format(settings=settings, happens=happens, link=link)))

    def test_a_path_that_becomes_slower_has_one_segment_sent_again(self):
        """65536 B are under way, 44 segments; all of them arrive, 380 ms later than the time-out expects. With selective acknowledgments there are
        probes besides, until the round trip is known."""
        for sack, most in (("true", 18), ("false", 1)):
            found = self.spike(f"timestamps = false, sack = {sack}, frto = true")
            self.assertEqual(found["packets"]["dropped"]["queue"], 0)
            self.assertLessEqual(found["retransmissions"], most)
            without = self.spike(f"timestamps = false, sack = {sack}, frto = false")
            self.assertGreater(without["retransmissions"], 44 + most)
            self.assertGreater(found["workloads"][0]["delivered_bytes"], without["workloads"][0]["delivered_bytes"])

    def test_timestamps_tell_as_much(self):
        for frto in ("true", "false"):
            self.assertLessEqual(self.spike(f"frto = {frto}")["retransmissions"], 2)  # a probe, and the time-out's

    def test_all_of_what_was_under_way_is_lost(self):
        """The link is down for 300 ms: what is lost is sent again, once, whether new data went before it or not."""
        for settings in ("timestamps = false", "timestamps = true"):
            found, without = (self.spike(f"{settings}, frto = {frto}", "at 2 s { x down }\n  at 2300 ms { x up }") for frto in ("true", "false"))
            lost = sum(found["packets"]["dropped"].values())
            self.assertGreater(lost, 20)
            self.assertLessEqual(abs(found["retransmissions"] - without["retransmissions"]), 6)
            ratio = found["workloads"][0]["delivered_bytes"] / without["workloads"][0]["delivered_bytes"]
            self.assertAlmostEqual(ratio, 1, delta=0.05)

    def test_losses_are_not_taken_for_delays(self):
        """Where nothing is late, time-outs are real: as much arrives as without, and no more is sent again."""
        lossy = dict(happens="", link=", loss = 8 %")
        rates = []
        for settings in ("timestamps = false", "timestamps = true"):
            found = self.spike(f"{settings}, frto = true", **lossy)
            without = self.spike(f"{settings}, frto = false", **lossy)
            rates.append(found["workloads"][0]["delivered_bytes"] / without["workloads"][0]["delivered_bytes"])
        self.assertTrue(all(0.7 < rate < 1.5 for rate in rates), rates)


if __name__ == "__main__":
    unittest.main()
