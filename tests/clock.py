"""Tests that judge the clock: they run alone, and one is repeated only if the machine was elsewhere while it ran."""
import contextlib
import functools
import os
import pathlib
import subprocess
import sys
import time
import unittest


def family(pid):
    """The process and those below it, and what each has had of a processor, its children that have ended included (ticks)."""
    parents, times, found = {}, {}, {pid}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields, number = path.read_text().rpartition(")")[2].split(), int(path.parent.name)
            parents[number], times[number] = int(fields[1]), sum(map(int, fields[11:15]))
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return {each: times[each] for each in found if each in times}


# Says, when its input ends, how much later than asked it was woken at most (s).
SENTINEL = """
import select, sys, time
longest, before = 0, time.monotonic()
while not select.select([sys.stdin], [], [], 0.005)[0]:
    now = time.monotonic()
    longest, before = max(longest, now - before - 0.005), now
print(longest)
"""
STILL = 0.010  # s


class Elsewhere:
    """What the machine did meanwhile that is none of ours: time of its processors that other processes had, and moments in which
    even a process that goes before all others did not run, since the machine itself did not."""

    def __init__(self):
        first = ("chrt", "-f", "50") if os.geteuid() == 0 else ()
        self.sentinel = subprocess.Popen([*first, sys.executable, "-c", SENTINEL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.begin, self.others = time.monotonic(), self.time_of_others()

    @staticmethod
    def time_of_others():
        """Busy time of all processors, but for that of this process and those that it started (s, since some time)."""
        tick = os.sysconf("SC_CLK_TCK")
        user, nice, system, _, _, irq, softirq, steal = map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9])
        ours = sum(family(os.getpid()).values())
        return (user + nice + system + irq + softirq + steal - ours) / tick

    def end(self):
        """Why what a test measured meanwhile need not be its own doing; nothing on a quiet machine."""
        others, wall = self.time_of_others() - self.others, time.monotonic() - self.begin
        longest = float(self.sentinel.communicate()[0])
        if longest > STILL:
            return f"the machine stood still for {longest * 1000:.0f} ms"
        if others > 0.2 + 0.03 * wall:
            return f"other processes had the processors for {others:.1f} s of {wall:.1f} s"
        return None


def by_the_clock(judged):
    """A test that judges durations or rates, `judged` says which: it runs alone, as `TEST.py clock`. It is repeated, twice at most,
    only if the machine was elsewhere meanwhile; on a quiet one a failure is a failure."""
    def decorate(test):
        @functools.wraps(test)
        def tried(self):
            for left in (2, 1, 0):
                elsewhere = Elsewhere()
                try:
                    test(self)
                except unittest.SkipTest:
                    elsewhere.end()
                    raise
                except Exception as failure:
                    why = elsewhere.end()
                    if left == 0 or why is None:
                        raise
                    print(f"\nrepeated: {self.id()}: {why}; judged by {judged}: {str(failure)[:300]!r}", file=sys.stderr, flush=True)
                    self.doCleanups()
                    self.setUp()
                else:
                    elsewhere.end()
                    return
        tried.judges_the_clock = True
        return tried
    return decorate


def main():
    """`TEST.py clock` runs the tests that judge the clock, `TEST.py behaviour` the others, which may run beside anything."""
    part = sys.argv.pop(1) if sys.argv[1:2] in (["clock"], ["behaviour"]) else None

    class Loader(unittest.TestLoader):
        def getTestCaseNames(self, case):
            names = super().getTestCaseNames(case)
            return [name for name in names if part is None or hasattr(getattr(case, name), "judges_the_clock") == (part == "clock")]
    program = unittest.main(testLoader=Loader(), verbosity=2, exit=False)
    sys.exit(not program.result.wasSuccessful() or program.result.testsRun == 0)
