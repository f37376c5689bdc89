#!/usr/bin/env python3
"""What `anmlc graph` writes for other programs, as NetworkX reads it: the same network, and paths of the same length."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import networkx
except ImportError:  # another Python than the one that Debian's package is for
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["python3", *sys.argv])

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANMLC = os.environ["ANMLC"]


def anmlc(*arguments):
    return subprocess.run([ANMLC, *arguments], check=True, capture_output=True, text=True).stdout


def read_json(text):
    data = json.loads(text)
    try:
        return networkx.node_link_graph(data, edges="edges")
    except TypeError:  # before 3.4
        return networkx.node_link_graph({**data, "links": data["edges"]})


def read_graphml(text):
    with tempfile.NamedTemporaryFile("w", suffix=".graphml") as file:
        file.write(text)
        file.flush()
        return networkx.read_graphml(file.name, force_multigraph=True)


class Graphs(unittest.TestCase):
    def both(self, model, *options):
        return [read_json(anmlc("graph", model, "--format=json", *options)),
                read_graphml(anmlc("graph", model, "--format=graphml", *options))]

    def test_counts_and_paths_of_the_wan(self):
        model = str(ROOT / "examples/paper-wan/wan.anml")
        for graph in self.both(model, "-D", "N=5", "-D", "H=7", "-D", "D=3 ms"):
            self.assertEqual(graph.number_of_nodes(), 1 + 5 * 9)
            self.assertEqual(graph.number_of_edges(), 5 * 9)
            self.assertFalse(graph.is_directed())
            length = networkx.shortest_path_length(graph, "net[4].client[6]", "server", weight="delay")
            self.assertAlmostEqual(length, 0.2 + 5 * 3)  # two links of the subnet, five of the backbone
            self.assertEqual(networkx.shortest_path_length(graph, "net[4].client[6]", "server"), 7)
            self.assertEqual(graph.nodes["server"]["address"], "10.0.0.80")

    def test_paths_of_a_fat_tree(self):
        model = str(ROOT / "tests/bench/models/fat_tree.anml")
        for graph in self.both(model, "-D", "k=4"):
            self.assertEqual(graph.number_of_nodes(), 16 + 20)
            self.assertEqual(graph.number_of_edges(), 48)
            self.assertEqual(networkx.shortest_path_length(graph, "pod[0].h[0]", "pod[3].h[3]"), 6)
            self.assertEqual(len(list(networkx.all_shortest_paths(graph, "pod[0].h[0]", "pod[3].h[3]"))), 4)
            self.assertTrue(all(rate == 1e9 for _, _, rate in graph.edges(data="rate")))

    def test_a_moment(self):
        """Rates, delays and queues of that time, in either direction."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.anml"
            path.write_text("""model M {
  router a
  router b
  link x: a -- b { rate = 1 Gbps, delay = 1 ms, queue = droptail(64 KB) }
  at 1 s { x { queue = droptail(16 KB), down { delay = 5 ms } } }
  at 2 s { x { queue = droptail(32 KB), rate = 1 Mbps } }
  run { duration = 3 s }
}
""")
            for time, expected in (("0s", (1e9, 1, 64, None)), ("1500ms", (1e9, 1, 16, 5)), ("2s", (1e6, 1, 32, 5))):
                edge = json.loads(anmlc("graph", path, "--format", "json", "--at", time))["edges"][0]
                self.assertEqual((edge["rate"], edge["delay"], edge["queue"] / 1024, edge.get("delay_back")), expected)

    def test_parallel_links_and_one_way_links(self):
        text = """model Odd {
  router a
  router b
  router c
  link a -- b { rate = 1 Gbps, delay = 1 ms }
  link a -- b { rate = 1 Gbps, delay = 2 ms }
  link lone: b -> c { rate = 1 Mbps, delay = 4 ms }
  link back: c -> a { rate = 1 Mbps, delay = 8 ms }
  run { duration = 1 s }
}
"""
        with tempfile.NamedTemporaryFile("w", suffix=".anml") as file:
            file.write(text)
            file.flush()
            for graph in self.both(file.name):
                self.assertTrue(graph.is_directed())
                self.assertEqual(graph.number_of_edges(), 6)
                self.assertEqual(networkx.shortest_path_length(graph, "a", "c", weight="delay"), 5)
                self.assertEqual(networkx.shortest_path_length(graph, "b", "a", weight="delay"), 1)
                self.assertEqual(networkx.shortest_path_length(graph, "c", "b", weight="delay"), 9)


if __name__ == "__main__":
    unittest.main(verbosity=2)
