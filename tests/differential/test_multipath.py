"""Equal-cost multipath in running emulators: flows keep to their ways, whatever task runs them, and use all of them."""
import csv
import io
import json
import math
import unittest

from emulators import ANMLC, ROOT, EmulatorTest, run

FAT_TREE = ROOT / "tests/bench/models/fat_tree.anml"

# Four ways between two routers; as many flows as transactions, since each has a port of its own.
SPREAD = """
import std.web
model Spread {
  routing { multipath = ecmp }
  profile wire : Link { rate = 1 Gbps, delay = 1 ms }
  endpoint server { simulated = web.server() }
  host client[32]
  router near
  router far
  router way[4]
  link client[*] -- near : wire
  link up: near -- way[*] : wire
  link down: way[*] -- far : wire
  link server -- far : wire
  workload browse : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB), start_spread = 10 ms }
  run { duration = 4 s }
}
"""


def weighted(*weights, more=""):
    text = SPREAD.replace("  link up: near -- way[*] : wire\n", "".join(
        f"  link up{i}: near -- way[{i}] : wire {{ ecmp_weight = {w} }}\n" if w else f"  link up{i}: near -- way[{i}] : wire\n"
        for i, w in enumerate(weights)))
    return text.replace("  run {", more + "  run {")


class Multipath(EmulatorTest):
    def test_threads_and_partitions_agree(self):
        run = ("--for", "20ms")
        expected = self.simulate(self.compile(FAT_TREE, "-D", "k=4", "--tasks", 1), *run)
        self.assertGreater(expected["packets"]["delivered"], 10000)
        self.assertGreater(expected["packets"]["dropped"]["queue"], 0)
        digests = set()
        for tasks in (2, 7, 16):
            emulator = self.compile(FAT_TREE, "-D", "k=4", "--tasks", tasks)
            for threads in (1, 2, 4):
                found = self.simulate(emulator, *run, "--threads", threads)
                self.assertEqual(found["digest"], expected["digest"], f"{tasks} tasks, {threads} threads")
            digests.add(self.simulate(emulator, *run, "--seed", 2)["digest"])
        self.assertEqual(len(digests), 1)
        self.assertNotEqual(digests.pop(), expected["digest"])

    def test_compiling_repeats(self):
        first, second = (self.compile(FAT_TREE, "-D", "k=8").read_bytes() for _ in range(2))
        self.assertEqual(first, second)

    def test_flows_are_spread(self):
        """SYNs by the way that they take: even, within five standard deviations of chi-square."""
        emulator = self.compile(SPREAD)
        captures = [self.fresh(f"way{i}.pcap") for i in range(4)]
        options = [x for i, path in enumerate(captures) for x in ("--capture", f"up[{i}]>={path}")]
        results = self.simulate(emulator, *options)
        counts = [len(flows(path)) for path in captures]
        total = sum(counts)
        self.assertGreaterEqual(total, results["transactions"]["completed"])
        self.assertGreater(total, 4000)
        chi_square = sum((count - total / 4) ** 2 / (total / 4) for count in counts)
        self.assertLess(chi_square, 3 + 5 * math.sqrt(6))
        for i in range(4):
            for j in range(i):
                self.assertFalse(flows(captures[i]) & flows(captures[j]), "a flow took two ways")

    def flows_by_way(self, model, *options):
        captures = [self.fresh(f"way{i}.pcap") for i in range(4)]
        self.simulate(self.compile(model), *options, *(x for i, path in enumerate(captures) for x in ("--capture", f"up{i}>={path}")))
        return [flows(path) for path in captures]

    def test_weights(self):
        """Flows by the way that they take are in proportion to its weight, within five standard deviations of chi-square."""
        weights = (1, 2, 5, 8)
        counts = [len(way) for way in self.flows_by_way(weighted(*weights))]
        total = sum(counts)
        self.assertGreater(total, 4000)
        expected = [total * w / sum(weights) for w in weights]
        chi_square = sum((count - e) ** 2 / e for count, e in zip(counts, expected))
        self.assertLess(chi_square, 3 + 5 * math.sqrt(6))

    def test_equal_weights_are_none(self):
        expected = self.simulate(self.compile(weighted(0, 0, 0, 0)))["digest"]
        for weights in ((1, 1, 1, 1), (7, 7, 7, 7), (256, 256, 256, 256)):
            self.assertEqual(self.simulate(self.compile(weighted(*weights)))["digest"], expected, weights)
        self.assertNotEqual(self.simulate(self.compile(weighted(1, 1, 1, 2)))["digest"], expected)

    def test_weights_are_the_same_however_it_is_run(self):
        model = weighted(1, 2, 5, 8)
        (digest, *_), emulator = self.however_it_is_run(model)
        self.either_tier_has(model, digest, self.simulate(emulator)["workloads"])

    def test_many_weights_are_scaled_down(self):
        """More than 65535 shares are as many at the most, each next hop has one, and none is off by more than that makes."""
        weights = [1] + [256, 255] * 150
        links = "".join(f"  link l{i}: near -- far {{ rate = 1 Gbps, ecmp_weight = {w} }}\n" for i, w in enumerate(weights))
        text = f"model M {{\n  routing {{ multipath = ecmp }}\n  router near\n  router far\n{links}  require hops(near, far) == 1\n  run {{ duration = 1 s }}\n}}\n"
        near = json.loads(run(ANMLC, "--emit=routes", "-", input=text).stdout)["nodes"][0]
        [hops] = [route["next_hops"] for route in near["routes"] if len(route["next_hops"]) > 1]
        found = [hop["weight"] for hop in hops]
        self.assertEqual(len(found), len(weights))
        self.assertLessEqual(sum(found), 65535)
        for weight, share in zip(weights, found):
            self.assertAlmostEqual(share / sum(found), weight / sum(weights), delta=1.01 / sum(found))

    def test_loads_are_weighted(self):
        """`analyze` divides what goes from one router to the other by the weights."""
        text = run(ANMLC, "analyze", "--show", "links", "--format", "csv", "-", input=weighted(1, 2, 5, 8)).stdout
        load = {row["link"] + row["direction"]: float(row["load"]) for row in csv.DictReader(io.StringIO(text))}
        for i, weight in enumerate((1, 2, 5, 8)):
            self.assertAlmostEqual(load[f"up{i}>"] / load["up0>"], weight, places=3)

    def test_tables_have_the_weights(self):
        """--emit=routes has the weights over their greatest common divisor."""
        routes = json.loads(run(ANMLC, "--emit=routes", "-", input=weighted(2, 4, 10, 16)).stdout)
        near = next(node for node in routes["nodes"] if node["name"] == "near")
        spread = [hops for hops in (route["next_hops"] for route in near["routes"]) if len(hops) == 4]
        self.assertEqual([hop["weight"] for hop in spread[0]], [1, 2, 5, 8])

    def test_rfc2992_who_moves_when_a_way_goes(self):
        """Hash-threshold (RFC 2992, 3): the regions of those that are left grow from both ends, so that a flow moves only
        where its hash is in another region then. With weights 1, 2, 5, 8 the last one's end takes it all."""
        before = self.flows_by_way(weighted(1, 2, 5, 8))
        after = self.flows_by_way(weighted(1, 2, 5, 8, more="  at 0 s { up3 down }\n"))
        # Of the shares: [0, 1/16) [1/16, 3/16) [3/16, 8/16) become [0, 1/8) [1/8, 3/8) [3/8, 1).
        bounds, bounds_after = [0, 1 / 16, 3 / 16, 8 / 16, 1], [0, 1 / 8, 3 / 8, 1, 1]
        overlap = lambda i, j: max(0, min(bounds[i + 1], bounds_after[j + 1]) - max(bounds[i], bounds_after[j]))
        both = set().union(*before) & set().union(*after)
        self.assertGreater(len(both), 1000)
        for i in range(4):
            for j in range(3):
                seen = len(before[i] & after[j]) / len(both)
                if overlap(i, j) == 0:
                    self.assertEqual(seen, 0, f"a flow moved from {i} to {j}")
                else:
                    self.assertAlmostEqual(seen, overlap(i, j), delta=5 * math.sqrt(overlap(i, j) / len(both)))


def flows(path):
    """(source, source port) of the TCP packets in a capture."""
    data, at, found = path.read_bytes(), 24, set()
    while at < len(data):
        length = int.from_bytes(data[at + 8:at + 12], "little")
        packet = data[at + 16:at + 16 + length]
        ip = packet if packet[0] >> 4 == 4 else packet[14:]
        found.add((ip[12:16], ip[20:22]))
        at += 16 + length
    return found


if __name__ == "__main__":
    unittest.main()
