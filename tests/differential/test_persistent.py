"""Connections for several requests against arithmetic, and alike for any number of tasks and threads."""
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.web

model Keep {
  host client[CLIENTS]
  endpoint server { simulated = web.server(close = at_once) }
  router r
  link client[*] -- r { rate = 100 Gbps, delay = 5 ms }
  link entry: r -- server { rate = 100 Gbps, delay = 5 ms }
  workload browse : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(100 B), start_spread = 0 s, GIVEN
  }
  run { duration = DURATION }
}
"""
SITES = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.OpenLoop on pc[*] {
    server = server, interval = exponential(50 ms), start_spread = 10 ms, requests = 12, idle = 60 ms
    documents = [web.catalogue(3000, lognormal(3600 B, 1.4)), web.fixed(1 KB)]
  }
  workload browse : web.ClosedLoop on pc[*] {
    server = server, think = exponential(30 ms), requests = 20, pipeline = 3, connections = 2, idle = 80 ms, timeout = 300 ms
    documents = [web.fixed(40 KB), web.fixed(1 KB), web.catalogue(100, lognormal(3600 B, 1.4))]
  }
}
model Sites {
  endpoint server { simulated = web.process_per_connection(service = exponential(1 ms), processes = 30, backlog = 5, keep_alive = 40 ms) }
  Site site[4](hosts = 5, server = server)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 1 % }
  from 3 s to 4 s { site[1].surf off }
  from 4 s to 5 s { site[2].browse off }
  run { duration = 8 s }
}
"""
ROUND_TRIP = 0.02


def keep(duration, clients=1, **given):
    attributes = ", ".join(f"{name} = {value}" for name, value in given.items())
    return MODEL.replace("CLIENTS", str(clients)).replace("GIVEN", attributes).replace("DURATION", f"{1000 * duration:.0f} ms")


class Arithmetic(EmulatorTest):

    def test_round_trips(self):
        """A connection takes a round trip to connect, and one for each time its pipeline is filled."""
        for requests in (2, 5, 40):
            for depth in (1, 2, 3, 8):
                rounds = 1 + -(-requests // depth)
                # Seven connections, and half a round trip of the eighth, in which its SYN is under way.
                results = self.simulate(self.compile(keep((7 * rounds + 0.5) * ROUND_TRIP, requests=requests, pipeline=depth)))
                found = results["transactions"]
                message = f"{requests} requests, {depth} at a time"
                self.assertEqual(found["completed"], 7 * requests, message)
                self.assertEqual(found["connections"], 7, message)
                self.assertEqual(found["requests"], 7 * requests, message)
                self.assertEqual((found["failed"], found["retried"]), (0, 0), message)
                self.assertAlmostEqual(results["workloads"][0]["phase_seconds"]["connect"], ROUND_TRIP, delta=1e-4, msg=message)
                self.assertAlmostEqual(results["workloads"][0]["phase_seconds"]["answer"], ROUND_TRIP, delta=1e-4, msg=message)

    def test_one_request_is_what_it_was(self):
        plain, one = (self.simulate(self.compile(keep(1, **given))) for given in ({}, {"requests": 1, "pipeline": 1, "connections": 1}))
        self.assertEqual(plain["digest"], one["digest"])
        self.assertEqual(plain["transactions"]["requests"], plain["transactions"]["connections"])

    def test_connections_of_a_client(self):
        found = self.simulate(self.compile(keep(4.5 * ROUND_TRIP, requests=3, connections=6)))["transactions"]
        self.assertEqual((found["completed"], found["connections"]), (18, 6))

    def test_idle(self):
        """A client that thinks for a second keeps its connection, unless it or the server closes those that rest."""
        for given, server, kept in (({}, "", True), ({"idle": "2 s"}, "", True), ({"idle": "500 ms"}, "", False),
                                    ({}, ", keep_alive = 500 ms", False), ({}, ", keep_alive = 0 s", False)):
            text = keep(20, requests=1000, think="1 s", **given).replace("close = at_once", "close = at_once" + server)
            found = self.simulate(self.compile(text))["transactions"]
            self.assertEqual(found["connections"], 1 if kept else found["completed"] + found["in_progress"], (given, server))
            self.assertEqual((found["failed"], found["retried"]), (0, 0))
            self.assertGreater(found["completed"], 17)

    def test_open_loop_uses_what_rests(self):
        """A request in 50 ms each of which takes 20 ms: one connection each client, and two where they take longer than that."""
        text = keep(10, clients=3, requests=1000000, interval="50 ms").replace("ClosedLoop", "OpenLoop")
        self.assertEqual(self.simulate(self.compile(text))["transactions"]["connections"], 3)
        slow = text.replace("close = at_once", "close = at_once, service = 40 ms")
        self.assertEqual(self.simulate(self.compile(slow))["transactions"]["connections"], 6)
        plain = self.simulate(self.compile(text.replace("requests = 1000000", "requests = 1")))["transactions"]
        self.assertEqual(plain["connections"], 600)

    def test_what_the_bytes_are(self):
        capture = self.fresh("entry.pcap")
        emulator = self.compile(keep(1.02, requests=5, pipeline=2))
        run(emulator, "simulate", "--capture", f"entry={capture}")
        fields = ("tcp.stream", "http.request.version", "http.response.version", "http.host", "http.connection", "http.response.code")
        rows = run("tshark", "-n", "-r", capture, "-Y", "http", "-T", "fields", "-E", "separator=|",
                   *(word for field in fields for word in ("-e", field))).stdout.splitlines()
        streams = {}
        for row in rows:
            stream, *rest = row.split("|")
            streams.setdefault(stream, []).append(rest)
        first = streams["0"]
        asked = [row for row in first if row[0]]
        answered = [row for row in first if row[1]]
        self.assertEqual([row[0] for row in asked], ["HTTP/1.1"] * 5)
        self.assertEqual([row[2] for row in asked], ["anml"] * 5)
        self.assertEqual([row[3] for row in asked], [""] * 4 + ["close"])
        self.assertEqual([row[1] for row in answered], ["HTTP/1.1"] * 5)
        self.assertEqual([row[3] for row in answered], ["keep-alive"] * 4 + ["close"])
        bad = run("tshark", "-n", "-r", capture, "-Y", "tcp.flags.reset==1 || _ws.malformed || tcp.analysis.retransmission").stdout
        self.assertEqual(bad, "")


class Alike(EmulatorTest):
    def test_any_number_of_threads(self):
        text = SITES
        expected, _ = self.however_it_is_run(text, "workloads", "servers", "series")
        found = [workload["transactions"] for workload in expected[1]]
        self.assertGreater(sum(each["retried"] for each in found), 10)
        self.assertGreater(min(each["requests"] / each["connections"] for each in found), 1.2)
        self.either_tier_has(text, *expected[:2])


if __name__ == "__main__":
    unittest.main()
