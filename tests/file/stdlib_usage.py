"""stdlib_usage.py ANMLC: the usage line of every declaration of std.access, std.ether, std.topology and std.wan compiles, in a model with the nodes that it names, and that of every function of std.draws, std.preferential and std.scatter; and
what stands in a folder of the library has a doc comment with a usage line, a construct a file."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2] / "stdlib" / "std"
failed, count = [], 0


def compiles(name, line, modules, nodes=""):
    global count
    imports = "".join(f"import std.{m}\n" for m in sorted({*modules, *re.findall(r"\b(access|draws|ether|topology|wan)\.", line)}))
    model = f"{imports}\nmodel Usage {{\n{nodes}  {line}\n  run {{ duration = 1 s }}\n}}\n"
    done = subprocess.run([sys.argv[1], "check", "-"], input=model, capture_output=True, text=True, timeout=60)
    count += 1
    if done.returncode != 0 or (done.stderr and not line.startswith("router")):
        failed.append(f"{name}: {line}\n{done.stderr}")


for module in ("draws", "preferential", "scatter"):
    text = (ROOT / f"{module}.anml").read_text()
    lines = re.findall(r"Usage: `(.*)`", text)
    if len(lines) != len(re.findall(r"^function ", text, re.M)):
        failed.append(f"{module}: {len(lines)} usage lines")
    for line in lines:
        statement = re.match(r"(for|if|let|router) |topology\.", line)
        compiles(module, line.replace("{ ... }", "{}") if statement else f"let x = {line}", [module])
for path in sorted(ROOT.glob("*/*.anml")):
    if path.stem == "_about":
        continue
    text, module = path.read_text(), path.parent.name
    declared = re.findall(r"^(?:profile|component|schema|enum) (\w+)", text, re.M)
    usage = re.search(r"Usage: `(.*)`", text)
    if len(declared) != 1 or not usage:
        failed.append(f"{path.name}: declares {declared}, usage {usage}")
        continue
    if path.stem != re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", declared[0]).lower():
        failed.append(f"{path.name}: declares {declared[0]}")
    line = usage.group(1)
    ends = re.search(r"link \w+: (\w+) -- (\w+)", line)
    nodes = "".join(f"  router {name}\n" for name in ends.groups()) if ends else ""
    compiles(path.name, line, [module], nodes)
print("\n".join(failed) or f"{count} usage lines compile")
sys.exit(bool(failed) or count < 30)
