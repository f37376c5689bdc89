"""Points that share a beginning against their own runs: simulate --points, and experiments with and without sharing."""
import functools
import itertools
import json
import os
import signal
import subprocess
import time

from emulators import ANMLC, ROOT, TIERS, EmulatorTest, run

# What a run costs, and when and how it was called.
OF_THE_RUN = ("command", "started", "wall_seconds", "cpu_seconds", "shared")

# Two ways, TCP over a lossy one that fails, a threshold, and workloads that change.
FAILING = """
import std.web
import std.traffic

model Failing(
  tunable bad: ratio in 0 .. 30 % = 0, tunable fails: time in 0 s .. 12 s = 6 s, tunable lasts: time in 1 ms .. 4 s = 1 s,
  tunable crowd: number in 0 .. 10 = 1, tunable pace: rate in 1 Kbps .. 10 Mbps = 1 Mbps,
  tunable bound: time in 1 ms .. 1 min = 1 min, tunable slow: rate in 1 Mbps .. 100 Mbps = 20 Mbps,
) {
  endpoint shop { simulated = web.server(service = exponential(1 ms)) }
  host client[6]
  host other
  router a
  router b
  link client[*] -- a { rate = 100 Mbps, delay = 1 ms }
  link other -- a { rate = 10 Mbps, delay = 1 ms }
  link near: a -- b { rate = 20 Mbps, delay = 2 ms, queue = droptail(30 KB), loss = 0.1 % }
  link far: a -- b { rate = 10 Mbps, delay = 9 ms, cost = 50 }
  link b -- shop { rate = 1 Gbps, delay = 1 ms }
  workload browse : web.OpenLoop on client[*] { server = shop, documents = web.fixed(20 KB), interval = exponential(60 ms) }
  workload voice : traffic.Cbr on other { to = shop, rate = 1 Mbps }
  from fails to fails + lasts { near down }
  at 5 s { near { loss = bad, rate = slow } }
  ramp from 7 s to 9 s every 0.5 s { voice { rate = 1 Mbps .. pace } }
  from 8 s to 8 s + lasts { browse { load = crowd } }
  at 10 s { voice off, browse { active = 50 % } }
  require p95(browse) < bound
  run { duration = 12 s, warmup = 2 s }
}
"""

# Sizes and losses by formulas, links that have no impairment before, a queue's discipline, fluid beside.
DRAWN = """
import std.web
import std.traffic
import std.loss

model Drawn(tunable shape: number in 1 .. 3 = 1.5, tunable from_when: time in 0 s .. 20 s = 4 s, tunable shakes: time in 0 s .. 50 ms = 5 ms,
  tunable often: time in 0.5 s .. 20 s = 5 s, tunable until: time in 1 s .. 20 s = 8 s, tunable room: size in 3 KB .. 1 MB = 20 KB) {
  endpoint shop { simulated = web.server() }
  host client[4]
  router r
  host sink
  link edge: client[*] -- r { rate = 20 Mbps, delay = 3 ms }
  link core: r -- shop { rate = 10 Mbps, delay = 5 ms, queue = droptail(64 KB) }
  link r -- sink { rate = 10 Mbps, delay = 1 ms }
  workload get : web.ClosedLoop on client[*] { server = shop, documents = web.fixed(30 KB), think = SIZES }
  workload flood : traffic.Bulk on client[0] { to = sink, size = 0 B }
  from from_when to from_when + 3 s { core { loss = loss.bursts(2 %, length = 5), jitter = exponential(shakes) } }
  every often from 2 s to until { edge[0] { rate = 5 Mbps }, core { queue = droptail(room) } }
  at 6 s { edge[1] { delay = shakes } }
  run { duration = 10 s }
}
"""


def figures(results):
    return {key: value for key, value in results.items() if key not in OF_THE_RUN}


class WhatIfs(EmulatorTest):
    def points(self, emulator, points, *options, jobs=2, check=True):
        """What --points says of each, and its results; each point is a list of options."""
        lines = []
        folder = self.fresh("points")
        folder.mkdir()
        for number, arguments in enumerate(points):
            lines.append(json.dumps({"arguments": [*map(str, arguments), "--results", f"{folder}/{number}.json"],
                                     "log": f"{folder}/{number}.log"}))
        (folder / "points").write_text("\n".join(lines) + "\n")
        done = run(emulator, "simulate", "--points", folder / "points", "--jobs", jobs, *options, check=False, timeout=600)
        said = {}
        for line in map(json.loads, done.stdout.splitlines()):
            self.assertNotIn(line["point"], said)
            said[line["point"]] = line
        if check:
            self.assertEqual(set(said), set(range(len(points))), done.stderr)
            self.assertEqual(done.stderr, "")
        return done, said, folder

    @functools.cache
    def own_run(self, emulator, *arguments):
        file = self.fresh("own.json")
        return file, run(emulator, "simulate", "--threads", 1, *arguments, "--results", file, check=False)

    def equals_own_runs(self, emulator, points, jobs=2):
        done, said, folder = self.points(emulator, points, jobs=jobs)
        shared = []
        for number, arguments in enumerate(points):
            own_file, own = self.own_run(str(emulator), *map(str, arguments))
            self.assertEqual(own.returncode, said[number]["status"], (arguments, own.stderr))
            if own.returncode not in (0, 99):
                self.assertFalse((folder / f"{number}.json").exists())
                self.assertEqual((folder / f"{number}.log").read_text(), own.stderr)
                continue
            found = json.loads((folder / f"{number}.json").read_text())
            expected = json.loads(own_file.read_text())
            self.assertEqual(figures(found), figures(expected), arguments)
            self.assertNotIn("shared", expected)
            shared.append(found.get("shared"))
            if own.stderr:
                self.assertIn(own.stderr, (folder / f"{number}.log").read_text())
        return shared

    def test_failures_losses_and_loads(self):
        emulator = self.compile(FAILING)
        for jobs in (1, 3):
            points = [["--set", f"bad={bad}", "--set", f"fails={fails}", "--set", f"lasts={lasts}", "--batches", 10]
                      for bad, fails, lasts in itertools.product(("0", "5%", "20%"), ("6s", "7.5s"), ("0.2s", "1s"))]
            points += [["--set", f"pace={pace}", "--batches", 10] for pace in ("1Mbps", "3Mbps")]
            points += [["--set", f"crowd={crowd}", "--set", f"bound={bound}"] for crowd in (0, 1, 5) for bound in ("10ms", "1s")]
            points += [["--seed", seed, "--set", f"fails={t}"] for seed in (1, 2) for t in ("0s", "1ms", "5s", "11.9s", "12s")]
            points += [["--warmup", w, "--set", f"fails={t}"] for w, t in (("0s", "6s"), ("4s", "6s"), ("4s", "7s"))]
            points += [["--for", "7s", "--set", f"slow={slow}"] for slow in ("1Mbps", "100Mbps")]
            points += [["--for", "4s", "--set", f"slow={slow}"] for slow in ("1Mbps", "100Mbps")]
            shared = self.equals_own_runs(emulator, points, jobs=jobs)
            self.assertEqual([s["seconds"] if s else None for s in shared[-4:]], [5] * 2 + [4] * 2)
            # When the first failure ends, or never: one is the default's.
            self.assertEqual({s["seconds"] for s in shared[:12]}, {6.2, 7.7, 12})

    def test_what_is_drawn(self):
        for level in TIERS:
            emulator = self.compile(DRAWN.replace("SIZES", "0.1 s * exponential(1) * uniform(0.5, 1.5)"), level)
            points = [["--set", f"from_when={t}", "--set", f"shakes={j}"] for t in ("4s", "6s", "7.1s") for j in ("0ms", "5ms", "20ms")]
            points += [["--set", f"often={often}", "--set", f"until={until}"] for often in ("1s", "1.5s") for until in ("5s", "8s")]
            points += [["--set", f"room={room}"] for room in ("3KB", "20KB", "64KB")]
            shared = self.equals_own_runs(emulator, points)
            self.assertTrue(any(s and s["seconds"] > 3 for s in shared))

    def test_what_formulas_read_is_from_the_start(self):
        emulator = self.compile(DRAWN.replace("SIZES", "0.1 s * exponential(1) * uniform(0.5, shape)"))
        shared = self.equals_own_runs(emulator, [["--set", f"shape={shape}", "--set", f"shakes={j}"] for shape in (1, 2) for j in ("1ms", "9ms")])
        self.assertEqual([s["runs"] for s in shared], [2] * 4)

    def test_points_that_are_the_same(self):
        emulator = self.compile(ROOT / "examples/failing-link/failing.anml")
        shared = self.equals_own_runs(emulator, [[], [], ["--seed", 2]])
        self.assertEqual([s["runs"] if s else None for s in shared], [2, 2, None])

    def test_points_that_are_wrong_are_wrong_alone(self):
        emulator = self.compile(FAILING)
        points = [["--set", "bad=1%"], ["--set", "bad=200%"], ["--set", "nothing=1"], ["--set", "bad=2%"], ["--sed", 1], ["--set", "bad=3%"], ["--mpi"]]
        done, said, folder = self.points(emulator, points)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([said[i]["status"] for i in range(7)], [0, 2, 2, 0, 2, 0, 2])
        self.assertIn("outside", (folder / "1.log").read_text())
        self.assertIn("no such tunable", (folder / "2.log").read_text())
        self.equals_own_runs(emulator, points[:4])

    def test_results_that_cannot_be_written(self):
        emulator = self.compile(FAILING)
        file = self.fresh("points")
        good = self.fresh("good.json")
        file.write_text("".join(json.dumps({"arguments": ["--set", f"bad={i}%", "--results", str(path)]}) + "\n"
                                for i, path in enumerate(["/dev/full", good, "/nowhere/a.json"])))
        done = run(emulator, "simulate", "--points", file, check=False)
        said = {line["point"]: line["status"] for line in map(json.loads, done.stdout.splitlines())}
        self.assertEqual((done.returncode, said), (1, {0: 1, 1: 0, 2: 1}))
        self.assertIn("cannot write /nowhere/a.json", done.stderr)
        self.assertTrue(good.exists())

    def test_files_and_options_that_are_wrong(self):
        emulator = self.compile(FAILING)
        file = self.fresh("points")
        for text, message in (("", "it has no points"), ("{}", "line 1 is no"), ('{"arguments": [1]}', "no text"),
                              ('{"arguments": [], "log": ""}', "names no file"), ("\n[", "line 2 is no"),
                              ('{"arguments": ["--results", "r.json"]}\n' * 2, "line 2 writes r.json, and so does line 1"),
                              ('{"arguments": [], "log": "a/../l"}\n{"arguments": [], "log": "l"}', "line 2 writes l, and so does line 1")):
            file.write_text(text)
            done = run(emulator, "simulate", "--points", file, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(message, done.stderr)
        self.assertIn("No such file", run(emulator, "simulate", "--points", "/nowhere", check=False).stderr)
        self.assertIn("--seed belongs there", run(emulator, "simulate", "--points", file, "--seed", "1", check=False).stderr)
        self.assertIn("--jobs belongs to --points", run(emulator, "simulate", "--jobs", "1", check=False).stderr)

    def test_captures_and_profiles_share_nothing(self):
        emulator = self.compile(FAILING)
        pcaps = [self.fresh("a.pcap"), self.fresh("b.pcap")]
        done, said, folder = self.points(emulator, [["--set", f"bad={i}%", "--capture", f"near={pcap}"] for i, pcap in enumerate(pcaps)]
                                         + [["--profile"], ["--set", "bad=1%"]])
        for number, bad in enumerate((0, 1, 0, 1)):
            found = json.loads((folder / f"{number}.json").read_text())
            self.assertNotIn("shared", found)
            self.assertEqual(found["digest"], self.simulate(emulator, "--set", f"bad={bad}%")["digest"])
        self.assertTrue(all(pcap.stat().st_size > 1000 for pcap in pcaps))

    def begin_points(self, count, duration, jobs):
        emulator = self.compile(FAILING)
        folder = self.fresh("begun")
        folder.mkdir()
        (folder / "points").write_text("".join(json.dumps({"arguments": [
            "--for", duration, "--set", f"bad={i}%", "--results", f"{folder}/{i}.json"], "log": f"{folder}/{i}.log"}) + "\n" for i in range(count)))
        return emulator, folder, subprocess.Popen([emulator, "simulate", "--points", folder / "points", "--jobs", str(jobs)],
                                                  stdout=subprocess.PIPE, text=True)

    def long_points(self):
        emulator, folder, running = self.begin_points(6, "1h", 2)
        for _ in range(600):
            if len(list(folder.glob("*.log"))) >= 2:
                return running, folder, emulator
            time.sleep(0.05)
        self.fail("it does not begin")

    def processes_of(self, emulator):
        found = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{entry}/exe") == str(emulator):
                    found.append(int(entry))
            except OSError:
                pass
        return found

    def test_an_interrupt_ends_all(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            running, folder, emulator = self.long_points()
            running.send_signal(number)
            said = [json.loads(line) for line in running.communicate(timeout=30)[0].splitlines()]
            self.assertEqual(running.returncode, 128 + number)
            self.assertEqual(self.processes_of(emulator), [])
            self.assertTrue(said and all(line["status"] == 128 + number for line in said))
            for line in said:  # those that were under way keep their results
                self.assertTrue(json.loads((folder / f"{line['point']}.json").read_text())["interrupted"])

    def test_nothing_outlives_it(self):
        running, folder, emulator = self.long_points()
        running.kill()
        running.communicate()
        for _ in range(100):
            if not self.processes_of(emulator):
                return
            time.sleep(0.05)
        self.fail("processes are left")

    def test_what_breaks_down_is_run_again_alone(self):
        emulator, folder, running = self.begin_points(4, "100s", 1)
        for _ in range(1000):
            others = [p for p in self.processes_of(emulator) if p != running.pid]
            if others:
                break
            time.sleep(0.005)
        os.kill(max(others), signal.SIGKILL)
        said = {line["point"]: line["status"] for line in map(json.loads, running.communicate(timeout=120)[0].splitlines())}
        self.assertEqual((running.returncode, said), (0, dict.fromkeys(range(4), 0)))
        for i in range(4):
            found = json.loads((folder / f"{i}.json").read_text())
            self.assertEqual(found["digest"], self.simulate(emulator, "--for", "100s", "--set", f"bad={i}%")["digest"])

    def test_experiments_share_by_themselves(self):
        model = self.fresh("model.anml")
        model.write_text(FAILING + """
experiment whatif : Failing {
  run { repetitions = 2 }
  vary bad in [0, 5 %, 20 %]
  vary fails in [6 s, 8 s]
  measure p50(browse)
}
""")
        folders = self.fresh("shared"), self.fresh("own")
        for folder, options in zip(folders, ([], ["--no-sharing"])):
            done = run(ANMLC, "experiment", model, "-O0", "-o", folder, "--jobs", "2", *options, check=False, timeout=300)
            self.assertIn(done.returncode, (0, 99), done.stderr)
            told = json.loads((folder / "summary.json").read_text())["shared"]
            text = "  12 of 12 runs shared the beginning up to "
            self.assertEqual(done.stdout.count(text), 0 if options else 1)
            if options:
                self.assertIsNone(told)
                continue
            seconds = [json.loads(path.read_text())["shared"]["seconds"] for path in folder.glob("runs/*/results.json")]
            self.assertEqual((told["runs"], told["least_seconds"], told["most_seconds"]), (12, min(seconds), max(seconds)))
            self.assertIn(told["text"], done.stdout)
            self.assertIn(told["text"], run(ANMLC, "report", folder, "--format", "html").stdout)
        shared, own = ({path.parent.name: path for path in sorted(folder.glob("runs/*/results.json"))} for folder in folders)
        self.assertEqual((set(shared), len(shared)), (set(own), 12))
        for name in shared:
            found, expected = json.loads(shared[name].read_text()), json.loads(own[name].read_text())
            self.assertEqual(figures(found), figures(expected), name)
            self.assertEqual((found["shared"]["runs"] > 1, "shared" in expected), (True, False))
            ours, theirs = (json.loads((path[name].parent / "manifest.json").read_text()) for path in (shared, own))
            for manifest in ours, theirs:
                del manifest["seconds"], manifest["emulator"], manifest["compile"], manifest["command"]
            self.assertEqual(ours, theirs)
        rows = [[line.split(",")[:4] for line in (folder / "runs.csv").read_text().splitlines()] for folder in folders]
        self.assertEqual(sorted(rows[0]), sorted(rows[1]))
        self.assertEqual(list(folders[0].glob("points-*")), [])
        again = run(ANMLC, "rerun", shared[sorted(shared)[3]].parent, check=False)
        self.assertIn("as before", again.stdout)
        # Goes on where it was: two are missing.
        before = {path: path.stat().st_mtime_ns for path in folders[0].glob("runs/*/manifest.json")}
        gone = sorted(before)[1:3]
        for path in gone:
            path.unlink()
        run(ANMLC, "experiment", model, "-O0", "-o", folders[0], "--jobs", "2", check=False, timeout=300)
        after = {path: path.stat().st_mtime_ns for path in folders[0].glob("runs/*/manifest.json")}
        self.assertEqual({path for path in before if after[path] != before[path]}, set(gone))


if __name__ == "__main__":
    import unittest
    unittest.main()
