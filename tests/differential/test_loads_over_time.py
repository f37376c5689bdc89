"""Populations and rates that the timeline changes, in steps and ramps, against arithmetic, and alike however a model is run."""
import json
import math
import unittest

from emulators import ANMLC, EmulatorTest, run

SURF = """
import std.web
model Surf {
  host pc[HOSTS]
  endpoint server { simulated = web.server(service = 0 s, close = at_once) }
  router r
  link pc[*] -- r { rate = 100 Gbps, delay = 1 ms }
  link r -- server { rate = 100 Gbps, delay = 1 ms }
  workload surf : web.ClosedLoop on pc[*] {
    server = server, documents = web.fixed(1 KB), think = exponential(200 ms)
  }
  TIMELINE
  run { duration = DURATION s }
}
"""

CROWD = """
import std.web
model Crowd(tunable peak: number in 0 .. 10 = 3) {
  host pc[2]
  endpoint server { simulated = web.server(close = at_once) }
  router r
  link pc[*] -- r { rate = 100 Gbps }
  link r -- server { rate = 100 Gbps, delay = 100 us }
  workload crowd : web.OpenLoop on pc[*] { server = server, documents = web.fixed(100 B), GIVEN }
  TIMELINE
  run { duration = DURATION s }
}
"""

DATAGRAMS = """
import std.traffic
model Datagrams {
  host pc[HOSTS]
  host sink
  router r
  link near: pc[*] -- r { rate = 100 Gbps }
  link far: r -- sink { rate = 100 Gbps }
  workload c : traffic.KIND on pc[*] { to = sink, payload = 972 B, GIVEN }
  TIMELINE
  run { duration = DURATION s }
}
"""

MIXED = """
import std.traffic
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.ClosedLoop on pc[*] { server = server, documents = web.fixed(2 KB), think = exponential(50 ms) }
  ramp from 1 s to 2 s every 100 ms { surf { active = 100 % .. 0 } }
  ramp from 2 s to 3 s every 50 ms { surf { active = 0 .. 70 % } }
}
model Mixed {
  endpoint server { simulated = web.server() }
  Site site[4](hosts = 11, server = server)
  router core
  link site[*].gateway -- core { rate = 100 Mbps, delay = 2 ms }
  link core -- server { rate = 1 Gbps, delay = 3 ms }
  let all = site[*].pc[*]
  workload crowd : web.OpenLoop on all { server = server, interval = exponential(80 ms), documents = web.fixed(1 KB), schedule = [web.slope(1 s, 0, 3), web.hold(500 ms, 1)], repeat = true }
  workload look  : web.Browser on all { server = server, documents = web.fixed(2 KB), parts = web.fixed(1 KB), parts_per_page = 3, pages = 4, think = exponential(60 ms) }
  workload come  : web.Sessions on all { server = server, documents = web.fixed(2 KB), parts = web.fixed(1 KB), parts_per_page = 2, interval = exponential(200 ms) }
  workload knock : web.SClient on site[*].pc[0 .. 2] { server = server, documents = web.fixed(1 KB), sockets = 2 }
  workload fill  : traffic.Bulk on site[*].pc[3 .. 4] { to = site[*].pc[3 .. 4], pairing = permutation }
  workload move  : traffic.Bulk on site[*].pc[5 .. 6] { to = server, port = 5001, size = 20 KB, think = 20 ms }
  workload ask   : traffic.Requests on site[*].pc[7 .. 8] { to = site[*].pc[7 .. 8], pairing = permutation, think = exponential(20 ms) }
  workload probe : traffic.Ping on all { to = server, interval = 100 ms }
  workload voice : traffic.Cbr on all { to = server, rate = 200 Kbps, payload = 300 B }
  workload burst : traffic.OnOff on all { to = server, port = 10, rate = 500 Kbps, burst = pareto(50 ms, 1.5), pause = exponential(50 ms) }
  ramp from 0 s to 3 s every 70 ms {
    crowd { active = 30 % .. 100 %, load = 0 .. 4 }, voice { rate = 1 Mbps .. 0 bps, active = 100 % .. 20 % }
    burst { rate = 10 Kbps .. 3 Mbps, active = 10 % .. 90 % }
  }
  from 1 s to 2 s { look { active = 35 % }, come { active = 10 % }, fill { active = 50 % }, move { active = 0 } }
  from 1.5 s to 2.5 s { knock { active = 50 % }, ask { active = 50 % }, probe { active = 1 % }, crowd off }
  at 3 s { site[1].surf off, crowd { load = 2.5 } }
  at 3.5 s { site[1].surf on, probe off, burst { rate = 0 bps } }
  run { duration = 4 s }
}
"""


def filled(text, **values):
    for key, value in values.items():
        text = text.replace(key.upper(), str(value))
    return text


class Populations(EmulatorTest):
    def completed(self, timeline, hosts, duration):
        return self.simulate(self.compile(filled(SURF, timeline=timeline, hosts=hosts, duration=duration)))["series"]["completed"]

    def test_throughput_follows_the_population(self):
        """Hosts complete a transaction each (think + response); those switched on begin within a think time. Five deviations of the count."""
        hosts, cycle = 1000, 0.2 + 0.012
        timeline = "at 0 s { surf { active = 20 % } }\n  ramp from 5 s to 15 s { surf { active = 20 % .. 100 % } }\n  at 20 s { surf { active = 37 % } }"
        found = self.completed(timeline, hosts, 25)
        for second, count in enumerate(found):
            share = 0.2 if second < 5 else 0.2 + 0.08 * (second + 0.5 - 5) if second < 15 else 1 if second < 20 else 0.37
            expected = share * hosts / cycle
            late = 0.3 * hosts if second in (0, 20) else 0  # what is under way when it changes; a cycle's beginning
            self.assertAlmostEqual(count, expected, delta=5 * math.sqrt(expected) + late + 0.02 * expected, msg=f"second {second}")

    def test_so_many_and_always_the_same(self):
        """Each host that is on sends one datagram a second, so that they can be counted and named."""
        for hosts in (1, 7, 16, 100):
            text = filled(DATAGRAMS, hosts=hosts, kind="Cbr", given="interval = 1 s, start_spread = 0 s", duration=12,
                          timeline="ramp from 0 s to 10 s every 1 s { c { active = 0 .. 100 % } }")
            capture = self.fresh("far.pcap")
            run(self.compile(text), "simulate", "--capture", f"far={capture}")
            seen = [set() for _ in range(12)]
            for line in run("tshark", "-n", "-r", capture, "-Y", "udp", "-T", "fields", "-e", "frame.time_epoch", "-e", "ip.src").stdout.splitlines():
                at, source = line.split()
                seen[int((float(at) % 86400) + 1e-3) % 12].add(source)
            for tenth, some in enumerate(seen[:11]):
                self.assertEqual(len(some), math.floor(tenth / 10 * hosts + 0.5), f"{tenth} of {hosts}")
                self.assertGreaterEqual(some, seen[tenth - 1] if tenth else set())

    def test_spread_evenly(self):
        """Of 64 hosts behind 8 routers a half is four behind each, a quarter two."""
        text = """
import std.traffic
component Site(sink: node) {
  router gateway
  host pc[8]
  link pc[*] -- gateway { rate = 100 Gbps }
}
model Even {
  host sink
  Site site[8](sink = sink)
  link up: site[*].gateway -- sink { rate = 100 Gbps }
  workload c : traffic.Cbr on site[*].pc[*] { to = sink, interval = 10 ms, payload = 972 B }
  at 0 s { c { active = SHARE } }
  run { duration = 1 s }
}
"""
        for share, each in (("50 %", 4), ("25 %", 2), ("12.5 %", 1)):
            links = self.simulate(self.compile(text.replace("SHARE", share)))["busiest_links"]
            for i in range(8):
                packets = next(link["packets"] for link in links if link["name"] == f"up[{i}]>")
                self.assertAlmostEqual(packets, 100 * each, delta=each)

    def test_instances_with_a_host_each(self):
        """A workload in each home: together they come to the share, and the more, the same ones and others."""
        text = """
import std.traffic
component Home(sink: node) {
  host pc
  workload c : traffic.Cbr on pc { to = sink, interval = 1 s, start_spread = 0 s }
}
model Homes {
  host sink
  Home home[HOSTS](sink = sink)
  link home[*].pc -- sink { rate = 100 Gbps }
  ramp from 0 s to 10 s every 1 s { home[*].c { active = 0 .. 100 % } }
  run { duration = 11 s }
}
"""
        for hosts in (1, 10, 300):
            results = self.simulate(self.compile(text.replace("HOSTS", str(hosts))))
            sent = [workload["datagrams"]["sent"] for workload in results["workloads"]]
            # One that is on from the k-th second on has sent 11 - k datagrams.
            for second in range(11):
                on = sum(count >= 11 - second for count in sent)
                self.assertAlmostEqual(on, second / 10 * hosts, delta=0.5 if hosts == 1 else math.log2(hosts) / 3 + 1)

    def test_who_had_not_begun_waits_anew(self):
        """Thinking has no memory: also those of whom nothing had come by then are as likely as others to begin soon."""
        text = filled(SURF, timeline="from 5 s to 6 s { surf off }", hosts=5000, duration=12).replace("200 ms", "10 s")
        found = self.simulate(self.compile(text))["series"]["completed"]
        for second in (1, 2, 3, 4, 7, 8, 9, 10):
            self.assertAlmostEqual(found[second], 500, delta=5 * math.sqrt(500), msg=f"second {second}")

    def test_an_interval_gives_back_what_held(self):
        base = "at 0 s { surf { active = 30 % } }\n"
        found = self.completed(base + "from 3 s to 6 s { surf { active = 90 % } }", 1000, 9)
        again = self.completed(base + "at 3 s { surf { active = 90 % } }\n  at 6 s { surf { active = 30 % } }", 1000, 9)
        self.assertEqual(found, again)

    def test_off_and_on_combine(self):
        """On again has the share in force, also one that came meanwhile; all of them is the same as no share."""
        one = self.completed("at 1 s { surf off }\n  at 2 s { surf { active = 40 % } }\n  at 3 s { surf on }", 500, 5)
        other = self.completed("at 1 s { surf { active = 0 } }\n  at 3 s { surf { active = 40 % } }", 500, 5)
        self.assertEqual(one, other)
        self.assertEqual(one[2], 0)
        switched = self.completed("from 1 s to 2 s { surf off }", 500, 4)
        shared = self.completed("from 1 s to 2 s { surf { active = 0 } }", 500, 4)
        self.assertEqual(switched, shared)


class Rates(EmulatorTest):
    def test_poisson_follows_the_ramp(self):
        text = filled(CROWD, given="interval = exponential(1 ms)", duration=20,
                      timeline="ramp from 2 s to 12 s every 10 ms { crowd { load = 0 .. 4 } }\n  at 0 s { crowd { load = 0 } }\n  at 15 s { crowd { load = 0.5 } }")
        found = self.simulate(self.compile(text))["series"]["completed"]
        for second, count in enumerate(found):
            middle = second + 0.5
            load = 0 if middle < 2 else 0.4 * (middle - 2) if middle < 12 else 4 if middle < 15 else 0.5
            expected = 2000 * load
            self.assertAlmostEqual(count, expected, delta=5 * math.sqrt(expected) + 0.005 * expected + (10 if load else 0), msg=f"second {second}")

    def test_steps_are_those_of_a_schedule(self):
        """Which says the same: the same digest, whatever passes between transactions."""
        stages = "schedule = [web.hold(2 s, 1), web.hold(1 s, 4), web.hold(1500 ms, 0), web.hold(1 s, 0.5)]"
        steps = "at 2 s { crowd { load = 4 } }\n  at 3 s { crowd { load = 0 } }\n  at 4.5 s { crowd { load = 0.5 } }"
        for interval in ("interval = exponential(3 ms)", "interval = 7 ms", "interval = uniform(1 ms, 5 ms)", "interval = exponential(3 ms), start_spread = 0 s"):
            scheduled = self.simulate(self.compile(filled(CROWD, given=f"{interval}, {stages}", timeline="", duration=8)))
            stepped = self.simulate(self.compile(filled(CROWD, given=interval, timeline=steps, duration=8)))
            self.assertEqual(scheduled["digest"], stepped["digest"], interval)

    def test_on_top_of_a_schedule(self):
        """The product of both."""
        given = "interval = exponential(1 ms), schedule = [web.slope(4 s, 0, 2), web.hold(4 s, 2)]"
        text = filled(CROWD, given=given, timeline="from 2 s to 6 s { crowd { load = peak } }", duration=8)
        emulator = self.compile(text)
        for peak in (0, 1, 3):
            found = self.simulate(emulator, "--set", f"peak={peak}")["series"]["completed"]
            for second, count in enumerate(found):
                load = min(0.5 * (second + 0.5), 2) * (peak if 2 <= second < 6 else 1)
                expected = 2000 * load
                self.assertAlmostEqual(count, expected, delta=5 * math.sqrt(expected) + (10 if expected or second else 0), msg=f"second {second}, peak {peak}")

    def test_one_is_as_declared(self):
        given = "interval = exponential(3 ms)"
        plain = self.simulate(self.compile(filled(CROWD, given=given, timeline="", duration=3)))
        one = self.simulate(self.compile(filled(CROWD, given=given, timeline="at 1 s { crowd { load = 1, active = 100 % } }", duration=3)))
        back = self.simulate(self.compile(filled(CROWD, given=given, timeline="from 1 s to 1 s + 1 ns { crowd { load = 1 } }", duration=3)))
        self.assertEqual(plain["digest"], one["digest"])
        self.assertEqual(plain["digest"], back["digest"])


class Datagrams(EmulatorTest):
    def sent(self, **values):
        results = self.simulate(self.compile(filled(DATAGRAMS, **values)))
        return results["workloads"][0]["datagrams"]["sent"], results

    def test_bytes_of_steps_and_ramps_are_exact(self):
        """A datagram of 1000 B as an IP packet each time the integral of the rate has grown by 8000 bits: the first at once, so one more than whole ones."""
        for timeline, bits in (("at 2 s { c { rate = 5 Mbps } }", 2 * 1e6 + 3 * 5e6),
                               ("at 2 s { c { rate = 5 Mbps } }\n  at 3 s { c { rate = 0 bps } }\n  at 4 s { c { rate = 2.5 Mbps } }", 2e6 + 5e6 + 2.5e6),
                               ("from 1 s to 3 s { c { rate = 10 Mbps } }", 3 * 1e6 + 2 * 10e6),
                               # The value of each step holds until the next: 0, 0.1 ... 4.9 Mbps for 40 ms each, then 5 Mbps.
                               ("ramp from 1 s to 3 s every 40 ms { c { rate = 0 bps .. 5 Mbps } }", 1e6 + sum(0.1e6 * i for i in range(50)) * 0.04 + 2 * 5e6)):
            found, _ = self.sent(kind="Cbr", hosts=3, given="rate = 1 Mbps, start_spread = 0 s", timeline=timeline, duration=5)
            self.assertIn(found, [3 * (math.floor(bits / 8000 + e) + 1) for e in (-1e-6, 0)], timeline)

    def test_a_rate_is_as_if_declared(self):
        """From the beginning on, and given back exactly."""
        for kind, more in (("Cbr", ""), ("OnOff", ", burst = pareto(30 ms, 1.4), pause = exponential(20 ms)")):
            declared = self.sent(kind=kind, hosts=9, given="rate = 3 Mbps" + more, timeline="", duration=4)[1]["digest"]
            changed = self.sent(kind=kind, hosts=9, given="rate = 3 Mbps" + more, timeline="at 1 s { c { rate = 3 Mbps } }", duration=4)[1]["digest"]
            self.assertEqual(declared, changed, kind)
            other = self.sent(kind=kind, hosts=9, given="rate = 3 Mbps" + more, timeline="from 1 s to 2 s { c { rate = 1 Mbps } }", duration=4)[1]["digest"]
            self.assertNotEqual(declared, other)

    def test_bursts_send_at_the_rate_of_then(self):
        """A half of the time: half of the integral of the rate, to a few per cent with 200 hosts."""
        given = "rate = 1 Mbps, burst = exponential(50 ms), pause = exponential(50 ms)"
        found, results = self.sent(kind="OnOff", hosts=200, given=given, duration=6,
                                   timeline="ramp from 1 s to 3 s every 20 ms { c { rate = 1 Mbps .. 4 Mbps } }\n  at 5 s { c { rate = 0 bps } }")
        bits = 1e6 + 2 * 2.5e6 + 2 * 4e6
        self.assertAlmostEqual(found / (200 * 0.5 * bits / 8000), 1, delta=0.03)
        # The mean of a burst holds as many datagrams, however often the rate changes in it.
        fine, _ = self.sent(kind="OnOff", hosts=200, given=given, duration=6,
                            timeline="ramp from 0 s to 6 s every 1 ms { c { rate = 2 Mbps .. 2.001 Mbps } }")
        self.assertAlmostEqual(fine / (200 * 0.5 * 6 * 2e6 / 8000), 1, delta=0.03)


class Said(EmulatorTest):
    """What is expected before a run, and said of it."""
    TEXT = filled(DATAGRAMS, kind="Cbr", hosts=10, given="rate = 1 Mbps", duration=60, timeline="""
  ramp from 10 s to 20 s every 5 s { c { rate = 1 Mbps .. 5 Mbps } }
  at 0 s { c { active = 50 % } }
  from 30 s to 50 s { c { active = 80 % } }
  at 40 s { c { rate = 1 Mbps } }""").replace("link far: r -- sink { rate = 100 Gbps }", "link far: r -- sink { rate = 100 Mbps }")

    def test_expected_loads_are_those_of_the_moment(self):
        model = self.fresh("model.anml")
        model.write_text(self.TEXT)
        for time, load in ((0, 5), (5, 5), (15, 15), (25, 25), (35, 40), (45, 8), (55, 5)):
            graph = run(ANMLC, "graph", model, "--format", "json", "--color-by", "load", "--at", f"{time}s").stdout
            self.assertAlmostEqual(json.loads(graph)["edges"][-1]["load"], load / 100, delta=1e-9, msg=time)

    def test_lint_takes_the_greatest(self):
        """40 Mbps over 700 Kbps are more than fifty times as much, 25 are not."""
        found = []
        for text in (self.TEXT, self.TEXT.replace("active = 80 %", "active = 50 %")):
            model = self.fresh("model.anml")
            model.write_text(text.replace("100 Mbps", "700 Kbps"))
            found.append("oversubscription" in run(ANMLC, "lint", model, check=False).stderr)
        self.assertEqual(found, [True, False])

    def test_events(self):
        events = self.simulate(self.compile(self.TEXT))["timeline"]["events"]
        self.assertEqual([(e["seconds"], e["what"]) for e in events],
                         [(0, "c active = 50 %"), (10, "c rate = 1 Mbps, a ramp begins"), (20, "c rate = 5 Mbps, a ramp ends"),
                          (30, "c active = 80 %"), (40, "c rate = 1 Mbps"), (50, "c no longer active = 80 %")])

    def test_limits_hold_for_tunables(self):
        text = filled(CROWD, given="interval = 1 ms", duration=2, timeline="at 1 s { crowd { active = peak } }")
        model = self.fresh("model.anml")
        model.write_text(text)
        done = run(ANMLC, "check", model, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("`active` is 300 %, outside 0 % .. 100 %", done.stderr)
        emulator = self.compile(text.replace("= 3)", "= 1)"))
        done = run(emulator, "simulate", "--set", "peak=1.5", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("`active` of `crowd` is outside 0 % .. 100 %", done.stderr)


class Alike(EmulatorTest):
    def test_however_it_is_run(self):
        (digest, workloads), _ = self.however_it_is_run(MIXED, "workloads")
        self.either_tier_has(MIXED, digest, workloads)

    def test_as_an_expansion(self):
        written = self.fresh("expanded.anml")
        model = self.fresh("mixed.anml")
        model.write_text(MIXED)
        written.write_text(run(ANMLC, "--emit=anml", model).stdout)
        a, b = (self.simulate(self.compile(path)) for path in (model, written))
        self.assertEqual(a["digest"], b["digest"])

    def test_entered_from_outside(self):
        """What --changes enters is what the timeline would have said."""
        text = filled(CROWD, given="interval = exponential(3 ms)", duration=6, timeline="TIMELINE")
        model = self.simulate(self.compile(text.replace("TIMELINE", "at 1 s { crowd { active = 50 % } }\n  at 2 s { crowd { load = 3 } }\n  at 3 s { crowd { active = 1, load = 0.5 } }")))
        changes = self.fresh("changes.json")
        changes.write_text('[{"seconds": 1, "what": "workload crowd active=50 %"}, {"seconds": 2, "what": "workload crowd load=3"},'
                           '{"seconds": 3, "what": "workload crowd active=1,load=0.5"}]')
        entered = self.simulate(self.compile(text.replace("TIMELINE", "")), "--changes", changes)
        self.assertEqual(model["digest"], entered["digest"])


class AtTheNanosecond(EmulatorTest):
    def test_a_datagram_that_is_due_when_its_rate_changes(self):
        """341 1/3 us apart: the third is due at 682 667 ns, rounded up, when nothing more is to be sent. It was due, and the next one waits."""
        emulator = self.compile("""
import std.traffic
model Due {
  host a
  host b
  link a -- b { rate = 1 Gbps, delay = 1 ms }
  workload probe : traffic.Cbr on a { to = b, rate = 3 Mbps, payload = 100 B, start_spread = 0 s }
  label a--b { name = "First link" }
  at 682667 ns { probe { rate = 0 bps } }
  at 500 ms { probe { rate = 3 Mbps } }
  run { duration = 1 s }
}
""".replace("link a -- b", "link a_b: a -- b").replace("a--b {", "a_b {"))
        results = self.simulate(emulator, "--for", "400ms")
        self.assertEqual(results["workloads"][0]["datagrams"]["sent"], 3)
        self.assertEqual(results["timeline"]["events"][0]["what"], "probe rate = 0 bps")  # not "(First link)"
        sent = self.simulate(emulator)["workloads"][0]["datagrams"]["sent"]
        self.assertAlmostEqual(sent, 3 + 0.5 / 341.333333e-6, delta=1)


if __name__ == "__main__":
    unittest.main()
