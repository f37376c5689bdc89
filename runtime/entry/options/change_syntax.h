// Changes in words, as `emu ctl` enters them, results list them and --changes reads them:
//
//   link core down                           link core up
//   link net[3].edge> rate=5 Mbps,loss=2 %   rate, delay, queue, loss, corrupt, duplicate, jitter; `>` or `<`: one way
//   workload web stop                        workload web start
//   workload web active=40 %,load=3          active, load, rate, as the timeline has them (abi/workload_changes.h)
//   set D=4 ms                               a tunable that nothing but attributes of links depend on
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "net/model.h"
#include "net/timeline/entered.h"
#include "report/figures.h"

namespace anml::rt::entry {

// The longest that is read, bytes.
inline constexpr std::size_t kLongestChange = 1000;

class ChangeReader {
  public:
    // `tunables`: the values that the run began with.
    ChangeReader(const Model& model, std::vector<double> tunables) : model_(model), tunables_(std::move(tunables)) {}

    // What such words change at `time`, behind all that was read before. nullopt: `error`, and nothing was read.
    std::optional<std::vector<EnteredChange>> read(std::string_view words, Time time, std::string& error);

    // By ParameterRow::tunable, after what was read.
    const std::vector<double>& tunables() const { return tunables_; }
    void forget_last() { tunables_ = before_; }  // it was not entered after all

  private:
    const Model& model_;
    std::vector<double> tunables_, before_;
};

// Link attributes that may be changed: name, range, unit. For help and messages.
struct LinkAttribute {
    std::string_view name;
    abi::TimelineAttribute attribute;
    abi::Unit unit;
    double least, most;  // std/prelude.anml
};
std::span<const LinkAttribute> link_attributes();

// "; did you mean `core`?" and the like, for a link that the model does not have.
std::string link_hint(const Model& model, std::string_view name);

}  // namespace anml::rt::entry
