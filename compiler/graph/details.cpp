// Attributes beyond those of pictures: impairments, costs, packets that queues hold, servers, addresses that were set.
#include "graph/details.h"

#include <algorithm>
#include <cmath>

#include "analysis/network_queries.h"
#include "base/address.h"
#include "base/json.h"
#include "base/key_set.h"
#include "common/decimal.h"
#include "printer/printer.h"

namespace anml {

namespace {

// As the exchange formats have it: times in ms.
double exchanged(double value, Dimension dim) { return dim == dimension::time ? milliseconds(value) : value; }

// What stands for "not there" where only the other direction has it.
std::variant<bool, double, std::string> absent(const std::string& key)
{
    const abi::RecordField* field = abi::find_field(abi::kImpairment, key);
    if (field && field->kind == abi::FieldKind::truth) return true;
    if (key == "trace" || key == "queue_profile") return std::string();
#define ANML_LINK_NUMBER(name, type, usual, ...) \
    if (key == #name) return double{usual};
#include "base/link_attributes.def"
    return 0.0;
}

// What the right end's system is to the left end's.
AsRelation seen_from_right(AsRelation relation)
{
    return relation == AsRelation::customer   ? AsRelation::provider
           : relation == AsRelation::provider ? AsRelation::customer
                                              : relation;
}

}  // namespace

double milliseconds(double ns)
{
    constexpr double kMillisecond = 1e6;
    const double plain = ns / kMillisecond;
    if (!std::isfinite(plain)) return plain;
    for (const double v : {plain, std::nextafter(plain, 0.0), std::nextafter(plain, 2 * plain)})
        if (read_decimal(json_number(v), 1, 6) == ns) return v;
    return plain;
}

const char* detail_type(const Detail& detail)
{
    return std::holds_alternative<bool>(detail.value)     ? "boolean"
           : std::holds_alternative<double>(detail.value) ? "double"
                                                          : "string";
}

std::string detail_text(const Detail& detail)
{
    if (const auto* truth = std::get_if<bool>(&detail.value)) return *truth ? "true" : "false";
    if (const auto* number = std::get_if<double>(&detail.value)) return json_number(*number);
    return std::get<std::string>(detail.value);
}

Details::Details(const Network& network, GraphNotes* notes)
    : network_(network), notes_(notes), tunables_(default_tunables(network))
{
    for (const ServerInfo& server : network.servers) servers_.emplace(server.node.value, &server);
    for (const EndpointInfo& endpoint : network.endpoints) endpoints_.emplace(endpoint.node.value, &endpoint);
}

// A number in that unit, if it is not the usual one, or `key_drawn`: the distribution as the language writes it.
void Details::drawn(Values& values, const std::string& key, const DistributionValue& d, Dimension dim,
                    std::optional<double> usual)
{
    if (d.kind == abi::DistributionKind::constant) {
        if (const double v = number(d.a); v != usual) values[key] = exchanged(v, dim);
    } else if (notes_) {
        values[key + "_drawn"] = notes_->drawn(d, dim);
    }
}

// The default of an attribute of a record; taken for 0 without notes, which know the schemas.
std::optional<double> Details::usual(const RecordInfo& record, std::string_view attribute) const
{
    return notes_ ? notes_->default_number(abi::record_layout(record.layout).schema, attribute, &record) : 0;
}

// What is not the schema's default; times in ms.
Details::Values Details::record(const RecordInfo& record)
{
    const abi::RecordLayout layout = abi::record_layout(record.layout);
    Values values;
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        const abi::RecordField& field = layout.fields[i];
        const std::string key(field.name);
        const Dimension dim = dimension_of(field.kind);
        const std::optional<double> usual = this->usual(record, field.name);
        if (const auto* choice = std::get_if<RecordChoice>(&record.values[i])) {
            if (choice->ordinal != usual) values[key] = std::string(abi::choice_name(field, choice->ordinal));
        } else if (const auto* d = std::get_if<DistributionValue>(&record.values[i])) {
            drawn(values, key, *d, dim, usual);
        } else if (const auto* text = std::get_if<std::string>(&record.values[i])) {
            if (*text != (notes_ ? notes_->default_text(layout.schema, field.name) : "")) values[key] = *text;
        } else if (std::holds_alternative<std::monostate>(record.values[i])) {
            continue;
        } else if (const double v = number(std::get<ValueExprId>(record.values[i])); v != usual) {
            if (field.kind == abi::FieldKind::truth)
                values[key] = v != 0;
            else
                values[key] = exchanged(v, dim);
        }
    }
    return values;
}

Details::Values Details::link(const LinkArray& link, int direction)
{
    Values values;
    const std::uint32_t discipline = link.discipline[direction];
    if (notes_ && discipline != abi::kNone && !names_nodes(network_, network_.records[discipline]))
        values["queue_profile"] = notes_->queue(link, direction);
    else if (const double packets = number(link.queue_packets[direction]); packets != 0)
        values["queue_packets"] = packets;
    if (notes_ && link.trace[direction] != abi::kNone)
        values["trace"] = notes_->file(network_.traces[link.trace[direction]].path);
#define ANML_LINK_NUMBER(name, type, usual, ...) \
    if (link.name[direction] != usual) values[#name] = static_cast<double>(link.name[direction]);
#include "base/link_attributes.def"
    if (link.impairment[direction] == abi::kNone) return values;
    const RecordInfo& record = network_.records[link.impairment[direction]];
    const auto said = [&](int d) {
        return link.impairment[d] != abi::kNone && !has_usual_reorder_delay(network_, link, d);
    };
    for (std::size_t i = 0; i < abi::kImpairment.fields.size(); ++i) {
        const abi::RecordField& field = abi::kImpairment.fields[i];
        const std::string key(field.name);
        const bool delay = key == "reorder_delay";  // by default it follows from the rate
        if (delay && !said(0) && !said(1)) continue;
        if (const auto* d = std::get_if<DistributionValue>(&record.values[i])) {
            drawn(values, key, *d, dimension_of(field.kind));
        } else if (number(std::get<ValueExprId>(record.values[i])) == 0) {  // by default it is true
            values[key] = false;
        }
        if (delay && !values.contains(key + "_drawn")) values.try_emplace(key, 0.0);
    }
    return values;
}

// "192.168.7.0/24, 192.168.8.0/24"
void Details::subnets(const EndpointInfo& endpoint, std::vector<Detail>& list)
{
    std::string here, behind;
    bool bridged = false;
    for (const EndpointPrefix& p : endpoint.prefixes) {
        std::string& text = p.kind == abi::PrefixKind::routed ? behind : here;
        text += fmt::format("{}{}/{}", text.empty() ? "" : ", ", format_address(p.bits), p.length);
        bridged |= p.kind == abi::PrefixKind::bridged;
    }
    if (!here.empty()) list.push_back({"prefix", here});
    if (!behind.empty()) list.push_back({"behind", behind});
    if (bridged) list.push_back({"bridged", true});
}

std::vector<Detail> Details::of_node(const PictureNode& node)
{
    std::vector<Detail> list;
    if (node.row == abi::kNone || node.count != 1) return list;
    const NodeArray& row = network_.nodes[node.row];
    const bool alone = !row.is_array && row.kind != abi::NodeKind::endpoint && row.name.ends_with(']');
    if (alone) list.push_back({"array", false});
    if (row.is_array && row.keys) list.push_back({"key", key_in_names((*row.keys)[node.first])});
    if (notes_ ? notes_->sets_address(node.row) : row.explicit_address) list.push_back({"address_set", true});
    if (row.anycast != 0) list.push_back({"anycast", row.anycast_text()});
    if (notes_)
        if (std::string tcp = notes_->tcp(row); !tcp.empty()) list.push_back({"tcp", std::move(tcp)});
    for (const auto& [key, record] : {std::pair{"processing", row.processing},
                                      {"icmp_limits", row.icmp_limits},
                                      {"buffer", row.buffer},
                                      {"radio", row.radio}})
        if (notes_ && record != abi::kNone) list.push_back({key, notes_->record(network_.records[record])});
    if (const auto found = endpoints_.find(node.row); found != endpoints_.end()) subnets(*found->second, list);
    const auto found = servers_.find(node.row);
    if (found == servers_.end()) return list;
    const ServerInfo& server = *found->second;
    const RecordInfo& record = network_.records[server.record];
    Values values = this->record(record);
    if (server.port != usual(record, "port")) values["port"] = double(server.port);
    list.push_back({"simulated", profile_name(abi::record_layout(record.layout).schema)});
    for (auto& [key, value] : values) list.push_back({key, std::move(value)});
    return list;
}

std::vector<Detail> Details::of_edge(const PictureEdge& edge, bool directed)
{
    std::vector<Detail> list;
    if (edge.row == abi::kNone) return list;
    const LinkArray& link = network_.links[edge.row];
    if (link.relation != AsRelation::none)
        list.push_back({"relation",
                        std::string(as_relation_name(edge.reversed ? seen_from_right(link.relation) : link.relation))});
#define ANML_LINK_TRUTH(name, ...) \
    if (link.name) list.push_back({#name, true});
#include "base/link_attributes.def"
    const Values there = this->link(link, edge.reversed), back = this->link(link, !edge.reversed);
    for (const auto& [key, value] : there) list.push_back({key, value});
    if (directed) {
        if (link.one_way) list.push_back({"one_way", true});
        return list;
    }
    for (const auto& [key, value] : back)
        if (const auto same = there.find(key); same == there.end() || same->second != value)
            list.push_back(
                {key.ends_with("_drawn") ? key.substr(0, key.size() - 6) + "_back_drawn" : key + "_back", value});
    for (const auto& [key, value] : there)
        if (const std::string plain = key.ends_with("_drawn") ? key.substr(0, key.size() - 6) : key;
            !back.contains(plain) && !back.contains(plain + "_drawn"))
            list.push_back({plain + "_back", absent(plain)});
    return list;
}

std::vector<Detail> Details::of_graph(const Picture& picture)
{
    const auto single = [](const PictureNode& node) { return node.row != abi::kNone && node.count == 1; };
    const bool whole =
        std::all_of(picture.nodes.begin(), picture.nodes.end(), single) && picture.nodes.size() == network_.node_count;
    if (!notes_ || !whole) return {};
    std::string program = notes_->program();
    if (program.empty()) return {};
    return {{"anml", std::move(program)}};
}

}  // namespace anml
