"""Compiles every ```anml block of the documentation: each is a whole file that `anmlc check` accepts without a word.

A block without a model gets an empty one.
Usage: docs_examples.py ANMLC
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/differential"))
import batch  # noqa: E402

FOLDERS = [f"-I{ROOT / 'tests/data' / folder}" for folder in ("graphs", "traces", "loads", "tables")]  # of the files that examples name
EMPTY = "\nmodel Empty {\n  run { duration = 1 s }\n}\n"


def pages(name):
    """A page and those of the folder beside it: docs/language.md and docs/language/*.md."""
    return [ROOT / f"{name}.md", *sorted((ROOT / name).glob("*.md"))]


def blocks(text):
    """The blocks with the numbers of the lines that they begin at."""
    inside, lines, start = False, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if inside and line.strip() == "```":
            inside = False
            yield start, "\n".join(lines) + "\n"
        elif inside:
            lines.append(line)
        elif line.strip() == "```anml":
            inside, lines, start = True, [], number + 1


def main(anmlc):
    count, failed = 0, 0
    for page in sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]):
        for line, text in blocks(page.read_text()):
            source = text if "model " in text else text + EMPTY
            done = batch.run(anmlc, ["check", *FOLDERS, "-"], input=source)
            count += 1
            if done.returncode != 0 or done.stdout or done.stderr:
                failed += 1
                print(f"{page.relative_to(ROOT)}:{line}: the example does not compile\n{done.stdout}{done.stderr}")
    print(f"{count} examples, {failed} failed")
    return failed != 0 or count < 10


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
