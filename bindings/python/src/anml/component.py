"""Components: statements in the order in which they are made, and what later ones refer to.

Each statement remembers the line of the caller that made it; the compiler's errors then point there.
"""
from __future__ import annotations

import types
from typing import Any, Generic, List, Literal, Mapping, Optional, Tuple, Type, TypeVar, Union

from .blocks import attribute_block, caller
from .expressions import Expr, Value, code, quoted_path, text
from .parts import Instance, Link, Nodes, Workload, check_name
from .timeline import Actions, Instant, Range, ramp_block

T = TypeVar("T")
Metric = Literal["delay", "hops", "cost"]
Multipath = Literal["single", "ecmp"]
Relation = Literal["customer", "peer", "provider"]


class Block(Generic[T]):
    """A statement with a body: what is made in a `with` of it stands between its braces."""

    def __init__(self, component: "Component", head: str, inside: T) -> None:
        self._component, self._head, self._inside = component, head, inside

    def __enter__(self) -> T:
        self._component.statement(self._head + " {")
        self._component._indent += 1
        return self._inside

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[types.TracebackType]) -> None:
        self._component._indent -= 1
        self._component.statement("}")


class Component:
    """A part of a network: parameters, and statements."""

    _keyword = "component"

    def __init__(self, name: str, doc: str = "") -> None:
        self.name = check_name(name)
        self.doc = doc
        self._base = ""
        self._parameters: List[Tuple[str, str]] = []  # documentation, declaration
        self._lines: List[Tuple[Tuple[str, int], int, str]] = []  # where it was made, indentation, text
        self._indent = 1
        self._made = caller()

    # --- parameters
    def parameter(self, name: str, type: str, default: Optional[Value] = None,
                  range: Optional[Tuple[Value, Value]] = None, doc: str = "") -> Expr:
        """A parameter, of type `int`, `time`, `rate`, `Link`, `node` ...; what it returns stands for it in expressions."""
        return self._parameter("", name, type, default, range, doc)

    def _parameter(self, prefix: str, name: str, type: str, default: Optional[Value],
                   range: Optional[Tuple[Value, Value]], doc: str) -> Expr:
        declaration = f"{prefix}{check_name(name)}: {type}"
        if range is not None:
            declaration += f" in {code(range[0])} .. {code(range[1])}"
        if default is not None:
            declaration += f" = {code(default)}"
        self._parameters.append((doc, declaration))
        return Expr(name)

    def extends(self, base: Union["Component", str], **arguments: Value) -> None:
        """It has the statements of `base` first, which gets these arguments."""
        self._base = f" : {self._kind(base)}{_arguments(arguments)}"

    # --- statements
    def statement(self, source: str) -> None:
        """A statement in ANML's own text, for what has no method here."""
        for line in source.splitlines():
            self._lines.append((caller(), self._indent, line))

    def _node(self, kind: str, name: str, count: Optional[Value], doc: str, attributes: Mapping[str, Value]) -> Nodes:
        for line in doc.splitlines():
            self.statement(f"/// {line}")
        array = "" if count is None else f"[{code(count)}]"
        self.statement(f"{kind} {check_name(name)}{array}{attribute_block(attributes)}")
        return Nodes(Expr(name))

    def host(self, name: str, count: Optional[Value] = None, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("host", name, count, doc, attributes)

    def router(self, name: str, count: Optional[Value] = None, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("router", name, count, doc, attributes)

    def switch(self, name: str, count: Optional[Value] = None, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("switch", name, count, doc, attributes)

    def endpoint(self, name: str, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("endpoint", name, None, doc, attributes)

    def instance(self, component: Union["Component", Value], name: str, count: Optional[Value] = None,
                 **arguments: Value) -> Instance:
        """An instance of a component of this program, or of an imported one by its name (`topology.ring`)."""
        array = "" if count is None else f"[{code(count)}]"
        self.statement(f"{self._kind(component)} {check_name(name)}{array}{_arguments(arguments)}")
        return Instance(Expr(name))

    def port(self, name: str, part: Union[Nodes, Instance]) -> None:
        """A name for the outside of a node or an instance."""
        self.statement(f"port {check_name(name)} = {part.expr.code}")

    def override(self, name: str, profile: Optional[Value] = None, **attributes: Any) -> None:
        """Other attributes, and another profile, of what the component that this one extends makes: `"desk"`."""
        tail = "" if profile is None else f" : {code(profile)}"
        self.statement(f"override {name}{tail}{attribute_block(attributes)}")

    def link(self, left: Value, right: Value, profile: Optional[Value] = None, name: str = "",
             index: Optional[Value] = None, *, one_way: bool = False, rate: Optional[Value] = None,
             delay: Optional[Value] = None, queue: Optional[Value] = None, mtu: Optional[Value] = None,
             overhead: Optional[Value] = None, cost: Optional[Value] = None, ecmp_weight: Optional[Value] = None,
             loss: Optional[Value] = None,
             corrupt: Optional[Value] = None, duplicate: Optional[Value] = None, reorder: Optional[Value] = None,
             reorder_delay: Optional[Value] = None, jitter: Optional[Value] = None, in_order: Optional[bool] = None,
             relation: Optional[Relation] = None, up: Optional[Mapping[str, Value]] = None, down: Optional[Mapping[str, Value]] = None,
             **attributes: Value) -> Link:
        """A link between two nodes, a node and a selection, or two selections of equally many.

        Its values come from a profile and from attributes, which hold for both directions; those in `up` for the one
        from `left` to `right` only, those in `down` for the one back: `up={"rate": 1 * Mbps}`. A link that is
        `one_way` carries packets from `left` to `right` only. A `relation` makes the ends two autonomous systems, and
        says what the left one is to the right one.
        """
        head = ""
        if name:
            head = check_name(name) + ("" if index is None else f"[{code(index)}]") + ": "
        elif index is not None:
            raise ValueError("a link with an index has a name: link(..., name=\"hop\", index=i)")
        tail = "" if profile is None else f" : {code(profile)}"
        given = dict(attributes, rate=rate, delay=delay, queue=queue, mtu=mtu, overhead=overhead, cost=cost, ecmp_weight=ecmp_weight, loss=loss,
                     corrupt=corrupt, duplicate=duplicate, reorder=reorder, reorder_delay=reorder_delay, jitter=jitter,
                     in_order=in_order, relation=relation, up=up, down=down)
        self.statement(f"link {head}{code(left)} {'->' if one_way else '--'} {code(right)}{tail}{attribute_block(given)}")
        return Link(Expr(name or f"{code(left)} -- {code(right)}"))

    def let(self, name: str, value: Value) -> Expr:
        self.statement(f"let {check_name(name)} = {code(value)}")
        return Expr(name)

    def profile(self, name: str, schema: Value, **attributes: Any) -> Expr:
        """A named value of a schema, such as `Link` or `Tcp`; of a link also with `up` and `down`."""
        self.statement(f"profile {check_name(name)} : {code(schema)}{attribute_block(attributes) or ' {}'}")
        return Expr(name)

    def workload(self, name: str, schema: Value, on: Value, **attributes: Value) -> Workload:
        self.statement(f"workload {check_name(name)} : {code(schema)} on {code(on)}{attribute_block(attributes)}")
        return Workload(Expr(name))

    def addressing(self, **attributes: Value) -> None:
        """`prefix` of a component's instances; `pool` and `gateway` of a model."""
        self.statement(f"addressing{attribute_block(attributes)}")

    def routing(self, name: str = "", on: Optional[Value] = None, *, metric: Optional[Metric] = None,
                multipath: Optional[Multipath] = None) -> None:
        """How routes are found: of a model everywhere else, of a component in each instance, which then is a region;
        with a name in the region that `on`, a selection of nodes, makes."""
        if bool(name) != (on is not None):
            raise ValueError("a region has a name and nodes: routing(\"core\", on=core.all)")
        region = f" {check_name(name)} on {code(on)}" if on is not None else ""
        self.statement(f"routing{region}{attribute_block({'metric': metric, 'multipath': multipath})}")

    def route(self, node: Value, to: Value, via: Value, **attributes: Value) -> None:
        """A static route: packets at the node for the destination go to the neighbour. Where `via` is a list of routers
        and links, they pass these, as segments, with the attributes of `SegmentList`."""
        self.statement(f"route {code(node)} to {code(to)} via {code(via)}{attribute_block(attributes)}")

    def require(self, condition: Value, message: str = "") -> None:
        self.statement(f"require {code(condition)}" + (f" else {text(message).code}" if message else ""))

    # --- statements with a body
    def loop(self, name: str, low: Value, end: Value) -> Block[Expr]:
        """`for name in low ..< end`. Links and workloads in it stay one statement, however often it runs."""
        return Block(self, f"for {check_name(name)} in {code(low)} ..< {code(end)}", Expr(name))

    def condition(self, condition: Value) -> Block[None]:
        """`if condition`: what stands in it is made where it holds."""
        return Block(self, f"if {code(condition)}", None)

    # --- the timeline
    def at(self, time: Value) -> Block[Instant]:
        """What happens once: `with model.at(30 * s) as then: then.down(uplink)`."""
        return Block(self, f"at {code(time)}", Instant(self))

    def every(self, period: Value, start: Optional[Value] = None, end: Optional[Value] = None) -> Block[Actions]:
        """What happens again and again, first at `start` (after one period), before `end` (of the run)."""
        head = f"every {code(period)}"
        head += "" if start is None else f" from {code(start)}"
        head += "" if end is None else f" to {code(end)}"
        return Block(self, head, Actions(self))

    def during(self, start: Value, end: Value) -> Block[Actions]:
        """What holds from `start` to `end`, and then is as if it had not been."""
        return Block(self, f"from {code(start)} to {code(end)}", Actions(self))

    def ramp(self, start: Value, end: Value, link: Union[Link, Workload, Instance], *, every: Optional[Value] = None,
             rate: Optional[Range] = None, delay: Optional[Range] = None, up: Optional[Mapping[str, Range]] = None,
             down: Optional[Mapping[str, Range]] = None, **attributes: Range) -> None:
        """Values that go from the first to the second in equal steps, one each `every`: `rate=(10 * Mbps, 1 * Mbps)`."""
        step = "" if every is None else f" every {code(every)}"
        values = ramp_block(rate, delay, up, down, attributes)
        self.statement(f"ramp from {code(start)} to {code(end)}{step} {{ {link.expr.code}{values} }}")

    # --- text
    def _kind(self, component: Union["Component", Value]) -> str:
        if not isinstance(component, Component):
            return code(component)
        self._uses(component)
        return component.name

    def _uses(self, component: "Component") -> None:
        raise NotImplementedError

    def _write(self, out: List[str], lines: bool) -> None:
        out.extend(f"/// {line}\n" for line in self.doc.splitlines())
        parameters = ", ".join(declaration for _, declaration in self._parameters)
        if any(doc for doc, _ in self._parameters) or len(parameters) > 80:
            parameters = "\n"
            for doc, declaration in self._parameters:
                parameters += "".join(f"  /// {line}\n" for line in doc.splitlines()) + f"  {declaration},\n"
        if parameters:
            parameters = f"({parameters})"
        mark(out, self._made, lines)
        out.append(f"{self._keyword} {self.name}{parameters}{self._base} {{\n")
        last = self._made
        for place, indent, line in self._lines:
            if place != last:
                mark(out, place, lines)
                last = place
            out.append("  " * indent + line + "\n")
        out.append("}\n")


def _arguments(arguments: Mapping[str, Value]) -> str:
    given = ", ".join(f"{key} = {code(value)}" for key, value in arguments.items())
    return f"({given})" if given else ""


def mark(out: List[str], place: Tuple[str, int], lines: bool) -> None:
    """Says from which line of the caller the text behind it comes."""
    if lines:
        out.append(f"// line {quoted_path(place[0])} {place[1]}\n")
