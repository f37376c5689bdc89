"""editor_words.py [--write]: the keywords in what editors colour by, from one list: grammar/AnmlLexer.g4 has the words, CLASSES what kinds they are of; and the types, which the compiler has.

Without --write it fails where a file has other words. tree-sitter's grammar.js names its words where they stand; tests/editors/test_grammars.py looks
for each of them there."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXTMATE, SCANNER = "editors/textmate/anml.tmLanguage.json", "editors/tree-sitter-anml/src/scanner.c"
EMACS, PYGMENTS = "editors/emacs/anml-mode.el", "bindings/python/src/anml/highlight.py"
CLASSES = {
    "declarations": "model component experiment schema profile enum process function graph",
    "nodes": "router switch host endpoint link workload",
    "control": "for while if then else yield",
    "statements": "import edition as let state require run addressing routing route tunable random override matching on at every from ramp in",
    "constants": "true false self",
    "sometimes": "table extra pub label report",  # at the beginning of a line, before certain others: patterns of each file
}
CLASSES = {name: words.split() for name, words in CLASSES.items()}
TYPES = re.findall(r'^    \{"([a-z]+)", TypeKind::', (ROOT / "compiler/check/expressions/types.cpp").read_text(), re.M)
ALWAYS = [word for name, words in CLASSES.items() if name != "sometimes" for word in words]


def quoted(words, comma=", "):
    return comma.join(f'"{word}"' for word in words)


def filled(text, indent, width):
    lines, line = [], ""
    for part in text.split(" "):
        if line and len(indent) + len(line) + 1 + len(part) > width:
            lines.append(line)
            line = part
        else:
            line = f"{line} {part}".strip()
    return ("\n" + indent).join([*lines, line])


def once(text, pattern, made, count=1):
    changed, found = re.subn(pattern, lambda match: made, text)
    if found != count:
        sys.exit(f"tests/file/editor_words.py: {found} times instead of {count}: {pattern}")
    return changed


def textmate(text):
    either = "|".join
    text = once(text, r"(?<=\(\?!\(\?:)addressing\|[a-z|]+(?=\)\\\\b\))", either(sorted(ALWAYS)), 2)
    text = once(text, r"(?<=\\\\b\()for\|[a-z|]+(?=\)\\\\b)", either(CLASSES["control"]))
    text = once(text, r"(?<=\"match\": \"\\\\b\()model\|[a-z|]+(?=\)\\\\b\")", either(w for w in CLASSES["declarations"] + CLASSES["nodes"] if w != "graph"))
    text = once(text, r"(?<=\(\?:)bool\|[a-z|]+(?=\))", either(TYPES))
    return once(text, r"(?<=\\\\b\()import\|[a-z|]+(?=\)\\\\b)", either(CLASSES["statements"]))


def pygments(text):
    for name, words in [*((name, CLASSES[name]) for name in ("declarations", "nodes", "control", "statements")), ("types", TYPES)]:
        made = f"({quoted(words)})"
        if len(made) > 105:
            made = "(\n    " + filled(f"{quoted(words)},", "    ", 120) + "\n)"
        text = once(text, rf"(?<=\n_{name.upper()} = )\([^()]*\)", made)
    return text


def emacs(text):
    text = once(text, r"(?<=\(defconst anml-declarations\n  '\()[^()]*", filled(quoted([*CLASSES["declarations"], "table"], " "), "    ", 118))
    text = once(text, r"(?<=\(defconst anml-nodes '\()[^()]*", quoted(CLASSES["nodes"], " "))
    return once(text, r"(?<=\(defconst anml-keywords\n  '\()[^()]*", filled(quoted(CLASSES["statements"] + CLASSES["control"], " "), "    ", 118))


def scanner(text, contextual):
    """Those that are names, too, come last, with the words that operators of other languages are."""
    last = [*contextual, "and", "or", "to"]
    never = [word for word in ALWAYS + CLASSES["sometimes"] if word not in contextual]
    words = filled(f"{quoted(never)},", "    ", 120) + "\n    " + filled(f"{quoted(last)},", "    ", 120)
    text = once(text, r"(?<=kKeywords\[\] = \{\n    )[^{}]*(?=\n\};)", words)
    return once(text, r"(?<=kNeverNames = kWords - )\d+", str(len(last)))


def main():
    grammar = (ROOT / "grammar/AnmlLexer.g4").read_text().split("// Keywords.")[1].split("// Punctuation")[0]
    there, classed = re.findall(r": '([a-z]+)'", grammar), set(ALWAYS + CLASSES["sometimes"])
    if set(there) != classed:
        sys.exit(f"tests/file/editor_words.py: CLASSES and the grammar differ by {sorted(set(there) ^ classed)}")
    contextual = there[there.index("table"):there.index("from") + 1]
    stale = []
    for path, make in ((TEXTMATE, textmate), (PYGMENTS, pygments), (EMACS, emacs), (SCANNER, lambda text: scanner(text, contextual))):
        old = (ROOT / path).read_text()
        new = make(old)
        if new != old:
            stale.append(path)
            if "--write" in sys.argv:
                (ROOT / path).write_text(new)
    if stale and "--write" not in sys.argv:
        sys.exit(f"other words than the grammar's: {', '.join(stale)}; tests/file/editor_words.py --write makes them")


if __name__ == "__main__":
    main()
