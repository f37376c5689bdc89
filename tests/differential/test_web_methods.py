"""Methods, bodies and header fields of web clients against arithmetic, as tshark reads them, and alike for any number of tasks and threads."""
import pathlib
import unittest

from emulators import ANMLC, EmulatorTest, run
from test_persistent import ROUND_TRIP, keep


class Methods(EmulatorTest):

    def fetch(self, duration=7.5, server="", **given):
        text = keep(duration * ROUND_TRIP, **given).replace("close = at_once", "close = at_once" + server)
        return self.simulate(self.compile(text))["transactions"]

    def sizes(self, **given):
        """Bytes of a request and of its response."""
        found = self.fetch(**given)
        self.assertGreater(found["completed"], 2)
        self.assertEqual((found["failed"], found["unexpected_size"]), (0, 0))
        self.assertEqual(found["by_status"], {"200": found["completed"]})
        return found["request_bytes"] / found["completed"], found["response_bytes"] / found["completed"]

    def test_bytes(self):
        for persistent in ({}, {"requests": 1000}):
            get, whole = self.sizes(**persistent)
            self.assertEqual(self.sizes(method="HEAD", **persistent), (get + 1, whole - 100))
            typed = len("Content-Type: application/octet-stream\r\nContent-Length: 0\r\n")
            # A reply of no bytes says "0", and not "100".
            self.assertEqual(self.sizes(method="POST", **persistent), (get + 1 + typed, whole - 100 - 2))
            self.assertEqual(self.sizes(method="PUT", body="1234 B", **persistent), (get + 3 + typed + 1234, whole - 100 - 2))
            self.assertEqual(self.sizes(method="PUT", server=", reply = 777 B", **persistent), (get + typed, whole - 100 + 777))
            patch = self.sizes(method="PATCH", body="1234 B", server=", reply = 777 B", **persistent)
            self.assertEqual(patch, (get + 5 - 3 + typed + 3 + 1234, whole - 100 + 777))
            self.assertEqual(self.sizes(method="DELETE", server=", reply = 777 B", **persistent), (get + 3, whole - 100 + 777))
            self.assertEqual(self.sizes(method="OPTIONS", **persistent), (get + 4, whole - 100 - 2))
            self.assertEqual(self.sizes(authority='"h"', **persistent), (get - 3, whole))
            self.assertEqual(self.sizes(headers='["X-A: 1", "accept: a/b"]', **persistent), (get + len("X-A: 1\r\n"), whole))

    def test_a_body_takes_its_time(self):
        """An initial window of ten segments, which doubles: a round trip to connect, and one for each window."""
        for body, rounds in (("10 KB", 2), ("20 KB", 3), ("60 KB", 4)):
            found = self.fetch(duration=7 * rounds + 0.5, method="PUT", body=body)
            self.assertEqual(found["completed"], 7, body)

    def test_no_post_is_sent_twice(self):
        """A server whose FIN is under way when the next request leaves: requests that meet it are sent again, but for POSTs, which fail."""
        for method in ("GET", "PUT", "POST"):
            found = self.fetch(duration=400, server=", keep_alive = 32 ms", requests=1000, think="25 ms", method=method)
            self.assertEqual(found["retried"] > 0, method != "POST", method)
            self.assertEqual(found["failed"] > 0, method == "POST", method)
            self.assertGreater(found["completed"], 10)

    def test_no_written_post_is_pipelined(self):
        """It waits until all before it are answered, and those behind it wait for its response; others go on behind each other."""
        requests, capture = self.fresh("shop.http"), self.fresh("desk.pcap")
        requests.write_text("### a\nGET /a\n### b\nGET /b\n### c\nPOST /c\n### d\nPUT /d\n### e\nGET /e\n### f\nPATCH /f\n### g\nPOST /g\n")
        given = f'documents = web.requests("{requests}", size = 400 B), begin_with = first, requests = 1000, pipeline = 4'
        emulator = self.compile(f"""
import std.web
model Pipeline {{
  endpoint server {{ simulated = web.server(service = 3 ms) }}
  host client
  link desk: client -- server {{ rate = 100 Mbps, delay = 5 ms }}
  workload ask : web.ClosedLoop on client {{ server = server, {given} }}
  run {{ duration = 5 s }}
}}""")
        found = self.simulate(emulator, "--capture", f"desk={capture}")["transactions"]
        self.assertEqual((found["failed"], found["retried"]), (0, 0))
        words = ("http.request.method", "http.response.code")
        rows = run("tshark", "-n", "-r", capture, "-o", "tcp.desegment_tcp_streams:TRUE", "-Y", "http", "-T", "fields", "-E", "separator=|",
                   *(word for field in words for word in ("-e", field))).stdout.splitlines()
        open_, most, alone = [], 0, 0
        for row in rows:
            methods, codes = row.split("|")
            for code in filter(None, codes.split(",")):
                self.assertEqual(code, "200")
                open_.pop(0)
            for method in filter(None, methods.split(",")):
                if method in ("POST", "PATCH"):
                    self.assertEqual(open_, [])
                    alone += 1
                self.assertTrue({"POST", "PATCH"}.isdisjoint(open_))
                open_.append(method)
                most = max(most, len(open_))
        self.assertGreater(most, 1)
        self.assertGreater(alone, 30)
        self.assertGreater(found["completed"], 100)

    def test_what_the_bytes_are(self):
        capture = self.fresh("entry.pcap")
        headers = '["Accept-Language: en", "User-Agent: other/2"]'
        emulator = self.compile(keep(0.1, requests=3, method="PUT", body="5000 B", authority='"www.example.org"', headers=headers))
        run(emulator, "simulate", "--capture", f"entry={capture}")
        fields = ("http.request.method", "http.host", "http.user_agent", "http.accept_language", "http.accept", "http.content_length", "http.content_type")
        rows = run("tshark", "-n", "-r", capture, "-Y", "http.request", "-T", "fields", "-E", "separator=|",
                   *(word for field in fields for word in ("-e", field))).stdout.splitlines()
        self.assertGreater(len(rows), 1)
        for row in rows:
            self.assertEqual(row.split("|"), ["PUT", "www.example.org", "other/2", "en", "*/*", "5000", "application/octet-stream"])
        bad = run("tshark", "-n", "-r", capture, "-Y", "tcp.flags.reset==1 || _ws.malformed || tcp.analysis.retransmission").stdout
        self.assertEqual(bad, "")


class Alike(EmulatorTest):
    def test_any_number_of_threads(self):
        text = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload put : web.OpenLoop on pc[*] {
    server = server, interval = exponential(50 ms), requests = 12, method = PUT, body = 20 KB, documents = [web.catalogue(300, 2 KB), web.fixed(1 KB)]
  }
  workload ask : web.ClosedLoop on pc[*] {
    server = server, think = exponential(30 ms), requests = 20, method = HEAD, headers = "A: b", documents = web.catalogue(100, 2 KB)
  }
  workload get : web.ClosedLoop on pc[*] { server = server, think = exponential(30 ms), documents = web.catalogue(100, 2 KB) }
}
model Sites {
  endpoint server { simulated = web.server(service = exponential(1 ms), workers = 30, keep_alive = 40 ms, reply = 3 KB) }
  Site site[4](hosts = 5, server = server)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 1 % }
  run { duration = 5 s }
}
"""
        expected, _ = self.however_it_is_run(text, "workloads", "servers", "series")
        self.assertGreater(min(each["transactions"]["completed"] for each in expected[1]), 50)
        self.either_tier_has(text, *expected[:2])


    def test_requests_of_a_file(self):
        """They are counted by name, whoever simulates them; the written model is the same one, and make knows what they are made of."""
        requests, part = self.fresh("shop.http"), self.fresh("part.json")
        part.write_text("[1, 2]")
        requests.write_text(f"### find\nGET /find\n### order\nPOST http://shop/orders\n\n< {part.name}\n### gone\nDELETE /orders/1\n")
        text = f"""
import std.web
model Shop {{
  endpoint server {{ simulated = web.server(service = 1 ms, reply = 300 B) }}
  host user[4]
  link user[*] -- server {{ rate = 10 Mbps, delay = 5 ms }}
  workload shop : web.ClosedLoop on user[*] {{
    server = server, documents = web.requests("{requests}", size = uniform(1 KB, 9 KB)), begin_with = first, requests = 30, think = 10 ms
  }}
  run {{ duration = 3 s }}
}}
"""
        (digest, groups, workloads), _ = self.however_it_is_run(text, "groups", "workloads")
        of = {group["name"]: group for group in groups["request"]}
        self.assertEqual(list(of), ["find", "order", "gone"])
        self.assertEqual(sum(group["completed"] for group in of.values()), workloads[0]["transactions"]["completed"])
        self.assertEqual(workloads[0]["transactions"]["unexpected_size"], 0)
        bytes_each = {name: group["request_bytes"] / group["completed"] for name, group in of.items()}
        self.assertEqual(bytes_each["order"] - bytes_each["find"],
                         len("POST /orders") - len("GET /find") + len("[1, 2]") + len("Content-Length: 6\r\n"))  # both hosts have four letters
        model = self.fresh("shop.anml")
        model.write_text(text)
        written = run(ANMLC, model, "--emit=anml").stdout
        self.assertEqual(self.simulate(self.compile(written))["digest"], digest)
        made = self.fresh("made")
        run(ANMLC, model, "-O0", "-MD", "-o", made)
        rule = pathlib.Path(f"{made}.d").read_text()
        for name in (requests, part):
            self.assertIn(str(name), rule)


if __name__ == "__main__":
    unittest.main()
