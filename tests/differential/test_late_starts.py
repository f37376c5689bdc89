"""Open loads whose clients have a bound of connections: response times from when transactions were due and from when they began, against a
queue that is worked out here."""
import heapq
import math
import statistics
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.web

/// A request of EVERY stalls the server.
process stalls : time {
  state served: int = 0 then if served + 1 >= EVERY then 0 else served + 1
  yield if served == EVERY - 1 then 1 s else 1300 us
}

model Stalls {
  host client
  endpoint server { simulated = web.server(close = at_once, service = stalls, keep_alive = 1 h) }
  link client -- server { rate = 100 Gbps, delay = 5 ms }
  workload load : web.OpenLoop on client {
    server = server, documents = web.fixed(100 B), interval = 20 ms, start_spread = 0 s, GIVEN
  }
  TIMELINE
  run { duration = DURATION s }
}
"""
ROUND_TRIP, INTERVAL = 0.01, 0.02


def model(given, every=400, duration=29.995, timeline=""):
    return (MODEL.replace("GIVEN", given).replace("EVERY", str(every)).replace("DURATION", str(duration)).replace("TIMELINE", timeline))


def queue(connections, every, duration, persistent):
    """(due, begun, ended) of each transaction that ends in time; how many were due; and how many of them had not begun."""
    free = [0.0] * connections
    opened, done, due, waiting = 0, [], 0, 0
    while due * INTERVAL < duration:
        at = due * INTERVAL
        begin = max(at, heapq.heappop(free))
        round_trips = 1 if persistent and opened >= connections else 2
        opened += 1
        end = begin + round_trips * ROUND_TRIP + (1 if due % every == every - 1 else 0.0013)
        heapq.heappush(free, end)
        if end < duration:
            done.append((at, begin, end))
        waiting += begin >= duration
        due += 1
    return done, due, waiting


def percentile(values, percent):
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


class LateStarts(EmulatorTest):

    def compare(self, found, expected, message):
        """Percentiles are those of buckets 0.2 % wide."""
        self.assertEqual(found["samples"], len(expected), message)
        self.assertAlmostEqual(found["mean"], statistics.mean(expected), delta=1e-5, msg=message)
        self.assertAlmostEqual(found["max"], max(expected), delta=1e-5, msg=message)
        for name, percent in (("median", 50), ("p95", 95), ("p99", 99)):
            value = percentile(expected, percent)
            self.assertAlmostEqual(found[name], value, delta=0.004 * value, msg=f"{name} {message}")

    def test_a_stall(self):
        """One connection that stays. From when they began, one transaction in 400 is slow; from when they were due all that the stall held up are,
        and those that came while the line shrank."""
        for given, connections, persistent in (("connections = 1, requests = 1000000", 1, True), ("connections = 3, requests = 1", 3, False)):
            results = self.simulate(self.compile(model(given)))
            [load] = results["workloads"]
            done, due, waiting = queue(connections, 400, 29.995, persistent)
            self.assertEqual(load["transactions"]["in_progress"] + load["offered"]["waiting"], due - len(done), given)
            self.assertEqual(load["offered"], {"due": due, "late": sum(b > a + 1e-9 for a, b, _ in done), "waiting": waiting}, given)
            self.compare(load["response_time_seconds"], [e - b for _, b, e in done], given)
            self.compare(load["response_time_from_due_seconds"], [e - a for a, _, e in done], given)
            series = results["series"]
            for second in range(30):
                ended = [e - a for a, _, e in done if second <= e < second + 1]
                if ended:
                    self.assertAlmostEqual(series["response_from_due_mean_seconds"][second], statistics.mean(ended), delta=1e-4)
                    self.assertAlmostEqual(series["response_from_due_max_seconds"][second], max(ended), delta=1e-4)
                else:
                    self.assertIsNone(series["response_from_due_mean_seconds"][second])

    def test_what_the_difference_is(self):
        """p99 from the beginnings says that all is well."""
        [load] = self.simulate(self.compile(model("connections = 1, requests = 1000000")))["workloads"]
        self.assertLess(load["response_time_seconds"]["p99"], 0.012)
        self.assertGreater(load["response_time_from_due_seconds"]["p95"], 0.5)

    def test_nothing_waits_without_a_bound(self):
        results = self.simulate(self.compile(model("requests = 1")))
        [load] = results["workloads"]
        self.assertEqual(load["response_time_from_due_seconds"], load["response_time_seconds"])
        self.assertEqual((load["offered"]["late"], load["offered"]["waiting"]), (0, 0))
        self.assertEqual(results["series"]["response_from_due_mean_seconds"], results["series"]["response_mean_seconds"])

    def test_a_bound_that_is_not_reached_changes_nothing(self):
        bounded, free = (self.simulate(self.compile(model(f"requests = {requests}, connections = {most}", 10 ** 6, 5)))
                         for requests, most in ((1, 100), (1, 0)))
        self.assertEqual(bounded["digest"], free["digest"])

    def test_those_that_wait_count(self):
        """More than the server does: a tenth is done, the line grows, and its ages are in the percentiles."""
        emulator = self.compile(model("connections = 1, requests = 1000000, interval = 2 ms", 10 ** 6, 9.999).replace("interval = 20 ms, ", ""))
        results = self.fresh("results.json")
        shown = run(emulator, "simulate", "--results", results).stdout
        [load] = self.simulate(emulator)["workloads"]
        completed = load["transactions"]["completed"]
        self.assertAlmostEqual(completed, 10 / 0.0113, delta=2)
        self.assertEqual(load["offered"]["due"], 5000)
        self.assertEqual(load["offered"]["waiting"], 5000 - completed - load["transactions"]["in_progress"])
        times = load["response_time_from_due_seconds"]
        self.assertGreater(times["p99"] or times["at_least"]["p99"], 8)
        self.assertLess(load["response_time_seconds"]["p99"], 0.012)
        self.assertIn("from when they were due", shown)
        self.assertIn(f"{load['offered']['waiting']} waiting at the end", shown)

    def test_those_that_wait_go_on_when_switched_on(self):
        """Switched off with some in line: nothing begins, and behind it they do, in order."""
        given = "connections = 1, requests = 1000000, interval = 2 ms"
        stopped, whole = (self.simulate(self.compile(model(given, 10 ** 6, 3, timeline).replace("interval = 20 ms, ", "")))
                          for timeline in ("at 1 s { load off }", "from 1 s to 2 s { load off }"))
        [load] = stopped["workloads"]
        self.assertAlmostEqual(load["transactions"]["completed"], 1 / 0.0113, delta=2)
        self.assertEqual(load["offered"]["due"], 500)
        self.assertEqual(load["offered"]["waiting"], 500 - load["transactions"]["completed"])
        [load] = whole["workloads"]
        self.assertAlmostEqual(load["transactions"]["completed"], 2 / 0.0113, delta=3)
        self.assertEqual(load["offered"]["due"], 1000)
        self.assertEqual(whole["series"]["completed"][1], 1)  # the one that was under way


class Alike(EmulatorTest):
    def test_however_it_is_run(self):
        text = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.OpenLoop on pc[*] {
    server = server, interval = exponential(20 ms), documents = web.fixed(2 KB), connections = 2, requests = 5, idle = 50 ms
  }
}
model Parallel {
  endpoint server { simulated = web.event_driven(service = exponential(1.5 ms)) }
  Site site[4](hosts = 8, server = server)
  router core
  link site[*].gateway -- core { rate = 100 Mbps, delay = 2 ms }
  link core -- server { rate = 1 Gbps, delay = 3 ms }
  from 1 s to 1.3 s { site[*].surf off }
  run { duration = 4 s }
}
"""
        self.however_it_is_run(text, "transactions", "workloads", "series")


if __name__ == "__main__":
    unittest.main()
