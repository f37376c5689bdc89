"""The grammars that editors colour and fold by (editors/, and the lexer for Pygments) against the compiler: each knows all keywords, and takes what the compiler takes."""
import collections
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

from pygments.token import Error, Keyword, Name

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANMLC = os.environ["ANMLC"]
PARSE = os.environ["ANML_PARSE_WITH_TREE_SITTER"]
GRAMMAR = ROOT / "editors/tree-sitter-anml"
TEXTMATE = ROOT / "editors/textmate/anml.tmLanguage.json"
WORDS = """component label(n: int = 1) {
  label few[2](3)
  label mark
  label wall { override x { a = 1 } }
  label wall {
    // none
  }
  label a.b[if n > 1 then 0 else 1], /* { */ self.x[*], // }
    `q[1].r`[f("]")] { x = "1" }
  report by
  label x
  report by name, label
  report /* a */ by `name`
  report by // a
  let by = label
  let five = 5
  label x { }
  let six = 5 %
  report by label
  if n > 1 { label x { label = "a" } report more } else { report by report }
  label [x, y][n] { a = "1" }
  label self { a = "1" }
  label label { label = "l" }
  label report
  report label
  report report[n](label = 1, access = label { up { rate = label } })
  label.x few
  label x
    .y {a = "1"}
  let label = report
  at label { label down, report.label { label = report }, label[3] off }
}
profile report : label.report(label { report = 1 }, report = label { label { report = 2 } }) { }
"""

def keywords():
    text = (ROOT / "grammar/AnmlLexer.g4").read_text().split("// Keywords.")[1].split("// Punctuation")[0]
    return re.findall(r": '([a-z]+)'", text)


def models():
    return sorted(path for folder in ("stdlib", "examples", "tests") for path in (ROOT / folder).rglob("*.anml"))


def pygments_lexer():
    spec = importlib.util.spec_from_file_location("highlight", ROOT / "bindings/python/src/anml/highlight.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.AnmlLexer(ensurenl=False, stripnl=False)


class Grammars(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        paths = models()
        scratch = tempfile.TemporaryDirectory(prefix="anml-grammars-")
        cls.addClassCleanup(scratch.cleanup)
        words = pathlib.Path(scratch.name) / "words.anml"
        words.write_text(WORDS)
        paths.append(words)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            parsed = pool.map(lambda path: subprocess.run([ANMLC, "--emit=ast", str(path)], capture_output=True, text=True, cwd=ROOT), paths)
            cls.trees = {path: done.stdout for path, done in zip(paths, parsed) if done.returncode == 0}
        cls.right = list(cls.trees)
        assert len(cls.right) > 500, len(cls.right)
        assert words in cls.trees

    def test_keywords(self):
        words = keywords()
        self.assertGreater(len(words), 45)
        node = (GRAMMAR / "grammar.js").read_text()
        textmate = json.dumps(json.loads(TEXTMATE.read_text()))
        lexer = pygments_lexer()
        for word in words:
            self.assertIn(f'"{word}"', node, "tree-sitter")
            self.assertRegex(textmate, rf"[(|b]{word}[|)\\]", "TextMate")
            sentence = {"label": "label x { }", "report": "report by x"}.get(word, f"{word} x")
            kinds = [kind for kind, text in lexer.get_tokens(sentence) if text == word]
            self.assertTrue(any(kind in Keyword or kind is Name.Builtin.Pseudo for kind in kinds), f"Pygments: {word}")
        scanner = (GRAMMAR / "src/scanner.c").read_text()
        for word in words:  # none of them is a unit
            self.assertIn(f'"{word}"', scanner)

    def test_tree_sitter(self):
        queries = [part for query in sorted((GRAMMAR / "queries").glob("*.scm")) for part in ("-q", str(query))]
        self.assertGreaterEqual(len(queries), 8)
        done = subprocess.run([PARSE, *queries, *map(str, self.right)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line for line in done.stdout.splitlines() if not line.startswith("0\t")], [])
        self.assertEqual(len(done.stdout.splitlines()), len(self.right))

    def test_tree_sitter_knows_statements(self):
        """`label` and `report` are statements where the compiler has one, and names elsewhere."""
        seen = collections.Counter()
        for path, tree in self.trees.items():
            if not re.search("label|report", path.read_text()):
                continue
            wanted = re.findall(r"^ *(label|report)_stmt .*?@([0-9:]+)$", tree, re.M)
            done = subprocess.run([PARSE, "-t", str(path)], capture_output=True, text=True)
            found = re.findall(r"^([0-9:]+)\t(label|report)$", done.stdout, re.M)
            self.assertEqual(sorted((place, kind) for place, kind in found), sorted((place, kind) for kind, place in wanted), path)
            seen.update(kind for kind, _ in wanted)
        self.assertGreater(min(seen["label"], seen["report"]), 10, seen)

    def test_tree_sitter_finds_errors(self):
        broken = [ROOT / "tests/file/gallery" / f"{name}.anml" for name in ("marks-semicolon", "marks-hash", "statements-c-for")]
        done = subprocess.run([PARSE, *map(str, broken)], capture_output=True, text=True)
        self.assertEqual([line[0] == "0" for line in done.stdout.splitlines()], [False] * 3, done.stdout)

    def test_generated_parser_is_the_grammars(self):
        """parser.c has each rule of grammar.js: whoever changes the grammar runs `tree-sitter generate --abi 14`."""
        rules = json.loads((GRAMMAR / "src/grammar.json").read_text())["rules"]
        written = re.findall(r"^    (\w+): \(", (GRAMMAR / "grammar.js").read_text(), re.M)
        self.assertEqual(list(rules), written)
        self.assertIn("#define LANGUAGE_VERSION 14", (GRAMMAR / "src/parser.c").read_text())

    def test_pygments(self):
        lexer = pygments_lexer()
        for path in self.right:
            text = path.read_text()
            tokens = list(lexer.get_tokens(text))
            self.assertEqual("".join(value for _, value in tokens), text.replace("\r\n", "\n").replace("\r", "\n"), path)
            self.assertEqual([value for kind, value in tokens if kind is Error], [], path)
        for name, mark in (("marks-semicolon", ";"), ("marks-hash", "#"), ("marks-power", "^")):
            tokens = lexer.get_tokens((ROOT / f"tests/file/gallery/{name}.anml").read_text())
            self.assertIn(mark, [value for kind, value in tokens if kind is Error])

    def test_pygments_finds_the_lexer(self):
        """By its name, as the package registers it."""
        text = (ROOT / "bindings/python/pyproject.toml").read_text()
        self.assertIn('[project.entry-points."pygments.lexers"]\nanml = "anml.highlight:AnmlLexer"', text)

    def test_helix(self):
        """Its queries are the grammar's, by its own names; its settings have the keys of its manual."""
        own = {"number": "constant.numeric", "boolean": "constant.builtin.boolean", "module": "namespace", "property": "variable.other.member",
               "string.escape": "constant.character.escape", "keyword.import": "keyword.control.import", "keyword.repeat": "keyword.control.repeat",
               "keyword.conditional": "keyword.control.conditional", "keyword.type": "keyword.storage.type",
               "keyword.modifier": "keyword.storage.modifier", "function.call": "function", "comment.documentation": "comment.line.documentation"}
        helix = ROOT / "editors/helix"
        shared, ours = ((folder / "highlights.scm").read_text().split("\n", 1)[1] for folder in (GRAMMAR / "queries", helix / "queries/anml"))
        self.assertEqual(ours, re.sub(r"@([a-z.]+)", lambda found: "@" + own.get(found[1], found[1]), shared))
        indents = (GRAMMAR / "queries/indents.scm").read_text().replace("@indent.begin", "@indent").replace("@indent.branch @indent.end", "@outdent")
        self.assertEqual((helix / "queries/anml/indents.scm").read_text(), indents)
        settings = tomllib.loads((helix / "languages.toml").read_text())
        self.assertEqual(settings["language-server"], {"anmlc": {"command": "anmlc", "args": ["lsp"]}})
        language, = settings["language"]
        self.assertEqual(set(language), {"name", "scope", "file-types", "comment-token", "block-comment-tokens", "indent", "language-servers"})
        self.assertEqual((language["name"], language["file-types"], language["language-servers"]), ("anml", ["anml"], ["anmlc"]))
        grammar, = settings["grammar"]
        self.assertTrue(grammar["source"]["path"].endswith(str(GRAMMAR.relative_to(ROOT))))

    def test_what_is_coloured_how(self):
        text = 'host pc[4] { tcp = tcp.linux }\nlink a -- b : x { delay = 5 ms, loss = 3 % }\nfor i in 0 ..< 7 % 2 { }\n'
        tokens = [(value, str(kind)) for kind, value in pygments_lexer().get_tokens(text) if value.strip()]
        for value, kind in (("host", "Token.Keyword.Declaration"), ("ms", "Token.Keyword.Type"), ("--", "Token.Operator"),
                            ("delay", "Token.Name.Attribute"), ("5", "Token.Literal.Number"), ("for", "Token.Keyword")):
            self.assertIn((value, kind), tokens)
        self.assertEqual([kind for value, kind in tokens if value == "%"], ["Token.Keyword.Type", "Token.Operator"])
        text = "label a, label { label = 1 }\n  report by label\nhost report\n  report region\n  report by\n  label mark\n  label few[2](3, 4)\nmodel table {\n  x label\n  let pub = extra\n}\ntable t(\"f\") : T\npub enum label { extra }\n"
        words = [(value, kind in Keyword) for kind, value in pygments_lexer().get_tokens(text) if value in ("table", "extra", "pub", "label", "report")]
        self.assertEqual([value for value, keyword in words if keyword], ["label", "report", "table", "pub"], words)
        self.assertEqual(len(words), 18)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
