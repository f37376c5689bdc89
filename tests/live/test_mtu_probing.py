"""Probing for the MTU of a path that drops what is too long and tells nobody, beside Linux's (net.ipv4.tcp_mtu_probing)."""
import collections
import contextlib
import json
import os
import pathlib
import socket
import struct
import sys
import threading
import time
import unittest

from linux_path import LinuxPath, inside
from netlab import Lab, by_the_clock, main, run

HERE = pathlib.Path(__file__).resolve().parent
SIZE, DELAY = 3_000_000, 10_000_000  # bytes; ns, each way
TOLERANCE = 0.10
SO_RCVBUFFORCE = 33  # include/uapi/asm-generic/socket.h
ETH_P_ALL, PACKET_OUTGOING = 3, 4

Segment = collections.namedtuple("Segment", "at sequence length")  # seconds since the first; of the IP packet


def segment(at, packet):
    """None if it carries no data."""
    length, header = struct.unpack_from("!H", packet, 2)[0], (packet[0] & 15) * 4
    data = length - header - (packet[header + 12] >> 4) * 4
    return Segment(at, struct.unpack_from("!I", packet, header + 4)[0], length) if data > 0 else None


class Watch:
    """The segments with data that a namespace sends meanwhile."""

    def __init__(self, space):
        with inside(space):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
        self.socket.settimeout(0.1)
        self.segments, self.done = [], False

    def watch(self):
        while not self.done:
            with contextlib.suppress(TimeoutError):
                packet, where = self.socket.recvfrom(128)
                if where[2] == PACKET_OUTGOING and (found := segment(time.monotonic(), packet)):
                    self.segments.append(found)

    def __enter__(self):
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self.segments

    def __exit__(self, *_):
        self.done = True
        self.thread.join()
        self.socket.close()


def since_the_first(segments):
    begin = segments[0].at
    return [found._replace(at=found.at - begin) for found in segments]


def linux(mode, largest):
    """The seconds of a transfer, and what was sent."""
    way = f"rate=100e6,delay={DELAY},packets=65535,bytes={8 << 20},pass=1"
    with Lab() as lab, contextlib.closing(LinuxPath(lab, f"{way},largest={largest}", way,
                                                    **{"net.ipv4.tcp_mtu_probing": mode})) as path, Watch(path.near) as segments:
        seconds = path.transfer(SIZE)["seconds"]
        time.sleep(0.2)
    return seconds, since_the_first(segments)


def ours(setting, largest):
    with Lab() as lab:
        emulator = lab.compile(HERE / "mtu_probing.anml", f"-Dsettings={setting}", f"-Dlargest={largest} B", f"-Dsize={SIZE} B")
        results, capture = lab.folder / "results.json", lab.folder / "first.pcap"
        run(emulator, "simulate", "--results", results, "--capture", f"first>={capture}")
        data, at, segments = capture.read_bytes(), 24, []
        while at < len(data):
            seconds, nanoseconds, held = struct.unpack_from("<III", data, at)
            if found := segment(seconds + nanoseconds / 1e9, data[at + 16:at + 16 + held]):
                segments.append(found)
            at += 16 + held
        return json.loads(results.read_text())["workloads"][0]["transfer_time_seconds"]["mean"], since_the_first(segments)


def probes(segments):
    """Lengths of those that are longer than five before them, once whole segments are lost no more; each once."""
    counts, found = collections.Counter(), []
    for length in (segment.length for segment in segments if segment.length != 1500):
        usual = max((known for known, count in counts.items() if count >= 5), default=length)
        if length > usual and length not in found:
            found.append(length)
        counts[length] += 1
    return found


def when(segments, offset):
    """When something of the stream from there on left first that was not as long as the link lets."""
    first = segments[0].sequence
    return next(found.at for found in segments if (found.sequence - first) % (1 << 32) >= offset and found.length != 1500)


@unittest.skipUnless(os.geteuid() == 0, "needs root")
class Probing(unittest.TestCase):
    def compare(self, mode, setting, largest):
        """With the nearest of Linux's, of three at most: its timers are coarse, and those of its recovery take half a second more at times."""
        own, our = ours(setting, largest)
        for _ in range(3):
            seconds, theirs = linux(mode, largest)
            apart = own / seconds - 1
            print(f"{setting}, {largest} B: ours {own:.3f} s, Linux {seconds:.3f} s; probes {probes(our)}, {probes(theirs)}",
                  file=sys.stderr)
            if abs(apart) <= TOLERANCE:
                break
        self.assertLessEqual(abs(apart), TOLERANCE)
        self.assertEqual(probes(our), probes(theirs))
        return our, theirs

    @by_the_clock("the time of a transfer, within 10 % of Linux's")
    def test_black_hole(self):
        sent = self.compare(1, "holes", 1300)
        for quarters in (0, 1, 2, 3):  # of what is sent
            at = [when(segments, SIZE * quarters // 4) for segments in sent]
            self.assertLessEqual(abs(at[0] / at[1] - 1), TOLERANCE, f"{quarters} quarters: {at}")

    def by_hand_below_the_first_size(self):
        """Takes ten seconds each time."""
        self.compare(1, "holes", 800)

    @by_the_clock("the time of a transfer, within 10 % of Linux's")
    def test_always(self):
        """When what is sent depends on the receiver's window here, which is another matter."""
        self.compare(2, "always", 1300)


if __name__ == "__main__":
    main()
