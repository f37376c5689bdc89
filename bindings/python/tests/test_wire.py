"""`anml.wire`, and the API of `anml.live`: links changed and changed back, watched and captured. Needs no root."""
import pathlib
import re
import socket
import tempfile
import time
import unittest

import anml

PROGRAM = """
import std.traffic

model Small {
  endpoint a { address = 10.0.0.80 }
  host far
  router r
  link line: a -- r { rate = 1 Gbps, delay = 1234567 ns, loss = 1 % }
  link drawn: r -- far { rate = 1 Gbps, delay = 1 ms, jitter = exponential(1 ms) }
  workload ticks : traffic.Cbr on far { to = a, rate = 1 Mbps }
  run { duration = 60 s }
}
"""


class TheWire(unittest.TestCase):
    def test_a_command_behind_a_wire(self):
        with anml.wire("ping -c 1 -W 5 machine; exit 7", delay=20 * anml.ms) as wire:
            self.assertEqual(wire.wait(60), 7)
            said = wire.said()
        self.assertGreaterEqual(float(re.search(r"time=([\d.]+)", said)[1]), 40)
        with self.assertRaises(TypeError):
            anml.wire("true", speed=1)
        with self.assertRaisesRegex(anml.RunError, "--delay `4x`"):
            anml.wire("true", delay="4x")
        with anml.wire("ping -c 1 -W 5 machine", link="duplicate = if chance(100 %) then 1 else 0") as wire:
            self.assertEqual(wire.wait(60), 0)

    def test_a_server_of_udp(self):
        """A change takes hold of datagrams, too."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            server.bind(("127.0.0.1", 0))
            with anml.proxy(server.getsockname()[1], udp=True, delay="5 ms") as wire:
                for one in (server, client):
                    one.settimeout(20)
                client.connect((wire.host, wire.port))

                def trip():
                    began = time.monotonic()
                    client.send(b"question")
                    data, who = server.recvfrom(100)
                    server.sendto(data[::-1], who)
                    self.assertEqual(client.recv(100), b"noitseuq")
                    return time.monotonic() - began
                self.assertGreaterEqual(trip(), 0.01)
                with wire.link().changed(delay="100 ms"):
                    self.assertGreaterEqual(trip(), 0.2)

    def test_changed_and_changed_back(self):
        emulator = anml.compile_text(PROGRAM, level=0)
        with anml.live(emulator, sandbox={"a": "sleep 60"}, options=["--api", "127.0.0.1:0"]) as run:
            wire = run.wire()
            line = wire.link("line")
            before = line.now()
            self.assertEqual([d["loss"] for d in before], [0.01, 0.01])
            with line.changed(delay=20 * anml.ms, loss=0.5, rate="5 Mbps", queue="9 KB", jitter="1 ms"):
                self.assertEqual([(d["delay"], d["rate"], d["queue"]) for d in line.now()], [("20 ms", "5 Mbps", "9 KB")] * 2)
                wire.link("line<").change(delay="1 ms")
                with line.changed(delay="3 ms"):
                    pass
                self.assertEqual([d["delay"] for d in line.now()], ["20 ms", "1 ms"])
            self.assertEqual(line.now(), before)
            with line.cut():
                self.assertEqual([d["up"] for d in line.now()], [False, False])
            self.assertEqual(line.now(), before)
            with self.assertRaisesRegex(anml.Problem, "goes down in both directions"), wire.link("line>").cut():
                pass
        self.assertEqual([change["what"] for change in run.results["changes"]][-2:], ["link line down", "link line up"])

    def test_what_does_not_go_back(self):
        emulator = anml.compile_text(PROGRAM, level=0)
        with anml.live(emulator, sandbox={"a": "sleep 60"}, options=["--api", "127.0.0.1:0"]) as run, tempfile.TemporaryDirectory() as folder:
            wire = run.wire()
            with self.assertRaisesRegex(ValueError, "drawn at random"), wire.link("drawn").changed(jitter="1 ms"):
                pass
            wire.pause("ticks")
            self.assertFalse(wire.ask("workloads/ticks")["on"])
            wire.start("ticks")
            seen = list(wire.watch("line", seconds=2.5))
            self.assertEqual([link["name"] for link in seen[-1]["links"]], ["line>", "line<"])
            self.assertGreater(seen[-1]["links"][1]["bits_per_second"], 5e5)
            file = pathlib.Path(folder, "line.pcapng")
            wire.capture(file, "line", seconds=0.5)
            self.assertGreater(file.stat().st_size, 5000)
            with self.assertRaises(anml.Problem) as refused:
                anml.Wire(wire.address, "another token").state()
            self.assertEqual(refused.exception.status, 401)
        with self.assertRaisesRegex(anml.RunError, "does not answer"):
            wire.state()


if __name__ == "__main__":
    unittest.main()
