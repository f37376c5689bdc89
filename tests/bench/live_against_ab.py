#!/usr/bin/env python3
"""8 x 64 virtual clients across the paper's WAN against `ab -c 128`, the same nginx, in turns, in one run.

nginx has one worker, pinned to processor 0; the load comes from processor 1, over the same veth pair. Prints each
round's rates and the medians with their ratio. Needs root.
Usage: live_against_ab.py [rounds [seconds]]
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from netlab import Lab, ROOT, info, median, wait_until  # noqa: E402

ROUNDS, SECONDS = (int(sys.argv[i]) if len(sys.argv) > i else d for i, d in ((1, 3), (2, 5)))


def main():
    with Lab() as lab:
        emulator = lab.compile(ROOT / "examples/paper-wan/wan.anml", "-D", "H=64", "-D", "N=8")
        host, inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(host, "eth0", inside, "veth0")
        gateway = info(emulator)["gateway"]
        lab.run_in(host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", gateway, "dev", "eth0", "onlink")
        lab.start("taskset", "-c", "0", *lab.nginx({"/1024": 1024}), "-g", "daemon off;", space=host)
        ours, theirs, reports = [], [], []
        for round_ in range(ROUNDS):
            lab.run_in(inside, "taskset", "-c", "1", emulator, "live", "--attach", "server=if:veth0", "--set", "D=0.1ms",
                       "--for", f"{SECONDS + 1}s", "--cpu", "1", "--results", lab.folder / "r.json", timeout=SECONDS + 60)
            done = json.loads((lab.folder / "r.json").read_text())
            ours.append(done["transactions"]["per_second"])
            reports.append(done)
            lab.run_in(inside, "ip", "addr", "add", "10.9.9.9/32", "dev", "veth0")
            lab.run_in(inside, "ip", "route", "add", "10.0.0.80/32", "dev", "veth0", "src", "10.9.9.9")
            lab.run_in(host, "ip", "route", "add", "10.9.9.9/32", "dev", "eth0")
            text = lab.run_in(inside, "taskset", "-c", "1", "ab", "-q", "-c", "128", "-t", SECONDS, "-n", 10_000_000,
                              "http://10.0.0.80/1024", timeout=SECONDS + 60).stdout
            theirs.append(float(re.search(r"Requests per second:\s+([\d.]+)", text).group(1)))
            lab.run_in(inside, "ip", "addr", "del", "10.9.9.9/32", "dev", "veth0")
            lab.run_in(host, "ip", "route", "del", "10.9.9.9/32", "dev", "eth0")
            print(f"round {round_ + 1}: emulator {ours[-1]:.0f}/s ({done['verdict']}, failed {done['transactions']['failed']}), "
                  f"ab {theirs[-1]:.0f}/s", flush=True)
        print(f"median: emulator {median(ours):.0f}/s, ab {median(theirs):.0f}/s, ratio {median(ours) / median(theirs):.2f}")
        print(json.dumps(reports[-1].get("live", {}), indent=2))


if __name__ == "__main__":
    main()
