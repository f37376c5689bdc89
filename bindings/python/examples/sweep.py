"""The paper's wide-area network (Figures 5 and 7): the transaction rate over N, H and D. `python sweep.py rates.png`"""
# %% Run every combination; N and H shape the network, D is set when an emulator runs.
import collections
import pathlib
import sys

import anml
if len(sys.argv) > 1:  # before the runs, which take minutes
    import matplotlib.pyplot as plt

WAN = pathlib.Path(__file__).parents[3] / "examples/paper-wan/wan.anml"
points = anml.sweep(WAN, N=[1, 8], H=[1, 2, 4, 8, 16, 32, 64], D=["1 ms", "8 ms"], duration="8 s", parallel=2)

# %% One curve for each N and D
curves = collections.defaultdict(list)
for point in points:
    n, h, d = (point.parameters[name] for name in "NHD")
    curves[f"N = {n}, D = {d}"].append((n * h, point.results.transaction_rate))
for label, curve in curves.items():
    print(label + ": " + ", ".join(f"{rate:.0f}/s" for clients, rate in curve))

# %% Plot
if len(sys.argv) > 1:
    for label, curve in curves.items():
        plt.plot(*zip(*curve), marker="o", label=label)
    plt.xscale("log", base=2)
    plt.gca().set(xlabel="clients", ylabel="transactions per second")
    plt.legend()
    plt.savefig(sys.argv[1])
