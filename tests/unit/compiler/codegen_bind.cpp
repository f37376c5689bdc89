// The generated object, linked with a small main of its own and run.
#include <cstdio>
#include <cstring>
#include <random>

#include "back_end.h"
#include "network_builder.h"
#include "scratch_folder.h"

using namespace anml;
using namespace anml::test;

namespace {

// Prints the bits of every value for the tunables given as arguments.
constexpr const char* kPrintValues = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "runtime/abi/image.h"
int main(int argc, char** argv)
{
    if (anml_image.magic != anml::abi::kMagic) return 3;
    std::vector<double> tunables, values(anml_image.value_count);
    for (int i = 1; i < argc; ++i) tunables.push_back(std::strtod(argv[i], nullptr));
    anml_image.bind(tunables.data(), values.data());
    for (double v : values) {
        unsigned long long bits;
        std::memcpy(&bits, &v, sizeof bits);
        std::printf("%llx\n", bits);
    }
}
)";

std::vector<std::uint64_t> run(const std::string& program, const std::vector<double>& tunables)
{
    std::string command = program;
    for (const double t : tunables) {
        char text[40];
        std::snprintf(text, sizeof text, " %.17g", t);
        command += text;
    }
    std::vector<std::uint64_t> bits;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    unsigned long long v = 0;
    while (std::fscanf(pipe, "%llx", &v) == 1) bits.push_back(v);
    REQUIRE(pclose(pipe) == 0);
    return bits;
}

// Random expressions over three tunables that use every operation, in TCP settings that no host has: no stage before
// the plan looks at them, and some are not numbers.
void add_expressions(Network& network, std::mt19937& random, int count)
{
    std::vector<ValueExprId> pool;
    for (std::uint32_t t = 0; t < 3; ++t) pool.push_back(network.values.tunable(t));
    for (const double v : {0.0, 1.0, -2.5, 1e9, 0.3}) pool.push_back(network.values.constant(v));
    const auto any = [&] { return pool[random() % pool.size()]; };
    for (int i = 0; i < count; ++i) {
        const auto op = static_cast<ValueOp>(2 + random() % (static_cast<unsigned>(ValueOp::select) - 1));
        pool.push_back(network.values.make(op, any(), any(), any()));
        network.records.push_back(tcp_settings({{"segment", pool.back()}}));
    }
}

}  // namespace

// Also of so many that they are divided among several functions, of which one reads what another computed.
TEST_CASE("bind computes what the compiler's own evaluation computes, to the bit")
{
    const int count = GENERATE(300, 3500);
    Wan wan = make_wan(2, 2);
    wan.builder.tunable("x", dimension::none, 0.5, -10, 10);
    wan.builder.tunable("y", dimension::none, 3, -10, 10);
    std::mt19937 random(7);
    add_expressions(wan.builder.network, random, count);
    const Plan plan = plan_of(wan.builder.network);
    const ScratchFolder scratch;
    scratch.write("main.cpp", kPrintValues);
    scratch.run("c++ -std=c++20 -I" ANML_SOURCE_DIR " -c main.cpp");
    for (const OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        Diagnostics diagnostics;
        const auto object = generate_object(plan, {level}, diagnostics);
        REQUIRE(object);
        scratch.write("model.o", object->bytes);
        scratch.run("c++ -o emulator main.o model.o");
        for (const std::vector<double>& tunables :
             {std::vector<double>{1e6, 0.5, 3}, {1e5, -7.25, 0}, {1e9, 10, -1e-3}, {123456.789, 0, -0.0}})
        {
            const std::vector<std::uint64_t> bits = run(scratch.path("emulator"), tunables);
            REQUIRE(bits.size() >= plan.values.size());
            for (std::size_t id = 0; id < plan.values.size(); ++id) {
                const double expected = plan.expressions.evaluate(plan.values[id], tunables);
                double seen;
                std::memcpy(&seen, &bits[id], sizeof seen);
                INFO("value " << id << ": " << seen << ", expected " << expected);
                CHECK((seen == expected || (seen != seen && expected != expected)));
            }
        }
    }
}

TEST_CASE("objects are the same bytes every time, and textual IR can be had")
{
    const Plan plan = plan_of(make_wan(2, 2).builder.network);
    Diagnostics diagnostics;
    CHECK(generate_object(plan, {OptLevel::O2}, diagnostics)->bytes ==
          generate_object(plan, {OptLevel::O2}, diagnostics)->bytes);
    const std::string text = dump_llvm(plan, {}, diagnostics).value();
    CHECK(text.find("@anml_image = constant") != std::string::npos);
    CHECK(text.find("fadd fast") == std::string::npos);
}

TEST_CASE("bitcode that is missing or broken is an error, not an emulator without it")
{
    const Plan plan = plan_of(make_wan(1, 1).builder.network);
    const ScratchFolder scratch;
    scratch.write("broken.bc", "this is no bitcode");
    for (const char* name : {"missing.bc", "broken.bc"}) {
        Diagnostics diagnostics;
        CHECK(!generate_object(plan, {OptLevel::O2, TablePlacement::within, scratch.path(name)}, diagnostics));
        REQUIRE(diagnostics.list().size() == 1);
        CHECK(diagnostics.list()[0].diag == Diag::codegen_failed);
        CHECK(diagnostics.list()[0].notes.at(0).find(name) != std::string::npos);
    }
}
