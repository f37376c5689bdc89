"""Statistics of many runs: warm-ups that are found, precision, differences over common seeds, streams of other nodes."""
import csv
import json
import statistics
import unittest

import jsonschema

from emulators import ANMLC, ROOT, EmulatorTest, run

QUEUE = """
import std.web
model Queue(tunable gap: time in 1 ms .. 1 s = 5 ms, tunable delay: time in 0 s .. 1 s = 1 ms) {
  host client
  endpoint server { simulated = web.server(service = exponential(4 ms), workers = 1, close = at_once) }
  link client -- server { rate = 1 Gbps, delay = delay }
  workload w : web.OpenLoop on client { server = server, documents = web.fixed(100 B), interval = exponential(gap), start_spread = 0 s }
  run { duration = 60 s }
}
"""
RAMP = """
model Ramp {
  host client[40]
  endpoint server { simulated = web.server(service = 1 ms, workers = 8, close = at_once) }
  link client[*] -- server { rate = 100 Mbps, delay = 1 ms }
  workload w : web.ClosedLoop on client[*] { server = server, documents = web.fixed(2 KB), think = exponential(500 ms), start_spread = 20 s }
  run { duration = 120 s }
}
"""
T = {3: 4.302653, 4: 3.182446, 5: 2.776445}  # Student's, 97.5 %, of so many pairs


class Statistics(EmulatorTest):
    def setUp(self):
        super().setUp()
        self.model = None  # the same file for all experiments of a test

    def experiment(self, text, *arguments, check=True, folder=None):
        self.model = self.model or self.fresh("queue.anml")
        self.model.write_text(QUEUE + text)
        folder = folder or self.fresh("runs")
        done = run(ANMLC, "experiment", self.model, "-o", folder, "-O0", *arguments, check=check, timeout=300)
        summary = folder / "summary.json"
        return done, folder, json.loads(summary.read_text()) if summary.exists() else None

    def test_a_warmup_on_the_command_line_is_the_models(self):
        model = self.fresh("queue.anml")
        model.write_text(QUEUE)
        plain = self.compile(model, "-O0")
        model.write_text(QUEUE.replace("duration = 60 s", "duration = 60 s, warmup = 7 s"))
        own = self.simulate(self.compile(model, "-O0"))
        by_hand = self.simulate(plain, "--warmup", "7s")
        for key in ("digest", "window", "transactions", "workloads"):
            self.assertEqual(own[key], by_hand[key])
        self.assertEqual(self.simulate(plain, "--warmup", "0s")["window"], self.simulate(plain)["window"])
        self.assertEqual(run(plain, "simulate", "--warmup", "-1s", check=False).returncode, 2)

    def test_pilot_runs_find_the_warmup_of_all(self):
        text = "experiment e : Queue { run { find_warmup = true, repetitions = 3 }\n vary gap in [5 ms, 8 ms]\n measure mean_time(w) }\n"
        done, folder, summary = self.experiment(text)
        found = summary["warmup"]
        self.assertEqual(json.loads((folder / "experiment.json").read_text())["found_warmup"], found)
        self.assertEqual(found["by"], "mean_time(w)")
        self.assertRegex(done.stdout, r"found by MSER-5 from 6 pilot runs of 60 s; mean_time\(w\) decided at gap = [58] ms \(its pilot runs each by itself: [0-9.]+, [0-9.]+, [0-9.]+ s\)")
        self.assertEqual((found["pilots"], found["pilot_seconds"], len(found["alone_seconds"])), (6, 60, 3))
        self.assertEqual(found["late"], found["seconds"] > 20)
        runs = list(folder.glob("runs/*/results.json"))
        self.assertEqual(len(runs), 6)
        for path in runs:
            window = json.loads(path.read_text())["window"]
            self.assertAlmostEqual(window["begin"], found["seconds"])
            self.assertAlmostEqual(window["begin"] + window["measured_seconds"], 60)
        # By hand: the parts of three runs averaged, joined by five, and the least of the statistic in the first half.
        longest = 0
        seeds = set()
        for gap in ("5_ms", "8_ms"):
            parts = []
            for i in (1, 2, 3):
                results = json.loads((folder / "pilots" / f"gap={gap},{i}" / "results.json").read_text())
                seeds.add(results["seed"])
                self.assertEqual(results["window"]["begin"], 0)
                parts.append(results["batches"]["measures"]["mean_time(w)"])
            values = [statistics.mean(at) for at in zip(*parts)]
            means = [statistics.mean(values[i:i + 5]) for i in range(0, 200, 5)]
            error = [statistics.pvariance(means[d:]) / (40 - d) for d in range(21)]
            longest = max(longest, 60 / 40 * error.index(min(error)))
        if not found["unsettled"]:
            self.assertAlmostEqual(found["seconds"], longest)
        self.assertEqual(len(seeds), 3)
        self.assertTrue(seeds.isdisjoint(run["seed"] for run in summary["runs"]))
        self.assertIn("warm-up", run(ANMLC, "report", folder, "--format", "markdown").stdout)
        # What has run is not run again, pilots neither.
        before = {path: path.stat().st_mtime_ns for path in folder.glob("*/*/manifest.json")}
        self.assertEqual(len(before), 12)
        self.experiment(text, folder=folder)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in folder.glob("*/*/manifest.json")})

    def test_what_is_never_steady_has_no_warmup(self):
        text = "experiment e : Queue { run { find_warmup = true, repetitions = 3 }\n vary gap in GAPS\n measure mean_time(w) }\n"
        done, folder, summary = self.experiment(text.replace("GAPS", "[2 ms]"), check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no warm-up is found: nothing that is measured is steady in the second half", done.stderr)
        self.assertIsNone(summary)
        self.assertEqual(list(folder.glob("runs/*")), [])
        done, _, summary = self.experiment(text.replace("GAPS", "[2 ms, 8 ms]"))
        self.assertEqual(summary["warmup"]["unsettled"], [{"settings": {"gap": "2 ms"}, "measure": "mean_time(w)"}])
        self.assertIn("note: gap = 2 ms: mean_time(w) is not steady", done.stdout)

    def test_a_warmup_in_the_last_part_of_pilots_is_told(self):
        """Throughput grows for 23 s of 58."""
        model = RAMP.replace("client[40]", "client[200]").replace("workers = 8", "workers = 40").replace("start_spread = 20 s", "start_spread = 23 s")
        for duration, late in ((58, True), (120, False)):
            self.model = None
            _, _, summary = self.experiment(model.replace("duration = 120 s", f"duration = {duration} s") +
                                            "experiment e : Ramp { run { repetitions = 1, find_warmup = true }\n measure per_second(w) }\n")
            found = summary["warmup"]
            self.assertEqual((found["pilots"], found["late"]), (3, late), found)
            self.assertGreater(found["seconds"], 15)
            self.assertEqual(any("lies in the last part of what pilot runs of 58 s can tell" in note for note in summary["notes"]), late)

    def test_a_transient_behind_the_warmup_is_told(self):
        """Clients begin over 20 s, so that throughput grows until then."""
        text = RAMP + """
experiment e : Ramp { run { repetitions = 4, warmup = WARMUP }\n measure mean_time(w) }
"""
        done, folder, summary = self.experiment(text.replace("WARMUP", "2 s"))
        [note] = summary["notes"]
        self.assertRegex(note, r"a transient goes on until (15|20|25) s \(MSER-5\), behind the warm-up of 2 s: with it (throughput|transactions per second) is lower by \d")
        self.assertIn(f"note: {note}", done.stdout)
        for form in ("markdown", "html"):
            self.assertIn("a transient goes on until", run(ANMLC, "report", folder, "--format", form).stdout)
        quiet, _, summary = self.experiment(text.replace("WARMUP", "30 s"))
        self.assertEqual(summary["notes"], [])
        self.assertNotIn("note:", quiet.stdout)

    def test_transactions_that_fail_are_told(self):
        text = """
model Hasty {
  host client
  endpoint server { simulated = web.server(service = exponential(4 ms), workers = 1, close = at_once) }
  link client -- server { rate = 1 Gbps, delay = 1 ms }
  workload w : web.OpenLoop on client { server = server, documents = web.fixed(100 B), interval = exponential(5 ms), timeout = LIMIT }
  run { duration = 20 s }
}
experiment e : Hasty { run { repetitions = 2 }\n measure mean_time(w) }
"""
        done, folder, summary = self.experiment(text.replace("LIMIT", "10 ms"))
        counted = [json.loads((folder / f"runs/{i}/results.json").read_text())["transactions"] for i in (1, 2)]
        failed, completed = (sum(c[key] for c in counted) for key in ("failed", "completed"))
        self.assertIn(f"of the transactions failed ({failed} of {failed + completed}): response times are of those that completed",
                      summary["notes"][0])
        self.assertIn(summary["notes"][0], done.stdout)
        _, _, summary = self.experiment(text.replace("LIMIT", "10 s"))
        self.assertEqual(summary["notes"], [])

    def test_a_precision_that_is_not_reached_is_told(self):
        text = "experiment e : Queue { run { precision = PRECISION % MORE }\n vary gap in [8 ms]\n measure mean_time(w) }\n"
        done, _, summary = self.experiment(text.replace("PRECISION", "1").replace("MORE", ", repetitions = 6"))
        [point] = summary["points"]
        self.assertEqual(point["runs"], 6)
        [note] = summary["notes"]
        self.assertIn("the precision of 1 % is not reached after all 6 repetitions: mean_time(w) is known to ± ", note)
        self.assertIn(note, done.stdout)
        _, _, summary = self.experiment(text.replace("PRECISION", "5").replace("MORE", ""))
        [point] = summary["points"]
        found = point["measures"]["mean_time(w)"]
        self.assertGreaterEqual(point["runs"], 5)
        self.assertLess(point["runs"], 100)
        self.assertLessEqual(found["half_width"], 0.05 / 1.05 * found["mean"])
        self.assertEqual(summary["notes"], [])

    def test_differences_are_of_common_seeds(self):
        text = "experiment e : Queue { run { repetitions = 4 }\n vary delay in [1 ms, 1.05 ms, 1.1 ms]\n measure mean_time(w) }\n"
        done, folder, summary = self.experiment(text)
        jsonschema.validate(summary, json.loads((ROOT / "docs/experiment.schema.json").read_text()))
        base, *others = [point["measures"]["mean_time(w)"] for point in summary["points"]]
        self.assertEqual(base["seeds"], [1, 2, 3, 4])
        self.assertIn("(paired t of 4 pairs of runs with the same seeds, Bonferroni)", done.stdout)
        with open(folder / "differences.csv", newline="") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual([line["delay"] for line in lines], ["1.05 ms", "1.1 ms"])
        for line, effect in zip(lines, summary["effects"]):
            self.assertEqual((line["factor"], line["base"], line["level"], line["unit"], line["pairs"]), ("delay", "1 ms", effect["level"], "s", "4"))
            for key in ("first", "difference", "half_width", "correlation", "variance_left"):
                self.assertEqual(float(line[key]), effect[key])
            self.assertEqual(line["differs"] == "true", effect["differs"])
        self.assertIn("| pairs |", run(ANMLC, "report", folder, "--format", "markdown").stdout)
        self.assertEqual(len(summary["effects"]), 2)
        for effect, other in zip(summary["effects"], others):
            off = [b - a for a, b in zip(base["values"], other["values"])]
            self.assertAlmostEqual(effect["difference"], statistics.mean(off))
            # 97.5 % of each of two: t of 0.9875 with three degrees.
            self.assertAlmostEqual(effect["half_width"], 4.176535 * statistics.stdev(off) / 2, delta=1e-5 * effect["half_width"] + 1e-12)
            self.assertLess(effect["variance_left"], 0.01)
            self.assertTrue(effect["differs"])
            # The means themselves are known far worse.
            self.assertGreater(other["half_width"], 10 * effect["half_width"])
        self.assertIn("differences from delay = 1 ms, with the same seeds", done.stdout)
        after = self.fresh("after")
        self.experiment(text.replace("experiment e : Queue {", "experiment e : Queue { override w { documents = web.fixed(2 KB) }\n"), folder=after)
        both = json.loads(run(ANMLC, "report", folder, after, "--format", "json").stdout)
        jsonschema.validate(both, json.loads((ROOT / "docs/findings.schema.json").read_text()))
        second = json.loads((after / "summary.json").read_text())
        [entry] = [d for d in both["differences"] if d["settings"] == {"delay": "1 ms"} and d["measure"] == "mean_time(w)"]
        off = [b - a for a, b in zip(base["values"], second["points"][0]["measures"]["mean_time(w)"]["values"])]
        self.assertEqual((entry["method"], entry["pairs"]), ("paired", 4))
        self.assertAlmostEqual(entry["half_width"], T[4] * statistics.stdev(off) / 2, delta=1e-5 * entry["half_width"] + 1e-12)
        self.assertTrue(entry["differs"])
        self.assertGreater(entry["welch_half_width"], 3 * entry["half_width"])
        markdown = run(ANMLC, "report", folder, after, "--format", "markdown").stdout
        self.assertIn("paired, 4 seeds", markdown)
        self.assertIn("Differences from a factor's first level", markdown)
        # Other seeds: Welch's.
        other = self.fresh("other")
        self.experiment(text.replace("repetitions = 4", "repetitions = 4, seed = 11"), folder=other)
        both = json.loads(run(ANMLC, "report", folder, other, "--format", "json").stdout)
        self.assertEqual({d["method"] for d in both["differences"]}, {"Welch"})
        self.assertEqual({d["variance_left"] for d in both["differences"]}, {None})

    def test_an_array_that_grows_shifts_no_stream_before_it(self):
        """What others draw is common between levels, as long as they stand before the array."""
        model = self.fresh("two.anml")
        model.write_text("""
import std.web
model Two(n: int in 1 .. 10 = 2) {
  host b
  endpoint sb { simulated = web.server(service = exponential(4 ms), workers = 1, close = at_once) }
  router q
  link b -- q { rate = 100 Mbps, delay = 2 ms, loss = 1 % }
  link q -- sb { rate = 1 Gbps, delay = 1 ms }
  workload wb : web.OpenLoop on b { server = sb, documents = web.fixed(2 KB), interval = exponential(20 ms) }
  endpoint sa { simulated = web.server(service = exponential(4 ms), workers = 4, close = at_once) }
  router r
  host a[n]
  link r -- q { rate = 1 Gbps, delay = 1 ms }
  link r -- sa { rate = 1 Gbps, delay = 1 ms }
  link a[*] -- r { rate = 100 Mbps, delay = 2 ms }
  workload wa : web.OpenLoop on a[*] { server = sa, documents = web.fixed(2 KB), interval = exponential(20 ms) }
  run { duration = 20 s }
}
""")
        results = [self.simulate(self.compile(model, "-O0", "-D", f"n={n}")) for n in (2, 5)]
        first, second = ([w for w in one["workloads"] if w["name"] == "wb"] for one in results)
        self.assertEqual(first, second)
        self.assertNotEqual(results[0]["digest"], results[1]["digest"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
