// The lines of `live --watch`.
#include <catch2/catch.hpp>

#include "entry/live/watch_view.h"
#include "image_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using entry::Sparkline;
using entry::WatchView;

TEST_CASE("a sparkline has a column for each second", "[watch]")
{
    Sparkline line;
    CHECK(line.draw(4, true) == "    ");
    for (double value : {0.0, 3.5, 7.0}) line.add(value);
    line.add(std::nullopt);
    CHECK(line.draw(6, true) == "  ▁▅█ ");
    CHECK(line.draw(6, false) == "  _=# ");
    CHECK(line.draw(2, false) == "# ");
    CHECK(line.draw(4, false, 70.0) == "__. ");
    CHECK_FALSE(line.last());
    for (int i = 0; i < 100; ++i) line.add(1);
    CHECK(line.draw(200, false) == std::string(140, ' ') + std::string(60, '#'));
}

TEST_CASE("what is watched fits the terminal", "[watch]")
{
    test::ChainModel chain{test::Chain{}};
    const Model model = chain.model();
    LinkViews links(model.image().directed_links);
    WatchView view(model, links, 10 * kSecond, false);
    LiveView run;
    std::vector<WorkloadView> workloads(1);
    run.elapsed = -1;
    view.look(run, workloads);
    view.look(run, workloads);
    CHECK(view.line().starts_with("waiting for the servers"));
    run.elapsed = 3 * kSecond;
    run.last.completed = 40;
    run.last.failed = 2;
    workloads[0].completed = 40;
    workloads[0].response_seconds = 0.8;
    run.edge.released = 400;
    run.edge.slip_p99 = 12'000;
    run.busy = 0.25;
    view.look(run, workloads);
    CHECK(view.line() == "3 s  40/s, 2 failed  mean response 20 ms  slip p99 12 us  25 % busy");
    const std::vector<std::string> wide = view.lines(100, 24);
    REQUIRE(wide.size() == 5);
    CHECK(wide[0].ends_with("3 of 10 s  25 % busy, 0 packets late"));
    CHECK(wide[1].starts_with("transactions    "));
    CHECK(wide[1].ends_with(" #  40/s, 2 failed/s") + wide[1].ends_with("# 40/s, 2 failed/s") == 1);
    CHECK(wide[2].ends_with("# 20 ms"));
    CHECK(wide[3].ends_with("# 12 us"));
    CHECK(wide[4].ends_with("# 400/s"));
    for (std::size_t width : {1, 2, 10, 30, 52, 53, 54, 80, 200})
        for (const std::string& line : view.lines(width, 3)) CHECK(line.size() <= width);
    CHECK(view.lines(80, 3).size() == 3);
    CHECK(view.lines(80, 1).size() == 1);
}

}  // namespace ANML_UNIT_FILE
