"""The workflow of integrations/load-test, step by step as its runner takes them: it passes, and fails for a server that is slow or refuses a customer."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

import yaml
from netlab import ANMLC, ROOT

FOLDER = ROOT / "integrations/load-test"


class LoadTest(unittest.TestCase):
    def steps(self, change=lambda text: text):
        """The status of each step that ran, the folder, and what they said and wrote for the summary."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="anml-load-test-")))
        for file in FOLDER.iterdir():
            shutil.copy(file, folder)
        server = folder / "server.py"
        text = server.read_text()
        server.write_text(change(text))
        self.assertEqual(server.read_text() == text, change is LoadTest.steps.__defaults__[0])
        (folder / "bin").mkdir()
        (folder / "bin/anmlc").symlink_to(ANMLC)
        summary = folder / "summary.md"
        env = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
        [job] = yaml.safe_load((FOLDER / "workflow.yml").read_text())["jobs"].values()
        statuses, said = {}, ""
        for step in job["steps"]:
            if "uses" in step:
                self.assertRegex(step["uses"], r"^actions/[a-z-]+@v\d+$")
                for path in step.get("with", {}).get("path", "").split():
                    self.assertTrue((folder / path).stat().st_size > 0, path)
                continue
            if step["name"] == "install":
                self.assertEqual(subprocess.run(["bash", "-n", "-c", step["run"]]).returncode, 0)
                continue
            if any(statuses.values()) and step.get("if") != "always()":
                continue
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
            statuses[step["name"]] = done.returncode
            said += done.stdout + done.stderr
        return statuses, folder, said, re.sub(r"\\(.)", r"\1", summary.read_text())

    def cases(self, folder):
        return {case.get("name"): [part.tag for part in case] for case in xml.etree.ElementTree.parse(folder / "shop.xml").getroot().iter("testcase")}

    def test_it_passes(self):
        statuses, folder, said, summary = self.steps()
        # On a machine that many use a live run may not keep up: that is no verdict on the server.
        self.assertIn(statuses["gate"], (0, 98), said)
        self.assertEqual((statuses["compile"], statuses["report"]), (0, 0))
        if statuses["gate"] == 0:
            self.assertFalse(any("failure" in parts for parts in self.cases(folder).values()), self.cases(folder))
        self.assertEqual(sum("skipped" in parts for parts in self.cases(folder).values()), int(statuses["gate"] == 98))
        self.assertIn('p95([at_home, mobile], "orders") < 400 ms', summary)
        self.assertIn("orders", summary)

    def test_a_slow_server_fails(self):
        statuses, folder, said, summary = self.steps(lambda text: text.replace("import json\n", "import json\nimport time\n").replace("        if self.headers", "        time.sleep(0.6)\n        if self.headers"))
        self.assertIn(statuses["gate"], (98, 99), said)
        self.assertEqual(statuses["report"], 0)
        failed = [name for name, parts in self.cases(folder).items() if "failure" in parts]
        self.assertEqual(len(failed), 1)
        self.assertIn("customers wait for their orders", (folder / "shop.xml").read_text())
        self.assertRegex(summary, r"(?i)not met")

    def test_a_server_that_refuses_fails(self):
        statuses, folder, said, summary = self.steps(lambda text: text.replace('asked.get("password") != "secret"', 'asked["user"] == "user3"'))
        self.assertIn(statuses["gate"], (98, 99), said)
        page = (folder / "shop.html").read_text()
        self.assertIn("who are you?", page)  # what the first was answered
        self.assertRegex((folder / "shop.xml").read_text(), re.escape("failed([at_home, mobile]) &lt; 1 %"))


if __name__ == "__main__":
    unittest.main()
