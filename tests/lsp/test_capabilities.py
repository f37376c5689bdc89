"""Each capability of the server, asked for by a client, in all position encodings."""
import pathlib
import subprocess
import unittest

from client import ANMLC, LspTest, ServerError, apply, of_check, offset, place, position

PARTS = """/// What stands in a street.
component Lan(
  /// How many.
  hosts: int in 1 .. 64 = 4,
) {
  router gateway
  host client[hosts]
  link edge: client[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
}
"""
# The flag is a code point beyond the basic plane: four bytes, two UTF-16 units.
MAIN = """import parts
import std.ether

/// The town.
model Town(tunable far: time in 1 ms .. 50 ms = 5 ms) {
  /* \U0001F6A9 */ parts.Lan net[2](hosts = 3) /* \U0001F6A9\U0001F6A9 */ host server
  let twice = far * 2
  link up: net[0].gateway -- net[1].gateway { rate = 10 Mbps, delay = far }
  link down: net[1].gateway -- server : ether.gigabit { delay = twice }
  require rtt(net[0].client[0], server) < 100 ms else "\U0001F6A9 too far"
  run { duration = 1 s }
}
"""


class Capabilities(LspTest):
    def town(self, **options):
        client = self.start(folders=[self.folder], **options)
        self.parts = self.write("parts.anml", PARTS)
        self.uri = self.write("town.anml", MAIN)
        client.open(self.uri, MAIN)
        self.said = client.checked(self.uri)
        return client

    def of(self, mark, **more):
        return place(MAIN, mark, self.encoding, **more)

    def covered(self, text, span):
        return text[offset(text, span["start"], self.encoding):offset(text, span["end"], self.encoding)]

    # --- names

    def test_encoding_is_what_was_agreed(self):
        self.town()
        self.assertEqual(self.initialized["capabilities"]["positionEncoding"], self.encoding)
        self.assertEqual(self.said, [])

    def test_modules_of_packages(self):
        for name, needs in (("lib", ""), ("main", 'lib = { path = "../lib" }\n')):
            (self.folder / name / "src").mkdir(parents=True)
            self.write(f"{name}/anml.toml", f'[package]\nname = "{name}"\nversion = "0.1.0"\n[dependencies]\n{needs}')
        parts = self.write("lib/src/parts.anml", PARTS)
        text = MAIN.replace("import parts", "import lib.parts")
        client = self.start(folders=[self.folder])
        uri = self.write("main/town.anml", text)
        client.open(uri, text)
        self.assertEqual(client.checked(uri), [])
        found = client.at("definition", uri, place(text, "Lan net", self.encoding))
        self.assertEqual(found["uri"], parts)

    def test_definition_in_the_file_and_in_another(self):
        client = self.town()
        found = client.at("definition", self.uri, self.of("twice }"))
        self.assertEqual(found["uri"], self.uri)
        self.assertEqual(self.covered(MAIN, found["range"]), "twice")
        self.assertEqual(found["range"]["start"], self.of("twice = far"))
        found = client.at("definition", self.uri, self.of("server :"))
        self.assertEqual(found["range"]["start"], self.of("server\n"))
        found = client.at("definition", self.uri, self.of("Lan net"))
        self.assertEqual((found["uri"], self.covered(PARTS, found["range"])), (self.parts, "Lan"))
        found = client.at("definition", self.uri, self.of("parts\n"))
        self.assertEqual((found["uri"], found["range"]["start"]["line"]), (self.parts, 0))
        self.assertIsNone(client.at("definition", self.uri, self.of("10 Mbps")))

    def test_definition_in_the_library_is_a_file_that_can_be_read(self):
        client = self.town()
        found = client.at("definition", self.uri, self.of("gigabit"))
        text = pathlib.Path(found["uri"].removeprefix("file://")).read_text()
        self.assertEqual(self.covered(text, found["range"]), "gigabit")
        client.open(found["uri"], text)  # and opened: it is no model, and nothing is wrong with it
        self.assertIsNotNone(client.at("hover", found["uri"], found["range"]["start"]))

    def test_references_in_all_files(self):
        client = self.town()
        found = client.at("references", self.uri, self.of("far:"), context={"includeDeclaration": True})
        self.assertEqual(sorted(self.covered(MAIN, f["range"]) for f in found), ["far"] * 3)
        without = client.at("references", self.uri, self.of("far:"), context={"includeDeclaration": False})
        self.assertEqual(len(without), 2)
        found = client.at("references", self.uri, self.of("gateway --"), context={"includeDeclaration": True})
        self.assertEqual(sorted(pathlib.Path(f["uri"]).name for f in found),
                         ["parts.anml", "parts.anml", "town.anml", "town.anml", "town.anml"])
        # Asked in the module, those of the file that imports it, which is not open, are found too.
        other = self.start(folders=[self.folder])
        other.open(self.parts, PARTS)
        found = other.at("references", self.parts, place(PARTS, "gateway", self.encoding), context={"includeDeclaration": True})
        self.assertEqual(len(found), 5)

    def test_document_highlight(self):
        client = self.town()
        found = client.at("documentHighlight", self.uri, self.of("server\n"))
        self.assertEqual([f["kind"] for f in sorted(found, key=lambda f: f["range"]["start"]["line"])], [3, 2, 2])

    def test_rename_across_files(self):
        client = self.town()
        where = self.of("gateway --")
        prepared = client.at("prepareRename", self.uri, where)
        self.assertEqual(prepared["placeholder"], "gateway")
        changes = client.at("rename", self.uri, where, newName="core")["changes"]
        self.assertEqual(apply(PARTS, changes[self.parts], self.encoding), PARTS.replace("gateway", "core"))
        self.assertEqual(apply(MAIN, changes[self.uri], self.encoding), MAIN.replace("gateway", "core"))
        # A keyword stands between backquotes.
        changes = client.at("rename", self.uri, where, newName="host")["changes"]
        self.assertEqual(apply(PARTS, changes[self.parts], self.encoding), PARTS.replace("gateway", "`host`"))

    def test_rename_refuses_what_changes_the_meaning(self):
        client = self.town()
        for mark, name in [("far:", "twice"), ("twice =", "server"), ("gigabit", "mine"), ("parts\n", "mine"),
                           ("far:", "1x"), ("far:", "")]:
            with self.subTest(mark=mark, name=name), self.assertRaises(ServerError):
                client.at("rename", self.uri, self.of(mark), newName=name)
        with self.assertRaises(ServerError):
            client.at("prepareRename", self.uri, self.of("10 Mbps"))

    # --- hover

    def hover(self, client, mark, **more):
        found = client.at("hover", self.uri, self.of(mark, **more))
        self.assertEqual(found["contents"]["kind"], "markdown")
        return found["contents"]["value"]

    def test_hover_says_type_value_range_and_origin(self):
        client = self.town()
        text = self.hover(client, "far * 2")
        self.assertIn("tunable far: time in 1 ms .. 50 ms = 5 ms", text)
        self.assertIn("type: time", text)
        self.assertIn("value: 5 ms, by default", text)
        self.assertIn("value: 10 ms", self.hover(client, "twice }"))
        text = self.hover(client, "Lan net")
        self.assertIn("component Lan(", text)
        self.assertIn("What stands in a street.", text)
        self.assertIn("of the file `parts.anml`", text)
        text = self.hover(client, "duration")
        self.assertIn("duration: time", text)
        self.assertIn("`std.prelude`", text)
        self.assertIn("time: 100 ms", self.hover(client, "100 ms"))
        text = self.hover(client, "rtt(")
        self.assertIn("rtt(node, node)", text)
        self.assertIn("propagation there and back", text)
        self.assertIn("Ethernet by its speed", self.hover(client, "ether\n"))
        self.assertIn("States what must hold", self.hover(client, "require"))

    def test_hover_shows_the_network(self):
        client = self.town()
        self.assertRegex(self.hover(client, "server\n"), r"`server`: 10\.\d+\.\d+\.\d+")
        text = self.hover(client, "up: net")
        self.assertIn("10 Mbps, 5 ms one way", text)
        self.assertIn("bandwidth-delay product 6.104 KB", text)  # 10 Mbps * 5 ms = 6250 B
        # 2 * (1 ms + 5 ms + 10 ms)
        self.assertIn("`rtt` from `net[0].client[0]` to `server`: 32 ms", self.hover(client, "rtt("))

    def test_hover_on_nothing(self):
        client = self.town()
        self.assertIsNone(client.at("hover", self.uri, self.of("{ rate")))

    # --- symbols

    def test_document_symbols(self):
        client = self.town()
        found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": self.uri}})
        self.assertEqual([s["name"] for s in found], ["Town"])
        inside = {s["name"]: s for s in found[0]["children"]}
        self.assertEqual(list(inside), ["far", "net", "server", "twice", "up", "down"])
        for name, symbol in inside.items():
            self.assertEqual(self.covered(MAIN, symbol["selectionRange"]), name)
            self.assertIn(name, self.covered(MAIN, symbol["range"]))

    def test_flat_symbols_for_clients_that_know_no_others(self):
        client = self.start(textDocument={})
        uri = self.write("parts.anml", PARTS)
        client.open(uri, PARTS)
        found = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        self.assertEqual([(s["name"], s.get("containerName")) for s in found],
                         [("Lan", None), ("hosts", "Lan"), ("gateway", "Lan"), ("client", "Lan"), ("edge", "Lan")])

    def test_workspace_symbols(self):
        client = self.town()
        found = client.request("workspace/symbol", {"query": "gtw"})
        self.assertEqual([(s["name"], s["location"]["uri"]) for s in found], [("gateway", self.parts)])
        names = {s["name"] for s in client.request("workspace/symbol", {"query": ""})}
        self.assertLessEqual({"Town", "Lan", "client"}, names)

    # --- signatures

    def help_with(self, text):
        at = text.index("|")
        text = text.replace("|", "")
        client = self.start()
        uri = self.write("s.anml", text)
        client.open(uri, text)
        found = client.at("signatureHelp", uri, position(text, at, self.encoding))
        if found is None:
            return None
        signature = found["signatures"][found["activeSignature"]]
        return signature["label"], signature["parameters"][found["activeParameter"]]["label"]

    def test_signature_help(self):
        component = "component Lan(hosts: int = 4, wire: time = 1 ms) {\n  host a[hosts]\n}\n"
        label, parameter = self.help_with(component + "model M {\n  Lan net(3, |)\n}\n")
        self.assertEqual(label, "Lan(hosts: int = 4, wire: time = 1 ms)")
        self.assertEqual(parameter, "wire: time = 1 ms")
        self.assertEqual(self.help_with(component + "model M {\n  Lan net[2](wire = |)\n}\n")[1], "wire: time = 1 ms")
        self.assertEqual(self.help_with("model M {\n  let a = floor(3 ms, |)\n}\n"), ("floor(a, step)", "step"))
        self.assertEqual(self.help_with("function f(a: time): time = a\nmodel M {\n  let a = f(|)\n}\n"),
                         ("f(a: time)", "a: time"))
        self.assertIsNone(self.help_with("model M {\n  |\n}\n"))

    # --- formatting

    UGLY = 'model   M {\n  host a\n   host bb { address=10.0.0.1 }  // \U0001F6A9\n  link w:a -- bb {rate=1 Mbps}\n}\n'

    def formatted(self, text):
        return subprocess.run([ANMLC, "fmt", "-"], input=text, capture_output=True, text=True, check=True).stdout

    def test_formatting_is_what_fmt_writes(self):
        client = self.start()
        for path in sorted(pathlib.Path(__file__).parents[2].glob("examples/*/*.anml"))[:12] + [None]:
            text = self.UGLY if path is None else path.read_text().replace(" = ", "=").replace("\n\n", "\n\n\n")
            uri = self.write("f.anml", text)
            client.open(uri, text)
            edits = client.request("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": True}})
            self.assertEqual(apply(text, edits, self.encoding), self.formatted(text), path)
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def test_formatting_of_a_range_leaves_other_lines(self):
        client = self.start()
        uri = self.write("f.anml", self.UGLY)
        client.open(uri, self.UGLY)
        edits = client.request("textDocument/rangeFormatting", {
            "textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": True},
            "range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 5}}})
        lines = apply(self.UGLY, edits, self.encoding).splitlines()
        self.assertEqual(lines[0], self.UGLY.splitlines()[0])
        self.assertEqual(lines[3], self.formatted(self.UGLY).splitlines()[3])

    def test_formatting_on_type(self):
        client = self.start()
        uri = self.write("f.anml", self.UGLY)
        client.open(uri, self.UGLY)
        where = place(self.UGLY, "rate=1 Mbps}", self.encoding, after=True)
        edits = client.at("onTypeFormatting", uri, where, ch="}", options={"tabSize": 2, "insertSpaces": True})
        lines = apply(self.UGLY, edits, self.encoding).splitlines()
        self.assertEqual(lines[3], self.formatted(self.UGLY).splitlines()[3])
        self.assertEqual(lines[0], self.UGLY.splitlines()[0])
        edits = client.at("onTypeFormatting", uri, {"line": 1, "character": 0}, ch="\n", options={"tabSize": 2, "insertSpaces": True})
        self.assertTrue(all(e["range"]["start"]["line"] == 0 for e in edits) and edits)

    # `|` is the cursor behind Enter, and what the text is then.
    ENTER = [
        ("model M {\n  |\n}\n", "model M {\n  |\n}\n"),
        ("model M {\n|\n}\n", "model M {\n  |\n}\n"),
        ("model M {\n  host   a\n  |\n}\n", "model M {\n  host a\n  |\n}\n"),
        ("model M {\nhost a\n|host b\n}\n", "model M {\n  host a\n  |host b\n}\n"),
        ("model M {\n  host a\n    |}\n", "model M {\n  host a\n|}\n"),
        ("model M {\n  host a\n  host b\n  link a -- b {\n    rate = 1   Mbps,\n|\n  }\n}\n", "model M {\n  host a\n  host b\n  link a -- b {\n    rate = 1 Mbps,\n    |\n  }\n}\n"),
        ("model M {\n  host a\n  host b\n  link a -- b {\n    |\n  }\n}\n", "model M {\n  host a\n  host b\n  link a -- b {\n    |\n  }\n}\n"),
        ("component C(\n  n: int = 3,\n|\n) {\n  host a\n}\n", "component C(\n  n: int = 3,\n  |\n) {\n  host a\n}\n"),
        ("model M {\n  host a\n  \n  |\n  host b\n}\n", "model M {\n  host a\n\n  |\n  host b\n}\n"),
        ("model M {\r\n  host   a\r\n|\r\n}\r\n", "model M {\r\n  host a\r\n  |\r\n}\r\n"),
        ("model M {\n  host   a  // here\n|\n}\n", "model M {\n  host a  // here\n  |\n}\n"),
        ("model M {\n  host a {\n|\n", "model M {\n  host a {\n|\n"),
    ]

    def test_enter_is_not_undone(self):
        client = self.start()
        uri = self.write("enter.anml", "")
        client.open(uri, "")
        for before, after in self.ENTER:
            text = before.replace("|", "")
            client.change(uri, {"text": text})
            where = place(before, "|", self.encoding)
            edits = client.at("onTypeFormatting", uri, where, ch="\n", options={"tabSize": 2, "insertSpaces": True})
            self.assertEqual(apply(text, edits, self.encoding), after.replace("|", ""), before)

    def test_a_text_with_errors_is_not_formatted(self):
        client = self.start()
        uri = self.write("f.anml", "model M {")
        client.open(uri, "model   M {")
        self.assertEqual(client.request("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}}), [])

    # --- the text's shape

    def test_semantic_tokens(self):
        client = self.town()
        legend = self.initialized["capabilities"]["semanticTokensProvider"]["legend"]
        data = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": self.uri}})["data"]
        line = character = 0
        found = {}
        for i in range(0, len(data), 5):
            lines, characters, length, kind, modifiers = data[i:i + 5]
            character = characters + (character if lines == 0 else 0)
            line += lines
            span = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + length}}
            kinds = [m for b, m in enumerate(legend["tokenModifiers"]) if modifiers >> b & 1]
            found.setdefault(self.covered(MAIN, span), (legend["tokenTypes"][kind], kinds))
        for word, meaning in {"import": ("keyword", []), "Town": ("class", ["declaration"]), "Lan": ("class", []),
                              "far": ("parameter", ["declaration"]), "server": ("variable", ["declaration"]),
                              "gigabit": ("function", ["defaultLibrary"]), "rate": ("property", ["defaultLibrary"]),
                              "10 Mbps": ("number", []), "/// The town.": ("comment", ["documentation"]),
                              '"\U0001F6A9 too far"': ("string", []), "rtt": ("function", ["defaultLibrary"])}.items():
            self.assertEqual(found.get(word), meaning, word)
        part = client.request("textDocument/semanticTokens/range", {
            "textDocument": {"uri": self.uri}, "range": {"start": self.of("let"), "end": self.of("far * 2", after=True)}})
        self.assertEqual(len(part["data"]) // 5, 4)  # let twice far 2

    def test_folding_ranges(self):
        client = self.town()
        found = client.request("textDocument/foldingRange", {"textDocument": {"uri": self.uri}})
        self.assertIn({"startLine": 0, "endLine": 1, "kind": "imports"}, found)
        self.assertIn({"startLine": 4, "endLine": 10}, found)

    def test_selection_ranges(self):
        client = self.town()
        found = client.request("textDocument/selectionRange", {"textDocument": {"uri": self.uri}, "positions": [self.of("far * 2")]})
        texts = []
        while found and (one := found[0] if isinstance(found, list) else found):
            texts.append(self.covered(MAIN, one["range"]))
            found = one.get("parent")
        self.assertEqual(texts[:3], ["far", "far * 2", "let twice = far * 2"])
        self.assertEqual(texts[-1], MAIN)

    # --- what is shown beside the text

    def test_inlay_hints(self):
        text = PARTS + "model M {\n  Lan net(3)\n  let a = 1 ms + 2 ms\n  host server\n  require hops(server, server) < 1\n  run { duration = 1 s }\n}\n"
        client = self.start()
        uri = self.write("h.anml", text)
        client.open(uri, text)
        client.checked(uri)
        found = client.request("textDocument/inlayHint", {
            "textDocument": {"uri": uri},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}})
        labels = {hint["label"]: hint for hint in found}
        self.assertEqual(labels["hosts ="]["position"], place(text, "3)", self.encoding))
        self.assertEqual(labels[" = 3 ms"]["position"], place(text, "2 ms", self.encoding, after=True))
        self.assertTrue(any(label.startswith(": 10.") and ".." not in label for label in labels), labels)
        self.assertTrue(any(" .. " in label for label in labels), labels)  # the addresses of three clients

    def test_code_lenses(self):
        client = self.start()
        text = "model M(n: int = 1) {\n  host a[n]\n  run { duration = 1 s }\n}\nexperiment E : M {\n  vary n in [1, 2]\n}\n"
        uri = self.write("l.anml", text)
        client.open(uri, text)
        found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        self.assertEqual([(c["command"]["command"], c["command"]["arguments"][2]) for c in found],
                         [("anml.simulate", "M"), ("anml.graph", "M"), ("anml.experiment", "E")])

    def test_call_hierarchy_of_components(self):
        client = self.town()
        item, = client.at("prepareCallHierarchy", self.uri, self.of("Lan net"))
        self.assertEqual((item["name"], item["uri"]), ("Lan", self.parts))
        caller, = client.request("callHierarchy/incomingCalls", {"item": item})
        self.assertEqual(caller["from"]["name"], "Town")
        self.assertEqual([self.covered(MAIN, r) for r in caller["fromRanges"]], ["Lan"])
        called, = client.request("callHierarchy/outgoingCalls", {"item": caller["from"]})
        self.assertEqual(called["to"]["name"], "Lan")
        self.assertEqual(client.request("callHierarchy/outgoingCalls", {"item": item}), [])

    def test_graph_page(self):
        client = self.town()
        page = client.request("anml/graph", {"textDocument": {"uri": self.uri}})
        self.assertTrue(page["html"].startswith("<!"), page["html"][:40])
        self.assertIn("net[0].gateway", page["html"])
        places = {place["name"]: place for place in page["places"]}
        self.assertEqual(set(places), {"net", "server", *(f"net[{i}].{name}" for i in range(2) for name in ("gateway", "client"))})
        for name, (uri, text, mark) in {"net": (self.uri, MAIN, "net"), "server": (self.uri, MAIN, "server"),
                                        "net[1].client": (self.parts, PARTS, "client")}.items():
            self.assertEqual(places[name]["uri"], uri)
            self.assertEqual(self.covered(text, places[name]["range"]), mark)
        self.assertEqual(places["net"]["range"]["start"], self.of("net[2]"))
        used = {}  # by file and line
        for use in page["uses"]:
            text = self.covered(MAIN if use["uri"] == self.uri else PARTS, use["range"])
            used.setdefault((use["uri"], use["range"]["start"]["line"]), []).append((text, use["name"]))
        self.assertEqual({uri for uri, _ in used}, {self.uri, self.parts})
        first = MAIN[:MAIN.index("  /* \U0001F6A9")].count("\n")
        for line, names in ((first + 2, [("net", "net[0].gateway"), ("gateway", "net[0].gateway"), ("net", "net[1].gateway"), ("gateway", "net[1].gateway")]),
                            (first + 3, [("net", "net[1].gateway"), ("gateway", "net[1].gateway"), ("server", "server")]),
                            (first + 4, [("net", "net[0].gateway"), ("client", "net[0].client"), ("server", "server")])):
            self.assertEqual(used[self.uri, line], names)
        # In the component, whose instances have one text, the first one.
        inside = PARTS[:PARTS.index("link edge")].count("\n")
        self.assertEqual(used[self.parts, inside], [("client", "net[0].client"), ("gateway", "net[0].gateway")])
        client.change(self.uri, {"text": "model Town {"})
        with self.assertRaises(ServerError):
            client.request("anml/graph", {"textDocument": {"uri": self.uri}})

    # --- diagnostics and their remedies

    def published(self, client, uri, some):
        """What is said next of the file, as soon as it is something, or nothing."""
        return client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri
                            and bool(m["params"]["diagnostics"]) == some)["params"]["diagnostics"]

    def test_diagnostics_of_unsaved_files(self):
        client = self.town()
        client.open(self.parts, PARTS)
        client.checked(self.parts)
        client.unread.clear()
        client.change(self.parts, {"text": PARTS.replace("gateway", "core")})
        said = self.published(client, self.uri, True)
        self.assertEqual({self.covered(MAIN, d["range"]) for d in said}, {"gateway"})
        self.assertEqual((self.folder / "parts.anml").read_text(), PARTS)
        client.change(self.parts, {"text": PARTS.replace("router gateway", "router gateway gateway")})
        self.assertTrue(self.published(client, self.parts, True))
        # Closed, what is in the file counts again.
        client.unread.clear()
        client.notify("textDocument/didClose", {"textDocument": {"uri": self.parts}})
        self.published(client, self.uri, False)

    def test_errors_that_are_expected(self):
        text = "model M {\n  host a\n  link a -- nowhere { rate = 1 Mbps }  // expect: error(unknown-name)\n  run { duration = 1 s }\n}\n"
        late = ("import std.ether\nmodel M {\n  host a\n  host b\n  link a -- b : ether.gigabit\n  require hops(a, b) == 2  // expect: error(requirement-failed)\n"
                "  run { duration = 1 s }\n}\n")
        client = self.start()
        uri = self.write("errors.anml", text)
        client.open(uri, text)
        for right, name in ((text, "unknown-name"), (late, "requirement-failed")):
            client.change(uri, {"text": right})
            [said] = client.checked(uri)
            self.assertEqual((said["severity"], said["code"], said.get("data")), (3, name, None))
            self.assertTrue(said["message"].startswith("as expected: "), said)
        for mended in (text.replace("nowhere", "a"), late.replace("== 2", "== 1")):
            client.change(uri, {"text": mended})
            said = [d for d in client.checked(uri) if d["code"] == "unmet-expectation"]
            self.assertEqual([d["severity"] for d in said], [1])
        client.change(uri, {"text": text.replace("  // expect: error(unknown-name)", "")})
        self.assertEqual([d["severity"] for d in client.checked(uri)], [1])

    def test_files_that_are_watched(self):
        """Who can watch files is asked to; a dependency that comes into anml.toml while nobody types is there then."""
        app = self.folder / "app"
        for name, text in (("lib/anml.toml", '[package]\nname = "lib"\nversion = "0.1.0"\n'), ("lib/src/lib.anml", "pub component R {\n  host h\n}\n"),
                           ("app/anml.toml", '[package]\nname = "app"\nversion = "0.1.0"\n'), ("app/tests/t.anml", "import lib\nmodel T {\n  lib.R r\n  run { duration = 1 s }\n}\n")):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        client = self.start(workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
        asked = client.until(lambda m: m.get("method") == "client/registerCapability")
        client.send({"jsonrpc": "2.0", "id": asked["id"], "result": None})
        [registration] = asked["params"]["registrations"]
        self.assertEqual(registration["method"], "workspace/didChangeWatchedFiles")
        globs = {w["globPattern"] for w in registration["registerOptions"]["watchers"]}
        self.assertLessEqual({"**/*.anml", "**/anml.toml", "**/anml.lock"}, globs)
        uri = (app / "tests/t.anml").as_uri()
        client.open(uri, (app / "tests/t.anml").read_text())
        self.assertEqual([d["code"] for d in client.checked(uri)], ["unknown-import"])
        client.unread.clear()
        with (app / "anml.toml").open("a") as file:
            file.write('[dependencies]\nlib = { path = "../lib" }\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (app / "anml.toml").as_uri(), "type": 2}]})
        self.assertNotIn("unknown-import", {d["code"] for d in client.checked(uri)})

    def test_who_cannot_watch_is_not_asked(self):
        client = self.start()
        uri = self.write("m.anml", "model M {\n  host a\n}\n")
        client.open(uri, "model M {\n  host a\n}\n")
        client.checked(uri)
        self.assertEqual([m for m in client.unread if m.get("method") == "client/registerCapability"], [])

    def test_tables(self):
        text = ("schema Site {\n  far: time in 1 ms .. 1 s\n}\ntable sites(\"sites.csv\") : Site\nmodel M {\n  host server\n"
                "  for i, s in sites {\n    host h[i]\n    link l[i]: h[i] -- server { rate = 1 Mbps, delay = s.far }\n  }\n"
                "  run { duration = 1 s }\n}\n")
        client = self.start()
        uri = self.write("t.anml", text)
        table = self.write("sites.csv", "far\n1 ms\n2 ms\n")
        client.open(uri, text)
        self.assertEqual(client.checked(uri), [])
        self.assertIn("far: time", client.at("hover", uri, place(text, "far }", self.encoding))["contents"]["value"])
        for cells in ("1 ms\n2 h\n", "1 ms,3\n", ""):
            self.write("sites.csv", "far\n" + cells)
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": table, "type": 2}]})
            client.change(uri, {"text": text})
            client.checked(uri)
            self.assertEqual([d["code"] for d in client.published.get(table, []) + client.published[uri]],
                             [d["name"] for d in of_check(self.folder / "t.anml")], cells)

    def test_what_the_network_says(self):
        text = MAIN.replace("< 100 ms", "< 10 ms")
        client = self.start()
        self.write("parts.anml", PARTS)
        uri = self.write("t.anml", text)
        client.open(uri, text)
        said, = client.checked(uri)
        self.assertEqual(said["code"], "requirement-failed")
        self.assertEqual(self.covered(text, said["range"]), self.covered(text, said["range"]).strip())
        self.assertIn("\U0001F6A9 too far", said["message"])

    def test_lint_where_it_is_wanted(self):
        text = "model M {\n  host a\n  host b\n  let unused = 1\n  link w: a -- b { rate = 1 Mbps }\n  run { duration = 1 s }\n}\n"
        uri = self.write("l.anml", text)
        codes = {}
        for lint in (False, True):
            client = self.start(lint=lint)
            client.open(uri, text)
            codes[lint] = {d["code"] for d in client.checked(uri)}
        self.assertEqual(codes[False], {d["name"] for d in of_check(self.folder / "l.anml")})
        self.assertEqual(codes[True], {d["name"] for d in of_check(self.folder / "l.anml", "lint")} | codes[False])
        self.assertIn("unused-declaration", codes[True])

    def test_code_actions_mend(self):
        text = "model M {\n  host a\n  host b\n  link w: a -- b { rate = 1 Mbps, delai = 1 ms, mtuu = 1500 B }\n}\n"
        client = self.start()
        uri = self.write("m.anml", text)
        client.open(uri, text)
        self.assertEqual(len(client.checked(uri)), 2)
        where = place(text, "delai", self.encoding)
        found = client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": where, "end": where}, "context": {"diagnostics": []}})
        quick = [a for a in found if a["kind"] == "quickfix"]
        self.assertEqual([a["title"] for a in quick], ["write `delay`"])
        self.assertTrue(quick[0]["isPreferred"])
        self.assertEqual(apply(text, quick[0]["edit"]["changes"][uri], self.encoding), text.replace("delai", "delay"))
        whole, = [a for a in found if a["kind"] == "source.fixAll"]
        self.assertEqual(apply(text, whole["edit"]["changes"][uri], self.encoding),
                         text.replace("delai", "delay").replace("mtuu", "mtu"))
        only = client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": where, "end": where},
            "context": {"diagnostics": [], "only": ["source"]}})
        self.assertEqual([a["kind"] for a in only], ["source.fixAll"])

    def actions(self, text, name="m.anml"):
        """Of the whole text: [(title, preferred, text after it)], and the text after all of them at once."""
        client = self.start(lint=True)
        uri = self.write(name, text)
        client.open(uri, text)
        client.checked(uri)
        found = client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "context": {"diagnostics": []},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}})
        after = lambda a: apply(text, a["edit"]["changes"][uri], self.encoding)
        whole = [after(a) for a in found if a["kind"] == "source.fixAll"]
        return [(a["title"], a["isPreferred"], after(a)) for a in found if a["kind"] == "quickfix"], whole

    MODEL = "// About it.\n\nmodel M {\n  host a\n  host `b-1`\n  link w: a -- `b-1` : ether.fast\n}\n"

    def test_code_actions_import_and_add(self):
        found, whole = self.actions(self.MODEL)
        imported = self.MODEL.replace("model", "import std.ether\nmodel")
        self.assertEqual(found, [("insert `import std.ether`", True, imported)])
        self.assertEqual(whole, [])  # of one alone there is no all
        found, whole = self.actions(imported)
        self.assertEqual([a[:2] for a in found], [("insert `run { duration = 60 s }`", True)])
        ended = imported.replace("fast\n", "fast\n  run { duration = 60 s }\n")
        self.assertEqual(found[0][2], ended)
        found, whole = self.actions(ended.replace("import std.ether", "import std.ether\nimport std.web\nimport std.tcp"))
        removed = [a for a in found if a[0].startswith("remove")]
        self.assertEqual([a[:2] for a in removed], [("remove `import std.web`", True), ("remove `import std.tcp`", True)])
        self.assertEqual(whole, [ended])

    def test_code_actions_keep_names_quoted(self):
        whole = self.MODEL.replace("model", "import std.ether\nmodel").replace("}", "  run { duration = 1 s }\n}")
        found, _ = self.actions(whole.replace("-- `b-1`", "-- `b-2`"))
        self.assertEqual(found, [("write ``b-1``", True, whole)])

    def test_code_actions_of_alternatives(self):
        whole = self.MODEL.replace(": ether.fast", "{ rate = 1 Mb, delay = 3 }")
        found, all_at_once = self.actions(whole)
        self.assertEqual([a[:2] for a in found], [("write `Mbps`", True), ("write `3 ms`", False), ("write `3 s`", False)])
        self.assertEqual(found[1][2], whole.replace("3 }", "3 ms }"))
        self.assertEqual(all_at_once, [])

    def test_code_actions_allow(self):
        text = "model M {\n  host a\n  /// Alone.\n  host b\n  let x = 10 MB / 8 Mbps\n  run { duration = 1 s }\n}\n"
        found, whole = self.actions(text)
        titles = [a[0] for a in found]
        self.assertIn("write `10 MiB`", titles)
        self.assertIn("write `10e6 B`", titles)
        self.assertIn("remove `let x = 10 MB / 8 Mbps`", titles)
        self.assertEqual(whole, [])  # what somebody wrote goes one by one
        for title, preferred, after in found:
            self.assertFalse(preferred)
            if not title.startswith("allow"):
                continue
            name = title.split("`")[1]
            (self.folder / "allowed.anml").write_text(after)
            before, left = ([d["name"] for d in of_check(self.folder / file, "lint")] for file in ("m.anml", "allowed.anml"))
            self.assertEqual(left.count(name), before.count(name) - 1, after)
            self.assertNotIn("needless-allowance", left)
        self.assertEqual(len([t for t in titles if t.startswith("allow")]), 4)

    def test_rename_in_the_network(self):
        text = ("import std.ether\nimport std.traffic\ncomponent Base {\n  router core\n}\ncomponent Mine : Base {\n  host pc\n"
                "  link l: pc -- core : ether.fast\n}\nmodel M {\n  router top\n  Mine net\n  if true { host a }\n"
                "  link k: a -- top : ether.fast\n  link j: net.core -- top : ether.fast\n"
                "  workload w : traffic.Ping on a { to = net.pc }\n  run { duration = 1 s }\n}\n")
        for broken in ("", "model N { let D 1 }\n"):
            client = self.start()
            uri = self.write("net.anml", text + broken)
            client.open(uri, text + broken)
            client.checked(uri)
            for mark, name, why in [("top\n", "w", "`M` has a workload `w` already"), ("w :", "top", "`M` has a router `top` already"),
                                    ("top\n", "a", "`M` has a host `a` already"), ("k:", "net", "`M` has an instance `net` already"),
                                    ("core\n}", "l", "`Mine` has a link `l` already"),
                                    ("l:", "core", "`Base` has a router `core` already")]:
                with self.subTest(mark=mark, name=name, broken=broken), self.assertRaises(ServerError) as refused:
                    client.at("rename", uri, place(text, mark, self.encoding), newName=name)
                self.assertIn(why, str(refused.exception))
            changes = client.at("rename", uri, place(text, "top\n", self.encoding), newName="core")["changes"]
            self.assertEqual(apply(text + broken, changes[uri], self.encoding), (text + broken).replace("top", "core"))

    def test_related_information(self):
        text = "model M {\n  host a\n  host a\n}\n"
        client = self.start()
        uri = self.write("r.anml", text)
        client.open(uri, text)
        said = client.checked(uri)[0]
        self.assertEqual(said["relatedInformation"][0]["location"]["uri"], uri)

    def test_lines_end_in_three_ways(self):
        text = "model M {\r\n  host a\n  // \U0001F6A9\r  host b\n  run { duration = 1 s }\n}\n"
        client = self.start()
        uri = self.write("e.anml", text)
        client.open(uri, text)
        self.assertEqual([d for d in client.checked(uri) if d["severity"] == 1], [])
        client.change(uri, {"range": {"start": {"line": 3, "character": 7}, "end": {"line": 3, "character": 8}}, "text": "c"})
        found, = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        self.assertEqual([s["name"] for s in found["children"]], ["a", "c"])
        self.assertEqual(found["children"][1]["selectionRange"]["start"], {"line": 3, "character": 7})
        self.assertEqual(found["range"]["end"], {"line": 5, "character": 1})


class CapabilitiesUtf16(Capabilities):
    encoding = "utf-16"


class CapabilitiesUtf32(Capabilities):
    encoding = "utf-32"


if __name__ == "__main__":
    unittest.main()
