#include "analysis/analyze/paths.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>

namespace anml {
namespace {

// The ways to one destination, as a graph without loops, and what flows on it.
class Sweep {
  public:
    explicit Sweep(const Places& places) : places_(places), at_(places.places().size()) {}

    void run(std::uint32_t destination)
    {
        destination_ = destination;
        address_ = places_.address(destination);
        for (const std::uint32_t place : order_) at_[place] = {};
        for (const std::uint32_t place : lost_) at_[place] = {};
        order_.clear();
        lost_.clear();
        hops_.clear();
        At& end = at_[destination];
        end = {};
        end.state = State::reaches;
        end.figures.hops = 0;
        order_.push_back(destination);
    }

    // Of `place`, towards the destination; visits what has not been visited.
    const PathFigures& figures(std::uint32_t place)
    {
        if (at_[place].state == State::unseen) visit(place);
        return at_[place].figures;
    }

    // Of the second element of the destination's place towards the first.
    PathFigures twin()
    {
        twin_hops_.clear();
        places_.next_hops(destination_, places_.places()[destination_].element + 1, address_, twin_hops_);
        PathFigures figures;
        for (const Places::Hop& hop : twin_hops_) {
            if (!this->figures(hop.place).reached()) return {};
            extend(figures, hop);
        }
        return figures;
    }

    void add(std::uint32_t place, double flow) { at_[place].flow += flow; }
    void add_twin(double flow, double per_link, std::vector<double>& load)
    {
        const auto ways = static_cast<double>(twin_hops_.size());
        for (const Places::Hop& hop : twin_hops_) {
            load[hop.slot] += per_link / ways;
            at_[hop.place].flow += flow / ways;
        }
    }

    // Moves what was added on to the destination. The load of a link is that of all destinations in the place.
    void carry(std::vector<double>& load)
    {
        const double destinations = places_.places()[destination_].count;
        for (auto place = order_.rbegin(); place != order_.rend(); ++place) {
            const At& at = at_[*place];
            if (at.flow == 0 || *place == destination_) continue;
            const double share = at.flow / at.hop_count;
            for (std::uint32_t i = at.first_hop; i < at.first_hop + at.hop_count; ++i) {
                const Places::Hop& hop = hops_[i];
                at_[hop.place].flow += share;
                const bool last = hop.place == destination_;
                load[hop.slot] += share / places_.places()[*place].count * (last ? 1 : destinations);
            }
        }
    }

  private:
    enum class State : std::uint8_t { unseen, entered, reaches, lost };
    struct At {
        State state = State::unseen;
        std::uint32_t first_hop = 0, hop_count = 0;
        double flow = 0;
        PathFigures figures;
    };

    void extend(PathFigures& figures, const Places::Hop& hop) const
    {
        const PathFigures& rest = at_[hop.place].figures;
        const Slot& slot = places_.slots()[hop.slot];
        const bool first = !figures.reached();
        figures.hops = first ? rest.hops + 1 : std::max(figures.hops, rest.hops + 1);
        figures.delay = std::max(figures.delay, slot.delay + rest.delay);
        const bool here = rest.bottleneck == Places::kNone || slot.rate <= places_.slots()[rest.bottleneck].rate;
        const std::uint32_t lowest = here ? hop.slot : rest.bottleneck;
        if (first || places_.slots()[lowest].rate < places_.slots()[figures.bottleneck].rate)
            figures.bottleneck = lowest;
    }

    void enter(std::uint32_t place)
    {
        At& at = at_[place];
        at.state = State::entered;
        at.first_hop = static_cast<std::uint32_t>(hops_.size());
        places_.next_hops(place, places_.places()[place].element, address_, hops_);
        at.hop_count = static_cast<std::uint32_t>(hops_.size()) - at.first_hop;
        stack_.push_back({place, 0});
    }

    // Depth first: a place is finished once all that it sends to are.
    void visit(std::uint32_t start)
    {
        enter(start);
        while (!stack_.empty()) {
            const std::uint32_t place = stack_.back().place;
            At& at = at_[place];
            if (stack_.back().next < at.hop_count) {
                const std::uint32_t to = hops_[at.first_hop + stack_.back().next++].place;
                if (at_[to].state == State::unseen) enter(to);
                continue;
            }
            stack_.pop_back();
            bool good = at.hop_count > 0;
            for (std::uint32_t i = at.first_hop; good && i < at.first_hop + at.hop_count; ++i) {
                good = at_[hops_[i].place].state == State::reaches;  // entered: it is a loop
                if (good) extend(at.figures, hops_[i]);
            }
            if (!good) at.figures = {};
            at.state = good ? State::reaches : State::lost;
            (good ? order_ : lost_).push_back(place);
        }
    }

    const Places& places_;
    std::uint32_t destination_ = 0, address_ = 0;
    std::vector<At> at_;
    std::vector<std::uint32_t> order_, lost_;  // visited; those that reach the destination after all that they send to
    std::vector<Places::Hop> hops_, twin_hops_;
    struct Open {
        std::uint32_t place, next;
    };
    std::vector<Open> stack_;
};

class Analysis {
  public:
    Analysis(const Places& places, const PairDemand& demand) : places_(places), demand_(demand) {}

    PathAnalysis run()
    {
        const std::size_t count = places_.terminals().size();
        if (count * count <= PathAnalysis::kMostPairs) pairs_.resize(count * count);
        // A fixed number of parts, added up in their order, so that sums are rounded alike on every machine.
        const std::size_t parts = std::min<std::size_t>(count, 16);
        std::vector<PathAnalysis> sums(parts);
        tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
            PathAnalysis& sum = sums[part];
            sum.load.resize(places_.slots().size());
            sum.bottleneck_pairs.resize(places_.slots().size());
            Sweep sweep(places_);
            for (std::size_t to = count * part / parts; to < count * (part + 1) / parts; ++to)
                add_destination(sweep, static_cast<std::uint32_t>(to), sum);
        });
        PathAnalysis all;
        all.load.resize(places_.slots().size());
        all.bottleneck_pairs.resize(places_.slots().size());
        for (const PathAnalysis& sum : sums) {
            for (std::size_t slot = 0; slot < all.load.size(); ++slot) {
                all.load[slot] += sum.load[slot];
                all.bottleneck_pairs[slot] += sum.bottleneck_pairs[slot];
            }
            all.unreached += sum.unreached;
            all.undelivered += sum.undelivered;
            all.demand += sum.demand;
        }
        all.pairs = std::move(pairs_);
        return all;
    }

  private:
    void add_destination(Sweep& sweep, std::uint32_t to, PathAnalysis& sum)
    {
        const std::vector<std::uint32_t>& terminals = places_.terminals();
        const double destinations = places_.places()[terminals[to]].count;
        sweep.run(terminals[to]);
        for (std::uint32_t from = 0; from < terminals.size(); ++from) {
            const bool same = from == to;
            if (same && destinations == 1) continue;
            const PathFigures figures = same ? sweep.twin() : sweep.figures(terminals[from]);
            const double senders = same ? destinations - 1 : places_.places()[terminals[from]].count;
            const double each = demand_(from, to), pairs = senders * destinations;
            sum.demand += each * pairs;
            if (!pairs_.empty()) pairs_[from * terminals.size() + to] = figures;
            if (!figures.reached()) {
                sum.unreached += pairs;
                sum.undelivered += each * pairs;
                continue;
            }
            sum.bottleneck_pairs[figures.bottleneck] += pairs;
            if (each == 0) continue;
            if (same)
                sweep.add_twin(each * senders, each * senders, sum.load);
            else
                sweep.add(terminals[from], each * senders);
        }
        sweep.carry(sum.load);
    }

    const Places& places_;
    const PairDemand& demand_;
    std::vector<PathFigures> pairs_;
};

}  // namespace

PathAnalysis analyze_paths(const Places& places, const PairDemand& demand) { return Analysis(places, demand).run(); }

}  // namespace anml
