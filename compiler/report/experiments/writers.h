// The formats of findings.
#pragma once

#include "report/experiments/findings.h"

namespace anml {

std::string write_findings_json(const std::vector<Findings>& findings, const Json& differences);
std::string write_findings_csv(const std::vector<Findings>& findings);
std::string write_findings_junit(const std::vector<Findings>& findings);
std::string write_findings_markdown(const std::vector<Findings>& findings, const Json& differences);
std::string write_findings_page(const std::vector<Findings>& findings, const Json& differences,
                                const std::string& output, std::string_view version);

}  // namespace anml
