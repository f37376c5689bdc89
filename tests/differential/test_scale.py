"""A topology is not its expansion: 131 072 clients compile like one. What is not repeated takes time in proportion."""
import os
import subprocess
import sys
import unittest

from emulators import ANMLC, ROOT, SANITIZED, WAN, EmulatorTest, run

WIDE = ROOT / "tests/bench/models/wide_wan.anml"
SMALL = ("-D", "N=1", "-D", "H=1")
LARGE = ("-D", "N=32", "-D", "H=4096")


class Scale(EmulatorTest):
    def cost(self, *command):
        """Processor time (s) and peak resident set (bytes) of a command, the least of three."""
        def once():
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024
        return min(once() for _ in range(3))

    @unittest.skipIf(SANITIZED, "bounds of the release build")
    def test_compile_time_and_size(self):
        """131 072 clients, and one."""
        def compiled(name, options):
            emulator = self.fresh(name)
            seconds, _ = self.cost(ANMLC, "-O0" if self.quick else "-O2", WAN, *options, "-o", emulator)
            return seconds, emulator.stat().st_size, emulator

        small_time, small_size, _ = compiled("small", SMALL)
        large_time, large_size, emulator = compiled("large", LARGE)
        self.assertLess(large_time, 2 * small_time + 0.2, f"{large_time:.2f} s against {small_time:.2f} s")
        self.assertLess(large_size, 1.05 * small_size, f"{large_size} bytes against {small_size}")
        print(f"compile: {small_time:.2f} s and {large_time:.2f} s; size: {small_size} and {large_size} bytes")
        results = self.simulate(emulator, "--for", "300ms")
        self.assertEqual(results["window"]["whole_run"], True)
        self.assertGreater(results["transactions"]["completed"], 0)

    def test_more_of_a_kind_take_no_square(self):
        """Eight times the routers, each with workloads, statements of the timeline ... of its own."""
        for kind in ("workloads", "timeline", "requirements", "tunables", "prefixes"):
            with self.subTest(kind):
                times = []
                for routers in (1000, 8000):
                    model = self.fresh("star.anml")
                    model.write_text(run(sys.executable, ROOT / "tests/bench/flat_network.py", "star", routers, "--each", kind).stdout)
                    times.append(self.cost(ANMLC, "check", model)[0])
                self.assertLess(times[1], 20 * times[0], f"{times}")  # the square would be 64

    def test_hosts_without_a_link_take_no_square(self):
        """Nobody is asked for the way to them."""
        times = []
        for hosts in (5000, 40000):
            model = self.fresh("lone.anml")
            model.write_text("model M {\n  endpoint e\n  router r\n  link e -- r { rate = 1 Mbps }\n" + "".join(
                f"  host h{i}\n" for i in range(hosts)) + "  run { duration = 1 s }\n}\n")
            times.append(self.cost(ANMLC, "check", model)[0])
        self.assertLess(times[1], 20 * times[0], f"{times}")  # the square would be 64

    @unittest.skipIf(SANITIZED, "bounds of the release build")
    def test_idle_hosts_cost_no_memory(self):
        few, many = 32 * 3125, 2_000_000
        emulators = [self.compile(WIDE, "-D", f"H={count // 32}") for count in (few, many)]
        sizes = [emulator.stat().st_size for emulator in emulators]
        self.assertLess(sizes[1], 1.01 * sizes[0])
        (_, small), (start, large) = (self.cost(emulator, "simulate", "--for", "1ms") for emulator in emulators)
        idle = (large - small) / (many - few)
        self.assertLess(idle, 16, f"{idle:.1f} bytes for an idle host")
        self.assertLess(start, 2)
        results = self.simulate(emulators[1], "--for", "1500ms")
        self.assertEqual(len(results["busiest_links"]), 1000)
        self.assertGreater(results["transactions"]["completed"], 0)
        print(f"idle host: {idle:.2f} bytes; start-up {start:.2f} s with {many} hosts")

    @unittest.skipIf(SANITIZED, "bounds of the release build")
    def test_checking_only_is_quick(self):
        self.assertLess(self.cost(ANMLC, "-fsyntax-only", WAN, *LARGE)[0], 2)


if __name__ == "__main__":
    unittest.main()
