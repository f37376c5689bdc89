"""Two real hosts on the two sides of a link that link_emulator.cpp makes: what Linux's TCP does on a path.

Sender and receiver are sockets of this process, each in the namespace of its host, so that one clock times both ends.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import selectors
import socket
import statistics
import struct
import subprocess
import time

from netlab import wait_until

EMULATOR = os.environ.get("LINK_EMULATOR", str(pathlib.Path(__file__).resolve().parents[2] /
                                               "build/release/bin/link_emulator"))
NEAR, FAR = "10.9.0.1", "10.9.0.2"
PORT = 9
SO_MAX_PACING_RATE = 47  # include/uapi/asm-generic/socket.h
# What a Debian 12 has, whatever this kernel's defaults are; Reno, which the models' default is, where a transfer does
# not ask for another one; and no memory of earlier connections.
SETTINGS = {
    "net.ipv4.tcp_congestion_control": "reno",
    "net.ipv4.tcp_no_metrics_save": 1,
    "net.ipv4.tcp_rmem": "4096 131072 6291456",
    "net.ipv4.tcp_wmem": "4096 16384 4194304",
    "net.ipv4.tcp_syn_linear_timeouts": 0,
    "net.ipv6.conf.all.disable_ipv6": 1,
    "net.ipv6.conf.default.disable_ipv6": 1,
}
_libc = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def inside(space):
    """This thread is in the namespace; sockets made here stay in it."""
    def enter(path):
        with open(path) as file:
            if _libc.setns(file.fileno(), 0x40000000) != 0:
                raise OSError(ctypes.get_errno(), f"setns {path}")
    with open("/proc/thread-self/ns/net") as home:
        enter(f"/run/netns/{space}")
        try:
            yield
        finally:
            _libc.setns(home.fileno(), 0x40000000)


def tcp_info(connection):
    """Counters of struct tcp_info (include/uapi/linux/tcp.h) that a sender has."""
    raw = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    whole = struct.unpack_from("<24I", raw, 8)  # behind eight bytes of flags
    return {"rto_us": whole[0], "rtt_us": whole[15], "ssthresh": whole[17], "cwnd": whole[18],
            "retransmissions": whole[23], "needless": struct.unpack_from("<I", raw, 216)[0]}


class Flow:
    """One transfer: connect, send, shut down; it ends when the receiver has closed too, as those of traffic.Bulk do."""
    ZEROS = memoryview(bytes(1 << 18))

    def __init__(self, size, begin, congestion, pacing):
        self.size, self.begin, self.left, self.congestion, self.pacing = size, begin, size, congestion, pacing
        self.started = self.connected = self.ended = None
        self.info = {}

    def connect(self):
        self.socket = socket.socket()
        # By socket: a namespace may not have one as its default that the machine doesn't allow everybody.
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, self.congestion.encode())
        if self.pacing:  # a bound that is never met makes TCP pace without the help of a queue discipline
            self.socket.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, struct.pack("Q", 1 << 50))
        self.socket.setblocking(False)
        self.started = time.monotonic()
        self.socket.connect_ex((FAR, PORT))

    def step(self, selector, readable, writable):
        """True when it has ended."""
        if writable:
            if self.connected is None:
                error = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if error:
                    raise OSError(error, os.strerror(error))
                self.connected = time.monotonic()
            while self.left > 0:
                try:
                    self.left -= self.socket.send(self.ZEROS[:self.left])
                except BlockingIOError:
                    return False
            self.socket.shutdown(socket.SHUT_WR)
            selector.modify(self.socket, selectors.EVENT_READ, self)
        elif readable:
            assert self.socket.recv(1) == b""
            self.ended = time.monotonic()
            self.info = tcp_info(self.socket)
            selector.unregister(self.socket)
            self.socket.close()
            return True
        return False


class LinuxPath:
    """`forward` and `backward` are directions for link_emulator, from the near host to the far one, and back. Transfers
    have the congestion control that is named, and pace if they are to; nginx has Reno."""

    def __init__(self, lab, forward, backward, congestion="reno", pacing=False, **settings):
        self.lab, self.congestion, self.pacing = lab, congestion, pacing
        names = [f"{lab.prefix}n", f"{lab.prefix}f"]
        self.near, self.far = lab.namespace("near"), lab.namespace("far")
        middle = lab.namespace("mid")
        self.emulator = subprocess.Popen(["ip", "netns", "exec", middle, EMULATOR, *names, forward, backward],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.emulator.stdout.readline() != "ready\n":
            raise AssertionError("the link emulator did not start")
        for space, name, own, other in ((self.near, names[0], NEAR, FAR), (self.far, names[1], FAR, NEAR)):
            for key, value in (SETTINGS | settings).items():
                lab.run_in(space, "sysctl", "-q", f"{key}={value}")
            lab.run_in(middle, "ip", "link", "set", name, "netns", space)
            lab.run_in(space, "ethtool", "-K", name, "tso", "off", "gso", "off", "gro", "off", check=False)
            for command in (f"link set {name} txqueuelen 20000 up", f"addr add {own}/32 dev {name}",
                            f"route add {other}/32 dev {name}"):
                lab.run_in(space, "ip", *command.split())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.emulator.poll() is None:
            self.emulator.stdin.close()
            self.emulator.wait(10)
            self.emulator.stdout.close()

    def counters(self):
        """What the link did since it was asked last, a dictionary for each direction."""
        self.emulator.stdin.write("\n")
        self.emulator.stdin.flush()
        return json.loads(self.emulator.stdout.readline())

    def retransmitted(self):
        """Segments that the two hosts have sent again since they came to be."""
        def of(space):
            names, values = (line.split()[1:] for line in self.lab.run_in(space, "cat", "/proc/net/snmp").stdout
                             .splitlines() if line.startswith("Tcp:"))
            return dict(zip(names, map(int, values)))["RetransSegs"]
        return of(self.near) + of(self.far)

    def transfer(self, size, starts=(0.0,), limit=120.0):
        """Transfers from the near host to the far one that begin so many seconds from now."""
        with inside(self.far):
            listener = socket.create_server(("0.0.0.0", PORT), backlog=1024)
        listener.setblocking(False)
        before = self.retransmitted()
        selector = selectors.DefaultSelector()
        selector.register(listener, selectors.EVENT_READ, None)
        self.counters()
        begin = time.monotonic()
        waiting = [Flow(size, begin + start, self.congestion, self.pacing) for start in starts]
        all_flows, sink = list(waiting), bytearray(1 << 20)
        received, open_flows = 0, 0
        try:
            with realtime():
                while waiting or open_flows:
                    at = time.monotonic()
                    if at > begin + limit:
                        raise TimeoutError(f"no end after {limit} s")
                    while waiting and waiting[0].begin <= at:
                        flow = waiting.pop(0)
                        with inside(self.near):
                            flow.connect()
                        selector.register(flow.socket, selectors.EVENT_WRITE, flow)
                        open_flows += 1
                    for key, events in selector.select(waiting[0].begin - at if waiting else 1.0):
                        if key.data is None:
                            connection, _ = listener.accept()
                            connection.setblocking(False)
                            selector.register(connection, selectors.EVENT_READ, connection)
                        elif isinstance(key.data, Flow):
                            if key.data.step(selector, events & selectors.EVENT_READ, events & selectors.EVENT_WRITE):
                                open_flows -= 1
                        else:
                            count = key.data.recv_into(sink)
                            received += count
                            if count == 0:
                                selector.unregister(key.data)
                                key.data.close()
        finally:
            for key in list(selector.get_map().values()):
                key.fileobj.close()
            selector.close()
        assert received == size * len(starts), f"{received} of {size * len(starts)} bytes arrived"
        time.sleep(0.05)
        there, back = self.counters()
        times = [flow.ended - flow.started for flow in all_flows]
        return {"seconds": statistics.mean(times), "longest": max(times),
                "connect": statistics.mean(flow.connected - flow.started for flow in all_flows),
                "again": self.retransmitted() - before,  # a socket would not tell of the SYN/ACK to it
                "needless": sum(flow.info["needless"] for flow in all_flows),
                "there": there, "back": back}

    def fetch(self, size, *options):
        """A document that curl takes from the near host's nginx; begins the server when first asked."""
        if not hasattr(self, "server"):
            self.server = self.lab.start(*self.lab.nginx({}), "-g", "daemon off;", space=self.near)
            wait_until(lambda: ":80 " in self.lab.run_in(self.near, "ss", "-ltn").stdout, 10, "nginx")
        document = self.lab.folder / "web" / str(size)
        if not document.exists():
            document.write_bytes(b"x" * size)
        before = self.retransmitted()
        self.counters()
        done = self.lab.run_in(self.far, "chrt", "-f", "40", "curl", "-s", "-S", "-0", "-o", "/dev/null", *options,
                               "-w", "%{json}", f"http://{NEAR}/{size}")
        figures = json.loads(done.stdout)
        assert figures["size_download"] == size, figures
        time.sleep(0.05)
        there, back = self.counters()
        # curl doesn't see what nginx sent again.
        return {"seconds": figures["time_total"], "longest": figures["time_total"],
                "connect": figures["time_connect"], "again": self.retransmitted() - before, "needless": 0,
                "there": there, "back": back}


@contextlib.contextmanager
def realtime(priority=40):
    """Ahead of all ordinary processes: the ends answer when Linux's TCP wants them to, whatever else runs."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)
