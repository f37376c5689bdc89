// A recursive descent over the pattern makes an automaton of fragments whose loose end is one state; matching follows
// all its ways at once.
#include "base/pattern.h"

#include <algorithm>

namespace anml {
namespace {

constexpr std::size_t kMostStates = 10'000, kMostRepeats = 1000;
constexpr unsigned kDeepest = 100;

}  // namespace

class PatternParser {
  public:
    PatternParser(Pattern& pattern, std::string_view text) : pattern_(pattern), text_(text) {}

    void run()
    {
        const Fragment all = alternatives();
        if (ok() && at_ < text_.size()) fail("this `)` closes nothing");
        pattern_.start_ = all.first;
    }

  private:
    using State = Pattern::State;
    using Set = Pattern::Set;
    struct Fragment {
        std::uint32_t first = 0, last = 0;  // `last` is a state that goes nowhere yet
    };

    bool ok() const { return pattern_.problem.empty(); }
    bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
    void fail(std::string problem)
    {
        if (ok()) pattern_.problem = std::move(problem);
        at_ = text_.size();
    }
    std::uint32_t make(State state = {})
    {
        if (pattern_.states_.size() >= kMostStates) fail("the pattern is too long");
        pattern_.states_.push_back(state);
        return static_cast<std::uint32_t>(pattern_.states_.size() - 1);
    }
    State& state(std::uint32_t id) { return pattern_.states_[id]; }
    // A second way out of a state that has at most one.
    void join(std::uint32_t from, std::uint32_t to)
    {
        (state(from).next == State::kNone ? state(from).next : state(from).other) = to;
    }
    Fragment empty()
    {
        const std::uint32_t id = make();
        return {id, id};
    }

    Fragment alternatives()
    {
        if (++depth_ > kDeepest) fail("the pattern is nested too deep");
        Fragment all = sequence();
        while (ok() && next_is('|')) {
            ++at_;
            const Fragment other = sequence();
            const std::uint32_t first = make(), last = make();
            join(first, all.first);
            join(first, other.first);
            join(all.last, last);
            join(other.last, last);
            all = {first, last};
        }
        --depth_;
        return all;
    }

    Fragment sequence()
    {
        Fragment all = empty();
        while (ok() && at_ < text_.size() && text_[at_] != '|' && text_[at_] != ')') {
            const std::size_t begin = at_;
            Fragment one = atom();
            one = repeated(one, begin);
            join(all.last, one.first);
            all.last = one.last;
        }
        return all;
    }

    Fragment atom()
    {
        if (next_is('(')) {
            ++at_;
            const Fragment inner = alternatives();
            if (ok() && !next_is(')')) fail("a `(` is never closed");
            ++at_;
            return inner;
        }
        Set set;
        const char c = text_[at_++];
        if (c == '.')
            set.set();
        else if (c == '[')
            set = brackets();
        else if (c == '\\')
            set = escaped();
        else if (c == '*' || c == '+' || c == '?' || c == '{')
            fail(std::string("there is nothing that `") + c + "` could repeat");
        else
            set.set(static_cast<unsigned char>(c));
        const std::uint32_t last = make();
        return {make({set, last, State::kNone, true}), last};
    }

    Set escaped()
    {
        Set set;
        if (at_ == text_.size()) return fail("a `\\` ends the pattern"), set;
        const char c = text_[at_++];
        const auto range = [&set](char low, char high) {
            for (int i = low; i <= high; ++i) set.set(static_cast<std::size_t>(i));
        };
        if (c == 'd' || c == 'w') range('0', '9');
        if (c == 'w') range('a', 'z'), range('A', 'Z'), set.set('_');
        if (c == 's') set.set(' '), set.set('\t');
        if (c != 'd' && c != 'w' && c != 's') set.set(static_cast<unsigned char>(c));
        return set;
    }

    Set brackets()
    {
        Set set;
        const bool inverted = next_is('^');
        at_ += inverted;
        bool first = true;
        while (ok() && (first || !next_is(']'))) {
            first = false;
            if (at_ == text_.size()) return fail("a `[` is never closed"), set;
            const char c = text_[at_++];
            if (c == '\\') {
                set |= escaped();
                continue;
            }
            const bool is_range = next_is('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
            if (is_range) ++at_;
            const char high = is_range ? text_[at_++] : c;
            if (static_cast<unsigned char>(high) < static_cast<unsigned char>(c))
                return fail(std::string("the range `") + c + "-" + high + "` is empty"), set;
            for (unsigned i = static_cast<unsigned char>(c); i <= static_cast<unsigned char>(high); ++i) set.set(i);
        }
        ++at_;
        return inverted ? ~set : set;
    }

    // The fragment of text_[begin .. at_) once, with what repeats it behind it.
    Fragment repeated(Fragment one, std::size_t begin)
    {
        const std::size_t end = at_;
        if (!ok() || at_ == text_.size()) return one;
        std::size_t least = 1, most = 1;
        constexpr std::size_t kNoEnd = static_cast<std::size_t>(-1);
        switch (text_[at_]) {
            case '*':
                least = 0, most = kNoEnd, ++at_;
                break;
            case '+':
                most = kNoEnd, ++at_;
                break;
            case '?':
                least = 0, ++at_;
                break;
            case '{':
                ++at_;
                most = least = number();
                if (next_is(',')) {
                    ++at_;
                    most = next_is('}') ? kNoEnd : number();
                }
                if (!next_is('}')) return fail("repetitions are written `{n}`, `{n,}` or `{n,m}`"), one;
                ++at_;
                if (most < least) return fail("the repetition is empty: its upper end is the smaller one"), one;
                break;
            default:
                return one;
        }
        if (next_is('*') || next_is('+') || next_is('?') || next_is('{'))
            return fail("a repetition is repeated: put it into parentheses"), one;
        const std::size_t after = at_;
        Fragment all = empty();
        const auto append = [&](Fragment f) {
            join(all.last, f.first);
            all.last = f.last;
        };
        const auto copy = [&] {
            at_ = begin;
            const Fragment again = atom();
            at_ = end;
            return again;
        };
        for (std::size_t i = 0; i < least && ok(); ++i) append(i == 0 ? one : copy());
        if (most == kNoEnd) {
            const Fragment body = least == 0 ? one : copy();
            const std::uint32_t loop = make(), out = make();
            join(loop, body.first);
            join(loop, out);
            join(body.last, loop);
            append({loop, out});
        } else {
            for (std::size_t i = least; i < most && ok(); ++i) {
                const Fragment body = i == 0 ? one : copy();
                const std::uint32_t choice = make(), out = make();
                join(choice, body.first);
                join(choice, out);
                join(body.last, out);
                append({choice, out});
            }
        }
        if (ok()) at_ = after;
        return all;
    }

    std::size_t number()
    {
        std::size_t value = 0;
        if (at_ == text_.size() || text_[at_] < '0' || text_[at_] > '9')
            return fail("repetitions are written `{n}`, `{n,}` or `{n,m}`"), value;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && value <= kMostRepeats)
            value = value * 10 + static_cast<std::size_t>(text_[at_++] - '0');
        if (value > kMostRepeats) fail("nothing is repeated more than 1000 times");
        return value;
    }

    Pattern& pattern_;
    std::string_view text_;
    std::size_t at_ = 0;
    unsigned depth_ = 0;
};

Pattern Pattern::parse(std::string_view text)
{
    Pattern pattern;
    PatternParser(pattern, text).run();
    return pattern;
}

void Pattern::follow(std::uint32_t state, std::vector<char>& seen, std::vector<std::uint32_t>& list) const
{
    std::vector<std::uint32_t> open{state};
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (at == State::kNone || seen[at]) continue;
        seen[at] = 1;
        list.push_back(at);
        if (states_[at].takes) continue;
        open.push_back(states_[at].next);
        open.push_back(states_[at].other);
    }
}

bool Pattern::matches(std::string_view text) const
{
    if (!problem.empty()) return false;
    std::vector<std::uint32_t> now, then;
    std::vector<char> seen(states_.size());
    follow(start_, seen, now);
    for (const char c : text) {
        then.clear();
        std::fill(seen.begin(), seen.end(), 0);
        for (const std::uint32_t at : now)
            if (states_[at].takes && states_[at].set[static_cast<unsigned char>(c)])
                follow(states_[at].next, seen, then);
        std::swap(now, then);
    }
    return std::any_of(now.begin(), now.end(), [&](std::uint32_t at) {
        const State& s = states_[at];
        return !s.takes && s.next == State::kNone && s.other == State::kNone;
    });
}

}  // namespace anml
