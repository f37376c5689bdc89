"""Links whose directions differ, and links that carry packets one way only."""
import unittest

from emulators import EmulatorTest, run

# A line of 1 Mbps up and 8 Mbps down; between the routers two one-way links of different delays.
LINES = """
import std.traffic
model Lines {
  profile adsl : Link { up { rate = 1 Mbps, delay = 3 ms } down { rate = 8 Mbps, delay = 5 ms } }
  host subscriber
  host far
  router street
  router core
  link line:  subscriber -- street : adsl
  link there: street -> core { rate = 1 Gbps, delay = 10 ms }
  link back:  core -> street { rate = 1 Gbps, delay = 250 ms }
  link last:  core -- far { rate = 1 Gbps }
  require rtt(subscriber, far) == 268 ms && hops(subscriber, far) == 3
  require bottleneck(subscriber, far) == 1 Mbps && bottleneck(far, subscriber) == 8 Mbps
  workload up : traffic.Cbr on subscriber { start_spread = 0 s, to = far, payload = 972 B, interval = 100 ms }
  workload down : traffic.Cbr on far { start_spread = 0 s, to = subscriber, payload = 972 B, interval = 100 ms }
  run { duration = 10 s }
}
"""

# Nothing comes back from the satellite.
BROADCAST = """
import std.traffic
model Broadcast {
  host studio
  host dish[20]
  router satellite
  link up: studio -> satellite { rate = 10 Mbps, delay = 120 ms }
  link beam: satellite -> dish[*] { rate = 10 Mbps, delay = 120 ms }
  require !reachable(studio, dish[0]) && hops(studio, dish[19]) == 2
  workload film : traffic.Cbr on studio { start_spread = 0 s, to = dish[7], rate = 1 Mbps }
  run { duration = 5 s }
}
"""

# Two laptops that send to each other and to a server more than the air carries.
AIR = """
import std.access
import std.traffic
model Air {{
  host laptop[2]
  host desk
  switch point
  {wireless}
  link wire: point -- desk {{ rate = 1 Gbps, delay = 1 ms }}
  workload out  : traffic.Cbr on laptop[*] {{ to = desk, rate = 10 Mbps }}
  workload back : traffic.Cbr on desk {{ to = laptop[0], rate = 10 Mbps }}
  workload more : traffic.Cbr on desk {{ to = laptop[1], port = 20, rate = 10 Mbps }}
  workload over : traffic.Ping on laptop[0] {{ to = laptop[1], interval = 1 s }}
  run {{ duration = 20 s, warmup = 5 s }}
}}
"""


class Directions(EmulatorTest):

    def carried(self, wireless, *options):
        """Mbps that reached all receivers."""
        results = self.simulate(self.compile(AIR.format(wireless=wireless), *options))
        return sum(w["throughput_bps"] for w in results["workloads"][:3]) / 1e6, results

    def test_a_medium_is_shared_by_all_stations_and_directions(self):
        stations = """access.Medium wlan(access.wifi_b)
          link up:    laptop[*] -> wlan.ear : access.antenna
          link down:  wlan.mouth -> laptop[*] : access.antenna
          link enter: point -> wlan.ear : access.antenna
          link leave: wlan.mouth -> point : access.antenna"""
        for options in (("--tasks", 1), ("--tasks", 4)):
            carried, results = self.carried(stations, *options)
            self.assertAlmostEqual(carried, 0.55 * 11, delta=0.06)
            self.assertGreater(results["workloads"][3]["requests"]["sent"], 10)
        # Links of that profile carry as much in each direction, and each station has its own.
        carried, _ = self.carried("link air: laptop[*] -- point : access.wifi_b")
        self.assertAlmostEqual(carried, 4 * 0.55 * 11, delta=0.25)

    def test_delay_of_each_direction(self):
        """A packet of 1000 bytes takes 8 ms at 1 Mbps, 1 ms at 8 Mbps and 8 us at 1 Gbps."""
        for tasks in (1, 4):
            results = self.simulate(self.compile(LINES, "--tasks", tasks), "--threads", tasks)
            up, down = (w["delay_seconds"]["min"] for w in results["workloads"])
            self.assertAlmostEqual(up, 8e-3 + 3e-3 + 10e-3 + 2 * 8e-6, places=9)
            self.assertAlmostEqual(down, 1e-3 + 5e-3 + 250e-3 + 2 * 8e-6, places=9)

    def test_nothing_comes_back(self):
        emulator = self.compile(BROADCAST)
        results = self.simulate(emulator)
        film = results["workloads"][0]["datagrams"]
        self.assertEqual(film["lost"], 0)
        self.assertGreater(film["received"], 500)
        self.assertIn("studio -> satellite", run(emulator, "info").stdout)


if __name__ == "__main__":
    unittest.main()
