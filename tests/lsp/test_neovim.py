"""The server as a client finds it that others wrote: Neovim's, headless (neovim.lua)."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from client import ANMLC
from test_capabilities import MAIN, PARTS

NVIM = shutil.which("nvim")


@unittest.skipUnless(NVIM, "there is no nvim: scripts/setup installs it")
class Neovim(unittest.TestCase):
    def test_neovim(self):
        with tempfile.TemporaryDirectory(prefix="anml-nvim-") as scratch:
            folder = pathlib.Path(scratch)
            (folder / "town.anml").write_text(MAIN)
            (folder / "parts.anml").write_text(PARTS)
            result = folder / "result.json"
            home = {k: str(folder / k) for k in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
            done = subprocess.run([NVIM, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", f"luafile {pathlib.Path(__file__).with_name('neovim.lua')}"],
                                  capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL,
                                  env={**os.environ, **home, "ANMLC": ANMLC, "FOLDER": str(folder), "RESULT": str(result)})
            self.assertTrue(result.exists(), done.stdout + done.stderr)
            out = json.loads(result.read_text())
        self.assertEqual(out["errors"], [])
        lines = MAIN.splitlines()
        line = next(i for i, text in enumerate(lines) if "far * 2" in text)
        self.assertEqual([d[:2] for d in out["diagnostics"]][:1], [[line, lines[line].index("far")]])
        self.assertIn("zfar", out["diagnostics"][0][2])
        self.assertEqual(out["actions"][:1], ["write `far`"])
        self.assertIn("tunable far: time", out["hover"])
        self.assertEqual(out["definition"], [line + 1, lines[line].index("twice") + 1])
        self.assertEqual(out["references"], 2)
        self.assertIn("rate", out["completion"])
        self.assertGreaterEqual(out["symbols"], 7)
        self.assertEqual(out["renamed"][0], MAIN.replace("gateway", "core").splitlines())
        self.assertEqual(out["renamed"][1], PARTS.replace("gateway", "core").splitlines())
        self.assertEqual(out["formatted"], "  let twice = far * 2")


if __name__ == "__main__":
    unittest.main()
