// What is said of rows of nodes and of links, as texts.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "base/record_fields.h"
#include "diff/rows.h"
#include "printer/printer.h"

namespace anml {

namespace {

std::string position_text(const NodePosition& p)
{
    return p.geographic ? fmt::format("geo({}, {})", p.y, p.x) : fmt::format("({}, {})", p.x, p.y);
}

}  // namespace

RowFacts row_facts(NetworkTexts& texts, std::uint32_t index)
{
    const Network& network = texts.network();
    const NodeArray& row = network.nodes[index];
    RowFacts facts;
    facts.own.emplace_back("kind", abi::node_kind_name(row.kind));
    facts.own.emplace_back("task", row.task == abi::kNone ? "none" : network.task_names[row.task]);
    if (row.positions.empty()) facts.own.emplace_back("position", row.position ? position_text(*row.position) : "none");
    facts.own.emplace_back("anycast", row.anycast != 0 ? row.anycast_text() : "none");
    std::uint32_t server = abi::kNone;
    for (const ServerInfo& info : network.servers) {
        if (info.node.value != index) continue;
        server = info.record;
        facts.own.emplace_back("server.port", std::to_string(info.port));
    }
    for (const EndpointInfo& endpoint : network.endpoints) {
        if (endpoint.node.value != index) continue;
        std::string list;
        for (const EndpointPrefix& p : endpoint.prefixes)
            list += fmt::format("{}{}/{} ({})", list.empty() ? "" : ", ", format_address(p.bits), p.length,
                                abi::prefix_kind_name(p.kind));
        facts.own.emplace_back("subnets", list.empty() ? "none" : list);
    }
    facts.records = {{"tcp", row.tcp},
                     {"processing", row.processing},
                     {"middlebox", row.middlebox},
                     {"icmp_limits", row.icmp_limits},
                     {"buffer", row.buffer},
                     {"radio", row.radio},
                     {"server", server}};
    return facts;
}

// A link without impairments has those of the defaults.
Attributes direction_attributes(NetworkTexts& texts, const LinkArray& link, int d)
{
    const Network& network = texts.network();
    Attributes list;
    list.emplace_back(
        "rate", link.trace[d] != abi::kNone ? texts.trace(link.trace[d]) : texts.number(link.rate[d], dimension::rate));
    list.emplace_back("delay", texts.number(link.delay[d], dimension::time));
    list.emplace_back("queue", texts.number(link.queue[d], dimension::size));
    if (network.values.as_constant(link.queue_packets[d]) != 0.0)
        list.emplace_back("queue packets", texts.number(link.queue_packets[d], dimension::none));
    list.emplace_back("discipline", texts.record_line(link.discipline[d]));
#define ANML_LINK_NUMBER(name, ...) list.emplace_back(#name, exact_quantity(link.name[d], dimension::none));
#include "base/link_attributes.def"
    const bool impaired = link.impairment[d] != abi::kNone;
    for (std::size_t i = 0; i < abi::kImpairment.fields.size(); ++i) {
        const abi::RecordField& field = abi::kImpairment.fields[i];
        if (field.name == "reorder_delay" && (!impaired || has_usual_reorder_delay(network, link, d))) continue;
        std::string value = field.kind == abi::FieldKind::truth          ? "true"
                            : field.kind == abi::FieldKind::random_ratio ? "0 %"
                                                                         : exact_quantity(0, dimension_of(field.kind));
        if (impaired) {
            const Attributes& all = texts.record(link.impairment[d]);
            const auto found =
                std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.first == field.name; });
            if (found != all.end()) value = found->second;
        }
        list.emplace_back(field.name, value);
    }
    return list;
}

Attributes link_attributes(NetworkTexts& texts, const LinkArray& link)
{
    return {
        {"mtu", texts.number(link.mtu, dimension::size)},
        {"overhead", texts.number(link.overhead, dimension::size)},
#define ANML_LINK_TRUTH(name, ...) {#name, link.name ? "true" : "false"},
#include "base/link_attributes.def"
    };
}

}  // namespace anml
