#!/usr/bin/env python3
"""Odd files in the place of what anmlc reads and writes, and ends at odd moments: no wait without end, no message that is
untrue, nothing half-written, nothing left behind."""
import os
import pathlib
import random
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from arena import ALL, ANMLC, GIB, MIB, SANITIZED, attempt

NOBODY = 65534
ROOT = os.geteuid() == 0

MODEL = """import std.ether
import std.traffic
{}
model M(tunable D: time in 1 ms .. 9 ms = 3 ms) {{
  host a
  host b
  link x: a -- b {{ rate = 10 Mbps, delay = D }}
  workload w : traffic.Bulk on a {{ to = b }}
  {}
  run {{ duration = 100 ms }}
}}
"""
PLAIN = MODEL.format("", "")
# Where a model names a file, and the name that it has there.
NAMED = {
    "import": ("odd.anml", MODEL.format("import odd", "")),
    "folder": ("odd/odd.anml", MODEL.format("import odd", "")),
    "graph": ("odd.gml", MODEL.format('graph G("odd.gml")', "G g")),
    "trace": ("odd.up", MODEL.format("", 'link a -- b { rate = trace("odd.up") }')),
    "samples": ("odd.txt", MODEL.format("", 'link a -- b { rate = 1 Mbps, jitter = empirical("odd.txt", 1 ms) }')),
}


def make_odd(kind, path):
    """What is no plain, readable file."""
    path.parent.mkdir(exist_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        listening = socket.socket(socket.AF_UNIX)
        here = os.getcwd()
        os.chdir(path.parent)  # names of sockets are short
        listening.bind(path.name)
        os.chdir(here)
        listening.close()
    elif kind == "circle":
        path.symlink_to(path.name)
    elif kind == "dangling":
        path.symlink_to("nowhere")
    elif kind == "unreadable":
        path.write_text("")
        path.chmod(0)
    elif kind == "large":
        with open(path, "wb") as file:
            file.truncate(5 * GIB)
    elif kind == "memory":
        path.symlink_to("/proc/self/mem")
    else:
        path.symlink_to(kind)


ODD = ["folder", "pipe", "socket", "circle", "dangling", "unreadable", "large", "memory", "/dev/zero", "/dev/full", "/dev/null", "/dev/tty", "/dev/random"]


class Scratch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-attack-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.model = self.folder / "m.anml"
        self.model.write_text(PLAIN)

    def anmlc(self, *words, **options):
        options.setdefault("memory", None if SANITIZED else 3 * GIB)
        options.setdefault("cwd", self.folder)
        options.setdefault("seconds", 120 if SANITIZED else 40)
        tried = attempt([ANMLC, *map(str, words)], **options)
        self.assertEqual(tried.fault, "", tried.said[:400])
        return tried

    def left(self, folder=None):
        return sorted(os.listdir(folder or self.folder))


class Inputs(Scratch):
    def refused(self, *words, **options):
        tried = self.anmlc(*words, **options)
        self.assertNotEqual(tried.status, 0)
        self.assertLess(tried.peak, 600)
        self.assertLess(tried.seconds, 50 if SANITIZED else 5)
        self.assertLess(len(tried.said), 150_000)
        return tried.said

    def test_what_a_model_names(self):
        """Refused at once, also where nothing ever comes, or never ends."""
        for role, (name, text) in NAMED.items():
            for kind in ODD:
                if kind == "unreadable" and ROOT:
                    continue
                with self.subTest(role, kind=kind), tempfile.TemporaryDirectory(dir=self.folder) as folder:
                    make_odd(kind, pathlib.Path(folder) / name)
                    (pathlib.Path(folder) / "m.anml").write_text(text)
                    begin = time.monotonic()
                    self.refused("check", "m.anml", cwd=folder)
                    self.assertLess(time.monotonic() - begin, 20)

    def test_what_the_command_line_names(self):
        """A pipe is waited for there; whatever else is odd is refused."""
        for kind in ODD:
            if kind in ("pipe", "/dev/tty") or kind == "unreadable" and ROOT:
                continue
            path = self.folder / "odd"
            make_odd(kind, path)
            for words in (["check", path], ["fmt", path], ["doc", path], ["import", path], ["analyze", self.model, "--demand", path], [f"@{path}"]):
                with self.subTest(kind, words=words[0]):
                    if not (kind == "/dev/null" and (words[0] in ("fmt", "doc") or words[0][0] == "@") or kind == "folder" and words[0] == "fmt"):
                        self.refused(*words)
            path.rmdir() if kind == "folder" else path.unlink()

    def test_standard_input(self):
        for path, message in (("/dev/zero", "NUL"), ("/dev/full", "NUL"), ("/", "cannot read `<stdin>`: it is a folder")):
            given = os.open(path, os.O_RDONLY)
            self.assertIn(message, self.refused("check", "-", stdin=given))
            os.close(given)

    def test_a_pipe_on_the_command_line(self):
        path = self.folder / "pipe"
        os.mkfifo(path)
        writer = threading.Thread(target=lambda: path.write_text(PLAIN))
        writer.start()
        self.assertEqual(self.anmlc("check", path).status, 0)
        writer.join()

    def test_words_in_files(self):
        (self.folder / "self").write_text("@self @self")
        self.assertIn("nested more than", self.refused("@self"))
        (self.folder / "many").write_text("@self " * 1000)
        self.refused("@many")
        (self.folder / "long").write_text("x " * (9 << 20))
        self.assertIn("larger than", self.refused("@long"))
        (self.folder / "words").write_text("check\n'm.anml'")
        self.assertEqual(self.anmlc("@words").status, 0)

    def test_files_that_change(self):
        """Read while somebody cuts and writes them: a message or a result, no fault."""
        stop = threading.Event()
        large = PLAIN + "// x\n" * 100000

        def change():
            while not stop.is_set():
                self.model.write_text(large)
                os.truncate(self.model, random.randrange(len(large)))

        changer = threading.Thread(target=change)
        changer.start()
        try:
            for _ in range(10):
                self.anmlc("check", self.model)
        finally:
            stop.set()
            changer.join()

    def test_values_of_the_command_line(self):
        for value in ("", "=", "D", "D=", "D=nan", "D=inf", "D=-1 ms", "D=1e999 s", "D=" + "(" * 100000, "D=" + "9" * 100000 + " ms", "D=D", "D=3 ms 3 ms",
                      "D=trace(\"/dev/zero\")", "D=\x01", "D=/*", "D=\"", "D=3 ms\nrouter q", "X=1", "D=1/0", "D=`", "D=[3 ms]", "D=a", "=D", "D==3 ms"):
            with self.subTest(value[:20]):
                self.refused("check", self.model, "-D", value)


class Outputs(Scratch):
    WAYS = [["-O0", "-o"], ["-O0", "-c", "-o"], ["-O0", "-S", "-o"], ["--emit=plan", "-o"], ["-O0", "-MD", "-o", "{}/ok", "-MF"]]

    def writes(self):
        """Command lines that end with the output's path."""
        for way in self.WAYS:
            yield [self.model, *(w.format(self.folder) for w in way)]
        yield ["graph", self.model, "--format=svg", "-o"]
        (self.folder / "g.gml").write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
        yield ["import", self.folder / "g.gml", "-o"]
        yield ["analyze", self.model, "-o"]

    def refused(self, command, path, **options):
        before = set(self.left()) | {"ok"}
        tried = self.anmlc(*command, path, **options)
        self.assertNotEqual(tried.status, 0)
        self.assertIn("cannot write", tried.said)
        self.assertEqual(set(self.left()) - before, set())

    def test_odd_places(self):
        target = self.folder / "target"
        target.mkdir()
        (self.folder / "circle").symlink_to("circle")
        for command in self.writes():
            for path in (target, "/dev/full", self.folder / "no/such", "/proc/none", self.folder / "circle", self.folder / ("x" * 300), self.model / "x"):
                executable = command[1:] == ["-O0", "-o"]
                if executable and path == self.folder / "circle":
                    continue  # a linker replaces links
                with self.subTest(command[-2:], path=str(path)[-12:]):
                    self.refused(command, path)

    def test_places_that_refuse(self):
        self.assertEqual(self.anmlc(self.model, "-O0", "-o", "/dev/null").status, 1)
        before = self.model.read_bytes()
        os.link(self.model, self.folder / "same")
        (self.folder / "link").symlink_to("m.anml")
        for path in (self.model, self.folder / "same", self.folder / "link", "./m.anml"):
            for way in (["-O0"], ["--emit=plan"]):
                with self.subTest(str(path), way=way):
                    self.assertEqual(self.anmlc(self.model, *way, "-o", path).status, 2)
        self.assertEqual(self.model.read_bytes(), before)

    def test_what_it_reads_is_not_what_it_writes(self):
        """Imports, graphs and traces are inputs too."""
        (self.folder / "odd.anml").write_text("profile p : Link { rate = 1 Mbps }\n")
        self.model.write_text(NAMED["import"][1])
        before = (self.folder / "odd.anml").read_text()
        for words in (["-o", "odd.anml"], ["--emit=plan", "-o", "odd.anml"], ["-MD", "-MF", "odd.anml"]):
            with self.subTest(words):
                self.assertNotEqual(self.anmlc(self.model, "-O0", *words).status, 0)
                self.assertEqual((self.folder / "odd.anml").read_text(), before)

    @unittest.skipUnless(ROOT, "takes a user who may become another")
    def test_folders_and_files_that_may_not_be_written(self):
        for mode, name in ((0o555, "new"), (0o555, "old")):
            for command in self.writes():
                with self.subTest(name, command=command[-2:]), tempfile.TemporaryDirectory() as folder:
                    target = pathlib.Path(folder) / "locked"
                    target.mkdir()
                    (target / "old").write_text("precious")
                    (target / "old").chmod(0o444)
                    target.chmod(mode)
                    for path in (pathlib.Path(folder), self.folder, *self.folder.iterdir()):
                        path.chmod(0o777)
                    tried = self.anmlc(*command, target / name, user=NOBODY, group=NOBODY, extra_groups=[])
                    self.assertNotEqual(tried.status, 0)
                    self.assertEqual((self.left(target), (target / "old").read_text()), (["old"], "precious"))

    def test_links_and_permissions(self):
        """Behind a symbolic link its target is written; what had permissions keeps them."""
        (self.folder / "way").symlink_to("target")
        for text in ("--emit=plan", "--emit=tasks"):
            self.assertEqual(self.anmlc(self.model, text, "-o", "way").status, 0)
            self.assertTrue((self.folder / "way").is_symlink())
            (self.folder / "target").chmod(0o640)
        self.assertEqual((self.folder / "target").stat().st_mode & 0o777, 0o640)
        self.assertIn("task", (self.folder / "target").read_text())

    def test_no_room(self):
        """Files that may not grow: the old one stays, nothing else is left."""
        for command in self.writes():
            for limit in (0, 100, 4096) if ALL else (100,):
                with self.subTest(command[-2:], limit=limit):
                    target = self.folder / "precious"
                    target.write_text("old")
                    for path in self.folder.glob("ok*"):
                        path.unlink()
                    tried = self.anmlc(*command, target, limits=[(resource.RLIMIT_FSIZE, limit)])
                    if tried.status == 0:  # it was short
                        self.assertLessEqual(target.stat().st_size, limit)
                        continue
                    self.assertEqual(target.read_text(), "old")
                    self.assertEqual(set(self.left()) - {"m.anml", "g.gml", "precious", "ok"}, set())

    def test_a_full_disk(self):
        done = subprocess.run(["unshare", "-rm", "true"], capture_output=True)
        if done.returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        script = 'mount -t tmpfs -o size="$1" none disk || exit 9; shift; "$@"; echo "status $?"; ls -A disk'
        (self.folder / "disk").mkdir()
        for size in ("4k", "64k", "600k"):
            for way in (["-o"], ["-c", "-o"]):
                with self.subTest(size, way=way):
                    done = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", size, ANMLC, "-O0", self.model, *way, "disk/emu"],
                                          cwd=self.folder, capture_output=True, text=True)
                    if "status 0" in done.stdout:
                        self.assertEqual(done.stdout.split(), ["status", "0", "emu"])
                    else:
                        self.assertEqual(done.stdout.split(), ["status", "1"], done.stderr[:400])
                        self.assertIn("error", done.stderr)

    def test_closed_streams(self):
        """What is printed does not get into files that are open in the streams' place."""
        for closed in (">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed):
                done = subprocess.run(f'"{ANMLC}" -v -O0 m.anml -o emu {closed}; ./emu simulate --results r.json --capture x=x.pcap {closed}', shell=True,
                                      cwd=self.folder, capture_output=True, text=True)
                self.assertEqual((self.folder / "x.pcap").read_bytes()[:4].hex(), "4d3cb2a1")
                self.assertIn(b'"digest"', (self.folder / "r.json").read_bytes())
                self.assertTrue((self.folder / "emu").read_bytes().startswith(b"\x7fELF"))
                self.assertEqual(self.left(), ["emu", "m.anml", "r.json", "x.pcap"], done.stderr)
        done = subprocess.run(f'"{ANMLC}" --emit=plan m.anml >&-', shell=True, cwd=self.folder, capture_output=True)
        self.assertNotEqual(done.returncode, 0)

    def test_verbs_say_when_nobody_gets_the_output(self):
        for words in (["--version"], ["--help"], ["doc"], ["explain", "unit-mismatch"], ["doctor"], ["graph", "m.anml"], ["analyze", "m.anml"], ["--print-man"],
                      ["fmt", "--diff", "odd.anml"], ["--emit=ast", "m.anml"]):
            (self.folder / "odd.anml").write_text("model   M{}")
            with self.subTest(words), open("/dev/full", "w") as full:
                self.assertNotEqual(self.anmlc(*words, stdout=full).status, 0)


class Surroundings(Scratch):
    def test_odd_surroundings(self):
        """What there is no need of may be missing; what is needed is named."""
        gone = self.folder / "gone"
        fine = [{"HOME": None}, {"LC_ALL": "xx_YY.nonsense"}, {"LC_ALL": "tr_TR.UTF-8"}, {"TERM": "\x1b[31m"}, {"TERM": None}, {"COLUMNS": "-5"}, {"COLUMNS": "9" * 50},
                {"LINES": "x"}, {"TZ": "/dev/zero"}, {"TMPDIR": str(gone)}, {"TMPDIR": "/dev/null"}, {"TMPDIR": ""}, {"NO_COLOR": ""}, {"LANG": "A" * 100000}]
        for change in fine:
            environment = {**os.environ, **change}
            environment = {k: v for k, v in environment.items() if v is not None}
            for words in (["-O0", "m.anml", "-o", "emu"], ["run", "m.anml", "--", "--for", "10ms"], ["graph", "m.anml", "-o", "x.svg"]):
                with self.subTest(change={k: str(v)[:20] for k, v in change.items()}, words=words[0]):
                    self.assertEqual(self.anmlc(*words, env=environment).status, 0)

    @unittest.skipIf(SANITIZED, "a build with sanitizers links with its driver")
    def test_no_program_of_the_surroundings_links(self):
        tools = self.folder / "tools"
        tools.mkdir()
        for name in ("c++", "cc", "g++", "clang++", "ld", "ld.lld", "collect2", "as"):
            (tools / name).write_text("#!/bin/sh\nkill -9 $PPID\n")
            (tools / name).chmod(0o755)
        for path in ("", "/nowhere", str(self.folder), str(tools)):
            with self.subTest(PATH=path):
                self.assertEqual(self.anmlc("-O0", "m.anml", "-o", "emu", env={"PATH": path}).status, 0)
                (self.folder / "emu").unlink()

    @unittest.skipIf(SANITIZED, "a build with sanitizers links with its driver")
    def test_parts_that_are_broken(self):
        """What an emulator is linked with is cut off, something else, or not there: a message, and nothing left."""
        prefix = self.folder / "prefix"
        (prefix / "bin").mkdir(parents=True)
        shutil.copy(ANMLC, prefix / "bin/anmlc")
        shutil.copytree(pathlib.Path(ANMLC).parents[1] / "lib/anml", prefix / "lib/anml", ignore=shutil.ignore_patterns("libanmltls.a", "*.bc"))
        link = lambda: subprocess.run([prefix / "bin/anmlc", "-O0", "m.anml", "-o", "emu"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(link().returncode, 0)
        (self.folder / "emu").unlink()
        for name in ("link/Scrt1.o", "link/crtn.o", "link/libc.so.6", "link/libstdc++.a", "link/libgcc_eh.a", "libanmlrt.a"):
            part = prefix / "lib/anml" / name
            whole = part.read_bytes()
            for broken in (b"", b"\x7fELF", whole[:len(whole) // 2], b"no object " * 1000, None):
                with self.subTest(name, broken=None if broken is None else len(broken)):
                    part.unlink()
                    if broken is not None:
                        part.write_bytes(broken)
                    done = link()
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    if done.returncode != 0:
                        self.assertRegex(done.stderr, r"error\[(link-failed|runtime-not-found)\]")
                        self.assertLess(len(done.stderr), 5000)
                        self.assertEqual(self.left(), ["m.anml", "prefix"])
                    else:
                        (self.folder / "emu").unlink()
                    part.write_bytes(whole)

    def test_a_folder_that_is_gone(self):
        gone = self.folder / "gone"
        for command in (f'"{ANMLC}" -O0 {self.model} -o emu', f'"{ANMLC}" -O0 {self.model} -o "{self.folder}/emu"', f'"{ANMLC}" run {self.model} -- --for 1ms'):
            gone.mkdir()
            done = subprocess.run(f"cd gone && rmdir ../gone && {command}", shell=True, cwd=self.folder, capture_output=True, text=True)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertNotIn("internal error", done.stderr)

    def test_little_of_everything(self):
        for limit, values in ((resource.RLIMIT_NOFILE, (3, 4, 5, 6, 8, 12)), (resource.RLIMIT_STACK, (64 << 10, 256 << 10, 1 << 20)),
                              (resource.RLIMIT_AS, () if SANITIZED else (100 * MIB, 200 * MIB, 300 * MIB, 400 * MIB)), (resource.RLIMIT_CPU, (1,))):
            for value in values:
                for words in (["check", "m.anml"], ["-O0", "m.anml", "-o", "emu"], ["run", "m.anml", "--", "--for", "10ms"]):
                    with self.subTest(limit=limit, value=value, words=words[0]):
                        tried = attempt([ANMLC, *words], cwd=self.folder, memory=None, limits=[(limit, value)], seconds=60)
                        if tried.status == 127 or tried.status < 0 and "anmlc" not in tried.said and limit in (resource.RLIMIT_AS, resource.RLIMIT_NOFILE):
                            continue  # the loader's own end
                        self.assertEqual(tried.fault, "", tried.said[:300])
                        self.assertEqual(set(self.left()) - {"m.anml", "emu"}, set())


class Ends(Scratch):
    """Signals at any moment."""

    def end(self, words, number, after, folder):
        process = subprocess.Popen([ANMLC, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                                   env={**os.environ, "TMPDIR": str(folder / "tmp")})
        time.sleep(after)
        if number == signal.SIGPIPE:
            process.stderr.close()  # what it says reaches nobody
        else:
            process.send_signal(number)
        process.wait(60)
        if process.stderr and not process.stderr.closed:
            process.stderr.close()
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:  # a linker whose parent was killed
            try:
                os.killpg(process.pid, 0)
            except ProcessLookupError:
                break
            time.sleep(0.02)
        return process.returncode

    def test_signals(self):
        ways = [["-O0", "-v", "m.anml", "-o", "emu"], ["-O2", "m.anml", "-o", "emu"], ["run", "m.anml", "--", "--for", "2s"], ["doctor"],
                ["--emit=plan", "m.anml", "-o", "emu"]]
        steps = 24 if ALL else 2
        for way in ways if ALL else (ways[0], ways[2]):
            begin = time.monotonic()
            probe = self.folder / "probe"
            (probe / "tmp").mkdir(parents=True)
            (probe / "m.anml").write_text(PLAIN)
            subprocess.run([ANMLC, *way], cwd=probe, capture_output=True)
            whole = time.monotonic() - begin
            emulator = (probe / "emu").read_bytes() if (probe / "emu").exists() else b""
            shutil.rmtree(probe)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGPIPE):
                for step in range(steps):
                    with self.subTest(way[:2], signal=number.name, step=step), tempfile.TemporaryDirectory(dir=self.folder) as scratch:
                        folder = pathlib.Path(scratch)
                        (folder / "tmp").mkdir()
                        (folder / "m.anml").write_text(PLAIN)
                        (folder / "emu").write_text("precious")
                        self.end(way, number, whole * (step + random.random()) / steps, folder)
                        self.assertIn((folder / "emu").read_bytes(), (b"precious", emulator))
                        if number == signal.SIGKILL:  # the next one takes along what that left
                            subprocess.run([ANMLC, *way], cwd=folder, capture_output=True, env={**os.environ, "TMPDIR": str(folder / "tmp")})
                        self.assertEqual((self.left(folder), self.left(folder / "tmp")), (["emu", "m.anml", "tmp"], []))

    def test_two_at_once(self):
        """To one output: one of the two wins, whole, and neither takes the other's files away."""
        for _ in range(8 if ALL else 2):
            both = [subprocess.Popen([ANMLC, "-O0", "m.anml", "-o", "emu", "-D", f"D={d}ms"], cwd=self.folder, stderr=subprocess.PIPE) for d in (2, 3, 4)]
            for process in both:
                said = process.communicate()[1]
                self.assertEqual(process.returncode, 0, said)
            self.assertEqual(self.left(), ["emu", "m.anml"])
            self.assertEqual(subprocess.run([self.folder / "emu", "simulate", "--for", "1ms"], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
