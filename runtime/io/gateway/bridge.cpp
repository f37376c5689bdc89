#include "io/gateway/bridge.h"

#include <algorithm>

#include "io/gateway/gateway.h"
#include "net/external_hosts.h"
#include "net/model.h"
#include "report/live/live_report.h"

namespace anml::rt::io {

void Bridge::join(Gateway& side, const HostRange& hosts)
{
    const auto node_of = [&](const Gateway& one) { return model_.image().endpoints[one.endpoint()].node; };
    const auto leads = [&](NodeId from, NodeId to) {
        std::vector<WireEnd>& ways = others_[from];
        if (std::ranges::find(ways, to, &WireEnd::other) == ways.end()) ways.push_back({kNone, to});
    };
    for (const Side& one : sides_) {
        if (one.gateway == &side || one.hosts.first != hosts.first || one.hosts.last != hosts.last) continue;
        leads(node_of(side), node_of(*one.gateway));
        leads(node_of(*one.gateway), node_of(side));
    }
    sides_.push_back({&side, hosts});
}

std::span<const WireEnd> Bridge::ways(const Gateway& side, const wire::EthernetView& frame, Time now)
{
    const NodeId here = model_.image().endpoints[side.endpoint()].node;
    if (!stations_.hear(frame.source(), here, now)) {
        ++report_.foreign;
        return {};
    }
    const std::vector<WireEnd>& all = others_[here];
    const NodeId there = stations_.where(frame.destination(), now);
    if (there == kNone) return all;
    const auto way = std::ranges::find(all, there, &WireEnd::other);
    if (way == all.end()) return {};  // on the same segment, or one with no subnet of this one
    return {&*way, 1};
}

bool Bridge::joins(const Gateway& side, Address address) const
{
    for (const Side& one : sides_)
        if (one.gateway == &side && one.hosts.has(address)) return true;
    return false;
}

Gateway* Bridge::side_of(Address address) const
{
    const std::uint32_t endpoint = external_hosts_.endpoint_of(address);
    for (const Side& one : sides_)
        if (one.gateway->endpoint() == endpoint && one.hosts.has(address)) return one.gateway;
    return nullptr;
}

bool Bridge::claims(Gateway& side, Address address, Time now)
{
    const std::uint32_t where = external_hosts_.endpoint_of(address);
    if (where == side.endpoint()) {
        if (!claims_.empty())
            if (const auto claim = claims_.find(address); claim != claims_.end() && !claim->second.refuted) {
                claim->second.refuted = true;  // and not contested again for a while
                claim->second.next = now + kSecond;
            }
        if (!resolutions_.empty()) answered(side, address, now);
        return true;
    }
    if (where != kNone) {
        contest(side, address);
        return false;
    }
    if (model_.node_with(address)) return false;
    learn(side, address, now);
    return true;
}

void Bridge::learn(Gateway& side, Address address, Time now)
{
    external_hosts_.learn(address, side.endpoint());
    answered(side, address, now);
}

void Bridge::contest(Gateway& by, Address address)
{
    const auto found = claims_.find(address);
    if (found == claims_.end() && claims_.size() < kMostClaims) claims_.emplace(address, Claim{&by});
}

void Bridge::left(const Gateway& side, Address address)
{
    if (external_hosts_.endpoint_of(address) == side.endpoint()) external_hosts_.forget(address);
}

void Bridge::asked(Address address, const AddressResolution::Asker& asker, Time now)
{
    Gateway* side = side_of(address);
    if (side == asker.at) return;  // it answers itself
    const Neighbours::Host* host = side ? side->neighbour(address) : nullptr;
    // Who looks whether an address is free (RFC 5227) may be the host itself, at another side than before.
    const bool looks = asker.address == Address::none;
    if (host && !looks && now - host->heard < Neighbours::kFresh) return asker.at->answer(address, asker);
    AddressResolution* resolution = resolutions_.about(address);
    if (!resolution) return;
    if (resolution->askers.empty() && resolution->packets.empty()) resolution->sender = asker.address;
    resolution->add(asker);
}

void Bridge::wait(Gateway& from, const Packet& packet)
{
    AddressResolution* resolution = resolutions_.about(packet.destination);
    if (!resolution) return drop({&from, packet});
    if (resolution->askers.empty() && resolution->packets.empty()) resolution->sender = packet.source;
    if (const auto gone = resolution->add({&from, packet})) drop(*gone);
}

void Bridge::drop(const AddressResolution::Waiting& waiting) { waiting.from->refuse(waiting.packet); }

// Who asks in a host's own name is believed to be that host: on its own side nobody may be.
void Bridge::ask(Address address, const AddressResolution& resolution)
{
    const Gateway* own = side_of(resolution.sender);
    for (const Side& side : sides_)
        if (side.gateway != own && side.hosts.has(address)) side.gateway->request(address, resolution.sender);
}

void Bridge::answered(Gateway& side, Address address, Time now)
{
    const auto resolution = resolutions_.close(address);
    if (!resolution) return;
    for (const AddressResolution::Asker& asker : resolution->askers)
        if (asker.at != &side) asker.at->answer(address, asker);
    for (const AddressResolution::Waiting& waiting : resolution->packets) {
        if (waiting.from != &side)
            waiting.from->resume(waiting.packet, now);
        else
            drop(waiting);
    }
}

void Bridge::tick_claims(Time now)
{
    for (auto at = claims_.begin(); at != claims_.end();) {
        auto& [address, claim] = *at;
        Gateway* holder = side_of(address);
        if (now < claim.next) {
            ++at;
        } else if (!claim.refuted && holder && holder != claim.by && claim.tries < kClaimTries) {
            ++claim.tries;
            claim.next = now + kClaimInterval;
            holder->probe(address);
            ++at;
        } else {
            if (!claim.refuted && holder && holder != claim.by) {
                ++report_.moved;
                holder->forget(address);
                learn(*claim.by, address, now);
                holder->request(address, address);
            }
            at = claims_.erase(at);
        }
    }
}

void Bridge::tick(Time now)
{
    if (!claims_.empty()) tick_claims(now);
    if (resolutions_.empty()) return;
    resolutions_.tick(
        now, [&](Address address, const AddressResolution& resolution) { ask(address, resolution); },
        [&](Address, const AddressResolution& failed) {
            for (const AddressResolution::Waiting& waiting : failed.packets) drop(waiting);
        });
}

}  // namespace anml::rt::io
