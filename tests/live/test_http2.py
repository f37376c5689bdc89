"""HTTP/2 between virtual clients and real servers, nginx by its access log, and between curl, nghttp, h2load and a simulated server."""
import collections
import json
import pathlib
import re
import resource
import sys
import unittest

from misbehaving_http2 import WAYS
from netlab import Lab, run

SERVER = pathlib.Path(__file__).with_name("misbehaving_http2.py")
MODEL = """
import std.web
model Streams {
  endpoint server { simulated = web.server() }
  router gate
  host client[COUNT]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
WORKLOADS
  run { duration = 3 s }
}
"""
DOCUMENTS = "server = server, documents = [web.fixed(1 KB), web.fixed(20 KB)], version = HTTP_2, "
BETWEEN = """
import std.web
model Between {
  endpoint user
  endpoint server { simulated = web.server(version = HTTP_2) }
  host client
  router gate
  link user -- gate { rate = 1 Gbps, delay = 0.1 ms }
  link client -- gate { rate = 1 Gbps, delay = 0.1 ms }
  link gate -- server { rate = 1 Gbps, delay = 0.1 ms }
  workload files : web.ClosedLoop on client { server = server, documents = [web.fixed(1 KB), web.fixed(2 MB)], think = 1 s }
  run { duration = 60 s }
}
"""
# What each way comes to: all is well, or all fails for that reason.
CAUSES = {
    "error": "status", "http1": "status", "garbage": "status",
    "short": "truncated", "long": "truncated", "no-status": "truncated", "cut": "truncated", "settings-flood": "truncated",
    "ping-flood": "truncated", "empty-flood": "truncated", "window-flood": "truncated", "endless-head": "truncated", "great-head": "truncated",
    "push": "truncated", "bad-hpack": "truncated", "bad-frame": "truncated", "nothing": "truncated",
    "rapid-reset": "reset", "reset-in-body": "reset", "refuses": "reset", "goaway": "reset",
    "no-window": "timeout", "hangs": "timeout", "silent": "timeout",
}


# Workloads at a real nginx, each with three clients and a port of its own: its loop, what it says, what nginx is told besides.
AT_NGINX = {
    "streams": ("ClosedLoop", "requests = 1000, streams = 10, think = 20 ms", ""),
    "of_25": ("ClosedLoop", "requests = 25, streams = 4, think = 2 ms", ""),
    "goaway": ("ClosedLoop", "requests = 1000, streams = 4, think = 2 ms", "keepalive_requests 10;"),
    "open": ("OpenLoop", "requests = 1000000, streams = 8, interval = exponential(5 ms)", ""),
    "put": ("ClosedLoop", 'requests = 100, streams = 2, think = 20 ms, method = PUT, body = 300 KB, authority = "test", headers = ["X-Given: 7"]',
            'client_max_body_size 1m; location / { return 200 "taken"; }'),
}


def model(workloads, clients):
    return MODEL.replace("COUNT", str(clients)).replace("WORKLOADS", "\n".join(workloads))


class Nginx(unittest.TestCase):
    def test_by_its_access_log(self):
        workloads = [f"  workload {name} : web.{loop} on client[{3 * i} .. {3 * i + 2}] {{ {DOCUMENTS} port = {8080 + i}, {given} }}"
                     for i, (name, (loop, given, _)) in enumerate(AT_NGINX.items())]
        with Lab() as lab:
            emulator = lab.compile(model(workloads, 3 * len(AT_NGINX)))
            form = "log_format streams '$connection $status $request_uri $server_protocol $request_method $host $http_x_given';\n"
            servers = "\n".join(f"server {{ listen {8080 + i} http2 backlog=4096; root {lab.folder}/web; access_log {lab.folder}/{name} streams; {told} }}"
                                for i, (name, (_, _, told)) in enumerate(AT_NGINX.items()))
            command = lab.nginx({"/1024": 1024, "/20480": 20480}, form + servers)
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", *command, timeout=60)
            results = json.loads((lab.folder / "r.json").read_text())
            logs = {name: [line.split() for line in (lab.folder / name).read_text().splitlines()] for name in AT_NGINX}
        found = {name: each["transactions"] for name, each in zip(AT_NGINX, results["workloads"])}
        connections = {name: collections.Counter(line[0] for line in lines) for name, lines in logs.items()}
        for name, transactions in found.items():
            lines = logs[name]
            with self.subTest(name):
                self.assertEqual({(status, protocol) for _, status, _, protocol, *_ in lines}, {("200", "HTTP/2.0")})
                self.assertEqual({line[2] for line in lines}, {"/1024", "/20480"})
                self.assertEqual((transactions["failed"], transactions["unexpected_size"]), (0, 0))
                self.assertGreater(transactions["completed"], 50)
                # What nginx has answered and no client has seen is under way at the end.
                self.assertLessEqual(transactions["completed"], len(lines))
                self.assertLessEqual(len(lines), transactions["completed"] + transactions["in_progress"])
                # Each client may have one on which it has not asked yet.
                self.assertLessEqual(len(connections[name]), transactions["connections"])
                self.assertLessEqual(transactions["connections"], len(connections[name]) + 3)
                if name != "goaway":
                    self.assertEqual(transactions["retried"], 0)
        self.assertEqual((found["streams"]["connections"], len(connections["streams"])), (3, 3))
        self.assertEqual(max(connections["of_25"].values()), 25)
        self.assertGreaterEqual(sum(count == 25 for count in connections["of_25"].values()), len(connections["of_25"]) - 3)
        # After ten requests nginx says so, and answers those that were under way.
        self.assertLessEqual(max(connections["goaway"].values()), 13)
        self.assertLess(len(connections["open"]), 12)
        self.assertEqual({tuple(line[4:]) for line in logs["put"]}, {("PUT", "test", "7")})


class OddServers(unittest.TestCase):
    def test_each_way_and_its_cause(self):
        workloads = [f"""  workload {way.replace("-", "_")} : web.ClosedLoop on client[{i}] {{
    server = server, port = {9001 + i}, documents = web.fixed(1 KB, "/x"), version = HTTP_2, requests = 1000, streams = 2
    think = 30 ms, timeout = 700 ms {", method = PUT, body = 100 KB" if way == "no-window" else ""}
  }}""" for i, way in enumerate(WAYS)]
        with Lab() as lab:
            emulator = lab.compile(model(workloads, len(WAYS)))
            file = lab.folder / "r.json"
            run(emulator, "live", "--results", file, "--sandbox", "--", sys.executable, SERVER, *WAYS, timeout=60, check=False)
            results = json.loads(file.read_text())
        found = {way: workload["transactions"] for way, workload in zip(WAYS, results["workloads"])}
        for way, transactions in found.items():
            causes = {cause: count for cause, count in transactions["failed_by_cause"].items() if count}
            with self.subTest(way, causes=causes, completed=transactions["completed"]):
                if way in CAUSES:
                    self.assertEqual(set(causes), {CAUSES[way]})
                    self.assertEqual(transactions["completed"], 0)
                else:
                    self.assertEqual(causes, {})
                    self.assertGreater(transactions["completed"], 40)
        for way in ("good", "interim", "trailer", "unframed", "one-at-a-time"):
            self.assertEqual((found[way]["connections"], found[way]["retried"], found[way]["unexpected_size"]), (1, 0, 0), way)
        self.assertEqual(found["small"]["unexpected_size"], found["small"]["completed"])
        self.assertAlmostEqual(found["leaves"]["completed"], 10 * found["leaves"]["connections"], delta=10)
        self.assertGreater(found["refuses-some"]["retried"], 10)
        self.assertEqual(found["refuses"]["retried"], 5 * found["refuses"]["failed"] + found["refuses"]["retried"] % 5)
        # Kilobytes of all of them; the emulator alone takes less than 100 MB.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 600_000)


class Tools(unittest.TestCase):
    def test_curl_nghttp_and_h2load(self):
        with Lab() as lab:
            emulator = lab.compile(BETWEEN)
            user, live, base = lab.user_of(emulator)
            curl = ("curl", "-s", "-S", "-m", 20, "--http2-prior-knowledge")

            def fetch(*arguments):
                return lab.run_in(user, *curl, "-w", "%{http_code} %{size_download} %{num_connects} %{http_version}\n", *arguments).stdout.splitlines()
            # One connection each: curl 7.88 fails on the second request without TLS, with nghttpd too.
            self.assertEqual(fetch("-o", "/dev/null", f"{base}/1024"), ["200 1024 1 2"])
            self.assertEqual(fetch("-o", "/dev/null", f"{base}/2097152"), ["200 2097152 1 2"])
            self.assertEqual(fetch("-o", "/dev/null", f"{base}/none"), ["404 10 1 2"])
            self.assertEqual(fetch("-I", "-o", "/dev/null", f"{base}/2097152"), ["200 0 1 2"])
            self.assertEqual(fetch("-T", "/etc/services", "-o", "/dev/null", f"{base}/1024"), ["200 0 1 2"])
            body = lab.folder / "body"
            lab.run_in(user, *curl, "-o", body, f"{base}/2097152")
            line = b"This document was made by the simulated web server of ANML.    \n"
            self.assertEqual(body.read_bytes(), line * (2097152 // len(line)))
            # HTTP/1 as before.
            plain = lab.run_in(user, "curl", "-s", "-o", "/dev/null", "-w", "%{http_version} %{size_download}", f"{base}/1024").stdout
            self.assertEqual(plain, "1.1 1024")

            nghttp = lab.run_in(user, "nghttp", "-nv", f"{base}/1024", f"{base}/2097152").stdout
            self.assertEqual(nghttp.count(":status: 200"), 2)
            self.assertIn("content-length: 2097152", nghttp)
            load = lab.run_in(user, "h2load", "-n", 2000, "-c", 4, "-m", 20, f"{base}/1024").stdout
            self.assertIn("2000 succeeded, 0 failed, 0 errored, 0 timeout", load)
            self.assertTrue(re.search(r"status codes: 2000 2xx", load), load)
            self.assertIsNone(live.process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=2)
