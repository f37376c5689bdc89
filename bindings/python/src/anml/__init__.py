"""Builds, compiles and runs ANML models of networks. See docs/python.md."""
from . import plot
from .compiler import CompileError, Emulator, RunError, compile_file, compile_text, find_anmlc
from .component import Component
from .experiment import Experiment, experiment
from .expressions import (
    B, GB, KB, MB, Expr, Gbps, Kbps, Mbps, bps, call, expr, h, km, m, min, ms, ns, percent, s, select, text, us, when)
from .live import LiveRun, live
from .model import Model
from .networkx import GraphModel, from_networkx
from .parts import Instance, Link, Nodes, Workload
from .results import Results
from .sweep import Point, Points, sweep
from .timeline import Actions, Instant
from .words import (
    access, bdp, bottleneck, chance, constant, cumulative, empirical, ether, exponential, flows, geometric, hops,
    jitter, lognormal, loss, mixture, normal, pareto, plus_minus, reachable, rtt, tcp, topology, traffic, truncated,
    uniform, wan, web, weibull, zipf)

__version__ = "0.1.0"
__all__ = [
    "Actions", "B", "CompileError", "Component", "Emulator", "Experiment", "Expr", "GB", "Gbps", "GraphModel", "Instance", "Instant",
    "KB", "Kbps", "Link", "LiveRun", "MB", "Mbps", "Model", "Nodes", "Point", "Points", "Results", "RunError", "Workload", "access", "bdp",
    "bottleneck", "bps", "call", "chance", "compile_file", "compile_text", "constant", "cumulative", "empirical",
    "ether", "experiment", "exponential", "expr", "find_anmlc", "flows", "from_networkx", "geometric", "h", "hops", "jitter",
    "km", "live", "lognormal", "loss", "m", "min", "mixture", "ms", "normal", "ns", "pareto", "percent", "plot", "plus_minus",
    "reachable", "rtt",
    "s", "select", "sweep", "tcp", "text", "topology", "traffic", "truncated", "uniform", "us", "wan", "web", "weibull",
    "when", "zipf",
]
