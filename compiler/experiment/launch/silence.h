// How long nothing has come of what others run, and when that is to be said: seldom, and ever more so.
#pragma once

#include <algorithm>

namespace anml {

// Times are s of any one clock.
class Silence {
  public:
    explicit Silence(double now) : since_(now) {}

    // Something has ended that took so long: what takes as long as the longest is not silent.
    void broken(double now, double took = 0)
    {
        longest_ = std::max(longest_, took);
        since_ = now;
        next_ = 0;
    }

    // Whether it is to be said now. Then not before it has lasted for twice as long, an hour more at most.
    bool is_due(double now)
    {
        if (lasts(now) < std::max(next_, first())) return false;
        next_ = lasts(now) + std::min(lasts(now), kSeldom);
        return true;
    }

    double lasts(double now) const { return now - since_; }

  private:
    static constexpr double kShortest = 60, kSeldom = 3600;
    double first() const { return std::max(kShortest, 3 * longest_); }

    double since_, longest_ = 0, next_ = 0;
};

}  // namespace anml
