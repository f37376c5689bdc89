"""Constant bit rate and bulk transfer against arithmetic, and the same for any seed, partition and number of threads."""
import re
import unittest

from emulators import EmulatorTest, run

CHAIN = """
import std.ether
import std.traffic

component Net(hosts: int) {
  router gateway
  host client[hosts]
  link edge: client[*] -- gateway : ether.fast { delay = 100 us }
}

model Chain(N: int = 4, H: int = 4, load: ratio = 50 %) {
  host server
  Net net[N](hosts = H)
  link entry: net[0].gateway -- server : ether.gigabit { delay = 1 us }
  for i in 0 ..< N - 1 { link hop[i]: net[i + 1].gateway -- net[i].gateway : ether.gigabit { delay = 1 ms } }
  workload datagrams : traffic.Cbr on net[*].client[*] {
    to = server, payload = 1000 B, rate = load * 1 Gbps / (N * H), start_spread = 1 ms
  }
  run { duration = 300 ms, warmup = 100 ms }
}
"""

FABRIC = """
import std.ether
import std.traffic

component Pod(hosts: int) {
  switch tor
  host server[hosts]
  link port: server[*] -- tor : ether.gigabit { delay = 10 us }
}

model Fabric(pods: int = 4, hosts: int = 4) {
  switch spine
  Pod pod[pods](hosts = hosts)
  for i in 0 ..< pods { link up[i]: pod[i].tor -- spine : ether.ten_gigabit { delay = 10 us } }
  workload shuffle : traffic.Bulk on pod[*].server[*] {
    to = pod[*].server[*], pairing = PAIRING, start_spread = 1 ms ATTRIBUTES
  }
  run { duration = 50 ms, warmup = 10 ms }
}
"""

LINE = """
import std.traffic

model Line(tunable rate: rate in 1 Mbps .. 1 Gbps = 10 Mbps, tunable mtu: size in 300 B .. 1500 B = 1500 B) {
  host a
  host b
  router r
  link left: a -- r { rate = 1 Gbps, mtu = mtu }
  link right: r -- b { rate = rate, delay = 2 ms, queue = droptail(40 KB), mtu = mtu }
  workload flow : traffic.WORKLOAD on a { start_spread = 0 s, to = b, ATTRIBUTES }
  run { duration = 20 s, warmup = 2 s }
}
"""


def line(workload, attributes):
    return LINE.replace("WORKLOAD", workload).replace("ATTRIBUTES", attributes)


def fabric(pairing, attributes=""):
    return FABRIC.replace("PAIRING", pairing).replace("ATTRIBUTES", attributes)

# A slow line that loses packets, with deep queues and data both ways; `old` has no selective acknowledgments.
SLOW = """
import std.traffic
model Slow {
  profile stamps : Tcp { timestamps = false }
  profile plain : Tcp { sack = false, timestamps = false }
  host a { tcp = stamps }
  host b { tcp = stamps }
  host c { tcp = plain }
  host d { tcp = plain }
  router r
  router s
  link [a, c] -- r { rate = 100 Mbps }
  link [b, d] -- s { rate = 100 Mbps }
  link line: r -- s { rate = 256 Kbps, delay = 20 ms, queue = droptail(64 KB), loss = 2 % }
  workload there : traffic.Bulk on a { to = b }
  workload old : traffic.Bulk on c { to = d }
  workload back : traffic.Bulk on b { to = a }
  run { duration = 57 s, warmup = 7 s }
  require throughput(there) > 1 bps
  require throughput(old) > 1 bps
  require throughput(back) > 1 bps
}
"""


class Datagrams(EmulatorTest):

    def test_half_load_loses_nothing(self):
        results = self.simulate(self.compile(CHAIN))
        workload = results["workloads"][0]
        counted = workload["datagrams"]
        # 16 hosts send 500 Mbps of packets of 1028 bytes for 0.2 s: 12159.5 datagrams.
        self.assertAlmostEqual(counted["sent"], 0.2 * 500e6 / (1028 * 8), delta=17)
        self.assertEqual(counted["lost"], 0)
        self.assertEqual(results["packet_loss"], 0)
        self.assertAlmostEqual(counted["received"], counted["sent"], delta=100)  # 3.5 ms are on the way
        self.assertAlmostEqual(workload["throughput_bps"] / 500e6, 1, delta=0.01)
        self.assertEqual(results["throughput_bps"], workload["throughput_bps"])
        self.assertEqual(results["transactions"]["completed"], 0)

    def test_the_delay_of_an_idle_path(self):
        """From the last of four: 100 Mbps and 0.1 ms, three hops of 1 Gbps and 1 ms, 1 Gbps and 1 us."""
        text = CHAIN.replace("on net[*].client[*]", "on net[N - 1].client[0]")
        workload = self.simulate(self.compile(text))["workloads"][0]
        expected = 8 * 1028 / 100e6 + 0.1e-3 + 3 * (8 * 1028 / 1e9 + 1e-3) + 8 * 1028 / 1e9 + 1e-6
        for figure in ("min", "mean", "max"):
            self.assertAlmostEqual(workload["delay_seconds"][figure], expected, delta=5e-9)
        self.assertAlmostEqual(workload["delay_seconds"]["median"], expected, delta=0.002 * expected)

    def test_a_line_at_one_and_a_half_times_its_rate_loses_a_third(self):
        emulator = self.compile(line("Cbr", "rate = 15 Mbps"))
        results = self.simulate(emulator)
        workload = results["workloads"][0]
        self.assertAlmostEqual(workload["datagrams"]["lost_share"], 1 / 3, delta=0.001)
        self.assertAlmostEqual(workload["throughput_bps"] / 10e6, 1, delta=0.001)
        self.assertEqual(workload["datagrams"]["lost"], results["packets"]["dropped"]["queue"])
        # The queue of 40 KB, less what does not fit.
        self.assertAlmostEqual(workload["delay_seconds"]["max"], 8 * 40960 / 10e6 + 2e-3, delta=1e-3)

    def test_an_interval_is_kept_exactly(self):
        """30 000 a second are not a whole number of nanoseconds apart."""
        emulator = self.compile(line("Cbr", "payload = 0 B, interval = 1 s / 30000").replace("warmup = 2 s", "warmup = 0 s"))
        self.assertEqual(self.simulate(emulator)["workloads"][0]["datagrams"]["sent"], 600_000)

    def test_exponential_intervals_wait_as_in_m_d_1(self):
        """Packets of 128 B at 10 Mbps take 102.4 us: with one each 150 us they wait rho * s / (2 * (1 - rho)) on average."""
        workload = self.simulate(self.compile(line("Cbr", "payload = 100 B, interval = exponential(150 us)")))["workloads"][0]
        service, load = 102.4e-6, 102.4 / 150
        self.assertAlmostEqual(workload["datagrams"]["sent"] / (18 / 150e-6), 1, delta=4 / 346)  # 120 000
        waits = workload["delay_seconds"]["mean"] - (2e-3 + service + service / 100)
        self.assertAlmostEqual(waits / (load * service / 2 / (1 - load)), 1, delta=0.05)

    def test_pings_at_random_times(self):
        emulator = self.compile(line("Ping", "interval = exponential(10 ms)"))
        echoes = self.simulate(emulator)["workloads"][0]["requests"]
        self.assertAlmostEqual(echoes["sent"], 1800, delta=4 * 1800 ** 0.5)
        self.assertEqual(echoes["lost"], 0)
        text = line("Ping", "interval = exponential(1 ms), timeout = 500 ms").replace("delay = 2 ms", "delay = 2 ms, loss = 1")
        echoes = self.simulate(self.compile(text))["workloads"][0]["requests"]  # hundreds wait at a time
        self.assertAlmostEqual(echoes["sent"], 18000, delta=4 * 18000 ** 0.5)
        self.assertAlmostEqual(echoes["lost"], echoes["sent"], delta=100)

    def test_a_rate_that_the_timeline_gives_has_equal_intervals(self):
        """Packets of 128 B: 1000 a second from 2 s, where it is measured from, to 10 s; then none."""
        text = line("Cbr", "payload = 100 B, interval = exponential(10 ms)").replace("  run {", "  at 2 s { flow { rate = 1.024 Mbps } }\n  at 10 s { flow { rate = 0 bps } }\n  run {")
        sent = self.simulate(self.compile(text))["workloads"][0]["datagrams"]["sent"]
        self.assertAlmostEqual(sent, 8000, delta=1)

    def test_what_exceeds_the_mtu_is_lost(self):
        results = self.simulate(self.compile(line("Cbr", "payload = 1473 B, interval = 10 ms")))
        workload = results["workloads"][0]
        self.assertEqual(workload["datagrams"]["received"], 0)
        self.assertEqual(workload["datagrams"]["lost"], workload["datagrams"]["sent"])
        self.assertEqual(results["packets"]["dropped"]["mtu"], workload["datagrams"]["sent"])


class Bulk(EmulatorTest):
    def test_a_line_is_filled(self):
        emulator = self.compile(line("Bulk", "size = 0 B"))
        for mtu in (1500, 576):
            results = self.simulate(emulator, "--set", f"mtu={mtu}B")
            workload = results["workloads"][0]
            headers = 52  # with the timestamps of the default TCP
            self.assertAlmostEqual(workload["goodput_bps"] / (10e6 * (mtu - headers) / mtu), 1, delta=0.01)
            self.assertEqual(workload["transfers"]["in_progress"], 1)
            self.assertEqual(workload["transfers"]["completed"] + workload["transfers"]["failed"], 0)
            self.assertEqual(workload["flows"]["fairness"], 1)
            self.assertEqual(results["throughput_bps"], workload["goodput_bps"])

    def test_transfers_one_after_the_other(self):
        text = line("Bulk", "size = 100 KB, transfers = 5, think = 10 ms")
        text = text.replace("warmup = 2 s", "warmup = 0 s").replace("40 KB", "1 MB")  # nothing is lost
        workload = self.simulate(self.compile(text))["workloads"][0]
        self.assertEqual(workload["transfers"]["completed"], 5)
        self.assertEqual(workload["transfers"]["failed"], 0)
        self.assertEqual(workload["delivered_bytes"], 5 * 100 * 1024)
        # No faster than the line carries its packets, no slower than with a few round trips besides.
        least = 8 * (102400 + 71 * 40) / 10e6
        self.assertGreater(workload["transfer_time_seconds"]["mean"], least)
        self.assertLess(workload["transfer_time_seconds"]["mean"], least + 6 * 4e-3)

    def test_a_minute_has_as_many_connections_as_ports(self):
        """As on Linux: 28 232 ports to one port of one host, and each rests for a minute."""
        text = line("Bulk", "size = 1 KB, think = 1 ms").replace("delay = 2 ms", "delay = 20 us")
        text = text.replace("duration = 20 s, warmup = 2 s", "duration = 59 s")
        emulator = self.compile(text.replace("rate in 1 Mbps .. 1 Gbps = 10 Mbps", "rate = 1 Gbps"))
        transfers = self.simulate(emulator)["workloads"][0]["transfers"]
        self.assertEqual(transfers["completed"], 28232)
        self.assertGreater(transfers["failed"], 10)
        self.assertEqual(transfers["failed_by_cause"]["no_port"], transfers["failed"])
        longer = self.simulate(emulator, "--for", "90s")["workloads"][0]["transfers"]
        self.assertGreater(longer["completed"], 28232)
        self.assertLess(longer["completed"], 2 * 28232)

    def test_flows_share_a_sink(self):
        """Sixteen hosts to one: its link is full, and all get something."""
        text = fabric("in_order").replace("to = pod[*].server[*]", "to = sink")
        text = text.replace("  switch spine\n", "  switch spine\n  host sink\n  link last: spine -- sink : ether.gigabit\n")
        results = self.simulate(self.compile(text), "--for", "2s")
        flows = results["workloads"][0]["flows"]
        self.assertEqual(flows["count"], 16)
        self.assertGreater(flows["min_bps"], 0)
        self.assertLess(flows["max_bps"], 1e9)
        self.assertGreater(flows["fairness"], 1 / 16)
        self.assertAlmostEqual(results["workloads"][0]["goodput_bps"] / (1e9 * 1460 / 1500), 1, delta=0.02)


class Goodput(EmulatorTest):
    PAYLOAD = 1460 / 1500  # without timestamps

    def bounded(self, text, tasks=1):
        """Whatever part of the time is looked at, no more arrives than the line carries; and the parts are the whole."""
        emulator = self.compile(text, "--tasks", tasks)
        for seed in range(1, 6):
            for batches in (4, 25):
                found = self.simulate(emulator, "--seed", seed, "--batches", batches)
                parts = found["batches"]
                for direction in (["there", "old"], ["back"]):
                    # One more packet than that may end in it, of each workload.
                    most = 256e3 * self.PAYLOAD + len(direction) * 8 * 1460 / parts["seconds"]
                    measured = [parts["measures"][f"throughput({name})"] for name in direction]
                    for values in zip(*measured):
                        self.assertLessEqual(sum(values), most, (seed, batches, direction))
                    for name, values in zip(direction, measured):
                        [workload] = [w for w in found["workloads"] if w["name"] == name]
                        self.assertAlmostEqual(sum(values) / batches / workload["goodput_bps"], 1, places=9)
                        self.assertLessEqual(workload["goodput_bps"], most)
                    self.assertGreater(sum(map(sum, measured)) / batches, 5e3)
        return found

    def test_what_was_there_before_is_not_counted(self):
        """Where a loss is repaired one acknowledgment tells of much that had arrived; where acknowledgments wait, of what came long ago."""
        found = self.bounded(SLOW)
        self.assertEqual(found["workloads"], self.bounded(SLOW, 3)["workloads"])

    def test_flows(self):
        self.bounded(SLOW.replace("traffic.Bulk on a { to = b", "traffic.Flows on a { to = b, size = 300 KB, interval = 2 s"))

    def test_each_second(self):
        """What selective acknowledgments tell of counts when they come."""
        text = "\n".join(line for line in SLOW.splitlines() if not re.search(r"workload (old|back)|\((old|back)\)", line))
        for seed in range(1, 6):
            series = self.simulate(self.compile(text), "--seed", seed)["series"]["throughput_bps"]
            self.assertLessEqual(max(series), 256e3 * self.PAYLOAD + 2 * 8 * 1460)


class Pairing(EmulatorTest):
    def peers(self, emulator, seed):
        """Who sends to whom, from a capture of every host's link."""
        pairs = {}
        for pod in range(2):
            capture = self.fresh("port.pcap")
            run(emulator, "simulate", "--seed", seed, "--for", "3ms", "--capture", f"pod[{pod}].port>={capture}")
            rows = run("tshark", "-n", "-r", capture, "-Y", "tcp.flags.syn == 1 && tcp.flags.ack == 0", "-T", "fields",
                       "-e", "ip.src", "-e", "ip.dst").stdout.split("\n")
            pairs.update(tuple(row.split("\t")) for row in filter(None, rows))
        return pairs

    def test_a_permutation_has_no_fixed_points_and_follows_the_seed(self):
        emulator = self.compile(fabric("permutation"), "-D", "pods=2", "-D", "hosts=3")
        seen = set()
        for seed in range(1, 9):
            pairs = self.peers(emulator, seed)
            self.assertEqual(len(pairs), 6)
            self.assertEqual(set(pairs), set(pairs.values()))
            for host, peer in pairs.items():
                self.assertNotEqual(host, peer)
            self.assertEqual(pairs, self.peers(emulator, seed))
            seen.add(tuple(sorted(pairs.items())))
        self.assertGreater(len(seen), 3)  # of 265

    def test_any_partition_and_number_of_threads(self):
        drawn = CHAIN.replace("rate = load * 1 Gbps / (N * H)", "interval = exponential(N * H * 8 us / load)")
        for text in (fabric("permutation"), fabric("at_random", ", size = 200 KB, think = exponential(1 ms)"), CHAIN, drawn):
            expected = None
            for tasks in (1, 3, 5):
                emulator = self.compile(text, "--tasks", tasks)
                for threads in (1, 2, 4):
                    found = self.simulate(emulator, "--threads", threads)
                    figures = (found["digest"], found["workloads"], found["series"])
                    expected = expected or figures
                    self.assertEqual(figures, expected, f"{tasks} tasks, {threads} threads")
            other = self.simulate(emulator, "--seed", 2)
            self.assertNotEqual(other["digest"], expected[0])

    def test_the_median_of_two_lies_between_them(self):
        text = """
import std.traffic
model M {
  host a[2]
  router r
  host b
  link a[0] -- r { rate = 4 Mbps, delay = 1 ms }
  link a[1] -- r { rate = 10 Mbps, delay = 1 ms }
  link r -- b { rate = 100 Mbps, delay = 1 ms }
  workload w : traffic.Bulk on a[*] { to = b }
  run { duration = 5 s, warmup = 1 s }
}
"""
        flows = self.simulate(self.compile(text))["workloads"][0]["flows"]
        self.assertGreater(flows["max_bps"], 2 * flows["min_bps"])
        self.assertAlmostEqual(flows["median_bps"], (flows["min_bps"] + flows["max_bps"]) / 2)

    def test_a_full_link_is_busy_all_the_time_and_no_more(self):
        """In a short window what the queue holds at its two ends counts: 15 ms of 40 KB at 20 Mbps."""
        text = LINE.replace("WORKLOAD", "Bulk").replace("ATTRIBUTES", "").replace("duration = 20 s, warmup = 2 s",
                                                                                  "duration = 3020 ms, warmup = 3 s")
        for link in self.simulate(self.compile(text), "--set", "rate=20Mbps")["busiest_links"]:
            self.assertLessEqual(link["utilisation"], 1 + 1e-9)
            if link["name"] == "right>":
                self.assertGreater(link["utilisation"], 1 - 1e-9)


if __name__ == "__main__":
    unittest.main()
