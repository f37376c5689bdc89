"""Captures of simulated runs: every packet is well formed, and a transaction is the paper's sequence of segments."""
import unittest

from emulators import ROOT, WAN, EmulatorTest, run

STRICT = ("-o", "udp.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE")
SERVER = "10.0.0.80"
MISTAKES = "_ws.malformed || ip.checksum.status == 0 || tcp.checksum.status == 0 || _ws.expert.severity >= 0x800000"


def tshark(capture, *options):
    return run("tshark", "-n", *STRICT, "-r", capture, *options).stdout


def fields(capture, names, condition="ip"):
    """One dictionary per packet."""
    options = [o for name in names for o in ("-e", name)]
    rows = tshark(capture, "-Y", condition, "-T", "fields", "-E", "separator=|", *options).splitlines()
    return [dict(zip(names, row.split("|"))) for row in rows]


def flags(row):
    value = int(row["tcp.flags"], 16)
    return "".join(letter for bit, letter in ((2, "S"), (16, "A"), (8, "P"), (1, "F"), (4, "R")) if value & bit)


class Capture(EmulatorTest):
    NAMES = ("frame.time_relative", "ip.src", "tcp.flags", "tcp.len", "tcp.seq", "tcp.ack", "tcp.srcport",
             "tcp.options.mss_val", "tcp.window_size_value", "ip.ttl", "ip.len")

    def capture(self, emulator, link, *options):
        file = self.fresh("link.pcap")
        results = self.simulate(emulator, "--capture", f"{link}={file}", *options)
        return file, results

    def assertClean(self, capture, *also):
        self.assertEqual(tshark(capture, "-Y", " || ".join((MISTAKES, *also))), "")

    def conversation(self, capture, stream=0):
        rows = fields(capture, self.NAMES, f"tcp.stream == {stream}")
        return [(">" if row["ip.src"] != SERVER else "<", flags(row), int(row["tcp.len"]), int(row["tcp.seq"]),
                 int(row["tcp.ack"])) for row in rows], rows

    def test_a_transaction_after_the_paper(self):
        emulator = self.compile(WAN, "-D", "N=2", "-D", "H=2")
        capture, results = self.capture(emulator, "net[1].edge[1]", "--for", "300ms")
        self.assertClean(capture, "tcp.flags.reset == 1", "tcp.analysis.flags")
        transactions = results["transactions"]
        request = transactions["request_bytes"] // transactions["completed"]
        response = transactions["response_bytes"] // transactions["completed"]
        segments, rows = self.conversation(capture)
        self.assertEqual(segments, [
            (">", "S", 0, 0, 0),
            ("<", "SA", 0, 0, 1),
            (">", "A", 0, 1, 1),
            (">", "AP", request, 1, 1),
            ("<", "A", 0, 1, request + 1),
            ("<", "AP", response, 1, request + 1),  # after the service time
            (">", "A", 0, request + 1, response + 1),
            ("<", "AF", 0, response + 1, request + 1),  # the paper's server waits for the acknowledgement of its data
            (">", "AF", 0, request + 1, response + 2),
            ("<", "A", 0, response + 2, request + 2),
        ])
        self.assertEqual([rows[0]["tcp.options.mss_val"], rows[1]["tcp.options.mss_val"]], ["1460", "1460"])
        self.assertEqual(rows[0]["tcp.window_size_value"], "65535")
        # Behind two routers and a switch: the server's packets have lost 2 of their TTL, the client's none.
        self.assertEqual({row["ip.ttl"] for row in rows if row["ip.src"] != SERVER}, {"64"})
        self.assertEqual({row["ip.ttl"] for row in rows if row["ip.src"] == SERVER}, {"62"})

    def test_closing_at_once_sends_the_fin_with_the_data(self):
        text = WAN.read_text().replace("service = 1.8 ms", "service = 1.8 ms, close = at_once")
        capture, _ = self.capture(self.compile(text, "-D", "N=1", "-D", "H=1"), "entry", "--for", "100ms")
        self.assertClean(capture, "tcp.flags.reset == 1", "tcp.analysis.flags")
        segments, _ = self.conversation(capture)
        fin = next(i for i, segment in enumerate(segments) if segment[0] == "<" and "F" in segment[1])
        self.assertFalse(any(s[0] == ">" and s[4] > 1 for s in segments[:fin]), "the data was acknowledged before the FIN")

    def test_ports_are_sequential(self):
        capture, _ = self.capture(self.compile(WAN, "-D", "N=1", "-D", "H=1"), "net[0].edge", "--for", "500ms")
        ports = [int(row["tcp.srcport"]) for row in fields(capture, self.NAMES, "tcp.flags.syn == 1 && tcp.flags.ack == 0")]
        self.assertGreater(len(ports), 20)
        self.assertEqual(ports, list(range(ports[0], ports[0] + len(ports))))

    def test_a_small_mtu_shows_in_the_mss(self):
        emulator = self.compile(WAN, "-D", "N=1", "-D", "H=1", "-D", "mtu=576 B")
        capture, _ = self.capture(emulator, "entry", "--for", "200ms")
        self.assertClean(capture, "tcp.flags.reset == 1", "tcp.analysis.flags")
        rows = fields(capture, self.NAMES)
        self.assertEqual({row["tcp.options.mss_val"] for row in rows} - {""}, {"536"})
        self.assertEqual(max(int(row["ip.len"]) for row in rows), 576)

    def test_losses_leave_no_wrong_packet(self):
        """A queue that overflows: retransmissions, and still no bad checksum and no RST that nothing explains."""
        text = WAN.read_text().replace("web.fixed(1 KB)", "web.fixed(64 KB)")
        emulator = self.compile(text, "-D", "N=1", "-D", "H=16")
        capture, results = self.capture(emulator, "entry", "--for", "2s", "--set", "Q=8KB")
        self.assertGreater(results["packets"]["dropped"]["queue"], 0)
        self.assertGreater(results["retransmissions"], 0)
        self.assertClean(capture)
        # The client resets only a SYN/ACK that comes after it gave up, 5 s later than this run ends.
        self.assertEqual(tshark(capture, "-Y", "tcp.flags.reset == 1"), "")
        bodies = fields(capture, ("http.response.code",), "http.response")
        self.assertEqual({row["http.response.code"] for row in bodies}, {"200"})

    def test_datagrams_and_bulk_data(self):
        """Their checksums are right, datagrams say whose they are and which, and a finished transfer closes in order."""
        text = (ROOT / "examples/dumbbell/dumbbell.anml").read_text()
        text = text.replace("to = receiver[*],", "to = receiver[*], size = 50 KB, transfers = 1,")
        capture, results = self.capture(self.compile(text), "middle", "--for", "2s", "--set", "buffer=1MB")
        self.assertClean(capture, "udp.checksum.status == 0", "tcp.flags.reset == 1", "tcp.analysis.flags")
        names = ("udp.srcport", "udp.dstport", "udp.length", "ip.len", "ip.flags.df", "data.data")
        rows = fields(capture, names, "udp")
        self.assertEqual(len(rows), 100)
        for number, row in enumerate(rows):
            self.assertEqual((row["udp.dstport"], row["udp.length"], row["ip.len"]), ("9", "168", "188"))
            said = bytes.fromhex(row["data.data"].replace(":", ""))
            self.assertEqual(said, f"call {number}\n".encode().ljust(160, b"\0"))
        self.assertEqual(results["workloads"][0]["transfers"]["completed"], 2)
        fins = fields(capture, ("tcp.stream", "ip.src"), "tcp.flags.fin == 1")
        self.assertEqual(len({(row["tcp.stream"], row["ip.src"]) for row in fins}), 4)

    def test_accurate_ecn_is_well_formed(self):
        """RFC 9768: the flags of the handshake, the field ACE, and the option where there is room."""
        text = """
import std.queue
import std.traffic
profile accurate : Tcp { ecn = accurate }
model Marked {
  host a { tcp = accurate }
  host b { tcp = accurate }
  router r
  link near: a -- r { rate = 1 Gbps, delay = 1 ms }
  link out: r -- b { rate = 10 Mbps, delay = 5 ms, queue = queue.threshold(1 MB, mark = 20 KB), down { loss = 5 % } }
  workload flow : traffic.Bulk on a { to = b, size = 500 KB, transfers = 1, start_spread = 0 s }
  run { duration = 5 s }
}
"""
        capture, results = self.capture(self.compile(text), "near", "--for", "5s")
        self.assertClean(capture)
        names = ("ip.src", "tcp.flags", "tcp.flags.ae", "tcp.len", "tcp.hdr_len", "tcp.options.acc_ecn.ee0b", "tcp.options.acc_ecn.eceb", "tcp.options.acc_ecn.ee1b")
        rows = fields(capture, names, "tcp")
        self.assertEqual([row["tcp.flags"] for row in rows[:3]], ["0x01c2", "0x0092", "0x0090"])  # asks; the SYN, and the SYN/ACK, was not ECT
        self.assertEqual(rows[1]["tcp.options.acc_ecn.ee0b"], "1")
        # Pure acknowledgments: the last segment has a FIN.
        told = [row for row in rows[2:] if row["ip.src"] != rows[0]["ip.src"] and row["tcp.len"] == "0" and int(row["tcp.flags"], 16) & 1 == 0]
        self.assertGreater(len(told), 100)
        ect0, ce = (max(int(row[f"tcp.options.acc_ecn.{name}"] or 0) for row in told) for name in ("ee0b", "eceb"))
        self.assertLessEqual(ect0 - 1 + ce, 500 * 1024)  # what is sent again is not ECT, and the last acknowledgments may be lost
        self.assertGreater(ect0 - 1 + ce, 490 * 1024)
        self.assertGreater(ce, 20_000)
        self.assertEqual({row["tcp.options.acc_ecn.ee1b"] for row in rows}, {""})  # it has never grown
        self.assertEqual({row["tcp.hdr_len"] for row in told}, {"40"})  # 20, timestamps 12, the option 8
        self.assertEqual({row["tcp.options.acc_ecn.ee0b"] for row in rows if int(row["tcp.len"]) > 0}, {""})

    def test_options_are_well_formed(self):
        """SACK, window scaling and timestamps where a short queue loses packets of bulk data."""
        text = """
import std.ether
import std.tcp
import std.traffic
model Options {
  host a[4] { tcp = tcp.linux }
  host b { tcp = tcp.linux }
  router r
  link a[*] -- r : ether.fast { delay = 2 ms }
  link out: r -- b { rate = 20 Mbps, delay = 5 ms, queue = droptail(packets = 15) }
  workload flow : traffic.Bulk on a[*] { to = b, start_spread = 10 ms, size = 500 KB, transfers = 1 }
  run { duration = 5 s }
}
"""
        capture, results = self.capture(self.compile(text), "out", "--for", "5s")
        self.assertClean(capture)
        self.assertGreater(results["packets"]["dropped"]["queue"], 20)
        self.assertEqual(results["workloads"][0]["transfers"]["completed"], 4)
        offers = ("tcp.options.sack_perm", "tcp.options.wscale.shift", "tcp.options.timestamp.tsval")
        syns = fields(capture, offers + ("tcp.hdr_len",), "tcp.flags.syn == 1")
        self.assertEqual(len(syns), 8)
        for row in syns:
            self.assertTrue(all(row[name] for name in offers), row)
            self.assertEqual(row["tcp.hdr_len"], "40")
        self.assertEqual(tshark(capture, "-Y", "tcp && !tcp.options.timestamp.tsval"), "")
        # Windows that grow do not fit the field unscaled.
        self.assertNotEqual(tshark(capture, "-Y", "tcp.window_size > 100000"), "")
        names = ("tcp.ack", "tcp.options.sack.count", "tcp.options.sack_le", "tcp.options.sack_re", "tcp.hdr_len")
        reports = fields(capture, names, "tcp.options.sack.count")
        self.assertGreater(len(reports), 20)
        self.assertEqual({row["tcp.options.sack.count"] for row in reports}, {"1", "2", "3"})
        for row in reports:
            left = list(map(int, row["tcp.options.sack_le"].split(",")))
            right = list(map(int, row["tcp.options.sack_re"].split(",")))
            self.assertEqual(int(row["tcp.hdr_len"]), 20 + 12 + 4 + 8 * len(left))
            for begin, end in zip(left, right):
                self.assertLess(int(row["tcp.ack"]), begin)
                self.assertLess(begin, end)
        echoes = fields(capture, ("tcp.srcport", "tcp.dstport", "ip.src", "tcp.options.timestamp.tsval"), "tcp")
        latest = {}
        for row in echoes:
            sender = (row["ip.src"], row["tcp.srcport"], row["tcp.dstport"])
            value = int(row["tcp.options.timestamp.tsval"])
            self.assertGreaterEqual(value, latest.get(sender, value))
            latest[sender] = value

    def test_fast_open_and_keep_alive(self):
        """RFC 7413: a SYN that asks for a cookie, a SYN/ACK with it, and SYNs with it and the request, over IPv4 and IPv6; and probes, as tshark knows them."""
        text = """
import std.web
model Open {
  addressing { pool = POOL }
  profile fast : Tcp { fast_open = true, timestamps = STAMPS, keep_alive = 20 ms }
  host a { tcp = fast }
  endpoint b { simulated = web.server(service = 50 ms), tcp = fast }
  link x: a -- b { rate = 10 Mbps, delay = 5 ms }
  workload w : web.ClosedLoop on a { server = b, documents = web.fixed(1 KB), start_spread = 0 s WORKLOAD }
  run { duration = 1 s }
}
"""
        # What a request is made of: content, or real bytes.
        for pool, stamps, workload, head in (("10.0.0.0/8", "true", "", 52), ("10.0.0.0/8", "false", "", 44),
                                             ("2001:db8::/64", "true", ", cookies = true", 52)):
            made = text.replace("POOL", pool).replace("STAMPS", stamps).replace("WORKLOAD", workload)
            if workload:
                made = made.replace("service = 50 ms", "service = 50 ms, cookie = true")
            capture, results = self.capture(self.compile(made), "x")
            self.assertClean(capture)
            self.assertGreater(results["transactions"]["completed"], 12)
            names = ("tcp.flags", "tcp.len", "tcp.ack_raw", "tcp.hdr_len", "tcp.options.tfo.request", "tcp.options.tfo.cookie", "http.request.uri")
            syns = fields(capture, names, "tcp.flags.syn == 1 && tcp.flags.ack == 0")
            replies = fields(capture, names, "tcp.flags.syn == 1 && tcp.flags.ack == 1")
            self.assertNotEqual(syns[0]["tcp.options.tfo.request"], "")
            self.assertEqual((syns[0]["tcp.len"], syns[0]["tcp.options.tfo.cookie"]), ("0", ""))
            granted = replies[0]["tcp.options.tfo.cookie"]
            self.assertEqual(len(granted), 16)
            for row in syns[1:]:
                self.assertEqual((row["tcp.options.tfo.cookie"], row["tcp.ack_raw"]), (granted, "0"))
                self.assertEqual(int(row["tcp.hdr_len"]), head)
                self.assertGreater(int(row["tcp.len"]), 20)
            self.assertEqual({row["tcp.options.tfo.cookie"] for row in replies[1:]}, {""})
            # The request is read from the SYN.
            uris = fields(capture, ("tcp.flags.syn", "http.request.uri"), "http.request")
            self.assertGreater(sum(row["tcp.flags.syn"] in ("1", "True") for row in uris), 10)
            # While the server works nothing comes for 20 ms, twice.
            self.assertGreater(len(fields(capture, ("tcp.len",), "tcp.analysis.keep_alive")), 12)
            self.assertGreater(len(fields(capture, ("tcp.len",), "tcp.analysis.keep_alive_ack")), 12)

    def test_a_back_end_of_a_forgotten_session_is_reset(self):
        emulator = self.compile("""
import std.middlebox
import std.web
model M {
  endpoint slow { simulated = web.server(service = 5 s) }
  router lb { middlebox = middlebox.load_balancer(middlebox.back_end(slow), tcp_timeout = 1 s, tcp_transitory_timeout = 1 s) }
  host client
  link up: client -- lb { rate = 100 Mbps, delay = 5 ms }
  link last: slow -- lb { rate = 1 Gbps, delay = 0.1 ms }
  workload shop : web.OpenLoop on client { server = lb, documents = web.fixed(10 KB), interval = 20 s }
  run { duration = 19 s, warmup = 0 s }
}
""")
        capture, _ = self.capture(emulator, "last")
        self.assertClean(capture)
        rows = fields(capture, self.NAMES)
        back_end = next(row["ip.src"] for row in rows if flags(row) == "SA")
        answers = [row for row in rows if row["ip.src"] == back_end and int(row["tcp.len"]) > 0]
        resets = [row for row in rows if row["ip.src"] != back_end and "R" in flags(row)]
        # The session is over before the answer, each segment of which the router refuses; so nothing is sent again.
        self.assertEqual(len(answers), 8)
        self.assertEqual(len(resets), len(answers))

    def test_directions_are_captured_apart(self):
        emulator = self.compile(WAN, "-D", "N=1", "-D", "H=2")
        both, _ = self.capture(emulator, "entry", "--for", "100ms")
        one, _ = self.capture(emulator, "entry>", "--for", "100ms")
        other, _ = self.capture(emulator, "entry<", "--for", "100ms")
        senders = [{row["ip.src"] == SERVER for row in fields(capture, self.NAMES)} for capture in (one, other)]
        self.assertEqual(senders, [{False}, {True}])
        count = [len(fields(capture, self.NAMES)) for capture in (both, one, other)]
        self.assertEqual(count[0], count[1] + count[2])


if __name__ == "__main__":
    unittest.main()
