"""Builds, compiles and runs ANML models of networks. See docs/python.md."""
from . import plot
from .compiler import CompileError, Emulator, RunError, compile_file, compile_text, find_anmlc
from .component import Component
from .experiment import Experiment, experiment
from .expressions import (
    B, GB, KB, MB, Expr, Gbps, Kbps, Mbps, bps, call, expr, h, km, m, min, ms, ns, percent, s, select, text, us, when)
from .frames import connections, connections_frame
from .live import LiveRun, live
from .model import Model
from .networkx import GraphModel, from_networkx
from .parts import Instance, Link, Nodes, Workload
from .results import Results
from .sweep import Point, Points, sweep
from .timeline import Actions, Instant
from .wire import Problem, Proxy, Wire, WireLink, WireRun, proxy, wire
from .words import (
    access, bdp, bottleneck, cellular, chance, constant, cumulative, draws, empirical, ether, exponential, flows,
    geometric, hops, jitter, lognormal, loss, middlebox, mix, mixture, normal, orbit, pareto, plus_minus, preferential,
    queue, reachable, rtt, scatter, tcp, topology, traffic, truncated, uniform, wan, web, weibull, wifi, zipf)

__version__ = "0.1.0"
__all__ = [
    "Actions", "B", "CompileError", "Component", "Emulator", "Experiment", "Expr", "GB", "Gbps", "GraphModel", "Instance", "Instant",
    "KB", "Kbps", "Link", "LiveRun", "MB", "Mbps", "Model", "Nodes", "Point", "Points", "Problem", "Proxy", "Results", "RunError", "Wire", "WireLink", "WireRun", "Workload", "access", "bdp",
    "bottleneck", "bps", "call", "cellular", "chance", "compile_file", "compile_text", "connections", "connections_frame", "constant", "cumulative", "draws", "empirical",
    "ether", "experiment", "exponential", "expr", "find_anmlc", "flows", "from_networkx", "geometric", "h", "hops", "jitter",
    "km", "live", "lognormal", "loss", "m", "middlebox", "min", "mix", "mixture", "ms", "normal", "ns", "orbit", "pareto", "percent", "plot", "plus_minus",
    "preferential", "proxy", "queue", "reachable", "rtt",
    "s", "scatter", "select", "sweep", "tcp", "text", "topology", "traffic", "truncated", "uniform", "us", "wan", "web", "weibull",
    "when", "wifi", "wire", "zipf",
]
