"""Means with their intervals: Student's, of 95 %, as experiments have them."""
from __future__ import annotations

import math
from typing import NamedTuple, Optional, Sequence


class Mean(NamedTuple):
    mean: float
    half_width: Optional[float]  # None: of one value


def _within(t: float, degrees: int) -> float:
    """The probability that a variable with so many degrees of freedom lies between -t and t (Abramowitz and Stegun, 26.7.3 and 4)."""
    angle = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2 == 1
    term = cosine if odd else 1.0
    total = 0.0 if degrees == 1 else term
    for i in range(3 if odd else 2, degrees, 2):
        term *= cosine * cosine * (i - 1) / i
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def student_quantile(probability: float, degrees: int) -> float:
    wanted, low, high = 2 * probability - 1, 0.0, 1.0
    while _within(high, degrees) < wanted and high < 1e9:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        if _within(middle, degrees) < wanted:
            low = middle
        else:
            high = middle
    return high


def mean_of(values: Sequence[float]) -> Mean:
    """Of at least one value."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return Mean(mean, None)
    error = math.sqrt(sum((value - mean) ** 2 for value in values) / (count - 1) / count)
    return Mean(mean, student_quantile(0.975, count - 1) * error)
