// What a package is known by.
#include <catch2/catch.hpp>

#include "package/manifest.h"
#include "scratch_folder.h"

namespace ANML_UNIT_FILE {

using namespace anml;

TEST_CASE("a folder's hash is of its files' names, sizes and bytes", "[package]")
{
    const test::ScratchFolder folder;
    folder.run("mkdir -p tree/a && printf abc > tree/a/b && printf '' > tree/c && ln -s c tree/d");
    const auto hash = [&] {
        std::string problem, found = tree_hash(folder.path("tree"), problem);
        CHECK(problem == "");
        return found;
    };
    folder.run("printf 'file a/b\\0003\nabcfile c\\0000\nlink d\\0001\nc' | sha256sum | cut -c-64 > expected");
    std::string expected;
    std::ifstream(folder.path("expected")) >> expected;
    CHECK(hash() == expected);
    folder.run("mkdir tree/.anml && touch tree/.anml/fetched");
    CHECK(hash() == expected);
    folder.run("mv tree/a/b tree/a/e");
    CHECK(hash() != expected);
}

TEST_CASE("a version is three numbers", "[package]")
{
    const auto is_taken = [](const std::string& version) {
        Diagnostics diagnostics;
        return parse_manifest("", "[package]\nname = \"metro\"\nversion = \"" + version + "\"\n", diagnostics) &&
               !diagnostics.has_errors();
    };
    for (const char* right : {"0.1.0", "12.345.6"}) CHECK(is_taken(right));
    for (const char* wrong : {"1", "1.2", "1.2.3.4", "1.2.", "1..3", ".1.2", "v1.2.3", "1.2.3-a"}) CHECK_FALSE(is_taken(wrong));
}

}  // namespace ANML_UNIT_FILE
