#!/usr/bin/env python3
"""10 000 persistent clients, each with address, path and TCP of its own, and an open load: which requests per second are kept up.

The emulator has processor 1, nginx with one worker processor 0, a veth pair between them. Prints for each rate what was due and done, the verdict, slip,
and the emulator's share of its processor; with --profile where its time goes at the last rate (perf).
Needs root and nginx. Usage: live_many_clients.py [--seconds S] [--profile] [--clients N] [RATE...]
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from netlab import Lab, ROOT, run, wait_until  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=12)
    parser.add_argument("--clients", type=int, default=10000)
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("rate", nargs="*", type=int, default=[5000, 10000, 15000, 20000, 30000])
    given = parser.parse_args()
    with Lab() as lab:
        emulator = lab.compile(ROOT / "tests/bench/models/many_clients.anml", "-D", f"clients={given.clients}")
        host, inside = lab.host_outside(emulator)
        command = lab.nginx({"/1024": 1024})
        config = lab.folder / "nginx.conf"
        config.write_text(config.read_text().replace("worker_connections 8192", "worker_connections 50000")
                          .replace("sendfile on;", "sendfile on; keepalive_requests 100000000; open_file_cache max=10;"))
        print("| requests due per second | completed | failed | new connections | verdict | slip, median and p99 | emulator at work | waited for the processor | response, mean |")
        print("|" + " --- |" * 9, flush=True)
        for rate in given.rate:
            # A new one for each: the one before has connections from the ports that the clients are going to take.
            nginx = lab.start("taskset", "-c", "0", *command, "-g", "daemon off;", space=host)
            wait_until(lambda: ":80 " in lab.run_in(host, "ss", "-ltn").stdout, what="nginx")
            profile = ["perf", "record", "-q", "-e", "cpu-clock", "-g", "-o", lab.folder / "perf.data"] if given.profile and rate == given.rate[-1] else []
            lab.run_in(inside, "taskset", "-c", "1", *profile, emulator, "live", "--attach", "server=if:veth0", "--set", f"rate={rate}", "--cpu", "1",
                       "--for", f"{given.seconds}s", "--results", lab.folder / "r.json", timeout=given.seconds + 60)
            done = json.loads((lab.folder / "r.json").read_text())
            nginx.stop()
            live, transactions = done["live"], done["transactions"]
            causes = "".join(f" ({cause} {count})" for cause, count in transactions["failed_by_cause"].items() if count)
            if transactions["first_status_failure"]:
                causes += f" ({transactions['first_status_failure']['status']})"
            print(f"| {rate} | {transactions['per_second']:.0f} | {transactions['failed']}{causes} | {transactions['connections']} | {done['verdict']} | "
                  f"{1e6 * live['slip_seconds']['median']:.0f} us, {1e6 * live['slip_seconds']['p99']:.0f} us | {100 * live['busy']:.0f} % | "
                  f"{live['processor_wait_seconds']:.2f} s | {1e3 * done['response_time_seconds']['mean']:.2f} ms |", flush=True)
        if given.profile:
            print(run("perf", "report", "-i", lab.folder / "perf.data", "--no-children", "-g", "none", "--stdio", "--percent-limit", "1", check=False).stdout, file=sys.stderr)


if __name__ == "__main__":
    main()
