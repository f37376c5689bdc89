#!/usr/bin/env python3
"""ns-3 on two ranks of MPI beside us on two threads and two ranks: datagrams along a chain of routers, in one run.

    tests/bench/ns3_mpi.py FOLDER [--N 32] [--H 8] [--runs 5]

Debian builds its ns-3 without MPI (`--disable-mpi` in debian/rules), so FOLDER gets Debian's source of the version that is
installed, by `apt-get source` and by a list of package sources of its own, and is where what the chain needs is built,
as the release profile, with MPI on, without tests, examples and Python: some 60 MB to fetch and 3 minutes of two
processors; then ns3/mpi_chain.cc. What is there is used again. Never a part of the test suite.

First all count packet-hops in the same simulated time: ns-3 in one process and on two ranks, by both of its algorithms,
must have the same number, and the same of datagrams received; ours, whose clients start at other moments, one within
0.1 %, and the same digest on threads and ranks. Then they are timed in turns: packet-hops per second of wall time, medians.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build/release"
APART = 0.001
MODULES = ["core", "network", "internet", "point-to-point", "applications", "traffic-control", "nix-vector-routing", "mpi", "stats",
           "bridge"]
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "LD_LIBRARY_PATH": str(BUILD / "lib/anml")}
THEIRS = [("ns-3, one process", "none", 1), ("ns-3, 2 ranks, time windows", "window", 2),
          ("ns-3, 2 ranks, null messages", "null", 2)]
OURS = [("ours, one thread", 1, 1), ("ours, 2 threads", 2, 1), ("ours, 2 ranks", 1, 2)]


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=ENVIRONMENT, cwd=cwd)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def installed_version():
    return run("dpkg-query", "-W", "-f", "${source:Version}", "libns3-dev").strip()


def source(folder):
    """The folder of ns-3's own source, fetched if it isn't there."""
    found = list(folder.glob("ns3-*/ns-3.*"))
    if not found:
        apt = folder / "apt"
        for part in ("lists/partial", "cache/archives/partial", "parts"):
            (apt / part).mkdir(parents=True, exist_ok=True)
        (apt / "sources.list").write_text(f"deb-src [signed-by={KEYRING}] http://deb.debian.org/debian bookworm main\n")
        options = [f"-o{key}={value}" for key, value in (
            ("Dir::Etc::sourcelist", apt / "sources.list"), ("Dir::Etc::sourceparts", apt / "parts"),
            ("Dir::State::lists", apt / "lists"), ("Dir::Cache", apt / "cache"), ("APT::Sandbox::User", "root"))]
        run("apt-get", *options, "update")
        run("apt-get", *options, "source", f"ns3={installed_version()}", cwd=folder)
        found = list(folder.glob("ns3-*/ns-3.*"))
    if len(found) != 1:
        sys.exit(f"{folder}: one folder ns3-*/ns-3.* is wanted, and there are {len(found)}")
    return found[0]


def build(folder):
    """The program of ns3/mpi_chain.cc, with what it needs of ns-3."""
    folder.mkdir(parents=True, exist_ok=True)
    tree, program = source(folder), folder / "mpi_chain"
    run("cmake", "-S", tree, "-B", folder / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=release", "-DNS3_MPI=ON",
        f"-DNS3_ENABLED_MODULES={';'.join(MODULES)}", "-DNS3_TESTS=OFF", "-DNS3_EXAMPLES=OFF", "-DNS3_PYTHON_BINDINGS=OFF")
    run("ninja", "-C", folder / "build")
    library = tree / "build/lib"
    names = [next(library.glob(f"libns3*-{module}.so")).name for module in MODULES]
    run("mpicxx", "-std=c++17", "-O3", "-w", "-DNDEBUG", "-DNS3_MPI", f"-I{tree / 'build/include'}", HERE / "ns3/mpi_chain.cc",
        "-o", program, f"-L{library}", f"-Wl,-rpath,{library}", "-Wl,--no-as-needed", *(f"-l:{name}" for name in names))
    return program


class Ns3:
    def __init__(self, program, arguments):
        self.program, self.words = program, [f"--N={arguments.N}", f"--H={arguments.H}", f"--T={arguments.seconds}"]

    def run(self, sync, ranks, *more):
        start = ["mpirun", "-np", ranks] if sync != "none" else []
        return json.loads(run(*start, self.program, *self.words, f"--sync={sync}", *more).splitlines()[-1])


class Ours:
    def __init__(self, arguments, folder):
        self.program, self.results = folder / "emulator", folder / "results.json"
        run(arguments.anmlc, "-O2", HERE / "models/udp_chain.anml", f"-DN={arguments.N}", f"-DH={arguments.H}", "--mpi", "-o", self.program)

    def run(self, threads, ranks, seconds):
        start, more = (["mpirun", "-np", ranks], ["--mpi"]) if ranks > 1 else ([], [])
        run(*start, self.program, "simulate", "--for", f"{seconds}s", "--threads", threads, "--results", self.results, *more)
        return json.loads(self.results.read_text())


def compare(ns3, ours, seconds):
    """Packet-hops of ns-3, and of ours; exits where they did not do the same work."""
    counted = [(name, ns3.run(sync, ranks, "--count=1")) for name, sync, ranks in THEIRS]
    for name, line in counted:
        print(f"{name}: {line['hops']} packet-hops, {line['received']} datagrams received, {line['drops']} lost, events of each rank "
              f"{line['events']}", file=sys.stderr)
    hops = counted[0][1]["hops"]
    if len({(line["hops"], line["received"], line["drops"]) for _, line in counted}) != 1:
        sys.exit("ns-3's ranks did not carry what its one process carries")
    emulated = [(name, ours.run(threads, ranks, seconds)) for name, threads, ranks in OURS]
    for name, results in emulated:
        print(f"{name}: {results['packet_hops']} packet-hops, {results['workloads'][0]['datagrams']['received']} datagrams received, "
              f"digest {results['digest']}", file=sys.stderr)
    if len({results["digest"] for _, results in emulated}) != 1:
        sys.exit("our digests differ")
    apart = emulated[0][1]["packet_hops"] / hops - 1
    if abs(apart) > APART:
        sys.exit(f"not the same work: our packet-hops are {apart:+.2%} of ns-3's")
    return hops, apart


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--N", type=int, default=32, help="routers")
    parser.add_argument("--H", type=int, default=8, help="clients of each")
    parser.add_argument("--seconds", type=float, default=1, help="simulated, of ns-3 and of the comparison")
    parser.add_argument("--longer", type=float, default=30, help="times as long are our runs that are timed")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--anmlc", default=os.environ.get("ANMLC", BUILD / "bin/anmlc"))
    arguments = parser.parse_args()
    ns3 = Ns3(build(arguments.folder.resolve()), arguments)
    with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
        ours = Ours(arguments, pathlib.Path(folder))
        hops, apart = compare(ns3, ours, arguments.seconds)
        print(f"{hops} packet-hops of ns-3 in {arguments.seconds:g} s, ours {apart:+.3%}; medians of {arguments.runs}, in turns\n")
        rates = {name: [] for name, *_ in THEIRS + OURS}
        for _ in range(arguments.runs):
            for name, sync, ranks in THEIRS:
                rates[name].append(hops / ns3.run(sync, ranks)["wall_s"] / 1e6)
            for name, threads, ranks in OURS:
                results = ours.run(threads, ranks, arguments.seconds * arguments.longer)
                rates[name].append(results["packet_hops"] / results["wall_seconds"] / 1e6)
    print("| | M packet-hops/s | against one of its own | against ns-3's one process |\n| --- | --- | --- | --- |")
    for group in (THEIRS, OURS):
        for name, *_ in group:
            own, peer = rates[group[0][0]], rates[THEIRS[0][0]]
            gain, ratio = (statistics.median(a / b for a, b in zip(rates[name], other)) for other in (own, peer))
            print(f"| {name} | {statistics.median(rates[name]):.3g} | {gain:.2f} | {ratio:.3g} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
