"""Runs the tests of the builds there are, in the order that wastes least: `scripts/test` calls it behind the release build.

Live tests that judge behaviour, and those with the label `waits`, wait most of the time: they run beside each other while the builds with
sanitizers take what is left over (SCHED_IDLE). Then what computes, a test for each processor. Last, with nothing beside them, those that judge the clock.

Each test declares its cost in costs.txt. One that takes more than three times of it runs once more with nothing beside it, and fails the run
where it takes as long again: three times what it says, and as many times more as half of all tests do on this machine."""
import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROCESSORS = len(os.sched_getaffinity(0))
ALLOWED, SLACK = 3, 3  # times of the declared cost, and seconds
AGAIN = 8              # tests that are tried again


def say(text):
    print("==", text, flush=True)


def machine():
    """Seconds that all processors together were busy, and of these, how many another machine had."""
    fields = [int(word) / os.sysconf("SC_CLK_TCK") for word in open("/proc/stat").readline().split()[1:9]]
    user, nice, system, _, _, irq, soft, steal = fields
    return user + nice + system + irq + soft + steal, steal


def ours():
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usage)


class Run:
    def __init__(self, all_of_them):
        self.all = all_of_them
        self.environment = dict(os.environ, **({"ANML_ALL": "1"} if all_of_them else {}))
        lines = (ROOT / "tests/costs.txt").read_text().splitlines()
        self.declared = {line.split()[0]: float(line.split()[1]) for line in lines if line and line[0] != "#"}
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="anml-tests-"))
        self.begin, self.before, self.reports, self.again, self.failed = time.monotonic(), (machine(), ours()), [], [], False

    def ctest(self, what, build, *options):
        report = self.scratch / f"{len(self.reports)}.xml"
        self.reports.append((build, report))
        say(f"{what} ({build}), after {(time.monotonic() - self.begin) / 60:.1f} min")
        process = subprocess.Popen(["ctest", "--test-dir", ROOT / "build" / build, "--output-on-failure", "--no-tests=error",
                                    "--output-junit", report, *options],
                                   env=self.environment, stdout=subprocess.PIPE, text=True, errors="replace")
        for line in process.stdout:
            print(line, end="", flush=True)
        return process.wait() == 0

    def test(self, what, *options):
        """Tests of the release build. A few may fail by what else the machine did: they are tried again at the end (`try_again`)."""
        if self.ctest(what, "release", *options):
            return
        failed = [case.get("name") for case in xml.parse(self.reports[-1][1]).iter("testcase") if case.get("status") != "run"]
        self.failed |= not failed or len(self.again) + len(failed) > AGAIN
        self.again += failed

    def try_again(self):
        if self.again and not self.failed:
            self.failed = not self.ctest("testing again what failed", "release", "-R", f"^({'|'.join(self.again)})$")

    def sanitized(self):
        """The builds with sanitizers and their tests, as a process of its own, beside what waits; its output comes at its end."""
        log = tempfile.TemporaryFile("w+")
        more = ["--all"] if self.all else []
        return log, subprocess.Popen(["chrt", "--idle", "0", ROOT / "tests/sanitized", *more], env=self.environment, stdout=log,
                                     stderr=subprocess.STDOUT, process_group=0)

    def wait_for(self, log, process):
        say(f"waiting for the builds with sanitizers, after {(time.monotonic() - self.begin) / 60:.1f} min")
        status = process.wait()
        log.seek(0)
        text = log.read()
        print(text if status else text[text.find("\n== testing"):], end="", flush=True)
        self.failed |= status != 0

    def cases(self):
        for build, report in self.reports:
            for case in xml.parse(report).iter("testcase"):
                yield build, case.get("name"), case.get("status") == "run", float(case.get("time")), "".join(case.itertext())

    def dearer_than_said(self):
        """What takes longer than it says, of the release build: name, seconds of its fastest run, and what is declared."""
        took = {}
        for build, name, passed, seconds, _ in self.cases():
            if build == "release" and passed and name in self.declared:
                took[name] = min(seconds, took.get(name, seconds))
        slow = max(1, statistics.median(seconds / self.declared[name] for name, seconds in took.items()))
        return [(name, seconds, self.declared[name]) for name, seconds in took.items()
                if seconds > ALLOWED * slow * self.declared[name] + SLACK]

    def hold_to_costs(self):
        if self.all or self.failed or not (dear := self.dearer_than_said()):
            return
        names = "|".join(name for name, _, _ in dear)
        self.ctest("testing again what is dearer than it says", "release", "-R", f"^({names})$")
        for name, seconds, said in self.dearer_than_said():
            say(f"{name} takes {seconds:.1f} s, and says {said:g} (tests/costs.txt)")
            self.failed = True

    def judge(self):
        """What was slow, and what was repeated and why."""
        (busy, steal), used = self.before
        (busy_now, steal_now), used_now = machine(), ours()
        passed = time.monotonic() - self.begin
        others = max(0.0, (busy_now - busy) - (used_now - used)) / (passed * PROCESSORS)
        cases = list(self.cases())
        say("the twenty slowest: seconds, and what is declared")
        for build, name, _, seconds, _ in sorted(cases, key=lambda case: -case[3])[:20]:
            print(f"{seconds:8.1f} {self.declared.get(name, '-'):>6} {name} ({build})")
        again = [line for case in cases for line in re.findall(r"^repeated: .*", case[4], re.M)]
        again += [f"{name}: failed at first; above is how" for name in self.again]
        say(f"{len(again)} tests were repeated" + "".join("\n   " + line for line in again))
        say(f"others had {others:.0%} of the processors, {(steal_now - steal) / (passed * PROCESSORS):.0%} of it stolen by the host")
        return self.failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="what is on demand, too")
    arguments = parser.parse_args()
    run = Run(arguments.all)
    log, sanitized = run.sanitized()
    try:
        run.test("testing what waits", "-L", "live|waits", "-LE", "clock", "-j", str(3 * PROCESSORS))
        run.test("testing what computes", "-LE", "unit|live|waits|clock", "-j", str(PROCESSORS))
        run.wait_for(log, sanitized)
    finally:
        if sanitized.poll() is None:
            os.killpg(sanitized.pid, 15)
    run.test("testing what judges the clock", "-L", "clock")
    run.try_again()
    run.hold_to_costs()
    return 1 if run.judge() else 0


if __name__ == "__main__":
    sys.exit(main())
