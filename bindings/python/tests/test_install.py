"""`pip install` of the package in a fresh environment, without a network."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = """
import importlib.metadata, pathlib, sys, anml
assert importlib.metadata.version("anml") == anml.__version__
assert pathlib.Path(anml.__file__).is_relative_to(sys.prefix), anml.__file__
assert (pathlib.Path(anml.__file__).parent / "py.typed").exists()
model = anml.Model("Pair")
a, b = model.host("a"), model.host("b")
model.link(a, b, anml.ether.fast)
model.workload("talk", anml.traffic.Cbr, on=a, to=b, interval=10 * anml.ms)
model.run(1 * anml.s)
print(model.compile(level=0).run()["packets.delivered"])
"""


class Install(unittest.TestCase):
    def test_fresh_environment(self):
        # Debian's Python brings what builds packages, which others would have to download.
        python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PIP_"))}
        with tempfile.TemporaryDirectory(prefix="anml-install-") as folder:

            def run(*command):
                done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                return done.stdout

            source, fresh = os.path.join(folder, "source"), os.path.join(folder, "fresh")
            shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
            run(python, "-m", "venv", "--system-site-packages", fresh)
            inside = os.path.join(fresh, "bin/python")
            run(inside, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--no-build-isolation", source)
            self.assertGreater(int(run(inside, "-c", PROGRAM)), 90)


if __name__ == "__main__":
    unittest.main()
