// Links: profiles of what several of them have in common, and a statement for each row; static routes.
#include <fmt/format.h>

#include <bit>

#include "base/address.h"
#include "base/string_literal.h"
#include "elaborate/topology/label_table.h"
#include "printer/printer.h"
#include "printer/program_writer.h"

namespace anml {

namespace {

struct LinkText {
    std::string profile;  // attributes but for the delay
    std::string delay;    // attributes; "" where it is the default
};

std::string list_of_lines(std::string_view lines)
{
    std::string list;
    for (std::size_t end = 0; end != lines.npos; lines.remove_prefix(end == lines.npos ? lines.size() : end + 1)) {
        end = lines.find('\n');
        list += fmt::format("{}{}", list.empty() ? "" : ", ", string_literal(lines.substr(0, end)));
    }
    return fmt::format("[{}]", list);
}

// One with these attributes, which is declared if it is not yet.
std::string profile(ProgramWriter& in, std::string_view like, std::string_view schema, const std::string& attributes)
{
    auto& name = in.record_profiles[fmt::format("{} {}", schema, attributes)];
    if (name.empty()) {
        name = in.names.make(like);
        in.out += fmt::format("profile {} : {} {{ {} }}\n", name, schema, attributes);
    }
    return name;
}

// Whether the schema says so, too, or the field is left out.
bool is_default(const Network& network, const CheckedProgram& program, const RecordInfo& record, std::size_t field)
{
    const abi::RecordLayout layout = abi::record_layout(record.layout);
    const auto usual = default_number(program, layout.schema, layout.fields[field].name);
    const RecordValue& value = record.values[field];
    if (const auto* choice = std::get_if<RecordChoice>(&value)) return choice->ordinal == usual;
    if (const auto* list = std::get_if<RecordList>(&value)) return list->empty();
    if (const auto* ranges = std::get_if<RecordRanges>(&value)) return *ranges == RecordRanges{kAnybody};
    const auto* drawn = std::get_if<DistributionValue>(&value);
    if (drawn) return usual && is_constant(network.values, *drawn, *usual);
    if (const auto* text = std::get_if<std::string>(&value))
        return *text == default_text(program, layout.schema, layout.fields[field].name);
    if (std::holds_alternative<RecordFile>(value)) return false;
    const auto* number = std::get_if<ValueExprId>(&value);
    return !number || (usual && network.values.as_constant(*number) == usual);
}

// Which is there.
std::string value_text(ProgramWriter& in, const RecordInfo& record, std::size_t number)
{
    const abi::RecordLayout layout = abi::record_layout(record.layout);
    const abi::RecordField& field = layout.fields[number];
    const RecordValue& value = record.values[number];
    if (const auto* choice = std::get_if<RecordChoice>(&value))
        return choice_name(in.program, layout.schema, field.name, choice->ordinal);
    if (const auto* drawn = std::get_if<DistributionValue>(&value))
        return in.values.drawn(*drawn, dimension_of(field.kind));
    if (const auto* list = std::get_if<RecordList>(&value)) {
        std::string text;
        for (const std::uint32_t one : *list)
            if (!is_nobodys(in.network.records[one]))
                text += (text.empty() ? "" : ", ") + (has_addresses(in.network.records[one])
                                                          ? called(in, in.network.records[one])
                                                          : profile_of(in, in.network.records[one], AttributeList()));
        return fmt::format("[{}]", text);
    }
    if (const auto* ranges = std::get_if<RecordRanges>(&value)) return addresses_text(in, *ranges);
    if (const auto* text = std::get_if<std::string>(&value))
        return field.kind == abi::FieldKind::optional_texts ? list_of_lines(*text) : string_literal(*text);
    if (const auto* file = std::get_if<RecordFile>(&value)) return in.values.file(in.network.files[file->index]->path);
    const ValueExprId id = std::get<ValueExprId>(value);
    return field.kind == abi::FieldKind::truth ? in.values.condition(id)
                                               : in.values.number(id, dimension_of(field.kind));
}

std::map<std::string, std::string> direction(ProgramWriter& in, const LinkArray& link, int d)
{
    std::map<std::string, std::string> values;
    const auto number = [&](const char* name, ValueExprId id, Dimension dim) {
        values[name] = in.values.number(id, dim);
    };
    number("rate", link.rate[d], dimension::rate);
    if (link.trace[d] != abi::kNone)
        values["rate"] = fmt::format("trace({})", in.values.file(in.network.traces[link.trace[d]].path));
    number("delay", link.delay[d], dimension::time);
    values["queue"] = queue(in, link.queue[d], link.queue_packets[d], link.discipline[d]);
    number("mtu", link.mtu, dimension::size);
    number("overhead", link.overhead, dimension::size);
    values["relation"] = as_relation_name(link.relation);
#define ANML_LINK_NUMBER(name, ...) values[#name] = exact_quantity(link.name[d], dimension::none);
#define ANML_LINK_TRUTH(name, ...) values[#name] = link.name ? "true" : "false";
#include "base/link_attributes.def"
    if (link.impairment[d] == abi::kNone) return values;
    const RecordInfo& impairment = in.network.records[link.impairment[d]];
    for (std::size_t i = 0; i < abi::kImpairment.fields.size(); ++i) {
        const std::string_view name = abi::kImpairment.fields[i].name;
        if (name != "reorder_delay" || !has_usual_reorder_delay(in.network, link, d))
            values[std::string(name)] = value_text(in, impairment, i);
    }
    return values;
}

// What is the schema's default in both directions is left out.
LinkText link_text(ProgramWriter& in, const LinkArray& link)
{
    constexpr std::string_view kLink = "std.prelude.Link";
    constexpr double kUsualQueue = 512 * 1024;
    std::map<std::string, std::string> defaults{
        {"queue", fmt::format("droptail({})", exact_quantity(kUsualQueue, dimension::size))}, {"relation", "none"}};
    const auto add_default = [&](std::string_view name, abi::FieldKind kind) {
        if (const auto value = default_number(in.program, kLink, name))
            defaults[std::string(name)] = kind == abi::FieldKind::truth ? (*value != 0 ? "true" : "false")
                                                                        : exact_quantity(*value, dimension_of(kind));
    };
    add_default("delay", abi::FieldKind::time);
    add_default("mtu", abi::FieldKind::size);
    add_default("overhead", abi::FieldKind::size);
#define ANML_LINK_NUMBER(name, ...) add_default(#name, abi::FieldKind::ratio);
#define ANML_LINK_TRUTH(name, ...) add_default(#name, abi::FieldKind::truth);
#include "base/link_attributes.def"
    for (const abi::RecordField& field : abi::kImpairment.fields) add_default(field.name, field.kind);

    auto up = direction(in, link, 0), down = link.one_way ? up : direction(in, link, 1);
    LinkText text;
    AttributeList both, one[2], delay;
    for (const Attribute& attribute : in.program.schema(in.program.link).attributes) {
        const std::string& name = attribute.name;
        for (auto* values : {&up, &down}) {  // without impairments these have none
            const auto fallback = defaults.find(name);
            if (fallback != defaults.end()) values->try_emplace(name, fallback->second);
        }
        const bool there[] = {up.contains(name), down.contains(name)};
        if (!there[0] && !there[1]) continue;
        const bool same = there[0] && there[1] && up[name] == down[name];
        if (same && defaults.contains(name) && up[name] == defaults[name]) continue;
        if (name == "delay" && same) {
            delay.add(name, up[name]);
            continue;
        }
        if (same) {
            both.add(name, up[name]);
            continue;
        }
        if (there[0]) one[0].add(name, up[name]);
        if (there[1]) one[1].add(name, down[name]);
    }
    both.block("up", one[0]);
    both.block("down", one[1]);
    return {both.text(), delay.text()};
}

std::string link_ends(const Network& network, const LinkArray& link)
{
    std::string text[2];
    bool chosen = link.count > 1;  // an end shows that it is an array
    for (int i = 0; i < 2; ++i) {
        const LinkEnd& end = link.end[i];
        const NodeArray& row = network.nodes[end.row.value];
        const bool slice = end.stride != 0 || (link.is_array && !chosen && row.is_array);
        chosen = chosen || slice;
        const std::uint32_t count = end.stride ? link.count : 1;
        const bool numbers = row.keys && !link.keys;  // which the links of all elements would not have
        if (!slice)
            text[i] = node_element(row, end.first);
        else if ((count == 1 && row.count > 1) || numbers)
            text[i] = fmt::format("{}[{} .. {}]", quoted_name(row.name), end.first, end.first + count - 1);
        else
            text[i] = quoted_name(row.name) + elements(true, row.count, end.first, count);
    }
    return fmt::format("{} {} {}", text[0], link.one_way ? "->" : "--", text[1]);
}

// What it would be called without a name.
std::string unnamed(const Network& network, const LinkArray& link)
{
    std::string ends[2];
    for (int i = 0; i < 2; ++i) {
        const NodeArray& row = network.nodes[link.end[i].row.value];
        const bool whole = link.is_array && link.end[i].stride != 0;
        ends[i] = whole ? row.name : row.element_name(link.end[i].first);
    }
    return fmt::format("{}--{}", ends[0], ends[1]);
}

// What a route is for, as a prefix, an address, or nodes.
std::string route_destination(ProgramWriter& in, const StaticRoute& route)
{
    std::string to;
    const std::uint32_t size = route.last - route.first + 1;  // 0: everything
    // What has IPv6, too, is named: addresses would be of one family.
    const bool of_nodes = std::any_of(in.network.nodes.begin(), in.network.nodes.end(), [&](const NodeArray& row) {
        return row.has_ipv6 && row.address <= route.last && row.address + (row.count - 1) >= route.first;
    });
    if (!route.written.empty()) {
        to = route.written;
    } else if (size == 1 && !of_nodes) {
        to = format_address(route.first);
    } else if (size == 0 || (!of_nodes && std::has_single_bit(size) && (route.first & (size - 1)) == 0)) {
        to = fmt::format("{}/{}", format_address(route.first), size == 0 ? 0 : 32 - std::countr_zero(size));
    } else {
        for (const NodeArray& row : in.network.nodes) {
            if (row.kind == abi::NodeKind::switch_ || route.first < row.address ||
                route.last - row.address >= row.count)
                continue;
            const std::uint32_t first = route.first - row.address;
            to = size == 1 ? node_element(row, first, in.of_graph)
                           : quoted_name(row.name) + elements(row.is_array, row.count, first, size);
        }
        if (to.empty()) in.fail("a static route leads to addresses that are neither a prefix nor an array's");
    }
    return to;
}

}  // namespace

// A profile that makes it; of packets that depend on tunables one is declared.
std::string queue(ProgramWriter& in, ValueExprId capacity, ValueExprId packets, std::uint32_t discipline)
{
    constexpr double kUnboundedBytes = 1099511627776.0;  // the default of droptail
    const std::string bytes = in.values.number(capacity, dimension::size);
    if (discipline != abi::kNone) {
        AttributeList list;
        list.add("capacity", bytes);
        if (in.network.values.as_constant(packets) != 0.0)
            list.add("packets", in.values.number(packets, dimension::none));
        const RecordInfo& record = in.network.records[discipline];
        if (!names_nodes(in.network, record)) return profile_of(in, record, std::move(list));
        add_record(in, list, record);  // a declared profile could not name them
        return fmt::format("{}({})", profile_name(schema_name(in, abi::record_layout(record.layout).schema)),
                           list.text());
    }
    const auto count = in.network.values.as_constant(packets);
    if (count == 0.0) return fmt::format("droptail({})", bytes);
    const std::string number = in.values.number(packets, dimension::none);
    if (count && in.network.values.as_constant(capacity) == kUnboundedBytes)
        return fmt::format("droptail(packets = {})", number);
    if (count) return fmt::format("droptail({}, packets = {})", bytes, number);
    return profile(in, "queue", "Queue", fmt::format("capacity = {}, packets = {}", bytes, number));
}

std::string profile_of(ProgramWriter& in, const RecordInfo& record, AttributeList list)
{
    const abi::RecordLayout layout = abi::record_layout(record.layout);
    add_record(in, list, record);
    return profile(in, layout.name, schema_name(in, layout.schema), list.text());
}

// What is not the schema's default.
void add_record(ProgramWriter& in, AttributeList& list, const RecordInfo& record, std::string_view but)
{
    const abi::RecordLayout layout = abi::record_layout(record.layout);
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
        const std::string_view name = layout.fields[i].name;
        if (name != but && !is_default(in.network, in.program, record, i)) list.add(name, value_text(in, record, i));
    }
}

// As long as four packets of the MTU take, which is the default.
bool has_usual_reorder_delay(const Network& network, const LinkArray& link, int d)
{
    constexpr double kPacketsThatPass = 4, kNanosecondBits = 8e9;
    const ValuePool& pool = network.values;
    const DistributionValue& reorder_delay = record_draw(network.records[link.impairment[d]], "reorder_delay");
    const auto delay = pool.as_constant(reorder_delay.a), rate = pool.as_constant(link.rate[d]),
               mtu = pool.as_constant(link.mtu), overhead = pool.as_constant(link.overhead);
    return reorder_delay.kind == abi::DistributionKind::constant && delay && rate && mtu && overhead &&
           *delay == (*mtu + *overhead) * (kPacketsThatPass * kNanosecondBits) / *rate;
}

std::string written_link_name(const Network& network, std::uint32_t row)
{
    return declared_link_name(network.links[row].name);
}

void links(ProgramWriter& in)
{
    for (const TimelineInfo& info : in.network.timeline)
        for (const LinkSlice& slice : info.links) in.named_links.insert(slice.row.value);
    for (const MeasuredWorkloads& measured : in.network.measured)
        if (measured.link) in.named_links.insert(measured.link->row.value);
    for (const std::string_view key : label_keys(in.network)) {
        const Labels labels(in.network, key);
        for (std::uint32_t row = 0; row < in.network.links.size(); ++row)
            for (const LabelRun& run : labels.of_links(row))
                if (!run.value.empty()) in.named_links.insert(row);
    }
    // What several links have is a profile, with the delay where all have one.
    std::vector<LinkText> texts;
    std::map<std::string, std::size_t> uses;
    std::map<std::string, std::string> delays;
    for (const LinkArray& link : in.network.links) {
        LinkText text = link_text(in, link);
        const auto [it, fresh] = delays.try_emplace(text.profile, text.delay);
        if (!fresh && it->second != text.delay) it->second = "";
        ++uses[text.profile];
        texts.push_back(std::move(text));
    }
    in.out += "\n";
    for (std::uint32_t row = 0; row < texts.size(); ++row) {
        const LinkText& text = texts[row];
        if (uses[text.profile] < 2 || in.profiles.contains(text.profile)) continue;
        const LinkArray& link = in.network.links[row];
        const bool recorded = link.trace[0] != abi::kNone || link.trace[1] != abi::kNone;
        const auto rate = recorded ? std::nullopt : in.network.values.as_constant(link.rate[0]);
        const std::string& delay = delays[text.profile];
        const std::string name = in.names.make(rate && link.rate[0] == link.rate[1] ? rate_name(*rate)
                                               : recorded                           ? "recorded"
                                                                                    : "line");
        in.profiles[text.profile] = name;
        in.out += fmt::format("profile {} : Link {{ {}{}{} }}\n", name, text.profile, delay.empty() ? "" : ", ", delay);
    }
    std::string_view instance;
    for (std::uint32_t row = 0; row < texts.size(); ++row) {
        const LinkArray& link = in.network.links[row];
        const LinkText& text = texts[row];
        const std::size_t dot = link.name.rfind('.');
        const std::string_view path = std::string_view(link.name).substr(0, dot == std::string::npos ? 0 : dot);
        if (row == 0 || path != instance) in.out += "\n";
        instance = path;
        std::string implied = unnamed(in.network, link);
        if (in.named_links.contains(row) || link.name.find("--") == std::string::npos) {
            implied.clear();
        } else {
            const auto seen = in.unnamed.find(implied);
            const unsigned number = seen == in.unnamed.end() ? 1 : seen->second + 1;
            const std::string expected = number == 1 ? implied : fmt::format("{}#{}", implied, number);
            if (expected == link.name)
                in.unnamed[implied] = number;
            else
                implied.clear();
        }
        in.out += implied.empty() ? fmt::format("link {}: ", written_link_name(in.network, row)) : "link ";
        in.out += link_ends(in.network, link);
        const auto profile = in.profiles.find(text.profile);
        const bool of_profile = profile != in.profiles.end();
        std::string own = of_profile ? (delays[text.profile].empty() ? text.delay : "") : text.profile;
        if (!of_profile && !text.delay.empty()) own += ", " + text.delay;
        if (of_profile) in.out += " : " + profile->second;
        if (!own.empty()) in.out += fmt::format(" {{ {} }}", own);
        in.out += "\n";
    }
}

// One statement for each head: their lists may differ where the text had a selection.
void segment_routes(ProgramWriter& in)
{
    const auto& routes = in.network.segment_routes;
    if (!routes.empty()) in.out += "\n";
    for (std::size_t i = 0; i < routes.size(); ++i) {
        const SegmentRoute& route = routes[i];
        // A prefix of IPv6 is a route for each array in it.
        if (i > 0 && !route.to.written.empty() && routes[i - 1].to.written == route.to.written &&
            routes[i - 1].to.source == route.to.source && routes[i - 1].to.span == route.to.span)
            continue;
        std::string list;
        for (const Segment& segment : route.segments) {
            list += list.empty() ? "" : ", ";
            if (segment.link == abi::kNone) {
                list += in.values.node(segment.node);
                continue;
            }
            const auto found =
                std::find_if(in.network.links.begin(), in.network.links.end(),
                             [&](const LinkArray& link) { return segment.link - link.first_link < 2 * link.count; });
            const LinkArray& link = *found;
            list += link_element(link, (segment.link - link.first_link) / 2, in.of_graph);
        }
        AttributeList options;
        if (route.weight != 1) options.add("weight", std::to_string(route.weight));
        if (!route.sources.empty()) {
            const std::string sources = in.selection(route.sources);
            options.add("source", sources.front() == '[' ? sources : "[" + sources + "]");
        }
        if (route.dscp) options.add("dscp", std::to_string(*route.dscp));
        if (route.protocol) options.add("protocol", routed_protocol_name(*route.protocol));
        if (route.port) options.add("port", std::to_string(*route.port));
        if (route.label_size != 4) options.add("label_size", exact_quantity(route.label_size, dimension::size));
        if (route.drop) options.add("without", "drop");
        in.out += fmt::format("route {} to {} via [{}]{}\n", in.values.node(route.to.source),
                              route_destination(in, route.to), list, options.braces());
    }
}

void static_routes(ProgramWriter& in)
{
    const auto& routes = in.network.static_routes;
    if (!routes.empty()) in.out += "\n";
    for (std::size_t i = 0; i < routes.size();) {
        const StaticRoute& route = routes[i];
        const NodeArray& from = row_of_node(in.network, route.source);
        // Elements of one array, one after the other.
        std::uint32_t count = 1;
        while (!(in.of_graph && from.keys) && i + count < routes.size() &&
               routes[i + count].source == route.source + count &&
               route.source + count < from.first_node + from.count && routes[i + count].via == route.via &&
               routes[i + count].first == route.first && routes[i + count].last == route.last)
            ++count;
        const std::string to = route_destination(in, route);
        const std::string source =
            count > 1 ? quoted_name(from.name) + elements(true, from.count, route.source - from.first_node, count)
                      : in.values.node(route.source);
        in.out += fmt::format("route {} to {} via {}\n", source, to, in.values.node(route.via));
        i += count;
        // A prefix of IPv6 is a route for each array in it.
        while (!route.written.empty() && i < routes.size() && routes[i].written == route.written &&
               routes[i].source == route.source && routes[i].via == route.via)
            ++i;
    }
}

}  // namespace anml
