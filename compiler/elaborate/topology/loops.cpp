// `for`: over whole numbers, or over what a list or a selection contains, as long as `while` says.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// False: the loop ends.
bool iterate(Elaboration& in, const ForStatement& s, const Statement& at, Value element, std::int64_t number,
             Frame& frame)
{
    if (in.steps > kMaxSteps || s.body.empty()) return false;
    frame.slots[s.slot] = std::move(element);
    if (s.condition) {
        if (!step(in, at)) return false;
        const auto goes_on = shape(in, s.condition, frame, "the `while` of a loop");
        in.skipped = in.skipped || !goes_on;
        if (!goes_on || *goes_on == 0) return false;
    }
    in.report.rounds.push_back({at.span, &s, &frame, number});
    execute(in, s.body, frame);
    in.report.rounds.pop_back();
    return true;
}

}  // namespace

void loop(Elaboration& in, const ForStatement& s, const Statement& at, Frame& frame)
{
    if (s.over) {
        const Value over = evaluate(in, s.over, frame);
        in.skipped = in.skipped || over.failed();
        for (const Member& m : over.failed() && in.component ? in.component->numbered : std::vector<Member>{})
            frame.slots[m.slot] = {Failed{}};  // what it would have made is missing
        if (!within_budget(in, count_of(over), at.span, "the loop runs")) return;
        std::int64_t number = 0;
        const auto keys = keys_in(in.program, over, in.program.expr(s.over).type);
        for (Value& element : elements(over)) {
            if (s.number_slot != abi::kNone)
                frame.slots[s.number_slot] = number_or_key(in.network.values, keys.get(), number);
            if (!iterate(in, s, at, std::move(element), number++, frame)) return;
        }
        return;
    }
    const auto low = shape(in, s.range.low, frame, "the loop"), high = shape(in, s.range.high, frame, "the loop");
    if (!low || !high) {
        in.skipped = true;
        return;
    }
    if (!s.condition && *high > *low &&
        static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low) > kMaxSteps)
    {
        within_budget(in, kMaxSteps + 1, at.span, "the loop runs");
        return;
    }
    for (std::int64_t i = *low; s.range.half_open ? i < *high : i <= *high; ++i)
        if (!iterate(in, s, at, {Number{in.constant(static_cast<double>(i))}}, i, frame)) return;
}

// In a loop each once: the same index is wrong wherever it is used.
void report_index(Elaboration& in, Span place, std::string message, std::int64_t index, std::size_t size, bool grows)
{
    const ForStatement* loop = in.report.rounds.empty() ? nullptr : in.report.rounds.back().statement;
    if (loop && !in.reported_indices.emplace(loop, message).second) return;
    auto said = in.report(Diag::index_out_of_range, place, std::move(message));
    if (index < 0 && size > 0)
        said.help(fmt::format("the last element is `x[{}]`, or `x[len(x) - 1]` of any size", size - 1));
    if (loop && grows) {
        said.help("the elements of later rounds are not made yet: name them in a loop behind this one");
        return;
    }
    const bool through_end = std::any_of(in.report.rounds.begin(), in.report.rounds.end(), [&](const Round& round) {
        return !round.statement->over && !round.statement->range.half_open && round.number == index;
    });
    if (through_end && size > 0 && index == static_cast<std::int64_t>(size))
        said.help(fmt::format("`..` includes its end: `0 ..< {}` ends with {}", size, size - 1));
    else if (loop && !loop->over && size > 0 && index == static_cast<std::int64_t>(size) &&
             in.report.rounds.back().number + 1 == index)
        said.help(
            fmt::format("the last round has no next element: a loop over `0 ..< {}` ends before it; in a ring "
                        "the first follows, `(i + 1) % {}`",
                        size - 1, size));
}

}  // namespace anml
