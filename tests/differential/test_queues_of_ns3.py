"""Queue disciplines against ns-3's: the same packets at the same times come to a link (tests/bench/ns3/queues.cc), and as many are transmitted, dropped and
marked, after the same wait. Ours are decided by other random numbers, and some details differ; where, the numbers below say."""
import os
import pathlib
import random
import struct
import subprocess
import sys
import unittest

from emulators import EmulatorTest, run
from test_replay import LEFT, RIGHT, read_pcap, write_pcap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import frames  # noqa: E402

NS3 = os.environ.get("NS3_QUEUES", "")
RATE = 10_000_000
MODEL = """
import std.queue
model M {{
  endpoint left {{ address = 10.1.0.1 }}
  endpoint right {{ address = 10.2.0.1 }}
  router r
  link a: left -- r {{ rate = 1 Tbps }}
  link b: r -- right {{ rate = 10 Mbps, up {{ queue = {queue} }} }}
  run {{ duration = 60 s }}
}}
"""
RED = "queue.red(100 MB, minimum_threshold = 20 * 1000 B, maximum_threshold = 60 * 1000 B{})"
NS3_RED = "ns3::RedQueueDisc MaxSize=10000p MinTh=20 MaxTh=60 QW=0.002 LInterm=10 Gentle=true MeanPktSize=1000 LinkBandwidth=10Mbps Wait=false{}"
NS3_PIE = "ns3::PieQueueDisc MaxSize=10000p QueueDelayReference=15ms Tupdate=15ms MaxBurstAllowance=150ms UseDerandomization=true{}"
# Of ours and of ns-3, what comes, and how far drops and marks, packets of each flow, and the mean wait may be apart.
CASES = {
    # Linux's arithmetic in units of 1.024 us, and a backlog of exactly one packet. With ECN ns-3 counts from now on after a mark, where Linux, as we, counts
    # from when it was due.
    "codel": ("queue.codel(100 MB)", "ns3::CoDelQueueDisc MaxSize=100000p", "changing", 0.03, 0.01, 0.03),
    "fq_codel": ("queue.fq_codel(100 MB, packets = 10000, ecn = false)", "ns3::FqCoDelQueueDisc MaxSize=10000p UseEcn=false", "changing", 0.03, 0.01, 0.05),
    # ns-3 looks at the wait of the last packet that left, we at that of one that would come: alike once it is steady.
    "pie": ("queue.pie(100 MB)", NS3_PIE.format(""), "steady", 0.02, 0.03, 0.1),
    # ns-3 counts packets that wait, we bytes and what is left of the one in transmission. Its default spreads drops otherwise (Wait).
    "red": (RED.format(""), NS3_RED.format(""), "changing", 0.05, 0.03, 0.02),
    "red with ECN": (RED.format(", ecn = true"), NS3_RED.format(" UseEcn=true UseHardDrop=true"), "light", 0.1, 0.05, 0.05),
}


def arrivals(kind):
    """For 30 s packets of 1000 B of four flows, one of which can't be marked, for a link that carries 1250 a second: at changing loads, or a steady one."""
    low, high = {"changing": (0.6, 2), "light": (0.5, 1.35), "steady": (1.2, 1.2)}[kind]
    draw, at, packets = random.Random(17), 0, []
    while at < 30 * 10**9:
        load, end = draw.uniform(low, high), at + draw.randrange(2 * 10**9)
        while at < end:
            packets.append((at, min(draw.randrange(4), draw.randrange(4))))
            at += int(8e12 / RATE / load * draw.uniform(0.5, 1.5))
    return packets


def packet(number, flow):
    data = bytearray(frames.ip(LEFT, RIGHT, 17, frames.udp(LEFT, RIGHT, 4000 + flow, 9000, struct.pack("!I", number) + bytes(968)),
                               identification=number % 65536))
    if flow != 3:
        data[1] |= 2  # ECT(0)
        data[10:12] = b"\0\0"
        data[10:12] = struct.pack("!H", frames.checksum(bytes(data[:20])))
    assert len(data) == 1000
    return bytes(data)


@unittest.skipUnless(NS3, "ns-3 is not there")
class QueuesOfNs3(EmulatorTest):
    def ours(self, queue, packets):
        """By flow: packets transmitted, marked, and the time that they waited."""
        given, captured = self.fresh("in.pcap"), self.fresh("b.pcap")
        write_pcap(given, [(at, packet(number, flow)) for number, (at, flow) in enumerate(packets)])
        emulator = self.compile(MODEL.format(queue=queue))
        run(emulator, "simulate", "--attach", f"left=pcap:{given}", "--attach", f"right=pcap:,{self.fresh('out.pcap')}", "--capture", f"b>={captured}")
        sums = {}
        for at, data in read_pcap(captured):
            number, = struct.unpack_from("!I", data, 28)
            came, flow = packets[number]
            one = sums.setdefault(flow, [0, 0, 0])
            one[0] += 1
            one[1] += data[1] & 3 == 3
            one[2] += at - came
        return sums

    def theirs(self, disc, packets):
        text = "".join(f"{at} 1000 {flow} {int(flow != 3)}\n" for at, flow in packets)
        kind, *attributes = disc.split()
        done = subprocess.run([NS3, kind, str(RATE), *attributes], input=text, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {flow: sums for flow, *sums in (map(int, line.split()) for line in done.stdout.splitlines())}

    def test_same_packets_same_fate(self):
        for name, (queue, disc, load, told, carried, waited) in CASES.items():
            with self.subTest(name):
                packets = arrivals(load)
                ours, theirs = self.ours(queue, packets), self.theirs(disc, packets)
                total = [[sum(flow[i] for flow in sums.values()) for i in range(3)] for sums in (ours, theirs)]
                dropped = [len(packets) - t[0] for t in total]
                waits = [t[2] / t[0] for t in total]
                print(f"{name}: dropped {dropped[0]} and {dropped[1]}, marked {total[0][1]} and {total[1][1]}, "
                      f"mean wait {waits[0] / 1e6:.2f} and {waits[1] / 1e6:.2f} ms, packets by flow "
                      f"{[ours[f][0] for f in range(4)]} and {[theirs[f][0] for f in range(4)]}")
                self.assertGreater(dropped[1] + total[1][1], 500)
                self.assertEqual(total[1][1] > 0, "ECN" in name)
                for one, other in ((dropped[0] + total[0][1], dropped[1] + total[1][1]), (dropped[0], dropped[1]), (total[0][1], total[1][1])):
                    self.assertLessEqual(abs(one - other), told * max(other, 100))
                for flow in range(4):
                    self.assertLessEqual(abs(ours[flow][0] - theirs[flow][0]), carried * theirs[flow][0])
                self.assertLessEqual(abs(waits[0] - waits[1]), waited * waits[1])


if __name__ == "__main__":
    unittest.main()
