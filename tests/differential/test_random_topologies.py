"""Random networks of the library against what is known of their kind: numbers of links, degrees, distances; and the same for equal seeds."""
import collections
import json
import math
import unittest

from emulators import ANMLC, SANITIZED, run


class Net:
    """Positions and links of a model's instance `net`, by ids of nodes."""

    def __init__(self, instance, *options):
        model = f"import std.topology\nimport std.draws\nmodel M {{ topology.{instance} run {{ duration = 1 s }} }}\n"
        self.text = run(ANMLC, "-", "--emit=network", *options, input=model).stdout
        network = json.loads(self.text)
        first = {n["name"]: n["first_node"] for n in network["nodes"]}
        self.nodes = network["node_count"]
        self.positions = {n["first_node"] + i: (p["x"], p["y"])
                          for n in network["nodes"] for i, p in enumerate(n.get("positions", []))}
        self.delays = {}
        self.parallel = 0
        for link in network["links"]:
            for i in range(link["count"]):
                ends = frozenset(first[link[e]["node"]] + link[e]["first"] + i * link[e]["stride"] for e in "ab")
                self.parallel += ends in self.delays
                self.delays[ends] = link["delay"]

    def degrees(self):
        return collections.Counter(end for ends in self.delays for end in ends)

    def parts(self):
        part = list(range(self.nodes))

        def root(n):
            while part[n] != n:
                part[n] = n = part[part[n]]
            return n

        for a, b in self.delays:
            part[root(a)] = root(b)
        return len({root(n) for n in range(self.nodes)})


class RandomTopologies(unittest.TestCase):
    def near(self, found, expected, deviation, what, times=5):
        self.assertLess(abs(found - expected), times * deviation, f"{what}: {found}, expected {expected:.1f}")

    def test_equal_seeds_are_equal_networks(self):
        for instance in ("ErdosRenyi net(200, 3 %", "BarabasiAlbert net(200, 3", "Waxman net(100",
                         "TransitStub net(2, 3, 2, 5"):
            texts = {seed: Net(f"{instance}, seed = {seed})").text for seed in (1, 2)}
            self.assertEqual(texts[1], Net(f"{instance}, seed = 1)").text)
            self.assertNotEqual(texts[1], texts[2])

    def test_erdos_renyi(self):
        nodes, p, total, degrees = 1500, 0.004, 0, []
        pairs = nodes * (nodes - 1) / 2
        for seed in range(1, 9):
            net = Net(f"ErdosRenyi net({nodes}, {p}, seed = {seed})")
            total += len(net.delays)
            self.assertEqual(net.parallel, 0)
            found = net.degrees()
            degrees += [found[n] for n in range(nodes)]
        self.near(total, 8 * pairs * p, math.sqrt(8 * pairs * p * (1 - p)), "links")
        mean = (nodes - 1) * p
        variance = sum((d - mean) ** 2 for d in degrees) / len(degrees)
        self.near(variance, mean * (1 - p), mean * math.sqrt(2 / len(degrees)), "variance of degrees")
        for degree in (0, 3, 6, 12):  # binomial
            share = math.comb(nodes - 1, degree) * p**degree * (1 - p) ** (nodes - 1 - degree)
            self.near(degrees.count(degree), len(degrees) * share, math.sqrt(len(degrees) * share), f"degree {degree}")

    def test_erdos_renyi_at_the_ends(self):
        self.assertEqual(len(Net("ErdosRenyi net(40, 0)").delays), 0)
        self.assertEqual(len(Net("ErdosRenyi net(40, 1)").delays), 40 * 39 / 2)
        self.assertEqual(len(Net("ErdosRenyi net(40, 0, connected = true)").delays), 39)

    def test_erdos_renyi_connected(self):
        nodes, p = 2000, 0.002
        loose, joined = (Net(f"ErdosRenyi net({nodes}, {p}, seed = 3, connected = {c})") for c in ("false", "true"))
        self.assertGreater(loose.parts(), 1)
        self.assertEqual(joined.parts(), 1)
        self.assertLessEqual(set(loose.delays), set(joined.delays))
        added = [(1 - p) ** node for node in range(1, nodes)]
        self.near(len(joined.delays) - len(loose.delays), sum(added), math.sqrt(sum(q * (1 - q) for q in added)), "added")

    def test_barabasi_albert(self):
        nodes, links = 4000, 2
        counts, largest = collections.Counter(), []
        for seed in (1, 2, 3):
            net = Net(f"BarabasiAlbert net({nodes}, {links}, seed = {seed})")
            self.assertEqual(len(net.delays), links * (nodes - links))
            self.assertEqual((net.parts(), net.parallel), (1, 0))
            degrees = net.degrees()
            self.assertTrue(all(degrees[n] >= links for n in range(links + 1, nodes)))
            counts.update(degrees.values())
            largest.append(max(degrees.values()))
        total = sum(counts.values())
        for degree in (2, 3, 5, 10):  # Bollobas and others, 2001: 2 m (m + 1) / (k (k + 1) (k + 2))
            share = 2 * links * (links + 1) / (degree * (degree + 1) * (degree + 2))
            self.near(counts[degree], total * share, math.sqrt(total * share), f"degree {degree}", times=6)
        tail = sum(n for degree, n in counts.items() if degree >= 20)
        self.near(tail, total * links * (links + 1) / (20 * 21), 0.15 * tail, "degrees from 20 on", times=2)
        # The largest degree grows like m * sqrt(n).
        for degree in largest:
            self.assertTrue(0.6 <= degree / (links * math.sqrt(nodes)) <= 4, largest)

    def test_barabasi_albert_of_many_links(self):
        net = Net("BarabasiAlbert net(60, 40)")
        self.assertEqual((len(net.delays), net.parallel), (40 * 20, 0))

    def test_waxman(self):
        nodes, alpha, beta = 700, 0.1, 0.4
        diagonal = 1000 * math.sqrt(2)
        net = Net(f"Waxman net({nodes}, {alpha}, {beta}, seed = 5, side = 2000 km)")
        self.assertEqual(len(net.positions), nodes)
        expected, variance, found = [0.0] * 4, [0.0] * 4, [0] * 4
        for a in range(nodes):
            for b in range(a):
                d = math.dist(net.positions[a], net.positions[b])
                p = beta * math.exp(-d / (alpha * diagonal))
                band = min(3, int(d / 150))
                expected[band] += p
                variance[band] += p * (1 - p)
                delay = net.delays.get(frozenset((a, b)))
                if delay is None:
                    continue
                found[band] += 1
                self.assertAlmostEqual(delay, d * 2000 / 200e6 * 1e9, delta=1e-3)  # ns, at 200 000 km/s
        for band in range(4):
            self.near(found[band], expected[band], math.sqrt(variance[band]), f"distances from {150 * band}")

    @unittest.skipIf(SANITIZED, "the same as the smaller ones, for minutes")
    def test_waxman_of_ten_thousand_nodes(self):
        nodes, alpha, beta = 10000, 0.01, 0.4
        net = Net(f"Waxman net({nodes}, {alpha}, {beta}, seed = 9, connected = true)")
        loose = Net(f"Waxman net({nodes}, {alpha}, {beta}, seed = 9)")
        self.assertEqual(net.parts(), 1)
        self.assertLessEqual(set(loose.delays), set(net.delays))
        degrees, places = loose.degrees(), list(loose.positions.items())
        reach, expected, found = alpha * 1000 * math.sqrt(2), [0.0] * 3, [0] * 3
        sample = set(list(loose.positions)[::50])
        for a in sample:
            for b, place in places:
                d = math.dist(net.positions[a], place)
                if a != b:
                    expected[min(2, int(d / reach))] += beta * math.exp(-d / reach)
        for ends in loose.delays:
            d = math.dist(*(net.positions[n] for n in ends))
            found[min(2, int(d / reach))] += len(ends & sample)
        for band in range(3):
            self.near(found[band], expected[band], math.sqrt(expected[band]), f"distances from {band} reaches")
        self.near(sum(degrees[a] for a in sample), sum(expected), math.sqrt(sum(expected)), "links")

    def test_ten_thousand_nodes_of_each_kind(self):
        links = 0.0005 * 10000 * 9999 / 2
        self.near(len(Net("ErdosRenyi net(10000, 0.05 %)").delays), links, math.sqrt(links), "links")
        self.assertEqual(len(Net("BarabasiAlbert net(10000, 2)").delays), 2 * 9998)
        net = Net("TransitStub net(4, 10, 5, 50)")
        self.assertEqual((net.nodes, net.parts()), (4 * 10 + 4 * 10 * 5 * 50, 1))

    def test_waxman_connected(self):
        loose, joined = (Net(f"Waxman net(150, 0.04, 0.3, seed = 2, connected = {c})") for c in ("false", "true"))
        self.assertGreater(loose.parts(), 1)
        self.assertEqual(joined.parts(), 1)
        self.assertLessEqual(set(loose.delays), set(joined.delays))
        first = min(joined.positions)
        for ends in set(joined.delays) - set(loose.delays):  # to the nearest earlier node
            later = max(ends)
            nearest = min(range(first, later), key=lambda n: math.dist(joined.positions[n], joined.positions[later]))
            self.assertEqual(ends, {later, nearest})

    def test_transit_stub(self):
        for seed in range(1, 6):
            net = Net(f"TransitStub net(3, 4, 2, 6, seed = {seed}, extra_transit_stub = 5, extra_stub_stub = 7)")
            self.assertEqual(net.nodes, 3 * 4 + 3 * 4 * 2 * 6)
            self.assertEqual(net.parts(), 1)
        # With nothing but the trees that make it connected there is one link less than nodes.
        bare = Net("TransitStub net(3, 4, 2, 6, domain_p = 0, transit_p = 0, stub_p = 0)")
        self.assertEqual(len(bare.delays), bare.nodes - 1)
        self.assertEqual(bare.parts(), 1)


if __name__ == "__main__":
    unittest.main()
