// Elements of one array together: hundreds of equal access links are one thing to whoever reads about them, and of an
// array of workloads the sum stands before its elements.
#include <algorithm>
#include <map>
#include <utility>

#include "common/array_name.h"
#include "reporting/table.h"

namespace anml {

namespace {

struct LinkArray {
    std::size_t links = 0;
    double utilisation = 0, busiest = 0, packets = 0, bytes = 0, dropped = 0;
    double transmitted = 0, lost = 0;  // of those that impair packets
};

Json share(double part, double all) { return all > 0 ? Json(part / all) : Json(nullptr); }

}  // namespace

Json link_arrays(const Json& results)
{
    std::map<std::string, LinkArray> arrays;
    std::vector<std::string> order;  // the busiest first
    for (const Json& link : results["busiest_links"]) {
        const auto [at, is_new] = arrays.try_emplace(without_indices(link["name"].get_ref<const std::string&>()));
        if (is_new) order.push_back(at->first);
        LinkArray& array = at->second;
        ++array.links;
        array.utilisation += link["utilisation"].get<double>();
        array.busiest = std::max(array.busiest, link["utilisation"].get<double>());
        array.packets += link["packets"].get<double>();
        array.bytes += link["bytes"].get<double>();
        array.dropped += link["dropped"].get<double>();
    }
    for (const Json& link : results["impaired_links"]) {
        const auto at = arrays.find(without_indices(link["name"].get_ref<const std::string&>()));
        if (at == arrays.end()) continue;
        at->second.transmitted += link["packets"].get<double>();
        at->second.lost += link["lost"].get<double>();
    }
    Json list = Json::array();
    for (const std::string& name : order) {
        const LinkArray& array = arrays.at(name);
        if (array.links < 2) continue;
        list.push_back({{"name", name},
                        {"links", array.links},
                        {"utilisation", array.utilisation / static_cast<double>(array.links)},
                        {"busiest", array.busiest},
                        {"packets", array.packets},
                        {"bytes", array.bytes},
                        {"dropped", array.dropped},
                        {"dropped_share", share(array.dropped, array.packets + array.dropped)},
                        {"lost", array.lost},
                        {"lost_share", share(array.lost, std::max(array.packets, array.transmitted))}});
    }
    return list;
}

std::vector<ShownWorkload> shown_workloads(const Json& results)
{
    constexpr std::size_t kFew = 12;
    std::map<std::pair<std::string, std::string>, const Json*> sums;  // by name and kind
    const auto empty = Json::array();
    const Json& all = results.contains("sums") ? results["sums"] : empty;
    for (const Json& sum : all)
        if (sum["workloads"].get<std::size_t>() > 1) sums[{sum["name"], sum["kind"]}] = &sum;
    std::vector<ShownWorkload> shown;
    std::map<const Json*, bool> stands;
    for (const Json& workload : results["workloads"]) {
        const auto at = sums.find({without_indices(workload["name"].get_ref<const std::string&>()), workload["kind"]});
        const Json* sum = at == sums.end() ? nullptr : at->second;
        if (sum && !std::exchange(stands[sum], true)) shown.push_back({sum, false});
        shown.push_back({&workload, sum && (*sum)["workloads"].get<std::size_t>() > kFew});
    }
    return shown;
}

}  // namespace anml
