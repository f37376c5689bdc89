"""stdlib_page.py ANMLC [--write]: fails where docs/stdlib.md differs from what `anmlc doc` prints; --write makes it so. Every declaration of
the standard library has a doc comment, and every module says at its top what it is for."""
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "stdlib.md"
HEAD = """# The standard library

Every module is written in the language itself; `anmlc doc --source std.web` prints one. `std.prelude` is always imported, the others by `import std.ether`.
This page is what `anmlc doc --format=markdown` prints of all of them.

"""
text = subprocess.run([sys.argv[1], "doc", "--format=markdown"], capture_output=True, text=True, check=True).stdout
modules = re.findall(r"^## (std\.\S+)", text, re.M)
contents = "".join(f"- [{m}](#{m.replace('.', '')})\n" for m in modules)
page = HEAD + contents + "\n" + text.rstrip("\n") + "\n"

bare = re.findall(r"^#{2,3} ([^\n]+)\n\n(?:```|#)", text, re.M)
if bare:
    sys.exit(f"without a doc comment: {', '.join(bare)}")
if "--write" in sys.argv:
    PAGE.write_text(page)
elif not PAGE.exists() or PAGE.read_text() != page:
    sys.exit("docs/stdlib.md differs from the library: run tests/file/stdlib_page.py ANMLC --write and read the difference")
