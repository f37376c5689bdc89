"""A server of HTTP/2 for the live tests, of raw frames (RFC 9113), that ends streams and connections in the ways it is told: each listens on a
port of its own, from 9001 on. A file with key and certificate, and names of ways as arguments; "tls-" before one: over TLS, "tls-http1": without h2 by ALPN."""
import itertools
import socket
import ssl
import struct
import sys
import threading
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
BODY = b"x" * 1024


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def text(value):
    return bytes((len(value),)) + value  # shorter than 127


def field(name, value):
    return b"\x00" + text(name) + text(value)  # literal, never indexed by anybody


def status(code):
    return field(b":status", code)


def head(stream, block, flags=END_HEADERS):
    return frame(HEADERS, flags, stream, block)


def length(size):
    return field(b"content-length", str(size).encode())


def whole(stream, size=1024, announced=True):
    return head(stream, status(b"200") + (length(size) if announced else b"")) + frame(DATA, END_STREAM, stream, b"x" * size)


def number(payload):
    return struct.unpack(">I", payload)[0]


class Peer:
    """A connection: what the client has asked, one request after another, and what it is told."""

    def __init__(self, connection):
        self.connection, self.buffer = connection, b""

    def take(self, count):
        while len(self.buffer) < count:
            part = self.connection.recv(65536)
            if not part:
                raise EOFError
            self.buffer += part
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, *frames):
        self.connection.sendall(b"".join(frames))

    def begin(self, settings=b""):
        assert self.take(len(PREFACE)) == PREFACE
        self.send(frame(SETTINGS, 0, 0, settings))

    def frames(self):
        while True:
            size = number(b"\0" + self.take(3))
            kind, flags = self.take(2)
            stream = number(self.take(4))
            payload = self.take(size)
            if kind == SETTINGS and not flags & ACK:
                self.send(frame(SETTINGS, ACK, 0))
            yield kind, flags, stream, payload

    def requests(self):
        """The streams whose request is complete."""
        for kind, flags, stream, _ in self.frames():
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                yield stream

    def flood(self, *frames):
        batch = b"".join(frames) * 200
        while True:
            self.connection.sendall(batch)


def answers(*make):
    """Each request is answered so."""
    def serve(peer):
        peer.begin()
        for stream in peer.requests():
            peer.send(*(part(stream) for part in make))
    return serve


def floods(*frames):
    """Once the first request has come."""
    def serve(peer):
        peer.begin()
        next(peer.requests())
        peer.flood(*frames)
    return serve


def closes_in_the_middle(peer):
    peer.begin()
    peer.send(head(next(peer.requests()), status(b"200") + length(1024)), b"\0\4\0\0\1" + frame(DATA, 0, 1, BODY)[5:700])


def says_goaway(peer):
    peer.begin()
    peer.send(frame(GOAWAY, 0, 0, struct.pack(">II", 0, 11)))
    time.sleep(0.2)


def leaves_after_ten(peer):
    peer.begin()
    for count, stream in enumerate(peer.requests(), 1):
        peer.send(whole(stream))
        if count == 10:
            peer.send(frame(GOAWAY, 0, 0, struct.pack(">II", stream, 0)))
            time.sleep(0.05)
            return


def refuses_each_third(peer):
    peer.begin()
    for count, stream in enumerate(peer.requests(), 1):
        peer.send(frame(RST_STREAM, 0, stream, struct.pack(">I", 7)) if count % 3 == 0 else whole(stream))


def endless_head(peer):
    peer.begin()
    stream = next(peer.requests())
    peer.send(frame(HEADERS, 0, stream, status(b"200")))
    for count in itertools.count():
        peer.send(frame(CONTINUATION, 0, stream, field(b"x-%d" % count, b"y" * 100) * 100))


def great_head(stream):
    """1 MB, though packed into little: what the table has is referred to again and again."""
    added = b"\x40" + text(b"x") + bytes((127,)) + b"\x81\x17" + b"y" * 3072  # 127 + 2945
    return head(stream, status(b"200") + added + b"\xbe" * 400) + frame(DATA, END_STREAM, stream, BODY)


def no_window(peer):
    peer.begin(struct.pack(">HI", 4, 0))
    for _ in peer.frames():
        pass


def hangs(peer):
    peer.begin()
    for _ in peer.frames():
        pass


def is_silent(peer):
    peer.take(len(PREFACE))
    time.sleep(60)


def one_at_a_time(peer):
    peer.begin(struct.pack(">HI", 3, 1))
    open_streams = set()
    for kind, flags, stream, _ in peer.frames():
        if kind == HEADERS:
            open_streams.add(stream)
            # Before the settings have reached it, the client may have asked for more.
            assert len(open_streams) == 1 or stream < 100, open_streams
        if kind in (HEADERS, DATA) and flags & END_STREAM:
            peer.send(whole(stream))
            open_streams.discard(stream)


def grpc(*frames, kind=b"application/grpc", trailers=field(b"grpc-status", b"0"), code=b"200"):
    """A call is answered with these bytes of its body, each in a frame of its own, and trailers."""
    last = END_HEADERS | END_STREAM
    return answers(lambda stream: head(stream, status(code) + field(b"content-type", kind)), *(lambda stream, part=part: frame(DATA, 0, stream, part) for part in frames),
                   lambda stream: head(stream, trailers, last) if trailers else frame(DATA, END_STREAM, stream))


def grpc_alone(text):
    return answers(lambda stream: head(stream, status(b"200") + field(b"content-type", b"application/grpc") + field(b"grpc-status", text), END_HEADERS | END_STREAM))


def grpc_huge(peer):
    """A message of 100 MB, as far as the client's windows let it."""
    peer.begin()
    for stream in peer.requests():
        peer.send(head(stream, status(b"200") + field(b"content-type", b"application/grpc")), frame(DATA, 0, stream, struct.pack(">BI", 0, 100_000_000)))
        for _ in range(6250):
            peer.send(frame(DATA, 0, stream, bytes(16000)))
        peer.send(head(stream, field(b"grpc-status", b"0"), END_HEADERS | END_STREAM))


MESSAGE = struct.pack(">BI", 0, 4) + b"\x0a\x02hi"
CALLED = {
    "grpc-good": grpc(MESSAGE),
    "grpc-dribbles": grpc(*(bytes((byte,)) for byte in MESSAGE * 3)),
    "grpc-huge": grpc_huge,
    "grpc-no-trailers": grpc(MESSAGE, trailers=None),
    "grpc-alone": grpc_alone(b"12"),
    "grpc-unknown": grpc_alone(b"4711"),
    "grpc-half": grpc(MESSAGE[:-1]),
    "grpc-half-prefix": grpc(MESSAGE, MESSAGE[:3]),
    "grpc-compressed": grpc(b"\1" + MESSAGE[1:]),
    "grpc-html": grpc(b"<html>", kind=b"text/html"),
    "grpc-502": grpc(b"no", kind=b"text/plain", trailers=None, code=b"502"),
}
WAYS = {
    "good": answers(whole),
    "unframed": answers(lambda stream: whole(stream, announced=False)),
    "interim": answers(lambda stream: head(stream, status(b"103") + field(b"link", b"</x>; rel=preload")), whole),
    "trailer": answers(lambda stream: head(stream, status(b"200") + length(1024)), lambda stream: frame(DATA, 0, stream, BODY),
                       lambda stream: head(stream, field(b"checksum", b"none"), END_HEADERS | END_STREAM)),
    "leaves": leaves_after_ten,
    "refuses-some": refuses_each_third,
    "one-at-a-time": one_at_a_time,
    "small": answers(lambda stream: whole(stream, 5)),
    "error": answers(lambda stream: head(stream, status(b"500"), END_HEADERS | END_STREAM)),
    "short": answers(lambda stream: head(stream, status(b"200") + length(1024)), lambda stream: frame(DATA, END_STREAM, stream, BODY[:700])),
    "long": answers(lambda stream: head(stream, status(b"200") + length(700)), lambda stream: frame(DATA, END_STREAM, stream, BODY)),
    "no-status": answers(lambda stream: head(stream, length(5)), lambda stream: frame(DATA, END_STREAM, stream, b"12345")),
    "rapid-reset": answers(lambda stream: frame(RST_STREAM, 0, stream, struct.pack(">I", 8))),
    "reset-in-body": answers(lambda stream: head(stream, status(b"200") + length(1024)), lambda stream: frame(DATA, 0, stream, BODY[:100]),
                             lambda stream: frame(RST_STREAM, 0, stream, struct.pack(">I", 2))),
    "refuses": answers(lambda stream: frame(RST_STREAM, 0, stream, struct.pack(">I", 7))),
    "goaway": says_goaway,
    "cut": closes_in_the_middle,
    "settings-flood": floods(frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65535))),
    "ping-flood": floods(frame(PING, 0, 0, b"12345678")),
    "empty-flood": lambda peer: (peer.begin(), peer.send(head(stream := next(peer.requests()), status(b"200"))), peer.flood(frame(DATA, 0, stream))),
    "window-flood": floods(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))),
    "endless-head": endless_head,
    "great-head": answers(great_head),
    "push": answers(lambda stream: frame(PUSH_PROMISE, END_HEADERS, stream, struct.pack(">I", 2) + b"\x82\x84\x86")),
    "bad-hpack": answers(lambda stream: head(stream, b"\xff\xff\xff\xff\xff\xff\xff\xff")),
    "bad-frame": lambda peer: (peer.begin(), next(peer.requests()), peer.send(frame(PING, 0, 0, b"short"))),
    "garbage": lambda peer: (peer.take(len(PREFACE)), peer.send(bytes(range(256)) * 20)),
    "http1": lambda peer: (peer.take(len(PREFACE)), peer.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
    "nothing": lambda peer: peer.take(len(PREFACE)),
    "no-window": no_window,
    "hangs": hangs,
    "silent": is_silent,
}


# Over TLS, too: what goes wrong in its own ways, and floods.
SECURED = ("good", "leaves", "cut", "goaway", "hangs", "refuses", "no-window", "http1", "settings-flood", "ping-flood", "window-flood", "endless-head")


def serve(connection, way, context):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        if context:
            connection = context.wrap_socket(connection, server_side=True)
        {**CALLED, **WAYS}[way](Peer(connection))
    except (EOFError, OSError):
        pass
    connection.close()


def listen(port, way, pem):
    context = None
    if way.startswith("tls-"):
        way = way.removeprefix("tls-")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        if way != "http1":
            context.set_alpn_protocols(["h2"])
    with socket.create_server(("", port), backlog=100) as listener:
        while True:
            threading.Thread(target=serve, args=(listener.accept()[0], way, context), daemon=True).start()


if __name__ == "__main__":
    for port, way in enumerate(sys.argv[2:], 9001):
        threading.Thread(target=listen, args=(port, way, sys.argv[1])).start()
