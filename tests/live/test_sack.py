"""Selective acknowledgments, window scaling and timestamps against Linux's own TCP, over a link whose queue is short.

Linux counts in each namespace what its TCP thinks of ours: blocks that it cannot use, segments that it had already.
"""
import json
import unittest

from netlab import Lab, by_the_clock, main, run, wait_until
from test_traffic import SINK

MODEL = """
import std.ether
import std.tcp
import std.traffic
import std.web

profile reads : Tcp { receive_buffer = 64 KB, read_rate = 400 Kbps }

model Sack {
  endpoint server { address = 10.0.0.80 }
  router r
  host client[4] { tcp = SETTINGS }
  link client[*] -- r : ether.fast { delay = 5 ms }
  link entry: r -- server { rate = 20 Mbps, delay = 10 ms, queue = droptail(packets = PACKETS) }
  workload flow : WORKLOAD
  run { duration = 5 s }
}
"""
# All connect before the queue fills: a SYN is sent once.
UPLOAD = "traffic.Bulk on client[*] { to = server, start_spread = 10 ms, size = 2 MB, transfers = 1 }"
DOWNLOAD = "web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 MB), start_spread = 300 ms }"

SLOW_DOWNLOAD = "web.ClosedLoop on client[*] { server = server, documents = web.fixed(256 KB), start_spread = 0 s, think = 100 s }"


class Sack(unittest.TestCase):
    def live(self, lab, workload, packets, command, tcp="tcp.linux"):
        """Results and a capture of a live run against the command, and what its namespace's TCP counted."""
        emulator = lab.compile(MODEL.replace("WORKLOAD", workload).replace("PACKETS", str(packets)).replace("SETTINGS", tcp))
        host, inside = lab.host_outside(emulator)
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

    @by_the_clock("the time of a download, within 10 %, by the rate at which clients read")
    def test_linux_sends_and_we_read_slowly(self):
        """A document takes the time that it needs to be read. Linux has filled each window, and its right edge never moved back."""
        with Lab() as lab:
            command = [*lab.nginx({"/262144": 1 << 18}), "-g", "daemon off;"]
            results, capture, _, _ = self.live(lab, SLOW_DOWNLOAD, 1000, command, "reads")
            self.assertEqual((results["transactions"]["completed"], results["transactions"]["failed"]), (4, 0))
            reads = (2**18 - 2**16) * 8 / 400e3  # what is left in the buffer is read later
            self.assertAlmostEqual(results["response_time_seconds"]["mean"] / reads, 1, delta=0.1)
            names = ("ip.src", "tcp.dstport", "tcp.ack", "tcp.window_size", "tcp.flags.syn")
            rows = run("tshark", "-n", "-r", capture, "-Y", "tcp", "-T", "fields", "-E", "separator=|", *(o for name in names for o in ("-e", name)))
            edges, least = {}, {}
            for row in rows.stdout.splitlines():
                client, to, acknowledgment, window, syn = row.split("|")
                if to != "80" or syn in ("1", "True"):
                    continue
                self.assertGreaterEqual(int(acknowledgment) + int(window), edges.get(client, 0))
                edges[client] = int(acknowledgment) + int(window)
                least[client] = min(int(window), least.get(client, 1 << 16))
            self.assertEqual(len(least), 4)
            self.assertLess(max(least.values()), 2 * 1448)  # of 65536: as good as closed

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

    @by_the_clock("how much is sent for nothing, 10 %, which time-outs add to")
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
            # What Linux had already was sent for nothing: it answers with a duplicate block (RFC 2883). If answers come late, time-outs are
            # right to come before them.
            needless = linux["TCPDSACKOldSent"] + linux["TCPDSACKOfoSent"]
            self.assertLessEqual(needless, 0.1 * results["retransmissions"], results["live"]["slip_seconds"])
            self.assertGreater(linux["TCPOFOQueue"], 0)

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
            # With nobody left to answer, each of the four tries again some times until its kernel is asked.
            more = linux["RetransSegs"] - sent_again
            self.assertTrue(-3 - 0.02 * sent_again <= more <= 3 + 0.02 * sent_again + 4 * 4, (sent_again, linux["RetransSegs"]))


if __name__ == "__main__":
    main()
