// Each construct has the children that syntax_kinds.def gives it.
#include <catch2/catch.hpp>

#include "syntax/file_doc.h"
#include "syntax_fixture.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

static std::string declaration_shape(const std::string& text)
{
    Parsed parsed = parse_text(text);
    if (!parsed.tree) return parsed.errors();
    std::string broken = verify_syntax(parsed.sources, *parsed.tree);
    return broken.empty() ? parsed.shape() : broken;
}

TEST_CASE("declarations", "[syntax]")
{
    CHECK(declaration_shape("edition 1") == "(edition_decl 1)");
    CHECK(declaration_shape("import std.ether") == "(import_decl std.ether _)");
    CHECK(declaration_shape("import std.ether as e") == "(import_decl std.ether e)");
    CHECK(declaration_shape("enum Mode { a, b\n c }") == "(enum_decl Mode a b c)");
    CHECK(declaration_shape("component C {}") == "(component_decl C _ _ _ (block))");
    CHECK(declaration_shape("model M() {}") == "(model_decl M (parameter_list) _ _ (block))");
    CHECK(declaration_shape("model M(a: int = 1, tunable b: time in 1 s .. 2 s = 1 s,) {}") ==
          "(model_decl M (parameter_list (parameter_decl a int _ _ _ 1) (parameter_decl!1 b time _ _ (range "
          "literal_quantity<1 "
          "s> "
          "literal_quantity<2 s>) literal_quantity<1 s>)) _ _ (block))");
    CHECK(declaration_shape("profile p(n: int) : a.Link { x = n }") ==
          "(profile_decl p (parameter_list (parameter_decl n int _ _ _ _)) a.Link _ (attribute_block (attribute x n)))");
    CHECK(declaration_shape("profile p : Link {}") == "(profile_decl p _ Link _ (attribute_block))");
}

TEST_CASE("schemas", "[syntax]")
{
    CHECK(declaration_shape("schema S {}") == "(schema_decl S _)");
    CHECK(declaration_shape("schema S { @changes(step) a: int, trait b = 1 + 2 }") ==
          "(schema_decl S _ (annotated (annotation changes (argument_list (argument _ step))) "
          "(attribute_decl a int _ _ _ _)) (trait_decl b (+ 1 2)))");
    CHECK(
        declaration_shape(
            "schema S : b.B { a: int in 0..3 = 1, b: addr?\n c: random time\n d: Doc[]\n require a < b else \"x\" }") ==
        "(schema_decl S b.B (attribute_decl a int _ _ (range 0 3) 1) (attribute_decl!16 b addr _ _ _ _) "
        "(attribute_decl!8 c time _ _ _ _) (attribute_decl!32 d Doc _ _ _ _) (require_stmt (< a b) "
        "literal_string<\"x\">))");
}

TEST_CASE("statements", "[syntax]")
{
    CHECK(statement_shape("host client[n]") == "(node_decl client (brackets n) _)");
    CHECK(statement_shape("endpoint e { address = 10.0.0.1, }") ==
          "(node_decl e _ (attribute_block (attribute address literal_address<10.0.0.1>)))");
    CHECK(statement_shape("a.Subnet net[2](hosts = H, 3)") ==
          "(instance_decl a.Subnet net (brackets 2) (argument_list (argument hosts H) (argument _ 3)) _)");
    CHECK(statement_shape("Subnet net") == "(instance_decl Subnet net _ _ _)");
    CHECK(statement_shape("let x = y") == "(let_stmt x y)");
    CHECK(statement_shape("workload w : web.Loop on c[*] { n = 1 }") ==
          "(workload_decl w _ web.Loop (subscript c *) (attribute_block (attribute n 1)))");
    CHECK(statement_shape("workload w : web.Loop on c") == "(workload_decl w _ web.Loop c _)");
    CHECK(statement_shape("require a") == "(require_stmt a _)");
    CHECK(statement_shape("run { duration = 1 s }") ==
          "(run_decl (attribute_block (attribute duration literal_quantity<1 s>)))");
    CHECK(statement_shape("addressing { pool = 10.0.0.0/8 }") ==
          "(addressing_decl (attribute_block (attribute pool literal_prefix<10.0.0.0/8>)))");
    CHECK(statement_shape("routing { metric = hops }") ==
          "(routing_decl _ _ (attribute_block (attribute metric hops)))");
    CHECK(statement_shape("routing west on r[*] { metric = hops }") ==
          "(routing_decl west (subscript r *) (attribute_block (attribute metric hops)))");
    CHECK(statement_shape("if a { router x } else if b { } else { host y }") ==
          "(if_stmt a (block (node_decl x _ _)) (if_stmt b (block) (block (node_decl y _ _))))");
    CHECK(statement_shape("if a {}") == "(if_stmt a (block) _)");
}

TEST_CASE("links", "[syntax]")
{
    CHECK(statement_shape("link a -- b") == "(link_decl _ _ a b _ _)");
    CHECK(statement_shape("link a--b") == "(link_decl _ _ a b _ _)");
    CHECK(statement_shape("link up: a -- b : p") == "(link_decl up _ a b p _)");
    CHECK(statement_shape("link up[i + 1]: a.b -> c[2] : e.p(3) { mtu = 1 }") ==
          "(link_decl!2 up (brackets (+ i 1)) (member a b) (subscript c 2) (call (member e p) (argument_list (argument "
          "_ 3))) "
          "(attribute_block (attribute mtu 1)))");
    CHECK(statement_shape("link a[0] -- b : p") == "(link_decl _ _ (subscript a 0) b p _)");
    CHECK(statement_shape("link a -- b { mtu = 1 }") == "(link_decl _ _ a b _ (attribute_block (attribute mtu 1)))");
    CHECK(statement_shape("link a -- b\nrouter c") == "(link_decl _ _ a b _ _)\n(node_decl c _ _)");
    CHECK(statement_shape("link a.x: b -- c") ==
          "2:6: expected the link's name before `:`, found `a.x` [syntax-error]");
    CHECK(statement_shape("link a[*]: b -- c") ==
          "2:6: expected the link's name before `:`, found `a[*]` [syntax-error]");
}

TEST_CASE("precedence", "[syntax]")
{
    CHECK(expression_shape("a + b * c - d") == "(- (+ a (* b c)) d)");
    CHECK(expression_shape("-a * b") == "(* (- a) b)");
    CHECK(expression_shape("-a.b[0]") == "(- (subscript (member a b) 0))");
    CHECK(expression_shape("!a && b || c") == "(|| (&& (! a) b) c)");
    CHECK(expression_shape("a + 1 < b && c == d") == "(&& (< (+ a 1) b) (== c d))");
    CHECK(expression_shape("(a + b) * c") == "(* (+ a b) c)");
    CHECK(expression_shape("if a then b else c + d") == "(conditional a b (+ c d))");
    CHECK(expression_shape("[a, 1 s, ]") == "(list a literal_quantity<1 s>)");
    CHECK(expression_shape("f()(1)") == "(call (call f (argument_list)) (argument_list (argument _ 1)))");
    CHECK(expression_shape("self.x") == "(member self x)");
    CHECK(expression_shape("a < b < c") == "2:15: comparisons do not chain [syntax-error]");
    CHECK(expression_shape("(a < b) == c") == "(== (< a b) c)");
}

TEST_CASE("an expression may go on in the next line", "[syntax]")
{
    CHECK(statement_shape("let x = a\n  + b\nrouter r") == "(let_stmt x (+ a b))\n(node_decl r _ _)");
    CHECK(statement_shape("let x = f(\n1,\n2\n)") ==
          "(let_stmt x (call f (argument_list (argument _ 1) (argument _ 2))))");
}

TEST_CASE("line ends separate attributes and instances", "[syntax]")
{
    CHECK(statement_shape("run { a = 1\n b = 2, c = 3\n }") ==
          "(run_decl (attribute_block (attribute a 1) (attribute b 2) (attribute c 3)))");
    CHECK(statement_shape("run { a = x b = y }") == "2:13: expected `,` or a new line before `b` [syntax-error]");
    CHECK(statement_shape("router a switch b") == "(node_decl a _ _)\n(node_decl b _ _)");
    CHECK(statement_shape("router a Subnet b") == "2:10: expected a new line before `Subnet` [syntax-error]");
    CHECK(statement_shape("for i in 0..1 { Subnet b }").starts_with("(for_stmt"));
}

TEST_CASE("an annotation stands before a port as before an instance", "[syntax]")
{
    CHECK(statement_shape("@task(\"x\") port out = r") ==
          "(annotated (annotation task (argument_list (argument _ literal_string<\"x\">))) (port_decl out r))");
}

TEST_CASE("documentation attaches to what follows", "[syntax]")
{
    Parsed parsed = parse_text(
        "/// Two\n///  lines \nmodel M(\n/// The size.\nn: int) {\n/// A node\n// plain\n/// yes\nrouter r\n}");
    REQUIRE(parsed.tree);
    const SyntaxTree& tree = *parsed.tree;
    const SyntaxId model = syntax::File(tree, tree.roots[0]).declarations()[0];
    const syntax::ParameterList parameters(tree, syntax::parameters_of(tree, model));
    CHECK(doc_text(parsed.sources, tree, model) == "Two\n lines");
    CHECK(doc_text(parsed.sources, tree, tree.roots[0]) == "Two\n lines");
    CHECK(doc_text(parsed.sources, tree, parameters.parameters()[0]) == "The size.");
    CHECK(doc_text(parsed.sources, tree, first_body(tree)[0]) == "yes");
    CHECK(doc_text(parsed.sources, tree, syntax::name_of(tree, model)) == "");
}

TEST_CASE("a body longer than a run is one body", "[syntax]")
{
    std::string text = "model M {\n";
    for (int i = 0; i < 5000; ++i) text += fmt::format("router r{} {{ address = 10.0.0.1 }}\nSubnet s{}\n", i, i);
    Parsed parsed = parse_text(text + "}\n");
    REQUIRE(parsed.tree);
    CHECK(verify_syntax(parsed.sources, *parsed.tree) == "");
    CHECK(first_body(*parsed.tree).size() == 10000);
}

TEST_CASE("CRLF files parse as others do", "[syntax]")
{
    CHECK(declaration_shape("model M {\r\n  run { a = 1\r\n b = 2 }\r\n}\r\n") ==
          "(model_decl M _ _ _ (block (run_decl (attribute_block (attribute a 1) (attribute b 2)))))");
}

// "about the file / about its first declaration" of a text; a declaration before `enum` counts.
static std::string top_of(const std::string& text)
{
    Parsed parsed = parse_text(text);
    if (!parsed.tree) return parsed.errors();
    const SyntaxTree& tree = *parsed.tree;
    return file_doc(parsed.sources, tree, FileId(0)) + " / " +
           doc_text(parsed.sources, tree, syntax::File(tree, tree.roots[0]).declarations().back());
}

TEST_CASE("at the top of a file an empty line ends what is said of the file", "[syntax]")
{
    CHECK(top_of("/// A\n/// B\nenum E { a }") == " / A\nB");
    CHECK(top_of("/// A\n/// B\n\n/// C\nenum E { a }") == "A\nB / C");
    CHECK(top_of("// licence\n\n/// A\r\n\r\n  /// B\r\n/// C\nenum E { a }") == "A / B\nC");
    CHECK(top_of("/// A\n\n/// B\n\n/// C\nenum E { a }") == "A / B\nC");
    CHECK(top_of("/// A\n\n\nmodel M {}") == "A / ");
    CHECK(top_of("/// A\nedition 1\n/// B\n\n/// C\nenum E { a }") == "A / B\nC");
    CHECK(top_of("/// A\n\n/// B\nimport c\nenum E { a }") == "A\nB / ");
    CHECK(top_of("enum E { a }\n\n/// A\n\n/// B\nenum F { b }") == " / A\nB");
}

}  // namespace ANML_UNIT_FILE
