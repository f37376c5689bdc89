"""What the examples that run experiments with real servers share: the servers, started as an ordinary user in a sandbox, the runs, and their results by settings."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys

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
OF_2001 = """cd /proc/sys/net
echo reno > ipv4/tcp_congestion_control
echo 65536 > core/somaxconn
echo 4096 600000 600000 > ipv4/tcp_wmem
echo 4096 600000 600000 > ipv4/tcp_rmem
cd - > /dev/null
""" + routes("initcwnd 2 quickack 1")


def fail(message):
    sys.exit(f"error: {message}")


def needs(program, package):
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    shutil.which(program) or fail(f"no {program} here: apt-get install {package}")


def compiler():
    built = pathlib.Path(os.environ.get("ANMLC", ROOT / "build/release/bin/anmlc"))
    found = built if built.exists() else shutil.which("anmlc")
    return str(found or fail("no anmlc: scripts/demo builds it, ANMLC names another"))


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


def apache(work, name, kind="prefork", processes=256, backlog=511, service=None, **options):
    """Apache. With `service`, the variables of etc/service.lua, it is a slow one on the first processor."""
    command = f"apache2 -d . -f {ETC}/apache.conf -D {kind} {'-D service' if service else ''} -D FOREGROUND"
    server(work, name, command, pinned=bool(service), PROCESSES=processes, BACKLOG=backlog, **({"SERVICE_LUA": ETC / "service.lua"} | service if service else {}), **options)


def nginx(work, name, **options):
    server(work, name, f"nginx -p . -e error.log -c {ETC}/nginx.conf", **options)


def experiment(anmlc, work, file, name, out, *options):
    """Runs it, away from the first processor where there are others. The folder of its runs."""
    away = ["taskset", "-c", ",".join(map(str, PROCESSORS[1:]))] if len(PROCESSORS) > 1 else []
    done = subprocess.run([*away, anmlc, "experiment", "-O0", *options, file, name, "-o", out / name], cwd=work, stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 99):
        sys.exit(done.returncode)
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
    return [(dict(zip(factors, levels)), results) for levels, results in found.items()]


def mean(results, value):
    return sum(map(value, results)) / len(results)


def not_valid(results):
    return f"{sum(result['verdict'] == 'not valid' for result in results)} of {len(results)}"


def table(title, columns, rows):
    return "\n".join([f"### {title}", "", "| " + " | ".join(columns) + " |", "| --- " * len(columns) + "|",
                      *("| " + " | ".join(map(str, row)) + " |" for row in rows)]) + "\n"
