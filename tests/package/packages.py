"""What the tests of packages share: a folder of their own, a model, and a root that has nothing but what is put there."""
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("ANML_BUILD", ROOT / "build/release"))
# Debian's Python brings what builds wheels, which others would have to download.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
MODEL = """import std.web
model Pair {
  router a
  host h[4]
  link up: h[*] -- a { rate = 10 Mbps, delay = 1 ms }
  endpoint server { address = 10.9.0.80, simulated = web.server(service = 1 ms) }
  link down: a -- server { rate = 100 Mbps, delay = 1 ms }
  workload w : web.ClosedLoop on h[*] { server = server, documents = web.fixed(1 KB), think = 100 ms }
  run { duration = 2 s }
}
"""


def run(*command, **more):
    done = subprocess.run([os.fspath(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def libraries_of(path):
    """The files that the loader maps for a program or library."""
    seen = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    return {pathlib.Path(found) for found in re.findall(r"(?:=> )?(/\S+) \(0x", seen)}


def release_steps():
    """The steps of the workflow that makes releases, of all its jobs."""
    about = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    return [step for job in about["jobs"].values() for step in job["steps"]]


def is_released(path):
    """Whether that workflow hands on a file of this name, which scripts/wheel and scripts/package write to build/packages,
    and puts it where releases are."""
    version = re.search(r"project\(anml VERSION (\S+) ", (ROOT / "CMakeLists.txt").read_text())[1]
    [handed] = [step["with"]["path"].split() for step in release_steps() if "upload-artifact" in step.get("uses", "")]
    [release] = [step["run"] for step in release_steps() if "gh release create" in step.get("run", "")]
    released = [word for word in release.replace('"$version"', version).split() if word.startswith("packages/")]
    return [sum(fnmatch.fnmatchcase(f"{folder}/{path.name}", pattern) for pattern in patterns) for folder, patterns in
            (("build/packages", handed), ("packages", released))] == [1, 1]


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="anml-package-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        (cls.folder / "pair.anml").write_text(MODEL)

    def compiles_and_runs(self, anmlc, *levels):
        """Without a compiler, linker or library of the surroundings."""
        for level in levels:
            with self.subTest(level):
                emulator = self.folder / "pair"
                run(anmlc, level, "pair.anml", "-o", emulator, cwd=self.folder, env={"PATH": "/nowhere"})
                said = run(emulator, "simulate", env={"PATH": "/nowhere"})
                self.assertRegex(said, r"transactions +\d+ completed")
                emulator.unlink()

    def passes_the_release(self, package, name):
        """What the workflow of releases tries of a package, its step of that name, here."""
        [step] = [step["run"] for step in release_steps() if step.get("name") == name]
        folder = self.folder / "release"
        (folder / "packages").mkdir(parents=True)
        (folder / "packages" / package.name).symlink_to(package)
        (folder / "examples").symlink_to(ROOT / "examples")
        said = run("bash", "-e", "-c", step, cwd=folder, env={**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
        self.assertIn("Dumbbell  simulated", said)


class Bare:
    """A root with the C library and its loader alone; add() puts in more. run() runs programs in it, without being root
    where this process is none."""

    def __init__(self, folder):
        self.folder = folder
        self.binds = []
        for name in ("tmp", "proc", "dev"):
            (folder / name).mkdir(parents=True)
        (folder / "dev/null").touch()
        for library in libraries_of("/bin/true"):
            self.add(library)
            if library.name == "libc.so.6":
                self.add(library.with_name("libm.so.6"))

    def add(self, path):
        """A file or folder of this system, at its place; folders are only lent."""
        path = pathlib.Path(path)
        there = self.folder / path.relative_to("/")
        if path.is_dir():
            there.mkdir(parents=True, exist_ok=True)
            self.binds.append((path, there))
        elif not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, there)

    def run(self, *command):
        binds = [*self.binds, (pathlib.Path("/proc"), self.folder / "proc"), (pathlib.Path("/dev/null"), self.folder / "dev/null")]
        script = "".join(f"mount --rbind '{path}' '{there}' && " for path, there in binds)
        # The programs mount and chroot are those outside.
        script += f"exec chroot '{self.folder}' \"$@\""
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        return run("unshare", "--mount", *user, "sh", "-c", script, "sh", *command, env={"PATH": path, "HOME": "/tmp", "PIP_BREAK_SYSTEM_PACKAGES": "1", "PYTHONDONTWRITEBYTECODE": "1"})


def can_make_roots():
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    return subprocess.run(["unshare", "--mount", *user, "true"], capture_output=True).returncode == 0
