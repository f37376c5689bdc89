// Parses and checks texts in memory, whole or not, with the standard library at hand.
#pragma once

#include <string>

#include "check/check.h"
#include "library.h"

namespace anml::testing {

struct Checked {
    Partial<SyntaxTree> parsed;
    Partial<CheckedProgram> checked;
    Diagnostics of_parse, of_check;
    Declarations declarations;

    const SyntaxTree& tree() const { return parsed.output; }
    const CheckedProgram& program() const { return checked.output; }
    bool whole() const { return parsed.whole && checked.whole; }
};

inline Checked check_sources(const SourceSet& sources)
{
    Checked result;
    result.parsed = parse(sources, result.of_parse);
    result.checked = check(sources, result.tree(), result.of_check, "", &result.declarations);
    return result;
}

inline SourceSet with_library(std::string text)
{
    SourceSet sources;
    sources.add("test.anml", std::move(text), "");
    add_named_modules(sources);
    return sources;
}

}  // namespace anml::testing
