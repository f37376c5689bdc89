"""What a change needs: scripts/check calls it, with files or without, behind a build that is there.

It builds the programs that the changed files are part of. Of the unit tests it runs those whose file includes a changed header, or the
header beside a changed .cpp, or is called like it; of the other tests those that name a changed file among their subjects in
costs.txt, from the most specific on, for as long as their declared costs fit. It says what it leaves out; scripts/test has everything."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"
TAKEN = BUILD / "unit_seconds.json"  # what each file of unit tests took when it ran last
PROCESSORS = len(os.sched_getaffinity(0))
WAITING = 3  # as many live tests run for each processor, since they mostly wait
UNITS = ["compiler_unit_tests", "runtime_unit_tests"]
EVERYTHING = ["anmlrt", "anmlc", *UNITS]
# What is built for a file: the first that matches its path.
TARGETS = [
    (r"tests/unit/(compiler|runtime)/", [r"\1_unit_tests"]),
    (r".*\.md$|tests/.*\.(h|py)$|docs/(?!.*\.schema\.json$)|site/|scripts/|bindings/|integrations/|examples/|packaging/", []),
    (r"tests/bench/ns3/(\w+)\.cc$", [r"ns3_\1"]),
    (r"tests/lsp/edits\.cpp$", ["lsp_edits"]),
    (r"tests/(?:bench/|fuzz/(?=mutate)|live/|editors/)(\w+)\.(?:cpp|c)$", [r"\1"]),
    (r"tests/", []),
    (r"editors/tree-sitter-anml/src/", ["parse_with_tree_sitter"]),
    (r"runtime/abi/|runtime/.*\.(def|txt)$|common/|commandline/|reporting/|third_party/|cmake/|(.*/)?CMake", EVERYTHING),
    (r"runtime/", ["anmlrt", "runtime_unit_tests"]),
    (r"compiler/|stdlib/|grammar/|docs/", ["anmlc", "compiler_unit_tests"]),
]
LEFT_OUT = {"clock", "page", "package"}  # labels: they need a quiet machine, a browser, all that is installed
GUARDS = {"layers", "lint_tree", "documentation_links", "mutants_list"}  # they hold the tree together, and come first where they are about it
GUARD_SECONDS = 2
OTHER_WORD = {"transport": "tcp"}  # what unit tests call a folder

Test = collections.namedtuple("Test", "name seconds subjects labels script helpers programs")


def read_costs(text):
    """By test what it costs and the beginnings of paths that it is about."""
    lines = [line.split() for line in text.splitlines() if line and line[0] != "#"]
    return {line[0]: (float(line[1]), line[2:]) for line in lines}


def targets_of(files):
    found = []
    for file in files:
        for pattern, targets in TARGETS:
            if match := re.match(pattern, file):
                found += [match.expand(target) for target in targets]
                break
    return [target for target in dict.fromkeys(found)]


def words(path):
    parts = re.split(r"[/_]", os.path.splitext(path)[0])
    return {OTHER_WORD.get(part, part) for part in parts} - {"tests", "unit", "runtime", "compiler"}


def read_deps(text, source=str(ROOT), without=()):
    """`ninja -t deps`: by program and file of unit tests the files of the tree that it includes. `without` have no test."""
    found, current = {}, None
    for line in text.splitlines():
        if not line.startswith(" "):
            object_ = re.match(r"tests/CMakeFiles/(\w+)\.dir/unit/\w+/(\w+)\.cpp\.o: ", line)
            current = found.setdefault(object_.groups(), set()) if object_ and object_[2] not in without else None
        elif current is not None and line.strip().startswith(source + "/"):
            current.add(line.strip()[len(source) + 1:])
    return found


def read_includers(sources):
    """By header the files of its tree that include it. `sources`: texts by path."""
    found = collections.defaultdict(list)
    for path, text in sources.items():
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M):
            for base in (os.path.dirname(path), path.split("/")[0]):
                if (header := os.path.normpath(os.path.join(base, name))) in sources:
                    found[header].append(path)
                    break
    return found


def affected_units(files, deps, includers):
    """(program, file) of the unit tests that the files are part of, those first that are most about them."""
    ranks = {}

    def add(tests, paths, least=1):
        for test in tests:
            like = max(len(words(test[1]) & words(path)) for path in paths)
            rank = (-like, least * len(deps[test]), test)
            ranks[test] = min(rank, ranks.get(test, rank))

    def header_of(file):
        stem, suffix = os.path.splitext(file)
        return stem + ".h" if suffix in (".cpp", ".c") else file

    for file in files:
        folder = os.path.dirname(file)
        own = (f"{folder.split('/')[-1]}_unit_tests", os.path.splitext(os.path.basename(file))[0])
        programs = targets_of([file])
        deps_here = {test: included for test, included in deps.items() if test[0] in programs}
        if re.match(r"(stdlib|grammar)/", file):
            add(deps_here, [file], least=-1)  # those that have most of the compiler
        elif re.match(r"tests/unit/.*\.cpp$", file):
            ranks.update({own: (-100, 0, own)} if own in deps else {})
        elif re.match(r"(compiler|runtime|common|commandline|reporting|tests/unit|cmake/parts)/", file):
            header = header_of(file)
            relatives = [file, *includers.get(header, ())]
            tests = [test for test, included in deps_here.items() if header in included]
            if not tests:
                # No test includes it: those of what includes it in the tree, or else of its folder.
                beside = {header_of(path) for path in relatives} - {header}
                tests = [test for test, included in deps_here.items() if beside & included]
                tests = tests or [test for test, included in deps_here.items() if test[1].split("_")[0] in words(folder)
                                  or any(path.endswith(".h") and os.path.dirname(path) == folder for path in included)]
            # And those that are called like it.
            add({*tests, *(test for test in deps_here if any(words(test[1]) <= words(path) for path in relatives))}, relatives)
    return sorted(ranks, key=ranks.get)


def fit(candidates, seconds_of, seconds, budget, share=lambda each: 1):
    """What there is time for, in order, what is left, and how much of the budget. None takes longer than all of them may, `seconds`;
    a live one has a share of a processor."""
    taken, left = [], []
    for each in candidates:
        cost = seconds_of(each) * share(each)
        if seconds_of(each) > seconds or cost > budget:
            left.append(each)
        else:
            taken.append(each)
            budget -= cost
    return taken, left, budget


def waits(test):
    return "live" in test.labels and "clock" not in test.labels


def share(test):
    """Of a processor. What judges the clock runs alone."""
    return 1 / WAITING if waits(test) else PROCESSORS if "clock" in test.labels else 1


def choose(files, tests, seconds, budget, wanted=()):
    """Of tests that are no unit tests: those to run with why, those that there is no time for, those that nobody asked for."""
    always, matched, unwanted = [], [], []
    for test in tests:
        about = [(len(subject), subject) for subject in test.subjects for file in files if file.startswith(subject)]
        about += [(len(file), file) for file in files if file in test.helpers]
        if test.script in files:
            always.append((test, test.script))
        elif about and set(test.labels) & LEFT_OUT - set(wanted):
            unwanted.append(test)
        elif about:
            length, why = max(about)
            guard = test.name in GUARDS and test.seconds <= GUARD_SECONDS
            matched.append(((not guard, -length, test.seconds, test.name), test, why))
    budget -= sum(test.seconds * share(test) for test, _ in always)
    taken, left, _ = fit([each[1:] for each in sorted(matched)], lambda each: each[0].seconds, seconds, budget, lambda each: share(each[0]))
    return always + taken, [test for test, _ in left], unwanted


def imported(script):
    """The modules of the tests that one imports, by way of others too."""
    found, open_ = set(), [script]
    while open_:
        here = open_.pop()
        for name in re.findall(r"^\s*(?:from|import) (\w+)", here.read_text(), re.M):
            for path in [folder / f"{name}.py" for folder in (here.parent, ROOT / "tests", ROOT / "tests/differential", ROOT / "tests/bench")]:
                if path.exists() and path not in found:
                    found.add(path)
                    open_.append(path)
    return {path.relative_to(ROOT).as_posix() for path in found}


def list_tests(costs):
    """The tests of the build, as ctest has them."""
    listing = json.loads(subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True, capture_output=True,
                                        text=True).stdout)
    tests = []
    for each in listing["tests"]:
        if each["name"] in UNITS or "command" not in each:
            continue
        properties = {each["name"]: each["value"] for each in each.get("properties", [])}
        command = each["command"] + properties.get("ENVIRONMENT", [])
        script = next((path for path in each["command"] if path.startswith(f"{ROOT}/") and path.endswith(".py")), None)
        programs = {match[1] for word in command if (match := re.search(f"{re.escape(str(BUILD))}/bin/(\\w+)$", word))}
        seconds, subjects = costs[each["name"]]
        tests.append(Test(each["name"], seconds, subjects, properties.get("LABELS", []),
                          script and os.path.relpath(script, ROOT), imported(pathlib.Path(script)) if script else set(), programs))
    return tests


def changed_files():
    """What git says: what isn't committed, or what the last commit changed."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], check=True, capture_output=True, text=True).stdout.split("\n")[:-1]

    files = git("diff", "--name-only", "HEAD") + git("ls-files", "--others", "--exclude-standard")
    return (files, "not committed") if files else (git("diff", "--name-only", "HEAD~1", "HEAD"), "the last commit")


def say(text):
    print("==", text, flush=True)


def names(each):
    return ", ".join(each) or "none"


def run_units(units, taken):
    """Each file of tests is a process, one on each processor; what fails shows what it printed."""
    def run(unit):
        begin = time.monotonic()
        done = subprocess.run([BUILD / "bin" / unit[0], "--filenames-as-tags", f"[#{unit[1]}]"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", cwd=BUILD / "tests")
        return unit, done, time.monotonic() - begin

    failed = []
    with concurrent.futures.ThreadPoolExecutor(PROCESSORS) as pool:
        for unit, done, seconds in pool.map(run, units):
            taken[unit[1]] = round(seconds, 2)
            if done.returncode or "No test cases matched" in done.stdout:  # which is none of its errors
                failed.append(unit[1])
                print(done.stdout, flush=True)
    TAKEN.write_text(json.dumps(taken, indent=1, sort_keys=True))
    return failed


def run_all(units, taken, chosen):
    """Unit tests, and beside them live tests, which wait; then the others, on all processors. Returns what failed."""
    def ctest(tests, jobs, **more):
        return subprocess.Popen(["ctest", "--test-dir", BUILD, "--output-on-failure", "--no-tests=error", "-j", str(jobs), "-R",
                                 f"^({'|'.join(map(re.escape, tests))})$"], **more)

    live = [test.name for test, _ in chosen if waits(test)]
    others = [test.name for test, _ in chosen if not waits(test)]
    with tempfile.TemporaryFile("w+") as log:
        process = ctest(live, PROCESSORS * WAITING, stdout=log, stderr=log) if live else None
        failed = run_units(units, taken)
        if process:
            failed += ["live tests"] if process.wait() else []
            log.seek(0)
            print(log.read(), end="", flush=True)
    if others and ctest(others, PROCESSORS).wait():
        failed.append("other tests")
    return failed


def main():
    parser = argparse.ArgumentParser(prog="scripts/check", description=__doc__)
    parser.add_argument("files", nargs="*", metavar="FILE", help="what was changed; what git says where there is none")
    parser.add_argument("--seconds", type=float, default=30, help="how long tests may take on an idle machine (30)")
    parser.add_argument("--with", dest="wanted", action="append", default=[], metavar="LABEL", help=f"of {names(sorted(LEFT_OUT))}")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")
    arguments = parser.parse_args()
    begin = time.monotonic()
    files = [os.path.relpath(os.path.abspath(file), ROOT) for file in arguments.files]
    files, source = (files, "named") if files else changed_files()
    say(f"changed ({source}): {names(files)}")
    if not arguments.dry_run:
        # New tests, new costs: cmake looks for itself.
        subprocess.run(["ninja", "-C", BUILD, "--quiet", "build.ninja"], check=True)
    costs = read_costs((ROOT / "tests/costs.txt").read_text())
    tests = list_tests(costs)

    # Unit tests have half of the time. Who includes what is known behind the build; before it, what was so the last time.
    taken = json.loads(TAKEN.read_text()) if TAKEN.exists() else {}
    budget = arguments.seconds * PROCESSORS
    targets = targets_of(files)
    chosen, _, _ = choose(files, tests, arguments.seconds, budget, arguments.wanted)
    programs = sorted({program for test, _ in chosen for program in test.programs})
    targets += [program for program in programs if program not in targets and (targets or not (BUILD / "bin" / program).exists())]
    say(f"building {names(targets)}")
    if targets and not arguments.dry_run and subprocess.run(["cmake", "--build", "--preset", "release", "--target", *targets], cwd=ROOT).returncode:
        sys.exit("error: it does not build")
    built = time.monotonic() - begin

    without = {path.stem for path in ROOT.glob("tests/unit/*/*.cpp") if "TEST_CASE" not in path.read_text()}
    deps = read_deps(subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], check=True, capture_output=True, text=True).stdout,
                     without=without)
    of_program = collections.Counter(program for program, _ in deps)
    sources = {path.relative_to(ROOT).as_posix(): path.read_text() for tree in ("compiler", "runtime") for path in (ROOT / tree).rglob("*")
               if path.suffix in (".h", ".cpp")}
    units, units_left, rest = fit(affected_units(files, deps, read_includers(sources)), lambda unit: taken.get(unit[1], costs[unit[0]][0] / of_program[unit[0]]),
                                  arguments.seconds, budget / 2)
    chosen, left, unwanted = choose(files, tests, arguments.seconds, budget / 2 + rest, arguments.wanted)
    say(f"files of unit tests: {names([unit[1] for unit in units])}")
    by_reason = collections.defaultdict(list)
    for test, why in chosen:
        by_reason[why].append(test.name)
    for why, group in by_reason.items():
        say(f"tests about {why}: {names(group)}")
    if units_left or left:
        say(f"not run for time: {names([test.name for test in left] + [f'{len(units_left)} files of unit tests'] * bool(units_left))} "
            "(scripts/check --seconds 300, or scripts/test)")
    if unwanted:
        labels = sorted({label for test in unwanted for label in test.labels if label in LEFT_OUT})
        say(f"not run unasked: {names(test.name for test in unwanted)} (scripts/check {' '.join(f'--with {label}' for label in labels)})")
    if arguments.dry_run:
        return
    failed = run_all(units, taken, chosen)
    passed = time.monotonic() - begin
    say(f"built in {built:.0f} s, tested in {passed - built:.0f} s" + (f"; failed: {names(failed)}" if failed else ", all passed"))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
