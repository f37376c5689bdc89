#!/usr/bin/env python3
"""Writes a flat model: routers, a host at each, every link a statement of its own; no arrays, no loops.

Usage: flat_network.py random|chain|tree|star ROUTERS [--degree D] [--seed S] [--each WHAT ...] > model.anml

Shapes: `random` is a connected graph of about ROUTERS * D / 2 links with random delays; `chain`, `tree` and `star` are what
their names say. The first router also has the endpoint, so that everything is a destination of everything.

--each gives every router something more of its own: `workloads`, a server, and clients with settings of TCP; `timeline`, a statement that
names a link and one that names its ends; `requirements`, one along a path and one of a later time; `tunables`, links whose delay and rate are expressions over tunables;
`prefixes`, an instance with a prefix and a region.
"""
import argparse
import random


EACH = ["workloads", "timeline", "requirements", "tunables", "prefixes"]


def edges(shape, count, degree, rng):
    if shape == "chain":
        return [(i - 1, i) for i in range(1, count)]
    if shape == "star":
        return [(0, i) for i in range(1, count)]
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
    parser.add_argument("shape", choices=["random", "chain", "tree", "star"])
    parser.add_argument("routers", type=int)
    parser.add_argument("--degree", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", nargs="*", default=[], choices=EACH)
    options = parser.parse_args()
    each = set(options.each)
    rng = random.Random(options.seed)
    print("import std.ether\nimport std.web\n")
    if "workloads" in each:
        print("profile own : Tcp { sack = true }\n")
    if "prefixes" in each:
        print("component Site(p: prefix) {\n  addressing { prefix = p }\n  routing { metric = delay }\n  router way\n  host pc\n"
              "  link pc -- way : ether.fast\n}\n")
    tunables = "(tunable T: time in 1 ms .. 2 ms = 1 ms, tunable R: rate in 1 Gbps .. 2 Gbps = 1 Gbps)" if "tunables" in each else ""
    print(f"model Flat{tunables} {{\n  endpoint server {{ simulated = web.server() }}")
    for i in range(options.routers):
        print(f"  router r{i}\n  host h{i}{' { tcp = own }' if 'workloads' in each else ''}\n  link w{i}: h{i} -- r{i} : ether.fast")
        if "prefixes" in each:
            print(f"  Site site{i}(p = subnet(11.0.0.0/8, 28, {i}))\n  link site{i}.way -- r{i} : ether.fast")
    print("  link server -- r0 : ether.gigabit")
    for number, (a, b) in enumerate(edges(options.shape, options.routers, options.degree, rng)):
        delay = f"{rng.randint(1000, 20000)} us"
        rate, delay = (f"R + {number} bps", f"T + {delay}") if tunables else ("1 Gbps", delay)
        print(f"  link l{number}: r{a} -- r{b} {{ rate = {rate}, delay = {delay} }}")
    for i in range(options.routers):
        if "workloads" in each:
            print(f"  endpoint s{i} {{ simulated = web.server(), tcp = own }}\n  link s{i} -- r{i} : ether.fast\n"
                  f"  workload browse{i} : web.ClosedLoop on h{i} {{ server = s{i}, documents = web.fixed(1 KB) }}")
        if "timeline" in each:
            print(f"  at {i} us {{ w{i} {{ rate = 10 Mbps }} }}\n  at {i} us {{ h{i} -- r{i} {{ delay = 1 ms }} }}")
        if "requirements" in each:
            print(f"  require rtt(h{i}, server) < 1000 s\n  at {i} us {{ require rtt(h{i}, server) < 1000 s }}")
    print("  workload browse : web.ClosedLoop on h0 { server = server, documents = web.fixed(1 KB) }")
    print("  run { duration = 1 s }\n}")


if __name__ == "__main__":
    main()
