#!/usr/bin/env python3
"""How exactly packets keep to a path of 10 ms through three routers, at each pace and several rates, in turns.

Two hosts in network namespaces, veth pairs to the emulator, datagrams of 100 bytes one way, stamped by the kernel where
they leave one host's stack and enter the other's (path_probe). Prints a line per pace and rate: packets lost, the
error's median, p99 and maximum (what a packet took beyond the model's path), how many were early, and the verdict.
The emulator is on processor 1, the probe on processor 0. Needs root.
Usage: live_pace.py [--rates 1000,10000,100000] [--paces spin,hybrid,sleep,sleep-fifo] [--seconds 5] [--rounds 1] [--together 1] [--devices if,xdp]
"""
import argparse
import json
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from netlab import Lab, ROOT, info, ping, run, wait_until  # noqa: E402

PROBE = os.environ.get("PATH_PROBE", str(ROOT / "build/release/bin/path_probe"))
RATE, SIZE = 40e9, 128  # bit/s of each link, bytes of a packet
MODEL = """
model Path {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r[3]
  link near: left -- r[0] { rate = 40 Gbps, delay = 2.5 ms, queue = droptail(64 MB) }
  link middle: r[0..1] -- r[1..2] { rate = 40 Gbps, delay = 2.5 ms, queue = droptail(64 MB) }
  link far: r[2] -- right { rate = 40 Gbps, delay = 2.5 ms, queue = droptail(64 MB) }
  run { duration = 1 h }
}
"""
PATH = 10e6 + 4 * SIZE * 8 / RATE * 1e9  # ns


class Bench:
    def __init__(self, lab):
        self.lab = lab
        self.emulator = lab.compile(MODEL)
        self.left, self.right, self.middle = (lab.namespace(name) for name in "lrm")
        gateway = info(self.emulator)["gateway"]
        for space, name, address in ((self.left, "left", "10.1.0.1"), (self.right, "right", "10.2.0.1")):
            lab.veth(space, "eth0", self.middle, name)
            lab.run_in(space, "ip", "addr", "add", f"{address}/32", "dev", "eth0")
            lab.run_in(space, "ip", "route", "add", "10.0.0.0/8", "via", gateway, "dev", "eth0", "onlink")

    def measure(self, device, pace, rate, seconds, together):
        lab, results = self.lab, self.lab.folder / "results.json"
        fifo = ("chrt", "-f", "50") if pace.endswith("-fifo") else ()
        live = lab.start(*fifo, self.emulator, "live", "--attach", f"left={device}:left", "--attach", f"right={device}:right",
                         "--cpu", "1", "--pace", pace.removesuffix("-fifo"), "--results", results, space=self.middle)
        wait_until(lambda: ping(lab, self.left, "10.2.0.1", 1), 10, "the first reply")
        probe = json.loads(run("taskset", "-c", "0", PROBE, self.left, "10.1.0.1", self.right, "10.2.0.1", rate, seconds,
                               max(1, rate // 10000 // together) * together, together, timeout=seconds + 60).stdout)
        live.stop(signal.SIGINT)
        done = json.loads(results.read_text())
        return probe, done


def percentile(values, share):
    return values[min(len(values) - 1, int(len(values) * share))]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rates", default="1000,10000,100000")
    options.add_argument("--paces", default="spin,hybrid,sleep,sleep-fifo")
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--rounds", type=int, default=1)
    options.add_argument("--together", type=int, default=1, help="datagrams that leave the sender in one call (UDP_SEGMENT)")
    options.add_argument("--devices", default="if", help="how the emulator reaches its interfaces: if, xdp, or both in turns")
    options = options.parse_args()
    print(f"{'device':6} {'pace':10} {'rate':>7} {'done':>8} {'lost':>6} {'early':>6} {'p50 us':>8} {'p99 us':>8} {'max us':>9}  emulator  verdict")
    early = 0
    with Lab() as lab:
        bench = Bench(lab)
        for _ in range(options.rounds):
            for rate in map(int, options.rates.split(",")):
                for pace in options.paces.split(","):
                    for device in options.devices.split(","):
                        probe, done = bench.measure(device, pace, rate, options.seconds, options.together)
                        error = [(took - PATH) / 1e3 for took in probe["ns"]]
                        early += sum(e < 0 for e in error)
                        print(f"{device:6} {pace:10} {rate:7} {probe['sent'] / probe['seconds']:8.0f} {probe['sent'] - probe['received']:6} "
                              f"{sum(e < 0 for e in error):6} {percentile(error, 0.5):8.1f} {percentile(error, 0.99):8.1f} "
                              f"{error[-1]:9.1f}  {done['live']['cpu_emulator'] * 100:6.0f} %  {done['verdict']}"
                              f"{'; ' + done['verdict_reasons'][0] if done['verdict_reasons'] else ''}", flush=True)
    return 1 if early else 0


if __name__ == "__main__":
    sys.exit(main())
