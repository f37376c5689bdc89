"""Random programs of loops, tables, lists, ports and timelines. What they come to is worked out here, too: names, delays and values that each program
requires. Formatted, and written out flat, they are the same network. $ANML_PROGRAMS says how many."""
import json
import os
import random
import unittest

from emulators import ANMLC, SANITIZED, EmulatorTest, run

PROGRAMS = int(os.environ.get("ANML_PROGRAMS", 4 if SANITIZED else 12))


class Program:
    """A text, and what it should come to."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.nodes, self.delays, self.body, self.timeline = {}, {}, [], []
        self.rows = [(self.pick(1, 9), self.pick(1, 40), self.random.choice("abc") * self.pick(1, 3)) for _ in range(self.pick(1, 5))]
        self.body.append("router core")
        self.nodes["core"] = 1
        for number in range(self.pick(2, 5)):
            self.random.choice((self.array, self.grid, self.table, self.instances, self.branches))(f"p{number}")
        for _ in range(self.pick(1, 4)):
            self.body.append(f"require {self.value()}")
        self.body.append(f"require rows[0].hosts == {self.rows[0][0]} && rows[0].delay == {self.rows[0][1]} us && rows[0].name == \"{self.rows[0][2]}\"")
        self.every()

    def pick(self, low, high):
        return self.random.randint(low, high)

    def array(self, name):
        n, us = self.pick(1, 6), self.pick(1, 50)
        self.nodes[name] = n
        form = self.pick(0, 2)
        if form == 0:
            self.body += [f"host {name}[{n}]", f"link {name}l: {name}[*] -- core {{ rate = 1 Gbps, delay = {us} us }}"]
        elif form == 1:
            self.body.append(f"for i in 0 ..< {n} {{\n host {name}[i]\n link {name}l[i]: {name}[i] -- core {{ rate = 1 Gbps, delay = {us} us }}\n}}")
        else:
            self.body.append(f"for i, d in [{us} us for k in 1 .. {n}] {{\n host {name}[i]\n link {name}l[i]: {name}[i] -- core {{ rate = 1 Gbps, delay = d }}\n}}")
        self.delays.update({f"{name}l[{i}]": us for i in range(n)})

    def grid(self, name):
        a, b, step = self.pick(1, 4), self.pick(1, 4), self.pick(1, 9)
        even = self.random.random() < 0.3
        inner = f"host {name}[i][j]\n link {name}l[i][j]: {name}[i][j] -- core {{ rate = 1 Gbps, delay = ({b} * i + j + 1) * {step} us }}"
        if even:
            inner = f"if (i + j) % 2 == 0 {{\n {inner}\n}}"
        self.body.append(f"for i in 0 ..< {a} {{\n for j in 0 ..< {b} {{\n {inner}\n}}\n}}")
        for i in range(a):
            for j in range(b):
                if not even or (i + j) % 2 == 0:
                    self.delays[f"{name}l[{i}][{j}]"] = (b * i + j + 1) * step
                    self.nodes[f"{name}[{i}]"] = self.nodes.get(f"{name}[{i}]", 0) + 1

    def table(self, name):
        least = self.pick(0, 10)
        self.body.append(f"for i, row in rows {{\n if row.delay > {least} us {{\n host {name}[i][row.hosts]\n"
                         f" link {name}l[i]: {name}[i][*] -- core {{ rate = 1 Gbps, delay = row.delay }}\n}}\n}}")
        for i, (hosts, us, _) in enumerate(self.rows):
            if us > least:
                self.nodes[f"{name}[{i}]"] = hosts
                self.delays.update({f"{name}l[{i}][{k}]": us for k in range(hosts)})
        total = sum(hosts for hosts, us, _ in self.rows if us > least)
        self.body.append(f"require sum([row.hosts for row in rows if row.delay > {least} us]) == {total}")

    def instances(self, name):
        counts = [self.pick(1, 4) for _ in range(self.pick(1, 4))]
        us = self.pick(1, 20)
        if self.random.random() < 0.5:
            self.body.append(f"for i, n in {counts} {{ Site {name}[i](n, {us} us) }}")
        else:
            self.body.append(f"Site {name}[{len(counts)}]({counts}[index], {us} us)")
        self.body.append(f"link {name}l: {name}[*].door -- core {{ rate = 1 Gbps, delay = max({name}[*].far) }}")
        self.body.append(f"require sum({name}[*].hosts) == {sum(counts)} && {name}[{len(counts) - 1}].title == \"of {counts[-1]}\"")
        self.body.append(f"require len({name}[*].all) == {sum(counts)} && {name}[0].all[{counts[0] - 1}] == {name}[0].pc[{counts[0] - 1}]")
        for i, n in enumerate(counts):
            self.nodes[f"{name}[{i}].gate"] = 1
            self.nodes[f"{name}[{i}].pc"] = n
            self.delays[f"{name}l[{i}]"] = max(us + m for m in counts)
            self.delays.update({f"{name}l[{i}].desk[{k}]": us for k in range(n)})

    def branches(self, name):
        n, third = self.pick(1, 6), self.pick(1, 3)
        self.body.append(f"for i in 0 ..< {n} {{\n if i % 3 == {third} {{ router {name}r[i] }} else {{ host {name}h[i] }}\n"
                         f" if i % 3 == {third} {{ link {name}l[i]: {name}r[i] -- core {{ rate = 1 Gbps, delay = 1 us }} }}\n"
                         f" else {{ link {name}l[i]: {name}h[i] -- core {{ rate = 1 Gbps, delay = (i + 2) * 1 us }} }}\n}}")
        for i in range(n):
            kind = "r" if i % 3 == third else "h"
            self.nodes[f"{name}{kind}"] = self.nodes.get(f"{name}{kind}", 0) + 1
            self.delays[f"{name}l[{i}]"] = 1 if kind == "r" else i + 2

    def value(self):
        """A comparison of something computed from lists, with what it is."""
        xs, ys = ([self.pick(-9, 9) for _ in range(self.pick(1, 5))] for _ in range(2))
        k = self.pick(1, 4)
        return self.random.choice((
            lambda: f"sum([{k} * x + i for i, x in {xs} if x != {k}]) == {sum(k * x + i for i, x in enumerate(xs) if x != k)}",
            lambda: f"max({xs} + {ys}) == {max(xs + ys)} && min({xs}) == {min(xs)}",
            lambda: f"[x * y for x in {xs} for y in {ys} if x < y] == {[x * y for x in xs for y in ys if x < y]}",
            lambda: f"any([x > {k} for x in {xs}]) == {str(any(x > k for x in xs)).lower()} && all([x > -{k} for x in {xs}]) == {str(all(x > -k for x in xs)).lower()}",
            lambda: f"len({xs}[{len(xs) // 2} ..< {len(xs)}]) == {len(xs) - len(xs) // 2} && indices({xs}) == {list(range(len(xs)))}",
            lambda: f"\"a\" + text({k}) + rows[0].name == \"a{k}{self.rows[0][2]}\" && rows[0].name < \"d\"",
        ))()

    def every(self):
        """Links that take turns in being down, and delays that grow; one at a time."""
        named = [name for name in self.delays if name.count("[") == 1 and not name.startswith("(")]
        groups = {}
        for name in named:
            groups.setdefault(name.partition("[")[0], []).append(name)
        groups = {g: names for g, names in groups.items() if sorted(names) == sorted(f"{g}[{i}]" for i in range(len(names)))}
        for group, names in list(groups.items())[:2]:
            self.timeline.append(f"every 100 ms from 50 ms as k {{ {group}[k % {len(names)}] down, {group}[(k + 1) % {len(names)}] up }}")
            self.timeline.append(f"every 300 ms as k {{ {group}[0] {{ delay = (k + 1) * 10 us }} }}")

    def text(self):
        lines = ["import std.traffic", "schema Row { hosts: int, delay: time, name: string }", "table rows(\"rows.csv\") : Row",
                 "component Site(hosts: int, far_away: time) {\n router gate\n host pc[hosts]\n link desk: pc[*] -- gate { rate = 1 Gbps, delay = far_away }\n"
                 " port door = gate\n port all = pc[*]\n port far = far_away + hosts * 1 us\n port title = \"of \" + text(hosts)\n}",
                 "model Random {\n run { duration = 1 s }\n host user\n link user -- core { rate = 1 Gbps, delay = 1 us }"]
        body, core = self.body[1:], self.body[0]
        lines[-1] = lines[-1].replace(" host user\n", f" {core}\n host user\n")
        return "\n".join([*lines, *body, *self.timeline, " workload probe : traffic.Ping on user { to = core, interval = 10 ms }", "}"]) + "\n"


class RandomPrograms(EmulatorTest):
    def test_programs(self):
        for seed in range(PROGRAMS):
            with self.subTest(seed):
                self.check(Program(seed))

    def network(self, path):
        return json.loads(run(ANMLC, path, "--emit=network", "-o", "-").stdout)

    def check(self, program):
        folder = self.fresh("program")
        folder.mkdir()
        (folder / "rows.csv").write_text("hosts,delay [us],name\n" + "".join(f"{h},{us},{name}\n" for h, us, name in program.rows))
        path = folder / "random.anml"
        path.write_text(program.text())
        network = self.network(path)
        self.assertEqual(sum(node["count"] for node in network["nodes"]), sum(program.nodes.values()) + 1)
        delays = {}
        for link in network["links"]:
            for i in range(link["count"]):
                delays.setdefault(round(link["delay"] / 1e3, 6), []).append(i)
        expected = {}
        for us in [*program.delays.values(), 1]:
            expected[us] = expected.get(us, 0) + 1
        self.assertEqual({us: len(links) for us, links in delays.items()}, expected, path.read_text())
        digest = self.simulate(self.compile(path))["digest"]
        flat = self.fresh("flat.anml")
        flat.write_text(run(ANMLC, path, "--emit=anml", "-o", "-").stdout)
        self.assertEqual(self.simulate(self.compile(flat))["digest"], digest)
        run(ANMLC, "fmt", path)
        self.assertEqual(self.network(path)["nodes"], network["nodes"])
        run(ANMLC, "fmt", "--check", path)
        self.assertEqual(self.simulate(self.compile(path))["digest"], digest)


if __name__ == "__main__":
    unittest.main()
