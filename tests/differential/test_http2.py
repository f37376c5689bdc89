"""HTTP/2 against arithmetic, and alike for any number of tasks and threads."""
import json
import unittest

from emulators import TIERS, EmulatorTest, run
from test_persistent import SITES

MODEL = """
import std.web

model Streams {
  host client[CLIENTS]
  endpoint server { simulated = web.server(version = HTTP_2SERVER) }
  router r
  link client[*] -- r { rate = 100 Gbps, delay = 5 ms }
  link entry: r -- server { rate = RATE, delay = 5 ms }
  workload browse : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(SIZE), start_spread = 0 s, version = HTTP_2, GIVEN
  }
  run { duration = DURATION }
}
"""
ROUND_TRIP = 0.02


def streams(duration, clients=1, size="100 B", rate="100 Gbps", server="", secured=False, **given):
    text = MODEL
    if secured:
        given, server = {**given, "scheme": "https"}, ", ".join(filter(None, (server, "scheme = https")))
    for word, value in {"CLIENTS": clients, "SERVER": server and ", " + server, "RATE": rate, "SIZE": size, "DURATION": f"{1e6 * duration:.0f} us",
                        "GIVEN": ", ".join(f"{name} = {value}" for name, value in given.items())}.items():
        text = text.replace(word, str(value))
    return text


class Arithmetic(EmulatorTest):

    def transactions(self, text):
        return self.simulate(self.compile(text))["transactions"]

    def test_round_trips(self):
        """A connection takes a round trip to connect, one for TLS, and one for each time its streams are filled."""
        for requests, depth, secured in ((1, 1, False), (2, 1, False), (5, 2, False), (40, 8, False), (300, 100, False), (1, 1, True), (40, 8, True)):
            rounds = 1 + secured + -(-requests // depth)
            # Seven connections, and half a round trip of the eighth, in which its SYN is under way.
            results = self.simulate(self.compile(streams((7 * rounds + 0.5) * ROUND_TRIP, requests=requests, streams=depth, secured=secured)))
            found = results["transactions"]
            message = f"{requests} requests, {depth} at a time, TLS {secured}"
            self.assertEqual(found["handshakes"], {"full": 1, "resumed": 6} if secured else {"full": 0, "resumed": 0}, message)
            self.assertEqual(results["servers"][0]["handshakes"], found["handshakes"], message)
            self.assertEqual((found["completed"], found["connections"], found["requests"]), (7 * requests, 7, 7 * requests), message)
            self.assertEqual((found["failed"], found["retried"]), (0, 0), message)
            phases = results["workloads"][0]["phase_seconds"]
            self.assertAlmostEqual(phases["connect"], ROUND_TRIP, delta=1e-4, msg=message)
            self.assertAlmostEqual(phases["answer"], ROUND_TRIP, delta=1e-4, msg=message)
            if secured:
                self.assertAlmostEqual(phases["tls"], ROUND_TRIP, delta=1e-4, msg=message)

    def test_alpn(self):
        """A server of HTTP/2 speaks HTTP/1 with clients that offer it; one that does not choose h2 has failed."""
        both = self.simulate(self.compile(streams(2, secured=True, requests=100).replace(
            "  run {", "  workload older : web.ClosedLoop on client[*] { server = server, documents = web.fixed(SIZE), scheme = https, requests = 100 }\n  run {".replace("SIZE", "2 KB"))))
        for workload in both["workloads"]:
            self.assertGreater(workload["transactions"]["completed"], 80)
            self.assertEqual(workload["transactions"]["failed"], 0)
        # One of HTTP/1 alone has no protocol in common with the client, and says so.
        found = self.transactions(streams(2, secured=True).replace("version = HTTP_2, scheme = https)", "scheme = https)"))
        self.assertEqual((found["completed"], found["failed_by_cause"]["tls"]), (0, found["failed"]))
        self.assertGreater(found["failed"], 2)
        self.assertIn("no application protocol", found["first_tls_failure"])

    def test_requests_that_differ(self):
        """Cookies, redirections and questions for what has changed, as over HTTP/1.1."""
        duration = (2 + 20 + 0.5) * ROUND_TRIP  # with TLS; 20 exchanges
        for secured in (False, True):
            def found(server, **given):
                results = self.simulate(self.compile(streams(duration - (0 if secured else ROUND_TRIP), server=server, secured=secured, requests=1000, **given)))
                self.assertEqual((results["transactions"]["failed"], results["transactions"]["connections"]), (0, 1))
                return results["transactions"]
            self.assertEqual(found("etags = true", revalidate="true")["by_status"], {"200": 1, "304": 19})
            moved = found("moved = true", redirects=1)
            self.assertEqual((moved["completed"], moved["redirected"], moved["requests"]), (10, 10, 21))
            self.assertEqual(found("moved = true")["by_status"], {"302": 20})
            kept, lost = found("cookie = true", cookies="true"), found("cookie = true")
            # The cookie enters HPACK's table with the first request that has it, and is a byte afterwards: the response loses its Set-Cookie then.
            self.assertEqual((kept["by_status"], lost["by_status"]), ({"200": 20}, {"200": 20}))
            self.assertLess(kept["response_bytes"], lost["response_bytes"])
            self.assertGreater(kept["request_bytes"], lost["request_bytes"])

    def test_the_servers_limit(self):
        """More at a time than a simulated server takes, 128: the others wait for their turn."""
        found = self.transactions(streams(3.5 * ROUND_TRIP, requests=10000, streams=400))
        self.assertEqual((found["connections"], found["failed"], found["retried"]), (1, 0, 0))
        # nghttp2 expects 100 before it has seen the limit.
        self.assertEqual(found["completed"], 100 + 128)

    def test_streams_share_a_link(self):
        """Eight documents of 1 MB over 8 Mbit/s: over one connection each gets an eighth of the link, and all end together; HTTP/1.1 sends one behind the other."""
        seconds = 8 * 8 * 2 ** 20 / 8e6
        shared = self.simulate(self.compile(streams(11, size="1 MB", rate="8 Mbps", requests=1000, streams=8, think="1000 s")))
        one_by_one = self.simulate(self.compile(streams(11, size="1 MB", rate="8 Mbps", requests=1000, pipeline=8, think="1000 s")
                                                .replace("version = HTTP_2, ", "")))
        for name, results in (("shared", shared), ("one by one", one_by_one)):
            self.assertEqual(results["transactions"]["completed"], 8, name)
            # The link is never idle: headers take 5 % of it.
            self.assertGreater(results["workloads"][0]["response_time_seconds"]["max"], seconds, name)
            self.assertLess(results["workloads"][0]["response_time_seconds"]["max"], 1.06 * seconds, name)
        shared, one_by_one = (results["workloads"][0]["response_time_seconds"] for results in (shared, one_by_one))
        self.assertGreater(shared["mean"], 0.98 * shared["max"])
        self.assertAlmostEqual(one_by_one["mean"], one_by_one["max"] * 4.5 / 8, delta=0.02 * seconds)

    def test_workers_and_processors(self):
        """Each stream's request waits for a worker; a worker of the connection serves them one after another; processors are shared."""
        for server, rate in (("service = 10 ms, workers = 1", 100), ("service = 10 ms, workers = 3", 300), ("service = 10 ms, hold = connection", 100),
                             ("service = 10 ms, processors = 2", 20 / 0.12), ("service = 10 ms, workers = 1, hold = connection, backlog = 10", 100)):
            found = self.transactions(streams(5, server=server, requests=1000000, streams=20))
            self.assertAlmostEqual(found["per_second"], rate, delta=0.02 * rate, msg=server)
            self.assertEqual(found["connections"], 1)

    def test_idle(self):
        """A client that thinks for a second keeps its connection, unless it or the server closes those that rest."""
        for given, server, kept in (({}, "", True), ({"idle": "2 s"}, "", True), ({"idle": "500 ms"}, "", False),
                                    ({}, "keep_alive = 500 ms", False), ({}, "keep_alive = 0 s", False)):
            found = self.transactions(streams(20, server=server, requests=1000, think="1 s", **given))
            self.assertEqual(found["connections"], 1 if kept else found["completed"] + found["in_progress"], (given, server))
            self.assertEqual((found["failed"], found["retried"]), (0, 0), (given, server))
            self.assertGreater(found["completed"], 17)

    def test_open_loop(self):
        """A request in 5 ms each of which takes 20 ms, four at a time: on as many connections as streams of them allow."""
        for depth, connections in ((1, 5), (2, 3), (8, 1)):
            text = streams(10, requests=1000000, streams=depth, interval="5 ms").replace("ClosedLoop", "OpenLoop")
            found = self.transactions(text)
            self.assertEqual(found["failed"], 0)
            self.assertLessEqual(found["connections"], 2 * connections, depth)  # the first ones have to connect
            self.assertGreaterEqual(found["connections"], connections - 1, depth)

    def test_an_upload_has_the_windows_of_nginx(self):
        """They do not bound it: with the 65 535 bytes of RFC 9113 10 MB would take 3.2 s, and one would be completed."""
        found = self.transactions(streams(4, size='1 KB, "/in"', requests=1000, method="PUT", body="10 MB"))
        self.assertGreater(found["completed"], 6)

    def test_timeouts_end_streams_alone(self):
        found = self.transactions(streams(5, server="service = 400 ms", size="1 KB", requests=1000, streams=3, timeout="300 ms"))
        self.assertEqual((found["completed"], found["failed_by_cause"]["timeout"]), (0, found["failed"]))
        self.assertGreater(found["failed"], 40)
        # While others are answered the connection stays, too.
        found = self.transactions(streams(20, server="service = if chance(5 %) then 1 s else 20 ms", size="1 KB", requests=10000, streams=4, timeout="300 ms"))
        self.assertGreater(found["failed_by_cause"]["timeout"], 20)
        self.assertEqual(found["connections"], 1)

    def test_bodies(self):
        """1 MB each way takes as long as its bytes take."""
        up = self.simulate(self.compile(streams(4, size='1 KB, "/in"', rate="100 Mbps", requests=1000, method="PUT", body="1 MB")))
        took = 8 * 2 ** 20 * 1.05 / 100e6
        # A window of 64 KB is updated when half of it is used: 1 MB takes 32 round trips at most.
        self.assertGreater(up["workloads"][0]["response_time_seconds"]["mean"], took)
        self.assertLess(up["workloads"][0]["response_time_seconds"]["mean"], took + 32 * 1.1 * ROUND_TRIP)
        self.assertEqual(up["transactions"]["failed"], 0)

    def test_what_the_bytes_are(self):
        capture = self.fresh("entry.pcap")
        emulator = self.compile(streams(1.02, size="40 KB", requests=5, streams=2))
        run(emulator, "simulate", "--capture", f"entry={capture}")
        fields = ("tcp.stream", "http2.headers.method", "http2.headers.path", "http2.headers.authority", "http2.headers.status", "http2.goaway.error")
        rows = run("tshark", "-n", "-r", capture, "-d", "tcp.port==80,http2", "-Y", "http2", "-T", "json", *(word for field in fields for word in ("-e", field))).stdout
        seen = {field: [] for field in fields}
        for packet in json.loads(rows):
            layers = packet["_source"]["layers"]
            if layers["tcp.stream"] != ["0"]:
                continue
            for field in fields[1:]:
                seen[field] += layers.get(field, [])
        self.assertEqual(seen["http2.headers.method"], ["GET"] * 5)
        self.assertEqual(seen["http2.headers.path"], ["/40960"] * 5)
        self.assertEqual(seen["http2.headers.authority"], ["anml"] * 5)
        self.assertEqual(seen["http2.headers.status"], ["200"] * 5)
        self.assertEqual(seen["http2.goaway.error"], ["0"])  # the client's
        bad = run("tshark", "-n", "-r", capture, "-d", "tcp.port==80,http2", "-Y", "tcp.flags.reset==1 || _ws.malformed || tcp.analysis.retransmission").stdout
        self.assertEqual(bad, "")

    def test_the_cookie_is_in_the_request(self):
        capture = self.fresh("cookie.pcap")
        run(self.compile(streams(0.2, server="cookie = true", requests=1000, cookies="true")), "simulate", "--capture", f"entry={capture}")
        read = ("tshark", "-n", "-r", capture, "-d", "tcp.port==80,http2", "-T", "fields", "-Y")
        self.assertEqual(run(*read, "http2.headers.set_cookie", "-e", "http2.headers.set_cookie").stdout.splitlines(), ["session=1; Path=/"])
        brought = run(*read, "http2.headers.method", "-e", "http2.headers.cookie").stdout.splitlines()
        self.assertEqual(brought, [""] + ["session=1"] * (len(brought) - 1))
        self.assertGreater(len(brought), 5)

    def test_without_it_nothing_is_linked(self):
        """nghttp2 is in the emulators of models that speak HTTP/2 alone."""
        plain = streams(1, requests=2).replace("version = HTTP_2, ", "").replace("version = HTTP_2", "")
        for level in TIERS:
            for text, there in ((plain, False), (streams(1, requests=2), True), (plain.replace("server()", "server(version = HTTP_2)"), True)):
                symbols = run("nm", "--defined-only", self.compile(text, level)).stdout
                self.assertEqual("nghttp2_session_mem_recv" in symbols, there, (level, text))


class Alike(EmulatorTest):
    def test_any_number_of_threads(self):
        text = (SITES.replace("requests = 12", "requests = 12, version = HTTP_2, streams = 3").replace("pipeline = 3", "streams = 3, version = HTTP_2")
                .replace("web.process_per_connection(", "web.server(version = HTTP_2, ").replace("processes = 30", "workers = 30, processors = 20"))
        expected, _ = self.however_it_is_run(text, "workloads", "servers", "series")
        found = [workload["transactions"] for workload in expected[1]]
        self.assertGreater(sum(each["retried"] for each in found), 0)
        self.assertGreater(min(each["requests"] / each["connections"] for each in found), 1.2)
        self.either_tier_has(text, *expected[:2])

        secured = text.replace("version = HTTP_2", "version = HTTP_2, scheme = https")
        results = self.simulate(self.compile(secured, "--tasks", 4), "--threads", 2)
        for workload in results["workloads"]:
            self.assertGreater(workload["transactions"]["completed"], 500)
            self.assertGreater(workload["transactions"]["handshakes"]["resumed"], 20)
            self.assertEqual(workload["transactions"]["failed_by_cause"]["tls"], 0)
        self.either_tier_has(secured, results["digest"], results["workloads"])


if __name__ == "__main__":
    unittest.main()
