#!/usr/bin/env python3
"""Malformed, truncated and hostile foreign graphs: `anmlc import` says what is wrong and where, within bounded memory and
time, and leaves nothing behind.

Usage: hostile_graphs.py ANMLC [bounded]. With `bounded` the memory of anmlc is limited, which sanitizers don't bear. Large
files are made here and streamed, so none is stored.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import threading
import unittest

ANMLC = sys.argv[1] if len(sys.argv) > 1 else os.environ["ANMLC"]
BOUNDED = "bounded" in sys.argv[2:]
SAMPLES = pathlib.Path(__file__).resolve().parents[1] / "data/graphs"
MIB = 1 << 20
FORMATS = ["graphml", "gml", "json", "dot", "as-rel", "containerlab"]


def feed(pipe, parts):
    try:
        for part in parts:
            pipe.write(part)
        pipe.close()
    except BrokenPipeError:
        pass


class Done:
    """What an import said, with so many bytes of address space, and whether it left anything."""

    def __init__(self, format, parts, memory=1 << 30):
        with tempfile.TemporaryDirectory(prefix="anml-hostile-") as folder:
            target = os.path.join(folder, "x.anml")
            process = subprocess.Popen(
                [ANMLC, "import", "--error-format=short", "--from", format, "-", "-o", target], cwd=folder, stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": folder},
                preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if BOUNDED else None)
            feeder = threading.Thread(target=feed, args=(process.stdin, [parts] if isinstance(parts, bytes) else parts))
            feeder.start()
            self.said = process.stderr.read().decode()
            process.stderr.close()
            _, status, usage = os.wait4(process.pid, 0)
            self.status = process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds = usage.ru_utime + usage.ru_stime
            feeder.join()
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass
            self.left = os.listdir(folder)
            self.text = pathlib.Path(target).read_text() if self.left == ["x.anml"] else ""


def deep(opening, middle, closing, times):
    return opening * times + middle + closing * times


def many(head, node, edge, tail):
    """As many edges as there may be, between few nodes."""
    yield head
    yield b"".join(node % i for i in range(100))
    for k in range(0, 499000, 1000):
        yield b"".join(edge % (i % 100, (i + 1) % 100) for i in range(k, k + 1000))
    yield tail


LAUGHS = '<?xml version="1.0"?>\n<!DOCTYPE g [<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{i} "' + f"&a{i - 1};" * 10 + '">' for i in range(1, 12)) + \
    ']>\n<graphml><graph><node id="&a11;"/><node id="c"/><edge source="&a11;" target="c"/></graph></graphml>'
ALIASES = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{i}: &a{i} [" + ",".join([f"*a{i - 1}"] * 10) + "]\n" for i in range(1, 12)) + \
    "topology: {nodes: {p: *a11, q: {}}, links: [{endpoints: ['p:1', 'q:1']}]}\n"

# format, text, line and column, what is said.
MALFORMED = [
    ("graphml", '<graphml><graph>\n<node id="a">\n</graph></graphml>', "3:3", "this is not well-formed XML"),
    ("graphml", "<graphml>\n<graph><node/></graph></graphml>", "2:9", "a node has no `id`"),
    ("graphml", '<graphml><graph>\n  <edge source="a"/></graph></graphml>', "2:4", "an edge has no `target`"),
    ("graphml", "<html></html>", "1:2", "the root element is `html`, not `graphml`"),
    ("graphml", deep("<a>", "", "", 1000000), None, "this is not well-formed XML"),
    ("graphml", "<graphml><graph>" + deep("<node id='a'><graph>", "", "</graph></node>", 100000) + "</graph></graphml>",
     None, "graphs are nested more than 64 deep"),
    ("graphml", "<graphml><graph><node id='a' " + "a='' " * 9000000 + "/></graph></graphml>", None,
     "the file has more than 8000000 tags and attributes"),
    ("gml", "graph [\n  node [ id 0", "2:13", "the file ends inside `[`"),
    ("gml", 'graph [\n  node [ id 0 label "a\n', "2:21", "this string is never closed"),
    ("gml", "graph [\n  node [ label 3 ]\n]", None, "there are no edges in the graph"),
    ("gml", "graph [ ] ]", "1:11", "`]` closes nothing"),
    ("gml", deep("a [ ", "", "] ", 1000000), None, "lists are nested more than 64 deep"),
    ("gml", "graph [ node [ id 1 " + "".join(f"a{i} 1 " for i in range(5000000)) + "] ]", None, "more than 1000 attributes"),
    ("json", '{"nodes": [\n{"id": 1},, ]}', "2:11", "this is not well-formed JSON"),
    ("json", '{"nodes": [{"id": 1}], "links": [\n {"source": 1}]}', "2:2", "an edge has no `target`"),
    ("json", '{"nodes": [{"id": 1}]', "1:21", "this is not well-formed JSON"),
    ("json", '{"nodes": {}, "links": []}', "1:1", "the object has no list `nodes`"),
    ("json", deep('{"a":', "1", "}", 1000000), None, "values are nested more than 64 deep"),
    ("json", deep("[", "", "", 1000000), "1:1", "the file holds a list"),
    ("json", '{"nodes":[{"id":"\\ud800"}],"edges":[]}', None, "this is not well-formed JSON"),
    ("json", '{"nodes":[' + ",".join(['{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0}'] * 1200000) + '],"edges":[]}', None, "more than"),
    ("dot", 'graph { a -- "b }', "1:14", "this string is never closed"),
    ("dot", "graph {\n a -- }", "2:7", "a node or a subgraph is expected here"),
    ("dot", "graph " + deep("{ ", "", "} ", 1000000), None, "nested more than 64 deep"),
    ("dot", "graph {" + "a--b;" * 600000 + "}", None, "more than 500000 edges"),
    ("dot", "graph { a [label=<" + "<b>" * 1000000, None, "never closed"),
    ("as-rel", "1|2|-1\n1|x|0\n", "2:1", "a line is expected to be"),
    ("as-rel", "1|2|7\n", "1:1", "unknown relationship `7`"),
    ("as-rel", "1|4294967296|0\n", "1:1", "a line is expected to be"),
    ("as-rel", "".join(f"{i % 1000}|{1000 + i // 1000}|0\n" for i in range(1000001)), None, "more than 1000000 edges"),
    ("containerlab", "topology:\n  nodes: {a: }\n  links: [{endpoints: [a:1]}]\n", "3:11", "a link has no `endpoints`, a list of two"),
    ("containerlab", "topology:\n  nodes: [a\n", None, "this is not well-formed YAML"),
    ("containerlab", "name: x\n", "1:1", "there is no `topology`"),
    ("containerlab", "topology: " + "[" * 1000000, None, "deep"),
    ("containerlab", "topology:\n  " + "- " * 1000000, None, "deep"),
    ("containerlab", "topology: " + "{? " * 1000000, None, "deep"),
    ("containerlab", "a: " + "x" * 5 * MIB, "1:1", "the file is larger than 4 MiB, too much for YAML"),
    ("containerlab", "a: &a [*a, *a]\ntopology: &t\n  nodes: {x: *t, y: *a}\n  links: *t\n", "2:11", "`links` is no list"),
    ("containerlab", "topology: {nodes: {a: *b}}\n", None, "this is not well-formed YAML"),
]


class Hostile(unittest.TestCase):
    def refused(self, format, parts, place, message):
        done = Done(format, parts)
        self.assertEqual((done.status, done.left), (1, []), done.said[-400:])
        errors = [line for line in done.said.splitlines() if ": error: " in line]
        self.assertEqual(len(errors), 1, done.said[-400:])
        self.assertIn(message, errors[0])
        self.assertTrue(errors[0].endswith(" [malformed-graph]"), errors[0][-200:])
        self.assertLess(len(errors[0]), 500)
        if place:
            self.assertTrue(errors[0].startswith(f"<stdin>:{place}: "), errors[0][:200])
        if BOUNDED:
            self.assertLess(done.seconds, 20)
        return done

    def test_malformed(self):
        for format, text, place, message in MALFORMED:
            with self.subTest(format=format, text=text[:60]):
                self.refused(format, text.encode(), place, message)

    def test_a_gigabyte_in_one_line(self):
        for format in FORMATS:
            with self.subTest(format):
                self.refused(format, (b"a" * MIB for _ in range(1024)), None, "`<stdin>` is larger than 64 MiB")

    def test_the_largest_line(self):
        """A byte less than may be in a file."""
        begin = {"graphml": b"<graphml><a>", "gml": b'graph [ label "', "json": b'{"nodes":["', "dot": b'graph { a [label="', "as-rel": b"1|2|",
                 "containerlab": b"topology: "}
        for format in FORMATS:
            with self.subTest(format):
                rest = 64 * MIB - 1 - len(begin[format])
                self.refused(format, [begin[format], *[b"a" * MIB] * (rest // MIB), b"a" * (rest % MIB)], None, "error")

    @unittest.skipUnless(BOUNDED, "sanitizers take too much memory and time")
    def test_as_many_as_may_be(self):
        """The largest graph imports; where memory does not do, that is what is said."""
        edge = b" edge [ source %d target %d a 1 b 1 c 1 d 1 e 1 f 1 ]"
        done = Done("gml", many(b"graph [", b" node [ id %d ]", edge, b" ]"), memory=5 << 29)
        self.assertEqual(done.status, 0, done.said[-400:])
        self.assertEqual(done.text.count("\n  link "), 499000)
        done = Done("gml", many(b"graph [", b" node [ id %d ]", edge, b" ]"), memory=1 << 29)
        self.assertEqual((done.status, done.left), (1, []))
        self.assertEqual(done.said, "anmlc: error: the memory that may be used does not do\n")

    def test_entities_and_aliases_do_not_multiply(self):
        for format, text in (("graphml", LAUGHS), ("containerlab", ALIASES)):
            with self.subTest(format):
                done = Done(format, text.encode())
                self.assertEqual(done.status, 0, done.said)
                self.assertLess(len(done.text), 4000)

    def test_no_file_that_a_file_names_is_read(self):
        text = '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY % y SYSTEM "file:///etc/passwd"> %y;]>\n' \
            '<graphml><graph><node id="a"><data key="label">&x;</data></node><node id="c"/><edge source="a" target="c"/></graph></graphml>'
        done = Done("graphml", text.encode())
        self.assertEqual(done.status, 0, done.said)
        self.assertNotIn("root", done.text)

    def test_traces(self):
        """A trace is a file, since the model names it; nothing is written of one that is none."""
        begin = "\n".join(map(str, range(1, 1000))) + "\n"
        wrong = [("", "it is empty"), ("0\n0\n", "the last time is 0"), ("5\n3\n", "3 comes after 5"), ("1\n\n2\n", "an empty line"), ("\r\n", "an empty line"),
                 ("1\n4294967296\n", "`4294967296` is too large"), ("9" * 400 + "\n", "is too large"), ("-1\n", "not a whole number"), ("1.5\n", "not a whole number"),
                 ("1e3\n", "not a whole number"), ("+1\n", "not a whole number"), (" 1\n", "not a whole number"), ("# x\n1\n", "not a whole number"),
                 ("1\r2\n", "not a whole number"), ("1\0\n", "NUL"), (begin + "\0" * 100000, "NUL"), ("\xff\xfe1\n", "not a whole number"),
                 ("1 2\n", "not a whole number"), ("x" * 60 * MIB, "not a whole number")]
        right = [("1", 1), ("1\r\n2\r\n", 2), (begin, 999), (begin.replace("\n", "\r\n"), 999), ("0\n0\n7\n", 3), ("4294967295", 1), ("7\n" * 200000, 200000)]
        for text, message in (*wrong, *right):
            with self.subTest(text[:20]), tempfile.TemporaryDirectory(prefix="anml-hostile-") as folder:
                trace, target = os.path.join(folder, "x.up"), os.path.join(folder, "x.anml")
                pathlib.Path(trace).write_bytes(text.encode("latin-1"))
                limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))) if BOUNDED else None
                done = subprocess.run([ANMLC, "import", "--error-format=short", trace, "-o", target], capture_output=True, text=True, preexec_fn=limit)
                if isinstance(message, int):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn('trace("x.up")', pathlib.Path(target).read_text())
                    continue
                self.assertEqual((done.returncode, os.path.exists(target)), (1, False), done.stderr[-400:])
                self.assertIn(message, done.stderr)
                self.assertLess(len(done.stderr), 600)
        with tempfile.TemporaryDirectory(prefix="anml-hostile-") as folder:  # a line of a gigabyte, that takes no room on the disk
            trace = os.path.join(folder, "x.up")
            with open(trace, "wb") as file:
                file.truncate(1 << 30)
            limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))) if BOUNDED else None
            done = subprocess.run([ANMLC, "import", trace], capture_output=True, text=True, preexec_fn=limit)
            self.assertEqual(done.returncode, 1)
            self.assertIn("is larger than 64 MiB", done.stderr)

    def test_coordinates(self):
        forms = {
            "gml": 'graph [\n node [ id 1 Latitude {} Longitude {} ]\n node [ id 2 ]\n edge [ source 1 target 2 ]\n]',
            "json": '{{"nodes": [\n {{"id": 1, "Latitude": {}, "Longitude": {}}}, {{"id": 2}}], "edges": [{{"source": 1, "target": 2}}]}}',
            "graphml": '<graphml><graph>\n <node id="1"><data key="Latitude">{}</data><data key="Longitude">{}</data></node>'
                       '<edge source="1" target="2"/></graph></graphml>'}
        for format, form in forms.items():
            for latitude, longitude, word in ((91, 0, "latitude 91"), (-90.5, 0, "latitude -90.5"), (0, 181, "longitude 181"), ("1e300", 0, "latitude 1e\\+300")):
                with self.subTest(format, latitude=latitude, longitude=longitude):
                    done = Done(format, form.format(latitude, longitude).encode())
                    self.assertEqual((done.status, done.left), (1, []))
                    self.assertRegex(done.said, rf"^<stdin>:2:\d+: error: the {word} of this node is not within")
            for latitude, longitude in (("NaN", 0), (0, "NaN"), ("Infinity", "-Infinity"), ("NaN", "NaN")):
                with self.subTest(format, latitude=latitude, longitude=longitude):
                    done = Done(format, form.format(latitude, longitude).encode())
                    self.assertEqual(done.status, 0, done.said)
                    self.assertNotIn("position", done.text)
                    self.assertIn("unreadable-value", done.said)

    def test_numbers_beyond_all_bounds(self):
        for value in ("1e999", "-1", "0", "NaN", "1e300", "x" * 5000, "9" * 400):
            for name in ("bandwidth", "capacity", "delay", "dist", "mtu", "queue", "LinkSpeedRaw"):
                with self.subTest(name, value=value[:10]):
                    done = Done("gml", f"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 {name} {value} ] ]".encode())
                    self.assertEqual(done.status, 0, done.said)
                    if not (name in ("delay", "dist") and value == "0"):
                        self.assertIn("unreadable-value", done.said)

    def test_encodings(self):
        plain = (SAMPLES / "Abilene.gml").read_text()
        for name in ("Abilene.gml", "Abilene.graphml", "sndlib-polska.json"):
            format = name.rpartition(".")[2]
            text = (SAMPLES / name).read_text(encoding="utf-8").replace('encoding="utf-8"', "")
            expected = Done(format, text.encode()).text
            self.assertIn("router", expected)
            for codec, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
                with self.subTest(name, codec=codec):
                    self.assertEqual(Done(format, mark + text.encode(codec)).text, expected)
        for codec in ("utf-16-le", "utf-16-be", "utf-32"):  # without a mark, or with one that nobody writes
            with self.subTest(codec):
                self.refused("gml", plain.encode(codec), None, "the file contains a NUL byte")
        koeln = 'graph [ node [ id 0 label "Köln–Süd" ] node [ id 1 label "Łódź" ] edge [ source 0 target 1 ] ]'
        latin = Done("gml", koeln.replace("Łódź", "x").encode("windows-1252"))
        self.assertIn("router Koln_Sud", latin.text)
        self.assertIn("is not UTF-8 and is read as Windows-1252 [guessed-value]", latin.said)
        self.assertIn("router Lodz", Done("gml", koeln.encode()).text)
        for odd in (b"\xff\xfeg\x00r", b"\xfe\xff\xd8\x00", b"\xff\xfe" + b"\x00\xd8" * 1000, b"\xef\xbb\xbf", b"\xff", b"\xc3"):
            for format in FORMATS:
                with self.subTest(format, odd=odd[:8]):
                    self.assertEqual(Done(format, odd).status, 1)

    def test_truncated(self):
        """Real files cut anywhere: an error with a place, or less of a graph."""
        for name in ("Abilene.graphml", "Sprint.gml", "sndlib-polska.json"):
            data = (SAMPLES / name).read_bytes()
            format = name.rpartition(".")[2]
            for size in range(0, len(data.rstrip()), len(data) // 40):
                with self.subTest(name, size=size):
                    done = Done(format, data[:size])
                    self.assertEqual((done.status, done.left), (1, []), done.said)
                    place = re.match(r"<stdin>:(\d+):(\d+): error: ", done.said)
                    self.assertTrue(place, done.said[:200])
                    self.assertLessEqual(int(place[1]), data[:size].count(b"\n") + 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
