"""examples/real-routers: FRR's OSPF over transparent links, beside a model of the same network."""
import os
import pathlib
import re
import unittest

from netlab import ANMLC, ROOT, run

FRR = pathlib.Path("/usr/lib/frr/ospfd")


@unittest.skipUnless(os.geteuid() == 0, "network namespaces take root")
@unittest.skipUnless(FRR.exists(), "FRR is not installed")
class RealRouters(unittest.TestCase):
    def test_a_cut_and_the_way_round(self):
        def left():
            return set(re.findall(r"(?m)^rr\d+\w", run("ip", "netns", "list").stdout))
        before = left()
        done = run(ROOT / "examples/real-routers/run", ANMLC, timeout=240)
        self.assertEqual(len(re.findall(r"Full/", done.stdout)), 2, done.stdout)
        real = re.search(r"FRR's OSPF: ([\d.]+) s without packets; round trip ([\d.]+) ms before, ([\d.]+) ms behind", done.stdout)
        model = [float(seconds) for seconds in re.findall(r"model, detection .*?: ([\d.]+) s without packets", done.stdout)]
        self.assertTrue(real and len(model) == 2, done.stdout)
        lost, first, second = map(float, real.groups())
        # Both ways are 80 ms there and back. A hello that was lost before shortens the gap by a second, a machine with other work lengthens it.
        self.assertTrue(80 <= first < 90 and 80 <= second < 90, done.stdout)
        self.assertTrue(model[0] - 1.2 <= lost <= model[1] + 2, done.stdout)
        self.assertEqual(left() - before, set())


if __name__ == "__main__":
    unittest.main()
