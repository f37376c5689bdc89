"""Fails for every diagnostic that no file test expects: each name of diagnostics.def has to stand, in brackets, in an
expectation of some test. Also for every lint rule without two tests: a file that triggers it and one that does not."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
REGISTRY = HERE.parent.parent / "compiler" / "base" / "diagnostics.def"

# Only a defect of ours or of the machine's compiler leads there, so no text of a model does.
UNREACHABLE = {"codegen-failed"}

names = re.findall(r'^ANML_DIAGNOSTIC\(\w+, "([^"]+)"', REGISTRY.read_text(), re.M)
expected = set()
for path in HERE.rglob("*"):
    if path.suffix in (".anml", ".test"):
        for line in path.read_text(errors="replace").splitlines():
            if re.match(r"\s*(//|#) *[A-Z][A-Z_-]*:", line) and "RUN:" not in line:
                expected.update(re.findall(r"\[([a-z0-9-]+)\]", line))

missing = [name for name in names if name not in expected and name not in UNREACHABLE]
for name in missing:
    print(f"no file test expects [{name}]")
needless = UNREACHABLE & expected
for name in needless:
    print(f"[{name}] is reached after all: take it out of UNREACHABLE")

# Every rule of the linter has a file that triggers it and one that does not.
rules = re.findall(r"^ANML_\w+_RULE\((\w+)\)", (REGISTRY.parent.parent / "lint" / "rules.def").read_text(), re.M)
for rule in rules:
    for name in (rule.replace("_", "-"), rule.replace("_", "-") + "-clean"):
        if not (HERE / "lint" / f"{name}.anml").exists():
            missing.append(name)
            print(f"no file test lint/{name}.anml")
if not rules:
    missing.append("rules")
    print("no rules of the linter were found")
print(f"{len(names)} diagnostics, {len(rules)} lint rules, {len(missing)} without a test")
sys.exit(bool(missing or needless))
