// A session is between a client's end and the virtual one. Its back end, by number, is the session's note; the mapping
// of the client's end, by that back end, is the port from which the balancer talks to it.
#include "net/middlebox/load_balancer.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "abi/records.h"
#include "net/middlebox/back_ends.h"
#include "net/middlebox/scheduling.h"
#include "net/middlebox/sessions.h"
#include "net/node/icmp_messages.h"

namespace anml::rt::load_balancer {

namespace {

using Row = abi::record::load_balancer;

constexpr std::uint32_t kFirstPort = 1024, kLastPort = 65535;  // of a back end's connections

class LoadBalancer final : public Middlebox {
  public:
    LoadBalancer(const Model& model, const Row& row)
        : scheduling_(row.scheduling),
          port_(static_cast<std::uint16_t>(model.integer(row.port))),
          to_port_(static_cast<std::uint16_t>(model.integer(row.to_port))),
          max_fails_(model.integer(row.max_fails)),
          fail_timeout_(model.time(row.fail_timeout)),
          sessions_(
              {model.time(row.udp_timeout), 0, model.time(row.tcp_transitory_timeout), model.time(row.tcp_timeout)},
              model.integer(row.sessions))
    {
        for (const BackEndNodes& nodes : back_ends_of(model, row))
            for (std::uint32_t i = 0; i < nodes.count; ++i)
                back_ends_.push_back({nodes.first_node + i, Address{number(nodes.address) + i}, nodes.weight,
                                      Mappings(kFirstPort, kLastPort)});
        for (std::uint32_t i = 0; i < back_ends_.size(); ++i) by_address_.emplace(back_ends_[i].address, i);
    }

    Decision see(const Net& k, const node::Self& self, const Packet& packet) override
    {
        const Ends ends = ends_of(packet);
        // What is not for the router's address of IPv4 passes by; pings of it are answered, other ports are its own.
        if (packet.destination != self.address() || is_ipv6(packet.destination)) return {.ends = ends};
        now_ = k.now;
        measuring_ = k.measuring();
        window_.begin = k.counters.begin;
        window_.end = k.counters.end;
        own_ = self.address();
        begin_measuring();
        forget(now_);
        Packet offender;
        if (packet.protocol == protocol::icmp)
            return !is_echo(packet) && wire::quoted(packet, k.buffers, offender) ? error(packet, offender)
                                                                                 : Decision{.ends = ends};
        if (!has_session(packet)) return {.ends = ends};
        if (ends.source_port == to_port_)
            if (Sessions::Session* session = session_of(ends.source, ends.destination_port, packet.protocol))
                return back(*session, packet);
        return ends.destination_port == port_ ? forward(packet) : Decision{.ends = ends};
    }

    void translated(const Net& k) override { translated_ += k.measuring(); }
    void without_way(const Net&, const Packet& packet) override
    {
        Sessions::Session* const session = sessions_.find({packet.protocol, ends_of(packet)});
        if (session) in_vain(*session);
    }

    Figures figures(Time now) override
    {
        forget(now);
        return {{"connections", begun_},     {"refused", refused_}, {"reset", reset_},
                {"translated", translated_}, {"expired", expired_}, {"open", sessions_.size()}};
    }

    std::vector<BackEndCounters> back_ends(Time now) override
    {
        forget(now);
        std::vector<BackEndCounters> all;
        for (const BackEnd& one : back_ends_)
            all.push_back({one.node,
                           {{"connections", one.connections},
                            {"active", one.active},
                            {"peak", one.peak},
                            {"failed", one.failed}}});
        return all;
    }

  private:
    using Key = Sessions::Key;

    // --- sessions

    static End client_of(const Sessions::Session& session)
    {
        return {session.key.ends.source, session.key.ends.source_port, session.key.protocol};
    }
    BackEnd& back_end_of(const Sessions::Session& session) { return back_ends_[session.note]; }
    // That of packets from a back end, to a port of the balancer; null: there is none.
    Sessions::Session* session_of(Address from, std::uint16_t port, std::uint8_t protocol)
    {
        const auto at = by_address_.find(from);
        Mapping* const mapping = at == by_address_.end() ? nullptr : back_ends_[at->second].mappings.at(port, protocol);
        return mapping ? session_of(mapping->end) : nullptr;
    }
    Sessions::Session* session_of(const End& client)
    {
        return sessions_.find({client.protocol, {client.address, own_, client.port, port_}});
    }

    void count(const Sessions::Session& session, bool closing, int more)
    {
        BackEnd& one = back_end_of(session);
        (closing ? one.inactive : one.active) += static_cast<std::uint64_t>(more);
        if (measuring_) one.peak = std::max(one.peak, one.active);
    }
    void let_go(const Sessions::Session& session)
    {
        BackEnd& one = back_end_of(session);
        count(session, Sessions::closing(session), -1);
        if (const Mapping* mapping = one.mappings.of(client_of(session))) one.mappings.forget(*mapping);
    }
    void end(const Sessions::Session& session)
    {
        let_go(session);
        sessions_.end(session);
    }
    // Those that are active then are the first peak.
    void begin_measuring()
    {
        if (!measuring_ || measured_) return;
        measured_ = true;
        forget(window_.begin);
        for (BackEnd& one : back_ends_) one.peak = one.active;
    }
    void forget(Time now)
    {
        sessions_.expire(now, [&](const Sessions::Session& session, Time over) {
            expired_ += window_.in_window(over);
            let_go(session);
        });
    }

    // Null: there is no room, or no back end.
    Sessions::Session* begin(const Key& key)
    {
        if (sessions_.full()) return nullptr;
        const End client{key.ends.source, key.ends.source_port, key.protocol};
        BackEnd* const chosen = choose(back_ends_, scheduling_, client, now_);
        if (!chosen || !chosen->mappings.make(client)) return nullptr;
        Sessions::Session& session = sessions_.begin(key, now_);
        session.note = static_cast<std::uint32_t>(chosen - back_ends_.data());
        count(session, false, 1);
        begun_ += measuring_;
        chosen->connections += measuring_;
        return &session;
    }

    void use(Sessions::Session& session, const Packet& packet, bool back)
    {
        const bool before = Sessions::closing(session);
        sessions_.use(session, packet, back, now_);
        if (Sessions::closing(session) == before) return;
        count(session, before, -1);
        count(session, !before, 1);
    }

    void failed(BackEnd& one)
    {
        one.failed += measuring_;
        if (max_fails_ == 0 || ++one.failed_in_a_row < max_fails_) return;
        one.failed_in_a_row = 0;
        one.back = now_ + fail_timeout_;
    }
    bool is_out(const Sessions::Session& session) { return back_end_of(session).back > now_; }
    // What has not been answered is refused, or gets nowhere: an attempt of TCP has failed, datagrams try on where they
    // may.
    void in_vain(const Sessions::Session& session)
    {
        if (session.sides[1].sent) return;
        failed(back_end_of(session));
        if (session.key.protocol == protocol::tcp || is_out(session)) end(session);
    }

    // --- packets

    Decision refused()
    {
        refused_ += measuring_;
        return {.what = Decision::tell, .code = node::icmp::port};
    }

    Decision forward(const Packet& packet)
    {
        const Ends ends = ends_of(packet);
        const bool tcp = packet.protocol == protocol::tcp;
        const bool opens = !tcp || (packet.tcp().flags & (tcp_flag::syn | tcp_flag::ack)) == tcp_flag::syn;
        const Key key{packet.protocol, ends};
        Sessions::Session* session = sessions_.find(key);
        if (session && opens) {
            // A SYN once more, where the back end has said nothing; or the first of another connection of these ends.
            const bool unanswered = !session->sides[1].sent;
            if (tcp && unanswered) failed(back_end_of(*session));
            if (Sessions::closed(*session) || (unanswered && is_out(*session))) {
                end(*session);
                session = nullptr;
            }
        }
        if (!session) {
            if (!opens) {
                reset_ += measuring_;
                return {.what = Decision::reject};
            }
            session = begin(key);
            if (!session) return refused();
        }
        use(*session, packet, false);
        BackEnd& one = back_end_of(*session);
        return {.ends = {own_, one.address, one.mappings.of(client_of(*session))->port, to_port_}};
    }

    Decision back(Sessions::Session& session, const Packet& packet)
    {
        const End client = client_of(session);
        const Decision passes{.ends = {own_, client.address, port_, client.port}};
        if (!session.sides[1].sent) {
            if (packet.protocol == protocol::tcp && (packet.tcp().flags & tcp_flag::rst)) {
                in_vain(session);
                return passes;
            }
            back_end_of(session).failed_in_a_row = 0;
        }
        use(session, packet, true);
        return passes;
    }

    // About what it has sent to a back end, or to a client, who get it with the ends that they know, from the virtual
    // address.
    Decision error(const Packet& packet, const Packet& offender)
    {
        const Ends sent = ends_of(offender);
        if (!has_session(offender) || sent.source != own_) return {.ends = ends_of(packet)};
        if (Sessions::Session* session = sent.destination_port == to_port_
                                             ? session_of(sent.destination, sent.source_port, offender.protocol)
                                             : nullptr)
        {
            const bool too_long = packet.icmp().code == node::icmp::fragmentation_needed;
            const End client = client_of(*session);
            if (packet.icmp().type == node::icmp::unreachable && !too_long) in_vain(*session);
            return {.ends = {own_, client.address, 0, 0},
                    .quote = true,
                    .quoted = {client.address, own_, client.port, port_}};
        }
        const End client{sent.destination, sent.destination_port, offender.protocol};
        Sessions::Session* const session = sent.source_port == port_ ? session_of(client) : nullptr;
        if (!session) return {.ends = ends_of(packet)};
        BackEnd& one = back_end_of(*session);
        return {.ends = {own_, one.address, 0, 0},
                .quote = true,
                .quoted = {one.address, own_, to_port_, one.mappings.of(client)->port}};
    }

    Scheduling scheduling_;
    std::uint16_t port_, to_port_;
    std::uint64_t max_fails_;
    Time fail_timeout_;
    Sessions sessions_;
    std::vector<BackEnd> back_ends_;
    std::unordered_map<Address, std::uint32_t> by_address_;
    std::uint64_t begun_ = 0, refused_ = 0, reset_ = 0, translated_ = 0, expired_ = 0;
    // Of the packet at hand.
    Time now_ = 0;
    bool measuring_ = false, measured_ = false;
    NetCounters window_;  // its limits
    Address own_ = Address::none;
};

}  // namespace

std::unique_ptr<Middlebox> make(const Model& model, std::uint32_t record)
{
    return std::make_unique<LoadBalancer>(model, abi::row_of<Row>(model.image(), record));
}

}  // namespace anml::rt::load_balancer
