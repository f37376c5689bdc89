"""The tables of docs/scale.md, of what scale_units.py has measured, and the model of the kernel that extrapolates them."""
import dataclasses
import pathlib

from scale_units import units

BEGIN, END = "<!-- made by tests/bench/scale.py: {} -->", "<!-- end -->"
CACHE_LINE = 60e-9        # from one processor to the other, on the idle machine (docs/benchmarks.md)
PACKET = 64 + 40          # bytes of a crossing: the packet's fields, the event's time, stream and sequence


@dataclasses.dataclass
class Network:
    """Between processes on several machines; assumptions, not measured here."""
    latency: float = 2e-6     # s, of a short message
    rate: float = 10e9        # bytes per second and machine
    per_message: float = 100e-9  # s of processor time to pack and unpack a packet


@dataclasses.dataclass
class Load:
    name: str
    events: float        # per simulated second
    crossing: float      # share of the events whose packet goes to another part
    lookahead: float     # s, between parts
    event_seconds: float
    grain: float         # most parts it can be divided into


def seconds(load, processors, network=None, imbalance=1.15):
    """Wall time of a simulated second: work, crossings, and rounds of half a lookahead, each as long as its slowest part
    and one exchange with the neighbours."""
    p = min(processors, load.grain)
    work = load.events * load.event_seconds / p * (imbalance if p > 1 else 1)
    if p == 1:
        return work
    rounds = 2 / load.lookahead
    if network is None:
        return work + load.events * load.crossing * CACHE_LINE / p + rounds * 2 * CACHE_LINE
    across = load.events * load.crossing / p
    return work + across * (network.per_message + PACKET / network.rate) + rounds * network.latency


def kernel_gain(k):
    """Of two threads by the closed form, from what --profile counted: the parts are those of the partition."""
    work = k["events"] * k["event_seconds"]
    rounds = k["rounds"] / k["tasks"]
    two = work / k["estimate"] + k["cut"] * CACHE_LINE / 2 + rounds * 2 * CACHE_LINE
    return work / two


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)] + ["| " + " | ".join(r) + " |" for r in rows])


def bytes_(n):
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{n:.3g} B"


def time_(t):
    for unit, size in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if t >= size * (3 if unit in ("h", "min") else 1):
            return f"{t / size:.3g} {unit}"
    return f"{t / 1e-9:.3g} ns"


def sizes(measured):
    rows = []
    for p in measured["sizes"]:
        c, r = p["compile"], p["run"]
        rows.append([f"{p['systems']}", f"{p['links']}", time_(c["cpu"]), time_(c["wall"]), bytes_(c["memory"]), bytes_(c["executable"]),
                     time_(r["cpu"]), bytes_(r["memory"]), f"{r['hops'] / r['cpu'] / 1e6:.2f} M"])
    return table(["systems", "links", "compile, processor", "wall", "memory", "executable", "run, processor", "memory",
                  "packet-hops per processor second"], rows)


def per_unit(measured):
    u = units(measured)
    s, l, r, f = u["system"], u["link"], u["route"], u["flow"]
    return table(["one more", "compile, processor", "compile, memory", "executable", "run"], [
        ["system, with its links", time_(s["cpu"]), bytes_(s["memory"]), bytes_(s["executable"]), bytes_(s["run memory"])],
        ["link", time_(l["cpu"]), bytes_(l["memory"]), bytes_(l["executable"]), ""],
        ["route: a pair of system and destination", time_(r["cpu"]), bytes_(r["memory"]), bytes_(r["executable"]), ""],
        ["flow of 1 KB", "", "", "", f"{time_(f['cpu'])}, {f['events']:.1f} events, {bytes_(f['run memory'])}"],
        ["event", "", "", "", time_(u["event"]["cpu"])]])


def check(measured):
    rows = []
    for k in measured["kernel"]:
        rows.append([k["name"], f"{k['tasks']}", f"{k['events'] / k['rounds']:.0f}", f"{k['cut'] / k['events']:.0%}", f"{k['estimate']:.2f}",
                     f"{kernel_gain(k):.2f}", f"{k['idle']:.2f}", f"{kernel_gain(k) / k['idle'] - 1:+.0%}", f"{k['wall'][0] / k['wall'][1]:.2f}"])
    return table(["workload", "tasks", "events of a round", "crossing", "`--profile`", "model", "measured, idle", "model off by",
                  "in this run"], rows)


def plans(measured):
    """Models of three sizes. Traffic is as in the measured one: short flows of TCP."""
    u = units(measured)
    flow_events = u["flow"]["events"]
    # Of the million flows of docs/scale.md: tables and state grow beyond the caches, which slopes do not know.
    all_event, some_event = 1.21e-6, 1.02e-6  # s, with 60 000 and 10 000 destinations
    s, l, r = u["system"], u["link"], u["route"]
    all_to_all = 0.85
    return [
        ("100 000 autonomous systems, routes between all, 10^7 flows/s",
         1e5 * s["memory"] + all_to_all * 1e10 * r["memory"], 1e5 * s["executable"] + all_to_all * 1e10 * r["executable"],
         1e5 * s["cpu"] + all_to_all * 1e10 * r["cpu"], Load("as", 1e7 * flow_events, 0.4, 5e-3, all_event, 1000)),
        ("a million routers, routes to 10 000 of them, 10^7 flows/s",
         1e6 * s["memory"] + 1e10 * r["memory"], 1e6 * s["executable"] + 1e10 * r["executable"],
         1e6 * s["cpu"] + 1e10 * r["cpu"], Load("routers", 1e7 * flow_events, 0.4, 1e-3, some_event, 10_000)),
        ("a billion clients at 100 000 routers, 10^7 of them active, a flow each in 10 s",
         1e5 * s["memory"] + 1e9 * r["memory"] + 1e9 * 0.05, 1e5 * s["executable"] + 1e9 * r["executable"],
         1e5 * s["cpu"] + 1e9 * r["cpu"], Load("clients", 1e6 * flow_events, 0.4, 1e-3, some_event, 10_000))]


def plan(measured):
    rows = []
    for name, memory, executable, cpu, load in plans(measured):
        rows.append([name, time_(cpu), bytes_(memory), bytes_(executable), f"{load.events:.2g}", time_(seconds(load, 1)),
                     *[time_(seconds(load, p, Network())) for p in (16, 256)]])
    return table(["model", "compile, processor", "memory", "executable", "events per simulated second", "a simulated second on 1 processor", "16 ranks",
                  "256 ranks"], rows)


def write(measured, page, only_check):
    page = pathlib.Path(page)
    old = text = page.read_text()
    for name, make in (("sizes", sizes), ("units", per_unit), ("kernel", check), ("plan", plan)):
        begin = text.index(BEGIN.format(name)) + len(BEGIN.format(name))
        text = text[:begin] + "\n" + make(measured) + "\n" + text[text.index(END, begin):]
    if only_check:
        return None if text == old else f"{page}: its tables are not those of scale.json; scale.py --page writes them"
    page.write_text(text)
    return None
