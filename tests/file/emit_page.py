"""Compares docs/emit.md with what --emit=network, routes and tasks print: every key has to stand there in backquotes.

The models are those of the documentation and the examples, so that a new construct's keys are seen.
Usage: emit_page.py ANMLC
"""
import json
import pathlib
import re
import subprocess
import sys

from docs_examples import blocks

ROOT = pathlib.Path(__file__).resolve().parents[2]


def models():
    for page in sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")]):
        yield from (text for _, text in blocks(page.read_text()) if "model " in text)
    yield from (path.read_text() for path in sorted(ROOT.glob("examples/**/*.anml")))


def keys(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


def main(anmlc):
    page = set(re.findall(r"`([a-z_]+)`", (ROOT / "docs/emit.md").read_text()))
    # Settings of TCP, links, workloads and distributions are the language's own.
    page |= set(re.findall(r"`([a-z_]+)`", (ROOT / "docs/language.md").read_text()))
    missing, printed = set(), 0
    for text in models():
        for kind in ("network", "routes", "tasks"):
            done = subprocess.run([anmlc, f"--emit={kind}", "-"], input=text, capture_output=True, text=True, timeout=60)
            if done.returncode != 0:
                continue  # several models in one file, or files beside it
            printed += 1
            missing |= {f"{kind}: {key}" for key in keys(json.loads(done.stdout)) if key not in page}
    for key in sorted(missing):
        print(f"docs/emit.md does not say what `{key.split()[1]}` is ({key})")
    return bool(missing) or printed < 60


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
