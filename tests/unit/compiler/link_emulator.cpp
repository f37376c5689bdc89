// Linking with an archive made for the test, and what is left behind when it fails.
#include <sys/stat.h>

#include "back_end.h"
#include "link/link.h"
#include "network_builder.h"
#include "scratch_folder.h"

using namespace anml;
using namespace anml::test;

namespace {

constexpr const char* kMain = R"(
#include <cstdio>
#include "runtime/abi/image.h"
int main()
{
    const anml::abi::Image& image = anml_image;
    std::printf("%s %u nodes %u links\n", image.strings + image.model_name, image.nodes, image.directed_links / 2);
    for (unsigned i = 0; i < image.node_row_count; ++i) std::printf("%s\n", image.strings + image.node_rows[i].name);
}
)";

// A runtime folder with an archive whose main is `source`.
void make_runtime(const ScratchFolder& scratch, const std::string& source)
{
    scratch.write("main.cpp", source);
    scratch.run("mkdir lib && c++ -std=c++20 -I" ANML_SOURCE_DIR
                " -c main.cpp -o lib/main.o && ar rcs lib/libanmlrt.a lib/main.o && rm main.cpp");
}

ObjectFile object_of(const Network& network)
{
    Diagnostics diagnostics;
    auto object = generate_object(plan_of(network), {}, diagnostics);
    REQUIRE(object);
    return std::move(*object);
}

struct Outcome {
    bool ok;
    Diagnostics diagnostics;
    bool is(Diag diag) const { return !ok && diagnostics.errors() == 1 && diagnostics.list()[0].diag == diag; }
};

Outcome link(const ObjectFile& object, const std::string& output, const std::string& runtime)
{
    Outcome outcome{false, {}};
    outcome.ok = link_emulator(object, {output, runtime, false}, outcome.diagnostics);
    return outcome;
}

}  // namespace

TEST_CASE("an emulator is linked, can be run, and replaces an older one")
{
    const ScratchFolder scratch;
    make_runtime(scratch, kMain);
    scratch.run("mkdir out && echo old > out/emu");
    const Outcome outcome =
        link(object_of(make_wan(3, 5).builder.network), scratch.path("out/emu"), scratch.path("lib"));
    for (const Diagnostic& d : outcome.diagnostics.list()) {
        UNSCOPED_INFO(d.message);
        for (const std::string& note : d.notes) UNSCOPED_INFO(note);
    }
    REQUIRE(outcome.ok);
    scratch.run("./out/emu > seen && grep -q '^Test 22 nodes 21 links$' seen && grep -q '^net\\[2\\].client$' seen");
    scratch.run("test $(ls -A out | wc -l) = 1");
}

// Sums the tables that the test makes large, and says how they are aligned.
constexpr const char* kSummingMain = R"(
#include <cstdint>
#include <cstdio>
#include "runtime/abi/image.h"
int main()
{
    const anml::abi::Image& image = anml_image;
    unsigned long sum = 0;
    for (unsigned i = 0; i < image.string_bytes; ++i) sum = sum * 31 + image.strings[i];
    for (unsigned i = 0; i < image.range_count; ++i)
        sum = sum * 31 + image.ranges[i].first + image.ranges[i].hop.link * 7ul;
    std::printf("%s %lx %u %u\n", image.strings + image.model_name, sum, image.string_bytes, image.range_count);
    return reinterpret_cast<std::uintptr_t>(image.ranges) % 64 + reinterpret_cast<std::uintptr_t>(image.strings) % 64;
}
)";

TEST_CASE("large tables come from an object of their own, and are the same there")
{
    const ScratchFolder scratch;
    make_runtime(scratch, kSummingMain);
    Plan plan = plan_of(make_wan(3, 5).builder.network);
    for (std::uint32_t i = 0; plan.ranges.size() < 100'001; ++i)
        plan.ranges.push_back({i * 2654435761u, i, {i * i, 0, 2, 1}});
    while (plan.strings.size() < kLargeTable + 13) plan.strings += "abcdefghijk";
    plan.header.range_count = static_cast<std::uint32_t>(plan.ranges.size());
    plan.header.string_bytes = static_cast<std::uint32_t>(plan.strings.size());

    Diagnostics diagnostics;
    const auto whole = generate_object(plan, {OptLevel::O0, TablePlacement::within}, diagnostics);
    const auto apart = generate_object(plan, {OptLevel::O0, TablePlacement::apart}, diagnostics);
    REQUIRE(whole);
    REQUIRE(apart);
    CHECK(whole->tables.empty());
    CHECK(whole->bytes.size() > plan.strings.size() + plan.ranges.size() * sizeof(abi::RouteRange));
    REQUIRE(apart->tables.size() == 2);  // the small ones stay
    CHECK(apart->bytes.size() < 64 * 1024);
    REQUIRE(link(*whole, scratch.path("whole"), scratch.path("lib")).ok);
    REQUIRE(link(*apart, scratch.path("apart"), scratch.path("lib")).ok);
    scratch.run("./whole > one && ./apart > other && cmp one other && grep -q ' 100001$' one");

    scratch.run("mkdir strict");
    std::FILE* file = std::fopen(scratch.path("strict/tables.o").c_str(), "wb");
    REQUIRE(file);
    CHECK(write_table_object(file, apart->bytes, apart->tables));
    std::fclose(file);
    scratch.run("readelf -W -a strict/tables.o > strict/seen 2> strict/complaints && ! test -s strict/complaints");
    scratch.run("test $(grep -c 'OBJECT *GLOBAL *HIDDEN' strict/seen) = 2");
    scratch.run("ld -r --fatal-warnings strict/tables.o -o strict/again.o");
}

TEST_CASE("a failed link says why and leaves nothing, not even over an older file")
{
    const ScratchFolder scratch;
    make_runtime(scratch, "extern int missing_piece(); int main() { return missing_piece(); }");
    scratch.run("mkdir out && echo old > out/emu");
    const Outcome outcome =
        link(object_of(make_wan(1, 1).builder.network), scratch.path("out/emu"), scratch.path("lib"));
    REQUIRE(outcome.is(Diag::link_failed));
    std::string notes;
    for (const std::string& note : outcome.diagnostics.list()[0].notes) notes += note;
    CHECK(notes.find("missing_piece") != std::string::npos);
    scratch.run("test $(ls -A out | wc -l) = 1 && grep -q old out/emu");
}

TEST_CASE("outputs that cannot be written and a runtime that is not there are named")
{
    const ScratchFolder scratch;
    make_runtime(scratch, kMain);
    const ObjectFile object = object_of(make_wan(1, 1).builder.network);
    CHECK(link(object, scratch.path("nowhere/emu"), scratch.path("lib")).is(Diag::cannot_write_output));
    CHECK(link(object, scratch.path("lib"), scratch.path("lib")).is(Diag::cannot_write_output));
    CHECK(link(object, "/dev/null", scratch.path("lib")).is(Diag::cannot_write_output));
    CHECK(link(object, scratch.path("emu"), scratch.path("elsewhere")).is(Diag::runtime_not_found));
    CHECK(scratch.entries() == 1);
}
