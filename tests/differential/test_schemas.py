"""No attribute of a schema of the standard library vanishes on the way through --emit=anml, GraphML or JSON: each that there is, with another value
than its default, makes another network, and the same one when it was written and read back. A new attribute is tried without a line here, unless its
value has to be told or it needs another one beside it."""
import collections
import json
import re
import unittest

from emulators import ALL, ANMLC, ROOT, EmulatorTest, run
from test_round_trip import essence, rounded

LOADS = ROOT / "tests/data/loads"
TIMES = f'"{LOADS}/times.txt"'
# What has to be given, and what others need to be allowed or to count.
GIVEN = {
    "Link": {"rate": "1 Gbps", "jitter": "1 ms", "reorder": "1 %"},
    "Queue": {"capacity": "64 KB"},
    "Server": {"workers": "3", "processors": "2"}, "MessageServer": {},
    "Document": {"size": "exponential(8 KB)", "count": "9"},
    "ProWGen": {"size": "exponential(8 KB)", "count": "9"},
    "SpecWeb99": {"size": "8 KB", "count": "36", "directories": "1"},
    "DocumentList": {"size": "0 B", "file": f'"{LOADS}/site.csv"'},
    "Replay": {"server": "e", "log": f'"{LOADS}/access.log"'},
    "Endpoint": {"simulated": "s"},
    "ClosedLoop": {"server": "e", "documents": "d"},
    "OpenLoop": {"server": "e", "documents": "d", "interval": "exponential(1 s)", "schedule": "st"},
    "SClient": {"server": "e", "documents": "d"},
    "Calls": {"to": "e3", "documents": "d"}, "Origin": {"authority": '"auth.example"', "server": "e2"},
    "Socket": {"server": "chat"}, "Events": {"server": "chat"},
    "Browser": {"server": "e", "documents": "d", "parts": "web.fixed(3 KB)", "parts_per_page": "4"},
    "Sessions": {"server": "e", "documents": "d", "parts": "web.fixed(3 KB)", "parts_per_page": "4", "interval": "exponential(1 s)"},
    "Stage": {"duration": "3 s", "begin": "1", "end": "2"},
    "Bulk": {"to": "b", "size": "10 KB"},
    "Background": {"to": "right", "flow_rate": "1 Mbps", "burst": "1 s"},
    "Flows": {"to": "b", "size": "10 KB", "interval": "exponential(1 s)"},
    "Cbr": {"to": "b", "rate": "1 Mbps"},
    "OnOff": {"to": "b", "rate": "1 Mbps"},
    "Ping": {"to": "b"},
    "Requests": {"to": "b"},
    "Relay": {"to": "b"},
    "Red": {"capacity": "64 KB", "minimum_threshold": "10 KB", "maximum_threshold": "30 KB"},
    "Codel": {"capacity": "64 KB"},
    "TokenBucket": {"capacity": "64 KB", "rate": "2 Mbps"},
    "Threshold": {"capacity": "64 KB", "mark": "30 KB"},
    "Pie": {"capacity": "64 KB"},
    "FqCodel": {"capacity": "64 KB"},
    "Drr": {"capacity": "64 KB"},
    "Sfq": {"capacity": "64 KB"},
    "Priority": {"capacity": "64 KB"},
    "Htb": {"capacity": "64 KB", "rate": "2 Mbps", "ceil": "4 Mbps"},
    "HtbClasses": {"capacity": "64 KB", "classes": '[kind, queue.htb_class("above", rate = 9 Mbps)]'}, "HtbClass": {"name": '"kind"', "rate": "2 Mbps", "ceil": "4 Mbps", "protocol": "tcp"},
    "Router": {"processing": "slow", "icmp_limits": "few", "buffer": "shallow", "radio": "cell"},
    "Processing": {"service": "3 ms"},
    "Buffer": {"capacity": "64 KB"},
    "Nat": {"inside": "[a, b]"}, "BackEnd": {"nodes": "[a]"}, "LoadBalancer": {"back_ends": "[pool]"},
    "Firewall": {"rules": "[only]"},
    "Rule": {"action": "allow", "protocol": "tcp"},
    "Run": {"duration": "2 s"},
    "ComponentAddressing": {"prefix": "10.9.0.0/24"},
    "Experiment": {"repetitions": "3"},
    "Geographic": {"latitude": "1", "longitude": "2"},
    "Planar": {"x": "1", "y": "2"},
    "Shell": {"height": "780 km", "inclination": "50", "planes": "3", "each": "4", "phasing": "1"},
}
# Values that the range doesn't tell.
VALUES = {
    ("Link", "transparent"): "false }\n  endpoint wired[2]\n  link tt: wired[0] -- wired[1] { rate = 1 Gbps, transparent = true",
    ("Link", "queue"): "droptail(7 KB)", ("Document", "choice"): "zipf(9, 0.5)", ("Document", "path"): '"/way"',
    ("Endpoint", "bridged"): "true, prefix = 10.7.0.0/16", ("Endpoint", "simulated"): "web.server(workers = 7)", ("Addressing", "gateway"): "10.0.0.77", ("Run", "warmup"): "1 s", ("Tcp", "last_port"): "50000",
    ("Ping", "timeout"): "2 s", ("Ping", "interval"): "2 s", ("Red", "minimum_threshold"): "20 KB", ("Red", "maximum_threshold"): "40 KB",
    ("ClosedLoop", "idle"): "7 s, requests = 9", ("ClosedLoop", "pipeline"): "5, requests = 9", ("OpenLoop", "idle"): "7 s, requests = 9",
    ("ClosedLoop", "streams"): "5, version = HTTP_2, requests = 9", ("OpenLoop", "streams"): "5, version = HTTP_2, requests = 9",
    ("Replay", "streams"): "5, version = HTTP_2, requests = 9", ("Browser", "streams"): "5, version = HTTP_2", ("Sessions", "streams"): "5, version = HTTP_2",
    ("ClosedLoop", "body"): "7 KB, method = PUT", ("OpenLoop", "body"): "7 KB, method = POST", ("ClosedLoop", "authority"): '"h:80"', ("OpenLoop", "authority"): '"[2001:db8::1]"',
    **{(kind, "trust_anchors"): '"ca.pem", scheme = https, authority = "h"' for kind in ("ClosedLoop", "OpenLoop", "SClient", "Replay", "Browser", "Sessions")}, ("Server", "certificate"): '"a.pem", scheme = https',
    **{(kind, "tls_version"): "tls12, scheme = https" for kind in ("ClosedLoop", "OpenLoop", "SClient", "Replay", "Browser", "Sessions", "Server")},
    **{(kind, "resumption"): "false, scheme = https" for kind in ("ClosedLoop", "OpenLoop", "SClient", "Replay", "Browser", "Sessions", "Server")}, ("Server", "handshake"): "exponential(3 ms), scheme = https", ("Server", "half_open"): "true, backlog = 8",
    ("ClosedLoop", "headers"): '["A: \\"b\\"", "B: c"]', ("OpenLoop", "headers"): '"A: b"', ("SClient", "body"): "7 KB, method = PUT",
    **{(kind, name): value for kind in ("Socket", "Events") for name, value in {"server": "chat2", "path": '"/way"', "trust_anchors": '"ca.pem", scheme = https, authority = "h"', "authority": '"h"', "headers": '"A: b"', "tls_version": "tls12, scheme = https", "resumption": "false, scheme = https"}.items()},
    **{("MessageServer", name): f"{value}, scheme = https" for name, value in {"tls_version": "tls12", "resumption": "false", "certificate": '"a.pem"'}.items()}, ("Socket", "text"): '"hello"', ("Socket", "window_bits"): "12, compression = deflate",
    **{(kind, "pick"): "round_robin, server = [e, e2]" for kind in ("ClosedLoop", "OpenLoop", "SClient", "Replay", "Browser", "Sessions")},
    **{(kind, "pick"): "round_robin, server = [chat, chat2]" for kind in ("Socket", "Events")}, ("Host", "anycast"): "10.9.9.9", ("Endpoint", "anycast"): "10.9.9.9",
    ("Origin", "server"): "e3", ("Origin", "authority"): '"h:80"', ("Replay", "origins"): f"[elsewhere], redirects = 3, documents = d, times = {TIMES}",
    ("Calls", "to"): "[e2, e3]", ("Calls", "stage_wait_for"): "1, stage = 1", ("Calls", "entry"): '["/way", "/road"]', ("Calls", "wait_for"): "2, fan_out = 2, to = [e2, e3]", ("Calls", "fan_out"): "0", ("Calls", "budget"): "50 %, retries = 2", ("Calls", "growth"): "3", ("Calls", "until"): "closed, requests = 1",
    ("Calls", "trust_anchors"): '"ca.pem", scheme = https, authority = "h"', ("Calls", "tls_version"): "tls12, scheme = https", ("Calls", "resumption"): "false, scheme = https", ("Calls", "body"): "7 KB, method = PUT",
    ("Calls", "authority"): '"h"', ("Calls", "headers"): '"A: b"', ("Calls", "streams"): "5, version = HTTP_2", ("Calls", "check_content"): f'true, documents = web.list("{LOADS}/hashed.csv")', ("Calls", "idle"): "7 s",
    ("Browser", "authority"): '"h"', ("Browser", "headers"): '"A: b"', ("Sessions", "authority"): '"h"', ("Sessions", "headers"): '"A: b"',
    ("SClient", "authority"): '"h"', ("SClient", "headers"): '"A: b"',
    ("Shell", "planes"): "5", ("Shell", "each"): "5", ("Shell", "phasing"): "2", ("Shell", "spread"): "180", ("Routing", "follow_delays"): "7 s, metric = delay",
    ("Codel", "target"): "7 ms", ("Codel", "interval"): "70 ms", ("FqCodel", "target"): "7 ms", ("FqCodel", "interval"): "70 ms", ("Htb", "rate"): "3 Mbps", ("HtbClass", "rate"): "3 Mbps", ("HtbClass", "ceil"): "5 Mbps", ("HtbClass", "last_port"): "7000", ("HtbClass", "first_dscp"): "7", ("HtbClass", "protocol"): "udp", ("HtbClasses", "classes"): '[kind, queue.htb_class("above", rate = 7 Mbps)]', ("HtbClass", "name"): '"other"', ("HtbClass", "parent"): '"above"', ("HtbClass", "source"): "[a]", ("HtbClass", "destination"): "[a]",
    ("Htb", "ceil"): "5 Mbps", ("Planar", "x"): "7", ("Planar", "y"): "7",
    ("Experiment", "duration"): "7 s", ("Experiment", "warmup"): "1 s", ("Experiment", "mode"): 'live, server = "true"', ("Experiment", "server"): '"true", mode = live',
    ("DocumentList", "file"): f'"{LOADS}/other.csv"', ("Replay", "log"): f'"{LOADS}/short.log"', ("Replay", "times"): f"{TIMES}, documents = d",
    ("Replay", "documents"): f"[d, web.fixed(1 KB)], times = {TIMES}", ("Replay", "method"): f"HEAD, documents = d, times = {TIMES}",
    ("Replay", "begin_with"): f"first, documents = [d, web.fixed(1 KB)], times = {TIMES}", ("Replay", "idle"): "7 s, requests = 9",
    ("Replay", "redirects"): f"7, documents = d, times = {TIMES}", ("Replay", "revalidate"): f"true, documents = d, times = {TIMES}",
    **{(kind, "check_content"): f'true, documents = web.list("{LOADS}/hashed.csv")' for kind in ("ClosedLoop", "OpenLoop", "SClient", "Browser", "Sessions")},
    ("Replay", "check_content"): f'true, documents = web.list("{LOADS}/hashed.csv"), times = {TIMES}',
    ("Replay", "authority"): '"h"', ("Replay", "headers"): '"A: b"',
    # Where there is a factor, and a threshold.
    ("Experiment", "stop"): '2, mode = live, server = "true" }\n  vary server in ["true", "false"]\n  require p50(closed) < 1 s\n  if false {',
   
    ("Nat", "inside"): "[a, c]", ("Nat", "first_port"): "7", ("Nat", "last_port"): "60000", ("LoadBalancer", "back_ends"): "[pool, middlebox.back_end(b, weight = 7)]", ("BackEnd", "nodes"): "[a, c]", ("Firewall", "rules"): "[only, only]",
    **{("Rule", name): "[a]" for name in ("source", "destination")}, **{("Rule", name): "[10.7.0.0/16]" for name in ("source_prefix", "destination_prefix")},
    ("Rule", "first_port"): "7", ("Rule", "last_port"): "7000", ("Rule", "protocol"): "udp",
    **{(kind, "ipv6"): f"2001:db8:7::{i}" for i, kind in enumerate(("Host", "Router", "Endpoint"), 7)}, ("Addressing", "ipv6"): "2001:db8:5::/64", ("ComponentAddressing", "ipv6"): "2001:db8:6::/64", ("ComponentAddressing", "prefix"): "10.11.0.0/16",
    ("SegmentList", "source"): "[c]", ("Workload", "family"): "ipv4",
    ("Background", "to"): "b", ("Cell", "cw_max"): "2047", ("Carrier", "average"): "77 ms", ("ProWGen", "requests"): "77", ("SpecWeb99", "directories"): "2, count = 72",
}
# Graphs have no middleboxes, and no queues whose classes name nodes.
NAME_NODES = (("HtbClass", "source"), ("HtbClass", "destination"))
MIDDLEBOXES = ("Nat", "Firewall", "Rule", "LoadBalancer", "BackEnd")
OF_TYPES = {"Processing": "processing(7 us)", "IcmpLimits": "icmp_limits(burst = 7)", "Buffer": "shared_buffer(77 KB)", "Radio": "wifi.g(error = 7 %)", "Middlebox": "middlebox.nat([a])", "address": "10.0.7.7", "prefix": "10.7.0.0/16", "Tcp": "u", "Position": "geo(3, 4)", "Document": "[d, web.fixed(1 KB)]", "Stage": "[st, web.hold(7 s, 3)]", "Origin": "[elsewhere], redirects = 3", "node": "e2"}
# In the place of another one.
INSTEAD = {**{(kind, "pick"): "server" for kind in ("ClosedLoop", "OpenLoop", "SClient", "Replay", "Browser", "Sessions", "Socket", "Events")},
           ("Replay", "redirects"): "log", ("Replay", "origins"): "log", ("Replay", "check_content"): "log", **{(kind, "check_content"): "documents" for kind in ("ClosedLoop", "OpenLoop", "SClient", "Browser", "Sessions")}, ("Replay", "revalidate"): "log", ("Replay", "times"): "log", ("Replay", "documents"): "log", ("Replay", "method"): "log", ("Replay", "begin_with"): "log", ("Flows", "offered"): "interval", ("Cbr", "interval"): "rate", ("OnOff", "interval"): "rate", ("SpecWeb99", "directories"): "count", ("Calls", "check_content"): "documents", ("Calls", "wait_for"): "to"}

MODEL = """import std.cellular
import std.middlebox
import std.orbit
import std.queue
import std.traffic
import std.web
import std.wifi
profile q : Queue {{ {Queue} }}
profile early : queue.Red {{ {Red} }}
profile brief : queue.Codel {{ {Codel} }}
profile paced : queue.TokenBucket {{ {TokenBucket} }}
profile marks : queue.Threshold {{ {Threshold} }}
profile steady : queue.Pie {{ {Pie} }}
profile fair : queue.FqCodel {{ {FqCodel} }}
profile even : queue.Drr {{ {Drr} }}
profile mixed : queue.Sfq {{ {Sfq} }}
profile first : queue.Priority {{ {Priority} }}
profile plan : queue.Htb {{ {Htb} }}
profile slow : Processing {{ {Processing} }}
profile few : IcmpLimits {{ {IcmpLimits} }}
profile shallow : Buffer {{ {Buffer} }}
profile cell : wifi.Cell {{ {Cell} }}
profile carrier : cellular.Carrier {{ {Carrier} }}
profile t : Tcp {{ {Tcp} }}
profile u : Tcp {{ sack = false }}
profile s : web.Server {{ {Server} }}
profile talks : web.MessageServer {{ {MessageServer} }}
profile d : web.Document {{ {Document} }}
profile st : web.Stage {{ {Stage} }}
profile made : web.ProWGen {{ {ProWGen} }}
profile listed : web.DocumentList {{ {DocumentList} }}
profile classes : web.SpecWeb99 {{ {SpecWeb99} }}
profile above : orbit.Shell {{ {Shell} }}
profile g : Geographic {{ {Geographic} }}
profile p : Planar {{ {Planar} }}
component Site {{
  addressing {{ {ComponentAddressing} }}
  router r
}}
model M {{
  addressing {{ {Addressing} }}
  routing {{ {Routing} }}
  endpoint e {{ {Endpoint} }}
  endpoint e2 {{ simulated = web.server() }}
  endpoint e3 {{ simulated = web.server() }}
  endpoint f {{ simulated = web.server() }}
  endpoint chat {{ simulated = talks }}
  endpoint chat2 {{ simulated = web.message_server() }}
  link chat -- r {{ rate = 1 Gbps }}
  link chat2 -- r {{ rate = 1 Gbps }}
  host a {{ {Host} }}
  host b {{ tcp = t, position = g }}
  host c {{ position = p }}
  host left
  host right
  router r {{ {Router} }}
  switch w {{ {Switch} }}
  switch mast {{ radio = carrier }}
  host walker
  profile home : middlebox.Nat {{ {Nat} }}
  profile only : middlebox.Rule {{ {Rule} }}
  profile guard : middlebox.Firewall {{ {Firewall} }}
  router box {{ middlebox = home }}
  router wall {{ middlebox = guard }}
  profile pool : middlebox.BackEnd {{ {BackEnd} }}
  profile farm : middlebox.LoadBalancer {{ {LoadBalancer} }}
  router share {{ middlebox = farm }}
  link share -- r {{ rate = 1 Gbps }}
  router here
  router there
  link here -- there {{ rate = 1 Gbps }}
  link there -- r {{ rate = 1 Gbps }}
  route here to a via [there] {{ {SegmentList} }}
  link left -- r {{ rate = 1 Gbps }}
  link right -- r {{ rate = 1 Gbps }}
  link box -- r {{ rate = 1 Gbps }}
  link wall -- r {{ rate = 1 Gbps, queue = early }}
  Site site
  link l: a -- r {{ {Link} }}
  link qs: e -- r {{ rate = 1 Gbps, queue = q }}
  link e2 -- r {{ rate = 1 Gbps, up {{ queue = marks }}, down {{ queue = steady }} }}
  link e3 -- r {{ rate = 1 Gbps, up {{ queue = fair }}, down {{ queue = even }} }}
  link f -- r {{ rate = 1 Gbps, up {{ queue = mixed }}, down {{ queue = first }} }}
  link b -- r {{ rate = 1 Gbps }}
  profile kind : queue.HtbClass {{ {HtbClass} }}
  profile kinds : queue.HtbClasses {{ {HtbClasses} }}
  link walker -- mast : cellular.air(10 Mbps)
  link mast -- r {{ rate = 1 Gbps, queue = kinds }}
  link site.r -- w {{ rate = 1 Gbps, delay = round(orbit.light(orbit.slant(above, 1, 1, g, 100 s)), 1 us) }}
  link c -- w {{ rate = 1 Gbps, queue = brief }}
  link w -- r {{ rate = 1 Gbps, queue = paced }}
  link site.r -- r {{ rate = 1 Gbps, queue = plan }}
  workload closed : web.ClosedLoop on a {{ {ClosedLoop} }}
  workload open : web.OpenLoop on c {{ {OpenLoop} }}
  workload knock : web.SClient on c {{ {SClient} }}
  workload look : web.Browser on a {{ {Browser} }}
  workload come : web.Sessions on a {{ {Sessions} }}
  workload sets : web.OpenLoop on c {{ server = e, documents = [made, classes, listed], interval = 1 s }}
  workload again : web.Replay on c {{ {Replay} }}
  workload call : web.Calls on f {{ {Calls} }}
  profile elsewhere : web.Origin {{ {Origin} }}
  workload abroad : web.ClosedLoop on c {{ server = e, documents = d, redirects = 2, origins = [elsewhere] }}
  workload talk : web.Socket on c {{ {Socket} }}
  workload hear : web.Events on c {{ {Events} }}
  workload bulk : traffic.Bulk on a {{ {Bulk} }}
  workload flows : traffic.Flows on a {{ {Flows} }}
  workload crowd : traffic.Background on left {{ {Background} }}
  workload cbr : traffic.Cbr on a {{ {Cbr} }}
  workload burst : traffic.OnOff on a {{ {OnOff} }}
  workload probe : traffic.Ping on a {{ {Ping} }}
  workload ask : traffic.Requests on a {{ {Requests} }}
  workload sends_on : traffic.Relay on a {{ {Relay} }}
  workload voice : traffic.Cbr on b {{ to = e2, interval = 20 ms
{Workload} }}
  run {{ {Run} }}
}}
"""
# What a model's network doesn't have.
EXPERIMENT = "\nexperiment E : M {{\n  run {{ {Experiment} }}\n  measure p50(closed)\n}}\n"


def declared():
    """Schemas by their names, with (attribute, type, low, high, default) each; and the values of enums."""
    schemas, enums = {}, {}
    attribute = re.compile(r'^\s+(?:@changes\([^)]*\) )?(\w+): (?:random )?(\w+)(?:\[\])?\??(?: matching ".*?")?(?: in (.+?) ?\.\. ?(.+?))?(?: = (.+))?$')
    for path in sorted((ROOT / "stdlib").rglob("*.anml")):
        text = re.sub(r"//.*", "", path.read_text())
        for name, body in re.findall(r"^schema (\w+)[^{\n]*\{(.*?)\}$", text, re.M | re.S):
            schemas[name] = []
            for line in re.sub(r"\n\s+(then|else|\*) ", r" \1 ", body).splitlines():
                if not line.strip() or line.strip().startswith(("require ", "else ", "trait ")):
                    continue
                found = attribute.match(line.rstrip())
                assert found, f"{path}: {line}"
                schemas[name].append(found.groups())
        for name, body in re.findall(r"^enum (\w+) *\{(.*?)\}", text, re.M | re.S):
            enums[name] = re.findall(r"\w+", body)
    return schemas, enums


SCHEMAS, ENUMS = declared()


def other_value(schema, name, kind, low, high, default):
    """Not the default, nor what is given."""
    if (schema, name) in VALUES:
        return VALUES[schema, name]
    taken = GIVEN.get(schema, {}).get(name, default)
    if kind == "bool":
        return "false" if taken == "true" else "true"
    if kind in ENUMS:
        return next(v for v in ENUMS[kind] if v != taken)
    if low:
        return high.strip() if taken and low.strip() == taken.strip() else low.strip()
    assert kind in OF_TYPES, f"{schema}.{name}: tell its value in VALUES"
    return OF_TYPES[kind]


def model(*changes):
    """The model with these attributes changed: (schema, name, value)."""
    blocks = {s: dict(GIVEN.get(s, {})) for s in SCHEMAS}
    for schema, name, value in changes:
        blocks[schema].pop(INSTEAD.get((schema, name)), None)
        blocks[schema][name] = value
    return (MODEL + EXPERIMENT).format(**{s: ", ".join(f"{k} = {v}" for k, v in block.items()) for s, block in blocks.items()})


class Schemas(EmulatorTest):
    maxDiff = 3000

    def network(self, path):
        network = json.loads(run(ANMLC, "--emit=network", path, "-o", "-").stdout)
        nodes, links = essence(json.dumps(network))
        for row in network["nodes"]:
            nodes[row["name"]]["address"] = row["address"], row.get("ipv6"), row.get("anycast")  # given or given out
        endpoints = [{"node": e["node"], "prefixes": e["prefixes"]} for e in network["endpoints"]]
        rest = {k: network.get(k) for k in ("pool", "gateway", "routing", "regions", "duration", "warmup", "workloads", "static_routes", "segment_routes", "timeline", "requirements")}
        return {"nodes": nodes, "links": links, "endpoints": endpoints, **rounded(rest)}

    def written(self, text):
        path = self.fresh("model.anml")
        path.write_text(text)
        return path

    def test_what_is_tried_is_all_that_there_is(self):
        self.assertGreaterEqual(len(SCHEMAS), 19)
        self.assertGreaterEqual(sum(map(len, SCHEMAS.values())), 90)
        for schema, attributes in SCHEMAS.items():
            self.assertTrue(not attributes or "{%s}" % schema in MODEL + EXPERIMENT, f"the schema {schema} has no place in MODEL")

    def test_every_attribute(self):
        """Each is seen in a network of its own. It is written and read back there where all is tried, else beside others: one of each
        schema, as far as these can stand beside each other."""
        plain = self.network(self.written(model()))
        rounds = collections.defaultdict(list)
        for schema, attributes in SCHEMAS.items():
            for number, attribute in enumerate(attributes if schema != "Experiment" else []):
                change = schema, attribute[0], other_value(schema, *attribute)
                with self.subTest("{}.{} = {}".format(*change)):
                    path = self.written(model(change))
                    expected = self.network(path)
                    self.assertNotEqual(expected, plain, "--emit=network doesn't show it")
                    if ALL:
                        self.assert_kept(path, expected, [change])
                    else:
                        rounds[number].append(change)
        for changes in rounds.values():
            self.assert_kept_together(changes)

    def assert_kept_together(self, changes):
        """Of changes that make no model together, either half."""
        path = self.written(model(*changes))
        if len(changes) > 1 and run(ANMLC, "--emit=network", path, "-o", "-", check=False).returncode != 0:
            half = len(changes) // 2
            self.assert_kept_together(changes[:half])
            self.assert_kept_together(changes[half:])
            return
        with self.subTest(changes):
            self.assert_kept(path, self.network(path), changes)

    def assert_kept(self, path, expected, changes):
        again = self.fresh("again.anml")
        run(ANMLC, "--emit=anml", path, "-o", again)
        self.assertEqual(self.network(again), expected, "anml")
        changes = [change for change in changes
                   if change[0] not in MIDDLEBOXES and change[1] != "middlebox" and change[:2] not in NAME_NODES]
        if not changes:
            return
        path = self.written(model(*changes))
        expected = self.network(path)
        for node in expected["nodes"].values():
            node["middlebox"] = None
        for suffix in ("graphml", "json", "yml"):
            graph, again = self.fresh(f"graph.{suffix}"), self.fresh("again.anml")
            run(ANMLC, "graph", path, "-o", graph)
            said = run(ANMLC, "import", graph, "-o", again).stderr
            self.assertNotIn("dropped", said)
            self.assertEqual(self.network(again), expected, suffix)

    def test_every_attribute_of_an_experiment(self):
        def essence_of(*changes):
            return json.loads(run(ANMLC, "--emit=network", "--model", "E", self.written(model(*changes)), "-o", "-").stdout)
        plain = essence_of()
        for attribute in SCHEMAS["Experiment"]:
            name, value = attribute[0], other_value("Experiment", *attribute)
            with self.subTest(f"Experiment.{name} = {value}"):
                self.assertNotEqual(essence_of(("Experiment", name, value)), plain)


if __name__ == "__main__":
    unittest.main()
