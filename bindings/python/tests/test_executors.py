"""Sweeps and experiments by executors: of concurrent.futures, a pool of multiprocessing, Dask, and Ray where it is."""
import concurrent.futures
import json
import multiprocessing
import pathlib
import tempfile
import unittest

import anml

try:
    import pandas
except ImportError:
    pandas = None
try:
    import dask.distributed as dask
except ImportError:
    dask = None
try:
    from ray.util.multiprocessing import Pool as RayPool
except ImportError:
    RayPool = None

PROGRAM = """
import std.ether
import std.web

model Small(n: int in 1 .. 40 = 2, tunable D: time in 1 ms .. 1 s = 5 ms) {
  endpoint server { simulated = web.server(service = 4 ms, workers = 1) }
  router r
  host pc[n]
  link r -- server : ether.fast { delay = D }
  link pc[*] -- r : ether.fast
  workload surf : web.OpenLoop on pc[*] { server = server, documents = web.fixed(1 KB), interval = exponential(50 ms) }
  run { duration = 20 s, warmup = 2 s }
}
experiment far : Small {
  run { repetitions = 2 }
  vary D in [1 ms, 10 ms]
  vary n in [1, 2]
  measure p50(surf)
}
experiment limit : Small {
  run { repetitions = 3 }
  search n in 1 .. 40
  measure p95(surf)
  require p95(surf) < 60 ms
}
"""


class Executors(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-executors-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.file = self.folder / "small.anml"
        self.file.write_text(PROGRAM)

    def run_by(self, executor, name="far", kind="by"):
        return anml.experiment(self.file, name, folder=self.folder / f"{kind}-{name}", executor=executor, level=0, progress=False)

    def as_alone(self, executor):
        """The same as anmlc's own runs, and each once."""
        alone, found = self.run_by(None, kind="alone"), self.run_by(executor)
        without = lambda rows: sorted([row[key] for key in sorted(row) if key != "seconds"] for row in rows)
        self.assertEqual(without(found.rows()), without(alone.rows()))
        self.assertEqual(len(found.rows()), 8)
        self.assertEqual([point["measures"] for point in found.points], [point["measures"] for point in alone.points])
        self.assertIn("p50(surf)", found.text)
        self.tables(found)
        for path in found.folder.glob("runs/*/manifest.json"):
            self.assertEqual(json.loads(path.read_text())["attempt"], 1)
        points = [anml.sweep(self.file, n=[1, 2], D=["1 ms", "9 ms"], seeds=(1, 2), level=0, progress=False, executor=one)
                  for one in (None, executor)]
        self.assertEqual([(p.parameters, p.results.digest) for p in points[0]], [(p.parameters, p.results.digest) for p in points[1]])
        self.assertEqual(len(points[1]), 8)

    def tables(self, found):
        points = found.table("points")
        self.assertEqual([(row["D"], row["n"], row["mean"]) for row in points],
                         [(one["settings"]["D"], one["settings"]["n"], one["measures"]["p50(surf)"]["mean"]) for one in found.points])
        self.assertEqual(len(found.table("runs")), 8)
        self.assertEqual(found.table("searches"), [])
        self.assertEqual(found.differences, [])  # of two repetitions there are none
        with self.assertRaises(KeyError):
            found.table("none")

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_differences(self):
        self.file.write_text(PROGRAM.replace("repetitions = 2", "repetitions = 4", 1))
        found = self.run_by(None)
        frame = found.frame("differences")
        self.assertEqual(sorted(zip(frame["factor"], frame["D"], frame["n"])),
                         [("D", "10 ms", "1"), ("D", "10 ms", "2"), ("n", "1 ms", "2"), ("n", "10 ms", "2")])
        self.assertEqual(set(frame["pairs"]), {4})
        for row, one in zip(found.table("differences"), found.differences):
            self.assertEqual((row["difference"], row["half_width"]), (one["difference"], one["half_width"]))
        self.assertEqual(list(found.frame("runs")["seed"].unique()), [1, 2, 3, 4])

    def test_threads(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.as_alone(pool)

    def test_processes(self):
        with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
            self.as_alone(pool)

    def test_a_pool_of_multiprocessing(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.as_alone(pool)

    @unittest.skipIf(dask is None, "Dask is not installed (python3-distributed)")
    def test_dask(self):
        with dask.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(self.folder)) as cluster:
            with dask.Client(cluster) as client:
                self.as_alone(client)

    @unittest.skipIf(RayPool is None, "Ray is not installed (pip install ray)")
    def test_ray(self):
        with RayPool(2) as pool:
            self.as_alone(pool)

    def test_a_search_goes_round_by_round(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found, alone = self.run_by(pool, "limit"), self.run_by(None, "limit", "alone")
        self.assertEqual(found.searches[0]["outcome"], "found")
        self.assertEqual([found.searches[0][key] for key in ("low", "high")], [alone.searches[0][key] for key in ("low", "high")])

    def test_what_has_ended_is_not_run_again(self):
        calls = []

        class Counting:
            def __init__(self, most):
                self.most = most

            def submit(self, function, *arguments):
                if len(calls) >= self.most:
                    raise KeyboardInterrupt
                calls.append(arguments)
                future = concurrent.futures.Future()
                future.set_result(function(*arguments))
                return future

        with self.assertRaises(KeyboardInterrupt):
            self.run_by(Counting(3))
        self.assertTrue(self.run_by(Counting(100)).good)
        self.assertEqual(len(calls), 8)
        self.run_by(Counting(0))

    def test_what_fails(self):
        self.run_by(None)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            with self.assertRaisesRegex(anml.CompileError, "there is no experiment `near`"):
                self.run_by(pool, "near")
            with self.assertRaisesRegex(anml.CompileError, "which experiment"):
                anml.experiment(self.file, executor=pool)
        with self.assertRaisesRegex(TypeError, "int is no executor"):
            self.run_by(3)

        class Breaking:
            def submit(self, function, folder, command):
                run = pathlib.Path(folder, "runs", command[-1])
                (run / "command").write_text("echo no luck; exit 7\n")
                future = concurrent.futures.Future()
                future.set_result(function(folder, command))
                return future

        with self.assertRaisesRegex(anml.RunError, "no luck"):
            self.run_by(Breaking(), kind="breaking")


if __name__ == "__main__":
    unittest.main()
