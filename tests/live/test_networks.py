"""Endpoints that are networks: hosts of a subnet on the attached segment (on-link), routed ones in the language, and one
subnet on both sides of the model (bridged), whose hosts are not configured for it at all."""
import json
import re
import unittest

from frames import ARP, BROADCAST, IPV4, Wire, arp, ethernet, icmp, ip, mac
from netlab import Lab, addresses, info, ping, run, wait_until

BRIDGED = """
model Wan {
  endpoint a { prefix = 192.168.7.0/24, bridged = true }
  endpoint b { prefix = 192.168.7.0/24, bridged = true }
  router r[2]
  link left: a -- r[0] { rate = 1 Gbps }
  link wan: r[0] -- r[1] { rate = 100 Mbps, delay = 20 ms }
  link right: r[1] -- b { rate = 1 Gbps }
  run { duration = 120 s }
}
"""
ROUND_TRIP = 40.0  # ms

ON_LINK = """
model Office {
  endpoint lan { prefix = 192.168.7.0/24 }
  endpoint site { address = 10.2.0.1, behind = [192.168.8.0/24, 192.168.9.0/24] }
  router r
  host h[2]
  link l: lan -- r { rate = 1 Gbps, delay = 5 ms }
  link s: site -- r { rate = 1 Gbps, delay = 5 ms }
  link hosts: h[*] -- r { rate = 1 Gbps }
  run { duration = 120 s }
}
"""


class Segment:
    """A Linux bridge in a namespace of its own, with hosts, and one leg `leg` into the emulator's namespace."""

    def __init__(self, lab, inside, leg):
        self.lab, self.leg, self.space = lab, leg, lab.namespace(f"s{leg}")
        lab.run_in(self.space, "ip", "link", "add", "br0", "type", "bridge")
        lab.run_in(self.space, "ip", "link", "set", "br0", "up")
        self.port(inside, leg, f"p{leg}")

    def port(self, space, name, port):
        self.lab.veth(space, name, self.space, port)
        self.lab.run_in(self.space, "ip", "link", "set", port, "master", "br0")

    def host(self, label, address, length=24):
        host = self.lab.namespace(label)
        self.port(host, "eth0", f"h{label}")
        self.lab.run_in(host, "ip", "addr", "add", f"{address}/{length}", "dev", "eth0")
        return host


def configuration(lab, space):
    return [lab.run_in(space, "ip", "-4", *what).stdout for what in (("addr", "show", "dev", "eth0"), ("route", "show"))]


class Bridged(unittest.TestCase):
    def lab(self, lab, *options):
        self.results = lab.folder / "results.json"
        emulator = lab.compile(BRIDGED, "-O0")
        self.inside = lab.namespace("e")
        return emulator, ("--attach", "a=if:va", "--attach", "b=if:vb", "--results", self.results, "--for", "100s", *options)

    def test_two_hosts_need_no_configuration(self):
        with Lab() as lab:
            emulator, options = self.lab(lab)
            one, two = lab.namespace("1"), lab.namespace("2")
            for space, leg, address in ((one, "va", "192.168.7.1"), (two, "vb", "192.168.7.2")):
                lab.veth(space, "eth0", self.inside, leg)
                lab.run_in(space, "ip", "addr", "add", f"{address}/24", "dev", "eth0")
            before = [configuration(lab, space) for space in (one, two)]
            live = lab.start(emulator, "live", *options, space=self.inside)
            wait_until(lambda: ping(lab, one, "192.168.7.2", 1), 15, "the first reply: " + live.output())
            for space, other in ((one, "192.168.7.2"), (two, "192.168.7.1")):
                times = ping(lab, space, other, 20)
                self.assertEqual(len(times), 20)
                self.assertGreaterEqual(min(times), ROUND_TRIP)
            # Both know each other under the model's address: what the other's own is stays on its segment.
            seen = [lab.run_in(space, "ip", "neigh", "show", other).stdout.split()[4]
                    for space, other in ((one, "192.168.7.2"), (two, "192.168.7.1"))]
            self.assertEqual(seen[0], seen[1])
            self.assertEqual([configuration(lab, space) for space in (one, two)], before)
            # An address that nobody has is nobody's.
            none = lab.run_in(one, "ping", "-n", "-c", 1, "-W", 5, "192.168.7.77", check=False).stdout
            self.assertIn("Unreachable", none)
            server = lab.nginx({"/big": 2_000_000})
            lab.start(*server, "-g", "daemon off;", space=two)
            target = lab.folder / "got"
            wait_until(lambda: lab.run_in(one, "curl", "-s", "-m", 2, "-o", "/dev/null", "http://192.168.7.2/big",
                                          check=False).returncode in (0, 28), 10, "the server")
            lab.run_in(one, "curl", "-s", "-S", "-m", 60, "-o", target, "http://192.168.7.2/big", timeout=90)
            self.assertEqual(target.read_bytes(), b"x" * 2_000_000)
            self.assertEqual(live.stop(), 130, live.output())
            report = json.loads(self.results.read_text())["live"]
            self.assertEqual((report["malformed"], report["foreign"], report["moved"]), (0, 0, 0))
            self.assertEqual(report["groups"], 0)

    def test_segments_with_several_hosts_and_one_that_moves(self):
        with Lab() as lab:
            emulator, options = self.lab(lab)
            sides = [Segment(lab, self.inside, leg) for leg in ("va", "vb")]
            one, two = sides[0].host("1", "192.168.7.1"), sides[0].host("2", "192.168.7.2")
            three, four = sides[1].host("3", "192.168.7.3"), sides[1].host("4", "192.168.7.4")
            live = lab.start(emulator, "live", *options, space=self.inside)
            wait_until(lambda: ping(lab, one, "192.168.7.3", 1), 15, "the first reply: " + live.output())
            for space, other in ((one, 3), (one, 4), (two, 3), (three, 2), (four, 1)):
                times = ping(lab, space, f"192.168.7.{other}", 5)
                self.assertEqual(len(times), 5)
                self.assertGreaterEqual(min(times), ROUND_TRIP)
            # On one segment the emulator is not in the way.
            for space, other in ((one, 2), (four, 3)):
                self.assertLess(min(ping(lab, space, f"192.168.7.{other}", 9)), ROUND_TRIP / 2)
            # Host 4 goes to the other side, with its address.
            lab.run_in(sides[1].space, "ip", "link", "del", "h4")
            sides[0].port(four, "eth0", "h4")
            lab.run_in(four, "ip", "addr", "add", "192.168.7.4/24", "dev", "eth0")
            wait_until(lambda: ping(lab, four, "192.168.7.3", 1), 20, "the reply after the move: " + live.output())
            self.assertGreaterEqual(min(ping(lab, four, "192.168.7.3", 5)), ROUND_TRIP)
            self.assertGreaterEqual(min(ping(lab, three, "192.168.7.4", 5)), ROUND_TRIP)
            wait_until(lambda: ping(lab, one, "192.168.7.4", 1), 20, "the neighbour")
            self.assertLess(min(ping(lab, one, "192.168.7.4", 9)), ROUND_TRIP / 2)
            self.assertEqual(live.stop(), 130, live.output())
            self.assertEqual(json.loads(self.results.read_text())["live"]["moved"], 1)

    def test_forged_frames_take_over_nobody_of_another_segment(self):
        with Lab() as lab:
            emulator, options = self.lab(lab)
            sides = [Segment(lab, self.inside, leg) for leg in ("va", "vb")]
            one = sides[0].host("1", "192.168.7.1")
            sides[1].host("2", "192.168.7.2")
            forger = lab.namespace("f")
            sides[1].port(forger, "eth0", "hf")
            live = lab.start(emulator, "live", *options, space=self.inside)
            wait_until(lambda: ping(lab, one, "192.168.7.2", 1), 15, "the first reply: " + live.output())
            wire = Wire(forger, "eth0")
            for i in range(20000):
                source = mac(f"02:66:00:00:{i >> 8 & 255:02x}:{i & 255:02x}")
                claimed = "192.168.7.1" if i % 2 else f"192.168.7.{3 + i // 2 % 250}"
                wire.send(ethernet(BROADCAST, source, ARP, arp(1, source, claimed, bytes(6), claimed)))
                wire.send(ethernet(BROADCAST, source, ARP, arp(1, source, claimed, bytes(6), f"192.168.7.{i * 7 % 256}")))
                wire.send(ethernet(mac("02:41:00:00:00:00"), source, IPV4, ip(claimed, "192.168.7.2", 1, icmp(8))))
            wire.close()
            # On the forger's own segment host 2 may believe it; who asks now is told the truth.
            three = sides[1].host("3", "192.168.7.254")
            times = ping(lab, three, "192.168.7.1", 20)
            self.assertGreaterEqual(len(times), 15)
            self.assertGreaterEqual(min(times), ROUND_TRIP)
            self.assertEqual(live.stop(), 130, live.output())
            report = json.loads(self.results.read_text())["live"]
            self.assertEqual(report["moved"], 0)
            self.assertGreater(report["foreign"], 0)


class OnLink(unittest.TestCase):
    def test_every_host_of_the_prefix_speaks(self):
        with Lab() as lab:
            emulator = lab.compile(ON_LINK, "-O0")
            inside, site = lab.namespace("e"), lab.namespace("t")
            segment = Segment(lab, inside, "va")
            spaces = [segment.host(f"{i}", f"192.168.7.{i}") for i in (1, 2, 200)]
            lab.veth(site, "eth0", inside, "vs")
            lab.run_in(site, "ip", "addr", "add", "192.168.8.1/32", "dev", "lo")
            results = lab.folder / "results.json"
            live = lab.start(emulator, "live", "--attach", "lan=if:va", "--attach", "site=if:vs", "--results", results, "--for",
                             "100s", space=inside)
            said = wait_until(lambda: live.output() if "vs: endpoint" in live.output() and "forwards" in live.output() else None, 10,
                              "the commands")
            of_lan, of_site = said.split("vs: endpoint")
            self.assertIn("hosts of 192.168.7.0/24 (on-link)", of_lan)
            self.assertIn("forwards packets from and to 192.168.8.0/24, 192.168.9.0/24", of_site)
            for spaces_, commands in ((spaces, of_lan), ((site,), of_site)):
                for command in re.findall(r"^  (ip .*)$", commands, re.M):
                    for space in spaces_:
                        lab.run_in(space, *command.replace("dev DEV", "dev eth0").split())
            virtual = addresses(emulator)["h"]
            for space in spaces:
                wait_until(lambda: ping(lab, space, virtual, 1), 10, "the first reply: " + live.output())
                self.assertGreaterEqual(min(ping(lab, space, virtual, 3)), 10.0)
                self.assertGreaterEqual(min(ping(lab, space, "192.168.8.1", 3)), 20.0)
            # The router behind the other endpoint reaches each of them; who is not there is unreachable, the gateway says.
            for last in (1, 2, 200):
                self.assertEqual(len(ping(lab, site, f"192.168.7.{last}", 3)), 3)
            none = lab.run_in(site, "ping", "-n", "-c", 1, "-W", 8, "192.168.7.99", check=False).stdout
            self.assertRegex(none, f"From {info(emulator)['gateway']}.*Host Unreachable")
            self.assertEqual(live.stop(), 130, live.output())
            report = json.loads(results.read_text())["live"]
            self.assertEqual((report["malformed"], report["foreign"]), (0, 0))
            self.assertGreaterEqual(report["unreachable"], 1)


class Mapped(unittest.TestCase):
    def test_bad_tables_are_refused_at_their_place(self):
        with Lab() as lab:
            emulator = lab.compile(ON_LINK, "-O0")
            files = {
                "virtual,real\n192.168.7.1, 172.16.0.5\n192.168.7.2 ; 3\n": ":3:1: `192.168.7.2 ; 3` is no pair of addresses",
                "# hosts\n\n 192.168.7.300, 1.2.3.4\n": ":3:2: `192.168.7.300` is no address of IPv4",
                "192.168.7.1,224.0.0.1\n": ":1:13: 224.0.0.1 is the address of no single host",
                "192.168.7.1,1.2.3.4\n192.168.7.2,1.2.3.4\n": ":2: 1.2.3.4 stands for 192.168.7.1 already",
                "192.168.7.1,1.2.3.4\n192.168.7.1,1.2.3.5\n": ":2: 1.2.3.4 stands for 192.168.7.1 already",
                "10.9.9.9,1.2.3.4\n": ":1: 10.9.9.9 is neither the address of endpoint `lan` nor in a subnet of it",
                "192.168.7.1,10.2.0.1\n": ":1: 10.2.0.1 is the address of the model's `site`",
                "x" * 300: ":1:257: the line is too long",
            }
            table = lab.folder / "table.csv"
            for text, message in files.items():
                table.write_text(text)
                done = run(emulator, "live", "--attach", "lan=if:none", "--map", f"lan={table}", check=False)
                self.assertEqual(done.returncode, 2, text)
                self.assertIn(f"error: {table}{message}", done.stderr)
            for option, message in (("lan=/dev/zero", "`/dev/zero` is no file"), ("site=10.2.0.1:1.2.3.4", "`site` is not attached"),
                                    ("lan=192.168.7.1:no", "`no` is no address"), ("lan", "write it as ENDPOINT=VIRTUAL:REAL")):
                done = run(emulator, "live", "--attach", "lan=if:none", "--map", option, check=False)
                self.assertEqual(done.returncode, 2, option)
                self.assertIn(message, done.stderr)

    def test_hosts_of_any_address_take_virtual_places(self):
        with Lab() as lab:
            emulator = lab.compile(ON_LINK.replace(", behind = [192.168.8.0/24, 192.168.9.0/24]", ""), "-O0")
            inside, site = lab.namespace("e"), lab.namespace("t")
            segment = Segment(lab, inside, "va")
            real = {1: "172.16.0.5", 2: "172.16.0.6"}  # the places 192.168.7.1 and .2
            spaces = {place: segment.host(f"{place}", address) for place, address in real.items()}
            lab.veth(site, "eth0", inside, "vs")
            table = lab.folder / "lan.csv"
            table.write_text("virtual,real\n" + "".join(f"192.168.7.{place}, {address}  # host {place}\n"
                                                        for place, address in real.items()))
            capture, results = lab.folder / "lan.pcap", lab.folder / "results.json"
            live = lab.start(emulator, "live", "--attach", "lan=if:va", "--attach", "site=if:vs", "--map", f"lan={table}", "--map",
                             "site=10.2.0.1:203.0.113.7", "--capture", f"l={capture}", "--results", results, "--for", "100s",
                             space=inside)
            said = wait_until(lambda: live.output() if "vs: endpoint" in live.output() and live.output().count("ip route") >= 3
                              else None, 10, "the commands: " + live.output())
            of_lan, of_site = said.split("vs: endpoint")
            self.assertIn("ip addr add 203.0.113.7/32", of_site)
            for spaces_, commands in ((spaces.values(), of_lan), ((site,), of_site)):
                for command in re.findall(r"^  (ip .*)$", commands, re.M):
                    for space in spaces_:
                        lab.run_in(space, *command.replace("dev DEV", "dev eth0").split())
            for place, space in spaces.items():
                wait_until(lambda: ping(lab, space, "10.2.0.1", 1), 10, "the first reply: " + live.output())
                self.assertGreaterEqual(min(ping(lab, space, "10.2.0.1", 3)), 20.0)
                self.assertEqual(len(ping(lab, site, f"192.168.7.{place}", 3)), 3)
            # The host's own ICMP error, about a datagram that it had under its real address, names its place (RFC 5508).
            trace = lab.run_in(spaces[1], "traceroute", "-n", "-m", 5, "-q", 1, "-w", 2, "10.2.0.1").stdout
            self.assertEqual([line.split()[1] for line in trace.splitlines()[1:]], [addresses(emulator)["r"], "10.2.0.1"], trace)
            server = lab.nginx({"/big": 1_000_000})
            lab.start(*server, "-g", "daemon off;", space=site)
            target = lab.folder / "got"
            wait_until(lambda: lab.run_in(spaces[2], "curl", "-s", "-m", 2, "-o", "/dev/null", "http://10.2.0.1/big",
                                          check=False).returncode in (0, 28), 10, "the server")
            lab.run_in(spaces[2], "curl", "-s", "-S", "-m", 60, "-o", target, "http://10.2.0.1/big", timeout=90)
            self.assertEqual(target.read_bytes(), b"x" * 1_000_000)
            self.assertEqual(live.stop(), 130, live.output())
            self.assertEqual(json.loads(results.read_text())["live"]["malformed"], 0)
            # In the model are virtual addresses only, and all checksums are right.
            seen = run("tshark", "-n", "-r", capture, "-T", "fields", "-e", "ip.src", "-e", "ip.dst").stdout
            self.assertIn("192.168.7.2", seen)
            self.assertNotRegex(seen, r"172\.16\.|203\.0\.")
            bad = run("tshark", "-n", "-r", capture, "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-o",
                      "udp.check_checksum:TRUE", "-Y", "ip.checksum.status == 0 || tcp.checksum.status == 0 || "
                      "udp.checksum.status == 0 || icmp.checksum.status == 0").stdout
            self.assertEqual(bad, "", bad[:1000])


if __name__ == "__main__":
    unittest.main(verbosity=2)
