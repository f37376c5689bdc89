// Arguments of a link's profile, from the attributes of an edge.
#include "import/links/link_mapping.h"

#include <fmt/format.h>

#include <cmath>

#include "base/string_literal.h"
#include "common/ascii.h"
#include "import/links/link_attributes.h"
#include "import/links/link_profiles.h"

namespace anml {

namespace {

std::string rate_text(double rate) { return fmt::format("{} bps", rate); }

// The value as the parameter's type wants it; nothing where it cannot be.
std::optional<std::string> as_type(const std::string& type, const std::string& value)
{
    const auto number = read_number(value);
    if (type == "string") return string_literal(value);
    if (type == "number" || type == "ratio") {
        const auto ratio = number ? number : read_ratio(value);
        return ratio ? std::optional(fmt::format("{}", *ratio)) : std::nullopt;
    }
    if (type == "int" && number && *number == std::round(*number)) return fmt::format("{:.0f}", *number);
    if (type == "bool" && (value == "true" || value == "1")) return "true";
    if (type == "bool" && (value == "false" || value == "0")) return "false";
    if (type == "rate") {
        const auto plain = number ? number : read_rate(value), rate = plain ? plain : find_rate(value);
        return rate && *rate > 0 ? std::optional(rate_text(*rate)) : std::nullopt;
    }
    if (type == "length") {
        const auto metres = number ? std::optional(*number * 1000) : read_length(value);
        return metres && *metres >= 0 ? std::optional(fmt::format("{} m", *metres)) : std::nullopt;
    }
    if (type == "time") {
        const auto seconds = number ? std::optional(*number / 1000) : read_delay(value);
        return seconds && *seconds >= 0 ? std::optional(delay_text(*seconds)) : std::nullopt;
    }
    if (type == "size") {
        const auto bytes = number ? number : read_size(value);
        return bytes && *bytes >= 0 ? std::optional(fmt::format("{} B", *bytes)) : std::nullopt;
    }
    return std::nullopt;
}

// What the importer makes of an edge, under the names that it gives to it.
std::optional<std::string> understood(const MappedParameter& parameter, std::optional<double> rate,
                                      std::optional<double> delay, std::optional<double> length,
                                      const std::string& exact_delay)
{
    if (parameter.name == "rate" && parameter.type == "rate" && rate) return rate_text(*rate);
    const bool distance = parameter.name == "distance" || parameter.name == "length";
    if (distance && parameter.type == "length" && length) return fmt::format("{} m", *length);
    const bool time = parameter.name == "delay" && parameter.type == "time";
    if (time && !exact_delay.empty()) return exact_delay;
    if (time && (delay || length)) return delay_text(delay ? *delay : *length / kFibreSpeed);
    return std::nullopt;
}

// Whether an expression names a parameter.
bool names(std::string_view text, std::string_view name)
{
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !in_word(text[at - 1])) && (end == text.size() || !in_word(text[end]))) return true;
    }
    return false;
}

}  // namespace

std::optional<LinkMapping::Arguments> LinkMapping::arguments(const ForeignGraph& graph, const ImportedLink& link,
                                                             bool back, ImportLosses& losses,
                                                             Diagnostics& diagnostics) const
{
    // In a graph of ours an edge says both directions, in attributes that end with `_back`.
    const bool own = back && !link.edge_back;
    const ForeignEdge& edge = graph.edges[back && !own ? *link.edge_back : link.edge];
    Arguments result;
    for (const MappedParameter& parameter : parameters) {
        const ForeignAttribute* a = own ? graph.find(edge.attributes, parameter.name + "_back") : nullptr;
        if (!a) a = graph.find(edge.attributes, parameter.name);
        std::optional<std::string> value;
        if (!back)
            value = understood(parameter, link.rate, link.delay, link.length, link.exact_delay);
        else if (own)
            value = understood(parameter, link.rate_back ? link.rate_back : link.rate,
                               link.delay_back ? link.delay_back : link.delay, link.length,
                               link.delay_back ? link.exact_delay_back : link.exact_delay);
        else
            value = understood(parameter, link.rate_back, link.delay_back, link.length_back, link.exact_delay_back);
        if (!value && a) value = as_type(parameter.type, a->value);
        if (!value && !parameter.has_default) {
            diagnostics
                .report(Diag::malformed_graph, graph.span(a ? a->offset : edge.offset),
                        a ? fmt::format("`{}` of this edge is `{}`, no {}", parameter.name, a->value.substr(0, 60),
                                        parameter.type)
                          : fmt::format("this edge has no `{}`", parameter.name))
                .also(parameter.span, "the profile takes it")
                .help("give the parameter a default");
            return std::nullopt;
        }
        if (!value && a)
            losses.unreadable(parameter.name, a->value, graph.span(a->offset));
        else if (!value)
            ++losses.guesses[fmt::format("values of `{}`, where the file has none of that type,", parameter.name)];
        result.push_back(value ? fmt::format("{} = {}", parameter.name, *value) : "");
    }
    return result;
}

std::string LinkMapping::applied(const Arguments& arguments) const
{
    std::string list;
    for (const std::string& argument : arguments)
        if (!argument.empty()) list += fmt::format("{}{}", list.empty() ? "" : ", ", argument);
    return list.empty() ? profile : fmt::format("{}({})", profile, list);
}

// What a link has once cannot depend on what differs between its directions.
bool LinkMapping::agree(const ForeignGraph& graph, const ImportedLink& link, const Arguments& there,
                        const Arguments& back, Diagnostics& diagnostics) const
{
    for (const auto& [attribute, text] : whole) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (there[i] == back[i] || !names(text, parameters[i].name)) continue;
            diagnostics
                .report(Diag::malformed_graph, graph.span(graph.edges[link.edge_back.value_or(link.edge)].offset),
                        fmt::format("`{}` of this edge is not that of the edge the other way", parameters[i].name))
                .also(parameters[i].span,
                      fmt::format("the profile makes `{}` of it, which a link has once", attribute));
            return false;
        }
    }
    return true;
}

std::optional<std::string> LinkMapping::use(const ForeignGraph& graph, const ImportedLink& link, ImportLosses& losses,
                                            Diagnostics& diagnostics) const
{
    if (profile.empty()) return plain(link, losses);
    const auto there = arguments(graph, link, false, losses, diagnostics);
    if (!there) return std::nullopt;
    std::vector<std::string> own;
#define ANML_LINK_TRUTH(name, ...) \
    if (link.name) own.emplace_back(#name " = true");
#include "base/link_attributes.def"
    if (link.relation != AsRelation::none) own.push_back(fmt::format("relation = {}", as_relation_name(link.relation)));
    if (link.edge_back || link.rate_back || link.delay_back || !link.details_back.empty()) {
        const auto back = arguments(graph, link, true, losses, diagnostics);
        if (!back || !agree(graph, link, *there, *back, diagnostics)) return std::nullopt;
        std::vector<std::string> down;
        for (const std::string& name : *there == *back ? std::vector<std::string>{} : each_way)
            down.push_back(fmt::format("{} = {}.down.{}", name, applied(*back), name));
        if (!down.empty()) own.push_back(fmt::format("down {{ {} }}", fmt::join(down, ", ")));
    }
    return fmt::format(": {}{}", applied(*there),
                       own.empty() ? "" : fmt::format(" {{ {} }}", fmt::join(own, ", ")));
}

std::string LinkMapping::plain(const ImportedLink& link, ImportLosses& losses) const
{
    if (!link.rate) ++losses.guesses["rates of links, where the file says none,"];
    if (!link.delay && !link.length)
        ++losses.guesses["delays of links, where the file says neither delay nor length nor places,"];
    const double bits = link.rate.value_or(rate);
    const double seconds = link_delay(link, delay * 1e-9);
    const double room = link.queue ? *link.queue : std::max(512.0 * 1024, std::ceil(2 * bits * seconds / 8));
    std::string out =
        fmt::format("{{ rate = {}, delay = {}", rate_text(bits), link.delay ? said_delay(link) : delay_text(seconds));
    if (!link.details.contains("queue")) out += fmt::format(", queue = droptail({:.0f} B)", room);
    if (link.mtu) out += fmt::format(", mtu = {:.0f} B", *link.mtu);
    if (link.overhead) out += fmt::format(", overhead = {:.0f} B", *link.overhead);
#define ANML_LINK_TRUTH(name, ...) \
    if (link.name) out += ", " #name " = true";
#include "base/link_attributes.def"
    if (link.relation != AsRelation::none) out += fmt::format(", relation = {}", as_relation_name(link.relation));
    LinkDetails there = link.details, back = link.details_back;
    settle_rates(there, back, bits, link.rate_back.value_or(bits));
    if (link.delay_back && *link.delay_back != seconds) back["delay"] = said_delay_back(link);
    if (link.queue_back && !back.contains("queue") && *link.queue_back != room)
        back["queue"] = fmt::format("droptail({:.0f} B)", *link.queue_back);
    if (const std::string details = link_details(there, back); !details.empty()) out += ", " + details;
    return out + " }";
}

}  // namespace anml
