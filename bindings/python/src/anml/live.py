"""Live runs: real hosts attached, watched and changed while they go on. docs/emulator.md says what can be changed."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Type, Union

from .compiler import Emulator, Path, RunError
from .expressions import code
from .results import Results
from .wire import Wire


class LiveRun:
    """A run of `emulator.live(...)`. Leaving its `with` ends it; `results` is there then.

    Times and rates in what it says are in seconds and bit/s, as in the JSON of `./emu ctl`.
    """

    def __init__(self, emulator: Emulator, arguments: Sequence[str], start_timeout: float) -> None:
        self.results: Optional[Results] = None  # when it has ended
        self._start_timeout = start_timeout
        self._emulator = str(emulator.path)
        self._folder = tempfile.mkdtemp(prefix="anml-live-")
        self._said = os.path.join(self._folder, "said")
        self._control = os.path.join(self._folder, "control")
        self._written = os.path.join(self._folder, "results.json")
        with open(self._said, "wb") as said:
            self.process = subprocess.Popen(
                [self._emulator, "live", "--control", self._control, "--results", self._written, *arguments],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        until = time.monotonic() + start_timeout
        while not self._answers():
            if self.process.poll() is not None and not os.path.exists(self._written):
                message = self.said()
                self._clear()
                raise RunError(message or f"the emulator ended with status {self.process.returncode}")
            if self.process.poll() is not None:
                break  # over already
            if time.monotonic() > until:
                self._end()
                raise RunError(f"the run does not answer after {start_timeout:g} s: {self.said()}")
            time.sleep(0.02)

    def _answers(self) -> bool:
        return os.path.exists(self._control) and self._ask(["list", "--json"]).returncode == 0

    def _ask(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([self._emulator, "ctl", "--control", self._control, *words], capture_output=True, text=True, encoding="utf-8")

    def _lines(self, words: Sequence[str]) -> List[Dict[str, Any]]:
        done = self._ask([*words, "--json"])
        if done.returncode != 0:
            raise RunError("the run has ended" if self.process.poll() is not None else done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()]

    # --- what it says

    def said(self) -> str:
        """What the emulator and the commands of its sandboxes have printed."""
        if self._said and os.path.exists(self._said):
            self._text = pathlib.Path(self._said).read_text(encoding="utf-8", errors="replace").strip()
        return self._text

    def state(self) -> Dict[str, Any]:
        """Endpoints, workloads, tunables, links, and what was changed, as `./emu ctl list`."""
        return self._lines(["list"])[0]

    def watch(self, *links: str, seconds: Optional[float] = None) -> Iterator[Dict[str, Any]]:
        """Each second what happened in it: transactions, slip, these links or the ten busiest; until the run ends, or
        so long. The row of a second is there when that is over: `seconds=1` may see none."""
        limit = [] if seconds is None else ["--for", f"{seconds:g}s"]
        process = subprocess.Popen([self._emulator, "ctl", "--control", self._control, "watch", *links, "--json", *limit],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        assert process.stdout and process.stderr
        try:
            for line in process.stdout:
                yield json.loads(line)
            message = process.stderr.read().strip()
            if process.wait() != 0 and self.process.poll() is None:
                raise RunError(message)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()

    def capture(self, path: Path, *links: str, packets: Optional[int] = None, seconds: Optional[float] = None) -> None:
        """Writes packets of these links to a pcapng file: so many, or for so long."""
        if packets is None and seconds is None:
            raise ValueError("say how many packets, or how many seconds")
        limit = ([] if packets is None else ["--count", str(packets)]) + ([] if seconds is None else ["--for", f"{seconds:g}s"])
        with open(path, "wb") as file:
            done = subprocess.run([self._emulator, "ctl", "--control", self._control, "capture", *links, *limit], stdout=file,
                                  stderr=subprocess.PIPE)
        if done.returncode != 0:
            raise RunError(done.stderr.decode(errors="replace").strip())

    def wire(self) -> Wire:
        """The API of a run that began with `options=["--api", "127.0.0.1:0"]`, as `anml.proxy` has it."""
        told = re.search(r"^control API at (http://\S+)(?:, token (\S+))?$", self.said(), re.MULTILINE)
        token = told and (told[2] or os.environ.get("ANML_API_TOKEN"))
        if not told or not token:
            raise RunError("the run has no API: options=[\"--api\", \"127.0.0.1:0\"]")
        return Wire(told[1], token, self._start_timeout)

    # --- changes; each answers with the time at which it is entered

    def change(self, link: str, **attributes: Any) -> float:
        """`run.change("entry>", delay=20 * anml.ms, loss="2 %")`; the time in seconds at which it is."""
        if not attributes:
            raise ValueError("nothing is to be changed")
        return self._change(["link", link, ",".join(f"{name}={code(value)}" for name, value in attributes.items())])

    def down(self, link: str) -> float:
        """Cuts a link; routes stay as they are."""
        return self._change(["link", link, "down"])

    def up(self, link: str) -> float:
        return self._change(["link", link, "up"])

    def start(self, workload: str) -> float:
        return self._change(["workload", workload, "start"])

    def pause(self, workload: str) -> float:
        """The workload begins nothing more."""
        return self._change(["workload", workload, "stop"])

    def load(self, workload: str, **attributes: Any) -> float:
        """`run.load("browse", active=40 * anml.percent)`: `active`, `load` or `rate`, of workloads that have it."""
        if not attributes:
            raise ValueError("nothing is to be changed")
        return self._change(["workload", workload, ",".join(f"{name}={code(value)}" for name, value in attributes.items())])

    def set(self, **tunables: Any) -> float:
        """Tunables that only links depend on; the time of the last one."""
        if not tunables:
            raise ValueError("nothing is to be changed")
        return max(self._change(["set", f"{name}={code(value)}"]) for name, value in tunables.items())

    def _change(self, words: Sequence[str]) -> float:
        """Nothing can be changed before the servers accept: it waits for that as long as for the run's start."""
        until = time.monotonic() + self._start_timeout
        while True:
            try:
                return float(self._lines(words)[0]["seconds"])
            except RunError as error:
                if "the workloads have not begun" not in str(error) or time.monotonic() > until:
                    raise
            time.sleep(0.05)

    # --- its end

    def wait(self, timeout: Optional[float] = None) -> Results:
        """Waits for its end; subprocess.TimeoutExpired if that takes longer. A run whose transactions all failed has results, too: `results["error"]`."""
        self.process.wait(timeout)
        return self._collect()

    def stop(self) -> Results:
        """Ends it now, with results of so far."""
        self._end()
        return self._collect()

    def _end(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _collect(self) -> Results:
        if self.results is None:
            message = self.said()
            if not os.path.exists(self._written):
                self._clear()
                raise RunError(message or f"the emulator ended with status {self.process.returncode}")
            with open(self._written, encoding="utf-8") as file:
                self.results = Results(json.load(file))
            self._clear()
        return self.results

    def _clear(self) -> None:
        self.said()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> "LiveRun":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self._end()
        if kind is None:
            self._collect()
        else:
            self._clear()


Command = Union[str, Sequence[str]]


def live_arguments(attach: Mapping[str, str], sandbox: Mapping[str, Command], duration: Optional[Any], seed: Optional[int],
                   workload: bool, options: Sequence[str], tunables: Mapping[str, Any]) -> List[str]:
    """Of the command line of `./emu live`."""
    words = list(options)
    for name, value in tunables.items():
        words += ["--set", f"{name}={code(value)}"]
    if duration is not None:
        words += ["--for", code(duration).replace(" ", "")]
    if seed is not None:
        words += ["--seed", str(seed)]
    if not workload:
        words.append("--no-workload")
    for endpoint, device in attach.items():
        words += ["--attach", f"{endpoint}={device}"]
    for endpoint, command in sandbox.items():  # at the end, since a command goes to the next of them
        words += ["--sandbox", endpoint, "--", *(["sh", "-c", command] if isinstance(command, str) else command)]
    return words


def live(emulator: Emulator, *, attach: Optional[Mapping[str, str]] = None, sandbox: Optional[Mapping[str, Command]] = None,
         duration: Optional[Any] = None, seed: Optional[int] = None, workload: bool = True, options: Sequence[str] = (),
         start_timeout: float = 30, **tunables: Any) -> LiveRun:
    """Starts a live run of a compiled model, and returns when it answers.

    `attach` gives endpoints a device, `{"server": "tap:emu0"}`; `sandbox` a command in a namespace of its own,
    `{"server": ["nginx", "-p", "www"]}`, or a string for the shell. `options` are further ones of `./emu live`.
    The first of several processes is `options=["--listen", "10.99.0.1:7000"]`, and answers when the others have joined it.
    """
    if not attach and not sandbox and "--own" not in options:  # as a process of several it may simulate only
        raise ValueError("nothing is attached: `attach` or `sandbox` says what an endpoint is")
    return LiveRun(emulator, live_arguments(attach or {}, sandbox or {}, duration, seed, workload, options, tunables), start_timeout)
