"""Every example compiles and simulates, and prints what its README shows."""
import json
import math
import unittest

from emulators import ANMLC, ROOT, EmulatorTest, asks_real_servers, run

EXAMPLES = sorted((ROOT / "examples").glob("*/*.anml"))


class Examples(EmulatorTest):
    def test_all(self):
        self.assertGreaterEqual(len(EXAMPLES), 3)
        for model in EXAMPLES:
            with self.subTest(model.parent.name):
                emulator = self.compile(model)
                if asks_real_servers(json.loads(run(ANMLC, model, "--emit=network", "-o", "-").stdout)):
                    self.assertIn("has no simulated server", run(emulator, "simulate", check=False).stderr)
                    continue
                results = self.simulate(emulator, "--for", "4s", thresholds=False)  # these are of runs as long as the model says
                self.assertEqual(results["transactions"]["failed"], 0)
                for workload in results["workloads"]:
                    if model.parent.name == "overload" and workload["name"] == "burst":
                        continue  # it is off for so long
                    if workload["kind"] == "traffic.Ping":
                        self.assertGreater(workload["requests"]["received"], 10)
                        continue
                    self.assertGreater(workload["throughput_bps" if "throughput_bps" in workload else "goodput_bps"], 0)
                    if "transactions" in workload:
                        self.assertGreater(workload["transactions"]["completed"], 10)

    def assertPrintsWhatIsShown(self, folder, emulator):
        """The indented lines of its README, but for the command."""
        shown = [line.strip() for line in (folder / "README.md").read_text().splitlines() if line.startswith("    ")]
        self.assertGreater(len(shown), 3)
        printed = run(emulator, "simulate").stdout
        for line in shown[1:]:
            self.assertIn(line, printed)

    def test_dumbbell(self):
        folder = ROOT / "examples/dumbbell"
        emulator = self.compile(folder / "dumbbell.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        # A larger buffer delays the call; that much more, and nothing is lost.
        small, large = (self.simulate(emulator, "--set", f"buffer={size}")["workloads"] for size in ("32KB", "1MB"))
        self.assertGreater(large[1]["delay_seconds"]["median"], small[1]["delay_seconds"]["median"] + 0.02)
        self.assertEqual(large[1]["datagrams"]["lost"], 0)
        self.assertGreater(large[0]["goodput_bps"], 0.97 * 10e6 * 1460 / 1500 - 80e3)

    def test_failing_link(self):
        folder = ROOT / "examples/failing-link"
        self.assertPrintsWhatIsShown(folder, self.compile(folder / "failing.anml"))

    def test_two_sites(self):
        folder = ROOT / "examples/two-sites"
        emulator = self.compile(folder / "two.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        slow = self.simulate(emulator, "--set", "access=64Kbps")
        self.assertGreater(slow["busiest_links"][0]["utilisation"], 0.9)
        self.assertEqual(slow["busiest_links"][0]["name"], "slow<")

    def test_overload(self):
        """S-Client's figures: past a capacity of 130/s throughput falls, to 75/s at 2065/s; bursts cost 12 to 20 %."""
        folder = ROOT / "examples/overload"
        emulator = self.compile(folder / "overload.anml")
        self.assertPrintsWhatIsShown(folder, emulator)

        def completed(*settings):
            tunables = [word for setting in settings for word in ("--set", setting)]
            return self.simulate(emulator, *tunables)["transactions"]["per_second"]

        rates = [completed(f"offered={offered}") for offered in (65, 130, 520, 1000, 2065)]
        self.assertAlmostEqual(rates[0], 65, delta=1.5)
        self.assertAlmostEqual(rates[1], 130, delta=4)
        self.assertEqual(rates[1:], sorted(rates[1:], reverse=True))
        self.assertAlmostEqual(rates[4], 75, delta=4)
        for offered in (80, 100, 110):
            loss = 1 - completed(f"offered={offered}", "peak=6") / completed(f"offered={offered}")
            self.assertGreater(loss, 0.12)
            self.assertLess(loss, 0.20)

    def test_slow_clients(self):
        """Zeus's figures: an event loop serves all modems at their speed, a process per connection as many as it has."""
        folder = ROOT / "examples/slow-clients"
        self.assertPrintsWhatIsShown(folder, self.compile(folder / "slow.anml"))

        def completed(clients, *options):
            emulator = self.compile(folder / "slow.anml", "-D", f"clients={clients}", *options)
            return self.simulate(emulator)["transactions"]["per_second"]

        for clients, published in ((200, 69), (1000, 349), (3600, 1239)):
            event_loop = completed(clients, "-D", "server=web.event_driven(0.5 ms)")
            self.assertAlmostEqual(event_loop / published, 1, delta=0.05)
            self.assertLess(event_loop, clients * 28800 / 80000)
        for clients in (200, 1000):
            self.assertAlmostEqual(completed(clients), 150 / 2.9, delta=2)

    def test_campus(self):
        """The medians of the buildings are what propagation, the server and each line's rate make of a response in six packets."""
        folder = ROOT / "examples/campus"
        emulator = self.compile(folder / "campus.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        wifi = 0.55 * 867e6
        paths = (  # of the access and the uplink: rates up and down, propagation
            ((100e6, 100e6, 0), (1e9, 1e9, 0.4 / 200e3)),
            ((10e6, 10e6, 0), (100e6, 100e6, 0.9 / 200e3)),
            ((1e9, 1e9, 0), (10e9, 10e9, 1.5 / 200e3)),
            ((wifi, wifi, 1e-3), (100e6, 100e6, 2.2 / 200e3)),
            ((40e6, 100e6, 6e-3), (100e6, 100e6, 18 / 200e3)),
        )
        for path, workload in zip(paths, self.simulate(emulator)["workloads"], strict=True):
            path = (*path, (10e9, 10e9, 0))  # to the server
            delay = sum(link[2] for link in path)
            up = sum(8 * (60 + 123) / link[0] for link in path) + 8 * 52 / path[0][0]
            slowest = min(link[1] for link in path)
            down = sum(8 * (60 + 1500) / link[1] for link in path) + 8 * (8618 - 1500) / slowest
            self.assertAlmostEqual(workload["response_time_seconds"]["median"] / (4 * delay + up + down + 0.5e-3), 1, delta=0.002)

    def test_homes(self):
        """The model itself compares its response times; here what they and the think times make of the rates, and the shares."""
        folder = ROOT / "examples/homes"
        model = folder / "homes.anml"
        emulator = self.compile(model)
        self.assertPrintsWhatIsShown(folder, emulator)
        for expected, workload in zip((598.3, 497.0, 298.2), self.simulate(emulator)["workloads"], strict=True):
            rate = workload["transactions"]["per_second"]
            self.assertAlmostEqual(rate, expected, delta=3 * (expected / 30) ** 0.5)
        network = json.loads(run(ANMLC, model, "-D", "homes=1001", "--emit=network", "-o", "-").stdout)
        self.assertEqual([sum(target["count"] for target in w["targets"]) for w in network["workloads"]], [300, 401, 300])

    def test_tiers(self):
        """Sojourn times of the tiers, as queues with a shared processor, add up; the model holds them, too."""
        folder = ROOT / "examples/tiers"
        emulator = self.compile(folder / "tiers.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        for hits, load in ((0.8, 0.6), (0.7, 0.9)):
            results = self.simulate(emulator, "--set", f"hits={hits}", thresholds=False)
            calls = {w["name"]: w.get("calls") and w["call_time_seconds"]["mean"] for w in results["workloads"]}
            self.assertAlmostEqual(calls["row"], 3e-3 / (1 - load) + 40e-6, delta=(0.06 if load < 0.9 else 0.35) * calls["row"])
            self.assertAlmostEqual(calls["item"], 0.1e-3 + 40e-6 + (1 - hits) * calls["row"], delta=0.03 * calls["item"])
            self.assertAlmostEqual(calls["page"], 2e-3 + 40e-6 + calls["item"], delta=0.04 * calls["page"])
            failed = sum(w["calls"]["failed"] for w in results["workloads"] if "calls" in w)
            self.assertEqual(results["transactions"]["failed"], failed // 3)

    def test_constellation(self):
        """The round trips by each beam are those of straight lines between points in space, along the shortest way."""
        folder = ROOT / "examples/constellation"
        emulator = self.compile(folder / "iridium.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        measured = self.simulate(emulator)["workloads"][0]["round_trip_seconds"]
        expected = sorted(seconds for _, seconds in zip(range(3), iridium(), strict=False))
        for value, key, off in zip(expected, ("min", "median", "max"), (1e-7, 1e-4, 1e-7), strict=True):
            self.assertAlmostEqual(measured[key], value, delta=off)


def iridium():
    """The round trips of a ping from McMurdo to Tempe over the satellites nearest to McMurdo, the nearest first, in seconds."""
    earth, orbit, tilt = 6371.0088, 6371.0088 + 780, math.radians(86.4)

    def ground(latitude, longitude):
        north, east = math.radians(latitude), math.radians(longitude)
        return [earth * x for x in (math.cos(north) * math.cos(east), math.cos(north) * math.sin(east), math.sin(north))]

    def satellite(plane, number):
        node, u = math.radians(31.6 * plane - 180), math.tau * (number + plane % 2 / 2) / 11
        x, y = math.cos(u), math.sin(u) * math.cos(tilt)
        return [orbit * math.cos(node) * x - orbit * math.sin(node) * y, orbit * math.sin(node) * x + orbit * math.cos(node) * y,
                orbit * math.sin(u) * math.sin(tilt)]

    def takes(a, b, rate):
        return math.dist(a, b) / 299792.458, 84 * 8 / rate

    sky = {(plane, number): satellite(plane, number) for plane in range(6) for number in range(11)}
    links = [(a, b) for a in sky for b in ((a[0], (a[1] + 1) % 11), (a[0] + 1, a[1])) if b in sky]
    links += [(b, a) for a, b in links]
    mcmurdo, tempe = ground(-77.85, 166.67), ground(33.41, -111.91)
    above = min(sky, key=lambda s: math.dist(sky[s], tempe))
    least = {above: takes(sky[above], tempe, 10e6)}  # to Tempe: propagation, which decides, and transmission
    for _ in sky:
        for a, b in links:
            if b in least:
                way = tuple(map(sum, zip(least[b], takes(sky[a], sky[b], 25e6), strict=True)))
                least[a] = min(least.get(a, way), way)
    for s in sorted(sky, key=lambda s: math.dist(sky[s], mcmurdo)):
        yield 2 * (sum(least[s]) + sum(takes(mcmurdo, sky[s], 704e3)))


if __name__ == "__main__":
    unittest.main()
