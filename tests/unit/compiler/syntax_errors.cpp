// Syntax errors: what they say, one per cause, and that the next mistake is found too.
#include <catch2/catch.hpp>

#include "syntax_fixture.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

static std::string help_of(const std::string& statement)
{
    Parsed parsed = parse_text("component T {\n" + statement + "\n}\n");
    return parsed.diagnostics.list().empty() || parsed.diagnostics.list()[0].helps.empty()
               ? ""
               : parsed.diagnostics.list()[0].helps[0];
}

TEST_CASE("what was expected, and what was found", "[syntax]")
{
    CHECK(statement_shape("let x =") == "3:1: expected a value after `=`, found `}` [syntax-error]");
    CHECK(statement_shape("let = 3") == "2:5: expected a name after `let`, found `=` [syntax-error]");
    CHECK(statement_shape("let x 3") == "2:7: expected `=` after `x`, found `3` [syntax-error]");
    CHECK(statement_shape("run { a : 3 }") == "2:9: expected `=` after the attribute's name, found `:` [syntax-error]");
    CHECK(statement_shape("run duration") == "2:5: expected `{` after `run`, found `duration` [syntax-error]");
    CHECK(statement_shape("let x = f(a b)") == "2:13: expected `)` or `,` after `a`, found `b` [syntax-error]");
    CHECK(statement_shape("let x = a +") == "3:1: expected a value after `+`, found `}` [syntax-error]");
    CHECK(statement_shape("let x = a.") == "3:1: expected a name after `.`, found `}` [syntax-error]");
    CHECK(statement_shape("workload w on c") ==
          "2:12: expected `:` after the workload's name, found the keyword `on` [syntax-error]");
    CHECK(statement_shape("profile p { a = 1 }") ==
          "2:11: expected `(` or `:` after the profile's name, found `{` [syntax-error]");
    CHECK(parse_text("import").errors() ==
          "1:7: expected a name after `import`, found the end of the file [syntax-error]");
    CHECK(parse_text("model M(n int) {}").errors() ==
          "1:11: expected `:` after the parameter's name, found `int` [syntax-error]");
    CHECK(parse_text("schema S { a int }").errors() ==
          "1:14: expected `:` after the attribute's name, found `int` [syntax-error]");
    CHECK(parse_text("model {}").errors() == "1:7: expected a name after `model`, found `{` [syntax-error]");
}

TEST_CASE("links that were written wrong", "[syntax]")
{
    CHECK(statement_shape("link up a -- b") == "2:9: expected `:` after the link's name, found `a` [syntax-error]");
    CHECK(statement_shape("link up: a - b : p") ==
          "2:12: a link's ends are joined by `--` or `->`, found `-` [syntax-error]");
    CHECK(statement_shape("link a - b") == "2:8: a link's ends are joined by `--` or `->`, found `-` [syntax-error]");
    CHECK(statement_shape("link a -- b p") == "2:13: unexpected `p` after `b` [syntax-error]");
    CHECK(help_of("link a -- b p") == "a link's profile comes after a colon: `: p`");
    CHECK(statement_shape("link up: -- b") == "2:10: expected a value after `:`, found `--` [syntax-error]");
}

TEST_CASE("the usual mistakes get a help line", "[syntax]")
{
    CHECK(help_of("let x = a and b") == "\"and\" is written `&&`");
    CHECK(help_of("require a = b") == "to compare, write `==`");
    CHECK(help_of("router x;") == "a statement ends with its line: remove the `;`");
    CHECK(help_of("run { a: 1 }") == "an attribute's value comes after `=`");
    CHECK(help_of("for i in 0 to 3 {}") == "a range is written `a .. b`, or `a ..< b` without its upper end");
    CHECK(help_of("delay = 3 ms").starts_with("to name a value, write `let delay = ...`"));
    CHECK(help_of("host link") == "choose another name, such as `link_`");
    CHECK(statement_shape("host link") == "2:6: `link` is a keyword, and cannot be a name here [syntax-error]");
    CHECK(statement_shape("rooter\nhost h") == "2:1: `rooter` does not begin a statement [syntax-error]");
    CHECK(help_of("rooter\nhost h") == "a keyword with a similar name exists: `router`");
    CHECK(parse_text("modle M {}").errors() == "1:1: expected a declaration, found `modle` [syntax-error]");
    CHECK(parse_text("link a -- b").errors() ==
          "1:1: a statement cannot stand outside a component or model, found the keyword `link` [syntax-error]");
}

TEST_CASE("brackets point at the opening one", "[syntax]")
{
    CHECK(statement_shape("let x = f(a\nrouter r") == "2:10: this `(` is never closed [unclosed-bracket]");
    CHECK(statement_shape("let x = f(a, (b\nrouter r") == "2:14: this `(` is never closed [unclosed-bracket]");
    CHECK(parse_text("model M {\n  for i in 0..1 {\n    router r\n\nmodel N {}").errors() ==
          "2:17: this `{` is never closed [unclosed-bracket]");
    CHECK(parse_text("model M {\nrouter r").errors() == "1:9: this `{` is never closed [unclosed-bracket]");
    CHECK(parse_text("model M { router r[2 }").errors() == "1:19: this `[` is never closed [unclosed-bracket]");
    CHECK(parse_text("model M { }\n}").errors() == "2:1: this `}` closes nothing [syntax-error]");
    CHECK(statement_shape("let x = 3)") == "2:10: this `)` closes nothing [syntax-error]");
}

TEST_CASE("several independent mistakes are all found", "[syntax]")
{
    CHECK(parse_text("component A {\n  let = 1\n  router r\n  let y 2\n  for i in 0..1 {\n    host link\n    host h\n  "
                     "  let z =\n  }\n}\n"
                     "modle B {}\nschema S { a = 1 }\nmodel M(n int) {\n  let x =\n}\n")
              .errors() ==
          "2:7: expected a name after `let`, found `=` [syntax-error]\n"
          "4:9: expected `=` after `y`, found `2` [syntax-error]\n"
          "6:10: `link` is a keyword, and cannot be a name here [syntax-error]\n"
          "9:3: expected a value after `=`, found `}` [syntax-error]\n"
          "11:1: expected a declaration, found `modle` [syntax-error]\n"
          "12:14: expected `:` after the attribute's name, found `=` [syntax-error]\n"
          "13:11: expected `:` after the parameter's name, found `int` [syntax-error]\n"
          "15:1: expected a value after `=`, found `}` [syntax-error]");
}

TEST_CASE("nesting is bounded", "[syntax]")
{
    auto nested = [](int depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
    CHECK(expression_shape(nested(150)) == "1");
    CHECK(expression_shape(nested(100000)) == "2:208: brackets are nested more than 200 deep [nesting-too-deep]");
    CHECK(expression_shape(std::string(100000, '!') + "a") ==
          "2:209: this is nested more than 200 deep [nesting-too-deep]");
    std::string chain = "a";
    for (int i = 0; i < 400; ++i) chain += " + a";
    CHECK(expression_shape(chain).starts_with("(+ (+"));
    for (int i = 0; i < 100000; ++i) chain += " + a";
    CHECK(expression_shape(chain).ends_with("this expression chains more than 500 operators [nesting-too-deep]"));
    std::string ladder = "if a {}";
    for (int i = 0; i < 10000; ++i) ladder += " else if a {}";
    CHECK(statement_shape(ladder).ends_with("this is nested more than 200 deep [nesting-too-deep]"));
}

}  // namespace ANML_UNIT_FILE
