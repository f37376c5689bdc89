"""Experiments against the same runs by hand, interrupted ones, searches against sweeps, and runs that are repeated."""
import csv
import json
import os
import signal
import subprocess
import time
import unittest

from emulators import ANMLC, EmulatorTest, run
from test_attributes_act import library

MODEL = """
import std.web

model Shop(clients: int in 1..100 = 4, tunable gap: time in 1 ms .. 10 s = 50 ms) {
  host client[clients]
  endpoint shop { simulated = web.server(service = 4 ms, workers = 1, close = at_once) }
  router r
  link client[*] -- r { rate = 100 Mbps, delay = 2 ms }
  link r -- shop { rate = 1 Gbps, delay = 1 ms }
  workload browse : web.OpenLoop on client[*] {
    server = shop, documents = web.fixed(2 KB), interval = exponential(gap)
  }
  run { duration = 5 s, warmup = 1 s }
}

/// How response times grow with clients.
experiment growth : Shop {
  run { repetitions = 3, seed = 7 }
  vary clients in [2, 4]
  vary gap in [20 ms, 0.1 s]
  measure p50(browse)
  measure per_second(browse)
  require p95(browse) < 40 ms
}
experiment limit : Shop {
  override run { duration = 30 s, warmup = 5 s }
  run { repetitions = 3, resolution = 1 % }
  search clients in 1 .. 40
  measure p95(browse)
  require p95(browse) < 40 ms
}
"""


class Experiments(EmulatorTest):
    def setUp(self):
        super().setUp()
        self.model = self.fresh("shop.anml")
        self.model.write_text(MODEL)

    def experiment(self, *arguments, check=True):
        return run(ANMLC, "experiment", self.model, *arguments, "-O0", check=check, timeout=300)

    def rows(self, folder):
        return list(csv.DictReader((folder / "runs.csv").read_text().splitlines()))

    def test_a_sweep_is_the_runs_by_hand(self):
        folder = self.fresh("growth")
        done = self.experiment("growth", "-o", folder, check=False)
        self.assertEqual(done.returncode, 99, done.stderr)
        rows = self.rows(folder)
        self.assertEqual(len(rows), 2 * 2 * 3)
        self.assertEqual({(row["clients"], row["gap"], row["repetition"]) for row in rows},
                         {(c, g, r) for c in "24" for g in ("20 ms", "100 ms") for r in "123"})
        for row in rows:
            self.assertEqual(row["seed"], str(6 + int(row["repetition"])))
            if row["repetition"] != "2":
                continue
            emulator = self.compile(self.model, "--model", "Shop", "-D", f"clients={row['clients']}", "-O0")
            by_hand = self.simulate(emulator, "--set", f"gap={row['gap']}", "--seed", row["seed"])
            self.assertEqual(row["digest"], by_hand["digest"])
            [workload] = by_hand["workloads"]
            self.assertAlmostEqual(float(row["p50(browse)"]), workload["response_time_seconds"]["median"])
            self.assertAlmostEqual(float(row["per_second(browse)"]), workload["transactions"]["per_second"])
        summary = json.loads((folder / "summary.json").read_text())
        for point in summary["points"]:
            values = [float(row["p50(browse)"]) for row in rows if {k: row[k] for k in ("clients", "gap")} == point["settings"]]
            found = point["measures"]["p50(browse)"]
            self.assertAlmostEqual(found["mean"], sum(values) / 3)
            mean = found["mean"]
            deviation = (sum((v - mean) ** 2 for v in values) / 2) ** 0.5
            self.assertAlmostEqual(found["half_width"], 4.302653 * deviation / 3 ** 0.5, places=6)
        self.assertIn("95 % confidence interval", done.stdout)

    def test_what_has_run_is_not_run_again(self):
        folder = self.fresh("growth")
        command = [ANMLC, "experiment", self.model, "growth", "-o", folder, "-O0", "--jobs", "1"]
        first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(600):
            if len(list(folder.glob("runs/*/manifest.json"))) >= 3:
                break
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        before = {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/manifest.json")}
        self.assertTrue(3 <= len(before))
        self.experiment("growth", "-o", folder, check=False)
        for path, at in before.items():
            self.assertEqual(path.stat().st_mtime_ns, at)
        self.assertEqual(len(self.rows(folder)), 12)
        self.model.write_text(MODEL.replace("service = 4 ms", "service = 5 ms"))
        refused = self.experiment("growth", "-o", folder, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--fresh begins anew", refused.stderr)
        self.assertEqual(self.experiment("growth", "-o", folder, "--fresh", check=False).returncode, 99)

    def test_a_search_finds_what_a_sweep_does(self):
        folder = self.fresh("limit")
        done = self.experiment("limit", "-o", folder)
        [search] = json.loads((folder / "summary.json").read_text())["searches"]
        self.assertEqual(search["outcome"], "found")
        self.assertEqual(int(search["high"]), int(search["low"]) + 1)
        # By hand: each number of clients, three times.
        holds = []
        for clients in range(1, 41):
            emulator = self.compile(self.model, "--model", "limit", "-D", f"clients={clients}", "-O0")
            met = sum(run(emulator, "simulate", "--seed", seed, check=False).returncode == 0 for seed in (1, 2, 3))
            holds.append(met >= 2)
        by_hand = holds.index(False)
        self.assertAlmostEqual(int(search["low"]) / by_hand, 1, delta=0.05)
        self.assertLessEqual(search["runs"], 40 * 3 / 4)
        self.assertIn(f"up to clients = {search['low']}", done.stdout)

    def test_a_run_is_repeated(self):
        folder = self.fresh("growth")
        self.experiment("growth", "-o", folder, check=False)
        one = folder / "runs" / "clients=2,gap=20_ms,1"
        same = run(ANMLC, "rerun", one)
        self.assertIn("as before", same.stdout)
        results = json.loads((one / "results.json").read_text())
        results["digest"] = "0" * 16
        (one / "results.json").write_text(json.dumps(results))
        self.assertEqual(run(ANMLC, "rerun", one, check=False).returncode, 1)

    def test_every_attribute_acts(self):
        """In the runs that there are, or what they measure. `mode` and `server` do in tests/live/test_experiment.py."""
        sweep = "vary clients in [2]\n measure per_second(browse)"
        search = "override run { duration = 30 s, warmup = 5 s }\n search clients in 1 .. 40\n measure p95(browse)\n require p95(browse) < 40 ms"
        tried = {"duration": (sweep, "3 s"), "warmup": (sweep, "2 s"), "repetitions": (sweep, "4"), "precision": (sweep, "100 %"),
                 "seed": (sweep, "9"), "resolution": (search, "50 %")}
        schemas, _ = library()
        self.assertEqual(tried.keys() | {"mode", "server"}, schemas["Experiment"].keys())

        def runs(body, settings=""):
            folder = self.fresh("tried")
            self.model.write_text(MODEL + "experiment tried : Shop {\n " + body + "\n run { " + settings + " }\n}\n")
            self.experiment("tried", "-o", folder, check=False)
            return [[row[key] for key in row if key not in ("seconds", "folder")] for row in self.rows(folder)]
        plain = {body: runs(body) for body in (sweep, search)}
        self.assertEqual(runs(sweep), plain[sweep])
        for name, (body, value) in tried.items():
            with self.subTest(name):
                self.assertNotEqual(runs(body, f"{name} = {value}"), plain[body])

    def test_what_cannot_be(self):
        self.assertIn("which of its experiments", self.experiment(check=False).stderr)
        self.assertIn("no experiment `grow`", self.experiment("grow", check=False).stderr)
        self.assertIn("varies it", self.experiment("growth", "-D", "clients=3", check=False).stderr)
        self.assertEqual(self.experiment("--list").stdout.split()[0], "growth")


if __name__ == "__main__":
    unittest.main()
