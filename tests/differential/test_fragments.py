"""Virtual datagrams and echoes that are cut, against arithmetic; alike however they are run; and as tshark reads them."""
import unittest

from emulators import EmulatorTest, run

MODEL = """
import std.traffic
model M(loss: ratio = 0, payload: size = 3000 B, echo: size = 3000 B, cut: bool = true) {
  host a[4]
  host b
  router r[2]
  link a[*] -- r[0] { rate = 10 Mbps, delay = 1 ms }
  link mid: r[0] -- r[1] { rate = 10 Mbps, delay = 1 ms, mtu = 600 B }
  link end: r[1] -- b { rate = 10 Mbps, delay = 1 ms, loss = loss }
  workload w : traffic.Cbr on a[0] { to = b, payload = payload, interval = 100 ms, fragments = cut }
  workload v : traffic.OnOff on a[1] { to = b, payload = payload, rate = 200 Kbps, fragments = cut }
  workload q : traffic.Requests on a[2] { to = b, port = 53, request = payload, response = payload, fragments = cut }
  workload p : traffic.Ping on a[3] { to = b, payload = echo, interval = 150 ms, fragments = cut }
  run { duration = 20 s }
}
"""
# One sender alone, for times to the nanosecond.
ALONE = MODEL[:MODEL.index("  workload v")] + "  run { duration = 20 s }\n}\n"
MTUS = (1500, 600, 1500)


def cut(pieces, mtu):
    """(bytes of IP payload, whether it is there at that time) of fragments at an MTU."""
    made = []
    for payload, at in pieces:
        while payload + 20 > mtu:
            made.append(((mtu - 20) // 8 * 8, at))
            payload -= made[-1][0]
        made.append((payload, at))
    return made


def time_of(payload):
    """When the last fragment of a datagram arrives, and how many there are on each link."""
    pieces, counts = [(payload + 8, 0.0)], []
    for mtu in MTUS:
        pieces, free, arrived = cut(pieces, mtu), 0.0, []
        for size, at in pieces:
            free = max(free, at) + (size + 20) * 8 / 10e6
            arrived.append((size, free + 1e-3))
        pieces = arrived
        counts.append(len(pieces))
    return pieces[-1][1], counts


class Fragments(EmulatorTest):

    def test_times_and_counts(self):
        for payload in (572, 573, 1472, 1473, 3000, 9000, 65507):
            with self.subTest(payload=payload):
                found = self.simulate(self.compile(ALONE, "-D", f"payload={payload}B"))
                [workload] = found["workloads"]
                expected, counts = time_of(payload)
                self.assertAlmostEqual(workload["delay_seconds"]["min"], expected, places=8)
                self.assertAlmostEqual(workload["datagrams"]["sent"], 200, delta=1)
                self.assertEqual(workload["datagrams"]["lost"], 0)
                self.assertGreaterEqual(workload["datagrams"]["received"], workload["datagrams"]["sent"] - 1)
                packets = found["packets"]
                whole = workload["datagrams"]["received"]
                self.assertEqual(packets["reassembly"], {"whole": whole if counts[-1] > 1 else 0, "timed_out": 0, "no_room": 0, "discarded": 0})
                self.assertAlmostEqual(packets["delivered"], whole * counts[-1], delta=counts[-1])
                made = sum(count for before, count in zip([1] + counts, counts) if count > before)
                if counts[0] == 1:  # what a router cuts is one packet, or each of the host's fragments that is too long
                    self.assertAlmostEqual(packets["fragments"], whole * made, delta=made)
                self.assertEqual(packets["dropped"]["mtu"], 0)

    def test_what_may_not_be_cut_is_lost(self):
        found = self.simulate(self.compile(MODEL, "-D", "cut=false", "-D", "payload=1000B", "-D", "echo=1000B"))
        self.assertEqual(found["packets"]["fragmented"], 0)
        self.assertGreater(found["packets"]["dropped"]["mtu"], 500)
        self.assertTrue(all(w.get("datagrams", w.get("requests"))["received"] == 0 for w in found["workloads"]))

    def test_a_datagram_is_lost_with_any_of_its_fragments(self):
        # 3008 bytes are 576 + 576 + 328 twice, and 48.
        text = ALONE.replace("duration = 20 s", "duration = 400 s").replace("interval = 100 ms", "interval = 40 ms")
        found = self.simulate(self.compile(text, "-D", "loss=5%"))
        [workload] = found["workloads"]
        datagrams, packets = workload["datagrams"], found["packets"]
        self.assertAlmostEqual(datagrams["received"] / datagrams["sent"], 0.95 ** 7, delta=0.015)
        # Each counts once, where its first fragment is lost, or 30 s after others are: not yet at the end.
        self.assertLessEqual(datagrams["received"] + datagrams["lost"], datagrams["sent"])
        self.assertGreater((datagrams["received"] + datagrams["lost"]) / datagrams["sent"], 1 - 40 / 400)
        self.assertEqual(packets["reassembly"]["whole"], datagrams["received"])
        incomplete = (1 - 0.95 ** 7 - 0.05 ** 7) * datagrams["sent"] * 370 / 400
        self.assertAlmostEqual(packets["reassembly"]["timed_out"] / incomplete, 1, delta=0.05)

    def test_short_runs_count_them(self):
        """Of 20 s, which is less than the 30 s after which a datagram is given up."""
        found = self.simulate(self.compile(ALONE, "-D", "loss=10%", "-D", "payload=3000B"))
        counted = found["workloads"][0]["datagrams"]
        self.assertGreater(counted["lost"], 60)  # of 200, in six fragments: 94
        self.assertLessEqual(counted["sent"] - counted["received"] - counted["lost"], 2)

    def test_hosts_behind_a_nat_share_no_identifications(self):
        """Their fragments are not put together: each datagram takes as long as without a NAT."""
        model = """
import std.traffic
import std.middlebox
model M {
  host a[10]
  router box { middlebox = middlebox.nat(a[*]) }
  host b
  link a[*] -- box { rate = 100 Mbps, delay = 1 ms }
  link out: box -- b { rate = 1 Gbps, delay = 1 ms, loss = 10 % }
  workload w : traffic.Cbr on a[*] { to = b, payload = 3000 B, interval = 200 ms, fragments = true }
  run { duration = 20 s }
}
"""
        [workload] = self.simulate(self.compile(model))["workloads"]
        counted = workload["datagrams"]
        self.assertAlmostEqual(counted["received"] / counted["sent"], 0.9 ** 3, delta=0.05)
        self.assertLess(workload["delay_seconds"]["max"], 3e-3)

    def test_corrupted_fragments_are_found_by_the_checksum(self):
        found = self.simulate(self.compile(ALONE.replace("loss = loss", "corrupt = 3 %")))
        [workload] = found["workloads"]
        self.assertGreater(found["packets"]["reassembly"]["discarded"], 10)
        self.assertEqual(found["packets"]["reassembly"]["timed_out"], 0)
        self.assertAlmostEqual(workload["datagrams"]["received"] / workload["datagrams"]["sent"], 0.97 ** 7, delta=0.08)
        self.assertEqual(found["packets"]["reassembly"]["whole"], workload["datagrams"]["received"])
        self.assertAlmostEqual(workload["datagrams"]["received"] + workload["datagrams"]["lost"], workload["datagrams"]["sent"], delta=1)

    def test_tshark_puts_them_together(self):
        emulator, capture = self.compile(MODEL, "-D", "echo=20000B"), self.folder / "mid.pcap"
        run(emulator, "simulate", "--for", "3s", "--capture", f"mid={capture}")
        shown = lambda *options: run("tshark", "-n", "-r", capture, "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", *options).stdout
        self.assertEqual(shown("-Y", "_ws.malformed || ip.checksum.status == 0 || udp.checksum.status == 0 || icmp.checksum.status == 0"
                                     " || ip.fragment.error || ip.fragment.overlap || frame.len > 600"), "")
        whole = [int(length) for length in shown("-Y", "ip.reassembled.length", "-T", "fields", "-e", "ip.reassembled.length").split()]
        self.assertEqual(set(whole), {3008, 20008})
        self.assertEqual(shown("-Y", "ip.flags.df == 1"), "")

    def test_alike_however_it_is_run(self):
        self.however_it_is_run(MODEL.replace("loss: ratio = 0", "loss: ratio = 5 %").replace("duration = 20 s", "duration = 40 s"),
                               "workloads", "packets")


if __name__ == "__main__":
    unittest.main()
