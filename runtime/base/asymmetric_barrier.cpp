#include "base/asymmetric_barrier.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace anml::rt {

AsymmetricBarrier::AsymmetricBarrier()
    : available_(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0)
{
}

void AsymmetricBarrier::heavy() const
{
    if (available_) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

}  // namespace anml::rt
