// What a rule allows begins a session, and everything of a session passes, in both directions, and errors about it.
#include "net/middlebox/firewall.h"

#include <vector>

#include "abi/records.h"
#include "net/middlebox/address_set.h"
#include "net/middlebox/sessions.h"
#include "net/node/icmp_messages.h"

namespace anml::rt::firewall {

namespace {

using Row = abi::record::firewall;
using RuleRow = abi::record::firewall_rule;

constexpr std::uint8_t kProhibited = 13;  // "communication administratively prohibited" (RFC 1812, 5.2.7.1)

struct Rule {
    Row::Action action;
    AddressSet source, destination, source_prefix, destination_prefix;
    RuleRow::Protocol protocol;
    std::uint32_t first_port, last_port;

    bool applies(const Net& k, const Packet& packet) const
    {
        if (!source.has(packet.source) || !destination.has(packet.destination)) return false;
        if (!source_prefix.has(packet.source, k.model, k.buffers)) return false;
        if (!destination_prefix.has(packet.destination, k.model, k.buffers)) return false;
        switch (protocol) {
            case RuleRow::Protocol::any:
                return true;
            case RuleRow::Protocol::icmp:
                return packet.protocol == protocol::icmp;
            case RuleRow::Protocol::tcp:
                return packet.protocol == protocol::tcp && has_port(packet);
            case RuleRow::Protocol::udp:
                return packet.protocol == protocol::udp && has_port(packet);
        }
        return false;
    }
    bool has_port(const Packet& packet) const
    {
        return packet.destination_port >= first_port && packet.destination_port <= last_port;
    }
};

class Firewall final : public Middlebox {
  public:
    Firewall(const Model& model, const Row& row)
        : otherwise_(row.otherwise),
          sessions_({model.time(row.udp_timeout), model.time(row.icmp_timeout), model.time(row.tcp_transitory_timeout),
                     model.time(row.tcp_timeout)},
                    model.integer(row.sessions))
    {
        const abi::Image& image = model.image();
        for (const std::uint32_t record : abi::listed(image, row.rules)) {
            const auto& rule = abi::row_of<RuleRow>(image, record);
            rules_.push_back({static_cast<Row::Action>(rule.action),
                              {image, rule.source},
                              {image, rule.destination},
                              {image, rule.source_prefix},
                              {image, rule.destination_prefix},
                              rule.protocol,
                              static_cast<std::uint32_t>(model.integer(rule.first_port)),
                              static_cast<std::uint32_t>(model.integer(rule.last_port))});
        }
    }

    Decision see(const Net& k, const node::Self&, const Packet& packet) override
    {
        const bool measuring = k.measuring();
        window_.begin = k.counters.begin;
        window_.end = k.counters.end;
        forget(k.now);
        const Decision pass{.ends = ends_of(packet)};
        Packet offender;
        if (packet.protocol == protocol::icmp && !is_echo(packet) && wire::quoted(packet, k.buffers, offender) &&
            has_session(offender) && known(offender))
            return pass;
        if (has_session(packet)) {
            const Sessions::Key there{packet.protocol, ends_of(packet)};
            const Sessions::Key back{packet.protocol, turned(there.ends)};
            Sessions::Session* session = sessions_.find(there);
            const bool answers = !session && (session = sessions_.find(back));
            if (session) {
                sessions_.use(*session, packet, answers, k.now);
                return pass;
            }
        }
        switch (action_for(k, packet)) {
            case Row::Action::allow:
                if (!has_session(packet)) return pass;
                if (sessions_.full()) break;
                begun_ += measuring;
                sessions_.use(sessions_.begin({packet.protocol, ends_of(packet)}, k.now), packet, false, k.now);
                return pass;
            case Row::Action::reject:
                rejected_ += measuring;
                return {.what = Decision::reject, .code = kProhibited};
            case Row::Action::drop:
                dropped_ += measuring;
                return {.what = Decision::drop};
        }
        refused_ += measuring;
        return {.what = Decision::drop};
    }

    Figures figures(Time now) override
    {
        forget(now);
        return {{"sessions", begun_},  {"dropped", dropped_}, {"rejected", rejected_},
                {"refused", refused_}, {"expired", expired_}, {"open", sessions_.size()}};
    }

  private:
    void forget(Time now)
    {
        sessions_.expire(now, [&](const Sessions::Session&, Time over) { expired_ += window_.in_window(over); });
    }

    bool known(const Packet& packet)
    {
        const Ends ends = ends_of(packet);
        return sessions_.find({packet.protocol, ends}) || sessions_.find({packet.protocol, turned(ends)});
    }

    // What the first rule that applies says; without one what becomes of all others.
    Row::Action action_for(const Net& k, const Packet& packet) const
    {
        for (const Rule& rule : rules_)
            if (rule.applies(k, packet)) return rule.action;
        return otherwise_;
    }

    std::vector<Rule> rules_;
    Row::Action otherwise_;
    NetCounters window_;  // its limits
    Sessions sessions_;
    std::uint64_t begun_ = 0, dropped_ = 0, rejected_ = 0, refused_ = 0, expired_ = 0;
};

}  // namespace

std::unique_ptr<Middlebox> make(const Model& model, std::uint32_t record)
{
    return std::make_unique<Firewall>(model, abi::row_of<Row>(model.image(), record));
}

}  // namespace anml::rt::firewall
