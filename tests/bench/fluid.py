#!/usr/bin/env python3
"""What fluid background costs: a million flows as a fluid beside a thousand in packets, over a torus of a thousand links at the same load.

Both carry the same foreground, pings between hosts. Printed are the links, processor time and packet-hops of each, the median of runs taken in turns, and the ratio of
processor times; the fluid's is to be below a tenth, or the end is 1. Options: --runs N, --seconds S, --anmlc PATH."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SIDE = 18  # 324 routers, 648 links between them, and 324 to hosts
MODEL = """import std.topology
import std.traffic
model M(side: int in 3 .. 100 = 18) {
  profile wire : Link { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB) }
  topology.Torus net(rows = side, columns = side, wire = wire)
  host h[side * side]
  link h[*] -- net.node[*] : wire
  %s
  workload probe : traffic.Ping on h[*] { to = h[*], pairing = permutation, interval = 1 s }
  run { duration = %g s }
}
"""
EACH = 3  # flows of a host in packets: 972
MANY = 3087  # as a fluid: 1 000 188
CROWDS = {
    "packets": "\n  ".join(f"workload crowd{i} : traffic.OnOff on h[*] {{ to = h[*], pairing = permutation, port = {10 + i}, rate = 10 Mbps, burst = exponential(1 s), pause = exponential(1 s) }}"
                           for i in range(EACH)),
    "fluid": f"workload crowd : traffic.Background on h[*] {{ to = h[*], pairing = permutation, flows = {MANY}, flow_rate = {10e6 * EACH / MANY:.0f} bps, burst = 1 s, pause = 1 s, step = 100 ms }}",
}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--seconds", type=float, default=5)
    options.add_argument("--anmlc", default=HERE.parents[1] / "build/release/bin/anmlc")
    options = options.parse_args()
    found = {name: [] for name in CROWDS}
    with tempfile.TemporaryDirectory(prefix="anml-bench-") as scratch:
        folder = pathlib.Path(scratch)
        for name, crowd in CROWDS.items():
            (folder / f"{name}.anml").write_text(MODEL % (crowd, options.seconds))
            subprocess.run([options.anmlc, folder / f"{name}.anml", "-o", folder / name], check=True)
        for _ in range(options.runs):
            for name in CROWDS:
                results = folder / "results.json"
                subprocess.run([folder / name, "simulate", "--threads", "1", "--results", results], check=True, capture_output=True)
                found[name].append(json.loads(results.read_text()))
    cpu = {}
    for name, runs in found.items():
        cpu[name] = statistics.median(r["cpu_seconds"] for r in runs)
        crowd = [w for w in runs[0]["workloads"] if w["name"].startswith("crowd")]
        carried = sum(w["fluid"]["carried_bps"] if "fluid" in w else w["throughput_bps"] for w in crowd)
        print(f"{name:8} {len(runs[0].get('fluid_links') or runs[0]['busiest_links'])} directed links, {carried / 1e9:.2f} Gbps carried, {runs[0]['packet_hops']} packet-hops, "
              f"{cpu[name]:.3f} s of processor time")
    ratio = cpu["fluid"] / cpu["packets"]
    print(f"ratio    {100 * ratio:.2f} %")
    sys.exit(ratio >= 0.1)


if __name__ == "__main__":
    main()
