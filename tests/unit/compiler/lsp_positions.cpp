// Columns of texts beyond ASCII in each encoding of the protocol (LSP 3.17, "Text Documents").
#include <catch2/catch.hpp>

#include "lsp/documents/positions.h"

namespace ANML_UNIT_FILE {

using namespace anml::lsp;

TEST_CASE("a column counts units of the agreed encoding", "[lsp]")
{
    const std::string_view text = "x\n\u00e9\u20ac\U0001f43b y";  // two, three and four bytes
    constexpr std::uint32_t kBear = 7, kY = 12;
    const auto columns = [&](Encoding encoding) {
        const PositionMap map(text, encoding);
        for (const std::uint32_t at : {0u, kBear, kY}) CHECK(map.offset(map.position(at)) == at);
        CHECK(map.position(kY).line == 1);
        return std::pair(map.position(kBear).character, map.position(kY).character);
    };
    CHECK(columns(Encoding::utf8) == std::pair(5u, 10u));
    CHECK(columns(Encoding::utf16) == std::pair(2u, 5u));
    CHECK(columns(Encoding::utf32) == std::pair(2u, 4u));
    CHECK(PositionMap(text, Encoding::utf16).offset(LinePosition{1, 3}) == kBear);  // half of a pair
}

}  // namespace ANML_UNIT_FILE
