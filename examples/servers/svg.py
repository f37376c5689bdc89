"""Plots as SVG: a frame with ticks, points, lines and bands in data coordinates, a legend. Nothing but text is needed to draw them."""
import math
from xml.sax.saxutils import escape

COLOURS = ["#1f6fb4", "#d1602b", "#2b8a4b", "#7d4fa3", "#8a6d1f", "#b02a52"]
LEFT, TOP, RIGHT, BOTTOM = 64, 34, 16, 52


class Plot:
    """x and y: (from, to); with `log_x` in powers of ten."""

    def __init__(self, title, x, y, x_label, y_label, width=860, height=380, log_x=False):
        self.x, self.y, self.log_x = x, y, log_x
        self.width, self.height = width, height
        self.shapes, self.keys = [], []
        self.texts = [self.text(width / 2, 20, title, "middle", 15), self.text(width - RIGHT, height - 19, x_label, "end", 12),
                      f'<text transform="translate(16 {(TOP + height - BOTTOM) / 2}) rotate(-90)" text-anchor="middle" font-size="12">{escape(y_label)}</text>']

    def text(self, x, y, text, anchor="start", size=11, turn=None):
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{turned}>{escape(text)}</text>'

    def across(self, x):
        low, high, x = (math.log10(v) for v in (*self.x, max(x, 1e-300))) if self.log_x else (*self.x, x)
        return LEFT + (x - low) / (high - low) * (self.width - LEFT - RIGHT)

    def up(self, y):
        y = min(max(y, self.y[0]), self.y[1])
        return self.height - BOTTOM - (y - self.y[0]) / (self.y[1] - self.y[0]) * (self.height - TOP - BOTTOM)

    def x_ticks(self, ticks):
        """(place, label) each."""
        for place, label in ticks:
            at, floor = self.across(place), self.height - BOTTOM
            self.shapes.insert(0, f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{floor}" stroke="#e4e4e4"/>')
            self.texts.append(self.text(at, floor + 16, label, "middle"))

    def y_ticks(self, ticks):
        for place, label in ticks:
            at = self.up(place)
            self.shapes.insert(0, f'<line x1="{LEFT}" y1="{at:.1f}" x2="{self.width - RIGHT}" y2="{at:.1f}" stroke="#e4e4e4"/>')
            self.texts.append(self.text(LEFT - 6, at + 4, label, "end"))

    def band(self, low, high, colour="#eef4ea"):
        self.shapes.insert(0, f'<rect x="{LEFT}" y="{self.up(high):.1f}" width="{self.width - LEFT - RIGHT}" '
                              f'height="{self.up(low) - self.up(high):.1f}" fill="{colour}"/>')

    def parting(self, x, label):
        """A vertical line with a word to its right, at the top."""
        at = self.across(x)
        self.shapes.append(f'<line x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{self.height - BOTTOM}" stroke="#999" stroke-dasharray="2 3"/>')
        self.texts.append(self.text(at + 4, TOP + 13, label))

    def key(self, name, series):
        if name and name not in self.keys:
            self.keys.append(name)
            self.texts.append(f'<circle cx="{LEFT + 8 + 128 * (len(self.keys) - 1)}" cy="{self.height - BOTTOM + 29}" r="4" fill="{COLOURS[series]}"/>')
            self.texts.append(self.text(LEFT + 16 + 128 * (len(self.keys) - 1), self.height - BOTTOM + 33, name))

    def points(self, places, series, name=None):
        self.key(name, series)
        self.shapes += [f'<circle cx="{self.across(x):.1f}" cy="{self.up(y):.1f}" r="3" fill="{COLOURS[series]}" fill-opacity="0.8"/>' for x, y in places]

    def line(self, places, series, name=None, dashed=False):
        self.key(name, series)
        path = " ".join(f"{self.across(x):.1f},{self.up(y):.1f}" for x, y in places)
        self.shapes.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[series]}" stroke-width="1.6"{" stroke-dasharray=" + chr(34) + "5 3" + chr(34) if dashed else ""}/>')

    def write(self, path):
        frame = (f'<rect x="{LEFT}" y="{TOP}" width="{self.width - LEFT - RIGHT}" height="{self.height - TOP - BOTTOM}" fill="none" stroke="#555"/>')
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" fill="#222">\n'
                        f'<rect width="{self.width}" height="{self.height}" fill="#fff"/>\n' + "\n".join(self.shapes + [frame] + self.texts) + "\n</svg>\n")
