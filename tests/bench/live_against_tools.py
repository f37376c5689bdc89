#!/usr/bin/env python3
"""Virtual clients against the load generators that people trust: the same nginx, the same document of 1 KB, no delay, in turns, medians of all rounds.

nginx has one worker on processor 0, the load comes from processor 1, over the same veth pair. Two parts:
  rates       as fast as it goes: requests a second, and per second of processor 1 that the client used (with --pace sleep, which does not spin)
  agreement   far below saturation: what was counted, beside nginx's access log to the request, and mean response times
Needs root, nginx with its echo module (nginx-light), ab, wrk and h2load. On a machine with other work: echo -20 > /proc/self/autogroup before.
Usage: live_against_tools.py [--rounds N] [--seconds S] [CASE...]
"""
import argparse
import json
import pathlib
import re
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
from netlab import Lab, info, median, run, wait_until  # noqa: E402

MODEL = """
import std.web
model Bench {
  endpoint server { address = 10.0.0.80, simulated = web.server(SERVER) }
  router   lan
  host     client[CLIENTS]
  link edge:  client[*] -- lan { rate = 10 Gbps, delay = 0.1 us, queue = droptail(1 MB) }
  link entry: lan -- server    { rate = 100 Gbps, delay = 0.1 us, queue = droptail(64 MB) }
  workload ask : WORKLOAD on client[*] { server = server, ATTRIBUTES }
  run { duration = SECONDS s }
}
"""
KEPT = "requests = 1000000"
DOCUMENT = "documents = web.fixed(1 KB)"
# Of each case: clients, what they are in the model, and the tool that they are held against.
RATES = {
    "keep-alive": (128, f"{DOCUMENT}, {KEPT}", "wrk -t1 -c128 -d{seconds}s http://10.0.0.80/1024"),
    "close": (128, DOCUMENT, "ab -q -c 128 -t {seconds} -n 10000000 http://10.0.0.80/1024"),
    "handshakes": (64, f"{DOCUMENT}, scheme = https, resumption = false", "h2load --h1 -c2000 -n2000 https://10.0.0.80/1024"),
    "https": (128, f"{DOCUMENT}, {KEPT}, scheme = https", "h2load --h1 -c128 -D{seconds} https://10.0.0.80/1024"),
    # A connection of HTTP/2 each, with one request at a time, and with ten; without TLS from a port that speaks nothing else.
    "http2": (128, f"{DOCUMENT}, {KEPT}, version = HTTP_2, port = 82", "h2load -c128 -m1 -D{seconds} http://10.0.0.80:82/1024"),
    "http2-streams": (16, f"{DOCUMENT}, {KEPT}, version = HTTP_2, port = 82, streams = 10, think = 0 s", "h2load -c16 -m10 -D{seconds} http://10.0.0.80:82/1024"),
    "http2-tls": (128, f"{DOCUMENT}, {KEPT}, version = HTTP_2, scheme = https, port = 444", "h2load -c128 -m1 -D{seconds} https://10.0.0.80:444/1024"),
}
RATE_OF = {"wrk": r"Requests/sec:\s+([\d.]+)", "ab": r"Requests per second:\s+([\d.]+)", "h2load": r"finished in [^,]+, ([\d.]+) req/s"}
STEPPED = f"{KEPT}, start_spread = 0 s, schedule = [web.hold({{seconds}} s, 1), web.hold(1 h, 0)]"
AGREEMENT = {
    # 50 requests at once every 50 ms, as h2load paces them.
    "paced": ("web.OpenLoop", 50, f"documents = web.fixed(1 KB), interval = 50 ms, {STEPPED}", "h2load --h1 -c 50 --rps 20 -n {requests} http://10.0.0.80/1024"),
    # A document that nginx keeps back for 10 ms.
    "delayed": ("web.ClosedLoop", 10, f'documents = web.fixed(1 KB, "/slow"), {KEPT}', "wrk -t1 -c10 -d{seconds}s http://10.0.0.80/slow"),
    "delayed-http2": ("web.ClosedLoop", 10, f'documents = web.fixed(1 KB, "/slow"), {KEPT}, version = HTTP_2, port = 82', "h2load -c10 -m1 -D{seconds} http://10.0.0.80:82/slow"),
}
COUNT_OF = {"wrk": r"(\d+) requests in", "ab": r"Complete requests:\s+(\d+)", "h2load": r"(\d+) succeeded"}
TIME_OF = {"wrk": r"Latency\s+([\d.]+)(us|ms|s)", "h2load": r"time for request:(?:\s+\S+){2}\s+([\d.]+)(us|ms|s)"}
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1}
NGINX = """keepalive_requests 100000000; log_format one '$request_uri';
  ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem; ssl_protocols TLSv1.3; ssl_session_tickets off;
  server {{
    listen 10.0.0.80:80 backlog=4096; listen 10.0.0.80:443 ssl backlog=4096;
    root {folder}/web; access_log {log}; location /slow {{ echo_sleep 0.010; echo_exec /1024; }}
  }}
  # With sendfile a response is two segments, the second of which waits 40 ms for the acknowledgement of the first, for both.
  server {{ listen 10.0.0.80:82 http2 backlog=4096; listen 10.0.0.80:444 ssl http2 backlog=4096; sendfile off; root {folder}/web; access_log {log};
    location /slow {{ echo_sleep 0.010; echo_exec /1024; }} }}"""
CERTIFICATE = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=anml -keyout key.pem -out cert.pem"


class Bench:
    def __init__(self, lab):
        self.lab, self.emulators = lab, {}
        self.host, self.inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(self.host, "eth0", self.inside, "veth0")
        lab.run_in(self.host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        run(*CERTIFICATE.split(), cwd=lab.folder)
        self.log = lab.folder / "access.log"
        self.served = None

    def serve(self, log):
        """A new nginx: the one before has connections from the ports that the clients are going to take. With its access log, or without: at 80 000 requests a second it would
        write more than it answers."""
        if self.served:
            self.served.stop()
        self.log.write_text("")
        command = self.lab.nginx({"/1024": 1024}, NGINX.format(folder=self.lab.folder, log=f"{self.log} one" if log else "off"), port="127.0.0.1:8080")
        config = self.lab.folder / "nginx.conf"
        config.write_text("load_module /usr/lib/nginx/modules/ngx_http_echo_module.so;\n" + config.read_text())
        self.served = self.lab.start("taskset", "-c", "0", *command, "-g", "daemon off;", space=self.host)
        wait_until(lambda: ":80 " in self.lab.run_in(self.host, "ss", "-ltn").stdout, what="nginx")

    def emulator(self, workload, clients, attributes, seconds):
        key = (workload, clients, attributes, seconds)
        if key not in self.emulators:
            server = ", ".join(["service = 10 us", *re.findall(r"(?:scheme|version|port) = \w+", attributes)])
            text = MODEL.replace("SERVER", server).replace("CLIENTS", str(clients)).replace("WORKLOAD", workload).replace("ATTRIBUTES", attributes).replace("SECONDS", str(seconds))
            self.emulators[key] = self.lab.compile(text, name=f"emu{len(self.emulators)}")
        gateway = info(self.emulators[key])["gateway"]
        self.lab.run_in(self.host, "ip", "route", "replace", "10.0.0.0/8", "via", gateway, "dev", "eth0", "onlink")
        return self.emulators[key]

    def ours(self, emulator, seconds, *options, log=False):
        """The results of a run."""
        self.serve(log)
        results = self.lab.folder / "r.json"
        self.lab.run_in(self.inside, "taskset", "-c", "1", emulator, "live", "--attach", "server=if:veth0", "--for", f"{seconds}s", "--cpu", "1", *options,
                        "--results", results, timeout=seconds + 60)
        return json.loads(results.read_text())

    def theirs(self, command, seconds):
        """What a tool prints, and the processor time that it took."""
        self.lab.run_in(self.inside, "ip", "addr", "add", "10.9.9.9/32", "dev", "veth0")
        self.lab.run_in(self.inside, "ip", "route", "add", "10.0.0.80/32", "dev", "veth0", "src", "10.9.9.9")
        self.lab.run_in(self.host, "ip", "route", "add", "10.9.9.9/32", "dev", "eth0")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        printed = self.lab.run_in(self.inside, "taskset", "-c", "1", *command.split(), timeout=seconds + 60).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.lab.run_in(self.inside, "ip", "addr", "del", "10.9.9.9/32", "dev", "veth0")
        self.lab.run_in(self.host, "ip", "route", "del", "10.9.9.9/32", "dev", "eth0")
        return printed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def logged(self):
        """Lines of the access log since it was asked the last time. A line is written when a response is sent, so that all are there."""
        lines = self.log.read_text().count("\n")
        self.log.write_text("")
        return lines


def rates(bench, name, rounds, seconds):
    clients, attributes, tool = RATES[name]
    program = tool.split()[0]
    emulator = bench.emulator("web.ClosedLoop", clients, attributes, seconds)
    rate, per_second, rate_theirs, per_second_theirs = [], [], [], []
    for _ in range(rounds):
        done = bench.ours(emulator, seconds)
        rate.append(done["transactions"]["per_second"])
        verdict, failed = done["verdict"], done["transactions"]["failed"]
        done = bench.ours(emulator, seconds, "--pace", "sleep")
        per_second.append(done["transactions"]["completed"] / done["cpu_seconds"])
        printed, processor = bench.theirs(tool.format(seconds=seconds), seconds)
        rate_theirs.append(float(re.search(RATE_OF[program], printed).group(1)))
        per_second_theirs.append(int(re.search(COUNT_OF[program], printed).group(1)) / processor)
        print(f"{name}: emulator {rate[-1]:.0f}/s ({verdict}, {failed} failed), {program} {rate_theirs[-1]:.0f}/s; per processor second "
              f"{per_second[-1]:.0f} and {per_second_theirs[-1]:.0f}", file=sys.stderr)
    pairs = [(median(rate), median(rate_theirs), "/s"), (median(per_second), median(per_second_theirs), "")]
    print(f"| {name}, `{program}` | " + " | ".join(f"{own:.0f}{unit} | {theirs:.0f}{unit} | {own / theirs:.2f}" for own, theirs, unit in pairs) + " |", flush=True)


def agreement(bench, name, rounds, seconds):
    workload, clients, attributes, tool = AGREEMENT[name]
    program = tool.split()[0]
    emulator = bench.emulator(workload, clients, attributes.format(seconds=seconds), seconds + 1)
    ours, theirs = [], []
    for _ in range(rounds):
        done = bench.ours(emulator, seconds + 1, log=True)
        transactions, logged = done["transactions"], bench.logged()
        ours.append(done["response_time_seconds"]["mean"])
        printed, _ = bench.theirs(tool.format(requests=1000 * seconds, seconds=seconds), seconds)
        number, unit = re.search(TIME_OF[program], printed).groups()
        theirs.append(float(number) * UNITS[unit])
        print(f"{name}: emulator {transactions['completed']} completed and {transactions['in_progress']} open, {logged} in the log, mean {1e3 * ours[-1]:.3f} ms ({done['verdict']}); "
              f"{program} {re.search(COUNT_OF[program], printed).group(1)}, {bench.logged()} in the log, {1e3 * theirs[-1]:.3f} ms", file=sys.stderr)
    print(f"- {name}, mean response time: emulator {1e3 * median(ours):.3f} ms, {program} {1e3 * median(theirs):.3f} ms, apart {100 * (median(ours) / median(theirs) - 1):+.1f} %", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("case", nargs="*", choices=[*RATES, *AGREEMENT, []])
    given = parser.parse_args()
    cases = given.case or [*RATES, *AGREEMENT]
    with Lab() as lab:
        bench = Bench(lab)
        if any(name in RATES for name in cases):
            print("| | emulator | tool | ratio | per processor second | tool | ratio |\n|" + " --- |" * 7, flush=True)
        for name in cases:
            if name in RATES:
                rates(bench, name, given.rounds, given.seconds)
        print(flush=True)
        for name in cases:
            if name in AGREEMENT:
                agreement(bench, name, given.rounds, given.seconds)


if __name__ == "__main__":
    main()
