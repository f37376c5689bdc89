#!/usr/bin/env python3
"""htsim and UNISON beside us: a fat tree with a TCP permutation, and with DCTCP, in turns in one run.

    tests/bench/against_peers.py FOLDER [--runs 3] [--only k=4] [--instructions]

FOLDER has the sources of both, as FOLDER/htsim (Broadcom/csg-htsim) and FOLDER/unison (NASA-NJU/UNISON-for-ns-3, 3.41), and
gets the programs, optimised for this processor: some 15 minutes of two processors. What is built is used again. UNISON's own fat tree
(src/mtp/examples/fat-tree-mtp.cc) is patched by peers/unison.patch; htsim is driven by peers/htsim.cpp, the permutation in UNISON's
ns-3 by ns3/peers.cc. Never a part of the test suite.

First what all carry in the same simulated time is printed: packet-hops (packets that finish transmission on a link) and payload that
receivers have, means over several permutations or lists of flows. htsim's are counted by its queues (a subclass of peers/htsim.cpp),
ns-3's by the trace PhyTxEnd of its devices, in a run of its own that isn't timed. Then all are timed in turns, without start-up: packet-hops per second of
wall and of processor time,
medians. --instructions adds those of a packet-hop, by callgrind between two simulated times, which knows no
AVX-512: it takes a FOLDER that was built with --march=haswell.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "build/release"
sys.path.insert(0, str(HERE.parent / "validation"))
import completion  # noqa: E402  the public benchmark as a list of flows

MODULES = ["core", "network", "internet", "point-to-point", "applications", "traffic-control", "flow-monitor", "nix-vector-routing", "mtp",
           "stats", "bridge"]


def run(*command, cwd=None, text=None, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, input=text, env={**os.environ, **environment})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout + done.stderr


def build(folder, march):
    """The three programs, where they aren't there."""
    fast = ["-O3", f"-march={march}", "-DNDEBUG", "-w"]
    htsim, unison = folder / "htsim/sim", folder / "unison"
    if not (folder / "htsim_tree").exists():
        run("make", "-j2", "libhtsim.a", f"CFLAGS={' '.join(fast)} -std=c++14", cwd=htsim)
        run("g++", "-std=c++17", *fast, f"-I{htsim}", HERE / "peers/htsim.cpp", htsim / "libhtsim.a", "-o", folder / "htsim_tree")
    if (folder / "unison_tree").exists():
        return
    run("cmake", "-S", unison, "-B", folder / "unison-build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=release", "-DNS3_MTP=ON",
        f"-DCMAKE_CXX_FLAGS=-march={march}", f"-DNS3_ENABLED_MODULES={';'.join(MODULES)}", "-DNS3_TESTS=OFF", "-DNS3_EXAMPLES=OFF",
        "-DNS3_PYTHON_BINDINGS=OFF", "-DNS3_ASSERT=OFF", "-DNS3_LOG=OFF", "-DNS3_WARNINGS_AS_ERRORS=OFF")
    run("ninja", "-j2", "-C", folder / "unison-build")
    shutil.copy(unison / "src/mtp/examples/fat-tree-mtp.cc", folder / "fat-tree-mtp.cc")
    run("patch", folder / "fat-tree-mtp.cc", HERE / "peers/unison.patch")
    library = unison / "build/lib"
    named = re.compile(rf"libns3[.\d]*-({'|'.join(MODULES)})(-optimized)?\.so")
    names = [path for path in library.iterdir() if named.fullmatch(path.name)]
    for source, program in ((HERE / "ns3/peers.cc", "unison_permutation"), (folder / "fat-tree-mtp.cc", "unison_tree")):
        run("g++", "-std=c++20", *fast, "-DNS3_MTP", "-DNS3_NEWCB", f"-I{unison / 'build/include'}", f"-I{HERE / 'peers'}", source,
            "-o", folder / program, f"-Wl,-rpath,{library}", "-Wl,--no-as-needed", *names)


class Ours:
    def __init__(self, name, emulator, threads, longer):
        self.name, self.emulator, self.threads, self.longer = name, emulator, threads, longer

    def words(self, seconds, seed):
        return [self.emulator(seed), "simulate", "--threads", self.threads, "--for", f"{seconds * 1e6:g}us", "--seed", seed], None, {}

    def run(self, seconds, seed, count=False):
        with tempfile.TemporaryDirectory(prefix="anml-bench-") as folder:
            results = pathlib.Path(folder) / "results.json"
            run(*self.words(seconds, seed)[0], "--results", results)
            found = json.loads(results.read_text())
        return {"hops": found["packet_hops"], "bytes": sum(w["delivered_bytes"] for w in found["workloads"]),
                "wall_s": found["wall_seconds"], "cpu_s": found["cpu_seconds"]}


class Theirs:
    """A program that prints a line of JSON; `words` are its arguments, its input and environment."""

    def __init__(self, name, words, longer=1):
        self.name, self.words, self.longer = name, words, longer

    def run(self, seconds, seed, count=False):
        command, text, environment = self.words(seconds, seed)
        if count:
            command, environment = [*command, *(["--count=1"] if "--mode=fattree" in command else [])], {**environment, "COUNT": "1"}
        printed = run(*command, text=text, **environment)
        return json.loads(next(line for line in printed.splitlines() if line.startswith("{")))


def permutation(k, seed):
    draw, hosts = random.Random(seed), k**3 // 4
    peers = list(range(hosts))
    while any(host == peer for host, peer in enumerate(peers)):
        draw.shuffle(peers)
    return "".join(f"{host} {peer} 0 {draw.randrange(1000000)}\n" for host, peer in enumerate(peers))


class Permutation:
    def __init__(self, k, seconds, span):
        self.k, self.seconds, self.span, self.name = k, seconds, span, f"permutation, k={k}"

    def peers(self, folder, scratch, anmlc):
        emulator = scratch / f"permutation{self.k}"
        run(anmlc, "-O2", "--tasks", 2, HERE / "models/fat_tree.anml", f"-Dk={self.k}", "-o", emulator)

        def unison(threads):
            return lambda seconds, seed: ([folder / "unison_permutation", "--mode=fattree", f"--k={self.k}", f"--T={seconds}",
                                           f"--threads={threads}", f"--seed={seed}"], None, {})
        return [*(Ours(f"ours, {n}", lambda _seed: emulator, t, 10) for t, n in ((1, "one thread"), (2, "2 threads"))),
                Theirs("htsim", lambda seconds, seed: ([folder / "htsim_tree", "tcp", self.k, seconds * 1e6], permutation(self.k, seed), {}), 10),
                Theirs("UNISON's ns-3, sequential", unison(0)), Theirs("UNISON, one thread", unison(1)),
                Theirs("UNISON, 2 threads", unison(2))]


class Dctcp:
    k = 8

    def __init__(self, seconds, span):
        self.seconds, self.span, self.name = seconds, span, "DCTCP, web search, k=8"

    def peers(self, folder, scratch, anmlc):
        longest, longer = self.seconds * 8, 8

        def flows(seed):
            path = scratch / f"flows-{seed}"
            if not path.exists():
                path.write_text("".join(" ".join(map(str, flow)) + "\n" for flow in completion.flows(seed, longest * 1e3, self.k)))
            return path

        def emulator(seed):
            program = scratch / f"tree-{seed}/tree"
            if not program.exists():
                program.parent.mkdir()
                listed = flows(seed).read_text().replace(" ", ",")
                (program.parent / "list.csv").write_text("source,destination,size [B],due [ns]\n" + listed)
                (program.parent / "tree.anml").write_text(completion.MODEL.format(k=self.k, milliseconds=longest * 1e3))
                run(anmlc, "-O2", "--tasks", 2, program.parent / "tree.anml", "-o", program)
            return program

        def unison(threads, arithmetic):
            settings = ["--bandwidth=100Gbps", "--interval=0", "--ns3::TcpSocket::DelAckCount=1", "--ns3::TcpSocketBase::Timestamp=false",
                        "--ns3::DropTailQueue<Packet>::MaxSize=1p", f"--cdf={folder / 'unison/src/mtp/examples/web-search.txt'}"]
            return lambda seconds, seed: ([folder / "unison_tree", f"--k={self.k}", f"--time={seconds}", f"--thread={threads}",
                                           f"--nix={arithmetic}", *settings], None, {"FLOWS": str(flows(seed))})
        return [*(Ours(f"ours, {n}", emulator, t, longer) for t, n in ((1, "one thread"), (2, "2 threads"))),
                Theirs("htsim", lambda seconds, seed: ([folder / "htsim_tree", "dctcp", self.k, seconds * 1e6], flows(seed).read_text(), {}), longer),
                Theirs("UNISON's ns-3, sequential", unison(0, 1)),
                Theirs("UNISON, one thread", unison(1, 1)), Theirs("UNISON, 2 threads", unison(2, 1)),
                Theirs("UNISON as published, one thread", unison(1, 0)), Theirs("UNISON as published, 2 threads", unison(2, 0))]


def instructions(peer, span, hops):
    """Per packet-hop, between two simulated times."""
    counted = []
    for seconds in span:
        command, text, environment = peer.words(seconds, 1)
        printed = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command, text=text, **environment)
        counted.append(int(re.search(r"Collected : (\d+)", printed)[1]))
    return (counted[1] - counted[0]) / (hops[1] - hops[0])


SCENARIOS = [Permutation(4, 0.05, (0.01, 0.02)), Permutation(8, 0.02, (0.003, 0.005)), Dctcp(0.0005, (0.0001, 0.0002))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each; 0: only compare what was carried")
    parser.add_argument("--seeds", type=int, default=4, help="runs whose mean is compared; 0: none")
    parser.add_argument("--only", default="", help="scenarios whose name contains this")
    parser.add_argument("--peers", default="", help="those whose name this regular expression finds")
    parser.add_argument("--instructions", action="store_true", help="count those of a packet-hop, of what runs on one thread")
    parser.add_argument("--march", default="native", help="the processor that peers are built for")
    parser.add_argument("--anmlc", default=os.environ.get("ANMLC", BUILD / "bin/anmlc"))
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    build(folder, arguments.march)
    for scenario in SCENARIOS:
        if arguments.only not in scenario.name:
            continue
        with tempfile.TemporaryDirectory(prefix="anml-bench-") as scratch:
            peers = [peer for peer in scenario.peers(folder, pathlib.Path(scratch), arguments.anmlc) if re.search(arguments.peers, peer.name)]
            print(f"\n{scenario.name}, {scenario.seconds * 1e3:g} ms\n", flush=True)
            measure(peers, scenario, arguments)
    return 0


def measure(peers, scenario, arguments):
    titles, rows = [""], {peer.name: [peer.name] for peer in peers}
    if arguments.seeds:
        titles += ["MB", "packet-hops"]
        carried = {peer.name: [peer.run(scenario.seconds, seed, True) for seed in range(1, arguments.seeds + 1)] for peer in peers}
        for name, row in rows.items():
            row += [f"{statistics.mean(line[key] for line in carried[name]) / scale:{form}}" for key, scale, form in (("bytes", 1e6, ".1f"), ("hops", 1, ".0f"))]
    if arguments.runs:
        titles += ["M hops/s", "per processor second"]
        known = {peer.name: carried[peer.name][0] for peer in peers if peer.longer == 1} if arguments.seeds else {}
        hops = {peer.name: (known.get(peer.name) or peer.run(scenario.seconds * peer.longer, 1, True))["hops"] for peer in peers}
        timed = {peer.name: [] for peer in peers}
        for _ in range(arguments.runs):
            for peer in peers:
                timed[peer.name].append(peer.run(scenario.seconds * peer.longer, 1))
        for name, row in rows.items():
            row += [f"{statistics.median(hops[name] / line[key] for line in timed[name]) / 1e6:.3g}" for key in ("wall_s", "cpu_s")]
    if arguments.instructions:
        titles.append("instructions")
        for peer in peers:
            alone = "2 threads" not in peer.name
            rows[peer.name].append(f"{instructions(peer, scenario.span, [peer.run(s, 1, True)['hops'] for s in scenario.span]):.0f}" if alone else "")
    print("| " + " | ".join(titles) + " |\n|" + " --- |" * len(titles))
    for row in rows.values():
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
