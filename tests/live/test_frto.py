"""Forward RTO-recovery (RFC 5682) beside Linux's: a path that stands still for 800 ms and loses nothing, without timestamps and D-SACK, which
would tell as well. Linux's is between two real hosts, whose link is stopped; ours is simulated, with a delay that is as much longer."""
import contextlib
import json
import os
import signal
import threading
import time
import unittest

from linux_path import LinuxPath
from netlab import Lab, by_the_clock, main, run

SIZE = 2_000_000
MODEL = f"""
import std.tcp
import std.traffic

profile law : Tcp {{ timestamps = false, frto = FRTO }}

model Stands {{
  host near {{ tcp = law }}
  host far {{ tcp = law }}
  link path: near -- far {{ rate = 10 Mbps, delay = 20 ms, queue = droptail(8 MB) }}
  at 500 ms {{ path {{ delay = 820 ms }} }}
  at 1300 ms {{ path {{ delay = 20 ms }} }}
  workload send : traffic.Bulk on near {{ to = far, size = {SIZE} B, transfers = 1, start_spread = 0 s }}
  run {{ duration = 60 s }}
}}
"""


@unittest.skipUnless(os.geteuid() == 0, "needs root")
class Forward(unittest.TestCase):
    def linux(self, frto):
        way = "rate=10e6,delay=20000000,packets=65535,bytes=8388608,pass=1,seed=1"
        with Lab() as lab, contextlib.closing(LinuxPath(lab, way, way, **{
                "net.ipv4.tcp_timestamps": 0, "net.ipv4.tcp_dsack": 0, "net.ipv4.tcp_frto": frto})) as path:
            def stand():
                time.sleep(0.5)
                path.emulator.send_signal(signal.SIGSTOP)
                time.sleep(0.8)
                path.emulator.send_signal(signal.SIGCONT)
            standing = threading.Thread(target=stand)
            standing.start()
            figures = path.transfer(SIZE)
            standing.join()
            self.assertEqual(figures["there"]["lost"] + figures["there"]["dropped"], 0)
            return figures["again"]

    def ours(self, frto):
        with Lab() as lab:
            emulator = lab.compile(MODEL.replace("FRTO", frto), "-O0")
            results = lab.folder / "results.json"
            run(emulator, "simulate", "--results", results)
            return json.loads(results.read_text())["retransmissions"]

    @by_the_clock("what is sent again when a path stands still for 800 ms")
    def test_as_few_segments_are_sent_again(self):
        linux, ours = self.linux(2), self.ours("true")
        self.assertLessEqual(linux, 4)
        self.assertLessEqual(abs(ours - linux), 2, (ours, linux))
        linux, ours = self.linux(0), self.ours("false")
        self.assertGreater(linux, 20)
        self.assertGreater(ours, 20, (ours, linux))


if __name__ == "__main__":
    main()
