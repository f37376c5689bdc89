// Patterns of strings: regular expressions without anything that would need backtracking. Matching takes time
// proportional to the length of the text times the length of the pattern (Thompson, CACM 1968).
//
// Characters stand for themselves; `.` is any one; [a-z_] and [^a-z] are sets; \d, \w and \s are a digit, a letter of a
// name and a blank; \ before anything else takes its meaning away; (a|b) chooses; *, +, ?, {n}, {n,} and {n,m} repeat.
// A pattern is for the whole text. Bytes above 7F are characters like others.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

class Pattern {
  public:
    static Pattern parse(std::string_view text);

    std::string problem;  // "" or why the text is no pattern
    bool matches(std::string_view text) const;

  private:
    friend class PatternParser;
    using Set = std::bitset<256>;
    // A state takes a character of its set and goes on to `next`, or, without a set, goes on to both at once.
    struct State {
        static constexpr std::uint32_t kNone = 0xffffffffu;
        Set set;
        std::uint32_t next = kNone, other = kNone;  // kNone, kNone: the end
        bool takes = false;
    };
    void follow(std::uint32_t state, std::vector<char>& seen, std::vector<std::uint32_t>& list) const;

    std::vector<State> states_;
    std::uint32_t start_ = 0;
};

}  // namespace anml
