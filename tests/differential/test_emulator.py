"""A generated emulator as a program: alone in an empty folder, interrupted, asked for the impossible."""
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import time
import unittest

import jsonschema

from emulators import ANMLC, ROOT, WAN, EmulatorTest, run

ALLOWED_LIBRARIES = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
SCHEMA = json.loads((ROOT / "docs/results.schema.json").read_text())


def sanitized():
    return b"__asan_init" in pathlib.Path(ANMLC).read_bytes()


class Program(EmulatorTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = EmulatorTest("setUp")
        cls.shared.setUp()
        cls.emulator = cls.shared.compile(WAN, "-D", "N=2", "-D", "H=2")

    @classmethod
    def tearDownClass(cls):
        cls.shared.doCleanups()

    def refused(self, *arguments, code=2):
        before = set(self.folder.iterdir())
        done = run(self.emulator, *arguments, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(set(self.folder.iterdir()), before, "something is left behind")
        return done.stderr

    def test_it_needs_nothing(self):
        alone = self.folder / "emu"
        shutil.copy(self.emulator, alone)
        done = run("./emu", "simulate", "--for", "6s", cwd=self.folder, env={})
        self.assertIn("transactions", done.stdout)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("\x1b", done.stdout)
        if not sanitized():
            libraries = {os.path.basename(line.split()[0]) for line in run("ldd", alone).stdout.splitlines()}
            self.assertLessEqual(libraries, ALLOWED_LIBRARIES)

    def test_what_takes_longer_than_a_second_is_said(self):
        """At a terminal, while it is so."""
        begun, said = time.monotonic(), b""
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(ANMLC, [ANMLC, "-O2", str(ROOT / "examples/capacity/capacity.anml"), "-o", str(self.folder / "emu")])
        while True:
            try:
                said += os.read(terminal, 4096)
            except OSError:
                break
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0, said)
        passed = time.monotonic() - begun
        if passed > 1.5:
            self.assertIn(b"optimising the event loop for this model (-O0: at once, for a slower emulator)\r\x1b[K", said)
        elif passed < 1:
            self.assertNotIn(b"optimising", said)

    def test_results_follow_their_schema(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        results = self.simulate(self.emulator, "--for", "6s", "--set", "D=2ms", "--seed", "3")
        jsonschema.validate(results, SCHEMA)
        self.assertEqual(results["verdict"], "simulated")
        self.assertEqual(results["seed"], 3)
        self.assertEqual(results["parameters"]["D"], {"text": "2 ms", "value": 2e6, "tunable": True})
        self.assertEqual(results["window"], {"begin": 5, "end": 6, "measured_seconds": 1, "warmup": 5, "whole_run": False})
        self.assertEqual(results["simulated_seconds"], 6)
        self.assertEqual(len(results["series"]["completed"]), 6)
        self.assertEqual(results["series"]["completed"][5], results["transactions"]["completed"])
        self.assertEqual(results["transactions"]["per_second"], results["transactions"]["completed"])
        self.assertIsNotNone(results["response_time_seconds"]["median"])

    def test_a_profile_says_whether_more_processors_help(self):
        emulator = self.compile(WAN, "-D", "N=4", "-D", "H=16", "--tasks", 3)
        plain = self.simulate(emulator, "--for", "6s")
        self.assertIsNone(plain["profile"])
        for threads in (1, 2):
            results = self.simulate(emulator, "--for", "6s", "--threads", threads, "--profile")
            jsonschema.validate(results, SCHEMA)
            profile = results["profile"]
            self.assertEqual(results["digest"], plain["digest"])
            self.assertEqual(sum(task["events"] for task in profile["tasks"]), results["events"])
            self.assertEqual(len(profile["tasks"]), results["tasks"])
            self.assertGreater(sum(c["messages"] for c in profile["channels"]), 1000)
            self.assertEqual([s["processors"] for s in profile["speed_ups"]], [2, 4, 8, 64])
            self.assertGreater(profile["speed_ups"][1]["factor"], 1)
            self.assertLessEqual(profile["speed_ups"][3]["factor"], 3)
        text = run(emulator, "simulate", "--for", "6s", "--profile").stdout
        self.assertIn("null messages", text)
        self.assertIn("critical path", text)

    def test_a_profile_of_one_task_says_so(self):
        emulator = self.compile(WAN, "-D", "N=2", "-D", "H=2", "--tasks", 1)
        text = run(emulator, "simulate", "--for", "6s", "--profile").stdout
        self.assertIn("none possible: the model is one task; anmlc --tasks N divides it", text)
        profile = self.simulate(emulator, "--for", "6s", "--profile")["profile"]
        self.assertEqual(profile["channels"], [])

    def test_every_key_is_documented(self):
        text = (ROOT / "docs/results.md").read_text()

        def keys(schema):
            for name, value in schema.get("properties", {}).items():
                yield name
                yield from keys(value)
            if isinstance(schema.get("items"), dict):
                yield from keys(schema["items"])
            for value in schema.get("definitions", {}).values():
                yield from keys(value)
            if isinstance(schema.get("additionalProperties"), dict):
                yield from keys(schema["additionalProperties"])

        missing = [key for key in keys(SCHEMA) if f"`{key}`" not in text and f".{key}`" not in text]
        self.assertEqual(missing, [])

    def test_the_readme_shows_a_model_that_meets_its_thresholds(self):
        model, = re.findall(r"^```anml\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
        results = self.simulate(self.compile(model))
        self.assertEqual([one["met"] for one in results["thresholds"]], [True, True])
        self.assertEqual(results["transactions"]["failed"], 0)

    def test_a_run_within_the_warmup_counts_whole(self):
        results = self.simulate(self.emulator, "--for", "2s")
        self.assertEqual(results["window"], {"begin": 0, "end": 2, "measured_seconds": 2, "warmup": 0, "whole_run": True})
        self.assertGreater(results["transactions"]["completed"], 0)
        self.assertIn("the warm-up included", run(self.emulator, "simulate", "--for", "2s").stdout)

    def test_few_samples_give_no_percentiles(self):
        results = self.simulate(self.emulator, "--for", "12ms")
        self.assertGreater(results["response_time_seconds"]["samples"], 0)
        for name in ("median", "p95", "p99"):
            self.assertIsNone(results["response_time_seconds"][name])
        self.assertIn("too few for", run(self.emulator, "simulate", "--for", "12ms").stdout)

    def test_interrupted_runs_write_their_results(self):
        for how, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            results = self.fresh("results.json")
            process = subprocess.Popen([self.emulator, "simulate", "--for", "1000 h", "--results", results],
                                       stdout=subprocess.PIPE, text=True)
            time.sleep(1.5)
            process.send_signal(how)
            output, _ = process.communicate(timeout=30)
            self.assertEqual(process.returncode, code)
            self.assertIn("interrupted", output)
            figures = json.loads(results.read_text())
            jsonschema.validate(figures, SCHEMA)
            self.assertTrue(figures["interrupted"])
            self.assertLess(figures["simulated_seconds"], 3.6e6)
            self.assertAlmostEqual(figures["window"]["measured_seconds"], figures["simulated_seconds"] - 5, places=6)
            rate = figures["transactions"]["completed"] / figures["window"]["measured_seconds"]
            self.assertAlmostEqual(figures["transactions"]["per_second"], rate, places=6)

    def test_help_describes_the_model(self):
        text = run(self.emulator, "--help").stdout
        for part in ("Wan: The WAN of the paper's Figure 4", "D            time, 100 us .. 1 s, default 1 ms", "N = 2",
                     "server       10.0.0.80; simulated: web.Server on port 80, ", " service 1.8 ms, ", "browse", "simulate",
                     "live", "info"):
            self.assertIn(part, text)

    def test_info_lists_the_nodes(self):
        info = json.loads(run(self.emulator, "info", "--json").stdout)
        nodes = {node["name"]: node for node in info["nodes"]}
        self.assertEqual(nodes["net[1].client"]["count"], 2)
        self.assertRegex(nodes["net[1].client"]["address"], r"^10\.\d+\.\d+\.\d+/\d+$")
        self.assertEqual(nodes["server"]["address"], "10.0.0.80/32")
        self.assertEqual(nodes["net[0].gateway"]["kind"], "router")
        self.assertIn("net[1].client", run(self.emulator, "info").stdout)

    def test_bad_command_lines(self):
        self.assertIn("a command is missing", self.refused())
        self.assertIn("did you mean `simulate`", self.refused("simulat"))
        self.assertIn("has no unit", self.refused("simulate", "--for", "3"))
        self.assertIn("is a size, not a time", self.refused("simulate", "--set", "D=4 KB"))
        self.assertIn("is outside 100 us .. 1 s", self.refused("simulate", "--set", "D=2s"))
        self.assertIn("no such tunable", self.refused("simulate", "--set", "X=2s"))
        self.assertIn("compile the model again with -D N=4", self.refused("simulate", "--set", "N=4"))
        self.assertIn("no such link; did you mean `entry`?", self.refused("simulate", "--capture", "entri=x.pcap"))
        self.assertIn("cannot write", self.refused("simulate", "--results", "no/such/folder/r.json", code=1))
        self.assertIn("cannot write", self.refused("simulate", "--capture", "entry=no/such/folder/e.pcap", code=1))
        self.assertIn("would be written twice", self.refused("simulate", "--results", "x", "--capture", "entry=x"))
        self.assertIn("live needs a real host", self.refused("live"))
        self.assertIn("no endpoint is called `sever`; did you mean `server`?", self.refused("live", "--attach", "sever=if:x"))

    def test_requirements_are_checked_with_the_tunables(self):
        error = self.refused("simulate", "--set", "D=600ms", code=1)
        self.assertIn("the farthest client is out of range", error)
        self.assertRegex(error, r"wan\.anml:\d+:\d+")

    def test_a_workload_needs_a_server(self):
        text = WAN.read_text().replace(", simulated = web.server(service = 1.8 ms)", "")
        done = run(self.compile(text, "-D", "N=1", "-D", "H=1"), "simulate", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("workload `browse` asks `server`, which has no simulated server", done.stderr)

    def test_a_port_where_nobody_listens(self):
        text = WAN.read_text().replace("simulated = web.server(", "simulated = web.server(port = 8080, ")
        results = self.simulate(self.compile(text, "-D", "N=1", "-D", "H=1"))
        [workload] = results["workloads"]
        self.assertEqual(workload["transactions"]["completed"], 0)
        self.assertGreater(workload["transactions"]["failed"], 0)
        self.assertEqual(workload["transactions"]["failed_by_cause"]["reset"], workload["transactions"]["failed"])


if __name__ == "__main__":
    unittest.main()
