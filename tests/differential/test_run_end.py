"""A run is from 0 up to its end: what is due at the very end neither happens nor counts. And figures of very long and of full ones."""
import json
import resource
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.traffic
import std.web

model Ends {
  host pc
  endpoint server { simulated = web.server() }
  link line: pc -- server { rate = 100 Mbps, delay = 1 ms }
  workload ask : web.OpenLoop on pc { server = server, documents = web.fixed(100 B), interval = 100 ms, start_spread = 0 s }
  workload probe : traffic.Ping on pc { to = server, interval = 100 ms, start_spread = 0 s }
  workload tick : traffic.Cbr on pc { to = server, interval = 100 ms, start_spread = 0 s, port = 2000 }
  require completed(ask, until = 1 s) == 10
  require completed(probe) == 10
  at 1 s { line down }
  run { duration = 1 s }
}
"""

LONG = """
import std.traffic

model Long {
  host a
  host b
  link line: a -- b { rate = 1 Mbps, delay = 1 ms }
  workload tick : traffic.Cbr on a { to = b, interval = 100 s, start_spread = 0 s }
  run { duration = 1000 h }
}
"""

FULL = """
import std.queue
import std.traffic

model Full {
  host a
  host b
  link line: a -- b { rate = RATE, delay = 1 ms, queue = QUEUE }
  workload flood : traffic.Cbr on a { to = b, payload = PAYLOAD B, interval = 20 us, start_spread = 0 s }
  run { duration = LENGTH ms, warmup = 5 ms }
}
"""


class RunEnd(EmulatorTest):

    def test_nothing_happens_at_the_end(self):
        emulator = self.compile(MODEL, "--tasks", "2")
        found = [self.simulate(emulator, *given) for given in ((), ("--threads", "2"), ("--for", "1000ms"))]
        for results in found:
            ask, probe, tick = results["workloads"]
            offered = ask["offered"]
            self.assertEqual((offered["due"], ask["transactions"]["completed"], ask["transactions"]["in_progress"]), (10, 10, 0))
            self.assertEqual((probe["requests"]["sent"], probe["requests"]["received"], probe["requests"]["in_progress"]), (10, 10, 0))
            self.assertEqual((tick["datagrams"]["sent"], tick["datagrams"]["received"]), (10, 10))
            self.assertEqual((results["timeline"]["events"], results["simulated_seconds"], results["window"]["end"]), ([], 1, 1))
            self.assertEqual([t["met"] for t in results["thresholds"]], [True, True])
            self.assertEqual((results["digest"], results["events"]), (found[0]["digest"], found[0]["events"]))

    def test_a_nanosecond_more_has_them(self):
        results = self.simulate(self.compile(MODEL), "--for", "1000000001ns")
        ask, probe, _ = results["workloads"]
        self.assertEqual((ask["offered"]["due"], ask["transactions"]["in_progress"], probe["requests"]["in_progress"]), (11, 1, 1))
        self.assertEqual([event["what"] for event in results["timeline"]["events"]], ["line down"])

    def test_long_runs_are_counted_by_several_seconds(self):
        """A thousand hours had 3.6 million seconds, which took 2.2 GB."""
        path = self.fresh("results.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        run(self.compile(LONG), "simulate", "--results", path)
        self.assertLess(max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before, 0), 400e3)
        series = json.loads(path.read_text())["series"]
        self.assertEqual((series["interval_seconds"], len(series["completed"])), (28, 128572))
        self.assertAlmostEqual(sum(series["throughput_bps"]) * 28 / 8, 36000 * 1028, delta=1)
        self.assertEqual([i for i, rate in enumerate(series["throughput_bps"]) if rate][:4], [0, 3, 7, 10])  # 0 s, 100 s, 200 s, 300 s

    def test_a_full_link_is_used_as_long_as_there_is_time(self):
        for queue in ("queue.codel(100 KB)", "droptail(100 KB)", "queue.drr(100 KB)"):
            for rate, payload in (("7 Mbps", 577), ("3 Mbps", 1001), ("11 Mbps", 333)):
                for length in ("37", "46", "48"):
                    text = FULL.replace("RATE", rate).replace("QUEUE", queue).replace("PAYLOAD", str(payload)).replace("LENGTH", length)
                    used = self.simulate(self.compile(text))["busiest_links"][0]["utilisation"]
                    self.assertTrue(1 - 1e-6 < used <= 1, (queue, rate, payload, length, used))


if __name__ == "__main__":
    unittest.main()
