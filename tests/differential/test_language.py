"""What the language computes reaches the packets: functions, overrides, tolerances, prefixes, loops, draws and components that are passed."""
import json
import math
import unittest

from emulators import TIERS, EmulatorTest, run

# A datagram of 1000 bytes (payload, UDP and IP) each 10 ms from one host to another: its delay is all there is to see.
PROBE = """
  workload probe : traffic.Cbr on a {{ start_spread = 0 s, to = b, payload = 972 B, interval = 10 ms }}
  run {{ duration = {duration} }}
"""


def draw(*keys):
    """What the language's `draw` has to be, on any machine: splitmix64's finaliser over the keys, one after the other."""
    word = (1 << 64) - 1

    def mix(x):
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & word
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & word
        return x ^ x >> 31

    step = 0x9E3779B97F4A7C15
    state = step
    for key in keys:
        state = mix(state ^ key & word) + step & word
    return (mix(state) >> 11) / 2.0**53


class Language(EmulatorTest):
    def delays(self, text, *options, duration="2 s"):
        """The least and the greatest delay of a model's probe, in ms."""
        model = "import std.traffic\n" + text.replace("PROBE", PROBE.format(duration=duration))
        delay = self.simulate(self.compile(model, *options))["workloads"][0]["delay_seconds"]
        return delay["min"] * 1e3, delay["max"] * 1e3

    def test_functions_and_mathematics(self):
        """300 km of glass at 1.5 ms, two such ways, and 8 ms of transmission; a root, a power, a rounded time."""
        low, high = self.delays("""
function glass(d: length, n: int): time = if n == 0 then 0 s else d / (200000 km / 1 s) + glass(d, n - 1)
model M {
  host a
  host b
  link wire: a -- b { rate = 1 Mbps, delay = glass(300 km, 2) + round(sqrt(2) * 1 ms, 0.5 ms) + pow(2, -1) * 1 ms }
  PROBE
}""")
        self.assertAlmostEqual(low, 8 + 3 + 1.5 + 0.5, places=6)
        self.assertAlmostEqual(high, low, places=6)

    def test_mathematics_of_tunables(self):
        """What depends on a tunable is worked out when the emulator starts: in both tiers, by the same functions."""
        model = """
import std.traffic
model M(tunable x: number in 1 .. 100 = 4) {
  host a
  host b
  link wire: a -- b {
    rate = 1 Mbps
    delay = (sqrt(x) + log(x) + exp(-x) + pow(x, 2) + pow(x, 0.3) + abs(sin(x)) + abs(cos(x))) * 1 ms
  }
  """ + PROBE.format(duration="1 s") + "}"
        for level in TIERS:
            emulator = self.compile(model, level)
            for x in (4, 2.5, 19):
                delay = self.simulate(emulator, "--set", f"x={x}")["workloads"][0]["delay_seconds"]["min"] * 1e3
                expected = (math.sqrt(x) + math.log(x) + math.exp(-x) + x**2 + x**0.3 + abs(math.sin(x))
                            + abs(math.cos(x)))
                self.assertAlmostEqual(delay, 8 + expected, delta=2e-6, msg=f"{level} x={x}")

    LINES = """
schema Glass : Link { span: length }
component Line(span: length) {
  host a
  host b
  profile glass : Glass { rate = 1 Mbps, span = span, delay = self.span / (200000 km / 1 s), queue = droptail(self.rate * 100 ms) }
  link wire: a -- b : glass
}
"""

    def test_overrides(self):
        """The attribute itself, and what the profile computes from it; on the link, from outside, and in what extends."""
        for change, expected in (("", 8 + 1), ("{ override wire { delay = 7 ms } }", 8 + 7),
                                 ("{ override wire { rate = 8 Mbps } }", 1 + 1)):
            model = self.LINES + f"model M {{\n Line l(200 km) {change}\n PROBE }}"
            low, high = self.delays(model.replace("PROBE", PROBE.format(duration="1 s").replace("on a", "on l.a")
                                                  .replace("to = b", "to = l.b")))
            self.assertAlmostEqual(low, expected, places=6, msg=change)
        longer = """
component Longer : Line(span = 1000 km) { override wire { rate = 2 Mbps } }
model M { Longer l workload probe : traffic.Cbr on l.a { start_spread = 0 s, to = l.b, payload = 972 B, interval = 10 ms } run { duration = 1 s } }
"""
        self.assertAlmostEqual(self.delays(self.LINES + longer)[0], 4 + 5, places=6)

    def test_an_overridden_rate_makes_the_queue_follow(self):
        """The queue is 100 ms of the rate, whatever the rate: what overflows it waits 100 ms, less the packet in transmission."""
        for change in ("", "{ override wire { rate = 4 Mbps } }"):
            rate = 4e6 if change else 1e6
            model = f"import std.traffic\n{self.LINES}" + f"""
model M {{
  Line l(200 km) {change}
  workload flood : traffic.Cbr on l.a {{ start_spread = 0 s, to = l.b, payload = 972 B, rate = 10 Mbps }}
  run {{ duration = 4 s }}
}}"""
            delay = self.simulate(self.compile(model))["workloads"][0]["delay_seconds"]["max"]
            self.assertAlmostEqual(delay, 0.1 + 0.001, delta=1000 * 8 / rate + 1e-6, msg=change)

    def test_tolerances(self):
        """Uniform between the ends: in no packet outside, and both ends nearly reached."""
        low, high = self.delays("""
model M {
  host a
  host b
  link a -- b { rate = 1 Gbps, delay = 1 ms, jitter = 20 ms ± 10 %, in_order = false }
  PROBE
}""", duration="60 s")
        self.assertGreaterEqual(low, 1 + 18)
        self.assertLessEqual(high, 1 + 22 + 0.0081)
        self.assertLess(low, 1 + 18.05)
        self.assertGreater(high, 1 + 21.95)

    def test_prefixes_of_components(self):
        """Nodes have the addresses of their component's prefix, and the way between two of them is found."""
        model = """
import std.traffic
component Site(net: prefix) {
  addressing { prefix = net }
  router gateway
  host pc[3]
  link desk: pc[*] -- gateway { rate = 1 Gbps, delay = 1 ms }
}
model M {
  Site site[4](subnet(172.16.0.0/20, 24, index))
  router core
  link up: site[*].gateway -- core { rate = 1 Gbps, delay = 2 ms }
  workload talk : traffic.Cbr on site[0].pc[*] { start_spread = 0 s, to = site[3].pc[*], payload = 972 B, interval = 10 ms }
  run { duration = 1 s }
}"""
        emulator = self.compile(model)
        nodes = {n["name"]: n for n in json.loads(run(emulator, "info", "--json").stdout)["nodes"]}
        for site in range(4):
            self.assertTrue(nodes[f"site[{site}].pc"]["address"].startswith(f"172.16.{site}."), nodes)
        talk = self.simulate(emulator)["workloads"][0]
        self.assertEqual(talk["datagrams"]["lost"], 0)
        self.assertAlmostEqual(talk["delay_seconds"]["min"] * 1e3, 2 * (1 + 2) + 4 * 0.008, places=6)

    def test_loops_over_nodes_and_lists(self):
        """A chain through the nodes of a list, in its order, with delays of another: 1, 2 and 4 ms."""
        low, _ = self.delays("""
component Stop { router r }
model M {
  host a
  host b
  Stop stop[3]
  link a -- stop[2].r { rate = 1 Gbps }
  link b -- stop[1].r { rate = 1 Gbps }
  for s in [stop[2].r, stop[0].r] { require !reachable(a, b) || hops(a, b) == 4 }
  link stop[2].r -- stop[0].r { rate = 1 Gbps, delay = 3 ms }
  for d in [1 ms, 2 ms, 4 ms] while d < 3 ms {
    for s in stop[1 .. 1] { link s.r -- stop[0].r { rate = 1 Gbps, delay = 3 * d } }
  }
  PROBE
}""")
        self.assertAlmostEqual(low, 3 + 3 + 4 * 0.008, places=6)

    def test_components_that_are_passed(self):
        """The same site with two kinds of inside: 1 ms and 5 ms to its hosts."""
        model = """
component Lan(hosts: int) { router gateway host pc[hosts] }
component Near(hosts: int) : Lan(hosts) { link pc[*] -- gateway { rate = 1 Gbps, delay = 1 ms } }
component Far(hosts: int, way: time) : Lan(hosts) { link pc[*] -- gateway { rate = 1 Gbps, delay = way } }
component Site(lan: component Lan) {
  lan net(hosts = 2)
  port pc = net.pc
  port door = net.gateway
}
model M {
  Site x(lan = %s)
  host b
  link x.door -- b { rate = 1 Gbps, delay = 10 ms }
  workload probe : traffic.Cbr on x.pc[0] { start_spread = 0 s, to = b, payload = 972 B, interval = 10 ms }
  run { duration = 1 s }
}"""
        for lan, expected in (("Near", 11), ("Far(way = 5 ms)", 15)):
            self.assertAlmostEqual(self.delays(model % lan)[0], expected + 2 * 0.008, places=6)

    def test_draws_and_bdp(self):
        """A drawn delay is that of `draw`, the same in every compilation; a queue of a link's own product holds as much."""
        model = """
model M(seed: int = 3) {
  host a
  host b
  router r
  link wire: a -- r { rate = 1 Mbps, delay = draw(seed, 4) * 1 s }
  link out: r -- b { rate = 1 Gbps, queue = droptail(bdp(wire) + 3 KB) }
  require bdp(wire) == 1 Mbps * 2 s * draw(seed, 4) +/- 1 B
  PROBE
}"""
        low, high = self.delays(model)
        self.assertEqual((low, high), self.delays(model))
        self.assertTrue(8 <= low <= 1008.1)
        for seed in (3, 4, -17, 2**53):
            self.assertAlmostEqual(self.delays(model, "-D", f"seed={seed}")[0], 8.008 + draw(seed, 4) * 1e3, places=5)


if __name__ == "__main__":
    unittest.main()
