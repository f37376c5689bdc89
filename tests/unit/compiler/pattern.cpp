// Patterns of strings, and that no pattern takes long.
#include "base/pattern.h"

#include <catch2/catch.hpp>

namespace ANML_UNIT_FILE {

using anml::Pattern;

namespace {

bool matches(std::string_view pattern, std::string_view text)
{
    const Pattern p = Pattern::parse(pattern);
    INFO(pattern << " on " << text << ": " << p.problem);
    REQUIRE(p.problem.empty());
    return p.matches(text);
}

}  // namespace

TEST_CASE("a pattern is for the whole text")
{
    CHECK(matches("", ""));
    CHECK_FALSE(matches("", "a"));
    CHECK(matches("abc", "abc"));
    CHECK_FALSE(matches("abc", "abcd"));
    CHECK_FALSE(matches("abc", "ab"));
    CHECK(matches("a|bc|", "bc"));
    CHECK(matches("a|bc|", ""));
    CHECK(matches("(a|b)c", "bc"));
    CHECK_FALSE(matches("(a|b)c", "abc"));
    CHECK(matches("a.c",
                  "a\xC3"
                  "c"));
}

TEST_CASE("sets and escapes")
{
    CHECK(matches("[a-c_]", "_"));
    CHECK_FALSE(matches("[a-c_]", "d"));
    CHECK(matches("[^a-c]", "d"));
    CHECK_FALSE(matches("[^a-c]", "b"));
    CHECK(matches("[]x]", "]"));
    CHECK(matches("[a-]", "-"));
    CHECK(matches("[\\d.]", "."));
    CHECK(matches("\\w\\d\\s\\.", "_7\t."));
    CHECK_FALSE(matches("\\.", "x"));
}

TEST_CASE("repetitions")
{
    CHECK(matches("a*b+c?", "bb"));
    CHECK(matches("a*b+c?", "aabc"));
    CHECK_FALSE(matches("a*b+c?", "aac"));
    CHECK(matches("[a-z]+(-[0-9]{1,3})?", "calgary-123"));
    CHECK_FALSE(matches("[a-z]+(-[0-9]{1,3})?", "calgary-1234"));
    CHECK(matches("(ab){2}", "abab"));
    CHECK_FALSE(matches("(ab){2}", "ab"));
    CHECK(matches("a{2,}", "aaaa"));
    CHECK_FALSE(matches("a{2,}", "a"));
    CHECK(matches("a{0}", ""));
    CHECK_FALSE(matches("a{0}", "a"));
    CHECK(matches("(a|b(c|d){2})*", "abcda"));
    CHECK(matches("a{1000}", std::string(1000, 'a')));
    CHECK_FALSE(matches("a{1000}", std::string(999, 'a')));
}

TEST_CASE("what makes others backtrack takes no time")
{
    const std::string text(20'000, 'a');
    CHECK_FALSE(matches("(a*)*b", text));
    CHECK_FALSE(matches("(a|a)*(a|aa)+b", text));
    CHECK(matches("((a?){50}a{50}|.*)", text));
}

TEST_CASE("what is no pattern")
{
    for (const char* text : {"(", ")", "a)", "[a", "*", "a|*", "a**", "a{", "a{x}", "a{2,1}", "a{1001}", "[z-a]", "\\",
                             "[", "((a{1000}){1000}){1000}", "{2}"})
    {
        INFO(text);
        CHECK_FALSE(Pattern::parse(text).problem.empty());
    }
    CHECK_FALSE(Pattern::parse(std::string(200, '(') + std::string(200, ')')).problem.empty());
}

}  // namespace ANML_UNIT_FILE
