#!/usr/bin/env python3
"""Our TCP beside Linux's: the same transfers over the same path with the same losses.

Linux's are made by two real hosts in network namespaces, joined by link_emulator.cpp; ours by against_linux.anml,
simulated. The table has the seconds of both and their ratio, what was sent again, and how much of that was needless:
more than was lost. Of Linux the median of some runs counts, of both the mean over a row's variants (which packets are
lost, or when flows begin). Needs root.
"""
import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import statistics
import sys

from linux_path import LinuxPath
from netlab import Lab, run

HERE = pathlib.Path(__file__).resolve().parent
TOLERANCE = 0.10
MILLISECOND = 1_000_000  # ns
LATE = 2.0  # ms; 0.1 to 0.6 on a quiet machine


@dataclasses.dataclass(frozen=True)
class Case:
    """A row. Times are in ms, rates in Mbps, sizes in bytes; `lose` and `back_lose` are the first and the last number
    of packets that are lost on the way there and back, `period` and `length` as in `loss.periodic`."""
    name: str
    size: int
    rate: float = 100
    back: float = 0  # 0: the same
    delay: float = 50
    step: float = 0  # how much longer the delay of each variant is than that of the one before
    packets: int = 65535
    bytes: int = 8 << 20
    mark: int = 0  # bytes: packets that find more are marked (ECN)
    fair: bool = False  # FQ-CoDel, which has no bounds here
    period: int = 0
    length: int = 1
    lose: tuple = (0, 0)
    loss: float = 0
    jitter: float = 0
    begins: float = 0  # of the jitter, s; 0: it is always there
    ends: float = 0
    back_lose: tuple = (0, 0)
    back_loss: float = 0
    flows: int = 1
    spread: float = 0
    download: bool = False
    congestion: str = "reno"  # Linux's name of it
    pacing: bool = False
    variants: int = 1  # phases of a periodic loss, seeds of everything else
    quick: bool = False  # among those that ctest runs
    sysctl: tuple = ()

    def phase(self, variant):
        return variant * self.period // self.variants

    def delay_of(self, variant):
        return round((self.delay + variant * self.step) * MILLISECOND)

    def directions(self, variant):
        """As link_emulator takes them."""
        common = f"delay={self.delay_of(variant)},packets={self.packets},bytes={self.bytes},pass=1," \
                 f"seed={variant + 1}"

        def lost(numbers):
            return ":".join(str(n) for n in range(numbers[0], numbers[1] + 1) if n > 0)
        if self.begins:
            jitter_time = f"from={self.begins * 1e9:.0f},until={self.ends * 1e9:.0f},"
        else:
            jitter_time = ""
        there = f"rate={self.rate * 1e6},{common},{jitter_time}fair={int(self.fair)},period={self.period},length={self.length}," \
                f"phase={self.phase(variant)},loss={self.loss},jitter={round(self.jitter * MILLISECOND)}," \
                f"lose={lost(self.lose)},mark={self.mark}"
        back = f"rate={(self.back or self.rate) * 1e6},{common},loss={self.back_loss},lose={lost(self.back_lose)}"
        return there, back

    def defines(self):
        """As the model takes them."""
        settings = {"reno": "tcp.linux", "cubic": "paced" if self.pacing else "tcp.linux_cubic", "bbr": "tcp.linux_bbr"}
        if self.mark:
            settings = {"reno": "marked", "cubic": "marked_cubic"}
        values = {
            "settings": settings[self.congestion], "flows": self.flows, "rate": f"{self.rate} Mbps",
            "back": f"{self.back or self.rate} Mbps", "packets": self.packets,
            "bytes": f"{self.bytes} B", "mark": f"{self.mark} B", "fair": str(self.fair).lower(),
            "begins": f"{self.begins} s", "ends": f"{self.ends} s", "period": self.period, "length": self.length, "first": self.lose[0],
            "last": self.lose[1], "loss": self.loss, "jitter": f"{self.jitter} ms", "back_first": self.back_lose[0],
            "back_last": self.back_lose[1], "back_loss": self.back_loss, "size": f"{self.size} B",
            "download": str(self.download).lower(), "spread": f"{self.spread} ms",
        }
        return [f"-D{name}={value}" for name, value in values.items()]

    def starts(self, variant):
        """Of the flows, in seconds, in order."""
        draw = random.Random(variant)
        return sorted(draw.uniform(0, self.spread / 1000) for _ in range(self.flows))


KB, MB = 1000, 1_000_000
ECN = (("net.ipv4.tcp_ecn", 1),)
CASES = [
    Case("1 KB", KB, quick=True),
    Case("10 KB", 10 * KB, quick=True),
    Case("100 KB", 100 * KB, quick=True),
    Case("1 MB", MB, quick=True),
    Case("20 MB", 20 * MB, quick=True),
    Case("1 MB by curl from nginx", 1 << 20, download=True, quick=True),
    Case("1 MB by curl from nginx, 120 ms", 1 << 20, delay=60, download=True, quick=True),
    Case("20 MB, queue of 512 KB", 20 * MB, bytes=512 << 10),
    Case("20 MB, queue of 256 KB", 20 * MB, bytes=256 << 10),
    Case("20 MB, queue of 128 KB", 20 * MB, bytes=128 << 10),
    Case("20 MB, queue of 64 KB", 20 * MB, delay=49.8, step=0.055, bytes=64 << 10, variants=8),
    Case("20 MB, queue of 100 packets, 20 ms", 20 * MB, delay=10, packets=100),
    Case("100 KB, 1 % lost", 100 * KB, period=100, variants=10),
    Case("1 MB, 1 % lost", MB, period=100, variants=5),
    Case("5 MB, 1 % lost, 20 ms", 5 * MB, delay=10, period=100, variants=4),
    Case("20 MB, 0.1 % lost, 20 ms", 20 * MB, delay=10, period=1000, variants=4),
    Case("100 KB, 5 % lost", 100 * KB, period=20, variants=10),
    Case("1 MB, three of 300 lost in a row, 20 ms", MB, delay=10, period=300, length=3, variants=5),
    Case("1 MB, drawn losses of 2 %, 20 ms", MB, delay=10, loss=0.02, variants=10),
    Case("1 MB, drawn losses of 10 %, 20 ms", MB, delay=10, loss=0.1, variants=10),
    Case("1 MB, 10 % of the acknowledgments lost", MB, back_loss=0.1, variants=3),
    Case("20 MB, jitter of 10 ms", 20 * MB, jitter=10, variants=3),
    Case("5 MB, jitter of 10 ms, 20 ms", 5 * MB, delay=10, jitter=10, variants=3),
    Case("1 MB, jitter of 2 ms, 40 ms", MB, delay=20, jitter=2, variants=3),
    Case("20 MB, 520 ms", 20 * MB, delay=260),
    Case("5 MB, 520 ms, 10 Mbps", 5 * MB, delay=260, rate=10),
    Case("SYN lost", 10 * KB, lose=(1, 1), quick=True),
    Case("two SYNs lost", 10 * KB, lose=(1, 2), quick=True),
    Case("three SYNs lost", 10 * KB, lose=(1, 3)),
    Case("SYN/ACK lost", 10 * KB, back_lose=(1, 1)),
    Case("first data segment lost", 10 * KB, lose=(3, 3)),
    Case("all of the first window lost", 100 * KB, lose=(3, 12)),
    Case("100 KB, the last segment lost", 100 * KB, lose=(72, 72)),
    Case("100 KB, the last three lost", 100 * KB, lose=(70, 72)),
    Case("5 flows, queue of 20 packets", 2 * MB, rate=10, delay=10, packets=20, flows=5, spread=200, variants=3),
    Case("20 flows, queue of 20 packets", 500 * KB, rate=10, delay=10, packets=20, flows=20, spread=500, variants=3),
    Case("2 flows, queue of 100 packets", 10 * MB, rate=20, delay=20, packets=100, flows=2, spread=200, variants=3),
    Case("upload by ADSL, 1 Mbps up, 16 down", MB, rate=1, back=16, delay=15, bytes=64 << 10),
    Case("download by ADSL, 16 Mbps down, 0.25 up", 10 * MB, rate=16, back=0.25, delay=15, bytes=128 << 10),
    Case("modem, 56 kbit/s", 50 * KB, rate=0.056, delay=60, packets=20),
    Case("CUBIC, 20 MB", 20 * MB, congestion="cubic"),
    Case("CUBIC, 20 MB, 20 ms", 20 * MB, delay=10, congestion="cubic", quick=True),
    Case("CUBIC, 20 MB, queue of 512 KB", 20 * MB, bytes=512 << 10, congestion="cubic"),
    Case("CUBIC, 20 MB, queue of 128 KB", 20 * MB, bytes=128 << 10, congestion="cubic"),
    Case("CUBIC, 20 MB, queue of 100 packets, 20 ms", 20 * MB, delay=10, packets=100, congestion="cubic", quick=True),
    Case("CUBIC, 20 MB, 0.1 % lost, 20 ms", 20 * MB, delay=10, period=1000, variants=4, congestion="cubic"),
    Case("CUBIC, 5 MB, 1 % lost, 20 ms", 5 * MB, delay=10, period=100, variants=4, congestion="cubic"),
    Case("CUBIC, 5 MB, drawn losses of 5 %, 20 ms", 5 * MB, delay=10, loss=0.05, variants=4, congestion="cubic"),
    Case("CUBIC, 10 MB, 0.5 % lost, 10 Mbps", 10 * MB, rate=10, period=200, variants=2, congestion="cubic"),
    Case("CUBIC, 20 MB, 520 ms", 20 * MB, delay=260, congestion="cubic"),
    Case("CUBIC paced, 20 MB", 20 * MB, congestion="cubic", pacing=True),
    Case("CUBIC paced, 20 MB, queue of 100 packets, 20 ms", 20 * MB, delay=10, packets=100, congestion="cubic",
         pacing=True),
    Case("CUBIC paced, 20 MB, 0.1 % lost, 20 ms", 20 * MB, delay=10, period=1000, variants=4, congestion="cubic",
         pacing=True),
    Case("CUBIC, 2 flows, queue of 100 packets", 10 * MB, rate=20, delay=20, packets=100, flows=2, spread=200, variants=3,
         congestion="cubic"),
    Case("ECN, 20 MB, marks above 40 KB, 20 ms", 20 * MB, delay=10, mark=40_000, sysctl=ECN),
    Case("ECN, 20 MB, marks above 100 KB", 20 * MB, mark=100_000, sysctl=ECN),
    Case("ECN, CUBIC, 20 MB, marks above 40 KB, 20 ms", 20 * MB, delay=10, mark=40_000, congestion="cubic", sysctl=ECN),
    Case("ECN, 5 flows, marks above 15 KB", 2 * MB, rate=10, delay=10, mark=15_000, flows=5, spread=200, variants=3, sysctl=ECN),
    Case("BBR, 100 KB", 100 * KB, congestion="bbr"),
    Case("BBR, 1 MB", MB, congestion="bbr"),
    Case("BBR, 20 MB", 20 * MB, congestion="bbr"),
    Case("BBR, 20 MB, 20 ms", 20 * MB, delay=10, congestion="bbr"),
    Case("BBR, 20 MB, queue of 128 KB", 20 * MB, bytes=128 << 10, congestion="bbr"),
    Case("BBR, 20 MB, queue of 100 packets, 20 ms", 20 * MB, delay=10, packets=100, congestion="bbr"),
    Case("BBR, 20 MB, drawn losses of 1 %, 20 ms", 20 * MB, delay=10, loss=0.01, variants=4, congestion="bbr"),
    Case("BBR, 20 MB, drawn losses of 1 %", 20 * MB, loss=0.01, variants=4, congestion="bbr"),
    Case("BBR, 10 MB, drawn losses of 0.5 %, 10 Mbps", 10 * MB, rate=10, loss=0.005, variants=2, congestion="bbr"),
    Case("BBR, 20 MB, drawn losses of 5 %, 20 ms", 20 * MB, delay=10, loss=0.05, variants=4, congestion="bbr"),
    Case("BBR, 20 MB, 10 Mbps, 40 ms", 20 * MB, rate=10, delay=20, congestion="bbr"),
    Case("BBR, 2 flows, queue of 100 packets", 10 * MB, rate=20, delay=20, packets=100, flows=2, spread=200, variants=3,
         congestion="bbr"),
]

# What a study has: each law on each path, ten runs. Which packets are lost or late differs from run to run, or the delay,
# by less than the time of a packet.
PATHS = [
    Case("clean, 100 Mbps, 100 ms", 20 * MB, step=0.0113),
    Case("1 % lost, 100 Mbps, 20 ms", 5 * MB, delay=10, loss=0.01),
    Case("drop-tail of 1 MB, 10 Mbps, 40 ms", 10 * MB, rate=10, delay=20, step=0.113, bytes=1 << 20),
    Case("FQ-CoDel, 10 Mbps, 40 ms", 10 * MB, rate=10, delay=20, step=0.113, fair=True),
    Case("reordered for 10 s, 20 Mbps, 40 ms", 30 * MB, rate=20, delay=20, step=0.053, jitter=10, begins=1, ends=11),
]
LAWS = {"NewReno": "reno", "CUBIC": "cubic", "BBR": "bbr"}
STUDY = [dataclasses.replace(path, name=f"{law}, {path.name}", congestion=name, variants=10)
         for path in PATHS for law, name in LAWS.items()]


def ours(lab, case, emulator):
    """Of each variant."""
    rows = []
    for variant in range(case.variants):
        results = lab.folder / "results.json"
        run(emulator, "simulate", "--threads", 1, "--seed", variant + 1, "--set", f"phase={case.phase(variant)}",
            "--set", f"seed={variant + 1}", "--set", f"delay={case.delay_of(variant)} ns", "--results", results)
        figures = json.loads(results.read_text())
        workload = figures["workloads"][0]
        times = workload["response_time_seconds" if case.download else "transfer_time_seconds"]
        done = workload["transactions" if case.download else "transfers"]["completed"]
        if done != case.flows:
            raise AssertionError(f"{case.name}: {done} of {case.flows} transfers completed\n{workload}")
        gone = figures["packets"]["dropped"]
        rows.append({"seconds": times["mean"], "longest": times["max"], "again": figures["retransmissions"],
                     "gone": gone["queue"] + gone["lost"]})
    return rows


def linux(case, runs):
    """Of each variant the medians of its runs. A run that the link was late in isn't one over this path, and
    is made again; where the machine leaves no other, those count that it was least late in."""
    rows = []
    for variant in range(case.variants):
        with Lab() as lab, contextlib.closing(LinuxPath(lab, *case.directions(variant), case.congestion,
                                                        case.pacing, **dict(case.sysctl))) as path:
            samples = []
            for _ in range(3 * runs):
                figures = path.fetch(case.size) if case.download else path.transfer(case.size, case.starts(variant))
                both = figures["there"], figures["back"]
                samples.append({"late": max(way["slip_max_ns"] for way in both) / MILLISECOND,
                                "seconds": figures["seconds"], "longest": figures["longest"],
                                "again": figures["again"], "gone": sum(way["dropped"] + way["lost"] for way in both)})
                if sum(sample["late"] <= LATE for sample in samples) == runs:
                    break
            samples = sorted(samples, key=lambda sample: sample["late"])[:runs]
            rows.append({key: statistics.median(sample[key] for sample in samples) for key in samples[0]})
    return rows


def means(rows):
    return {key: statistics.mean(row[key] for row in rows) for key in rows[0]}


def both(case, runs, known=None):
    """Ours and Linux's of each variant; the latter, if they are `known`, as they were."""
    with Lab() as lab:
        emulator = lab.compile(HERE / "against_linux.anml", "-O0", *case.defines())
        return ours(lab, case, emulator), known or linux(case, runs)


def compare(case, runs):
    """The means of ours and of Linux's."""
    return tuple(map(means, both(case, runs)))


def key(case, runs):
    """What Linux's figures depend on, for the file that keeps them."""
    values = dataclasses.asdict(dataclasses.replace(case, quick=False))
    return json.dumps(values | {"runs": runs}, sort_keys=True)


T_95 = 2.262  # Student's t of nine degrees of freedom


def interval(rows):
    """Half of the width of the 95 % interval of the mean of ten runs."""
    assert len(rows) == 10
    return T_95 * statistics.stdev(row["seconds"] for row in rows) / len(rows) ** 0.5


def cells(case, ours, linux, study):
    us, them = means(ours), means(linux)

    def counts(figures):
        return f"{figures['again']:.0f} ({max(0, figures['again'] - figures['gone']):.0f})"

    def seconds(figures, rows):
        return f"{figures['seconds']:.3f}" + (f" ± {interval(rows):.3f}" if study else "")
    return [case.name, seconds(us, ours), seconds(them, linux), f"{us['seconds'] / them['seconds']:.2f}",
            counts(us), counts(them)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, help="of Linux, whose median counts; 3, of the study 1 of each variant")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--quick", action="store_true", help="only the rows that ctest has")
    parser.add_argument("--study", action="store_true", help="the laws on five paths, means of ten runs and their 95 %% intervals")
    parser.add_argument("--keep", type=pathlib.Path, help="file of Linux's figures: what it has isn't measured again")
    arguments = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("needs root: it makes network namespaces")
    titles = ["transfer", "ours, s", "Linux, s", "ratio", "sent again (needless)", "by Linux"]
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles), flush=True)
    worst = 0.0
    kept = json.loads(arguments.keep.read_text()) if arguments.keep and arguments.keep.exists() else {}
    runs = arguments.runs or (1 if arguments.study else 3)
    for case in STUDY if arguments.study else CASES:
        if arguments.only in case.name and (case.quick or not arguments.quick):
            us, them = both(case, runs, kept.get(key(case, runs)))
            kept[key(case, runs)] = them
            if arguments.keep:
                arguments.keep.write_text(json.dumps(kept, indent=1))
            row = cells(case, us, them, arguments.study)
            worst = max(worst, abs(float(row[3]) - 1))
            print("| " + " | ".join(row) + " |", flush=True)
    print(f"\nat most {worst:.0%} apart")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
