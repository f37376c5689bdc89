// Classes of HTB that are told one by one: that they make a tree below the link, whose leaves have packets.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

constexpr std::size_t kMostClasses = 1000;
constexpr std::size_t kDeepest = 8;  // as runtime/net/queue/htb/htb_classes.cpp has it

std::string_view word(const RecordInfo& record, std::string_view name)
{ return std::get<std::string>(*find_value(record, name)); }

// Whether a condition says which packets are its own.
bool chooses(const ValuePool& values, const RecordInfo& one)
{
    const auto is = [&](std::string_view name, double usual) {
        return values.as_constant(record_number(one, name)) == usual;
    };
    const auto anybody = [&](std::string_view name) {
        return std::get<RecordRanges>(*find_value(one, name)) == RecordRanges{kAnybody};
    };
    return !anybody("source") || !anybody("destination") ||
           std::get<RecordChoice>(*find_value(one, "protocol")).ordinal != 0 || !is("first_port", 0) ||
           !is("last_port", 65535) || !is("first_dscp", 0) || !is("last_dscp", 63);
}

}  // namespace

bool names_nodes(const Network& network, const RecordInfo& record)
{
    const auto names = [&](const RecordValue& value) {
        const auto* ranges = std::get_if<RecordRanges>(&value);
        return ranges && std::any_of(ranges->begin(), ranges->end(),
                                     [](const RecordRange& range) { return range.row != abi::kNone; });
    };
    return std::any_of(record.values.begin(), record.values.end(), [&](const RecordValue& value) {
        const auto* list = std::get_if<RecordList>(&value);
        return names(value) || (list && std::any_of(list->begin(), list->end(), [&](std::uint32_t one) {
                                    return names_nodes(network, network.records[one]);
                                }));
    });
}

void shaped_classes(const Network& network, ReportOnce& report, const RecordInfo& record, Span span)
{
    if (!is_a(record, abi::RecordSchema::htb_classes)) return;
    const RecordList& list = std::get<RecordList>(*find_value(record, "classes"));
    const auto wrong = [&](std::string text, std::string help) {
        report(Diag::requirement_failed, span, std::move(text)).help(std::move(help));
    };
    if (list.empty() || list.size() > kMostClasses)
        return wrong(fmt::format("HTB has {} classes, and needs 1 to {}", list.size(), kMostClasses),
                     "`queue.htb_class(\"rest\", rate = 1 Mbps, ceil = 10 Mbps)` is one, for whatever comes");
    const auto at = [&](std::size_t place) -> const RecordInfo& { return network.records[list[place]]; };
    const auto place_of_name = [&](std::string_view name) {
        std::size_t place = 0;
        while (place < list.size() && word(at(place), "name") != name) ++place;
        return place;
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        const RecordInfo& one = at(i);
        const std::string_view name = word(one, "name"), parent = word(one, "parent");
        if (name.empty()) return wrong("a class of HTB has no name", "others call it by that");
        if (place_of_name(name) != i)
            return wrong(fmt::format("two classes of HTB are called \"{}\"", name), "names tell them apart");
        for (const std::string_view ends : {"source", "destination"})
            if (std::get<RecordRanges>(*find_value(one, ends)).empty())
                return wrong(fmt::format("the class \"{}\" is for packets of no node: `{}` chooses none", name, ends),
                             "leave the class out where there are none");
        if (!parent.empty() && place_of_name(parent) == list.size())
            return wrong(fmt::format("the class \"{}\" is below \"{}\", and there is no such class", name, parent),
                         "classes without a `parent` are below the link");
        std::size_t depth = 1;
        for (std::string_view above = parent; !above.empty() && depth <= kDeepest; ++depth) {
            const std::size_t place = place_of_name(above);
            above = place == list.size() ? std::string_view() : word(at(place), "parent");
        }
        if (depth > kDeepest)
            return wrong(fmt::format("the class \"{}\" is more than {} levels below the link", name, kDeepest),
                         "or it is below itself");
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string_view name = word(at(i), "name");
        const bool leaf = std::none_of(list.begin(), list.end(),
                                       [&](std::uint32_t one) { return word(network.records[one], "parent") == name; });
        if (!leaf &&
            (chooses(network.values, at(i)) || network.values.as_constant(record_number(at(i), "priority")) != 0.0))
            return wrong(fmt::format("the class \"{}\" has others below it, to whom packets belong", name),
                         "conditions and `priority` are of leaves");
    }
}

}  // namespace anml
