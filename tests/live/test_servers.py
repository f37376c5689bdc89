"""The recipes of examples/servers: each server that is installed, its access log beside what the clients count."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from netlab import ANMLC, ROOT, Lab

SERVERS = ROOT / "examples/servers/run"
PROGRAMS = {"nginx": "nginx", "apache-event": "apache2", "apache-prefork": "apache2", "lighttpd": "lighttpd", "caddy": "caddy", "node": "node",
            "uvicorn": "uvicorn", "haproxy": "haproxy"}
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def ordinary_user():
    """The command before which others run without root, where such a user may read the tree and the compiler."""
    if os.geteuid() != 0:
        return []
    return NOBODY if all(subprocess.run([*NOBODY, "test", "-r", path]).returncode == 0 for path in (SERVERS, ANMLC)) else []


def below(folder):
    """Processes that work in a folder, or did before it was removed."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cwd"):
        try:
            if str(entry.readlink()).startswith(str(folder)):
                found.append(entry)
        except OSError:
            pass
    return found


class Servers(unittest.TestCase):
    def serve(self, *arguments, check=True, **variables):
        """A run of a recipe in a folder of its own: what it printed, its results by name of the server, and the report's text."""
        with Lab() as lab:
            for name in ("out", "tmp"):
                (lab.folder / name).mkdir()
                (lab.folder / name).chmod(0o777)
            done = subprocess.run([*ordinary_user(), SERVERS, "-o", lab.folder / "out", *map(str, arguments)], capture_output=True, text=True,
                                  timeout=120, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "PATH": PATH, "ANMLC": ANMLC, "TMPDIR": str(lab.folder / "tmp"), **variables})
            self.assertEqual(below(lab.folder), [])
            self.assertEqual(list((lab.folder / "tmp").iterdir()), [])
            if not check:
                return done
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            results, = (lab.folder / "out").glob("*.json")
            page, = (lab.folder / "out").glob("*.html")
            return done.stdout, json.loads(results.read_text()), page.read_text()

    def test_each(self):
        """What a server has logged is what its clients have and what is open, to the request; all is of the right size."""
        self.assertTrue(shutil.which("nginx", path=PATH))
        for server, program in PROGRAMS.items():
            if not shutil.which(program, path=PATH):
                print(f"{server}: not installed", flush=True)
                continue
            with self.subTest(server):
                said, results, page = self.serve("-D", "homes=50", server, "--for", "4s", "--set", "rate=200")
                transactions = results["transactions"]
                self.assertEqual(transactions["failed"], 0, said)
                self.assertEqual(transactions["unexpected_size"], 0, said)
                self.assertGreater(transactions["completed"], 100, said)
                self.assertLess(transactions["connections"], transactions["requests"] / 3, said)
                logged, answered, open_ = map(int, re.search(r"access log +(\d+) .* have (\d+) .* and (\d+) are", said).groups())
                self.assertLessEqual(answered, logged, said)
                self.assertLessEqual(logged, answered + open_ + transactions["retried"], said)
                self.assertIn("<html", page)

    def test_ip_tne(self):
        """examples/ip-tne: a transaction of the one client takes two round trips of 2.4 ms, and what Apache needs."""
        if not shutil.which("apache2", path=PATH):
            self.skipTest("apache2 is not installed")
        with Lab() as lab:
            (lab.folder / "out").mkdir()
            (lab.folder / "out").chmod(0o777)
            done = subprocess.run([*ordinary_user(), ROOT / "examples/ip-tne/run", "-o", lab.folder / "out", "talk_4a"], capture_output=True, text=True,
                                  timeout=200, stdin=subprocess.DEVNULL, env={**os.environ, "PATH": PATH, "ANMLC": ANMLC})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            rates = [float(rate) for rate in re.findall(r"^\| N=1,clients=\d+ \| ([0-9.e+]+) ", done.stdout, re.M)]
            self.assertEqual(len(rates), 2, done.stdout)
            self.assertGreater(rates[0], 120)
            self.assertLess(rates[0], 1 / 0.0048)
            self.assertGreater(rates[1], 5 * rates[0])
            self.assertEqual((lab.folder / "out/figures.md").read_text().strip(), done.stdout.rpartition("\n\n")[0].strip())

    def test_usage(self):
        for arguments in ((), ("thttpd",), ("-x", "nginx")):
            done = self.serve(*arguments, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: run", done.stderr)

    def test_what_is_not_installed(self):
        with Lab() as lab:
            for program in ("bash", "dirname"):
                (lab.folder / program).symlink_to(shutil.which(program))
            done = subprocess.run([SERVERS, "uvicorn"], capture_output=True, text=True, timeout=30,
                                  env={"PATH": str(lab.folder), "ANMLC": ANMLC})
        self.assertEqual(done.returncode, 1)
        self.assertIn("no uvicorn here: apt-get install uvicorn", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
