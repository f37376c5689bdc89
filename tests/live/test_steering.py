"""Packets of a real host take routes by segments by their code point and their port, as those of virtual hosts do."""
import json
import re
import unittest

from netlab import Lab, main, ping, wait_until

MODEL = """
import std.ether
import std.traffic

model Steered {
  endpoint real { address = 10.0.0.80 }
  router pe
  router dear
  router exit
  host far { address = 10.0.1.1 }
  link entry: pe -- real : ether.gigabit
  link pe -- exit : ether.gigabit { delay = 2 ms }
  link pe -- dear : ether.gigabit { delay = 20 ms }
  link dear -- exit : ether.gigabit { delay = 20 ms }
  link exit -- far : ether.gigabit
  route pe to far via [dear] { dscp = 46 }
  route exit to real via [dear] { protocol = icmp, dscp = 10 }
  workload there : traffic.Ping on far { to = real, interval = 100 ms, dscp = 10 }
  require rtt(real, far) == 4 ms
  run { duration = 8 s, warmup = 1 s }
}
"""


class Steering(unittest.TestCase):
    def test_code_points(self):
        with Lab() as lab:
            emulator = lab.compile(MODEL)
            host, inside = lab.host_outside(emulator)
            live = lab.start(emulator, "live", "--attach", "real=if:veth0", "--results", lab.folder / "live.json", space=inside)
            wait_until(lambda: ping(lab, host, "10.0.1.1", 1), 10, "the first reply")

            def least(*options):
                said = lab.run_in(host, "ping", "-c", "5", "-i", "0.2", *options, "10.0.1.1").stdout
                return min(map(float, re.findall(r"time=([\d.]+) ms", said)))
            # Answers have the mark of what they answer (RFC 1122, 3.2.2.6); the exit steers another one.
            self.assertTrue(4 <= least() < 40)
            self.assertTrue(42 <= least("-Q", "0xb8") < 80)
            self.assertTrue(42 <= least("-Q", "0x28") < 80)
            self.assertEqual(live.wait(20), 0, live.output())
            [there] = json.loads((lab.folder / "live.json").read_text())["workloads"]
            self.assertEqual(there["requests"]["lost"], 0)
            self.assertGreaterEqual(there["round_trip_seconds"]["min"], 42e-3)  # there by the dear way, and back


if __name__ == "__main__":
    main()
