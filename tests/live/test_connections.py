"""Records of connections of a live run: a real nginx's access log has the same requests on the same connections."""
import collections
import csv
import json
import re
import unittest

from netlab import Lab, run

LINE = re.compile(r"(\S+) (\d+) (\d+) (\d+) (\d+)")  # address, port, requests on the connection so far, status, bytes sent
NETWORK = """
import std.ether
import std.web
model M {
  endpoint server
  router gate
  host client[12]
  link desk: client[*] -- gate : ether.fast { delay = 2 ms }
  link entry: gate -- server : ether.gigabit { delay = 3 ms }
  workload each : web.OpenLoop on client[0 .. 7] { GIVEN, documents = web.fixed(4 KB, "/4096"), interval = exponential(20 ms) }
  workload kept : web.ClosedLoop on client[6 .. 9] { GIVEN, documents = web.fixed(40 KB, "/40960"), think = exponential(50 ms), requests = 5 }
  workload lost : web.OpenLoop on client[9 .. 11] { GIVEN, documents = web.fixed(1 KB, "/missing"), interval = 100 ms }
  workload cut : web.ClosedLoop on client[11] { server = server, port = 81, documents = web.fixed(1 KB), think = 100 ms }
  run { duration = 4 s }
}
""".replace("GIVEN", "server = server, port = 8080, schedule = [web.hold(2 s, 1), web.hold(1 h, 0)]").replace(
    "kept : web.ClosedLoop on client[6 .. 9] { server = server, port = 8080, schedule = [web.hold(2 s, 1), web.hold(1 h, 0)]",
    "kept : web.ClosedLoop on client[6 .. 9] { server = server, port = 8080")


class Connections(unittest.TestCase):
    def test_the_access_log_has_them(self):
        with Lab() as lab:
            emulator = lab.compile(NETWORK, "-O0")
            log = lab.folder / "access.log"
            command = lab.nginx({"/4096": 4096, "/40960": 40960}, f"""log_format each '$remote_addr $remote_port $connection_requests $status $bytes_sent';
                server {{ listen 8080 backlog=4096; root {lab.folder}/web; access_log {log} each; keepalive_requests 3; }}
                server {{ listen 81; return 444; }}  # which closes without a word""")
            run(emulator, "live", "--results", lab.folder / "live.json", "--connections", lab.folder / "c.csv", "--sandbox", "--", *command, timeout=60)
            results = json.loads((lab.folder / "live.json").read_text())
            with open(lab.folder / "c.csv", newline="", encoding="utf-8") as file:
                lines = list(csv.DictReader(file))
            self.assertEqual(results["connections"]["written"], len(lines))
            served = collections.defaultdict(lambda: [0, 0])
            for line in log.read_text().splitlines():
                address, port, _, _, count = LINE.match(line).groups()
                served[address, int(port)][0] += 1
                served[address, int(port)][1] += int(count)
            found = {(line["local_address"], int(line["local_port"])): line for line in lines if line["remote_port"] == "8080"}
            self.assertGreater(len(served), 200)
            for connection, (requests, count) in served.items():
                line = found[connection]
                if line["outcome"] == "open":
                    continue
                self.assertEqual(int(line["completed"]) + int(line["failed"]), requests, line)
                self.assertEqual(int(line["received_bytes"]), count, line)
            self.assertEqual({key for key, line in found.items() if line["completed"] != "0" or line["failed"] != "0"} - set(served), set())
            workloads = {w["name"]: w["transactions"] for w in results["workloads"]}
            for name, transactions in workloads.items():
                own = [line for line in lines if line["workload"] == name]
                for column in ("completed", "failed", "requests", "request_bytes", "response_bytes"):
                    self.assertEqual(sum(int(line[column]) for line in own), transactions[column], (name, column))
            self.assertEqual({line["outcome"] for line in lines if line["workload"] == "lost"}, {"status"})
            self.assertEqual({line["outcome"] for line in lines if line["workload"] == "cut"} - {"open"}, {"truncated"})
            self.assertEqual(max(int(line["completed"]) for line in lines if line["workload"] == "kept"), 3)


if __name__ == "__main__":
    unittest.main()
