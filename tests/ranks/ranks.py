#!/usr/bin/env python3
"""One run on several ranks of MPI is the run of one process: the same digest, and all figures exactly.

Compiles models, runs each on one process and on 1, 2, 3 ... ranks, and compares the digest and the whole results file
but for what a run took. The models are a few examples and random networks of everything at once
(tests/differential/random_networks.py), on 2 and 3 ranks by turns, with ANML_ALL on both; with --all every model of the tree and of docs/ (tests/bench/digests.py), by hand.
Options: --anmlc PATH, --mpirun PATH, --ranks 1,2,3,4,8, --for TIME, --only TEXT, -O 0|2, --all, --networks COUNT,
--first SEED, --threads N of each rank, --tasks N: models are divided into so many parts, if they can be, and not into as
few as their weights make (a rank without a part does nothing).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(ROOT / "tests/bench"), str(ROOT / "tests/differential")]
import digests  # noqa: E402
from random_networks import RandomNetwork  # noqa: E402

EXAMPLES = ("failing-link", "homes", "mixed-access", "tiers", "two-sites")
SHORT = "3.5s"  # of random networks, with packets on their way at the end

# What a run took, and where it ran.
OF_THE_RUN = {"command", "started", "machine", "threads", "tasks", "ranks", "wall_seconds", "cpu_seconds"}
LONGEST = 120  # seconds
TOO_LONG = 1000  # status of what takes longer
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def run(command):
    try:
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=LONGEST,
                              env=ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, TOO_LONG, "", f"takes longer than {LONGEST} s")


def differences(a, b, any_number_of_events, where=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted(set(a) | set(b)):
            if not where and (key in OF_THE_RUN or key == "events" and any_number_of_events):
                continue
            yield from differences(a.get(key), b.get(key), any_number_of_events, f"{where}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (x, y) in enumerate(zip(a, b)):
            yield from differences(x, y, any_number_of_events, f"{where}[{i}]")
    elif a != b:
        yield f"{where[1:]}: {str(a)[:60]} | {str(b)[:60]}"


def compare(options, name, text, duration, ranks, tasks=()):
    """Lines about what is wrong; None: it is no model that runs. Where tasks are given each may look once more whether
    something is due, which is an event."""
    with tempfile.TemporaryDirectory(prefix="anml-ranks-") as folder:
        folder = pathlib.Path(folder)
        path = text
        if isinstance(text, str):
            path = folder / "model.anml"
            path.write_text(text)
        emulator = folder / "emulator"
        made = run([options.anmlc, path, f"-O{options.level}", *tasks, "--mpi", "-o", emulator])
        if made.returncode != 0:
            return None if options.all else [f"{name}: {made.stderr}"]
        arguments = ["simulate", "--batches", "3", *(["--for", duration] if duration else [])]
        alone = run([emulator, *arguments, "--threads", "1", "--results", folder / "0.json",
                     "--connections", folder / "0.csv"])
        if alone.returncode == TOO_LONG:
            print(f"{name} is not compared: {alone.stderr} on one process", flush=True)
            return None
        if not (folder / "0.json").exists():
            return None if options.all else [f"{name}: {alone.stderr}"]
        expected = json.loads((folder / "0.json").read_text())
        wrong = []
        for count in ranks:
            results = folder / f"{count}.json"
            done = run([options.mpirun, "--oversubscribe", "-np", count, emulator, *arguments, "--mpi", "--threads",
                        options.threads, "--results", results, "--connections", folder / f"{count}.csv"])
            if not results.exists():
                wrong.append(f"{name} on {count} ranks: {done.returncode} {done.stderr.strip()[-400:]}")
                continue
            if done.returncode != alone.returncode:
                wrong.append(f"{name} on {count} ranks: status {done.returncode} | {alone.returncode}")
            if (folder / f"{count}.csv").read_bytes() != (folder / "0.csv").read_bytes():
                wrong.append(f"{name} on {count} ranks: other records of connections")
            got = json.loads(results.read_text())
            got["connections"]["file"] = expected["connections"]["file"]
            if count > 1 and len(got["ranks"]) != count:
                wrong.append(f"{name} on {count} ranks: has run on {len(got['ranks'])}")
            wrong += [f"{name} on {count} ranks: {line}" for line in differences(expected, got, bool(tasks))][:6]
        return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--anmlc", default=ROOT / "build/release/bin/anmlc")
    options.add_argument("--mpirun", default="mpirun")
    options.add_argument("-O", dest="level", choices=["0", "2"], default="0")
    options.add_argument("--for", dest="duration")
    options.add_argument("--ranks")
    options.add_argument("--only", default="")
    options.add_argument("--all", action="store_true")
    options.add_argument("--networks", type=int)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--threads", default="1")
    options.add_argument("--tasks")
    options = options.parse_args()
    given = ("--tasks", options.tasks) if options.tasks else ()
    if options.all:
        chosen = [(name, text, options.duration or "1s", given) for name, text in digests.texts()]
    elif options.networks is None:
        chosen = [(str(path.relative_to(ROOT)), path, options.duration or "300ms", given)
                  for example in EXAMPLES for path in sorted((ROOT / "examples" / example).glob("*.anml"))]
    else:
        chosen = []
    for seed in range(options.first, options.first + (0 if options.all else options.networks or 4)):
        chosen.append((f"random network {seed}", RandomNetwork(seed).text, options.duration or SHORT, given or ("--tasks", "6")))
    ranks = [int(count) for count in (options.ranks or "2,3").split(",")]
    by_turns = not options.ranks and "ANML_ALL" not in os.environ
    same, bad = 0, 0
    for turn, (name, text, duration, tasks) in enumerate(chosen):
        if options.only not in name:
            continue
        wrong = compare(options, name, text, duration, [ranks[turn % len(ranks)]] if by_turns else ranks, tasks)
        if wrong is None:
            continue
        same += not wrong
        bad += bool(wrong)
        for line in wrong:
            print(line, flush=True)
    between = " or " if by_turns else " and "
    print(f"{same} models are the same on {between.join(map(str, ranks))} ranks as on one process, {bad} are not")
    return 1 if bad or not same else 0


if __name__ == "__main__":
    sys.exit(main())
