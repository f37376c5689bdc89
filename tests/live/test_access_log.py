"""The access log of a real nginx is replayed against an nginx: its own log has the same requests by the same clients then, with the same answers. And what nginx sends
is compared with the hashes of its files."""
import collections
import hashlib
import ipaddress
import json
import random
import re
import unittest

from netlab import Lab, ROOT, addresses, run

LINE = re.compile(r'(\S+) - - \[[^]]*\] "(\S+) (\S+) [^"]*" (\d+) (\d+) ')
NETWORK = """
import std.ether
import std.web
model M {
  endpoint server
  router gate
  host client[12]
  link desk: client[*] -- gate : ether.fast { delay = 2 ms }
  link entry: gate -- server : ether.gigabit { delay = 3 ms }
  WORKLOADS
  run { duration = 5 s }
}
"""
# Whatever the two seconds of load bring is over when the run ends.
GIVEN = "server = server, port = 8080, schedule = [web.hold(2 s, 1), web.hold(1 h, 0)]"
SITE = f'documents = web.list("{ROOT}/tests/data/loads/site.csv")'
FIRST = NETWORK.replace("WORKLOADS", f"""
  workload get : web.OpenLoop on client[0 .. 7] {{ {GIVEN}, {SITE}, interval = exponential(50 ms) }}
  workload head : web.OpenLoop on client[6 .. 9] {{ {GIVEN}, {SITE}, interval = exponential(200 ms), method = HEAD, requests = 10 }}
  workload lost : web.OpenLoop on client[9 .. 11] {{ {GIVEN}, documents = web.fixed(1 KB, "/missing?a=1"), interval = 200 ms }}""")


class Replay(unittest.TestCase):
    def serve(self, lab, model, log):
        """The transactions of a run against nginx, and of each client how often it asked what with which answer, by the access log."""
        emulator = lab.compile(model, "-O0")
        files = {"/index.html": 4096, "/a,b.txt": 100}
        command = lab.nginx(files, f"server {{ listen 8080 backlog=4096; root {lab.folder}/web; access_log {log}; }}")
        run(emulator, "live", "--results", lab.folder / "live.json", "--sandbox", "--", *command, timeout=60)
        found = {}
        for line in log.read_text().splitlines():
            client, *request = LINE.match(line).groups()
            found.setdefault(client, collections.Counter())[tuple(request)] += 1
        return json.loads((lab.folder / "live.json").read_text())["transactions"], found, addresses(emulator)["client"]

    def test_the_log_of_the_replay_is_the_log(self):
        with Lab() as lab:
            _, first, _ = self.serve(lab, FIRST, lab.folder / "first.log")
            requests = sum(map(collections.Counter.total, first.values()))
            self.assertGreater(requests, 300)
            self.assertEqual({status for counts in first.values() for _, _, status, _ in counts}, {"200", "404"})
            again = NETWORK.replace("WORKLOADS", f'workload again : web.Replay on client[*] {{ server = server, port = 8080, log = "{lab.folder}/first.log" }}')
            transactions, second, base = self.serve(lab, again, lab.folder / "again.log")
            # The clients of the log by first appearance are the hosts.
            hosts = [str(ipaddress.ip_address(base) + i) for i in range(len(first))]
            self.assertEqual(second, dict(zip(hosts, first.values())))
            # A 404 that the log has is no failure.
            self.assertEqual((transactions["completed"], transactions["failed"], transactions["unexpected_status"], transactions["unexpected_size"]),
                             (requests, 0, 0, 0))


CONTENT = """
import std.web
model Content {
  endpoint server
  router gate
  host client[CLIENTS]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
WORKLOADS
  at 4 s { OFF }
  run { duration = 8 s }
}
"""
CERTIFICATE = f"ssl_certificate {ROOT}/tests/data/tls/server.pem; ssl_certificate_key {ROOT}/tests/data/tls/server.pem;"
OPEN = "OpenLoop", "interval = exponential(100 ms)"
PAGES = "parts = DOCUMENTS, parts_per_page = 4, pages = 2"
# Whose clients ask, how, and what nginx says of each port besides. sub_filter leaves the content alone, and its length unsaid: chunks, or an end by the close.
WAYS = {
    "plain": (*OPEN, "", ""),
    "kept": (*OPEN, "requests = 50", ""),
    "chunked": (*OPEN, "requests = 50", "sub_filter_types *; sub_filter '<none>' 'x';"),
    "unframed": (*OPEN, "", "sub_filter_types *; sub_filter '<none>' 'x';"),
    "secure": (*OPEN, "requests = 5, scheme = https", CERTIFICATE),
    "streams": (*OPEN, "requests = 1000, streams = 4, version = HTTP_2", ""),
    "sealed": (*OPEN, "requests = 1000, streams = 4, version = HTTP_2, scheme = https", CERTIFICATE),
    "moved": (*OPEN, "redirects = 1", "location / { return 302 /there$uri; access_log off; } location /there/ { alias ROOT/; }"),
    "sockets": ("SClient", "sockets = 1, connect_timeout = 5 s", "", "limit_rate 8m;"),
    "users": ("Browser", f"{PAGES}, think = 50 ms".replace("parts_per_page = 4", "parts_per_page = 12"), "pause = 20 ms", ""),
    "sessions": ("Sessions", f"{PAGES}, interval = 200 ms", "version = HTTP_2", ""),
    "shoppers": ("Sessions", f"{PAGES}, interval = 200 ms", "version = HTTP_2, scheme = https", CERTIFICATE),
}


def listening(given):
    return " ".join(word for word, said in (("ssl", "https"), ("http2", "HTTP_2")) if said in given)


class Content(unittest.TestCase):
    def list_of(self, lab):
        """As the documentation has it made."""
        command, = re.findall(r"^\{ echo sha256,.*site\.csv$", "".join(page.read_text() for page in ROOT.glob("docs/**/*.md")), re.MULTILINE)
        run("bash", "-c", command.replace("www", "web"), cwd=lab.folder)
        return f'web.list("{lab.folder}/site.csv")'

    def fetch_all(self, lab, emulator, command, paths):
        """What a run has in which each way has asked for each path: beside others that have the processors some come to few requests."""
        for _ in range(4):
            found, counts = self.fetch(lab, emulator, command)
            if all(set(counts[name]) == paths for name in WAYS):
                return found, counts
        self.fail(f"not all paths were asked for: {counts}")

    def fetch(self, lab, emulator, command):
        """The transactions of each way, and how often nginx answered for each path."""
        run(emulator, "live", "--results", lab.folder / "live.json", "--sandbox", "--", *command, timeout=60)
        counts = {}
        for name in WAYS:
            log = lab.folder / f"{name}.log"
            lines = [line.rsplit(" ", 2) for line in log.read_text().splitlines()]
            self.assertEqual({tuple(told) for path, *told in lines if path != "/empty"}, {("200", "chunked" if name == "chunked" else "-")})
            counts[name] = collections.Counter(path.removeprefix("/there") for path, *_ in lines)
            log.unlink()
        return {w["name"]: w["transactions"] for w in json.loads((lab.folder / "live.json").read_text())["workloads"]}, counts

    def assertChecked(self, transactions, counts):
        """All that nginx has answered, but for what no client has seen yet at the end, on a machine that is busy."""
        self.assertEqual(transactions["checked_content"], transactions["completed"])
        self.assertTrue(counts.total() - transactions["in_progress"] <= transactions["completed"] <= counts.total(), (counts, transactions))

    def test_a_changed_byte_is_found_however_it_comes(self):
        sizes = {"/index.html": 5000, "/a, b.txt": 100, "/empty": 0, "/large": 1_000_000, "/chosen": 70_000}
        with Lab() as lab:
            servers = "log_format asked '$uri $status $sent_http_transfer_encoding';\n" + "\n".join(
                f"server {{ listen {8080 + i} {listening(given)} backlog=4096; root {lab.folder}/web; keepalive_requests 100000; access_log {lab.folder}/{name}.log asked; "
                f"{told.replace('ROOT', f'{lab.folder}/web')} }}"
                for i, (name, (_, _, given, told)) in enumerate(WAYS.items()))
            command = lab.nginx(sizes, servers)
            rng = random.Random(1)
            for path, size in sizes.items():
                (lab.folder / "web" / path[1:]).write_bytes(rng.randbytes(size))
            documents = self.list_of(lab)
            workloads = [f"  workload {name} : web.{kind} on client[{2 * i} .. {2 * i + 1}] {{ server = server, port = {8080 + i}, documents = DOCUMENTS, check_content = true, "
                         f"{load}{', ' if given else ''}{given} }}".replace("DOCUMENTS", documents) for i, (name, (kind, load, given, _)) in enumerate(WAYS.items())]
            emulator = lab.compile(CONTENT.replace("CLIENTS", str(2 * len(WAYS))).replace("WORKLOADS", "\n".join(workloads)).replace("OFF", ", ".join(f"{name} off" for name in WAYS)), "-O0")
            found, counts = self.fetch_all(lab, emulator, command, set(sizes))
            for name, transactions in found.items():
                with self.subTest(name):
                    self.assertEqual((transactions["failed"], transactions["unexpected_size"], transactions["unexpected_content"], transactions["first_unexpected_content"]), (0, 0, 0, None))
                    self.assertChecked(transactions, counts[name])
            chosen = lab.folder / "web/chosen"
            was = chosen.read_bytes()
            chosen.write_bytes(was[:-1] + bytes([was[-1] ^ 1]))
            found, counts = self.fetch_all(lab, emulator, command, set(sizes))
            for name, transactions in found.items():
                with self.subTest(name, changed=True):
                    asked = counts[name]["/chosen"]
                    self.assertEqual((transactions["failed"], transactions["unexpected_size"]), (0, 0))
                    self.assertChecked(transactions, counts[name])
                    self.assertTrue(max(1, asked - transactions["in_progress"]) <= transactions["unexpected_content"] <= asked, (asked, transactions))
                    self.assertEqual(transactions["first_unexpected_content"],
                                     {"path": "/chosen", "sha256": hashlib.sha256(chosen.read_bytes()).hexdigest(), "expected": hashlib.sha256(was).hexdigest()})


if __name__ == "__main__":
    unittest.main()
