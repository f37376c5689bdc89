"""Random edits of the corpus: no crash, after each the diagnostics of `anmlc check`, and memory that stays. [--count N] [--seed N]

The corpus is the examples and the library. An edit takes a few characters away, puts others in, doubles or moves lines, or takes back
what was done. After each the server's diagnostics are those that `anmlc check` has of the text.
"""
import os
import pathlib
import random
import sys
import unittest

from client import ROOT, SANITIZED, LspTest, of_check, offset, position

COUNT, SEED = 60 if SANITIZED else 300, 1
GROWTH = 64 << 20  # bytes of memory that may be added once the first third is done
FRAGMENTS = ["{", "}", "(", ")", "[", "]", ",", ":", "=", " ", "\n", ".", "..", "--", "\"", "//", "/*", "*/", "///", "@", "`", "1", "10 ms",
             "5 Mbps", "host", "link", "model ", "import std.web", "component X {", "for i in 0 ..< 3 {", "x", "self.", "require ", "1e999",
             "\u00e9", "\U0001F6A9", "\r", "\t", "%", "-1", "2001:db8::1", "if ", " else ", "run {}", "random ", "tunable "]


def mutated(text, chance):
    """An edit: where it begins and ends, and what is put there."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(6):
        case 0:
            return at, min(len(text), at + chance.randrange(1, 12)), ""
        case 1 | 2:
            return at, at, chance.choice(FRAGMENTS)
        case 3:
            return at, min(len(text), at + chance.randrange(1, 4)), chance.choice(FRAGMENTS)
        case 4:  # a line twice
            begin = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at) + 1 or len(text)
            return end, end, text[begin:end]
        case _:  # a line less
            begin = text.rfind("\n", 0, at) + 1
            return begin, text.find("\n", at) + 1 or len(text), ""


def memory(process):
    pages = int(pathlib.Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def of_server(text, said, encoding):
    """What can be compared: name, severity, where it begins."""
    return sorted((d["code"], {1: "error", 2: "warning", 3: "note"}[d["severity"]], offset(text, d["range"]["start"], encoding),
                   d["message"].splitlines()[0]) for d in said)


def of_command(text, found):
    """The same of `anmlc check`. What is said of another place than one in the text stands at its begin, or where a label leads to."""
    out = []
    data = text.encode()
    for d in found:
        at = d["place"]
        if at is None or at["file"].startswith("<"):
            at = next((l["place"] for l in d["labels"] if l["place"] and not l["place"]["file"].startswith("<")), None)
        begin = at["byte_begin"] if at else 0
        out.append((d["name"], d["severity"], len(data[:begin].decode()), d["message"].splitlines()[0]))
    return sorted(out)


class Edits(LspTest):
    def test_random_edits(self):
        chance = random.Random(SEED)
        corpus = [p for p in sorted([*ROOT.glob("examples/*/*.anml"), *ROOT.glob("stdlib/**/*.anml")]) if p.stat().st_size < 20_000]
        client = self.start()
        used = []
        for round in range(COUNT):
            if round % 15 == 0:  # another file
                if round:
                    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
                self.encoding = "utf-8"
                source = chance.choice(corpus)
                text = original = source.read_text()
                # Beside the original, so that what it names is found.
                path = self.folder / source.parent.name / source.name
                path.parent.mkdir(exist_ok=True)
                for other in source.parent.iterdir():
                    link = path.parent / other.name
                    if other != source and not link.exists():
                        link.symlink_to(other)
                uri = path.as_uri()
                path.unlink(missing_ok=True)
                path.write_text(text)
                client.open(uri, text)
                client.checked(uri)
            changes = []
            for _ in range(chance.randrange(1, 4)):
                begin, end, new = (0, len(text), original) if chance.random() < 0.08 else mutated(text, chance)
                # Between the two characters that end a line no position is.
                begin -= text[begin - 1:begin + 1] == "\r\n" and begin > 0
                end += text[end - 1:end + 1] == "\r\n" and end > 0
                changes.append({"range": {"start": position(text, begin), "end": position(text, end)}, "text": new})
                text = text[:begin] + new + text[end:]
            client.change(uri, *changes)
            # Requests in between, of which each has to be answered, whatever the text.
            at = chance.randrange(len(text) + 1)
            where = position(text, at - (text[at - 1:at + 1] == "\r\n"))
            asked = [client.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": where, **more})
                     for method, more in [("hover", {}), ("completion", {}), ("signatureHelp", {}), ("definition", {}),
                                          ("prepareCallHierarchy", {}), ("foldingRange", {}), ("documentSymbol", {}),
                                          ("semanticTokens/full", {}), ("codeLens", {}), ("selectionRange", {"positions": [where]}),
                                          ("formatting", {"options": {}}),
                                          ("inlayHint", {"range": {"start": {"line": 0, "character": 0}, "end": where}})]]
            for number in asked:
                client.answer(number)
            said = client.checked(uri)
            with path.open("w", newline="") as file:
                file.write(text)
            found = of_check(path)
            other = [d for d in found if d["place"] and not d["place"]["file"].startswith("<") and pathlib.Path(d["place"]["file"]) != path]
            with self.subTest(round=round, file=source.name):
                expected = of_command(text, [d for d in found if d not in other])
                if of_server(text, said, "utf-8") != expected:
                    (pathlib.Path("/tmp") / "lsp-edit.anml").write_text(text)
                self.assertEqual(of_server(text, said, "utf-8"), expected)
            client.unread.clear()
            if round >= COUNT // 3:
                used.append(memory(client.process))
        self.assertEqual(client.end(), 0)
        print(f"{COUNT} rounds of edits; memory {used[0] >> 20} MiB, then at most {max(used) >> 20} MiB", file=sys.stderr)
        if not SANITIZED:
            self.assertLess(max(used), used[0] + GROWTH)


if __name__ == "__main__":
    for name in ("--count", "--seed"):
        if name in sys.argv:
            at = sys.argv.index(name)
            value = int(sys.argv[at + 1])
            del sys.argv[at:at + 2]
            COUNT, SEED = (value, SEED) if name == "--count" else (COUNT, value)
    unittest.main()
