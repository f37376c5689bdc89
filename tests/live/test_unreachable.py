"""A real host whose packets cannot go on hears it from the router, and reaches addresses outside of the model's pool."""
import re
import unittest

from netlab import Lab

CUT_OFF = """
model CutOff {
  endpoint probe { address = 10.1.0.1 }
  router near { address = 192.0.2.1 }
  router away
  host   far  { address = 198.51.100.7 }
  host   beside
  link entry:  probe -- near { rate = 1 Gbps, delay = 0.1 ms }
  link direct: near -- away  { rate = 1 Gbps, delay = 4 ms }
  link last:   away -- far   { rate = 1 Gbps, delay = 0.1 ms }
  link side:   beside -- near { rate = 1 Gbps }
  at 3 s { direct down }
  run { duration = 60 s }
}
"""


class Unreachable(unittest.TestCase):
    def test_a_router_says_that_the_network_is_unreachable(self):
        with Lab() as lab:
            emulator = lab.compile(CUT_OFF, "-O0")
            pings = lab.folder / "pings"
            live = lab.start(emulator, "live", "--for", "5s", "--sandbox", "probe", "--", "sh", "-c",
                             f"ping -n -i 0.05 -w 5 198.51.100.7 > {pings}; true")
            live.wait(30)
            seen = pings.read_text() if pings.exists() else live.output()
            trips = [float(trip) for trip in re.findall(r"bytes from 198\.51\.100\.7: .*time=([\d.]+)", seen)]
            self.assertTrue(trips and 8.4 - 0.1 <= min(trips) < 58, seen)
            self.assertIn("From 192.0.2.1 icmp_seq=", seen)
            self.assertIn("Destination Net Unreachable", seen)


if __name__ == "__main__":
    unittest.main()
