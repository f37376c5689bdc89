"""A real host meets protocols of which the model's own hosts have no use: their code is not cut."""
import unittest

from netlab import Lab

DATAGRAMS = """
import std.traffic
model Datagrams {
  endpoint probe { address = 10.1.0.1 }
  host near { address = 10.2.0.1 }
  host far  { address = 10.3.0.1 }
  router r
  link entry: probe -- r { rate = 1 Gbps, delay = 0.1 ms }
  link first: near -- r  { rate = 1 Gbps, delay = 0.1 ms }
  link last:  r -- far   { rate = 1 Gbps, delay = 0.1 ms }
  workload ticks : traffic.Cbr on near { to = far, payload = 100 B, interval = 10 ms }
  run { duration = 60 s }
}
"""
# A connection and a datagram to ports where nobody listens, in the model in which nobody ever connects.
ASK = """
import socket
for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    with socket.socket(socket.AF_INET, kind) as s:
        s.settimeout(10)
        try:
            s.connect(("10.3.0.1", 4000))
            s.send(b"x")
            print("answered", s.recv(1))
        except OSError as error:
            print(kind.name, type(error).__name__, flush=True)
"""


class AbsentConstructs(unittest.TestCase):
    def test_hosts_without_tcp_or_ping_answer_real_hosts(self):
        with Lab() as lab:
            script, said = lab.folder / "ask.py", lab.folder / "said"
            script.write_text(ASK)
            emulator = lab.compile(DATAGRAMS, "-O2")
            live = lab.start(emulator, "live", "--for", "15s", "--sandbox", "probe", "--", "sh", "-c",
                             f"(python3 {script}; ping -n -c 3 -i 0.1 -w 10 10.3.0.1) > {said} 2>&1; true")
            live.wait(40)
            seen = said.read_text() if said.exists() else live.output()
            self.assertIn("SOCK_STREAM ConnectionRefusedError", seen)
            self.assertIn("SOCK_DGRAM ConnectionRefusedError", seen)
            self.assertIn("3 received", seen)


if __name__ == "__main__":
    unittest.main()
