"""Accurate ECN feedback (RFC 9768): what a queue marks is what the sender hears of, whatever becomes of acknowledgments."""
import unittest

from emulators import OTHER_TIER, EmulatorTest, run

MODEL = """
import std.queue
import std.tcp
import std.traffic

profile sends : Tcp {{ {sends} }}
profile receives : Tcp {{ {receives} }}

model Marks {{
  host a {{ tcp = sends }}
  router r
  router s
  host b {{ tcp = receives }}
  link near: a -- r {{ rate = 1 Gbps, delay = 1 ms }}
  link core: r -- s {{ rate = 20 Mbps, delay = 5 ms, queue = {queue} }}
  link far: s -- b {{ rate = 1 Gbps, delay = 1 ms, down {{ loss = {lost} }} }}
  workload w : traffic.Bulk on a {{ to = b, size = {size}, transfers = 1, start_spread = 0 s }}
  run {{ duration = 60 s }}
}}
"""
RED = "queue.red(1 MB, minimum_threshold = 15 KB, maximum_threshold = 60 KB, ecn = true)"
STEP = "queue.threshold(1 MB, mark = 30 KB)"
ACCURATE = "ecn = accurate"


class Accurate(EmulatorTest):
    def marks(self, sends=ACCURATE, receives=ACCURATE, queue=RED, size="10 MB", lost="0 %", captures=()):
        text = MODEL.format(sends=sends, receives=receives, queue=queue, size=size, lost=lost)
        options = [o for link, file in captures for o in ("--capture", f"{link}={file}")]
        return self.simulate(self.compile(text), *options)

    def core(self, results):
        return next(link for link in results["busiest_links"] if link["name"] == "core>")

    def check_marks(self, lost):
        """As a capture tells at the sender, and at the receiver."""
        here, there = self.fresh("near.pcap"), self.fresh("far.pcap")
        found = self.marks(lost=lost, captures=(("near<", here), ("far>", there)))
        marked = self.core(found)["marked"]
        self.assertGreater(marked, 30)
        lengths = run("tshark", "-n", "-r", there, "-Y", "ip.dsfield.ecn == 3", "-T", "fields", "-e", "tcp.len").stdout.split()
        self.assertEqual(len(lengths), marked)
        # As the sender reads it: the field goes round, the option says how much came marked in all.
        rows = run("tshark", "-n", "-r", here, "-Y", "tcp.flags.syn == 0", "-T", "fields", "-E", "separator=|", "-e", "tcp.flags",
                   "-e", "tcp.options.acc_ecn.eceb").stdout.splitlines()
        heard, bytes_heard = 5, 0
        for flags, eceb in (row.split("|") for row in rows[1:]):  # the first acknowledges the SYN/ACK
            heard += ((int(flags, 16) >> 6 & 7) - heard) % 8
            bytes_heard = max(bytes_heard, int(eceb or 0))
        self.assertEqual(heard - 5, marked)
        self.assertEqual(bytes_heard, sum(map(int, lengths)))
        return found

    def test_the_sender_hears_of_each_mark(self):
        found = self.check_marks("0 %")
        self.assertEqual(found["retransmissions"], 0)

    def test_the_sender_hears_of_each_mark_where_acknowledgments_are_lost(self):
        found = self.check_marks("30 %")
        self.assertGreater(found["packets"]["dropped"]["lost"], 100)

    def test_with_those_who_know_less_it_is_what_they_know(self):
        """ECN of RFC 3168 comes to the same as between two hosts that offer it; with a host without there is none."""
        classic = self.marks("ecn = offered", "ecn = accepted")
        for sends, receives in ((ACCURATE, "ecn = accepted"), (ACCURATE, "ecn = offered"), ("ecn = offered", ACCURATE)):
            found = self.marks(sends, receives)
            self.assertEqual(self.core(found)["marked"], self.core(classic)["marked"])
            self.assertEqual(found["events"], classic["events"])
        for sends, receives in ((ACCURATE, "ecn = none"), ("ecn = none", ACCURATE)):
            self.assertEqual(self.core(self.marks(sends, receives))["marked"], 0)

    def test_dctcp_needs_no_dctcp_at_the_other_side(self):
        """RFC 8257's receiver says of each segment whether it was marked; RFC 9768's tells as much to any law."""
        law = "congestion = dctcp, adaptive = true"
        both = self.marks(law, law, STEP, "40 MB")
        found = self.marks(f"{law}, {ACCURATE}", f"congestion = cubic, {ACCURATE}", STEP, "40 MB")
        for results in (both, found):
            self.assertEqual(results["packets"]["dropped"]["queue"], 0)
            self.assertGreater(self.core(results)["utilisation"] * 60, 40 * 1.048576 * 8 / 20)
        self.assertAlmostEqual(self.core(found)["marked"] / self.core(both)["marked"], 1, delta=0.25)

    def test_runs_are_alike_for_any_number_of_tasks(self):
        text = MODEL.format(sends=f"congestion = dctcp, {ACCURATE}", receives=ACCURATE, queue=STEP, size="2 MB", lost="5 %")
        digests = {self.simulate(self.compile(text, level, "--tasks", tasks), "--threads", tasks)["digest"]
                   for level, tasks in (("-O0", 1), ("-O0", 2), (OTHER_TIER, 1))}
        self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    unittest.main()
