"""The rows of against_linux.py that take little time and depend on no chance, a test each: ours within 10 % of Linux's. ANML_ALL:
those of further sizes and delays, too."""
import contextlib
import json
import os
import re
import select
import socket
import statistics
import time
import unittest

from against_linux import CASES, TOLERANCE, compare
from linux_path import FAR, PORT, Flow, LinuxPath, inside, realtime
from netlab import Lab, by_the_clock, main, run, wait_until


# What SO_RCVBUF is set to. Linux doubles it, up to 2304 B at least, and offers what it reckons to be free beside its own records, in whole
# segments of those that come: 576 B for 512, 724 B for 1448 and 2048.
BUFFERS = (512, 1448, 2048, 2896, 4096, 8192)
WINDOW = """
import std.tcp
import std.traffic
profile small(window: size) : Tcp { receive_buffer = window }
model Window(window: size) {
  host a { tcp = tcp.linux }
  host b { tcp = small(window) }
  link path: a -- b { rate = 1 Gbps, delay = 50 ms }
  workload send : traffic.Bulk on a { to = b, start_spread = 0 s }
  run { duration = 20 s, warmup = 2 s }
}
"""
DIRECTION = "rate=1e9,delay=50000000,packets=10000,bytes=8000000,pass=1,seed=1"


def through_small_buffers(path, capture):
    """Bytes in a second that receivers with these buffers get from Linux to Linux beside each other, behind the first second."""
    senders, receivers = [], []
    with inside(path.far):
        listeners = [socket.socket() for _ in BUFFERS]
        for port, (listener, size) in enumerate(zip(listeners, BUFFERS), PORT):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, size)
            listener.bind(("0.0.0.0", port))
            listener.listen()
    dump = path.lab.start("tcpdump", "-U", "-n", "-w", capture, "-i", "any", "tcp", space=path.far)
    wait_until(lambda: "listening" in dump.output(), 10, "tcpdump")
    for port, listener in enumerate(listeners, PORT):
        with inside(path.near):
            senders.append(socket.create_connection((FAR, port)))
        receivers.append(listener.accept()[0])
    for each in senders + receivers:
        each.setblocking(False)
    begin, came, start = time.monotonic(), [0] * len(BUFFERS), None
    with realtime():
        while (now := time.monotonic()) < begin + 3:
            if start is None and now > begin + 1:
                start, came = now, [0] * len(BUFFERS)
            for sender in senders:
                with contextlib.suppress(BlockingIOError):
                    sender.send(Flow.ZEROS)
            for receiver in select.select(receivers, [], [], 0.01)[0]:
                came[receivers.index(receiver)] += len(receiver.recv(1 << 16))
    for each in senders + receivers + listeners:
        each.close()
    dump.stop()
    return [count / (now - start) for count in came]


@unittest.skipUnless(os.geteuid() == 0, "needs root")
class AgainstLinux(unittest.TestCase):
    @by_the_clock("what small windows let through, within 10 % of Linux's")
    def test_small_windows(self):
        """By the window that Linux really offers, which a capture shows: what it lets through is that in each round trip, 100 ms."""
        with Lab() as lab, LinuxPath(lab, DIRECTION, DIRECTION) as path:
            capture, results = lab.folder / "all.pcap", lab.folder / "results.json"
            for port, (size, linux) in enumerate(zip(BUFFERS, through_small_buffers(path, capture)), PORT):
                told = run("tshark", "-n", "-r", capture, "-Y", f"tcp.srcport == {port} && tcp.flags.syn == 0", "-T", "fields", "-e",
                           "tcp.window_size").stdout.split()
                window = int(statistics.mode(told[len(told) // 4:]))
                run(lab.compile(WINDOW, "-D", f"window={window} B"), "simulate", "--results", results)
                ours = json.loads(results.read_text())["workloads"][0]["goodput_bps"] / 8
                print(f"SO_RCVBUF {size} B: window {window} B, Linux {linux:.0f} B/s, ours {ours:.0f} B/s")
                with self.subTest(size=size):
                    self.assertLessEqual(abs(ours / linux - 1), TOLERANCE, f"window {window} B: ours {ours:.0f} B/s, Linux {linux:.0f} B/s")


def row(case):
    @by_the_clock("the time of the transfer, within 10 % of Linux's")
    def test(self):
        us, them = compare(case, 1)
        self.assertLessEqual(abs(us["seconds"] / them["seconds"] - 1), TOLERANCE, f"ours {us}, Linux {them}")
    return test


FURTHER = {"10 KB", "100 KB", "20 MB", "1 MB by curl from nginx, 120 ms", "CUBIC, 20 MB, 20 ms"}
for case in CASES:
    if case.quick and (case.name not in FURTHER or os.environ.get("ANML_ALL")):
        setattr(AgainstLinux, "test_" + re.sub(r"\W+", "_", case.name), row(case))

if __name__ == "__main__":
    main()
