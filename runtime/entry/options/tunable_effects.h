// What a tunable does to a model that is running: changes of links' attributes, if it does nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/model.h"
#include "net/timeline/entered.h"

namespace anml::rt::entry {

// Gives a tunable a value ("D=4 ms"), and returns what that changes at `time`. nullopt: `error`, and `tunables` stay:
// it has no such tunable or range, a `require` does not hold then, or something else than links depends on it.
std::optional<std::vector<EnteredChange>> set_tunable(const Model& model, std::string_view setting,
                                                      std::vector<double>& tunables, Time time, std::string& error);

}  // namespace anml::rt::entry
