"""Queues with a discipline: alike however they are run, and the same model again from what is written of it."""
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.queue
import std.traffic
model M {{
  host a[4]
  host b[4]
  router r
  router s
  link a[*] -- r {{ rate = 100 Mbps, delay = 1 ms }}
  link core: r -- s {{ rate = 10 Mbps, delay = 10 ms, jitter = exponential(100 us), up {{ queue = {queue} }} }}
  link s -- b[*] {{ rate = 100 Mbps, delay = 1 ms }}
  workload w : traffic.Bulk on a[*] {{ to = b[*] }}
  {change}
  run {{ duration = 3 s }}
}}
"""
QUEUES = {
    "red": ("queue.red(128 KB, minimum_threshold = 15 KB, maximum_threshold = 45 KB)",
            "queue.red(128 KB, minimum_threshold = 60 KB, maximum_threshold = 120 KB)"),
    "codel": ("queue.codel(512 KB)", "queue.codel(256 KB, target = 20 ms)"),
    "adaptive_red": ("queue.adaptive_red(128 KB, rate = 10 Mbps)", "queue.adaptive_red(128 KB, rate = 10 Mbps, target_delay = 30 ms)"),
    "threshold": ("queue.threshold(128 KB, mark = 15 KB, drop_others = true)", "queue.threshold(128 KB, mark = 45 KB, drop_others = true)"),
    "pie": ("queue.pie(512 KB)", "queue.pie(256 KB, target = 40 ms)"),
    "fq_codel": ("queue.fq_codel(packets = 200)", "queue.fq_codel(packets = 100, fairness = flow_by_source)"),
    "drr": ("queue.drr(64 KB)", "queue.drr(64 KB, flows = 2)"),
    "sfq": ("queue.sfq()", "queue.sfq(packets = 60, perturbation = 200 ms)"),
    "htb": ("queue.htb(64 KB, rate = 1 Mbps, ceil = 3 Mbps)", "queue.htb(64 KB, rate = 1 Mbps, ceil = 2 Mbps)"),
    "htb_classes": ('queue.htb_classes(64 KB, [queue.htb_class("x", rate = 1 Mbps, ceil = 3 Mbps, dscp = 46), queue.htb_class("all", rate = 2 Mbps, ceil = 9 Mbps), queue.htb_class("y", parent = "all", rate = 1 Mbps, ceil = 8 Mbps)])',
                    'queue.htb_classes(48 KB, [queue.htb_class("y", rate = 1 Mbps, ceil = 6 Mbps)])'),
    "priority": ("queue.priority(64 KB)", "queue.priority(32 KB, bands = wifi)"),
    "token_bucket": ("queue.token_bucket(128 KB, rate = 2 Mbps)", "queue.token_bucket(64 KB, rate = 5 Mbps, burst = 30 KB)"),
}


def change(queue):
    return f"at 1 s {{ core {{ up {{ queue = {queue} }} }} }}"


class Disciplines(EmulatorTest):

    def digest(self, text, *options):
        return self.simulate(self.compile(text, *options))["digest"]

    def test_alike_in_both_tiers_and_on_any_number_of_threads(self):
        for name, (first, second) in QUEUES.items():
            with self.subTest(name):
                text = MODEL.format(queue=first, change=change(second))
                (digest, workloads), _ = self.however_it_is_run(text, "workloads")
                self.either_tier_has(text, digest, workloads)

    def test_the_timeline_changes_thresholds(self):
        for name, (first, second) in QUEUES.items():
            with self.subTest(name):
                still, changed = (self.digest(MODEL.format(queue=first, change=c)) for c in ("", change(second)))
                self.assertNotEqual(still, changed)
                self.assertEqual(self.digest(MODEL.format(queue=first, change=change(first))), still)

    def test_the_expansion_and_an_exchanged_graph_are_the_same_network(self):
        for name, (first, second) in QUEUES.items():
            with self.subTest(name):
                model = self.fresh("model.anml")
                model.write_text(MODEL.format(queue=first, change=change(second)))
                self.assertEqual(self.digest(run(ANMLC, "--emit=anml", model).stdout), self.digest(model.read_text()))
                model.write_text(MODEL.format(queue=first, change=""))
                graph, again = self.fresh("graph.json"), self.fresh("again.anml")
                run(ANMLC, "graph", model, "-o", graph)
                run(ANMLC, "import", graph, "-o", again)
                self.assertEqual(self.digest(again), self.digest(model))

    def test_info_shows_the_parameters(self):
        emulator = self.compile(MODEL.format(queue=QUEUES["red"][0], change=change(QUEUES["red"][1])))
        text = run(emulator, "info").stdout
        self.assertIn("(red: minimum_threshold 15 KB, maximum_threshold 45 KB", text)
        self.assertIn("core> queue = 128 KB (red: minimum_threshold 60 KB", text)

    def refused(self, text, name):
        model = self.fresh("model.anml")
        model.write_text(text)
        done = run(ANMLC, "check", model, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"[{name}]", done.stderr)

    def test_a_queue_does_not_become_another_one(self):
        red, codel = QUEUES["red"][0], QUEUES["codel"][0]
        self.refused(MODEL.format(queue=red, change=change(codel)), "fixed-attribute")
        self.refused(MODEL.format(queue="droptail(64 KB)", change=change(red)), "fixed-attribute")


if __name__ == "__main__":
    unittest.main()
