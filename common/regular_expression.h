// Regular expressions in a time that grows with the text and nothing else: no back references, no look-around. An
// expression is compiled once; all its ways are followed at once (Thompson 1968; Pike's captures), so that no text
// makes it slow, and nothing is allocated while it looks. It works on bytes: `.` is one.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

class RegularExpression {
  public:
    static constexpr std::size_t kMostSteps = 1000;  // of a compiled one

    RegularExpression() = default;
    // "/text/" or "/text/i"; `group`: the one that find() gives, 0 the whole.
    RegularExpression(std::string_view written, std::size_t group);

    const std::string& problem() const { return problem_; }  // "": none
    std::string_view written() const { return written_; }

    // The leftmost place where it fits; as Perl has it, the first of alternatives counts. Nothing: it fits nowhere, or
    // the group was not part of it.
    std::optional<std::string_view> find(std::string_view text);
    bool fits(std::string_view text);  // somewhere

  private:
    enum class Act : std::uint8_t {
        set,
        split,
        jump,
        begin,
        end,
        text_begin,
        text_end,
        word_edge,
        no_word_edge,
        accept
    };
    using Set = std::bitset<256>;
    struct Step {
        Act act;
        std::uint32_t a = 0, b = 0;  // where it goes on, the preferred first; `set`: which of sets_
    };
    struct Capture {
        std::size_t whole_begin, whole_end, begin, end;
    };
    struct Way {
        std::uint32_t step;
        Capture capture;
    };
    class Parser;

    bool run(std::string_view text, Capture& found);
    void follow(std::vector<Way>& ways, Way from, std::string_view text, std::size_t at);

    std::string problem_, written_;
    std::size_t group_ = 0, groups_ = 0;
    std::vector<Step> steps_;
    std::vector<Set> sets_;
    std::string prefix_;    // what each place begins with
    bool anchored_ = false;  // it begins with the text alone
    std::vector<Way> now_, next_, stack_;
    std::vector<std::size_t> seen_;  // by step: the place at which it was reached last, from 1
};

}  // namespace anml
