import json
import pathlib
import tempfile
import unittest

import anml


def wan():
    model = anml.Model("Wan", doc="N sites in a row.")
    site = model.component("Site")
    hosts = site.parameter("hosts", "int", 4, range=(1, 4096))
    gateway, client = site.router("gateway"), site.host("client", hosts)
    site.link(client.all, gateway, "ether.fast", name="edge", delay=0.1 * anml.ms)

    n = model.parameter("N", "int", 2, range=(1, 32))
    d = model.tunable("D", "time", 1 * anml.ms, range=("0.1 ms", "1 s"), doc="One way, of each hop.")
    server = model.endpoint("server", simulated=anml.call("web.server"))
    net = model.instance(site, "net", count=n, hosts=3)
    backbone = model.profile("backbone", "Link", rate=1 * anml.Gbps, delay=d)
    model.link(net[0].gateway, server, backbone, name="entry")
    with model.loop("i", 0, n - 1) as i:
        model.link(net[i + 1].gateway, net[i].gateway, backbone, name="hop", index=i)
    model.workload("browse", "web.ClosedLoop", on=net.all.client.all, server=server,
                   documents=anml.call("web.fixed", 1 * anml.KB), think=10 * anml.ms)
    model.require(anml.call("rtt", net[0].client[0], server) < 3 * anml.s, "too far")
    model.run(2 * anml.s, warmup=1 * anml.s)
    return model


class Models(unittest.TestCase):
    def test_text(self):
        text = wan().source()
        for line in ("import std.ether", "import std.web", "component Site(hosts: int in 1 .. 4096 = 4) {",
                     "  Site     net[N](hosts = 3)", "  for i in 0 ..< N - 1 {",
                     "    link hop[i]: net[i + 1].gateway -- net[i].gateway : backbone",
                     '  require rtt(net[0].client[0], server) < 3 s else "too far"'):
            self.assertIn(line, text)
        self.assertNotIn("// line", text)
        with tempfile.TemporaryDirectory() as folder:
            path = wan().save(pathlib.Path(folder) / "wan.anml")
            anml.compile_file(path, level=0)

    def test_routes(self):
        model = anml.Model("Steered")
        near, far, host = model.router("near"), model.router("far"), model.host("pc")
        model.link(near, far, "ether.fast", name="wire")
        model.link(far, host, "ether.fast")
        model.route(near, host, far)
        model.route(near, host, [far], weight=2)
        model.require(anml.call("hops", near, host) == 2)
        model.run(1 * anml.s)
        self.assertIn("  route near to pc via far\n  route near to pc via [far] { weight = 2 }\n", model.source())
        model.check()

    def test_runs(self):
        emulator = wan().compile(level=0, N=3)
        near, far = emulator.run(), emulator.run(D="20 ms", seed=2)
        self.assertGreater(near.transaction_rate, far.transaction_rate)
        self.assertEqual(near.digest, emulator.run(threads=2).digest)
        self.assertEqual(near["parameters.N.value"], 3)
        self.assertEqual(near["verdict"], "simulated")
        self.assertGreater(near.throughput, 0)
        self.assertGreater(far.response_time, near.response_time)
        self.assertEqual(near.packet_loss, 0)
        with self.assertRaises(KeyError):
            near["no.such"]
        self.assertIn("net[0].client", json.dumps(emulator.info()))

    def test_errors(self):
        with self.assertRaises(anml.CompileError):
            wan().compile(N=99)
        with self.assertRaises(anml.RunError):
            wan().compile(level=0).run(D="2 s")
        model = anml.Model("Wrong")
        with self.assertRaises(ValueError):
            model.router("a b")
        with self.assertRaises(ValueError):
            model.instance(anml.Model("Other").component("C"), "c")
        self.assertEqual(anml.Model("Empty").check.__name__, "check")

    def test_error_names_the_line(self):
        model = anml.Model("Wrong")
        model.router("a")
        model.router("b")
        model.link("a", "nowhere", rate="1 Mbps")  # this line
        model.run("1 s")
        with self.assertRaises(anml.CompileError) as caught:
            model.compile(level=0)
        lines = pathlib.Path(__file__).read_text().splitlines()
        number = next(i for i, line in enumerate(lines, 1) if line.endswith("# this line"))
        self.assertIn("unknown name `nowhere`", str(caught.exception))
        self.assertIn(f"test_model.py:{number}", str(caught.exception))

    def test_selections(self):
        model = anml.Model("Lists")
        r = model.router("r", 3)
        a, b = model.host("a"), model.host("b", 2)
        model.link(anml.select(a, b.all), r.all, name="up", rate="1 Mbps")
        with model.condition(anml.Expr("1") < 2):
            model.link(r[0], r[1:3], rate="1 Mbps")
        model.workload("w", "traffic.Cbr", on=a, to=b[0], interval=10 * anml.ms)
        model.declare("profile unused : Queue { capacity = 1 KB }")
        model.statement("let text = 3")
        model.run("1 s")
        self.assertEqual(model.compile(level=0).run()["packets.lost"], 0)


    def test_routing(self):
        model = anml.Model("Regions")
        site = model.component("Site")
        site.routing(metric="hops", multipath="ecmp")
        r = site.router("r", 3)
        for i in range(3):
            site.link(r[i], r[(i + 1) % 3], rate="1 Gbps", delay=f"{1 + 9 * i} ms")
        model.routing(metric="delay")
        left, right = model.instance(site, "left"), model.instance(site, "right")
        core = model.router("core", 2)
        model.routing("middle", on=core.all, metric="cost")
        model.link(core[0], core[1], rate="1 Gbps", cost=3)
        model.link(left.r[0], core[0], rate="1 Gbps", delay=2 * anml.ms)
        model.link(core[1], right.r[0], rate="1 Gbps", delay=3 * anml.ms)
        other = model.router("other")
        model.link(other, right.r[2], rate="1 Gbps", delay=1 * anml.ms, relation="customer")
        model.require(anml.rtt(left.r[0], left.r[2]) == 38 * anml.ms)   # by hops: over the one link of 19 ms
        model.require(anml.hops(left.r[1], right.r[1]) == 5)
        model.require(anml.reachable(left.r[0], other))
        model.run("1 s")
        text = model.source()
        for line in ("routing { metric = hops, multipath = ecmp }", "routing middle on core[*] { metric = cost }",
                     "relation = customer"):
            self.assertIn(line, text)
        model.check()
        model.compile(level=0)
        with self.assertRaises(ValueError):
            model.routing("nowhere", metric="hops")
        with self.assertRaises(ValueError):
            model.routing(on=core.all)


class Modules(unittest.TestCase):
    def test_each_is_known(self):
        library = pathlib.Path(__file__).resolve().parents[3] / "stdlib" / "std"
        self.assertEqual(sorted(anml.words.MODULES), sorted(p.stem for p in library.iterdir() if p.stem != "prelude"))
        for module in anml.words.MODULES:
            self.assertIn(module, anml.__all__)
            model = anml.Model("M")
            model.let("x", getattr(anml, module).anything)
            self.assertIn(f"import std.{module}\n", model.source(lines=True))

    def test_only_where_they_are_used(self):
        model = anml.Model("M", doc="As wan.site does, or jitter.spread.")
        site = model.component("Site", doc="See web.server.")
        site.host("gateway")
        site.port("door", site.host("other"))
        site.statement("topology.ring inner(4)  // flows.x")
        model.instance(site, "web")
        for loop in ("mix", "draws"):
            with model.loop(loop, 0, 2):
                model.link("web.gateway", model.router("r"), "ether.fast")
        tcp = model.parameter("tcp", "Tcp")
        model.require(f"{tcp}.sack", "loss.burst: see queue.red")
        model.declare("profile mine : access.lte { /* orbit.x */ queue = queue.red(1 MB) }")
        heads = [line for line in model.source(lines=True).splitlines() if line.startswith("import")]
        self.assertEqual(heads, ["import std.access", "import std.ether", "import std.queue", "import std.topology"])

    def test_modules_beside_names_without_members(self):
        model = anml.Model("M")
        a, b = model.host("a"), model.host("b")
        model.link(a, b, anml.ether.fast, name="ether")
        model.workload("traffic", anml.traffic.Ping, on=a, to=b)
        model.run("1 s")
        self.assertIn("import std.ether\nimport std.traffic\n", model.source())
        model.check()

    def test_a_module_of_ones_own(self):
        model = anml.Model("M", imports=["office.web", "office.net as wan"])
        model.let("x", "web.x + wan.y")
        self.assertNotIn("import std.", model.source(lines=True))


class Sweeps(unittest.TestCase):
    def test_all_combinations(self):
        points = anml.sweep(wan(), N=[1, 2], D=["1 ms", 10 * anml.ms], seeds=[1, 2], parallel=2, level=0, progress=False)
        self.assertEqual([(p.parameters["N"], str(p.parameters["D"]), p.parameters["seed"]) for p in points],
                         [(n, d, seed) for n in (1, 2) for d in ("1 ms", "10 ms") for seed in (1, 2)])
        self.assertGreater(points[0].results.transaction_rate, points[2].results.transaction_rate)
        self.assertEqual(anml.sweep(wan(), N=[]), [])


class Graphs(unittest.TestCase):
    def test_from_networkx(self):
        try:
            import networkx
        except ImportError:
            self.skipTest("networkx is not installed")
        graph = networkx.Graph()
        graph.add_edge("Zürich", "for", capacity=100)
        graph.add_edge("for", "Genève", capacity=10)
        graph.add_edge("for", "for")
        model = anml.from_networkx(graph, "Swiss", rate=lambda edge: edge["capacity"] * anml.Mbps, hosts=2)
        self.assertIn("link node_for -- Geneve { rate = 10 Mbps, delay = 1 ms }", model.source())
        self.assertGreater(model.compile(level=0).run()["packets.delivered"], 0)
        ring = anml.from_networkx(networkx.cycle_graph(4, networkx.DiGraph), hosts=0)
        self.assertEqual(ring.source().count("link"), 4)


if __name__ == "__main__":
    unittest.main()
