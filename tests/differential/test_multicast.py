"""Multicast against arithmetic: one copy on each link of the tree, delays by hop, and losses that all behind a link have; the same for any number of threads."""
import json
import struct
import unittest

from emulators import ANMLC, EmulatorTest, run

# Datagrams of 1000 B with their headers: 0.8 ms on each link of 10 Mbps.
TREE = """
import std.traffic
model Tree(first: ratio = 0, branch: ratio = 0) {
  host source { address = 192.168.7.1 }
  router core
  router left
  router right
  host a[2]
  host b[3]
  link up: source -- core { rate = 10 Mbps, delay = 1 ms, loss = first }
  link toleft: core -- left { rate = 10 Mbps, delay = 2 ms, loss = branch }
  link toright: core -- right { rate = 10 Mbps, delay = 3 ms }
  link lasta: left -- a[*] { rate = 10 Mbps, delay = 4 ms }
  link lastb: right -- b[*] { rate = 10 Mbps, delay = 4 ms }
  MORE
  workload channel : traffic.Cbr on source { to = [a[*], b[*]], pairing = multicast, payload = 972 B, interval = 10 ms }
  run { duration = 20 s }
}
"""


class Multicast(EmulatorTest):
    def figures(self, *options, text=TREE, more="", run_with=()):
        self.results = self.simulate(self.compile(text.replace("MORE", more), *options), *run_with)
        self.links = {link["name"]: link["packets"] for link in self.results["busiest_links"]}
        [channel] = self.results["workloads"]
        self.datagrams = channel["datagrams"]
        return channel

    def test_each_link_carries_one_copy(self):
        channel = self.figures()
        self.assertEqual(self.datagrams["sent"], 5 * 2000)
        self.assertEqual(self.datagrams["lost"], 0)
        self.assertLessEqual(self.datagrams["sent"] - self.datagrams["received"], 10)
        for name, packets in self.links.items():
            self.assertTrue(1998 <= packets <= 2000, f"{name}: {packets}")
        self.assertEqual(len(self.links), 3 + 2 + 3)
        # Three links each: 1 + 2 + 4 ms to the left, 1 ms more to the right.
        self.assertAlmostEqual(1000 * channel["delay_seconds"]["min"], 3 * 0.8 + 1 + 2 + 4, places=6)
        self.assertAlmostEqual(1000 * channel["delay_seconds"]["max"], 3 * 0.8 + 1 + 3 + 4, places=6)
        packets = self.results["packets"]
        self.assertLessEqual(packets["sent"] - packets["delivered"], 10)

    def test_what_a_link_loses_all_behind_it_lose(self):
        """A tenth on the first link, for all five; a fifth of the rest on the way to two of them."""
        self.figures("-D", "first=10%", "-D", "branch=20%")
        lost = {link["name"]: link["lost"] for link in self.results["impaired_links"]}
        self.assertEqual(self.datagrams["lost"], 5 * lost["up>"] + 2 * lost["toleft>"])
        self.assertAlmostEqual(self.datagrams["lost_share"], 0.1 + 0.9 * 0.2 * 2 / 5, delta=0.02)
        # Both members behind the link have the same.
        self.assertAlmostEqual(self.links["lasta[0]>"], self.links["lasta[1]>"], delta=1)
        self.assertAlmostEqual(self.links["lasta[0]>"] / self.links["lastb[0]>"], 0.8, delta=0.04)

    def test_equal_paths_carry_one_copy(self):
        """Two ways of the same length between the routers: one of them is the tree's, and nobody gets anything twice."""
        more = "router other\n  link one: core -- other { rate = 10 Mbps, delay = 1 ms }\n  link two: other -- left { rate = 10 Mbps, delay = 1 ms }"
        self.figures(more=more)
        self.assertLessEqual(self.datagrams["sent"] - self.datagrams["received"], 10)
        self.assertLessEqual(self.datagrams["received"], self.datagrams["sent"])
        through = self.links.get("two>", 0), self.links["toleft>"] if "toleft>" in self.links else 0
        self.assertIn(0, through)
        self.assertAlmostEqual(sum(through), 2000, delta=2)

    def test_the_tree_moves_with_the_routes(self):
        """The link to the left is down for a half: copies come over the right, and what was on the link is lost for two."""
        more = "link across: left -- right { rate = 10 Mbps, delay = 9 ms }\n  from 5 s to 15 s { toleft down }"
        self.figures(more=more)
        self.assertAlmostEqual(self.links["across<"], 1000, delta=2)
        self.assertAlmostEqual(self.links["toleft>"], 1000, delta=2)
        self.assertAlmostEqual(self.links["toright>"], 2000, delta=2)
        self.assertLessEqual(self.datagrams["lost"], 2)
        self.assertEqual(self.datagrams["lost"] % 2, 0)

    def test_members_that_no_way_leads_to(self):
        self.figures(more="from 5 s to 15 s { toleft down }")
        self.assertAlmostEqual(self.datagrams["lost"], 2 * 1000, delta=4)
        self.assertAlmostEqual(self.links["lastb[0]>"], 2000, delta=2)

    def test_many_sources_of_one_group(self):
        """Members send to each other, as in a mesh of five: each has a tree, and none gets its own."""
        text = TREE.replace("on source", "on [a[*], b[*]]")
        self.figures(text=text)
        self.assertEqual(self.datagrams["sent"], 5 * 4 * 2000)
        self.assertEqual(self.datagrams["lost"], 0)
        for name, packets in self.links.items():
            expected = {"toleft>": 3, "toleft<": 2, "toright>": 2, "toright<": 3}.get(name, 4 if name.endswith(">") else 1)
            self.assertAlmostEqual(packets, expected * 2000, delta=20, msg=name)

    def test_what_a_capture_shows(self):
        """A group of those that sources give out (RFC 4607), and checksums that hold."""
        capture = self.fresh("up.pcap")
        self.figures(run_with=("--capture", f"up>={capture}", "--for", "1 s"))
        data = capture.read_bytes()
        self.assertEqual(struct.unpack("<I", data[20:24])[0], 101)  # LINKTYPE_RAW
        packet = data[24 + 16:]
        self.assertEqual(packet[16:20], bytes([232, 0, 1, 0]))
        words = struct.unpack(">10H", packet[:20])
        total = sum(words)
        self.assertEqual((total & 0xffff) + (total >> 16), 0xffff)
        length = struct.unpack(">H", packet[24:26])[0]
        udp = packet[12:20] + bytes([0, 17]) + packet[24:26] + packet[20:20 + length]
        total = sum(struct.unpack(f">{len(udp) // 2}H", udp))
        while total >> 16:
            total = (total & 0xffff) + (total >> 16)
        self.assertEqual(total, 0xffff)

    def test_ipv6(self):
        """Groups of RFC 4607, in packets that have 20 bytes more; losses and trees as over IPv4."""
        more = "addressing { ipv6 = 2001:db8::/64 }\n  link across: left -- right { rate = 10 Mbps, delay = 9 ms }\n  from 5 s to 15 s { toleft down }"
        capture = self.fresh("up6.pcap")
        channel = self.figures("-D", "first=10%", more=more, run_with=("--capture", f"up>={capture}"))
        lost = {link["name"]: link["lost"] for link in self.results["impaired_links"]}
        self.assertEqual(self.datagrams["lost"], 5 * lost["up>"])
        self.assertAlmostEqual(self.links["across<"], 1000 * 0.9, delta=60)
        # Each of three links takes 1020 B; the detour has one link more.
        each = 8 * 1020 / 10e3
        self.assertAlmostEqual(1000 * channel["delay_seconds"]["min"], 3 * each + 1 + 2 + 4, places=6)
        self.assertAlmostEqual(1000 * channel["delay_seconds"]["max"], 4 * each + 1 + 3 + 9 + 4, places=6)
        packet = capture.read_bytes()[24 + 16:][:1020]
        self.assertEqual(packet[0] >> 4, 6)
        self.assertEqual(packet[24:40], bytes([0xff, 0x3e]) + bytes(10) + bytes([0x80, 0, 0, 0]))
        words = packet[8:40] + struct.pack(">II", 980, 17) + packet[40:]
        total = sum(struct.unpack(f">{len(words) // 2}H", words))
        while total >> 16:
            total = (total & 0xffff) + (total >> 16)
        self.assertEqual(total, 0xffff)

    def test_expected_load(self):
        """The compiler expects one copy on each link."""
        path = self.fresh("expected.anml")
        path.write_text(TREE.replace("MORE", "endpoint tap\n  link tap -- core { rate = 1 Gbps }"))  # it is said of models that can be live
        expected = json.loads(run(ANMLC, path, "--emit=plan").stdout)["expected_hops"]
        counted = self.simulate(self.compile(path))["packet_hops"] / 20
        self.assertAlmostEqual(expected / counted, 1, delta=0.01)

    def test_alike_however_it_is_run(self):
        text = TREE.replace("first: ratio = 0, branch: ratio = 0", "first: ratio = 5 %, branch: ratio = 10 %").replace("20 s", "3 s")
        text = text.replace("MORE", "link across: left -- right { rate = 10 Mbps, delay = 9 ms }\n  from 1 s to 2 s { toleft down }\n"
                            "  workload talk : traffic.OnOff on b[*] { to = [a[*], b[*]], pairing = multicast, rate = 300 Kbps }")
        (digest, workloads), _ = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)


if __name__ == "__main__":
    unittest.main()
