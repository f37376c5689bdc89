// Private folders: each there as long as its object, however many are made in one place at once.
#include "link/temporary_folder.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "scratch_folder.h"

namespace ANML_UNIT_FILE {

using namespace anml;

TEST_CASE("a temporary folder goes with what is in it", "[temporary]")
{
    const test::ScratchFolder scratch;
    {
        const TemporaryFolder folder(scratch.path(""), ".made-");
        REQUIRE(folder.error() == 0);
        std::ofstream(folder.path() + "/file") << "text";
        CHECK(scratch.entries() == 1);
    }
    CHECK(scratch.entries() == 0);
}

TEST_CASE("a temporary folder takes what killed processes left, and nobody else's", "[temporary]")
{
    const test::ScratchFolder scratch;
    scratch.run("mkdir .made-abcdef && touch .made-abcdef/file .other");
    const TemporaryFolder first(scratch.path(""), ".made-");
    const TemporaryFolder second(scratch.path(""), ".made-");
    CHECK(scratch.entries() == 3);  // both, and what is called otherwise
    CHECK(std::filesystem::is_directory(first.path()));
}

// A new folder has no lock for a moment, in which another one's sweep may take it away.
TEST_CASE("temporary folders that are made at the same time are all there", "[temporary]")
{
    const test::ScratchFolder scratch;
    std::atomic<int> missing{0};
    std::vector<std::jthread> makers;
    for (int i = 0; i < 4; ++i) {
        makers.emplace_back([&] {
            for (int made = 0; made < 500; ++made) {
                const TemporaryFolder folder(scratch.path(""), ".made-");
                if (folder.error() != 0 || !std::filesystem::is_directory(folder.path())) ++missing;
            }
        });
    }
    makers.clear();
    CHECK(missing == 0);
    CHECK(scratch.entries() == 0);
}

}  // namespace ANML_UNIT_FILE
