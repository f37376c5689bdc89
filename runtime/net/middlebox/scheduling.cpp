#include "net/middlebox/scheduling.h"

#include <cmath>

#include "common/mix.h"
#include "net/address/address_table.h"

namespace anml::rt::load_balancer {

namespace {

// Who is asked for a new connection, and when.
struct Asked {
    std::uint8_t protocol;
    Time now;

    bool may(const BackEnd& one) const { return one.weight != 0 && one.back <= now && !one.mappings.full(protocol); }
};

BackEnd* round_robin(std::vector<BackEnd>& back_ends, const Asked& asked)
{
    BackEnd* chosen = nullptr;
    std::int64_t sum = 0;
    for (BackEnd& one : back_ends) {
        if (!asked.may(one)) continue;
        const auto weight = static_cast<std::int64_t>(one.weight);
        one.current += weight;
        sum += weight;
        if (!chosen || one.current > chosen->current) chosen = &one;
    }
    if (chosen) chosen->current -= sum;
    return chosen;
}

BackEnd* least_connections(std::vector<BackEnd>& back_ends, const Asked& asked)
{
    constexpr std::uint64_t kActive = 256;  // inactive ones
    BackEnd* chosen = nullptr;
    std::uint64_t least = 0;
    for (BackEnd& one : back_ends) {
        if (!asked.may(one)) continue;
        const std::uint64_t load = kActive * one.active + one.inactive;
        if (!chosen || load * chosen->weight < least * one.weight) chosen = &one, least = load;
    }
    return chosen;
}

// -ln u / weight with an u of its own for each back end: the least is each one's with a probability as its weight.
BackEnd* by_hash(std::vector<BackEnd>& back_ends, std::uint64_t key, const Asked& asked)
{
    BackEnd* chosen = nullptr;
    double least = 0;
    for (BackEnd& one : back_ends) {
        if (!asked.may(one)) continue;
        const std::uint64_t bits = mix(key ^ mix(number(one.address))) >> 11;
        const double u = (static_cast<double>(bits) + 0.5) * 0x1p-53;
        const double score = -std::log(u) / static_cast<double>(one.weight);
        if (!chosen || score < least) chosen = &one, least = score;
    }
    return chosen;
}

}  // namespace

BackEnd* choose(std::vector<BackEnd>& back_ends, Scheduling scheduling, const End& client, Time now)
{
    const Asked asked{client.protocol, now};
    const std::uint64_t address = number(client.address);
    switch (scheduling) {
        case Scheduling::round_robin:
            return round_robin(back_ends, asked);
        case Scheduling::least_connections:
            return least_connections(back_ends, asked);
        case Scheduling::source_hash:
            return by_hash(back_ends, mix(address), asked);
        case Scheduling::flow_hash:
            return by_hash(back_ends, mix(address << 24 | std::uint64_t{client.protocol} << 16 | client.port), asked);
    }
    return nullptr;
}

}  // namespace anml::rt::load_balancer
