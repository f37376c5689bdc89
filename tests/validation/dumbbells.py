"""Dumbbells of 1, 2 and 20 flows, with each window law and each queue discipline that both ns-3 and we have: throughput, mean queue, drops and marks.

The network is the same in both (tests/bench/ns3/dumbbell.cc, and MODEL below): flow i has access links of 1 Gbps and 1 ms + i * 100 us each, the line has 15 ms and
10 or 50 Mbps, segments have 1448 bytes of payload. Flows begin within 100 ms. What waits at the line is a mean over time in both: of ours from captures of what
comes to it and what leaves.

Where several flows meet, which of them finds the queue full depends on where their packets lie between those of others, the same ones for minutes (Floyd and Jacobson,
1991: phase effects). Each repetition has other distances between flows than 100 us, and another seed."""
import collections
import concurrent.futures
import dataclasses
import hashlib
import json
import mmap
import os
import pathlib
import re
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = """
import std.queue
import std.traffic
model Dumbbell {{
  // As tcp.ns3, with more room. ns-3 counts acknowledgments in some laws and bytes in others.
  profile law : Tcp {{
    segment = {segment} B, timestamps = {stamps}, receive_buffer = 4 MB, send_buffer = 4 MB, delayed_ack = {delay}, quick_acks = 0
    byte_counting = {bytes}, adaptive = false, minimum_rto = 1 s, minimum_variation = 0 s, maximum_rto = 60 s, retries = 6
    syn_timeout = 3 s, syn_retries = 5, congestion = {law}, ecn = none
  }}
  host sender[{flows}]   {{ tcp = law }}
  host receiver[{flows}] {{ tcp = law }}
  router left
  router right
  let wide = droptail(packets = 10000)
  for i in 0 ..< {flows} {{
    link entry[i]: sender[i] -- left {{ rate = 1 Gbps, delay = 1 ms + i * {spread} us, queue = wide, overhead = 2 B }}
    link exit[i]: right -- receiver[i] {{ rate = 1 Gbps, delay = 1 ms + i * {spread} us, queue = wide, overhead = 2 B }}
  }}
  link line: left -- right {{ rate = {rate}, delay = 15 ms, overhead = 2 B, up {{ queue = {queue} }}, down {{ queue = wide }} }}
  workload bulk : traffic.Bulk on sender[*] {{ to = receiver[*], start_spread = 100 ms }}
  run {{ duration = {seconds} s, warmup = {warmup} s }}
}}
"""
# Names of window laws: ours, ns-3's as it comes, ns-3's as the RFC has it (tests/bench/ns3/laws.h), whether bytes are counted, and whether they go by round
# trips: then each segment is acknowledged, without timestamps, which ns-3 has in milliseconds.
LAWS = {
    "NewReno": ("newreno", "ns3::TcpNewReno", "FlightReno", False, False),
    "CUBIC": ("cubic", "ns3::TcpCubic", "LinuxCubic", True, False),
    "Scalable": ("scalable", "ns3::TcpScalable", "FlightScalable", True, False),
    "Vegas": ("vegas", "ns3::TcpVegas", "LinuxVegas", False, True),
    "DCTCP": ("dctcp", "ns3::TcpDctcp", "LossyDctcp", True, True),
    "BBR": ("bbr", "ns3::TcpBbr", "LinuxBbr", True, True),
}
# By discipline ours and ns-3's. Sizes are in packets of 1502 B: Q of a full queue, L and H thresholds.
# Our RED counts bytes and what is left of the packet in transmission, half a packet on average, ns-3's packets that wait besides.
DISCIPLINES = {
    "drop-tail": ("droptail(packets = {Q})", "ns3::FifoQueueDisc MaxSize={Q}p"),
    "RED": ("queue.red(100 MB, minimum_threshold = ({L} + 0.5) * 1502 B, maximum_threshold = ({H} + 0.5) * 1502 B, ecn = true)",
            "PaperRed MaxSize=65000p MinTh={L} MaxTh={H} QW=0.002 LInterm=10 Gentle=true MeanPktSize=1000 LinkBandwidth={rate} Wait=false UseEcn=true UseHardDrop=true"),
    "CoDel": ("queue.codel(100 MB, ecn = true)", "RfcCoDel MaxSize=65000p UseEcn=true"),
    "FQ-CoDel": ("queue.fq_codel(100 MB)", "LinkFqCoDel MaxSize=10240p UseEcn=true"),
    "PIE": ("queue.pie(100 MB, ecn = true)",
            "PresentPie MaxSize=65000p QueueDelayReference=15ms Tupdate=15ms MaxBurstAllowance=150ms UseDerandomization=true UseEcn=true"),
    # Above K packets that wait ns-3 marks; ours counts what is in transmission, too.
    "threshold": ("queue.threshold(100 MB, mark = {K} * 1502 B)",
                  "ns3::RedQueueDisc MaxSize=65000p MinTh={K} MaxTh={K} QW=1 LInterm=1 Gentle=false MeanPktSize=1000 LinkBandwidth={rate} UseEcn=true UseHardDrop=false"),
}
SIZES = {
    1: dict(rate="10Mbps", seconds=200, warmup=20, Q=40, L=10, H=30, K=20),
    2: dict(rate="10Mbps", seconds=80, warmup=20, Q=40, L=10, H=30, K=20),
    20: dict(rate="50Mbps", seconds=30, warmup=8, Q=150, L=25, H=75, K=33),
}
SPREADS = [100, 130, 170, 220, 290]  # us between the access links of flows, by repetition
# What ns-3 has itself in place of these of laws.h.
OWN_DISCIPLINES = {"PaperRed": "ns3::RedQueueDisc", "PresentPie": "ns3::PieQueueDisc", "RfcCoDel": "ns3::CoDelQueueDisc", "LinkFqCoDel": "ns3::FqCoDelQueueDisc"}
# How far ours may be from ns-3's: throughput, mean queue, drops and marks.
LIMITS = {"throughput": 0.02, "queue": 0.1, "drops": 0.15, "marks": 0.15}


@dataclasses.dataclass
class Figures:
    """Of one run, or means of several: payload bit/s, packets that wait on average, and how many were dropped and marked in the measured time."""
    throughput: float
    queue: float
    drops: float
    marks: float


def cases():
    return [(law, discipline, flows) for law in LAWS for discipline in DISCIPLINES for flows in SIZES
            if discipline != "threshold" or law == "DCTCP"]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def packets(path):
    """(ns, flow, identity) of each packet in a capture."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at, end = 24, len(data)
        while at < end:
            seconds, ns, length, _ = struct.unpack_from("<IIII", data, at)
            at += 16
            yield seconds * 10**9 + ns, data[at + 12:at + 16], data[at + 4:at + 6] + data[at + 20:at + min(length, 60)], length
            at += length


def spread(seed):
    return SPREADS[(seed - 1) % len(SPREADS)]


def mean_queue(folder, begin, end, drops_late, spread_us):
    """Packets that wait at the line, mean over the time from `begin` to `end`, ns. With `drops_late` what does not leave has waited as long as the next of its flow."""
    left = collections.defaultdict(collections.deque)
    for at, flow, identity, _ in packets(folder / "line.pcap"):
        left[flow].append((at, identity))
    area, waiting = 0, collections.defaultdict(list)
    for at, flow, identity, length in packets(folder / "entry.pcap"):
        number = int.from_bytes(flow[1:], "big") - 1  # senders are the first nodes of 10.0.0.0/8
        waiting[flow].append(at + (length + 2) * 8 + 1_000_000 + 1000 * spread_us * number)
        # A flow's packets leave in the order in which they came; one that is not the next to leave was dropped. Without timestamps it may be sent again as it was.
        if left[flow] and left[flow][0][1] == identity:
            leaves = min(left[flow].popleft()[0], end)
            area += sum(max(0, leaves - max(came, begin)) for came in waiting[flow][0 if drops_late else -1:])
            waiting[flow].clear()
    return area / (end - begin)


def ours(anmlc, law, discipline, flows, seeds):
    """Figures of each seed."""
    sizes = SIZES[flows]
    name, _, _, counts_bytes, plain = LAWS[law]
    text = lambda seed: MODEL.format(spread=spread(seed), law=name, bytes=str(counts_bytes).lower(), stamps=str(not plain).lower(), delay="0 s" if plain else "200 ms",
                        segment=1448 if plain else 1460, flows=flows, queue=DISCIPLINES[discipline][0].format(**sizes),
                        rate=sizes["rate"].replace("M", " M"), seconds=sizes["seconds"], warmup=sizes["warmup"])
    found = []
    with tempfile.TemporaryDirectory(prefix="anml-validation-") as scratch:
        folder = pathlib.Path(scratch)
        for seed in seeds:
            (folder / "dumbbell.anml").write_text(text(seed))
            run(anmlc, "-O0", folder / "dumbbell.anml", "-o", folder / "dumbbell")
            run(folder / "dumbbell", "simulate", "--seed", seed, "--results", folder / "results.json",
                "--capture", f"line>={folder}/line.pcap", "--capture", f"entry>={folder}/entry.pcap")
            results = json.loads((folder / "results.json").read_text())
            line = next(link for link in results["busiest_links"] if link["name"] == "line>")
            late = discipline in ("CoDel", "FQ-CoDel")
            # The workloads' start is the run's.
            queue = mean_queue(folder, sizes["warmup"] * 10**9, sizes["seconds"] * 10**9, late, spread(seed))
            found.append(Figures(results["workloads"][0]["goodput_bps"], queue, line["dropped"], line["marked"]))
    return found


def version(program, command=""):
    """Of a program of tests/bench/ns3 as far as it and its command say: without the laws and disciplines that they have no need of."""
    source, *headers = ((ROOT / "tests/bench/ns3" / name).read_text() for name in (program, "laws.h", "disciplines.h"))
    rest = "".join(headers)
    classes = {found[1]: found[0] for found in re.finditer(r"(?:^//.*\n)*^class (\w+)(?:.|\n)*?^};\n", rest, re.M)}
    for of in classes.values():
        rest = rest.replace(of, "")
    rest = re.sub(r"^NS_OBJECT_ENSURE_REGISTERED.*\n", "", rest, flags=re.M)
    rest = re.sub(r"^#include.*\n|\n(?=\n)", "", rest, flags=re.M)
    used, more = set(), True
    while more:
        more = {name for name in classes if name not in used and re.search(rf"\b{name}\b", source + command + "".join(classes[n] for n in used))}
        used |= more
    return hashlib.sha256((source + rest + "".join(classes[name] for name in sorted(used))).encode()).hexdigest()


class Ns3:
    """Runs the program of dumbbell.cc; what it has run before is kept in a file, as long as the program is the same."""

    def __init__(self, program, cache):
        self.program, self.cache = program, cache
        self.known = json.loads(cache.read_text()) if cache and cache.exists() else {}

    def figures(self, law, discipline, flows, seed, corrected):
        sizes = SIZES[flows]
        disc = DISCIPLINES[discipline][1].format(**sizes).replace(" ", ",")
        if not corrected:
            kind, comma, rest = disc.partition(",")
            disc = OWN_DISCIPLINES.get(kind, kind) + comma + rest
        command = [f"--cc={LAWS[law][2 if corrected else 1]}", f"--disc={disc}", f"--flows={flows}",
                   f"--rate={sizes['rate']}", f"--time={sizes['seconds']}", f"--warmup={sizes['warmup']}", f"--seed={seed}",
                   f"--plain={int(LAWS[law][4] and corrected)}", f"--spread={spread(seed) * 1e-6:.6f}",
                   f"--recovery={'RfcRecovery' if corrected else 'ns3::TcpPrrRecovery'}"]
        key = " ".join([version("dumbbell.cc", " ".join(command)), *command])
        if key not in self.known:
            self.known[key] = json.loads(run(self.program, *command))
            if self.cache:
                self.cache.parent.mkdir(parents=True, exist_ok=True)
                self.cache.write_text(json.dumps(self.known, indent=0))
        line = self.known[key]
        return Figures(sum(line["delivered"]) * 8 / (sizes["seconds"] - sizes["warmup"]), line["mean_queue"], line["dropped"], line["marked"])


def error(figures, name):
    """The standard error of a figure's mean."""
    values = [getattr(f, name) for f in figures]
    return statistics.stdev(values) / len(values)**0.5 if len(values) > 1 else 0


def mean(figures):
    return Figures(*(statistics.mean(getattr(f, field.name) for f in figures) for field in dataclasses.fields(Figures)))


def compare(anmlc, ns3, case, seeds, corrected=True):
    """Ours and ns-3's figures of a case, of each seed."""
    law, discipline, flows = case
    return ours(anmlc, law, discipline, flows, seeds), [ns3.figures(law, discipline, flows, seed, corrected) for seed in seeds]


if __name__ == "__main__":
    anmlc = os.environ.get("ANMLC", ROOT / "build/release/bin/anmlc")
    ns3 = Ns3(os.environ.get("NS3_DUMBBELL", ROOT / "build/release/bin/ns3_dumbbell"), ROOT / "build/validation/ns3.json")
    seeds = range(1, int(os.environ.get("SEEDS", 1)) + 1)
    chosen = [case for case in cases() if all(word in map(str, case) for word in sys.argv[1:])]
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", 2))) as pool:
        for case, both in zip(chosen, pool.map(lambda case: compare(anmlc, ns3, case, seeds), chosen)):
            mine, theirs = map(mean, both)
            ratio = lambda a, b: f"{a / b:5.2f}" if b else f"{a:5.1f}!"
            print(f"{case[0]:9}{case[1]:10}{case[2]:3}  {mine.throughput / 1e6:7.3f} {theirs.throughput / 1e6:7.3f} {ratio(mine.throughput, theirs.throughput)}"
                  f"  queue {mine.queue:7.2f} {theirs.queue:7.2f} {ratio(mine.queue, theirs.queue)}  drops {mine.drops:6.0f} {theirs.drops:6.0f} {ratio(mine.drops, theirs.drops)}"
                  f"  marks {mine.marks:6.0f} {theirs.marks:6.0f} {ratio(mine.marks, theirs.marks)}", flush=True)
