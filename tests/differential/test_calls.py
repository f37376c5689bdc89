"""Servers that call other servers, against queueing theory and arithmetic; the same on any number of threads."""
import math
import unittest

from emulators import EmulatorTest

# Links that take almost no time: what is measured are the servers. CLIENTS ask 1000 times a second together, unless told.
TIERS = """
import std.web
model Tiers {{
  host client[20]
  endpoint front {{ simulated = web.server({front}) }}
  endpoint back[{backs}] {{ simulated = web.server({back}) }}
  router r
  link client[*] -- r {{ rate = 100 Gbps, delay = 1 us }}
  link front -- r {{ rate = 100 Gbps, delay = 1 us, queue = droptail(1 GB) }}
  link to_back: back[*] -- r {{ rate = 100 Gbps, delay = 1 us, queue = droptail(1 GB) }}
  {more}
  workload browse : web.OpenLoop on client[*] {{
    server = front, documents = web.fixed(1 B), interval = {interval}, timeout = 0 s, requests = 1000000{clients}
  }}
  workload lookup : web.Calls on front {{ to = back[*], documents = web.fixed(1 B){calls} }}
  {after}
  run {{ duration = {duration}, warmup = {warmup} }}
}}
"""


def tiers(front="", back="", backs=1, calls="", interval="exponential(20 ms)", duration="105 s", warmup="5 s", more="", clients="", after=""):
    return TIERS.format(front=front, back=back, backs=backs, calls=calls and ", " + calls, interval=interval, duration=duration, warmup=warmup, more=more, after=after,
                        clients=clients and ", " + clients)


class Calls(EmulatorTest):
    def run_tiers(self, text, *options):
        results = self.simulate(self.compile(text, "-O0"), *options)
        self.servers = {server["name"]: server for server in results["servers"]}
        self.workloads = {workload["name"]: workload for workload in results["workloads"]}
        self.browse, self.lookup = self.workloads["browse"], self.workloads["lookup"]
        self.calls = self.lookup["calls"]
        return results

    def answer(self):
        """Mean, ms, from a client's request to the first byte of its response."""
        return 1000 * self.browse["phase_seconds"]["answer"]

    # --- one call

    def test_one_call_takes_its_time(self):
        """Two round trips over the front's link and the back's, and both services; the worker is busy for all of it."""
        text = tiers("service = 2 ms", "service = 1 ms", interval="100 ms", duration="10 s", warmup="1 s").replace("1 us", "1 ms")
        results = self.run_tiers(text)
        # A request on its way is 2 ms, and so is the answer.
        self.assertAlmostEqual(1000 * self.lookup["call_time_seconds"]["mean"], 4 + 1, delta=0.01)
        self.assertAlmostEqual(self.answer(), 4 + 2 + 5, delta=0.01)
        self.assertAlmostEqual(self.servers["front"]["mean_busy"], 200 * 0.007, delta=0.005)
        self.assertEqual(self.servers["back[0]"]["requests"], self.calls["completed"])
        # Connections are kept: as many as calls were ever under way at a time, and none for each.
        self.assertLess(self.lookup["transactions"]["connections"], 30)
        self.assertGreater(self.calls["completed"], 1700)
        # Clients' transactions alone are the run's.
        self.assertEqual(results["transactions"]["completed"], self.browse["transactions"]["completed"])

    def test_round_robin_is_exact(self):
        self.run_tiers(tiers(backs=4, interval="20 ms", duration="4 s", warmup="0 s"))
        asked = [self.servers[f"back[{i}]"]["requests"] for i in range(4)]
        self.assertLessEqual(max(asked) - min(asked), 1)
        self.assertEqual(sum(asked), self.calls["completed"] + self.calls["in_progress"])

    def test_at_random(self):
        self.run_tiers(tiers(backs=4, calls="pick = at_random", duration="25 s"))
        for i in range(4):
            self.assertAlmostEqual(self.servers[f"back[{i}]"]["requests"], 5000, delta=4 * math.sqrt(20000 * 0.25 * 0.75))

    def test_least_busy_spares_the_slow(self):
        """One that takes 10 ms and others that take 1 ms: with about 2.2 under way, each new one goes to one that is idle."""
        slow = "endpoint slow { simulated = web.server(service = 10 ms) }\n  link slow -- r { rate = 100 Gbps, delay = 1 us }"
        text = tiers(back="service = 1 ms", backs=3, more=slow, calls="pick = least_busy", duration="25 s").replace("to = back[*]", "to = [slow, back[0], back[1], back[2]]")
        self.run_tiers(text)
        slow, fast = self.servers["slow"], self.servers["back[0]"]
        self.assertLess(slow["requests"], fast["requests"] / 2)
        self.assertGreater(slow["requests"], 100)

    def test_a_tandem(self):
        """Jackson: with a processor each (M/M/1-PS) the mean sojourn times add up. 1000/s; 0.5 ms, and 0.6 ms."""
        self.run_tiers(tiers("service = exponential(0.5 ms), processors = 1", "service = exponential(0.6 ms), processors = 1", duration="205 s"))
        self.assertAlmostEqual(1000 * self.lookup["call_time_seconds"]["mean"], 0.6 / 0.4, delta=0.06)
        self.assertAlmostEqual(self.answer(), 0.5 / 0.5 + 0.6 / 0.4, delta=0.08)

    def test_calls_one_after_another(self):
        """Two workloads: their times add up, in their order."""
        more = "workload first : web.Calls on front { to = back[1], documents = web.fixed(1 B) }"
        text = tiers("service = 1 ms", "service = 2 ms", backs=2, more=more, interval="100 ms", duration="5 s", warmup="1 s").replace("to = back[*]", "to = back[0]")
        self.run_tiers(text)
        self.assertAlmostEqual(self.answer(), 5, delta=0.1)
        self.assertEqual(self.servers["back[0]"]["requests"], self.servers["back[1]"]["requests"])

    # --- several nodes

    def test_fork_and_join(self):
        """Both of two M/M/1: (12 - rho) / 8 times the sojourn of one (Nelson and Tantawi, 1988, exact for two)."""
        self.run_tiers(tiers(back="service = exponential(0.6 ms), workers = 1", backs=2, calls="fan_out = 2", duration="205 s"))
        self.assertAlmostEqual(1000 * self.lookup["call_time_seconds"]["mean"], (12 - 0.6) / 8 * 1.5, delta=0.1)
        self.assertAlmostEqual(1000 * self.lookup["response_time_seconds"]["mean"], 1.5, delta=0.08)

    def test_how_many_answers(self):
        """Idle servers of 10 ms, exponential: the k-th of 4 comes after the sum of 10 ms / (4 - i), i below k."""
        for wanted in (1, 2, 3, 0):
            text = tiers(back="service = exponential(10 ms)", backs=4, calls=f"fan_out = 0, wait_for = {wanted}", interval="exponential(1 s)")
            self.run_tiers(text, "--for", "305 s")
            expected = sum(10 / (4 - i) for i in range(wanted or 4))
            self.assertAlmostEqual(1000 * self.lookup["call_time_seconds"]["mean"], expected, delta=0.06 * expected)
            # What is not waited for is asked all the same.
            self.assertEqual(self.lookup["transactions"]["completed"] // 100, 4 * self.calls["completed"] // 100)

    # --- failures

    def test_retries_amplify(self):
        """A tenth of the tries takes too long: 1 + p + p^2 tries for each call with two retries, and p^3 of them fail."""
        share = 0.1
        self.run_tiers(tiers(back="service = mixture([90 %, 10 %], [1 ms, 1 s])", calls="timeout = 50 ms, retries = 2, backoff = 1 ms"))
        calls = self.calls["completed"] + self.calls["failed"]
        tries = self.lookup["transactions"]["completed"] + self.lookup["transactions"]["failed"]
        self.assertAlmostEqual(tries / calls, 1 + share + share ** 2, delta=0.005)
        self.assertAlmostEqual(self.calls["failed"] / calls, share ** 3, delta=4 * math.sqrt(share ** 3 / calls))
        self.assertAlmostEqual(self.calls["retried"] / calls, share + share ** 2, delta=0.005)
        # Who has waited in vain is told 504, and has failed.
        self.assertEqual(self.browse["transactions"]["failed"], self.servers["front"]["failed"])
        self.assertEqual(self.browse["transactions"]["by_status"]["504"], self.browse["transactions"]["failed_by_cause"]["status"])

    def test_retries_of_tiers_multiply(self):
        """Three tries in each of two tiers: nine for each client's request where the last one never answers in time."""
        more = """endpoint store { simulated = web.server(service = 1 s) }
  link store -- r { rate = 100 Gbps, delay = 1 us }
  workload fetch : web.Calls on back[*] { to = store, documents = web.fixed(1 B), timeout = 10 ms, retries = 2 }"""
        self.run_tiers(tiers(more=more, calls="retries = 2", interval="1 s", duration="20 s", warmup="0 s"))
        asked, fetched = self.browse["transactions"]["failed"], self.workloads["fetch"]["transactions"]["failed"]
        self.assertGreater(asked, 300)
        self.assertAlmostEqual(fetched / asked, 9, delta=0.05)
        self.assertEqual(self.lookup["transactions"]["by_status"].keys(), {"504"})
        self.assertEqual(self.browse["transactions"]["by_status"].keys(), {"502"})

    def test_waits_grow(self):
        """10 ms, then 20 and 40, between tries of 5 ms each."""
        self.run_tiers(tiers(back="service = 1 s", calls="timeout = 5 ms, retries = 3, backoff = 10 ms", interval="1 s", duration="10 s", warmup="0 s"))
        self.assertEqual(self.calls["completed"], 0)
        self.assertAlmostEqual(self.answer() if self.browse["phase_seconds"]["answer"] else 1000 * self.browse["transactions"]["failed_after_seconds"]["status"]["mean"], 4 * 5 + 10 + 20 + 40, delta=0.1)

    def test_a_budget(self):
        """All fail: a fifth of the calls is tried again, and not three times as many."""
        self.run_tiers(tiers(back="service = 1 s", calls="timeout = 10 ms, retries = 3, budget = 20 %", duration="21 s", warmup="0 s"))
        calls = self.calls["failed"]
        self.assertAlmostEqual(self.calls["retried"] / calls, 0.2, delta=0.01)
        self.assertAlmostEqual(self.calls["over_budget"] / calls, 1, delta=0.01)

    def test_a_breaker(self):
        """Five failures open the circuit; from then on a probe each second, and 503 at once for all others."""
        self.run_tiers(tiers(back="service = 10 s", calls="timeout = 1 ms, breaker = 5, open_for = 1 s", interval="200 ms", clients="start_spread = 0 s",
                             duration="10 s", warmup="0 s"))
        tries = self.lookup["transactions"]["failed"]
        # All 20 clients ask together each 200 ms: 20 tries are under way when the fifth fails. The next round after 1 s is a probe.
        rounds = self.browse["transactions"]["failed"] / 20
        self.assertEqual(tries, 20 + (rounds - 1) // 6)
        self.assertEqual(self.calls["circuits_opened"], 1 + (rounds - 1) // 6)
        self.assertEqual(self.calls["refused"], self.calls["failed"] - tries)
        self.assertEqual(self.browse["transactions"]["by_status"], {"503": self.calls["refused"], "504": tries})

    def test_a_circuit_closes(self):
        """A link that is down for 3 s: behind it calls succeed again, a probe later."""
        after = "from 2 s to 5 s { to_back[0] down }"
        self.run_tiers(tiers(calls="timeout = 100 ms, breaker = 3, open_for = 500 ms", after=after, interval="200 ms", duration="20 s", warmup="0 s"))
        self.assertGreater(self.calls["completed"], 100 * (2 + 14))
        self.assertGreater(self.calls["refused"], 100 * 2)
        self.assertLess(self.lookup["transactions"]["failed"], 100)

    # --- a cache

    def test_a_cache_halves_what_is_behind_it(self):
        self.run_tiers(tiers("service = 1 ms", "service = 4 ms", calls="hits = 50 %", duration="25 s"))
        asked = self.servers["front"]["requests"]
        self.assertAlmostEqual(self.servers["back[0]"]["requests"] / asked, 0.5, delta=4 * 0.5 / math.sqrt(asked))
        self.assertAlmostEqual(self.calls["hits"] + self.calls["completed"], asked, delta=50)
        self.assertAlmostEqual(self.answer(), 1 + 0.5 * 4, delta=0.1)

    # --- what they speak, and how they are run

    def test_other_versions(self):
        """HTTPS, HTTP/2, a connection each, a worker for each connection: the same requests."""
        for front, back, calls, clients in (
                ("scheme = https, port = 80", "scheme = https, port = 80", "scheme = https, port = 80", "scheme = https, port = 80"),
                ("version = HTTP_2", "version = HTTP_2", "version = HTTP_2, streams = 10", "version = HTTP_2, streams = 10"),
                ("hold = connection, workers = 50", "hold = connection, workers = 50", "requests = 1", ""),
                ("version = HTTP_2, hold = connection, workers = 50, processors = 2, service = 100 us", "", "", "version = HTTP_2")):
            with self.subTest(calls=calls, front=front):
                self.run_tiers(tiers(front, back, backs=2, calls=calls, clients=clients, interval="50 ms", duration="3 s", warmup="0 s"))
                done = self.browse["transactions"]
                self.assertGreater(done["completed"], 1000)
                self.assertEqual(done["failed"] + self.calls["failed"], 0)
                self.assertEqual(self.calls["completed"] + self.calls["in_progress"], self.servers["front"]["requests"])

    def test_clients_that_leave(self):
        """Requests that are given up make no further call, and leave no worker busy."""
        more = "workload next : web.Calls on front { to = back[*], documents = web.fixed(2 B) }"
        text = tiers("workers = 100", "service = 200 ms", more=more, interval="1 s", duration="10 s", warmup="0 s", clients="timeout = 300 ms").replace("timeout = 0 s, ", "", 1)
        self.run_tiers(text)
        self.assertEqual(self.browse["transactions"]["completed"], 0)
        self.assertLess(self.servers["front"]["mean_busy"], 20 * 0.31)
        self.assertAlmostEqual(self.servers["back[0]"]["requests"] / self.servers["front"]["requests"], 2, delta=0.2)

    def test_retries_for_clients_that_have_left(self):
        """They are not made, not counted, and take nothing of the budget; where tries fail before, each one counted is made."""
        text = tiers("workers = 100", "service = 200 ms", calls="timeout = 100 ms, retries = 3, budget = 20 %", interval="100 ms", duration="10 s", warmup="0 s",
                     clients="timeout = 50 ms").replace("timeout = 0 s, ", "", 1)
        self.run_tiers(text)
        self.assertEqual((self.calls["retried"], self.calls["over_budget"]), (0, 0))
        self.run_tiers(text.replace("timeout = 50 ms", "timeout = 150 ms").replace("budget = 20 %", "budget = 50 %"))
        tried = sum(self.lookup["transactions"][key] for key in ("completed", "failed", "in_progress"))
        made = sum(self.calls[key] for key in ("completed", "failed", "in_progress"))
        self.assertGreater(self.calls["retried"], 100)
        self.assertEqual(tried - made, self.calls["retried"])

    def test_a_switched_off_call_is_not_made(self):
        self.run_tiers(tiers(after="at 1 s { lookup off }", interval="20 ms", duration="2 s", warmup="0 s"))
        self.assertAlmostEqual(self.calls["completed"], 1000, delta=40)
        self.assertEqual(self.browse["transactions"]["failed"], 0)

    def test_any_number_of_threads(self):
        more = """endpoint store[2] { simulated = web.server(service = exponential(1 ms), workers = 2) }
  link store[*] -- r { rate = 1 Gbps, delay = 1 ms }
  workload fetch : web.Calls on back[*] { to = store[*], documents = web.fixed(3 KB), pick = at_random, retries = 2, backoff = exponential(2 ms), timeout = 6 ms, hits = 30 % }"""
        text = tiers("service = exponential(1 ms), workers = 16", "service = exponential(2 ms), processors = 1", backs=3, more=more, interval="exponential(40 ms)",
                     calls="pick = least_busy, fan_out = 2, wait_for = 1, breaker = 3, open_for = 100 ms, budget = 50 %, retries = 1, timeout = 20 ms",
                     duration="5 s", warmup="1 s").replace("1 us", "500 us")
        (digest, workloads, servers), _ = self.however_it_is_run(text, "workloads", "servers")
        self.either_tier_has(text, digest, workloads)
        self.assertGreater(workloads[2]["calls"]["retried"], 0)


if __name__ == "__main__":
    unittest.main()
