"""check_selection.py: what scripts/check chooses for a change (tests/check.py), by a made-up tree, and whether the table that it chooses by
(tests/costs.txt) names files that there are and leaves no folder without a test."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.dont_write_bytecode = True
import check  # tests/check.py

DEPS = """\
tests/CMakeFiles/runtime_unit_tests.dir/unit/runtime/queue_codel.cpp.o: #deps 6, deps mtime 1 (VALID)
    /tree/tests/unit/runtime/queue_codel.cpp
    /tree/tests/unit/runtime/one_link.h
    /tree/runtime/net/queue/codel.h
    /tree/runtime/net/packet.h
    /tree/runtime/net/ecn.h
    /usr/include/string.h

tests/CMakeFiles/runtime_unit_tests.dir/unit/runtime/tcp_server.cpp.o: #deps 4, deps mtime 1 (VALID)
    /tree/tests/unit/runtime/tcp_server.cpp
    /tree/runtime/net/queue/codel.h
    /tree/runtime/net/packet.h
    /tree/runtime/transport/tcp.h

runtime/CMakeFiles/anml_runtime.dir/Unity/unity_0_cxx.cxx.o: #deps 1, deps mtime 1 (VALID)
    /tree/runtime/net/queue/codel.h

tests/CMakeFiles/runtime_unit_tests.dir/unit/runtime/wire_parse.cpp.o: #deps 2, deps mtime 1 (VALID)
    /tree/tests/unit/runtime/wire_parse.cpp
    /tree/runtime/wire/arp.h

tests/CMakeFiles/compiler_unit_tests.dir/unit/compiler/route_pairs.cpp.o: #deps 2, deps mtime 1 (VALID)
    /tree/tests/unit/compiler/route_pairs.cpp
    /tree/compiler/route/route.h
"""
# What the tree includes: a header that no test knows, by way of one that is known.
SOURCES = {"runtime/net/air.h": "", "runtime/net/packet.h": "", "runtime/wire/arp.h": "", "runtime/wire/dump.h": "",
           "runtime/wire/arp.cpp": '#include "dump.h"\n', "runtime/app/tcp_dump.cpp": '#include "wire/dump.h"\n'}


def test(name, seconds, subjects, labels=("differential",), script=None, helpers=()):
    return check.Test(name, seconds, subjects.split(), list(labels), script, set(helpers), {"anmlc"})


TESTS = [
    test("everything", 8, "runtime/ compiler/"),
    test("net", 4, "runtime/net/"),
    test("queues", 20, "runtime/net/queue/", script="tests/differential/test_queues.py", helpers=["tests/differential/emulators.py"]),
    test("slow_net", 400, "runtime/net/"),
    test("live_wire", 9, "runtime/wire/", ["live"]),
    test("pace", 9, "runtime/io/", ["live", "clock"], script="tests/live/test_pace.py"),
    test("page", 3, "runtime/net/ reporting/", ["page"]),
    test("layers", 1, "compiler/ runtime/", ["file"]),
    test("documentation_links", 1, "docs/", ["file"]),
]


class Selection(unittest.TestCase):
    def units(self, *files):
        return [test for _, test in check.affected_units(files, check.read_deps(DEPS, "/tree"), check.read_includers(SOURCES))]

    def chosen(self, *files, seconds=30, budget=60, wanted=()):
        taken, left, unwanted = check.choose(files, TESTS, seconds, budget, wanted)
        return [each.name for each, _ in taken], [each.name for each in left], [each.name for each in unwanted]

    def test_targets(self):
        for file, targets in {
            "runtime/net/net.cpp": ["anmlrt", "runtime_unit_tests"], "compiler/check/names/names.cpp": ["anmlc", "compiler_unit_tests"],
            "stdlib/std/wifi/b.anml": ["anmlc", "compiler_unit_tests"], "grammar/AnmlParser.g4": ["anmlc", "compiler_unit_tests"],
            "common/mix.h": check.EVERYTHING, "runtime/abi/image.h": check.EVERYTHING, "runtime/app/bulk.def": check.EVERYTHING,
            "CMakeLists.txt": check.EVERYTHING, "runtime/CMakeLists.txt": check.EVERYTHING, "tests/CMakeLists.txt": [],
            "docs/report.md": [], "docs/results.schema.json": ["anmlc", "compiler_unit_tests"], "scripts/check": [],
            "tests/bench/phold.cpp": ["phold"], "tests/bench/ns3/queues.cc": ["ns3_queues"], "tests/lsp/edits.cpp": ["lsp_edits"],
            "tests/fuzz/mutate.cpp": ["mutate"], "tests/fuzz/http_fuzz.cpp": [], "tests/live/link_emulator.cpp": ["link_emulator"],
            "tests/unit/runtime/air.cpp": ["runtime_unit_tests"], "tests/unit/compiler/back_end.h": ["compiler_unit_tests"], "tests/live/test_web.py": [], "bindings/python/src/anml/model.py": [],
        }.items():
            self.assertEqual(check.targets_of([file]), targets, file)
        self.assertEqual(check.targets_of(["runtime/net/net.cpp", "compiler/check/names/names.cpp", "runtime/net/net.h"]),
                         ["anmlrt", "runtime_unit_tests", "anmlc", "compiler_unit_tests"])

    def test_unit_tests_by_header(self):
        self.assertEqual(self.units("runtime/net/queue/codel.h"), ["queue_codel", "tcp_server"])
        self.assertEqual(self.units("runtime/wire/arp.cpp"), ["wire_parse"])  # arp.h, beside it
        self.assertEqual(self.units("runtime/net/packet.h"), ["tcp_server", "queue_codel"])  # the one that includes less
        self.assertEqual(self.units("docs/report.md"), [])
        self.assertNotIn(("runtime_unit_tests", "tcp_server"), check.read_deps(DEPS, "/tree", without={"tcp_server"}))

    def test_unit_tests_of_files_without_header(self):
        self.assertEqual(self.units("runtime/wire/dump.cpp"), ["wire_parse"])  # arp.cpp includes dump.h, and the test arp.h
        self.assertEqual(self.units("runtime/app/tcp_server.cpp"), ["tcp_server"])  # it is called like that
        self.assertEqual(self.units("runtime/net/queue/other.cpp"), ["queue_codel", "tcp_server"])  # called like the folder, and including of it
        self.assertEqual(self.units("runtime/transport/input.cpp"), ["tcp_server"])
        self.assertEqual(self.units("runtime/net/net.cpp"), ["tcp_server", "queue_codel"])  # they include of the folder
        self.assertEqual(self.units("runtime/mpi/plugin.c"), [])
        self.assertEqual(self.units("compiler/net/queue.cpp"), [])  # no program of the compiler has such a test

    def test_unit_tests_themselves(self):
        self.assertEqual(self.units("tests/unit/runtime/wire_parse.cpp"), ["wire_parse"])
        self.assertEqual(self.units("tests/unit/runtime/one_link.h"), ["queue_codel"])
        self.assertEqual(self.units("tests/unit/runtime/gone.cpp"), [])
        self.assertEqual(self.units("tests/unit/runtime/wire_parse.cpp", "runtime/net/queue/codel.h")[0], "wire_parse")

    def test_all_of_the_compiler_for_the_library(self):
        self.assertEqual(self.units("stdlib/std/wifi/b.anml"), ["route_pairs"])
        self.assertEqual(self.units("grammar/AnmlLexer.g4"), ["route_pairs"])

    def test_the_most_specific_first(self):
        self.assertEqual(self.chosen("runtime/net/queue/codel.h"), (["layers", "queues", "net", "everything"], ["slow_net"], ["page"]))
        self.assertEqual(self.chosen("runtime/kernel/event.h"), (["layers", "everything"], [], []))
        self.assertEqual(self.chosen("LICENSE"), ([], [], []))

    def test_time(self):
        # What does not fit leaves room for what costs less.
        self.assertEqual(self.chosen("runtime/net/queue/codel.h", budget=14)[:2], (["layers", "net", "everything"], ["queues", "slow_net"]))
        self.assertEqual(self.chosen("runtime/net/queue/codel.h", seconds=500, budget=1000)[1], [])
        # A live test waits two thirds of its time.
        self.assertEqual(self.chosen("runtime/wire/arp.h", budget=4.5)[0], ["layers", "live_wire"])
        self.assertEqual(self.chosen("runtime/wire/arp.h", budget=3.5)[0], ["layers"])
        self.assertEqual(self.chosen("runtime/wire/arp.h", seconds=8)[0], ["layers", "everything"])

    def test_labels_on_demand(self):
        self.assertEqual(self.chosen("reporting/table.h"), ([], [], ["page"]))
        self.assertEqual(self.chosen("reporting/table.h", wanted=["page"]), (["page"], [], []))

    def test_what_judges_the_clock_runs_alone(self):
        self.assertEqual(self.chosen("runtime/io/tap.h")[2], ["pace"])
        self.assertIn("pace", self.chosen("runtime/io/tap.h", budget=9 * check.PROCESSORS + 1, wanted=["clock"])[0])
        self.assertIn("pace", self.chosen("runtime/io/tap.h", budget=9 * check.PROCESSORS, wanted=["clock"])[1])  # layers has a second
        self.assertFalse(check.waits(TESTS[5]))

    def test_a_changed_test_runs_whatever_it_costs(self):
        self.assertEqual(self.chosen("tests/differential/test_queues.py", budget=1)[0], ["queues"])
        self.assertEqual(self.chosen("tests/differential/emulators.py"), (["queues"], [], []))
        self.assertEqual(self.chosen("tests/differential/emulators.py", budget=1), ([], ["queues"], []))

    def test_imports(self):
        found = check.imported(ROOT / "tests/ranks/ranks.py")
        self.assertIn("tests/differential/random_networks.py", found)
        self.assertIn("tests/differential/random_workloads.py", found)  # by way of it


class Table(unittest.TestCase):
    """The one that there is."""

    costs = check.read_costs((ROOT / "tests/costs.txt").read_text())

    def test_each_line_is_about_something(self):
        for name, (_, subjects) in self.costs.items():
            self.assertTrue(subjects, f"{name}: tests/costs.txt doesn't say what it is about")
            for subject in subjects:
                folder, begin = subject.rsplit("/", 1) if "/" in subject else (".", subject)
                there = [path.name for path in (ROOT / folder).iterdir()] if (ROOT / folder).is_dir() else []
                self.assertTrue(any(path.startswith(begin) for path in there), f"{name}: no file begins with {subject}")

    def test_each_folder_has_a_test(self):
        folders, tree = ["bindings/python/", "docs/", "editors/", "grammar/", "integrations/", "packaging/", "scripts/", "site/"], ""
        for line in (ROOT / "cmake/layers.txt").read_text().splitlines():
            if header := re.fullmatch(r"\[(\w+)\]", line):
                tree = header[1] + "/"
            elif entry := re.match(r"(\w+):", line):
                folders.append(f"{tree}{entry[1]}/")
        folders += [f"{path.relative_to(ROOT).as_posix()}/" for path in (ROOT / "stdlib/std").iterdir() if path.is_dir()]
        self.assertGreater(len(folders), 60)
        # A test of units, or of all that there is, says nothing about a folder.
        subjects = {subject for name, (_, mine) in self.costs.items() if name not in check.UNITS for subject in mine} - {"compiler/", "runtime/"}
        for folder in folders:
            self.assertTrue(any(subject.startswith(folder) or folder.startswith(subject) for subject in subjects),
                            f"no test is about {folder}: tests/costs.txt")


if __name__ == "__main__":
    unittest.main()
