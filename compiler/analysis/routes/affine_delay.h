// Delays as affine forms over atoms; see tunable_dependence.h.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "elaborate/network.h"

namespace anml {

struct AffineForm {
    double constant = 0;
    std::vector<std::pair<ValueExprId, double>> terms;  // atom, coefficient; by atom, none of them zero
};

class AffineForms {
  public:
    explicit AffineForms(const Network& network);

    const AffineForm& of(ValueExprId expression);
    // Bounds and default of an atom.
    ValuePool::Interval bounds(ValueExprId atom) const;
    double default_value(ValueExprId atom) const;
    // Tunables that an atom depends on.
    std::set<std::uint32_t> tunables(ValueExprId atom) const;

  private:
    AffineForm compute(ValueExprId expression);
    AffineForm as_atom(ValueExprId expression) const;

    const ValuePool& values_;
    std::vector<double> defaults_;
    std::vector<ValuePool::Interval> ranges_;
    std::map<ValueExprId, AffineForm> known_;
};

}  // namespace anml
