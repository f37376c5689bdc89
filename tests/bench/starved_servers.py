#!/usr/bin/env python3
"""Real servers alone and beside a busy process on their processor: rates and verdicts. It fails after a false alarm (a verdict that names the server, of a run
alone), or where a rate fell by more than 5 % and the verdict is `kept up`. Two processors, and nothing else to do; half a minute for ten runs."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples/servers"))
from experiments import PROCESSORS, apache, compiler, documents, nginx, node  # noqa: E402

MODEL = """
import std.ether
import std.web
model Starved {
  endpoint server { address = 10.0.0.80, simulated = web.server() }
  router r
  host client[CLIENTS]
  link desk: client[*] -- r : ether.gigabit { delay = 5 ms }
  link entry: r -- server : ether.gigabit { delay = 1 ms }
  workload web : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB), think = 0 s, start_spread = 300 ms }
  run { duration = 2.5 s, warmup = 500 ms }
}
"""
# How each is started, and clients that keep it busy for two thirds of its processor.
SERVERS = {"nginx": (lambda work, name: nginx(work, name, workers=1, pinned=True), 256),
           "prefork": (lambda work, name: apache(work, name, processes=64, pinned=True), 48),
           "node": (lambda work, name: node(work, name, pinned=True), 64),
           # As full as the papers' were, by etc/service.lua.
           "slow": (lambda work, name: apache(work, name, processes=64, service={"SERVICE": 1000}), 8)}
BUSY = ["taskset", "-c", str(PROCESSORS[0]), "python3", "-c", "while True: pass"]


def run(emulator, work, name, busy):
    other = subprocess.Popen(BUSY) if busy else None
    try:
        done = subprocess.run([emulator, "live", "--cpu", str(PROCESSORS[-1]), "--results", work / "results.json", "--sandbox", "--", "sh", f"./{name}"], cwd=work,
                              capture_output=True, text=True, timeout=60)
        if done.returncode not in (0, 98):
            sys.exit(done.stdout + done.stderr)
    finally:
        if other:
            other.kill()
            other.wait()
    return json.loads((work / "results.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", type=int, default=20, help="runs of each server alone (%(default)s)")
    parser.add_argument("--beside", type=int, default=3, help="runs beside the busy process (%(default)s)")
    parser.add_argument("server", nargs="*", choices=[*SERVERS, []])
    given = parser.parse_args()
    anmlc, wrong = compiler(), 0
    print("| server | | runs | per second | kept up | degraded | not valid | that name the server | lost, s | |\n" + "| --- " * 10 + "|")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        for name in given.server or SERVERS:
            start, clients = SERVERS[name]
            (work / "starved.anml").write_text(MODEL.replace("CLIENTS", str(clients)))
            documents(anmlc, work, work / "starved.anml")
            subprocess.run([anmlc, work / "starved.anml", "-o", work / "emu"], check=True)
            start(work, name)
            usual = 0
            for busy, count in ((False, given.alone), (True, given.beside)):
                found = [run(work / "emu", work, name, busy) for _ in range(count)]
                if not found:
                    continue
                rates = [results["transactions"]["per_second"] for results in found]
                named = ["the server waited" in " ".join(results["verdict_reasons"]) for results in found]
                verdicts = [results["verdict"] for results in found]
                if busy:
                    bad = sum(verdict == "kept up" and rate < 0.95 * usual for verdict, rate in zip(verdicts, rates))
                else:
                    usual, bad = statistics.median(rates), sum(named)
                wrong += bad
                print(f"| {name} | {'beside' if busy else 'alone'} | {count} | {min(rates):.4g} to {max(rates):.4g} | "
                      + " | ".join(str(verdicts.count(verdict)) for verdict in ("kept up", "degraded", "not valid"))
                      + f" | {sum(named)} | {max(results['live']['server_lost_seconds'] for results in found):.3g} | {f'{bad} wrong' if bad else 'right'} |", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
