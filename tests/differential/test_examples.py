"""Every example compiles and simulates, and prints what its README shows."""
import csv
import ipaddress
import json
import math
import os
import re
import unittest

import test_orbit as orbit
from emulators import ALL, ANMLC, ROOT, EmulatorTest, asks_real_servers, run

EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*/*.anml") if path.parent.name != "networks")  # test_networks.py
SHORT = {"datacentre": "1.2s", "fat-tree": "10ms"}  # of many Gbps
LATER = {"overload": "burst", "cloud-region": "call[1]"}  # workloads that are off at first


class Examples(EmulatorTest):
    def test_all(self):
        self.assertGreaterEqual(len(EXAMPLES), 3)
        for model in EXAMPLES:
            with self.subTest(model.parent.name):
                emulator = self.compile(model)
                if asks_real_servers(json.loads(run(ANMLC, model, "--emit=network", "-o", "-").stdout)):
                    self.assertIn("has no simulated server", run(emulator, "simulate", check=False).stderr)
                    continue
                later = LATER.get(model.parent.name)
                results = self.simulate(emulator, "--for", SHORT.get(model.parent.name, "4s"), thresholds=False)  # these are of runs as long as the model says
                self.assertEqual(results["transactions"]["failed"], 0)
                for workload in results["workloads"]:
                    if later and workload["name"].startswith(later):
                        continue
                    if workload["kind"] == "traffic.Ping":
                        self.assertGreater(workload["requests"]["received"], 10)
                        continue
                    self.assertGreater(workload["throughput_bps" if "throughput_bps" in workload else "goodput_bps"], 0)
                    if "transactions" in workload:
                        self.assertGreater(workload["transactions"]["completed"], 10)

    def assertPrintsWhatIsShown(self, folder, *emulators, besides=""):
        """The indented lines of its README, but for the commands."""
        shown = [line.strip() for line in (folder / "README.md").read_text().splitlines() if line.startswith("    ")]
        self.assertGreater(len(shown), 3)
        printed = "".join(run(emulator, "simulate").stdout for emulator in emulators) + besides
        for line in shown[1:]:
            if not line.startswith("anmlc "):
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

    def assertShowsTables(self, example, *experiments):
        """What its `run` prints for these experiments stands in its README; ANML_ALL: for all that are simulated."""
        folder = ROOT / "examples" / example
        printed = run(folder / "run", "-o", self.folder / example, *([] if os.environ.get("ANML_ALL") else experiments), timeout=600).stdout
        tables = re.findall(r"^### .*\n\n(?:\|.*\n)+", printed, re.M)
        self.assertGreaterEqual(len(tables), len(experiments), printed)
        for table in tables:
            self.assertIn(table, (folder / "README.md").read_text())
        for picture in (self.folder / example / "pictures").glob("*.svg"):
            self.assertEqual(picture.read_text(), (folder / "pictures" / picture.name).read_text())

    def test_tables_of_readmes(self):
        self.assertShowsTables("ip-tne", "figure_10", "trial_held")
        self.assertShowsTables("slow-clients", "policed", "scalability", "processors")
        self.assertShowsTables("s-client", "figure_6")
        self.assertShowsTables("mixed-access", "architectures_disk", "most")
        self.assertShowsTables("paper-wan", "figure_5")
        self.assertShowsTables("overload", "bursts")

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
        self.assertAlmostEqual(completed(200), 200 / 2.98, delta=1)
        self.assertAlmostEqual(completed(1000), 256 / 2.9, delta=2)

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
            expected = page_of_8_kb([*path, (10e9, 10e9, 0)], service=0.5e-3)
            self.assertAlmostEqual(workload["response_time_seconds"]["median"] / expected, 1, delta=0.002)

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
        """The round trips of ten minutes are those of straight lines between points in space, along the shortest way of each 15 s."""
        folder = ROOT / "examples/constellation"
        emulator = self.compile(folder / "iridium.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        expected = [iridium(15 * k) for k in range(40)]
        # Packets on their way at a change go on with the routes of then; a ping behind each change meets none.
        rarely = self.fresh("iridium.anml")
        rarely.write_text((folder / "iridium.anml").read_text().replace("interval = 100 ms", "interval = 15 s, start_spread = 0 s"))
        for model, off in ((emulator, 1e-4), (self.compile(rarely), 2e-8)):
            measured = self.simulate(model)["workloads"][0]["round_trip_seconds"]
            self.assertAlmostEqual(measured["min"], min(expected), delta=off)
            self.assertAlmostEqual(measured["mean"], sum(expected) / 40, delta=off)
        self.assertAlmostEqual(measured["max"], max(expected), delta=2e-8)

    def test_isp(self):
        """Pages and round trips of all cities, before and after the cut, by great circles and shortest paths of their own."""
        folder = ROOT / "examples/isp"
        emulator = self.compile(folder / "isp.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        cities, spans = ([*csv.DictReader(line for line in (folder / name).read_text().splitlines() if line[0] != "#")]
                         for name in ("cities.csv", "spans.csv"))
        places = {c["name"]: (float(c["latitude"]), float(c["longitude"])) for c in cities}
        cables = [(s["here"], s["there"]) for s in spans]
        whole, cut = (shortest({pair: 1.3 * 1.468 * great_circle(*(places[end] for end in pair)) / 299792.458 for pair in left})
                      for left in (cables, [pair for pair in cables if pair != ("Frankfurt", "Hannover")]))
        workloads = {w["name"]: w for w in self.simulate(emulator)["workloads"]}
        detours = 0
        for i, city in enumerate(cities):
            name = city["name"]
            for t, (line, up, down, delay) in enumerate((("adsl", 1.4e6, 24e6, 12e-3), ("vdsl", 40e6, 100e6, 6e-3), ("fibre", 500e6, 1e9, 1.5e-3))):
                self.assertEqual(f"town[{i}].surf[{t}]" in workloads, city[line] not in ("", None))
                if city[line]:
                    segments = math.ceil((12288 + 114) / 1440)
                    page = 4 * (delay + 0.3e-3 + whole[name, "Berlin"]) + 0.2e-3 + 8 * 235 / up + 8 * (60 + 12288 + 114 + 52 * segments) / down
                    self.assertAlmostEqual(workloads[f"town[{i}].surf[{t}]"]["response_time_seconds"]["median"] / page, 1, delta=0.005)
            took = workloads[f"town[{i}].play"]["round_trip_seconds"]
            packet = 8 * 84 * (1 / 40e6 + 1 / 100e6 + 4 / 10e9 + 6 / 100e9)
            least, most = (2 * (6e-3 + 0.3e-3 + ways[name, "Frankfurt"] + 1e-3) + packet for ways in (whole, cut))
            self.assertAlmostEqual(took["min"], least, delta=2e-6)
            if most - least > 1e-5:
                detours += 1
                self.assertAlmostEqual(took["max"], most, delta=1e-4)
        self.assertEqual(detours, 2)  # of Hamburg and Hannover

    def test_datacentre(self):
        """The throughput is that of a closed network of queues, before and after a spine fails, a few percent for TCP left out."""
        folder = ROOT / "examples/datacentre"
        model = folder / "fabric.anml"
        self.assertPrintsWhatIsShown(folder, self.compile(model))
        shown = [line.split("|")[2:-1] for line in (folder / "README.md").read_text().splitlines() if "Gbps |" in line]
        for flows, arithmetic, simulated in [*zip((1, 2, 4, 8), *shown, strict=True)][::1 if ALL else 3]:
            results = self.simulate(self.compile(model, "-D", f"flows={flows}"))
            whole, broken = (1e9 * 1448 / 1526 * 4 * spines * 16 * flows / (16 * flows + spines - 1) for spines in (4, 3))
            series = results["series"]["throughput_bps"]  # the first second is the warm-up, in the third the spine fails
            for measured, expected in ((series[1], whole), (series[3], broken)):
                self.assertAlmostEqual(measured / expected, 0.965, delta=0.035)
            self.assertEqual(f"{(whole + broken) / 2e9:.2f}", arithmetic.strip())
            self.assertEqual(f"{sum(w['goodput_bps'] for w in results['workloads']) / 1e9:.2f}", simulated.strip())

    def test_fat_tree(self):
        """As many flows are due as are offered; alone those that fit the first window have the slow-down 1."""
        folder = ROOT / "examples/fat-tree"
        model = folder / "fat_tree.anml"
        emulator = self.compile(model)
        self.assertPrintsWhatIsShown(folder, emulator)
        [search] = self.simulate(emulator, "--for", "200ms")["workloads"]
        due = 0.3 * 8 * 100e9 * 0.195 / 8 / 1711250
        self.assertAlmostEqual(search["arrivals"]["due"] / due, 1, delta=4 / due ** 0.5)
        [quiet] = self.simulate(self.compile(model, "-D", "load=1%"), "--for", "200ms")["workloads"]
        small = [size for size in quiet["sizes"] if size["below_bytes"] <= 10000]
        self.assertAlmostEqual(sum(s["slowdown"]["mean"] * s["completed"] for s in small) / sum(s["completed"] for s in small), 1, delta=0.05)

    def test_cloud_region(self):
        """Response times are those of shared processors, loaded by a half and by three quarters, and the round trips' on top."""
        folder = ROOT / "examples/cloud-region"
        emulator = self.compile(folder / "region.anml")
        self.assertPrintsWhatIsShown(folder, emulator)
        places = ((50.11, 8.68), (50.08, 8.24), (49.87, 8.65))
        took = {w["name"]: w for w in self.simulate(emulator)["workloads"]}
        for phase, zones in enumerate((3, 2)):
            calls, seconds, expected = 0, 0, 0
            for a in range(zones):
                for b in range(zones):
                    workload = took.pop(f"call[{phase}][{a}][{b}]")
                    completed = workload["transactions"]["completed"]
                    self.assertAlmostEqual(completed / ((55, 60)[phase] * 1000 / zones ** 2), 1, delta=4 / completed ** 0.5)
                    away = 2 * 1.5 * 1.468 * great_circle(places[a], places[b]) / 299792.458 if a != b else 0
                    calls += completed
                    seconds += completed * workload["response_time_seconds"]["mean"]
                    expected += completed * (away + 1.5e-3 / (1 - 1.5 / zones))
            self.assertAlmostEqual(seconds / expected, 1, delta=0.05)
        self.assertFalse(took)

    def test_as_level(self):
        """Every next hop is one of Gao and Rexford's rules, and the round trips are those of great circles along the systems that they choose."""
        folder = ROOT / "examples/as-level"
        model = folder / "slice.anml"
        emulator = self.compile(model)
        self.assertPrintsWhatIsShown(folder, emulator)
        network, tables = (json.loads(run(ANMLC, model, f"--emit={stage}", "-o", "-").stdout) for stage in ("network", "routes"))
        addresses = {n["name"]: ipaddress.ip_address(n["address"]) for n in network["nodes"] if n["kind"] == "router"}
        places = {n["name"]: tuple(n["position"].values()) for n in network["nodes"] if n["kind"] == "router"}
        links = [(link["a"]["node"], link["b"]["node"], link["relation"]) for link in network["links"] if "relation" in link]
        self.assertEqual(len(links), 18)
        chosen = policy_routes(links)
        for table in tables["nodes"]:
            for to in addresses:
                if table["name"] in addresses and to != table["name"]:
                    routes = [(ipaddress.ip_network(r["prefix"]), r["next_hops"]) for r in table["routes"]]
                    best = max((r for r in routes if addresses[to] in r[0]), key=lambda r: r[0].prefixlen)
                    self.assertEqual([hop["node"] for hop in best[1]], [chosen[table["name"], to]], f"{table['name']} to {to}")
        depeered = policy_routes([link for link in links if set(link[:2]) != {"alpha", "gamma"}])
        self.assertNotIn(("farm", "mill"), depeered)

        def round_trip(routes, to):
            there, back = (sum(great_circle(places[a], places[b]) for a, b in way(routes, *ends)) for ends in (("farm", to), (to, "farm")))
            return (there + back) * 1.5 * 1.468 / 299792.458 + 16 * 84 * (1e-9 + len(way(routes, "farm", to)) / 100e9)

        for to, workload in zip(("mill", "shop", "bank"), self.simulate(emulator)["workloads"], strict=True):
            took = workload["round_trip_seconds"]
            self.assertAlmostEqual(took["min"], round_trip(chosen, to), delta=1e-7)
            self.assertAlmostEqual(took["max"], round_trip(chosen if to == "mill" else depeered, to), delta=1e-7)

    def test_package(self):
        """Pages take what all links of their way add up to, and the line bears 25 calls; the library is without errors, its pages as shown."""
        folder = ROOT / "examples/package"
        company, phones = (self.compile(folder / f"{name}.anml") for name in ("company", "phones"))
        self.assertEqual(run(ANMLC, "check", folder).stderr + run(ANMLC, "lint", folder).stderr, "")
        self.assertPrintsWhatIsShown(folder, company, phones, besides=run(ANMLC, "doc", "sites.Office", cwd=folder).stdout)
        fast, riser, rack, wifi = ((rate, rate, delay) for rate, delay in ((100e6, 0), (1e9, 0), (1e9, 0), (0.55 * 867e6, 1e-3)))
        offices = [[fast, riser]] + [[*floor, riser, (rate, rate, distance / 200e3)]
                              for floor, rate, distance in (([fast], 10e6, 600), ([fast], 34e6, 250), ([wifi, riser], 2e6, 40))]
        for path, workload in zip(offices, self.simulate(company)["workloads"], strict=True):
            measured = workload["response_time_seconds"]["median"]
            self.assertAlmostEqual(measured / page_of_8_kb([*path, rack]), 1, delta=0.002)

        def alone(packet):
            return 0.6e-3 + 8 * packet / 2e6

        delay = self.simulate(phones)["workloads"][0]["delay_seconds"]
        other_links = 8 * 200 * (2 / 100e6 + 2 / 1e9)
        self.assertGreater(delay["median"], alone(200))
        self.assertLess(delay["max"], alone(20 * 200) + other_links)
        for calls, lost in ((25, 0), (26, 875)):
            call = self.simulate(self.compile(folder / "phones.anml", "-D", f"calls={calls}"), thresholds=False)["workloads"][0]
            self.assertAlmostEqual(call["datagrams"]["lost"], lost, delta=0.02 * lost)
        self.assertAlmostEqual(call["delay_seconds"]["max"], alone(25000), delta=200 * 8 / 2e6)


def arrival(packets, links):
    """When the last of these packets arrives over links of these rates and delays, if they begin at once and wait for each other on each."""
    times = [0] * len(packets)
    for rate, delay in links:
        free = 0
        for i, size in enumerate(packets):
            free = max(free, times[i]) + 8 * size / rate
            times[i] = free + delay
    return times[-1]


def page_of_8_kb(path, service=0):
    """How long it takes, over links whose rates up and down and delays are known: SYN, SYN, ACK with request, and the response behind an ACK."""
    up, down = [(up, delay) for up, _, delay in path], [(down, delay) for _, down, delay in reversed(path)]
    response = [1500] * 5 + [1118]
    return arrival([60], up) + arrival([60], down) + arrival([52, 123], up) + service + arrival(response if service else [52, *response], down)


def way(routes, here, to):
    """The steps from one node to another by next hops."""
    return [] if here == to else [(here, routes[here, to]), *way(routes, routes[here, to], to)]


def policy_routes(links):
    """The next hop between any two systems: by a customer before a peer before a provider, then the shortest way, then the first link."""
    other = {"customer": "provider", "provider": "customer", "peer": "peer"}
    neighbours = {}  # of each system, what they are to it, in the order of the text
    for a, b, what in links:
        neighbours.setdefault(a, []).append((b, other[what]))
        neighbours.setdefault(b, []).append((a, what))
    rank = ("customer", "peer", "provider")
    chosen = {}
    for to in neighbours:
        best = {to: (-1, 0, None)}  # by whom it was told, the number of systems, the next hop
        for _ in neighbours:  # until all have heard
            for system, heard in neighbours.items():
                told = [(rank.index(what), best[by][1] + 1, by) for by, what in heard
                        if by in best and best[by][2] != system and (what == "provider" or best[by][0] <= 0)]
                if system != to and told:
                    best[system] = min(told, key=lambda route: route[:2])
        chosen.update({(system, to): hop for system, (_, _, hop) in best.items() if hop})
    return chosen


def great_circle(a, b):
    """Between two places in degrees, in km."""
    (north, east), (other_north, other_east) = (map(math.radians, place) for place in (a, b))
    return 6371.0088 * math.acos(math.sin(north) * math.sin(other_north) + math.cos(north) * math.cos(other_north) * math.cos(east - other_east))


def shortest(edges):
    """The length of the shortest way between each two ends of these edges, by Floyd and Warshall."""
    nodes = sorted({end for pair in edges for end in pair})
    ways = {(a, b): edges.get((a, b), edges.get((b, a), 0 if a == b else math.inf)) for a in nodes for b in nodes}
    for by in nodes:
        for a in nodes:
            for b in nodes:
                ways[a, b] = min(ways[a, b], ways[a, by] + ways[by, b])
    return ways


def iridium(time):
    """The round trip of a ping from McMurdo to Tempe over the satellites that are highest above them then, in seconds."""
    shell, mcmurdo, tempe = orbit.Shell(spread=6 * 31.6), orbit.ground(-77.85, 166.67), orbit.ground(33.41, -111.91)
    places = [shell.at(i // 11, i % 11, time) for i in range(66)]

    def takes(a, b, rate):
        return math.dist(a, b) / orbit.LIGHT, 84 * 8 / rate

    links = [(i, j) for i in range(66) for j in (i // 11 * 11 + (i + 1) % 11, i + 11) if j < 66]
    links += [(j, i) for i, j in links]
    here, there = shell.highest(mcmurdo, time), shell.highest(tempe, time)
    least = {there: takes(places[there], tempe, 10e6)}  # to Tempe: propagation, which decides, and transmission
    for _ in places:
        for i, j in links:
            if j in least:
                way = tuple(map(sum, zip(least[j], takes(places[i], places[j], 25e6), strict=True)))
                least[i] = min(least.get(i, way), way)
    return 2 * (sum(least[here]) + sum(takes(mcmurdo, places[here], 704e3)))


if __name__ == "__main__":
    unittest.main()
