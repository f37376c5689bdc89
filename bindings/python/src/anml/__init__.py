"""Builds, compiles and runs ANML models of networks. See docs/python.md."""
from .compiler import CompileError, Emulator, RunError, compile_file, compile_text, find_anmlc
from .expressions import (
    B, GB, KB, MB, Expr, Gbps, Kbps, Mbps, bps, call, expr, h, km, m, min, ms, ns, percent, s, select, text, us, when)
from .model import Component, Instance, Link, Model, Nodes
from .networkx import GraphModel, from_networkx
from .results import Results
from .sweep import Point, sweep

__version__ = "0.1.0"
__all__ = [
    "B", "CompileError", "Component", "Emulator", "Expr", "GB", "Gbps", "GraphModel", "Instance", "KB", "Kbps", "Link", "MB", "Mbps",
    "Model", "Nodes", "Point", "Results", "RunError", "bps", "call", "compile_file", "compile_text", "expr",
    "find_anmlc", "from_networkx", "h", "km", "m", "min", "ms", "ns", "percent", "s", "select", "sweep", "text", "us",
    "when",
]
