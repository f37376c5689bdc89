#!/usr/bin/env python3
"""Every graph of tests/data/graphs, and of the folders in $ANML_GRAPHS, imports, lints, compiles and carries traffic."""
import re
import unittest

from emulators import ANMLC, GRAPHS, SANITIZED, EmulatorTest, run


class Import(EmulatorTest):
    def test_samples(self):
        self.assertGreaterEqual(len(GRAPHS), 20 if SANITIZED else 30)
        for graph in GRAPHS:
            with self.subTest(graph.name):
                model = self.fresh(graph.name + ".anml")
                run(ANMLC, "import", graph, "-o", model)
                # Some pairs are farther apart than the 64 links that a packet may cross.
                run(ANMLC, "lint", "-Werror", "-Wno-path-exceeds-ttl", model)
                run(ANMLC, "fmt", "--check", model)
                results = self.simulate(self.compile(model, "-O0"), "--for", "1500ms")
                self.assertGreater(results["packets"]["delivered"], 0)
                self.assertEqual(results["packets"]["lost"], results["packets"]["dropped"]["ttl"])

    def test_oddities(self):
        for name, (text, expected) in ODD.items():
            with self.subTest(name):
                graph, model = self.folder / name, self.fresh("odd.anml")
                graph.write_bytes(text.encode("latin-1" if name.endswith("graphml") else "utf-8"))
                run(ANMLC, "import", graph, "-o", model)
                lines = re.sub(" +", " ", model.read_text())
                for line in expected:
                    self.assertIn(line, lines)
                results = self.simulate(self.compile(model, "-O0"), "--for", "3s")
                self.assertGreater(results["packets"]["delivered"], 0)

    def test_a_part(self):
        """Of AS relationships: the largest systems, the surroundings of one."""
        edges = [(a, b, 0) for a in range(1, 6) for b in range(a + 1, 6)] + [(1 + a % 5, a, -1) for a in range(10, 110)] + [(a, 1000 + a, -1) for a in range(10, 110)]
        graph = self.folder / "x.as-rel.txt"
        graph.write_text("".join(f"{a}|{b}|{kind}\n" for a, b, kind in edges))

        def routers(*options):
            model = self.fresh("part.anml")
            said = run(ANMLC, "import", graph, "-o", model, *options).stderr
            self.compile(model, "-O0")
            return set(re.findall(r"^  router (\w+)", model.read_text(), re.M)), said

        self.assertEqual(len(routers()[0]), 205)
        found, said = routers("--largest", "5")
        self.assertEqual(found, {f"AS{i}" for i in range(1, 6)})
        self.assertIn("nodes outside of the part that is wanted are left out: 200", said)
        self.assertEqual(routers("--around", "1020", "--within", "1")[0], {"AS1020", "AS20"})
        self.assertEqual(routers("--around", "AS1020", "--within", "3")[0] - {"AS1020", "AS20", "AS1", "AS2", "AS3", "AS4", "AS5"}, {f"AS{i}" for i in range(10, 110, 5)} - {"AS20"})
        self.assertEqual(len(routers("--around", "1", "--largest", "20")[0]), 20)
        self.assertIn("the graph has no node `4711`", run(ANMLC, "import", graph, "--around", "4711", check=False).stderr)

    def test_same_network_of_both_formats(self):
        """But for the order of the links and of their ends."""
        for graph in GRAPHS:
            twin = graph.with_suffix(".gml")
            if graph.suffix == ".graphml" and twin.exists():
                with self.subTest(graph.stem):
                    texts = [run(ANMLC, "import", path).stdout.replace(".graphml", ".gml") for path in (graph, twin)]
                    self.assertEqual(*(sorted(map(any_order, text.splitlines())) for text in texts))


# What the files of the Topology Zoo, of TopoHub and of CAIDA have besides the samples: by name, a text, and lines that the model has.
ODD = {
    "zoo.gml": ("""Creator "Topology Zoo Toolset"
Version "1.0"
graph [
  directed 0
  hierarchic 1
  label "Odd"
  Network "Odd &#38; Sons"
  NetworkDate "2010_12"
  node [ id -1 label "Z&#252;rich" Country "CH" Longitude 8.55 Latitude 47.37 Internal 1 ]
  node [ id -7 label "S&#227;o Paulo" Internal 1 ]
  node [ id 2 label "?" hyperedge 1 ]
  node [ id 3 label "?" ]
  node [ id 4 label "None" Longitude 2.35 Latitude 48.85 ]
  node [ id 5 label "St. John&#39;s" Longitude -52.7 ]
  node [ id 6 label "&#26481;&#20140;" doublon "1" ]
  node [ id 7 label "Alone" ]
  edge [ source -1 target -7 LinkSpeed "155" LinkSpeedUnits "M" LinkLabel "155 Mbps" LinkSpeedRaw 155000000.0 ]
  edge [ source -1 target -7 LinkType "OC-3" id "e2" ]
  edge [ source -1 target -1 LinkLabel "loop" ]
  edge [ source 2 target 4 LinkLabel "< 2.5 Gbit/s" LinkNote "lit" ]
  edge [ source 3 target 4 LinkLabel "10 Gbps (planned)" zorder 1.0 ]
  edge [ source 5 target 6 LinkLabel "n x E1" ]
  edge [ source 4 target -1 LinkLabel "Gigabit Ethernet" key 0 ]
]
""", ["router Zurich", "router Sao_Paulo", "link Zurich -- Sao_Paulo : mbps_155\n", "link Zurich -- Sao_Paulo : mbps_155_52",
      "router node_2", "router node_3", "St_Johns", ": gbps_2_5", ": gbps_10", ": gbps_1("]),
    "topohub.json": ("""{"directed": false, "multigraph": false, "graph": {"name": "odd", "demands": {"0": {"1": 3}}, "stats": {"avg_degree": 2.0}},
 "nodes": [{"id": 0, "name": "\u0141\u00f3d\u017a", "type": "Core", "country": "PL", "pos": [19.45, 51.77]}, {"id": 1, "name": "R1", "pos": [21.0, 52.2]},
           {"id": 2, "name": null, "pos": [18.6, 54.3]}, {"id": 3, "name": "R1", "pos": [17.0, 51.1]}],
 "edges": [{"source": 0, "target": 1, "dist": 120.5, "ecmp_fwd": {"uni": 1.5}, "ecmp_bwd": {"uni": 1.5}, "capacity": NaN},
           {"source": 1, "target": 2, "dist": 280}, {"source": 2, "target": 3, "dist": 0}, {"source": 0, "target": 3, "dist": 1e3}]}
""", ["router Lodz", "router R1 ", "router R1_2", "router node_2", "assumed(120.5 km)", "assumed(1000 km)"]),
    "multi.graphml": ("""<?xml version="1.0" encoding="ISO-8859-1"?>
<graphml><key id="d0" for="node" attr.name="label" attr.type="string"/><key id="d1" for="edge" attr.name="LinkSpeedRaw" attr.type="double"/>
<graph edgedefault="undirected"><node id="-3"><data key="d0">Köln &amp; Bonn</data></node><node id="n 2"><data key="d0"></data></node>
<node id="x"><data key="d0">for</data></node>
<edge source="-3" target="n 2"><data key="d1">1e10</data></edge><edge source="n 2" target="-3"><data key="d1">1000000000</data></edge>
<edge source="x" target="n 2"><data key="d1">-1</data></edge></graph></graphml>
""", ["router Koln_Bonn", "router n_2", "router for_2", ": gbps_10\n", ": gbps_1"]),
}


def any_order(line):
    link = re.fullmatch(r"  link (\S+) -- (\S+) *: (.*)", line)
    return f"{sorted(link.groups()[:2])} {link[3]}" if link else line


if __name__ == "__main__":
    unittest.main()
