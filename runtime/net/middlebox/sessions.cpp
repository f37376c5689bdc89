#include "net/middlebox/sessions.h"

#include "common/mix.h"

namespace anml::rt {

std::size_t Sessions::Hash::operator()(const Key& key) const
{
    const std::uint64_t addresses = std::uint64_t{number(key.ends.source)} << 32 | number(key.ends.destination);
    const std::uint64_t rest =
        std::uint64_t{key.protocol} << 32 | std::uint64_t{key.ends.source_port} << 16 | key.ends.destination_port;
    return mix(mix(addresses) ^ rest);
}

Sessions::Session* Sessions::find(const Key& key)
{
    const auto at = index_.find(key);
    return at == index_.end() ? nullptr : &*at->second;
}

Sessions::Session& Sessions::begin(const Key& key, Time now)
{
    const Phase phase = key.protocol == protocol::udp ? udp : key.protocol == protocol::tcp ? tcp_transitory : icmp;
    List& list = lists_[phase];
    Session& made = list.emplace_back();
    made.key = key;
    made.phase = phase;
    made.used = now;
    index_[key] = std::prev(list.end());
    return list.back();
}

void Sessions::use(Session& session, const Packet& packet, bool back, Time now)
{
    Phase phase = session.phase;
    session.sides[back].sent = true;
    if (packet.protocol == protocol::tcp) {
        Session::Side &from = session.sides[back], &to = session.sides[!back];
        const std::uint8_t flags = packet.tcp().flags;
        const bool syn = flags & tcp_flag::syn, ack = flags & tcp_flag::ack;
        if (syn && !ack) from = to = {};  // its ends begin another connection
        // One that comes once more, in a connection that is there, changes nothing.
        if (syn && ack && phase != tcp_established) from.answers = true;
        if (!syn && ack) to.answers = false;
        from.sent = true;
        from.closed |= (flags & tcp_flag::fin) != 0;
        if (flags & tcp_flag::rst) from.closed = to.closed = true;
        const bool established = from.sent && to.sent && !from.answers && !to.answers;
        phase = established && !(from.closed && to.closed) ? tcp_established : tcp_transitory;
    }
    const auto at = index_.find(session.key)->second;
    at->used = now;
    lists_[phase].splice(lists_[phase].end(), lists_[at->phase], at);
    at->phase = phase;
}

void Sessions::end(const Session& session)
{
    const auto at = index_.find(session.key);
    List& list = lists_[session.phase];
    const auto place = at->second;
    index_.erase(at);
    list.erase(place);
}

void Sessions::expire(Time now, const std::function<void(const Session&, Time)>& over)
{
    for (std::size_t phase = 0; phase < lists_.size(); ++phase) {
        List& list = lists_[phase];
        while (!list.empty() && list.front().used + timeouts_[phase] <= now) {
            index_.erase(list.front().key);
            over(list.front(), list.front().used + timeouts_[phase]);
            list.pop_front();
        }
    }
}

}  // namespace anml::rt
