"""Real servers that end responses and connections in every way: what the clients make of it, beside what curl does."""
import json
import pathlib
import sys
import unittest

from netlab import Lab, run, wait_until

SERVER = pathlib.Path(__file__).with_name("misbehaving_server.py")

MODEL = """
import std.ether
import std.web
model Fetch {
  endpoint server
  router gate
  host client[CLIENTS]
  link desk: client[*] -- gate : ether.fast
  link entry: gate -- server : ether.gigabit { delay = 5 ms }
WORKLOADS
  run { duration = 60 s, warmup = 500 ms }
}
"""
PORT = 9001
EACH = 2  # clients

# By the server's way: curl's exit status (8: it takes no folded length, as RFC 9112 lets it; 18: shorter than announced, 52: an empty reply, 56: receiving failed or broken
# chunks, 1: no HTTP), and what our transactions come to.
COMPLETED = {
    "close": (0, 200), "late": (0, 200), "never": (0, 200), "rst": (0, 200), "unframed": (0, 200), "chunked": (0, 200),
    "both": (0, 200), "interim": (0, 200), "folded": (8, 200), "empty": (0, 204), "redirect": (0, 301), "small": (0, 200),
}
FAILED = {
    "error": (0, "status"), "short": (18, "truncated"), "short-chunks": (18, "truncated"), "bad-chunks": (56, "truncated"),
    "nothing": (52, "truncated"), "unframed-rst": (56, "reset"), "other": (1, "status"), "other-open": (1, "status"),
}


def model(ways, attributes=""):
    """A workload for each way, which has a port of its own."""
    workloads = (f"  workload {way.replace('-', '_')} : web.ClosedLoop on client[{EACH * i} ..< {EACH * (i + 1)}] "
                 f"{{ server = server, port = {PORT + i}, documents = web.fixed(1 KB), think = 20 ms {attributes} }}" for i, way in enumerate(ways))
    return MODEL.replace("CLIENTS", str(EACH * len(ways))).replace("WORKLOADS", "\n".join(workloads))


class Responses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = Lab()
        cls.addClassCleanup(cls.lab.close)

    def fetch(self, ways, *command, seconds=3, status=0, attributes=""):
        """The results of a run against the server, those of each way, and what the run printed."""
        emulator = self.lab.compile(model([way.split(":")[0] for way in ways], attributes), name=f"emu{len(list(self.lab.folder.glob('*.anml')))}")
        file = self.lab.folder / "results.json"
        done = run(emulator, "live", "--for", f"{seconds}s", "--results", file, "--sandbox", "--",
                   *(command or (sys.executable, SERVER, PORT, *ways)), timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        results = json.loads(file.read_text())
        return results, dict(zip(ways, results["workloads"])), done.stdout

    def curl(self, ways):
        """By way, curl's exit status, the HTTP status and the size of the body, without an emulator."""
        space, found = self.lab.namespace(f"curl{len(self.lab.namespaces)}"), {}
        self.lab.start(sys.executable, SERVER, PORT, *ways, space=space)
        wait_until(lambda: len(self.lab.run_in(space, "ss", "-ltnH").stdout.splitlines()) == len(ways), 20, "the server")
        for i, way in enumerate(ways):
            done = self.lab.run_in(space, "curl", "-s", "-m", "20", "--http1.0", "-o", "/dev/null", "-w", "%{http_code} %{size_download}",
                                   f"http://127.0.0.1:{PORT + i}/1024", check=False)
            found[way] = done.returncode, *map(int, done.stdout.split())
        return found

    def test_what_is_whole_is_completed(self):
        _, found, text = self.fetch(COMPLETED)
        by_curl = self.curl(COMPLETED)
        self.assertIn("unexpected size", text)
        for way, (exit_status, code) in COMPLETED.items():
            with self.subTest(way):
                transactions = found[way]["transactions"]
                self.assertEqual(transactions["failed"], 0, text)
                self.assertEqual(transactions["by_status"], {str(code): transactions["completed"]})
                # 20 ms of thinking, two round trips of 10 ms: none waits for the server's close, which comes after 300 ms or never.
                self.assertGreater(transactions["completed"], 10)
                self.assertLess(found[way]["response_time_seconds"]["median"], 0.2)
                self.assertEqual(by_curl[way][:2], (exit_status, code))
                # A redirect need not be of the model's size, everything else that has succeeded should.
                size = by_curl[way][2]
                unexpected = exit_status == 0 and size != 1024 and code < 300
                self.assertEqual(transactions["unexpected_size"], transactions["completed"] if unexpected else 0)
                if unexpected:
                    self.assertEqual(transactions["first_unexpected_size"], {"path": "/1024", "bytes": size, "expected": 1024})
                if code != 200:
                    self.assertIn(f"with {code}", text)

    def test_what_is_not_has_failed(self):
        _, found, _ = self.fetch(FAILED, status=1)
        by_curl = self.curl(FAILED)
        for way, (exit_status, cause) in FAILED.items():
            with self.subTest(way):
                transactions = found[way]["transactions"]
                self.assertEqual(transactions["completed"], 0)
                self.assertGreater(transactions["failed"], 4)
                self.assertEqual(transactions["failed_by_cause"][cause], transactions["failed"])
                self.assertGreater(transactions["failed_after_seconds"][cause]["min"], 0.02)
                self.assertLess(transactions["failed_after_seconds"][cause]["mean"], 0.4)
                self.assertEqual(by_curl[way][0], exit_status)

    def test_until_the_close(self):
        """Clients that read until the server closes take as long as it waits; with `never` they hang."""
        results, _, _ = self.fetch(["late"], attributes=", until = closed")
        self.assertGreaterEqual(results["response_time_seconds"]["mean"], 0.32)
        self.assertLess(results["response_time_seconds"]["mean"], 1)  # a busy machine adds up
        results, _, text = self.fetch(["never"], attributes=", until = closed", seconds=3, status=1)
        self.assertEqual(results["transactions"]["in_progress"], EACH)
        self.assertIn("hangs", results["error"])
        self.assertRegex(text, r"max > (2\.[5-9]|3)")

    def test_a_server_that_freezes(self):
        """For the last 3 of 5 s: clients hang, and the percentiles say what is known of them."""
        results, _, text = self.fetch(["close:2"], seconds=5)
        transactions, times = results["transactions"], results["response_time_seconds"]
        self.assertEqual(transactions["failed"], 0)
        self.assertEqual(transactions["in_progress"], EACH)
        self.assertAlmostEqual(transactions["open_seconds"]["oldest"], 3, delta=0.6)
        self.assertAlmostEqual(transactions["open_seconds"]["median"], 3, delta=0.6)
        self.assertRegex(text, rf"{EACH} open at the end \(for (2.[4-9]|3)\S* s, the oldest for (2.[4-9]|3)")
        self.assertIsNone(times["max"])
        self.assertAlmostEqual(times["at_least"]["max"], 3, delta=0.6)
        self.assertRegex(text, r"max > (2.[4-9]|3)")
        self.assertIn("censored", text)
        self.assertEqual(sum(results["series"]["completed"][4:]), 0)

    def test_beside_nginx_and_ab(self):
        """The same requests, one after the other, of ab on the loopback and of a client: as many bytes a response, none of another size."""
        command = self.lab.nginx({"/1024": 1024}, port=PORT)
        ours = self.fetch(["nginx"], *command)[0]["transactions"]
        self.assertEqual(ours["failed"] + ours["unexpected_size"], 0)
        self.assertEqual(ours["by_status"], {"200": ours["completed"]})
        space = self.lab.namespace("ab")
        self.lab.start(*command, "-g", "daemon off;", space=space)
        wait_until(lambda: self.lab.run_in(space, "curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{PORT}/1024", check=False).returncode == 0, 10,
                   "nginx")
        report = self.lab.run_in(space, "ab", "-q", "-n", 200, f"http://127.0.0.1:{PORT}/1024").stdout
        said = {key.strip(): value.split()[0] for key, _, value in (line.partition(":") for line in report.splitlines()) if value}
        self.assertEqual(said["Failed requests"], "0")
        self.assertEqual(ours["response_bytes"] / ours["completed"], int(said["Total transferred"]) / 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
