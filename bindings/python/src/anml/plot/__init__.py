"""Plots of results, as the page of `anmlc report` has them: the same figures, colours, units and titles. They need matplotlib.

Each function takes results of a run, several of them by name, `{"before": a, "after": b}`, or points of a sweep; draws on `ax`, or
on a new figure, and gives back the axes. Of several runs each has a colour. `dark=True` is the page's dark theme. ValueError: the
results have nothing of the kind.
"""
from .bars import groups, links, phases, servers
from .factors import over
from .lines import endpoints, over_time, percentiles, sizes
from .page import overview

__all__ = ["endpoints", "groups", "links", "over", "over_time", "overview", "percentiles", "phases", "servers", "sizes"]
