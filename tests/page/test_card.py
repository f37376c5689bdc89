"""The card of the language, docs/card.md, is two printed pages, in letters that can be read, and nothing is cut."""
import os
import pathlib
import re
import sys
import tempfile
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "site"))
import card  # noqa: E402


def pages(path):
    return len(re.findall(rb"/Type /Page\b", path.read_bytes()))


class Card(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="anml-card-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def test_two_pages(self):
        card.main(self.folder / "card.pdf")
        self.assertEqual(pages(self.folder / "card.pdf"), 2)
        longer = self.folder / "longer.md"
        longer.write_text(card.CARD.read_text() + "\n```anml\n" + "let x = 1\n" * 100 + "```\n")
        card.main(self.folder / "longer.pdf", longer)
        self.assertEqual(pages(self.folder / "longer.pdf"), 3)

    def test_legible(self):
        """No line ends beyond its column, and letters are 5.5 points high at least."""
        card.main(self.folder / "card.html")
        browser = Browser(os.environ["CHROMIUM"])
        self.addCleanup(browser.close)
        browser.call("Emulation.setEmulatedMedia", media="print")
        browser.open(str(self.folder / "card.html"))
        lines, wide, size = browser.run(
            "(() => { const all = [...document.querySelectorAll('pre')]; return [all.length, all.filter((e) => e.scrollWidth > e.clientWidth + 1).length,"
            " Math.min(...all.map((e) => parseFloat(getComputedStyle(e).fontSize)))]; })()")
        self.assertGreater(lines, 200)
        self.assertEqual(wide, 0)
        self.assertGreaterEqual(size * 72 / 96, 5.5)
        self.assertEqual(browser.problems(), [])


if __name__ == "__main__":
    unittest.main()
