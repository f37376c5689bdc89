// A statement whose kinds of words were seen before gets its tree without being parsed. It is the tree that the parser
// makes: inside an `if` it always parses, and the two must agree on kinds, places and documentation.
#include <catch2/catch.hpp>

#include "syntax_fixture.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

namespace {

// Of a node and what is below it: kind, flags, text, token and documentation, a line each.
void describe(const Parsed& p, SyntaxId id, std::string& out)
{
    const SyntaxNode node = p.tree->node(id);
    // An absent part has a place, and no text: what stands before it on its line says where.
    const std::string_view text = p.sources.file(node.span.file).text;
    const std::size_t line = text.rfind('\n', node.span.begin == 0 ? 0 : node.span.begin - 1) + 1;
    out += fmt::format("{} {} `{}` `{}` `{}` `{}`\n", syntax_kind_name(node.kind), node.flags,
                       text.substr(line, node.span.begin - line), p.sources.text(node.span),
                       node.token.valid() ? p.sources.text(node.token) : "none", doc_text(p.sources, *p.tree, id));
    for (const SyntaxId child : p.tree->children_of(id)) describe(p, child, out);
}

std::string describe_all(const Parsed& p, std::span<const SyntaxId> statements)
{
    std::string out;
    for (const SyntaxId id : statements) describe(p, id, out);
    return out;
}

// Of the statements in a body; with `nested`, of the same in an `if`.
std::string trees(const std::string& statements, bool nested)
{
    const Parsed p = parse_text("component T {\n" + (nested ? "if a {\n" + statements + "}\n" : statements) + "}\n");
    REQUIRE(p.errors() == "");
    REQUIRE(verify_syntax(p.sources, *p.tree) == "");
    const auto outer = first_body(*p.tree);
    if (!nested) return describe_all(p, outer);
    return describe_all(p, syntax::Block(*p.tree, syntax::IfStatement(*p.tree, outer[0]).then()).statements());
}

}  // namespace

TEST_CASE("statements like earlier ones have the parser's trees", "[syntax]")
{
    const auto agree = [](const std::string& statements) {
        INFO(statements);
        CHECK(trees(statements, false) == trees(statements, true));
    };
    agree("router a\nrouter   bb\n\nhost c /* x */\nhost\n  ddd\n");
    agree("link a -- b : p\nlink aa--bb:pp\nlink a -- b\n  : p\n");
    agree(
        "link a -- b { rate = 1 Gbps, delay = 3 us }\nlink aa -- bb{rate=10Gbps,delay=30us}\n"
        "link a -- b {\n  rate = 1 Gbps\n  delay = 3 us\n}\n");
    agree("/// one\nrouter a\n/// two\n/// lines\nrouter b\nrouter c\n// none\nrouter d\n");
    agree("link a -- b {\n  /// of the rate\n  rate = 1 Gbps\n}\nlink a -- b {\n  rate = 1 Gbps\n}\n");
    agree("let x = (a + b) * -c.d[3]\nlet yy = (aa + bb) * -cc.dd[33]\n");
    agree("Site s(n = 1, 2)\nSite  tt(n = 11, 22)\nstd.Site u\nmm.Site vv\nSite w[4](k = [1, 2])\n");
    agree("@task(\"core\") router a\n@task(\"edge\") router b\n@task(\"x\")\nSite s\n@task(\"y\")\nSite t\n");
    agree(
        "Site s(n = 1) {\n  override l : p { rate = 1 Gbps }\n  override run { duration = 1 s }\n}\n"
        "Site t(n = 2) {\n  override m : q { rate = 2 Gbps }\n  override run { duration = 2 s }\n}\n");
    agree("workload w : web.X on a[*].b { server = c }\nworkload v : web.Y on d[*].e { server = f }\n");
    agree("require a < b else \"no\"\nrequire cc < dd else \"never\"\nrequire rtt(a, b) < 1 s\n");
    agree(
        "for i in 0 ..< 3 { link a[i] -- b }\nfor j in 0 ..< 4 { link c[j] -- d }\nif a { router x } else { host y "
        "}\n");
    agree("at 3 s { l down }\nat 4 s { m up }\nroute a to b via c\nroute d\n  to e\n  via f\nrouter g\n");
    agree("route a to b via [c, d] { weight = 2 }\nroute e to f via g\nroute hh to ii via [jj, kk] { weight = 33 }\n");
    agree("port p = a\nport q = b\nprofile x : Link { rate = 1 Gbps }\nprofile y : Link { rate = 2 Gbps }\n");
    agree("link hop[i]: a -> b.c[2] : q(1, x = 2)\nlink hap[j]: d -> e.f[3] : r(4, y = 5)\n");
}

TEST_CASE("a word that belongs to the line before ends no statement", "[syntax]")
{
    CHECK(statement_shape("Site\n  s\nSite\n  t") == statement_shape("Site s\nSite t"));
    CHECK(statement_shape("router\n a\nlet x =\n b\nSite s") == statement_shape("router a\nlet x = b\nSite s"));
}

TEST_CASE("an error in a statement like earlier ones is the parser's", "[syntax]")
{
    CHECK(parse_text("component T {\n  link a -- b : p\n  link c -- : q\n  link d -- e : r\n}\n").errors() ==
          parse_text("component T {\n  link a -- b : p\n  link c -- : q\n}\n").errors());
    // What stands before an instance is looked at each time.
    CHECK(parse_text("component A { B b }\ncomponent C {\n  router r D d\n}\n").errors() ==
          parse_text("\ncomponent C {\n  router r D d\n}\n").errors());
    CHECK(parse_text("component T {\n  Site s\n  router a Site t\n}\n").errors() ==
          parse_text("component T {\n  router b\n  router a Site t\n}\n").errors());
    CHECK(parse_text("component T {\n  let x = a < b\n  let y = a < b < c\n}\n").errors() ==
          parse_text("component T {\n  let x = a + b\n  let y = a < b < c\n}\n").errors());
}

}  // namespace ANML_UNIT_FILE
