"""integrations.py ANMLC: the hooks of pre-commit and the action of GitHub, as their files say, on the package that
`anmlc new` makes, in a git repository: they pass, find what is wrong, and say it once. And the workflow of releases: what it
names is there. What its steps do with packages tests/package tries."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import yaml

ANMLC = pathlib.Path(sys.argv[1]).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = ROOT / "integrations/github-action"
LONE = "import std.ether\nmodel Lone {\n  host a\n  host b\n  host lone\n  link a -- b : ether.gigabit\n  run { duration = 1 s }\n}\n"
wrong = []


def expect(holds, message, said=""):
    if not holds:
        wrong.append(f"{message}\n{said}".rstrip())


def git(folder, *words):
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t.example", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def hooks(folder, env):
    """What pre-commit does: each hook's entry with the names of staged files that its pattern takes, from the root. By id: status and words."""
    files = git(folder, "diff", "--cached", "--name-only", "--diff-filter=d").split()
    results = {}
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        expect(hook["language"] == "system" and hook["name"] and hook["description"], f"the hook {hook['id']} says too little")
        names = [name for name in files if re.search(hook["files"], name)]
        if not hook.get("pass_filenames", True):
            names = []
        before = {name: (folder / name).read_text() for name in names}
        done = subprocess.run([*shlex.split(hook["entry"]), *hook.get("args", []), *names], cwd=folder, env=env, capture_output=True, text=True)
        changed = any((folder / name).read_text() != text for name, text in before.items())
        results[hook["id"]] = (done.returncode or int(changed), done.stdout + done.stderr)
    return results


def action(folder, env, **inputs):
    """The steps of the composite action, with the runner's variables."""
    about = yaml.safe_load((ACTION / "action.yml").read_text())
    values = {name: inputs.get(name, value.get("default", "")) for name, value in about["inputs"].items()}
    expect(not set(inputs) - set(values), f"the action has no inputs {set(inputs) - set(values)}")
    expect(about["runs"]["using"] == "composite", "the action is no composite one")
    said = ""
    for step in about["runs"]["steps"]:
        fill = lambda text: re.sub(r"\$\{\{ *inputs\.(\w+) *\}\}", lambda m: values[m[1]], str(text))
        given = {name: fill(value) for name, value in step.get("env", {}).items()}
        expect("${{" not in fill(step["run"]), "the step's words are not all known")
        # As the runner begins `shell: bash`.
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", fill(step["run"])], cwd=folder, capture_output=True, text=True,
                              env={**env, **given, "GITHUB_ACTION_PATH": str(ACTION)})
        said += done.stdout + done.stderr
        if done.returncode:
            return done.returncode, said
    return 0, said


def workflow():
    """Actions have versions, the shell takes each step, scripts and models are there, and jobs wait for each other."""
    about = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    expect(about[True] == {"push": {"tags": ["v*"]}}, "releases are not made at tags alone")  # YAML takes `on` for true
    jobs = list(about["jobs"].items())
    for (name, job), (before, _) in zip(jobs[1:], jobs):
        expect(job["needs"] == before, f"the job {name} does not wait for {before}")
    steps = [step for _, job in jobs for step in job["steps"]]
    named = set()
    for step in steps:
        if "uses" in step:
            expect(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]), f"{step['uses']} has no version")
            continue
        done = subprocess.run(["bash", "-n", "-c", step["run"]], capture_output=True, text=True)
        expect(done.returncode == 0, "a step is no shell", done.stderr)
        named |= {word for word in step["run"].split() if word.startswith(("scripts/", "examples/"))}
    for path in named:
        expect((ROOT / path).is_file(), f"there is no {path}")
        expect(not path.startswith("scripts/") or os.access(ROOT / path, os.X_OK), f"{path} cannot be run")
    expect({"scripts/wheel", "scripts/package"} <= named, "the packages are not made")


def main():
    workflow()
    with tempfile.TemporaryDirectory(prefix="anml-hooks-") as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "bin").mkdir()
        (scratch / "bin/anmlc").symlink_to(ANMLC)
        env = {**os.environ, "PATH": f"{scratch / 'bin'}:{os.environ['PATH']}"}
        subprocess.run(["anmlc", "new", "pack"], cwd=scratch, env=env, check=True, capture_output=True)
        folder = scratch / "pack"
        git(folder, "init", "-q")
        git(folder, "add", "-A")

        for name, (status, said) in hooks(folder, env).items():
            expect(status == 0 and not said, f"{name} fails for a new package", said)
        for inputs in ({}, {"files": "src examples tests"}, {"files": "tests/no_staff.anml src/pack.anml"}, {"lint": "false"}):
            status, said = action(folder, env, **inputs)
            expect(status == 0 and not said, f"the action with {inputs} fails for a new package", said)

        # An error that is expected in vain, one that is not expected, a style, and a warning.
        expected = folder / "tests/no_staff.anml"
        text = expected.read_text()
        expected.write_text(text.replace("staff = 0", "staff = 1"))
        found = hooks(folder, env)
        expect(found["anml-check"][0] == 1 and "[unmet-expectation]" in found["anml-check"][1], "anml-check passes an unmet expectation", found["anml-check"][1])
        expect(found["anml-lint"][0] == 1, "anml-lint passes an unmet expectation", found["anml-lint"][1])
        expected.write_text(text.replace("model NoStaff {", "model NoStaff {\n  host"))
        status, said = action(folder, env, files="tests/no_staff.anml", sarif="x.sarif")
        expect(status == 1 and said.startswith("::error file=tests/no_staff.anml,line="), "the action passes an error", said)
        expect('"level": "error"' in (folder / "x.sarif").read_text(), "the log lacks the error")
        expected.write_text(text.replace("  run {", "  run   {"))
        found = hooks(folder, env)
        expect(found["anml-fmt"][0] == 1 and expected.read_text() == text, "anml-fmt does not write the style", found["anml-fmt"][1])
        (folder / "lone.anml").write_text(LONE)
        git(folder, "add", "lone.anml")
        found = hooks(folder, env)
        expect(found["anml-lint"][0] == 1 and "unconnected-node" in found["anml-lint"][1], "anml-lint passes a warning", found["anml-lint"][1])
        status, said = action(folder, env, sarif="y.sarif")
        expect(status == 0 and said.count("unconnected-node") == 1, "the action says a warning as often as it looks", said)
        expect((folder / "y.sarif").read_text().count('"ruleId": "unconnected-node"') == 1, "the log lacks the warning")
    for text in wrong:
        print(text, file=sys.stderr)
    sys.exit(bool(wrong))


main()
