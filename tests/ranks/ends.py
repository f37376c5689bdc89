#!/usr/bin/env python3
"""How runs on several ranks end otherwise: a rank that is killed, Ctrl-C, models or options that differ, no plugin.

Each ends soon, with a message that says whose fault it is and a status that is not 0; Ctrl-C keeps the results so far.
Options: --anmlc PATH, --mpirun PATH.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
LONGEST = 30  # seconds that an end may take, by far
OPTIONS = argparse.Namespace()
# Two subnets that talk: something crosses all the time.
MODEL = """
import std.traffic
model Chain(name: int in 1 .. 2 = 1) {
  profile wire : Link { rate = 100 Mbps, delay = 1 ms }
  router gateway[6]
  host   here[6]
  for i in 0 ..< 5 { link hop[i]: gateway[i] -- gateway[i + 1] : wire }
  link edge: here[*] -- gateway[*] : wire
  for i in 0 ..< 3 {
    workload stream[i]: traffic.Cbr on here[i] { to = here[5 - i], rate = 40 Mbps, payload = name * 100 B }
  }
  run { duration = 100000 s }
}
"""


def catches(process):
    """Whether it has a handler for SIGALRM, as it has from the beginning of its run on, beside those for what ends it."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16) >> (signal.SIGALRM - 1) & 1 == 1


def finish(process, seconds=LONGEST):
    out, error = process.communicate(timeout=seconds)
    return process.returncode, out, error


class Ends(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="anml-ranks-")
        cls.folder = pathlib.Path(cls.place.name)
        (cls.folder / "chain.anml").write_text(MODEL)
        for name, words in (("emu", ["--mpi"]), ("other", ["--mpi", "-Dname=2"]), ("plain", [])):
            subprocess.run([OPTIONS.anmlc, "-O0", cls.folder / "chain.anml", "-o", cls.folder / name, *words], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def start(self, *words):
        return subprocess.Popen([OPTIONS.mpirun, "--oversubscribe", *(str(word) for word in words)], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)

    def ranks_of(self, mpirun, count):
        """Ids of the emulators that it started, once they run."""
        for _ in range(800):
            time.sleep(0.05)
            children = pathlib.Path(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children")
            ids = []
            for thread in pathlib.Path(f"/proc/{mpirun.pid}/task").iterdir():
                ids += [int(word) for word in (thread / "children").read_text().split()]
            emulators = [id for id in ids if pathlib.Path(f"/proc/{id}/exe").resolve().name == "emu"]
            if len(emulators) == count and all(map(catches, emulators)):
                time.sleep(1)  # they run
                return sorted(emulators)
        self.fail(f"{children} has no {count} emulators")

    def test_a_rank_that_is_killed(self):
        for victim in (0, 2):
            mpirun = self.start("-np", 3, self.folder / "emu", "simulate", "--mpi", "--results", self.folder / "k.json")
            os.kill(self.ranks_of(mpirun, 3)[victim], signal.SIGKILL)
            status, _, error = finish(mpirun)
            self.assertNotEqual(status, 0)
            self.assertRegex(error, "rank [0-9].*signal 9")
            self.assertFalse((self.folder / "k.json").exists())

    def test_ctrl_c_keeps_the_results_so_far(self):
        results = self.folder / "interrupted.json"
        mpirun = self.start("-np", 2, self.folder / "emu", "simulate", "--mpi", "--results", results)
        self.ranks_of(mpirun, 2)
        mpirun.send_signal(signal.SIGINT)
        status, out, _ = finish(mpirun)
        self.assertNotEqual(status, 0)
        got = json.loads(results.read_text())
        self.assertTrue(got["interrupted"])
        self.assertEqual(len(got["ranks"]), 2)
        # The model is one task: a rank has nothing to do.
        self.assertRegex(out, r"ranks +waited for each other for \d+ % of the time, rank 0 for (9\d|100) %")
        waited = [rank["waited_seconds"] / got["wall_seconds"] for rank in got["ranks"]]
        self.assertGreater(max(waited), 0.9)
        self.assertLess(max(waited), 1.01)
        self.assertLess(min(waited), 0.5)
        self.assertIn("2 ranks", out)

    def test_a_rank_that_is_told_to_end(self):
        """By its own machine, that shuts down, say: the run ends everywhere, and keeps the results so far."""
        for victim, number, status in ((1, signal.SIGTERM, 143), (2, signal.SIGINT, 130)):
            results = self.folder / "told.json"
            mpirun = self.start("-np", 3, self.folder / "emu", "simulate", "--mpi", "--results", results)
            os.kill(self.ranks_of(mpirun, 3)[victim], number)
            got, _, error = finish(mpirun, 8)
            self.assertEqual(got, status, error)
            self.assertTrue(json.loads(results.read_text())["interrupted"])
            results.unlink()

    def test_one_that_waits_for_the_others_says_so(self):
        late = ["sh", "-c", 'sleep 1; exec "$0" simulate --mpi --for 10ms', self.folder / "emu"]
        mpirun = self.start("-np", 1, *late, ":", "-np", 1, "sleep", 20)
        _, out, error = finish(mpirun)
        self.assertIn("waits for the other processes that mpirun has started: all need --mpi", out + error)

    def test_ranks_that_differ(self):
        short = ["simulate", "--mpi", "--for", "10ms"]
        for second, text in (([self.folder / "other", *short], "runs another model than rank 0, or one with other values\n"),
                             ([self.folder / "emu", *short, "--seed", 2], "has other options than rank 0: `--seed 2`, and rank 0 nothing there\n"),
                             ([self.folder / "emu", *short[:-1], "20ms"], "has other options than rank 0: `--for 20ms`, and rank 0 `--for 10ms`\n")):
            mpirun = self.start("-np", 1, self.folder / "emu", *short, ":", "-np", 1, *second)
            status, out, error = finish(mpirun)
            self.assertEqual(status, 1)
            self.assertIn("error: rank 1 " + text, error + out)
            self.assertNotIn("digest", out)

    def test_copies_are_told_of_once(self):
        mpirun = self.start("-np", 3, self.folder / "plain", "simulate", "--for", "10ms")
        status, out, error = finish(mpirun)
        self.assertEqual(status, 0, error)
        self.assertEqual((error + out).count("warning: this is one of 3 processes that each run the whole model"), 1)
        self.assertEqual(out.count("digest"), 3)
        mpirun = self.start("-np", 1, self.folder / "plain", "simulate", "--for", "10ms")
        status, out, error = finish(mpirun)
        self.assertNotIn("warning", error + out)

    def test_what_is_of_one_process(self):
        for words in (["--profile"], ["--capture", "edge[0]=x.pcap"]):
            done = subprocess.run([self.folder / "emu", "simulate", "--mpi", *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"error: {words[0]} is of one process, and --mpi of several", done.stderr)

    def test_an_error_is_said_once(self):
        mpirun = self.start("-np", 3, self.folder / "emu", "simulate", "--mpi", "--results", "/nowhere/x.json")
        status, out, error = finish(mpirun)
        self.assertEqual(status, 1)
        self.assertEqual((error + out).count("error: cannot write /nowhere/x.json"), 1)

    def test_an_emulator_that_does_not_know_the_plugin(self):
        done = subprocess.run([self.folder / "plain", "simulate", "--mpi"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: --mpi: the plugin cannot be loaded: libanml_mpi.so", done.stderr)
        self.assertIn("anmlc --mpi", done.stderr)

    def test_a_plugin_of_another_version(self):
        source = self.folder / "plugin.c"
        source.write_text("const unsigned anml_mpi_plugin[16] = {999};\n")
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", self.folder / "libanml_mpi.so"], check=True)
        done = subprocess.run([self.folder / "plain", "simulate", "--mpi"], capture_output=True, text=True,
                              env={**ENVIRONMENT, "LD_LIBRARY_PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("error: --mpi: libanml_mpi.so is of another version than this emulator", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--anmlc", default=HERE.parents[1] / "build/release/bin/anmlc")
    parser.add_argument("--mpirun", default="mpirun")
    OPTIONS, rest = parser.parse_known_args(namespace=OPTIONS)
    unittest.main(argv=[sys.argv[0], *rest])
