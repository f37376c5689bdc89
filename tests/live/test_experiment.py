"""An experiment with a real server: each run has it in a sandbox of its own, one after the other, and its command can be what varies."""
import csv
import json
import unittest

from netlab import ANMLC, Lab, run

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
  require p50(browse) < 100 ms
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

    def test_a_server_that_does_not_start(self):
        done, folder, rows = self.experiment("servers")
        self.assertEqual(done.returncode, 1)
        self.assertIn("runs/clients=1,1` failed with status 1:", done.stderr)
        self.assertEqual(len(rows), 2)


if __name__ == "__main__":
    unittest.main()
