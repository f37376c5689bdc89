"""Names of the language's own: modules of the standard library, distributions, functions of paths.

`web.fixed(1 * KB)` is the call, `ether.gigabit` the profile, `web.ClosedLoop` the schema. A module that a model's text
names is imported by itself.
"""
from __future__ import annotations

import re
from typing import Sequence, Set

from .expressions import _SUM, Expr, Value, call, operand, text


class Word(Expr):
    """A name that may have members and be called."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Word":
        if name.startswith("__"):
            raise AttributeError(name)
        return Word(f"{self.code}.{name}")

    def __call__(self, *arguments: Value, **named: Value) -> Expr:
        return call(self.code, *arguments, **named)


# made by tests/file/stdlib_page.py --write
MODULES = ("access", "cellular", "draws", "ether", "flows", "jitter", "loss", "middlebox", "mix", "orbit",
           "preferential", "queue", "scatter", "tcp", "topology", "traffic", "wan", "web", "wifi")
(
    access, cellular, draws, ether, flows, jitter, loss, middlebox, mix, orbit, preferential, queue, scatter, tcp,
    topology, traffic, wan, web, wifi,
) = (Word(name) for name in MODULES)
KEYWORDS = frozenset((
    "addressing as at component edition else endpoint enum every experiment false for from function graph host if "
    "import in let link matching model on override process profile ramp random require route router routing run "
    "schema self state switch then true tunable while workload yield "
).split())
# end


_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|`[^`\n]*`|[0-9][\w.]*|[A-Za-z_]\w*|\n|\S', re.S)
# Behind other words of a line stands what they declare: `host web`, `Site web`, `for web in`.
_BEFORE_VALUES = frozenset("else every from if in on override require then to via while".split())
# What these declare has no members: in `ether.fast` the word is the module all the same.
_WITHOUT_MEMBERS = frozenset("endpoint host link router switch workload".split())


def modules_in(source: str) -> Set[str]:
    """The modules that the text of a component names: `web.fixed`, where nothing in it is called `web`."""
    tokens = [token for token in _TOKEN.findall(source) if not token.startswith(("//", "/*"))] + [""]
    used: Set[str] = set()
    declared: Set[str] = set()
    before = ""
    for token, behind in zip(tokens, tokens[1:]):
        if token in MODULES and before != ".":
            if behind == ":" or (before.isidentifier() and before not in _BEFORE_VALUES):
                if before not in _WITHOUT_MEMBERS:
                    declared.add(token)
            elif behind == ".":
                used.add(token)
        before = token  # a line end, too: no declaration goes on behind it
    return used - declared


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
    return Expr(f"{operand(value)._inside(_SUM)} ± {operand(tolerance)._inside(_SUM, True)}", _SUM)


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
