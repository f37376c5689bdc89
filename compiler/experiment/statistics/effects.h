// What a factor's levels change: each measure less that at the factor's first level, over the repetitions that have the
// same seed (experiment/statistics/paired.h).
#pragma once

#include <string>
#include <vector>

#include "experiment/outcome.h"
#include "experiment/statistics/paired.h"

namespace anml {

inline constexpr std::size_t kFewestPairs = 3;

struct Effect {
    std::string factor, base, level;
    Settings others;          // the levels of the other factors, which both have
    std::size_t measure = 0;  // index
    double first = 0;         // the mean at the base, of the pairs
    // With 95 % for all effects of the factor on this measure together (Bonferroni), of which there are `comparisons`.
    PairedDifference found;
    std::size_t comparisons = 1;
    bool differs() const;  // zero lies outside the interval
};
// Of factors that are not searched for. Nothing of combinations with fewer than kFewestPairs seeds in common.
std::vector<Effect> effects_of(const ExperimentRequest& request, const std::vector<PointOutcome>& points);

nlohmann::ordered_json effects_json(const ExperimentRequest& request, const std::vector<Effect>& effects);
// For people: a table for each factor; "" of none.
std::string show_effects(const ExperimentRequest& request, const std::vector<Effect>& effects);

}  // namespace anml
