"""No packet is faster than its path: singles from real hosts over 10 ms, idle, beside busy processes, at each pace, and while the
emulator is stopped and goes on in the midst of them. One of the hosts is behind a TAP, the other behind a packet socket.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from netlab import Lab, by_one_clock, by_the_clock, info, main, median, ping, wait_until

PATH = 10e-3

# The datagrams between virtual hosts leave the emulator no time to sleep: then it looks at its clock and at its devices in turns.
MODEL = """
import std.ether
import std.traffic

model Arrival {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  host busy[2]
  router r
  link a: left -- r { rate = 10 Gbps, delay = 5 ms }
  link b: r -- right { rate = 10 Gbps, delay = 5 ms }
  link c: busy[*] -- r { rate = 10 Gbps, delay = 5 ms }
  workload chatter : traffic.Cbr on busy[0] { to = busy[1], payload = 100 B, interval = 150 us }
  run { duration = 60 s }
}
"""

# Prints what each datagram took: from the time that it says to the time at which the kernel had it.
RECEIVER = """
import socket, struct, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
s.bind((sys.argv[1], 9999))
print("ready", flush=True)
while True:
    data, ancillary, _, _ = s.recvmsg(64, 64)
    seconds, nanoseconds = struct.unpack("qq", ancillary[0][2])
    print(seconds * 10**9 + nanoseconds - int(data), flush=True)
"""


class Arrival(unittest.TestCase):
    pace = "hybrid"

    def setUp(self):
        self.lab = lab = Lab()
        self.addCleanup(lab.close)
        emulator = lab.compile(MODEL, "-O0")
        self.left, self.right = lab.namespace("l"), lab.namespace("r")
        lab.veth(self.left, "veth0", self.right, "eth0")
        self.results = lab.folder / "results.json"
        self.live = lab.start(emulator, "live", "--attach", "left=tap:tap0", "--attach", "right=if:veth0", "--pace", self.pace,
                              "--results", self.results, space=self.left)
        lab.run_in(self.right, "ip", "addr", "add", "10.2.0.1/32", "dev", "eth0")
        lab.run_in(self.right, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        wait_until(lambda: ping(lab, self.left, "10.2.0.1", 1), 10, "the first reply")
        pid = self.live.process.pid
        child = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
        self.emulator = int(child[0]) if child else pid

    def one_way(self, space, source, target, count, around=None):
        """What datagrams took one way, in s; `around` is called with what sends one."""
        other = self.right if space == self.left else self.left
        receiver = self.lab.start("python3", "-c", RECEIVER, target, space=other)
        wait_until(lambda: "ready" in receiver.output(), 10, "the receiver")
        # A process in the sender's namespace that sends one for each line it is told.
        sender = subprocess.Popen(
            ["ip", "netns", "exec", space, sys.executable, "-u", "-c", f"""
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(({source!r}, 0))
for line in sys.stdin:
    s.sendto(str(time.clock_gettime_ns(time.CLOCK_REALTIME)).encode(), ({target!r}, 9999))
"""], stdin=subprocess.PIPE, text=True, bufsize=1)
        def send():
            sender.stdin.write("\n")
            sender.stdin.flush()
        for i in range(count):
            (around or (lambda send: send()))(send)
            time.sleep(0.002 + i % 7 * 0.0005)
        came = lambda: len(receiver.output().split()) - 1
        end = time.monotonic() + 60  # others may have the processors for long
        while came() < count and time.monotonic() < end:
            time.sleep(0.1)
        sender.stdin.close()
        sender.wait(10)
        receiver.stop(signal.SIGKILL)
        took = [int(line) / 1e9 for line in receiver.output().split() if line != "ready"]
        self.assertGreater(len(took), count * 0.9)
        return took

    def both_ways(self, count, around=None):
        def measure(*way):
            return by_one_clock(lambda: self.one_way(*way, count, around))
        return {"tap": measure(self.left, "10.1.0.1", "10.2.0.1"), "packet socket": measure(self.right, "10.2.0.1", "10.1.0.1")}

    def assertNotEarly(self, found):
        for device, took in found.items():
            print(f"{self.id().split('.')[-1]}, entered by {device}: least {min(took) * 1e3:.3f} ms, "
                  f"median {median(took) * 1e3:.3f} ms of {len(took)}", file=sys.stderr)
            self.assertGreaterEqual(min(took), PATH, f"{[(i, t) for i, t in enumerate(took) if t < PATH]} of {len(took)}")

    def test_idle(self):
        self.assertNotEarly(self.both_ways(200))
        for space, target in ((self.left, "10.2.0.1"), (self.right, "10.1.0.1")):
            self.assertGreaterEqual(min(ping(self.lab, space, target, 60, 0.01)), 2e3 * PATH)

    @by_the_clock("whether 9 of 10 datagrams arrive within a minute beside processes that go first")
    def test_while_others_go_first(self):
        os.sched_setscheduler(self.emulator, os.SCHED_IDLE, os.sched_param(0))
        self.beside_busy_processes(20)

    def test_beside_busy_processes(self):
        self.beside_busy_processes(200)

    def beside_busy_processes(self, count):
        # With the priority of usual processes, which a laboratory's are above.
        busy = [self.lab.start("nice", "-n", 10, sys.executable, "-c", "while True: pass") for _ in range(2 * os.cpu_count())]
        found = self.both_ways(count)
        for process in busy:
            process.stop(signal.SIGKILL)
        self.assertNotEarly(found)

    def test_stopped_on_the_way(self):
        """The time for which it stood still is in its slip, and in the verdict."""
        def around(send):
            os.kill(self.emulator, signal.SIGSTOP)
            send()
            time.sleep(0.004)
            os.kill(self.emulator, signal.SIGCONT)
        self.assertNotEarly(self.both_ways(150, around))
        os.kill(self.emulator, signal.SIGINT)
        self.assertEqual(self.live.wait(10), 130, self.live.output())
        results = json.loads(self.results.read_text())
        self.assertNotEqual(results["verdict"], "kept up")
        self.assertTrue(any(re.search("may be too high", reason) for reason in results["verdict_reasons"]),
                        results["verdict_reasons"])

    def waits(self):
        """How often the emulator has gone to sleep by itself."""
        with open(f"/proc/{self.emulator}/status") as status:
            return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status.read(), re.M).group(1))

    def test_waits_as_its_pace_says(self):
        """With packets between virtual hosts every 150 us."""
        before = self.waits()
        time.sleep(2)
        waits = self.waits() - before
        os.kill(self.emulator, signal.SIGINT)
        self.live.wait(10)
        results = json.loads(self.results.read_text())["live"]
        self.assertEqual(results["pace"], self.pace)
        self.assertLess(results["arrival_error_seconds"], 1e-3)
        print(f"{self.pace}: {results['cpu_emulator']:.2f} of a processor, waited {waits} times", file=sys.stderr)
        if self.pace == "sleep":
            self.assertGreater(waits, 100)
        if self.pace == "spin":
            self.assertLess(waits, 100)


class Spinning(Arrival):
    pace = "spin"
    test_beside_busy_processes = test_while_others_go_first = test_stopped_on_the_way = None


class Sleeping(Arrival):
    pace = "sleep"
    test_beside_busy_processes = test_while_others_go_first = None


class Strict(unittest.TestCase):
    """The exit status with --strict says whether the run kept up."""

    def test_status(self):
        with Lab() as lab:
            emulator = lab.compile(MODEL, "-O0")
            for command, judged in (("sleep 3", False), ("ping -c 5 -i 0.2 10.2.0.1", True)):
                done = subprocess.run([emulator, "live", "--strict", "--for", "2s", "--results", lab.folder / "r.json",
                                       "--sandbox", "left", "--", "sh", "-c", command + "; exit 0", "--sandbox", "right", "--", "sleep", "9"],
                                      capture_output=True, text=True, timeout=30)
                verdict = json.loads((lab.folder / "r.json").read_text())["verdict"]
                self.assertEqual(verdict != "nothing to judge", judged, done.stdout)
                self.assertEqual(done.returncode, 0 if verdict == "kept up" else 98, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
