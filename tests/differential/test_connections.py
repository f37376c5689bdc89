"""Records of connections: figures of the results worked out again from their lines, alike for any number of tasks and threads."""
import csv
import unittest

from emulators import ROOT, EmulatorTest, run
from test_persistent import SITES

COLUMNS = ("workload,host,local_address,local_port,server,remote_address,remote_port,outcome,start_seconds,end_seconds,connect_seconds,"
           "tls_seconds,first_byte_seconds,finished_seconds,sent_bytes,received_bytes,requests,completed,failed,request_bytes,response_bytes")
TRUST = f'trust_anchors = "{ROOT}/tests/data/tls/ca.pem"'
CERTIFICATE = f'certificate = "{ROOT}/tests/data/tls/server.pem"'

# Each in a way of its own: what is asked, and where it fails.
MODEL = """
import std.web
import std.traffic
model Lossy {
  profile few : Tcp { first_port = 40000, last_port = 40009 }
  host client[6] { CLIENT }
  endpoint server { simulated = SERVED }
  host sink
  router r
  link client[*] -- r { rate = 20 Mbps, delay = 5 ms, queue = droptail(16 KB), loss = LOSS }
  link bridge: r -- server { rate = 50 Mbps, delay = 5 ms }
  link r -- sink { rate = 50 Mbps, delay = 5 ms }
  WORKLOADS
  run { duration = 12 s }
}
"""
SERVER = "web.server(service = exponential(2 ms))"
ONCE = """workload once : web.ClosedLoop on client[*] {
    server = server, think = exponential(100 ms), connect_timeout = 400 ms, timeout = 300 ms, documents = web.catalogue(50, lognormal(9000 B, 1.4)), GIVEN
  }"""


def lossy(workloads, loss="2 %", served=SERVER, client=""):
    text = MODEL
    for name, value in {"WORKLOADS": workloads, "LOSS": loss, "SERVED": served, "CLIENT": client}.items():
        text = text.replace(name, value)
    return text


def once(given="", name="once"):
    return ONCE.replace("once", name).replace(", GIVEN", given and ", " + given)


def lines_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def nanoseconds(text):
    whole, part = text.split(".")
    return int(whole) * 10**9 + int(part)


def total(lines, column):
    return sum(int(line[column]) for line in lines)


def of(lines, name):
    return [line for line in lines if line["workload"] == name]


class Connections(EmulatorTest):
    def record(self, emulator, *options):
        path = self.fresh("connections.csv")
        results = self.simulate(emulator, "--connections", path, *options)
        found = lines_of(path)
        self.assertEqual(results["connections"], {"file": str(path), "written": len(found), "dropped": 0})
        self.assertEqual(path.read_bytes().count(b"\r\n"), len(found) + 1)
        self.assertEqual(path.read_text().splitlines()[0], COLUMNS)
        ends = [nanoseconds(line["end_seconds"]) for line in found]
        self.assertEqual(ends, sorted(ends))
        for line in found:
            self.assertLessEqual(nanoseconds(line["start_seconds"]), nanoseconds(line["end_seconds"]))
        return results, found, path.read_bytes()

    def alike(self, text, *options):
        """The same file with any number of tasks and threads, and the digest of a run without it."""
        emulator = self.compile(text)
        results, found, content = self.record(emulator, *options)
        self.assertEqual(results["digest"], self.simulate(emulator, *options)["digest"])
        for threads, tasks in ((2, 4), (1, 4), (4, 4)):
            again = self.record(self.compile(text, "--tasks", tasks), "--threads", threads, *options)
            self.assertEqual(again[0]["digest"], results["digest"])
            self.assertEqual(again[2], content, f"{threads} threads")
        return results, found

    def agree(self, figures, lines):
        """What holds of all web workloads over a whole run."""
        found = figures["transactions"]
        for column in ("completed", "failed", "requests", "request_bytes", "response_bytes"):
            self.assertEqual(total(lines, column), found[column], column)
        self.assertEqual(sum(line["connect_seconds"] != "" for line in lines), found["connections"])
        self.assertEqual(sum(line["tls_seconds"] != "" for line in lines), sum(found["handshakes"].values()))

    def agree_once(self, figures, lines):
        """Of one transaction on each connection besides: outcomes and times."""
        self.agree(figures, lines)
        found = figures["transactions"]
        for cause, count in found["failed_by_cause"].items():
            self.assertEqual(sum(line["outcome"] == cause for line in lines), count, cause)
        done = [line for line in lines if line["completed"] == "1"]
        self.assertTrue(all(line["outcome"] in ("closed", "open") for line in done))
        self.assertEqual(sum(line["completed"] == "0" and line["failed"] == "0" for line in lines), found["in_progress"])
        if not done:
            return
        took = sorted(nanoseconds(line["finished_seconds"]) - nanoseconds(line["start_seconds"]) for line in done)
        response = figures["response_time_seconds"]
        self.assertAlmostEqual(sum(took) / len(took) / 1e9, response["mean"], delta=1e-9)
        if not found["in_progress"]:
            self.assertEqual(took[-1] / 1e9, response["max"])
        if response["median"]:
            self.assertAlmostEqual(took[(len(took) - 1) // 2] / 1e9, response["median"], delta=0.01 * response["median"])
        for column, phase in (("connect_seconds", "connect"), ("tls_seconds", "tls"), ("first_byte_seconds", "answer")):
            times = [nanoseconds(line[column]) for line in done if line[column]]
            self.assertEqual(len(times) > 0, figures["phase_seconds"][phase] is not None, column)
            if times:
                self.assertAlmostEqual(sum(times) / len(times) / 1e9, figures["phase_seconds"][phase], delta=1e-9, msg=column)
        # What TCP has carried is what HTTP counts, where nothing lies between.
        if not any(line["tls_seconds"] for line in lines):
            for line in done:
                self.assertEqual((line["sent_bytes"], line["received_bytes"]), (line["request_bytes"], line["response_bytes"]))

    def workload(self, results, name):
        return next(w for w in results["workloads"] if w["name"] == name)

    def test_one_transaction_each(self):
        for seed in ("1", "2"):
            results, found = self.alike(lossy(once(), loss="4 %"), "--seed", seed)
            self.agree_once(self.workload(results, "once"), found)
            causes = results["transactions"]["failed_by_cause"]
            self.assertGreater(min(causes["connect"], causes["timeout"]), 0, causes)

    def test_tls(self):
        for authority, fails in (("www.example.org", False), ("www.example.net", True)):
            given = f'scheme = https, authority = "{authority}", {TRUST}'
            results, found = self.alike(lossy(once(given), served=f"web.server(scheme = https, {CERTIFICATE})"))
            self.agree_once(self.workload(results, "once"), found)
            self.assertGreater(sum(line["outcome"] == ("tls" if fails else "closed") for line in found), 50)
            for line in found:
                if line["completed"] == "1":
                    self.assertGreater(int(line["received_bytes"]), int(line["response_bytes"]) + 100)

    def test_losses_cut_nothing(self):
        """A response whose last gap is filled by what came before its head was shown is whole all the same."""
        text = """
import std.web
model Losses {
  endpoint s { simulated = web.server() }
  host c[20]
  link l: c[*] -- s { rate = 1 Gbps, delay = 50 ms, loss = 10 % }
  workload get : web.KIND on c[*] { server = s, documents = web.fixed(20 KB), timeout = 600 s, GIVEN }
  run { duration = 60 s }
}
"""
        for kind, given in (("ClosedLoop", "requests = 1"), ("OpenLoop", "interval = 1 s"), ("ClosedLoop", "requests = 5")):
            found = self.simulate(self.compile(text.replace("KIND", kind).replace("GIVEN", given)))["transactions"]
            self.assertGreater(found["completed"], 800)
            self.assertEqual(found["failed"], 0, (kind, given, found["failed_by_cause"]))

    def test_no_way(self):
        """What a router's ICMP ends is a reset."""
        results, found = self.alike(lossy(once() + "\n  from 3 s to 6 s { bridge down }", loss="0 %"))
        self.agree_once(self.workload(results, "once"), found)
        failed = [line for line in found if line["outcome"] == "reset"]
        self.assertGreater(len(failed), 10)
        took = [nanoseconds(line["finished_seconds"]) - nanoseconds(line["start_seconds"]) for line in failed]
        after = results["transactions"]["failed_after_seconds"]["reset"]
        self.assertAlmostEqual(sum(took) / len(took) / 1e9, after["mean"], delta=1e-9)
        self.assertEqual((min(took) / 1e9, max(took) / 1e9), (after["min"], after["max"]))

    def test_no_port(self):
        results, found = self.alike(lossy(once(), loss="0 %", client="tcp = few"))
        self.agree_once(self.workload(results, "once"), found)
        none = [line for line in found if line["outcome"] == "no_port"]
        self.assertGreater(len(none), 10)
        for line in none:
            self.assertEqual((line["local_port"], line["start_seconds"], line["connect_seconds"]), ("0", line["end_seconds"], ""))
            self.assertTrue(line["local_address"])

    def test_many_requests_each(self):
        """Also over a crowded server that closes, with workloads that are switched off meanwhile, and in S-Client's way."""
        more = "workload s : web.SClient on client[0] { server = server, sockets = 5, documents = web.fixed(2 KB) }"
        for text in (SITES, lossy(once("requests = 7, pipeline = 3, connections = 2", "many") + more, loss="3 %"),
                     lossy(once("version = HTTP_2, requests = 20, streams = 4", "h2"), served="web.server(version = HTTP_2)")):
            for seed in ("1", "2"):
                results, found = self.alike(text, "--seed", seed)
                self.assertGreater(len(found), 50)
                for figures in results["workloads"]:
                    own = of(found, figures["name"])
                    if "streams" in text:
                        figures["transactions"]["request_bytes"] = total(own, "request_bytes")  # frames
                    self.agree(figures, own)
                    self.assertGreater(max(int(line["completed"]) for line in own), figures["name"] != "s")

    def test_messages(self):
        """Of sockets whose messages are echoed or not, and of events; some wait too long."""
        some = lambda name, kind, more: f"workload {name} : web.{kind} on client[*] {{ server = server, timeout = 300 ms, think = 200 ms, {more} }}"
        workloads = (some("echo", "Socket", "messages = 20, interval = exponential(50 ms)"), some("once", "Socket", "messages = 7, interval = 100 ms, expect = no_answer"),
                     some("ev", "Events", "events = 9"))
        results, found = self.alike(lossy("\n".join(workloads), loss="5 %", served="web.message_server(push = 100 ms, size = 3000 B)"))
        for figures in results["workloads"]:
            own = of(found, figures["name"])
            self.agree(figures, own)
            self.assertGreater(figures["transactions"]["failed"], 0)
            self.assertLessEqual({line["outcome"] for line in own} - {"closed", "open"},
                                 {cause for cause, count in figures["transactions"]["failed_by_cause"].items() if count})
            self.assertTrue(all(line["outcome"] not in ("closed", "open") for line in own if line["failed"] != "0"))

    def test_transfers(self):
        bulk = "workload up : traffic.Bulk on client[*] { to = sink, size = exponential(100 KB), think = exponential(100 ms) }"
        ever = "workload ever : traffic.Bulk on client[0] { to = sink, port = 7 }"
        results, found = self.alike(lossy(bulk + "\n" + ever))
        figures = self.workload(results, "up")
        own = of(found, "up")
        self.assertEqual(total(own, "completed"), figures["transfers"]["completed"])
        self.assertEqual(total(own, "failed"), figures["transfers"]["failed"])
        self.assertGreaterEqual(figures["delivered_bytes"], total(own, "sent_bytes"))
        self.assertAlmostEqual(figures["delivered_bytes"], total(own, "sent_bytes"), delta=6 * 65536)
        done = [nanoseconds(line["finished_seconds"]) - nanoseconds(line["start_seconds"]) for line in own if line["completed"] == "1"]
        self.assertAlmostEqual(sum(done) / len(done) / 1e9, figures["transfer_time_seconds"]["mean"], delta=1e-9)
        [line] = of(found, "ever")
        self.assertEqual((line["outcome"], line["completed"], line["end_seconds"]), ("open", "0", "12.000000000"))
        self.assertAlmostEqual(self.workload(results, "ever")["delivered_bytes"], int(line["sent_bytes"]), delta=65536)

    def test_flows(self):
        flows = "workload f : traffic.Flows on client[*] { to = sink, size = exponential(50 KB), interval = exponential(150 ms) }"
        results, found = self.alike(lossy(flows, loss="0 %"))
        complete = [line for line in found if line["completed"] == "1"]
        self.assertAlmostEqual(len(complete), self.workload(results, "f")["transfers"]["completed"], delta=6)
        self.assertGreater(len(complete), 100)
        self.assertAlmostEqual(total(found, "sent_bytes"), self.workload(results, "f")["delivered_bytes"], delta=6 * 65536)

    def test_files(self):
        """Refused before anything is simulated, and nothing is left; what was there stays."""
        emulator = self.compile(lossy(once()))
        for path in (self.folder / "nowhere/c.csv", self.folder, emulator):
            done = run(emulator, "simulate", "--connections", path, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertRegex(done.stderr, "^error: ")
        same = self.folder / "same"
        done = run(emulator, "simulate", "--connections", same, "--results", same, check=False)
        self.assertEqual((done.returncode, "would be written twice" in done.stderr), (2, True))
        done = run(emulator, "simulate", "--connections", self.folder / "c.parquet", check=False)
        self.assertEqual((done.returncode, "written as CSV" in done.stderr), (2, True))
        kept = self.folder / "kept.csv"
        for path, content in ((self.folder / "new.csv", None), (kept, "old\n")):
            if content:
                path.write_text(content)
            done = run(emulator, "live", "--connections", path, "--control", "none", "--attach", "server=if:none-such", check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(path.read_text() if path.exists() else None, content)
        done = run(emulator, "simulate", "--connections", "/dev/full", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: connections in /dev/full are incomplete: No space left on device", done.stderr)
        run(emulator, "simulate", "--connections", kept, "--for", "1s")
        self.assertEqual(kept.read_text().splitlines()[0], COLUMNS)

    def test_points(self):
        emulator = self.compile(lossy(once()))
        points = self.folder / "points"
        alone = [self.record(emulator, "--seed", str(seed), "--for", "3s")[2] for seed in (1, 2)]
        files = [self.folder / f"{seed}.csv" for seed in (1, 2)]
        points.write_text("".join('{"arguments": ["--seed", "%d", "--for", "3s", "--connections", "%s"]}\n' % (i + 1, path) for i, path in enumerate(files)))
        run(emulator, "simulate", "--points", points)
        self.assertEqual([path.read_bytes() for path in files], alone)


if __name__ == "__main__":
    unittest.main()
