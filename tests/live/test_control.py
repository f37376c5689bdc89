"""`ctl`: what a live run says of itself, and what it does when it is changed, seen from real hosts."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from netlab import ROOT, Lab, info, ping, run, wait_until

MODEL = """
import std.traffic

model Controlled(tunable extra: time in 0 s .. 1 s = 1 ms, tunable size: size in 64 B .. 1 KB = 200 B) {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  host   quiet[2]
  router r
  link a: left -- r { rate = 100 Mbps, delay = 1 ms }
  link b: r -- right { rate = 100 Mbps, delay = 1 ms }
  link side: quiet[*] -- r { rate = 10 Mbps, delay = extra }
  workload ticks : traffic.Cbr on quiet[0] { to = quiet[1], rate = 800 Kbps, payload = size }
  run { duration = 100 s }
}
"""


class Control(unittest.TestCase):
    options = ("-O0",)

    @classmethod
    def setUpClass(cls):
        cls.compiled = Lab()
        cls.emulators = {level: cls.compiled.compile(MODEL, level, name=f"emu{level}") for level in ("-O0", "-O2")}

    @classmethod
    def tearDownClass(cls):
        cls.compiled.close()

    def begin(self, level="-O0", *options):
        """A run between two hosts, `left` taken by the emulator's own namespace."""
        self.lab = lab = Lab()
        self.addCleanup(lab.close)
        self.emulator = self.emulators[level]
        inside, self.host = lab.namespace("e"), lab.namespace("h")
        other = lab.namespace("o")
        gateway = info(self.emulator)["gateway"]
        for space, end, address in ((self.host, "veth0", "10.1.0.1"), (other, "veth1", "10.2.0.1")):
            lab.veth(inside, end, space, "eth0")
            lab.run_in(space, "ip", "addr", "add", f"{address}/32", "dev", "eth0")
            lab.run_in(space, "ip", "route", "add", "10.0.0.0/8", "via", gateway, "dev", "eth0", "onlink")
        self.socket = lab.folder / "control"
        self.results = lab.folder / "results.json"
        self.live = lab.start(self.emulator, "live", "--control", self.socket, "--results", self.results,
                              "--attach", "left=if:veth0", "--attach", "right=if:veth1", *options, space=inside)
        wait_until(lambda: self.socket.exists() and self.rtt(), 10, "the first reply")

    @staticmethod
    def idle(seconds):
        return [word for end in ("left", "right") for word in ("--sandbox", end, "--", "sleep", seconds)]

    def rtt(self, count=1):
        """Round trips to `right` over `a` and `b` in ms; 4 ms as declared."""
        return ping(self.lab, self.host, "10.2.0.1", count)

    def ctl(self, *words, check=True, timeout=30):
        return run(self.emulator, "ctl", "--control", self.socket, *words, check=check, timeout=timeout)

    def refused(self, *words):
        done = self.ctl(*words, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def end(self):
        self.assertEqual(self.live.stop(), 130, self.live.output())
        self.assertFalse(self.socket.exists())
        return json.loads(self.results.read_text())

    def test_changes_reach_the_hosts(self):
        for level in self.emulators:
            with self.subTest(level):
                self.begin(level)
                self.assertTrue(3.9 < min(self.rtt(10)) < 30)
                said = self.ctl("link", "b", "delay=40 ms").stdout
                at = float(re.match(r"at ([\d.]+) s: link b delay=40 ms\n", said).group(1))
                self.assertGreater(min(self.rtt(10)), 81.9)
                self.ctl("link", "b>", "delay=1 ms")  # towards the host behind it only
                there = self.rtt(10)
                self.assertGreater(min(there), 42.9)
                self.assertLess(min(there), 80)
                self.assertIn("routes stay as they are", self.ctl("link", "b", "down").stdout)
                self.assertEqual(self.rtt(5), [])
                self.assertIn("now       b                        down", self.ctl("list").stdout)
                self.ctl("link", "b", "up")
                self.assertGreater(len(self.rtt(10)), 5)
                self.ctl("link", "a", "loss=1")
                self.assertEqual(self.rtt(5), [])
                self.ctl("link", "a", "loss=0, rate=64 Kbps")  # 98 bytes: some 10 ms each way
                slow = self.rtt(5)
                self.assertGreater(min(slow), 42.9 + 20)
                results = self.end()
                self.assertEqual([change["what"] for change in results["changes"]],
                                 ["link b delay=40 ms", "link b> delay=1 ms", "link b down", "link b up", "link a loss=1",
                                  "link a loss=0, rate=64 Kbps"])
                self.assertAlmostEqual(results["changes"][0]["seconds"], at, delta=0.001)
                self.assertGreater(results["packets"]["dropped"]["link"], 0)
                self.assertGreater(results["packets"]["dropped"]["lost"], 0)
                down = results["changes"][3]["seconds"] - results["changes"][2]["seconds"]
                self.assertAlmostEqual(results["timeline"]["downtime"][0]["seconds"], down, delta=1e-6)

    def test_list_and_watch(self):
        self.begin()
        listed = json.loads(self.ctl("list", "--json").stdout)
        self.assertEqual((listed["model"], listed["duration_seconds"]), ("Controlled", 100))
        self.assertEqual([(e["name"], e["address"], e["attached"]) for e in listed["endpoints"]],
                         [("left", "10.1.0.1", True), ("right", "10.2.0.1", True)])
        self.assertEqual(listed["workloads"], [{"name": "ticks", "on": True, "active": 1}])
        self.assertEqual({t["name"]: t["value"] for t in listed["tunables"]}, {"extra": "1 ms", "size": "200 B"})
        self.assertEqual([link["name"] for link in listed["links"]], ["a", "b", "side"])
        self.assertEqual(listed["links"][2]["count"], 2)
        self.assertIn("Controlled, process", self.ctl("list").stdout)
        # 800 Kbps of IP over the first host's link and back over the second's.
        seen = [json.loads(line) for line in self.ctl("watch", "--json", "--for", "3 s").stdout.splitlines()]
        self.assertGreaterEqual(len(seen), 2)
        last = {link["name"]: link for link in seen[-1]["links"]}
        self.assertEqual(set(last), {"side[0]>", "side[0]<", "side[1]>", "side[1]<", "a>", "a<", "b>", "b<"} & set(last))
        self.assertEqual(list(last)[:1], ["side[0]>"] if last["side[0]>"]["utilisation"] >= last["side[1]<"]["utilisation"] else ["side[1]<"])
        for name in ("side[0]>", "side[1]<"):
            self.assertAlmostEqual(last[name]["bits_per_second"], 8e5, delta=1e5)
            self.assertAlmostEqual(last[name]["utilisation"], 0.08, delta=0.01)
        self.assertIn("slip_max_seconds", seen[-1])
        self.ctl("link", "side[0]", "rate=400 Kbps,queue=4 KB")
        seen = [json.loads(line) for line in self.ctl("watch", "side[0]>", "b", "--json", "--for", "3 s").stdout.splitlines()]
        self.assertEqual([link["name"] for link in seen[-1]["links"]], ["side[0]>", "b>", "b<"])
        slow = seen[-1]["links"][0]
        self.assertGreater(slow["utilisation"], 0.9)
        self.assertGreater(slow["waiting_bytes"], 1000)
        self.assertGreater(slow["dropped_per_second"], 50)
        self.assertIn("dropped/s", self.ctl("watch", "--for", "2500 ms").stdout)
        self.ctl("link", "side[0]", "rate=10 Mbps,loss=50 %")
        lossy = json.loads(self.ctl("watch", "side[0]>", "--json", "--for", "3 s").stdout.splitlines()[-1])["links"][0]
        self.assertGreater(lossy["lost_per_second"], 100)
        self.assertIn("lost/s", self.ctl("watch", "--for", "2500 ms").stdout)
        self.end()

    def test_workloads_and_tunables(self):
        self.begin()
        def rate():
            lines = self.ctl("watch", "side[0]>", "--json", "--for", "3 s").stdout.splitlines()
            return json.loads(lines[-1])["links"][0]["bits_per_second"]
        self.assertGreater(rate(), 5e5)
        self.ctl("workload", "ticks", "stop")
        self.assertIn("ticks                    off", self.ctl("list").stdout)
        self.assertEqual(rate(), 0)
        self.ctl("workload", "ticks", "start")
        self.assertGreater(rate(), 5e5)
        self.ctl("workload", "ticks", "rate=2 Mbps")
        self.assertGreater(rate(), 1.5e6)
        self.ctl("workload", "ticks", "active=0")
        self.assertIn("ticks                    on, 0 % of its hosts", self.ctl("list").stdout)
        self.assertEqual(rate(), 0)
        self.assertIn("`load` is nothing of workload `ticks` that can be changed", self.refused("workload", "ticks", "load=2"))
        self.ctl("set", "extra=30 ms")
        listed = json.loads(self.ctl("list", "--json").stdout)
        self.assertEqual(listed["tunables"][0], {"name": "extra", "value": "30 ms"})
        self.assertEqual([c["delay_seconds"] for c in listed["changing"]], [[0.03, 0.03]] * 2)
        self.assertIn("workload `ticks` depends on it", self.refused("set", "size=100 B"))
        results = self.end()
        self.assertEqual([change["what"] for change in results["changes"]],
                         ["workload ticks stop", "workload ticks start", "workload ticks rate=2 Mbps", "workload ticks active=0", "set extra=30 ms"])
        # What was done can be repeated.
        again = self.lab.folder / "again.json"
        run(self.emulator, "simulate", "--for", "20 s", "--changes", self.results, "--results", again)
        self.assertEqual(json.loads(again.read_text())["changes"], results["changes"])

    def capture(self, *words):
        path = self.lab.folder / "capture.pcapng"
        with path.open("wb") as file:
            done = subprocess.Popen([self.emulator, "ctl", "--control", self.socket, "capture", *words], stdout=file,
                                    stderr=subprocess.PIPE, text=True)
        self.addCleanup(done.stderr.close)
        self.addCleanup(done.kill)
        wait_until(lambda: path.stat().st_size > 0, 10, "the capture's beginning")
        return done, path

    def fields(self, path, *names):
        wanted = [word for name in names for word in ("-e", name)]
        lines = run("tshark", "-r", path, "-T", "fields", *wanted).stdout.splitlines()
        return [line.split("\t") for line in lines]

    def test_captures(self):
        self.begin()
        before = time.time()
        capture, path = self.capture("b", "--for", "4 s")
        self.ctl("link", "a", "loss=0.001 %")  # a change meanwhile is nobody's business
        sent = len(self.rtt(20))
        self.assertEqual(capture.wait(20), 0)
        after = time.time()
        found = self.fields(path, "frame.interface_name", "ip.src", "icmp.type", "frame.time_epoch", "icmp.checksum.status")
        self.assertGreaterEqual(len(found), 2 * sent)
        for name, source, kind, at, good in found:
            self.assertEqual((name, source, kind), ("b>", "10.1.0.1", "8") if name == "b>" else ("b<", "10.2.0.1", "0"))
            self.assertTrue(before - 0.1 < float(at) < after + 0.1, (before, at, after))
            self.assertEqual(good, "1")
        self.assertEqual({name for name, *_ in found}, {"b>", "b<"})
        self.assertIn(f"{len(found)} packets, 0 lost", capture.stderr.read())
        self.assertEqual(len(run("tcpdump", "-n", "-r", path).stdout.splitlines()), len(found))  # libpcap reads it, too
        about = run("capinfos", "-M", path).stdout
        self.assertRegex(about, r"Number of interfaces in file:\s+2")
        self.assertRegex(about, r"Name = b>")
        self.assertRegex(about, r"Time precision = nanoseconds \(9\)")
        self.assertRegex(about, r"Number of stat entries = 1")
        # So many and no more; one direction; Ctrl-C.
        capture, path = self.capture("b>", "a<", "--count", "3")
        self.rtt(10)
        self.assertEqual(capture.wait(10), 0)
        self.assertEqual(len(self.fields(path, "frame.number")), 3)
        capture, path = self.capture("a")
        seen = len(self.rtt(5))
        time.sleep(0.5)
        capture.send_signal(signal.SIGINT)
        self.assertEqual(capture.wait(10), 0)
        self.assertGreaterEqual(len(self.fields(path, "frame.number")), 2 * seen)
        self.assertIn("no such link `c`", self.refused("capture", "c"))
        self.assertIn("capture needs a link", self.refused("capture"))
        self.assertEqual(self.ctl("list", "--count", "3", check=False).returncode, 2)
        # A run that ends has the capture end as it should.
        capture, path = self.capture("a")
        self.rtt(5)
        self.end()
        self.assertEqual(capture.wait(10), 0)
        self.assertGreater(len(self.fields(path, "frame.number")), 0)

    def test_a_reader_that_is_slow(self):
        """What it has no room for is lost to it alone, and counted."""
        self.begin()
        capture = subprocess.Popen([self.emulator, "ctl", "--control", self.socket, "capture", "b>"], bufsize=0,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(capture.kill)
        first = capture.stdout.read(1)
        self.lab.run_in(self.host, "ping", "-q", "-f", "-l", "50", "-c", "8000", "-s", "1400", "10.2.0.1", timeout=60)
        self.assertGreater(len(self.rtt(5)), 3)
        capture.send_signal(signal.SIGINT)
        text, said = capture.communicate(timeout=30)
        self.assertEqual(capture.returncode, 0, said)
        text, at, kinds, counts = first + text, 0, [], {}
        while at < len(text):
            kind, length = struct.unpack_from("<II", text, at)
            self.assertEqual(struct.unpack_from("<I", text, at + length - 4)[0], length)
            kinds.append(kind)
            if kind == 5:  # interface statistics
                counts = {code: value for code, value in ((struct.unpack_from("<H", text, at + 20 + 12 * i)[0],
                          struct.unpack_from("<Q", text, at + 24 + 12 * i)[0]) for i in range(2))}
            at += length
        self.assertEqual(at, len(text))
        received, dropped = counts[4], counts[5]
        self.assertEqual(received - dropped, kinds.count(6))
        self.assertGreater(dropped, 100)
        self.assertIn(f"{kinds.count(6)} packets, {dropped} lost", said.decode())
        # One whose reader goes ends, and the run goes on.
        gone = subprocess.Popen([self.emulator, "ctl", "--control", self.socket, "capture", "b"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(gone.kill)
        gone.stdout.read(1)
        gone.stdout.close()
        self.rtt(10)
        self.assertEqual(gone.wait(10), 0, gone.stderr.read())
        gone.stderr.close()
        killed, _ = self.capture("a", "b")
        killed.kill()
        killed.wait()
        self.assertGreater(len(self.rtt(5)), 3)
        self.assertEqual(self.end()["changes"], [])

    def test_mistakes(self):
        self.begin()
        self.assertIn("no such link `c`", self.refused("link", "c", "down"))
        self.assertIn("no such link `c`", self.refused("watch", "c"))
        self.assertIn("`rat` is nothing of a link", self.refused("link", "a", "rat=1 bps"))
        self.assertIn("extra: `3` has no unit", self.refused("set", "extra=3"))
        self.assertIn("extra: 2 s is outside", self.refused("set", "extra=2 s"))
        self.assertEqual(self.ctl("lst", check=False).returncode, 2)
        self.assertEqual(self.ctl("list", "--jsn", check=False).returncode, 2)
        self.assertEqual(json.loads(self.ctl("list", "--json").stdout)["changes"], [])
        # Ranges are the library's.
        prelude = (ROOT / "stdlib/std/prelude.anml").read_text()
        for attribute in ("rate", "delay", "jitter", "loss", "corrupt", "duplicate"):
            least, most = re.search(rf"changes\(.*\) {attribute}: [\w ]+? in (.*?) ?\.\. ?(.*?)( =|\n)", prelude).groups()[:2]
            over = {"1000 Tbps": "1001 Tbps", "1 h": "1.01 h", "1": "1.01"}[most]
            self.assertIn(" is outside ", self.refused("link", "a", f"{attribute}={over}"), attribute)
            under = {"1 bps": "0.5 bps", "0 s": "-1 ns", "0": "-0.1"}[least]
            self.assertIn(" is outside ", self.refused("link", "a", f"{attribute}={under}"), attribute)
            self.ctl("link", "side[1]", f"{attribute}={most}")
        self.end()

    def test_bad_clients(self):
        """They are closed, and neither others nor the run's packets notice them."""
        self.begin()
        def client():
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(20)
            connection.connect(str(self.socket))
            return connection
        for nonsense in (b"\n", b"\xff\xfe\x00\n", b"link\n", b"link " + b"x" * 3000 + b" down\n", b"x" * 100000, b"watch " + b"c " * 2000 + b"\n", b"capture\n", b"capture " + b"a b " * 100 + b"c\n",
                         b"list --json\n", b"set \n", b"link a rate=1e999 bps\n", b"workload  \n", b"LIST\n"):
            with client() as bad:
                try:
                    bad.sendall(nonsense)
                    answer = bad.makefile("rb").readline()
                    self.assertIn("error", json.loads(answer), nonsense[:40])
                except (BrokenPipeError, ConnectionResetError):
                    self.assertGreater(len(nonsense), 4096)
        stalled = client()  # it watches, and reads nothing
        stalled.sendall(b"watch\n")
        silent = [client() for _ in range(14)]
        self.assertIn("Controlled", self.ctl("list").stdout)
        more = [client() for _ in range(4)]
        full = more[-1].makefile("rb").readline()
        self.assertIn("16 others are connected already", full.decode())
        self.assertGreater(len(self.rtt(5)), 3)
        wait_until(lambda: silent[0].recv(1) == b"", 20, "the end of a silent client")
        self.assertIn("Controlled", self.ctl("list").stdout)
        for connection in silent + more + [stalled]:
            connection.close()
        self.assertEqual(self.end()["changes"], [])

    def test_the_socket(self):
        self.begin()
        self.assertEqual(self.socket.stat().st_mode & 0o777, 0o600)
        # Another user cannot connect.
        done = run("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", self.emulator, "ctl", "--control", self.socket, "list", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Permission denied", done.stderr)
        # One that is in use is not taken over; one that is left behind is.
        taken = run(self.emulator, "live", "--control", self.socket, "--attach", "left=tap:x0", check=False)
        self.assertEqual(taken.returncode, 1)
        self.assertIn("cannot listen", taken.stderr)
        pid = json.loads(self.ctl("list", "--json").stdout)["pid"]
        os.kill(pid, signal.SIGKILL)
        self.live.process.wait(10)
        self.assertTrue(self.socket.exists())
        self.assertIn("nobody listens", self.refused("list"))
        with self.lab.start(self.emulator, "live", "--control", self.socket, *self.idle(30)).process:
            wait_until(lambda: self.ctl("list", check=False).returncode == 0, 10, "the socket of the next run")
            self.lab.close()

    def test_found_without_a_name(self):
        self.begin()  # as another run, which is elsewhere
        # They look in /tmp, too, where those of other tests may be: each has an empty one here.
        home = pathlib.Path(tempfile.mkdtemp(prefix="anml-live-", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, home)
        folder = home / "runtime"
        folder.mkdir(mode=0o700)
        emulator = shutil.copy(self.emulator, home)
        place = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
        alone = ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /tmp && exec "$@"', "sh", emulator)
        def ctl(*words):
            return run(*alone, "ctl", *words, check=False, env=place)
        def usual():
            return sorted(path for path in folder.iterdir())
        def start():
            before = set(usual())
            process = self.lab.start(*alone, "live", *self.idle(60), env=place)
            path, = wait_until(lambda: set(usual()) - before, 10, "a socket")
            # It is there before signals are caught.
            wait_until(lambda: ctl("--control", path, "list").returncode == 0, 10, "an answer")
            return process
        one = start()
        one.stop()
        self.assertIn("no live run of this user was found", ctl("list").stderr)
        one = start()
        self.assertIn("Controlled", ctl("list").stdout)
        two = start()
        both = ctl("list")
        self.assertEqual(both.returncode, 1)
        self.assertIn("2 live runs of this user were found", both.stderr)
        for path in usual():
            self.assertIn(f"--control {path}", both.stderr)
        # Killed, it leaves its socket; the next one removes it.
        two.process.kill()
        two.process.wait()
        self.assertEqual(len(usual()), 2)
        wait_until(lambda: "Controlled" in ctl("list").stdout, 10, "the end of its sandbox, which has the socket too")
        self.lab.start(*alone, "live", *self.idle(60), env=place)
        wait_until(lambda: not any(str(two.process.pid) in path.name for path in usual()), 10, "the end of the stale socket")
        one.stop()
        self.assertFalse(any(str(one.process.pid) in path.name for path in usual()))
        none = run(*alone, "live", "--control", "none", "--for", "1 s", *self.idle(9), check=False, env=place)
        self.assertEqual(none.returncode, 0, none.stderr)


if __name__ == "__main__":
    unittest.main()
