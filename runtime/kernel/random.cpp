#include "kernel/random.h"

#include <Random123/philox.h>

namespace anml::rt {

std::uint64_t random_bits(std::uint64_t seed, NodeId node, Purpose purpose, std::uint32_t row, std::uint64_t index)
{
    return Draws(seed, node, purpose, row, index).bits();
}

std::uint64_t Draws::bits()
{
    if (has_second_) {
        has_second_ = false;
        return second_;
    }
    using Generator = r123::Philox4x32;
    const Generator::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
    const Generator::key_type key = {{key_[0], key_[1]}};
    const Generator::ctr_type block = Generator()(counter, key);
    counter_[1] += 1u << 8;  // the next block of this sample; the index keeps 40 bits
    second_ = static_cast<std::uint64_t>(block[3]) << 32 | block[2];
    has_second_ = true;
    return static_cast<std::uint64_t>(block[1]) << 32 | block[0];
}

}  // namespace anml::rt
