"""An experiment with a real server: each run has it in a sandbox of its own, one after the other, and its command can be what varies."""
import csv
import json
import shutil
import unittest

from netlab import ANMLC, ROOT, Lab, by_the_clock, main, run

MODEL = """
import std.web

model Shop(clients: int in 1..9 = 2, tunable far: time in 1 ms .. 1 s = 5 ms) {
  host client[clients]
  router r
  endpoint shop { address = 10.0.0.80 }
  link client[*] -- r { rate = 100 Mbps, delay = 1 ms }
  link r -- shop { rate = 100 Mbps, delay = far }
  workload browse : web.ClosedLoop on client[*] { server = shop, documents = web.fixed(1 KB, "/1024"), think = 50 ms, start_spread = 0 s }
  run { duration = 2 s }
}
experiment distance : Shop {
  run { mode = live, repetitions = 2, server = "SERVER" }
  vary far in [5 ms, 50 ms]
  measure p50(browse)
  require p50(browse) < 200 ms
}
experiment again : Shop {
  run { mode = live, repetitions = 3, batches = 10, server = "SERVER" }
  vary clients in [2]
  measure p50(browse)
  measure completed(browse)
  override run { duration = 2 s, warmup = 0.5 s }
}
experiment broken : Shop {
  run { mode = live, repetitions = 1, server = "exit 3" }
  search clients in 1 .. 9
  require p50(browse) < 1 s
}
experiment servers : Shop {
  run { mode = live, repetitions = 1, server = "exit 3" }
  override run { duration = 1 s }
  vary clients in [1, 2]
  measure p50(browse)
}
"""


class Experiment(unittest.TestCase):
    def setUp(self):
        self.lab = Lab()
        self.addCleanup(self.lab.close)
        command = "exec " + " ".join(str(word).replace('"', "") for word in self.lab.nginx({"/1024": 1024}))
        self.model = self.lab.folder / "shop.anml"
        self.model.write_text(MODEL.replace("SERVER", command))

    def experiment(self, name):
        folder = self.lab.folder / name
        done = run(ANMLC, "experiment", self.model, name, "-O0", "-o", folder, check=False, timeout=200)
        return done, folder, list(csv.DictReader((folder / "runs.csv").read_text().splitlines()))

    def test_a_real_server(self):
        done, folder, rows = self.experiment("distance")
        self.assertEqual(done.returncode, 99, done.stderr)  # two round trips of 102 ms with the connection's own
        self.assertEqual([row["far"] for row in rows], ["5 ms", "50 ms"] * 2)
        for row in rows:
            self.assertGreaterEqual(float(row["p50(browse)"]), {"5 ms": 0.024, "50 ms": 0.204}[row["far"]])
            results = json.loads((folder / "runs" / f"far={row['far'].replace(' ', '_')},{row['repetition']}" / "results.json").read_text())
            self.assertEqual(results["mode"], "live")
            self.assertGreater(results["workloads"][0]["transactions"]["completed"], 5)
        points = json.loads((folder / "summary.json").read_text())["points"]
        self.assertEqual([(point["runs"], point["met"]) for point in points], [(2, 2), (2, 0)])

    def test_a_run_again(self):
        """Live runs differ; one that is repeated is held against the repetitions before it. Batches are measured live, too."""
        _, folder, rows = self.experiment("again")
        self.assertEqual(len(rows), 3)
        one = folder / "runs" / "clients=2,1"
        results = json.loads((one / "results.json").read_text())
        batches = results["batches"]
        self.assertEqual((batches["count"], batches["seconds"]), (10, 0.15))
        self.assertEqual(sum(batches["measures"]["completed(browse)"]), results["measures"]["completed(browse)"])
        again = run(ANMLC, "rerun", one, check=False)
        self.assertRegex(again.stdout, r"p50\(browse\) +[0-9.]+, [+-][0-9.]+ % from [0-9.]+, the mean of 3 repetitions: (within|outside)")
        self.assertEqual(again.returncode, 1 if "outside" in again.stdout else 0)
        # Far from what was: the measure of all repetitions as if the server had been twenty times as slow, and alike.
        for i in (1, 2, 3):
            path = folder / "runs" / f"clients=2,{i}" / "results.json"
            other = json.loads(path.read_text())
            other["measures"]["p50(browse)"] = 1 + 0.001 * i
            path.write_text(json.dumps(other))
        far = run(ANMLC, "rerun", one, check=False)
        self.assertIn("outside", far.stdout)
        self.assertEqual(far.returncode, 1)

    @by_the_clock("the rate at which a server's responses become slow")
    def test_the_example(self):
        """nginx that takes 200 requests per second: the search ends below that, and above where nothing waits."""
        folder = self.lab.folder / "capacity"
        shutil.copytree(ROOT / "examples/capacity", folder)
        model = folder / "capacity.anml"
        text = model.read_text()
        quick = text.replace("repetitions = 3, resolution = 4 %", "repetitions = 1, duration = 2.5 s, warmup = 0.5 s, resolution = 40 %").replace("50 .. 400", "120 .. 300")
        self.assertNotEqual(text, quick)
        model.write_text(quick)
        done = run(ANMLC, "experiment", "capacity.anml", "limit", "-O0", cwd=folder, check=False, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        [search] = json.loads((folder / "limit.runs" / "summary.json").read_text())["searches"]
        self.assertEqual(search["outcome"], "found")
        self.assertTrue(110 <= float(search["low"]) <= 215, search)
        self.assertRegex(done.stdout, r" runs in limit.runs: \d+ (kept up|degraded|not valid)")
        self.assertIn("left", done.stderr)  # a live run's duration is known
        self.assertIn("holds up to offered", (folder / "limit.runs" / "report.html").read_text())

    def test_a_server_that_does_not_start(self):
        done, folder, rows = self.experiment("servers")
        self.assertEqual(done.returncode, 1)
        self.assertIn("runs/clients=1,1` failed with status 1:", done.stderr)
        self.assertEqual(len(rows), 2)
        # A search that cannot even begin finds nothing, and says no more.
        done, folder, rows = self.experiment("broken")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing found: the run at clients = 1 failed", done.stdout)
        self.assertEqual(len(rows), 1)
        self.assertEqual(json.loads((folder / "summary.json").read_text())["searches"][0]["outcome"], "failed")


if __name__ == "__main__":
    main()
