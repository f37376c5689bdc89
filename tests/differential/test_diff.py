"""`anmlc diff` against what is known of two networks: none differs from itself or from its expansion, differences of random
networks are those that were made, next hops change where Dijkstra's do, and the other way round everything is mirrored."""
import heapq
import json
import random
import re
import unittest

from emulators import ANMLC, ROOT, SANITIZED, EmulatorTest, run

MODELS = [path for folder in ("examples", "tests/file/semantics", "tests/file/lint", "tests/data")
          for path in sorted((ROOT / folder).rglob("*.anml"))]
PARTS = ["parameters", "settings", "nodes", "addresses", "links", "workloads", "timeline", "stated_routes", "routes", "requirements"]
MIRRORED = {"added": "removed", "removed": "added", "changed": "changed", "renamed": "renamed"}


class Net:
    """Routers with buffers or none, and links by a key, each with its ends, a rate and a delay that no other has."""

    def __init__(self, rng, nodes):
        self.nodes = {f"r{i}": rng.choice([None, 4, 8]) for i in range(nodes)}
        self.links, self.rng, self.made = {}, rng, 0
        names = list(self.nodes)
        for i in range(1, nodes):
            self.add_link(names[i], names[rng.randrange(i)])
        for _ in range(nodes // 2):
            self.add_link(*rng.sample(names, 2))

    def add_link(self, a, b):
        # Never two between the same nodes: these are matched by order, which is another test.
        if any({a, b} == {x, y} for x, y, _, _ in self.links.values()):
            return
        self.made += 1
        self.links[self.made] = (a, b, self.rng.choice([10, 100]), self.rng.randrange(1, 10**8))

    def copy(self, rng):
        other = Net.__new__(Net)
        other.nodes, other.links, other.rng, other.made = dict(self.nodes), dict(self.links), rng, self.made
        return other

    def text(self):
        lines = ["model Net {"]
        for name, buffer in self.rng.sample(sorted(self.nodes.items()), len(self.nodes)):
            lines.append(f"  router {name}" + (f" {{ buffer = shared_buffer({buffer} MB) }}" if buffer else ""))
        for a, b, rate, delay in self.rng.sample(sorted(self.links.values()), len(self.links)):
            if self.rng.random() < 0.5:
                a, b = b, a
            lines.append(f"  link {a} -- {b} {{ rate = {rate} Mbps, delay = {delay} ns }}")
        return "\n".join(lines) + "\n  run { duration = 1 s }\n}\n"

    def next_hops(self, source):
        """By destination; delays are random, so that no two ways are equally short."""
        around = {}
        for a, b, _, delay in self.links.values():
            around.setdefault(a, []).append((b, delay))
            around.setdefault(b, []).append((a, delay))
        found, heap = {}, [(0, source, None)]
        while heap:
            far, node, first = heapq.heappop(heap)
            if node in found:
                continue
            found[node] = first
            for other, delay in around.get(node, []):
                heapq.heappush(heap, (far + delay, other, first or other))
        return found


class DiffTest(EmulatorTest):
    def diff(self, before, after, *options, status=None):
        done = run(ANMLC, "diff", before, after, "--format=json", *options, check=False)
        self.assertIn(done.returncode, (0, 1) if status is None else (status,), done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["different"], done.returncode == 1)
        self.assertEqual(any(found[part] for part in PARTS), found["different"])
        for part in PARTS:
            for change, count in found["counts"][part].items():
                self.assertEqual(count, sum(e["count"] for e in found[part] if e["change"] == change))
        return found

    def write(self, text):
        path = self.fresh("net.anml")
        path.write_text(text)
        return path

    def test_nothing_differs_from_itself(self):
        same = 0
        for model in MODELS[:: 5 if SANITIZED else 1]:
            done = run(ANMLC, "diff", model, model, "-I", ROOT / "examples", check=False)
            # What is no model of its own, or has errors, is compared with nothing.
            self.assertIn(done.returncode, (0, 2), f"{model}: {done.stdout}{done.stderr}")
            self.assertEqual(done.stdout, "", model)
            self.assertEqual(done.returncode == 2, done.stderr != "", model)
            same += done.returncode == 0
        self.assertGreater(same, 5 if SANITIZED else 40)

    def test_expansions_are_the_same_network(self):
        compared = 0
        for model in sorted((ROOT / "examples").glob("*/*.anml"))[:: 5 if SANITIZED else 2]:
            expanded = model.parent / f"{model.stem}.expanded-by-a-test.anml"  # beside it, since it may name files
            self.addCleanup(expanded.unlink, missing_ok=True)
            if run(ANMLC, "--emit=anml", model, "-o", expanded, check=False).returncode != 0:
                continue
            done = run(ANMLC, "diff", model, expanded, "--format=json", check=False)
            if done.returncode == 2:
                continue
            compared += 1
            found = json.loads(done.stdout)
            # Gone are parameters that are no tunables, and where requirements stand.
            for part in set(PARTS) - {"parameters", "requirements"}:
                left = [e for e in found[part] if not re.match(r"processes|model|experiment|measures", e["name"])]
                self.assertEqual(left, [], f"{model}: {part}")
            verdicts = [sorted(a[side] for e in found["requirements"] if e["change"] == change for a in e["attributes"])
                        for change, side in (("removed", "before"), ("added", "after"))]
            self.assertEqual(verdicts[0], verdicts[1], model)
        self.assertGreater(compared, 1 if SANITIZED else 8)

    def test_requirements_are_compared_by_what_they_say(self):
        model = """import std.traffic
model M {
  host a
  host b
  router r
  link x: a -- r { rate = 10 Mbps, delay = 3 ms }
  link y: r -- b { rate = 10 Mbps, delay = 2 ms }
  workload w : traffic.Cbr on a { to = b, interval = 10 ms }
  REQUIRED
  run { duration = 3 s }
}
"""

        def found(before, after):
            paths = [self.fresh("before.anml"), self.fresh("after.anml")]
            for path, text in zip(paths, (before, after)):
                path.write_text(model.replace("REQUIRED", text))
            return json.loads(run(ANMLC, "diff", *paths, "--format=json", check=False).stdout)["requirements"]

        first = "require rtt(a, b) < 11 ms && hops(a, b) == 2\n  require mean_time(w) < 1 s\n  require rtt(a, b) < 20 ms"
        for same in ("require rtt(a,b)<11 ms&&hops(a,b)==2\nrequire mean_time(w)<1 s require rtt(a, b) < 20 ms",
                     "require (rtt(a, b) < 11000 us) && (hops(`a`, b)) == 2\n  require mean_time(w) < 1000 ms\n  for i in 0 ..< 1 { require rtt(a, b) < 20 ms }",
                     "require rtt(a, b) < 20 ms\n  let most = 1 s\n  require mean_time(w) < most\n  require rtt(a, b) < 11 ms && hops(a, b) == 2"):
            with self.subTest(same):
                self.assertEqual(found(first, same), [])
        other = found(first, first.replace("20 ms", "21 ms").replace("mean_time(w)", "max_time(w)"))
        self.assertEqual(sorted(e["change"] for e in other), ["added", "added", "removed", "removed"])
        failing = found("let most = 20 ms\n  require rtt(a, b) < most", "let most = 5 ms\n  require rtt(a, b)  <  most")
        self.assertEqual([e["change"] for e in failing], ["added", "removed"])
        failing = found("let most = 20 ms\n  require rtt(a, b) < most", "let most = 5 ms\n  require rtt(a, b) < most")
        self.assertEqual([e["change"] for e in failing], ["changed"])

    def test_random_changes(self):
        for seed in range(8 if SANITIZED else 40):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                before = Net(rng, rng.randrange(4, 25))
                after = before.copy(rng)
                for _ in range(rng.randrange(0, 5)):
                    self.change(rng, after)
                self.compare(before, after)

    def change(self, rng, net):
        names = list(net.nodes)
        what = rng.randrange(5)
        if what == 0:
            net.made += 1
            net.nodes[f"new{net.made}"] = 2  # none of the others has a buffer of that size: it is no renamed one
            net.add_link(f"new{net.made}", rng.choice(names))
        elif what == 1 and len(names) > 3:
            gone = rng.choice(names)
            del net.nodes[gone]
            net.links = {k: v for k, v in net.links.items() if gone not in v[:2]}
        elif what == 2:
            net.nodes[rng.choice(names)] = rng.choice([None, 4, 8])
        elif what == 3:
            net.add_link(*rng.sample(names, 2))
        elif net.links:
            key = rng.choice(sorted(net.links))
            a, b, rate, delay = net.links[key]
            net.links[key] = rng.choice([(a, b, 110 - rate, delay), (a, b, rate, rng.randrange(1, 10**8))])

    def compare(self, before, after):
        first, second = self.write(before.text()), self.write(after.text())
        found, back = self.diff(first, second), self.diff(second, first)
        self.assertEqual(self.changed(found["nodes"]), {
            **{n: "added" for n in after.nodes.keys() - before.nodes.keys()},
            **{n: "removed" for n in before.nodes.keys() - after.nodes.keys()},
            **{n: "changed" for n in before.nodes.keys() & after.nodes.keys() if before.nodes[n] != after.nodes[n]}})
        by_ends = [{frozenset(v[:2]): v[2:] for v in net.links.values()} for net in (before, after)]
        ends = {frozenset(e["name"].split(" -- ")): e["change"] for e in found["links"]}
        self.assertEqual(ends, {
            **{e: "added" for e in by_ends[1].keys() - by_ends[0].keys()},
            **{e: "removed" for e in by_ends[0].keys() - by_ends[1].keys()},
            **{e: "changed" for e in by_ends[0].keys() & by_ends[1].keys() if by_ends[0][e] != by_ends[1][e]}})
        both = before.nodes.keys() & after.nodes.keys()
        hops = {}
        for source in both:
            then, now = before.next_hops(source), after.next_hops(source)
            count = sum(then.get(to) != now.get(to) for to in both - {source})
            if count:
                hops[source] = count
        self.assertEqual({e["name"]: e["count"] for e in found["routes"]}, hops)
        self.assertEqual(found["routes_compared"], len(both) * (len(both) - 1))
        self.mirrors(found, back)

    @staticmethod
    def changed(entries):
        return {e["name"]: e["change"] for e in entries}

    def mirrors(self, found, back):
        for part in PARTS:
            self.assertEqual(found["counts"][part], {MIRRORED[c]: n for c, n in back["counts"][part].items()}, part)
            turned = lambda entries, there: sorted(
                (e["change"] if there else MIRRORED[e["change"]], a["before" if there else "after"] or "", a["after" if there else "before"] or "")
                for e in entries for a in e["attributes"])
            self.assertEqual(turned(found[part], True), turned(back[part], False), part)

    def test_renamed_nodes_and_instances(self):
        before = """component Site { router gw
  host pc[3]
  link pc[*] -- gw { rate = 100 Mbps } }
model Net {
  router core
  router left { buffer = shared_buffer(1 MB) }
  router twin[1]
  Site old
  link core -- left { rate = 1 Gbps, delay = 1 ms }
  link old.gw -- core { rate = 1 Gbps, delay = 3 ms }
  link twin[0] -- core { rate = 1 Gbps }
  require rtt(old.pc[0], left) < 9 ms
  run { duration = 1 s }
}
"""
        after = re.sub(r"\bleft\b", "west", re.sub(r"\bold\b", "hq", before))
        found = self.diff(self.write(before), self.write(after), status=1)
        self.assertEqual({e["before_name"]: e["name"] for e in found["nodes"] if e["change"] == "renamed"},
                         {"left": "west", "old.gw": "hq.gw", "old.pc[*]": "hq.pc[*]"})
        for part in ("addresses", "links", "routes"):
            self.assertEqual(found[part], [], part)
        # Two that are alike: which is which nobody knows.
        twins = "model Net {\n  router core\n  router a\n  router b\n  link core -- a { rate = 1 Gbps }\n" \
                "  link core -- b { rate = 1 Gbps }\n  run { duration = 1 s }\n}\n"
        others = re.sub(r"\ba\b", "c", re.sub(r"\bb\b", "d", twins))
        found = self.diff(self.write(twins), self.write(others), status=1)
        self.assertEqual(found["counts"]["nodes"], {"added": 2, "removed": 2, "changed": 0, "renamed": 0})

    def test_parallel_links(self):
        text = "model Net {{\n  router a\n  router b\n{}  run {{ duration = 1 s }}\n}}\n"
        link = "  link {}: a -- b {{ rate = {} Mbps }}\n"
        first = self.write(text.format(link.format("x", 1) + link.format("y", 2) + link.format("z", 3)))
        second = self.write(text.format(link.format("z", 3) + link.format("y", 5)))
        found = self.diff(first, second, status=1)
        self.assertEqual(self.changed(found["links"]), {"x": "removed", "y": "changed"})
        third = self.write(text.format(link.format("w", 1) + link.format("y", 2) + link.format("z", 3)))
        found = self.diff(first, third, status=1)
        self.assertEqual([e["attributes"] for e in found["links"]], [[{"name": "name", "before": "x", "after": "w"}]])

    def test_alike_nodes_count_each(self):
        # The same network with arrays, and with nodes and links one by one.
        ends = [("pc", 5, "r", "1 ms"), ("dual", 3, "a", "1 ms"), ("dual", 3, "b", "{e}")]
        core = "  router a\n  router b\n  router r\n  link a -- b {{ rate = 1 Gbps, delay = 1 ms }}\n" \
               "  link r -- a {{ rate = 1 Gbps, delay = 1 ms }}\n  link r -- b {{ rate = 1 Gbps, delay = {d} }}\n"
        rows = "  host pc[5]\n  host dual[3]\n" + "".join(
            f"  link {row}[*] -- {to} {{{{ rate = 1 Mbps, delay = {delay} }}}}\n" for row, _, to, delay in ends)
        single = "".join(f"  host pc{i}\n" for i in range(5)) + "".join(f"  host dual{i}\n" for i in range(3)) + "".join(
            f"  link {row}{i} -- {to} {{{{ rate = 1 Mbps, delay = {delay} }}}}\n"
            for row, count, to, delay in ends for i in range(count))
        for values in ({"d": "1.5 ms", "e": "5 ms"}, {"d": "5 ms", "e": "1.2 ms"}, {"d": "1.5 ms", "e": "1.2 ms"}):
            counts = []
            for nodes in (rows, single):
                first, second = (self.write("model Net {\n" + (core + nodes).format(**v) + "  run { duration = 1 s }\n}\n")
                                 for v in ({"d": "5 ms", "e": "5 ms"}, values))
                found = self.diff(first, second, status=1)
                counts.append((found["routes_compared"], found["counts"]["routes"]["changed"]))
            self.assertEqual(counts[0], counts[1], values)
            self.assertEqual(counts[0][0], (3 + 3) * (3 + 5 + 3 - 1))
            self.assertGreater(counts[0][1], 0)

    def test_prefixes_of_both_families(self):
        text = (ROOT / "tests/file/semantics/middlebox-ipv6.anml").read_text()
        for old, new in (("2001:db8::/64],", "2001:db8:7::/48],"), ("10.0.0.0/8", "10.0.0.0/9"), ("::/0", "2001:db8::1/128")):
            changed = self.folder / "changed.anml"
            changed.write_text(text.replace(old, new))
            found = self.diff(ROOT / "tests/file/semantics/middlebox-ipv6.anml", changed, status=1)
            self.assertIn(new.rstrip("],"), json.dumps(found))

    def test_large_arrays(self):
        wan = ROOT / "examples/paper-wan/wan.anml"
        found = self.diff(wan, wan, "-D", "N=32", "--before-define", "H=4096", "--after-define", "H=4000", status=1)
        self.assertEqual(found["counts"]["nodes"]["removed"], 32 * 96)
        self.assertEqual(found["counts"]["links"]["removed"], 32 * 96)
        self.assertEqual(len(found["nodes"]), 32)

    def test_pictures_have_both_networks(self):
        before = Net(random.Random(1), 12)
        after = before.copy(random.Random(2))
        gone = max(after.links)
        a, b, _, _ = after.links.pop(gone)
        after.nodes["fresh"] = 2
        after.add_link("fresh", "r0")
        paths = self.write(before.text()), self.write(after.text())
        dot = run(ANMLC, "diff", *paths, "--format=dot", check=False).stdout
        edges = {frozenset(m[:2]): m[2] for m in re.findall(r'"(\w+)" -- "(\w+)" .*change="([a-z ]+)"', dot)}
        self.assertEqual(edges[frozenset((a, b))], "removed")
        self.assertEqual(edges[frozenset(("fresh", "r0"))], "added")
        self.assertEqual(set(edges), {frozenset(v[:2]) for net in (before, after) for v in net.links.values()})
        self.assertEqual(sorted(edges.values()).count("the same"), len(edges) - 2)
        svg = run(ANMLC, "diff", *paths, "--format=svg", check=False).stdout
        self.assertEqual(svg.count("; removed;") + svg.count("; added;"), 3)


if __name__ == "__main__":
    unittest.main()
