#include "net/documents/prowgen.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "common/sampling.h"
#include "kernel/random.h"

namespace anml::rt::prowgen {

namespace {

constexpr double kLeast = 2;                 // requests for a document that is no one-timer
enum : std::uint32_t { kSequence, kOrder };  // users of random numbers

std::uint32_t repeated(const Parameters& given)
{
    constexpr double kRounding = 1e-9;
    const double once = std::floor(given.one_timers * given.documents + kRounding);
    return given.documents - static_cast<std::uint32_t>(std::clamp(once, 0.0, given.documents - 1.0));
}

// As many of the documents' references as are their shares of `scale`, and two at least.
double sum_of(const std::vector<double>& weights, double scale)
{
    double sum = 0;
    for (const double weight : weights) sum += std::max(kLeast, scale * weight);
    return sum;
}

// With which they come to `wanted`.
double scale_for(const std::vector<double>& weights, double wanted)
{
    double low = 0, high = wanted;  // the first one's weight is 1
    for (int step = 0; step < 100; ++step) {
        const double middle = (low + high) / 2;
        (sum_of(weights, middle) < wanted ? low : high) = middle;
    }
    return high;
}

// Draws numbers in proportion to weights that change (Fenwick, 1994).
class Urn {
  public:
    explicit Urn(const std::vector<std::uint32_t>& weights) : sums_(weights.size() + 1)
    {
        for (std::uint32_t i = 0; i < weights.size(); ++i) add(i, weights[i]);
    }

    std::uint64_t total() const { return total_; }

    void add(std::uint32_t number, std::int64_t weight)
    {
        total_ += static_cast<std::uint64_t>(weight);
        for (std::size_t i = number + 1; i < sums_.size(); i += i & -i) sums_[i] += static_cast<std::uint64_t>(weight);
    }

    // The one in whose part of [0, total) `at` lies.
    std::uint32_t find(std::uint64_t at) const
    {
        std::size_t position = 0;
        for (std::size_t step = std::bit_floor(sums_.size() - 1); step != 0; step /= 2) {
            if (position + step >= sums_.size() || sums_[position + step] > at) continue;
            position += step;
            at -= sums_[position];
        }
        return static_cast<std::uint32_t>(position);
    }

  private:
    std::vector<std::uint64_t> sums_;
    std::uint64_t total_ = 0;
};

// The documents that were asked for last and will be again, and all others.
class Stack {
  public:
    Stack(const Parameters& given, std::vector<std::uint32_t> left)
        : depth_(std::min<std::size_t>(given.stack, left.size())), others_(left), left_(std::move(left))
    {
        const auto all = static_cast<double>(others_.total());
        double sum = 0;
        for (std::size_t i = 0; i < depth_; ++i) shares_.push_back(sum += left_[i] / all);
        stack_.reserve(depth_ + 1);
    }

    std::uint32_t next(Draws draws)
    {
        std::size_t place = place_of(draws.unit());
        if (place >= stack_.size() && others_.total() == 0)
            place = std::min(place_of(draws.unit() * shares_[stack_.size() - 1]), stack_.size() - 1);
        const bool inside = place < stack_.size();
        const std::uint32_t document =
            inside ? stack_[place]
                   : others_.find(static_cast<std::uint64_t>(draws.unit() * static_cast<double>(others_.total())));
        --left_[document];
        if (depth_ == 0)
            others_.add(document, -1);
        else
            to_front(document, inside ? place : stack_.size());
        return document;
    }

  private:
    std::size_t place_of(double share) const
    {
        return static_cast<std::size_t>(std::upper_bound(shares_.begin(), shares_.end(), share) - shares_.begin());
    }

    void to_front(std::uint32_t document, std::size_t place)
    {
        if (place == stack_.size()) {
            others_.add(document, -static_cast<std::int64_t>(left_[document]) - 1);
            stack_.push_back(document);
        }
        const auto at = stack_.begin() + static_cast<std::ptrdiff_t>(place);
        if (left_[document] == 0) {
            stack_.erase(at);
            return;
        }
        std::rotate(stack_.begin(), at, at + 1);
        if (stack_.size() <= depth_) return;
        others_.add(stack_.back(), left_[stack_.back()]);
        stack_.pop_back();
    }

    std::size_t depth_;
    std::vector<double> shares_;  // of requests for the first places, cumulated
    std::vector<std::uint32_t> stack_;
    Urn others_;
    std::vector<std::uint32_t> left_;  // requests
};

}  // namespace

std::vector<std::uint32_t> references(const Parameters& given)
{
    const std::uint32_t count = repeated(given), once = given.documents - count;
    std::vector<double> weights(count);
    for (std::uint32_t i = 0; i < count; ++i) weights[i] = power_of(i + 1.0, -given.slope);
    const double least = kLeast * count, wanted = std::max(least, static_cast<double>(given.requests) - once);
    const double scale = wanted > least ? scale_for(weights, wanted) : 0;
    std::vector<std::uint32_t> all(given.documents, 1), order(count);
    std::uint64_t left = static_cast<std::uint64_t>(wanted);
    for (std::uint32_t i = 0; i < count; ++i) {
        weights[i] = std::max(kLeast, scale * weights[i]);
        all[i] = static_cast<std::uint32_t>(weights[i]);
        weights[i] -= all[i];
        left -= std::min<std::uint64_t>(left, all[i]);
    }
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return weights[a] != weights[b] ? weights[a] > weights[b] : a < b; });
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(left, count); ++i) ++all[order[i]];
    return all;
}

std::vector<std::uint32_t> sequence(const Parameters& given)
{
    const std::vector<std::uint32_t> wanted = references(given);
    std::vector<std::uint32_t> requests(std::accumulate(wanted.begin(), wanted.end(), std::uint64_t{0}));
    Stack stack(given, wanted);
    for (std::uint64_t i = 0; i < requests.size(); ++i)
        requests[i] = stack.next(Draws(given.seed, 0, Purpose::choice, kSequence, i));
    return requests;
}

// Of two normal variables with the correlation r Spearman's is 6 / pi asin(r / 2): one stands for the popularity, and
// the sizes take the order of the other.
void correlate(const Parameters& given, std::vector<std::uint64_t>& sizes)
{
    if (given.correlation == 0) return;
    constexpr double kPi = 3.14159265358979323846;
    const auto count = static_cast<std::uint32_t>(sizes.size());
    const double r = std::clamp(2 * sine(kPi / 6 * given.correlation), -1.0, 1.0), rest = std::sqrt(1 - r * r);
    std::vector<double> scores(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double share = 1 - Draws(given.seed, i, Purpose::choice, kOrder, 0).unit();
        scores[i] = r * normal_quantile(1 - (i + 0.5) / count) + rest * normal_quantile(std::min(share, 1 - 0x1p-53));
    }
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(),
              [&](auto a, auto b) { return scores[a] != scores[b] ? scores[a] < scores[b] : a < b; });
    std::sort(sizes.begin(), sizes.end());
    std::vector<std::uint64_t> placed(count);
    for (std::uint32_t i = 0; i < count; ++i) placed[order[i]] = sizes[i];
    sizes = std::move(placed);
}

}  // namespace anml::rt::prowgen
