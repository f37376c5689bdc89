"""Flows against arithmetic: when they are complete, how many times as long as alone they took, how many come and where they go; the same for any
partition and number of threads, and no more memory for more of them."""
import unittest

from emulators import ANMLC, SANITIZED, EmulatorTest, run

# A path whose second link is the slowest, with framing of its own on each.
PATH = """
import std.traffic
profile eager : Tcp {{ initial_window = 1000, receive_buffer = 16 MB, send_buffer = 16 MB {tcp} }}
model M {{
  host a {{ tcp = eager }}
  router r
  switch s
  host b {{ tcp = eager }}
  link a -- r {{ rate = 10 Gbps, delay = 7 us, queue = droptail(16 MB) }}
  link r -- s {{ rate = 1 Gbps, delay = 5 us, queue = droptail(16 MB), overhead = 38 B }}
  link s -- b {{ rate = 4 Gbps, delay = 3 us, overhead = 18 B }}
  workload w : traffic.Flows on a {{ to = b, size = {size}, interval = 20 ms, start_spread = 0 s }}
  run {{ duration = 1 s }}
}}
"""
LINKS = [(10e9, 7e-6, 0), (1e9, 5e-6, 38), (4e9, 3e-6, 18)]


def lone(size, options=12, window_scale=4):
    """Packet by packet: the SYN, its answer, then an acknowledgment and the segments behind it."""
    def pass_on(packets, links):
        for rate, delay, overhead in links:
            free, arrivals = 0.0, []
            for at, length in packets:
                free = max(free, at) + (length + overhead) * 8 / rate
                arrivals.append((free + delay, length))
            packets = arrivals
        return packets[-1][0]
    syn = 40 + options + 4 + window_scale
    answered = pass_on([(pass_on([(0.0, syn)], LINKS), syn)], LINKS[::-1])
    header, segment = 40 + options, 1460 - options
    sizes = [segment] * ((size - 1) // segment)
    sizes.append(size - segment * len(sizes))
    return pass_on([(answered, header)] + [(answered, header + s) for s in sizes], LINKS)


NET = """
import std.flows
import std.topology
import std.traffic
profile quick : Tcp {{ initial_window = 40, minimum_rto = 5 ms, minimum_variation = 0 s }}
model M({parameters}) {{
  host h[{hosts}] {{ tcp = quick }}
  switch s
  link port: h[*] -- s {{ rate = 1 Gbps, delay = 5 us, queue = droptail(4 MB) }}
  workload w : traffic.Flows on {on} {{ to = {to}, {flows} }}
  {more}
  run {{ duration = {duration} }}
}}
"""


def net(flows, hosts=8, on="h[*]", to="h[*]", more="", duration="1 s", parameters=""):
    return NET.format(flows=flows, hosts=hosts, on=on, to=to, more=more, duration=duration, parameters=parameters)


class Flows(EmulatorTest):
    def figures(self, text, *options):
        [workload] = self.simulate(self.compile(text, *options))["workloads"]
        return workload

    def test_alone_a_flow_takes_what_arithmetic_says_and_its_slowdown_is_1(self):
        for size in (1, 100, 1448, 1449, 20000, 60000, 1000000):
            figures = self.figures(PATH.format(size=f"{size} B", tcp=""))
            self.assertEqual(figures["transfers"]["completed"], 50, size)
            expected = lone(size)
            self.assertAlmostEqual(figures["transfer_time_seconds"]["mean"] / expected, 1, delta=1e-4, msg=size)
            self.assertAlmostEqual(figures["slowdown"]["mean"], 1, delta=1e-4, msg=size)
            [of_size] = figures["sizes"]
            self.assertEqual(of_size["bytes"], 50 * size)
            self.assertLessEqual(of_size["from_bytes"], size)
            self.assertGreater(of_size["below_bytes"], size)

    def test_other_options_have_other_headers(self):
        size = 20000
        figures = self.figures(PATH.format(size=f"{size} B", tcp=", timestamps = false, sack = false, window_scaling = false"))
        self.assertAlmostEqual(figures["transfer_time_seconds"]["mean"] / lone(size, 0, 0), 1, delta=1e-4)
        self.assertAlmostEqual(figures["slowdown"]["mean"], 1, delta=1e-4)

    def test_a_window_that_has_to_be_waited_for_slows_down(self):
        figures = self.figures(PATH.format(size="60000 B", tcp="").replace("initial_window = 1000", "initial_window = 2"))
        self.assertGreater(figures["slowdown"]["mean"], 1.03)

    def test_as_much_arrives_as_is_offered(self):
        figures = self.figures(net("size = flows.web_search, offered = 2 Gbps", duration="20 s"))
        # Flows of 1 711 250 B on average: about 2900 of them.
        expected = 2e9 * 20 / 8 / 1711250
        self.assertAlmostEqual(figures["arrivals"]["due"] / expected, 1, delta=0.06)
        self.assertEqual([size["from_bytes"] for size in figures["sizes"]], [0, 1000, 10000, 100000, 1000000, 10000000])
        shares = [size["completed"] / figures["transfers"]["completed"] for size in figures["sizes"]]
        # Of the points: 15 % below 10 kB, 70 % below 1 MB, 97 % below 10 MB.
        self.assertAlmostEqual(sum(shares[:2]), 0.15, delta=0.025)
        self.assertAlmostEqual(sum(shares[:4]), 0.70, delta=0.03)
        self.assertAlmostEqual(sum(shares[:5]), 0.97, delta=0.015)
        self.assertEqual(sum(size["completed"] for size in figures["sizes"]), figures["transfers"]["completed"])
        self.assertEqual(figures["transfers"]["failed"], 0)

    def received(self, flows, **given):
        """Bytes that left the switch for each host, and the run's figures."""
        results = self.simulate(self.compile(net(flows, **given)))
        links = {link["name"]: link["bytes"] for link in results["busiest_links"]}
        return [links.get(f"port[{i}]<", 0) for i in range(given.get("hosts", 8))], results["workloads"][0]

    def test_all_to_all_in_turn_and_at_once(self):
        fixed = "size = 100 KB, start_spread = 0 s"
        # Seven arrivals each: one to each other host.
        turn, figures = self.received(f"{fixed}, pairing = in_turn, interval = 50 ms", duration="340 ms")
        self.assertEqual(figures["transfers"]["completed"], 56)
        self.assertEqual(len(set(turn)), 1)
        once, figures = self.received(f"{fixed}, pairing = to_all, interval = 400 ms", duration="340 ms")
        self.assertEqual(figures["transfers"]["completed"], 56)
        self.assertEqual(figures["arrivals"]["most_at_once"], 7)

    def test_what_is_offered_is_what_all_flows_bring(self):
        """With `to_all` an arrival at a host is seven of them."""
        for pairing, at_once in (("each_time", 1), ("to_all", 7)):
            [w] = self.simulate(self.compile(net(f"size = 10 KB, pairing = {pairing}, offered = 400 Mbps", duration="4 s")))["workloads"]
            expected = 400e6 * 4 / 8 / 10240
            self.assertAlmostEqual(w["arrivals"]["due"], expected, delta=5 * (expected * at_once) ** 0.5)

    def test_a_permutation_a_stride_and_pairs(self):
        fixed = "size = 100 KB, interval = 50 ms, start_spread = 0 s"
        for to, pairing in (("h[*]", "permutation"), ("[h[(i + 3) % 8] for i in 0 ..< 8]", "in_order")):
            bytes_to, figures = self.received(f"{fixed}, pairing = {pairing}", to=to, duration="340 ms")
            self.assertEqual(figures["transfers"]["completed"], 56, pairing)
            self.assertEqual(len(set(bytes_to)), 1, pairing)
        bytes_to, figures = self.received(f"{fixed}, pairing = at_random", duration="340 ms")
        self.assertEqual(figures["transfers"]["completed"], 56)
        self.assertGreater(len(set(bytes_to)), 1)

    def test_receivers_drawn_anew_are_even(self):
        bytes_to, figures = self.received("size = 1 KB, interval = exponential(1 ms)", duration="5 s")
        mean = sum(bytes_to) / 8
        for count in bytes_to:
            self.assertAlmostEqual(count / mean, 1, delta=0.06)

    def test_incast_ends_when_the_receivers_link_has_carried_all(self):
        # Seven send 20 000 B each at once: fourteen segments, all in the first window.
        text = net("size = 20000 B, interval = 100 ms, start_spread = 0 s", on="h[1 .. 7]", to="h[0]")
        figures = self.figures(text)
        self.assertEqual(figures["transfers"]["completed"], 70)
        segments = 7 * (20000 + 14 * 52) * 8 / 1e9
        # Besides: the handshakes, the propagation, and what the first link takes for the first segment.
        handshakes = 4 * 5e-6 + (1 + 7 + 7 + 1) * 60 * 8 / 1e9
        least = segments + 2 * 5e-6 + 1500 * 8 / 1e9
        self.assertGreater(figures["transfer_time_seconds"]["max"], least)
        self.assertLess(figures["transfer_time_seconds"]["max"], (least + handshakes) * 1.02)

    def test_a_shared_bottleneck_is_shared(self):
        """M/G/1 processor sharing: on average a flow takes 1 / (1 - load) times as long as alone, whatever the sizes. TCP needs a while to find its
        share: large flows alone come near to it."""
        load = 0.5
        wire = 1500 / 1448
        text = net(f"size = exponential(1 MB), offered = {load / wire} * 1 Gbps", on="h[1 .. 15]", to="h[0]", hosts=16, duration="60 s")
        figures = self.figures(text)
        large = [size for size in figures["sizes"] if size["from_bytes"] == 1000000][0]
        self.assertAlmostEqual(large["slowdown"]["mean"] * (1 - load), 1, delta=0.15)

    def test_a_bound_of_connections_makes_flows_wait(self):
        figures = self.figures(net("size = 1 MB, interval = 10 ms, start_spread = 0 s, connections = 2", on="h[1 .. 7]", to="h[0]", duration="995 ms"))
        arrivals = figures["arrivals"]
        self.assertEqual((arrivals["due"], arrivals["most_at_once"]), (700, 2))
        # 7 hosts offer 5.9 Gbit/s to a link of 1 Gbit/s.
        self.assertGreater(arrivals["waiting"], 500)
        transfers = figures["transfers"]
        self.assertEqual(transfers["completed"] + transfers["failed"] + transfers["in_progress"] + arrivals["waiting"], 700)
        self.assertEqual(transfers["in_progress"], 14)
        self.assertEqual(figures["waited_seconds"]["samples"], arrivals["late"])

    def test_the_timeline_changes_the_load(self):
        def due(more):
            return self.figures(net("size = 1 KB, interval = exponential(1 ms)", more=more, duration="4 s"))["arrivals"]["due"]
        for more, expected in (("", 32000), ("at 2 s { w { load = 3 } }", 64000), ("at 1 s { w { load = 0 } }\n  at 3 s { w { load = 1 } }", 16000),
                               ("at 2 s { w off }", 16000), ("at 2 s { w { active = 25 % } }", 20000)):
            self.assertAlmostEqual(due(more) / expected, 1, delta=0.03, msg=more)

    def test_a_load_of_1_after_0_loses_nothing(self):
        text = net("size = 1 KB, interval = 10 ms, start_spread = 0 s", duration="1 s", more="at 505 ms { w { load = 0 } }\n  at 705 ms { w { load = 1 } }")
        self.assertEqual(self.figures(text)["arrivals"]["due"], 8 * 80)

    def test_thresholds_ask_for_slowdowns(self):
        text = net("size = flows.google_rpc, offered = 400 Mbps", more="require p99(w, slowdown) < 500 && mean_time(w, slowdown) >= 1 && p50(w) < 1 s")
        results = self.simulate(self.compile(text))
        self.assertTrue(all(threshold["met"] for threshold in results["thresholds"]), results["thresholds"])
        self.assertAlmostEqual(results["measures"]["mean_time(w, slowdown)"], results["workloads"][0]["slowdown"]["mean"], places=6)

    def test_reports_show_slowdowns(self):
        results = self.fresh("results.json")
        run(self.compile(net("size = flows.google_rpc, offered = 400 Mbps")), "simulate", "--results", results)
        shown = run(ANMLC, "report", results).stdout
        for figure in ("slow-down, mean", "slow-down, p99", "flows due", "most at a time, of a host"):
            self.assertIn(f"| {figure} |", shown)

    def test_what_fails_is_counted(self):
        figures = self.figures(net("size = 100 KB, interval = 100 ms, start_spread = 0 s", on="h[1]", to="h[0]", duration="300 s",
                                   more="at 99.95 s { h[0] down }"))
        transfers = figures["transfers"]
        self.assertEqual(transfers["completed"], 1000)
        self.assertGreater(transfers["failed_by_cause"]["connect"], 100)
        self.assertEqual(figures["arrivals"]["due"], transfers["completed"] + transfers["failed"] + transfers["in_progress"])

    def test_alike_however_it_is_run(self):
        text = net("size = flows.hadoop, offered = 3 Gbps, connections = 3", duration="300 ms", hosts=32,
                   more="workload v : traffic.Flows on h[0 .. 9] { to = h[20], size = 30 KB, interval = 20 ms, start_spread = 0 s }\n"
                        "  at 100 ms { w { load = 2 } }\n  at 150 ms { w { active = 50 % } }")
        (digest, workloads), emulator = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)

    @unittest.skipIf(SANITIZED, "sanitizers have memory of their own")
    def test_more_flows_take_no_more_memory(self):
        emulator = self.compile(net("size = 1 KB, interval = exponential(100 us)", duration="1 h").replace("initial_window", "time_wait = 100 ms, initial_window"))
        sizes = []
        for duration in ("2 s", "12 s"):
            done = run("/usr/bin/python3", "-c",
                       "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                       "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
                       emulator, "simulate", "--for", duration, "--results", self.fresh("r.json"))
            sizes.append(int(done.stdout))
        # A million flows besides: 800 000.
        self.assertLess(sizes[1] - sizes[0], 4096, "KB")


if __name__ == "__main__":
    unittest.main()
