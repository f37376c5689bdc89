"""A topology is not its expansion: 131 072 clients compile like one."""
import time
import unittest

from emulators import ANMLC, WAN, EmulatorTest, run

SMALL = ("-D", "N=1", "-D", "H=1")
LARGE = ("-D", "N=32", "-D", "H=4096")


class Scale(EmulatorTest):
    def compile_time(self, options):
        """The least of three, in turns with nothing else of ours running."""
        best = float("inf")
        for _ in range(3):
            begin = time.monotonic()
            emulator = self.compile(WAN, *options)
            best = min(best, time.monotonic() - begin)
        return best, emulator.stat().st_size, emulator

    def test_compile_time_and_size(self):
        small_time, small_size, _ = self.compile_time(SMALL)
        large_time, large_size, emulator = self.compile_time(LARGE)
        self.assertLess(large_time, 2 * small_time + 0.2, f"{large_time:.2f} s against {small_time:.2f} s")
        self.assertLess(large_size, 1.05 * small_size, f"{large_size} bytes against {small_size}")
        print(f"compile: {small_time:.2f} s and {large_time:.2f} s; size: {small_size} and {large_size} bytes")
        results = self.simulate(emulator, "--for", "300ms")
        self.assertEqual(results["window"]["whole_run"], True)
        self.assertGreater(results["transactions"]["completed"], 0)

    def test_checking_only_is_quick(self):
        begin = time.monotonic()
        run(ANMLC, "-fsyntax-only", WAN, *LARGE)
        self.assertLess(time.monotonic() - begin, 2)


if __name__ == "__main__":
    unittest.main()
