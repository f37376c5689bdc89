"""lint_page.py [--write]: fails where docs/lint.md differs from what the registry and the rules' tests say; --write makes it so.

A rule's section is its explanation (`anmlc explain NAME`) and the message that its file test expects.
"""
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "lint.md"

HEAD = """# The linter

`anmlc lint FILE.anml ...` runs all stages up to the tasks and reports what is no error and still rarely meant. Every finding is a warning
with a name and says the figures that it computed, with tunables at their defaults. Of several findings of one rule at one place, in
instances or elements of an array, the worst is shown. Of a file with several models all are looked at;
a file without a model, a library, is checked as by `anmlc check`, and for unused declarations.

- `-Wno-NAME` leaves a warning out, `-WNAME` shows it after all, `-Werror` makes warnings errors. `check` and plain compiling take these
  flags too, for the warnings that they report.
- In the text, a comment allows a warning on its line, or, on a line of its own, on the line below it. The reason is obligatory:

      link l: a -- b : slow  // lint: allow(queue-below-bdp) the paper's queue

- `--tasks N` lints the model as divided into N tasks, `--error-format=json` prints an object per line, `anmlc explain NAME` explains a name.
- Several files, and folders with every `.anml` below, may be given: [check, lint](anmlc.md#check-lint).
- The exit status is 0 unless there are errors.

This page is made from the compiler's registry by `tests/file/lint_page.py --write`.
"""


def unescape(text):
    return re.sub(r"\\(.)", r"\1", text)


def message(path):
    """The first line that the test expects of the compiler."""
    text = path.read_text()
    found = re.search(r"^// CHECK: *(warning\[.*)$", text, re.M)
    return re.sub(r"\{\{\[0-9.e\+\]\+\}\}", "N", found.group(1)) if found else ""


def page():
    registry = (ROOT / "compiler/base/diagnostics.def").read_text()
    rules = re.findall(r"^ANML_\w+_RULE\((\w+)\)", (ROOT / "compiler/lint/rules.def").read_text(), re.M)
    out = HEAD
    for rule in [*rules, "needless_allowance"]:
        entry = re.search(rf'^ANML_DIAGNOSTIC\({rule}, "([^"]+)", Severity::warning, "((?:[^"\\]|\\.)*)"\)', registry, re.M)
        name, explanation = entry.group(1), unescape(entry.group(2))
        test = HERE / "lint" / ("allowances.anml" if rule == "needless_allowance" else f"{name}.anml")
        out += f"\n## {name}\n{textwrap.fill(explanation, 140)}\n\n    {message(test)}\n"
    return out


if "--write" in sys.argv:
    PAGE.write_text(page())
elif not PAGE.exists() or PAGE.read_text() != page():
    sys.exit("docs/lint.md differs from the registry: run tests/file/lint_page.py --write and read the difference")
