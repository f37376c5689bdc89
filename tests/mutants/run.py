"""Whether tests notice what is wrong: changes one place of the sources at a time (mutants.txt), builds, and runs tests until one fails.

    run.py [--build FOLDER] [NAME or part of a path ...]

first copies the checkout to FOLDER (build/mutants), where it builds the release and changes the copy. A mutant's expected test runs first, then
all of that test, then the unit and file tests, then the rest of the quick tier. Exit status: 0 each was noticed, 1 one was not, 2 the list is
wrong: a text that is not there exactly once, a change that does not compile, a test that fails without any.

    run.py --check

looks only whether each old text is there exactly once."""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROCESSORS = len(os.sched_getaffinity(0))
LONGEST = 900  # seconds for one test: whoever takes longer hangs, and that is noticed


class WrongList(Exception):
    pass


class Mutant:
    def __init__(self, name, file):
        self.name, self.file, self.what, self.old, self.new, self.test = name, file, "", None, None, None

    def changed(self, text):
        count = text.count(self.old)
        if count != 1:
            raise WrongList(f"{self.name}: {self.file} has the old text {count} times: {self.old}")
        return text.replace(self.old, self.new)

    def is_meant(self, word):
        return word == self.name or word in self.file


def read_list(path):
    mutants = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            words = line.split()
            if len(words) != 2:
                raise WrongList(f"line {number}: a mutant begins with its name and its file")
            mutants.append(Mutant(*words))
            continue
        mutant, word = mutants[-1], line[2:]
        part = {"- ": "old", "+ ": "new", "= ": "test"}.get(word[:2])
        setattr(mutant, part or "what", word[2:] if part else word)
    names = [mutant.name for mutant in mutants]
    for mutant in mutants:
        if names.count(mutant.name) > 1:
            raise WrongList(f"{mutant.name}: there are two of that name")
        if not mutant.what or None in (mutant.old, mutant.new, mutant.test) or mutant.old == mutant.new:
            raise WrongList(f"{mutant.name}: it has no description, no change, or no test")
    return mutants


def check(mutants):
    wrong = []
    for mutant in mutants:
        try:
            mutant.changed((ROOT / mutant.file).read_text())
        except (WrongList, OSError) as error:
            wrong.append(str(error))
    for line in wrong:
        print(line)
    print(f"{len(mutants)} mutants, {len(wrong)} of them without their place")
    return 2 if wrong else 0


class Copy:
    """The checkout in a folder of its own, and its build."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "build/release"

    def make(self):
        """Files that are as they were keep their times, so that little is built anew."""
        listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True).stdout
        names = {name.decode() for name in listed.split(b"\0") if name}
        for name in sorted(names):
            source, target = ROOT / name, self.folder / name
            if source.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.unlink(missing_ok=True)
                target.symlink_to(os.readlink(source))
                continue
            if not source.exists():  # deleted, and not committed
                continue
            content = source.read_bytes()
            if target.exists() and target.read_bytes() == content:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(source.stat().st_mode & 0o777)
        for folder, folders, files in os.walk(self.folder):
            if pathlib.Path(folder) == self.folder:
                folders[:] = [name for name in folders if name != "build"]
            for file in files:
                target = pathlib.Path(folder, file)
                if str(target.relative_to(self.folder)) not in names:
                    target.unlink()
        subprocess.run(["cmake", "--preset", "release", "-D", "ANML_TESTS=ON"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def targets(self, *names):
        return subprocess.run(["cmake", "--build", "--preset", "release", *(("--target",) + names if names else ())], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")

    def tests(self):
        shown = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], check=True, capture_output=True, text=True)
        return {test["name"]: test for test in json.loads(shown.stdout)["tests"]}

    def needs(self, test):
        """The targets that a test is of: programs of the build among its words and in its environment."""
        words = list(test["command"])
        for each in test["properties"]:
            if each["name"] == "ENVIRONMENT":
                words += [word.split("=", 1)[1] for word in each["value"]]
        words += [word.split("=", 1)[1] for word in words if word.startswith("ANMLC=")]
        programs = {pathlib.Path(word).name for word in words if word.startswith(str(self.build)) and not pathlib.Path(word).is_dir()}
        return programs | ({"anmlrt"} if "anmlc" in programs else set())


# What failed, as the programs of the tests say it.
CASE = re.compile(r"^-{79}\n(.*)\n", re.M)
FAILED = re.compile(r"^(?:FAIL|ERROR|TIMEOUT|UNRESOLVED): (?:anml :: )?(\S+)", re.M)


def run_part(test, words):
    """Of a test of ctest what the words choose. None: it passes; else who failed."""
    command, options, environment = list(test["command"]), {}, dict(os.environ)
    for each in test["properties"]:
        if each["name"] == "ENVIRONMENT":
            environment.update(word.split("=", 1) for word in each["value"])
        if each["name"] == "WORKING_DIRECTORY":
            options["cwd"] = each["value"]
    catch = command[0].endswith("unit_tests")
    if catch:
        words = [*words, "--warn", "NoTests", "-a"]
    elif any(word.endswith(".py") and "/test_" in word for word in command):
        words = [*words, "-f"]
    try:
        done = subprocess.run(command + words, env=environment, timeout=LONGEST, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", **options)
    except subprocess.TimeoutExpired:
        return "it does not end"
    if done.returncode == 0:
        return None
    if catch and (found := CASE.search(done.stdout)):
        return found.group(1)
    found = FAILED.search(done.stdout)
    return found.group(1) if found else f"it ends with {done.returncode}"


def run_many(copy, *options):
    """Tests of ctest up to the first that fails: its name."""
    report = copy.folder / "build/mutants.xml"
    subprocess.run(["ctest", "--test-dir", copy.build, "--stop-on-failure", "--no-tests=error", "--output-junit", report, "--timeout", str(LONGEST),
                    *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    failed = [case.get("name") for case in xml.parse(report).iter("testcase") if case.get("status") == "fail"]
    return failed[0] if failed else None


def try_one(copy, tests, mutant):
    """Who notices; None: nobody does."""
    name, *words = shlex.split(mutant.test)

    def build(*targets):
        built = copy.targets(*targets)
        if built.returncode != 0:
            raise WrongList(f"{mutant.name}: it does not compile\n" + built.stdout[-2000:])

    build(*sorted(copy.needs(tests[name])))
    if who := run_part(tests[name], words):
        return f"`{name}`: {who}"
    if words and (who := run_part(tests[name], [])):
        return f"`{name}`: {who}"
    build("all", "compiler_unit_tests", "runtime_unit_tests")
    for options in (("-L", "unit|file", "-E", "^mutants_list$"), ("-LE", "unit|file|live|page|clock", "-j", str(PROCESSORS)),
                    ("-L", "live|page", "-LE", "clock")):
        if who := run_many(copy, *options):
            return f"`{who}`"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true", help="the mutants that are meant")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutants", metavar="FOLDER")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="where the rows of the table go, too")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    mutants = read_list(HERE / "mutants.txt")
    if arguments.check:
        return check(mutants)
    if unknown := [word for word in arguments.names if not any(mutant.is_meant(word) for mutant in mutants)]:
        raise WrongList(f"no mutant is called {', '.join(unknown)}")
    if arguments.names:
        mutants = [mutant for mutant in mutants if any(mutant.is_meant(word) for word in arguments.names)]
    if arguments.list:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.file}: {mutant.what}")
        return 0
    if status := check(mutants):
        return status

    copy = Copy(arguments.build.resolve())
    copy.folder.mkdir(parents=True, exist_ok=True)
    copy.make()
    tests = copy.tests()
    for mutant in mutants:
        if shlex.split(mutant.test)[0] not in tests:
            raise WrongList(f"{mutant.name}: there is no test {shlex.split(mutant.test)[0]}")
    needed = set().union(*(copy.needs(tests[shlex.split(mutant.test)[0]]) for mutant in mutants))
    print("== building", *sorted(needed), flush=True)
    built = copy.targets(*sorted(needed))
    if built.returncode != 0:
        raise WrongList("the checkout does not build\n" + built.stdout[-2000:])
    print("== without a change", flush=True)
    for test in dict.fromkeys(mutant.test for mutant in mutants):
        name, *words = shlex.split(test)
        if who := run_part(tests[name], words):
            raise WrongList(f"{test} fails without any change: {who}")

    noticed, wrong = 0, 0
    for mutant in mutants:
        file, begin = copy.folder / mutant.file, time.monotonic()
        text = file.read_text()
        file.write_text(mutant.changed(text))
        try:
            who = try_one(copy, tests, mutant)
            noticed += who is not None
        except WrongList as error:
            wrong += 1
            who = "(none) " + str(error)
        finally:
            file.write_text(text)
        row = f"| `{mutant.name}` | {mutant.what} | {who or '**nobody**'} | {time.monotonic() - begin:.0f} |"
        print(row, flush=True)
        if arguments.table:
            with arguments.table.open("a") as table:
                print(row, file=table)
    print(f"== {noticed} of {len(mutants) - wrong} noticed" + (f"; {wrong} cannot be tried" if wrong else ""))
    return 2 if wrong else 0 if noticed == len(mutants) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except WrongList as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
