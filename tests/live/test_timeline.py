"""What the timeline and a trace do to links, seen from a real host at the declared times."""
import json
import math
import re
import unittest

from netlab import Lab, addresses, by_the_clock, main, ping, wait_until

FAILING = """
model Failing {
  endpoint probe { address = 10.1.0.1 }
  router near
  router other
  router away
  host   far
  link entry:  probe -- near { rate = 1 Gbps, delay = 0.1 ms }
  link direct: near -- away  { rate = 1 Gbps, delay = 4 ms }
  link detour: near -- other { rate = 1 Gbps, delay = 15 ms }
  link back:   other -- away { rate = 1 Gbps, delay = 15 ms }
  link last:   away -- far   { rate = 1 Gbps, delay = 0.1 ms }
  at 3 s { direct down }
  at 4 s { direct up }
  run { duration = 60 s }
}
"""


# What changes about a link, an effect at a time.
CHANGING = """
model Changing {
  endpoint probe { address = 10.1.0.1 }
  router near
  host   far
  link entry: probe -- near { rate = 1 Gbps, delay = 0.1 ms }
  link line:  near -- far   { rate = 1 Gbps, delay = 1 ms }
  from 2.5 s to 3 s { line { up { loss = 1 } } }
  from 3.5 s to 4 s { line { jitter = 15 ms } }
  from 4.5 s to 5 s { line { rate = 40 Kbps, queue = droptail(packets = 1) } }
  from 5.5 s to 6 s { line { delay = 21 ms } }
  run { duration = 60 s }
}
"""

# Three opportunities each 40 ms.
TRACED = """
model Traced {
  endpoint probe { address = 10.1.0.1 }
  host   far
  link entry: probe -- far { rate = 1 Gbps, down { rate = trace("steps") } }
  run { duration = 60 s }
}
"""


def arc(offsets, count):
    """The shortest part of a cycle of 40 ms that `count` of them lie in: what the machine delays, lies elsewhere."""
    again = offsets + [offset + 40 for offset in offsets]
    return min(again[i + count - 1] - again[i] for i in range(len(offsets)))


class Timeline(unittest.TestCase):
    def pings(self, lab, model, duration, interval):
        """(sent, round trip in ms) of pings to `far`, by when they were sent, in s since 1970; and the emulator's results."""
        (lab.folder / "steps").write_text("40\n" * 3)
        emulator = lab.compile(model, "-O0")
        host, inside = lab.namespace("h"), lab.namespace("e")
        lab.veth(host, "eth0", inside, "veth0")
        results = lab.folder / "results.json"
        live = lab.start(emulator, "live", "--attach", "probe=if:veth0", "--for", f"{duration}s", "--results", results, space=inside)
        commands = wait_until(lambda: re.findall(r"^\s*(ip (?:addr|route) add .*)$", live.output(), re.M), 10,
                              "the emulator printing its `ip` commands: " + live.output())
        for command in commands:
            lab.run_in(host, *re.sub(r"dev \S+", "dev eth0", command).split())
        far = addresses(emulator)["far"]
        wait_until(lambda: ping(lab, host, far, 1), 4, "the first reply")
        # Several, since one waits for its turn on a busy machine.
        pings = [lab.start("ping", "-n", "-D", "-i", interval, "-w", str(duration), far, space=host) for _ in range(4)]
        self.assertEqual(live.wait(duration + 10), 0, live.output())
        found = json.loads(results.read_text())
        seen = "".join(each.output() for each in pings if each.stop() is not None)
        sent = [(float(when) - float(trip) / 1000, float(trip))
                for when, trip in re.findall(r"^\[([\d.]+)\] .* time=([\d.]+) ms$", seen, re.M)]
        return sorted(sent), found

    def assertKeptUp(self, found):
        """Packets left on time: 19 of 20 within 5 ms."""
        slip = found["live"]["slip_seconds"]
        self.assertTrue(slip["median"] < 0.001 and slip["p95"] < 0.005, slip)

    def effects(self, lab):
        """By declared time, in s, how much later its effect showed."""
        sent, found = self.pings(lab, CHANGING, 7, "0.004")
        self.assertKeptUp(found)
        origin = found["timeline"]["origin"]
        sent = [(when - origin, trip) for when, trip in sent]
        plain = lambda trip: trip < 10
        quiet = [when for when, trip in sent if 0.5 < when < 6.5]
        longest, begin = max((b - a, a) for a, b in zip(quiet, quiet[1:]))
        shown = {2.5: begin - 2.5, 3: begin + longest - 3}
        for first, last in ((3.5, 4), (4.5, 5), (5.5, 6)):
            changed = [when for when, trip in sent if first - 0.25 < when < last + 0.25 and not plain(trip)]
            if not changed:
                return {first: math.inf}
            shown[first], shown[last] = min(changed) - first, max(changed) - last
        return shown

    @by_the_clock("when changes are seen, within 40 ms")
    def test_pings_see_each_change_at_its_time(self):
        with Lab() as lab:
            shown = self.effects(lab)
        # A ping is sent each millisecond or so; one that is under way meets the change at most its round trip later.
        self.assertTrue(all(-0.04 < late < 0.04 for late in shown.values()), f"effects came so much later than declared: {shown}")

    @by_the_clock("when replies come, within 10 ms")
    def test_replies_come_at_the_opportunities_of_a_trace(self):
        with Lab() as lab:
            sent, found = self.pings(lab, TRACED, 3, "0.007")
        self.assertKeptUp(found)
        trips = sorted(trip for _, trip in sent)
        # Any time of up to 40 ms until the next opportunity, and all arrive together.
        self.assertLess(arc(sorted((when * 1000 + trip) % 40 for when, trip in sent), len(sent) * 98 // 100), 10)
        # Linux may round the pings' intervals to 10 ms, so that they keep their distances from the opportunities.
        self.assertLess(trips[len(trips) // 10], 12)
        self.assertTrue(28 < trips[len(trips) * 9 // 10] < 45, trips[len(trips) * 9 // 10])

    def changes(self, lab):
        """Seconds after the declared time at which pings first take the new way: of the failure, and of the repair."""
        sent, found = self.pings(lab, FAILING, 5, "0.004")
        self.assertKeptUp(found)
        timeline = found["timeline"]
        self.assertEqual([event["what"] for event in timeline["events"]], ["direct down", "direct up"])
        self.assertGreater(timeline["downtime"][0]["lost"], 0)
        sent = [(when - timeline["origin"], trip) for when, trip in sent]
        slow = [when for when, trip in sent if trip > 50]
        fast_again = [when for when, trip in sent if trip < 20 and when > slow[0]]
        fast = [when for when, trip in sent if trip < 20 and when < slow[0]]
        self.assertGreater(len(fast), 100)
        self.assertGreater(len(slow), 100)
        self.assertLess(max(fast), 3.001)
        return slow[0] - 3, fast_again[0] - 4

    @by_the_clock("when the way changes, within 20 ms")
    def test_a_ping_changes_its_way_at_the_declared_time(self):
        with Lab() as lab:
            changes = self.changes(lab)
        self.assertTrue(all(-0.001 < change < 0.02 for change in changes), f"the round trip changed {changes} s after the declared times")


if __name__ == "__main__":
    main()
