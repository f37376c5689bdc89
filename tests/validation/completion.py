"""Completion times of flows in a fat tree of 16 hosts, the public benchmark scaled down (examples/fat-tree), beside ns-3's: the same list of flows in both.

Flows come as a Poisson process at 30 % of the bisection, with web search's sizes (std.flows), from anybody to anybody else. Both have DCTCP with each segment
acknowledged and without timestamps, and choose among equal paths by a hash of their own: flows that meet in one need not meet in the other."""
import collections
import hashlib
import json
import math
import pathlib
import random
import re
import subprocess
import tempfile

from dumbbells import ROOT, run, version

MODEL = """
import std.queue
import std.topology
import std.traffic
schema Due {{ source: int, destination: int, size: size, due: time }}
table list("list.csv") : Due
profile near : Tcp {{
  congestion = dctcp, segment = 1448 B, timestamps = false, receive_buffer = 1 GB, send_buffer = 1 GB, delayed_ack = 0 s, quick_acks = 0
  byte_counting = true, adaptive = false, minimum_rto = 5 ms, minimum_variation = 0 s, syn_timeout = 10 ms, time_wait = 10 ms
}}
model FatTree(k: int = {k}, rate: rate = 100 Gbps) {{
  routing {{ multipath = ecmp }}
  // Packets of 1502 B: ns-3 counts those that wait, RED of ours half a packet besides, on average, that is in transmission.
  profile marks : queue.Red {{
    capacity = 2797 * 1502 B, minimum_threshold = 50.5 * 1502 B, maximum_threshold = 150.5 * 1502 B, typical_packet = 1500 B
    ecn = true, hard_drop = false
  }}
  profile cable : Link {{ rate = rate, delay = 3 us, overhead = 2 B, queue = marks }}
  profile port : Link {{ rate = rate, delay = 3 us, overhead = 2 B, up {{ queue = droptail(packets = 2796) }}, down {{ queue = marks }} }}
  let half = floor(k / 2)
  let hosts = k * half * half
  topology.FatTree fabric(k, wire = cable)
  host h[hosts] {{ tcp = near }}
  for e in 0 ..< k * half {{ link rack[e]: h[e * half ..< (e + 1) * half] -- fabric.node[e] : port }}
  for i, f in list {{
    workload flow[i] : traffic.Flows on h[f.source] {{ to = h[f.destination], size = f.size, interval = 1000 h, start_spread = 0 s }}
    at 0 s {{ flow[i] off }}
    at f.due {{ flow[i] on }}
  }}
  run {{ duration = {milliseconds} ms }}
}}
"""
K, LOAD = 4, 0.3
LIMIT = 0.05


def web_search():
    """The points of std.flows' distribution: (bytes, share that is not larger)."""
    text = (ROOT / "stdlib/std/flows/web_search.anml").read_text()
    sizes = [int(n) for n in re.findall(r"(\d+) B,", text.split("cumulative(")[1])]
    shares = [float(n) for n in re.search(r"\[(0, 0\.[^\]]*)\]", text)[1].split(",")]
    assert len(sizes) == len(shares)
    return list(zip(sizes, shares))


def flows(seed, milliseconds, k=K):
    """Source, destination, bytes, and the time in ns of each."""
    points, draw, hosts = web_search(), random.Random(seed), k**3 // 4
    mean = sum((a[0] + b[0]) / 2 * (b[1] - a[1]) for a, b in zip(points, points[1:]))
    interval = mean * 8 / (LOAD * hosts / 2 * 100e9) * 1e9
    listed, at = [], 0.0
    while True:
        at += draw.expovariate(1 / interval)
        if at > milliseconds * 1e6:
            return listed
        source, share = draw.randrange(hosts), draw.random()
        destination = draw.choice([h for h in range(hosts) if h != source])
        (small, low), (large, high) = next(pair for pair in zip(points, points[1:]) if share <= pair[1][1])
        listed.append((source, destination, max(1, round(small + (large - small) * (share - low) / (high - low))), int(at)))


def ours(anmlc, listed, milliseconds):
    """Seconds that each flow took."""
    with tempfile.TemporaryDirectory(prefix="anml-validation-") as scratch:
        folder = pathlib.Path(scratch)
        rows = [f"{source},{destination},{size},{at}" for source, destination, size, at in listed]
        (folder / "list.csv").write_text("\n".join(["source,destination,size [B],due [ns]", *rows]) + "\n")
        (folder / "tree.anml").write_text(MODEL.format(k=K, milliseconds=milliseconds + 200))
        run(anmlc, "-O0", folder / "tree.anml", "-o", folder / "tree")
        run(folder / "tree", "simulate", "--threads", 1, "--results", folder / "results.json")
        workloads = json.loads((folder / "results.json").read_text())["workloads"]
        return [w["transfer_time_seconds"]["mean"] for w in workloads]


def theirs(program, cache, listed):
    text = "".join(f"{source} {destination} {size} {at}\n" for source, destination, size, at in listed)
    known = cache.with_name(f"flows-{hashlib.sha256((version('flows.cc') + text).encode()).hexdigest()[:16]}.json") if cache else None
    if known and known.exists():
        return json.loads(known.read_text())
    done = subprocess.run([program, str(K)], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    took = dict(map(int, line.split()) for line in done.stdout.splitlines())
    found = [took[i] / 1e9 if i in took else None for i in range(len(listed))]
    if known:
        known.parent.mkdir(parents=True, exist_ok=True)
        known.write_text(json.dumps(found))
    return found


def compare(anmlc, program, cache, seeds, milliseconds):
    """By the lower end of a size's decade: pairs of seconds, ours and ns-3's, of flows that ended in both; and how many did not."""
    by_size, missing = collections.defaultdict(list), [0, 0]
    for seed in seeds:
        listed = flows(seed, milliseconds)
        for (_, _, size, _), mine, other in zip(listed, ours(anmlc, listed, milliseconds), theirs(program, cache, listed)):
            missing[0] += mine is None
            missing[1] += other is None
            if mine is not None and other is not None:
                by_size[10 ** int(math.log10(size))].append((mine, other))
    return dict(sorted(by_size.items())), missing


def percentile(values, percent):
    return sorted(values)[min(len(values) - 1, math.ceil(len(values) * percent / 100) - 1)]

