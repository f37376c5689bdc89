"""Classes of HTB with rates of their own against closed forms: what they are sure of, what is lent in proportion to rates, ceilings of classes and of those above
them, priorities; whose packets are whose; alike however they are run."""
import unittest

from emulators import ANMLC, EmulatorTest, run

MODEL = """
import std.queue
import std.traffic
model M {{
  host a[{hosts}]
  router r
  host b
  link a[*] -- r {{ rate = 1 Gbps, delay = 1 ms }}
  link line: r -- b {{ rate = 10 Mbps, queue = queue.htb_classes(60 KB, [{classes}]) }}
  {more}
  run {{ duration = {duration}, warmup = 1 s }}
}}
"""
FLOW = "workload w{i} : traffic.Cbr on a[{host}] {{ to = b, rate = {rate} Mbps, payload = {payload} B, port = {port}{more} }}"


class HtbClasses(EmulatorTest):

    def rates(self, classes, flows, duration="11 s", more="", hosts=None):
        """What flows get, in Mbit/s of IP packets: of each the Mbit/s that it offers, bytes of payload, and what else it says. Flow i has port 1000 + i."""
        lines = [FLOW.format(i=i, host=i if hosts is None else hosts[i], rate=rate, payload=payload, port=1000 + i, more=also)
                 for i, (rate, payload, also) in enumerate(flows)]
        text = MODEL.format(hosts=len(flows), classes=", ".join(classes), more="\n  ".join(lines + [more]), duration=duration)
        results = self.simulate(self.compile(text))
        seconds = float(duration.split()[0]) - 1
        return [next(w for w in results["workloads"] if w["name"] == f"w{i}")["datagrams"]["received"] * (payload + 28) * 8 / seconds / 1e6
                for i, (_, payload, _) in enumerate(flows)]

    def shares(self, classes, offered, expected, payloads=None, delta=0.005):
        """A flow for each leaf, which its port tells."""
        payloads = payloads or [1472] * len(offered)
        found = self.rates(classes, [(rate, payload, "") for rate, payload in zip(offered, payloads)])
        print(f"offered {offered}: {[round(f, 4) for f in found]} Mbit/s, closed form {[round(e, 4) for e in expected]}")
        for f, e in zip(found, expected):
            self.assertAlmostEqual(f / e, 1, delta=delta)

    def leaf(self, i, rate, ceil=10, **more):
        others = "".join(f", {name} = {value}" for name, value in more.items())
        return f'queue.htb_class("leaf {i}", rate = {rate} Mbps, ceil = {ceil} Mbps, protocol = udp, port = {1000 + i}{others})'

    def test_what_is_left_is_shared_in_proportion_to_rates(self):
        classes = [self.leaf(i, rate) for i, rate in enumerate((5, 3, 1))]
        self.shares(classes, (12, 12, 12), (5 + 5 / 9, 3 + 3 / 9, 1 + 1 / 9))
        self.shares(classes, (12, 12, 12), (5 + 5 / 9, 3 + 3 / 9, 1 + 1 / 9), payloads=(200, 1472, 700))  # by bytes, not by packets
        self.shares(classes, (2, 12, 12), (2, 3 + 4 * 3 / 4, 1 + 4 / 4))

    def test_an_idle_class_lends_all(self):
        classes = [self.leaf(i, rate) for i, rate in enumerate((5, 3, 1))]
        found = self.rates(classes, [(0.0118, 1472, ""), (12, 1472, ""), (12, 1472, "")])
        self.assertAlmostEqual(found[1], 7.5 - found[0] * 0.75, delta=0.02)
        self.assertAlmostEqual(found[2], 2.5 - found[0] * 0.25, delta=0.02)

    def test_ceilings_bound(self):
        self.shares([self.leaf(0, 5, 5.2), self.leaf(1, 3), self.leaf(2, 1)], (12, 12, 12), (5.2, 3 + 0.8 * 3 / 4, 1 + 0.8 / 4))
        # All of them: the link is idle for the rest.
        self.shares([self.leaf(0, 2, 3), self.leaf(1, 1, 2), self.leaf(2, 1, 1)], (12, 12, 12), (3, 2, 1))

    def test_more_than_there_is_goes_by_rates(self):
        self.shares([self.leaf(0, 12, 12), self.leaf(1, 6, 6), self.leaf(2, 2, 2)], (15, 15, 15), (6, 3, 1), delta=0.01)

    def test_a_parents_ceiling_bounds_its_children(self):
        parent = 'queue.htb_class("parent", rate = 4 Mbps, ceil = 4 Mbps)'
        below = {"parent": '"parent"'}
        self.shares([parent, self.leaf(0, 1, **below), self.leaf(1, 2, **below), self.leaf(2, 5)], (12, 12, 12), (1 + 1 / 3, 2 + 2 / 3, 6))
        # What the one leaves is its sibling's, not the other's.
        found = self.rates([parent, self.leaf(0, 1, **below), self.leaf(1, 2, **below), self.leaf(2, 5)], [(0.5, 1472, ""), (12, 1472, ""), (12, 1472, "")])
        for f, e in zip(found, (0.5, 3.5, 6)):
            self.assertAlmostEqual(f, e, delta=0.02)

    def test_what_a_parent_has_left_is_its_childrens_first(self):
        """Left: 6 of which 2 + 1 are sure, the rest of the 6 is theirs, two to one. Right: 2, and 1 of them is sure. What the link has left, 2, all borrow by their rates."""
        classes = ['queue.htb_class("left", rate = 6 Mbps, ceil = 10 Mbps)', 'queue.htb_class("right", rate = 2 Mbps, ceil = 10 Mbps)',
                   self.leaf(0, 2, parent='"left"'), self.leaf(1, 1, parent='"left"'), self.leaf(2, 1, parent='"right"')]
        self.shares(classes, (12, 12, 12), (4 + 2 * 2 / 4, 2 + 2 / 4, 2 + 2 / 4), delta=0.01)

    def test_three_levels(self):
        classes = ['queue.htb_class("top", rate = 8 Mbps, ceil = 8 Mbps)', 'queue.htb_class("middle", parent = "top", rate = 4 Mbps, ceil = 6 Mbps)',
                   self.leaf(0, 1, parent='"middle"'), self.leaf(1, 3, parent='"middle"'), self.leaf(2, 1, parent='"top"'), self.leaf(3, 1)]
        # Of the top's 8, 5 are sure; 3 more are lent, one to three to one, until the middle has its 6.
        top = 8 - 5
        each = top / 5
        self.assertGreater(4 + 4 * each, 6)  # so the middle's ceiling binds: the rest is the other's
        self.shares(classes, (12, 12, 12, 12), (1.5, 4.5, 2, 2), delta=0.01)

    def test_the_lowest_priority_borrows_first(self):
        self.shares([self.leaf(0, 2, 6, priority=1), self.leaf(1, 2), self.leaf(2, 2, priority=1)], (12, 12, 12), (2, 6, 2))
        # And its ceiling leaves some for the others.
        self.shares([self.leaf(0, 2, 6, priority=1), self.leaf(1, 2, 4), self.leaf(2, 2, priority=1)], (12, 12, 12), (3, 4, 3))

    def test_whose_packets_are_whose(self):
        """Each flow is of one class only, by something else; the last class has the rest."""
        classes = ['queue.htb_class("by dscp", rate = 1 Mbps, dscp = 46)', 'queue.htb_class("by source", rate = 1.5 Mbps, source = a[1])',
                   'queue.htb_class("by ports", rate = 0.5 Mbps, protocol = udp, first_port = 1002, last_port = 1003)', 'queue.htb_class("by target", rate = 2 Mbps, destination = r)',
                   'queue.htb_class("of icmp", rate = 0.25 Mbps, protocol = icmp)', 'queue.htb_class("rest", rate = 3 Mbps)']
        found = self.rates(classes, [(5, 1472, ", dscp = 46"), (5, 1472, ""), (5, 1472, ""), (5, 1472, ""), (5, 1472, ""), (5, 1472, "")])
        self.assertAlmostEqual(found[0], 1, delta=0.01)
        self.assertAlmostEqual(found[1], 1.5, delta=0.01)
        # Two flows of one queue, alike in all, share it as their packets happen to come.
        self.assertAlmostEqual(found[2] + found[3], 0.5, delta=0.005)
        self.assertAlmostEqual(found[4] + found[5], 3, delta=0.02)

    def test_nothing_is_lost_on_the_way(self):
        classes = [self.leaf(0, 5), self.leaf(1, 3), self.leaf(2, 1)]
        text = MODEL.format(hosts=3, classes=", ".join(classes), duration="3 s", more="\n  ".join(
            FLOW.format(i=i, host=i, rate=6, payload=1472, port=1000 + i, more="") for i in range(3))).replace(", warmup = 1 s", "")
        packets = self.simulate(self.compile(text))["packets"]
        waiting = packets["sent"] - packets["delivered"] - sum(packets["dropped"].values())
        self.assertGreater(packets["dropped"]["queue"], 1000)
        self.assertLessEqual(abs(waiting), 3 * 60 * 1024 / 1500 + 10)

    def test_buckets_fill_by_the_rate_of_the_time(self):
        """Bursts of 250 KB, from a bucket of 300 KB: the second one finds it full, though nobody looked at it since the rate rose."""
        for queue in ("queue.htb(2 MB, rate = {rate}, burst = 300 KB)", "queue.htb_classes(2 MB, [queue.htb_class(\"all\", rate = {rate}, ceil = {rate}, burst = 300 KB)])"):
            text = f"""
import std.queue
import std.traffic
model M {{
  host a
  host b
  link line: a -- b {{ rate = 1 Gbps, delay = 1 ms, queue = {queue.format(rate="1 Kbps")} }}
  workload one : traffic.Cbr on a {{ to = b, rate = 8 Mbps, payload = 972 B, start_spread = 0 s }}
  at 250 ms {{ one off }}
  at 2 s {{ line {{ queue = {queue.format(rate="400 Kbps")} }} }}
  at 12 s {{ one on }}
  at 12250 ms {{ one off }}
  run {{ duration = 20 s }}
}}
"""
            self.assertLess(self.simulate(self.compile(text))["workloads"][0]["delay_seconds"]["max"], 0.0011)

    def test_another_list_on_the_way(self):
        """The timeline gives a class another rate, takes one away and brings one: what waits in those that stay, stays."""
        new = self.leaf(0, 1, 1), self.leaf(1, 3, 3), self.leaf(2, 2, 2)
        more = f'at 1 s {{ line {{ queue = queue.htb_classes(60 KB, [{", ".join(new)}]) }} }}'
        found = self.rates([self.leaf(0, 4, 4), self.leaf(1, 3, 3)], [(6, 1472, ""), (6, 1472, ""), (6, 1472, "")], more=more)
        for f, e in zip(found, (1, 3, 2)):
            self.assertAlmostEqual(f, e, delta=0.06)  # what waited of the burst

    def test_alike_however_it_is_run(self):
        classes = ['queue.htb_class("left", rate = 6 Mbps, ceil = 8 Mbps)', self.leaf(0, 2, parent='"left"', burst="3 KB"), self.leaf(1, 1, parent='"left"', priority=1),
                   'queue.htb_class("tcp", rate = 2 Mbps, ceil = 10 Mbps, protocol = tcp, source = a[2])', 'queue.htb_class("rest", rate = 1 Mbps)']
        more = f"""{FLOW.format(i=0, host=0, rate=6, payload=1472, port=1000, more="")}
  {FLOW.format(i=1, host=1, rate=6, payload=300, port=1001, more="")}
  workload bulk : traffic.Bulk on a[2 .. 3] {{ to = b }}
  at 1500 ms {{ line {{ rate = 8 Mbps }} }}
  at 1600 ms {{ line down }}
  at 1700 ms {{ line up }}"""
        text = MODEL.format(hosts=4, classes=", ".join(classes), more=more, duration="3 s")
        (digest, links, workloads), _ = self.however_it_is_run(text, "busiest_links", "workloads")
        self.either_tier_has(text, digest, workloads)
        model = self.fresh("text.anml")
        model.write_text(text)
        self.assertEqual(self.simulate(self.compile(run(ANMLC, "--emit=anml", model).stdout))["digest"], digest)


if __name__ == "__main__":
    unittest.main(verbosity=2)
