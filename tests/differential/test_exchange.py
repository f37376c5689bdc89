"""Requests that differ from those before them, against arithmetic and as tshark reads them, and alike for any number of tasks and threads."""
import unittest

from emulators import EmulatorTest, run
from test_persistent import ROUND_TRIP, keep


def remember(duration, server, clients=1, **given):
    return keep(duration, clients, **given).replace("close = at_once", f"close = at_once, {server}")


class Exchanges(EmulatorTest):

    def fetch(self, rounds, server, **given):
        return self.simulate(self.compile(remember((rounds + 0.5) * ROUND_TRIP, server, **given)))["transactions"]

    def test_a_redirection_is_a_round_trip_more(self):
        """And with HTTP/1.0 two: it connects anew."""
        for requests, connect, each in ((1000, 1, 2), (1, 0, 4)):
            found = self.fetch(connect + 7 * each, "moved = true", requests=requests, redirects=1)
            self.assertEqual((found["completed"], found["redirected"], found["failed"], found["unexpected_size"]), (7, 7, 0, 0))
            self.assertEqual(found["by_status"], {"200": 7, "302": 7})
            self.assertEqual(found["connections"], 1 if connect else 14)

    def test_documents_that_are_there_have_no_body(self):
        whole = self.fetch(8, "etags = true", requests=1000)
        found = self.fetch(8, "etags = true", requests=1000, revalidate="true")
        self.assertEqual((whole["completed"], found["completed"], found["not_modified"]), (7, 7, 6))
        self.assertEqual(found["by_status"], {"200": 1, "304": 6})
        field = len('If-None-Match: "0-64"\r\n')
        self.assertEqual(found["request_bytes"], whole["request_bytes"] + 6 * field)
        less = len("200 OK") + len("Content-Type: application/octet-stream\r\nContent-Length: 100\r\n") + 100 - len("304 Not Modified")
        self.assertEqual(found["response_bytes"], whole["response_bytes"] - 6 * less)

    def test_cookies(self):
        found = self.fetch(8, "cookie = true", requests=1000, cookies="true")
        without = self.fetch(8, "cookie = true", requests=1000)
        self.assertEqual((found["completed"], without["completed"]), (7, 7))
        self.assertEqual(found["request_bytes"], without["request_bytes"] + 6 * len("Cookie: session=1\r\n"))
        self.assertEqual(found["response_bytes"], without["response_bytes"] - 6 * len("Set-Cookie: session=1; Path=/\r\n"))

    def test_what_the_bytes_are(self):
        capture = self.fresh("entry.pcap")
        emulator = self.compile(remember(0.4, "etags = true, cookie = true, moved = true", requests=50, redirects=1, revalidate="true", cookies="true"))
        run(emulator, "simulate", "--capture", f"entry={capture}")
        fields = ("http.request.uri", "http.cookie", "http.response.code", "http.location", "http.set_cookie", "http.content_length")
        rows = run("tshark", "-n", "-r", capture, "-Y", "http", "-T", "fields", "-E", "separator=|",
                   *(word for field in fields for word in ("-e", field))).stdout.splitlines()
        self.assertEqual(rows[:4], ["/100|||||", "||302|/moved/100|session=1; Path=/|0", "/moved/100|session=1||||", "||200|||100"])
        self.assertGreater(len(rows), 20)
        for ask, answer in zip(rows[4::2], rows[5::2]):
            self.assertEqual(answer, "||304|||" if ask.startswith("/moved") else "||302|/moved/100||0")
            self.assertIn("|session=1|", ask)
        bad = run("tshark", "-n", "-r", capture, "-Y", "tcp.flags.reset==1 || _ws.malformed || tcp.analysis.retransmission").stdout
        self.assertEqual(bad, "")


class Alike(EmulatorTest):
    def test_any_number_of_threads(self):
        text = """
import std.web
component Site(hosts: int, server: node, old: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.OpenLoop on pc[*] {
    server = server, interval = exponential(100 ms), start_spread = 10 ms, requests = 12, idle = 60 ms
    documents = web.catalogue(300, lognormal(3600 B, 1.4)), cookies = true, redirects = 1, revalidate = true
  }
  workload browse : web.ClosedLoop on pc[*] {
    server = old, think = exponential(60 ms), requests = 20, pipeline = 3, connections = 2
    documents = [web.fixed(40 KB), web.fixed(1 KB)], cookies = true, redirects = 2, revalidate = true
  }
}
model Sites {
  endpoint server { simulated = web.server(service = exponential(1 ms), workers = 30, etags = true, cookie = true) }
  endpoint old { simulated = web.server(etags = true, moved = true) }
  Site site[3](hosts = 4, server = server, old = old)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- old { rate = 100 Mbps, delay = 2 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 1 % }
  run { duration = 4 s }
}
"""
        expected, _ = self.however_it_is_run(text, "workloads", "servers", "series")
        surf, browse = (next(w["transactions"] for w in expected[1] if w["name"] == f"site[0].{name}") for name in ("surf", "browse"))
        self.assertEqual(surf["redirected"], 0)
        self.assertGreater(browse["redirected"], 100)
        for found in surf, browse:
            self.assertGreater(found["not_modified"], 20)
            self.assertEqual((found["unexpected_size"], found["failed"]), (0, 0))


if __name__ == "__main__":
    unittest.main(verbosity=2)
