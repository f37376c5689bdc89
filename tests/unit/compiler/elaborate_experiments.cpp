// What an experiment comes to: its model with its own parameters, and what it says besides.
#include "elaborate_text.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

const std::string kShop =
    "import std.web\n"
    "model Shop(clients: int in 1..9 = 4, tunable gap: time in 1 ms .. 1 s = 10 ms, q: Queue = droptail(8 KB)) {\n"
    "  host c[clients]\n  endpoint e { simulated = web.server() }\n"
    "  link c[*] -- e { rate = 1 Mbps, queue = q }\n"
    "  workload w : web.OpenLoop on c[*] { server = e, documents = web.fixed(1 KB), interval = gap }\n"
    "  run { duration = 10 s }\n}\n";

Elaborated experiment(const std::string& body, const Defines& defines = {})
{
    return elaborate_text(kShop + "experiment E : Shop {\n" + body + "\n}\n", defines, "E");
}

}  // namespace

TEST_CASE("each attribute of an experiment's run acts")
{
    const auto plain = experiment("vary clients in [1, 2]");
    INFO(plain.first_error());
    REQUIRE(plain.network);
    for (const char* setting :
         {"duration = 11 s", "warmup = 1 s", "repetitions = 3", "precision = 1 %", "resolution = 1 %", "seed = 2",
          "batches = 20", "within = 3 min", "mode = live, server = \"true\""})
    {
        const auto set = experiment(std::string("run { ") + setting + " }\nvary clients in [1, 2]");
        INFO(setting << ": " << set.first_error());
        REQUIRE(set.network);
        CHECK(dump_network(*set.network) != dump_network(*plain.network));
    }
}

TEST_CASE("factors are what -D and --set read")
{
    const auto found = experiment(
        "vary clients in [1, 1 + 1]\nvary gap in [1 ms, 2 * 0.25 s]\nvary q in [droptail(4 KB), droptail(packets = 9)]");
    INFO(found.first_error());
    REQUIRE(found.network);
    REQUIRE(found.network->experiment);
    const auto& factors = found.network->experiment->factors;
    REQUIRE(factors.size() == 3);
    CHECK(factors[0].levels == std::vector<std::string>{"1", "2"});
    CHECK_FALSE(factors[0].tunable);
    CHECK(factors[1].levels == std::vector<std::string>{"1 ms", "500 ms"});
    CHECK(factors[1].tunable);
    CHECK(factors[2].levels == std::vector<std::string>{"", ""});  // as they are written, at `places`
    CHECK(factors[2].places.size() == 2);
}

TEST_CASE("levels are computed, too")
{
    const auto found = experiment("vary clients in [2 * i for i in 1..4]\nvary gap in [1 ms] + [2 ms]");
    INFO(found.first_error());
    REQUIRE(found.network);
    const auto& factors = found.network->experiment->factors;
    CHECK(factors[0].levels == std::vector<std::string>{"2", "4", "6", "8"});
    CHECK(factors[1].levels == std::vector<std::string>{"1 ms", "2 ms"});
}

TEST_CASE("an experiment is its model with its parameters")
{
    const auto five = experiment("measure p99(w)", {{"clients", "5"}});
    INFO(five.first_error());
    REQUIRE(five.network);
    CHECK(five.network->nodes.at(0).count == 5);
    CHECK(five.network->tunables.at(0).name == "gap");
    CHECK(five.network->measures.size() == 1);
    REQUIRE(five.network->experiment);
    CHECK(five.network->experiment->model == "Shop");
    CHECK(experiment("override run { duration = 3 s }")
              .constant(experiment("override run { duration = 3 s }").network->duration) == 3e9);
    CHECK(experiment("run { duration = 3 s }").constant(experiment("run { duration = 3 s }").network->duration) == 3e9);
    const auto model = elaborate_text(kShop + "experiment E : Shop { search clients in 1 .. 9 }\n");
    REQUIRE(model.network);  // of one model and an experiment the model is meant
    CHECK_FALSE(model.network->experiment);
}

}  // namespace ANML_UNIT_FILE
