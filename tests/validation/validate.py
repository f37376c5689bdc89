#!/usr/bin/env python3
"""Makes the tables and plots of docs/validation.md anew; scripts/validate calls it behind a build.

Each section runs what it compares, and replaces what stands between its marks in the page. What ns-3 has counted is kept in build/validation as long as its
program is the same, since it takes most of the time: --again runs it anew. With --quick a few cases of each section are run and judged, and nothing is written."""
import argparse
import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "examples/servers"))  # svg
import completion_section  # noqa: E402
import dumbbell_section  # noqa: E402
import fluid_section  # noqa: E402
import linux_section  # noqa: E402
import study_section  # noqa: E402
import theory_section  # noqa: E402

PAGE = ROOT / "docs/validation.md"
BIN = ROOT / "build/release/bin"
SECTIONS = {"dumbbells": dumbbell_section, "completion": completion_section, "theory": theory_section, "fluid": fluid_section,
            "linux": linux_section, "study": study_section}


class Context:
    def __init__(self, arguments):
        self.quick, self.jobs, self.seeds = arguments.quick, arguments.jobs, arguments.seeds
        self.anmlc = os.environ.get("ANMLC", BIN / "anmlc")
        self.program = lambda name: pathlib.Path(os.environ.get(name.upper(), BIN / name))
        self.cache = None if self.quick else ROOT / "build/validation"
        self.plots = ROOT / "docs/validation"
        if arguments.again and self.cache and self.cache.exists():
            for file in self.cache.glob("*.json"):
                file.unlink()

    def circumstances(self, *others):
        """The line above a table: when, where and with what."""
        processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
        commit = subprocess.run(["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
        return (f"Made on {datetime.date.today()} on {platform.system()} {platform.release()}, {os.cpu_count()} processors "
                f"({processor[1].strip() if processor else platform.machine()}), at {commit or 'no commit'}{''.join(', ' + o for o in others)}.")


def replace(name, text):
    """Puts a section's text between its marks."""
    begin, end = f"<!-- made by scripts/validate --only {name} -->", "<!-- end -->"
    before, found, rest = PAGE.read_text().partition(begin)
    if not found:
        sys.exit(f"{PAGE} has no mark {begin}")
    PAGE.write_text(f"{before}{begin}\n{text.strip()}\n{end}{rest.partition(end)[2]}")


def main():
    parser = argparse.ArgumentParser(prog="scripts/validate", description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=SECTIONS, default=[], help="this section; repeatable")
    parser.add_argument("--quick", action="store_true", help="a few cases, and nothing is written")
    parser.add_argument("--again", action="store_true", help="run ns-3 anew, whatever is known of it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--seeds", type=int, default=0, help="runs of each case; 0: as many as the section has")
    arguments = parser.parse_args()
    context, failed = Context(arguments), []
    for name in arguments.only or SECTIONS:
        print(f"== {name}", flush=True)
        why_not = SECTIONS[name].missing(context)
        if why_not:
            print(f"left out: {why_not}")
            continue
        text, good = SECTIONS[name].make(context)
        if not good:
            failed.append(name)
        if not context.quick:
            replace(name, text)
            print(f"written to {PAGE.relative_to(ROOT)}")
    if failed:
        sys.exit(f"beyond the limits and not explained: {', '.join(failed)}")


if __name__ == "__main__":
    main()
