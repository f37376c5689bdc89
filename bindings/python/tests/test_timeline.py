"""Links whose directions differ and that lose packets, and what changes while a model runs."""
import pathlib
import unittest

import anml
from anml import Kbps, Mbps, ms, s


def branches():
    model = anml.Model("Branches")
    branch = model.component("Branch")
    pcs = branch.parameter("pcs", "int", 4)
    server = branch.parameter("server", "node")
    gateway, pc = branch.router("gateway"), branch.host("pc", pcs)
    branch.link(pc.all, gateway, anml.ether.fast, name="desk")
    surf = branch.workload("surf", anml.web.ClosedLoop, on=pc.all, server=server, documents=anml.web.fixed(4 * anml.KB),
                           think=anml.exponential(100 * ms))
    with branch.during(2 * s, 2.5 * s) as then:
        then.off(surf)

    server = model.endpoint("server", simulated=anml.web.server())
    core = model.router("core")
    site = model.instance(branch, "site", count=3, pcs=2, server=server)
    uplink = model.link(site.all.gateway, core, name="uplink", delay=2 * ms, up={"rate": 1 * Mbps}, down={"rate": 8 * Mbps})
    last = model.link(core, server, anml.ether.gigabit)
    with model.at(1 * s) as then:
        then.down(uplink[1])
        then.require(~anml.reachable(site[1].pc[0], server))
    with model.at(1.5 * s) as then:
        then.up(uplink[1])
        then.down(site[0].desk[1], site[2].gateway)
        then.require(anml.rtt(site[1].pc[0], server) == 4 * ms)
    with model.every(1 * s, start=3 * s, end=6 * s) as then:
        then.down(last)
    with model.every(1 * s, start=3.25 * s, end=6 * s) as then:
        then.up(last)
    with model.at(6 * s) as then:
        then.change(uplink.all, delay=4 * ms, down={"rate": 500 * Kbps, "queue": "droptail(16 KB)"})
        then.off(site[0].surf)
    with model.at(7 * s) as then:
        then.on(site[0].surf)
        then.change(site[1].surf, active=0.5)
    model.ramp(7 * s, 8 * s, site[2].surf, active=(1, 0.5))
    model.ramp(6 * s, 7 * s, uplink[0], every=100 * ms, rate=(4 * Mbps, 1 * Mbps), up={"delay": (2 * ms, 30 * ms)})
    model.run(8 * s)
    return model


class Timeline(unittest.TestCase):
    def test_text(self):
        text = branches().source()
        for line in ("up { rate = 1 Mbps }", "down { rate = 8 Mbps }", "from 2 s to 2.5 s {\n    surf off\n  }", "uplink[1] down",
                     "require !reachable(site[1].pc[0], server)", "every 1 s from 3 s to 6 s {\n    core -- server down\n  }",
                     "uplink[*] { delay = 4 ms, down { rate = 500 Kbps, queue = droptail(16 KB) } }", "site[0].surf off",
                     "site[1].surf { active = 0.5 }", "ramp from 7 s to 8 s { site[2].surf { active = 1 .. 0.5 } }",
                     "ramp from 6 s to 7 s every 100 ms { uplink[0] { rate = 4 Mbps .. 1 Mbps, up { delay = 2 ms .. 30 ms } } }"):
            self.assertIn(line, text)

    def test_runs(self):
        results = branches().compile(level=0).run()
        self.assertGreater(results["packets.dropped.link"], 0)
        self.assertGreater(results["transactions.completed"], 0)

    def test_refuses(self):
        model = anml.Model("Wrong")
        a, b = model.router("a"), model.router("b")
        line = model.link(a, b, rate=1 * Mbps)
        with self.assertRaisesRegex(ValueError, "only a link with a name"):
            line[0]
        with self.assertRaisesRegex(ValueError, "nothing is changed"):
            with model.at(1 * s) as then:
                then.change(line)
        with self.assertRaisesRegex(ValueError, "nothing is changed"):
            model.ramp(1 * s, 2 * s, line)
        with self.assertRaisesRegex(ValueError, "has a name"):
            model.link(a, b, rate=1 * Mbps, index=3)

    def test_errors_name_the_line(self):
        model = anml.Model("Wrong")
        a, b = model.router("a"), model.router("b")
        model.link(a, b, rate=1 * Mbps, name="line")
        with model.at("never"):  # the time
            pass
        with model.loop("i", 0, "many"):  # the bound
            pass
        with model.at(1 * s) as then:
            then.change(anml.Link(anml.expr("lost")), rate=1 * Mbps)  # the link
        model.run(2 * s)
        with self.assertRaises(anml.CompileError) as caught:
            model.compile(level=0)
        lines = pathlib.Path(__file__).read_text().splitlines()
        for comment in ("# the time", "# the bound", "# the link"):
            number = next(i for i, line in enumerate(lines, 1) if line.endswith(comment))
            self.assertIn(f"test_timeline.py:{number}", str(caught.exception))


class Links(unittest.TestCase):
    def test_impairments(self):
        model = anml.Model("Lossy")
        quality = model.tunable("quality", "ratio", 1 * anml.percent, range=(0, 1))
        hub, pc = model.host("hub"), model.host("pc", 2)
        model.link(hub, pc.all, name="radio", rate=10 * Mbps, delay=5 * ms, loss=anml.loss.bursts(share=quality, length=3),
                   jitter=anml.truncated(anml.exponential(1 * ms), 0 * s, 9 * ms), in_order=False,
                   down={"duplicate": 1 * anml.percent})
        model.workload("talk", anml.traffic.Cbr, on=hub, to=pc[0], interval=1 * ms)
        model.workload("back", anml.traffic.Cbr, on=pc[1], to=hub, interval=1 * ms)
        model.run(5 * s)
        emulator = model.compile(level=0)
        links = {link["name"]: link for link in emulator.run(quality=20 * anml.percent)["impaired_links"]}
        self.assertAlmostEqual(links["radio[0]>"]["lost"] / 5000, 0.2, delta=0.06)
        self.assertEqual(links["radio[0]>"]["duplicated"], 0)
        self.assertGreater(links["radio[1]<"]["duplicated"], 20)
        self.assertGreater(links["radio[0]>"]["reordered"], 0)
        self.assertEqual(sum(link["lost"] for link in emulator.run(quality=0)["impaired_links"]), 0)

    def test_one_way(self):
        model = anml.Model("Beam")
        model.routing(metric="hops")
        west, east = model.host("west"), model.host("east")
        a, b = model.router("a"), model.router("b")
        model.link(west, a, anml.ether.fast)
        model.link(east, b, anml.ether.fast)
        model.link(a, b, one_way=True, rate=50 * Mbps, delay=250 * ms, name="beam")
        model.link(b, a, one_way=True, rate=1 * Mbps, delay=10 * ms, name="modem")
        model.require(anml.rtt(west, east) == 260 * ms)
        model.require((anml.bottleneck(west, east) == 50 * Mbps) & (anml.hops(east, west) == 3))
        model.workload("news", anml.traffic.Bulk, on=west, to=east)
        model.run(2 * s)
        self.assertEqual(model.check(), "")


class Components(unittest.TestCase):
    def test_extend_and_override(self):
        model = anml.Model("Company")
        small = model.component("Small")
        hosts, access = small.parameter("hosts", "int"), small.parameter("access", "Link", anml.ether.fast)
        gateway, pc = small.router("gateway"), small.host("pc", hosts)
        small.link(pc.all, gateway, access, name="desk")
        small.port("wan", gateway)
        office = model.component("Office")
        staff = office.parameter("staff", "int")
        office.extends(small, hosts=staff + 1)
        office.override("desk", delay=0.1 * ms)
        core = model.router("core")
        branch = model.instance(office, "branch", count=3, staff=4)
        model.link(branch.all.wan, core, name="line", rate=10 * Mbps, delay=5 * ms)
        model.require(anml.rtt(branch[0].pc[4], branch[1].pc[0]) == 20.4 * ms)
        ring = model.instance(anml.topology.Ring, "ring", nodes=4)
        model.link(ring.node[0], core, anml.ether.gigabit)
        model.run(1 * s)
        model.compile(level=0)

    def test_static_route(self):
        model = anml.Model("Static")
        a, b, c = (model.router(name) for name in "abc")
        for left, right in ((a, b), (b, c), (a, c)):
            model.link(left, right, rate=1 * Mbps, delay=1 * ms)
        model.route(a, to=c, via=b)
        model.require(anml.hops(a, c) == 2)
        model.run(1 * s)
        model.compile(level=0)


if __name__ == "__main__":
    unittest.main()
