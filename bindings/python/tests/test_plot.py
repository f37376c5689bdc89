"""anml.plot: what is drawn is what the results have, and it looks as the report's page does."""
import copy
import importlib
import json
import math
import os
import pathlib
import re
import unittest
import unittest.mock

import anml
from anml.plot import intervals, lines, style
from anml.plot.runs import few_workloads, runs_of, without_indices

try:
    import matplotlib
except ImportError:
    if "ANML_WITH_LIBRARIES" in os.environ:
        raise
    matplotlib = None
else:
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.colors import to_hex, to_rgba

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = """
import std.ether
import std.flows
import std.traffic
import std.web

component Net(away: time) { host pc[3]   router edge   link desk: pc[*] -- edge : ether.gigabit { delay = away } }
model Small(tunable D: time in 1 ms .. 1 s = 5 ms, tunable n: int = 20) {
  endpoint server { simulated = web.server(workers = 2, service = 5 ms) }
  endpoint safe { simulated = web.server(scheme = https, port = 443) }
  router r
  Net near[2](1 ms)
  Net far(20 ms)
  link entry: r -- server : ether.fast { delay = D }
  link r -- safe : ether.gigabit
  link edge: near[*].edge -- r : ether.fast
  link far.edge -- r : ether.fast
  workload surf : web.ClosedLoop on near[*].pc[*] { server = server, documents = [web.fixed(1 KB), web.fixed(60 KB)], think = 20 ms }
  workload sell : web.OpenLoop on far.pc[*] { server = safe, documents = web.fixed(600 B), interval = 10 ms, scheme = https, port = 443, requests = 20 }
  workload echo : traffic.Ping on far.pc[0] { to = near[0].pc[0], interval = 5 ms }
  workload mix : traffic.Flows on near[*].pc[*] { to = near[*].pc[*], size = flows.google_rpc, offered = 10 Mbps }
  at 3 s { entry { delay = 2 * D } }
  run { duration = 6.5 s, warmup = 1 s }
}
"""


def drawn(ax):
    """The lines with a label, by it; None where nothing is."""
    return {line.get_label(): tuple([None if math.isnan(v) else float(v) for v in values] for values in (line.get_xdata(), line.get_ydata()))
            for line in ax.get_lines() if not line.get_label().startswith("_")}


def bars(ax):
    """How long each is, from the top."""
    return [(round(bar.get_y() + bar.get_height() / 2, 3), bar.get_width()) for bar in ax.patches]


def texts(ax):
    return [text.get_text() for text in ax.texts]


def ticks(axis):
    axis.figure.canvas.draw()
    return [label.get_text() for label in axis.get_ticklabels()]


class Style(unittest.TestCase):
    def test_colours_are_the_pages(self):
        css = (ROOT / "reporting/page/style.css").read_text()
        for ours, theme in ((style.LIGHT, re.search(r"^:root \{(.*?)\}", css, re.S | re.M)),
                            (style.DARK, re.search(r'^:root\[data-theme="dark"\] \{(.*?)\}', css, re.S | re.M))):
            theirs = dict(re.findall(r"--(\w+): ([^;]+);", theme.group(1)))
            for name, colour in ours.items():
                wanted = theirs[name]
                if wanted.startswith("rgba"):
                    red, green, blue, opacity = (float(part) for part in re.findall(r"[\d.]+", wanted))
                    wanted = f"#{int(red):02x}{int(green):02x}{int(blue):02x}{round(255 * opacity):02x}"
                self.assertEqual(colour, wanted, name)

    def test_titles_are_the_pages(self):
        page = (ROOT / "reporting/page/sections.js").read_text()
        for kind in lines.OVER_TIME.values():
            self.assertIn(f'secondsChart("{kind.title}"', page)
        charts = (ROOT / "reporting/page/charts.js").read_text()
        for of, words in lines.CURVES.items():
            self.assertIn(f'{of}: "{words}"', charts)

    def test_units(self):
        for show, value, text in ((style.seconds, 0.01234, "12.3 ms"), (style.seconds, 0, "0"), (style.seconds, 90, "90 s"), (style.seconds, 4e-7, "400 ns"),
                                  (style.rate, 1.5e6, "1.5 Mbps"), (style.rate, 12e9, "12 Gbps"), (style.size, 2048, "2 KB"), (style.count, 1e6, "1000000"),
                                  (style.count, 0.5, "0.5"), (style.share, 0.0123, "1.23 %")):
            self.assertEqual(show(value), text)
        for figure, show in (("throughput_bps", style.rate), ("response_time_seconds.p99", style.seconds), ("response_time_seconds.samples", style.count),
                             ("packets.lost", style.count), ("packet_loss", style.share), ("transactions.per_second", style.count)):
            self.assertIs(style.shown_as(figure), show, figure)

    def test_places(self):
        self.assertEqual(style.apart(["1 ms", "2 ms", "90 ms"], [0, 0.01, 0.9], 0.014), ["1 ms", "", "90 ms"])

    def test_student(self):
        for degrees, quantile in ((1, 12.7062), (2, 4.30265), (4, 2.77645), (9, 2.26216), (30, 2.04227), (100, 1.98397)):
            self.assertAlmostEqual(intervals.student_quantile(0.975, degrees), quantile, 4)
        self.assertEqual(intervals.mean_of([3]), (3, None))
        mean, half = intervals.mean_of([1, 2, 3])
        self.assertEqual(mean, 2)
        self.assertAlmostEqual(half, 4.30265 / math.sqrt(3), 4)

    def test_without_matplotlib(self):
        """The package does without it."""
        with unittest.mock.patch.dict("sys.modules", {"matplotlib": None, "matplotlib.pyplot": None}):
            importlib.reload(anml.plot)
            with self.assertRaises(ImportError):
                anml.plot.links(anml.Results({"busiest_links": [{"name": "a>", "utilisation": 0.5}]}))


@unittest.skipUnless(matplotlib, "matplotlib is not installed")
class Plots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        emulator = anml.compile_text(PROGRAM, level=0)
        cls.results, cls.slow = emulator.run(), emulator.run(D="30 ms")
        cls.two = {"near": cls.results, "far": cls.slow}
        live = copy.deepcopy(cls.results.data)
        live["live"] = json.loads((ROOT / "tests/file/report/Inputs/live.json").read_text())
        seconds = {"slip_p99_seconds": [1e-5, 1e-3, 2e-5], "slip_max_seconds": [2e-5, 3e-3, 4e-5], "kernel_drops": [0, 3, 0], "send_failures": [0, 0, 0],
                   "server_lost_seconds": [0, 0.1, 0], "may_be_high": [0, 0.04, 0]}
        live["live"]["seconds"].update(seconds)
        live["live"]["endpoints"][0]["seconds"].update(seconds)
        live.update(mode="live", degraded_seconds=[[1, 2]])
        cls.live = anml.Results(live)

    def tearDown(self):
        pyplot.close("all")

    def column(self, name, results=None):
        return (results or self.results)["series"][name]

    def test_throughput(self):
        ax = anml.plot.over_time(self.results)
        self.assertEqual(drawn(ax), {"Throughput": ([0, 1, 2, 3, 4, 5, 6], self.column("throughput_bps"))})
        self.assertEqual(ax.get_title("left"), "Throughput")
        self.assertEqual(ax.get_xlim(), (0, 6))
        self.assertAlmostEqual(ax.get_ylim()[1], 1.06 * max(self.column("throughput_bps")))
        self.assertIn("bps", ticks(ax.yaxis)[1])
        self.assertEqual(ticks(ax.xaxis)[:2], ["0 s", "1 s"])
        self.assertIsNone(ax.get_legend())
        # The warm-up, and what the timeline did.
        self.assertEqual([p.get_path().get_extents(p.get_patch_transform()).intervalx.tolist() for p in ax.patches], [[0, 1]])
        self.assertEqual(to_hex(ax.patches[0].get_facecolor(), keep_alpha=True), style.LIGHT["shade"])
        self.assertEqual([line.get_xdata()[0] for line in ax.get_lines() if line.get_label().startswith("_")],
                         [event["seconds"] for event in self.results["timeline.events"]])

    def test_counts_leave_out_a_part_of_a_second(self):
        ys = drawn(anml.plot.over_time(self.results, "completed"))["Completed per second"][1]
        self.assertEqual(ys[:-1], self.column("completed")[:-1])
        self.assertIsNone(ys[-1])
        self.assertEqual(len(ys), 7)

    def test_percentiles_by_second(self):
        ax = anml.plot.over_time(self.results, "percentiles")
        found = drawn(ax)
        self.assertIn("median", found)
        for label, (_, ys) in found.items():
            self.assertEqual(ys, self.column(f"response_{label}_seconds"))
        self.assertEqual([text.get_text() for text in ax.get_legend().get_texts()], list(found))

    def test_what_stands_alone_is_a_dot(self):
        results = copy.deepcopy(self.results)
        results.data["series"]["response_mean_seconds"] = [0.1, None, 0.2, None, None, 0.3, 0.4]
        ax = anml.plot.over_time(results, "mean")
        dots = [line for line in ax.get_lines() if line.get_marker() == "o"]
        self.assertEqual([list(line.get_xdata()) for line in dots], [[0, 2]])

    def test_two_runs(self):
        ax = anml.plot.over_time(self.two, "mean")
        self.assertEqual(drawn(ax), {name: (list(range(7)), self.column("response_mean_seconds", results)) for name, results in self.two.items()})
        self.assertEqual([to_hex(line.get_color()) for line in ax.get_lines()[:2]], [style.LIGHT["s0"], style.LIGHT["s1"]])
        self.assertEqual(ax.patches[:], [])

    def test_dark(self):
        ax = anml.plot.over_time(self.results, dark=True)
        self.assertEqual(to_hex(ax.get_facecolor()), style.DARK["paper"])
        self.assertEqual(to_hex(ax.get_lines()[-1].get_color()), style.DARK["s0"])
        self.assertEqual(ax.figure.get_facecolor(), to_rgba(style.DARK["paper"]))

    def test_given_axes(self):
        _, (left, right) = pyplot.subplots(1, 2)
        self.assertIs(anml.plot.over_time(self.results, ax=right), right)
        self.assertEqual(left.get_lines()[:], [])

    def test_live(self):
        ax = anml.plot.over_time(self.live, "slip")
        self.assertEqual({label: ys for label, (_, ys) in drawn(ax).items()}, {"p99": [1e-5, 1e-3, 2e-5], "max": [2e-5, 3e-3, 4e-5]})
        self.assertEqual(to_hex(ax.patches[1].get_facecolor(), keep_alpha=True), style.LIGHT["alarm"])
        ax = anml.plot.over_time(self.live, "kernel")
        self.assertEqual(ax.get_title("left"), "Packets that the kernel dropped or did not take, dropped")
        self.assertEqual(drawn(anml.plot.over_time(self.live, "server_lost"))["What others took from the server"][1], [0, 0.1, 0])
        self.assertEqual(drawn(anml.plot.over_time(self.live, "may_be_high"))["By how much means may be too high"][1], [0, 0.04, 0])
        self.assertEqual([ys for _, ys in drawn(anml.plot.endpoints(self.live)).values()], [[2e-5, 3e-3, 4e-5]])

    def test_percentiles(self):
        ax = anml.plot.percentiles(self.results, "surf")
        surf = self.results["workloads.0.response_time_seconds.percentiles"]
        self.assertEqual(drawn(ax), {"surf": ([1 / (1 - percent / 100) for percent, _ in surf], [value for _, value in surf])})
        self.assertEqual(ax.get_title("left"), "Percentiles of response times of requests, surf")
        self.assertEqual(ax.get_xscale(), "log")
        self.assertEqual(ticks(ax.xaxis)[:4], ["50 %", "75 %", "90 %", "95 %"])
        ax = anml.plot.percentiles(self.results)
        self.assertEqual(list(drawn(ax)), ["surf", "sell", "echo", "mix"])
        self.assertEqual(ax.get_title("left"), "Percentiles of times of all workloads")
        self.assertEqual((ax.get_yscale(), ax.get_ylabel()), ("linear", ""))
        wide = copy.deepcopy(self.results)
        for point in wide["workloads.2.round_trip_seconds.percentiles"]:
            point[1] /= 1000
        ax = anml.plot.percentiles(wide)
        self.assertEqual((ax.get_yscale(), ax.get_ylabel()), ("log", "log scale"))
        self.assertEqual(list(drawn(anml.plot.percentiles(self.two, "surf"))), ["near", "far"])
        self.assertEqual(list(drawn(anml.plot.percentiles(self.two, of="round_trip_seconds"))), ["near", "far"])

    def test_flows_by_size(self):
        ax = anml.plot.sizes(self.results)
        groups = [group for group in self.results["workloads.3.sizes"] if group["completed"]]
        xs, ys = drawn(ax)["median"]
        self.assertEqual(xs, [group["bytes"] / group["completed"] for group in groups])
        self.assertEqual(ys, [group["slowdown"]["median"] for group in groups])
        self.assertEqual(ax.get_title("left"), "Slow-down of flows by size, mix")
        ax = anml.plot.sizes(self.two, "mix", "transfer_time_seconds", ["median"])
        self.assertEqual(list(drawn(ax)), ["near", "far"])
        self.assertEqual(ax.get_title("left"), "Completion times of flows by size, mix")

    def test_phases(self):
        ax = anml.plot.phases(self.results)
        self.assertEqual(ticks(ax.yaxis), ["surf", "sell"])
        for row, workload in enumerate(self.results["workloads"][:2]):
            mean = workload["response_time_seconds"]["mean"]
            self.assertAlmostEqual(sum(width for y, width in bars(ax) if y == row), mean, delta=0.0051 * mean)
            self.assertEqual(texts(ax)[row], style.seconds(mean))
        connect = self.results["workloads.1.phase_times_seconds.connect"]
        self.assertAlmostEqual(bars(ax)[1][1], connect["mean"] * connect["samples"] / self.results["workloads.1.transactions.completed"])
        self.assertEqual(len(anml.plot.phases(self.two).get_yticks()), 4)

    def test_links(self):
        ax = anml.plot.links(self.results, 4)
        busiest = self.results["busiest_links"][:4]
        self.assertEqual(ticks(ax.yaxis), [link["name"] for link in busiest])
        self.assertEqual(bars(ax), [(row, link["utilisation"]) for row, link in enumerate(busiest)])
        self.assertEqual(texts(ax), [style.share(link["utilisation"]) for link in busiest])
        ax = anml.plot.links(self.two, 3)
        self.assertEqual(len(bars(ax)), 6)
        at = {link["name"]: link["utilisation"] for link in self.slow["busiest_links"]}
        self.assertEqual([width for _, width in bars(ax)][3:], [at[name] for name in ticks(ax.yaxis)])

    def test_arrays_of_links(self):
        ax = anml.plot.links(self.results, arrays=True)
        found = {}
        for link in self.results["busiest_links"]:
            found.setdefault(re.sub(r"\[\d+\]", "[*]", link["name"]), []).append(link["utilisation"])
        for name, (_, width), busiest in zip(ticks(ax.yaxis), bars(ax), drawn(ax)["the busiest"][0]):
            self.assertAlmostEqual(width, sum(found[name]) / len(found[name]))
            self.assertEqual(busiest, max(found[name]))
        self.assertIn("edge[*]>", ticks(ax.yaxis))

    def test_groups(self):
        ax = anml.plot.groups(self.results)
        groups = self.results["groups.subnetwork"]
        self.assertEqual(ticks(ax.yaxis), [group["name"] for group in groups])
        self.assertEqual([width for _, width in bars(ax)], [group["response_time_seconds"]["mean"] for group in groups])
        ax = anml.plot.groups(self.two, "document_size", "throughput_bps")
        self.assertEqual(sorted(width for _, width in bars(ax)), sorted(g["throughput_bps"] for r in self.two.values() for g in r["groups.document_size"]))
        self.assertIn("bps", texts(ax)[0])

    def test_servers(self):
        self.assertEqual([width for _, width in bars(anml.plot.servers(self.results))], [server["mean_busy"] for server in self.results["servers"]])

    def test_nothing_to_draw(self):
        for plot in (lambda: anml.plot.over_time(self.results, "slip"), lambda: anml.plot.over_time(self.results, "queue"),
                     lambda: anml.plot.endpoints(self.results), lambda: anml.plot.percentiles(self.results, "nobody"),
                     lambda: anml.plot.percentiles(self.results, of="p99"), lambda: anml.plot.sizes(self.results, "surf"),
                     lambda: anml.plot.groups(self.results, "region"), lambda: anml.plot.over_time({}), lambda: anml.plot.over([], "throughput_bps")):
            with self.assertRaises(ValueError):
                plot()
        self.assertEqual(pyplot.get_fignums(), [])

    def test_overview(self):
        figure = anml.plot.overview(self.results)
        titles = [ax.get_title("left") for ax in figure.axes]
        for title in ("Percentiles of round trips, echo", "Slow-down of flows by size, mix", "Phases of transactions", "Throughput", "Links, utilisation",
                      "By subnetwork of the clients: response time, mean", "Servers: mean busy"):
            self.assertIn(title, titles)
        self.assertNotIn("Slip", titles)
        self.assertEqual(len(titles), len(set(titles)))
        self.assertIn("Slip", [ax.get_title("left") for ax in anml.plot.overview(self.live).axes])
        for ax in figure.axes:
            self.assertTrue(ax.get_lines() or ax.patches, ax.get_title("left"))

    def test_names(self):
        self.assertEqual([run.name for run in runs_of([self.results, self.slow])], ["run 1", "run 2"])
        self.assertEqual([run.name for run in runs_of([self.results])], [""])
        points = [anml.Point({"D": d, "n": 1}, self.results) for d in ("1 ms", "2 ms")]
        self.assertEqual([run.name for run in runs_of(points)], ["D = 1 ms", "D = 2 ms"])
        self.assertEqual(without_indices("site[2].desk[17]<"), "site[*].desk[*]<")

    def test_arrays_of_workloads(self):
        """More than twelve elements have the sum in their place."""
        one = {"kind": "web.ClosedLoop", "name": "surf[0]"}
        data = {"workloads": [{**one, "name": f"surf[{i}]"} for i in range(13)] + [{"kind": "traffic.Ping", "name": "echo"}],
                "sums": [{"kind": "web.ClosedLoop", "name": "surf[*]", "workloads": 13}]}
        self.assertEqual([w["name"] for w in few_workloads(anml.Results(data))], ["surf[*]", "echo"])


@unittest.skipUnless(matplotlib, "matplotlib is not installed")
class Sweeps(unittest.TestCase):
    @staticmethod
    def points(values, thresholds=()):
        """Of a sweep over n and D, with two seeds each: {(n, D): (figure, figure)}."""
        out = anml.Points()
        for (n, delay), figures in values.items():
            for seed, figure in enumerate(figures):
                parameters = {"n": {"text": str(n), "value": n, "tunable": False}, "D": {"text": f"{delay} ms", "value": 1e6 * delay, "tunable": True}}
                met = (n, delay) not in thresholds
                out.append(anml.Point({"n": n, "D": f"{delay} ms", "seed": seed},
                                      anml.Results({"parameters": parameters, "response_time_seconds": {"p99": figure, "mean": None if figure is None else figure / 2},
                                                    "thresholds": [{"met": met}]})))
        return out

    def tearDown(self):
        pyplot.close("all")

    def test_means_and_intervals(self):
        points = self.points({(1, 5): (0.10, 0.101), (2, 5): (0.20, 0.21), (1, 9): (0.30, 0.30), (2, 9): (0.40, 0.44)})
        ax = anml.plot.over(points, "response_time_seconds.p99", "n")
        self.assertEqual(list(drawn(ax)), ["D = 5 ms", "D = 9 ms"])
        for (xs, ys), wanted in zip(drawn(ax).values(), ([0.1005, 0.205], [0.3, 0.42])):
            self.assertEqual(xs, [1, 2])
            for y, value in zip(ys, wanted):
                self.assertAlmostEqual(y, value)
        self.assertEqual(ax.get_title("left"), "Response time, p99")
        self.assertEqual(ax.get_xlabel(), "n\nbars: 95 % intervals")
        segments = ax.collections[0].get_segments()
        self.assertAlmostEqual(segments[1][1][1] - segments[1][0][1], 2 * 12.7062 * 0.005, 4)
        self.assertAlmostEqual(segments[0][0][1], 0.1005 - 12.7062 * 0.0005, 4)

    def test_ranges_where_intervals_say_nothing(self):
        ax = anml.plot.over(self.points({(1, 5): (0.1, 0.5), (2, 5): (0.2, 0.21)}), "response_time_seconds.p99", "n")
        self.assertIn("ranges", ax.get_xlabel())
        self.assertEqual([(s[0][1], s[1][1]) for s in ax.collections[0].get_segments()], [(0.1, 0.5), (0.2, 0.21)])

    def test_one_seed_has_no_bars(self):
        ax = anml.plot.over(self.points({(1, 5): (0.1,), (2, 5): (0.2,)}), "response_time_seconds.p99")
        self.assertEqual((ax.get_xlabel(), len(ax.collections)), ("n", 0))

    def test_the_axis_is_that_of_the_parameter(self):
        points = self.points({(1, 2 ** k): (0.1 * k + 0.1,) for k in (3, 0, 1, 2, 5)})
        ax = anml.plot.over(points, "response_time_seconds.p99")
        self.assertEqual(list(ax.get_lines()[0].get_xdata()), [1e6, 2e6, 4e6, 8e6, 32e6])
        self.assertEqual(ax.get_xscale(), "log")
        self.assertEqual(ax.get_xlabel(), "D, log scale")
        self.assertEqual(ticks(ax.xaxis), ["1 ms", "2 ms", "4 ms", "8 ms", "32 ms"])
        self.assertEqual(list(ax.get_lines()[0].get_ydata()), sorted(ax.get_lines()[0].get_ydata()))

    def test_words(self):
        points = anml.Points(anml.Point({"law": law, "n": n}, anml.Results({"parameters": {}, "throughput_bps": 1e6 * n}))
                             for law in ("cubic", "bbr") for n in (1, 2))
        ax = anml.plot.over(points, "throughput_bps", "law")
        self.assertEqual(ticks(ax.xaxis), ["cubic", "bbr"])
        (one, _), (two, _) = drawn(ax).values()
        self.assertLess(one[0], two[0])  # beside each other
        self.assertEqual({line.get_linestyle() for line in ax.get_lines()}, {"None"})

    def test_several_figures_and_missing_ones(self):
        points = self.points({(1, 5): (0.2,), (2, 5): (None,), (3, 5): (0.4,)})
        ax = anml.plot.over(points, ["response_time_seconds.mean", "response_time_seconds.p99"], "n")
        self.assertEqual(drawn(ax), {"mean": ([1, 3], [0.1, 0.2]), "p99": ([1, 3], [0.2, 0.4])})
        self.assertEqual(ax.get_title("left"), "Response time")

    def test_requirements_and_bounds(self):
        points = self.points({(1, 5): (0.1,), (2, 5): (0.2,)}, thresholds=[(2, 5)])
        ax = anml.plot.over(points, "response_time_seconds.p99", bound=0.15)
        hollow = [line for line in ax.get_lines() if to_hex(line.get_markerfacecolor()) == style.LIGHT["paper"]]
        self.assertEqual([list(line.get_xdata()) for line in hollow], [[2]])
        self.assertIn("hollow", ax.get_xlabel())
        self.assertIn([0.15, 0.15], [list(line.get_ydata()) for line in ax.get_lines()])

    def test_functions(self):
        points = self.points({(1, 5): (0.1,), (2, 5): (0.2,)})
        ax = anml.plot.over(points, lambda results: 10 * results["response_time_seconds.p99"], title="Ten times", show=style.seconds)
        self.assertEqual((ax.get_title("left"), list(ax.get_lines()[0].get_ydata())), ("Ten times", [1, 2]))

    def test_wrong(self):
        points = self.points({(1, 5): (0.1,), (2, 5): (0.2,)})
        for figure, along in (("response_time_seconds.p99", "m"), ("response_time_seconds.p99", "seed"), ("parameters", None), (lambda results: None, None)):
            with self.assertRaises((ValueError, KeyError)):
                anml.plot.over(points, figure, along)
        with self.assertRaises(KeyError):
            anml.plot.over(points, "response_time_seconds.p100")


if __name__ == "__main__":
    unittest.main()
