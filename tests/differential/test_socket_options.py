"""What options of sockets do, against arithmetic, and alike however it is run: Nagle's algorithm (TCP_NODELAY), keep-alive (SO_KEEPALIVE), Fast Open
(TCP_FASTOPEN), and local ports (ip_local_port_range, tcp_tw_reuse)."""
import re
import unittest

from emulators import ANMLC, EmulatorTest, run

ROUND_TRIP = 0.02
# A server whose responses have an ETag writes the head and the body by themselves: write, write, and the client reads.
ANSWERS = """
import std.web
model Answers {
  profile reads : Tcp { CLIENT }
  profile writes : Tcp { SERVER }
  host client { tcp = reads }
  endpoint server { simulated = web.server(service = 0 s, etags = true), tcp = writes }
  link x: client -- server { rate = 100 Gbps, delay = 10 ms }
  workload get : web.ClosedLoop on client { server = server, documents = web.fixed(BODY B), start_spread = 0 s, GIVEN }
  run { duration = 10 s }
}
"""
# A router between, whose links may go down.
VISITS = """
import std.middlebox
import std.web
model Visits {
  profile asks : Tcp { CLIENT }
  profile answers : Tcp { SERVER }
  host client { tcp = asks }
  router box ROUTER
  endpoint server { simulated = web.server(service = SERVICE), tcp = answers }
  link x: client -- box { rate = 100 Gbps, delay = 5 ms }
  link y: box -- server { rate = 100 Gbps, delay = 5 ms }
  workload visit : web.ClosedLoop on client { server = server, documents = web.fixed(100 B), start_spread = 0 s, GIVEN }
  TIMELINE
  run { duration = DURATION ms }
}
"""
SITES = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  profile fast : Tcp { fast_open = true, nagle = true, keep_alive = 100 ms, keep_alive_interval = 20 ms, keep_alive_probes = 2 }
  host pc[hosts] { tcp = fast }
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.OpenLoop on pc[*] {
    server = server, interval = exponential(50 ms), start_spread = 10 ms, documents = web.catalogue(3000, lognormal(3600 B, 1.4))
  }
  workload browse : web.ClosedLoop on pc[*] {
    server = server, think = exponential(150 ms), requests = 5, documents = [web.fixed(40 KB), web.fixed(1 KB)], method = POST, cookies = true
  }
}
model Sites {
  profile quick : Tcp { fast_open = true, nagle = true, quick_acks = 2, congestion = cubic }
  endpoint server { simulated = web.server(service = exponential(1 ms), cookie = true), tcp = quick }
  Site site[4](hosts = 5, server = server)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 2 % }
  from 3 s to 4 s { site[1].gateway -- core down }
  run { duration = 6 s }
}
"""
# Hosts that close first, and have a hundred ports.
PORTS = """
import std.traffic
import std.web
model Ports {
  profile few : Tcp { first_port = 40000, last_port = 40099, CLIENT }
  profile serves : Tcp { SERVER }
  host a { tcp = few }
  endpoint b { simulated = web.server(service = 0 s), tcp = serves }
  host c { tcp = serves }
  switch s
  link x: [a, b, c] -- s { rate = 1 Gbps, delay = 50 us }
  WORKLOADS
  run { duration = DURATION s }
}
"""
ASKS = "workload w : web.ClosedLoop on a { server = b, documents = web.fixed(100 B), start_spread = 0 s }"
PUTS = "workload v : traffic.Bulk on a { to = c, size = 100 B, start_spread = 0 s }"


class Nagle(EmulatorTest):
    def answers(self, client="", server="", body=100, given="requests = 1000"):
        found = self.simulate(self.compile(ANSWERS.replace("CLIENT", client).replace("SERVER", server).replace("BODY", str(body)).replace("GIVEN", given)))
        self.assertEqual(found["transactions"]["failed"], 0)
        return found["response_time_seconds"]

    def test_write_write_read(self):
        """The body waits for the acknowledgment of the head, which the client delays: a round trip and 40 ms, or 200 ms, more for each transaction."""
        for delay in (0.04, 0.2):
            client = f"quick_acks = 0, delayed_ack = {1000 * delay:.0f} ms"
            plain, held = self.answers(client), self.answers(client, "nagle = true")
            self.assertAlmostEqual(plain["median"], ROUND_TRIP, delta=1e-4)
            self.assertAlmostEqual(held["median"], 2 * ROUND_TRIP + delay, delta=1e-3)  # within a histogram's resolution

    def test_a_client_that_acknowledges_at_once(self):
        """Then it is the round trip alone."""
        self.assertAlmostEqual(self.answers("delayed_ack = 0 s, quick_acks = 0", "nagle = true")["median"], 2 * ROUND_TRIP, delta=1e-3)

    def test_linux_waits_for_the_next_request(self):
        """A client that asks soon after an answer delays from the second answer on, whatever is left of its quick acknowledgments (curl with Linux 6.18: 50 ms); one that pauses never does."""
        median = lambda think: self.answers("", "nagle = true", given=f"requests = 8, think = {think}")["median"]
        self.assertAlmostEqual(median("1 ms"), 2 * ROUND_TRIP + 0.04, delta=1e-3)
        for think in ("60 ms", "400 ms"):
            self.assertAlmostEqual(median(think), 2 * ROUND_TRIP, delta=1e-3)

    def test_full_segments_do_not_wait(self):
        """A body of whole segments: no part of it is small. A byte more is, and waits for the head's acknowledgment."""
        full = 2 * 1448
        self.assertAlmostEqual(self.answers("quick_acks = 0", "nagle = true", full)["median"], ROUND_TRIP, delta=1e-4)
        self.assertAlmostEqual(self.answers("delayed_ack = 0 s, quick_acks = 0", "nagle = true", full + 1)["median"], 2 * ROUND_TRIP, delta=1e-3)

    def test_the_side_that_writes_once(self):
        """A client that has it, and asks with one write, is no slower."""
        self.assertAlmostEqual(self.answers("nagle = true, quick_acks = 0")["median"], ROUND_TRIP, delta=1e-4)


class Visits(EmulatorTest):
    def visits(self, client="", server="", router="", service="0 s", timeline="", duration=1000, **given):
        text = VISITS
        for name, value in (("CLIENT", client), ("SERVER", server), ("ROUTER", router), ("SERVICE", service), ("TIMELINE", timeline),
                            ("DURATION", str(duration)), ("GIVEN", ", ".join(f"{name} = {value}" for name, value in given.items()))):
            text = text.replace(name, value, 1)
        return self.simulate(self.compile(text))


class KeepAlive(Visits):
    ALIVE = "keep_alive = 2 s, keep_alive_interval = 500 ms, keep_alive_probes = 4"

    def test_a_peer_that_is_gone(self):
        """The request is acknowledged after two round trips; then the link is cut. Who waits is told so after 2 s and four times 500 ms."""
        ends = 2 * ROUND_TRIP + 2 + 4 * 0.5
        for client, duration, failed in ((self.ALIVE, 1000 * ends - 5, 0), (self.ALIVE, 1000 * ends + 5, 1), ("", 30000, 0)):
            found = self.visits(client, service="1 h", timeline="at 1 s { x down }", duration=int(duration))["transactions"]
            self.assertEqual((found["failed"], found["failed_by_cause"]["timeout"]), (failed, failed), (client, duration))

    def test_a_peer_that_is_there(self):
        found = self.visits(self.ALIVE, service="30 s", duration=100000)
        self.assertEqual((found["transactions"]["completed"], found["transactions"]["failed"]), (3, 0))
        # 2 s behind each answer, a round trip of 20 ms, comes the next probe: 14 in 30 s, and 4 in the last 9.88 s. Over two links; a transaction
        # has ten packets besides, five of them before it waits.
        self.assertEqual(found["packet_hops"], 2 * (3 * (10 + 2 * 14) + 5 + 2 * 4))

    def test_a_nat_forgets_what_rests(self):
        """A connection between requests is longer at rest than the NAT remembers. With keep-alive it goes on; else the next request comes from another port,
        and the server resets what it does not know."""
        box = "{ middlebox = middlebox.nat(client, tcp_timeout = 5 s, first_port = 5000, last_port = 5999) }"
        given = {"think": "20 s", "requests": "1000"}
        kept = self.visits("keep_alive = 3 s", router=box, duration=195000, **given)
        lost = self.visits(router=box, duration=195000, **given)
        for found, connections, retried, mappings in ((kept, 1, 0, 1), (lost, 10, 9, 19)):
            transactions = found["transactions"]
            self.assertEqual((transactions["completed"], transactions["connections"], transactions["failed"], transactions["retried"]), (10, connections, 0, retried))
            self.assertEqual(found["middleboxes"][0]["mappings"], mappings)

    def test_an_answer_that_takes_its_time(self):
        """When the response comes, the NAT has forgotten whose it is, unless probes have reminded it."""
        box = "{ middlebox = middlebox.nat(client, tcp_timeout = 5 s) }"
        for client, completed, failed in (("keep_alive = 3 s", 9, 0), ("", 0, 3)):  # after the client's `timeout`
            found = self.visits(client, router=box, service="20 s", duration=195000)["transactions"]
            self.assertEqual((found["completed"], found["failed"]), (completed, failed), client)

    def test_off_by_default(self):
        plain, off = (self.visits(client, think="20 s", requests="1000", duration=100000)["digest"] for client in ("", "keep_alive = 0 s"))
        self.assertEqual(plain, off)


class FastOpen(Visits):
    def test_a_round_trip_less(self):
        """From the second connection on: the first one has to ask for the cookie."""
        fast = "fast_open = true"
        for client, server, each in (("", "", 2), (fast, "", 2), ("", fast, 2), (fast, fast, 1)):
            # The first takes two round trips, and half a one is left at the end.
            found = self.visits(client, server, duration=int(1000 * ROUND_TRIP * (2 + 40 * each + 0.5)))
            self.assertEqual(found["transactions"]["completed"], 41, (client, server))
            self.assertEqual((found["transactions"]["failed"], found["retransmissions"]), (0, 0))
            times = found["response_time_seconds"]
            self.assertAlmostEqual(times["max"], 2 * ROUND_TRIP, delta=1e-4)
            self.assertAlmostEqual(times["median"], each * ROUND_TRIP, delta=1e-3)
            self.assertEqual(found["workloads"][0]["phase_times_seconds"]["connect"]["samples"], 41)

    def test_a_request_of_many_segments(self):
        """What does not fit goes behind the handshake, and takes its round trip."""
        fast, given = "fast_open = true", {"method": "POST", "body": "5 KB"}
        found = self.visits(fast, fast, duration=1010, **given)
        self.assertAlmostEqual(found["response_time_seconds"]["median"], 2 * ROUND_TRIP, delta=1e-3)
        self.assertEqual((found["transactions"]["failed"], found["retransmissions"]), (0, 0))

    def test_servers_that_begin_are_told_by_tls(self):
        """Over TLS 1.3 the hello goes with the SYN: a resumed session takes two round trips instead of three."""
        fast = "fast_open = true"
        for client, each in (("", 3), (fast, 2)):
            text = self.visits(client, fast, service="0 s, scheme = https", scheme="https", duration=2000)
            self.assertAlmostEqual(text["response_time_seconds"]["median"], each * ROUND_TRIP, delta=1e-3)
            self.assertEqual(text["transactions"]["failed"], 0)

    def test_sockets_that_connect_one_after_the_other(self):
        """S-Client's next socket waits for the answer to a SYN, whatever the host has: two in a round trip, of sockets that begin 100 ms apart."""
        found = []
        for options in ("", "fast_open = true"):
            text = VISITS.replace("ClosedLoop", "SClient")
            for name, value in (("CLIENT", options), ("SERVER", options), ("ROUTER", ""), ("SERVICE", "0 s"), ("TIMELINE", ""), ("DURATION", "1010"),
                                ("GIVEN", "sockets = 2, connect_timeout = 200 ms")):
                text = text.replace(name, value, 1)
            found.append(self.simulate(self.compile(text))["transactions"])
            self.assertEqual((found[-1]["connections"], found[-1]["failed"]), (50 + 45, 0))
        self.assertEqual(*(transactions["completed"] for transactions in found))

    def test_losses(self):
        """Whatever is lost of a handshake, the transaction comes to its end."""
        fast = "fast_open = true"
        # Of the six SYNs within a transaction's 60 s none comes through, and back, with a probability of 0.0975 ** 6, 1e-6.
        found = self.visits(fast, fast, router="", timeline="from 0 s to 2000 s { y { loss = 5 % } }", duration=2000000)
        self.assertGreater(found["transactions"]["completed"], 1000)
        self.assertEqual(found["transactions"]["failed"], 0)
        self.assertGreater(found["retransmissions"], 300)

    def test_a_timeout_for_the_answer(self):
        """`connect_timeout` is for the answer to the SYN, whether it has data or not."""
        fast = "fast_open = true"
        found = self.visits(fast, fast, timeline="at 502 ms { y { loss = 100 % } }", duration=5000, connect_timeout="300 ms")["transactions"]
        # One begins at 500 ms, whose SYN is the first to be lost, and one each 300 ms behind it; the fifteenth would end a little after the run.
        self.assertEqual((found["failed_by_cause"]["connect"], found["failed"]), (14, 14))
        slow = self.visits(fast, fast, service="500 ms", duration=5000, connect_timeout="300 ms")["transactions"]
        self.assertEqual(slow["failed"], 0)
        self.assertEqual(slow["completed"], 9)  # each takes 520 ms, the first 540 ms


class HoweverItIsRun(EmulatorTest):
    def test_tasks_threads_and_tiers(self):
        (digest, workloads), _ = self.however_it_is_run(SITES, "workloads")
        for workload in workloads:
            self.assertGreater(workload["transactions"]["completed"], 100)
        self.either_tier_has(SITES, digest, workloads)


class LocalPorts(EmulatorTest):
    def ports(self, client, workloads=ASKS, server="", duration=10):
        text = PORTS
        for name, value in {"CLIENT": client, "SERVER": server, "WORKLOADS": workloads, "DURATION": str(duration)}.items():
            text = text.replace(name, value)
        emulator = self.compile(text, "-O0")
        found = self.simulate(emulator)
        self.assertEqual(found["digest"], self.simulate(emulator, "--threads", 2)["digest"])
        return found

    def test_time_wait(self):
        """A hundred connections in each TIME_WAIT, and what is beyond has a cause of its own."""
        for wait, duration in ((1, 10), (3, 10), (60, 10)):
            found = self.ports(f"time_wait = {wait} s", duration=duration)
            # The host waits up to a second before it tries again.
            self.assertGreaterEqual(found["transactions"]["completed"], 100 * -(-duration // (wait + 1)), wait)
            self.assertLessEqual(found["transactions"]["completed"], 100 * -(-duration // wait), wait)
            causes = {name: count for name, count in found["transactions"]["failed_by_cause"].items() if count}
            self.assertEqual(causes, {"no_port": found["transactions"]["failed"]})
            self.assertGreater(causes["no_port"], duration - 2)
            [reason] = found["verdict_reasons"]
            self.assertIn(f"no local port was free for {causes['no_port']} connections", reason)

    def test_each_server_has_all_ports(self):
        """Connections are told apart by both addresses and ports: a second server's have all ports, too."""
        found = self.ports("time_wait = 60 s", f"{ASKS}\n  {PUTS}")
        workloads = {workload["name"]: workload for workload in found["workloads"]}
        for transfers in (workloads["w"]["transactions"], workloads["v"]["transfers"]):
            self.assertEqual(transfers["completed"], 100)
            self.assertEqual(transfers["failed_by_cause"]["no_port"], transfers["failed"])

    def test_reuse(self):
        """With timestamps a port in TIME_WAIT is free after a second."""
        for client, server, least, most in (("", "", 500, 1000), ("timestamps = false, ", "", 100, 100), ("", "timestamps = false", 100, 100)):
            found = self.ports(f"{client}time_wait = 60 s, time_wait_reuse = true", server=server)
            self.assertGreaterEqual(found["transactions"]["completed"], least, (client, server))
            self.assertLessEqual(found["transactions"]["completed"], most, (client, server))

    def test_the_estimate_says_when_none_is_left(self):
        """Within a fifth of the first failure of a run; where it says nothing, none fails. Linux's ports, and its TIME_WAIT."""
        link, loop = "link x: [a, c, b] -- s { rate = RATE, delay = DELAY }", "workload w : web.ClosedLoop on a { server = b, documents = web.fixed(SIZE) }"
        two = "\n  ".join(f"workload {name} : web.OpenLoop on a {{ server = b, documents = web.fixed(SIZE), interval = 3 ms }}" for name in "wu")
        flows = "workload v : traffic.Flows on a { to = c, size = 10 KB, interval = exponential(1 ms) }"
        cases = [("100 Mbps", "50 us", "1 KB", loop, "1 ms"), ("1 Gbps", "200 us", "100 B", loop, "0 s"), ("20 Mbps", "10 us", "1 KB", loop, "0 s"),
                 ("1 Gbps", "50 us", "4 KB", loop.replace(") }", "), connections = 3, think = 1 ms }"), "200 us"), ("1 Gbps", "50 us", "", flows, "0 s"),
                 ("1 Gbps", "50 us", "1 KB", loop.replace("ClosedLoop", "OpenLoop").replace(") }", "), interval = 1500 us }"), "1 ms"),
                 ("1 Gbps", "50 us", "1 KB", two, "1 ms"), ("1 Gbps", "50 us", "", "workload v : traffic.Bulk on a { to = c, size = 10 KB, transfers = 9 }", "0 s"),
                 ("1 Gbps", "50 us", "", 'workload w : web.Replay on a { server = b, log = "one.log" }', "0 s"),
                 ("1 Gbps", "50 us", "1 KB", loop, "2 ms, close = at_once"), ("1 Gbps", "50 us", "1 KB", loop.replace("on a", "on [a, c]"), "2 ms"),
                 ("1 Gbps", "50 us", "1 KB", loop.replace(") }", "), requests = 5 }"), "1 ms"), ("1 Gbps", "500 us", "1 KB", loop, "1 ms")]
        for number, (rate, delay, size, workload, service) in enumerate(cases):
            text = PORTS.replace("profile few : Tcp { first_port = 40000, last_port = 40099, CLIENT }", "profile few : Tcp { }").replace("service = 0 s", f"service = {service}")
            for name, value in {"SERVER": "", "WORKLOADS": workload, "DURATION": "62", "link x: [a, b, c] -- s { rate = 1 Gbps, delay = 50 us }": link, "RATE": rate, "DELAY": delay, "SIZE": size}.items():
                text = text.replace(name, value)
            with self.subTest(text):
                model = self.fresh("ports.anml")
                (model.parent / "one.log").write_text('192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512\n')
                model.write_text(text)
                said = run(ANMLC, "check", model)
                warned = re.search(r"port-exhaustion.*none is left after some ([\d.]+) (s|min)", said.stdout + said.stderr)
                self.assertEqual(bool(warned), number < 7, said.stdout + said.stderr)
                failed = self.simulate(self.compile(text, "-O0"))["series"]["failed"]
                if warned:
                    first = next((second for second, count in enumerate(failed) if count), None)
                    estimate = float(warned[1]) * (60 if warned[2] == "min" else 1)
                    self.assertIsNotNone(first)
                    self.assertLess(abs(first + 0.5 - estimate), 0.2 * estimate + 0.5, (first, estimate))
                else:
                    self.assertEqual(sum(failed), 0)

    def test_https(self):
        """The server's `close_notify` meets a client that has closed: the reset leaves no TIME_WAIT, and nothing is warned of."""
        text = PORTS.replace("service = 0 s", "service = 10 ms, scheme = https, port = 443")
        for name, value in {"CLIENT": "time_wait = 60 s", "SERVER": "", "WORKLOADS": ASKS.replace("0 s }", "0 s, scheme = https }"), "DURATION": "10"}.items():
            text = text.replace(name, value)
        found = self.simulate(self.compile(text))
        self.assertGreater(found["transactions"]["completed"], 700)
        self.assertEqual(found["transactions"]["failed"], 0)
        model = self.fresh("https.anml")
        model.write_text(text)
        self.assertNotIn("port-exhaustion", run(ANMLC, "check", model).stderr)

    def test_all_ports_are_open(self):
        """Not in TIME_WAIT: they are free when the connections end, and at once where there is none."""
        many = "workload w : web.OpenLoop on a { server = b, documents = web.fixed(100 B), interval = 1 ms, start_spread = 0 s }"
        found = self.ports("time_wait = 0 s", many)
        self.assertEqual(found["transactions"]["failed"], 0)
        self.assertEqual(found["verdict_reasons"], [])


if __name__ == "__main__":
    unittest.main()
