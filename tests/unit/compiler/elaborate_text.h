// Elaborates a model given as text, with the standard library at hand.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>

#include "check/check.h"
#include "elaborate/network.h"
#include "library.h"
#include "syntax/syntax_tree.h"

namespace anml::test {

struct Elaborated {
    Diagnostics diagnostics;
    std::optional<Network> network;

    std::string first_error() const
    {
        for (const Diagnostic& d : diagnostics.list())
            if (d.severity == Severity::error) return std::string(diagnostic_name(d.diag)) + ": " + d.message;
        return "";
    }
    const NodeArray& node(std::string_view name) const { return find(network->nodes, name); }
    const LinkArray& link(std::string_view name) const { return find(network->links, name); }
    double constant(ValueExprId id) const { return network->values.as_constant(id).value(); }

  private:
    template <class Row>
    static const Row& find(const std::vector<Row>& rows, std::string_view name)
    {
        const auto it = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
        INFO("no row " << name);
        REQUIRE(it != rows.end());
        return *it;
    }
};

using Defines = std::vector<std::pair<std::string, std::string>>;

// What a workload draws.
inline DistributionValue drawn_of(const Network& network, std::size_t workload, std::string_view attribute)
{
    return std::get<DistributionValue>(*find_value(network.records[network.workloads[workload].record], attribute));
}

inline Elaborated elaborate_text(std::string text, Defines defines = {}, const std::string& model = "")
{
    Elaborated result;
    SourceSet sources;
    sources.add("test.anml", std::move(text), "");
    anml::testing::add_named_modules(sources);
    for (const auto& [name, value] : defines) sources.define(name, value);
    const auto tree = parse(sources, result.diagnostics).if_whole();
    if (!tree) return result;
    const auto program = check(sources, *tree, result.diagnostics, model).if_whole();
    if (!program) return result;
    CHECK(verify_checked(*program) == "");
    ElaborateOptions options;
    options.defines = std::move(defines);
    options.model = model;
    result.network = elaborate(*program, options, result.diagnostics);
    if (result.network) CHECK(verify_network(*result.network) == "");
    return result;
}

// A model around a body, with the usual imports and a run.
inline Elaborated elaborate_body(const std::string& body, Defines defines = {})
{
    auto result = elaborate_text("import std.ether\nimport std.web\n" + body, std::move(defines));
    INFO(result.first_error());
    REQUIRE(result.network);
    return result;
}

}  // namespace anml::test
