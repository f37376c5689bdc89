"""Runs of several processes of MPI, started from Python."""
import os
import shutil
import time
import unittest
from unittest import mock

import anml

PROGRAM = """
import std.ether
import std.web

model Small(n: int = 4, tunable D: time in 1 ms .. 1 s = 5 ms, duration: time = 4 s) {
  endpoint server { simulated = web.server() }
  router r
  router s
  host pc[n]
  link server -- r : ether.fast { delay = D }
  link r -- s : ether.fast { delay = D }
  link pc[*] -- s : ether.fast
  workload surf : web.ClosedLoop on pc[*] { server = server, documents = web.fixed(1 KB), think = 5 ms }
  run { duration = duration }
}
"""
# As root, and with more processes than processors, Open MPI starts nothing by itself. What it leaves allocated at its end is
# its own: a sanitized emulator reports all else.
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "LSAN_OPTIONS": "detect_leaks=0"}


@unittest.skipUnless(shutil.which("mpirun"), "not installed: mpirun")
class Mpi(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.dict(os.environ, ENVIRONMENT)
        patch.start()
        self.addCleanup(patch.stop)

    def test_is_the_run_of_one_process(self):
        emulator = anml.compile_text(PROGRAM, level=0, mpi=True)
        together, alone = emulator.run(mpi=2, threads=1, D="9 ms"), emulator.run(threads=1, D="9 ms")
        self.assertEqual(len(together["ranks"]), 2)
        self.assertEqual(together.digest, alone.digest)
        self.assertEqual(together["transactions"], alone["transactions"])

    def test_what_is_not_compiled_for_it(self):
        emulator = anml.compile_text(PROGRAM, level=0)
        with self.assertRaises(anml.RunError) as caught:
            emulator.run(mpi=2)
        self.assertIn("--mpi: the plugin cannot be loaded", str(caught.exception))

    def test_a_time_limit_ends_all_processes(self):
        emulator = anml.compile_text(PROGRAM, level=0, mpi=True, duration="10000 h")
        with self.assertRaises(Exception) as caught:
            emulator.run(mpi=2, timeout=2)
        self.assertEqual(type(caught.exception).__name__, "TimeoutExpired")
        end = time.monotonic() + 20
        while running := [pid for pid in os.listdir("/proc") if pid.isdigit() and _program(pid) == str(emulator.path)]:
            self.assertLess(time.monotonic(), end, running)
            time.sleep(0.1)

    def test_without_mpirun(self):
        emulator = anml.compile_text(PROGRAM, level=0, mpi=True)
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}), self.assertRaises(FileNotFoundError) as caught:
            emulator.run(mpi=2)
        self.assertIn("mpirun is not on the PATH", str(caught.exception))


def _program(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


if __name__ == "__main__":
    unittest.main()
