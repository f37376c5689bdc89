// Classes of HTB that are sure of more than what is above them has.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lint/rules.h"

namespace anml {

namespace {

std::string_view word(const RecordInfo& record, std::string_view name)
{
    return std::get<std::string>(*find_value(record, name));
}

void check_classes(LintContext& context, const LinkArray& link, int side)
{
    const Network& network = context.network;
    const RecordList& list = std::get<RecordList>(*find_value(network.records[link.discipline[side]], "classes"));
    std::map<std::string_view, double> rates, below;  // of a class, and of those below it; "": the link
    rates[""] = context.value(link.rate[side]);
    for (const std::uint32_t index : list) {
        const RecordInfo& one = network.records[index];
        const double rate = context.value(record_number(one, "rate"));
        rates[word(one, "name")] = rate;
        below[word(one, "parent")] += rate;
    }
    for (const auto& [parent, sum] : below) {
        const double rate = rates[parent];
        if (sum <= rate * (1 + 1e-9)) continue;
        context.find(
            sum / rate,
            {Diag::oversold_rate,
             link.span,
             fmt::format("classes of HTB on `{}` are sure of {} together, and {} has {}", link.name, show_rate(sum),
                         parent.empty() ? std::string("the link") : fmt::format("\"{}\" above them", parent),
                         show_rate(rate)),
             "`rate` is what a class is sure of; what it may borrow says `ceil`",
             {},
             {}});
    }
}

}  // namespace

void lint_oversold_rate(LintContext& context)
{
    for (const LinkArray& link : context.network.links)
        for (int side = 0; side < (link.one_way ? 1 : 2); ++side)
            if (link.discipline[side] != abi::kNone && link.trace[side] == abi::kNone &&
                is_a(context.network.records[link.discipline[side]], abi::RecordSchema::htb_classes))
                check_classes(context, link, side);
}

}  // namespace anml
