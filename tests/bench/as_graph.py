#!/usr/bin/env python3
"""A graph of autonomous systems like the Internet's, in CAIDA's serial-1 format, and a model that sends flows over it.

    as_graph.py 70000 --seed 1 -o internet.as-rel.txt
    as_graph.py 70000 --flows 1000000 --towards 1000 -o internet.anml     (writes internet.as-rel.txt beside it)

Made like Elmokashfi, Kvalbein and Dovrolis's networks ("On the Scalability of BGP: The Role of Topology Growth", IEEE
JSAC 28(8), 2010): a clique of tier-1 providers, transit providers (M), content (CP) and customers (C), who come one by
one and choose providers of those that are there already, with a probability that grows with the number of customers
(preferential attachment, so degrees and customer cones have power-law tails, as Faloutsos, Faloutsos and Faloutsos,
SIGCOMM 1999, and Luckie et al., "AS Relationships, Customer Cones, and Validation", IMC 2013, measured them), among
those of their own region, mostly. Its numbers are theirs for shares of the classes; the numbers of providers are those
of Dhamdhere and Dovrolis, "Twelve Years in the Evolution of the Internet Ecosystem", IEEE/ACM ToN 19(5), 2011: two in
the mean for those who only buy, more for those who sell.

The relation of customer to provider has no cycle, and every system reaches the clique, so all reach each other.
"""
import argparse
import pathlib
import random
import sys

CLIQUE = 16           # tier-1 providers (Luckie et al. infer 15 to 20)
TRANSIT = 0.15        # of all systems sell transit
CONTENT = 0.05        # are content
REGIONS = 5
ABROAD = 0.2          # of transit providers are in two regions
PROVIDERS = {"M": 2.5, "CP": 2.4, "C": 1.9}  # in the mean
PEERS = {"M": 11.0, "CP": 6.0}               # that each asks to peer, in the mean; customers don't
TIER1 = {"M": 0.375, "CP": 0.125, "C": 0.075}  # of provider links lead to the clique, where it isn't the only choice


class Urn:
    """Draws systems with a probability in proportion to one more than their customers."""

    def __init__(self):
        self.balls = []

    def add(self, system):
        self.balls.append(system)

    def draw(self, rng):
        return self.balls[rng.randrange(len(self.balls))]


def at_least_one(rng, mean):
    """Geometric from 1 on: many have one, few have many."""
    n, stay = 1, 1 - 1 / mean
    while n < 40 and rng.random() < stay:
        n += 1
    return n


class Graph:
    """`kind` and `regions` by system from 0 on; `links`: (provider or peer, customer or peer, -1 or 0)."""

    def __init__(self, size, seed=1, peering=1.0):
        if size < 2 * CLIQUE:
            raise ValueError(f"at least {2 * CLIQUE} systems")
        self.size, self.rng, self.peering = size, random.Random(seed), peering
        self.kind, self.regions, self.links, self.joined = [], [], [], set()
        self.clique, self.sellers = Urn(), [Urn() for _ in range(REGIONS)]
        self.above = []  # by system: all its providers, direct or not, of those who sell
        self.make()

    def make(self):
        for s in range(CLIQUE):
            self.kind.append("T")
            self.regions.append(tuple(range(REGIONS)))
            self.clique.add(s)
            for other in range(s):
                self.join(other, s, 0)
        transit = round(TRANSIT * self.size)
        content = round(CONTENT * self.size)
        for kind, count in (("M", transit), ("CP", content), ("C", self.size - CLIQUE - transit - content)):
            for _ in range(count):
                self.newcomer(kind)
        self.peerings()

    def newcomer(self, kind):
        s, rng = len(self.kind), self.rng
        first = rng.randrange(REGIONS)
        abroad = kind == "M" and rng.random() < ABROAD
        regions = (first, (first + rng.randrange(1, REGIONS)) % REGIONS) if abroad else (first,)
        self.kind.append(kind)
        self.regions.append(regions)
        for _ in range(at_least_one(rng, PROVIDERS[kind])):
            urn = self.sellers[rng.choice(regions)]
            if rng.random() < TIER1[kind] or not urn.balls:
                urn = self.clique
            for _ in range(8):
                provider = urn.draw(rng)
                if self.join(provider, s, -1):
                    urn_of = [self.clique] if self.kind[provider] == "T" else [self.sellers[r] for r in
                                                                               self.regions[provider]]
                    for u in urn_of:
                        u.add(provider)
                    break
        if kind == "M":
            for r in regions:
                self.sellers[r].add(s)

    def peerings(self):
        rng = self.rng
        by_region = [Urn() for _ in range(REGIONS)]
        asking = [s for s in range(self.size) if self.kind[s] in PEERS]
        for s in asking:  # those with more peers are asked more often
            for r in self.regions[s]:
                by_region[r].add(s)
        for s in asking:
            wanted = PEERS[self.kind[s]] * self.peering
            for _ in range(at_least_one(rng, wanted) if wanted > 1 else rng.random() < wanted):
                other = by_region[rng.choice(self.regions[s])].draw(rng)
                if other != s and self.join(s, other, 0):
                    for r in self.regions[other]:
                        by_region[r].add(other)

    def join(self, one, other, relation):
        pair = (min(one, other), max(one, other))
        if one == other or pair in self.joined:
            return False
        self.joined.add(pair)
        self.links.append((one, other, relation))
        return True

    def figures(self):
        """What it has come to, in words."""
        providers, customers, peers = ([0] * self.size for _ in range(3))
        for one, other, relation in self.links:
            if relation:
                providers[other] += 1
                customers[one] += 1
            else:
                peers[one] += 1
                peers[other] += 1
        stubs = [s for s in range(self.size) if customers[s] == 0]
        degree = sorted((providers[s] + customers[s] + peers[s] for s in range(self.size)), reverse=True)
        across = sum(1 for link in self.links if not link[2])
        return (f"{self.size} systems, {len(self.links)} links, {across / len(self.links):.0%} of them between peers; "
                f"{len(stubs) / self.size:.0%} have no customer, these {sum(providers[s] for s in stubs) / len(stubs):.2f} "
                f"providers in the mean; largest degree {degree[0]}, median {degree[self.size // 2]}")

    def tables(self):
        """What codes of routes take where all are destinations (docs/decisions/0011): a row for each system that has more than
        one link, a column for each such system, a row's codes as long as the numbers of its links to others of them. And
        what they would if customers with the same providers, and no peer, had a column together and no row."""
        neighbours, providers, selling, peering = [set() for _ in range(self.size)], [set() for _ in range(self.size)], set(), set()
        for one, other, relation in self.links:
            neighbours[one].add(other)
            neighbours[other].add(one)
            if relation:
                providers[other].add(one)
                selling.add(one)
            else:
                peering |= {one, other}
        rows = [s for s in range(self.size) if len(neighbours[s]) > 1]
        held = set(rows)
        buyers = [s for s in rows if s not in selling and s not in peering]
        sets = len({frozenset(providers[s]) for s in buyers})
        bits = {s: len(neighbours[s] & held).bit_length() for s in rows}
        megabytes = lambda which, columns: sum(bits[s] for s in which) * columns / 8e6
        columns = len(rows) - len(buyers) + sets
        others = held.difference(buyers)
        return (f"{len(rows)} systems have more than one link; {len(buyers)} of them buy only, from {sets} sets of providers\n"
                f"codes of {len(rows)} rows and columns: {megabytes(rows, len(rows)):.0f} MB, {megabytes(buyers, len(rows)):.0f} of them "
                f"in the rows of those that buy only\n"
                f"with a column for each set: {megabytes(rows, columns):.0f} MB in {columns} columns; "
                f"without the rows, too: {megabytes(others, columns):.0f} MB")

    def text(self):
        lines = [f"# {self.figures()}"]
        lines += [f"{one + 1}|{other + 1}|{relation}" for one, other, relation in self.links]
        return "\n".join(lines) + "\n"

    def stubs(self):
        """Systems without a customer, the first of them those that came first."""
        selling = {one for one, _, relation in self.links if relation}
        return [s for s in range(CLIQUE, self.size) if s not in selling]


MODEL = """/// {figures}.
/// Flows of TCP between hosts at {ends} of the systems that have no customer: {flows} in a second, each from any to any.
import std.traffic

/// A session between two systems. All are as fast and as long here: the file says nothing of that.
profile session : Link {{ rate = 100 Gbps, delay = 5 ms, queue = droptail(16 MB) }}

graph Internet("{graph}") {{ edge = session }}

model AsLevel(size: size = 1 KB) {{
  Internet internet
  host h[{ends}]
  let homes = [{at}]
  for i, s in homes {{ link access[i]: h[i] -- internet.nodes[s] {{ rate = 10 Gbps, delay = 1 ms, queue = droptail(16 MB) }} }}
  workload flows : traffic.Flows on h[*] {{
    to = h[*], size = size, interval = exponential({ends} s / {flows})
  }}
  run {{ duration = 1 s }}
}}
"""


def model(graph, ends, flows, graph_file, seed):
    stubs = graph.stubs()
    if not 2 <= ends <= len(stubs):
        raise ValueError(f"2 to {len(stubs)} ends")
    chosen = sorted(random.Random(f"{seed} ends").sample(stubs, ends))
    # The importer's nodes stand in the order in which the file first names them.
    order = {}
    for one, other, _ in graph.links:
        for s in (one, other):
            order.setdefault(s, len(order))
    return MODEL.format(figures=graph.figures(), ends=ends, flows=flows, graph=graph_file,
                        at=", ".join(str(order[s]) for s in chosen))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peering", type=float, default=1.0, help="so many times as many peers")
    parser.add_argument("--flows", type=int, help="write a model with so many flows a second, too")
    parser.add_argument("--ends", type=int, default=1000, help="hosts that send and receive them, each in a system of its own")
    parser.add_argument("--tables", action="store_true", help="say what routes between all would take, too")
    parser.add_argument("-o", type=pathlib.Path, required=True, metavar="PATH",
                        help="the graph, or with --flows the model: the graph lies beside it as .as-rel.txt")
    arguments = parser.parse_args()
    try:
        graph = Graph(arguments.systems, arguments.seed, arguments.peering)
        path = arguments.o.with_suffix(".as-rel.txt") if arguments.flows else arguments.o
        path.write_text(graph.text())
        if arguments.flows:
            arguments.o.write_text(model(graph, arguments.ends, arguments.flows, path.name, arguments.seed))
    except (ValueError, OSError) as error:
        sys.exit(f"as_graph.py: {error}")
    print(graph.figures())
    if arguments.tables:
        print(graph.tables())


if __name__ == "__main__":
    main()
