#!/usr/bin/env python3
"""The wheel, installed where there is nothing but Python and the C library: models compile and run there."""
import os
import pathlib
import sys
import sysconfig
import unittest
import zipfile

from packages import BUILD, PYTHON, ROOT, Bare, PackageTest, can_make_roots, is_released, libraries_of, run


def make_wheel(folder):
    prefix = folder / "prefix"
    run("cmake", "--install", BUILD, "--prefix", prefix, "--strip")
    return pathlib.Path(run(PYTHON, ROOT / "packaging/wheel.py", prefix, folder / "wheels").strip())


class Wheel(PackageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.wheel = make_wheel(cls.folder)

    def test_it_says_what_it_is(self):
        tag = "-".join(self.wheel.stem.split("-")[2:])
        self.assertRegex(tag, r"^py3-none-manylinux_2_\d+_(x86_64|aarch64)$")
        with zipfile.ZipFile(self.wheel) as file:
            about = next(file.read(n).decode() for n in file.namelist() if n.endswith(".dist-info/WHEEL"))
            metadata = next(file.read(n).decode() for n in file.namelist() if n.endswith(".dist-info/METADATA"))
            self.assertTrue([n for n in file.namelist() if n.endswith("share/anml/editors/vscode/package.json")])
            times = {info.date_time for info in file.infolist()}
        self.assertIn(f"Tag: {tag}", about.splitlines())
        self.assertRegex(metadata, r"(?m)^License(-Expression)?: Apache-2.0$")
        self.assertIn("Root-Is-Purelib: false", about.splitlines())
        self.assertEqual(len(times), 1)

    def test_it_is_released(self):
        self.assertTrue(is_released(self.wheel), self.wheel.name)
        self.assertIn('packaging/wheel.py "$prefix" build/packages\n', (ROOT / "scripts/wheel").read_text())
        self.passes_the_release(self.wheel, "the wheel")

    @unittest.skipUnless(can_make_roots(), "this user may make no namespaces")
    def test_it_needs_python_and_the_c_library(self):
        bare = Bare(self.folder / "root")
        python = pathlib.Path(os.path.realpath(sys.executable))
        standard = pathlib.Path(sysconfig.get_path("stdlib"))
        for path in [python, standard, *libraries_of(python)]:
            bare.add(path)
        for name in ("zlib", "binascii", "_struct", "_hashlib", "pyexpat", "_ctypes"):
            for extension in (standard / "lib-dynload").glob(f"{name}.*.so"):
                for library in libraries_of(extension):
                    bare.add(library)
        import pip
        bare.add(pathlib.Path(pip.__file__).parents[1])
        there = bare.folder / self.wheel.name
        there.write_bytes(self.wheel.read_bytes())
        (bare.folder / "pair.anml").write_text((self.folder / "pair.anml").read_text())
        # Nothing to compile or link with, and no library of C++.
        for path in bare.folder.rglob("*"):
            self.assertNotRegex(path.name, r"^(c\+\+|g\+\+|gcc|cc|clang.*|ld|ld\..*|as|libstdc\+\+.*)$")

        bare.run(python, "-m", "pip", "--disable-pip-version-check", "install", "--no-index", "--prefix", "/opt", f"/{there.name}")
        [anmlc] = bare.folder.glob("opt/**/bin/anmlc")
        anmlc = pathlib.Path("/") / anmlc.relative_to(bare.folder)
        self.assertRegex(bare.run(anmlc, "--version"), r"\d+\.\d+")
        bare.run(anmlc, "-O0", "/pair.anml", "-o", "/tmp/pair")  # at -O2 in passes_the_release
        self.assertRegex(bare.run("/tmp/pair", "simulate"), r"transactions +\d+ completed")
        # The Python package finds it, too.
        [package] = bare.folder.glob("opt/**/anml/__init__.py")
        program = f"import sys; sys.path.insert(0, '/{package.parents[1].relative_to(bare.folder)}')\n" \
                  "import anml.compiler; print(anml.compiler.find_anmlc())"
        self.assertEqual(bare.run(python, "-c", program).strip(), str(anmlc))


if __name__ == "__main__":
    unittest.main()
