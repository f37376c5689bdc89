"""TCP on paths that drop what is too long without a word: a switch's."""
import struct
import unittest

from emulators import EmulatorTest

MODEL = """
import std.traffic
model Hole(tunable largest: size in 576 B .. 1500 B = 1300 B) {{
  profile p : Tcp {{ mtu_probing = {probing}{more} }}
  host near[{hosts}] {{ tcp = p }}
  host far
  {between} here
  switch there
  link first: near[*] -- here {{ rate = 1 Gbps, queue = droptail(1 MB) }}
  link path: here -- there {{ rate = 100 Mbps, delay = 10 ms, queue = droptail(8 MB), mtu = largest }}
  link last: there -- far {{ rate = 1 Gbps }}
  workload send : traffic.Bulk on near[*] {{ to = far, size = {size}, transfers = 1, start_spread = 0 s }}
  run {{ duration = {seconds} s }}
}}
"""


def model(probing, more="", size="3 MB", seconds=60, hosts=1, between="switch"):
    return MODEL.format(probing=probing, more=more and ", " + more, size=size, seconds=seconds, hosts=hosts, between=between)


def lengths(path):
    """Of the IP packets of a capture that carry data, each length once for as often as it follows itself."""
    data = path.read_bytes()
    link = struct.unpack_from("<I", data, 20)[0]
    skip = 14 if link == 1 else 0
    at, found = 24, []
    while at < len(data):
        held = struct.unpack_from("<I", data, at + 8)[0]
        packet = data[at + 16 + skip:at + 16 + held]
        at += 16 + held
        total, header = struct.unpack_from("!H", packet, 2)[0], (packet[0] & 15) * 4
        if total - header - (packet[header + 12] >> 4) * 4 > 0 and (not found or found[-1] != total):
            found.append(total)
    return found


class MtuProbing(EmulatorTest):

    def send(self, *arguments, emulator=None, **options):
        return self.simulate(emulator or self.compile(model(**options)), *arguments)

    def test_without_it_the_transfer_hangs(self):
        """Nothing arrives; with as few time-outs as are allowed it fails."""
        found = self.send(probing="off")
        self.assertEqual(found["workloads"][0]["delivered_bytes"], 0)
        self.assertEqual(found["workloads"][0]["transfers"]["completed"], 0)
        few = self.send(probing="off", more="retries = 3")
        self.assertEqual(few["workloads"][0]["transfers"]["failed"], 1)

    def test_with_it_it_goes_on(self):
        """Half a second for what is sent, 220 ms for the first time-out and less than twice three seconds for the others."""
        found = self.send(probing="black_holes")
        taken = found["workloads"][0]["transfer_time_seconds"]["mean"]
        self.assertGreater(taken, 3.2)
        self.assertLess(taken, 6.5)
        # From the beginning: no time-out, and but the probes are lost.
        always = self.send(probing="always")
        self.assertLess(always["workloads"][0]["transfer_time_seconds"]["mean"], 0.7)
        self.assertEqual(always["packets"]["dropped"]["mtu"], 4)

    def test_sizes(self):
        """By bisection: 1076 bytes at first, which are 1024 and the headers."""
        for largest, probes in ((1300, [1288, 1394, 1340, 1313, 1300, 1306]), (1500, [1288, 1394, 1447, 1473, 1486, 1493]),
                                (1100, [1288, 1181, 1128, 1101, 1088, 1094])):
            capture = self.folder / "first.pcap"
            self.send("--set", f"largest={largest} B", "--capture", f"first>={capture}",
                      emulator=self.compile(model("always", size="10 MB")))
            found = lengths(capture)
            self.assertEqual(found[0], 1076)
            first_seen = list(dict.fromkeys(length for length in found if length > 1076))
            self.assertEqual(first_seen[:len(probes)], probes, largest)
            usual = max((length for length in probes if length <= largest), default=1076)
            self.assertTrue(set(found[-3:]) & {usual}, f"{found[-5:]} of {usual}")

    def test_where_a_router_tells_nothing_is_probed_in_vain(self):
        """All three find the same, and nobody waits for a time-out."""
        for probing in ("off", "black_holes"):
            found = self.send(probing=probing, between="router")
            self.assertLess(found["workloads"][0]["transfer_time_seconds"]["mean"], 0.7, probing)

    def test_laws_and_recoveries(self):
        """Whatever the sender does else it gets through."""
        for more in ("congestion = cubic", "congestion = bbr", "congestion = bbr3", "congestion = vegas", "pacing = true",
                     "sack = false", "adaptive = false", "timestamps = false, sack = false, adaptive = false"):
            for probing in ("black_holes", "always"):
                found = self.send(probing=probing, more=more)
                workload = found["workloads"][0]
                self.assertEqual(workload["transfers"]["completed"], 1, f"{more} {probing}")
                self.assertLess(workload["transfer_time_seconds"]["mean"], 12 if probing == "black_holes" else 1.5,
                                f"{more} {probing}")

    def test_however_it_is_run(self):
        text = model("black_holes", size="300 KB", hosts=5)
        (digest, workloads), _ = self.however_it_is_run(text, "workloads")
        self.assertEqual(workloads[0]["transfers"]["completed"], 5)
        self.either_tier_has(text, digest, workloads)


if __name__ == "__main__":
    unittest.main()
