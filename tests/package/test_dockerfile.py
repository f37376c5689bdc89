#!/usr/bin/env python3
"""The Dockerfile against the repository: its syntax, what it copies, the commands that it runs. There need be no Docker;
tests/package/dockerfile.py has the instructions carried out."""
import json
import re
import shlex
import subprocess
import unittest

from dockerfile import instructions, stages
from packages import ROOT, run

KNOWN = {"FROM", "RUN", "COPY", "WORKDIR", "ENTRYPOINT", "CMD", "ENV"}


class Dockerfile(unittest.TestCase):
    def test_instructions(self):
        parsed = instructions((ROOT / "Dockerfile").read_text())
        self.assertEqual(parsed[0][0], "FROM")
        self.assertEqual({name for name, _ in parsed} - KNOWN, set())
        for name, rest in parsed:
            if name in ("ENTRYPOINT", "CMD"):
                self.assertTrue(all(isinstance(word, str) for word in json.loads(rest)))
            if name == "RUN":
                run("sh", "-n", "-c", rest)

    def test_what_is_copied_exists(self):
        tracked = run("git", "-C", ROOT, "ls-files").split("\n") if (ROOT / ".git").exists() else None
        names = [name for name, _ in stages((ROOT / "Dockerfile").read_text())]
        for name, rest in instructions((ROOT / "Dockerfile").read_text()):
            if name != "COPY":
                continue
            words = shlex.split(rest)
            if words[0].startswith("--from="):
                self.assertIn(words[0].removeprefix("--from="), names)
                continue
            for source in words[:-1]:
                self.assertTrue((ROOT / source).exists(), source)
                if tracked and source != ".":
                    self.assertIn(source, tracked)

    def test_it_builds_what_the_repository_builds(self):
        """The preset, the target and the script are there; and the packages that the script installs."""
        text = (ROOT / "Dockerfile").read_text()
        presets = {p["name"] for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
        used = re.findall(r"--preset (\S+)", text)
        self.assertTrue(used and set(used) <= presets)
        for option in re.findall(r"-D (ANML_\w+)=", text):
            self.assertIn(f"option({option} ", (ROOT / "CMakeLists.txt").read_text())
        self.assertIn("/anml/scripts/setup --package", text)
        self.assertRegex(run("scripts/setup", "--package", cwd=ROOT), r"all \d+ packages are installed")
        done = subprocess.run(["scripts/setup", "--nonsense"], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual((done.returncode, "usage" in done.stderr), (1, True))

    def test_what_is_left_out(self):
        ignored = (ROOT / ".dockerignore").read_text().split()
        for name in ("build/", ".git/"):
            self.assertIn(name, ignored)
        self.assertFalse([word for word in ignored if word.strip("/") in ("scripts", "cmake", "compiler", "runtime", "packaging", "docs")])


if __name__ == "__main__":
    unittest.main()
