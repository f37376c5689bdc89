"""A live run gives up root's capabilities once its devices are open, and what it configured is taken back all the same."""
import json
import os
import pathlib
import re
import signal
import socket
import unittest

from netlab import Lab, family, info, ping, run, wait_until

MODEL = """
model Privileges {
  endpoint left  { address = 10.1.0.1 }
  endpoint right { address = 10.2.0.1 }
  router r
  link a: left -- r { rate = 1 Gbps, delay = 1 ms }
  link b: r -- right { rate = 1 Gbps, delay = 1 ms }
  run { duration = 60 s }
}
"""
NET_ADMIN = 1 << 12


def emulators(process):
    """The process, or what `ip netns exec` became."""
    child = run("pgrep", "-P", process.process.pid, check=False).stdout.split()
    return int(child[0]) if child else process.process.pid


def threads(pid):
    """What /proc says of each thread."""
    return [dict(re.findall(r"(\w+):\t(.*)", (task / "status").read_text()))
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir()]


class Privileges(unittest.TestCase):
    def setUp(self):
        self.lab = lab = Lab()
        self.addCleanup(lab.close)
        self.emulator = lab.compile(MODEL, "-O0")
        self.left, self.right = lab.namespace("l"), lab.namespace("r")
        lab.veth(self.left, "veth0", self.right, "eth0")
        lab.run_in(self.right, "ip", "addr", "add", "10.2.0.1/32", "dev", "eth0")
        lab.run_in(self.right, "ip", "route", "add", "10.0.0.0/8", "via", info(self.emulator)["gateway"], "dev", "eth0", "onlink")

    def start(self, *options):
        self.live = self.lab.start(self.emulator, "live", "--attach", "right=if:veth0", "--results", self.lab.folder / "r.json",
                                   *options, space=self.left)
        wait_until(lambda: ping(self.lab, self.right, "10.1.0.1", 1), 10, "the first reply")
        return threads(emulators(self.live))

    def assertConfined(self, found, capabilities=0):
        for thread in found:
            for kind in ("CapPrm", "CapEff"):
                self.assertEqual(int(thread[kind], 16), capabilities, thread)
            for kind in ("CapInh", "CapBnd", "CapAmb"):
                self.assertEqual(int(thread[kind], 16), 0, thread)
            self.assertEqual((thread["NoNewPrivs"], thread["Seccomp"]), ("1", "2"), thread)

    def test_root_keeps_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        found = self.start("--attach", "left=tap:tap0", "--metrics", f"127.0.0.1:{port}")
        self.assertEqual(len(found), 3)  # the loop, who serves the page, and who listens to `ctl`
        self.assertConfined(found)
        self.assertEqual(self.live.stop(signal.SIGINT), 130, self.live.output())
        self.assertNotIn("keeps", self.live.output())
        self.assertEqual(json.loads((self.lab.folder / "r.json").read_text())["live"]["malformed"], 0)

    def test_a_device_that_was_there_before_is_as_it_was(self):
        self.lab.run_in(self.left, "ip", "tuntap", "add", "tap0", "mode", "tap")
        before = [self.lab.run_in(self.left, "ip", *what, "show", "dev", "tap0").stdout for what in (["-4", "addr"], ["route"])]
        self.assertConfined(self.start("--attach", "left=tap:tap0"), NET_ADMIN)
        self.assertIn("10.1.0.1", self.lab.run_in(self.left, "ip", "addr", "show", "dev", "tap0").stdout)
        self.live.stop(signal.SIGINT)
        self.assertIn("keeps CAP_NET_ADMIN: a device that was there before gets its configuration back at the end", self.live.output())
        after = [self.lab.run_in(self.left, "ip", *what, "show", "dev", "tap0").stdout for what in (["-4", "addr"], ["route"])]
        self.assertEqual(before[1], after[1])
        self.assertNotIn("10.1.0.1", after[0])

    def test_a_sandbox_of_an_ordinary_user(self):
        folder = self.lab.folder / "of_nobody"
        folder.mkdir()
        os.chown(folder, 65534, 65534)
        live = self.lab.start("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self.emulator, "live", "--results", folder / "r.json",
                              "--for", "6s", "--sandbox", "left", "--", "sleep", "9", "--sandbox", "right", "--", "ping", "-c", "3", "10.1.0.1")
        wait_until(lambda: (folder / "r.json").exists() or "Seccomp" in str(found := threads(live.process.pid))
                   and all(thread["Seccomp"] == "2" for thread in found), 10, "the confinement")
        self.assertConfined(threads(live.process.pid))
        below = family(live.process.pid).keys() - {live.process.pid}
        self.assertGreaterEqual(len(below), 2)
        self.assertEqual(live.wait(20), 0, live.output())
        self.assertIn("3 packets transmitted, 3 received", live.output())
        # The sandboxes' processes are gone with it.
        self.assertEqual([pid for pid in below if pathlib.Path(f"/proc/{pid}").exists()], [])


if __name__ == "__main__":
    unittest.main()
