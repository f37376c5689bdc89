"""Real servers that end responses and connections in every way: what the clients make of it, beside what curl does."""
import json
import pathlib
import socket
import sys
import unittest

from netlab import Lab, run, wait_until

SERVER = pathlib.Path(__file__).with_name("misbehaving_server.py")

MODEL = """
import std.ether
import std.web
model Fetch(think: time = 20 ms) {
  endpoint server { simulated = web.event_driven() }
  router gate
  host client[CLIENTS]
  link desk: client[*] -- gate : ether.fast
  link entry: gate -- server : ether.gigabit { delay = 5 ms }
  workload fetch : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(1 KB), think = think ATTRIBUTES
  }
  run { duration = 4 s, warmup = 1 s }
}
"""

# By the server's way: curl's exit status (8: it takes no folded length, as RFC 9112 lets it; 18: shorter than announced, 52: an empty reply, 56: receiving failed or broken
# chunks, 1: no HTTP), and what our transactions come to.
COMPLETED = {
    "close": (0, 200), "late": (0, 200), "never": (0, 200), "rst": (0, 200), "unframed": (0, 200), "chunked": (0, 200),
    "both": (0, 200), "interim": (0, 200), "folded": (8, 200), "empty": (0, 204), "redirect": (0, 301), "small": (0, 200),
}
FAILED = {
    "error": (0, "status"), "short": (18, "truncated"), "short-chunks": (18, "truncated"), "bad-chunks": (56, "truncated"),
    "nothing": (52, "truncated"), "unframed-rst": (56, "reset"), "other": (1, "status"),
}


class Responses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = Lab()
        cls.addClassCleanup(cls.lab.close)
        cls.emulator = cls.lab.compile(MODEL.replace("CLIENTS", "8").replace("ATTRIBUTES", ""))

    def fetch(self, *way, emulator=None, seconds=4, status=None):
        """The results of a run against the server, and what it printed."""
        file = self.lab.folder / "results.json"
        done = run(emulator or self.emulator, "live", "--for", f"{seconds}s", "--results", file, "--sandbox", "--", sys.executable, SERVER,
                   80, *way, timeout=60, check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(file.read_text()), done.stdout

    def curl(self, way):
        """Its exit status, the HTTP status and the size of the body; on the loopback."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = self.lab.start(sys.executable, SERVER, port, way)
        wait_until(lambda: run("curl", "-s", "-m", "5", "-o", "/dev/null", f"http://127.0.0.1:{port}/", check=False).returncode != 7, 10,
                   "the server")
        done = run("curl", "-s", "-m", "5", "--http1.0", "-o", "/dev/null", "-w", "%{http_code} %{size_download} %{time_total}",
                   f"http://127.0.0.1:{port}/1024", check=False)
        server.stop()
        code, size, seconds = done.stdout.split()
        return done.returncode, int(code), int(size), float(seconds)

    def test_what_is_whole_is_completed(self):
        for way, (exit_status, code) in COMPLETED.items():
            with self.subTest(way):
                # Other work on the machine makes the server slow: a moment of it is worth two more tries.
                for _ in range(3):
                    results, text = self.fetch(way, status=0)
                    transactions = results["transactions"]
                    if transactions["completed"] > 200 and results["response_time_seconds"]["median"] < 0.06:
                        break
                self.assertEqual(transactions["failed"], 0, text)
                self.assertEqual(transactions["by_status"], {str(code): transactions["completed"]})
                # 8 clients, 20 ms of thinking, two round trips of 10 ms: none waits for the server's close, unless it has to.
                self.assertGreater(transactions["completed"], 200)
                self.assertLess(results["response_time_seconds"]["median"], 0.06)
                found = self.curl(way)
                self.assertEqual(found[:2], (exit_status, code))
                # A redirect need not be of the model's size, everything else that has succeeded should.
                unexpected = exit_status == 0 and found[2] != 1024 and code < 300
                self.assertEqual(transactions["unexpected_size"], transactions["completed"] if unexpected else 0)
                if unexpected:
                    self.assertEqual(transactions["first_unexpected_size"], {"path": "/1024", "bytes": found[2], "expected": 1024})
                    self.assertIn("unexpected size", text)
                if code != 200:
                    self.assertIn(f"with {code}", text)

    def test_what_is_not_has_failed(self):
        for way, (exit_status, cause) in FAILED.items():
            with self.subTest(way):
                results, _ = self.fetch(way, status=1)
                transactions = results["transactions"]
                self.assertEqual(transactions["completed"], 0)
                self.assertGreater(transactions["failed"], 10)
                self.assertEqual(transactions["failed_by_cause"][cause], transactions["failed"])
                self.assertGreater(transactions["failed_after_seconds"][cause]["min"], 0.02)
                self.assertLess(transactions["failed_after_seconds"][cause]["mean"], 0.4)
                self.assertEqual(self.curl(way)[0], exit_status)

    def test_until_the_close(self):
        """Clients that read until the server closes take as long as it waits; with `never` they hang."""
        closed = self.lab.compile(MODEL.replace("CLIENTS", "8").replace("ATTRIBUTES", ", until = closed"), name="closed")
        results, _ = self.fetch("late", emulator=closed, status=0)
        self.assertAlmostEqual(results["response_time_seconds"]["mean"], 0.32, delta=0.04)
        results, text = self.fetch("never", emulator=closed, status=1)
        self.assertEqual(results["transactions"]["in_progress"], 8)
        self.assertIn("hangs", results["error"])
        self.assertRegex(text, r"max > (3\.[5-9]|4)")

    def test_a_server_that_freezes(self):
        """For the last 6 of 10 s: 8 clients hang, and the percentiles say what is known of them."""
        results, text = self.fetch("close", 4, seconds=10, status=0)
        transactions, times = results["transactions"], results["response_time_seconds"]
        self.assertEqual(transactions["failed"], 0)
        self.assertEqual(transactions["in_progress"], 8)
        self.assertAlmostEqual(transactions["open_seconds"]["oldest"], 6, delta=0.3)
        self.assertAlmostEqual(transactions["open_seconds"]["median"], 6, delta=0.3)
        self.assertRegex(text, r"8 open at the end \(for (5.[89]|6)\S* s, the oldest for (5.[89]|6)")
        self.assertIsNone(times["max"])
        self.assertAlmostEqual(times["at_least"]["max"], 6, delta=0.3)
        self.assertRegex(text, r"max > (5.[89]|6)")
        self.assertIn("censored", text)
        self.assertEqual(sum(results["series"]["completed"][6:]), 0)

    def test_beside_nginx_and_ab(self):
        """The same requests, one after the other, of ab on the loopback and of a client: as many bytes a response, none of another size."""
        command = self.lab.nginx({"/1024": 1024})
        file = self.lab.folder / "nginx.json"
        run(self.emulator, "live", "--results", file, "--sandbox", "--", *command, timeout=60)
        ours = json.loads(file.read_text())["transactions"]
        self.assertEqual(ours["failed"] + ours["unexpected_size"], 0)
        self.assertEqual(ours["by_status"], {"200": ours["completed"]})
        space = self.lab.namespace("ab")
        self.lab.start(*command, "-g", "daemon off;", space=space)
        wait_until(lambda: self.lab.run_in(space, "curl", "-s", "-o", "/dev/null", "http://127.0.0.1/1024", check=False).returncode == 0, 10,
                   "nginx")
        report = self.lab.run_in(space, "ab", "-q", "-n", 200, "http://127.0.0.1/1024").stdout
        said = {key.strip(): value.split()[0] for key, _, value in (line.partition(":") for line in report.splitlines()) if value}
        self.assertEqual(said["Failed requests"], "0")
        self.assertEqual(ours["response_bytes"] / ours["completed"], int(said["Total transferred"]) / 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
