"""HTTP/2, in cleartext and over TLS, between virtual clients and real servers, nginx by its access log and nghttpd by its own, and between curl, nghttp,
h2load and a simulated server."""
import collections
import json
import pathlib
import re
import resource
import sys
import unittest

from misbehaving_http2 import SECURED, WAYS
from netlab import ROOT, Lab, addresses, run

SERVER = pathlib.Path(__file__).with_name("misbehaving_http2.py")
GREEDY = SERVER.with_name("greedy_http2.py")
PEM = ROOT / "tests/data/tls/server.pem"
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
  endpoint secure { simulated = web.server(version = HTTP_2, scheme = https) }
  host client
  router gate
  link user -- gate { rate = 1 Gbps, delay = 0.1 ms }
  link client -- gate { rate = 1 Gbps, delay = 0.1 ms }
  link gate -- server { rate = 1 Gbps, delay = 0.1 ms }
  link gate -- secure { rate = 1 Gbps, delay = 0.1 ms }
  workload files : web.ClosedLoop on client { server = server, documents = [web.fixed(1 KB), web.fixed(2 MB)], think = 1 s }
  workload secured : web.ClosedLoop on client { server = secure, documents = [web.fixed(1 KB), web.fixed(2 MB)], think = 1 s, version = HTTP_2, scheme = https }
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
    "tls-http1": "tls",
}


# Workloads at a real nginx, each with three clients and a port of its own: its loop, what it says, what nginx is told besides.
AT_NGINX = {
    "streams": ("ClosedLoop", "requests = 1000, streams = 10, think = 40 ms", ""),
    "of_25": ("ClosedLoop", "requests = 25, streams = 4, think = 2 ms", ""),
    "goaway": ("ClosedLoop", "requests = 1000, streams = 4, think = 2 ms", "keepalive_requests 10;"),
    "open": ("OpenLoop", "requests = 1000000, streams = 8, interval = exponential(5 ms)", ""),
    "put": ("ClosedLoop", 'requests = 100, streams = 2, think = 20 ms, method = PUT, body = 300 KB, authority = "test", headers = ["X-Given: 7"]',
            'client_max_body_size 1m; location / { return 200 "taken"; }'),
    "secure": ("ClosedLoop", "requests = 25, streams = 4, think = 2 ms, scheme = https", ""),
    "secure_goaway": ("ClosedLoop", "requests = 1000, streams = 4, think = 2 ms, scheme = https, tls_version = tls12", "keepalive_requests 10;"),
    "secure_put": ("ClosedLoop", 'requests = 100, streams = 2, think = 20 ms, method = PUT, body = 300 KB, authority = "test", headers = ["X-Given: 7"], scheme = https',
                   'client_max_body_size 1m; location / { return 200 "taken"; }'),
    "pages": ("Browser", "parts = web.fixed(20 KB), parts_per_page = 20, pages = 3, think = 40 ms, pause = 20 ms", ""),
    "secure_pages": ("Browser", "parts = web.fixed(20 KB), parts_per_page = 20, pages = 3, think = 40 ms, pause = 20 ms, scheme = https", ""),
}


def model(workloads, clients):
    return MODEL.replace("COUNT", str(clients)).replace("WORKLOADS", "\n".join(workloads))


class Nginx(unittest.TestCase):
    def test_by_its_access_log(self):
        workloads = [f"  workload {name} : web.{loop} on client[{3 * i} .. {3 * i + 2}] {{ {DOCUMENTS} port = {8080 + i}, {given} }}"
                     for i, (name, (loop, given, _)) in enumerate(AT_NGINX.items())]
        with Lab() as lab:
            emulator = lab.compile(model(workloads, 3 * len(AT_NGINX)))
            form = ("log_format streams '$connection $status $request_uri $server_protocol $request_method $host $http_x_given "
                    f"$ssl_protocol-$ssl_alpn_protocol $ssl_session_reused';\nssl_certificate {PEM}; ssl_certificate_key {PEM}; ssl_protocols TLSv1.2 TLSv1.3;\n")
            servers = "\n".join(f"server {{ listen {8080 + i} {'ssl' if 'https' in given else ''} http2 backlog=4096; root {lab.folder}/web; "
                                f"access_log {lab.folder}/{name} streams; {told} }}" for i, (name, (_, given, told)) in enumerate(AT_NGINX.items()))
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
                self.assertGreater(transactions["completed"], 5)
                # What nginx has answered and no client has seen is under way at the end.
                self.assertLessEqual(transactions["completed"], len(lines))
                self.assertLessEqual(len(lines), transactions["completed"] + transactions["in_progress"])
                # Each client may have one on which it has not asked yet.
                self.assertLessEqual(len(connections[name]), transactions["connections"])
                self.assertLessEqual(transactions["connections"], len(connections[name]) + (transactions["in_progress"] if name == "open" else 3))
                if "goaway" not in name:
                    self.assertEqual(transactions["retried"], 0)
                secured = {"secure_goaway": "TLSv1.2-h2"}.get(name, "TLSv1.3-h2") if "secure" in name else "---"
                self.assertEqual({line[-2] for line in lines}, {secured})
                reused = {line[0] for line in lines if line[-1] == "r"}
                handshakes = transactions["handshakes"]
                if "secure" not in name:
                    self.assertEqual((handshakes, reused), ({"full": 0, "resumed": 0}, set()))
                elif name == "secure_pages":  # a user's ticket goes with the session
                    self.assertEqual((handshakes["resumed"], reused), (0, set()))
                else:  # a client's first is full, then it resumes
                    # Once, on a busy machine, one of a third connection was full; why is not known.
                    self.assertIn(handshakes["full"], (3, 4), transactions)
                    self.assertLessEqual(len(reused), handshakes["resumed"])
                    self.assertLessEqual(handshakes["resumed"], len(reused) + 3)
        self.assertEqual((found["streams"]["connections"], len(connections["streams"])), (3, 3))
        self.assertEqual(max(connections["of_25"].values()), 25)
        self.assertGreaterEqual(sum(count == 25 for count in connections["of_25"].values()), len(connections["of_25"]) - 3)
        # After ten requests nginx says so, and answers those that were under way.
        for name in ("goaway", "secure_goaway"):
            self.assertLessEqual(max(connections[name].values()), 13)
        self.assertEqual(max(connections["secure"].values()), 25)
        self.assertLess(len(connections["open"]), len(logs["open"]) / 16)
        for name in ("pages", "secure_pages"):  # a session's are on one connection, 63
            whole = [count for count in connections[name].values() if count == 63]
            figures = results["workloads"][list(AT_NGINX).index(name)]["pages"]
            self.assertGreater(figures["completed"], 3)
            self.assertEqual(figures["failed"], 0)
            self.assertEqual(max(connections[name].values()), 63)
            self.assertLessEqual(figures["sessions"], len(whole))
            self.assertLessEqual(len(connections[name]), figures["sessions"] + 3)
        for name in ("put", "secure_put"):
            self.assertEqual({tuple(line[4:7]) for line in logs[name]}, {("PUT", "test", "7")})


class Nghttpd(unittest.TestCase):
    def test_by_its_log(self):
        """Each request that it has seen, over TLS and without, by what it prints of frames."""
        given = "requests = 100, streams = 5, think = 20 ms"
        workloads = [f"  workload {name} : web.ClosedLoop on client[{3 * i} .. {3 * i + 2}] {{ {DOCUMENTS} port = {8080 + i}, {given} {more} }}"
                     for i, (name, more) in enumerate((("plain", ""), ("secure", ", scheme = https")))]
        with Lab() as lab:
            lab.nginx({"/1024": 1024, "/20480": 20480})  # the documents
            logs, file = [lab.folder / name for name in ("plain", "secure")], lab.folder / "r.json"
            start = f"nghttpd -v -d {lab.folder}/web --no-tls 8080 > {logs[0]} & nghttpd -v -d {lab.folder}/web 8081 {PEM} {PEM} > {logs[1]}"
            run(lab.compile(model(workloads, 6)), "live", "--results", file, "--sandbox", "--", "sh", "-c", start, timeout=60)
            results = json.loads(file.read_text())
            texts = [log.read_text(errors="replace") for log in logs]
        for workload, text in zip(results["workloads"], texts):
            found = workload["transactions"]
            with self.subTest(workload["name"]):
                self.assertEqual((found["failed"], found["unexpected_size"], found["retried"]), (0, 0, 0))
                self.assertGreater(found["completed"], 100)
                # One in progress may wait for its connection.
                self.assertTrue(found["completed"] <= found["requests"] <= found["completed"] + found["in_progress"], found)
                requests = len(re.findall(r"recv \(stream_id=\d+\) :method: GET", text))
                self.assertLessEqual(found["completed"], requests)
                self.assertLessEqual(requests, found["requests"])
                handshakes = sum(found["handshakes"].values())
                if workload["name"] == "plain":
                    self.assertEqual(handshakes, 0)
                else:  # a connection that one in progress waits for may be shaking hands
                    self.assertTrue(found["connections"] - found["in_progress"] <= handshakes <= found["connections"], found)


class OddServers(unittest.TestCase):
    def test_each_way_and_its_cause(self):
        ways = (*WAYS, *("tls-" + way for way in SECURED))
        workloads = [f"""  workload {way.replace("-", "_")} : web.ClosedLoop on client[{i}] {{
    server = server, port = {9001 + i}, documents = web.fixed(1 KB, "/x"), version = HTTP_2, requests = 1000, streams = 2
    think = 30 ms, timeout = 2500 ms {", method = PUT, body = 100 KB" if "no-window" in way else ""} {", scheme = https" if "tls-" in way else ""}
  }}""" for i, way in enumerate(ways)]
        with Lab() as lab:
            emulator = lab.compile(model(workloads, len(ways)))
            file = lab.folder / "r.json"
            run(emulator, "live", "--results", file, "--sandbox", "--", sys.executable, SERVER, PEM, *ways, timeout=60, check=False)
            results = json.loads(file.read_text())
        found = {way: workload["transactions"] for way, workload in zip(ways, results["workloads"])}
        for way, transactions in found.items():
            causes = {cause: count for cause, count in transactions["failed_by_cause"].items() if count}
            with self.subTest(way, causes=causes, completed=transactions["completed"]):
                if cause := CAUSES.get(way, CAUSES.get(way.removeprefix("tls-"))):
                    # A server that closes with a request unread resets the connection.
                    self.assertIn(cause, causes)
                    self.assertLessEqual(set(causes), {cause, "reset"} if cause == "truncated" else {cause})
                    self.assertEqual(transactions["completed"], 0)
                else:
                    self.assertEqual(causes, {})
                    self.assertGreater(transactions["completed"], 5)
        for way in ("good", "interim", "trailer", "unframed", "one-at-a-time", "tls-good"):
            self.assertEqual((found[way]["connections"], found[way]["retried"], found[way]["unexpected_size"]), (1, 0, 0), way)
        self.assertEqual(found["tls-http1"]["first_tls_failure"], "the server does not choose h2 by ALPN")
        self.assertEqual(found["small"]["unexpected_size"], found["small"]["completed"])
        self.assertAlmostEqual(found["leaves"]["completed"], 10 * found["leaves"]["connections"], delta=10)
        self.assertGreater(found["refuses-some"]["retried"], 3)
        # Five times each, and the two streams that are open at the end up to five times.
        tried = found["refuses"]["retried"] - 5 * found["refuses"]["failed"]
        self.assertTrue(0 <= tried <= 5 * found["refuses"]["in_progress"], found["refuses"])
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

            # Over TLS, whose ALPN says which of both: curl asks twice on a connection.
            base = f"https://{addresses(emulator)['secure']}"
            each = ("curl", "-s", "-S", "-k", "-m", 20, "-w", "%{http_code} %{size_download} %{num_connects} %{http_version}\n")
            for offered, expected in (("--http2", "2"), ("--http1.1", "1.1")):
                asked = lab.run_in(user, *each, offered, "-o", "/dev/null", f"{base}/1024", "-o", "/dev/null", f"{base}/2097152").stdout.splitlines()
                self.assertEqual(asked, [f"200 1024 1 {expected}", f"200 2097152 0 {expected}"])
            lab.run_in(user, "curl", "-s", "-k", "-o", body, f"{base}/2097152")
            self.assertEqual(body.read_bytes(), line * (2097152 // len(line)))
            self.assertEqual(lab.run_in(user, *each, "-T", "/etc/services", "-o", "/dev/null", f"{base}/1024").stdout, "200 0 1 2\n")
            nghttp = lab.run_in(user, "nghttp", "-nv", f"{base}/1024", f"{base}/2097152").stdout
            self.assertIn("The negotiated protocol: h2", nghttp)
            self.assertEqual(nghttp.count(":status: 200"), 2)
            load = lab.run_in(user, "h2load", "-n", 2000, "-c", 4, "-m", 20, f"{base}/1024").stdout
            self.assertIn("2000 succeeded, 0 failed, 0 errored, 0 timeout", load)

            # 200 MB are asked for and not taken; then come pings without end.
            def memory():
                return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{live.process.pid}/status").read_text()).group(1))
            before = memory()
            for server, port, over in (("server", 80, "plain"), ("secure", 443, "tls")):
                error = lab.run_in(user, sys.executable, GREEDY, addresses(emulator)[server], port, over, "/2097152").stdout.strip()
                self.assertEqual(error, "11", over)  # ENHANCE_YOUR_CALM
            self.assertLess(memory(), before + (20 << 10))
            self.assertIsNone(live.process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=2)
