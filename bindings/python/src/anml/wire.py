"""Links that a test changes while it runs: `anmlc proxy` and `anmlc wire`, and the API of any live run. docs/python.md says more."""
from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Type, Union

from .compiler import Path, RunError, find_anmlc
from .expressions import code


class Problem(RunError):
    """What the API refuses: `status` of HTTP, and why."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


def _value(value: Any) -> Any:
    return value if isinstance(value, (bool, int, float)) else code(value)


class Wire:
    """The API of a live run: `Wire("http://127.0.0.1:8474/v1", token)`, or what `proxy`, `wire` and `LiveRun.wire` return."""

    def __init__(self, address: str, token: str, patience: float = 30) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self._patience = patience  # s, for servers to accept

    def _open(self, method: str, path: str, query: Sequence[Tuple[str, str]] = (), body: Optional[Dict[str, Any]] = None,
              timeout: Optional[float] = 60) -> Tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        place = urllib.parse.urlsplit(self.address)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=timeout)
        target = f"{place.path}/{path}" + ("?" + urllib.parse.urlencode(query) if query else "")
        fields = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            fields["Content-Type"] = "application/json"
        try:
            connection.request(method, target, None if body is None else json.dumps(body), fields)
            answer = connection.getresponse()
            if answer.status != 200:
                raise Problem(answer.status, json.loads(answer.read())["detail"])
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise RunError(f"the run does not answer: {error}") from error
        except BaseException:
            connection.close()
            raise
        return connection, answer

    def ask(self, path: str) -> Any:
        """What stands at a path: `wire.ask("links/entry")`."""
        connection, answer = self._open("GET", path)
        with contextlib.closing(connection):
            return json.loads(answer.read())

    def patch(self, path: str, values: Dict[str, Any]) -> float:
        """A change; the time in seconds at which it is. It waits for the servers that the run waits for."""
        until = time.monotonic() + self._patience
        while True:
            try:
                connection, answer = self._open("PATCH", path, body={name: _value(value) for name, value in values.items()})
                with contextlib.closing(connection):
                    return float(json.loads(answer.read())["seconds"])
            except Problem as problem:
                if "the workloads have not begun" not in str(problem) or time.monotonic() > until:
                    raise
            time.sleep(0.05)

    def state(self) -> Dict[str, Any]:
        """Endpoints, workloads, tunables, links, and what was changed."""
        state: Dict[str, Any] = self.ask("run")
        return state

    def link(self, name: str = "wire") -> "WireLink":
        """A link, an array of links, or a direction of it, `entry>`; that of `proxy` and `wire` is `wire`."""
        return WireLink(self, name)

    def start(self, workload: str) -> float:
        return self.patch(f"workloads/{_quoted(workload)}", {"on": True})

    def pause(self, workload: str) -> float:
        """The workload begins nothing more."""
        return self.patch(f"workloads/{_quoted(workload)}", {"on": False})

    def load(self, workload: str, **attributes: Any) -> float:
        """`active`, `load` or `rate`, of workloads that have it."""
        return self.patch(f"workloads/{_quoted(workload)}", attributes)

    def set(self, **tunables: Any) -> float:
        """Tunables that only links depend on; the time of the last one."""
        if not tunables:
            raise ValueError("nothing is to be changed")
        return max(self.patch(f"tunables/{_quoted(name)}", {"value": value}) for name, value in tunables.items())

    def stop(self) -> None:
        """The run ends, with its results, as if it were interrupted."""
        connection, _ = self._open("POST", "stop")
        connection.close()

    def watch(self, *links: str, seconds: Optional[float] = None) -> Iterator[Dict[str, Any]]:
        """Each second how these links are, or the ten busiest; until the run ends, or so long."""
        connection, answer = self._open("GET", "watch", _stream_query(links, seconds))
        with contextlib.closing(connection):
            for line in answer:
                yield json.loads(line)

    def capture(self, path: Path, *links: str, seconds: float) -> None:
        """Writes packets of these links to a pcapng file, for so long."""
        connection, answer = self._open("GET", "capture", _stream_query(links, seconds), timeout=seconds + 60)
        with contextlib.closing(connection), open(path, "wb") as file:
            shutil.copyfileobj(answer, file)


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="")


def _stream_query(links: Sequence[str], seconds: Optional[float]) -> List[Tuple[str, str]]:
    return [("link", link) for link in links] + ([] if seconds is None else [("seconds", f"{seconds:g}")])


class WireLink:
    """Links of one name, while they run."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.name = name
        self._wire = wire

    def __repr__(self) -> str:
        return f"WireLink({self.name!r})"

    def now(self) -> List[Dict[str, Any]]:
        """Each direction as it is: `name`, `up`, `rate`, `delay`, `queue`, `loss`, `corrupt`, `duplicate`, `jitter`."""
        directions: List[Dict[str, Any]] = self._wire.ask(f"links/{_quoted(self.name)}")["directions"]
        return directions

    def change(self, **attributes: Any) -> float:
        """`link.change(delay="200 ms", loss=0.02)`; the time in seconds at which it is."""
        if not attributes:
            raise ValueError("nothing is to be changed")
        return self._wire.patch(f"links/{_quoted(self.name)}", attributes)

    def down(self) -> float:
        """Cuts it; routes stay as they are."""
        return self.change(up=False)

    def up(self) -> float:
        return self.change(up=True)

    @contextlib.contextmanager
    def changed(self, **attributes: Any) -> Iterator["WireLink"]:
        """`with wire.link().changed(delay="200 ms"): ...` changes it, and changes it back to what it was."""
        before = self._before(list(attributes))
        self.change(**attributes)
        try:
            yield self
        finally:
            for name, values in before.items():
                self._wire.patch(f"links/{_quoted(name)}", values)

    @contextlib.contextmanager
    def cut(self) -> Iterator["WireLink"]:
        """`with wire.link().cut(): ...`: it is down for so long."""
        with self.changed(up=False):
            yield self

    def _before(self, names: Sequence[str]) -> Dict[str, Dict[str, Any]]:
        """What would give it back its values, by names of links."""
        back: Dict[str, Dict[str, Any]] = {}
        for direction in self.now():
            values = {name: direction[name] for name in names if name in direction}  # others are refused by the change
            for name, value in values.items():
                if value is None:
                    raise ValueError(f"{name} of {direction['name']} is of a trace or drawn at random: nothing gives it back")
            # A cut is of both directions.
            back[direction["name"][:-1] if "up" in names else direction["name"]] = values
        if all(values == next(iter(back.values())) for values in back.values()):
            return {self.name: next(iter(back.values()))}
        return back


_TOLD = re.compile(r"^control API at (http://\S+)/v1", re.MULTILINE)


class WireRun(Wire):
    """A process of `anmlc proxy` or `anmlc wire`, and the API of its run. Leaving its `with` ends it."""

    def __init__(self, words: Sequence[str], start_timeout: float, anmlc: Optional[Path]) -> None:
        super().__init__("", secrets.token_hex(16), start_timeout)
        self._written = tempfile.TemporaryFile()
        self.process = subprocess.Popen([str(anmlc or find_anmlc()), *words], stdin=subprocess.DEVNULL, stdout=self._written,
                                        stderr=subprocess.STDOUT, env={**os.environ, "ANML_API_TOKEN": self.token})
        until = time.monotonic() + start_timeout
        while not (told := _TOLD.search(self.said())):
            if self.process.poll() is not None or time.monotonic() > until:
                message = self.said()
                self.close()
                raise RunError(message or "the run does not begin")
            time.sleep(0.02)
        self.address = told[1] + "/v1"

    def said(self) -> str:
        """What it has printed, and the command of `wire`."""
        file = self._written.fileno()  # whose position is the process's, too
        return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")

    def wait(self, timeout: Optional[float] = None) -> int:
        """Waits for its end, with the command's exit status."""
        return self.process.wait(timeout)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def __enter__(self) -> "WireRun":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()


class Proxy(WireRun):
    """An emulated link before a server; clients come to `host` and `port`."""

    host = "127.0.0.1"

    def __init__(self, to: int, port: int, udp: bool, link: Dict[str, Any], start_timeout: float, anmlc: Optional[Path]) -> None:
        self.port = port
        words = ["proxy", str(port), "--to", str(to), "--api", "127.0.0.1:0", *(["--udp"] if udp else []), *_options(link)]
        super().__init__(words, start_timeout, anmlc)


def _options(link: Dict[str, Any]) -> List[str]:
    words = []
    for name, value in link.items():
        if name not in ("delay", "jitter", "loss", "rate", "up", "down", "queue", "access", "link"):
            raise TypeError(f"a wire has no `{name}`")
        words += [f"--{name}", code(value) if name == "link" else code(value).replace(" ", "")]
    return words


def _free_port(udp: bool) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM if udp else socket.SOCK_STREAM) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def proxy(to: int, *, port: Optional[int] = None, udp: bool = False, start_timeout: float = 60, anmlc: Optional[Path] = None,
          **link: Any) -> Proxy:
    """`anmlc proxy`: `proxy(5433, delay="80 ms")` is a link before the server at port 5433 of this machine; clients go to its
    `port`. `delay`, `jitter`, `loss`, `rate`, `up`, `down`, `queue`, `access` and `link` are the options of `anmlc wire`.
    With `udp` both are ports of UDP."""
    return Proxy(to, port or _free_port(udp), udp, link, start_timeout, anmlc)


def wire(command: Union[str, Sequence[str]], *, start_timeout: float = 60, anmlc: Optional[Path] = None, **link: Any) -> WireRun:
    """`anmlc wire`: runs a command behind a link, a string by the shell; `machine` is this machine to it."""
    words = ["sh", "-c", command] if isinstance(command, str) else list(command)
    return WireRun(["wire", "--api", "127.0.0.1:0", *_options(link), "--", *words], start_timeout, anmlc)
