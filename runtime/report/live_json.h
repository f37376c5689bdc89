// The parts of results.json that a live run has, and one that replays captures.
#pragma once

#include "report/json_values.h"

namespace anml::rt {

class Model;
struct Effects;
struct LiveReport;
struct ReplayReport;

namespace results {

Json live_json(const Model& model, const LiveReport& report, const Effects& effects);
Json replay_json(const Model& model, const ReplayReport& report);

}  // namespace results
}  // namespace anml::rt
