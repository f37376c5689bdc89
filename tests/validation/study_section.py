"""The section of docs/validation.md that lays three laws beside Linux's on five paths: means of ten runs, with intervals."""
import subprocess
import sys

from linux_section import SCRIPT, missing  # noqa: F401


def make(context):
    command = [sys.executable, SCRIPT, "--study"]
    if context.quick:
        command += ["--only", "NewReno, clean"]
    else:
        context.cache.mkdir(parents=True, exist_ok=True)
        command += ["--keep", context.cache / "study.json"]
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    table = [line for line in done.stdout.splitlines() if line.startswith("|")]
    print("\n".join(table))
    # Rows that are apart are explained below the table.
    return "\n".join([context.circumstances(), "", *table]), done.returncode == 0 or (done.returncode == 1 and not context.quick)
