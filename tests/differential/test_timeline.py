"""What the timeline changes happens at its time, to the packets that it should, and alike however a model is run."""
import struct
import unittest

from emulators import OTHER_TIER, ROOT, EmulatorTest, run

# A mesh with failures of links and of a router while queues are full, rates and delays that change under way, and
# workloads that pause. The links between the parts change their delay, on which the tasks' lookahead depends.
STORM = """
import std.ether
import std.traffic
import std.web

component Site(pcs: int) {
  router gateway
  host   pc[pcs]
  link desk: pc[*] -- gateway { rate = 20 Mbps, delay = 0.2 ms, queue = droptail(40 KB) }
}

model Storm(short: time = 1 ms) {
  routing { multipath = ecmp }
  endpoint server { simulated = web.server(service = exponential(1 ms)) }
  router core[4]
  Site   site[8](pcs = 6)
  profile wide : Link { rate = 6 Mbps, delay = 4 ms, queue = droptail(packets = 40) }
  for i in 0 ..< 4 { link ring[i]: core[i] -- core[(i + 1) % 4] : wide }
  for i in 0 ..< 8 {
    link up[i]: site[i].gateway -- core[i % 4] { rate = 5 Mbps, delay = 3 ms, queue = droptail(30 KB) }
    link side[i]: site[i].gateway -- core[(i + 1) % 4] { rate = 5 Mbps, delay = 3 ms, queue = droptail(30 KB) }
  }
  link hosting: server -- core[0] { rate = 50 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on site[*].pc[0 .. 2] {
    server = server, documents = [web.fixed(3 KB), web.fixed(60 KB)], think = exponential(100 ms)
  }
  workload fill : traffic.Bulk on site[*].pc[3 .. 4] { to = site[*].pc[3 .. 4], pairing = permutation }
  workload ticks : traffic.Cbr on site[*].pc[5] { to = server, rate = 300 Kbps, payload = 300 B }

  at 1 s { ring[1] down }
  at 1.5 s { core[2] down }
  from 1.2 s to 2.2 s { site[3].desk[*] { rate = 400 Kbps, delay = 9 ms } }
  at 1.1 s { ring[0] { queue = droptail(packets = 10) } }
  at 1.9 s { ring[0] { queue = droptail(packets = 60) } }
  at 2 s { core[2] up }
  at 2.3 s { ring[1] up }
  every 70 ms from 100 ms to 3 s { up[0] down }
  every 70 ms from 135 ms to 3 s { up[0] up }
  every 110 ms from 1 s { side[*] { rate = 900 Kbps } }
  every 110 ms from 1.055 s { side[*] { rate = 7 Mbps, queue = droptail(packets = 9) } }
  ramp from 0.5 s to 3.5 s every 13 ms { up[1] { delay = 3 ms .. 0.1 ms, rate = 5 Mbps .. 200 Kbps } }
  ramp from 1 s to 2 s every 10 ms { core[0] -- core[1] { delay = 4 ms .. short } }
  from 1 s to 1.7 s { browse off }
  from 2 s to 2.5 s { fill off, ticks off }
  at 2.9 s { site[5].desk[1] down, site[6].gateway down }
  at 3.3 s { site[6].gateway up }
  run { duration = 4 s }
}
"""

# Ten datagrams of 1250 B meet at a link that takes 10 ms for each; the nearer links take next to no time.
BURST = """
import std.traffic
model Burst {{
  router a
  router b
  host source[10]
  host sink
  link near: source[*] -- a {{ rate = 1000 Tbps }}
  link slow: a -- b {{ rate = 1 Mbps, delay = 100 ms, queue = {queue} }}
  link far: b -- sink {{ rate = 1000 Tbps }}
  workload w : traffic.Cbr on source[*] {{ start_spread = 0 s, to = sink, payload = 1222 B, interval = 1000 s }}
  {timeline}
  run {{ duration = 3 s }}
}}
"""

DETOUR = """
import std.traffic
model Detour(metric: RouteMetric = delay) {{
  routing {{ metric = metric }}
  router a
  router b
  router c
  host source
  host sink {{ address = 10.9.0.1 }}
  link near: source -- a {{ rate = 1 Gbps }}
  link ab: a -- b {{ rate = 1 Gbps, delay = 10 ms, cost = 1 }}
  link ac: a -- c {{ rate = 1 Gbps, delay = 20 ms, cost = 5 }}
  link cb: c -- b {{ rate = 1 Gbps, delay = 20 ms, cost = 5 }}
  link far: b -- sink {{ rate = 1 Gbps }}
  workload w : traffic.Cbr on source {{ start_spread = 0 s, to = sink, payload = 100 B, interval = 10 ms }}
  {timeline}
  run {{ duration = 3 s }}
}}
"""


# Hosts behind a router whose way to the sinks fails, with one link, with two, and behind a switch.
BEHIND = """
import std.ether
import std.traffic
import std.web
model Behind {
  host   browser
  host   sender
  host   two
  host   behind
  switch lan
  router near
  router other
  router away
  host   local
  endpoint sink { simulated = web.server() }
  link l0: browser -- near : ether.fast
  link l1: sender -- near : ether.fast
  link l2: two -- near : ether.fast
  link second: two -- other : ether.fast
  link l3: behind -- lan : ether.fast
  link uplink: lan -- near : ether.fast
  link beside: local -- near : ether.fast
  link ways: [near, other] -- away : ether.fast
  link last: away -- sink : ether.fast
  workload browse : web.ClosedLoop on browser { server = sink, documents = web.fixed(1 KB), think = 10 ms, connect_timeout = 100 ms }
  workload fill : traffic.Bulk on sender { start_spread = 0 s, to = sink, size = 0 B }
  workload ticks : traffic.Cbr on sender { start_spread = 0 s, to = sink, payload = 100 B, interval = 10 ms }
  workload both : traffic.Cbr on two { start_spread = 0 s, to = sink, payload = 100 B, interval = 10 ms }
  workload switched : traffic.Cbr on behind { start_spread = 0 s, to = sink, payload = 100 B, interval = 10 ms }
  workload chat : traffic.Cbr on local { start_spread = 0 s, to = [browser, sender, two, behind], pairing = at_random, rate = 1 Kbps }
  at 1 s { ways[*] down }
  run { duration = 3 s }
}
"""


# A link that is always busy while it is up: 10 ms for a datagram of 1250 B, 20 ms at the end.
FULL = """
import std.traffic
model Full {
  router a
  router b
  host source
  host sink
  link near: source -- a { rate = 1000 Tbps }
  link slow: a -- b { rate = 1 Mbps, delay = 100 ms, queue = droptail(512 KB) }
  link far: b -- sink { rate = 1000 Tbps }
  workload w : traffic.Cbr on source { start_spread = 0 s, to = sink, payload = 1222 B, interval = 5 ms }
  at 2 s { slow down }
  at 4 s { slow up }
  at 5 s { slow { rate = 500 Kbps } }
  run { duration = 8 s, warmup = 1 s }
}
"""


def capture_times(path):
    """When packets of a capture begin transmission, in ns."""
    data = path.read_bytes()
    times, at = [], 24
    while at < len(data):
        seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
        times.append(seconds * 10**9 + nanoseconds)
        at += 16 + length
    return times


class Timeline(EmulatorTest):

    def burst(self, timeline, queue="droptail(64 KB)"):
        return self.simulate(self.compile(BURST.format(timeline=timeline, queue=queue)))

    def detour(self, timeline, *options):
        return self.simulate(self.compile(DETOUR.format(timeline=timeline), *options))

    def delays(self, results):
        return results["workloads"][0]["delay_seconds"]

    def test_counters_and_captures_have_what_was_transmitted(self):
        emulator = self.compile(FULL, "--tasks", "4")
        captured = self.fresh("slow.pcap")
        runs = [self.simulate(emulator, "--threads", "1"), self.simulate(emulator, "--threads", "2"),
                self.simulate(emulator, "--capture", f"slow>={captured}")]
        for results in runs:
            slow = next(link for link in results["busiest_links"] if link["name"] == "slow>")
            self.assertAlmostEqual(slow["utilisation"], (1 + 1 + 3) / 7, places=9)
            self.assertEqual(results["packets"]["dropped"]["link"], 400 - 189)  # in the queue, and on the way
            # Of those that it took from 1 s to 2 s the failure took all; from 4 s on it transmitted 250, and 512 KB wait.
            self.assertEqual((slow["packets"], slow["bytes"]), (250 + 419, 1250 * (250 + 419)))
            self.assertEqual(results["packet_hops"], runs[0]["packet_hops"])
        wanted = [*range(0, 2000, 10), *range(4000, 5000, 10), *range(5000, 8000, 20)]
        self.assertEqual([time // 10**6 for time in capture_times(captured)], wanted)

    def test_threads_and_tasks_and_tiers_agree(self):
        expected = None
        for tasks, level in dict.fromkeys(((1, "-O0"), (1, OTHER_TIER), (2, OTHER_TIER), (5, "-O0"), (13, OTHER_TIER))):
            emulator = self.compile(STORM, "--tasks", tasks, level)
            for threads in (1, 2, 4):
                found = self.simulate(emulator, "--threads", threads)
                figures = [found[k] for k in ("digest", "packets", "workloads", "timeline", "packet_hops")]
                if expected is None:
                    expected = figures
                    self.assertGreater(found["packets"]["dropped"]["link"], 100)
                    self.assertGreater(found["packets"]["dropped"]["queue"], 100)
                    self.assertGreater(found["transactions"]["completed"], 100)
                    self.assertGreater(found["retransmissions"], 100)
                self.assertEqual(figures, expected, f"{tasks} tasks, {level}, {threads} threads")

    def test_a_profile_changes_nothing(self):
        emulator = self.compile(STORM, "--tasks", 4)
        plain, profiled = self.simulate(emulator), self.simulate(emulator, "--profile")
        self.assertEqual(plain["digest"], profiled["digest"])
        self.assertEqual(len(profiled["profile"]["tasks"]), 4)

    def test_runs_may_end_anywhere(self):
        emulators = self.compile(STORM, "--tasks", 1), self.compile(STORM, "--tasks", 6)
        for end in ("1s", "1500ms", "2035ms", "2.2s"):
            digests = {self.simulate(e, "--for", end, "--threads", t)["digest"] for e, t in zip(emulators, (1, 2))}
            self.assertEqual(len(digests), 1, end)

    def test_a_timeline_that_changes_nothing(self):
        plain = self.burst("")
        for timeline in ("at 5 ms { slow { rate = 1 Mbps } }", "from 20 ms to 30 ms { slow up }"):
            found = self.burst(timeline)
            self.assertEqual(found["digest"], plain["digest"])
            self.assertEqual(len(found["timeline"]["events"]), 1 + (timeline[0] == "f"))

    def test_packets_on_a_failing_link_are_lost(self):
        found = self.burst("at 25 ms { slow down }")
        self.assertEqual(found["packets"]["dropped"]["link"], 10)  # the two that were transmitted are on their way
        found = self.burst("at 115 ms { slow down }")
        self.assertEqual(found["packets"]["delivered"], 1)
        self.assertEqual(found["packets"]["dropped"]["link"], 9)
        self.assertEqual(found["timeline"]["downtime"], [{"name": "slow", "seconds": 2.885, "lost": 9}])
        found = self.burst("from 115 ms to 120 ms { slow down }")  # those on it are lost, however short the failure
        self.assertEqual(found["packets"]["delivered"], 1)
        self.assertEqual(found["timeline"]["downtime"][0]["seconds"], 0.005)
        for failed in ("a", "b"):
            self.assertEqual(self.burst(f"at 115 ms {{ {failed} down }}")["packets"]["delivered"], 1)

    def test_a_new_rate_holds_for_what_waits(self):
        # Two packets at 1 Mbps, half of the third; its other half and seven more at 10 Mbps.
        for queue in ("droptail(64 KB)", "droptail(packets = 9)"):
            found = self.burst("at 25 ms { slow { rate = 10 Mbps } }", queue)
            self.assertAlmostEqual(self.delays(found)["max"], 0.1 + 0.025 + 0.0005 + 0.007, places=6)
            self.assertAlmostEqual(self.delays(found)["min"], 0.110, places=6)
        for direction, last in (("up", 0.1325), ("down", 0.2)):
            found = self.burst(f"at 25 ms {{ slow {{ {direction} {{ rate = 10 Mbps }} }} }}")
            self.assertAlmostEqual(self.delays(found)["max"], last, places=6)
        found = self.burst("at 25 ms { slow { rate = 500 Kbps } }")
        self.assertAlmostEqual(self.delays(found)["max"], 0.1 + 0.025 + 0.010 + 0.140, places=6)

    def test_a_new_delay_holds_for_what_leaves(self):
        found = self.burst("at 95 ms { slow { delay = 1 ms } }")  # the last packet leaves at 100 ms, and overtakes
        self.assertAlmostEqual(self.delays(found)["max"], 0.190, places=6)
        self.assertAlmostEqual(self.delays(found)["min"], 0.101, places=6)
        # A ramp of delay with changes of rate under way: what has left keeps its delay.
        found = self.burst("ramp from 15 ms to 95 ms every 1 ms { slow { delay = 100 ms .. 20 ms } }\n"
                           "at 96 ms { slow { rate = 1 Kbps } }")
        self.assertAlmostEqual(self.delays(found)["min"], 0.110, places=6)

    def test_a_shorter_queue(self):
        found = self.burst("at 0 s { slow { queue = droptail(packets = 3) } }")
        self.assertEqual(found["packets"]["dropped"]["queue"], 6)

    def test_routes_change_at_the_declared_time(self):
        emulator = self.compile(DETOUR.format(timeline="from 1 s to 2 s { ab down }"))
        files = {link: self.fresh(f"{link}.pcap") for link in ("ab", "ac")}
        found = self.simulate(emulator, *sum((["--capture", f"{link}>={file}"] for link, file in files.items()), []))
        first, detour = (capture_times(files[link]) for link in ("ab", "ac"))
        self.assertEqual(len(first) + len(detour), 300)
        begin = min(first)
        failed = lambda t: 10**9 <= t - begin < 2 * 10**9
        self.assertFalse(any(map(failed, first)))
        self.assertTrue(all(map(failed, detour)))
        self.assertEqual(len(detour), 100)
        self.assertAlmostEqual(self.delays(found)["min"], 0.010, delta=1e-4)
        self.assertAlmostEqual(self.delays(found)["max"], 0.040, delta=1e-4)
        self.assertEqual(found["timeline"]["events"],
                         [{"seconds": 1.0, "what": "ab down"}, {"seconds": 2.0, "what": "ab no longer down"}])

    def test_no_way_is_network_unreachable(self):
        found = self.detour("at 1 s { ab down, ac down }")
        self.assertEqual(found["packets"]["dropped"]["no_route"], 200)  # at the router; a reply for each
        self.assertEqual(found["packets"]["dropped"]["link"], 1)  # the one under way on `ab`
        self.assertEqual(found["workloads"][0]["datagrams"]["received"], 99)

    def test_a_host_without_links_loses_what_it_sends(self):
        found = self.detour("from 1 s to 2 s { near down }")
        self.assertEqual(found["packets"]["dropped"]["link"], 100)
        self.assertEqual(found["packets"]["dropped"]["no_route"], 0)
        found = self.detour("from 1 s to 2 s { b down }")  # its neighbour has no way either
        self.assertEqual(found["packets"]["dropped"]["link"], 1)
        self.assertEqual(found["packets"]["dropped"]["no_route"], 100)

    def test_a_host_behind_a_failure_hears_from_its_router(self):
        """A way to somebody else is left, so the hosts' tables differ between the epochs; all are asked all the same."""
        emulator = self.compile(BEHIND)
        captures = {name: self.fresh(f"{name}.pcap") for name in ("l0", "l1", "l2", "l3")}
        found = self.simulate(emulator, *sum((["--capture", f"{name}={file}"] for name, file in captures.items()), []))
        _, _, ticks, both, switched, _ = found["workloads"]
        for name, file in captures.items():
            sent, errors = self.after(file, 10**9 + 50 * 10**6)
            self.assertGreater(sent, 1, name)
            self.assertGreater(errors, 1, name)
        failed = found["transactions"]
        self.assertGreater(failed["failed"], 7)  # of 2 s: the pause between refusals grows from 10 ms to 1 s
        self.assertGreaterEqual(failed["failed_by_cause"]["reset"], failed["failed"] - 1)  # a SYN may be lost on its way
        for w in (ticks, both, switched):
            self.assertGreater(w["datagrams"]["received"], 90)
            self.assertEqual(w["datagrams"]["sent"], 300)
            self.assertGreaterEqual(w["datagrams"]["lost"], 200 - 1)
        self.assertGreater(found["packets"]["dropped"]["no_route"], 600 - 10)
        self.assertLess(found["packets"]["dropped"]["link"], 100)
        digests = {self.simulate(self.compile(BEHIND, "--tasks", tasks), "--threads", 2)["digest"] for tasks in (1, 4)}
        self.assertEqual(digests, {found["digest"]})

    def after(self, path, time):
        """Packets of a capture later than a time of the run: those that are no ICMP, and ICMP network unreachable."""
        data, at, sent, errors, first = path.read_bytes(), 24, 0, 0, None
        while at < len(data):
            seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
            now = seconds * 10**9 + nanoseconds
            first = now if first is None else first
            packet = data[at + 16:at + 16 + length]
            if now - first > time:
                if packet[9] != 1:
                    sent += 1
                elif (packet[20], packet[21]) == (3, 0):
                    errors += 1
            at += 16 + length
        return sent, errors

    def test_costs(self):
        by_delay = self.detour("at 1 s { ab { cost = 20 } }")
        self.assertAlmostEqual(self.delays(by_delay)["max"], 0.010, delta=1e-4)
        by_cost = self.detour("at 1 s { ab { cost = 20 } }", "-D", "metric=cost")
        self.assertAlmostEqual(self.delays(by_cost)["min"], 0.010, delta=1e-4)
        self.assertAlmostEqual(self.delays(by_cost)["max"], 0.040, delta=1e-4)

    def test_static_routes(self):
        found = self.detour("route a to sink via c")
        self.assertAlmostEqual(self.delays(found)["min"], 0.040, delta=1e-4)
        # The longest prefix counts; and a route waits while its link is down.
        found = self.detour("route a to sink via b\nroute a to 10.9.0.0/16 via c")
        self.assertAlmostEqual(self.delays(found)["max"], 0.010, delta=1e-4)
        found = self.detour("route a to sink via c\nat 1 s { ac down }")
        self.assertAlmostEqual(self.delays(found)["min"], 0.010, delta=1e-4)
        self.assertAlmostEqual(self.delays(found)["max"], 0.040, delta=1e-4)

    def test_workloads_pause(self):
        found = self.detour("from 1 s to 2.005 s { w off }")
        self.assertEqual(found["workloads"][0]["datagrams"]["sent"], 100 + 100)
        per_second = [bytes_ // (8 * 128) for bytes_ in found["series"]["throughput_bps"]]
        self.assertEqual(per_second, [99, 1, 99])

    def test_tunable_times(self):
        emulator = self.compile(ROOT / "examples/failing-link/failing.anml")
        for when, outage in ((30, 9), (10, 2)):
            found = self.simulate(emulator, "--set", f"fails={when}s", "--set", f"outage={outage}s")
            self.assertEqual(found["timeline"]["events"][0], {"seconds": when, "what": "direct down"})
            self.assertEqual(found["timeline"]["downtime"][0]["seconds"], outage)

    def test_info_lists_it(self):
        emulator = self.compile(DETOUR.format(timeline="at 1 s { a -- b { rate = 2 Mbps } }"))
        self.assertIn("1 s  ab rate = 2 Mbps", run(emulator, "info").stdout)


if __name__ == "__main__":
    unittest.main()
