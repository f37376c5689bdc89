"""A server for the live tests whose TLS goes wrong in the ways it is told, each on a port of its own: the first port, a file with key and certificate, ways."""
import os
import socket
import ssl
import struct
import sys
import threading
import time

BODY = b"x" * 1024
LENGTH = b"Content-Length: 1024\r\n"


def head(fields=b""):
    return b"HTTP/1.1 200 OK\r\n" + fields + b"\r\n"


def record(kind, content):
    return bytes([kind, 3, 3]) + struct.pack(">H", len(content)) + content


def big_handshake():
    """A message of 16 MB that is announced, and comes."""
    yield record(22, b"\x02" + (1 << 24).to_bytes(4, "big")[1:] + bytes(1000))
    while True:
        yield record(22, bytes(16000))


# Before a handshake: what is sent, and how it ends.
RAW = {
    "garbage": ([b"SSH-2.0-test\r\n" * 3], "never"),
    "http": ([head(LENGTH) + BODY], "close"),
    "alert": ([record(21, b"\x02\x28")], "close"),
    "big": (big_handshake, "close"),
    "random": ([record(22, os.urandom(300))], "never"),
    "closes": ([], "close"),
    "resets": ([], "rst"),
    "hangs": ([], "never"),
}
# Behind it: what is said, then sent past TLS, and whether close_notify comes before the close.
SPOKEN = {
    "notified": (head(LENGTH) + BODY, b"", True, "close"),
    "cut": (head(LENGTH) + BODY, b"", False, "close"),
    "unframed": (head() + BODY, b"", True, "close"),
    "unframed-cut": (head() + BODY, b"", False, "close"),
    "short": (head(LENGTH) + BODY[:700], b"", True, "close"),
    "short-cut": (head(LENGTH) + BODY[:700], b"", False, "close"),
    "bad-record": (head(LENGTH) + BODY[:700], record(23, bytes(100)), False, "never"),
    "no-record": (head(LENGTH) + BODY[:700], b"no record at all", False, "never"),
    "late-alert": (head(LENGTH) + BODY[:700], record(21, b"\x02\x50"), False, "never"),
    "silent": (head(LENGTH) + BODY[:700], b"", False, "never"),
    "reset": (head(LENGTH) + BODY[:700], b"", False, "rst"),
}


def finish(connection, then):
    if then == "never":
        time.sleep(60)
    if then == "rst":
        time.sleep(0.1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def serve(connection, way, context):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        if way in RAW:
            parts, then = RAW[way]
            if then != "never" or parts:
                connection.recv(4096)
            for part in parts() if callable(parts) else parts:
                connection.sendall(part)
            return finish(connection, then)
        said, past, notified, then = SPOKEN[way]
        # Bytes pass through here, so that others can be sent between them.
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(incoming, outgoing, server_side=True)

        def drive(action):
            while True:
                try:
                    done = action()
                    connection.sendall(outgoing.read())
                    return done
                except ssl.SSLWantReadError:
                    connection.sendall(outgoing.read())
                    incoming.write(connection.recv(65536))

        drive(session.do_handshake)
        request = b""
        while b"\r\n\r\n" not in request:
            request += drive(lambda: session.read(4096))
        drive(lambda: session.write(said[:60]))
        drive(lambda: session.write(said[60:]))
        if notified:
            try:
                session.unwrap()
            except ssl.SSLWantReadError:
                pass
            connection.sendall(outgoing.read())
        connection.sendall(past)
        finish(connection, then)
    except (OSError, ssl.SSLError):
        connection.close()


def listen(port, way, context):
    listener = socket.create_server(("", port), backlog=512)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, way, context), daemon=True).start()


def main(port, pem, *ways):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    threads = [threading.Thread(target=listen, args=(port + i, way, context)) for i, way in enumerate(ways)]
    for thread in threads:
        thread.start()


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
