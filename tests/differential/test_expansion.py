"""`--emit=anml` prints a program that is the same network: compiled, it has the same nodes, links, routes and packets."""
import json
import re
import sys
import unittest

from emulators import ALL, ANMLC, ROOT, SANITIZED, EmulatorTest, asks_real_servers, run

sys.path.insert(0, str(ROOT / "tests/file"))
from docs_examples import FOLDERS, blocks  # noqa: E402

BENCHES = {"dumbbell": (), "many_clients": ("-D", "clients=100"), "fat_tree": ("-D", "k=4"), "udp_chain": (), "forms": ("-D", "form=table"), "epochs": ("-D", "n=40", "-D", "form=wander"), "web_chain": (), "wide_wan": (),
           "memory": ("-D", "hosts=100", "-D", "senders=10", "-D", "clients=10")}


def pages():
    """The examples of the documentation that are models: their place and text."""
    for page in sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")]):
        for line, text in blocks(page.read_text()):
            if "model " in text:
                yield f"{page.relative_to(ROOT)}:{line}", text


def labels(network):
    """The labels that each node, link and workload has by key, its own or of the innermost instance around it."""
    found, around = {}, []
    for label in network.get("labels", []):
        key, value = label["key"], label["value"]
        for part in label["nodes"]:
            found.update({("node", part["node"], i, key): value for i in range(part["first"], part["first"] + part["count"])})
        for part in label["links"]:
            found.update({("link", part["link"], i, key): value for i in range(part["first"], part["first"] + part["count"])})
        found.update({("workload", w, 0, key): value for w in label["workloads"]})
        around += [(instance + ".", key, value) for instance in label["instances"]]
    things = [("node", n["name"], n["name"], n["count"]) for n in network["nodes"]] + [("link", k["name"], k["name"], k["count"]) for k in network["links"]]
    things += [("workload", i, w["name"], 1) for i, w in enumerate(network["workloads"])]
    for path, key, value in sorted(around, key=lambda each: -len(each[0])):
        for kind, what, name, count in things:
            if name.startswith(path):
                for i in range(count):
                    found.setdefault((kind, what, i, key), value)
    return {what: value for what, value in found.items() if value}


def normal(network):
    """--emit=network, without what an expansion does not keep: parameters that are no tunables, which addresses the text
    sets, in which instance a requirement stands, and which changes of the timeline were one statement."""
    network = dict(network)
    network.pop("ipv6_pool", None)  # all addresses are set
    network["parameters"] = [p for p in network["parameters"] if p["tunable"]]
    network["nodes"] = [{k: v for k, v in n.items() if k != "explicit_address"} for n in network["nodes"]]
    # Records are numbered as the text comes to them.
    records = network.pop("records")
    def of(row):
        return [of(each) for each in row] if isinstance(row, list) else None if row is None else records[row]
    network["nodes"] = [{**n, "tcp": of(n["tcp"])} if "tcp" in n else n for n in network["nodes"]]
    network["links"] = [{**link, "impairment": of(link["impairment"])} if "impairment" in link else link for link in network["links"]]
    network["traces"] = [{**t, "name": t["name"].rpartition("/")[2]} for t in network["traces"]]
    network["regions"] = [{k: v for k, v in r.items() if k != "name"} for r in network.get("regions", [])]
    network["requirements"] = sorted(str(r["holds"]) for r in network["requirements"])
    network["labels"] = labels(network)
    rows = []
    for row in network["timeline"]:
        row = {key: value for key, value in row.items() if key != "subject"}
        targets = [("links", t) for t in row["links"]] + [("nodes", t) for t in row["nodes"]]
        targets += [("workloads", t) for t in row["workloads"]]
        for kind, target in targets:
            rows.append({**row, "links": [], "nodes": [], "workloads": [], kind: [target]})
    # The two rows of a queue's change alternate.
    network["timeline"] = sorted(rows, key=lambda r: r["attribute"] == "packets")
    return network


class Expansion(EmulatorTest):
    maxDiff = 4000

    def expand(self, model, *options):
        """The expansion of a model beside it, so that it finds the same files."""
        made = self.fresh("expanded.anml")
        run(ANMLC, *FOLDERS, "--emit=anml", *options, model, "-o", made)
        run(ANMLC, "fmt", "--check", made)
        again = self.fresh("again.anml")
        run(ANMLC, "--emit=anml", made, "-o", again)
        self.assertEqual(made.read_text(), again.read_text())
        network = json.loads(run(ANMLC, *FOLDERS, "--emit=network", *options, model, "-o", "-").stdout)
        self.assertEqual(normal(network), normal(json.loads(run(ANMLC, "--emit=network", made, "-o", "-").stdout)))
        return made, network

    def warnings(self, model, *options):
        """The names of what the linter warns of."""
        said = run(ANMLC, "lint", "--error-format=short", *FOLDERS, *options, model, check=False).stderr
        return set(re.findall(r"warning\[([a-z-]+)\]", said)) - {"slower-than-real-time"}

    def assertBehavesTheSame(self, model, *options, runs=True):
        made, network = self.expand(model, *options)
        if SANITIZED or not runs:
            return  # runs of all these models have sanitizers elsewhere
        routes = run(ANMLC, *FOLDERS, "--emit=routes", *options, model, "-o", "-").stdout
        self.assertEqual(routes, run(ANMLC, "--emit=routes", made, "-o", "-").stdout)
        self.assertLessEqual(self.warnings(made), self.warnings(model, *options))
        if asks_real_servers(network):
            return
        second = 1_000_000_000
        measured = 3 * second if ALL else second
        time = min(network["duration"], network["warmup"] + measured) if isinstance(network["duration"], int | float) else measured
        results = [
            self.simulate(self.compile(text, *FOLDERS, "-O0", *arguments), "--for", f"{time / second}s", thresholds=False)
            for text, arguments in ((model, options), (made, ()))
        ]
        for key in ("digest", "packets", "transactions", "workloads", "servers", "busiest_links", "seed"):
            self.assertEqual(results[0].get(key), results[1].get(key), key)

    def test_examples(self):
        for model in sorted((ROOT / "examples").glob("*/*.anml")):
            with self.subTest(model.name):
                self.assertBehavesTheSame(model)

    def test_benches(self):
        for model in sorted((ROOT / "tests/bench/models").glob("*.anml")):
            with self.subTest(model.name):
                self.assertBehavesTheSame(model, *BENCHES[model.stem])

    def test_documentation(self):
        """Where not all is tried every third is run, too."""
        count = 0
        for place, text in pages():
            with self.subTest(place):
                model = self.fresh("page.anml")
                model.write_text(text)
                self.assertBehavesTheSame(model, runs=ALL or count % 3 == 0)
                count += 1
        self.assertGreater(count, 25)

    def test_file_tests(self):
        """Models of the compiler's own tests that compile: all, or every fourth."""
        count = 0
        for model in sorted((ROOT / "tests/file").glob("**/*.anml"))[::1 if ALL else 4]:
            options = ["-I", model.parent / "Inputs"]
            compiles = run(ANMLC, *options, "--emit=network", model, "-o", "/dev/null", check=False)
            if compiles.returncode != 0 or "Inputs" in model.parts or model.stem == "inexpressible":
                continue
            with self.subTest(model.name):
                self.expand(model, *options)
                count += 1
        self.assertGreater(count, 30 if ALL else 10)


if __name__ == "__main__":
    unittest.main()
