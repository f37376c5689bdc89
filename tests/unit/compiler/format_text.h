// Formats a text without files: the shared part of the formatter's tests.
#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "format/format.h"
#include "syntax_fixture.h"

namespace anml::testing {

// Formats, and checks what has to hold for every text: the same program, and a second pass changes nothing.
inline std::string checked_format(const std::string& text)
{
    Parsed before = parse_text(text);
    INFO(text);
    INFO(before.errors());
    REQUIRE(before.tree);
    std::string once = format_file(before.sources, *before.tree, before.sources.main);
    Parsed after = parse_text(once);
    INFO(once);
    INFO(after.errors());
    REQUIRE(after.tree);
    CHECK(compare_programs(before.sources, *before.tree, after.sources, *after.tree) == "");
    CHECK(format_file(after.sources, *after.tree, after.sources.main) == once);
    return once;
}

}  // namespace anml::testing
