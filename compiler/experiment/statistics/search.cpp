#include "experiment/statistics/search.h"

#include <cmath>

namespace anml {

namespace {

constexpr double kFar = 4;     // the factor from which on the middle is that of the logarithms
constexpr double kNear = 0.2;  // of the upper end

}  // namespace

Search::Search(double low, double high, bool integer, double resolution)
    : low_(integer ? std::ceil(low) : low),
      high_(integer ? std::floor(high) : high),
      integer_(integer),
      resolution_(resolution)
{
}

double Search::next() const
{
    if (!tried_low_) return low_;
    if (!tried_high_) return high_;
    const double middle = low_ > 0 && high_ > kFar * low_ ? std::sqrt(low_ * high_) : (low_ + high_) / 2;
    if (integer_) return std::round(middle);
    // In few digits, as far as they are fine enough. The quotient of whole numbers is the decimal as it is written.
    constexpr int kMostDigits = 17;
    const double fine = std::floor(std::log10(resolution_ * std::fabs(high_) / 4));
    for (int more = 0; std::isfinite(fine) && more < kMostDigits; ++more) {
        const double step = std::pow(10, std::fabs(fine - more));
        const double rounded = fine < more ? std::round(middle * step) / step : std::round(middle / step) * step;
        if (low_ < rounded && rounded < high_) return rounded;
    }
    return middle;
}

std::size_t Search::runs_left(std::size_t repetitions) const
{
    Search rest = *this;
    std::size_t runs = 2 * (repetitions - 1);  // both ends, in the end
    for (; rest.outcome_ == Outcome::searching; rest.judge(!rest.tried_high_ && rest.tried_low_ ? false : true))
        runs += rest.near() ? repetitions : 1;
    return runs;
}

bool Search::near() const { return tried_low_ && tried_high_ && high_ - low_ <= kNear * std::fabs(high_); }

bool Search::is_fine() const
{
    return high_ - low_ <= resolution_ * std::fabs(high_) || (integer_ && high_ - low_ <= 1);
}

void Search::judge(bool holds)
{
    if (!tried_low_) {
        tried_low_ = true;
        if (!holds) outcome_ = Outcome::nowhere;
        return;
    }
    if (!tried_high_) {
        tried_high_ = true;
        if (holds)
            outcome_ = Outcome::always;
        else if (is_fine())
            outcome_ = Outcome::found;
        return;
    }
    const double value = next();
    (holds ? low_ : high_) = value;
    if (is_fine()) outcome_ = Outcome::found;
}

}  // namespace anml
