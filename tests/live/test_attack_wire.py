"""An adversary in the real host's place: whatever it puts on the wire, the emulator goes on, answers pings in time, grows
by no more than it must, and counts what it ignored. docs/reliability.md lists what was tried.
"""
import json
import os
import re
import signal
import subprocess
import time
import unittest

import frames
from frames import ARP, BROADCAST, IPV4, IPV6, VLAN, Wire, arp, ethernet, icmp, ip, mac, tcp, udp
from netlab import Lab, info, median, ping, run, wait_until

HOST, MODEL_ROUND_TRIP = "10.0.0.80", 4.0  # ms

MODEL = """
import std.ether
import std.web

model Attacked {
  endpoint probe { address = 10.0.0.80 }
  endpoint inner { address = 10.0.0.90, simulated = web.server(service = 1 ms) }
  router r
  host client[3]
  link entry: probe -- r : ether.gigabit { delay = 1 ms }
  link desk: client[*] -- r : ether.gigabit { delay = 1 ms }
  link room: inner -- r : ether.gigabit { delay = 1 ms, mtu = 600 B }
  workload web : web.ClosedLoop on client[*] { server = inner, documents = web.fixed(1 KB), think = 10 ms }
  run { duration = 60 s }
}
"""


class AttackWire(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = lab = Lab()
        emulator = lab.compile(MODEL, "-O0")
        cls.host, inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(cls.host, "eth0", inside, "veth0")
        facts = info(emulator)
        cls.gateway = facts["gateway"]
        cls.nodes = {node["name"]: (node["address"].split("/")[0], node["count"]) for node in facts["nodes"] if node.get("address")}
        lab.run_in(cls.host, "ip", "addr", "add", f"{HOST}/32", "dev", "eth0")
        lab.run_in(cls.host, "ip", "route", "add", "10.0.0.0/8", "via", cls.gateway, "dev", "eth0", "onlink")
        cls.results = lab.folder / "results.json"
        cls.live = lab.start(emulator, "live", "--for", "600s", "--attach", "probe=if:veth0", "--results", cls.results, "--capture",
                             f"entry={lab.folder / 'entry.pcap'}", space=inside)
        cls.client, cls.inner, cls.router = (cls.nodes[name][0] for name in ("client", "inner", "r"))
        wait_until(lambda: ping(lab, cls.host, cls.client, 1), 10, "the first reply: " + cls.live.output())
        neighbour = lab.run_in(cls.host, "ip", "neigh", "show", cls.gateway).stdout
        cls.model_mac = mac(re.search(r"lladdr (\S+)", neighbour).group(1))
        cls.host_mac = mac(re.search(r"link/ether (\S+)", lab.run_in(cls.host, "ip", "link", "show", "eth0").stdout).group(1))
        children = subprocess.run(["pgrep", "-P", str(cls.live.process.pid)], capture_output=True, text=True).stdout.split()
        cls.emulator = int(children[0]) if children else cls.live.process.pid

    @classmethod
    def tearDownClass(cls):
        try:
            os.kill(cls.emulator, signal.SIGINT)
            assert cls.live.wait(10) == 130, cls.live.output()
            found = json.loads(cls.results.read_text())
            live = found["live"]
            assert found["transactions"]["failed"] == 0, found["transactions"]
            assert live["malformed"] > 1000 and live["foreign"] > 0 and live["ipv6"] > 0 and live["tagged"] > 0, live
            # Every frame of the capture is IPv4 with a good header, whatever came in.
            bad = run("tshark", "-n", "-r", cls.lab.folder / "entry.pcap", "-o", "ip.check_checksum:TRUE", "-Y",
                      "ip.checksum.status == 0 || !ip").stdout
            assert bad == "", bad[:1000]
        finally:
            cls.lab.close()

    @classmethod
    def resident(cls):
        """MB of memory."""
        with open(f"/proc/{cls.emulator}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024

    def setUp(self):
        self.wire = Wire(self.host, "eth0")
        self.memory = self.resident()

    def survives(self, memory=64):
        """Called behind each attack: the emulator is there, answers in time, and has not grown."""
        self.wire.close()
        self.assertIsNone(self.live.process.poll(), self.live.output())
        def in_time():
            times = ping(self.lab, self.host, self.client, 5)
            self.assertTrue(all(each >= MODEL_ROUND_TRIP for each in times), times)
            return times and median(times) < MODEL_ROUND_TRIP + 50
        wait_until(in_time, 20, "answers in time behind the attack")
        self.assertLess(self.resident(), self.memory + memory)

    def to_model(self, packet):
        return ethernet(self.model_mac, self.host_mac, IPV4, packet)

    def samples(self):
        """A frame of each kind, as a host sends it."""
        options = bytes([7, 7, 4, 0, 0, 0, 0, 0])
        return [
            ethernet(BROADCAST, self.host_mac, ARP, arp(1, self.host_mac, HOST, b"\0" * 6, self.client)),
            self.to_model(ip(HOST, self.client, 1, icmp(8, rest=1, payload=b"payload"))),
            self.to_model(ip(HOST, self.client, 1, icmp(8, rest=2, payload=b"payload"), options=options)),
            self.to_model(ip(HOST, self.client, 17, udp(HOST, self.client, 7, 9, b"datagram"))),
            self.to_model(ip(HOST, self.inner, 6, tcp(HOST, self.inner, 1024, 80, 1, 0, 2, options=b"\x02\x04\x05\xb4\x01\x03\x03\x07"))),
            self.to_model(ip(HOST, self.inner, 6, tcp(HOST, self.inner, 1025, 80, 1, 1, 16, b"GET / HTTP/1.0\r\n\r\n"))),
            self.to_model(ip(HOST, self.client, 1, icmp(3, 4, 500, ip(self.client, HOST, 6, b"\x04\x00\x00\x50" + b"\0" * 4)))),
            self.to_model(ip(HOST, self.client, 17, b"fragment", fragment=0x2001)),
        ]

    def test_every_byte_is_flipped(self):
        for frame in self.samples():
            for i in range(len(frame)):
                for flip in (0xff, 0x01, 0x80):
                    self.wire.send(frame[:i] + bytes([frame[i] ^ flip]) + frame[i + 1:])
        self.survives()

    def test_every_frame_is_cut_and_padded(self):
        for frame in self.samples():
            for length in range(14, len(frame)):
                self.wire.send(frame[:length])
            for more in (1, 20, 46, 1000):
                self.wire.send(frame + b"\xee" * more)
        self.survives()

    def test_lengths_that_lie(self):
        for length in (0, 1, 19, 20, 21, 27, 28, 39, 40, 1500, 9217, 65535):
            for header in range(16):
                packet = udp(HOST, self.client, 7, 9, b"datagram")
                self.wire.send(self.to_model(ip(HOST, self.client, 17, packet, length=length, header=header)))
            for offset in range(16):
                segment = tcp(HOST, self.inner, 1026, 80, 1, 1, 16, b"x" * 40, offset=offset)
                self.wire.send(self.to_model(ip(HOST, self.inner, 6, segment)))
                self.wire.send(self.to_model(ip(HOST, self.inner, 6, segment, length=length)))
            datagram = udp(HOST, self.client, 7, 9, b"datagram", length=length)
            self.wire.send(self.to_model(ip(HOST, self.client, 17, datagram)))
        for option in (b"\x02\x00", b"\x02\x01", b"\x02\xff", b"\x05\x02", b"\x05\x0a" + b"\xff" * 6, b"\x08\x0a", b"\x03\x03\xff\x00",
                       b"\x05\x0a\0\0\0\1\xff\xff\xff\xff"):
            padded = option.ljust((len(option) + 3) // 4 * 4, b"\0")
            for flags in (2, 16, 18):
                self.wire.send(self.to_model(ip(HOST, self.inner, 6, tcp(HOST, self.inner, 1027, 80, 1, 1, flags, options=padded))))
        self.survives()

    def test_fragments(self):
        for identification in range(200):
            for offset, more in ((0, 1), (1, 1), (0, 0), (3, 1), (8189, 0), (8191, 1), (185, 1)):
                self.wire.send(self.to_model(ip(HOST, self.client, identification % 3 * 8 + 1, b"x" * 64,
                                                fragment=more << 13 | offset, identification=identification)))
        for identification in range(5):  # the router would have to fragment, or to say that it must not
            self.wire.send(self.to_model(ip(HOST, self.inner, 17, udp(HOST, self.inner, 7, 9, b"x" * 900))))
            self.wire.send(self.to_model(ip(HOST, self.inner, 17, udp(HOST, self.inner, 7, 9, b"x" * 900), fragment=0x4000)))
        self.survives()

    def test_arp_floods_and_forgeries(self):
        other = mac("02:00:00:00:00:77")
        for i in range(5000):
            sender = f"10.9.{i // 256}.{i % 256}"
            self.wire.send(ethernet(BROADCAST, self.host_mac, ARP, arp(1, self.host_mac, sender, b"\0" * 6, self.client)))
        for operation in (0, 1, 2, 3, 65535):
            for victim in (self.gateway, self.client, self.router, "0.0.0.0", "255.255.255.255"):
                self.wire.send(ethernet(BROADCAST, other, ARP, arp(operation, other, victim, self.model_mac, victim)))
                self.wire.send(ethernet(self.model_mac, self.model_mac, ARP, arp(operation, self.model_mac, victim, other, victim)))
        for claimed in (BROADCAST, b"\0" * 6, self.model_mac, mac("01:00:5e:00:00:01")):
            self.wire.send(ethernet(BROADCAST, self.host_mac, ARP, arp(2, claimed, HOST, self.model_mac, self.gateway)))
            self.wire.send(ethernet(self.model_mac, claimed, IPV4, ip(HOST, self.client, 17, udp(HOST, self.client, 7, 9, b"x"))))
        self.survives()

    def test_floods(self):
        for i in range(4000):
            self.wire.send(self.to_model(ip(HOST, self.client, 1, icmp(8, rest=i, payload=b"x" * 1000))))
            self.wire.send(self.to_model(ip(HOST, self.client, 17, udp(HOST, self.client, i, i, b"x"))))
            self.wire.send(self.to_model(ip(HOST, self.inner, 6, tcp(HOST, self.inner, 2000 + i, 80, i, 0, 2))))
        self.survives(256)

    def test_forged_sources(self):
        for source in (self.client, self.inner, self.router, self.gateway, "0.0.0.0", "127.0.0.1", "255.255.255.255", "224.0.0.1", "8.8.8.8"):
            for target in (self.client, self.inner, self.router, self.gateway, HOST):
                self.wire.send(self.to_model(ip(source, target, 1, icmp(8))))
                self.wire.send(self.to_model(ip(source, target, 17, udp(source, target, 80, 80, b"x"))))
                self.wire.send(self.to_model(ip(source, target, 6, tcp(source, target, 80, 80, 1, 1, 4))))
        self.survives()

    def test_resets_acknowledgments_and_errors_for_connections_that_it_does_not_have(self):
        """The connections of the virtual clients are to another host: nothing that this one says may reach them."""
        for i in range(3):
            client = f"{self.client.rsplit('.', 1)[0]}.{int(self.client.rsplit('.', 1)[1]) + i}"
            for port in range(1024, 1324):
                self.wire.send(self.to_model(ip(HOST, client, 6, tcp(HOST, client, 80, port, port * 7919, port, 4 + port % 2 * 16))))
                self.wire.send(self.to_model(ip(HOST, client, 6, tcp(HOST, client, 80, port, 1, 0xffffffff, 16, window=0))))
                # About a packet that the client sent to the inner server: forged, and believable but for its source.
                quoted = ip(client, self.inner, 6, tcp(client, self.inner, port, 80, 1, 1, 16)[:8])
                self.wire.send(self.to_model(ip(HOST, client, 1, icmp(3, 3, 0, quoted))))
                self.wire.send(self.to_model(ip(HOST, client, 1, icmp(3, 4, 68, quoted))))
        self.survives()

    def test_a_client_that_plays_false(self):
        """Handshakes with the virtual server, then zero windows, nonsense of SACK, data beyond the window, and silence."""
        for i in range(60):
            port = 20000 + i
            self.wire.send(self.to_model(ip(HOST, self.inner, 6, tcp(HOST, self.inner, port, 80, 100, 0, 2, window=i % 3 and 65535,
                                                                     options=b"\x02\x04\x00\x01\x04\x02\x01\x01" if i % 2 else b""))))
            for sequence in (101, 101 + i * 1000, 0x7fffffff, 0x80000065):
                for flags in (16, 24, 17, 25, 1, 0, 63, 18):
                    blocks = b"\x01\x01\x05\x12" + os.urandom(16)
                    self.wire.send(self.to_model(ip(HOST, self.inner, 6, tcp(HOST, self.inner, port, 80, sequence, 1 << i % 32, flags,
                                                                             b"GET /x" * (i % 5), window=0, options=blocks))))
        self.survives()

    def test_other_protocols(self):
        inner = ip(HOST, self.client, 1, icmp(8))
        for target in (self.model_mac, BROADCAST, mac("33:33:00:00:00:01")):
            self.wire.send(ethernet(target, self.host_mac, IPV6, b"\x60" + b"\0" * 5 + b"\x3a\xff" + b"\0" * 32))
            self.wire.send(ethernet(target, self.host_mac, VLAN, b"\x00\x05\x08\x00" + inner))
            self.wire.send(ethernet(target, self.host_mac, 0x88a8, b"\x00\x05\x81\x00\x00\x06\x08\x00" + inner))
            for kind in (0, 46, 0x0805, 0x8847, 0x8863, 0x88cc, 0xffff):
                self.wire.send(ethernet(target, self.host_mac, kind, inner))
        for protocol in range(256):
            for target in (self.client, self.router, self.gateway, HOST):
                self.wire.send(self.to_model(ip(HOST, target, protocol, b"\0" * 32)))
                self.wire.send(self.to_model(ip(HOST, target, protocol, b"")))
        for kind in range(256):
            self.wire.send(self.to_model(ip(HOST, self.client, 1, icmp(kind, payload=inner))))
        self.survives()

    def test_offloaded_frames(self):
        segment = ip(HOST, self.inner, 6, tcp(HOST, self.inner, 30000, 80, 1, 1, 24, b"x" * 60000))
        datagrams = ip(HOST, self.client, 17, udp(HOST, self.client, 7, 9, b"x" * 60000))
        for size in (1, 2, 7, 47, 48, 100, 1448, 9000, 40000, 59999, 65535):
            for flags in (0, 1):
                self.wire.send_offloaded(self.to_model(segment), flags, 1, 54, size, 34, 16)
                self.wire.send_offloaded(self.to_model(segment), flags, 0x81, 54, size, 34, 16)
                self.wire.send_offloaded(self.to_model(datagrams), flags, 5, 42, size, 34, 6)
        for start in (0, 14, 33, 34, 1000):  # checksums left to the device, in places where there are none
            for offset in (0, 6, 16, 1000):
                self.wire.send_offloaded(self.to_model(ip(HOST, self.client, 17, udp(HOST, self.client, 7, 9, b"x" * 500))), 1, 0, 0, 0,
                                         start, offset)
        # A frame of 64 KB may come as segments; as a thousand packets, not as sixty thousand.
        self.survives(128)

    def test_every_virtual_address_answers(self):
        answered = 0
        for name, (first, count) in self.nodes.items():
            if name == "probe":
                continue
            base, last = first.rsplit(".", 1)
            for i in range(count):
                answered += len(ping(self.lab, self.host, f"{base}.{int(last) + i}", 1))
        self.assertEqual(answered, sum(count for name, (_, count) in self.nodes.items() if name != "probe"))
        self.assertEqual(len(ping(self.lab, self.host, self.gateway, 1)), 1)
        # What belongs to nobody: the edges of the pool, groups, the model's unused addresses.
        for target in ("10.0.0.0", "10.255.255.255", "10.200.0.1", "224.0.0.1", "255.255.255.255", "0.0.0.0", "127.0.0.1", HOST):
            for protocol in (1, 6, 17):
                payload = {1: icmp(8), 6: tcp(HOST, target, 1, 1, 1, 0, 2), 17: udp(HOST, target, 1, 1, b"x")}[protocol]
                self.wire.send(self.to_model(ip(HOST, target, protocol, payload)))
                for ttl in (0, 1, 255):
                    self.wire.send(self.to_model(ip(HOST, target, protocol, payload, ttl=ttl)))
        self.survives()


if __name__ == "__main__":
    unittest.main()
