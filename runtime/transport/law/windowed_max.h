// The largest of the values within a window, by three of them: the largest, the largest behind that one, and the
// largest behind both (Nichols's estimator, Linux's lib/win_minmax.c). The clock may be anything that only grows.
#pragma once

#include <cstdint>

namespace anml::rt::tcp::law {

class WindowedMax {
  public:
    double value() const { return best_[0].value; }

    void add(double value, std::uint32_t now, std::uint32_t window)
    {
        const Value fresh{value, now};
        if (value >= best_[0].value || now - best_[2].at > window) {
            best_[0] = best_[1] = best_[2] = fresh;
            return;
        }
        if (value >= best_[1].value)
            best_[1] = best_[2] = fresh;
        else if (value >= best_[2].value)
            best_[2] = fresh;
        age(fresh, window);
    }

  private:
    struct Value {
        double value = 0;
        std::uint32_t at = 0;
    };

    void age(const Value& fresh, std::uint32_t window)
    {
        const std::uint32_t passed = fresh.at - best_[0].at;
        if (passed > window) {  // the largest is too old: the others move up
            best_[0] = best_[1];
            best_[1] = best_[2];
            best_[2] = fresh;
            if (fresh.at - best_[0].at <= window) return;
            best_[0] = best_[1];
            best_[1] = best_[2];
            best_[2] = fresh;
        } else if (best_[1].at == best_[0].at && passed > window / 4) {  // a quarter without a second one
            best_[1] = best_[2] = fresh;
        } else if (best_[2].at == best_[1].at && passed > window / 2) {  // a half without a third one
            best_[2] = fresh;
        }
    }

    Value best_[3];
};

}  // namespace anml::rt::tcp::law
