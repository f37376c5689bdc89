"""The page of a live run's figures: what Prometheus' own reader makes of it, beside the results."""
import json
import socket
import time
import unittest
import urllib.error
import urllib.request

from netlab import Lab, run, wait_until

MODEL = """
import std.web
import std.traffic

model Metrics {
  endpoint server { address = 10.0.0.80 }
  host client[8]
  router r
  link access: client[*] -- r { rate = 100 Mbps, delay = 1 ms }
  link entry: r -- server { rate = 1 Gbps, delay = 1 ms }
  workload web : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB), think = constant(5 ms) }
  workload probe : traffic.Ping on client[0] { to = server, interval = 20 ms }
  run { duration = 60 s }
}
"""


def page(port, path="/metrics"):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
        assert answer.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0"), answer.headers
        return answer.read().decode()


# Debian's package is for Debian's Python.
READER = """
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
print(json.dumps([[s.name, sorted(s.labels.items()), s.value]
                  for family in text_string_to_metric_families(sys.stdin.read()) for s in family.samples]))
"""


def samples(text):
    """Every sample by its name and labels."""
    read = run("/usr/bin/python3", "-c", READER, input=text).stdout
    return {(name, tuple(map(tuple, labels))): value for name, labels, value in json.loads(read)}


class Metrics(unittest.TestCase):
    def setUp(self):
        self.lab = lab = Lab()
        self.addCleanup(lab.close)
        self.emulator = lab.compile(MODEL, "-O0")
        self.results = lab.folder / "results.json"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.live = lab.start(self.emulator, "live", "--metrics", f"127.0.0.1:{self.port}", "--results", self.results,
                              "--sandbox", "--", *lab.nginx({"/1024": 1024}), "-g", "daemon off;")

    def page(self):
        """The page, once the emulator listens."""
        def get():
            try:
                return samples(page(self.port))
            except (urllib.error.URLError, ConnectionError):
                return None
        return wait_until(get, 10, "the page")

    def test_counts_what_the_results_have(self):
        web, probe = ("workload", "web"), ("workload", "probe")
        first = wait_until(lambda: (p := self.page())[("anml_transactions_total", (web,))] > 50 and p, 20, "transactions")
        # Somebody who connects and says nothing keeps nobody else from reading for long, and never the run.
        silent = socket.create_connection(("127.0.0.1", self.port))
        began = time.monotonic()
        text = page(self.port)
        self.assertLess(time.monotonic() - began, 4)
        second = samples(text)
        silent.close()
        for name in ("anml_transactions_total", "anml_echoes_received_total"):
            label = web if "trans" in name else probe
            self.assertGreater(second[(name, (label,))], first[(name, (label,))] if label == web else 0)
        self.assertEqual(second[("anml_model_info", (("model", "Metrics"), ("version", "0.1.0")))], 1)
        self.live.stop()
        done = json.loads(self.results.read_text())
        workload = next(w for w in done["workloads"] if w["name"] == "web")
        self.assertGreaterEqual(workload["transactions"]["completed"], second[("anml_transactions_total", (web,))])
        self.assertGreaterEqual(done["live"]["released"], second[("anml_packets_released_total", ())])
        mean = second[("anml_response_time_seconds_sum", (web,))] / second[("anml_response_time_seconds_count", (web,))]
        self.assertAlmostEqual(mean, workload["response_time_seconds"]["mean"], delta=mean / 2)
        self.assertGreater(mean, 0.008)  # a handshake and a response over 4 ms each

    def test_a_client_that_trickles(self):
        """It is given up after half a second, and the run ends in time."""
        self.page()
        with socket.create_connection(("127.0.0.1", self.port)) as slow:
            with self.assertRaises(OSError):
                for _ in range(50):
                    slow.sendall(b"G")
                    time.sleep(0.1)
        slow = socket.create_connection(("127.0.0.1", self.port))
        began = time.monotonic()
        self.assertEqual(self.live.stop(), 130, self.live.output())
        self.assertLess(time.monotonic() - began, 15)
        slow.close()
        self.assertTrue(self.results.exists())

    def test_other_questions(self):
        self.page()
        with self.assertRaises(urllib.error.HTTPError) as raised:
            page(self.port, "/else")
        self.assertEqual(raised.exception.code, 404)
        for text, status in ((b"POST /metrics HTTP/1.1\r\n\r\n", b"405"), (b"\x00\xff" * 9000, b"405"), (b"GET", b"405")):
            with socket.create_connection(("127.0.0.1", self.port)) as client:
                answer = b""
                try:
                    client.sendall(text)
                    client.shutdown(socket.SHUT_WR)
                    while more := client.recv(4096):
                        answer += more
                except OSError:  # it had answered, and does not read the rest
                    continue
                self.assertTrue(answer.startswith(b"HTTP/1.1 " + status), answer)
        self.page()

    def test_a_port_that_is_taken(self):
        self.page()
        done = run(self.emulator, "live", "--metrics", f"127.0.0.1:{self.port}", "--sandbox", "--", "true", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"error: --metrics: cannot listen on 127.0.0.1 port {self.port}: Address already in use", done.stderr)


if __name__ == "__main__":
    unittest.main()
