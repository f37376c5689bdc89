// Arguments of a link's profile, from the attributes of an edge.
#include "import/link_mapping.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity.h"
#include "import/link_attributes.h"
#include "import/link_profiles.h"
#include "syntax/string_literal.h"

namespace anml {

namespace {

std::string rate_text(double rate) { return fmt::format("{:.17g} bps", rate); }

// The value as the parameter's type wants it; nothing where it cannot be.
std::optional<std::string> as_type(const std::string& type, const std::string& value)
{
    const auto number = read_number(value);
    if (type == "string") return string_literal(value);
    if (type == "number" || type == "ratio")
        return number ? std::optional(fmt::format("{:.17g}", *number)) : std::nullopt;
    if (type == "int" && number && *number == std::round(*number)) return fmt::format("{:.0f}", *number);
    if (type == "bool" && (value == "true" || value == "1")) return "true";
    if (type == "bool" && (value == "false" || value == "0")) return "false";
    if (type == "rate") {
        const auto rate = number ? number : read_rate(value);
        return rate && *rate > 0 ? std::optional(rate_text(*rate)) : std::nullopt;
    }
    if (type == "length") {
        const auto metres = number ? std::optional(*number * 1000) : read_length(value);
        return metres && *metres >= 0 ? std::optional(fmt::format("{:.17g} m", *metres)) : std::nullopt;
    }
    if (type == "time") {
        const auto seconds = number ? std::optional(*number / 1000) : read_delay(value);
        return seconds && *seconds >= 0 ? std::optional(delay_text(*seconds)) : std::nullopt;
    }
    if (type == "size") {
        const auto exact = number ? std::nullopt : parse_quantity(value);
        if (number && *number >= 0) return fmt::format("{:.17g} B", *number);
        if (exact && exact->dim == dimension::size) return fmt::format("{:.17g} B", exact->value);
    }
    return std::nullopt;
}

// What the importer makes of an edge, under the names that it gives to it.
std::optional<std::string> understood(const MappedParameter& parameter, const ImportedLink& link)
{
    if (parameter.name == "rate" && parameter.type == "rate" && link.rate) return rate_text(*link.rate);
    const bool length = parameter.name == "distance" || parameter.name == "length";
    if (length && parameter.type == "length" && link.length) return fmt::format("{:.17g} m", *link.length);
    if (parameter.name == "delay" && parameter.type == "time" && (link.delay || link.length))
        return delay_text(link.delay ? *link.delay : *link.length / kFibreSpeed);
    return std::nullopt;
}

}  // namespace

std::optional<std::string> LinkMapping::use(const ForeignGraph& graph, const ForeignEdge& edge,
                                            const ImportedLink& link, ImportLosses& losses,
                                            Diagnostics& diagnostics) const
{
    if (profile.empty()) return plain(link, losses);
    std::string arguments;
    for (const MappedParameter& parameter : parameters) {
        auto value = understood(parameter, link);
        if (!value)
            if (const ForeignAttribute* a = graph.find(edge.attributes, parameter.name))
                value = as_type(parameter.type, a->value);
        if (value) {
            arguments += fmt::format("{}{} = {}", arguments.empty() ? "" : ", ", parameter.name, *value);
        } else if (parameter.has_default) {
            ++losses.guesses[fmt::format("values of `{}`, where the file has none of that type,", parameter.name)];
        } else {
            const ForeignAttribute* a = graph.find(edge.attributes, parameter.name);
            diagnostics
                .report(Diag::malformed_graph, graph.span(edge.offset),
                        a ? fmt::format("`{}` of this edge is `{}`, no {}", parameter.name, a->value.substr(0, 60),
                                        parameter.type)
                          : fmt::format("this edge has no `{}`", parameter.name))
                .also(parameter.span, "the profile takes it")
                .help("give the parameter a default");
            return std::nullopt;
        }
    }
    std::vector<std::string> own;
    if (link.wired) own.emplace_back("wired = true");
    if (link.relation != AsRelation::none) own.push_back(fmt::format("relation = {}", as_relation_name(link.relation)));
    return fmt::format(": {}{}{}", profile, arguments.empty() ? "" : "(" + arguments + ")",
                       own.empty() ? "" : fmt::format(" {{ {} }}", fmt::join(own, ", ")));
}

std::string LinkMapping::plain(const ImportedLink& link, ImportLosses& losses) const
{
    if (!link.rate) ++losses.guesses["rates of links, where the file says none,"];
    if (!link.delay && !link.length)
        ++losses.guesses["delays of links, where the file says neither delay nor length nor places,"];
    const double bits = link.rate.value_or(rate);
    const double seconds = link.delay ? *link.delay : link.length ? *link.length / kFibreSpeed : delay * 1e-9;
    const double room = link.queue ? *link.queue : std::max(512.0 * 1024, std::ceil(2 * bits * seconds / 8));
    std::string out = fmt::format("{{ rate = {}, delay = {}", rate_text(bits), delay_text(seconds));
    if (!link.details.contains("queue")) out += fmt::format(", queue = droptail({:.0f} B)", room);
    if (link.mtu) out += fmt::format(", mtu = {:.0f} B", *link.mtu);
    if (link.overhead) out += fmt::format(", overhead = {:.0f} B", *link.overhead);
    if (link.wired) out += ", wired = true";
    if (link.relation != AsRelation::none) out += fmt::format(", relation = {}", as_relation_name(link.relation));
    LinkDetails there = link.details, back = link.details_back;
    settle_rates(there, back, bits, link.rate_back.value_or(bits));
    if (link.delay_back && *link.delay_back != seconds) back["delay"] = delay_text(*link.delay_back);
    if (link.queue_back && !back.contains("queue") && *link.queue_back != room)
        back["queue"] = fmt::format("droptail({:.0f} B)", *link.queue_back);
    if (const std::string details = link_details(there, back); !details.empty()) out += ", " + details;
    return out + " }";
}

}  // namespace anml
