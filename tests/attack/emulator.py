#!/usr/bin/env python3
"""An emulator's command line, and simulated runs in odd surroundings."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest

from arena import ALL, ANMLC, GIB, MIB, SANITIZED, attempt

LEVELS = ("-O0", "-O2") if ALL else ("-O0",)

MODEL = """import std.ether
import std.traffic
import std.web

model M(
  tunable D: time in 0.1 ms .. 100 ms = 1 ms,
  tunable R: rate in 1 bps .. 1000 Tbps = 10 Mbps,
  tunable Q: size in 1 B .. 1 TB = 64 KB,
  tunable N: int in 0 .. 1000000000 = 3,
  tunable P: ratio in 0 .. 1 = 0,
  tunable T: time in 1 us .. 1 h = 1 ms,
) {
  endpoint server { simulated = web.server(service = exponential(T)) }
  router r[2]
  host a[300]
  host b[300]
  link left: a[*] -- r[0] : ether.fast { delay = D }
  link right: b[*] -- r[1] : ether.fast { delay = D }
  link core: r[0] -- r[1] { rate = R, delay = D, queue = droptail(Q), loss = P }
  link serve: r[1] -- server : ether.gigabit
  workload bulk : traffic.Bulk on a[0 .. 9] { to = b[0 .. 9], transfers = N, size = 100 KB }
  workload ping : traffic.Ping on a[*] { to = b[*], interval = 10 ms, start_spread = 10 ms }
  workload browse : web.ClosedLoop on b[*] { server = server, documents = web.catalogue(100, uniform(1 KB, 9 KB)), think = exponential(10 ms), start_spread = 10 ms }
  run { duration = 100 ms, warmup = 10 ms }
}
"""


class Emulator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="anml-attack-")
        cls.addClassCleanup(scratch.cleanup)
        cls.shelf = pathlib.Path(scratch.name)
        (cls.shelf / "m.anml").write_text(MODEL)
        for level in LEVELS:
            subprocess.run([ANMLC, level, cls.shelf / "m.anml", "-o", cls.shelf / ("emu" + level)], check=True, capture_output=True)
        cls.program = str(cls.shelf / ("emu" + LEVELS[0]))

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-attack-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_it(self, *words, **options):
        options.setdefault("memory", None if SANITIZED else 2 * GIB)
        options.setdefault("cwd", self.folder)
        options.setdefault("seconds", 60)
        tried = attempt([options.pop("program", self.program), *map(str, words)], **options)
        self.assertEqual(tried.fault, "", tried.said[:400])
        return tried

    def refused(self, *words, **options):
        tried = self.run_it(*words, **options)
        self.assertNotEqual(tried.status, 0, words)
        self.assertLess(len(tried.said), 3000)
        return tried.said

    def left(self):
        return sorted(os.listdir(self.folder))

    def test_values(self):
        wrong = {
            "--for": ["", "0s", "-1s", "1", "nan s", "inf s", "1e999s", "31 years", "1e300 s", "s", "10 ms x", "0x10 s", "9" * 400 + " s", "1e-9 ns", "0.4 ns", "\x01"],
            "--threads": ["", "0", "-1", "257", "1.5", "1e2", "x", "99999999999999999999", " 1", "+1", "0x2"],
            "--seed": ["", "-1", "1.5", "x", "18446744073709551616", "0x1", " 1"],
            "--set": ["", "D", "=", "D=", "D=nan", "D=nan ms", "D=inf ms", "D=1e999 ms", "D=0 ms", "D=-1 ms", "D=1 km", "D=1", "X=1", "=1 ms", "D=1 ms 1 ms", "N=0.5", "N=1e10",
                      "N=-1", "P=2", "P=-0.1", "P=nan", "R=0 bps", "R=1e300 bps", "Q=0 B", "Q=2 TB", "D=" + "9" * 100000 + " ms", "d=1 ms"],
            "--capture": ["", "=", "left", "left=", "=x", "none=x", "left[300]=x", "left[-1]=x", "left[99999999999999999999]=x", "left[0]>>=x", "core<>=x", ">=x", "left[*]=x",
                          "left[0x1]=x", "core\n=x"],
        }
        for option, values in wrong.items():
            for value in values:
                with self.subTest(option, value=value[:20]):
                    self.refused("simulate", option, value)
                    self.assertEqual(self.left(), [])

    def test_odd_values_that_are_right(self):
        """Slow, fast, tiny and huge: it ends in time, and its results hold no NaN."""
        for words in (["--for", "1 ns"], ["--for", "0.0001ms"], ["--set", "R=1 bps"], ["--set", "R=1000 Tbps"], ["--set", "Q=1 B"], ["--set", "Q=1 TB"], ["--set", "N=0"],
                      ["--set", "N=1000000000"], ["--set", "P=1"], ["--set", "P=1e-300"], ["--set", "D=0.1 ms"], ["--set", "T=1 h"], ["--seed", "0"],
                      ["--seed", "18446744073709551615"], ["--threads", "256"], ["--threads", "2"], ["--set", "D=1e-1 ms"], ["--for", "10 ms"],
                      ["--set", "R=1 bps", "--set", "Q=1 B", "--set", "P=1"]):
            with self.subTest(words):
                tried = self.run_it("simulate", "--results", "r.json", *words, program=str(self.shelf / ("emu" + LEVELS[-1])))
                self.assertEqual(tried.status, 0, tried.said[:400])
                json.loads((self.folder / "r.json").read_text(), parse_constant=lambda c: self.fail(c))

    def test_what_waits_for_ages(self):
        """A few packets that wait for a slow link have departures past what 64 bits of nanoseconds hold: they are dropped."""
        text = """import std.traffic
model M {
  host a
  host b
  router r
  link x: a -- r { rate = 1000 Tbps, mtu = 65535 B, queue = droptail(1 TB) }
  link y: r -- b { rate = 1 bps, mtu = 65535 B, queue = droptail(1 TB) }
  workload w : traffic.Cbr on a { to = b, payload = 65507 B, interval = 1 us }
  run { duration = 30 ms }
}
"""
        (self.folder / "slow.anml").write_text(text)
        for level in LEVELS:
            with self.subTest(level):
                subprocess.run([ANMLC, level, "slow.anml", "-o", "slow"], cwd=self.folder, check=True, capture_output=True)
                self.assertEqual(self.run_it("simulate", "--results", "r.json", program=str(self.folder / "slow")).status, 0)
                self.assertIn('"digest"', (self.folder / "r.json").read_text())

    def test_words(self):
        for words in ([], ["x"], ["simulate", "x"], ["simulate", "--nope"], ["--seed", "1"], ["simulate", "--seed"], ["live"], ["live", "--attach", "server=tap:"],
                      ["live", "--attach", "server=if:" + "x" * 1000], ["live", "--attach", "server=if:../x"], ["live", "--attach", "none=if:lo"], ["live", "--sandbox"],
                      ["live", "--sandbox", "--"], ["live", "--cpu", "99999", "--sandbox", "--", "true"], ["live", "--cpu", "-1", "--sandbox", "--", "true"],
                      ["live", "--cpu", "99999999999", "--sandbox", "--", "true"], ["live", "--cpu", "", "--sandbox", "--", "true"], ["live", "--wait", "0s", "--sandbox", "--", "true"],
                      ["simulate", "live"], ["info", "--documents"], ["info", "--documents", ""], ["--print-completion", "x"], ["simulate", "\xff"],
                      ["--set", "D=1 ms", "simulate"], ["simulate", "--results", ""], ["simulate", "--profile", "--capture", "core=x"]):
            with self.subTest(words):
                self.refused(*words, seconds=20)
                self.assertEqual(self.left(), [])

    def test_places(self):
        (self.folder / "folder").mkdir()
        (self.folder / "circle").symlink_to("circle")
        for path in ("folder", "/dev/full", "no/such", "circle", "x" * 300, "/proc/none", self.program, "/proc/self/exe", self.program + "/x"):
            for words in (["--results", path], ["--capture", f"core={path}"]):
                with self.subTest(words):
                    before = pathlib.Path(self.program).read_bytes()
                    self.refused("simulate", "--for", "60ms", *words)
                    self.assertEqual(self.left(), ["circle", "folder"])
                    self.assertEqual(pathlib.Path(self.program).read_bytes(), before)

    def test_one_file_for_two(self):
        (self.folder / "link").symlink_to("x")
        for words in (["--results", "x", "--capture", "core=x"], ["--results", "x", "--capture", "core=./x"], ["--capture", "core=x", "--capture", f"serve={self.folder}/x"],
                      ["--results", "link", "--capture", "core=x"]):
            with self.subTest(words):
                self.assertIn("twice", self.refused("simulate", *words))
        (self.folder / "x").write_text("old")
        os.link(self.folder / "x", self.folder / "same")
        self.assertIn("twice", self.refused("simulate", "--results", "x", "--capture", "core=same"))
        self.assertEqual((self.folder / "x").read_text(), "old")

    def test_names_that_look_like_others(self):
        self.assertIn("twice", self.refused("simulate", "--for", "20ms", "--capture", "core=-", "--results=-"))
        tried = self.run_it("simulate", "--for", "20ms", "--capture", "core=-")
        self.assertEqual((tried.status, self.left()), (0, ["-"]))
        self.assertNotIn(b"\x4d\x3c\xb2\xa1", tried.printed)
        tried = self.run_it("simulate", "--for", "20ms", "--results=--help")
        self.assertEqual((tried.status, self.left()), (0, ["-", "--help"]))

    def test_no_room(self):
        (self.folder / "r").write_text("old")
        for limit in (0, 100, 5000):
            with self.subTest(limit=limit):
                self.assertIn("File too large", self.refused("simulate", "--for", "60ms", "--results", "r", limits=[(resource.RLIMIT_FSIZE, limit)]))
                self.assertEqual((self.left(), (self.folder / "r").read_text()), (["r"], "old"))
                self.assertIn("File too large", self.refused("simulate", "--for", "60ms", "--capture", "core=c", limits=[(resource.RLIMIT_FSIZE, limit)]))
                (self.folder / "c").unlink(missing_ok=True)

    def test_documents(self):
        self.assertEqual(self.run_it("info", "--documents", "www").status, 0)
        files = [path for path in (self.folder / "www").rglob("*") if path.is_file()]
        self.assertEqual(len(files), 100)
        self.refused("info", "--documents", "/dev/null/x")
        self.refused("info", "--documents", "/proc/x")
        self.refused("info", "--documents", "small", limits=[(resource.RLIMIT_FSIZE, 2000)])
        kept = [path for path in (self.folder / "small").rglob("*") if path.is_file()]
        self.assertTrue(all(path.stat().st_size <= 2000 for path in kept))  # whole ones
        for path in kept:
            self.assertEqual(path.read_bytes(), (self.folder / "www" / path.relative_to(self.folder / "small")).read_bytes())

    def test_signals(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            for after in (0, 0.01, 0.05, 0.3, 1):
                with self.subTest(number.name, after=after):
                    (self.folder / "r").write_text("old")
                    process = subprocess.Popen([self.program, "simulate", "--for", "1000h", "--results", "r", "--capture", "core=c"], cwd=self.folder,
                                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                    time.sleep(after)
                    process.send_signal(number)
                    said = process.communicate(timeout=60)[1]
                    if process.returncode == -number:  # before it listens
                        self.assertEqual((self.folder / "r").read_text(), "old")
                    else:
                        self.assertEqual(process.returncode, status, said)
                        self.assertTrue(json.loads((self.folder / "r").read_text())["interrupted"])
                    self.assertIn(self.left(), (["c", "r"], ["r"]))

    def test_time_that_stands_still(self):
        """Links that take hardly any time, and transfers without end: the run does not come to its next millisecond, and is ended all the same."""
        (self.folder / "still.anml").write_text("""import std.traffic
model M {
  host a[16]
  host b[16]
  link a[*] -- b[*] { rate = 1000 Tbps, queue = droptail(1 MB) }
  workload w : traffic.Bulk on a[*] { to = b[*], start_spread = 0 s }
  run { duration = 1 s }
}
""")
        subprocess.run([ANMLC, "-O0", "still.anml", "-o", "still"], cwd=self.folder, check=True, capture_output=True)
        process = subprocess.Popen([self.folder / "still", "simulate", "--results", "r"], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[1]
        self.assertEqual((process.returncode, said), (143, "error: the run does not come to a point at which it can stop: it is ended without results\n"))
        self.assertEqual(self.left(), ["still", "still.anml"])

    def test_killed(self):
        for step in range(20 if ALL else 5):
            (self.folder / "r").write_text("old")
            process = subprocess.Popen([self.program, "simulate", "--for", "20ms", "--results", "r"], cwd=self.folder, stdout=subprocess.DEVNULL)
            time.sleep(0.02 * step)
            process.kill()
            process.wait()
            self.assertEqual(self.left(), ["r"])
            text = (self.folder / "r").read_text()
            if text != "old":
                json.loads(text)

    def test_pipes(self):
        """Who reads may go."""
        done = subprocess.run(f'"{self.program}" simulate --for 20ms --results r.json | true; test -s r.json', shell=True, cwd=self.folder)
        self.assertEqual(done.returncode, 0)
        os.mkfifo(self.folder / "pipe")

        def read_a_little():
            with open(self.folder / "pipe", "rb", buffering=0) as pipe:
                pipe.read(24)

        reader = threading.Thread(target=read_a_little)
        reader.start()
        self.assertIn("pipe is incomplete: Broken pipe", self.refused("simulate", "--for", "1s", "--results", "r", "--capture", "core=pipe", "--capture", "left[0]=c"))
        reader.join()
        self.assertIn('"digest"', (self.folder / "r").read_text())
        for words in (["info"], ["--help"], ["--version"], ["simulate", "--for", "10ms"], ["--print-man"], ["info", "--json"]):
            with self.subTest(words), open("/dev/full", "w") as full:
                self.assertIn("cannot write to standard output", self.refused(*words, stdout=full))

    def test_little_of_everything(self):
        for which, values in ((resource.RLIMIT_NOFILE, (3, 4, 5, 6)), (resource.RLIMIT_STACK, (64 << 10, 128 << 10)),
                              (resource.RLIMIT_AS, () if SANITIZED else (10 * MIB, 20 * MIB, 40 * MIB, 80 * MIB, 160 * MIB)), (resource.RLIMIT_NPROC, (1,))):
            for value in values:
                for words in (["simulate", "--for", "50ms", "--results", "r", "--threads", "1"], ["simulate", "--for", "50ms", "--threads", "4"], ["info"]):
                    with self.subTest(which=which, value=value, words=words[-1]):
                        more = {"user": 65534, "group": 65534, "extra_groups": []} if which == resource.RLIMIT_NPROC and os.geteuid() == 0 else {}
                        if more:
                            self.shelf.chmod(0o755)
                            self.folder.chmod(0o777)
                        tried = attempt([self.program, *words], cwd=self.folder, memory=None, limits=[(which, value)], seconds=60, **more)
                        if tried.status == 127 or "error while loading shared libraries" in tried.said:
                            continue
                        self.assertEqual(tried.fault, "", tried.said[:400])
                        self.assertIn(self.left(), ([], ["r"]))


if __name__ == "__main__":
    unittest.main()
