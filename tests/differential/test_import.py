#!/usr/bin/env python3
"""Every graph of tests/data/graphs, and of the folders in $ANML_GRAPHS, imports, lints, compiles and carries traffic."""
import os
import pathlib
import re
import unittest

from emulators import ANMLC, ROOT, EmulatorTest, run

FOLDERS = [ROOT / "tests/data/graphs", *map(pathlib.Path, os.environ.get("ANML_GRAPHS", "").split())]
GRAPHS = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".gml", ".graphml", ".json"))


class Import(EmulatorTest):
    def test_samples(self):
        self.assertGreaterEqual(len(GRAPHS), 30)
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

    def test_same_network_of_both_formats(self):
        """But for the order of the links and of their ends."""
        for graph in GRAPHS:
            twin = graph.with_suffix(".gml")
            if graph.suffix == ".graphml" and twin.exists():
                with self.subTest(graph.stem):
                    texts = [run(ANMLC, "import", path).stdout.replace(".graphml", ".gml") for path in (graph, twin)]
                    self.assertEqual(*(sorted(map(any_order, text.splitlines())) for text in texts))


def any_order(line):
    link = re.fullmatch(r"  link (\S+) -- (\S+) *: (.*)", line)
    return f"{sorted(link.groups()[:2])} {link[3]}" if link else line


if __name__ == "__main__":
    unittest.main()
