"""How long answers take on a file of 10 000 lines, medians in milliseconds: completion and hover below 50, diagnostics below 200
after a key. [--show] prints them."""
import pathlib
import statistics
import subprocess
import sys
import time
import unittest

from client import ANMLC, LspTest, place

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from clock import by_the_clock  # noqa: E402

LINES = 10_000
KEYS = 9


def large_model():
    lines = ["import std.ether", "", "component Lan(hosts: int in 1 .. 64 = 4, access: Link = ether.fast) {", "  router gateway", "  switch lan",
             "  host client[hosts]", "  link uplink: lan -- gateway : ether.gigabit { delay = 0.1 ms }",
             "  link edge: client[*] -- lan : access", "}", "model Large {"]
    site = 0
    while len(lines) < LINES - 2:
        lines += [f"  /// Site {site}.", f"  router r{site}", f"  host h{site}", f"  Lan net{site}(hosts = {1 + site % 4})",
                  f"  let d{site} = {1 + site % 9} ms + 0.5 ms",
                  f"  link a{site}: h{site} -- r{site} : ether.gigabit {{ delay = d{site}, queue = droptail(64 KB) }}",
                  f"  link b{site}: net{site}.gateway -- r{site} : ether.gigabit {{ delay = 1 ms }}"]
        if site:
            lines += [f"  link c{site}: r{site - 1} -- r{site} {{ rate = 10 Gbps, delay = d{site} * 2 }}",
                      f'  require d{site} < 20 ms else "too long"']
        site += 1
    return "\n".join([*lines, "  run { duration = 10 s }", "}"]) + "\n"


class Speed(LspTest):
    def median(self, what, most, once):
        times = []
        for i in range(KEYS):
            begin = time.monotonic()
            once(i)
            times.append((time.monotonic() - begin) * 1000)
        median = statistics.median(times)
        if "--show" in sys.argv or median >= most:
            print(f"{what}: {median:.1f} ms (at most {max(times):.1f})", file=sys.stderr)
        self.assertLess(median, most, what)

    @by_the_clock("medians of answers, 50 and 200 ms")
    def test_ten_thousand_lines(self):
        text = large_model()
        self.assertGreaterEqual(text.count("\n"), LINES - 20)
        client = self.start()
        uri = self.write("large.anml", text)
        client.open(uri, text)
        self.assertEqual(client.checked(uri), [])
        where = place(text, "d500, queue")
        self.median("hover", 50, lambda i: self.assertIn("d500", str(client.at("hover", uri, where))))
        self.median("completion", 50, lambda i: self.assertTrue(client.at("completion", uri, where)["items"]))
        self.median("definition", 50, lambda i: self.assertTrue(client.at("definition", uri, where)))

        # A key, and completion at once, before anything was looked at.
        times = []
        for i in range(KEYS):
            begin = time.monotonic()
            client.change(uri, {"range": {"start": where, "end": where}, "text": "d"})
            found = client.at("completion", uri, {**where, "character": where["character"] + 1})
            times.append((time.monotonic() - begin) * 1000)
            self.assertTrue(found["items"])
            client.change(uri, {"range": {"start": where, "end": {**where, "character": where["character"] + 1}}, "text": ""})
            client.checked(uri)
        median = statistics.median(times)
        if "--show" in sys.argv or median >= 50:
            print(f"completion after a key: {median:.1f} ms (at most {max(times):.1f})", file=sys.stderr)
        self.assertLess(median, 50)

        # A key that makes an error, until it is said; and one that mends it.
        def key(i):
            wrong = i % 2 == 0
            end = where if wrong else {**where, "character": where["character"] + 1}
            client.change(uri, {"range": {"start": where, "end": end}, "text": "x" if wrong else ""})
            client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics"
                         and bool(m["params"]["diagnostics"]) == wrong and m["params"]["version"] == client.versions[uri])
        self.median("diagnostics after a key", 200, key)

    @by_the_clock("the median until a requirement is said to fail, 200 ms")
    def test_requirements_of_ten_thousand_lines(self):
        """A key that breaks a requirement, with the linter on, as it is by default: until that is said, or is said no more."""
        text = large_model().replace("  run {", "  require rtt(h500, r500) < 20 ms\n  run {")
        where = place(text, "let d500 = ", after=True)
        end = {**where, "character": where["character"] + 1}
        client = self.start(lint=True)
        uri = self.write("required.anml", text)
        client.open(uri, text)
        failed = lambda diagnostics: any(d["code"] == "requirement-failed" for d in diagnostics)
        self.assertFalse(failed(client.checked(uri)))
        times = []
        for i in range(KEYS):
            wrong = i % 2 == 0
            begin = time.monotonic()
            client.change(uri, {"range": {"start": where, "end": where if wrong else end}, "text": "1" if wrong else ""})
            client.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and failed(m["params"]["diagnostics"]) == wrong
                         and m["params"]["version"] == client.versions[uri])
            times.append((time.monotonic() - begin) * 1000)
            client.checked(uri)
        # Machines differ by a factor of three: where a check of the file takes more than 130 ms it may take half as long again.
        begin = time.monotonic()
        subprocess.run([ANMLC, "check", self.folder / "required.anml"], capture_output=True)
        most = max(200, 1500 * (time.monotonic() - begin))
        median = statistics.median(times)
        if "--show" in sys.argv or median >= most:
            print(f"a requirement after a key: {median:.1f} ms (at most {max(times):.1f}), allowed {most:.1f} ms", file=sys.stderr)
        self.assertLess(median, most)


if __name__ == "__main__":
    unittest.main(argv=[a for a in sys.argv if a != "--show"])
