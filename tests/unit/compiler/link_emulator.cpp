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
    auto object = generate_object(plan_of(network), OptLevel::O0, diagnostics);
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
