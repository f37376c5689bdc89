// Native samplers against the compiler's own drawing, to the bit, at both levels of optimisation.
#include <cstdio>
#include <cstring>

#include "back_end.h"
#include "common/mix.h"
#include "random_model.h"
#include "scratch_folder.h"

using namespace anml;
using namespace anml::test;

namespace {

constexpr int kSamples = 2000;

// Prints the bits of so many samples of the first sampler; draws as `mixed` below does.
constexpr const char* kPrintSamples = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "runtime/abi/image.h"
#include "common/mix.h"
#include "common/sampling.h"
using namespace anml;
extern "C" {
double anml_unit(void* draws)
{
    return static_cast<double>(rt::mix(++*static_cast<unsigned long long*>(draws)) >> 11) * 0x1p-53;
}
double anml_log(double x) { return rt::natural_log(x); }
double anml_exp(double x) { return rt::exponential_of(x); }
double anml_pow(double a, double b) { return rt::power_of(a, b); }
double anml_normal(double x) { return rt::normal_quantile(x); }
double anml_zipf(void* draws, double n, double s) { return rt::zipf(n, s, [=] { return anml_unit(draws); }); }
double anml_empirical(void* draws, const double* table, std::uint64_t count)
{
    return table[count + rt::empirical_index(table, count, anml_unit(draws))];
}
}
int main(int argc, char** argv)
{
    std::vector<double> tunables, values(anml_image.value_count), state(100);
    for (int i = 2; i < argc; ++i) tunables.push_back(std::strtod(argv[i], nullptr));
    anml_image.bind(tunables.data(), values.data());
    unsigned long long draws = 0;
    for (int i = std::atoi(argv[1]); i-- > 0;) {
        const double v = anml_image.samplers[0](&draws, values.data(), state.data());
        unsigned long long bits;
        std::memcpy(&bits, &v, sizeof bits);
        std::printf("%llx\n", bits);
    }
}
)";

}  // namespace

TEST_CASE("native samplers draw what the compiler draws, to the bit")
{
    const std::string process = R"(
process gilbert(p: ratio, r: ratio) : ratio {
  state bad: bool = chance(p / (p + r)) then if bad then !chance(r) else chance(p)
  state length: int = 0 then if bad then length + 1 else 0
  yield if bad then 1 else 1 / (2 + length)
})";
    const std::string think = R"(
      max(D, exponential(20 ms)) * (1 + gilbert(2 %, 20 %))
      + (if chance(5 %) || chance(1 %) && !chance(3 %) then pareto(D, 1.5) else min(10 ms, lognormal(9 ms, 1)))
      + zipf(10, 1.1) * 1 ms + geometric(0.2) * 1 us - abs(normal(0 s, 100 us))
      + mixture([0.3, 0.7, 1], [normal(5 ms, 1 ms), weibull(3 ms, 2), empirical("values.txt", 1 ms)])
      + truncated(exponential(D) + D, 12 ms, 13 ms) % 1 ms + floor(uniform(0, 3)) * gilbert(3 %, 30 %) * 1 ms)";
    const ScratchFolder scratch;
    scratch.write("values.txt", "1 5\n2 1\n7.25\n");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(scratch.path("."));
    const Elaborated model =
        elaborate_text(thinking(think, "", process, "(tunable D: time in 1 ms .. 100 ms = 10 ms)"));
    std::filesystem::current_path(before);
    INFO(model.first_error());
    REQUIRE(model.network);
    const Plan plan = plan_of(*model.network);
    REQUIRE(plan.samplers.size() == 1);
    const abi::Slice words = plan.records.at(plan.workloads.at(0).record).words;
    CHECK(plan.record_words.at(words.first + words.count - 3) == 6);  // `think`, before two counts

    constexpr double kDelay = 8e6;
    const ValuePool& pool = model.network->values;
    const ValueExprId root = drawn_of(*model.network, 0, "think").a;
    const SampleTree tree = make_sample_tree(pool, root);
    std::vector<double> expected, state(tree.words);
    std::uint64_t draws = 0;
    for (int i = 0; i < kSamples; ++i)
        expected.push_back(draw_sample(
            tree, pool, [&](ValueExprId id) { return pool.evaluate(id, {kDelay}); },
            [&] { return static_cast<double>(rt::mix(++draws) >> 11) * 0x1p-53; }, state));

    scratch.write("main.cpp", kPrintSamples);
    for (const OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        Diagnostics diagnostics;
        const auto object = generate_object(plan, {level}, diagnostics);
        REQUIRE(object);
        scratch.write("model.o", object->bytes);
        scratch.run("c++ -std=c++20 -ffp-contract=off -I" ANML_SOURCE_DIR " -I" ANML_SOURCE_DIR
                    "/runtime -o emulator main.cpp model.o");
        std::FILE* pipe = popen((scratch.path("emulator") + " " + std::to_string(kSamples) + " 8e6").c_str(), "r");
        REQUIRE(pipe != nullptr);
        unsigned long long bits = 0;
        std::vector<double> seen;
        while (std::fscanf(pipe, "%llx", &bits) == 1) {
            double v;
            std::memcpy(&v, &bits, sizeof v);
            seen.push_back(v);
        }
        REQUIRE(pclose(pipe) == 0);
        CHECK(seen == expected);
    }
}
