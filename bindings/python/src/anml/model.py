"""Models: a whole scenario, the components that it uses, and the text of both."""
from __future__ import annotations

import os
import pathlib
from typing import Dict, List, Optional, Sequence, Tuple, Union

from . import compiler
from .blocks import attribute_block, caller
from .component import Component, mark
from .expressions import Expr, Value
from .words import MODULES, modules_in


class _Part(Component):
    """A component of a model."""

    def __init__(self, name: str, doc: str, model: "Model") -> None:
        super().__init__(name, doc)
        self._model = model

    def _uses(self, component: Component) -> None:
        self._model._uses(component)


class Model(Component):
    """A whole scenario, and the components that it uses."""

    _keyword = "model"

    def __init__(self, name: str, doc: str = "", imports: Sequence[str] = ()) -> None:
        super().__init__(name, doc)
        self._imports = list(imports)
        self._components: Dict[str, Component] = {}
        self._head: List[Tuple[Tuple[str, int], str]] = []

    def import_module(self, module: str) -> None:
        """`import module`; those of the standard library that the text names are imported by themselves."""
        self._imports.append(module)

    def component(self, name: str, doc: str = "") -> Component:
        """A new component of this program."""
        if name in self._components:
            raise ValueError(f"there is a component {name!r} already")
        self._components[name] = _Part(name, doc, self)
        return self._components[name]

    def declare(self, source: str) -> None:
        """A declaration (profile, schema, enum, process, function) at the top of the file, in ANML's own text."""
        self._head.append((caller(), source))

    def _uses(self, component: Component) -> None:
        if self._components.get(component.name) is not component:
            raise ValueError(f"{component.name!r} is a component of another model")

    def tunable(self, name: str, type: str, default: Value, range: Optional[Tuple[Value, Value]] = None,
                doc: str = "") -> Expr:
        """A parameter that stays adjustable in the compiled emulator."""
        return self._parameter("tunable ", name, type, default, range, doc)

    def run(self, duration: Value, warmup: Optional[Value] = None) -> None:
        """How long the model runs, warm-up included."""
        self.statement(f"run{attribute_block({'duration': duration, 'warmup': warmup})}")

    def source(self, lines: bool = False) -> str:
        """The text. With `lines` it says which line of the caller made what, for the compiler's messages; without, it
        is formatted as `anmlc fmt` does it, if anmlc is there."""
        parts: List[List[str]] = [[]]
        for place, declaration in self._head:
            mark(parts[0], place, lines)
            parts[0].append(declaration.rstrip("\n") + "\n")
        for component in (*self._components.values(), self):
            parts.append(["\n"])
            component._write(parts[-1], lines)
        texts = ["".join(part) for part in parts]
        used = set().union(*(modules_in(part) for part in texts))
        known = {words.split()[-1].split(".")[-1] for words in self._imports}
        modules = list(dict.fromkeys(self._imports))
        modules += [f"std.{module}" for module in MODULES if module in used - known]
        written = "".join(f"import {module}\n" for module in modules) + "".join(texts)
        return written if lines else compiler.format_text(written)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> pathlib.Path:
        """Writes the text to a file."""
        target = pathlib.Path(path)
        target.write_text(self.source(), encoding="utf-8")
        return target

    def compile(self, output: Optional[Union[str, "os.PathLike[str]"]] = None, level: int = 2,
                mpi: bool = False, **defines: Value) -> "compiler.Emulator":
        """Compiles it; `defines` fix parameters (-D), `mpi` is for `run(mpi=4)`. Errors name the lines that made the
        statements."""
        return compiler.compile_text(self.source(lines=True), output, level, mpi, **defines)

    def check(self) -> str:
        """The compiler's warnings, or a CompileError."""
        return compiler.check_text(self.source(lines=True))
