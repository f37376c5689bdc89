"""What bridged endpoints carry beside IPv4 from host to host: IPv6 with its neighbour discovery, groups, broadcasts, any EtherType; with the model's
delays and losses, and bounded whatever the segments do."""
import json
import os
import sys
import time
import unittest

from frames import BROADCAST, Wire, ethernet, mac
from netlab import Lab, median, ping, run, wait_until
from test_networks import BRIDGED, ROUND_TRIP, Segment
from test_wires import FLOOD, RECEIVE, SEND, quiet

ALL = os.environ.get("ANML_ALL") == "1"
THREE = """
model Three {
  endpoint a { prefix = 192.168.7.0/24, bridged = true }
  endpoint b { prefix = 192.168.7.0/24, bridged = true }
  endpoint c { prefix = 192.168.7.0/24, bridged = true }
  router r
  link left: a -- r { rate = 1 Gbps, delay = 10 ms }
  link right: b -- r { rate = 1 Gbps, delay = 10 ms }
  link third: c -- r { rate = 1 Gbps, delay = 10 ms }
  run { duration = 120 s }
}
"""
# Tells what it hears of a group, with the monotonic time.
LISTEN = """
import socket, struct, sys, time
group, port = sys.argv[1], int(sys.argv[2])
six = ":" in group
s = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("", port))
if six:
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, socket.inet_pton(socket.AF_INET6, group) + struct.pack("@I", socket.if_nametoindex("eth0")))
elif group != "255.255.255.255":
    s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + socket.inet_aton(sys.argv[3]))
print("ready", flush=True)
while True:
    said, _ = s.recvfrom(2000)
    print(time.monotonic_ns(), said.decode(), flush=True)
"""
SAY = """
import socket, sys, time
group, port, own = sys.argv[1], int(sys.argv[2]), sys.argv[3]
six = ":" in group
s = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
if six:
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, socket.if_nametoindex("eth0"))
else:
    s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"eth0")
for i in range(int(sys.argv[4])):
    s.sendto(str(time.monotonic_ns()).encode(), (group, port))
    time.sleep(0.01)
"""


class Segments(unittest.TestCase):
    def begin(self, lab, source, inside, *attached, options=()):
        self.results = lab.folder / "results.json"
        emulator = lab.compile(source)
        words = [word for one in attached for word in ("--attach", one)]
        live = lab.start(emulator, "live", *words, "--results", self.results, "--for", "100s", "--control", lab.folder / "ctl", *options, space=inside)
        wait_until(lambda: live.output().count("(bridged)") == len(attached), 15, "the emulator: " + live.output())
        return live

    def end(self, live):
        self.assertEqual(live.stop(), 130, live.output())
        return json.loads(self.results.read_text())

    def host(self, lab, inside, label, leg, last, addresses=True):
        space = lab.namespace(label)
        if not addresses:
            quiet(lab, space)
        lab.veth(space, "eth0", inside, leg)
        if addresses:
            lab.run_in(space, "ip", "addr", "add", f"192.168.7.{last}/24", "brd", "+", "dev", "eth0")
            lab.run_in(space, "ip", "addr", "add", f"fd00:7::{last}/64", "dev", "eth0")
        return space

    def two(self, lab, source=BRIDGED, options=(), addresses=True):
        inside = quiet(lab, lab.namespace("e"))
        spaces = [self.host(lab, inside, str(last), leg, last, addresses) for leg, last in (("va", 1), ("vb", 2))]
        return self.begin(lab, source, inside, "a=if:va", "b=if:vb", options=options), *spaces


class Bridged(Segments):
    def test_ipv6(self):
        """Duplicate address detection, neighbour discovery, link-local addresses, all hosts of the link, TCP with its offloads; captures show it."""
        with Lab() as lab:
            pcap = lab.folder / "wan.pcap"
            live, one, two = self.two(lab, options=("--capture", f"wan={pcap}"))
            wait_until(lambda: ping(lab, one, "fd00:7::2", 1), 20, "the first reply: " + live.output())
            link_local = lab.run_in(two, "ip", "-6", "-o", "addr", "show", "dev", "eth0", "scope", "link").stdout.split()[3].split("/")[0]
            for address in ("fd00:7::2", link_local + "%eth0"):
                times = ping(lab, one, address, 20)
                self.assertEqual(len(times), 20)
                self.assertGreaterEqual(min(times), ROUND_TRIP)
                self.assertLess(median(times), ROUND_TRIP * 1.5)
            self.assertIn(link_local, lab.run_in(one, "ping", "-c", 3, "-i", "0.2", "ff02::1%eth0", check=False).stdout)
            # The other host's own MAC address, and not the emulator's.
            own = json.loads(lab.run_in(two, "ip", "-j", "link", "show", "eth0").stdout)[0]["address"]
            self.assertIn(own, lab.run_in(one, "ip", "neigh", "show", "fd00:7::2").stdout)
            # An address that is taken at the other side is found out to be so.
            lab.run_in(one, "ip", "addr", "add", "fd00:7::2/64", "dev", "eth0")
            wait_until(lambda: "dadfailed" in lab.run_in(one, "ip", "-6", "addr", "show", "dev", "eth0").stdout, 10, "the duplicate")
            lab.run_in(one, "ip", "addr", "del", "fd00:7::2/64", "dev", "eth0")
            content = os.urandom(3 << 20)
            (lab.folder / "content").write_bytes(content)
            lab.start(sys.executable, "-m", "http.server", "--bind", "::", "--directory", lab.folder, "8000", space=two)
            got = lab.folder / "got"
            for host in ("[fd00:7::2]", "192.168.7.2"):
                lab.run_in(one, "curl", "-s", "-g", "--retry", 5, "--retry-connrefused", "-m", 60, "-o", got, f"http://{host}:8000/content", timeout=90)
                self.assertEqual(got.read_bytes(), content)
            found = self.end(live)
            self.assertEqual([found["live"][name] for name in ("malformed", "foreign", "ipv6", "groups")], [0] * 4, found["live"])
            shown = run("tcpdump", "-n", "-r", pcap).stdout
            for what in ("ICMP6, neighbor solicitation, who has fd00:7::2", "ICMP6, echo request", "IP 192.168.7.1"):
                self.assertIn(what, shown)

    def test_groups_and_broadcasts(self):
        """mDNS' groups and broadcasts reach all sides once and no earlier, and IGMP and MLD say so; a unicast goes to its side alone."""
        with Lab() as lab:
            inside = quiet(lab, lab.namespace("e"))
            spaces = [self.host(lab, inside, str(last), leg, last) for leg, last in (("va", 1), ("vb", 2), ("vc", 3))]
            live = self.begin(lab, THREE, inside, "a=if:va", "b=if:vb", "c=if:vc")
            wait_until(lambda: ping(lab, spaces[0], "fd00:7::2", 1), 20, "the first reply")
            seen = [lab.start("tcpdump", "-l", "-n", "-i", "eth0", "igmp or ip6", space=space) for space in spaces]
            wait_until(lambda: all("listening" in one.output() for one in seen), 10, "tcpdump")
            for group in ("224.0.0.251", "ff02::fb", "239.7.7.7", "192.168.7.255", "255.255.255.255"):
                own = "255.255.255.255" if group.endswith("255") else group
                listeners = [lab.start(sys.executable, "-u", "-c", LISTEN, own, 5353, f"192.168.7.{last}", space=spaces[last - 1]) for last in (2, 3)]
                wait_until(lambda: all("ready" in one.output() for one in listeners), 10, group)
                lab.run_in(spaces[0], sys.executable, "-c", SAY, group, 5353, "192.168.7.1", 20)
                time.sleep(0.3)
                for one in listeners:
                    one.stop()
                    lines = [line.split() for line in one.output().splitlines() if line[:1].isdigit()]
                    self.assertEqual(len(lines), 20, group + one.output())
                    took = [(int(heard) - int(said)) / 1e6 for heard, said in lines]
                    self.assertGreaterEqual(min(took), 20, group)
                    self.assertLess(median(took), 40, group)
            # What host 2 says to join groups is heard by host 1.
            self.assertRegex(seen[0].output(), r"IP 192\.168\.7\.2 > 224\.0\.0\.22: igmp v3 report")
            self.assertRegex(seen[0].output(), r"> ff02::16: .*multicast listener report")
            lab.run_in(spaces[0], "ping", "-c", 5, "-i", "0.1", "fd00:7::2")
            for one in seen:
                one.stop()
            self.assertIn("fd00:7::1 > fd00:7::2: ICMP6, echo request", seen[1].output())
            self.assertNotIn("fd00:7::2: ICMP6, echo request", seen[2].output())
            self.assertEqual(self.end(live)["live"]["malformed"], 0)

    def test_other_frames(self):
        """Any EtherType and length, from more stations than are remembered; tags beside the MTU. What pauses a device is for that one alone."""
        frames = "[(200000 + n, k, l) for n, k, l in kinds({0}) if k != 0x0806] + [(100000 + n, k, l) for n, k, l in lengths()[:1501:{0}]]".format(1 if ALL else 9)
        with Lab() as lab:
            pcap = lab.folder / "wan.pcap"
            live, one, two = self.two(lab, addresses=False, options=("--capture", f"wan>={pcap}"))
            receiver = lab.start(sys.executable, "-c", RECEIVE, frames, space=two)
            wait_until(lambda: "ready" in receiver.output(), 10, "the receiver")
            self.assertEqual(lab.run_in(one, sys.executable, "-c", SEND, frames, timeout=300).stdout, "[]\n")
            receiver.wait(60)
            self.assertRegex(receiver.output(), r"\n\d{3,} \[\] \[\]\n")
            sniffer = lab.start("tcpdump", "-l", "-n", "-e", "-i", "eth0", space=two)
            wait_until(lambda: "listening" in sniffer.output(), 10, "tcpdump")
            wire = Wire(one, "eth0")
            own = mac("02:00:00:00:00:01")
            bpdu = bytes.fromhex("424203000000000080000200000000010000000080000200000000018001000014000200") + bytes(11)
            for group, kind, payload in (("01:80:c2:00:00:0e", 0x88cc, bytes.fromhex("0207040200000000010403056574683006020078fe00000000") + bytes(30)),
                                         ("01:80:c2:00:00:00", 38, bpdu), ("01:80:c2:00:00:01", 0x8808, bytes([0, 1]) + bytes(44)),
                                         ("ff:ff:ff:ff:ff:ff", 0x8100, bytes([0, 42, 0x88, 0xb5]) + bytes(1500))):
                wire.send(ethernet(mac(group), own, kind, payload))
            self.assertEqual(wire.close(), 0)
            wait_until(lambda: "vlan 42" in sniffer.output(), 10, "the frames: " + sniffer.output())
            for what in ("LLDP", "STP 802.1d", "vlan 42"):
                self.assertIn(what, sniffer.output())
            self.assertNotIn("01:80:c2:00:00:01", sniffer.output())
            self.assertEqual(self.end(live)["live"]["malformed"], 0)
            # In EtherIP, as a link of IP has them.
            shown = run("tshark", "-r", pcap, "-Y", "etherip && (lldp || stp || vlan.id == 42)", "-T", "fields", "-e", "frame.protocols").stdout
            for what in ("raw:ip:etherip:eth:ethertype:lldp", "raw:ip:etherip:eth:llc:stp", "raw:ip:etherip:eth:ethertype:vlan:ethertype:data"):
                self.assertIn(what, shown)

    def test_past_a_firewall_and_through_af_xdp(self):
        """A router that lets nothing of IP pass has no rule for frames; AF_XDP leaves them to a packet socket."""
        source = "import std.middlebox\n" + BRIDGED.replace("router r[2]", "router r[2] { middlebox = middlebox.firewall() }")
        with Lab() as lab:
            inside = quiet(lab, lab.namespace("e"))
            one, two = (self.host(lab, inside, str(last), leg, last) for leg, last in (("va", 1), ("vb", 2)))
            live = self.begin(lab, source, inside, "a=xdp:va", "b=if:vb")
            wait_until(lambda: ping(lab, one, "fd00:7::2", 1), 20, "the first reply: " + live.output())
            self.assertGreaterEqual(min(ping(lab, two, "fd00:7::1", 20)), ROUND_TRIP)
            self.assertEqual(ping(lab, one, "192.168.7.2", 3), [])
            self.assertGreater(self.end(live)["packets"]["dropped"]["middlebox"], 0)

    def test_losses_and_cuts(self):
        with Lab() as lab:
            source = BRIDGED.replace("delay = 20 ms", "delay = 20 ms, loss = 20 %")
            live, one, two = self.two(lab, source)
            wait_until(lambda: ping(lab, one, "fd00:7::2", 1), 20, "the first reply: " + live.output())
            times = ping(lab, one, "fd00:7::2", 100, 0.02)
            self.assertLess(40, len(times))
            self.assertLess(len(times), 88)
            change = lambda *words: run(lab.folder / "emu", "ctl", "link", "wan", *words, "--control", lab.folder / "ctl")
            change("down")
            self.assertFalse(ping(lab, one, "fd00:7::2", 10, 0.02))
            change("up")
            change("loss=0")
            change("delay=50ms")
            wait_until(lambda: ping(lab, one, "fd00:7::2", 1), 10, "a reply")
            self.assertGreaterEqual(min(ping(lab, one, "fd00:7::2", 10, 0.02)), 100)
            self.assertGreater(self.end(live)["packets"]["dropped"]["lost"], 20)


class Bounded(Segments):
    """What one side sends takes no more than the model's rates, and the emulator goes on."""
    SLOW = BRIDGED.replace("rate = 100 Mbps, delay = 20 ms", "rate = 10 Mbps, delay = 1 ms, queue = droptail(64 KB)")

    def received(self, lab, space, name="eth0"):
        return int(lab.run_in(space, "cat", f"/sys/class/net/{name}/statistics/rx_bytes").stdout)

    def test_a_flood_of_broadcasts(self):
        with Lab() as lab:
            live, one, two = self.two(lab, self.SLOW, addresses=False)
            before, began = self.received(lab, two), time.monotonic()
            sent = int(lab.run_in(one, sys.executable, "-c", FLOOD, "1514", "3").stdout)
            time.sleep(0.3)
            arrived = self.received(lab, two) - before
            self.assertLess(arrived, 10e6 / 8 * (time.monotonic() - began) * 1.05 + 65536)
            self.assertGreater(arrived, 10e6 / 8 * 2)
            self.assertGreater(self.end(live)["packets"]["dropped"]["queue"], sent / 2)

    def test_a_loop(self):
        """A second way between the two segments: what circles there takes no more than the rate; a spanning tree of the bridges, whose BPDUs cross,
        breaks it."""
        for spanning_tree in (0, 1):
            with self.subTest(stp=spanning_tree), Lab() as lab:
                inside = quiet(lab, lab.namespace("e"))
                sides = [Segment(lab, inside, leg) for leg in ("va", "vb")]
                for side in sides:
                    quiet(lab, side.space)
                    lab.run_in(side.space, "ip", "link", "set", "br0", "type", "bridge", "stp_state", spanning_tree, "hello_time", 100, "forward_delay", 200)
                hosts = [side.host(str(i), f"192.168.7.{i}") for i, side in enumerate(sides, 1)]
                live = self.begin(lab, self.SLOW, inside, "a=if:va", "b=if:vb")
                lab.veth(sides[0].space, "second", sides[1].space, "second")
                for side in sides:
                    lab.run_in(side.space, "ip", "link", "set", "second", "master", "br0")
                if spanning_tree:
                    states = lambda: "".join(lab.run_in(side.space, "bridge", "link").stdout for side in sides)
                    wait_until(lambda: "state blocking" in states() and states().count("state forwarding") >= 5, 30, "the tree: " + states())
                time.sleep(1)
                lab.run_in(hosts[0], sys.executable, "-c", FLOOD, "1514", "0.5")
                time.sleep(2)
                before, began = self.received(lab, sides[1].space, "pvb"), time.monotonic()
                time.sleep(1)
                circled, passed = self.received(lab, sides[1].space, "pvb") - before, time.monotonic() - began
                self.assertLess(circled, 1e4 if spanning_tree else 10e6 / 8 * passed * 1.05 + 65536)
                self.end(live)

    def test_forged_stations(self):
        """A host that speaks keeps its MAC address, whoever claims it at another side."""
        with Lab() as lab:
            live, one, two = self.two(lab)
            wait_until(lambda: ping(lab, one, "fd00:7::2", 1), 20, "the first reply")
            own = mac(json.loads(lab.run_in(one, "ip", "-j", "link", "show", "eth0").stdout)[0]["address"])
            talk = lab.start("ping", "-n", "-i", "0.05", "-c", 60, "-w", 8, "fd00:7::2", space=one)
            wire = Wire(two, "eth0")
            for i in range(20000):
                wire.send(ethernet(BROADCAST, own if i % 2 else mac(f"02:66:00:00:{i >> 8 & 255:02x}:{i & 255:02x}"), 0x88b5, bytes(46)))
            wire.close()
            self.assertEqual(talk.wait(20), 0, talk.output())
            self.assertIn("60 received", talk.output())
            self.assertGreater(self.end(live)["live"]["foreign"], 5000)


if __name__ == "__main__":
    unittest.main()
