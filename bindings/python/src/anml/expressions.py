"""Expressions of the language as Python values.

Whatever stands for a value may be a number, a bool, a list of such, an `Expr`, or a string that is ANML's own text
("4 ms", "ether.fast", "droptail(64 KB)"). `4 * ms` is the quantity `4 ms`; arithmetic with parameters makes
expressions, which the compiler evaluates: `2 * D + 1 * ms`.
"""
from __future__ import annotations

import json
import math
import re
from typing import Any, Protocol, Sequence, Union


class HasExpression(Protocol):
    """What has a name in the text: nodes, links, instances."""

    expr: "Expr"


Value = Union["Expr", HasExpression, str, int, float, bool, Sequence[Any]]

_ATOM, _UNARY, _PRODUCT, _SUM, _COMPARE, _EQUAL, _AND, _OR, _CONDITION = range(9)  # tightest first


class Expr:
    """A piece of ANML's text that knows how tightly it binds."""

    __slots__ = ("code", "_level")
    __hash__ = None  # type: ignore[assignment]  # == makes an expression

    def __init__(self, code: str, level: int = _ATOM) -> None:
        self.code = code
        self._level = level

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return f"Expr({self.code!r})"

    def __bool__(self) -> bool:
        raise TypeError(f"`{self.code}` is known when the model is compiled, not here: use when(condition, a, b), "
                        "or & and | between conditions")

    def _inside(self, level: int, right: bool = False) -> str:
        return f"({self.code})" if self._level > level or (right and self._level == level) else self.code

    def _binary(self, other: Value, operator: str, level: int, swapped: bool = False) -> "Expr":
        left, right = operand(self), operand(other)
        if swapped:
            left, right = right, left
        first, second = left._inside(level), right._inside(level, True)
        if operator == "%" and not re.match(r"[\w(]", second):  # in `5 % -3` the first three characters are a ratio
            second = f"({second})"
        return Expr(f"{first} {operator} {second}", level)

    def __add__(self, other: Value) -> "Expr":
        return self._binary(other, "+", _SUM)

    def __radd__(self, other: Value) -> "Expr":
        return self._binary(other, "+", _SUM, True)

    def __sub__(self, other: Value) -> "Expr":
        return self._binary(other, "-", _SUM)

    def __rsub__(self, other: Value) -> "Expr":
        return self._binary(other, "-", _SUM, True)

    def __mul__(self, other: Value) -> "Expr":
        return self._binary(other, "*", _PRODUCT)

    def __rmul__(self, other: Value) -> "Expr":
        return self._binary(other, "*", _PRODUCT, True)

    def __truediv__(self, other: Value) -> "Expr":
        return self._binary(other, "/", _PRODUCT)

    def __rtruediv__(self, other: Value) -> "Expr":
        return self._binary(other, "/", _PRODUCT, True)

    def __mod__(self, other: Value) -> "Expr":
        return self._binary(other, "%", _PRODUCT)

    def __rmod__(self, other: Value) -> "Expr":
        return self._binary(other, "%", _PRODUCT, True)

    def __neg__(self) -> "Expr":
        return Expr(f"-{operand(self)._inside(_UNARY, True)}", _UNARY)  # `--` is a link

    def __invert__(self) -> "Expr":
        return Expr(f"!{operand(self)._inside(_UNARY, True)}", _UNARY)

    def __lt__(self, other: Value) -> "Expr":
        return self._binary(other, "<", _COMPARE)

    def __le__(self, other: Value) -> "Expr":
        return self._binary(other, "<=", _COMPARE)

    def __gt__(self, other: Value) -> "Expr":
        return self._binary(other, ">", _COMPARE)

    def __ge__(self, other: Value) -> "Expr":
        return self._binary(other, ">=", _COMPARE)

    def __eq__(self, other: object) -> "Expr":  # type: ignore[override]
        return self._binary(other, "==", _EQUAL)  # type: ignore[arg-type]

    def __ne__(self, other: object) -> "Expr":  # type: ignore[override]
        return self._binary(other, "!=", _EQUAL)  # type: ignore[arg-type]

    def __and__(self, other: Value) -> "Expr":
        return self._binary(other, "&&", _AND)

    def __rand__(self, other: Value) -> "Expr":
        return self._binary(other, "&&", _AND, True)

    def __or__(self, other: Value) -> "Expr":
        return self._binary(other, "||", _OR)

    def __ror__(self, other: Value) -> "Expr":
        return self._binary(other, "||", _OR, True)


class Unit(Expr):
    """A unit; a number times it is a quantity, `4 ms`."""

    __slots__ = ()

    def _quantity(self, other: Value) -> Expr:
        if isinstance(other, (int, float)) and not isinstance(other, bool):
            return Expr(f"{_number(other)} {self.code}", _UNARY if other < 0 else _ATOM)
        return operand(other)._binary(self, "*", _PRODUCT)

    def __mul__(self, other: Value) -> Expr:
        return self._quantity(other)

    def __rmul__(self, other: Value) -> Expr:
        return self._quantity(other)


ns, us, ms, s, h = (Unit(unit) for unit in ("ns", "us", "ms", "s", "h"))
min = Unit("min")  # the minute; Python's own is builtins.min
B, KB, MB, GB = (Unit(unit) for unit in ("B", "KB", "MB", "GB"))
bps, Kbps, Mbps, Gbps = (Unit(unit) for unit in ("bps", "Kbps", "Mbps", "Gbps"))
m, km = Unit("m"), Unit("km")
percent = Unit("%")


def _number(value: Union[int, float]) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number of the language")
    if isinstance(value, int) or value == int(value) and abs(value) < 2**53:
        return str(int(value))
    return repr(value).replace("e+", "e")


def as_expr(value: Value) -> Expr:
    """Any value as an expression."""
    if isinstance(value, Unit):
        return Expr(f"1 {value.code}")
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return Expr("true" if value else "false")
    if isinstance(value, (int, float)):
        return Expr(_number(value), _UNARY if value < 0 else _ATOM)
    if isinstance(value, str):
        if "\n" in value:
            raise ValueError(f"a value stands on one line, found {value!r}")
        return Expr(value)
    if isinstance(value, (list, tuple)):
        return Expr("[" + ", ".join(code(element) for element in value) + "]")
    expression = getattr(value, "expr", None)
    if isinstance(expression, Expr):
        return expression
    raise TypeError(f"{type(value).__name__} is no value of the language: {value!r}")


_NAME = re.compile(r"[A-Za-z_0-9.]+\Z")


def operand(value: Value) -> Expr:
    """The same where an operator stands beside it: of ANML's own text nobody knows how tightly it binds."""
    if isinstance(value, str) and not _NAME.match(value):
        return Expr(as_expr(value).code, _CONDITION)
    return as_expr(value)


def code(value: Value) -> str:
    """Any value as ANML's text."""
    return as_expr(value).code


def expr(source: str) -> Expr:
    """ANML's own text as an operand: `expr("a.rate") * 2`."""
    return Expr(source, _CONDITION)


def text(value: str) -> Expr:
    """A string of the language: `text("too slow")`; plain Python strings are taken for ANML's own text."""
    if not value.isprintable() and "\n" not in value and "\t" not in value:
        raise ValueError(f"a string of the language is printable text, found {value!r}")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return Expr(f'"{escaped}"')


def call(function: str, *arguments: Value, **named: Value) -> Expr:
    """A call: `call("web.fixed", 1 * KB)`."""
    given = [code(argument) for argument in arguments]
    given += [f"{name} = {code(argument)}" for name, argument in named.items()]
    return Expr(f"{function}({', '.join(given)})")


def when(condition: Value, then: Value, otherwise: Value) -> Expr:
    """`if condition then a else b`."""
    return Expr(f"if {code(condition)} then {code(then)} else {code(otherwise)}", _CONDITION)


def select(*nodes: Value) -> Expr:
    """Nodes in this order, as one selection."""
    return as_expr(list(nodes))


def quoted_path(path: str) -> str:
    """A path as the line comments of generators have it."""
    return json.dumps(path, ensure_ascii=False)
