"""What docs/python.md and the example show works."""
import contextlib
import io
import os
import pathlib
import re
import runpy
import shutil
import sys
import tempfile
import types
import unittest
from unittest import mock

import anml
from anml import compiler

ROOT = pathlib.Path(__file__).resolve().parents[3]


def compile_quickly(path, source, output, level, *more, compile_program=compiler.compile_program):
    """At the level that is asked for where all is tried; else without optimisation, which runs the same."""
    return compile_program(path, source, output, level if "ANML_ALL" in os.environ else 0, *more)


class Documentation(unittest.TestCase):
    @mock.patch.object(compiler, "compile_program", compile_quickly)
    def test_programs(self):
        text = (ROOT / "docs/python.md").read_text()
        programs = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(programs), 4)
        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "examples/paper-wan/wan.anml", folder)
            os.chdir(folder)
            try:
                for program in programs:
                    with self.subTest(program.splitlines()[0]), contextlib.redirect_stdout(io.StringIO()) as printed:
                        exec(compile(program, "docs/python.md", "exec"), {"__name__": "example"})
                    self.assertNotEqual(printed.getvalue() if "print(" in program else "-", "")
            finally:
                os.chdir(here)

    def test_message(self):
        """The message that the page shows, but for where the program lies."""
        text = (ROOT / "docs/python.md").read_text()
        program = re.search(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE).group(1)
        shown = re.search(r"^```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE).group(1)
        wrong = program.replace("to=east.pc.all", 'to="nowhere"')
        self.assertNotEqual(wrong, program)
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(anml.CompileError) as raised:
            here = os.getcwd()
            os.chdir(folder)
            try:
                exec(compile(wrong, "/home/me/pair.py", "exec"), {"__name__": "example"})
            finally:
                os.chdir(here)
        self.assertEqual(str(raised.exception).strip(), shown.strip())


class Example(unittest.TestCase):
    def test_without_matplotlib(self):
        """Says so before it runs anything."""
        path = ROOT / "bindings/python/examples/sweep.py"
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.pyplot": None}), \
                mock.patch.object(anml, "sweep") as sweep, mock.patch.object(sys, "argv", ["sweep.py", "rates.png"]), \
                self.assertRaises(ImportError):
            runpy.run_path(str(path), run_name="__main__")
        sweep.assert_not_called()

    def test_sweep(self):
        """The example as it stands, at fewer points; what would plot notes the curves."""
        curves, pyplot = {}, mock.MagicMock()
        pyplot.plot.side_effect = lambda x, y, label, **more: curves.update({label: (x, y)})
        library = types.ModuleType("matplotlib")
        library.pyplot = pyplot
        real = anml.sweep

        def small(model, **given):
            return real(model, **{**given, "H": given["H"][::3], "duration": "4 s", "level": 0, "progress": False})

        path = ROOT / "bindings/python/examples/sweep.py"
        self.assertLess(len(path.read_text().splitlines()), 30)
        with mock.patch.dict(sys.modules, {"matplotlib": library, "matplotlib.pyplot": pyplot}), \
                mock.patch.object(anml, "sweep", small), mock.patch.object(sys, "argv", ["sweep.py", "rates.png"]), \
                contextlib.redirect_stdout(io.StringIO()) as printed:
            runpy.run_path(str(path), run_name="__main__")
        self.assertEqual(len(curves), 4)
        self.assertEqual(len(printed.getvalue().splitlines()), 4)
        pyplot.savefig.assert_called_once_with("rates.png")
        for n in (1, 8):
            near, far = curves[f"N = {n}, D = 1 ms"], curves[f"N = {n}, D = 8 ms"]
            self.assertEqual(len(near[0]), len(near[1]))
            self.assertGreater(near[1][0], far[1][0])  # a longer way, fewer transactions
            self.assertGreater(near[1][-1], near[1][0])  # more clients, more of them


if __name__ == "__main__":
    unittest.main()
