// The largest value at which something still holds, by bisection: of the load that a server bears, for instance. It is
// taken to hold below and not above.
#pragma once

#include <cstdint>
#include <optional>

namespace anml {

class Search {
  public:
    // Between these, whole numbers alone if `integer`. It ends where the two ends are no further from each other than
    // that share of the upper one.
    Search(double low, double high, bool integer, double resolution);

    enum class Outcome : std::uint8_t {
        searching,
        found,    // holds at `low`, and not at `high`
        nowhere,  // not even at the lower end
        always    // still at the upper end
    };
    Outcome outcome() const { return outcome_; }
    double low() const { return low_; }
    double high() const { return high_; }

    // What is to be tried next, while searching. The ends first; between them the middle: of the logarithms, where
    // the ends are a factor of four apart.
    double next() const;
    // Whether the ends are so near that one run says little: a value between them is to be tried several times.
    bool near() const;
    // What came of next().
    void judge(bool holds);
    // How many runs it may take from now on, where a value near the boundary takes so many.
    std::size_t runs_left(std::size_t repetitions) const;

  private:
    bool is_fine() const;

    double low_, high_;
    bool integer_;
    double resolution_;
    bool tried_low_ = false, tried_high_ = false;
    Outcome outcome_ = Outcome::searching;
};

}  // namespace anml
