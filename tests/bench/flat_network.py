#!/usr/bin/env python3
"""Writes a flat model: routers, a host at each, every link a statement of its own; no arrays, no loops.

Usage: flat_network.py random|chain|tree ROUTERS [--degree D] [--seed S] > model.anml

Shapes: `random` is a connected graph of about ROUTERS * D / 2 links with random delays; `chain` and `tree` are what
their names say. The first router also has the endpoint, so that everything is a destination of everything.
"""
import argparse
import random


def edges(shape, count, degree, rng):
    if shape == "chain":
        return [(i - 1, i) for i in range(1, count)]
    parents = [(rng.randrange(i), i) for i in range(1, count)]
    if shape == "tree":
        return parents
    seen = set(parents)
    while len(seen) < min(count * degree // 2, count * (count - 1) // 2):
        a, b = sorted(rng.sample(range(count), 2))
        seen.add((a, b))
    return sorted(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=["random", "chain", "tree"])
    parser.add_argument("routers", type=int)
    parser.add_argument("--degree", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    print("import std.ether\nimport std.web\n\nmodel Flat {\n  endpoint server { simulated = web.server() }")
    for i in range(options.routers):
        print(f"  router r{i}\n  host h{i}\n  link h{i} -- r{i} : ether.fast")
    print("  link server -- r0 : ether.gigabit")
    for a, b in edges(options.shape, options.routers, options.degree, rng):
        print(f"  link r{a} -- r{b} {{ rate = 1 Gbps, delay = {rng.randint(1000, 20000)} us }}")
    print("  workload browse : web.ClosedLoop on h0 { server = server, documents = web.fixed(1 KB) }")
    print("  run { duration = 1 s }\n}")


if __name__ == "__main__":
    main()
