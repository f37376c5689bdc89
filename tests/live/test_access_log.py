"""The access log of a real nginx is replayed against an nginx: its own log has the same requests by the same clients then, with the same answers."""
import collections
import ipaddress
import json
import re
import unittest

from netlab import Lab, ROOT, addresses, run

LINE = re.compile(r'(\S+) - - \[[^]]*\] "(\S+) (\S+) [^"]*" (\d+) (\d+) ')
NETWORK = """
import std.ether
import std.web
model M {
  endpoint server
  router gate
  host client[12]
  link desk: client[*] -- gate : ether.fast { delay = 2 ms }
  link entry: gate -- server : ether.gigabit { delay = 3 ms }
  WORKLOADS
  run { duration = 4 s }
}
"""
# Whatever the two seconds of load bring is over when the run ends.
GIVEN = "server = server, port = 8080, schedule = [web.hold(2 s, 1), web.hold(1 h, 0)]"
SITE = f'documents = web.list("{ROOT}/tests/data/loads/site.csv")'
FIRST = NETWORK.replace("WORKLOADS", f"""
  workload get : web.OpenLoop on client[0 .. 7] {{ {GIVEN}, {SITE}, interval = exponential(50 ms) }}
  workload head : web.OpenLoop on client[6 .. 9] {{ {GIVEN}, {SITE}, interval = exponential(200 ms), method = HEAD, requests = 10 }}
  workload lost : web.OpenLoop on client[9 .. 11] {{ {GIVEN}, documents = web.fixed(1 KB, "/missing?a=1"), interval = 200 ms }}""")


class Replay(unittest.TestCase):
    def serve(self, lab, model, log):
        """The transactions of a run against nginx, and of each client how often it asked what with which answer, by the access log."""
        emulator = lab.compile(model, "-O0")
        files = {"/index.html": 4096, "/a,b.txt": 100}
        command = lab.nginx(files, f"server {{ listen 8080 backlog=4096; root {lab.folder}/web; access_log {log}; }}")
        run(emulator, "live", "--results", lab.folder / "live.json", "--sandbox", "--", *command, timeout=60)
        found = {}
        for line in log.read_text().splitlines():
            client, *request = LINE.match(line).groups()
            found.setdefault(client, collections.Counter())[tuple(request)] += 1
        return json.loads((lab.folder / "live.json").read_text())["transactions"], found, addresses(emulator)["client"]

    def test_the_log_of_the_replay_is_the_log(self):
        with Lab() as lab:
            _, first, _ = self.serve(lab, FIRST, lab.folder / "first.log")
            requests = sum(map(collections.Counter.total, first.values()))
            self.assertGreater(requests, 300)
            self.assertEqual({status for counts in first.values() for _, _, status, _ in counts}, {"200", "404"})
            again = NETWORK.replace("WORKLOADS", f'workload again : web.Replay on client[*] {{ server = server, port = 8080, log = "{lab.folder}/first.log" }}')
            transactions, second, base = self.serve(lab, again, lab.folder / "again.log")
            # The clients of the log by first appearance are the hosts.
            hosts = [str(ipaddress.ip_address(base) + i) for i in range(len(first))]
            self.assertEqual(second, dict(zip(hosts, first.values())))
            # A 404 that the log has is no failure.
            self.assertEqual((transactions["completed"], transactions["failed"], transactions["unexpected_status"], transactions["unexpected_size"]),
                             (requests, 0, 0, 0))


if __name__ == "__main__":
    unittest.main()
