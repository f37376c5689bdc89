// Diagnostics as a SARIF 2.1.0 log (OASIS), the format that code hosts and editors read: one run with the rules that
// it used, results with locations, related locations and fixes.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

class SarifLog {
  public:
    explicit SarifLog(std::string version) : version_(std::move(version)) {}

    void add(const Diagnostics& diagnostics, const SourceSet& sources);  // those of one compilation
    std::string text() const;                                            // the whole document, with a final newline

  private:
    nlohmann::json result(const Diagnostic& diagnostic, const SourceSet& sources);

    std::string version_;
    nlohmann::json results_ = nlohmann::json::array();
    std::set<Diag> rules_;
    std::set<std::string> files_;
    bool good_ = true;
};

}  // namespace anml
