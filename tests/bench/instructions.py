#!/usr/bin/env python3
"""Instructions per packet-hop of two builds: whether a change of the code costs anything on a packet's way.

  instructions.py --before ANMLC --after ANMLC

Counts, by callgrind, between two simulated times, so that start-up is left out, with one task on one thread, for each
model at -O0 and -O2. The digests must agree, unless --digests-differ says that the change is one of behaviour.
"""
import argparse
import pathlib
import sys
import tempfile

from tiers import HERE, instructions, run, simulate

# Model, its parameters, simulated seconds: counted from and to.
MODELS = [
    # Not from 0.2 s on: there all hosts, which begin at once, recover from the same losses.
    ("web_chain", ["N=8", "H=64", "document=65536 B"], (0.4, 1)),
    ("udp_chain", [], (0.05, 0.1)),
    ("dumbbell", [], (2, 6)),
    ("fat_tree", [], (0.01, 0.03)),
]


def count(anmlc, model, defines, level, span):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        emulator = folder / "emulator"
        words = [word for define in defines for word in ("-D", define)]
        run(anmlc, HERE / f"models/{model}.anml", *words, level, "--tasks", 1, "-o", emulator)
        results, _ = simulate(emulator, folder, span[1])
        return instructions(emulator, folder, span), results["digest"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--before", required=True)
    options.add_argument("--after", required=True)
    options.add_argument("--digests-differ", action="store_true")
    options = options.parse_args()
    print(f"{'model':12} {'tier':4} {'before':>8} {'after':>8}  after : before")
    same = True
    for model, defines, span in MODELS:
        for level in ("-O0", "-O2"):
            (before, first), (after, second) = (count(anmlc, model, defines, level, span)
                                                for anmlc in (options.before, options.after))
            note = "" if first == second else "  digests differ"
            same = same and first == second
            print(f"{model:12} {level:4} {before:8.1f} {after:8.1f}  {after / before:14.4f}{note}", flush=True)
    return 0 if same or options.digests_differ else 1


if __name__ == "__main__":
    sys.exit(main())
