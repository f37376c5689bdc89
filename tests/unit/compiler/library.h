// The standard library beside the text of a test.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "source/embedded_modules.h"
#include "source/source_set.h"

namespace anml::testing {

inline void add(SourceSet& sources, const EmbeddedModule& m)
{
    sources.add(std::string(m.path), std::string(m.text), std::string(m.module));
}

inline void add_library(SourceSet& sources)
{
    for (const EmbeddedModule& m : embedded_modules()) add(sources, m);
}

// The prelude, the modules that the texts name, and those that these name: most tests parse few of them.
inline void add_named_modules(SourceSet& sources)
{
    std::vector<EmbeddedModule> left(embedded_modules().begin(), embedded_modules().end());
    const auto unnamed = [&](const EmbeddedModule& m) {
        return m.module != "std.prelude" && std::none_of(sources.files.begin(), sources.files.end(), [&](const auto& f) {
                   return f.text.find(m.module) != std::string::npos;
               });
    };
    for (;;) {
        const auto named = std::stable_partition(left.begin(), left.end(), unnamed);
        if (named == left.end()) return;
        std::for_each(named, left.end(), [&](const EmbeddedModule& m) { add(sources, m); });
        left.erase(named, left.end());
    }
}

}  // namespace anml::testing
