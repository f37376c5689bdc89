"""Capture files in the places of hosts: what enters is what they hold, when they hold it, and what leaves is written."""
import json
import pathlib
import shutil
import struct
import sys
import unittest

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
        return {**found["replay"]["ignored"], **left}, read_pcap(out)

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

    def test_what_is_left_to_devices(self):
        """A packet captured at its sender has not got its checksum, and is as large as its kernel made it."""
        good = datagram(1)
        pseudo = sum(struct.unpack("!4H", good[12:20])) + 17 + len(good) - 20
        while pseudo >> 16:
            pseudo = (pseudo & 0xffff) + (pseudo >> 16)
        partial = good[:26] + struct.pack("!H", pseudo) + good[28:]
        wrong = datagram(2)[:26] + b"\x12\x34" + datagram(2)[28:]
        segment = frames.tcp(LEFT, RIGHT, 4000, 80, 1000, 1, 0x18, payload=bytes(range(250)) * 40)
        large = frames.ip(LEFT, RIGHT, 6, segment, identification=3)
        path = self.fresh("in.pcap")
        write_pcap(path, [(START, partial), (START + 10**6, wrong), (START + 10**8, large)])
        counted, arrived = self.replay(path)
        self.assertEqual((counted["malformed"], counted["entered"]), (1, 8))
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
        ethernet = lambda kind, payload: frames.ethernet(ROUTER, MAC, kind, payload)
        path = self.fresh("in.pcap")
        write_pcap(path, [(START, ethernet(frames.ARP, frames.arp(1, MAC, LEFT, bytes(6), "10.0.0.1"))),
                          (START + 1, ethernet(frames.IPV4, datagram(1))),
                          (START + 2, ethernet(frames.IPV4, datagram(2, source=RIGHT, target=LEFT))),
                          (START + 3, ethernet(frames.VLAN, b"\0\1" + bytes(60))),
                          (START + 4, ethernet(frames.IPV6, frames.ipv6("fd00::1", "fd00::2", 17, bytes(8)))),
                          (START + 5, ethernet(frames.IPV4, datagram(3)[:-5])),
                          (START + 6, b"\1\2\3")], ETHERNET)
        counted, _ = self.replay(path)
        self.assertEqual({key: counted[key] for key in ("read", "entered", "foreign", "tagged", "ipv6", "malformed")},
                         {"read": 7, "entered": 1, "foreign": 1, "tagged": 1, "ipv6": 1, "malformed": 2})

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
        write_pcap(path, [])
        run(model, "simulate", "--attach", f"left=pcap:{path}", "--results", results)
        self.assertEqual(json.loads(results.read_text())["simulated_seconds"], 0)

    def test_ends_where_the_file_is_broken(self):
        path = self.fresh("in.pcap")
        write_pcap(path, [(START + i * 2_000_000, datagram(i)) for i in range(20)])
        path.write_bytes(path.read_bytes()[:-30])
        counted, arrived = self.replay(path, code=1)
        self.assertRegex(self.said, f"error: cannot replay {path}: truncated .*, behind packet 19")
        self.assertEqual(counted["entered"], 19)

    def test_usage(self):
        nothing, text = self.fresh("nothing.pcap"), self.fresh("text.pcap")
        text.write_text("no capture")
        other = self.fresh("other.pcap")
        write_pcap(other, [], link=105)
        out = self.fresh("out.pcap")
        for options, code, said in (
                (["left=if:eth0"], 2, "`simulate` attaches pcap: files only"), (["left=pcap:"], 2, "write it as"),
                (["left=pcap:,"], 2, "names no file"), (["up=pcap:x"], 2, "no endpoint is called `up`"),
                ([f"left=pcap:{nothing},{out}"], 2, "No such file"), ([f"left=pcap:{text},{out}"], 2, "unknown file format"),
                ([f"left=pcap:{other},{out}"], 2, "its link type is IEEE802_11"),
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
        ours = next(frame[6:12] for _, frame in captured if frame[6:8] == b"\x02A")
        sent = flipped + [(flipped[-1][0], frame) for _, frame in captured]
        left_out = sum(frame[6:12] == ours and frame[12:14] == b"\x08\x06" for _, frame in sent)
        found = self.replay(sent, ETHERNET)["replay"]
        self.assertEqual(found["endpoints"][0]["read"], len(sent) - left_out)
        self.assertGreater(found["ignored"]["malformed"], 1000)
        self.assertGreater(found["endpoints"][0]["entered"], 100)

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
