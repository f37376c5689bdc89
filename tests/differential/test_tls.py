"""HTTPS between virtual clients and simulated servers against arithmetic, and alike for any number of tasks and threads."""
import json
import os
import subprocess
import unittest

from emulators import OTHER_TIER, ROOT, SANITIZED, EmulatorTest, run

MODEL = """
import std.web

model Secure {
  host client[CLIENTS]
  endpoint server { simulated = web.server(close = at_once, scheme = https, SERVER) }
  router r
  link client[*] -- r { rate = 100 Gbps, delay = 5 ms }
  link entry: r -- server { rate = 100 Gbps, delay = 5 ms }
  workload browse : web.ClosedLoop on client[*] {
    server = server, documents = web.fixed(SIZE), start_spread = 0 s, scheme = https, GIVEN
  }
  run { duration = DURATION }
}
"""
ROUND_TRIP = 0.02
TLS = ROOT / "tests/data/tls"
TRUST = f'trust_anchors = "{TLS}/ca.pem"'
OWN = f'certificate = "{TLS}/server.pem"'


def secure(given="requests = 1", server="service = 0 s", clients=1, size="100 B", duration=1.0):
    text = MODEL.replace("CLIENTS", str(clients)).replace("SERVER", server).replace("SIZE", size)
    return text.replace("GIVEN", given).replace("DURATION", f"{1000 * duration:.0f} ms")


class Secure(EmulatorTest):

    def measured(self, *arguments, **named):
        return self.simulate(self.compile(secure(*arguments, **named)))

    def test_round_trips(self):
        """A full handshake takes a round trip with TLS 1.3, two with TLS 1.2, a resumed one always one; the server's time is of full ones alone."""
        for version, full, resumed in (("tls12", 2, 1), ("tls13", 1, 1), ("any", 1, 1)):
            for again in (True, False):
                first = 2 + full
                later = 2 + (resumed if again else full)
                # Eleven transactions and a part of the twelfth.
                duration = (first + 10 * later + 0.5) * ROUND_TRIP + (0.01 if again else 0.11)
                given = f"tls_version = {version}, resumption = {str(again).lower()}"
                found = self.measured(given, "handshake = 10 ms", duration=duration)
                message = f"{version}, resumption {again}"
                self.assertEqual(found["transactions"]["completed"], 11, message)
                self.assertEqual(found["transactions"]["failed"], 0, message)
                self.assertEqual(found["transactions"]["unexpected_size"], 0, message)
                self.assertEqual(found["transactions"]["handshakes"], {"full": 1, "resumed": 10} if again else {"full": 11, "resumed": 0}, message)
                self.assertEqual(found["servers"][0]["handshakes"], found["transactions"]["handshakes"], message)
                phases = found["workloads"][0]["phase_seconds"]
                mean = (full + 10 * (later - 2)) / 11 * ROUND_TRIP + (0.01 / 11 if again else 0.01)
                self.assertAlmostEqual(phases["tls"], mean, delta=1e-4, msg=message)
                self.assertAlmostEqual(phases["connect"], ROUND_TRIP, delta=1e-4, msg=message)
                self.assertAlmostEqual(phases["answer"], ROUND_TRIP, delta=1e-4, msg=message)

    def test_persistent(self):
        """A handshake for a connection; what HTTP counts is what it counts without TLS."""
        plain = self.simulate(self.compile(secure("requests = 10", clients=3, size="30 KB", duration=3).replace("scheme = https,", "").replace(
            ", scheme = https", "")))["transactions"]
        found = self.measured("requests = 10", clients=3, size="30 KB", duration=3)["transactions"]
        self.assertEqual(sum(found["handshakes"].values()), found["connections"])
        self.assertEqual(found["failed"], 0)
        self.assertAlmostEqual(found["response_bytes"] / found["completed"], plain["response_bytes"] / plain["completed"], delta=0.5)
        self.assertAlmostEqual(found["completed"], plain["completed"] * 11 / 12, delta=0.1 * plain["completed"])

    def test_however_it_is_run(self):
        text = secure("requests = 5, pipeline = 2, think = exponential(20 ms)", "service = exponential(1 ms), handshake = exponential(1 ms), processors = 2",
                      clients=12, size="20 KB", duration=2)
        text = text.replace("  run {", "  workload open : web.OpenLoop on client[*] { server = server, documents = web.fixed(3 KB), interval = exponential(100 ms), "
                                       "scheme = https }\n  workload knock : web.SClient on client[*] { server = server, documents = web.fixed(3 KB), scheme = https }\n  run {")
        (digest, workloads), emulator = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)
        self.assertNotEqual(digest, self.simulate(emulator, "--seed", "7")["digest"])

    def test_failures(self):
        """Each is of TLS, and says why."""
        for given, server, why in (("tls_version = tls13", "tls_version = tls12", "protocol version"), ("tls_version = tls12", "tls_version = tls13", "protocol version"),
                                   (f'{TRUST}, authority = "www.example.org"', "service = 0 s", "self-signed certificate"),
                                   (f'{TRUST}, authority = "www.example.net"', OWN, "hostname mismatch"), (f'{TRUST}, authority = "10.0.0.81"', OWN, "IP address mismatch")):
            found = self.measured(given, server, duration=3)["transactions"]
            self.assertEqual(found["completed"], 0, given)
            self.assertGreater(found["failed"], 2, given)
            self.assertEqual(found["failed_by_cause"]["tls"], found["failed"], given)
            self.assertIn(why, found["first_tls_failure"], given)
        for authority in ("www.example.org", "www.example.org:8443", "10.0.0.80"):
            found = self.measured(f'{TRUST}, authority = "{authority}"', OWN)["transactions"]
            self.assertGreater(found["completed"], 5)
            self.assertEqual((found["failed"], found["first_tls_failure"]), (0, None))

    def test_who_speaks_something_else(self):
        """A server of HTTP waits for the end of a line of what it takes for a request; one of HTTPS closes."""
        text = secure("timeout = 200 ms").replace("close = at_once, scheme = https", "port = 443")
        found = self.simulate(self.compile(text))["transactions"]
        self.assertEqual((found["completed"], found["failed_by_cause"]["timeout"]), (0, found["failed"]))
        self.assertGreater(found["failed"], 1)
        text = secure("port = 443").replace(", scheme = https, port", ", port")
        found = self.simulate(self.compile(text))["transactions"]
        self.assertEqual((found["completed"], found["failed_by_cause"]["truncated"]), (0, found["failed"]))
        self.assertGreater(found["failed"], 1)

    def test_files(self):
        for given, server, name in ((f'trust_anchors = "{TLS}/nobody.pem", authority = "h"', "service = 0 s", "nobody.pem"),
                                    ("requests = 1", f'certificate = "{TLS}/ca.pem"', "ca.pem")):
            done = run(self.compile(secure(given, server)), "simulate", check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot speak TLS", done.stderr)
            self.assertIn(name, done.stderr)

    def test_memory(self):
        """A large document is encrypted as it leaves."""
        emulator = self.compile(secure("requests = 2", size="150 MB", duration=60), OTHER_TIER)
        results = self.fresh("r.json")
        child = subprocess.Popen([emulator, "simulate", "--results", results], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
        self.assertEqual(status, 0)
        self.assertGreater(json.loads(results.read_text())["transactions"]["completed"], 1)
        if not SANITIZED:  # which keeps what is freed
            self.assertLess(usage.ru_maxrss, 120 << 10)  # KB

    def test_others_pay_nothing(self):
        """An emulator of a model without TLS has none of it."""
        plain = secure().replace("scheme = https, ", "").replace(", scheme = https", "")
        sizes = [self.compile(text).stat().st_size for text in (plain, secure())]
        self.assertLess(sizes[0] + (2 << 20), sizes[1])
        self.assertNotIn(b"OpenSSL", self.compile(plain).read_bytes())


if __name__ == "__main__":
    unittest.main()
