"""Every example compiles and simulates, and prints what its README shows."""
import unittest

from emulators import ROOT, EmulatorTest, run

EXAMPLES = sorted((ROOT / "examples").glob("*/*.anml"))


class Examples(EmulatorTest):
    def test_all(self):
        self.assertGreaterEqual(len(EXAMPLES), 2)
        for model in EXAMPLES:
            with self.subTest(model.parent.name):
                results = self.simulate(self.compile(model), "--for", "4s")
                self.assertGreater(results["transactions"]["completed"], 100)
                self.assertEqual(results["transactions"]["failed"], 0)

    def test_two_sites(self):
        """The indented lines of its README, but for the command."""
        folder = ROOT / "examples/two-sites"
        shown = [line.strip() for line in (folder / "README.md").read_text().splitlines() if line.startswith("    ")]
        self.assertGreater(len(shown), 3)
        emulator = self.compile(folder / "two.anml")
        printed = run(emulator, "simulate").stdout
        for line in shown[1:]:
            self.assertIn(line, printed)
        slow = self.simulate(emulator, "--set", "access=64Kbps")
        self.assertGreater(slow["busiest_links"][0]["utilisation"], 0.9)
        self.assertEqual(slow["busiest_links"][0]["name"], "slow<")


if __name__ == "__main__":
    unittest.main()
