"""Routes that follow delays: the shortest path by what held when the period ended last, and when it changes."""
import unittest

from emulators import OTHER_TIER, EmulatorTest

# One way's delay rises by 1 ms a second from 10 ms, the other one has 15.5 ms: they cross behind 5 s.
MODEL = """
import std.traffic
model Crossing {{
  routing {{ {routing} }}
  router a
  router b
  router c
  host source
  host sink
  link near: source -- a {{ rate = 1000 Tbps }}
  link ab: a -- b {{ rate = 1000 Tbps, delay = 10 ms }}
  link ac: a -- c {{ rate = 1000 Tbps, delay = 7.5 ms }}
  link cb: c -- b {{ rate = 1000 Tbps, delay = 8 ms }}
  link far: b -- sink {{ rate = 1000 Tbps }}
  workload w : traffic.Cbr on source {{ start_spread = 0 s, to = sink, payload = 100 B, interval = 10 ms }}
  run {{ duration = 20 s }}
  {timeline}
}}
"""
RISE = "every 1 s as k { ab { delay = (11 + k) * 1 ms } }"


class FollowingRoutes(EmulatorTest):
    quick = True

    def delays(self, routing, timeline=RISE):
        return self.simulate(self.compile(MODEL.format(routing=routing, timeline=timeline)))["workloads"][0]["delay_seconds"]

    def detour(self, seconds):
        """The mean delay of 2000 packets of which those from `seconds` on go by way of c."""
        return sum(0.0155 if i * 0.01 >= seconds else 0.010 + i // 100 * 0.001 for i in range(2000)) / 2000

    def test_without_it_routes_stay(self):
        delays = self.delays("metric = delay")
        self.assertAlmostEqual(delays["max"], 0.029, places=5)  # at the last second

    def test_the_period_decides_when(self):
        # At 6 s the way has 16 ms, at the next multiple of the period packets leave it.
        for period, since in (("1 s", 6), ("2 s", 6), ("4 s", 8), ("5 s", 10), ("700 ms", 6.3), ("1 h", 99)):
            delays = self.delays(f"follow_delays = {period}")
            self.assertAlmostEqual(delays["mean"], self.detour(since), delta=1.2e-5, msg=period)

    def test_routers_know_later(self):
        """The ends of what changed see it, and compute; here these are all that have a choice."""
        delays = self.delays("follow_delays = 2 s, detection = 300 ms, flooding = 5 s, computation = 200 ms")
        self.assertAlmostEqual(delays["mean"], self.detour(6.5), delta=1.2e-5)

    def test_back_again(self):
        """From 6 s to 12 s slow, as an interval: with 5 s routes are others from 10 s to 15 s."""
        delays = self.delays("follow_delays = 5 s", "from 6 s to 12 s { ab { delay = 30 ms } }")
        expected = 600 * 0.010 + 400 * 0.030 + 500 * 0.0155 + 500 * 0.010
        self.assertAlmostEqual(delays["mean"], expected / 2000, delta=3e-5)

    def test_links_that_come_up_have_what_was_taken_up(self):
        """At 6 s ab has 16 ms for routes that follow by 6 s; it comes up at 7 s, when it has 10 ms again, and is taken at 12 s."""
        timeline = "at 5 s { ab { delay = 16 ms } }\nat 6.5 s { ab down }\nat 6.8 s { ab { delay = 10 ms } }\nat 7 s { ab up }"
        delays = self.delays("follow_delays = 6 s", timeline)
        expected = 500 * 0.010 + 100 * 0.016 + 600 * 0.0155 + 800 * 0.010
        self.assertAlmostEqual(delays["mean"], expected / 2000, delta=3e-5)

    def test_threads_and_tasks_agree(self):
        timeline = RISE + "\nfrom 3 s to 4 s { cb down }"
        digests = set()
        for tasks, level in dict.fromkeys(((1, "-O0"), (1, OTHER_TIER), (3, "-O0"))):
            emulator = self.compile(MODEL.format(routing="follow_delays = 700 ms, multipath = ecmp", timeline=timeline), level, "--tasks", tasks)
            digests.update(self.simulate(emulator, "--threads", threads)["digest"] for threads in (1, 2))
        self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    unittest.main()
