"""Frames as an adversary makes them, and a process that puts them on a namespace's wire."""
import ipaddress
import struct
import subprocess
import sys

BROADCAST = b"\xff" * 6
ARP, IPV4, VLAN, IPV6 = 0x0806, 0x0800, 0x8100, 0x86dd


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def mac(text):
    return bytes.fromhex(text.replace(":", ""))


def address(text):
    return ipaddress.IPv4Address(text).packed


def ethernet(to, source, kind, payload):
    return to + source + struct.pack("!H", kind) + payload


def arp(operation, sender_mac, sender, target_mac, target):
    return struct.pack("!HHBBH", 1, IPV4, 6, 4, operation) + sender_mac + address(sender) + target_mac + address(target)


def ip(source, target, protocol, payload, ttl=64, fragment=0, options=b"", length=None, header=None, identification=1):
    words = header if header is not None else 5 + len(options) // 4
    total = length if length is not None else 20 + len(options) + len(payload)
    head = struct.pack("!BBHHHBBH", 0x40 | words, 0, total, identification, fragment, ttl, protocol, 0)
    head += address(source) + address(target) + options
    return head[:10] + struct.pack("!H", checksum(head[:words * 4].ljust(words * 4, b"\0"))) + head[12:] + payload


def ipv6(source, target, protocol, payload, limit=64):
    return struct.pack("!IHBB", 6 << 28, len(payload), protocol, limit) + ipaddress.IPv6Address(source).packed \
        + ipaddress.IPv6Address(target).packed + payload


def icmp(kind, code=0, rest=0, payload=b""):
    head = struct.pack("!BBHI", kind, code, 0, rest) + payload
    return head[:2] + struct.pack("!H", checksum(head)) + head[4:]


def transport_checksum(source, target, protocol, segment):
    return checksum(address(source) + address(target) + struct.pack("!BBH", 0, protocol, len(segment)) + segment)


def udp(source, target, source_port, port, payload, length=None):
    head = struct.pack("!HHHH", source_port, port, length if length is not None else 8 + len(payload), 0) + payload
    return head[:6] + struct.pack("!H", transport_checksum(source, target, 17, head) or 0xffff) + head[8:]


def tcp(source, target, source_port, port, sequence, acknowledgment, flags, payload=b"", window=65535, options=b"",
        offset=None):
    words = offset if offset is not None else 5 + len(options) // 4
    head = struct.pack("!HHIIBBHHH", source_port, port, sequence & 0xffffffff, acknowledgment & 0xffffffff, words << 4, flags,
                       window, 0, 0) + options + payload
    return head[:16] + struct.pack("!H", transport_checksum(source, target, 6, head)) + head[18:]


SENDER = """
import socket, struct, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
wire.bind((sys.argv[1], 0))
offloading = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
offloading.setsockopt(263, 15, 1)  # SOL_PACKET, PACKET_VNET_HDR
offloading.bind((sys.argv[1], 0))
refused = 0
read = sys.stdin.buffer.read
while head := read(8):
    length, offloaded = struct.unpack("II", head)
    try:
        (offloading if offloaded else wire).send(read(length))
    except OSError:
        refused += 1
print(refused)
"""


class Wire:
    """What sends frames through an interface of a namespace; the kernel may refuse some."""

    def __init__(self, space, interface):
        self.process = subprocess.Popen(["ip", "netns", "exec", space, sys.executable, "-c", SENDER, interface],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, frame):
        self.process.stdin.write(struct.pack("II", len(frame), 0) + frame)

    def send_offloaded(self, frame, flags=0, segments=0, header_length=0, segment_size=0, start=0, offset=0):
        """With the header that leaves checksums and segmentation to the device (virtio 1.2, 5.1.6)."""
        head = struct.pack("BBHHHH", flags, segments, header_length, segment_size, start, offset)
        self.process.stdin.write(struct.pack("II", len(head + frame), 1) + head + frame)

    def close(self):
        """Waits until all has been sent; returns how many frames the kernel refused."""
        refused, _ = self.process.communicate(timeout=60)
        return int(refused)
