"""Connections for several requests between virtual clients and a real nginx, by its access log, and between curl and a simulated server."""
import json
import unittest

from netlab import Lab, run

MODEL = """
import std.web
model Keep {
  endpoint server { simulated = web.server(port = 8080) }
  router gate
  host client[3]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
  workload browse : web.ClosedLoop on client[*] {
    server = server, port = 8080, documents = [web.fixed(1 KB), web.fixed(20 KB)], think = 2 ms, GIVEN
  }
  run { duration = 3 s }
}
"""
BETWEEN = """
import std.web
model Between {
  endpoint user
  endpoint server { simulated = web.server() }
  host client
  router gate
  link user -- gate { rate = 100 Mbps, delay = 1 ms }
  link client -- gate { rate = 100 Mbps, delay = 1 ms }
  link gate -- server { rate = 100 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on client { server = server, documents = [web.fixed(1 KB), web.fixed(200 KB)], think = 1 s, requests = 100 }
  run { duration = 60 s }
}
"""


class Nginx(unittest.TestCase):
    def fetch(self, given, settings=""):
        """The transactions of a run, and the access log's lines by connection: (number of the request on it, whether it was pipelined)."""
        with Lab() as lab:
            emulator = lab.compile(MODEL.replace("GIVEN", given))
            log = lab.folder / "access.log"
            extra = f"""
  log_format keep '$connection $connection_requests $pipe $status $request_uri';
  server {{ listen 8080 backlog=4096; root {lab.folder}/web; access_log {log} keep; {settings} }}
"""
            command = lab.nginx({"/1024": 1024, "/20480": 20480}, extra)
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", *command, timeout=60)
            transactions = json.loads((lab.folder / "r.json").read_text())["transactions"]
            connections = {}
            for line in log.read_text().splitlines():
                connection, number, pipe, status, path = line.split()
                self.assertEqual(status, "200", line)
                self.assertIn(path, ("/1024", "/20480"), line)
                connections.setdefault(connection, []).append((int(number), pipe == "p"))
        for numbers in connections.values():  # each connection's requests are one behind the other
            self.assertEqual([number for number, _ in numbers], list(range(1, len(numbers) + 1)))
        self.assertEqual(transactions["failed"], 0)
        self.assertEqual(transactions["unexpected_size"], 0)
        self.assertGreater(transactions["completed"], 100)
        # What nginx has answered and no client has seen is under way at the end; nothing is asked for twice that was answered.
        served = sum(map(len, connections.values()))
        self.assertLessEqual(transactions["completed"], served + 3)  # it writes the line behind the response, which the end may come before
        self.assertLessEqual(served, transactions["completed"] + transactions["in_progress"])
        return transactions, connections

    def test_kept(self):
        transactions, connections = self.fetch("requests = 25")
        # nginx logs a connection with its first response, which the end of the run may come before.
        self.assertIn(transactions["connections"] - len(connections), range(transactions["in_progress"] + 1))
        self.assertEqual(transactions["retried"], 0)
        # All but the last of each client have their 25.
        self.assertGreaterEqual(sum(len(each) == 25 for each in connections.values()), len(connections) - 3)
        self.assertEqual(max(map(len, connections.values())), 25)

    def test_the_server_closes_in_the_middle(self):
        transactions, connections = self.fetch("requests = 25", "keepalive_requests 10;")
        self.assertEqual(max(map(len, connections.values())), 10)
        self.assertEqual(transactions["retried"], 0)  # its tenth response says so
        self.assertGreaterEqual(sum(len(each) == 10 for each in connections.values()), len(connections) - 3)

    def test_pipelined(self):
        transactions, connections = self.fetch("requests = 40, pipeline = 4")
        self.assertEqual(transactions["retried"], 0)
        self.assertEqual(max(map(len, connections.values())), 40)
        self.assertGreater(sum(pipelined for each in connections.values() for _, pipelined in each), 0)

    def test_pipelined_while_the_server_closes(self):
        # Without lingering, a request that comes behind nginx's close is answered with RST, which discards what Linux has not sent of the last response.
        transactions, connections = self.fetch("requests = 1000, pipeline = 4", "keepalive_requests 10; lingering_close always;")
        self.assertEqual(max(map(len, connections.values())), 10)
        self.assertGreater(transactions["retried"], 0)

    def test_several_connections(self):
        transactions, connections = self.fetch("requests = 100, connections = 6")
        self.assertGreaterEqual(len(connections), 18)
        # nginx logs a connection with its first response, which the end of the run may come before.
        self.assertIn(transactions["connections"] - len(connections), range(transactions["in_progress"] + 1))


class Curl(unittest.TestCase):
    def test_curl_and_a_simulated_server(self):
        with Lab() as lab:
            emulator = lab.compile(BETWEEN)
            user, live, base = lab.user_of(emulator)
            curl = ("curl", "-s", "-S", "-m", 20)

            shown = "%{http_code} %{size_download} %{num_connects} %{http_version}\n"
            def fetch(*arguments):
                return lab.run_in(user, *curl, "-w", shown, *arguments).stdout.splitlines()
            both = ("-o", "/dev/null", f"{base}/1024", "-o", "/dev/null", f"{base}/204800")
            self.assertEqual(fetch(*both), ["200 1024 1 1.1", "200 204800 0 1.1"])
            self.assertEqual(fetch("--http1.0", *both), ["200 1024 1 1", "200 204800 1 1"])
            self.assertEqual(fetch("-H", "Connection: close", *both), ["200 1024 1 1.1", "200 204800 1 1.1"])
            self.assertEqual(fetch("-o", "/dev/null", f"{base}/none", "-o", "/dev/null", f"{base}/1024"), ["404 10 1 1.1", "200 1024 0 1.1"])
            heads = lab.run_in(user, *curl, "-I", f"{base}/204800", f"{base}/1024", "-w", "%{num_connects}\n").stdout
            self.assertEqual(heads.count("HTTP/1.1 200 OK"), 2)
            self.assertIn("Content-Length: 204800", heads)
            self.assertIn("Content-Length: 1024", heads)
            self.assertEqual([line for line in heads.splitlines() if line in ("0", "1")], ["1", "0"])
            self.assertEqual(fetch("-d", "name=value", *both), ["200 0 1 1.1", "200 0 0 1.1"])
            self.assertIsNone(live.process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=2)
