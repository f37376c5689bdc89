"""Two real servers with one address, each in a sandbox: a real client and virtual ones reach the nearest, and the other one when that fails."""
import json
import unittest

from netlab import Lab

SITE = """
import std.web
model Site {
  router r[2]
  link line: r[0] -- r[1] { rate = 1 Gbps, delay = 20 ms }
  endpoint edge[2] { anycast = 172.31.9.9 }
  for i in 0 ..< 2 { link access[i]: edge[i] -- r[i] { rate = 1 Gbps, delay = 1 ms } }
  endpoint user
  link home: user -- r[0] { rate = 1 Gbps, delay = 1 ms }
  host client
  link far: client -- r[1] { rate = 1 Gbps, delay = 1 ms }
  workload get : web.ClosedLoop on client { server = edge[*], documents = web.fixed(2 B, path = "/name"), think = 100 ms }
  at 3 s { edge[0] down }
  run { duration = 7 s }
}
"""


class Anycast(unittest.TestCase):
    def test_real_servers_share_an_address(self):
        self.ask_two_servers(SITE, "172.31.9.9")

    def test_one_of_ipv6(self):
        self.ask_two_servers(SITE.replace("172.31.9.9", "2001:db8:9::9").replace("router r[2]", "addressing { ipv6 = 2001:db8::/64 }\n  router r[2]"),
                             "[2001:db8:9::9]", "--bind", "::")

    def ask_two_servers(self, text, address, *options):
        with Lab() as lab:
            emulator = lab.compile(text)
            sandboxes = []
            for i in (0, 1):
                (lab.folder / str(i)).mkdir()
                (lab.folder / str(i) / "name").write_text(f"{i}\n")
                sandboxes += ["--sandbox", f"edge[{i}]", "--", "python3", "-m", "http.server", "-d", lab.folder / str(i), *options, "80"]
            ask = f"while :; do curl -g -s -m 2 http://{address}/name >> {lab.folder}/asked; sleep 0.2; done"
            results = lab.folder / "results.json"
            live = lab.start(emulator, "live", "--results", results, *sandboxes, "--sandbox", "user", "--", "bash", "-c", ask)
            live.wait(60)
            asked = (lab.folder / "asked").read_text().split()
            # Before the client's own server fails that one answers, then the other, and never the one behind the other.
            self.assertEqual(asked, sorted(asked), live.output())
            self.assertGreater(min(asked.count("0"), asked.count("1")), 3, live.output())
            transactions = json.loads(results.read_text())["transactions"]
            self.assertEqual(transactions["failed"], 0)
            self.assertGreater(transactions["completed"], 10)


if __name__ == "__main__":
    unittest.main()
