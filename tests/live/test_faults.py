"""Faults around a live run: whatever goes away, fills up or refuses, the run ends as it says it does and leaves nothing behind.

docs/reliability.md lists what was tried.
"""
import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
import unittest

from netlab import Lab, addresses, by_the_clock, info, main, median, ping, run, wait_until

MODEL = """
import std.ether
import std.web

model Faults {
  endpoint server { address = 10.0.0.80, simulated = web.server(service = 1 ms) }
  router r
  host client[2]
  link desk: client[*] -- r : ether.gigabit { delay = 1 ms }
  link entry: r -- server : ether.gigabit { delay = 1 ms }
  workload web : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB), think = 10 ms }
  run { duration = 60 s }
}
"""

# Answers each request of a connection; a thread each.
SERVER = """
import socket, threading
listener = socket.create_server(("10.0.0.80", 80), backlog=64)
print("ready", flush=True)
def serve(connection):
    try:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 1024\\r\\n\\r\\n" + b"x" * 1024)
        connection.close()
    except OSError:
        pass
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"""


def interfaces():
    return run("ip", "-br", "link").stdout


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.compiler = Lab()
        cls.emulator = cls.compiler.compile(MODEL, "-O0")

    @classmethod
    def tearDownClass(cls):
        cls.compiler.close()

    def setUp(self):
        self.lab = Lab()
        self.addCleanup(self.lab.close)
        self.before = interfaces()
        self.results = self.lab.folder / "results.json"

    def sandbox(self, *options, command=None, **how):
        command = command or ["python3", "-c", SERVER]
        return self.lab.start(self.emulator, "live", *options, "--sandbox", "--", *command, **how)

    def attached(self, *options, server=True):
        """A run against a server in a namespace of its own: the run, the server, and the namespaces of both."""
        host, inside = self.lab.namespace("h"), self.lab.namespace("e")
        self.lab.veth(host, "eth0", inside, "veth0")
        self.lab.run_in(host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        self.route = ("ip", "route", "replace", "10.0.0.0/8", "via", info(self.emulator)["gateway"], "dev", "eth0", "onlink")
        self.lab.run_in(host, *self.route)
        playing = self.serve(host) if server else None
        live = self.lab.start(self.emulator, "live", "--attach", "server=if:veth0", "--results", self.results, *options,
                              space=inside)
        return live, playing, host, inside

    def await_reply(self, space):
        wait_until(lambda: ping(self.lab, space, addresses(self.emulator)["client"], 1), 15, "the first reply")

    def serve(self, space):
        server = self.lab.start("python3", "-c", SERVER, space=space)
        wait_until(lambda: "ready" in server.output(), 10, "the server")
        return server

    def found(self):
        return json.loads(self.results.read_text())

    def children(self, pid):
        return [int(child) for child in
                subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()]

    def assertNothingLeft(self, *pids):
        wait_until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids), 20, f"the end of {pids}")
        wait_until(lambda: interfaces() == self.before, 20, "the interfaces being gone")
        self.assertEqual(list(self.lab.folder.glob("*.tmp")), [])

    def test_killed_in_each_phase(self):
        for seconds in (0.005, 0.02, 0.05, 0.1, 0.3, 0.8):
            live = self.sandbox("--for", "30s", "--results", self.results)
            time.sleep(seconds)
            below = self.children(live.process.pid)
            below += [grandchild for child in below for grandchild in self.children(child)]
            live.process.kill()
            live.process.wait()
            self.assertNothingLeft(*below)
            self.assertFalse(self.results.exists())

    def await_load(self, space):
        received = ("cat", "/sys/class/net/eth0/statistics/rx_packets")
        wait_until(lambda: int(self.lab.run_in(space, *received).stdout) > 100, 15, "the load")

    def test_stopped_for_a_while(self):
        live, _, host, _ = self.attached("--for", "4s")
        self.await_load(host)
        emulator = (self.children(live.process.pid) or [live.process.pid])[0]
        os.kill(emulator, signal.SIGSTOP)
        time.sleep(1)
        os.kill(emulator, signal.SIGCONT)
        self.assertEqual(live.wait(10), 0, live.output())
        found = self.found()
        self.assertEqual(found["verdict"], "not valid")
        self.assertGreater(max(found["live"]["seconds"]["may_be_high"]), 0.1)
        self.assertGreater(found["transactions"]["completed"], 20)

    def test_an_interface_that_goes_away(self):
        live, _, host, inside = self.attached("--for", "60s", "--no-workload")
        self.await_reply(host)
        self.lab.run_in(inside, "ip", "link", "delete", "veth0")
        self.assertEqual(live.wait(5), 1, live.output())
        self.assertIn("interface `veth0` is gone", live.output())
        self.assertEqual(self.found()["verdict"], "failed")

    def test_a_tap_that_goes_away(self):
        host = self.lab.namespace("h")
        live = self.lab.start(self.emulator, "live", "--attach", "server=tap:tap0", "--no-workload", "--for", "60s", space=host)
        self.await_reply(host)
        self.lab.run_in(host, "ip", "link", "delete", "tap0")
        self.assertEqual(live.wait(5), 1, live.output())
        self.assertIn("interface `tap0` is gone", live.output())

    def test_a_carrier_that_goes_and_returns(self):
        live, _, host, inside = self.attached()
        self.await_reply(host)
        time.sleep(1)
        self.lab.run_in(host, "ip", "link", "set", "eth0", "down")
        # The kernel tells the other end after a second, and TCP tries again one second, three and seven after the first time.
        wait_until(lambda: "NO-CARRIER" in self.lab.run_in(inside, "ip", "link", "show", "veth0").stdout, 10, "the loss of the carrier")
        time.sleep(5)
        self.lab.run_in(host, "ip", "link", "set", "eth0", "up")
        self.lab.run_in(host, *self.route)  # the kernel forgot it
        self.assertTrue(ping(self.lab, host, addresses(self.emulator)["client"], 10))
        self.assertEqual(live.stop(), 130, live.output())
        found = self.found()
        self.assertGreater(found["live"]["unreachable"], 0)
        self.assertGreater(found["transactions"]["completed"], 10)

    def test_a_server_that_dies_and_returns(self):
        live, server, host, _ = self.attached("--for", "5s")
        self.await_load(host)
        server.stop(signal.SIGKILL)
        time.sleep(0.5)
        self.serve(host)
        self.assertEqual(live.wait(10), 0, live.output())
        found = self.found()
        self.assertGreater(found["transactions"]["failed_by_cause"]["reset"], 0)
        self.assertGreater(sum(found["series"]["completed"][2:]), 0)

    def test_two_emulators_on_one_interface(self):
        live, _, _, inside = self.attached("--for", "30s", "--no-workload")
        wait_until(lambda: "ip route" in live.output(), 5, "the first one")
        second = run("ip", "netns", "exec", inside, self.emulator, "live", "--attach", "server=if:veth0", "--for", "1s", check=False)
        self.assertEqual(second.returncode, 1)
        self.assertIn("interface `veth0` is in use by another emulator", second.stderr)
        live.stop(signal.SIGKILL)
        third = run("ip", "netns", "exec", inside, self.emulator, "live", "--attach", "server=if:veth0", "--no-workload", "--for",
                    "100ms", check=False)
        self.assertEqual(third.returncode, 0, third.stderr)

    def test_a_full_disk(self):
        disk = self.lab.folder / "disk"
        disk.mkdir()
        run("mount", "-t", "tmpfs", "-o", "size=8k", "none", disk)
        try:
            live = self.sandbox("--for", "1500ms", "--capture", f"entry={disk / 'entry.pcap'}", "--results", disk / "r.json")
            self.assertEqual(live.wait(20), 1, live.output())
            self.assertIn("entry.pcap is incomplete: No space left on device", live.output())
            self.assertIn("transactions", live.output())  # the summary is there
            self.assertEqual(list(disk.glob("*.tmp")), [])
        finally:
            run("umount", disk)
        self.assertNothingLeft()

    def test_dev_full(self):
        simulate = [self.emulator, "simulate", "--for", "1s"]
        for options in (["--results", "/dev/full"], ["--capture", "entry=/dev/full"]):
            done = run(*simulate, *options, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("No space left on device", done.stderr)
            self.assertIn("transactions", done.stdout)
        with open("/dev/full", "w") as full:
            done = subprocess.run([str(each) for each in simulate], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot write to standard output", done.stderr)
            for command, status in ((simulate, 0), ([self.emulator, "live", "--for", "3s", "--sandbox", "--", "python3", "-c",
                                     SERVER.replace('print("ready", flush=True)', "")], 0),
                                    ([self.emulator, "live"], 2)):
                done = subprocess.run([str(each) for each in command], stdout=subprocess.DEVNULL, stderr=full)
                self.assertEqual(done.returncode, status)

    def test_readers_that_go_away(self):
        for option in ("results", "capture"):
            fifo = self.lab.folder / option
            os.mkfifo(fifo)
            live = self.lab.start(self.emulator, "live", "--for", "1s", "--results" if option == "results" else "--capture",
                                  fifo if option == "results" else f"entry={fifo}", "--sandbox", "--", "python3", "-c", SERVER)
            with open(fifo, "rb") as reader:
                reader.read(24)  # of a capture its head; of the results the beginning
            self.assertEqual(live.wait(10), 1 if option == "capture" else live.process.returncode, live.output())
            self.assertGreaterEqual(live.process.returncode, 0, "it was killed by a signal")
            self.assertIn("transactions", live.output())
        self.assertNothingLeft()
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([str(self.emulator), "simulate", "--for", "1s", "--results", str(self.results)], stdout=write,
                              stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output: Broken pipe", done.stderr)
        self.assertGreater(self.found()["transactions"]["completed"], 0)

    def test_closed_standard_descriptors(self):
        """Nothing that we say may end up in a file or on the wire that got the number of a closed descriptor."""
        capture = self.lab.folder / "entry.pcap"
        done = subprocess.run(f"exec {self.emulator} simulate --for 200ms --capture 'entry={capture}' <&- >&- 2>&-", shell=True)
        self.assertEqual(done.returncode, 1)  # nobody gets the report
        self.assertNotIn(b"transactions", capture.read_bytes())
        run("tshark", "-n", "-r", capture)

    def test_few_descriptors(self):
        said = set()
        for limit in range(3, 12):
            done = subprocess.run(["sh", "-c", f"ulimit -n {limit}; exec {self.emulator} live --wait 100ms --sandbox -- true"],
                                  capture_output=True, text=True, timeout=20)
            self.assertIn(done.returncode, (1, 127), f"{limit}: {done.stderr}")  # 127: not even its libraries
            if done.returncode == 1:
                self.assertTrue("error" in done.stderr, f"{limit}: {done.stderr}")
                said.add(done.stderr.splitlines()[-1])
        self.assertTrue(any("Too many open files" in each for each in said), said)
        self.assertFalse(any("o such device" in each or "there is no interface" in each for each in said), said)
        self.assertNothingLeft()

    def test_little_memory(self):
        crowd = self.lab.compile(MODEL.replace("client[2]", "client[400000]").replace("10 ms", "10 s"), "-O0", name="crowd")
        said = set()
        for kilobytes in (7000, 8000, 12000, 20000, 40000, 80000):
            for emulator, command in ((crowd, "simulate --for 500ms"), (self.emulator, "live --wait 100ms --sandbox -- sleep 1")):
                done = subprocess.run(["sh", "-c", f"ulimit -v {kilobytes}; exec {emulator} {command}"], capture_output=True,
                                      text=True, timeout=30)
                where = f"{kilobytes} KB, {command}: {done.returncode} {done.stderr}"
                # The loader may fail before we are there; with less than the program itself has, Linux ends it without a word.
                self.assertTrue(done.returncode in (0, 1) or "shared libraries" in done.stderr or "initial thread" in done.stderr, where)
                said.add(done.stderr)
        self.assertIn("error: the memory that may be used does not do\n", said)
        self.assertNothingLeft()

    def test_a_command_that_hides_and_does_not_listen(self):
        """It goes to the background in a session of its own, ignores SIGTERM, and has children that do."""
        stubborn = ("import os, signal, sys, time\n"
                    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                    "if os.fork(): sys.exit()\n"
                    "os.setsid()\n"
                    "if os.fork(): os._exit(0)\n"
                    "for _ in range(20):\n"
                    "    if not os.fork(): time.sleep(1000)\n" + SERVER)
        began = time.monotonic()
        live = self.sandbox("--for", "3s", "--results", self.results, command=["python3", "-c", stubborn])
        wait_until(lambda: len(below := [g for c in self.children(live.process.pid) for g in self.children(c)]) > 0, 5, "its children")
        below = self.children(live.process.pid)
        self.assertEqual(live.wait(20), 0, live.output())
        self.assertLess(time.monotonic() - began, 15)
        self.assertNothingLeft(*below)
        self.assertGreater(self.found()["transactions"]["completed"], 0)

    def test_a_sandbox_whose_first_process_is_killed(self):
        live = self.sandbox("--for", "30s", "--results", self.results)
        wait_until(lambda: [g for c in self.children(live.process.pid) for g in self.children(c)], 10, "the command")
        time.sleep(1)
        os.kill(self.children(live.process.pid)[0], signal.SIGKILL)
        self.assertEqual(live.wait(10), 1, live.output())
        self.assertRegex(live.output(), "is gone|ended")
        self.assertNothingLeft()

    def test_a_terminal_that_takes_nothing(self):
        """Ctrl-S stops the progress line, not the run."""
        leader, follower = pty.openpty()
        live = subprocess.Popen([str(self.emulator), "live", "--for", "4s", "--wait", "60s", "--results", str(self.results), "--sandbox", "--", "python3",
                                 "-c", SERVER.replace('print("ready", flush=True)', "")], stdout=subprocess.DEVNULL, stderr=follower, stdin=subprocess.DEVNULL)
        shown = b""
        while b" tx/s" not in shown:
            self.assertIsNone(live.poll(), shown)
            if select.select([leader], [], [], 1)[0]:
                shown += os.read(leader, 4096)
        time.sleep(0.05)  # between two lines: what is being written while it stops waits, as of any program
        termios.tcflow(follower, termios.TCOOFF)
        wait_until(self.results.exists, 20, "the end of the run, which waits for no terminal")
        found = self.found()
        termios.tcflow(follower, termios.TCOON)
        live.wait(10)
        os.close(leader)
        os.close(follower)
        self.assertGreater(sum(found["series"]["completed"]), 0)

    @by_the_clock("the median of 40 round trips, below 1 ms")
    def test_the_last_of_many_endpoints_is_heard_at_once(self):
        with Lab() as lab:
            count = 18
            emulator = lab.compile("import std.ether\nmodel Many {\n  router r\n" + "".join(
                f"  endpoint e{i} {{ address = 10.1.{i}.1 }}\n  link l{i}: e{i} -- r {{ rate = 1 Gbps, delay = 10 us }}\n"
                for i in range(count)) + "  run { duration = 60 s }\n}\n", "-O0")
            host, inside = lab.namespace("h"), lab.namespace("e")
            attach = []
            for i in range(count):
                lab.veth(host, f"eth{i}", inside, f"veth{i}")
                attach += ["--attach", f"e{i}=if:veth{i}"]
            last = count - 1
            lab.run_in(host, "ip", "addr", "add", f"10.1.{last}.1/32", "dev", f"eth{last}")
            lab.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", f"eth{last}", "onlink")
            live = lab.start(emulator, "live", *attach, space=inside)
            router = addresses(emulator)["r"]
            wait_until(lambda: ping(lab, host, router, 1), 10, "the first reply: " + live.output())
            times = ping(lab, host, router, 40, 0.013)
            self.assertLess(median(times), 1.0, times)
            live.stop()

    def test_a_capture_of_all_links_of_a_loop(self):
        with Lab() as lab:
            emulator = lab.compile("""
import std.traffic
model Loop {
  host a
  host b[3]
  for i in 0 ..< 3 { link ea[i]: a -- b[i] { rate = 1 Gbps, delay = 1 ms } }
  workload ping : traffic.Ping on b[*] { to = a, interval = 50 ms }
  run { duration = 1 s }
}
""", "-O0")
            capture = lab.folder / "all.pcap"
            run(emulator, "simulate", "--capture", f"ea={capture}")
            hosts = set(run("tshark", "-n", "-r", capture, "-T", "fields", "-e", "ip.src").stdout.split())
            self.assertEqual(len(hosts), 4)
            self.assertIn("no such link", run(emulator, "simulate", "--capture", f"e={capture}", check=False).stderr)


if __name__ == "__main__":
    main()
