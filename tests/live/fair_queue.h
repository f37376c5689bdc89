// FQ-CoDel after RFC 8290 and the pseudo-code of RFC 8289, for link_emulator.cpp: it shares no code with our models.
// Flows are told apart by their ports, so that none share a queue; there is no bound on what waits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <vector>

class FairQueue {
  public:
    using Time = std::int64_t;  // ns
    using Content = std::vector<char>;
    std::uint64_t dropped = 0, waiting = 0;

    void take(Content content, Time at)
    {
        ++waiting;
        Flow& flow = flows_[name_of(content)];
        flow.bytes += content.size();
        flow.packets.emplace_back(at, std::move(content));
        if (flow.listed) return;
        flow.listed = true;
        flow.credit = kQuantum;
        fresh_.push_back(&flow);
    }

    // What is sent at this time; nothing if everything that waits is dropped.
    Content next(Time at)
    {
        for (;;) {
            std::list<Flow*>& turn = fresh_.empty() ? old_ : fresh_;
            if (turn.empty()) return {};
            Flow& flow = *turn.front();
            if (flow.credit <= 0) {
                flow.credit += kQuantum;
                old_.splice(old_.end(), turn, turn.begin());
                continue;
            }
            Content content = controlled(flow, at);
            if (!content.empty()) {
                flow.credit -= static_cast<std::int64_t>(content.size());
                return content;
            }
            if (&turn == &fresh_ && !old_.empty()) {
                old_.splice(old_.end(), turn, turn.begin());
            } else {
                flow.listed = false;
                turn.pop_front();
            }
        }
    }

  private:
    static constexpr std::int64_t kQuantum = 1514;
    static constexpr std::size_t kSegment = 1500;
    static constexpr Time kTarget = 5'000'000, kInterval = 100'000'000;

    struct Flow {
        std::deque<std::pair<Time, Content>> packets;
        std::size_t bytes = 0;
        std::int64_t credit = 0;
        bool listed = false, dropping = false;
        Time first_above = 0, drop_next = 0;
        std::uint32_t count = 0, last_count = 0;
    };

    // Addresses, ports and protocol of an IPv4 packet.
    static std::array<char, 13> name_of(const Content& content)
    {
        std::array<char, 13> name{};
        if (content.size() < 24) return name;
        name[12] = content[9];
        std::memcpy(name.data(), content.data() + 12, 8);
        std::memcpy(name.data() + 8, content.data() + (content[0] & 15) * 4, 4);
        return name;
    }

    static Time after(Time at, std::uint32_t count)
    {
        return at + static_cast<Time>(static_cast<double>(kInterval) / std::sqrt(count));
    }

    // dodequeue() of RFC 8289, appendix: `may_drop`, if it has waited too long for an interval.
    Content head(Flow& flow, Time at, bool& may_drop)
    {
        may_drop = false;
        if (flow.packets.empty()) {
            flow.first_above = 0;
            return {};
        }
        auto [since, content] = std::move(flow.packets.front());
        flow.packets.pop_front();
        flow.bytes -= content.size();
        --waiting;
        if (at - since < kTarget || flow.bytes <= kSegment)
            flow.first_above = 0;
        else if (flow.first_above == 0)
            flow.first_above = at + kInterval;
        else
            may_drop = at >= flow.first_above;
        return std::move(content);
    }

    Content controlled(Flow& flow, Time at)
    {
        bool may_drop;
        Content content = head(flow, at, may_drop);
        if (flow.dropping) {
            if (!may_drop) flow.dropping = false;
            while (flow.dropping && at >= flow.drop_next) {
                ++dropped;
                ++flow.count;
                content = head(flow, at, may_drop);
                if (may_drop)
                    flow.drop_next = after(flow.drop_next, flow.count);
                else
                    flow.dropping = false;
            }
        } else if (may_drop) {
            ++dropped;
            content = head(flow, at, may_drop);
            flow.dropping = true;
            const std::uint32_t delta = flow.count - flow.last_count;
            flow.count = delta > 1 && at - flow.drop_next < 16 * kInterval ? delta : 1;
            flow.drop_next = after(at, flow.count);
            flow.last_count = flow.count;
        }
        return content;
    }

    std::map<std::array<char, 13>, Flow> flows_;
    std::list<Flow*> fresh_, old_;
};
