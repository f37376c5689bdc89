"""Completion: what is offered at a place, what of it comes first, and what the text is with it; in all position encodings."""
import unittest

from client import LspTest, apply, offset, position
from test_capabilities import PARTS

# A body with names of each sort, closed or not.
BODY = """import std.ether
import std.traffic

component Office(hosts: int = 4) {
  host desk[hosts]
}
model M(far: time = 5 ms, count: int = 3) {
  host alpha
  host `top-1`
  Office office
  link wire: alpha -- office.desk[0] : ether.fast
  workload ask : traffic.Ping on alpha { to = office.desk[1] }
"""
RUN = "  run { duration = 1 s }\n}\n"


class Completion(LspTest):
    client = None
    path = "c.anml"

    def complete(self, text, before=""):
        """The labels offered at the bar in the text; `before`: what the server has seen when it is asked."""
        at = text.index("|")
        text = text.replace("|", "")
        client = self.client = self.client or self.start()
        uri = self.write(self.path, text)
        client.open(uri, before or text)
        if before:
            client.checked(uri)
            client.change(uri, {"text": text})
        found = client.at("completion", uri, position(text, at, self.encoding))
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.text = text
        self.items = {item["label"]: item for item in sorted(found["items"], key=lambda item: item["sortText"])}
        for item in found["items"]:
            self.assertLessEqual(offset(text, item["textEdit"]["range"]["start"], self.encoding), at)
        return list(self.items)

    def test_completion_of_attributes_with_their_types(self):
        names = self.complete("model M {\n  host a\n  host b\n  link w: a -- b { ra| }\n}\n")
        self.assertIn("rate", names)
        self.assertIn("rate: rate in 1 bps", self.items["rate"]["detail"])
        self.assertIn("Bits per second", self.items["rate"]["documentation"]["value"])
        self.assertEqual(self.items["rate"]["textEdit"]["newText"], "rate = ")
        self.assertIn("duration", self.complete("model M {\n  run { | }\n}\n"))
        self.assertIn("address", self.complete("model M {\n  host a { | }\n}\n"))
        self.assertIn("label_size", self.complete("model M {\n  router a\n  router b\n  route a to b via [b] { l| }\n}\n"))
        self.assertIn("think", self.complete(
            "import std.web\nmodel M {\n  host a\n  workload w : web.ClosedLoop on a {\n    |\n  }\n}\n"))

    def test_completion_of_units(self):
        text = "model M {\n  host a\n  host b\n  link w: a -- b { rate = 10 M| }\n}\n"
        self.assertEqual(self.complete(text), ["Mbps", "Mbit/s"])  # MB is no rate
        self.assertIn("ms", self.complete("model M {\n  let x = 10 m|\n}\n"))

    def test_completion_of_names(self):
        names = self.complete("model M(size_of_it: int = 3) {\n  host client[4]\n  let some = s|\n}\n")
        self.assertIn("size_of_it", names)
        self.assertIn("sum", names)
        self.assertIn("int = 3", self.items["size_of_it"]["detail"])
        names = self.complete("component Lan {\n  host a\n}\nmodel M {\n  L|\n}\n")
        self.assertIn("Lan", names)
        self.assertIn("ether", self.complete("import std.ether\nmodel M {\n  host a\n  host b\n  link w: a -- b : e|\n}\n"))

    def test_completion_behind_a_dot(self):
        self.assertIn("gigabit", self.complete(
            "import std.ether\nmodel M {\n  host a\n  host b\n  link w: a -- b : ether.|\n}\n"))
        self.assertIn("lan", self.complete(
            "component Lan {\n  switch lan\n}\nmodel M {\n  Lan net[2]\n  host b\n  link w: b -- net[0].|\n}\n"))
        self.assertIn("cubic", self.complete("model M {\n  host a\n  let c = Congestion.c|\n}\n"))

    def test_completion_of_keywords_and_values(self):
        self.assertIn("component", self.complete("com|"))
        self.assertIn("workload", self.complete("model M {\n  w|\n}\n"))
        names = self.complete("profile p : Tcp {\n  congestion = |\n}\n")
        self.assertIn("cubic", names)
        self.assertEqual(min(self.items.values(), key=lambda i: i["sortText"])["sortText"][0], "0")
        self.assertIn("std.web", self.complete("import |\n"))

    def test_completion_of_arguments(self):
        names = self.complete("component Lan(hosts: int = 4) {\n  host a[hosts]\n}\nmodel M {\n  Lan net(h|)\n}\n")
        self.assertIn("hosts", names)
        self.assertEqual(self.items["hosts"]["textEdit"]["newText"], "hosts = ")

    def test_nothing_is_completed_in_comments_and_texts(self):
        self.assertEqual(self.complete("model M { // ho|\n}\n"), [])
        self.assertEqual(self.complete('model M {\n  require true else "ho|"\n}\n'), [])

    def test_requests_of_a_file(self):
        """Their names, where a measure wants one; what was typed is replaced, and nothing else is offered between quotes."""
        self.write("shop.http", "### login\nPOST /login\n\n### check out\nGET /x\n\n### look \\\nGET /y\n\n###\nGET /z\n")
        body = 'import std.web\nmodel M {\n  host a\n  endpoint b { simulated = web.server() }\n  link a -- b { rate = 1 Mbps }\n' \
               '  workload shop : web.ClosedLoop on a { server = b, documents = web.requests("shop.http") }\n  workload plain : web.ClosedLoop on a { server = b, documents = web.fixed(1 KB) }\n'
        self.assertEqual(self.complete(body + '  require p95(shop, "|") < 1 s\n' + RUN), ["GET /z", "check out", "login"])
        self.assertEqual(self.items["login"]["detail"], "a request of shop.http")
        self.assertEqual(self.complete(body + '  require p95(shop, "chat|") < 1 s\n' + RUN), ["check out"])
        self.assertIn('p95(shop, "check out") < 1 s', self.with_it("check out"))
        for none in ('p95(plain, "|")', 'p95("|")', 'p95(nothing, "|")'):
            self.assertEqual(self.complete(body + f"  require {none} < 1 s\n" + RUN), [])

    def test_completion_right_after_a_change(self):
        before = "model M {\n  host a\n  host b\n  link w: a -- b { rate = 1 Mbps }\n}\n"
        self.assertIn("delay", self.complete(before.replace("1 Mbps }", "1 Mbps, d| }"), before))

    # --- modules

    def module_names(self, text):
        return [item["detail"].removeprefix("module ") for item in (self.complete(text), self.items)[1].values()]

    def with_it(self, label):
        """The text in which the item was chosen."""
        return apply(self.text, [self.items[label]["textEdit"]], self.encoding)

    def test_modules_behind_a_dot(self):
        for text in ("import std.|", "import std.|\nmodel M {\n  host a\n}\n", "import std.e|\n"):
            with self.subTest(text=text):
                self.assertIn("std.ether", self.module_names(text))
                self.assertEqual(self.with_it("ether").split("\n")[0], "import std.ether")
                self.assertIn("Ethernet by its speed", self.items["ether"]["documentation"]["value"])
        self.assertIn("std.ether", self.complete("import s|\n"))
        self.assertEqual(self.with_it("std.ether"), "import std.ether\n")
        self.assertEqual(self.complete("import std.nowhere.|\n"), [])
        self.assertEqual(self.complete("import std.ether |\n"), ["as"])

    def test_modules_of_packages_and_beside_the_file(self):
        for name, needs in (("lib", ""), ("far", ""), ("main", 'lib = { path = "../lib" }\n')):
            self.write(f"{name}/anml.toml", f'[package]\nname = "{name}"\nversion = "0.1.0"\n[dependencies]\n{needs}')
        self.write("lib/src/lib.anml", "/// All of it.\nedition 1\n" + PARTS)
        self.write("lib/src/small/parts.anml", "/// In a street.\n\n" + PARTS)
        self.write("far/src/away.anml", PARTS)
        self.write("main/src/own.anml", PARTS)
        self.write("main/examples/beside.anml", PARTS)
        self.path = "main/examples/town.anml"
        names = self.module_names("import |\n")
        self.assertLessEqual({"std.web", "beside", "own", "main.own", "lib", "lib.small", "lib.small.parts"}, set(names))
        self.assertEqual([n for n in names if "away" in n or "far" in n or "town" in n], [])
        self.assertEqual(self.items["lib"]["documentation"]["value"], "All of it.")
        self.assertEqual(self.module_names("import l|\n"), ["lib", "lib.lib", "lib.small", "lib.small.parts"])
        self.assertEqual(self.module_names("import lib.small.|\nimport std.web\n"), ["lib.small.parts"])
        self.assertEqual(self.with_it("parts"), "import lib.small.parts\nimport std.web\n")
        self.assertEqual(self.items["parts"]["documentation"]["value"], "In a street.")

    # --- what fits

    def first(self, text, count=1):
        return self.complete(text)[:count]

    def test_units_behind_a_blank(self):
        for text, there, missing in (
                (BODY + "  link w: alpha -- `top-1` { rate = 10 | }\n" + RUN, "Mbps", "ms"),
                (BODY + "  link w: alpha -- `top-1` { rate = 10 |\n  }\n" + RUN, "Mbps", "ms"),
                (BODY + "  require rtt(alpha, `top-1`) < 10 |\n" + RUN, "ms", "Mbps"),
                (BODY + "  at 5 | { wire down }\n" + RUN, "ms", "Mbps"),
                (BODY + "  let q = droptail(64 |)\n" + RUN, "KB", "ms"),
                ("model M(n: time = 1 |) {\n" + RUN, "ms", "Mbps"), ("model M(n: time in 1 | .. 3 s = 2 s) {\n" + RUN, "ms", "B"),
                (BODY + RUN + "experiment e : M {\n  vary far in [1 ms, 2 |]\n}\n", "ms", "B")):
            with self.subTest(text=text[-60:]):
                names = self.complete(text)
                self.assertIn(there, names)
                self.assertNotIn(missing, names)
                self.assertEqual({item["kind"] for item in self.items.values()}, {11})
                self.assertIn(f" {there}", self.with_it(there))
        self.assertEqual(self.complete("model M {\n  for i in 0 .. 4 |\n}\n"), [])
        self.assertNotIn("ms", self.complete("profile p : Link {\n  rate = 10\n  |\n}\n"))  # another line

    def test_types(self):
        self.assertEqual(self.first("model M(n: ti|) {\n" + RUN), ["time"])
        self.assertEqual(self.first("component C(n: i|"), ["int"])
        self.assertEqual(self.first("function f(n: int): ra|"), ["rate"])
        self.assertEqual(self.first("schema S {\n  x: in|\n}\n"), ["int"])
        names = self.complete("import std.web\nmodel M(n: |) {\n" + RUN)
        self.assertLess(names.index("time"), names.index("Link"))
        self.assertLess(names.index("Link"), names.index("web"))
        self.assertEqual(self.complete("model M(|) {\n" + RUN), ["tunable"])

    def test_what_is_extended(self):
        self.assertEqual(self.complete(BODY + RUN + "experiment e : |"), ["M"])
        self.assertEqual(self.complete(BODY + RUN + "experiment e : M| {\n}\n"), ["M"])
        self.assertEqual(self.complete("component Alpha {\n}\ncomponent Beta : |{\n}\n"), ["Alpha"])
        self.assertEqual(self.complete("component A {\n  host hosty\n}\ncomponent B : A {\n  override ho|\n}\n"), ["hosty"])
        self.assertEqual(self.complete(BODY + "  Office other {\n    override |\n  }\n" + RUN), ["desk"])
        self.assertIn("Link", self.complete("profile p : |"))
        self.assertNotIn("AsRelation", self.items)

    def test_experiments(self):
        start = BODY + RUN + "experiment e : M {\n"
        self.assertEqual(self.complete(start + "  vary co|\n}\n"), ["count"])
        self.assertEqual(self.complete(start + "  search |\n}\n"), ["count", "far"])
        self.assertEqual(self.complete(start + "  me|\n}\n"), ["measure"])
        self.assertIn("shown of each run", self.items["measure"]["documentation"]["value"])
        self.assertEqual(self.first(start + "  |\n}\n", 6), ["measure", "override", "require", "run", "search", "vary"])
        self.assertIn("p99", self.complete(start + "  measure |\n}\n"))
        self.assertNotIn("rtt", self.items)

    def test_the_timeline(self):
        self.assertEqual(self.complete(BODY + "  at 5 s { | }\n" + RUN), ["alpha", "ask", "top-1", "wire", "office", "require"])
        self.assertEqual(self.complete(BODY + "  at 5 s { wire do| }\n" + RUN), ["down"])
        self.assertEqual(self.complete(BODY + "  at 5 s { ask | }\n" + RUN), ["off", "on"])
        names = self.complete(BODY + "  at 5 s { wire { | } }\n" + RUN)
        self.assertIn("rate", names)
        self.assertNotIn("mtu", names)  # which never changes

    def test_what_fits_the_type_comes_first(self):
        names = self.complete(BODY + "  workload w : |\n" + RUN)
        self.assertEqual(names[:2], ["traffic", "traffic.Background"])
        self.assertIn("traffic.Ping", names)
        self.assertEqual([n for n in names if not n.startswith("traffic")], [])
        self.assertIn("w : traffic.Ping\n", self.with_it("traffic.Ping"))
        names = self.complete(BODY + "  link a: alpha -- `top-1` : |\n" + RUN)
        self.assertEqual(names[:2], ["ether", "ether.fast"])
        self.assertFalse({"alpha", "wire", "ask", "rtt", "AsRelation", "fibre_delay"} & set(names))
        ends = ["alpha", "top-1", "office"]
        for text in ("  link k: |", "  link k: alpha -- |", "  workload w : traffic.Ping on |", "  workload w : traffic.Ping on alpha { to = | }",
                     "  require rtt(alpha, |)"):
            with self.subTest(text=text):
                self.assertEqual(self.complete(BODY + text + "\n" + RUN), ends)
        self.assertEqual(self.complete(BODY + "  require p99(|)\n" + RUN), ["ask", "office"])
        self.assertEqual(self.first(BODY + "  let n = floor(far / 1 ms)\n  Office b(hosts = |)\n" + RUN), ["count"])
        for text in ("  host |", "  let |", "  link l: alpha -- `top-1` { rate = 1 Mbps | }"):  # a new name, or nothing
            self.assertEqual(self.complete(BODY + text + "\n" + RUN), [], text)
        self.assertNotIn("rtt", self.complete(BODY + "  link l: alpha -- `top-1` { delay = | }\n" + RUN))  # in `require` only

    # --- unfinished text

    def test_bodies_that_are_not_closed(self):
        for text in ("  link alpha -- |", "  workload w : traffic.Ping on |", "  workload w : traffic.Ping on alpha { to = |",
                     "  require rtt(alpha, |"):
            for end in ("", "\n", "\n\ncomponent Other {\n  host z\n}\n"):
                with self.subTest(text=text, end=end):
                    names = self.complete(BODY + text + end)
                    self.assertLessEqual({"alpha", "top-1"}, set(names))
                    self.assertNotIn("z", names)
        # Behind a body that is closed its names are not there.
        self.assertNotIn("alpha", self.complete(BODY + RUN + "\nfunction f(n: int): int = |"))

    def test_names_between_backquotes(self):
        for typed in ("`to|", "`to|`", "`to|p-1`", "`|", "`|`"):
            with self.subTest(typed=typed):
                names = self.complete(BODY + f"  link k: alpha -- {typed}\n" + RUN)
                self.assertIn("top-1", names)
                self.assertNotIn("if", names)
                self.assertIn("  link k: alpha -- `top-1`\n", self.with_it("top-1"))
                self.assertEqual(self.items["top-1"]["filterText"], "`top-1`")
        self.complete(BODY + "  link k: `to| -- `top-1`\n" + RUN)
        self.assertIn("  link k: `top-1` -- `top-1`\n", self.with_it("top-1"))
        self.assertIn("alpha", self.complete(BODY + "  link k: /* ` */ al|\n" + RUN))

    # --- documentation

    def test_functions_and_keywords_have_documentation(self):
        for text, name, said in (("  require rt|", "rtt", "propagation there and back"),
                                 ("  require reach|", "reachable", "whether there is a way there and one back"),
                                 ("  let x = ro|", "round", "a multiple of the step"), ("  require p9|", "p99", "percentiles"),
                                 ("  ro|", "router", "decrements the time to live"), ("  e|", "every", "every period [from time]")):
            self.complete(BODY + text + "\n" + RUN)
            self.assertIn(said, self.items[name]["documentation"]["value"])
        self.complete("co|")
        self.assertIn("part of a network", self.items["component"]["documentation"]["value"])
        for text in ("  require |\n", "  |\n"):  # none is without
            self.complete(BODY + text + RUN)
            bare = [n for n, item in self.items.items() if item["kind"] in (3, 14) and "documentation" not in item]
            self.assertEqual([n for n in bare if n not in ("true", "false", "self")], [])


class CompletionUtf16(Completion):
    encoding = "utf-16"


if __name__ == "__main__":
    unittest.main()
