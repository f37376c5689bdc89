"""Runs of one model over all combinations of parameters."""
from __future__ import annotations

import concurrent.futures
import itertools
import os
import sys
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import compiler
from .expressions import code
from .model import Model
from .results import Results


class Point(NamedTuple):
    """One run: its parameters, as they were given, and its results."""

    parameters: Dict[str, Any]
    results: Results


class _Bar:
    """A progress bar on a terminal, where tqdm is not installed."""

    def __init__(self, total: int) -> None:
        self._total, self._done = total, 0

    def update(self) -> None:
        self._done += 1
        if sys.stderr.isatty():
            filled = 30 * self._done // self._total
            print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {self._done}/{self._total}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if sys.stderr.isatty():
            print(file=sys.stderr)


def _bar(total: int) -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import]
    except ImportError:
        return _Bar(total)
    return tqdm(total=total, unit="run")


def sweep(model: Union[Model, str, "os.PathLike[str]"], parameters: Optional[Mapping[str, Sequence[Any]]] = None, *,
          duration: Optional[Any] = None, seeds: Iterable[int] = (1,), parallel: int = 1, level: int = 2,
          progress: bool = True, **more: Sequence[Any]) -> List[Point]:
    """Runs all combinations: `sweep("wan.anml", N=[1, 8], D=["1 ms", "8 ms"])`, in the order of the text.

    Tunables are set when the emulator runs, so it is compiled once for each combination of the other parameters.
    With several seeds each combination runs once with each of them, and `seed` is among the point's parameters.
    """
    axes: Dict[str, List[Any]] = {name: list(values) for name, values in {**(parameters or {}), **more}.items()}
    seeds = list(seeds)
    if not seeds or any(not values for values in axes.values()):
        return []
    if isinstance(model, Model):
        source: Optional[str] = model.source(lines=True)
        known = compiler.describe_text(source)
    else:
        source = None
        known = compiler.describe(model)
    tunables = {tunable["name"] for tunable in known["tunables"]}

    def compiled(defines: Dict[str, Any]) -> compiler.Emulator:
        if source is not None:
            return compiler.compile_text(source, None, level, **defines)
        return compiler.compile_file(model, None, level, **defines)  # type: ignore[arg-type]

    combinations = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    shapes: Dict[str, List[int]] = {}  # combinations by what has to be compiled anew
    for index, combination in enumerate(combinations):
        key = repr([(name, code(value)) for name, value in combination.items() if name not in tunables])
        shapes.setdefault(key, []).append(index)
    points: List[List[Point]] = [[] for _ in combinations]
    bar = _bar(len(combinations) * len(seeds)) if progress else None
    try:
        with concurrent.futures.ThreadPoolExecutor(max(1, parallel)) as pool:
            for members in shapes.values():
                first = combinations[members[0]]
                emulator = compiled({name: value for name, value in first.items() if name not in tunables})
                runs = {}
                for index, seed in itertools.product(members, seeds):
                    settings = {name: value for name, value in combinations[index].items() if name in tunables}
                    runs[pool.submit(_run, emulator, duration, seed, settings)] = (index, seed)
                for future in concurrent.futures.as_completed(runs):
                    index, seed = runs[future]
                    named = dict(combinations[index], seed=seed) if len(seeds) > 1 else dict(combinations[index])
                    points[index].append(Point(named, future.result()))
                    if bar:
                        bar.update()
    finally:
        if bar:
            bar.close()
    order = {seed: i for i, seed in enumerate(seeds)}
    for group in points:
        group.sort(key=lambda point: order.get(point.parameters.get("seed", seeds[0]), 0))
    return [point for group in points for point in group]


def _run(emulator: compiler.Emulator, duration: Optional[Any], seed: int, settings: Dict[str, Any]) -> Results:
    return emulator._simulate(settings, duration=duration, seed=seed)
