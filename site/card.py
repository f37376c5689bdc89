"""Makes two printed pages of docs/card.md: HTML with print CSS, or by headless Chromium a PDF.

    site/card.py OUTPUT.html|OUTPUT.pdf

The card's text is the repository's, so that it says what the documentation says. Chromium is $CHROMIUM, or found in the PATH.
"""
import html
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
CARD = ROOT / "docs/card.md"
STYLE = """
@page { size: A4 landscape; margin: 5mm 6mm }
body { margin: 0; font: 6pt/1.13 "DejaVu Sans Mono", "Liberation Mono", monospace; color: #111; column-count: 2;
       column-gap: 5mm; column-rule: 0.2mm solid #ccc; column-fill: auto }
h1, h2, p { font-family: "DejaVu Sans", "Liberation Sans", sans-serif; margin: 0 0 1mm }
h1 { font-size: 11pt } h2 { font-size: 8pt; color: #1d4ed8; margin-top: 1.5mm; break-after: avoid }
p { font-size: 6.5pt }
hr { border: 0; margin: 0; height: 2.5pt }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 4ch; text-indent: -4ch }
b { color: #0f172a } i { color: #64748b; font-style: normal } u { color: #b45309; text-decoration: none }
"""


def keywords():
    return re.findall(r"^[A-Z_]+\s+: '([a-z]+)' ;", (ROOT / "grammar/AnmlLexer.g4").read_text(), re.M)


def coloured(line, word):
    """A line of the language as HTML: keywords, strings and comments."""
    out, at = [], 0
    for match in re.finditer(r'///?.*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*', line):
        text = html.escape(match[0], quote=False)
        tag = "i" if text[0] == "/" else "u" if text[0] == '"' else "b" if word.fullmatch(match[0]) else None
        out += [html.escape(line[at:match.start()], quote=False), f"<{tag}>{text}</{tag}>" if tag else text]
        at = match.end()
    return "".join(out) + html.escape(line[at:], quote=False)


def page(text):
    """The card as a page. It has headings, paragraphs of one line, and blocks of the language."""
    word = re.compile("|".join(keywords()))
    out, inside, before = [], False, ""
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        elif inside and line.startswith("import ") and "//" not in line and before.startswith("import "):  # side by side
            out[-1] = out[-1].removesuffix("</pre>") + f"  {coloured(line, word)}</pre>"
        elif inside:
            out.append(f"<pre>{coloured(line, word)}</pre>" if line else "<hr>")
        elif heading := re.match(r"(#+) (.*)", line):
            out.append(f"<h{len(heading[1])}>{html.escape(heading[2])}</h{len(heading[1])}>")
        elif line:
            plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line).replace("`", "")
            out.append(f"<p>{html.escape(plain)}</p>")
        before = line
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>ANML</title><style>{STYLE}</style><body>' + "\n".join(out) + "</body></html>\n"


def print_pdf(source, target):
    chromium = os.environ.get("CHROMIUM") or next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
    if not chromium:
        sys.exit("site/card.py: Chromium is not installed: it prints the card. An output that ends in .html needs none")
    with tempfile.TemporaryDirectory(prefix="anml-card-") as folder:
        done = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder}",
                               f"--print-to-pdf={target.resolve()}", f"file://{source.resolve()}"], capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or not target.exists():
        sys.exit(f"site/card.py: Chromium did not print: {done.stderr[-500:]}")


def main(output, card=CARD):
    output = pathlib.Path(output)
    if output.suffix == ".html":
        output.write_text(page(card.read_text()))
        return
    if output.suffix != ".pdf":
        sys.exit("site/card.py: the output ends in .html or .pdf")
    with tempfile.TemporaryDirectory(prefix="anml-card-") as folder:
        source = pathlib.Path(folder) / "card.html"
        source.write_text(page(card.read_text()))
        print_pdf(source, output)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
