"""Round trips through the formats: a graph imported, expanded, written as GraphML or JSON and imported again is the same
network, and so is a model with everything that a link can have."""
import ipaddress
import json
import unittest

from emulators import ANMLC, GRAPHS, ROOT, EmulatorTest, run

SAMPLES = {path.name: path for path in GRAPHS}

RICH = """import std.web
model Rich(tunable D: time in 1 ms .. 5 ms = 2 ms) {
  addressing { pool = 10.7.0.0/16 }
  endpoint server { address = 10.7.0.80, simulated = web.server(service = exponential(3 ms), workers = 4, close = at_once, port = 81) }
  endpoint real { position = geo(51.5, -0.25) }
  router core { position = geo(48.85, 2.35), address = 10.7.9.1 }
  switch lan
  host pc[3] { address = 10.7.1.1 }
  host lone
  profile dsl : Link { delay = 8 ms, up { rate = 1 Mbps, queue = droptail(64 KB) } down { rate = 16 Mbps, queue = droptail(packets = 100) } }
  link a: server -- core { rate = 10 Gbps, delay = D, mtu = 9000 B, overhead = 38 B, queue = droptail(packets = 50, capacity = 1 MB) }
  link b: real -- core { rate = 1 Gbps, delay = 1 ms, loss = 1 %, up { jitter = 2 ms, in_order = false } }
  link desk: pc[*] -- lan : dsl
  link lan -- core { rate = 100 Mbps, delay = 0.25 ms, loss = uniform(0, 0.1), reorder = 0.5 %, down { cost = 3 } }
  link lan -- core { rate = 100 Mbps, delay = 0.5 ms, duplicate = 0.1 %, corrupt = 0.2 % }
  link lone -- lan { rate = 56 Kbps, delay = 100 ms }
  run { duration = 1 s }
}
"""
# What only the language can say: it goes along as text.
SPOKEN = """import std.loss
import std.traffic
import std.web
process fading(start: ratio, end: ratio) : ratio {
  state packets: int = 0 then if packets > 0 then (if chance(end) then 0 else packets + 1) else if chance(start) then 1 else 0
  yield min(1, packets * 10 %)
}
profile frugal : Tcp { segment = 536 B, initial_window = 2, sack = true, delayed_ack = 40 ms }
component Site(where: prefix) {
  addressing { prefix = where }
  routing { metric = hops, multipath = ecmp }
  router r[3]
  host pc[4] { tcp = frugal }
  for i in 0 ..< 3 { link hop[i]: r[i] -- r[(i + 1) % 3] { rate = 1 Gbps, delay = 1 ms + i * 9 ms } }
  link desk: pc[*] -- r[0] { rate = 100 Mbps, delay = 1 ms, jitter = truncated(lognormal(1 ms, 0.5), 0 s, 20 ms) }
}
model Spoken(tunable bad: ratio in 0 .. 1 = 2 %) {
  routing { metric = cost }
  Site site[2](where = subnet(10.64.0.0/16, 24, index))
  router core[2]
  router other
  endpoint server { simulated = web.server(service = mixture([90 %, 10 %], [1 ms, pareto(5 ms, 1.5)])) }
  host phone { tcp = frugal }
  routing middle on core[*] { metric = delay }
  link up: site[*].r[1] -- core[*] { rate = 1 Gbps, delay = 2 ms, cost = 2, loss = loss.gilbert_elliott(p = bad, r = 20 %) }
  link trunk: core[0] -- core[1] { rate = 10 Gbps, delay = 1 ms, up { loss = fading(0.1 %, 20 %) } }
  link air: phone -- core[0] { delay = 25 ms, up { rate = trace("phone.up") } down { rate = trace("phone.down"), jitter = empirical("waits", 1 ms) } }
  link half: phone -- core[1] { delay = 25 ms, up { rate = trace("phone.up") } down { rate = 5 Mbps } }
  link abroad: core[1] -- other { rate = 1 Gbps, delay = 3 ms, relation = customer }
  link entry: other -- server { rate = 1 Gbps, delay = 1 ms }
  route site[0].r[0] to site[1].pc[*] via site[0].r[1]
  workload browse : web.ClosedLoop on site[*].pc[*] { server = server, documents = web.fixed(8 KB), think = exponential(100 ms) }
  workload news : traffic.Bulk on site[0].pc[1] { to = phone, size = 100 KB, transfers = 3 }
  require rtt(site[0].pc[0], server) < 1 s
  run { duration = 4 s, warmup = 1 s }
}
"""
ONE_WAY = """model Odd {
  router a
  router b
  router c
  link x: a -- b { rate = 1 Gbps, delay = 1 ms, up { loss = 1 % } down { rate = 2 Gbps, delay = 3 ms } }
  link a -- b { rate = 1 Gbps, delay = 2 ms }
  link lone: b -> c { rate = 1 Mbps, delay = 4 ms, jitter = exponential(1 ms) }
  link back: c -> a { rate = 3 Mbps, delay = 8 ms }
  run { duration = 1 s }
}
"""


# Arrays of each kind, and what is said about an element of them or of links.
ARRAYS = """import std.traffic
import std.web
profile plain(better: bool) : Tcp { sack = better }
model Arrays {
  host pc[["anna", "bert", "c d"]]
  host desk[3] { position = plane(index * 2, 1) }
  endpoint front[2] { simulated = web.server(service = 0.2 ms) }
  router core
  router town[2]
  for i in 0 ..< 2 { host own[i] { tcp = plain(i > 0) } }  // two rows
  link l: pc[*] -- core { rate = 1 Gbps, delay = 1 ms / 3, jitter = 1 ms / 7 }
  link front[*] -- core { rate = 1 Gbps, delay = 0.8425728470120779 ms }
  link trunk: core -- town[*] { rate = 100 Mbps, delay = 5 ms, down { delay = 1 ms / 7 } }
  link desk[*] -- town[1] { rate = 1 Gbps, delay = 1 ms }
  link own[*] -- town[*] { rate = 1 Gbps, delay = 1 ms }
  workload w : traffic.Cbr on pc["anna"] { to = pc["bert"], interval = 10 ms }
  workload v : traffic.Cbr on [pc["bert"], pc["c d"]] { to = own[1], interval = 10 ms }
  workload x : traffic.Cbr on desk[1] { to = own[0], interval = 10 ms }
  workload u : web.ClosedLoop on desk[*] { server = front[0], documents = web.fixed(4 KB) }
  require load(trunk[0]) < 10 %
  require load(trunk[1], down) < 10 % && load(l["anna"]) < 10 %
  require rtt(pc["anna"], core) / 2 == 1 ms / 3
  require max_queue_delay(trunk[1], up) < 1 s
  run { duration = 1 s }
}
"""
# Links of which one direction is another one's way back.
ONE_WAY_TOO = """import std.traffic
model Ways {
  router b
  router a
  host h
  host g
  link h -- a { rate = 1 Gbps, delay = 0 ns }
  link g -- b { rate = 1 Gbps, delay = 0 ns }
  link up: a -> b { rate = 10 Mbps, delay = 3 ms }
  link up2: a -> b { rate = 11 Mbps, delay = 4 ms }
  link back: b -> a { rate = 10 Mbps, delay = 3 ms }
  link y: a -- b { rate = 7 Mbps, delay = 9 ms, down { rate = 6 Mbps } }
  link z: a -- b { rate = 8 Mbps, delay = 9 ms, down { rate = 5 Mbps, loss = 1 % } }
  workload w : traffic.Cbr on h { to = g, interval = 10 ms }
  workload v : traffic.Cbr on g { to = h, interval = 7 ms }
  run { duration = 3 s }
}
"""
# Right ends that are declared before left ones.
TURNED = """import std.traffic
model Turned {
  host a
  router r
  router s
  host b
  link ba: r -- a { rate = 40 Mbps, delay = 2 ms, queue = droptail(64 KB), down { rate = 4 Mbps, delay = 9 ms, loss = 1 % } }
  link sr: s -- r { rate = 10 Mbps, delay = 1 ms, relation = provider }
  link b -- s { rate = 20 Mbps, delay = 1 ms, up { jitter = 1 ms } }
  workload w : traffic.Cbr on a { to = b, interval = 10 ms }
  require load(ba, up) <= load(ba, down) + 100 %
  run { duration = 1 s }
}
"""


def rounded(value):
    """Times went through milliseconds: what differs in the last digits of a double is the same."""
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, list):
        return [rounded(v) for v in value]
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return value


def essence(text):
    """--emit=network as nodes by their names and links in order, each by itself."""
    network = json.loads(text)
    nodes, links = {}, []
    for row in network["nodes"]:
        server = next((s for s in network["servers"] if s["node"] == row["name"]), None)
        server = {k: v for k, v in server.items() if k != "node"} if server else None
        for i in range(row["count"]):
            name = f"{row['name']}[{i}]" if row["array"] else row["name"]
            address = str(ipaddress.ip_address(row["address"]) + i) if row["explicit_address"] else None
            tcp = network["records"][row["tcp"]] if row["tcp"] is not None else None
            nodes[name] = rounded({"kind": row["kind"], "address": address, "position": row.get("position"), "server": server, "tcp": tcp,
                                    **{key: row.get(key) for key in ("processing", "middlebox", "icmp_limits", "buffer", "radio")}})

    def both(value):
        return value if isinstance(value, list) else [value, value]

    for row in network["links"]:
        impairments = [network["records"][i] if i is not None else None for i in row["impairment"]]
        traces = [{k: v for k, v in network["traces"][i].items() if k != "name"} if i is not None else None for i in row.get("trace", [None, None])]
        for i in range(row["count"]):
            ends = []
            for end in (row["a"], row["b"]):
                array = f"{end['node']}[{end['first'] + i * end['stride']}]"
                ends.append(array if array in nodes else end["node"])
            links.append(rounded({
                "ends": ends, "one_way": row.get("one_way", False), "wired": row.get("wired", False), "transparent": row.get("transparent", False), "relation": row.get("relation"), "trace": traces, "mtu": row["mtu"], "overhead": row["overhead"],
                "impairments": impairments, "discipline": row.get("discipline"), "ecmp_weight": row.get("ecmp_weight", [1, 1]), **{key: both(row[key]) for key in ("rate", "delay", "queue", "queue_packets", "cost")}}))
    return nodes, links


class RoundTrip(EmulatorTest):
    maxDiff = 3000

    def network(self, model):
        return run(ANMLC, "--emit=network", model, "-o", "-").stdout

    def imported(self, graph):
        """A model of the graph; what it says besides errors is about guesses."""
        model = self.fresh("imported.anml")
        done = run(ANMLC, "import", graph, "-o", model, "--model", "Imported")
        self.assertNotIn("error", done.stderr)
        return model, done.stderr

    def assertRoundTrip(self, model, fixed=()):
        """Through the expansion and either format."""
        expanded = self.fresh("expanded.anml")
        run(ANMLC, "--emit=anml", *fixed, model, "-o", expanded)
        expected = essence(self.network(expanded))
        for suffix in ("graphml", "json", "yml"):
            graph = self.fresh(f"graph.{suffix}")
            run(ANMLC, "graph", expanded, "-o", graph)
            again, said = self.imported(graph)
            self.assertNotIn("dropped", said)
            run(ANMLC, "fmt", "--check", again)
            nodes, links = essence(self.network(again))
            self.assertEqual(expected[0], nodes)
            self.assertEqual(expected[1], links)

    def test_samples(self):
        self.assertGreaterEqual(len(SAMPLES), 8)
        for name, path in SAMPLES.items():
            with self.subTest(name):
                model, _ = self.imported(path)
                self.assertRoundTrip(model)

    def test_all_that_a_link_has(self):
        for name, text in (("rich", RICH), ("one-way", ONE_WAY)):
            with self.subTest(name):
                model = self.fresh("model.anml")
                model.write_text(text)
                fixed = ("-D", "D=2 ms") if name == "rich" else ()
                self.assertRoundTrip(model, fixed)

    def test_what_the_language_says(self):
        """Settings of TCP, traces, processes, distributions, regions, policy, static routes and workloads: the same packets."""
        for name in ("phone.up", "phone.down"):
            (self.folder / name).write_bytes((ROOT / "tests/data/traces" / name).read_bytes())
        (self.folder / "waits").write_text("1\n5\n20 0.5\n")
        model = self.fresh("model.anml")
        model.write_text(SPOKEN)
        expanded = self.folder / "expanded.anml"  # sets the addresses that come of prefixes
        run(ANMLC, "--emit=anml", "-D", "bad=2 %", model, "-o", expanded)
        expected, digest = essence(self.network(expanded)), self.simulate(self.compile(model, "-O0"))["digest"]
        for suffix in ("graphml", "json", "yml"):
            with self.subTest(suffix):
                (self.folder / suffix).mkdir()
                (self.folder / f"again-{suffix}").mkdir()
                graph = self.folder / suffix / f"graph.{suffix}"
                said = run(ANMLC, "graph", model, "-o", graph).stderr
                self.assertIn("tunables become numbers, their defaults: 1 [dropped-element]", run(ANMLC, "graph", "--error-format=short", model, "-o", graph).stderr)
                self.assertEqual(said.count("warning[dropped-element]"), 1)
                again = self.folder / f"again-{suffix}" / "model.anml"
                said = run(ANMLC, "import", graph, "-o", again).stderr
                self.assertEqual(said, "")
                self.assertEqual(essence(self.network(again)), expected)
                self.assertEqual(self.simulate(self.compile(again, "-O0"))["digest"], digest)
        # Without a node that the texts name, they are left out, and the rest is a network.
        graph = self.folder / "json" / "graph.json"
        data = json.loads(graph.read_text())
        data["nodes"] = [n for n in data["nodes"] if n["id"] != "phone"]
        data["edges"] = [e for e in data["edges"] if "phone" not in (e["source"], e["target"])]
        graph.write_text(json.dumps(data))
        again = self.folder / "without.anml"
        said = run(ANMLC, "import", graph, "-o", again).stderr
        self.assertIn("are left out: they don't fit it", said)
        self.assertIn("unknown name `phone`", said)
        self.assertNotIn("workload browse", again.read_text())
        self.compile(again, "-O0")

    def assertSameRun(self, text, formats):
        """The imported model is the same network, and sends the same packets."""
        model = self.fresh("model.anml")
        model.write_text(text)
        digest = self.simulate(self.compile(model, "-O0"))["digest"]
        for suffix in formats:
            with self.subTest(suffix):
                graph, again = self.fresh(f"graph.{suffix}"), self.fresh("again.anml")
                run(ANMLC, "graph", model, "-o", graph)
                self.assertEqual(run(ANMLC, "import", graph, "-o", again).stderr, "")
                self.assertEqual(self.network_differences(model, again), [])
                self.assertEqual(self.simulate(self.compile(again, "-O0"))["digest"], digest)

    def network_differences(self, model, again):
        found = json.loads(run(ANMLC, "diff", "--format", "json", model, again, check=False).stdout)
        # Links of an array are declared one by one, which `diff` calls another name.
        parts = ("settings", "nodes", "addresses", "links", "workloads", "routes")
        return [entry for part in parts for entry in found[part]
                if entry["name"] != "model" and any(a["name"] != "name" for a in entry["attributes"])]

    def test_arrays_and_what_is_said_of_elements(self):
        self.assertSameRun(ARRAYS, ("json", "graphml", "yml"))

    def test_an_array_without_an_element(self):
        """A script took out the middle one: `pc[*]` is not what it was."""
        model, graph, again = self.fresh("model.anml"), self.fresh("graph.json"), self.fresh("again.anml")
        model.write_text(ARRAYS.replace('[["anna", "bert", "c d"]]', "[3]").replace('pc["anna"]', "pc[0]").replace('pc["bert"]', "pc[2]")
                         .replace(', pc["c d"]', "").replace('l["anna"]', "l[0]"))
        run(ANMLC, "graph", model, "-o", graph)
        data = json.loads(graph.read_text())
        data["nodes"] = [n for n in data["nodes"] if n["id"] != "desk[1]"]
        data["edges"] = [e for e in data["edges"] if e["source"] != "desk[1]"]
        graph.write_text(json.dumps(data))
        self.assertIn("they don't fit it", run(ANMLC, "import", graph, "-o", again).stderr)
        self.assertIn("host     `desk[2]`", again.read_text())

    def test_one_way_links(self):
        self.assertSameRun(ONE_WAY_TOO, ("json", "graphml", "yml"))

    def test_a_graph_that_networkx_wrote(self):
        """Of an edge without a direction it writes the node first that comes first."""
        try:
            import networkx
        except ImportError:
            self.skipTest("networkx is not installed")
        for text in (TURNED, ONE_WAY_TOO):
            model = self.fresh("model.anml")
            model.write_text(text)
            for suffix in ("json", "graphml"):
                with self.subTest(suffix):
                    graph, again = self.fresh(f"graph.{suffix}"), self.fresh("again.anml")
                    run(ANMLC, "graph", model, "-o", graph)
                    if suffix == "json":
                        data = networkx.node_link_graph(json.loads(graph.read_text()), edges="edges")
                        graph.write_text(json.dumps(networkx.node_link_data(data, edges="edges")))
                    else:
                        networkx.write_graphml(networkx.read_graphml(graph), graph)
                    self.assertEqual(run(ANMLC, "import", graph, "-o", again).stderr, "")
                    self.assertEqual(self.network_differences(model, again), [])

    def test_edges_that_are_turned(self):
        """The same, as NetworkX writes it, without it; ends that have other names are told."""
        model, graph, again = self.fresh("model.anml"), self.fresh("graph.json"), self.fresh("again.anml")
        model.write_text(TURNED)
        run(ANMLC, "graph", model, "-o", graph)
        data = json.loads(graph.read_text())
        for edge in data["edges"]:
            edge["source"], edge["target"] = edge["target"], edge["source"]
        graph.write_text(json.dumps(data))
        self.assertEqual(run(ANMLC, "import", graph, "-o", again).stderr, "")
        self.assertEqual(self.network_differences(model, again), [])
        data["directed"] = True  # each edge as two
        data["edges"] += [{**e, "source": e["target"], "target": e["source"]} for e in data["edges"]]
        graph.write_text(json.dumps(data))
        self.assertEqual(run(ANMLC, "import", graph, "-o", again).stderr, "")
        self.assertEqual(self.network_differences(model, again), [])
        data["directed"] = False
        data["edges"] = data["edges"][:3]
        for edge in data["edges"]:
            edge["left"] = "nobody"
        graph.write_text(json.dumps(data))
        self.assertIn("whose left end has another name", run(ANMLC, "import", graph, "-o", again).stderr)

    def test_hostile_texts(self):
        """What is no setting of a network does not get into the model."""
        node = '{"id": "%s", "kind": "host"%s}'
        form = '{"graph": {"generator": "anmlc", "anml": %s}, "nodes": [%s, %s], "edges": [{"source": "a", "target": "b", "rate": 1e6%s}]}'
        frame = "model M { run { duration = 1 s } %s }"
        texts = ["", "}", "model M {", frame % "host evil", frame % "link a -- b", frame % "component", frame % "at 1 s { a down }",
                 "import lab.secrets\n" + frame % "", "component C {}\n" + frame % "", "graph G(\"/etc/passwd\") {}\n" + frame % "",
                 frame % ("require " + "(" * 5000 + "true" + ")" * 5000), frame % "require rtt(a, nowhere) < 1 s"]
        drawn = ["exponential(1 s)", "1 % } link a -- b { rate = 7 bps", "nowhere(1)", "self.rate / (1 bps)", "rtt(a, b) / (1 s)", "trace(\"/etc/passwd\")", "", "1 +",
                 "uniform(0, 0.1) // x", "{ x = 1 }", "0.1, jitter = 1 s", "empirical(\"a\\\\/\")"]
        for text in texts:
            for loss in drawn if text == texts[3] else drawn[:1]:
                with self.subTest(text[:60], loss=loss):
                    graph = self.fresh("graph.json")
                    edge = f', "loss_drawn": {json.dumps(loss)}'
                    graph.write_text(form % (json.dumps(text), node % ("a", ', "tcp": "nobody"'), node % ("b", ""), edge))
                    model = self.fresh("model.anml")
                    said = run(ANMLC, "import", graph, "-o", model).stderr
                    self.assertIn("dropped", said)
                    for word in ("evil", "secrets", "passwd", "nowhere", "nobody", "self.", "7 bps"):
                        self.assertNotIn(word, model.read_text())
                    self.compile(model, "-O0")

    def test_instances(self):
        model = ROOT / "examples/paper-wan/wan.anml"
        self.assertRoundTrip(model, ("-D", "N=3", "-D", "H=5", "-D", "D=1 ms", "-D", "Q=64 KB"))


if __name__ == "__main__":
    unittest.main()
