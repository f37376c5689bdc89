"""Scenarios with several origins, simulated: against arithmetic, and alike for any number of tasks and threads."""
import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

from emulators import EmulatorTest, run

MODEL = """
import std.web
model Origins {
  endpoint shop { simulated = web.server(close = at_once, moved = MOVED) }
  endpoint auth { simulated = web.server(port = 8443, scheme = https, close = at_once) }
  router r
  host user
  link user -- r { rate = 10 Gbps, delay = 5 ms }
  link shop -- r { rate = 10 Gbps, delay = 5 ms }
  link auth -- r { rate = 10 Gbps, delay = 20 ms }
  workload buy : web.ClosedLoop on user {
    server = shop, documents = web.requests("FILE"), begin_with = first, start_spread = 0 s
    origins = [web.origin("auth.example", auth)], GIVEN
  }
  run { duration = DURATION ms }
}
"""
SHOP, AUTH = 20, 50  # ms of a round trip


class Origins(EmulatorTest):
    def buy(self, milliseconds, given, moved="false"):
        with tempfile.TemporaryDirectory() as folder:
            requests = pathlib.Path(folder) / "shop.http"
            requests.write_text("POST https://auth.example:8443/login\n\nme\n\n###\nGET /orders\n")
            words = {"FILE": str(requests), "GIVEN": given, "DURATION": str(milliseconds), "MOVED": moved}
            text = MODEL
            for word, value in words.items():
                text = text.replace(word, value)
            return self.simulate(self.compile(text))

    def counts(self, results):
        found = results["transactions"]
        self.assertEqual(found["failed"], 0, found)
        return found["completed"], found["connections"], [server["requests"] for server in results["servers"]]

    def test_each_has_its_own_round_trips(self):
        """A connection of each stays: what it costs is spent once. Of TLS 1.3 a handshake is one round trip more."""
        first, then = 3 * AUTH + 2 * SHOP, AUTH + SHOP
        self.assertEqual(self.counts(self.buy(first + 6 * then + SHOP, "requests = 100")), (14, 2, [7, 7]))

    def test_a_connection_each(self):
        each = 3 * AUTH + 2 * SHOP
        results = self.buy(7 * each + SHOP, "requests = 1")
        self.assertEqual(self.counts(results), (14, 14, [7, 7]))

    def test_thresholds_and_groups_are_by_request(self):
        groups = self.buy(1000, "requests = 100")["groups"]["request"]
        self.assertEqual([group["name"] for group in groups], ["POST /login", "GET /orders"])
        medians = [1000 * group["response_time_seconds"]["median"] for group in groups]
        self.assertAlmostEqual(medians[0], AUTH, delta=1)
        self.assertAlmostEqual(medians[1], SHOP, delta=1)


    def test_several_reports_and_thresholds_of_a_loop(self):
        """One run writes several; each round's threshold is a case of JUnit with the round's values; `--quiet` says only what is not met."""
        loop = 'for i, name in ["POST /login", "GET /orders"] { require p50(buy, name) < (i + 1) * 30 ms }'
        with tempfile.TemporaryDirectory() as folder:
            requests, reports = pathlib.Path(folder) / "shop.http", [pathlib.Path(folder) / f"r.{end}" for end in ("xml", "html", "md")]
            requests.write_text("POST https://auth.example:8443/login\n\nme\n\n###\nGET /orders\n")
            text = MODEL.replace("FILE", str(requests)).replace("GIVEN", "requests = 100").replace("DURATION", "3000").replace("MOVED", "false")
            emulator = self.compile(text.replace("  run {", f"  {loop}\n  run {{"))
            done = run(emulator, "simulate", "--quiet", *(word for report in reports for word in ("--report", report)), check=False)
            self.assertEqual((done.returncode, done.stdout), (99, ""), done.stderr)
            self.assertIn('p50(buy, "POST /login")', done.stderr)
            self.assertNotIn("GET /orders", done.stderr)
            cases = xml.etree.ElementTree.parse(reports[0]).getroot().findall(".//testcase")
            self.assertEqual([(case.get("name"), len(case)) for case in cases], [
                ("run", 0), ('p50(buy, "POST /login") < (0 + 1) * 30 ms', 1), ('p50(buy, "GET /orders") < (1 + 1) * 30 ms', 0)])
            self.assertIn("uPlot", reports[1].read_text())
            self.assertIn("GET /orders", reports[2].read_text())
            twice = run(emulator, "simulate", "--report", reports[2], "--report", f"{folder}/./r.md", check=False)
            self.assertEqual((twice.returncode, "would be written twice" in twice.stderr), (2, True), twice.stderr)


class AlikeOrigins(EmulatorTest):
    def test_any_number_of_threads(self):
        file = pathlib.Path(__file__).resolve().parents[1] / "data/loads/origins.http"
        text = f"""
import std.web
component Site(hosts: int, shop: node, auth: node, pictures: node) {{
  router gateway
  host pc[hosts]
  link pc[*] -- gateway {{ rate = 100 Mbps, delay = 1 ms }}
  workload surf : web.OpenLoop on pc[*] {{
    server = shop, scheme = https, authority = "shop.example", documents = web.requests("{file}", size = 4 KB), cookies = true
    origins = [web.origin("auth.example", auth), web.origin("localhost:8081", pictures)]
    interval = exponential(60 ms), start_spread = 10 ms, requests = 12, idle = 60 ms, redirects = 2
  }}
  workload plain : web.OpenLoop on pc[*] {{ server = pictures, port = 8081, documents = web.fixed(9 KB), interval = 90 ms, requests = 9 }}
  workload browse : web.ClosedLoop on pc[*] {{
    server = shop, scheme = https, authority = "shop.example", documents = web.requests("{file}", size = 40 KB)
    origins = [web.origin("auth.example", auth), web.origin("localhost:8081", pictures)]
    think = exponential(60 ms), requests = 20, REST, redirects = 1
  }}
}}
model Sites {{
  endpoint shop {{ simulated = web.server(service = exponential(1 ms), scheme = https, version = HTTP_2, moved = true) }}
  endpoint auth {{ simulated = web.server(scheme = https, cookie = true, version = HTTP_2) }}
  endpoint pictures {{ simulated = web.server(port = 8081, version = HTTP_2) }}
  Site site[3](hosts = 4, shop = shop, auth = auth, pictures = pictures)
  router core
  link site[*].gateway -- core {{ rate = 20 Mbps, delay = 5 ms }}
  link core -- shop {{ rate = 100 Mbps, delay = 2 ms }}
  link core -- auth {{ rate = 100 Mbps, delay = 3 ms }}
  link core -- pictures {{ rate = 100 Mbps, delay = 1 ms, loss = 1 % }}
  run {{ duration = 4 s }}
}}
"""
        for rest in ("pipeline = 3, connections = 2", "version = HTTP_2, streams = 5, connections = 2"):
            expected, _ = self.however_it_is_run(text.replace("REST", rest), "workloads", "servers", "series")
            workloads = {w["name"]: w["transactions"] for w in expected[1]}
            for name in ("surf", "browse"):
                found = workloads[f"site[0].{name}"]
                self.assertEqual(found["failed"], 0, json.dumps(found))
                self.assertGreater(found["redirected"], 20)
                self.assertGreater(found["completed"], 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
