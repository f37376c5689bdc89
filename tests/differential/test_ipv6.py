"""IPv6 of virtual hosts: times against arithmetic, cutting and the MTU of ways, both families at once, and captures as
tshark reads them."""
import json
import shutil
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.traffic
import std.ether
import std.web
model M(mid: size = 1500 B, cut: bool = true, payload: size = 1000 B, ttl: int = 64) {{
  addressing {{ {addressing} }}
  host a[3]
  endpoint b {{ simulated = web.server() }}
  router r[2]
  link a[*] -- r[0] {{ rate = 10 Mbps, delay = 1 ms }}
  link mid: r[0] -- r[1] {{ rate = 10 Mbps, delay = 1 ms, mtu = mid }}
  link end: r[1] -- b {{ rate = 10 Mbps, delay = 1 ms }}
  {workloads}
  run {{ duration = 20 s }}
}}
"""
CBR = "workload w : traffic.Cbr on a[0] { to = b, payload = payload, interval = 100 ms, fragments = cut, start_spread = 0 s }"
PING = "workload p : traffic.Ping on a[1] { to = b, payload = payload, interval = 100 ms, fragments = cut, ttl = ttl }"
BULK = "workload t : traffic.Bulk on a[2] { to = b, size = 100 KB, think = 1 s }"
WEB = "workload v : web.ClosedLoop on a[0] { server = b, documents = [web.fixed(20 KB)], think = 100 ms }"
SIX, BOTH, FOUR = "pool = 2001:db8::/64", "pool = 10.1.0.0/16, ipv6 = 2001:db8::/64", "pool = 10.1.0.0/16"


def model(addressing, *workloads):
    return MODEL.format(addressing=addressing, workloads="\n  ".join(workloads))


class Ipv6(EmulatorTest):

    def test_datagrams_take_as_long_as_their_headers_say(self):
        for addressing, header in ((SIX, 48), (BOTH, 48), (FOUR, 28)):
            [workload] = self.simulate(self.compile(model(addressing, CBR)))["workloads"]
            self.assertAlmostEqual(workload["delay_seconds"]["min"], 3 * ((1000 + header) * 8 / 10e6 + 1e-3), places=8)
            self.assertEqual(workload["datagrams"]["lost"], 0)

    def test_a_rate_counts_the_header(self):
        by_rate = CBR.replace("interval = 100 ms", "rate = 1 Mbps")
        for addressing, header in ((SIX, 48), (FOUR, 28)):
            [workload] = self.simulate(self.compile(model(addressing, by_rate)))["workloads"]
            self.assertAlmostEqual(workload["datagrams"]["sent"], 20 * 1e6 / 8 / (1000 + header), delta=1)

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_segments_have_what_the_mtu_leaves(self):
        # Timestamps take 12 bytes: 1428 of a packet of 1500.
        for addressing, segment in ((SIX, 1428), (FOUR, 1448)):
            file = self.fresh("segments.pcap")
            found = self.simulate(self.compile(model(addressing, BULK)), "--capture", f"mid={file}", "--for", "2s")
            lengths = self.fields(file, "tcp.len")
            self.assertEqual(max(int(v[0]) for v in lengths), segment)

    def test_pings_of_any_length(self):
        for payload, pieces in ((56, 1), (1452, 1), (1453, 2), (65487, 46)):
            found = self.simulate(self.compile(model(SIX, PING), "-D", f"payload={payload}B"))
            requests = found["workloads"][0]["requests"]
            self.assertGreaterEqual(requests["received"], requests["sent"] - 1)
            self.assertEqual(found["packets"]["dropped"]["mtu"], 0)
            if pieces > 1:
                self.assertGreater(found["packets"]["reassembly"]["whole"], 2 * requests["received"] - 2)

    def test_sources_learn_the_mtu_of_the_way(self):
        """A router drops one packet, says so, and the source cuts what follows."""
        found = self.simulate(self.compile(model(SIX, PING), "-D", "payload=1400B", "-D", "mid=1300B"))
        requests = found["workloads"][0]["requests"]
        # And so does who answers.
        self.assertEqual(found["packets"]["dropped"]["mtu"], 2)
        self.assertEqual(requests["unreachable"], 1)
        self.assertGreaterEqual(requests["received"], requests["sent"] - 4)
        # What must not be cut is told each time, and TCP makes its segments smaller.
        found = self.simulate(self.compile(model(SIX, CBR), "-D", "payload=1400B", "-D", "mid=1300B", "-D", "cut=false"))
        self.assertEqual(found["packets"]["dropped"]["mtu"], found["workloads"][0]["datagrams"]["sent"])
        # One connection has to find out, its first window; those behind it know.
        for addressing in (SIX, FOUR):
            found = self.simulate(self.compile(model(addressing, BULK), "-D", "mid=1300B"))
            self.assertGreater(found["workloads"][0]["transfers"]["completed"], 10)
            self.assertEqual(found["packets"]["dropped"]["mtu"], 10)

    def test_what_a_source_knows_counts_for_all_that_it_sends(self):
        """Datagrams that must not be cut tell TCP of the same host; what TCP has learnt, datagrams that may be cut are cut to."""
        bulk = BULK.replace("a[2]", "a[0]").replace("think = 1 s", "start_spread = 0 s, think = 1 s")
        for addressing in (SIX, FOUR):
            probe = CBR.replace("fragments = cut", "fragments = false").replace("payload = payload", "payload = 1400 B")
            found = self.simulate(self.compile(model(addressing, probe, bulk.replace("think = 1 s", "think = 10 s")),
                                               "-D", "mid=1300B"))
            datagrams = found["workloads"][0]["datagrams"]["sent"]
            learnt = found["packets"]["dropped"]["mtu"] - datagrams
            self.assertIn(learnt, (0, 10))  # the first connection may have been as early
            found = self.simulate(self.compile(model(addressing, CBR, bulk), "-D", "mid=1300B", "-D", "payload=1400B"))
            self.assertEqual(found["workloads"][0]["datagrams"]["lost"], 1 if addressing == SIX else 0)
            self.assertGreaterEqual(found["packets"]["fragmented"], found["workloads"][0]["datagrams"]["sent"] - 2)

    def test_what_a_source_knows_is_forgotten(self):
        """After ten minutes, as Linux's (mtu_expires)."""
        bulk = BULK.replace("think = 1 s", "start_spread = 0 s, think = 100 s")
        text = model(FOUR, bulk).replace("duration = 20 s", "duration = 1000 s")
        found = self.simulate(self.compile(text, "-D", "mid=1300B"))
        self.assertGreater(found["workloads"][0]["transfers"]["completed"], 8)
        self.assertEqual(found["packets"]["dropped"]["mtu"], 20)

    def test_families_side_by_side(self):
        """What is between nodes with both goes over IPv6, the same way as what goes over IPv4."""
        found = self.simulate(self.compile(model(BOTH, CBR, PING, BULK, WEB)))
        for workload in found["workloads"]:
            self.assertEqual(workload.get("failed", 0), 0)
        mixed = model(FOUR, CBR, PING).replace("host a[3]", "host a[3] { address = 2001:db8::10 }") \
            .replace("endpoint b {", "endpoint b { ipv6 = 2001:db8::b,")
        found = self.simulate(self.compile(mixed))
        self.assertEqual(found["workloads"][0]["datagrams"]["lost"], 0)
        # A router without IPv6 says that the time is up from an address that it can be told by.
        found = self.simulate(self.compile(mixed, "-D", "ttl=1"))
        self.assertEqual(found["workloads"][1]["requests"]["time_exceeded"], found["workloads"][1]["requests"]["sent"])

    def test_a_workload_chooses_its_family(self):
        """By how long its packets take, as their headers are long; the results and `info` say it."""
        for family, header, name in (("ipv4", 28, "IPv4"), ("ipv6", 48, "IPv6"), (None, 48, "IPv6")):
            emulator = self.compile(model(BOTH, CBR.replace("{", f"{{ family = {family}, ") if family else CBR))
            [workload] = self.simulate(emulator)["workloads"]
            self.assertAlmostEqual(workload["delay_seconds"]["min"], 3 * ((1000 + header) * 8 / 10e6 + 1e-3), places=8)
            self.assertEqual(workload["family"], name)
            self.assertEqual(json.loads(run(emulator, "info", "--json").stdout)["workloads"],
                             [{"name": "w", "kind": "traffic.Cbr", "hosts": 1, "family": name}])
            self.assertIn(f"traffic.Cbr, {name}", run(emulator, "info").stdout)

    def test_each_kind_of_workload_chooses(self):
        """What a family costs is the same for all that take part: runs over IPv4 are those of a model without IPv6."""
        four = [w.replace("{", "{ family = ipv4, ") for w in (CBR, PING, BULK, WEB)]
        chosen, alone = (self.simulate(self.compile(model(*m))) for m in ((BOTH, *four), (FOUR, CBR, PING, BULK, WEB)))
        self.assertEqual(chosen["digest"], alone["digest"])
        self.assertEqual(chosen["workloads"], alone["workloads"])

    def test_a_rate_is_that_of_the_family(self):
        by_rate = CBR.replace("interval = 100 ms", "rate = 1 Mbps")
        for family, header in (("ipv4", 28), ("ipv6", 48)):
            [workload] = self.simulate(self.compile(model(BOTH, by_rate.replace("{", f"{{ family = {family}, "))))["workloads"]
            self.assertAlmostEqual(workload["datagrams"]["sent"], 20 * 1e6 / 8 / (1000 + header), delta=1)

    def test_sums_of_both_families_have_none(self):
        text = model(BOTH, "for i in 0 ..< 2 { workload w[i] : traffic.Cbr on a[i] { to = b, interval = 100 ms, port = 9 + i, "
                           "family = if i == 0 then ipv4 else ipv6 } }")
        [total] = self.simulate(self.compile(text))["sums"]
        self.assertNotIn("family", total)

    def test_any_threads(self):
        emulator = self.compile(model(BOTH, CBR, PING, BULK, WEB), "-D", "payload=4000B", "-D", "mid=1280B", "--tasks", 3)
        digests = {self.simulate(emulator, "--threads", threads)["digest"] for threads in (1, 3)}
        self.assertEqual(len(digests), 1)
        again = self.compile(model(BOTH, CBR, PING, BULK, WEB), "-D", "payload=4000B", "-D", "mid=1280B", "--tasks", 3, "-O", 2)
        self.assertEqual(self.simulate(again)["digest"], digests.pop())

    def fields(self, file, *names):
        asked = [word for name in names for word in ("-e", name)]
        text = run("tshark", "-r", file, "-o", "ip.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-o",
                   "udp.check_checksum:TRUE", "-T", "fields", *asked).stdout
        return [line.split("\t") for line in text.splitlines()]

    @unittest.skipUnless(shutil.which("tshark"), "needs tshark")
    def test_captures(self):
        emulator = self.compile(model(SIX, CBR, PING, BULK), "-D", "payload=3000B", "-D", "mid=1400B")
        file = self.fresh("six.pcap")
        self.simulate(emulator, "--capture", f"mid={file}", "--for", "3s")
        rows = self.fields(file, "ipv6.src", "ipv6.dst", "ipv6.nxt", "tcp.checksum.status", "udp.checksum.status",
                           "icmpv6.checksum.status", "_ws.malformed", "ip.version")
        self.assertGreater(len(rows), 100)
        self.assertEqual({row[7] for row in rows}, {"6"})
        self.assertEqual({row[0] for row in rows} | {row[1] for row in rows},
                         {f"2001:db8::{i}" for i in (1, 2, 3, 4)})
        for row in rows:
            self.assertEqual(row[6], "")
            self.assertTrue(all(status in ("", "1") for status in row[3:6]), row)
        types = {row[0] for row in self.fields(file, "icmpv6.type") if row[0]}
        self.assertLessEqual({"128", "129"}, types)


if __name__ == "__main__":
    unittest.main()
