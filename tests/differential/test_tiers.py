"""Both tiers send the same packets: models are compiled at -O0 and at -O2, where the code is made for the model, and come to the same results, down to the digest.

One model has everything: the scenes of attribute_scenes.py with all values that attribute_pairs.py tries, and STORM, beside each other. That it has everything is
counted: of each record that the code reads (runtime/**/*.def) each field with two values, of a choice with all, and what else there are kinds of. The other models
have little, so that what the optimised tier knows of a model (runtime/abi/facts.h) holds of one and not of another. A new construct has to come in here; the
message says what is missing."""
import collections
import json
import re
import unittest

from attribute_pairs import PAIRS
from emulators import ANMLC, ROOT, EmulatorTest, essence, run
from joined_scenes import RUN, duration, joined

# Everything on four routers, with losses on all links, and all that the timeline can change. Each kind of distribution is drawn from.
STORM = """
component Storm {
  routing { multipath = ecmp, metric = cost }
  router core[4]
  host pc[12]
  host none[0]
  host held[2]
  host fluid[2]
  switch hub
  for i in 0 ..< 4 {
    link ring[i]: core[i] -- core[(i + 1) % 4] { rate = 8 Mbps, delay = 2 ms, queue = droptail(packets = 20), loss = loss.gilbert_elliott(1 %, 30 %), reorder_delay = 700 us }
    link edge[i]: pc[3 * i .. 3 * i + 2] -- core[i] { rate = 20 Mbps, delay = 1 ms, queue = queue.codel(64 KB), jitter = jitter.correlated(1 ms, 300 us, 80 %) }
  }
  link thick: fluid[0] -- fluid[1] { rate = 10 Mbps, queue = droptail(20 KB), loss = 1 % }
  link none[*] -- core[0] { rate = 10 Mbps }
  link held[*] -- hub { rate = 10 Mbps, loss = loss.bernoulli(1 %), jitter = jitter.spikes(1 %, height = 10 ms) }
  link mobile: hub -- core[0] { delay = 2 ms, queue = droptail(packets = 60), loss = loss.periodic(30), up { rate = trace("up.trace") } down { rate = trace("down.trace") } }
  endpoint server { simulated = web.server(service = lognormal(1 ms, 0.5)) }
  link hosting: server -- core[0] { rate = 50 Mbps, loss = loss.bursts(1 %, length = 3) }
  workload browse : web.ClosedLoop on pc[0 .. 5] { server = server, documents = [web.fixed(3 KB), web.fixed(60 KB)], think = weibull(30 ms, 1.2) }
  workload load : web.OpenLoop on pc[6 .. 8] { server = server, documents = web.catalogue(20, 5 KB), interval = exponential(20 ms) }
  workload nobody : web.ClosedLoop on none[*] { server = server, documents = web.fixed(3 KB) }
  workload fill : traffic.Bulk on pc[*] { to = pc[*], pairing = permutation }
  workload files : traffic.Bulk on held[*] { to = pc[0], port = 10, size = mixture([70 %, 30 %], [pareto(2 KB, 1.3), truncated(normal(8 KB, 9 KB), 1 B, 20 KB)]), think = constant(2 ms) + uniform(0 ms, 5 ms) }
  workload tick : traffic.Cbr on pc[*] { to = pc[*], pairing = permutation, port = 20, interval = 3 ms, payload = 300 B }
  workload burst : traffic.OnOff on held[*] { to = pc[11], port = 30, rate = 1 Mbps, burst = geometric(20 %) * 1 ms, pause = empirical("pauses", 1 ms) }
  workload small : traffic.Flows on pc[*] { to = held[*], port = 40, size = cumulative([1 KB, 20 KB], [0, 1]) , interval = (if chance(20 %) then 100 ms else 10 ms) + zipf(9, 1.1) * 1 ms }
  workload crowd : traffic.Background on fluid[0] { to = fluid[1], flows = 20, flow_rate = 200 Kbps, burst = 20 ms, pause = 20 ms, step = 10 ms }
  every 90 ms from 100 ms to 900 ms { ring[0] { loss = 5 %, rate = 2 Mbps } }
  every 90 ms from 145 ms to 900 ms { ring[0] { loss = 0, rate = 8 Mbps } }
  ramp from 100 ms to 800 ms every 13 ms { ring[1] { jitter = 0 s .. 3 ms, delay = 3 ms .. 0.1 ms } }
  from 200 ms to 500 ms { ring[*] { up { corrupt = 3 %, duplicate = 3 % } down { reorder = 10 %, in_order = false, reorder_delay = 2 ms } } }
  from 300 ms to 400 ms { ring[2] down }
  at 250 ms { ring[3] { queue = droptail(packets = 5) }, edge[*][*] { queue = queue.codel(20 KB, target = 2 ms), delay = 2 ms } }
  at 450 ms { ring[1] { cost = 3 } }
  at 500 ms { core[3] down, pc[4] down }
  at 600 ms { core[3] up, pc[4] up, tick { rate = 1 Mbps }, load { load = 3 }, fill { active = 50 % }, crowd { load = 2 } }
  from 650 ms to 700 ms { mobile down }
  from 700 ms to 750 ms { browse off, fill off }
  at 950 ms { browse off, load off, fill off, files off, tick off, burst off, small off, crowd off }
}

// Of IPv6, and over links of which one carries less than a segment.
component Six(ways: prefix, own: prefix) {
  addressing {
    prefix = ways
    ipv6 = own
  }
  host a[3]
  router r
  router t
  host b
  endpoint e { simulated = web.server() }
  link a[*] -- r { rate = 10 Mbps, delay = 1 ms }
  link r -- t { rate = 8 Mbps, delay = 2 ms, mtu = 1300 B, queue = droptail(20 KB) }
  link t -- b { rate = 10 Mbps }
  link t -- e { rate = 10 Mbps, loss = 1 % }
  workload fill : traffic.Bulk on a[*] { to = b, family = ipv6, size = 30 KB }
  workload probe : traffic.Ping on a[*] { to = b, family = ipv6, payload = 3000 B, fragments = true, interval = 20 ms }
  workload last : traffic.Ping on a[*] { to = b, family = ipv6, ttl = 1, interval = 20 ms }
  workload browse : web.ClosedLoop on a[*] { server = e, family = ipv6, documents = web.fixed(9 KB), think = 10 ms }
  at 500 ms { fill off, probe off, last off, browse off }
}

// What a scene of attribute_scenes.py cannot say beside others: it names addresses.
component Guarded {
  host a[2]
  host b
  router n { middlebox = middlebox.firewall([middlebox.deny(source_prefix = [10.0.0.0/9], protocol = udp, port = 7), middlebox.reject(destination_prefix = [10.128.0.0/9]), middlebox.allow()]) }
  link a[*] -- n { rate = 10 Mbps, delay = 1 ms }
  link b -- n { rate = 10 Mbps, delay = 1 ms }
  workload w : traffic.Cbr on a[*] { to = b, port = 7, interval = 10 ms }
  workload v : traffic.Ping on a[*] { to = b, interval = 10 ms }
  at 200 ms { w off, v off }
}
"""
BESIDE = "  Storm storm\n  Six six(ways = 10.200.0.0/24, own = 2001:db8::/64)\n  Guarded guarded"

# Little is known of the model before it starts, or everything. `LITTLE`: hosts, a router, and datagrams; queues without bounds.
LITTLE = """
import std.traffic
model Little {
  host a[4]
  host none[0]
  router r
  host b
  profile wire : Link { rate = 10 Mbps, delay = 1 ms, queue = droptail(5 GB) }
  link a[*] -- r : wire
  link none[*] -- r : wire
  link r -- b : wire
  workload burst : traffic.OnOff on a[*] { to = b, rate = 4 Mbps, burst = exponential(20 ms), pause = exponential(20 ms) }
  workload tick : traffic.Cbr on a[*] { to = b, interval = 7 ms }
  workload ask : traffic.Requests on a[*] { to = b, port = 53, think = 10 ms }
  workload probe : traffic.Ping on a[*] { to = b, interval = 10 ms }
  workload nobody : traffic.Cbr on none[*] { to = b, interval = 7 ms }
  run { duration = 1 s }
}
"""
# The same, but that the timeline brings what it lacks.
BROUGHT = LITTLE.replace("link r -- b", "link far: r -- b").replace("model Little", "model Brought").replace("  run {", """  at 200 ms { far { loss = 10 %, rate = 5 Mbps, jitter = exponential(2 ms) } }
  from 300 ms to 500 ms { tick off, ask off }
  from 600 ms to 650 ms { far down }
  at 700 ms { far { queue = droptail(5 KB) } }
  run {""")
# Transfers over links of two rates, with queues of as many packets; tunables make losses, pacing and delays.
TRANSFERS = """
import std.traffic
model Transfers(tunable lost: ratio in 0 .. 1 = 0, tunable paced: int in 0 .. 1 = 0, tunable x: number in 1 .. 100 = 4) {
  profile own : Tcp { pacing = paced == 1 }
  host a[4] { tcp = own }
  router r
  router s
  host b[4]
  profile wire : Link { rate = 100 Mbps, queue = droptail(packets = 8) }
  link a[*] -- r : wire
  link far: r -- s : wire { rate = 10 Mbps, loss = lost, delay = (sqrt(x) + log(x) + exp(-x) + pow(x, 0.3) + abs(sin(x)) + abs(cos(x))) * 1 ms }
  link s -- b[*] : wire
  workload w : traffic.Bulk on a[*] { to = b[*] }
  workload v : traffic.Flows on a[*] { to = b[*], port = 10, size = exponential(10 KB), interval = exponential(20 ms) }
  run { duration = 2 s }
}
"""
# A model that has endpoints may be changed from outside while it runs.
CLIENTS = """
import std.web
model Clients {
  endpoint server { simulated = web.server(service = 1 ms) }
  router r[3]
  host near[4]
  host far[4]
  profile wire : Link { rate = 100 Mbps, delay = 1 ms, queue = droptail(20 KB), overhead = 38 B }
  link entry: r[0] -- server : wire
  link a: r[1] -- r[0] : wire { rate = 10 Mbps }
  link b: r[2] -- r[1] : wire { rate = 10 Mbps }
  link near[*] -- r[1] : wire
  link far[*] -- r[2] : wire
  workload v : web.ClosedLoop on near[*] { server = server, documents = web.fixed(30 KB), think = 0 s }
  workload w : web.ClosedLoop on far[*] { server = server, documents = web.fixed(3 KB), think = 1 ms }
  run { duration = 2 s }
}
"""
CHANGES = [(0.5, "link a rate=3 Mbps"), (0.7, "link b> delay=20 ms,queue=8 KB"), (0.9, "link b loss=5 %"), (1.2, "workload v stop"), (1.5, "workload v start")]


def constant(plan, value):
    return float(plan["values"][value])


def given(plan, field):
    return [record[field] for record in plan["records"] if field in record]


def rates(plan):
    return {plan["values"][rate] for link in plan["link_rows"] for rate, trace in zip(link["rate"], link["trace"]) if trace is None}


def same(plan, field):
    return len({value for link in plan["link_rows"] for value in ([link[field]] if isinstance(link[field], int) else link[field])}) == 1


def is_still(plan):
    return not plan["timeline"] and not plan["endpoints"]


# Of Facts (runtime/abi/facts.h) each field, and whether a plan lets it say something (or, of sets, whether all are in it).
FACTS = {
    "mtu": lambda plan: same(plan, "mtu"),
    "overhead": lambda plan: same(plan, "overhead"),
    "packet_limit": lambda plan: is_still(plan) and same(plan, "queue_packets"),
    "unbounded_queues": lambda plan: is_still(plan) and all(constant(plan, q) > 0xfffffffe for link in plan["link_rows"] for q in link["queue"]),
    "secured": lambda plan: "https" in given(plan, "scheme"),
    "ns_per_byte": lambda plan: not plan["timeline"] and len(rates(plan)) <= 2,
    "rate": lambda plan: not plan["timeline"] and len(rates(plan)) == 2,
    "node_kinds": lambda plan: len({row["kind"] for row in plan["node_rows"]}) == 4,
    "one_task": lambda plan: plan["tasks"] == 1,
    "one_epoch": lambda plan: not plan["epochs"],
    "window_laws": lambda plan: set(given(plan, "congestion")) == set(choices()["std.prelude.Tcp"]["congestion"]),
    "paced": lambda plan: any(constant(plan, pacing) for pacing in given(plan, "pacing") if plan["values"][pacing] in "01") or "bbr" in given(plan, "congestion"),
    "connections": lambda plan: plan["servers"] != [] or any(row["transport"] == 6 for row in plan["workloads"]),
    "traced": lambda plan: plan["traces"] != [],
    "timeline": lambda plan: not is_still(plan),
    "other_rates": lambda plan: plan["endpoints"] != [],
    "http2": lambda plan: "HTTP_2" in given(plan, "version"),
    "checks_content": lambda plan: any(constant(plan, checks) for checks in given(plan, "check_content")),
    "mtu_searches": lambda plan: plan["endpoints"] != [] or not same(plan, "mtu"),
    "slow_readers": lambda plan: any(constant(plan, rate) for rate in given(plan, "read_rate")),
    "segments": lambda plan: bool(plan.get("steering")),
    "records": lambda plan: {record["schema"] for record in plan["records"]} == set(choices()),
}


def choices():
    """Of each record that the code reads, by its schema, the fields, and of those that are choices what may be chosen."""
    found = {}
    for path in sorted((ROOT / "runtime").rglob("*.def")):
        text = path.read_text()
        if record := re.search(r'^ANML_RECORD\(\w+, "([\w.]+)"\)', text, re.M):
            while included := re.search(r'^#include "([\w/]+\.def)"\n', text, re.M):
                beside = path.parent / included[1]
                text = text.replace(included[0], (beside if beside.exists() else ROOT / included[1]).read_text())
            found[record[1]] = {name: [] for name in re.findall(r"^ANML_FIELD\(\w+, (\w+)\)", text, re.M)}
            for name, values in re.findall(r"^ANML_CHOICE\(\w+, (\w+), ([\w, ]+)\)", text, re.M):
                found[record[1]][name] = values.split(", ")
    return found


def scenes():
    """All that can stand in one model. The short ones end when they would alone, or before: many more packets show no more."""
    for row in PAIRS.values():
        for attribute, pair in row.items():
            for text in pair.texts(attribute) if pair.seen not in ("invalid", "refused") else ():
                if not (seconds := duration(text)):
                    continue
                if seconds.endswith("ms"):
                    end = "40 ms" if "https" in text else "150 ms"  # a handshake costs as much as thousands of packets
                    off = ", ".join(f"{name} off" for name in re.findall(r"^  workload (\w+) :", text, re.M))
                    text = RUN.sub(lambda found: f"\n  at {end} {{ {off} }}{found[0]}", text)
                yield text


class TiersTest(EmulatorTest):
    def setUp(self):
        super().setUp()
        for name, lines in (("up.trace", "0\n0\n1\n3\n3\n43\n"), ("down.trace", "1\n"), ("pauses", "1\n5\n9\n")):
            (self.folder / name).write_text(lines)

    def written(self, text):
        path = self.fresh("model.anml")
        path.write_text(text)
        return path

    def everything(self):
        return self.written(joined(dict.fromkeys(scenes()), "1 s", BESIDE, "import std.jitter\n" + STORM))


class Tiers(TiersTest):
    def both(self, model, *runs, tasks=1):
        """The results at -O0, of each run, which are those at -O2."""
        plain, fast = (self.compile(model, level, "--tasks", tasks) for level in ("-O0", "-O2"))
        found = []
        for options in runs or ((),):
            found.append(self.simulate(plain, "--threads", 1, *options))
            for threads in (1, 2) if tasks > 1 else (1,):
                self.assertEqual(essence(self.simulate(fast, "--threads", threads, *options)), essence(found[-1]), (options, threads))
        return found

    def test_everything(self):
        model = self.everything()
        [plain] = self.both(model)
        results = self.fresh("results.json")
        results.write_text(json.dumps(plain))
        reported = run(ANMLC, "report", results, "--format", "json").stdout
        for kind in {"radios", "buffers", "middleboxes", "busiest_links", "servers"}:
            self.assertTrue(plain[kind], kind)
        self.assertIn("slots taken down", reported)
        self.assertGreater(plain["retransmissions"], 1000)
        for cause in ("queue", "ttl", "mtu", "no_route", "link", "lost", "corrupted", "processing", "middlebox"):
            self.assertGreater(plain["packets"]["dropped"][cause], 10, cause)
        for cause in ("connect", "reset", "timeout", "tls"):
            self.assertGreater(plain["transactions"]["failed_by_cause"][cause], 10, cause)
        fast = self.compile(model, "-O2", "--tasks", 4)
        for threads in (1, 2):
            found = self.simulate(fast, "--threads", threads)
            for figures in ("digest", "packets", "transactions", "workloads", "servers", "middleboxes", "busiest_links", "retransmissions"):
                self.assertEqual(found[figures], plain[figures], (figures, threads))

    def test_datagrams(self):
        [plain] = self.both(self.written(LITTLE))
        self.assertGreater(plain["busiest_links"][0]["queue_delay_seconds"]["max"], 0.01)

    def test_rates(self):
        """Of which the optimised tier cannot know beforehand what a byte takes: one is known at the start, one takes fractions of nanoseconds, they are three."""
        for near, far in (("10 Mbps", "R"), ("10 Mbps", "7 Mbps"), ("100 Mbps", "5 Mbps")):
            text = LITTLE.replace("model Little", "model Little(tunable R: rate in 1 Mbps .. 1 Gbps = 8 Mbps)")
            text = text.replace("a[*] -- r : wire", f"a[*] -- r : wire {{ rate = {near} }}").replace("r -- b : wire", f"r -- b : wire {{ rate = {far} }}")
            with self.subTest(near=near, far=far):
                self.both(self.written(text), (), *([("--set", "R=3Mbps")] if far == "R" else ()))

    def test_what_only_the_timeline_brings(self):
        [plain] = self.both(self.written(BROUGHT))
        for cause in ("lost", "link", "queue"):
            self.assertGreater(plain["packets"]["dropped"][cause], 10, cause)

    def test_what_only_a_tunable_switches_on(self):
        whole, lossy, paced, later = self.both(self.written(TRANSFERS), (), ("--set", "lost=2%"), ("--set", "paced=1"), ("--set", "x=19"))
        self.assertGreater(whole["packets"]["dropped"]["queue"], 100)
        self.assertGreater(lossy["packets"]["dropped"]["lost"], 50)
        self.assertEqual(len({found["digest"] for found in (whole, lossy, paced, later)}), 4)

    def test_what_is_changed_from_outside(self):
        changes = self.folder / "changes.json"
        changes.write_text(json.dumps([{"seconds": at, "what": what} for at, what in CHANGES]))
        still, changed = self.both(self.written(CLIENTS), (), ("--changes", changes), tasks=3)
        self.assertGreater(still["packets"]["dropped"]["queue"], 100)
        self.assertGreater(changed["packets"]["dropped"]["lost"], 10)


class Counted(TiersTest):
    """What the models have."""

    def plan(self, model, *options):
        return json.loads(run(ANMLC, "--emit=plan", *options, model, "-o", "-").stdout)

    def test_the_one_has_everything(self):
        plan = self.plan(self.everything())
        missing = []

        def has(what, wanted, found):
            missing.extend(f"{what} {name}" for name in set(wanted) - set(found))

        values = collections.defaultdict(lambda: collections.defaultdict(set))
        for record in plan["records"]:
            for name, value in record.items():
                values[record["schema"]][name].add(json.dumps(value).strip('"'))
        known = choices()
        del known["std.web.Replay"]["unreadable"]  # the compiler reads the log
        self.assertGreater(sum(map(len, known.values())), 390)
        for schema, fields in known.items():
            for name, chosen in fields.items():
                has(f"{schema}.{name} =", chosen, values[schema][name])
                if len(values[schema][name]) < 2:
                    missing.append(f"a second value of {schema}.{name}")
        listed = re.findall(r"^(?:discipline|middlebox|workload|settings) (\w+)", (ROOT / "runtime/constructs.txt").read_text(), re.M)
        self.assertGreaterEqual(len(known), len(listed))
        image, timeline = ((ROOT / "runtime/abi" / name).read_text() for name in ("image.h", "timeline.h"))

        def enumerated(name):
            [found] = re.findall(rf"^enum class {name} [^{{]*\{{(.*?)\}};", image, re.M | re.S)
            return re.findall(r"\w+(?= =|,|\n| )", re.sub(r"//.*| = \d+", "", found) + " ")

        has("a node of kind", range(len(enumerated("NodeKind"))), (row["kind"] for row in plan["node_rows"]))
        has("a pairing", ("in_order", "permutation", "at_random"), (row["pairing"] for row in plan["workloads"]))
        has("a start", ("phase", "spread"), (row["start"] for row in plan["workloads"]))
        changed = re.findall(r'"(\w+)"', re.search(r"kNames\[\] = \{(.*?)\}", timeline, re.S)[1])
        self.assertGreater(len(changed), 10)
        has("a change of", {*changed, *known["std.prelude.Link"]} - {"cost"}, (row["attribute"] for row in plan["timeline"]))  # that one the compiler makes
        has("a change of form", range(len(enumerated("TimelineForm"))), (row["form"] for row in plan["timeline"]))
        has("a change because of", range(len(enumerated("TimelineCause"))), (row["cause"] for row in plan["timeline_targets"]))
        drawn = {random["kind"] for record in plan["records"] for random in record.values() if isinstance(random, dict)}
        has("a distribution that is", enumerated("DistributionKind"), drawn)
        for table in ("traces", "segments", "steering", "epochs", "alternatives", "codes", "documents", "files", "servers"):
            has("a row of", [table], [table] if plan[table] else ())
        has("IPv6 of", ["a node"], ["a node"] if any("ipv6" in row for row in plan["node_rows"]) else ())
        # What the plan shows by no name.
        text = self.everything().read_text()
        builtins = re.findall(r"^ANML_BUILTIN\((\w+)", (ROOT / "compiler/check/expressions/builtins.def").read_text(), re.M)
        distributions = builtins[builtins.index("constant") : builtins.index("trace") + 1]
        self.assertGreater(len(distributions), 12)
        has("a draw from", distributions, re.findall(r"\b(\w+)\(", text))
        for module in ("loss", "jitter"):
            processes = [path.stem for path in (ROOT / "stdlib/std" / module).glob("*.anml") if re.search("^process ", path.read_text(), re.M)]
            self.assertGreater(len(processes), 1)
            has(f"the process {module}.", processes, re.findall(rf"\b{module}\.(\w+)\(", text))
        if missing:
            self.fail("a scene of attribute_scenes.py, or STORM, should have what no model here has:\n" + "\n".join(sorted(missing)))

    def test_what_is_known_of_models_holds_of_some_and_not_of_others(self):
        struct = re.search(r"^struct Facts \{(.*?)^\};", (ROOT / "runtime/abi/facts.h").read_text(), re.M | re.S)[1]
        fields = re.findall(r"^ +[\w:]+ (\w+)(?:\[\d\])? = ", struct, re.M)
        self.assertEqual(sorted(set(fields) - {"unused"}), sorted(FACTS), "FACTS says what a plan lets each field of Facts say")
        plans = [self.plan(self.everything(), "--tasks", tasks) for tasks in (1, 4)] + [self.plan(self.written(model), "--tasks", tasks) for model, tasks in
                                                                                  ((LITTLE, 1), (BROUGHT, 1), (TRANSFERS, 1), (CLIENTS, 3))]
        for name, holds in FACTS.items():
            self.assertEqual({bool(holds(plan)) for plan in plans}, {True, False}, f"Facts::{name} says the same of all models of test_tiers.py")


if __name__ == "__main__":
    unittest.main()
