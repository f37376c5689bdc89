"""Sessions of pages and their parts: against arithmetic, and alike for any number of tasks and threads."""
import heapq
import json
import unittest

import jsonschema

from emulators import ANMLC, ROOT, EmulatorTest, run

MODEL = """
import std.web

model Pages {
  host user[USERS]
  endpoint server { simulated = web.server(close = at_once, etags = true, cookie = true) }
  router r
  link user[*] -- r { rate = 100 Gbps, delay = 5 ms }
  link r -- server { rate = 100 Gbps, delay = 5 ms }
  workload look : web.KIND on user[*] {
    server = server, start_spread = 0 s, GIVEN
  }
  run { duration = DURATION }
}
"""
ROUND_TRIP = 0.02
PARTS = "[" + ", ".join(f'web.fixed(100 B, "/part{i}")' for i in range(40)) + "]"


def pages(duration, kind="Browser", users=1, secured=False, **given):
    """Over HTTP/2 if that is given; with TLS if it is `secured`."""
    if secured:
        given = {**given, "scheme": "https"}
    attributes = ", ".join(f"{name} = {value}" for name, value in {"documents": "web.fixed(100 B)", "parts": PARTS, **given}.items())
    server = "etags = true" + ", version = HTTP_2" * ("version" in given) + ", scheme = https" * secured
    return MODEL.replace("etags = true", server).replace("USERS", str(users)).replace("KIND", kind).replace("GIVEN", attributes).replace("DURATION", f"{1000 * duration:.0f} ms")


def in_turn(parts, connections, opened):
    """Round trips of a page: its document, on a connection that is opened first or not; then each connection fetches one part after the other, and those
    that are not open yet open first."""
    at = 1 + (0 if opened else 1)
    free = sorted((at, i) for i in range(connections))
    last, fresh = at, set(range(max(opened, 1), connections))
    for _ in range(parts):
        begin, connection = heapq.heappop(free)
        end = begin + 1 + (connection in fresh)
        fresh.discard(connection)
        heapq.heappush(free, (end, connection))
        last = max(last, end)
    return last


class Arithmetic(EmulatorTest):

    def look(self, duration, **given):
        found = self.simulate(self.compile(pages(duration, **given)))["workloads"][0]
        self.assertEqual((found["transactions"]["failed"], found["pages"]["failed"], found["transactions"]["unexpected_size"]), (0, 0, 0))
        return found

    def test_page_times(self):
        """Two pages of a session, on connections that are opened and on those that are there."""
        for parts, connections in ((0, 6), (1, 6), (2, 6), (7, 6), (30, 6), (5, 1), (9, 2)):
            first = in_turn(parts, connections, 0)
            second = in_turn(parts, connections, max(1, min(parts, connections)))
            # As many sessions as fit, each followed by a pause that ends in the middle of a round trip.
            found = self.look((4 * (first + second + 1) + 0.5) * ROUND_TRIP, parts_per_page=parts, connections=connections, pages=2, pause="20 ms")
            message = f"{parts} parts, {connections} connections"
            self.assertEqual((found["pages"]["completed"], found["pages"]["sessions"]), (8, 4), message)
            self.assertAlmostEqual(found["page_time_seconds"]["mean"] / ROUND_TRIP, (first + second) / 2, delta=0.01, msg=message)
            self.assertAlmostEqual(found["page_time_seconds"]["max"] / ROUND_TRIP, max(first, second), delta=0.01, msg=message)
            self.assertEqual(found["transactions"]["completed"], 8 * (1 + parts), message)
            opened = max(1, min(parts, connections))
            self.assertEqual(found["transactions"]["connections"], 4 * opened, message)

    def test_thresholds_of_pages(self):
        """`page` asks for what page_time_seconds has."""
        text = pages(3, parts_per_page=4, connections=2).replace("  run {", "  require mean_time(look, page) > 0 s && max_time(look, page) < 1 s\n  run {")
        self.assertIn("(look, page)", text)
        found = self.simulate(self.compile(text))
        times, measures = found["workloads"][0]["page_time_seconds"], found["thresholds"][0]["measures"]
        self.assertEqual((measures["mean_time(look, page)"], measures["max_time(look, page)"]), (times["mean"], times["max"]))

    def test_results_are_as_documented(self):
        """And reports read them."""
        for kind in ("Browser", "Sessions"):
            path = self.fresh("results.json")
            given = {"interval": "100 ms"} if kind == "Sessions" else {}
            run(self.compile(pages(2, kind, parts_per_page=3, **given)), "simulate", "--results", path)
            jsonschema.validate(json.loads(path.read_text()), json.loads((ROOT / "docs/results.schema.json").read_text()))
            self.assertIn("look", run(ANMLC, "report", path, "--format", "markdown").stdout)

    def test_streams(self):
        """Over HTTP/2 the parts are streams of one connection, all at a time, or as many as it says; another one is opened for those beyond, if there may be one."""
        for parts, streams, connections, rounds in ((0, 100, 1, (0, 0)), (1, 100, 1, (1, 1)), (30, 100, 1, (1, 1)), (70, 50, 1, (2, 2)), (30, 8, 1, (4, 4)), (5, 1, 1, (5, 5)),
                                                    (4, 2, 2, (2, 1)), (4, 2, 3, (2, 1))):
            for secured in (False, True):
                first, second = (2 + secured + rounds[0], 1 + rounds[1])  # TCP, TLS, the document, its parts
                given = {"streams": streams, "connections": connections} if (streams, connections) != (100, 1) else {}
                opened = 2 if connections > 1 else 1
                if secured and opened == 2:
                    first += 1  # for the second connection, too
                found = self.look((4 * (first + second + 1) + 0.5) * ROUND_TRIP, secured=secured, version="HTTP_2", parts_per_page=parts, pages=2, pause="20 ms", **given)
                message = f"{parts} parts, {streams} streams, {connections} connections, TLS {secured}"
                self.assertEqual((found["pages"]["completed"], found["pages"]["sessions"]), (8, 4), message)
                self.assertAlmostEqual(found["page_time_seconds"]["mean"] / ROUND_TRIP, (first + second) / 2, delta=0.01, msg=message)
                self.assertEqual(found["transactions"]["completed"], 8 * (1 + parts), message)
                self.assertEqual(found["transactions"]["connections"], 4 * opened, message)
                # A user who goes takes tickets along.
                self.assertEqual(found["transactions"]["handshakes"], {"full": 4 * secured, "resumed": 4 * secured * (opened - 1)}, message)

    def test_http_1_0(self):
        """A connection for each request: all take two round trips."""
        found = self.look((3 * 6 + 0.5) * ROUND_TRIP, parts_per_page=7, connections=4, requests=1)
        self.assertEqual((found["pages"]["completed"], found["transactions"]["connections"]), (3, 24))
        self.assertAlmostEqual(found["page_time_seconds"]["mean"] / ROUND_TRIP, 6, delta=0.01)

    def test_a_second_visit_asks_for_what_has_changed(self):
        """Of three pages in a session all but the first are there; a new session has forgotten them, and its cookie."""
        given = {"parts_per_page": 5, "pages": 3, "pause": "20 ms"}
        lasts = in_turn(5, 6, 0) + 2 * in_turn(5, 6, 5) + 1
        plain = self.look((3 * lasts + 0.5) * ROUND_TRIP, **given)
        self.assertEqual(plain["pages"]["sessions"], 3)
        found = self.look((3 * lasts + 0.5) * ROUND_TRIP, revalidate="true", **given)
        self.assertEqual((found["pages"]["sessions"], found["transactions"]["not_modified"]), (3, 3 * 2 * 6))
        self.assertEqual(found["transactions"]["by_status"], {"200": 3 * 6, "304": 3 * 12})
        streams = self.look((3 * (3 + 2 + 2 + 1) + 0.5) * ROUND_TRIP, version="HTTP_2", revalidate="true", **given)
        for of, figure in (("pages", "sessions"), ("transactions", "not_modified"), ("transactions", "by_status")):
            self.assertEqual(streams[of][figure], found[of][figure])
        cookies = self.look((3 * lasts + 0.5) * ROUND_TRIP, cookies="true", **given)["transactions"]
        # All of a session but its document bring the cookie that came with that.
        brought = 3 * 17 * len("Cookie: session=1\r\n")
        self.assertEqual(cookies["request_bytes"], plain["transactions"]["request_bytes"] + brought)

    def test_sessions_that_begin_by_themselves(self):
        """One each 30 ms, of three pages with 200 ms between them."""
        found = self.look(3.015, kind="Sessions", interval="30 ms", parts_per_page=2, pages=3, think="200 ms")
        lasts = (in_turn(2, 6, 0) + 2 * in_turn(2, 6, 2)) * ROUND_TRIP + 2 * 0.2
        self.assertEqual(found["pages"]["sessions"], int((3.015 - lasts) / 0.03) + 1)
        self.assertEqual(found["transactions"]["connections"], 2 * 101 - 3)  # the last session has none yet, the one before it one
        self.assertEqual(found["page_time_seconds"]["samples"], found["pages"]["completed"])

    def test_a_page_is_the_same_for_all(self):
        """Parts that are drawn are drawn once for a page: whoever looks at it again has them all."""
        given = {"parts": "web.catalogue(1000, constant(100 B), exponent = 0)", "parts_per_page": "round(uniform(2, 30))", "pages": 50, "revalidate": "true"}
        found = self.look(6, users=3, **{**given, "documents": "[web.fixed(100 B), web.fixed(200 B)]"})
        statuses = found["transactions"]["by_status"]
        self.assertGreater(statuses["304"], 10 * statuses["200"])


class Alike(EmulatorTest):
    def test_any_number_of_threads(self):
        text = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload look : web.Browser on pc[*] {
    server = server, documents = web.catalogue(20, lognormal(3600 B, 1.4)), parts = [web.catalogue(100, lognormal(3600 B, 1.4)), web.fixed(20 KB)]
    parts_per_page = round(exponential(6)), pages = round(uniform(1, 5)), think = exponential(50 ms), pause = exponential(100 ms), idle = 200 ms
    cookies = true, revalidate = true, timeout = 500 ms
  }
  workload come : web.Sessions on pc[*] {
    server = server, documents = web.fixed(5 KB), parts = web.fixed(2 KB), parts_per_page = 3, pages = 2, interval = exponential(300 ms), requests = 4, connections = 2
  }
}
model Sites {
  endpoint server { simulated = web.server(service = exponential(1 ms), workers = 30, etags = true, cookie = true, keep_alive = 100 ms) }
  Site site[3](hosts = 4, server = server)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 1 % }
  from 1 s to 2 s { site[1].look off }
  from 2 s to 2500 ms { site[2].come off }
  run { duration = 4 s }
}
"""
        expected, _ = self.however_it_is_run(text, "workloads", "servers", "series")
        for workload in expected[1]:
            self.assertGreater(workload["pages"]["completed"], 20)
            self.assertGreater(workload["pages"]["sessions"], 5)
        self.either_tier_has(text, *expected[:2])
        summary = run(self.compile(text, "-O0"), "simulate").stdout
        self.assertEqual(summary.count("\n                 pages: "), len(expected[1]) + 2, summary)  # below their workload and the sums of two arrays, and not below all

        streams = text.replace("keep_alive = 100 ms", "keep_alive = 100 ms, version = HTTP_2, scheme = https").replace("    server = server,", "    server = server, version = HTTP_2, scheme = https,")
        results = self.simulate(self.compile(streams, "--tasks", 4), "--threads", 2)
        for workload in results["workloads"]:
            self.assertGreater(workload["pages"]["completed"], 20)
            handshakes, connections = sum(workload["transactions"]["handshakes"].values()), workload["transactions"]["connections"]
            self.assertTrue(0.9 * connections < handshakes <= connections, (handshakes, connections))
        self.either_tier_has(streams, results["digest"], results["workloads"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
