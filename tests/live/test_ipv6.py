"""IPv6 at endpoints: a real host on a veth, one on a TAP device, and a command in the sandbox use the emulated network by
neighbour discovery, router advertisements and ICMPv6, as Linux's own tools see it."""
import json
import os
import re
import unittest

import frames
from frames import IPV6, Wire, ethernet, mac
from netlab import Lab, info, run, wait_until

MODEL = """
import std.ether
import std.traffic
import std.web

model Six {
  addressing { pool = 2001:db8::/64 }
  endpoint left  { address = 2001:db8:1::1 }
  endpoint right { address = 2001:db8:2::1 }
  endpoint shop  { address = 2001:db8:3::1, simulated = web.server() }
  router r[3]
  host h
  host client
  link a: left -- r[0]    : ether.gigabit { delay = 1 ms, mtu = 1480 B }
  link hop0: r[0] -- r[1] : ether.gigabit { delay = 1 ms }
  link hop1: r[1] -- r[2] : ether.gigabit { delay = 1 ms, mtu = 1300 B }
  link b: r[2] -- right   : ether.gigabit { delay = 1 ms }
  link c: r[2] -- h       : ether.gigabit { delay = 1 ms }
  link d: r[1] -- shop    : ether.gigabit { delay = 1 ms }
  link e: r[0] -- client  : ether.gigabit { delay = 1 ms }
  workload browse : web.ClosedLoop on client { server = right, documents = [web.fixed(20 KB)], think = 200 ms }
  run { duration = 60 s }
}
"""
BOTH = """
import std.ether
import std.web

model Both {
  addressing { pool = 10.8.0.0/16, ipv6 = 2001:db8::/64 }
  endpoint server
  router r
  host client
  host h
  link a: server -- r : ether.gigabit { delay = 1 ms }
  link b: r -- client : ether.gigabit { delay = 1 ms }
  link c: r -- h      : ether.gigabit { delay = 1 ms }
  workload browse : web.ClosedLoop on client { server = server, documents = [web.fixed(20 KB)], think = 100 ms }
  run { duration = 3 s }
}
"""
SIZES = (0, 1, 1200, 1433, 4096, 65487)
SERVER = """
import http.server, socket, sys
class Six(http.server.ThreadingHTTPServer):
    address_family = socket.AF_INET6
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", self.path[1:])
        self.end_headers()
        self.wfile.write(b"x" * int(self.path[1:]))
    def log_message(self, *_):
        pass
Six((sys.argv[1], 80), Handler).serve_forever()
"""


def checksummed(source, target, message):
    """ICMPv6 with its checksum (RFC 4443, 2.3)."""
    pseudo = frames.ipaddress.IPv6Address(source).packed + frames.ipaddress.IPv6Address(target).packed
    total = frames.checksum(pseudo + len(message).to_bytes(4, "big") + b"\0\0\0\x3a" + message)
    return message[:2] + total.to_bytes(2, "big") + message[4:]


class Endpoints(unittest.TestCase):
    """Two real hosts, the left one with nothing but its address, as a plain Linux host that accepts advertisements."""

    @classmethod
    def setUpClass(cls):
        cls.lab = lab = Lab()
        emulator = lab.compile(MODEL)
        facts = info(emulator)
        cls.router = facts["gateway_ipv6"]
        cls.where = {node["name"]: node["ipv6"].split(" ")[0] for node in facts["nodes"]}
        inside = lab.namespace("e")
        cls.hosts = {}
        attach = []
        for name, own in (("left", "2001:db8:1::1"), ("right", "2001:db8:2::1")):
            space = cls.hosts[name] = lab.namespace(name[0])
            lab.run_in(space, "sysctl", "-qw", "net.ipv6.conf.default.accept_ra=1")
            lab.veth(space, "eth0", inside, f"to_{name}")
            lab.run_in(space, "ip", "addr", "add", f"{own}/128", "dev", "eth0")  # with duplicate address detection
            attach += ["--attach", f"{name}=if:to_{name}"]
        lab.start("python3", "-c", SERVER, "::", space=cls.hosts["right"])
        cls.results, cls.capture = lab.folder / "results.json", lab.folder / "hop1.pcap"
        cls.live = lab.start(emulator, "live", "--for", "600s", *attach, "--results", cls.results, "--capture", f"hop1={cls.capture}",
                             space=inside)
        wait_until(lambda: cls.ping("2001:db8:2::1", 8)[0], 15, "the first reply: " + cls.live.output())

    @classmethod
    def ping(cls, to, size, count=1, space="left", *options):
        said = cls.lab.run_in(cls.hosts[space], "ping", "-6", "-n", "-c", count, "-i", 0.1, "-W", 2, "-s", size, *options, to,
                              check=False).stdout
        received = re.search(r"(\d+) received", said)
        return int(received.group(1)) if received else 0, said

    def test_1_what_a_router_advertises(self):
        for space in self.hosts.values():
            routes = self.lab.run_in(space, "ip", "-6", "route", "show", "default").stdout
            self.assertRegex(routes, rf"default via {self.router} dev eth0 proto ra")
            # The host kept its address, and made up none but the link-local one.
            own = self.lab.run_in(space, "ip", "-6", "-o", "addr", "show", "dev", "eth0").stdout
            self.assertEqual(len(own.splitlines()), 2, own)
            self.assertNotRegex(own, "dadfailed|tentative")
        mtu = lambda name: self.lab.run_in(self.hosts[name], "sysctl", "-n", "net.ipv6.conf.eth0.mtu").stdout.strip()
        self.assertEqual((mtu("left"), mtu("right")), ("1480", "1500"))

    def test_2_ping_of_every_size(self):
        for to in ("2001:db8:2::1", self.where["r"], self.where["h"], "2001:db8:3::1", "64:ff9b:1::c000:8"):
            self.ping(to, 4000, 3)  # both ends hear of the path's MTU
            for size in SIZES:
                with self.subTest(to=to, size=size):
                    received, said = self.ping(to, size, 2)
                    self.assertEqual(received, 2, said)
                    self.assertIn(f"{size + 8} bytes from {to}", said)
                    self.assertNotIn("wrong data", said)
        self.assertEqual(self.ping("2001:db8:1::1", 4000, 2, "right")[0], 2)
        self.assertEqual(self.ping("2001:db8:2::1", 65507, 2)[0], 2)
        self.assertEqual(self.ping(f"{self.router}%eth0", 56, 2)[0], 2)

    def test_3_path_mtu(self):
        space = self.hosts["left"]
        self.lab.run_in(space, "ip", "-6", "route", "flush", "cache")
        _, said = self.ping("2001:db8:2::1", 1432, 2, "left", "-M", "do")
        self.assertRegex(said, r"Packet too big: mtu=1300")
        self.assertIn("mtu 1300", self.lab.run_in(space, "ip", "-6", "route", "get", "2001:db8:2::1").stdout)
        self.lab.run_in(space, "ip", "-6", "route", "flush", "cache")
        said = self.lab.run_in(space, "tracepath", "-6", "-n", "2001:db8:2::1").stdout
        self.assertRegex(said, r"Resume: pmtu 1300 hops 4 back 4")

    def test_4_traceroute(self):
        first = frames.ipaddress.IPv6Address(self.where["r"])
        routers = [str(first + i) for i in range(3)]
        for probe in ((), ("-I",), ("-T", "-p", "80")):
            said = self.lab.run_in(self.hosts["left"], "traceroute", "-6", "-n", "-q", 1, "-w", 2, *probe, "2001:db8:2::1").stdout
            self.assertEqual(re.findall(r"^\s*\d+\s+(\S+)", said, re.M), routers + ["2001:db8:2::1"], said)

    def test_5_web(self):
        fetch = lambda url: self.lab.run_in(self.hosts["left"], "curl", "-6", "-g", "-s", "-S", "-m", 20, "-o", "/dev/null", "-w",
                                            "%{size_download}", url).stdout
        self.assertEqual(fetch("http://[2001:db8:3::1]/20480"), "20480")      # a simulated server
        self.assertEqual(fetch("http://[2001:db8:2::1]/3000000"), "3000000")  # a real one, through the smaller MTU

    def test_6_unreachable(self):
        _, said = self.ping("2001:db8:77::1", 8)
        self.assertRegex(said, r"From 64:ff9b:1::c000:8 icmp_seq=1 Destination unreachable: No route")
        script = ("import socket; s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); s.settimeout(5);"
                  f"s.connect(('{self.where['h']}', 9)); s.send(b'x')\ntry: s.recv(1)\nexcept ConnectionRefusedError: print('refused')")
        self.assertEqual(self.lab.run_in(self.hosts["left"], "python3", "-c", script).stdout, "refused\n")

    def test_7_neighbours_and_hostile_frames(self):
        space = self.hosts["left"]
        known = lambda: self.lab.run_in(space, "ip", "-6", "neigh", "show", self.router, "dev", "eth0").stdout
        self.assertIn("router", known())
        model = mac(re.search(r"lladdr (\S+)", known()).group(1))
        own = mac(re.search(r"link/ether (\S+)", self.lab.run_in(space, "ip", "link", "show", "eth0").stdout).group(1))
        host, h = "2001:db8:1::1", self.where["h"]
        seen = self.lab.folder / "seen.pcap"
        dump = self.lab.start("tcpdump", "-U", "-w", seen, "-i", "eth0", "-Q", "in", "icmp6", space=space)
        wait_until(lambda: "listening" in dump.output(), 10, "tcpdump")
        wire = Wire(space, "eth0")

        def send(source, target, message, to=model, limit=255):
            wire.send(ethernet(to, own, IPV6, frames.ipv6(source, target, 58, checksummed(source, target, message), limit)))

        packed = lambda address: frames.ipaddress.IPv6Address(address).packed
        group = lambda address: f"ff02::1:ff{packed(address)[13:].hex()[:2]}:{packed(address)[14:].hex()}"
        solicit = lambda target, rest=b"": bytes([135] + [0] * 7) + packed(target) + rest
        many = b"\x33\x33\xff" + packed(h)[13:]
        option = b"\1\1" + own
        for limit, rest in ((64, option), (255, b"\1\0" + own), (255, b"\1\xff" + own), (255, b"\1\1" + own[:5]), (254, b"")):
            send(host, group(h), solicit(h, rest), many, limit)      # each is wrong
        send(host, group(h), solicit(h)[:20], many)
        for chain in (b"\x3c\0" + bytes(6), b"\0\xff" + bytes(6), b"\x2b\0" + bytes(6), b"\x2c\0" + bytes(6)):
            for kind in (0, 43, 44, 60):
                wire.send(ethernet(model, own, IPV6, frames.ipv6(host, h, kind, chain * 8)))
        send(host, group(h), solicit(h, option), many)                # right: the emulator stands for it
        send("::", group(h), solicit(h), many)                        # somebody wants to have a node's address
        send("::", group(host), solicit(host), b"\x33\x33\xff" + packed(host)[13:])  # ... the host's own
        wire.close()
        rows = lambda: [line.split("\t") for line in run("tshark", "-n", "-r", seen, "-Y", "icmpv6.type == 136", "-T", "fields", "-e",
                        "ipv6.dst", "-e", "icmpv6.nd.na.target_address", "-e", "icmpv6.nd.na.flag.s", check=False).stdout.splitlines()]
        wait_until(lambda: len(rows()) >= 2, 10, "the answers")
        self.assertEqual(self.ping(h, 56, 2)[0], 2)                   # it lives
        dump.stop()
        answers = [(to, target, solicited in ("1", "True")) for to, target, solicited in rows() if target != self.router]
        self.assertEqual(answers, [(host, h, True), ("ff02::1", h, False)])
        bad = run("tshark", "-n", "-r", seen, "-Y", "icmpv6.checksum.status == 0 || _ws.malformed").stdout
        self.assertEqual(bad, "")

    @classmethod
    def tearDownClass(cls):
        lab = cls.lab
        try:
            assert cls.live.stop() == 130, cls.live.output()
            # A router that ends says so (RFC 4861, 6.2.5).
            for space in cls.hosts.values():
                assert lab.run_in(space, "ip", "-6", "route", "show", "default").stdout == ""
            results = json.loads(cls.results.read_text())
            assert results["transactions"]["failed"] == 0 and results["transactions"]["completed"] > 10, results["transactions"]
            assert results["live"]["malformed"] >= 6, results["live"]
            bad = run("tshark", "-n", "-r", cls.capture, "-o", "tcp.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-Y",
                      "tcp.checksum.status == 0 || udp.checksum.status == 0 || icmpv6.checksum.status == 0 || frame.len > 1300").stdout
            assert bad == "", bad[:2000]
        finally:
            lab.close()


class Sandboxed(unittest.TestCase):
    def test_both_families_in_the_sandbox(self):
        with Lab() as lab:
            emulator = lab.compile(BOTH)
            facts = info(emulator)
            six = {node["name"]: node["ipv6"] for node in facts["nodes"]}
            self.assertEqual(facts["endpoints"][0]["ipv6"], six["server"])
            self.assertIn(f"gateway {facts['gateway']} and {facts['gateway_ipv6']}", run(emulator, "info").stdout)
            said, results = lab.folder / "said", lab.folder / "results.json"
            (lab.folder / "server.py").write_text(SERVER)
            script = (f"(ip -o addr; ip -6 route; ping -n -c 2 -i 0.1 -w 10 {six['h']}; ping -n -c 2 -i 0.1 -w 10 {facts['gateway']};"
                      f" curl -s -S -g 'http://[{six['h']}]/' 2>&1) > {said}; exec python3 {lab.folder}/server.py ::")
            as_user = ()
            if os.geteuid() == 0:  # rootless is the harder one
                lab.folder.chmod(0o777)
                as_user = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
            done = run(*as_user, emulator, "live", "--results", results, "--control", "none", "--sandbox", "--", "sh", "-c", script,
                       timeout=60)
            text = said.read_text()
            self.assertRegex(text, rf"eth0 +inet6 {six['server']}/128 ")
            self.assertRegex(text, r"eth0 +inet 10\.8\.")
            self.assertRegex(text, rf"default via {facts['gateway_ipv6']} dev eth0")
            self.assertEqual(text.count("2 received"), 2, text)
            self.assertIn("curl: (7)", text)  # at once: the port is unreachable
            found = json.loads(results.read_text())
            self.assertEqual(found["transactions"]["failed"], 0)
            self.assertGreater(found["transactions"]["completed"], 5, done.stderr)


class Tap(unittest.TestCase):
    def test_a_tap_device_of_both_families(self):
        with Lab() as lab:
            emulator = lab.compile(BOTH)
            six = {node["name"]: node["ipv6"] for node in info(emulator)["nodes"]}
            inside = lab.namespace("e")
            live = lab.start(emulator, "live", "--attach", "server=tap:t0", "--no-workload", "--for", "60s", space=inside)
            ping = lambda: lab.run_in(inside, "ping", "-n", "-c", 2, "-i", 0.1, "-W", 2, six["h"], check=False).stdout
            wait_until(lambda: "2 received" in ping(), 15, "the first reply: " + live.output())
            self.assertIn(f"and {six['server']}", live.output())
            # This machine's other traffic goes where it went.
            self.assertEqual(lab.run_in(inside, "ip", "-6", "route", "show", "default").stdout, "")
            self.assertEqual(live.stop(), 130, live.output())
            self.assertNotIn("2001:db8", lab.run_in(inside, "ip", "-6", "route").stdout)


if __name__ == "__main__":
    unittest.main()
