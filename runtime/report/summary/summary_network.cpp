// What the network did with packets: routers, buffers, air and links.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "abi/records.h"
#include "report/live/live_report.h"
#include "report/quantity.h"
#include "report/summary/summary_lines.h"

namespace anml::rt::summary {

namespace {

// Figures that are 0 are left out.
std::string counted(const std::vector<std::pair<std::string_view, std::uint64_t>>& figures)
{
    std::string text;
    for (const auto& [what, count] : figures)
        if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    return text;
}

// "home[3].box" as "home[*].box": those of a declaration do the same job.
std::string without_indices(const std::string& name)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        text += name[i];
        if (name[i] != '[') continue;
        text += "*";
        while (i + 1 < name.size() && name[i + 1] != ']') ++i;
    }
    return text;
}

// How the discipline of a link that drops packets before its queue is full is called; empty: none does.
std::string_view early_dropper(const Model& model, LinkId link)
{
    const abi::Image& image = model.image();
    const abi::LinkRow& row = image.link_rows[model.link_row_of(link)];
    const std::uint32_t discipline = row.discipline[(link - row.first_link) & 1];
    if (discipline == abi::kNone) return {};
    switch (abi::schema_of(image, discipline)) {
        case abi::RecordSchema::red:
            return "RED";
        case abi::RecordSchema::pie:
            return "PIE";
        case abi::RecordSchema::codel:
            return "CoDel";
        case abi::RecordSchema::fq_codel:
            return "FQ-CoDel";
        case abi::RecordSchema::threshold:
            return model.value(abi::row_of<abi::record::threshold>(image, discipline).drop_others) != 0 ? "a threshold"
                                                                                                        : "";
        default:
            return {};
    }
}

// "30 queue full, 12 by queues with CoDel": what such a queue drops it says no reason for, of each packet.
void add_queue_drops(const Model& model, const Statistics& s,
                     const std::function<void(std::uint64_t, std::string_view)>& cause)
{
    std::map<std::string_view, std::uint64_t> early;
    std::uint64_t full = s.dropped.queue;
    for (const LinkCounters& link : s.links) {
        if (link.dropped == 0) continue;
        const std::string_view name = early_dropper(model, link.link);
        if (name.empty()) continue;
        early[name] += link.dropped;
        full -= std::min(full, link.dropped);
    }
    cause(full, "queue full");
    for (const auto& [name, count] : early) cause(count, fmt::format("by queues with {}", name));
}

}  // namespace

// Three of each declaration, the others of it together; of each one's back ends six.
void add_middleboxes(Lines& lines, const Model& model, const std::vector<MiddleboxCounters>& middleboxes)
{
    constexpr std::size_t kShown = 3, kBackEnds = 6;
    const auto add = [&](const std::string& name, const MiddleboxCounters& box, std::string_view of) {
        const std::string text = counted(box.figures);
        if (!text.empty()) lines.add(name, fmt::format("{}{}: {}", abi::record_layout(box.schema).name, of, text));
    };
    std::map<std::string, std::size_t> seen;
    std::map<std::string, MiddleboxCounters> others;
    for (const MiddleboxCounters& box : middleboxes) {
        const std::string declared = without_indices(model.node_name(box.node));
        if (++seen[declared] <= kShown) {
            add(model.node_name(box.node), box, "");
            for (std::size_t i = 0; i < std::min(box.back_ends.size(), kBackEnds); ++i)
                lines.add(fmt::format("  to {}", model.node_name(box.back_ends[i].node)),
                          box.back_ends[i].figures.front().second == 0 ? "nothing" : counted(box.back_ends[i].figures));
            if (box.back_ends.size() > kBackEnds)
                lines.add(fmt::format("  to {} others", box.back_ends.size() - kBackEnds), "see the results");
            continue;
        }
        MiddleboxCounters& sum = others.try_emplace(declared, MiddleboxCounters{0, box.schema, {}, {}}).first->second;
        sum.figures.resize(box.figures.size());
        for (std::size_t i = 0; i < box.figures.size(); ++i) {
            sum.figures[i].first = box.figures[i].first;
            sum.figures[i].second += box.figures[i].second;
        }
    }
    for (const auto& [declared, sum] : others)
        add(fmt::format("{} others", seen[declared] - kShown), sum, fmt::format("s `{}` together", declared));
}

// The three fullest. Where one has dropped nothing, its ports' own queues may have.
void add_buffers(Lines& lines, const Model& model, std::vector<BufferCounters> buffers,
                 const std::vector<LinkCounters>& links)
{
    constexpr std::size_t kShown = 3;
    const auto share = [](const BufferCounters& b) {
        return static_cast<double>(b.highest_bytes) / static_cast<double>(b.capacity_bytes);
    };
    std::sort(buffers.begin(), buffers.end(), [&](const BufferCounters& a, const BufferCounters& b) {
        return share(a) != share(b) ? share(a) > share(b) : a.node < b.node;
    });
    if (buffers.size() > kShown) buffers.resize(kShown);
    for (const BufferCounters& b : buffers) {
        std::uint64_t own = 0;
        for (const LinkCounters& link : links)
            if (b.dropped == 0 && link.dropped != 0 && model.near_end(link.link) == b.node) own += link.dropped;
        lines.add(model.node_name(b.node),
                  fmt::format("shared buffer: at most {} B of {} B in it ({}), {} dropped{}", b.highest_bytes, b.capacity_bytes,
                              percent(share(b)), b.dropped,
                              own == 0 ? "" : fmt::format("; its ports' own queues dropped {}", own)));
    }
}

// The three busiest.
void add_airs(Lines& lines, const Model& model, std::vector<AirCounters> airs, double seconds)
{
    constexpr std::size_t kShown = 3;
    std::sort(airs.begin(), airs.end(), [](const AirCounters& a, const AirCounters& b) {
        const auto most = [](const AirCounters& c) { return std::max({c.taken, c.taken_down, c.taken_up}); };
        return most(a) != most(b) ? most(a) > most(b) : a.node < b.node;
    });
    if (airs.size() > kShown) airs.resize(kShown);
    for (const AirCounters& a : airs) {
        if (a.transmissions == 0 || seconds <= 0) continue;
        const auto share = [&](Time time) { return percent(static_cast<double>(time) / kSecond / seconds); };
        std::string text;
        if (a.scheduled)
            text = fmt::format("slots taken for {} down, {} up; {}", share(a.taken_down), share(a.taken_up),
                               plural(a.transmissions, "transport block"));
        else
            text = fmt::format("air taken for {}; {}, {} collided", share(a.taken),
                               plural(a.transmissions, "transmission"),
                               percent(static_cast<double>(a.collisions) / static_cast<double>(a.transmissions)));
        if (a.failed != 0)
            text += a.scheduled ? fmt::format(", {} of them failed; {} lost", a.failed, plural(a.lost, "packet"))
                                : fmt::format("; {} failed, {} lost", plural(a.failed, "packet"), a.lost);
        lines.add(model.node_name(a.node), text);
    }
}

void add_packets(Lines& lines, const Model& model, const RunInfo& run, const Statistics& s, const Figures& figures)
{
    std::string text = fmt::format("{} sent, {} lost", s.packets_sent, figures.packets_lost);
    if (figures.packet_loss) text += fmt::format(" ({})", percent(*figures.packet_loss));
    std::string causes;
    auto cause = [&](std::uint64_t count, std::string_view name) {
        if (count != 0) causes += fmt::format("{}{} {}", causes.empty() ? ": " : ", ", count, name);
    };
    add_queue_drops(model, s, cause);
    cause(s.dropped.ttl, "TTL expired");
    cause(s.dropped.mtu, "above the MTU");
    cause(s.dropped.no_route, "without a route");
    cause(s.dropped.link, "link down");
    cause(s.dropped.malformed, "malformed");
    cause(s.dropped.lost, "lost by links");
    cause(s.dropped.corrupted, "corrupted");
    cause(s.dropped.processing, "no processor was free");
    cause(s.dropped.middlebox, "stopped by middleboxes");
    std::string again = plural(s.retransmissions, "retransmission");
    if (run.real_time) {
        again +=
            fmt::format(" by virtual hosts, {} by real ones", run.real_time->counters.measured().host_retransmissions);
    }
    lines.add("packets", fmt::format("{}{}; {}", text, causes, again));
    if (s.icmp_withheld != 0) lines.add("", fmt::format("{} ICMP errors withheld by limits", s.icmp_withheld));
    if (s.dropped.unfragmented != 0) {
        lines.add("", fmt::format("{} of those above the MTU a router would have cut into fragments; a switch cannot",
                                  s.dropped.unfragmented));
    }
    if (s.fragmented != 0) lines.add("", fmt::format("{} cut into {} fragments", s.fragmented, s.fragments));
    if (const std::uint64_t incomplete = s.reassembly_timed_out + s.reassembly_no_room + s.reassembly_discarded;
        s.reassembled + incomplete != 0)
    {
        text = fmt::format("{} put together", plural(s.reassembled, "datagram"));
        causes.clear();
        cause(s.reassembly_timed_out, "given up incomplete");
        cause(s.reassembly_no_room, "refused without room");
        cause(s.reassembly_discarded, "overlapping or broken");
        lines.add("", text + causes);
    }
}

void add_links(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(figures.busiest.size(), kShown); ++i) {
        const LinkFigures& link = figures.busiest[i];
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", named(link.name, link.label), percent(link.utilisation));
        if (link.dropped != 0 && link.marked != 0)
            text += fmt::format(" ({} dropped, {} marked)", link.dropped, link.marked);
        else if (link.dropped != 0)
            text += fmt::format(" ({} dropped)", link.dropped);
        else if (link.marked != 0)
            text += fmt::format(" ({} marked)", link.marked);
    }
    if (!text.empty()) lines.add("busiest links", text);
    text.clear();
    for (std::size_t i = 0; i < std::min(figures.busiest.size(), kShown); ++i) {
        const LinkFigures& link = figures.busiest[i];
        if (link.longest_queue_delay.value_or(0) == 0) continue;
        text += fmt::format("{}{} {} on average, at most {}", text.empty() ? "" : "; ", named(link.name, link.label),
                            duration(*link.mean_queue_delay), duration(*link.longest_queue_delay));
    }
    if (!text.empty()) lines.add("queue delays", text);
}

void add_fluid_links(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(figures.fluid_links.size(), kShown); ++i) {
        const FluidLinkFigures& link = figures.fluid_links[i];
        text += fmt::format("{}{} {} fluid and {} packets", i == 0 ? "" : ", ", named(link.name, link.label),
                            percent(link.utilisation), percent(link.packet_utilisation));
        if (link.lost_share) text += fmt::format(" ({} of the fluid lost)", percent(*link.lost_share));
    }
    if (!text.empty()) lines.add("fluid on links", text);
}

void add_impaired(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < std::min(figures.impaired_arrays.size(), kShown); ++i) {
        const ImpairedLinkFigures& link = figures.impaired_arrays[i];
        std::string text;
        auto say = [&](std::uint64_t count, std::string_view name) {
            if (count == 0) return;
            text += fmt::format("{} {} {} ({})", text.empty() ? ":" : ",", count, name,
                                percent(static_cast<double>(count) / static_cast<double>(link.packets)));
        };
        say(link.lost, "lost");
        say(link.corrupted, "corrupted");
        say(link.duplicated, "duplicated");
        say(link.reordered, "reordered");
        lines.add(i == 0 ? "impairments" : "",
                  fmt::format("{}, {}{}{}", link.name, link.links > 1 ? plural(link.links, "link") + ", " : "",
                              plural(link.packets, "packet"), text));
    }
    if (figures.impaired_arrays.size() > kShown)
        lines.add("", fmt::format("and {} more, in the results file", figures.impaired_arrays.size() - kShown));
}

}  // namespace anml::rt::summary
