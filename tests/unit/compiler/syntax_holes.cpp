// Trees of texts with errors: what was understood, with holes, and nothing lost.
#include <catch2/catch.hpp>

#include "mutants.h"
#include "../tier.h"
#include "syntax_fixture.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

namespace {

struct Broken {
    SourceSet sources;
    Diagnostics diagnostics;
    Partial<SyntaxTree> parsed;

    explicit Broken(std::string text)
    {
        sources.add("t.anml", std::move(text), "");
        parsed = parse(sources, diagnostics);
    }
    const SyntaxTree& tree() const { return parsed.output; }

    // Kinds with their children, `?` where something is missing, <words> where they were skipped.
    std::string shape(SyntaxId id) const
    {
        const SyntaxNode node = tree().node(id);
        const std::string text(sources.text(node.span));
        if (node.kind == SyntaxKind::none) return "_";
        if (node.kind == SyntaxKind::hole) return text.empty() ? "?" : "<" + text + ">";
        if (node.child_count == 0 && text[0] != '{') return text;
        if (node.kind == SyntaxKind::name || node.kind == SyntaxKind::dotted_name) return text;
        std::string out = fmt::format("({}", syntax_kind_name(node.kind));
        for (const SyntaxId child : tree().children_of(id)) out += " " + shape(child);
        return out + ")";
    }
    std::string shapes(std::span<const SyntaxId> ids) const
    {
        std::string out;
        for (const SyntaxId id : ids) out += (out.empty() ? "" : "\n") + shape(id);
        return out;
    }
};

std::string declarations(const std::string& text)
{
    const Broken broken(text);
    CHECK(verify_syntax(broken.sources, broken.tree(), Holes::allowed) == "");
    return broken.shapes(syntax::File(broken.tree(), broken.tree().roots[0]).declarations());
}

// Of a component's body.
std::string statements(const std::string& text)
{
    const Broken broken("component T {\n" + text + "\n}\n");
    CHECK_FALSE(broken.parsed.whole);
    CHECK(verify_syntax(broken.sources, broken.tree(), Holes::allowed) == "");
    return broken.shapes(first_body(broken.tree()));
}

// What is wrong with the tree of any text, or "".
std::string promises(const std::string& text)
{
    const Broken broken(text);
    const SyntaxTree& tree = broken.tree();
    if (broken.parsed.whole != !broken.diagnostics.has_errors()) return "whole, and errors";
    if (std::string wrong = verify_syntax(broken.sources, tree, broken.parsed.whole ? Holes::none : Holes::allowed);
        !wrong.empty())
        return wrong;
    // The text is the tokens with white space between them, and every word is in a declaration or a hole.
    std::string rebuilt;
    const auto blanks = [&](std::size_t end) {
        for (std::size_t at = rebuilt.size(); at < end && std::string_view(" \t\r\n").find(text[at]) < 4; ++at)
            rebuilt += text[at];
    };
    const auto declared = syntax::File(tree, tree.roots[0]).declarations();
    std::size_t next = 0;
    for (std::size_t i = 0; i < tree.tokens.size(); ++i) {
        const Token token = tree.tokens[i];
        blanks(token.span.begin);
        rebuilt += broken.sources.text(token.span);
        if (token.cls == TokenClass::comment || token.cls == TokenClass::doc_comment) continue;
        while (next < declared.size() && tree.node(declared[next]).span.end < token.span.end) ++next;
        if (next == declared.size() || tree.node(declared[next]).span.begin > token.span.begin)
            return fmt::format("`{}` is in no declaration", broken.sources.text(token.span));
    }
    blanks(text.size());
    return rebuilt == text ? "" : "the tokens are not the text";
}

}  // namespace

TEST_CASE("what is missing is a hole", "[syntax][holes]")
{
    CHECK(statements("let x =\nrouter r") == "(let_stmt x ?)\n(node_decl r _ _)");
    CHECK(statements("let = 3") == "(let_stmt ? 3)");
    CHECK(statements("link a --\nlink c -- d : p") == "(link_decl _ _ a ? _ _)\n(link_decl _ _ c d p _)");
    CHECK(statements("link a -- b :") == "(link_decl _ _ a b ? _)");
    CHECK(statements("host h { address = }") == "(node_decl h _ (attribute_block (attribute address ?)))");
    CHECK(statements("run {\n a =\n b = 2\n}") == "(run_decl (attribute_block (attribute a ?) (attribute b 2)))");
    CHECK(statements("workload w : web.X on") == "(workload_decl w _ web.X ? _)");
    CHECK(statements("let x = f(, 2)") == "(let_stmt x (call f (argument_list ? (argument _ 2))))");
    CHECK(statements("let x = a.") == "(let_stmt x (member a ?))");
    CHECK(statements("let x = (1 + 2") == "(let_stmt x (binary 1 2))");
    CHECK(statements("for i in 0..3 {\n let y =\n host h\n}") ==
          "(for_stmt _ i (range 0 3) _ (block (let_stmt y ?) (node_decl h _ _)))");
    CHECK(declarations("import\nmodel M { router r }") ==
          "(import_decl ? _)\n(model_decl M _ _ _ (block (node_decl r _ _)))");
    CHECK(statements("host h { address }") == "(node_decl h _ (attribute_block (attribute address ?)))");
    CHECK(declarations("profile p : Link") == "(profile_decl p _ Link _ ?)");
    CHECK(declarations("model M {\n router r") == "(model_decl M _ _ _ (block (node_decl r _ _)))");
    CHECK(declarations("model (n: int) { router r }") ==
          "(model_decl ? (parameter_list (parameter_decl n int _ _ _ _)) _ _ (block (node_decl r _ _)))");
}

TEST_CASE("words that fit nowhere are skipped", "[syntax][holes]")
{
    CHECK(statements("router r\n) + 3\nhost h") == "(node_decl r _ _)\n<) + 3>\n(node_decl h _ _)");
    CHECK(statements("link a ) -- b : p") == "(link_decl _ _ a b p _)");
    CHECK(declarations("foo bar\nmodel M { }\n} host h") == "<foo bar>\n(model_decl M _ _ _ (block))\n<} host h>");
    const Broken inside("component T { link a ) -- b }");
    REQUIRE(inside.tree().skipped.size() == 1);
    CHECK(inside.shape(inside.tree().skipped[0]) == "<)>");
    CHECK(declarations("model M { router r }\n/* never closed") == "(model_decl M _ _ _ (block (node_decl r _ _)))");
    CHECK(declarations("model M { let x = " + std::string(300, '(') + " }").starts_with("<model M {"));
}

TEST_CASE("documentation stays with what is mended", "[syntax][holes]")
{
    const Broken broken("component T {\n/// Far away.\nhost h { address = }\n}");
    CHECK(doc_text(broken.sources, broken.tree(), first_body(broken.tree())[0]) == "Far away.");
}

TEST_CASE("trees of broken texts lose nothing", "[syntax][holes]")
{
    std::size_t tried = 0, files = 0;
    for (const auto& path : anml_files()) {
        if (kSanitized && !everything() && ++files % 12 != 0) continue;
        const std::string text = text_of(path);
        INFO(path);
        CHECK(promises(text) == "");
        const Broken original(text);
        const std::vector<Span> tokens = token_spans(original.tree());
        // Of each file some, another place for each slip.
        const std::size_t step = everything() ? 1 : std::max<std::size_t>(tokens.size() / 2, 1);
        std::size_t from = everything() ? 0 : tried % step;
        for (const Slip slip : kSlips) {
            for (std::size_t at = from; at < tokens.size(); at += step, ++tried) {
                const std::string changed = mutant(text, tokens, at, slip);
                if (const std::string wrong = promises(changed); !wrong.empty())
                    FAIL_CHECK(path << ", token " << at << ", slip " << static_cast<int>(slip) << ": " << wrong);
            }
            if (!everything()) from = (from + 3) % step;
        }
    }
    CHECK(tried > (kSanitized ? 200 : 2000));
}

}  // namespace ANML_UNIT_FILE
