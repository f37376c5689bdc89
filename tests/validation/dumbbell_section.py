"""The section of docs/validation.md about dumbbells beside ns-3: a table of all cases, what ns-3 does otherwise, and a plot of the ratios."""
import concurrent.futures
import dataclasses
import math

import dumbbells
import svg

REPETITIONS = 3
QUICK = [("NewReno", "drop-tail", 1), ("CUBIC", "CoDel", 1), ("DCTCP", "threshold", 1)]
# Which cases are known to be apart, in which figures, and the note that the table refers to; any other that comes apart fails. A bound says what the reason
# allows: of flows, and of the figures of both.
TELLS = ["throughput", "queue", "drops"]


EXPLAINED = [
    *((("BBR", discipline, 1), TELLS, "c", None) for discipline in ("CoDel", "FQ-CoDel")),
    *((("BBR", *case), TELLS, "d", None) for case in (("RED", 2), ("CoDel", 2), ("FQ-CoDel", 2), ("PIE", 2), ("PIE", 20))),
    (("Scalable", "drop-tail", 1), ["drops"], "f", None),
    (("Vegas", "FQ-CoDel", 20), ["throughput", "queue"], "i", None),
    *((("Scalable", discipline, 20), ["queue", "drops"], "g", None) for discipline in ("drop-tail", "RED", "CoDel")),
]
# Cases that show what ns-3 does otherwise where it comes as it is, with what it does and where that is written.
DEPARTURES = [
    (("NewReno", "drop-tail", 1), "halves its pipe, which lacks what has been sacked, where RFC 5681 (3.2) and RFC 6675 (5, 4.2) halve the flight: `GetSsThresh(m_tcb, BytesInFlight())` in `TcpSocketBase::EnterRecovery`"),
    (("CUBIC", "drop-tail", 1), "has no Reno-friendly region (RFC 9438, 4.3), and HyStart waits for a whole round trip more where Linux waits for an eighth (`HystartDelayThresh`)"),
    (("CUBIC", "RED", 20), "behind a time-out takes what was sacked before for news (`segsAcked` in `TcpSocketBase::ProcessAck`), and a window grows by some hundred segments at once, where RFC 3465 (2.3) lets an acknowledgment count for one"),
    (("Scalable", "drop-tail", 1), "keeps 7/8 of the pipe, rounded down to whole segments (`TcpScalable::GetSsThresh`), and rounds the window down with each increase, too (`TcpScalable::CongestionAvoidance`): Kelly's has no segments"),
    (("Vegas", "drop-tail", 1), "compares smoothed round trips: `m_lastRtt = m_rtt->GetEstimate()` in `TcpSocketBase::EstimateRtt`, in milliseconds where there are timestamps; and rounds what lies in queues up, so that it is content with one to four segments (`TcpVegas::IncreaseWindow`), where two to four are meant (Brakmo and Peterson, 1995)"),
    (("Vegas", "RED", 20), "takes a segment off the window for a loss (`TcpVegas::GetSsThresh`), where Linux halves it (`tcp_reno_ssthresh`)"),
    (("DCTCP", "drop-tail", 1), "takes a loss for as much as its share of marks says, here nothing, where RFC 8257 (3.5) takes it for a loss (`TcpDctcp::GetSsThresh`); a recovery's end lets the window grow for all of its segments (`TcpSocketBase::ProcessAck`), where RFC 6675 (5, A) has it set the window"),
    (("DCTCP", "threshold", 1), "spreads a mark's reduction over a round trip, where RFC 8257 (3.3, step 9) sets the window, and ends a window of observation with its last segment, where step 4 there wants one behind it (`TcpDctcp::PktsAcked`)"),
    (("DCTCP", "CoDel", 1), "with delayed acknowledgments every second lone mark is lost: the acknowledgment that tells of it has the number before the marked segment (`m_priorRcvNxt` in `TcpDctcp::CeState1to0`, which runs before the segment is in the buffer; in Linux behind that); and behind a mark the next one is due from now on (`CoDelQueueDisc::DoDequeue`), where RFC 8289 (5) counts from when this one was due"),
    (("DCTCP", "FQ-CoDel", 20), "lets each flow have a packet behind the one that is served, for as long as it takes (`MinBytes` of each queue's CoDel), where Linux's exception for a backlog of a packet looks at all that waits for the link (`codel_should_drop`)"),
    (("DCTCP", "PIE", 1), "does not begin to count anew behind a mark (`m_accuProb` in `PieQueueDisc::DoEnqueue`), so that nearly each packet is marked; RFC 8033 (5.4) and Linux's `pie_drop_early` do"),
    (("BBR", "drop-tail", 1), "has bursts of one segment (`TcpBbr::SetSendQuantum`), where BBR's description and Linux's `bbr_min_tso_segs` have two from 1.2 Mbps on, three of which it allows for beyond what the path holds; paces without Linux's margin of a hundredth"),
    (("BBR", "CoDel", 1), "takes the rate of an earlier sample where a sample has none, and counts a round for it (`TcpRateLinux::GenerateSample`, `TcpBbr::UpdateBtlBw`; Linux's `bbr_update_bw` does neither): behind a time-out ten rounds pass within milliseconds, and the bandwidth is forgotten; takes what is lost no longer for lost, too (`lost` in `TcpSocketBase::ReceivedAck`), and leaves a recovery with the window of the end of start-up (`m_ssThresh` in `TcpSocketBase::ProcessAck`), where its description (4.2.3.4) restores the one before"),
    (("BBR", "drop-tail", 2), "measures rates over the time since a segment before the one that has arrived (`m_ackElapsed` in `TcpRateLinux::SkbDelivered`), a segment in a window too low, and counts bunches of acknowledgments in whole seconds (`TcpBbr::UpdateAckAggregation`)"),
]


def missing(context):
    return None if context.program("ns3_dumbbell").exists() else "the program of tests/bench/ns3/dumbbell.cc is not built"


def seeds_of(context, flows):
    """One flow meets nobody; of several each repetition has other phases."""
    return range(1, (context.seeds or (1 if context.quick or flows == 1 else REPETITIONS)) + 1)


def chance(name, mine, theirs):
    """What chance makes of a difference of means: two standard errors by what repetitions differ in, and of counts no less than those of Poisson's."""
    found = 2 * math.hypot(dumbbells.error(mine, name), dumbbells.error(theirs, name))
    if name not in ("drops", "marks"):
        return found
    return max(found, 2 * math.sqrt(sum(getattr(f, name) for f in (*mine, *theirs))) / len(mine))


def judge(mine, theirs):
    """Names of figures that are apart, beyond the limit and beyond chance."""
    one, other = dumbbells.mean(mine), dumbbells.mean(theirs)
    least = {"queue": 0.5}
    return [name for name, limit in dumbbells.LIMITS.items()
            if abs(getattr(one, name) - getattr(other, name)) > max(limit * getattr(other, name), least.get(name, 0), chance(name, mine, theirs))]


def note(case, far, mine, theirs):
    """The note that explains why these figures of a case are apart, or None."""
    for of, which, name, bound in EXPLAINED:
        if of == case and set(far) <= set(which) and (bound is None or bound(case[2], mine, theirs)):
            return name
    return None


def ratio(one, other):
    return f"{one / other:.2f}" if other > 0.01 else ("" if not one else "-")


def row(case, mine, theirs, far, why):
    def cells(name, scale, digits):
        one, other = (getattr(dumbbells.mean(figures), name) / scale for figures in (mine, theirs))
        if not one and not other:
            return ["", "", ""]
        shown = []
        for value, figures in ((one, mine), (other, theirs)):
            within = 2 * dumbbells.error(figures, name) / scale
            shown.append(f"{value:.{digits}f}" + (f" ± {within:.{digits}f}" if len(figures) > 1 and name != "throughput" else ""))
        text = ratio(one, other)
        return [*shown, f"**{text}**" if name in far else text]
    return [case[0], case[1], str(case[2]), *cells("throughput", 1e6, 3), *cells("queue", 1, 1), *cells("drops", 1, 0), *cells("marks", 1, 0), why or ""]


def table(rows, titles):
    return ["| " + " | ".join(titles) + " |", "|" + " --- |" * len(titles), *("| " + " | ".join(cells) + " |" for cells in rows)]


def make(context):
    cases = QUICK if context.quick else dumbbells.cases()
    if context.quick:
        dumbbells.SIZES[1].update(seconds=60, warmup=10)
    ns3 = dumbbells.Ns3(context.program("ns3_dumbbell"), context.cache and context.cache / "dumbbells.json")
    rows, found, unexplained = [], {}, []
    with concurrent.futures.ThreadPoolExecutor(context.jobs) as pool:
        compared = pool.map(lambda case: dumbbells.compare(context.anmlc, ns3, case, seeds_of(context, case[2])), cases)
        for case, (mine, theirs) in zip(cases, compared):
            found[case] = mine, theirs
            far = judge(mine, theirs)
            why = note(case, far, *map(dumbbells.mean, (mine, theirs))) if far else None
            rows.append(row(case, mine, theirs, far, why))
            print("| " + " | ".join(rows[-1]) + " |", flush=True)
            if far and not why:
                unexplained.append(f"{case}: {', '.join(far)}")
    for line in unexplained:
        print("not explained:", line)
    if context.quick:
        return "", not unexplained
    plot(found, context.plots / "dumbbells.svg")
    titles = ["law", "queue", "flows", "Mbps: ours", "ns-3", "ratio", "waiting: ours", "ns-3", "ratio", "drops: ours", "ns-3", "ratio", "marks: ours", "ns-3", "ratio", ""]
    within = sum(not judge(*pair) for pair in found.values())
    text = [context.circumstances("ns-3 3.37 of Debian"), "", "![Ratios of all cases](validation/dumbbells.svg)", "",
            f"{within} of {len(found)} cases are within the limits in everything, of {len(seeds_of(context, 2))} repetitions where there are several flows; ± are two standard errors; "
            "what is beyond is bold, with the letter of its reason below.", "",
            *table(rows, titles), "", *departures(context, ns3, found)]
    return "\n".join(text), not unexplained


def departures(context, ns3, found):
    """What ns-3 as it comes makes of some cases, beside what it makes with laws.h and disciplines.h, and ours."""
    rows = []
    for case, what in DEPARTURES:
        plain = dumbbells.mean([ns3.figures(*case, seed, False) for seed in seeds_of(context, case[2])])
        cells = [f"{f.throughput / 1e6:.2f}, {f.queue:.2f}, {f.drops + f.marks:.0f}" for f in (plain, *map(dumbbells.mean, reversed(found[case])))]
        rows.append([f"{case[0]}, {case[1]}, {case[2]}", *cells, what])
    return ["ns-3 as it comes, with `tests/bench/ns3/laws.h` and `disciplines.h`, and ours: Mbps, packets that wait, drops and marks; and what ns-3.37 does.", "",
            *table(rows, ["case", "as it comes", "mended", "ours", "what it does"])]


def plot(found, path):
    cases = list(found)
    picture = svg.Plot("Ours over ns-3's: dumbbells of 1, 2 and 20 flows", (-1, len(cases)), (0.6, 1.4), "cases, in the order of the table", "ratio")
    picture.band(0.85, 1.15, "#f3f7f0")
    picture.band(0.9, 1.1, "#e6f0e0")
    picture.y_ticks([(y / 10, f"{y / 10:.1f}") for y in range(6, 15)])
    for law in dict.fromkeys(case[0] for case in cases):
        picture.parting(next(i for i, case in enumerate(cases) if case[0] == law) - 0.5, law)
    for series, field in enumerate(dataclasses.fields(dumbbells.Figures)):
        pairs = [(i, *(getattr(dumbbells.mean(figures), field.name) for figures in found[case])) for i, case in enumerate(cases)]
        picture.points([(i, one / other) for i, one, other in pairs if other > (20 if field.name in ("drops", "marks") else 0)], series, field.name)
    picture.write(path)
