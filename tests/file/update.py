"""update.py ANMLC FILE...: rewrites the expectations of file tests from what the compiler prints now.

Handles tests whose last lines are one block of `// CHECK` lines behind a single RUN line that ends in `| %check %s`. Read
the difference like code before committing it.
"""
import os
import pathlib
import re
import subprocess
import sys


def escape(line):
    return line.replace("{{", "{{[{][{]}}").replace("[[", "{{[[][[]}}")


def update(anmlc, path):
    lines = path.read_text().splitlines()
    runs = [re.sub(r"^.*RUN: ", "", line) for line in lines if " RUN: " in line]
    if len(runs) != 1 or not runs[0].endswith("| %check %s"):
        return print(f"{path}: skipped, not one RUN line that ends in | %check %s")
    command = runs[0].removesuffix("| %check %s").replace("%s", str(path))
    command = re.sub(r"%exits \d+ ", "", command).replace("anmlc ", anmlc + " ", 1)
    output = subprocess.run(command, shell=True, stdout=subprocess.PIPE, env=dict(os.environ, TERM="dumb")).stdout.decode()
    while lines and lines[-1].startswith("// CHECK"):
        lines.pop()
    for i, line in enumerate(output.rstrip("\n").split("\n")):
        line = escape(line).replace(str(path.parent), "{{.*}}")
        check = "CHECK" if i == 0 else "CHECK-NEXT" if line else "CHECK-EMPTY"
        lines.append(f"// {check}:{line}")
    path.write_text("\n".join(lines) + "\n")


for name in sys.argv[2:]:
    update(sys.argv[1], pathlib.Path(name).resolve())
