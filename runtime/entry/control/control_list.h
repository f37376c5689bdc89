// What `ctl list`, `ctl watch` and the API tell, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "entry/run/run.h"
#include "report/live/live_view.h"

namespace anml::rt::entry {

nlohmann::ordered_json control_list(Run& run, const LiveView& view, std::span<const EnteredChange> entered,
                                    std::span<const WordedChange> worded);

// Each of these directions as it is now, with what can be changed of it as a change has it; null: what no change could
// give it, a trace's rate or what is drawn at random.
nlohmann::ordered_json links_now(const Model& model, const LiveView& view, std::span<const EnteredChange> entered,
                                 std::span<const LinkId> links);

// All but the links. `warmup`: nothing is counted of them in it.
nlohmann::ordered_json watch_json(const LiveView& view, Time warmup);

}  // namespace anml::rt::entry
