"""What stands between hosts, against arithmetic: NAT, firewalls, processing in nodes, limits of ICMP; alike however it is run."""
import math
import unittest

from emulators import ANMLC, EmulatorTest, run

HOMES = """
import std.middlebox
import std.traffic
import std.web

component Home(pcs: int = 3) {
  host pc[pcs]
  router box { middlebox = middlebox.nat(pc[*], NAT) }
  link lan[pcs]: pc[*] -- box { rate = 100 Mbps, delay = 1 ms }
}
model M {
  Home home[4]
  router isp
  link up[4]: home[*].box -- isp { rate = 10 Mbps, delay = 5 ms }
  host resolver
  endpoint server { simulated = web.server() }
  link a: isp -- resolver { rate = 100 Mbps, delay = 1 ms, mtu = MTU B }
  link b: isp -- server { rate = 100 Mbps, delay = 1 ms, mtu = MTU B }
  workload ping : traffic.Ping on home[*].pc[*] { to = resolver, interval = 200 ms, PING }
  workload ask : traffic.Requests on home[*].pc[*] { to = resolver, think = THINK }
  workload browse : web.ClosedLoop on home[*].pc[*] { server = server, documents = web.fixed(20 KB), think = 500 ms }
  MORE
  run { duration = 10 s }
}
"""


def homes(nat="", ping="", think="300 ms", more="", mtu=1500):
    text = HOMES
    for name, value in (("NAT", nat), ("PING", ping), ("THINK", think), ("MORE", more), ("MTU", str(mtu))):
        text = text.replace(f"middlebox.nat(pc[*], {name})" if name == "NAT" else name,
                            f"middlebox.nat(pc[*]{', ' if value else ''}{value})" if name == "NAT" else value)
    return text


def workload(results, name):
    return next(w for w in results["workloads"] if w["name"] == name)


class Nat(EmulatorTest):

    def run_homes(self, **options):
        return self.simulate(self.compile(homes(**options)))

    def all_answered(self, results):
        ping, ask, browse = (workload(results, name) for name in ("ping", "ask", "browse"))
        self.assertGreater(ping["requests"]["received"], 500)
        self.assertEqual((ping["requests"]["lost"], ask["requests"]["lost"]), (0, 0))
        self.assertEqual(browse["transactions"]["failed"], 0)
        self.assertGreater(browse["transactions"]["completed"], 100)

    def test_hosts_inside_are_answered(self):
        results = self.run_homes()
        self.all_answered(results)
        for box in results["middleboxes"]:
            self.assertEqual(box["kind"], "nat")
            self.assertEqual((box["refused"], box["filtered"], box["expired"]), (0, 0, 0))
            # Of each host an identifier and a port of UDP, and one of TCP for each connection.
            self.assertGreater(box["mappings"], 3 * 3)
            self.assertEqual(box["open"], box["sessions"])
        self.assertEqual([box["node"] for box in results["middleboxes"]], [f"home[{i}].box" for i in range(4)])

    def test_sessions_end(self):
        results = self.run_homes(nat="udp_timeout = 100 ms, icmp_timeout = 150 ms")
        self.all_answered(results)
        # Each request and each ping comes when the session of the last one is over.
        asked = workload(results, "ask")["requests"]["sent"] + workload(results, "ping")["requests"]["sent"]
        expired = sum(box["expired"] for box in results["middleboxes"])
        self.assertAlmostEqual(expired / asked, 1, delta=0.03)

    def test_nobody_outside_begins(self):
        results = self.run_homes(more="""workload pry : traffic.Ping on resolver { to = home[0].pc[0], interval = 100 ms }
          workload flood : traffic.Cbr on resolver { to = home[0].box, rate = 100 Kbps }""")
        pry, flood = workload(results, "pry"), workload(results, "flood")
        self.assertEqual(pry["requests"]["received"], 0)
        self.assertEqual(flood["datagrams"]["received"], 0)
        self.assertEqual(results["middleboxes"][0]["filtered"], results["packets"]["dropped"]["middlebox"])
        # What is on its way at the end is not counted.
        self.assertAlmostEqual(results["middleboxes"][0]["filtered"], pry["requests"]["sent"] + flood["datagrams"]["sent"], delta=2)

    def test_no_room(self):
        results = self.run_homes(nat="first_port = 5000, last_port = 5000")
        box = results["middleboxes"][0]
        self.assertGreater(box["refused"], 0)
        # One identifier and one port of UDP for three hosts: who came first is answered.
        self.assertEqual(workload(results, "ping")["requests"]["lost"] > 0, False)
        self.assertGreater(workload(results, "ping")["requests"]["unreachable"], 0)

    def test_errors_come_back(self):
        results = self.run_homes(ping="ttl = 2")
        requests = workload(results, "ping")["requests"]
        self.assertAlmostEqual(requests["time_exceeded"], requests["sent"], delta=12)
        results = self.run_homes(ping="payload = 3000 B, fragments = true")
        self.assertEqual(workload(results, "ping")["requests"]["lost"], 0)
        self.assertGreater(results["packets"]["reassembly"]["whole"], 0)

    def test_paths_have_an_mtu(self):
        self.all_answered(self.run_homes(mtu=1000))

    def test_links_inside_have_an_mtu(self):
        # Who tells of it is a router inside, whether the NAT is told of it or not.
        results = {}
        for inside in ("pc", "[pc, near, far]"):
            results[inside] = self.simulate(self.compile(INSIDE.replace("INSIDE", inside).replace("TTL", "64")))
            transactions = workload(results[inside], "browse")["transactions"]
            self.assertEqual(transactions["failed"], 0)
            self.assertGreater(transactions["completed"], 15)
        self.assertEqual(*(r["digest"] for r in results.values()))

    def test_what_dies_is_not_translated(self):
        for ttl, translated in ((1, 0), (2, 2)):  # the second one's error comes back
            results = self.simulate(self.compile(INSIDE.replace("INSIDE", "pc").replace("TTL", str(ttl + 2))))
            requests = workload(results, "ping")["requests"]
            self.assertEqual(requests["time_exceeded"], requests["sent"])
            browsed = self.simulate(self.compile(INSIDE.replace("INSIDE", "pc").replace("TTL", "1")))["middleboxes"][0]["translated"]
            self.assertEqual(results["middleboxes"][0]["translated"] - browsed, translated * requests["sent"])

    def test_slow_downs_are_not_known(self):
        results = self.simulate(self.compile(FLOWS))
        behind, known = workload(results, "behind"), workload(results, "known")
        self.assertGreater(behind["transfers"]["completed"], 100)
        self.assertIsNone(behind["slowdown"]["mean"])
        self.assertGreaterEqual(known["slowdown"]["mean"], 0.99)

    def test_alike_however_it_is_run(self):
        (digest, workloads, _), _ = self.however_it_is_run(homes(nat="udp_timeout = 100 ms", ping="payload = 3000 B, fragments = true"),
                                                           "workloads", "middleboxes")
        self.either_tier_has(homes(nat="udp_timeout = 100 ms", ping="payload = 3000 B, fragments = true"), digest, workloads)


INSIDE = """
import std.middlebox
import std.traffic
import std.web
model M {
  host pc
  router near
  router far
  router box { middlebox = middlebox.nat(INSIDE) }
  router isp
  endpoint server { simulated = web.server() }
  link a: pc -- near { rate = 100 Mbps, delay = 1 ms }
  link b: near -- far { rate = 100 Mbps, delay = 1 ms, mtu = 1000 B }
  link c: far -- box { rate = 100 Mbps, delay = 1 ms }
  link d: box -- isp { rate = 100 Mbps, delay = 1 ms }
  link e: isp -- server { rate = 100 Mbps, delay = 1 ms }
  workload browse : web.ClosedLoop on pc { server = server, documents = web.fixed(20 KB), think = 500 ms }
  workload ping : traffic.Ping on pc { to = server, interval = 99 ms, ttl = TTL }
  run { duration = 10 s }
}
"""

FLOWS = """
import std.middlebox
import std.traffic
model M {
  host pc
  host free
  router box { middlebox = middlebox.nat(pc) }
  host sink
  link a: pc -- box { rate = 10 Mbps, delay = 10 ms }
  link b: free -- box { rate = 10 Mbps, delay = 10 ms }
  link c: box -- sink { rate = 100 Mbps, delay = 1 ms }
  workload behind : traffic.Flows on pc { to = sink, size = 10 KB, interval = exponential(20 ms) }
  workload known : traffic.Flows on free { to = sink, size = 10 KB, interval = exponential(20 ms) }
  run { duration = 5 s }
}
"""

SITE = """
import std.middlebox
import std.traffic
import std.web
model M {
  host pc[3]
  endpoint site { simulated = web.server() }
  host outside
  router wall { middlebox = middlebox.firewall([RULES], OTHERWISE) }
  link l[3]: pc[*] -- wall { rate = 100 Mbps, delay = 1 ms }
  link m: site -- wall { rate = 100 Mbps, delay = 1 ms }
  link n: outside -- wall { rate = 100 Mbps, delay = 1 ms }
  workload out : traffic.Ping on pc[*] { to = outside, interval = 100 ms }
  workload knock : traffic.Ping on outside { to = pc[0], interval = 100 ms }
  workload ask : traffic.Requests on outside { to = pc[1] }
  workload browse : web.ClosedLoop on outside { server = site, documents = web.fixed(5 KB), think = 100 ms, connect_timeout = 1 s }
  run { duration = 10 s }
}
"""


def site(rules, otherwise="otherwise = drop"):
    return SITE.replace("RULES", rules).replace("OTHERWISE", otherwise)


class Firewall(EmulatorTest):

    def figures(self, *model):
        results = self.simulate(self.compile(site(*model)))
        return {w["name"]: w for w in results["workloads"]}, results["middleboxes"][0], results

    def test_what_answers_passes(self):
        workloads, box, results = self.figures("middlebox.allow(pc[*])")
        self.assertEqual(workloads["out"]["requests"]["lost"], 0)
        self.assertGreater(workloads["out"]["requests"]["received"], 290)
        self.assertEqual(workloads["knock"]["requests"]["received"], 0)
        self.assertEqual(workloads["ask"]["requests"]["received"], 0)
        self.assertEqual(workloads["browse"]["transactions"]["completed"], 0)
        self.assertEqual(box["dropped"], results["packets"]["dropped"]["middlebox"])

    def test_ports_and_prefixes(self):
        workloads, _, _ = self.figures("middlebox.allow(destination = [site], protocol = tcp, port = 80), middlebox.allow(source_prefix = [10.0.0.0/8], protocol = icmp)")
        self.assertEqual(workloads["browse"]["transactions"]["failed"], 0)
        self.assertGreater(workloads["browse"]["transactions"]["completed"], 50)
        self.assertEqual(workloads["knock"]["requests"]["lost"], 0)
        self.assertEqual(workloads["ask"]["requests"]["received"], 0)

    def test_prefixes_of_ipv6(self):
        text = """
import std.middlebox
import std.traffic
model M {
  addressing { ipv6 = 2001:db8::/64 }
  host one { ipv6 = 2001:db8:1::1 }
  host two { ipv6 = 2001:db8:2::1 }
  host server
  router wall { middlebox = middlebox.firewall([middlebox.allow(source_prefix = PREFIX)]) }
  link a: one -- wall { rate = 100 Mbps, delay = 1 ms }
  link b: two -- wall { rate = 100 Mbps, delay = 1 ms }
  link c: server -- wall { rate = 100 Mbps, delay = 1 ms }
  workload first : traffic.Ping on one { to = server, family = ipv6, interval = 100 ms }
  workload second : traffic.Ping on two { to = server, family = ipv6, interval = 100 ms }
  workload old : traffic.Ping on one { to = server, family = ipv4, interval = 100 ms }
  run { duration = 2 s }
}
"""
        for prefix, passes in (("[2001:db8:1::/48]", (1, 0, 0)), ("[2001:db8:2::1/128, 10.0.0.0/8]", (0, 1, 1)),
                               ("[::/0]", (1, 1, 0)), ("[10.0.0.0/8]", (0, 0, 1)), ("[0.0.0.0/0]", (1, 1, 1))):
            results = self.simulate(self.compile(text.replace("PREFIX", prefix)))
            received = [workload(results, name)["requests"]["received"] > 0 for name in ("first", "second", "old")]
            self.assertEqual(received, [bool(p) for p in passes], prefix)
        # The network as a program has them, too.
        model = self.fresh("prefixes.anml")
        model.write_text(text.replace("PREFIX", "[2001:db8:1::/48]"))
        written = self.simulate(self.compile(run(ANMLC, "--emit", "anml", model).stdout))
        self.assertEqual(written["digest"], self.simulate(self.compile(model))["digest"])

    def test_reject_tells(self):
        workloads, box, _ = self.figures("middlebox.reject(source = [outside])")
        # A reset ends a connection at once, so that the next one comes after the think time; ICMP tells of others.
        causes = workloads["browse"]["transactions"]["failed_by_cause"]
        self.assertGreater(causes["reset"], 10)
        self.assertEqual(causes["reset"], workloads["browse"]["transactions"]["failed"])
        self.assertGreater(workloads["knock"]["requests"]["unreachable"], 90)
        self.assertGreater(box["rejected"], 110)

    def test_a_selection_of_none_is_nobody(self):
        for source, received in (("[]", 1), ("none[*]", 0), ("[none[*]]", 0), ("[pc[i] for i in 0 ..< len(none)]", 0), ("pc[0 ..< len(none)]", 0)):
            text = site(f"middlebox.allow({source}, protocol = icmp)").replace("host outside", "host none[zero]\n  host outside")
            model = self.fresh("none.anml")
            model.write_text(text.replace("model M {", "model M(zero: int = 0) {"))
            results = self.simulate(self.compile(model))
            self.assertEqual(workload(results, "knock")["requests"]["received"] > 0, received, source)
            # The network as a program has no array of none any more, and does the same.
            written = self.simulate(self.compile(run(ANMLC, "--emit", "anml", model).stdout))
            self.assertEqual(written["digest"], results["digest"], source)

    def test_alike_however_it_is_run(self):
        text = site("middlebox.deny(destination = [pc[0]]), middlebox.allow(destination = [site], protocol = tcp, port = 80)", "otherwise = reject")
        (digest, workloads, _), _ = self.however_it_is_run(text, "workloads", "middleboxes")
        self.either_tier_has(text, digest, workloads)


# Eight clients, each with a connection at a time, and three servers of which the last may be slow.
FARM = """
import std.middlebox
import std.traffic
import std.web
model M {
  ADDRESSING
  host pc[8]
  router core
  endpoint site[2] { simulated = web.server(service = 5 ms, port = SERVED) }
  endpoint last { simulated = web.server(service = SLOW, port = SERVED) }
  router lb { middlebox = middlebox.load_balancer(BALANCER) }
  link pc[*] -- lb { rate = 100 Mbps, delay = 1 ms }
  link lb -- core { rate = 1 Gbps, delay = 1 ms }
  link site[*] -- core { rate = 1 Gbps, delay = 1 ms }
  link end: last -- core { rate = 1 Gbps, delay = 1 ms }
  workload browse : web.ClosedLoop on pc[*] { server = lb, documents = web.fixed(5 KB), think = exponential(50 ms), MORE }
  EXTRA
  run { duration = 20 s }
}
"""
ALL = "middlebox.back_end([site[*], last])"


def farm(balancer=ALL, slow="5 ms", served=80, more="", extra="", addressing=""):
    text = FARM.replace("BALANCER", balancer).replace("SLOW", slow).replace("SERVED", str(served)).replace("EXTRA", extra)
    return text.replace("{ addressing", "{").replace("MORE", more).replace("ADDRESSING", addressing).replace("}, }", "} }").replace(", }", " }")


class LoadBalancer(EmulatorTest):
    """A load balancer of layer 4, by closed forms."""

    def run_farm(self, *arguments, **options):
        results = self.simulate(self.compile(farm(*arguments, **options)))
        box = results["middleboxes"][0]
        self.assertEqual(box["kind"], "load_balancer")
        return results, box, [one["connections"] for one in box["back_ends"]]

    def test_round_robin_shares_exactly(self):
        results, box, shares = self.run_farm()
        transactions = workload(results, "browse")["transactions"]
        self.assertEqual((transactions["failed"], box["refused"], box["reset"]), (0, 0, 0))
        self.assertGreater(transactions["completed"], 1500)
        # A connection for each transaction, and those under way at the end.
        self.assertTrue(0 <= box["connections"] - transactions["completed"] <= 8)
        self.assertEqual(sum(shares), box["connections"])
        self.assertLessEqual(max(shares) - min(shares), 1)
        self.assertEqual([one["node"] for one in box["back_ends"]], ["site[0]", "site[1]", "last"])
        self.assertTrue(all(1 <= one["peak"] <= 8 and one["failed"] == 0 for one in box["back_ends"]))

    def test_weights(self):
        groups = "[middlebox.back_end(site[0], weight = 3), middlebox.back_end(site[1], weight = 0), middlebox.back_end(last)]"
        _, box, shares = self.run_farm(groups)
        self.assertEqual(shares[1], 0)
        self.assertLessEqual(abs(shares[0] - 3 * shares[2]), 3)

    def test_least_connections_beat_round_robin_where_one_is_slow(self):
        mean, slowest = {}, {}
        for how in ("round_robin", "least_connections"):
            results, _, shares = self.run_farm(f"{ALL}, scheduling = {how}", slow="100 ms")
            mean[how] = workload(results, "browse")["response_time_seconds"]["mean"]
            slowest[how] = shares[2] / sum(shares)
        self.assertAlmostEqual(slowest["round_robin"], 1 / 3, places=2)
        self.assertLess(slowest["least_connections"], 0.2)
        self.assertLess(mean["least_connections"], 0.8 * mean["round_robin"])

    def test_a_hash_keeps_clients(self):
        # Who has asked once has its back end: with as many connections each, shares are multiples of one client's.
        _, box, shares = self.run_farm(f"{ALL}, scheduling = source_hash", more="begin_with = first, start_spread = 0 s, think = 50 ms".replace("think = 50 ms", "connections = 1"))
        one = box["connections"] / 8
        for share in shares:
            self.assertLess(abs(share / one - round(share / one)), 0.15)

    def test_who_fails_is_left_out(self):
        down = "at 5 s { end down }\n  at 12 s { end up }"
        without, _, _ = self.run_farm(extra=down)
        results, box, shares = self.run_farm(f"{ALL}, max_fails = 1, fail_timeout = 2 s", extra=down)
        # In seven seconds the first who finds it gone, whoever has just connected besides, and one each two seconds.
        failed = box["back_ends"][2]["failed"]
        self.assertTrue(3 <= failed <= 12, failed)
        self.assertEqual(workload(results, "browse")["transactions"]["failed"], failed)
        self.assertGreater(workload(without, "browse")["transactions"]["failed"], 10 * failed)
        self.assertGreater(shares[0], 1.3 * shares[2])
        self.assertGreater(shares[2], 100)  # before and behind

    def test_ports_and_families_and_datagrams(self):
        results, box, shares = self.run_farm(f"{ALL}, to_port = 8080", served=8080, addressing="addressing { pool = 10.0.0.0/16, ipv6 = 2001:db8::/64 }",
                                             extra="""host far
  host resolver[2]
  router front { middlebox = middlebox.load_balancer(middlebox.back_end(resolver[*]), port = 53, to_port = 5353) }
  link resolver[*] -- core { rate = 1 Gbps, delay = 1 ms }
  link front -- core { rate = 1 Gbps, delay = 1 ms }
  link far -- core { rate = 1 Gbps, delay = 1 ms }
  workload ask : traffic.Requests on pc[*] { to = front, port = 53, think = 100 ms }
  workload send : traffic.Bulk on far { to = front, port = 53, size = 100 KB, transfers = 5 }
  workload ping : traffic.Ping on far { to = front, interval = 100 ms }""")
        self.assertEqual(workload(results, "browse")["transactions"]["failed"], 0)
        self.assertGreater(min(shares), 500)
        for name in ("ask", "ping"):
            self.assertEqual(workload(results, name)["requests"]["lost"], 0, name)
            self.assertGreater(workload(results, name)["requests"]["received"], 150, name)
        self.assertEqual(workload(results, "send")["transfers"]["completed"], 5)
        self.assertEqual([one["connections"] for one in results["middleboxes"][1]["back_ends"]][0] > 0, True)

    def test_servers_call_by_a_balancer(self):
        results, _, _ = self.run_farm(extra="""endpoint store[2] { simulated = web.server() }
  router inner { middlebox = middlebox.load_balancer(middlebox.back_end(store[*])) }
  link store[*] -- inner { rate = 1 Gbps, delay = 1 ms }
  link inner -- core { rate = 1 Gbps, delay = 1 ms }
  workload fetch : web.Calls on [site[*], last] { to = inner, documents = web.fixed(1 KB) }""")
        self.assertGreater(workload(results, "fetch")["transactions"]["completed"], 1000)
        self.assertEqual(workload(results, "fetch")["transactions"]["failed"], 0)
        inner = next(box for box in results["middleboxes"] if box["node"] == "inner")
        self.assertLessEqual(abs(inner["back_ends"][0]["connections"] - inner["back_ends"][1]["connections"]), 1)

    def test_alike_however_it_is_run(self):
        text = farm(f"{ALL}, scheduling = least_connections", slow="50 ms")
        (digest, workloads, _), _ = self.however_it_is_run(text, "workloads", "middleboxes")
        self.either_tier_has(text, digest, workloads)


class ClampedMss(EmulatorTest):
    """As by `iptables --clamp-mss-to-pmtu`: nothing is too long for the NAT's links, so no error tells of it."""

    def test_nothing_is_too_long(self):
        dropped = {}
        for clamp in ("false", "true"):
            text = INSIDE.replace("middlebox.nat(INSIDE)", f"middlebox.nat(pc, clamp_mss = {clamp})").replace("TTL", "64")
            text = text.replace("far -- box { rate = 100 Mbps, delay = 1 ms }", "far -- box { rate = 100 Mbps, delay = 1 ms, mtu = 900 B }").replace(", mtu = 1000 B", "")
            results = self.simulate(self.compile(text))
            self.assertEqual(workload(results, "browse")["transactions"]["failed"], 0)
            dropped[clamp] = results["packets"]["dropped"]["mtu"]
        self.assertEqual(dropped["false"], 10)  # the first window; the server knows then, for all its connections
        self.assertEqual(dropped["true"], 0)


PATH = """
import std.traffic
model M {
  host a, b
  switch s { S }
  router r { R }
  link l: a -- s { rate = 100 Mbps, delay = 1 ms }
  link m: s -- r { rate = 100 Mbps, delay = 1 ms }
  link n: r -- b { rate = 100 Mbps, delay = 1 ms }
  WORKLOAD
  run { duration = 20 s }
}
"""


def path(workload_text, r="", s=""):
    text = PATH.replace("host a, b", "host a\n  host b").replace("WORKLOAD", workload_text)
    return text.replace("{ S }", f"{{ {s} }}" if s else "").replace("{ R }", f"{{ {r} }}" if r else "")


PING = "workload w : traffic.Ping on a { to = b, interval = 100 ms }"
CBR = "workload w : traffic.Cbr on a { to = b, interval = 1 ms, payload = 100 B }"


BOTH = """
import std.middlebox
import std.traffic
model M {
  addressing { pool = 10.0.0.0/16, ipv6 = 2001:db8::/64 }
  host pc[2]
  host friend
  router nat { middlebox = middlebox.nat(pc[*]) }
  router wall { middlebox = middlebox.firewall([middlebox.RULE(source = ALLOWED)], otherwise = reject) }
  host server
  link pc[*] -- nat { rate = 10 Mbps, delay = 1 ms }
  link nat -- wall { rate = 10 Mbps, delay = 1 ms }
  link friend -- wall { rate = 10 Mbps, delay = 1 ms }
  link wall -- server { rate = 10 Mbps, delay = 1 ms }
  workload ping : traffic.Ping on pc[*] { to = server, interval = 100 ms }
  workload other : traffic.Ping on friend { to = server, interval = 100 ms }
  run { duration = 5 s }
}
"""


class BothFamilies(EmulatorTest):
    """Workloads go by IPv6 where all have it."""

    def pings(self, allowed, rule="allow"):
        results = self.simulate(self.compile(BOTH.replace("ALLOWED", allowed).replace("RULE", rule)))
        return {name: workload(results, name)["requests"] for name in ("ping", "other")}, results

    def test_ipv6_passes_a_nat_as_it_is_and_rules_name_nodes(self):
        pings, results = self.pings("pc[*]")
        self.assertGreater(pings["ping"]["received"], 90)
        self.assertEqual(pings["other"]["received"], 0)
        self.assertGreater(pings["other"]["unreachable"], 40)
        nat = next(box for box in results["middleboxes"] if box["kind"] == "nat")
        self.assertEqual((nat["mappings"], nat["translated"], nat["filtered"]), (0, 0, 0))
        pings, _ = self.pings("friend")
        self.assertEqual(pings["ping"]["received"], 0)
        self.assertGreater(pings["other"]["received"], 45)


class FragmentsOfIpv6(EmulatorTest):
    """Only their sender may cut them, so they leave a middlebox as they have come."""

    def model(self, box, mtu=1500):
        return f"""
import std.middlebox
import std.traffic
model M {{
  addressing {{ pool = 2001:db8::/64 }}
  host pc
  host srv
  router box {{ middlebox = {box} }}
  link down: pc -- box {{ rate = 100 Mbps, delay = 1 ms }}
  link up: box -- srv {{ rate = 100 Mbps, delay = 1 ms, mtu = {mtu} B }}
  workload ping : traffic.Ping on srv {{ to = pc, interval = 10 ms, payload = 3000 B, fragments = true }}
  workload cbr : traffic.Cbr on pc {{ to = srv, interval = 10 ms, payload = 4000 B, fragments = true }}
  run {{ duration = 2 s }}
}}"""

    def test_they_pass(self):
        for box in ("middlebox.firewall(otherwise = allow)", "middlebox.nat(pc)"):
            for mtu in (1500, 1300):
                results = self.simulate(self.compile(self.model(box, mtu)))
                requests, datagrams = workload(results, "ping")["requests"], workload(results, "cbr")["datagrams"]
                # Who learns the path's MTU first loses what it sent before.
                self.assertLessEqual(requests["lost"] + datagrams["lost"], 2 if mtu != 1500 else 0)
                self.assertGreater(requests["received"], 195)
                self.assertGreater(datagrams["received"], 195)
                self.assertEqual(results["packets"]["reassembly"]["discarded"], 0)

    def test_they_are_cut_as_before(self):
        without = self.model("").replace("{ middlebox =  }", "")
        times = [workload(self.simulate(self.compile(text)), "cbr")["delay_seconds"]["min"]
                 for text in (without, self.model("middlebox.firewall(otherwise = allow)"))]
        # 4008 bytes in three pieces of 1448 or less. A router sends the first one on when it is there, a middlebox when all are.
        framed = [40 + 8 + n for n in (1448, 1448, 4008 - 2 * 1448)]
        self.assertAlmostEqual(times[1] - times[0], sum(framed[1:]) * 8 / 100e6, delta=8e-6)

    def test_alike_however_it_is_run(self):
        text = self.model("middlebox.firewall(otherwise = allow)")
        (digest, workloads, _), _ = self.however_it_is_run(text, "workloads", "middleboxes")
        self.either_tier_has(text, digest, workloads)


class Processing(EmulatorTest):

    def one(self, text):
        results = self.simulate(self.compile(text))
        [figures] = results["workloads"]
        return figures, results

    def test_a_delay_is_added_on_both_ways(self):
        base = self.one(path(PING))[0]["round_trip_seconds"]["min"]
        slow = self.one(path(PING, r="processing = processing(delay = 30 us)", s="processing = processing(service = 5 us)"))[0]
        self.assertAlmostEqual(slow["round_trip_seconds"]["min"] - base, 2 * 35e-6, places=9)
        self.assertAlmostEqual(slow["round_trip_seconds"]["max"] - base, 2 * 35e-6, places=9)

    def test_a_processor_that_is_too_slow_drops(self):
        figures, results = self.one(path(CBR, r="processing = processing(service = 4 ms, packets = 10)"))
        # It takes 250 of 1000 in a second; eleven are there when it is full.
        self.assertAlmostEqual(figures["datagrams"]["received"], 20 * 250, delta=15)
        self.assertEqual(figures["datagrams"]["lost"], results["packets"]["dropped"]["processing"])
        base = self.one(path(CBR))[0]["delay_seconds"]["min"]
        # Who is admitted finds up to ten that wait, and up to a whole service left.
        self.assertAlmostEqual(figures["delay_seconds"]["max"] - base, 44e-3, delta=1e-3)

    def test_waiting_is_that_of_d_m_1(self):
        # Regular arrivals at a server with exponential times of mean 0.7 of the interval: the time in the system is 1 / (mu (1 - s)), s = exp(-mu (1 - s) T).
        base = self.one(path(CBR))[0]["delay_seconds"]["mean"]
        measured = self.one(path(CBR, r="processing = processing(service = exponential(700 us), packets = 1000)"))[0]["delay_seconds"]["mean"]
        s = 0.5
        for _ in range(100):
            s = math.exp(-(1 - s) / 0.7)
        self.assertAlmostEqual((measured - base) / (700e-6 / (1 - s)), 1, delta=0.06)

    def test_order_stays(self):
        figures, _ = self.one(path(PING.replace("100 ms", "1 ms"), r="processing = processing(delay = uniform(1 ms, 20 ms))"))
        self.assertEqual(figures["requests"]["lost"], 0)

    def test_alike_however_it_is_run(self):
        text = path(CBR, r="processing = processing(service = exponential(700 us), delay = uniform(1 ms, 2 ms))", s="processing = processing(delay = 5 us)")
        (digest, workloads), _ = self.however_it_is_run(text, "workloads")
        self.either_tier_has(text, digest, workloads)


class IcmpLimits(EmulatorTest):

    def exceeded(self, limits):
        text = path("workload w : traffic.Ping on a { to = b, interval = 10 ms, ttl = 1 }", r=limits)
        results = self.simulate(self.compile(text))
        return results["workloads"][0]["requests"]["time_exceeded"], results["packets"]["icmp_withheld"]

    def test_all_without_limits(self):
        exceeded, withheld = self.exceeded("")
        self.assertGreater(exceeded, 1990)
        self.assertEqual(withheld, 0)

    def test_linux_sends_six_and_then_one_a_second(self):
        exceeded, withheld = self.exceeded("icmp_limits = icmp_limits()")
        self.assertEqual(exceeded, 6 + 19)
        self.assertAlmostEqual(exceeded + withheld, 2000, delta=2)

    def test_all_addresses_together(self):
        exceeded, _ = self.exceeded("icmp_limits = icmp_limits(interval = 0 s, rate = 10, all_burst = 5)")
        self.assertAlmostEqual(exceeded, 5 + 10 * 20, delta=2)


if __name__ == "__main__":
    unittest.main()
