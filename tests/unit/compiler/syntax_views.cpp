// Children by name, and that the tree is held against syntax_kinds.def.
#include "syntax/syntax_views.h"

#include <catch2/catch.hpp>

#include "syntax_fixture.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

namespace {

std::string text(const Parsed& parsed, SyntaxId id)
{
    return std::string(parsed.sources.text(parsed.tree->node(id).span));
}

}  // namespace

TEST_CASE("views name the children of a node", "[syntax]")
{
    const Parsed parsed = parse_text(
        "component C(n: int in 1..9 = 2) {\n  link up: a -- b : p { mtu = 1 B }\n  link c -> d\n"
        "  for i in 0 ..< n while x { host h }\n}\n");
    REQUIRE(parsed.tree);
    const SyntaxTree& tree = *parsed.tree;
    const syntax::File file(tree, tree.roots[0]);
    REQUIRE(file.declarations().size() == 1);
    const syntax::ComponentDeclaration component(tree, file.declarations()[0]);
    CHECK(text(parsed, component.name()) == "C");
    CHECK(component.has_parameters());
    CHECK_FALSE(component.has_base());

    const syntax::ValueDeclaration n(tree, syntax::ParameterList(tree, component.parameters()).parameters()[0]);
    CHECK(text(parsed, n.type()) == "int");
    CHECK(text(parsed, n.range()) == "1..9");
    CHECK(text(parsed, n.preset()) == "2");

    const auto statements = syntax::Block(tree, component.body()).statements();
    REQUIRE(statements.size() == 3);
    const syntax::LinkDeclaration named(tree, statements[0]), bare(tree, statements[1]);
    CHECK(text(parsed, named.name()) == "up");
    CHECK(text(parsed, named.left()) == "a");
    CHECK(text(parsed, named.right()) == "b");
    CHECK(text(parsed, named.profile()) == "p");
    CHECK(text(parsed, syntax::AttributeBlock(tree, named.attributes()).attributes()[0]) == "mtu = 1 B");
    CHECK_FALSE(bare.has_name());
    CHECK_FALSE(bare.has_attributes());
    CHECK(syntax::AttributeBlock(tree, bare.attributes()).attributes().empty());  // of an absent block

    const syntax::ForStatement loop(tree, statements[2]);
    CHECK(text(parsed, loop.over()) == "0 ..< n");
    CHECK(text(parsed, loop.condition()) == "x");
    CHECK(text(parsed, loop.body()) == "{ host h }");
}

TEST_CASE("a child is found by its name in a node of any kind", "[syntax]")
{
    const Parsed parsed = parse_text("component C {\n  Subnet net\n  at 1 s { r down }\n}\n");
    REQUIRE(parsed.tree);
    const SyntaxTree& tree = *parsed.tree;
    const SyntaxId component = syntax::File(tree, tree.roots[0]).declarations()[0];
    const auto statements = syntax::Block(tree, syntax::ComponentDeclaration(tree, component).body()).statements();
    CHECK(text(parsed, syntax::name_of(tree, statements[0])) == "net");
    CHECK_FALSE(syntax::name_of(tree, statements[1]).valid());
    CHECK(text(parsed, syntax::timeline_of(tree, statements[1])) == "{ r down }");
    CHECK(tree.is_none(syntax::parameters_of(tree, component)));
}

TEST_CASE("a tree with other children than those of the list is broken", "[syntax]")
{
    const auto broken = [](auto&&... children) {
        SourceSet sources;
        const FileId file = sources.add("t.anml", "x", "");
        const Span span{file, 0, 1};
        SyntaxTree tree;
        std::vector<SyntaxId> added;
        (added.push_back(tree.add(children, 0, Span{file, 1, 1}, Span{file, 1, 1}, {})), ...);
        tree.roots.push_back(tree.add(SyntaxKind::let_stmt, 0, span, span, added));
        return verify_syntax(sources, tree);
    };
    CHECK(broken(SyntaxKind::identifier) == "node 1 (let_stmt) has 1 children, not 2");
    CHECK(broken(SyntaxKind::identifier, SyntaxKind::wildcard) == "node 2 (let_stmt) has a wildcard as its `value`");
    CHECK(broken(SyntaxKind::identifier, SyntaxKind::none) == "node 2 (let_stmt) has a none as its `value`");
    CHECK(broken(SyntaxKind::identifier, SyntaxKind::self).find("let_stmt") == std::string::npos);
}

}  // namespace ANML_UNIT_FILE
