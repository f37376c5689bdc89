#!/usr/bin/env python3
"""`cmake --install`: what is there, that it works where it lies and elsewhere, and that it needs no compiler."""
import pathlib
import re
import shutil
import unittest

from packages import BUILD, PackageTest, run


class Installed(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_what_is_there(self):
        for path in ("bin/anmlc", "lib/anml/libanmlrt.a", "lib/anml/libanmltls.a", "lib/anml/anmlrt.bc", "lib/anml/link/libc.so.6", "lib/anml/mpi/plugin.c", "share/man/man1/anmlc.1",
                     "share/bash-completion/completions/anmlc", "share/zsh/site-functions/_anmlc", "share/fish/vendor_completions.d/anmlc.fish",
                     "share/doc/anml/docs/stdlib.md", "share/doc/anml/terms/llvm-19-dev.txt", "share/anml/editors/emacs/anml-mode.el", "share/anml/editors/vscode/package.json", "share/anml/editors/vscode/src/extension.ts"):
            self.assertTrue((self.prefix / path).is_file(), path)
        self.assertEqual([p for p in self.prefix.rglob("*") if "__pycache__" in p.parts or p.suffix == ".pyc"], [])

    def test_links_of_the_documentation(self):
        """Each relative link of a page leads to something that is installed."""
        pages = sorted((self.prefix / "share/doc/anml").rglob("*.md"))
        self.assertGreater(len(pages), 100)
        links, gone = 0, []
        for page in pages:
            text = re.sub(r"^```.*?^```$|`[^`\n]+`", "", page.read_text(), flags=re.M | re.S)
            for link in re.findall(r"\]\(([^)\s#]+)[^)\s]*\)", text):
                if not re.match(r"[a-z]+:", link):
                    links += 1
                    gone += [] if (page.parent / link).exists() else [f"{page.relative_to(self.prefix)}: {link}"]
        self.assertEqual(gone, [])
        self.assertGreater(links, 500)
        self.assertEqual([p for p in self.prefix.rglob("*") if p.name == "node_modules"], [])

    def test_it_works_elsewhere(self):
        self.compiles_and_runs(self.prefix / "bin/anmlc", "-O0", "-O2")
        moved = self.folder / "else where"
        shutil.copytree(self.prefix, moved, copy_function=shutil.copy)
        self.prefix.rename(self.folder / "gone")
        self.addCleanup((self.folder / "gone").rename, self.prefix)
        self.compiles_and_runs(moved / "bin/anmlc", "-O0")

    def test_it_needs_the_c_library_alone(self):
        dynamic = run("readelf", "-W", "-d", self.prefix / "bin/anmlc")
        own = {p.name for p in (self.prefix / "lib/anml").glob("*.so.*")}
        needed = {line.split("[")[1].rstrip("]") for line in dynamic.splitlines() if "NEEDED" in line}
        self.assertEqual({n for n in needed - own if not n.startswith("ld-linux-")} - {"libc.so.6", "libm.so.6"}, set())

    def test_the_emulator_asks_for_no_version_that_the_library_has_not(self):
        """Its stubs have the names and versions of this system's C library."""
        stub = run("readelf", "-W", "--dyn-syms", self.prefix / "lib/anml/link/libc.so.6")
        real = run("readelf", "-W", "--dyn-syms", next(p for p in pathlib.Path("/").glob("lib/*/libc.so.6")))
        names = lambda text: {word for line in text.splitlines() if "UND" not in line for word in line.split() if "@@GLIBC_2" in word and not word.startswith("GLIBC_")}
        self.assertEqual(names(stub), names(real))
        self.assertGreater(len(names(stub)), 2000)


if __name__ == "__main__":
    unittest.main()
