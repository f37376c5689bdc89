"""A laboratory of network namespaces for the live tests.

Everything lives in namespaces that the laboratory makes itself, under names that nothing else uses, and is
taken down when it closes. Traffic goes nowhere else.
"""
import atexit
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANMLC = os.environ.get("ANMLC", str(ROOT / "build/release/bin/anmlc"))
sys.path.insert(0, str(ROOT / "tests"))
from clock import by_the_clock, family, main  # noqa: E402, F401

BUSY = 4  # times longer: beside builds and other tests a process has a quarter of a processor


def run(*command, timeout=60, check=True, **options):
    """Runs a command, returns the completed process with its output as text."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Process:
    """A background process, ended by its pid."""

    def __init__(self, *command, **options):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([str(c) for c in command], stdout=self.log, stderr=subprocess.STDOUT,
                                        stdin=subprocess.DEVNULL, **options)

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def wait(self, timeout):
        """On a machine with nothing else to do it takes no longer than that."""
        try:
            return self.process.wait(BUSY * timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.process.args} runs after {BUSY * timeout} s: {self.output()}") from None

    def stop(self, how=signal.SIGINT, timeout=30):
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(timeout)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode


class Lab:
    """Namespaces, links between them, a scratch folder, and the processes of one test."""
    serial = 0

    def __init__(self):
        Lab.serial += 1
        # Real time is not made up for: these tests, which wait most of the time, go before what computes beside them.
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, -10)
        self.prefix = f"an{os.getpid() % 100000}x{Lab.serial}"
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="anml-live-"))
        self.folder.chmod(0o755)
        self.namespaces, self.processes = [], []
        atexit.register(self.close)

    def close(self):
        atexit.unregister(self.close)
        for process in reversed(self.processes):
            process.stop(signal.SIGTERM)
            process.log.close()
        left = self.left_behind()
        for name in self.namespaces:
            run("ip", "netns", "delete", name, check=False)
        self.namespaces, self.processes = [], []
        shutil.rmtree(self.folder, ignore_errors=True)
        if left:
            raise AssertionError(f"the test leaves behind: {left}")

    def left_behind(self):
        """Processes that still are in the namespaces some seconds after the end of all that were started there; they are killed."""
        end = time.monotonic() + 5
        while pids := [int(pid) for name in self.namespaces for pid in run("ip", "netns", "pids", name).stdout.split()]:
            if time.monotonic() > end:
                break
            time.sleep(0.1)
        names = []
        for pid in pids:
            with contextlib.suppress(OSError):
                names.append(pathlib.Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "))
                os.kill(pid, signal.SIGKILL)
        return names

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def namespace(self, label):
        name = f"{self.prefix}{label}"
        run("ip", "netns", "add", name)
        self.namespaces.append(name)
        run("ip", "-n", name, "link", "set", "lo", "up")
        return name

    def veth(self, space_a, name_a, space_b, name_b):
        run("ip", "-n", space_a, "link", "add", name_a, "type", "veth", "peer", "name", name_b, "netns", space_b)
        for space, name in ((space_a, name_a), (space_b, name_b)):
            run("ip", "-n", space, "link", "set", name, "up")

    def host_outside(self, emulator):
        """The namespace of a host with 10.0.0.80 on a cable, and that of the emulator, whose end is veth0."""
        host, inside = self.namespace("h"), self.namespace("e")
        self.veth(host, "eth0", inside, "veth0")
        self.run_in(host, "ip", "addr", "add", "10.0.0.80/32", "dev", "eth0")
        self.run_in(host, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        return host, inside

    def run_in(self, space, *command, **options):
        return run("ip", "netns", "exec", space, *command, **options)

    def start(self, *command, space=None, **options):
        prefix = ("ip", "netns", "exec", space) if space else ()
        process = Process(*prefix, *command, **options)
        self.processes.append(process)
        return process

    def compile(self, source, *options, name="emu"):
        """Compiles a model (a path, or text), without optimisation unless told, and returns the emulator's path."""
        if not any(str(option).startswith("-O") for option in options):
            options = ("-O0", *options)
        if "\n" in str(source):
            path = self.folder / f"{name}.anml"
            path.write_text(source)
            source = path
        emulator = self.folder / name
        run(ANMLC, source, *options, "-o", emulator)
        return emulator

    def user_of(self, emulator, seconds=300, path="/1024"):
        """The namespace of the real host that an emulator's endpoint `user` is, the run, and the URL of its simulated `server`, which answers."""
        user, inside = self.namespace("u"), self.namespace("e")
        self.veth(user, "eth0", inside, "veth0")
        where = addresses(emulator)
        self.run_in(user, "ip", "addr", "add", f"{where['user']}/32", "dev", "eth0")
        self.run_in(user, "ip", "route", "add", "10.0.0.0/8", "via", info(emulator)["gateway"], "dev", "eth0", "onlink")
        live = self.start(emulator, "live", "--attach", "user=if:veth0", "--for", f"{seconds}s", space=inside)
        base = f"http://{where['server']}"
        look = ("curl", "-s", "-m", 20, "-o", "/dev/null", base + path)
        wait_until(lambda: self.run_in(user, *look, check=False).returncode == 0, 15, "the network")
        return user, live, base

    def nginx(self, documents, extra="", port=80):
        """Writes an nginx configuration and its documents ({path: size}); returns the command that starts it."""
        web = self.folder / "web"
        web.mkdir(exist_ok=True)
        for path, size in documents.items():
            (web / path.lstrip("/")).write_bytes(b"x" * size)
        # An ordinary user may be the one who runs it.
        for path in (self.folder, web):
            path.chmod(0o777)
        temporary = "".join(f"{kind}_temp_path {self.folder}/tmp_{kind};\n"
                            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        config = self.folder / "nginx.conf"
        config.write_text(f"""
user root;
worker_processes 1;
pid {self.folder}/nginx.pid;
error_log {self.folder}/error.log;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  {temporary}
  server {{ listen {port} backlog=4096; root {web}; }}
  {extra}
}}
""")
        return ["nginx", "-p", str(self.folder), "-e", f"{self.folder}/error.log", "-c", str(config)]


def info(emulator):
    return json.loads(run(emulator, "info", "--json").stdout)


def addresses(emulator):
    """First address of each row of nodes, by name."""
    return {node["name"]: node["address"].split("/")[0] for node in info(emulator)["nodes"] if node.get("address")}


def ahead():
    """By how much the time of day is ahead of CLOCK_MONOTONIC, in ns: constant until somebody sets it."""
    def look():
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        now = time.clock_gettime_ns(time.CLOCK_REALTIME)
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        return after - before, now - (before + after) // 2
    return min(look() for _ in range(20))[1]


def by_one_clock(measure):
    """What `measure` gives while nobody sets the time of day, as a virtual machine's host may: ping and the kernel's
    stamps of packets are of that clock."""
    for _ in range(5):
        before = ahead()
        measured = measure()
        if abs(set_by := ahead() - before) < 50000:
            return measured
        print(f"the clock was set by {set_by / 1e6:.3f} ms meanwhile: measured again", file=sys.stderr)
    raise AssertionError("the clock is being set all the time")


def ping(lab, space, address, count=20, interval=0.05):
    """Round-trip times in ms of so many requests. With -w, ping goes on until as many are answered, or three seconds more: else it waits for the
    last one no longer than twice the longest round trip. What it asks besides is not counted."""
    done = by_one_clock(lambda: lab.run_in(space, "ping", "-n", "-c", count, "-i", interval, "-w", int(count * interval) + 4, address, check=False))
    return [float(trip) for number, trip in re.findall(r"icmp_seq=(\d+) .*time=([\d.]+)", done.stdout) if int(number) <= count]


def wait_until(condition, seconds=10, what="condition"):
    """On a machine with nothing else to do it comes true within that."""
    seconds *= BUSY
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come true within {seconds} s")


def median(values):
    return statistics.median(values)
