#!/usr/bin/env python3
"""Digests of everything in the tree that runs, to show that a change of structure changes nothing.

Compiles every .anml file of the tree and every whole model in docs/, runs each that is one for some simulated time, and
prints a line per model: its name, digest, events and packet-hops. With --write FILE the lines go to a file; with
--compare FILE they are compared with those of an earlier run, and differences are printed and end with 1.
Options: --anmlc PATH, -O 0|2, --for TIME (1 s), --only TEXT.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = 60  # seconds that a model may take to run


def texts():
    """Name and text or path of every candidate."""
    for path in sorted(ROOT.rglob("*.anml")):
        name = str(path.relative_to(ROOT))
        if not name.startswith(("build/", "stdlib/")):
            yield name, path
    for page in sorted((ROOT / "docs").rglob("*.md")):
        for i, block in enumerate(re.findall(r"^```anml\n(.*?)^```", page.read_text(), re.M | re.S)):
            yield f"{page.relative_to(ROOT)}#{i}", block


def digest(anmlc, level, duration, name, text):
    """Of a candidate that is a model that runs; else None."""
    with tempfile.TemporaryDirectory() as folder:
        path = text
        if isinstance(text, str):
            path = pathlib.Path(folder) / "model.anml"
            path.write_text(text)
        emulator, results = pathlib.Path(folder) / "emulator", pathlib.Path(folder) / "results.json"
        done = subprocess.run([anmlc, path, f"-O{level}", "-o", emulator], capture_output=True)
        if done.returncode != 0:
            return None
        try:
            done = subprocess.run([emulator, "simulate", "--for", duration, "--results", results],
                                  capture_output=True, text=True, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return f"{name} takes too long"
        if not results.exists():
            return f"{name} says {done.stderr.strip().splitlines()[0] if done.stderr.strip() else done.returncode}"
        got = json.loads(results.read_text())
        return f"{name} {got['digest']} {got['events']} {got['packet_hops']}"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--anmlc", default=ROOT / "build/release/bin/anmlc")
    options.add_argument("-O", dest="level", choices=["0", "2"], default="0")
    options.add_argument("--for", dest="duration", default="1s")
    options.add_argument("--only", default="")
    options.add_argument("--write", type=pathlib.Path)
    options.add_argument("--compare", type=pathlib.Path)
    options = options.parse_args()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(digest, options.anmlc, options.level, options.duration, name, text)
                for name, text in texts() if options.only in name]
        lines = [line for line in (job.result() for job in jobs) if line]
    if options.write:
        options.write.write_text("\n".join(lines) + "\n")
    if not options.compare:
        print("\n".join(lines))
        return 0
    before = set(options.compare.read_text().splitlines())
    gone, new = sorted(before - set(lines)), sorted(set(lines) - before)
    for line in gone:
        print("-", line)
    for line in new:
        print("+", line)
    print(f"{len(before & set(lines))} models have the same digest, events and packet-hops; {len(gone)} lines differ")
    return 1 if gone or new else 0


if __name__ == "__main__":
    sys.exit(main())
