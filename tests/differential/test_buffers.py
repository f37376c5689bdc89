"""Buffers that the ports of a switch share, against Choudhury and Hahne's closed form; alike however they are run."""
import unittest

from emulators import EmulatorTest

PACKET = 1028  # of traffic.Cbr, with its default payload
B = 500_000

# Each port is offered twice what it transmits.
OVERLOAD = """
import std.traffic
model M {{
  host a[{ports}]
  switch s {{ buffer = shared_buffer({B} B, alpha = {alpha}) }}
  host b[{ports}]
  link a[*] -- s {{ rate = 100 Mbps }}
  link port: s -- b[*] {{ rate = 10 Mbps, queue = {queue} }}
  workload w : traffic.Cbr on a[*] {{ to = b[*], rate = 20 Mbps }}
  run {{ duration = 2 s, warmup = {warmup} }}
}}
"""

# Many that answer one, all at once; and a port beside.
INCAST = """
import std.traffic
model M {{
  host a[32]
  host far[2]
  switch s {{ buffer = shared_buffer({B} B, alpha = {alpha}) }}
  host one
  link a[*] -- s {{ rate = 1 Gbps, delay = 5 us }}
  link far[*] -- s {{ rate = 1 Gbps, delay = 5 us }}
  link port: s -- one {{ rate = 1 Gbps, delay = 5 us, queue = droptail({queue}) }}
  workload burst : traffic.Cbr on a[*] {{ to = one, interval = 1 h, payload = 60000 B, fragments = true, start_spread = 0 s }}
  workload beside : traffic.Cbr on far[0] {{ to = far[1], rate = 100 Mbps }}
  run {{ duration = 100 ms, warmup = 0 s }}
}}
"""

# A port for each discipline and service, one that fails, and some whose rate changes.
MIXED = """
import std.queue
import std.traffic
model M {
  host a[9]
  router r { buffer = shared_buffer(150 KB, alpha = 0.5) }
  host b[9]
  link a[*] -- r { rate = 100 Mbps, delay = 1 ms }
  link p0: r -- b[0] { rate = 10 Mbps, delay = 2 ms }
  link p1: r -- b[1] { rate = 10 Mbps, delay = 2 ms, queue = queue.red(1 MB, minimum_threshold = 15 KB, maximum_threshold = 45 KB, ecn = true) }
  link p2: r -- b[2] { rate = 10 Mbps, delay = 2 ms, queue = queue.codel(1 MB) }
  link p3: r -- b[3] { rate = 10 Mbps, delay = 2 ms, queue = queue.drr(30 KB) }
  link p4: r -- b[4] { rate = 10 Mbps, delay = 2 ms, queue = queue.threshold(1 MB, mark = 15 KB) }
  link p5: r -- b[5] { rate = 10 Mbps, delay = 2 ms, queue = queue.htb(64 KB, rate = 1 Mbps, ceil = 3 Mbps) }
  link p6: r -- b[6] { rate = 10 Mbps, delay = 2 ms, jitter = exponential(100 us) }
  link p7: r -- b[7] { rate = 10 Mbps, delay = 2 ms }
  link p8: r -- b[8] { rate = 10 Mbps, delay = 2 ms, queue = queue.fq_codel(packets = 200) }
  workload bulk : traffic.Bulk on a[*] { to = b[*] }
  workload storm : traffic.Cbr on a[*] { to = b[*], rate = 12 Mbps }
  at 600 ms { p6 { rate = 2 Mbps }, p2 { rate = 3 Mbps } }
  at 700 ms { p7 down }
  at 800 ms { p7 up }
  at 1 s { p6 { rate = 30 Mbps } }
  run { duration = 1500 ms, warmup = 500 ms }
}
"""


class Buffers(EmulatorTest):

    def run_overload(self, ports, alpha, queue="droptail(1 GB)", warmup="1 s"):
        results = self.simulate(self.compile(OVERLOAD.format(ports=ports, alpha=alpha, B=B, queue=queue, warmup=warmup)))
        return results, results["buffers"][0]

    def test_each_port_has_its_share(self):
        for ports, alpha in ((1, 1), (4, 1), (4, 0.25), (8, 2), (3, 16)):
            with self.subTest(ports=ports, alpha=alpha):
                results, buffer = self.run_overload(ports, alpha)
                share = alpha * B / (1 + alpha * ports)
                self.assertEqual((buffer["node"], buffer["capacity_bytes"]), ("s", B))
                self.assertAlmostEqual(buffer["highest_bytes"], ports * share, delta=ports * PACKET)
                self.assertEqual(buffer["highest_bytes"] % PACKET, 0)
                # What waits for a packet is its port's share; it takes 0.8 ms besides to be sent twice.
                for name in ("min", "max"):
                    delay = results["workloads"][0]["delay_seconds"][name] - PACKET * 8 / 100e6
                    self.assertAlmostEqual(delay, share * 8 / 10e6, delta=3 * PACKET * 8 / 10e6)

    def test_what_comes_leaves_or_is_dropped(self):
        results, buffer = self.run_overload(4, 1, warmup="0 s")
        packets = results["packets"]
        waiting = packets["sent"] - packets["delivered"] - packets["dropped"]["queue"]
        self.assertEqual(buffer["dropped"], packets["dropped"]["queue"])
        # Four more are in transmission to the switch, and as many on their way from it.
        self.assertAlmostEqual(waiting, buffer["highest_bytes"] / PACKET, delta=8)

    def test_the_queue_of_a_port_bounds_it_too(self):
        results, buffer = self.run_overload(4, 1, queue="droptail(20 KB)")
        self.assertAlmostEqual(buffer["highest_bytes"], 4 * 20 * 1024, delta=4 * PACKET)
        self.assertEqual(buffer["dropped"], 0)
        self.assertGreater(results["packets"]["dropped"]["queue"], 0)

    def test_incast_leaves_room_for_others(self):
        for alpha, queue in ((1, "1 GB"), (8, "1 GB"), (1, "100 KB")):
            with self.subTest(alpha=alpha, queue=queue):
                results = self.simulate(self.compile(INCAST.format(B=B, alpha=alpha, queue=queue)))
                buffer = results["buffers"][0]
                most = 100 * 1024 if queue == "100 KB" else alpha * B / (1 + alpha)
                self.assertAlmostEqual(buffer["highest_bytes"], most, delta=4 * 1500)
                self.assertEqual(buffer["dropped"] == 0, queue == "100 KB")
                beside = next(w for w in results["workloads"] if w["name"] == "beside")
                self.assertEqual(beside["datagrams"]["lost"], 0)

    def test_alike_however_it_is_run(self):
        (digest, buffers, workloads, packets), _ = self.however_it_is_run(MIXED, "buffers", "workloads", "packets")
        self.assertGreater(buffers[0]["dropped"], 100)
        self.assertLess(buffers[0]["dropped"], packets["dropped"]["queue"])  # disciplines have dropped others
        self.assertLessEqual(buffers[0]["highest_bytes"], 150 * 1024)
        self.assertGreater(buffers[0]["highest_bytes"], 100 * 1024)
        self.either_tier_has(MIXED, digest, workloads)


if __name__ == "__main__":
    unittest.main(verbosity=2)
