// Words: quantities, ranges, addresses, `%`, and what line ends separate.
#include <catch2/catch.hpp>

#include "syntax_fixture.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

TEST_CASE("a number and its unit are one token", "[syntax]")
{
    CHECK(expression_shape("10 ms") == "literal_quantity<10 ms>");
    CHECK(expression_shape("10ms") == "literal_quantity<10ms>");
    CHECK(expression_shape("1.5\tKB") == "literal_quantity<1.5\tKB>");
    CHECK(expression_shape("1e6 B") == "literal_quantity<1e6 B>");
    CHECK(expression_shape("1e6B") == "literal_quantity<1e6B>");
    CHECK(expression_shape("2.5e-3s") == "literal_quantity<2.5e-3s>");
    CHECK(expression_shape("10 Mbit/s") == "literal_quantity<10 Mbit/s>");
    CHECK(expression_shape("3 m + 2 min") == "(+ literal_quantity<3 m> literal_quantity<2 min>)");
    CHECK(expression_shape("3 m / 2 s") == "(/ literal_quantity<3 m> literal_quantity<2 s>)");
}

TEST_CASE("words that are no unit stay one quantity, for one error", "[syntax]")
{
    for (const char* text :
         {"10 kB", "10 kb", "10 Mb", "10 MBps", "10 minutes", "10 gbps", "3 Subnet", "1e", "10 bit/sec"})
    {
        CHECK(expression_shape(text) == fmt::format("literal_quantity<{}>", text));
    }
}

TEST_CASE("numbers without a unit", "[syntax]")
{
    CHECK(expression_shape("42") == "42");
    CHECK(expression_shape("1.5") == "literal_number<1.5>");
    CHECK(expression_shape("1e6") == "literal_number<1e6>");
    CHECK(expression_shape("1E-6") == "literal_number<1E-6>");
    CHECK(statement_shape("let x = 3\nrouter y") == "(let_stmt x 3)\n(node_decl y _ _)");
    CHECK(statement_shape("let x = 3\nms y") == "(let_stmt x 3)\n(instance_decl ms y _ _ _)");
    CHECK(statement_shape("let x = 3 // of them\nms y") == "(let_stmt x 3)\n(instance_decl ms y _ _ _)");
    CHECK(statement_shape("let x = 3 router y") == "(let_stmt x 3)\n(node_decl y _ _)");
    CHECK(expression_shape("if c then 3 else 4.5") == "(conditional c 3 literal_number<4.5>)");
    CHECK(expression_shape("if c then 1e-3 else 4") == "(conditional c literal_number<1e-3> 4)");
    CHECK(statement_shape("require 1 < 2 else \"no\"") == "(require_stmt (< 1 2) literal_string<\"no\">)");
}

TEST_CASE("ranges", "[syntax]")
{
    CHECK(statement_shape("for i in 1..4096 {}") == "(for_stmt _ i (range 1 4096) _ (block))");
    CHECK(statement_shape("for i in 0..<N {}") == "(for_stmt _ i (range!4 0 N) _ (block))");
    CHECK(statement_shape("for i in 0 ..< N - 1 {}") == "(for_stmt _ i (range!4 0 (- N 1)) _ (block))");
    CHECK(statement_shape("for i in 0..N while i < 3 {}") == "(for_stmt _ i (range 0 N) (< i 3) (block))");
    CHECK(statement_shape("for r in net[*] {}") == "(for_stmt _ r (subscript net *) _ (block))");
    CHECK(expression_shape("a[1..3]") == "(subscript a (range 1 3))");
    CHECK(expression_shape("a[*]") == "(subscript a *)");
    CHECK(expression_shape("a[i + 1].b") == "(member (subscript a (+ i 1)) b)");
}

TEST_CASE("addresses and prefixes", "[syntax]")
{
    CHECK(expression_shape("10.0.0.80") == "literal_address<10.0.0.80>");
    CHECK(expression_shape("10.0.0.0/8") == "literal_prefix<10.0.0.0/8>");
    CHECK(expression_shape("10.0.0") == "literal_address<10.0.0>");
    CHECK(expression_shape("1.5 / 8") == "(/ literal_number<1.5> 8)");
}

TEST_CASE("percent is a unit after a number, unless an operand follows", "[syntax]")
{
    CHECK(expression_shape("5 %") == "literal_quantity<5 %>");
    CHECK(expression_shape("0.5%") == "literal_quantity<0.5%>");
    CHECK(expression_shape("7 % 2") == "(% 7 2)");
    CHECK(expression_shape("7 % n") == "(% 7 n)");
    CHECK(expression_shape("n % 2") == "(% n 2)");
    CHECK(expression_shape("5 % * 2") == "(* literal_quantity<5 %> 2)");
    CHECK(statement_shape("let x = 5 %\nSubnet y") ==
          "(let_stmt x literal_quantity<5 %>)\n(instance_decl Subnet y _ _ _)");
    CHECK(expression_shape("if c then 5 % else 3 %") == "(conditional c literal_quantity<5 %> literal_quantity<3 %>)");
}

TEST_CASE("strings and comments", "[syntax]")
{
    CHECK(expression_shape(R"("a \" // b")") == R"(literal_string<"a \" // b">)");
    CHECK(statement_shape("/* a\n /* b */ router x // c") == "(node_decl x _ _)");
    CHECK(statement_shape("router /* \"x */ y") == "(node_decl y _ _)");
    CHECK(expression_shape("\"\u00e4\u2192\"") == "literal_string<\"\u00e4\u2192\">");
}

TEST_CASE("tokens cover the text, comments included", "[syntax]")
{
    Parsed parsed = parse_text("// first\nmodel M { /* in */ router r } // last");
    REQUIRE(parsed.tree);
    CHECK(verify_syntax(parsed.sources, *parsed.tree) == "");
    std::size_t comments = 0;
    for (std::size_t i = 0; i < parsed.tree->tokens.size(); ++i)
        comments += parsed.tree->tokens.cls(i) == TokenClass::comment;
    CHECK(comments == 3);
}

TEST_CASE("what is no word is one error each", "[syntax]")
{
    CHECK(statement_shape("router x;") == "2:9: unexpected `;` [syntax-error]");
    CHECK(statement_shape("let x = 'a b'") == "2:9: unexpected 'a b' [syntax-error]");
    CHECK(statement_shape("# comment") == "2:1: unexpected `#` [syntax-error]");
    CHECK(statement_shape("let x = \"abc") == "2:9: this string is never closed [syntax-error]");
    CHECK(statement_shape("let x = a & b") == "2:11: unexpected `&` [syntax-error]");
    CHECK(statement_shape("let x = 3 \u00b5s") == "2:11: unexpected `\u00b5` [syntax-error]");
    CHECK(parse_text("model M {} /* x").errors() == "1:12: this comment is never closed [syntax-error]");
    CHECK(parse_text("model M {}\n\x01").errors() == "2:1: unexpected control character 0x01 [syntax-error]");
}

}  // namespace ANML_UNIT_FILE
