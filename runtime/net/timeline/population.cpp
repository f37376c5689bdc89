#include "net/timeline/population.h"

#include "net/model.h"

namespace anml::rt {

Turn turn_of(std::uint64_t number)
{
    constexpr std::uint64_t kOdd[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                      0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    for (int i = 0; i < 6; ++i) number = (number >> (1 << i) & kOdd[i]) | (number & kOdd[i]) << (1 << i);
    return number;
}

// The next one's turn. Bit by bit from the lowest: of the numbers that end like it so far, those with a 0 come first.
Turn turn_behind(std::uint64_t count, std::uint64_t hosts)
{
    if (count == 0) return 0;
    if (count >= hosts) return kEveryTurn;
    std::uint64_t number = 0;
    for (int bit = 0; bit < 63 && std::uint64_t{1} << bit < hosts; ++bit) {
        const std::uint64_t step = std::uint64_t{2} << bit;
        const std::uint64_t zeros = number < hosts ? (hosts - number + step - 1) / step : 0;
        if (count < zeros) continue;
        count -= zeros;
        number |= std::uint64_t{1} << bit;
    }
    return turn_of(number);
}

bool Hosts::have_turn(const Model& model, NodeId host) const
{
    const Turn turn = turn_of(model.documents().place_of(workload, host).number);
    return first <= turn && turn < end;
}

}  // namespace anml::rt
