"""The recipes of docs/recipes.md, as the page has them: each block of commands is a script, in namespaces that end with it."""
import os
import re
import subprocess
import unittest

from netlab import ROOT, Lab

PAGE = (ROOT / "docs/recipes.md").read_text()
ROUND_TRIP = 40.0  # ms


def commands(title):
    """The first block of commands below a heading."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    return re.search(r"((?:^    .*\n)+)", section, re.M).group(1).replace("\n    ", "\n").strip()


class Recipes(unittest.TestCase):
    def pings(self, title, as_user=False):
        """Of each ping of the recipe, its times in ms, by number."""
        with Lab() as lab:
            lab.compile(ROOT / "examples/between-hosts/wan.anml", "-O0", name="wan")
            lab.compile(ROOT / "examples/between-hosts/wire.anml", "-O0", name="wire")
            script = lab.folder / "recipe.sh"
            script.write_text("set -e\n" + ("" if as_user else "mount -t tmpfs none /run/netns\n") + commands(title) + "\n")
            # The processes that a recipe leaves in the background go with the namespace of processes.
            inside = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
            if not as_user:
                os.makedirs("/run/netns", exist_ok=True)
            user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
            done = subprocess.run([*(user if as_user else inside), "sh", script], cwd=lab.folder, capture_output=True, text=True,
                                  timeout=90, stdin=subprocess.DEVNULL)
            said = done.stdout + done.stderr
            self.assertEqual(done.returncode, 0, said)
            times = [{int(number): float(time) for number, time in re.findall(r"icmp_seq=(\d+) .*time=([\d.]+)", part)} for part in said.split("PING ")[1:]]
            self.assertTrue(times, said)
            return times

    def crosses(self, times, sent=20):
        """Of as many pings, through 20 ms and 1 % loss each way, seven lost ones are less likely than one in a million; those before the
        first reply don't count, since on a busy machine the emulator begins later than the recipe waits."""
        first = min(times)
        self.assertLess(first, sent - 8)
        self.assertGreaterEqual(len(times), sent - (first - 1) - 6)
        self.assertGreaterEqual(min(times.values()), ROUND_TRIP)

    def test_namespaces(self):
        times, = self.pings("Two network namespaces")
        self.crosses(times)

    def test_bridges(self):
        first, second, beside = self.pings("Two bridges, with several hosts each")
        self.crosses(first)
        self.crosses(second)
        self.assertEqual(len(beside), 5)
        self.assertLess(min(beside.values()), ROUND_TRIP / 2)

    def test_containers(self):
        times, = self.pings("Two containers")
        self.crosses(times)

    def test_a_link_of_a_lab(self):
        four, six = self.pings("A link of a lab that runs")
        self.crosses(four)
        self.crosses(six)

    def test_a_virtual_machine(self):
        times, = self.pings("A virtual machine")
        self.crosses(times)

    def test_a_pod(self):
        before, pod, node = self.pings("A pod of Kubernetes")
        self.assertEqual(len(before), 5)
        self.assertLess(min(before.values()), ROUND_TRIP / 2)
        self.crosses(pod)
        self.crosses(node)

    def test_without_root(self):
        times, = self.pings("A laptop, without root", as_user=True)
        self.crosses(times)


if __name__ == "__main__":
    unittest.main(verbosity=2)
