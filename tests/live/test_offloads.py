"""Super-frames of hosts, and to them: a stream crosses unchanged, in both directions at once, whatever devices it enters and leaves by."""
import hashlib
import json
import os
import signal
import subprocess
import unittest

from netlab import Lab, info, ping, run, wait_until

MODEL = """
import std.ether

model Offloads(rate: rate = 100 Gbps, mtu: size = 1500 B) {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r
  link a: left -- r { rate = rate, mtu = mtu, delay = 10 us, queue = droptail(16 MB) }
  link b: r -- right { rate = rate, mtu = mtu, delay = 10 us, queue = droptail(16 MB) }
  run { duration = 60 s }
}
"""
# Sends a file to whoever connects, and takes one.
PEER = """
import hashlib, os, socket, sys, threading
address, path, role = sys.argv[1:]
if role == "listen":
    s = socket.create_server((address, 5001)); print("ready", flush=True); c, _ = s.accept()
else:
    c = socket.create_connection((address, 5001))
def send():
    with open(path, "rb") as file: c.sendfile(file)
    c.shutdown(socket.SHUT_WR)
sender = threading.Thread(target=send); sender.start()
digest, count = hashlib.sha256(), 0
while data := c.recv(1 << 18): digest.update(data); count += len(data)
sender.join()
print(digest.hexdigest(), count, flush=True)
"""
# Sends datagrams in calls of many (udp(7), UDP_SEGMENT), or says what came: how many there were of which sizes, and the
# digest of their payloads, in order.
DATAGRAMS = """
import collections, hashlib, socket, sys, time
address, role = sys.argv[1:]
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
payloads = [bytes([i * 40 + j & 255] * (1200 if j < 19 else 700)) for i in range(100) for j in range(20)]
if role == "listen":
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20); s.bind((address, 5002)); s.settimeout(5); print("ready", flush=True)
    digest, sizes = hashlib.sha256(), collections.Counter()
    try:
        while sum(sizes.values()) < len(payloads): data = s.recv(65535); digest.update(data); sizes[len(data)] += 1
    except TimeoutError: pass
    print(digest.hexdigest(), sorted(sizes.items()), flush=True)
else:
    s.setsockopt(17, 103, 1200); s.connect((address, 5002))
    for i in range(0, len(payloads), 20): s.send(b"".join(payloads[i:i + 20])); time.sleep(0.002)
    print(hashlib.sha256(b"".join(payloads)).hexdigest(), [(700, 100), (1200, 1900)])
"""


class Offloads(unittest.TestCase):
    def carry(self, left, right, megabytes, *options, mtu=1500):
        """The sizes of the frames that the host on the right received. `mtu`: of the hosts."""
        with Lab() as lab:
            emulator = lab.compile(MODEL, "-O0", *options)
            hosts = {name: lab.namespace(name[0]) for name in ("left", "right")}
            inside = hosts["left"] if left == "tap" else hosts["right"] if right == "tap" else lab.namespace("e")
            attachments = []
            for name, kind, address in (("left", left, "10.1.0.1"), ("right", right, "10.2.0.1")):
                attachments += ["--attach", f"{name}={'tap:tap0' if kind == 'tap' else f'if:v{name}'}"]
                if kind == "tap":
                    continue
                lab.veth(hosts[name], "eth0", inside, f"v{name}")
                for space, device in ((hosts[name], "eth0"), (inside, f"v{name}")):
                    lab.run_in(space, "ip", "link", "set", device, "mtu", mtu)
                lab.run_in(hosts[name], "ip", "addr", "add", f"{address}/32", "dev", "eth0")
                lab.run_in(hosts[name], "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
            results = lab.folder / "results.json"
            live = lab.start(emulator, "live", "--for", "300s", *attachments, "--results", results, space=inside)
            wait_until(lambda: ping(lab, hosts["left"], "10.2.0.1", 1), 10, "the first reply: " + live.output())
            device = "tap0" if right == "tap" else "eth0"
            capture = lab.folder / "right.pcap"
            dump = lab.start("tcpdump", "-i", device, "-w", capture, "-s", "60", "-Q", "in", "-c", "100000", "-Z", "root", "-U", "--immediate-mode", space=hosts["right"])
            wait_until(lambda: "listening on" in dump.output(), 10, "tcpdump")
            sent = {}
            for name in hosts:
                data = os.urandom(megabytes << 20)
                (lab.folder / name).write_bytes(data)
                sent[name] = f"{hashlib.sha256(data).hexdigest()} {len(data)}"
            listener = lab.start("python3", "-c", PEER, "10.2.0.1", lab.folder / "right", "listen", space=hosts["right"])
            wait_until(lambda: "ready" in listener.output(), 10, "the listener")
            received = lab.run_in(hosts["left"], "python3", "-c", PEER, "10.2.0.1", lab.folder / "left", "connect", timeout=120).stdout.strip()
            listener.wait(30)
            self.assertEqual(received, sent["right"])
            self.assertEqual(listener.output().split("\n")[1], sent["left"])
            listener = lab.start("python3", "-c", DATAGRAMS, "10.2.0.1", "listen", space=hosts["right"])
            wait_until(lambda: "ready" in listener.output(), 10, "the listener")
            datagrams = lab.run_in(hosts["left"], "python3", "-c", DATAGRAMS, "10.2.0.1", "send").stdout.strip()
            listener.wait(30)
            self.assertEqual(listener.output().split("\n")[1], datagrams)
            dump.stop()
            child = subprocess.run(["pgrep", "-P", str(live.process.pid)], capture_output=True, text=True).stdout.split()
            os.kill(int(child[0]) if child else live.process.pid, signal.SIGINT)
            live.wait(20)
            found = json.loads(results.read_text())["live"]
            self.assertEqual((found["malformed"], found["foreign"]), (0, 0))
            sizes = lambda protocol: [int(size) for size in run("tshark", "-r", capture, "-Y", protocol, "-T", "fields", "-e", "frame.len").stdout.split()]
            self.datagram_sizes = sizes("udp.port == 5002")
            return sizes("tcp")

    def test_between_interfaces(self):
        self.assertGreater(max(self.carry("if", "if", 40)), 3000)
        self.assertGreater(max(self.datagram_sizes), 3000)

    def test_the_largest_packets(self):
        self.assertGreater(max(self.carry("if", "if", 40, "-D", "mtu=65535 B", mtu=65535)), 60000)

    def test_larger_packets_than_the_model_takes(self):
        """They are told by ICMP (RFC 1191), however large they are."""
        self.assertGreater(max(self.carry("if", "if", 10, "-D", "mtu=9000 B", mtu=65535)), 8000)

    def test_from_tap(self):
        self.assertGreater(max(self.carry("tap", "if", 40)), 3000)

    def test_to_tap(self):
        self.assertGreater(max(self.carry("if", "tap", 40)), 3000)
        self.assertGreater(max(self.datagram_sizes), 3000)

    def test_a_slow_link_has_none(self):
        """What a wire would bring one by one comes one by one, but for what it brings within 10 us: 125 bytes."""
        self.assertLessEqual(max(self.carry("if", "if", 4, "-D", "rate=100 Mbps")), 1514 + 125)
        self.assertLessEqual(max(self.datagram_sizes), 1514)


if __name__ == "__main__":
    unittest.main()
