"""Cases of which a formula says what comes out: queues, window laws under losses, RED and CoDel. Each is a model, what is read of its results, and the formula."""
import concurrent.futures
import dataclasses
import json
import math
import pathlib
import statistics
import tempfile

from dumbbells import run

T95 = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 8: 2.365, 10: 2.262}  # of Student, two-sided, by runs

# Datagrams that come as a Poisson process: each burst has one, and exponential pauses lie between. The link to the router takes no time.
QUEUE = """
import std.traffic
model Queue {{
  host a
  router r {{ {router} }}
  host b
  link a -- r {{ rate = 1000 Tbps, queue = droptail(1 TB) }}
  link line: r -- b {{ rate = {rate}, queue = droptail(1 TB) }}
  workload w : traffic.OnOff on a {{ to = b, payload = 97 B, interval = 1 ns, burst = 1 ns, pause = exponential({pause} us) }}
  run {{ duration = {seconds} s, warmup = 2 s }}
}}
"""
SERVICE = 1e-3  # s, 125 B at 1 Mbps

WINDOW = """
import std.loss
import std.tcp
import std.traffic
profile law : Tcp {{
  congestion = {law}, delayed_ack = 0 s, quick_acks = 0, segment = 1460 B, timestamps = false, adaptive = false, receive_buffer = 1 GB, send_buffer = 1 GB
}}
model Window {{
  host a {{ tcp = law }}
  router r
  host b {{ tcp = law }}
  link a -- r {{ rate = 100 Gbps, delay = {delay} us, up {{ loss = {loss} }} }}
  link r -- b {{ rate = 100 Gbps }}
  workload w : traffic.Bulk on a {{ to = b }}
  run {{ duration = {seconds} s, warmup = {warmup} s }}
}}
"""

OVERLOAD = """
import std.queue
import std.traffic
model Overload {{
  host a
  router r
  host b
  link a -- r {{ rate = 1 Gbps }}
  link line: r -- b {{ rate = 10 Mbps, queue = {queue} }}
  workload w : traffic.{workload} on a {{ to = b, payload = 1222 B, {load} }}
  run {{ duration = {seconds} s, warmup = {warmup} s }}
}}
"""
PACKET = 1e-3  # s, 1250 B at 10 Mbps


@dataclasses.dataclass
class Case:
    group: str
    name: str
    source: str  # of the formula
    unit: str
    model: str
    read: object  # of results, the figure
    formula: float
    limit: float  # that the mean may be off by, where that is more than the interval of 95 %; a share
    quick: bool = False


def waits(rho):
    return f"{SERVICE / rho * 1e6:.6f}"


def mg1(rho, variation):
    """Mean sojourn, by Pollaczek and Khinchine; `variation`: the square of the service's coefficient."""
    return SERVICE * (1 + rho * (1 + variation) / (2 * (1 - rho)))


def md1_sojourn(rho, share):
    """Which sojourn time a share of the customers of M/D/1 does not exceed (Erlang, 1909)."""
    def below(t):
        wait, total = t / SERVICE - 1, 0.0
        if wait < 0:
            return 0.0
        for j in range(int(wait) + 1):
            x = rho * (j - wait)
            total += math.exp(-x) * x**j / math.factorial(j)
        return (1 - rho) * total
    low, high = SERVICE, 40 * SERVICE
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < share else (low, middle)
    return high


def queues(seconds):
    delay = lambda key: lambda results: results["workloads"][0]["delay_seconds"][key] * 1e3
    for rho in (0.3, 0.5, 0.7, 0.8):
        exponential = QUEUE.format(router="processing = processing(service = exponential(1 ms), packets = 10000000)", rate="1000 Tbps", pause=waits(rho), seconds=seconds)
        fixed = QUEUE.format(router="", rate="1 Mbps", pause=waits(rho), seconds=seconds)
        yield Case("M/M/1", f"load {rho}, mean", "1 / (mu - lambda)", "ms", exponential, delay("mean"), mg1(rho, 1) * 1e3, 0.01, rho == 0.7)
        for share, key in ((0.5, "median"), (0.95, "p95"), (0.99, "p99")):
            if rho == 0.7:
                yield Case("M/M/1", f"load {rho}, {key}", "exponential, of that mean", "ms", exponential, delay(key), -math.log(1 - share) * mg1(rho, 1) * 1e3, 0.015, True)
        yield Case("M/D/1", f"load {rho}, mean", "Pollaczek and Khinchine", "ms", fixed, delay("mean"), mg1(rho, 0) * 1e3, 0.01, rho == 0.7)
        for share, key in ((0.5, "median"), (0.95, "p95"), (0.99, "p99")):
            if rho == 0.7:
                yield Case("M/D/1", f"load {rho}, {key}", "Erlang, 1909", "ms", fixed, delay(key), md1_sojourn(rho, share) * 1e3, 0.015, True)


def padhye(p, rtt, timeout):
    """Segments per second, each acknowledged (b = 1): Padhye, Firoiu, Towsley and Kurose, SIGCOMM 1998, eq. 30."""
    return 1 / (rtt * math.sqrt(2 * p / 3) + timeout * min(1, 3 * math.sqrt(3 * p / 8)) * p * (1 + 32 * p * p))


def scalable_iterated(p, cycles=200):
    """Mean window of Scalable TCP where each (1 / p)-th segment is lost, from loss to loss, with a round trip in which the loss is not yet known and one of recovery: a hundredth more in a round trip, below a window of 100 a segment (as Linux and
    ns-3 have it, for no slower a growth than Reno's), and seven eighths behind a loss."""
    begin, sent_of_all, trips_of_all = 70.0, 0.0, 0.0
    for cycle in range(cycles):
        window, sent, trips = begin, begin, 0.0
        while sent < 1 / p:
            sent += window / 20
            window += max(window / 100, 1) / 20
            trips += 1 / 20
        window += max(window / 100, 1)
        if cycle >= cycles / 2:
            sent_of_all, trips_of_all = sent_of_all + 1 / p, trips_of_all + trips + 2
        begin = window * 7 / 8
    return sent_of_all / trips_of_all


def windows(seconds):
    segments = lambda rtt: lambda results: results["workloads"][0]["goodput_bps"] / 8 / 1460 * rtt
    rtt = 0.1

    def model(law, loss, scale=1):
        return WINDOW.format(law=law, loss=loss, delay=int(rtt / 2 * 1e6), seconds=int(seconds * scale), warmup=int(seconds * scale / 5))

    for p in (1e-4, 1e-3, 1e-2):
        every = f"loss.periodic({round(1 / p)})"
        # The formula leaves out the round trip of recovery, one in nine of the last.
        yield Case("NewReno", f"each {round(1 / p)}th lost", "sqrt(3 / 2p), Mathis and others, 1997", "segments", model("newreno", every), segments(rtt), math.sqrt(1.5 / p),
                   0.15 if p == 1e-2 else 0.05, p == 1e-3)
    for p in (1e-4, 1e-3, 0.005, 0.01, 0.02, 0.05):
        yield Case("NewReno", f"{p:.2%} lost", "Padhye and others, 1998, eq. 30", "segments", model("newreno", f"{p:.10f}", 2), segments(rtt), padhye(p, rtt, 0.3) * rtt, 0.15, p == 0.01)
    for p in (1e-5, 1e-4, 1e-3):
        cubic, every = (0.4 * 3.7 / (4 * 0.3)) ** 0.25 * rtt**0.75 / p**0.75, f"loss.periodic({round(1 / p)})"
        text = model("cubic", every, 4 if p == 1e-5 else 1)
        if p < 1e-3:
            yield Case("CUBIC", f"each {round(1 / p)}th lost", "RFC 9438, eq. 5", "segments", text, segments(rtt), cubic, 0.25, p == 1e-4)
        else:
            yield Case("CUBIC", f"each {round(1 / p)}th lost", "as NewReno, RFC 9438, 4.3", "segments", text, segments(rtt), math.sqrt(1.5 / p), 0.2)
    for p in (1e-4, 1e-3):
        yield Case("Scalable", f"each {round(1 / p)}th lost", "Kelly, 2003, from loss to loss", "segments", model("scalable", f"loss.periodic({round(1 / p)})"), segments(rtt), scalable_iterated(p), 0.05, p == 1e-3)


def red(seconds):
    """Of a load beyond the rate the share that is too much is dropped; the average queue is where RED drops so many. Of the packets from a drop to the next each
    number from 1 to 1 / p_b - 1 is as likely (Floyd and Jacobson, 1993, 4): twice p_b is dropped."""
    for excess, most in ((0.05, 0.1), (0.1, 0.1), (0.1, 0.15)):
        dropped = 1 - 1 / (1 + excess)
        average = 50 + (150 - 50) * dropped / 2 / most  # packets, what is left of the one in transmission included
        queue = f"queue.red(1 MB, minimum_threshold = 50 * 1250 B, maximum_threshold = 150 * 1250 B, max_probability = {most}, weight = 0.002)"
        model = OVERLOAD.format(queue=queue, workload="OnOff", load=f"interval = 1 ns, burst = 1 ns, pause = exponential({1000 / (1 + excess):.3f} us)", seconds=seconds, warmup=20)
        # Who is admitted waits for what is there, and is transmitted then.
        yield Case("RED", f"{excess:.0%} too much, max_p {most}", "Floyd and Jacobson, 1993, 4", "ms", model, lambda results: results["workloads"][0]["delay_seconds"]["mean"] * 1e3,
                   (average + 1) * PACKET * 1e3 + 0.01, 0.03, excess == 0.05 and most == 0.1)
        yield Case("RED", f"{excess:.0%} too much, max_p {most}", "what is too much", "% dropped", model, lambda results: results["workloads"][0]["datagrams"]["lost_share"] * 100, dropped * 100, 0.03)


def codel():
    """Of a load that is too much CoDel drops one, and the n-th behind the interval over the root of n (RFC 8289, 5.3): so many in the time from the first."""
    for seconds in (1, 2, 4):
        interval = 0.1
        # The first packets that wait for 5 ms come when 2.5 times as many have come as leave; from then on an interval goes by.
        begin = 0.005 / 0.5 + interval
        passed, n = 0.0, 0
        while passed <= seconds - begin:
            n += 1
            passed += interval / math.sqrt(n)
        model = OVERLOAD.format(queue="queue.codel(100 MB)", workload="Cbr", load=f"interval = {1000 / 1.5:.3f} us, start_spread = 0 s", seconds=seconds, warmup=0)
        yield Case("CoDel", f"half as much again, {seconds} s", "interval / sqrt(n), RFC 8289, 5.3", "drops", model, lambda results: results["packets"]["dropped"]["queue"], n, 0.005 + 1 / n, seconds == 2)


def cases(quick):
    all_of = [*queues(200 if quick else 1000), *windows(200 if quick else 1000), *red(100 if quick else 400), *codel()]
    return [case for case in all_of if case.quick or not quick]


def measure(anmlc, models, seeds, jobs):
    """Results of each model by its text, one for each seed."""
    def results(text):
        with tempfile.TemporaryDirectory(prefix="anml-theory-") as scratch:
            folder = pathlib.Path(scratch)
            (folder / "model.anml").write_text(text)
            run(anmlc, "-O0", folder / "model.anml", "-o", folder / "model")
            found = []
            for seed in range(1, seeds + 1):
                run(folder / "model", "simulate", "--threads", 1, "--seed", seed, "--results", folder / "results.json")
                found.append(json.loads((folder / "results.json").read_text()))
            return found
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        unique = list(dict.fromkeys(models))
        return dict(zip(unique, pool.map(results, unique)))


def interval(values):
    """Mean, and half of the interval of 95 % for it."""
    mean = statistics.mean(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, T95[len(values)] * statistics.stdev(values) / math.sqrt(len(values))
