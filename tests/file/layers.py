"""layers.py [--write]: fails for every #include that cmake/layers.txt doesn't allow, for two types of one name in one program, for a folder of the
runtime with more than 30 files, and where the part of docs/architecture.md that is made from the includes differs from what they are; --write makes it so.

What the table says is explained in it. Before it judges the tree the checker is shown violations, each of which it has to find.
"""
import pathlib
import posixpath
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = "cmake/layers.txt"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- made by tests/file/layers.py --write -->", "<!-- end -->"
DEFINED = r"(?:struct|class|union|enum|enum class) (?:alignas\([^)]*\) )?(\w+)(?: final)?(?: : [^;]*)?(?: \{[^;]*)?$"
SUFFIXES = {".h", ".cpp", ".def", ".inc"}
MOST = 30  # files in a folder of the runtime: more are several subjects


class Folder:
    """A line of the table: what a folder may include. The tree is "" for folders of the root."""

    def __init__(self, tree, name, line):
        self.tree, self.name, self.line = tree, name, line
        self.path = f"{tree}/{name}" if tree else name
        self.siblings, self.outside, self.generated = set(), set(), set()  # paths; paths; names of files


def read_table(text):
    """The folders by path, the trees, and what is wrong with the table itself."""
    folders, trees, wrong, tree = {}, [], [], ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        place = f"{TABLE}:{number}"
        if not line or line.startswith("#"):
            continue
        if header := re.fullmatch(r"\[(\w+)\]", line):
            tree = header[1]
            trees.append(tree)
            continue
        entry = re.fullmatch(r"(\w+(?:/\w+)*):(.*)", line)
        if not entry:
            wrong.append(f"{place}: neither `[tree]` nor `folder: others`")
            continue
        path = f"{tree}/{entry[1]}" if tree else entry[1]
        folder = folders.setdefault(path, Folder(tree, entry[1], place))
        for other in entry[2].split():
            if other.endswith("/"):
                folder.outside.add(other[:-1])
            elif "." in other:
                folder.generated.add(other)
            else:
                sibling = f"{tree}/{other}" if tree else other
                folder.siblings.add(sibling)
                if sibling not in folders or sibling == path:
                    wrong.append(f"{place}: `{other}` stands in no line above")
    return folders, trees, wrong + circles(folders)


def circles(folders):
    """Each folder that may include itself by way of others, with that way."""
    found = []

    def walk(way):
        for other in sorted(folders[way[-1]].siblings if way[-1] in folders else ()):
            if other in way:
                if other == min(way[way.index(other):]):
                    found.append(f"{folders[other].line}: a circle: {' -> '.join([*way[way.index(other):], other])}")
            else:
                walk([*way, other])

    for path in folders:
        walk([path])
    return sorted(set(found))


def folder_of(path, folders, trees):
    """The path of the folder that a file belongs to, the innermost that has a line, or None: it lies in no tree of the table."""
    parts = path.split("/")
    within = ["/".join(parts[:n]) for n in range(len(parts) - 1, 0, -1)]
    if known := next((each for each in within if each in folders), None):
        return known
    return "/".join(parts[:min(2, len(parts) - 1)]) if parts[0] in trees else None


def check(table, sources):
    """What is wrong, and by folder the paths of folders that it includes. `sources`: texts by path from the root."""
    folders, trees, wrong = read_table(table)
    included, used = {}, set()
    with_files = {"/".join(path.split("/")[:n]) for path in sources for n in range(1, path.count("/") + 1)}
    for path, text in sorted(sources.items()):
        here = folder_of(path, folders, trees)
        if here is None:
            continue
        if here not in folders:
            wrong.append(f"{path}:1: `{here}` is no folder of {TABLE}")
            continue
        folder = folders[here]
        mine = included.setdefault(here, set())
        for number, line in enumerate(text.splitlines(), 1):
            found = re.match(r"\s*#\s*include\b\s*(.*)", line)
            if not found or found[1].startswith("<"):
                continue
            place = f"{path}:{number}"
            name = re.match(r'"([^"]+)"', found[1])
            if not name:
                wrong.append(f"{place}: what is included has to stand there: {found[1]}")
                continue
            tries = [posixpath.join(base, name[1]) for base in (posixpath.dirname(path), folder.tree, "")]
            target = next((t for t in map(posixpath.normpath, tries) if t in sources), None)
            if target is None:
                used.add((here, name[1]))
                if name[1] not in folder.generated:
                    wrong.append(f"{place}: \"{name[1]}\" is no file of the tree, and `{folder.name}` has no such generated one")
                continue
            there = folder_of(target, folders, trees)
            outside = next((o for o in folder.outside if target.startswith(o + "/")), None)
            if there == here:
                continue
            if there in folder.siblings or outside:
                mine.add(outside or there)
            else:
                wrong.append(f"{place}: `{folder.path}` may not include \"{name[1]}\", of `{there or posixpath.dirname(target)}`")
    for path, folder in folders.items():
        if path not in with_files:
            wrong.append(f"{folder.line}: there is no folder `{path}`")
        for other in sorted(folder.outside - with_files):
            wrong.append(f"{folder.line}: there is no folder `{other}`")
        for name in sorted(folder.generated):
            if (path, name) not in used:
                wrong.append(f"{folder.line}: nothing in `{path}` includes a generated \"{name}\"")
    return wrong, included


def twins(sources):
    """Types that two files define in one namespace: the linker takes the functions of either for both, and nobody says so."""
    wrong, first = [], {}
    for path, text in sorted(sources.items()):
        within = []
        for number, line in enumerate(text.splitlines(), 1):
            if opened := re.match(r"namespace\b\s*([\w:]*)\s*\{", line):
                within.append(opened[1])
            elif line.startswith("}  // namespace"):
                del within[-1:]
            elif (type_ := re.match(DEFINED, line)) and "" not in within:
                tree = path.split("/")[0]
                for program in {"compiler", "runtime"} & {tree} or {"compiler", "runtime"}:
                    other = first.setdefault((program, *within, type_[1]), path)
                    if other != path:
                        wrong.append(f"{path}:{number}: `{'::'.join([*within, type_[1]])}` is a type of {other}, too")
    return sorted(set(wrong))


def crowded(sources):
    """Folders of the runtime with more files than one subject has."""
    sizes = {}
    for path in sources:
        folder = posixpath.dirname(path)
        if path.startswith("runtime/"):
            sizes[folder] = sizes.get(folder, 0) + 1
    return [f"{folder}: {size} files, and more than {MOST} are several subjects: give each a folder"
            for folder, size in sorted(sizes.items()) if size > MOST]


def reach(folder, included):
    """All folders that one includes, directly or not."""
    seen, open_ = set(), [folder]
    while open_:
        for other in included.get(open_.pop(), ()):
            if other not in seen:
                seen.add(other)
                open_.append(other)
    return seen


def box(name):
    """A folder in a drawing; its name alone may be a word of the drawing's own, as `graph` is."""
    return f"_{name.replace('/', '_')}[{name}]"


def picture(table, included):
    """By tree a drawing of its folders and a table: what each includes, without what these include in turn."""
    folders, trees, _ = read_table(table)
    out = []
    for tree in trees:
        arrows, rows = [], []
        for path, folder in folders.items():
            if folder.tree != tree:
                continue
            mine = included.get(path, set())
            near = [o for o in mine if not any(o in reach(p, included) for p in mine if p != o)]
            order = sorted(near, key=lambda o: (o not in folders, list(folders).index(o) if o in folders else 0, o))
            within = {o: o in folders and folders[o].tree == tree for o in order}
            for o in order:
                arrows.append(f"  {box(folder.name)} --> {box(folders[o].name if within[o] else o + '/')}")
            rows.append(f"| `{folder.name}` | {', '.join(f'`{folders[o].name}`' if within[o] else f'`{o}/`' for o in order)} |")
        out += ["```mermaid", "flowchart TB", *reversed(arrows), "```", "",
                f"| `{tree}/` | includes, besides what these include |", "| --- | --- |", *rows, ""]
    return "\n".join(out)


def show_violations():
    """What the checker finds in trees that each have one thing wrong, and in one that has nothing."""
    table = "common:\n[t]\na: common/\nb: a made.h\nc: b\n"
    sources = {"common/x.h": "", "t/a/a.h": '#include "common/x.h"\n#include <u/u.h>\n', "u/u.h": '#include "t/c/c.h"\n',
               "t/b/b.h": '#include "a/a.h"\n#include "made.h"\n', "t/c/c.h": '#include "b/b.h"\n', "t/c/d.def": '#include "c.h"\n'}
    cases = [
        (table, {}, None),
        (table, {"t/a/a.cpp": '\n  # include "c/c.h"\n'}, 't/a/a.cpp:2: `t/a` may not include "c/c.h", of `t/c`'),
        (table, {"t/c/c.cpp": '#include "a/a.h"\n'}, 't/c/c.cpp:1: `t/c` may not include "a/a.h", of `t/a`'),
        (table, {"t/c/c.inc": '#include "../a/a.h"\n'}, 't/c/c.inc:1: `t/c` may not include "../a/a.h", of `t/a`'),
        (table, {"t/b/b.def": '#include "common/x.h"\n'}, 't/b/b.def:1: `t/b` may not include "common/x.h", of `common`'),
        (table, {"common/y.h": '#include "t/a/a.h"\n'}, 'common/y.h:1: `common` may not include "t/a/a.h", of `t/a`'),
        (table, {"t/a/u.h": '#include "u/u.h"\n'}, 't/a/u.h:1: `t/a` may not include "u/u.h", of `u`'),
        (table, {"t/a/a.h": '#include "made.h"\n'}, 't/a/a.h:1: "made.h" is no file of the tree, and `a` has no such generated one'),
        (table, {"t/a/m.h": "#include NAME\n"}, "t/a/m.h:1: what is included has to stand there: NAME"),
        (table, {"t/d/d.h": ""}, f"t/d/d.h:1: `t/d` is no folder of {TABLE}"),
        (table, {"t/d.h": ""}, f"t/d.h:1: `t` is no folder of {TABLE}"),
        (table + "e: a\n", {}, f"{TABLE}:6: there is no folder `t/e`"),
        (table + "c: u/ v/\n", {}, f"{TABLE}:5: there is no folder `v`"),
        (table + "c: other.h\n", {}, f'{TABLE}:5: nothing in `t/c` includes a generated "other.h"'),
        (table + "c: e\n", {}, f"{TABLE}:6: `e` stands in no line above"),
        (table + "a: c\n", {}, f"{TABLE}:3: a circle: t/a -> t/c -> t/b -> t/a"),
        (table + "b/n:\n", {"t/b/n/n.h": "", "t/b/c.h": '#include "b/n/n.h"\n'}, 't/b/c.h:1: `t/b` may not include "b/n/n.h", of `t/b/n`'),
        (table + "b/n:\n", {"t/b/n/n.h": '#include "b/b.h"\n'}, 't/b/n/n.h:1: `t/b/n` may not include "b/b.h", of `t/b`'),
        (table + "c\n", {}, f"{TABLE}:6: neither `[tree]` nor `folder: others`"),
    ]
    for text, planted, expected in cases:
        found, _ = check(text, {**sources, **planted})
        if found != ([expected] if expected else []):
            sys.exit(f"layers.py itself: {planted or text!r} gives {found} instead of {expected}")
    text = "namespace anml {\n%sstruct Both final : Base {\n};\n}  // namespace anml\n"
    for other, expected in ((text % "", True), (text % "namespace {\n", False), (text.replace("anml", "rt") % "", False)):
        if bool(twins({"compiler/a.h": text % "", "common/b.h": other})) != expected:
            sys.exit(f"layers.py itself: two types, and the other one is {other!r}")
    full = {f"runtime/{folder}/{i}.h": "" for folder in ("a", "a/b") for i in range(MOST)}
    if crowded(full) or len(crowded({**full, "runtime/a/b/x.h": ""})) != 1:
        sys.exit("layers.py itself: a full folder is none that is too full, and one file more makes it that")


def main():
    show_violations()
    table = (ROOT / TABLE).read_text()
    sources = {}
    folders = read_table(table)[0].values()
    for top in sorted({path.split("/")[0] for folder in folders for path in (folder.path, *folder.outside)}):
        for path in (ROOT / top).rglob("*"):
            if path.suffix in SUFFIXES:
                sources[path.relative_to(ROOT).as_posix()] = path.read_text()

    # The walls of this tree hold: an include that nobody wants is found in it, too.
    planted = {"compiler/graph/planted.cpp": '#include "link/link.h"\n'}
    wrong, included = check(table, sources)
    wrong += twins(sources) + crowded(sources)
    if not any(w.startswith("compiler/graph/planted.cpp:1: ") for w in check(table, {**sources, **planted})[0]):
        wrong.append("layers.py itself: compiler/graph may include link/link.h, and nobody objects")

    text = PAGE.read_text()
    before, begin, rest = text.partition(BEGIN + "\n")
    _, end, after = rest.partition(END)
    made = before + begin + picture(table, included) + end + after
    if not end:
        wrong.append(f"docs/architecture.md: there is no `{BEGIN}` with its `{END}`")
    elif "--write" in sys.argv:
        PAGE.write_text(made)
    elif made != text:
        wrong.append("docs/architecture.md differs from the includes: run tests/file/layers.py --write and read the difference")
    if wrong:
        sys.exit("\n".join(wrong))


main()
