"""Results of a run: docs/results.md describes every key."""
from __future__ import annotations

from typing import Any, Dict, Optional


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
    def transaction_rate(self) -> float:
        """Transactions per second, after the warm-up."""
        return float(self["transactions.per_second"])

    @property
    def throughput(self) -> float:
        """bit/s."""
        return float(self["throughput_bps"])

    @property
    def response_time(self) -> Optional[float]:
        """Mean, in seconds; None without a completed transaction."""
        mean: Optional[float] = self["response_time_seconds.mean"]
        return mean

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
