"""A suite as somebody would have it for a service of his own: its server behind `anml_wire`. test_api.py runs it."""
import http.server
import statistics
import threading
import time
import urllib.error
import urllib.request

import anml
import pytest


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"carrots")

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Shop) as shop:
        threading.Thread(target=shop.serve_forever, daemon=True).start()
        yield shop.server_port
        shop.shutdown()


def seconds(port, times=5):
    """The median of what a page takes."""
    took = []
    for _ in range(times):
        began = time.monotonic()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as page:
            assert page.read() == b"carrots"
        took.append(time.monotonic() - began)
    return statistics.median(took)


def test_latency_rises_by_what_is_changed(anml_wire, server):
    wire = anml_wire.proxy(server, delay="5 ms", rate="100 Mbps")
    before = seconds(wire.port)
    assert before >= 0.02  # two round trips: the handshake behind the proxy, and the page
    with wire.link().changed(delay="105 ms"):
        assert [direction["delay"] for direction in wire.link().now()] == ["105 ms", "105 ms"]
        slow = seconds(wire.port)
        assert 0.42 <= slow  # never early
        assert 0.3 < slow - before < 0.8  # beside other work
    assert seconds(wire.port) < slow - 0.25
    assert [direction["delay"] for direction in wire.link().now()] == ["5 ms", "5 ms"]


def test_one_way_and_a_cut(anml_wire, server):
    wire = anml_wire.proxy(server, delay="5 ms")
    with wire.link("wire>").changed(delay="55 ms", loss=0.0):
        assert [direction["delay"] for direction in wire.link().now()] == ["55 ms", "5 ms"]
        assert seconds(wire.port) >= 0.12
    with wire.link().cut(), pytest.raises((urllib.error.URLError, TimeoutError)):
        urllib.request.urlopen(f"http://127.0.0.1:{wire.port}/", timeout=0.5)
    assert seconds(wire.port) < 1
    assert all(direction["up"] for direction in wire.link().now())
    with pytest.raises(anml.Problem, match="no such link") as refused:
        wire.link("cable").down()
    assert refused.value.status == 404


def test_a_model(anml_wire):
    wire = anml_wire.model("""
model Two(tunable D: time in 1 ms .. 1 s = 5 ms) {
  endpoint a { address = 10.1.0.1 }
  host far
  link line: a -- far { rate = 1 Gbps, delay = D }
  run { duration = 60 s }
}
""", sandbox={"a": "sleep 60"})
    wire.set(D="9 ms")
    assert wire.ask("tunables/D") == {"name": "D", "value": "9 ms"}
    assert [direction["delay"] for direction in wire.link("line").now()] == ["9 ms", "9 ms"]
    assert [change["what"] for change in wire.state()["changes"]] == ["set D=9 ms"]
