"""Thresholds: what a `require` on measures is held against is what the results say."""
import json
import unittest
import xml.etree.ElementTree

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.traffic
import std.web

model Thresholds(tunable limit: time in 1 ms .. 10 s = 1 s) {
  endpoint server { simulated = web.server() }
  router core
  host near
  link up: core -- server { rate = 100 Mbps, delay = 5 ms }
  link home: near -- core { rate = 10 Mbps, delay = 2 ms }
  host pc[4]
  link desk: pc[*] -- core { rate = 100 Mbps, delay = 1 ms }
  workload browse : web.OpenLoop on pc[*] { server = server, documents = web.fixed(2 KB), interval = 5 ms }
  workload rare : web.OpenLoop on near { server = server, documents = web.fixed(2 KB), interval = 1 s }
  workload probe : traffic.Ping on near { to = server, interval = 100 ms }
  REQUIRED
  run { duration = 10 s, warmup = 1 s }
}
"""

# p99(rare) and p999(rare) have too few samples: some value of theirs meets these,
UNKNOWN = ("p99(rare) < 5 ms", "p99(rare) == 5 ms", "p99(rare) != 5 ms", "!(p99(rare) == 5 ms)", "p99(rare) == 0 s", "p99(rare) == p50(rare)",
           "completed(browse) > 0 && p99(rare) != 5 ms", "completed(browse) == 0 || p99(rare) != 5 ms", "p99(rare) > 1 ms && p99(rare) == limit",
           "p99(rare) == 5 ms && p999(rare) == 7 ms", "p99(rare) == 5 ms && p999(rare) > 7 ms", "p99(rare) == 5 ms || p99(rare) == 7 ms")
# and none these.
NEVER = ("completed(browse) == 0 && p99(rare) == 5 ms", "p99(rare) == 5 ms && p99(rare) < 4 ms", "p99(rare) != 5 ms && p50(browse) == 0 s")


class Thresholds(EmulatorTest):

    def run_with(self, *required, options=()):
        emulator, results = self.compile(MODEL.replace("REQUIRED", "\n  ".join(required))), self.fresh("results.json")
        done = run(emulator, "simulate", "--results", results, *options, check=False)
        return done, json.loads(results.read_text())

    def test_measures_are_those_of_the_results(self):
        measures = ("p50", "p90", "p95", "p99", "p999", "mean_time", "max_time", "completed", "per_second", "failed", "throughput")
        limit = {"completed": 0, "per_second": 0, "failed": -1, "throughput": "0 bps"}
        done, results = self.run_with(*(f"require {m}(browse) > {limit.get(m, '0 s')}" for m in measures))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([t["requires"].split("(")[0] for t in results["thresholds"]], list(measures))
        found = {name: value for t in results["thresholds"] for name, value in t["measures"].items()}
        browse = results["workloads"][0]
        times, done = browse["response_time_seconds"], browse["transactions"]
        curve = dict(times["percentiles"])
        expected = {"p50": times["median"], "p90": curve[90], "p95": times["p95"], "p99": times["p99"], "p999": curve.get(99.9),
                    "mean_time": times["mean"], "max_time": times["max"], "completed": done["completed"], "per_second": done["per_second"],
                    "failed": 0, "throughput": browse["throughput_bps"]}
        self.assertGreater(done["completed"], 6000)
        for name, value in expected.items():
            self.assertEqual(found[f"{name}(browse)"], value, name)

    def test_parts_of_the_run(self):
        """A link is slower from 4 s on: each part has what ended in it, and together they have everything."""
        slower = "at 4 s { home { delay = 22 ms } }"
        parts = ("until = 4 s", "from = 4.05 s, until = 6 s", "from = 6 s")
        done, results = self.run_with(slower, *(f"require {m}(probe, {part}) >= {least}" for part in parts
                                               for m, least in (("p50", "0 s"), ("completed", 0), ("per_second", 0), ("failed", "0 %"))),
                                      "require completed(probe) > 0 && completed(browse, from = 6 s) > 0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = {name: value for t in results["thresholds"] for name, value in t["measures"].items()}
        # 64 B of ICMP each way over 10 and 100 Mbps.
        serial = 2 * 8 * 84 * (1 / 10e6 + 1 / 100e6)
        for part, delay in zip(("until = 4 s", "from = 4.05 s, until = 6 s", "from = 6 s"), (0.014, 0.054, 0.054)):
            self.assertAlmostEqual(found[f"p50(probe, {part})"], delay + serial, delta=0.001 * delay, msg=part)
            self.assertEqual(found[f"failed(probe, {part})"], 0)
        counts = [found[f"completed(probe, {part})"] for part in parts]
        self.assertAlmostEqual(counts[1], 19.5, delta=0.5)
        self.assertAlmostEqual(found["per_second(probe, from = 4.05 s, until = 6 s)"], counts[1] / 1.95, places=9)
        self.assertLessEqual(found["completed(probe)"] - sum(counts), 1)  # between the first two
        self.assertAlmostEqual(found["completed(browse, from = 6 s)"], 4 * 200 * 4, delta=5)

    def test_a_part_that_the_run_does_not_come_to(self):
        required = ("require p50(probe, until = 5 s) < 1 s", "require p50(probe, from = 2 s, until = 8 s) < 1 s", "require p50(probe, from = 2 s) < 1 s")
        done, results = self.run_with(*required, options=("--for", "6s"))
        self.assertEqual(done.returncode, 99)
        self.assertIn("p50(probe, from = 2 s, until = 8 s) was not measured (the run has not all of the part)", done.stderr)
        self.assertEqual([t["met"] for t in results["thresholds"]], [True, False, True])

    def test_experiments_measure_parts(self):
        path, folder = self.fresh("parts.anml"), self.fresh("out")
        path.write_text(MODEL.replace("REQUIRED", "") + """
experiment Parts : Thresholds {
  measure completed(probe, from = 4.05 s, until = 6.05 s)
  run { repetitions = 2 }
}
""")
        run(ANMLC, "experiment", path, "-O0", "-o", folder)
        summary = json.loads((folder / "summary.json").read_text())
        self.assertIn("completed(probe, from = 4.05 s, until = 6.05 s)", json.dumps(summary))
        self.assertEqual(list(summary["points"][0]["measures"].values())[0]["mean"], 20)

    def test_parts_are_alike_on_any_number_of_threads(self):
        text = MODEL.replace("REQUIRED", "require p95(browse, from = 3 s, until = 5.5 s) < 1 s && completed(browse, until = 3 s) > 0")
        emulator = self.compile(text, "--tasks", "3")
        found = [self.simulate(emulator, "--threads", threads) for threads in (1, 2)]
        self.assertEqual(found[0]["thresholds"], found[1]["thresholds"])
        self.assertEqual(found[0]["digest"], found[1]["digest"])

    def test_one_that_is_not_met(self):
        done, results = self.run_with('require p95(browse) < limit else "too slow"', "require failed(browse) < 1 %", options=("--set", "limit=2ms"))
        self.assertEqual(done.returncode, 99)
        self.assertRegex(done.stderr, r"too slow: p95\(browse\) is [\d.]+ ms \(asked: less than 2 ms\)\n")
        self.assertNotIn("failed", done.stderr)
        self.assertEqual([t["met"] for t in results["thresholds"]], [False, True])
        self.assertEqual(results["thresholds"][1]["found"], "failed(browse) is 0 %")  # as its bound is written
        met, _ = self.run_with('require p95(browse) < limit else "too slow"', options=("--set", "limit=9s"))
        self.assertEqual((met.returncode, met.stderr), (0, ""))

    def test_paths_beside_measures(self):
        done, results = self.run_with("require mean_time(browse) > rtt(pc[0], server) && mean_time(browse) < 4 * rtt(pc[0], server)",
                                      "require max_time(probe) < 3 * rtt(near, server)")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(list(results["thresholds"][1]["measures"]), ["max_time(probe)"])
        # What is asked stands beside what was measured where the text has no number for it.
        self.assertRegex(results["thresholds"][0]["found"], r"^mean_time\(browse\) is [\d.]+ ms \(asked: more than 12 ms and less than 48 ms\)$")

    def test_what_is_asked(self):
        done, results = self.run_with("require !(failed(browse) > 0.5 % + 0.5 %) && p50(browse) != 1 s", "require completed(browse) == 2 + 3",
                                      "require p50(browse) < 1 s", "require 3 * p50(browse) < 2 * limit", "require 12 ms + 1 ms <= max_time(browse)")
        self.assertEqual(done.returncode, 99)
        found = [t["found"] for t in results["thresholds"]]
        self.assertRegex(found[0], r"^failed\(browse\) is 0 % \(asked: at most 1 %\), p50\(browse\) is [\d.]+ ms$")
        self.assertRegex(found[1], r"^completed\(browse\) is \d+ \(asked: 5\)$")
        self.assertRegex(found[2] + found[3], r"^(p50\(browse\) is [\d.]+ ms){2}$")
        self.assertRegex(found[4], r"^max_time\(browse\) is [\d.]+ ms \(asked: at least 13 ms\)$")

    def test_losses_of_fluid(self):
        """A third of 15 Mbps does not fit into 10; nothing is lost in the other direction, into which nothing is sent."""
        text = """
import std.traffic
model Fluid {
  host a
  host b
  router r
  link line: a -- r { rate = 10 Mbps, delay = 1 ms, queue = droptail(10 KB) }
  link last: r -- b { rate = 100 Mbps, delay = 1 ms }
  workload crowd : traffic.Background on a { to = b, flows = 150, flow_rate = 100 Kbps }
  require max_load() == 1 && load(last, up) > 9 % && load(last) < 11 %
  require losses(line) < 34 % && losses(line, up) > 33 % && failed(crowd) > 33 %
  run { duration = 10 s, warmup = 1 s }
}
"""
        done = run(self.compile(text), "simulate", check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_was_not_measured_is_not_met(self):
        done, results = self.run_with("require !(p99(rare) > 1 s)", "require throughput(probe) >= 0 bps")
        self.assertEqual(done.returncode, 99)
        self.assertEqual(done.stderr.count("was not measured"), 2)
        self.assertEqual([list(t["measures"].values()) for t in results["thresholds"]], [[None], [None]])
        self.assertEqual([t["judged"] for t in results["thresholds"]], [False, False])
        self.assertIn("cannot be judged: throughput(probe) >= 0 bps: throughput(probe) was not measured", done.stderr)

    def test_workloads_without_hosts(self):
        """Of nobody nothing is measured: its thresholds are not met, and others with it are those of the others."""
        kinds = {"Ping": "interval = 1 s", "Cbr": "interval = 1 s", "OnOff": "rate = 1 Mbps", "Bulk": "size = 1 MB", "Flows": "size = 1 KB, offered = 1 Mbps", "Requests": "think = 1 s",
                 "Background": "flows = 5, flow_rate = 1 Mbps, burst = 2 s, pause = 5 s"}
        none = [f"workload w{i} : traffic.{kind} on pc[1 ..< 1] {{ to = {'near' if kind == 'Background' else 'server'}, {given}{', port = %d' % (2000 + i) if kind not in ('Ping', 'Background') else ''} }}"
                for i, (kind, given) in enumerate(kinds.items())]
        done, results = self.run_with(*none, *(f"require throughput(w{i}) > 0 bps" for i in range(7)), "require completed([w0, probe]) >= 90")
        self.assertEqual(done.returncode, 99)
        self.assertEqual([t["met"] for t in results["thresholds"]], [False] * 7 + [True], results["thresholds"])

    def test_a_queue_that_grows(self):
        """Twice what a server can: the n-th of 2000 takes 10 ms longer for each before it, so p95 is 19 s, and the run is over after 20."""
        emulator, results = self.compile("""import std.web
profile one : web.Server { workers = 1, service = 20 ms }
model Growing {
  endpoint server { simulated = one }
  host pc
  link pc -- server { rate = 1 Gbps, delay = 0.1 ms }
  workload w : web.OpenLoop on pc { server = server, documents = web.fixed(1 KB), interval = 10 ms }
  require p95(w) < 15 s
  run { duration = 20 s }
}"""), self.fresh("results.json")
        done = run(emulator, "simulate", "--results", results, check=False)
        times = json.loads(results.read_text())["workloads"][0]["response_time_seconds"]
        self.assertIn("cannot be judged: p95(w) < 15 s", done.stderr)
        self.assertIsNone(times["p95"])
        self.assertTrue(9 < times["at_least"]["p95"] <= 19, times)

    def test_what_is_known_all_the_same(self):
        """One part is not met, whatever the other would be; and what hangs for seconds has a percentile of seconds at least."""
        done, results = self.run_with('require p99(rare) < 1 s && p50(browse) < 1 ms else "too slow"')
        self.assertEqual((done.returncode, [(t["met"], t["judged"]) for t in results["thresholds"]]), (99, [(False, True)]))
        self.assertRegex(done.stderr, r"too slow: p99\(rare\) was not measured \(\d+ samples, it takes 500\), p50\(browse\) is ")
        done, results = self.run_with("require p50(browse) > 1 us || p99(rare) < 1 s", "require !(p50(browse) > 1 us && p99(rare) < 1 s) || p50(browse) > 0 s")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([(t["met"], t["judged"]) for t in results["thresholds"]], [(True, True), (True, True)])
        done, results = self.run_with(*(f"require {of}" for of in UNKNOWN + NEVER))
        self.assertEqual([(t["requires"], t["met"], t["judged"]) for t in results["thresholds"]],
                         [(of, False, False) for of in UNKNOWN] + [(of, False, True) for of in NEVER])
        text = MODEL.replace("REQUIRED", 'require p50(browse) < 1 s else "hangs"').replace("web.server()", "web.server(service = 20 s)")
        hangs = run(self.compile(text), "simulate", "--results", self.fresh("results.json"), check=False)
        self.assertRegex(hangs.stderr, r"hangs: p50\(browse\) is [\d.]+ s or more")

    def test_report(self):
        emulator, results = self.compile(MODEL.replace("REQUIRED", "require p95(browse) < limit\n  require completed(browse) < 3")), self.fresh("results.json")
        run(emulator, "simulate", "--results", results, check=False)
        text = run(ANMLC, "report", results, "--format", "markdown").stdout
        self.assertRegex(text, r"\| p95\(browse\) \\< limit \| met \| p95\(browse\) is [\d.]+ ms \(asked: less than 1 s\) \|\n")
        self.assertRegex(text, r"\| completed\(browse\) \\< 3 \| \*\*not met\*\* \| completed\(browse\) is \d+ \|\n")
        page = json.loads(run(ANMLC, "report", results, "--format", "json").stdout)
        self.assertEqual([t["met"] for t in page["runs"][0]["thresholds"]], [True, False])

    def test_junit(self):
        """What continuous integration reads fails where the exit status does, and says the same."""
        emulator, results, report = self.compile(MODEL.replace("REQUIRED", '''require p95(browse) < limit else "<slow> & 'late'"
  for most in [1, 1000000] { require completed(browse) < most }
  require p99(rare) < 1 s''')), self.fresh("results.json"), self.fresh("report.xml")
        done = run(emulator, "simulate", "--set", "limit=2ms", "--results", results, "--report", report, check=False)
        self.assertEqual(done.returncode, 99)
        for text in (report.read_text(), run(ANMLC, "report", results, "--format", "junit").stdout):
            suites = xml.etree.ElementTree.fromstring(text)
            (suite,) = suites
            self.assertEqual([{key: of.get(key) for key in ("tests", "failures", "errors", "skipped")} for of in (suites, suite)],
                             2 * [{"tests": "5", "failures": "3", "errors": "0", "skipped": "0"}])
            cases = suite.findall("testcase")
            self.assertEqual([(case.get("classname"), case.get("name")) for case in cases],
                             [("Thresholds", name) for name in ("run", "p95(browse) < limit", "completed(browse) < 1",
                                                                "completed(browse) < 1000000", "p99(rare) < 1 s")])
            self.assertEqual([case.find("failure") is not None for case in cases], [False, True, True, False, True])
            self.assertRegex(cases[1].find("failure").get("message"), r"^<slow> & 'late': p95\(browse\) is [\d.]+ ms \(asked: less than 2 ms\)$")
            self.assertEqual([case.find("failure").get("type") for case in (cases[1], cases[4])], ["threshold", "not measured"])
            self.assertRegex(cases[2].find("failure").text, r"model\.anml:\d+:\d+: requires completed\(browse\) < 1: completed\(browse\) is \d+$")
            found = {one.get("name"): one.get("value") for one in suite.find("properties")}
            self.assertEqual((found["verdict"], found["seed"], found["digest"]), ("simulated", "1", json.loads(results.read_text())["digest"]))
        two = xml.etree.ElementTree.fromstring(run(ANMLC, "report", results, results, "--format", "junit").stdout)
        self.assertEqual((two.get("tests"), len(two)), ("10", 2))
        self.assertEqual(len({suite.get("name") for suite in two}), 2)

    def test_digest(self):
        """A model is the same with them and without."""
        plain, asked = self.run_with("")[1], self.run_with("require p95(browse) < limit", options=("--threads", "2"))[1]
        self.assertEqual(plain["digest"], asked["digest"])
        self.assertEqual(plain["thresholds"], [])

    def test_tolerance_of_what_paths_say(self):
        """The other way round, with the path in the tolerance, anmlc crashed."""
        for tolerance, status in (("5 %", 0), ("10 us", 99)):
            done, _ = self.run_with(f"require mean_time(probe) == rtt(near, server) ± {tolerance}", options=("--seed", "3"))
            self.assertEqual(done.returncode, status, done.stderr)

    def test_without_workload(self):
        done, results = self.run_with("require completed(browse) > 10", options=("--no-workload",))
        self.assertEqual((done.returncode, results["thresholds"]), (0, []))


if __name__ == "__main__":
    unittest.main()
