#include "net/samples.h"

#include <cmath>

#include "common/sampling.h"
#include "net/model.h"

namespace anml::rt {

double sample(const Model& model, const abi::Distribution& distribution, Draws& draws, double* state)
{
    double value = 0;
    switch (distribution.kind) {
        case abi::DistributionKind::constant:
            value = model.value(distribution.a);
            break;
        case abi::DistributionKind::uniform: {
            const double low = model.value(distribution.a);
            value = low + (model.value(distribution.b) - low) * draws.unit();
            break;
        }
        case abi::DistributionKind::exponential:
            value = -model.value(distribution.a) * natural_log(1 - draws.unit());
            break;
        case abi::DistributionKind::computed:
            value = model.image().samplers[distribution.a](&draws, model.values(), state);
            break;
    }
    return value > 0 ? value : 0;
}

Time draw_time(const Model& model, const abi::Distribution& distribution, std::uint64_t seed, NodeId node,
               Purpose purpose, std::uint32_t row, std::uint64_t index, double* state)
{
    Draws draws(seed, node, purpose, row, index);
    return std::llround(sample(model, distribution, draws, state));
}

}  // namespace anml::rt

// What samplers and `anml_bind` call. In the archive, so that both tiers run the same code.
#ifndef ANML_SPECIALISED
extern "C" {
double anml_unit(void* draws) { return static_cast<anml::rt::Draws*>(draws)->unit(); }
double anml_log(double x) { return anml::rt::logarithm(x); }
double anml_exp(double x) { return anml::rt::exponential_of(x); }
double anml_pow(double base, double exponent) { return anml::rt::power_of(base, exponent); }
double anml_power(double base, double exponent) { return anml::rt::power(base, exponent); }
double anml_sin(double x) { return anml::rt::sine(x); }
double anml_cos(double x) { return anml::rt::cosine(x); }
double anml_normal(double share) { return anml::rt::normal_quantile(share); }
double anml_zipf(void* draws, double count, double exponent)
{
    return anml::rt::zipf(count, exponent, [draws] { return static_cast<anml::rt::Draws*>(draws)->unit(); });
}
// `table`: the cumulated weights, then the values.
double anml_empirical(void* draws, const double* table, std::uint64_t count)
{
    return table[count + anml::rt::empirical_index(table, count, static_cast<anml::rt::Draws*>(draws)->unit())];
}
// The same, linear between the values.
double anml_cumulative(void* draws, const double* table, std::uint64_t count)
{
    return anml::rt::between_points(table, table + count, count, static_cast<anml::rt::Draws*>(draws)->unit());
}
}
#endif
