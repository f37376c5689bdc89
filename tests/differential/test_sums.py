"""What the elements of an array of workloads come to together: what their own figures add up to, and what one workload of all their hosts says."""
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.traffic
import std.web

model Sums {
  host pc[40]
  router isp
  endpoint shop { simulated = web.server() }
  link line: pc[*] -- isp { rate = 20 Mbps, delay = 5 ms }
  link core: isp -- shop { rate = 8 Mbps, delay = 10 ms, queue = droptail(20 KB) }
  %s
  run { duration = 12 s, warmup = 2 s }
}
"""
# Nothing is drawn in them: how hosts are spread over workloads changes nothing.
KINDS = {
    "web.ClosedLoop": "server = shop, documents = web.fixed(20 KB), think = 100 ms, timeout = 1 s, start_spread = 0 s",
    "web.OpenLoop": "server = shop, documents = web.fixed(2 KB), interval = 100 ms, connections = 1, start_spread = 0 s",
    "traffic.Ping": "to = shop, interval = 100 ms, payload = 1400 B, start_spread = 0 s",
    "traffic.Cbr": "to = shop, rate = 240 Kbps, payload = 1000 B, start_spread = 0 s",
    "traffic.Bulk": "to = shop, size = 50 KB, think = 300 ms, start_spread = 0 s",
}


def counts(value, path=()):
    """All whole numbers of an object, each with where it stands."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from counts(inner, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, value


class Sums(EmulatorTest):

    def test_against_the_elements_and_one_workload(self):
        for kind, attributes in KINDS.items():
            with self.subTest(kind):
                split = MODEL % f"for i in 0 ..< 4 {{ workload w[i] : {kind} on pc[10 * i ..< 10 * (i + 1)] {{ {attributes} }} }}"
                (_, workloads, [together]), _ = self.however_it_is_run(split, "workloads", "sums")
                self.assertEqual((together["name"], together.pop("workloads"), together["kind"]), ("w[*]", 4, kind))
                added = {}
                for workload in workloads:
                    for path, value in counts(workload):
                        added[path] = added.get(path, 0) + value
                for path, value in counts(together):
                    if path[-1] != "bytes" and "first_unexpected_size" not in path:
                        self.assertEqual(value, added[path], path)
                one = self.simulate(self.compile(MODEL % f"workload w : {kind} on pc[*] {{ {attributes} }}"))
                self.assertEqual(one["sums"], [])
                self.assertEqual({**together, "name": "w"}, one["workloads"][0])

    def test_names(self):
        """Arrays in instances, several kinds in one array, an array of one."""
        results = self.simulate(self.compile("""
import std.traffic
import std.web

component Flat(n: int) {
  host pc[n]
  router edge
  endpoint shop { simulated = web.server() }
  link desk: pc[*] -- edge { rate = 1 Gbps }
  link door: edge -- shop { rate = 1 Gbps }
  workload surf : web.ClosedLoop on pc[*] { server = shop, documents = web.fixed(1 KB), think = 50 ms }
  for i in 0 ..< n { workload ping[i] : traffic.Ping on pc[i] { to = shop } }
}

model Town {
  Flat flat[3](2)
  Flat alone(1)
  for i in 0 ..< 4 {
    if i < 2 {
      workload mixed[i] : traffic.Ping on flat[i].pc[0] { to = flat[i].shop }
    } else {
      workload mixed[i] : traffic.Cbr on flat[i - 2].pc[0] { to = flat[i - 2].pc[1], rate = 1 Mbps }
    }
  }
  run { duration = 3 s }
}
"""))
        self.assertEqual([(s["name"], s["workloads"], s["kind"].split(".")[1]) for s in results["sums"]],
                         [("flat[*].surf", 3, "ClosedLoop"), ("flat[*].ping[*]", 6, "Ping"), ("alone.ping[*]", 1, "Ping"),
                          ("mixed[*]", 2, "Ping"), ("mixed[*]", 2, "Cbr")])

    def test_measures(self):
        """Of several workloads: as their sum has it, whichever they are, and what one workload of all their hosts says."""
        split = MODEL.replace("run {", """
  require p95(w[*][*]) < 10 s && per_second(w[*][*]) > 0 && failed(w[*][*]) < 90 %% && mean_time(w[*][*], first_byte) < 10 s
  require p95(w[0][*]) < 10 s && completed(w[*][1]) > 0 && completed(w[1][0 .. 1]) > 0 && completed([w[0][2], w[1][0]]) > 0
  run {""") % ("for i in 0 ..< 2 { for j in 0 ..< 3 { workload w[i][j] : web.ClosedLoop on pc[15 * i + 5 * j ..< 15 * i + 5 * (j + 1)] { %s } } }" % KINDS["web.ClosedLoop"])
        results = self.simulate(self.compile(split), "--batches", "2")
        [whole], measures = results["sums"], results["measures"]
        self.assertEqual(measures["p95(w[*][*])"], whole["response_time_seconds"]["p95"])
        self.assertEqual(measures["per_second(w[*][*])"], whole["transactions"]["per_second"])
        self.assertEqual(measures["mean_time(w[*][*], first_byte)"], whole["phase_times_seconds"]["first_byte"]["mean"])
        ended = whole["transactions"]["completed"] + whole["transactions"]["failed"]
        self.assertAlmostEqual(measures["failed(w[*][*])"], whole["transactions"]["failed"] / ended)
        done = {w["name"]: w["transactions"]["completed"] for w in results["workloads"]}
        self.assertEqual(measures["completed(w[*][1])"], done["w[0][1]"] + done["w[1][1]"])
        self.assertEqual(measures["completed(w[1][0 .. 1])"], done["w[1][0]"] + done["w[1][1]"])
        self.assertEqual(measures["completed([w[0][2], w[1][0]])"], done["w[0][2]"] + done["w[1][0]"])
        self.assertEqual(sum(results["batches"]["measures"]["completed(w[*][1])"]), measures["completed(w[*][1])"])
        one = MODEL.replace("run {", "require p95(w) < 10 s\n  run {") % ("workload w : web.ClosedLoop on pc[0 ..< 30] { %s }" % KINDS["web.ClosedLoop"])
        self.assertEqual(self.simulate(self.compile(one))["measures"]["p95(w)"], measures["p95(w[*][*])"])

    def test_terminal(self):
        """Of many the sum and those that fare worst, of few all."""
        text = """
import std.web

model Many(n: int) {
  host pc[n]
  router isp
  endpoint shop { simulated = web.server() }
  for i in 0 ..< n { link line[i]: pc[i] -- isp { rate = 1 Gbps, delay = (i + 1) * 1 ms } }
  link core: isp -- shop { rate = 1 Gbps, delay = 1 ms }
  for i in 0 ..< n { workload w[i] : web.ClosedLoop on pc[i] { server = shop, documents = web.fixed(1 KB), think = 10 ms } }
  run { duration = 2 s }
}
"""
        def rows(n):
            lines = run(self.compile(text, "-D", f"n={n}"), "simulate").stdout.splitlines()
            return [line.split()[0] for line in lines if line.startswith("    w[")], "\n".join(lines)
        self.assertEqual(rows(1)[0], [])
        self.assertEqual(rows(12)[0], ["w[*]"] + [f"w[{i}]" for i in range(12)])
        names, out = rows(40)
        self.assertEqual(names, ["w[*]", "w[37]", "w[38]", "w[39]"])
        self.assertIn("w[*]         40 together: ", out)
        self.assertIn("these 3 fare worst; the results file has the other 37", out)


if __name__ == "__main__":
    unittest.main()
