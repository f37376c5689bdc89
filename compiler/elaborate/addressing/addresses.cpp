// Addresses: those that the text sets, then the others from the pool of the model or the prefix of the instance, in the
// order of the rows, so that an instance's addresses lie together and routes to it aggregate. Of IPv4 first, then of
// IPv6; families.cpp says which node has which.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "elaborate/addressing/address_family.h"
#include "elaborate/addressing/reserved_addresses.h"
#include "elaborate/network_checks.h"

namespace anml {
namespace {

bool address_pools(Elaboration& in, const Component& model, Family& family)
{
    const std::size_t before = in.report.diagnostics.errors();
    std::vector<Pool>& pools = family.pools;
    family.pool_of.assign(in.prefixes.size() + 1, abi::kNone);
    const auto add = [&](std::size_t number, AddressBits bits, std::uint32_t length, const char* attribute,
                         std::string instance, Span span) {
        const AddressBits last = bits + open_bits(length, family.ipv6);
        family.pool_of[number] = static_cast<std::uint32_t>(pools.size());
        pools.push_back({bits, last, length, family.ipv6, attribute, std::move(instance), span, 0});
        if (length <= address_length(family.ipv6) - 2 && family.usable(bits, last)) return;
        in.report(
            Diag::invalid_address, span,
            fmt::format("the {} {} has no addresses for hosts", number == 0 ? "pool" : "prefix", pools.back().name()));
    };
    if (!family.ipv6 && in.network.pool_length <= 32)
        add(0, in.network.pool_first, in.network.pool_length, "pool", "", in.addressing_at.value_or(model.span));
    if (family.ipv6 && in.network.ipv6_pool_length)
        add(0, in.network.ipv6_pool, *in.network.ipv6_pool_length, in.network.ipv6_alone ? "pool" : "ipv6", "",
            in.addressing_at.value_or(model.span));
    for (std::size_t i = 0; i < in.prefixes.size(); ++i) {
        const InstancePrefix& p = in.prefixes[i];
        const auto of_family = [&](const std::optional<PrefixValue>& given, const char* attribute) {
            if (given && given->ipv6 == family.ipv6)
                add(i + 1, given->bits, given->length, attribute, p.instance, p.span);
        };
        of_family(p.prefix, "prefix");
        of_family(p.ipv6, "ipv6");
    }
    for (std::uint32_t row = 0; row < in.network.nodes.size(); ++row)
        if (const auto pool = family.pool_for(pool_of_row(in, row, family.ipv6)))
            pools[*pool].wanted += in.network.nodes[row].count;
    // Prefixes of instances inside an instance lie in its prefix; all others lie apart.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < pools.size(); ++i)
        if (!pools[i].instance.empty()) order.push_back(i);
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
                in.report(Diag::address_conflict, inner.span,
                          fmt::format("the prefix {} of `{}` overlaps {} of `{}`", inner.name(), inner.instance,
                                      outer.name(), outer.instance))
                    .also(outer.span, fmt::format("the prefix of `{}`", outer.instance))
                    .help(inner.instance.substr(0, inner.instance.find('[')) ==
                                  outer.instance.substr(0, outer.instance.find('['))
                              ? fmt::format("give each element of an array its own: `prefix = subnet({}, index)`",
                                            family.ipv6 ? "2001:db8:3::/48, 64" : "10.3.0.0/16, 24")
                              : fmt::format("`{}` and `{}` need prefixes of their own: give one other arguments",
                                            outer.instance, inner.instance));
                break;
            }
        }
        around.push_back(i);
    }
    // Those inside of the pool are left out of it; one around it leaves nothing.
    if (const std::uint32_t of_model = family.pool_of[0]; of_model != abi::kNone && pools[of_model].wanted != 0)
        for (const std::uint32_t i : order) {
            const Pool &pool = pools[of_model], &p = pools[i];
            if (p.first > pool.first || p.last < pool.last) continue;
            in.report(Diag::address_conflict, p.span,
                      fmt::format("the prefix {} of `{}` leaves no address of the pool {} to the nodes outside of it",
                                  p.name(), p.instance, pool.name()))
                .also(pool.span, "the pool")
                .help("give the pool a shorter prefix around that one, or another one");
            break;
        }
    return in.report.diagnostics.errors() == before;
}

std::vector<Taken> set_addresses(const Network& network, ReportOnce& report, const Family& family)
{
    std::vector<Taken> taken;
    std::vector<std::pair<AddressBits, const Pool*>> borders;
    for (const Pool& p : family.pools) {
        borders.emplace_back(p.first, &p);
        if (!family.ipv6) borders.emplace_back(p.last, &p);  // there are no broadcasts
    }
    std::sort(borders.begin(), borders.end());
    for (std::uint32_t i = 0; i < network.nodes.size(); ++i) {
        const NodeArray& group = network.nodes[i];
        if (!family.is_set(group)) continue;
        const AddressBits first = family.of(group), last = first + group.count - 1;
        taken.push_back({first, last, i});
        if (!family.usable(first, last)) {
            report(Diag::invalid_address, family.span(group),
                   fmt::format("`{}` cannot have {}: {}", group.name, family.show(first, last),
                               family.reserved(first, last)));
            continue;
        }
        const auto border =
            std::partition_point(borders.begin(), borders.end(), [&](const auto& b) { return b.first < first; });
        if (border != borders.end() && border->first <= last)
            report(Diag::invalid_address, family.span(group),
                   fmt::format("`{}` cannot have {}: the first{} address of {} belong{} to no host", group.name,
                               family.show(first, last), family.ipv6 ? "" : " and the last", border->second->name(),
                               family.ipv6 ? "s" : ""));
    }
    std::sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.first < b.first; });
    for (std::size_t i = 1; i < taken.size(); ++i) {
        if (taken[i].first > taken[i - 1].last) continue;
        const NodeArray &a = network.nodes[taken[i - 1].row], &b = network.nodes[taken[i].row];
        const AddressBits both = taken[i].first;
        const std::string first = a.element_name(static_cast<std::uint32_t>(both - family.of(a))),
                          second = b.element_name(static_cast<std::uint32_t>(both - family.of(b)));
        auto message =
            report(Diag::address_conflict, family.span(b),
                   fmt::format("`{}` and `{}` both have the address {}", first, second, family.show(both, both)));
        if (family.span(a) != family.span(b)) {
            message.also(family.span(a), a.count > 1 && both != family.of(a)
                                             ? fmt::format("of the first element; `{}` is declared here", first)
                                             : fmt::format("`{}` is declared here", first));
        } else {
            message.help(
                fmt::format("each instance has its own `addressing {{ prefix = subnet({}, index) }}`, or lets "
                            "the pool choose",
                            family.ipv6 ? "2001:db8:3::/48, 64" : "10.3.0.0/16, 24"));
        }
    }
    return taken;
}

// The gateway that the text sets, which only real hosts need.
void take_gateway(Network& network, ReportOnce& report, const Pool& pool, std::vector<Taken>& taken)
{
    if (network.endpoints.empty()) network.gateway = 0;
    const std::uint32_t gateway = network.gateway;
    if (gateway == 0) return;
    const std::string shown = format_address(gateway);
    if (gateway < pool.lowest() || gateway > pool.highest())
        report(Diag::invalid_address, pool.span,
               fmt::format("the gateway {} is none of the addresses that {} has for hosts", shown, pool.name()));
    const auto holder = std::find_if(taken.begin(), taken.end(),
                                     [&](const Taken& t) { return t.first <= gateway && gateway <= t.last; });
    if (holder != taken.end()) {
        const NodeArray& node = network.nodes[holder->row];
        report(Diag::address_conflict, pool.span,
               fmt::format("`{}` and the gateway both have the address {}",
                           node.element_name(static_cast<std::uint32_t>(gateway - holder->first)), shown))
            .also(node.address_span, "set here");
    }
    taken.push_back({gateway, gateway});
}

void report_exhausted(ReportOnce& report, const Pool& pool, AddressBits needed, AddressBits available,
                      std::string_view why)
{
    const auto has = [&](std::uint32_t length) { return open_bits(length, pool.ipv6) - 1; };
    std::uint32_t length = pool.length - 1;
    while (length > 1 && has(length) < needed + needed / 4) --length;
    const bool of_model = pool.instance.empty();
    report(
        Diag::addresses_exhausted, pool.span,
        fmt::format("{} needs {} addresses, {} has {}{}", of_model ? "the network" : fmt::format("`{}`", pool.instance),
                    static_cast<std::uint64_t>(needed), pool.name(), static_cast<std::uint64_t>(available), why))
        .help(fmt::format("`addressing {{ {} = ... }}` with a prefix of length {} has {}", pool.attribute, length,
                          static_cast<std::uint64_t>(has(length))));
}

bool fill(Network& network, ReportOnce& report, const Pool& pool, bool with_gateway, const std::vector<Taken>& all,
          const std::vector<std::uint32_t>& rows)
{
    // What is taken of the pool, ascending and disjoint: prefixes around an instance's don't count.
    std::vector<Taken> taken;
    AddressBits occupied = 0;
    for (auto at = std::lower_bound(all.begin(), all.end(), pool.first,
                                    [](const Taken& t, AddressBits first) { return t.first < first; });
         at != all.end() && at->first <= pool.last; ++at)
    {
        const bool around = at->pool != abi::kNone && at->first <= pool.first && at->last >= pool.last;
        if (around && !pool.instance.empty()) continue;
        if (!taken.empty() && at->first <= taken.back().last) continue;  // inside a prefix
        taken.push_back(*at);
        const AddressBits first = std::max(at->first, pool.lowest()), last = std::min(at->last, pool.highest());
        if (first <= last) occupied += last - first + 1;
    }
    const AddressBits needed = pool.wanted + occupied + with_gateway, available = pool.highest() - pool.lowest() + 1;
    if (needed > available) return report_exhausted(report, pool, needed, available, ""), false;
    AddressBits next = pool.lowest();
    std::size_t obstacle = 0;
    for (const std::uint32_t row : rows) {
        NodeArray& group = network.nodes[row];
        while (obstacle < taken.size() && taken[obstacle].first < next + group.count) {
            next = std::max(next, taken[obstacle].last + 1);
            ++obstacle;
        }
        if (next + group.count - 1 > pool.highest()) {
            report_exhausted(report, pool, needed, available,
                             fmt::format(", and those that are set leave no {} in a row", group.count));
            return false;
        }
        if (pool.ipv6) {
            group.ipv6 = next;
            group.has_ipv6 = true;
        } else {
            group.address = static_cast<std::uint32_t>(next);
        }
        next += group.count;
    }
    if (!with_gateway) return true;
    AddressBits gateway = pool.highest();
    for (std::size_t i = taken.size(); i-- > 0;)
        if (taken[i].first <= gateway && gateway <= taken[i].last) gateway = taken[i].first - 1;
    if (gateway < next)
        return report_exhausted(report, pool, needed, available, ", and none is left for the gateway"), false;
    network.gateway = static_cast<std::uint32_t>(gateway);
    return true;
}

bool assign_addresses(Elaboration& in, const Component& model, Family& family)
{
    const std::size_t before = in.report.diagnostics.errors();
    if (!address_pools(in, model, family)) return false;
    std::vector<Pool>& pools = family.pools;
    std::vector<Taken> taken = set_addresses(in.network, in.report, family);
    const bool with_pool = family.pool_of[0] != abi::kNone, ipv4 = !family.ipv6;
    if (ipv4 && with_pool) take_gateway(in.network, in.report, pools[family.pool_of[0]], taken);
    take_anycast(in.network, in.report, family, taken);
    if (ipv4) check_endpoint_prefixes(in.network, in.report);
    if (in.report.diagnostics.errors() != before) return false;
    if (ipv4)
        for (const EndpointInfo& endpoint : in.network.endpoints)
            for (const EndpointPrefix& p : endpoint.prefixes) taken.push_back({p.first(), p.last()});
    for (std::uint32_t i = 0; i < pools.size(); ++i)
        if (!pools[i].instance.empty()) taken.push_back({pools[i].first, pools[i].last, abi::kNone, i});
    std::sort(taken.begin(), taken.end(),
              [](const Taken& a, const Taken& b) { return std::pair(a.first, b.last) < std::pair(b.first, a.last); });

    std::vector<std::vector<std::uint32_t>> rows(pools.size());
    for (std::uint32_t row = 0; row < in.network.nodes.size(); ++row)
        if (const auto pool = family.pool_for(pool_of_row(in, row, family.ipv6))) rows[*pool].push_back(row);
    for (std::uint32_t i = 0; i < pools.size(); ++i) {
        const bool gateway = ipv4 && i == family.pool_of[0] && !in.network.endpoints.empty() && in.network.gateway == 0;
        if (!fill(in.network, in.report, pools[i], gateway, taken, rows[i])) return false;
    }
    if (!ipv4) return true;
    check_nodes_in_prefixes(in.network, in.report);
    return true;
}

}  // namespace

void assign_addresses(Elaboration& in, const Component& model)
{
    for (const bool ipv6 : {false, true}) {
        Family family{ipv6};
        if (!assign_addresses(in, model, family)) return;
    }
    number_ipv6(in.network);
    anycast_has_family(in.network, in.report);
}

}  // namespace anml
