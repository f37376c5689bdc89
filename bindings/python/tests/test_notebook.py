"""examples/tour.ipynb has the outputs that its cells have today: they are run here, without Jupyter."""
import ast
import asyncio
import base64
import contextlib
import io
import json
import os
import pathlib
import struct
import unittest

try:
    import matplotlib
    import pandas
except ImportError:
    if "ANML_WITH_LIBRARIES" in os.environ:
        raise
    matplotlib = pandas = None
else:
    matplotlib.use("Agg")
    from matplotlib import pyplot

NOTEBOOK = pathlib.Path(__file__).resolve().parents[1] / "examples/tour.ipynb"
AGAIN = "jupyter nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False bindings/python/examples/tour.ipynb"


def run_cell(source, names):
    """What it prints, the last expression's value unless a semicolon stands behind it, and the figures that it made."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for part, mode in ((tree, "exec"), (last and ast.Expression(last.value), "eval")):
            if part is None:
                continue
            code = compile(part, "tour.ipynb", mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            value = eval(code, names)
            if asyncio.iscoroutine(value):
                value = asyncio.run(value)
    shown = None if last is None or value is None or source.rstrip().endswith(";") else repr(value)
    figures = [tuple(round(size) for size in pyplot.figure(number).get_size_inches() * 100) for number in pyplot.get_fignums()]
    pyplot.close("all")
    return printed.getvalue(), shown, figures


def lines_of(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


@unittest.skipUnless(matplotlib and pandas, "matplotlib and pandas are not installed")
class Notebook(unittest.TestCase):
    def test_outputs_are_todays(self):
        cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 8)
        self.assertEqual([cell["execution_count"] for cell in cells], list(range(1, len(cells) + 1)), "run in their order")
        names, figures = {"__name__": "__main__"}, 0
        for cell in cells:
            source = "".join(cell["source"])
            printed, value, drawn = run_cell(source, names)
            outputs = {"printed": "", "value": None, "figures": []}
            for output in cell["outputs"]:
                if output["output_type"] == "stream":
                    self.assertEqual(output["name"], "stdout", source)
                    outputs["printed"] += "".join(output["text"])
                elif output["output_type"] == "execute_result":
                    outputs["value"] = "".join(output["data"]["text/plain"])
                else:
                    image = base64.b64decode(output["data"]["image/png"])
                    self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
                    outputs["figures"].append(struct.unpack(">II", image[16:24]))
                    self.assertGreater(len(image), 4000, source)
            with self.subTest(source.splitlines()[0]):
                message = f"make them anew: {AGAIN}"
                self.assertEqual(lines_of(printed), lines_of(outputs["printed"]), message)
                self.assertEqual(value and lines_of(value), outputs["value"] and lines_of(outputs["value"]), message)
                self.assertEqual(len(drawn), len(outputs["figures"]), message)
                for ours, (width, height) in zip(drawn, outputs["figures"]):  # cut to what is drawn
                    self.assertLess(abs(ours[1] / ours[0] - height / width), 0.12, message)
            figures += len(drawn)
        self.assertGreaterEqual(figures, 6)


if __name__ == "__main__":
    unittest.main()
