"""Tables of all kinds, against the same written out; and what is wrong with them, at its line and column."""
import json
import random
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.ether
import std.traffic
enum Kind {{ small, large }}
schema Room {{
  name: string matching "[a-z \\"]+"
  hosts: int in 1 .. 9 = 2
  delay: time
  rate: rate = 10 Mbps
  kind: Kind = small
  first: address?
  wire: Link = ether.fast
  open: bool = true
  share: ratio = 5 %
  require self.hosts < 9 || self.kind == large else "nine are many"
  extra
}}
table rooms("{file}") : Room
model Rooms {{
  router core
  for i, r in rooms {{
    router hub[i]
    host pc[i][r.hosts]
    link desk[i]: pc[i][*] -- hub[i] : r.wire {{ delay = r.delay }}
    if r.open {{ link up[i]: hub[i] -- core {{ rate = r.rate, delay = r.share * 1 ms }} }}
    if given(r.first) {{ host guest[i] {{ address = r.first }}  link door[i]: guest[i] -- hub[i] : ether.ten }}
    require rooms[i].name == r.name && (r.kind == small || r.hosts > 1)
  }}
  workload ping : traffic.Ping on pc[*][0] {{ to = core, interval = 100 ms }}
  run {{ duration = 1 s }}
}}
"""
ROWS = [
    {"name": "blue", "hosts": "3", "delay": "2 ms", "kind": "large", "first": "10.9.9.1", "more": "x"},
    {"name": 'the "old" one', "delay": "500 us", "rate": "5 Mbps", "wire": "ether.gigabit", "share": "50 %"},
    {"name": "last", "hosts": "9", "delay": "1.5 ms", "kind": "large", "open": "true"},
]
COLUMNS = ["name", "hosts", "delay", "rate", "kind", "first", "wire", "open", "share", "more"]


def quoted(text):
    return '"' + text.replace('"', '""') + '"' if '"' in text or "," in text else text


def csv_of(rows, separator=",", end="\n"):
    return end.join(separator.join(line) for line in [COLUMNS] + [[quoted(r.get(c, "")) for c in COLUMNS] for r in rows]) + end


class Tables(EmulatorTest):

    def model_of(self, name, text):
        (self.folder / name).write_text(text, newline="")
        model = self.fresh("model.anml")
        model.write_text(MODEL.format(file=name))
        return model

    def test_all_kinds_say_the_same(self):
        yaml = "".join("- " + "\n  ".join(f"{k}: {json.dumps(v) if chr(34) in v else v}" for k, v in row.items()) + "\n" for row in ROWS)
        typed = [{k: int(v) if k == "hosts" else v == "true" if k == "open" else v for k, v in row.items()} | {"list": [1, {"a": 2}]} for row in ROWS]
        header = csv_of(ROWS).replace("delay,", "delay [ms],").replace(" ms,", ",").replace("500 us", "0.5")
        files = {"a.csv": csv_of(ROWS), "b.csv": "\ufeff# made by hand\r\n\r\n" + csv_of(ROWS, ";", "\r\n"), "c.tsv": csv_of(ROWS, "\t"),
                 "d.csv": header, "e.json": json.dumps(ROWS), "f.json": json.dumps(typed, indent=3), "g.yaml": yaml, "h.yml": json.dumps(typed)}
        digests = {name: self.simulate(self.compile(self.model_of(name, text)))["digest"] for name, text in files.items()}
        self.assertEqual(len(set(digests.values())), 1, digests)

    def test_round_trip(self):
        model = self.model_of("a.csv", csv_of(ROWS))
        expanded = run(ANMLC, "--emit=anml", model).stdout
        self.assertEqual(self.simulate(self.compile(model))["digest"], self.simulate(self.compile(expanded))["digest"])

    def message(self, name, text):
        done = run(ANMLC, "check", "--error-format=short", self.model_of(name, text), check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr.replace(str(self.folder) + "/", "").splitlines()[0]

    def test_places(self):
        """Line and column of what is wrong."""
        good = csv_of(ROWS)
        for text, place, words in (
                (good.replace(",3,", ",ten,"), "x.csv:2:6", "wants an int"),
                (good.replace(",3,", ",10,"), "x.csv:2:6", "outside 1 .. 9"),
                (good.replace("1.5 ms", "1.5"), "x.csv:4:8", "wants a time"),
                (good.replace("1.5 ms", ""), "x.csv:4", "says no `delay`"),
                (good.replace("blue", "Blue"), "x.csv:2:1", "match"),
                (good.replace("9,1.5 ms,,large", "9,1.5 ms,,small"), "x.csv:4:1", "nine are many"),
                (good.replace(",large,", ",huge,", 1), "x.csv:2:14", "wants a `Kind`"),
                (good.replace("10.9.9.1", "10.9.9.256"), "x.csv:2:20", "wants an address"),
                (good.replace("ether.gigabit", "ether.giga"), "x.csv:3:36", "wants a `Link`"),
                (good.replace("more", "name", 1), "x.csv:1:", "two columns"),
                (good.replace("blue,", "blue,,"), "x.csv:2:1", "this row has 11 cells, the header 10"),
                (good.replace('"the ', '"the" '), "x.csv:3:7", "text behind a quoted cell"),
                ("", "x.csv", "no header"),
        ):
            found = self.message("x.csv", text)
            with self.subTest(place):
                self.assertTrue(found.startswith(place) and words in found, f"{place} {words}: {found}")
        for text, place, words in (
                ('{"rooms": []}', "x.json:1:1", "this is an object"),
                ('[1]', "x.json:1:2", "a value by itself"),
                ('[{"name": "a", "delay": [1]}]', "x.json:1:25", "more than a value"),
                ('[{"name": "a", "delay": 5}]', "x.json:1:25", "wants a time"),
                ('[{"name": "a", "delay": "5 ms", "delay": "5 ms"}]', "x.json:1:33", "given twice"),
                ('[{"name": "a" "delay": "5 ms"}]', "x.json:1:", "not well-formed JSON"),
                ('[{"name": "a", "delay": "5 ms"}', "x.json:1:", "not well-formed JSON"),
                ('[[]]', "x.json:1:2", "a list in a list"),
        ):
            found = self.message("x.json", text)
            with self.subTest(place):
                self.assertTrue(found.startswith(place) and words in found, f"{place} {words}: {found}")
        for text, place, words in (
                ("- name: a\n  delay: 5\n", "x.yaml:2:10", "wants a time"),
                ("- name: a\n  delay: *x\n", "x.yaml:2:", ""),
                ("name: a\n", "x.yaml:1:1", "this is an object"),
                ("- name: [a\n", "x.yaml:", "not well-formed YAML"),
        ):
            found = self.message("x.yaml", text)
            with self.subTest(place):
                self.assertTrue(found.startswith(place) and words in found, f"{place} {words}: {found}")
        self.assertIn("no table by its name", self.message("x.txt", good))

    def test_mutants(self):
        """Whatever is in the file: a table or a message, and few of them."""
        rng = random.Random(5)
        yaml = "- {name: a, delay: 5 ms}\n- name: b\n  delay: 1 ms\n"
        for name, text in (("m.csv", csv_of(ROWS)), ("m.json", json.dumps(ROWS, indent=1)), ("m.yaml", yaml)):
            for _ in range(60):
                data = bytearray(text.encode())
                for _ in range(rng.randint(1, 4)):
                    at = rng.randrange(len(data))
                    what = rng.randrange(3)
                    if what == 0:
                        data[at] = rng.choice(b'",;:[]{}\n\t -#\\x\x00\xff')
                    elif what == 1:
                        del data[at:at + rng.randint(1, 20)]
                    else:
                        data[at:at] = data[at:at + rng.randint(1, 9)]
                    if not data:
                        data = bytearray(b"x")
                model = self.model_of(name, "")
                (self.folder / name).write_bytes(bytes(data))
                done = run(ANMLC, "check", "--error-format=short", model, check=False)
                self.assertIn(done.returncode, (0, 1), f"{bytes(data)}\n{done.stderr}")
                self.assertLessEqual(done.stderr.count("error["), 5, f"{bytes(data)}\n{done.stderr}")


if __name__ == "__main__":
    unittest.main()
