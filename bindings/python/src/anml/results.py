"""Results of a run: docs/results.md describes every key."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from .frames import Row, frame_of, rows_of


class Results:
    """`results.data` is the whole document; `results["transactions.completed"]` a figure of it by its path."""

    def __init__(self, data: Dict[str, Any]) -> None:
        self.data = data

    def __getitem__(self, path: str) -> Any:
        value: Any = self.data
        for part in path.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, ValueError, TypeError):
                raise KeyError(f"{path!r}: there is no {part!r}") from None
        return value

    @property
    def transaction_rate(self) -> Optional[float]:
        """Transactions per second, after the warm-up; None where that was not over."""
        rate: Optional[float] = self["transactions.per_second"]
        return rate

    @property
    def throughput(self) -> float:
        """bit/s."""
        return float(self["throughput_bps"])

    @property
    def response_time(self) -> Optional[float]:
        """Mean of the completed ones, in seconds; None without any."""
        mean: Optional[float] = self["response_time_seconds.mean"]
        return mean

    @property
    def failed(self) -> Dict[str, int]:
        """Failed transactions by cause, those without one left out."""
        return {cause: count for cause, count in self["transactions.failed_by_cause"].items() if count}

    @property
    def open_at_end(self) -> int:
        """Transactions that had not ended: `transactions.open_seconds` says for how long."""
        return int(self["transactions.in_progress"])

    def response_time_percentile(self, name: str) -> Tuple[Optional[float], bool]:
        """"median", "p95", "p99" or "max" in seconds, and whether it is exact: if not, too many transactions hang, and it is
        only known to be at least that. None: there are too few samples."""
        exact: Optional[float] = self[f"response_time_seconds.{name}"]
        least: Optional[float] = self[f"response_time_seconds.at_least.{name}"]
        return (least, False) if exact is None and least is not None else (exact, True)

    def table(self, path: str) -> List[Row]:
        """A list of the results as rows of figures by their paths: "workloads", "busiest_links", "middleboxes",
        "groups.subnetwork", "groups.request"; of "series" a row for each second, of "series_by_request" one for each request
        and second."""
        if path == "series_by_request":
            interval = float(self["series.interval_seconds"])
            return [{"seconds": i * interval, "name": series["name"], **row} for series in self[path] for i, row in enumerate(rows_of(series))]
        rows = rows_of(self[path])
        if path == "series" and rows:
            interval = float(self["series.interval_seconds"])
            rows = [{"seconds": i * interval, **row} for i, row in enumerate(rows)]
        return rows

    def frame(self, path: str, engine: str = "pandas") -> Any:
        """The same as a DataFrame of pandas, or of polars: `results.frame("series", "polars")`."""
        return frame_of(self.table(path), engine)

    @property
    def packet_loss(self) -> float:
        """Share of the packets that were lost."""
        return float(self["packet_loss"])

    @property
    def digest(self) -> str:
        """The same for the same model, parameters and seed."""
        return str(self["digest"])

    def __repr__(self) -> str:
        return f"Results({self.data.get('model')!r}, digest {self.data.get('digest')})"
