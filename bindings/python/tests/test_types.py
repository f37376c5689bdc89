"""The package and programs that use it pass `mypy --strict`; a wrong use does not."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
WRONG = """
import anml

model = anml.Model("Wrong")
line = model.link(model.router("a"), model.router("b"), rate=1 * anml.Mbps)
work = model.workload("work", anml.traffic.Cbr, on=model.host("pc"))
with model.at(1 * anml.s) as then:
    then.down(work)
    then.off(line)
with model.every(1 * anml.s) as then_again:
    then_again.require(True)
model.ramp(1, 2, line, rate=1 * anml.Mbps)
model.link("a", "b", up=1 * anml.Mbps)
model.link("a", "b", relation="friend")
model.routing(metric="distance")
emulator = anml.compile_file("wan.anml", mpi=True)
emulator.run(mpi=4).table("workloads")
emulator.run(mpi="4")
anml.experiment("wan.anml").frame("differences")
anml.experiment("wan.anml").table(1)
"""


class Types(unittest.TestCase):
    def check(self, *paths):
        mypy = shutil.which("mypy", path="/usr/bin:" + os.environ["PATH"])
        self.assertTrue(mypy, "mypy is not installed")
        with tempfile.TemporaryDirectory() as cache:
            environment = {**os.environ, "MYPYPATH": str(PACKAGE / "src")}
            return subprocess.run([mypy, f"--config-file={PACKAGE / 'pyproject.toml'}", "--no-color-output", f"--cache-dir={cache}", *paths],
                                  capture_output=True, text=True, env=environment)

    def test_package_and_example(self):
        done = self.check(str(PACKAGE / "src/anml"), str(PACKAGE / "examples/sweep.py"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_wrong_use(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.py")
            pathlib.Path(path).write_text(WRONG)
            said = self.check(path).stdout
        self.assertEqual([int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line], [8, 9, 11, 12, 13, 14, 15, 18, 20], said)


if __name__ == "__main__":
    unittest.main()
