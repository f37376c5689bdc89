"""The API of a live run by HTTP (`--api`): that it answers what `ctl` does, whom it answers, and a suite of somebody's service with pytest's
fixture `anml_wire`."""
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
import unittest

from netlab import ANMLC, BUSY, ROOT, Lab, run, wait_until

MODEL = """
import std.traffic

model Asked(tunable extra: time in 0 s .. 1 s = 1 ms) {
  endpoint a { address = 10.1.0.1 }
  host pc[2]
  router r
  link line: a -- r { rate = 1 Gbps, delay = 10 ms, loss = 1 % }
  link side: pc[*] -- r { rate = 10 Mbps, delay = extra }
  workload ticks : traffic.Cbr on pc[0] { to = pc[1], rate = 800 Kbps }
  run { duration = 100 s }
}
"""
TOKEN = "0123456789abcdef-token"


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.compiled = Lab()
        cls.emulator = cls.compiled.compile(MODEL)

    @classmethod
    def tearDownClass(cls):
        cls.compiled.close()

    def begin(self, *options, token=TOKEN, command=("sleep", "100")):
        self.lab = lab = Lab()
        self.addCleanup(lab.close)
        self.socket = lab.folder / "control"
        environment = {**os.environ, **({"ANML_API_TOKEN": token} if token else {})}
        words = [self.emulator, "live", "--control", self.socket, "--api", "127.0.0.1:0", *options, "--sandbox", "a", "--", *command]
        self.live = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=open(lab.folder / "said", "wb"), env=environment)
        self.addCleanup(self.live.wait)
        self.addCleanup(self.live.terminate)
        self.port = int(wait_until(lambda: re.search(r"^control API at http://127.0.0.1:(\d+)/v1", self.said(), re.M), 20, "the address")[1])

    def said(self):
        return (self.lab.folder / "said").read_text()

    def ask(self, method, path, body=None, token=TOKEN, **fields):
        """The status, the head, and what JSON says."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        if body is not None:
            fields.setdefault("Content_Type", "application/json")
        head = {name.replace("_", "-"): value for name, value in fields.items()}
        if token:
            head["Authorization"] = f"Bearer {token}"
        connection.request(method, path, body if body is None or isinstance(body, str) else json.dumps(body), head)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, json.loads(text) if text else None

    def refused(self, status, *words, **others):
        got, head, problem = self.ask(*words, **others)
        self.assertEqual((got, head["Content-Type"], problem["status"]), (status, "application/problem+json", status), problem)
        self.assertNotIn("Access-Control-Allow-Origin", head)
        return head, problem["detail"]

    def raw(self, text):
        """The first line of what is answered to these bytes, "" if nothing is."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as client:
            client.sendall(text)
            return b"".join(iter(lambda: client.recv(65536), b"")).split(b"\r\n")[0].decode()

    def ctl(self, *words):
        return run(self.emulator, "ctl", "--control", self.socket, *words).stdout

    def test_answers_what_ctl_does(self):
        self.begin()
        status, head, asked = self.ask("GET", "/v1/run")
        listed = json.loads(self.ctl("list", "--json"))
        self.assertEqual((status, head["Content-Type"]), (200, "application/json"))
        self.assertEqual({**asked, "seconds": 0}, {**listed, "seconds": 0})
        for part in ("endpoints", "links", "workloads", "tunables", "changes"):
            self.assertEqual(self.ask("GET", f"/v1/{part}")[2], listed[part])
        self.assertEqual(self.ask("GET", "/v1/workloads/ticks")[2], {"name": "ticks", "on": True, "active": 1})
        self.assertEqual(self.ask("HEAD", "/v1/run")[::2], (200, None))
        place = self.ask("GET", "/v1/sandboxes")[2]
        self.assertEqual([one["endpoint"] for one in place], ["a"])
        self.assertEqual(self.ask("GET", "/v1/sandboxes/a")[2], place[0])

        changed = self.ask("PATCH", "/v1/links/line%3E", {"delay": "50ms", "loss": 0.25})[2]
        self.assertEqual(changed["what"], "link line> delay=50ms,loss=0.25")
        there, back = self.ask("GET", "/v1/links/line")[2]["directions"]
        self.assertEqual((there["delay"], there["loss"], back["delay"], back["loss"]), ("50 ms", 0.25, "10 ms", 0.01))
        self.assertEqual(self.ask("PATCH", "/v1/links/side%5B1%5D", {"up": False})[2]["note"], "routes stay as they are")
        self.assertEqual([link["up"] for link in self.ask("GET", "/v1/links/side")[2]["directions"]], [True, True, False, False])
        self.ask("PATCH", "/v1/tunables/extra", {"value": "3 ms"})
        self.assertEqual(self.ask("GET", "/v1/tunables/extra")[2]["value"], "3 ms")
        self.ask("PATCH", "/v1/workloads/ticks", {"on": False})
        self.ctl("workload", "ticks", "start")
        what = [change["what"] for change in self.ask("GET", "/v1/changes")[2]]
        self.assertEqual(what, ["link line> delay=50ms,loss=0.25", "link side[1] down", "set extra=3 ms", "workload ticks stop", "workload ticks start"])
        self.assertIn("link line> delay=50ms,loss=0.25", self.ctl("list"))

    def test_refuses(self):
        self.begin()
        self.assertIn("did you mean `line`", self.refused(404, "GET", "/v1/links/lime")[1])
        self.assertIn("no such link", self.refused(404, "PATCH", "/v1/links/nowhere", {"delay": "1 ms"})[1])
        self.refused(404, "PATCH", "/v1/workloads/nobody", {"on": True})
        self.refused(404, "PATCH", "/v1/tunables/nothing", {"value": 1})
        self.refused(404, "GET", "/v1/sandboxes/b")
        self.refused(404, "GET", "/v1/watch?link=nowhere")
        self.assertIn("not a unit", self.refused(400, "PATCH", "/v1/links/line", {"delay": "5 parsecs"})[1])
        self.refused(400, "PATCH", "/v1/links/line", {"delays": "5 ms"})
        self.refused(400, "PATCH", "/v1/links/line", "{")
        self.refused(415, "PATCH", "/v1/links/line", {"delay": "5 ms"}, Content_Type="text/plain")
        self.refused(400, "GET", "/v1/capture")
        self.assertEqual(self.refused(405, "DELETE", "/v1/links/line")[0]["Allow"], "GET, HEAD, PATCH")
        self.refused(413, "PATCH", "/v1/links/line", "x" * 5000)
        # Who it is.
        for token in (None, "", TOKEN[:-1], TOKEN + "x", TOKEN.upper()):
            self.assertEqual(self.refused(401, "GET", "/v1/run", token=token)[0]["WWW-Authenticate"], "Bearer")
        self.refused(421, "GET", "/v1/run", Host="evil.example")
        self.refused(421, "GET", "/v1/run", Host=f"127.0.0.1.evil.example:{self.port}")
        self.refused(403, "GET", "/v1/run", Origin="http://127.0.0.1:3000")
        self.assertEqual(self.ask("OPTIONS", "/v1/links/line", Origin="http://evil.example", Access_Control_Request_Method="PATCH")[0], 403)
        self.assertEqual(self.ask("GET", "/v1/run", Host=f"localhost:{self.port}")[0], 200)
        # What is no request.
        self.assertEqual(self.raw(b"list\r\n\r\n"), "HTTP/1.1 400 Bad Request")
        self.assertEqual(self.raw(b"GET /v1/run HTTP/1.1\r\nHost: a\r\nx: " + b"x" * 9000), "HTTP/1.1 431 Request Header Fields Too Large")
        self.assertEqual(self.raw(b"GET /" + b"x" * 100000), "HTTP/1.1 414 URI Too Long")
        self.assertEqual(self.raw(b"GET /v1/run HTTP/1.0\r\n\r\n"), "HTTP/1.1 505 HTTP Version Not Supported")
        self.assertEqual(self.ask("GET", "/v1/run")[2]["changes"], [])

    def test_what_the_run_does_not_take(self):
        self.begin("--no-workload")
        self.assertIn("--no-workload", self.refused(409, "PATCH", "/v1/workloads/ticks", {"on": False})[1])

    def test_clients_that_hold_it_up(self):
        self.begin()
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(16)]
        time.sleep(0.3)
        self.refused(503, "GET", "/v1/run")
        self.assertIn("Asked, process", self.ctl("list"))  # its socket has places of its own
        for client in silent[:8]:
            client.close()
        wait_until(lambda: self.ask("GET", "/v1/run")[0] == 200, 5, "a place")
        silent[8].settimeout(15 * BUSY)
        self.assertEqual(silent[8].recv(1), b"")  # after ten seconds
        for client in silent[8:]:
            client.close()

    def test_streams(self):
        self.begin()
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", "/v1/watch?seconds=0.1", headers={"Authorization": f"Bearer {TOKEN}"})
        self.assertEqual(len([json.loads(line) for line in connection.getresponse()]), 1)  # one at least
        began = time.monotonic()
        connection.request("GET", "/v1/watch?link=side%5B0%5D%3E&seconds=2.5", headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        self.assertEqual(answer.headers["Content-Type"], "application/x-ndjson")
        seen = [json.loads(line) for line in answer]
        self.assertTrue(2.5 <= time.monotonic() - began < 5 * BUSY)
        self.assertAlmostEqual(seen[-1]["links"][0]["bits_per_second"], 8e5, delta=1e5)
        connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", "/v1/capture?link=side%5B0%5D&seconds=1", headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        self.assertEqual(answer.headers["Content-Type"], "application/x-pcapng")
        capture = self.lab.folder / "side.pcapng"
        capture.write_bytes(answer.read())
        connection.close()
        counted = run("tshark", "-r", capture, "-T", "fields", "-e", "frame.interface_name").stdout.split()
        self.assertEqual(set(counted), {"side[0]>"})
        self.assertGreater(len(counted), 20)
        # The end of the run ends a stream as it should be.
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", "/v1/watch", headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        answer.readline()
        self.live.terminate()
        for line in answer:
            json.loads(line)
        connection.close()

    def test_the_token(self):
        self.begin(token=None, command=("sh", "-c", "env; sleep 100"))
        token = re.search(r", token ([0-9a-f]{32})$", self.said(), re.M)[1]
        self.assertEqual(self.ask("GET", "/v1/run", token=token)[0], 200)
        self.begin(command=("sh", "-c", "env >&2; cat /proc/*/environ >&2; echo PATH=done >&2; sleep 100"))
        wait_until(lambda: "PATH=done" in self.said(), 10, "the environment")
        self.assertNotIn(TOKEN, self.said())
        environment = {**os.environ, "ANML_API_TOKEN": "short"}
        for words, status, why in ((("--api", "127.0.0.1:0"), 1, "a token has from 16"), (("--api", "here"), 2, "--api `here`: write it as ADDRESS:PORT"),
                                   (("--api", "203.0.113.1:80"), 1, "ANML_API_TOKEN")):
            done = subprocess.run([self.emulator, "live", *words, "--sandbox", "a", "--", "true"], capture_output=True, text=True, env=environment)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(why, done.stderr)

    def test_ends_the_run(self):
        """As an interrupt does, by either way: with results."""
        for ways in (lambda: self.ask("POST", "/v1/stop")[2]["what"], lambda: json.loads(self.ctl("stop", "--json"))["what"]):
            results = self.compiled.folder / "ended.json"
            results.unlink(missing_ok=True)
            self.begin("--results", results)
            self.assertEqual(ways(), "stop")
            self.assertEqual(self.live.wait(20), 130)
            self.assertTrue(json.loads(results.read_text())["interrupted"])

    def test_its_document(self):
        """It describes each path that answers, and makes requests of itself."""
        self.begin()
        document = self.ask("GET", "/v1/openapi.json")[2]
        for path, methods in document["paths"].items():
            if "{name}" not in path and path not in ("/v1/watch", "/v1/capture", "/v1/stop"):
                self.assertEqual(self.ask("GET", path)[0], 200, path)
            self.assertEqual("get" in methods, path != "/v1/stop")
        attributes = document["components"]["schemas"]["LinkChange"]["properties"]
        self.assertEqual(set(attributes), {"up", "rate", "delay", "queue", "loss", "corrupt", "duplicate", "jitter"})
        here = self.lab.folder / "openapi.json"
        here.write_text(json.dumps(document))
        made = run(ANMLC, "import", here, "-o", self.lab.folder / "api.http")
        text = (self.lab.folder / "api.http").read_text()
        self.assertIn("/v1/run", text, made.stderr)

    def test_a_suite_of_somebody(self):
        """tests/live/wire_suite: a service behind `anmlc proxy`, whose latency rises by what is changed."""
        has = [python for python in (sys.executable, "/usr/bin/python3") if run(python, "-c", "import pytest", check=False).returncode == 0]
        if not has:
            self.skipTest("there is no pytest")
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings/python/src"), "ANMLC": str(ANMLC)}
        done = subprocess.run([has[0], "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "anml.pytest_plugin", ROOT / "tests/live/wire_suite"],
                              capture_output=True, text=True, env=environment, timeout=240)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("3 passed", done.stdout)


if __name__ == "__main__":
    unittest.main()
