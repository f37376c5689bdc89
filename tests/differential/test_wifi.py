"""Access points whose stations share the air, against closed forms: Bianchi (2000), the rate anomaly of Heusse et al. (2003); alike however they are run."""
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.queue
import std.traffic
import std.wifi
model M {{
  host sta[{stations}]
  switch ap {{ radio = {radio} }}
  host wired
  switch core
  link lan: ap -- core {{ rate = 10 Gbps, delay = 100 us }}
  link core -- wired {{ rate = 10 Gbps }}
  {air}
  {more}
  run {{ duration = {duration}, warmup = 500 ms }}
}}
"""
UP = "workload up : traffic.Cbr on sta[*] {{ to = wired, rate = {rate}, payload = {payload} B }}"
DOWN = "workload down{i} : traffic.Cbr on wired {{ to = sta[{i}], rate = {rate}, payload = {payload} B, port = {port} }}"
# Of wifi.b, in seconds.
SLOT, SIFS, DIFS, PREAMBLE, ACK = 20e-6, 10e-6, 50e-6, 192e-6, 248e-6
OVERHEAD = 36


def bianchi(n, window, stages):
    """Probability that a station begins in a slot, by the fixed point of (7) and (9) of the paper."""
    low, high = 0.0, 1.0
    for _ in range(200):  # (7) falls in p
        p = (low + high) / 2
        tau = 2 * (1 - 2 * p) / ((1 - 2 * p) * (window + 1) + p * window * (1 - (2 * p) ** stages)) if p != 0.5 else \
            2 / (window + 1 + window * stages / 2)
        if 1 - (1 - tau) ** (n - 1) > p:
            low = p
        else:
            high = p
    return tau


def saturation(n, window, stages, packet_bits, success, collision, slot):
    """Bits per second of all stations together: (13) of the paper."""
    tau = bianchi(n, window, stages)
    some = 1 - (1 - tau) ** n
    alone = n * tau * (1 - tau) ** (n - 1) / some
    return alone * some * packet_bits / ((1 - some) * slot + some * alone * success + some * (1 - alone) * collision), \
        (1 - alone)


class Wifi(EmulatorTest):

    def cell(self, stations=1, radio="wifi.b()", rate="11 Mbps", air=None, more="", duration="5 s"):
        air = air or f"link air: sta[*] -- ap : wifi.air({rate}, overhead = {OVERHEAD} B)"
        return MODEL.format(stations=stations, radio=radio, air=air, more=more, duration=duration)

    def figures(self, **options):
        results = self.simulate(self.compile(self.cell(**options)))
        value, unit = options.get("duration", "5 s").split()
        seconds = float(value) * {"s": 1, "ms": 1e-3}[unit] - 0.5  # without the warm-up
        return results, results["radios"][0], seconds

    def bits(self, results, name, payload, seconds):
        """Of IP packets a second."""
        workload = next(w for w in results["workloads"] if w["name"] == name)
        return workload["datagrams"]["received"] * (payload + 28) * 8 / seconds

    def test_saturated_stations_are_bianchis(self):
        payload = 1472
        for n in (2, 5, 10, 20):
            with self.subTest(stations=n):
                results, radio, seconds = self.figures(stations=n, radio="wifi.cell(slot = 20 us, sifs = 10 us, aifsn = 2, cw_min = 31, cw_max = 1023, "
                                                       "preamble = 192 us, answer = 248 us, frames = 1, airtime = 100 ms, retries = 255)",
                                                       more=UP.format(rate="10 Mbps", payload=payload), duration="10 s")
                data = PREAMBLE + (payload + 28 + OVERHEAD) * 8 / 11e6
                taken = data + SIFS + ACK + DIFS
                expected, collided = saturation(n, 32, 5, (payload + 28) * 8, taken, taken, SLOT)
                found = self.bits(results, "up", payload, seconds)
                print(f"{n} stations: {found / 1e6:.3f} Mbit/s, Bianchi {expected / 1e6:.3f} ({100 * (found / expected - 1):+.2f} %); "
                      f"collisions {radio['collisions'] / radio['transmissions']:.4f}, Bianchi {collided:.4f}")
                self.assertAlmostEqual(found / expected, 1, delta=0.03)
                self.assertAlmostEqual(radio["collisions"] / radio["transmissions"], collided, delta=0.03)
                self.assertEqual(radio["lost"], 0)

    def one_way(self, frames, bytes_each, rate, cycle):
        """Bits per second of IP packets that the access point alone sends: nobody contends, so half of the least window goes by."""
        return frames * (bytes_each - 44) * 8 / (cycle + frames * bytes_each * 8 / rate)

    def test_aggregates_are_bounded(self):
        payload = 1472
        for rate, radio, frames, preamble in ((866.7e6, "wifi.ac()", 64, 44e-6), (65e6, "wifi.ac()", 28, 44e-6),
                                              (300e6, "wifi.n()", 42, 40e-6), (300e6, "wifi.n(frames = 8)", 8, 40e-6)):
            with self.subTest(radio=radio, rate=rate):
                each = payload + 28 + 44
                limit = 1048575 if "ac" in radio else 65535
                self.assertEqual(min(int(radio.split("= ")[1][:-1]) if "=" in radio else 64, limit // each, int((5484e-6 - preamble) * rate / 8 // each)), frames)
                air = f"link air: sta[*] -- ap : wifi.air({rate / 1e6} Mbps)"
                results, radio_figures, seconds = self.figures(radio=radio, air=air, more=DOWN.format(i=0, rate="900 Mbps", payload=payload, port=9), duration="2500 ms")
                cycle = 16e-6 + 3 * 9e-6 + 7.5 * 9e-6 + preamble + 16e-6 + 32e-6
                found, expected = self.bits(results, "down0", payload, seconds), self.one_way(frames, each, rate, cycle)
                print(f"{radio} at {rate / 1e6:g} Mbit/s: {found / 1e6:.2f} Mbit/s, closed form {expected / 1e6:.2f}")
                self.assertAlmostEqual(found / expected, 1, delta=0.01)
                # The air is taken for transmissions and answers, and idle for what lies between them.
                idle = radio_figures["transmissions"] * (16e-6 + 3 * 9e-6 + 7.5 * 9e-6) / seconds
                self.assertAlmostEqual(radio_figures["taken_share"] + idle, 1, delta=0.01)

    def test_profiles(self):
        """802.11g at 54 Mbit/s: slots of 9 us, a SIFS of 10, a preamble of 20 with 6 of signal extension, an acknowledgment at 24 Mbit/s."""
        payload, each = 1472, 1472 + 28 + OVERHEAD
        results, _, seconds = self.figures(radio="wifi.g()", rate="54 Mbps", more=DOWN.format(i=0, rate="50 Mbps", payload=payload, port=9), duration="2500 ms")
        symbols = lambda bits, rate: -(-(16 + bits + 6) // (rate * 4)) * 4  # us: of service, data and tail (802.11-2020, 17.3)
        cycle = 10e-6 + 2 * 9e-6 + 7.5 * 9e-6 + 26e-6 + each * 8 / 54e6 + 10e-6 + (20 + symbols(14 * 8, 24) + 6) * 1e-6
        self.assertAlmostEqual(self.bits(results, "down0", payload, seconds) / ((payload + 28) * 8 / cycle), 1, delta=0.01)

    def test_a_slow_station_slows_all(self):
        payload = 1472
        rates = (11e6, 11e6, 1e6)
        # Down: the access point serves them in turn, so that all have the same.
        air = "\n  ".join(f"link air{i}: sta[{i}] -- ap : wifi.air({r / 1e6} Mbps, overhead = {OVERHEAD} B)" for i, r in enumerate(rates))
        more = "\n  ".join(DOWN.format(i=i, rate="8 Mbps", payload=payload, port=9 + i) for i in range(3))
        results, _, seconds = self.figures(stations=3, air=air, more=more, duration="20 s")
        cycle = sum(DIFS + 15.5 * SLOT + PREAMBLE + (payload + 28 + OVERHEAD) * 8 / r + SIFS + ACK for r in rates)
        for i in range(3):
            self.assertAlmostEqual(self.bits(results, f"down{i}", payload, seconds) / ((payload + 28) * 8 / cycle), 1, delta=0.01)
        # Up: each begins as often as the others, so that all have nearly the same, less than the slow one's rate.
        up = "\n  ".join(f"workload up{i} : traffic.Cbr on sta[{i}] {{ to = wired, rate = 8 Mbps, payload = {payload} B, port = {9 + i} }}" for i in range(3))
        results, _, seconds = self.figures(stations=3, air=air, more=up, duration="40 s")
        found = [self.bits(results, f"up{i}", payload, seconds) for i in range(3)]
        print("anomaly, up:", [round(f / 1e6, 3) for f in found], "Mbit/s at 11, 11 and 1 Mbit/s")
        tau = bianchi(3, 32, 5)
        alone = tau * (1 - tau) ** 2
        collision = lambda who: tau ** len(who) * (1 - tau) ** (3 - len(who)) * max(PREAMBLE + (payload + 28 + OVERHEAD) * 8 / rates[i] + SIFS + ACK + DIFS for i in who)
        slot = (1 - tau) ** 3 * SLOT + sum(collision(who) for who in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)))
        for f in found:
            self.assertAlmostEqual(f / (alone * (payload + 28) * 8 / slot), 1, delta=0.05)

    def test_up_and_down_share(self):
        payload = 1472
        more = UP.format(rate="8 Mbps", payload=payload) + "\n  " + DOWN.format(i=0, rate="8 Mbps", payload=payload, port=10)
        results, _, seconds = self.figures(more=more, duration="20 s")
        up, down = (self.bits(results, name, payload, seconds) for name in ("up", "down0"))
        self.assertAlmostEqual(up / down, 1, delta=0.04)
        taken = PREAMBLE + (payload + 28 + OVERHEAD) * 8 / 11e6 + SIFS + ACK + DIFS
        self.assertAlmostEqual((up + down) / saturation(2, 32, 5, (payload + 28) * 8, taken, taken, SLOT)[0], 1, delta=0.03)

    def test_errors_are_repeated(self):
        payload, wrong = 1472, 0.2
        fixed = "wifi.cell(slot = 20 us, sifs = 10 us, aifsn = 2, cw_min = 31, cw_max = 31, preamble = 192 us, answer = 248 us, frames = 1, airtime = 100 ms, error = 20 %, retries = RETRIES)"
        cycle = DIFS + 15.5 * SLOT + PREAMBLE + (payload + 28 + OVERHEAD) * 8 / 11e6 + SIFS + ACK
        for retries in (0, 2, 100):
            with self.subTest(retries=retries):
                results, radio, seconds = self.figures(radio=fixed.replace("RETRIES", str(retries)), more=DOWN.format(i=0, rate="11 Mbps", payload=payload, port=9), duration="20 s")
                found = self.bits(results, "down0", payload, seconds)
                self.assertAlmostEqual(found / ((1 - wrong) * (payload + 28) * 8 / cycle), 1, delta=0.02)
                self.assertAlmostEqual(radio["failed"] / radio["transmissions"], wrong, delta=0.015)
                self.assertAlmostEqual(radio["lost"] / radio["transmissions"], (1 - wrong) * wrong ** (retries + 1) / (1 - wrong), delta=0.012)
                self.assertEqual(radio["lost"], results["packets"]["dropped"]["lost"])

    def test_a_lone_packet_is_not_held_up(self):
        results, radio, _ = self.figures(more="workload p : traffic.Ping on wired { to = sta[0], interval = 100 ms, payload = 56 B }", duration="5 s")
        data = 2 * (PREAMBLE + (84 + OVERHEAD) * 8 / 11e6)
        # Each way takes up to a slot more; the answer comes while the acknowledgment is in the air, and draws a backoff.
        least = 2 * 100e-6 + data
        trips = results["workloads"][0]["round_trip_seconds"]
        self.assertGreaterEqual(trips["min"], least)
        self.assertLess(trips["max"], least + 2 * SLOT + SIFS + ACK + DIFS + 31 * SLOT + 4e-6)
        self.assertEqual(radio["collisions"], 0)

    def test_who_comes_in_the_middle_of_a_slot_waits_for_its_end(self):
        radio = "wifi.cell(slot = 20 us, sifs = 10 us, aifsn = 2, cw_min = 0, cw_max = 0, preamble = 192 us, answer = 248 us, frames = 1, airtime = 100 ms, retries = 255)"
        results, _, _ = self.figures(radio=radio, more="workload p : traffic.Ping on wired { to = sta[0], interval = 10.001 ms, payload = 56 B }")
        # Without backoffs only the first packet finds the air idle; the answer begins a DIFS behind the acknowledgment.
        least = 2 * 100e-6 + 2 * (PREAMBLE + (84 + OVERHEAD) * 8 / 11e6) + SIFS + ACK + DIFS
        trips = results["workloads"][0]["round_trip_seconds"]
        self.assertGreaterEqual(trips["min"], least)
        self.assertLess(trips["min"], least + 3e-6)
        self.assertLess(trips["max"], least + SLOT + 2e-6)
        self.assertGreater(trips["max"], least + SLOT - 3e-6)

    def test_what_is_in_the_air_ends_as_it_began(self):
        # A transmission of 1536 B at 11 Mbps takes 1.3 ms, at 100 Kbps a tenth of a second: only later ones take that.
        more = """workload ping : traffic.Ping on sta[0] { to = wired, payload = 1472 B, interval = 10 s, timeout = 9 s, start_spread = 0 s }
  at 500 us { air[0] { rate = 100 Kbps } }"""
        text = self.cell(stations=1, more=more, duration="2 s").replace(", warmup = 500 ms", "")
        trip = self.simulate(self.compile(text))["workloads"][0]["round_trip_seconds"]["max"]
        slow, fast = (1500 + OVERHEAD) * 8 / 100e3, (1500 + OVERHEAD) * 8 / 11e6
        self.assertGreater(trip, slow + fast)
        self.assertLess(trip, slow + fast + 4e-3)

    def test_alike_however_it_is_run(self):
        air = """link air: sta[*] -- ap : wifi.air(65 Mbps) { delay = 100 us }
  host far
  router ap2 { radio = wifi.g(error = 5 %), buffer = shared_buffer(100 KB) }
  link slow: far -- ap2 : wifi.air(6 Mbps) { queue = queue.fq_codel() }
  host near[2]
  link near[*] -- ap2 { rate = 54 Mbps, overhead = 36 B, queue = queue.drr(64 KB) }
  link ap2 -- core { rate = 1 Gbps, delay = 2 ms }"""
        more = """workload up : traffic.Bulk on sta[*] { to = wired }
  workload down : traffic.Cbr on wired { to = sta[0], rate = 20 Mbps }
  workload g : traffic.Bulk on wired { to = far }
  workload g1 : traffic.Bulk on wired { to = near[0], port = 81 }
  workload g2 : traffic.Bulk on near[*] { to = sta[1], port = 82 }
  at 800 ms { slow { rate = 1 Mbps }, air[0] { rate = 6.5 Mbps } }
  at 1 s { air[1] down }
  at 1200 ms { air[1] up }"""
        text = self.cell(stations=6, radio="wifi.n(error = 2 %)", air=air, more=more, duration="2 s")
        (digest, radios, workloads), _ = self.however_it_is_run(text, "radios", "workloads")
        self.assertEqual([r["node"] for r in radios], ["ap", "ap2"])
        self.assertTrue(all(r["transmissions"] > 100 and r["collisions"] > 0 and r["failed"] > 0 for r in radios))
        self.either_tier_has(text, digest, workloads)
        self.assertEqual(self.simulate(self.compile(run(ANMLC, "--emit=anml", self.compiled_text(text)).stdout))["digest"], digest)

    def compiled_text(self, text):
        model = self.fresh("text.anml")
        model.write_text(text)
        return model


if __name__ == "__main__":
    unittest.main(verbosity=2)
