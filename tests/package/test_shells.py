#!/usr/bin/env python3
"""Completions as an interactive bash, zsh and fish offer them, of files where they are installed; and the manual page."""
import os
import pathlib
import shutil
import subprocess
import unittest

from packages import BUILD, PackageTest, run

# A line of zsh in a terminal of its own: what it lists after a TAB.
ZSH = r"""
zmodload zsh/zpty
zpty shell 'PS1=READY TERM=dumb zsh -f -i'
zpty -w shell 'fpath=($FUNCTIONS $fpath); autoload -Uz compinit; compinit -u -D; zstyle ":completion:*" list-prompt ""; LISTMAX=0; unsetopt zle_bracketed_paste prompt_sp; setopt no_beep; echo DO"NE"'
zpty -r -m shell line '*DONE*'
zpty -w -n shell "$TYPED"$'\t'
seen=
repeat 300 { sleep 0.1; while zpty -r -t shell part; do seen+=$part; done; [[ $seen == *$~WANTED* ]] && break }
print -r -- "$seen"
zpty -d shell
"""


class Shells(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.environment = {"PATH": f"{cls.prefix}/bin:{os.environ['PATH']}", "HOME": str(cls.folder), "TERM": "dumb", "XDG_DATA_DIRS": f"{cls.prefix}/share:/usr/share"}

    def bash(self, line):
        script = f"""
. /usr/share/bash-completion/bash_completion
_completion_loader anmlc
complete -p anmlc | grep -q -- '-F' || exit 9
COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}
eval "COMP_WORDS=({line})"; [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMP_TYPE=9
compopt() {{ :; }}
$(complete -p anmlc | sed 's/.*-F \\([^ ]*\\) .*/\\1/') anmlc
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        return run("bash", "--norc", "-c", script, env=self.environment).split()

    def fish(self, line):
        seen = run("fish", "--no-config", "-c", f"source {self.prefix}/share/fish/vendor_completions.d/anmlc.fish; complete -C '{line}'", env=self.environment)
        return [entry.split("\t")[0] for entry in seen.splitlines()]

    def zsh(self, line, wanted):
        environment = {**self.environment, "FUNCTIONS": f"{self.prefix}/share/zsh/site-functions", "TYPED": line, "WANTED": wanted}
        return subprocess.run(["zsh", "-f", "-c", ZSH], capture_output=True, text=True, timeout=60, env=environment, cwd=self.folder).stdout

    # What is typed, and words that are offered then, among others.
    EXPECTED = [("anmlc ch", ["check"]), ("anmlc explain unit-m", ["unit-mismatch"]), ("anmlc doc std.we", ["std.web"])]

    @unittest.skipUnless(os.path.exists("/usr/share/bash-completion/bash_completion"), "there is no bash-completion")
    def test_bash_finds_and_offers_them(self):
        for line, words in [*self.EXPECTED, ("anmlc --emit ro", ["routes"])]:
            with self.subTest(line):
                self.assertLessEqual(set(words), set(self.bash(line)))

    @unittest.skipUnless(shutil.which("fish"), "there is no fish")
    def test_fish_offers_them(self):
        for line, words in [*self.EXPECTED, ("anmlc --emit ro", ["routes"]), ("anmlc --e", ["--emit", "--explain", "--error-format"])]:
            with self.subTest(line):
                self.assertLessEqual(set(words), set(self.fish(line)))

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh_offers_them(self):
        for line, words in [*self.EXPECTED, ("anmlc --emit=ro", ["routes"])]:
            with self.subTest(line):
                # zsh completes the word where there is only one.
                self.assertIn(words[0], self.zsh(line, words[0]))

    @unittest.skipUnless(shutil.which("man"), "there is no man")
    def test_manual_page(self):
        said = subprocess.run(["man", "--warnings", "-l", self.prefix / "share/man/man1/anmlc.1"], capture_output=True, text=True,
                              env={**self.environment, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertIn("--error-format", said.stdout)


if __name__ == "__main__":
    unittest.main()
