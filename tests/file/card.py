"""card.py: fails where docs/card.md lacks a word of the language or a name of its library. That its blocks compile shows docs_examples.py."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
from card import keywords  # noqa: E402

read = lambda path: (ROOT / path).read_text()
card = read("docs/card.md")
words = set(re.findall(r"[A-Za-z_][A-Za-z_0-9]*|[^\sA-Za-z_0-9]+", card))

# Functions that the library's own parts need, and what a profile of the same schema shows.
INSIDE = {
    "draws": {"derived_seed", "success"}, "preferential": {"end", "source", "taken", "target", "unless_taken"},
    "mix": {"before", "class_of", "drawn_by", "fraction", "left_of", "part", "rounded", "tallied"},
    "orbit": {"ahead", "argument", "around", "ascending", "chord", "cosine", "earth", "elevation", "first_largest", "latitude", "line", "longitude",
              "period", "pi", "position_of", "radians", "rise", "light", "slant"},
    "scatter": {"apart"}, "topology": {"waxman_probability", "waxman_first", "waxman_links", "waxman_links_here", "waxman_accepts"},
    "flows": {"ali_storage", "data_mining", "fb_hadoop", "google_rpc", "hadoop"},
}


def wanted():
    """What has to be there: (what it is, the word)."""
    yield from (("keyword", word) for word in keywords())
    yield from (("function", name) for name in re.findall(r"^ANML_BUILTIN\((\w+),", read("compiler/check/expressions/builtins.def"), re.M))
    yield from (("measure", name) for name in re.findall(r"^ANML_(?:LINK_)?MEASURE\((\w+), \w+\)$", read("runtime/abi/measures.def"), re.M))
    yield from (("unit", name) for name in re.findall(r'^ANML_UNIT\("([A-Za-z]+)"', read("common/units.def"), re.M))
    yield from (("operator", text) for text in ("--", "->", "..", "..<", "==", "!=", "<=", ">=", "&&", "||", "±", "*", "%", "/", "<", ">"))
    for module in sorted(ROOT.glob("docs/stdlib/*.md")):
        text = module.read_text()
        for kind, name in re.findall(r"^## (profile|component|process|function|schema) (\w+)$", text, re.M):
            if module.stem == "prelude" and kind == "schema" or name in INSIDE.get(module.stem, ()):
                continue
            if kind == "schema" and f" : {name}" not in text and "workload" not in text.split(f"## schema {name}\n")[1].split("\n## ")[0]:
                continue
            if kind == "schema" and re.search(rf"^(profile .*|schema \w+) : {name}\b", text, re.M):
                continue  # a profile of it is there
            yield f"{kind} of {module.stem}", name
    attributes = read("docs/stdlib/prelude.md")
    for schema in ("Link", "Tcp", "Host", "Router", "Switch", "Endpoint", "Run", "Routing", "SegmentList", "Addressing", "Queue"):
        section = attributes.split(f"## schema {schema}\n")[1].split("\n## ")[0]
        yield from ((f"attribute of {schema}", name) for name in re.findall(r"^\| `(\w+)` \|", section, re.M))


found = list(wanted())
missing = [f"{what}: {word}" for what, word in found
           if word not in words and f"{word.removesuffix('gigabit')}" not in words and not (not word[0].isalnum() and word in card)]
if len(found) < 300:
    missing.append(f"only {len(found)} words were looked for")
if missing:
    sys.exit("docs/card.md has not:\n" + "\n".join(missing))
