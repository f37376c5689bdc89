// Addresses: those that the text sets, then the others from the pool of the model or the prefix of the instance, in the
// order of the rows, so that an instance's addresses lie together and routes to it aggregate.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "elaborate/elaborator.h"
#include "elaborate/reserved_addresses.h"

namespace anml {
namespace {

std::string show(std::uint64_t first, std::uint64_t last)
{
    const auto address = [](std::uint64_t bits) { return format_address(static_cast<std::uint32_t>(bits)); };
    return first == last ? address(first) : fmt::format("{} .. {}", address(first), address(last));
}

}  // namespace

// What addresses are taken from: the model's pool, or an instance's prefix. The first and the last belong to nobody.
struct Elaborator::Pool {
    std::uint64_t first = 0, last = 0;
    std::uint32_t length = 0;
    std::string instance;  // "": the model
    Span span;
    std::uint64_t wanted = 0;  // by nodes without an address of their own

    std::uint64_t lowest() const { return first + 1; }
    std::uint64_t highest() const { return last - 1; }
    std::string name() const { return fmt::format("{}/{}", format_address(static_cast<std::uint32_t>(first)), length); }
};

// A run of addresses that is not free: of a row that sets them, or of an instance's prefix.
struct Elaborator::Taken {
    std::uint64_t first = 0, last = 0;
    std::uint32_t row = abi::kNone, pool = abi::kNone;  // one of them
};

std::optional<std::vector<Elaborator::Pool>> Elaborator::address_pools(const Component& model)
{
    const std::size_t before = diagnostics_.errors();
    std::vector<Pool> pools;
    const auto add = [&](std::uint32_t bits, std::uint32_t length, std::string instance, Span span) {
        const std::uint64_t first = bits, last = first + (std::uint64_t{1} << (32 - length)) - 1;
        pools.push_back({first, last, length, std::move(instance), span, 0});
        if (length <= 30 && usable_anywhere(first, last)) return;
        report(Diag::invalid_address, span,
               fmt::format("the {} {} has no addresses for hosts", pools.size() == 1 ? "pool" : "prefix",
                           pools.back().name()));
    };
    add(network_.pool_first, network_.pool_length, "", addressing_at_.value_or(model.span));
    for (const InstancePrefix& p : prefixes_) add(p.bits, p.length, p.instance, p.span);
    for (std::size_t row = 0; row < network_.nodes.size(); ++row) {
        const NodeGroup& group = network_.nodes[row];
        if (group.kind == abi::NodeKind::switch_ || group.explicit_address) continue;
        pools[row_pool_[row]].wanted += group.count;
    }
    // Prefixes of instances inside an instance lie in its prefix; all others lie apart.
    std::vector<std::uint32_t> order(pools.size() - 1);
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i + 1;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(pools[a].first, pools[b].last) < std::pair(pools[b].first, pools[a].last);
    });
    std::vector<std::uint32_t> around;
    for (const std::uint32_t i : order) {
        while (!around.empty() && pools[around.back()].last < pools[i].first) around.pop_back();
        if (!around.empty()) {
            const Pool &outer = pools[around.back()], &inner = pools[i];
            const bool nested = inner.instance.starts_with(outer.instance + ".");
            if (!nested || outer.length == inner.length) {
                report(Diag::address_conflict, inner.span,
                       fmt::format("the prefix {} of `{}` overlaps {} of `{}`", inner.name(), inner.instance,
                                   outer.name(), outer.instance))
                    .also(outer.span, fmt::format("the prefix of `{}`", outer.instance))
                    .help("give each element of an array its own: `prefix = subnet(10.3.0.0/16, 24, index)`");
                break;
            }
        }
        around.push_back(i);
    }
    if (diagnostics_.errors() != before) return std::nullopt;
    return pools;
}

std::vector<Elaborator::Taken> Elaborator::set_addresses(const std::vector<Pool>& pools)
{
    std::vector<Taken> taken;
    std::vector<std::pair<std::uint64_t, const Pool*>> borders;
    for (const Pool& p : pools) borders.insert(borders.end(), {{p.first, &p}, {p.last, &p}});
    std::sort(borders.begin(), borders.end());
    for (std::uint32_t i = 0; i < network_.nodes.size(); ++i) {
        const NodeGroup& group = network_.nodes[i];
        if (group.kind == abi::NodeKind::switch_ || !group.explicit_address) continue;
        const std::uint64_t first = group.address, last = first + group.count - 1;
        taken.push_back({first, last, i});
        if (!usable_anywhere(first, last)) {
            report(Diag::invalid_address, group.address_span,
                   fmt::format("`{}` cannot have {}: {}", group.name, show(first, last), reserved_for(first, last)));
            continue;
        }
        const auto border =
            std::partition_point(borders.begin(), borders.end(), [&](const auto& b) { return b.first < first; });
        if (border != borders.end() && border->first <= last)
            report(Diag::invalid_address, group.address_span,
                   fmt::format("`{}` cannot have {}: the first and the last address of {} belong to no host",
                               group.name, show(first, last), border->second->name()));
    }
    std::sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < taken.size(); ++i) {
        if (taken[i].first > taken[i - 1].last) continue;
        const NodeGroup &a = network_.nodes[taken[i - 1].row], &b = network_.nodes[taken[i].row];
        const std::uint64_t both = taken[i].first;
        const std::string first = a.element_name(static_cast<std::uint32_t>(both - a.address)),
                          second = b.element_name(static_cast<std::uint32_t>(both - b.address));
        auto message = report(Diag::address_conflict, b.address_span,
                              fmt::format("`{}` and `{}` both have the address {}", first, second, show(both, both)));
        if (a.address_span != b.address_span) {
            message.also(a.address_span, a.count > 1 && both != a.address
                                             ? fmt::format("of the first element; `{}` is declared here", first)
                                             : fmt::format("`{}` is declared here", first));
        } else {
            message.help(
                "each instance has its own `addressing { prefix = subnet(10.3.0.0/16, 24, index) }`, or lets "
                "the pool choose");
        }
    }
    return taken;
}

// The gateway that the text sets, which only real hosts need.
void Elaborator::take_gateway(const Pool& pool, std::vector<Taken>& taken)
{
    if (network_.endpoints.empty()) network_.gateway = 0;
    const std::uint64_t gateway = network_.gateway;
    if (gateway == 0) return;
    const std::string shown = show(gateway, gateway);
    if (gateway < pool.lowest() || gateway > pool.highest())
        report(Diag::invalid_address, pool.span,
               fmt::format("the gateway {} is none of the addresses that {} has for hosts", shown, pool.name()));
    const auto holder = std::find_if(taken.begin(), taken.end(),
                                     [&](const Taken& t) { return t.first <= gateway && gateway <= t.last; });
    if (holder != taken.end()) {
        const NodeGroup& node = network_.nodes[holder->row];
        report(Diag::address_conflict, pool.span,
               fmt::format("`{}` and the gateway both have the address {}",
                           node.element_name(static_cast<std::uint32_t>(gateway - holder->first)), shown))
            .also(node.address_span, "set here");
    }
    taken.push_back({gateway, gateway});
}

void Elaborator::report_exhausted(const Pool& pool, std::uint64_t needed, std::uint64_t available, std::string_view why)
{
    unsigned length = pool.length - 1;
    while (length > 1 && (std::uint64_t{1} << (32 - length)) - 2 < needed + needed / 4) --length;
    const bool of_model = pool.instance.empty();
    report(
        Diag::addresses_exhausted, pool.span,
        fmt::format("{} needs {} addresses, {} has {}{}", of_model ? "the network" : fmt::format("`{}`", pool.instance),
                    needed, pool.name(), available, why))
        .help(fmt::format("`addressing {{ {} = ... }}` with a prefix of length {} has {}", of_model ? "pool" : "prefix",
                          length, (std::uint64_t{1} << (32 - length)) - 2));
}

void Elaborator::assign_addresses(const Component& model)
{
    const std::size_t before = diagnostics_.errors();
    const auto pools = address_pools(model);
    if (!pools) return;
    std::vector<Taken> taken = set_addresses(*pools);
    take_gateway(pools->front(), taken);
    check_endpoint_prefixes();
    if (diagnostics_.errors() != before) return;
    for (const EndpointInfo& endpoint : network_.endpoints)
        for (const EndpointPrefix& p : endpoint.prefixes) taken.push_back({p.first(), p.last()});
    for (std::uint32_t i = 1; i < pools->size(); ++i)
        taken.push_back({(*pools)[i].first, (*pools)[i].last, abi::kNone, i});
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return std::pair(a.first, b.last) < std::pair(b.first, a.last); });

    std::vector<std::vector<std::uint32_t>> rows(pools->size());
    for (std::uint32_t row = 0; row < network_.nodes.size(); ++row) {
        const NodeGroup& group = network_.nodes[row];
        if (group.kind != abi::NodeKind::switch_ && !group.explicit_address) rows[row_pool_[row]].push_back(row);
    }
    for (std::uint32_t i = 0; i < pools->size(); ++i)
        if (!fill((*pools)[i], i == 0 && !network_.endpoints.empty() && network_.gateway == 0, taken, rows[i])) return;
    check_nodes_in_prefixes();
}

bool Elaborator::fill(const Pool& pool, bool with_gateway, const std::vector<Taken>& all,
                      const std::vector<std::uint32_t>& rows)
{
    // What is taken of the pool, ascending and disjoint: prefixes around it don't count.
    std::vector<Taken> taken;
    std::uint64_t occupied = 0;
    for (auto at = std::lower_bound(all.begin(), all.end(), pool.first,
                                    [](const Taken& t, std::uint64_t first) { return t.first < first; });
         at != all.end() && at->first <= pool.last; ++at)
    {
        if (at->pool != abi::kNone && at->first <= pool.first && at->last >= pool.last) continue;
        if (!taken.empty() && at->first <= taken.back().last) continue;  // inside a prefix
        taken.push_back(*at);
        if (at->first >= pool.lowest() && at->last <= pool.highest()) occupied += at->last - at->first + 1;
    }
    const std::uint64_t needed = pool.wanted + occupied + with_gateway, available = pool.highest() - pool.lowest() + 1;
    if (needed > available) return report_exhausted(pool, needed, available, ""), false;
    std::uint64_t next = pool.lowest();
    std::size_t obstacle = 0;
    for (const std::uint32_t row : rows) {
        NodeGroup& group = network_.nodes[row];
        while (obstacle < taken.size() && taken[obstacle].first < next + group.count) {
            next = std::max(next, taken[obstacle].last + 1);
            ++obstacle;
        }
        if (next + group.count - 1 > pool.highest()) {
            report_exhausted(pool, needed, available,
                             fmt::format(", and those that are set leave no {} in a row", group.count));
            return false;
        }
        group.address = static_cast<std::uint32_t>(next);
        next += group.count;
    }
    if (!with_gateway) return true;
    std::uint64_t gateway = pool.highest();
    for (std::size_t i = taken.size(); i-- > 0;)
        if (taken[i].first <= gateway && gateway <= taken[i].last) gateway = taken[i].first - 1;
    if (gateway < next) return report_exhausted(pool, needed, available, ", and none is left for the gateway"), false;
    network_.gateway = static_cast<std::uint32_t>(gateway);
    return true;
}

}  // namespace anml
