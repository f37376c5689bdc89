"""Experiments that others run: Slurm's array jobs, GNU parallel here and by ssh, plans; and what is killed in the middle."""
import csv
import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

import slurm_node
from emulators import ANMLC, EmulatorTest
from test_experiments import SHOP

MODEL = SHOP + """
experiment growth : Shop {
  run { repetitions = 2, seed = 7 }
  vary clients in [2, 4]
  vary gap in [20 ms, 50 ms, 0.1 s]
  measure p50(browse)
}
experiment limit : Shop {
  override run { duration = 30 s, warmup = 5 s }
  run { repetitions = 3, resolution = 1 % }
  search clients in 6 .. 14
  measure p95(browse)
  require p95(browse) < 40 ms
}
experiment many : Shop {
  run { repetitions = 3 }
  vary gap in [20 ms, 30 ms, 40 ms, 50 ms, 60 ms]
  measure p50(browse)
}
experiment slow : Shop {
  run { repetitions = 2 }
  vary gap in [10 ms, 11 ms, 12 ms, 13 ms, 14 ms, 15 ms]
  measure p50(browse)
}
experiment near : Shop {
  run { repetitions = 2, mode = live, server = "exec nothing" }
  vary gap in [10 ms]
  measure p50(browse)
}
"""


def until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it does not come")
        time.sleep(0.02)


def is_emulator(process):
    """Of one that may be gone by now."""
    try:
        return "/emulators/" in os.readlink(f"/proc/{process}/exe")
    except FileNotFoundError:
        return False


# By experiment: its rows as they are when nobody but anmlc runs it. They are the same in all tests.
LOCAL = {}


class Launched(EmulatorTest):
    environment = os.environ

    def setUp(self):
        super().setUp()
        self.model = self.fresh("shop.anml")
        self.model.write_text(MODEL)

    def slow(self):
        """The environment in which runs take a second each."""
        return self.waiting(1, self.environment)

    def begin(self, *arguments, environment=None):
        """anmlc, which is left to run; what it says on stderr can be read."""
        launched = subprocess.Popen(self.command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                    env=environment or self.slow())
        self.addCleanup(launched.stderr.close)
        self.addCleanup(launched.wait)
        self.addCleanup(launched.kill)
        return launched

    def command(self, *arguments):
        return [str(word) for word in (ANMLC, "experiment", self.model, *arguments, "-O0")]

    def experiment(self, *arguments, status=0, environment=None):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=300,
                              env=environment or self.environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def rows(self, folder):
        rows = list(csv.DictReader((folder / "runs.csv").read_text().splitlines()))
        return sorted(({key: value for key, value in row.items() if key != "seconds"} for row in rows),
                      key=lambda row: list(row.values()))

    def as_local(self, name, folder, runs):
        if name not in LOCAL:
            local = self.fresh("local-" + name)
            self.experiment(name, "-o", local)
            LOCAL[name] = self.rows(local)
        self.assertEqual(len(LOCAL[name]), runs)
        self.assertEqual(self.rows(folder), LOCAL[name])
        self.assertEqual(list(folder.glob("runs/*/claim.*")), [])

    def attempts(self, folder):
        return sorted(json.loads(path.read_text())["attempt"] for path in folder.glob("runs/*/manifest.json"))

    def ended(self, folder):
        return {path: path.stat().st_mtime_ns for path in folder.glob("runs/*/manifest.json")}

    def kill_in_the_middle(self, folder, launched, ends_with_it=False):
        """kill -9 of anmlc and of what runs one run, unless that has ended with it. Returns the latter, and the runs that had ended by then."""
        until(lambda: len(self.ended(folder)) >= 3 or launched.poll() is not None)
        self.assertIsNone(launched.poll())
        launched.kill()
        launched.wait()
        owner = None

        def find_owner():
            nonlocal owner
            for path in folder.glob("runs/*/claim.*/owner"):
                try:  # it may end at any moment
                    words = path.read_text().split()
                    if len(words) == 5:
                        os.kill(int(words[3]), signal.SIGKILL)
                        owner = int(words[3])
                        return True
                except (FileNotFoundError, ProcessLookupError):
                    pass
            return False

        until(lambda: find_owner() or ends_with_it, 20)
        return owner, self.ended(folder)

    def said(self, folder, pattern):
        """How often each run has ended, by what those said that ran them."""
        counts = {}
        for path in folder.glob("launch/" + pattern):
            for line in path.read_text().splitlines():
                if ": status " in line:
                    name = line.split(": status ")[0]
                    counts[name] = counts.get(name, 0) + 1
        return counts


@unittest.skipIf(slurm_node.missing(), f"not installed: {' '.join(slurm_node.missing())}")
class Slurm(Launched):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        place = tempfile.TemporaryDirectory(prefix="anml-slurm-")
        cls.addClassCleanup(place.cleanup)
        cls.node = slurm_node.SlurmNode(place.name + "/cluster")
        cls.node.__enter__()
        cls.addClassCleanup(cls.node.__exit__)
        cls.environment = cls.node.environment

    def tearDown(self):
        jobs = self.node.call("squeue", "--noheader", "--format=%A").split()
        if jobs:
            self.node.call("scancel", *jobs)  # a test has failed
        super().tearDown()

    def test_a_sweep_and_a_search_are_as_here(self):
        folder = self.fresh("growth")
        done = self.experiment("growth", "-o", folder, "--launcher=slurm", "--jobs", "2", "--launcher-args=--comment 'a b' -t 5")
        self.assertIn("12 runs submitted as job ", done.stderr)
        script = (folder / "launch/1.sbatch").read_text()
        self.assertIn("#SBATCH --array=1-12%2\n", script)
        self.as_local("growth", folder, 12)
        self.assertEqual(self.attempts(folder), [1] * 12)
        self.assertEqual(set(self.said(folder, "*.out").values()), {1})
        limit = self.fresh("limit")
        self.experiment("limit", "-o", limit, "--launcher=slurm")
        found, here = (json.loads((path / "summary.json").read_text())["searches"][0]
                       for path in (limit, self.with_local("limit")))
        self.assertEqual((found["low"], found["high"]), (here["low"], here["high"]))

    def with_local(self, name):
        folder = self.fresh("here-" + name)
        self.experiment(name, "-o", folder)
        return folder

    def test_what_is_killed_resumes_and_nothing_is_lost(self):
        folder = self.fresh("slow")
        arguments = ("slow", "-o", folder, "--launcher=slurm")
        owner, before = self.kill_in_the_middle(folder, self.begin(*arguments))
        self.assertIsNotNone(owner)
        self.assertLess(len(before), 12)
        again = self.experiment(*arguments)
        self.assertIn("submitted before", again.stderr)
        for path, at in before.items():
            self.assertEqual(path.stat().st_mtime_ns, at)
        # The job that was killed has said nothing. Its run ended at the second attempt, or had ended just before.
        said = self.said(folder, "*.out")
        self.assertEqual(set(said.values()), {1})
        self.assertIn((len(said), self.attempts(folder)), ((12, [1] * 11 + [2]), (11, [1] * 12)))
        self.as_local("slow", folder, 12)

    def test_submitted_only_and_cancelled(self):
        folder = self.fresh("slow")
        done = self.experiment("slow", "-o", folder, "--launcher=slurm", "--no-wait", "--jobs", "2", environment=self.slow())
        self.assertIn("12 runs submitted as job ", done.stdout)
        self.assertFalse((folder / "summary.json").exists())
        until(lambda: len(self.ended(folder)) >= 2)
        some = self.experiment("slow", "-o", folder, "--gather", status=1)
        self.assertRegex(some.stderr, r"anmlc: \d+ of 12 runs have not ended: `gap=1\d_ms,\d`, `gap=.*` and \d+ more")
        self.assertGreaterEqual(len(self.rows(folder)), 2)
        waits = self.begin("slow", "-o", folder, "--launcher=slurm")
        until(lambda: "submitted before" in waits.stderr.readline())
        waits.send_signal(signal.SIGINT)
        waits.communicate(timeout=60)
        self.assertEqual(waits.returncode, 130)
        until(lambda: not self.node.call("squeue", "--noheader").strip(), 30)
        self.assertLess(len(self.ended(folder)), 12)
        until(lambda: not list(folder.glob("runs/*/claim.*/alive")), 30)  # who is ended gives up what it has claimed

    def test_a_failing_run_and_a_job_that_is_not_taken(self):
        folder = self.fresh("growth")
        refused = self.experiment("growth", "-o", folder, "--launcher=slurm", "--launcher-args=-p nowhere", status=1)
        self.assertIn("sbatch has not taken the job", refused.stderr)
        self.assertIn("nowhere", refused.stderr)
        self.assertNotIn("compiling", refused.stderr)
        # No node has that, or will have it.
        refused = self.experiment("growth", "-o", folder, "--launcher=slurm", "--launcher-args=--mem 900T", status=1)
        self.assertIn("onfiguration", refused.stderr)
        self.assertNotIn("compiling", refused.stderr)
        self.assertFalse(folder.exists())
        # What may come to be possible is taken.
        node = f"nodename={socket.gethostname().split('.')[0]}"
        self.node.call("scontrol", "update", node, "state=drain", "reason=test")
        try:
            taken = self.experiment("growth", "-o", folder, "--launcher=slurm", "--no-wait", "--launcher-args=-t 10 --mem 500M")
            self.assertIn("12 runs submitted", taken.stdout)
            queue = self.node.call("squeue", "--noheader", "--format=%A %j %T")
            self.assertNotIn("wrap", queue)  # what it was asked by is gone
            self.node.call("scancel", "--user", getpass.getuser())
        finally:
            self.node.call("scontrol", "update", node, "state=resume")
        folder = self.fresh("other")
        refused = self.experiment("growth", "-o", folder, "--launcher=slurm", "--launcher-args=--bogus", status=1)
        self.assertIn("unrecognized option '--bogus'", refused.stderr)
        self.assertFalse(folder.exists())  # nothing has been compiled
        self.experiment("growth", "-o", folder, "--launcher=plan")
        broken = folder / "runs/clients=2,gap=20_ms,1"
        (broken / "claim.1").write_text("in the way")  # no claim is possible: the task says so
        missing = self.experiment("growth", "-o", folder, "--launcher=slurm", status=1)
        self.assertIn("1 run began and did not end, or never began, `clients=2,gap=20_ms,1`", missing.stderr)
        self.assertIn("clients=2,gap=20_ms,1: cannot write in", missing.stderr)  # of the task's own words
        self.assertEqual(len(self.rows(folder)), 11)
        (broken / "claim.1").unlink()
        self.experiment("growth", "-o", folder, "--launcher=slurm")
        self.as_local("growth", folder, 12)

    def test_an_answer_that_is_lost_and_a_part_that_is_cancelled(self):
        """sbatch says that it failed, and the controller has taken the job. Then some of its tasks are cancelled."""
        own = self.fresh("bin")
        own.mkdir()
        (own / "sbatch").write_text(f"""#!/bin/sh
case "$*" in *--test-only*) exec {slurm_node.find("sbatch")} "$@" ;; esac
{slurm_node.find("sbatch")} "$@" > /dev/null
echo sbatch: error: Batch job submission failed: Socket timed out on send/recv operation
exit 1
""")
        (own / "sbatch").chmod(0o755)
        folder = self.fresh("slow")
        launched = self.begin("slow", "-o", folder, "--launcher=slurm",
                              environment=dict(self.slow(), PATH=f"{own}:{os.environ['PATH']}"))
        said = ""
        while "submitted as job" not in said:
            said = launched.stderr.readline()
            self.assertTrue(said)
        job = said.split()[-1]
        self.node.call("scancel", f"{job}_[9,11]")
        _, said = launched.communicate(timeout=90)
        self.assertEqual(launched.returncode, 1)
        self.assertRegex(said, r"anmlc: 2 runs began and did not end, or never began, `.*`, `.*` \(2 CANCELLED\): what was said is in")
        before = self.ended(folder)
        self.assertEqual(len(before), 10)
        again = self.experiment("slow", "-o", folder, "--launcher=slurm")
        self.assertIn("2 runs submitted as job ", again.stderr)
        self.assertNotIn("submitted before", again.stderr)
        self.assertEqual({path: self.ended(folder)[path] for path in before}, before)
        self.as_local("slow", folder, 12)


    def test_more_runs_than_an_array_has_tasks(self):
        folder = self.fresh("many")
        self.experiment("many", "-o", folder, "--launcher=slurm")
        self.assertIn("#SBATCH --array=1-8\n", (folder / "launch/1.sbatch").read_text())
        self.assertEqual(len(list(folder.glob("launch/1-*.out"))), 8)
        self.as_local("many", folder, 15)

    def emulator(self, folder):
        """The process of the one run that is under way, None: none is."""
        for path in folder.glob("runs/*/claim.*/owner"):
            try:
                owner = path.read_text().split()[3]
                for process in pathlib.Path(f"/proc/{owner}/task/{owner}/children").read_text().split():
                    if is_emulator(process):
                        return int(process)
            except (IndexError, FileNotFoundError):
                pass  # it has ended, or only begun
        return None

    def state(self):
        return pathlib.Path(self.node.folder) / "state"

    def test_what_was_cancelled_when_it_came_back(self):
        folder = self.fresh("slow")
        arguments = ("slow", "-o", folder, "--launcher=slurm")
        launched = self.begin(*arguments, "--jobs", "1")
        # Slurm saves what has changed some seconds later: that one runs, and no more.
        until(lambda: self.emulator(folder))
        os.kill(self.emulator(folder), signal.SIGSTOP)
        saved, now = self.fresh("job_state"), time.time()
        job = self.node.call("squeue", "--noheader", "--states=RUNNING", "--format=%A").split()[0]
        self.node.call("scontrol", "update", f"jobid={job}", "comment=stopped")  # it may have saved that this one runs already
        until(lambda: any(path.stat().st_mtime > now for path in self.state().glob("job_state")), 30)
        shutil.copy(self.state() / "job_state", saved)
        os.kill(self.emulator(folder), signal.SIGCONT)
        until(lambda: len(self.ended(folder)) >= 2)
        self.node.restart("slurmctld", lambda: shutil.copy(saved, self.state() / "job_state"))
        until(lambda: "PENDING" in self.node.call("squeue", "--noheader", "--format=%T"), 30)
        self.node.call("scancel", "--state=PENDING", f"--user={getpass.getuser()}")
        _, said = launched.communicate(timeout=90)
        self.assertEqual(launched.returncode, 1, said)
        before = self.ended(folder)
        self.assertGreaterEqual(len(before), 2)
        self.assertRegex(said, rf"anmlc: {12 - len(before)} runs? began and did not end, or never began, .*\d+ CANCELLED")
        # It has the first running, until it asks its node in half an hour.
        self.assertRegex(self.node.call("squeue", "--noheader", "--format=%i %T"), r"\d+_1 RUNNING")
        self.node.call("scancel", f"--user={getpass.getuser()}")
        self.experiment(*arguments)
        self.assertEqual({path: self.ended(folder)[path] for path in before}, before)
        self.as_local("slow", folder, 12)

    def test_it_forgets_and_gives_a_number_again(self):
        folder = self.fresh("growth")
        arguments = ("growth", "-o", folder, "--launcher=slurm")
        done = self.experiment(*arguments, "--no-wait")
        job = done.stderr.split()[-1]

        def end_tasks():
            for process in self.node.steps():
                os.kill(process, signal.SIGKILL)
            until(lambda: not list(self.node.steps()))

        def forget():
            # The new tasks have the numbers of these: a node that has both at once is drained. It begins none while it is away.
            self.node.restart("slurmd", end_tasks)
            shutil.rmtree(self.state())
            self.state().mkdir(mode=0o700)
            with open(self.node.conf, "a") as file:
                file.write(f"FirstJobId={job}\n")

        self.node.restart("slurmctld", forget)
        until(lambda: "idle" in self.node.call("sinfo", "--noheader", "--format=%t"), 30)
        other = self.node.call("sbatch", "--parsable", "--hold", "--array=1-12", "--output=/dev/null", "--wrap=true")
        self.assertEqual(other.strip(), job)
        again = self.experiment(*arguments)
        self.assertIn(" submitted as job ", again.stderr)
        self.assertNotIn("submitted before", again.stderr)
        self.as_local("growth", folder, 12)
        self.assertIn(f"{job}_[1-12] PENDING", self.node.call("squeue", "--noheader", "--format=%i %T"))


@unittest.skipUnless(shutil.which("parallel"), "not installed: parallel")
class GnuParallel(Launched):
    def test_here(self):
        folder = self.fresh("growth")
        self.experiment("growth", "-o", folder, "--launcher=parallel", "--jobs", "2")
        self.as_local("growth", folder, 12)
        lines = (folder / "launch/1.joblog").read_text().splitlines()[1:]
        self.assertEqual(len(lines), 12)
        self.assertEqual({line.split("\t")[6] for line in lines}, {"0"})

    def test_what_is_killed_resumes_and_nothing_is_lost(self):
        folder = self.fresh("slow")
        arguments = ("slow", "-o", folder, "--launcher=parallel", "--jobs", "2")
        _, before = self.kill_in_the_middle(folder, self.begin(*arguments), ends_with_it=True)
        self.experiment(*arguments)
        for path, at in before.items():
            self.assertEqual(path.stat().st_mtime_ns, at)
        self.as_local("slow", folder, 12)
        self.assertEqual(set(self.said(folder, "*.log").values()), {1})
        again = self.said(folder, "2.log")  # what was said of the first may be lost with it
        self.assertLessEqual(len(again), 12 - len(before))
        self.assertFalse([path for path in before if path.parent.name in again])

    def test_what_cannot_be_is_said_before_anything_is_compiled(self):
        folder = self.fresh("growth")
        for arguments, text in (("--sshlogin nowhere.invalid", "nowhere.invalid"), ("--bogus", "Unknown option: bogus")):
            done = self.experiment("growth", "-o", folder, "--launcher=parallel", f"--launcher-args={arguments}", status=1)
            self.assertIn(f"anmlc: --launcher-args: `parallel {arguments} --nonall true` says:", done.stderr)
            self.assertIn(text, done.stderr)
            self.assertNotIn("Usage", done.stderr)
            self.assertFalse(folder.exists())

    def test_a_host_that_goes(self):
        """It answers, and no more when it is to run something: what ssh said is shown."""
        own = self.fresh("ssh")
        own.mkdir()
        (own / "ssh").write_text(f"#!/bin/sh\nmkdir '{own}/first' 2> /dev/null && exit 0\necho the host is gone >&2\nexit 255\n")
        (own / "ssh").chmod(0o755)
        folder = self.fresh("growth")
        done = self.experiment("growth", "-o", folder, "--launcher=parallel", "--launcher-args=--sshlogin 2/alpha", status=1,
                               environment=dict(os.environ, PARALLEL_SSH=str(own / "ssh")))
        self.assertIn("12 runs began and did not end, or never began, ", done.stderr)
        self.assertIn("; the last of it:\nthe host is gone", done.stderr)

    @unittest.skipUnless(slurm_node.find("sshd") and shutil.which("rsync"), "not installed: openssh-server rsync")
    @unittest.skipUnless(os.geteuid() == 0, "sshd of another user than root needs a password or its own account's files")
    def test_by_ssh_with_and_without_a_shared_folder(self):
        environment = self.ssh()
        for options in ((), ("--copy-files",)):
            folder = self.fresh("growth" + "".join(options))
            home = set(os.listdir(pathlib.Path.home()))
            self.experiment("growth", "-o", folder, "--launcher=parallel", "--jobs", "2", *options,
                            "--launcher-args=--sshlogin 127.0.0.1", environment=environment)
            lines = (folder / "launch/1.joblog").read_text().splitlines()[1:]
            self.assertEqual({line.split("\t")[1] for line in lines}, {"127.0.0.1"})
            self.assertEqual({line.split("\t")[4] != "0" for line in lines}, {bool(options)})  # bytes that went there
            self.assertEqual(set(os.listdir(pathlib.Path.home())) - home, set())
            self.as_local("growth", folder, 12)

    def ssh(self):
        own = self.fresh("ssh")
        own.mkdir(mode=0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", own / name], check=True)
        shutil.copy(own / "user.pub", own / "authorized")
        [port] = slurm_node.free_ports(1)
        (own / "config").write_text(f"Port {port}\nListenAddress 127.0.0.1\nHostKey {own}/host\nAuthorizedKeysFile {own}/authorized\n"
                                    f"PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n"
                                    "MaxSessions 100\nSetEnv SHLVL=1\n")  # bash then reads no ~/.bashrc, whatever that begins
        os.makedirs("/run/sshd", exist_ok=True)
        log = open(own / "log", "wb")
        self.addCleanup(log.close)
        server = subprocess.Popen([slurm_node.find("sshd"), "-D", "-e", "-f", own / "config"], stderr=log)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        # One connection for all: what GNU parallel asks one by one would each agree on keys.
        ssh = (f"ssh -F none -p {port} -i {own}/user -l {getpass.getuser()} -o StrictHostKeyChecking=no "
               f"-o UserKnownHostsFile={own}/known -o LogLevel=ERROR "
               f"-o ControlPath={own}/connection")
        until(lambda: subprocess.run([*ssh.split(), "-M", "-N", "-f", "127.0.0.1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL).returncode == 0, 20)
        self.addCleanup(subprocess.run, [*ssh.split(), "-O", "exit", "127.0.0.1"], stderr=subprocess.DEVNULL, check=True)
        return dict(os.environ, PARALLEL_SSH=ssh)


class Plans(Launched):
    def plan(self, folder, name="growth"):
        self.experiment(name, "-o", folder, "--launcher=plan")
        path = folder / "launch/plan.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def run_script(self, folder, *names, environment=None):
        return subprocess.Popen(["sh", "launch/run.sh", *names], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, env=environment)

    def test_a_plan_is_all_there_is_to_do(self):
        folder = self.fresh("growth")
        plan = self.plan(folder)
        self.assertEqual(len({one["id"] for one in plan}), 12)
        for one in plan:
            for path in one["inputs"]:
                self.assertTrue((folder / path).exists(), path)
            for path in one["outputs"]:
                self.assertFalse((folder / path).exists(), path)
        # Somewhere else, and as several at once.
        elsewhere = self.fresh("elsewhere")
        folder.rename(elsewhere)
        for one in plan[:4]:
            subprocess.run(one["command"], cwd=elsewhere, check=True, stdout=subprocess.DEVNULL)
            for path in one["outputs"]:
                self.assertTrue((elsewhere / path).exists(), path)
        elsewhere.rename(folder)
        self.assertEqual([one["id"] for one in self.plan(folder)], [one["id"] for one in plan[4:]])
        at_once = [self.run_script(folder, *[one["id"] for one in plan]) for _ in range(4)]
        said = "".join(process.communicate(timeout=120)[0] for process in at_once)
        self.assertEqual([process.returncode for process in at_once], [0] * 4)
        self.assertEqual(said.count(": status 0"), 8)
        self.assertEqual(self.attempts(folder), [1] * 12)
        self.assertEqual(self.plan(folder), [])
        self.as_local("growth", folder, 12)

    def test_searches_are_planned_round_by_round(self):
        folder = self.fresh("limit")
        rounds = 0
        while plan := self.plan(folder, "limit"):
            process = self.run_script(folder, *[one["id"] for one in plan])
            process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0)
            rounds += 1
        self.assertGreater(rounds, 4)
        [search] = json.loads((folder / "summary.json").read_text())["searches"]
        self.assertEqual(search["outcome"], "found")

    def test_claims_of_the_living_and_of_the_dead(self):
        folder = self.fresh("growth")
        name = self.plan(folder)[0]["id"]
        script = folder / "launch/run.sh"
        text = script.read_text()
        for long, short in (("silence=60", "silence=15"), ("sleep 1\n", "sleep 0.1\n")):
            self.assertIn(long, text)
            text = text.replace(long, short)
        script.write_text(text)
        claim = folder / "runs" / name / "claim.1"
        claim.mkdir()
        (claim / "owner").write_text("elsewhere 1 pid:[2] 3 4\n")  # another machine's, which nobody can ask
        process = self.run_script(folder, name)
        for sign in range(30):  # three seconds of life, where one and a half without it are the end
            (claim / "alive").write_text(f"{sign}\n")
            time.sleep(0.1)
            self.assertIsNone(process.poll())
        self.assertEqual(process.wait(30), 0)
        self.assertEqual(json.loads((folder / "runs" / name / "manifest.json").read_text())["attempt"], 2)
        process.stdout.close()

    def test_a_worker_that_was_taken_for_dead_keeps_its_hands_off(self):
        folder = self.fresh("slow")
        name = self.plan(folder, "slow")[0]["id"]
        first = self.run_script(folder, name, environment=self.slow())
        own = folder / "runs" / name
        until(lambda: (own / "claim.1/alive").exists())
        (own / "claim.2").mkdir()
        first.communicate(timeout=120)
        self.assertFalse((own / "manifest.json").exists())
        self.assertNotEqual(first.returncode, 0)

    def test_an_emulator_that_fails(self):
        folder = self.fresh("growth")
        plan = self.plan(folder)
        (folder / plan[0]["inputs"][1]).write_text("#!/bin/sh\necho no such luck\nexit 3\n")
        process = self.run_script(folder, plan[0]["id"])
        self.assertIn("status 3", process.communicate(timeout=30)[0])
        self.assertEqual(process.returncode, 1)
        self.assertIn("no such luck", (folder / "runs" / plan[0]["id"] / "log").read_text())
        self.assertEqual(len(self.plan(folder)), 12)

    @unittest.skipUnless(shutil.which("snakemake"), "not installed: snakemake")
    def test_snakemake(self):
        folder = self.fresh("growth")
        self.plan(folder)
        subprocess.run(["snakemake", "-s", "launch/Snakefile", "-d", ".", "--cores", "2", "-q"], cwd=folder, check=True,
                       capture_output=True, env=dict(os.environ, XDG_CACHE_HOME=str(self.fresh("cache"))))
        self.assertEqual(self.plan(folder), [])
        self.as_local("growth", folder, 12)

    def test_what_makes_no_sense(self):
        for arguments, status, text in (
                (["near", "--launcher=slurm"], 1, "`near` is live: its runs need this machine"),
                (["growth", "--no-wait"], 2, "--no-wait is for jobs"),
                (["growth", "--launcher-args=-p short"], 2, "--launcher-args go to sbatch or parallel"),
                (["growth", "--launcher=slurm", "--copy-files"], 2, "--copy-files is for --launcher=parallel"),
                (["growth", "--launcher=parallel", "--copy-files"], 2, "to which hosts?"),
                (["growth", "--gather", "--fresh"], 2, "--gather runs nothing"),
                (["growth", "--gather"], 1, "is no folder of an experiment: -o names another"),
                (["growth", "--launcher=pbs"], 2, "--launcher")):
            folder = self.fresh("none")
            self.assertIn(text, self.experiment(*arguments, "-o", folder, status=status).stderr)
            self.assertFalse(folder.exists())

    def test_without_the_programs(self):
        for launcher, text in (("slurm", "no `sbatch` on the PATH"), ("parallel", "GNU parallel is not there")):
            folder = self.fresh(launcher)
            done = self.experiment("growth", "-o", folder, f"--launcher={launcher}", status=1,
                                   environment=dict(os.environ, PATH="/nowhere", SHELL="/bin/sh"))
            self.assertIn(text, done.stderr)
            self.assertFalse(folder.exists())


class Killed(Launched):
    def test_by_the_kernel(self):
        folder = self.fresh("slow")
        launched = self.begin("slow", "-o", folder, "--jobs", "1")
        victim = None

        def find():
            nonlocal victim
            threads = pathlib.Path(f"/proc/{launched.pid}/task").iterdir()
            for process in " ".join((thread / "children").read_text() for thread in threads).split():
                if is_emulator(process):
                    victim = int(process)
            return victim

        until(find)
        os.kill(victim, signal.SIGKILL)
        said = ""
        while "the run in" not in said:
            said = launched.stderr.readline()
            self.assertTrue(said, "it has ended")
        launched.send_signal(signal.SIGINT)
        launched.communicate(timeout=60)
        self.assertRegex(said, r"the run in `.*` was killed by signal 9 \(SIGKILL; out of memory\?\):")


if __name__ == "__main__":
    unittest.main()
