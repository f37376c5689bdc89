// Channels between tasks: a single-producer single-consumer ring of messages and a clock.
//
// The clock is a promise of the producer: every message that it has not yet handed over has a time at or after it. The
// consumer reads the clock first and drains the ring after, so that everything earlier than the clock it read is in its
// hands. Messages are handed over with the clock, and where they end is told in the same cache line: a consumer that
// looks at the clock then has both. `mark` carries the other direction of the handshake: a consumer that waits for the
// clock to move sets it, and whoever moves the clock and takes the mark back makes the consumer ready (see
// scheduler.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/time.h"

namespace anml::rt {

inline constexpr std::size_t kCacheLine = 128;  // two lines: the adjacent-line prefetcher pairs them

class ChannelState {
  public:
    // Producer. Hands over what was put in, and moves the clock. True if the consumer was waiting for it: make it
    // ready.
    bool advance(Time time)
    {
        hand_over();
        if (time <= published_) return false;
        published_ = time;
        clock_.store(time, std::memory_order_seq_cst);
        return mark_.load(std::memory_order_seq_cst) != 0 && mark_.exchange(0, std::memory_order_seq_cst) != 0;
    }
    // The same for a consumer that looks at the clock itself. True if the clock moved.
    bool announce(Time time)
    {
        hand_over();
        if (time <= published_) return false;
        clock_.store(published_ = time, std::memory_order_release);
        return true;
    }
    Time promised() const { return published_; }
    std::uint64_t claimed() const { return head_; }  // messages so far
    // Between runs: all messages before `time` have been taken.
    void restart(Time time)
    {
        published_ = time;
        clock_.store(time, std::memory_order_seq_cst);
        mark_.store(0, std::memory_order_seq_cst);
    }

    // Consumer.
    Time clock() const { return clock_.load(std::memory_order_acquire); }
    // Announces that the consumer waits for the clock to pass `safe`. True: leave, the producer will make it ready.
    // False: the clock moved meanwhile, go round again.
    bool wait_beyond(Time safe)
    {
        mark_.store(1, std::memory_order_seq_cst);
        if (clock_.load(std::memory_order_seq_cst) <= safe) return true;
        return mark_.exchange(0, std::memory_order_seq_cst) == 0;
    }

  protected:
    void hand_over()
    {
        if (head_ != handed_over_) shared_head_.store(handed_over_ = head_, std::memory_order_release);
    }

    alignas(kCacheLine) std::atomic<Time> clock_{0};
    std::atomic<std::uint64_t> shared_head_{0};
    alignas(kCacheLine) Time published_ = 0;  // the producer's own: of the clock
    std::uint64_t handed_over_ = 0;           // of the head
    std::uint64_t head_ = 0, seen_tail_ = 0;
    alignas(kCacheLine) std::atomic<std::uint32_t> mark_{0};
};

// With the ring, which is bounded; its capacity is a power of two.
template <class Message>
class Channel : public ChannelState {
  public:
    explicit Channel(std::size_t capacity) : slots_(std::make_unique<Message[]>(capacity)), mask_(capacity - 1) {}

    // Producer: a slot to fill in, null if there is no room. The consumer sees it once it was handed over.
    Message* claim()
    {
        if (head_ - seen_tail_ > mask_) {
            seen_tail_ = tail_.load(std::memory_order_acquire);
            if (head_ - seen_tail_ > mask_) return nullptr;
        }
        return &slots_[head_++ & mask_];
    }
    // Of a message: 0 .. capacity - 1.
    std::size_t place_of(const Message& message) const { return static_cast<std::size_t>(&message - slots_.get()); }
    // Producer: waits for room. True: the consumer will say so when it drains; false: there is room again.
    bool wait_for_room()
    {
        hand_over();
        starved_.store(1, std::memory_order_seq_cst);
        seen_tail_ = tail_.load(std::memory_order_seq_cst);
        if (head_ - seen_tail_ > mask_) return true;
        return starved_.exchange(0, std::memory_order_seq_cst) == 0;
    }

    // Consumer: calls `take` for every message there is. True if the producer waits for room: make it ready.
    template <class Take>
    bool drain(Take&& take)
    {
        std::uint64_t head = shared_head_.load(std::memory_order_acquire);
        if (head == read_) return false;
        while (read_ != head) take(slots_[read_++ & mask_]);
        return end_drain();
    }
    // The same as long as `take` takes them: false leaves that message, and all behind it, where they are.
    struct Drained {
        std::uint32_t taken;
        bool all;      // that were there
        bool starved;  // the producer waits for room: make it ready
    };
    template <class Take>
    Drained drain_while(Take&& take)
    {
        const std::uint64_t head = shared_head_.load(std::memory_order_acquire), before = read_;
        while (read_ != head && take(slots_[read_ & mask_])) ++read_;
        const auto taken = static_cast<std::uint32_t>(read_ - before);
        return {taken, read_ == head, taken != 0 && end_drain()};
    }
    // Producer: messages that the consumer has taken so far.
    std::uint64_t taken() const { return tail_.load(std::memory_order_acquire); }

  private:
    bool end_drain()
    {
        tail_.store(read_, std::memory_order_seq_cst);
        return starved_.load(std::memory_order_seq_cst) != 0 && starved_.exchange(0, std::memory_order_seq_cst) != 0;
    }

    std::unique_ptr<Message[]> slots_;
    std::uint64_t mask_;
    alignas(kCacheLine) std::atomic<std::uint64_t> tail_{0};
    std::atomic<std::uint32_t> starved_{0};
    alignas(kCacheLine) std::uint64_t read_ = 0;  // consumer's
};

}  // namespace anml::rt
