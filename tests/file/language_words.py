"""language_words.py: fails where what the language server says of functions and keywords (compiler/check/names/language_words.def) is not what the
pages say, word by word, where a row of their tables is missing, or where a function has no text at all."""
import pathlib
import re
import sys

from docs_examples import pages as chapters

ROOT = pathlib.Path(__file__).resolve().parents[2]
read = lambda path: (ROOT / path).read_text()
page = "\n".join(path.read_text() for path in chapters("docs/language"))
# Where links lead depends on the page that they stand on.
unled = lambda text: re.sub(r"\]\([^)]*\)", "]", text)
page = unled(page)
text = lambda quoted: unled(re.sub(r"\\(.)", r"\1", quoted))
STRING = r'"((?:[^"\\]|\\.)*)"'
table = read("compiler/check/names/language_words.def")
rows = [(text(a), text(b)) for a, b in re.findall(rf"^ANML_FUNCTION_ROW\({STRING},\s*{STRING}\)", table, re.M)]
keywords = [(w, text(a), text(b)) for w, a, b in re.findall(rf'^ANML_KEYWORD_TEXT\("(\w+)", {STRING},\s*{STRING}\)', table, re.M)]
functions = re.findall(r"^ANML_BUILTIN\((\w+),", read("compiler/check/expressions/builtins.def"), re.M)
functions += re.findall(r"^ANML_(?:LINK_)?MEASURE\((\w+), \w+\)$", read("runtime/abi/measures.def"), re.M)

wrong = []
if len(functions) < 60 or len(rows) < 50 or len(keywords) < 25:
    wrong.append(f"{len(functions)} functions, {len(rows)} rows and {len(keywords)} keywords were found")
there = [line for line in page.splitlines() if line.startswith("| `")]
for calls, meaning in rows:
    if f"| {calls} | {meaning} |" not in there:
        wrong.append(f"docs/language has no row `| {calls} | {meaning} |`")
# And the other way round: every row that calls functions, whatever it says.
for line in there:
    calls = line[2:].split(" | ")[0]
    called = re.findall(r"`(\w+)\(", calls)
    if called and set(called) <= set(functions) and calls not in [r[0] for r in rows]:
        wrong.append(f"language_words.def has no row for `{calls}` of docs/language")
for name in functions:
    if not any(f"`{name}(" in calls or f".{name}(" in calls for calls, _ in rows):
        wrong.append(f"nothing is said of the function `{name}`")
pages = " ".join((page + unled(read("docs/experiments.md"))).split())
for word, usage, about in keywords:
    for said in (usage, about):
        if " ".join(said.split()) not in pages:
            wrong.append(f"of `{word}`: no page says \"{said}\"")
if wrong:
    sys.exit("\n".join(wrong))
