"""Experiments against the same runs by hand, interrupted ones, searches against sweeps, and runs that are repeated."""
import csv
import json
import os
import shutil
import signal
import statistics
import subprocess
import time
import unittest
import xml.etree.ElementTree

import jsonschema

from emulators import ALL, ANMLC, ROOT, SANITIZED, EmulatorTest, run
from test_attributes_act import library

SHOP = """
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
"""
MODEL = SHOP + """
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


def batch_half_width(values):
    """Of the mean of batches, joined until von Neumann's ratio takes them for independent; None: they never are."""
    quantile = {10: 2.262157, 20: 2.093024}
    while len(values) >= 10:
        n, mean = len(values), statistics.mean(values)
        ratio = sum((b - a) ** 2 for a, b in zip(values, values[1:])) / sum((v - mean) ** 2 for v in values)
        if 2 - ratio <= 1.6449 * (4 * (n - 2) / (n * n - 1)) ** 0.5:
            return quantile[n] * statistics.stdev(values) / n ** 0.5
        values = [(a + b) / 2 for a, b in zip(values[::2], values[1::2])]
    return None


class Experiments(EmulatorTest):
    def setUp(self):
        super().setUp()
        self.model = self.fresh("shop.anml")
        self.model.write_text(MODEL)

    def experiment(self, *arguments, check=True, environment=None):
        return run(ANMLC, "experiment", self.model, *arguments, "-O0", check=check, timeout=300, env=environment)

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
        while len(list(folder.glob("runs/*/manifest.json"))) < 3 and first.poll() is None:
            time.sleep(0.05)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
        before = {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/manifest.json")}
        self.assertTrue(3 <= len(before))
        # What was killed holds the folder until all of it has gone.
        while "another anmlc runs" in (again := self.experiment("growth", "-o", folder, check=False)).stderr:
            time.sleep(0.1)
        self.assertIn(again.returncode, (0, 99), again.stderr)
        for path, at in before.items():
            self.assertEqual(path.stat().st_mtime_ns, at)
        self.assertEqual(len(self.rows(folder)), 12)
        # Nor is what was compiled compiled again, unless what it was made of, or it itself, is another.
        self.assertNotIn("compiling", self.experiment("growth", "-o", folder, check=False).stderr)
        emulator = folder / "emulators/1"
        made = emulator.read_bytes()
        emulator.write_bytes(made[:-1])
        self.assertIn("compiling 1 emulator", self.experiment("growth", "-o", folder, check=False).stderr)
        self.assertEqual(emulator.read_bytes(), made)
        note = folder / "emulators/2.made"
        made_of = json.loads(note.read_text())
        self.assertEqual(list(made_of["files"]), [str(self.model)])
        made_of["files"] = {str(self.model): "0" * 16}
        note.write_text(json.dumps(made_of))
        self.assertIn("compiling 1 emulator", self.experiment("growth", "-o", folder, check=False).stderr)
        self.model.write_text(MODEL.replace("service = 4 ms", "service = 5 ms"))
        refused = self.experiment("growth", "-o", folder, check=False)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("--fresh begins anew", refused.stderr)
        self.assertEqual(self.experiment("growth", "-o", folder, "--fresh", check=False).returncode, 99)

    @unittest.skipIf(SANITIZED, "more runs of the same emulators")
    def test_a_search_finds_what_a_sweep_does(self):
        folder = self.fresh("limit")
        done = self.experiment("limit", "-o", folder)
        [search] = json.loads((folder / "summary.json").read_text())["searches"]
        self.assertEqual(search["outcome"], "found")
        self.assertEqual(int(search["high"]), int(search["low"]) + 1)
        # By hand: each number of clients, three times; every fourth of those that are far from what it found, where not all is tried.
        by_hand = 0
        for clients in range(1, 41):
            if not ALL and abs(clients - int(search["low"])) > 3 and clients % 4 != 1:
                continue
            emulator = self.compile(self.model, "--model", "limit", "-D", f"clients={clients}", "-O0")
            if sum(run(emulator, "simulate", "--seed", seed, check=False).returncode == 0 for seed in (1, 2, 3)) < 2:
                break
            by_hand = clients
        self.assertAlmostEqual(int(search["low"]) / by_hand, 1, delta=0.05)
        self.assertLessEqual(search["runs"], 40 * 3 / 4)
        self.assertIn(f"up to clients = {search['low']}", done.stdout)

    def test_a_search_that_measures_too_little_says_so(self):
        """No percentile of 40 requests is known, whatever the server is like: that is no answer of the search."""
        text = MODEL.replace("override run { duration = 30 s, warmup = 5 s }", "override run { duration = 3 s, warmup = 1 s }")
        self.model.write_text(text)
        folder = self.fresh("limit")
        done = self.experiment("limit", "-o", folder, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing found: whether the requirements hold at clients = 1 is not known, too little was measured", done.stdout)
        [search] = json.loads((folder / "summary.json").read_text())["searches"]
        self.assertEqual((search["outcome"], search["steps"]), ("not measured", [{"level": "1", "holds": None, "runs": 1}]))
        for form in ("markdown", "html"):
            self.assertIn("too little was measured at clients = 1", run(ANMLC, "report", folder, "--format", form).stdout)

    def test_servers_alone_may_be_varied(self):
        """`vary server` gives each run its command, without another one in `run`."""
        self.model.write_text(MODEL + 'experiment servers : Shop {\n  run { mode = live }\n  vary server in ["true", "false"]\n  measure p50(browse)\n}\n')
        self.assertIn("server = false", self.experiment("servers", "--dry-run").stdout)
        self.model.write_text(MODEL + "experiment servers : Shop {\n  run { mode = live }\n  vary clients in [1, 2]\n  measure p50(browse)\n}\n")
        self.assertIn("a live run needs the command of a `server`", self.experiment("servers", "--dry-run", check=False).stderr)

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

    @unittest.skipIf(SANITIZED, "more runs of the same emulators")
    def test_every_attribute_acts(self):
        """In the runs that there are, or what they measure. `mode` and `server` do in tests/live/test_experiment.py."""
        sweep = "vary clients in [2]\n measure per_second(browse)"
        search = "override run { duration = 30 s, warmup = 5 s }\n search clients in 1 .. 40\n measure p95(browse)\n require p95(browse) < 40 ms"
        required = sweep.replace("[2]", "[2, 4, 8]") + "\n require p95(browse) < 5 ms"
        tried = {"duration": (sweep, "3 s"), "batches": (sweep, "10"), "stop": (required, "1"), "within": (required + "\n override run { duration = 200 s }", "50 ms"), "warmup": (sweep, "2 s"), "repetitions": (sweep, "4"), "precision": (sweep, "5 %"), "find_warmup": (sweep + "\n override run { duration = 50 s }", "true"),
                 "seed": (sweep, "9"), "resolution": (search, "50 %")}
        schemas, _ = library()
        self.assertEqual(tried.keys() | {"mode", "server"}, schemas["Experiment"].keys())

        def runs(body, settings=""):
            folder = self.fresh("tried")
            self.model.write_text(MODEL + "experiment tried : Shop {\n " + body + "\n run { " + settings + " }\n}\n")
            self.experiment("tried", "-o", folder, check=False)
            # In whatever order they ended; none, where time was up before the first.
            return sorted([row[key] for key in row if key not in ("seconds", "folder")] for row in self.rows(folder)) if (folder / "runs.csv").exists() else []
        plain = {body: runs(body) for body in {body for body, _ in tried.values()}}
        self.assertEqual(runs(sweep), plain[sweep])
        for name, (body, value) in tried.items():
            with self.subTest(name):
                self.assertNotEqual(runs(body, f"{name} = {value}"), plain[body])

    def test_one_run_ends_no_search(self):
        """A first repetition that alone of three does not meet what is required, at the lower end; or alone does, at the upper one."""
        def values(seed):
            folder = self.fresh("tried")
            self.model.write_text(MODEL + f"experiment tried : Shop {{ run {{ repetitions = 3, seed = {seed} }}\n vary clients in [4]\n measure max_time(browse) }}\n")
            self.assertNotIn("met", self.experiment("tried", "-o", folder).stdout)  # nothing is required
            return [float(row["max_time(browse)"]) for row in sorted(self.rows(folder), key=lambda row: row["repetition"])]

        def search(seed, between, levels):
            folder = self.fresh("searched")
            self.model.write_text(MODEL + f"experiment searched : Shop {{ run {{ repetitions = 3, seed = {seed} }}\n search clients in {levels}\n measure max_time(browse)\n"
                                  f" require max_time(browse) < {sum(between) / 2} s }}\n")
            done = self.experiment("searched", "-o", folder, check=False)
            return done.stdout, sum(row["clients"] == "4" for row in self.rows(folder))
        found = {}

        def seed_of(alone):
            for seed in range(1, 12):
                first, *others = found.get(seed) or found.setdefault(seed, values(seed))
                if alone(first, others):
                    return seed
            self.fail("no such seed")
        seed = seed_of(lambda first, others: first > max(others))
        said, runs = search(seed, (found[seed][0], max(found[seed][1:])), "4..100")
        self.assertIn("the requirements hold up to clients = 4", said)
        self.assertEqual(runs, 3)
        seed = seed_of(lambda first, others: first < min(others))
        said, runs = search(seed, (found[seed][0], min(found[seed][1:])), "1..4")
        self.assertNotIn("still hold", said)
        self.assertEqual(runs, 3)

    @unittest.skipIf(SANITIZED, "more runs of the same emulators")
    def test_batch_means(self):
        """M/M/1 at 0.7: the mean that is known lies in the interval about as often as it says, of one run each."""
        self.model.write_text("""
import std.web
model Queue {
  host client
  endpoint server { simulated = web.server(service = exponential(0.7 ms), workers = 1, close = at_once) }
  link client -- server { rate = 1 Gbps, delay = 1 us }
  workload w : web.OpenLoop on client { server = server, documents = web.fixed(100 B), interval = exponential(1 ms), start_spread = 0 s }
  run { duration = 62 s, warmup = 2 s }
}
experiment mean : Queue {
  run { batches = 20 }
  measure mean_time(w)
  measure p95(w)
  measure completed(w)
}
""")
        inside, runs = 0, 40 if ALL else 20
        emulator = self.compile(self.model, "--model", "mean", "-O0")
        path = 8e-6  # there and back twice, and what the packets take
        for seed in range(1, runs + 1):
            if seed == 1:  # as the experiment has it
                folder = self.fresh("mean")
                done = self.experiment("mean", "-o", folder)
                self.assertIn("by batch means, 20 batches", done.stdout)
                [point] = json.loads((folder / "summary.json").read_text())["points"]
                found = point["measures"]["mean_time(w)"]
                results = json.loads((folder / "runs" / "1" / "results.json").read_text())
                self.assertEqual(found["mean"], results["measures"]["mean_time(w)"])
                batches = results["batches"]
                self.assertEqual((batches["count"], batches["seconds"]), (20, 3))
                self.assertEqual(sum(batches["measures"]["completed(w)"]), results["measures"]["completed(w)"])
                self.assertAlmostEqual(found["half_width"], batch_half_width(batches["measures"]["mean_time(w)"]), places=9)
                self.assertEqual(point["runs"], 1)
                # Half of the runs' completions vary by their square root.
                self.assertAlmostEqual(point["measures"]["completed(w)"]["half_width"] / (2.09 * 60000 ** 0.5), 1, delta=0.5)
            values = self.simulate(emulator, "--seed", seed, "--batches", 20)["batches"]["measures"]["mean_time(w)"]
            half = batch_half_width(values)
            inside += half is not None and abs(sum(values) / 20 - 0.0007 / 0.3 - path) <= half
        self.assertTrue(0.85 * runs <= inside, f"{inside} of {runs}")

    def test_batches_change_nothing(self):
        emulator = self.compile(self.model, "--model", "growth", "-D", "clients=4", "-O0")
        plain, cut = self.simulate(emulator), self.simulate(emulator, "--batches", 7)
        self.assertEqual(plain["digest"], cut["digest"])
        self.assertEqual(plain["workloads"], cut["workloads"])
        self.assertNotIn("batches", plain)
        self.assertEqual(self.simulate(emulator, "--batches", 7, "--threads", 2)["batches"], cut["batches"])
        # A batch is the run that lasts as long.
        self.model.write_text(MODEL + "experiment median : Shop { measure p50(browse) }\n")
        emulator = self.compile(self.model, "--model", "median", "-O0")
        parts = self.simulate(emulator, "--batches", 2, "--for", "3s")["batches"]["measures"]["p50(browse)"]
        self.assertEqual(parts[0], self.simulate(emulator, "--for", "2s")["measures"]["p50(browse)"])

    def test_sweeps_stop(self):
        body = "vary gap in [50 ms, 20 ms]\n vary clients in [1, 2, 4, 8, 16]\n measure p95(browse)\n require p95(browse) < 25 ms\n"
        self.model.write_text(MODEL + "experiment all : Shop {\n run { repetitions = 1 }\n" + body + "}\nexperiment some : Shop {\n run { repetitions = 1, stop = 1 }\n" + body + "}\n")
        folders = [self.fresh(name) for name in ("all", "some")]
        for name, folder in zip(("all", "some"), folders):
            done = self.experiment(name, "-o", folder, check=False)
            self.assertEqual(done.returncode, 99)
        self.assertIn("successive levels", done.stdout)
        every, some = (self.rows(folder) for folder in folders)
        for gap in ("50 ms", "20 ms"):
            # In the order of the levels: the file has that in which they ended.
            rows = sorted((row for row in every if row["gap"] == gap), key=lambda row: int(row["clients"]))
            first = next(i for i, row in enumerate(rows) if row["met"] == "false")
            self.assertLess(first, 4)
            kept = {row["clients"]: row["digest"] for row in some if row["gap"] == gap}
            self.assertEqual(kept, {row["clients"]: row["digest"] for row in rows[:first + 1]})
        skipped = json.loads((folders[1] / "summary.json").read_text())["skipped"]
        self.assertEqual(len(skipped) + len(some), len(every))

    def test_factors_of_all_kinds(self):
        """Strings, flags, profiles, enumerations, addresses, durations: what each changes is what the run by hand has."""
        self.model.write_text("""
import std.web
profile slow : Tcp { initial_window = 1 }
profile fast : Tcp { initial_window = 10 }
model Shop(stack: Tcp = slow, place: address = 10.0.0.7, path: string = "/a", away: bool = false, wait: time = 1 ms, tunable far: time in 1 ms .. 1 s = 2 ms) {
  host client { tcp = stack }
  endpoint shop { tcp = stack, address = place, simulated = web.server(service = wait, close = at_once) }
  link client -- shop { rate = 10 Mbps, delay = if away then 20 ms else far }
  workload w : web.ClosedLoop on client { server = shop, documents = web.fixed(30 KB, path), think = 10 ms }
  run { duration = 2 s }
}
experiment kinds : Shop {
  run { repetitions = 1 }
  vary stack in [slow, fast]
  vary path in ["/b*c", "/b!c"]
  vary place in [PLACES10.0.0.8]
  vary away in [false, true]
  vary wait in [WAITS0.03 s]
  vary far in [2 ms, 4 ms]
  measure mean_time(w)
}
""".replace("PLACES", "10.0.0.7, " if ALL else "").replace("WAITS", "1 ms, " if ALL else ""))  # else as another than the model's
        folder = self.fresh("kinds")
        self.experiment("kinds", "-o", folder)
        rows = self.rows(folder)
        runs = 64 if ALL else 16
        self.assertEqual(len(rows), runs)
        self.assertEqual(len(list((folder / "runs").iterdir())), runs)  # whatever characters file systems have
        for row in rows[::5 if ALL else 3]:
            emulator = self.compile(self.model, "--model", "Shop", "-O0", *(word for name in ("stack", "place", "path", "away", "wait") for word in ("-D", f"{name}={row[name]}")))
            self.assertEqual(self.simulate(emulator, "--set", f"far={row['far']}")["digest"], row["digest"], row)

    @unittest.skipIf(SANITIZED, "it compiles longer than there is time")
    def test_the_time_that_there_is(self):
        body = "run { repetitions = 4, within = 2 s }\n vary gap in [10 ms, 20 ms, 30 ms]\n measure p95(browse)\n"
        self.model.write_text(MODEL + "experiment long : Shop {\n" + body + "}\n")
        folder, slow = self.fresh("long"), self.waiting(0.5)
        begun = time.monotonic()
        done = self.experiment("long", "-o", folder, "--jobs", "1", check=False, environment=slow)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertIn("the time is up", done.stderr)
        some = len(self.rows(folder))
        self.assertTrue(1 <= some < 12)
        self.experiment("long", "-o", folder, "--jobs", "1", check=False, environment=slow)
        self.assertGreater(len(self.rows(folder)), some)

    def test_reports(self):
        """The same in all formats, as the schema has it; two experiments beside each other."""
        both = [self.fresh("growth"), self.fresh("slower")]
        page = self.fresh("page.html")
        done = self.experiment("growth", "-o", both[0], "--report", page, "--quiet", check=False)
        self.assertEqual(done.stderr, "")
        self.assertIn(f"report: {page}", done.stdout)
        self.assertIn("p50(browse)", page.read_text())
        self.model.write_text(MODEL.replace("service = 4 ms", "service = 6 ms"))
        self.experiment("growth", "-o", both[1], check=False)
        self.assertIn("uPlot", (both[1] / "report.html").read_text())
        found = json.loads(run(ANMLC, "report", *both, "--format", "json").stdout)
        jsonschema.validate(found, json.loads((ROOT / "docs/findings.schema.json").read_text()))
        for folder in both:
            jsonschema.validate(json.loads((folder / "summary.json").read_text()), json.loads((ROOT / "docs/experiment.schema.json").read_text()))
        self.assertEqual(len(found["experiments"]), 2)
        for difference in found["differences"]:
            values = [[float(row[difference["measure"]]) for row in sorted(self.rows(folder), key=lambda row: int(row["seed"])) if {k: row[k] for k in ("clients", "gap")} == difference["settings"]]
                      for folder in both] if difference["measure"] in self.rows(both[0])[0] else None
            if values is None:
                continue
            means = [statistics.mean(v) for v in values]
            self.assertAlmostEqual(difference["difference"], means[1] - means[0])
            error = sum(statistics.variance(v) / len(v) for v in values) ** 0.5
            self.assertLessEqual(difference["welch_half_width"], 12.71 * error + 1e-12)
            self.assertGreaterEqual(difference["welch_half_width"], 1.96 * error)
            self.assertEqual((difference["method"], difference["pairs"]), ("paired", 3))
            off = [b - a for a, b in zip(*values)]
            self.assertAlmostEqual(difference["half_width"], 4.302653 * statistics.stdev(off) / 3 ** 0.5, places=5)
            self.assertEqual(difference["differs"], abs(difference["difference"]) > difference["half_width"])
        slower = [d for d in found["differences"] if d["measure"] == "p50(browse)"]
        self.assertEqual(len(slower), 4)
        self.assertTrue(all(d["difference"] > 0 for d in slower))
        table = list(csv.DictReader(run(ANMLC, "report", both[0], "--format", "csv").stdout.splitlines()))
        means = {(p["settings"]["clients"], p["settings"]["gap"]): p["measures"]["p50(browse)"]["mean"] for p in found["experiments"][0]["points"]}
        for row in table:
            if row["measure"] == "p50(browse)":
                self.assertAlmostEqual(float(row["mean"]), means[row["clients"], row["gap"]])
        suites = xml.etree.ElementTree.fromstring(run(ANMLC, "report", *both, "--format", "junit").stdout)
        for suite, experiment in zip(suites, found["experiments"], strict=True):
            failed = {case.get("name"): case.find("failure") is not None for case in suite}
            self.assertEqual(failed.pop("runs"), False)
            self.assertEqual(failed, {", ".join(f"{k} = {v}" for k, v in point["settings"].items()): point["met"] != point["runs"] for point in experiment["points"]})
        text = run(ANMLC, "report", *both).stdout
        self.assertIn("Differences from", text)
        self.assertIn("| 4 | 20 ms |", text)
        # Runs that somebody removed are missed, and the rest is shown.
        shutil.rmtree(both[0] / "runs" / "clients=2,gap=20_ms,1")
        self.assertIn("1 of 12 runs have no results any more", run(ANMLC, "report", both[0]).stdout)
        self.assertIn("no folder of an experiment", run(ANMLC, "report", self.fresh("nothing").parent, check=False).stderr)

    def test_what_cannot_be(self):
        self.assertIn("which of its experiments", self.experiment(check=False).stderr)
        self.assertIn("no experiment `grow`", self.experiment("grow", check=False).stderr)
        self.assertIn("varies it", self.experiment("growth", "-D", "clients=3", check=False).stderr)
        self.assertEqual(self.experiment("--list").stdout.split()[0], "growth")


if __name__ == "__main__":
    unittest.main()
