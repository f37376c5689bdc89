// Changes in words: what they come to, and what is wrong with those that come to nothing.
#include <catch2/catch.hpp>

#include "abi/timeline.h"
#include "entry/options/change_syntax.h"
#include "entry_image.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using namespace anml::rt::entry;
using abi::TimelineAttribute;

namespace {

struct Words {
    Model model{entry_test::image(), std::vector<double>{1e6, 512 * 1024.0}};
    ChangeReader reader{model, {1e6, 512 * 1024.0}};

    std::vector<EnteredChange> good(std::string_view words)
    {
        std::string error;
        const auto changes = reader.read(words, 7, error);
        if (!changes) FAIL(error);
        return *changes;
    }
    std::string bad(std::string_view words)
    {
        std::string error;
        REQUIRE_FALSE(reader.read(words, 7, error));
        return error;
    }
};

}  // namespace

TEST_CASE_METHOD(Words, "a link goes down and up")
{
    const auto down = good("link entry down");
    REQUIRE(down.size() == 1);
    CHECK(down[0].time == 7);
    CHECK(down[0].attribute == TimelineAttribute::up);
    CHECK(down[0].value == 0);
    REQUIRE(down[0].targets.size() == 1);
    CHECK(down[0].targets[0].first == 8);
    CHECK(down[0].targets[0].count == 1);
    CHECK(down[0].targets[0].directions == 3);
    CHECK(good("link entry up")[0].value == 1);
    CHECK(bad("link entry> down") == "a link goes down in both directions: link entry down");
}

TEST_CASE_METHOD(Words, "attributes of links, of arrays and of one direction")
{
    const auto all = good(" link  edge rate=5 Mbps , delay = 3ms,loss=2 %");
    REQUIRE(all.size() == 3);
    CHECK(all[0].attribute == TimelineAttribute::rate);
    CHECK(all[0].value == 5e6);
    REQUIRE(all[0].targets.size() == 1);
    CHECK(all[0].targets[0].first == 0);
    CHECK(all[0].targets[0].count == 4);
    CHECK(all[1].value == 3e6);
    CHECK(all[2].attribute == abi::impairment_attribute("loss"));
    CHECK(all[2].value == 0.02);
    const auto back = good("link edge[2]< queue=8 KB");
    REQUIRE(back[0].targets.size() == 1);
    CHECK(back[0].targets[0].first == 4);
    CHECK(back[0].targets[0].directions == 2);
    CHECK(back[0].value == 8192);
}

TEST_CASE_METHOD(Words, "workloads and tunables")
{
    const auto stop = good("workload browse stop");
    CHECK(stop[0].attribute == TimelineAttribute::active);
    CHECK(stop[0].value == 0);
    CHECK(good("workload browse start")[0].value == 1);
    const auto some = good("workload browse active=40 %");
    REQUIRE(some.size() == 1);
    CHECK(some[0].attribute == abi::TimelineAttribute::share);
    CHECK(some[0].value == 0.4);
    const auto set = good("set delay=4 ms");  // of both links, each direction
    CHECK(set.size() == 4);
    for (const EnteredChange& change : set) {
        CHECK(change.attribute == TimelineAttribute::delay);
        CHECK(change.value == 4e6);
    }
    CHECK(reader.tunables()[0] == 4e6);
    CHECK(good("set delay=4ms").empty());  // it is so already
    good("set delay=5ms");
    reader.forget_last();
    CHECK(reader.tunables()[0] == 4e6);
}

TEST_CASE_METHOD(Words, "words that say nothing")
{
    CHECK(bad("") == "`` is no change; there are link, workload and set");
    CHECK(bad("lnik entry down") == "`lnik` is no change; there are link, workload and set");
    CHECK(bad("link entry") == "write it as link NAME up, down or ATTRIBUTE=VALUE,...");
    CHECK(bad("link entyr down") == "no such link `entyr`; did you mean `entry`?");
    CHECK(bad("link edge[9] down").starts_with("no such link `edge[9]`"));
    CHECK(bad("link entry rat=5 Mbps") == "`rat` is nothing of a link that can be changed; did you mean `rate`?");
    CHECK(bad("link entry rate") == "`rate` needs a value: rate=10 Mbps");
    CHECK(bad("link entry rate=") == "`rate` needs a value: rate=10 Mbps");
    CHECK(bad("link entry rate=5").starts_with("rate: `5` has no unit"));
    CHECK(bad("link entry rate=0 bps").starts_with("rate: 0 bps is outside 1 bps .. "));
    CHECK(bad("link entry loss=2") == "loss: 2 is outside 0 .. 1");
    CHECK(bad("link entry delay=-1 ms").starts_with("delay: "));
    CHECK(bad("link entry rate=5 Mbps,mtu=100 B").starts_with("`mtu` is nothing of a link that can be changed"));
    CHECK(bad("workload browse") == "write it as workload NAME start, stop or ATTRIBUTE=VALUE,...");
    CHECK(bad("workload browse pause") ==
          "`pause` is nothing of workload `browse` that can be changed; there are `start`, `stop`, `active`");
    CHECK(bad("workload browse active") == "`active` needs a value: active=40 %");
    CHECK(bad("workload browse active=140 %") == "active: 1.4 is outside 0 .. 1");
    CHECK(bad("workload browse load=2").starts_with("`load` is nothing of workload `browse` that can be changed"));
    CHECK(bad("workload browse active=1,stop") == "`stop` stands alone: workload browse stop");
    CHECK(bad("workload brows stop") == "no such workload `brows`; did you mean `browse`?");
    CHECK(bad("set D=4ms").starts_with("set D: no such tunable"));
    CHECK(bad("set delay=2 s").starts_with("set delay: 2 s is outside"));
    CHECK(bad("set delay=600 ms").find("too far away") != std::string::npos);
    CHECK(reader.tunables()[0] == 1e6);
    CHECK(bad("link " + std::string(2000, 'x')) == "a change is at most 1000 bytes long");
    CHECK_FALSE(bad(std::string_view("link entry\0down", 15)).empty());
}

TEST_CASE("what else depends on a tunable is not changed behind its back")
{
    abi::Image image = entry_test::image();
    const abi::WorkloadRow browse = [&] {
        abi::WorkloadRow row = image.workloads[0];
        row.start_spread = entry_test::delay;
        return row;
    }();
    image.workloads = &browse;
    const Model model(image, std::vector<double>{1e6, 512 * 1024.0});
    ChangeReader reader(model, {1e6, 512 * 1024.0});
    std::string error;
    CHECK_FALSE(reader.read("set delay=4ms", 0, error));
    CHECK(error ==
          "set delay=4ms: only what links alone depend on can be set in a run, and workload `browse` depends on it");
    CHECK(reader.tunables()[0] == 1e6);
    CHECK(reader.read("set queue=8 KB", 0, error));
}

}  // namespace ANML_UNIT_FILE
