"""WebSockets and streams of events with simulated servers, against arithmetic, and alike for any number of tasks and threads."""
import unittest

from emulators import EmulatorTest

MODEL = """
import std.web

model Talk {
  host client[2]
  endpoint server { simulated = web.message_server(SERVER) }
  router r
  link client[*] -- r { rate = 100 Gbps, delay = 5 ms }
  link entry: r -- server { rate = 100 Gbps, delay = 5 ms }
  workload talk : web.KIND on client[*] { server = server, start_spread = 0 s, GIVEN }
  run { duration = DURATION }
}
"""
SITES = """
import std.web
component Site(server: node, feed: node) {
  router gateway
  host pc[4]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload chat : web.Socket on pc[*] {
    server = server, connections = 5, interval = exponential(80 ms), size = pareto(80 B, 1.3), messages = 20, think = exponential(100 ms), timeout = 300 ms, compression = deflate, expect = EXPECTED
  }
  workload news : web.Events on pc[*] { server = feed, scheme = https, connections = 2, events = 15, think = 50 ms, timeout = 400 ms }
  at 2 s { chat off }
  at 3 s { chat on }
}
model Sites {
  endpoint server { simulated = web.message_server(push = exponential(50 ms), size = uniform(1 B, 3 KB)) }
  endpoint feed { simulated = web.message_server(push = uniform(10 ms, 90 ms), scheme = https) }
  Site site[4](server = server, feed = feed)
  router core
  link site[*].gateway -- core { rate = 20 Mbps, delay = 5 ms }
  link core -- server { rate = 100 Mbps, delay = 1 ms, loss = 1 % }
  link core -- feed { rate = 100 Mbps, delay = 1 ms }
  run { duration = 5 s }
}
"""
ROUND_TRIP = 0.02


class Messages(EmulatorTest):
    def talk(self, kind, given, server="", duration="5 s"):
        model = MODEL.replace("SERVER", server).replace("KIND", kind).replace("GIVEN", given).replace("DURATION", duration)
        results = self.simulate(self.compile(model))
        return results["workloads"][0]["transactions"], results["workloads"][0], results

    def test_messages(self):
        """Each is answered a round trip later; a connection takes two until its first message, TLS 1.3 one more; behind the last answer come its close, the
        server's, and the think time."""
        for secured in (False, True):
            given = "interval = 100 ms, messages = 5, think = 1 s" + (", scheme = https, resumption = false" if secured else "")
            found, whole, _ = self.talk("Socket", given, "scheme = https" if secured else "")
            opens = ROUND_TRIP * (3 if secured else 2)
            took = opens + 0.4 + ROUND_TRIP + ROUND_TRIP + 1  # the messages, the close, the pause
            begun = int(5 / took) + 1
            self.assertEqual((found["connections"], found["failed"], found["broken"], found["by_status"]), (2 * begun, 0, 0, {"101": 2 * begun}))
            self.assertEqual((found["completed"], found["received"], found["requests"]), (10 * begun,) * 3)
            self.assertAlmostEqual(whole["response_time_seconds"]["mean"], ROUND_TRIP, delta=2e-4)
            self.assertAlmostEqual(whole["phase_seconds"]["connect"], ROUND_TRIP, delta=1e-4)
            self.assertAlmostEqual(whole["phase_seconds"]["answer"], ROUND_TRIP, delta=1e-4)
            self.assertEqual((found["request_bytes"], found["response_bytes"]), (70 * found["completed"], 66 * found["completed"]))

    def test_rate(self):
        """Messages go whether or not those before are answered."""
        found, whole, _ = self.talk("Socket", "connections = 3, interval = 2 ms", duration="2 s")
        self.assertAlmostEqual(found["requests"], 6 * (2 - 2 * ROUND_TRIP) / 0.002, delta=12)
        self.assertAlmostEqual(whole["response_time_seconds"]["median"], ROUND_TRIP, delta=2e-4)
        self.assertEqual(found["failed"], 0)

    def test_no_echo(self):
        """Messages fail that have no answer in time, and the connection stays; what the server sends by itself answers those that wait for any."""
        found, _, results = self.talk("Socket", "interval = 100 ms, messages = 5, timeout = 200 ms, think = 100 s", "echo = false")
        self.assertEqual((found["completed"], found["failed"], found["failed_by_cause"]["timeout"], found["broken"]), (0, 10, 10, 0))
        found, _, _ = self.talk("Socket", "interval = 100 ms, expect = any", "echo = false, push = 100 ms", "2 s")
        self.assertEqual((found["failed"], found["completed"]), (0, found["received"]))
        found, _, _ = self.talk("Socket", "interval = 100 ms", "echo = true, push = 10 ms", "2 s")  # others answer nothing
        self.assertEqual(found["failed"], 0)
        self.assertGreater(found["received"], 5 * found["completed"])

    def test_events(self):
        found, whole, _ = self.talk("Events", "events = 10, think = 1 s", "push = 50 ms, size = 100 B")
        took = 2 * ROUND_TRIP + 10 * 0.05 + 1  # to connect, to ask, the events, the pause
        begun = int(5 / took) + 1
        self.assertEqual((found["connections"], found["failed"], found["broken"], found["by_status"]), (2 * begun, 0, 0, {"200": 2 * begun}))
        self.assertAlmostEqual(whole["response_time_seconds"]["median"], 0.05, delta=1e-3)
        self.assertAlmostEqual(whole["phase_seconds"]["answer"], 0.05 + ROUND_TRIP, delta=1e-3)
        found, _, _ = self.talk("Events", "timeout = 300 ms, think = 1 s", "")
        self.assertEqual((found["completed"], found["failed"]), (0, found["failed_by_cause"]["timeout"]))

    def test_text_and_timeline(self):
        found, _, _ = self.talk("Socket", 'text = "hello", interval = 50 ms } at 1 s { talk off } at 2 s { talk on', duration="3 s")
        self.assertEqual((found["failed"], found["broken"], found["connections"]), (0, 0, 4))
        self.assertEqual((found["request_bytes"], found["response_bytes"]), (11 * found["completed"], 7 * found["completed"]))

    def test_compressed(self):
        """As many messages, of fewer bytes: a second message that is like the first one costs next to none where the window stays."""
        given = "interval = 100 ms, messages = 5, think = 100 s, size = 3 KB"
        sent = {}
        for more in ("", ", compression = no_context_takeover", ", compression = deflate", ", compression = deflate, window_bits = 9"):
            found, _, _ = self.talk("Socket", given + more)
            self.assertEqual((found["failed"], found["completed"], found["compressed"]), (0, 10, 2 if more else 0))
            sent[more] = found["request_bytes"]
        plain, each, kept, narrow = sent.values()
        self.assertEqual(plain, 10 * 3080)
        self.assertLess(20 * each, plain)
        self.assertLess(kept, each)
        self.assertLess(20 * narrow, plain)

    def test_threads(self):
        for expected in ("echo", "any", "no_answer"):
            text = SITES.replace("EXPECTED", expected)
            (digest, _, workloads), _ = self.however_it_is_run(text, "transactions", "workloads")
            self.either_tier_has(text, digest, workloads)
            self.assertGreater(min(w["transactions"]["completed"] for w in workloads), 50)


if __name__ == "__main__":
    unittest.main(verbosity=2)
