"""Nodes that share an address: who reaches which, when they move, and what becomes of connections; against arithmetic."""
import ipaddress
import struct
import unittest

from emulators import EmulatorTest

# Five routers in a line, 10 ms apart, a server at either end, hosts at each. Access links are 1 ms.
LINE = """
import std.traffic
import std.web
model Line {{
  routing {{ {routing} }}
  router r[5]
  for i in 0 ..< 4 {{ link line[i]: r[i] -- r[i + 1] {{ rate = 1000 Tbps, delay = 10 ms }} }}
  endpoint edge[2] {{ anycast = 10.9.9.9, simulated = web.server() }}
  for i in 0 ..< 2 {{ link access[i]: edge[i] -- r[4 * i] {{ rate = 1000 Tbps, delay = 1 ms{access} }} }}
  host client[5]
  for i in 0 ..< 5 {{ link user[i]: client[i] -- r[i] {{ rate = 1000 Tbps, delay = 1 ms }} }}
  {workloads}
  run {{ duration = {duration} }}
}}
"""
PINGS = """for i in 0 ..< 5 {
    workload ping[i] : traffic.Ping on client[i] { to = edge[*], pairing = nearest, interval = 100 ms, start_spread = 0 s, timeout = 500 ms }
  }
"""


def line(workloads, routing="metric = delay", duration="4 s", access=""):
    return LINE.format(workloads=workloads, routing=routing, duration=duration, access=access)


class Lines:
    addressing = ""  # of IPv6, in place of that of IPv4

    def model(self, *arguments, **more):
        text = line(*arguments, **more)
        if self.addressing:
            text = text.replace("anycast = 10.9.9.9", "anycast = 2001:db8:9::9").replace("routing {", f"addressing {{ {self.addressing} }}\n  routing {{", 1)
        return text

    def run_line(self, *arguments, options=(), **more):
        results = self.simulate(self.compile(self.model(*arguments, **more), "-O0"), *options)
        self.workloads = {workload["name"]: workload for workload in results["workloads"]}
        self.servers = {server["name"]: server for server in results["servers"]}
        return results

    def round_trips(self):
        return [round(1000 * self.workloads[f"ping[{i}]"]["round_trip_seconds"]["mean"], 3) for i in range(5)]

    def test_each_reaches_the_nearest(self):
        """Two access links and so many links of the line, there and back; the one in the middle has both as near."""
        self.run_line(PINGS)
        self.assertEqual(self.round_trips(), [4, 24, 44, 24, 4])

    def test_they_move_when_the_nearest_fails(self):
        """Cut off at 1 s, known at 1.5 s: what came to the access link in between is lost; then all go to the other end."""
        for failure in ("access[0] down", "edge[0] down"):
            self.run_line(PINGS + f"at 1.0005 s {{ {failure} }}", routing="metric = delay, detection = 500 ms")
            lost = [self.workloads[f"ping[{i}]"]["requests"]["lost"] for i in range(5)]
            # One each 100 ms, for half a second; the middle one had the first server, too.
            self.assertEqual(lost, [5, 5, 5, 0, 0], failure)
            # Requests at 0 .. 0.9 s to the near one, from 1.5 s on to the far one; the last ones are on their way.
            for i, near, far in ((0, 4, 84), (1, 24, 64)):
                echoes = self.workloads[f"ping[{i}]"]
                self.assertAlmostEqual(1000 * echoes["round_trip_seconds"]["max"], far, places=3)
                self.assertAlmostEqual(1000 * echoes["round_trip_seconds"]["min"], near, places=3)

    def test_a_connection_that_ends_elsewhere_is_reset(self):
        """Costs change under a download: its acknowledgments reach the other server, which knows no such connection."""
        download = """workload get : web.ClosedLoop on client[0] {
            server = edge[*], documents = web.fixed(2 GB), start_spread = 0 s, timeout = 0 s, think = 1 h }
  at 1 s { access[0] { cost = 1000 } }"""
        self.run_line(download, routing="metric = cost", duration="3 s")
        transactions = self.workloads["get"]["transactions"]
        self.assertEqual(transactions["failed_by_cause"]["reset"], 1)
        self.assertEqual(transactions["completed"], 0)

    def test_alike_on_any_number_of_tasks(self):
        text = self.model(PINGS + """workload browse : web.OpenLoop on client[*] {
            server = edge[*], documents = web.fixed(10 KB), interval = exponential(20 ms), requests = 10 }
  from 1 s to 2 s { access[0] down }""", routing="metric = delay, detection = 100 ms")
        program = self.compile(text, "-O0", "--tasks", "4")
        digests = {self.simulate(program, "--threads", str(threads))["digest"] for threads in (1, 2)}
        self.assertEqual(len(digests), 1)


class Anycast(Lines, EmulatorTest):
    def test_flows_are_shared_among_the_equally_near(self):
        """Each connection goes to one of the two, and stays there."""
        each = """workload get : web.OpenLoop on client[2] {
            server = edge[*], documents = web.fixed(20 KB), interval = 10 ms, start_spread = 0 s }"""
        results = self.run_line(each, routing="metric = delay, multipath = ecmp", duration="10 s")
        asked = [server["requests"] for server in self.servers.values()]
        self.assertAlmostEqual(sum(asked), 1000 - 6.5, delta=1)  # who asks connects first, and the last ones are on their way
        self.assertEqual(results["transactions"]["failed"], 0)
        self.assertAlmostEqual(asked[0], 500, delta=4 * 500 ** 0.5 / 2 ** 0.5)

    def test_distances_are_what_routes_count(self):
        """By costs the far end is nearer for all: packets go where routes say, not where the delay is least."""
        self.run_line(PINGS, routing="metric = cost", access=", cost = if i == 0 then 100 else 1")
        self.assertEqual(self.round_trips(), [84, 64, 44, 24, 4])

    def test_own_addresses_stay(self):
        self.run_line("""workload own : traffic.Ping on client[0] { to = edge[1], interval = 100 ms, start_spread = 0 s }""")
        self.assertAlmostEqual(1000 * self.workloads["own"]["round_trip_seconds"]["mean"], 84, places=3)

    def test_loads_by_population(self):
        """Six hosts near one server and nine near the other ask ten times a second each; expected loads know it, too."""
        text = line("""host few[6]
  host many[9]
  link of_few: few[*] -- r[1] { rate = 1000 Tbps, delay = 1 ms }
  link of_many: many[*] -- r[3] { rate = 1000 Tbps, delay = 1 ms }
  workload browse : web.OpenLoop on [few[*], many[*]] {
    server = edge[*], documents = web.fixed(1 B), interval = 100 ms, start_spread = 0 s, requests = 1000 }
  require load(access[1]) / load(access[0]) > 1.499 && load(access[1]) / load(access[0]) < 1.501""")
        results = self.simulate(self.compile(text, "-O0"))
        asked = {server["name"]: server["requests"] for server in results["servers"]}
        self.assertEqual(asked["edge[0]"] * 9, asked["edge[1]"] * 6)
        self.assertEqual(results["transactions"]["failed"], 0)

    def test_pick(self):
        """The i-th client asks the (i mod 2)-th server by its own address; one that draws keeps what it drew."""
        browse = """workload browse : web.OpenLoop on client[*] {{
            server = edge[*], documents = web.fixed(1 B), interval = 100 ms, start_spread = 0 s, requests = 1000, pick = {} }}"""
        self.run_line(browse.format("round_robin"))
        self.assertEqual(self.servers["edge[0]"]["requests"] * 2, self.servers["edge[1]"]["requests"] * 3)
        seen = set()
        for seed in range(1, 9):
            self.run_line(browse.format("at_random"), options=("--seed", str(seed)), duration="2 s")
            clients = tuple(server["requests"] / 20 for server in self.servers.values())
            self.assertEqual(sum(clients), 5)
            self.assertIn(clients[0], range(6))  # all that a client asks for it asks of one
            seen.add(clients)
        self.assertGreater(len(seen), 1)

    def test_they_come_back(self):
        self.run_line(PINGS + "from 1.0005 s to 2.0005 s { access[0] down }", routing="metric = delay, detection = 0 s", duration="3.05 s")
        echoes = self.workloads["ping[0]"]
        self.assertEqual(echoes["requests"]["lost"], 0)
        self.assertAlmostEqual(1000 * echoes["round_trip_seconds"]["mean"], (21 * 4 + 10 * 84) / 31, places=3)

    def test_two_addresses_of_one_server_are_two_connections(self):
        """A client's first ports to either address are the same number."""
        both = """workload shared : web.OpenLoop on client[0] {
            server = edge[*], documents = web.fixed(1 B), interval = 100 ms, start_spread = 0 s, requests = 1000 }
  workload own : web.OpenLoop on client[0] {
            server = edge[0], documents = web.fixed(1 B), interval = 100 ms, start_spread = 0 s, requests = 1000 }"""
        results = self.run_line(both)
        self.assertEqual(results["transactions"]["failed"], 0)
        self.assertEqual([self.workloads[name]["transactions"]["connections"] for name in ("shared", "own")], [1, 1])
        self.assertEqual(self.servers["edge[1]"]["requests"], 0)

    def test_datagrams_and_bulk_data(self):
        text = """workload ask : traffic.Requests on client[1] { to = edge[*], pairing = nearest, start_spread = 0 s, think = 100 ms }
  workload data : traffic.Bulk on client[3] { to = edge[*], pairing = nearest, port = 99, start_spread = 0 s, size = 1 MB, transfers = 1 }"""
        self.run_line(text)
        self.assertAlmostEqual(1000 * self.workloads["ask"]["round_trip_seconds"]["mean"], 24, delta=0.01)
        self.assertEqual(self.workloads["data"]["transfers"]["completed"], 1)

    def test_systems_prefer_customers(self):
        """The nearer server is a peer's, the farther one a customer's: a system's own customer wins (Gao and Rexford)."""
        text = """
import std.traffic
import std.web
model Policy {
  router transit
  router customer[3]
  router peer
  host client
  endpoint edge[2] { anycast = 10.9.9.9, simulated = web.server() }
  link near: peer -- transit { rate = 1 Gbps, delay = 1 ms, relation = peer }
  link first: customer[0] -- transit { rate = 1 Gbps, delay = 10 ms, relation = customer }
  link second: customer[1] -- customer[0] { rate = 1 Gbps, delay = 10 ms, relation = customer }
  link third: customer[2] -- customer[1] { rate = 1 Gbps, delay = 10 ms, relation = customer }
  link at_peer: edge[0] -- peer { rate = 1 Gbps }
  link at_customer: edge[1] -- customer[2] { rate = 1 Gbps }
  link user: client -- transit { rate = 1 Gbps }
  workload ping : traffic.Ping on client { to = edge[*], pairing = nearest, interval = 100 ms, start_spread = 0 s }
  at 2.05 s { third down }
  run { duration = 4.05 s }
}
"""
        ping = self.simulate(self.compile(text, "-O0"))["workloads"][0]
        self.assertAlmostEqual(1000 * ping["round_trip_seconds"]["max"], 60, delta=0.02)
        self.assertAlmostEqual(1000 * ping["round_trip_seconds"]["min"], 2, delta=0.02)
        self.assertAlmostEqual(1000 * ping["round_trip_seconds"]["mean"], (21 * 60 + 20 * 2) / 41, delta=0.02)


class AnycastIpv6(Lines, EmulatorTest):
    """The same beside IPv4; and the address, as a capture has it."""
    addressing = "ipv6 = 2001:db8::/64"

    def test_own_addresses_stay(self):
        self.run_line("""workload own : traffic.Ping on client[0] { to = edge[1], interval = 100 ms, start_spread = 0 s, family = ipv6 }""")
        self.assertAlmostEqual(1000 * self.workloads["own"]["round_trip_seconds"]["mean"], 84, places=3)

    def test_of_ipv6_alone(self):
        self.addressing = "pool = 2001:db8::/64"
        self.run_line(PINGS + """workload data : traffic.Bulk on client[3] {
            to = edge[*], pairing = nearest, port = 99, start_spread = 0 s, size = 1 MB, transfers = 1 }""")
        self.assertEqual(self.round_trips()[:3], [4, 24, 44])
        self.assertEqual(self.workloads["data"]["transfers"]["completed"], 1)

    def test_what_a_capture_shows(self):
        """Requests go to the shared address, and answers come from it."""
        capture = self.fresh("user.pcap")
        one = """workload ping : traffic.Ping on client[0] { to = edge[*], pairing = nearest, interval = 100 ms, start_spread = 0 s }"""
        self.run_line(one, options=("--capture", f"user[0]={capture}", "--for", "50 ms"))
        shared = ipaddress.ip_address("2001:db8:9::9").packed
        packets, data = [], capture.read_bytes()[24:]
        while data:
            length = struct.unpack("<I", data[8:12])[0]
            packets.append(data[16:16 + length])
            data = data[16 + length:]
        self.assertEqual([packet[0] >> 4 for packet in packets], [6, 6])
        self.assertEqual([packets[0][24:40], packets[1][8:24]], [shared, shared])
        for packet in packets:  # checksums of ICMPv6 hold
            words = packet[8:40] + struct.pack(">II", len(packet) - 40, 58) + packet[40:]
            total = sum(struct.unpack(f">{len(words) // 2}H", words))
            while total >> 16:
                total = (total & 0xffff) + (total >> 16)
            self.assertEqual(total, 0xffff)


if __name__ == "__main__":
    unittest.main()
