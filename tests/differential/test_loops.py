"""What loops make, against the same as arrays and by itself: alike to the packet."""
import json
import unittest

from emulators import ANMLC, EmulatorTest, run

HEAD = "import std.ether\nimport std.traffic\nimport std.web\n"
ARRAYS = HEAD + """
component Home(n: int) { switch hub  host pc[n]  link wire: pc[*] -- hub : ether.fast { delay = 0.1 ms } }
model Arrays {
  router core
  host pc[40]
  Home home[5](n = index + 1)
  link edge: pc[*] -- core : ether.fast { delay = 1 ms }
  link line: home[*].hub -- core : ether.gigabit { delay = 2 ms }
  workload probe : traffic.Ping on pc[*] { to = home[4].pc[0], interval = 100 ms }
  at 2 s { edge[7] down }
  run { duration = 4 s }
}
"""
LOOPS = HEAD + """
component Home(n: int) {
  switch hub
  for i in 0 ..< n { host pc[i] }
  link wire: pc[*] -- hub : ether.fast { delay = 0.1 ms }
}
model Loops {
  router core
  for i in 0 ..< 40 { host pc[i] }
  for i, n in [1, 2, 3, 4, 5] { Home home[i](n = n) }
  for i in 0 ..< 40 { link edge[i]: pc[i] -- core : ether.fast { delay = 1 ms } }
  for i in 0 ..< 5 { link line[i]: home[i].hub -- core : ether.gigabit { delay = 2 ms } }
  workload probe : traffic.Ping on pc[*] { to = home[4].pc[0], interval = 100 ms }
  at 2 s { edge[7] down }
  run { duration = 4 s }
}
"""
# A workload for each host and a server for each, in a grid.
EACH = HEAD + """
model Each(n: int = 3) {
  router core
  for i in 0 ..< n {
    endpoint server[i] { simulated = web.server(service = (i + 1) * 1 ms) }
    link door[i]: server[i] -- core { rate = 1 Gbps }
    for j in 0 ..< n {
      host pc[i][j]
      link edge[i][j]: pc[i][j] -- core { rate = 1 Gbps, delay = (j + 1) * 5 ms }
      workload look[i][j] : web.ClosedLoop on pc[i][j] { server = server[i], documents = web.fixed(100 B), start_spread = 0 s }
    }
  }
  run { duration = 20 s }
}
"""
# A beam that moves on each second.
BEAMS = HEAD + """
model Beams(n: int = 4) {
  run { duration = 12 s }
  host ground
  host core
  router sat[n]
  link beam: ground -- sat[*] { rate = 1 Gbps, delay = 1 ms }
  for i in 0 ..< n { link isl[i]: sat[i] -- core { rate = 1 Gbps, delay = (i + 1) * 1 ms } }
  workload p : traffic.Cbr on ground { to = core, interval = 10 ms, start_spread = 0 s }
  at 0 s { beam[1 ..< n] down }
  every 1 s as k { beam[k % n] down, beam[(k + 1) % n] up
                   require path(ground, core, [sat[(k + 1) % n]]) }
}
"""


class Loops(EmulatorTest):
    def test_as_arrays(self):
        found = [self.simulate(self.compile(text)) for text in (ARRAYS, LOOPS)]
        self.assertEqual(found[0]["digest"], found[1]["digest"])
        self.assertEqual(found[0]["workloads"], found[1]["workloads"])

    def test_however_it_is_run(self):
        for text in (LOOPS, EACH, BEAMS):
            self.however_it_is_run(text)

    def test_each(self):
        """Each waits for its server and its line: two round trips and the service of a transaction."""
        results = self.simulate(self.compile(EACH))
        self.assertEqual([w["name"] for w in results["workloads"]], [f"look[{i}][{j}]" for i in range(3) for j in range(3)])
        for k, w in enumerate(results["workloads"]):
            i, j = divmod(k, 3)
            expected = 2 * 2 * (j + 1) * 5e-3 + (i + 1) * 1e-3
            self.assertGreaterEqual(w["response_time_seconds"]["mean"], expected)
            self.assertLess(w["response_time_seconds"]["mean"], expected + 2e-4, w["name"])

    def test_beams(self):
        """A datagram every 10 ms, over another satellite each second, 2, 3, 4 and 5 ms away, in turn."""
        results = self.simulate(self.compile(BEAMS))["workloads"][0]
        self.assertEqual(results["datagrams"]["received"], 1200)
        self.assertAlmostEqual(results["delay_seconds"]["mean"], 3.5e-3, delta=2e-5)
        self.assertAlmostEqual(results["delay_seconds"]["min"], 2e-3, delta=2e-5)
        self.assertAlmostEqual(results["delay_seconds"]["max"], 5e-3, delta=2e-5)

    def test_round_trip(self):
        """Expansions are programs without loops that do the same."""
        for text in (LOOPS, EACH, BEAMS):
            model = self.fresh("model.anml")
            model.write_text(text)
            expanded = run(ANMLC, "--emit=anml", model).stdout
            self.assertNotIn("for ", expanded)
            self.assertEqual(self.simulate(self.compile(text))["digest"], self.simulate(self.compile(expanded))["digest"])

    def test_servers_are_attached_by_index(self):
        emulator = self.compile(EACH)
        info = json.loads(run(emulator, "info", "--json").stdout)
        self.assertEqual([e["name"] for e in info["endpoints"]], [f"server[{i}]" for i in range(3)])
        done = run(emulator, "live", "--attach", "server[7]=tap:none", check=False)
        self.assertIn("server[7]", done.stderr)


if __name__ == "__main__":
    unittest.main()
