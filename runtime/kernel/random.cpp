#include "kernel/random.h"

#include <Random123/philox.h>

#include <cmath>

#include "kernel/model.h"

namespace anml::rt {

std::uint64_t random_bits(std::uint64_t seed, NodeId node, Purpose purpose, std::uint32_t row, std::uint64_t index)
{
    using Generator = r123::Philox4x32;
    Generator::ctr_type counter = {{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), node,
                                    static_cast<std::uint32_t>(purpose) << 24 ^ row}};
    Generator::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
    Generator::ctr_type bits = Generator()(counter, key);
    return static_cast<std::uint64_t>(bits[1]) << 32 | bits[0];
}

double natural_log(double x)
{
    int exponent;
    double mantissa = std::frexp(x, &exponent);  // exact
    if (mantissa < 0.70710678118654752440) {
        mantissa *= 2;
        --exponent;
    }
    // ln m = 2 artanh(z), |z| < 0.172: eleven terms leave less than 1e-17.
    double z = (mantissa - 1) / (mantissa + 1), square = z * z, sum = 0;
    for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
    return exponent * 0.69314718055994530942 + 2 * z * sum;
}

double sample(const Model& model, const abi::Distribution& distribution, std::uint64_t bits)
{
    double a = model.value(distribution.a);
    double unit = static_cast<double>(bits >> 11) * 0x1p-53;  // [0, 1)
    double value = a;
    switch (distribution.kind) {
        case abi::DistributionKind::constant:
            break;
        case abi::DistributionKind::uniform:
            value = a + (model.value(distribution.b) - a) * unit;
            break;
        case abi::DistributionKind::exponential:
            value = -a * natural_log(1 - unit);
            break;
    }
    return value > 0 ? value : 0;
}

Time draw_time(const Model& model, const abi::Distribution& distribution, std::uint64_t seed, NodeId node,
               Purpose purpose, std::uint32_t row, std::uint64_t index)
{
    bool constant = distribution.kind == abi::DistributionKind::constant;
    std::uint64_t bits = constant ? 0 : random_bits(seed, node, purpose, row, index);
    return std::llround(sample(model, distribution, bits));
}

}  // namespace anml::rt
