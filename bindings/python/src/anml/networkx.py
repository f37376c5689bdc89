"""Models from NetworkX graphs. The graph is only asked for its nodes and edges: networkx itself need not be installed."""
from __future__ import annotations

import re
import unicodedata
from typing import Any, Callable, Dict, Mapping, Optional, Union

from .expressions import Value, code
from .model import Model
from .parts import Nodes
from .words import KEYWORDS

_OWN = {"pc", "demand", "access", "places", "i"}

Attribute = Union[str, Value, Callable[[Mapping[str, Any]], Optional[Value]]]


def _plain(label: str) -> str:
    ascii_text = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9]+", "_", ascii_text).strip("_") or "node"
    return f"node_{name}" if name[0].isdigit() or name in KEYWORDS else name


class GraphModel(Model):
    """A model of a graph; `nodes` has the router of each of its nodes."""

    def __init__(self, name: str, doc: str = "") -> None:
        super().__init__(name, doc)
        self.nodes: Dict[Any, Nodes] = {}


def _value(attribute: Optional[Attribute], data: Mapping[str, Any]) -> Optional[Value]:
    return attribute(data) if callable(attribute) else attribute


def from_networkx(graph: Any, name: str = "Graph", *, rate: Attribute = "1 Gbps", delay: Optional[Attribute] = "1 ms",
                  label: str = "label", hosts: int = 1, load: Optional[Value] = "1 Mbps",
                  link: Optional[Callable[[Mapping[str, Any]], Dict[str, Value]]] = None) -> GraphModel:
    """A router for each node, a link for each edge, `hosts` hosts at each router.

    `rate` and `delay` are values, or functions of an edge's attributes: `rate=lambda edge: edge["capacity"] * Mbps`.
    `link` makes further attributes of a link of the edge's. With `load`, the hosts send that much to each other, by a
    random permutation; `None` leaves the traffic and the `run` to you. `model.nodes` has the router of each node.
    """
    model = GraphModel(name, doc=f"{graph.number_of_nodes()} nodes, {graph.number_of_edges()} edges.")
    taken = set(_OWN)
    for node, data in graph.nodes(data=True):
        wanted = _plain(str(data.get(label, node)))
        unique, number = wanted, 1
        while unique in taken:
            number += 1
            unique = f"{wanted}_{number}"
        taken.add(unique)
        model.nodes[node] = model.router(unique)
    both: Dict[Any, int] = {}
    for a, b, data in graph.edges(data=True):
        if a == b:
            continue
        if graph.is_directed():  # there and back is one link
            if both.get((b, a), 0) > 0:
                both[(b, a)] -= 1
                continue
            both[(a, b)] = both.get((a, b), 0) + 1
        given: Dict[str, Any] = {}
        for key, attribute in (("rate", rate), ("delay", delay)):
            value = _value(attribute, data)
            if value is not None:
                given[key] = value
        given.update(link(data) if link else {})
        model.link(model.nodes[a], model.nodes[b], **given)
    routers = list(model.nodes.values())
    if hosts > 0 and routers:
        count = len(routers)
        pc = model.host("pc", count * hosts)
        places = model.let("places", routers)
        with model.loop("i", 0, hosts) as i:
            model.link(pc[slice(i * count, (i + 1) * count)], places, "ether.gigabit", name="access", index=i)
        if load is not None:
            model.workload("demand", "traffic.Cbr", on=pc.all, to=pc.all, pairing="permutation", rate=load,
                           start_spread="100 ms")
            model.run(duration="10 s", warmup="1 s")
    return model
