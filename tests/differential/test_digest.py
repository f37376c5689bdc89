"""The same scenario gives the same packets, however it is compiled and run."""
import unittest

from emulators import ALL, TIERS, WAN, EmulatorTest, essence

# Links of {rates}: what the optimised tier knows of them beforehand depends on how many rates there are, and on whether a
# byte takes whole nanoseconds.
LINKS = """
import std.web
model Links(tunable R: rate in 1 Mbps .. 1 Gbps = 10 Mbps) {{
  endpoint server {{ simulated = web.server(service = 1 ms) }}
  router   r[3]
  host     near[4]
  host     far[4]
  profile wire : Link {{ rate = {0}, delay = 1 ms, queue = droptail(64 KB), mtu = 1500 B }}
  link entry: r[0] -- server : wire {{ mtu = {3} B, queue = droptail(20 KB) }}
  link a: r[1] -- r[0]       : wire {{ rate = {1}, queue = droptail(20 KB) }}
  link b: r[2] -- r[1]       : wire {{ rate = {2}, queue = droptail(20 KB) }}
  link n: near[*] -- r[1]    : wire
  link f: far[*] -- r[2]     : wire
  workload v : web.ClosedLoop on near[*] {{ server = server, documents = web.fixed(30 KB), think = 0 s }}
  workload w : web.ClosedLoop on far[*]  {{ server = server, documents = web.fixed(3 KB), think = 1 ms }}
  run {{ duration = 5 s }}
}}
"""


class Digest(EmulatorTest):
    SIZE = ("-D", "N=3", "-D", "H=4")
    RUN = ("--for", "12s")

    @unittest.skipUnless(ALL, "where all is tried: test_tiers.py compares the tiers")
    def test_tiers_agree(self):
        plain = self.simulate(self.compile(WAN, *self.SIZE, "-O0"), *self.RUN)
        optimised = self.simulate(self.compile(WAN, *self.SIZE, "-O2"), *self.RUN)
        self.assertGreater(plain["transactions"]["completed"], 1000)
        self.assertEqual(essence(plain), essence(optimised))

    @unittest.skipUnless(ALL, "where all is tried: test_tiers.py has one, two and more rates")
    def test_tiers_agree_on_links(self):
        mixtures = (
            ("10 Mbps", "10 Mbps", "10 Mbps", 1500),  # one rate
            ("100 Mbps", "10 Mbps", "10 Mbps", 1500),  # two
            ("100 Mbps", "10 Mbps", "1 Mbps", 1500),  # three
            ("100 Mbps", "7 Mbps", "7 Mbps", 1500),  # fractions of nanoseconds
            ("100 Mbps", "R", "10 Mbps", 1500),  # known only at start
            ("100 Mbps", "10 Mbps", "10 Mbps", 1000),  # different MTUs: ICMP errors, path MTU discovery
        )
        for mixture in mixtures:
            with self.subTest(mixture):
                model = self.fresh("links.anml")
                model.write_text(LINKS.format(*mixture))
                for tasks in (1, 3):
                    plain, optimised = (
                        self.simulate(self.compile(model, level, "--tasks", tasks), "--threads", threads)
                        for level, threads in (("-O0", 1), ("-O2", 2))
                    )
                    self.assertGreater(plain["transactions"]["completed"], 30)
                    self.assertEqual(essence(plain), essence(optimised))

    def test_runs_repeat(self):
        emulator = self.compile(WAN, *self.SIZE)
        first = self.simulate(emulator, *self.RUN)
        for _ in range(2):
            self.assertEqual(essence(first), essence(self.simulate(emulator, *self.RUN)))

    def test_compiling_repeats(self):
        self.assertEqual(self.compile(WAN, *self.SIZE).read_bytes(), self.compile(WAN, *self.SIZE).read_bytes())

    def test_a_tunable_fixed_and_set_are_the_same(self):
        tunable = self.compile(WAN, *self.SIZE)
        fixed = self.compile(WAN, *self.SIZE, "-D", "D=4 ms")
        slow = self.simulate(tunable, *self.RUN, "--set", "D=4ms")
        self.assertEqual(essence(slow), essence(self.simulate(fixed, *self.RUN)))
        self.assertNotEqual(slow["digest"], self.simulate(tunable, *self.RUN)["digest"])

    def test_a_capture_changes_nothing(self):
        emulator = self.compile(WAN, *self.SIZE)
        captured = self.simulate(emulator, *self.RUN, "--capture", f"entry={self.fresh('entry.pcap')}")
        self.assertEqual(essence(captured), essence(self.simulate(emulator, *self.RUN)))

    def test_threads_and_partitions_agree(self):
        """With losses, so that retransmissions and drops are in the comparison too."""
        size = ("-D", "N=4", "-D", "H=16")
        run = ("--for", "12s", "--set", "Q=4KB")
        expected = self.simulate(self.compile(WAN, *size, "--tasks", 1), *run)
        self.assertEqual(expected["tasks"], 1)
        self.assertGreater(expected["packets"]["dropped"]["queue"], 0)
        for tasks, level in ((2, "-O0"), (5, "-O2"), (16, "-O2" if ALL else "-O0")):
            emulator = self.compile(WAN, *size, "--tasks", tasks, level)
            for threads in (1, 2, 3, 4, 8):
                found = self.simulate(emulator, *run, "--threads", threads)
                self.assertEqual(found["digest"], expected["digest"], f"{tasks} tasks, {threads} threads")
                self.assertEqual(found["transactions"]["completed"], expected["transactions"]["completed"])
                self.assertEqual(found["threads"], min(threads, found["tasks"]))

    def test_named_tasks_change_nothing(self):
        text = WAN.read_text()
        named = text.replace("  router gateway", '  @task("gate") router gateway')
        named = named.replace("  endpoint server", '  @task("server")\n  endpoint server')
        self.assertEqual(named.count("@task"), 2)
        size, run = ("-D", "N=3", "-D", "H=16"), ("--for", "12s")
        expected = self.simulate(self.compile(WAN, *size, "--tasks", 1), *run)
        emulator = self.compile(named, *size)
        for threads in (1, 2, 5):
            found = self.simulate(emulator, *run, "--threads", threads)
            self.assertGreaterEqual(found["tasks"], 5 if threads == 5 else 1)  # joined to one for each thread
            self.assertEqual(found["digest"], expected["digest"], f"{threads} threads")

    def test_queues_in_packets(self):
        """A limit that is never reached changes nothing; one that is reached drops alike on all threads."""
        text = WAN.read_text()
        self.assertIn("queue = droptail(Q)", text)

        def model(queue, *options):
            changed = text.replace("queue = droptail(Q)", f"queue = {queue}")
            return self.compile(changed, "-D", "N=2", "-D", "H=64", "--tasks", 3, *options)

        run = ("--for", "12s", "--set", "D=0.1ms")
        plain = self.simulate(model("droptail(512 KB)"), *run)
        self.assertEqual(plain["packets"]["dropped"]["queue"], 0)
        long = self.simulate(model("droptail(packets = 5000)"), *run)
        for figure in ("digest", "packets", "transactions"):
            self.assertEqual(plain[figure], long[figure])
        short = model("droptail(packets = 2)")
        first = self.simulate(short, *run, "--threads", 1)
        self.assertGreater(first["packets"]["dropped"]["queue"], 0)
        dropped = sum(link["dropped"] for link in first["busiest_links"])
        self.assertGreater(dropped, 0)
        self.assertLessEqual(dropped, first["packets"]["dropped"]["queue"])
        self.assertEqual(essence(first), essence(self.simulate(short, *run, "--threads", 3)))
        for tier in TIERS[1:]:
            other = self.simulate(model("droptail(packets = 2)", tier), *run)
            self.assertEqual(first["digest"], other["digest"], tier)

    def test_losses_repeat(self):
        emulator = self.compile(WAN, "-D", "N=2", "-D", "H=64")
        small = ("--for", "12s", "--set", "Q=2KB", "--set", "D=0.1ms")
        first = self.simulate(emulator, *small)
        self.assertGreater(first["packets"]["dropped"]["queue"], 0)
        self.assertGreater(first["retransmissions"], 0)
        self.assertEqual(essence(first), essence(self.simulate(emulator, *small)))


if __name__ == "__main__":
    unittest.main()
