// Regular expressions of responses, and values of attributes in HTML: what they find, and that neither takes long or
// allocates, whatever the text is.
#include "common/regular_expression.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "../tier.h"
#include "app/http/html_attribute.h"

namespace ANML_UNIT_FILE {

using anml::RegularExpression;
using namespace anml::rt;

std::string found(const char* expression, std::string_view text, std::size_t group = 0)
{
    RegularExpression e(expression, group);
    REQUIRE(e.problem() == "");
    const auto at = e.find(text);
    return at ? std::string(*at) : "-";
}

TEST_CASE("what a regular expression finds is leftmost, and the first of its alternatives", "[http]")
{
    struct Case {
        const char *expression, *text, *whole;
    };
    for (const Case& each : std::initializer_list<Case>{
             {"/b+/", "aabbbab", "bbb"},
             {"/b+?/", "aabbbab", "b"},
             {"/a|ab/", "xab", "a"},
             {"/(?:a|ab)c/", "xabc", "abc"},
             {"/x(?:yz?|w)*$/", "xyyzw", "xyyzw"},
             {"/^b/", "ab", "-"},
             {"/^$/", "", ""},
             {"/[^\"]*/", "ab\"c", "ab"},
             {"/[a-cx-]{2,3}/", "d-ax-b", "-ax"},
             {"/\\bid=\\d{3}\\b/", "aid=123 id=1234 id=567", "id=567"},
             {"/a.c/", "a\nc abc", "abc"},
             {"/caf\xc3\xa9+/", "xcaf\xc3\xa9\xc3\xa9z", "caf\xc3\xa9\xc3\xa9"},
             {"/token: \\x41/i", "TOKEN: a", "TOKEN: a"},
             {"/a{,3}/", "aa{,3}", "a{,3}"},
             {"/(a*)*b/", "aaab", "aaab"},
             {"/(a|b)*?c/", "abac", "abac"},
             {"/[]a]+/", "b]a]", "]a]"},
             {"/\\/path\\//", "x/path/y", "/path/"},
         }) {
        INFO(each.expression);
        CHECK(found(each.expression, each.text) == each.whole);
    }
    CHECK(found("/id=(\\d+)&name=(\\w+)/", "?id=7&name=ann", 1) == "7");
    CHECK(found("/id=(\\d+)&name=(\\w+)/", "?id=7&name=ann", 2) == "ann");
    CHECK(found("/(?:(\\d+),?)+/", "1,22,333", 1) == "333");
    CHECK(found("/(a)|b/", "b", 1) == "-");
}

TEST_CASE("what is wrong with a regular expression is said", "[http]")
{
    struct Case {
        const char *expression, *part;
        std::size_t group = 0;
    };
    for (const Case& each : std::initializer_list<Case>{
             {"id=1", "between slashes"},
             {"/a/g", "`g` behind the expression"},
             {"/(a/", "`(` has no `)`"},
             {"/a)/", "`)` has no `(`"},
             {"/[a/", "`[` has no `]`"},
             {"/*a/", "nothing before it"},
             {"/a**/", "put it in parentheses"},
             {"/^+/", "a place and no text"},
             {"/[z-a]/", "to a later one"},
             {"/a{3,2}/", "less at most"},
             {"/(?:a{900}){900}/", "more than 1000 steps"},
             {"/a{2000}/", "more than 1000 times"},
             {"/(a)\\1/", "back references"},
             {"/a(?=b)/", "looks ahead"},
             {"/\\q/", "means nothing"},
             {"/[\xc3\xa9]/", "ASCII"},
             {"/a(b)/", "1 group", 2},
             {"/ab/", "`[0]` is all of it", 1},
         }) {
        INFO(each.expression);
        CHECK(RegularExpression(each.expression, each.group).problem().find(each.part) != std::string::npos);
    }
    CHECK(RegularExpression("/" + std::string(60, '(') + std::string(60, ')') + "/", 0).problem().find("deep") != std::string::npos);
}

TEST_CASE("no text makes a regular expression slow", "[http]")
{
    const std::string text(anml::testing::rounds(256 * 1024), 'a');
    for (const char* expression : {"/(a*)*b/", "/(a|a|aa)+b/", "/(?:a?){30}a{30}b/"}) {
        RegularExpression e(expression, 0);
        const auto begun = std::chrono::steady_clock::now();
        CHECK(!e.find(text));
        CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(60));  // others take years
    }
}

std::optional<std::string> attribute(std::string_view text, const app::http::HtmlAttribute& of)
{
    std::string room;
    const auto value = app::http::html_value(text, of, room);
    return value ? std::optional<std::string>(*value) : std::nullopt;
}

TEST_CASE("hidden fields of forms are found as browsers read them", "[http]")
{
    const app::http::HtmlAttribute csrf{"input", "value", "name", "csrf"};
    CHECK(attribute(R"(<form><input name="other" value="1"><INPUT TYPE=hidden Value='a&amp;b&#x41;&#66;' name = csrf /></form>)", csrf) == "a&bAB");
    CHECK(attribute(R"(<!-- <input name=csrf value=no> --><script>"<input name=csrf value=no>"</script><input value=yes name=csrf>)", csrf) == "yes");
    CHECK(attribute("<input name=csrf value>", csrf) == "");
    CHECK(!attribute("<input name=csrf>", csrf));
    CHECK(!attribute("<inputs name=csrf value=1>", csrf));
    CHECK(attribute(R"(<meta content="t&unknown;&" name="csrf-token">)", {"meta", "content", "name", "csrf-token"}) == "t&unknown;&");
    CHECK(attribute("<a href=/x id=next>", {"*", "href", "id", "next"}) == "/x");
    const std::string whole = R"(<!--x--><script>y</script><input name='csrf' value="a&lt;">)";
    for (std::size_t cut = 0; cut < whole.size() - 1; ++cut) {
        attribute(whole.substr(0, cut), csrf);
        attribute(whole.substr(cut), csrf);
    }
}

}  // namespace ANML_UNIT_FILE
