// What one direction of a changing link has taken and not yet transmitted, so that a change can correct what was
// counted when it was taken.
//
// Where the link is impaired too, packets stay here until their departure: only then is it known when that is, and what
// happens to them behind it (net/link/impair.h) depends on nothing that may yet change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/time.h"
#include "net/link/link_state.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Transmitter {
  public:
    struct Taken {
        Time start;             // of its transmission, as things are
        Time departure;         // its end
        std::uint32_t bytes;    // IP
        bool measured;          // counted in the measured window
        Time came;              // to the link
        PacketId held = kNone;  // the packet, where it stays until its departure
    };
    // `came` of a packet whose time in the queue was counted before anybody kept it here.
    static constexpr Time kUncounted = kNever;

    // How long those that were measured waited: what has left, and what is here, as things are.
    QueueDelay queue_delay() const
    {
        QueueDelay all = queue_delay_;
        for (std::size_t i = first_; i < taken_.size(); ++i) count(taken_[i], all);
        return all;
    }

    // Packets depart in the order in which they are taken.
    void take(const Taken& packet, Time now)
    {
        forget(now);
        if (first_ == taken_.size()) {
            taken_.clear();
            first_ = 0;
        } else if (first_ > taken_.size() / 2) {
            taken_.erase(taken_.begin(), taken_.begin() + from());
            first_ = 0;
        }
        taken_.push_back(packet);
    }

    // The packet that was taken last stays until its departure.
    void hold(PacketId packet)
    {
        taken_.back().held = packet;
        ++held_;
    }
    // The next of the packets that were taken before one had to stay. False: there is none.
    bool hold_next(Time now, PacketId packet)
    {
        const auto waits = [&](const Taken& taken) { return taken.held == kNone && taken.departure > now; };
        const auto next = std::find_if(taken_.begin() + from(), taken_.end(), waits);
        if (next == taken_.end()) return false;
        next->held = packet;
        ++held_;
        return true;
    }
    std::size_t held() const { return held_; }
    // Calls `leave` for the packets that stay and depart now.
    template <class Leave>
    void depart(Time now, Leave&& leave)
    {
        for (std::size_t i = first_; held_ != 0 && taken_[i].departure <= now; ++i)
            if (const PacketId packet = std::exchange(taken_[i].held, kNone); packet != kNone) {
                --held_;
                leave(packet);
            }
        forget(now);
    }
    // Of the packets that stay, kNever: there is none.
    Time next_departure() const
    {
        const auto held = [](const Taken& packet) { return packet.held != kNone; };
        return held_ == 0 ? kNever : std::find_if(taken_.begin() + from(), taken_.end(), held)->departure;
    }

    // What is still here counts again.
    void forget_longest_delay() { queue_delay_.longest = 0; }

    // Times after `now` move to f(time).
    template <class Move>
    void move(Time now, Move&& f)
    {
        forget(now);
        for (std::size_t i = first_; i < taken_.size(); ++i) {
            const Time start = std::exchange(taken_[i].start, f(taken_[i].start));
            if (taken_[i].measured && taken_[i].came == kUncounted)
                queue_delay_.sum += static_cast<double>(taken_[i].start - start);
            taken_[i].departure = f(taken_[i].departure);
        }
    }

    // Starts of those that wait.
    std::vector<Time> waiting(Time now) const
    {
        std::vector<Time> starts;
        for (std::size_t i = first_; i < taken_.size(); ++i)
            if (taken_[i].start > now) starts.push_back(taken_[i].start);
        return starts;
    }

    // The link fails: `lose` gets what has not been transmitted by `now`, and what is still here.
    template <class Lose>
    void clear(Time now, Lose&& lose)
    {
        forget(now);
        for (std::size_t i = first_; i < taken_.size(); ++i) {
            if (taken_[i].departure <= now) count(taken_[i], queue_delay_);
            lose(taken_[i]);
        }
        taken_.clear();
        first_ = held_ = 0;
    }

    Time expected = kNever;  // departure for which an event is pending
    Time unknown_until = 0;  // what departs by then was taken before anybody kept it here, and stays as it is
    // In the measured window, without what lies beyond its ends: LinkCounters::carried has that.
    Time transmitting = 0;

  private:
    std::ptrdiff_t from() const { return static_cast<std::ptrdiff_t>(first_); }
    void forget(Time now)
    {
        while (first_ < taken_.size() && taken_[first_].departure <= now && taken_[first_].held == kNone)
            count(taken_[first_++], queue_delay_);
    }
    static void count(const Taken& packet, QueueDelay& delay)
    {
        if (packet.measured && packet.came != kUncounted) delay.add(packet.start - packet.came);
    }

    QueueDelay queue_delay_;    // of what is here no more
    std::vector<Taken> taken_;  // from `first_` on
    std::size_t first_ = 0;
    std::size_t held_ = 0;  // packets that stay until their departure
};

}  // namespace anml::rt
