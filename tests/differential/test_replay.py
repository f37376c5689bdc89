"""Capture files in the places of hosts: what enters is what they hold, when they hold it, and what leaves is written."""
import gzip
import json
import pathlib
import shutil
import struct
import sys
import unittest

import captures
from emulators import ROOT, EmulatorTest, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import frames  # noqa: E402

MODEL = """
import std.ether
import std.traffic
import std.web

model Replayed {{
  {left}
  endpoint right {{ address = 10.2.0.1 }}
  host other[2]
  router r
  router s
  link a: left -- r {{ rate = 10 Mbps, delay = 5 ms }}
  link m: r -- s {{ rate = 8 Mbps, delay = 1 ms, loss = 2 % }}
  link b: s -- right {{ rate = 10 Mbps, delay = 5 ms }}
  link c: other[0] -- r {{ rate = 10 Mbps, delay = 1 ms }}
  link d: other[1] -- s {{ rate = 10 Mbps, delay = 1 ms }}
  workload between : traffic.Cbr on other[0] {{ to = other[1], payload = 1200 B, interval = 2 ms }}
  {workload}
  run {{ duration = 3 s }}
}}
"""
LEFT, RIGHT, THIRD = "10.1.0.1", "10.2.0.1", "10.9.9.9"
ENDPOINT = MODEL.format(left="endpoint left { address = 10.1.0.1 }", workload="")
HOST = MODEL.format(left="host left { address = 10.1.0.1 }",
                    workload="workload sent : traffic.Cbr on left { to = right, payload = 700 B, interval = 1.3 ms }")
START = 1_700_000_000 * 10**9
ETHERNET, RAW, NULL, SLL, SLL2, IPV4 = 1, 101, 0, 113, 276, 228
MAC, ROUTER = bytes.fromhex("02aabbccdd01"), bytes.fromhex("02aabbccdd02")


def write_pcap(path, packets, link=RAW, nanoseconds=True):
    """Of (time in ns, bytes) or (time, bytes, the length on the wire)."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b23c4d if nanoseconds else 0xa1b2c3d4, 2, 4, 0, 0, 262144, link))
        for time, data, *length in packets:
            part = time % 10**9 if nanoseconds else time % 10**9 // 1000
            file.write(struct.pack("<IIII", time // 10**9, part, len(data), length[0] if length else len(data)) + data)


def read_pcap(path):
    """(time in ns, bytes) of each packet of a nanosecond pcap."""
    data = path.read_bytes()
    assert struct.unpack_from("<I", data)[0] == 0xa1b23c4d
    at, packets = 24, []
    while at < len(data):
        seconds, nanoseconds, length, _ = struct.unpack_from("<IIII", data, at)
        packets.append((seconds * 10**9 + nanoseconds, data[at + 16:at + 16 + length]))
        at += 16 + length
    return packets


def datagram(number, size=100, source=LEFT, target=RIGHT):
    return frames.ip(source, target, 17, frames.udp(source, target, 4000, 9000, bytes(size)), identification=number)


def numbers(packets):
    return [struct.unpack_from("!H", packet, 4)[0] for _, packet in packets]


class Replay(EmulatorTest):

    def setUp(self):
        super().setUp()
        self.emulator = self.compile(ENDPOINT)

    def replay(self, path, *options, code=0):
        """The results, and what the endpoint on the right received."""
        out, results = self.fresh("out.pcap"), self.fresh("results.json")
        done = run(self.emulator, "simulate", "--attach", f"left=pcap:{path}", "--attach", f"right=pcap:,{out}",
                   "--results", results, *options, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.said = done.stdout + done.stderr
        found = json.loads(results.read_text())
        self.digest = found["digest"]
        left, right = found["replay"]["endpoints"]
        self.assertEqual(right["written"], len(read_pcap(out)))
        self.assertEqual(left["read"], left["entered"] + sum(left["ignored"].values()))
        return {**left["ignored"], **left}, read_pcap(out)

    def test_is_the_host(self):
        """A host's packets, captured where they leave it and replayed, arrive when the host's own do, beside others and with loss."""
        host = self.compile(HOST)
        first, last = self.fresh("first.pcap"), self.fresh("last.pcap")
        run(host, "simulate", "--capture", f"a>={first}", "--capture", f"b>={last}")
        begun = read_pcap(first)
        # The run's beginning, which a file does not say, is that of its first packet: one that is no concern of the model's.
        marked = self.fresh("marked.pcap")
        write_pcap(marked, [(0, datagram(1, source=THIRD)), *begun])
        counted, arrived = self.replay(marked)
        sent = read_pcap(last)
        self.assertLess(len(sent), len(begun))  # some are lost
        self.assertEqual(counted["entered"], len(begun))
        self.assertEqual(counted["foreign"], 1)
        self.assertEqual([packet for _, packet in arrived], [packet for _, packet in sent][:len(arrived)])
        wire = (len(sent[0][1])) * 8 * 100  # ns at 10 Mbps
        self.assertEqual([time for time, _ in arrived], [time + wire + 5_000_000 for time, _ in sent][:len(arrived)])
        self.assertGreater(len(arrived), len(sent) - 8)  # those that are under way at the end
        before = self.digest
        self.replay(marked)
        self.assertEqual(self.digest, before)

    def test_link_types(self):
        packets = [(START + i * 2_000_000, datagram(i)) for i in range(20)]
        headers = {RAW: b"", IPV4: b"", NULL: struct.pack("<I", 2), ETHERNET: ROUTER + MAC + b"\x08\x00",
                   SLL: struct.pack("!HHH8sH", 4, 1, 6, MAC, 0x0800),
                   SLL2: struct.pack("!HHIHBB8s", 0x0800, 0, 1, 1, 4, 6, MAC)}
        expected = None
        for link, header in headers.items():
            for nanoseconds in (True, False):
                path = self.fresh(f"{link}.pcap")
                write_pcap(path, [(time, header + packet) for time, packet in packets], link, nanoseconds)
                counted, arrived = self.replay(path)
                self.assertEqual(counted["entered"], 20)
                expected = expected or arrived
                self.assertEqual(arrived, expected)
        self.assertGreater(len(expected), 10)

    @unittest.skipUnless(shutil.which("editcap"), "editcap writes pcapng")
    def test_pcapng(self):
        path, other = self.fresh("in.pcap"), self.fresh("in.pcapng")
        write_pcap(path, [(START + i * 2_000_000 + i, datagram(i)) for i in range(20)])
        run("editcap", "-F", "pcapng", path, other)
        counted, arrived = self.replay(path)
        self.assertEqual(self.replay(other), ({**counted, "in": str(other)}, arrived))

    def test_interfaces_of_pcapng(self):
        """Of one link type, with clocks of micro- and of nanoseconds."""
        def block(kind, body):
            length = struct.pack("<I", len(body) + 12)
            return struct.pack("<I", kind) + length + body + length
        blocks = block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)) + block(1, struct.pack("<HHI", ETHERNET, 0, 0)) \
            + block(1, struct.pack("<HHIHHB3xI", ETHERNET, 0, 0, 9, 1, 9, 0))
        for i in range(20):
            time, frame = START + i * 2_000_000, frames.ethernet(ROUTER, MAC, frames.IPV4, datagram(i))
            ticks = time if i % 2 else time // 1000
            blocks += block(6, struct.pack("<IIIII", i % 2, ticks >> 32, ticks & 0xffffffff, len(frame), len(frame)) + frame + bytes(-len(frame) % 4))
        plain, path = self.fresh("in.pcap"), self.fresh("in.pcapng")
        write_pcap(plain, [(START + i * 2_000_000, datagram(i)) for i in range(20)])
        path.write_bytes(blocks)
        counted, arrived = self.replay(plain)
        self.assertEqual(self.replay(path), ({**counted, "in": str(path)}, arrived))
        self.assertEqual(counted["entered"], 20)

    def test_what_is_left_to_devices(self):
        """A packet captured at its sender has not got its checksum, and is as large as its kernel made it."""
        good = datagram(1)
        pseudo = sum(struct.unpack("!4H", good[12:20])) + 17 + len(good) - 20
        while pseudo >> 16:
            pseudo = (pseudo & 0xffff) + (pseudo >> 16)
        partial = good[:26] + struct.pack("!H", pseudo) + good[28:]
        segment = frames.tcp(LEFT, RIGHT, 4000, 80, 1000, 1, 0x18, payload=bytes(range(250)) * 40)
        large = frames.ip(LEFT, RIGHT, 6, segment, identification=3)
        path = self.fresh("in.pcap")
        write_pcap(path, [(START, partial), (START + 10**8, large)])
        counted, arrived = self.replay(path)
        self.assertEqual((counted["read"], counted["entered"], counted["packets"]), (2, 2, 8))
        self.assertIn(good[20:], [packet[20:] for _, packet in arrived])
        parts = [packet for _, packet in arrived if packet[9] == 6]
        for packet in parts:
            self.assertLessEqual(len(packet), 1500)
            self.assertEqual(frames.transport_checksum(LEFT, RIGHT, 6, packet[20:]), 0)
        offsets = {struct.unpack_from("!I", packet, 24)[0] - 1000: packet[40:] for packet in parts}
        for offset, data in offsets.items():
            self.assertEqual(data, (bytes(range(250)) * 40)[offset:offset + len(data)])

    def test_cut_short(self):
        """Where the file has the beginning, the packet is as long as it was."""
        path = self.fresh("in.pcap")
        write_pcap(path, [(START + i * 2_000_000, datagram(i, 900)[:60], 928) for i in range(20)])
        counted, arrived = self.replay(path)
        self.assertEqual((counted["cut_short"], counted["entered"], counted["malformed"]), (20, 20, 0))
        for _, packet in arrived:
            self.assertEqual(len(packet), 928)
            self.assertIn(frames.transport_checksum(LEFT, RIGHT, 17, packet[20:]), (0, 0xffff))

    def test_what_is_not_the_hosts(self):
        ethernet = lambda kind, payload, to=ROUTER: frames.ethernet(to, MAC, kind, payload)
        path = self.fresh("in.pcap")
        write_pcap(path, [(START, ethernet(frames.ARP, frames.arp(1, MAC, LEFT, bytes(6), "10.0.0.1"))),
                          (START + 1, ethernet(frames.IPV4, datagram(1))),
                          (START + 2, ethernet(frames.IPV4, datagram(2, source=RIGHT, target=LEFT))),
                          (START + 3, ethernet(38, bytes.fromhex("424203") + bytes(35), frames.mac("01:80:c2:00:00:00"))),  # STP
                          (START + 4, ethernet(frames.IPV6, frames.ipv6("fd00::1", "fd00::2", 17, bytes(8)))),
                          (START + 5, ethernet(frames.IPV4, datagram(3)[:-5])),
                          (START + 6, b"\1\2\3"),
                          (START + 7, ethernet(0x88cc, bytes(46), frames.mac("01:80:c2:00:00:0e"))),  # LLDP
                          (START + 8, ethernet(frames.IPV4, datagram(4), frames.BROADCAST)),
                          (START + 9, ethernet(frames.IPV4, datagram(5, target="224.0.0.13"))),
                          (START + 10, ethernet(frames.IPV4, datagram(6, target="255.255.255.255"))),
                          (START + 11, ethernet(frames.IPV6, frames.ipv6("fe80::1", "ff02::1", 58, bytes(24)))),
                          (START + 12, ethernet(frames.IPV6, frames.ipv6("fe80::1", "fe80::2", 58, bytes(24)))),
                          (START + 13, ethernet(0x8863, b"\x11\x09\0\0\0\0" + bytes(40))),  # PPPoE: nobody's session yet
                          (START + 14, ethernet(frames.IPV4, b"\x65" + datagram(7)[1:])),
                          (START + 15, ethernet(frames.IPV4, b"\x44" + datagram(8)[1:])),
                          (START + 16, ethernet(frames.IPV4, frames.ip(LEFT, RIGHT, 17, bytes(66000), length=0)))], ETHERNET)
        counted, _ = self.replay(path)
        self.assertEqual({key: counted[key] for key in ("read", "entered", *captures.CAUSES)},
                         {"read": 17, "entered": 1, "foreign": 1, "not_ip": 4, "groups": 5, "ipv6": 1, "malformed": 4, "too_long": 1})
        self.assertIn("4 packets ignored: of other protocols than IP", self.said)

    def test_what_is_around(self):
        """Tags, labels, sessions and what wireless links, serial lines and other systems put before a packet."""
        packet, label = datagram(1), struct.pack("!I", 16 << 12 | 64)
        last = struct.pack("!I", 17 << 12 | 1 << 8 | 64)
        tag = lambda kind, below: struct.pack("!HHH", kind, 100, below)
        ppp, snap = b"\0\x21", b"\xaa\xaa\x03\0\0\0\x08\0"
        session = b"\x11\0\0\1" + struct.pack("!H", len(packet) + 2) + ppp
        tagged = tag(0x8100, 0x0800)
        wireless = struct.pack("<HH6s6s6sH", 0x0108, 0, ROUTER, MAC, ROUTER, 0)
        quality = struct.pack("<HH6s6s6sHH2s", 0x0188, 0, ROUTER, MAC, ROUTER, 0, 5, b"\0\0")
        ethernet = ROUTER + MAC
        around = {
            (ETHERNET, "VLAN"): ethernet + tagged, (ETHERNET, "QinQ"): ethernet + tag(0x88a8, 0x8100) + tagged[2:],
            (ETHERNET, "old QinQ"): ethernet + tag(0x9100, 0x8100) + tagged[2:],
            (ETHERNET, "MPLS"): ethernet + b"\x88\x47" + label + last,
            (ETHERNET, "MPLS in a VLAN"): ethernet + tag(0x8100, 0x8847) + last,
            (ETHERNET, "PPPoE"): ethernet + b"\x88\x64" + session, (ETHERNET, "PPPoE in a VLAN"): ethernet + tag(0x8100, 0x8864) + session,
            (ETHERNET, "SNAP"): ethernet + struct.pack("!H", len(packet) + 8) + snap,
            (SLL, "VLAN"): struct.pack("!HHH8sH", 4, 1, 6, MAC, 0x8100) + tagged[2:],
            (108, "OpenBSD's loopback"): struct.pack("!I", 2), (NULL, "of another byte order"): struct.pack("!I", 2),
            (109, "IPsec's interface"): struct.pack("<III", 2, 0, 0),
            (9, "PPP"): b"\xff\x03" + ppp, (9, "PPP, fields left out"): b"\x21", (50, "PPP over serial"): b"\xff\x03" + ppp,
            (50, "Cisco HDLC over serial"): b"\x0f\0\x08\0", (104, "Cisco HDLC"): b"\x0f\0\x08\0", (51, "PPPoE"): session,
            (204, "PPP with a direction"): b"\1\xff\x03" + ppp, (107, "frame relay"): b"\x18\x41\x03\xcc",
            (107, "frame relay, SNAP"): b"\x18\x41\x03\0\x80\0\0\0\x08\0", (107, "frame relay, Cisco's"): b"\x18\x41\x08\0",
            (8, "SLIP"): b"\1\x45" + bytes(14), (105, "802.11"): wireless + snap, (105, "802.11, QoS"): quality[:26] + snap,
            (127, "radiotap"): struct.pack("<BBHI", 0, 0, 8, 0) + wireless + snap,
            (127, "radiotap, padded"): struct.pack("<BBHIQB3x", 0, 0, 20, 3, 1, 0x20) + quality[:26] + b"\0\0" + snap,
            (239, "nflog"): struct.pack("<BBHHHIHH", 2, 0, 0, 8, 1, 0, len(packet) + 4, 9),
            (258, "pktap"): struct.pack("<III", 108, 1, 1) + bytes(96) + ethernet + b"\x08\0"}
        for (link, name), header in around.items():
            path = self.fresh("in.pcap")
            write_pcap(path, [(START, header + packet)], link)
            counted, arrived = self.replay(path, "--seed", 3)
            self.assertEqual((name, counted["entered"], [one[20:] for _, one in arrived]), (name, 1, [packet[20:]]), self.said)
            if shutil.which("tcpdump") and link != 204:  # which Wireshark alone reads
                self.assertIn(f"{LEFT}.4000 > {RIGHT}.9000: UDP, length 100", captures.tcpdump(path).stdout, name)
            write_pcap(path, [(START, (header + packet)[:cut], len(header + packet)) for cut in range(len(header) + 20)], link)
            self.assertEqual(self.replay(path)[0]["entered"], 0, name)  # without all of IP's header

    def test_headers_made_right(self):
        """What a sender's device completes: the checksum of IP's header, and a length of 0."""
        path, good = self.fresh("in.pcap"), datagram(1)
        write_pcap(path, [(START, good), (START + 1, good[:10] + bytes(2) + good[12:]), (START + 2, good[:10] + b"\x12\x34" + good[12:]),
                          (START + 3, good[:2] + bytes(2) + good[4:10] + bytes(2) + good[12:])])
        counted, arrived = self.replay(path, "--seed", 3)
        self.assertEqual((counted["entered"], counted["repaired"]), (4, 3))
        self.assertEqual({packet for _, packet in arrived}, {arrived[0][1]})
        self.assertEqual(frames.checksum(arrived[0][1][:20]), 0)
        self.assertIn("3 packets with an IP header's checksum or length made right", self.said)

    def test_more_than_a_length_holds(self):
        """TCP that a kernel left to its device in 100 KB at once, over IPv4 and, in two ways, over IPv6 (RFC 2675)."""
        six = self.compile(ENDPOINT.replace("10.1.0.1 }", "10.1.0.1, ipv6 = fd00:1::1 }").replace("10.2.0.1 }", "10.2.0.1, ipv6 = fd00:2::1 }").replace(
            "loss = 2 %", "loss = 0 %").replace("duration = 3 s", "duration = 30 s"))
        data = bytes(range(250)) * 400
        segment = struct.pack("!HHIIBBHHH", 4000, 80, 1000, 1, 0x50, 0x18, 1000, 0, 0) + data
        four = frames.ip(LEFT, RIGHT, 6, segment, length=0, identification=3)
        header = lambda kind: frames.ipv6("fd00:1::1", "fd00:2::1", kind, b"")
        jumbo = header(0) + struct.pack("!BBBBI", 6, 0, 0xc2, 4, 8 + len(segment)) + segment
        path, out, results = self.fresh("in.pcap"), self.fresh("out.pcap"), self.fresh("results.json")
        for packet, before in ((four, 20), (header(6) + segment, 40), (jumbo, 40)):
            write_pcap(path, [(START, packet)])
            run(six, "simulate", "--attach", f"left=pcap:{path}", "--attach", f"right=pcap:,{out}", "--results", results, "--no-workload")
            left = json.loads(results.read_text())["replay"]["endpoints"][0]
            arrived = [packet for _, packet in read_pcap(out)]
            self.assertEqual((left["read"], left["entered"], left["packets"]), (1, 1, len(arrived)))
            self.assertEqual(len(arrived), -(-len(data) // (1500 - before - 20)))
            self.assertEqual(b"".join(packet[before + 20:] for packet in arrived), data)
            for packet in arrived:
                self.assertEqual(frames.checksum(packet[8 if before == 40 else 12:before] + struct.pack("!IHBB", len(packet) - before, 0, 0, 6)
                                                 + packet[before:]), 0)

    def test_wrong_transports(self):
        """No router looks at a checksum of TCP, UDP or ICMP (RFC 1812, 5.2.2): hosts do."""
        wrong = [datagram(1)[:26] + b"\x12\x34" + datagram(1)[28:],
                 frames.ip(LEFT, RIGHT, 6, frames.tcp(LEFT, RIGHT, 1, 2, 3, 4, 2)[:16] + b"\x12\x34\0\0", identification=2),
                 frames.ip(LEFT, RIGHT, 1, frames.icmp(8, payload=bytes(8))[:2] + b"\x12\x34" + bytes(12), identification=3)]
        broken = [frames.ip(LEFT, RIGHT, 6, b"\0" * 20, identification=4), frames.ip(LEFT, RIGHT, 17, b"\1\2\3", identification=5),
                  frames.ip(LEFT, RIGHT, 17, struct.pack("!HHHH", 1, 2, 900, 0), identification=6), frames.ip(LEFT, RIGHT, 1, b"\x08", identification=7)]
        path = self.fresh("in.pcap")
        write_pcap(path, [(START + i * 10**7, packet) for i, packet in enumerate(wrong + broken)])
        counted, arrived = self.replay(path, "--seed", 3)
        self.assertEqual((counted["entered"], counted["wrong_checksum"], counted["malformed"]), (7, 3, 0))
        self.assertEqual([packet[20:] for _, packet in arrived], [packet[20:] for packet in wrong + broken])
        self.assertIn("3 packets with a wrong checksum of the transport", self.said)
        # A virtual host drops them, and a router of the model answers no echo request of the kind.
        to_host = [packet[:16] + frames.address("10.7.0.1") + packet[20:] for packet in wrong + broken]
        host = self.compile(ENDPOINT.replace("endpoint right { address = 10.2.0.1 }", "host right { address = 10.7.0.1 }").replace("loss = 2 %", "loss = 0 %"))
        write_pcap(path, [(START + i * 10**7, packet) for i, packet in enumerate(to_host)])
        results = self.fresh("results.json")
        run(host, "simulate", "--attach", f"left=pcap:{path}", "--results", results, "--no-workload")
        found = json.loads(results.read_text())["packets"]["dropped"]
        self.assertEqual((found["corrupted"], found["malformed"]), (3, 4))

    def test_the_files_end_beyond_the_run(self):
        path = self.fresh("in.pcap")
        write_pcap(path, [(START + i * 10**9, datagram(i)) for i in range(10)])
        counted, _ = self.replay(path, "--seed", 3)  # others make the model's 3 s
        self.assertEqual((counted["read"], counted["entered"], counted["goes_on"]), (3, 3, True))
        self.assertIn(f"{path} goes on behind the end of the run", self.said)
        counted, _ = self.replay(path, "--no-workload", "--for", "5 s")
        self.assertEqual((counted["read"], counted["goes_on"]), (5, True))
        counted, arrived = self.replay(path, "--no-workload", "--seed", 3)  # longer than the model's duration
        self.assertEqual((counted["read"], counted["entered"], counted["goes_on"]), (10, 10, False))
        self.assertEqual(numbers(arrived)[-1], 9)
        self.assertNotIn("goes on", self.said)

    def test_events_that_do_not_end(self):
        """What the timeline does long behind the file keeps no run."""
        model = self.compile(ENDPOINT.replace("workload between", "// workload between").replace("run {", "at 5 h { a down }\n  run {"))
        path, results = self.fresh("in.pcap"), self.fresh("results.json")
        for last, end in ((1, 3), (10, 70)):
            write_pcap(path, [(START, datagram(1)), (START + last * 10**9, datagram(2))])
            run(model, "simulate", "--attach", f"left=pcap:{path}", "--results", results)
            self.assertLessEqual(json.loads(results.read_text())["simulated_seconds"], end)

    @unittest.skipUnless(shutil.which("tcpdump"), "tcpdump reads captures")
    def test_table(self):
        """captures.py, of what a folder may have."""
        folder = self.fresh("files")
        folder.mkdir()
        files = {"plain": [(START, datagram(1)), (START + 1, datagram(2, source=RIGHT, target=LEFT))], "empty": [],
                 "nothing": [(START, b"")], "short": [(START, datagram(3)[:n], 128) for n in range(1, 128, 7)],
                 "years": [(0, datagram(1)), (START, datagram(2)), (0, datagram(3))]}
        for name, packets in files.items():
            write_pcap(folder / f"{name}.pcap", packets)
        (folder / "broken.pcap").write_bytes((folder / "plain.pcap").read_bytes()[:-9])
        write_pcap(folder / "strange.pcap", [(START, bytes(40))], link=195)
        table = captures.Table(self.folder)
        rows = {path.stem: table.row(path) for path in folder.iterdir()}
        self.assertEqual({name: row["wrong"] for name, row in rows.items()}, {name: [] for name in rows})
        self.assertEqual({name: (row.get("read"), row.get("entered"), row.get("foreign"), row.get("malformed")) for name, row in rows.items()},
                         {"plain": (2, 1, 1, 0), "empty": (0, 0, 0, 0), "nothing": (1, 0, 0, 1), "short": (19, 16, 0, 3), "years": (3, 3, 0, 0),
                          "broken": (1, 1, 0, 0), "strange": (None,) * 4})
        self.assertEqual(rows["years"]["back_in_time"], 1)
        self.assertEqual(rows["strange"]["said"], "its link type is IEEE802_15_4, in which no IP packets are looked for")

    def test_back_in_time(self):
        """In a file that was put together a packet may have an earlier time than the one before: it enters with that one."""
        path = self.fresh("in.pcap")
        write_pcap(path, [(START, datagram(1)), (START + 10**8, datagram(2)), (START + 10**7, datagram(3)), (START + 10**9, datagram(4))])
        counted, arrived = self.replay(path, "--seed", 3)
        self.assertEqual(counted["entered"], 4)
        self.assertEqual(numbers(arrived), sorted(numbers(arrived)))

    def test_ends_with_the_file(self):
        """Without workloads, and if nobody says how long."""
        model = self.compile(ENDPOINT.replace("workload between", "// workload between").replace("duration = 3 s", "duration = 1 h"))
        path, results, out = self.fresh("in.pcap"), self.fresh("results.json"), self.fresh("out.pcap")
        write_pcap(path, [(START + i * 10**9, datagram(i)) for i in range(5)])
        for options, seconds in (([], None), (["--for", "20 s"], 20)):
            run(model, "simulate", "--attach", f"left=pcap:{path}", "--attach", f"right=pcap:,{out}", "--results", results, *options)
            found = json.loads(results.read_text())["simulated_seconds"]
            last = (read_pcap(out)[-1][0] - START) / 1e9
            self.assertEqual(found, seconds or last)
        for packets, seconds in (([], 0), ([(START, datagram(1)), (START + 50 * 10**9, datagram(2, source=RIGHT, target=LEFT))], 50)):  # foreign
            write_pcap(path, packets)
            run(model, "simulate", "--attach", f"left=pcap:{path}", "--results", results)
            self.assertEqual(json.loads(results.read_text())["simulated_seconds"], seconds)

    def test_behind_2038(self):
        """A pcap's seconds are 32 bits without a sign."""
        path, start = self.fresh("in.pcap"), 4_000_000_000 * 10**9
        write_pcap(path, [(start + i * 10**9, datagram(i)) for i in range(3)])
        _, arrived = self.replay(path, "--for", "20 s")
        self.assertEqual([(at - start) // 10**9 for at, _ in arrived], [0, 1, 2])

    def test_ends_where_the_file_is_broken(self):
        path = self.fresh("in.pcap")
        write_pcap(path, [(START + i * 100_000_000, datagram(i)) for i in range(20)])
        path.write_bytes(path.read_bytes()[:-30])
        counted, arrived = self.replay(path, code=1)
        self.assertEqual(numbers(arrived), list(range(19)))
        self.assertRegex(self.said, f"error: cannot replay {path}: truncated .*, behind packet 19")
        self.assertEqual(counted["entered"], 19)

    def test_usage(self):
        nothing, text = self.fresh("nothing.pcap"), self.fresh("text.pcap")
        text.write_text("no capture")
        other = self.fresh("other.pcap")
        write_pcap(other, [], link=195)
        packed = self.fresh("packed.pcap.gz")
        packed.write_bytes(gzip.compress(other.read_bytes()))
        out = self.fresh("out.pcap")
        for options, code, said in (
                (["left=if:eth0"], 2, "`simulate` attaches pcap: files only"), (["left=pcap:"], 2, "write it as"),
                (["left=pcap:,"], 2, "names no file"), (["up=pcap:x"], 2, "no endpoint is called `up`"),
                ([f"left=pcap:{nothing},{out}"], 2, "No such file"), ([f"left=pcap:{text},{out}"], 2, "unknown file format"),
                ([f"left=pcap:{other},{out}"], 2, "its link type is IEEE802_15_4"),
                ([f"left=pcap:{packed},{out}"], 2, "it is compressed by gzip"),
                ([f"left=pcap:{other},{other}"], 2, "its link type"), ([f"left=pcap:,{out}", f"right=pcap:,{out}"], 2, "written twice"),
                ([f"left=pcap:,{out}", f"left=pcap:,{nothing}"], 2, "attached twice"),
                ([f"left=pcap:,{self.folder}/no/such/out.pcap"], 1, "no/such")):
            arguments = [word for option in options for word in ("--attach", option)]
            done = run(self.emulator, "simulate", *arguments, check=False)
            self.assertEqual((done.returncode, said in done.stderr), (code, True), (options, done.stderr))
            self.assertFalse(out.exists())


class EveryByte(EmulatorTest):
    """What a real web server sent to clients, captured in a live run, replayed with each byte flipped in turn: whatever becomes of
    the clients, the run goes on."""
    MODEL = """
import std.ether
import std.web

model Web {
  endpoint server { address = 10.0.0.80 }
  host client[3]
  router r
  link a: server -- r { rate = 100 Mbps, delay = 1 ms }
  link c: client[*] -- r { rate = 10 Mbps, delay = 3 ms }
  workload browse : web.ClosedLoop on client[*] { server = server, documents = [web.fixed(3000 B)], think = 100 ms, start_spread = 0 s }
  run { duration = 100 ms }
}
"""
    CAPTURE = ROOT / "tests/data/live_web.pcap"
    SERVER = frames.address("10.0.0.80")

    def setUp(self):
        super().setUp()
        self.emulator = self.compile(self.MODEL)
        self.path, self.results = self.fresh("in.pcap"), self.fresh("results.json")

    def replay(self, packets, link, *options):
        write_pcap(self.path, packets, link)
        done = run(self.emulator, "simulate", "--attach", f"server=pcap:{self.path}", "--results", self.results, *options, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertNotIn("Sanitizer", done.stderr)
        return json.loads(self.results.read_text())

    def test_as_captured(self):
        """All that was on the wire, ARP, ICMP and IPv6 too: a frame for each byte, and all of them once more in whole."""
        captured = read_pcap(self.CAPTURE)
        flipped = [(time, flip(frame, at)) for time, frame in captured for at in range(len(frame))]
        self.assertGreater(len(flipped), 10_000)
        sent = flipped + [(flipped[-1][0], frame) for _, frame in captured]
        found = self.replay(sent, ETHERNET)["replay"]["endpoints"][0]
        self.assertEqual(found["read"], len(sent))
        self.assertEqual(found["entered"] + sum(found["ignored"].values()), len(sent))
        self.assertGreater(found["wrong_checksum"], 100)
        self.assertGreater(found["ignored"]["malformed"], 20)

    def test_in_a_connection(self):
        """With checksums that are right again, so that TCP and HTTP have to cope with it."""
        captured = read_pcap(self.CAPTURE)
        syns = self.fresh("syns.pcap")
        self.replay([], RAW, "--capture", f"a<={syns}")
        # The clients' first sequence numbers are those of the clock, which was another in the live run.
        starts = {syn[12:16]: number(syn, 24) for _, syn in read_pcap(syns)}
        packets, shift = [(captured[0][0], datagram(1, source=THIRD))], {}
        for time, frame in captured:
            packet = frame[14:]
            if frame[12:14] != b"\x08\0" or packet[12:16] != self.SERVER or packet[9] != 6 or packet[16:20] not in starts:
                continue
            client = packet[16:20]
            shift.setdefault(client, starts[client] + 1 - number(packet, 28))
            acknowledged = struct.pack("!I", (number(packet, 28) + shift[client]) & 0xffffffff)
            packets.append((time, right(packet[:28] + acknowledged + packet[32:])))
        whole = self.replay(packets, RAW)["transactions"]["completed"]
        self.assertEqual(whole, 3)  # the clients take the file for the server
        connection = [i for i, (_, packet) in enumerate(packets) if packet[16:20] == packets[1][1][16:20]]
        changed = 0
        for i in connection[:5]:
            time, packet = packets[i]
            for at in range(min(len(packet), 100)):
                damaged = (time, right(flip(packet, at)))
                changed += self.replay([*packets[:i], damaged, *packets[i + 1:]], RAW)["transactions"]["completed"] != whole
        self.assertGreater(changed, 20)


def number(packet, at):
    return struct.unpack_from("!I", packet, at)[0]


def flip(data, at):
    return data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1:]


def right(packet):
    """With the checksums of IPv4 and TCP that its bytes have, as far as they are such."""
    head = (packet[0] & 15) * 4
    if not 20 <= head <= len(packet) - 20:
        return packet
    packet = packet[:10] + b"\0\0" + packet[12:]
    packet = packet[:10] + struct.pack("!H", frames.checksum(packet[:head])) + packet[12:]
    segment = packet[head:head + 16] + b"\0\0" + packet[head + 18:]
    pseudo = packet[12:20] + struct.pack("!BBH", 0, packet[9], len(segment))
    return packet[:head] + segment[:16] + struct.pack("!H", frames.checksum(pseudo + segment)) + segment[18:]


if __name__ == "__main__":
    unittest.main()
