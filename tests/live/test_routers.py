"""examples/real-routers: FRR's OSPF and BGP over transparent links, beside a model of the same network."""
import os
import pathlib
import re
import unittest

from netlab import ANMLC, ROOT, run

FRR = pathlib.Path("/usr/lib/frr/ospfd")


@unittest.skipUnless(os.geteuid() == 0, "network namespaces take root")
@unittest.skipUnless(FRR.exists(), "FRR is not installed")
class RealRouters(unittest.TestCase):
    def cut(self, protocol):
        """What `run` says of a cut of the direct line."""
        def left():
            return set(re.findall(r"(?m)^rr\d+\w", run("ip", "netns", "list").stdout))
        before = left()
        done = run(ROOT / "examples/real-routers/run", ANMLC, protocol.lower(), timeout=240)
        real = re.search(rf"FRR's {protocol}: ([\d.]+) s without packets; round trip ([\d.]+) ms before, ([\d.]+) ms behind", done.stdout)
        model = [float(seconds) for seconds in re.findall(r"model, detection .*?: ([\d.]+) s without packets", done.stdout)]
        self.assertTrue(real and len(model) == 2, done.stdout)
        lost, first, second = map(float, real.groups())
        # Both ways are 80 ms there and back, and more on a machine with other work. A hello that was lost before shortens the gap by a second, a machine with other work lengthens it.
        self.assertTrue(80 <= first < 130 and 80 <= second < 130, done.stdout)
        self.assertTrue(model[0] - 1.2 <= lost <= model[1] + 2, done.stdout)
        self.assertEqual(left() - before, set())
        return done.stdout

    def test_ospf(self):
        self.assertEqual(len(re.findall(r"Full/", self.cut("OSPF"))), 2)

    def test_bgp(self):
        said = self.cut("BGP")
        self.assertRegex(said, r"10\.0\.0\.2/32 +10\.9\.2\.1 .* 65003 65002 i")  # the way round is known before
        self.assertRegex(said, r"B>\* 10\.0\.0\.2/32 .* via 10\.9\.1\.2, to_b")
        self.assertRegex(said, r"B>\* 10\.0\.0\.2/32 .* via 10\.9\.2\.1, to_c")


if __name__ == "__main__":
    unittest.main()
