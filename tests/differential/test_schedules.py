"""Open loads whose rate changes over time, against the integral of that rate, and alike for any number of tasks and threads."""
import math
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.web

model Schedules {
  host client[2]
  endpoint server { simulated = web.server(close = at_once) }
  router r
  link client[*] -- r { rate = 100 Gbps }
  link entry: r -- server { rate = 100 Gbps, delay = 100 us }
  workload crowd : web.OpenLoop on client[CLIENTS] {
    server = server, documents = web.fixed(100 B), GIVEN
  }
  TIMELINE
  run { duration = DURATION s }
}
"""
CONSTANT = "interval = 10 ms, start_spread = 0 s, schedule = "
POISSON = "interval = exponential(1 ms), schedule = "
# Loads at the ends of stages, and how long these last in seconds.
STEPS = [(1, 1, 2), (0, 0, 1.5), (5, 5, 1), (0.1, 0.1, 1)]
RAMPS = [(0, 3, 2), (3, 3, 1), (3, 0.5, 1.5), (0.5, 0.5, 0.5)]


def text_of(stages):
    return "[%s]" % ", ".join(f"web.hold({d} s, {a})" if a == b else f"web.slope({d} s, {a}, {b})" for a, b, d in stages)


def model(given, duration, clients="0", timeline=""):
    return MODEL.replace("GIVEN", given).replace("DURATION", str(duration)).replace("CLIENTS", clients).replace("TIMELINE", timeline)


def integral(stages, repeat, until):
    """Of the load, summed up in slices that no stage's end lies in."""
    total, at = 0.0, 0.0
    while at < until:
        for a, b, d in stages:
            part = max(0.0, min(d, until - at))
            total += part * (a + (a + (b - a) * part / d)) / 2
            at += d
        if not repeat:
            return total + max(0.0, until - at) * stages[-1][1]
    return total


def times(stages, repeat, interval, until):
    """When so much work is done, for each multiple of the interval: by bisection."""
    found, work = [], 0.0
    while work < integral(stages, repeat, until) - 1e-9:
        low, high = 0.0, until
        for _ in range(80):
            middle = (low + high) / 2
            # The first time at which there will be more: behind a pause, not before it.
            low, high = (middle, high) if integral(stages, repeat, middle) <= work + 1e-12 else (low, middle)
        found.append(high)
        work += interval
    return found


class Arithmetic(EmulatorTest):

    def syns(self, text):
        """When connections began, in seconds."""
        capture = self.fresh("entry.pcap")
        run(self.compile(text), "simulate", "--capture", f"entry={capture}")
        return [float(line) for line in run("tshark", "-n", "-r", capture, "-Y", "tcp.flags.syn==1 && tcp.flags.ack==0", "-T", "fields", "-e",
                                            "frame.time_relative").stdout.split()]

    def test_constant_intervals_divide_the_integral(self):
        for stages in (STEPS, RAMPS):
            for repeat in (False, True):
                given = CONSTANT + text_of(stages) + (", repeat = true" if repeat else "")
                found, expected = self.syns(model(given, 12)), times(stages, repeat, 0.01, 12)
                self.assertEqual(len(found), len(expected), given)
                for a, b in zip(found, expected):
                    self.assertAlmostEqual(a - found[0], b - expected[0], delta=3e-6, msg=given)

    def test_poisson_follows_the_integral(self):
        """A Poisson process's number in any span has the integral's variance: five deviations."""
        for stages in (STEPS, RAMPS):
            found = self.simulate(self.compile(model(POISSON + text_of(stages) + ", repeat = true", 24)))["series"]["completed"]
            for second, count in enumerate(found):
                # A millisecond of response time moves some to the next second.
                expected = 1000 * (integral(stages, True, second + 1) - integral(stages, True, second))
                self.assertAlmostEqual(count, expected, delta=5 * math.sqrt(expected) + 10, msg=f"second {second} of {stages}")
            self.assertAlmostEqual(sum(found) / (1000 * integral(stages, True, 24)), 1, delta=0.03)

    def test_no_schedule_is_a_load_of_one(self):
        for interval in ("exponential(5 ms)", "7 ms"):
            plain = self.simulate(self.compile(model(f"interval = {interval}", 3, "*")))
            one = self.simulate(self.compile(model(f"interval = {interval}, schedule = web.hold(1 s, 1)", 3, "*")))
            self.assertEqual(plain["digest"], one["digest"])

    def test_bursts(self):
        """Six times the mean load for 5 % of the time: 30 % of all transactions; the mean stays."""
        seconds = self.simulate(self.compile(model(POISSON + "web.bursts(6, 5 %, 20 s), repeat = true", 80)))["series"]["completed"]
        total, peaks = sum(seconds), sum(seconds[::20])
        self.assertAlmostEqual(total / 80000, 1, delta=0.02)
        self.assertAlmostEqual(peaks / total, 0.3, delta=0.01)
        self.assertAlmostEqual((total - peaks) / 76 / 1000, 0.7 / 0.95, delta=0.02)

    def test_on_and_off(self):
        seconds = self.simulate(self.compile(model(CONSTANT + "web.on_off(2 s, 3 s), repeat = true", 15)))["series"]["completed"]
        self.assertEqual(seconds, [100, 100, 0, 0, 0] * 3)

    def test_none_any_more(self):
        found = self.simulate(self.compile(model(CONSTANT + "[web.hold(2 s, 1), web.hold(1 s, 0)]", 20)))
        self.assertEqual(found["transactions"]["completed"], 200)
        never = self.simulate(self.compile(model(CONSTANT + "web.hold(1 s, 0), repeat = true", 5)))
        self.assertEqual(never["transactions"]["completed"], 0)

    def test_time_goes_on_while_it_is_switched_off(self):
        """Switched on at 3.2 s it goes on with the load of that time, and begins at once."""
        given = CONSTANT + "[web.hold(3 s, 1), web.hold(1 s, 2), web.hold(1 s, 0)]"
        found = self.syns(model(given, 6, timeline="from 1 s to 3.2 s { crowd off }"))
        expected = [0.01 * i for i in range(100)] + [3.2 + 0.005 * i for i in range(160)]
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a - found[0], b, delta=3e-6)

    def test_a_ramp_goes_on_while_it_is_switched_off(self):
        """Switched on in the midst of a ramp, it has the load of that time."""
        stages = [(1, 3, 4), (3, 3, 2)]
        found = self.syns(model(CONSTANT + text_of(stages), 6, timeline="from 1 s to 3.2 s { crowd off }"))
        before = times(stages, False, 0.01, 1)
        # From 3.2 s on, as if the ramp began there.
        expected = before + [3.2 + at for at in times([(1 + 0.5 * 3.2, 3, 0.8), (3, 3, 2)], False, 0.01, 2.8)]
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            self.assertAlmostEqual(a - found[0], b - expected[0], delta=3e-6)

    def test_tunable(self):
        text = model(CONSTANT + "web.hold(1 s, peak)", 2).replace("model Schedules {", "model Schedules(tunable peak: number in 0..10 = 1) {")
        emulator = self.compile(text)
        for peak in (0, 1, 4):
            self.assertEqual(self.simulate(emulator, "--set", f"peak={peak}")["transactions"]["completed"], 200 * peak, peak)


class Alike(EmulatorTest):
    def test_however_it_is_run(self):
        text = """
import std.web
component Site(hosts: int, server: node) {
  router gateway
  host pc[hosts]
  link pc[*] -- gateway { rate = 100 Mbps, delay = 1 ms }
  workload surf : web.OpenLoop on pc[*] {
    server = server, interval = exponential(20 ms), documents = web.fixed(2 KB), schedule = [web.slope(1 s, 0, 3), web.hold(500 ms, 1)], repeat = true
  }
  workload crowd : web.OpenLoop on pc[0 .. 3] {
    server = server, interval = exponential(20 ms), documents = web.fixed(1 KB), schedule = web.bursts(4, 10 %, 1 s), repeat = true
  }
}
model Parallel {
  endpoint server { simulated = web.server() }
  Site site[4](hosts = 10, server = server)
  router core
  link site[*].gateway -- core { rate = 100 Mbps, delay = 2 ms }
  link core -- server { rate = 1 Gbps, delay = 3 ms }
  from 1 s to 1.3 s { site[*].surf off }
  run { duration = 4 s }
}
"""
        self.however_it_is_run(text, "transactions", "series")


if __name__ == "__main__":
    unittest.main()
