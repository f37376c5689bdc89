"""What VS Code's extension selects where the cursor stands: editors/vscode/src/places.ts with a real answer of the server. Where `npm ci` was run there."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lsp"))
from client import LspTest, place  # noqa: E402

EXTENSION = ROOT / "editors/vscode"
ESBUILD = EXTENSION / "node_modules/.bin/esbuild"
# As much of VS Code's interface as it takes.
VSCODE = """
class Range {
  constructor(a, b, c, d) { this.start = { line: a, character: b }; this.end = { line: c, character: d }; }
  contains(p) { return p.line === this.start.line && p.character >= this.start.character && p.character <= this.end.character; }
  isEqual(o) { return JSON.stringify(this) === JSON.stringify(o); }
}
module.exports = { Range, Uri: { parse: (text) => ({ toString: () => text }) } };
"""
MODEL = """import std.ether
component Lan(hosts: int in 1 .. 64 = 4) {
  router door
  host pc[hosts]
  link pc[*] -- door : ether.fast
}
model Sites {
  Lan net[2]
  Lan west
  router core
  link net[*].door -- core : ether.gigabit
  link core -- west.door : ether.gigabit
  require rtt(net[1].pc[0], west.pc[2]) < 1 s
  run { duration = 1 s }
}
"""


@unittest.skipUnless(ESBUILD.exists(), "npm ci was not run in editors/vscode")
class Cursor(LspTest):
    encoding = "utf-16"

    def test_what_is_selected(self):
        client = self.start()
        uri = self.write("sites.anml", MODEL)
        client.open(uri, MODEL)
        page = client.request("anml/graph", {"textDocument": {"uri": uri}})
        cursors = [("door -- core", 0, "net[0].door"), ("core : ether", 0, "core"), ("west.door : ", 6, "west.door"), ("west.door : ", 1, "west.door"),
                   ("net[1].pc[0]", 8, "net[1].pc"), ("net[1].pc[0]", 1, "net[1].door"), ("west.pc[2]", 6, "west.pc"), ("pc[*] -- door", 1, "net[0].pc"),
                   ("router core", 8, "core"), ("Lan west", 5, "west.door"), ("host pc[hosts]", 6, "net[0].pc"), ("run {", 1, None)]
        asked = [{**place(MODEL, mark, self.encoding), "after": after} for mark, after, _ in cursors]
        folder = pathlib.Path(self.folder)
        (folder / "node_modules").mkdir()
        (folder / "node_modules/vscode.js").write_text(VSCODE)
        subprocess.run([str(ESBUILD), str(EXTENSION / "src/places.ts"), "--bundle", "--platform=node", "--external:vscode", f"--outfile={folder / 'places.js'}",
                        "--log-level=error"], check=True)
        (folder / "page.json").write_text(json.dumps({"page": page, "asked": asked, "uri": uri}))
        (folder / "run.js").write_text("""
const { Places } = require("./places.js"), { page, asked, uri } = require("./page.json"), places = new Places(page);
console.log(JSON.stringify(asked.map((at) => {
  const meant = places.at(uri, { line: at.line, character: at.character + at.after });
  return meant ? places.row(meant) : null;
})));
""")
        done = subprocess.run(["node", "run.js"], cwd=folder, capture_output=True, text=True, env={**os.environ, "NODE_PATH": ""})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), [row for _, _, row in cursors])


if __name__ == "__main__":
    unittest.main()
