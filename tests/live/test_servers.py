"""The recipes of examples/servers: each server that is installed, its access log beside what the clients count."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from netlab import ANMLC, ROOT, Lab, by_the_clock, main

SERVERS = ROOT / "examples/servers/run"
PROGRAMS = {"nginx": "nginx", "apache-event": "apache2", "apache-prefork": "apache2", "lighttpd": "lighttpd", "caddy": "caddy", "node": "node",
            "uvicorn": "uvicorn", "haproxy": "haproxy"}
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def ordinary_user():
    """The command before which others run without root, where such a user may read the tree and the compiler."""
    if os.geteuid() != 0:
        return []
    return NOBODY if all(subprocess.run([*NOBODY, "test", "-r", path]).returncode == 0 for path in (SERVERS, ANMLC)) else []


def below(folder):
    """Processes that work in a folder, or did before it was removed."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            if str(entry.readlink()).startswith(str(folder)):
                found.append(entry)
        except OSError:
            pass
    return found


# Takes 2 ms of a processor for each request, and serves one after the other.
SLOW_SERVER = """
import socket, time
listener = socket.create_server(("10.0.0.80", 80), backlog=256)
while True:
    connection = listener.accept()[0]
    end = time.thread_time() + 0.002
    connection.recv(4096)
    while time.thread_time() < end:
        pass
    connection.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 1024\\r\\n\\r\\n" + b"x" * 1024)
    connection.close()
"""
BUSY = ["taskset", "-c", "1", "python3", "-c", "while True: pass"]


class StarvedServer(unittest.TestCase):
    MODEL = """
import std.ether
import std.web
model Starved {
  endpoint server { address = 10.0.0.80, simulated = web.server() }
  router r
  host client[32]
  link desk: client[*] -- r : ether.gigabit { delay = 5 ms }
  link entry: r -- server : ether.gigabit { delay = 1 ms }
  workload web : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB) }
  run { duration = 4 s, warmup = 1 s }
}
"""

    @by_the_clock("requests per second that a server bears, alone and beside a process that takes half of its processor")
    def test_a_verdict_sees_it(self):
        with Lab() as lab:
            emulator, found = lab.compile(self.MODEL, "-O0"), {}
            for beside in (False, True):
                other = subprocess.Popen(BUSY) if beside else None
                try:
                    results = lab.folder / f"{beside}.json"
                    done = subprocess.run([emulator, "live", "--cpu", "0", "--strict", "--results", results, "--sandbox", "--", "taskset", "-c", "1",
                                           "python3", "-c", SLOW_SERVER], capture_output=True, text=True, timeout=60)
                    found[beside] = json.loads(results.read_text()) | {"said": done.stdout + done.stderr, "status": done.returncode}
                finally:
                    if other:
                        other.kill()
                        other.wait()
        alone, starved = found[False], found[True]
        self.assertLess(starved["transactions"]["completed"], 0.7 * alone["transactions"]["completed"])
        self.assertNotIn("the server waited", " ".join(alone["verdict_reasons"]))
        self.assertLess(alone["live"]["server_lost_seconds"], 0.04 * 3)
        self.assertEqual(starved["verdict"], "not valid", starved["said"])
        self.assertRegex(" ".join(starved["verdict_reasons"]), r"the server waited \S+ s for a processor that other processes had, and ran for \S+ m?s: "
                                                               r"figures of seconds \d-3 are of a busy machine")
        self.assertAlmostEqual(sum(starved["live"]["seconds"]["server_lost_seconds"][1:]), starved["live"]["server_lost_seconds"], places=6)
        self.assertEqual(starved["status"], 98)


class Servers(unittest.TestCase):
    def serve(self, *arguments, check=True, **variables):
        """A run of a recipe in a folder of its own: what it printed, its results by name of the server, and the report's text."""
        with Lab() as lab:
            for name in ("out", "tmp"):
                (lab.folder / name).mkdir()
                (lab.folder / name).chmod(0o777)
            quick = lab.folder / "anmlc"  # that does not optimise, in a second instead of four
            quick.write_text(f'#!/bin/sh\n[ "$1" = report ] || set -- -O0 "$@"\nexec "{ANMLC}" "$@"\n')
            quick.chmod(0o755)
            done = subprocess.run([*ordinary_user(), SERVERS, "-o", lab.folder / "out", *map(str, arguments)], capture_output=True, text=True,
                                  timeout=120, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "PATH": PATH, "ANMLC": str(quick), "TMPDIR": str(lab.folder / "tmp"), **variables})
            self.assertEqual(below(lab.folder), [])
            self.assertEqual(list((lab.folder / "tmp").iterdir()), [])
            if not check:
                return done
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            results, = (lab.folder / "out").glob("*.json")
            page, = (lab.folder / "out").glob("*.html")
            return done.stdout, json.loads(results.read_text()), page.read_text()

    def test_each(self):
        """What a server has logged is what its clients have and what is open, to the request; all is of the right size. nginx with TLS
        and without, of the others one each, in turns; ANML_ALL: all with both."""
        self.assertTrue(shutil.which("nginx", path=PATH))
        for number, (server, program) in enumerate(PROGRAMS.items()):
            if not shutil.which(program, path=PATH):
                print(f"{server}: not installed", flush=True)
                continue
            for https in (False, True) if number == 0 or os.environ.get("ANML_ALL") else (number % 2 == 0,):
                with self.subTest(server, https=https):
                    given = ("--https",) if https else ()
                    said, results, page = self.serve(*given, "-D", "homes=20", server, "--for", "3s", "--warmup", "0s", "--wait", "30s", "--set", "rate=100")
                    transactions = results["transactions"]
                    self.assertEqual(transactions["failed"], 0, said)
                    self.assertEqual(transactions["unexpected_size"], 0, said)
                    self.assertGreater(transactions["completed"], 20, said)
                    # A connection's handshake may not be over at the end.
                    made = transactions["connections"] if https else 0
                    self.assertTrue(made - transactions["in_progress"] <= sum(transactions["handshakes"].values()) <= made, said)
                    self.assertLess(transactions["connections"] - transactions["in_progress"], 0.8 * transactions["requests"], said)
                    logged, answered, open_ = map(int, re.search(r"access log +(\d+) .* have (\d+) .* and (\d+) are", said).groups())
                    self.assertLessEqual(answered, logged + 1, said)  # lighttpd may be ended between the two
                    self.assertLessEqual(logged, answered + open_ + transactions["retried"], said)
                    self.assertIn("<html", page)

    def shown(self, example, experiments, *changes):
        """What an example's `run` prints for these experiments, changed by (pattern, replacement): rows of cells by experiment."""
        if not shutil.which("apache2", path=PATH):
            self.skipTest("apache2 is not installed")
        with Lab() as lab:
            for name in ("servers", example):
                shutil.copytree(ROOT / "examples" / name, lab.folder / "examples" / name)
            for text in (lab.folder / "examples" / example).glob("**/*.anml"):
                changed = text.read_text()
                for pattern, replacement in changes:
                    changed = re.sub(pattern, replacement, changed)
                text.write_text(changed)
            (lab.folder / "out").mkdir()
            (lab.folder / "out").chmod(0o777)
            done = subprocess.run([*ordinary_user(), lab.folder / "examples" / example / "run", "--live", "-o", lab.folder / "out", *experiments], capture_output=True,
                                  text=True, timeout=200, stdin=subprocess.DEVNULL, env={**os.environ, "PATH": PATH, "ANMLC": ANMLC, "PYTHONDONTWRITEBYTECODE": "1"})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(below(lab.folder), [])
            self.assertEqual((lab.folder / "out/figures.md").read_text().strip(), done.stdout.rpartition("\n\n")[0].strip())
        tables = {}
        for line in done.stdout.splitlines():
            if line.startswith("### "):
                tables[line[4:]] = rows = []
            elif line.startswith("| ") and not line.startswith("| ---"):
                rows.append([cell.strip() for cell in line.strip("|").split("|")])
        return {name: [dict(zip(rows[0], row)) for row in rows[1:]] for name, rows in tables.items()}

    @by_the_clock("requests per second that a server bears")
    def test_ip_tne(self):
        """A transaction of the one client takes two round trips of 2.4 ms, and what the server needs, 1.05 ms; it is full as the paper's was."""
        one, many = self.shown("ip-tne", ["talk_4a"], ("duration = 6 s, warmup = 2 s", "duration = 3 s, warmup = 1 s"), ("vary clients in .1, 32, 128, 1024.", "vary clients in [1, 128]"))["talk_4a"]
        self.assertGreater(float(one["per second"]), 60)
        self.assertLess(float(one["per second"]), 1 / (0.0048 + 0.00105))
        self.assertGreater(float(many["per second"]), 4 * float(one["per second"]))
        self.assertLess(float(many["per second"]), 4000)

    @by_the_clock("requests per second that a server bears")
    def test_s_client(self):
        """A closed loop stays below the capacity of 133 a second, S-Client's SYNs don't."""
        shown = self.shown("s-client", ["closed", "s_client"], ("duration = 12 s, warmup = 4 s", "duration = 3 s, warmup = 1 s"),
                           (r"vary clients in .*", "vary clients in [16]"), (r"vary sockets in .*", "vary sockets in [640]"))
        (loop,), (sockets,) = shown["closed"], shown["s_client"]
        self.assertLess(float(loop["completed/s"]), 140)
        self.assertGreater(float(loop["completed/s"]), 30)
        self.assertLess(float(sockets["completed/s"]), 150)
        self.assertGreater(float(sockets["SYNs/s"]), 1100)

    @by_the_clock("responses per second, within 20 %")
    def test_slow_clients(self):
        """A process for each connection serves as many connections as there are processes, nginx all."""
        shown = self.shown("slow-clients", ["nginx", "prefork_256"], ("duration = 18 s, warmup = 6 s", "duration = 6 s, warmup = 3 s"),
                           (r"vary clients in .*", "vary clients in [340]"))
        (events,), (processes,) = shown["nginx"], shown["prefork_256"]
        self.assertEqual(events["failed"], "0")
        # In 3 s each client has a response, some have a second.
        self.assertLess(abs(float(events["per second"]) / float(events["this path"]) - 1), 0.2)
        self.assertLess(abs(float(processes["per second"]) / float(events["per second"]) - 0.75), 0.1)

    @by_the_clock("phases of transactions, within 15 %")
    def test_mixed_access(self):
        """Below the capacity set-up is a round trip and what the line takes, and so are the others, as simulated; of both kinds of servers."""
        shown = self.shown("mixed-access", ["live", "real"], (r"vary documents in .*", "vary documents in [web.fixed(12 KB)]"), (r"vary rate in .*", "vary rate in [20]"),
                           (r"duration = (18|10) s, warmup = . s", "duration = 4 s, warmup = 1 s"))
        for row in shown["live"] + shown["real"]:
            self.assertEqual(row["failed"], "0 %")
            self.assertGreater(float(row["of it a request"].split()[0]), 0)
            for measured, expected in zip(row["ADSL: set-up + response + transfer, ms"].split(" + "), (206, 261, 355), strict=True):
                self.assertLess(abs(int(measured) - expected), 0.15 * expected, row)

    def test_usage(self):
        for arguments in ((), ("thttpd",), ("-x", "nginx")):
            done = self.serve(*arguments, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: run", done.stderr)

    def test_what_is_not_installed(self):
        with Lab() as lab:
            for program in ("bash", "dirname"):
                (lab.folder / program).symlink_to(shutil.which(program))
            done = subprocess.run([SERVERS, "uvicorn"], capture_output=True, text=True, timeout=30,
                                  env={"PATH": str(lab.folder), "ANMLC": ANMLC})
        self.assertEqual(done.returncode, 1)
        self.assertIn("no uvicorn here: apt-get install uvicorn", done.stderr)


if __name__ == "__main__":
    main()
