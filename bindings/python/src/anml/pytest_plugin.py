"""The fixture `anml_wire` of pytest: emulated links that begin in a test and end with it. pytest finds it by itself where the
package is installed; elsewhere by `-p anml.pytest_plugin`."""
from __future__ import annotations

import contextlib
from typing import Any, Iterator, Sequence, Union

import pytest

from .compiler import compile_file, compile_text
from .live import live
from .wire import Proxy, Wire, WireRun, proxy, wire


class Wires(contextlib.ExitStack):
    """What a test began."""

    def proxy(self, to: int, **options: Any) -> Proxy:
        """As `anml.proxy`."""
        begun = proxy(to, **options)
        self.callback(begun.close)
        return begun

    def run(self, command: Union[str, Sequence[str]], **options: Any) -> WireRun:
        """As `anml.wire`."""
        return self.enter_context(wire(command, **options))

    def model(self, source: str, *, level: int = 0, options: Sequence[str] = (), **arguments: Any) -> Wire:
        """A live run of a model, a file's name or text of several lines; further arguments are those of `anml.live`."""
        emulator = (compile_text if "\n" in source else compile_file)(source, level=level)
        self.callback(lambda: emulator)  # which goes with its last name
        run = self.enter_context(live(emulator, options=[*options, "--api", "127.0.0.1:0"], **arguments))
        return run.wire()


@pytest.fixture
def anml_wire() -> Iterator[Wires]:
    with Wires() as wires:
        yield wires
