"""stdlib_page.py ANMLC [--write]: fails where docs/stdlib.md or a page of docs/stdlib/ differs from what `anmlc doc` prints, or the modules and keywords of the Python
package from the library's and the grammar's; --write makes it so. Every declaration of the standard library has a doc comment, and every module says
at its top what it is for."""
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "stdlib.md"
HEAD = """# The standard library

Every module is written in the language itself; `anmlc doc --source std.web` prints one. `std.prelude` is always imported, the others by `import std.ether`.
The pages are what `anmlc doc --format=markdown` prints of each.

"""
text = subprocess.run([sys.argv[1], "doc", "--format=markdown"], capture_output=True, text=True, check=True).stdout
modules = re.findall(r"^## (std\.\S+)", text, re.M)
# A page a module: its headings are one level higher than in the whole, and code stays as it is.
pages, contents = {}, ""
for part in re.split(r"^(?=## std\.)", text, flags=re.M)[1:]:
    module = re.match(r"## std\.(\S+)", part)[1]
    code = re.split(r"(^```.*?^```$)", part, flags=re.M | re.S)
    code[::2] = [re.sub(r"^##", "#", prose, flags=re.M) for prose in code[::2]]
    pages[PAGE.with_suffix("") / f"{module}.md"] = "".join(code).rstrip("\n") + "\n"
    about = re.match(r".*?\.(?=\s|$)", part.split("\n\n")[1].replace("\n", " "))
    contents += f"- [std.{module}](stdlib/{module}.md)" + (f": {about[0]}" if about else "") + "\n"
pages[PAGE] = HEAD + contents

# The words of the Python package. Those that stand between `table` and `report` in the grammar are names elsewhere.
names = [m.split(".")[1] for m in modules if m != "std.prelude"]
lexer = (ROOT / "grammar" / "AnmlLexer.g4").read_text()
keywords = re.findall(r"^\w+ +: '([a-z]+)' ;", lexer, re.M)
sometimes = keywords[keywords.index("table"):keywords.index("report") + 1]
keywords = sorted(set(keywords) - set(sometimes))
fill = lambda text, indent: textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False)
made = fill(f"MODULES = ({', '.join(f'{name!r}' for name in names)})".replace("'", '"'), " " * 11) + "\n"
made += "(\n" + textwrap.fill(", ".join(names), 114, initial_indent=" " * 4, subsequent_indent=" " * 4) + ",\n) = (Word(name) for name in MODULES)\n"
made += "KEYWORDS = frozenset((\n" + "".join(f'    "{line} "\n' for line in textwrap.wrap(" ".join(keywords), 108)) + ").split())\n"
WORDS = ROOT / "bindings" / "python" / "src" / "anml" / "words.py"
words = WORDS.read_text()
before, rest = words.split("# made by tests/file/stdlib_page.py --write\n")
whole = before + "# made by tests/file/stdlib_page.py --write\n" + made + "# end\n" + rest.split("# end\n")[1]

bare = re.findall(r"^#{2,3} ([^\n]+)\n\n(?:```|#)", text, re.M)
if bare:
    sys.exit(f"without a doc comment: {', '.join(bare)}")
if "--write" in sys.argv:
    PAGE.with_suffix("").mkdir(exist_ok=True)
    for gone in set(PAGE.with_suffix("").glob("*.md")) - set(pages):
        gone.unlink()
    for path, page in pages.items():
        path.write_text(page)
    WORDS.write_text(whole)
elif {path: path.read_text() for path in [PAGE, *PAGE.with_suffix("").glob("*.md")]} != pages:
    sys.exit("docs/stdlib.md or docs/stdlib/ differs from the library: run tests/file/stdlib_page.py ANMLC --write and read the difference")
elif words != whole:
    sys.exit("bindings/python/src/anml/words.py differs from the library: run tests/file/stdlib_page.py ANMLC --write")
