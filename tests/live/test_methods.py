"""What virtual clients ask a real server with, by what it has read; and what curl asks a simulated one with."""
import json
import pathlib
import sys
import unittest

from netlab import Lab, run
from test_persistent import BETWEEN

SERVER = pathlib.Path(__file__).with_name("uploads.py")
MODEL = """
import std.web
model Ask {
  endpoint server { simulated = web.server(port = 8080) }
  router gate
  host client[2]
  link desk: client[*] -- gate { rate = 100 Mbps, delay = 1 ms }
  link entry: gate -- server { rate = 1 Gbps, delay = 1 ms }
  workload ask : web.ClosedLoop on client[*] { server = server, port = 8080, documents = web.fixed(1 KB, "/a"), think = 20 ms, GIVEN }
  run { duration = 2 s }
}
"""


class Uploads(unittest.TestCase):
    def ask(self, given):
        """Transactions of a run, and what the server has read."""
        with Lab() as lab:
            emulator = lab.compile(MODEL.replace("GIVEN", given))
            log = lab.folder / "log"
            run(emulator, "live", "--results", lab.folder / "r.json", "--sandbox", "--", sys.executable, SERVER, 8080, log, timeout=60)
            transactions = json.loads((lab.folder / "r.json").read_text())["transactions"]
            lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual((transactions["failed"], transactions["unexpected_size"]), (0, 0))
        self.assertGreater(transactions["completed"], 20)
        self.assertLessEqual(transactions["completed"], len(lines))
        self.assertLessEqual(len(lines), transactions["completed"] + transactions["in_progress"])
        self.assertEqual({line["path"] for line in lines}, {"/a"})
        return transactions, lines

    def test_bodies(self):
        for method, status, given in (("POST", "200", ""), ("PUT", "201", ", requests = 7"), ("POST", "200", ", requests = 1000")):
            transactions, lines = self.ask(f"method = {method}, body = 100000 B{given}")
            self.assertEqual(transactions["by_status"], {status: transactions["completed"]})
            for line in lines:
                self.assertEqual((line["method"], line["bytes"], line["zeros"]), (method, 100000, 100000))
            read = len({line["connection"] for line in lines})  # one that the run's end cuts may not have been
            self.assertLessEqual(read, transactions["connections"])
            self.assertGreaterEqual(read, transactions["connections"] - transactions["in_progress"])

    def test_head(self):
        transactions, lines = self.ask("method = HEAD, requests = 1000")
        self.assertEqual({(line["method"], line["bytes"]) for line in lines}, {("HEAD", 0)})
        self.assertLess(transactions["response_bytes"] / transactions["completed"], 300)
        self.assertEqual(transactions["connections"], 2)

    def test_fields(self):
        _, lines = self.ask('authority = "www.example.org", headers = ["Accept-Language: en", "user-agent: other/2"], requests = 9')
        for line in lines:
            read = {name.lower(): value for name, value in line["headers"].items()}
            read.pop("connection", None)
            self.assertEqual(read, {"host": "www.example.org", "accept": "*/*", "accept-language": "en", "user-agent": "other/2"})


class Curl(unittest.TestCase):
    def test_curl_sends_bodies_to_a_simulated_server(self):
        with Lab() as lab:
            emulator = lab.compile(BETWEEN.replace("web.server()", "web.server(reply = 333 B)"))
            user, live, base = lab.user_of(emulator)
            curl = ("curl", "-s", "-S", "-m", 20)
            body = lab.folder / "body"
            body.write_bytes(b"\r\n\r\nGET /1024 HTTP/1.1\r\n\r\n" * 9000)  # not asked for
            shown = "%{http_code} %{size_upload} %{size_download} %{num_connects}\n"
            both = ("-o", "/dev/null", f"{base}/1024", "-o", "/dev/null", f"{base}/204800")

            def send(*arguments, to=both):
                return lab.run_in(user, *curl, "-w", shown, "-H", "Expect:", *arguments, *to).stdout.splitlines()
            size = body.stat().st_size
            self.assertEqual(send("--data-binary", f"@{body}"), [f"200 {size} 333 1", f"200 {size} 333 0"])
            self.assertEqual(send("-X", "PUT", "--data-binary", f"@{body}"), [f"200 {size} 333 1", f"200 {size} 333 0"])
            chunked = send("-X", "PUT", "-H", "Transfer-Encoding: chunked", "--data-binary", f"@{body}")
            self.assertEqual([line.split()[0::2] + line.split()[3:] for line in chunked], [["200", "333", "1"], ["200", "333", "0"]])
            self.assertEqual([line.split()[0] for line in send("-d", "a=b", to=("-o", "/dev/null", f"{base}/none"))], ["404"])
            self.assertIsNone(live.process.poll())


if __name__ == "__main__":
    unittest.main(verbosity=2)
