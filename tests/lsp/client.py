"""A client of `anmlc lsp`, for its tests: requests, notifications, and what the server says unasked."""
import bisect
import json
import os
import pathlib
import queue
import re
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANMLC = os.environ.get("ANMLC", str(ROOT / "build/release/bin/anmlc"))
SANITIZED = "ANML_SANITIZED" in os.environ
PATIENCE = 300 if SANITIZED else 60  # s


class ServerError(Exception):
    def __init__(self, error):
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = error["code"]


class Client:
    def __init__(self, *words):
        self.process = subprocess.Popen([ANMLC, "lsp", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "XDG_CACHE_HOME": CACHE.name})
        self.messages = queue.Queue()
        self.last, self.unread = 0, []
        self.versions = {}
        self.published = {}  # by URI: the last diagnostics
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while (line := out.readline()) not in (b"\r\n", b""):
                name, value = line.split(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if line == b"" or length is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(length)))

    # --- messages

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message, ensure_ascii=False).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def ask(self, method, params=None):
        """Sends a request; its id."""
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params or {}})
        return self.last

    def next(self):
        message = self.messages.get(timeout=PATIENCE)
        if message is None:
            raise AssertionError(f"the server ended with {self.process.wait(timeout=PATIENCE)}")
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def until(self, wanted):
        """The first message that is wanted, of those kept and those to come."""
        for i, message in enumerate(self.unread):
            if wanted(message):
                return self.unread.pop(i)
        while True:
            message = self.next()
            if wanted(message):
                return message
            self.unread.append(message)

    def answer(self, number):
        message = self.until(lambda m: m.get("id") == number and "method" not in m)
        if "error" in message:
            raise ServerError(message["error"])
        return message["result"]

    def request(self, method, params=None):
        return self.answer(self.ask(method, params))

    # --- life

    def initialize(self, encodings=("utf-8", "utf-16"), lint=False, folders=(), **capabilities):
        result = self.request("initialize", {
            "processId": os.getpid(), "rootUri": None,
            "workspaceFolders": [{"uri": pathlib.Path(f).as_uri(), "name": "w"} for f in folders],
            "initializationOptions": {"lint": lint, "reportChecked": True},
            "capabilities": {"general": {"positionEncodings": list(encodings)},
                             "textDocument": {"publishDiagnostics": {"relatedInformation": True},
                                              "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
                             **capabilities}})
        self.notify("initialized")
        return result

    def end(self):
        self.request("shutdown")
        self.notify("exit")
        self.process.stdin.close()
        return self.process.wait(timeout=PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait()

    # --- documents

    def open(self, uri, text):
        self.versions[uri] = 1
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "anml", "version": 1, "text": text}})

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]},
                                               "contentChanges": list(changes)})

    def checked(self, uri):
        """What the server says of the present text when it has looked at all of it."""
        version = self.versions[uri]
        self.until(lambda m: m.get("method") == "anml/checked" and m["params"] == {"uri": uri, "version": version})
        return self.published.get(uri, [])

    def at(self, method, uri, position, **more):
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": position, **more})


CACHE = tempfile.TemporaryDirectory(prefix="anml-lsp-cache-")


def place(text, mark, encoding="utf-8", after=False, occurrence=1):
    """Where the mark begins in the text, or ends."""
    at = -1
    for _ in range(occurrence):
        at = text.index(mark, at + 1)
    return position(text, at + (len(mark) if after else 0), encoding)


def lines_of(text):
    """Where lines begin: they end as the protocol has it."""
    return [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", text))]


def width(text, encoding):
    return {"utf-8": lambda: len(text.encode()), "utf-16": lambda: len(text.encode("utf-16-le")) // 2, "utf-32": lambda: len(text)}[encoding]()


def position(text, at, encoding="utf-8"):
    lines = lines_of(text)
    line = bisect.bisect_right(lines, at) - 1
    return {"line": line, "character": width(text[lines[line]:at], encoding)}


def offset(text, where, encoding="utf-8"):
    """The character of the text at the position."""
    at, left = lines_of(text)[where["line"]], where["character"]
    while left > 0:
        left -= width(text[at], encoding)
        at += 1
    return at


def apply(text, edits, encoding="utf-8"):
    """The text behind the edits."""
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        begin, end = (offset(text, edit["range"][k], encoding) for k in ("start", "end"))
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def of_check(path, verb="check"):
    """What `anmlc check` says of the file: its names, severities, first bytes and messages."""
    done = subprocess.run([ANMLC, verb, "--error-format=json", str(path)], capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode not in (0, 1):
        raise AssertionError(f"anmlc check exited with {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]


class LspTest(unittest.TestCase):
    encoding = "utf-8"

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-lsp-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def start(self, **options):
        client = Client()
        self.addCleanup(lambda: (client.process.stdin.close(), client.process.stdout.close()))
        self.addCleanup(lambda: client.process.poll() is None and client.kill())
        options.setdefault("encodings", (self.encoding,))
        self.initialized = client.initialize(**options)
        return client

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path.as_uri()
