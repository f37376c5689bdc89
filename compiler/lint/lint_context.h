// What the rules on a network share: figures of links at the tunables' defaults, flows, expected traffic.
#pragma once

#include <string>
#include <vector>

#include "analysis/network_queries.h"
#include "analysis/traffic/expected_traffic.h"
#include "analysis/traffic/flows.h"
#include "common/figures.h"
#include "lint/lint.h"
#include "lint/lint_diagnostics.h"

namespace anml {

class LintContext : public LintDiagnostics {
  public:
    explicit LintContext(const LintInput& input);

    const LintInput& input;
    const Network& network;
    std::vector<double> tunables;  // at their defaults
    std::vector<Flow> flows;
    ExpectedTraffic traffic;

    double value(ValueExprId id) const { return network.values.evaluate(id, tunables); }
    // Of a directed link, in canonical units.
    double rate(std::uint32_t link) const { return direction(link, &LinkArray::rate); }
    double delay(std::uint32_t link) const { return direction(link, &LinkArray::delay); }
    double mtu(std::uint32_t link) const { return value(group(link).mtu); }
    const LinkArray& group(std::uint32_t link) const { return network.links[link_row_of(network, link)]; }
    std::string name(std::uint32_t link) const { return "`" + link_name(network, link) + "`"; }
    std::string node(std::uint32_t node) const { return "`" + node_name(network, node) + "`"; }

  private:
    double direction(std::uint32_t link, ValueExprId (LinkArray::*member)[2]) const;
};

}  // namespace anml
