// What rules find. Of several findings of one rule at one place, in instances or elements, the worst is reported.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "syntax/syntax_tree.h"

namespace anml {

struct LintDiagnostic {
    Diag diag{};
    Span span;
    std::string message;
    std::string help;
    std::vector<Label> labels;
    std::vector<std::string> notes;
    std::vector<Fix> fixes{};
};

class LintDiagnostics {
  public:
    LintDiagnostics(const SourceSet& source_set, const SyntaxTree& syntax_tree)
        : sources(source_set), tree(syntax_tree)
    {
    }

    const SourceSet& sources;
    const SyntaxTree& tree;

    bool of_library(FileId file) const { return sources.file(file).path.starts_with("<std>/"); }
    void find(double badness, LintDiagnostic diagnostic);
    void report(Diagnostics& diagnostics) const;

  private:
    struct Worst {
        double badness = 0;
        std::size_t others = 0;
        LintDiagnostic diagnostic;
    };
    std::map<std::pair<Diag, std::pair<std::uint32_t, std::uint32_t>>, Worst> found_;
};

}  // namespace anml
