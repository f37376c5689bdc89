// What the model's labels say: names of nodes and links, and groups of hosts.
#include <algorithm>

#include "net/model.h"

namespace anml::rt {

namespace {

std::string_view label_at(const abi::Image& image, const abi::NameRow* rows, std::uint32_t count, std::uint32_t id,
                          std::uint32_t step)
{
    const abi::NameRow* behind = std::upper_bound(
        rows, rows + count, id, [](std::uint32_t wanted, const abi::NameRow& row) { return wanted < row.first; });
    if (behind == rows) return {};
    const abi::NameRow& row = behind[-1];
    return id - row.first < row.count * step ? std::string_view(image.strings + row.name) : std::string_view{};
}

}  // namespace

std::string_view label_of_node(const abi::Image& image, NodeId node)
{
    return label_at(image, image.node_names, image.node_name_count, node, 1);
}

std::string_view label_of_link(const abi::Image& image, LinkId link)
{
    return label_at(image, image.link_names, image.link_name_count, link, 2);
}

std::uint32_t report_group(const abi::Image& image, std::uint32_t row, std::uint32_t workload, NodeId host)
{
    const abi::Slice slice = image.report_slices[image.reports[row].hosts.first + workload];
    const abi::ReportHostsRow *first = image.report_hosts + slice.first, *last = first + slice.count;
    const abi::ReportHostsRow* behind = std::upper_bound(
        first, last, host, [](NodeId wanted, const abi::ReportHostsRow& hosts) { return wanted < hosts.first_node; });
    return behind[-1].group;
}

}  // namespace anml::rt
