#!/usr/bin/env python3
"""What requests that a file writes out cost beside plain ones: POSTs with three slots in each body and one look into each response, and a GET of the same server.

One nginx answers both with the same JSON, on processor 0; the emulator asks from processor 1, over the same veth pair, in turns. Printed are requests a second as fast as it
goes, and per second of processor 1 (with --pace sleep, which does not spin), medians of all rounds, and the ratios to the plain GET. With --instructions, the
emulator's own per request, counted by callgrind, which takes it some twenty times as long.
Needs root and nginx. On a machine with other work: echo -20 > /proc/self/autogroup before.
Usage: live_requests.py [--rounds N] [--seconds S] [--instructions] [--anmlc ANMLC]
"""
import argparse
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import netlab  # noqa: E402
from netlab import Lab, info, median, run, wait_until  # noqa: E402

CLIENTS = 128
MODEL = """
import std.web
model Bench {
  endpoint server { address = 10.0.0.80, simulated = web.server(reply = 400 B) }
  router   lan
  host     client[CLIENTS]
  link edge:  client[*] -- lan { rate = 10 Gbps, delay = 0.1 us, queue = droptail(1 MB) }
  link entry: lan -- server    { rate = 100 Gbps, delay = 0.1 us, queue = droptail(64 MB) }
  workload ask : web.ClosedLoop on client[*] { server = server, documents = DOCUMENTS, requests = 1000000 }
  run { duration = 60 s }
}
"""
REPLY = json.dumps({"status": "accepted", "order": {"number": 4711, "items": [{"name": "shoe", "size": 42, "price": 59.9}, {"name": "sock", "size": 42, "price": 4.5}],
                    "address": {"street": "Long Street 1", "town": "Springfield", "country": "NL"}}, "delivery": "tomorrow", "token": "0123456789abcdef0123456789abcdef"})
FILES = {"get.http": "### item\nGET /item\n",
         "slots.http": """### order
POST /item
Content-Type: application/json

{ "number": {{$client}}{{$iteration}}, "size": {{$random.integer(1, 50)}}, "note": "as always, to the door at the back" }

### pay
POST /item
Content-Type: application/json

{ "token": "{{order.response.body.$.token}}", "size": {{$random.integer(1, 50)}}, "client": {{$client}}, "note": "as always" }
?? body $.token exists
"""}
CASES = {"GET": f'web.fixed({len(REPLY)} B, "/item")', "GET of a file": 'web.requests("get.http")', "POST with slots": 'web.requests("slots.http")'}
NGINX = "keepalive_requests 100000000; server {{ listen 10.0.0.80:80 backlog=4096; location /item {{ default_type application/json; return 200 '{reply}'; }} }}"


class Bench:
    def __init__(self, lab):
        self.lab = lab
        self.host, self.inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(self.host, "eth0", self.inside, "veth0")
        lab.run_in(self.host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        for name, text in FILES.items():
            (lab.folder / name).write_text(text)
        texts = {name: MODEL.replace("CLIENTS", str(CLIENTS)).replace("DOCUMENTS", documents) for name, documents in CASES.items()}
        self.emulators = {name: lab.compile(text, "-O2", name=f"emu{number}") for number, (name, text) in enumerate(texts.items())}
        lab.run_in(self.host, "ip", "route", "replace", "10.0.0.0/8", "via", info(self.emulators["GET"])["gateway"], "dev", "eth0", "onlink")
        self.served = None

    def run(self, name, seconds, *options, before=()):
        """Its results, and what was printed. A new nginx each time: the one before has connections from the ports that the clients are going to take."""
        if self.served:
            self.served.stop()
        command = self.lab.nginx({}, NGINX.format(reply=REPLY), port="127.0.0.1:8080")
        self.served = self.lab.start("taskset", "-c", "0", *command, "-g", "daemon off;", space=self.host)
        wait_until(lambda: ":80 " in self.lab.run_in(self.host, "ss", "-ltn").stdout, what="nginx")
        results = self.lab.folder / "r.json"
        done = self.lab.run_in(self.inside, "taskset", "-c", "1", *before, self.emulators[name], "live", "--attach", "server=if:veth0", "--for", f"{seconds}s", *options,
                               "--results", results, timeout=seconds + 120, check=False)
        return json.loads(results.read_text()), done.stderr


def instructions(bench, name, seconds):
    """Of a request: what more of them take in a longer run."""
    counts = []
    for span in (seconds, 3 * seconds):
        done, printed = bench.run(name, span, "--pace", "sleep", before=("valgrind", "--tool=callgrind", f"--callgrind-out-file={bench.lab.folder}/callgrind.out"))
        counts.append((int(re.search(r"Collected : (\d+)", printed)[1]), done["transactions"]["completed"]))
    return (counts[1][0] - counts[0][0]) / (counts[1][1] - counts[0][1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--anmlc", default=netlab.ANMLC)
    given = parser.parse_args()
    netlab.ANMLC = given.anmlc
    with Lab() as lab:
        bench = Bench(lab)
        rate, per_second = ({name: [] for name in CASES} for _ in range(2))
        for _ in range(given.rounds):
            for name in CASES:
                done, _ = bench.run(name, given.seconds, "--cpu", "1")
                rate[name].append(done["transactions"]["per_second"])
                failed, verdict = done["transactions"]["failed"], done["verdict"]
                done, _ = bench.run(name, given.seconds, "--cpu", "1", "--pace", "sleep")
                per_second[name].append(done["transactions"]["completed"] / done["cpu_seconds"])
                print(f"{name}: {rate[name][-1]:.0f}/s ({verdict}, {failed} failed), per processor second {per_second[name][-1]:.0f}", flush=True)
        for name in CASES:
            ratios = [median([own / plain for own, plain in zip(of[name], of["GET"])]) for of in (rate, per_second)]
            counted = f", {instructions(bench, name, 4):.0f} instructions" if given.instructions else ""
            print(f"{name}, median: {median(rate[name]):.0f}/s, ratio {ratios[0]:.2f}; per processor second {median(per_second[name]):.0f}, ratio {ratios[1]:.2f}{counted}", flush=True)


if __name__ == "__main__":
    main()
