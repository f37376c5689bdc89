"""A web server for the live tests that ends its responses and connections in the ways it is told: the first's port, which the others' follow, and the
ways; `WAY:SECONDS` answers nobody any more so long after the first request."""
import socket
import struct
import sys
import threading
import time

BODY = b"x" * 1024
LENGTH = b"Content-Length: 1024\r\n"


def head(fields=b"", line=b"HTTP/1.1 200 OK"):
    return line + b"\r\nServer: test\r\n" + fields + b"\r\n"


# What is sent, and what becomes of the connection then: "close", "late" (after 300 ms), "never", "rst" (once the client
# has everything).
WAYS = {
    "close": (head(LENGTH) + BODY, "close"),
    "late": (head(LENGTH) + BODY, "late"),
    "never": (head(LENGTH) + BODY, "never"),
    "rst": (head(LENGTH) + BODY, "rst"),
    "unframed": (head() + BODY, "close"),
    "unframed-rst": (head() + BODY, "rst"),
    "chunked": (head(b"Transfer-Encoding: chunked\r\n") + b"200;x=y\r\n" + BODY[:512] + b"\r\n200\r\n" + BODY[512:] + b"\r\n0\r\nT: u\r\n\r\n",
                "never"),
    "both": (head(b"Content-Length: 7\r\ntransfer-encoding: Chunked\r\n") + b"400\r\n" + BODY + b"\r\n0\r\n\r\n", "never"),
    "interim": (head(line=b"HTTP/1.1 100 Continue") + head(LENGTH) + BODY, "never"),
    "folded": (head(b"CONTENT-LENGTH:\r\n 1024\r\n") + BODY, "never"),
    "empty": (head(line=b"HTTP/1.1 204 No Content"), "never"),
    "redirect": (head(b"Location: /elsewhere\r\nContent-Length: 0\r\n", b"HTTP/1.1 301 Moved Permanently"), "never"),
    "error": (head(b"Content-Length: 5\r\n", b"HTTP/1.1 500 Internal Server Error") + b"oops\n", "never"),
    "small": (head(b"Content-Length: 5\r\n") + b"small", "close"),
    "short": (head(LENGTH) + BODY[:700], "close"),
    "short-chunks": (head(b"Transfer-Encoding: chunked\r\n") + b"400\r\n" + BODY + b"\r\n", "close"),
    "bad-chunks": (head(b"Transfer-Encoding: chunked\r\n") + b"no number\r\n", "never"),
    "nothing": (b"", "close"),
    "other": (b"SSH-2.0-test\r\n", "close"), "other-open": (b"SSH-2.0-test\r\n", "never"),
}


def serve(connection, way):
    answer, then = WAYS[way]
    request = b""
    while b"\r\n\r\n" not in request:
        part = connection.recv(4096)
        if not part:
            return connection.close()
        request += part
    # In two parts, so that a segment ends within the head or the frames.
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(answer[:60])
    connection.sendall(answer[60:])
    if then == "late":
        time.sleep(0.3)
    if then == "rst":
        time.sleep(0.1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if then == "never":
        time.sleep(60)
    connection.close()


def listen(port, way, freeze=0.0):
    listener = socket.create_server(("", port), backlog=512)
    stop = None
    while True:
        connection, _ = listener.accept()
        stop = stop or (time.monotonic() + float(freeze) if freeze else float("inf"))
        if time.monotonic() > stop:
            time.sleep(60)
        threading.Thread(target=serve, args=(connection, way), daemon=True).start()


if __name__ == "__main__":
    for i, given in enumerate(sys.argv[2:]):
        threading.Thread(target=listen, args=(int(sys.argv[1]) + i, *given.split(":"))).start()
