"""Experiments, run by executors."""
from __future__ import annotations

import csv
import json
import os
import pathlib
import subprocess
from typing import Any, Dict, List, Optional, Set, Tuple

from .compiler import CompileError, Path, RunError, find_anmlc
from .executors import Runs, submitter
from .expressions import code
from .frames import Row, frame_of
from .sweep import _bar


class Experiment:
    """What came of an experiment."""

    def __init__(self, folder: Path, status: int, text: str) -> None:
        self.folder = pathlib.Path(folder)
        self.good = status == 0  # else what it requires does not hold everywhere, or a search found nothing
        self.text = text  # the table, as anmlc prints it
        with open(self.folder / "summary.json", encoding="utf-8") as file:
            self.summary: Dict[str, Any] = json.load(file)  # docs/experiment.schema.json

    @property
    def points(self) -> List[Dict[str, Any]]:
        """The combinations of levels: `settings`, and `measures` with `mean` and `half_width`."""
        points: List[Dict[str, Any]] = self.summary["points"]
        return points

    @property
    def searches(self) -> List[Dict[str, Any]]:
        """What searches found: `low`, `high`, `outcome`."""
        searches: List[Dict[str, Any]] = self.summary["searches"]
        return searches

    @property
    def differences(self) -> List[Dict[str, Any]]:
        """What each factor's levels change from its first one, over common seeds: `factor`, `base`, `level`,
        `settings` of the others, `measure`, `difference` with `half_width`, the `pairs` that it comes from."""
        differences: List[Dict[str, Any]] = self.summary["effects"]
        return differences

    def table(self, name: str) -> List[Row]:
        """Rows of "points", "differences", "runs" or "searches". Levels are columns by their factor's name; of
        points there is a row for each measure."""
        if name == "differences":
            return [{**one["settings"], one["factor"]: one["level"],
                     **{key: value for key, value in one.items() if key not in ("settings", "level")}} for one in self.differences]
        if name == "points":
            return [{**point["settings"], "measure": measure, **_columns(estimate),
                     "runs": point["runs"], "failed": point["failed"], "met": point["met"]}
                    for point in self.points for measure, estimate in point["measures"].items()]
        if name in ("runs", "searches"):
            return [{**one["settings"], **{key: value for key, value in one.items() if key != "settings"}} for one in self.summary[name]]
        raise KeyError(f"{name!r}: there are \"points\", \"differences\", \"runs\" and \"searches\"")

    def frame(self, name: str, engine: str = "pandas") -> Any:
        """The same as a DataFrame of pandas, or of polars: `found.frame("differences", "polars")`."""
        return frame_of(self.table(name), engine)

    def rows(self) -> List[Dict[str, str]]:
        """A row for each run, as `runs.csv` has them."""
        with open(self.folder / "runs.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


def experiment(model: Path, name: Optional[str] = None, *, folder: Optional[Path] = None, executor: Optional[Runs] = None,
               level: int = 2, fresh: bool = False, progress: bool = True, **defines: Any) -> Experiment:
    """Runs an experiment of a file, as `anmlc experiment` does: `experiment("shop.anml", "growth", executor=pool)`.

    Each run is a call of the executor, which has to see the folder (NAME.runs in the current one). It is one for
    runs: what has ended is not run again, and what two processes both ask for runs once. Without an executor anmlc
    runs them, on all processors. `**defines` are parameters that the experiment does not vary.
    """
    words = [find_anmlc(), "experiment", os.fspath(model), *([name] if name else []), f"-O{level}", "--quiet"]
    where = pathlib.Path(folder or f"{name or _only(os.fspath(model))}.runs").resolve()
    words += ["-o", str(where)]
    for parameter, value in defines.items():
        words += ["-D", f"{parameter}={code(value)}"]
    submit = submitter(executor) if executor is not None else None
    begun: Set[str] = set()  # runs
    while True:
        now = [*words, *(["--launcher=plan"] if submit else []), *(["--fresh"] if fresh else [])]
        fresh = False
        done = subprocess.run(now, capture_output=True, text=True, encoding="utf-8")
        plan = _plan(where) if submit else []
        if done.returncode not in (0, 99) or (not plan and not (where / "summary.json").exists()):
            raise CompileError(done.stderr.strip() or f"anmlc ended with status {done.returncode}")
        if not plan or submit is None:
            return Experiment(where, done.returncode, done.stdout)
        again = next((one["id"] for one in plan if one["id"] in begun), None)
        if again is not None:
            raise RunError(_failure(where, again))
        begun.update(one["id"] for one in plan)
        waits = [submit(run_planned, str(where), one["command"]) for one in plan]
        bar = _bar(len(waits)) if progress else None
        try:
            wrong = None  # of the first that failed; the others end first, in the folder that they write
            for one, wait in zip(plan, waits):
                status, said = wait()
                if status != 0 and wrong is None:
                    wrong = _failure(where, one["id"]) if said == "" or "status" in said else said
                if bar:
                    bar.update()
            if wrong is not None:
                raise RunError(wrong)
        finally:
            if bar:
                bar.close()


def run_planned(folder: str, command: List[str]) -> Tuple[int, str]:
    """A line of a plan, where the executor has it run: the exit status, and what it said."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, encoding="utf-8", errors="replace")
    return done.returncode, done.stdout.strip()


def _columns(estimate: Dict[str, Any]) -> Row:
    return {key: estimate[key] for key in ("mean", "half_width", "degrees", "batches", "values")}


def _plan(folder: pathlib.Path) -> List[Dict[str, Any]]:
    try:
        with open(folder / "launch" / "plan.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []


def _failure(folder: pathlib.Path, run: str) -> str:
    log = folder / "runs" / run / "log"
    said = log.read_text(encoding="utf-8", errors="replace")[-2000:] if log.exists() else "it said nothing"
    return f"the run in {log.parent} failed:\n{said.strip()}"


def _only(model: str) -> str:
    done = subprocess.run([find_anmlc(), "experiment", model, "--list"], capture_output=True, text=True, encoding="utf-8")
    names = [line.split(" ")[0] for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(names) != 1:
        raise CompileError(done.stderr.strip() or f"which experiment? {model} declares {', '.join(names) or 'none'}")
    return names[0]
