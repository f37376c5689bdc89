"""Colours for ANML in whatever uses Pygments: `pygmentize -l anml`, Sphinx, MkDocs, notebooks.

The package registers the lexer under the name `anml` and for files `*.anml`, so that nothing has to be imported. What
is coloured are words and literals, as `grammar/AnmlLexer.g4` has them; that a name is what it looks like only the
compiler knows (`anmlc lsp`)."""
from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

__all__ = ["AnmlLexer"]

_DECLARATIONS = ("model", "component", "experiment", "schema", "profile", "enum", "process", "function", "graph")
_NODES = ("router", "switch", "host", "endpoint", "link", "workload")
_CONTROL = ("for", "while", "if", "then", "else", "yield")
_STATEMENTS = (
    "import", "edition", "as", "let", "state", "require", "run", "addressing", "routing", "route", "tunable", "random",
    "override", "matching", "on", "at", "every", "from", "ramp", "in",
)
# Keywords at the beginning of a line, with what follows them there; names elsewhere.
_SOMETIMES = (
    r"(?:table|extra|pub)(?=[ \t]+[A-Za-z_`]|[ \t]*$)",
    r"label(?=[ \t]+[A-Za-z_`\[].*(?:\{|,[ \t]*$))",
    r"report(?=[ \t]+by[ \t]+[A-Za-z_`])",
)
_TYPES = (
    "bool", "int", "number", "ratio", "time", "size", "rate", "length", "quantity", "trace", "string", "file",
    "address", "prefix", "node", "host", "router", "switch", "endpoint", "link", "workload",
)
_KEYWORDS = "|".join(_DECLARATIONS + _NODES + _CONTROL + _STATEMENTS + ("true", "false", "self"))
_WORD = r"[A-Za-z_][A-Za-z_0-9]*"
_NUMBER = r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_OPERAND = rf"[ \t]*(?:[0-9(]|(?!(?:{_KEYWORDS})\b)[A-Za-z_]|self\b)"  # behind which `%` divides

_END = r"\.|[ \t]*(?:\[[^\]]*\])?[ \t]*(?:--|->)"  # behind which it is a node that a link leads to


class AnmlLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Lexer of Pygments for ANML."""

    name = "ANML"
    aliases = ["anml"]
    filenames = ["*.anml"]
    mimetypes = ["text/x-anml"]

    tokens = {
        "root": [
            (rf"(^[ \t]*)({'|'.join(_SOMETIMES)})", bygroups(Whitespace, Keyword)),
            (r"\n|[^\S\n]+", Whitespace),
            (r"///(?!/).*$", String.Doc),
            (r"//.*$", Comment.Single),
            (r"/\*(?:.|\n)*?\*/", Comment.Multiline),
            (r'"', String.Double, "string"),
            (r"`[A-Za-z_](?:[A-Za-z_0-9.#\-]|\[[^\[\]`.\n]+\])*`", Name.Variable),
            (r"[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:]*(?:[0-9]*(?:\.[0-9]+)+)?(?:/[0-9]+)?", Number.Hex),
            (r"[0-9]+\.[0-9]+(?:\.[0-9]+)+(?:/[0-9]+)?", Number.Hex),
            (
                rf"({_NUMBER})([ \t]*)([kKMGT]?bit/s\b|(?!(?:{_KEYWORDS})\b){_WORD})",
                bygroups(Number, Whitespace, Keyword.Type),
            ),
            (rf"({_NUMBER})([ \t]*)(%)(?!{_OPERAND})", bygroups(Number, Whitespace, Keyword.Type)),
            (_NUMBER, Number),
            (rf"(@)([ \t]*)({_WORD})", bygroups(Punctuation, Whitespace, Name.Decorator)),
            (
                rf"\b({'|'.join(_DECLARATIONS)})([ \t]+)({_WORD})(?![ \t]*[=.])",
                bygroups(Keyword.Declaration, Whitespace, Name.Class),
            ),
            (
                rf"\b({_WORD})([ \t]*)(:)([ \t]*)((?:random|component)[ \t]+)?((?:{'|'.join(_TYPES)})\b(?!{_END}))",
                bygroups(Name, Whitespace, Punctuation, Whitespace, Keyword, Keyword.Type),
            ),
            (words(_DECLARATIONS + _NODES, prefix=r"\b", suffix=r"\b"), Keyword.Declaration),
            (words(_CONTROL, prefix=r"\b", suffix=r"\b"), Keyword),
            (words(_STATEMENTS, prefix=r"\b", suffix=r"\b"), Keyword),
            (r"\b(?:true|false)\b", Keyword.Constant),
            (r"\bself\b", Name.Builtin.Pseudo),
            (rf"{_WORD}(?=[ \t]*=(?!=))", Name.Attribute),
            (rf"{_WORD}(?=[ \t]*\()", Name.Function),
            (r"[A-Z][A-Za-z_0-9]*[a-z][A-Za-z_0-9]*", Name.Class),
            (_WORD, Name),
            (r"--|->|\.\.<|\.\.|±|\+/-|==|!=|<=|>=|&&|\|\||[-+*/%<>!=?]", Operator),
            (r"[{}()\[\],:.]", Punctuation),
        ],
        "string": [
            (r"\\.", String.Escape),
            (r'[^"\\\n]+', String.Double),
            (r'"', String.Double, "#pop"),
            (r"\n", Whitespace, "#pop"),  # one that is not closed ends with its line
        ],
    }
