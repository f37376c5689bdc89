"""Equal-cost multipath in running emulators: flows keep to their ways, whatever task runs them, and use all of them."""
import math
import unittest

from emulators import ROOT, EmulatorTest

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
