"""Routes by segments in running emulators: the ways that packets take, against captures, arithmetic and static routes."""
import json
import unittest

from emulators import ANMLC, EmulatorTest, run

# Two ways between routers, the upper one the shorter; the lower one has two links between its routers.
MODEL = """
import std.traffic
model Steered {{
  addressing {{ {addressing} }}
  profile wire : Link {{ rate = 10 Mbps, delay = 1 ms, queue = droptail(1 MB) }}
  host a[20]
  host b
  router pe
  router upper[2]
  router lower[2]
  {middle} between
  router exit
  link desk: a[*] -- pe : wire
  link u0: pe -- upper[0] : wire
  link u1: upper[0] -- upper[1] : wire
  link u2: upper[1] -- exit : wire
  link l0: pe -- between : wire
  link l1: between -- lower[0] : wire
  link slow: lower[0] -- lower[1] : wire {{ rate = 5 Mbps }}
  link fast: lower[0] -- lower[1] : wire {{ delay = 7 ms }}
  link l2: lower[1] -- exit : wire
  link last: exit -- b : wire
  {routes}
  {workloads}
  run {{ duration = 2 s }}
}}
"""
FOUR, SIX, BOTH = "pool = 10.1.0.0/16", "pool = 2001:db8::/64", "ipv6 = 2001:db8::/64"
CBR = "workload w : traffic.Cbr on a[0] { to = b, payload = 1000 B, interval = 20 ms, start_spread = 0 s }"
PINGS = "workload p : traffic.Ping on a[*] { to = b, interval = 10 ms, TTL }"
FLOWS = "workload f : traffic.Flows on a[*] { to = b, size = 1 KB, interval = 40 ms }"
ALL = ("desk[0]", "u0", "u1", "u2", "l0", "l1", "slow", "fast", "l2", "last")


def model(*routes, workloads=CBR, addressing=FOUR, middle="router"):
    return MODEL.format(routes="\n  ".join(routes), workloads=workloads, addressing=addressing, middle=middle)


def apart(text):
    """With a prefix for `b` alone: of one that holds `a`, too, packets to there would come back, and be steered again."""
    return text.replace("host b\n", "host b { address = 10.2.0.1 }\n")


class Segments(EmulatorTest):
    def ways(self, emulator, *options):
        """By link how many packets went over it in its direction from left to right, and the results."""
        captures = {name: self.fresh(f"{name}.pcap") for name in ALL}
        results = self.simulate(emulator, *options, *(x for name, path in captures.items() for x in ("--capture", f"{name}>={path}")))
        return {name: len(packets(path)) for name, path in captures.items()}, results

    def delay(self, text, *options):
        [workload] = self.simulate(self.compile(text, *options))["workloads"]
        self.assertEqual(workload["datagrams"]["lost"], 0)
        return workload["delay_seconds"]["min"]

    def test_rfc8402_node_and_adjacency_segments(self):
        for routes, way in (((), "u0 u1 u2"),
                            (("route pe to b via [lower[1]]",), "l0 l1 slow l2"),
                            (("route pe to b via [lower[0], fast]",), "l0 l1 fast l2"),
                            (("route pe to b via [lower[*]]",), "l0 l1 slow l2"),
                            (("route pe to b via [l0, l1, fast, l2]",), "l0 l1 fast l2")):
            counts, results = self.ways(self.compile(model(*routes)))
            sent = results["workloads"][0]["datagrams"]["sent"]
            for name in ("u0", "u1", "u2", "l0", "l1", "slow", "fast", "l2"):
                if name in way:
                    self.assertGreaterEqual(counts[name], sent - 1, (routes, name))
                else:
                    self.assertEqual(counts[name], 0, (routes, name))

    def test_labels_take_room(self):
        """A node segment has its label to the router where it ends, a link's goes before the link."""
        size, on = 1028, lambda bytes, rate=10e6: bytes * 8 / rate + 1e-3
        plain = 2 * on(size)
        for label in (4, 0, 40):
            attributes = "" if label == 4 else f" {{ label_size = {label} B }}"
            two = model(f"route pe to b via [lower[0], slow]{attributes}")  # two labels to lower[0], one ends there, one on slow
            self.assertAlmostEqual(self.delay(two), plain + 2 * on(size + 2 * label) + on(size, 5e6) + on(size), places=8)
            one = model(f"route pe to b via [lower[1]]{attributes}")
            self.assertAlmostEqual(self.delay(one), plain + 2 * on(size + label) + on(size + label, 5e6) + on(size), places=8)
            own = model(f"route pe to b via [l0]{attributes}", f"route between to b via [l1, fast]{attributes}")
            self.assertAlmostEqual(self.delay(own), plain + on(size) + on(size + label) + on(size) + 6e-3 + on(size), places=8)

    def test_a_switch_passes_labels_on(self):
        text = model("route pe to b via [lower[0], fast]", middle="switch")
        counts, results = self.ways(self.compile(text))
        self.assertEqual(results["workloads"][0]["datagrams"]["lost"], 0)
        self.assertGreater(counts["fast"], 90)

    def test_without_labels_as_static_routes(self):
        """Packets, times and the digest are those of a model whose routers have static routes for the same way."""
        segments = self.simulate(self.compile(model("route pe to b via [lower[0], slow] { label_size = 0 B }")))
        static = self.simulate(self.compile(model("route pe to b via between", "route between to b via lower[0]")))
        self.assertEqual(segments["digest"], static["digest"])
        self.assertNotEqual(segments["digest"], self.simulate(self.compile(model()))["digest"])

    def test_a_way_may_pass_a_router_twice(self):
        """To the exit, back by the lower way, and by the upper one again; each router takes one of the TTL."""
        route = "route pe to b via [exit, lower[0], upper[0], exit]"
        text = model(route, "require hops(a[0], b) == 12", workloads=PINGS)
        for ttl, arrives in ((12, True), (11, False)):
            results = self.simulate(self.compile(text.replace("TTL", f"ttl = {ttl}")))
            [workload] = results["workloads"]
            self.assertEqual(workload["requests"]["received"] > 0, arrives)
            self.assertEqual(workload["requests"]["time_exceeded"] > 0, not arrives)

    def test_traceroute(self):
        """Which router answers when the time is up, by the echo of each TTL: those that are declared."""
        text = model("route pe to b via [lower[0], fast]", workloads=PINGS)
        network = json.loads(run(ANMLC, "--emit=network", "-", input=text.replace("TTL", "ttl = 9")).stdout)
        addresses = {node["name"]: node["address"] for node in network["nodes"]}
        for ttl, router in enumerate(("pe", "between", "lower[0]", "lower[1]", "exit"), 1):
            file = self.fresh("errors.pcap")
            emulator = self.compile(text.replace("TTL", f"ttl = {ttl}"))
            self.simulate(emulator, "--for", "100ms", "--capture", f"desk[0]<={file}")
            array, _, index = router.partition("[")
            *first, last = addresses[array].split(".")
            expected = ".".join([*first, str(int(last) + int(index[:-1] or "0"))])
            sources = {".".join(map(str, packet[12:16])) for packet in packets(file)}
            self.assertEqual(sources, {expected}, f"TTL {ttl}")

    def test_rfc9256_weighted_lists(self):
        text = model("route pe to b via [lower[0], fast] { weight = 3 }", "route pe to b via [upper[1]]", workloads=FLOWS)
        emulator = self.compile(text)
        captures = {name: self.fresh(f"{name}.pcap") for name in ("fast", "slow", "u1")}
        self.simulate(emulator, *(x for name, path in captures.items() for x in ("--capture", f"{name}>={path}")))
        fast, slow, upper = ({(p[12:16], p[20:22]) for p in packets(path)} for path in captures.values())
        self.assertFalse(fast & upper, "a flow took two ways")
        self.assertFalse(slow)
        total = len(fast) + len(upper)
        self.assertGreater(total, 600)
        self.assertAlmostEqual(len(fast) / total, 3 / 4, delta=5 * (3 / 16 / total) ** 0.5)

    def test_sources_and_prefixes(self):
        text = apart(model("route pe to 10.2.0.0/16 via [lower[0], fast]", "route pe to b via [upper[1]] { source = a[0 .. 3] }",
                           workloads="workload p : traffic.Ping on a[*] { to = b, interval = 100 ms }"))
        file, upper = self.fresh("fast.pcap"), self.fresh("u1.pcap")
        self.simulate(self.compile(text), "--capture", f"fast>={file}", "--capture", f"u1>={upper}")
        self.assertEqual(len({p[12:16] for p in packets(upper)}), 4)
        self.assertEqual(len({p[12:16] for p in packets(file)}), 16)

    def test_marks(self):
        """By code point, protocol and port, there and back; what says more of its packets goes first; loads know what workloads send."""
        workloads = """workload ef : traffic.Cbr on a[0] { to = b, payload = 100 B, interval = 20 ms, dscp = 46 }
  workload be : traffic.Cbr on a[1] { to = b, payload = 100 B, interval = 20 ms }
  workload ask : traffic.Requests on a[2] { to = b, port = 5000, think = 50 ms }
  workload copy : traffic.Bulk on a[3] { to = b, size = 2 KB, think = 50 ms }
  workload probe : traffic.Ping on a[4] { to = b, interval = 20 ms }"""
        slow, fast = "[lower[0], slow] { dscp = 46 }", "[lower[0], fast] { protocol = udp, port = 5000 }"
        def sent(*routes, require="true"):
            text = apart(model(*routes, f"require {require}", workloads=workloads))
            counts, results = self.ways(self.compile(text))
            for w in results["workloads"]:
                self.assertEqual(w.get("datagrams", {"lost": 0})["lost"], 0, w["name"])
            return counts
        counts = sent(f"route pe to b via {slow}", f"route pe to b via {fast}", require="load(slow, up) > 0.4 % && load(fast, up) > 0 && load(fast, down) == 0 && path(a[0], b, [pe, upper[0], upper[1], exit])")
        self.assertAlmostEqual(counts["slow"], 100, delta=2)
        self.assertAlmostEqual(counts["fast"], 40, delta=25)
        self.assertGreater(counts["u0"], 250)  # datagrams and pings, 100 each, and segments of TCP
        self.assertAlmostEqual(sent("route pe to b via [lower[0], slow] { protocol = icmp }")["slow"], 100, delta=2)
        of_tcp = sent("route pe to b via [lower[0], slow] { protocol = tcp }")["slow"]
        self.assertGreater(of_tcp, 100)
        # Two marks before one, whatever the order of the text; a port alone is of any protocol.
        both = sent("route pe to b via [lower[0], slow] { port = 5000 }", "route pe to b via [lower[0], fast] { port = 5000, source = [a[2]] }")
        self.assertEqual((both["slow"], both["fast"]), (0, counts["fast"]))
        # Answers come from the port.
        back = apart(model("route exit to 10.1.0.0/16 via [lower[0]] { port = 5000 }", workloads=workloads))
        emulator, pcap = self.compile(back), self.fresh("back.pcap")
        self.simulate(emulator, "--capture", f"l2<={pcap}")
        self.assertAlmostEqual(len(packets(pcap)), counts["fast"], delta=6)
        error = run(ANMLC, "check", "-", input=model("route pe to b via [l0] { protocol = icmp, port = 80 }"), check=False).stderr
        self.assertIn("packets of ICMP have no ports", error)
        routes = json.loads(run(ANMLC, "--emit=routes", "-o", "-", "-", input=apart(model(f"route pe to b via {slow}", f"route pe to b via {fast}"))).stdout)
        self.assertEqual([(r.get("dscp"), r.get("protocol"), r.get("port")) for r in routes["segments"]], [(None, "udp", 5000), (46, None, None)])

    def test_rfc9256_what_cannot_be_followed_is_left_out(self):
        lists = "route pe to b via [lower[0], fast]", "route pe to b via [lower[0], slow]"
        for routes, before, after in ((lists, ("fast", "slow"), ("slow",)), (lists[:1], ("fast",), ("u1",))):
            text = model(*routes, "at 1 s { fast down }", workloads=FLOWS)
            counts, results = self.ways(self.compile(text), "--for", "900ms")
            for name in ("fast", "slow", "u1"):
                self.assertEqual(counts[name] > 0, name in before, name)
            self.assertEqual(results["packets"]["dropped"]["no_route"], 0)
            full, results = self.ways(self.compile(text))
            under_way = counts["fast"] / 0.9 * 7.8e-3  # what is on the link when it fails
            self.assertAlmostEqual(results["packets"]["dropped"]["link"], under_way, delta=5 * under_way ** 0.5)
            for name in after:
                self.assertGreater(full[name], counts[name])
            self.assertLess(full["fast"], 1.3 * counts["fast"])

    def test_lists_change_when_their_router_knows(self):
        """Also those of a link that no shortest path takes, and while other changes are not known to all."""
        for routing, gap in (("", 0), ("detection = 200 ms,", 200), ("detection = 50 ms, flooding = 30 ms, computation = 7 ms,", 50 + 2 * 30 + 7)):
            for others in ("", "every 100 ms from 930 ms to 1900 ms { u1 { cost = 11 } }\n  every 100 ms from 980 ms to 1900 ms { u1 { cost = 10 } }"):
                text = model("route pe to b via [lower[0], fast]", "at 1 s { fast down }", others, f"routing {{ {routing} metric = cost }}",
                             workloads=CBR.replace("20 ms", "1 ms").replace("1000 B", "100 B"))
                text = text.replace("fast: lower[0] -- lower[1] : wire {", "fast: lower[0] -- lower[1] : wire { cost = 50,")
                lost = self.simulate(self.compile(text))["packets"]["dropped"]["link"]
                # What is on the link, of 7 ms and 103 us, and on three before it, when it fails; and what comes until `pe` knows.
                self.assertAlmostEqual(lost, 7 + 2 + gap + 1, delta=1, msg=(routing, others))

    def test_dropped_without_segments(self):
        text = model("route pe to b via [lower[0], fast] { without = drop }", "at 1 s { fast down }", "at 1500 ms { fast up }")
        found = self.simulate(self.compile(text))
        self.assertAlmostEqual(found["packets"]["dropped"]["no_route"], 25, delta=1)
        self.assertAlmostEqual(found["workloads"][0]["datagrams"]["lost"], 25, delta=1)

    def test_a_segment_by_whatever_is_the_shortest_path(self):
        """The way to a router is another one when a link on it goes down: by the exit, 4 ms, and not over the link of 7 ms."""
        text = model("route pe to b via [lower[1]]", "at 1 s { slow down }", "require path(a[0], b, [pe, between, lower[0], lower[1], exit])",
                     "at 1500 ms { require path(a[0], b, [pe, upper[0], upper[1], exit, lower[1], exit]) }")
        counts, results = self.ways(self.compile(text))
        self.assertLess(results["workloads"][0]["datagrams"]["lost"], 2)
        self.assertGreater(counts["slow"], 45)
        self.assertEqual(counts["fast"], 0)
        self.assertGreater(counts["u2"], 45)
        self.assertGreater(counts["l2"], 95)

    def test_labels_and_the_mtu(self):
        """TCP learns of the room that labels take; what may be cut is cut."""
        route = "route pe to b via [lower[0], fast]"
        bulk = "workload t : traffic.Bulk on a[0] { to = b, size = 100 KB, start_spread = 0 s }"
        found = self.simulate(self.compile(model(route, workloads=bulk)))
        self.assertGreater(found["workloads"][0]["transfers"]["completed"], 3)
        self.assertGreater(found["packets"]["dropped"]["mtu"], 0)
        self.either_tier_has(model(route, workloads=bulk), found["digest"], found["workloads"])
        for addressing in (FOUR, SIX):
            datagrams = CBR.replace("1000 B", "1450 B" if addressing == SIX else "1470 B").replace("{ to", "{ fragments = true, to")
            found = self.simulate(self.compile(model(route, workloads=datagrams, addressing=addressing)))
            [workload] = found["workloads"]
            self.assertLessEqual(workload["datagrams"]["lost"], 2)
            self.assertGreater(found["packets"]["fragmented"], 80)

    def test_ipv6(self):
        for addressing in (SIX, BOTH):
            counts, results = self.ways(self.compile(model("route pe to b via [lower[0], fast]", addressing=addressing)))
            self.assertEqual(results["workloads"][0]["datagrams"]["lost"], 0)
            self.assertGreater(counts["fast"], 90)
        source = model("route pe to b via [lower[0], fast] { source = a[0] }", addressing=BOTH)
        self.assertGreater(self.ways(self.compile(source))[0]["fast"], 90)

    def test_however_it_is_run(self):
        text = model("route pe to b via [lower[0], fast] { weight = 2 }", "route pe to b via [upper[1], exit]", "route exit to a[*] via [l2, lower[0], between]",
                     "at 1 s { fast down }", "at 1200 ms { fast up }", workloads=FLOWS + "\n  " + PINGS.replace("TTL", "ttl = 64"))
        (digest, workloads), _ = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)

    def test_requirements(self):
        self.compile(model("route pe to b via [lower[0], fast]", "require path(a[0], b, [pe, between, lower[0], lower[1], exit])",
                           "require hops(a[0], b) == 6 && hops(b, a[0]) == 5 && via(a[0], b, lower[1]) && !via(a[0], b, upper[0])",
                           "require rtt(a[0], b) == 12 ms + 5 ms", "require path(pe, b, [between, lower[0], lower[1], exit])"))

    def test_as_a_program(self):
        """--emit=anml is the same network, and `fmt` leaves it as it is."""
        text = apart(model("route pe to 10.2.0.0/16 via [lower[0], fast] { weight = 3, source = a[0 .. 3], label_size = 8 B, without = drop }",
                           "route pe to b via [lower[*]]", "route pe to b via [upper[0]] { dscp = 46, protocol = udp, port = 80 }", workloads=PINGS.replace("TTL", "ttl = 64")))
        path = self.fresh("expanded.anml")
        path.write_text(run(ANMLC, "--emit=anml", "-", input=text).stdout)
        self.assertEqual(self.simulate(self.compile(path))["digest"], self.simulate(self.compile(text))["digest"])
        self.assertEqual(run(ANMLC, "fmt", "-", input=path.read_text()).stdout, path.read_text())

    def test_tables(self):
        routes = json.loads(run(ANMLC, "--emit=routes", "-", input=model("route pe to b via [lower[0], fast] { weight = 4 }",
                                                                         "route pe to b via [upper[1]] { weight = 2 }")).stdout)
        [given] = routes["segments"]
        self.assertEqual((given["node"], given["sources"], given["drop"]), ("pe", None, False))
        self.assertEqual(given["lists"], [{"segments": ["lower[0]", "fast"], "weight": 2}, {"segments": ["upper[1]"], "weight": 1}])


def packets(path):
    """The IP packets of a capture."""
    data, at, found = path.read_bytes(), 24, []
    while at < len(data):
        length = int.from_bytes(data[at + 8:at + 12], "little")
        packet = data[at + 16:at + 16 + length]
        found.append(packet if packet[0] >> 4 in (4, 6) else packet[14:])
        at += 16 + length
    return found


if __name__ == "__main__":
    unittest.main()
