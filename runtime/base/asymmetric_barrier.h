// The two sides of "store, then look at what the other stored", where one side does so often and the other seldom:
// light() costs nothing, heavy() makes every thread of the process pass a full barrier (membarrier(2)). Of a thread
// that stores A, calls light() and loads B, and one that stores B, calls heavy() and loads A, one sees the other's
// store.
#pragma once

#include <atomic>

namespace anml::rt {

class AsymmetricBarrier {
  public:
    AsymmetricBarrier();
    void light() const
    {
        if (available_) [[likely]]
            std::atomic_signal_fence(std::memory_order_seq_cst);
        else
            std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    void heavy() const;

  private:
    bool available_;  // else both are full barriers of their own thread
};

}  // namespace anml::rt
