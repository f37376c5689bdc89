"""A server that answers WebSockets and streams of events in an odd way: the first way's port, which the others' follow, and the ways."""
import base64
import hashlib
import socket
import sys
import threading
import time
import zlib

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
packer = zlib.compressobj(9, zlib.DEFLATED, -15)
ZEROS = packer.compress(bytes(80 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)  # 80 MB
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def opened(request, wrong=b"", more=b""):
    key = next(line.split(b": ")[1] for line in request.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key:"))
    accept = base64.b64encode(hashlib.sha1(key + MAGIC + wrong).digest())
    return b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n" + more + b"\r\n"


# What follows the handshake.
FRAMES = {
    "masked": b"\x82\x81\x01\x02\x03\x04\x00",
    "reserved": b"\xc2\x01a",
    "opcode": b"\x83\x01a",
    "long-ping": b"\x89\x7e\x00\x80" + bytes(128),
    "cut-ping": b"\x09\x01a",
    "length": b"\x82\x7e\x00\x05hello",
    "huge": b"\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff",
    "continues": b"\x80\x01a",
    "interleaved": b"\x02\x01a\x82\x01b",
    "utf8": b"\x81\x02\xc3\x28",
    "close-code": b"\x88\x02\x03\xed",
    "close": b"\x88\x02\x03\xe9",
    "half": b"\x82\x05he",
}
# The same, where compression is offered.
DEFLATE = b"Sec-WebSocket-Extensions: permessage-deflate\r\n"
PACKED = {
    "no-deflate": b"\xc2\x02\xff\xff",
    "cut-deflate": b"\xc2\x03\xf2\x48\xcd",
    "packed-ping": b"\xc9\x00",
    "bomb": b"\xc2\x7f" + (len(ZEROS) - 4).to_bytes(8, "big") + ZEROS[:-4],
}
PARAMETERS = {
    "bits": b"permessage-deflate; server_max_window_bits=16",
    "unknown": b"permessage-deflate; level=9",
    "twice": b"permessage-deflate; server_no_context_takeover; server_no_context_takeover",
    "no-value": b"permessage-deflate; client_max_window_bits",
    "two": b"permessage-deflate, permessage-deflate",
    "another": b"x-webkit-deflate-frame",
}


def serve(connection, way):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    request = b""
    while b"\r\n\r\n" not in request:
        if not (part := connection.recv(4096)):
            return
        request += part
    if way == "accept":
        connection.sendall(opened(request, b"x"))
    elif way == "extension":
        connection.sendall(opened(request, more=b"Sec-WebSocket-Extensions: permessage-deflate\r\n"))
    elif way == "ssh":
        connection.sendall(b"SSH-2.0-test\r\n")
    elif way == "forbidden":
        connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
    elif way == "html":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    elif way == "silent":
        pass
    elif way == "endless-head":
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\n")
        while True:
            connection.sendall(b"X-More: " + b"x" * 65536 + b"\r\n")
    elif way == "endless":  # a message that never ends
        connection.sendall(opened(request) + b"\x02\x01a")
        frame = b"\x00\x7f" + (1 << 20).to_bytes(8, "big") + bytes(1 << 20)
        while True:
            connection.sendall(frame)
    elif way == "pings":
        connection.sendall(opened(request))
        while True:
            connection.sendall(b"\x89\x04ping" * 10000)
    elif way == "pieces":  # an echo, a byte at a time, in fragments
        connection.sendall(opened(request))
        while True:
            head = exactly(connection, 2)
            key, payload = exactly(connection, 4), exactly(connection, head[1] & 127)
            payload = bytes(b ^ key[i % 4] for i, b in enumerate(payload))
            if head[0] == 0x88:
                connection.sendall(b"\x88" + bytes([len(payload)]) + payload)
                return
            for i, byte in enumerate(payload):
                for out in (0x02 if i == 0 else 0x80 if i == len(payload) - 1 else 0), 1, byte:
                    connection.sendall(bytes([out]))
    elif way == "endless-event":
        connection.sendall(STREAM)
        while True:
            connection.sendall(b"data: " + b"x" * (1 << 20))
    elif way == "event-pieces":
        for byte in STREAM + b"\xef\xbb\xbfid: 1\rdata: a\r\rdata\r\n\r\n: nothing\n\ndatum: b\n\ndata:c\n\n":
            connection.sendall(bytes([byte]))
        time.sleep(60)
    elif way == "bad-chunks":
        connection.sendall(STREAM[:-2] + b"Transfer-Encoding: chunked\r\n\r\n9\r\ndata: a\n\n\r\nno number\r\n")
    elif way in PARAMETERS:
        connection.sendall(opened(request, more=b"Sec-WebSocket-Extensions: " + PARAMETERS[way] + b"\r\n"))
    elif way in PACKED:
        connection.sendall(opened(request, more=DEFLATE) + PACKED[way])
    else:
        connection.sendall(opened(request) + FRAMES[way])
    if way in ("half", "close"):
        connection.shutdown(socket.SHUT_WR)
    while connection.recv(65536):
        pass


def exactly(connection, count):
    data = b""
    while len(data) < count:
        if not (part := connection.recv(count - len(data))):
            raise ConnectionError
        data += part
    return data


def guarded(connection, way):
    try:
        serve(connection, way)
    except OSError:
        pass
    connection.close()


def listen(port, way):
    with socket.create_server(("0.0.0.0", port), backlog=100) as server:
        while True:
            threading.Thread(target=guarded, args=(server.accept()[0], way), daemon=True).start()


for i, way in enumerate(sys.argv[2:]):
    threading.Thread(target=listen, args=(int(sys.argv[1]) + i, way), daemon=True).start()
while True:
    time.sleep(60)
