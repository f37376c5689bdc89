#!/usr/bin/env python3
"""Every attribute of the standard library's schemas with hostile values: the compiler says what is wrong, or the emulator
runs, ends in time and counts what it was given.

Without ANML_ALL every attribute gets a few of its values, which are others for each.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import tempfile
import unittest

from arena import ALL, ANMLC, GIB, attempt

STDLIB = pathlib.Path(__file__).resolve().parents[2] / "stdlib/std"

LOADS = STDLIB.parents[1] / "tests/data/loads"

GIVEN = {  # what the schema needs besides, unless it is the attribute itself
    "ClosedLoop": {"server": "s", "documents": "web.fixed(2 KB)", "think": "1 ms"},
    "OpenLoop": {"server": "s", "documents": "web.fixed(2 KB)", "interval": "2 ms"},
    "Replay": {"server": "s", "log": f'"{LOADS}/access.log"'},
    "DocumentList": {"size": "0 B", "file": f'"{LOADS}/site.csv"'},
    "Document": {"size": "2 KB"},
    "ProWGen": {"size": "2 KB", "count": "9"},
    "SpecWeb99": {"size": "2 KB", "count": "36", "directories": "1"},
    "Bulk": {"to": "b"},
    "Flows": {"to": "b", "size": "2 KB", "interval": "1 ms"},
    "Cbr": {"to": "b", "rate": "1 Mbps"},
    "OnOff": {"to": "b", "rate": "1 Mbps"},
    "Ping": {"to": "b", "interval": "1 ms"},
    "Link": {"rate": "10 Mbps", "delay": "1 ms"},
    "Queue": {"capacity": "64 KB"},
    "Run": {"duration": "20 ms"},
    "Geographic": {"latitude": "1", "longitude": "1"},
    "Planar": {"x": "1", "y": "1"},
}
BULK = "workload w : traffic.Bulk on a { to = b }"
# Where the schema is used, with ATTRIBUTES in the place of its braces and what stands in them.
PLACES = {
    "Link": f"link x: a -- r {{ATTRIBUTES}}\n  {BULK}",
    "Queue": f"profile p : Queue {{ATTRIBUTES}}\n  link x: a -- r {{ rate = 10 Mbps, queue = p }}\n  {BULK}",
    "Tcp": f"profile p : Tcp {{ATTRIBUTES}}\n  host c {{ tcp = p }}\n  link y: c -- r {{ rate = 10 Mbps }}\n"
           "  workload w : traffic.Bulk on c { to = b }",
    "Server": "profile p : web.Server {ATTRIBUTES}\n  endpoint t { simulated = p }\n  link y: t -- r { rate = 10 Mbps }\n"
              "  workload w : web.ClosedLoop on a { server = t, documents = web.fixed(2 KB), think = 1 ms }",
    "Document": "profile p : web.Document {ATTRIBUTES}\n"
                "  workload w : web.ClosedLoop on a { server = s, documents = p, think = 1 ms }",
    "ProWGen": "profile p : web.ProWGen {ATTRIBUTES}\n"
               "  workload w : web.ClosedLoop on a { server = s, documents = p, think = 1 ms }",
    "SpecWeb99": "profile p : web.SpecWeb99 {ATTRIBUTES}\n"
               "  workload w : web.ClosedLoop on a { server = s, documents = p, think = 1 ms }",
    "DocumentList": "profile p : web.DocumentList {ATTRIBUTES}\n"
                    "  workload w : web.ClosedLoop on a { server = s, documents = p, think = 1 ms }",
    "Replay": "workload w : web.Replay on a {ATTRIBUTES}",
    "ClosedLoop": "workload w : web.ClosedLoop on a {ATTRIBUTES}",
    "OpenLoop": "workload w : web.OpenLoop on a {ATTRIBUTES}",
    "Bulk": "workload w : traffic.Bulk on a {ATTRIBUTES}",
    "Flows": "workload w : traffic.Flows on a {ATTRIBUTES}",
    "Cbr": "workload w : traffic.Cbr on a {ATTRIBUTES}",
    "OnOff": "workload w : traffic.OnOff on a {ATTRIBUTES}",
    "Ping": "workload w : traffic.Ping on a {ATTRIBUTES}",
    "Run": f"run {{ATTRIBUTES}}\n  {BULK}",
    "Addressing": f"addressing {{ATTRIBUTES}}\n  {BULK}",
    "Routing": f"routing {{ATTRIBUTES}}\n  {BULK}",
    "Host": "host c {ATTRIBUTES}\n  link y: c -- r { rate = 10 Mbps }\n  workload w : traffic.Bulk on c { to = b }",
    "Router": f"router q {{ATTRIBUTES}}\n  link y: q -- r {{ rate = 10 Mbps }}\n  {BULK}",
    "Endpoint": f"endpoint t {{ATTRIBUTES}}\n  link y: t -- r {{ rate = 10 Mbps }}\n  {BULK}",
    "Geographic": f"profile p : Geographic {{ATTRIBUTES}}\n  router q {{ position = p }}\n  link y: q -- r {{ rate = 10 Mbps }}\n  {BULK}",
    "Planar": f"profile p : Planar {{ATTRIBUTES}}\n  router q {{ position = p }}\n  link y: q -- r {{ rate = 10 Mbps }}\n  {BULK}",
}
NOT_GIVEN = {"Workload", "Service", "Position", "Switch", "ComponentAddressing"}  # nothing of their own, or as another's

UNITS = {"time": "s", "size": "B", "rate": "bps", "length": "m"}
NUMBERS = ["0", "-1", "1", "0.5", "-0.0", "1e-9", "1e-308", "255", "65535", "65536", "2147483647", "2147483648",
           "4294967296", "9007199254740993", "9223372036854775808", "1e15", "1e18", "1e308", "(1e308 * 1e308)"]
QUANTITIES = [*NUMBERS, "3600", "3600000", "1048576", "1099511627776", "1e12"]
RATIOS = ["0", "1", "-0.1", "1.0000001", "1e-300", "0.999999999999", "(1e308 * 1e308)"]
WRONG = ["true", '"x"', "a", "10.0.0.1", "10.0.0.0/8", "[1, 2]", "nowhere", "web.fixed(1 KB)", "uniform(1, 2)", "self", ""]
DRAWN = ["uniform({0}0{1}, {0}1e300{1})", "exponential({0}1e-300{1})", "exponential({0}1e300{1})", "normal({0}0{1}, {0}1e300{1})",
         "normal({0}-1e9{1}, {0}1{1})", "pareto({0}1e-9{1}, 1e-6)", "pareto({0}1{1}, 1e-6)", "lognormal({0}1{1}, 1000)", "weibull({0}1{1}, 1e-6)",
         "weibull({0}1{1}, 1e6)", "zipf(9007199254740992, 0) * {0}1{1}", "zipf(1, 1e308) * {0}1{1}", "geometric(1e-300) * {0}1{1}",
         "if chance(0.5) then {0}1e-9{1} else {0}1e9{1}", "mixture([1e308, 1e308], [{0}1{1}, {0}2{1}])",
         "exponential({0}1e-6{1}) / exponential(1)", "{0}1{1} / (uniform(0, 1) - uniform(0, 1))", "exponential({0}1e-3{1})", "normal({0}1e-3{1}, {0}1e-3{1})"]


def attributes():
    """(schema, attribute, its type) of all that the library declares."""
    for path in sorted(STDLIB.rglob("*.anml")):
        text = re.sub(r"//.*", "", path.read_text())
        for schema, body in re.findall(r"^schema (\w+)[^{]*\{(.*?)^\}", text, re.M | re.S):
            for name, type in re.findall(r"^  (\w+): ((?:random )?\w+)", body, re.M):
                yield schema, name, type


def values(type):
    random, _, kind = type.rpartition(" ")
    unit = f" {UNITS[kind]}" if kind in UNITS else ""
    if kind in UNITS:
        found = [f"({n}){unit}" if n.startswith("(") else n + unit for n in QUANTITIES] + NUMBERS[:3]
        found = [re.sub(r"^\((.*)\)( \w+)$", r"(\1) * 1\2", v) for v in found]
    elif kind == "ratio":
        found = RATIOS + NUMBERS[6:12]
    elif kind in ("int", "number"):
        found = list(NUMBERS)
    elif kind == "bool":
        found = ["true", "false", "1", "0", "chance(0.5)"]
    elif kind == "string":
        found = ['""', '"/"', '"/../../x"', '"/%00"', '"/\\n"', '"/\\t"', '"/' + "x" * 70000 + '"', '"/ä"', '"/?#&%zz"', '"//"', '"/."']
    elif kind == "file":
        found = ['""', '"/"', '"."', '"/dev/zero"', '"/nowhere"', '"/proc/self/mem"', '"/etc/passwd"', '"x\\n"', '"' + "x" * 70000 + '"']
    elif kind == "node":
        found = ["a", "b", "r", "s", "none[*]", "[a, b]", "[]", "[b, b]"]
    elif kind == "address":
        found = ["0.0.0.0", "255.255.255.255", "127.0.0.1", "224.0.0.1", "10.0.0.1", "9.9.9.9", "256.1.1.1", "169.254.0.1", "10.0.0.0"]
    elif kind == "prefix":
        found = ["0.0.0.0/0", "10.0.0.0/32", "10.0.0.0/30", "10.0.0.0/31", "127.0.0.0/8", "224.0.0.0/4", "255.255.255.0/24", "10.0.0.1/24", "10.0.0.0/33"]
    elif kind == "Document":
        found = ["[]", "web.fixed(1 TB)", "[web.fixed(1 B), web.catalogue(100000, 1 KB)]", "web.catalogue(1, 0 B)"]
    else:
        found = ["none", "0", "tcp.linux", "web.server()", "droptail(1 B)", "droptail(packets = 1)", "ether.fast"]
    if random:
        found += [d.format("", unit) for d in DRAWN]
    return found + WRONG


def model(schema, attribute, value):
    given = {**GIVEN.get(schema, {}), attribute: value}
    if attribute == "interval":
        given.pop("rate", None)
    lines = PLACES[schema].replace("{ATTRIBUTES}", "{ " + ", ".join(f"{n} = {v}" for n, v in given.items()) + " }")
    if "link x:" not in lines:
        lines += "\n  link x: a -- r { rate = 10 Mbps, delay = 1 ms }"
    if "run {" not in lines:
        lines += "\n  run { duration = 20 ms }"
    return f"""import std.ether
import std.tcp
import std.traffic
import std.web

model M {{
  host a
  host b
  host none[0]
  router r
  endpoint s {{ simulated = web.server() }}
  link rb: r -- b {{ rate = 10 Mbps }}
  link rs: r -- s {{ rate = 10 Mbps }}
  {lines}
}}
"""


def chosen():
    """What this run tries: all, or of each attribute every so many values, from another one on each time."""
    every = 1 if ALL else 9
    for number, (schema, attribute, type) in enumerate(attributes()):
        if schema in PLACES:
            for value in values(type)[number % every::every]:
                yield schema, attribute, value


def attack(case):
    """"" or what is wrong with how it ended."""
    with tempfile.TemporaryDirectory(prefix="anml-attack-") as folder:
        path, results = os.path.join(folder, "m.anml"), os.path.join(folder, "r.json")
        pathlib.Path(path).write_text(model(*case))
        tried = attempt([ANMLC, "run", path, "--", "--for", "20ms", "--results", results], memory=4 * GIB, seconds=60, cwd=folder,
                        env={**os.environ, "TMPDIR": folder})
        left = sorted(set(os.listdir(folder)) - {"m.anml"})
        if tried.fault:
            return tried.fault
        if tried.peak > 1024:
            return f"{tried.peak:.0f} MiB"
        if left != (["r.json"] if tried.status == 0 else []):
            return f"status {tried.status} and {left} left behind; {tried.said[:200]}"
        if tried.status == 0:
            json.loads(pathlib.Path(results).read_text(), parse_constant=lambda c: 1 / 0)  # no NaN, no Infinity
        return ""


class Attributes(unittest.TestCase):
    def test_every_schema_has_its_place(self):
        self.assertEqual({schema for schema, _, _ in attributes()} - set(PLACES) - NOT_GIVEN, set())

    def test_hostile_values(self):
        cases = list(chosen())
        self.assertGreater(len(cases), 150)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for case, wrong in zip(cases, pool.map(attack, cases)):
                with self.subTest(case=[part[:60] for part in case]):
                    self.assertEqual(wrong, "")


if __name__ == "__main__":
    unittest.main()
