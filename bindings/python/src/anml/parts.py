"""What statements make and others refer to: nodes, instances, links, workloads."""
from __future__ import annotations

import re
from typing import Any, TypeVar, Union

from .expressions import Expr, Value, code

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
P = TypeVar("P", bound="Part")
L = TypeVar("L", bound="Link")


def check_name(name: str) -> str:
    if not _NAME.match(name):
        raise ValueError(f"a name is letters, digits and _, and does not begin with a digit: {name!r}")
    return name


class Part:
    """A part of a network by its name; of an array, elements: `pc[2]`, `pc[1:4]`, `pc.all`."""

    def __init__(self, expression: Expr) -> None:
        self.expr = expression

    def __getitem__(self: P, index: Union[Value, slice]) -> P:
        return self._element(_index(index))

    @property
    def all(self: P) -> P:
        """`[*]`: all elements of an array."""
        return self._element("*")

    def _element(self: P, index: str) -> P:
        return type(self)(Expr(f"{self.expr.code}[{index}]"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.expr.code!r})"


def _index(index: Union[Value, slice]) -> str:
    if not isinstance(index, slice):
        return code(index)
    if index.step is not None or index.stop is None:
        raise ValueError("a slice has an end and no step: pc[1:4]; all elements are pc.all")
    return f"{code(0 if index.start is None else index.start)} ..< {code(index.stop)}"


class Nodes(Part):
    """A node, an array of nodes, or a selection of them."""


class Link(Part):
    """A link, or an array of links. One without a name is called by its ends, and has no elements."""

    @property
    def name(self) -> str:
        return self.expr.code

    def _element(self: L, index: str) -> L:
        if " -- " in self.expr.code:
            raise ValueError(f"only a link with a name has elements: link(..., name=\"...\"), not {self.expr.code!r}")
        return super()._element(index)


class Workload(Part):
    """A workload."""


class Instance(Part):
    """An instance of a component, or an array or selection of them. Its parts are attributes: `net[0].gateway`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Member(Expr(f"{self.expr.code}.{check_name(name)}"))


class Member(Instance):
    """A part of an instance: the compiler knows whether it is a node, a link, a workload or an instance."""
