"""What scale.py measures by units, and what it makes of them: slopes between two sizes."""
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
MILLION = ((1000, "-O2"), (10_000, "-O0"), (60_000, "-O0"))  # ends of a million flows, and the tier


def run(*command):
    """Wall time, processor time (s), and peak resident set (bytes) of a command that must succeed."""
    begin = time.monotonic()
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


class Units:
    def __init__(self, anmlc, runs, folder):
        self.anmlc, self.runs, self.folder = anmlc, runs, pathlib.Path(folder)

    def medians(self, *command):
        return [statistics.median(column) for column in zip(*(run(*command) for _ in range(self.runs)))]

    def compile(self, model, tier):
        emulator = self.folder / "emulator"
        wall, cpu, memory = self.medians(self.anmlc, tier, model, "-o", emulator)
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
                "digest": last["digest"], "packets": last["packets"]["sent"], "lost": last["packets"]["lost"],
                "transfers": {key: last["workloads"][0]["transfers"][key] for key in ("completed", "in_progress", "failed")}}

    def internet(self, systems, ends=ENDS, flows=FLOWS, peering=1.0, simulated=True, tier="-O0"):
        # By a process of its own: a child's peak would count what this one has when it forks.
        model = self.folder / "internet.anml"
        run(sys.executable, HERE / "as_graph.py", systems, "--peering", peering, "--ends", ends, "--flows", flows, "-o", model)
        with open(model.with_suffix(".as-rel.txt")) as lines:
            links = sum(not line.startswith("#") for line in lines)
        emulator, compiled = self.compile(model, tier)
        point = {"systems": systems, "links": links, "ends": ends, "flows": flows, "tier": tier, "compile": compiled}
        if simulated:
            point["run"] = self.simulate(emulator)
        print(json.dumps(point), file=sys.stderr, flush=True)
        return point

    def measure(self):
        sizes = [self.internet(n) for n in SIZES]
        n = SIZES[1]
        return {"load": os.getloadavg()[0], "runs": self.runs, "sizes": sizes,
                "peering": [self.internet(n, peering=p, simulated=False) for p in (0.25, 4)],
                "ends": [self.internet(n, ends=e, flows=FLOWS, simulated=False) for e in (500, 4000)],
                "flows": [self.internet(n, flows=f) for f in (FLOWS, 10 * FLOWS)]}

    def million(self):
        """A million flows in a second between more and more ends of the largest graph."""
        return {"load": os.getloadavg()[0], "runs": self.runs,
                "points": [self.internet(SIZES[-1], ends, 10 ** 6, tier=tier) for ends, tier in MILLION]}


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
