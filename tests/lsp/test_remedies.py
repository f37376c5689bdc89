#!/usr/bin/env python3
"""The changes that diagnostics propose, over all texts of the tests: each mends its diagnostic and breaks nothing; and a
help that says exactly what to write has one."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from client import ANMLC, ROOT, SANITIZED

sys.path.insert(0, str(ROOT / "tests/differential"))
import batch  # noqa: E402

LONGEST = 60000  # bytes of a text that is tried
# A help that leaves nothing open: what stands between its quotes is what is written, and no example.
CERTAIN = re.compile(r"^(write `[^`]*`(, or `[^`]*`| or `[^`]*`)?"
                     r"|write `[^`]*` for a rate, `[^`]*` for a size|write \w+ \(.*\) or \w+ \(.*\)|.*remove it"
                     r"|remove .*|add `[^`]*`|leave it out(: .*)?|leave out one of the two|there is `[^`(]*`"
                     r"|`import [^`]*` makes .*known|there are labels `[^`]*`|choose .*: `.*|\"?\w+\"? is written `[^`]*`)$")
# Forms, and what another file, or several places, would have to say.
OPEN = re.compile(r"\.\.\.|setting it changes nothing|\b[A-Z]{4,}\b|reason`|write `override |^write `@task|\[1, 2, 4\]"
                  r"|write `\w+\(.*\)`|its `\w+` says which|ms \+/- ")
# Names that a message suggests and that are no words of the main text: on the command line, in tables and manifests.
NO_TEXT = {"unknown-tunable", "invalid-manifest", "unknown-parameter", "no-model"}
# What else is wrong in the same line, and was not looked for before.
COME_TO_LIGHT = {
    ("folders.anml", "unknown-name"), ("bad.anml", "private-name"), ("network-server-host.anml", "invalid-selection"),
    ("names-quoted-trace.anml", "type-mismatch"), ("statements-int.anml", "syntax-error"),
    ("names-self.anml", "unknown-name"), ("statements-import-path.anml", "syntax-error"),
    ("names-module-folder.anml", "unknown-import"), ("list-values.anml", "unused-declaration"),
    ("tcp-not-imported.anml", "unknown-name"), ("unknown-type.anml", "unknown-type"),
}


def said(path):
    command = ["lint", str(path), "--error-format=json"]
    if batch.WANTED:
        done = batch.run(ANMLC, command)
    else:
        done = subprocess.run([ANMLC, *command], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
    return [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]


def edits_of(fix):
    """By file, from the last to the first."""
    files = collections.defaultdict(list)
    for one in [fix, *fix.get("more", [])]:
        files[one["place"]["file"]].append(one)
    for edits in files.values():
        edits.sort(key=lambda e: (e["place"]["byte_begin"], e["place"]["byte_end"]), reverse=True)
    return files


def applied(text, edits):
    for e in edits:
        text = text[:e["place"]["byte_begin"]] + e["replacement"].encode() + text[e["place"]["byte_end"]:]
    return text


def key(d):
    return d["name"], d["message"]


def tried(folder, path):
    """What is wrong with the fixes of one text, whose folder is only this one's."""
    wrong, fixed, helps = [], set(), []
    before = said(path)
    for d in before:
        for text in d["helps"]:
            if CERTAIN.match(text) and not OPEN.search(text) and not d["fixes"] and d["name"] not in NO_TEXT:
                helps.append((path.name, d["name"], text))
        new = []  # by fix: errors that come of it
        for fix in d["fixes"]:
            files = edits_of(fix)
            if not all(pathlib.Path(f).resolve().is_relative_to(folder) for f in files):
                continue  # of the library
            saved = {f: pathlib.Path(f).read_bytes() for f in files}
            changed = {f: applied(saved[f], files[f]) for f in files}
            for f, text in changed.items():
                pathlib.Path(f).write_bytes(text)
            after = said(path)
            for f, text in saved.items():
                pathlib.Path(f).write_bytes(text)
            count = lambda all: sum(key(o) == key(d) for o in all)
            where = f"{path.relative_to(folder)}:{d['place']['line'] if d['place'] else 0}: {d['name']}: {fix['replacement']!r}"
            if count(after) >= count(before):
                wrong.append(f"{where}: it is still there: {d['message']}")
            else:
                fixed.add(d["name"])
            old = collections.Counter(map(key, before))
            new.append([])
            first = fix["place"]["line"]
            last = first + fix["replacement"].count("\n")
            for o in after:
                near = o["place"] and o["place"]["file"] in files and first <= o["place"]["line"] <= last
                if o["severity"] == "error" and key(o) not in old and near:
                    new[-1].append(f"{where}: new: {o['name']}: {o['message']}")
        if new and all(new) and (path.name, d["name"]) not in COME_TO_LIGHT:  # of alternatives one is meant
            wrong += sum(new, [])
    return wrong, fixed, helps


class Remedies(unittest.TestCase):
    def test_corpus(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            texts, work = [], []
            for part in ("file", "data"):
                for path in sorted((ROOT / "tests" / part).rglob("*.anml")):
                    if path.stat().st_size <= LONGEST:
                        texts.append(path.relative_to(ROOT / "tests"))
            if SANITIZED:
                texts = texts[::10]
            threads = os.cpu_count() or 1
            for i in range(threads):
                for part in ("file", "data"):
                    shutil.copytree(ROOT / "tests" / part, folder / str(i) / part,
                                    ignore=shutil.ignore_patterns("Output"))
            with concurrent.futures.ThreadPoolExecutor(threads) as pool:
                done = [pool.submit(lambda i: [tried(folder / str(i), folder / str(i) / t) for t in texts[i::threads]], i)
                        for i in range(threads)]
                results = [one for future in done for one in future.result()]
        wrong = [w for r in results for w in r[0]]
        names = set().union(*(r[1] for r in results))
        helps = sorted({h for r in results for h in r[2]})
        print(f"{len(texts)} texts; fixed: {len(names)} kinds: {', '.join(sorted(names))}", file=sys.stderr)
        faults = wrong + [f"{file}: {name}: no change is proposed for: {text}" for file, name, text in helps]
        self.assertFalse(faults, "\n" + "\n".join(faults))
        if not SANITIZED:
            self.assertGreater(len(names), 30)


if __name__ == "__main__":
    unittest.main()
