"""anmlc analyze against TopoHub's published link loads, and against a search of every path on random networks."""
import csv
import heapq
import io
import json
import random
import unittest

from emulators import ANMLC, GRAPHS, EmulatorTest, run

TOPOHUB = [path for path in GRAPHS if '"ecmp_fwd"' in path.read_text(errors="replace")]


def model(routers, edges, hosts, routing):
    """A model with `edges` (a, b, rate in Mbps, delay in us) between routers, and a host on each router of `hosts`."""
    lines = [f"model M {{\n  routing {{ {routing} }}\n  router r[{routers}]\n  host h[{len(hosts)}]"]
    lines += [f"  link h[{i}] -- r[{router}] {{ rate = 100 Gbps }}" for i, router in enumerate(hosts)]
    lines += [f"  link e{i}: r[{a}] -- r[{b}] {{ rate = {rate} Mbps, delay = {delay} us }}"
              for i, (a, b, rate, delay) in enumerate(edges)]
    return "\n".join(lines + ["  run { duration = 1 s }", "}\n"])


class Analyze(EmulatorTest):
    def analyze(self, text, *arguments):
        path = self.folder / "m.anml"
        path.write_text(text)
        return run(ANMLC, "analyze", path, *arguments).stdout

    def rows(self, text, show, *arguments):
        return list(csv.DictReader(io.StringIO(self.analyze(text, "--show", show, "--format", "csv", *arguments))))

    def test_link_loads_of_topohub(self):
        # Their metric is the number of links; at each node flows are split evenly over the links that begin shortest
        # paths; every node sends 1 to every other, in backbones every city; the busiest link between them has 100.
        self.assertGreaterEqual(len(TOPOHUB), 5)
        for file in TOPOHUB:
            graph = json.loads(file.read_text())
            if "uni" not in graph["edges"][0]["ecmp_fwd"]:
                continue
            with self.subTest(file=file.name):
                index = {node["id"]: i for i, node in enumerate(graph["nodes"])}
                edges = [(index[e["source"]], index[e["target"]], 10000, round(5 * e["dist"], 2)) for e in graph["edges"]]
                cities = [i for i, node in enumerate(graph["nodes"]) if node.get("type") == "City"]
                text = model(len(index), edges, cities or range(len(index)), "metric = hops, multipath = ecmp")
                load = {(row["link"], row["direction"]): float(row["load"]) for row in self.rows(text, "links")
                        if row["link"].startswith("e")}
                busiest = max(load.values())
                for i, edge in enumerate(graph["edges"]):
                    self.assertAlmostEqual(100 * load[f"e{i}", ">"] / busiest, edge["ecmp_fwd"]["uni"], delta=0.00501)
                    self.assertAlmostEqual(100 * load[f"e{i}", "<"] / busiest, edge["ecmp_bwd"]["uni"], delta=0.00501)

    def random_network(self, seed):
        draw = random.Random(seed)
        count = draw.randrange(4, 14)
        edges = [(draw.randrange(i), i) for i in range(1, count)]  # a tree, and more
        edges += [tuple(draw.sample(range(count), 2)) for _ in range(draw.randrange(count))]
        edges = [(a, b, draw.choice([10, 100, 1000]), draw.randrange(1, 1000)) for a, b in edges]
        return count, edges, [i for i in range(count) if draw.random() < 0.7] or [0, 1]

    @staticmethod
    def distances(count, edges, start, without_node=None, without_edge=None):
        """Delay in us and bottleneck in Mbps of the shortest path by delay, of equals the shorter."""
        found, queue = {}, [(0, 0, start, 10 ** 9)]
        while queue:
            delay, hops, at, rate = heapq.heappop(queue)
            if at in found:
                continue
            found[at] = delay, hops, rate
            for i, (a, b, capacity, more) in enumerate(edges):
                if i == without_edge or at not in (a, b):
                    continue
                to = b if at == a else a
                if to not in found and to != without_node:
                    heapq.heappush(queue, (delay + more, hops + 1, to, min(rate, capacity)))
        return found

    def test_pairs_of_random_networks(self):
        for seed in range(30):
            with self.subTest(seed=seed):
                count, edges, hosts = self.random_network(seed)
                if len(hosts) < 2:
                    continue
                text = model(count, edges, hosts, "metric = delay")
                for row in self.rows(text, "pairs"):
                    a, b = (hosts[int(row[end][2:-1])] for end in ("from", "to"))
                    delay, hops, _ = self.distances(count, edges, a)[b]
                    self.assertEqual(float(row["delay_ns"]), 1000 * delay)
                    self.assertEqual(float(row["rtt_ns"]), 2000 * delay)
                    self.assertEqual(int(row["hops"]), hops + 2)

    def test_single_points_of_failure_of_random_networks(self):
        for seed in range(30):
            with self.subTest(seed=seed):
                count, edges, hosts = self.random_network(seed)
                if len(hosts) < 2:
                    continue
                found = {row["name"]: int(row["pairs"]) for row in
                         self.rows(model(count, edges, hosts, "metric = delay"), "cuts")}
                expected = {}
                for node in range(count):
                    lost = self.lost_pairs(count, edges, hosts, node, None)
                    if lost:
                        expected[f"r[{node}]"] = lost
                for i in range(len(edges)):
                    lost = self.lost_pairs(count, edges, hosts, None, i)
                    if lost:
                        expected[f"e{i}"] = lost
                self.assertEqual(found, expected)

    def lost_pairs(self, count, edges, hosts, node, edge):
        lost = 0
        for i, a in enumerate(hosts):
            reached = {} if a == node else self.distances(count, edges, a, node, edge)
            lost += sum(1 for b in hosts[i + 1:] if b not in reached)
        return lost

    def test_hosts_that_are_alike_count_as_many(self):
        text = """model M {
          router left
          router right
          host   a[3]
          host   b[5]
          link near: a[*] -- left { rate = 100 Mbps }
          link far:  right -- b[*] { rate = 100 Mbps, delay = 2 ms }
          link wan:  left -- right { rate = 10 Mbps, delay = 10 ms }
          run { duration = 1 s }
        }"""
        load = {(row["link"], row["direction"]): (int(row["count"]), float(row["load"])) for row in
                self.rows(text, "links")}
        self.assertEqual(load["near[0..2]", ">"], (3, 7))
        self.assertEqual(load["near[0..2]", "<"], (3, 7))
        self.assertEqual(load["far[0..4]", ">"], (5, 7))
        self.assertEqual(load["wan", ">"], (1, 15))
        self.assertEqual(load["wan", "<"], (1, 15))
        summary = json.loads(self.analyze(text, "--format", "json"))
        self.assertEqual(summary["pairs"], 8 * 7)
        self.assertAlmostEqual(summary["rtt_ns"]["mean"], (30 * 24e6 + 20 * 8e6) / 56)
        cuts = {row["name"]: (int(row["cut_off"]), int(row["pairs"])) for row in summary["single_points_of_failure"]}
        self.assertEqual(cuts, {"wan": (3, 15), "left": (3, 15 + 3), "right": (5, 15 + 10)})

    def test_demands(self):
        text = model(3, [(0, 1, 10, 100), (1, 2, 20, 100)], range(3), "metric = delay")
        rows = {(row["link"], row["direction"]): row for row in self.rows(text, "links", "--total", "6 Mbps")}
        # Six pairs of 1 Mbps: two of them cross each link in each direction.
        self.assertAlmostEqual(float(rows["e0", ">"]["load"]), 2e6)
        self.assertAlmostEqual(float(rows["e0", ">"]["utilization_percent"]), 20)
        self.assertAlmostEqual(float(rows["e1", "<"]["utilization_percent"]), 10)
        demand = self.folder / "demand.csv"
        demand.write_text("from,to,rate\n# the whole night\nh[0], h[2], 5 Mbps\nh, h[0], 1 Mbps\n\n")
        rows = {(row["link"], row["direction"]): row for row in self.rows(text, "links", "--demand", demand)}
        self.assertAlmostEqual(float(rows["e0", ">"]["load"]), 5e6)
        self.assertAlmostEqual(float(rows["e0", "<"]["load"]), 2e6)
        self.assertAlmostEqual(float(rows["e1", "<"]["load"]), 1e6)
        summary = json.loads(self.analyze(text, "--demand", demand, "--format", "json"))
        self.assertAlmostEqual(summary["demand"]["total"], 7e6)
        self.assertEqual(summary["demand"]["room"]["link"], "e0")
        self.assertAlmostEqual(summary["demand"]["room"]["factor"], 2)
        # The outer two have links of half the capacity of the middle one's: 100010, 100030 and 100020 Mbps with the hosts'.
        rows = {(row["link"], row["direction"]): row for row in
                self.rows(text, "links", "--demand", "gravity", "--between", "routers")}
        masses = [100.010, 100.030, 100.020]
        self.assertAlmostEqual(float(rows["e0", ">"]["load"]), masses[0] * (masses[1] + masses[2]), places=6)


if __name__ == "__main__":
    unittest.main()
