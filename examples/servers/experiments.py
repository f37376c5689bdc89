"""What the examples that repeat experiments of documents share: real servers, started as an ordinary user in a sandbox, the runs, their results by settings, and tables
and pictures with what the documents say beside them."""
import argparse
import csv
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import typing

import svg

ETC = pathlib.Path(__file__).resolve().parent / "etc"
ROOT = ETC.parents[2]
PROCESSORS = sorted(os.sched_getaffinity(0))
# Servers refuse to be root, or change their user: inside the sandbox it is an ordinary one, which may listen on port 80.
START = """echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
{before}
exec {pin} unshare --map-user=1000 --map-group=1000 {variables} {command}
"""


def routes(options):
    """For `before`: what the server's TCP knows of its routes."""
    return f"ip route show | while read -r route; do ip route change $route {options}; done"


# For `before`: of the years in which the papers were written, Reno and an initial window of two segments. IP-TNE's server had a listen queue of 65536,
# buffers of 600 000 bytes and no delayed acknowledgments, too.
def of_2001(window=2, buffer=600000):
    return f"""cd /proc/sys/net
echo reno > ipv4/tcp_congestion_control
echo 65536 > core/somaxconn
echo 4096 {buffer} {buffer} > ipv4/tcp_wmem
echo 4096 600000 600000 > ipv4/tcp_rmem
cd - > /dev/null
""" + routes(f"initcwnd {window} quickack 1")


# For `before`: documents are on the disk alone, as far as this machine has one.
FROM_DISK = """python3 - <<'END'
import os, pathlib
for path in pathlib.Path("www").rglob("*"):
    if path.is_file():
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
END"""


def fail(message):
    sys.exit(f"error: {message}")


def needs(program, package):
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    shutil.which(program) or fail(f"no {program} here: apt-get install {package}")


def compiler():
    built = pathlib.Path(os.environ.get("ANMLC", ROOT / "build/release/bin/anmlc"))
    found = built if built.exists() else shutil.which("anmlc")
    return os.path.abspath(found or fail("no anmlc: scripts/demo builds it, ANMLC names another"))


def documents(anmlc, work, file, *defines):
    """Writes what the model's clients ask for to `work/www`."""
    emulator = work / "emu"
    subprocess.run([anmlc, file, "-O0", *(word for define in defines for word in ("-D", define)), "-o", emulator], check=True)
    subprocess.run([emulator, "info", "--documents", work / "www"], check=True, stdout=subprocess.DEVNULL)


def server(work, name, command, before="", pinned=False, **variables):
    """`exec sh ./NAME` in `work` starts it; pinned: on the first processor, which nobody else then has."""
    pin = f"taskset -c {PROCESSORS[0]}" if pinned and len(PROCESSORS) > 1 else ""
    given = "env " + " ".join(f"{key}={value}" for key, value in variables.items()) if variables else ""
    (work / name).write_text(START.format(before=before, pin=pin, variables=given, command=command))


def apache(work, name, kind="prefork", processes=256, backlog=511, service=None, pinned=False, **options):
    """Apache. With `service`, the variables of etc/service.lua, it is a slow one on the first processor."""
    command = f"apache2 -d . -f {ETC}/apache.conf -D {kind} {'-D service' if service else ''} -D FOREGROUND"
    server(work, name, command, pinned=pinned or bool(service), PROCESSES=processes, BACKLOG=backlog, **({"SERVICE_LUA": ETC / "service.lua"} | service if service else {}), **options)


def node(work, name, **options):
    server(work, name, f"node {ETC}/node.js", PORT=80, **options)


def nginx(work, name, workers="auto", **options):
    conf = work / f"nginx-{workers}.conf"
    conf.write_text((ETC / "nginx.conf").read_text().replace("worker_processes auto", f"worker_processes {workers}"))
    server(work, name, f"nginx -p . -e error.log -c {conf}", **options)


def experiment(anmlc, work, file, name, out, *options, live=False):
    """Runs it; live away from the first processor, where there are others. The folder of its runs."""
    away = ["taskset", "-c", ",".join(map(str, PROCESSORS[1:]))] if live and len(PROCESSORS) > 1 else []
    process = subprocess.Popen([*away, anmlc, "experiment", "-O0", *options, file, name, "-o", out / name], cwd=work, stdout=subprocess.DEVNULL)
    try:
        status = process.wait()
    finally:  # whoever ends this ends the runs, too
        process.terminate()
        process.wait()
    if status not in (0, 99):
        sys.exit(status)
    return out / name


def points(folder):
    """Of each combination of levels: the levels by factor, and the results of its runs."""
    factors = [factor["name"] for factor in json.loads((folder / "experiment.json").read_text())["factors"]]
    found = {}
    for row in csv.DictReader((folder / "runs.csv").read_text().splitlines()):
        levels = tuple(row[name] for name in factors)
        run, = (manifest.parent for manifest in (folder / "runs").glob("*/manifest.json")
                if (settings := json.loads(manifest.read_text()))["repetition"] == int(row["repetition"])
                and tuple(settings["settings"][name] for name in factors) == levels)
        found.setdefault(levels, []).append(json.loads((run / "results.json").read_text()))
    order = [[level if isinstance(level, str) else level["name"] for level in factor["levels"]] for factor in json.loads((folder / "experiment.json").read_text())["factors"]]
    there = sorted(found, key=lambda levels: [of.index(level) for of, level in zip(order, levels)])  # runs end in any order
    return [(dict(zip(factors, levels)), found[levels]) for levels in there]


def mean(results, value):
    return sum(map(value, results)) / len(results)


def not_valid(results):
    return f"{sum(result['verdict'] == 'not valid' for result in results)} of {len(results)}"


def table(title, columns, rows):
    return "\n".join([f"### {title}", "", "| " + " | ".join(columns) + " |", "| --- " * len(columns) + "|",
                      *("| " + " | ".join(map(str, row)) + " |" for row in rows)]) + "\n"


def rate(results):
    return mean(results, lambda r: r["transactions"]["per_second"])


def mbps(results):
    return mean(results, lambda r: r["throughput_bps"]) / 1e6


def ended(results):
    return mean(results, lambda r: r["transactions"]["completed"] + r["transactions"]["failed"])


def failed_percent(results):
    return 100 * mean(results, lambda r: r["transactions"]["failed"]) / max(ended(results), 1)


def phase_ms(phase, workload=0):
    """Mean of `connect`, `answer` (from the request to the first byte) or `receive` (from there to the last)."""
    return lambda results: 1e3 * mean(results, lambda r: r["workloads"][workload]["phase_seconds"][phase] or 0)


@dataclasses.dataclass
class Figure:
    """A figure or table of a document: one value of the runs of some experiments with the same factors, over the last factor that varies, with a column for each level
    of the others; in brackets what the document has, by levels. With `axes` a picture of it, ours as lines and theirs as points."""
    title: str
    experiments: typing.Sequence[str]
    value: typing.Callable
    theirs: dict = dataclasses.field(default_factory=dict)
    digits: int = 4
    axes: typing.Optional[typing.Tuple[str, str]] = None
    names: dict = dataclasses.field(default_factory=dict)  # of levels, where they are long
    over: typing.Optional[typing.Callable] = None  # of the runs: what stands at the picture's x in place of the level

    def matrix(self, found):
        """The factors that vary, their rows and columns, and the values by levels."""
        factors = [name for name in found[0][0] if len({levels[name] for levels, _ in found}) > 1] or [list(found[0][0])[-1]]
        values = {tuple(levels[name] for name in factors): self.value(results) for levels, results in found}
        rows = sorted(dict.fromkeys(levels[-1] for levels in values), key=lambda level: 0 if level in self.names else number(level))
        return factors, rows, list(dict.fromkeys(levels[:-1] for levels in values)), values

    def cell(self, levels, values):
        if levels not in values:
            return ""
        return f"{values[levels]:.{self.digits}g}" + (f" ({self.theirs[levels]:.{self.digits}g})" if levels in self.theirs else "")

    def table(self, found):
        factors, rows, columns, values = self.matrix(found)
        heads = [", ".join(self.names.get(level, f"{name} = {level}") for name, level in zip(factors, column)) or "here" for column in columns]
        return table(self.title, [factors[-1], *heads], [(self.names.get(row, row), *(self.cell((*column, row), values) for column in columns)) for row in rows])

    def picture(self, found, path):
        factors, rows, columns, values = self.matrix(found)
        places = {tuple(levels[name] for name in factors): self.over(results) for levels, results in found} if self.over else {levels: number(levels[-1]) for levels in values}
        places |= {levels: number(levels[-1]) for levels in self.theirs if levels not in places}
        xs = list(places.values())
        top = 1.08 * max([*values.values(), *self.theirs.values()])
        title = f"{self.title}, over {self.axes[0]}" + (" (points: theirs)" if self.theirs else "")
        plot = svg.Plot(title, (min(xs) / 1.2, 1.2 * max(xs)), (0, top), "", self.axes[1], log_x=True)
        ticks = rows if not self.over else [str(10 ** k * i) for k in range(6) for i in (1, 2, 5) if min(xs) / 1.2 < 10 ** k * i < 1.2 * max(xs)]
        plot.x_ticks([(number(tick), tick) for tick in ticks])
        step = 10 ** len(str(int(top / 4))) / 10 or 1
        step *= max(1, int(top / 4 / step))
        plot.y_ticks([(k * step, f"{k * step:g}") for k in range(int(top / step) + 1)])
        for i, column in enumerate(columns):
            series = i % len(svg.COLOURS)
            name = ", ".join(self.names.get(level, level if len(column) > 1 else f"{factor} = {level}") for factor, level in zip(factors, column))
            plot.line([(places[*column, row], values[*column, row]) for row in rows if (*column, row) in values], series, name)
            plot.points([(places[*column, row], self.theirs[*column, row]) for row in rows if (*column, row) in self.theirs], series)
        plot.write(path)


def number(level):
    """The first number of a level, of what the unit makes of it: 64 Kbps is less than 1 Mbps."""
    found = re.search(r"(\d+(?:\.\d+)?) ?(ms|us|[KMG])?", level)
    return float(found[1]) * {None: 1, "ms": 1e-3, "us": 1e-6, "K": 1e3, "M": 1e6, "G": 1e9}[found[2]] if found else 0.0


class Tables:
    """What a `run` prints, and writes: `figures.md` in its folder, with --write the tables and pictures of the README beside it, too."""

    def __init__(self, here, given):
        self.here, self.given, self.tables, self.pictures = here, given, [], []
        given.out.mkdir(parents=True, exist_ok=True)

    def add(self, text):
        self.tables.append(text)
        print(text, flush=True)

    def figure(self, figure, found):
        self.add(figure.table(found))
        if figure.axes:
            name = re.sub(r"\W+", "-", figure.title.partition(":")[0].lower()) + ".svg"
            figure.picture(found, self.given.out / "pictures" / name)
            self.pictures.append(name)

    def end(self):
        (self.given.out / "figures.md").write_text("\n".join(self.tables))
        print(f"{self.given.out}/figures.md")
        if not self.given.write:
            return
        readme = self.here / "README.md"
        text = readme.read_text()
        for block in self.tables:
            head = block.partition("\n")[0]
            place = re.search(rf"^{re.escape(head)}\n\n(\|.*\n)*", text, re.M)
            text = text[:place.start()] + block + text[place.end():] if place else fail(f"README.md has no place for {head!r}")
        readme.write_text(text)
        for name in self.pictures:
            (self.here / "pictures").mkdir(exist_ok=True)
            shutil.copy(self.given.out / "pictures" / name, self.here / "pictures" / name)


def arguments(doc, here, simulated, live, *options):
    """Of a `run`: which experiments, by the files of the simulated and of the live ones; `options` of live runs, as add_argument has them."""
    parser = argparse.ArgumentParser(description=doc)
    parser.set_defaults(live=False)
    if live:
        parser.add_argument("--live", action="store_true", help="with real servers in a sandbox; without it simulated")
    parser.add_argument("--write", action="store_true", help="put tables and pictures into README.md, too")
    parser.add_argument("-o", dest="out", type=pathlib.Path, help=f"the folder of the runs (build/{here.name}{', live with -live' if live else ''})")
    for name, option in options:
        parser.add_argument(name, **option)
    parser.add_argument("experiment", nargs="*", help="all, if none is named")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    known = live if given.live else simulated
    for name in given.experiment:
        if name not in known:
            parser.error(f"no {'live' if given.live else 'simulated'} experiment is called {name}: {', '.join(known)}")
    for name, option in options:
        given_value = getattr(given, name.lstrip("-").replace("-", "_"))
        if not given.live and given_value != option.get("default", False):
            parser.error(f"{name} is for --live")
    given.experiment = given.experiment or list(known)
    given.out = (given.out or ROOT / f"build/{here.name}{'-live' if given.live else ''}").resolve()
    return given


def simulate(here, given, files, figures):
    """Runs simulated experiments, each in one of the files, and shows the figures that are made of those that were named."""
    tables, anmlc, found = Tables(here, given), compiler(), {}
    for figure in figures:
        if not set(figure.experiments) <= set(given.experiment):
            continue
        for name in figure.experiments:
            if name not in found:
                found[name] = points(experiment(anmlc, given.out, here / files[name], name, given.out))
        tables.figure(figure, [point for name in figure.experiments for point in found[name]])
    return tables
