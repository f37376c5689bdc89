// Whether moments of the timeline come in one order, whatever the tunables' values.
#pragma once

#include <optional>
#include <vector>

#include "analysis/routes/affine_delay.h"
#include "base/diagnostics.h"
#include "elaborate/network.h"

namespace anml {

class MomentOrder {
  public:
    struct At {
        double time = 0;                        // ns, tunables at their defaults
        std::optional<ValueExprId> expression;  // nothing where the time is fixed
        double later = 0;                       // ns behind the expression
    };

    explicit MomentOrder(const Network& network);

    // Whether they are one moment, whatever the tunables' values.
    bool same(const At& a, const At& b);
    // Whether `b` comes behind `a` always.
    bool fixed(const At& a, const At& b);
    // False.
    bool refuse(Span span, const std::string& message, ValueExprId expression, Diagnostics& diagnostics) const;

  private:
    AffineForm form(const At& at);

    const Network& network_;
    std::vector<ValuePool::Interval> ranges_;
    AffineForms forms_;
};

}  // namespace anml
