// Differences for programs: everything, with the keys that docs/diff.md lists.
#include <nlohmann/json.hpp>

#include "diff/difference.h"

namespace anml {

namespace {

using DifferenceJson = nlohmann::ordered_json;

DifferenceJson side_json(const BuiltNetwork& built)
{
    return {{"file", built.name},
            {"model", built.network.model_name},
            {"nodes", built.network.node_count},
            {"links", built.network.directed_links / 2}};
}

DifferenceJson entry_json(const DifferenceEntry& entry)
{
    DifferenceJson j{{"change", change_name(entry.change)}, {"name", entry.name}};
    if (!entry.before_name.empty()) j["before_name"] = entry.before_name;
    if (!entry.what.empty()) j["what"] = entry.what;
    j["count"] = entry.count;
    if (entry.of != 0) j["of"] = entry.of;
    j["attributes"] = DifferenceJson::array();
    const auto value = [](const std::string& text) {
        return text.empty() ? DifferenceJson(nullptr) : DifferenceJson(text);
    };
    for (const AttributeChange& change : entry.attributes)
        j["attributes"].push_back(
            {{"name", change.name}, {"before", value(change.before)}, {"after", value(change.after)}});
    return j;
}

}  // namespace

std::string write_difference_json(const NetworkDifference& difference, const BuiltNetwork& before,
                                  const BuiltNetwork& after)
{
    DifferenceJson j{{"version", 1},
                     {"different", !difference.empty()},
                     {"before", side_json(before)},
                     {"after", side_json(after)},
                     {"routes_compared", difference.routes}};
    DifferenceJson& counts = j["counts"];
    for (std::size_t p = 0; p < kParts; ++p)
        for (std::size_t c = 0; c < kChanges; ++c)
            counts[part_name(static_cast<Part>(p))][change_name(static_cast<Change>(c))] =
                difference.count(static_cast<Part>(p), static_cast<Change>(c));
    for (std::size_t p = 0; p < kParts; ++p) {
        DifferenceJson& list = j[part_name(static_cast<Part>(p))] = DifferenceJson::array();
        for (const DifferenceEntry& entry : difference.parts[p]) list.push_back(entry_json(entry));
    }
    return j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace anml
