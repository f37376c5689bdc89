"""What plots are made of: one run or several, and what their results have."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence, Tuple, Union

from ..results import Results
from ..sweep import Point

Runs = Union[Results, Mapping[str, Results], Sequence[Results], Sequence[Point]]


class Run(NamedTuple):
    """`name` is "" where there is one alone."""

    name: str
    results: Results

    @property
    def data(self) -> Dict[str, Any]:
        return self.results.data


def _words(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def runs_of(given: Runs) -> List[Run]:
    """Of results by their names, of a list of them ("run 1", "run 2"), or of points of a sweep, by what tells them apart."""
    if isinstance(given, Results):
        return [Run("", given)]
    runs: List[Run] = []
    if isinstance(given, Mapping):
        runs = [Run(name, results) for name, results in given.items()]
    else:
        listed: List[Union[Results, Point]] = list(given)
        points = [one for one in listed if isinstance(one, Point)]
        same = {name for name in (points[0].parameters if points else ()) if len({str(p.parameters.get(name)) for p in points}) == 1}
        for index, one in enumerate(listed):
            if isinstance(one, Point):
                runs.append(Run(_words({name: value for name, value in one.parameters.items() if name not in same}) or f"run {index + 1}", one.results))
            else:
                runs.append(Run(f"run {index + 1}", one))
    if not runs:
        raise ValueError("there are no runs to plot")
    return [Run("", runs[0].results)] if len(runs) == 1 else runs


def without_indices(name: str) -> str:
    """"site[2].desk[17]<": "site[*].desk[*]<"."""
    return re.sub(r"\[\d+\]", "[*]", name)


def shown_name(thing: Mapping[str, Any], key: str = "name") -> str:
    return f"{thing[key]} ({thing['label']})" if thing.get("label") else str(thing[key])


def shown_workloads(results: Results) -> List[Tuple[Dict[str, Any], bool]]:
    """Workloads in the report's order, what an array comes to before its elements, and whether it stands for this one."""
    few = 12
    sums = {(s["name"], s["kind"]): s for s in results.data.get("sums", []) if s["workloads"] > 1}
    shown: List[Tuple[Dict[str, Any], bool]] = []
    before = set()
    for workload in results.data["workloads"]:
        key = (without_indices(workload["name"]), workload["kind"])
        together = sums.get(key)
        if together and key not in before:
            before.add(key)
            shown.append((together, False))
        shown.append((workload, bool(together and together["workloads"] > few)))
    return shown


def few_workloads(results: Results) -> List[Dict[str, Any]]:
    """Without the elements of large arrays."""
    return [workload for workload, one_of_many in shown_workloads(results) if not one_of_many]


def workload_of(results: Results, name: str) -> Dict[str, Any]:
    """The workload of this name, or what those of an array come to; none where this run has none."""
    return next((workload for workload, _ in shown_workloads(results) if workload["name"] == name), {})


def value_at(data: Any, path: str) -> Any:
    """By a path of keys; None where there is nothing."""
    for part in path.split("."):
        if not isinstance(data, dict) or part not in data:
            return None
        data = data[part]
    return data


def labelled(run: Run, *words: str) -> str:
    return ", ".join(word for word in (*words, run.name) if word)
