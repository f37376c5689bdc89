// CoDel and FQ-CoDel as Linux has them (include/net/codel_impl.h, net/sched/sch_fq_codel.c), written here once more for
// the tests: on a link that asks for the next packet whenever it becomes idle. The names are Linux's.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "flow_link.h"

namespace anml::test {

struct CodelParameters {
    rt::Time target = 5 * rt::kMillisecond, interval = 100 * rt::kMillisecond;
    bool ecn = false;
    rt::Time ce_threshold = 1000 * rt::kSecond;
};

struct CodelFlow {
    std::deque<Offer> queue;
    std::uint64_t backlog = 0;
    std::int64_t deficit = 0;
    bool listed = false;
    rt::Time first_above_time = 0, drop_next = 0;
    std::uint32_t count = 0, lastcount = 0;
    bool dropping = false;
};

class LinuxCodel {
  public:
    LinuxCodel(double rate, CodelParameters parameters) : rate_(rate), p_(parameters) {}
    virtual ~LinuxCodel() = default;

    std::vector<std::pair<std::uint32_t, rt::Time>> begun;  // numbers, and when their transmission begins
    std::vector<std::uint32_t> marked;
    std::uint32_t dropped = 0;

    void run(const std::vector<Offer>& arrivals)
    {
        rt::Time idle_from = 0;
        for (std::size_t i = 0; i < arrivals.size() || packets_ != 0;) {
            // One that comes as the link becomes idle is there, but takes part in no decision before.
            const rt::Time now = packets_ == 0 ? std::max(idle_from, arrivals[i].at) : idle_from;
            const bool found_idle = packets_ == 0 && arrivals[i].at >= idle_from;
            Offer packet{};
            if (found_idle) dequeue(idle_from, packet);  // as the link became idle, in vain
            for (; i < arrivals.size() && arrivals[i].at <= now; ++i) {
                enqueue(arrivals[i]);
                if (found_idle) {
                    ++i;
                    break;
                }
            }
            if (!dequeue(now, packet)) continue;
            begun.emplace_back(packet.number, now);
            idle_from = now + std::llround(packet.length * 8e9 / rate_);
        }
    }

  protected:
    virtual void enqueue(const Offer& packet) { push(flow_, packet); }
    virtual bool dequeue(rt::Time now, Offer& packet) { return codel_dequeue(flow_, now, packet); }

    void push(CodelFlow& flow, const Offer& packet)
    {
        flow.queue.push_back(packet);
        flow.backlog += packet.length;
        backlog_ += packet.length;
        ++packets_;
    }
    Offer pop(CodelFlow& flow)
    {
        const Offer packet = flow.queue.front();
        flow.queue.pop_front();
        flow.backlog -= packet.length;
        backlog_ -= packet.length;
        --packets_;
        return packet;
    }
    bool set_ce(const Offer& packet)
    {
        if (packet.traffic_class == 0) return false;
        if (marked.empty() || marked.back() != packet.number) marked.push_back(packet.number);
        return true;
    }
    bool codel_dequeue(CodelFlow& vars, rt::Time now, Offer& packet)
    {
        const auto control_law = [&](rt::Time t) {
            return t + std::llround(static_cast<double>(p_.interval) / std::sqrt(static_cast<double>(vars.count)));
        };
        bool got = false;
        const auto next_should_drop = [&] {
            got = !vars.queue.empty();
            if (!got) {
                vars.first_above_time = 0;
                return false;
            }
            packet = pop(vars);
            if (now - packet.at < p_.target || backlog_ <= 1500) {
                vars.first_above_time = 0;
                return false;
            }
            if (vars.first_above_time == 0) {
                vars.first_above_time = now + p_.interval;
                return false;
            }
            return now >= vars.first_above_time;
        };
        bool drop = next_should_drop();
        if (!got) {
            vars.dropping = false;
            return false;
        }
        if (vars.dropping) {
            if (!drop) {
                vars.dropping = false;
            } else if (now >= vars.drop_next) {
                while (vars.dropping && now >= vars.drop_next) {
                    vars.count++;
                    if (p_.ecn && set_ce(packet)) {
                        vars.drop_next = control_law(vars.drop_next);
                        break;
                    }
                    ++dropped;
                    if (!next_should_drop())
                        vars.dropping = false;
                    else
                        vars.drop_next = control_law(vars.drop_next);
                }
            }
        } else if (drop) {
            if (!(p_.ecn && set_ce(packet))) {
                ++dropped;
                next_should_drop();
            }
            vars.dropping = true;
            const std::uint32_t delta = vars.count - vars.lastcount;
            vars.count = delta > 1 && now - vars.drop_next < 16 * p_.interval ? delta : 1;
            vars.lastcount = vars.count;
            vars.drop_next = control_law(now);
        }
        if (got && now - packet.at > p_.ce_threshold) set_ce(packet);
        return got;
    }

    const double rate_;
    const CodelParameters p_;
    std::uint64_t backlog_ = 0;
    std::uint32_t packets_ = 0;

  private:
    CodelFlow flow_;
};

class LinuxFqCodel : public LinuxCodel {
  public:
    LinuxFqCodel(double rate, CodelParameters parameters, std::int64_t quantum, std::uint32_t limit)
        : LinuxCodel(rate, parameters), quantum_(quantum), limit_(limit)
    {
    }

  protected:
    void enqueue(const Offer& packet) override
    {
        CodelFlow& flow = flows_[packet.flow];
        push(flow, packet);
        if (!flow.listed) {
            flow.listed = true;
            flow.deficit = quantum_;
            new_flows_.push_back(&flow);
        }
        if (packets_ > limit_) drop();
    }
    bool dequeue(rt::Time now, Offer& packet) override
    {
        for (;;) {
            std::deque<CodelFlow*>& head = new_flows_.empty() ? old_flows_ : new_flows_;
            if (head.empty()) return false;
            CodelFlow* flow = head.front();
            if (flow->deficit <= 0) {
                flow->deficit += quantum_;
                head.pop_front();
                old_flows_.push_back(flow);
                continue;
            }
            if (!codel_dequeue(*flow, now, packet)) {
                const bool was_new = &head == &new_flows_;
                head.pop_front();
                if (was_new && !old_flows_.empty())
                    old_flows_.push_back(flow);
                else
                    flow->listed = false;
                continue;
            }
            flow->deficit -= packet.length;
            return true;
        }
    }

  private:
    void drop()
    {
        CodelFlow* fat = nullptr;
        std::uint64_t maxbacklog = 0;
        for (const auto* list : {&new_flows_, &old_flows_})
            for (CodelFlow* flow : *list)
                if (flow->backlog > maxbacklog) {
                    maxbacklog = flow->backlog;
                    fat = flow;
                }
        std::uint64_t len = 0;
        std::uint32_t i = 0;
        do {
            len += pop(*fat).length;
            ++dropped;
        } while (++i < 64 && len < maxbacklog / 2);
        fat->count += i;
    }

    const std::int64_t quantum_;
    const std::uint32_t limit_;
    std::map<std::uint16_t, CodelFlow> flows_;
    std::deque<CodelFlow*> new_flows_, old_flows_;
};

}  // namespace anml::test
