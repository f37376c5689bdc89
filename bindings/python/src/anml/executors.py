"""What runs things beside each other: executors of concurrent.futures and what has their interface, and pools of multiprocessing."""
from __future__ import annotations

from typing import Any, Callable, Protocol, Union


class Executor(Protocol):
    """`concurrent.futures.Executor`, `dask.distributed.Client` and others."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """A future: its `result()` is what the function returns, when it has returned."""


class Pool(Protocol):
    """`multiprocessing.Pool`, `ray.util.multiprocessing.Pool` and others."""

    def apply_async(self, func: Callable[..., Any], args: Any = ..., /) -> Any:
        """What has a `get()`."""


Runs = Union[Executor, Pool]


def submitter(executor: Runs) -> Callable[..., Callable[[], Any]]:
    """What begins a call there, and returns what waits for its result."""
    begin: Any = getattr(executor, "submit", None)
    apply: Any = getattr(executor, "apply_async", None)

    def submit(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
        wait: Callable[[], Any] = begin(function, *arguments).result if begin else apply(function, arguments).get
        return wait

    if not begin and not apply:
        raise TypeError(f"{type(executor).__name__} is no executor: it has neither `submit` nor `apply_async`")
    return submit
