"""Sandboxes as places to work in: a shell at the terminal, the model's names, the command's end and status, prefixed output;
shell, exec, this machine's servers, `anmlc up`, `anmlc wire` and `anmlc proxy`."""
import fcntl
import os
import pathlib
import pty
import pwd
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import unittest

from netlab import ANMLC, BUSY, Lab, run, wait_until

MODEL = """
model Two {
  endpoint a { address = 10.1.0.1 }
  endpoint b { address = 10.2.0.1 }
  router middle
  link left: a -- middle { rate = 1 Gbps, delay = 10 ms }
  link right: middle -- b { rate = 1 Gbps, delay = 10 ms }
  run { duration = 1 s }
}
"""
ONE = """
model One {
  endpoint a { address = 10.1.0.1 }
  host far
  link line: a -- far { rate = 1 Gbps, delay = 10 ms }
  run { duration = 1 s }
}
"""
SERVED = """
import std.web
model Served {
  endpoint server { address = 10.0.0.80 }
  host pc[2]
  switch s
  link up: s -- server { rate = 1 Gbps, delay = 1 ms }
  link access: pc[*] -- s { rate = 1 Gbps, delay = 1 ms }
  workload browse: web.ClosedLoop on pc[*] { server = server, think = 100 ms, documents = web.fixed(1 KB) }
  run { duration = 30 s }
}
"""


class Terminal:
    """A command that leads a session with a terminal of its own, 97 columns wide, as a login shell does."""

    def __init__(self, *command, columns=97):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ["PS1"] = "ready> "
            os.execvp(str(command[0]), [str(word) for word in command])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 31, columns, 0, 0))
        self.text = ""

    def read(self, seconds):
        if select.select([self.file], [], [], seconds)[0]:
            try:
                self.text += os.read(self.file, 65536).decode(errors="replace")
                return True
            except OSError:  # everybody has closed it
                return False
        return True

    def expect(self, pattern, seconds=8):
        """What matches behind all that was expected before."""
        ends = time.monotonic() + BUSY * seconds
        while not (found := re.search(pattern, self.text)):
            if time.monotonic() > ends or not self.read(0.2):
                raise AssertionError(f"no {pattern!r} in {self.text!r}")
        self.text = self.text[found.end():]
        return found

    def type(self, text):
        os.write(self.file, text.encode())

    def wait(self, seconds=8):
        ends = time.monotonic() + BUSY * seconds
        while time.monotonic() < ends:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while select.select([self.file], [], [], 0)[0] and self.read(0):
                    pass
                self.pid = None
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"it runs still: {self.text!r}")

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.file)


class Laboratory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lab = Lab()
        cls.two, cls.one = cls.lab.compile(MODEL, "-O0", name="two"), cls.lab.compile(ONE, "-O0", name="one")

    @classmethod
    def tearDownClass(cls):
        cls.lab.close()

    def terminal(self, *command):
        terminal = Terminal(*command)
        self.addCleanup(terminal.close)
        return terminal

    def shell(self, *options):
        """A shell at the terminal, which is in the sandbox of the emulator that it starts."""
        return self.terminal(self.one, "live", *options, "--sandbox", "a", "--", "bash", "--norc", "--noediting")


class Shell(Laboratory):
    def test_a_shell_at_the_terminal(self):
        terminal = self.shell()
        terminal.expect("ready> ")
        terminal.type("stty size; hostname\n")
        terminal.expect("31 97\r\na\r\n")
        terminal.type("ping -c 2 -i 0.1 far\n")
        trips = [float(terminal.expect(r"bytes from far \(.*time=([\d.]+) ms").group(1)) for _ in range(2)]
        self.assertTrue(all(20 <= trip < 20 + 20 * BUSY for trip in trips), trips)
        # Longer than the model's second; Ctrl-C and Ctrl-Z are for what runs in the shell.
        terminal.expect("ready> ")
        terminal.type("sh -c 'sleep 1.2; printf be; echo gun; exec sleep 600'\n")
        terminal.expect("begun")
        terminal.type("\x03")
        terminal.expect(r"\^C")
        terminal.type("echo $?-there\n")
        terminal.expect(r"130-there\r\n")
        terminal.type("sh -c 'printf be; echo gun; exec sleep 601'\n")
        terminal.expect("begun")
        terminal.type("\x1a")
        terminal.expect("Stopped")
        terminal.type("kill -9 %1; while [ \"$(jobs -s)\" ]; do sleep 0.1; done; echo on\n")
        terminal.expect(r"(\n|ready> )on\r\n")
        before = terminal.text
        terminal.type("exit 7\n")
        self.assertEqual(terminal.wait(), 7, terminal.text)
        self.assertNotIn("error", terminal.text)
        self.assertNotIn(" s left", before + terminal.text)  # the bar

    def test_it_ends_by_for(self):
        terminal = self.shell("--for", "2s")
        terminal.expect("ready> ")
        terminal.type("stty raw\n")  # which must not stay
        self.assertEqual(terminal.wait(), 0, terminal.text)
        self.assertTrue(termios.tcgetattr(terminal.file)[3] & termios.ICANON)

    def test_ctrl_z_at_a_command_that_is_no_shell(self):
        terminal = self.terminal(self.one, "live", "--sandbox", "--", "ping", "-i", "0.2", "far")
        terminal.expect("icmp_seq=1 ")
        terminal.type("\x1a")
        terminal.expect("icmp_seq=6 ")
        terminal.type("\x03")
        terminal.expect(r"packets transmitted, \d+ received, 0% packet loss")
        self.assertEqual(terminal.wait(), 0)

    def test_whom_workloads_ask_has_the_terminal_once_it_reads(self):
        served = self.lab.compile(SERVED, "-O0", name="served")
        terminal = self.terminal(served, "live", "--sandbox", "--", "sh", "-c", "python3 -m http.server 80 >/dev/null 2>&1 & sleep 3; exec bash --norc --noediting")
        terminal.expect("tx/s")
        terminal.expect("ready> ")
        terminal.type("kill $(jobs -p) $(pgrep -P 1 python3); kill -9 $(pgrep python3); exit 4\n")
        self.assertEqual(terminal.wait(), 1, terminal.text)  # a server has failed
        self.assertNotIn("tx/s", terminal.text.split("exit 4")[0])

    def test_output_is_above_the_progress_line(self):
        served = self.lab.compile(SERVED, "-O0", name="served")
        terminal = self.terminal(served, "live", "--for", "2s", "--sandbox", "--", "sh", "-c",
                                 "python3 -m http.server 80 >/dev/null 2>&1 & while sleep 0.2; do echo line; printf half; done")
        terminal.expect(r"\x1b\[1;30r")  # lines but the last one scroll
        terminal.wait()
        behind = terminal.text
        # Without what is drawn in the last line, and what goes to it and back.
        said = re.sub(r"\x1b7\x1b\[31;1H[^\x1b]*\x1b\[K(\x1b\[r)?\x1b8", "", behind)
        self.assertIn("half" "line\r\n" "half" "line\r\n", said)
        self.assertNotIn("tx/s", said.partition("transactions")[0])
        self.assertEqual(behind.count("\x1b[r"), 1)  # all of them do again


class Commands(Laboratory):
    def test_the_run_ends_with_the_only_command_and_its_status(self):
        for command, status in (("ping -c 1 -W 5 far", 0), ("exit 9", 9), ("kill -TERM $$", 143)):
            done = run(self.one, "live", "--for", "50s", "--sandbox", "--", "sh", "-c", command, check=False)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            self.assertEqual(f"the sandbox's command failed with status {status}" in done.stderr, status != 0, done.stderr)

    def test_what_it_left_runs_on(self):
        began = time.monotonic()
        done = run(self.one, "live", "--for", "60s", "--sandbox", "--", "sh", "-c", "(sleep 2; echo late >&2) & exit 0")
        self.assertTrue(2 <= time.monotonic() - began < 50)
        self.assertIn("late", done.stderr)

    def test_which_command_failed(self):
        done = run(self.two, "live", "--for", "30s", "--sandbox", "a", "--", "sleep", "60", "--sandbox", "b", "--", "sh", "-c", "sleep 1; exit 3", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the sandbox's command at `b` failed with status 3", done.stderr)

    def test_as_a_user(self):
        """Whoever `id` says, and the user's own rights: another's file is not read; without root only oneself."""
        script = "id -u; echo $HOME; (: >/dev/tcp/far/9) 2>&1 | grep -q refused && echo reached; cat /etc/shadow || echo refused"
        home = pwd.getpwnam("nobody").pw_dir
        as_user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()
        for words in ((), as_user):
            done = run(*words, self.one, "live", "--control", "none", "--sandbox-user", "nobody", "--sandbox", "--", "bash", "-c", script, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            for said in ("65534", home, "reached", "refused"):
                self.assertRegex(done.stderr, rf"(?m)^(a: )?{re.escape(said)}$")
        for words, name, why in (((), "nobody-there", "there is no user `nobody-there`"), (as_user, "daemon", "without root it can only be who runs the emulator")):
            done = run(*words, self.one, "live", "--sandbox-user", name, "--sandbox", "--", "true", check=False)
            self.assertEqual((done.returncode, why in done.stderr), (1, True), done.stderr)

    def test_time_to_end(self):
        """A command that puts its things in order is given the time, and no more."""
        script = "trap 'sleep 2; echo in order >&2; exit 0' TERM; while :; do sleep 0.1; done"
        for given, there in (("20s", True), ("200ms", False)):
            began = time.monotonic()
            done = run(self.one, "live", "--for", "1s", "--stop-timeout", given, "--sandbox", "--", "sh", "-c", script)
            self.assertEqual("in order" in done.stderr, there, done.stderr)
            self.assertEqual("had not ended 0.2 s behind SIGTERM, and was killed" in done.stderr, not there, done.stderr)
            self.assertLess(time.monotonic() - began, 15)

    def test_until(self):
        """The run ends with the command that is named and its status, whatever goes on; one that fails before is the run's failure."""
        for last, other, status in (("sleep 1", "sleep 60", 0), ("sleep 1; exit 4", "sleep 60", 4), ("sleep 60", "sleep 1; exit 5", 1)):
            began = time.monotonic()
            done = run(self.two, "live", "--until", "a", "--sandbox", "a", "--", "sh", "-c", last, "--sandbox", "b", "--", "sh", "-c", other, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertTrue(1 <= time.monotonic() - began < 30)
        done = run(self.two, "live", "--until", "b", "--sandbox", "a", "--", "true", check=False)
        self.assertEqual((done.returncode, "--until: endpoint `b` has no --sandbox" in done.stderr), (2, True), done.stderr)

    def test_servers_that_no_client_reaches(self):
        """What has ended, or listens for itself, is named with what mends it, and nobody waits ten seconds."""
        served = self.lab.compile(SERVED, "-O0", name="served")
        for command, said in ((("true",), r"the command of the sandbox at `(\w+)` ended with status 0 before a server accepted at 10\.\S+:80; it has to go on"),
                              (("python3", "-m", "http.server", "-b", "127.0.0.1", "80"),
                               r"the server of endpoint `(\w+)` listens at port 80 on the loopback alone \(localhost\), .*: have it listen on 0\.0\.0\.0, or on 10\.")):
            began = time.monotonic()
            done = run(served, "live", "--sandbox", "--", *command, check=False)
            self.assertLess(time.monotonic() - began, 8)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, said)

    def test_names_and_prefixes(self):
        hosts = pathlib.Path("/etc/hosts").read_text()
        done = subprocess.run([self.two, "live", "--for", "3s", "--sandbox", "a", "--", "sh", "-c",
                               "sleep 0.5; getent hosts b middle; ping -c 1 -W 2 b; printf unfinished; head -c 9000 /dev/zero | tr '\\0' x",
                               "--sandbox", "b", "--", "sh", "-c", "cat; grep -c . /etc/hosts; hostname; echo wrong >&2; sleep 9"],
                              capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^a: 10\.2\.0\.1 +b$")
        self.assertRegex(done.stderr, r"(?m)^a: 10\.\S+ +middle$")
        self.assertRegex(done.stderr, r"(?m)^a: 64 bytes from b \(10\.2\.0\.1\)")
        self.assertRegex(done.stderr, r"(?m)^a: unfinishedx+$")
        self.assertEqual(sum(len(line) - 3 for line in done.stderr.splitlines() if re.match("a: .*x$", line)), 9000 + len("unfinished"))
        self.assertRegex(done.stderr, r"(?m)^b: b$")
        self.assertRegex(done.stderr, r"(?m)^b: wrong$")
        self.assertNotRegex(done.stdout, r"(?m)^[ab]: ")
        self.assertEqual(pathlib.Path("/etc/hosts").read_text(), hosts)

    def test_names_of_elements(self):
        emulator = self.lab.compile("model Three {\n  endpoint web[2]\n  router r\n  link web[*] -- r { rate = 1 Gbps }\n  run { duration = 20 s }\n}\n", name="three")
        done = run(emulator, "live", "--until", "web[0]", "--sandbox", "web[0]", "--", "sh", "-c", "getent hosts web-1; ping -c 1 'web[1]'", "--sandbox", "web[1]", "--", "sleep", "60", check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"(?m)^web\[0\]: 10\.\S+ +web\[1\] web-1$")

    def test_a_command_in_a_sandbox_that_runs(self):
        control = ("--control", self.lab.folder / "control")
        enter = lambda *words, **more: run(self.two, *words[:1], *control, *words[1:], **{"check": False, **more})
        said = enter("shell", "a")
        self.assertEqual(said.returncode, 1)
        self.assertIn("nobody listens at", said.stderr)
        as_user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()
        for user in {(), as_user}:
            self.lab.folder.chmod(0o777)
            enter = lambda *words, **more: run(*user, self.two, *words[:1], *control, *words[1:], **{"check": False, **more})
            live = self.lab.start(*user, self.two, "live", "--for", "60s", *control, "--sandbox", "a", "--", "sleep", "90", "--sandbox", "b", "--", "sleep", "90")
            wait_until(lambda: control[1].exists(), 10, "the run")
            done = enter("exec", "a", "--", "ping", "-c", "1", "-W", "5", "b")
            self.assertRegex(done.stdout, r"64 bytes from b \(10\.2\.0\.1\)")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            done = enter("exec", "b", "--", "sh", "-c", "cat; pwd; hostname; echo wrong >&2; exit 23", input="read\n", cwd="/usr/lib")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (23, "read\n/usr/lib\nb\n", "wrong\n"))
            self.assertEqual(enter("exec", "b", "--", "sh", "-c", "kill -9 $$").returncode, 137)
            self.assertIn("inet 10.2.0.1", enter("shell", "b", input="ip addr show dev eth0; exit 5\n", env={**os.environ, "SHELL": "/bin/sh"}).stdout)
            for words, why in ((("shell", "bb"), "no sandbox is called `bb`; did you mean `b`?"), (("shell", "middle"), "no sandbox is called `middle`; there are `a`, `b`"),
                               (("shell",), "this run has 2 sandboxes; there are `a`, `b`"), (("exec", "a", "--", "no-such"), "cannot run `no-such`: "),
                               (("exec", "a", "--", "/etc/passwd"), "cannot run `/etc/passwd`: ")):
                done = enter(*words)
                self.assertEqual((done.returncode, done.stdout), ({"no-such": 127, "/etc/passwd": 126}.get(words[-1], 1), ""), done)
                self.assertIn(f"error: {why}", done.stderr)
            self.assertEqual(live.stop(), 130, live.output())

    def test_which_run_is_open(self):
        runs, folder = [], self.lab.folder / "runtime"
        folder.mkdir()
        surroundings = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
        for i in range(2):
            runs.append(self.lab.start(self.one, "live", "--for", "60s", "--sandbox", "--", "sleep", "90", env=surroundings))
        wait_until(lambda: len(list(folder.glob("anml-*.sock"))) == 2, 10, "both runs")
        said = run(self.one, "exec", "--", "true", check=False, env=surroundings).stderr
        self.assertRegex(said, r"live runs of this user were found; choose one:")
        for path in folder.glob("anml-*.sock"):
            self.assertIn(f"--control {path}", said)
            self.assertEqual(run(self.one, "exec", "--control", path, "--", "sh", "-c", "exit 3", check=False, env=surroundings).returncode, 3)
        for live in runs:
            self.assertEqual(live.stop(), 130, live.output())

    def test_a_second_shell_at_a_terminal(self):
        control = self.lab.folder / "second"
        live = self.lab.start(self.one, "live", "--for", "60s", "--control", control, "--sandbox", "--", "sleep", "90")
        wait_until(control.exists, 10, "the run")
        terminal = Terminal("bash", "--norc", "--noediting")
        self.addCleanup(terminal.close)
        terminal.expect("ready> ")
        terminal.type(f"SHELL=/bin/bash PS1='inside> ' {self.one} exec --control {control} -- bash --norc --noediting\n")
        terminal.expect("\ninside> ")
        terminal.type("sleep 60\n")
        time.sleep(0.5)
        terminal.type("\x03")
        terminal.type("echo $?-there; hostname; exit 6\n")
        terminal.expect("130-there\r\na\r\n")
        terminal.type("echo $?-outside\n")
        terminal.expect("6-outside\r\n")
        # Ctrl-Z gives the terminal back to the shell outside.
        terminal.type(f"{self.one} exec --control {control} -- sleep 61\n")
        time.sleep(0.5)
        terminal.type("\x1a")
        terminal.expect("Stopped")
        terminal.type("fg\n")
        time.sleep(0.5)
        terminal.type("\x03")
        terminal.type("echo $?-again\n")
        terminal.expect("130-again\r\n")
        self.assertEqual(live.stop(), 130, live.output())

    def test_servers_of_this_machine(self):
        """A connection through the endpoint is one to the server at localhost, which sees the path's delay and its close."""
        arrived = []
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]

            def serve():
                connection, _ = server.accept()
                with connection:
                    while part := connection.recv(65536):
                        arrived.append(part)
                    connection.sendall(b"".join(arrived)[::-1])  # behind the client's half close
            ask = (f"import hashlib, socket, time, sys\n"
                   f"data = bytes(i % 251 for i in range(300000))\n"
                   f"time.sleep(0.5); began = time.monotonic()\n"
                   f"with socket.create_connection(('b', {port})) as s:\n"
                   f"    print('connected', time.monotonic() - began)\n"
                   f"    s.sendall(data); s.shutdown(socket.SHUT_WR); got = b''\n"
                   f"    while part := s.recv(65536): got += part\n"
                   f"    print('equal', got == data[::-1])\n"
                   f"try: socket.create_connection(('b', 1))\n"
                   f"except ConnectionRefusedError: print('refused')\n")
            as_user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()
            for user in {(), as_user}:
                arrived.clear()
                threading.Thread(target=serve, daemon=True).start()
                done = run(*user, self.two, "live", "--for", "20s", "--attach", "b=localhost", "--sandbox", "a", "--", "python3", "-c", ask)
                self.assertRegex(done.stderr, r"equal True\nrefused")
                took = float(re.search(r"connected ([\d.]+)", done.stderr).group(1))
                self.assertTrue(0.04 <= took < 0.04 + 0.02 * BUSY, took)
        done = run(self.two, "live", "--attach", "b=localhost", "--attach", "a=localhost", check=False)
        self.assertIn("localhost is at one endpoint", done.stderr)


class Wire(unittest.TestCase):
    """`anmlc wire`: a model's link without a model, against what ping and a transfer show."""

    def wire(self, *options, check=True, **more):
        return run(ANMLC, "wire", *options, check=check, **more)

    def test_an_interrupt_is_the_commands(self):
        """SIGINT without a terminal reaches the command, which ends in its own time, with the network and its own status; and no later than it may."""
        script = ("trap 'exit 9' TERM\ntrap 'ping -c 2 -i 0.2 machine >/dev/null && echo in order; exit 3' INT\necho there\n"
                  "while :; do sleep 0.1; done")
        for given, interrupted, last in (("20s", signal.SIGINT, ("in order\n", 3)), ("20s", signal.SIGTERM, ("", 143))):
            process = subprocess.Popen([ANMLC, "wire", "--stop-timeout", given, "--", "bash", "-c", script], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
            self.assertEqual(process.stdout.readline(), "there\n")
            process.send_signal(interrupted)
            said, errors = process.communicate(timeout=30 * BUSY)
            self.assertEqual((said, process.returncode), last, errors)
        process = subprocess.Popen([ANMLC, "wire", "--stop-timeout", "300ms", "--", "bash", "-c", "trap '' INT TERM; echo there; while :; do sleep 0.1; done"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.assertEqual(process.stdout.readline(), "there\n")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30 * BUSY)
        self.assertTrue(0.6 <= time.monotonic() - began < 5 * BUSY)

    def test_a_server_is_met_at_once(self):
        """By the first packet of a command, which comes some milliseconds after its start."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            for _ in range(12):
                self.wire("--", "bash", "-c", f"exec 3<>/dev/tcp/machine/{server.getsockname()[1]}")

    def test_eight_begin_together(self):
        said = self.wire("--delay", "5ms", "--", "bash", "-c", f"for i in $(seq 8); do {ANMLC} wire -- sleep 1 || echo $? & done; wait")
        self.assertEqual((said.stdout, said.stderr), ("", ""))

    def test_seeds_lose_other_packets(self):
        def passed(*options):
            """Of the first 20 of 50: ping waits two round trips for the last, which is soon over on a busy machine."""
            said = self.wire("--loss", "20%", *options, "--", "ping", "-n", "-c", "50", "-i", "0.02", "machine", check=False).stdout
            return [number for number in re.findall(r"icmp_seq=(\d+)", said) if int(number) <= 20]
        first = passed()
        self.assertEqual(passed("--seed", "1"), first)
        self.assertNotEqual(passed("--seed", "2"), first)
        self.assertTrue(0 < len(first) < 20)

    def test_usual_mistakes(self):
        for words, said in ((("--delay", "40ms", "ping", "machine"), "`ping` is no option of wire; the command stands behind `--`"), (("--loss", "1", "--", "true"), "--loss `1` is all of them; it takes a ratio up to 100 %, like 1%"),
                            (("--seed", "0", "--", "true"), "--seed")):
            done = self.wire(*words, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)

    def test_delay_streams_and_status(self):
        began = time.monotonic()
        done = self.wire("--delay", "40ms", "--", "ping", "-c", "3", "-i", "0.1", "machine")
        self.assertLess(time.monotonic() - began, 2 * BUSY)
        trips = [float(trip) for trip in re.findall(r"time=([\d.]+)", done.stdout)]
        self.assertTrue(len(trips) == 3 and 80 <= min(trips) < 82 * BUSY, done.stdout)
        self.assertEqual(done.stderr, "")
        done = self.wire("--", "sh", "-c", "cat; exit 3", input="read", check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (3, "read", ""))
        for command, status in (("no-such", 127), ("/etc/passwd", 126)):
            done = self.wire("--", command, check=False)
            self.assertEqual(done.returncode, status)
            self.assertIn(f"error: cannot run `{command}`: ", done.stderr)

    def test_in_each_other(self):
        """What is between the command and `machine` adds up, whoever starts it; the sandbox around, and wires beside, are there, too."""
        as_user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") if os.geteuid() == 0 else ()
        inner = (ANMLC, "wire", "--delay")
        for user in {(), as_user}:
            done = run(*user, ANMLC, "wire", "--delay", "40ms", "--", *inner, "20ms", "--", "ping", "-c", "6", "-i", "0.2", "machine", cwd="/tmp")
            trips = [float(trip) for trip in re.findall(r"time=([\d.]+)", done.stdout)]
            self.assertTrue(len(trips) >= 3 and 120 <= min(trips) < 125 * BUSY, done.stdout)
            self.assertEqual(done.stderr, "")
        own, named = run(ANMLC, "wire", "--", ANMLC, "wire", "--", "sh", "-c", "hostname -I; getent hosts $(hostname) | head -1", cwd="/tmp").stdout.splitlines()
        self.assertEqual(own.split(), named.split()[:1])
        size = 1 << 20
        with Lab() as lab:
            (lab.folder / "big").write_bytes(bytes(size))
            (lab.folder / "small").write_bytes(b"around")
            with socket.create_server(("127.0.0.1", 0)) as free:
                port = free.getsockname()[1]
            lab.start(sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", lab.folder, port)
            fetch = ("curl", "-s", "-S", "--retry", "5", "--retry-connrefused", "-w", "%{time_connect} %{time_total}", "-o", "/dev/null", f"http://machine:{port}/big")
            done = self.wire("--delay", "5ms", "--", *inner, "10ms", "--down", "16Mbps", "--", *inner, "15ms", "--", *fetch)
            connect, total = map(float, done.stdout.split())
            self.assertTrue(0.06 <= connect < 0.06 * 2 * BUSY, done.stdout)
            self.assertTrue(size * 8 / 16e6 <= total - connect < 2 * BUSY * size * 8 / 16e6, done.stdout)
            script = (f"{sys.executable} -m http.server --directory {lab.folder} 8000 >/dev/null 2>&1 & server=$!; "
                      f"for i in 1 2 3; do {ANMLC} wire --delay 10ms -- ping -c 5 -i 0.2 machine & pids=\"$pids $!\"; done; "
                      f"{ANMLC} wire --delay 10ms -- curl -s -S --retry 5 --retry-connrefused http://100.64.0.2:8000/small; "
                      f"for pid in $pids; do wait $pid || exit 1; done; kill $server")
            done = self.wire("--delay", "20ms", "--", "sh", "-c", script)
            self.assertIn("around", done.stdout)
            received = [int(count) for count in re.findall(r"(\d+) received", done.stdout)]
            self.assertTrue(len(received) == 3 and min(received) >= 3, done.stdout + done.stderr)
            self.assertGreaterEqual(min(float(trip) for trip in re.findall(r"time=([\d.]+)", done.stdout)), 60)
        nested = [word for _ in range(6) for word in (ANMLC, "wire", "--")]
        done = run(*nested, "true", check=False)
        self.assertEqual((done.returncode, "there is no room for one more wire in this one" in done.stderr), (1, True), done.stderr)

    def test_where_no_network_is(self):
        """A namespace with nothing but its loopback: its servers are at `machine`, and nothing else is anywhere."""
        with Lab() as lab:
            space = lab.namespace("s")
            (lab.folder / "small").write_bytes(b"here")
            lab.start(sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "--directory", lab.folder, "8000", space=space)
            script = "curl -s -S --retry 5 --retry-connrefused -w ' %{time_connect}' http://machine:8000/small; ping -c 1 -W 1 192.0.2.1 2>&1"
            done = lab.run_in(space, ANMLC, "wire", "--delay", "30ms", "--", "sh", "-c", script, check=False)
            connected = float(re.match(r"here ([\d.]+)", done.stdout)[1])
            self.assertTrue(0.06 <= connected < 0.1 * BUSY, done.stdout)
            self.assertIn("Network is unreachable", done.stdout)

    def test_rates_of_each_way(self):
        """A megabyte each way between the command and a server of this machine."""
        size = 1 << 20
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                connection, _ = server.accept()
                with connection:
                    left = size
                    while left and (part := connection.recv(65536)):
                        left -= len(part)
                    connection.sendall(b"." + bytes(size))
            threading.Thread(target=serve, daemon=True).start()
            ask = (f"import socket, time\nsize = {size}\ntime.sleep(0.5)\n"
                   f"with socket.create_connection(('machine', {server.getsockname()[1]})) as s:\n"
                   f"    began = time.monotonic(); s.sendall(bytes(size)); s.recv(1); turned = time.monotonic(); got = 0\n"
                   f"    while part := s.recv(65536): got += len(part)\n"
                   f"    print(got, turned - began, time.monotonic() - turned)\n")
            done = self.wire("--up", "8Mbps", "--down", "16Mbps", "--delay", "5ms", "--", sys.executable, "-c", ask)
        got, up, down = map(float, done.stdout.split())
        self.assertEqual(got, size)
        # At least what the payload takes; headers are 3 % of it.
        self.assertTrue(size * 8 / 8e6 <= up < 1.1 * BUSY * size * 8 / 8e6, done.stdout)
        self.assertTrue(0.97 * size * 8 / 16e6 <= down < 1.2 * BUSY * size * 8 / 16e6, done.stdout)

    def test_what_is_printed_and_refused(self):
        text = self.wire("--access", "lte", "--down", "10Mbps", "--jitter", "5ms", "--queue", "100KB", "--print").stdout
        self.assertIn("sandbox -- machine : access.lte {\n    up { jitter = uniform(0 s, 5ms), queue = droptail(100KB) }\n    down { rate = 10Mbps, ", text)
        self.assertEqual(run(ANMLC, "check", "-", input=text).stderr, "")
        # In place of what options and profiles say, of one way or both.
        text = self.wire("--access", "lte", "--delay", "9ms", "--link", "delay = 5 ms, up { loss = loss.bursts(1 %, length = 2) }", "--print").stdout
        self.assertEqual(run(ANMLC, "check", "-", input=text.replace("  run {", "  require rtt(sandbox, machine) == 10 ms\n  run {")).stderr, "")
        for options, status, why in ((("--link", "dup = 1 %"), 1, "the link has no attribute `dup`\n  --> --link:"), (("--link", "rate = trace(\"none\")"), 1, "error[file-not-found]"),
                                     (("--delay", "40"), 2, "--delay `40` has no unit; it takes a time up to 1 h, like 40ms"), (("--access", "ltee"), 2, "there is `lte`"), (("--access", "satellite"), 2, "there is `geo_satellite`"),
                                     (("--rate", "fast"), 2, "--rate `fast` is not a number with its unit; it takes a rate, like 20Mbps"),
                                     (("--rate", "20Mb"), 2, "--rate `20Mb` may mean "), (("--rate", "20ms"), 2, "--rate `20ms` is a time"), (("--loss", "120%"), 2, "--loss `120%` is out of range"),
                                     (("--delay", "1ms } "), 2, "is not a number with its unit"), (("--access", "a.b"), 2, "is no name")):
            done = self.wire(*options, "--", "true", check=False)
            self.assertEqual(done.returncode, status, done)
            self.assertIn(why, done.stderr)


class Up(Laboratory):
    """`anmlc up`: what a lab names runs where it says."""

    def test_a_lab(self):
        model = self.lab.folder / "two.anml"
        model.write_text(MODEL)
        lab = model.with_suffix(".lab")
        lab.write_text("# two commands\n\nb : python3 -m http.server 8000 -d /etc --bind 0.0.0.0 2>/dev/null\n"
                       "a: for i in 1 2 3 4 5 6 7 8 9; do sleep 0.5; python3 -c \"import urllib.request; print(urllib.request.urlopen('http://b:8000/hostname').status)\" 2>/dev/null && exit 6; done\n")
        done = run(ANMLC, "up", model, "--", "--until", "a", check=False)
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertRegex(done.stderr, r"(?m)^a: 200$")
        for text, why in (("a ping b\n", r"two\.lab:1: `a ping b` is no line"), ("a: true\n\na: true\n", r"two\.lab:3: `a` has a command already"),
                          ("# nothing\n", r"two\.lab: it has no line"), (None, r"two\.lab: No such file.*db: postgres")):
            lab.write_text(text) if text else lab.unlink()
            done = run(ANMLC, "up", model, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, why)
        done = run(ANMLC, "up", model, "--until", "a", check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("up has no option `--until`: what the emulator is told stands behind `--`, as in `anmlc up FILE -- --until`", done.stderr)
        lab.write_text("nobody: true\n")
        done = run(ANMLC, "up", model, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("no endpoint is called `nobody`", done.stderr)

    def test_what_a_lab_says(self):
        """A command's line is one, however long; an endpoint that there is not has the lab's line."""
        model = self.lab.folder / "said.anml"
        model.write_text(MODEL)
        lab = model.with_suffix(".lab")
        lab.write_text("# long\na: printf '%05000d\\n' 7 >&2\nb: sleep 60\n")
        done = run(ANMLC, "up", model, "--", "--until", "a", check=False)
        self.assertIn(f"a: {7:05000d}\n", done.stderr)
        lab.write_text("a: true\n\nbb: true\n")
        done = run(ANMLC, "up", model, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, rf"{re.escape(str(lab))}:3: .*bb")
        self.assertNotIn("--sandbox", done.stderr)


class Proxy(unittest.TestCase):
    """`anmlc proxy`: a client of this machine, with no namespace of its own, before a server of this machine."""

    def proxy(self, *words):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        process = subprocess.Popen([ANMLC, "proxy", str(port), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: f":{port:04X} 00000000:0000 0A" in pathlib.Path("/proc/net/tcp").read_text())
        return port, process

    def end(self, process):
        process.send_signal(signal.SIGTERM)
        said, self.heard = process.communicate(timeout=10 * BUSY)
        self.assertEqual(process.returncode, 143, said)
        return said

    def udp_proxy(self, *words, at=""):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen([ANMLC, "proxy", f"{at}{port}", "--udp", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: f":{port:04X} 00000000:0000 07" in pathlib.Path("/proc/net/udp").read_text())
        return port, process

    def test_names_over_a_slow_line(self):
        """Questions of DNS: a round trip each, and no more; with losses it is asked again."""
        with Lab() as lab, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            server = free.getsockname()[1]
            free.close()
            lab.start("dnsmasq", "--keep-in-foreground", "--no-resolv", "--no-hosts", "--conf-file=/dev/null", "--pid-file=", "--listen-address=127.0.0.1",
                      "--bind-interfaces", "--edns-packet-max=4096", f"--port={server}", "--address=/slow.test/192.0.2.9", f"--txt-record=long.test,{','.join(['x' * 250] * 14)}")
            for to, options, tries in ((f"localhost:{server}", ("--delay", "40ms"), 1), (f"127.0.0.1:{server}", ("--delay", "40ms", "--loss", "20%"), 9)):
                port, process = self.udp_proxy("--to", to, *options)
                ask = lambda *words: run("dig", "@127.0.0.1", "-p", port, "+timeout=2", f"+tries={tries}", *words).stdout
                wait_until(lambda: "192.0.2.9" in ask("slow.test"), 15, "the first answer")
                took = [int(re.search(r"Query time: (\d+) msec", ask("slow.test"))[1]) for _ in range(5)]
                self.assertGreaterEqual(min(took), 80)
                if tries == 1:
                    self.assertLess(sorted(took)[2], 80 + 40 * BUSY)
                    said = ask("long.test", "TXT", "+bufsize=4096", "+ignore")  # longer than a packet of the link
                    self.assertEqual(said.count("x" * 250), 14, said)
                    self.assertRegex(said, r"MSG SIZE +rcvd: 3\d{3}")
                self.assertIn("clients of UDP come out of `clients`", (self.end(process), self.heard)[1])

    def test_datagrams_of_many_clients(self):
        """Each hears what is for it, from where it sent to, of any size; more than are remembered; a server that is not there yet."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
            server.bind(("127.0.0.1", 0))
            where = server.getsockname()
            server.close()
            port, process = self.udp_proxy("--to", str(where[1]), "--delay", "5ms", at="0.0.0.0:")
            client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            client.connect(("127.0.0.3", port))  # who hears of that address alone
            client.settimeout(0.2)
            for _ in range(5):
                client.send(b"to nobody")
            with self.assertRaises(TimeoutError):
                client.recv(100)
            real = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            real.bind(where)
            seen = set()

            def serve():
                while (asked := real.recvfrom(65536))[0] != b"end":
                    if asked[0] != b"to nobody":  # one that was late
                        seen.add(asked[1])
                        real.sendto(asked[0][::-1], asked[1])
            thread = threading.Thread(target=serve, daemon=True)
            thread.start()
            for data in (b"", b"a", os.urandom(1400), os.urandom(20000), os.urandom(60000)):
                client.settimeout(5 * BUSY)
                client.send(data)
                self.assertEqual(client.recv(65536), data[::-1])
            for number in range(1000):
                with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
                    one.settimeout(5 * BUSY)
                    one.sendto(b"%d" % number, ("127.0.0.1", port))
                    self.assertEqual(one.recv(100), (b"%d" % number)[::-1])
            self.assertGreater(len(seen), 900)
            client.send(b"still")
            self.assertEqual(client.recv(100), b"llits")
            client.close()
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
                one.sendto(b"end", where)
            thread.join()
            real.close()
            self.end(process)

    def test_what_clients_see(self):
        """Two round trips and what the rate takes. Nothing that leaves as one super-frame is lost; half closes and resets go through."""
        size = 1 << 20
        with socket.create_server(("127.0.0.1", 0)) as server:
            def serve():
                for turn in range(3):
                    connection, _ = server.accept()
                    with connection:
                        if turn == 2:  # a reset
                            connection.recv(1)
                            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                            continue
                        asked = b"".join(iter(lambda: connection.recv(65536), b""))  # up to the half close
                        connection.sendall(asked if turn == 0 else bytes(size))
            threading.Thread(target=serve, daemon=True).start()
            port, process = self.proxy("--to", f"localhost:{server.getsockname()[1]}", "--delay", "40ms", "--down", "1Gbps")
            for expected, rounds in ((b"hello", 2), (bytes(size), 8)):
                began = time.monotonic()
                with socket.create_connection(("127.0.0.1", port)) as client:
                    client.sendall(b"hello")
                    client.shutdown(socket.SHUT_WR)
                    got = b"".join(iter(lambda: client.recv(65536), b""))
                took = time.monotonic() - began
                self.assertEqual(got, expected)
                self.assertTrue(0.16 <= took < BUSY * (0.08 * rounds + 0.1), took)
            with socket.create_connection(("127.0.0.1", port)) as client, self.assertRaises(ConnectionResetError):
                client.sendall(b"x")
                client.recv(1)
            said = self.end(process)
        self.assertRegex(said, r"0 dropped by the kernel, 0 not taken")
        self.assertIn("the processes that hand connections on were not judged", said)
        self.assertIn(f"127.0.0.1:{port}: clients come out of `clients`, for port ", self.heard)

    def test_a_server_elsewhere(self):
        """At an address at which no server of this machine's loopback answers."""
        with socket.create_server(("127.0.0.2", 0)) as server:
            port, process = self.proxy("--to", f"127.0.0.2:{server.getsockname()[1]}", "--delay", "20ms")
            began = time.monotonic()
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(b"x")
                connection, _ = server.accept()
                with connection:
                    self.assertEqual(connection.recv(1), b"x")
                self.assertGreater(time.monotonic() - began, 0.06)  # a handshake, and the byte
            self.end(process)

    def test_a_server_that_is_not_there_and_what_is_refused(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            nobody = free.getsockname()[1]
        port, process = self.proxy("--to", str(nobody))
        with socket.create_connection(("127.0.0.1", port)) as client, self.assertRaises(ConnectionResetError):
            client.recv(1)
        self.end(process)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            for words, status, why in ((("0", "--to", "1"), 2, "`0` is no place to listen at"), (("5432", "--to", "db:x"), 2, "--to `db:x` is no server"), (("5432", "--to", "nobody.invalid:1"), 1, "no address of `nobody.invalid` is known"),
                                       (("5432",), 2, "--to is required"), (("5432", "--to", "localhost:5432"), 2, "would come back to it"), (("5432", "--to", "65536"), 2, "is no server"),
                                       ((str(taken.getsockname()[1]), "--to", "1"), 1, "Address already in use")):
                done = run(ANMLC, "proxy", *words, check=False)
                self.assertEqual(done.returncode, status, done)
                self.assertIn(why, done.stderr)


if __name__ == "__main__":
    unittest.main()
