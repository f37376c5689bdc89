"""What scale.py measures by units, and what it makes of them: slopes between two sizes, and the model of the kernel."""
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ENDS, FLOWS = 500, 100_000
SIZES = (1000, 10_000, 70_000)
# Gains of two threads on the idle reference machine, of docs/benchmarks.md, "Two threads".
IDLE = {"web 8x8": 1.47, "web 8x64": 1.50, "datagrams 32x8": 1.80, "fat tree k=8": 1.98}
KERNELS = [("web 8x8", "web_chain.anml", ["N=8", "H=8"], 3), ("web 8x64", "web_chain.anml", ["N=8", "H=64", "document=65536 B"], 2),
           ("datagrams 32x8", "udp_chain.anml", [], 1), ("fat tree k=8", "fat_tree.anml", ["k=8"], 0.1)]


def run(*command):
    """Wall time, processor time (s), and peak resident set (bytes) of a command that must succeed."""
    begin = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def least_cut(profile):
    """Messages between two halves of the tasks: the fewest, of all halves that differ by at most a fifth of the events or,
    if none does, of those that differ least."""
    events = [t["events"] for t in profile["tasks"]]
    halves = []
    for n in range(1, len(events) // 2 + 1):
        for half in itertools.combinations(range(len(events)), n):
            apart = abs(2 * sum(events[t] for t in half) - sum(events)) / sum(events)
            crossing = sum(c["messages"] for c in profile["channels"] if (c["from"] in half) != (c["to"] in half))
            halves.append((max(apart, 0.2), crossing))
    return min(halves)[1] if halves else 0


class Units:
    def __init__(self, anmlc, runs, folder):
        self.anmlc, self.runs, self.folder = anmlc, runs, pathlib.Path(folder)

    def medians(self, *command):
        return [statistics.median(column) for column in zip(*(run(*command) for _ in range(self.runs)))]

    def compile(self, model, *options):
        emulator = self.folder / "emulator"
        wall, cpu, memory = self.medians(self.anmlc, "-O0", model, *options, "-o", emulator)
        return emulator, {"wall": wall, "cpu": cpu, "memory": memory, "executable": emulator.stat().st_size}

    def simulate(self, emulator, *options):
        """Medians of processor time without start-up, and of the peak; the rest is the same in each run."""
        results, runs = self.folder / "results.json", []
        for _ in range(self.runs):
            memory = run(emulator, "simulate", "--threads", 1, "--results", results, *options)[2]
            runs.append((json.loads(results.read_text()), memory))
        last = runs[-1][0]
        return {"cpu": statistics.median(r["cpu_seconds"] for r, _ in runs), "memory": statistics.median(m for _, m in runs),
                "wall": min(r["wall_seconds"] for r, _ in runs), "events": last["events"], "hops": last["packet_hops"],
                "digest": last["digest"]}

    def internet(self, systems, ends=ENDS, flows=FLOWS, peering=1.0, simulated=True):
        # By a process of its own: a child's peak would count what this one has when it forks.
        model = self.folder / "internet.anml"
        run(sys.executable, HERE / "as_graph.py", systems, "--peering", peering, "--ends", ends, "--flows", flows, "-o", model)
        with open(model.with_suffix(".as-rel.txt")) as lines:
            links = sum(not line.startswith("#") for line in lines)
        emulator, compiled = self.compile(model)
        point = {"systems": systems, "links": links, "ends": ends, "flows": flows, "compile": compiled}
        if simulated:
            point["run"] = self.simulate(emulator)
        print(json.dumps(point), file=sys.stderr, flush=True)
        return point

    def kernel(self, name, model, defines, seconds):
        emulator = self.folder / "kernel"
        run(self.anmlc, "-O2", HERE / "models" / model, *[f"-D{d}" for d in defines], "-o", emulator)
        results = self.folder / "kernel.json"

        def once(*options):
            run(emulator, "simulate", "--for", f"{seconds}s", "--results", results, *options)
            return json.loads(results.read_text())
        profiled = once("--threads", 1, "--profile")
        profile = profiled["profile"]
        one, two = [], []
        for _ in range(max(3, self.runs)):
            one.append(once("--threads", 1))
            two.append(once("--threads", 2))
        point = {"name": name, "seconds": seconds, "tasks": profiled["tasks"], "events": profiled["events"],
                 "rounds": sum(t["rounds"] for t in profile["tasks"]),
                 "messages": sum(c["messages"] for c in profile["channels"]), "cut": least_cut(profile),
                 "event_seconds": statistics.median(r["cpu_seconds"] for r in one) / one[0]["events"],
                 "estimate": next(s["factor"] for s in profile["speed_ups"] if s["processors"] == 2),
                 "wall": [min(r["wall_seconds"] for r in runs) for runs in (one, two)], "idle": IDLE[name]}
        print(json.dumps(point), file=sys.stderr, flush=True)
        return point

    def measure(self):
        sizes = [self.internet(n) for n in SIZES]
        n = SIZES[1]
        return {"load": os.getloadavg()[0], "runs": self.runs, "sizes": sizes,
                "peering": [self.internet(n, peering=p, simulated=False) for p in (0.25, 4)],
                "ends": [self.internet(n, ends=e, flows=FLOWS, simulated=False) for e in (500, 4000)],
                "flows": [self.internet(n, flows=f) for f in (FLOWS, 10 * FLOWS)],
                "kernel": [self.kernel(*k) for k in KERNELS]}


def slope(points, of, by):
    return (of(points[-1]) - of(points[0])) / (by(points[-1]) - by(points[0]))


def units(measured):
    """Seconds and bytes, by unit."""
    sizes, few, many = measured["sizes"], *measured["flows"]
    compiled = lambda key: lambda p: p["compile"][key]
    links = lambda p: p["links"]
    routes = lambda p: p["systems"] * p["ends"]
    of_system = {key: slope(sizes, compiled(key), lambda p: p["systems"]) for key in ("cpu", "memory", "executable")}
    of_system["run memory"] = slope(sizes, lambda p: p["run"]["memory"], lambda p: p["systems"])
    return {"system": of_system,
            "link": {key: slope(measured["peering"], compiled(key), links) for key in ("cpu", "memory", "executable")},
            "route": {key: slope(measured["ends"], compiled(key), routes) for key in ("cpu", "memory", "executable")},
            "flow": {"cpu": slope([few, many], lambda p: p["run"]["cpu"], lambda p: p["flows"]),
                     "run memory": slope([few, many], lambda p: p["run"]["memory"], lambda p: p["flows"]),
                     "events": slope([few, many], lambda p: p["run"]["events"], lambda p: p["flows"])},
            "event": {"cpu": many["run"]["cpu"] / many["run"]["events"]}}
