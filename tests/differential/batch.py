"""anmlc for many small texts: one process a thread, which answers command lines (anmlc --batch). Starting one for each would take most
of the time."""
import atexit
import json
import os
import pathlib
import select
import subprocess
import threading

# Copies of a process end without what sanitizers and profiles do at an end.
WANTED = not {"ANML_SANITIZED", "LLVM_PROFILE_FILE"} & set(os.environ)
OF_THREAD = threading.local()


class Batch:
    def __init__(self, anmlc):
        self.process = subprocess.Popen([anmlc, "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        atexit.register(self.close)

    def close(self):
        atexit.unregister(self.close)
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def run(self, arguments, timeout, directory, text):
        request = {"arguments": arguments, "directory": str(directory or pathlib.Path.cwd()), "input": text or ""}
        self.process.stdin.write(json.dumps(request) + "\n")
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            self.close()
            raise subprocess.TimeoutExpired(arguments, timeout)
        return json.loads(self.process.stdout.readline())


def run(anmlc, arguments, timeout=120, cwd=None, input=None):
    """As subprocess.run of anmlc with these arguments, its output captured as text."""
    if not WANTED:
        return subprocess.run([anmlc, *arguments], capture_output=True, text=True, timeout=timeout, cwd=cwd, input=input)
    batch = getattr(OF_THREAD, "batch", None)
    if batch is None or batch.process.poll() is not None:
        batch = OF_THREAD.batch = Batch(anmlc)
    answer = batch.run(arguments, timeout, cwd, input)
    return subprocess.CompletedProcess([anmlc, *arguments], answer["status"], answer["stdout"], answer["stderr"])
