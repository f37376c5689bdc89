"""Measures of single requests of a file: what the run's groups say, for each workload by itself."""
import json
import re
import unittest

from emulators import ANMLC, EmulatorTest, run

SHOP = """### login
POST /login

### check out
GET /check-out

### search
GET /find?q=shoes
"""
MODEL = """
import std.web

model Shop(tunable limit: time in 1 ms .. 10 s = 1 s) {
  endpoint server { simulated = web.server(service = SERVICE, reply = 20 KB) }
  router core
  host near[4]
  link up: core -- server { rate = 100 Mbps, delay = 5 ms }
  link home: near[*] -- core { rate = 5 Mbps, delay = 2 ms }
  workload shop : web.ClosedLoop on near[0 .. 1] { server = server, documents = web.requests("FILE", size = 1 KB), begin_with = first, requests = 100 }
  workload other : web.ClosedLoop on near[2 .. 3] { server = server, documents = web.requests("FILE", size = 1 KB), think = 7 ms }
  REQUIRED
  run { duration = 20 s, warmup = 1 s }
}
experiment Twice : Shop {
  vary limit in [1 s, 2 s]
  measure p95(shop, "check out")
}
"""
NAMES = ("login", "check out", "search")


class Requests(EmulatorTest):
    def text(self, *required, service="1 ms"):
        file = self.fresh("shop.http")
        file.write_text(SHOP)
        return MODEL.replace("REQUIRED", "\n  ".join(required)).replace("FILE", str(file)).replace("SERVICE", service)

    def run_with(self, *required, options=(), **given):
        emulator, results = self.compile(self.text(*required, **given)), self.fresh("results.json")
        done = run(emulator, "simulate", "--results", results, *options, check=False)
        return done, json.loads(results.read_text())

    def test_they_are_those_of_the_groups(self):
        measures = ("p50", "p95", "mean_time", "completed", "per_second", "failed", "throughput")
        of = ("shop", "other", "[shop, other]")
        names = [f'{m}({w}, "{name}")' for name in NAMES for w in of for m in measures]
        limit = {"completed": 0, "per_second": 0, "failed": -1, "throughput": "0 bps"}
        required = [f"require {name} > {limit.get(name.split('(')[0], '0 s')}" for name in names]
        done, results = self.run_with(*required, "require completed(shop) > 0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = results["measures"]
        self.assertEqual(list(found), [*names, "completed(shop)"])
        groups = {group["name"]: group for group in results["groups"]["request"]}
        for name in NAMES:
            group, both = groups[name], lambda m: found[f'{m}([shop, other], "{name}")']
            self.assertGreater(group["completed"], 500)
            self.assertEqual((both("completed"), both("per_second"), both("failed")), (group["completed"], group["per_second"], 0))
            self.assertAlmostEqual(both("throughput"), group["throughput_bps"], delta=1)
            self.assertAlmostEqual(both("mean_time"), group["response_time_seconds"]["mean"], delta=1e-9)
            for m, key in (("p50", "median"), ("p95", "p95")):
                self.assertAlmostEqual(both(m), group["response_time_seconds"][key], delta=0.02 * both(m))
            self.assertEqual(both("completed"), sum(found[f'completed({w}, "{name}")'] for w in ("shop", "other")))
        self.assertGreater(found['p50(other, "login")'], 1.5 * found['p50(other, "search")'])  # 20 KB and not 1 KB
        self.assertEqual(sum(found[f'completed(shop, "{name}")'] for name in NAMES), found["completed(shop)"])

    def test_think_times_and_groups_of_requests(self):
        """A request has a think time of its own behind it; groups of requests have figures together, also where a threshold asks for them."""
        text = self.text('require completed(shop, "shopping") > 0', 'require p50(shop, "shopping") < 1 s')
        text = text.replace("workload other", "// ")
        file = self.folder / "steps.http"
        file.write_text("### login\n# @think 500 ms\nPOST /login\n\n### find\n# @group shopping\n# @think 100 ms .. 300 ms\nGET /find\n\n### pay\n// @think 1s\nGET /pay\n\n"
                        "### leave\n# @group none\nGET /leave\n")
        text = re.sub(r'web.requests\("[^"]*"', f'web.requests("{file}"', text)
        found = self.simulate(self.compile(text))
        by_name = {group["name"]: group["completed"] for group in found["groups"]["request"]}
        iteration = 0.5 + 0.2 + 1 + 0.0496 + 3 * 0.0172
        self.assertAlmostEqual(by_name["leave"], 2 * 19 / iteration, delta=3)
        (group,) = found["groups"]["request_group"]
        self.assertEqual((group["name"], group["completed"]), ("shopping", by_name["find"] + by_name["pay"]))
        self.assertEqual(found["measures"]['completed(shop, "shopping")'], group["completed"])
        self.assertAlmostEqual(found["measures"]['p50(shop, "shopping")'], group["response_time_seconds"]["median"], delta=5e-4)

    def test_groups_of_workloads_and_seconds(self):
        """Each workload's add up to all, so do those of seconds; and the emulator's threads don't matter."""
        _, results = self.run_with("require completed(shop) > 0")
        _, threads = self.run_with("require completed(shop) > 0", options=("--threads", "2"))
        groups, alone, seconds = results["groups"]["request"], results["groups"]["workload_request"], results["series_by_request"]
        for key in ("groups", "series_by_request"):
            self.assertEqual(results[key], threads[key])
        self.assertEqual([(g["workload"], g["name"]) for g in alone], [(w, name) for w in ("shop", "other") for name in NAMES])
        self.assertEqual([s["name"] for s in seconds], list(NAMES))
        for group, series in zip(groups, seconds, strict=True):
            own = [g for g in alone if g["name"] == group["name"]]
            for key in ("completed", "failed", "request_bytes", "response_bytes"):
                self.assertEqual(sum(g[key] for g in own), group[key])
            self.assertIsNone(group["first_failure"])
            self.assertEqual({len(series[key]) for key in series if key != "name"}, {20})
            self.assertEqual(sum(series["completed"][1:]), group["completed"])  # measured from 1 s on
            mean = sum(n * (m or 0) for n, m in zip(series["completed"][1:], series["response_mean_seconds"][1:])) / group["completed"]
            self.assertAlmostEqual(mean, group["response_time_seconds"]["mean"], delta=1e-9)
        for key in ("completed", "failed"):
            self.assertEqual([sum(s[key][i] for s in seconds) for i in range(20)], results["series"][key])
        self.assertEqual({w["name"]: w["transactions"]["completed"] for w in results["workloads"]},
                         {w: sum(g["completed"] for g in alone if g["workload"] == w) for w in ("shop", "other")})
        file = self.fresh("of_requests.json")
        file.write_text(json.dumps(results))
        text = run(ANMLC, "report", file, "--format", "markdown").stdout
        for group in alone:
            self.assertRegex(text, rf"(?m)^\| {group['workload']}: {group['name']} \| {group['completed']} \|")

    def test_many_requests_are_others(self):
        """Of more than 100 names the last is `others`, of seconds of more than 20."""
        many = self.fresh("many.http")
        many.write_text("".join(f"### r{i}\nGET /{i}\n\n" for i in range(130)))
        text = self.text("require completed(shop) > 0").replace('begin_with = first, requests', "requests")
        text = re.sub(r'"[^"]*shop\.http"', f'"{many}"', text)
        results = self.simulate(self.compile(text))
        groups, seconds = results["groups"]["request"], results["series_by_request"]
        self.assertEqual((len(groups), groups[-1]["name"], len(seconds), seconds[-1]["name"]), (100, "others", 20, "others"))
        done = results["transactions"]["completed"]
        self.assertEqual(sum(g["completed"] for g in groups), done)
        self.assertEqual(sum(sum(s["completed"][1:]) for s in seconds), done)
        self.assertGreaterEqual(min(g["completed"] for g in groups), 1)
        self.assertGreater(groups[-1]["completed"], 31)

    def test_arrays_of_workloads_and_failures(self):
        """The elements of an array are one class; how a request failed first."""
        text = self.text("require completed(other) > 0", service="700 ms").replace("workload shop : web.ClosedLoop on near[0 .. 1]", "for i in [0, 1] { workload shop[i] : web.ClosedLoop on near[i]")
        text = text.replace('measure p95(shop, "check out")', 'measure p95(shop[*], "check out")').replace("requests = 100 }", "timeout = 500 ms } }")
        emulator = self.compile(text)
        results = self.simulate(emulator)
        alone = results["groups"]["workload_request"]
        self.assertEqual([g["workload"] for g in alone], ["shop[*]"] * 3 + ["other"] * 3)
        for group in alone:
            failed = {"cause": "timeout", "status": None, "body": None} if group["workload"] == "shop[*]" else None
            self.assertEqual((group["first_failure"], group["failed"] > 0), (failed, failed is not None))
        self.assertIn("the first failed by `timeout`", run(emulator, "simulate").stdout)

    def test_phases(self):
        done, results = self.run_with('require mean_time(other, "login", connect) < 1 s && mean_time(other, "login", transfer) < 1 s',
                                      'require mean_time(other, "login", first_byte) < 1 s && mean_time(other, "login") < 1 s')
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = results["measures"]
        parts = sum(found[f'mean_time(other, "login", {phase})'] for phase in ("connect", "first_byte", "transfer"))
        self.assertAlmostEqual(parts, found['mean_time(other, "login")'], delta=1e-6)

    def test_one_that_is_not_met(self):
        done, results = self.run_with('for name in ["login", "search"] { require p95(shop, name) < 40 ms else name + " is slow" }')
        self.assertEqual(done.returncode, 99)
        self.assertIn('login is slow: p95(shop, "login") is ', done.stderr)
        self.assertNotIn("search is slow", done.stderr)
        self.assertEqual([t["met"] for t in results["thresholds"]], [False, True])

    def test_what_hangs_is_not_left_out(self):
        """One transaction of each client is open at the end, for seconds: of the request that it asks for."""
        done, results = self.run_with('require p50(shop, "login") < 1 ms', 'require max_time(shop, "login") < 1 s', service="30 s")
        self.assertEqual(done.returncode, 99)
        self.assertRegex(done.stderr, r'max_time\(shop, "login"\) is 1\d\.?\d* s or more|max_time\(shop, "login"\) is 20 s or more')
        self.assertIsNone(results["measures"]['p50(shop, "login")'])

    def test_batches_threads_and_the_expanded_text(self):
        required = 'require p95(shop, "check out") < limit && mean_time([shop, other], "login", first_byte) < limit'
        _, plain = self.run_with("")
        for threads in ("1", "2"):
            _, asked = self.run_with(required, options=("--batches", "4", "--threads", threads))
            self.assertEqual(asked["digest"], plain["digest"])
            batches = asked["batches"]["measures"]
            self.assertEqual(set(batches), set(asked["measures"]))
            for name, values in batches.items():
                self.assertEqual(len(values), 4)
                self.assertAlmostEqual(sum(values) / 4, asked["measures"][name], delta=0.1 * asked["measures"][name])
        model = self.fresh("shop.anml")
        model.write_text(self.text(required))
        expanded = self.fresh("expanded.anml")
        expanded.write_text(run(ANMLC, model, "--emit=anml", "-o", "-").stdout)
        self.assertIn('p95(shop, "check out")', expanded.read_text())
        again = self.simulate(self.compile(expanded.read_text()))
        self.assertEqual((again["digest"], list(again["measures"])), (plain["digest"], ['p95(shop, "check out")', 'mean_time([shop, other], "login", first_byte)']))

    def test_of_experiments(self):
        model, folder = self.fresh("shop.anml"), self.fresh("runs")
        model.write_text(self.text('require p95(shop, "login") < limit'))
        run(ANMLC, "experiment", model, "-O0", "-o", folder, "--quiet")
        summary = json.loads((folder / "summary.json").read_text())
        self.assertEqual([m["name"] for m in summary["measures"]], ['p95(shop, "login")', 'p95(shop, "check out")'])
        for point in summary["points"]:
            for estimate in point["measures"].values():
                self.assertGreater(estimate["mean"], 0.01)


if __name__ == "__main__":
    unittest.main()
