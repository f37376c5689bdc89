"""Selective acknowledgments, window scaling and timestamps against Linux's own TCP, over a link whose queue is short.

Linux counts in each namespace what its TCP thinks of ours: blocks that it cannot use, segments that it had already.
"""
import json
import unittest

from netlab import Lab, info, on_a_busy_machine, run, wait_until
from test_traffic import SINK

MODEL = """
import std.ether
import std.tcp
import std.traffic
import std.web

model Sack {
  endpoint server { address = 10.0.0.80 }
  router r
  host client[4] { tcp = tcp.linux }
  link client[*] -- r : ether.fast { delay = 5 ms }
  link entry: r -- server { rate = 20 Mbps, delay = 10 ms, queue = droptail_packets(PACKETS) }
  workload flow : WORKLOAD
  run { duration = 6 s }
}
"""
# All connect before the queue fills: a SYN is sent once.
UPLOAD = "traffic.Bulk on client[*] { to = server, start_spread = 10 ms, size = 2 MB, transfers = 1 }"
DOWNLOAD = "web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 MB), start_spread = 300 ms }"


class Sack(unittest.TestCase):
    def live(self, lab, workload, packets, command):
        """Results and a capture of a live run against the command, and what its namespace's TCP counted."""
        emulator = lab.compile(MODEL.replace("WORKLOAD", workload).replace("PACKETS", str(packets)))
        host, inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(host, "eth0", inside, "veth0")
        lab.run_in(host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        lab.run_in(host, "ethtool", "-K", "eth0", "tso", "off", "gso", "off", "gro", "off")
        server = lab.start(*command, space=host)
        wait_until(lambda: ":80 " in (listening := lab.run_in(host, "ss", "-ltn").stdout) or ":9 " in listening, 10,
                   "the server")
        results, capture = lab.folder / "live.json", lab.folder / "entry.pcap"
        lab.run_in(inside, emulator, "live", "--attach", "server=if:veth0", "--results", results,
                   "--capture", f"entry={capture}")
        counted = lab.run_in(host, "cat", "/proc/net/netstat", "/proc/net/snmp").stdout.splitlines()
        linux = {}
        for kind in ("TcpExt:", "Tcp:"):
            names, values = (line.split()[1:] for line in counted if line.startswith(kind))
            linux.update(zip(names, map(int, values)))
        return json.loads(results.read_text()), capture, linux, server

    def assertOptionsClean(self, capture):
        """Every SYN offers all three, blocks are seen, and nothing is malformed."""
        def matching(condition):
            return run("tshark", "-n", "-r", capture, "-Y", condition).stdout.splitlines()
        self.assertEqual(matching("_ws.malformed || _ws.expert.severity >= 0x800000"), [])
        syns = "tcp.flags.syn == 1"
        offers = "tcp.options.sack_perm && tcp.options.wscale.shift && tcp.options.timestamp.tsval"
        self.assertEqual(matching(f"{syns} && !({offers})"), [])
        self.assertGreaterEqual(len(matching(f"{syns} && tcp.flags.ack == 0")), 4)
        self.assertGreater(len(matching("tcp.options.sack.count")), 20)

    @on_a_busy_machine
    def test_we_send_and_linux_reports_the_holes(self):
        with Lab() as lab:
            results, capture, linux, server = self.live(lab, UPLOAD, 20, ["python3", "-c", SINK])
            self.assertOptionsClean(capture)
            workload = results["workloads"][0]
            self.assertEqual((workload["transfers"]["completed"], workload["transfers"]["failed"]), (4, 0))
            self.assertIn(f"total {4 * 2 * 2**20}\n", server.output())
            lost = results["packets"]["dropped"]["queue"]
            self.assertGreater(lost, 20)
            self.assertGreaterEqual(results["retransmissions"], lost)
            # What Linux had already was sent for nothing: it answers with a duplicate block (RFC 2883). On a busy machine answers come late,
            # and time-outs are right to come before them.
            needless = linux["TCPDSACKOldSent"] + linux["TCPDSACKOfoSent"]
            if results["live"]["slip_seconds"]["p99"] < 0.002:
                self.assertLessEqual(needless, 0.1 * results["retransmissions"])
            self.assertGreater(linux["TCPOFOQueue"], 0)

    @on_a_busy_machine
    def test_linux_sends_and_we_report_the_holes(self):
        with Lab() as lab:
            command = [*lab.nginx({"/1048576": 1 << 20}), "-g", "daemon off;"]
            results, capture, linux, _ = self.live(lab, DOWNLOAD, 20, command)
            transactions = results["transactions"]
            self.assertEqual(transactions["failed"], 0)
            self.assertGreater(transactions["completed"], 2)
            self.assertGreater(results["packets"]["dropped"]["queue"], 10)
            self.assertOptionsClean(capture)
            self.assertGreater(linux["TCPSackRecovery"], 0)
            self.assertEqual(linux["TCPRenoRecovery"], 0)   # never without our blocks
            self.assertEqual(linux["TCPSACKDiscard"], 0)    # all of which it could use
            self.assertEqual(linux["TCPSACKReneging"], 0)
            self.assertEqual(linux["PAWSEstab"], 0)
            # What Linux sent again is counted where it enters; it may go on a little when the run has ended.
            sent_again = results["live"]["host_retransmissions"]
            self.assertGreater(sent_again, 10)
            self.assertAlmostEqual(sent_again, linux["RetransSegs"], delta=3 + 0.02 * sent_again)


if __name__ == "__main__":
    unittest.main()
