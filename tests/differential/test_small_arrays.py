"""Arrays of no element and of one, in every construct of the language: whatever the compiler thinks of them, it says so or makes an emulator
that runs. Constructs are tried one by one; each with every count by every tool where ANML_ALL is set, otherwise each with none and some with one
and two, by turns."""
import os
import unittest

from emulators import ANMLC, EmulatorTest, run

# {n}: the count of arrays. `net`: statements of the model; `top`: declarations; `run`: no construct brings its own.
FRAME = """import std.ether
import std.loss
import std.tcp
import std.topology
import std.traffic
import std.web
{top}
model Small {{
  {net}
  run {{ duration = 20 ms }}
}}
"""
ENDPOINT = "endpoint srv {{ simulated = web.server(service = 1 ms), tcp = tcp.linux }}\n  router hub\n  link entry: srv -- hub : ether.gigabit\n  "
HOSTS = ENDPOINT + "host pc[{n}] {{ tcp = tcp.linux }}\n  link wire: pc[*] -- hub : ether.fast\n  "
ROUTERS = ENDPOINT + "router r[{n}]\n  link up: r[*] -- hub : ether.fast {{ delay = 1 ms }}\n  "
SITE = """component Site(hosts: int = {n}) {{
  router gate
  host pc[hosts]
  link desk: pc[*] -- gate : ether.fast
  workload look : traffic.Ping on pc[*] {{ to = gate }}
}}"""
SITES = ENDPOINT + "Site site[{n}]\n  link line: site[*].gate -- hub : ether.gigabit\n  "
BROWSE = "web.ClosedLoop on {on} {{{{ server = srv, documents = web.fixed(1 KB) }}}}"


def browse(on):
    return BROWSE.format(on=on)


# name: (top, net)
CONSTRUCTS = {
    # nodes
    "hosts": ("", HOSTS), "routers": ("", ROUTERS),
    "switches": ("", ENDPOINT + "switch s[{n}]\n  link s[*] -- hub : ether.fast"),
    "nothing else": ("", "host pc[{n}]"), "nothing linked": ("", "host pc[{n}]\n  router r[{n}]\n  switch s[{n}]"),
    "addresses": ("", ENDPOINT + "host pc[{n}] {{ address = 10.0.0.9 }}\n  link pc[*] -- hub : ether.fast"),
    "positions": ("", ENDPOINT + "host pc[{n}] {{ position = geo(index, 2) }}\n  link pc[*] -- hub : ether.fast"),
    "places": ("", ENDPOINT + "router pc[{n}] {{ position = plane(1, index) }}\n  link pc[*] -- hub : ether.fast"),
    "tasks": ("", ENDPOINT + "@task(\"x\") host pc[{n}]\n  link pc[*] -- hub : ether.fast"),
    # links
    "pairs": ("", "host a[{n}]\n  host b[{n}]\n  link x: a[*] -- b[*] : ether.fast"),
    "links of one": ("", ENDPOINT + "host pc[{n}]\n  link x: pc[0] -- hub : ether.fast"),
    "links of slices": ("", ENDPOINT + "host pc[{n}]\n  link x: pc[0 ..< {n}] -- hub : ether.fast"),
    "links of lists": ("", ENDPOINT + "host pc[{n}]\n  host q\n  link x: [pc[*], q] -- [hub, hub] : ether.fast"),
    "links of a list": ("", HOSTS + "router r2\n  link y: [pc[*], hub] -- r2 : ether.fast"),
    "one-way links": ("", HOSTS + "link back: hub -> pc[*] : ether.fast"),
    "links in a loop": ("", ENDPOINT + "host pc[{n}]\n  for i in 0 ..< {n} {{ link x[i]: pc[i] -- hub : ether.fast }}\n  at 1 ms {{ x[*] down }}"),
    "impairments": ("", HOSTS + "link lossy: pc[*] -- hub : ether.fast {{ loss = 1 %, jitter = exponential(1 ms), in_order = false, reorder = 1 % }}"),
    "directions": ("", HOSTS + "link odd: pc[*] -- hub {{ up {{ rate = 1 Mbps }} down {{ rate = 2 Mbps, loss = loss.bursts(1 %, 3) }} }}"),
    "relations": ("", ROUTERS + "link deal: r[*] -- hub : ether.fast {{ relation = customer }}"),
    "overrides": (SITE, SITES + "Site other[{n}] {{ override desk {{ delay = 1 ms }} override pc {{ tcp = tcp.linux }} }}\n  link more: other[*].gate -- hub : ether.fast"),
    # workloads
    "clients": ("", HOSTS + "workload w : " + browse("pc[*]")),
    "a client": ("", HOSTS + "workload w : " + browse("pc[0]")),
    "clients of no server": ("", "endpoint srv\n  host pc[{n}] {{ tcp = tcp.linux }}\n  link pc[*] -- srv : ether.fast\n  workload w : " + browse("pc[*]")),
    "open loop": ("", HOSTS + "workload w : web.OpenLoop on pc[*] {{ server = srv, documents = web.catalogue(9, 1 KB), interval = exponential(1 ms) }}"),
    "bulk": ("", HOSTS + "workload w : traffic.Bulk on pc[*] {{ to = srv, port = 99 }}"),
    "bulk to": ("", HOSTS + "host a\n  link a -- hub : ether.fast\n  workload w : traffic.Bulk on a {{ to = pc[*] }}"),
    "bulk to one": ("", HOSTS + "host a\n  link a -- hub : ether.fast\n  workload w : traffic.Bulk on a {{ to = pc[0] }}"),
    "pairing": ("", HOSTS + "workload w : traffic.Cbr on pc[*] {{ to = pc[*], pairing = permutation, rate = 1 Mbps }}"),
    "draws": ("", HOSTS + "workload w : traffic.Cbr on pc[*] {{ to = pc[*], pairing = at_random, rate = 1 Mbps }}"),
    "on and off": ("", HOSTS + "workload w : traffic.OnOff on pc[*] {{ to = hub, rate = 1 Mbps }}\n  workload v : traffic.OnOff on pc[*] {{ to = srv, rate = 1 Mbps }}"),
    "pings": ("", HOSTS + "workload w : traffic.Ping on pc[*] {{ to = hub }}"),
    "pings to": ("", ROUTERS + "host a\n  link a -- hub : ether.fast\n  workload w : traffic.Ping on a {{ to = r[*] }}"),
    "workloads in a loop": ("", HOSTS + "for i in 0 ..< {n} {{ workload w : traffic.Ping on pc[i] {{ to = hub }} }}"),
    "workloads over": ("", HOSTS + "for p in pc[*] {{ workload w : traffic.Ping on p {{ to = hub }} }}"),
    "two workloads": ("", HOSTS + "host q {{ tcp = tcp.linux }}\n  link q -- hub : ether.fast\n  workload w : " + browse("pc[*]") + "\n  workload v : " + browse("q")),
    "no documents": ("", HOSTS + "workload w : web.ClosedLoop on pc[*] {{ server = srv, documents = [] }}"),
    # components
    "instances": (SITE, SITES), "instances of one": (SITE, SITES + "link x: site[0].gate -- hub : ether.fast"),
    "clients of instances": (SITE, SITES + "workload w : " + browse("site[*].pc[*]")),
    "instances in instances": (SITE + "\ncomponent Town {{\n  router ring\n  Site site[{n}]\n  link line: site[*].gate -- ring : ether.fast\n}}",
                               ENDPOINT + "Town town[{n}]\n  link road: town[*].ring -- hub : ether.fast\n  workload w : " + browse("town[*].site[*].pc[*]")),
    "ports": ("component Box {{\n  router inner[{n}]\n  port wan = inner\n}}", ENDPOINT + "Box box[{n}]\n  link box[*].wan[*] -- hub : ether.fast"),
    "prefixes": ("component Net(p: prefix) {{\n  addressing {{ prefix = p }}\n  router r\n}}",
                 ENDPOINT + "Net net[{n}](p = subnet(10.3.0.0/16, 24, index))\n  link net[*].r -- hub : ether.fast"),
    "passed": (SITE + "\ncomponent Holder(what: component Site = Site) {{\n  what part[{n}]\n}}", ENDPOINT + "Holder h[{n}]\n  link h[*].part[*].gate -- hub : ether.fast"),
    "topologies": ("", ENDPOINT + "topology.Star star(leaves = {n})\n  link star.hub -- hub : ether.fast"),
    # expressions
    "lengths": (SITE, SITES + "host pc[{n}]\n  link pc[*] -- hub : ether.fast\n  require len(pc[*]) == {n} && len(site[*]) == {n}"),
    "lets": ("", HOSTS + "let some = pc[*]\n  workload w : traffic.Ping on some {{ to = hub }}"),
    "conditions": ("", HOSTS + "if len(pc[*]) > 0 {{ workload w : traffic.Ping on pc[0] {{ to = hub }} }}"),
    "lists": ("", HOSTS + "let l = pc[*]\n  for x in l {{ link x -- hub : ether.fast }}"),
    "nearest": ("", ENDPOINT + "router m[{n}] {{ position = geo(1, index) }}\n  router z {{ position = geo(1, 5) }}\n  link m[*] -- hub : ether.fast\n  link z -- m[nearest(m[*], z, 0)] : ether.fast"),
    "distances": ("", ENDPOINT + "router m[{n}] {{ position = geo(1, index) }}\n  link m[*] -- hub : ether.fast\n  router z {{ position = geo(1, 5) }}\n  link z -- hub {{ rate = 1 Gbps, delay = fibre_delay(z, m[0]) }}"),
    "paths": ("", HOSTS + "require rtt(pc[0], srv) < 1 s && hops(pc[0], srv) == 2 && reachable(pc[0], srv) && via(pc[0], hub, srv)"),
    "paths of": ("", ROUTERS + "require path(srv, hub, r[*]) || true\n  require disjoint_paths(srv, r[0]) >= 1"),
    "bdp": ("", HOSTS + "require bdp(wire[0]) < 1 GB"),
    # routing, addresses
    "region": ("", ROUTERS + "routing west on r[*] {{ metric = hops }}"),
    "region of one": ("", ROUTERS + "routing west on r[0] {{ metric = hops, multipath = ecmp }}"),
    "regions": ("component Area {{\n  routing {{ metric = cost }}\n  router r[{n}]\n  port way = r\n}}", ENDPOINT + "Area area[{n}]\n  link area[*].way[*] -- hub : ether.fast {{ cost = 3 }}"),
    "static routes": ("", ROUTERS + "route r[*] to srv via hub"),
    "static routes to": ("", ROUTERS + "router by\n  link by -- hub : ether.fast\n  route hub to r[*] via by"),
    "static routes to all": ("", HOSTS + "router by\n  link by -- hub : ether.fast\n  route by to pc[*] via hub"),
    "ecmp": ("", "routing {{ multipath = ecmp }}\n  " + ROUTERS + "host q\n  link q -- r[*] : ether.fast {{ delay = 1 ms }}\n  workload w : traffic.Ping on q {{ to = srv }}"),
    "cost": ("", "routing {{ metric = cost }}\n  " + ROUTERS + "at 1 ms {{ up[*] {{ cost = 7 }} }}"),
    # the timeline
    "links down": ("", HOSTS + "at 1 ms {{ wire[*] down }}\n  from 2 ms to 4 ms {{ wire[*] {{ rate = 1 Mbps }} }}"),
    "a link down": ("", HOSTS + "at 1 ms {{ wire[0] down }}"),
    "a slice down": ("", HOSTS + "at 1 ms {{ wire[0 ..< {n}] down }}"),
    "nodes down": ("", ROUTERS + "at 1 ms {{ r[*] down }}\n  at 2 ms {{ r[*] up }}"),
    "a pair down": ("", ROUTERS + "at 1 ms {{ r[0] -- hub down }}"),
    "ramps": ("", HOSTS + "ramp from 1 ms to 5 ms every 1 ms {{ wire[*] {{ delay = 1 ms .. 2 ms }} }}"),
    "every": ("", HOSTS + "every 2 ms {{ wire[*] {{ loss = 1 % }} }}\n  at 3 ms {{ wire[*] {{ queue = droptail(9 KB) }} }}"),
    "workloads off": (SITE, SITES + "at 1 ms {{ site[*].look off }}"),
    "links of instances": (SITE, SITES + "at 1 ms {{ site[*].desk[*] down }}\n  at 2 ms {{ line[*] down }}"),
    "nodes of instances": (SITE, SITES + "at 1 ms {{ site[*].gate down }}"),
    "requirements at": ("", HOSTS + "at 1 ms {{ wire[*] {{ delay = 9 ms }} require rtt(pc[0], srv) < 1 s }}"),
    "tunables": ("", HOSTS + "let T = 1 ms\n  at T {{ wire[*] down }}"),
}
ALL = "ANML_ALL" in os.environ
TOOLS = [["check"], ["lint"], ["analyze"], ["--emit=network", "-o", "-"], ["--emit=routes", "-o", "-"], ["--emit=tasks", "-o", "-"], ["--emit=plan", "-o", "-"],
         ["--emit=llvm", "-o", "-"]]
PICTURES = ("svg", "html", "dot", "d2", "mermaid")


class SmallArrays(EmulatorTest):
    def invoke(self, *command):
        done = run(*command, timeout=60, check=False)
        self.assertIn(done.returncode, (0, 1), f"{command}\n{done.stderr[-2000:]}")
        self.assertNotIn("internal error", done.stderr)
        self.assertEqual(done.returncode == 1, "error" in done.stderr, f"{command}\n{done.stderr}")
        return done

    def model(self, name, count):
        top, net = (part.format(n=count) for part in CONSTRUCTS[name])
        path = self.fresh("model.anml")
        path.write_text(FRAME.format(top=top, net=net))
        return path

    def tools(self, model, turn):
        for tool in TOOLS if ALL else (["lint"], TOOLS[2 + turn % (len(TOOLS) - 2)]):
            self.invoke(ANMLC, *tool, model)
        self.again(model, "anml", ["--emit=anml"])
        for suffix in PICTURES if ALL else PICTURES[turn % len(PICTURES)::len(PICTURES)]:
            self.invoke(ANMLC, "graph", model, "-o", self.fresh(f"graph.{suffix}"))
        for suffix in ("graphml", "json") if ALL else (("graphml", "json")[turn % 2],):
            graph, model_again = self.fresh(f"graph.{suffix}"), self.fresh("again.anml")
            self.invoke(ANMLC, "graph", model, "-o", graph)
            if self.invoke(ANMLC, "import", graph, "-o", model_again).returncode == 0:
                self.invoke(ANMLC, "check", model_again)

    def again(self, model, suffix, tool):
        written = self.fresh(f"again.{suffix}")
        self.assertEqual(self.invoke(ANMLC, *tool, model, "-o", written).returncode, 0)
        self.assertEqual(self.invoke(ANMLC, "check", written).returncode, 0)

    def runs(self, model, *options):
        emulator = self.fresh("emu")
        done = self.invoke(ANMLC, *options, model, "-o", emulator)
        if done.returncode != 0:
            return self.assertIn("error[unreachable]", done.stderr)  # what only the last stages see
        self.invoke(emulator, "info")
        self.invoke(emulator, "simulate")  # which may want a real host

    def test_each(self):
        refused, tried = [], 0
        for turn, name in enumerate(CONSTRUCTS):
            for count in (0, 1, 2) if ALL or turn % 4 == 0 else (0,):
                tried += 1
                with self.subTest(name, count=count):
                    model = self.model(name, count)
                    if self.invoke(ANMLC, "check", model).returncode != 0:
                        refused.append((name, count))
                        for tool in (TOOLS if ALL else TOOLS[turn % len(TOOLS)::len(TOOLS)]) + [["graph", "-o", self.fresh("graph.svg")], ["-O0", "-o", self.fresh("emu")]]:
                            self.invoke(ANMLC, *tool, model)  # those that end early see less
                        continue
                    self.tools(model, turn)
                    if ALL or (turn + count) % 2 == 0:
                        self.runs(model, "-O0")
        print(f"{len(refused)} of {tried} are errors:", ", ".join(f"{name} of {count}" for name, count in refused))
        self.assertLess(len(refused), len(CONSTRUCTS))

    @unittest.skipUnless("ANML_ALL" in os.environ, "where all is tried: test_tiers.py has empty arrays")
    def test_at_both_tiers(self):
        """Both tiers send the same packets."""
        for count in (0, 1) if ALL else (0,):
            for name in ("clients", "instances in instances", "impairments"):
                with self.subTest(name, count=count):
                    model = self.model(name, count)
                    digests = set()
                    for tier in ("-O0", "-O2"):
                        emulator = self.fresh("emu")
                        run(ANMLC, tier, model, "-o", emulator)
                        digests.add(self.simulate(emulator)["digest"])
                    self.assertEqual(len(digests), 1)


if __name__ == "__main__":
    unittest.main()
