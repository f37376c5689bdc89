"""What a model lacks is not in its code at -O2; what it needs only with other tunables, or later in a run, is: test_tiers.py has a model of each kind at both levels, and
here all have them with ANML_ALL."""
import unittest

from emulators import ALL, ANMLC, SANITIZED, TIERS, EmulatorTest, run

MODEL = """
import std.queue
import std.traffic
import std.web
model M(tunable L: ratio in 0 .. 1 = 0, tunable P: int in 0 .. 1 = 0) {{
  profile own : Tcp {{ pacing = {pacing} }}
  host a {{ tcp = own }}
  host b
  router r
  link near: a -- r {{ rate = 10 Mbps, delay = 1 ms }}
  link far:  r -- b {{ rate = 2 Mbps, delay = 5 ms{far} }}
  {more}
  workload w : {workload}
  {timeline}
  run {{ duration = 3 s }}
}}
"""
SERVER = "endpoint server { simulated = web.server() }\n  link server -- r { rate = 10 Mbps, delay = 1 ms }"
WORKLOADS = {
    "cbr": "traffic.Cbr on a { to = b, payload = 100 B, interval = 5 ms }",
    "ping": "traffic.Ping on a { to = b, interval = 10 ms }",
    "requests": "traffic.Requests on a { to = b, port = 53, think = 10 ms }",
    "bulk": "traffic.Bulk on a { to = b }",
    "flows": "traffic.Flows on a { to = b, size = 5 KB, interval = 10 ms }",
    "closed": "web.ClosedLoop on a { server = server, documents = web.fixed(1 KB), think = 10 ms }",
    "open": "web.OpenLoop on a { server = server, documents = web.fixed(1 KB), interval = 10 ms }",
}
# Parts of the names of functions that stay functions, whatever is inlined. Without TCP, too, somebody answers with RST.
MARKS = {"tcp": "2rt3tcp12_GLOBAL__N_112synchronized", "transactions": "2rt3app11transaction", "bulk": "2rt3app4bulk", "flows": "2rt3app5flows",
         "requests": "2rt3app8requests", "discipline": "2rt3Net5offer", "impairment": "2rt6impairE", "trace": "2rt3Net12follow_trace"}


def model(workload="cbr", far="", timeline="", pacing="false"):
    more = SERVER if workload in ("closed", "open") else ""
    return MODEL.format(workload=WORKLOADS[workload], far=far, timeline=timeline, pacing=pacing, more=more)


class AbsentConstructs(EmulatorTest):
    def code(self, text):
        """The constructs that have functions in the optimised code, and its length."""
        path = self.fresh("model.anml")
        path.write_text(text)
        (path.parent / "up.trace").write_text("1\n2\n4\n")
        code = run(ANMLC, "-O2", "--emit=llvm", path).stdout
        names = [line for line in code.splitlines() if line.startswith("define ")]
        return {name for name, mark in MARKS.items() if any(mark in line for line in names)}, len(code)

    @unittest.skipIf(SANITIZED, "a build with sanitizers runs the code of the archive, at both levels")
    def test_the_code_has_what_occurs_and_no_more(self):
        found, least = self.code(model())
        self.assertEqual(found, set())
        loses, goes = ", loss = L", "\n  workload more : "
        for text, expected in (
                # Each is there once, and lacking once.
                (model("bulk", far=", queue = queue.codel(64 KB)" + loses), {"tcp", "bulk", "discipline", "impairment"}),
                # What has endpoints may be run live, and then any link may be given a loss (`ctl`).
                (model("closed", far=', down { rate = trace("up.trace") }', timeline=goes + WORKLOADS["flows"] + goes.replace("more", "also") + WORKLOADS["requests"]),
                 {"tcp", "transactions", "impairment", "flows", "requests", "trace"}),
                *(self.ONE_BY_ONE if ALL else ())):
            found, length = self.code(text)
            self.assertEqual(found, expected, text)
            self.assertGreater(length, least)

    ONE_BY_ONE = (
        (model("bulk"), {"tcp", "bulk"}),
        (model("flows"), {"tcp", "flows"}),
        (model("closed"), {"tcp", "transactions", "impairment"}),
        (model("open"), {"tcp", "transactions", "impairment"}),
        (model("ping"), set()),  # all of it is inlined
        (model("requests"), {"requests"}),
        (model(far=", queue = queue.codel(64 KB)"), {"discipline"}),
        (model(far=', down { rate = trace("up.trace") }'), {"trace"}),
        (model(far=", loss = L"), {"impairment"}),
        (model(timeline="at 1 s { far { loss = 10 % } }"), {"impairment"}),
    )

    def alike_at_both_levels(self, text, *options):
        """The results, whose digest is the same whether the code was cut or not."""
        found = [self.simulate(self.compile(text, level), *options) for level in TIERS]
        self.assertEqual(len({results["digest"] for results in found}), 1, text)
        return found[-1]

    def test_what_only_a_tunable_switches_on_acts(self):
        text = model(far=", loss = L")
        self.assertEqual(self.alike_at_both_levels(text)["packets"]["dropped"]["lost"], 0)
        self.assertGreater(self.alike_at_both_levels(text, "--set", "L=20%")["packets"]["dropped"]["lost"], 50)
        text = model("bulk", pacing="P == 1")
        paced = self.alike_at_both_levels(text, "--set", "P=1")["digest"]
        self.assertNotEqual(paced, self.alike_at_both_levels(text)["digest"])

    def test_what_only_the_timeline_brings_acts(self):
        self.assertGreater(self.alike_at_both_levels(model(timeline="at 1 s { far { loss = 20 % } }"))["packets"]["dropped"]["lost"], 30)
        for workload in WORKLOADS:
            timeline = "from 1 s to 2 s { w off }\n  from 2.2 s to 2.5 s { far down }"
            switched = self.alike_at_both_levels(model(workload, timeline=timeline))
            self.assertLess(switched["packet_hops"], self.alike_at_both_levels(model(workload))["packet_hops"], workload)


if __name__ == "__main__":
    unittest.main()
