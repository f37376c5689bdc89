"""Runs of one model over all combinations of parameters."""
from __future__ import annotations

import concurrent.futures
import itertools
import os
import sys
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple, Union

from . import compiler
from .executors import Runs, submitter
from .expressions import code
from .frames import Row, frame_of, point_rows
from .model import Model
from .results import Results


class Point(NamedTuple):
    """One run: its parameters, as they were given, and its results."""

    parameters: Dict[str, Any]
    results: Results


class Points(List[Point]):
    """Those of a sweep, in the order of the text."""

    def table(self, *figures: str, of: Optional[str] = None) -> List[Row]:
        """A row for each point: its parameters, and these figures by their paths, `points.table("throughput_bps")`.
        `of="workloads"`: a row for each of that table of each point's results."""
        return point_rows(self, figures, of)

    def frame(self, *figures: str, of: Optional[str] = None, engine: str = "pandas") -> Any:
        """The same as a DataFrame of pandas, or of polars."""
        return frame_of(self.table(*figures, of=of), engine)


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
        from tqdm.auto import tqdm
    except ImportError:
        return _Bar(total)
    return tqdm(total=total, unit="run")


def sweep(model: Union[Model, str, "os.PathLike[str]"], parameters: Optional[Mapping[str, Sequence[Any]]] = None, *,
          duration: Optional[Any] = None, seeds: Iterable[int] = (1,), parallel: int = 1, level: int = 2,
          progress: bool = True, executor: Optional[Runs] = None, **more: Sequence[Any]) -> Points:
    """Runs all combinations: `sweep("wan.anml", N=[1, 8], D=["1 ms", "8 ms"])`, in the order of the text.

    Tunables are set when the emulator runs, so it is compiled once for each combination of the other parameters.
    With several seeds each combination runs once with each of them, and `seed` is among the point's parameters.
    `executor` runs them instead of `parallel` threads of this process; it has to see the folder of temporary files.
    """
    axes: Dict[str, List[Any]] = {name: list(values) for name, values in {**(parameters or {}), **more}.items()}
    every_seed = list(seeds)
    if not every_seed or any(not values for values in axes.values()):
        return Points()
    path, source = ("-", model.source(lines=True)) if isinstance(model, Model) else (os.fspath(model), None)
    combinations = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    tunables = _tunables(path, source, combinations[0])
    shapes: Dict[str, List[int]] = {}  # combinations by what has to be compiled anew
    for index, combination in enumerate(combinations):
        key = repr([(name, code(value)) for name, value in combination.items() if name not in tunables])
        shapes.setdefault(key, []).append(index)
    points: List[List[Point]] = [[] for _ in combinations]
    submit = submitter(executor) if executor is not None else None
    elsewhere: List[Tuple[Callable[[], Results], int, int]] = []  # what waits for them
    emulators: List[compiler.Emulator] = []  # as long as runs of theirs go on
    bar = _bar(len(combinations) * len(every_seed)) if progress else None
    try:
        with concurrent.futures.ThreadPoolExecutor(max(1, parallel)) as pool:
            for members in shapes.values():
                first = combinations[members[0]]
                shape = {name: value for name, value in first.items() if name not in tunables}
                emulator = compiler.compile_program(path, source, None, level, shape)
                runs = {}
                for index, seed in itertools.product(members, every_seed):
                    settings = {name: value for name, value in combinations[index].items() if name in tunables}
                    if submit:
                        elsewhere.append((submit(_run, emulator, duration, seed, settings), index, seed))
                    else:
                        runs[pool.submit(_run, emulator, duration, seed, settings)] = (index, seed)
                emulators.append(emulator)
                for future in concurrent.futures.as_completed(runs):
                    index, seed = runs[future]
                    named = dict(combinations[index], seed=seed) if len(every_seed) > 1 else dict(combinations[index])
                    points[index].append(Point(named, future.result()))
                    if bar:
                        bar.update()
            for wait, index, seed in elsewhere:
                named = dict(combinations[index], seed=seed) if len(every_seed) > 1 else dict(combinations[index])
                points[index].append(Point(named, wait()))
                if bar:
                    bar.update()
    finally:
        if bar:
            bar.close()
    order = {seed: i for i, seed in enumerate(every_seed)}
    for group in points:
        group.sort(key=lambda point: order.get(point.parameters.get("seed", every_seed[0]), 0))
    return Points(point for group in points for point in group)


def _tunables(path: str, source: Optional[str], example: Dict[str, Any]) -> Set[str]:
    """The model's tunables. Where parameters without a default hide them, all that varies is compiled in."""
    try:
        known = compiler.describe(path, source)
    except compiler.CompileError:
        known = compiler.describe(path, source, **example)
    return {tunable["name"] for tunable in known["tunables"]}


def _run(emulator: compiler.Emulator, duration: Optional[Any], seed: int, settings: Dict[str, Any]) -> Results:
    return emulator._simulate(settings, duration=duration, seed=seed)
