"""Every example compiles and simulates, and prints what its README shows."""
import unittest

from emulators import ROOT, EmulatorTest, run

EXAMPLES = sorted((ROOT / "examples").glob("*/*.anml"))


class Examples(EmulatorTest):
    def test_all(self):
        self.assertGreaterEqual(len(EXAMPLES), 3)
        for model in EXAMPLES:
            with self.subTest(model.parent.name):
                results = self.simulate(self.compile(model), "--for", "4s")
                self.assertEqual(results["transactions"]["failed"], 0)
                for workload in results["workloads"]:
                    self.assertGreater(workload["throughput_bps" if "throughput_bps" in workload else "goodput_bps"], 0)
                    if "transactions" in workload:
                        self.assertGreater(workload["transactions"]["completed"], 10)

    def assertPrintsWhatIsShown(self, folder, emulator):
        """The indented lines of its README, but for the command."""
        shown = [line.strip() for line in (folder / "README.md").read_text().splitlines() if line.startswith("    ")]
        self.assertGreater(len(shown), 3)
        printed = run(emulator, "simulate").stdout
        for line in shown[1:]:
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


if __name__ == "__main__":
    unittest.main()
