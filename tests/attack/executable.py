#!/usr/bin/env python3
"""The executables themselves: what protects them, what they need, and that the same text makes the same bytes.
What belongs to a build with sanitizers is not looked at.
"""
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from arena import ALL, ANMLC, SANITIZED

ROOT = pathlib.Path(__file__).resolve().parents[2]
WAN = ROOT / "examples/paper-wan/wan.anml"
# Datagrams alone take a quarter of the time at -O2, where the code is compiled with the model: the one with clients of the web is tried with ANML_ALL.
MODELS = {"-O0": WAN, "-O2": WAN if ALL else ROOT / "tests/bench/models/udp_chain.anml"}
SYSTEM = {"libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# What an installation brings along, or a package depends on (decision 96).
BUNDLED = {"libmetis.so.5", "libtbb.so.12", "libmd4c.so.0", "libmd4c-html.so.0", "libstdc++.so.6", "libgcc_s.so.1"}


def readelf(*options):
    return subprocess.run(["readelf", "-W", *options], capture_output=True, text=True, check=True).stdout


@unittest.skipIf(SANITIZED, "sanitizers bring their own")
class Protected(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="anml-attack-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.programs = {"anmlc": ANMLC}
        for level, model in MODELS.items():
            cls.programs[level] = os.path.join(cls.scratch.name, "emu" + level)
            # The model by its name: what messages call it is in the emulator.
            subprocess.run([ANMLC, level, "-D", "N=2", "-D", "H=2", model.name, "-o", cls.programs[level]], check=True, capture_output=True, cwd=model.parent)

    def test_position_independent(self):
        for name, path in self.programs.items():
            with self.subTest(name):
                self.assertRegex(readelf("-h", path), r"Type:\s+DYN")
                self.assertNotIn("TEXTREL", readelf("-d", path))

    def test_nothing_that_steers_it_stays_writable(self):
        for name, path in self.programs.items():
            with self.subTest(name):
                self.assertIn("GNU_RELRO", readelf("-l", path))
                self.assertRegex(readelf("-d", path), r"BIND_NOW|FLAGS.*\bNOW\b")

    def test_nothing_is_writable_and_executable(self):
        for name, path in self.programs.items():
            with self.subTest(name):
                segments = re.findall(r"^\s+(\w+)\s+0x\S+ 0x\S+ 0x\S+ 0x\S+ 0x\S+ (.{3})", readelf("-l", path), re.M)
                self.assertIn(("GNU_STACK", "RW "), segments)
                self.assertEqual([s for s in segments if "W" in s[1] and "E" in s[1]], [])

    def test_stacks_are_guarded(self):
        for name, path in self.programs.items():
            with self.subTest(name):
                self.assertIn("__stack_chk_fail", readelf("--dyn-syms", path))

    def test_libraries(self):
        for name, path in self.programs.items():
            with self.subTest(name):
                dynamic = readelf("-d", path)
                folders = [f for path in re.findall(r"(?:RPATH|RUNPATH).*\[(.*)\]", dynamic) for f in path.split(":")]
                # That of the runtime, where an installation brings libraries along.
                self.assertEqual([f for f in folders if name != "anmlc" or not re.fullmatch(r"\$ORIGIN/\.\./lib[a-z0-9_/-]*/anml", f)], [])
                needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
                self.assertEqual(needed - SYSTEM - (BUNDLED if name == "anmlc" else set()), set())

    def test_no_paths_of_the_build(self):
        for name, path in self.programs.items():
            with self.subTest(name):
                data = pathlib.Path(path).read_bytes()
                for folder in {str(ROOT), str(pathlib.Path(ANMLC).parents[1]), self.scratch.name}:
                    at = data.find(folder.encode())
                    self.assertEqual(at, -1, data[max(at - 20, 0):at + 120])


class SameBytes(unittest.TestCase):
    def compile(self, level, folder, processors=None, **environment):
        folder.mkdir(parents=True)
        (folder / "m.anml").write_bytes(MODELS[level].read_bytes())
        subprocess.run([ANMLC, level, "-D", "N=2", "-D", "H=300", "m.anml", "-o", "emu"], check=True, cwd=folder, capture_output=True,
                       env={**os.environ, **environment},
                       preexec_fn=(lambda: os.sched_setaffinity(0, processors)) if processors else None)
        return hashlib.sha256((folder / "emu").read_bytes()).hexdigest()

    def test_same_bytes(self):
        """From another folder, on one processor, at another time, in another language."""
        for level in MODELS:
            with self.subTest(level), tempfile.TemporaryDirectory(prefix="anml-attack-") as scratch:
                folder = pathlib.Path(scratch)
                one = self.compile(level, folder / "a")
                other = self.compile(level, folder / "another/much longer/folder", {min(os.sched_getaffinity(0))}, LC_ALL="C", TZ="Asia/Tokyo",
                                     TMPDIR=str(folder), LANG="tr_TR.UTF-8")
                self.assertEqual(one, other)


if __name__ == "__main__":
    unittest.main()
