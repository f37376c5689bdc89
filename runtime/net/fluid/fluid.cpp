#include "net/fluid/fluid.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "kernel/random.h"
#include "net/fluid/counts.h"
#include "net/net.h"
#include "net/timeline/route_changes.h"

namespace anml::rt::fluid {

namespace {

using Row = abi::record::background;

constexpr std::uint32_t kMostParts = 16;  // into which equal paths part the flows of a host
constexpr std::uint32_t kMostHops = 256;
constexpr std::uint16_t kFirstPort = 49152;

bool is_fluid(const abi::Image& image, std::uint32_t workload)
{
    return abi::schema_of(image, image.workloads[workload].record) == Row::kSchema;
}

// Bytes, and what else adds up, between two times, as far as they are measured.
double measured(Time from, Time until, const Window& window)
{
    return static_cast<double>(std::max<Time>(0, std::min(until, window.end) - std::max(from, window.begin)));
}

}  // namespace

bool Fluid::needed(const abi::Image& image)
{
    for (std::uint32_t w = 0; w < image.workload_count; ++w)
        if (is_fluid(image, w)) return true;
    return false;
}

Fluid::Fluid(const Model& model) : model_(model), index_(model.image().directed_links)
{
    const abi::Image& image = model.image();
    workloads_.resize(image.workload_count);
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        if (!is_fluid(image, w)) continue;
        const Row& row = abi::row_of<Row>(image, image.workloads[w].record);
        Workload& workload = workloads_[w];
        workload.flows = model.integer(row.flows);
        workload.rate = bytes_per_ns(model.value(row.flow_rate));
        workload.fill = model.value(row.fill);
        workload.burst = model.value(row.burst);
        workload.pause = model.value(row.pause);
        workload.step = workload.burst > 0 ? std::max<Time>(1, model.time(row.step)) : 0;
        workload.elastic = model.value(row.elastic) != 0;
    }
}

void Fluid::add(std::uint32_t workload, NodeId host, NodeId peer)
{
    classes_.push_back({workload, host, peer, 0, 1, workloads_[workload].flows, 0, false});
}

// Along the present tables. False: packets would not arrive. `parted`: other flows may take other ways.
bool Fluid::walk(const Class& flows, std::vector<LinkId>* way, bool* parted) const
{
    const Address to = model_.address(flows.peer);
    const Flow flow{model_.address(flows.host), to, protocol::udp, static_cast<std::uint16_t>(kFirstPort + flows.part),
                    0};
    if (parted) *parted = false;
    NodeId at = flows.host;
    for (std::uint32_t hops = 0; at != flows.peer; ++hops) {
        const abi::NodeRow& row = model_.node_row(at);
        const LinkId link = model_.route(tables_.data(), codes_.data(), row, at - row.first_node, to, seed_, [&] {
            if (parted) *parted = true;
            return flow;
        });
        if (link == kNone || hops == kMostHops) return false;
        if (way) way->push_back(link);
        at = model_.far_end(link);
    }
    return true;
}

// Flows that equal paths part are told apart by their ports, as packets are, so many at a time.
void Fluid::divide(std::uint32_t at, bool& parted)
{
    walk(classes_[at], nullptr, &parted);
    const Class all = classes_[at];
    const auto parts = static_cast<std::uint32_t>(std::min<std::uint64_t>(kMostParts, all.population));
    if (!parted || parts < 2) return;
    for (std::uint32_t part = 0; part < parts; ++part) {
        Class some = all;
        some.part = part;
        some.parts = parts;
        some.population = all.population / parts + (part < all.population % parts ? 1 : 0);
        if (part == 0)
            classes_[at] = some;
        else
            classes_.push_back(some);
    }
}

void Fluid::begin(std::uint64_t seed, Time now, Time origin, Window window,
                  const std::unique_ptr<const Timeline>& timeline, std::uint32_t clusters)
{
    const abi::Image& image = model_.image();
    seed_ = seed;
    origin_ = solved_ = origin;
    window_ = window;
    timeline_ = &timeline;
    clusters_ = clusters;
    const auto declared_tables = [&] {
        tables_.assign(image.tables, image.tables + image.table_count);
        codes_.assign(image.codes, image.codes + image.code_bytes);
    };
    declared_tables();
    // Epochs of routes may part what the first one does not.
    std::vector<LinkId> way;
    for (std::uint32_t epoch = 0;; ++epoch) {
        for (std::uint32_t i = 0, count = static_cast<std::uint32_t>(classes_.size()); i < count; ++i) {
            bool parted = false;
            if (classes_[i].parts == 1) divide(i, parted);
        }
        for (const Class& flows : classes_) {
            way.clear();
            walk(flows, &way, nullptr);
            for (const LinkId link : way) {
                if (index_[link] != 0) continue;
                ids_.push_back(link);
                index_[link] = static_cast<std::uint32_t>(ids_.size());
            }
        }
        if (epoch == image.epoch_count) break;
        change_tables(image, epoch, tables_, codes_);
    }
    if (image.epoch_count != 0) declared_tables();
    std::sort(classes_.begin(), classes_.end(), [](const Class& a, const Class& b) {
        return std::tie(a.workload, a.host, a.peer, a.part) < std::tie(b.workload, b.host, b.peer, b.part);
    });
    links_.resize(ids_.size());
    for (const LinkId id : ids_) {
        const abi::LinkRow& row = image.link_rows[model_.link_row_of(id)];
        declared_.push_back(bytes_per_ns(model_.value(row.rate[(id - row.first_link) & 1])));
    }
    for (FluidLink& link : links_) link.at = link.measured_at = now;
    problem_.capacity = declared_;
    find_ways();
    begun_ = true;
}

void Fluid::set_up(LinkId id, LinkState& state)
{
    FluidLink* const own = of(id);
    if (!own) return;
    own->line = state;
    state.decide_elsewhere();
}

void Fluid::find_ways()
{
    problem_.links.clear();
    problem_.demands.clear();
    problem_.fill.assign(ids_.size(), 1);
    std::vector<LinkId> way;
    for (Class& flows : classes_) {
        way.clear();
        flows.arrives = walk(flows, &way, nullptr);
        const Workload& workload = workloads_[flows.workload];
        const auto first = static_cast<std::uint32_t>(problem_.links.size());
        for (const LinkId id : way) {
            const std::uint32_t link = index_[id] - 1;
            problem_.links.push_back(link);
            if (workload.elastic) problem_.fill[link] = std::min(problem_.fill[link], workload.fill);
        }
        problem_.demands.push_back(
            {0, 0, workload.elastic, first, static_cast<std::uint32_t>(problem_.links.size()) - first});
    }
}

// What the timeline has done until `at`.
void Fluid::follow_timeline(Time at)
{
    const Timeline& timeline = **timeline_;
    if (timeline.empty()) return;
    bool other_routes = false;
    if (followed_ != &timeline) {  // another one, of the same past as far as routes are concerned
        other_routes = true;
        followed_ = &timeline;
        next_instant_ = 0;
        for (Workload& workload : workloads_) workload.behind = kEveryTurn, workload.pace = 1;
        const abi::Image& image = model_.image();
        tables_.assign(image.tables, image.tables + image.table_count);
        codes_.assign(image.codes, image.codes + image.code_bytes);
    }
    const Time passed = at - origin_;
    for (; next_instant_ < timeline.instants.size() && timeline.instants[next_instant_].time <= passed; ++next_instant_)
    {
        const Timeline::Instant& instant = timeline.instants[next_instant_];
        if (instant.epoch != abi::kNone) {
            change_tables(model_.image(), instant.epoch, tables_, codes_);
            other_routes = true;
        }
        for (std::uint32_t i = 0; i < instant.switches.count; ++i) {
            const Timeline::Switch& change = timeline.switches[instant.switches.first + i];
            workloads_[change.workload].behind = change.behind;
        }
        for (std::uint32_t i = 0; i < instant.paces.count; ++i) {
            const Timeline::Pace& change = timeline.paces[instant.paces.first + i];
            workloads_[change.workload].pace = change.value == Timeline::kDeclared ? 1 : change.value;
        }
    }
    if (other_routes) find_ways();
    for (const ChangingLink& link : timeline.links) {
        const auto after = std::partition_point(link.versions.begin(), link.versions.end(),
                                                [&](const LinkVersion& version) { return version.time <= passed; });
        const LinkVersion& version = after == link.versions.begin() ? *after : *(after - 1);
        for (std::uint32_t direction = 0; direction < 2; ++direction)
            if (const std::uint32_t index = index_[link.link + direction]; index != 0)
                problem_.capacity[index - 1] = version.up ? bytes_per_ns(version.rate[direction]) : 0;
    }
}

// How many send, at a step of the workload. Of those that go on and off each is a Markov chain, so that those that send
// at one step decide how many do at the next, by two binomial draws: exact at the steps, whatever their length. Those
// that come and go are a Poisson process with exponential lives.
void Fluid::draw_flows(Workload& workload, std::uint32_t number)
{
    const bool stays = workload.pause > 0, first = workload.steps == 0;
    const auto step = static_cast<double>(workload.step);
    const double on = stays ? workload.burst / (workload.burst + workload.pause) : 0;
    const double forgets = stays ? exponential_of(-step * (1 / workload.burst + 1 / workload.pause))
                                 : exponential_of(-step / workload.burst);
    const auto before = [&](std::uint32_t workloads) {
        return std::partition_point(classes_.begin(), classes_.end(),
                                    [&](const Class& flows) { return flows.workload < workloads; });
    };
    for (auto at = before(number), end = before(number + 1); at != end; ++at) {
        Class& flows = *at;
        Draws draws(seed_, flows.host, Purpose::fluid, number, workload.steps * kMostParts + flows.part);
        const auto unit = [&] { return draws.unit(); };
        const auto mean = static_cast<double>(flows.population);
        if (stays && first) {
            flows.sending = binomial(flows.population, on, unit);
        } else if (stays) {
            const std::uint64_t still = binomial(flows.sending, on + (1 - on) * forgets, unit);
            flows.sending = still + binomial(flows.population - flows.sending, on * (1 - forgets), unit);
        } else if (first) {
            flows.sending = poisson(mean, unit);
        } else {
            const std::uint64_t still = binomial(flows.sending, forgets, unit);
            flows.sending = still + poisson(mean * (1 - forgets), unit);
        }
    }
    ++workload.steps;
}

void Fluid::integrate(Workload& workload, Totals& totals, Time until) const
{
    const double time = measured(solved_, until, window_);
    totals.offered += workload.rates.offered * time;
    totals.carried += workload.rates.carried * time;
    totals.flows += workload.rates.flows * time;
}

const Fluid::Epoch& Fluid::solve_at(Time at)
{
    Epoch& epoch = epochs_.emplace_back();
    epoch.time = at;
    epoch.readers = clusters_;
    for (Workload& workload : workloads_) integrate(workload, workload.totals, at);
    solved_ = at;
    follow_timeline(at);
    for (std::uint32_t w = 0; w < workloads_.size(); ++w) {
        Workload& workload = workloads_[w];
        if (workload.step == 0) continue;
        if (at >= origin_ + static_cast<Time>(workload.steps) * workload.step) draw_flows(workload, w);
        epoch.next = std::min(epoch.next, origin_ + static_cast<Time>(workload.steps) * workload.step);
    }
    for (Workload& workload : workloads_) workload.rates = {};
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        const Class& flows = classes_[i];
        Workload& workload = workloads_[flows.workload];
        const bool on = Hosts{flows.workload, 0, workload.behind}.have(model_, flows.host) && workload.behind != 0;
        const std::uint64_t sending = workload.step == 0 ? flows.population : flows.sending;
        const double active = on && workload.pace > 0 ? static_cast<double>(sending) : 0;
        workload.rates.flows += active;
        // Elastic flows send what arrives.
        problem_.demands[i].flows = flows.arrives || !workload.elastic ? active : 0;
        problem_.demands[i].rate = workload.rate * workload.pace;
    }
    solve(problem_, solution_);
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        Totals& rates = workloads_[classes_[i].workload].rates;
        rates.offered += solution_.offered[i];
        if (classes_[i].arrives) rates.carried += solution_.carried[i];
    }
    epoch.inflow = solution_.inflow;
    return epoch;
}

void Fluid::advance_links(Net& k, Time at)
{
    for (const LinkId id : k.fluid_links) advance(*of(id), at, window_);
}

Time Fluid::apply(Net& k, Time at)
{
    if (!begun_) return kNever;
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = k.fluid_epochs++ - first_epoch_;
    const Epoch& epoch = number == epochs_.size() ? solve_at(at) : epochs_[number];
    assert(epoch.time == at);
    for (const LinkId id : k.fluid_links) {
        FluidLink& link = *of(id);
        set_inflow(link, epoch.inflow[index_[id] - 1]);
        const bool down = k.changes && k.changes->down(id);
        if (down != link.down) link.fraction = 0;
        link.down = down;
    }
    const Time next = epoch.next;
    --epochs_[number].readers;
    for (; !epochs_.empty() && epochs_.front().readers == 0; ++first_epoch_) epochs_.pop_front();
    return next;
}

Totals Fluid::totals(std::uint32_t workload, Time now) const
{
    Workload copy = workloads_[workload];
    integrate(copy, copy.totals, std::max(now, solved_));
    return copy.totals;
}

void Fluid::count(std::vector<LinkCounters>& counters, Time now) const
{
    const auto before = [](const LinkCounters& a, const LinkCounters& b) { return a.link < b.link; };
    const std::size_t known = counters.size();
    const auto end_of_known = [&] { return counters.begin() + static_cast<std::ptrdiff_t>(known); };
    for (const LinkId id : ids_) {
        FluidLink link = *of(id);
        advance(link, now, window_);
        LinkCounters own;
        own.link = id;
        const auto at = std::lower_bound(counters.begin(), end_of_known(), own, before);
        LinkCounters& counted = at != end_of_known() && at->link == id ? *at : counters.emplace_back(own);
        // Within the window; what the packets do not take of that is the fluid's.
        const double packets = std::min(link.packets_time, link.busy);
        counted.carried = 0;
        RareLinkCounters& rare = counted.rare.make();
        rare.transmitting = std::llround(packets);
        rare.fluid = FluidCounters{link.offered, link.lost, std::max(0.0, link.transmitted - link.packet_bytes),
                                   link.busy - packets};
    }
    std::sort(counters.begin(), counters.end(), before);
}

}  // namespace anml::rt::fluid

namespace anml::rt {

// A packet comes to a link that has fluid.
droptail::Admission Net::share_with_fluid(fluid::FluidLink& link, LinkId id, std::uint32_t length)
{
    fluid::advance(link, now, {counters.begin, counters.end});
    return fluid::admit(link, length, LinkDraws(seed, id, link.draws), measuring());
}

}  // namespace anml::rt
