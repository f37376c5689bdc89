"""Routes that converge: what is lost and what goes round in circles until routers know, against arithmetic and a simulation of our own."""
import heapq
import random
import unittest

import test_following_routes as following
from emulators import OTHER_TIER, EmulatorTest

# A failure next to the router that switches: what it sends until it has new routes is lost, and what is on its way.
DETOUR = following.MODEL.replace("Crossing", "Detour").replace("delay = 7.5 ms", "delay = 20 ms").replace("delay = 8 ms", "delay = 20 ms")
DETOUR = DETOUR.replace("interval = 10 ms", "interval = 1 ms").replace("duration = 20 s", "duration = 6 s")
# The way from r0 to r2 is that by r1; behind the failure of the link to r2 the rest of the ring is the way.
RING = """
import std.traffic
model Ring {{
  routing {{ metric = hops, {routing} }}
  router r[7]
  host source
  host sink
  link near: source -- r[0] {{ rate = 1000 Tbps }}
  for i in 0 ..< 7 {{ link ring[i]: r[i] -- r[(i + 1) % 7] {{ rate = 1000 Tbps }} }}
  link far: r[2] -- sink {{ rate = 1000 Tbps }}
  workload w : traffic.Cbr on source {{ start_spread = 0 s, to = sink, payload = 100 B, interval = 1 ms }}
  run {{ duration = 4 s }}
  at 1 s {{ ring[1] down }}
}}
"""


class Convergence(EmulatorTest):
    quick = True

    def dropped(self, text):
        """Of the run: packets delivered and dropped, by cause, and the workload's figures."""
        results = self.simulate(self.compile(text))
        return results["workloads"][0], results["packets"]["dropped"]

    def test_a_router_next_to_the_failure(self):
        for routing, gap in (("detection = 50 ms, computation = 100 ms", 150), ("detection = 50 ms", 50), ("computation = 7 ms", 7),
                             ("detection = 50 ms, flooding = 3 s, computation = 100 ms", 150), ("flooding = 1 s", 0), ("detection = 0 s", 0)):
            workload, dropped = self.dropped(DETOUR.format(routing=routing, timeline="at 1 s { ab down }"))
            # The link has 10 ms: as many are on their way over it. At the end 40 are on theirs.
            self.assertEqual(dropped["link"], 10 + gap, routing)
            self.assertEqual(workload["datagrams"]["sent"] - workload["datagrams"]["received"], 10 + gap + 40, routing)
            self.assertEqual(dropped["ttl"], 0)

    def test_up_again(self):
        """A link that is up again is taken when routers know; nothing is lost."""
        workload, dropped = self.dropped(DETOUR.format(
            routing="detection = 50 ms, computation = 100 ms", timeline="from 1 s to 3 s { ab down }"))
        self.assertEqual(dropped["link"], 160)
        detour = 2000  # packets, sent from 1.15 s until 3.15 s
        direct = 6000 - 160 - detour - 10
        self.assertAlmostEqual(workload["delay_seconds"]["mean"], (detour * 0.040 + direct * 0.010) / (detour + direct), places=5)

    def test_two_failures_in_quick_succession(self):
        """The second one, of the detour, is there before the first one is known; both come up together."""
        timeline = "at 1 s { ab down }\nat 1.1 s { ac down }\nat 2 s { ab up, ac up }"
        workload, dropped = self.dropped(DETOUR.format(routing="detection = 50 ms, computation = 100 ms", timeline=timeline))
        # Until 1.15 s over ab, until 1.25 s over ac, then there is no route, which is known at 2.15 s.
        self.assertEqual(dropped["link"], 10 + 150 + 100)
        self.assertEqual(dropped["no_route"], 900)

    def test_a_cost_that_changes(self):
        """As a failure; packets go on over the old way."""
        timeline = "at 1 s { ab { cost = 9 } }"
        workload, dropped = self.dropped(DETOUR.format(routing="metric = cost, computation = 500 ms", timeline=timeline))
        self.assertEqual(dropped["link"], 0)
        direct, detour = 1500, 6000 - 1500 - 40
        self.assertAlmostEqual(workload["delay_seconds"]["mean"], (detour * 0.040 + direct * 0.010) / (detour + direct), places=5)

    def test_the_beginning_is_known(self):
        workload, dropped = self.dropped(DETOUR.format(routing="detection = 1 s", timeline="at 0 s { ab down }"))
        self.assertEqual((dropped["link"], dropped["no_route"]), (0, 0))
        self.assertAlmostEqual(workload["delay_seconds"]["min"], 0.040, places=6)

    def test_a_router_far_away_sends_them_back(self):
        """r1 knows after detection and computation, r0 and r6, which it sends to, each a flooding later."""
        for detection, flooding, computation in ((50, 10, 100), (20, 30, 0), (0, 40, 7), (30, 0, 30)):
            routing = f"detection = {detection} ms, flooding = {flooding} ms, computation = {computation} ms"
            workload, dropped = self.dropped(RING.format(routing=routing))
            self.assertEqual(dropped["link"], detection + computation, routing)
            self.assertEqual(dropped["ttl"], 2 * flooding, routing)
            self.assertEqual(workload["datagrams"]["sent"] - workload["datagrams"]["received"],
                             detection + computation + 2 * flooding, routing)

    def test_regions(self):
        """Who computes takes his own region's time; who sees and who passes on, that of the link's."""
        inside = "routing core on [a, b, c] { detection = 50 ms, computation = 100 ms }"
        apart = "routing west on [a] { detection = 5 s, computation = 20 ms }\nrouting east on [b, c] { detection = 7 s, computation = 3 s }"
        for regions, routing, gap in ((inside, "detection = 4 s, flooding = 4 s, computation = 4 s", 150),
                                      ("routing core on [a, b, c] { metric = delay }", "detection = 4 s, computation = 4 s", 0),
                                      (apart, "detection = 30 ms, computation = 4 s", 50)):
            workload, dropped = self.dropped(DETOUR.format(routing=routing, timeline=f"{regions}\nat 1 s {{ ab down }}"))
            self.assertEqual((dropped["link"], dropped["ttl"]), (10 + gap, 0), regions)

    def test_news_takes_the_time_of_each_link(self):
        """r0 hears it inside of its region, 10 ms; r6 over a link between regions, 40 ms."""
        text = RING.format(routing="detection = 20 ms, flooding = 40 ms, computation = 30 ms")
        region = "routing west on r[0 .. 1] { metric = hops, flooding = 10 ms, detection = 9 s, computation = 30 ms }"
        workload, dropped = self.dropped(text.replace("host source", f"{region}\n  host source"))
        self.assertEqual((dropped["link"], dropped["ttl"]), (50, 10 + 40))

    def test_a_host_with_two_links(self):
        """It is told as a router is, here of its own link."""
        for routing, gap in (("detection = 50 ms, computation = 100 ms", 150), ("detection = 0 s", 0)):
            text = DETOUR.format(routing=routing, timeline="at 1 s { near down }")
            text = text.replace("link near:", "link other: source -- c { rate = 1000 Tbps, delay = 5 ms }\n  link near:")
            workload, dropped = self.dropped(text)
            self.assertEqual((dropped["link"], dropped["no_route"]), (gap, 0), routing)
            direct, detour = 1000, 5000 - gap - 25
            self.assertAlmostEqual(workload["delay_seconds"]["mean"], (direct * 0.010 + detour * 0.025) / (direct + detour), places=5)

    def test_a_host_with_one_link(self):
        """It sends as soon as its link is up again, and is sent to when others know."""
        timeline = "from 1 s to 2 s { near down }\nfrom 3 s to 4 s { far down }"
        workload, dropped = self.dropped(DETOUR.format(routing="detection = 50 ms, computation = 100 ms", timeline=timeline))
        # The way in: b sends over it until it knows, 10 ms away from the source; and then says that there is none, until 4.15 s.
        self.assertEqual((dropped["link"], dropped["no_route"]), (1000 + 150, 1000))

    def test_a_time_that_is_a_tunable(self):
        """What follows from a change moves with it."""
        text = DETOUR.format(routing="detection = 50 ms, computation = 100 ms", timeline="at T { ab down }")
        emulator = self.compile(text.replace("model Detour {", "model Detour(tunable T: time in 500 ms .. 3 s = 1 s) {"))
        for when in (0.5, 1, 2.7):
            results = self.simulate(emulator, "--set", f"T={when} s")
            self.assertEqual(results["packets"]["dropped"]["link"], 160)
            direct, detour = round(when * 1000) - 10, 6000 - round(when * 1000) - 150 - 40
            self.assertAlmostEqual(results["workloads"][0]["delay_seconds"]["mean"],
                                   (direct * 0.010 + detour * 0.040) / (direct + detour), places=5)

    def test_random_meshes(self):
        lost = circles = 0
        for seed in range(60):
            mesh = Mesh(seed)
            workload, dropped = self.dropped(mesh.text())
            mesh.run()
            with self.subTest(seed=seed):
                self.assertEqual({cause: dropped[cause] for cause in ("link", "ttl", "no_route")}, mesh.dropped)
                self.assertEqual(workload["datagrams"]["received"], mesh.received)
            lost += mesh.dropped["link"]
            circles += mesh.dropped["ttl"]
        self.assertGreater(lost, 1000)
        self.assertGreater(circles, 100)

    def test_threads_and_tasks_agree(self):
        for seed in (1, 5):
            digests = set()
            for tasks, level in dict.fromkeys(((1, "-O0"), (1, OTHER_TIER), (4, "-O0"))):
                emulator = self.compile(Mesh(seed).text(), level, "--tasks", tasks)
                digests.update(self.simulate(emulator, "--threads", threads)["digest"] for threads in (1, 2))
            self.assertEqual(len(digests), 1)


class Mesh:
    """A ring of routers and some links across, with delays that hardly tie, of which some fail and come up; datagrams from one
    router to another. No router hangs on another: what becomes of such a one is told to nobody but that."""
    SECONDS = 2

    def __init__(self, seed):
        draw = random.Random(seed)
        self.n = draw.randrange(5, 12)
        pairs = [(i, i - 1) for i in range(1, self.n)] + [(self.n - 1, 0)]
        while len(pairs) < self.n + self.n // 2:
            pair = tuple(sorted(draw.sample(range(self.n), 2), reverse=True))
            if pair not in pairs:
                pairs.append(pair)
        self.links = [(a, b, 100 + 2 ** i % 1009) for i, (a, b) in enumerate(pairs)]  # us
        self.times = draw.choice([(50, 10, 100), (20, 40, 10), (0, 30, 0), (100, 70, 20)])  # ms
        self.events, up = [], [True] * len(self.links)
        for time in sorted(draw.sample(range(100, 1700), 8)):
            link = draw.randrange(len(self.links))
            up[link] = not up[link]
            self.events.append((time * 1000 + 500.5, link, up[link]))  # us: no packet is anywhere at that time

    def text(self):
        detection, flooding, computation = self.times
        links = "\n".join(f"  link l{i}: r[{a}] -- r[{b}] {{ rate = 1000 Tbps, delay = {d} us }}" for i, (a, b, d) in enumerate(self.links))
        events = "\n".join(f"  at {time} us {{ l{link} {'up' if up else 'down'} }}" for time, link, up in self.events)
        return f"""
import std.traffic
model Mesh {{
  routing {{ detection = {detection} ms, flooding = {flooding} ms, computation = {computation} ms }}
  router r[{self.n}]
  host source
  host sink
  link near: source -- r[0] {{ rate = 1000 Tbps, delay = 10 us }}
  link far: sink -- r[{self.n - 1}] {{ rate = 1000 Tbps, delay = 10 us }}
{links}
{events}
  workload w : traffic.Cbr on source {{ start_spread = 0 s, to = sink, payload = 100 B, interval = 1 ms }}
  run {{ duration = {self.SECONDS} s }}
}}
"""

    def neighbours(self, node, up):
        for i, (a, b, delay) in enumerate(self.links):
            if up[i] and node in (a, b):
                yield i, a + b - node, delay

    def tables(self, up):
        """By destination and router: the link of the shortest path."""
        tables = {}
        for to in (0, self.n - 1):
            far, queue, table = {}, [(0, to, None)], {}
            while queue:
                length, node, link = heapq.heappop(queue)
                if node in far:
                    continue
                far[node], table[node] = length, link
                for i, other, delay in self.neighbours(node, up):
                    heapq.heappush(queue, (length + delay, other, i))
            tables[to] = table
        return tables

    def known(self):
        """By router: when it has which tables."""
        detection, flooding, computation = self.times
        up = [True] * len(self.links)
        known = [[(0, self.tables(up))] for _ in range(self.n)]
        for time, link, state in self.events:
            up[link] = state
            tables, hops, ring = self.tables(up), {}, set(self.links[link][:2])
            while ring:
                hops.update({node: len(set(hops.values())) for node in ring})
                ring = {other for node in ring for _, other, _ in self.neighbours(node, up)} - set(hops)
            for node, distance in hops.items():
                told = time + 1000 * (detection + distance * flooding + computation)
                known[node].append((max(told, known[node][-1][0]), tables))  # in order
        return known

    def is_up(self, link, begin, end):
        """Whether it is so at the beginning, and does not change until the end."""
        changes = [(time, up) for time, which, up in self.events if which == link and time <= end]
        return not any(begin < time for time, _ in changes) and (not changes or changes[-1][1])

    def send(self, at, time, to, ttl=64):
        """Follows a packet from a router on; what becomes of it, and where and when."""
        while time < self.SECONDS * 1e6:
            if ttl <= 1:
                return ("ttl", at, time)
            if at == to:  # one more link, to the host
                return ("delivered", at, time)
            ttl -= 1
            link = [tables for since, tables in self.of[at] if since <= time][-1][to].get(at)
            if link is None:
                return ("no_route", at, time)
            a, b, delay = self.links[link]
            if not self.is_up(link, time, time + delay):
                return ("link", at, time)
            at, time = a + b - at, time + delay
        return ("late", at, time)

    def run(self):
        self.of = self.known()
        self.received, self.dropped = 0, {"link": 0, "ttl": 0, "no_route": 0}
        for i in range(1000 * self.SECONDS):
            fate, at, time = self.send(0, 1000 * i + 10, self.n - 1)
            if fate == "delivered":
                self.received += time + 10 < self.SECONDS * 1e6
            if fate in self.dropped:
                self.dropped[fate] += 1
            if fate in ("ttl", "no_route"):  # the router tells the source, which may fail as well
                fate, at, time = self.send(at, time, 0, 65)
                if fate in self.dropped:
                    self.dropped[fate] += 1


if __name__ == "__main__":
    unittest.main()
