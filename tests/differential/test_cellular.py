"""Base stations that schedule their stations in slots, against closed forms: shares of round robin and of proportional fairness (Jalali, Padovani and
Pankaj, 2000), delays of lone packets, what repetitions take; alike however they are run."""
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.cellular
import std.queue
import std.traffic
import std.wifi
model M {{
  host sta[{stations}]
  switch mast {{ radio = {radio} }}
  host wired
  link core: mast -- wired {{ rate = 10 Gbps, wired = true }}
  {air}
  {more}
  run {{ duration = {duration}, warmup = {warmup} }}
}}
"""
PAYLOAD, OVERHEAD = 1472, 7
PACKET = PAYLOAD + 28     # bytes, of which rates of workloads are
BYTES = PACKET + OVERHEAD  # of a packet on the air
DOWN = "workload down{i} : traffic.Cbr on wired {{ to = sta[{i}], rate = {rate} Mbps, payload = 1472 B, port = {port} }}"
UP = "workload up{i} : traffic.Cbr on sta[{i}] {{ to = wired, rate = {rate} Mbps, payload = 1472 B, port = {port} }}"
PLAIN = "cellular.carrier(error = 0 %, request = 0 s, grant = 0 s{})"


class Cellular(EmulatorTest):

    def cell(self, radio, rates, more="", duration="5 s", warmup="1 s"):
        """Mbit/s down and up of each station."""
        air = "\n  ".join(f"link air{i}: sta[{i}] -- mast : cellular.air({down} Mbps, up = {up} Mbps)" for i, (down, up) in enumerate(rates))
        return MODEL.format(stations=len(rates), radio=radio, air=air, more=more, duration=duration, warmup=warmup)

    def figures(self, *args, **options):
        text = self.cell(*args, **options)
        results = self.simulate(self.compile(text))
        packets = results["packets"]
        self.assertGreaterEqual(packets["sent"] + 5000, packets["delivered"] + sum(packets["dropped"].values()))  # some were sent in the warm-up
        return results, results["radios"][0]

    def megabits(self, results, name, seconds=4):
        """On the air, without what was not received."""
        workload = next(w for w in results["workloads"] if w["name"] == name)
        return workload["datagrams"]["received"] * BYTES * 8 / seconds / 1e6

    def saturated(self, rates, direction=DOWN):
        return "\n  ".join(direction.format(i=i, rate=1.2 * r, port=9 + i) for i, r in enumerate(rates))

    def test_stations_that_always_receive_have_equal_times(self):
        rates = (100, 40, 10, 2)
        for scheduler in ("round_robin", "proportional_fair"):
            for slot, blocks in (("1 ms", 100), ("0.5 ms", 273), ("0.125 ms", 66), ("1 ms", 1)):
                with self.subTest(scheduler=scheduler, slot=slot):
                    radio = PLAIN.format(f", scheduler = {scheduler}, slot = {slot}, blocks = {blocks}")
                    results, air = self.figures(radio, [(r, 1) for r in rates], more=self.saturated(rates), duration="9 s")
                    found = [self.megabits(results, f"down{i}", 8) for i in range(len(rates))]
                    print(f"{scheduler}, {slot}: {[round(f, 3) for f in found]} Mbit/s, a quarter of {rates}")
                    for f, r in zip(found, rates):
                        self.assertAlmostEqual(f / (r / 4), 1, delta=0.01)
                    self.assertAlmostEqual(air["down_share"], 1, delta=0.002)
                    self.assertEqual(air["up_share"], 0)
                    self.assertEqual((air["failed"], air["lost"]), (0, 0))
                    self.assertEqual(air["stations"], [f"sta[{i}]" for i in range(4)])  # `wired` is none: its link is

    def test_the_directions_are_scheduled_for_themselves(self):
        rates = (50, 20)
        more = self.saturated(rates) + "\n  " + "\n  ".join(UP.format(i=i, rate=1.2 * r / 2, port=20 + i) for i, r in enumerate(rates))
        results, air = self.figures(PLAIN.format(""), [(r, r / 2) for r in rates], more=more)
        for i, r in enumerate(rates):
            self.assertAlmostEqual(self.megabits(results, f"down{i}") / (r / 2), 1, delta=0.01)
            self.assertAlmostEqual(self.megabits(results, f"up{i}") / (r / 4), 1, delta=0.01)
        self.assertAlmostEqual(air["down_share"], 1, delta=0.002)
        self.assertAlmostEqual(air["up_share"], 1, delta=0.002)

    def test_who_needs_less_leaves_it_to_others(self):
        """The first has 5 of 100 Mbit/s, a twentieth of the slots; the others share the rest of the time."""
        more = DOWN.format(i=0, rate=5 * PACKET / BYTES, port=9) + "\n  " + "\n  ".join(DOWN.format(i=i, rate=60, port=9 + i) for i in (1, 2))
        for scheduler in ("round_robin", "proportional_fair"):
            with self.subTest(scheduler=scheduler):
                results, air = self.figures(PLAIN.format(f", blocks = 1000, scheduler = {scheduler}"), [(100, 1), (50, 1), (20, 1)], more=more)
                self.assertAlmostEqual(self.megabits(results, "down0"), 5, delta=0.05)
                self.assertAlmostEqual(self.megabits(results, "down1") / (50 * 0.475), 1, delta=0.01)
                self.assertAlmostEqual(self.megabits(results, "down2") / (20 * 0.475), 1, delta=0.01)
                self.assertAlmostEqual(air["down_share"], 1, delta=0.002)

    def test_proportional_fairness_takes_the_better_of_two(self):
        """Two rates that alternate, one high while the other one is low: proportional fairness serves the high one, round robin both."""
        high, low, period = 40, 10, 20  # ms
        changes = "\n  ".join(f"at {t} ms {{ air{a} {{ down {{ rate = {high} Mbps }} }}, air{1 - a} {{ down {{ rate = {low} Mbps }} }} }}"
                              for t in range(period, 5000, period) for a in [t // period % 2])
        found = {}
        for scheduler, expected in (("round_robin", (high + low) / 4), ("proportional_fair", high / 2)):
            radio = PLAIN.format(f", scheduler = {scheduler}, average = 1 s")
            results, _ = self.figures(radio, [(high, 1), (low, 1)], more=self.saturated((high, high)) + "\n  " + changes)
            found[scheduler] = [self.megabits(results, f"down{i}") for i in range(2)]
            print(f"{scheduler}: {found[scheduler]} Mbit/s, closed form {expected}")
            for f in found[scheduler]:
                self.assertAlmostEqual(f / expected, 1, delta=0.03)
        gain = sum(found["proportional_fair"]) / sum(found["round_robin"])
        self.assertAlmostEqual(gain, 2 * high / (high + low), delta=0.05)

    def trip(self, radio, rate, ping, wait):
        """Round trips of pings whose intervals have nothing to do with slots."""
        more = f"workload p : traffic.Ping on {ping[0]} {{ to = {ping[1]}, interval = {wait}, payload = 56 B, start_spread = 0 s }}"
        results, _ = self.figures(radio, [(rate, rate)], more=more, duration="401 s", warmup="1 s")
        trips = results["workloads"][0]["round_trip_seconds"]
        return {key: trips[key] * 1e3 for key in ("min", "mean", "max")}

    def test_a_lone_packet_waits_for_its_slot_and_takes_slots(self):
        bits = (84 + OVERHEAD) * 8
        for rate, slots in ((10, 1), (0.5, 2), (0.1, 8)):
            with self.subTest(rate=rate):
                self.assertEqual(-(-bits // (rate * 1e3)), slots)
                trip = self.trip(PLAIN.format(""), rate, ("wired", "sta[0]"), "107.313 ms")
                # Down it waits half a slot on average; up it begins at once: it came at the end of a slot.
                wires = 2 * (84 * 8 / 10e9) * 1e3
                self.assertAlmostEqual(trip["mean"], 0.5 + 2 * slots + wires, delta=0.03)
                self.assertAlmostEqual(trip["min"], 2 * slots + wires, delta=0.02)
                self.assertAlmostEqual(trip["max"], 2 * slots + 1 + wires, delta=0.02)

    def test_repetitions_take_a_round_trip_each(self):
        wires = 2 * (84 * 8 / 10e9) * 1e3
        for error in (0.1, 0.3):
            trip = self.trip(f"cellular.carrier(error = {error * 100} %, request = 0 s, grant = 0 s)", 10, ("wired", "sta[0]"), "107.313 ms")
            expected = 0.5 + 2 + 2 * 8 * error / (1 - error) + wires
            print(f"error {error}: {trip['mean']:.3f} ms, closed form {expected:.3f}")
            self.assertAlmostEqual(trip["mean"], expected, delta=0.06 * expected)

    def test_a_station_asks_for_a_grant(self):
        """Up: half of `request` until it can ask, `grant`, a slot. The answer comes a little after a slot's end, by the wires, waits for the next one, and takes it."""
        for request, grant in ((10, 8), (5, 4), (1, 8)):
            with self.subTest(request=request):
                trip = self.trip(f"cellular.carrier(error = 0 %, request = {request} ms, grant = {grant} ms)", 10, ("sta[0]", "wired"), "107.313 ms")
                expected = request / 2 + grant + 1 + 1 + 1
                print(f"request {request} ms: {trip['mean']:.3f} ms, closed form {expected:.3f}")
                self.assertAlmostEqual(trip["mean"], expected, delta=0.02)
                self.assertAlmostEqual(trip["max"] - trip["min"], request, delta=0.02)

    def test_repetitions_take_their_share(self):
        for error, retries in ((0.1, 31), (0.3, 31), (0.5, 31)):
            with self.subTest(error=error):
                radio = f"cellular.carrier(error = {error * 100} %, retries = {retries})"
                results, air = self.figures(radio, [(20, 1), (10, 1)], more=self.saturated((20, 10)), duration="21 s")
                print(f"error {error}: {[round(self.megabits(results, f'down{i}', 20), 3) for i in range(2)]} Mbit/s, closed form {[round((1 - error) * r / 2, 3) for r in (20, 10)]}")
                for i, r in enumerate((20, 10)):
                    self.assertAlmostEqual(self.megabits(results, f"down{i}", 20) / ((1 - error) * r / 2), 1, delta=0.02)
                self.assertAlmostEqual(air["failed"] / air["transmissions"], error, delta=0.01)
                self.assertEqual(air["lost"], 0)

    def test_what_is_repeated_too_often_is_lost(self):
        """A packet in a slot, one in five slots: repetitions, each eight slots later, meet no other packet. An error in all of its transmissions loses it."""
        bits = BYTES * 8
        more = DOWN.format(i=0, rate=bits / 5e3 * PACKET / BYTES, port=9)
        for error, retries in ((0.3, 0), (0.3, 1), (0.5, 3)):
            with self.subTest(error=error, retries=retries):
                results, air = self.figures(f"cellular.carrier(error = {error * 100} %, retries = {retries}, blocks = 1)", [(bits / 1e3 * 1.001, 1)], more=more, duration="61 s")
                sent = results["workloads"][0]["datagrams"]["sent"]
                expected = error ** (retries + 1)
                print(f"error {error}, {retries} retries: {air['lost'] / sent:.4f} of {sent} lost, closed form {expected:.4f}")
                self.assertAlmostEqual(air["lost"] / sent, expected, delta=3 * (expected * (1 - expected) / sent) ** 0.5)  # standard errors
                self.assertEqual(air["lost"], results["packets"]["dropped"]["lost"])

    def test_packets_arrive_in_order(self):
        more = "workload up : traffic.Bulk on sta[*] { to = wired, size = 5 MB }\n  workload down : traffic.Bulk on wired { to = sta[0], size = 5 MB, port = 99 }"
        results, air = self.figures("cellular.lte(error = 30 %)", [(50, 20), (10, 5)], more=more, duration="20 s", warmup="0 s")
        self.assertGreater(air["failed"], 1000)
        self.assertEqual(air["lost"], 0)
        for workload in results["workloads"]:
            self.assertEqual(workload["retransmissions"] if "retransmissions" in workload else 0, 0)

    def test_who_is_wired_is_no_station(self):
        air = "link air: sta[*] -- mast : cellular.air(10 Mbps)\n  host desk\n  link plug: desk -- mast { rate = 100 Mbps, wired = true }"
        more = "workload w : traffic.Ping on desk { to = wired, interval = 10.3 ms }"
        text = MODEL.format(stations=2, radio="cellular.lte()", air=air, more=more, duration="2 s", warmup="0 s")
        binary = self.compile(text)
        results = self.simulate(binary)
        self.assertLess(results["workloads"][0]["round_trip_seconds"]["max"], 100e-6)
        self.assertEqual(results["radios"], [])  # nobody has sent anything there
        self.assertIn("mast   cellular        2  sta[0], sta[1]", run(binary, "info").stdout)

    def test_alike_however_it_is_run(self):
        air = """link air: sta[0 .. 2] -- mast : cellular.air(75 Mbps, up = 25 Mbps) { delay = 100 us }
  link far: sta[3] -- mast : cellular.air(5 Mbps, up = 2 Mbps) { queue = queue.fq_codel() }
  host near[2]
  router mast2 { radio = cellular.nr(scheduler = round_robin), buffer = shared_buffer(100 KB) }
  link near[*] -- mast2 { rate = 200 Mbps, overhead = 10 B, queue = queue.drr(64 KB) }
  link mast2 -- mast { rate = 1 Gbps, delay = 2 ms }"""
        more = """workload up : traffic.Bulk on sta[*] { to = wired }
  workload down : traffic.Cbr on wired { to = sta[0], rate = 30 Mbps }
  workload g : traffic.Bulk on wired { to = near[0], port = 81 }
  workload g2 : traffic.Bulk on near[*] { to = sta[3], port = 82 }
  at 800 ms { far { rate = 1 Mbps }, air[0] { rate = 6.5 Mbps } }
  at 1 s { air[1] down }
  at 1200 ms { air[1] up }"""
        text = MODEL.format(stations=4, radio="cellular.lte()", air=air, more=more, duration="2 s", warmup="500 ms")
        (digest, radios, workloads), _ = self.however_it_is_run(text, "radios", "workloads")
        self.assertEqual([r["node"] for r in radios], ["mast", "mast2"])
        self.assertTrue(all(r["transmissions"] > 100 and r["failed"] > 0 for r in radios))
        self.either_tier_has(text, digest, workloads)
        model = self.fresh("text.anml")
        model.write_text(text)
        self.assertEqual(self.simulate(self.compile(run(ANMLC, "--emit=anml", model).stdout))["digest"], digest)


if __name__ == "__main__":
    unittest.main(verbosity=2)
