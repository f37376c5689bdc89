"""Real hosts in namespaces reach the emulated network: ping, traceroute, curl through two endpoints."""
import re
import unittest

from netlab import ROOT, Lab, addresses, by_the_clock, info, main, median, ping, wait_until

WAN = ROOT / "examples/paper-wan/wan.anml"

TWO_ENDS = """
import std.ether

model TwoEnds(tunable D: time in 0.1 ms .. 100 ms = 5 ms) {
  profile backbone : Link { rate = 1 Gbps, delay = D }
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r[3]
  link a: left -- r[0] : ether.gigabit { delay = 0.1 ms }
  for i in 0 ..< 2 { link hop[i]: r[i] -- r[i + 1] : backbone }
  link b: r[2] -- right : ether.gigabit { delay = 0.1 ms }
  run { duration = 60 s }
}
"""


class Reach(unittest.TestCase):
    def attach_interface(self, lab, emulator, endpoint="server"):
        """One real host behind `if:`; it runs the two commands that the emulator prints."""
        host, inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(host, "eth0", inside, "veth0")
        live = lab.start(emulator, "live", "--attach", f"{endpoint}=if:veth0", "--no-workload", "--for", "300s", space=inside)
        commands = wait_until(lambda: re.findall(r"^\s*(ip (?:addr|route) add .*)$", live.output(), re.M), 10,
                              "the emulator printing its `ip` commands: " + live.output())
        self.assertEqual(len(commands), 2, live.output())
        for command in commands:
            lab.run_in(host, *re.sub(r"dev \S+", "dev eth0", command).split())
        return host, live

    def check_far_client(self, lab, emulator, host):
        where = addresses(emulator)
        client = where["net[31].client"]
        wait_until(lambda: ping(lab, host, client, 1), 10, "the first reply")
        times = ping(lab, host, client, 40)
        self.assertEqual(len(times), 40)
        self.assertGreaterEqual(min(times), 64.4 - 0.3)
        trace = lab.run_in(host, "traceroute", "-n", "-m", 40, "-q", 1, "-w", 2, client).stdout
        hops = re.findall(r"^\s*\d+\s+(\S+)", trace, re.M)[-33:]
        routers = [where[f"net[{i}].gateway"] for i in range(32)]
        self.assertEqual(hops, routers + [client], trace)
        return times

    @by_the_clock("the median of 40 round trips, within 0.3 ms")
    def test_ping_and_traceroute_over_an_interface(self):
        with Lab() as lab:
            emulator = lab.compile(WAN, "-D", "N=32")
            host, live = self.attach_interface(lab, emulator)
            self.assertAlmostEqual(median(self.check_far_client(lab, emulator, host)), 64.4, delta=0.3)
            # the last client of the last subnetwork, and an address that nobody has
            far = addresses(emulator)["net[31].client"]
            last = far.rsplit(".", 1)[0] + "." + str(int(far.rsplit(".", 1)[1]) + 7)
            self.assertEqual(len(ping(lab, host, last, 3)), 3)
            none = lab.run_in(host, "ping", "-n", "-c", "1", "-W", "2", "10.200.0.1", check=False).stdout
            self.assertIn("Unreachable", none)
            self.assertEqual(live.stop(), 130, live.output())  # interrupted

    def test_ping_and_traceroute_over_a_tap(self):
        with Lab() as lab:
            emulator = lab.compile(WAN, "-D", "N=32")
            host = lab.namespace("h")
            live = lab.start(emulator, "live", "--attach", "server=tap:lab0", "--no-workload", "--for", "300s", space=host)
            wait_until(lambda: "lab0" in lab.run_in(host, "ip", "-br", "addr").stdout, 10, "the TAP device")
            self.check_far_client(lab, emulator, host)
            self.assertEqual(live.stop(), 130, live.output())  # interrupted
            self.assertNotIn("lab0", lab.run_in(host, "ip", "-br", "link").stdout)
            self.assertNotIn("10.0.0.0/8", lab.run_in(host, "ip", "route").stdout)

    def test_path_mtu_discovery(self):
        with Lab() as lab:
            emulator = lab.compile(WAN, "-D", "N=2", "-D", "mtu=576B")
            host, live = self.attach_interface(lab, emulator)
            client = addresses(emulator)["net[1].client"]
            wait_until(lambda: ping(lab, host, client, 1), 10, "the first reply")
            big = lab.run_in(host, "ping", "-n", "-c", 2, "-M", "do", "-s", 1000, "-W", 2, client, check=False)
            self.assertRegex(big.stdout + big.stderr, r"(?i)mtu ?= ?576|message too long.*576")
            small = lab.run_in(host, "ping", "-n", "-c", 2, "-M", "do", "-s", 548, "-W", 2, client, check=False).stdout
            self.assertIn(" 0% packet loss", small)
            live.stop()

    def test_two_endpoints_reach_each_other(self):
        with Lab() as lab:
            emulator = lab.compile(TWO_ENDS, "-O0")
            inside, left, right = (lab.namespace(n) for n in "elr")
            lab.veth(left, "eth0", inside, "vl")
            lab.veth(right, "eth0", inside, "vr")
            live = lab.start(emulator, "live", "--attach", "left=if:vl", "--attach", "right=if:vr", "--for", "300s",
                             space=inside)
            gateway = info(emulator)["gateway"]
            for space, address in ((left, "10.1.0.1"), (right, "10.2.0.1")):
                lab.run_in(space, "ip", "addr", "add", f"{address}/32", "dev", "eth0")
                lab.run_in(space, "ip", "route", "add", "10.0.0.0/8", "via", gateway, "dev", "eth0", "onlink")
            wait_until(lambda: ping(lab, left, "10.2.0.1", 1), 10, "the first reply: " + live.output())
            for space, other in ((left, "10.2.0.1"), (right, "10.1.0.1")):
                times = ping(lab, space, other, 20)
                # 2 x (2 x 5 ms + 2 x 0.1 ms), to which the two kernels and other work on the machine add
                self.assertGreaterEqual(min(times), 20.4 - 0.1)
                self.assertLess(min(times), 20.4 + 50)
            # a large download over TCP, with the kernels' offloads as they come
            server = lab.nginx({"/big": 4_000_000})
            lab.start(*server, "-g", "daemon off;", space=right)
            target = lab.folder / "got"
            wait_until(lambda: lab.run_in(left, "curl", "-s", "-m", 2, "-o", "/dev/null", "http://10.2.0.1/big",
                                          check=False).returncode in (0, 28), 10, "the server")
            lab.run_in(left, "curl", "-s", "-S", "-m", 60, "-o", target, "http://10.2.0.1/big", timeout=90)
            self.assertEqual(target.read_bytes(), b"x" * 4_000_000)
            live.stop()

    def test_seventeen_real_hosts(self):
        hosts = 17
        with Lab() as lab:
            emulator = lab.compile("model Many {\n  router r\n" + "".join(
                f"  endpoint e{i} {{ address = 10.{i + 1}.0.1 }}\n  link l{i}: e{i} -- r {{ rate = 1 Gbps, delay = 1 ms }}\n"
                for i in range(hosts)) + "  run { duration = 60 s }\n}\n", "-O0")
            middle, gateway = lab.namespace("m"), info(emulator)["gateway"]
            spaces, attached = [lab.namespace(f"h{i}") for i in range(hosts)], []
            for i, space in enumerate(spaces):
                lab.veth(space, "eth0", middle, f"veth{i}")
                lab.run_in(space, "ip", "addr", "add", f"10.{i + 1}.0.1/32", "dev", "eth0")
                lab.run_in(space, "ip", "route", "add", "10.0.0.0/8", "via", gateway, "dev", "eth0", "onlink")
                attached += ["--attach", f"e{i}=if:veth{i}"]
            lab.start(emulator, "live", *attached, space=middle)
            wait_until(lambda: ping(lab, spaces[0], "10.2.0.1", 1), 10, "the first reply")
            for i, space in enumerate(spaces):
                times = ping(lab, space, f"10.{(i + 1) % hosts + 1}.0.1", 3, 0.05)
                self.assertEqual(len(times), 3, f"host {i}")
                self.assertGreaterEqual(min(times), 4.0)


if __name__ == "__main__":
    main()
