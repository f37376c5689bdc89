"""Requests over UDP against arithmetic, and the same for any partition and number of threads."""
import unittest

from emulators import EmulatorTest

MODEL = """
import std.traffic
model M(loss: ratio = 0, timeout: time = 1 s, think: time = 100 ms) {
  host a[8]
  host b
  router r
  link a[*] -- r { rate = 10 Mbps, delay = 5 ms }
  link far: r -- b { rate = 10 Mbps, delay = 10 ms, loss = loss }
  workload w : traffic.Requests on a[*] { to = b, port = 53, request = 64 B, response = 200 B, think = think, timeout = timeout }
  run { duration = 20 s }
}
"""
# Each crosses two links; 28 bytes of headers.
ROUND_TRIP = 2 * (15e-3 + (64 + 28 + 200 + 28) * 8 / 10e6)


class Requests(EmulatorTest):

    def figures(self, *options):
        [workload] = self.simulate(self.compile(MODEL, *options))["workloads"]
        return workload

    def test_a_round_trip_is_the_way_there_and_back(self):
        figures = self.figures()
        self.assertAlmostEqual(figures["round_trip_seconds"]["min"], ROUND_TRIP, places=8)
        self.assertEqual(figures["requests"]["lost"], 0)
        # A host asks again after the round trip and the think time; queues add little.
        expected = 8 * 20 / (ROUND_TRIP + 0.1)
        self.assertAlmostEqual(figures["requests"]["received"] / expected, 1, delta=0.02)

    def test_what_is_lost_on_either_way_has_no_response(self):
        requests = self.figures("-D", "loss=10%")["requests"]
        self.assertAlmostEqual(requests["lost"] / (requests["lost"] + requests["received"]), 1 - 0.9 ** 2, delta=0.04)
        self.assertEqual(requests["late"], 0)

    def test_a_response_behind_the_time_out_is_late(self):
        requests = self.figures("-D", "timeout=20ms")["requests"]
        self.assertEqual(requests["received"], 0)
        self.assertGreater(requests["late"], 0.9 * requests["lost"])

    def test_alike_however_it_is_run(self):
        self.however_it_is_run(MODEL.replace("loss: ratio = 0", "loss: ratio = 5 %"), "workloads")


if __name__ == "__main__":
    unittest.main()
