#!/usr/bin/env python3
"""The optimised tier (anmlc -O2) against the generic one (-O0): the same model, the same packets, one task on one thread.

For each case the digests must agree. Printed are instructions per packet-hop, counted by callgrind between two
simulated times so that start-up is left out, processor time per packet-hop, the median of runs taken in turns, and
the ratios generic : optimised; then what compiling at -O2 takes. Options: --runs N, --no-instructions, --anmlc PATH.
"""
import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ANMLC = HERE.parents[1] / "build/release/bin/anmlc"
# name, parameters of models/web_chain.anml, simulated seconds: counted from and to, timed
CASES = [
    ("8x8, 1 KB", ["N=8", "H=8", "document=1024 B"], (1, 3), 20),
    ("8x64, 64 KB", ["N=8", "H=64", "document=65536 B"], (0.5, 1), 5),
    ("32x4096, 1 KB", ["N=32", "H=4096", "document=1024 B"], (0.1, 0.15), 0.5),
]
LEVELS = ("-O0", "-O2")


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True)


def simulate(emulator, folder, seconds, *before):
    results = folder / "results.json"
    done = run(*before, emulator, "simulate", "--threads", 1, "--for", f"{seconds}s", "--results", results)
    return json.loads(results.read_text()), done.stderr


def instructions(emulator, folder, span):
    """Per packet-hop, between two simulated times."""
    counts = []
    for seconds in span:
        results, printed = simulate(emulator, folder, seconds, "valgrind", "--tool=callgrind",
                                    f"--callgrind-out-file={folder}/callgrind.out")
        counts.append((int(re.search(r"Collected : (\d+)", printed)[1]), results["packet_hops"]))
    (first, first_hops), (second, second_hops) = counts
    return (second - first) / (second_hops - first_hops)


def compile_time(anmlc, model, folder, defines, level):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    emulator = folder / f"emulator{level}"
    run(anmlc, model, *defines, level, "--tasks", 1, "-o", emulator)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return emulator, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(name, anmlc, folder, defines, span, seconds, options):
    model = HERE / "models/web_chain.anml"
    defines = [word for define in defines for word in ("-D", define)]
    emulators, compiling = zip(*(compile_time(anmlc, model, folder, defines, level) for level in LEVELS))
    times = {emulator: [] for emulator in emulators}
    digests = set()
    for _ in range(options.runs):
        for emulator in emulators:
            results, _ = simulate(emulator, folder, seconds)
            digests.add(results["digest"])
            times[emulator].append(results["cpu_seconds"] / results["packet_hops"] * 1e9)
    if len(digests) != 1:
        raise SystemExit(f"{name}: the digests differ: {digests}")
    generic, optimised = (statistics.median(times[emulator]) for emulator in emulators)
    cells = [name, f"{generic:.1f} ns", f"{optimised:.1f} ns", f"{generic / optimised:.2f}"]
    if options.instructions:
        generic, optimised = (instructions(emulator, folder, span) for emulator in emulators)
        cells.append(f"{generic:.0f} : {optimised:.0f}, {generic / optimised:.2f}")
    print("| " + " | ".join([*cells, f"{compiling[1]:.2f} s"]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anmlc", type=pathlib.Path, default=ANMLC)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--no-instructions", dest="instructions", action="store_false")
    parser.add_argument("--case", help="only cases whose name contains this")
    options = parser.parse_args()
    titles = ["routers x clients at each, document", "`-O0`", "`-O2`", "ratio", *["instructions, ratio"] * options.instructions, "compiling at `-O2`"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    with tempfile.TemporaryDirectory(prefix="anml-tiers-") as folder:
        for name, defines, span, seconds in CASES:
            if not options.case or options.case in name:
                compare(name, options.anmlc, pathlib.Path(folder), defines, span, seconds, options)


if __name__ == "__main__":
    main()
