"""Names of the language's own: modules of the standard library, distributions, functions of paths.

`web.fixed(1 * KB)` is the call, `ether.gigabit` the profile, `web.ClosedLoop` the schema. A module that a model's text
names is imported by itself.
"""
from __future__ import annotations

from typing import Sequence

from .expressions import _SUM, Expr, Value, as_expr, call, text


class Word(Expr):
    """A name that may have members and be called."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Word":
        if name.startswith("__"):
            raise AttributeError(name)
        return Word(f"{self.code}.{name}")

    def __call__(self, *arguments: Value, **named: Value) -> Expr:
        return call(self.code, *arguments, **named)


MODULES = ("access", "ether", "flows", "jitter", "loss", "tcp", "topology", "traffic", "wan", "web")
access, ether, flows, jitter, loss, tcp, topology, traffic, wan, web = (Word(name) for name in MODULES)


# --- distributions: a value of its own at each draw
def constant(value: Value) -> Expr:
    return call("constant", value)


def uniform(low: Value, high: Value) -> Expr:
    return call("uniform", low, high)


def exponential(mean: Value) -> Expr:
    return call("exponential", mean)


def normal(mean: Value, deviation: Value) -> Expr:
    return call("normal", mean, deviation)


def lognormal(median: Value, sigma: Value) -> Expr:
    return call("lognormal", median, sigma)


def pareto(minimum: Value, shape: Value) -> Expr:
    return call("pareto", minimum, shape)


def weibull(scale: Value, shape: Value) -> Expr:
    return call("weibull", scale, shape)


def zipf(ranks: Value, exponent: Value) -> Expr:
    return call("zipf", ranks, exponent)


def geometric(probability: Value) -> Expr:
    return call("geometric", probability)


def chance(probability: Value) -> Expr:
    return call("chance", probability)


def mixture(weights: Sequence[Value], distributions: Sequence[Value]) -> Expr:
    return call("mixture", list(weights), list(distributions))


def truncated(distribution: Value, low: Value, high: Value) -> Expr:
    return call("truncated", distribution, low, high)


def cumulative(values: str | Sequence[Value], shares: Value | Sequence[Value] = 1) -> Expr:
    """By points of its cumulative distribution: values and shares, or a file with both and the unit of its values."""
    if isinstance(values, str):
        return call("cumulative", text(values), shares)
    if not isinstance(shares, Sequence):
        raise TypeError("of points in a list the shares are one, too")
    return call("cumulative", list(values), list(shares))


def empirical(path: str, unit: Value = 1) -> Expr:
    """One of the file's values, times the unit."""
    return call("empirical", text(path), unit)


def plus_minus(value: Value, tolerance: Value) -> Expr:
    """`value ± tolerance`: evenly between the two bounds."""
    return Expr(f"{as_expr(value)._inside(_SUM)} ± {as_expr(tolerance)._inside(_SUM, True)}", _SUM)


# --- functions of paths, for `require`
def rtt(a: Value, b: Value) -> Expr:
    """Propagation there and back."""
    return call("rtt", a, b)


def hops(a: Value, b: Value) -> Expr:
    """Links on the way from a to b."""
    return call("hops", a, b)


def reachable(a: Value, b: Value) -> Expr:
    return call("reachable", a, b)


def bottleneck(a: Value, b: Value) -> Expr:
    """The lowest rate on the way from a to b."""
    return call("bottleneck", a, b)


def bdp(a: Value, b: Value) -> Expr:
    """The bandwidth-delay product."""
    return call("bdp", a, b)
