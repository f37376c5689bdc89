"""Transparent links: every Ethernet frame of one real host arrives at the other one, unchanged, with what a link does to packets and no
earlier. What the sending kernel leaves to its device is done before."""
import json
import os
import re
import struct
import subprocess
import sys
import time
import unittest

from frames import BROADCAST, IPV4, VLAN, Wire, ethernet, ip, mac, udp
from netlab import Lab, median, ping, run, wait_until

ALL = os.environ.get("ANML_ALL") == "1"

MODEL = """
model Two {
  endpoint left
  endpoint right
  link w: left -- right { rate = RATE, delay = 20 ms, mtu = 9004 B, transparent = true, ATTRIBUTES }
  MORE
  run { duration = 300 s }
}
"""


def model(rate="1 Gbps", attributes="queue = droptail(8 MB)", more=""):
    return MODEL.replace("RATE", rate).replace("ATTRIBUTES", attributes).replace("MORE", more)


# Each frame says by its source address which one it is, and the rest follows from that: sender and receiver know it alike.
FRAMES = """
import random, struct
def frame(number, kind, length):
    head = bytes.fromhex("020000000002") + struct.pack("!HI", 0x0200, number) + struct.pack("!H", kind)
    return head + random.Random(number).randbytes(length - 14)
def lengths():
    return [(length, 0x88b5, length) for length in range(14, 9019)]
def kinds(step):
    known = [0x8100, 0x88a8, 0x8847, 0x8848, 0x88cc, 0x86dd, 0x0800, 0x0806, 0x8808, 0x8809, 0x888e, 0x893a, 0x22f3, 0x00fe, 0xffff]
    return [(kind, kind, 64 + kind % 64) for kind in sorted({*range(0, 0x10000, step), *known})]
"""
SEND = FRAMES + """
import socket, sys, time
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind(("eth0", 0))
refused = []
for i, one in enumerate(eval(sys.argv[1])):
    try:
        out.send(frame(*one))
    except OSError:
        refused.append(one)
    if i % 16 == 15:
        time.sleep(0.004)
print(refused)
"""
# The kernel takes the outer tag off, and tells it apart.
RECEIVE = FRAMES + """
import socket, sys, time
into = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
into.setsockopt(socket.SOL_SOCKET, 33, 128 << 20)
into.setsockopt(263, 8, 1)
into.bind(("eth0", 3))
expected = {number: (kind, length) for number, kind, length in eval(sys.argv[1])}
seen, wrong = set(), []
print("ready", flush=True)
into.settimeout(40)
try:
    while len(seen) < len(expected):
        data, extra, _, sender = into.recvmsg(65536, 256)
        if sender[2] == 4:
            continue
        into.settimeout(8)
        status, _, _, _, _, tag, kind = struct.unpack("IIIHHHH", extra[0][2])
        if status & 0x10:
            data = data[:12] + struct.pack("!HH", kind if status & 0x40 else 0x8100, tag) + data[12:]
        number = struct.unpack("!I", data[8:12])[0]
        if data[6:8] != b"\\x02\\0" or number not in expected or number in seen or data != frame(number, *expected[number]):
            wrong.append((number, len(data)))
        seen.add(number)
except TimeoutError:
    pass
print(len(seen), wrong[:5], sorted(set(expected) - seen)[:5])
"""


# An interface `tagged` whose frames are those of VLAN 42 on another one, with a priority: kernels need not have such.
# What comes before either is up is lost.
TAGGED = """
import contextlib, fcntl, os, select, socket, struct, sys
name, priority = sys.argv[1], int(sys.argv[2])
tap = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tap, 0x400454ca, struct.pack("16sH22x", b"tagged", 0x1002))
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.setsockopt(263, 8, 1)
wire.bind((name, 3))
while True:
    for ready in select.select([tap, wire], [], [])[0]:
        if ready is tap:
            frame = os.read(tap, 65536)
            with contextlib.suppress(OSError):
                wire.send(frame[:12] + struct.pack("!HH", 0x8100, priority << 13 | 42) + frame[12:])
            continue
        frame, extra, _, sender = wire.recvmsg(65536, 256)
        status, _, _, _, _, tag, _ = struct.unpack("IIIHHHH", extra[0][2])
        if sender[2] != 4 and status & 0x10 and tag & 0xfff == 42:
            with contextlib.suppress(OSError):
                os.write(tap, frame)
"""


def tagged(lab, space, last, name="eth0", priority=0):
    lab.start(sys.executable, "-c", TAGGED, name, priority, space=space)
    wait_until(lambda: lab.run_in(space, "ip", "link", "show", "tagged", check=False).returncode == 0, 10, "the interface")
    for words in (f"ip link set tagged mtu 1400 address 02:00:00:00:42:0{last} up", f"ip addr add 192.168.42.{last}/24 dev tagged",
                  f"ip addr add fd00:42::{last}/64 dev tagged nodad"):
        lab.run_in(space, *words.split())
    # The other interface has not to answer for it.
    lab.run_in(space, "sysctl", "-qw", "net.ipv4.conf.all.arp_ignore=1")


def quiet(lab, space):
    """Nothing of IPv6 is said there by itself."""
    lab.run_in(space, "sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1")
    return space


def two_hosts(lab, length=None, addresses=True, priority=0):
    """Namespaces of two hosts, eth0 each, that are attached to an emulator's in a third."""
    inside, spaces = quiet(lab, lab.namespace("e")), []
    for label, leg, last in (("l", "va", 1), ("r", "vb", 2)):
        space = lab.namespace(label)
        if not addresses:
            quiet(lab, space)
        lab.veth(space, "eth0", inside, leg)
        if length:
            for where, name in ((space, "eth0"), (inside, leg)):
                lab.run_in(where, "ip", "link", "set", name, "mtu", length)
        if addresses:
            lab.run_in(space, "ip", "addr", "add", f"192.168.7.{last}/24", "dev", "eth0")
            lab.run_in(space, "ip", "addr", "add", f"fd00:7::{last}/64", "dev", "eth0", "nodad")
            tagged(lab, space, last, priority=priority)
        spaces.append(space)
    return inside, *spaces


ATTACHED = ("--attach", "left=if:va", "--attach", "right=if:vb")


def begin(lab, source, inside, *options, attached=ATTACHED):
    emulator = lab.compile(source)
    live = lab.start(emulator, "live", *attached, "--results", lab.folder / "results.json", "--for", "200s", "--control", lab.folder / "ctl", *options, space=inside)
    wait_until(lambda: "every frame crosses" in live.output(), 15, "the emulator: " + live.output())
    return live


def results(lab, live):
    live.stop()
    return json.loads((lab.folder / "results.json").read_text())


class EveryFrame(unittest.TestCase):
    def crosses(self, frames):
        with Lab() as lab:
            inside, left, right = two_hosts(lab, length=9004, addresses=False)
            live = begin(lab, model(), inside)
            receiver = lab.start(sys.executable, "-c", RECEIVE, frames, space=right)
            wait_until(lambda: "ready" in receiver.output(), 10, "the receiver")
            refused = eval(lab.run_in(left, sys.executable, "-c", SEND, frames, timeout=300).stdout)
            receiver.wait(60)
            scope = {}
            exec(FRAMES, scope)
            sent = len(eval(frames, scope))
            self.assertEqual(refused, [])
            self.assertIn(f"\n{sent} [] []\n", receiver.output())
            packets = results(lab, live)["packets"]
            self.assertEqual(packets["delivered"], sent, packets)

    def test_of_every_length(self):
        self.crosses("lengths()")

    def test_of_every_kind(self):
        self.crosses(f"kinds({1 if ALL else 9})")


class Hosts(unittest.TestCase):
    def test_ping_and_transfers(self):
        with Lab() as lab:
            inside, left, right = two_hosts(lab)
            live = begin(lab, model(attributes="queue = droptail(1 MB)"), inside)
            for address in ("192.168.7.2", "fd00:7::2", "192.168.42.2", "fd00:42::2"):
                wait_until(lambda: ping(lab, left, address, 1), 15, f"the first reply of {address}: {live.output()}")
                times = ping(lab, left, address, 20)
                self.assertEqual(len(times), 20)
                self.assertGreaterEqual(min(times), 40)
                self.assertLess(median(times), 60)
            everybody = lab.run_in(left, "ping", "-c", 3, "-i", "0.2", "ff02::1%eth0", check=False)
            self.assertIn("fe80::", everybody.stdout)
            self.transfers(lab, left, right)
            found = results(lab, live)
            self.assertTrue(found["busiest_links"][0]["name"].startswith("w"))
            self.assertEqual(found["live"]["malformed"], 0)

    def transfers(self, lab, left, right):
        """With their kernels' offloads, behind tags too."""
        content = os.urandom(3 << 20)
        (lab.folder / "content").write_bytes(content)
        lab.start(sys.executable, "-m", "http.server", "--bind", "::", "--directory", lab.folder, "8000", space=right)
        for host in ("192.168.7.2", "[fd00:7::2]", "192.168.42.2", "[fd00:42::2]"):
            got = lab.folder / "got"
            fetch = ("curl", "-s", "-g", "--retry", 5, "--retry-connrefused", "-m", 60, "-o", got, f"http://{host}:8000/content")
            lab.run_in(left, *fetch, timeout=90)
            self.assertEqual(got.read_bytes(), content, host)

    def test_at_tap_devices(self):
        with Lab() as lab:
            inside = lab.namespace("e")
            spaces = [lab.namespace("l"), lab.namespace("r")]
            live = begin(lab, model(), inside, attached=("--attach", "left=tap:tl", "--attach", "right=tap:tr"))
            for space, name, last in zip(spaces, ("tl", "tr"), (1, 2)):
                self.assertIn("mtu 9004", lab.run_in(inside, "ip", "link", "show", name).stdout)
                lab.run_in(inside, "ip", "link", "set", name, "netns", space)
                for kind in ("addr add 192.168.7.{}/24 dev {}", "addr add fd00:7::{}/64 dev {} nodad"):
                    lab.run_in(space, "ip", *kind.format(last, name).split())
                lab.run_in(space, "ip", "link", "set", name, "up")
                tagged(lab, space, last, name)
            times = ping(lab, spaces[0], "192.168.7.2", 20)
            self.assertGreaterEqual(min(times), 40)
            self.transfers(lab, *spaces)
            self.assertEqual(results(lab, live)["live"]["malformed"], 0)

    def test_in_sandboxes(self):
        """The model's addresses are theirs, the other end's on the link, and its MTU the link's. No root is needed."""
        with Lab() as lab:
            source = model().replace("endpoint left", "endpoint left { address = 10.1.0.1 }").replace(
                "endpoint right", "endpoint right { address = 10.2.0.1 }")
            emulator = lab.compile(source)
            emulator.chmod(0o755)
            user = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups") if os.geteuid() == 0 else ()
            done = run(*user, emulator, "live", "--until", "left", "--control", "none", "--sandbox", "left",
                       "--", "sh", "-c", "ip link show eth0; ping -s 8900 -M do -c 10 -i 0.1 right", "--sandbox", "right", "--", "sleep", "60",
                       cwd="/tmp", check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("mtu 9004", done.stderr)
            self.assertIn("10 received", done.stderr)
            least = float(re.search(r"rtt min/avg/max/mdev = ([\d.]+)", done.stderr)[1])
            self.assertGreaterEqual(least, 40)


    def test_between_two_processes(self):
        with Lab() as lab:
            source = model().replace("endpoint left", "endpoint left { address = 10.1.0.1 }").replace(
                "endpoint right", "endpoint right { address = 10.2.0.1 }")
            emulator = lab.compile(source)
            port = 20000 + os.getpid() % 20000
            one = lab.start(emulator, "live", "--for", "20s", "--control", "none", "--listen", f"127.0.0.1:{port}", "--until", "left", "--sandbox", "left",
                            "--", "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do ping -c 10 -i 0.1 right && exit 0; done; exit 1")
            two = lab.start(emulator, "live", "--for", "20s", "--control", "none", "--join", f"127.0.0.1:{port}", "--sandbox", "right", "--", "sleep", "60")
            self.assertEqual((one.wait(40), two.wait(20)), (0, 0), one.output() + two.output())
            least = float(re.search(r"rtt min/avg/max/mdev = ([\d.]+)", one.output())[1])
            self.assertGreaterEqual(least, 40)


class Impaired(unittest.TestCase):
    def test_changes_counters_and_captures(self):
        with Lab() as lab:
            inside, left, right = two_hosts(lab, addresses=True)
            pcap = lab.folder / "w.pcap"
            live = begin(lab, model(attributes="loss = 20 %"), inside, "--capture", f"w={pcap}")
            for first in ("fd00:7::2", "192.168.42.2"):  # who loses requests of ARP waits for seconds
                wait_until(lambda: ping(lab, left, first, 1), 15, "the first reply")
            times = ping(lab, left, "192.168.42.2", 100, 0.02)
            self.assertLess(40, len(times))
            self.assertLess(len(times), 88)
            emulator = lab.folder / "emu"
            for change, answered in (("link w down", False), ("link w up", True), ("link w loss=0", True), ("link w delay=50ms", True)):
                said = run(emulator, "ctl", *change.split(), "--control", lab.folder / "ctl", check=False)
                self.assertEqual(said.returncode, 0, said.stdout + said.stderr)
                if answered:  # a lost request of ARP is sent again a second later, three times in all
                    wait_until(lambda: ping(lab, left, "192.168.7.2", 1), 15, change)
                else:
                    self.assertFalse(ping(lab, left, "192.168.7.2", 15, 0.02), change)
            self.assertGreaterEqual(min(ping(lab, left, "192.168.7.2", 15, 0.02)), 100)
            found = results(lab, live)
            self.assertGreater(sum(link["packets"] for link in found["busiest_links"]), 150)
            self.assertGreater(sum(link["lost"] for link in found["impaired_links"]), 20)
            self.assertGreater(found["packets"]["dropped"]["lost"], 20)
            self.assertGreater(found["packets"]["dropped"]["link"], 5)
            shown = run("tcpdump", "-n", "-e", "-r", pcap).stdout
            self.assertIn("vlan 42", shown)
            self.assertIn("ethertype IPv6", shown)
            self.assertIn("192.168.42.1 > 192.168.42.2: ICMP echo request", shown)

    def test_priorities_of_tags_and_code_points(self):
        """A queue by classes lets tagged frames of priority 6, and DSCP 48, pass those without."""
        with Lab() as lab:
            inside, left, right = two_hosts(lab, priority=6)
            source = "import std.queue\n" + model("5 Mbps", QUEUE, "")
            live = begin(lab, source, inside)
            wait_until(lambda: ping(lab, left, "192.168.7.2", 1), 15, "the first reply")
            wait_until(lambda: ping(lab, left, "192.168.42.2", 1), 15, "the first reply")
            flood = lab.start(sys.executable, "-c", FLOOD, "1500", "6", space=left)
            time.sleep(1.5)
            slow, fast = ping(lab, left, "192.168.7.2", 5, 0.1), ping(lab, left, "192.168.42.2", 5, 0.1)
            marked = lab.run_in(left, "ping", "-n", "-Q", "0xc0", "-c", 5, "-i", "0.1", "192.168.7.2").stdout
            flood.stop()
            self.assertLess(median(fast), 60)
            self.assertLess(median([float(t) for t in re.findall(r"time=([\d.]+)", marked)]), 60)
            self.assertTrue(not slow or min(slow) > 200, slow)
            results(lab, live)


QUEUE = "queue = queue.priority(2 MB)"
FLOOD = """
import socket, sys, time
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind(("eth0", 0))
size, seconds = int(sys.argv[1]), float(sys.argv[2])
end, sent = time.monotonic() + seconds, 0
while time.monotonic() < end:
    for _ in range(4):
        try:
            out.send(b"\\xff" * 6 + b"\\x02\\0\\0\\0\\0\\1\\x88\\xb5" + bytes(size - 14))
            sent += 1
        except OSError:
            pass
    time.sleep(0.001)
print(sent)
"""


class Bounded(unittest.TestCase):
    def test_a_flood_of_broadcasts(self):
        with Lab() as lab:
            inside, left, right = two_hosts(lab, addresses=False)
            live = begin(lab, model("10 Mbps", "queue = droptail(64 KB)"), inside)
            before = int(lab.run_in(right, "cat", "/sys/class/net/eth0/statistics/rx_bytes").stdout)
            began = time.monotonic()
            sent = int(lab.run_in(left, sys.executable, "-c", FLOOD, "1514", "3").stdout)
            time.sleep(0.3)
            passed = time.monotonic() - began
            arrived = int(lab.run_in(right, "cat", "/sys/class/net/eth0/statistics/rx_bytes").stdout) - before
            self.assertLess(arrived, 10e6 / 8 * passed * 1.05 + 65536)
            self.assertGreater(arrived, 10e6 / 8 * 2)
            found = results(lab, live)["packets"]
            self.assertGreater(found["dropped"]["queue"], sent / 2)

    def test_frames_that_are_too_long(self):
        """The MTU is of what is behind tags; nobody is told."""
        with Lab() as lab:
            inside, left, right = two_hosts(lab, length=9000, addresses=False)
            live = begin(lab, model().replace("mtu = 9004 B, ", ""), inside)
            wire = Wire(left, "eth0")
            own = mac("02:00:00:00:00:01")
            tag = struct.pack("!HH", 42, 0x88b5)
            for kind, payload in ((0x88b5, bytes(1500)), (VLAN, tag + bytes(1500)), (0x88b5, bytes(1501)), (VLAN, tag + bytes(1501))):
                for _ in range(5):
                    wire.send(ethernet(BROADCAST, own, kind, payload))
            self.assertEqual(wire.close(), 0)
            time.sleep(0.5)
            packets = results(lab, live)["packets"]
            self.assertEqual((packets["delivered"], packets["dropped"]["mtu"]), (10, 10), packets)

    def test_offloads_behind_tags(self):
        """A sender's kernel may leave to its device to cut a super-frame, and to complete checksums, behind tags too."""
        with Lab() as lab:
            inside, left, right = two_hosts(lab, length=9000, addresses=False)
            pcap = lab.folder / "w.pcap"
            live = begin(lab, model(), inside, "--capture", f"w>={pcap}")
            wire = Wire(left, "eth0")
            packet = udp("10.0.0.1", "10.0.0.2", 1000, 2000, bytes(range(200)) * 3)
            whole = ethernet(mac("02:00:00:00:00:02"), mac("02:00:00:00:00:01"), IPV4, ip("10.0.0.1", "10.0.0.2", 17, packet))
            tagged_frame = whole[:12] + struct.pack("!HH", VLAN, 42) + whole[12:]
            # As a kernel leaves it: the field has the sum over the pseudo-header alone.
            for frame in (whole, tagged_frame):
                start = len(frame) - len(packet)
                pseudo = sum(struct.unpack("!4H", bytes([10, 0, 0, 1, 10, 0, 0, 2]))) + 17 + len(packet)
                pseudo = (pseudo & 0xffff) + (pseudo >> 16)
                left_open = frame[:start + 6] + struct.pack("!H", pseudo) + frame[start + 8:]
                wire.send_offloaded(left_open, flags=1, start=start, offset=6)
            self.assertEqual(wire.close(), 0)
            time.sleep(0.5)
            self.assertEqual(results(lab, live)["packets"]["delivered"], 2)
            seen = run("tcpdump", "-n", "-vv", "-e", "-r", pcap).stdout
            self.assertEqual(seen.count("udp sum ok"), 2, seen)
            self.assertIn("vlan 42", seen)

    def test_a_loop(self):
        """Two wires between two bridges without a spanning tree: what circles there takes no more than their rates, and nobody's run breaks."""
        with Lab() as lab:
            source = """
model Loop {
  endpoint a[2]
  endpoint b[2]
  link w: a[*] -- b[*] { rate = 10 Mbps, delay = 1 ms, transparent = true }
  run { duration = 300 s }
}
"""
            inside, sides = quiet(lab, lab.namespace("e")), []
            for label in ("a", "b"):
                side = quiet(lab, lab.namespace(label))
                lab.run_in(side, "ip", "link", "add", "br0", "type", "bridge", "stp_state", "0")
                lab.run_in(side, "ip", "link", "set", "br0", "up")
                for i in range(2):
                    lab.veth(inside, f"{label}{i}", side, f"p{i}")
                    lab.run_in(side, "ip", "link", "set", f"p{i}", "master", "br0")
                lab.run_in(side, "ip", "link", "add", "host", "type", "veth", "peer", "name", "eth0")
                lab.run_in(side, "ip", "link", "set", "host", "master", "br0")
                for name in ("host", "eth0"):
                    lab.run_in(side, "ip", "link", "set", name, "up")
                sides.append(side)
            attached = [word for label in ("a", "b") for i in range(2) for word in ("--attach", f"{label}[{i}]=if:{label}{i}")]
            live = begin(lab, source, inside, attached=attached)
            wait_until(lambda: live.output().count("every frame crosses") == 4, 10, "the wires")
            lab.run_in(sides[0], sys.executable, "-c", FLOOD, "1514", "0.5")
            time.sleep(2)
            read = lambda: int(lab.run_in(sides[1], "cat", "/sys/class/net/p0/statistics/rx_bytes").stdout)
            before, began = read(), time.monotonic()
            time.sleep(1)
            circled = read() - before
            self.assertGreater(circled, 1e5)
            self.assertLess(circled, 10e6 / 8 * (time.monotonic() - began) * 1.05 + 600e3)
            self.assertGreater(results(lab, live)["packets"]["delivered"], 1000)


class Refused(unittest.TestCase):
    def test_what_is_of_ip(self):
        with Lab() as lab:
            emulator = lab.compile(model())
            for options, what in ((("--attach", "left=pcap:x.pcap,"), "pcap:"), (("--attach", "left=xdp:x"), "xdp:"),
                                  (("--attach", "left=localhost"), "localhost"), (("--attach", "left=listen:1,right:2"), "listen:")):
                done = run(emulator, "live", *options, "--attach", "right=if:y", check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn("endpoint `left` is an end of a transparent link", done.stderr)
                self.assertIn(what, done.stderr)
            done = run(emulator, "live", "--attach", "left=if:x", "--attach", "right=if:y", "--behind", "left=10.9.0.0/16", check=False)
            self.assertIn("--behind: endpoint `left` is an end of a transparent link", done.stderr)
            done = run(emulator, "live", "--sandbox", "left", "--", "true", check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("endpoint `right` has no simulated server and is not attached", done.stderr)
            self.assertIn("transparent", run(emulator, "info").stdout)
            self.assertEqual(run(emulator, "simulate", "--for", "1s").returncode, 0)


if __name__ == "__main__":
    unittest.main()
