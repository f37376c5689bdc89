"""rfc_rules_page.py [--write]: fails where docs/rfc_rules.md differs from what the names of the unit tests say; --write makes it so.

A test whose name begins with an RFC and a section, "RFC 9293 3.8.6.1: ...", is a line of that RFC.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rfc_rules.md"
TITLES = {
    1122: "Requirements for Internet Hosts",
    1191: "Path MTU Discovery",
    2018: "TCP Selective Acknowledgment Options",
    2923: "TCP Problems with Path MTU Discovery",
    3168: "Explicit Congestion Notification",
    3465: "Appropriate Byte Counting",
    4015: "The Eifel Response Algorithm",
    4821: "Packetization Layer Path MTU Discovery",
    5681: "TCP Congestion Control",
    5682: "F-RTO",
    6069: "Making TCP More Robust to Long Connectivity Disruptions",
    6298: "Computing TCP's Retransmission Timer",
    6582: "NewReno",
    6675: "Loss Recovery with Selective Acknowledgments",
    6901: "JSON Pointer",
    6928: "Increasing TCP's Initial Window",
    6937: "Proportional Rate Reduction",
    7323: "TCP Extensions for High Performance",
    7413: "TCP Fast Open",
    8201: "Path MTU Discovery for IPv6",
    8257: "Data Center TCP",
    8259: "JSON",
    8985: "RACK-TLP",
    9293: "Transmission Control Protocol",
    9438: "CUBIC",
    9768: "Accurate ECN Feedback",
}
HEAD = """# Rules of RFCs, and the tests that hold TCP to them

Each line is the name of a unit test, and leads to its file; `build/dev/bin/runtime_unit_tests "RFC 9293 *"` runs those of an RFC. What is compared with Linux, ns-3 and arithmetic instead: [validation.md](validation.md).

This page is made of the tests' names by `tests/file/rfc_rules_page.py --write`.
"""
NAME = re.compile(r'TEST_CASE\(\s*"RFC (\d+) ([\d.]+): ((?:[^"\\]|\\.)*)"')


def rules():
    found = {}
    for file in sorted((ROOT / "tests/unit/runtime").glob("*.cpp")):
        text = re.sub(r'"\s*\n\s*"', "", file.read_text())  # names of two lines
        for rfc, section, rule in NAME.findall(text):
            found.setdefault(int(rfc), []).append(([int(part) for part in section.split(".")], section, rule, file.name))
    return found


def page():
    parts = [HEAD]
    for rfc, lines in sorted(rules().items()):
        title = TITLES.get(rfc)
        if title is None:
            sys.exit(f"rfc_rules_page.py: RFC {rfc} has no title in TITLES")
        parts.append(f"## RFC {rfc}: {title}\n\n| section | what holds |\n| --- | --- |\n")
        for _, section, rule, file in sorted(lines):
            parts.append(f"| {section} | [{rule}](../tests/unit/runtime/{file}) |\n")
        parts.append("\n")
    return "\n".join([parts[0].rstrip("\n"), ""]) + "\n" + "".join(parts[1:]).rstrip("\n") + "\n"


def main():
    made = page()
    if "--write" in sys.argv:
        PAGE.write_text(made)
    elif not PAGE.exists() or PAGE.read_text() != made:
        sys.exit("docs/rfc_rules.md is not what the tests' names say: tests/file/rfc_rules_page.py --write")


main()
