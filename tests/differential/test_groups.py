"""Transactions by subnetwork, size, status and phase: groups add up to the whole, phases are what arithmetic says, alike however it is run."""
import json
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.web

component Net(n: int, away: time) {
  router edge
  host pc[n]
  link desk: pc[*] -- edge { rate = 100 Gbps, delay = away }
}

model Groups {
  Net near[2](3, 5 ms)
  Net far(2, 20 ms)
  host alone[2]
  router isp
  endpoint shop { simulated = web.server() }
  link a: near[*].edge -- isp { rate = 100 Gbps, delay = 5 ms }
  link b: far.edge -- isp { rate = 100 Gbps, delay = 5 ms }
  link c: alone[*] -- isp { rate = 100 Gbps, delay = 10 ms }
  link core: isp -- shop { rate = 100 Gbps, delay = 10 ms }
  workload small : web.ClosedLoop on near[*].pc[*] { server = shop, documents = web.fixed(500 B), think = 10 ms }
  workload large : web.ClosedLoop on far.pc[*] { server = shop, documents = [web.fixed(4 KB), web.fixed(100 KB)], think = 10 ms }
  workload kept : web.OpenLoop on alone[*] { server = shop, documents = web.fixed(1 KB), interval = 50 ms, requests = 20 }
  require p99(small, connect) < 41 ms && p50(small, first_byte) > 39 ms
  require mean_time(kept, transfer) < 1 ms
  require max_time(large, tls) < 1 s
  run { duration = 20 s, warmup = 2 s }
}
"""
SUMS = ("completed", "failed", "request_bytes", "response_bytes")


class Groups(EmulatorTest):

    def test_groups(self):
        met = MODEL.replace("  require max_time(large, tls) < 1 s\n", "")
        (_, groups, _), emulator = self.however_it_is_run(met, "groups", "workloads")
        results = self.simulate(emulator)
        whole = results["transactions"]
        self.assertGreater(whole["completed"], 2000)
        for kind, of_kind in groups.items():
            for key in SUMS:
                self.assertEqual(sum(group[key] for group in of_kind), whole[key], (kind, key))
            samples = sum(group["response_time_seconds"]["samples"] for group in of_kind)
            together = sum(group["response_time_seconds"]["mean"] * group["response_time_seconds"]["samples"] for group in of_kind)
            self.assertAlmostEqual(together / samples, results["response_time_seconds"]["mean"], places=9, msg=kind)
        names = {kind: [group["name"] for group in of_kind] for kind, of_kind in groups.items()}
        self.assertEqual(names["subnetwork"], ["near[0]", "near[1]", "far", "alone"])
        self.assertEqual(names["document_size"], ["below 1 KB", "1 KB to 4 KB", "4 KB to 16 KB", "64 KB to 256 KB"])
        self.assertEqual(names["status"], ["200"])
        by_name = {w["name"]: w for w in results["workloads"]}
        found = {group["name"]: group for of_kind in groups.values() for group in of_kind}
        for group, workload in (("far", "large"), ("alone", "kept"), ("below 1 KB", "small"), ("1 KB to 4 KB", "kept")):
            self.assertEqual(found[group]["completed"], by_name[workload]["transactions"]["completed"], group)
            for key in ("median", "p95"):
                exact = by_name[workload]["response_time_seconds"][key]
                self.assertAlmostEqual(found[group]["response_time_seconds"][key], exact, delta=0.018 * exact, msg=(group, key))

    def simulate_anyway(self, emulator):
        """One of the thresholds asks for TLS, which nobody did."""
        path = self.fresh("results.json")
        done = run(emulator, "simulate", "--results", path, check=False)
        self.assertEqual(done.returncode, 99)
        self.assertIn("max_time(large, tls) was not measured", done.stderr)
        return json.loads(path.read_text())

    def test_phases(self):
        """On unloaded links each phase is round trips: connecting takes one, the first byte the next."""
        results = self.simulate_anyway(self.compile(MODEL))
        self.assertEqual([t["met"] for t in results["thresholds"]], [True, True, False])
        round_trips = {"small": 0.04, "large": 0.07, "kept": 0.04}
        for workload in results["workloads"]:
            phases, name = workload["phase_times_seconds"], workload["name"]
            for phase in ("connect", "first_byte"):
                for key in ("median", "p95", "max"):
                    if name == "kept" and phase == "connect" and phases[phase][key] is None:
                        continue  # too few of them
                    self.assertAlmostEqual(phases[phase][key], round_trips[name], delta=2e-3 * round_trips[name] + 1e-5, msg=(name, phase, key))
            self.assertEqual(phases["first_byte"]["samples"], workload["transactions"]["completed"])
            self.assertEqual(phases["tls"]["samples"], 0)
            means = workload["phase_seconds"]
            self.assertEqual([means[k] for k in ("connect", "answer", "receive")], [phases[k]["mean"] for k in ("connect", "first_byte", "transfer")])
            if name != "kept":  # whose connections are there mostly
                parts = sum(phases[phase]["mean"] for phase in ("connect", "first_byte", "transfer"))
                self.assertAlmostEqual(parts, workload["response_time_seconds"]["mean"], delta=1e-6, msg=name)
        kept = next(w for w in results["workloads"] if w["name"] == "kept")
        self.assertLess(kept["phase_times_seconds"]["connect"]["samples"], kept["transactions"]["completed"] / 10)
        self.assertLess(kept["phase_times_seconds"]["transfer"]["max"], 1e-4)

    def test_percentiles_by_second(self):
        results = self.simulate_anyway(self.compile(MODEL))
        series, times = results["series"], results["response_time_seconds"]
        self.assertEqual(len(series["response_median_seconds"]), 20)
        for second in range(2, 20):
            median, p95, p99 = (series[f"response_{key}_seconds"][second] for key in ("median", "p95", "p99"))
            self.assertAlmostEqual(median, times["median"], delta=0.018 * times["median"])
            self.assertLessEqual(median, p95)
            self.assertLessEqual(p95, 1.018 * series["response_max_seconds"][second])
            self.assertIsNone(p99)  # 500 responses make one

    def test_many_subnetworks(self):
        """Beyond 256 those around them; where these are one, the rest is one."""
        nested = """
import std.web
component Room(n: int) { host pc[n]   switch s   link l: pc[*] -- s { rate = 1 Gbps, delay = 1 ms } }
component Floor(n: int) { Room room[n](1)   router r   link up: room[*].s -- r { rate = 1 Gbps, delay = 1 ms } }
model Many {
  Floor floor[FLOORS](ROOMS)
  router isp
  endpoint shop { simulated = web.server() }
  link entry: floor[*].r -- isp { rate = 1 Gbps, delay = 1 ms }
  link core: isp -- shop { rate = 10 Gbps, delay = 1 ms }
  workload browse : web.ClosedLoop on floor[*].room[*].pc[*] { server = shop, documents = web.fixed(1 KB), think = 100 ms }
  run { duration = 1 s }
}
"""
        for floors, rooms, count, first, last in ((3, 4, 12, "floor[0].room[0]", "floor[2].room[3]"), (20, 20, 20, "floor[0]", "floor[19]"),
                                                  (1, 300, 256, "floor.room[0]", "others")):
            text = nested.replace("ROOMS", str(rooms))
            text = text.replace("floor[FLOORS]", f"floor[{floors}]") if floors > 1 else text.replace("floor[FLOORS]", "floor").replace("floor[*]", "floor")
            results = self.simulate(self.compile(text))
            groups = results["groups"]["subnetwork"]
            self.assertEqual((len(groups), groups[0]["name"], groups[-1]["name"]), (count, first, last))
            self.assertEqual(sum(group["completed"] for group in groups), results["transactions"]["completed"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
