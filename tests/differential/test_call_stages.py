"""Calls at the same time, and trees of calls for each kind of request: against closed forms and exact counts; the same on any number of threads."""
import unittest

from emulators import EmulatorTest

# Links take almost no time: what is measured are the servers.
SHOP = """
import std.web
model Shop {{
  host pc[10]
  endpoint front {{ simulated = web.server() }}
  endpoint one {{ simulated = web.server({one}) }}
  endpoint two {{ simulated = web.server({two}) }}
  endpoint three {{ simulated = web.server({three}) }}
  router r
  link [pc[*], front, one, two, three] -- r {{ rate = 100 Gbps, delay = 1 us, queue = droptail(1 GB) }}
  workload browse : web.OpenLoop on pc[*] {{ server = front, documents = web.fixed(1 B, "/browse"), interval = {interval}, timeout = 0 s, requests = 1000000 }}
  {calls}
  run {{ duration = {duration} }}
}}
"""
EXPONENTIAL = "service = exponential(10 ms)"


def shop(calls, one="", two="", three="", interval="exponential(20 ms)", duration="60 s"):
    return SHOP.format(calls="\n  ".join(calls), one=one, two=two, three=three, interval=interval, duration=duration)


def call(name, more, to=None, on="front", document="web.fixed(1 B)"):
    return f"workload {name}_call : web.Calls on {on} {{ to = {to or name}, documents = {document}, {more} }}"


class CallStages(EmulatorTest):
    def run_shop(self, text):
        results = self.simulate(self.compile(text, "-O0"))
        self.servers = {server["name"]: server for server in results["servers"]}
        self.workloads = {workload["name"]: workload for workload in results["workloads"]}
        return results

    def answer(self, name="browse"):
        """Mean, ms, from a client's request to the first byte of its response."""
        return 1000 * self.workloads[name]["phase_seconds"]["answer"]

    def test_the_kth_of_three_services(self):
        """Idle servers, exponential with 10 ms: all of three take H_3 times that, the first a third (order statistics)."""
        for wanted in (1, 2, 0):
            with self.subTest(wanted=wanted):
                first = f"stage = 1, stage_wait_for = {wanted}"
                self.run_shop(shop([call("one", first), call("two", "stage = 1"), call("three", "stage = 1")], *[EXPONENTIAL] * 3))
                expected = sum(10 / (3 - i) for i in range(wanted or 3))
                self.assertAlmostEqual(self.answer(), expected, delta=0.03 * expected)
                calls = [self.workloads[f"{name}_call"]["calls"] for name in ("one", "two", "three")]
                # What is not waited for goes on, and is counted: each request has three calls.
                requests = self.servers["front"]["requests"]
                for each in calls:
                    self.assertAlmostEqual(each["completed"] + each["left"], requests, delta=20)
                self.assertAlmostEqual(sum(each["left"] for each in calls), (3 - (wanted or 3)) * requests, delta=60)

    def test_documents_at_the_same_time(self):
        """Three of one server: the same, over one call; what comes behind the answers it waits for is unread."""
        documents = '[web.fixed(1 B, "/a"), web.fixed(1 B, "/b"), web.fixed(1 B, "/c")]'
        for wanted in (1, 0):
            with self.subTest(wanted=wanted):
                self.run_shop(shop([call("one", f"all_documents = true, wait_for = {wanted}", document=documents)], EXPONENTIAL))
                expected = sum(10 / (3 - i) for i in range(wanted or 3))
                calls = self.workloads["one_call"]
                self.assertAlmostEqual(1000 * calls["call_time_seconds"]["mean"], expected, delta=0.03 * expected)
                self.assertAlmostEqual(self.servers["one"]["requests"], 3 * self.servers["front"]["requests"], delta=6)
                self.assertAlmostEqual(calls["calls"]["unread"], (3 - (wanted or 3)) * calls["calls"]["completed"], delta=60)

    def test_stage_behind_stage(self):
        """The last of 3 and 5 ms, then 7 ms; the first of both, then 7 ms; a call without a stage comes before all."""
        for more, expected in (("", 5 + 7), (", stage_wait_for = 1", 3 + 7)):
            self.run_shop(shop([call("three", "stage = 2"), call("one", "stage = 1"), call("two", "stage = 1" + more)], "service = 3 ms", "service = 5 ms", "service = 7 ms",
                               "100 ms", "5 s"))
            self.assertAlmostEqual(self.answer(), expected, delta=0.1)
        self.run_shop(shop([call("two", "stage = 1"), call("three", "hits = 0"), call("one", "stage = 1")], "service = 3 ms", "service = 5 ms", "service = 7 ms", "100 ms", "5 s"))
        self.assertAlmostEqual(self.answer(), 7 + 5, delta=0.1)

    def test_one_of_a_stage_fails(self):
        """The server answers 504 as soon as too few can come; where one of two is enough, it answers with the other."""
        slow = "timeout = 20 ms, stage = 1"
        self.run_shop(shop([call("one", slow), call("two", "stage = 1"), call("three", "stage = 2")], "service = 1 s", "service = 50 ms", "", "100 ms", "5 s"))
        self.assertEqual(self.workloads["browse"]["transactions"]["by_status"].keys(), {"504"})
        self.assertAlmostEqual(1000 * self.workloads["browse"]["transactions"]["failed_after_seconds"]["status"]["mean"], 20, delta=0.2)
        self.assertEqual(self.servers["three"]["requests"], 0)
        self.assertGreater(self.workloads["two_call"]["calls"]["left"], 400)
        self.run_shop(shop([call("one", slow), call("two", "stage = 1, stage_wait_for = 1")], "service = 1 s", "service = 50 ms", "", "100 ms", "5 s"))
        self.assertEqual(self.workloads["browse"]["transactions"]["failed"], 0)
        self.assertAlmostEqual(self.answer(), 50, delta=0.2)

    def test_caches_of_a_stage(self):
        """One of two, of which a cache has all: the other is not asked."""
        self.run_shop(shop([call("one", "stage = 1, hits = 100 %, stage_wait_for = 1"), call("two", "stage = 1")], "", EXPONENTIAL, "", "100 ms", "5 s"))
        self.assertEqual(self.servers["two"]["requests"], 0)
        self.assertGreater(self.workloads["one_call"]["calls"]["hits"], 400)
        self.assertLess(self.answer(), 0.1)

    CHECKOUT = 'workload checkout : web.OpenLoop on pc[*] { server = front, documents = web.fixed(1 B, "/checkout/7"), interval = 100 ms, timeout = 0 s, requests = 1000000 }'

    def test_trees_by_the_kind_of_request(self):
        """/checkout asks two services, and of the second another thing; /browse asks one. Times and counts are exact."""
        self.run_shop(shop([self.CHECKOUT, call("one", 'stage = 1, entry = ["/checkout", "/admin"]'), call("two", 'stage = 1, entry = "/checkout"', document='web.fixed(1 B, "/pay")'),
                            call("stock", 'entry = "/browse"', "two", document='web.fixed(1 B, "/stock")'), call("three", 'entry = "/pay"', on="two")],
                           "service = 1 ms", "service = 3 ms", "service = 20 ms", "50 ms", "10 s"))
        self.assertAlmostEqual(self.answer("checkout"), 3 + 20, delta=0.1)
        self.assertAlmostEqual(self.answer("browse"), 3, delta=0.1)
        browse, checkout = (self.workloads[name]["transactions"]["completed"] for name in ("browse", "checkout"))
        self.assertAlmostEqual(self.servers["one"]["requests"], checkout, delta=10)
        self.assertAlmostEqual(self.servers["two"]["requests"], browse + checkout, delta=20)
        self.assertAlmostEqual(self.servers["three"]["requests"], checkout, delta=10)

    def test_no_circle_where_another_thing_is_asked(self):
        """`two` asks `front` again, which answers that without a call."""
        calls = [call("two", 'entry = "/browse"', document='web.fixed(1 B, "/pay")'), call("back", "hits = 0", "front", "two", 'web.fixed(1 B, "/session")')]
        self.run_shop(shop(calls, two="service = 5 ms", interval="100 ms", duration="5 s"))
        self.assertAlmostEqual(self.answer(), 5, delta=0.1)
        self.assertAlmostEqual(self.servers["front"]["requests"], 2 * self.servers["two"]["requests"], delta=6)

    def test_alike_however_it_is_run(self):
        text = shop([self.CHECKOUT, call("one", 'stage = 1, entry = "/checkout", retries = 2, timeout = 12 ms'), call("two", "stage = 1, stage_wait_for = 1"),
                     call("three", "all_documents = true, wait_for = 1, fan_out = 0", "[one, three]", document="[web.fixed(2 KB), web.catalogue(9, exponential(3 KB))]")],
                    *[EXPONENTIAL] * 3, interval="exponential(40 ms)", duration="3 s").replace("1 us", "500 us")
        (digest, workloads), _ = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)
        self.assertGreater(sum(w["calls"]["left"] + w["calls"]["unread"] for w in workloads if "calls" in w), 300)


if __name__ == "__main__":
    unittest.main()
