"""Makes the documentation's pages of what the repository has, by MkDocs: `scripts/site`.

The pages are the repository's own texts, where they are: docs/, its decisions, the examples, README, CHANGELOG. A copy of them is given to MkDocs,
in which links to other files of the repository lead to copies of these, each example has the picture that `anmlc graph` draws of it, and each
page of figures its files. MkDocs checks each link and each anchor; one that leads nowhere ends it.

    site.py ANMLC MERMAID OUTPUT"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from site_slugs import as_code_hosts_do

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "editors/README.md", "bindings/python/README.md"]
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
# What people can read in a browser, and links lead to.
SHOWN = {".ipynb", ".svg", ".png", ".json", ".csv", ".anml", ".def", ".h", ".cpp", ".py", ".g4", ".conf", ".txt", ".c", ".js", ".el", ".lua", ".scm", ".yml", ""}
SECTIONS = [  # what is in none of them is among the references
    ("Begin", ["README.md", "docs/installing.md", "docs/tutorial.md", "docs/web_server.md", "docs/packages.md", "docs/recipes.md"]),
    ("The language", ["docs/language.md", "docs/card.md", "docs/stdlib.md", "docs/why.md", "docs/errors.md", "docs/lint.md"]),
    ("Tools", ["docs/anmlc.md", "docs/emulator.md", "docs/experiments.md", "docs/clusters.md", "docs/report.md", "docs/graph.md", "docs/diff.md", "docs/analyze.md", "docs/import.md", "docs/python.md",
               "docs/editors.md", "editors/README.md", "bindings/python/README.md"]),
    ("What comes out", ["docs/results.md", "docs/validation.md", "docs/rfc_rules.md", "docs/benchmarks.md", "docs/scale.md", "docs/reliability.md"]),
    ("Inside", ["docs/architecture.md", "docs/adding_a_construct.md", "docs/glossary.md", "docs/emit.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]
BOOKS = ["docs/language.md", "docs/stdlib.md"]  # pages whose chapters are in a folder beside them


def chapters(book):
    """In the order in which the book's page links to them."""
    folder = (ROOT / book).with_suffix("")
    linked = [ROOT / "docs" / target for target in re.findall(r"\]\(([^)#]*)", (ROOT / book).read_text())]
    return sorted(folder.glob("*.md"), key=lambda page: (linked.index(page) if page in linked else len(linked), page))


def title_of(text):
    return next(line for line in text.splitlines() if line.startswith("# "))[2:]


def outside_code(text, change):
    """`change` of what stands outside of code."""
    parts = re.split(r"(^```.*?^```\n|^(?:    [^\n]*\n)+|`[^`\n]+`)", text, flags=re.M | re.S)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def picture(anmlc, model, target):
    """Whether the model has one; those of many models or with parameters that have no value have none."""
    done = subprocess.run([anmlc, "graph", str(model), "-o", str(target)], capture_output=True, text=True, cwd=model.parent, timeout=120)
    return done.returncode == 0 and target.exists()


class Name:
    """A function by its name, as MkDocs reads it."""

    def __init__(self, name):
        self.name = name


class Site:
    def __init__(self, anmlc, staging):
        self.anmlc, self.staging = anmlc, staging
        self.pages = [ROOT / page for page in PAGES if (ROOT / page).exists()]
        self.pages += sorted(ROOT.glob("docs/*.md")) + [page for book in BOOKS for page in chapters(book)] + sorted(ROOT.glob("docs/decisions/*.md")) + sorted(ROOT.glob("examples/*/README.md"))
        self.wrong = []

    def link(self, page, target):
        """What a link of a page leads to on the site; an error is noted."""
        if re.match(r"[a-z]+:", target):
            return target
        file = (page.parent / target).resolve()
        if not file.is_relative_to(ROOT) or not file.exists():
            self.wrong.append(f"{page.relative_to(ROOT)}: {target} leads nowhere")
            return target
        if file.is_dir():
            if (file / "README.md") in self.pages:
                return target.rstrip("/") + "/README.md"
            if file == ROOT / "examples":
                return target.rstrip("/") + "/index.md"
            listing = self.staging / file.relative_to(ROOT) / "files.txt"
            listing.parent.mkdir(parents=True, exist_ok=True)
            listing.write_text("".join(f"{one.relative_to(ROOT)}\n" for one in sorted(file.iterdir())))
            return target.rstrip("/") + "/files.txt"
        if file.suffix == ".md":
            if file not in self.pages:
                self.wrong.append(f"{page.relative_to(ROOT)}: {target} is no page of the site")
            return target
        if file.suffix not in SHOWN:
            self.wrong.append(f"{page.relative_to(ROOT)}: {target} cannot be shown")
        copy = self.staging / file.relative_to(ROOT)
        # A browser shows text, and saves what it does not know.
        name = copy.name if file.suffix in (".svg", ".png", ".json") else copy.name + ".txt"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy.with_name(name))
        return target[: len(target) - len(copy.name)] + name

    def write(self, page):
        text = page.read_text()
        text = outside_code(text, lambda part: LINK.sub(lambda m: m[1] + self.link(page, m[2]) + m[3], part))
        if page.parent.parent == ROOT / "examples":
            text += self.pictures_of(page)
        copy = self.staging / page.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text)

    def pictures_of(self, page):
        text = ""
        for model in sorted(page.parent.glob("*.anml")):
            target = self.staging / page.parent.relative_to(ROOT) / f"{model.stem}.svg"
            target.parent.mkdir(parents=True, exist_ok=True)
            shown = f"    anmlc run {model.relative_to(ROOT)}\n"
            text += f"\n## {model.name}\n{shown}\n"
            if self.anmlc and picture(self.anmlc, model, target):
                text += f"![The network of {model.name}]({target.name})\n\n"
            text += f"??? note \"The text\"\n    ```anml\n" + "".join(f"    {line}\n" for line in model.read_text().splitlines()) + "    ```\n"
        return text

    def index(self, folder, title, pages):
        lines = [f"# {title}\n"]
        for page in pages:
            lines.append(f"- [{title_of(page.read_text())}]({page.relative_to(ROOT / folder)})")
        target = self.staging / folder / "index.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n")
        return f"{folder}/index.md"

    def nav(self):
        names = [str(page.relative_to(ROOT)) for page in self.pages]
        listed = {name for _, section in SECTIONS for name in section}
        entry = lambda name: {title_of((ROOT / name).read_text()): name}
        nav = [{title: [{title_of((ROOT / name).read_text()): [name] + [entry(str(page.relative_to(ROOT))) for page in chapters(name)]}
                        if name in BOOKS and chapters(name) else entry(name) for name in section if name in names]} for title, section in SECTIONS]
        examples = [page for page in self.pages if page.parent.parent == ROOT / "examples"]
        decisions = [page for page in self.pages if page.parent == ROOT / "docs/decisions"]
        nav.insert(1, {"Examples": [self.index("examples", "Examples", examples)] + [{title_of(page.read_text()): str(page.relative_to(ROOT))} for page in examples]})
        nav.append({"Decisions": [str(page.relative_to(ROOT)) if page.name == "README.md" else {title_of(page.read_text()): str(page.relative_to(ROOT))}
                                  for page in sorted(decisions, key=lambda page: (page.name != "README.md", page.name))]})
        rest = [name for name in names if name not in listed and not name.startswith(("examples/", "docs/decisions/", "docs/language/", "docs/stdlib/"))]
        if rest:
            nav.append({"More": [{title_of((ROOT / name).read_text()): name} for name in rest]})
        return nav

    def settings(self, output):
        return {
            "site_name": "ANML",
            "site_description": "Load-test your real server through a simulated internet",
            "docs_dir": str(self.staging),
            "site_dir": str(output),
            "use_directory_urls": False,  # opens from a folder, too
            "nav": self.nav(),
            "theme": {
                "name": "material",
                "font": False,  # nothing is fetched from elsewhere
                "features": ["navigation.tabs", "navigation.indexes", "navigation.top", "search.suggest", "search.highlight", "content.code.copy", "toc.follow"],
                "palette": [
                    {"media": "(prefers-color-scheme: light)", "scheme": "default", "toggle": {"icon": "material/weather-night", "name": "Dark"}},
                    {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
                ],
            },
            "extra_css": ["assets/site.css"],
            "extra_javascript": ["assets/mermaid.min.js"],  # otherwise the theme fetches it from elsewhere
            "plugins": ["search", "offline"],
            "markdown_extensions": [
                "tables", "sane_lists", "admonition", "pymdownx.details", {"toc": {"permalink": True, "slugify": Name("site_slugs.as_code_hosts_do")}},
                {"pymdownx.highlight": {"default_lang": "text"}},
                {"pymdownx.superfences": {"custom_fences": [{"name": "mermaid", "class": "mermaid", "format": Name("pymdownx.superfences.fence_code_format")}]}},
            ],
            "validation": {"nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"},
                           "links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"}},
        }


def check():
    """Whether each link leads to a file, and each anchor to a heading; MkDocs is not needed."""
    with tempfile.TemporaryDirectory(prefix="anml-site-") as folder:
        site = Site(None, pathlib.Path(folder))
        for page in site.pages:
            site.write(page)
        anchors = {}
        for page in site.pages:
            headings = re.findall(r"^#+ (.*)", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), re.M)
            anchors[page] = {as_code_hosts_do(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", ""), "-") for heading in headings}
        for page in site.pages:
            def look(part, page=page):
                for target, anchor in re.findall(r"\]\(([^)\s#]*)#([^)\s]+)\)", part):
                    to = (page.parent / target).resolve() if target else page
                    if to in anchors and anchor not in anchors[to]:
                        site.wrong.append(f"{page.relative_to(ROOT)}: {target}#{anchor} is no heading")
                return part
            outside_code(page.read_text(), look)
    print("\n".join(site.wrong) or f"the links of {len(site.pages)} pages hold")
    return 1 if site.wrong else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("anmlc", nargs="?")
    arguments.add_argument("mermaid", nargs="?", type=pathlib.Path, help="mermaid.min.js")
    arguments.add_argument("output", nargs="?", type=pathlib.Path)
    arguments.add_argument("--check", action="store_true", help="only whether the links hold")
    given = arguments.parse_args()
    if given.check:
        return check()
    if not given.output:
        arguments.error("say where the pages are to go")
    import yaml

    yaml.add_representer(Name, lambda dumper, data: dumper.represent_scalar(f"tag:yaml.org,2002:python/name:{data.name}", ""))
    with tempfile.TemporaryDirectory(prefix="anml-site-") as folder:
        staging = pathlib.Path(folder) / "pages"
        site = Site(str(pathlib.Path(given.anmlc).resolve()), staging)
        for page in site.pages:
            site.write(page)
        (staging / "assets").mkdir()
        shutil.copyfile(given.mermaid, staging / "assets/mermaid.min.js")
        shutil.copyfile(pathlib.Path(__file__).parent / "site.css", staging / "assets/site.css")
        settings = pathlib.Path(folder) / "mkdocs.yml"
        settings.write_text(yaml.dump(site.settings(given.output.resolve()), sort_keys=False))
        if site.wrong:
            print("\n".join(site.wrong), file=sys.stderr)
            return 1
        return subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean", "-f", str(settings)],
                              env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(pathlib.Path(__file__).parent), "HOME": folder,
                                   "NO_MKDOCS_2_WARNING": "1"}).returncode


if __name__ == "__main__":
    sys.exit(main())
