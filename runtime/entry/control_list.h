// What `ctl list` and `ctl watch` tell, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "entry/run.h"
#include "report/live_view.h"

namespace anml::rt::entry {

nlohmann::ordered_json control_list(Run& run, const LiveView& view, std::span<const EnteredChange> entered,
                                    std::span<const WordedChange> worded);

// All but the links. `warmup`: nothing is counted of them in it.
nlohmann::ordered_json watch_json(const LiveView& view, Time warmup);

}  // namespace anml::rt::entry
