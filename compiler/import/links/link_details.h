// What `anmlc graph` writes of a link besides its rate and delay, and of nodes; see docs/graph.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/address.h"
#include "import/graph_program.h"
#include "import/graphs/foreign_graph.h"

namespace anml {

inline constexpr double kUsualQueue = 512 * 1024;  // B, the default of the schema Link

// The attributes of an edge or node by their names. What is used counts as read; what is not is reported as dropped.
struct AttributeReader {
    std::function<const ForeignAttribute*(std::string_view name)> find;
    std::function<void(const ForeignAttribute*)> use;
};

// Attributes of one direction of a link in ANML, by their names. `suffix` is "" or "_back"; `queue`: the bytes of its
// queue.
using LinkDetails = std::map<std::string, std::string>;
// What texts in attributes may refer to: nothing where there is none.
struct GraphTexts {
    TextFolders folders;
    std::optional<GraphProgram> program;
};
LinkDetails read_link_details(const AttributeReader& reader, const std::string& suffix, double queue,
                              const GraphTexts* texts);
// What a link has of an attribute besides its queue that it says nothing of; "" of the rate, which it always says.
std::string usual_detail(std::string_view name);
// What the two directions say of `rate`, where one of them follows a trace ("": not this one) or the means differ.
void settle_rates(LinkDetails& up, LinkDetails& down, double rate, double rate_back);
// "loss = 1 %, down { loss = 0 }"
std::string link_details(const LinkDetails& up, const LinkDetails& down);

// The attributes of a node besides its place: "address = 10.0.0.5, simulated = web.server()".
struct NodeDetails {
    std::optional<std::uint32_t> address;  // that its author set
    std::optional<AddressBits> ipv6;
    std::optional<std::uint32_t> anycast;
    bool only_ipv6 = false;  // it has no other
    std::string simulated;   // "web.server(workers = 4)", where it has one
    std::string tcp;         // a profile of the graph's program, as the next four
    std::string processing;
    std::string icmp_limits;
    std::string buffer;
    std::string radio;
    std::string subnets;  // "prefix = [192.168.7.0/24], bridged = true"
};
NodeDetails read_node_details(const AttributeReader& reader, const GraphTexts* texts);

}  // namespace anml
