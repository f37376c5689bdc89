"""WebSockets and streams of events against a real server, and against servers that answer in odd ways."""
import collections
import json
import pathlib
import sys
import unittest

from netlab import ANMLC, ROOT, Lab, run

HERE = pathlib.Path(__file__).parent
PEM, CA = ROOT / "tests/data/tls/server.pem", ROOT / "tests/data/tls/ca.pem"
PYTHON = "/usr/bin/python3"  # which has Debian's modules
MODEL = """
import std.web
model Talk {
  endpoint server { simulated = web.message_server(port = 8080) }
  router gate
  host client[2]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
  WORKLOADS
  run { duration = SECONDS }
}
"""


def workload(kind, given, name="talk", port=8080):
    return f"workload {name} : web.{kind} on client[*] {{ server = server, port = {port}, {given} }}"


class Talks(unittest.TestCase):
    def live(self, workloads, server, *arguments, seconds="2 s"):
        """Results of a run, and the server's log."""
        with Lab() as lab:
            emulator = lab.compile(MODEL.replace("WORKLOADS", workloads).replace("SECONDS", seconds))
            log = lab.folder / "log"
            log.touch()
            arguments = [log if argument == "LOG" else argument for argument in arguments]
            self.said = run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", PYTHON, HERE / server, *arguments, timeout=90, check=False).stdout
            results = json.loads((lab.folder / "r.json").read_text())
            return results, [json.loads(line) for line in log.read_text().splitlines()]

    def one(self, kind, given, scheme="-", server="message_server.py", **more):
        results, lines = self.live(workload(kind, given), server, 8080, "LOG", scheme, **more)
        return results["workloads"][0]["transactions"], results["workloads"][0], lines

    def test_echo(self):
        """Each message comes back, in tens of connections, of sizes with each form of length, and as text; the server's pings are answered, and it has read what was sent."""
        for size in ("size = 5 B", "size = uniform(100 B, 200 B)", "size = 70000 B", 'text = "gr\u00fc\u00dfe"', 'text = "hello", headers = "Origin: https://a.example"'):
            found, whole, lines = self.one("Socket", f'path = "/echo", connections = 10, interval = 40 ms, messages = 20, think = 20 s, {size}', seconds="3 s")
            self.assertEqual((found["failed"], found["completed"], found["requests"], found["received"], found["broken"]), (0, 400, 400, 400, 0), size)
            self.assertEqual((found["connections"], found["by_status"]), (20, {"101": 20}))
            self.assertEqual((len(lines), sum(line["messages"] for line in lines), {line["pongs"] for line in lines}, {line["code"] for line in lines}), (20, 400, {1}, {1000}), size)
            self.assertGreater(whole["response_time_seconds"]["median"], 0.004)
            self.assertGreater(whole["phase_seconds"]["answer"], 0.004)
            self.assertGreaterEqual(found["request_bytes"], 6 * 400)
            if "size = 70000" in size:
                self.assertEqual((found["request_bytes"], found["response_bytes"], sum(line["bytes"] for line in lines)), (400 * 70014, 400 * 70010 + 20 * 16, 400 * 70000))
            if "Origin" in size:
                self.assertEqual({line["origin"] for line in lines}, {"https://a.example"})

    def test_tls(self):
        given = f'path = "/echo", scheme = https, authority = "www.example.org", trust_anchors = "{CA}", interval = 50 ms, messages = 10, size = 30000 B, think = 300 ms'
        found, whole, lines = self.one("Socket", given, PEM)
        self.assertEqual(found["failed"], 0)
        self.assertTrue(0 < sum(line["messages"] for line in lines) <= found["requests"])
        self.assertGreater(found["handshakes"]["full"] + found["handshakes"]["resumed"], 2)
        self.assertGreater(whole["phase_seconds"]["tls"], 0.002)
        found, _, lines = self.one("Events", 'path = "/events", scheme = https, connections = 3', PEM)
        self.assertEqual(found["failed"], 0)
        self.assertGreater(found["completed"], 20)

    def test_chat(self):
        """Everybody gets everything: its own message is a client's answer."""
        found, _, lines = self.one("Socket", 'path = "/chat", connections = 5, interval = 100 ms, messages = 10, think = 20 s, size = 20 B, start_spread = 0 s', seconds="3 s")
        self.assertEqual((found["failed"], found["completed"], found["requests"]), (0, 100, 100))
        self.assertEqual(sum(line["messages"] for line in lines), 100)
        self.assertGreater(found["received"], 800)

    def test_nothing_expected(self):
        found, whole, _ = self.one("Socket", 'path = "/echo", interval = 50 ms, expect = no_answer')
        self.assertEqual((found["failed"], found["completed"]), (0, found["received"]))
        self.assertAlmostEqual(whole["response_time_seconds"]["median"], 0.05, delta=0.03)

    def test_closed_by_the_server(self):
        found, _, lines = self.one("Socket", 'path = "/bye", interval = 20 ms, think = 20 s')
        self.assertEqual((found["completed"], found["failed"], found["broken"], found["by_close_code"]), (4, found["failed_by_cause"]["server_closed"], 2, {"1011": 2}))
        self.assertGreaterEqual(found["failed"], 2)  # and what a busy machine has sent behind it
        self.assertIn("closed by the server", self.said)

    def test_not_found(self):
        found, _, _ = self.one("Socket", 'path = "/nowhere", think = 100 ms')
        self.assertEqual((found["completed"], found["failed"]), (0, found["failed_by_cause"]["status"]))
        self.assertEqual(found["first_status_failure"], {"status": 404, "path": "/nowhere"})

    def test_events(self):
        """What the clients have read is what the server has sent; the time between events is the server's."""
        found, whole, lines = self.one("Events", 'path = "/events", connections = 5, events = 20, think = 20 s, start_spread = 100 ms')
        self.assertEqual((found["failed"], found["completed"], found["received"], found["broken"], found["by_status"]), (0, 200, 200, 0, {"200": 10}))
        self.assertEqual({line["accept"] for line in lines}, {"text/event-stream"})
        self.assertAlmostEqual(whole["response_time_seconds"]["median"], 0.05, delta=0.03)
        self.assertLess(whole["phase_seconds"]["answer"], 0.5)
        found, _, _ = self.one("Events", 'path = "/events?most=7", think = 20 s')  # the server's end
        self.assertEqual((found["completed"], found["failed_by_cause"]["server_closed"], found["failed"]), (14, 2, 2))

    def test_events_go_on(self):
        """A stream that the server has ended begins again when it says, behind the event that came last; one that the client ends does not."""
        found, _, lines = self.one("Events", 'path = "/events?most=4&retry=150", think = 20 s', seconds="3 s")
        self.assertEqual(found["failed"], found["failed_by_cause"]["server_closed"])
        self.assertGreater(found["failed"], 8)
        for client in {line["client"] for line in lines}:
            own = [line for line in lines if line["client"] == client]
            self.assertEqual([line["last"] for line in own], [None, *(str(4 * i - 1) for i in range(1, len(own)))])
            for before, after in zip(own, own[1:]):
                self.assertTrue(0.14 < after["began"] - before["ended"] < 0.6, after["began"] - before["ended"])
        found, _, lines = self.one("Events", 'path = "/events?retry=5000", events = 3, think = 100 ms')
        self.assertEqual(found["failed"], 0)
        self.assertGreater(len(lines), 6)
        self.assertEqual({line["last"] for line in lines}, {None})

    def test_thousands(self):
        found, _, lines = self.one("Socket", 'path = "/echo", connections = 1000, interval = 2 s, start_spread = 3 s, timeout = 20 s', seconds="8 s")
        self.assertEqual((found["failed"], found["connections"]), (0, 2000), found["failed_by_cause"])
        self.assertGreater(found["completed"], 3000)

    def compressed(self, given, how="deflate"):
        found, _, lines = self.one("Socket", f"connections = 5, interval = 20 ms, messages = 20, think = 20 s, {given}", how, server="compressing_server.py", seconds="3 s")
        self.assertEqual((found["failed"], found["completed"], found["requests"], found["received"], found["broken"]), (0, 200, 200, 200, 0), (given, how))
        self.assertEqual((len(lines), sum(line["messages"] for line in lines), {line["code"] for line in lines}), (10, 200, {1000}), (given, how))
        self.assertEqual(found["compressed"], 0 if how == "none" or "compression" not in given else 10)
        (offered,), (taken,) = {line["offered"] for line in lines}, {json.dumps(line["taken"]) for line in lines}
        return found, sum(line["bytes"] for line in lines), offered, json.loads(taken)

    def test_compressed(self):
        """permessage-deflate with Python's websockets, as both ends may want it: its counts are ours, and what it has read is longer than what came."""
        for given, how, offered, taken in (
            ("compression = deflate, size = 3000 B", "deflate", "permessage-deflate; client_max_window_bits", [False, False, 12, 12]),
            ("compression = deflate, size = uniform(1 B, 70 KB)", '{"server_no_context_takeover": true, "client_no_context_takeover": true, "client_max_window_bits": 9}',
             "permessage-deflate; client_max_window_bits", [True, True, 15, 9]),
            ("compression = no_context_takeover, window_bits = 10, size = uniform(1 B, 70 KB)", "deflate",
             "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits=10", [True, True, 10, 10]),
            ('compression = deflate, text = "%s"' % ("gr\u00fc\u00dfe " * 20), "deflate", "permessage-deflate; client_max_window_bits", [False, False, 12, 12]),
        ):
            found, size, said, agreed = self.compressed(given, how)
            self.assertEqual((said, agreed), (offered, [taken]), (given, how))
            self.assertLess(3 * found["request_bytes"], size)
            self.assertLess(3 * found["response_bytes"], size)
        for given, how, offered in (("compression = deflate, size = 3000 B", "none", "permessage-deflate; client_max_window_bits"), ("size = 3000 B", "deflate", None)):
            found, size, said, agreed = self.compressed(given, how)
            self.assertEqual((said, agreed, size, found["request_bytes"]), (offered, [], 600000, 200 * 3008), (given, how))

    def odd(self, kind, ways, given, seconds="1500 ms"):
        workloads = "\n  ".join(workload(kind, given, f"w{i}", 8080 + i) for i in range(len(ways)))
        results, _ = self.live(workloads, "odd_message_server.py", 8080, *ways, seconds=seconds)
        for way, each in zip(ways, results["workloads"]):
            yield way, each["transactions"]

    def judge(self, way, failed, cause, found):
        """It fails by this cause alone, but for what a busy machine does not come to in time."""
        late = {"timeout", "connect"}
        self.assertEqual((failed.keys() | late, found["completed"]), ({cause} | late, 0), (way, failed))
        self.assertIn(cause, failed)

    def test_odd_servers(self):
        causes = {"accept": "protocol", "extension": "protocol", "ssh": "protocol", "forbidden": "status", "html": "status", "silent": "timeout", "endless-head": "timeout",
                  "endless": "timeout", "pings": "timeout", "masked": "masked", "reserved": "frame", "opcode": "frame", "long-ping": "frame", "cut-ping": "frame",
                  "length": "frame", "huge": "frame", "continues": "frame", "interleaved": "frame", "utf8": "frame", "close-code": "frame", "close": "server_closed",
                  "half": "truncated"}
        for way, found in self.odd("Socket", list(causes), "interval = 300 ms, timeout = 500 ms, size = 20 B"):
            failed = {cause: count for cause, count in found["failed_by_cause"].items() if count}
            self.judge(way, failed, causes[way], found)
            if causes[way] in ("protocol", "frame", "masked"):
                self.assertTrue(found["first_protocol_failure"], way)
            if way == "close":
                self.assertEqual(found["by_close_code"].keys(), {"1001"})
        causes = {"bits": "protocol", "unknown": "protocol", "twice": "protocol", "no-value": "protocol", "two": "protocol", "another": "protocol",
                  "no-deflate": "frame", "cut-deflate": "frame", "packed-ping": "frame", "bomb": "frame", "reserved": "frame"}
        said = {"bomb": "a compressed message of more than 16 MiB", "cut-deflate": "a compressed message that is no deflated data", "reserved": "a reserved bit is set",
                "two": "no answer to the permessage-deflate that was offered"}
        for way, found in self.odd("Socket", list(causes), "interval = 300 ms, timeout = 500 ms, size = 20 B, compression = deflate"):
            failed = {cause: count for cause, count in found["failed_by_cause"].items() if count}
            self.judge(way, failed, causes[way], found)
            self.assertEqual(found["first_protocol_failure"], said.get(way, found["first_protocol_failure"]))
        for way, found in self.odd("Socket", ["pieces"], "interval = 100 ms, size = 20 B"):
            self.assertEqual(found["failed"], 0, way)
            self.assertGreater(found["completed"], 10)

    def test_odd_streams(self):
        causes = {"html": "protocol", "ssh": "protocol", "forbidden": "status", "silent": "timeout", "endless-event": "timeout", "bad-chunks": "truncated", "event-pieces": "timeout"}
        events = collections.Counter()
        for way, found in self.odd("Events", list(causes), "timeout = 500 ms"):
            failed = {cause: count for cause, count in found["failed_by_cause"].items() if count}
            self.assertEqual(failed.keys(), {causes[way]}, way)
            events[way] = found["completed"] / max(1, found["by_status"].get("200", 1))
        self.assertEqual((events["event-pieces"], events["bad-chunks"], events["endless-event"]), (3, 1, 0))


class Refused(unittest.TestCase):
    CLIENT = """
import socket
def ask(address, text):
    with socket.create_connection((address, 8080), 10) as s:
        s.sendall(text.replace("\\n", "\\r\\n").encode())
        print(s.recv(4000).split()[1].decode())
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
for name, key, version in (("WebSocket", KEY, 13), ("websocket", KEY, 8), ("websocket", "abc", 13), ("h2c", "", 13)):
    ask("10.0.0.80", f"GET / HTTP/1.1\\nHost: a\\nUpgrade: {name}\\nConnection: Upgrade\\nSec-WebSocket-Key: {key}\\nSec-WebSocket-Version: {version}\\n\\n")
for first, fields in (("GET /a HTTP/1.1", "Host: a"), ("GET /a HTTP/1.0", ""), ("GET /a HTTP/1.1", ""), ("GET /a HTTP/1.1", "Host: a\\nHost: a"),
                      ("POST /a HTTP/1.1", "Host: a\\nContent-Length: 1\\nContent-Length: 2"), ("BREW /a HTTP/1.1", "Host: a"), ("GET /a HTTP/9.9", "Host: a")):
    ask("10.0.0.81", f"{first}\\n{fields}\\n\\n" if fields else f"{first}\\n\\n")
"""

    def test_what_simulated_servers_refuse(self):
        """Statuses of RFC 9110, 9112 and 6455, 4.2.1 and 4.4, as nginx has them; another protocol to upgrade to is not heard."""
        with Lab() as lab:
            (lab.folder / "client.py").write_text(self.CLIENT)
            emulator = lab.compile(MODEL.replace("endpoint server {", "endpoint me { address = 10.0.0.1 }\n  endpoint site { address = 10.0.0.81, simulated = web.server(port = 8080) }\n  endpoint server { address = 10.0.0.80,")
                                   .replace("WORKLOADS", "link [me, site] -- gate { rate = 1 Gbps }\n  workload ask : web.OpenLoop on client[*] { server = site, port = 8080, documents = web.fixed(1 KB, \"/a\"), interval = 1 s }").replace("SECONDS", "20 s"))
            done = run(emulator, "live", "--no-workload", "--quiet", "--sandbox", "me", "--", PYTHON, lab.folder / "client.py", timeout=60)
        self.assertEqual(done.stdout.split(), "101 426 400 200 200 200 400 400 400 501 505".split(), done.stdout + done.stderr)


class Tested(unittest.TestCase):
    def test_a_test_with_a_server(self):
        """`anmlc test --server` holds a model's thresholds against a real server."""
        with Lab() as lab:
            for limit, status, said in (("2 s", 0, "1 passed, 0 failed"), ("2 us", 1, "`p95(talk) < 2 us` does not hold")):
                test = lab.folder / "talk.anml"
                model = MODEL.replace("WORKLOADS", workload("Socket", 'path = "/echo", connections = 5, interval = 50 ms') + f"\n  require p95(talk) < {limit}").replace("SECONDS", "1 s")
                test.write_text("edition 1\n" + model)
                done = run(ANMLC, "test", test, "--server", f"{PYTHON} {HERE}/message_server.py 8080 {lab.folder}/log -", check=False)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                self.assertIn(said, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
