// Similar names, and diagnostics as text.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "source/render.h"

namespace ANML_UNIT_FILE {

using namespace anml;

namespace {

SourceSet one_file(std::string text)
{
    SourceSet sources;
    sources.add("wan.anml", std::move(text), "");
    return sources;
}

Span span(std::uint32_t begin, std::uint32_t end, std::size_t file = 0) { return {FileId(file), begin, end}; }

}  // namespace

TEST_CASE("similar names", "[diagnostics]")
{
    std::vector<std::string_view> names{"gateway", "gigabit", "client", "lan", "N", "mtu", "m"};
    CHECK(similar_name("gatway", names) == "gateway");
    CHECK(similar_name("gaetway", names) == "gateway");
    CHECK(similar_name("Client", names) == "client");
    CHECK(similar_name("n", names) == "N");
    CHECK(similar_name("lan", names) == "");
    CHECK(similar_name("server", names) == "");
    CHECK(similar_name("x", names) == "");
    CHECK(similar_name("", names) == "");
    CHECK(similar_name("mtv", names) == "mtu");
}

TEST_CASE("every diagnostic has a name, and is found by it", "[diagnostics]")
{
    for (std::string_view name : diagnostic_names()) {
        auto diag = find_diagnostic(name);
        REQUIRE(diag);
        CHECK(diagnostic_name(*diag) == name);
        CHECK(!diagnostic_explanation(*diag).empty());
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos);
    }
    CHECK_FALSE(find_diagnostic("no-such-thing"));
}

TEST_CASE("a message with its place", "[diagnostics]")
{
    SourceSet sources = one_file("model M {\n\tlink a -- b : fsat\n}\n");
    Diagnostics diagnostics;
    diagnostics.report(Diag::syntax_error, span(25, 29), "unknown name `fsat`")
        .label("not found")
        .note("a note\nin two lines")
        .help("there is `fast`")
        .in("net[3]");
    CHECK(render_human(diagnostics.list()[0], sources, false) ==
          "error[syntax-error]: unknown name `fsat`\n"
          " --> wan.anml:2:16\n"
          "  |\n"
          "2 |     link a -- b : fsat\n"
          "  |                   ^^^^ not found\n"
          "  |\n"
          "  = in: net[3]\n"
          "  = note: a note\n"
          "          in two lines\n"
          "  = help: there is `fast`\n");
    CHECK(render_brief(diagnostics.list()[0], sources) ==
          "wan.anml:2:16: error: unknown name `fsat` (in net[3]) [syntax-error]\n");
}

TEST_CASE("second places, on the same line, far away, and in another file", "[diagnostics]")
{
    SourceSet sources = one_file("let a = b + c\n\n\n\n\n\n\n\n\nlet d\n");
    sources.add("<std>/x.anml", "schema Link\n", "std.x");
    Diagnostics diagnostics;
    diagnostics.report(Diag::syntax_error, span(10, 11), "a time and a size do not add")
        .also(span(8, 9), "a time")
        .also(span(12, 13), "a size")
        .also(span(26, 27), "here")
        .also(span(7, 11, 1), "and there");
    CHECK(render_human(diagnostics.list()[0], sources, false) ==
          "error[syntax-error]: a time and a size do not add\n"
          "  --> wan.anml:1:11\n"
          "   |\n"
          " 1 | let a = b + c\n"
          "   |         - ^ - a size\n"
          "   |         |\n"
          "   |         a time\n"
          "...\n"
          "10 | let d\n"
          "   |     - here\n"
          "  ::: <std>/x.anml:1:8\n"
          "   |\n"
          " 1 | schema Link\n"
          "   |        ---- and there\n");
}

TEST_CASE("colours only when asked", "[diagnostics]")
{
    SourceSet sources = one_file("x\n");
    Diagnostics diagnostics;
    diagnostics.report(Diag::syntax_error, span(0, 1), "m");
    CHECK(render_human(diagnostics.list()[0], sources, false).find('\x1b') == std::string::npos);
    CHECK(render_human(diagnostics.list()[0], sources, true).find("\x1b[1;31merror") == 0);
}

TEST_CASE("places at the end, on empty lines, on endless lines and in bytes that are no text", "[diagnostics]")
{
    Diagnostics diagnostics;
    SourceSet empty = one_file("");
    diagnostics.report(Diag::syntax_error, span(0, 0), "nothing");
    CHECK(render_human(diagnostics.list()[0], empty, false) ==
          "error[syntax-error]: nothing\n --> wan.anml:1:1\n  |\n1 |\n  | ^\n");
    SourceSet bytes = one_file(std::string("a\0\xFFz", 4));
    diagnostics.report(Diag::not_text, span(1, 2), "NUL");
    CHECK(render_human(diagnostics.list()[1], bytes, false).find("1 | a\uFFFD\uFFFDz\n  |  ^\n") != std::string::npos);
    SourceSet wide = one_file(std::string(1000, 'x') + "HERE" + std::string(1000, 'y'));
    diagnostics.report(Diag::syntax_error, span(1000, 1004), "long");
    std::string text = render_human(diagnostics.list()[2], wide, false);
    CHECK(text.find("1 | ... xxx") != std::string::npos);
    CHECK(text.find("^^^^\n") != std::string::npos);
    std::size_t here = text.find("HERE"), caret = text.find("^^^^");
    CHECK(here - text.rfind('\n', here) == caret - text.rfind('\n', caret));
    diagnostics.report(Diag::file_not_found, {}, "no place");
    CHECK(render_human(diagnostics.list()[3], empty, false) == "error[file-not-found]: no place\n");
    CHECK(render_brief(diagnostics.list()[3], empty) == "anmlc: error: no place [file-not-found]\n");
}

TEST_CASE("sorted by place, instances of one mistake joined", "[diagnostics]")
{
    SourceSet sources = one_file("a b c\n");
    Diagnostics diagnostics;
    diagnostics.report(Diag::syntax_error, span(4, 5), "third");
    diagnostics.report(Diag::syntax_error, span(0, 1), "first").in("net[0]");
    diagnostics.report(Diag::syntax_error, span(0, 1), "first").in("net[1]");
    diagnostics.report(Diag::syntax_error, span(0, 1), "other").in("net[1]");
    diagnostics.report(Diag::syntax_error, span(0, 1), "first").in("net[2]");
    CHECK(render_diagnostics(diagnostics, sources, ErrorFormat::brief, false) ==
          "wan.anml:1:1: error: first (in net[0]) [syntax-error]\n"
          "wan.anml:1:1: error: other (in net[1]) [syntax-error]\n"
          "wan.anml:1:5: error: third [syntax-error]\n");
    CHECK(render_diagnostics(diagnostics, sources, ErrorFormat::human, false)
              .find("= note: the same in 2 more instances") != std::string::npos);
}

TEST_CASE("JSON lines", "[diagnostics]")
{
    SourceSet sources = one_file("a \xFF\n");
    Diagnostics diagnostics;
    diagnostics.report(Diag::syntax_error, span(0, 1), "say \"x\" \xFF").also(span(2, 3), "there").help("h");
    std::string line = render_json(diagnostics.list()[0], sources);
    CHECK(line.find('\n') == line.size() - 1);
    auto json = nlohmann::json::parse(line);
    CHECK(json["name"] == "syntax-error");
    CHECK(json["severity"] == "error");
    CHECK(json["place"]["line"] == 1);
    CHECK(json["place"]["end_column"] == 2);
    CHECK(json["labels"][0]["place"]["byte_begin"] == 2);
    CHECK(json["helps"][0] == "h");
    CHECK(json["rendered"].get<std::string>().starts_with("error[syntax-error]: say \"x\""));
}

}  // namespace ANML_UNIT_FILE
