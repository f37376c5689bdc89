// Orders of another thread to the loop of a live run. The loop takes one between two packets and waits for nobody; who
// gave it waits until it is carried out.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace anml::rt {
class Simulator;
}

namespace anml::rt::io {

class LiveOrder {
  public:
    virtual ~LiveOrder() = default;
    // By the loop: short, and without waiting for anything.
    virtual void carry_out(Simulator& simulator) = 0;

  private:
    friend class LiveMailbox;
    std::atomic<bool> done_{false};
};

class LiveMailbox {
  public:
    // By one thread at a time. False: the run has ended, and the order was not carried out.
    bool give(LiveOrder& order)
    {
        pending_.store(&order, std::memory_order_release);
        while (!order.done_.load(std::memory_order_acquire)) {
            if (closed_.load(std::memory_order_acquire) && pending_.exchange(nullptr) == &order) return false;
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
        return true;
    }

    // By the loop.
    void look(Simulator& simulator)
    {
        if (pending_.load(std::memory_order_relaxed) == nullptr) return;
        LiveOrder* const order = pending_.exchange(nullptr, std::memory_order_acquire);
        order->carry_out(simulator);
        order->done_.store(true, std::memory_order_release);
    }
    void close() { closed_.store(true, std::memory_order_release); }

  private:
    std::atomic<LiveOrder*> pending_{nullptr};
    std::atomic<bool> closed_{false};
};

}  // namespace anml::rt::io
