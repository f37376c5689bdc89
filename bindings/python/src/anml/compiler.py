"""anmlc and the emulators that it makes, as subprocesses."""
from __future__ import annotations

import asyncio
import functools
import importlib.metadata
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import weakref
from typing import Any, Dict, List, Optional, Tuple, Union

from .expressions import code
from .results import Results

Path = Union[str, "os.PathLike[str]"]


class CompileError(Exception):
    """What anmlc had to say; `str(error)` is its text."""


class RunError(Exception):
    """An emulator ended with an error; `str(error)` is its text."""


def find_anmlc() -> str:
    """anmlc: $ANMLC, or the one of the wheel that this package came with, or the one on the PATH."""
    path = os.environ.get("ANMLC") or _own_anmlc() or shutil.which("anmlc")
    if not path:
        raise FileNotFoundError("anmlc is not on the PATH: set the environment variable ANMLC to it")
    return path


@functools.lru_cache(maxsize=None)
def _own_anmlc() -> Optional[str]:
    try:
        files = importlib.metadata.files("anml") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        path = os.path.normpath(os.fspath(file.locate()))
        if file.name == "anmlc" and file.parent.name == "bin" and os.access(path, os.X_OK):
            return path
    return None


def _anmlc(arguments: List[str], source: Optional[str] = None) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run([find_anmlc(), *arguments], input=source, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise CompileError(done.stderr.strip() or f"anmlc ended with status {done.returncode}")
    return done


def format_text(source: str) -> str:
    """The text in the one style; as it is where there is no anmlc or it does not parse."""
    try:
        return _anmlc(["fmt", "-"], source).stdout
    except (CompileError, FileNotFoundError):
        return source


def check_text(source: str) -> str:
    """The warnings about a program; CompileError where it has errors."""
    return _anmlc(["check", "-"], source).stderr


def _defines(defines: Dict[str, Any]) -> List[str]:
    return [word for name, value in defines.items() for word in ("-D", f"{name}={code(value)}")]


def _object(text: str) -> Dict[str, Any]:
    value: Dict[str, Any] = json.loads(text)
    return value


def describe(path: Path, source: Optional[str] = None, **defines: Any) -> Dict[str, Any]:
    """The network of a file, or of a program (path "-"), as `anmlc --emit=network` prints it."""
    return _object(_anmlc(["--emit=network", os.fspath(path), *_defines(defines)], source).stdout)


def _mpirun() -> str:
    path = os.environ.get("MPIRUN") or shutil.which("mpirun")
    if not path:
        raise FileNotFoundError("mpirun is not on the PATH: set the environment variable MPIRUN to it")
    return path


def _end(process: "Union[subprocess.Popen[str], asyncio.subprocess.Process]", mpi: Optional[int]) -> None:
    """Ends an emulator; mpirun in order, so that it ends the others."""
    if mpi is None:
        process.kill()
    else:
        process.terminate()


class Emulator:
    """A compiled model."""

    def __init__(self, path: Path, folder: Optional[str] = None, warnings: str = "") -> None:
        self.path = pathlib.Path(path).resolve()
        self.warnings = warnings  # anmlc's
        if folder:  # goes with this object
            weakref.finalize(self, shutil.rmtree, folder, True)

    def run(self, duration: Optional[Any] = None, seed: Optional[int] = None, threads: Optional[int] = None,
            timeout: Optional[float] = None, mpi: Optional[int] = None,
            connections: Optional[Union[str, pathlib.Path]] = None, **tunables: Any) -> Results:
        """Simulates, with tunables set: `emulator.run(D="4 ms", seed=2)`. `mpi=4` has four processes of MPI run it
        together, each with `threads`; the emulator is to be compiled with `mpi=True`. `connections` is a file to write,
        with a line for each TCP connection of a workload (`anml.connections` reads it)."""
        return self._simulate(tunables, duration, seed, threads, timeout, mpi, connections)

    def _simulate(self, tunables: Dict[str, Any], duration: Optional[Any] = None, seed: Optional[int] = None,
                  threads: Optional[int] = None, timeout: Optional[float] = None, mpi: Optional[int] = None,
                  connections: Optional[Union[str, pathlib.Path]] = None) -> Results:
        with tempfile.TemporaryDirectory(prefix="anml-run-") as folder:
            command, target = self._command(folder, tunables, duration, seed, threads, mpi, connections)
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, encoding="utf-8", errors="replace") as process:
                try:
                    _, said = process.communicate(timeout=timeout)
                except BaseException:
                    _end(process, mpi)
                    process.wait()
                    raise
            return self._read(target, process.returncode, said)

    async def run_async(self, duration: Optional[Any] = None, seed: Optional[int] = None, threads: Optional[int] = None,
                        mpi: Optional[int] = None, connections: Optional[Union[str, pathlib.Path]] = None,
                        **tunables: Any) -> Results:
        """The same for asyncio: `await emulator.run_async(D="4 ms")`. Cancelled, it ends the emulator."""
        with tempfile.TemporaryDirectory(prefix="anml-run-") as folder:
            command, target = self._command(folder, tunables, duration, seed, threads, mpi, connections)
            process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                _, said = await process.communicate()
            except asyncio.CancelledError:
                if process.returncode is None:
                    _end(process, mpi)
                await process.wait()
                raise
            return self._read(target, process.returncode or 0, said.decode("utf-8", "replace"))

    def _command(self, folder: str, tunables: Dict[str, Any], duration: Optional[Any], seed: Optional[int],
                 threads: Optional[int], mpi: Optional[int], connections: Optional[Union[str, pathlib.Path]]) -> Tuple[List[str], str]:
        command = [str(self.path), "simulate"]
        if mpi is not None:
            command = [_mpirun(), "-n", str(mpi), *command, "--mpi"]
        for name, value in tunables.items():
            command += ["--set", f"{name}={code(value)}"]
        if duration is not None:
            command += ["--for", code(duration).replace(" ", "")]
        if seed is not None:
            command += ["--seed", str(seed)]
        if threads is not None:
            command += ["--threads", str(threads)]
        if connections is not None:
            command += ["--connections", os.fspath(connections)]
        target = os.path.join(folder, "results.json")
        return [*command, "--results", target], target

    def _read(self, target: str, status: int, said: str) -> Results:
        if status != 0 or not os.path.exists(target):
            raise RunError(said.strip() or f"{self.path.name} ended with status {status}")
        with open(target, encoding="utf-8") as file:
            return Results(json.load(file))

    def info(self) -> Dict[str, Any]:
        """What the emulator says about itself: nodes, links, addresses, tunables."""
        done = subprocess.run([str(self.path), "info", "--json"], capture_output=True, text=True, encoding="utf-8")
        if done.returncode != 0:
            raise RunError(done.stderr.strip())
        return _object(done.stdout)


def compile_program(path: Path, source: Optional[str], output: Optional[Path], level: int,
                    defines: Dict[str, Any], mpi: bool = False) -> Emulator:
    """Compiles a file, or a program (path "-")."""
    keep: Optional[str] = None
    if output is None:
        keep = tempfile.mkdtemp(prefix="anml-")
        output = os.path.join(keep, "emulator")
    arguments = [f"-O{level}", os.fspath(path), "-o", os.fspath(output), *(["--mpi"] if mpi else []), *_defines(defines)]
    try:
        done = _anmlc(arguments, source)
    except CompileError:
        if keep:
            shutil.rmtree(keep, ignore_errors=True)
        raise
    return Emulator(output, keep, done.stderr)


def compile_text(source: str, output: Optional[Path] = None, level: int = 2, mpi: bool = False, **defines: Any) -> Emulator:
    """Compiles a program; without `output` the emulator goes when the object does. `mpi`: for `run(mpi=4)`."""
    return compile_program("-", source, output, level, defines, mpi)


def compile_file(path: Path, output: Optional[Path] = None, level: int = 2, mpi: bool = False, **defines: Any) -> Emulator:
    """Compiles a file: `compile_file("wan.anml", N=8)`. `mpi`: for `run(mpi=4)`."""
    return compile_program(path, None, output, level, defines, mpi)
