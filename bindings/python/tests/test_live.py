"""`anml.live`: a run with a real server in a sandbox, watched, changed and ended. Needs no root."""
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

import anml

PROGRAM = """
import std.ether
import std.web

model Small(tunable D: time in 1 ms .. 1 s = 5 ms) {
  endpoint server { address = 10.0.0.80 }
  router r
  host pc[3]
  link entry: r -- server : ether.fast { delay = D }
  link edge: pc[*] -- r : ether.fast
  workload surf : web.ClosedLoop on pc[*] { server = server, documents = web.fixed(1 KB), think = 50 ms }
  run { duration = 60 s }
}
"""


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.emulator = anml.compile_text(PROGRAM, level=0)
        cls.folder = tempfile.TemporaryDirectory(prefix="anml-www-")
        cls.www = pathlib.Path(cls.folder.name)
        (cls.www / "1024").write_bytes(b"x" * 1024)
        cls.server = [sys.executable, "-m", "http.server", "80", "--bind", "10.0.0.80", "--directory", str(cls.www)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_watched_and_changed(self):
        with anml.live(self.emulator, sandbox={"server": self.server}, D="6 ms") as run:
            state = run.state()
            self.assertEqual([link["name"] for link in state["links"]], ["entry", "edge"])
            self.assertEqual(state["tunables"], [{"name": "D", "value": "6 ms"}])
            self.assertTrue(any(one["completed"] > 10 for one in run.watch("entry")))  # as soon as the server serves
            at = run.change("entry", delay=20 * anml.ms, loss=1 * anml.percent)
            self.assertGreater(at, 0)
            self.assertGreaterEqual(run.pause("surf"), at)
            run.start("surf")
            run.load("surf", active=50 * anml.percent)
            self.assertGreater(run.set(D=7 * anml.ms), at)
            run.down("entry"), run.up("entry")
            with self.assertRaisesRegex(anml.RunError, "no such link"):
                run.down("nowhere")
            with self.assertRaises(ValueError):
                run.change("entry")
            capture = self.www / "entry.pcapng"
            run.capture(capture, "entry", seconds=1)
            self.assertEqual(capture.read_bytes()[:4], b"\n\r\r\n")
        results = run.results
        self.assertTrue(results["interrupted"])
        self.assertGreater(results["transactions.completed"], 10)
        self.assertEqual([change["what"] for change in results["changes"]][:2], ["link entry delay=20 ms,loss=1 %", "workload surf stop"])
        self.assertEqual(results["parameters.D.text"], "6 ms")

    def test_to_its_end(self):
        run = anml.live(self.emulator, sandbox={"server": self.server}, duration=3 * anml.s)
        results = run.wait(60)
        self.assertFalse(results["interrupted"])
        self.assertEqual(results["mode"], "live")
        self.assertIs(run.stop(), results)
        self.assertIn("transactions", run.said())

    def test_the_first_of_two_processes(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            place = "127.0.0.1:%d" % free.getsockname()[1]
        other = subprocess.Popen([self.emulator.path, "live", "--join", place, "--own", "pc", "--for", "4s", "--control", "none"],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            with anml.live(self.emulator, sandbox={"server": self.server}, duration=4 * anml.s, options=["--listen", place]) as run:
                with self.assertRaisesRegex(anml.RunError, "several processes"):
                    run.pause("surf")
                results = run.wait(60)
            said = other.communicate(timeout=20)[0]
        finally:
            other.kill()
            other.wait()
        self.assertEqual(other.returncode, 0, said)
        self.assertEqual([process["nodes"] for process in results["live.processes"]], [1, 4])
        self.assertGreater(results["transactions.completed"], 10)

    def test_what_does_not_begin(self):
        with self.assertRaisesRegex(anml.RunError, "nowhere"):
            anml.live(self.emulator, sandbox={"nowhere": "true"})
        with self.assertRaises(ValueError):
            anml.live(self.emulator)


if __name__ == "__main__":
    unittest.main()
