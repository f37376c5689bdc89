"""Subnets behind endpoints (--behind): two sites of real hosts, each behind a router of its own, reach each other through the
emulated network, over IPv4 and IPv6, and virtual hosts over IPv4."""
import json
import re
import unittest

import frames
from frames import IPV4, IPV6, Wire, ethernet, icmp, ip, mac
from netlab import Lab, addresses, info, ping, run, wait_until

SITES = """
import std.ether
import std.web

model Sites(tunable mtu: size in 600 B .. 9 KB = 1500 B) {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  endpoint shop  { address = 10.3.0.1, simulated = web.server(service = 1 ms) }
  router r[3]
  link a: left -- r[0] : ether.gigabit { delay = 1 ms }
  for i in 0 ..< 2 { link hop[i]: r[i] -- r[i + 1] : ether.gigabit { delay = 2 ms, mtu = mtu } }
  link b: r[2] -- right : ether.gigabit { delay = 1 ms }
  link c: r[1] -- shop : ether.gigabit { delay = 1 ms }
  host client
  link d: client -- r[1] : ether.gigabit { delay = 1 ms }
  workload browse : web.ClosedLoop on client { server = shop, documents = web.fixed(1 KB), think = 100 ms }
  run { duration = 60 s }
}
"""
ROUND_TRIP = 12.0  # ms between the sites, to which other work on the machine may add
PREFIXES = {"left": ("192.168.7", "fd00:7:"), "right": ("192.168.8", "fd00:8:")}


class Sites:
    """Two hosts `a` and `b`, whose routers `left` and `right` are the endpoints."""

    def __init__(self, lab, *options):
        self.lab = lab
        emulator = lab.compile(SITES, "-O0")
        self.addresses = addresses(emulator)
        inside = lab.namespace("e")
        self.routers = {name: lab.namespace(name[0]) for name in PREFIXES}
        self.hosts = {name: lab.namespace(host) for name, host in (("left", "a"), ("right", "b"))}
        for name, router in self.routers.items():
            ipv4, ipv6 = PREFIXES[name]
            lab.veth(router, "eth0", inside, f"v{name}")
            lab.veth(self.hosts[name], "eth0", router, "lan0")
            lab.run_in(router, "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")
            for space, device, last in ((router, "lan0", 1), (self.hosts[name], "eth0", 5)):
                lab.run_in(space, "ip", "addr", "add", f"{ipv4}.{last}/24", "dev", device)
                lab.run_in(space, "ip", "-6", "addr", "add", f"{ipv6}:{last}/64", "dev", device, "nodad")
            lab.run_in(self.hosts[name], "ip", "route", "add", "default", "via", f"{ipv4}.1")
            lab.run_in(self.hosts[name], "ip", "-6", "route", "add", "default", "via", f"{ipv6}:1")
        self.results = lab.folder / "results.json"
        attachments = [word for name in PREFIXES for word in ("--attach", f"{name}=if:v{name}", "--behind",
                                                              f"{name}={PREFIXES[name][0]}.0/24,{PREFIXES[name][1]}:/64")]
        self.live = lab.start(emulator, "live", *attachments, "--results", self.results, "--for", "300s", *options, space=inside)
        # Each router runs the commands that the emulator prints for it.
        said = wait_until(lambda: re.findall(r"^  (ip .*)$", self.live.output(), re.M) if "vright: endpoint" in self.live.output()
                          and self.live.output().count("forwards packets") == 2 else None, 10, "the commands: " + self.live.output())
        half = len(said) // 2
        for name, commands in (("left", said[:half]), ("right", said[half:])):
            for command in commands:
                lab.run_in(self.routers[name], *command.replace("dev DEV", "dev eth0").split())
        for target in ("192.168.8.5", "fd00:8::5"):
            wait_until(lambda: ping(lab, self.hosts["left"], target, 1), 10, f"the first reply of {target}: " + self.live.output())


class Behind(unittest.TestCase):
    def test_two_sites_reach_each_other_and_virtual_hosts(self):
        with Lab() as lab:
            capture = lab.folder / "hop.pcap"
            sites = Sites(lab, "--capture", f"hop[0]={capture}")
            left, right = sites.hosts["left"], sites.hosts["right"]
            for space, targets in ((left, ("192.168.8.5", "fd00:8::5")), (right, ("192.168.7.5", "fd00:7::5"))):
                for target in targets:
                    times = ping(lab, space, target, 20)
                    self.assertEqual(len(times), 20)
                    self.assertGreaterEqual(min(times), ROUND_TRIP)
                    self.assertLess(min(times), ROUND_TRIP + 50)
            # Virtual hosts answer strangers: a router, and the simulated web server.
            self.assertEqual(len(ping(lab, left, sites.addresses["r"], 3)), 3)
            page = lab.run_in(left, "curl", "-s", "-S", "-m", 10, "http://10.3.0.1/1024").stdout
            self.assertEqual(len(page), 1024)
            # Large downloads, with the kernels' offloads as they come.
            server = lab.nginx({"/big": 4_000_000}, extra=f"server {{ listen [::]:80; root {lab.folder / 'web'}; }}")
            lab.start(*server, "-g", "daemon off;", space=right)
            for host in ("192.168.8.5", "[fd00:8::5]"):
                target = lab.folder / "got"
                wait_until(lambda: lab.run_in(left, "curl", "-s", "-m", 2, "-o", "/dev/null", f"http://{host}/big",
                                              check=False).returncode in (0, 28), 10, "the server")
                lab.run_in(left, "curl", "-s", "-S", "-m", 60, "-o", target, f"http://{host}/big", timeout=90)
                self.assertEqual(target.read_bytes(), b"x" * 4_000_000)
            # Over both families the emulated routers are seen on the way: to IPv6 by their address in 64:ff9b:1::/96.
            first = sites.addresses["r"]
            base, last = first.rsplit(".", 1)
            routers = [f"{base}.{int(last) + i}" for i in range(3)]
            for target, wanted in (("192.168.8.5", routers),
                                   ("fd00:8::5", [str(frames.ipaddress.IPv6Address(f"64:ff9b:1::{a}")) for a in routers])):
                trace = lab.run_in(left, "traceroute", "-n", "-m", 10, "-q", 1, "-w", 2, target).stdout
                hops = [line.split()[1] for line in trace.splitlines()[1:]]
                self.assertEqual(hops[1:4], wanted, trace)
                self.assertEqual(hops[-1], target, trace)
            # What nobody has: the gateway says so.
            for target in ("192.168.9.1", "fd00:9::1"):
                route = ("-6",) if ":" in target else ()
                way = lab.run_in(sites.routers["left"], "ip", *route, "route", "get", "fd00:8::5" if route else "192.168.8.5").stdout
                via = re.search(r"via (\S+)", way).group(1)
                lab.run_in(sites.routers["left"], "ip", *route, "route", "add", target, "via", via, "dev", "eth0", "onlink")
                none = lab.run_in(left, "ping", "-n", "-c", "1", "-W", "2", target, check=False).stdout
                self.assertRegex(none, "(?i)unreachable|no route")
            self.assertEqual(sites.live.stop(), 130, sites.live.output())
            live = json.loads(sites.results.read_text())["live"]
            self.assertEqual((live["malformed"], live["foreign"]), (0, 0), live)
            for wanted in ("ip", "ipv6"):
                bad = run("tshark", "-n", "-r", capture, "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-o",
                          "udp.check_checksum:TRUE", "-Y", f"{wanted} && (ip.checksum.status == 0 || tcp.checksum.status == 0 || "
                          "udp.checksum.status == 0 || icmpv6.checksum.status == 0)").stdout
                self.assertEqual(bad, "", bad[:1000])
                self.assertGreater(len(run("tshark", "-n", "-r", capture, "-Y", f"{wanted} && tcp").stdout.splitlines()), 1000)

    def test_path_mtu_discovery(self):
        with Lab() as lab:
            sites = Sites(lab, "--set", "mtu=1400B", "--no-workload")
            for target, headers in (("192.168.8.5", 28), ("fd00:8::5", 48)):
                big = lab.run_in(sites.hosts["left"], "ping", "-n", "-c", 2, "-M", "do", "-s", 1452, "-W", 2, target, check=False)
                self.assertRegex(big.stdout + big.stderr, r"(?i)mtu ?[=:] ?1400")
                fits = lab.run_in(sites.hosts["left"], "ping", "-n", "-c", 2, "-M", "do", "-s", 1400 - headers, "-W", 2, target).stdout
                self.assertIn(" 0% packet loss", fits)

    def test_strangers_of_nowhere_and_floods(self):
        """Addresses that are not behind the endpoint are ignored, and a whole prefix of new addresses fills no memory."""
        with Lab() as lab:
            sites = Sites(lab)
            router, left = sites.routers["left"], sites.hosts["left"]
            gateway = info(lab.folder / "emu")["gateway"]
            neighbour = lab.run_in(router, "ip", "neigh", "show", gateway).stdout
            model = mac(re.search(r"lladdr (\S+)", neighbour).group(1))
            own = mac(re.search(r"link/ether (\S+)", lab.run_in(router, "ip", "link", "show", "eth0").stdout).group(1))
            wire = Wire(router, "eth0")
            for source in ("240.0.0.0", "240.0.0.1", "255.255.255.255", "192.168.8.5", "192.168.6.1", sites.addresses["r"], "10.2.0.1"):
                for target in ("192.168.8.5", "240.0.0.0", "240.0.0.1", "250.1.2.3", "10.3.0.1"):
                    wire.send(ethernet(model, own, IPV4, ip(source, target, 1, icmp(8))))
            for target in ("240.0.0.0", "240.0.0.1", "255.255.255.255"):  # a handle is no address
                wire.send(ethernet(model, own, IPV4, ip("192.168.7.5", target, 1, icmp(8))))
            for source in ("fd00:8::5", "fd00:9::1", "::1", "::", "ff02::1", "64:ff9b:1::a01:1"):
                wire.send(ethernet(model, own, IPV6, frames.ipv6(source, "fd00:8::5", 59, b"")))
            for i in range(150_000):
                wire.send(ethernet(model, own, IPV6, frames.ipv6(f"fd00:7::9:{i >> 16:x}:{i & 0xffff:x}", "fd00:8::5", 59, b"")))
            self.assertEqual(wire.close(), 0)
            for target in ("192.168.8.5", "fd00:8::5"):
                wait_until(lambda: len(ping(lab, left, target, 3)) == 3, 20, "answers behind the flood")
            self.assertEqual(sites.live.stop(), 130, sites.live.output())
            found = json.loads(sites.results.read_text())
            self.assertGreaterEqual(found["live"]["foreign"], 7 * 5 + 6)
            self.assertEqual(found["transactions"]["failed"], 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
