"""A generated graph of 2000 autonomous systems compiles, its routes are those of policy and valley-free, its flows arrive.

The reference is the three-stage breadth-first search per destination of Gill, Schapira and Goldberg ("Modeling on
Quicksand", ACM CCR 42(1), 2012), over the generator's own list of links."""
import collections
import ipaddress
import json
import sys
import unittest

from emulators import ANMLC, ROOT, SANITIZED, EmulatorTest, run

sys.path.insert(0, str(ROOT / "tests/bench"))
import as_graph  # noqa: E402

SYSTEMS, ENDS = (300, 12) if SANITIZED else (2000, 60)
CUSTOMER, PEER, PROVIDER = range(3)


class Neighbours:
    """By system its links in the order of the file: (the other end, what that is to it)."""

    def __init__(self, graph):
        self.of = [[] for _ in range(graph.size)]
        for one, other, relation in graph.links:
            self.of[one].append((other, CUSTOMER if relation else PEER))
            self.of[other].append((one, PROVIDER if relation else PEER))

    def best(self, target):
        """Class and length of each system's best route."""
        route, sweep = {target: (CUSTOMER, 0)}, collections.deque([target])
        while sweep:
            s = sweep.popleft()
            for other, what in self.of[s]:
                if what == PROVIDER and other not in route:
                    route[other] = (CUSTOMER, route[s][1] + 1)
                    sweep.append(other)
        for s in list(route):
            for other, what in self.of[s]:
                if what == PEER and (other not in route or route[other] > (PEER, route[s][1] + 1)):
                    route[other] = (PEER, route[s][1] + 1)
        by_length = collections.defaultdict(list)
        for s, (_, length) in route.items():
            by_length[length].append(s)
        length = 0
        while by_length[length] or any(n > length for n in by_length if by_length[n]):
            for s in by_length[length]:
                for other, what in self.of[s]:
                    if what == CUSTOMER and other not in route:
                        route[other] = (PROVIDER, length + 1)
                        by_length[length + 1].append(other)
            length += 1
        return route

    def next_hop(self, s, route):
        """The first of the links that lead to the best."""
        for other, what in self.of[s]:
            told = other in route and (what == PROVIDER or route[other][0] == CUSTOMER)
            if told and (what, route[other][1] + 1) == route[s]:
                return other
        raise AssertionError(f"system {s + 1} has no way")


class AsGraph(EmulatorTest):
    def test_figures(self):
        graph = as_graph.Graph(SYSTEMS)
        stubs = graph.stubs()
        self.assertTrue(0.8 < len(stubs) / SYSTEMS < 0.92, len(stubs))
        self.assertEqual(as_graph.Graph(SYSTEMS).text(), graph.text())
        self.assertNotEqual(as_graph.Graph(SYSTEMS, seed=2).text(), graph.text())
        degrees = sorted(map(len, Neighbours(graph).of))
        self.assertGreater(degrees[-1], 50 * degrees[SYSTEMS // 2] if SYSTEMS == 2000 else 10)  # a heavy tail

    def test_routes(self):
        model = self.fresh("internet.anml")
        run(sys.executable, ROOT / "tests/bench/as_graph.py", SYSTEMS, "--flows", 2000, "--ends", ENDS, "-o", model)
        graph = as_graph.Graph(SYSTEMS)
        neighbours = Neighbours(graph)
        network = json.loads(run(ANMLC, model, "--emit=network").stdout)
        first = int(ipaddress.ip_address(next(n["address"] for n in network["nodes"] if n["name"] == "h")))
        homes = {}
        for link in network["links"]:
            if link["name"].startswith("access["):
                homes[first + link["a"]["first"]] = int(link["b"]["node"].removeprefix("internet.AS")) - 1
        self.assertEqual(len(homes), ENDS)

        tables = {}
        for node in json.loads(run(ANMLC, model, "--emit=routes").stdout)["nodes"]:
            table = tables[node["name"]] = {}
            for route in node["routes"]:
                self.assertEqual(len(route["next_hops"]), 1)
                for address in ipaddress.ip_network(route["prefix"]):
                    table[int(address)] = route["next_hops"][0]["node"]
        for address, home in homes.items():
            route = neighbours.best(home)
            self.assertEqual(len(route), SYSTEMS)
            for s in range(SYSTEMS):
                if s != home:
                    expected = f"internet.AS{neighbours.next_hop(s, route) + 1}"
                    self.assertEqual(tables[f"internet.AS{s + 1}"].get(address), expected, f"from AS{s + 1} to AS{home + 1}")
                self.valley_free(tables, neighbours, s, home, address)

        flows = self.simulate(self.compile(model), "--for", "500ms")
        self.assertGreater(flows["packets"]["sent"], 1000)
        self.assertEqual(flows["packets"]["lost"], 0)

    def valley_free(self, tables, neighbours, s, home, address):
        """Up, then across at most once, then down."""
        before = PROVIDER
        for _ in range(64):
            if s == home:
                return
            there = int(tables[f"internet.AS{s + 1}"][address].removeprefix("internet.AS")) - 1
            what = dict(neighbours.of[s])[there]
            self.assertTrue(what == CUSTOMER or before == PROVIDER, f"a valley at AS{s + 1} on the way to AS{home + 1}")
            s, before = there, what
        self.fail("a circle")


if __name__ == "__main__":
    unittest.main()
