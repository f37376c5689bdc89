"""Pictures of anmlc graph as a browser draws them: no label lies over another, and none is wider than a screen."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted(ROOT.glob("examples/*/*.anml"))
WIDEST = 1760  # a map of 1500 and its labels
LABELS = """(() => {
  const labels = [...document.querySelectorAll('text.t, text.f')].map((e) => [e.textContent, e.getBBox()]), over = [];
  for (let i = 0; i < labels.length; ++i)
    for (let j = 0; j < i; ++j) {
      const [a, b] = [labels[i][1], labels[j][1]];
      const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x), down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      if (across > 1.5 && down > 0.3 * Math.min(a.height, b.height)) over.push([labels[i][0], labels[j][0]]);
    }
  return [document.documentElement.width.baseVal.value, labels.length, over];
})()"""


class Pictures(unittest.TestCase):
    def look(self, browser, model, *options):
        with tempfile.TemporaryDirectory(prefix="anml-pictures-") as folder:
            picture = os.path.join(folder, "picture.svg")
            subprocess.run([os.environ["ANMLC"], "graph", model, *options, "-o", picture], check=True, cwd=model.parent, timeout=60)
            browser.open(picture)
            return browser.run(LABELS)

    def test_labels(self):
        browser = Browser(os.environ["CHROMIUM"])
        self.addCleanup(browser.close)
        seen = 0
        for model in MODELS:
            with self.subTest(f"{model.parent.name}/{model.name}"):
                width, labels, over = self.look(browser, model)
                self.assertEqual(over, [])
                self.assertLess(width, WIDEST)
                seen += labels
        self.assertGreater(seen, 500)
        for model, *options in (["services", "--show", "calls"], ["ixp", "--unfold", "member"]):
            width, labels, over = self.look(browser, ROOT / f"examples/networks/{model}.anml", *options)
            self.assertEqual((over, width < WIDEST, labels > 20), ([], True, True))


if __name__ == "__main__":
    unittest.main()
