// Programs of texts with errors: what was understood, and no follow-up errors.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "check_text.h"
#include "mutants.h"
#include "../tier.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::testing;

namespace {

std::string messages(const Diagnostics& diagnostics)
{
    std::string out;
    for (const Diagnostic& d : diagnostics.list())
        if (d.severity == Severity::error) out += (out.empty() ? "" : "\n") + d.message;
    return out;
}

// Errors of the checker in a text whose syntax is wrong.
std::string found_in(const std::string& text)
{
    const SourceSet sources = with_library(text);
    const Checked c = check_sources(sources);
    CHECK_FALSE(c.parsed.whole);
    CHECK_FALSE(c.checked.whole);
    CHECK(verify_checked(c.program(), Holes::allowed) == "");
    return messages(c.of_check);
}

const Component* component(const CheckedProgram& program, std::string_view name)
{
    for (const Component& c : program.components)
        if (c.full_name == name) return &c;
    return nullptr;
}

}  // namespace

TEST_CASE("a program with errors has what was understood", "[check][holes]")
{
    const SourceSet sources = with_library(
        "component C(n: int, d: time = 1 s, x: nothing) {\n  host h[n]\n  router r\n  let y = 3 + \"a\"\n"
        "  Absent part\n  link up: h[*] -- r : missing\n}\n");
    const Checked c = check_sources(sources);
    CHECK(c.parsed.whole);
    CHECK_FALSE(c.checked.whole);
    CHECK(verify_checked(c.program(), Holes::allowed) == "");
    const Component* found = component(c.program(), "C");
    REQUIRE(found);
    REQUIRE(found->parameters.size() == 3);
    CHECK(type_name(c.program(), found->parameters[1].type) == "time");
    CHECK(found->parameters[2].type.kind == TypeKind::error);
    REQUIRE(found->members.size() == 5);  // h, r, y, part, up
    CHECK(type_name(c.program(), found->members[0].type) == "array of hosts");
    CHECK(found->members[2].type.kind == TypeKind::error);
}

TEST_CASE("holes of the tree are holes of the program", "[check][holes]")
{
    const SourceSet sources = with_library(
        "import std.ether\nmodel M(n: , k: int = 2) {\n  router a\n  router b { address = }\n  let x =\n"
        "  let y = x + 1\n  link a -- b : ether.\n  run { duration = 1 s }\n}\n");
    const Checked c = check_sources(sources);
    CHECK(messages(c.of_check) == "");
    const Component* found = component(c.program(), "M");
    REQUIRE(found);
    REQUIRE(found->parameters.size() == 2);
    CHECK(found->parameters[0].type.kind == TypeKind::error);
    CHECK(type_name(c.program(), found->parameters[1].type) == "int");
    REQUIRE(found->members.size() == 4);
    CHECK(type_name(c.program(), found->members[1].type) == "router");
    CHECK(found->body.size() == 6);
}

TEST_CASE("a hole leads to no further errors", "[check][holes]")
{
    CHECK(found_in("profile p : Link { delay 1 ms, rate }\nmodel M { router a\n link a -- a : p }") == "");
    CHECK(found_in("component C(n: int, : ) { router r }\nmodel M { C c(1, 2)\n C d }") == "");
    CHECK(found_in("schema S { a: int = 1, b c }\nprofile p : S { b = 2, c = 3 }") == "");
    CHECK(found_in("enum E { one, two }} three }\nprofile p : Link { rate = three }") == "");
    CHECK(found_in("model M { router ) lost\n at 1 s { lost down } }") == "");
    CHECK(found_in("function f(x: int, ) : = x\nmodel M { let y = f(1) + f(1, 2) }") == "");
    CHECK(found_in("graph g(\"no.gml\")\nmodel M { g part\n let x = }") == "");
    CHECK(found_in("process p : time { state x : time = 1 s then }\nmodel M { at 1 s { a { rate = } } }") == "");
    CHECK(found_in("model M { ramp from 1 s to 2 s { up { rate = } }\n from to { x -- }\n @ host h }") == "");
    CHECK(found_in("model M { at 1 s { a down } }\n/* router a") == "");
    // What is wrong elsewhere is said.
    CHECK(found_in("model M { let x = \n let y = z }") == "unknown name `z`");
}

TEST_CASE("a mistake of syntax is no mistake of meaning", "[check][holes]")
{
    // The same text without it is right, so each error of the checker is a consequence.
    std::size_t broken = 0, silent = 0, place = 0, files = 0;
    for (const auto& path : anml_files()) {
        const std::string text = text_of(path);
        if (text.size() > 20'000 || (!everything() && ++files % (kSanitized ? 15 : 3) != 0)) continue;
        // Its imports are the library's, or it is not whole here.
        const SourceSet sources = with_library(text);
        const Checked original = check_sources(sources);
        CHECK(verify_checked(original.program(), original.whole() ? Holes::none : Holes::allowed) == "");
        if (!original.whole()) continue;
        const std::vector<Span> tokens = token_spans(original.tree());
        const std::size_t step = everything() ? 1 : tokens.size();
        for (const Slip slip : kSlips) {
            if (!everything() && ++place % (kSanitized ? 5 : 10) != 0) continue;
            for (std::size_t at = everything() ? 0 : place * 31 % tokens.size(); at < tokens.size(); at += step) {
                const SourceSet changed = with_library(mutant(text, tokens, at, slip));
                const Checked c = check_sources(changed);
                CHECK(verify_checked(c.program(), c.whole() ? Holes::none : Holes::allowed) == "");
                if (c.parsed.whole) continue;
                ++broken;
                silent += !c.of_check.has_errors();
                if (std::getenv("ANML_SHOW") && c.of_check.has_errors())
                    fmt::print("{} token {} slip {}: {}\n  {}\n", path.string(), at, static_cast<int>(slip),
                               c.of_parse.list()[0].message, messages(c.of_check));
            }
        }
    }
    INFO(silent << " of " << broken);
    CHECK(broken > (kSanitized ? 6 : 20));
    CHECK(silent * 100 >= broken * (everything() ? 95 : 92));  // of seventy, four by chance
}

TEST_CASE("comprehensions and types like others with something missing")
{
    for (const char* text : {"let a = [x for x in ]", "let a = [y * 2 for in [1, 2]]", "let a = [for x in [1]]",
                             "let a = [x for x in [1] if ]", "let a = [x for x in 0 ..< ]", "let a = [x, for x in [1]]",
                             "let a = [x for x, in [1]]"})
    {
        INFO(text);
        CHECK(found_in(std::string("model M {\n") + text + "\nlet b = a\nrun { duration = 1 s }\n}") == "");
    }
    CHECK(found_in("function f(x: quantity, y: ): like x = 2 * \nfunction g(: quantity): like x = x +\nmodel M {}") ==
          "");
}

}  // namespace ANML_UNIT_FILE
