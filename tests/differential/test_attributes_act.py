"""Every attribute of the standard library's schemas acts: models that differ in it alone run otherwise. Which models these are says attribute_pairs.py; an
attribute that it doesn't name fails.

Most scenes stand beside others in one model (joined_scenes.py), which is compiled once with the first values, once with the second ones, and so on: what changes is
looked up in the figures of each scene. Where they don't differ, or the scene cannot be joined with others, each value has a model of its own, and the digest decides.
With ANML_ALL they all have."""
import collections
import concurrent.futures
import itertools
import json
import os
import re
import unittest

import attribute_scenes as on
import queue_scenes as queues
from attribute_pairs import PAIRS, Pair
from attribute_scenes import scene
from emulators import ALL, ANMLC, EmulatorTest, run
from joined_scenes import duration, joined

TABLE = "PAIRS in tests/differential/attribute_pairs.py"


def declared(checked):
    """Of what `--emit=checked` printed: by each schema's name its own attributes with their types, without those of its base; and the values of enums."""
    schemas, bases, enums = {}, {}, {}
    into = None
    for line in checked.splitlines():
        if opened := re.fullmatch(r"(schema|enum) ([\w.]+)(?: : ([\w.]+))?", line):
            kind, name, bases[name] = opened.groups()
            into = schemas.setdefault(name, {}) if kind == "schema" else enums.setdefault(name.split(".")[-1], [])
        elif not line.startswith("  "):
            into = None
        elif isinstance(into, list):
            into.append(line.strip())
        elif into is not None and not line.startswith(("  require ", "  trait ")):
            name, type = re.fullmatch(r"  (?:@\w+\([^)]*\) )?(\w+): (.+)", line).groups()
            into[name] = type
    own = {name: {a: t for a, t in attributes.items() if a not in schemas.get(bases[name], {})} for name, attributes in schemas.items()}
    return own, enums


def library():
    """The same of the standard library, as the compiler brings it along: `web.Server`, not `std.web.Server`; the prelude's without a prefix."""
    listing = run(ANMLC, "doc", "--format", "markdown").stdout
    modules = re.findall(r"^## (std\.\w+)$", listing, re.M)
    text = "".join(f"import {module}\n" for module in modules)
    schemas, enums = declared(run(ANMLC, "--emit=checked", "-", "-o", "-", input=text).stdout)
    assert len(schemas) == len(re.findall(r"^### schema ", listing, re.M)), "--emit=checked and doc know different schemas"
    return {re.sub(r"^std\.(prelude\.)?", "", name): attributes for name, attributes in schemas.items()}, enums


def without_pair(schemas, enums, pairs):
    """What the table lacks, and what it has too much, as messages."""
    for schema, attributes in schemas.items():
        for attribute, type in attributes.items():
            pair = pairs.get(schema, {}).get(attribute)
            if pair is None:
                yield (f"{schema}.{attribute} ({type}) has no pair: add a line `\"{attribute}\": Pair(on.SCENE, VALUE, OTHER)` under \"{schema}\" to {TABLE}, "
                       "with a scene in which the two values run otherwise")
                continue
            enum = re.match(r"`(\w+)`", type)
            missing = [value for value in enums.get(enum and enum[1], []) if value not in (*pair.values, *pair.refused)]
            if missing:
                yield f"{schema}.{attribute} is not tried as {', '.join(missing)}: add what is missing to its line of {TABLE}"
    for schema, attributes in pairs.items():
        for attribute in attributes:
            if attribute not in schemas.get(schema, {}):
                yield f"the library has no {schema}.{attribute} (any more): take its line out of {TABLE}"


def figure(results, path):
    """What stands at a path of the results: `workloads.0.requests.lost`."""
    for step in path.split("."):
        results = results[int(step) if isinstance(results, list) else step]
    return results


# Of the results, what says how a run was made and how long it took on this machine, or repeats what the model gives.
NOT_FIGURES = {"command", "source", "started", "versions", "wall_seconds", "cpu_seconds", "parameters", "window"}


def differing(one, other, path=()):
    """The paths at which the results of two runs differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one.keys() - (set() if path else NOT_FIGURES):
            yield from differing(one[key], other[key], (*path, key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other)):
            yield from differing(*pair, (*path, str(index)))
    elif one != other:
        yield ".".join(path)


def idle(pairs, outcomes):
    """A message for each two values of an attribute that run alike, and for each model that does not run."""
    for schema, row in pairs.items():
        for attribute, pair in row.items():
            found = [(value or "nothing given", outcomes[text]) for value, text in zip(pair.values, pair.texts(attribute))]
            # Where it shows in what the compiler or the run says of the model, that is no fault.
            fault = {"invalid": None, "refused": "invalid"}.get(pair.seen, "refused")
            failed = [f"{schema}.{attribute}, {value}: {outcome[fault]}" for value, outcome in found if fault and outcome[fault]]
            yield from failed
            for (value, one), (other, two) in itertools.combinations(found, 2) if not failed else ():
                seen = figure(one, pair.seen)
                if seen != figure(two, pair.seen):
                    continue
                besides = sorted(differing(one, two))[:4]
                yield (f"{schema}.{attribute} does not act: `{pair.seen}` is {seen} with {value} and with {other}. Either the run does not read it, or "
                       f"its line of {TABLE} needs values or a scene that show it"
                       + (f"; what differs is {', '.join(f'`{path}`' for path in besides)}" if besides else ""))


# Of the results, lists of which each row is of one scene: its `name`, or that of its node, begins with the scene's.
LISTS = ("workloads", "middleboxes", "buffers", "radios", "servers", "busiest_links", "fluid_links", "impaired_links")
TOGETHER = 60  # scenes in a model: as many have fewer links than results list
# Scenes of joined models that stay as they are, and run alike in all of them: none has a part in another.
STAY = [on.WORKLOAD.text({}), on.TCP_LOSSY.text({}), on.SERVER.text({}), on.PING.text({}), queues.CELL.text({})]


def of_each_scene(results):
    """By the place of each scene the lists of what is its own."""
    found = collections.defaultdict(lambda: {key: [] for key in LISTS})
    for key in LISTS:
        for row in sorted(results.get(key, ()), key=lambda row: row.get("name") or row["node"]):
            place = re.search(r"\bs(\d+)\b", row.get("name") or row["node"])
            found[int(place[1])][key].append(row)
    assert len(results["busiest_links"]) < 1000, "some links are left out: join fewer scenes"
    return found


def of_packets(scene):
    """What cannot differ without another digest: where packets were, how many, and how long they waited or took."""
    return [scene[key] for key in ("buffers", "radios", "busiest_links", "fluid_links", "impaired_links")], [row.get("delay_seconds") for row in scene["workloads"]]


class AttributesTest(EmulatorTest):
    def shown(self, pairs):
        """Those attributes, as (schema, attribute), that act in joined models."""
        members = collections.defaultdict(list)
        for schema, row in pairs.items():
            for attribute, pair in row.items():
                texts = pair.texts(attribute)
                [seconds, *others] = {duration(text) for text in texts}
                if pair.seen.split(".")[0] in ("digest", *LISTS) and seconds and not others:
                    members[seconds].append(((schema, attribute), pair, texts))
        batches = []
        for seconds, all_of_it in sorted(members.items()):
            # Those with the most values beside each other. Who has no further one has the first one again: some draws hang on how many links a model has.
            all_of_it.sort(key=lambda member: -len(member[2]))
            batches += [(seconds, all_of_it[first : first + TOGETHER]) for first in range(0, len(all_of_it), TOGETHER)]
        numbers = itertools.count()

        def runs(batch):
            seconds, chunk = batch
            models = [joined(STAY + [texts[turn if turn < len(texts) else 0] for _, _, texts in chunk], seconds) for turn in range(len(chunk[0][2]))]
            return [self.outcome((f"joined{next(numbers)}", model)) for model in models]

        found = set()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (_, chunk), outcomes in zip(batches, pool.map(runs, batches)):
                if any(outcome["refused"] for outcome in outcomes):
                    continue  # each for itself says more
                scenes = [of_each_scene(outcome) for outcome in outcomes]
                for place, again in enumerate([1] * len(STAY) + [len(texts) for _, _, texts in chunk]):
                    for other in scenes[again:]:
                        self.assertEqual(other[place], scenes[0][place], "a scene runs otherwise without a change of its own")
                for place, (name, pair, texts) in enumerate(chunk, len(STAY)):
                    figures = [of_packets(scene[place]) if pair.seen == "digest" else figure(scene[place], pair.seen) for scene in scenes[: len(texts)]]
                    if all(one != other for one, other in itertools.combinations(figures, 2)):
                        found.add(name)
        return found

    def outcome(self, numbered):
        """The results of a model that is run. `refused` says why it is not, `invalid` of one that the compiler doesn't take either."""
        number, text = numbered
        folder = self.folder / str(number)  # of its own: compilations in one look for each other's remains
        folder.mkdir()
        model, emulator, results = folder / "pair.anml", folder / "pair", folder / "results.json"
        model.write_text(text)
        compiled = run(ANMLC, "-O0", "--error-format", "short", model, "-o", emulator, check=False)
        if compiled.returncode != 0:
            return {"invalid": compiled.stderr.strip(), "refused": compiled.stderr.strip()}
        done = run(emulator, "simulate", "--threads", "1", "--results", results, check=False)
        emulator.unlink()
        if done.returncode != 0:
            return {"invalid": None, "refused": done.stderr.strip()}
        return {"invalid": None, "refused": None, **json.loads(results.read_text())}

    def idle(self, pairs):
        """Every text once, whichever pairs it is in: most share that of what nothing is given for."""
        shown = set() if ALL else self.shown(pairs)
        pairs = {schema: {attribute: pair for attribute, pair in row.items() if (schema, attribute) not in shown} for schema, row in pairs.items()}
        texts = list(dict.fromkeys(text for row in pairs.values() for attribute, pair in row.items() for text in pair.texts(attribute)))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(idle(pairs, dict(zip(texts, pool.map(self.outcome, enumerate(texts))))))


class Library(AttributesTest):
    def assert_none(self, messages):
        if messages := list(messages):
            self.fail("\n" + "\n".join(messages))

    def test_every_attribute_has_a_pair(self):
        schemas, enums = library()
        self.assertGreaterEqual(len(schemas), 22)
        self.assertGreaterEqual(sum(map(len, schemas.values())), 120)
        del schemas["Experiment"]  # many runs instead of one: test_experiments.py
        self.assert_none(without_pair(schemas, enums, PAIRS))

    def test_every_attribute_acts(self):
        self.assert_none(self.idle(PAIRS))


# A link with an attribute that the language reads and no run does.
MARKED = """schema Marked : Link {
  label: int in 1..9 = 1
  colour: Colour = red
  require self.label > 0 && self.colour != black
}
enum Colour { red, blue, black }
"""
SCENE = scene("""
  profile p : Marked { ATTRIBUTES }
  host a
  router r
  link x: a -- r : p
  workload w : traffic.Ping on a { to = r, interval = 10 ms }
  run { duration = 100 ms }""", above=MARKED, rate="10 Mbps")


class ThisTestFails(AttributesTest):
    """Where it should."""

    def test_for_an_attribute_that_nothing_reads(self):
        found = self.idle({"Marked": {"label": Pair(SCENE, None, "2"), "rate": Pair(SCENE, "10 Mbps", "20 Mbps")}})
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"^Marked.label does not act: `digest` is \w{16} with nothing given and with 2\. .* of PAIRS in tests/differential/")

    def test_for_equal_values(self):
        found = self.idle({"Marked": {"rate": Pair(SCENE, "10 Mbps", "1 Mbps", "10000 Kbps"), "mtu": Pair(SCENE, None, "576 B", seen="packets.sent")}})
        self.assertEqual(len(found), 2, found)
        self.assertRegex(found[0], r"^Marked.rate does not act: `digest` is \w{16} with 10 Mbps and with 10000 Kbps\.")
        self.assertRegex(found[1], r"^Marked.mtu does not act: `packets.sent` is \d+ with nothing given and with 576 B\.")

    def test_for_a_digest_that_stays(self):
        """And says what figures would do."""
        ping = scene(SCENE.body.replace("interval = 10 ms", "interval = 10 ms, ATTRIBUTES").replace("ATTRIBUTES }", "rate = 10 Mbps }", 1), above=MARKED)
        found = self.idle({"traffic.Ping": {"timeout": Pair(ping, None, "10 us")}})
        self.assertEqual(len(found), 1, found)
        self.assertRegex(found[0], r"what differs is .*`workloads\.0\.requests\.\w+`")

    def test_for_models_that_do_not_run(self):
        found = self.idle({"Marked": {"rate": Pair(SCENE, "10 Mbps", "10 ms"), "label": Pair(SCENE, "1", "0", seen="refused")}})
        self.assertEqual(len(found), 2, found)
        self.assertIn("Marked.rate, 10 ms: ", found[0])
        self.assertIn("unit-mismatch", found[0])
        self.assertIn("out-of-range", found[1])

    def test_for_what_the_table_lacks(self):
        schemas, enums = declared(run(ANMLC, "--emit=checked", "-", "-o", "-", input=MARKED).stdout)
        self.assertEqual(list(schemas["Marked"]), ["label", "colour"])  # and none of those of Link
        only = {"Marked": schemas["Marked"]}
        found = list(without_pair(only, enums, {"Marked": {"colour": Pair(SCENE, "red", "blue"), "gone": Pair(SCENE, "1", "2")}}))
        self.assertEqual(len(found), 3, found)
        self.assertRegex(found[0], r'^Marked.label \(int in 1 \.\. 9 = 1\) has no pair: add a line `"label": Pair\(.*\)` under "Marked" to PAIRS in tests/')
        self.assertRegex(found[1], "^Marked.colour is not tried as black: ")
        self.assertRegex(found[2], r"^the library has no Marked\.gone")


if __name__ == "__main__":
    unittest.main()
