"""std.orbit against vectors: where satellites are, how far, which of them is the highest; Kepler's period, and how long one is seen."""
import heapq
import json
import math
import unittest

from emulators import ANMLC, EmulatorTest, run

EARTH, LIGHT, TURN, MU = 6371.0088, 299792.458, 86164.0905, 398600.4418  # km, km/s, s, km^3/s^2

MODEL = """
import std.orbit
import std.traffic

model Moving(planes: int = 6, each: int = 11, height: length = 780 km, tilt: number = 86.4, star: bool = true, phasing: number = 3,
             north: number = 47.4, east: number = 8.5, step: time = 15 s, until: time = 10 min, least: number = -90) {
  run { duration = until }
  routing { follow_delays = step }
  let shell = if star then orbit.star(height, tilt, planes, each, phasing) else orbit.delta(height, tilt, planes, each, phasing)
  let place = geo(north, east)
  router sat[planes][each] { position = orbit.above(shell, index[0], index[1]) }
  host ground { position = place }
  host core
  link trunk: core -- sat[0][0] { rate = 1000 Tbps }
  for p in 0 ..< planes {
    for s in 0 ..< each {
      let ahead = sat[p][(s + 1) % each]
      if each > 1 { link ring[p][s]: sat[p][s] -- ahead { rate = 1000 Tbps, delay = orbit.light(orbit.apart(shell, p, s, p, (s + 1) % each, 0 s)) } }
      if p > 0 {
        link side[p][s]: sat[p - 1][s] -- sat[p][s] { rate = 1000 Tbps, delay = orbit.light(orbit.apart(shell, p - 1, s, p, s, 0 s)) }
        every step as k { side[p][s] { delay = orbit.light(orbit.apart(shell, p - 1, s, p, s, (k + 1) * step)) } }
      }
      link beam[p][s]: ground -- sat[p][s] { rate = 1000 Tbps, delay = orbit.light(orbit.slant(shell, p, s, place, 0 s)) }
    }
  }
  at 0 s { beam[*][*] down }
  every step from 0 s as k {
    beam[floor(orbit.highest(shell, place, max(k - 1, 0) * step) / each)][orbit.highest(shell, place, max(k - 1, 0) * step) % each] down
    beam[floor(orbit.highest(shell, place, k * step) / each)][orbit.highest(shell, place, k * step) % each] up
    beam[floor(orbit.highest(shell, place, k * step) / each)][orbit.highest(shell, place, k * step) % each] {
      delay = orbit.light(orbit.slant(shell, floor(orbit.highest(shell, place, k * step) / each), orbit.highest(shell, place, k * step) % each, place, k * step))
    }
  }
  workload probe : traffic.Ping on ground { to = sat[0][0], interval = step, start_spread = 0 s }
}
"""


def turned(vector, axis, angle):
    """About x (0) or z (2)."""
    a, b = [(1, 2), None, (0, 1)][axis]
    out = list(vector)
    out[a] = vector[a] * math.cos(angle) - vector[b] * math.sin(angle)
    out[b] = vector[a] * math.sin(angle) + vector[b] * math.cos(angle)
    return out


class Shell:
    def __init__(self, planes=6, each=11, height=780, tilt=86.4, spread=180, phasing=3):
        self.planes, self.each, self.radius, self.tilt, self.spread, self.phasing = planes, each, EARTH + height, tilt, spread, phasing
        self.period = 2 * math.pi * math.sqrt(self.radius**3 / MU)

    def at(self, plane, number, time):
        """In km; the axes turn with the earth."""
        u = 2 * math.pi * (number / self.each + self.phasing * plane / (self.planes * self.each) + time / self.period)
        place = [self.radius * math.cos(u), self.radius * math.sin(u), 0]
        place = turned(place, 0, math.radians(self.tilt))
        return turned(place, 2, math.radians(self.spread * plane / self.planes) - 2 * math.pi * time / TURN)

    def highest(self, ground, time):
        def elevation(i):
            way = [s - g for s, g in zip(self.at(i // self.each, i % self.each, time), ground)]
            return sum(w * g for w, g in zip(way, ground)) / math.hypot(*way)
        return max(range(self.planes * self.each), key=elevation)


def ground(north, east):
    n, e = math.radians(north), math.radians(east)
    return [EARTH * math.cos(n) * math.cos(e), EARTH * math.cos(n) * math.sin(e), EARTH * math.sin(n)]


class Orbit(EmulatorTest):
    def network(self, *options):
        path = self.fresh("moving.anml")
        path.write_text(MODEL)
        return path, json.loads(run(ANMLC, path, *options, "--emit=network", "-o", "-").stdout)

    def check(self, shell, place, *options):
        path, network = self.network(*options)
        names = {link["name"]: link for link in network["links"]}
        seen, beams = 0, {}
        for row in network["timeline"]:
            name = row["links"][0]["link"]
            what, _, rest = name.partition("[")
            if row["attribute"] == "delay":
                p, s = map(int, rest.rstrip("]").split("]["))
                time = row["first"] / 1e9
                other = shell.at(p - 1, s, time) if what == "side" else place
                self.assertAlmostEqual(row["value"] / 1e9, math.dist(shell.at(p, s, time), other) / LIGHT, delta=1e-9)
                seen += 1
            elif what == "beam" and row["value"] == 1:
                beams[row["first"] / 1e9] = tuple(map(int, rest.rstrip("]").split("][")))
        self.assertGreater(seen, 100)
        for time, (p, s) in beams.items():
            self.assertEqual(p * shell.each + s, shell.highest(place, time), time)
        self.assertGreater(len(set(beams.values())), 1)  # it is handed over
        for name, link in names.items():
            if name.startswith("ring"):
                self.assertAlmostEqual(link["delay"] / 1e9, 2 * shell.radius * math.sin(math.pi / shell.each) / LIGHT, delta=1e-9)
        return path

    def way(self, shell, place, time):
        """From the highest satellite to number 0 by Dijkstra, over links along the planes and between neighbours, and the beam; in s."""
        places = [shell.at(i // shell.each, i % shell.each, time) for i in range(shell.planes * shell.each)]
        neighbours = [[] for _ in places]
        for i in range(len(places)):
            plane, number = divmod(i, shell.each)
            for other in [plane * shell.each + (number + 1) % shell.each] + ([i - shell.each] if plane else []):
                length = math.dist(places[i], places[other]) / LIGHT
                neighbours[i].append((other, length))
                neighbours[other].append((i, length))
        start = shell.highest(place, time)
        least, queue = {start: 0}, [(0, start)]
        while queue:
            length, at = heapq.heappop(queue)
            for other, more in neighbours[at] if length == least[at] else ():
                if length + more < least.get(other, math.inf):
                    least[other] = length + more
                    heapq.heappush(queue, (length + more, other))
        return least[0] + math.dist(places[start], place) / LIGHT

    def test_star_against_vectors(self):
        path = self.check(Shell(), ground(47.4, 8.5))
        results = self.simulate(self.compile(path))
        self.assertEqual(results["packets"]["dropped"]["link"], 0)
        found, shell = results["workloads"][0]["round_trip_seconds"], Shell()
        ways = [2 * self.way(shell, ground(47.4, 8.5), 15 * k) for k in range(40)]
        self.assertEqual(found["samples"], 40)
        self.assertAlmostEqual(found["min"], min(ways), delta=2e-8)
        self.assertAlmostEqual(found["max"], max(ways), delta=2e-8)
        self.assertAlmostEqual(found["mean"], sum(ways) / 40, delta=2e-8)

    def test_delta_against_vectors(self):
        shell = Shell(9, 12, 550, 53, 360, 5)
        self.check(shell, ground(-33.9, 151.2), "-D", "planes=9", "-D", "each=12", "-D", "height=550km", "-D", "tilt=53", "-D", "star=false",
                   "-D", "phasing=5", "-D", "north=-33.9", "-D", "east=151.2")

    def test_round_trip_is_the_path_of_light(self):
        """One satellite over the pole: a ping to it takes twice the way of light, as it is at each second."""
        options = ["-D", "planes=1", "-D", "each=1", "-D", "tilt=90", "-D", "north=90", "-D", "east=0", "-D", "phasing=0", "-D", "step=10s"]
        path, _ = self.network(*options)
        shell, pole = Shell(1, 1, 780, 90, 180, 0), ground(90, 0)
        found = self.simulate(self.compile(path, *options))["workloads"][0]["round_trip_seconds"]
        ways = [2 * math.dist(shell.at(0, 0, 10 * k), pole) / LIGHT for k in range(60)]
        self.assertAlmostEqual(found["min"], min(ways), delta=2e-8)
        self.assertAlmostEqual(found["max"], max(ways), delta=2e-8)

    def test_longitudes_are_none_twice(self):
        """From -180 to below 180 degrees, also where a sum of angles is a whole turn but for its last bit."""
        path = self.fresh("around.anml")
        path.write_text("""
import std.orbit
model Around {
  for n in 2 .. 40 {
    let shell = orbit.delta(550 km, 53, n, n)
    let places = [orbit.longitude(shell, p, s, 0 s) for p in 0 ..< n for s in [0, floor(n / 2)]]
    require min(places) >= -180 && max(places) < 180
  }
  run { duration = 1 s }
}
""")
        run(ANMLC, "check", path)

    def test_kepler_and_visible_time(self):
        """Over the pole the earth's turning does not matter: a polar satellite is above 25 degrees for as long as it goes through
        twice the angle acos(R / r cos 25) - 25 of the earth's centre. Steps of a second see it for so many seconds."""
        path = self.fresh("pass.anml")
        path.write_text("""
import std.orbit
function risen(shell: orbit.Shell, k: int): int = if orbit.elevation(shell, 0, 0, geo(90, 0), k * 1 s) >= 25 then 1 else 0
model Pass {
  let shell = orbit.star(550 km, 90, 1, 1)
  let seen = sum([risen(shell, k) for k in 0 ..< 5739])
  router a
  router b
  link years: a -- b { rate = 1 Mbps, delay = orbit.period(35793.1606 km) / 100 }
  link low: a -- b { rate = 1 Mbps, delay = orbit.period(550 km) / 10 }
  link pass: a -- b { rate = 1 Mbps, delay = seen * 1 s }
  run { duration = 1 s }
}
""")
        network = json.loads(run(ANMLC, path, "--emit=network", "-o", "-").stdout)
        stationary, low, seen = (link["delay"] / 1e9 for link in network["links"])
        self.assertAlmostEqual(stationary * 100, TURN, delta=1)  # where satellites stand still above the equator
        radius = EARTH + 550
        period = 2 * math.pi * math.sqrt(radius**3 / MU)
        self.assertAlmostEqual(low * 10, period, delta=1e-6)
        angle = math.acos(EARTH / radius * math.cos(math.radians(25))) - math.radians(25)
        self.assertAlmostEqual(seen, period * angle / math.pi, delta=1)


if __name__ == "__main__":
    unittest.main()
