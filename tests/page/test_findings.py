#!/usr/bin/env python3
"""The page of experiments: its figures are the summary's, the charts show each level, choices act, a search's path, two experiments, hostile names, keys and themes, nothing from elsewhere."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from browser import Browser

ANMLC = os.environ["ANMLC"]
MODEL = """
import std.web

model Shop(
  /// that browse
  clients: int in 1..100 = 4, tunable gap: time in 1 ms .. 10 s = 50 ms, note: string = "a") {
  host client[clients]
  endpoint shop { simulated = web.server(service = SERVICE, workers = 1, close = at_once) }
  router r
  link client[*] -- r { rate = 100 Mbps, delay = 2 ms }
  link r -- shop { rate = 1 Gbps, delay = 1 ms }
  workload browse : web.OpenLoop on client[*] { server = shop, documents = web.fixed(2 KB), interval = exponential(gap), timeout = 1 s }
  run { duration = 6 s, warmup = 1 s }
}
/// How it grows.
experiment growth : Shop {
  run { repetitions = 3 }
  vary clients in [2, 4, 8, 16]
  vary gap in [50 ms, 100 ms]
  vary note in ["a", "</script><img src=x onerror=alert(1)>"]
  measure p50(browse)
  measure p95(browse)
  require p95(browse) < 60 ms && p50(browse) < 2 s
}
experiment limit : Shop {
  run { repetitions = 3 }
  search clients in 1 .. 40
  measure p95(browse)
  require p95(browse) < 40 ms
}
"""
TITLES = "[...document.querySelectorAll('.chart h3')].map((e) => e.textContent)"
# How many points of a chart are in which colour: a line that is not drawn has none.
COLOURS = """(() => {
  const canvas = document.querySelector("#factors [data-measure='MEASURE(browse)'] canvas"), seen = {};
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) { const c = [pixels[i], pixels[i + 1], pixels[i + 2]].join(); seen[c] = (seen[c] || 0) + 1; }
  return seen;
})()"""
def colours(measure="p95"):
    return COLOURS.replace("MEASURE", measure)


class Findings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="anml-findings-test-")
        cls.folder = pathlib.Path(cls.temporary.name)
        for name, experiment, service in (("growth", "growth", "4 ms"), ("slower", "growth", "8 ms"), ("limit", "limit", "4 ms")):
            model = cls.folder / f"{name}.anml"
            model.write_text(MODEL.replace("SERVICE", service))
            subprocess.run([ANMLC, "experiment", str(model), experiment, "-O0", "-o", str(cls.folder / name), "--quiet"], stdout=subprocess.DEVNULL)
        cls.summary = {name: json.loads((cls.folder / name / "summary.json").read_text()) for name in ("growth", "slower", "limit")}
        cls.browser = Browser(os.environ["CHROMIUM"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.temporary.cleanup()

    def page(self, *names):
        path = self.folder / names[0] / "report.html"
        if len(names) > 1:
            path = self.folder / "both.html"
            subprocess.run([ANMLC, "report", *(str(self.folder / name) for name in names), "-o", str(path)], check=True)
        self.browser.open(str(path))
        self.browser.settle()
        self.assertEqual(self.browser.problems(), [])

    def text(self, place="body"):
        return self.browser.run(f"document.querySelector('{place}').innerText")

    def test_figures_are_the_summarys(self):
        self.page("growth")
        cells = self.browser.run("[...document.querySelectorAll('#means-0 [data-found]')].map((c) => [c.dataset.found, c.title, c.querySelector('.interval').textContent])")
        points = {", ".join(f"{k} = {v}" for k, v in p["settings"].items()): p["measures"] for p in self.summary["growth"]["points"]}
        compared = 0
        for found, title, interval in cells:
            place, measure = found.rsplit("/", 1)
            if measure not in ("p50(browse)", "p95(browse)"):
                continue
            expected = points[place][measure]
            if expected["mean"] is None:
                continue
            self.assertAlmostEqual(float(title.split()[0]), expected["mean"], delta=1e-9)
            self.assertEqual(interval != "", expected["half_width"] is not None)
            compared += 1
        self.assertGreater(compared, 20)
        met = sum(p["met"] == p["runs"] for p in self.summary["growth"]["points"])
        self.assertIn(f"met at {met} of 16 combinations", self.text("#answer").lower())
        self.assertIn("48 runs: all simulated", self.text("#answer"))
        self.assertEqual(self.browser.run("document.querySelectorAll('img').length"), 0)

    def test_charts_and_choices(self):
        self.page("growth")
        titles = self.browser.run(TITLES)
        self.assertTrue(any(title.startswith("p95(browse)") for title in titles), titles)
        self.assertTrue(any(title.startswith("completed per second") for title in titles), titles)  # as the experiment does not measure it
        self.assertEqual(self.browser.run("document.querySelectorAll('#factors .legend span:not(.key)').length"), 4)  # clients is along
        all_lines = self.browser.run(colours())
        for colour in ("217,72,15", "147,51,234"):  # the second and the fourth: `note` changes nothing, and they hide the others
            self.assertIn(colour, all_lines)
        # One level of each other factor: one line.
        self.browser.run("for (const s of [...document.querySelectorAll('#factors .choice select')].slice(1)) { s.selectedIndex = 1; s.dispatchEvent(new Event('change')); }")
        self.browser.settle()
        one = self.browser.run(colours())
        self.assertNotIn("217,72,15", one)
        self.assertIn("37,99,235", one)
        # Along a factor that is no number its levels stand beside each other.
        self.browser.run("(() => { const s = document.getElementById('along'); s.value = 'note'; s.dispatchEvent(new Event('change')); })()")
        self.browser.settle()
        self.assertEqual(self.browser.run("document.querySelectorAll('#factors .legend span:not(.key)').length"), 2)  # of eight: clients are held
        self.assertEqual(self.browser.problems(), [])
        self.browser.run("(() => { const box = document.querySelector('.picks input:checked'); box.click(); })()")
        self.browser.settle()
        self.assertEqual(self.browser.run("document.querySelectorAll('#percentiles .u-series').length"), 6)  # five, and the axis
        # The cursor, by keys.
        self.browser.run("document.querySelector('#factors .chart').focus()")
        for _ in range(2):
            self.browser.key("ArrowRight")
        self.assertIn("±", self.text("#factors .u-legend"))

    def test_all_measures_and_no_requirement(self):
        """A card for each measure, those that are required first; and where nothing is required nothing is said of it."""
        def more(_, summary):
            if summary:
                summary["measures"] = [{**summary["measures"][0], "name": name} for name in ("p99(browse)", "mean(browse)", "deviation(browse)")] + summary["measures"]
                for point in summary["points"]:
                    for name in ("p99(browse)", "mean(browse)", "deviation(browse)"):
                        point["measures"][name] = point["measures"]["p95(browse)"]

        self.copy("growth-more", more)
        cards = self.browser.run("[...document.querySelectorAll('.card h3')].map((e) => e.textContent)")
        self.assertEqual(cards, ["p50(browse)", "p95(browse)", "p99(browse)", "mean(browse)", "deviation(browse)"])

        def free(results, _):
            if results:
                results.update(verdict="not valid", verdict_reasons=["times of `browse` may be too high"], thresholds=[])

        self.copy("growth-free", free)
        self.assertIn("may be too high", self.text("#answer").lower())
        self.assertNotIn("what is required", self.text("#answer"))
        self.assertEqual(self.browser.run("document.querySelector('#late-0 code').textContent"), "browse")

    def test_percentiles_in_the_order_of_levels(self):
        self.page("limit")
        legend = self.browser.run("[...document.querySelectorAll('#percentiles .u-series .u-label')].slice(1).map((e) => parseInt(e.textContent.match(/clients = (\\d+)/)[1]))")
        self.assertGreater(len(legend), 3)
        self.assertEqual(legend, sorted(legend))
        tried = [run["settings"]["clients"] for run in self.summary["limit"]["runs"]]
        self.assertNotEqual(tried, sorted(tried, key=int))

    def test_a_search(self):
        self.page("limit")
        [search] = self.summary["limit"]["searches"]
        self.assertIn(f"holds up to clients = {search['low']}, and no longer at {search['high']}", self.text("#answer").lower())
        self.assertEqual(self.text("#answer .big"), search["low"])
        self.assertEqual(self.browser.run("document.querySelectorAll('#search .sides > div > table tbody tr').length"), len(search["steps"]))
        label = self.browser.run("document.querySelector('#search .chart').getAttribute('aria-label')")
        self.assertIn(f"{search['low']} holds", label)
        self.assertIn(f"{search['high']} does not hold", label)
        self.assertIn("log scale", label)
        self.assertGreater(self.browser.run(colours()).get("21,128,61", 0), 50)  # a line at what was found, over the factor, too
        self.assertIn("A dashed green one is what the search found.", self.text("#factors"))
        link = self.browser.run("document.querySelector('#runs-0 a').href")
        self.assertTrue(pathlib.Path(urllib.parse.unquote(link.removeprefix("file://"))).exists(), link)

    def copy(self, name, change):
        """A folder with other results, or another summary, in it."""
        folder = self.folder / name
        shutil.copytree(self.folder / name.split("-")[0], folder)
        summary = json.loads((folder / "summary.json").read_text())
        for path in folder.glob("runs/*/results.json"):
            results = json.loads(path.read_text())
            change(results, None)
            path.write_text(json.dumps(results))
        change(None, summary)
        (folder / "summary.json").write_text(json.dumps(summary))
        subprocess.run([ANMLC, "report", str(folder), "-o", str(folder / "report.html")], check=True)
        self.page(name)

    def test_the_axis_and_the_bounds(self):
        """What the model says of the factor stands below, a bound behind && and above all values is drawn, and nothing lies below zero."""
        self.page("growth")
        label = self.browser.run("document.querySelector('#factors [data-measure=\"p50(browse)\"]').getAttribute('aria-label')")
        self.assertIn("clients: that browse", label)
        self.assertIn("How it grows.", self.text("#subtitle"))
        most = max(p["measures"]["p50(browse)"]["mean"] for p in self.summary["growth"]["points"])
        self.assertLess(most, 2)
        for measure in ("p50", "p95"):
            self.assertGreater(self.browser.run(colours(measure)).get("161,98,7", 0), 100, measure)
        self.assertIn("A dashed yellow line is a bound", self.text("#factors"))

    def test_intervals_that_say_nothing(self):
        def wide(_, summary):
            if summary:
                for point in summary["points"]:
                    found = point["measures"]["p95(browse)"]
                    if found["mean"] is not None:  # nobody knows it where the server is past its capacity
                        found["half_width"] = 3 * found["mean"]

        self.copy("growth-wide", wide)
        cells = self.browser.run("[...document.querySelectorAll('#means-0 [data-found$=\"p95(browse)\"] .interval')].map((c) => c.textContent)")
        self.assertLessEqual(set(cells), {"", *(f"{count} repetition{'s' * (count > 1)}" for count in (1, 2, 3))})
        self.assertIn("3 repetitions", cells)
        # One kind of bars in a chart, and said so there; others keep their intervals.
        kinds = dict(self.browser.run("[...document.querySelectorAll('#factors .factor')].map((f) => [f.dataset.measure, [f.dataset.bars, f.innerText.includes('ranges of what the runs measured')]])"))
        self.assertEqual(kinds["p95(browse)"], ["ranges", True])
        self.assertEqual(kinds["p50(browse)"], ["intervals", False])
        markdown = subprocess.run([ANMLC, "report", str(self.folder / "growth-wide"), "--format", "markdown"], check=True, capture_output=True, text=True).stdout
        self.assertIn("ms (3 repetitions) |", markdown)

    def test_a_logarithmic_axis_from_anywhere(self):
        """Also from just below a power of ten, from where uPlot's steps stood still."""
        def spread(_, summary):
            if summary:
                for point, mean in zip(summary["points"], [0.0145, 2] + 14 * [0.05], strict=True):
                    point["measures"]["p95(browse)"].update(mean=mean, half_width=None)

        self.copy("growth-spread", spread)
        self.assertIn("p95(browse), log scale over", self.browser.run("document.querySelector('#factors [data-measure=\"p95(browse)\"]').getAttribute('aria-label')"))
        self.assertGreater(self.browser.run(colours()).get("37,99,235", 0), 50)

    def test_runs_that_are_not_valid(self):
        """They are in the answer itself, which is not green then, and are no failures."""
        def late(results, _):
            if results:
                results.update(verdict="not valid", verdict_reasons=["the machine was busy"])

        self.copy("limit-late", late)
        self.assertEqual(self.browser.run("[...document.querySelectorAll('#answer .answer')].map((a) => a.className)").count("answer calm"), 2)
        runs = len(self.summary["limit"]["runs"])
        answer = self.browser.run("[...document.querySelectorAll('#answer .answer')].map((a) => [a.className, a.innerText])")
        self.assertEqual(answer[0][0], "answer warn")
        self.assertTrue(answer[0][1].endswith(f"by runs of which {runs} of {runs} were not valid"), answer)
        self.assertEqual(self.browser.run("document.querySelectorAll('#answer .good').length"), 0)
        self.assertIn("the machine was busy", self.text("#late-0"))
        self.assertNotIn("the machine was busy", self.browser.run("[...document.querySelectorAll('#failures-0')].map((e) => e.innerText).join()"))

    def test_on_paper(self):
        """No column is cut, and what is folded is open."""
        self.page("growth")
        with self.browser.paper() as cut:
            self.assertEqual(cut, [])
            self.assertIn("met", self.text("#means-0 thead"))
            self.assertGreater(self.browser.run("document.querySelectorAll('#runs-0 tbody tr').length"), 40)
            self.assertGreater(self.browser.run("document.querySelector('#runs-0 table').getBoundingClientRect().height"), 100)
        self.assertFalse(self.browser.run("document.querySelector('#runs-0 details').open"))

    def test_two_experiments(self):
        self.page("growth", "slower")
        rows = self.browser.run("[...document.querySelectorAll('#differences-1 tbody tr')].map((r) => r.innerText)")
        self.assertGreater(len(rows), 30)
        self.assertTrue(any("differs" in row for row in rows))
        self.assertIn("overlap", " ".join(rows) + self.text("#differences-1"))
        self.assertIn("217,72,15", self.browser.run(colours()))

    def test_themes_keys_and_paper(self):
        self.page("growth")
        paper = "getComputedStyle(document.documentElement).backgroundColor"
        light = self.browser.run(paper)
        self.assertIn("217,72,15", self.browser.run(colours()))
        self.browser.key("t")
        self.assertNotEqual(self.browser.run(paper), light)
        self.assertNotIn("217,72,15", self.browser.run(colours()))  # drawn anew, for the dark
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.run(paper), "rgb(255, 255, 255)")
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.browser.key("n")
        self.assertEqual(self.browser.run("document.activeElement.id"), "answer")
        self.browser.key("n")
        self.assertEqual(self.browser.run("document.activeElement.id"), "factors")

    def test_what_is_missing(self):
        """Without the runs' folders, and where nothing met or measured anything."""
        folder = self.folder / "thin"
        shutil.copytree(self.folder / "growth", folder)
        shutil.rmtree(folder / "runs")
        summary = json.loads((folder / "summary.json").read_text())
        for point in summary["points"]:
            point["met"] = 0
            for found in point["measures"].values():
                found.update(mean=None, half_width=None, degrees=None, values=[])
        (folder / "summary.json").write_text(json.dumps(summary))
        subprocess.run([ANMLC, "report", str(folder), "-o", str(folder / "report.html")], check=True)
        self.page("thin")
        text = self.text()
        self.assertIn("48 of 48 runs have no results any more", text)
        for wrong in ("NaN", "undefined", "Infinity", "null"):
            self.assertNotIn(wrong, text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
