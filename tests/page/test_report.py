#!/usr/bin/env python3
"""The page of `anmlc report`: its figures are the results', nothing is loaded from elsewhere, themes, keys, two runs, hostile names, an empty run."""
import base64
import copy
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANMLC = os.environ["ANMLC"]
MODEL = ROOT / "tests/file/report/Inputs/shop.anml"

GROUPED = """
import std.ether
import std.web
component Net(away: time) { host pc[3]   router edge   link desk: pc[*] -- edge : ether.gigabit { delay = away } }
model Grouped {
  Net near[2](1 ms)
  Net far(20 ms)
  router isp
  endpoint server { simulated = web.server() }
  endpoint safe { simulated = web.server(scheme = https, port = 443) }
  link a: near[*].edge -- isp : ether.fast
  link b: far.edge -- isp : ether.fast
  link core: isp -- server : ether.gigabit
  link isp -- safe : ether.gigabit
  workload browse : web.ClosedLoop on near[*].pc[*] { server = server, documents = [web.fixed(2 KB), web.fixed(200 KB)], think = 20 ms }
  workload sell : web.OpenLoop on far.pc[*] { server = safe, documents = web.fixed(600 B), interval = 10 ms, scheme = https, port = 443, requests = 20 }
  run { duration = 5 s, warmup = 1 s }
}
"""

PAGES = """
import std.web
model Pages {
  host home[2]   host phone[2]   host feed   router r
  endpoint server { simulated = web.server() }
  link home[*] -- r { rate = 20 Mbps, delay = 5 ms }
  link phone[*] -- r { rate = 2 Mbps, delay = 40 ms }
  link feed -- r { rate = 20 Mbps, delay = 5 ms }
  link r -- server { rate = 1 Gbps, delay = 1 ms }
  workload near : web.Browser on home[*] { server = server, documents = web.fixed(8 KB), parts = web.fixed(6 KB), parts_per_page = 4, pages = 5, think = 100 ms, pause = 100 ms }
  workload far : web.Browser on phone[*] { server = server, documents = web.fixed(8 KB), parts = web.fixed(6 KB), parts_per_page = 4, pages = 5, think = 100 ms, pause = 100 ms }
  workload poll : web.ClosedLoop on feed { server = server, documents = web.fixed(1 KB), think = 50 ms }
  run { duration = 60 s, warmup = 1 s }
}
"""

STEPS = ("login", "list", "product", "cart", "checkout")
CLASSES = 15


def shop_of_classes(folder):
    """A model of many workloads that ask with one file of requests; the third class waits for a slow server in vain."""
    (folder / "steps.http").write_text("".join(f"### {step}\n{'POST' if i in (0, 3, 4) else 'GET'} /{step}\n\n" for i, step in enumerate(STEPS)))
    classes = "".join(f"""
  host h{i}[2]
  link h{i}[*] -- r {{ rate = {2 + i} Mbps, delay = {2 + 3 * i} ms }}
  workload class{i} : web.ClosedLoop on h{i}[*] {{ server = {"slow" if i == 2 else "fast"}, documents = web.requests("{folder}/steps.http", size = 3 KB), think = {50 + 10 * i} ms, timeout = 300 ms }}""" for i in range(CLASSES))
    return f"""import std.web
/// A shop with {CLASSES} classes of customers; the old server is `slow`.
model Classes {{
  router r
  endpoint fast {{ simulated = web.server(service = 3 ms, workers = 4) }}
  endpoint slow {{ simulated = web.server(service = 900 ms, workers = 1) }}
  link r -- fast {{ rate = 1 Gbps, delay = 1 ms }}
  link r -- slow {{ rate = 1 Gbps, delay = 1 ms }}{classes}
  require p95(class0, "checkout") < 10 s
  require failed(class2, "list") < 1 %
  require p999(class1) < 1 h
  run {{ duration = 40 s, warmup = 2 s }}
}}
"""


CELLS = "[...document.querySelectorAll('[data-figure]')].map((cell) => [cell.dataset.figure, cell.title, cell.innerText])"
SECTIONS = "[...document.querySelectorAll('section')].map((part) => part.id)"
UNFOLD = "for (const details of document.querySelectorAll('details')) details.open = true"
PAPER = "getComputedStyle(document.documentElement).backgroundColor"


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="anml-report-test-")
        cls.folder = pathlib.Path(cls.temporary.name)
        emulator = str(cls.folder / "shop")
        subprocess.run([ANMLC, "-O0", str(MODEL), "-o", emulator], check=True)
        cls.results = {}
        for name, *options in (("slow",), ("fast", "--set", "line=8 Mbps"), ("empty", "--for", "1ms", "--no-workload")):
            path = cls.folder / f"{name}.json"
            subprocess.run([emulator, "simulate", "--results", str(path), *options], check=True, stdout=subprocess.DEVNULL)
            cls.results[name] = json.loads(path.read_text())
        (cls.folder / "grouped.anml").write_text(GROUPED)
        subprocess.run([ANMLC, "-O0", str(cls.folder / "grouped.anml"), "-o", str(cls.folder / "grouped")], check=True)
        subprocess.run([str(cls.folder / "grouped"), "simulate", "--results", str(cls.folder / "grouped.json")], check=True, stdout=subprocess.DEVNULL)
        cls.results["grouped"] = json.loads((cls.folder / "grouped.json").read_text())
        (cls.folder / "pages.anml").write_text(PAGES)
        subprocess.run([ANMLC, "-O0", str(cls.folder / "pages.anml"), "-o", str(cls.folder / "pages")], check=True)
        subprocess.run([str(cls.folder / "pages"), "simulate", "--results", str(cls.folder / "pages.json"), "--report", str(cls.folder / "pages.html")], check=True, stdout=subprocess.DEVNULL)
        cls.results["pages"] = json.loads((cls.folder / "pages.json").read_text())
        (cls.folder / "classes.anml").write_text(shop_of_classes(cls.folder))
        subprocess.run([ANMLC, "-O0", str(cls.folder / "classes.anml"), "-o", str(cls.folder / "classes")], check=True)
        subprocess.run([str(cls.folder / "classes"), "simulate", "--results", str(cls.folder / "classes.json")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.results["classes"] = json.loads((cls.folder / "classes.json").read_text())
        cls.browser = Browser(os.environ["CHROMIUM"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.temporary.cleanup()

    def page(self, *names, options=(), unfold=True):
        path = self.folder / "report.html"
        subprocess.run([ANMLC, "report", *(str(self.folder / f"{name}.json") for name in names), "-o", str(path), *options], check=True)
        self.browser.open(str(path))
        self.browser.settle()
        if unfold:
            self.browser.run(UNFOLD)
            self.browser.settle()
        self.assertEqual(self.browser.problems(), [])

    def changed(self, name, change):
        """Results with something else in them, as a file of that name."""
        results = copy.deepcopy(self.results["slow"])
        change(results)
        (self.folder / f"{name}.json").write_text(json.dumps(results))

    def figure(self, results, kind, name, figure):
        """What the results have at that place."""
        value = results
        if kind == "workload":
            value = next(w for w in results["workloads"] if w["name"] == name)
        elif kind == "link":
            value = next(link for link in results["busiest_links"] if link["name"] == name)
        elif kind == "array":
            links = [link for link in results["busiest_links"] if re.sub(r"\[\d+\]", "[*]", link["name"]) == name]
            value = {key: sum(link[key] for link in links) for key in ("packets", "bytes", "dropped")}
            value |= {"links": len(links), "utilisation": sum(link["utilisation"] for link in links) / len(links), "busiest": max(link["utilisation"] for link in links)}
        elif kind == "phase":
            workload, phase = name.rsplit(", ", 1)
            value = next(w for w in results["workloads"] if w["name"] == workload)["phase_times_seconds"][phase.lower().replace(" ", "_")]
        elif kind in ("subnetwork", "size", "status"):
            value = next((g for g in results["groups"]["document_size" if kind == "size" else kind] if g["name"] == name), None)
            if value is None:  # another run has that group
                return None
        elif kind == "server":
            value = next(s for s in results["servers"] if f"{s['name']}:{s['port']}" == name)
        for step in figure.split("."):
            value = value[step]
        return value

    def test_figures_are_the_results(self):
        names = ("slow", "fast")
        self.page(*names)
        compared = 0
        for place, title, text in self.browser.run(CELLS):
            kind, name, figure, run = place.split("/")
            if figure in ("failed_share", "dropped_share", "lost_share") or (kind, figure) == ("array", "lost"):
                continue
            value = self.figure(self.results[names[int(run)]], kind, name, figure)
            if value is None:  # of a time that is still open at the end: more than it took until then
                self.assertEqual(title, "", place)
                self.assertRegex(text, r"^(–|> \d.*)$", place)
                self.assertTrue(text == "–" or figure.split(".")[0].endswith("_seconds"), place)
            else:
                self.assertAlmostEqual(float(title.split(" ")[0]), value, delta=1e-9 * abs(value), msg=place)
                self.assertNotEqual(text, "–", place)
            compared += 1
        self.assertGreater(compared, 150)
        big = self.browser.run("[...document.querySelectorAll('.big')].map((e) => e.innerText)")
        throughput = [self.results[name]["throughput_bps"] / 1e6 for name in names]
        for shown, value in zip(big[:2], throughput):
            self.assertAlmostEqual(float(shown.removesuffix(" Mbps")), value, delta=0.01 * value)

    def test_groups(self):
        """By phase, subnetwork and size: the results' figures, and bars against the largest."""
        self.page("grouped")
        for section, kind in (("phases", "phase"), ("subnetworks", "subnetwork"), ("sizes", "size")):
            cells = [cell for cell in self.browser.run(CELLS) if cell[0].startswith(kind + "/")]
            self.assertGreater(len(cells), 10, kind)
            for place, title, _ in cells:
                _, name, figure, _ = place.split("/")
                value = self.figure(self.results["grouped"], kind, name, figure)
                if value is not None:
                    self.assertAlmostEqual(float(title.split(" ")[0]), value, delta=1e-9 * abs(value), msg=place)
            widths = self.browser.run(f"[...document.querySelectorAll('#{section} .bar')].map((e) => parseFloat(e.style.backgroundSize))")
            self.assertEqual(max(widths), 90)
        titles = self.browser.run("[...document.querySelectorAll('.chart h3')].map((e) => e.textContent)")
        self.assertIn("Response time, percentiles", titles)

    def test_workloads_beside_each_other(self):
        """All workloads in one table and one chart, and a run's p99 says that it is of all of them."""
        self.page("grouped")
        rows = self.browser.run("[...document.querySelectorAll('#workloads .wide tbody tr')].map((r) => [...r.children].map((c) => [c.dataset.figure, c.innerText]))")
        self.assertEqual([row[0][1] for row in rows], ["browse", "sell"])
        head = self.browser.run("[...document.querySelectorAll('#workloads .wide th')].map((c) => c.innerText)")
        self.assertEqual(head, ["", "completed", "failed or lost", "median", "p95", "p99", "mean", "completed/s", "throughput"])
        for name, row in zip(("browse", "sell"), rows):
            self.assertEqual(row[1][0], f"workload/{name}/transactions.completed/0")
            self.assertEqual(row[5][0], f"workload/{name}/response_time_seconds.p99/0")
        legend = self.browser.run("document.querySelector('#workloads .u-legend').innerText")
        self.assertIn("browse", legend)
        self.assertIn("sell", legend)
        self.assertIn("Response time, p99, all workloads", self.browser.run("document.querySelector('#answer').innerText"))
        self.page("slow", "fast")
        names = self.browser.run("[...document.querySelectorAll('#workloads .wide tbody td:first-child')].map((c) => c.innerText)")
        self.assertEqual(names, [f"{workload}, {run}" for workload in ("browse", "probe") for run in ("slow", "fast")])

    def test_workloads_and_requests(self):
        """Below each workload its requests, with the figures of the results, coloured by thresholds; then how they failed."""
        self.page("classes", unfold=False)
        rows = self.browser.run("[...document.querySelectorAll('#workloads .wide tbody')].slice(0, 1).flatMap((b) => [...b.rows].map((r) => [r.className.trim(), ...[...r.children].map((c) => [c.innerText, c.dataset.figure, c.className, c.title])]))")
        more = self.browser.run("[...document.querySelectorAll('#workloads .wide > button')].map((b) => [b.hidden, b.textContent])[0]")
        self.assertEqual((len(rows), more), (60, [False, "Show all 90"]))
        self.browser.run("document.querySelector('#workloads .wide > button').click()")
        names = self.browser.run("[...document.querySelector('#workloads .wide tbody').rows].map((r) => r.children[0].innerText)")
        self.assertEqual(names, [name for i in range(CLASSES) for name in (f"class{i}", *STEPS)])
        alone = {(g["workload"], g["name"]): g for g in self.results["classes"]["groups"]["workload_request"]}
        judged = {}
        for at, (kind, name, *cells) in enumerate(rows):
            workload = f"class{at // 6}"
            self.assertEqual(kind, "request" if at % 6 else "class")
            for text, place, classes, title in cells:
                if "judged" in classes:
                    judged[workload, name[0], place.split("/")[-2]] = (classes.split(" ")[-1], title.split("; ")[-1])
                if at % 6 and text != "–":
                    group, figure = alone[workload, name[0]], place.split("/")[-2]
                    value = group["failed"] / (group["failed"] + group["completed"]) if figure == "failed_share" else group["response_time_seconds"][figure.split(".")[1]] if "." in figure else group[figure]
                    self.assertAlmostEqual(float(title.split(" ")[0].rstrip(";")), value, delta=1e-9 * abs(value), msg=place)
        self.assertEqual(judged, {
            ("class0", "checkout", "response_time_seconds.p95"): ("kept", 'p95(class0, "checkout") < 10 s: met'),
            ("class2", "list", "failed_share"): ("broken", 'failed(class2, "list") < 1 %: not met')})
        failures = self.browser.run("[...document.querySelectorAll('.failures li')].map((l) => l.textContent)")
        self.assertEqual(failures, [f"class2, {step}: {alone['class2', step]['failed']} timeout; the first: timeout" for step in STEPS])

    def test_how_a_request_failed(self):
        """What the first was answered stands there as it is."""
        def change(results):
            results["groups"]["request"] = results["groups"]["workload_request"] = [
                {**results["groups"]["status"][0], "workload": "browse", "name": "find <b>", "failed": 7, "failed_by_cause": dict.fromkeys(results["groups"]["status"][0]["failed_by_cause"], 0) | {"check": 4, "status": 3},
                 "first_failure": {"cause": "check", "status": 500, "body": "<i>no</i>"}}]

        self.changed("failing", change)
        self.page("failing")
        self.assertEqual(self.browser.run("document.querySelector('.failures').innerText"), "browse, find <b>: 3 status, 4 check; the first: check, status 500, <i>no</i>")
        rows = self.browser.run("[...document.querySelectorAll('#workloads .wide tbody td:first-child')].map((c) => c.innerText)")
        self.assertEqual(rows, ["browse", "find <b>", "probe"])

    def test_order_and_what_is_folded(self):
        """The matrix first, then over time, then phases; what is left is folded, and a link to it opens it. No curve is left out."""
        self.page("classes", unfold=False)
        self.assertEqual(self.browser.run(SECTIONS)[:4], ["answer", "workloads", "time", "phases"])
        folded = self.browser.run("[...document.querySelectorAll('section > details.detail:first-child')].map((d) => [d.parentElement.id, d.open])")
        self.assertEqual([name for name, _ in folded], self.browser.run(SECTIONS)[4:])
        self.assertFalse(any(is_open for _, is_open in folded))
        self.browser.run("document.querySelector('nav a[href=\"#links\"]').click()")
        self.assertTrue(self.browser.run("document.querySelector('#links details').open"))
        origin = self.browser.run("document.querySelector('.origin').innerText")
        for text in (f"A shop with {CLASSES} classes of customers; the old server is slow.", self.results["classes"]["started"], "processors", "runtime", "classes simulate --results"):
            self.assertIn(text, origin)
        self.browser.run(UNFOLD)
        legends = self.browser.run("[...document.querySelectorAll('#workloads .u-legend')].flatMap((l) => [...l.querySelectorAll('th')].map((t) => t.textContent))")
        self.assertEqual({name for name in legends if name.startswith("class")}, {w["name"] for w in self.results["classes"]["workloads"] if w["response_time_seconds"]["percentiles"]})
        titles = self.browser.run("[...document.querySelectorAll('#time .chart h3')].map((e) => e.textContent)")
        self.assertEqual(titles[-3:], ["Completed per second, by request", "Failed per second, by request", "Response time, mean, by request"])
        self.page("classes", "grouped")
        self.assertIn("Completed per second, login", self.browser.run("[...document.querySelectorAll('#time .chart h3')].map((e) => e.textContent)"))

    def test_fits_a_telephone_and_five_sheets(self):
        """Nothing but tables is wider than a telephone, with all open, and 15 workloads are five sheets of paper."""
        self.page("classes")
        try:
            self.browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
            self.browser.settle()
            self.assertEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
        finally:
            self.browser.call("Emulation.clearDeviceMetricsOverride")
        self.page("classes", unfold=False)
        paper = base64.b64decode(self.browser.call("Page.printToPDF", preferCSSPageSize=True, paperWidth=8.27, paperHeight=11.69)["data"])
        self.assertIn(len(re.findall(rb"/Type */Page\b", paper)), range(2, 6))
        with self.browser.paper() as cut:
            self.assertEqual(cut, [])
            self.assertEqual(self.browser.run("document.querySelector('#workloads .wide tbody').rows.length"), 6 * CLASSES)
            self.assertIn("open it before printing", self.browser.run("document.body.innerText"))

    def test_whole_pages(self):
        """Of workloads with pages the headlines are their own pages' p50 and p95, one for each workload and none for all; a table and curves of pages."""
        self.browser.open(str(self.folder / "pages.html"))
        self.browser.settle()
        self.assertEqual(self.browser.problems(), [])
        workloads = {w["name"]: w for w in self.results["pages"]["workloads"]}
        cards = self.browser.run("[...document.querySelectorAll('.card')].map((c) => [c.querySelector('h3').textContent, ...[...c.querySelectorAll('.big')].map((e) => e.textContent)])")
        self.assertEqual([card[0] for card in cards], ["Throughput", "Whole pages of near", "Whole pages of far", "Requests of poll", "Failed"])
        for (title, *shown), name, key in zip(cards[1:4], ("near", "far", "poll"), ("page_time_seconds", "page_time_seconds", "response_time_seconds")):
            for text, percentile in zip(shown, ("median", "p95"), strict=True):
                value, unit = text.split(" ")
                seconds = workloads[name][key][percentile]
                self.assertAlmostEqual(float(value) * {"s": 1, "ms": 1e-3}[unit], seconds, delta=0.01 * seconds, msg=title)
        self.assertNotIn("all workloads", self.browser.run("document.querySelector('#answer').innerText"))
        self.assertEqual(self.browser.run(SECTIONS)[1], "pages")
        head = self.browser.run("[...document.querySelectorAll('#pages th')].map((c) => c.innerText)")
        self.assertEqual(head, ["", "mean", "p50", "p95", "p99", "pages", "failed"])
        cells = self.browser.run("[...document.querySelectorAll('#pages [data-figure]')].map((c) => [c.dataset.figure, c.title])")
        self.assertGreater(len(cells), 9)  # too few of far for a p99
        for place, title in cells:
            kind, name, figure, _ = place.split("/")
            value = self.figure(self.results["pages"], kind, name, figure)
            if value is not None:
                self.assertAlmostEqual(float(title.split(" ")[0]), value, delta=1e-9, msg=place)
        titles = "[...document.querySelectorAll('SECTION .chart h3')].map((e) => e.textContent)"
        both = ["Percentiles of response times of requests", "Percentiles of times of whole pages"]
        for place, expected in (("#workloads", both), ("#workload-0", both), ("#workload-2", both[:1])):
            self.assertEqual(self.browser.run(titles.replace("SECTION", place)), expected, place)
        self.assertNotIn("poll", self.browser.run("[...document.querySelectorAll('#workloads .u-legend')][1].innerText"))

    def test_what_bars_and_axes_say(self):
        self.page("grouped")
        for table in self.browser.run("[...document.querySelectorAll('.wide')].filter((w) => w.querySelector('.bar')).map((w) => w.nextElementSibling?.innerText ?? '')"):
            self.assertIn("A blue line below a ", table)
        self.assertNotIn("A blue line", self.browser.run("document.querySelector('#run').innerText"))

        def spread(results):
            results["workloads"][0]["response_time_seconds"]["percentiles"] = [[50, 0.001], [90, 0.01], [99, 1]]

        self.changed("spread", spread)
        self.page("spread")
        labels = self.browser.run("[...document.querySelectorAll('#workload-0 .chart')].map((c) => c.getAttribute('aria-label'))")
        self.assertIn("log scale", labels[0])
        self.page("slow")
        self.assertNotIn("log scale", self.browser.run("document.querySelector('#time .chart').getAttribute('aria-label')"))

    def test_names_between_backticks(self):
        def change(results):
            results.update(verdict="not valid", verdict_reasons=["response times of `<b>browse` may be too high"])

        self.changed("coded", change)
        self.page("coded")
        self.assertEqual(self.browser.run("[...document.querySelectorAll('.verdict code')].map((c) => c.textContent)"), ["<b>browse"])
        self.assertNotIn("`", self.browser.run("document.querySelector('.verdict').innerText"))

    def test_narrow_windows(self):
        """Navigation is not cut, and a table that is has a shadow where it goes on."""
        self.page("grouped")
        try:
            for width in (1280, 900):
                self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
                self.browser.settle()
                cut = self.browser.run("(() => { const nav = document.querySelector('nav'), box = nav.getBoundingClientRect(); return [nav.scrollWidth > nav.clientWidth, ...[...nav.querySelectorAll('a')].filter((a) => a.getBoundingClientRect().right > box.right + 1).map((a) => a.textContent)]; })()")
                self.assertEqual(cut, [False], width)
            self.browser.call("Emulation.setDeviceMetricsOverride", width=500, height=900, deviceScaleFactor=1, mobile=False)
            wide = "const w = document.querySelector('#workloads .wide'); w.scrollIntoView({ block: 'center' });"
            seen = []
            for end in ("0", "w.scrollWidth"):
                box = self.browser.run(f"(() => {{ {wide} w.scrollLeft = {end}; const b = w.getBoundingClientRect(); return [w.scrollWidth > w.clientWidth, b.left, b.right, w.querySelector('tr').getBoundingClientRect().top + 2]; }})()")
                self.assertTrue(box[0])
                self.browser.settle()
                y = self.browser.run("document.querySelector('#workloads .wide tr').getBoundingClientRect().top") + 2
                seen.append([colours[0] for colours in self.browser.colours([(box[1] + 1, y), (box[2] - 2, y)], 0)])
            self.assertEqual(seen[0][0], "#ffffff")
            self.assertNotEqual(seen[0][1], "#ffffff")
            self.assertNotEqual(seen[1][0], "#ffffff")
            self.assertEqual(seen[1][1], "#ffffff")
        finally:
            self.browser.call("Emulation.clearDeviceMetricsOverride")

    def test_phases_add_up(self):
        """A bar is as long as the mean response time, and a phase of few transactions weighs by their share."""
        self.page("grouped")
        bars = self.browser.run("[...document.querySelectorAll('.stacked')].map((b) => [...b.querySelectorAll('.stack span:not([hidden])')].map((p) => [p.dataset.phase, parseFloat(p.style.width)]))")
        workloads = self.results["grouped"]["workloads"]
        longest = max(w["response_time_seconds"]["mean"] for w in workloads)
        for workload, bar in zip(workloads, bars, strict=True):
            completed, phases = workload["transactions"]["completed"], workload["phase_times_seconds"]
            for phase, width in bar:
                part = phases[phase.lower().replace(" ", "_")]
                self.assertAlmostEqual(width, 100 * part["mean"] * part["samples"] / completed / longest, delta=0.01)
            self.assertAlmostEqual(sum(width for _, width in bar), 100 * workload["response_time_seconds"]["mean"] / longest, delta=0.1)
        self.assertLess(workloads[1]["phase_times_seconds"]["tls"]["samples"], workloads[1]["transactions"]["completed"] / 2)
        self.assertEqual([phase for phase, _ in bars[1]], ["connect", "TLS", "first byte"])  # a response of one record has no transfer
        self.assertIn("time_starttransfer", self.browser.run("document.querySelector('#phases').innerText"))
        self.page("slow")
        self.assertNotIn("time_starttransfer", self.browser.run("document.querySelector('#phases').innerText"))

    def test_the_emulator_writes_the_same_page(self):
        """What `--report` writes shows what `anmlc report` makes of the results of the run."""
        path, results = self.folder / "own.html", self.folder / "own.json"
        subprocess.run([str(self.folder / "shop"), "simulate", "--report", str(path), "--results", str(results)], check=True, stdout=subprocess.DEVNULL,
                       env={"PATH": "/nowhere"})
        self.browser.open(str(path))
        self.browser.settle()
        self.assertEqual(self.browser.problems(), [])
        own = self.browser.run("document.body.innerText")
        self.page("own", unfold=False)
        self.assertEqual(self.browser.run("document.body.innerText"), own)
        for suffix in ("md", "csv", "json"):
            other = self.folder / f"own2.{suffix}"
            made = subprocess.run([ANMLC, "report", str(results), "--format", "markdown" if suffix == "md" else suffix], check=True, capture_output=True, text=True).stdout
            subprocess.run([str(self.folder / "shop"), "simulate", "--report", str(other)], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(len(other.read_text().splitlines()), len(made.splitlines()))
        refused = subprocess.run([str(self.folder / "shop"), "simulate", "--report", "r.pdf"], capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--report r.pdf: a report ends with .html, .md, .csv, .json or .xml", refused.stderr)

    def test_several_runs_over_what_tells_them_apart(self):
        names = []
        for rate in (2, 4, 8):
            names.append(f"line{rate}")
            subprocess.run([str(self.folder / "shop"), "simulate", "--set", f"line={rate} Mbps", "--results", str(self.folder / f"line{rate}.json")],
                           check=True, stdout=subprocess.DEVNULL)
        self.page(*names)
        self.assertEqual(self.browser.run("document.querySelector('#load h2').textContent"), "Over line")
        titles = self.browser.run("[...document.querySelectorAll('#load h3')].map((e) => e.textContent)")
        self.assertEqual(titles[:3], ["Throughput", "Transactions per second", "Response time"])
        self.browser.run("document.querySelector('#load .chart').focus()")
        for _ in range(20):
            if "4 Mbps" in self.browser.run("document.querySelector('#load .u-legend').innerText"):
                break
            self.browser.key("ArrowRight")
            self.browser.settle()
        else:
            self.fail("no cursor at 4 Mbps")

    def test_two_runs(self):
        self.page("slow", "fast")
        text = self.browser.run("document.body.innerText")
        slow, fast = (self.results[name]["throughput_bps"] for name in ("slow", "fast"))
        self.assertIn(f"+{round(100 * (fast - slow) / slow)} %", text)
        legends = self.browser.run("document.querySelector('#workload-0 .u-legend').innerText")
        self.assertIn("slow", legends)
        self.assertIn("fast", legends)
        self.assertGreater(self.browser.run("document.querySelectorAll('td.better').length"), 5)
        # Each line of the first chart is drawn, in its own colour.
        drawn = self.browser.run("""(() => {
            const canvas = document.querySelector("#workload-1 canvas"), seen = new Set();
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) seen.add([pixels[i], pixels[i + 1], pixels[i + 2]].join());
            return [...seen];
        })()""")
        self.assertIn("37,99,235", drawn)
        self.assertIn("217,72,15", drawn)

    def test_themes_and_keys(self):
        self.page("slow")
        light = self.browser.run(PAPER)
        self.browser.key("t")
        self.assertNotEqual(self.browser.run(PAPER), light)
        self.browser.run("document.getElementById('theme').click()")
        self.assertEqual(self.browser.run(PAPER), light)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(self.browser.run(PAPER), light)  # what somebody chose stays
        self.page("slow")
        self.assertNotEqual(self.browser.run(PAPER), light)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.browser.settle()
        self.assertEqual(self.browser.run(PAPER), light)
        sections = self.browser.run(SECTIONS)
        for expected in (sections[0], sections[1], sections[0]):
            self.browser.key("p" if expected == sections[0] and self.browser.run("document.activeElement.id") else "n")
            self.assertEqual(self.browser.run("document.activeElement.id"), expected)
        # The cursor of a chart, by keys: the values of that second stand below it.
        self.browser.run("document.querySelector('#time .chart').focus()")
        legend = ""
        for _ in range(20):  # a chart that is drawn anew begins anew, and a busy machine draws late
            if "2 s" in legend:
                break
            self.browser.key("ArrowRight")
            self.browser.settle()
            legend = self.browser.run("document.querySelector('#time .u-legend').innerText")
        self.assertIn("2 s", legend)
        second = self.results["slow"]["series"]["throughput_bps"][2]
        self.assertRegex(legend, rf"{second / 1e6:.2f}".rstrip("0").replace(".", r"\."))

    def test_links_are_sorted_by_a_column(self):
        self.page("slow")
        column = "[...document.querySelectorAll('#links tbody td:first-child')].map((e) => e.innerText)"
        busiest = [link["name"] for link in self.results["slow"]["busiest_links"]]
        self.assertEqual(self.browser.run(column), busiest)
        self.browser.run("document.querySelector('#links th button').click(), document.querySelector('#links th button').click()")
        self.assertEqual(self.browser.run(column), busiest[::-1])

    def test_hostile_names(self):
        name = "</script><img src=x onerror=\"document.title='taken'\"><!--'\"`${1}"

        def change(results):
            results["model"] = results["source"] = name
            results["workloads"][0]["name"] = results["busiest_links"][0]["name"] = results["servers"][0]["name"] = name
            results["command"] = [name, "<script>"]
            results["timeline"]["events"] = [{"seconds": 1, "what": name}]

        self.changed("hostile", change)
        self.page("hostile")
        self.assertEqual(self.browser.run("document.querySelector('h1').textContent"), name)
        self.assertEqual(self.browser.run("document.title"), name)
        self.assertEqual(self.browser.run("document.querySelectorAll('img').length"), 0)
        self.assertIn(name, self.browser.run("document.querySelector('#time .events').textContent"))

    def test_thresholds(self):
        """Of three that are written in the model, with what was found: met, not met, and not measured in 20 s of four clients."""
        model = MODEL.read_text()
        place = model.rindex("  run {")
        (self.folder / "asked.anml").write_text(model[:place] + "  require p50(browse) < 1 h\n  require per_second(browse) > 1e9\n  require p999(browse) < 1 h\n" + model[place:])
        subprocess.run([ANMLC, "-O0", str(self.folder / "asked.anml"), "-o", str(self.folder / "asked")], check=True)
        done = subprocess.run([str(self.folder / "asked"), "simulate", "--for", "20s", "--results", str(self.folder / "asked.json")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 99)
        thresholds = json.loads((self.folder / "asked.json").read_text())["thresholds"]
        self.assertEqual([(each["met"], each["judged"]) for each in thresholds], [(True, True), (False, True), (False, False)])
        self.page("asked")
        lines = self.browser.run("[...document.querySelectorAll('.verdict li')].map((e) => e.innerText)")
        for threshold, word in zip(thresholds, ("met", "not met", "not measured")):
            self.assertIn(f"{threshold['requires']}: {word}; {threshold['found']}", lines)

    def test_empty_run(self):
        self.page("empty")
        self.assertEqual(self.browser.run("document.querySelectorAll('canvas').length"), 0)
        self.assertIn("Simulated", self.browser.run("document.body.innerText"))
        self.assertNotIn("NaN", self.browser.run("document.body.innerText"))
        self.page("empty", "slow")
        self.assertNotIn("NaN", self.browser.run("document.body.innerText"))

    def test_live_run(self):
        """What only live runs have: reasons, slip, endpoints; of results that say so, without hosts."""
        seconds = {"released": [5, 6, 7], "late": [0, 1, 0], "slip_max_seconds": [1e-5, 2e-3, 3e-5], "kernel_drops": [0, 0, 0], "send_failures": [0, 0, 0]}

        def change(results):
            results.update(mode="live", verdict="degraded", verdict_reasons=["means of second 1 may be up to 4 % too high"], degraded_seconds=[[1, 2]])
            results["live"] = json.loads((ROOT / "tests/file/report/Inputs/live.json").read_text())
            results["live"]["seconds"] = {**seconds, "slip_p99_seconds": [1e-5, 1e-3, 2e-5], "server_lost_seconds": [0, 0.1, 0], "may_be_high": [0, 0.04, 0]}
            results["live"]["endpoints"][0]["seconds"] = {**seconds, "received": [5, 6, 7]}

        self.changed("live", change)
        self.page("live")
        text = self.browser.run("document.body.innerText")
        self.assertIn("means of second 1 may be up to 4 % too high", text)
        titles = self.browser.run("[...document.querySelectorAll('.chart h3')].map((e) => e.textContent)")
        for title in ("Slip", "What others took from the server", "By how much means may be too high", "Slip by endpoint, the longest of each second"):
            self.assertIn(title, titles)
        self.assertNotIn("Packets that the kernel dropped or did not take", titles)

    def test_network(self):
        self.page("slow", options=["--network", str(MODEL)])
        drawn = self.browser.run("[...document.querySelectorAll('.picture')].map((p) => [p.hidden, p.shadowRoot.innerHTML])")
        self.assertEqual([hidden for hidden, _ in drawn], [False, True])
        used = next(link for link in self.results["slow"]["busiest_links"] if link["name"] == "slow<")["utilisation"]
        self.assertRegex(drawn[0][1], rf"<title>slow: [^<]*; Utilisation: [^<]* {100 * used:.3g} % back</title>")
        self.assertIn("Loss", drawn[1][1])
        self.browser.run("document.querySelectorAll('#network button')[1].click()")
        self.assertEqual(self.browser.run("document.querySelectorAll('.picture')[0].hidden"), True)

    def test_on_paper(self):
        self.page("slow")
        self.browser.key("t")
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.run(PAPER), "rgb(255, 255, 255)")
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.assertNotEqual(self.browser.run(PAPER), "rgb(255, 255, 255)")
        # As wide as paper: nothing is cut, and each column says whose it is.
        self.page("slow", "fast")
        with self.browser.paper() as cut:
            self.assertEqual(cut, [])
            head = self.browser.run("document.querySelector('#links thead').innerText")
            self.assertGreater(head.count("slow"), 2)
            self.assertEqual(head.count("slow"), head.count("fast"))
            self.assertEqual(self.browser.run("[...document.querySelectorAll('.u-value')].filter((e) => e.offsetParent !== null).length"), 0)
            self.assertEqual(self.browser.run("getComputedStyle(document.querySelector('.stacks')).breakInside"), "avoid")
            charts = self.browser.run("[...document.querySelectorAll('#time .chart')].slice(0, 2).map((c) => c.getBoundingClientRect().top)")
            self.assertEqual(charts[0], charts[1])  # two beside each other


if __name__ == "__main__":
    unittest.main(verbosity=2)
