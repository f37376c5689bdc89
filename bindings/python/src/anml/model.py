"""Models and components: statements in the order in which they are made, and what later ones refer to.

Each statement remembers the line of the caller that made it; the compiler's errors then point there.
"""
from __future__ import annotations

import contextlib
import os
import pathlib
import re
import subprocess
import sys
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import compiler
from .expressions import Expr, Value, as_expr, code, quoted_path, text

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*\Z")
_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def _check_name(name: str) -> str:
    if not _NAME.match(name):
        raise ValueError(f"a name is letters, digits and _, and does not begin with a digit: {name!r}")
    return name


def _caller() -> Tuple[str, int]:
    """The nearest line outside of this package."""
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _PACKAGE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


class Nodes:
    """A node, an array of nodes, or a selection of them."""

    def __init__(self, expression: Expr) -> None:
        self.expr = expression

    def __getitem__(self, index: Union[Value, slice]) -> "Nodes":
        return Nodes(Expr(f"{self.expr.code}[{_index(index)}]"))

    @property
    def all(self) -> "Nodes":
        """`[*]`: all elements of an array."""
        return Nodes(Expr(f"{self.expr.code}[*]"))

    def __repr__(self) -> str:
        return f"Nodes({self.expr.code!r})"


def _index(index: Union[Value, slice]) -> str:
    if not isinstance(index, slice):
        return code(index)
    if index.step is not None or index.stop is None:
        raise ValueError("a slice has an end and no step: pc[1:4]; all elements are pc.all")
    return f"{code(0 if index.start is None else index.start)} ..< {code(index.stop)}"


class Instance:
    """An instance of a component, or an array or selection of them; its nodes are attributes: `net[0].gateway`."""

    def __init__(self, expression: Expr) -> None:
        self.expr = expression

    def __getitem__(self, index: Union[Value, slice]) -> "Instance":
        return Instance(Expr(f"{self.expr.code}[{_index(index)}]"))

    @property
    def all(self) -> "Instance":
        return Instance(Expr(f"{self.expr.code}[*]"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Member(Expr(f"{self.expr.code}.{_check_name(name)}"))

    def __repr__(self) -> str:
        return f"Instance({self.expr.code!r})"


class _Member(Instance):
    """A node or an instance in an instance: the compiler knows which."""


class Link:
    """A link, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Link({self.name!r})"


class Component:
    """A part of a network: parameters, and statements."""

    _keyword = "component"

    def __init__(self, name: str, doc: str = "") -> None:
        self.name = _check_name(name)
        self.doc = doc
        self._parameters: List[Tuple[str, str]] = []  # documentation, declaration
        self._lines: List[Tuple[Tuple[str, int], int, str]] = []  # where it was made, indentation, text
        self._indent = 1
        self._made = _caller()

    # --- parameters
    def parameter(self, name: str, type: str, default: Optional[Value] = None,
                  range: Optional[Tuple[Value, Value]] = None, doc: str = "") -> Expr:
        """A parameter; what it returns stands for it in expressions."""
        return self._parameter("", name, type, default, range, doc)

    def _parameter(self, prefix: str, name: str, type: str, default: Optional[Value],
                   range: Optional[Tuple[Value, Value]], doc: str) -> Expr:
        declaration = f"{prefix}{_check_name(name)}: {type}"
        if range is not None:
            declaration += f" in {code(range[0])} .. {code(range[1])}"
        if default is not None:
            declaration += f" = {code(default)}"
        self._parameters.append((doc, declaration))
        return Expr(name)

    # --- statements
    def statement(self, source: str) -> None:
        """A statement in ANML's own text, for what has no method here."""
        for line in source.splitlines():
            self._lines.append((_caller(), self._indent, line))

    def _node(self, kind: str, name: str, count: Optional[Value], doc: str, attributes: Mapping[str, Value]) -> Nodes:
        for line in doc.splitlines():
            self.statement(f"/// {line}")
        array = "" if count is None else f"[{code(count)}]"
        self.statement(f"{kind} {_check_name(name)}{array}{_block(attributes)}")
        return Nodes(Expr(name))

    def host(self, name: str, count: Optional[Value] = None, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("host", name, count, doc, attributes)

    def router(self, name: str, count: Optional[Value] = None, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("router", name, count, doc, attributes)

    def switch(self, name: str, count: Optional[Value] = None, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("switch", name, count, doc, attributes)

    def endpoint(self, name: str, doc: str = "", **attributes: Value) -> Nodes:
        return self._node("endpoint", name, None, doc, attributes)

    def instance(self, component: Union["Component", str], name: str, count: Optional[Value] = None,
                 **arguments: Any) -> Instance:
        """An instance of a component of this program, or of an imported one by its name ("lab.Rack")."""
        if isinstance(component, Component):
            self._uses(component)
        kind = component.name if isinstance(component, Component) else component
        array = "" if count is None else f"[{code(count)}]"
        given = ", ".join(f"{key} = {code(value)}" for key, value in arguments.items())
        self.statement(f"{kind} {_check_name(name)}{array}" + (f"({given})" if given else ""))
        return Instance(Expr(name))

    def link(self, left: Any, right: Any, profile: Optional[Value] = None, name: str = "",
             index: Optional[Value] = None, **attributes: Value) -> Link:
        """A link from `left` to `right`: its values from a profile, and single ones from `attributes`."""
        head = ""
        if name:
            head = _check_name(name) + ("" if index is None else f"[{code(index)}]") + ": "
        tail = "" if profile is None else f" : {code(profile)}"
        self.statement(f"link {head}{code(left)} -- {code(right)}{tail}{_block(attributes)}")
        return Link(name or f"{code(left)}--{code(right)}")

    def let(self, name: str, value: Any) -> Expr:
        self.statement(f"let {_check_name(name)} = {code(value)}")
        return Expr(name)

    def profile(self, name: str, schema: str, **attributes: Value) -> Expr:
        """A named value of a schema, such as `Link` or `Tcp`."""
        self.statement(f"profile {_check_name(name)} : {schema}{_block(attributes) or ' {}'}")
        return Expr(name)

    def workload(self, name: str, schema: str, on: Any, **attributes: Any) -> None:
        self.statement(f"workload {_check_name(name)} : {schema} on {code(on)}{_block(attributes)}")

    def require(self, condition: Value, message: str = "") -> None:
        self.statement(f"require {code(condition)}" + (f" else {text(message).code}" if message else ""))

    @contextlib.contextmanager
    def _braces(self, head: str) -> Iterator[None]:
        self.statement(head + " {")
        self._indent += 1
        try:
            yield
        finally:
            self._indent -= 1
            self.statement("}")

    @contextlib.contextmanager
    def loop(self, name: str, low: Value, end: Value) -> Iterator[Expr]:
        """`for name in low ..< end`. Links and workloads in it stay one statement, however often it runs."""
        with self._braces(f"for {_check_name(name)} in {code(low)} ..< {code(end)}"):
            yield Expr(name)

    @contextlib.contextmanager
    def condition(self, condition: Value) -> Iterator[None]:
        """`if condition`: what stands in it is made where it holds."""
        with self._braces(f"if {code(condition)}"):
            yield

    # --- text
    def _uses(self, component: "Component") -> None:
        raise NotImplementedError

    def _write(self, out: List[str], lines: bool) -> None:
        out.extend(f"/// {line}\n" for line in self.doc.splitlines())
        parameters = ", ".join(declaration for _, declaration in self._parameters)
        if any(doc for doc, _ in self._parameters) or len(parameters) > 80:
            parameters = "\n"
            for doc, declaration in self._parameters:
                parameters += "".join(f"  /// {line}\n" for line in doc.splitlines()) + f"  {declaration},\n"
        if parameters:
            parameters = f"({parameters})"
        _mark(out, self._made, lines)
        out.append(f"{self._keyword} {self.name}{parameters} {{\n")
        last = self._made
        for place, indent, line in self._lines:
            if place != last:
                _mark(out, place, lines)
                last = place
            out.append("  " * indent + line + "\n")
        out.append("}\n")


class _Part(Component):
    """A component of a model."""

    def __init__(self, name: str, doc: str, model: "Model") -> None:
        super().__init__(name, doc)
        self._model = model

    def _uses(self, component: Component) -> None:
        self._model._uses(component)


def _mark(out: List[str], place: Tuple[str, int], lines: bool) -> None:
    if lines:
        out.append(f"// line {quoted_path(place[0])} {place[1]}\n")


def _block(attributes: Mapping[str, Any]) -> str:
    if not attributes:
        return ""
    return " { " + ", ".join(f"{_check_name(key)} = {code(value)}" for key, value in attributes.items()) + " }"


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
        """A declaration (profile, schema, enum) at the top of the file, in ANML's own text."""
        self._head.append((_caller(), source))

    def _uses(self, component: Component) -> None:
        if self._components.get(component.name) is not component:
            raise ValueError(f"{component.name!r} is a component of another model")

    def tunable(self, name: str, type: str, default: Value, range: Optional[Tuple[Value, Value]] = None,
                doc: str = "") -> Expr:
        """A parameter that stays adjustable in the compiled emulator."""
        return self._parameter("tunable ", name, type, default, range, doc)

    def run(self, duration: Value, warmup: Optional[Value] = None) -> None:
        """How long the model runs, warm-up included."""
        given: Dict[str, Value] = {"duration": duration}
        if warmup is not None:
            given["warmup"] = warmup
        self.statement(f"run{_block(given)}")

    def addressing(self, **attributes: Value) -> None:
        self.statement(f"addressing{_block(attributes)}")

    def routing(self, **attributes: Value) -> None:
        self.statement(f"routing{_block(attributes)}")

    def source(self, lines: bool = False) -> str:
        """The text. With `lines` it says which line of the caller made what, for the compiler's messages; without, it
        is formatted as `anmlc fmt` does it, if anmlc is there."""
        body: List[str] = []
        for place, declaration in self._head:
            _mark(body, place, lines)
            body.append(declaration.rstrip("\n") + "\n")
        for part in self._components.values():
            body.append("\n")
            part._write(body, lines)
        body.append("\n")
        self._write(body, lines)
        whole = "".join(body)
        modules = list(dict.fromkeys(self._imports))
        for module in ("ether", "jitter", "loss", "tcp", "traffic", "web"):
            if f"std.{module}" not in modules and re.search(rf"(?<![\w.]){module}\.[A-Za-z]", whole):
                modules.append(f"std.{module}")
        written = "".join(f"import {module}\n" for module in modules) + whole
        return written if lines else compiler.format_text(written)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> pathlib.Path:
        """Writes the text to a file."""
        target = pathlib.Path(path)
        target.write_text(self.source(), encoding="utf-8")
        return target

    def compile(self, output: Optional[Union[str, "os.PathLike[str]"]] = None, level: int = 2,
                **defines: Any) -> "compiler.Emulator":
        """Compiles it; `defines` fix parameters (-D). Errors name the lines that made the statements."""
        return compiler.compile_text(self.source(lines=True), output, level, **defines)

    def check(self) -> str:
        """The compiler's warnings, or a CompileError."""
        return compiler.check_text(self.source(lines=True))
