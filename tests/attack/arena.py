"""What the attacks share: commands that run within bounds, and what may become of them."""
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time

MIB = 1 << 20
GIB = 1 << 30
ANMLC = os.path.abspath(os.environ["ANMLC"])
ALL, SANITIZED = "ANML_ALL" in os.environ, "ANML_SANITIZED" in os.environ
MOST_MESSAGES = 200_000  # bytes; more hides what is wrong


class Tried:
    """How a command ended, and what it printed."""

    def __init__(self, process, usage, said, printed, hung):
        self.status, self.said, self.printed, self.hung = process.returncode, said, printed, hung
        self.seconds = usage.ru_utime + usage.ru_stime  # of a processor
        self.peak = usage.ru_maxrss / 1024              # MiB

    @property
    def fault(self):
        """What no input may cause; "" if it ended as a program does."""
        if self.hung or self.status in (-signal.SIGXCPU, -signal.SIGKILL):
            return f"no end in {self.seconds:.0f} s of a processor"
        if self.status < 0:
            return f"ended by {signal.Signals(-self.status).name}"
        if self.status == 70 or "internal error" in self.said:
            return "internal error: " + self.said[:300]
        if self.status not in (0, 1, 2):
            return f"status {self.status}"
        if self.status != 0 and not self.said.strip() and not self.printed.strip():
            return "failed without a word"
        if len(self.said) > MOST_MESSAGES:
            return "no end of messages"
        return ""


def attempt(command, *, memory=2 * GIB, seconds=20, limits=(), stdin=None, stdout=None, **more):
    """Runs `command` for so many seconds of a processor at most, and a while more where it only waits; with so many bytes
    of address space (None: any). `limits` are more of (resource, value), `stdin` bytes or a file."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for which, value in ((resource.RLIMIT_AS, memory or resource.RLIM_INFINITY), (resource.RLIMIT_CPU, seconds), *limits):
            resource.setrlimit(which, (value, value))

    with tempfile.TemporaryFile() as given:
        if isinstance(stdin, bytes):
            given.write(stdin)
            given.seek(0)
            stdin = given
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL if stdin is None else stdin, stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE if stdout is None else stdout, start_new_session=True, preexec_fn=bound, **more)
    texts = {}

    def read(name, pipe):
        texts[name] = pipe.read()
        pipe.close()

    readers = [threading.Thread(target=read, args=(name, pipe)) for name, pipe in (("said", process.stderr), ("printed", process.stdout)) if pipe]
    for reader in readers:
        reader.start()
    end, hung = time.monotonic() + 30 + 10 * seconds, False  # other work may take the processors
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > end and not hung:
            hung = True
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(0.002)
    process.returncode = os.waitstatus_to_exitcode(status)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # what it left running
    except ProcessLookupError:
        pass
    for reader in readers:
        reader.join()
    return Tried(process, usage, texts["said"].decode("utf-8", "replace"), texts.get("printed", b""), hung)
