"""Round trips through the formats: a graph imported, expanded, written as GraphML or JSON and imported again is the same
network, and so is a model with everything that a link can have."""
import ipaddress
import json
import unittest

from emulators import ANMLC, ROOT, EmulatorTest, run

# The samples of the repository, and the collection beside it where there is one.
FOLDERS = [ROOT / "tests/data/graphs", ROOT / "tests/data/topohub", ROOT.parent / "shared/data/topology-zoo",
           ROOT.parent / "shared/data/topohub"]
SAMPLES = {path.name: path for folder in FOLDERS for path in sorted(folder.glob("*")) if path.suffix in (".gml", ".graphml", ".json")}

RICH = """import std.web
model Rich(tunable D: time in 1 ms .. 5 ms = 2 ms) {
  addressing { pool = 10.7.0.0/16 }
  endpoint server { address = 10.7.0.80, simulated = web.server(service = exponential(3 ms), workers = 4, close = at_once, port = 81) }
  endpoint real { position = geo(51.5, -0.25) }
  router core { position = geo(48.85, 2.35), address = 10.7.9.1 }
  switch lan
  host pc[3] { address = 10.7.1.1 }
  host lone
  profile dsl : Link { delay = 8 ms, up { rate = 1 Mbps, queue = droptail(64 KB) } down { rate = 16 Mbps, queue = droptail_packets(100) } }
  link a: server -- core { rate = 10 Gbps, delay = D, mtu = 9000 B, overhead = 38 B, queue = droptail_packets(50, capacity = 1 MB) }
  link b: real -- core { rate = 1 Gbps, delay = 1 ms, loss = 1 %, up { jitter = 2 ms, in_order = false } }
  link desk: pc[*] -- lan : dsl
  link lan -- core { rate = 100 Mbps, delay = 0.25 ms, loss = uniform(0, 0.1), reorder = 0.5 %, down { cost = 3 } }
  link lan -- core { rate = 100 Mbps, delay = 0.5 ms, duplicate = 0.1 %, corrupt = 0.2 % }
  link lone -- lan { rate = 56 Kbps, delay = 100 ms }
  run { duration = 1 s }
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
            nodes[name] = rounded({"kind": row["kind"], "address": address, "position": row.get("position"), "server": server})

    def both(value):
        return value if isinstance(value, list) else [value, value]

    for row in network["links"]:
        impairments = [network["impairments"][i] if i is not None else None for i in row["impairment"]]
        for i in range(row["count"]):
            ends = []
            for end in (row["a"], row["b"]):
                array = f"{end['node']}[{end['first'] + i * end['stride']}]"
                ends.append(array if array in nodes else end["node"])
            links.append(rounded({
                "ends": ends, "one_way": row.get("one_way", False), "mtu": row["mtu"], "overhead": row["overhead"],
                "impairments": impairments, **{key: both(row[key]) for key in ("rate", "delay", "queue", "queue_packets", "cost")}}))
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
        for suffix in ("graphml", "json"):
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

    def test_instances(self):
        model = ROOT / "examples/paper-wan/wan.anml"
        self.assertRoundTrip(model, ("-D", "N=3", "-D", "H=5", "-D", "D=1 ms", "-D", "Q=64 KB"))


if __name__ == "__main__":
    unittest.main()
