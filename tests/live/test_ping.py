"""A virtual host pings a real one: its kernel answers, and its round trips compare with those that it measures itself."""
import json
import unittest

from netlab import Lab, addresses, by_the_clock, main, median, ping, wait_until

MODEL = """
import std.ether
import std.traffic

model Pinged(payload: size = 56 B) {
  endpoint server { address = 10.0.0.80 }
  router r
  host client[4]
  link client[*] -- r : ether.fast { delay = 5 ms }
  link entry: r -- server : ether.gigabit { delay = 5 ms }
  workload probe : traffic.Ping on client[*] { to = server, interval = 50 ms, payload = payload, start_spread = 50 ms }
  workload gone : traffic.Ping on client[0] { to = server, interval = 200 ms, ttl = 1 }
  run { duration = 4 s, warmup = 1 s }
}
"""


class Ping(unittest.TestCase):
    def run_live(self, *options):
        with Lab() as lab:
            emulator = lab.compile(MODEL, *options)
            host, inside = lab.host_outside(emulator)
            results = lab.folder / "live.json"
            live = lab.start(emulator, "live", "--attach", "server=if:veth0", "--results", results, space=inside)
            client = addresses(emulator)["client"]
            wait_until(lambda: ping(lab, host, client, 1), 10, "the first reply")
            seen = ping(lab, host, client, 20)
            self.assertEqual(live.wait(20), 0, live.output())
            return json.loads(results.read_text())["workloads"], seen

    @by_the_clock("round trips, within 0.3 ms")
    def test_the_kernel_answers(self):
        (probe, gone), seen = self.run_live()
        trip, counted = probe["round_trip_seconds"], probe["requests"]
        self.assertAlmostEqual(counted["sent"], 240, delta=4)
        self.assertEqual((counted["lost"], counted["unreachable"], counted["duplicates"]), (0, 0, 0))
        self.assertGreaterEqual(counted["received"], counted["sent"] - 4)
        self.assertGreaterEqual(trip["min"], 20e-3)
        self.assertAlmostEqual(gone["requests"]["time_exceeded"], 15, delta=1)
        self.assertAlmostEqual(trip["median"], median(seen) / 1000, delta=0.3e-3)
        self.assertAlmostEqual(trip["median"], 20e-3, delta=0.4e-3)

    def test_a_large_payload(self):
        (probe, _), _ = self.run_live("-D", "payload=1400B")
        self.assertEqual(probe["requests"]["lost"], 0)
        self.assertGreaterEqual(probe["round_trip_seconds"]["min"], 20e-3 + 2 * 1428 * 8 * (1 / 100e6 + 1 / 1e9))


if __name__ == "__main__":
    main()
