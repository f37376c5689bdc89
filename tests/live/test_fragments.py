"""IPv4 and ICMP in full, as the tools of real hosts see them: ping of every size, tracepath, traceroute, pchar, a real
TCP over a path whose MTU falls, IP options; and the captures as tshark reads them."""
import json
import re
import unittest

from frames import IPV4, Wire, ethernet, icmp, ip, mac, udp
from netlab import Lab, addresses, by_the_clock, info, main, ping, run, wait_until

MODEL = """
import std.ether

model Cut {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r[3]
  host h
  link a: left -- r[0]    : ether.gigabit { delay = 1 ms }
  link hop0: r[0] -- r[1] : ether.gigabit { delay = 1 ms, mtu = 1000 B }
  link hop1: r[1] -- r[2] : ether.gigabit { delay = 1 ms, mtu = 600 B }
  link b: r[2] -- right   : ether.gigabit { delay = 1 ms }
  link c: r[2] -- h       : ether.gigabit { delay = 1 ms, mtu = 296 B }
  run { duration = 120 s }
}
"""
# Rates at which what a busy machine adds to a packet's time is little of it.
SLOW = """
import std.ether

model Slow {
  endpoint left  { address = 10.1.0.1 }
  router r[3]
  host h
  link a: left -- r[0] { rate = 2 Mbps, delay = 1 ms }
  link x: r[0] -- r[1] { rate = 1 Mbps, delay = 2 ms }
  link y: r[1] -- r[2] { rate = 500 Kbps, delay = 3 ms }
  link z: r[2] -- h    { rate = 1 Mbps, delay = 1 ms }
  run { duration = 120 s }
}
"""
SIZES = (0, 1, 8, 1472, 1473, 4096, 65507)


class Fragments(unittest.TestCase):
    """A path of MTU 1500, 1000, 600, 1500 between two real hosts; a virtual one behind 296."""

    @classmethod
    def setUpClass(cls):
        cls.lab = lab = Lab()
        emulator = lab.compile(MODEL)
        inside = lab.namespace("e")
        cls.hosts = {}
        facts = info(emulator)
        cls.gateway = facts["gateway"]
        attach = []
        for name, own in (("left", "10.1.0.1"), ("right", "10.2.0.1")):
            space = cls.hosts[name] = lab.namespace(name[0])
            lab.veth(space, "eth0", inside, f"to_{name}")
            lab.run_in(space, "ip", "addr", "add", f"{own}/32", "dev", "eth0")
            lab.run_in(space, "ip", "route", "add", "10.0.0.0/8", "via", cls.gateway, "dev", "eth0", "onlink")
            # Each probe is answered; Linux would answer one a second, after six.
            lab.run_in(space, "sysctl", "-qw", "net.ipv4.icmp_ratelimit=0")
            attach += ["--attach", f"{name}=if:to_{name}"]
        cls.results, cls.capture = lab.folder / "results.json", lab.folder / "hop1.pcap"
        cls.live = lab.start(emulator, "live", "--for", "600s", *attach, "--results", cls.results, "--capture", f"hop1={cls.capture}",
                             space=inside)
        cls.where = addresses(emulator)
        wait_until(lambda: ping(lab, cls.hosts["left"], "10.2.0.1", 1), 15, "the first reply: " + cls.live.output())

    @classmethod
    def tearDownClass(cls):
        try:
            assert cls.live.stop() == 130, cls.live.output()
            packets = json.loads(cls.results.read_text())["packets"]
            assert packets["fragmented"] > 0 and packets["fragments"] > 2 * packets["fragmented"], packets
            assert packets["reassembly"]["whole"] > 0, packets
            assert packets["unfragmented"] == 0, packets
            # Linux chooses some of the ports: tshark takes a few of them for a protocol's.
            shown = lambda *options: run("tshark", "-n", "-r", cls.capture, "-o", "ip.check_checksum:TRUE",
                                         "-d", "udp.port==32768-60999,data", *options).stdout
            # Every fragment has its right header, and tshark puts all of each datagram together.
            bad = shown("-Y", "(_ws.malformed && !gre) || ip.checksum.status == 0 || udp.checksum.status == 0"
                              " || icmp.checksum.status == 0 || ip.fragment.error || ip.fragment.overlap")
            assert bad == "", bad[:2000]
            assert shown("-Y", "frame.len > 600") == ""
            whole = shown("-Y", "ip.reassembled.length == 65515").splitlines()
            assert len(whole) > 1, len(whole)
            lengths = {int(length) for length in shown("-Y", "ip.flags.mf == 1 && !(icmp.type == 11)", "-T", "fields", "-E", "occurrence=f",
                                                       "-e", "ip.len").split()}
            assert all((length - 20) % 8 == 0 for length in lengths), lengths
        finally:
            cls.lab.close()

    def forget_mtu(self, *names):
        for name in names or self.hosts:
            self.lab.run_in(self.hosts[name], "ip", "route", "flush", "cache")

    def pings(self, to, size, mode, count=2, space="left", wait=2):
        done = self.lab.run_in(self.hosts[space], "ping", "-n", "-c", count, "-i", 0.2, "-W", wait, "-s", size, "-M", mode, to,
                               check=False).stdout
        return int(re.search(r"(\d+) received", done).group(1)), done

    def test_ping_of_every_size(self):
        for to in (self.gateway, self.where["r"], self.where["h"], "10.2.0.1"):
            for size in SIZES:
                with self.subTest(to=to, size=size):
                    received, said = self.pings(to, size, "dont")
                    self.assertEqual(received, 2, said)
                    self.assertIn(f"{size + 8} bytes from {to}", said)
                    self.assertNotIn("wrong data", said)

    def test_ping_finds_the_mtu_of_the_path(self):
        self.forget_mtu()
        _, said = self.pings("10.2.0.1", 1472, "do", count=3)
        self.assertRegex(said, r"From \S+ icmp_seq=1 Frag needed and DF set \(mtu = 1000\)")
        self.assertIn("+3 errors", said)  # of the kernel, which has learned it, but for the first one
        _, said = self.pings("10.2.0.1", 972, "do", count=2)
        self.assertIn("Frag needed and DF set (mtu = 600)", said)
        self.assertEqual(self.pings("10.2.0.1", 572, "do")[0], 2)
        # The reply may be cut: the virtual host's link has the smallest MTU of all.
        self.assertEqual(self.pings(self.where["h"], 268, "do")[0], 2)
        # By itself the kernel cuts what it has to, once it knows.
        self.assertEqual(self.pings("10.2.0.1", 4000, "want")[0], 2)
        self.forget_mtu()

    def test_tracepath(self):
        self.forget_mtu()
        said = self.lab.run_in(self.hosts["left"], "tracepath", "-n", "10.2.0.1", timeout=60).stdout
        self.assertEqual(re.findall(r"pmtu (\d+)", said), ["1500", "1000", "600", "600"], said)
        self.assertRegex(said, r"Resume: pmtu 600 hops 4 back 4")
        said = self.lab.run_in(self.hosts["left"], "tracepath", "-n", self.where["h"], timeout=60).stdout
        self.assertRegex(said, r"Resume: pmtu 296 hops 4", said)
        self.forget_mtu()

    def test_traceroute(self):
        self.forget_mtu()
        said = self.lab.run_in(self.hosts["left"], "traceroute", "-n", "--mtu", "-q", 1, "-w", 2, "10.2.0.1").stdout
        self.assertEqual(re.findall(r"F=(\d+)", said), ["1500", "1000", "600"], said)
        for probe in ((), ("-I",), ("-T", "-p", "9")):
            said = self.lab.run_in(self.hosts["left"], "traceroute", "-n", "-q", 2, "-w", 2, *probe, "10.2.0.1").stdout
            hops = re.findall(r"^\s*\d+\s+(\S+)", said, re.M)
            self.assertEqual((len(hops), hops[-1]), (4, "10.2.0.1"), said)
            self.assertNotIn("*", said)
        # Probes in fragments: the first one makes the router speak.
        said = self.lab.run_in(self.hosts["left"], "traceroute", "-n", "-q", 1, "-w", 2, self.where["h"], 4000).stdout
        self.assertNotIn("*", said)
        self.forget_mtu()

    def test_a_real_tcp_finds_the_mtu(self):
        self.forget_mtu()
        server = self.lab.start(*self.lab.nginx({"/big": 300_000}), "-g", "daemon off;", space=self.hosts["right"])
        fetch = ("curl", "-s", "-m", 20, "-o", "/dev/null", "-w", "%{size_download}", "http://10.2.0.1/big")
        wait_until(lambda: self.lab.run_in(self.hosts["left"], *fetch, check=False).stdout == "300000", 20, "the document")
        route = self.lab.run_in(self.hosts["right"], "ip", "route", "get", "10.1.0.1").stdout
        self.assertIn("mtu 600", route)
        server.stop()
        self.forget_mtu()

    def test_datagrams_between_real_hosts(self):
        script = ("import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(15); s.bind(('10.2.0.1', 7000));"
                  "print(*(len(s.recv(65536)) for _ in range(3)), flush=True)")
        there = self.lab.start("python3", "-c", script, space=self.hosts["right"])
        wait_until(lambda: ":7000" in self.lab.run_in(self.hosts["right"], "ss", "-lun").stdout, 10, "the socket")
        self.lab.run_in(self.hosts["left"], "python3", "-c",
                        "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
                        "s.setsockopt(0, 10, 0);"  # IP_MTU_DISCOVER, IP_PMTUDISC_DONT
                        "[s.sendto(bytes(n), ('10.2.0.1', 7000)) for n in (0, 5000, 65507)]")
        self.assertEqual(there.wait(20), 0)
        self.assertEqual(there.output().split(), ["0", "5000", "65507"])

    def test_unreachables_and_options(self):
        space = self.hosts["left"]
        neighbour = self.lab.run_in(space, "ip", "neigh", "show", self.gateway).stdout
        to = mac(re.search(r"lladdr (\S+)", neighbour).group(1))
        own = mac(re.search(r"link/ether (\S+)", self.lab.run_in(space, "ip", "link", "show", "eth0").stdout).group(1))
        seen = self.lab.folder / "seen.pcap"
        dump = self.lab.start("tcpdump", "-U", "-w", seen, "-i", "eth0", "-Q", "in", "icmp", space=space)
        wait_until(lambda: "listening" in dump.output(), 10, "tcpdump")
        wire = Wire(space, "eth0")
        h, left = self.where["h"], "10.1.0.1"
        send = lambda packet: wire.send(ethernet(to, own, IPV4, packet))
        record_route = bytes([7, 39, 4]) + bytes(37)
        stamps = bytes([68, 36, 5, 0]) + bytes(32)
        alert = bytes([148, 4, 0, 0])
        for i, options in enumerate((record_route, stamps, alert, bytes([1] * 40), bytes([131, 255, 4, 0]))):
            send(ip(left, h, 1, icmp(8, rest=0x10000 + i, payload=b"x" * 100), options=options))
        send(ip(left, h, 17, udp(left, h, 5, 9, b"y" * 40), options=record_route))
        send(ip(left, h, 47, b"z" * 100))                                     # no such protocol
        send(ip(left, "10.77.0.1", 17, udp(left, "10.77.0.1", 5, 9, b"")))    # no such network
        send(ip(left, "10.2.0.1", 1, icmp(8, rest=0x20000, payload=b"w" * 1000), options=record_route))  # is cut
        wire.close()
        def of(filter):
            fields = ("-T", "fields", "-E", "occurrence=f", "-e", "ip.src", "-e", "ip.dsfield", "-e", "ip.len")
            return [line.split("\t") for line in run("tshark", "-n", "-r", seen, "-Y", filter, *fields, check=False).stdout.splitlines()]
        wait_until(lambda: len(of("icmp.type == 0 && ip.src == " + h)) == 5 and all(of(f"icmp.type == 3 && icmp.code == {code}") for code in (0, 2, 3)), 10, "the answers")
        self.assertEqual([answer[0] for answer in of("icmp.type == 0 && ip.src == " + h)], [h] * 5)
        self.assertEqual(of("icmp.type == 3 && icmp.code == 3"), [[h, "0xc0", str(28 + 60 + 48)]])
        self.assertEqual(of("icmp.type == 3 && icmp.code == 2"), [[h, "0xc0", str(28 + 120)]])
        self.assertEqual([answer[1:] for answer in of("icmp.type == 3 && icmp.code == 0")], [["0xc0", str(28 + 28)]])
        wait_until(lambda: of("icmp.type == 0 && ip.src == 10.2.0.1"), 10, "the reply of the real host to a request in fragments")
        dump.stop()


class Pchar(unittest.TestCase):
    @by_the_clock("the rates that pchar finds, within 10 %")
    def test_pchar_finds_the_rates(self):
        with Lab() as lab:
            emulator = lab.compile(SLOW)
            host, inside = lab.namespace("h"), lab.namespace("e")
            lab.veth(host, "eth0", inside, "veth0")
            lab.run_in(host, "ip", "addr", "add", "10.1.0.1/32", "dev", "eth0")
            lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
            live = lab.start(emulator, "live", "--attach", "left=if:veth0", space=inside)
            to = addresses(emulator)["h"]
            wait_until(lambda: ping(lab, host, to, 1), 15, "the first reply: " + live.output())
            said = lab.run_in(host, "pchar", "-n", "-l", "10.1.0.1", "-g", "0.001", "-R", 8, "-I", 300, "-m", 1500, to, timeout=120).stdout
            found = [float(rate) for rate in re.findall(r"Hop char: .*bw = ([\d.]+) Kbps", said)]
            self.assertEqual(len(found), 4, said)
            for rate, expected in zip(found, (2000, 1000, 500, 1000)):
                self.assertAlmostEqual(rate, expected, delta=0.1 * expected, msg=said)
            self.assertEqual(live.stop(), 130, live.output())


if __name__ == "__main__":
    main()
