#include "net/middlebox/scheduling.h"

#include <cmath>

#include "common/mix.h"
#include "net/address_table.h"

namespace anml::rt::load_balancer {

namespace {

bool takes_part(const BackEnd& back_end, Time now) { return back_end.weight != 0 && back_end.back <= now; }

BackEnd* round_robin(std::vector<BackEnd>& back_ends, Time now)
{
    BackEnd* chosen = nullptr;
    std::int64_t sum = 0;
    for (BackEnd& one : back_ends) {
        if (!takes_part(one, now)) continue;
        const auto weight = static_cast<std::int64_t>(one.weight);
        one.current += weight;
        sum += weight;
        if (!chosen || one.current > chosen->current) chosen = &one;
    }
    if (chosen) chosen->current -= sum;
    return chosen;
}

BackEnd* least_connections(std::vector<BackEnd>& back_ends, Time now)
{
    constexpr std::uint64_t kActive = 256;  // inactive ones
    BackEnd* chosen = nullptr;
    std::uint64_t least = 0;
    for (BackEnd& one : back_ends) {
        if (!takes_part(one, now)) continue;
        const std::uint64_t load = kActive * one.active + one.inactive;
        if (!chosen || load * chosen->weight < least * one.weight) chosen = &one, least = load;
    }
    return chosen;
}

// -ln u / weight with an u of its own for each back end: the least is each one's with a probability as its weight.
BackEnd* by_hash(std::vector<BackEnd>& back_ends, std::uint64_t key, Time now)
{
    BackEnd* chosen = nullptr;
    double least = 0;
    for (BackEnd& one : back_ends) {
        if (!takes_part(one, now)) continue;
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
    const std::uint64_t address = number(client.address);
    switch (scheduling) {
        case Scheduling::round_robin:
            return round_robin(back_ends, now);
        case Scheduling::least_connections:
            return least_connections(back_ends, now);
        case Scheduling::source_hash:
            return by_hash(back_ends, mix(address), now);
        case Scheduling::flow_hash:
            return by_hash(back_ends, mix(address << 24 | std::uint64_t{client.protocol} << 16 | client.port), now);
    }
    return nullptr;
}

}  // namespace anml::rt::load_balancer
