"""Labels in results, reports and pictures; the groups of `report by` are those that arithmetic and a count of workloads say, however it is run."""
import json
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.traffic
import std.web

component Site(n: int, away: time) {
  router edge
  host pc[n]
  host spare
  link desk: pc[*] -- edge { rate = 100 Gbps, delay = away }
  link other: spare -- edge { rate = 100 Gbps, delay = away }
  label pc[0] { name = "first", class = "boss" }
  label spare { region = "" }
}

model Labelled {
  host alone[4]
  router isp
  endpoint shop { simulated = web.server() }
  let sites = ["north", "south", "north"]
  for i, region in sites {
    Site site[i](i + 2, (i + 1) * 1 ms)
    link up[i]: site[i].edge -- isp { rate = 10 Gbps, delay = 5 ms }
    workload w[i] : web.ClosedLoop on [site[i].pc[*], site[i].spare] { server = shop, documents = web.fixed(2 KB), think = 50 ms }
    label site[i], w[i], up[i] { name = "site " + text(i + 1), region = region }
  }
  link line: alone[*] -- isp { rate = 10 Gbps, delay = 10 ms }
  link core: isp -- shop { rate = 10 Gbps, delay = 1 ms }
  label shop, core { name = "Shop" }
  workload rest : web.ClosedLoop on alone[*] { server = shop, documents = web.fixed(2 KB), think = 50 ms }
  label rest { class = "rest" }
  label alone[1 .. 2] { region = "west" }
  workload ping : traffic.Ping on alone[*] { to = shop }
  report by region
  report by region, class
  from 4 s to 5 s { up[1] down }
  require completed([w[0], w[2]]) + completed(w[1]) + completed(rest) == completed([w[0 .. 2], rest])
  require failed([w[*], rest]) <= 100 %
  run { duration = 10 s, warmup = 1 s }
}
"""
SUMS = ("completed", "failed", "request_bytes", "response_bytes")


class LabelsInResults(EmulatorTest):

    def test_groups(self):
        (_, groups), emulator = self.however_it_is_run(MODEL, "groups")
        results = self.simulate(emulator)
        by = {tuple(report["by"]): {group["name"]: group for group in report["groups"]} for report in groups["reports"]}
        # A host's own label, else its instances', else its workload's; `spare` has none, whatever is around it.
        self.assertEqual(list(by["region",]), ["north", "-", "south", "west"])
        self.assertEqual(list(by["region", "class"]), ["north, boss", "north, -", "-, -", "south, boss", "south, -", "-, rest", "west, rest"])
        self.assertEqual(by["region", "class"]["west, rest"]["labels"], ["west", "rest"])
        for of_report in by.values():
            for key in SUMS:
                self.assertEqual(sum(group[key] for group in of_report.values()), results["transactions"][key], key)
            together = sum((group["response_time_seconds"]["mean"] or 0) * group["response_time_seconds"]["samples"] for group in of_report.values())
            whole = results["response_time_seconds"]
            self.assertAlmostEqual(together / whole["samples"], whole["mean"], places=9)
        workloads = {w["name"]: w["transactions"]["completed"] for w in results["workloads"] if "transactions" in w}
        # Without the spare machines, one of four, one of three and one of five.
        self.assertAlmostEqual(by["region",]["south"]["completed"] / workloads["w[1]"], 3 / 4, delta=0.02)
        self.assertAlmostEqual(by["region",]["north"]["completed"], workloads["w[0]"] * 2 / 3 + workloads["w[2]"] * 4 / 5, delta=4)
        self.assertAlmostEqual(by["region",]["west"]["completed"], workloads["rest"] / 2, delta=4)

    def test_names(self):
        emulator = self.compile(MODEL)
        results = self.simulate(emulator)
        workloads = {w["name"]: w for w in results["workloads"]}
        self.assertEqual((workloads["w[2]"]["label"], workloads["w[2]"]["labels"]), ("site 3", {"name": "site 3", "region": "north"}))
        self.assertEqual(workloads["rest"]["labels"], {"class": "rest"})
        self.assertNotIn("label", workloads["rest"])
        self.assertNotIn("labels", workloads["ping"])
        links = {link["name"]: link.get("label") for link in results["busiest_links"]}
        self.assertEqual([links[name] for name in ("up[0]>", "up[2]<", "core>", "site[1].desk[1]<", "line[0]>")],
                         ["site 1", "site 3", "Shop", "site 2", None])
        self.assertEqual(results["servers"][0]["label"], "Shop")
        # `pc[0]` has another name than the rest of its site.
        self.assertNotIn("label", results["groups"]["subnetwork"][1])
        plain = self.simulate(self.compile(MODEL.replace('name = "first", ', "")))
        self.assertEqual([g.get("label") for g in plain["groups"]["subnetwork"]], [None, "site 1", "site 2", "site 3"])
        self.assertEqual(plain["digest"], results["digest"])
        self.assertEqual([d["label"] for d in results["timeline"]["downtime"]], ["site 2"])
        self.assertEqual(results["timeline"]["events"][0]["what"], "up[1] (site 2) down")
        out = run(emulator, "simulate").stdout
        for shown in ("w[0]         site 1: ", "  by region, class 7 groups\n", "    north, boss  ", "core< (Shop)"):
            self.assertIn(shown, out)

    def test_without_labels(self):
        """They change nothing else."""
        bare = "\n".join(line for line in MODEL.splitlines() if not line.strip().startswith(("label", "report")))
        with_labels, without = (self.simulate(self.compile(text)) for text in (MODEL, bare))
        self.assertEqual(with_labels["digest"], without["digest"])
        self.assertNotIn("reports", without["groups"])
        self.assertEqual(without["transactions"], with_labels["transactions"])

    def test_expansion(self):
        """An expansion has no instances, and the same labels."""
        model = self.fresh("model.anml")
        model.write_text(MODEL)
        expanded = self.fresh("expanded.anml")
        run(ANMLC, model, "--emit=anml", "-o", expanded)
        ours, theirs = (self.simulate(self.compile(path)) for path in (model, expanded))
        for key in ("digest", "workloads", "groups", "busiest_links", "timeline", "measures", "sums"):
            self.assertEqual(ours[key], theirs[key], key)
        again = run(ANMLC, expanded, "--emit=anml", "-o", "-").stdout
        self.assertEqual(again, expanded.read_text())

    def test_reports(self):
        results = self.fresh("results.json")
        run(self.compile(MODEL), "simulate", "--results", results, check=False)
        table = json.loads(run(ANMLC, "report", results, "--format", "json").stdout)
        names = {(g["kind"], g["name"]): g.get("label") for g in table["groups"]}
        self.assertEqual(names["workload", "w[1]"], "site 2")
        self.assertIn(("report", "region, class: west, rest"), names)
        text = run(ANMLC, "report", results, "--format", "markdown").stdout
        self.assertIn("## By region, class\n", text)
        self.assertIn("## Workload w\\[1\\] (site 2) (web.ClosedLoop)\n", text)
        page = run(ANMLC, "report", results, "--format", "html").stdout
        self.assertIn('"shown":"w[1] (site 2)"', page)

    def test_pictures(self):
        model = self.fresh("model.anml")
        model.write_text(MODEL)
        for suffix, shown in (("svg", "site[1].pc[0] (first)"), ("dot", 'label="first"'), ("d2", '"pc[0]": "first"'), ("mmd", '"first"'), ("html", '"given":"site 2"')):
            drawn = self.fresh("drawn." + suffix)
            run(ANMLC, "graph", model, "-o", drawn)
            self.assertIn(shown, drawn.read_text(), suffix)

    def test_many(self):
        """Of more than 256 groups the rest are one; a name for each of a thousand hosts of one array."""
        text = """
import std.web
model Many {
  host pc[300]
  endpoint shop { simulated = web.server() }
  link line: pc[*] -- shop { rate = 1 Gbps, delay = 1 ms }
  for i in 0 ..< 300 { label pc[i] { who = "host " + text(i) } }
  workload w : web.ClosedLoop on pc[*] { server = shop, documents = web.fixed(1 KB), think = 20 ms }
  report by who
  run { duration = 1 s }
}
"""
        results = self.simulate(self.compile(text))
        groups = results["groups"]["reports"][0]["groups"]
        self.assertEqual(len(groups), 256)
        self.assertEqual((groups[254]["name"], groups[255]["name"], groups[255]["labels"]), ("host 254", "others", []))
        self.assertEqual(sum(g["completed"] for g in groups), results["transactions"]["completed"])
        self.assertGreater(groups[255]["completed"], 30 * groups[0]["completed"])


if __name__ == "__main__":
    unittest.main()
