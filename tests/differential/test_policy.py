"""Routes between autonomous systems, against BGP's decisions worked out system by system, and simulated traffic.

The reference knows nothing of the compiler's search: it finds the class and length of each system's best route in three
sweeps (up to providers, across to peers, down to customers), then lets each router choose the nearest of its system's
exits."""
import heapq
import json
import random
import unittest

from emulators import ANMLC, EmulatorTest, run

INFINITE = float("inf")


class Internet:
    """Random systems of one to three routers, a host at each router; system i only buys from systems below i."""

    def __init__(self, seed, systems):
        self.random = pick = random.Random(seed)
        self.routers, self.system_of, self.inside, self.outside = [], [], [], []
        for system in range(systems):
            mine = list(range(len(self.routers), len(self.routers) + pick.randint(1, 3)))
            self.routers += mine
            self.system_of += [system] * len(mine)
            pairs = [(mine[k], mine[(k + 1) % len(mine)]) for k in range(len(mine)) if len(mine) > k + (len(mine) == 2)]
            self.inside += [(a, b, pick.randint(1, 4)) for a, b in pairs if a != b]  # delays in ms
            if system == 0:
                continue
            for provider in pick.sample(range(system), min(system, pick.randint(0, 2)) if system > 2 else 1):
                self.outside.append((pick.choice(mine), self.any_of(provider), "customer"))
            if system > 2 and pick.random() < 0.5:
                peer = pick.randrange(system)
                if all({self.system_of[a], self.system_of[b]} != {system, peer} for a, b, _ in self.outside):
                    self.outside.append((self.any_of(peer), pick.choice(mine), "peer"))
        self.systems = systems

    def any_of(self, system):
        return self.random.choice([r for r in self.routers if self.system_of[r] == system])

    def text(self, multipath, extra=""):
        lines = ["import std.ether", "import std.traffic", "model M {", f"  routing {{ multipath = {multipath} }}",
                 f"  router r[{len(self.routers)}]", f"  host h[{len(self.routers)}]", "  link edge: h[*] -- r[*] : ether.gigabit"]
        for k, (a, b, delay) in enumerate(self.inside):
            lines.append(f"  link inner[{k}]: r[{a}] -- r[{b}] {{ rate = 1 Gbps, delay = {delay} ms }}")
        for k, (a, b, relation) in enumerate(self.outside):
            lines.append(f"  link outer[{k}]: r[{a}] -- r[{b}] {{ rate = 1 Gbps, delay = 3 ms, relation = {relation} }}")
        return "\n".join(lines + [extra, "  run { duration = 300 ms }", "}"])

    def best(self, target, down=()):
        """Class (0 own or a customer's, 1 a peer's, 2 a provider's) and length of every system's best route."""
        up, across, of_customer = {}, [], {}
        for k, (a, b, relation) in enumerate(self.outside):
            if k in down:
                continue
            a, b = self.system_of[a], self.system_of[b]
            if relation == "peer":
                across += [(a, b), (b, a)]
            else:
                up.setdefault(a, []).append(b)
                of_customer.setdefault(b, []).append(a)
        length = {target: 0}
        sweep = [target]
        for system in sweep:  # breadth first
            for provider in up.get(system, []):
                if provider not in length:
                    length[provider] = length[system] + 1
                    sweep.append(provider)
        route = {system: (0, n) for system, n in length.items()}
        for a, b in across:
            if b in length and a not in length:
                route[a] = min(route.get(a, (9, 0)), (1, length[b] + 1))
        heap = [(n, system) for system, (_, n) in route.items()]
        heapq.heapify(heap)
        while heap:
            n, system = heapq.heappop(heap)
            for customer in of_customer.get(system, []):
                if customer not in route or (route[customer][0] == 2 and route[customer][1] > n + 1):
                    route[customer] = (2, n + 1)
                    heapq.heappush(heap, (n + 1, customer))
        return route

    def offers(self, here, there, relation_to_there, route):
        """Whether the link from a router to one in another system leads to a best route of its own system."""
        mine, theirs = route.get(self.system_of[here]), route.get(self.system_of[there])
        if theirs is None or mine is None or (relation_to_there != 2 and theirs[0] != 0):
            return False
        return mine == (relation_to_there, theirs[1] + 1)

    def distances(self, exits):
        """Inside of systems, from each router to the nearest of some."""
        near = {r: 0 for r in exits}
        heap = [(0, r) for r in exits]
        while heap:
            d, at = heapq.heappop(heap)
            if d > near[at]:
                continue
            for a, b, delay in self.inside:
                for here, there in ((a, b), (b, a)):
                    if here == at and d + delay < near.get(there, INFINITE):
                        near[there] = d + delay
                        heapq.heappush(heap, (d + delay, there))
        return near

    def ways(self, target, down=()):
        """The links of each router's way to the target, as (name, router at its other end), and how many there are."""
        route = self.best(self.system_of[target], down)
        links = {r: [] for r in self.routers}  # to where, name; in the order of declaration
        for k, (a, b, _) in enumerate(self.inside):
            links[a].append((b, f"inner[{k}]", None))
            links[b].append((a, f"inner[{k}]", None))
        for k, (a, b, relation) in enumerate(self.outside):
            if k not in down:
                links[a].append((b, f"outer[{k}]", 1 if relation == "peer" else 2))
                links[b].append((a, f"outer[{k}]", 1 if relation == "peer" else 0))
        home = self.system_of[target]
        exits = {r: [(n, there) for there, n, kind in links[r] if kind is not None and self.system_of[r] != home
                     and self.offers(r, there, kind, route)] for r in self.routers}
        near = self.distances([target] + [r for r in self.routers if exits[r]])
        hops, chosen = {target: 0}, {}
        for router in sorted((r for r in near if r != target), key=lambda r: (route[self.system_of[r]][1], near[r])):
            onward = list(exits[router]) or [
                (n, there) for there, n, kind in links[router] if kind is None and there in near
                and near[there] + next(d for a, b, d in self.inside if {a, b} == {router, there}) == near[router]]
            least = min(hops[there] for _, there in onward)
            chosen[router] = [(n, there) for n, there in onward if hops[there] == least]
            hops[router] = least + 1
        return chosen, hops


class Policy(EmulatorTest):
    def routes(self, text):
        """Links of each router by address, and the address of the first host."""
        model = self.fresh("model.anml")
        model.write_text(text)
        tables = {}
        for node in json.loads(run(ANMLC, model, "--emit=routes").stdout)["nodes"]:
            tables[node["name"]] = [(*self.prefix(r["prefix"]), sorted(h["link"] for h in r["next_hops"]))
                                    for r in node["routes"]]
        network = json.loads(run(ANMLC, model, "--emit=network").stdout)
        return tables, self.prefix(next(n["address"] for n in network["nodes"] if n["name"] == "h") + "/32")[0]

    def prefix(self, text):
        address, length = text.split("/")
        value = 0
        for part in address.split("."):
            value = value << 8 | int(part)
        return value, 32 - int(length)

    def lookup(self, table, address):
        return next((links for base, bits, links in table if base >> bits == address >> bits), [])

    def test_next_hops_are_bgps(self):
        shared = unreached = compared = 0
        for seed in range(1, 13):
            internet = Internet(seed, 4 + seed)
            ends = {f"{kind}[{k}]": {a, b} for kind, links in (("inner", internet.inside), ("outer", internet.outside))
                    for k, (a, b, _) in enumerate(links)}
            for multipath in ("single", "ecmp"):
                tables, first = self.routes(internet.text(multipath, "  require hops(h[0], h[0]) == 0"))
                for target in internet.routers:
                    chosen, _ = internet.ways(target)
                    for router in internet.routers:
                        if router == target:
                            continue
                        found = self.lookup(tables[f"r[{router}]"], first + target)
                        expected = [name for name, _ in chosen.get(router, [])]
                        if expected:
                            expected = expected[:1] if multipath == "single" else sorted(expected)
                            self.assertEqual(found, expected, f"seed {seed}, {multipath}, from {router} to {target}")
                        at, steps = router, 0  # without a way, a default route may lead some way, and not in a circle
                        while not expected and at != target and (on := self.lookup(tables[f"r[{at}]"], first + target)):
                            (at,) = ends[on[0]] - {at}
                            steps += 1
                            self.assertLess(steps, len(internet.routers))
                        self.assertNotEqual(at, target, f"seed {seed}, from {router} to {target}")
                        compared += 1
                        shared += len(found) > 1
                        unreached += not expected
        self.assertGreater(compared, 3000)
        self.assertGreater(shared, 10)
        self.assertGreater(unreached, 100)

    def test_a_failure_is_routed_around(self):
        """All paths before and after links between systems fail, and that packets take them."""
        lost = changed = 0
        for seed in (3, 5):
            internet = Internet(seed, 12)
            down = internet.random.sample(range(len(internet.outside)), 4)
            requirements, workloads, figures = {False: [], True: []}, [], []
            for target in internet.routers:
                before, after = (internet.ways(target, failed)[1] for failed in ((), down))
                for router in internet.routers:
                    for failed, hops in ((False, before), (True, after)):
                        # The way back has to be there too, for hops no more than the way there.
                        condition = f"hops(h[{router}], h[{target}]) " + (
                            f"== {hops[router] + 2}" if router != target and router in hops else
                            "== 0" if router == target else "> 1000")
                        requirements[failed].append(f"require {condition}")
                    changed += before.get(router) != after.get(router)
                    if router in before and router != target and len(workloads) < 40 and (router + target) % 3 == 0:
                        workloads.append(f"workload w{len(workloads)} : traffic.Cbr on h[{router}] "
                                         f"{{ to = h[{target}], payload = 100 B, interval = 10 ms }}")
                        figures.append(router in after)
                        lost += router not in after
            failures = ", ".join(f"outer[{k}] down" for k in down)
            text = internet.text("single", "\n".join(
                requirements[False] + workloads + [f"at 105 ms {{ {failures} }}", "at 105 ms {"] + requirements[True] + ["}"]))
            digests = set()
            for tasks in (1, 3):
                results = self.simulate(self.compile(text, "--tasks", tasks), "--threads", min(tasks, 2))
                digests.add(results["digest"])
                for workload, arrives in zip(results["workloads"], figures):
                    datagrams = workload["datagrams"]
                    if arrives:  # but for what was under way on a failing link, or is at the end
                        self.assertGreater(datagrams["received"], 20)
                    else:
                        self.assertLess(datagrams["received"], 12)
            self.assertEqual(len(digests), 1)
        self.assertGreater(lost, 0)
        self.assertGreater(changed, 10)


if __name__ == "__main__":
    unittest.main()
