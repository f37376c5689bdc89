#include "common/regular_expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/ascii.h"

namespace anml {

namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
constexpr std::size_t kDeepest = 50;  // groups within each other
constexpr unsigned kMostTimes = 1000;

bool at_word_edge(std::string_view text, std::size_t at)
{
    return (at > 0 && in_word(text[at - 1])) != (at < text.size() && in_word(text[at]));
}

std::size_t byte(char c) { return static_cast<unsigned char>(c); }

std::size_t lowest(const std::bitset<256>& set)
{
    std::size_t c = 0;
    while (c < set.size() && !set[c]) ++c;
    return c;
}

}  // namespace

// Reads an expression and writes its steps behind each other; those of what is repeated, as often as that takes.
class RegularExpression::Parser {
  public:
    Parser(RegularExpression& made, std::string_view text, std::size_t group, bool any_case)
        : e_(made), text_(text), group_(group), any_case_(any_case)
    {
    }

    void whole()
    {
        alternatives(0);
        if (at_ < text_.size()) fail("a `)` has no `(`");
        add(Act::accept);
    }

  private:
    bool failed() const { return !e_.problem_.empty(); }
    void fail(std::string why)
    {
        if (e_.problem_.empty()) e_.problem_ = std::move(why);
        at_ = text_.size();
    }
    bool take(std::string_view what)
    {
        if (!text_.substr(at_).starts_with(what)) return false;
        at_ += what.size();
        return true;
    }
    std::uint32_t here() const { return static_cast<std::uint32_t>(e_.steps_.size()); }
    std::uint32_t add(Act act, std::uint32_t a = 0, std::uint32_t b = 0)
    {
        if (e_.steps_.size() >= kMostSteps) fail(fmt::format("it has more than {} steps: repeat less", kMostSteps));
        e_.steps_.push_back({act, a, b});
        return here() - 1;
    }

    void alternatives(std::size_t depth)
    {
        if (depth > kDeepest) return fail(fmt::format("groups are more than {} deep", kDeepest));
        std::vector<std::uint32_t> ends;
        while (true) {
            // A split before an alternative is put in when a `|` is behind it.
            const std::uint32_t begin = here();
            while (at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')') repeated(depth);
            if (!take("|")) break;
            open_at(begin);
            ends.push_back(add(Act::jump));
            if (failed()) return;
            e_.steps_[begin] = {Act::split, begin + 1, here()};
        }
        for (const std::uint32_t end : ends) e_.steps_[end].a = here();
    }

    // Makes room for a step there: what lies behind it moves by one.
    void open_at(std::uint32_t place)
    {
        add(Act::jump);
        if (failed()) return;
        for (std::uint32_t i = here() - 1; i > place; --i) e_.steps_[i] = e_.steps_[i - 1];
        for (std::uint32_t i = place + 1; i < here(); ++i) {
            Step& step = e_.steps_[i];
            if (step.act != Act::split && step.act != Act::jump) continue;
            step.a += step.a >= place;
            step.b += step.b >= place;
        }
    }

    struct Times {
        unsigned least, most;  // 0: any number
    };
    std::optional<Times> times()
    {
        if (take("*")) return Times{0, 0};
        if (take("+")) return Times{1, 0};
        if (take("?")) return Times{0, 1};
        if (at_ >= text_.size() || text_[at_] != '{') return std::nullopt;
        const std::size_t begin = at_++;
        const auto number = [&]() -> std::optional<unsigned> {
            unsigned value = 0;
            const std::size_t first = at_;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                value = std::min(value * 10 + static_cast<unsigned>(text_[at_] - '0'), kMostTimes + 1);
            return at_ == first ? std::nullopt : std::optional(value);
        };
        const auto least = number();
        std::optional<unsigned> most = least;
        const bool comma = least && take(",");
        if (comma) most = number();
        if (!least || !take("}")) {  // a brace that says nothing of numbers is a character
            at_ = begin;
            return std::nullopt;
        }
        if (*least > kMostTimes || most.value_or(0) > kMostTimes)
            fail(fmt::format("nothing is repeated more than {} times", kMostTimes));
        else if (most && *most < *least)
            fail("a repetition has less at most than at least");
        else if (most && *most == 0)
            fail("a repetition of none fits nothing");
        return Times{*least, comma && !most ? 0 : *most};
    }

    void repeated(std::size_t depth)
    {
        const std::uint32_t begin = here();
        one(depth);
        const auto given = times();
        if (!given || failed()) return;
        if (empty_) return fail("what is repeated is a place and no text");
        const bool shortest = take("?");
        if (at_ < text_.size() && std::string_view("*+?").find(text_[at_]) != std::string_view::npos)
            return fail("a repetition is repeated: put it in parentheses");
        const std::vector<Step> once(e_.steps_.begin() + begin, e_.steps_.end());
        e_.steps_.resize(begin);
        const auto again = [&] {
            const std::uint32_t by = here() - begin;
            for (const Step& step : once) {
                const std::uint32_t moves = step.act == Act::split || step.act == Act::jump ? by : 0;
                add(step.act, step.a + moves, step.b + moves);
            }
        };
        const auto choose = [&](std::uint32_t split) {
            e_.steps_[split] = shortest ? Step{Act::split, here(), split + 1} : Step{Act::split, split + 1, here()};
        };
        std::vector<std::uint32_t> splits;
        // `x*` is `(?:x+)?`: an x that may be empty is tried once at each place.
        if (given->most == 0 && given->least == 0) splits.push_back(add(Act::split));
        for (unsigned i = 0; i < std::max(given->least, given->most == 0 ? 1u : 0u) && !failed(); ++i) again();
        if (given->most == 0) {
            const std::uint32_t first = here() - static_cast<std::uint32_t>(once.size()), split = add(Act::split);
            e_.steps_[split] = shortest ? Step{Act::split, here(), first} : Step{Act::split, first, here()};
        }
        for (unsigned i = given->least; i < given->most && !failed(); ++i) {
            splits.push_back(add(Act::split));
            again();
        }
        for (const std::uint32_t split : splits) choose(split);
    }

    void one(std::size_t depth)
    {
        empty_ = false;
        const char c = text_[at_++];
        switch (c) {
            case '(': return group(depth);
            case '[': return bracket();
            case '.': return add_set(~Set().set(byte('\n')));
            case '^': return place(Act::text_begin);
            case '$': return place(Act::text_end);
            case '*':
            case '+':
            case '?': return fail(fmt::format("`{}` has nothing before it to repeat", c));
            case '\\': {
                if (at_ < text_.size() && (text_[at_] == 'b' || text_[at_] == 'B'))
                    return place(text_[at_++] == 'b' ? Act::word_edge : Act::no_word_edge);
                return add_set(escaped());
            }
            default: {
                // A character of several bytes is repeated as a whole.
                add_set(Set().set(byte(c)));
                if (byte(c) >= 0xc0)
                    while (at_ < text_.size() && (byte(text_[at_]) & 0xc0) == 0x80)
                        add_set(Set().set(byte(text_[at_++])));
            }
        }
    }

    void place(Act act)
    {
        add(act);
        empty_ = true;
    }

    void group(std::size_t depth)
    {
        const bool captures = !take("?:");
        if (captures && take("?"))
            return fail("of groups that begin with `(?` there is `(?:` alone: back references, and what looks ahead or "
                        "behind, have no bound");
        const bool wanted = captures && ++e_.groups_ == group_;
        if (wanted) add(Act::begin);
        alternatives(depth + 1);
        if (failed()) return;
        if (!take(")")) return fail("a `(` has no `)`");
        if (wanted) add(Act::end);
        empty_ = false;
    }

    void add_set(Set set)
    {
        if (any_case_)
            for (char c = 'a'; c <= 'z'; ++c)
                if (const char upper = static_cast<char>(c - 'a' + 'A'); set[byte(c)] || set[byte(upper)])
                    set.set(byte(c)).set(byte(upper));
        const auto same = std::ranges::find(e_.sets_, set);
        const auto number = static_cast<std::uint32_t>(same - e_.sets_.begin());
        if (same == e_.sets_.end()) e_.sets_.push_back(set);
        add(Act::set, number);
    }

    static Set of(std::string_view ranges)
    {
        Set set;
        for (; !ranges.empty(); ranges.remove_prefix(2))
            for (std::size_t c = byte(ranges[0]); c <= byte(ranges[1]); ++c) set.set(c);
        return set;
    }

    // Behind a backslash.
    Set escaped()
    {
        if (at_ == text_.size()) {
            fail("nothing stands behind the last backslash");
            return {};
        }
        const char c = text_[at_++];
        switch (c) {
            case 'd': return of("09");
            case 'D': return ~of("09");
            case 'w': return of("09AZaz__");
            case 'W': return ~of("09AZaz__");
            case 's': return of("\t\r  ");
            case 'S': return ~of("\t\r  ");
            case 'n': return Set().set('\n');
            case 'r': return Set().set('\r');
            case 't': return Set().set('\t');
            case 'x': {
                const auto digit = [&]() -> std::size_t {
                    const std::string_view all = "0123456789abcdef";
                    return at_ < text_.size() ? all.find(static_cast<char>(text_[at_++] | 0x20)) : all.npos;
                };
                const std::size_t high = digit(), low = digit();
                if (high < 16 && low < 16) return Set().set(high * 16 + low);
                fail("`\\x` has two hexadecimal digits behind it");
                return {};
            }
            default: break;
        }
        if (c >= '1' && c <= '9')
            fail("what a group has found cannot be asked for again: back references have no bound");
        else if (in_word(c))
            fail(fmt::format("`\\{}` means nothing: of letters there are b, B, d, D, n, r, s, S, t, w, W and x", c));
        return Set().set(byte(c));
    }

    void bracket()
    {
        const bool others = take("^");
        Set set;
        for (bool first = true; first || (at_ < text_.size() && text_[at_] != ']'); first = false) {
            if (at_ >= text_.size()) return fail("a `[` has no `]`");
            const auto [from, several] = member();
            if (failed()) return;
            if (several || !text_.substr(at_).starts_with('-') || text_.substr(at_).starts_with("-]")) {
                set |= from;
                continue;
            }
            ++at_;
            if (at_ >= text_.size()) return fail("a `[` has no `]`");
            const auto [to, many] = member();
            if (failed()) return;
            const std::size_t low = lowest(from), high = lowest(to);
            if (many || high < low) return fail("a range goes from a character to a later one");
            for (std::size_t c = low; c <= high; ++c) set.set(c);
        }
        if (!take("]")) return fail("a `[` has no `]`");
        add_set(others ? ~set : set);
    }

    struct Member {
        Set set;
        bool several;
    };
    Member member()
    {
        const char c = text_[at_++];
        if (byte(c) >= 0x80) fail("in `[ ]` stand ASCII characters: others have several bytes");
        if (c != '\\') return {Set().set(byte(c)), false};
        const Set set = escaped();
        return {set, set.count() != 1};
    }

    RegularExpression& e_;
    std::string_view text_;
    std::size_t group_, at_ = 0;
    bool any_case_, empty_ = false;
};

RegularExpression::RegularExpression(std::string_view written, std::size_t group) : written_(written), group_(group)
{
    const std::size_t end = written.rfind('/');
    const std::string_view flags = written.substr(std::min(end, written.size() - 1) + 1);
    if (!written.starts_with('/') || end < 2 || end == written.npos) {
        problem_ = "an expression stands between slashes: `/id=([0-9]+)/`";
        return;
    }
    if (flags != "" && flags != "i") {
        problem_ = fmt::format("`{}` behind the expression is not `i`, for any case, which alone may stand there",
                               flags);
        return;
    }
    Parser(*this, written.substr(1, end - 1), group, flags == "i").whole();
    if (problem_.empty() && group > groups_)
        problem_ = groups_ == 0 ? "it has no group in parentheses: `[0]` is all of it"
                                : fmt::format("it has {} group{} in parentheses", groups_, groups_ == 1 ? "" : "s");
    if (!problem_.empty()) return;
    anchored_ = steps_.front().act == Act::text_begin;
    // What all ways begin with: up to where they part.
    for (const Step& step : steps_) {
        if (step.act == Act::begin || step.act == Act::end) continue;
        if (step.act != Act::set || sets_[step.a].count() != 1) break;
        prefix_ += static_cast<char>(lowest(sets_[step.a]));
    }
    now_.reserve(steps_.size());
    next_.reserve(steps_.size());
    stack_.reserve(steps_.size() + 2);
    seen_.resize(steps_.size());
}

// Adds the steps that read a byte, or accept, and that are reached from there without one, in the order of preference.
void RegularExpression::follow(std::vector<Way>& ways, Way from, std::string_view text, std::size_t at)
{
    stack_.assign(1, from);
    while (!stack_.empty()) {
        Way way = stack_.back();
        stack_.pop_back();
        while (seen_[way.step] != at + 1) {
            seen_[way.step] = at + 1;
            const Step& step = steps_[way.step];
            std::uint32_t next = way.step + 1;
            bool goes_on = true;
            switch (step.act) {
                case Act::set:
                case Act::accept: ways.push_back(way); goes_on = false; break;
                case Act::split:
                    stack_.push_back({step.b, way.capture});
                    next = step.a;
                    break;
                case Act::jump: next = step.a; break;
                case Act::begin: way.capture.begin = at; break;
                case Act::end: way.capture.end = at; break;
                case Act::text_begin: goes_on = at == 0; break;
                case Act::text_end: goes_on = at == text.size(); break;
                case Act::word_edge: goes_on = at_word_edge(text, at); break;
                case Act::no_word_edge: goes_on = !at_word_edge(text, at); break;
            }
            if (!goes_on) break;
            way.step = next;
        }
    }
}

bool RegularExpression::run(std::string_view text, Capture& found)
{
    if (steps_.empty()) return false;
    std::ranges::fill(seen_, 0);
    now_.clear();
    bool any = false;
    for (std::size_t at = 0;; ++at) {
        if (now_.empty()) {
            if (any || (anchored_ && at > 0)) break;
            if (!prefix_.empty()) at = text.find(prefix_, at);
            if (at == text.npos) break;
        }
        // A later beginning counts less than what has begun.
        if (!any) follow(now_, {0, {at, at, kNowhere, kNowhere}}, text, at);
        next_.clear();
        for (const Way& way : now_) {
            const Step& step = steps_[way.step];
            if (step.act == Act::accept) {
                found = way.capture;
                found.whole_end = at;
                any = true;
                break;  // what is less preferred does not count
            }
            if (at < text.size() && sets_[step.a][byte(text[at])])
                follow(next_, {way.step + 1, way.capture}, text, at + 1);
        }
        std::swap(now_, next_);
        if (at >= text.size()) break;
    }
    return any;
}

bool RegularExpression::fits(std::string_view text)
{
    Capture found{};
    return run(text, found);
}

std::optional<std::string_view> RegularExpression::find(std::string_view text)
{
    Capture found{};
    if (!run(text, found)) return std::nullopt;
    if (group_ == 0) return text.substr(found.whole_begin, found.whole_end - found.whole_begin);
    if (found.end == kNowhere) return std::nullopt;
    return text.substr(found.begin, found.end - found.begin);
}

}  // namespace anml
