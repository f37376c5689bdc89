// A mapping belongs to an end inside, its address and port, and has a port outside; sessions say who may answer. Both
// are there as long as one session of the mapping is.
#include "net/middlebox/nat.h"

#include <algorithm>
#include <unordered_map>

#include "abi/records.h"
#include "common/mix.h"
#include "net/address/address_table.h"
#include "net/middlebox/address_set.h"
#include "net/middlebox/mappings.h"
#include "net/middlebox/sessions.h"
#include "net/node/icmp_messages.h"

namespace anml::rt::nat {

namespace {

using Row = abi::record::nat;

constexpr Decision kDrop{.what = Decision::drop};
constexpr std::uint8_t kHostUnreachable = 1;  // RFC 6888: where there is no room for a mapping

class Nat final : public Middlebox {
  public:
    Nat(const Model& model, const Row& row)
        : inside_(model.image(), row.inside),
          filtering_(row.filtering),
          hairpinning_(model.value(row.hairpinning) != 0),
          clamp_mss_(model.value(row.clamp_mss) != 0),
          mappings_(static_cast<std::uint32_t>(model.integer(row.first_port)),
                    static_cast<std::uint32_t>(model.integer(row.last_port))),
          sessions_({model.time(row.udp_timeout), model.time(row.icmp_timeout), model.time(row.tcp_transitory_timeout),
                     model.time(row.tcp_timeout)},
                    model.integer(row.sessions))
    {
    }

    Decision see(const Net& k, const node::Self& self, const Packet& packet) override
    {
        if (is_ipv6(packet.source) || is_ipv6(packet.destination)) return {.ends = ends_of(packet)};
        now_ = k.now;
        measuring_ = k.measuring();
        window_.begin = k.counters.begin;
        window_.end = k.counters.end;
        outside_ = self.address();
        forget(now_);
        const bool out = inside_.has(packet.source), in = inside_.has(packet.destination);
        const bool here = packet.destination == outside_;
        if (out && in) return {.ends = ends_of(packet)};
        Packet offender;
        if (packet.protocol == protocol::icmp && !is_echo(packet) && wire::quoted(packet, k.buffers, offender)) {
            // A router between a host inside and here need not be one of `inside` itself.
            if (out || (!in && !here && inside_.has(offender.destination))) return error_from_inside(packet, offender);
            const bool stays = inside_.has(offender.source) && inside_.has(offender.destination);
            if (in && stays) return {.ends = ends_of(packet)};  // of such a router, about what stays inside
            if (in || here) return error_from_outside(packet, offender, here);
        }
        if (!out && !in && !here) return {.ends = ends_of(packet)};
        Decision decision = out ? here ? to_itself(packet) : outbound(packet) : here ? inbound(packet) : filtered();
        decision.clamp_mss = clamp_mss_;
        return decision;
    }

    void translated(const Net& k) override { translated_ += k.measuring(); }

    Figures figures(Time now) override
    {
        forget(now);
        return {{"mappings", mapped_},       {"sessions", begun_},  {"refused", refused_},     {"filtered", filtered_},
                {"translated", translated_}, {"expired", expired_}, {"open", sessions_.size()}};
    }

  private:
    using Key = Sessions::Key;

    // --- sessions and mappings

    void forget(Time now)
    {
        sessions_.expire(now, [&](const Sessions::Session& session, Time over) {
            const End end{session.key.ends.source, session.key.ends.source_port, session.key.protocol};
            if (filtering_ == Row::Filtering::address_dependent) count_peer(session.key, -1);
            Mapping* const mapping = mappings_.of(end);
            mapping->over = std::max(mapping->over, over);
            if (--mapping->sessions != 0) return;
            expired_ += window_.in_window(mapping->over);
            mappings_.forget(*mapping);
        });
    }

    // That of what the end sends; null: there is no room.
    Mapping* mapping_for(const End& end)
    {
        if (Mapping* known = mappings_.of(end)) return known;
        Mapping* const made = mappings_.make(end);
        mapped_ += made && measuring_;
        return made;
    }

    static Key key_of(const Mapping& mapping, Address remote, std::uint16_t port)
    {
        return {mapping.end.protocol, {mapping.end.address, remote, mapping.end.port, port}};
    }

    // The session of an end inside with a remote one is used; null: there is no room for it.
    Mapping* use(const End& end, Address remote, std::uint16_t port, const Packet& packet)
    {
        const Key key{end.protocol, {end.address, remote, end.port, port}};
        Sessions::Session* session = sessions_.find(key);
        if (!session && sessions_.full()) return nullptr;
        Mapping* const mapping = mapping_for(end);
        if (!mapping) return nullptr;
        if (!session) session = begin(*mapping, key);
        sessions_.use(*session, packet, false, now_);
        return mapping;
    }

    Sessions::Session* begin(Mapping& mapping, const Key& key)
    {
        ++mapping.sessions;
        begun_ += measuring_;
        if (filtering_ == Row::Filtering::address_dependent) count_peer(key, 1);
        return &sessions_.begin(key, now_);
    }

    // Of an end inside, how many sessions it has with an address.
    void count_peer(Key key, int more)
    {
        key.ends.destination_port = 0;
        const auto at = peers_.try_emplace(key, 0).first;
        at->second += more;
        if (at->second == 0) peers_.erase(at);
    }
    bool knows(Key key) const
    {
        key.ends.destination_port = 0;
        return peers_.contains(key);
    }

    // Whether a remote end may send to the mapping, and it does.
    bool let_in(Mapping& mapping, Address remote, std::uint16_t port, const Packet& packet)
    {
        const Key key = key_of(mapping, remote, port);
        Sessions::Session* session = sessions_.find(key);
        if (!session) {
            if (filtering_ == Row::Filtering::address_and_port_dependent) return false;
            if (filtering_ == Row::Filtering::address_dependent && !knows(key)) return false;
            if (sessions_.full()) return false;
            session = begin(mapping, key);
        }
        sessions_.use(*session, packet, true, now_);
        return true;
    }

    // --- packets

    Decision filtered()
    {
        filtered_ += measuring_;
        return kDrop;
    }
    Decision refused()
    {
        refused_ += measuring_;
        return {.what = Decision::tell, .code = kHostUnreachable};
    }
    Decision outbound(const Packet& packet)
    {
        if (!has_session(packet)) return filtered();
        Ends ends = ends_of(packet);
        if (packet.protocol == protocol::icmp && ends.source_port == 0 && ends.destination_port != 0)
            return filtered();  // a reply to what nobody asked
        const Mapping* mapping =
            use({ends.source, ends.source_port, packet.protocol}, ends.destination, ends.destination_port, packet);
        if (!mapping) return refused();
        ends.source = outside_;
        ends.source_port = mapping->port;
        return {.ends = ends};
    }

    Decision inbound(const Packet& packet)
    {
        Ends ends = ends_of(packet);
        const bool echo = packet.protocol == protocol::icmp;
        Mapping* mapping = has_session(packet) && (!echo || ends.destination_port != 0)
                               ? mappings_.at(ends.destination_port, packet.protocol)
                               : nullptr;
        // Whoever asks the router itself has its answer; no connection ends there.
        if (!mapping) return echo ? Decision{.ends = ends} : filtered();
        if (!let_in(*mapping, ends.source, ends.source_port, packet)) return filtered();
        ends.destination = mapping->end.address;
        ends.destination_port = mapping->end.port;
        return {.ends = ends};
    }

    // From inside to the address outside: for the router, or for a host inside by the way that others take.
    Decision to_itself(const Packet& packet)
    {
        Ends ends = ends_of(packet);
        if (packet.protocol != protocol::tcp && packet.protocol != protocol::udp) return {.ends = ends};
        Mapping* const to = hairpinning_ ? mappings_.at(ends.destination_port, packet.protocol) : nullptr;
        if (!to) return filtered();
        const Mapping* from =
            use({ends.source, ends.source_port, packet.protocol}, outside_, ends.destination_port, packet);
        if (!from) return refused();
        if (!let_in(*to, outside_, from->port, packet)) return filtered();
        return {.ends = {outside_, to->end.address, from->port, to->end.port}};
    }

    // An error about what a host inside has sent (RFC 5508, REQ-4), or about what the router has.
    Decision error_from_outside(const Packet& packet, const Packet& offender, bool here)
    {
        Ends ends = ends_of(packet), quoted = ends_of(offender);
        if (!here) return filtered();
        Mapping* const mapping = has_session(offender) && offender.source == outside_
                                     ? mappings_.at(quoted.source_port, offender.protocol)
                                     : nullptr;
        if (!mapping) return {.ends = ends};
        if (!sessions_.find(key_of(*mapping, quoted.destination, quoted.destination_port))) return filtered();
        ends.destination = quoted.source = mapping->end.address;
        quoted.source_port = mapping->end.port;
        return {.ends = ends, .quote = true, .quoted = quoted};
    }

    // An error about what somebody outside has sent to a host inside (REQ-5), by the host or by a router before it:
    // outside of here nobody knows either, so it comes from the router's own address.
    Decision error_from_inside(const Packet& packet, const Packet& offender)
    {
        Ends ends = ends_of(packet), quoted = ends_of(offender);
        if (ends.destination == outside_) return {.ends = ends};
        const Mapping* const mapping =
            has_session(offender) ? mappings_.of({quoted.destination, quoted.destination_port, offender.protocol})
                                  : nullptr;
        if (!mapping || !sessions_.find(key_of(*mapping, quoted.source, quoted.source_port))) return filtered();
        ends.source = quoted.destination = outside_;
        quoted.destination_port = mapping->port;
        return {.ends = ends, .quote = true, .quoted = quoted};
    }

    struct HashOfKey {
        std::size_t operator()(const Key& key) const
        {
            return mix(std::uint64_t{number(key.ends.source)} << 32 | number(key.ends.destination)) ^
                   (std::uint64_t{key.protocol} << 16 | key.ends.source_port);
        }
    };

    AddressSet inside_;
    Row::Filtering filtering_;
    bool hairpinning_;
    bool clamp_mss_;
    Mappings mappings_;
    Sessions sessions_;
    std::unordered_map<Key, int, HashOfKey> peers_;
    std::uint64_t mapped_ = 0, begun_ = 0, refused_ = 0, filtered_ = 0, translated_ = 0, expired_ = 0;
    // Of the packet at hand.
    Time now_ = 0;
    bool measuring_ = false;
    NetCounters window_;  // its limits
    Address outside_ = Address::none;
};

}  // namespace

std::unique_ptr<Middlebox> make(const Model& model, std::uint32_t record)
{
    return std::make_unique<Nat>(model, abi::row_of<Row>(model.image(), record));
}

}  // namespace anml::rt::nat
