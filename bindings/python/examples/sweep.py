"""The paper's wide-area network (Figures 5 and 7): the transaction rate over N, H and D. `python sweep.py [rates.png]`"""
import pathlib
import sys

import anml

WAN = pathlib.Path(__file__).parents[3] / "examples/paper-wan/wan.anml"
clients = [1, 2, 4, 8, 16, 32, 64]
points = anml.sweep(WAN, N=[1, 8], H=clients, D=["1 ms", "8 ms"], duration="8 s")

rates = {}
for point in points:
    curve = (point.parameters["N"], point.parameters["D"])
    rates.setdefault(curve, []).append(point.results.transaction_rate)
for (n, d), values in rates.items():
    print(f"N = {n}, D = {d}: " + ", ".join(f"{value:.0f}/s" for value in values))

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt
    for (n, d), values in rates.items():
        plt.plot([n * h for h in clients], values, marker="o", label=f"N = {n}, D = {d}")
    plt.xscale("log", base=2)
    plt.xlabel("clients")
    plt.ylabel("transactions per second")
    plt.legend()
    plt.savefig(sys.argv[1])
