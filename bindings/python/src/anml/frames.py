"""Results as tables: lists of rows, or frames of pandas or polars."""
from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

Row = Dict[str, Any]


def flat(value: Any, path: str = "") -> Row:
    """A row of figures by their paths: {"a": {"b": 1}} is {"a.b": 1}. Lists stay values of a cell."""
    if not isinstance(value, dict):
        return {path: value}
    row: Row = {}
    for key, inner in value.items():
        row.update(flat(inner, f"{path}.{key}" if path else key))
    return row


def rows_of(data: Any) -> List[Row]:
    """Of a part of results: a list of objects is a row each, an object of lists of one length (`series`) a row for each place."""
    if isinstance(data, list):
        return [flat(one) if isinstance(one, dict) else {"value": one} for one in data]
    if isinstance(data, dict):
        columns = {key: value for key, value in data.items() if isinstance(value, list)}
        lengths = {len(value) for value in columns.values()}
        if len(lengths) == 1:
            return [{key: value[i] for key, value in columns.items()} for i in range(lengths.pop())]
        return [flat(data)]
    raise KeyError("there is no table")


def columns_of(rows: Sequence[Row]) -> Dict[str, List[Any]]:
    """By column, in the order in which they first occur; None where a row has none."""
    names: Dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return {name: [row.get(name) for row in rows] for name in names}


def _import(engine: str) -> Any:
    if engine not in ("pandas", "polars"):
        raise ValueError(f"{engine!r} is neither 'pandas' nor 'polars'")
    try:
        if engine == "pandas":
            import pandas
            return pandas
        import polars
        return polars
    except ImportError as error:
        raise ImportError(f"frames of {engine} need it: pip install 'anml[{engine}]', or pip install {engine} ({error})") from error


def frame_of(rows: Sequence[Row], engine: str = "pandas") -> Any:
    """A DataFrame of pandas or polars, whichever is named."""
    library = _import(engine)
    columns = columns_of(rows)
    if engine == "pandas":
        return library.DataFrame(columns)
    # Columns of whole numbers and of others are of one type in polars.
    return library.DataFrame(columns, strict=False)


def _kind(column: str) -> str:
    """Of a file of connections, by the column's name."""
    if column.endswith("_seconds"):
        return "float"
    return "int" if column.endswith(("_bytes", "_port")) or column in ("requests", "completed", "failed") else "str"


def connections(path: Union[str, Path]) -> Iterator[Row]:
    """The rows of a file of `--connections`, one after the other; None where a time is none."""
    reads: Dict[str, Callable[[str], Any]] = {"float": lambda text: float(text) if text else None, "int": int, "str": str}
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        columns = [(name, reads[_kind(name)]) for name in next(lines, [])]
        for line in lines:
            yield {name: read(text) for (name, read), text in zip(columns, line)}


def connections_frame(path: Union[str, Path], engine: str = "pandas") -> Any:
    """The same file as a DataFrame of pandas, or of polars."""
    library = _import(engine)
    with open(path, newline="", encoding="utf-8") as file:
        kinds = {name: _kind(name) for name in next(csv.reader(file), [])}
    if engine == "pandas":
        types = {"float": "float64", "int": "int64", "str": "str"}
        # A host may be called `NA`.
        missing = {name: [""] for name, kind in kinds.items() if kind == "float"}
        return library.read_csv(path, dtype={name: types[kind] for name, kind in kinds.items()}, keep_default_na=False, na_values=missing)
    of_polars = {"float": library.Float64, "int": library.Int64, "str": library.Utf8}
    frame = library.read_csv(path, schema_overrides={name: of_polars[kind] for name, kind in kinds.items()})
    return frame.with_columns(library.col(library.Utf8).fill_null(""))


def point_rows(points: Iterable[Tuple[Dict[str, Any], Any]], figures: Optional[Sequence[str]], table: Optional[str]) -> List[Row]:
    """Of a sweep: a row for each point with these figures of its results, or for each row of one of their tables."""
    rows: List[Row] = []
    for parameters, results in points:
        named = {name: str(value) if not isinstance(value, (int, float, bool, str)) else value for name, value in parameters.items()}
        if table is not None:
            rows += [{**named, **row} for row in results.table(table)]
        else:
            rows.append({**named, **{path: results[path] for path in figures or ()}})
    return rows
