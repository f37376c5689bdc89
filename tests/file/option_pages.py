"""option_pages.py ANMLC EXAMPLE: the manual pages and completions of the compiler and of an emulator name every option and verb that
their help names, and the shells take them."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ANMLC, EXAMPLE = os.path.abspath(sys.argv[1]), sys.argv[2]
failures = []


def output(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **more)
    if done.returncode != 0:
        failures.append(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def options(program, *verb):
    """What the help lists: the names of options, and of verbs."""
    text = output(program, *verb, "--help")
    text = text.replace("--sandbox [NAME]", "")  # takes the rest of the line, which no table of options knows
    names = [n for line in re.findall(r"^  (-\S+)", text, re.M) for n in line.split(",")]
    return names, re.findall(r"^  ([a-z]+)  ", text.partition("Subcommands:")[2].partition("\n\n")[0], re.M)


def complete(script, name, *words):
    """What bash offers for the last of these words."""
    function = re.search(r"^complete -F (\w+)", script, re.M).group(1)
    quoted = " ".join(f"'{w}'" for w in (name, *words))
    test = f"compopt() {{ :; }}\n{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words)}; {function}; echo ${{COMPREPLY[@]}}\n"
    return output("bash", "--norc", "-c", test).split()


def check(program, verbs):
    pages = {shell: output(program, f"--print-completion={shell}") for shell in ("bash", "zsh", "fish")}
    pages["man"] = output(program, "--print-man")
    for verb in [[], *[[v] for v in verbs]]:
        for name in options(program, *verb)[0]:
            plain = name.lstrip("-")
            forms = {
                "bash": rf"(?<![\w-]){name}",
                "zsh": rf"\*{name}",
                "fish": rf" -(l|s|o) '?{plain}",
                "man": re.escape(name.replace("-", "\\-")),
            }
            for page, form in forms.items():
                if not re.search(form if page != "man" else form, pages[page]):
                    failures.append(f"{program} {' '.join(verb)}: {name} is missing for {page}")
    for verb in verbs:
        for page in ("bash", "zsh", "fish"):
            if not re.search(rf"\b{verb}\b", pages[page]):
                failures.append(f"{program}: the verb {verb} is missing for {page}")
        if f".SS {verb}" not in pages["man"]:
            failures.append(f"{program}: the verb {verb} is missing in the manual page")
    for shell in ("bash", "zsh", "fish"):
        if shutil.which(shell):
            output(shell, "-n", "/dev/stdin", input=pages[shell])
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], input=pages["man"], capture_output=True, text=True)
        if done.stderr:
            failures.append(f"{program}: groff complains of the manual page\n{done.stderr}")
    return pages["bash"]


verbs = options(ANMLC)[1]
assert len(verbs) >= 7, verbs
bash = check(ANMLC, verbs)
expected = [
    (("ch",), {"check"}),
    (("--emit", "ro"), {"routes"}),
    (("--emit", "=", "ro"), {"routes"}),
    (("check", "--error-format", "s"), {"short", "sarif"}),
    (("-f",), {"-fsyntax-only"}),
    (("-O",), {"-O0", "-O2"}),
    (("explain", "unit-m"), {"unit-mismatch"}),
    (("doc", "std.w"), {"std.web"}),
    (("check", "-Werr"), {"-Werror"}),
]
for words, wanted in expected:
    if not wanted <= set(complete(bash, "anmlc", *words)):
        failures.append(f"bash completes {words} to {complete(bash, 'anmlc', *words)}")

with tempfile.TemporaryDirectory() as folder:
    emulator = folder + "/emu"
    output(ANMLC, "-O0", EXAMPLE, "-o", emulator)
    script = check(emulator, ["simulate", "live", "info", "doctor", "ctl", "shell", "exec"])
    for words, wanted in [(("sim",), {"simulate"}), (("simulate", "--set", "li"), {"line="}), (("live", "--no"), {"--no-workload"})]:
        if not wanted <= set(complete(script, "emu", *words)):
            failures.append(f"bash completes {words} of an emulator to {complete(script, 'emu', *words)}")

print("\n".join(failures) or "option pages: fine")
sys.exit(bool(failures))
