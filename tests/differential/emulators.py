"""Compiles models and runs the emulators, for the tests of simulated runs."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import batch

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A build with sanitizers takes ten times as long: what is only larger than something else is left to the others.
SANITIZED = "ANML_SANITIZED" in os.environ
# All that there is to try (scripts/test --all), and not only what shows every construct.
ALL = "ANML_ALL" in os.environ
# That both tiers send the same packets, test_tiers.py shows of every construct. Compiling at -O2 takes 30 times as long as at -O0: other
# tests do it with their own models where all is tried.
TIERS = ("-O0", "-O2") if ALL else ("-O0",)
OTHER_TIER = TIERS[-1]
# Graphs of real networks: the repository's samples, and those of the folders in $ANML_GRAPHS.
GRAPHS = sorted(path for folder in [ROOT / "tests/data/graphs", *map(pathlib.Path, os.environ.get("ANML_GRAPHS", "").split())]
                for path in folder.rglob("*") if path.suffix in (".gml", ".graphml", ".json")
                and (path.stat().st_size < 40_000 or not SANITIZED))
ANMLC = os.environ.get("ANMLC", str(ROOT / "build/release/bin/anmlc"))
WAN = ROOT / "examples/paper-wan/wan.anml"


def run(*command, timeout=600 if SANITIZED else 120, check=True, **options):
    """Runs a command; the completed process, its output as text."""
    command = [str(word) for word in command]
    if command[0] == ANMLC and batch.WANTED and options.keys() <= {"cwd", "input"}:
        done = batch.run(ANMLC, command[1:], timeout, **options)
    else:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} exited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def asks_real_servers(network):
    """Whether a web workload of this network (--emit=network) asks an endpoint that no simulated server stands for."""
    alone = {e["node"] for e in network["endpoints"] if e["server"] is None}
    return any(peer["node"] in alone for w in network["workloads"] if w["documents"] for peer in w["peers"])


# What may differ between two runs of one scenario.
VOLATILE = ("command", "started", "wall_seconds", "cpu_seconds", "parameters", "threads", "tasks")


def essence(results):
    return {key: value for key, value in results.items() if key not in VOLATILE}


# Preloaded.
WAITS = r"""
#include <string.h>
#include <time.h>
#include <unistd.h>
__attribute__((constructor)) static void wait_first(void)
{
    char program[4096] = "";
    const struct timespec wait = {(time_t)SECONDS, (long)((SECONDS - (time_t)SECONDS) * 1000000000)};
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0 && strstr(program, "/emulators/")) nanosleep(&wait, 0);
}
"""


class EmulatorTest(unittest.TestCase):
    """A test with a scratch folder, in which it compiles and runs."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-test-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.made = 0

    def fresh(self, name):
        self.made += 1
        return self.folder / f"{self.made}-{name}"

    quick = True  # compiled without optimisation, unless told: both tiers come to the same digests (test_tiers.py)

    def compile(self, model, *options):
        """The emulator of a model: a path, or the model's text."""
        if not isinstance(model, pathlib.Path):
            text, model = model, self.fresh("model.anml")
            model.write_text(text)
        emulator = self.fresh("emu")
        if self.quick and not any(str(option).startswith("-O") for option in options):
            options = ("-O0", *options)
        run(ANMLC, model, *options, "-o", emulator)
        return emulator

    def however_it_is_run(self, text, *keys):
        """The results' digest and figures of these keys, alike for every number of tasks and threads; and the last emulator."""
        expected = None
        for tasks in (1, 4):
            emulator = self.compile(text, "--tasks", tasks)
            for threads in (1, 2, 4):
                found = self.simulate(emulator, "--threads", threads)
                figures = tuple(found[key] for key in ("digest", *keys))
                expected = expected or figures
                self.assertEqual(figures, expected, f"{tasks} tasks, {threads} threads")
        return expected, emulator

    def either_tier_has(self, text, digest, workloads):
        """The optimised tier comes to this digest and these figures of workloads, too: where all is tried."""
        for level in TIERS[1:]:
            results = self.simulate(self.compile(text, level))
            self.assertEqual((results["digest"], results["workloads"]), (digest, workloads), level)

    def waiting(self, seconds, environment=os.environ):
        """An environment in which every emulator of an experiment waits for so long before it begins: runs last, and take no processor."""
        library = self.fresh("waits.so")
        run("cc", "-shared", "-fPIC", "-x", "c", "-", f"-DSECONDS={seconds}", "-o", library, input=WAITS)
        return dict(environment, LD_PRELOAD=str(library))

    def simulate(self, emulator, *options, thresholds=True):
        """The results of a simulated run; one that meets its `thresholds`, or not."""
        results = self.fresh("results.json")
        done = run(emulator, "simulate", "--results", results, *options, check=thresholds)
        self.assertIn(done.returncode, (0, 99), done.stderr)
        return json.loads(results.read_text())
