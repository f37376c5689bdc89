"""Real servers in the place of a tier: one that is called, and one that calls."""
import json
import unittest

from netlab import Lab, addresses, run

TIERS = """
import std.ether
import std.web
model Tiers {
  endpoint front { simulated = web.server(service = 2 ms) }
  endpoint back[2] { simulated = web.server(service = 1 ms, port = 80) }
  host client[10]
  router gate
  link client[*] -- gate : ether.fast
  link front -- gate : ether.gigabit { delay = 1 ms }
  link far: back[*] -- gate : ether.gigabit { delay = 2 ms }
  workload browse : web.OpenLoop on client[*] { server = front, documents = web.fixed(1 KB), interval = 100 ms, timeout = 10 s, requests = 1000 }
  workload look_up : web.Calls on front { to = back[*], documents = web.fixed(2 KB), timeout = 10 s }
  run { duration = 5 s }
}
"""
# A front end that asks a back for each request.
PROXY = """
import http.client, http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    backs = None
    def do_GET(self):
        if self.backs is None:
            self.backs = http.client.HTTPConnection(sys.argv[1], 80, timeout=10)
        self.backs.request("GET", "/2048")
        body = self.backs.getresponse().read()[:1024]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
http.server.ThreadingHTTPServer(("", 80), Handler).serve_forever()
"""

HANGS_UP = "import socket; s = socket.create_server(('', 80))\nwhile True: s.accept()[0].close()"


class Tiers(unittest.TestCase):
    def live(self, lab, emulator, *sandboxes):
        path = lab.folder / "live.json"
        run(emulator, "live", "--results", path, *sandboxes, timeout=60)
        results = json.loads(path.read_text())
        return results, {w["name"]: w for w in results["workloads"]}, {s["name"]: s for s in results["servers"]}

    def test_a_real_server_is_called(self):
        """nginx in the place of one of two: it has every second call, and answers as the simulated one does."""
        with Lab() as lab:
            emulator = lab.compile(TIERS, "-O0")
            results, workloads, servers = self.live(lab, emulator, "--sandbox", "back[0]", "--", *lab.nginx({"/2048": 2048}))
            calls, tries = workloads["look_up"]["calls"], workloads["look_up"]["transactions"]
            self.assertEqual(results["transactions"]["failed"] + calls["failed"], 0)
            self.assertAlmostEqual(results["transactions"]["completed"] + results["transactions"]["in_progress"], 500, delta=10)
            self.assertGreater(calls["completed"], 250)
            self.assertEqual(tries["by_status"], {"200": tries["completed"]})
            self.assertEqual(tries["unexpected_size"], 0)
            self.assertEqual(servers.keys(), {"front", "back[1]"})
            self.assertAlmostEqual(servers["back[1]"]["requests"], calls["completed"] / 2, delta=10 + calls["in_progress"])
            # Two links of 1 and 2 ms, there and back, and a server of 1 ms or less.
            self.assertGreater(workloads["look_up"]["call_time_seconds"]["median"], 0.006)
            self.assertLess(workloads["look_up"]["call_time_seconds"]["median"], 0.1)  # and what else the machine does

    def test_a_real_server_that_fails(self):
        """It closes whatever it accepts: 502, as proxies answer, of every second request."""
        with Lab() as lab:
            emulator = lab.compile(TIERS, "-O0")
            results, workloads, _ = self.live(lab, emulator, "--sandbox", "back[0]", "--", "python3", "-c", HANGS_UP)
            calls = workloads["look_up"]["calls"]
            self.assertAlmostEqual(calls["failed"], calls["completed"], delta=0.25 * calls["failed"])
            self.assertGreater(calls["failed"], 150)
            causes = workloads["look_up"]["transactions"]["failed_by_cause"]
            self.assertEqual(causes["reset"] + causes["truncated"], calls["failed"])
            self.assertEqual(results["transactions"]["by_status"]["502"], results["transactions"]["failed"])

    def test_a_real_server_calls(self):
        """A program in front of the simulated ones asks the second of them itself; the model's calls are not made."""
        with Lab() as lab:
            emulator = lab.compile(TIERS, "-O0")
            program = lab.folder / "proxy.py"
            program.write_text(PROXY)
            results, workloads, servers = self.live(lab, emulator, "--sandbox", "front", "--", "python3", program, addresses(emulator)["back[1]"])
            self.assertEqual(results["transactions"]["failed"], 0)
            self.assertGreater(results["transactions"]["completed"], 250)
            self.assertEqual(workloads["look_up"]["calls"]["completed"], 0)
            self.assertEqual(servers["back[0]"]["requests"], 0)
            self.assertAlmostEqual(servers["back[1]"]["requests"], results["transactions"]["completed"], delta=10 + results["transactions"]["in_progress"])


if __name__ == "__main__":
    unittest.main()
