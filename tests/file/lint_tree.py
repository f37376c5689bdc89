"""Lints every .anml of the examples and the standard library: none leads to a warning.

A file of the standard library is no module of it when given by its path, so that check reports errors besides.

Usage: lint_tree.py ANMLC
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/differential"))
import batch  # noqa: E402

files = sorted([*ROOT.glob("examples/**/*.anml"), *ROOT.glob("stdlib/**/*.anml")])
failed = 0
for path in files:
    # A busy or slow machine is no fault of the example.
    done = batch.run(sys.argv[1], ["lint", "-Wno-slower-than-real-time", str(path)])
    errors = done.returncode != 0 and "stdlib" not in path.parts
    if errors or done.stdout or "warning[" in done.stderr:
        failed += 1
        print(f"{path.relative_to(ROOT)}\n{done.stdout}{done.stderr}")
print(f"{len(files)} files, {failed} with findings")
sys.exit(failed != 0 or len(files) < 4)
