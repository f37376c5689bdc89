"""--changes: what was changed in a run happens again, as a timeline would have it, however the model is run."""
import json
import unittest

from emulators import TIERS, EmulatorTest, run

MODEL = """
import std.web
import std.traffic

model Changed(tunable wan: time in 0 s .. 100 ms = 3 ms) {
  endpoint server { address = 10.0.0.80, simulated = web.server(service = exponential(1 ms)) }
  host pc[12]
  router site[3]
  router core
  for i in 0 ..< 3 { link desk[i]: pc[4 * i .. 4 * i + 3] -- site[i] { rate = 20 Mbps, delay = 0.3 ms, queue = droptail(40 KB) } }
  link up: site[*] -- core { rate = 5 Mbps, delay = wan, queue = droptail(30 KB) }
  link hosting: core -- server { rate = 50 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on pc[*] { server = server, documents = [web.fixed(3 KB), web.fixed(60 KB)], think = exponential(50 ms) }
  workload ticks : traffic.Cbr on pc[*] { to = server, rate = 300 Kbps, payload = 300 B }
  %s
  run { duration = 4 s }
}
"""

# What is entered, and the statement that says the same.
CHANGES = [
    (0.5, "link up rate=1 Mbps", "up[*] { rate = 1 Mbps }"),
    (0.75, "link up[1]> delay=20 ms,queue=8 KB", "up[1] { up { delay = 20 ms, queue = 8 KB } }"),
    (1.0, "link up[2] loss=5 %", "up[2] { loss = 5 % }"),
    (1.25, "workload ticks stop", "ticks off"),
    (1.5, "set wan=9 ms", "up[*] { delay = 9 ms }"),
    (1.75, "link desk[0][3] jitter=2 ms,duplicate=0.1", "desk[0][3] { jitter = 2 ms, duplicate = 0.1 }"),
    (2.0, "link up rate=7 Mbps", "up[*] { rate = 7 Mbps }"),
    (2.5, "workload ticks start", "ticks on"),
    (3.0, "link up[2] loss=0,corrupt=1 %", "up[2] { loss = 0, corrupt = 1 % }"),
]


class Changes(EmulatorTest):
    def emulator(self, timeline, *options):
        return self.compile(MODEL % timeline, *options)

    def file_of(self, changes, name="changes.json"):
        path = self.folder / name
        path.write_text(json.dumps([{"seconds": at, "what": what} for at, what in changes]))
        return path

    def results(self, emulator, *options, name="results.json"):
        path = self.folder / name
        run(emulator, "simulate", "--results", path, *options)
        return json.loads(path.read_text())

    def test_as_a_timeline(self):
        timeline = "".join(f"at {at} s {{ {statement} }}\n" for at, _, statement in CHANGES).replace("queue = 8 KB", "queue = droptail(8 KB)")
        path = self.file_of([(at, what) for at, what, _ in CHANGES])
        for level in TIERS:
            said = self.emulator(timeline, level)
            plain = self.emulator("", level, "--tasks", 4)
            for seed in (1, 7):
                expected = self.results(said, "--seed", seed, "--threads", 1)
                self.assertNotEqual(self.results(plain, "--seed", seed)["digest"], expected["digest"])
                for threads in (1, 2, 4):
                    with self.subTest(level=level, seed=seed, threads=threads):
                        got = self.results(plain, "--seed", seed, "--threads", threads, "--changes", path)
                        self.assertEqual(got["digest"], expected["digest"])
                        self.assertEqual(got["packets"], expected["packets"])
                        self.assertEqual(got["packet_hops"], expected["packet_hops"])

    def test_each_alone(self):
        plain = self.emulator("", "-O0", "--tasks", 4)
        for at, what, statement in CHANGES:
            with self.subTest(what):
                statement = statement.replace("queue = 8 KB", "queue = droptail(8 KB)")
                said = self.emulator(f"at {at} s {{ {statement} }}", "-O0")
                expected = self.results(said)["digest"]
                self.assertEqual(self.results(plain, "--changes", self.file_of([(at, what)]))["digest"], expected)

    def test_a_cut(self):
        """Routes stay: packets are sent into the cut, which a timeline would have routed around or refused."""
        plain = self.emulator("", "-O0", "--tasks", 4)
        path = self.file_of([(1, "link up[0] down"), (2, "link up[0] up")])
        cut = self.results(plain, "--changes", path, "--threads", 1)
        self.assertGreater(cut["packets"]["dropped"]["link"], 100)
        self.assertEqual(cut["packets"]["dropped"]["no_route"], 0)
        self.assertEqual([d["name"] for d in cut["timeline"]["downtime"]], ["up[0]"])
        self.assertEqual(cut["timeline"]["downtime"][0]["seconds"], 1)
        self.assertEqual(self.results(plain, "--changes", path, "--threads", 3)["digest"], cut["digest"])
        # Its results are such a file, too: what happened by the end.
        self.assertEqual(cut["changes"], [{"seconds": 1, "what": "link up[0] down"}, {"seconds": 2, "what": "link up[0] up"}])
        self.assertEqual(self.results(plain, "--changes", self.folder / "results.json", name="again.json")["digest"], cut["digest"])
        short = self.results(plain, "--changes", path, "--for", "1500 ms")
        self.assertEqual(len(short["changes"]), 1)

    def test_bad_files(self):
        plain = self.emulator("", "-O0", "--tasks", 4)
        def refused(text):
            path = self.folder / "bad.json"
            path.write_text(text)
            done = run(plain, "simulate", "--changes", path, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            return done.stderr
        self.assertIn("neither a results file nor a list", refused("{"))
        self.assertIn("neither a results file nor a list", refused('{"changes": 3}'))
        self.assertIn("change 1 has no `seconds` and `what`", refused('[{"seconds": 1}]'))
        self.assertIn("change 2 takes a number and a text",
                      refused('[{"seconds": 1, "what": "link up down"}, {"seconds": "1", "what": "link up down"}]'))
        self.assertIn("cannot be at -1 s", refused('[{"seconds": -1, "what": "link up down"}]'))
        self.assertIn("change 2 is earlier than the one before it",
                      refused('[{"seconds": 2, "what": "link up down"}, {"seconds": 1, "what": "link up up"}]'))
        self.assertIn("no such link `upp`", refused('[{"seconds": 1, "what": "link upp down"}]'))
        self.assertIn("no such tunable", refused('[{"seconds": 1, "what": "set x=1"}]'))
        done = run(plain, "simulate", "--changes", self.folder / "none.json", check=False)
        self.assertIn("No such file", done.stderr)
        self.assertIn("it is no file", run(plain, "simulate", "--changes", self.folder, check=False).stderr)


if __name__ == "__main__":
    unittest.main()
