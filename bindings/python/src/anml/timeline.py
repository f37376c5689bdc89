"""What changes while a model runs: `with model.at(30 * s) as then: then.down(uplink)`."""
from __future__ import annotations

from typing import TYPE_CHECKING, List, Mapping, Optional, Tuple, Union

from .blocks import attribute_block
from .expressions import Value, code
from .parts import Instance, Link, Nodes, Workload

if TYPE_CHECKING:
    from .component import Component

Switchable = Union[Link, Nodes, Instance]  # a member of an instance is an Instance
Pausable = Union[Workload, Instance]
Range = Tuple[Value, Value]


class Actions:
    """What is done at the time that the `with` names, in this order."""

    def __init__(self, component: "Component") -> None:
        self._component = component

    def _each(self, parts: Tuple[Union[Switchable, Pausable], ...], word: str) -> None:
        for part in parts:
            self._component.statement(f"{part.expr.code} {word}")

    def down(self, *parts: Switchable) -> None:
        """Links fail, or nodes, which is all their links."""
        self._each(parts, "down")

    def up(self, *parts: Switchable) -> None:
        """Links or nodes work again."""
        self._each(parts, "up")

    def off(self, *workloads: Pausable) -> None:
        """Workloads begin nothing more."""
        self._each(workloads, "off")

    def on(self, *workloads: Pausable) -> None:
        """Workloads go on."""
        self._each(workloads, "on")

    def change(self, link: Union[Link, Workload, Instance], *, rate: Optional[Value] = None, delay: Optional[Value] = None,
               queue: Optional[Value] = None, cost: Optional[Value] = None, up: Optional[Mapping[str, Value]] = None,
               down: Optional[Mapping[str, Value]] = None, **attributes: Value) -> None:
        """Other values of a link, in both directions; of one in `up` and `down`: `up={"rate": 1 * Mbps}`.

        Or of a workload: `active`, the share of its hosts that are on, `load` or `rate`."""
        block = attribute_block(dict(attributes, rate=rate, delay=delay, queue=queue, cost=cost, up=up, down=down))
        if not block:
            raise ValueError("nothing is changed: change(link, rate=...)")
        self._component.statement(f"{link.expr.code}{block}")


class Instant(Actions):
    """An `at`, where requirements may stand too."""

    def require(self, condition: Value, message: str = "") -> None:
        """The condition holds then, with the routes, rates and delays of that time."""
        self._component.require(condition, message)


def ramp_block(rate: Optional[Range], delay: Optional[Range], up: Optional[Mapping[str, Range]],
               down: Optional[Mapping[str, Range]], more: Mapping[str, Range]) -> str:
    """` { rate = 1 Mbps .. 2 Mbps, up { ... } }`."""

    def ranges(values: Mapping[str, Optional[Range]]) -> List[str]:
        return [f"{key} = {code(value[0])} .. {code(value[1])}" for key, value in values.items() if value is not None]

    items = ranges(dict(more, rate=rate, delay=delay))
    items += [f"{name} {{ {', '.join(ranges(values))} }}" for name, values in (("up", up), ("down", down)) if values]
    if not items:
        raise ValueError("nothing is changed: ramp(start, end, link, rate=(1 * Mbps, 2 * Mbps))")
    return f" {{ {', '.join(items)} }}"
