"""The section of docs/validation.md about flow completion times beside ns-3: a table by size, and their distributions."""
import random
import statistics

import completion
import svg

ENOUGH = 30  # flows of a size, of which a mean is judged; of a hundred the 99th percentile is


def by_chance(pairs, figure):
    """Whether another choice among such flows might bring the ratio within the limit: the interval of 95 % of 200 samples with replacement reaches it."""
    draw = random.Random(1)
    ratios = []
    for _ in range(200):
        chosen = draw.choices(pairs, k=len(pairs))
        ratios.append(figure([p[0] for p in chosen]) / figure([p[1] for p in chosen]))
    low, high = completion.percentile(ratios, 2.5), completion.percentile(ratios, 97.5)
    return low <= 1 + completion.LIMIT and high >= 1 - completion.LIMIT


def missing(context):
    return None if context.program("ns3_flows").exists() else "the program of tests/bench/ns3/flows.cc is not built"


def make(context):
    seeds, milliseconds = range(1, (context.seeds or (1 if context.quick else 10)) + 1), 3 if context.quick else 20
    found, unfinished = completion.compare(context.anmlc, context.program("ns3_flows"), context.cache and context.cache / "flows.json", seeds, milliseconds)
    rows, good = [], unfinished == [0, 0]
    groups = {f"10^{len(str(low)) - 1} to 10^{len(str(low))} B": pairs for low, pairs in found.items()}
    groups["all"] = [pair for pairs in found.values() for pair in pairs]
    for name, pairs in groups.items():
        mine, other = [p[0] for p in pairs], [p[1] for p in pairs]
        cells = [name, str(len(pairs))]
        for figure in (statistics.mean, statistics.median, lambda v: completion.percentile(v, 99)):
            one, two = figure(mine), figure(other)
            enough = len(pairs) >= (ENOUGH if figure is statistics.mean or figure is statistics.median else 100)
            far = enough and abs(one / two - 1) > completion.LIMIT
            good = good and not (far and not context.quick and not by_chance(pairs, figure))
            text = f"{one / two:.3f}" if enough else ""
            cells += [f"{one * 1e6:.1f}", f"{two * 1e6:.1f}", f"**{text}**" if far else text]
        rows.append(cells)
        print("| " + " | ".join(cells) + " |", flush=True)
    if context.quick:
        # Few flows: those that meet nobody take as long to the nanosecond, and the median says how the others do.
        one, two = (statistics.median(p[i] for p in groups["all"]) for i in (0, 1))
        return "", good and abs(one / two - 1) < 0.15
    plot(found, context.plots / "completion.svg")
    titles = ["size", "flows", "mean, us: ours", "ns-3", "ratio", "median: ours", "ns-3", "ratio", "p99: ours", "ns-3", "ratio"]
    alike = sum(abs(mine - other) < 1e-9 for mine, other in groups["all"]) / len(groups["all"])
    text = [context.circumstances("ns-3 3.37 of Debian", f"{len(seeds)} lists of {milliseconds} ms"), "",
            "![Distributions of completion times](validation/completion.svg)", "",
            "| " + " | ".join(titles) + " |", "|" + " --- |" * len(titles), *("| " + " | ".join(cells) + " |" for cells in rows), "",
            f"{alike:.0%} of the flows take the same time to the nanosecond: they meet nobody in either."]
    return "\n".join(text), good


def plot(found, path):
    picture = svg.Plot("Completion times, shares of flows that took no longer", (1.5e-5, 3e-2), (0, 1), "seconds; dashed: ns-3", "share", log_x=True)
    picture.y_ticks([(y / 4, f"{y / 4:.2f}") for y in range(5)])
    picture.x_ticks([(1e-4, "100 us"), (1e-3, "1 ms"), (1e-2, "10 ms")])
    for series, (low, high, name) in enumerate([(0, 10**5, "below 100 kB"), (10**5, 10**6, "to 1 MB"), (10**6, 10**12, "above 1 MB")]):
        pairs = [pair for size, of in found.items() if low <= size < high for pair in of]
        for which in (0, 1):
            values = sorted(pair[which] for pair in pairs)
            picture.line([(value, (i + 1) / len(values)) for i, value in enumerate(values)], series, name if which == 0 else None, dashed=which == 1)
    picture.write(path)
