"""Explicit congestion notification with Linux's TCP. A kernel that knows accurate feedback (net.ipv4.tcp_ecn = 3) has it with us; others, whose
answer to our SYN is RFC 3168's, are spoken to as they know it."""
import unittest

from netlab import Lab, info, run, wait_until
from test_traffic import SINK

MODEL = """
import std.ether
import std.queue
import std.traffic

profile accurate : Tcp { ecn = accurate }

model Marks {
  endpoint server { address = 10.0.0.80 }
  router r
  host client { tcp = accurate }
  link client -- r : ether.fast { delay = 5 ms }
  link entry: r -- server { rate = 10 Mbps, delay = 10 ms, queue = queue.threshold(1 MB, mark = 15 KB) }
  workload flow : traffic.Bulk on client { to = server, start_spread = 10 ms, size = 2 MB, transfers = 1 }
  run { duration = 8 s }
}
"""


class Ecn(unittest.TestCase):
    def upload(self, lab, tcp_ecn):
        """Rows of the capture at the server's link, and results, of a transfer to a Linux with this setting; None: it has no such."""
        emulator = lab.compile(MODEL)
        host, inside = lab.namespace("h"), lab.namespace("e")
        if lab.run_in(host, "sysctl", "-q", f"net.ipv4.tcp_ecn={tcp_ecn}", check=False).returncode != 0 or \
           lab.run_in(host, "sysctl", "-n", "net.ipv4.tcp_ecn").stdout.strip() != str(tcp_ecn):
            return None
        lab.veth(host, "eth0", inside, "veth0")
        lab.run_in(host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        lab.run_in(host, "ethtool", "-K", "eth0", "tso", "off", "gso", "off", "gro", "off")
        lab.start("python3", "-c", SINK, space=host)
        wait_until(lambda: ":9 " in lab.run_in(host, "ss", "-ltn").stdout, 10, "the server")
        capture = lab.folder / "entry.pcap"
        lab.run_in(inside, emulator, "live", "--attach", "server=if:veth0", "--capture", f"entry={capture}")
        self.assertEqual(run("tshark", "-n", "-r", capture, "-Y", "_ws.malformed").stdout, "")
        names = ("ip.src", "tcp.flags", "ip.dsfield.ecn", "tcp.len", "tcp.options.acc_ecn.eceb")
        rows = run("tshark", "-n", "-r", capture, "-Y", "tcp", "-T", "fields", "-E", "separator=|", *(o for name in names for o in ("-e", name)))
        return [(there == "10.0.0.80", int(flags, 16), int(codepoint), int(length), int(ceb or 0))
                for there, flags, codepoint, length, ceb in (row.split("|") for row in rows.stdout.splitlines())]

    def labelled(self, rows):
        return sum(codepoint != 0 for linux, flags, codepoint, length, ceb in rows if not linux and length > 0)

    def test_a_linux_that_knows_rfc_3168_is_spoken_to_so(self):
        with Lab() as lab:
            rows = self.upload(lab, 1)
            self.assertEqual([flags for _, flags, *_ in rows[:3]], [0x1c2, 0x052, 0x010])
            self.assertGreater(self.labelled(rows), 1000)
            marked = sum(codepoint == 3 for linux, flags, codepoint, length, ceb in rows if not linux)
            echoed = sum(flags & 0x40 != 0 for linux, flags, *_ in rows[2:] if linux)
            reduced = sum(flags & 0x80 != 0 for linux, flags, *_ in rows[2:] if not linux)
            self.assertGreater(marked, 10)
            self.assertGreater(echoed, 10)
            self.assertGreater(reduced, 3)
            self.assertEqual([flags for _, flags, *_ in rows[2:] if flags & 0x100], [])

    def test_a_linux_without_ecn_is_spoken_to_without(self):
        with Lab() as lab:
            rows = self.upload(lab, 0)
            self.assertEqual([flags for _, flags, *_ in rows[:3]], [0x1c2, 0x012, 0x010])
            self.assertEqual(self.labelled(rows), 0)

    def test_a_linux_that_knows_accurate_feedback_has_it_with_us(self):
        with Lab() as lab:
            rows = self.upload(lab, 3)
            if rows is None:
                self.skipTest("this kernel has no net.ipv4.tcp_ecn = 3")
            self.assertEqual([flags for _, flags, *_ in rows[:2]], [0x1c2, 0x092])
            marked = [length for linux, flags, codepoint, length, ceb in rows if not linux and codepoint == 3]
            self.assertGreater(len(marked), 10)
            self.assertEqual(max(ceb for linux, *_, ceb in rows if linux), sum(marked))


if __name__ == "__main__":
    unittest.main()
