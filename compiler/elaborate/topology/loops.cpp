// `for`: over whole numbers, or over what a list or a selection contains, as long as `while` says.
#include <fmt/format.h>

#include <utility>

#include "elaborate/elaborator.h"

namespace anml {

void Elaborator::loop(const ForStatement& s, const Statement& at, Frame& frame)
{
    if (s.over) {
        const Value over = evaluate(s.over, frame);
        skipped_ = skipped_ || over.failed();
        for (const Member& m : over.failed() && component_ ? component_->numbered : std::vector<Member>{})
            frame.slots[m.slot] = {Failed{}};  // what it would have made is missing
        if (!within_budget(count_of(over), at.span, "the loop runs")) return;
        std::int64_t number = 0;
        const auto keys = keys_in(over, program_.expr(s.over).type);
        for (Value& element : elements(over)) {
            if (s.number_slot != abi::kNone) frame.slots[s.number_slot] = number_or_key(keys.get(), number);
            if (!iterate(s, at, std::move(element), number++, frame)) return;
        }
        return;
    }
    const auto low = shape(s.range.low, frame, "the loop"), high = shape(s.range.high, frame, "the loop");
    if (!low || !high) {
        skipped_ = true;
        return;
    }
    if (!s.condition && *high > *low &&
        static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low) > kMaxSteps)
    {
        within_budget(kMaxSteps + 1, at.span, "the loop runs");
        return;
    }
    for (std::int64_t i = *low; s.range.half_open ? i < *high : i <= *high; ++i)
        if (!iterate(s, at, {Number{constant(static_cast<double>(i))}}, i, frame)) return;
}

// False: the loop ends.
bool Elaborator::iterate(const ForStatement& s, const Statement& at, Value element, std::int64_t number, Frame& frame)
{
    if (steps_ > kMaxSteps || s.body.empty()) return false;
    frame.slots[s.slot] = std::move(element);
    if (s.condition) {
        if (!step(at)) return false;
        const auto goes_on = shape(s.condition, frame, "the `while` of a loop");
        skipped_ = skipped_ || !goes_on;
        if (!goes_on || *goes_on == 0) return false;
    }
    rounds_.push_back({at.span, &s, &frame, number});
    execute(s.body, frame);
    rounds_.pop_back();
    return true;
}

// Which round it is: the number, and what a reader knows the element by.
std::string Elaborator::round_text(const Round& round) const
{
    const std::string said = fmt::format("in its round {}", round.number);
    const Value& element = round.frame->slots[round.statement->slot];
    if (const auto* text = element.as<std::string>()) return fmt::format("{}, \"{}\"", said, *text);
    if (const SchemaValue* row = element.schema())
        for (const Value& v : row->attributes)
            if (const auto* text = v.as<std::string>()) return fmt::format("{}, \"{}\"", said, *text);
    const auto* nodes = element.as<NodeSet>();
    if (nodes && nodes->size() == 1)
        return fmt::format("{}, `{}`", said,
                           network_.nodes[nodes->front().row.value].element_name(nodes->front().first));
    return said;
}

// In a loop each once: the same index is wrong wherever it is used.
void Elaborator::report_index(Span place, std::string message, std::int64_t index, std::size_t size, bool grows)
{
    const ForStatement* loop = rounds_.empty() ? nullptr : rounds_.back().statement;
    if (loop && !reported_indices_.emplace(loop, message).second) return;
    auto said = report(Diag::index_out_of_range, place, std::move(message));
    if (index < 0 && size > 0)
        said.help(fmt::format("the last element is `x[{}]`, or `x[len(x) - 1]` of any size", size - 1));
    if (loop && grows) {
        said.help("the elements of later rounds are not made yet: name them in a loop behind this one");
        return;
    }
    const bool through_end = loop && !loop->over && !loop->range.half_open;
    if (through_end && size > 0 && index == static_cast<std::int64_t>(size))
        said.help(fmt::format("`..` includes its end: `0 ..< {}` ends with {}", size, size - 1));
    else if (loop && !loop->over && size > 0 && index == static_cast<std::int64_t>(size) &&
             rounds_.back().number + 1 == index)
        said.help(fmt::format("the last round has no next element: a loop over `0 ..< {}` ends before it", size - 1));
}

}  // namespace anml
