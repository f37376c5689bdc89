"""The tables of docs/scale.md, of what scale_units.py and scale_kernel.py have measured, and the model of the kernel that
extrapolates them."""
import dataclasses
import pathlib

from scale_units import slope, units

BEGIN, END = "<!-- made by tests/bench/scale.py: {} -->", "<!-- end -->"
PACKET = 64 + 40          # bytes of a crossing: the packet's fields, the event's time, stream and sequence


@dataclasses.dataclass
class Network:
    """Between processes on several machines; assumptions, not measured here."""
    latency: float = 2e-6     # s, of a short message
    rate: float = 10e9        # bytes per second and machine
    per_message: float = 100e-9  # s of processor time to pack and unpack a packet

    def crossing(self):
        return self.per_message + PACKET / self.rate


@dataclasses.dataclass
class Load:
    name: str
    events: float        # per simulated second
    crossing: float      # share of the events whose packet goes to another part
    lookahead: float     # s, between parts
    event_seconds: float
    grain: float         # most parts it can be divided into


def seconds(load, processors, network, imbalance=1.15):
    """Wall time of a simulated second: work, crossings, and rounds of half a lookahead, each as long as its slowest part
    and one exchange with the neighbours."""
    p = min(processors, load.grain)
    work = load.events * load.event_seconds / p * (imbalance if p > 1 else 1)
    if p == 1:
        return work
    across = load.events * load.crossing / p
    return work + across * network.crossing() + 2 / load.lookahead * network.latency


def kernel_gain(k, crossing, round_):
    """Of two parts by the closed form, from what --profile counted: the parts are those of the partition. Seconds of what
    crosses, and of a round's exchange."""
    work = k["events"] * k["event_seconds"]
    return work / (work / k["estimate"] + k["cut"] * crossing / 2 + k["rounds"] / k["tasks"] * round_)


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


def million(measured):
    rows = []
    for p in measured["million"]["points"]:
        c, r, tier = p["compile"], p["run"], "" if p["tier"] == "-O0" else f" (`{p['tier']}`)"
        rows.append([f"{p['ends']}{tier}", time_(c["cpu"]), time_(c["wall"]), bytes_(c["memory"]), bytes_(c["executable"]),
                     *[f"{r['transfers'][key]}" for key in ("completed", "in_progress", "failed")], f"{r['lost']}", time_(r["cpu"]),
                     bytes_(r["memory"]), f"{r['hops'] / r['cpu'] / 1e6:.2f} M"])
    return table(["ends", "compile, processor", "wall", "memory", "executable", "flows completed", "open at the end", "failed", "packets lost",
                  "run, processor", "memory", "packet-hops per processor second"], rows)


def check(measured):
    apart = lambda said, is_: f"{said:.2f}, {said / is_ - 1:+.0%}"
    rows = []
    for k in measured["kernel"]:
        line, here = k["cache_line"], Network(latency=k["message"])
        rows.append([k["name"], f"{k['tasks']}", f"{k['events'] / k['rounds']:.0f}", f"{k['cut'] / k['events']:.0%}",
                     f"{line * 1e9:.0f} ns", f"{k['threads']:.2f}", apart(k["estimate"], k["threads"]),
                     apart(kernel_gain(k, line, 2 * line), k["threads"]), f"{here.latency * 1e9:.0f} ns", f"{k['ranks']:.2f}",
                     apart(k["estimate"], k["ranks"]), apart(kernel_gain(k, here.crossing(), here.latency), k["ranks"])])
    return table(["workload", "tasks", "events of a round", "crossing", "cache line", "2 threads", "`--profile`", "model", "message", "2 ranks",
                  "`--profile`", "model"], rows)


def plans(measured):
    """Models of three sizes. Traffic is as in the measured one: short flows of TCP."""
    u = units(measured)
    flow_events = u["flow"]["events"]
    # Of the million flows, with most and with 10 000 destinations: tables and state are beyond the caches, which slopes do
    # not know.
    _, some, most = measured["million"]["points"]
    some_event, all_event = (p["run"]["cpu"] / p["run"]["events"] for p in (some, most))
    # With few destinations other stages have the compiler's peak.
    route_memory = slope([some, most], lambda p: p["compile"]["memory"], lambda p: p["systems"] * p["ends"])
    s, l, r = u["system"], u["link"], u["route"]
    all_to_all = 0.85
    return [
        ("100 000 autonomous systems, routes between all, 10^7 flows/s",
         1e5 * s["memory"] + all_to_all * 1e10 * route_memory, 1e5 * s["executable"] + all_to_all * 1e10 * r["executable"],
         1e5 * s["cpu"] + all_to_all * 1e10 * r["cpu"], Load("as", 1e7 * flow_events, 0.4, 5e-3, all_event, 1000)),
        ("a million routers, routes to 10 000 of them, 10^7 flows/s",
         1e6 * s["memory"] + 1e10 * route_memory, 1e6 * s["executable"] + 1e10 * r["executable"],
         1e6 * s["cpu"] + 1e10 * r["cpu"], Load("routers", 1e7 * flow_events, 0.4, 1e-3, some_event, 10_000)),
        ("a billion clients at 100 000 routers, 10^7 of them active, a flow each in 10 s",
         1e5 * s["memory"] + 1e9 * route_memory + 1e9 * 0.05, 1e5 * s["executable"] + 1e9 * r["executable"],
         1e5 * s["cpu"] + 1e9 * r["cpu"], Load("clients", 1e6 * flow_events, 0.4, 1e-3, some_event, 10_000))]


def plan(measured):
    rows = []
    for name, memory, executable, cpu, load in plans(measured):
        rows.append([name, time_(cpu), bytes_(memory), bytes_(executable), f"{load.events:.2g}", time_(seconds(load, 1, Network())),
                     *[time_(seconds(load, p, Network())) for p in (16, 256)]])
    return table(["model", "compile, processor", "memory", "executable", "events per simulated second", "a simulated second on 1 processor", "16 ranks",
                  "256 ranks"], rows)


def write(measured, page, only_check):
    page = pathlib.Path(page)
    old = text = page.read_text()
    for name, make in (("sizes", sizes), ("million", million), ("units", per_unit), ("kernel", check), ("plan", plan)):
        begin = text.index(BEGIN.format(name)) + len(BEGIN.format(name))
        text = text[:begin] + "\n" + make(measured) + "\n" + text[text.index(END, begin):]
    if only_check:
        return None if text == old else f"{page}: its tables are not those of scale.json; scale.py --page writes them"
    page.write_text(text)
    return None
