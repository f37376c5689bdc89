"""HTTPS between virtual clients and real servers, nginx by its access log and openssl s_server, and between curl and a simulated server; and servers
whose TLS goes wrong."""
import json
import pathlib
import re
import resource
import socket
import ssl
import subprocess
import sys
import unittest

from netlab import ROOT, Lab, addresses, run, wait_until

ODD = pathlib.Path(__file__).with_name("odd_tls_server.py")
TLS = ROOT / "tests/data/tls"
MODEL = """
import std.web
model Secure {
  endpoint server { simulated = web.server(scheme = https) }
  router gate
  host client[CLIENTS]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
WORKLOADS
  run { duration = DURATION }
}
"""
BETWEEN = """
import std.web
model Between {
  endpoint user
  endpoint server { simulated = web.server(scheme = https, handshake = 2 ms, OWN) }
  host client
  router gate
  link user -- gate { rate = 100 Mbps, delay = 1 ms }
  link client -- gate { rate = 100 Mbps, delay = 1 ms }
  link gate -- server { rate = 100 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on client { server = server, documents = [web.fixed(1 KB), web.fixed(200 KB)], think = 100 ms, requests = 100, scheme = https }
  run { duration = 60 s }
}
"""


def model(given, each=3, seconds=3, more="documents = [web.fixed(1 KB), web.fixed(20 KB)], think = 5 ms"):
    """Workloads by their names, each of `each` clients of its own, on a port of its own from 4431 on."""
    lines = [f"  workload {name} : web.ClosedLoop on client[{i * each} ..< {(i + 1) * each}] {{ server = server, port = {4431 + i}, scheme = https, {more}, {attributes} }}"
             for i, (name, attributes) in enumerate(given.items())]
    return MODEL.replace("CLIENTS", str(each * len(given))).replace("WORKLOADS", "\n".join(lines)).replace("DURATION", f"{seconds} s")


def run_against(lab, source, *command, name="emu"):
    """The results of the workloads by their names."""
    file = lab.folder / "r.json"
    done = run(lab.compile(source, "-O0", "-Wno-port-mismatch", name=name), "live", "--results", file, "--sandbox", "--", *command, timeout=60, check=False)
    assert file.exists(), done.stdout + done.stderr
    return {workload["name"]: workload for workload in json.loads(file.read_text())["workloads"]}


class Nginx(unittest.TestCase):
    def test_each(self):
        """Versions, SNI, ALPN and sessions as nginx saw them: counts agree with its logs to the request."""
        trusted = f'authority = "www.example.org", trust_anchors = "{TLS}/ca.pem"'
        given = {"tls12": f"tls_version = tls12, {trusted}", "tls13": f"tls_version = tls13, {trusted}", "newest": trusted, "kept": "requests = 25, resumption = false",
                 "forgetful": "tls_version = tls12", "stranger": f'authority = "www.example.net", trust_anchors = "{TLS}/ca.pem"'}
        with Lab() as lab:
            extra = "log_format tls '$connection $ssl_protocol $ssl_session_reused $ssl_server_name- $ssl_alpn_protocol $status';\n"
            for i, name in enumerate(given):
                forgets = "ssl_session_tickets off; ssl_session_cache none;" if name == "forgetful" else ""
                extra += f"""server {{ listen {4431 + i} ssl backlog=4096; root {lab.folder}/web; access_log {lab.folder}/{name}.log tls; keepalive_requests 100000;
                    ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate {TLS}/server.pem; ssl_certificate_key {TLS}/server.pem; {forgets} }}\n"""
            all_results = run_against(lab, model(given), *lab.nginx({"/1024": 1024, "/20480": 20480}, extra))
            logs = {name: (lab.folder / f"{name}.log").read_text().splitlines() for name in given}
        stranger = all_results.pop("stranger")["transactions"]
        self.assertEqual((stranger["completed"], stranger["failed_by_cause"]["tls"]), (0, stranger["failed"]))
        self.assertEqual((stranger["first_tls_failure"], logs["stranger"]), ("hostname mismatch", []))
        for name, results in all_results.items():
            with self.subTest(name):
                connections = {}
                for line in logs[name]:
                    connection, *of, status = line.split()
                    self.assertEqual(status, "200", line)
                    connections[connection] = tuple(of)
                found = results["transactions"]
                self.assertEqual((found["failed"], found["unexpected_size"]), (0, 0))
                self.assertGreater(found["completed"], 10)
                # What nginx has answered and no client has seen is under way at the end.
                self.assertLessEqual(found["completed"], len(logs[name]))
                self.assertLessEqual(len(logs[name]), found["completed"] + found["in_progress"])
                handshakes, resumed = found["handshakes"], sum(of[1] == "r" for of in connections.values())
                self.assertLessEqual(sum(handshakes.values()), found["connections"])
                self.assertGreaterEqual(sum(handshakes.values()), found["connections"] - found["in_progress"])
                self.assertLessEqual(resumed, handshakes["resumed"])
                self.assertGreaterEqual(resumed, handshakes["resumed"] - found["in_progress"])
                self.assertLessEqual(len(connections) - resumed, handshakes["full"])
                self.assertEqual({of[0] for of in connections.values()}, {"TLSv1.2" if name in ("tls12", "forgetful") else "TLSv1.3"})
                self.assertEqual({of[2:] for of in connections.values()}, {("www.example.org-" if "tls12" in name or name in ("tls13", "newest") else "--", "http/1.1")})
                if name in ("kept", "forgetful"):
                    self.assertEqual(handshakes["resumed"], 0)
                else:  # a client's first is full, then it resumes
                    self.assertIn(handshakes["full"], (3, 4))  # as in test_http2.py
                if name == "kept":
                    self.assertLessEqual(found["connections"], found["requests"] / 25 + 3)
                # A round trip of 4 ms, or two.
                self.assertGreater(results["phase_seconds"]["tls"], 0.008 if name == "forgetful" else 0.004)


class Others(unittest.TestCase):
    def test_s_server(self):
        """OpenSSL's own, which answers with a page of its own, ended by the close."""
        server = f"openssl s_server -quiet -cert {TLS}/server.pem -key {TLS}/server.pem -www"
        with Lab() as lab:
            found = run_against(lab, model({"older": "tls_version = tls12", "newer": "tls_version = tls13", "other": "tls_version = tls13"}, seconds=2),
                                "sh", "-c", f"{server} -accept 4431 -tls1_2 & {server} -accept 4433 -tls1_2 & {server} -accept 4432 -tls1_3")
        for name in ("older", "newer"):
            transactions = found[name]["transactions"]
            self.assertEqual(transactions["failed"], 0, name)
            self.assertGreater(transactions["completed"], 8, name)
            self.assertGreater(transactions["handshakes"]["resumed"], 5, name)
        transactions = found["other"]["transactions"]
        self.assertEqual((transactions["completed"], transactions["failed"]), (0, transactions["failed_by_cause"]["tls"]))
        self.assertIn("protocol version", transactions["first_tls_failure"])

    def test_renegotiation(self):
        """It is refused; a server that insists has failed."""
        with Lab() as lab:
            command = f"(sleep 1; while sleep 0.05; do echo R; done) | openssl s_server -accept 4431 -cert {TLS}/server.pem -key {TLS}/server.pem"
            found = run_against(lab, model({"asked": "tls_version = tls12, timeout = 1 s"}, each=1), "sh", "-c", command)["asked"]["transactions"]
            self.assertEqual(found["completed"], 0)
            self.assertGreater(found["failed"], 0)
            self.assertEqual(found["failed"], sum(found["failed_by_cause"][cause] for cause in ("tls", "truncated", "timeout", "reset")))

    def test_odd(self):
        """Each failure has the right cause, and none costs more memory than a connection has."""
        causes = {"notified": None, "cut": None, "unframed": None, "unframed-cut": "truncated", "short": "truncated", "short-cut": "truncated",
                  "bad-record": "tls", "no-record": "tls", "late-alert": "tls", "silent": "timeout", "reset": "reset",
                  "garbage": "tls", "http": "tls", "alert": "tls", "big": "tls", "random": "tls", "closes": "tls", "resets": "reset", "hangs": "timeout"}
        with Lab() as lab:
            source = model({"odd_" + way.replace("-", "_"): "timeout = 2500 ms" for way in causes}, more="documents = web.fixed(1 KB), think = 20 ms")
            found = run_against(lab, source, sys.executable, ODD, 4431, TLS / "server.pem", *causes)
        for way, cause in causes.items():
            with self.subTest(way):
                transactions = found["odd_" + way.replace("-", "_")]["transactions"]
                failures = {name: count for name, count in transactions["failed_by_cause"].items() if count}
                if cause:
                    self.assertEqual((transactions["completed"], list(failures)), (0, [cause]), transactions)
                    self.assertEqual(transactions["first_tls_failure"] is not None, cause == "tls")
                else:
                    self.assertEqual(failures, {})
                    self.assertGreater(transactions["completed"], 10)
                    self.assertEqual(transactions["unexpected_size"], 0)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 300 << 10)  # KB, of the largest of all that this test has started


def ask_and_leave(server):
    """Prints the lengths of what answers a client that says, with its request, that it sends nothing more, by TLS and by TCP; each in another segment, and all in one."""
    for together in (False, True):
        read, write = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        session = context.wrap_bio(read, write)
        with socket.create_connection((server, 443), timeout=10) as raw:
            def pump(step, *of):
                while True:
                    try:
                        return step(*of)
                    except ssl.SSLWantReadError:
                        raw.sendall(write.read())
                        read.write(raw.recv(65536))
            pump(session.do_handshake)
            session.write(b"GET /204800 HTTP/1.1\r\nHost: a\r\n\r\n")
            if not together:
                raw.sendall(write.read())
            try:
                session.unwrap()
            except ssl.SSLWantReadError:
                pass
            raw.sendall(write.read())
            raw.shutdown(socket.SHUT_WR)
            print(sum(len(piece) for piece in iter(lambda: raw.recv(65536), b"")))


class Simulated(unittest.TestCase):
    def test_curl(self):
        with Lab() as lab:
            emulator = lab.compile(BETWEEN.replace("OWN", f'certificate = "{TLS}/server.pem"'), "-O0")
            space = lab.namespace("user")
            live = lab.start(emulator, "live", "--attach", "user=tap:desk", "--results", lab.folder / "r.json", space=space)
            server = addresses(emulator)["server"]
            curl = ["curl", "-s", "--http1.1", "--cacert", f"{TLS}/ca.pem", "--connect-to", f"www.example.org:443:{server}:443"]
            url = "https://www.example.org"
            wait_until(lambda: lab.run_in(space, *curl, "-o", "/dev/null", f"{url}/1024", check=False).returncode == 0, 15, "the server")
            for version in ("1.2", "1.3"):
                done = lab.run_in(space, *curl, "-v", "--tls-max", version, f"--tlsv{version}", "-o", "/dev/null", "-w", "%{size_download} %{num_connects} ", f"{url}/1024", "-o", "/dev/null",
                                  f"{url}/204800")
                self.assertEqual(done.stdout.split(), ["1024", "1", "204800", "0"])
                self.assertIn(f"SSL connection using TLSv{version}", done.stderr)
                self.assertIn("server accepted http/1.1", done.stderr)
                self.assertIn("SSL certificate verify ok", done.stderr)
            self.assertEqual(lab.run_in(space, *curl[:3], f"https://{server}/1024", check=False).returncode, 60)  # nobody vouches for it
            said = lab.run_in(space, "openssl", "s_client", "-reconnect", "-tls1_2", "-connect", f"{server}:443", "-CAfile", f"{TLS}/ca.pem",
                              stdin=subprocess.DEVNULL, check=False).stdout
            self.assertEqual(len(re.findall("^Reused, TLSv1.2", said, re.M)), 5, said)
            self.assertIn("Verify return code: 0 (ok)", said)
            # A client that closes its half with its request is answered (RFC 8446, 6.1).
            asked = lab.run_in(space, sys.executable, __file__, "ask_and_leave", server).stdout.split()
            self.assertEqual(len(asked), 2)
            for length in asked:
                self.assertGreater(int(length), 204800)
            # One that speaks something else finds its connection closed.
            self.assertEqual(lab.run_in(space, "curl", "-s", "-m", "5", f"http://{server}:443/1024", check=False).returncode, 52)
            live.stop()
            results = json.loads((lab.folder / "r.json").read_text())
            self.assertGreater(results["transactions"]["completed"], 0)
            self.assertEqual(results["transactions"]["failed"], 0)
            self.assertGreaterEqual(results["servers"][0]["handshakes"]["resumed"], 5)


if __name__ == "__main__":
    if sys.argv[1:2] == ["ask_and_leave"]:
        sys.exit(ask_and_leave(sys.argv[2]))
    unittest.main(verbosity=2)
