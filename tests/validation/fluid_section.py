"""Fluid background traffic beside the same traffic in packets: what a foreground of packets has of either, and how far they are apart."""
import concurrent.futures
import json
import math
import pathlib
import subprocess
import tempfile

# Sources on links of their own, one line, and a foreground: a datagram each 5 ms, as long as the sources' or an eighth of that, or a TCP transfer.
MODEL = """import std.traffic
import std.tcp
model M {
  host source[100]
  host sink[100]
  host a
  host b
  router r
  router s
  link source[*] -- r { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB), overhead = 0 B }
  link sink[*] -- s { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB), overhead = 0 B }
  link a -- r { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB), overhead = 0 B }
  link b -- s { rate = 1 Gbps, delay = 1 ms, queue = droptail(1 MB), overhead = 0 B }
  link line: r -- s { rate = 50 Mbps, delay = 1 ms, queue = droptail(62500 B), overhead = 0 B }
  workload crowd : %(crowd)s
  workload front : %(front)s
  run { duration = %(duration)s, warmup = 2 s }
}
"""
PROBE = "traffic.Cbr on a { to = b, payload = 972 B, interval = 5 ms }"
SHORT = "traffic.Cbr on a { to = b, payload = 97 B, interval = 5 ms }"
TRANSFER = "traffic.Bulk on a { to = b }"


def empty(front):
    """What a datagram takes, nobody else there."""
    length = 125 if front == SHORT else 1000
    return 3e-3 + 2 * length * 8 / 1e9 + length * 8 / 50e6


def steady(rate):
    return (f"traffic.Cbr on source[*] {{ to = sink[*], payload = 972 B, rate = {rate} }}",
            f"traffic.Background on source[*] {{ to = sink[*], flow_rate = {rate} }}")


def bursts(rate, on, off, step):
    return (f"traffic.OnOff on source[*] {{ to = sink[*], payload = 972 B, rate = {rate}, burst = exponential({on}), pause = exponential({off}) }}",
            f"traffic.Background on source[*] {{ to = sink[*], flow_rate = {rate}, burst = {on}, pause = {off}, step = {step} }}")


CASES = [
    ("constant, 50 %", steady("250 Kbps"), PROBE),
    ("constant, 90 %", steady("450 Kbps"), PROBE),
    ("constant, 120 %", steady("600 Kbps"), PROBE),
    ("the same, short datagrams", steady("600 Kbps"), SHORT),
    ("bursts of 300 ms, 60 %", bursts("1 Mbps", "300 ms", "700 ms", "5 ms"), PROBE),
    ("bursts of 300 ms, 90 %", bursts("1 Mbps", "300 ms", "367 ms", "5 ms"), PROBE),
    ("the same in steps of 100 ms", bursts("1 Mbps", "300 ms", "367 ms", "100 ms"), PROBE),
    ("bursts of 300 ms, 110 %", bursts("1 Mbps", "300 ms", "245 ms", "5 ms"), PROBE),
    ("constant, 50 %, beside a transfer", steady("250 Kbps"), TRANSFER),
    ("bursts of 300 ms, 60 %, beside a transfer", bursts("1 Mbps", "300 ms", "700 ms", "5 ms"), TRANSFER),
]


def missing(_):
    return ""


def run(context, folder, case, which, seed, duration):
    way = empty(case[2])
    stem = folder / f"{CASES.index(case)}-{which}"
    emulator = stem.with_suffix(".emu")
    results = folder / f"{stem.name}-{seed}.json"
    subprocess.run([emulator, "simulate", "--seed", str(seed), "--results", results], check=True, capture_output=True)
    found = json.loads(results.read_text())
    crowd, front = ([w for w in found["workloads"] if w["name"] == name][0] for name in ("crowd", "front"))
    figures = {"hops": found["packet_hops"], "cpu": found["cpu_seconds"]}
    if which == 0:
        figures["crowd_lost"] = crowd["datagrams"]["lost_share"] or 0
    else:
        [line] = [l for l in found["fluid_links"] if l["name"] == "line>"]
        figures["crowd_lost"] = line["lost_share"] or 0
    if "datagrams" in front:
        figures |= {"mean": front["delay_seconds"]["mean"] - way, "p99": front["delay_seconds"]["p99"] - way, "lost": front["datagrams"]["lost_share"] or 0}
    else:
        figures |= {"goodput": front["goodput_bps"]}
    return figures


def mean(values):
    return sum(values) / len(values)


def spread(values):
    """Of the mean: its standard error."""
    m = mean(values)
    return math.sqrt(sum((v - m) ** 2 for v in values) / max(len(values) - 1, 1) / len(values))


def make(context):
    cases = [CASES[1], CASES[2], CASES[7]] if context.quick else CASES
    seeds = range(1, 1 + (context.seeds or (2 if context.quick else 8)))
    duration = "12 s" if context.quick else "42 s"
    with tempfile.TemporaryDirectory(prefix="anml-fluid-") as scratch:
        folder = pathlib.Path(scratch)
        for case in cases:
            for which in (0, 1):
                stem = folder / f"{CASES.index(case)}-{which}"
                stem.with_suffix(".anml").write_text(MODEL % {"crowd": case[1][which], "front": case[2], "duration": duration})
                subprocess.run([context.anmlc, stem.with_suffix(".anml"), "-O0", "-o", stem.with_suffix(".emu")], check=True)
        with concurrent.futures.ThreadPoolExecutor(context.jobs) as pool:
            jobs = {(case[0], which, seed): pool.submit(run, context, folder, case, which, seed, duration)
                    for case in cases for which in (0, 1) for seed in seeds}
        found = {key: job.result() for key, job in jobs.items()}

    def figure(case, which, key):
        values = [found[case[0], which, seed].get(key) for seed in seeds]
        return None if values[0] is None else (mean(values), spread(values))

    good, rows, work = True, [], []
    for case in cases:
        cells = [case[0]]
        for key, scale, digits in (("mean", 1e6, 0), ("p99", 1e6, 0), ("lost", 100, 2), ("goodput", 1e-6, 2), ("crowd_lost", 100, 2)):
            pair = [figure(case, which, key) for which in (0, 1)]
            if pair[0] is None:
                cells.append("")
                continue
            (packets, error), (fluid, other) = pair
            cells.append(f"{packets * scale:.{digits}f}, {fluid * scale:.{digits}f}, {(fluid - packets) * scale:+.{digits}f} ± {2 * math.hypot(error, other) * scale:.{digits}f}")
            chance = 3 * math.hypot(error, other)
            # A packet's time on the line and what it meets is not in the fluid: 160 us each.
            limit = {"mean": 0.15 * packets + 400e-6, "p99": 0.15 * packets + 1.2e-3, "lost": 0.02, "goodput": 0.15 * packets, "crowd_lost": 0.01}[key]
            if abs(fluid - packets) > limit + chance:
                cells[-1] = f"**{cells[-1]}**"
                good = good and case[0].startswith("the same")
        rows.append("| " + " | ".join(cells) + " |")
        work.append(figure(case, 1, "hops")[0] / figure(case, 0, "hops")[0])
    text = "\n".join([context.circumstances(f"{len(seeds)} seeds of {duration}"), "",
                      "| crowd: 100 sources over 50 Mbps | wait, mean, us | wait, p99, us | foreground lost, % | transfer, Mbps | crowd lost, % |",
                      "| --- | --- | --- | --- | --- | --- |", *rows, "",
                      f"Each: in packets, as fluid, the difference and twice its standard error. The fluid's runs move {100 * min(work):.1f} to {100 * max(work):.1f} % of the packets."])
    print(text)
    return text, good
