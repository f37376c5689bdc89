#!/usr/bin/env python3
"""Foreign graphs in a model and in imports, mutilated: each sample with bytes flipped, cut, doubled and exchanged, numbers made
extreme and names odd. What comes of it is a model that compiles, or a message with a place.

tests/file/hostile_graphs.py has the attacks that were written by hand.
"""
import concurrent.futures
import os
import pathlib
import random
import re
import tempfile
import unittest

from arena import ALL, ANMLC, GIB, attempt

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
FORMATS = {".gml": "gml", ".graphml": "graphml", ".json": "json", ".dot": "dot", ".yml": "containerlab", ".txt": "as-rel"}
# One of each format that the samples don't have.
MADE = {
    "small.dot": b'digraph g { rankdir=LR; node [shape=box]; a [label="A\\nx"]; a -> b [label="10 Mbps", weight=3]; subgraph cluster_0 { b -- c } c:p -> {d e} [len=2.5] }',
    "lab.yml": b"name: lab\ntopology:\n  kinds: {linux: {image: x}}\n  nodes:\n    a: {kind: linux}\n    b: {kind: linux}\n    c: {kind: linux}\n"
               b"  links:\n    - endpoints: [\"a:eth1\", \"b:eth1\"]\n    - endpoints: [\"b:eth2\", \"c:eth1\"]\n      mtu: 1400\n",
    "as.txt": b"# input clique: 1\n" + b"".join(b"%d|%d|%d|bgp\n" % (i // 3 + 1, i + 2, -1 if i % 5 else 0) for i in range(40)),
}
EXTREMES = [b"0", b"-1", b"1e308", b"1e-308", b"9" * 40, b"nan", b"inf", b"0x10", b"1e999999999", b"4294967296", b"9223372036854775808", b"", b"\xff", b"\0", b"-0",
            b"x" * 4096, b"1,5", b"1 Gbps", b"\\u0000", b"&#0;", b"&#x10FFFF;", b"'\"`", b"${x}", b"%n", b"../x", b"\r", b"\xe2\x80\xae"]


def samples():
    found = {path.name: path.read_bytes() for path in sorted((DATA / "graphs").rglob("*")) if path.suffix in FORMATS and path.stat().st_size < 60000}
    return {**found, **MADE}


def mutilated(data, dice):
    for _ in range(dice.choice((1, 1, 2, 4))):
        way = dice.randrange(7)
        at = dice.randrange(len(data) + 1)
        to = min(len(data), at + dice.choice((1, 2, 8, 60, 400)))
        if way == 0:
            data = data[:at] + bytes([dice.randrange(256)]) + data[at + 1:]
        elif way == 1:
            data = data[:at] + data[to:]
        elif way == 2:
            data = data[:to] + data[at:to] * dice.choice((1, 3, 50)) + data[to:]
        elif way == 3:
            other = dice.randrange(len(data) + 1)
            data = data[:at] + data[other:other + to - at] + data[to:]
        elif way == 4:
            data = data[:at]
        else:
            numbers = list(re.finditer(rb"-?\d+(?:\.\d+)?" if way == 5 else rb"[A-Za-z_]+", data))
            if numbers:
                one = dice.choice(numbers)
                data = data[:one.start()] + dice.choice(EXTREMES) + data[one.end():]
    return data


class Graphs(unittest.TestCase):
    def one(self, seed, name, data):
        dice = random.Random(seed)
        format = FORMATS[pathlib.Path(name).suffix]
        with tempfile.TemporaryDirectory(prefix="anml-attack-") as folder:
            path = os.path.join(folder, "g")
            pathlib.Path(path).write_bytes(mutilated(data, dice))
            words = [["import", "--from", format, path, "-o", "x.anml"], ["import", path, "-o", "x.anml", "--largest", "5"]][dice.randrange(2)]
            tried = attempt([ANMLC, *words], cwd=folder, memory=2 * GIB, seconds=30)
            if tried.fault:
                return tried.fault
            if tried.peak > 500:
                return f"{tried.peak:.0f} MiB"
            if (tried.status == 0) != os.path.exists(os.path.join(folder, "x.anml")):
                return f"status {tried.status}, and the file does not say so"
            if tried.status == 0:
                tried = attempt([ANMLC, "check", "x.anml"], cwd=folder, memory=2 * GIB, seconds=60)
                if tried.fault:
                    return "check: " + tried.fault
                # What the graph says may be impossible; what the importer wrote may not be malformed.
                if re.search(r"error\[(syntax-error|unknown-name|duplicate-name|type-mismatch|unit-mismatch|not-text|invalid-literal)\]", tried.said):
                    return "it wrote what is no model: " + tried.said[:300]
            return ""

    def test_mutilated(self):
        rounds = 400 if ALL else 6
        jobs = [(f"{name} {i}", name, data) for name, data in samples().items() for i in range(rounds)]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for job, wrong in zip(jobs, pool.map(lambda j: self.one(*j), jobs)):
                with self.subTest(job[0]):
                    self.assertEqual(wrong, "")


if __name__ == "__main__":
    unittest.main()
