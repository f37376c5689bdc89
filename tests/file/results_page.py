"""results_page.py [--write]: fails where docs/results.md or docs/results.schema.json lack a figure of common/result_figures.h, or say
another thing of it; --write makes it so. Older results have fewer figures: which of them are required stands in the schema."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
PAGE, SCHEMA = ROOT / "docs/results.md", ROOT / "docs/results.schema.json"
# Of each list what its keys are called on the page, the line there that they follow, and the objects in the schema that have them.
LISTS = {
    "WEB": ("transactions.", "transactions.by_status", "transactions"),
    "PAGE": ("pages.", "pages", "pages"),
    "CALL": ("calls.", "calls", "calls"),
    "OFFERED": ("offered.", "offered", "offered"),
    "ARRIVAL": ("arrivals.", "arrivals", "arrivals"),
    "DATAGRAM": ("datagrams.", "datagrams", "datagrams"),
    "ECHO": ("requests.", "requests", "requests"),
    "FLUID": ("fluid.", "fluid", "fluid"),
    "FLOW": ("flows.", "flows", "flows"),
    "SERVER": ("servers[].", "servers", "servers"),
    "IMPAIRMENT": ("impaired_links[].", "impaired_links", "impaired_links"),
    "BUFFER": ("buffers[].", "buffers", "buffers"),
    "DROP": ("packets.dropped.", "packets.dropped", "dropped"),
}
TEXT = r'"(?:[^"\\]|\\.)*"'
FIGURE = re.compile(rf"(COUNT|OPEN|VALUE)\((\w+), (\w+), \w+, \w+,[\s\\]*({TEXT}),[\s\\]*((?:{TEXT}[\s\\]*)+)\)")


def figures(name):
    """Key, type in the schema, and what is said of it."""
    whole = (ROOT / "common/result_figures.h").read_text()
    body = re.search(rf"#define ANML_{name}_FIGURES\(COUNT, OPEN, VALUE\)((?:.*\\\n)*.*\n)", whole).group(1)
    found = [(key, "maybe_number" if kind == "VALUE" else "count", "".join(json.loads(text) for text in re.findall(TEXT, meaning)))
             for kind, key, _, _, meaning in FIGURE.findall(body)]
    assert len(found) == len(re.findall(r"\b(?:COUNT|OPEN|VALUE)\(", body)) > 0, name
    return found


def objects(schema, name):
    """The objects of the schema of that name, of arrays their elements."""
    if isinstance(schema, list):
        for each in schema:
            yield from objects(each, name)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key == name and isinstance(value, dict):
            value = value.get("items", value)
            if "properties" in value:
                yield value
        yield from objects(value, name)


page, schema = PAGE.read_text(), json.loads(SCHEMA.read_text())
before = json.dumps(schema)
lines = page.splitlines()
for name, (prefix, behind, of) in LISTS.items():
    listed = figures(name)
    ours = {f"| `{prefix}{key}` |" for key, _, _ in listed}
    lines = [line for line in lines if not any(line.startswith(start) for start in ours)]
    at = next(i for i, line in enumerate(lines) if line.startswith(f"| `{behind}` |")) + 1
    lines[at:at] = [f"| `{prefix}{key}` | {meaning} |" for key, _, meaning in listed]
    keys = {key for key, _, _ in listed}
    # Other objects are called `requests` or `dropped`, too: those that are it have most of the keys.
    found = [each for each in objects(schema, of) if len(keys & set(each["properties"])) * 2 > len(keys)]
    assert found, name
    for each in found:
        for key, kind, _ in listed:
            each["properties"].setdefault(key, {"$ref": f"#/definitions/{kind}"})
made = "\n".join(lines) + "\n"
if "--write" in sys.argv:
    PAGE.write_text(made)
    if json.dumps(schema) != before:
        SCHEMA.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
elif made != page or json.dumps(schema) != before:
    sys.exit("docs/results.md or docs/results.schema.json differ from common/result_figures.h: run tests/file/results_page.py --write")
