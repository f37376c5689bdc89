// Which hosts share the air of which access point or base station.
#pragma once

#include <map>
#include <vector>

#include "base/ids.h"

namespace anml::rt {

class Model;

// By access point, each that has a radio; hosts by their ids.
using Stations = std::map<NodeId, std::vector<NodeId>>;
Stations stations_of(const Model& model);

}  // namespace anml::rt
