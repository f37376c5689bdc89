"""The page of a live run's figures: what Prometheus' own reader makes of it, beside the results."""
import http.server
import json
import os
import re
import shutil
import socket
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from netlab import ROOT, Lab, run, wait_until

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
  workload shop : web.ClosedLoop on client[0 .. 3] { server = server, documents = web.requests("SHOP"), think = constant(20 ms) }
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
        (lab.folder / "shop.http").write_text("### front \\ \"page\"\nGET /1024\n?? size == 1024\n?? size < 9\n### again\nGET /1024\n?? status == 200\n### gone\nGET /nowhere\n")
        self.emulator = lab.compile(MODEL.replace("SHOP", str(lab.folder / "shop.http")), "-O0")
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

    def test_requests(self):
        """Each request's counts are those of the results, or of shortly before; its quantiles are near the results'; and each check has its counts."""
        front, again, gone = ((("request", name), ("workload", "shop")) for name in ('front \\ "page"', "again", "gone"))
        seen = wait_until(lambda: (p := self.page())[("anml_requests_total", again)] > 100 and p, 30, "requests")
        self.assertEqual(seen[("anml_requests_total", front)], 0)
        self.assertEqual(seen[("anml_request_seconds_count", again)], seen[("anml_requests_total", again)])
        self.live.stop()
        done = json.loads(self.results.read_text())
        groups = {(("request", g["name"]), ("workload", g["workload"])): g for g in done["groups"]["workload_request"]}
        self.assertEqual(set(groups), {front, again, gone})
        for labels, of in groups.items():
            for name, key in (("anml_requests_total", "completed"), ("anml_request_failures_total", "failed")):
                self.assertTrue(0 <= of[key] - seen[(name, labels)] <= 4 * 60, (labels, key, of[key], seen[(name, labels)]))
        took = groups[again]["response_time_seconds"]
        for share, key in (("0.5", "median"), ("0.95", "p95"), ("0.99", "p99")):
            quantile = seen[("anml_request_seconds", tuple(sorted((("quantile", share), *again))))]
            if took[key] is not None:  # of too few
                self.assertTrue(took[key] / 2 < quantile < 2 * took[key], (key, quantile, took[key]))
        self.assertFalse([labels for name, labels in seen if name == "anml_request_seconds" and ("request", "gone") in labels])  # none succeeded
        counted = {check["check"]: (check["passed"], check["failed"]) for check in groups[front]["checks"]}
        self.assertEqual(counted, {"size == 1024": (groups[front]["failed"], 0), "size < 9": (0, groups[front]["failed"])})
        self.assertEqual(groups[again]["checks"], [{"check": "status == 200", "passed": groups[again]["completed"], "failed": 0}])
        self.assertNotIn("checks", groups[gone])

    def test_what_the_dashboard_asks_for(self):
        """docs/grafana.json: each panel's figures are on the page. With ANML_ALL Prometheus, where it is, has values for each."""
        panels = json.loads((ROOT / "docs/grafana.json").read_text())["panels"]
        asked = {target["expr"] for panel in panels for target in panel["targets"]}
        here = wait_until(lambda: (names := {name for name, _ in self.page()}) >= {"anml_request_seconds"} and names, 20, "quantiles")
        for expression in asked:
            self.assertLessEqual(set(re.findall(r"anml_\w+", expression)), here, expression)
        if not os.environ.get("ANML_ALL") or not shutil.which("prometheus"):
            return
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        (self.lab.folder / "prometheus.yml").write_text(json.dumps({"scrape_configs": [
            {"job_name": "anml", "scrape_interval": "1s", "static_configs": [{"targets": [f"127.0.0.1:{self.port}"]}]}]}))
        self.lab.start("prometheus", f"--config.file={self.lab.folder}/prometheus.yml", f"--storage.tsdb.path={self.lab.folder}/data",
                       f"--web.listen-address=127.0.0.1:{port}")

        def value(expression):
            expression = expression.replace("$__rate_interval", "5s").replace('"$job"', '".+"')
            url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
            try:
                return json.loads(urllib.request.urlopen(url, timeout=5).read())["data"]["result"]
            except (urllib.error.URLError, ConnectionError):
                return None
        for expression in asked:
            if "failures" not in expression:  # none, so that nothing is above 0
                wait_until(lambda: value(expression), 20, expression)
            self.assertIsNotNone(value(expression), expression)

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

    def test_pushes_to_a_collector(self):
        """Cumulative sums of the results, in what the encoding of OTLP has; a collector that refuses or is away is named once."""
        bodies, statuses = [], [200, 503, 503]

        class Collector(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                assert (self.path, self.headers["Content-Type"]) == ("/v1/metrics", "application/json")
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(statuses.pop(0) if statuses else 200)
                self.end_headers()

            def log_message(self, *_):
                pass

        collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        self.addCleanup(collector.server_close)
        self.addCleanup(collector.shutdown)
        results = self.lab.folder / "pushed.json"
        pushed = self.lab.start(self.emulator, "live", "--otlp", f"http://127.0.0.1:{collector.server_port}", "--results", results,
                                "--sandbox", "--", *self.lab.nginx({"/1024": 1024}), "-g", "daemon off;")
        away = self.lab.start(self.emulator, "live", "--otlp", "http://127.0.0.1:1/else", "--results", self.lab.folder / "away.json",
                              "--sandbox", "--", *self.lab.nginx({"/1024": 1024}), "-g", "daemon off;")
        wait_until(lambda: len(bodies) == 3, 30, "three pushes")
        self.assertEqual(pushed.stop(), 130, pushed.output())
        self.assertEqual(away.stop(), 130, away.output())
        self.assertEqual(pushed.output().count("has not taken the figures: it answers 503 Service Unavailable"), 1, pushed.output())
        self.assertEqual(away.output().count("http://127.0.0.1:1/else has not taken the figures: Connection refused"), 1, away.output())
        self.assertEqual(len(bodies), 4)  # the last one is of the end
        first, last = (json.loads(body)["resourceMetrics"][0] for body in (bodies[0], bodies[-1]))
        self.assertIn({"key": "anml.model", "value": {"stringValue": "Metrics"}}, last["resource"]["attributes"])
        before, after = ({m["name"]: m for m in whole["scopeMetrics"][0]["metrics"]} for whole in (first, last))
        done = json.loads(results.read_text())
        web = next(w for w in done["workloads"] if w["name"] == "web")
        point = after["anml_transactions"]["sum"]["dataPoints"][0]
        self.assertEqual(point["attributes"], [{"key": "workload", "value": {"stringValue": "web"}}])
        self.assertEqual(point["asDouble"], web["transactions"]["completed"])
        self.assertLess(before["anml_transactions"]["sum"]["dataPoints"][0]["asDouble"], point["asDouble"])
        self.assertEqual((after["anml_transactions"]["sum"]["aggregationTemporality"], after["anml_transactions"]["sum"]["isMonotonic"]), (2, True))
        times = after["anml_response_time_seconds"]["summary"]["dataPoints"][0]
        self.assertEqual(times["count"], str(web["transactions"]["completed"]))
        self.assertAlmostEqual(times["sum"] / point["asDouble"], web["response_time_seconds"]["mean"], delta=1e-6)
        self.assertEqual((after["anml_response_time_seconds"]["unit"], after["anml_request_bytes"]["unit"]), ("s", "By"))
        self.assertGreater(int(point["timeUnixNano"]), int(point["startTimeUnixNano"]))
        requests = {p["attributes"][1]["value"]["stringValue"]: p["asDouble"] for p in after["anml_requests"]["sum"]["dataPoints"]}
        self.assertEqual(requests, {g["name"]: g["completed"] for g in done["groups"]["workload_request"]})
        again = after["anml_request_seconds"]["summary"]["dataPoints"][1]
        self.assertEqual((again["count"], [q["quantile"] for q in again["quantileValues"]]), (str(int(requests["again"])), [0.5, 0.95, 0.99]))
        try:  # OpenTelemetry's own descriptions, from PyPI: an unknown field is an error
            from google.protobuf import json_format
            from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
        except ImportError:
            return
        for body in bodies:
            json_format.Parse(body, ExportMetricsServiceRequest())

    def test_collectors_that_are_none(self):
        for url, said in (("https://a:4318", "figures leave without TLS"), ("http://a", "write it as http://HOST:PORT"), ("ftp://a:1", "write it as http://HOST:PORT"),
                          ("http://nowhere.invalid:4318", "`nowhere.invalid` has no address")):
            done = run(self.emulator, "live", "--otlp", url, "--sandbox", "--", "true", check=False)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(said, done.stderr)

    def test_a_port_that_is_taken(self):
        self.page()
        done = run(self.emulator, "live", "--metrics", f"127.0.0.1:{self.port}", "--sandbox", "--", "true", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"error: --metrics: cannot listen on 127.0.0.1 port {self.port}: Address already in use", done.stderr)


if __name__ == "__main__":
    unittest.main()
