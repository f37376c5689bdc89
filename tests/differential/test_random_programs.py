"""Random programs of loops, tables, keys, lists, ports, addresses, groups, steering and timelines, in any order. What they come to is worked out here, too: names, delays and values that each program
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
        self.tables, self.addresses, self.expected = {}, {}, {}  # expected: by workload, what its results say
        self.rows = [(self.pick(1, 9), self.pick(1, 40), self.random.choice("abc") * self.pick(1, 3)) for _ in range(self.pick(1, 5))]
        self.body.append("router core")
        self.nodes["core"] = 1
        for number in range(self.pick(2, 5)):
            self.random.choice((self.array, self.grid, self.table, self.instances, self.branches, self.keyed, self.numbered, self.chosen, self.nearest, self.group, self.steered))(f"p{number}")
        for _ in range(self.pick(1, 4)):
            self.body.append(f"require {self.value()}")
        for name in self.random.sample(("keyed", "numbered", "chosen", "nearest", "group", "steered"), 2):
            getattr(self, name)(f"q{name}")
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

    def keyed(self, name):
        """Nodes, links or instances with the keys of a table, or of a list; what stands at a key, and which there are."""
        keys = self.random.sample(("Oslo", "Rome", "Bonn", "Kiel", "Pisa"), self.pick(1, 5))
        rows = {key: (self.pick(1, 4), self.pick(1, 40)) for key in keys}
        form = self.pick(0, 2)
        if form < 2:
            self.tables[f"{name}t"] = rows
            some = self.random.choice(keys)
            self.body.append(f"require len({name}t) == {len(keys)} && {name}t[\"{some}\"].delay == {rows[some][1]} us")
        if form == 0:
            self.body += [f"host {name}[{name}t]", f"link {name}l: {name}[*] -- core {{ rate = 1 Gbps, delay = {name}t[key].delay }}"]
            self.nodes[name] = len(keys)
            self.delays.update({f"{name}l({key})": us for key, (_, us) in rows.items()})
        elif form == 1:
            self.body += [f"Site {name}[{name}t]({name}t[key].hosts, {name}t[key].delay)", f"link {name}l: {name}[*].door -- core {{ rate = 1 Gbps, delay = 3 us }}",
                          f"require {name}[\"{keys[-1]}\"].hosts == {rows[keys[-1]][0]} && sum([row.hosts for k, row in {name}t]) == {sum(n for n, _ in rows.values())}"]
            for key, (n, us) in rows.items():
                self.nodes[f"{name}({key})"] = n + 1
                self.delays[f"{name}l({key})"] = 3
                self.delays.update({f"{name}l({key}).desk({k})": us for k in range(n)})
        else:
            self.body += [f"let {name}k = {json.dumps(keys)}", f"host {name}[{name}k]",
                          f"link {name}l: {name}[*] -- core {{ rate = 1 Gbps, delay = if key == \"{keys[0]}\" then 7 us else 9 us }}"]
            self.nodes[name] = len(keys)
            self.delays.update({f"{name}l({key})": 7 if key == keys[0] else 9 for key in keys})

    def numbered(self, name):
        """Attributes by `index`, and addresses that are counted."""
        n, step, first, block = self.pick(1, 6), self.pick(1, 9), self.pick(1, 200), self.pick(0, 255)
        prefix = f"172.20.{block}.0/24"
        self.body += [f"let {name}a = host({prefix}, {first})", f"host {name}[{n}] {{ address = {name}a }}",
                      f"link {name}l: {name}[*] -- core {{ rate = 1 Gbps, delay = (index + 1) * {step} us }}",
                      f"require {name}a + {n} - {name}a == {n} && {prefix}.contains({name}a) && !{prefix}.contains({name}a + 256) && text({name}a) == \"172.20.{block}.{first}\""]
        if f"172.20.{block}.{first}" in self.addresses.values():
            self.body[-3] = f"host {name}[{n}]"
        else:
            self.addresses[name] = f"172.20.{block}.{first}"
        self.nodes[name] = n
        self.delays.update({f"{name}l[{i}]": (i + 1) * step for i in range(n)})

    def chosen(self, name):
        """`let` holds nodes, workloads and what is asked of them."""
        n, us = self.pick(1, 6), self.pick(1, 50)
        self.nodes[name] = n
        self.delays.update({f"{name}l[{i}]": us for i in range(n)})
        self.body += [f"host {name}[{n}]", f"link {name}l: {name}[*] -- core {{ rate = 1 Gbps, delay = {us} us }}",
                      f"let {name}some = [x for i, x in {name}[*] if i % 2 == 0]", f"let {name}all = [{name}w, probe]", f"let {name}far = rtt({name}[0], core)",
                      f"workload {name}w : traffic.Ping on {name}some {{ to = core, interval = 100 ms, start_spread = 0 s }}",
                      f"require len({name}some) == {(n + 1) // 2} && {name}far >= {2 * us} us && {name}far < {2 * us + 9} us", f"require failed({name}all) <= 100 %"]

    def pings(self, name, attributes, low, least):
        """From the user, who is 1 us from the core; no link of theirs changes, and little waits for others."""
        self.body.append(f"workload {name} : traffic.Ping on user {{ {attributes}, interval = 100 ms, start_spread = 0 s }}")
        self.expected[name] = lambda results: 2 * (1 + least) <= 1e6 * results["round_trip_seconds"]["min"] < 2 * (1 + low) + 10 and 1e6 * results["round_trip_seconds"]["max"] < 2 * (1 + low) + 60

    def nearest(self, name):
        """One address of several, of which routes lead to the nearest."""
        far = [self.pick(1, 50) * 10 for _ in range(self.pick(2, 4))]
        self.body.append(f"host {name}[{len(far)}] {{ anycast = 198.18.7.{len(self.expected) + 1} }}")
        self.nodes[name] = len(far)
        for i, us in enumerate(far):
            self.body.append(f"link {name}to{i}: {name}[{i}] -- core {{ rate = 1 Gbps, delay = {us} us }}")
            self.delays[f"{name}to{i}"] = us
        self.pings(f"{name}p", f"to = {name}[*], pairing = nearest", min(far), min(far))

    def group(self, name):
        """Datagrams to several, of which the user sends one."""
        n = self.pick(2, 5)
        self.nodes[name] = n
        self.delays.update({f"{name}l({i})": 4 for i in range(n)})
        self.body += [f"host {name}[{n}]", f"switch {name}s", f"workload {name}c : traffic.Cbr on user {{ to = {name}[*], pairing = multicast, payload = 100 B, interval = 50 ms, start_spread = 0 s }}",
                      f"link {name}up: {name}s -- core {{ rate = 1 Gbps, delay = 2 us }}", f"link {name}down: {name}s -- {name}[*] {{ rate = 1 Gbps, delay = 4 us }}"]
        self.nodes[f"{name}s"] = 1
        self.delays[f"{name}up"] = 2
        self.expected[f"{name}c"] = lambda results: results["datagrams"]["sent"] == n * 20 and results["datagrams"]["lost"] == 0

    def steered(self, name):
        """Two ways, and packets of a code point take the longer one there; answers come by the shorter."""
        dear = self.pick(100, 500)
        self.body += [f"router {name}[2]", f"router {name}end", f"link {name}a: core -- {name}[0] {{ rate = 1 Gbps, delay = 5 us }}", f"link {name}b: core -- {name}[1] {{ rate = 1 Gbps, delay = {dear} us, cost = 9 }}",
                      f"link {name}c: {name}[0] -- {name}end {{ rate = 1 Gbps, delay = 5 us }}", f"link {name}d: {name}[1] -- {name}end {{ rate = 1 Gbps, delay = {dear} us, cost = 9 }}",
                      f"host {name}h", f"link {name}e: {name}end -- {name}h {{ rate = 1 Gbps, delay = 5 us }}",
                      f"route core to {name}h via [{name}[1], {name}end] {{ dscp = 46, protocol = icmp }}"]
        self.nodes.update({name: 2, f"{name}end": 1, f"{name}h": 1})
        self.delays.update({f"{name}a": 5, f"{name}b": dear, f"{name}c": 5, f"{name}d": dear, f"{name}e": 5})
        self.pings(f"{name}plain", f"to = {name}h", 15, 15)
        # There by the longer way: as far as halfway between the two.
        self.pings(f"{name}dear", f"to = {name}h, dscp = 46", (2 * dear + 5 + 15) / 2 + 3, (2 * dear + 5 + 15) / 2)

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
        self.random.shuffle(body)
        lines[2:2] = [f"table {name}(\"{name}.csv\") : Row by name" for name in self.tables]
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
        for name, rows in program.tables.items():
            (folder / f"{name}.csv").write_text("hosts,delay [us],name\n" + "".join(f"{h},{us},{key}\n" for key, (h, us) in rows.items()))
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
        for name, address in program.addresses.items():
            self.assertEqual([node["address"] for node in network["nodes"] if node["name"] == name], [address])
        results = self.simulate(self.compile(path))
        digest = results["digest"]
        for workload in results["workloads"]:
            if workload["name"] in program.expected:
                self.assertTrue(program.expected[workload["name"]](workload), f"{workload}\n{path.read_text()}")
        flat = self.fresh("flat.anml")
        flat.write_text(run(ANMLC, path, "--emit=anml", "-o", "-").stdout)
        self.assertEqual(self.simulate(self.compile(flat))["digest"], digest)
        run(ANMLC, "fmt", path)
        self.assertEqual(self.network(path)["nodes"], network["nodes"])
        run(ANMLC, "fmt", "--check", path)
        self.assertEqual(self.simulate(self.compile(path))["digest"], digest)


if __name__ == "__main__":
    unittest.main()
