"""Results as tables and frames, and runs beside others by asyncio."""
import asyncio
import os
import tempfile
import time
import unittest

import anml
from anml.frames import columns_of, flat, frame_of, rows_of

try:
    import pandas
except ImportError:
    pandas = None
try:
    import polars
except ImportError:
    polars = None

PROGRAM = """
import std.ether
import std.web

model Small(n: int = 2, tunable D: time in 1 ms .. 1 s = 5 ms) {
  endpoint server { simulated = web.server() }
  router r
  host pc[n]
  link entry: r -- server : ether.fast { delay = D }
  link edge: pc[*] -- r : ether.fast
  workload surf : web.ClosedLoop on pc[*] { server = server, documents = web.fixed(1 KB), think = 50 ms }
  workload read : web.ClosedLoop on pc[0] { server = server, documents = web.fixed(9 KB), think = 90 ms }
  run { duration = 4 s }
}
"""


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.emulator = anml.compile_text(PROGRAM, level=0)
        cls.results = cls.emulator.run()

    def test_shapes(self):
        self.assertEqual(flat({"a": {"b": 1, "c": [1, 2]}, "d": None}), {"a.b": 1, "a.c": [1, 2], "d": None})
        self.assertEqual(rows_of([{"a": 1}, {"b": 2}]), [{"a": 1}, {"b": 2}])
        self.assertEqual(columns_of([{"a": 1}, {"b": 2}]), {"a": [1, None], "b": [None, 2]})
        self.assertEqual(rows_of([3, 4]), [{"value": 3}, {"value": 4}])
        with self.assertRaises(KeyError):
            rows_of(3)
        with self.assertRaises(ValueError):
            frame_of([], "excel")

    def test_workloads(self):
        rows = self.results.table("workloads")
        self.assertEqual([row["name"] for row in rows], ["surf", "read"])
        self.assertEqual([row["transactions.completed"] for row in rows],
                         [self.results[f"workloads.{i}.transactions.completed"] for i in (0, 1)])
        self.assertGreater(rows[0]["transactions.completed"], 50)

    def test_seconds(self):
        rows = self.results.table("series")
        self.assertEqual([row["seconds"] for row in rows], [0, 1, 2, 3])
        self.assertEqual(sum(row["completed"] for row in rows), self.results["transactions.completed"])

    def test_seconds_of_requests(self):
        one = {"completed": [3, 4], "failed": [0, 1]}
        results = anml.Results({"series": {"interval_seconds": 1}, "series_by_request": [{"name": "login", **one}, {"name": "find", **one}]})
        rows = results.table("series_by_request")
        self.assertEqual([(row["name"], row["seconds"], row["completed"]) for row in rows], [("login", 0, 3), ("login", 1, 4), ("find", 0, 3), ("find", 1, 4)])

    def test_unknown(self):
        with self.assertRaises(KeyError):
            self.results.table("workload")

    def test_sweep(self):
        points = anml.sweep(anml_model(), D=["5 ms", "50 ms"], seeds=(1, 2), level=0, progress=False)
        rows = points.table("transactions.per_second", "digest")
        self.assertEqual([(row["D"], row["seed"]) for row in rows], [("5 ms", 1), ("5 ms", 2), ("50 ms", 1), ("50 ms", 2)])
        self.assertEqual(rows[0]["digest"], points[0].results.digest)
        self.assertGreater(rows[0]["transactions.per_second"], rows[2]["transactions.per_second"])
        self.assertEqual([(row["D"], row["name"]) for row in points.table(of="workloads")][:2], [("5 ms", "surf"), ("5 ms", "surf")])

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_pandas(self):
        frame = self.results.frame("workloads")
        self.assertEqual(list(frame["name"]), ["surf", "read"])
        self.assertEqual(int(frame["transactions.completed"].sum()), self.results["transactions.completed"])
        self.assertEqual(len(self.results.frame("series")), 4)

    @unittest.skipUnless(polars, "polars is not installed")
    def test_polars(self):
        frame = self.results.frame("workloads", "polars")
        self.assertEqual(frame["transactions.completed"].sum(), self.results["transactions.completed"])


class Connections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.scratch.name, "connections.csv")
        cls.results = anml.compile_text(PROGRAM, level=0).run(connections=cls.path)
        cls.rows = list(anml.connections(cls.path))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_rows(self):
        self.assertEqual(len(self.rows), self.results["connections.written"])
        self.assertEqual(sum(row["completed"] for row in self.rows), self.results["transactions.completed"])
        self.assertEqual(self.rows[0]["outcome"], "closed")
        self.assertIsNone(self.rows[0]["tls_seconds"])
        self.assertIsInstance(self.rows[0]["connect_seconds"], float)
        self.assertLessEqual(self.rows[0]["end_seconds"], self.rows[-1]["end_seconds"])

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_pandas(self):
        frame = anml.connections_frame(self.path)
        self.assertEqual(list(frame.columns), list(self.rows[0]))
        self.assertEqual(int(frame["completed"].sum()), self.results["transactions.completed"])
        self.assertTrue(frame["tls_seconds"].isna().all())
        self.assertEqual(list(frame["host"]), [row["host"] for row in self.rows])

    @unittest.skipUnless(polars, "polars is not installed")
    def test_polars(self):
        frame = anml.connections_frame(self.path, "polars")
        self.assertEqual(frame["completed"].sum(), self.results["transactions.completed"])
        self.assertEqual(frame["tls_seconds"].null_count(), len(self.rows))
        self.assertEqual(frame.rows(named=True), self.rows)

    def test_engine(self):
        with self.assertRaises(ValueError):
            anml.connections_frame(self.path, "excel")


def anml_model():
    model = anml.Model("Sweep")
    delay = model.tunable("D", "time", 5 * anml.ms, range=(1 * anml.ms, 1 * anml.s))
    server = model.endpoint("server", simulated=anml.web.server())
    pc = model.host("pc", 2)
    router = model.router("r")
    model.link(router, server, anml.ether.fast, delay=delay)
    model.link(pc.all, router, anml.ether.fast)
    model.workload("surf", anml.web.ClosedLoop, on=pc.all, server=server, documents=anml.web.fixed(1 * anml.KB), think=50 * anml.ms)
    model.run(4 * anml.s)
    return model


class Asyncio(unittest.TestCase):
    def test_beside_each_other(self):
        emulator = anml.compile_text(PROGRAM, level=0)

        async def both():
            return await asyncio.gather(*(emulator.run_async(D=delay) for delay in ("5 ms", "50 ms")))

        near, far = asyncio.run(both())
        self.assertEqual(near.digest, emulator.run(D="5 ms").digest)
        self.assertGreater(near.transaction_rate, far.transaction_rate)

    def test_error(self):
        emulator = anml.compile_text(PROGRAM, level=0)
        with self.assertRaisesRegex(anml.RunError, "D"):
            asyncio.run(emulator.run_async(D="5 h"))

    def test_cancelled(self):
        emulator = anml.compile_text(PROGRAM, level=0)

        async def given_up():
            await asyncio.wait_for(emulator.run_async(duration="100000 h"), 0.5)

        begin = time.monotonic()
        with self.assertRaises(asyncio.TimeoutError):
            asyncio.run(given_up())
        self.assertLess(time.monotonic() - begin, 10)


if __name__ == "__main__":
    unittest.main()
