"""Compares docs/emit.md with what --emit=network, routes and tasks print: every key has to stand there in backquotes, and
the whole has to be as docs/emit.schema.json says.

The models are those of the documentation and the examples, so that a new construct's keys are seen.
Usage: emit_page.py ANMLC
"""
import json
import os
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:  # another Python than the one that Debian's package is for
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["python3", *sys.argv])

from docs_examples import blocks, pages

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/differential"))
import batch  # noqa: E402


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


NUMBER_OF_A_NAME = re.compile(r'[0-9]+(?=[^",:{}]*")')  # in a string, or there would be a comma or a brace before the next quote
RIGHT = set()  # items of lists and their schemas, by identity


def items(validator, schema, instance, _):
    """jsonschema's own, for items unlike those that were right: of 100 000 hosts most differ by their number and address."""
    for index, item in enumerate(instance if isinstance(instance, list) else []):
        key = id(schema), NUMBER_OF_A_NAME.sub("0", json.dumps(item))
        if key not in RIGHT:
            errors = list(validator.descend(item, schema, path=index))
            yield from errors
            if not errors:
                RIGHT.add(key)


def main(anmlc):
    page = set(re.findall(r"`([a-z0-9_]+)`", (ROOT / "docs/emit.md").read_text()))
    # Settings of TCP, links, workloads and distributions are the language's own.
    for chapter in pages("docs/language"):
        page |= set(re.findall(r"`([a-z0-9_]+)`", chapter.read_text()))
    # So are those of the library, which records have by their names.
    for module in pages("docs/stdlib"):
        page |= set(re.findall(r"`([a-z0-9_]+)`", module.read_text()))
    missing, printed = set(), 0
    schema = json.loads((ROOT / "docs/emit.schema.json").read_text())
    validator = jsonschema.validators.extend(jsonschema.Draft7Validator, {"items": items})
    checks = {kind: validator({**schema, "$ref": f"#/definitions/{kind}"}) for kind in schema["definitions"]}
    wrong = 0
    for text in models():
        for kind in ("network", "routes", "tasks"):
            done = batch.run(anmlc, [f"--emit={kind}", "-"], input=text)
            if done.returncode != 0:
                continue  # several models in one file, or files beside it
            printed += 1
            value = json.loads(done.stdout)
            missing |= {f"{kind}: {key}" for key in keys(value) if key not in page}
            for error in checks[kind].iter_errors(value):
                print(f"docs/emit.schema.json: {kind}: {error.json_path}: {error.message[:200]}")
                wrong += 1
    for key in sorted(missing):
        print(f"docs/emit.md does not say what `{key.split()[1]}` is ({key})")
    return bool(missing) or wrong or printed < 60


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
