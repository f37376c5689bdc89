"""What becomes of capture files as hosts, a table of a folder of them: captures.py FOLDER [NAMES]

Each is replayed in the place of the host that sent most of its packets. All that was read has entered or is ignored for a named cause,
and as much was read as tcpdump reads; none crashes the emulator or keeps it for longer than a minute. Else the exit status is 1."""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import emulators

MODEL = """
model Captured {{
  endpoint left {{ {left} }}
  endpoint right {{ address = 198.18.200.2, ipv6 = 2001:2:0:fffe::2 }}
  router r
  link l: left -- r {{ rate = 1 Gbps, delay = 1 ms }}
  link k: r -- right {{ rate = 1 Gbps, delay = 4 ms }}
  run {{ duration = 2 s }}
}}
"""
CAUSES = ("foreign", "not_ip", "groups", "ipv6", "malformed", "too_long")
SOURCES = {"address": r"\bIP (\d+\.\d+\.\d+\.\d+)", "ipv6": r"\bIP6 ([0-9a-f]*:[0-9a-f:]+)"}
NOBODY = {"address": "198.18.200.1", "ipv6": "2001:2:0:fffe::1"}


def tcpdump(path, *options):
    return subprocess.run(["tcpdump", "-nn", "-r", str(path), *options], capture_output=True, text=True, errors="replace", timeout=60)


def count(path):
    """How many packets tcpdump reads, and whether it reads the file to its end."""
    done = tcpdump(path, "--count")
    found = re.search(r"^(\d+) packets?$", done.stdout, re.M)
    return int(found[1]) if found else None, done.returncode == 0


class Table:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.compiled = {}

    def emulator(self, left):
        """Of a model whose endpoint has these addresses; none: no host can have them."""
        if left not in self.compiled:
            path = self.folder / f"m{len(self.compiled)}"
            path.with_suffix(".anml").write_text(MODEL.format(left=left))
            done = emulators.run(emulators.ANMLC, "-O0", path.with_suffix(".anml"), "-o", path, check=False)
            self.compiled[left] = path if done.returncode == 0 else None
        return self.compiled[left]

    def host(self, path):
        """An emulator in which it is the host that sent most."""
        said = tcpdump(path, "-q", "-t").stdout
        chosen = dict(NOBODY)
        for family, pattern in SOURCES.items():
            found = collections.Counter(match[1] for line in said.splitlines() if (match := re.search(pattern, line)))
            for address, _ in found.most_common(4):
                left = ", ".join(f"{key} = {value}" for key, value in {**chosen, family: address}.items())
                if self.emulator(left):
                    chosen[family] = address
                    break
        return self.emulator(", ".join(f"{key} = {value}" for key, value in chosen.items()))

    def row(self, path):
        """What is counted, `said` (why it was not read, or not to its end), and `wrong`: what should not be so."""
        results = self.folder / "results.json"
        results.unlink(missing_ok=True)
        try:
            done = emulators.run(self.host(path), "simulate", "--attach", f"left=pcap:{path}", "--results", results, check=False, timeout=60)
        except subprocess.TimeoutExpired:
            return {"said": "", "wrong": ["it did not end"]}
        said = "".join(re.findall(r"error: cannot replay .*?: (.*)", done.stderr))
        wrong = []
        if done.returncode not in (0, 1, 2) or bool(said) != (done.returncode != 0):
            wrong.append(f"exit status {done.returncode}: {done.stderr[-300:]}")
        if not results.exists():
            return {"said": said, "wrong": wrong}
        left = json.loads(results.read_text())["replay"]["endpoints"][0]
        row = {"said": said, "wrong": wrong, **left, **left["ignored"]}
        if row["read"] != row["entered"] + sum(row[cause] for cause in CAUSES):
            wrong.append(f"of {row['read']} {row['entered']} entered, and {left['ignored']} are ignored")
        packets, whole = count(path)
        if (packets, whole) != (row["read"], not said) and packets is not None or row["goes_on"]:
            wrong.append(f"tcpdump reads {packets} packets{'' if whole else ', and not to the end'}; here {row['read']}: {said or 'to the end'}")
        return row


def main():
    paths = [path for path in sorted(pathlib.Path(sys.argv[1]).iterdir())
             if path.suffix in (".pcap", ".pcapng", ".cap", ".dmp") and (not sys.argv[2:] or path.name in sys.argv[2:])]
    columns = ("read", "entered", *CAUSES)
    total, refused, broken, wrong = collections.Counter(), collections.Counter(), 0, 0
    print("| file |", " | ".join(columns), "| |\n| --- |", "---: | " * len(columns), "--- |")
    with tempfile.TemporaryDirectory() as folder:
        table = Table(folder)
        for path in paths:
            row = table.row(path)
            print(f"| {path.name} | {' | '.join(str(row.get(column, '')) for column in columns)} | {'; '.join([row['said'], *row['wrong']])} |", flush=True)
            total.update({column: row.get(column, 0) for column in columns})
            broken += bool(row["said"]) and "read" in row
            wrong += bool(row["wrong"])
            if "read" not in row:
                refused[re.sub(r", in which.*", "", row["said"])] += 1
    print(f"| {len(paths)} files | {' | '.join(str(total[column]) for column in columns)} | |\n")
    print(f"{len(paths) - sum(refused.values())} were read, {broken} of them to where they are broken; {sum(refused.values())} are refused:")
    for why, files in refused.most_common():
        print(f"{files:6} {why}")
    print(f"wrong: {wrong}")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
