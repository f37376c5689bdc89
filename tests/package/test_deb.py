#!/usr/bin/env python3
"""Debian's package and the tarball, as cpack makes them."""
import pathlib
import re
import shutil
import unittest

from packages import BUILD, ROOT, Bare, PackageTest, can_make_roots, is_released, libraries_of, run


class Packed(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.packed = cls.folder / "packed"
        # Quick to compress: scripts/package takes longer and makes smaller files.
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.packed, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", cwd=cls.folder)

    def test_they_are_released(self):
        files = [path for path in self.packed.iterdir() if path.is_file()]
        self.assertEqual(len(files), 2, files)
        for path in files:
            self.assertTrue(is_released(path), path.name)
        self.assertIn("-B build/packages\n", (ROOT / "scripts/package").read_text())
        self.passes_the_release(next(self.packed.glob("*.tar.gz")), "the tarball")

    def test_tarball(self):
        [tarball] = self.packed.glob("*.tar.gz")
        where = self.folder / "un packed"
        where.mkdir()
        run("tar", "xf", tarball, "-C", where)
        [top] = where.iterdir()
        self.assertEqual(top.name, tarball.name.removesuffix(".tar.gz"))
        self.compiles_and_runs(top / "bin/anmlc", "-O0")

    def test_debian(self):
        [package] = self.packed.glob("*.deb")
        self.assertRegex(package.name, r"^anml_[0-9.]+-\d+_(amd64|arm64)\.deb$")
        fields = run("dpkg-deb", "--field", package)
        depends = re.search(r"^Depends: (.*)$", fields, re.M).group(1)
        self.assertRegex(depends, r"libc6 \(>= 2\.\d+\)")
        self.assertEqual({word.split()[0] for word in depends.split(", ")}, {"libc6", "libmetis5", "libtbb12", "libmd4c0", "libmd4c-html0", "libstdc++6", "libgcc-s1"})
        listed = run("dpkg-deb", "--contents", package)
        for path in ("usr/bin/anmlc", "usr/lib/anml/libanmlrt.a", "usr/lib/anml/anmlrt.bc", "usr/share/man/man1/anmlc.1.gz", "usr/share/bash-completion/completions/anmlc",
                     "usr/share/zsh/vendor-completions/_anmlc", "usr/share/fish/vendor_completions.d/anmlc.fish", "usr/share/doc/anml/copyright",
                     "usr/share/doc/anml/changelog.Debian.gz", "usr/share/doc/anml/docs/stdlib.md", "usr/share/anml/editors/emacs/anml-mode.el", "usr/share/anml/editors/vscode/package.json"):
            self.assertRegex(listed, rf"(?m) \./{re.escape(path)}$")
        self.assertNotIn("libmetis.so", listed)
        self.assertNotRegex(listed, r"(?m)^\S+ (?!root/root)")

    @unittest.skipUnless(can_make_roots(), "this user may make no namespaces")
    def test_it_runs_where_only_what_it_depends_on_is(self):
        bare = Bare(self.folder / "root")
        run("dpkg-deb", "--extract", next(self.packed.glob("*.deb")), bare.folder)
        for library in libraries_of(BUILD / "bin/anmlc"):
            bare.add(library)
        shutil.copy(self.folder / "pair.anml", bare.folder)
        # The tarball, which has the same files, compiles at -O2 (passes_the_release).
        bare.run("/usr/bin/anmlc", "-O0", "/pair.anml", "-o", "/tmp/pair")
        self.assertRegex(bare.run("/tmp/pair", "simulate"), r"transactions +\d+ completed")

    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian(self):
        """Of static libraries two members say what all would, in a third of the time."""
        lean = self.folder / "lean"
        run("dpkg-deb", "--raw-extract", next(self.packed.glob("*.deb")), lean)
        for library in lean.rglob("*.a"):
            members = sorted(set(run("ar", "t", library).split()))
            run("ar", "d", library, *members[2:])
        files = sorted(path.relative_to(lean) for path in lean.glob("usr/**/*") if path.is_file() and not path.is_symlink())
        (lean / "DEBIAN/md5sums").write_text(run("md5sum", *files, cwd=lean))
        package = self.folder / "lean.deb"
        run("dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", lean, package)
        said = run("lintian", "--allow-root", "--fail-on", "none", "--display-info", "--tag-display-limit", "0", package)
        self.assertEqual([line for line in said.splitlines() if line.startswith(("E:", "W:")) or "-override " in line], [])


if __name__ == "__main__":
    unittest.main()
