// Diagnostics as text: for people, one per line for tools that read compilers' messages, and as JSON lines. SARIF is
// in source/sarif.h.
#pragma once

#include <string>

#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

enum class ErrorFormat : std::uint8_t { human, brief, json, github, sarif };

std::string_view severity_name(Severity severity);

// Sorted by place, those without one first; the same message at the same place in several instances counts as one.
std::vector<Diagnostic> in_order(const Diagnostics& diagnostics);

// In that order; for people the first 200 of each severity, for programs all. Not for SARIF, whose logs are whole
// documents: see source/sarif.h.
std::string render_diagnostics(const Diagnostics& diagnostics, const SourceSet& sources, ErrorFormat format,
                               bool color);

// One of them. `human` is several lines: message, text with carets and labels, notes, helps.
std::string render_human(const Diagnostic& diagnostic, const SourceSet& sources, bool color);
std::string render_brief(const Diagnostic& diagnostic, const SourceSet& sources);  // file:1:2: error: message [name]
std::string render_json(const Diagnostic& diagnostic, const SourceSet& sources);   // one line, with a field `rendered`
// An annotation of GitHub Actions: `::error file=wan.anml,line=3,col=5,...,title=name::message`, one line.
std::string render_github(const Diagnostic& diagnostic, const SourceSet& sources);

}  // namespace anml
