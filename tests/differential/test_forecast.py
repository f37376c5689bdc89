"""What the compiler expects of web clients, which live runs forecast from, against what a simulated run counts."""
import csv
import io
import json
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.web

model Expected {
  host client[20]
  endpoint server { simulated = web.server(close = at_once) }
  router near
  router far
  link client[*] -- near { rate = 100 Mbps, delay = 1 ms }
  link near -- far { rate = 1 Gbps, delay = 10 ms }
  link far -- server { rate = 1 Gbps, delay = 100 us }
  workload browse : web.KIND on client[*] { server = server, GIVEN }
  run { duration = 20 s }
}
"""
SECONDS = 20
CASES = {
    "a connection each": ("ClosedLoop", "documents = web.fixed(4 KB), think = 50 ms"),
    "kept connections": ("ClosedLoop", "documents = web.fixed(4 KB), think = 50 ms, requests = 100"),
    "several connections": ("ClosedLoop", "documents = web.fixed(1 KB), think = 50 ms, requests = 100, connections = 6"),
    "a pipeline": ("ClosedLoop", "documents = web.fixed(1 KB), think = 50 ms, requests = 100, pipeline = 4"),
    "an open load": ("OpenLoop", "documents = web.fixed(4 KB), interval = exponential(50 ms)"),
    "an open load over kept connections": ("OpenLoop", "documents = web.fixed(4 KB), interval = exponential(50 ms), requests = 100"),
    "uploads": ("ClosedLoop", "documents = web.fixed(1 KB), think = 50 ms, requests = 100, method = PUT, body = 6 KB"),
}
# Tiers behind the server: one call of two nodes at a time, and a cache behind each. Those take 4 ms, of which a closed loop knows.
TIERS = """  endpoint back[3] { simulated = web.server(service = 2 ms) }
  endpoint store { simulated = web.server(service = 2 ms) }
  link far -- back[*] { rate = 1 Gbps, delay = 5 ms }
  link far -- store { rate = 1 Gbps, delay = 5 ms }
  workload ask : web.Calls on server { to = back[*], documents = web.fixed(2 KB), fan_out = 2 }
  workload fetch : web.Calls on back[*] { to = store, documents = web.fixed(8 KB), hits = 60 % }
  run {"""

# Loads that a compiler expects of links, by whom hosts talk to, beside what a run counts.
LOADS = """import std.traffic
import std.web
model Loads {
  host a[4]
  host b[4]
  endpoint s { simulated = web.server(service = 1 ms) }
  router x
  router y
  link la: a[*] -- x { rate = 100 Mbps, delay = 1 ms }
  link lb: b[*] -- y { rate = 100 Mbps, delay = 1 msMORE }
  link ls: s -- y    { rate = 100 Mbps, delay = 1 ms }
  link t: x -- y     { rate = 1 Gbps, delay = 2 ms }
  workload w : GIVEN
  run { duration = 50 s, warmup = 2 s }
}
"""
SENDERS = {
    "each to another one": "traffic.Cbr on a[*] { to = a[*], rate = 10 Mbps, pairing = permutation }",
    "to anybody": "traffic.Flows on [a[*], b[*]] { to = [a[*], b[*]], size = 100 KB, offered = 160 Mbps }",
    "in turn": "traffic.Flows on a[*] { to = a[*], size = 100 KB, offered = 80 Mbps, pairing = in_turn }",
    "to all": "traffic.Flows on a[*] { to = b[*], size = 10 KB, offered = 40 Mbps, pairing = to_all }",
    "to all others": "traffic.Flows on a[*] { to = a[*], size = 10 KB, offered = 40 Mbps, pairing = to_all }",
    "a group": "traffic.Cbr on a[0] { to = b[*], rate = 20 Mbps, pairing = multicast }",
    "a group of senders": "traffic.Cbr on [a[*], b[*]] { to = [a[*], b[*]], rate = 2 Mbps, pairing = multicast }",
    "small packets": "traffic.Cbr on a[*] { to = b[*], payload = 100 B, interval = 1 ms }",
    "pages with parts": "web.Sessions on a[*] { server = s, documents = web.fixed(20 KB), parts = web.fixed(5 KB), parts_per_page = 8, think = exponential(200 ms), pages = 5, interval = exponential(300 ms) }",
    "heads alone": "web.OpenLoop on a[*] { server = s, documents = web.fixed(20 KB), interval = exponential(20 ms), method = HEAD, requests = 100 }",
}


class Forecast(EmulatorTest):
    def test_expected_loads_are_those_that_a_run_has(self):
        for name, given in SENDERS.items():
            for more in ("", ", overhead = 38 B") if name == "small packets" else ("",):
                with self.subTest(name, more=more):
                    path = self.fresh("loads.anml")
                    path.write_text(LOADS.replace("GIVEN", given).replace("MORE", more))
                    counted = {link["name"]: link["utilisation"] for link in self.simulate(self.compile(path))["busiest_links"]}
                    rows = list(csv.DictReader(io.StringIO(run(ANMLC, "analyze", path, "--show", "links", "--format", "csv").stdout)))
                    self.assertEqual(len(rows), 8)
                    for row in rows:
                        links = [row["link"]] if row["count"] == "1" else [f"{row['link'].split('[')[0]}[{i}]" for i in range(int(row["count"]))]
                        each = [counted.get(link + row["direction"], 0) for link in links]
                        measured = 100 * (max(each) if name == "a group" else sum(each) / len(each))
                        self.assertAlmostEqual(float(row["utilization_percent"]), measured, delta=0.08 * measured + 0.1, msg=(row, measured))

    def test_expected_packets_are_those_that_a_run_has(self):
        for name, (kind, given) in CASES.items():
            with self.subTest(name):
                text = MODEL.replace("KIND", kind).replace("GIVEN", given)
                self.compare(text)

    def test_servers_that_call_others(self):
        for name in ("a connection each", "kept connections", "an open load"):
            with self.subTest(name):
                kind, given = CASES[name]
                text = MODEL.replace("KIND", kind).replace("GIVEN", given)
                alone, tiers = self.compare(text), self.compare(text.replace("  run {", TIERS))
                self.assertGreater(tiers[0], 1.2 * alone[0])
                self.assertAlmostEqual((tiers[0] - alone[0]) / (tiers[1] - alone[1]), 1, delta=0.6)  # expected: an acknowledgment of each request, which a server that has just answered sends with the next answer

    def test_calls_for_some_requests(self):
        """One request of two has the path: half of what calls for all of them add, of both documents at a time, as expected and as counted."""
        kind, given = CASES["an open load"]
        alone = MODEL.replace("KIND", kind).replace("GIVEN", given.replace("web.fixed(4 KB)", '[web.fixed(4 KB, "/a"), web.fixed(4 KB, "/b")]'))
        both = "all_documents = true, documents = [web.fixed(2 KB), web.fixed(2 KB)]"
        few, all_of_them, half = (self.compare(text) for text in (alone, *(alone.replace("  run {", TIERS).replace("documents = web.fixed(2 KB)", how) for how in (both, f'entry = "/a", {both}'))))
        for way in (0, 1):
            self.assertAlmostEqual((half[way] - few[way]) / (all_of_them[way] - few[way]), 0.5, delta=0.02)

    def compare(self, text):
        """Expected and counted hops a second."""
        path = self.fresh("expected.anml")
        path.write_text(text)
        expected = json.loads(run(ANMLC, path, "--emit=plan").stdout)["expected_hops"]
        counted = self.simulate(self.compile(path))["packet_hops"] / SECONDS
        self.assertGreater(expected, 0.7 * counted)
        self.assertLess(expected, 1.5 * counted)
        return expected, counted


if __name__ == "__main__":
    unittest.main()
