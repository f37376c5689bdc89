"""The same scenario gives the same packets, however it is compiled and run."""
import unittest

from emulators import WAN, EmulatorTest

# What may differ between two runs of one scenario.
VOLATILE = ("command", "started", "wall_seconds", "cpu_seconds", "parameters", "threads", "tasks")


def essence(results):
    return {key: value for key, value in results.items() if key not in VOLATILE}


class Digest(EmulatorTest):
    SIZE = ("-D", "N=3", "-D", "H=4")
    RUN = ("--for", "12s")

    def test_tiers_agree(self):
        plain = self.simulate(self.compile(WAN, *self.SIZE, "-O0"), *self.RUN)
        optimised = self.simulate(self.compile(WAN, *self.SIZE, "-O2"), *self.RUN)
        self.assertGreater(plain["transactions"]["completed"], 1000)
        self.assertEqual(essence(plain), essence(optimised))

    def test_runs_repeat(self):
        emulator = self.compile(WAN, *self.SIZE)
        first = self.simulate(emulator, *self.RUN)
        for _ in range(2):
            self.assertEqual(essence(first), essence(self.simulate(emulator, *self.RUN)))

    def test_compiling_repeats(self):
        self.assertEqual(self.compile(WAN, *self.SIZE).read_bytes(), self.compile(WAN, *self.SIZE).read_bytes())

    def test_a_tunable_fixed_and_set_are_the_same(self):
        tunable = self.compile(WAN, *self.SIZE)
        fixed = self.compile(WAN, *self.SIZE, "-D", "D=4 ms")
        slow = self.simulate(tunable, *self.RUN, "--set", "D=4ms")
        self.assertEqual(essence(slow), essence(self.simulate(fixed, *self.RUN)))
        self.assertNotEqual(slow["digest"], self.simulate(tunable, *self.RUN)["digest"])

    def test_a_capture_changes_nothing(self):
        emulator = self.compile(WAN, *self.SIZE)
        captured = self.simulate(emulator, *self.RUN, "--capture", f"entry={self.fresh('entry.pcap')}")
        self.assertEqual(essence(captured), essence(self.simulate(emulator, *self.RUN)))

    def test_threads_and_partitions_agree(self):
        """With losses, so that retransmissions and drops are in the comparison too."""
        size = ("-D", "N=4", "-D", "H=16")
        run = ("--for", "12s", "--set", "Q=4KB")
        expected = self.simulate(self.compile(WAN, *size, "--tasks", 1), *run)
        self.assertEqual(expected["tasks"], 1)
        self.assertGreater(expected["packets"]["dropped"]["queue"], 0)
        for tasks in (2, 5, 16):
            emulator = self.compile(WAN, *size, "--tasks", tasks)
            for threads in (1, 2, 3, 4, 8):
                found = self.simulate(emulator, *run, "--threads", threads)
                self.assertEqual(found["digest"], expected["digest"], f"{tasks} tasks, {threads} threads")
                self.assertEqual(found["transactions"]["completed"], expected["transactions"]["completed"])
                self.assertEqual(found["threads"], min(threads, found["tasks"]))

    def test_named_tasks_change_nothing(self):
        text = WAN.read_text()
        named = text.replace("  router gateway", '  @task("gate") router gateway')
        named = named.replace("  endpoint server", '  @task("server")\n  endpoint server')
        self.assertEqual(named.count("@task"), 2)
        size, run = ("-D", "N=3", "-D", "H=16"), ("--for", "12s")
        expected = self.simulate(self.compile(WAN, *size, "--tasks", 1), *run)
        emulator = self.compile(named, *size)
        for threads in (1, 2, 5):
            found = self.simulate(emulator, *run, "--threads", threads)
            self.assertGreaterEqual(found["tasks"], 5)
            self.assertEqual(found["digest"], expected["digest"], f"{threads} threads")

    def test_losses_repeat(self):
        emulator = self.compile(WAN, "-D", "N=2", "-D", "H=64")
        small = ("--for", "12s", "--set", "Q=2KB", "--set", "D=0.1ms")
        first = self.simulate(emulator, *small)
        self.assertGreater(first["packets"]["dropped"]["queue"], 0)
        self.assertGreater(first["retransmissions"], 0)
        self.assertEqual(essence(first), essence(self.simulate(emulator, *small)))


if __name__ == "__main__":
    unittest.main()
