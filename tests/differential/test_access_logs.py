"""Documents and loads from files: lists of documents, times, and access logs, against the files and arithmetic."""
import collections
import datetime
import math
import random
import unittest

from emulators import ANMLC, ROOT, SANITIZED, EmulatorTest, run

DATA = ROOT / "tests/data/loads"
MODEL = """
import std.web
import std.mix

model Files {
  host client[5]
  endpoint server { simulated = web.server(close = at_once) }
  router r
  link client[*] -- r { rate = 100 Gbps }
  link entry: r -- server { rate = 100 Gbps, delay = 1 us }
  WORKLOAD
  run { duration = DURATION }
}
"""


class Files(EmulatorTest):
    def emulator(self, workload, duration="5 s", *options):
        return self.compile(MODEL.replace("WORKLOAD", workload).replace("DURATION", duration), *options)

    def file(self, name, lines):
        path = self.fresh(name)
        path.write_text("".join(line + "\n" for line in lines))
        return path

    def asked(self, emulator, *options):
        """(seconds, client, method, path) of each request's SYN and first line, by time."""
        capture = self.fresh("entry.pcap")
        run(emulator, "simulate", "--capture", f"entry={capture}", *options)
        rows = run("tshark", "-n", "-r", capture, "-T", "fields", "-e", "frame.time_relative", "-e", "tcp.stream", "-e", "ip.src", "-e", "tcp.flags.syn",
                   "-e", "tcp.flags.ack", "-e", "http.request.method", "-e", "http.request.uri").stdout
        began, found = {}, []
        for row in rows.splitlines():
            time, stream, source, syn, ack, method, path = row.split("\t")
            if syn in ("1", "True") and ack in ("0", "False"):
                began[stream] = time
            elif method:
                found.append((began[stream], source, method, path))
        return sorted(found, key=lambda f: float(f[0]))


class Lists(Files):

    def paths(self, documents, given=""):
        asked = self.asked(self.emulator(f"workload w : web.OpenLoop on client[*] {{ server = server, documents = {documents}, interval = 1 ms {given} }}", "1 s"))
        return collections.Counter(path for *_, path in asked), asked

    def test_documents_are_asked_for_by_weight_alike_or_in_turn(self):
        counts, _ = self.paths(f'web.list("{DATA}/site.csv")')
        self.assertEqual(set(counts), {"/index.html", "/logo.png", "/a,b.txt"})
        for path, share in (("/index.html", 0.6), ("/logo.png", 0.3), ("/a,b.txt", 0.1)):
            self.assertAlmostEqual(counts[path] / counts.total(), share, delta=4 * math.sqrt(share * (1 - share) / counts.total()))
        counts, _ = self.paths(f'web.list("{DATA}/site.csv", order = uniform)')
        for path in counts:
            self.assertAlmostEqual(counts[path] / counts.total(), 1 / 3, delta=4 * math.sqrt(2 / 9 / counts.total()))
        _, asked = self.paths(f'web.list("{DATA}/site.csv", order = in_turn)', ", begin_with = first")
        own = [path for _, source, _, path in asked if source == asked[0][1]]
        self.assertEqual(own, (["/index.html", "/logo.png", "/a,b.txt"] * len(own))[:len(own)])

    def test_info_writes_what_the_list_says(self):
        emulator = self.emulator(f'workload w : web.ClosedLoop on client[*] {{ server = server, documents = web.list("{DATA}/other.csv", path = "/top") }}')
        folder = self.fresh("www")
        run(emulator, "info", "--documents", folder)
        self.assertEqual({str(p.relative_to(folder)): p.stat().st_size for p in folder.rglob("*") if p.is_file()},
                         {"top/index.html": 2000, "top/pictures/a b.png": 300})

    def test_simulated_servers_are_not_compared_with_hashes(self):
        for scheme in ("http", "https"):
            text = MODEL.replace("DURATION", "1 s").replace("web.server(", f"web.server(scheme = {scheme}, ").replace("WORKLOAD", f"""workload w : web.ClosedLoop on client[0 .. 1] {{
    server = server, documents = web.list("{DATA}/hashed.csv"), check_content = compare, scheme = {scheme}, think = 20 ms }}
  workload plain : web.ClosedLoop on client[2 .. 4] {{ server = server, documents = web.list("{DATA}/hashed.csv"), scheme = {scheme}, think = 20 ms }}""")
            emulator = self.compile(text.replace("model Files {", "model Files(compare: bool = true) {"))
            results = self.simulate(emulator)
            found = [w["transactions"] for w in results["workloads"]]
            self.assertGreater(found[0]["completed"], 50)
            self.assertEqual([(w["checked_content"], w["unexpected_content"], w["unexpected_size"], w["failed"]) for w in found], [(0, 0, 0, 0), (None, 0, 0, 0)])
            # It changes nothing else.
            without = self.simulate(self.compile(text.replace("model Files {", "model Files(compare: bool = false) {")))
            self.assertEqual(results["digest"], without["digest"])

    def test_a_list_of_100_000_documents(self):
        rng = random.Random(1)
        path = self.file("large.csv", (f"/folder/{i},{rng.randrange(100000)},{rng.random()}" for i in range(100000)))
        emulator = self.emulator(f'workload w : web.OpenLoop on client[*] {{ server = server, documents = web.list("{path}"), interval = 100 ms }}', "2 s", "-O0")
        transactions = self.simulate(emulator)["transactions"]
        self.assertEqual((transactions["completed"], transactions["unexpected_size"], transactions["failed"]), (100, 0, 0))


class Times(Files):

    def test_transactions_begin_when_the_file_says(self):
        rng = random.Random(2)
        times = [f"{rng.uniform(0, 4):.9f}" for _ in range(300)]
        lines = [f"{t} {rng.randrange(12)} {rng.randrange(1, 4)}" for t in times]
        path = self.file("times.txt", lines)
        workload = f'workload w : web.Replay on client[*] {{ server = server, times = "{path}", documents = [web.fixed(1 KB), web.fixed(2 KB), web.fixed(3 KB)] SPEED }}'
        asked = self.asked(self.emulator(workload.replace("SPEED", "")))
        wanted = sorted((line.split() for line in lines), key=lambda line: float(line[0]))
        base = float(wanted[0][0])
        self.assertEqual(len(asked), len(wanted))
        for (time, source, method, path), (at, client, document) in zip(asked, wanted):
            # To the nanosecond: the capture's times count from the first.
            self.assertEqual(round((float(at) - base) * 1e9), round(float(time) * 1e9))
            self.assertEqual(path, f"/{1024 * int(document)}")
        hosts = collections.Counter(source for _, source, *_ in asked)
        clients = collections.Counter(int(client) % 5 for _, client, _ in wanted)
        self.assertEqual(sorted(hosts.values()), sorted(clients.values()))
        fast = self.asked(self.emulator(workload.replace("SPEED", ", speed = 4")))
        self.assertAlmostEqual(float(fast[-1][0]) * 4, float(asked[-1][0]), delta=1e-8)

    def test_clients_take_turns_and_what_is_due_while_it_is_off_does_not_happen(self):
        path = self.file("even.txt", (f"{i / 100:.2f}" for i in range(400)))
        workload = f'workload w : web.Replay on client[*] {{ server = server, times = "{path}", documents = web.fixed(1 KB) }}'
        asked = self.asked(self.emulator(workload))
        self.assertEqual(len(asked), 400)
        self.assertEqual(set(collections.Counter(source for _, source, *_ in asked).values()), {80})
        off = self.asked(self.emulator(workload + "\n  from 1.005 s to 2.005 s { w off }"))
        self.assertEqual([time for time, *_ in off], [time for time, *_ in asked if not 1.005 < float(time) < 2.005])

    def test_what_is_due_while_connections_are_taken_waits(self):
        path = self.file("burst.txt", ["0"] * 10 + ["1"])
        result = self.simulate(self.emulator(
            f'workload w : web.Replay on client[0] {{ server = server, times = "{path}", documents = web.fixed(1 KB), connections = 1 }}'))
        found = result["workloads"][0]
        self.assertEqual((found["offered"]["due"], found["offered"]["late"]), (11, 9))
        # Ten behind each other.
        self.assertAlmostEqual(found["response_time_from_due_seconds"]["max"], 10 * found["response_time_seconds"]["max"], delta=0.001)


class Logs(Files):

    def log(self, requests):
        lines = []
        for second, client, method, path, status, size in requests:
            at = datetime.datetime(2024, 2, 28, 23, 59, 58, tzinfo=datetime.timezone.utc) + datetime.timedelta(seconds=second)
            lines.append(f'{client} - - [{at.strftime("%d/%b/%Y:%H:%M:%S %z")}] "{method} {path} HTTP/1.1" {status} {size or "-"} "-" "x"')
        return self.file("access.log", lines)

    def replay(self, path, given="", duration="40 s"):
        return self.emulator(f'workload again : web.Replay on client[*] {{ server = server, log = "{path}" {given} }}', duration)

    def test_requests_keep_their_seconds_clients_methods_and_paths(self):
        rng = random.Random(3)
        requests = sorted((rng.randrange(30), f"192.0.2.{rng.randrange(5)}", rng.choice(("GET", "GET", "HEAD", "POST", "PUT")), f"/d{rng.randrange(9)}",
                           200, rng.randrange(1, 5000)) for _ in range(500))
        first = {client: i for i, client in enumerate(dict.fromkeys(client for _, client, *_ in requests))}
        start = requests[0][0]
        for speed in (1, 2):
            asked = self.asked(self.replay(self.log(requests), f", speed = {speed}"))
            # The first SYN is the capture's beginning, and the log's.
            found = collections.Counter((int(float(time) * speed + 1e-7), int(source.split(".")[-1]), method, path) for time, source, method, path in asked)
            least = min(host for _, host, *_ in found)
            wanted = collections.Counter((second - start, least + first[client], method, path) for second, client, method, path, *_ in requests)
            self.assertEqual(found, wanted)

    def test_simulated_servers_answer_as_the_log_has_it(self):
        requests = [(0, "a", "GET", "/x", 200, 700), (1, "a", "GET", "/x", 200, 900), (2, "b", "GET", "/none", 404, 120), (3, "b", "GET", "/x", 304, 0),
                    (4, "c", "HEAD", "/x", 200, 0), (5, "c", "POST", "/form", 201, 30), (6, "a", "GET", "/broken", 500, 0)]
        for given in ("", ", requests = 100"):
            transactions = self.simulate(self.replay(self.log(requests), given, "10 s"))["transactions"]
            self.assertEqual((transactions["completed"], transactions["failed"], transactions["unexpected_status"], transactions["unexpected_size"]), (7, 0, 0, 0))
            self.assertEqual(transactions["by_status"], {"200": 3, "201": 1, "304": 1, "404": 1, "500": 1})

    def test_lines_that_cannot_be_sent_are_left_out_on_demand(self):
        path = self.log([(0, "a", "GET", "/x", 200, 1), (1, "a", "PURGE", "/x", 200, 1), (2, "b", "GET", "/y", 200, 1), (2, "b", "-", "-", 400, 1)])
        text = MODEL.replace("DURATION", "9 s").replace("WORKLOAD", f'workload w : web.Replay on client[*] {{ server = server, log = "{path}", unreadable = skip }}')
        model = self.fresh("skip.anml")
        model.write_text(text)
        done = run(ANMLC, "check", "--error-format=short", model).stderr
        self.assertIn("2 lines are left out, the first here: `PURGE` is none of GET, HEAD, POST, PUT, DELETE, PATCH and OPTIONS [skipped-lines]", done)
        self.assertIn("access.log:2:", done)

    def test_a_long_log(self):
        path = self.fresh("long.log")
        with open(path, "w") as out:
            for i in range(200000):
                out.write(f'10.{i % 7}.{i % 251}.{i % 241} - - [01/Jan/2024:{i // 50 // 3600:02}:{i // 50 // 60 % 60:02}:{i // 50 % 60:02} +0000] '
                          f'"GET /p/{i * i % 9973} HTTP/1.1" 200 {i * i % 9973 + 100} "-" "agent {i % 13}"\n')
        emulator = self.replay(path, "", "2 s")
        self.assertEqual(self.simulate(emulator)["workloads"][0]["offered"]["due"], 100)
        if not SANITIZED:
            self.assertLess(emulator.stat().st_size, 12 << 20)


class Mixes(Files):

    def test_shares_are_whole_by_the_largest_remainder(self):
        for total, shares in ((100, [0.3, 0.7]), (10, [1, 2]), (7, [1, 1, 1]), (0, [1, 2]), (1, [0.2, 0.2, 0.6]), (1000, [0.333, 0.333, 0.334]), (11, [0, 5, 5])):
            quotas = [total * share / sum(shares) for share in shares]
            wanted = [int(q + 1e-9) for q in quotas]
            order = sorted(range(len(shares)), key=lambda i: (-round(quotas[i] - wanted[i], 9), i))
            for i in order[:total - sum(wanted)]:
                wanted[i] += 1
            given = ", ".join(map(str, shares))
            requires = "\n".join(f"  require mix.share({total}, [{given}], {i}) == {count}" for i, count in enumerate(wanted))
            self.emulator(f"workload w : web.ClosedLoop on client[*] {{ server = server, documents = web.fixed(1 KB) }}\n{requires}", "1 s", "-O0")

    def test_classes_have_their_shares_of_the_requests(self):
        given = "server = server, documents = web.fixed(1 KB), interval = "
        emulator = self.emulator(f"""workload fibre : web.OpenLoop on client[0 .. 1] {{ {given} exponential(mix.interval(1 ms, [30 %, 70 %], 0, 2)) }}
  workload modem : web.OpenLoop on client[2 .. 4] {{ {given} exponential(mix.interval(1 ms, [30 %, 70 %], 1, 3)) }}""", "20 s")
        done = {w["name"]: w["offered"]["due"] for w in self.simulate(emulator)["workloads"]}
        for name, wanted in (("fibre", 6000), ("modem", 14000)):
            self.assertAlmostEqual(done[name], wanted, delta=4 * math.sqrt(wanted))


class Alike(Files):
    def test_however_it_is_run(self):
        path = self.file("times.txt", (f"{i * 0.00731:.6f} {i % 17}" for i in range(500)))
        self.however_it_is_run(f"""
import std.web
component Site(hosts: int) {{
  router gateway
  host pc[hosts]
  link pc[*] -- gateway {{ rate = 100 Mbps, delay = 1 ms }}
}}
model Parallel {{
  endpoint server {{ simulated = web.server() }}
  Site site[4](hosts = 3)
  router core
  link site[*].gateway -- core {{ rate = 100 Mbps, delay = 2 ms }}
  link core -- server {{ rate = 1 Gbps, delay = 3 ms }}
  workload timed : web.Replay on site[*].pc[*] {{ server = server, times = "{path}", documents = web.list("{DATA}/site.csv"), connections = 2 }}
  workload again : web.Replay on site[*].pc[*] {{ server = server, log = "{DATA}/access.log", requests = 5 }}
  from 1 s to 1.3 s {{ timed off }}
  run {{ duration = 4 s }}
}}
""", "transactions", "series")


if __name__ == "__main__":
    unittest.main()
