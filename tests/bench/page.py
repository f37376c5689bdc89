#!/usr/bin/env python3
"""The tables of docs/benchmarks.md anew: what stands between `<!-- measured by: COMMAND -->` and `<!-- end -->` becomes what COMMAND prints.

    tests/bench/page.py [WORD ...]      only commands that have one of the words; --list shows them all

A line with the day and the machine stands before it. A command runs in the shell, in the repository's folder; its progress belongs on standard
error. The page is written after each one, and one that fails ends the script and leaves its table as it was.
"""
import argparse
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/benchmarks.md"
MEASURED = re.compile(r"^(<!-- measured by: ([^\n]+) -->\n).*?^(<!-- end -->)", re.DOTALL | re.MULTILINE)


def machine():
    names = re.findall(r"model name\s*: (.+)", pathlib.Path("/proc/cpuinfo").read_text()) or [platform.machine()]
    day = datetime.date.today()
    return f"{day.day} {day:%B %Y}, {os.cpu_count()} processors ({names[0]}), Linux {platform.release()}."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    commands = [command for _, command, _ in MEASURED.findall(PAGE.read_text())]
    chosen = [command for command in commands if not arguments.words or any(word in command for word in arguments.words)]
    if arguments.list:
        print("\n".join(chosen))
        return 0
    if not chosen:
        sys.exit(f"{PAGE} has no command with {' or '.join(arguments.words)}")
    for command in chosen:
        print(command, file=sys.stderr)
        done = subprocess.run(command, shell=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"{command} exited with {done.returncode}\n{done.stdout}")
        table = f"{machine()}\n\n{done.stdout.strip()}\n"
        PAGE.write_text(MEASURED.sub(lambda part: part[1] + table + part[3] if part[2] == command else part[0], PAGE.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
