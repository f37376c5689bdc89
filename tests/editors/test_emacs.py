"""editors/emacs in a real Emacs: it compiles without a warning, colours, comments, and indents as `anmlc fmt` does."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODE = ROOT / "editors/emacs/anml-mode.el"


def emacs(*arguments, cwd=None):
    return subprocess.run(["emacs", "-Q", "--batch", *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=cwd)


class Emacs(unittest.TestCase):
    def test_compiles(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(MODE, folder)
            done = emacs("--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", MODE.name, cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_it_does(self):
        models = [path for folder in ("examples", "stdlib") for path in sorted((ROOT / folder).rglob("*.anml"))]
        done = emacs("-L", MODE.parent, "-l", pathlib.Path(__file__).parent / "emacs_checks.el", *models)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        apart, of = map(int, done.stdout.split(" of "))
        self.assertEqual(of, len(models))
        self.assertGreater(of, 200)
        self.assertLess(apart, 15)  # with expressions that go on over several lines, in each other


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
