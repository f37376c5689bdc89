// Addresses: those that the text sets, then the others from the pool in the order of the rows, so that an instance's
// addresses lie together and routes to it aggregate.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

struct Taken {
    std::uint64_t first, last;
    std::size_t row;
};

bool usable_anywhere(std::uint64_t first, std::uint64_t last)
{
    const auto overlaps = [&](std::uint64_t low, std::uint64_t high) { return first <= high && last >= low; };
    return last < (224ull << 24) && !overlaps(0, (1ull << 24) - 1) && !overlaps(127ull << 24, (128ull << 24) - 1);
}

}  // namespace

void Elaborator::assign_addresses(const Component& model)
{
    const std::size_t before = diagnostics_.errors();
    const std::uint64_t pool_first = network_.pool_first;
    const std::uint64_t pool_last = pool_first + (std::uint64_t{1} << (32 - network_.pool_length)) - 1;
    const std::uint64_t lowest = pool_first + 1, highest = pool_last - 1;
    const Span pool_span = addressing_at_.value_or(model.span);
    const std::string pool = fmt::format("{}/{}", format_address(network_.pool_first), network_.pool_length);
    if (network_.pool_length > 30 || !usable_anywhere(pool_first, pool_last)) {
        report(Diag::invalid_address, pool_span, fmt::format("the pool {} has no addresses for hosts", pool));
        return;
    }

    std::vector<Taken> taken;
    std::uint64_t wanted = 0, wanted_inside = 0;
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
        const NodeGroup& group = network_.nodes[i];
        if (group.kind == abi::NodeKind::switch_) continue;
        if (!group.explicit_address) {
            wanted += group.count;
            continue;
        }
        const std::uint64_t first = group.address, last = first + group.count - 1;
        taken.push_back({first, last, i});
        const std::string shown = group.count == 1 ? format_address(group.address)
                                                   : fmt::format("{} .. {}", format_address(group.address),
                                                                 format_address(static_cast<std::uint32_t>(last)));
        if (!usable_anywhere(first, last)) {
            report(Diag::invalid_address, group.span,
                   fmt::format("`{}` cannot have the address {}", group.name, shown));
        } else if ((first <= pool_first && last >= pool_first) || (first <= pool_last && last >= pool_last)) {
            report(Diag::invalid_address, group.span,
                   fmt::format("`{}` cannot have {}: the first and the last address of {} belong to no host",
                               group.name, shown, pool));
        }
        if (first >= lowest && last <= highest) wanted_inside += group.count;
    }
    std::sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < taken.size(); ++i) {
        if (taken[i].first > taken[i - 1].last) continue;
        const NodeGroup &a = network_.nodes[taken[i - 1].row], &b = network_.nodes[taken[i].row];
        report(Diag::address_conflict, b.span,
               fmt::format("`{}` and `{}` both have the address {}", a.name, b.name,
                           format_address(static_cast<std::uint32_t>(taken[i].first))))
            .also(a.span, fmt::format("`{}` is declared here", a.name));
    }
    if (diagnostics_.errors() != before) return;

    const bool needs_gateway = !network_.endpoints.empty();
    const std::uint64_t needed = wanted + wanted_inside + needs_gateway, available = highest - lowest + 1;
    const auto exhausted = [&](std::string_view why) {
        unsigned length = network_.pool_length - 1;
        while (length > 1 && (std::uint64_t{1} << (32 - length)) - 2 < needed + needed / 4) --length;
        report(Diag::addresses_exhausted, pool_span,
               fmt::format("the network needs {} addresses, {} has {}{}", needed, pool, available, why))
            .help(fmt::format("`addressing {{ pool = ... }}` with a prefix of length {} has {}", length,
                              (std::uint64_t{1} << (32 - length)) - 2));
    };
    if (needed > available) {
        exhausted("");
        return;
    }
    std::uint64_t next = lowest;
    std::size_t obstacle = 0;
    for (NodeGroup& group : network_.nodes) {
        if (group.kind == abi::NodeKind::switch_ || group.explicit_address) continue;
        while (obstacle < taken.size() && taken[obstacle].first < next + group.count) {
            next = std::max(next, taken[obstacle].last + 1);
            ++obstacle;
        }
        if (next + group.count - 1 > highest) {
            exhausted(fmt::format(", and those that are set leave no {} in a row", group.count));
            return;
        }
        group.address = static_cast<std::uint32_t>(next);
        next += group.count;
    }
    if (!needs_gateway) return;
    std::uint64_t gateway = highest;
    for (std::size_t i = taken.size(); i-- > 0;)
        if (taken[i].first <= gateway && gateway <= taken[i].last) gateway = taken[i].first - 1;
    if (gateway < next) {
        exhausted(", and none is left for the gateway");
        return;
    }
    network_.gateway = static_cast<std::uint32_t>(gateway);
}

}  // namespace anml
