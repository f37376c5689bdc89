"""The ten networks of examples/networks: each compiles, and what its `require`s say by arithmetic is what the run measures."""
import unittest

from emulators import ROOT, EmulatorTest

FOLDER = ROOT / "examples/networks"


class Networks(EmulatorTest):
    def test_all(self):
        models = sorted(FOLDER.glob("*.anml"))
        self.assertEqual(len(models), 10)
        page = (FOLDER / "README.md").read_text()
        for model in models:
            with self.subTest(model.stem):
                self.assertIn(f"[{model.stem}]({model.name})", page)
                results = self.simulate(self.compile(model))  # fails where a threshold is not met
                self.assertGreaterEqual(len(results["thresholds"]), 1)
                self.assertGreater(results["packets"]["sent"], 1000)

    def test_they_can_fail(self):
        """A wrong line in place of one of each model: its thresholds notice."""
        wrong = {
            "cdn": ("hits = shield_hits", "hits = 0"),
            "sd_wan": ("detection = 100 ms", "detection = 200 ms"),
            "leo_geo": ("protocol = tcp", "protocol = udp"),
            "campus_5g": ("cellular.nr(error = 0)", "cellular.nr(error = 20 %)"),
            "services": ("hits = c.hits", "hits = 0"),
            "dragonfly": ("offered = 72 * each }", "offered = 60 * each }"),
            "abilene": ("detection = found", "detection = 2 * found"),
            "ixp": ("rate = size, delay = 100 us", "rate = size, delay = 200 us"),
            "conference": ("queue.fq_codel()", "droptail(1 MB)"),
            "sensors": ("loss = 1 %", "loss = 2 %"),
        }
        for model in sorted(FOLDER.glob("*.anml")):
            with self.subTest(model.stem):
                before, after = wrong[model.stem]
                text = model.read_text()
                self.assertIn(before, text)
                copy = self.folder / model.name
                copy.write_text(text.replace(before, after))
                results = self.simulate(self.compile(copy, f"-I{FOLDER}"), thresholds=False)
                self.assertFalse(all(threshold["met"] for threshold in results["thresholds"]), results["thresholds"])


if __name__ == "__main__":
    unittest.main()
