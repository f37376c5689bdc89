"""gallery.py ANMLC [--write]: docs/errors.md, mistakes that people make and what the compiler says, is what tests/file/gallery gives now.

A file there begins with a comment, the mistake's title; its name begins with its section. Every one is a mistake, so `anmlc check`
fails; and one mistake gives one error, unless its title ends in an asterisk.
"""
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "differential"))
import batch  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "errors.md"
SECTIONS = {
    "units": "Units and numbers",
    "marks": "Marks",
    "statements": "Statements and words",
    "names": "Names and attributes",
    "components": "Components and arrays",
    "network": "Networks and workloads",
}
HEAD = """# What the compiler says

{count} mistakes that people make, and what `anmlc check` says of each. `anmlc explain NAME` says more of the name in brackets. The files are in
`tests/file/gallery`; this page is made from them by `tests/file/gallery.py --write`.
"""


def main():
    anmlc, write = str(pathlib.Path(sys.argv[1]).resolve()), "--write" in sys.argv
    files = sorted((HERE / "gallery").glob("*.anml"))
    wrong, sections = [], {name: "" for name in SECTIONS}
    with tempfile.TemporaryDirectory() as folder:
        for table in (HERE / "gallery").glob("*.csv"):
            shutil.copy(table, folder)
        for path in files:
            title, _, text = path.read_text().partition("\n")
            section, _, name = path.stem.partition("-")
            shown = pathlib.Path(folder) / f"{name}.anml"
            shown.write_text(text)
            done = batch.run(anmlc, ["check", "--color=never", shown.name], cwd=folder)
            said = done.stderr.rstrip("\n")
            errors = sum(line.startswith("error[") for line in said.splitlines())
            title = title.removeprefix("// ")
            if done.returncode != 1 or errors == 0:
                wrong.append(f"{path.name}: no error\n{said}")
            elif errors > 1 and not title.endswith("*"):
                wrong.append(f"{path.name}: {errors} errors for one mistake\n{said}")
            sections[section] += f"\n### {title.removesuffix('*')}\n```\n{said}\n```\n"
    page = HEAD.format(count=len(files))
    for name, title in SECTIONS.items():
        page += f"\n## {title}\n{sections[name]}"
    if write:
        PAGE.write_text(page)
    elif not PAGE.exists() or PAGE.read_text() != page:
        wrong.append("docs/errors.md differs from the gallery: run tests/file/gallery.py ANMLC --write and read the difference")
    if len(files) < 80:
        wrong.append(f"only {len(files)} mistakes")
    print("\n".join(wrong) or f"{len(files)} mistakes, a message each")
    return bool(wrong)


sys.exit(main())
