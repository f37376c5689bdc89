#!/usr/bin/env python3
"""The actions of the page of `anmlc graph`: search, fold, details, colours, themes, keys, routes as the compiler has them."""
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANMLC = os.environ["ANMLC"]

MESH = """import std.ether
import std.web
model Mesh {
  routing { multipath = MULTIPATH, metric = METRIC }
  endpoint server { simulated = web.server() }
  link server -- r0 : ether.gigabit
"""


def mesh(seed, multipath, metric, extra="", attributes=lambda rng: "", hosts=""):
    """A random network, with links of equal delay, parallel links and hosts with two links."""
    rng = random.Random(seed)
    lines = [f"  router r{i}" for i in range(30)] + [f"  host h{i}" for i in range(10)]
    for i in range(1, 30):
        lines.append(f"  link r{rng.randrange(i)} -- r{i} {{ rate = 1 Gbps, delay = {rng.randint(1, 3)} ms{attributes(rng)} }}")
    for _ in range(30):
        a, b = rng.sample(range(30), 2)
        lines.append(f"  link r{a} -- r{b} {{ rate = 1 Gbps, delay = {rng.randint(1, 3)} ms{attributes(rng)} }}")
    for i in range(10):
        for router in rng.sample(range(30), 2):
            lines.append(f"  link h{i} -- r{router} {{ rate = 1 Gbps, delay = {rng.randint(1, 2)} ms{hosts} }}")
    text = MESH.replace("MULTIPATH", multipath).replace("METRIC", metric)
    head, link = text.rsplit("  link", 1)
    return head + "\n".join(lines) + "\n  link" + link + extra + "  workload browse : web.ClosedLoop on h0 { server = server, " \
        "documents = web.fixed(1 KB) }\n  run { duration = 1 s }\n}\n"

# Two frames, or five seconds.
FRAME = """var frame = () => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(done, 5000);
});
"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="anml-page-test-")
        # Small: Chromium draws each place of WebGL's pictures on the processor.
        cls.browser = Browser(os.environ["CHROMIUM"], width=840, height=540)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def page(self, model, *options):
        path = os.path.join(self.folder.name, "page.html")
        subprocess.run([ANMLC, "graph", model, "-o", path, *options], check=True)
        self.browser.open(path)
        self.browser.settle()
        self.assertEqual(self.browser.problems(), [])

    def write(self, text):
        path = os.path.join(self.folder.name, "model.anml")
        pathlib.Path(path).write_text(text)
        return path

    def shown(self):
        return self.browser.run("anml.shown()")

    def details(self):
        return self.browser.run("document.getElementById('details').innerText")

    def wan(self, *options):
        self.page(str(ROOT / "examples/paper-wan/wan.anml"), "-D", "N=4", "-D", "H=256", *options)

    def test_folds_and_unfolds(self):
        self.wan()
        self.assertEqual(len(self.shown()), 1 + 4 * 3)
        self.assertIn("net[2].client", self.shown())
        before = self.browser.run("anml.position('net[0].gateway')")
        self.browser.run("anml.select('net[2].client[7]'), anml.unfold()")
        self.assertEqual(len(self.shown()), 1 + 4 * 3 + 255)
        self.assertIn("net[2].client[255]", self.shown())
        self.browser.run("anml.fold()")
        self.assertEqual(len(self.shown()), 13)
        self.browser.run("anml.select('net[1].lan'), anml.fold()")
        self.assertEqual(sorted(set(n.split(".")[0] for n in self.shown())), ["net[0]", "net[1]", "net[2]", "net[3]", "server"])
        self.assertIn("net[1]", self.shown())
        self.assertIn(["net[0].gateway", "net[1]"], [sorted(e) for e in self.browser.run("anml.edges()")])
        self.browser.run("anml.unfold()")
        self.assertEqual(len(self.shown()), 13)
        self.browser.run("anml.foldAll()")
        self.assertEqual(sorted(self.shown()), ["net", "server"])
        self.browser.run("anml.unfoldAll()")
        self.assertEqual(len(self.shown()), 1 + 4 * (2 + 256))
        self.browser.run("anml.foldAll(), anml.unfoldAll()")
        self.browser.settle()
        after = self.browser.run("anml.position('net[0].gateway')")
        self.assertIsNotNone(before and after)

    def test_boxes_of_instances(self):
        """Around what belongs together, as in the SVG; none where they would hold others, or of what is folded."""
        text = """import std.ether
component Room {
  switch lan
  host pc[2]
  link pc[*] -- lan : ether.fast
}
model House {
  router core
  Room room[3]
  Room hall
  link room[*].lan -- core : ether.gigabit
  link hall.lan -- core : ether.gigabit
  run { duration = 1 s }
}
"""
        path = self.write(text)
        self.page(path)
        rooms = ["hall", "room[0]", "room[1]", "room[2]"]
        self.assertEqual(sorted(self.browser.run("anml.boxes()")), rooms)
        svg = subprocess.run([ANMLC, "graph", path, "--format", "svg"], check=True, capture_output=True, text=True).stdout
        self.assertEqual([name for name in rooms if f">{name}<" in svg], rooms)
        painted = ("(() => { const c = document.querySelector('canvas.sigma-boxes'); "
                   "return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0); })()")
        self.assertTrue(self.browser.run(painted))
        # Under their nodes in every frame, the first of another size too.
        around = ("(() => { const c = document.querySelector('canvas.sigma-boxes'); return "
                  "['hall.lan', 'room[0].lan', 'room[1].lan', 'room[2].lan'].filter((name) => { const at = anml.position(name); "
                  "return c.getContext('2d').getImageData(at.x * devicePixelRatio, at.y * devicePixelRatio, 1, 1).data[3] === 0; }); })()")
        self.assertEqual(self.browser.run(around), [])
        self.addCleanup(self.browser.call, "Emulation.clearDeviceMetricsOverride")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=700, height=500, deviceScaleFactor=0, mobile=False)
        self.browser.settle()
        self.assertEqual(self.browser.run(around), [])
        self.browser.run("anml.foldAll()")
        self.browser.settle()
        self.assertEqual(self.browser.run("anml.boxes()"), [])
        self.assertFalse(self.browser.run(painted))

    def test_initial_folds(self):
        self.wan("--fold", "net[*]", "--unfold", "net[1]")
        self.assertEqual(sorted(self.shown()),
                         ["net[0]", "net[1].client", "net[1].gateway", "net[1].lan", "net[2]", "net[3]", "server"])

    def test_search(self):
        self.wan()
        self.browser.key("/")
        self.browser.type("net[3].client[17]")
        self.assertIn("net[3].client[17]", self.browser.run("document.getElementById('found').innerText"))
        self.browser.key("Enter")
        self.assertEqual(self.browser.run("anml.selected()"), "net[3].client")
        self.assertIn("256 × host", self.details())
        self.browser.key("/")
        self.browser.type("gatew")
        self.browser.key("ArrowDown")
        self.browser.key("Enter")
        self.assertEqual(self.browser.run("anml.selected()"), "net[1].gateway")
        self.assertRegex(self.details(), r"10\.0\.1\.81")

    def test_click_shows_details(self):
        self.wan()
        at = self.browser.run("anml.position('server')")
        self.browser.click(at["x"], at["y"])
        self.assertEqual(self.browser.run("anml.selected()"), "server")
        text = self.details()
        self.assertIn("endpoint", text)
        self.assertIn("10.0.0.80", text)
        self.assertIn("1 Gbps, 1 ms", text)
        self.browser.run("document.querySelector('#details .links li').click()")
        self.assertIn("512 KB", self.details())

    def test_difference(self):
        """The list of changes leads to their places, out of folds; removed links are drawn dashed, not by the others' code."""
        before = self.write(self.SITES.format(nets=2, pcs=4, more="router gone   link lost: gone -- core : ether.fast"))
        after = os.path.join(self.folder.name, "after.anml")
        pathlib.Path(after).write_text(self.SITES.format(nets=2, pcs=4, more="host added   link new: added -- core : ether.fast"))
        path = os.path.join(self.folder.name, "page.html")
        done = subprocess.run([ANMLC, "diff", before, after, "-o", path])
        self.assertEqual(done.returncode, 1)
        self.browser.open(path)
        self.browser.settle()
        listed = self.browser.run("[...document.querySelectorAll('#changes li')].map((e) => e.innerText.split('\\n')[0])")
        self.assertIn("4 changes", self.browser.run("document.querySelector('#changes h2').innerText"))
        self.assertLessEqual({"+ added", "- gone"}, {*listed})
        drawn = ("(() => { const c = document.querySelector('canvas.sigma-removed');"
                 " return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((v) => v > 0); })()")
        self.assertTrue(self.browser.run(drawn))
        self.browser.run(f"document.querySelectorAll('#changes li')[{listed.index('- gone')}].click()")
        self.assertEqual(self.browser.run("anml.selected()"), "gone")
        self.browser.run("anml.select('core'); anml.colourBy('role')")
        self.browser.settle()
        self.assertFalse(self.browser.run(drawn))
        link = next(i for i, text in enumerate(listed) if text.startswith("- lost"))
        self.browser.run(f"document.querySelectorAll('#changes li')[{link}].click()")
        self.assertIn("gone", self.details())
        self.assertIn("lost", self.details())
        self.assertEqual(self.browser.problems(), [])

    def test_differences_of_routes_and_requirements(self):
        """What no picture shows is listed below nodes and links, and leads to a node where there is one."""
        model = """import std.ether
model Ways(slow: time = 1 ms) {
  router a   router b   router c
  host h[2]   host server
  link h[*] -- a : ether.fast
  link server -- b : ether.fast
  link direct: a -- b : ether.fast { delay = slow }
  link left: a -- c : ether.fast { delay = 2 ms }
  link right: c -- b : ether.fast { delay = 2 ms }
  routing { metric = delay }
  require rtt(h[1], server) < 5 ms
  require slow < 20 ms
  run { duration = 1 s }
}
"""
        before = self.write(model)
        path = os.path.join(self.folder.name, "page.html")
        done = subprocess.run([ANMLC, "diff", before, before, "--after-define", "slow=9 ms", "-o", path])
        self.assertEqual(done.returncode, 1)
        self.browser.open(path)
        self.browser.settle()
        titles = self.browser.run("[...document.querySelectorAll('#changes h2')].map((e) => e.innerText)")
        self.assertEqual(titles[0], "1 change of nodes and links")
        self.assertIn("Parameters: 1 changed", titles)
        self.assertIn("Requirements: 1 changed", titles)
        self.assertTrue([t for t in titles if t.startswith("Routes: ")], titles)
        listed = self.browser.run("[...document.querySelectorAll('#changes li')].map((e) => e.innerText)")
        entry = {text.split("\n")[0]: [line for line in text.split("\n")[1:] if line] for text in listed}
        self.assertEqual(entry["~ slow"], ["1 ms -> 9 ms"])
        self.assertIn("to b, server: via c instead of b", " / ".join(entry["~ a"]))
        self.assertIn("verdict: holds -> fails", entry["~ rtt(h[1], server) < 5 ms"])
        places = self.browser.run("[...document.querySelectorAll('#changes li')].map((e) => e.tabIndex)")
        at = {text.split("\n")[0]: i for i, text in enumerate(listed)}
        self.assertEqual(places[at["~ slow"]], -1)
        for name, node in ("~ a", "a"), ("~ rtt(h[1], server) < 5 ms", "h[1]"):
            self.browser.run("anml.foldAll()")
            self.browser.run(f"document.querySelectorAll('#changes li')[{at[name]}].click()")
            self.assertIn(self.browser.run("anml.selected()"), (node, node.split("[")[0]))
        self.assertEqual(self.browser.problems(), [])

    def test_colours_and_themes(self):
        self.wan("--color-by", "delay")
        self.assertIn("100 us", self.browser.run("document.getElementById('legend').innerText"))
        seen = set()
        for _ in range(5):
            self.browser.key("c")
            seen.add(self.browser.run("document.getElementById('colour').value"))
        self.assertEqual(seen, {"role", "task", "delay", "rate", "load"})
        self.browser.run("anml.colourBy('load')")
        self.assertIn("%", self.browser.run("document.getElementById('legend').innerText"))
        paper = "getComputedStyle(document.body).backgroundColor"
        first = self.browser.run(paper)
        self.browser.key("t")
        self.assertNotEqual(self.browser.run(paper), first)
        self.browser.key("t")
        self.assertEqual(self.browser.run(paper), first)

    def test_keyboard_route(self):
        self.wan()
        self.browser.run("document.getElementById('graph').focus(), anml.select('server')")
        self.browser.key("r")
        self.browser.run("anml.select('net[3].client[0]')")
        self.browser.key("r")
        text = self.details()
        self.assertIn("Route server → net[3].client[0]", text)
        for hop in ("entry", "hop[0]", "hop[1]", "hop[2]", "net[3].uplink", "net[3].edge[0]"):
            self.assertIn("over " + hop + ",", text)
        self.assertIn("4.2 ms", text)
        self.browser.key("Escape")
        self.assertEqual(self.details(), "")
        self.browser.key("n")
        self.assertEqual(self.browser.run("anml.selected()"), "server")
        self.browser.key("n")
        self.assertEqual(self.browser.run("anml.selected()"), "net[0].gateway")

    def place(self, name):
        at = self.browser.run(f"anml.position('{name}')")
        return at["x"], at["y"]

    def middle(self, a, b):
        """Between two nodes, on the line that joins them."""
        return [sum(ends) / 2 for ends in zip(self.place(a), self.place(b))]

    def paper(self):
        return self.browser.run("getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()")

    def test_what_is_drawn(self):
        """Each node in its colour and each link, in every colouring, light and dark."""
        self.wan("--color-by", "task", "--tasks", "3")
        nodes = ["server", *(f"net[{i}].{part}" for i in range(4) for part in ("gateway", "lan", "client"))]
        links = [("server", "net[0].gateway"), *((f"net[{i}].gateway", f"net[{i + 1}].gateway") for i in range(3)),
                 *((f"net[{i}].{a}", f"net[{i}].{b}") for i in range(4) for a, b in (("gateway", "lan"), ("lan", "client")))]
        roles = {"server": "#ea580c", "gateway": "#2563eb", "lan": "#0d9488", "client": "#64748b"}
        for theme in ("light", "dark"):
            for colouring in ("role", "task", "delay", "rate", "load"):
                with self.subTest(theme=theme, colouring=colouring):
                    self.browser.run(f"anml.theme('{theme}'), anml.colourBy('{colouring}')")
                    self.browser.settle(100)
                    places = [self.place(name) for name in nodes] + [self.middle(*link) for link in links]
                    around = self.browser.colours(places)
                    seen = {name: colours[0] for name, colours in zip(nodes, around)}
                    for name in nodes:
                        if colouring != "task":
                            self.assertEqual(seen[name], roles[name.rpartition(".")[2]], name)
                    legend = self.browser.run("[...document.querySelectorAll('#legend .dot')].map((e) => e.style.background)")
                    legend = {"#" + bytes(map(int, re.findall(r"\d+", colour))).hex() for colour in legend}
                    self.assertLessEqual(set(seen.values()), legend)
                    self.assertGreater(len(set(seen.values())), 2)
                    lines = {}
                    paper = self.paper()
                    for link, colours in zip(links, around[len(nodes):]):
                        lines[link] = next((colour for colour in colours if colour != paper), None)
                        self.assertIsNotNone(lines[link], (link, "is not seen"))
                    if colouring in ("delay", "rate"):  # 1 ms and 1 Gbps, 0.1 ms and 100 Mbps
                        self.assertNotEqual(lines["server", "net[0].gateway"], lines["net[0].lan", "net[0].client"])

    def test_route_is_seen(self):
        self.addCleanup(self.browser.call, "Emulation.clearDeviceMetricsOverride")
        self.browser.call("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)
        self.wan()
        for theme in ("light", "dark"):
            self.browser.run(f"anml.theme('{theme}')")
            accent = self.browser.run("getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()")
            self.browser.run("anml.route('server', 'net[1].client[3]')")
            self.browser.settle(100)
            on = [("server", "net[0].gateway"), ("net[0].gateway", "net[1].gateway"), ("net[1].lan", "net[1].client")]
            off = [("net[1].gateway", "net[2].gateway"), ("net[0].gateway", "net[0].lan")]
            links = on + off
            around = self.browser.colours([self.middle(*link) for link in links])
            self.assertEqual([link for link, colours in zip(links, around) if accent in colours], on, theme)
            self.browser.run("document.getElementById('graph').focus()")
            self.browser.key("Escape")
            self.browser.settle(100)
            self.assertNotIn(accent, self.browser.colours([self.middle("server", "net[0].gateway")])[0])

    def test_marked_nodes_have_their_whole_names(self):
        """Once, on the picture's side of its edges; the line above counts what is shown."""
        self.wan()
        self.assertIn("shown: 13 nodes, 12 links", self.browser.run("document.getElementById('counts').textContent"))
        self.browser.run("""window.drawn = [];
            const fill = CanvasRenderingContext2D.prototype.fillText;
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
              const width = this.measureText(text).width;
              drawn.push([text, x, x + width]);
              fill.call(this, text, x, y);
            }""")
        for node, name in (("net[1].client[3]", r"net\[1\]\.client\[\d+\]"), ("net[3].gateway", r"net\[3\]\.gateway"), ("server", "server")):
            self.browser.run(f"anml.select('server'), drawn.length = 0, anml.select('{node}')")
            self.browser.settle(200)
            drawn = self.browser.run("drawn")
            ends = [(left, right) for text, left, right in drawn if re.fullmatch(name, text)]
            self.assertTrue(ends, (node, drawn))
            width = self.browser.run("document.getElementById('graph').clientWidth")
            self.assertTrue(all(0 <= left and right <= width for left, right in ends), (node, ends, width))
            self.assertEqual(len({round(left) for left, _ in ends}), 1, (node, ends))

    def test_picked_nodes(self):
        """A route by clicks: a node, its button, another node."""
        self.wan()
        at = self.browser.run("anml.position('server')")
        self.browser.click(at["x"], at["y"])
        self.browser.run("[...document.querySelectorAll('#details button')].find((b) => b.textContent.startsWith('Route')).click()")
        self.browser.settle(400)  # not a double click
        at = self.browser.run("anml.position('net[2].lan')")
        self.browser.click(at["x"], at["y"])
        self.assertIn("Route server → net[2].lan", self.details())

    def test_keys(self):
        self.wan()
        self.browser.run("document.getElementById('graph').focus()")
        place = lambda: self.browser.run("anml.position('net[1].gateway')")
        start = place()
        for key, moves in (("ArrowLeft", lambda a, b: b["x"] > a["x"]), ("ArrowRight", lambda a, b: b["x"] < a["x"]),
                           ("ArrowUp", lambda a, b: b["y"] > a["y"]), ("ArrowDown", lambda a, b: b["y"] < a["y"])):
            before = place()
            self.browser.key(key)
            self.browser.settle()
            self.assertTrue(moves(before, place()), key)
        apart = lambda: place()["x"] - self.browser.run("anml.position('server')")["x"]
        before = apart()
        self.browser.key("+")
        self.browser.settle()
        self.assertGreater(apart(), 1.2 * before)
        self.browser.key("-")
        self.browser.key("0")
        self.browser.settle(600)
        self.assertAlmostEqual(place()["x"], start["x"], delta=1)
        self.browser.run("anml.select('net[1].client')")
        self.browser.key("u")
        self.assertIn("net[1].client[255]", self.shown())
        self.browser.key("f")
        self.assertIn("net[1].client", self.shown())
        self.browser.key("f")
        self.assertIn("net[1]", self.shown())
        self.browser.key("u")
        self.browser.key("?")
        self.assertIn("light or dark", self.browser.run("document.getElementById('keys').innerText"))
        self.browser.key("p")
        self.assertTrue(self.browser.run("anml.selected()"))

    def routes_agree(self, text):
        """Every next hop that the page takes is one of the compiler's, and the other way round."""
        model = self.write(text)
        self.page(model)
        tables = json.loads(subprocess.run([ANMLC, "--emit=routes", model], check=True, capture_output=True).stdout)
        network = json.loads(subprocess.run([ANMLC, "--emit=network", model], check=True, capture_output=True).stdout)
        number = lambda a: sum(int(p) << s for p, s in zip(a.split("."), (24, 16, 8, 0)))
        address = {node["name"]: number(node["address"]) for node in network["nodes"] if node["address"]}

        def within(prefix, value):
            base, _, length = prefix.partition("/")
            bits = 32 - int(length or 32)
            return number(base) >> bits == value >> bits

        hops = {}
        for node in tables["nodes"]:
            hops[node["name"]] = [(r["prefix"], sorted(h["link"] for h in r["next_hops"])) for r in node["routes"]]

        def next_links(node, target):
            found = [(int((p.partition("/")[2]) or 32), links) for p, links in hops[node] if within(p, address[target])]
            return max(found)[1] if found else []

        ends = {}
        for link in network["links"]:
            ends[link["name"]] = (link["a"]["node"], link["b"]["node"])
        checked = ways = 0
        for source in ("server", *(f"h{i}" for i in range(10))):
            for target in ("server", *(f"h{i}" for i in range(10))):
                if source == target:
                    continue
                expected, at = [], {source}
                while at != {target}:
                    links = sorted({link for node in at for link in next_links(node, target)})
                    if not links:
                        expected = None
                        break
                    expected.append(links)
                    at = {(set(ends[link]) - {node}).pop() for node in at for link in next_links(node, target)}
                got = self.browser.run(f"anml.route('{source}', '{target}')")
                self.assertEqual(got and [sorted(set(step)) for step in got], expected, (source, target))
                self.assertNotIn("shortest path", self.details())
                checked += 1
                ways += expected is not None
        self.assertEqual(checked, 110)
        return ways

    def test_routes_by_delay(self):
        self.routes_agree(mesh(1, "single", "delay"))

    def test_routes_by_hops(self):
        self.routes_agree(mesh(2, "single", "hops"))

    def test_routes_of_equal_cost(self):
        self.routes_agree(mesh(3, "ecmp", "delay"))

    def test_routes_by_cost(self):
        self.assertEqual(self.routes_agree(mesh(4, "ecmp", "cost", attributes=lambda rng: f", cost = {rng.randint(1, 3)}")), 110)

    def test_routes_of_regions(self):
        west, east = (", ".join(f"r{i}" for i in rows) for rows in (range(10), range(10, 20)))
        extra = f"  routing west on [{west}] {{ metric = hops, multipath = ecmp }}\n  routing east on [{east}] {{ metric = cost }}\n"
        self.assertEqual(self.routes_agree(mesh(5, "single", "delay", extra, lambda rng: f", cost = {rng.randint(1, 3)}")), 110)
        self.assertIn("delay, regions", self.details())

    def test_routes_by_policy(self):
        """Each router and each host is a system of its own."""
        relation = lambda rng: rng.choice((", relation = provider", ", relation = provider", ", relation = peer"))
        for seed in range(6, 30):  # one in which the workload has its way
            apart = "  router apart\n  link apart -- r29 : ether.gigabit { relation = peer }\n"
            text = mesh(seed, "ecmp", "delay", apart, relation, ", relation = customer")
            if subprocess.run([ANMLC, "check", self.write(text)], capture_output=True).returncode == 0:
                break
        self.assertEqual(self.routes_agree(text), 110)
        self.assertIsNone(self.browser.run("anml.route('server', 'apart')"))  # r29 tells its providers nothing of it
        self.browser.run("anml.route('h0', 'server')")
        self.assertIn("policy between autonomous systems", self.details())

    def test_static_routes(self):
        text = """import std.ether
model Policy {
  router home
  router cheap
  router fast
  router out
  host office { address = 10.1.0.2 }
  host hospital { address = 10.2.7.2 }
  switch lan
  endpoint world
  link desk: office -- home : ether.gigabit
  link a: home -- cheap : ether.gigabit { delay = 1 ms }
  link b: cheap -- out : ether.gigabit { delay = 1 ms }
  link c: home -- fast : ether.gigabit { delay = 3 ms }
  link d: fast -- out : ether.gigabit { delay = 3 ms }
  link f: out -- hospital : ether.gigabit
  link g: out -- lan : ether.gigabit
  link h: lan -- world : ether.gigabit
  route home to 10.2.7.0/24 via fast
  at 1 s { a down }
  run { duration = 2 s }
}
"""
        self.page(self.write(text))
        self.assertEqual(self.browser.run("anml.route('office', 'hospital')"), [["desk"], ["c"], ["d"], ["f"]])
        self.assertEqual(self.browser.run("anml.route('hospital', 'office')"), [["f"], ["b"], ["a"], ["desk"]])
        self.assertEqual(self.browser.run("anml.route('office', 'world')"), [["desk"], ["a"], ["b"], ["g"], ["h"]])
        self.assertNotIn("shortest path", self.details())
        self.browser.run("anml.route('office', 'lan')")
        self.assertIn("Nothing is sent to a switch: this is the shortest path.", self.details())
        self.page(self.write(text), "--at", "1.5s")  # the route of that time
        self.assertEqual(self.browser.run("anml.route('hospital', 'office')"), [["f"], ["d"], ["c"], ["desk"]])

    def test_routes_that_change(self):
        """What leads over a link that is down, or in circles, is no route: routers do not know yet."""
        text = """
import std.traffic
model M {
  routing { metric = hops, detection = 50 ms, flooding = 10 ms, computation = 100 ms }
  router r0
  router r1
  router r2
  router r3
  link a: r0 -- r1 { rate = 1 Gbps }
  link b: r1 -- r2 { rate = 1 Gbps }
  link c: r2 -- r3 { rate = 1 Gbps }
  link d: r3 -- r0 { rate = 1 Gbps }
  host x
  host y
  link e: x -- r0 { rate = 1 Gbps }
  link f: y -- r2 { rate = 1 Gbps }
  workload w : traffic.Ping on x { to = y }
  at 1 s { b down }
  run { duration = 2 s }
}
"""
        for time, way in (("0.9s", [["e"], ["a"], ["b"], ["f"]]), ("1.1s", None), ("1.155s", None), ("1.17s", [["e"], ["d"], ["c"], ["f"]])):
            self.page(self.write(text), "--at", time)
            self.assertEqual(self.browser.run("anml.route('x', 'y')"), way, time)
        self.assertIn("hops, converging", self.details())

    def test_routes_that_are_not_on_the_page(self):
        """Of a network with too many tables the shortest path is shown, and said to be one."""
        rng = random.Random(1)
        lines = ["router r[4500]"]
        for i in range(1, 4500):
            lines += [f"link r[{other}] -- r[{i}] : ether.gigabit {{ delay = {rng.randint(1, 9)} ms }}" for other in {rng.randrange(i), rng.randrange(i), i - 1}]
        lines += ["routing some on r[0 .. 9] { metric = hops }"]
        self.page(self.write("import std.ether\nmodel Many {\n" + "\n".join(lines) + "\nrun { duration = 1 s }\n}\n"))
        self.assertTrue(self.browser.run("anml.route('r[5]', 'r[4400]')"))
        self.assertIn("not on this page: they are too many", self.details())

    SITES = """import std.ether
component Lan(hosts: int in 1 .. 64 = 4) {{ router gateway   host client[hosts]   link edge: client[*] -- gateway : ether.fast }}
model Sites {{
  Lan net[{nets}](hosts = 3)
  Lan old(hosts = 2)
  router core   host pc[{pcs}]
  link up: net[*].gateway -- core : ether.gigabit
  link old.gateway -- core : ether.gigabit
  link desk: pc[*] -- core : ether.fast
  {more}
  run {{ duration = 1 s }}
}}
"""

    def again(self, **values):
        """The page of another version of the network, which shows what the one before it showed."""
        view = json.dumps(self.browser.run("anml.view()"))
        self.page(self.write(self.SITES.format(**values)), "--layout", "force")
        self.browser.run(f"anml.restore({view})")
        self.browser.settle()
        self.assertEqual(self.browser.problems(), [])

    def state(self):
        return self.browser.run("({shown: anml.shown(), selected: anml.selected(), colour: document.getElementById('colour').value,"
                                " theme: document.documentElement.dataset.theme})")

    def test_view_of_a_changed_network(self):
        """Folds, colours and what is selected stay by their names; what is new is as the compiler has it."""
        self.page(self.write(self.SITES.format(nets=2, pcs=4, more="")), "--layout", "force")
        self.browser.run("anml.unfoldAll(); anml.select('net[1].gateway'); anml.fold(); anml.select('core'); anml.colourBy('rate'); anml.theme('dark')")
        before = self.state()
        self.assertIn("net[1]", before["shown"])
        self.assertIn("pc[3]", before["shown"])
        self.again(nets=2, pcs=4, more="")
        self.assertEqual(self.state(), before)
        # One more site, more hosts, and a node: the folds of the others are those of before.
        self.again(nets=3, pcs=6, more="router added   link added -- core : ether.fast")
        after = self.state()
        self.assertEqual({**after, "shown": None}, {**before, "shown": None})
        self.assertLess({*before["shown"]}, {*after["shown"]})
        self.assertLessEqual({"pc[5]", "added"}, {*after["shown"]})
        # What was selected is gone.
        self.browser.run("anml.select('added')")
        self.again(nets=2, pcs=4, more="")
        self.assertEqual(self.state(), {**before, "selected": None})
        self.browser.run("anml.foldAll()")
        folded = self.state()["shown"]
        self.again(nets=2, pcs=4, more="router added   link added -- core : ether.fast")
        self.assertEqual({*self.state()["shown"]} - {*folded}, {"added"})

    def test_camera_of_a_changed_network(self):
        """What is selected stays where it is, as large as before, though all nodes lie elsewhere; a picture of everything stays one."""
        self.page(self.write(self.SITES.format(nets=2, pcs=4, more="")), "--layout", "force")
        self.again(nets=2, pcs=4, more="host added[20]   link more: added[*] -- core : ether.fast")
        ends = self.browser.run("['added', 'core', 'net[0].gateway'].map((name) => anml.position(name))")
        self.assertTrue(all(0 < end["x"] < 1400 and 0 < end["y"] < 900 for end in ends), ends)
        self.browser.run("document.getElementById('graph').focus(); anml.select('core')")
        for key in ("+", "+", "ArrowLeft"):
            self.browser.key(key)
            self.browser.settle()
        self.assertEqual(self.browser.run("anml.view().camera.near[0].name"), "core")  # which is selected
        seen = "[anml.position('core'), anml.view().camera.scale]"
        old = self.browser.run(seen)
        self.again(nets=4, pcs=4, more="host added[20]   link more: added[*] -- core : ether.fast   router other   link other -- core : ether.fast")
        new = self.browser.run(seen)
        self.assertLess(abs(old[0]["x"] - new[0]["x"]) + abs(old[0]["y"] - new[0]["y"]), 3)
        self.assertAlmostEqual(old[1], new[1], delta=0.01 * old[1])

    def test_route_of_a_changed_network(self):
        self.page(self.write(self.SITES.format(nets=2, pcs=4, more="")), "--layout", "force")
        self.browser.run("anml.unfoldAll(); anml.route('pc[1]', 'old.client[0]')")
        self.again(nets=3, pcs=4, more="")
        self.assertIn("Route pc[1] \u2192 old.client[0]", self.details())
        self.again(nets=3, pcs=1, more="")
        self.assertNotIn("Route", self.details())

    def test_loaded_again(self):
        """As by F5, when the file was written anew; another page in its place begins anew."""
        path = self.write(self.SITES.format(nets=2, pcs=4, more=""))
        self.page(path, "--layout", "force")
        self.browser.run("anml.unfoldAll(); anml.select('pc[2]')")
        before = self.state()
        subprocess.run([ANMLC, "graph", self.write(self.SITES.format(nets=2, pcs=4, more="router added   link added -- core : ether.fast")), "-o",
                        os.path.join(self.folder.name, "page.html"), "--layout", "force"], check=True)
        self.browser.events.clear()
        self.browser.call("Page.reload")
        end = time.monotonic() + 60
        while not any(e.get("method") == "Page.loadEventFired" for e in self.browser.events):
            self.browser.events.append(self.browser.message(end, "reload"))
        self.browser.settle()
        self.assertEqual(self.browser.problems(), [])
        after = self.state()
        self.assertEqual(({*after["shown"]} - {*before["shown"]}, after["selected"]), ({"added"}, "pc[2]"))
        self.page(path, "--layout", "force")
        self.assertIsNone(self.state()["selected"])

    def test_in_the_editor(self):
        """The script that VS Code's extension puts into the page: a page that is made again shows what the one before it did."""
        script = (ROOT / "editors/vscode/src/page_script.ts").read_text().split("`")[1]
        editor = "<script>var said = [], kept = KEPT; var acquireVsCodeApi = () => ({ getState: () => kept, setState: (s) => { kept = s; }, " \
            "postMessage: (m) => said.push(m) });</script>"

        def page(kept, **values):
            path = pathlib.Path(self.folder.name, "page.html")
            subprocess.run([ANMLC, "graph", self.write(self.SITES.format(**values)), "-o", str(path), "--layout", "force"], check=True)
            path.write_text(path.read_text().replace("</body>", editor.replace("KEPT", kept) + script + "</body>"))
            self.browser.open(str(path))
            self.browser.settle()
            self.assertEqual(self.browser.problems(), [])

        page("undefined", nets=2, pcs=4, more="")
        self.assertEqual(self.browser.run("said"), [{"ready": True, "shown": ""}])
        self.browser.run("anml.unfoldAll(); postMessage({ select: 'old.gateway' }, '*')")
        self.browser.settle()
        before = self.state()
        self.assertEqual(before["selected"], "old.gateway")
        page(json.dumps(self.browser.run("kept")), nets=3, pcs=4, more="router added   link added -- core : ether.fast")
        self.assertEqual(self.browser.run("said"), [{"ready": True, "shown": "old.gateway"}])
        self.assertLess({*before["shown"]}, {*self.state()["shown"]})
        # As light or dark as the editor, whatever the system is, and in its colours.
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.addCleanup(lambda: self.browser.call("Emulation.setEmulatedMedia", features=[]))
        page("null", nets=2, pcs=4, more="")
        paper = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.browser.run(paper), "rgb(255, 255, 255)")
        self.browser.run("document.documentElement.style.setProperty('--vscode-editor-background', '#1f2021'); document.body.dataset.vscodeThemeKind = 'vscode-dark'")
        self.browser.settle()
        self.assertEqual(self.browser.run(paper), "rgb(31, 32, 33)")
        self.browser.run("document.body.dataset.vscodeThemeKind = 'vscode-high-contrast-light'")
        self.browser.settle()
        self.assertEqual(self.browser.run("document.documentElement.dataset.theme"), "light")

    def test_large(self):
        """10 000 nodes: the first picture in time, and frames while it is moved."""
        script = str(ROOT / "tests/bench/flat_network.py")
        text = subprocess.run(["python3", script, "random", "5000"], check=True, capture_output=True, text=True).stdout
        path = os.path.join(self.folder.name, "large.html")
        subprocess.run([ANMLC, "graph", self.write(text), "-o", path], check=True)
        self.browser.call("Performance.enable", timeDomain="threadTicks")
        begin = time.time()
        self.browser.open(path)
        self.browser.run(FRAME + "frame()")
        first = time.time() - begin
        metrics = {m["name"]: m["value"] for m in self.browser.call("Performance.getMetrics")["metrics"]}
        self.assertEqual(len(self.shown()), 10001)
        seen = [bytes.fromhex(colour[1:]) for colour in self.browser.colours([(260, 240)], 40)[0]]
        self.assertGreater(sum(max(colour) - min(colour) < 40 and max(colour) < 245 for colour in seen), 500, "no links are seen")
        # However long a frame takes on a machine that is busy and has no graphics processor, this ends.
        frames = self.browser.run(FRAME + """(async () => {
            const times = [], start = performance.now();
            for (let i = 0; i < 4 && performance.now() - start < 30000; ++i) {
              document.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowLeft" : "ArrowRight" }));
              const begin = performance.now();
              await frame();
              times.push((performance.now() - begin) / 2);
            }
            return times.sort((a, b) => a - b);
        })()""")
        # What a frame costs the page itself: with a graphics processor that is all. Each of them waits for two.
        moved = {m["name"]: m["value"] for m in self.browser.call("Performance.getMetrics")["metrics"]}
        each = (moved["TaskDuration"] - metrics["TaskDuration"]) / (2 * len(frames))
        print(f"10 001 nodes: first picture after {first:.2f} s ({metrics['TaskDuration']:.2f} s of processor time in the page), median "
              f"frame {frames[len(frames) // 2]:.0f} ms, worst {frames[-1]:.0f} ms, {each * 1000:.1f} ms of processor time in the page")
        self.assertLess(metrics["TaskDuration"], 3)
        self.assertLess(each, 0.05)
        self.assertEqual(self.browser.problems(), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
